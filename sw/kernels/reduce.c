/* reduce.c - sums of blocks by a tree in the local data share: LDS and barriers. */
#include "work.h"

struct args {
    const struct hd_array *in, *out;
};

/* Word addresses of the lanes' threads in the LDS, moved by @shift words. @return lanes whose thread is below @limit. */
static hd_mask_t rows(const struct hd_warp *w, unsigned limit, unsigned shift, uint32_t *addr)
{
    hd_mask_t mask = 0;
    for (unsigned l = 0; l < hd_lanes(w); l++) {
        unsigned t = hd_thread(w, l);
        addr[l] = 4 * (t + shift);
        mask |= (hd_mask_t)(t < limit) << l;
    }
    return mask & hd_mask(w);
}

static void reduce(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    unsigned threads = hd_block_dim_x(w);
    uint32_t mine[HD_MAX_LANES], other[HD_MAX_LANES], sum[HD_MAX_LANES];
    hd_tok t = hd_ld_row(w, hd_mask(w), g->in->addr + 4 * hd_global_thread(w, 0));
    const uint32_t *v = hd_use(w, t);
    hd_mask_t mask = rows(w, threads, 0, mine);
    hd_lds_st(w, mask, mine, v, HD_ORD_RELAXED, HD_SCOPE_WG);
    for (unsigned half = threads / 2; half > 0; half /= 2) {
        hd_bar(w);
        mask = rows(w, half, half, other);
        if (mask == 0)
            continue;
        hd_tok ta = hd_lds_ld(w, mask, mine, HD_ORD_RELAXED, HD_SCOPE_WG);
        hd_tok tb = hd_lds_ld(w, mask, other, HD_ORD_RELAXED, HD_SCOPE_WG);
        const uint32_t *a = hd_use(w, ta), *b = hd_use(w, tb);
        for (unsigned l = 0; l < hd_lanes(w); l++)
            sum[l] = a[l] + b[l];
        hd_alu(w, 1);
        hd_lds_st(w, mask, mine, sum, HD_ORD_RELAXED, HD_SCOPE_WG);
    }
    mask = rows(w, 1, 0, mine);
    if (mask != 0) {
        hd_tok ta = hd_lds_ld(w, mask, mine, HD_ORD_RELAXED, HD_SCOPE_WG);
        sum[0] = hd_use(w, ta)[0];
        hd_st_row(w, mask, g->out->addr + 4 * hd_block(w), sum);
    }
}

static const char *prepare(struct hd_work *k)
{
    struct args *g = hd_work_args(k, sizeof *g);
    uint32_t blocks = hd_work_param(k, "blocks"), threads = hd_work_param(k, "threads");
    if ((threads & (threads - 1)) != 0)
        return "threads must be a power of two";
    struct hd_array *in = hd_work_array(k, "in", (uint64_t)blocks * threads);
    g->in = in;
    g->out = hd_work_array(k, "out", blocks);
    for (uint32_t i = 0; i < in->words; i++)
        in->host[i] = (uint32_t)hd_work_random(k);
    hd_work_launch(k, &(struct hd_launch){.fn = reduce, .args = g, .grid_x = blocks, .grid_y = 1, .block_x = threads,
                                          .block_y = 1, .lds_bytes = 4 * threads});
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    for (uint32_t b = 0; b < g->out->words; b++) {
        uint32_t threads = g->in->words / g->out->words, sum = 0;
        for (uint32_t i = 0; i < threads; i++)
            sum += g->in->host[b * threads + i];
        g->out->host[b] = sum;
    }
}

static const struct hd_param params[] = {
    {"blocks", 32, 1, 65536, "blocks, one sum each"},
    {"threads", 256, 1, 1024, "threads a block, a power of two"},
    {0},
};

const struct hd_workload hd_work_reduce = {
    .name = "reduce",
    .doc = "sum of each block's elements by a tree in the local data share",
    .params = params,
    .prepare = prepare,
    .reference = reference,
};
