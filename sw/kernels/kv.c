/* kv.c - puts into a table in non-volatile memory: each thread writes values and then their keys, with a persist barrier between
 * (paper 4, the use of the narrowest scope). Whatever a power cut leaves, no key may be there without its value: heddle crash. */
#include "work.h"

struct args {
    const struct hd_array *value, *key;
    uint32_t puts, scope;
    bool together;
};

/* The value of key @k: not 0, and no other key's. */
static uint32_t value_of(uint32_t k)
{
    return k ^ 0x5a5a5a5a;
}

static void put(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    uint32_t addr[2 * HD_MAX_LANES], word[HD_MAX_LANES], lanes = hd_lanes(w);
    for (uint32_t p = 0; p < g->puts; p++) {
        if (g->together) {             /* a pair is a grain: two lanes of one store */
            for (uint32_t half = 0; half < 2; half++) {
                for (uint32_t l = 0; l < lanes; l++) {
                    uint32_t slot = hd_global_thread(w, half * lanes / 2 + l / 2) * g->puts + p;
                    addr[l] = hd_at(g->value, 2 * slot + l % 2);
                    word[l] = l % 2 ? slot + 1 : value_of(slot + 1);
                }
                hd_st(w, HD_ALL_LANES, addr, word);
            }
            continue;
        }
        for (unsigned step = 0; step < 2; step++) {
            const struct hd_array *a = step ? g->key : g->value;
            for (uint32_t l = 0; l < lanes; l++) {
                uint32_t slot = hd_global_thread(w, l) * g->puts + p;
                addr[l] = hd_at(a, slot);
                word[l] = step ? slot + 1 : value_of(slot + 1);
            }
            hd_st(w, HD_ALL_LANES, addr, word);
            if (g->scope > 0)
                hd_pbarrier(w, g->scope == 1 ? HD_SCOPE_WI : g->scope == 2 ? HD_SCOPE_WG : HD_SCOPE_DEVICE);
        }
    }
}

static const char *prepare(struct hd_work *k)
{
    struct args *g = hd_work_args(k, sizeof *g);
    uint32_t threads = hd_work_param(k, "threads"), blocks = hd_work_param(k, "blocks");
    g->puts = hd_work_param(k, "puts");
    g->scope = hd_work_param(k, "scope");
    g->together = hd_work_param(k, "together");
    uint64_t slots = (uint64_t)threads * blocks * g->puts;
    g->value = hd_work_durable(k, "value", slots * (g->together ? 2 : 1));
    g->key = hd_work_durable(k, "key", g->together ? 1 : slots);
    if (threads % hd_work_config(k)->lanes != 0)
        return "threads must be whole warps";
    hd_work_launch(k, &(struct hd_launch){.fn = put, .args = g, .grid_x = blocks, .grid_y = 1, .block_x = threads, .block_y = 1});
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    uint32_t step = g->together ? 2 : 1;
    for (uint32_t i = 0; i < g->value->words / step; i++) {
        g->value->host[step * i] = value_of(i + 1);
        (g->together ? g->value : g->key)->host[g->together ? 2 * i + 1 : i] = i + 1;
    }
}

static const struct hd_param params[] = {
    {"threads", 64, 1, 1024, "a block, whole warps"},
    {"blocks", 4, 1, 4096, "blocks"},
    {"puts", 8, 1, 1024, "pairs a thread writes, one after the other"},
    {"scope", 1, 0, 3, "of the barriers between: 0 none, 1 work-item, 2 work-group, 3 kernel"},
    {"together", 0, 0, 1, "1: value and key of a pair are one grain, written by one store; no barriers"},
    {0},
};

const struct hd_workload hd_work_kv = {
    .name = "kv",
    .doc = "puts into a persistent table: value, persist barrier, key",
    .params = params,
    .prepare = prepare,
    .reference = reference,
};
