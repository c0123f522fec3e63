/* latency.c - see latency.h. */
#include "latency.h"
#include "hd_pkg.h"
#include <stdlib.h>
#include <string.h>

/* Of one SM: SMs may be run by several threads. */
struct port {
    bool load[HD_MAX_WARPS];                    /* the operation in its buffer is one */
    uint64_t taken[HD_MAX_WARPS][HD_MAX_SLOTS]; /* HD_NEVER: no load */
    struct hd_latency_level level[HD_LATENCY_LEVELS];
};

struct hd_latency {
    const struct hd_client *inner;
    unsigned sms;
    uint64_t from[HD_LATENCY_LEVELS];
    struct port port[];
};

/* The least cycles over the network and back: what any configuration's links take, without those from router to router. */
static uint64_t way(const struct hd_config *c)
{
    return c->memory == HD_MEMORY_FIXED ? c->fixed_latency
                                        : (uint64_t)c->lat_sm_xbar + c->lat_xbar_l2 + c->lat_l2_xbar + c->lat_xbar_sm;
}

/* ... in memory: what the faster one of two kinds takes. */
static uint64_t memory(const struct hd_config *c)
{
    return c->nv_base > 0 && c->nv_read < c->dram_latency ? c->nv_read : c->dram_latency;
}

struct hd_latency *hd_latency_new(const struct hd_config *c)
{
    struct hd_latency *l = calloc(1, sizeof *l + c->sms * sizeof l->port[0]);
    if (!l)
        return NULL;
    l->sms = c->sms;
    l->from[1] = way(c);
    l->from[2] = way(c) + (c->memory == HD_MEMORY_FIXED ? 0 : memory(c));
    for (unsigned i = 0; i < c->sms; i++)
        memset(l->port[i].taken, 0xff, sizeof l->port[i].taken);
    return l;
}

void hd_latency_free(struct hd_latency *l)
{
    free(l);
}

static uint64_t wake(void *ctx, unsigned sm, uint64_t now)
{
    const struct hd_client *in = ((struct hd_latency *)ctx)->inner;
    return in->wake(in->ctx, sm, now);
}

static const struct hd_op *offer(void *ctx, unsigned sm, uint64_t cycle)
{
    struct hd_latency *l = ctx;
    const struct hd_op *op = l->inner->offer(l->inner->ctx, sm, cycle);
    if (op && op->kind != HD_OP_LAUNCH && op->kind != HD_OP_FLUSH)
        l->port[sm].load[op->warp % HD_MAX_WARPS] = op->kind == HD_OP_LOAD && op->space == HD_SPACE_GLOBAL;
    return op;
}

static void taken(void *ctx, unsigned sm, uint64_t cycle, unsigned warp, unsigned slot)
{
    struct hd_latency *l = ctx;
    if (warp < HD_MAX_WARPS && slot < HD_MAX_SLOTS && l->port[sm].load[warp])
        l->port[sm].taken[warp][slot] = cycle;
    l->inner->taken(l->inner->ctx, sm, cycle, warp, slot);
}

static void count(struct hd_latency *l, struct port *p, uint64_t cycles)
{
    unsigned level = 0, bucket = cycles ? 63 - (unsigned)__builtin_clzll(cycles) : 0;
    while (level + 1 < HD_LATENCY_LEVELS && cycles >= l->from[level + 1])
        level++;
    struct hd_latency_level *to = &p->level[level];
    to->loads++;
    to->cycles += cycles;
    to->most = cycles > to->most ? cycles : to->most;
    to->bucket[bucket < HD_LATENCY_BUCKETS ? bucket : HD_LATENCY_BUCKETS - 1]++;
}

static void complete(void *ctx, unsigned sm, uint64_t cycle, unsigned warp, unsigned slot, bool last, hd_mask_t mask,
                     const uint32_t *data, const uint32_t *ghost)
{
    struct hd_latency *l = ctx;
    struct port *p = &l->port[sm];
    if (last && warp < HD_MAX_WARPS && slot < HD_MAX_SLOTS && p->taken[warp][slot] != HD_NEVER) {
        count(l, p, cycle - p->taken[warp][slot]);
        p->taken[warp][slot] = HD_NEVER;
    }
    l->inner->complete(l->inner->ctx, sm, cycle, warp, slot, last, mask, data, ghost);
}

static void status(void *ctx, unsigned sm, unsigned warp, unsigned state, hd_mask_t tcm)
{
    const struct hd_client *in = ((struct hd_latency *)ctx)->inner;
    in->status(in->ctx, sm, warp, state, tcm);
}

static void ctl_done(void *ctx, unsigned sm, uint64_t cycle, uint64_t warps, uint32_t clock)
{
    const struct hd_client *in = ((struct hd_latency *)ctx)->inner;
    in->ctl_done(in->ctx, sm, cycle, warps, clock);
}

static void flush_done(void *ctx, unsigned sm, uint64_t cycle)
{
    const struct hd_client *in = ((struct hd_latency *)ctx)->inner;
    in->flush_done(in->ctx, sm, cycle);
}

static bool window(void *ctx, uint64_t next)
{
    const struct hd_client *in = ((struct hd_latency *)ctx)->inner;
    return in->window(in->ctx, next);
}

static uint64_t kernel(void *ctx)
{
    const struct hd_client *in = ((struct hd_latency *)ctx)->inner;
    return in->kernel(in->ctx);
}

void hd_latency_client(struct hd_latency *l, const struct hd_client *inner, struct hd_client *outer)
{
    l->inner = inner;
    *outer = *inner;
    outer->ctx = l;
    outer->wake = wake;
    outer->offer = offer;
    outer->taken = taken;
    outer->complete = complete;
    outer->ctl_done = ctl_done;
    outer->flush_done = flush_done;
    outer->window = window;
    if (inner->status)
        outer->status = status;
    if (inner->kernel)
        outer->kernel = kernel;
}

void hd_latency_reset(struct hd_latency *l)
{
    for (unsigned i = 0; i < l->sms; i++)
        memset(l->port[i].level, 0, sizeof l->port[i].level);
}

void hd_latency_get(const struct hd_latency *l, struct hd_latency_level level[HD_LATENCY_LEVELS])
{
    static const char *const names[HD_LATENCY_LEVELS] = {"sm", "l2", "memory"};
    for (unsigned n = 0; n < HD_LATENCY_LEVELS; n++) {
        level[n] = (struct hd_latency_level){.name = names[n], .from = l->from[n]};
        for (unsigned i = 0; i < l->sms; i++) {
            const struct hd_latency_level *of = &l->port[i].level[n];
            level[n].loads += of->loads;
            level[n].cycles += of->cycles;
            level[n].most = of->most > level[n].most ? of->most : level[n].most;
            for (unsigned b = 0; b < HD_LATENCY_BUCKETS; b++)
                level[n].bucket[b] += of->bucket[b];
        }
    }
}
