/* gemm.c - C = beta C + alpha A B as Polybench-GPU writes it: a thread computes one element and stores its
 * running value in every iteration. Blocks are 32 x 8 threads, so with 32 lanes a warp is 32 columns of one row.
 * The pitch (row length in words) is a parameter of its own: it decides which L1 sets the rows of C share. */
#include "work.h"

enum { BLOCK_X = 32, BLOCK_Y = 8 };

struct args {
    uint32_t rows, cols, nk, pitch;
    float alpha, beta;
    const struct hd_array *a, *b, *c;
};

/* One step of the sum, the same for kernel and reference: statement by statement, so that no compiler may
 * fuse a multiplication and an addition into one rounding. */
static inline float step(float c, float alpha, float a, float b)
{
    float p = alpha * a;
    p = p * b;
    return c + p;
}

static void gemm(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    const unsigned lanes = hd_lanes(w);
    const hd_mask_t mask = hd_mask(w);
    uint32_t addr_a[HD_MAX_LANES], addr_b[HD_MAX_LANES], addr_c[HD_MAX_LANES];
    float c[HD_MAX_LANES];
    for (unsigned l = 0; l < lanes; l++) {
        uint32_t t = hd_thread(w, l);
        uint32_t j = hd_block_x(w) * BLOCK_X + t % BLOCK_X, i = hd_block_y(w) * BLOCK_Y + t / BLOCK_X;
        addr_a[l] = g->a->addr + 4 * (i * g->pitch);
        addr_b[l] = g->b->addr + 4 * j;
        addr_c[l] = g->c->addr + 4 * (i * g->pitch + j);
    }
    const float *old = hd_use_f(w, hd_ld(w, mask, addr_c));
    for (unsigned l = 0; l < lanes; l++)
        c[l] = old[l] * g->beta;
    hd_alu(w, 2);
    hd_st_f(w, mask, addr_c, c);
    for (uint32_t k = 0; k < g->nk; k++) {
        hd_tok ta = hd_ld(w, mask, addr_a);
        hd_tok tb = hd_ld(w, mask, addr_b);
        const float *a = hd_use_f(w, ta), *b = hd_use_f(w, tb);
        for (unsigned l = 0; l < lanes; l++) {
            c[l] = step(c[l], g->alpha, a[l], b[l]);
            addr_a[l] += 4;
            addr_b[l] += 4 * g->pitch;
        }
        hd_alu(w, 6);
        hd_st_f(w, mask, addr_c, c);
    }
}

static const char *prepare(struct hd_work *k)
{
    struct args *g = hd_work_args(k, sizeof *g);
    uint32_t block_cols = hd_work_param(k, "block_cols"), block_rows = hd_work_param(k, "block_rows");
    g->nk = hd_work_param(k, "nk");
    g->pitch = hd_work_param(k, "pitch");
    if (block_cols == 0) {
        block_cols = hd_work_config(k)->sms;
        if (block_cols > g->pitch / BLOCK_X)
            block_cols = g->pitch / BLOCK_X;
    }
    g->rows = block_rows * BLOCK_Y;
    g->cols = block_cols * BLOCK_X;
    if (g->cols == 0 || g->cols > g->pitch)
        return "block_cols: a row of C has 32 * block_cols words, more than pitch";
    if (g->nk > g->pitch)
        return "nk: a row of A has nk words, more than pitch";
    g->alpha = 1.5f;
    g->beta = 1.2f;
    struct hd_array *a = hd_work_array(k, "a", (uint64_t)g->rows * g->pitch);
    struct hd_array *b = hd_work_array(k, "b", (uint64_t)g->nk * g->pitch);
    struct hd_array *c = hd_work_array(k, "c", (uint64_t)g->rows * g->pitch);
    hd_work_fill(k, a, g->rows, g->nk, g->pitch);
    hd_work_fill(k, b, g->nk, g->cols, g->pitch);
    hd_work_fill(k, c, g->rows, g->cols, g->pitch);
    g->a = a;
    g->b = b;
    g->c = c;
    hd_work_launch(k, &(struct hd_launch){.fn = gemm, .args = g, .grid_x = block_cols, .grid_y = block_rows,
                                          .block_x = BLOCK_X, .block_y = BLOCK_Y});
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    for (uint32_t i = 0; i < g->rows; i++)
        for (uint32_t j = 0; j < g->cols; j++) {
            uint32_t *c = &g->c->host[i * g->pitch + j];
            float sum = hd_float(*c) * g->beta;
            for (uint32_t n = 0; n < g->nk; n++)
                sum = step(sum, g->alpha, hd_float(g->a->host[i * g->pitch + n]),
                           hd_float(g->b->host[n * g->pitch + j]));
            *c = hd_word(sum);
        }
}

static const struct hd_param params[] = {
    {"nk", 128, 1, 4096, "inner trip count, at most pitch"},
    {"block_cols", 0, 0, 128, "blocks of 32 columns; 0 = one an SM, at most pitch / 32"},
    {"block_rows", 6, 1, 512, "blocks of 8 rows"},
    {"pitch", 512, 32, 4096, "words from one row to the next"},
    {0},
};

static const struct hd_full full[] = {{"block_cols", 16}, {0}};

const struct hd_workload hd_work_gemm = {
    .name = "gemm",
    .doc = "C = beta C + alpha A B (Polybench, paper 1): a thread an element, a store per iteration",
    .params = params,
    .full = full,
    .prepare = prepare,
    .reference = reference,
};
