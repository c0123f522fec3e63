/* lud.c - LUD of Rodinia: a matrix is split in place into a lower and an upper triangle. A step of tiles is three grids:
 * the tile on the diagonal (a block of one row of threads), the tiles below and right of it (a pair a block: half of the
 * threads each), all others (a thread a word). Tiles are worked on in the LDS. */
#include "work.h"

enum { MAX_STEPS = 64, MAX_TILE = 16 };

struct args;
struct step {
    const struct args *g;
    uint32_t first;           /* row and column of the tile on the diagonal */
};
struct args {
    uint32_t n, tile;
    const struct hd_array *m;
    struct step step[MAX_STEPS];
};

/* Word (row, col) of the nth tile in the LDS. */
static uint32_t word(const struct args *g, uint32_t nth, uint32_t row, uint32_t col)
{
    return 4 * ((nth * g->tile + row) * g->tile + col);
}

static void get(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr, float *to)
{
    memcpy(to, hd_use_f(w, hd_lds_ld(w, mask, addr, HD_ORD_RELAXED, HD_SCOPE_WG)), hd_lanes(w) * sizeof *to);
}

static void put(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr, const float *value)
{
    uint32_t words[HD_MAX_LANES];
    for (unsigned l = 0; l < hd_lanes(w); l++)
        words[l] = mask & hd_lane(l) ? hd_word(value[l]) : 0;
    hd_lds_st(w, mask, addr, words, HD_ORD_RELAXED, HD_SCOPE_WG);
}

/* In each lane of @mask: v(row, col) -= sum of left(row, j) * up(j, col) for j below @n, one after the other, where left,
 * up and v are words of the given tiles; over >= 0: then divided by the word (over, over) of tile up. */
struct update {
    uint32_t left, up, v, n;
    int over;
};
static void update(struct hd_warp *w, const struct args *g, hd_mask_t mask, const struct update *u, const uint32_t *row,
                   const uint32_t *col)
{
    uint32_t own[HD_MAX_LANES], at[2][HD_MAX_LANES], lanes = hd_lanes(w);
    float v[HD_MAX_LANES] = {0}, a[HD_MAX_LANES] = {0}, b[HD_MAX_LANES] = {0};
    mask &= hd_mask(w);
    if (!mask)
        return;
    for (uint32_t l = 0; l < lanes; l++)
        own[l] = word(g, u->v, row[l], col[l]);
    get(w, mask, own, v);
    for (uint32_t j = 0; j < u->n; j++) {
        for (uint32_t l = 0; l < lanes; l++) {
            at[0][l] = word(g, u->left, row[l], j);
            at[1][l] = word(g, u->up, j, col[l]);
        }
        get(w, mask, at[0], a);
        get(w, mask, at[1], b);
        for (uint32_t l = 0; l < lanes; l++)
            v[l] -= mask & hd_lane(l) ? a[l] * b[l] : 0;
        hd_alu(w, 2);
    }
    for (uint32_t l = 0; u->over >= 0 && l < lanes; l++)
        at[0][l] = word(g, u->up, (uint32_t)u->over, (uint32_t)u->over);
    if (u->over >= 0) {
        get(w, mask, at[0], a);
        for (uint32_t l = 0; l < lanes; l++)
            v[l] = mask & hd_lane(l) ? v[l] / a[l] : 0;
        hd_alu(w, 8);
    }
    put(w, mask, own, v);
}

/* Rows @from to below @to of the tile at (row0, col0) into the nth of the LDS or back: a lane is column col[l]. */
static void copy(struct hd_warp *w, const struct args *g, hd_mask_t mask, const uint32_t *row0, const uint32_t *col0,
                 const uint32_t *nth, const uint32_t *col, uint32_t from, uint32_t to, bool back)
{
    uint32_t at[HD_MAX_LANES], slot[HD_MAX_LANES];
    for (uint32_t i = from; i < to && (mask & hd_mask(w)); i++) {
        for (uint32_t l = 0; l < hd_lanes(w); l++) {
            at[l] = hd_at(g->m, (row0[l] + i) * g->n + col0[l] + col[l]);
            slot[l] = word(g, nth[l], i, col[l]);
        }
        if (back)
            hd_st(w, mask, at, hd_use(w, hd_lds_ld(w, mask, slot, HD_ORD_RELAXED, HD_SCOPE_WG)));
        else
            hd_lds_st(w, mask, slot, hd_use(w, hd_ld(w, mask, at)), HD_ORD_RELAXED, HD_SCOPE_WG);
    }
}

