/* fdtd2d.c - fdtd-2d of Polybench-GPU: time steps of a finite-difference field solver, three grids a step: ey from hz
 * of the row above, ex from hz to the left, hz from both. A thread a point, blocks of 32 x 8. Rows of ex are one word
 * longer than those of ey and hz, so they begin in the middle of lines. */
#include "work.h"

enum { BLOCK_X = 32, BLOCK_Y = 8, MAX_STEPS = 64 };

struct args;

struct step {
    const struct args *g;
    uint32_t t;
};

struct args {
    uint32_t rows, cols;
    const struct hd_array *ex, *ey, *hz, *source;
    struct step step[MAX_STEPS];
};

/* Row and column of the lanes' points. */
struct points {
    uint32_t i[HD_MAX_LANES], j[HD_MAX_LANES];
};

static void points(const struct hd_warp *w, struct points *p)
{
    for (unsigned l = 0; l < hd_lanes(w); l++) {
        uint32_t t = hd_thread(w, l);
        p->i[l] = hd_block_y(w) * BLOCK_Y + t / BLOCK_X;
        p->j[l] = hd_block_x(w) * BLOCK_X + t % BLOCK_X;
    }
}

/* Addresses of the points of @a moved by @di, @dj, whose rows are @pitch words apart. */
static hd_tok load(struct hd_warp *w, hd_mask_t mask, const struct hd_array *a, uint32_t pitch, const struct points *p,
                   int di, int dj, uint32_t addr[HD_MAX_LANES])
{
    for (unsigned l = 0; l < hd_lanes(w); l++)
        addr[l] = hd_at(a, (p->i[l] + (uint32_t)di) * pitch + p->j[l] + (uint32_t)dj);
    return hd_ld(w, mask, addr);
}

static inline float electric(float e, float h, float before)
{
    float d = h - before;
    d = 0.5f * d;
    return e - d;
}

static inline float magnetic(float h, float ex_right, float ex, float ey_below, float ey)
{
    float d = ex_right - ex;
    d = d + ey_below;
    d = d - ey;
    d = 0.7f * d;
    return h - d;
}

static void step_ey(struct hd_warp *w, void *args)
{
    const struct step *s = args;
    const struct args *g = s->g;
    struct points p;
    uint32_t addr[HD_MAX_LANES], before[HD_MAX_LANES];
    hd_mask_t first = 0, mask = hd_mask(w);
    float ey[HD_MAX_LANES] = {0};
    points(w, &p);
    for (unsigned l = 0; l < hd_lanes(w); l++)
        first |= (hd_mask_t)(p.i[l] == 0) << l;
    if ((first & mask) != 0) {
        const float *f = hd_use_f(w, hd_ld_all(w, first & mask, hd_at(g->source, s->t)));
        for (unsigned l = 0; l < hd_lanes(w); l++)
            addr[l] = hd_at(g->ey, p.j[l]);
        hd_st_f(w, first & mask, addr, f);
    }
    mask &= ~first;
    if (mask == 0)
        return;
    hd_tok te = load(w, mask, g->ey, g->cols, &p, 0, 0, addr);
    hd_tok th = load(w, mask, g->hz, g->cols, &p, 0, 0, before);
    hd_tok tb = load(w, mask, g->hz, g->cols, &p, -1, 0, before);
    const float *e = hd_use_f(w, te), *h = hd_use_f(w, th), *b = hd_use_f(w, tb);
    for (unsigned l = 0; l < hd_lanes(w); l++)
        ey[l] = electric(e[l], h[l], b[l]);
    hd_alu(w, 5);
    hd_st_f(w, mask, addr, ey);
}

static void step_ex(struct hd_warp *w, void *args)
{
    const struct args *g = ((const struct step *)args)->g;
    struct points p;
    uint32_t addr[HD_MAX_LANES], before[HD_MAX_LANES];
    hd_mask_t mask = 0;
    float ex[HD_MAX_LANES] = {0};
    points(w, &p);
    for (unsigned l = 0; l < hd_lanes(w); l++)
        mask |= (hd_mask_t)(p.j[l] > 0) << l;
    mask &= hd_mask(w);
    hd_tok te = load(w, mask, g->ex, g->cols + 1, &p, 0, 0, addr);
    hd_tok th = load(w, mask, g->hz, g->cols, &p, 0, 0, before);
    hd_tok tb = load(w, mask, g->hz, g->cols, &p, 0, -1, before);
    const float *e = hd_use_f(w, te), *h = hd_use_f(w, th), *b = hd_use_f(w, tb);
    for (unsigned l = 0; l < hd_lanes(w); l++)
        ex[l] = electric(e[l], h[l], b[l]);
    hd_alu(w, 5);
    hd_st_f(w, mask, addr, ex);
}

