/* tap.c - see tap.h. While tiles run, operations go as bytes into buffers of their SM; between windows these are written. */
#include "tap.h"
#include "hdt.h"
#include "ops.h"
#include "hd_pkg.h"
#include "replay.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVEL = -3, SLACK = 256 * 1024 };

struct warp {
    struct hd_trace_state state;
    uint32_t kernel, block, part, ops;
    unsigned in_block;
    size_t bytes;
    uint8_t *data;              /* [HD_CHUNK_BYTES] */
    uint32_t sync_addr;         /* of the last access that may poll */
};

/* A chunk in an SM's buffer, its bytes behind it. */
struct chunk {
    uint32_t kernel, block, part, ops, warp, bytes;
};

struct sm {
    struct hd_trace_op op;
    uint8_t *out;               /* chunks since the last window */
    size_t bytes, room;
    uint64_t spins;             /* accesses that look like polls */
    bool failed;
};

struct hd_tapper {
    struct hd_tap tap;
    const struct hd_config *c;
    struct hd_diag *diag;
    struct hd_hdt_writer *file;
    struct sm *sm;              /* [sms] */
    struct warp *warp;          /* [sms * warps] */
    uint8_t *buffers;
    uint64_t top;
};

/* ---- while tiles run ------------------------------------------------------------------------------------------- */

static struct warp *warp_at(struct hd_tapper *t, unsigned sm, unsigned slot)
{
    return &t->warp[(size_t)sm * t->c->warps + slot];
}

/* Hands the warp's chunk over. */
static void hand_over(struct sm *sm, struct warp *w)
{
    struct chunk c = {w->kernel, w->block, w->part++, w->ops, w->in_block, (uint32_t)w->bytes};

    if (w->bytes == 0)
        return;
    if (sm->room - sm->bytes < sizeof c + w->bytes) { /* all warps ended in one window, and more */
        uint8_t *more = realloc(sm->out, 2 * sm->room);
        sm->failed |= !more;
        if (!more)
            return;
        sm->out = more;
        sm->room *= 2;
    }
    memcpy(sm->out + sm->bytes, &c, sizeof c);
    memcpy(sm->out + sm->bytes + sizeof c, w->data, w->bytes);
    sm->bytes += sizeof c + w->bytes;
    w->bytes = 0;
    w->ops = 0;
    memset(&w->state, 0, sizeof w->state);
}

static void put(struct sm *sm, struct warp *w)
{
    if (w->bytes + HD_OP_BYTES > HD_CHUNK_BYTES)
        hand_over(sm, w);
    w->bytes += hd_trace_put(&w->state, &sm->op, w->data + w->bytes);
    w->ops++;
}

static void on_begin(void *ctx, unsigned sm, unsigned slot, size_t grid, unsigned block, unsigned in_block)
{
    struct warp *w = warp_at(ctx, sm, slot);

    w->kernel = (uint32_t)grid + 1;
    w->block = block;
    w->in_block = in_block;
    w->part = w->ops = 0;
    w->bytes = 0;
    w->sync_addr = UINT32_MAX;
    memset(&w->state, 0, sizeof w->state);
}

static void on_memory(void *ctx, unsigned sm_id, unsigned slot, uint32_t alu, hd_mask_t mask, const struct hd_memory_op *m)
{
    struct hd_tapper *t = ctx;
    struct sm *sm = &t->sm[sm_id];
    struct warp *w = warp_at(t, sm_id, slot);
    struct hd_trace_op *op = &sm->op;
    size_t bytes = t->c->lanes * sizeof op->addr[0];

    op->kind = (uint8_t)m->kind;
    op->fn = (uint8_t)m->fn;
    op->space = (uint8_t)m->space;
    op->order = (uint8_t)m->order;
    op->scope = (uint8_t)m->scope;
    op->plain = m->plain;
    op->alu = alu;
    op->mask = mask;
    op->has_data = m->data != NULL;
    op->has_cmp = m->cmp != NULL;
    memcpy(op->addr, m->addr, bytes);
    if (m->data)
        memcpy(op->data, m->data, bytes);
    if (m->cmp)
        memcpy(op->cmp, m->cmp, bytes);
    if (mask != 0 && !m->plain && m->kind != HD_OP_STORE && m->kind != HD_OP_COPY) {
        uint32_t addr = m->addr[__builtin_ctzll(mask)];
        sm->spins += addr == w->sync_addr;
        w->sync_addr = addr;
    }
    put(sm, w);
}

