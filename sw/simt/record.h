/* record.h - turns what the SIMT runtime does into the event log (tb/check/evlog.h), in checked builds.
 *
 * The runtime tells of each operation when it is handed in, taken, completed, and of each use of loaded words; all
 * within one SM in order. Different SMs may be told in any order. Nothing here allocates after _new. */
#ifndef HD_RECORD_H
#define HD_RECORD_H
#include "check/evlog.h"
#include "check/notes.h"
#include "machine.h"

struct hd_record;

/* @return NULL when there is no memory. *c and *log must outlive it. */
struct hd_record *hd_record_new(const struct hd_config *c, struct hd_evlog *log);
void hd_record_free(struct hd_record *r); /* NULL is allowed */

/* From now on the persist checker is told, too: *@notes [sms], which must outlive r. A completion takes HD_RECORD_NOTES notes a lane,
 * anything else as many at most. */
enum { HD_RECORD_NOTES = 3 };
void hd_record_notes(struct hd_record *r, struct hd_notes *notes);

/* A warp starts in this slot. */
struct hd_launched {
    uint32_t block;             /* running number of its block in the run */
    uint8_t what;               /* of hd_order (dispatch.h): new, goes on behind a barrier of the grid, of no grid */
    bool durable;               /* going on: the barrier was a persist barrier */
    uint32_t barriers, warps;   /* ... of grids, complete so far; warps of this grid and those before it */
};
void hd_record_launch(struct hd_record *r, unsigned sm, unsigned warp, uint64_t cycle, const struct hd_launched *launched);

/* Operation *op of op->warp is handed in: gives its lanes their ids, which become op->ghost. @sync: an access with
 * order and scope, not a plain one. @tok: the runtime's token if it returns words. Kinds that are neither memory
 * operation nor fence nor barrier may be told and are ignored. */
void hd_record_offer(struct hd_record *r, unsigned sm, struct hd_op *op, bool sync, uint32_t tok);

/* It is taken; a memory operation into scoreboard slot @slot. */
void hd_record_taken(struct hd_record *r, unsigned sm, unsigned warp, unsigned slot, uint64_t cycle);

/* Warp slots below @warps of each SM may use transactions in the LDS. Their accesses to it enter the log when their lane commits, as
 * many as HD_RECORD_HELD of a warp at once; those of attempts that abort leave a record that says nothing. Global loads stay what they
 * are. A plain load that saw a word of an open attempt, and all accesses to a word that a plain store and an attempt raced for, are no
 * longer judged by the log: check/tm.h judges them. @return false when there is no memory. */
enum { HD_RECORD_HELD = 4096 };
bool hd_record_transactions(struct hd_record *r, unsigned warps);

/* As hd_client.complete(). @tcm: lanes whose attempt has lost after the operation; of a begin: that do not run; of a commit: that
 * are to try again; 0 outside transactions. @mode: of a begin, HD_TM_*. */
void hd_record_complete(struct hd_record *r, unsigned sm, unsigned warp, unsigned slot, uint64_t cycle, bool last,
                        hd_mask_t mask, const uint32_t *data, const uint32_t *ghost, hd_mask_t tcm,
                        unsigned mode);

/* The warp's fence or barrier is done. */
void hd_record_done(struct hd_record *r, unsigned sm, unsigned warp, uint64_t cycle);

/* The words of token @tok are used: what the warp does next may depend on them. */
void hd_record_used(struct hd_record *r, unsigned sm, unsigned warp, uint32_t tok);

/* @return what an atomic function makes of word @old; the table is that of hd_amo_alu. */
uint32_t hd_atomic_result(unsigned fn, uint32_t old, uint32_t b, uint32_t cmp);

/* Between windows. @return the watermark at @next, up to which all has been run (evlog.h). */
uint64_t hd_record_watermark(const struct hd_record *r, uint64_t next);

/* @return [sms] ids given out. */
const uint32_t *hd_record_issued(const struct hd_record *r);
#endif
