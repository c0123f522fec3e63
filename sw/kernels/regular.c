/* regular.c - applications of paper 3 without synchronization within a grid (Table 4), as their accesses to memory: nn (nearest
 * neighbour, Rodinia), stencil (7 points, Parboil), sgemm (Parboil), lavamd (Rodinia). Host and kernel compute with the same
 * functions in the same order, so results are the same bits. */
#include "work.h"
#include <math.h>

enum { BLOCK = 128, TILE_N = 16, TILE_K = 8, BOX = 8, POINT = 8 }; /* sgemm: 16 columns, 8 deep; lavamd: 8 boxes, words of a point: 4 doubles' */

struct args {
    uint32_t x, y, z, step;           /* sizes, as the parameters say */
    const struct hd_array *a, *b, *c;
};

static void words(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr, float *to)
{
    memcpy(to, hd_use_f(w, hd_ld(w, mask, addr)), hd_lanes(w) * sizeof *to);
}

static hd_mask_t threads(const struct hd_warp *w, uint32_t below, uint32_t *t)
{
    hd_mask_t mask = 0;
    for (unsigned l = 0; l < hd_lanes(w); l++) {
        t[l] = hd_global_thread(w, l);
        mask |= t[l] < below ? hd_lane(l) : 0;
    }
    return mask & hd_mask(w);
}

static void launch(struct hd_work *k, hd_kernel *fn, uint32_t blocks, uint32_t block, uint32_t lds)
{
    hd_work_launch(k, &(struct hd_launch){.fn = fn, .args = hd_work_get_args(k), .grid_x = blocks, .grid_y = 1, .block_x = block,
                                          .block_y = 1, .lds_bytes = lds});
}

/* ---- nn: the distance of records to a place ---------------------------------------------------------------------- */

static float distance(float lat, float lng)
{
    return sqrtf((lat - 0.5f) * (lat - 0.5f) + (lng - 0.25f) * (lng - 0.25f));
}

static void nn(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    uint32_t t[HD_MAX_LANES], lat[HD_MAX_LANES] = {0}, lng[HD_MAX_LANES] = {0}, to[HD_MAX_LANES] = {0};
    float d[HD_MAX_LANES] = {0};
    hd_mask_t mask = threads(w, g->x, t);
    for (unsigned l = 0; l < hd_lanes(w); l++) {
        lat[l] = hd_at(g->a, 2 * t[l]);
        lng[l] = hd_at(g->a, 2 * t[l] + 1);
        to[l] = hd_at(g->b, t[l]);
    }
    hd_tok first = hd_ld(w, mask, lat), second = hd_ld(w, mask, lng);
    const float *x = hd_use_f(w, first), *y = hd_use_f(w, second);
    for (unsigned l = 0; l < hd_lanes(w); l++)
        d[l] = mask >> l & 1 ? distance(x[l], y[l]) : 0;
    hd_alu(w, 14);
    hd_st_f(w, mask, to, d);
}

static const char *nn_prepare(struct hd_work *k)
{
    struct args *g = hd_work_args(k, sizeof *g);
    g->x = hd_work_param(k, "records");
    struct hd_array *a = hd_work_array(k, "records", 2 * (uint64_t)g->x);
    hd_work_fill(k, a, 1, 2 * g->x, 2 * g->x);
    g->a = a;
    g->b = hd_work_array(k, "distance", g->x);
    launch(k, nn, (g->x + 255) / 256, 256, 0);
    return NULL;
}

static void nn_reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    for (uint32_t i = 0; i < g->x; i++)
        g->b->host[i] = hd_word(distance(hd_float(g->a->host[2 * i]), hd_float(g->a->host[2 * i + 1])));
}

static const struct hd_param nn_params[] = {{"records", 6144, 1, 1u << 20, "of two words"}, {0}};
static const struct hd_full nn_full[] = {{"records", 171000}, {NULL, 0}};
const struct hd_workload hd_work_nn = {.name = "nn", .doc = "paper 3, NN: distances of records to a place", .params = nn_params,
                                       .full = nn_full, .prepare = nn_prepare, .reference = nn_reference};

/* ---- stencil: a cell and its six neighbours, blocks of 128 cells of an xy plane, z in a loop -------------------------- */

static const int neighbours = 7;

static uint32_t cell(const struct args *g, uint32_t i, uint32_t z, int n) /* the nth word of a stencil */
{
    const int32_t d[] = {0, -1, 1, -(int32_t)g->x, (int32_t)g->x, -(int32_t)(g->x * g->y), (int32_t)(g->x * g->y)};
    return z * g->x * g->y + i + (uint32_t)d[n];
}

