/* nw.c - Needleman-Wunsch of Rodinia: the best score of aligning two sequences, a table in which a cell needs those left,
 * above and between. A grid is a diagonal of tiles; a block is a row of threads, which walks its tile in the LDS diagonal
 * by diagonal. */
#include "work.h"

enum { MAX_TILE = 16, MAX_GRIDS = 256, PENALTY = 10 };

struct args;
struct grid {
    const struct args *g;
    uint32_t x, y;            /* the tile of block 0; those of the others are left of and below it */
};
struct args {
    uint32_t n, tile, pitch;
    const struct hd_array *table, *score;
    struct grid grid[MAX_GRIDS];
};

static int32_t best(int32_t between, int32_t score, int32_t left, int32_t above)
{
    int32_t b = between + score;
    b = left - PENALTY > b ? left - PENALTY : b;
    return above - PENALTY > b ? above - PENALTY : b;
}

/* In the LDS: tile x tile scores, then (tile + 1) x (tile + 1) of the table. */
static uint32_t score(const struct args *g, uint32_t row, uint32_t col)
{
    return 4 * (row * g->tile + col);
}
static uint32_t cell(const struct args *g, uint32_t row, uint32_t col)
{
    return 4 * (g->tile * g->tile + row * (g->tile + 1) + col);
}

static hd_tok lds(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr)
{
    return hd_lds_ld(w, mask, addr, HD_ORD_RELAXED, HD_SCOPE_WG);
}

/* The words of @mask from memory into the LDS. */
static void take(struct hd_warp *w, hd_mask_t mask, const uint32_t *from, const uint32_t *to)
{
    if (mask & hd_mask(w))
        hd_lds_st(w, mask, to, hd_use(w, hd_ld(w, mask, from)), HD_ORD_RELAXED, HD_SCOPE_WG);
}

/* Cells of the tile's diagonal @d, row + column = d. */
static void walk(struct hd_warp *w, const struct args *g, uint32_t d)
{
    uint32_t at[4][HD_MAX_LANES], own[HD_MAX_LANES], value[HD_MAX_LANES] = {0};
    hd_mask_t mask = 0;
    for (uint32_t l = 0; l < hd_lanes(w); l++) {
        uint32_t col = hd_thread(w, l), row = d - col;
        mask |= col < g->tile && row < g->tile ? hd_lane(l) : 0;
        at[0][l] = cell(g, row, col);
        at[1][l] = score(g, row, col);
        at[2][l] = cell(g, row + 1, col);
        at[3][l] = cell(g, row, col + 1);
        own[l] = cell(g, row + 1, col + 1);
    }
    mask &= hd_mask(w);
    if (mask) {
        hd_tok token[4];
        const uint32_t *got[4];
        for (int i = 0; i < 4; i++)
            token[i] = lds(w, mask, at[i]);
        for (int i = 0; i < 4; i++)
            got[i] = hd_use(w, token[i]);
        for (uint32_t l = 0; l < hd_lanes(w); l++)
            if (mask & hd_lane(l))
                value[l] = (uint32_t)best((int32_t)got[0][l], (int32_t)got[1][l], (int32_t)got[2][l], (int32_t)got[3][l]);
        hd_alu(w, 8);
        hd_lds_st(w, mask, own, value, HD_ORD_RELAXED, HD_SCOPE_WG);
    }
    hd_bar(w);
}

