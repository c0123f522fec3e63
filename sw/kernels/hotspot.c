/* hotspot.c - hotspot of Rodinia: temperature of a chip under its power, two time steps a grid. A block of 16 x 16
 * threads loads its tile with a rim into the LDS, and computes the inner 14 x 14 points, then of these the inner
 * 12 x 12, which it stores: neighbours compute the rim twice instead of talking to each other. */
#include "work.h"
#include <stdlib.h>

enum { TILE = 16, STEPS = 2, INNER = TILE - 2 * STEPS, CELLS = TILE * TILE };

struct args;

struct grid {
    const struct args *g;
    const struct hd_array *from, *to;
};

struct args {
    uint32_t rows, cols;
    const struct hd_array *power;
    struct grid grid[64];
};

static inline float heat(float t, float up, float down, float left, float right, float power)
{
    float y = down + up, x = right + left, z = 80.0f - t;
    y = y - 2.0f * t;
    x = x - 2.0f * t;
    y = y * 0.125f;
    x = x * 0.0625f;
    z = z * 0.03125f;
    power = power + y;
    power = power + x;
    power = power + z;
    return t + 0.25f * power;
}

/* A thread's place: in the tile, and on the chip when @on_chip. */
struct place {
    uint32_t x[HD_MAX_LANES], y[HD_MAX_LANES], row[HD_MAX_LANES], col[HD_MAX_LANES];
    hd_mask_t on_chip;
};

static void places(const struct hd_warp *w, const struct args *g, struct place *p)
{
    p->on_chip = 0;
    for (unsigned l = 0; l < hd_lanes(w); l++) {
        uint32_t t = hd_thread(w, l);
        p->x[l] = t % TILE;
        p->y[l] = t / TILE;
        p->col[l] = hd_block_x(w) * INNER + p->x[l] - STEPS; /* wraps around left of and above the chip */
        p->row[l] = hd_block_y(w) * INNER + p->y[l] - STEPS;
        p->on_chip |= (hd_mask_t)(p->col[l] < g->cols && p->row[l] < g->rows) << l;
    }
    p->on_chip &= hd_mask(w);
}

/* @return the lanes on the chip whose place is at least @rim from the edge of the tile. */
static hd_mask_t inside(const struct hd_warp *w, const struct place *p, uint32_t rim)
{
    hd_mask_t mask = 0;
    for (unsigned l = 0; l < hd_lanes(w); l++)
        mask |= (hd_mask_t)(p->x[l] >= rim && p->x[l] < TILE - rim && p->y[l] >= rim && p->y[l] < TILE - rim) << l;
    return mask & p->on_chip;
}

static hd_tok lds_load(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr)
{
    return hd_lds_ld(w, mask, addr, HD_ORD_RELAXED, HD_SCOPE_WG);
}

/* New temperatures of the lanes in @mask; behind the chip's edge it is as warm as on it. */
static void compute(struct hd_warp *w, const struct args *g, const struct place *p, hd_mask_t mask, uint32_t *next)
{
    uint32_t at[5][HD_MAX_LANES], power[HD_MAX_LANES];
    for (unsigned l = 0; l < hd_lanes(w); l++) {
        uint32_t here = 4 * (p->y[l] * TILE + p->x[l]);
        at[0][l] = here;
        at[1][l] = p->row[l] == 0 ? here : here - 4 * TILE;
        at[2][l] = p->row[l] == g->rows - 1 ? here : here + 4 * TILE;
        at[3][l] = p->col[l] == 0 ? here : here - 4;
        at[4][l] = p->col[l] == g->cols - 1 ? here : here + 4;
        power[l] = here + 4 * CELLS;
    }
    hd_tok token[6];
    for (int n = 0; n < 5; n++)
        token[n] = lds_load(w, mask, at[n]);
    token[5] = lds_load(w, mask, power);
    const float *v[6];
    for (int n = 0; n < 6; n++)
        v[n] = hd_use_f(w, token[n]);
    hd_alu(w, 30);
    for (unsigned l = 0; l < hd_lanes(w); l++)
        if (mask >> l & 1)
            next[l] = hd_word(heat(v[0][l], v[1][l], v[2][l], v[3][l], v[4][l], v[5][l]));
}