static bool inside(const struct args *g, uint32_t i)
{
    return i % g->x > 0 && i % g->x < g->x - 1 && i / g->x > 0 && i / g->x < g->y - 1;
}

static float point(const float *v) /* [neighbours] */
{
    float sum = v[1];
    for (int n = 2; n < neighbours; n++)
        sum += v[n];
    return 0.125f * sum - 0.5f * v[0];
}

static void stencil(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    uint32_t t[HD_MAX_LANES], addr[HD_MAX_LANES] = {0}, to[HD_MAX_LANES] = {0};
    float sum[HD_MAX_LANES] = {0}, v[HD_MAX_LANES][7];
    hd_mask_t mask = threads(w, g->x * g->y, t);
    for (unsigned l = 0; l < hd_lanes(w); l++)
        mask &= inside(g, t[l]) ? HD_ALL_LANES : ~hd_lane(l);
    for (uint32_t z = 1; z + 1 < g->z; z++) {
        hd_tok got[7];
        for (int n = 0; n < neighbours; n++) {
            for (unsigned l = 0; l < hd_lanes(w); l++)
                addr[l] = hd_at(g->a, cell(g, t[l], z, n));
            got[n] = hd_ld(w, mask, addr);
        }
        for (int n = 0; n < neighbours && mask; n++) {
            const float *f = hd_use_f(w, got[n]);
            for (unsigned l = 0; l < hd_lanes(w); l++)
                v[l][n] = mask >> l & 1 ? f[l] : 0;
        }
        for (unsigned l = 0; l < hd_lanes(w); l++) {
            sum[l] = mask >> l & 1 ? point(v[l]) : 0;
            to[l] = hd_at(g->b, cell(g, t[l], z, 0));
        }
        hd_alu(w, 8);
        hd_st_f(w, mask, to, sum);
    }
}

static const char *stencil_prepare(struct hd_work *k)
{
    struct args *g = hd_work_args(k, sizeof *g);
    g->x = hd_work_param(k, "x");
    g->y = hd_work_param(k, "y");
    g->z = hd_work_param(k, "z");
    struct hd_array *a = hd_work_array(k, "from", (uint64_t)g->x * g->y * g->z);
    hd_work_fill(k, a, 1, g->x * g->y * g->z, g->x * g->y * g->z);
    g->a = a;
    g->b = hd_work_array(k, "to", (uint64_t)g->x * g->y * g->z);
    launch(k, stencil, (g->x * g->y + BLOCK - 1) / BLOCK, BLOCK, 0);
    return NULL;
}

static void stencil_reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    for (uint32_t z = 1; z + 1 < g->z; z++)
        for (uint32_t i = 0; i < g->x * g->y; i++) {
            float v[7];
            if (!inside(g, i))
                continue;
            for (int n = 0; n < neighbours; n++)
                v[n] = hd_float(g->a->host[cell(g, i, z, n)]);
            g->b->host[cell(g, i, z, 0)] = hd_word(point(v));
        }
}

static const struct hd_param stencil_params[] = {
    {"x", 64, 3, 512, "cells of a row"}, {"y", 64, 3, 512, "rows"}, {"z", 4, 3, 64, "planes"}, {0}};
static const struct hd_full stencil_full[] = {{"x", 128}, {"y", 128}, {NULL, 0}};
const struct hd_workload hd_work_stencil = {.name = "stencil", .doc = "paper 3, ST: a cell and its six neighbours",
                                            .params = stencil_params, .full = stencil_full, .prepare = stencil_prepare,
                                            .reference = stencil_reference};

/* ---- sgemm: C += A B; a thread has a row of 16 columns; B by way of the LDS ------------------------------------------ */

