/* grid.h - an experiment that is a table: machines x policies x benchmarks, a run a cell, with what is printed and drawn
 * of the runs and what a paper claims about them.
 *
 * An experiment is a struct hd_grid and the functions that judge its claims; ordering.c is one. grid.c plans and
 * measures, grid_text.c prints tables, claims and JSON, grid_files.c writes CSV and figures. Machines, policies and
 * benchmarks are numbered as in their tables; machine 0 under policy 0 is the base: the time of a run is over that of
 * the base on the same benchmark, or on the one that its benchmark names. */
#ifndef HD_GRID_H
#define HD_GRID_H
#include "lab.h"
#include "report/plot.h"
#include <jansson.h>

enum { HD_GRID_MACHINES = 32, HD_GRID_POLICIES = 8, HD_GRID_BENCHES = 32, HD_GRID_SETS = 4, HD_GRID_WORDS = 96 };

/* ---- what runs ---- */

enum hd_grid_size { HD_GRID_QUICK, HD_GRID_REDUCED, HD_GRID_FULL, HD_GRID_SIZES };

struct hd_grid_tier {
    const char *config, *size;             /* configs/CONFIG.cfg; value of the workloads' key `size` */
};

struct hd_grid_policy {
    const char *name, *set;                /* "sc", "order=sc" */
};

struct hd_grid_bench {
    const char *name, *workload, *param;   /* param: "key=value key=value" */
    bool quick;                            /* in that tier too */
    unsigned policies;                     /* a bit each */
    double seconds;                        /* CPU time of a reduced run, about */
    const char *full;                      /* param of HD_GRID_FULL, where it is another one; NULL: the same */
    unsigned over;                         /* 1 + the benchmark whose time on the base its times are over; 0: itself */
};

/* Benchmarks that run on a machine: those of the figures, all, one. */
enum hd_grid_which { HD_GRID_SHOWN, HD_GRID_EVERY, HD_GRID_ONE };

struct hd_grid_machine {
    const char *name, *set[HD_GRID_SETS];
    unsigned policies, quick;              /* a bit each; quick: of that tier */
    enum hd_grid_which which;
    unsigned bench;                        /* of HD_GRID_ONE */
    bool sensitivity;                      /* only with --sensitivity, then in each tier */
};

/* ---- what is printed and drawn ---- */

struct hd_grid_column {
    unsigned machine, policy;
    const char *title;
};

/* Below the times when that machine ran: a remark; a benchmark over policy 0 of the same machine. */
struct hd_grid_note {
    unsigned machine, policy;
    const char *text;
};
struct hd_grid_extra {
    unsigned machine, bench;
    const char *name, *note;
};

/* Times x sum of @num / (sum of @den, or @over; per_cycle: SM cycles of the run). */
struct hd_grid_measure {
    const char *num[2], *den[3];
    double times, over;
    bool per_cycle;
};
struct hd_grid_count {                     /* a column of the table of counters: of the base machine */
    const struct hd_grid_measure *measure;
    unsigned policy;
    int width, digits;
};

/* A sum of counters by cause, of 100 of the base: a table and stacked bars. A cause is a counter, or counters with weights. */
struct hd_grid_term {
    const char *counter;                   /* NULL ends the list */
    double weight;
    unsigned machines;                     /* a bit each; 0: of all */
};
struct hd_grid_cause {
    const char *counter, *title, *words;
    const struct hd_grid_term *term;       /* when counter is NULL */
};
struct hd_grid_split {
    const char *name;                      /* of the files: NAME-name */
    const char *head, *what, *title; /* of the table; of axis and plot */
    const struct hd_grid_cause *cause;
    const struct hd_grid_column *column;   /* the bars of a benchmark */
    size_t causes, columns;
    unsigned first, last;                  /* benchmarks from first to below last; last = 0: those of the figures */
    bool mean;                             /* a group more in the figure: arithmetic means of the others */
};

struct hd_grid_figure {
    const char *name, *title;
    size_t series;
    struct hd_grid_column column[HD_PLOT_SERIES];
    unsigned first, last;                  /* as in hd_grid_split */
};

/* ---- what is claimed ---- */

enum hd_grid_outcome { HD_GRID_HOLDS, HD_GRID_FAILS, HD_GRID_OPEN };

struct hd_grid_verdict {
    enum hd_grid_outcome outcome;
    char ours[400];                        /* what the runs say */
};

struct hd_grid_results;

struct hd_grid_claim {
    const char *number, *claim, *paper, *criterion;
    void (*judge)(const struct hd_grid_results *r, struct hd_grid_verdict *v);
};

/* ---- the experiment ---- */

struct hd_grid {
    const char *name;                      /* heddle lab NAME; in the database; of files */
    struct hd_grid_tier tier[HD_GRID_SIZES];
    const char *set;                       /* "key=value" of all runs, or NULL */
    const char *policy_word;               /* what a policy is called: "order" */
    const struct hd_grid_policy *policy;
    const struct hd_grid_bench *bench;     /* the first @shown are in the figures */
    const struct hd_grid_machine *machine;
    size_t policies, benches, shown, machines;

