/* profile.c - see profile.h. */
#include "profile.h"
#include <time.h>

uint64_t hd_profile_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

const char *hd_section_name(enum hd_section s)
{
    static const char *const name[HD_SECTIONS] = {
#define HD_PROFILE_NAME(name, text) text,
        HD_PROFILE_SECTIONS(HD_PROFILE_NAME)
#undef HD_PROFILE_NAME
    };
    return name[s];
}

/* ---- the client in between ---------------------------------------------------------------------------------- */

#define INNER(call)                                                       \
    struct hd_profile *p = ctx;                                           \
    enum hd_section before = hd_profile_enter(p, HD_SECTION_WARPS);       \
    const struct hd_client *c = p->inner;                                 \
    call;                                                                 \
    hd_profile_enter(p, before)

static uint64_t wake(void *ctx, unsigned sm, uint64_t now)
{
    INNER(uint64_t cycle = c->wake(c->ctx, sm, now));
    return cycle;
}

static const struct hd_op *offer(void *ctx, unsigned sm, uint64_t cycle)
{
    INNER(const struct hd_op *op = c->offer(c->ctx, sm, cycle));
    return op;
}

static void taken(void *ctx, unsigned sm, uint64_t cycle, unsigned warp, unsigned slot)
{
    INNER(c->taken(c->ctx, sm, cycle, warp, slot));
}

static void complete(void *ctx, unsigned sm, uint64_t cycle, unsigned warp, unsigned slot, bool last, hd_mask_t mask,
                     const uint32_t *data, const uint32_t *ghost)
{
    INNER(c->complete(c->ctx, sm, cycle, warp, slot, last, mask, data, ghost));
}

static void status(void *ctx, unsigned sm, unsigned warp, unsigned what, hd_mask_t tcm)
{
    INNER(c->status(c->ctx, sm, warp, what, tcm));
}

static void ctl_done(void *ctx, unsigned sm, uint64_t cycle, uint64_t warps, uint32_t clock)
{
    INNER(c->ctl_done(c->ctx, sm, cycle, warps, clock));
}

static void flush_done(void *ctx, unsigned sm, uint64_t cycle)
{
    INNER(c->flush_done(c->ctx, sm, cycle));
}

static bool window(void *ctx, uint64_t next)
{
    INNER(bool more = c->window(c->ctx, next));
    return more;
}

static uint64_t kernel(void *ctx)
{
    INNER(uint64_t cycle = c->kernel(c->ctx));
    return cycle;
}

void hd_profile_client(struct hd_profile *p, const struct hd_client *inner, struct hd_client *outer)
{
    p->inner = inner;
    *outer = (struct hd_client){.ctx = p,
                                .wake = wake,
                                .offer = offer,
                                .taken = taken,
                                .complete = complete,
                                .ctl_done = ctl_done,
                                .flush_done = flush_done,
                                .window = window,
                                .status = inner->status != NULL ? status : NULL,
                                .kernel = inner->kernel != NULL ? kernel : NULL};
}
