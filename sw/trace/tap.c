/* tap.c - see tap.h. While tiles run, operations go as bytes into pieces of memory of their warp; chunks of them that are
 * complete are written between windows. All is about touching little memory: where memory is new to a process, a page of
 * it costs more than the operations in it. */
#define _DEFAULT_SOURCE /* madvise */
#include "tap.h"
#include "hdt.h"
#include "ops.h"
#include "hd_pkg.h"
#include "replay.h"
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LEVEL = -3, PIECE = 4096, HUGE = 2 << 20 };

/* Memory for bytes of one warp. */
struct piece {
    struct piece *next;         /* of the chunk; of those that are free */
    struct piece *chunk;        /* a chunk's first: that of the SM's next chunk that is complete */
    uint32_t kernel, block, part, ops, warp, all; /* a chunk's first: what it is, its bytes */
    uint32_t bytes;             /* here */
    bool heap;                  /* not from the tapper's memory */
    uint8_t data[];
};

/* Its members by how often they are used: lines of a cache are what an operation costs. */
struct warp {
    _Alignas(64) uint8_t *to, *end; /* where the next operation goes, until where one may begin; both NULL: nowhere */
    struct piece *first, *last; /* of the chunk; NULL: no operation */
    uint32_t ops, sync_addr;    /* of the chunk; of the last access that may poll */
    uint32_t kernel, block, part;
    unsigned in_block;
    uint32_t bytes;             /* of the chunk, without those in the last piece */
    struct hd_trace_state state;
};

struct sm {
    struct hd_trace_op op;
    struct piece *free, *chunks, *last_chunk; /* chunks since the last window */
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
    uint8_t *map, *memory;      /* what was mapped, and in it [pieces][PIECE]: all that warps have under way, twice */
    size_t map_bytes, pieces;
    atomic_size_t taken;        /* of the pieces */
    size_t most;                /* bytes of an operation */
    uint64_t top;
};

/* ---- while tiles run ------------------------------------------------------------------------------------------- */

static struct warp *warp_at(struct hd_tapper *t, unsigned sm, unsigned slot)
{
    return &t->warp[(size_t)sm * t->c->warps + slot];
}

static struct piece *new_piece(struct hd_tapper *t, struct sm *sm)
{
    struct piece *p = sm->free;
    bool heap = false;

    if (p) {
        sm->free = p->next;
        heap = p->heap;
    } else {
        size_t i = t->pieces;
        if (atomic_load_explicit(&t->taken, memory_order_relaxed) < t->pieces)
            i = atomic_fetch_add(&t->taken, 1);
        heap = i >= t->pieces; /* a window in which all warps ended, and more */
        p = heap ? malloc(PIECE) : (struct piece *)(void *)(t->memory + i * PIECE);
        if (!p)
            return NULL;
    }
    p->next = p->chunk = NULL;
    p->bytes = 0;
    p->heap = heap;
    return p;
}

/* Hands the warp's chunk over. */
static void hand_over(struct sm *sm, struct warp *w)
{
    struct piece *p = w->first;

    if (!p)
        return;
    w->last->bytes = (uint32_t)(w->to - w->last->data);
    p->kernel = w->kernel;
    p->block = w->block;
    p->part = w->part++;
    p->ops = w->ops;
    p->warp = w->in_block;
    p->all = w->bytes + w->last->bytes;
    if (sm->chunks)
        sm->last_chunk->chunk = p;
    else
        sm->chunks = p;
    sm->last_chunk = p;
    w->to = w->end = NULL;
    w->first = w->last = NULL;
    w->ops = w->bytes = 0;
    memset(&w->state, 0, sizeof w->state);
}

/* Gives the warp another piece. @return false when there is none. */
static bool more_room(struct hd_tapper *t, struct sm *sm, struct warp *w)
{
    if (w->last) {
        w->last->bytes = (uint32_t)(w->to - w->last->data);
        w->bytes += w->last->bytes;
        if (w->bytes + PIECE > HD_CHUNK_BYTES) {
            w->bytes -= w->last->bytes;
            hand_over(sm, w);
        }
    }
    struct piece *p = new_piece(t, sm);
    if (!p) {
        sm->failed = true;
        return false;
    }
    if (w->last)
        w->last->next = p;
    else
        w->first = p;
    w->last = p;
    w->to = p->data;
    w->end = (uint8_t *)p + PIECE - t->most;
    return true;
}

/* Is there room for an operation at w->to? */
static inline bool has_room(struct hd_tapper *t, struct sm *sm, struct warp *w)
{
    return w->to < w->end || (!sm->failed && more_room(t, sm, w));
}

static void put(struct hd_tapper *t, struct sm *sm, struct warp *w)
{
    if (!has_room(t, sm, w))
        return;
    w->to += hd_trace_put(&w->state, &sm->op, w->to);
    w->ops++;
}

static void on_begin(void *ctx, unsigned sm, unsigned slot, size_t grid, unsigned block, unsigned in_block)
{
    struct warp *w = warp_at(ctx, sm, slot);

    w->kernel = (uint32_t)grid + 1;
    w->block = block;
    w->in_block = in_block;
    w->part = w->ops = 0;
    w->sync_addr = UINT32_MAX;
    memset(&w->state, 0, sizeof w->state);
}

