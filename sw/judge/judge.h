/* judge.h - the memory-model checker and, on machines with persist barriers, the persist checker (persists.h) on a run: takes the event log of the SIMT runtime window by window. */
#ifndef HD_JUDGE_H
#define HD_JUDGE_H
#include "check/mcm.h"
#include "config.h"
#include "machine.h"
#include "simt.h"

struct hd_judge;

/* Has *s, run on *m, recorded. @check: judge by the model of hd_mcm_of_order(c->order). @path: NULL, or a file that
 * gets the log. *c, *s and, while it is used, *m must outlive it. @return NULL after a message on stderr. */
struct hd_judge *hd_judge_new(const struct hd_config *c, struct hd_simt *s, struct hd_machine *m, bool check,
                              const char *path);
void hd_judge_free(struct hd_judge *j); /* NULL is allowed; after the machine's last run */

/* In the watch function of the runtime, after each window. @return false: the run should end (a violation, the log
 * cannot be written, no memory). */
bool hd_judge_window(struct hd_judge *j);

/* After the run; @complete: every operation was done. Closes the file. With @m, which must be flushed, its memory is
 * compared too. @return NULL when nothing was checked, "pass", or what is wrong; valid until free. */
const char *hd_judge_end(struct hd_judge *j, bool complete, const struct hd_machine *m);

/* After hd_judge_end(). @return NULL when nothing was checked for persist order, "pass", or what is wrong; valid until free. */
const char *hd_judge_persist(const struct hd_judge *j);

/* @return whether the event log could not be written whole; the message has been given. */
bool hd_judge_unwritten(const struct hd_judge *j);

/* @return the violation, NULL if there is none. */
const struct hd_mcm_violation *hd_judge_violation(const struct hd_judge *j);
#endif
