/* txwatch.h - LDS transactions of a run, watched at the warp ports: one checker (check/tm.h) an SM, and what the warps'
 * time goes into (paper 5, figures 3b to 5b).
 *
 * The runtime tells of every LDS operation when it is offered, taken and completed; all within one SM in order. Different SMs
 * may be told in any order, and by different threads. Nothing here allocates after _new. */
#ifndef HD_TXWATCH_H
#define HD_TXWATCH_H
#include "check/tm.h"
#include "machine.h"

struct hd_txwatch;

/* Warp-cycles from launch to exit, by what a warp is in. */
enum hd_tx_time {
    HD_TX_NONE,     /* outside transactions */
    HD_TX_CODE,     /* between the end of a begin and the offer of its commit, but for the next */
    HD_TX_MEMORY,   /* ... waits while the LDS is at owner records, backups, restores (a warp's own operation or another's) */
    HD_TX_ENDS,     /* begin and commit, from their offer to their completion, but for the next */
    HD_TX_HELD,     /* begins that wait because another warp runs alone or is the next to */
    HD_TX_TIMES
};

/* The transactions a machine has. */
struct hd_txwatch_options {
    unsigned warps;  /* warp slots below may use them */
    unsigned hash;   /* as hd_tm_shape.hash */
    bool ideal;      /* they cost no time beside the passes */
};

/* @return NULL when there is no memory. *c must outlive it. */
struct hd_txwatch *hd_txwatch_new(const struct hd_config *c, const struct hd_txwatch_options *options);
void hd_txwatch_free(struct hd_txwatch *x); /* NULL is allowed */

void hd_txwatch_launch(struct hd_txwatch *x, unsigned sm, unsigned warp, uint64_t cycle);
void hd_txwatch_exit(struct hd_txwatch *x, unsigned sm, unsigned warp, uint64_t cycle);

/* Any operation may be told; those that are not the LDS's are ignored. */
void hd_txwatch_offer(struct hd_txwatch *x, unsigned sm, const struct hd_op *op, uint64_t cycle);
void hd_txwatch_taken(struct hd_txwatch *x, unsigned sm, const struct hd_op *op, unsigned slot);

/* As hd_client.complete(), of a whole operation. @data: words read or, of an atomic, overwritten; @ghost: of a store, too.
 * @return false when something is (or was) wrong. */
bool hd_txwatch_complete(struct hd_txwatch *x, unsigned sm, unsigned warp, unsigned slot, uint64_t cycle, const uint32_t *data,
                         const uint32_t *ghost, hd_mask_t tcm, unsigned mode);

/* Between windows. @return NULL, or one line on what is wrong first in the lowest SM; valid until free. */
const char *hd_txwatch_fault(const struct hd_txwatch *x);

/* Sums over all SMs as counters, tm.NAME. @return how many; *list is valid until free or the next call. */
size_t hd_txwatch_counters(struct hd_txwatch *x, const struct hd_counter **list);
#endif
