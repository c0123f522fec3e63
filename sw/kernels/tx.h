/* tx.h - critical sections on words of the LDS, made atomic in one of five ways, and the frame of the benchmarks of paper 5
 * that use them: HT, KM, GA (ht.c, km.c, ga.c). One block of 256 threads.
 *
 * The frame clears or fills the LDS, waits for all warps, has each start `skew` x 7 x its number cycles late, runs the benchmark,
 * waits for all warps and copies the data out. Only what is between the two waits counts. */
#ifndef HD_TX_H
#define HD_TX_H
#include "work.h"

enum { HD_TX_THREADS = 256, HD_TX_DRAWS = 8, HD_TX_NOTES = 4 };

/* Values of the parameter `way`. The fifth, perfect transactions, are HD_TX_TM on a machine with local_tm = ideal. */
enum hd_tx_way {
    HD_TX_TM,       /* transactions */
    HD_TX_SERIAL,   /* one thread after the other, a barrier behind each */
    HD_TX_LOCKS,    /* a lock a bucket, centre, solution */
    HD_TX_LOCK1,    /* one lock */
    HD_TX_WAYS
};

struct hd_tx_bench {
    uint32_t n, way, skew, banks;
    uint32_t words;                      /* of the data, from word 0 of the LDS */
    uint32_t locks;                      /* first lock word, behind them */
    uint64_t begun, ended;               /* SM cycles; written by the last warp to pass */
    uint32_t draw[HD_TX_THREADS][HD_TX_DRAWS]; /* random numbers below 2^30 */
    uint32_t note[HD_TX_THREADS][HD_TX_NOTES]; /* what threads tell the benchmark's reference() */
    const struct hd_array *start, *data; /* what the LDS holds at first and in the end */
    void (*run)(struct hd_warp *w, struct hd_tx_bench *b);
    uint32_t extra;                      /* km: KB */
};

/* The body of a critical section, plain LDS accesses of lanes @m. It may be entered any number of times: what it reads of *arg must
 * not depend on what an earlier entry wrote there. */
typedef void hd_tx_body(struct hd_warp *w, hd_mask_t m, void *arg);

/* The locks a lane needs, in the order in which it takes them; of equal ones the first alone. */
struct hd_tx_locks {
    unsigned count;                      /* 1 or 2 */
    const uint32_t *word[2];             /* [lanes] numbers of locks */
};

/* Runs the body once for each lane of @mask (ways but HD_TX_SERIAL). */
void hd_tx_critical(struct hd_warp *w, const struct hd_tx_bench *b, hd_mask_t mask, hd_tx_body *body, void *arg,
                    const struct hd_tx_locks *locks);

/* HD_TX_SERIAL: runs the body once for each thread of the block, in order; every warp calls it. With @again (one entry a lane) set by
 * the body, the lane enters it again at once. */
void hd_tx_serial(struct hd_warp *w, hd_tx_body *body, void *arg, const bool *again);

/* LDS accesses by word numbers. */
const uint32_t *hd_tx_load(struct hd_warp *w, hd_mask_t m, const uint32_t *word);
void hd_tx_store(struct hd_warp *w, hd_mask_t m, const uint32_t *word, const uint32_t *value);

/* For prepare(): arguments, arrays, the launch. @words of data, @locks lock words. @return NULL, or why it cannot run. */
const char *hd_tx_prepare(struct hd_work *k, void (*run)(struct hd_warp *w, struct hd_tx_bench *b), uint32_t words, uint32_t locks,
                          uint32_t extra);

/* For reference(): the counter "tx.cycles". @return the arguments. */
const struct hd_tx_bench *hd_tx_finish(struct hd_work *k);

#define HD_TX_PARAMS(what) \
    {"n", 32, 2, 256, what}, \
    {"way", HD_TX_SERIAL, 0, HD_TX_WAYS - 1, "0 transactions, 1 serial, 2 a lock each, 3 one lock"}, \
    {"skew", 0, 0, 16, "warp i starts 7 x skew x i cycles late"}
#endif
