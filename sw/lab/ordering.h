/* lab_ordering.h - the runs of `heddle lab ordering` as a table of machines, orders and benchmarks; shared by
 * lab_ordering.c, which fills and prints it, and lab_claims.c, which reads it. */
#ifndef HD_LAB_ORDERING_H
#define HD_LAB_ORDERING_H
#include "lab.h"
#include <jansson.h>

enum hd_lab_order { HD_RMO, HD_TSO, HD_SC, HD_TSO_SB, HD_SC_PF, HD_TYPE, HD_LAB_ORDERS };

/* The fourteen of the figures, then runs that answer one question. */
enum hd_lab_bench {
    HD_GEMM, HD_3MM, HD_FDTD_2D, HD_HEARTWALL, HD_STREAMCLUSTER, HD_BTREE, HD_MVT, HD_2DCONV, HD_HOTSPOT, HD_PATHFINDER,
    HD_BFS, HD_MEMCACHED, HD_STN, HD_DLB, HD_LAB_FOURTEEN,
    HD_GEMM_1 = HD_LAB_FOURTEEN, HD_MVT_ROWS, HD_MVT_COLUMNS, HD_BTREE_RANGES, HD_LAB_BENCHES
};

/* The machine, and changes of it. */
enum hd_lab_variant {
    HD_WB, HD_WT, HD_TYPE_PREFETCH, HD_MERGE_32, HD_UNIFIED,
    HD_UNSAFE_8, HD_UNSAFE_16, HD_WAIT_8, HD_WAIT_16, HD_QUEUES_16, HD_MAC_2, HD_TYPE_CACHE_2, HD_MARKER_MERGE,
    HD_CREDIT_ISSUE, HD_THREE, HD_SECTOR_4K, HD_SECTOR_64K, HD_LRR, HD_SCOREBOARD_8, HD_LAB_VARIANTS
};

struct hd_lab_cell {
    bool planned;
    uint64_t cycles;           /* 0: not measured */
    double cpu_seconds;
    json_t *counters;          /* those that are not 0 */
};

struct hd_lab_results {
    struct hd_lab_cell cell[HD_LAB_VARIANTS][HD_LAB_ORDERS][HD_LAB_BENCHES];
};

/* Time of a run over that of RMO on the write-back machine; of two variants; NAN when one of the runs is missing. */
double hd_lab_time(const struct hd_lab_results *r, enum hd_lab_variant v, enum hd_lab_order o, enum hd_lab_bench b);
double hd_lab_against(const struct hd_lab_results *r, enum hd_lab_variant v, enum hd_lab_order o, enum hd_lab_variant v2,
                      enum hd_lab_order o2, enum hd_lab_bench b);

/* A counter; shares of the L1's accesses: misses, and those that joined a miss that was out. */
double hd_lab_count(const struct hd_lab_cell *c, const char *counter);
double hd_lab_share(const struct hd_lab_cell *c, const char *counter);

/* Geometric mean of hd_lab_against() over the fourteen but @without (HD_LAB_BENCHES: over all); NAN when one is
 * missing. */
double hd_lab_mean(const struct hd_lab_results *r, enum hd_lab_variant v, enum hd_lab_order o, enum hd_lab_variant v2,
                   enum hd_lab_order o2, enum hd_lab_bench without);

/* What a claim comes out as. */
enum hd_lab_verdict { HD_LAB_HOLDS, HD_LAB_FAILS, HD_LAB_OPEN };

struct hd_lab_claim {
    const char *number, *claim, *paper, *criterion;
    enum hd_lab_verdict verdict;
    char ours[400];
};

/* The claims of paper 1. @return how many; *list is overwritten by the next call. */
size_t hd_lab_claims(const struct hd_lab_results *r, const struct hd_lab_claim **list);

const char *hd_lab_bench_name(enum hd_lab_bench b);
#endif
