/* sync.h - what the benchmarks of synchronization (mutexes, semaphores, barriers) share: where blocks are, and the data
 * that their critical sections move. Paper 3, section 5.3; the suite is HeteroSync's, of which nothing is copied.
 *
 * A block is one warp; block b runs on SM b mod S, S = SMs or blocks, whichever is less, and all of them at once. Variants
 * with local = 1 synchronize the blocks of an SM among themselves, in scope WG where the machine has scopes.
 *
 * Data: 16 lanes move a column of n + 1 lines of 16 words; a visit moves each line up by one, from the last to the first,
 * so that line n ends as what line 0 was. Lines 0 are only read (DD+RO's read-only region). That forgets: after n visits a lost one is no longer seen.
 * With strong = 1, the default, each visit also adds one to a line of counters and its number to what leaves line 0, so
 * that every word tells which visit wrote it: each word read is checked against the counter read in the same visit, and
 * what is left at the end against the number of visits. */
#ifndef HD_SYNC_H
#define HD_SYNC_H
#include "work.h"

enum { HD_SYNC_LINE = 16 }; /* words */

struct hd_sync {
    uint32_t sms;             /* S */
    uint32_t per_sm, blocks;  /* blocks an SM, all */
    uint32_t visits;          /* of a block */
    uint32_t n;               /* loads and stores a lane and visit */
    uint32_t lanes;
    uint32_t pad;             /* words from a lock to the next SM's: 1, or a line */
    bool local, strong, locked;
    unsigned scope;           /* of what synchronizes: scope_e */
    uint32_t regions;         /* of data */
    struct hd_array *data, *source; /* source: the lines 0, a read-only region */
    uint32_t *torn;           /* [blocks] words read that are of another visit than they should be */
};

/* The parameters that all have: a table starts with them. @local: 0 or 1, and what 1 means; @visits: what they are called. */
#define HD_SYNC_PARAMS(local, means, visits)                                                               \
    {"local", local, 0, 1, means},                                                                        \
        {"per_sm", 2, 1, 32, "blocks an SM, of one warp each"}, {"visits", 4, 1, 1000000, visits},          \
        {"n", 4, 1, 64, "loads and stores a lane and visit"},                                             \
        {"strong", 1, 0, 1, "1: data tell which visit wrote them, and are checked at every load"},          \
        {"padded", 0, 0, 1, "1: a line for each word that synchronizes"},                                 \
        {"locked", 1, 0, 1, "0: nothing synchronizes, to see the checks fail"}
#define HD_SYNC_FULL {"per_sm", 3}, {"visits", 100}, {"n", 10}, {NULL, 0}

/* The workload's arguments, of @bytes and zeroed but for the struct hd_sync they start with, which is filled from the
 * parameters. *why: NULL, or why it cannot run. */
void *hd_sync_args(struct hd_work *k, size_t bytes, const char **why);

/* Makes @regions regions of data; adds the grid. */
void hd_sync_data(struct hd_work *k, struct hd_sync *g, uint32_t regions);
void hd_sync_launch(struct hd_work *k, const struct hd_sync *g, hd_kernel *fn);

/* Brings the data to what @times(region) visits leave, and reports torn words. */
void hd_sync_golden(struct hd_work *k, const struct hd_sync *g, uint32_t (*times)(const struct hd_sync *g, uint32_t region));

static inline uint32_t hd_sync_sm(const struct hd_sync *g, const struct hd_warp *w) { return hd_block(w) % g->sms; }
static inline uint32_t hd_sync_nth(const struct hd_sync *g, const struct hd_warp *w) { return hd_block(w) / g->sms; }

/* One visit of a region: moves it, or only reads it. */
void hd_sync_shift(struct hd_warp *w, const struct hd_sync *g, uint32_t region);
void hd_sync_read(struct hd_warp *w, const struct hd_sync *g, uint32_t region);

/* By lane 0, at the word at @addr; each waits for its answer. */
uint32_t hd_sync_load(struct hd_warp *w, uint32_t addr, unsigned order, unsigned scope);
uint32_t hd_sync_atom(struct hd_warp *w, unsigned fn, uint32_t addr, uint32_t value, unsigned order, unsigned scope);
uint32_t hd_sync_cas(struct hd_warp *w, uint32_t addr, uint32_t expect, uint32_t value, unsigned order, unsigned scope);

/* Exchange that releases; nobody waits for the old word. */
void hd_sync_put(struct hd_warp *w, uint32_t addr, uint32_t value, unsigned scope);
void hd_sync_idle(struct hd_warp *w, uint32_t cycles);
#endif
