/* coherence.h - the numbers of orders, machines and benchmarks in the table of `heddle lab coherence`; shared by coherence.c, the
 * table, and coherence_claims.c, which judges what paper 3 says. */
#ifndef HD_COHERENCE_H
#define HD_COHERENCE_H
#include "grid.h"

enum hd_coherence_order { HD_COH_DRF, HD_COH_HRF, HD_COH_RMO, HD_COH_ORDERS };

/* Bars are a machine under an order: GD and GH (gpu), DD and DH (denovo), DD+RO (read_only). */
enum hd_coherence_machine { HD_COH_GPU, HD_COH_DN, HD_COH_DN_RO, HD_COH_MESI, HD_COH_VI, HD_COH_MACHINES };

/* Paper 3, Table 4: the ten applications without synchronization but the ends of grids, mutexes of all SMs, local and hybrid
 * synchronization. */
enum hd_coherence_bench {
    HD_COH_BP, HD_COH_PF, HD_COH_LUD, HD_COH_NW, HD_COH_SGEMM, HD_COH_ST, HD_COH_HS, HD_COH_NN, HD_COH_SRAD, HD_COH_LAVA,
    HD_COH_GLOBAL, HD_COH_FAM_G = HD_COH_GLOBAL, HD_COH_SLM_G, HD_COH_SPM_G, HD_COH_SPMBO_G,
    HD_COH_LOCAL, HD_COH_FAM_L = HD_COH_LOCAL, HD_COH_SLM_L, HD_COH_SPM_L, HD_COH_SPMBO_L, HD_COH_TB, HD_COH_TBEX,
    HD_COH_SS, HD_COH_SSBO, HD_COH_UTS, HD_COH_BENCHES
};

/* Energy of a run and flits that crossed links of the mesh, of one class or (HD_HOPS_CLASSES) all. */
enum { HD_HOPS_READ, HD_HOPS_REG, HD_HOPS_WRITE, HD_HOPS_ATOMIC, HD_HOPS_INV, HD_HOPS_CLASSES };
extern const struct hd_grid_cause hd_coherence_energy[], hd_coherence_traffic[HD_HOPS_CLASSES];
enum { HD_COH_PARTS = 5, HD_COH_CLAIMS = 6 };
extern const struct hd_grid_claim hd_coherence_claims[HD_COH_CLAIMS];
#endif
