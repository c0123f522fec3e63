/* stream.c - a[i] = b[i] + 3 c[i] over long arrays, `ahead` elements a thread in flight: memory bandwidth. */
#include "work.h"

enum { MAX_AHEAD = 8 };

struct args {
    uint32_t items, ahead;
    const struct hd_array *a, *b, *c;
};

static void stream(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    uint32_t sum[HD_MAX_LANES];
    hd_mask_t mask = hd_mask(w);
    uint32_t step = 4 * hd_grid_dim_x(w) * hd_block_dim_x(w);
    uint32_t offset = 4 * hd_global_thread(w, 0);
    for (uint32_t i = 0; i < g->items; i += g->ahead) {
        hd_tok tb[MAX_AHEAD], tc[MAX_AHEAD];
        uint32_t n = g->items - i < g->ahead ? g->items - i : g->ahead;
        for (uint32_t j = 0; j < n; j++) {
            tb[j] = hd_ld_row(w, mask, g->b->addr + offset + j * step);
            tc[j] = hd_ld_row(w, mask, g->c->addr + offset + j * step);
        }
        for (uint32_t j = 0; j < n; j++, offset += step) {
            const uint32_t *b = hd_use(w, tb[j]), *c = hd_use(w, tc[j]);
            for (unsigned l = 0; l < hd_lanes(w); l++)
                sum[l] = b[l] + 3 * c[l];
            hd_alu(w, 2);
            hd_st_row(w, mask, g->a->addr + offset, sum);
        }
    }
}

static const char *prepare(struct hd_work *k)
{
    struct args *g = hd_work_args(k, sizeof *g);
    uint32_t blocks = hd_work_param(k, "blocks"), threads = hd_work_param(k, "threads");
    if (blocks == 0)
        blocks = 2 * hd_work_config(k)->sms;
    g->items = hd_work_param(k, "items");
    g->ahead = hd_work_param(k, "ahead");
    uint64_t n = (uint64_t)blocks * threads * g->items;
    struct hd_array *b = hd_work_array(k, "b", n), *c = hd_work_array(k, "c", n);
    g->a = hd_work_array(k, "a", n);
    for (uint32_t i = 0; i < g->a->words; i++) {
        b->host[i] = (uint32_t)hd_work_random(k);
        c->host[i] = (uint32_t)hd_work_random(k);
    }
    g->b = b;
    g->c = c;
    hd_work_launch(k, &(struct hd_launch){.fn = stream, .args = g, .grid_x = blocks, .grid_y = 1,
                                          .block_x = threads, .block_y = 1});
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    for (uint32_t i = 0; i < g->a->words; i++)
        g->a->host[i] = g->b->host[i] + 3 * g->c->host[i];
    hd_work_counter(k, "stream.bytes", 12ull * g->a->words);
}

static const struct hd_param params[] = {
    {"blocks", 0, 0, 4096, "blocks; 0 = two an SM"},
    {"threads", 256, 1, 1024, "threads a block"},
    {"items", 16, 1, 4096, "elements a thread"},
    {"ahead", 2, 1, MAX_AHEAD, "elements a thread loads before it uses the first"},
    {0},
};

const struct hd_workload hd_work_stream = {
    .name = "stream",
    .doc = "a[i] = b[i] + 3 c[i] over long arrays: memory bandwidth",
    .params = params,
    .prepare = prepare,
    .reference = reference,
};