static void on_control(void *ctx, unsigned sm_id, unsigned slot, uint32_t alu, unsigned kind, unsigned fn, unsigned order,
                       unsigned scope)
{
    struct hd_tapper *t = ctx;
    struct hd_trace_op *op = &t->sm[sm_id].op;

    op->kind = (uint8_t)kind;
    op->fn = (uint8_t)fn;
    op->space = 0;
    op->order = (uint8_t)order;
    op->scope = (uint8_t)scope;
    op->plain = false;
    op->alu = alu;
    put(&t->sm[sm_id], warp_at(t, sm_id, slot));
}

static void on_transaction(void *ctx, unsigned sm_id, unsigned slot, uint32_t alu, unsigned kind, hd_mask_t lanes)
{
    struct hd_tapper *t = ctx;

    t->sm[sm_id].op.mask = lanes;
    on_control(t, sm_id, slot, alu, kind, 0, HD_ORD_RELAXED, HD_SCOPE_WI);
}

static void on_use(void *ctx, unsigned sm_id, unsigned slot, uint32_t alu, uint32_t back)
{
    struct hd_tapper *t = ctx;
    struct hd_trace_op *op = &t->sm[sm_id].op;

    op->kind = HD_TRACE_WAIT;
    op->alu = alu;
    op->back = back;
    op->count = 1;
    put(&t->sm[sm_id], warp_at(t, sm_id, slot));
}

static void on_sleep(void *ctx, unsigned sm_id, unsigned slot, uint32_t alu, uint64_t cycles)
{
    struct hd_tapper *t = ctx;
    struct hd_trace_op *op = &t->sm[sm_id].op;

    op->kind = HD_TRACE_SLEEP;
    op->alu = alu;
    op->cycles = cycles;
    put(&t->sm[sm_id], warp_at(t, sm_id, slot));
}

static void on_end(void *ctx, unsigned sm_id, unsigned slot, uint32_t alu)
{
    struct hd_tapper *t = ctx;

    if (alu != 0)
        on_control(t, sm_id, slot, alu, HD_OP_NOP, 0, HD_ORD_RELAXED, HD_SCOPE_WI);
    hand_over(&t->sm[sm_id], warp_at(t, sm_id, slot));
}

/* ---- between windows ------------------------------------------------------------------------------------------- */

bool hd_tapper_window(struct hd_tapper *t)
{
    for (unsigned i = 0; i < t->c->sms; i++) {
        struct sm *sm = &t->sm[i];
        struct chunk c;
        if (sm->failed)
            return hd_diag_error(t->diag, "no memory to record");
        for (size_t at = 0; at < sm->bytes; at += sizeof c + c.bytes) {
            memcpy(&c, sm->out + at, sizeof c);
            if (c.part > UINT16_MAX)
                return hd_diag_error(t->diag, "a warp with more than 65535 chunks of operations cannot be recorded");
            if (!hd_hdt_chunk(t->file, c.kernel, c.block, c.warp, c.part, c.ops, sm->out + at + sizeof c, c.bytes))
                return false;
        }
        sm->bytes = 0;
    }
    return true;
}

/* ---- the file -------------------------------------------------------------------------------------------------- */

