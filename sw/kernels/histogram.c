/* histogram.c - counts values with atomic adds. The old value each add returned is kept: those of one bin must
 * be 0, 1, 2, ... each once, in any order. */
#include "work.h"
#include <stdlib.h>

struct args {
    uint32_t items;   /* a thread */
    const struct hd_array *in, *hist, *old;
};

static void histogram(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    uint32_t one[HD_MAX_LANES], addr[HD_MAX_LANES];
    hd_mask_t mask = hd_mask(w);
    for (unsigned l = 0; l < hd_lanes(w); l++)
        one[l] = 1;
    uint32_t threads = hd_grid_dim_x(w) * hd_block_dim_x(w);
    for (uint32_t n = 0; n < g->items; n++) {
        uint32_t offset = 4 * (n * threads + hd_global_thread(w, 0));
        const uint32_t *bin = hd_use(w, hd_ld_row(w, mask, g->in->addr + offset));
        for (unsigned l = 0; l < hd_lanes(w); l++)
            addr[l] = g->hist->addr + 4 * bin[l];
        hd_alu(w, 2);
        const uint32_t *old = hd_use(w, hd_atom(w, HD_AT_ADD, mask, addr, one));
        hd_st_row(w, mask, g->old->addr + offset, old);
    }
}

static const char *prepare(struct hd_work *k)
{
    struct args *g = hd_work_args(k, sizeof *g);
    uint32_t blocks = hd_work_param(k, "blocks"), threads = hd_work_param(k, "threads");
    uint32_t bins = hd_work_param(k, "bins");
    g->items = hd_work_param(k, "items");
    uint64_t n = (uint64_t)blocks * threads * g->items;
    struct hd_array *in = hd_work_array(k, "in", n), *old = hd_work_array(k, "old", n);
    g->hist = hd_work_array(k, "hist", bins);
    old->free_form = true;
    for (uint32_t i = 0; i < in->words; i++)
        in->host[i] = hd_work_random_below(k, bins);
    g->in = in;
    g->old = old;
    hd_work_launch(k, &(struct hd_launch){.fn = histogram, .args = g, .grid_x = blocks, .grid_y = 1,
                                          .block_x = threads, .block_y = 1});
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    uint32_t n = g->in->words, bins = g->hist->words, *count = g->hist->host;
    uint32_t *first = calloc(bins, sizeof *first); /* of a bin's n-th add in seen[] */
    uint32_t *seen = calloc(n, sizeof *seen);
    if (!first || !seen) {
        hd_work_fail(k, "no memory for the check");
        goto out;
    }
    for (uint32_t i = 0; i < n; i++)
        count[g->in->host[i]]++;
    for (uint32_t b = 1; b < bins; b++)
        first[b] = first[b - 1] + count[b - 1];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t bin = g->in->host[i], old = g->old->result[i];
        if (old >= count[bin])
            hd_work_fail(k, "old[%u]: an add to hist[%u] returned %u, the bin has %u adds", i, bin, old, count[bin]);
        else if (seen[first[bin] + old]++)
            hd_work_fail(k, "old[%u]: a second add to hist[%u] returned %u", i, bin, old);
    }
out:
    free(first);
    free(seen);
}

static const struct hd_param params[] = {
    {"blocks", 16, 1, 4096, "blocks"},
    {"threads", 128, 1, 1024, "threads a block"},
    {"items", 4, 1, 1024, "values a thread"},
    {"bins", 64, 1, 1u << 20, "bins"},
    {0},
};

const struct hd_workload hd_work_histogram = {
    .name = "histogram",
    .doc = "atomic adds to shared bins; counts and returned old values are checked",
    .params = params,
    .prepare = prepare,
    .reference = reference,
};
