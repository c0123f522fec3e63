/* jobs.h - points that are run one a process, on this host or as tasks of a Slurm job array, each leaving one file: what
 * `heddle sweep` and the labs with --slurm share.
 *
 * A job's result is one database file that appears whole in <out>/jobs/ under a name made of the point's key, and is merged
 * into the results database by one process. So jobs share no file and need no lock, and whatever is killed, a point is there or
 * not. A job that failed leaves its reason and messages beside it. While it runs there are its messages alone: so anybody
 * who sees the folder sees how far all are, whoever runs them. */
#ifndef HD_JOBS_H
#define HD_JOBS_H
#include "lab.h"

enum { HD_JOBS_PATH = 640 };

/* <out>/jobs/<name of the point><ending>, in @path. */
const char *hd_jobs_path(const struct hd_results_key *key, const char *out, const char *ending, char path[HD_JOBS_PATH]);

/* Runs point @p in this process: stdout and stderr go to its .log, the result to its .db, or the reason to its .failed.
 * @what and @label are for the messages. @return the exit code. */
int hd_jobs_run(const struct hd_lab_point *p, const struct hd_results_key *key, const char *what, const char *label, const char *out);

/* Where process @pid writes before its result is whole: on this host, since SQLite needs locks and shared memory. */
const char *hd_jobs_scratch(long pid, char path[HD_JOBS_PATH]);
/* Removes a database and what may stand beside it. */
void hd_jobs_remove(const char *path);
void hd_jobs_note_failure(const char *path, const char *reason);

/* Merges the file of a point, if there is one. @return false after a message. */
bool hd_jobs_merge(const struct hd_results_key *key, const char *out, struct hd_results *db);

/* "@label: REASON (LOG)" on stderr, of a point without a good result. */
void hd_jobs_complain(const struct hd_results_key *key, const char *out, const char *label);

/* How far jobs are. */
struct hd_jobs_count {
    size_t all, done, failed, running;
};
/* Adds point @key, whose result is in the database if @done. @return whether it runs now. */
bool hd_jobs_look(struct hd_jobs_count *count, const struct hd_results_key *key, const char *out, bool done);
/* "@what: D of N runs, F failed, R running, T s, about L s left" on stderr; @before were done at the start. */
void hd_jobs_progress(const char *what, const struct hd_jobs_count *count, size_t before, double seconds);

/* Submits a job array called heddle-@name for the points whose numbers are in @points. Each runs `heddle @command` with $out, and
 * $i for the number. Jobs see @out, the models and the command under the same names. @return the number of tasks, 0 after
 * a message. */
size_t hd_jobs_submit(const char *name, const size_t *points, size_t n, const char *out, const char *command);
/* Does Slurm still have tasks of heddle-@name? */
bool hd_jobs_queued(const char *name);

/* Has Slurm run points of a lab, waits for them and merges them, with progress. @return the exit code. */
int hd_jobs_measure(struct hd_lab_point *points, const size_t *missing, size_t n, const struct hd_lab_way *way);
/* Runs number @i of those that hd_jobs_measure() has written down in <out>. @return the exit code. */
int hd_jobs_one(const char *out, size_t i);
#endif
