/* bench.h - `heddle bench`: how fast the simulator is, see docs/bench.md. */
#ifndef HD_BENCH_H
#define HD_BENCH_H
#include "config.h"
#include "models.h"
#include "profile.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* argv[0] is the command's name. @return the exit code: 0 measured, 1 two ways of simulating differ or a check failed,
 * 2 bad arguments. A missed goal is no failure. */
int hd_bench_command(int argc, char **argv);

enum { HD_BENCH_REPEATS = 5, HD_BENCH_WORDS = 8, HD_BENCH_MAX = 64 };

/* What is compared: two ways of simulating the same runs, or one way alone. */
enum hd_bench_group {
    HD_BENCH_FLAT,
    HD_BENCH_SKIP,
    HD_BENCH_WINDOW,
    HD_BENCH_THREADS,
    HD_BENCH_CHECKED,
    HD_BENCH_SCALING,
    HD_BENCH_RACY,
    HD_BENCH_MESH,
    HD_BENCH_HOPS,
    HD_BENCH_DRF,
    HD_BENCH_EPISODES,
    HD_BENCH_SPLIT,
    HD_BENCH_GROUPS
};

struct hd_bench_way {
    const char *name;                      /* NULL: there is no second way */
    const char *set[HD_BENCH_WORDS];
};

struct hd_bench_group_info {
    const char *name, *title, *config;
    struct hd_bench_way way[2];
    bool wall;                             /* wall time instead of CPU time */
    const char *needs;                     /* a configuration key, or NULL */
};
extern const struct hd_bench_group_info hd_bench_groups[HD_BENCH_GROUPS];

/* A row: one workload of one group. */
struct hd_bench_row {
    enum hd_bench_group group;
    const char *workload;
    const char *full[HD_BENCH_WORDS], *quick[HD_BENCH_WORDS]; /* its parameters */
    const char *set[HD_BENCH_WORDS];       /* settings of both ways */
};

/* What one way of a row gave. */
struct hd_bench_side {
    struct hd_config config;
    struct hd_model_paths models;
    unsigned runs;
    double seconds[HD_BENCH_REPEATS], median, spread; /* spread: (max - min) / median */
    uint64_t cycles, instructions;
    uint64_t operations;                   /* of lanes, that the checker judged */
    uint64_t evaluated;                    /* edges of SM tiles */
    uint64_t ticks[HD_SECTIONS];
    struct hd_counter *counter;
    size_t counters;
};

struct hd_bench_result {
    const struct hd_bench_row *row;
    struct hd_bench_side side[2];
    bool skipped;                          /* the group's key does not exist */
};

/* Core cycles per second of a side; nanoseconds per SM and core cycle; share of these evaluated; nanoseconds per
 * evaluation of an SM. */
double hd_bench_speed(const struct hd_bench_side *s);
double hd_bench_sm_cycle(const struct hd_bench_side *s);
double hd_bench_evaluated(const struct hd_bench_side *s);
double hd_bench_sm_edge(const struct hd_bench_side *s);

/* The tables, the JSON file (NULL: none), the plot into folder @out. @return false after a message. */
void hd_bench_tables(const struct hd_bench_result *r, size_t n);
bool hd_bench_json(const struct hd_bench_result *r, size_t n, const char *path);
bool hd_bench_plot(const struct hd_bench_result *r, size_t n, const char *out);
#endif
