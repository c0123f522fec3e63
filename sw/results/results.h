/* results.h - the results database: one SQLite file that keeps runs and the points of experiments.
 *
 * Tables: `config` (each configuration once, all its keys as JSON, named by a hash of them), `run` (a row for each run:
 * configuration, git revision, build, workload and parameters, seed, counters, verdicts, cycles) and `point` (what an
 * experiment measured in a run: a latency, or with `ordering`, whose pattern is the workload with its parameters, the
 * cycles; its key is what an interrupted experiment looks for when it goes on), and once a run had some `interval` (rows of
 * heddle run --interval: the counters that rose in it, by the cycle at which it ends, as JSON). `build` names
 * what simulated: a hash over the C sources of the simulator and over the models' own keys, so that a point measured
 * with other hardware or another simulator is measured again. What an experiment found in the end, its claims and figures,
 * is in findings.h; docs/database.md explains tables and views.
 *
 * A run and its point are one transaction, in write-ahead mode: whoever is killed loses the run it was at. Several
 * processes may write. A file that is no results database, is damaged or of another schema version is left as it is. */
#ifndef HD_RESULTS_H
#define HD_RESULTS_H
#include "run/run.h"
#include <stdbool.h>
#include <stdint.h>

enum { HD_RESULTS_HASH = 17 };

/* What is measured, at which point. */
struct hd_results_key {
    const char *experiment;
    char config[HD_RESULTS_HASH], build[HD_RESULTS_HASH];
    const char *pattern;
    unsigned loads, threads, offset;
};

struct hd_results;

/* Opens a database, or makes one where there is no file. @return NULL after a message on stderr. Not across fork(). */
struct hd_results *hd_results_open(const char *path);
void hd_results_close(struct hd_results *db); /* NULL is allowed */

/* The same for queries only: nothing is made or changed. */
struct hd_results *hd_results_read(const char *path);

/* Names a configuration and what simulates it. */
void hd_results_config(const struct hd_config *c, char hash[HD_RESULTS_HASH]);
void hd_results_build(const struct hd_model_paths *models, char hash[HD_RESULTS_HASH]);

/* @return true when the point is there, of a run that passed all its checks; *value is then its value. */
bool hd_results_find(struct hd_results *db, const struct hd_results_key *key, uint32_t *value);

/* @return the counters of the run that measured a point, as JSON, to be freed; NULL when it is not there. *cpu_seconds
 * is what the run took. */
char *hd_results_counters(struct hd_results *db, const struct hd_results_key *key, double *cpu_seconds);

/* Calls see() with the counters, as JSON, of each run of an experiment that passed all its checks and was simulated by @build.
 * @return false after a message on stderr. */
bool hd_results_each(struct hd_results *db, const char *experiment, const char build[HD_RESULTS_HASH],
                     void (*see)(void *ctx, const char *counters), void *ctx);

/* A run that measured a point. */
struct hd_results_run {
    uint64_t cycles, instructions;
    char *counters;            /* as JSON, to be freed */
};

/* @return true when the point is there, of a run that passed all its checks. */
bool hd_results_measured(struct hd_results *db, const struct hd_results_key *key, struct hd_results_run *run);

/* A name for a point, of all that is in its key. */
void hd_results_name(const struct hd_results_key *key, char text[HD_RESULTS_HASH]);

/* Adds a run and, if @key is not NULL, the point measured in it. @return false after a message on stderr. */
bool hd_results_add(struct hd_results *db, const struct hd_result *r, const struct hd_results_key *key,
                    uint32_t value);

/* The same into a file of its own, which appears whole: no database is open, nothing locked. Without intervals. */
bool hd_results_write(const char *path, const struct hd_result *r, const struct hd_results_key *key, uint32_t value);

/* Adds what such a file has, between hd_results_begin() and hd_results_end(); a file that is gone or not whole adds nothing. @return
 * false after a message on stderr. */
bool hd_results_take(struct hd_results *db, const char *path);

/* A transaction around many; if not @good, nothing is written. @return false after a message on stderr. */
bool hd_results_begin(struct hd_results *db);
bool hd_results_end(struct hd_results *db, bool good);
#endif