static void nw(struct hd_warp *w, void *args)
{
    const struct grid *s = args;
    const struct args *g = s->g;
    uint32_t row0 = (s->y + hd_block(w)) * g->tile, col0 = (s->x - hd_block(w)) * g->tile;
    uint32_t t[HD_MAX_LANES], from[HD_MAX_LANES], to[HD_MAX_LANES], lanes = hd_lanes(w);
    hd_mask_t corner = 0;
    for (uint32_t l = 0; l < lanes; l++) {
        t[l] = hd_thread(w, l);
        corner |= t[l] == 0 ? hd_lane(l) : 0;
        from[l] = hd_at(g->table, row0 * g->pitch + col0);
        to[l] = cell(g, 0, 0);
    }
    take(w, corner, from, to);
    for (uint32_t i = 0; i < g->tile; i++) {
        for (uint32_t l = 0; l < lanes; l++) {
            from[l] = hd_at(g->score, (row0 + 1 + i) * g->pitch + col0 + 1 + t[l]);
            to[l] = score(g, i, t[l]);
        }
        take(w, HD_ALL_LANES, from, to);
    }
    hd_bar(w);
    for (uint32_t l = 0; l < lanes; l++) {
        from[l] = hd_at(g->table, (row0 + 1 + t[l]) * g->pitch + col0);
        to[l] = cell(g, t[l] + 1, 0);
    }
    take(w, HD_ALL_LANES, from, to);
    hd_bar(w);
    for (uint32_t l = 0; l < lanes; l++) {
        from[l] = hd_at(g->table, row0 * g->pitch + col0 + 1 + t[l]);
        to[l] = cell(g, 0, t[l] + 1);
    }
    take(w, HD_ALL_LANES, from, to);
    hd_bar(w);
    for (uint32_t d = 0; d + 1 < 2 * g->tile; d++)
        walk(w, g, d);
    for (uint32_t i = 0; i < g->tile; i++) {
        for (uint32_t l = 0; l < lanes; l++) {
            from[l] = cell(g, i + 1, t[l] + 1);
            to[l] = hd_at(g->table, (row0 + 1 + i) * g->pitch + col0 + 1 + t[l]);
        }
        hd_st(w, HD_ALL_LANES, to, hd_use(w, lds(w, HD_ALL_LANES, from)));
    }
}

static const char *prepare(struct hd_work *k)
{
    struct args *g = hd_work_args(k, sizeof *g);
    g->n = hd_work_param(k, "n");
    g->tile = hd_work_param(k, "tile");
    g->pitch = g->n + 1;
    uint32_t tiles = g->n / g->tile, grids = 2 * tiles - 1;
    if (g->n % g->tile || grids > MAX_GRIDS)
        return "n: must be a multiple of tile, at most 128 of them";
    struct hd_array *table = hd_work_array(k, "table", (uint64_t)g->pitch * g->pitch);
    struct hd_array *scores = hd_work_array(k, "scores", (uint64_t)g->pitch * g->pitch);
    for (uint32_t i = 0; i < scores->words; i++)
        scores->host[i] = hd_work_random_below(k, 16) - 4;
    for (uint32_t i = 0; i < g->pitch && table->words; i++)
        table->host[i] = table->host[i * g->pitch] = 0 - i * PENALTY;
    g->table = table;
    g->score = scores;
    for (uint32_t i = 0; i < grids; i++) {
        uint32_t x = i < tiles ? i : tiles - 1, y = i - x;
        g->grid[i] = (struct grid){.g = g, .x = x, .y = y};
        hd_work_launch(k, &(struct hd_launch){.fn = nw, .args = &g->grid[i], .grid_x = x - y + 1, .grid_y = 1,
                                              .block_x = g->tile, .block_y = 1,
                                              .lds_bytes = cell(g, g->tile + 1, 0)});
    }
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    int32_t *m = (int32_t *)g->table->host;
    for (uint32_t r = 1; r <= g->n; r++)
        for (uint32_t c = 1; c <= g->n; c++) {
            uint32_t i = r * g->pitch + c;
            m[i] = best(m[i - g->pitch - 1], (int32_t)g->score->host[i], m[i - 1], m[i - g->pitch]);
        }
}

static const struct hd_param params[] = {{"n", 64, 1, 2048, "length of both sequences, a multiple of tile"},
                                         {"tile", 16, 1, MAX_TILE, "rows and columns of a tile"}, {0}};
static const struct hd_full full[] = {{"n", 512}, {NULL, 0}};
const struct hd_workload hd_work_nw = {
    .name = "nw", .doc = "paper 3, NW: two sequences aligned, diagonals of tiles", .params = params, .full = full,
    .prepare = prepare, .reference = reference,
};
