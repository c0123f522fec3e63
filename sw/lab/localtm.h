/* localtm.h - the experiment of paper 5: three benchmarks by size and by what makes their critical sections atomic, each from
 * several starts, and changes of the machine. localtm.c plans, measures and reads; localtm_text.c prints, writes CSV and
 * figures; localtm_claims.c judges what the paper says. docs/localtm.md is the manual. */
#ifndef HD_LOCALTM_H
#define HD_LOCALTM_H
#include "grid.h"

enum hd_ltm_bench { HD_LTM_HT, HD_LTM_KM, HD_LTM_GA, HD_LTM_BENCHES };
enum hd_ltm_variant { HD_LTM_TM, HD_LTM_PERFECT, HD_LTM_SERIAL, HD_LTM_LOCKS, HD_LTM_LOCK1, HD_LTM_VARIANTS };

/* The machine of the paper with KB 8, and changes of it or of the layout of KM. */
enum hd_ltm_change {
    HD_LTM_BASE, HD_LTM_GAP_1, HD_LTM_KB_4, HD_LTM_KB_32, HD_LTM_KB_0, HD_LTM_DETECT, HD_LTM_HASH_4, HD_LTM_HASH_16,
    HD_LTM_HASH_32, HD_LTM_GTO, HD_LTM_NARROW, HD_LTM_CHANGES
};
enum { HD_LTM_SIZES = 8, HD_LTM_STARTS = 5 }; /* n = 2 << size; a start is a seed of the data and a skew of the warps */

extern const char *const hd_ltm_bench_names[HD_LTM_BENCHES];     /* "HT" */
extern const char *const hd_ltm_variant_names[HD_LTM_VARIANTS];
extern const char *const hd_ltm_change_names[HD_LTM_CHANGES];

struct hd_ltm_cell {
    bool planned;
    uint32_t cycles;            /* tx.cycles; 0: not measured */
    json_t *counters;
};

struct hd_ltm_options {
    struct hd_lab_way way;
    const char *out;            /* folder, is there */
    const char *only;           /* workloads, with commas between, or NULL */
    bool quick, json;
};

struct hd_ltm_results {
    const struct hd_ltm_options *options;
    struct hd_lab_machine on[HD_LTM_CHANGES][2]; /* ideal: 1 */
    bool used[HD_LTM_CHANGES][2];
    struct hd_ltm_cell cell[HD_LTM_CHANGES][HD_LTM_BENCHES][HD_LTM_SIZES][HD_LTM_VARIANTS][HD_LTM_STARTS];
    size_t runs;
    double cpu_seconds;
    json_t *kept;               /* data of the figures */
};

/* Median of the starts, the least and the most of them; NAN when one is missing. */
struct hd_ltm_number {
    double median, least, most;
};

/* Cycles of @of over those of @variant, start by start: how many times as fast @variant is. */
struct hd_ltm_number hd_ltm_speedup(const struct hd_ltm_results *r, unsigned change, unsigned bench, unsigned size,
                                    unsigned variant, unsigned of);

/* Shares and counts of the transactions of a point. */
enum hd_ltm_measure {
    HD_LTM_ATTEMPTS,            /* of wavefronts */
    HD_LTM_WF, HD_LTM_WG,       /* % of the attempts one lane at a time; alone with the token */
    HD_LTM_COMMITS,             /* % of the attempts of lanes (commits, aborts, kills) */
    HD_LTM_FALSE,               /* % of the aborts */
    HD_LTM_ABORTS,
    HD_LTM_OUTSIDE, HD_LTM_CODE, HD_LTM_MEMORY, HD_LTM_ENDS, HD_LTM_HELD, /* % of the time of the warps */
    HD_LTM_MEASURES
};
struct hd_ltm_number hd_ltm_measure(const struct hd_ltm_results *r, unsigned change, unsigned bench, unsigned size,
                                    unsigned variant, enum hd_ltm_measure m);

/* Measures what the database does not have, writes files, prints. @return the exit code. */
int hd_ltm_run(const struct hd_ltm_options *options);

/* ---- between the files ---- */

struct hd_ltm_claim {
    const char *number, *claim, *paper, *criterion;
    void (*judge)(const struct hd_ltm_results *r, struct hd_grid_verdict *v);
};
enum { HD_LTM_CLAIMS = 9 };
extern const struct hd_ltm_claim hd_ltm_claims[HD_LTM_CLAIMS];

void hd_ltm_text(const struct hd_ltm_results *r);
bool hd_ltm_json(const struct hd_ltm_results *r);
bool hd_ltm_files(const struct hd_ltm_results *r);
#endif
