/* vecadd.c - c[i] = a[i] + b[i], one element a thread. */
#include "work.h"

struct args {
    const struct hd_array *a, *b, *c;
};

static void vecadd(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    uint32_t first = hd_global_thread(w, 0), sum[HD_MAX_LANES];
    hd_mask_t mask = 0;
    for (unsigned l = 0; l < hd_lanes(w); l++)
        mask |= (hd_mask_t)(first + l < g->c->words) << l;
    hd_tok ta = hd_ld_row(w, mask, g->a->addr + 4 * first);
    hd_tok tb = hd_ld_row(w, mask, g->b->addr + 4 * first);
    const uint32_t *a = hd_use(w, ta), *b = hd_use(w, tb);
    for (unsigned l = 0; l < hd_lanes(w); l++)
        sum[l] = a[l] + b[l];
    hd_alu(w, 1);
    hd_st_row(w, mask, g->c->addr + 4 * first, sum);
}

static const char *prepare(struct hd_work *k)
{
    struct args *g = hd_work_args(k, sizeof *g);
    uint32_t n = hd_work_param(k, "n"), threads = hd_work_param(k, "threads");
    struct hd_array *a = hd_work_array(k, "a", n), *b = hd_work_array(k, "b", n);
    g->a = a;
    g->b = b;
    g->c = hd_work_array(k, "c", n);
    for (uint32_t i = 0; i < g->c->words; i++) {
        a->host[i] = (uint32_t)hd_work_random(k);
        b->host[i] = (uint32_t)hd_work_random(k);
    }
    hd_work_launch(k, &(struct hd_launch){.fn = vecadd, .args = g, .grid_x = (n + threads - 1) / threads,
                                          .grid_y = 1, .block_x = threads, .block_y = 1});
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    for (uint32_t i = 0; i < g->c->words; i++)
        g->c->host[i] = g->a->host[i] + g->b->host[i];
}

static const struct hd_param params[] = {
    {"n", 8192, 1, 1u << 24, "elements"},
    {"threads", 256, 1, 1024, "threads a block"},
    {0},
};

const struct hd_workload hd_work_vecadd = {
    .name = "vecadd",
    .doc = "c[i] = a[i] + b[i] on integers: streaming loads and stores",
    .params = params,
    .prepare = prepare,
    .reference = reference,
};
