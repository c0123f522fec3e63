/* backprop.c - backprop of Rodinia: a layer of a neural network. forward: 16 hidden units, products of weights and inputs
 * summed up in the LDS, a sum a block of 16 inputs; adjust: weights and their last changes. The host of the original adds
 * up the blocks' sums and computes the changes' causes between the two grids, and sends the weights again, which forward
 * has overwritten: here the second grid has a copy of its own, and its causes are data. */
#include "work.h"

enum { UNITS = 16, PITCH = UNITS + 1 }; /* hidden units; words of a row of weights, the first of which is the bias */
static const float RATE = 0.3f;

struct args {
    uint32_t inputs;
    const struct hd_array *in, *product, *sums, *weight, *last, *cause;
};

/* Places of a thread: of its block's table in the LDS, of its input, of its weight. */
struct place {
    uint32_t x[HD_MAX_LANES], y[HD_MAX_LANES], row[HD_MAX_LANES], at[HD_MAX_LANES];
};

static void places(const struct hd_warp *w, struct place *p)
{
    for (unsigned l = 0; l < hd_lanes(w); l++) {
        uint32_t t = hd_thread(w, l);
        p->x[l] = t % UNITS;
        p->y[l] = t / UNITS;
        p->row[l] = hd_block_y(w) * UNITS + p->y[l] + 1;
        p->at[l] = p->row[l] * PITCH + p->x[l] + 1;
    }
}

static const uint32_t *load(struct hd_warp *w, hd_mask_t mask, const struct hd_array *a, const uint32_t *index)
{
    uint32_t addr[HD_MAX_LANES];
    for (unsigned l = 0; l < hd_lanes(w); l++)
        addr[l] = hd_at(a, index[l]);
    return hd_use(w, hd_ld(w, mask, addr));
}

static void store(struct hd_warp *w, hd_mask_t mask, const struct hd_array *a, const uint32_t *index, const uint32_t *value)
{
    uint32_t addr[HD_MAX_LANES];
    for (unsigned l = 0; l < hd_lanes(w); l++)
        addr[l] = hd_at(a, index[l]);
    hd_st(w, mask, addr, value);
}

static const uint32_t *lds(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr)
{
    return hd_use(w, hd_lds_ld(w, mask, addr, HD_ORD_RELAXED, HD_SCOPE_WG));
}

static void forward(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    struct place p;
    uint32_t own[HD_MAX_LANES], at[HD_MAX_LANES], value[HD_MAX_LANES] = {0}, lanes = hd_lanes(w);
    hd_mask_t first = 0;
    places(w, &p);
    for (uint32_t l = 0; l < lanes; l++) {
        first |= p.x[l] == 0 ? hd_lane(l) : 0;
        at[l] = 4 * p.y[l];                            /* inputs: the first words of the LDS */
        own[l] = 4 * (UNITS + p.y[l] * UNITS + p.x[l]);
    }
    hd_lds_st(w, first, at, load(w, first, g->in, p.row), HD_ORD_RELAXED, HD_SCOPE_WG);
    hd_bar(w);
    memcpy(value, load(w, HD_ALL_LANES, g->product, p.at), lanes * sizeof *value);
    const uint32_t *in = lds(w, HD_ALL_LANES, at);
    for (uint32_t l = 0; l < lanes; l++)
        value[l] = hd_word(hd_float(value[l]) * hd_float(in[l]));
    hd_alu(w, 1);
    hd_lds_st(w, HD_ALL_LANES, own, value, HD_ORD_RELAXED, HD_SCOPE_WG);
    hd_bar(w);
    for (uint32_t far = 1; far < UNITS; far *= 2) {    /* the tree of sums: rows far apart */
        hd_mask_t mask = 0;
        for (uint32_t l = 0; l < lanes; l++) {
            mask |= p.y[l] % (2 * far) == 0 ? hd_lane(l) : 0;
            at[l] = own[l] + 4 * far * UNITS;
        }
        if (mask & hd_mask(w)) {
            const uint32_t *other = lds(w, mask, at);
            for (uint32_t l = 0; l < lanes; l++)
                if (mask >> l & 1)
                    value[l] = hd_word(hd_float(value[l]) + hd_float(other[l]));
            hd_alu(w, 1);
            hd_lds_st(w, mask, own, value, HD_ORD_RELAXED, HD_SCOPE_WG);
        }
        hd_bar(w);
    }
    store(w, HD_ALL_LANES, g->product, p.at, value);
    for (uint32_t l = 0; l < lanes; l++) {             /* thread (0, y) stores the sum of unit y, which is in row 0 */
        at[l] = 4 * (UNITS + p.y[l]);
        p.at[l] = hd_block_y(w) * UNITS + p.y[l];
    }
    if (first & hd_mask(w))
        store(w, first, g->sums, p.at, lds(w, first, at));
}

/* What a weight changes by, from what it changed by last. */
static float change(float cause, float in, float last)
{
    return RATE * cause * in + RATE * last;
}

