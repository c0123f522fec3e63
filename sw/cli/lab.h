/* lab.h - `heddle lab`: experiments made of many short runs.
 *
 * lab.c reads the arguments; lab_points.c measures points in worker processes and keeps them in the results database;
 * lab_curve.c finds the spikes of a Thread-Latency curve; lab_plot.c writes its files; lab_paper.c makes the figures
 * of paper 2; lab_infer.c finds out about an unknown machine. docs/outstanding.md is the manual. */
#ifndef HD_LAB_H
#define HD_LAB_H
#include "results.h"
#include "run.h"

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
    const struct hd_lab_machine *machine;
    const char *pattern;
    unsigned loads, threads, offset;
    uint32_t latency;          /* 0: not yet measured */
};

struct hd_lab_way {
    const char *db;            /* file of the results database */
    unsigned jobs;             /* worker processes */
    bool quiet;                /* no progress on stderr */
};

/* Gets the latency of all points: from the database, the rest by running them. @return the exit code. */
int hd_lab_measure(struct hd_lab_point *points, size_t n, const struct hd_lab_way *way);

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

/* ---- the paper (lab_paper.c) ---- */

struct hd_lab_paper {
    struct hd_lab_way way;
    const char *out;           /* folder, is there */
    bool quick, json;
};

/* All figures of paper 2 and their variants. @return the exit code: 1 when a spike is not where it must be. */
int hd_lab_paper(const struct hd_lab_paper *options);
#endif
