/* mvt.c - mvt of Polybench-GPU: x1 += A y1, then x2 += transpose(A) y2, a thread a row of the result, a store of the
 * running value per iteration. In the first kernel the lanes of a warp read a column of A, a line each, all in one L1
 * set when the pitch is 16 KB; in the second they read along a row. */
#include "work.h"

enum { BLOCK = 256 };

struct args {
    uint32_t rows, pitch, steps[2];
    const struct hd_array *a, *x[2], *y[2];
};

static void product(struct hd_warp *w, const struct args *g, int which)
{
    const unsigned lanes = hd_lanes(w);
    const hd_mask_t mask = hd_mask(w);
    uint32_t addr_a[HD_MAX_LANES], addr_x[HD_MAX_LANES];
    float x[HD_MAX_LANES] = {0};
    for (unsigned l = 0; l < lanes; l++) {
        uint32_t i = hd_global_thread(w, l);
        addr_a[l] = hd_at(g->a, which == 0 ? i * g->pitch : i);
        addr_x[l] = hd_at(g->x[which], i);
    }
    for (uint32_t j = 0; j < g->steps[which]; j++) {
        hd_tok tx = j == 0 ? hd_ld(w, mask, addr_x) : 0;
        hd_tok ta = hd_ld(w, mask, addr_a);
        hd_tok ty = hd_ld_all(w, mask, hd_at(g->y[which], j));
        if (j == 0)
            memcpy(x, hd_use_f(w, tx), lanes * sizeof x[0]);
        const float *a = hd_use_f(w, ta), *y = hd_use_f(w, ty);
        for (unsigned l = 0; l < lanes; l++) {
            float p = a[l] * y[l];
            x[l] = x[l] + p;
            addr_a[l] += which == 0 ? 4 : 4 * g->pitch;
        }
        hd_alu(w, 5);
        hd_st_f(w, mask, addr_x, x);
    }
}

static void rows(struct hd_warp *w, void *args)
{
    product(w, args, 0);
}

static void columns(struct hd_warp *w, void *args)
{
    product(w, args, 1);
}

static const char *prepare(struct hd_work *k)
{
    static hd_kernel *const kernel[2] = {rows, columns};
    struct args *g = hd_work_args(k, sizeof *g);
    uint32_t blocks = hd_work_param(k, "blocks");
    g->pitch = hd_work_param(k, "pitch");
    g->steps[0] = hd_work_param(k, "row_steps");
    g->steps[1] = hd_work_param(k, "column_steps");
    g->rows = blocks * BLOCK;
    if (g->steps[0] == 0 && g->steps[1] == 0)
        return "row_steps and column_steps are both 0: there is nothing to run";
    if (g->steps[0] > g->pitch)
        return "row_steps: a row of A has pitch words";
    if (g->steps[1] > 0 && g->rows > g->pitch)
        return "blocks: the transposed product has 256 * blocks columns, more than pitch";
    uint32_t high = g->steps[0] > 0 && g->rows > g->steps[1] ? g->rows : g->steps[1];
    struct hd_array *a = hd_work_array(k, "a", (uint64_t)high * g->pitch), *m;
    hd_work_fill(k, a, g->rows, g->steps[0], g->pitch);
    hd_work_fill(k, a, g->steps[1], g->rows, g->pitch);
    g->a = a;
    static const char *const name[2][2] = {{"x1", "y1"}, {"x2", "y2"}};
    for (int i = 0; i < 2; i++) {
        g->x[i] = m = hd_work_array(k, name[i][0], g->rows);
        hd_work_fill(k, m, 1, g->rows, g->rows);
        g->y[i] = m = hd_work_array(k, name[i][1], g->steps[i]);
        hd_work_fill(k, m, 1, g->steps[i], g->steps[i]);
        if (g->steps[i] > 0)
            hd_work_launch(k, &(struct hd_launch){.fn = kernel[i], .args = g, .grid_x = blocks, .grid_y = 1,
                                                  .block_x = BLOCK, .block_y = 1});
    }
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    for (uint32_t i = 0; i < g->rows; i++) {
        float x1 = hd_float(g->x[0]->host[i]), x2 = hd_float(g->x[1]->host[i]), p;
        for (uint32_t j = 0; j < g->steps[0]; j++) {
            p = hd_float(g->a->host[i * g->pitch + j]) * hd_float(g->y[0]->host[j]);
            x1 = x1 + p;
        }
        for (uint32_t j = 0; j < g->steps[1]; j++) {
            p = hd_float(g->a->host[j * g->pitch + i]) * hd_float(g->y[1]->host[j]);
            x2 = x2 + p;
        }
        g->x[0]->host[i] = hd_word(x1);
        g->x[1]->host[i] = hd_word(x2);
    }
}

static const struct hd_param params[] = {
    {"blocks", 4, 1, 64, "blocks of 256 rows"},
    {"row_steps", 4, 0, 4096, "trip count of the product with A, at most pitch; 0 = without this kernel"},
    {"column_steps", 256, 0, 4096, "trip count of the product with the transposed A; 0 = without this kernel"},
    {"pitch", 4096, 32, 4096, "words from one row of A to the next"},
    {0},
};

static const struct hd_full full[] = {{"blocks", 16}, {0}};

const struct hd_workload hd_work_mvt = {
    .name = "mvt",
    .doc = "products of a matrix and of its transpose with a vector (Polybench, paper 1)",
    .params = params,
    .full = full,
    .prepare = prepare,
    .reference = reference,
};
