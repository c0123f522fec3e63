/* streamcluster.c - the gain kernel of Rodinia's streamcluster: what each point would gain if point x opened a centre.
 * Coordinates lie dimension by dimension, so a warp reads a row of each, and every warp of the grid reads the same
 * word of x. A point that gains is marked to switch and adds to the sum of x in its own row of `lower`, one that
 * does not adds to the sum of its present centre there. Points are structures of 32 bytes; marks are words. */
#include "work.h"

enum { POINT_WORDS = 8, WEIGHT = 0, COST = 1, ASSIGN = 2 };

struct args {
    uint32_t points, pitch, dims, centres, x;
    const struct hd_array *coord, *point, *table, *lower, *moves;
};

static inline float square(float sum, float a, float b)
{
    float d = a - b;
    d = d * d;
    return sum + d;
}

/* Loads field @field of the lanes' points. */
static hd_tok field(struct hd_warp *w, hd_mask_t mask, const struct args *g, const uint32_t *t, uint32_t field)
{
    uint32_t addr[HD_MAX_LANES];
    for (unsigned l = 0; l < hd_lanes(w); l++)
        addr[l] = hd_at(g->point, t[l] * POINT_WORDS + field);
    return hd_ld(w, mask, addr);
}

/* Adds @gain to column @column of the lanes' rows of `lower`. */
static void add(struct hd_warp *w, hd_mask_t mask, const struct args *g, const uint32_t *t, const uint32_t *column,
                const float *gain)
{
    uint32_t addr[HD_MAX_LANES];
    float sum[HD_MAX_LANES] = {0};
    for (unsigned l = 0; l < hd_lanes(w); l++)
        addr[l] = hd_at(g->lower, t[l] * (g->centres + 1) + column[l]);
    const float *old = hd_use_f(w, hd_ld(w, mask, addr));
    for (unsigned l = 0; l < hd_lanes(w); l++)
        sum[l] = old[l] + gain[l];
    hd_alu(w, 2);
    hd_st_f(w, mask, addr, sum);
}

static void gain(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    const unsigned lanes = hd_lanes(w);
    uint32_t t[HD_MAX_LANES], addr[HD_MAX_LANES], column[HD_MAX_LANES];
    hd_mask_t mask = 0, cheaper = 0;
    float cost[HD_MAX_LANES] = {0};
    for (unsigned l = 0; l < lanes; l++) {
        t[l] = hd_global_thread(w, l);
        mask |= (hd_mask_t)(t[l] < g->points) << l;
    }
    mask &= hd_mask(w);
    if (mask == 0)
        return;
    for (uint32_t d = 0; d < g->dims; d++) {
        for (unsigned l = 0; l < lanes; l++)
            addr[l] = hd_at(g->coord, d * g->pitch + t[l]);
        hd_tok ta = hd_ld(w, mask, addr);
        hd_tok tb = hd_ld_all(w, mask, hd_at(g->coord, d * g->pitch + g->x));
        const float *a = hd_use_f(w, ta), *b = hd_use_f(w, tb);
        for (unsigned l = 0; l < lanes; l++)
            cost[l] = square(cost[l], a[l], b[l]);
        hd_alu(w, 6);
    }
    hd_tok tw = field(w, mask, g, t, WEIGHT), tc = field(w, mask, g, t, COST), ta = field(w, mask, g, t, ASSIGN);
    const float *weight = hd_use_f(w, tw), *current = hd_use_f(w, tc);
    const uint32_t *assign = hd_use(w, ta);
    for (unsigned l = 0; l < lanes; l++) {
        cost[l] = cost[l] * weight[l];
        cheaper |= (hd_mask_t)(cost[l] < current[l]) << l;
        cost[l] = cost[l] - current[l];
    }
    hd_alu(w, 6);
    cheaper &= mask;
    if (cheaper != 0) {
        uint32_t one[HD_MAX_LANES];
        for (unsigned l = 0; l < lanes; l++) {
            addr[l] = hd_at(g->moves, t[l]);
            one[l] = 1;
            column[l] = g->centres;
        }
        hd_st(w, cheaper, addr, one);
        add(w, cheaper, g, t, column, cost);
    }
    hd_mask_t stays = mask & ~cheaper;
    if (stays == 0)
        return;
    for (unsigned l = 0; l < lanes; l++) {
        addr[l] = hd_at(g->table, assign[l]);
        cost[l] = -cost[l];
    }
    memcpy(column, hd_use(w, hd_ld(w, stays, addr)), lanes * sizeof column[0]);
    add(w, stays, g, t, column, cost);
}