static void sgemm(struct hd_warp *w, void *args)
{
    const struct args *g = args; /* x rows of C, y columns, z deep; A by columns, B by rows, C by columns */
    uint32_t across = g->x / BLOCK, row0 = hd_block(w) % across * BLOCK, col0 = hd_block(w) / across * TILE_N;
    uint32_t row[HD_MAX_LANES], at[HD_MAX_LANES], slot[HD_MAX_LANES], lanes = hd_lanes(w);
    float sum[TILE_N][HD_MAX_LANES] = {{0}}, a[HD_MAX_LANES];
    for (uint32_t l = 0; l < lanes; l++)
        row[l] = row0 + hd_thread(w, l);
    for (uint32_t k = 0; k < g->z; k += TILE_K) {
        for (uint32_t l = 0; l < lanes; l++) {
            uint32_t t = hd_thread(w, l);
            at[l] = hd_at(g->b, (k + t / TILE_N) * g->y + col0 + t % TILE_N);
            slot[l] = 4 * t;
        }
        const uint32_t *got = hd_use(w, hd_ld(w, HD_ALL_LANES, at));
        hd_lds_st(w, HD_ALL_LANES, slot, got, HD_ORD_RELAXED, HD_SCOPE_WG);
        hd_bar(w);
        for (uint32_t kk = 0; kk < TILE_K; kk++) {
            for (uint32_t l = 0; l < lanes; l++)
                at[l] = hd_at(g->a, (k + kk) * g->x + row[l]);
            words(w, HD_ALL_LANES, at, a);
            for (uint32_t n = 0; n < TILE_N; n++) {
                for (uint32_t l = 0; l < lanes; l++)
                    slot[l] = 4 * (kk * TILE_N + n);
                const float *b = hd_use_f(w, hd_lds_ld(w, HD_ALL_LANES, slot, HD_ORD_RELAXED, HD_SCOPE_WG));
                for (uint32_t l = 0; l < lanes; l++)
                    sum[n][l] += a[l] * b[l];
                hd_alu(w, 1);
            }
        }
        hd_bar(w);
    }
    for (uint32_t n = 0; n < TILE_N; n++) {
        for (uint32_t l = 0; l < lanes; l++)
            at[l] = hd_at(g->c, (col0 + n) * g->x + row[l]);
        words(w, HD_ALL_LANES, at, a);
        for (uint32_t l = 0; l < lanes; l++)
            a[l] += sum[n][l];
        hd_alu(w, 2);
        hd_st_f(w, HD_ALL_LANES, at, a);
    }
}

static const char *sgemm_prepare(struct hd_work *k)
{
    const struct hd_config *c = hd_work_config(k);
    struct args *g = hd_work_args(k, sizeof *g);
    g->x = hd_work_param(k, "m");
    g->y = hd_work_param(k, "n");
    g->z = hd_work_param(k, "k");
    if (g->x % BLOCK || g->y % TILE_N || g->z % TILE_K)
        return "m, n, k: must be multiples of 128, 16 and 8";
    if (BLOCK % c->lanes)
        return "lanes: must divide 128";
    struct hd_array *a = hd_work_array(k, "A", (uint64_t)g->x * g->z), *b = hd_work_array(k, "B", (uint64_t)g->y * g->z);
    struct hd_array *to = hd_work_array(k, "C", (uint64_t)g->x * g->y);
    hd_work_fill(k, a, g->z, g->x, g->x);
    hd_work_fill(k, b, g->z, g->y, g->y);
    hd_work_fill(k, to, g->y, g->x, g->x);
    g->a = a;
    g->b = b;
    g->c = to;
    launch(k, sgemm, g->x / BLOCK * (g->y / TILE_N), BLOCK, 4 * BLOCK);
    return NULL;
}

static void sgemm_reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    for (uint32_t n = 0; n < g->y; n++)
        for (uint32_t m = 0; m < g->x; m++) {
            float sum = 0;
            for (uint32_t i = 0; i < g->z; i++)
                sum += hd_float(g->a->host[i * g->x + m]) * hd_float(g->b->host[i * g->y + n]);
            g->c->host[n * g->x + m] = hd_word(hd_float(g->c->host[n * g->x + m]) + sum);
        }
}

static const struct hd_param sgemm_params[] = {{"m", 128, 128, 4096, "rows of C, a multiple of 128"},
    {"n", 96, 16, 4096, "columns, a multiple of 16"}, {"k", 64, 8, 4096, "depth, a multiple of 8"}, {0}};
static const struct hd_full sgemm_full[] = {{"m", 1024}, {"n", 1056}, {"k", 992}, {NULL, 0}};
const struct hd_workload hd_work_sgemm = {.name = "sgemm", .doc = "paper 3, SGEMM: C += A B, tiles of B in the LDS",
                                          .params = sgemm_params, .full = sgemm_full, .prepare = sgemm_prepare,
                                          .reference = sgemm_reference};

/* ---- lavamd: forces on the particles of a box from those of all boxes, summed up in memory: more words than a store buffer has */

static void force(const float *me, const float *other, float *sum) /* [POINT] each */
{
    float r = me[0] * other[0] + me[1] * other[1] + me[2] * other[2], s = 1.0f / (2.0f + r * r);
    for (int i = 0; i < POINT; i++)
        sum[i] += s * (me[i] - other[i]);
}