static void hotspot(struct hd_warp *w, void *args)
{
    const struct grid *grid = args;
    const struct args *g = grid->g;
    struct place p;
    uint32_t addr[HD_MAX_LANES], lds[HD_MAX_LANES], next[HD_MAX_LANES] = {0};
    places(w, g, &p);
    for (unsigned l = 0; l < hd_lanes(w); l++) {
        addr[l] = hd_at(grid->from, p.row[l] * g->cols + p.col[l]);
        lds[l] = 4 * hd_thread(w, l);
    }
    hd_tok tt = hd_ld(w, p.on_chip, addr);
    for (unsigned l = 0; l < hd_lanes(w); l++)
        addr[l] = hd_at(g->power, p.row[l] * g->cols + p.col[l]);
    hd_tok tp = hd_ld(w, p.on_chip, addr);
    hd_lds_st(w, p.on_chip, lds, hd_use(w, tt), HD_ORD_RELAXED, HD_SCOPE_WG);
    for (unsigned l = 0; l < hd_lanes(w); l++)
        lds[l] += 4 * CELLS;
    hd_lds_st(w, p.on_chip, lds, hd_use(w, tp), HD_ORD_RELAXED, HD_SCOPE_WG);
    for (unsigned l = 0; l < hd_lanes(w); l++)
        lds[l] -= 4 * CELLS;
    hd_bar(w);
    for (uint32_t step = 1; step < STEPS; step++) {
        hd_mask_t mask = inside(w, &p, step);
        compute(w, g, &p, mask, next);
        hd_bar(w); /* all have read */
        hd_lds_st(w, mask, lds, next, HD_ORD_RELAXED, HD_SCOPE_WG);
        hd_bar(w);
    }
    hd_mask_t mask = inside(w, &p, STEPS);
    compute(w, g, &p, mask, next);
    for (unsigned l = 0; l < hd_lanes(w); l++)
        addr[l] = hd_at(grid->to, p.row[l] * g->cols + p.col[l]);
    hd_st(w, mask, addr, next);
}

static const char *prepare(struct hd_work *k)
{
    struct args *g = hd_work_args(k, sizeof *g);
    uint32_t block_rows = hd_work_param(k, "block_rows"), grids = hd_work_param(k, "grids");
    g->cols = hd_work_param(k, "cols");
    g->rows = block_rows * INNER;
    struct hd_array *power = hd_work_array(k, "power", (uint64_t)g->rows * g->cols), *temp[2];
    temp[0] = hd_work_array(k, "temperature", (uint64_t)g->rows * g->cols);
    temp[1] = hd_work_array(k, "next", (uint64_t)g->rows * g->cols);
    hd_work_fill(k, power, g->rows, g->cols, g->cols);
    hd_work_fill(k, temp[0], g->rows, g->cols, g->cols);
    g->power = power;
    for (uint32_t n = 0; n < grids; n++) {
        g->grid[n] = (struct grid){.g = g, .from = temp[n % 2], .to = temp[1 - n % 2]};
        hd_work_launch(k, &(struct hd_launch){.fn = hotspot, .args = &g->grid[n],
                                              .grid_x = (g->cols + INNER - 1) / INNER, .grid_y = block_rows,
                                              .block_x = TILE, .block_y = TILE, .lds_bytes = 4 * 2 * CELLS});
    }
    return NULL;
}

/* One time step of point @i, @j. */
static uint32_t point(const struct args *g, const uint32_t *t, uint32_t i, uint32_t j)
{
    uint32_t n = g->cols;
    return hd_word(heat(hd_float(t[i * n + j]), hd_float(t[(i > 0 ? i - 1 : 0) * n + j]),
                        hd_float(t[(i + 1 < g->rows ? i + 1 : i) * n + j]), hd_float(t[i * n + (j > 0 ? j - 1 : 0)]),
                        hd_float(t[i * n + (j + 1 < n ? j + 1 : j)]), hd_float(g->power->host[i * n + j])));
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    uint32_t *middle = calloc(g->power->words, sizeof *middle);
    if (!middle) {
        hd_work_fail(k, "no memory for the check");
        return;
    }
    for (const struct grid *grid = g->grid; grid->g; grid++) {
        for (uint32_t x = 0; x < g->power->words; x++)
            middle[x] = point(g, grid->from->host, x / g->cols, x % g->cols);
        for (uint32_t x = 0; x < g->power->words; x++)
            grid->to->host[x] = point(g, middle, x / g->cols, x % g->cols);
    }
    free(middle);
}

static const struct hd_param params[] = {
    {"cols", 512, 32, 4096, "row length"},
    {"block_rows", 6, 1, 256, "blocks of 12 rows"},
    {"grids", 1, 1, 63, "grids of two time steps, one after the other"},
    {0},
};

static const struct hd_full full[] = {{"block_rows", 24}, {0}};

const struct hd_workload hd_work_hotspot = {
    .name = "hotspot",
    .doc = "temperature of a chip, tiles with rims in the LDS (Rodinia, paper 1)",
    .params = params,
    .full = full,
    .prepare = prepare,
    .reference = reference,
};
