/* flat.c - see flat.h. */
#include "flat.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WIRES = 48, MAX_SLICES = 32 + 16 + 2, NAME_SIZE = 40 };

/* A tile's port and its place in the chip's vector. Bytes are little endian whatever type the port has. */
struct wire {
    char name[NAME_SIZE];
    uint8_t *vector, *own;      /* vector NULL: no effect */
    unsigned lsb, width;
};

struct hd_slice {
    struct hd_flat *flat;
    enum hd_slice_kind kind;
    unsigned index, count;      /* of all slices of its kind */
    struct wire in[MAX_WIRES], out[MAX_WIRES];
    unsigned ins, outs;
};

struct hd_flat {
    struct hd_model *model;
    uint8_t *clk, *slow, *rst;
    uint32_t *now;
    unsigned clk_ratio;
    bool wave;
    uint64_t wave_from, wave_to;
    struct hd_slice *slice[MAX_SLICES];
    unsigned slices;
    unsigned sms, parts;
};

/* ---- ports ------------------------------------------------------------------------------------------------ */

static bool is_tied(const char *name)
{
    static const char *const tied[] = {"clk_i", "rst_i", "now_i", "sm_id_i", "part_id_i", "policy_model_i",
                                       "policy_sched_i", "policy_order_i"};

    for (size_t i = 0; i < sizeof tied / sizeof tied[0]; i++)
        if (strcmp(name, tied[i]) == 0)
            return true;
    return false;
}

/* What the chip calls a tile's port. */
static const char *chip_name(enum hd_slice_kind kind, const char *name)
{
    static const char *const idle[] = {"sm_idle_o", "l2_idle_o", "idle_o"};
    static const char *const events[] = {"ev_sm_o", "ev_l2_o", "ev_xbar_o"};

    if (strcmp(name, "idle_o") == 0)
        return idle[kind];
    return strcmp(name, "ev_o") == 0 ? events[kind] : name;
}

void *hd_slice_port(struct hd_slice *s, const char *name, unsigned *width)
{
    size_t length = strlen(name);
    bool output = length > 2 && strcmp(name + length - 2, "_o") == 0;
    struct wire *w = output ? &s->out[s->outs] : &s->in[s->ins];
    const char *chip = chip_name(s->kind, name);
    bool shared = strcmp(chip, "idle_o") == 0; /* of the chip */

    if ((output ? s->outs : s->ins) == MAX_WIRES)
        return NULL;
    *w = (struct wire){.width = 1};
    snprintf(w->name, sizeof w->name, "%s", name);
    if (!is_tied(name)) {
        unsigned all;
        w->vector = hd_model_port(s->flat->model, chip, &all);
        if (w->vector == NULL)
            return NULL;
        w->width = shared ? all : all / s->count;
        w->lsb = shared ? 0 : s->index * w->width;
    }
    w->own = calloc((w->width + 63) / 64, 8);
    if (w->own == NULL)
        return NULL;
    if (output)
        s->outs++;
    else
        s->ins++;
    *width = w->width;
    return w->own;
}

static void copy(uint8_t *to, unsigned to_lsb, const uint8_t *from, unsigned from_lsb, unsigned width)
{
    if ((to_lsb | from_lsb | width) % 8 == 0) {
        memcpy(to + to_lsb / 8, from + from_lsb / 8, width / 8);
        return;
    }
    for (unsigned i = 0; i < width; i++) {
        unsigned bit = from[(from_lsb + i) / 8] >> (from_lsb + i) % 8 & 1, at = to_lsb + i;
        to[at / 8] = (uint8_t)((to[at / 8] & ~(1u << at % 8)) | bit << at % 8);
    }
}

/* ---- edges ------------------------------------------------------------------------------------------------ */

