/* bfs.c - breadth-first search of Rodinia, a thread a node, two grids a level of the search. The first visits the
 * nodes of the frontier (mask) and marks their neighbours that were not visited before (updating, cost); the second
 * makes the marked nodes the next frontier. Threads that find the same neighbour store the same words, so the grids
 * need no atomics, and the end of a grid orders them. Flags are words. */
#include "work.h"
#include <stdlib.h>

struct args {
    uint32_t nodes;
    const struct hd_array *node, *edge, *mask, *updating, *visited, *cost, *over;
};

/* Loads of one word of @a a lane, at @index. */
static hd_tok gather(struct hd_warp *w, hd_mask_t mask, const struct hd_array *a, const uint32_t *index)
{
    uint32_t addr[HD_MAX_LANES];
    for (unsigned l = 0; l < hd_lanes(w); l++)
        addr[l] = hd_at(a, index[l]);
    return hd_ld(w, mask, addr);
}

static void scatter(struct hd_warp *w, hd_mask_t mask, const struct hd_array *a, const uint32_t *index,
                    const uint32_t *value)
{
    uint32_t addr[HD_MAX_LANES];
    for (unsigned l = 0; l < hd_lanes(w); l++)
        addr[l] = hd_at(a, index[l]);
    hd_st(w, mask, addr, value);
}

static const uint32_t zeros[HD_MAX_LANES] = {0};

/* @return the lanes of @mask where @word is not 0. */
static hd_mask_t nonzero(const struct hd_warp *w, hd_mask_t mask, const uint32_t *word)
{
    hd_mask_t set = 0;
    for (unsigned l = 0; l < hd_lanes(w); l++)
        set |= (hd_mask_t)(word[l] != 0) << l;
    return set & mask;
}

/* @return the lanes that have a node; @t is its number. */
static hd_mask_t threads(const struct hd_warp *w, const struct args *g, uint32_t *t)
{
    hd_mask_t mask = 0;
    for (unsigned l = 0; l < hd_lanes(w); l++) {
        t[l] = hd_global_thread(w, l);
        mask |= (hd_mask_t)(t[l] < g->nodes) << l;
    }
    return mask & hd_mask(w);
}

static void visit(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    const unsigned lanes = hd_lanes(w);
    uint32_t t[HD_MAX_LANES], one[HD_MAX_LANES], at[HD_MAX_LANES], cost[HD_MAX_LANES], end[HD_MAX_LANES];
    hd_mask_t mask = threads(w, g, t);
    if (mask == 0)
        return;
    mask = nonzero(w, mask, hd_use(w, gather(w, mask, g->mask, t)));
    hd_alu(w, 4);
    if (mask == 0)
        return;
    scatter(w, mask, g->mask, t, zeros);
    for (unsigned l = 0; l < lanes; l++) {
        one[l] = 1;
        at[l] = 2 * t[l];
    }
    hd_tok ts = gather(w, mask, g->node, at);
    for (unsigned l = 0; l < lanes; l++)
        at[l]++;
    hd_tok tn = gather(w, mask, g->node, at);
    const uint32_t *start = hd_use(w, ts), *count = hd_use(w, tn);
    for (unsigned l = 0; l < lanes; l++) {
        at[l] = start[l];
        end[l] = start[l] + count[l];
    }
    for (;;) {
        hd_mask_t going = 0;
        for (unsigned l = 0; l < lanes; l++)
            going |= (hd_mask_t)(at[l] < end[l]) << l;
        going &= mask;
        hd_alu(w, 4);
        if (going == 0)
            break;
        const uint32_t *id = hd_use(w, gather(w, going, g->edge, at));
        const uint32_t *seen = hd_use(w, gather(w, going, g->visited, id));
        hd_mask_t fresh = going & ~nonzero(w, going, seen);
        if (fresh != 0) {
            const uint32_t *mine = hd_use(w, gather(w, fresh, g->cost, t));
            for (unsigned l = 0; l < lanes; l++)
                cost[l] = mine[l] + 1;
            scatter(w, fresh, g->cost, id, cost);
            scatter(w, fresh, g->updating, id, one);
        }
        for (unsigned l = 0; l < lanes; l++)
            at[l]++;
    }
}

