/* sweep.h - `heddle sweep`: a table of runs that a file describes (docs/sweep.md), run on the local cores or as a job array
 * of Slurm.
 *
 * The table is configurations x values of keys x workloads x seeds: points (lab.h). One that failed is run again by the next call,
 * alone.
 *
 * sweep_file.c reads the file, sweep.c makes points, sweep_counters.c looks which counters there are, sweep_text.c writes
 * tables. */
#ifndef HD_SWEEP_H
#define HD_SWEEP_H
#include "lab.h"

enum { HD_SWEEP_TEXT = 200, HD_SWEEP_COUNTERS = 16, HD_SWEEP_POINTS = 1000000 };

struct hd_sweep_machine {
    struct hd_lab_machine lab;
    char label[HD_SWEEP_TEXT]; /* configuration and the values of this row's keys */
    size_t built;              /* index of the first machine whose configuration is the same */
};

struct hd_sweep_work {
    char text[HD_SWEEP_TEXT];  /* "WORKLOAD key=value ..." */
    struct hd_lab_program program;
    int line;
};

struct hd_sweep {
    const char *file;
    char name[64];
    struct hd_sweep_machine *machine;
    struct hd_sweep_work *work;
    unsigned *seed;
    char (*counter)[64];       /* columns of the table */
    int counter_line[HD_SWEEP_COUNTERS]; /* of the file */
    bool known[HD_SWEEP_COUNTERS];       /* some machine or workload of the table has it: sweep_counters.c */
    size_t machines, works, seeds, counters;
    struct hd_lab_point *point; /* when the models are built: seeds fastest, then workloads, then machines */
};

/* Reads and checks a file. @return false after a message that names the line. hd_sweep_free() is due in both cases. */
bool hd_sweep_read(struct hd_sweep *s, const char *file);
void hd_sweep_free(struct hd_sweep *s);

/* @return the number of points. */
size_t hd_sweep_points(const struct hd_sweep *s);

/* Builds the models of all machines, @jobs at a time, and makes the points. @return false after a message. */
bool hd_sweep_build(struct hd_sweep *s, unsigned jobs);

/* Looks which of the counters the machines have: when the models are built. @return false after a message. */
bool hd_sweep_machine_counters(struct hd_sweep *s);
/* ... and which the workloads have, from points that are done. One that nobody has is refused, by line, when each workload has run;
 * until then the table has no number of it. @return false after a message. */
bool hd_sweep_work_counters(struct hd_sweep *s, const struct hd_lab_way *way);
/* Those of workloads are only known when one has run. Runs each workload once, if some are not known: a table of thousands of runs
 * is not for nothing. @return the exit code: 2 after a message. */
int hd_sweep_first_runs(struct hd_sweep *s, const struct hd_lab_way *way);

/* Prints the table of means and spreads of the points that are done, and writes it as <out>/NAME.csv and, with a plot of the
 * first counter with error bars, NAME.gp .svg .png. @return false after a message. */
bool hd_sweep_print(const struct hd_sweep *s, const struct hd_lab_way *way);
#endif
