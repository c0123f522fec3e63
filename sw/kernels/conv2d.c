/* conv2d.c - 2dconv of Polybench-GPU: B = A folded with 3 x 3 weights, a thread a point: nine loads that do not
 * depend on each other, one store. Blocks are 32 x 8 threads; the points of the rim are not written. */
#include "work.h"

enum { BLOCK_X = 32, BLOCK_Y = 8 };

static const float weight[3][3] = {{0.25f, -0.3125f, 0.5f}, {0.3125f, 0.625f, -0.5625f}, {0.375f, 0.75f, 0.125f}};

struct args {
    uint32_t rows, cols;
    const struct hd_array *a, *b;
};

static void conv2d(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    uint32_t at[HD_MAX_LANES] = {0}, addr[HD_MAX_LANES] = {0};
    hd_mask_t mask = 0;
    float sum[HD_MAX_LANES] = {0};
    for (unsigned l = 0; l < hd_lanes(w); l++) {
        uint32_t t = hd_thread(w, l);
        uint32_t j = hd_block_x(w) * BLOCK_X + t % BLOCK_X, i = hd_block_y(w) * BLOCK_Y + t / BLOCK_X;
        at[l] = i * g->cols + j;
        if (i > 0 && j > 0 && i + 1 < g->rows && j + 1 < g->cols)
            mask |= hd_lane(l);
    }
    mask &= hd_mask(w);
    if (mask == 0)
        return;
    hd_tok token[9];
    for (int n = 0; n < 9; n++) {
        for (unsigned l = 0; l < hd_lanes(w); l++)
            addr[l] = hd_at(g->a, at[l]) + 4 * ((uint32_t)(n / 3 - 1) * g->cols + (uint32_t)(n % 3 - 1));
        token[n] = hd_ld(w, mask, addr);
    }
    for (int n = 0; n < 9; n++) {
        const float *a = hd_use_f(w, token[n]);
        for (unsigned l = 0; l < hd_lanes(w); l++) {
            float p = weight[n / 3][n % 3] * a[l];
            sum[l] = sum[l] + p;
        }
    }
    hd_alu(w, 18);
    for (unsigned l = 0; l < hd_lanes(w); l++)
        addr[l] = hd_at(g->b, at[l]);
    hd_st_f(w, mask, addr, sum);
}

static const char *prepare(struct hd_work *k)
{
    struct args *g = hd_work_args(k, sizeof *g);
    uint32_t block_cols = hd_work_param(k, "block_cols"), block_rows = hd_work_param(k, "block_rows");
    g->rows = block_rows * BLOCK_Y;
    g->cols = block_cols * BLOCK_X;
    struct hd_array *a = hd_work_array(k, "a", (uint64_t)g->rows * g->cols);
    g->b = hd_work_array(k, "b", (uint64_t)g->rows * g->cols);
    hd_work_fill(k, a, g->rows, g->cols, g->cols);
    g->a = a;
    hd_work_launch(k, &(struct hd_launch){.fn = conv2d, .args = g, .grid_x = block_cols, .grid_y = block_rows,
                                          .block_x = BLOCK_X, .block_y = BLOCK_Y});
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    for (uint32_t i = 1; i + 1 < g->rows; i++)
        for (uint32_t j = 1; j + 1 < g->cols; j++) {
            float sum = 0;
            for (uint32_t y = 0; y < 3; y++)
                for (uint32_t x = 0; x < 3; x++) {
                    float p = weight[y][x] * hd_float(g->a->host[(i + y - 1) * g->cols + j + x - 1]);
                    sum = sum + p;
                }
            g->b->host[i * g->cols + j] = hd_word(sum);
        }
}

static const struct hd_param params[] = {
    {"block_cols", 128, 1, 128, "blocks of 32 columns; their number is the row length"},
    {"block_rows", 2, 1, 512, "blocks of 8 rows"},
    {0},
};

static const struct hd_full full[] = {{"block_rows", 8}, {0}};

const struct hd_workload hd_work_conv2d = {
    .name = "2dconv",
    .doc = "convolution of a matrix with 3 x 3 weights (Polybench, paper 1)",
    .params = params,
    .full = full,
    .prepare = prepare,
    .reference = reference,
};
