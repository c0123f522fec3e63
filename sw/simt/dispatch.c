/* dispatch.c - see dispatch.h. */
#include "dispatch.h"
#include <stdlib.h>

struct hd_dispatch {
    unsigned sms, latency;
    hd_dispatch_start *start;
    void *ctx;
    const struct hd_grid *grids;
    size_t count, now;          /* grids, the one that runs */
    unsigned next, running;     /* of that grid: next block to start, blocks started and not ended */
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
    return d;
}

void hd_dispatch_free(struct hd_dispatch *d)
{
    free(d);
}

static void send(struct hd_dispatch *d, unsigned sm, uint64_t cycle, unsigned slot)
{
    d->start(d->ctx, sm, cycle + d->latency, slot, d->now, d->next);
    d->next++;
    d->running++;
}

static void first_wave(struct hd_dispatch *d, uint64_t cycle)
{
    const struct hd_grid *g = &d->grids[d->now];
    d->next = 0;
    d->running = 0;
    for (unsigned slot = 0; slot < g->resident; slot++)
        for (unsigned sm = 0; sm < d->sms && d->next < g->blocks; sm++)
            send(d, sm, cycle, slot);
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
    if (d->next < d->grids[d->now].blocks)
        send(d, sm, cycle + d->latency, slot);
    else if (d->running == 0 && ++d->now < d->count)
        first_wave(d, cycle + d->latency);
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