static void diagonal(struct hd_warp *w, void *args)
{
    const struct step *s = args;
    const struct args *g = s->g;
    uint32_t t[HD_MAX_LANES], first[HD_MAX_LANES], zero[HD_MAX_LANES] = {0}, at[HD_MAX_LANES];
    for (uint32_t l = 0; l < hd_lanes(w); l++) {
        t[l] = hd_thread(w, l);
        first[l] = s->first;
    }
    copy(w, g, HD_ALL_LANES, first, first, zero, t, 0, g->tile, false);
    hd_bar(w);
    for (uint32_t i = 0; i + 1 < g->tile; i++) { /* column i below the diagonal, then row i + 1 from it on */
        hd_mask_t below = 0;
        for (uint32_t l = 0; l < hd_lanes(w); l++)
            below |= t[l] > i ? hd_lane(l) : 0;
        for (uint32_t l = 0; l < hd_lanes(w); l++)
            at[l] = i;
        update(w, g, below, &(struct update){0, 0, 0, i, (int)i}, t, at);
        hd_bar(w);
        for (uint32_t l = 0; l < hd_lanes(w); l++)
            at[l] = i + 1;
        update(w, g, below, &(struct update){0, 0, 0, i + 1, -1}, at, t);
        hd_bar(w);
    }
    copy(w, g, HD_ALL_LANES, first, first, zero, t, 1, g->tile, true);
}

static void perimeter(struct hd_warp *w, void *args)
{
    const struct step *s = args;
    const struct args *g = s->g;
    uint32_t lanes = hd_lanes(w), half = g->tile / 2, far = s->first + (hd_block(w) + 1) * g->tile;
    uint32_t t[HD_MAX_LANES], row0[HD_MAX_LANES], col0[HD_MAX_LANES], nth[HD_MAX_LANES];
    uint32_t first[HD_MAX_LANES], zero[HD_MAX_LANES] = {0}, at[HD_MAX_LANES];
    hd_mask_t right = 0;
    for (uint32_t l = 0; l < lanes; l++) { /* the first half: the tile to the right, 1 of the LDS; the second: that below, 2 */
        bool is_right = hd_thread(w, l) < g->tile;
        right |= is_right ? hd_lane(l) : 0;
        t[l] = hd_thread(w, l) % g->tile;
        row0[l] = is_right ? s->first : far;
        col0[l] = is_right ? far : s->first;
        nth[l] = is_right ? 1 : 2;
        first[l] = s->first;
    }
    copy(w, g, right, first, first, zero, t, 0, half, false);
    copy(w, g, ~right, first, first, zero, t, half, g->tile, false);
    copy(w, g, HD_ALL_LANES, row0, col0, nth, t, 0, g->tile, false);
    hd_bar(w);
    for (uint32_t i = 0; i < g->tile; i++) {
        for (uint32_t l = 0; l < lanes; l++)
            at[l] = i;
        if (i > 0)
            update(w, g, right, &(struct update){0, 1, 1, i, -1}, at, t);
        update(w, g, ~right, &(struct update){2, 0, 2, i, (int)i}, t, at);
    }
    hd_bar(w);
    copy(w, g, right, row0, col0, nth, t, 1, g->tile, true);
    copy(w, g, ~right, row0, col0, nth, t, 0, g->tile, true);
}

static void internal(struct hd_warp *w, void *args)
{
    const struct step *s = args;
    const struct args *g = s->g;
    uint32_t lanes = hd_lanes(w), x[HD_MAX_LANES], y[HD_MAX_LANES], own[HD_MAX_LANES], at[2][HD_MAX_LANES];
    float sum[HD_MAX_LANES] = {0}, a[HD_MAX_LANES], b[HD_MAX_LANES];
    uint32_t row0 = s->first + (hd_block_y(w) + 1) * g->tile, col0 = s->first + (hd_block_x(w) + 1) * g->tile;
    for (uint32_t l = 0; l < lanes; l++) {
        x[l] = hd_thread(w, l) % g->tile;
        y[l] = hd_thread(w, l) / g->tile;
        at[0][l] = hd_at(g->m, (s->first + y[l]) * g->n + col0 + x[l]);
        at[1][l] = hd_at(g->m, (row0 + y[l]) * g->n + s->first + x[l]);
    }
    hd_tok up = hd_ld(w, HD_ALL_LANES, at[0]), left = hd_ld(w, HD_ALL_LANES, at[1]);
    for (uint32_t nth = 0; nth < 2; nth++) {
        for (uint32_t l = 0; l < lanes; l++)
            own[l] = word(g, nth, y[l], x[l]);
        hd_lds_st(w, HD_ALL_LANES, own, hd_use(w, nth == 0 ? up : left), HD_ORD_RELAXED, HD_SCOPE_WG);
    }
    hd_bar(w);
    for (uint32_t i = 0; i < g->tile; i++) {
        for (uint32_t l = 0; l < lanes; l++) {
            at[0][l] = word(g, 1, y[l], i);
            at[1][l] = word(g, 0, i, x[l]);
        }
        get(w, HD_ALL_LANES, at[0], a);
        get(w, HD_ALL_LANES, at[1], b);
        for (uint32_t l = 0; l < lanes; l++)
            sum[l] += hd_mask(w) & hd_lane(l) ? a[l] * b[l] : 0;
        hd_alu(w, 2);
    }
    for (uint32_t l = 0; l < lanes; l++)
        own[l] = hd_at(g->m, (row0 + y[l]) * g->n + col0 + x[l]);
    memcpy(a, hd_use_f(w, hd_ld(w, HD_ALL_LANES, own)), lanes * sizeof *a);
    for (uint32_t l = 0; l < lanes; l++)
        a[l] = hd_mask(w) & hd_lane(l) ? a[l] - sum[l] : 0;
    hd_alu(w, 1);
    hd_st_f(w, HD_ALL_LANES, own, a);
}