static void on_memory(void *ctx, unsigned sm_id, unsigned slot, uint32_t alu, hd_mask_t mask, const struct hd_memory_op *m)
{
    struct hd_tapper *t = ctx;
    struct sm *sm = &t->sm[sm_id];
    struct warp *w = warp_at(t, sm_id, slot);
    struct hd_trace_op *op = &sm->op;
    bool good = has_room(t, sm, w);

    op->kind = (uint8_t)m->kind;
    op->fn = (uint8_t)m->fn;
    op->space = (uint8_t)m->space;
    op->order = (uint8_t)m->order;
    op->scope = (uint8_t)m->scope;
    op->plain = m->plain;
    op->alu = alu;
    op->mask = mask;
    if (mask != 0 && !m->plain && m->kind != HD_OP_STORE && m->kind != HD_OP_COPY) {
        uint32_t addr = m->addr[__builtin_ctzll(mask)];
        sm->spins += addr == w->sync_addr;
        w->sync_addr = addr;
    }
    if (!good)
        return;
    w->to += hd_trace_put_memory(&w->state, op, m->addr, m->data, m->cmp, w->to);
    w->ops++;
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
    put(t, &t->sm[sm_id], warp_at(t, sm_id, slot));
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
    put(t, &t->sm[sm_id], warp_at(t, sm_id, slot));
}

static void on_sleep(void *ctx, unsigned sm_id, unsigned slot, uint32_t alu, uint64_t cycles)
{
    struct hd_tapper *t = ctx;
    struct hd_trace_op *op = &t->sm[sm_id].op;

    op->kind = HD_TRACE_SLEEP;
    op->alu = alu;
    op->cycles = cycles;
    put(t, &t->sm[sm_id], warp_at(t, sm_id, slot));
}

static void on_end(void *ctx, unsigned sm_id, unsigned slot, uint32_t alu)
{
    struct hd_tapper *t = ctx;

    if (alu != 0)
        on_control(t, sm_id, slot, alu, HD_OP_NOP, 0, HD_ORD_RELAXED, HD_SCOPE_WI);
    hand_over(&t->sm[sm_id], warp_at(t, sm_id, slot));
}

/* ---- between windows ------------------------------------------------------------------------------------------- */

/* Writes the chunk that begins with *p; its pieces are free. */
static bool write_chunk(struct hd_tapper *t, struct sm *sm, struct piece *p)
{
    if (p->part > UINT16_MAX)
        return hd_diag_error(t->diag, "a warp with more than 65535 chunks of operations cannot be recorded");
    uint8_t *to = hd_hdt_room(t->file, p->kernel, p->block, p->warp, p->part, p->ops, p->all);
    if (!to)
        return false;
    for (struct piece *next; p; p = next) {
        next = p->next;
        memcpy(to, p->data, p->bytes);
        to += p->bytes;
        p->next = sm->free;
        sm->free = p;
    }
    return true;
}

bool hd_tapper_window(struct hd_tapper *t)
{
    for (unsigned i = 0; i < t->c->sms; i++) {
        struct sm *sm = &t->sm[i];
        if (sm->failed)
            return hd_diag_error(t->diag, "no memory to record");
        for (struct piece *c = sm->chunks, *next; c; c = next) {
            next = c->chunk;
            if (!write_chunk(t, sm, c))
                return false;
        }
        sm->chunks = NULL;
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

/* Pieces for @slots warps. They are used from the first on, in pages as large as there are. */
static bool map_memory(struct hd_tapper *t, size_t slots)
{
    t->most = hd_trace_most(t->c->lanes);
    t->pieces = 2 * slots * (HD_CHUNK_BYTES / PIECE + 1);
    t->map_bytes = t->pieces * PIECE + HUGE;
    t->map = mmap(NULL, t->map_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (t->map == MAP_FAILED) {
        t->map = NULL;
        return false;
    }
    t->memory = t->map + (HUGE - (uintptr_t)t->map % HUGE) % HUGE;
    madvise(t->memory, t->pieces * PIECE, MADV_HUGEPAGE); /* where this is refused, small ones do */
    return true;
}

static bool begin(struct hd_tapper *t, const char *path, const struct hd_simt *s, const struct hd_work *k, const char *origin)
{
    size_t slots = (size_t)t->c->sms * t->c->warps;
    const struct hd_array *a;

    t->sm = calloc(t->c->sms, sizeof *t->sm);
    t->warp = aligned_alloc(_Alignof(struct warp), slots * sizeof *t->warp);
    char *head = make_head(t, s, origin);
    bool good = t->sm && t->warp && head && map_memory(t, slots);
    if (good)
        memset(t->warp, 0, slots * sizeof *t->warp);
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

static void free_heap(struct piece *p)
{
    for (struct piece *next; p; p = next) {
        next = p->next;
        if (p->heap)
            free(p);
    }
}

void hd_tapper_free(struct hd_tapper *t)
{
    if (!t)
        return;
    hd_hdt_abort(t->file);
    for (unsigned i = 0; t->sm && i < t->c->sms; i++)
        free_heap(t->sm[i].free); /* of a run that failed others may be left */
    if (t->map)
        munmap(t->map, t->map_bytes);
    free(t->sm);
    free(t->warp);
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
