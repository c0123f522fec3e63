/* dispatch.c - see dispatch.h. */
#include "dispatch.h"
#include <stdlib.h>

enum { NONE = UINT32_MAX };

/* Blocks of an SM, first come first. */
struct queue {
    uint32_t head, tail;
};

struct hd_dispatch {
    unsigned sms, latency;
    hd_dispatch_start *start;
    void *ctx;
    const struct hd_grid *grids;
    size_t count, now;          /* grids, the one that runs */
    unsigned next, running;     /* of that grid: next block to start, blocks started and neither ended nor parked */
    unsigned parked, drains;    /* blocks parked; SMs that are being drained */
    bool persist;               /* a block has come to a persist barrier */
    unsigned barriers;
    struct queue *at_barrier, *back; /* [sms] parked; to go on */
    uint32_t *behind, room;     /* [room] the block behind this one in its queue */
    uint64_t ended, all;
};

struct hd_dispatch *hd_dispatch_new(unsigned sms, unsigned latency, hd_dispatch_start *start, void *ctx)
{
    struct hd_dispatch *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->sms = sms;
    d->latency = latency;
    d->start = start;
    d->ctx = ctx;
    d->at_barrier = malloc(sms * sizeof *d->at_barrier);
    d->back = malloc(sms * sizeof *d->back);
    if (!d->at_barrier || !d->back) {
        hd_dispatch_free(d);
        return NULL;
    }
    for (unsigned i = 0; i < sms; i++)
        d->at_barrier[i] = d->back[i] = (struct queue){NONE, NONE};
    return d;
}

void hd_dispatch_free(struct hd_dispatch *d)
{
    if (!d)
        return;
    free(d->at_barrier);
    free(d->back);
    free(d->behind);
    free(d);
}

bool hd_dispatch_reserve(struct hd_dispatch *d, unsigned blocks)
{
    if (blocks <= d->room)
        return true;
    uint32_t *more = realloc(d->behind, blocks * sizeof *more);
    if (!more)
        return false;
    d->behind = more;
    d->room = blocks;
    return true;
}

static void put(struct hd_dispatch *d, struct queue *q, uint32_t block)
{
    d->behind[block] = NONE;
    if (q->head == NONE)
        q->head = block;
    else
        d->behind[q->tail] = block;
    q->tail = block;
}

/* Starts the next block in a slot of @sm that is free, if there is one for it. */
static bool fill(struct hd_dispatch *d, unsigned sm, uint64_t cycle, unsigned slot, bool exchanged)
{
    const struct hd_grid *g = &d->grids[d->now];
    struct hd_order o = {.sm = sm, .slot = slot, .grid = d->now, .cycle = cycle + d->latency};
    if (d->back[sm].head != NONE) {
        o.what = HD_ORDER_BACK;
        o.block = d->back[sm].head;
        d->back[sm].head = d->behind[o.block];
        o.cycle += g->exchange;
    } else if (d->next < g->blocks) {
        o.block = d->next++;
        o.cycle += exchanged ? g->exchange : 0;
    } else
        return false;
    d->running++;
    d->start(d->ctx, &o);
    return true;
}

static void wave(struct hd_dispatch *d, uint64_t cycle)
{
    for (unsigned slot = 0; slot < d->grids[d->now].resident; slot++)
        for (unsigned sm = 0; sm < d->sms; sm++)
            fill(d, sm, cycle, slot, false);
}

static void first_wave(struct hd_dispatch *d, uint64_t cycle)
{
    d->next = 0;
    wave(d, cycle);
}

/* The barrier of the grid is complete. */
static void go_on(struct hd_dispatch *d, uint64_t cycle)
{
    for (unsigned i = 0; i < d->sms; i++) {
        d->back[i] = d->at_barrier[i];
        d->at_barrier[i] = (struct queue){NONE, NONE};
    }
    d->parked = 0;
    d->persist = false;
    d->barriers++;
    wave(d, cycle);
}

/* A block has left its slot, and no other takes it. */
static void nobody_there(struct hd_dispatch *d, uint64_t cycle)
{
    if (d->running > 0)
        return;
    if (d->parked == 0) {
        if (++d->now < d->count)
            first_wave(d, cycle);
        return;
    }
    if (!d->persist) {
        go_on(d, cycle);
        return;
    }
    d->drains = d->sms;
    for (unsigned i = 0; i < d->sms; i++)
        d->start(d->ctx, &(struct hd_order){.what = HD_ORDER_DRAIN, .sm = i, .grid = d->now, .cycle = cycle + d->latency});
}

void hd_dispatch_begin(struct hd_dispatch *d, const struct hd_grid *grids, size_t n, uint64_t cycle)
{
    d->grids = grids;
    d->count = n;
    d->now = 0;
    d->ended = 0;
    d->all = 0;
    for (size_t i = 0; i < n; i++)
        d->all += grids[i].blocks;
    if (n > 0)
        first_wave(d, cycle);
}

void hd_dispatch_ended(struct hd_dispatch *d, unsigned sm, uint64_t cycle, unsigned slot)
{
    d->running--;
    d->ended++;
    if (!fill(d, sm, cycle + d->latency, slot, false))
        nobody_there(d, cycle + d->latency);
}

void hd_dispatch_parked(struct hd_dispatch *d, unsigned sm, uint64_t cycle, unsigned slot, unsigned block, bool persist)
{
    d->running--;
    d->parked++;
    d->persist |= persist;
    put(d, &d->at_barrier[sm], block);
    if (!fill(d, sm, cycle + d->latency, slot, true))
        nobody_there(d, cycle + d->latency);
}

void hd_dispatch_drained(struct hd_dispatch *d, unsigned sm, uint64_t cycle)
{
    (void)sm;
    if (--d->drains == 0)
        go_on(d, cycle + d->latency);
}

unsigned hd_dispatch_barriers(const struct hd_dispatch *d)
{
    return d->barriers;
}

bool hd_dispatch_done(const struct hd_dispatch *d)
{
    return d->now == d->count;
}

void hd_dispatch_progress(const struct hd_dispatch *d, uint64_t *ended, uint64_t *all)
{
    *ended = d->ended;
    *all = d->all;
}
