/* commands.h - the commands. Each returns the exit code: 0 all checks passed, 1 one failed, 2 bad input. Those of bench and
 * stress are in bench.h and stress.h. */
#ifndef HD_COMMANDS_H
#define HD_COMMANDS_H
#include "run/timeline.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What main.c has parsed. */
enum { HD_MAX_ITEMS = 64 };

struct hd_arguments {
    const char *config, *wave, *port_log, *wave_around, *log, *db, *trace, *record;
    const char *set[HD_MAX_ITEMS], *word[HD_MAX_ITEMS];
    size_t sets, words;
    uint64_t seed;
    bool json;
    struct hd_timeline_options timeline;
    bool latency;
    const char *cut, *checkpoint;
    uint64_t every;
};

int hd_run_command(const struct hd_arguments *a);       /* run.c: one run */
int hd_firstlight_command(const struct hd_arguments *a); /* run.c: gemm under three orders, and one table */

/* Those that parse their arguments themselves; argv[0] is the command's name. */
int hd_list_command(int argc, char **argv);   /* list.c: workloads, configurations, keys, commands */
int hd_area_command(int argc, char **argv);   /* area.c: what modules and tiles cost, docs/area.md */
int hd_check_command(int argc, char **argv);  /* check.c: the memory-model checker on a saved event log */
int hd_lab_command(int argc, char **argv);    /* lab.c: experiments, docs/ordering.md, docs/outstanding.md */
int hd_query_command(int argc, char **argv); /* query.c: a SELECT on the results database, docs/database.md */
int hd_report_command(int argc, char **argv); /* report.c: one page of all papers, two databases compared */
int hd_sweep_command(int argc, char **argv);  /* sweep.c: a table of runs, docs/sweep.md */
int hd_trace_command(int argc, char **argv);  /* trace.c: info, import, check of traces, docs/traces.md */
int hd_crash_command(int argc, char **argv);  /* crash.c: power cuts of a run, sw/crash/crash.h */
int hd_litmus_command(int argc, char **argv); /* litmus.c: litmus tests on a machine, docs/litmus.md */
#endif
