/* tile.c - see tile.h and tile_parts.h. */
#include "tile_parts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- life --------------------------------------------------------------------------------------------------- */

void *hd_tile_new(const struct hd_tile_kind *kind, size_t size, const struct hd_site *site)
{
    size_t room = (size + HD_CACHE_LINE - 1) / HD_CACHE_LINE * HD_CACHE_LINE;
    struct hd_tile *t = aligned_alloc(HD_CACHE_LINE, room);

    if (t == NULL) {
        fprintf(stderr, "heddle: out of memory\n");
        if (site->slice == NULL)
            hd_model_close(site->model);
        return NULL;
    }
    memset(t, 0, room);
    t->kind = kind;
    t->number = site->number;
    t->clk_ratio = 1;
    t->model = site->model;
    t->slice = site->slice;
    t->wave = site->wave;
    return t;
}

void hd_tile_free(struct hd_tile *t)
{
    if (t == NULL)
        return;
    if (t->kind->close != NULL)
        t->kind->close(t);
    hd_port_log_fini(&t->log);
    if (t->slice == NULL && t->model != NULL) {
        if (t->wave)
            hd_model_trace_close(t->model);
        hd_model_close(t->model);
    }
    free(t);
}

static void port_states(struct hd_tile *t, struct hd_image *io)
{
    struct hd_model_port port;
    uint64_t failures = hd_model_assert_failures(t->model);

    hd_image_bytes(io, &failures, sizeof failures);
    if (io->loading)
        hd_model_assert_set(t->model, failures);
    for (unsigned i = 0; hd_model_port_at(t->model, i, &port); i++) {
        size_t bytes = port.width <= 8 ? 1 : port.width <= 16 ? 2 : port.width <= 32 ? 4 : port.width <= 64 ? 8
                                                                                        : (port.width + 31) / 32 * 4;
        hd_image_bytes(io, hd_model_port(t->model, port.name, NULL), bytes);
    }
}

static void registers(struct hd_tile *t, struct hd_image *io)
{
    size_t size = 0;
    void *saved = io->loading ? NULL : hd_model_save(t->model, &size);
    uint64_t bytes = size;

    hd_image_bytes(io, &bytes, sizeof bytes);
    void *place = hd_image_place(io, bytes);
    if (place != NULL && saved != NULL)
        memcpy(place, saved, bytes);
    if (io->loading ? place == NULL || !hd_model_restore(t->model, place, bytes) : saved == NULL)
        io->bad = true;
    free(saved);
}

void hd_tile_state(struct hd_tile *t, struct hd_image *io)
{
    HD_IMAGE_MEMBERS(io, t, events, progress);
    hd_image_text(io, &t->fault);
    if (t->model != NULL && io->depth == HD_IMAGE_ALL)
        registers(t, io);
    if (t->model != NULL && io->depth > HD_IMAGE_COUNTS)
        port_states(t, io);
    if (t->kind->state != NULL)
        t->kind->state(t, io);
}

uint64_t hd_tile_events(struct hd_tile *const *tiles, unsigned n, unsigned event)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < n; i++)
        sum += tiles[i]->events[event];
    return sum;
}

void hd_tile_put_events(struct hd_tile *const *tiles, unsigned n, const struct hd_event_name *names, size_t count,
                        struct hd_counters *out)
{
    for (size_t e = 0; e < count; e++)
        hd_counters_put(out, names[e].name, hd_tile_events(tiles, n, names[e].event));
}

/* ---- ports -------------------------------------------------------------------------------------------------- */

struct binder hd_binder(const struct hd_tile *t, const char *tile)
{
    return (struct binder){.model = t->model, .slice = t->slice, .tile = tile, .ok = true};
}

void *hd_bind(struct binder *b, const char *prefix, const char *name, unsigned width)
{
    char full[64];
    void *at;

    snprintf(full, sizeof full, "%s%s", prefix, name);
    if (b->slice != NULL) {
        unsigned found = 0;
        at = hd_slice_port(b->slice, full, &found);
        if (at == NULL || found != width) {
            fprintf(stderr, "%s: the flat model has no port %s of %u bits\n", b->tile, full, width);
            at = NULL;
        }
    } else {
        at = hd_model_port_of_width(b->model, full, width);
    }
    if (at == NULL)
        b->ok = false;
    return at;
}

static struct hd_pin pin_of(void *at, unsigned width)
{
    return (struct hd_pin){at, width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : width <= 64 ? 8 : (width + 31) / 32 * 4};
}

/* A small port whose width is the tile's business. */
struct hd_pin hd_bind_pin(struct binder *b, const char *prefix, const char *name)
{
    char full[64];
    unsigned width = 0;

    snprintf(full, sizeof full, "%s%s", prefix, name);
    void *at = b->slice != NULL ? hd_slice_port(b->slice, full, &width) : hd_model_port(b->model, full, &width);
    if (at == NULL || width > 64) {
        fprintf(stderr, "%s: the model has no port %s of at most 64 bits\n", b->tile, full);
        b->ok = false;
    }
    return pin_of(at, width);
}

struct hd_pin hd_bind_pin_of(struct binder *b, const char *prefix, const char *name, unsigned width)
{
    return pin_of(hd_bind(b, prefix, name, width), width);
}

void hd_bind_in(struct binder *b, struct hd_tile_in *in, const char *prefix, unsigned links, unsigned num_vn,
                    unsigned flit_units)
{
    in->valid = hd_bind_pin_of(b, prefix, "valid_i", links);
    in->vn = hd_bind_pin_of(b, prefix, "vn_i", links * HD_VN_W);
    in->tail = hd_bind_pin_of(b, prefix, "tail_i", links);
    in->credit = hd_bind_pin_of(b, prefix, "credit_o", links * num_vn);
    in->flit = hd_bind(b, prefix, "flit_i", links * flit_units * 32);
}

void hd_bind_out(struct binder *b, struct hd_tile_out *out, const char *prefix, unsigned links, unsigned num_vn,
                     unsigned flit_units)
{
    out->valid = hd_bind_pin_of(b, prefix, "valid_o", links);
    out->vn = hd_bind_pin_of(b, prefix, "vn_o", links * HD_VN_W);
    out->tail = hd_bind_pin_of(b, prefix, "tail_o", links);
    out->credit = hd_bind_pin_of(b, prefix, "credit_i", links * num_vn);
    out->flit = hd_bind(b, prefix, "flit_o", links * flit_units * 32);
}

void hd_bind_tile(struct binder *b, struct hd_tile *t, unsigned events, const struct hd_config *c)
{
    t->profile = c->profile;
    t->model = b->model;
    t->clk = hd_bind(b, "", "clk_i", 1);
    t->rst = hd_bind(b, "", "rst_i", 1);
    t->idle = hd_bind(b, "", "idle_o", 1);
    t->now = b->slice != NULL ? (struct hd_pin){0} : hd_bind_pin(b, "", "now_i");
    t->ev = hd_bind_pin_of(b, "", "ev_o", events);
}

/* ---- reset -------------------------------------------------------------------------------------------------- */

void hd_tile_reset(struct hd_tile *t)
{
    bool wave = t->wave;

    if (t->slice != NULL)
        return; /* the chip was reset as a whole */
    t->wave = false;
    *t->rst = 1;
    edge(t, 0);
    edge(t, 0);
    *t->rst = 0;
    t->wave = wave;
    t->wave_to = HD_NEVER;
    t->evaluated = 0;
}