static void step_hz(struct hd_warp *w, void *args)
{
    const struct args *g = ((const struct step *)args)->g;
    struct points p;
    uint32_t addr[HD_MAX_LANES], other[HD_MAX_LANES];
    hd_mask_t mask = hd_mask(w);
    float hz[HD_MAX_LANES] = {0};
    points(w, &p);
    hd_tok th = load(w, mask, g->hz, g->cols, &p, 0, 0, addr);
    hd_tok tr = load(w, mask, g->ex, g->cols + 1, &p, 0, 1, other);
    hd_tok tx = load(w, mask, g->ex, g->cols + 1, &p, 0, 0, other);
    hd_tok tb = load(w, mask, g->ey, g->cols, &p, 1, 0, other);
    hd_tok ty = load(w, mask, g->ey, g->cols, &p, 0, 0, other);
    const float *h = hd_use_f(w, th), *right = hd_use_f(w, tr), *ex = hd_use_f(w, tx);
    const float *below = hd_use_f(w, tb), *ey = hd_use_f(w, ty);
    for (unsigned l = 0; l < hd_lanes(w); l++)
        hz[l] = magnetic(h[l], right[l], ex[l], below[l], ey[l]);
    hd_alu(w, 7);
    hd_st_f(w, mask, addr, hz);
}

static const char *prepare(struct hd_work *k)
{
    static hd_kernel *const kernel[3] = {step_ey, step_ex, step_hz};
    struct args *g = hd_work_args(k, sizeof *g);
    uint32_t block_cols = hd_work_param(k, "block_cols"), block_rows = hd_work_param(k, "block_rows");
    uint32_t steps = hd_work_param(k, "steps");
    g->rows = block_rows * BLOCK_Y;
    g->cols = block_cols * BLOCK_X;
    struct hd_array *ex = hd_work_array(k, "ex", (uint64_t)g->rows * (g->cols + 1));
    struct hd_array *ey = hd_work_array(k, "ey", (uint64_t)(g->rows + 1) * g->cols);
    struct hd_array *hz = hd_work_array(k, "hz", (uint64_t)g->rows * g->cols);
    struct hd_array *source = hd_work_array(k, "source", steps);
    hd_work_fill(k, ex, g->rows, g->cols + 1, g->cols + 1);
    hd_work_fill(k, ey, g->rows + 1, g->cols, g->cols);
    hd_work_fill(k, hz, g->rows, g->cols, g->cols);
    hd_work_fill(k, source, 1, steps, steps);
    g->ex = ex;
    g->ey = ey;
    g->hz = hz;
    g->source = source;
    for (uint32_t t = 0; t < steps; t++) {
        g->step[t] = (struct step){.g = g, .t = t};
        for (int n = 0; n < 3; n++)
            hd_work_launch(k, &(struct hd_launch){.fn = kernel[n], .args = &g->step[t], .grid_x = block_cols,
                                                  .grid_y = block_rows, .block_x = BLOCK_X, .block_y = BLOCK_Y});
    }
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    uint32_t n = g->cols, *ex = g->ex->host, *ey = g->ey->host, *hz = g->hz->host;
    for (uint32_t t = 0; t < g->source->words; t++) {
        for (uint32_t j = 0; j < n; j++)
            ey[j] = g->source->host[t];
        for (uint32_t x = n; x < g->rows * n; x++)
            ey[x] = hd_word(electric(hd_float(ey[x]), hd_float(hz[x]), hd_float(hz[x - n])));
        for (uint32_t i = 0; i < g->rows; i++)
            for (uint32_t j = 1; j < n; j++) {
                uint32_t *e = &ex[i * (n + 1) + j], *h = &hz[i * n + j];
                *e = hd_word(electric(hd_float(*e), hd_float(*h), hd_float(h[-1])));
            }
        for (uint32_t i = 0; i < g->rows; i++)
            for (uint32_t j = 0; j < n; j++) {
                uint32_t *h = &hz[i * n + j], *e = &ex[i * (n + 1) + j], *v = &ey[i * n + j];
                *h = hd_word(magnetic(hd_float(*h), hd_float(e[1]), hd_float(*e), hd_float(v[n]), hd_float(*v)));
            }
    }
}

static const struct hd_param params[] = {
    {"block_cols", 64, 1, 128, "blocks of 32 columns; their number is the row length"},
    {"block_rows", 4, 1, 256, "blocks of 8 rows"},
    {"steps", 2, 1, MAX_STEPS, "time steps, three grids each"},
    {0},
};

static const struct hd_full full[] = {{"block_rows", 16}, {0}};

const struct hd_workload hd_work_fdtd2d = {
    .name = "fdtd-2d",
    .doc = "electric and magnetic field on a grid in finite differences (Polybench, paper 1)",
    .params = params,
    .full = full,
    .prepare = prepare,
    .reference = reference,
};