static void edge(struct hd_flat *f, uint64_t now)
{
    bool dump = f->wave && now >= f->wave_from && now <= f->wave_to;

    *f->now = (uint32_t)now;
    if (hd_model_two_phases(f->model)) {
        *f->clk = *f->slow = 0;
        hd_model_eval(f->model);
        if (dump)
            hd_model_trace_dump(f->model, 2 * now);
    }
    *f->clk = 1;
    *f->slow = now % f->clk_ratio == 0;
    hd_model_rise(f->model);
    if (dump)
        hd_model_trace_dump(f->model, 2 * now + 1);
}

void hd_flat_edge(struct hd_flat *f, uint64_t now)
{
    for (unsigned n = 0; n < f->slices; n++) {
        const struct hd_slice *s = f->slice[n];
        for (const struct wire *w = s->in; w < s->in + s->ins; w++)
            if (w->vector != NULL)
                copy(w->vector, w->lsb, w->own, 0, w->width);
    }
    edge(f, now);
    for (unsigned n = 0; n < f->slices; n++) {
        const struct hd_slice *s = f->slice[n];
        for (const struct wire *w = s->out; w < s->out + s->outs; w++)
            copy(w->own, 0, w->vector, w->lsb, w->width);
    }
}

/* ---- composition ------------------------------------------------------------------------------------------ */

struct hd_flat *hd_flat_new(const struct hd_config *c, struct hd_model *model, bool wave)
{
    struct hd_flat *f = calloc(1, sizeof *f);

    if (f == NULL || model == NULL) {
        hd_model_close(model);
        free(f);
        return NULL;
    }
    *f = (struct hd_flat){.model = model, .clk_ratio = c->clk_ratio, .sms = c->sms, .parts = c->partitions};
    f->clk = hd_model_port_of_width(model, "clk_i", 1);
    f->slow = hd_model_port_of_width(model, "clk_slow_i", 1);
    f->rst = hd_model_port_of_width(model, "rst_i", 1);
    f->now = hd_model_port_of_width(model, "now_i", 32);
    uint8_t *order = hd_model_port_of_width(model, "policy_model_i", 3);
    uint8_t *sched = hd_model_port_of_width(model, "policy_sched_i", 2);
    uint8_t *queues = hd_model_port_of_width(model, "policy_order_i", 3);
    if (!f->clk || !f->slow || !f->rst || !f->now || !order || !sched || !queues) {
        hd_flat_free(f);
        return NULL;
    }
    *order = (uint8_t)c->order;
    *sched = (uint8_t)c->sched;
    *queues = (uint8_t)(c->marker_merge | c->credit_issue << 1 | c->type_prefetch << 2);
    *f->rst = 1;
    edge(f, 0);
    edge(f, 0);
    *f->rst = 0;
    f->wave = wave;
    f->wave_to = UINT64_MAX;
    return f;
}

void hd_flat_wave_window(struct hd_flat *f, uint64_t from, uint64_t to)
{
    f->wave_from = from;
    f->wave_to = to;
}

void hd_flat_free(struct hd_flat *f)
{
    if (f == NULL)
        return;
    for (unsigned n = 0; n < f->slices; n++) {
        struct hd_slice *s = f->slice[n];
        for (unsigned i = 0; i < s->ins; i++)
            free(s->in[i].own);
        for (unsigned i = 0; i < s->outs; i++)
            free(s->out[i].own);
        free(s);
    }
    if (f->wave)
        hd_model_trace_close(f->model);
    hd_model_close(f->model);
    free(f);
}

struct hd_slice *hd_flat_slice(struct hd_flat *f, enum hd_slice_kind kind, unsigned index)
{
    const unsigned counts[] = {f->sms, f->parts, 2};
    struct hd_slice *s = f->slices < MAX_SLICES ? calloc(1, sizeof *s) : NULL;

    if (s == NULL) {
        fprintf(stderr, "heddle: out of memory\n");
        return NULL;
    }
    *s = (struct hd_slice){.flat = f, .kind = kind, .index = index, .count = counts[kind]};
    f->slice[f->slices++] = s;
    return s;
}

struct hd_model *hd_slice_model(struct hd_slice *s)
{
    return s->flat->model;
}
