/* spinlock.c - two counters in different lines under one test-and-set lock, one lane a warp. Fences around the
 * critical section make it right under every memory ordering; the counters then always agree, and every value
 * from 0 up is seen by exactly one holder. */
#include "work.h"
#include <stdlib.h>

struct args {
    uint32_t warps, rounds;
    const struct hd_array *lock, *first, *second, *seen;
    uint32_t torn[]; /* times the counters differed under the lock, a warp */
};

static void acquire(struct hd_warp *w, const uint32_t *lock)
{
    static const uint32_t taken[HD_MAX_LANES] = {1};
    /* The pause must not cost issue slots: under GTO older spinners would take them all from a young holder. */
    for (unsigned pause = 4; hd_use(w, hd_atom(w, HD_AT_EXCH, 1, lock, taken))[0] != 0;) {
        hd_sleep(w, hd_now(w) + pause);
        if (pause < 64)
            pause *= 2;
    }
    hd_fence(w, HD_ORD_ACQUIRE, HD_SCOPE_DEVICE);
}

static void release(struct hd_warp *w, const uint32_t *lock)
{
    static const uint32_t open[HD_MAX_LANES] = {0};
    hd_fence(w, HD_ORD_RELEASE, HD_SCOPE_DEVICE);
    hd_atom(w, HD_AT_EXCH, 1, lock, open);
}

static void spinlock(struct hd_warp *w, void *args)
{
    struct args *g = args;
    uint32_t id = hd_block(w) * g->warps + hd_warp_in_block(w);
    for (uint32_t i = 0; i < g->rounds; i++) {
        acquire(w, &g->lock->addr);
        hd_tok t1 = hd_ld_row(w, 1, g->first->addr), t2 = hd_ld_row(w, 1, g->second->addr);
        uint32_t v1 = hd_use(w, t1)[0], v2 = hd_use(w, t2)[0];
        g->torn[id] += v1 != v2;
        uint32_t n1 = v1 + 1, n2 = v2 + 1, me = id + 1;
        hd_alu(w, 2);
        hd_st_row(w, 1, g->first->addr, &n1);
        hd_st_row(w, 1, g->second->addr, &n2);
        if (v1 < g->seen->words)
            hd_st_row(w, 1, g->seen->addr + 4 * v1, &me);
        release(w, &g->lock->addr);
    }
}

static const char *prepare(struct hd_work *k)
{
    const struct hd_config *c = hd_work_config(k);
    uint32_t blocks = hd_work_param(k, "blocks"), warps = hd_work_param(k, "warps");
    if (blocks == 0)
        blocks = c->sms;
    struct args *g = hd_work_args(k, sizeof *g + (size_t)blocks * warps * sizeof g->torn[0]);
    g->warps = warps;
    g->rounds = hd_work_param(k, "rounds");
    g->lock = hd_work_array(k, "lock", 1);
    g->first = hd_work_array(k, "first", 1);
    g->second = hd_work_array(k, "second", 1);
    struct hd_array *seen = hd_work_array(k, "seen", (uint64_t)blocks * warps * g->rounds);
    seen->free_form = true;
    g->seen = seen;
    hd_work_launch(k, &(struct hd_launch){.fn = spinlock, .args = g, .grid_x = blocks, .grid_y = 1,
                                          .block_x = warps * c->lanes, .block_y = 1});
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    uint32_t n = g->seen->words, ids = n / g->rounds;
    uint32_t *times = calloc(ids, sizeof *times);
    g->first->host[0] = n;
    g->second->host[0] = n;
    for (uint32_t i = 0; times && i < n; i++) {
        uint32_t me = g->seen->result[i];
        if (me == 0 || me > ids)
            hd_work_fail(k, "seen[%u] = %u: no warp held the lock at counter value %u", i, me, i);
        else if (++times[me - 1] > g->rounds)
            hd_work_fail(k, "seen[%u]: warp %u held the lock more than rounds = %u times", i, me - 1, g->rounds);
    }
    for (uint32_t id = 0; id < ids; id++)
        if (g->torn[id])
            hd_work_fail(k, "warp %u saw the two counters differ under the lock %u times", id, g->torn[id]);
    if (!times)
        hd_work_fail(k, "no memory for the check");
    free(times);
}

static const struct hd_param params[] = {
    {"blocks", 0, 0, 256, "blocks; 0 = one an SM"},
    {"warps", 2, 1, 64, "warps a block, one contender each"},
    {"rounds", 4, 1, 4096, "critical sections a warp"},
    {0},
};

const struct hd_workload hd_work_spinlock = {
    .name = "spinlock",
    .doc = "two counters under a test-and-set lock made of atomics and fences",
    .params = params,
    .prepare = prepare,
    .reference = reference,
};