static const char *prepare(struct hd_work *k)
{
    struct args *g = hd_work_args(k, sizeof *g);
    g->n = hd_work_param(k, "n");
    g->tile = hd_work_param(k, "tile");
    uint32_t tiles = g->n / g->tile;
    if (g->n % g->tile || tiles > MAX_STEPS)
        return "n: must be a multiple of tile, at most 64 of them";
    if (g->tile % 2)
        return "tile: must be even";
    struct hd_array *m = hd_work_array(k, "matrix", (uint64_t)g->n * g->n);
    hd_work_fill(k, m, g->n, g->n, g->n);
    for (uint32_t i = 0; i < g->n && m->words; i++)
        m->host[i * g->n + i] = hd_word((float)g->n); /* no pivots are needed */
    g->m = m;
    for (uint32_t i = 0; i < tiles; i++) {
        uint32_t left = tiles - 1 - i, bytes = 4 * g->tile * g->tile;
        struct hd_launch l = {.args = &g->step[i], .grid_x = 1, .grid_y = 1, .block_y = 1};
        g->step[i] = (struct step){.g = g, .first = i * g->tile};
        l.fn = diagonal, l.block_x = g->tile, l.lds_bytes = bytes;
        hd_work_launch(k, &l);
        if (left == 0)
            break;
        l.fn = perimeter, l.grid_x = left, l.block_x = 2 * g->tile, l.lds_bytes = 3 * bytes;
        hd_work_launch(k, &l);
        l.fn = internal, l.grid_y = left, l.block_x = l.block_y = g->tile, l.lds_bytes = 2 * bytes;
        hd_work_launch(k, &l);
    }
    return NULL;
}

/* A word, row by row of the upper and column by column of the lower triangle: of it is taken, tile by tile, the sum of the
 * products of the tile, and within the last one product after the other. */
static void finish(const struct args *g, float *m, uint32_t r, uint32_t c)
{
    uint32_t last = r < c ? r : c, own = last / g->tile * g->tile;
    float v = m[r * g->n + c];
    for (uint32_t k = 0; k < own; k += g->tile) {
        float sum = 0;
        for (uint32_t j = k; j < k + g->tile; j++)
            sum += m[r * g->n + j] * m[j * g->n + c];
        v -= sum;
    }
    for (uint32_t j = own; j < last; j++)
        v -= m[r * g->n + j] * m[j * g->n + c];
    m[r * g->n + c] = r > c ? v / m[c * g->n + c] : v;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    float *m = (float *)g->m->host;
    for (uint32_t d = 0; d < g->n; d++) {
        for (uint32_t c = d; c < g->n; c++)
            finish(g, m, d, c);
        for (uint32_t r = d + 1; r < g->n; r++)
            finish(g, m, r, d);
    }
}

static const struct hd_param params[] = {{"n", 48, 2, 1024, "rows and columns, a multiple of tile"},
                                         {"tile", 16, 2, MAX_TILE, "rows and columns of a tile, even"}, {0}};
static const struct hd_full full[] = {{"n", 256}, {NULL, 0}};
const struct hd_workload hd_work_lud = {
    .name = "lud", .doc = "paper 3, LUD: a matrix into two triangles, tile by tile", .params = params, .full = full,
    .prepare = prepare, .reference = reference,
};
