/* lab.h - what experiments of many runs share: machines, points, and the engine that measures points, whoever asks for them: a lab
 * or `heddle sweep`, on the local cores or with Slurm (jobs.h).
 *
 * An experiment is a table. Most are a grid (grid.h): machines x policies x benchmarks; ordering.c is the one of paper 1,
 * docs/ordering.md its manual. That of paper 2 (outstanding.h) draws curves of one machine each; infer.h reads an
 * unknown machine's table from them; docs/outstanding.md is their manual. That of paper 5 (localtm.h) has medians over
 * several starts. experiments.h lists the grids. */
#ifndef HD_LAB_H
#define HD_LAB_H
#include "results/results.h"
#include "run/run.h"

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
    const char *row;           /* of a sweep: what its table calls the machine; NULL: its name and order tell */
    const char *pattern;       /* outstanding: of the addresses; else: workload and its parameters */
    unsigned loads, threads, offset; /* of outstanding */
    unsigned seed;             /* of the run. Experiments with several give it as `loads`, too, which is in the key */
    double cost;               /* relative, to foretell the time left; 0: as 1 */
    uint32_t value;            /* when it is done */
    bool done;                 /* a good run of it is in the database */
};

/* What runs at a point. */
enum { HD_LAB_PARAMS = 8, HD_LAB_LABEL = 448 };
struct hd_lab_program {
    const struct hd_workload *workload;
    char param[HD_LAB_PARAMS][40];
    size_t params;
};

struct hd_lab_experiment {
    const char *name;          /* in the database */
    const char *counter;       /* of the workload: the value of a point; NULL: the cycles of the run are */
    void (*program)(const struct hd_lab_point *p, struct hd_lab_program *program);
};

struct hd_lab_way {
    const char *db;            /* file of the results database */
    const char *out;           /* jobs leave their files in its jobs/ */
    const char *sweep;         /* name of the sweep; NULL: a lab asks */
    unsigned jobs;             /* worker processes */
    bool quiet;                /* one of many calls: does not say how many are there */
    bool slurm;                /* Slurm runs the points, not worker processes. A lab waits for it, a sweep does not */
};

/* Gets the values of all points: from the database, the rest by running them. Those that failed are named on stderr, and run alone
 * by the next call. @return the exit code: 1 when some failed. */
int hd_lab_measure(struct hd_lab_point *points, size_t n, const struct hd_lab_way *way);

/* Its parts, for a sweep. hd_lab_run() names nothing, and with Slurm ends when the jobs are submitted. hd_lab_collect() takes what
 * jobs have left and marks what is done. hd_lab_missing() names what is not. */
int hd_lab_run(struct hd_lab_point *points, size_t n, const struct hd_lab_way *way);
bool hd_lab_collect(struct hd_lab_point *points, size_t n, const struct hd_lab_way *way);
size_t hd_lab_missing(const struct hd_lab_point *points, size_t n, const struct hd_lab_way *way);

/* For experiments whose pattern is "WORKLOAD key=value...". */
void hd_lab_words(const struct hd_lab_point *p, struct hd_lab_program *program);

/* What a point is, for messages. */
const char *hd_lab_label(const struct hd_lab_point *p, char text[HD_LAB_LABEL]);

/* The key of a point in the database. */
struct hd_results_key hd_lab_key(const struct hd_lab_point *p);
#endif