static void adjust(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    struct place p;
    uint32_t lanes = hd_lanes(w), cause[HD_MAX_LANES], in[HD_MAX_LANES], last[HD_MAX_LANES], weight[HD_MAX_LANES];
    uint32_t unit[HD_MAX_LANES];
    hd_mask_t mask = HD_ALL_LANES;
    places(w, &p);
    for (uint32_t l = 0; l < lanes; l++)
        unit[l] = p.x[l] + 1;
    for (int bias = 0; bias < 2; bias++) {             /* the second time the biases, in the first row of threads */
        memcpy(cause, load(w, mask, g->cause, unit), lanes * sizeof *cause);
        if (!bias)
            memcpy(in, load(w, mask, g->in, p.row), lanes * sizeof *in);
        memcpy(last, load(w, mask, g->last, p.at), lanes * sizeof *last);
        memcpy(weight, load(w, mask, g->weight, p.at), lanes * sizeof *weight);
        for (uint32_t l = 0; l < lanes; l++) {
            if (!(mask & hd_mask(w) & hd_lane(l)))
                continue;
            last[l] = hd_word(change(hd_float(cause[l]), bias ? 1 : hd_float(in[l]), hd_float(last[l])));
            weight[l] = hd_word(hd_float(weight[l]) + hd_float(last[l]));
        }
        hd_alu(w, 6);
        store(w, mask, g->weight, p.at, weight);
        store(w, mask, g->last, p.at, last);
        hd_bar(w);
        mask = 0;
        for (uint32_t l = 0; l < lanes; l++) {
            mask |= p.y[l] == 0 && hd_block_y(w) == 0 ? hd_lane(l) : 0;
            p.at[l] = unit[l];
        }
        if (!(mask & hd_mask(w)))
            break;
    }
}

static const char *prepare(struct hd_work *k)
{
    struct args *g = hd_work_args(k, sizeof *g);
    g->inputs = hd_work_param(k, "inputs");
    if (g->inputs % UNITS)
        return "inputs: must be a multiple of 16";
    uint32_t rows = g->inputs + 1, words = rows * PITCH;
    struct { const struct hd_array **to; const char *name; uint32_t words; bool zero; } list[] = {
        {&g->in, "inputs", rows, false}, {&g->product, "weights, overwritten", words, false},
        {&g->sums, "sums", g->inputs, true}, {&g->weight, "weights", words, false}, {&g->last, "changes", words, false},
        {&g->cause, "causes", PITCH, false}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        struct hd_array *a = hd_work_array(k, list[i].name, list[i].words);
        if (!list[i].zero)
            hd_work_fill(k, a, 1, list[i].words, list[i].words);
        *list[i].to = a;
    }
    hd_kernel *const kernels[] = {forward, adjust};
    for (int i = 0; i < 2; i++)
        hd_work_launch(k, &(struct hd_launch){.fn = kernels[i], .args = g, .grid_x = 1, .grid_y = g->inputs / UNITS,
                                              .block_x = UNITS, .block_y = UNITS,
                                              .lds_bytes = i == 0 ? 4 * (UNITS + UNITS * UNITS) : 0});
    return NULL;
}

/* Sums of a block's products, as a tree; @return that of rows @row to @row + @rows - 1. What forward leaves in place of a
 * weight is the sum of the rows that its thread added. */
static float tree(const struct args *g, uint32_t row, uint32_t rows, uint32_t unit)
{
    uint32_t *at = &g->product->host[row * PITCH + unit];
    float sum = rows == 1 ? hd_float(*at) * hd_float(g->in->host[row])
                          : tree(g, row, rows / 2, unit) + tree(g, row + rows / 2, rows / 2, unit);
    *at = hd_word(sum);
    return sum;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    for (uint32_t block = 0; block < g->inputs / UNITS; block++)
        for (uint32_t unit = 1; unit <= UNITS; unit++)
            g->sums->host[block * UNITS + unit - 1] = hd_word(tree(g, block * UNITS + 1, UNITS, unit));
    for (uint32_t row = 0; row <= g->inputs; row++)
        for (uint32_t unit = 1; unit <= UNITS; unit++) {
            uint32_t *last = &g->last->host[row * PITCH + unit], *weight = &g->weight->host[row * PITCH + unit];
            *last = hd_word(change(hd_float(g->cause->host[unit]), row ? hd_float(g->in->host[row]) : 1, hd_float(*last)));
            *weight = hd_word(hd_float(*weight) + hd_float(*last));
        }
}

static const struct hd_param params[] = {{"inputs", 512, 16, 65536, "a multiple of 16"}, {0}};
static const struct hd_full full[] = {{"inputs", 8192}, {NULL, 0}};
const struct hd_workload hd_work_backprop = {
    .name = "backprop", .doc = "paper 3, BP: a layer of a neural network, forward and back", .params = params, .full = full,
    .prepare = prepare, .reference = reference,
};