static void advance(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    uint32_t t[HD_MAX_LANES], one[HD_MAX_LANES];
    hd_mask_t mask = threads(w, g, t);
    if (mask == 0)
        return;
    for (unsigned l = 0; l < hd_lanes(w); l++)
        one[l] = 1;
    mask = nonzero(w, mask, hd_use(w, gather(w, mask, g->updating, t)));
    hd_alu(w, 4);
    scatter(w, mask, g->mask, t, one);
    scatter(w, mask, g->visited, t, one);
    scatter(w, mask, g->over, zeros, one);
    scatter(w, mask, g->updating, t, zeros);
}

/* Distances from node 0, by a queue; nodes it cannot reach keep UINT32_MAX. @return the number of levels, 0 when there
 * is no memory. */
static uint32_t search(const struct args *g, uint32_t *cost)
{
    uint32_t *queue = malloc(g->nodes * sizeof *queue), head = 0, tail = 0, levels = 0;
    if (!queue)
        return 0;
    for (uint32_t n = 0; n < g->nodes; n++)
        cost[n] = UINT32_MAX;
    cost[0] = 0;
    for (queue[tail++] = 0; head < tail; head++) {
        uint32_t n = queue[head], first = g->node->host[2 * n], count = g->node->host[2 * n + 1];
        levels = cost[n] + 1;
        for (uint32_t e = first; e < first + count; e++)
            if (cost[g->edge->host[e]] == UINT32_MAX) {
                cost[g->edge->host[e]] = cost[n] + 1;
                queue[tail++] = g->edge->host[e];
            }
    }
    free(queue);
    return levels;
}

static const char *prepare(struct hd_work *k)
{
    struct args *g = hd_work_args(k, sizeof *g);
    uint32_t degree = hd_work_param(k, "degree"), threads = hd_work_param(k, "threads"), edges = 0;
    g->nodes = hd_work_param(k, "nodes");
    struct hd_array *node = hd_work_array(k, "node", 2 * (uint64_t)g->nodes);
    for (uint32_t n = 0; n < g->nodes && node->words; n++) {
        node->host[2 * n] = edges;
        node->host[2 * n + 1] = 1 + hd_work_random_below(k, 2 * degree - 1);
        edges += node->host[2 * n + 1];
    }
    struct hd_array *edge = hd_work_array(k, "edge", edges);
    for (uint32_t e = 0; e < edge->words; e++)
        edge->host[e] = hd_work_random_below(k, g->nodes);
    struct hd_array *mask = hd_work_array(k, "mask", g->nodes), *visited = hd_work_array(k, "visited", g->nodes);
    struct hd_array *cost = hd_work_array(k, "cost", g->nodes);
    g->updating = hd_work_array(k, "updating", g->nodes);
    g->over = hd_work_array(k, "over", 1);
    if (!node->words || !edge->words || !cost->words)
        return NULL; /* no memory, which the caller reports */
    g->node = node;
    g->edge = edge;
    g->mask = mask;
    g->visited = visited;
    g->cost = cost;
    uint32_t levels = search(g, cost->host);
    if (levels == 0)
        return "no memory";
    for (uint32_t n = 0; n < g->nodes; n++)
        cost->host[n] = UINT32_MAX;
    cost->host[0] = 0;
    mask->host[0] = 1;
    visited->host[0] = 1;
    hd_work_counter(k, "bfs.levels", levels);
    struct hd_launch l = {.args = g, .grid_x = (g->nodes + threads - 1) / threads, .grid_y = 1, .block_x = threads,
                          .block_y = 1};
    for (uint32_t i = 0; i < levels; i++) {
        l.fn = visit;
        hd_work_launch(k, &l);
        l.fn = advance;
        hd_work_launch(k, &l);
    }
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    uint32_t levels = search(g, g->cost->host);
    if (levels == 0)
        hd_work_fail(k, "no memory for the check");
    for (uint32_t n = 0; n < g->nodes; n++)
        g->visited->host[n] = g->cost->host[n] != UINT32_MAX;
    g->mask->host[0] = 0;
    g->over->host[0] = levels > 1;
}

static const struct hd_param params[] = {
    {"nodes", 4096, 1, 1u << 20, "nodes of a random graph; the search starts at node 0"},
    {"degree", 6, 1, 64, "edges of a node, on average"},
    {"threads", 512, 32, 1024, "threads a block"},
    {0},
};

static const struct hd_full full[] = {{"nodes", 16384}, {0}};

const struct hd_workload hd_work_bfs = {
    .name = "bfs",
    .doc = "breadth-first search of a random graph, two grids a level (Rodinia, paper 1)",
    .params = params,
    .full = full,
    .prepare = prepare,
    .reference = reference,
};