static char *make_head(const struct hd_tapper *t, const struct hd_simt *s, const char *origin)
{
    size_t launches, n = 0, room, item = 200 + 60 * HD_READ_ONLY;
    const struct hd_launch *l = hd_simt_launches(s, &launches);
    char buffer[32], *text;
    const char *key, *value;
    size_t keys = 0;

    while (hd_config_key(t->c, keys, buffer, &value))
        keys++;
    room = item * (launches + keys + 4) + strlen(origin);
    text = malloc(room);
    if (!text)
        return NULL;
    n += (size_t)snprintf(text + n, room - n, "origin = %s\nconfig = %.60s\nlanes = %u\ntop = %llu\n", origin, t->c->name,
                          t->c->lanes, (unsigned long long)t->top);
    for (size_t i = 0; (key = hd_config_key(t->c, i, buffer, &value)); i++)
        n += (size_t)snprintf(text + n, room - n, "set %.60s = %.60s\n", key, value);
    for (size_t i = 0; i < launches; i++)
        n += (size_t)snprintf(text + n, room - n, "kernel = %zu %llu %u %u %u 0 grid%zu\n", i + 1,
                              (unsigned long long)l[i].grid_x * l[i].grid_y, l[i].block_x * l[i].block_y, l[i].lds_bytes,
                              l[i].resident, i + 1);
    for (size_t i = 0; i < launches; i++)
        for (unsigned k = 0; k < HD_READ_ONLY; k++)
            if (l[i].read_only[k].bytes != 0)
                n += (size_t)snprintf(text + n, room - n, "read only = %zu %u %u\n", i + 1, l[i].read_only[k].first,
                                      l[i].read_only[k].bytes);
    return text;
}

static bool begin(struct hd_tapper *t, const char *path, const struct hd_simt *s, const struct hd_work *k, const char *origin)
{
    size_t slots = (size_t)t->c->sms * t->c->warps;
    const struct hd_array *a;

    t->sm = calloc(t->c->sms, sizeof *t->sm);
    t->warp = calloc(slots, sizeof *t->warp);
    t->buffers = malloc(slots * HD_CHUNK_BYTES);
    char *head = make_head(t, s, origin);
    bool good = t->sm && t->warp && t->buffers && head;
    for (size_t i = 0; good && i < slots; i++)
        t->warp[i].data = t->buffers + i * HD_CHUNK_BYTES;
    for (unsigned i = 0; good && i < t->c->sms; i++) {
        t->sm[i].room = t->c->warps * (HD_CHUNK_BYTES + sizeof(struct chunk)) + SLACK;
        t->sm[i].out = malloc(t->sm[i].room);
        good = t->sm[i].out != NULL;
    }
    if (!good)
        hd_diag_error(t->diag, "%s: no memory", path);
    if (good)
        good = (t->file = hd_hdt_create(path, HD_HDT_VALUES | HD_HDT_OWN, head, LEVEL, t->diag)) != NULL;
    for (size_t i = 0; good && (a = hd_work_array_at(k, i)); i++)
        good = hd_hdt_image(t->file, a->addr, a->host, a->words);
    free(head);
    return good;
}

struct hd_tapper *hd_tapper_new(const char *path, const struct hd_config *c, struct hd_simt *s, const struct hd_work *k,
                                const char *origin, struct hd_diag *d)
{
    struct hd_tapper *t = calloc(1, sizeof *t);

    if (!t)
        return NULL;
    *t = (struct hd_tapper){.c = c, .diag = d, .top = hd_work_top(k)};
    t->tap = (struct hd_tap){.ctx = t, .begin = on_begin, .memory = on_memory, .control = on_control,
                             .transaction = on_transaction, .use = on_use, .sleep = on_sleep, .end = on_end};
    if (begin(t, path, s, k, origin)) {
        hd_simt_tap(s, &t->tap);
        return t;
    }
    hd_tapper_free(t);
    return NULL;
}

void hd_tapper_free(struct hd_tapper *t)
{
    if (!t)
        return;
    hd_hdt_abort(t->file);
    for (unsigned i = 0; t->sm && i < t->c->sms; i++)
        free(t->sm[i].out);
    free(t->sm);
    free(t->warp);
    free(t->buffers);
    free(t);
}

bool hd_tapper_end(struct hd_tapper *t, uint64_t cycles, const struct hd_machine *m)
{
    char end[200];
    uint64_t spins = 0;

    if (!m || !hd_tapper_window(t))
        return m == NULL;
    for (unsigned i = 0; i < t->c->sms; i++)
        spins += t->sm[i].spins;
    snprintf(end, sizeof end, "cycles = %llu\nmemory = %016llx\nspin loads = %llu\n", (unsigned long long)cycles,
             (unsigned long long)hd_replay_hash(m, t->top), (unsigned long long)spins);
    struct hd_hdt_writer *file = t->file;
    t->file = NULL;
    return hd_hdt_finish(file, end, NULL);
}
