/* jobs.h - points as jobs: what runs the points of all labs and sweeps, one at a time in a process of its own, on this host
 * (jobs_local.c) or as tasks of a Slurm job array (jobs_slurm.c).
 *
 * A job leaves one file, its row of the results database, which appears whole in <out>/jobs/ under a name made of the point's key,
 * and is taken by the one process that collects. So jobs share no file and need no lock, and whatever is killed, a point is there
 * or not. A job that failed leaves its reason and messages beside it. While it runs there are its messages alone: so anybody
 * who sees the folder sees how far all are, whoever runs them. */
#ifndef HD_JOBS_H
#define HD_JOBS_H
#include "lab.h"

enum { HD_JOBS_PATH = 640, HD_JOBS_MOST = 64 /* at a time here */, HD_JOBS_FIRST = 3, HD_JOBS_EVERY = 10 /* seconds between reports */ };

/* <out>/jobs/<name of the point><ending>, in @path. */
const char *hd_jobs_path(const struct hd_results_key *key, const char *out, const char *ending, char path[HD_JOBS_PATH]);

/* ---- one job */

/* Runs point @p in this process: stdout and stderr go to its .log, the result to its .row, the reason to its .failed. @what and
 * @label are for the messages. @return the exit code. */
int hd_jobs_run(const struct hd_lab_point *p, const char *what, const char *label, const char *out);
/* Why a point without result has none. */
void hd_jobs_note_failure(const struct hd_results_key *key, const char *out, const char *reason);
/* Removes what a call before has said of a point. */
void hd_jobs_forget(const struct hd_results_key *key, const char *out);
/* "@label: REASON (LOG)" on stderr, of a point without a good result. */
void hd_jobs_complain(const struct hd_results_key *key, const char *out, const char *label);

/* ---- many */

/* Takes the files that points have left into @db, in one transaction, and marks what is done. @list: their numbers in @points;
 * NULL: the first @n. @return false after a message. */
bool hd_jobs_take(struct hd_results *db, struct hd_lab_point *points, const size_t *list, size_t n, const char *out);

/* Run the @n points whose numbers are in @list, on this host and as an array of Slurm; @before others are done, for the progress.
 * @return the exit code; those that failed are not done. */
int hd_jobs_local(struct hd_lab_point *points, const size_t *list, size_t n, size_t before, const struct hd_lab_way *way);
int hd_jobs_slurm(struct hd_lab_point *points, const size_t *list, size_t n, size_t before, const struct hd_lab_way *way);
/* @return whether Ctrl-C or SIGTERM ended hd_jobs_local(). */
bool hd_jobs_stopped(void);
/* Does Slurm still have tasks of the folder's last array? They take their points from what is written down there, by number, so
 * nothing else may be. @return true after a message. */
bool hd_jobs_queued(const struct hd_lab_way *way);

/* ---- points written down, so that another process needs nothing else: <out>/jobs/points, there while they are run */

bool hd_jobs_write(const struct hd_lab_point *points, const size_t *list, size_t n, const struct hd_lab_way *way);
/* Runs number @i of them in this process. @return the exit code. */
int hd_jobs_one(const char *out, size_t i);

/* ---- how far */

struct hd_jobs_count {
    size_t all, done, failed, running;
    double cost, paid;         /* of all that were to run, and of those that have ended */
};
/* "@what: D of N runs, F failed, R running, T s, about L s left" on stderr. */
void hd_jobs_progress(const char *what, const struct hd_jobs_count *count, double seconds);

/* The view of points that anybody may have: a line, and one for each that runs now, printed again every @seconds until all
 * have ended; 0: once. Changes nothing. @return the exit code. */
int hd_jobs_watch(const struct hd_results_key *keys, size_t n, const struct hd_lab_way *way, unsigned seconds);
/* The same of the points written down, those of a lab. */
int hd_jobs_watch_written(const struct hd_lab_way *way, unsigned seconds);
#endif
