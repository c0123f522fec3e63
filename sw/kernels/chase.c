/* chase.c - dependent loads: every warp walks its own ring of pointers with one lane and measures the way.
 * A ring that fits the L1 gives the hit latency; one that fits only the L2, after a pass that warms it, the L2
 * latency; a cold one (warm = 0, hops = length) the memory latency. */
#include "work.h"

struct args {
    uint32_t warps, length, stride, warm, hops;
    const struct hd_array *ring, *last;
    uint32_t time[]; /* cycles of the measured hops, a warp */
};

static void chase(struct hd_warp *w, void *args)
{
    struct args *g = args;
    uint32_t id = hd_block(w) * g->warps + hd_warp_in_block(w);
    uint32_t at = g->ring->addr + id * g->length * g->stride;
    for (uint32_t i = 0; i < g->warm * g->length; i++)
        at = hd_use(w, hd_ld_all(w, 1, at))[0];
    uint32_t start = hd_clock(w);
    for (uint32_t i = 0; i < g->hops; i++) {
        at = hd_use(w, hd_ld_all(w, 1, at))[0];
        hd_advance(w);
    }
    g->time[id] = hd_clock(w) - start;
    hd_st_row(w, 1, g->last->addr + 4 * id, &at);
}

static const char *prepare(struct hd_work *k)
{
    const struct hd_config *c = hd_work_config(k);
    uint32_t blocks = hd_work_param(k, "blocks"), warps = hd_work_param(k, "warps");
    if (blocks == 0)
        blocks = c->sms;
    struct args *g = hd_work_args(k, sizeof *g + (size_t)blocks * warps * sizeof g->time[0]);
    g->warps = warps;
    g->length = hd_work_param(k, "length");
    g->stride = hd_work_param(k, "stride");
    g->warm = hd_work_param(k, "warm");
    g->hops = hd_work_param(k, "hops");
    if (g->stride % 4)
        return "stride: must be a multiple of 4";
    if (g->hops == 0)
        g->hops = g->length;
    struct hd_array *ring = hd_work_array(k, "ring", (uint64_t)blocks * warps * g->length * (g->stride / 4));
    g->ring = ring;
    g->last = hd_work_array(k, "last", (uint64_t)blocks * warps);
    for (uint32_t id = 0; id < blocks * warps && ring->words; id++)
        for (uint32_t i = 0; i < g->length; i++) {
            uint32_t from = (id * g->length + i) * g->stride;
            uint32_t to = (id * g->length + (i + 1) % g->length) * g->stride;
            ring->host[from / 4] = ring->addr + to;
        }
    hd_work_launch(k, &(struct hd_launch){.fn = chase, .args = g, .grid_x = blocks, .grid_y = 1,
                                          .block_x = warps * c->lanes, .block_y = 1});
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    uint64_t sum = 0, hops = 0;
    for (uint32_t id = 0; id < g->last->words; id++) {
        uint32_t steps = (g->warm * g->length + g->hops) % g->length;
        g->last->host[id] = g->ring->addr + (id * g->length + steps) * g->stride;
        sum += g->time[id];
        hops += g->hops;
    }
    hd_work_counter(k, "chase.hops", hops);
    hd_work_counter(k, "chase.cycles", sum);
    hd_work_counter(k, "chase.cycles_per_hop", (sum + hops / 2) / hops);
}

static const struct hd_param params[] = {
    {"blocks", 0, 0, 256, "blocks; 0 = one an SM"},
    {"warps", 1, 1, 64, "warps a block"},
    {"length", 64, 1, 65536, "pointers in a warp's ring"},
    {"stride", 128, 4, 65536, "bytes from one to the next, a multiple of 4"},
    {"warm", 0, 0, 16, "passes before the measured hops"},
    {"hops", 0, 0, 1u << 20, "measured hops; 0 = one pass"},
    {0},
};

const struct hd_workload hd_work_chase = {
    .name = "chase",
    .doc = "dependent loads around a ring; reports the load-to-use latency",
    .params = params,
    .prepare = prepare,
    .reference = reference,
};