    const char *times_head, *times_unit, *base; /* NULL: no times; base: names the base in a column's head */
    const struct hd_grid_column *column;
    const struct hd_grid_note *note;
    const struct hd_grid_extra *extra;
    size_t columns, notes, extras;
    const char *counts_head, *counts_foot; /* whole lines */
    const struct hd_grid_count *count;
    size_t counts;
    const struct hd_grid_split *split;
    size_t splits;
    const char *changed_head;              /* table of machines from @changed on against the base machine */
    size_t changed;
    const char *const *csv;                /* counters in NAME.csv */
    const struct hd_grid_figure *figure;
    const struct hd_grid_claim *claim;
    size_t csvs, figures, claims;
};

struct hd_grid_options {
    struct hd_lab_way way;
    const char *out;                       /* folder, is there */
    const char *only;                      /* benchmarks, with commas between, or NULL */
    enum hd_grid_size tier;
    bool sensitivity, json;
};

/* Measures what the database does not have, writes files, prints. @return the exit code. */
int hd_grid_run(const struct hd_grid *g, const struct hd_grid_options *options);

/* ---- results, for claims ---- */

struct hd_grid_cell {
    bool planned;
    uint64_t cycles;                       /* 0: not measured */
    double cpu_seconds;
    json_t *counters;                      /* those that are not 0; NULL: not measured */
};

struct hd_grid_results {
    const struct hd_grid *grid;
    const struct hd_grid_options *options;
    struct hd_lab_machine on[HD_GRID_MACHINES][HD_GRID_POLICIES];
    bool used[HD_GRID_MACHINES][HD_GRID_POLICIES];
    struct hd_grid_cell cell[HD_GRID_MACHINES][HD_GRID_POLICIES][HD_GRID_BENCHES];
    json_t *kept;                          /* data of the figures */
};

/* Time of a run over that of the base; over another's on the same benchmark; NAN when one of them is missing. */
double hd_grid_time(const struct hd_grid_results *r, unsigned machine, unsigned policy, unsigned bench);
double hd_grid_against(const struct hd_grid_results *r, unsigned machine, unsigned policy, unsigned machine2,
                       unsigned policy2, unsigned bench);

/* Geometric mean of hd_grid_against(), or over machine 0 and policy 0 of hd_grid_time(), over the benchmarks of the figures but @without (HD_GRID_BENCHES: all); NAN when
 * one is missing. */
double hd_grid_mean(const struct hd_grid_results *r, unsigned machine, unsigned policy, unsigned machine2,
                    unsigned policy2, unsigned without);

/* A measure of a run's counters; NAN when it is missing. */
double hd_grid_measure(const struct hd_grid_results *r, const struct hd_grid_cell *c, const struct hd_grid_measure *m);
double hd_grid_counter(const struct hd_grid_cell *c, const char *counter); /* 0 when it is missing */

/* The same over the benchmarks from @first to below @last; those that were not planned do not count. */
double hd_grid_mean_of(const struct hd_grid_results *r, unsigned machine, unsigned policy, unsigned machine2,
                       unsigned policy2, unsigned first, unsigned last);

/* Adds to what is said about our runs. */
__attribute__((format(printf, 2, 3))) void hd_grid_say(struct hd_grid_verdict *v, const char *format, ...);

/* The outcome, open when a number that it rests on is NAN. */
void hd_grid_judge(struct hd_grid_verdict *v, bool holds, const double *rests_on, size_t n);
#define HD_GRID_JUDGE(v, holds, ...) \
    hd_grid_judge(v, holds, (const double[]){__VA_ARGS__}, sizeof (const double[]){__VA_ARGS__} / sizeof(double))

/* ---- between the files of the machinery ---- */

void hd_grid_text(const struct hd_grid_results *r);  /* grid_text.c */
bool hd_grid_json(const struct hd_grid_results *r);
bool hd_grid_files(const struct hd_grid_results *r); /* grid_files.c */

/* A column of a split or figure ran on one of its benchmarks: tiers leave machines out. */
bool hd_grid_has(const struct hd_grid_results *r, const struct hd_grid_column *column, unsigned first, unsigned last);

/* Warp-cycles or what else a split counts, of 100 of the base's; of one cell, which is of @machine. */
double hd_grid_split(const struct hd_grid_results *r, const struct hd_grid_split *s, const struct hd_grid_column *column,
                     unsigned bench, size_t cause);
double hd_grid_cause(const struct hd_grid_cell *c, unsigned machine, const struct hd_grid_cause *cause);
bool hd_grid_in(const struct hd_grid *g, unsigned first, unsigned last, unsigned bench);
const char *hd_grid_outcome_word(enum hd_grid_outcome outcome); /* "holds" */
const char *hd_grid_size_word(const struct hd_grid_results *r); /* "reduced" */
#endif
