/* tap.h - records a run as a native trace that replays it cycle by cycle (replay.h). */
#ifndef HD_TRACE_TAP_H
#define HD_TRACE_TAP_H
#include "diag.h"
#include "work.h"

struct hd_tapper;

/* Records what *s runs, prepared by *k, in @path. @origin: what ran, for the head. All must outlive it.
 * @return NULL after an error in *d. */
struct hd_tapper *hd_tapper_new(const char *path, const struct hd_config *c, struct hd_simt *s, const struct hd_work *k,
                                const char *origin, struct hd_diag *d);
void hd_tapper_free(struct hd_tapper *t); /* NULL is allowed; the file of a run that has not ended is removed */

/* Between windows: writes. @return false when it cannot. */
bool hd_tapper_window(struct hd_tapper *t);

/* After a run of @cycles that has ended, memory being flushed; NULL: the run failed. Ends the file. @return false after an
 * error. */
bool hd_tapper_end(struct hd_tapper *t, uint64_t cycles, const struct hd_machine *m);
#endif
