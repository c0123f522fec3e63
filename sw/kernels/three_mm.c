/* three_mm.c - 3mm of Polybench-GPU: E += A B, F += C D, then G += E F, three grids one after the other. A thread
 * computes one element and stores its running value in every iteration, as in gemm.c; blocks are 32 x 8 threads.
 * Rows of F and columns of E that the third product reads beyond those the first two compute keep start values. */
#include "work.h"

enum { BLOCK_X = 32, BLOCK_Y = 8 };

struct product {
    uint32_t rows, cols, nk, pitch;
    const struct hd_array *a, *b, *c;
};

struct args {
    struct product product[3];
};

static void multiply(struct hd_warp *w, void *args)
{
    const struct product *g = args;
    const unsigned lanes = hd_lanes(w);
    const hd_mask_t mask = hd_mask(w);
    uint32_t addr_a[HD_MAX_LANES], addr_b[HD_MAX_LANES], addr_c[HD_MAX_LANES];
    float c[HD_MAX_LANES] = {0};
    for (unsigned l = 0; l < lanes; l++) {
        uint32_t t = hd_thread(w, l);
        uint32_t j = hd_block_x(w) * BLOCK_X + t % BLOCK_X, i = hd_block_y(w) * BLOCK_Y + t / BLOCK_X;
        addr_a[l] = hd_at(g->a, i * g->pitch);
        addr_b[l] = hd_at(g->b, j);
        addr_c[l] = hd_at(g->c, i * g->pitch + j);
    }
    for (uint32_t k = 0; k < g->nk; k++) {
        hd_tok tc = k == 0 ? hd_ld(w, mask, addr_c) : 0;
        hd_tok ta = hd_ld(w, mask, addr_a);
        hd_tok tb = hd_ld(w, mask, addr_b);
        if (k == 0)
            memcpy(c, hd_use_f(w, tc), lanes * sizeof c[0]);
        const float *a = hd_use_f(w, ta), *b = hd_use_f(w, tb);
        for (unsigned l = 0; l < lanes; l++) {
            float p = a[l] * b[l];
            c[l] = c[l] + p;
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
    uint32_t nk = hd_work_param(k, "nk"), pitch = hd_work_param(k, "pitch");
    if (block_cols == 0) {
        block_cols = hd_work_config(k)->sms;
        if (block_cols > pitch / BLOCK_X)
            block_cols = pitch / BLOCK_X;
    }
    uint32_t rows = block_rows * BLOCK_Y, cols = block_cols * BLOCK_X;
    if (cols > pitch)
        return "block_cols: a row of a product has 32 * block_cols words, more than pitch";
    if (nk > pitch)
        return "nk: a row of A has nk words, more than pitch";
    static const char *const name[] = {"a", "b", "c", "d", "e", "f", "g"};
    struct hd_array *m[7];
    for (int i = 0; i < 7; i++) {
        uint32_t most = rows > nk ? rows : nk;
        m[i] = hd_work_array(k, name[i], (uint64_t)most * pitch);
        hd_work_fill(k, m[i], most, cols > nk ? cols : nk, pitch);
    }
    struct product p = {.rows = rows, .cols = cols, .nk = nk, .pitch = pitch};
    for (int i = 0; i < 3; i++) {
        p.a = m[i == 2 ? 4 : 2 * i];
        p.b = m[i == 2 ? 5 : 2 * i + 1];
        p.c = m[4 + i];
        g->product[i] = p;
        hd_work_launch(k, &(struct hd_launch){.fn = multiply, .args = &g->product[i], .grid_x = block_cols,
                                              .grid_y = block_rows, .block_x = BLOCK_X, .block_y = BLOCK_Y});
    }
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *args = hd_work_get_args(k);
    for (const struct product *g = args->product; g < args->product + 3; g++)
        for (uint32_t i = 0; i < g->rows; i++)
            for (uint32_t j = 0; j < g->cols; j++) {
                float sum = hd_float(g->c->host[i * g->pitch + j]);
                for (uint32_t n = 0; n < g->nk; n++) {
                    float p = hd_float(g->a->host[i * g->pitch + n]) * hd_float(g->b->host[n * g->pitch + j]);
                    sum = sum + p;
                }
                g->c->host[i * g->pitch + j] = hd_word(sum);
            }
}

static const struct hd_param params[] = {
    {"nk", 64, 1, 4096, "inner trip count of each product, at most pitch"},
    {"block_cols", 0, 0, 128, "blocks of 32 columns; 0 = one an SM, at most pitch / 32"},
    {"block_rows", 6, 1, 512, "blocks of 8 rows"},
    {"pitch", 512, 32, 4096, "words from one row to the next"},
    {0},
};

static const struct hd_full full[] = {{"block_cols", 16}, {0}};

const struct hd_workload hd_work_three_mm = {
    .name = "3mm",
    .doc = "three matrix products, the third of the results of the first two (Polybench, paper 1)",
    .params = params,
    .full = full,
    .prepare = prepare,
    .reference = reference,
};
