/* run.h - one run of a workload on a machine, with all its checks. Beside it: report.h, its results; configure.h,
 * configurations by name. */
#ifndef HD_RUN_H
#define HD_RUN_H
#include "config.h"
#include "judge/judge.h"
#include "latency.h"
#include "machine.h"
#include "models.h"
#include "profile.h"
#include "timeline.h"
#include "trace/replay.h"
#include "trace/tap.h"
#include "work.h"
#include <signal.h>
#include <stdio.h>

/* Words of memory from @base on. */
struct hd_run_image {
    const uint32_t *word;
    uint32_t base, words;
};

struct hd_run_options {
    const struct hd_config *config;      /* checked */
    const struct hd_workload *workload;  /* NULL: that of trace */
    const char *trace;                   /* native trace to replay, or NULL */
    const char *record;                  /* file that gets the run as a native trace, or NULL */
    const char *const *params;           /* "name=value" */
    size_t num_params;
    uint64_t seed;                       /* input data and every random choice */
    const char *wave;                    /* FST file or NULL */
    uint64_t wave_from, wave_to;         /* cycles in it; wave_to 0: all */
    const char *log;                     /* event log or NULL; needs ghost bits */
    const char *port_log;                /* file for the events at the tiles' ports (tb/portlog.h) or NULL */
    const char *label;                   /* starts progress lines on stderr; NULL = none */
    struct hd_timeline_options timeline; /* all 0: nothing */
    bool latency;                        /* latencies of loads */
    bool silent;                         /* another rank checks and reports: this one only takes part */
    const volatile sig_atomic_t *stop;   /* not 0: the run is to end, which counts as could not; NULL: nobody stops it */
    const struct hd_tap *tap;            /* gets what kernels ask for, or NULL; not with record */
    const struct hd_run_image *image;    /* contents of memory at the start instead of the workload's, or NULL */
    const struct hd_model_paths *models; /* of this structure, from hd_models_get(); NULL: are looked up */
};

enum { HD_CHECKS = 8 };

struct hd_check {
    const char *name;
    const char *verdict;                 /* "pass", "off", "not run" (the run ended early) or what is wrong */
};

struct hd_result {
    const struct hd_run_options *options;
    uint64_t cycles;                     /* start, or end of the warm-up, to the end of the last warp; flush excluded */
    uint64_t instructions;               /* warp instructions */
    struct hd_check check[HD_CHECKS];
    struct hd_counter *counter;          /* as they stand when the machine is quiet, before the flush */
    size_t counters;
    struct hd_counter *host_counter;     /* that depend on the way of simulating, in the same array */
    size_t host_counters;
    bool unwritten;                      /* an output file could not be written whole; the message has been given */
    double cpu_seconds, wall_seconds;    /* of the simulation proper */
    uint64_t ticks[HD_SECTIONS];         /* its host time by section, when the configuration has a profile */

    /* owned */
    struct hd_machine *machine;
    struct hd_simt *simt;
    struct hd_work *work;
    struct hd_judge *judge;              /* NULL without ghost bits */
    FILE *port_log;
    struct hd_replay *replay;            /* NULL: a workload in C */
    struct hd_tapper *tapper;            /* NULL: not recorded */
    struct hd_timeline *timeline;        /* NULL: nothing over time, no warm-up */
    struct hd_latency *latency;          /* NULL: not wanted */
    struct hd_diag diag;                 /* of trace and record */
};

/* @return the name of what ran. */
const char *hd_result_name(const struct hd_result *r);

/* Runs. *o must outlive *r. @return 0 when it ran (see the checks), 2 when it could not, after a message.
 * hd_result_free() is due in both cases. */
int hd_run(const struct hd_run_options *o, struct hd_result *r);
void hd_result_free(struct hd_result *r);

/* @return whether it was ended by o->stop, of this or another rank. */
bool hd_result_stopped(const struct hd_result *r);

/* Checks that passed; checks that were on; true when all of those passed. */
unsigned hd_result_passed(const struct hd_result *r);
unsigned hd_result_checked(const struct hd_result *r);
bool hd_result_good(const struct hd_result *r);

/* @return the counter called @name, 0 if there is none. */
uint64_t hd_result_counter(const struct hd_result *r, const char *name);
/* Share of the accepted line accesses of all L1s that took a miss entry; that joined one; 0..1. */
double hd_result_miss_rate(const struct hd_result *r);
double hd_result_merge_rate(const struct hd_result *r);
double hd_result_speed(const struct hd_result *r);        /* core cycles per CPU second, the warm-up included */
/* Accesses of lanes, fences and barriers that the memory-model checker has judged; 0 if it was off. */
uint64_t hd_result_judged(const struct hd_result *r);
double hd_result_dram_bytes(const struct hd_result *r);   /* read and written */
#endif
