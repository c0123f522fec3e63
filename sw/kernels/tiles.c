/* tiles.c - blocks work through tiles in the LDS that are brought there ahead of their use: by asynchronous copies, `ahead` tiles
 * under way, or through registers, as programs did before there were any. */
#include "work.h"

struct args {
    const struct hd_array *in, *out;
    uint32_t tiles, ahead, threads, words, copies, dirty;
};

/* Lane addresses of word @i of a thread, of tile @t. */
static void places(const struct hd_warp *w, const struct args *g, uint32_t t, uint32_t i, uint32_t lds[HD_MAX_LANES],
                   uint32_t addr[HD_MAX_LANES])
{
    uint32_t tile = g->threads * g->words, stage = t % (g->ahead + 1) * tile;
    for (unsigned l = 0; l < hd_lanes(w); l++) {
        uint32_t at = i * g->threads + hd_thread(w, l);
        lds[l] = 4 * (stage + at);
        addr[l] = g->in->addr + 4 * ((hd_block(w) * g->tiles + t) * tile + at);
    }
}

/* Copies or loads what this warp brings of tile @t. With `dirty` it stores every other word of it before, as it is: an L1 with word
 * states then has these words of a line, and no others. */
static void bring(struct hd_warp *w, const struct args *g, uint32_t t)
{
    uint32_t lds[HD_MAX_LANES], addr[HD_MAX_LANES];
    if (g->copies) {
        for (uint32_t i = 0; t < g->tiles && i < g->words; i++) {
            places(w, g, t, i, lds, addr);
            if (g->dirty) {
                uint32_t val[HD_MAX_LANES];
                for (unsigned l = 0; l < hd_lanes(w); l++)
                    val[l] = g->in->host[(addr[l] - g->in->addr) / 4];
                hd_st(w, HD_ALL_LANES & 0x5555555555555555, addr, val);
            }
            hd_copy(w, HD_ALL_LANES, lds, addr);
        }
        hd_copy_close(w); /* also an empty group: the waits below count them */
        return;
    }
    for (uint32_t i = 0; t < g->tiles && i < g->words; i++) {
        places(w, g, t, i, lds, addr);
        const uint32_t *v = hd_use(w, hd_ld(w, HD_ALL_LANES, addr));
        hd_lds_st(w, HD_ALL_LANES, lds, v, HD_ORD_RELAXED, HD_SCOPE_WG);
    }
}

/* All words of the tile, each times the number of its turn, from another warp's part. */
static void tiles(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    uint32_t lds[HD_MAX_LANES], sum[HD_MAX_LANES] = {0}, tile = g->threads * g->words, out[HD_MAX_LANES];
    for (uint32_t t = 0; t < g->ahead; t++)
        bring(w, g, t);
    for (uint32_t t = 0; t < g->tiles; t++) {
        bring(w, g, t + g->ahead);
        if (g->copies)
            hd_copy_wait(w, g->ahead);
        else
            hd_fence(w, HD_ORD_ACQ_REL, HD_SCOPE_WG);
        hd_bar(w);
        uint32_t stage = t % (g->ahead + 1) * tile;
        for (uint32_t i = 0; i < g->words; i++) {
            for (unsigned l = 0; l < hd_lanes(w); l++)
                lds[l] = 4 * (stage + (i * g->threads + hd_thread(w, l) + g->threads / 2 + 1) % tile);
            const uint32_t *v = hd_use(w, hd_lds_ld(w, HD_ALL_LANES, lds, HD_ORD_RELAXED, HD_SCOPE_WG));
            for (unsigned l = 0; l < hd_lanes(w); l++)
                sum[l] += v[l] * (t * g->words + i + 1);
            hd_alu(w, 2);
        }
        hd_bar(w); /* the next but `ahead` takes its place */
    }
    for (unsigned l = 0; l < hd_lanes(w); l++)
        out[l] = g->out->addr + 4 * (hd_block(w) * g->threads + hd_thread(w, l));
    hd_st(w, HD_ALL_LANES, out, sum);
}

static const char *prepare(struct hd_work *k)
{
    struct args *g = hd_work_args(k, sizeof *g);
    uint32_t blocks = hd_work_param(k, "blocks");
    const struct hd_config *c = hd_work_config(k);
    g->tiles = hd_work_param(k, "tiles");
    g->ahead = hd_work_param(k, "ahead");
    g->threads = hd_work_param(k, "threads");
    g->words = hd_work_param(k, "words");
    g->copies = hd_work_param(k, "way");
    g->dirty = hd_work_param(k, "dirty");
    if (g->copies && c->copies == 0)
        return "way = 1: needs asynchronous copies, copies = 1 or more; 0 brings tiles through registers";
    if (4 * (g->ahead + 1) * g->threads * g->words > c->lds_bytes)
        return "(ahead + 1) * threads * words: more words than the LDS has, lds_bytes / 4";
    struct hd_array *in = hd_work_array(k, "in", blocks * g->tiles * g->threads * g->words);
    g->in = in;
    g->out = hd_work_array(k, "out", blocks * g->threads);
    for (uint32_t i = 0; i < in->words; i++)
        in->host[i] = (uint32_t)hd_work_random(k);
    hd_work_launch(k, &(struct hd_launch){.fn = tiles, .args = g, .grid_x = blocks, .grid_y = 1, .block_x = g->threads,
                                          .block_y = 1, .lds_bytes = 4 * (g->ahead + 1) * g->threads * g->words});
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    uint32_t tile = g->threads * g->words, blocks = g->out->words / g->threads;
    for (uint32_t b = 0; b < blocks; b++)
        for (uint32_t x = 0; x < g->threads; x++) {
            uint32_t sum = 0;
            for (uint32_t t = 0; t < g->tiles; t++)
                for (uint32_t i = 0; i < g->words; i++)
                    sum += g->in->host[(b * g->tiles + t) * tile + (i * g->threads + x + g->threads / 2 + 1) % tile]
                           * (t * g->words + i + 1);
            g->out->host[b * g->threads + x] = sum;
        }
}

static const struct hd_param params[] = {
    {"blocks", 16, 1, 4096, "thread blocks"},
    {"tiles", 8, 1, 1024, "tiles a block works through"},
    {"threads", 64, 1, 1024, "threads a block"},
    {"words", 2, 1, 64, "words of a tile a thread brings"},
    {"ahead", 2, 0, 7, "tiles that are brought before they are used"},
    {"way", 0, 0, 1, "0 loads and stores, 1 asynchronous copies (copies = 1 or more)"},
    {"dirty", 0, 0, 1, "1: every other word is stored, unchanged, before it is copied (way = 1)"},
    {0},
};

const struct hd_workload hd_work_tiles = {
    .name = "tiles",
    .doc = "sums of tiles in the LDS, brought ahead of their use through registers or by asynchronous copies",
    .params = params,
    .prepare = prepare,
    .reference = reference,
};
