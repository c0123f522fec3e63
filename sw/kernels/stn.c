/* stn.c - STN: a 5-point stencil over a square in which the blocks stay on their SMs for all time steps and meet in a
 * barrier of the whole grid between them: an atomic counter that one warp of each block adds to and then polls. Fences
 * order what a block stored before it adds with what the others load once they have seen the sum. Every block reads
 * rows that others wrote a step ago. */
#include "work.h"
#include <stdio.h>

struct args {
    uint32_t side, steps, blocks;
    const struct hd_array *cells[2], *arrived;
    char refused[200];
};

static inline float stencil(float here, float up, float down, float left, float right)
{
    float sum = up + down;
    sum = sum + left;
    sum = sum + right;
    sum = 0.125f * sum;
    return 0.5f * here + sum;
}

/* Barrier number @round, from 1, of all blocks. */
static void grid_barrier(struct hd_warp *w, const struct args *g, uint32_t round)
{
    static const uint32_t one[HD_MAX_LANES] = {1};
    hd_fence(w, HD_ORD_RELEASE, HD_SCOPE_DEVICE);
    hd_bar(w);
    if (hd_warp_in_block(w) == 0) {
        hd_atom_o(w, HD_AT_ADD, 1, &g->arrived->addr, one, HD_ORD_RELEASE, HD_SCOPE_DEVICE);
        unsigned pause = 4; /* costs no issue slots: under GTO older pollers would take them all */
        while (hd_use(w, hd_ld_o(w, 1, &g->arrived->addr, HD_ORD_ACQUIRE, HD_SCOPE_DEVICE))[0] < round * g->blocks) {
            hd_sleep(w, hd_now(w) + pause);
            pause = pause < 64 ? 2 * pause : pause;
        }
        hd_fence(w, HD_ORD_ACQUIRE, HD_SCOPE_DEVICE);
    }
    hd_bar(w);
}

static hd_tok load(struct hd_warp *w, hd_mask_t mask, const struct hd_array *from, const uint32_t *cell, uint32_t plus)
{
    uint32_t addr[HD_MAX_LANES];
    for (unsigned l = 0; l < hd_lanes(w); l++)
        addr[l] = hd_at(from, cell[l] + plus);
    return hd_ld(w, mask, addr);
}

/* The lanes' cells, from @first on. The rim of the square keeps its values. */
static void update(struct hd_warp *w, const struct args *g, uint32_t first, const struct hd_array *from,
                   const struct hd_array *to)
{
    uint32_t n = g->side, cell[HD_MAX_LANES], addr[HD_MAX_LANES];
    hd_mask_t mask = 0;
    float next[HD_MAX_LANES] = {0};
    for (unsigned l = 0; l < hd_lanes(w); l++) {
        cell[l] = first + hd_global_thread(w, l);
        uint32_t row = cell[l] / n, col = cell[l] % n;
        mask |= (hd_mask_t)(row > 0 && row + 1 < n && col > 0 && col + 1 < n) << l;
        addr[l] = hd_at(to, cell[l]);
    }
    mask &= hd_mask(w);
    if (mask == 0)
        return;
    hd_tok th = load(w, mask, from, cell, 0), tu = load(w, mask, from, cell, 0u - n);
    hd_tok td = load(w, mask, from, cell, n), tl = load(w, mask, from, cell, 0u - 1), tr = load(w, mask, from, cell, 1);
    const float *h = hd_use_f(w, th), *u = hd_use_f(w, tu), *d = hd_use_f(w, td), *l = hd_use_f(w, tl);
    const float *r = hd_use_f(w, tr);
    for (unsigned i = 0; i < hd_lanes(w); i++)
        next[i] = stencil(h[i], u[i], d[i], l[i], r[i]);
    hd_alu(w, 6);
    hd_st_f(w, mask, addr, next);
}

static void stn(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    uint32_t threads = hd_grid_dim_x(w) * hd_block_dim_x(w);
    for (uint32_t step = 0; step < g->steps; step++) {
        if (step > 0)
            grid_barrier(w, g, step);
        for (uint32_t first = 0; first < g->side * g->side; first += threads)
            update(w, g, first, g->cells[step % 2], g->cells[1 - step % 2]);
    }
}

static const char *prepare(struct hd_work *k)
{
    const struct hd_config *c = hd_work_config(k);
    struct args *g = hd_work_args(k, sizeof *g);
    uint32_t threads = hd_work_param(k, "threads"), resident = hd_work_param(k, "resident");
    g->side = hd_work_param(k, "side");
    g->steps = hd_work_param(k, "steps");
    g->blocks = hd_work_param(k, "blocks");
    uint32_t fit = c->warps / ((threads + c->lanes - 1) / c->lanes);
    fit = fit < c->blocks ? fit : c->blocks;
    fit = resident && resident < fit ? resident : fit;
    if (g->blocks > fit * c->sms) {
        snprintf(g->refused, sizeof g->refused, "blocks = %u: all must be on the SMs at once, which hold %u "
                 "(sms = %u, %u blocks each)", g->blocks, fit * c->sms, c->sms, fit);
        return g->refused;
    }
    struct hd_array *cells[2] = {hd_work_array(k, "even", (uint64_t)g->side * g->side),
                                 hd_work_array(k, "odd", (uint64_t)g->side * g->side)};
    g->arrived = hd_work_array(k, "arrived", 1);
    hd_work_fill(k, cells[0], g->side, g->side, g->side);
    for (uint32_t i = 0; cells[1]->words && i < cells[0]->words; i++)
        cells[1]->host[i] = cells[0]->host[i]; /* for the rim */
    g->cells[0] = cells[0];
    g->cells[1] = cells[1];
    hd_work_launch(k, &(struct hd_launch){.fn = stn, .args = g, .grid_x = g->blocks, .grid_y = 1, .block_x = threads,
                                          .block_y = 1});
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    uint32_t n = g->side;
    for (uint32_t step = 0; step < g->steps; step++) {
        const uint32_t *from = g->cells[step % 2]->host;
        uint32_t *to = g->cells[1 - step % 2]->host;
        for (uint32_t i = 1; i + 1 < n; i++)
            for (uint32_t j = 1; j + 1 < n; j++) {
                const uint32_t *c = &from[i * n + j];
                to[i * n + j] = hd_word(stencil(hd_float(*c), hd_float(*(c - n)), hd_float(c[n]), hd_float(c[-1]),
                                                hd_float(c[1])));
            }
    }
    g->arrived->host[0] = (g->steps - 1) * g->blocks;
}

static const struct hd_param params[] = {
    {"blocks", 24, 1, 256, "blocks, all on the SMs at once"},
    {"threads", 64, 1, 1024, "threads a block"},
    {"side", 128, 3, 2048, "rows and columns"},
    {"steps", 4, 1, 4096, "time steps"},
    {0},
};

static const struct hd_full full[] = {{"blocks", 96}, {0}};

const struct hd_workload hd_work_stn = {
    .name = "stn",
    .doc = "stencil with a barrier of all blocks between time steps (STN, inter-block set of paper 1)",
    .params = params,
    .full = full,
    .prepare = prepare,
    .reference = reference,
};
