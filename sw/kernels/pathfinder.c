/* pathfinder.c - pathfinder of Rodinia: the cheapest way down through a grid of costs, row by row. A block of 256
 * threads keeps a row of path costs in the LDS and goes `height` rows down in one grid; at each side it loses one
 * column a row, so it stores 256 - 2 height columns. */
#include "work.h"
#include <stdlib.h>

enum { BLOCK = 256, MAX_GRIDS = 64 };

struct args;

struct grid {
    const struct args *g;
    uint32_t row, height;             /* first row of wall it adds, number of them */
    const struct hd_array *from, *to;
};

struct args {
    uint32_t rows, cols;
    const struct hd_array *wall;
    struct grid grid[MAX_GRIDS + 1];  /* ended by .g = NULL */
};

static hd_tok lds_load(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr)
{
    return hd_lds_ld(w, mask, addr, HD_ORD_RELAXED, HD_SCOPE_WG);
}

static void lds_store(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr, const uint32_t *value)
{
    hd_lds_st(w, mask, addr, value, HD_ORD_RELAXED, HD_SCOPE_WG);
}

static inline int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static void pathfinder(struct hd_warp *w, void *args)
{
    const struct grid *grid = args;
    const struct args *g = grid->g;
    const unsigned lanes = hd_lanes(w);
    uint32_t x[HD_MAX_LANES], addr[HD_MAX_LANES], here[HD_MAX_LANES], left[HD_MAX_LANES], right[HD_MAX_LANES];
    uint32_t next[HD_MAX_LANES], cost[HD_MAX_LANES] = {0};
    hd_mask_t valid = 0, mask = 0;
    for (unsigned l = 0; l < lanes; l++) {
        uint32_t t = hd_thread(w, l);
        x[l] = hd_block(w) * (BLOCK - 2 * grid->height) + t - grid->height; /* wraps around left of the grid */
        valid |= (hd_mask_t)(x[l] < g->cols) << l;
        here[l] = 4 * t;
        next[l] = 4 * (BLOCK + t);
        left[l] = x[l] == 0 ? 4 * t : 4 * (t - 1);
        right[l] = x[l] == g->cols - 1 ? 4 * t : 4 * (t + 1);
        addr[l] = hd_at(grid->from, x[l]);
    }
    valid &= hd_mask(w);
    lds_store(w, valid, here, hd_use(w, hd_ld(w, valid, addr)));
    hd_bar(w);
    for (uint32_t i = 0; i < grid->height; i++) {
        mask = 0;
        for (unsigned l = 0; l < lanes; l++) {
            uint32_t t = hd_thread(w, l);
            mask |= (hd_mask_t)(t >= i + 1 && t < BLOCK - i - 1) << l;
            addr[l] = hd_at(g->wall, (grid->row + i) * g->cols + x[l]);
        }
        mask &= valid;
        hd_tok tl = lds_load(w, mask, left), th = lds_load(w, mask, here), tr = lds_load(w, mask, right);
        hd_tok tw = hd_ld(w, mask, addr);
        const uint32_t *a = hd_use(w, tl), *b = hd_use(w, th), *c = hd_use(w, tr), *wall = hd_use(w, tw);
        for (unsigned l = 0; l < lanes; l++)
            if (mask >> l & 1)
                cost[l] = wall[l] + (uint32_t)least(least((int32_t)a[l], (int32_t)b[l]), (int32_t)c[l]);
        hd_alu(w, 8);
        lds_store(w, mask, next, cost);
        hd_bar(w);
        if (i + 1 == grid->height)
            break;
        lds_store(w, mask, here, hd_use(w, lds_load(w, mask, next)));
        hd_bar(w);
    }
    for (unsigned l = 0; l < lanes; l++)
        addr[l] = hd_at(grid->to, x[l]);
    hd_st(w, mask, addr, cost);
}

static const char *prepare(struct hd_work *k)
{
    struct args *g = hd_work_args(k, sizeof *g);
    uint32_t height = hd_work_param(k, "height");
    g->rows = hd_work_param(k, "rows");
    g->cols = hd_work_param(k, "cols");
    if ((g->rows - 2) / height >= MAX_GRIDS)
        return "rows: (rows - 1) / height is more than 64 grids";
    struct hd_array *wall = hd_work_array(k, "wall", (uint64_t)g->rows * g->cols), *path[2];
    path[0] = hd_work_array(k, "path0", g->cols);
    path[1] = hd_work_array(k, "path1", g->cols);
    for (uint32_t i = 0; i < wall->words; i++)
        wall->host[i] = hd_work_random_below(k, 10);
    for (uint32_t j = 0; wall->words && j < path[0]->words; j++)
        path[0]->host[j] = wall->host[j];
    g->wall = wall;
    struct grid *grid = g->grid;
    for (uint32_t row = 1; row < g->rows; row += height, grid++) {
        uint32_t n = (uint32_t)(grid - g->grid);
        uint32_t rest = g->rows - row;
        *grid = (struct grid){.g = g, .row = row, .height = rest < height ? rest : height, .from = path[n % 2],
                              .to = path[1 - n % 2]};
        uint32_t out = BLOCK - 2 * grid->height;
        hd_work_launch(k, &(struct hd_launch){.fn = pathfinder, .args = grid, .grid_x = (g->cols + out - 1) / out,
                                              .grid_y = 1, .block_x = BLOCK, .block_y = 1,
                                              .lds_bytes = 4 * 2 * BLOCK});
    }
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    uint32_t n = g->cols, *row = malloc(n * sizeof *row), *before = malloc(n * sizeof *before);
    if (!row || !before)
        hd_work_fail(k, "no memory for the check");
    for (const struct grid *grid = g->grid; row && before && grid->g; grid++) {
        memcpy(row, grid->from->host, n * sizeof *row);
        for (uint32_t i = grid->row; i < grid->row + grid->height; i++) {
            memcpy(before, row, n * sizeof *row);
            for (uint32_t j = 0; j < n; j++) {
                uint32_t best = before[j];
                if (j > 0 && before[j - 1] < best)
                    best = before[j - 1];
                if (j + 1 < n && before[j + 1] < best)
                    best = before[j + 1];
                row[j] = g->wall->host[i * n + j] + best;
            }
        }
        memcpy(grid->to->host, row, n * sizeof *row);
    }
    free(row);
    free(before);
}

static const struct hd_param params[] = {
    {"cols", 4096, 1, 1u << 20, "columns"},
    {"rows", 10, 2, 1024, "rows"},
    {"height", 20, 1, 100, "rows a grid goes down at most"},
    {0},
};

static const struct hd_full full[] = {{"cols", 16384}, {0}};

const struct hd_workload hd_work_pathfinder = {
    .name = "pathfinder",
    .doc = "cheapest path through a grid row by row, path costs in the LDS (Rodinia, paper 1)",
    .params = params,
    .full = full,
    .prepare = prepare,
    .reference = reference,
};