static const char *prepare(struct hd_work *k)
{
    struct args *g = hd_work_args(k, sizeof *g);
    uint32_t blocks = hd_work_param(k, "blocks"), threads = hd_work_param(k, "threads");
    g->points = blocks * threads;
    g->pitch = hd_work_param(k, "pitch");
    g->dims = hd_work_param(k, "dims");
    g->centres = hd_work_param(k, "centres");
    if (g->points > g->pitch)
        return "blocks * threads: more points than pitch";
    struct hd_array *coord = hd_work_array(k, "coord", (uint64_t)g->dims * g->pitch);
    struct hd_array *point = hd_work_array(k, "point", (uint64_t)g->points * POINT_WORDS);
    struct hd_array *table = hd_work_array(k, "table", g->points); /* used at the points that are centres */
    g->lower = hd_work_array(k, "lower", (uint64_t)g->points * (g->centres + 1));
    g->moves = hd_work_array(k, "switch", g->points);
    if (!coord->words || !point->words || !table->words)
        return NULL; /* no memory, which the caller reports */
    g->x = hd_work_random_below(k, g->points);
    hd_work_fill(k, coord, g->dims, g->points, g->pitch);
    uint32_t centre[64];
    for (uint32_t c = 0; c < g->centres; c++)
        table->host[centre[c] = hd_work_random_below(k, g->points)] = c;
    for (uint32_t t = 0; t < g->points; t++) {
        uint32_t *p = &point->host[t * POINT_WORDS], at = centre[hd_work_random_below(k, g->centres)];
        float cost = 0;
        for (uint32_t d = 0; d < g->dims; d++)
            cost = square(cost, hd_float(coord->host[d * g->pitch + t]), hd_float(coord->host[d * g->pitch + at]));
        p[WEIGHT] = hd_word(1.0f);
        p[COST] = hd_word(cost);
        p[ASSIGN] = at;
    }
    g->coord = coord;
    g->point = point;
    g->table = table;
    hd_work_launch(k, &(struct hd_launch){.fn = gain, .args = g, .grid_x = blocks, .grid_y = 1, .block_x = threads,
                                          .block_y = 1});
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    uint32_t moves = 0;
    for (uint32_t t = 0; t < g->points; t++) {
        const uint32_t *p = &g->point->host[t * POINT_WORDS];
        uint32_t *row = &g->lower->host[t * (g->centres + 1)];
        float cost = 0, current = hd_float(p[COST]);
        for (uint32_t d = 0; d < g->dims; d++)
            cost = square(cost, hd_float(g->coord->host[d * g->pitch + t]),
                          hd_float(g->coord->host[d * g->pitch + g->x]));
        cost = cost * hd_float(p[WEIGHT]);
        bool cheaper = cost < current;
        uint32_t *sum = &row[cheaper ? g->centres : g->table->host[p[ASSIGN]]];
        g->moves->host[t] = cheaper;
        moves += cheaper;
        *sum = hd_word(hd_float(*sum) + (cheaper ? cost - current : -(cost - current)));
    }
    hd_work_counter(k, "streamcluster.switches", moves);
}

static const struct hd_param params[] = {
    {"blocks", 12, 1, 2048, "blocks"},
    {"threads", 512, 32, 1024, "threads a block, a point each"},
    {"dims", 16, 1, 256, "dimensions"},
    {"centres", 10, 1, 64, "centres now"},
    {"pitch", 65536, 32, 65536, "words from one dimension to the next"},
    {0},
};

static const struct hd_full full[] = {{"blocks", 48}, {0}};

const struct hd_workload hd_work_streamcluster = {
    .name = "streamcluster",
    .doc = "what each point gains by a new centre; all warps read the same words (Rodinia, paper 1)",
    .params = params,
    .full = full,
    .prepare = prepare,
    .reference = reference,
};
