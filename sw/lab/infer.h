/* infer.h - what latencies tell about an unknown machine's table of outstanding requests. */
#ifndef HD_LAB_INFER_H
#define HD_LAB_INFER_H
#include "lab.h"

/* A size that was found, or the largest the machine could show: then it is at least that. */
struct hd_lab_size {
    bool known, at_least;
    unsigned value;
    char evidence[160];
};

/* Cycles in which all warps start and read their clocks. */
enum { HD_LAB_INFER_MARGIN = 64 };

enum hd_lab_kind { HD_LAB_MSHR, HD_LAB_PRT, HD_LAB_UNDECIDED };

struct hd_lab_inference {
    enum hd_lab_kind kind;
    char kind_evidence[160];
    struct hd_lab_size entries;    /* MSHR: lines; PRT: warp instructions */
    struct hd_lab_size merge;      /* MSHR: lanes that wait in one entry */
    struct hd_lab_size scoreboard; /* operations of a warp */
    struct hd_lab_size credits;    /* PRT: requests that are out */
    unsigned latency, hit;         /* cycles of one miss; of a hit, as measured */
    unsigned runs;
};

/* Infers @n machines, whose next runs are measured together: what a run depends on are the ones before it on the same machine.
 * Uses only what a program can measure, and the data sheet: warps of an SM, lanes of a warp. @return the exit code. */
int hd_lab_infer(struct hd_lab_machine *const *m, struct hd_lab_inference *found, size_t n, const struct hd_lab_way *way);

/* What was found as text or as one JSON object on stdout. @return false when it cannot be written. */
bool hd_lab_infer_print(const struct hd_lab_machine *m, const struct hd_lab_inference *found, bool json);

/* Draws @trials configurations from @seed, at most @structures different ones in hardware (0: all may differ), infers
 * each and compares; a line each on stdout. @return the exit code: 1 when one was wrong. */
int hd_lab_trials(unsigned trials, unsigned structures, uint64_t seed, const struct hd_lab_way *way);
#endif