static void lavamd(struct hd_warp *w, void *args)
{
    const struct args *g = args; /* x particles a box, of which y are neighbours */
    uint32_t t[HD_MAX_LANES], at[HD_MAX_LANES] = {0}, slot[HD_MAX_LANES] = {0}, lanes = hd_lanes(w);
    float me[POINT][HD_MAX_LANES] = {{0}}, other[POINT][HD_MAX_LANES] = {{0}}, sum[POINT][HD_MAX_LANES] = {{0}};
    hd_mask_t mask = 0;
    for (uint32_t l = 0; l < lanes; l++) {
        t[l] = hd_thread(w, l);
        mask |= t[l] < g->x ? hd_lane(l) : 0;
    }
    for (uint32_t i = 0; i < POINT; i++) {
        for (uint32_t l = 0; l < lanes; l++)
            at[l] = hd_at(g->a, (hd_block(w) * g->x + t[l]) * POINT + i);
        words(w, mask, at, me[i]);
    }
    for (uint32_t box = 0; box < BOX; box++) {
        for (uint32_t i = 0; i < POINT; i++) {
            for (uint32_t l = 0; l < lanes; l++) {
                at[l] = hd_at(g->a, (box * g->x + t[l]) * POINT + i);
                slot[l] = 4 * (t[l] * POINT + i);
            }
            const uint32_t *got = hd_use(w, hd_ld(w, mask, at));
            hd_lds_st(w, mask, slot, got, HD_ORD_RELAXED, HD_SCOPE_WG);
        }
        hd_bar(w);
        for (uint32_t j = 0; j < g->y && mask; j++) {
            for (uint32_t i = 0; i < POINT; i++) {
                for (uint32_t l = 0; l < lanes; l++) {
                    at[l] = hd_at(g->b, (hd_block(w) * g->x + t[l]) * POINT + i);
                    slot[l] = 4 * (j * POINT + i);
                }
                memcpy(other[i], hd_use_f(w, hd_lds_ld(w, mask, slot, HD_ORD_RELAXED, HD_SCOPE_WG)), lanes * sizeof other[i][0]);
                words(w, mask, at, sum[i]);
            }
            hd_alu(w, 35);
            for (uint32_t l = 0; l < lanes; l++) {
                float a[POINT], b[POINT], s[POINT];
                if (!(mask >> l & 1))
                    continue;
                for (uint32_t i = 0; i < POINT; i++) {
                    a[i] = me[i][l];
                    b[i] = other[i][l];
                    s[i] = sum[i][l];
                }
                force(a, b, s);
                for (uint32_t i = 0; i < POINT; i++)
                    sum[i][l] = s[i];
            }
            for (uint32_t i = 0; i < POINT; i++) {
                for (uint32_t l = 0; l < lanes; l++)
                    at[l] = hd_at(g->b, (hd_block(w) * g->x + t[l]) * POINT + i);
                hd_st_f(w, mask, at, sum[i]);
            }
        }
        hd_bar(w);
    }
}

static const char *lavamd_prepare(struct hd_work *k)
{
    struct args *g = hd_work_args(k, sizeof *g);
    g->x = hd_work_param(k, "particles");
    g->y = hd_work_param(k, "partners");
    if (g->y > g->x)
        return "partners: at most particles";
    struct hd_array *a = hd_work_array(k, "particle", BOX * POINT * (uint64_t)g->x);
    hd_work_fill(k, a, 1, BOX * POINT * g->x, BOX * POINT * g->x);
    g->a = a;
    g->b = hd_work_array(k, "force", BOX * POINT * (uint64_t)g->x);
    launch(k, lavamd, BOX, BLOCK, 4 * g->x * POINT);
    return NULL;
}

static void lavamd_reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    const float *a = (const float *)g->a->host;
    float *to = (float *)g->b->host;
    for (uint32_t p = 0; p < BOX * g->x; p++)
        for (uint32_t box = 0; box < BOX; box++)
            for (uint32_t j = 0; j < g->y; j++)
                force(a + (size_t)p * POINT, a + ((size_t)box * g->x + j) * POINT, to + (size_t)p * POINT);
}

static const struct hd_param lavamd_params[] = {{"particles", 100, 1, 128, "of a box; a block has 128 threads"},
    {"partners", 8, 1, 128, "particles of a box that act on others"}, {0}};
static const struct hd_full lavamd_full[] = {{"partners", 100}, {NULL, 0}};
const struct hd_workload hd_work_lavamd = {.name = "lavamd", .doc = "paper 3, LAVA: forces between particles, summed up in memory",
                                           .params = lavamd_params, .full = lavamd_full, .prepare = lavamd_prepare,
                                           .reference = lavamd_reference};
