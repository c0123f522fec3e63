/* persists.h - the persist checker on a run: puts what SMs, L2 and non-volatile memory tell into the order of time and hands it to
 * check/persist.h, model epoch, or alternative with persist = buffered. Barriers of kernel scope are judged as what each warp's part of them promises. */
#ifndef HD_PERSISTS_H
#define HD_PERSISTS_H
#include "config.h"
#include "machine.h"
#include "simt.h"

struct hd_persists;

/* @return whether runs of *c are judged: persist barriers, words that know their store, check_persist. */
bool hd_persists_on(const struct hd_config *c);

/* Has *s, which is recorded, and the memory of *m tell. All three must outlive it but *m, which may end before hd_persists_free().
 * @return NULL: no memory. */
struct hd_persists *hd_persists_new(const struct hd_config *c, struct hd_simt *s, struct hd_machine *m);
void hd_persists_free(struct hd_persists *p); /* NULL is allowed */

/* Between windows: makes room for one more. @return false: no memory. *@full: hd_persists_judge() is due. */
bool hd_persists_reserve(struct hd_persists *p, bool *full);

/* Judges what has been told, with @puts, what the L2 has written since the last call (HD_EVK_PUT). @epoch: a kernel has ended.
 * @return false after a violation. */
bool hd_persists_judge(struct hd_persists *p, const struct hd_evlist *puts, bool epoch);

/* After the last hd_persists_judge(); @flushed: all is durable. @return "pass" or what is wrong, valid until free. */
const char *hd_persists_end(struct hd_persists *p, bool flushed);
#endif
