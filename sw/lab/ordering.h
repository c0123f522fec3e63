/* ordering.h - the numbers of orders, benchmarks and machines in the table of `heddle lab ordering`; shared by ordering.c, the
 * table, and ordering_claims.c, which judges what paper 1 says. */
#ifndef HD_ORDERING_H
#define HD_ORDERING_H
#include "grid.h"

enum hd_ordering_order { HD_RMO, HD_TSO, HD_SC, HD_TSO_SB, HD_SC_PF, HD_TYPE, HD_ORDERS };

/* The fourteen of the figures, then runs that answer one question. */
enum hd_ordering_bench {
    HD_GEMM, HD_3MM, HD_FDTD_2D, HD_HEARTWALL, HD_STREAMCLUSTER, HD_BTREE, HD_MVT, HD_2DCONV, HD_HOTSPOT, HD_PATHFINDER,
    HD_BFS, HD_MEMCACHED, HD_STN, HD_DLB, HD_FOURTEEN,
    HD_GEMM_1 = HD_FOURTEEN, HD_MVT_ROWS, HD_MVT_COLUMNS, HD_BTREE_RANGES, HD_ORDERING_BENCHES
};

/* The machine of paper 1, and changes of it. */
enum hd_ordering_machine {
    HD_WB, HD_WT, HD_TYPE_PREFETCH, HD_MERGE_32, HD_UNIFIED,
    HD_UNSAFE_8, HD_UNSAFE_16, HD_WAIT_8, HD_WAIT_16, HD_QUEUES_16, HD_MAC_2, HD_TYPE_CACHE_2, HD_MARKER_MERGE,
    HD_CREDIT_ISSUE, HD_THREE, HD_SECTOR_4K, HD_SECTOR_64K, HD_LRR, HD_SCOREBOARD_8, HD_ORDERING_MACHINES
};

enum { HD_ORDERING_CLAIMS = 11 };
extern const struct hd_grid_claim hd_ordering_claims[HD_ORDERING_CLAIMS];
#endif
