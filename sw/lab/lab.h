/* lab.h - `heddle lab`: experiments made of many short runs.
 *
 * lab.c reads the arguments; lab_points.c measures points in worker processes and keeps them in the results database;
 * lab_curve.c finds the spikes of a Thread-Latency curve; lab_plot.c writes its files; lab_paper.c makes the figures
 * of paper 2; lab_infer.c finds out about an unknown machine; docs/outstanding.md is the manual of these. lab_ordering.c
 * makes the figures of paper 1, lab_claims.c judges what the paper says about them, lab_bars.c writes bar charts;
 * docs/ordering.md is the manual. */
#ifndef HD_LAB_H
#define HD_LAB_H
#include "results/results.h"
#include "run/run.h"

/* argv[0] is the command's name. @return the exit code: 0 measured, 1 a check of a run failed, a spike of the paper is
 * not where it must be or a machine was inferred wrongly, 2 bad input. */
int hd_lab_command(int argc, char **argv);

/* ---- points (lab_points.c) ---- */

/* A machine to measure: its configuration, checked, and models. */
struct hd_lab_machine {
    struct hd_config config;
    struct hd_model_paths models;
    char hash[HD_RESULTS_HASH], build[HD_RESULTS_HASH];
};

/* Builds the models of m->config. @return false after a message. */
bool hd_lab_build(struct hd_lab_machine *m);
/* The same for several, @jobs at a time. */
bool hd_lab_build_all(struct hd_lab_machine **m, size_t n, unsigned jobs);

struct hd_lab_point {
    const struct hd_lab_experiment *experiment;
    const struct hd_lab_machine *machine;
    const char *pattern;       /* outstanding: of the addresses; ordering: workload and its parameters */
    unsigned loads, threads, offset; /* of outstanding */
    uint32_t value;            /* 0: not yet measured */
};

/* What runs at a point. */
enum { HD_LAB_PARAMS = 8 };
struct hd_lab_program {
    const struct hd_workload *workload;
    char param[HD_LAB_PARAMS][40];
    size_t params;
};

struct hd_lab_experiment {
    const char *name;          /* in the database */
    const char *counter;       /* of the workload: the value of a point; NULL: the cycles of the run are */
    void (*program)(const struct hd_lab_point *p, struct hd_lab_program *program);
    double (*cost)(const struct hd_lab_point *p); /* relative, to foretell the time left */
};
extern const struct hd_lab_experiment hd_lab_outstanding;

struct hd_lab_way {
    const char *db;            /* file of the results database */
    unsigned jobs;             /* worker processes */
    bool quiet;                /* no progress on stderr */
};

/* Gets the values of all points: from the database, the rest by running them. @return the exit code. */
int hd_lab_measure(struct hd_lab_point *points, size_t n, const struct hd_lab_way *way);

/* The key of a point in the database. */
struct hd_results_key hd_lab_key(const struct hd_lab_point *p);

/* A pattern of the paper. @return neighbours that share a line, 0: there is no such pattern. */
unsigned hd_lab_merger(const char *pattern);

/* ---- curves (lab_curve.c) ---- */

enum { HD_LAB_OFFSETS = 3, HD_LAB_MAX_THREADS = 1024 };
extern const unsigned hd_lab_offsets[HD_LAB_OFFSETS];

struct hd_lab_sample {
    unsigned threads;
    uint32_t run[HD_LAB_OFFSETS];  /* latency at each start offset */
    double latency, variance;      /* harmonic mean; of it and both neighbours, NAN without two at the least step */
};

struct hd_lab_spike {
    bool clear;                /* a step of at least a tenth of the latency */
    unsigned threads;          /* the last number of threads before the step */
    double before, after;      /* latency there and one step on */
};

struct hd_lab_curve {
    const struct hd_lab_machine *machine;
    char pattern[16];
    unsigned loads;
    struct hd_lab_sample *sample; /* rising in threads */
    size_t n;
    struct hd_lab_spike spike;
};

/* Adds numbers of threads that are not there yet. @return false after a message. */
bool hd_lab_add(struct hd_lab_curve *c, unsigned from, unsigned to, unsigned step);
void hd_lab_clear(struct hd_lab_curve *c);

/* Measures what is new in @n curves; fills in variances, of neighbours @step apart, and spikes. @return exit code. */
int hd_lab_curves(struct hd_lab_curve *c, size_t n, unsigned step, const struct hd_lab_way *way);

/* ---- files (lab_plot.c) ---- */

/* Writes FOLDER/NAME.csv, .gp, .svg and .png; @title stands above the plot. @return false after a message. */
bool hd_lab_write(const struct hd_lab_curve *c, const char *folder, const char *name, const char *title);

/* Runs gnuplot on FOLDER/SCRIPT; says so on stderr when that fails, since NAME.csv has the numbers. @return true. */
bool hd_lab_draw(const char *folder, const char *script, const char *name);

/* ---- bars (lab_bars.c) ---- */

enum { HD_LAB_SERIES = 12, HD_LAB_GROUPS = 64 };

struct hd_lab_bars {
    const char *corner, *what; /* head of the column of names; label of the axis */
    const char *title[HD_LAB_SERIES], *group[HD_LAB_GROUPS];
    size_t series, groups;
    bool stacked;              /* one bar a group, in layers; a group without a name is a gap */
    const char *mark;          /* stacked: groups that end with it have their name, without it, under their bar */
    double value[HD_LAB_GROUPS][HD_LAB_SERIES]; /* NAN: no bar */
};

/* The same four files. */
bool hd_lab_write_bars(const struct hd_lab_bars *b, const char *folder, const char *name, const char *title);

/* ---- the paper (lab_paper.c) ---- */

struct hd_lab_paper {
    struct hd_lab_way way;
    const char *out;           /* folder, is there */
    bool quick, json;
};

/* All figures of paper 2 and their variants. @return the exit code: 1 when a spike is not where it must be. */
int hd_lab_paper(const struct hd_lab_paper *options);

/* ---- memory orderings (lab_ordering.c) ---- */

enum hd_lab_tier { HD_LAB_NO_TIER, HD_LAB_QUICK, HD_LAB_REDUCED, HD_LAB_FULL };

struct hd_lab_orders {
    struct hd_lab_way way;
    const char *out;           /* folder, is there */
    const char *only;          /* benchmarks, with commas between, or NULL */
    enum hd_lab_tier tier;
    bool sensitivity, json;
};

/* Figures 6, 8 and 9 of paper 1 and what it says about them. @return the exit code. */
int hd_lab_ordering(const struct hd_lab_orders *options);
#endif
