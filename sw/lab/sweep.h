/* sweep.h - `heddle sweep`: a table of runs that a file describes (docs/sweep.md), run on the local cores or as a job array
 * of Slurm.
 *
 * The table is configurations x values of keys x workloads x seeds. A point is one job (jobs.h). A point that failed
 * is run again by the next call, alone.
 *
 * sweep_file.c reads the file, sweep.c runs points, sweep_slurm.c has Slurm run them, sweep_text.c writes tables. */
#ifndef HD_SWEEP_H
#define HD_SWEEP_H
#include "jobs.h"

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
    size_t machines, works, seeds, counters;
    struct hd_results_key *key; /* of each point, when the models are built */
};

/* Reads and checks a file. @return false after a message that names the line. hd_sweep_free() is due in both cases. */
bool hd_sweep_read(struct hd_sweep *s, const char *file);
void hd_sweep_free(struct hd_sweep *s);

/* Points are numbered 0..hd_sweep_points() - 1, seeds fastest, then workloads, then machines. */
size_t hd_sweep_points(const struct hd_sweep *s);
/* What point @i is, for messages, in @text. */
const char *hd_sweep_label(const struct hd_sweep *s, size_t i, char text[2 * HD_SWEEP_TEXT + 32]);

/* Builds the models of all machines, @jobs at a time, and makes the keys. @return false after a message. */
bool hd_sweep_build(struct hd_sweep *s, unsigned jobs);

struct hd_sweep_way {
    const char *db, *out;
    unsigned jobs;
};

/* Runs point @i in this process: stdout and stderr go to its .log, the result to its .db, or the reason to its .failed.
 * @return the exit code. */
int hd_sweep_point(const struct hd_sweep *s, size_t i, const char *out);

/* Merges what jobs have left in <out>/jobs and marks in done[] the points that are in the database. @return false
 * after a message. */
bool hd_sweep_merge(const struct hd_sweep *s, const struct hd_sweep_way *way, bool *done);

/* How far all are, whoever runs them: a line, and one for each that runs now, printed again every @seconds until all have ended;
 * 0: once. Changes nothing. @return the exit code. */
int hd_sweep_watch(const struct hd_sweep *s, const struct hd_sweep_way *way, unsigned seconds);

/* Names those that are not done, with their reasons, on stderr. @return their number. */
size_t hd_sweep_missing(const struct hd_sweep *s, const struct hd_sweep_way *way, const bool *done);

/* Runs what is not in the database. @return the exit code; 2 when it was interrupted, after a message. */
int hd_sweep_run(const struct hd_sweep *s, const struct hd_sweep_way *way, bool *done);

/* Has Slurm run what is not in the database: writes <out>/slurm.sh, a job array, and submits it. Jobs see <out>, the models
 * and the command under the same names. Not while a former array still runs. @return the exit code. */
int hd_sweep_submit(const struct hd_sweep *s, const struct hd_sweep_way *way, bool *done);

/* Prints the table of means and spreads of the points that are done, and writes it as <out>/NAME.csv and, with a plot of the
 * first counter with error bars, NAME.gp .svg .png. @return false after a message. */
bool hd_sweep_print(const struct hd_sweep *s, const struct hd_sweep_way *way, const bool *done);
#endif
