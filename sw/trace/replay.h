/* replay.h - runs a native trace: a workload whose kernels play what is in the file. */
#ifndef HD_TRACE_REPLAY_H
#define HD_TRACE_REPLAY_H
#include "hdt.h"
#include "work.h"

struct hd_replay;

/* Opens @path for a machine of *c. Both must outlive it. @return NULL after an error in *d. */
struct hd_replay *hd_replay_open(const char *path, const struct hd_config *c, struct hd_diag *d);
void hd_replay_free(struct hd_replay *r); /* NULL is allowed */

/* Takes "kernels=..." (list.h) and "every=N". @return 1 when it was one of these, 0 when not, -1 after an error. Before
 * the workload is prepared. */
int hd_replay_set(struct hd_replay *r, const char *assignment, struct hd_diag *d);

/* @return what hd_replay_set() was given: kernels, NULL for all; *every: of so many blocks one. */
const char *hd_replay_chosen(const struct hd_replay *r, uint64_t *every);

/* The workload; hd_work_new() takes it. It lives as long as *r. */
const struct hd_workload *hd_replay_workload(struct hd_replay *r);

/* Settles which blocks are played; behind the last hd_replay_set(). @return false after an error. */
bool hd_replay_choose(struct hd_replay *r, struct hd_diag *d);

/* Writes the memory of a recorded run, before the run. @return false after an error. */
bool hd_replay_memory(struct hd_replay *r, struct hd_machine *m, struct hd_diag *d);

/* After the run, of @cycles, memory being flushed. @return NULL, or what differs from what was recorded: operations always,
 * cycles and memory when the whole of a recorded run was replayed on its own configuration. */
const char *hd_replay_check(struct hd_replay *r, struct hd_machine *m, uint64_t cycles);

/* @return what to mind of the results, NULL if nothing: a path recorded on another configuration, polls. */
const char *hd_replay_note(struct hd_replay *r);

/* @return a hash of the words below @top of a flushed memory. */
uint64_t hd_replay_hash(const struct hd_machine *m, uint64_t top);

/* Is the key of a configuration one that changes nothing of a run but how it is simulated or checked? */
bool hd_replay_host_key(const char *key);
#endif
