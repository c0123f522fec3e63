/* warp.h - what a kernel sees: one warp of lanes that issues operations in order.
 *
 * A kernel is `void k(struct hd_warp *w, void *args)`, called once per warp of the grid. It runs on its own
 * stack and talks to the hardware only by the calls below.
 *
 * Loads are split phase: hd_ld() hands the operation in and returns a token at once; hd_use() waits until the
 * words of all its lanes are there. Operations of a warp issue in program order: a call waits until the
 * operation before it has been accepted by the hardware. hd_alu(n) charges n ALU instructions to the next
 * operation; when the warp has to wait in hd_use() first, they are issued on their own before it waits.
 *
 * Masks hold one bit a lane; lanes that have no thread are dropped. An operation with an empty mask is not
 * issued. Addresses are byte addresses; one that is not a multiple of 4, or beyond the workload's memory,
 * ends the run with an error that names warp and address. */
#ifndef HD_WARP_H
#define HD_WARP_H
#include "hd_pkg.h" /* generated from rtl/pkg: atomic_e, order_e, scope_e */
#include "port.h"   /* hd_mask_t */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct hd_warp;
typedef void hd_kernel(struct hd_warp *w, void *args);

/* A load or atomic. Its words stay readable until the warp has issued HD_TOKENS more of them. */
typedef uint32_t hd_tok;
enum { HD_TOKENS = 32 };

#define HD_ALL_LANES (~(hd_mask_t)0)

static inline hd_mask_t hd_lane(unsigned lane)
{
    return (hd_mask_t)1 << lane;
}
static inline hd_mask_t hd_lanes_below(unsigned lane) /* up to 64 */
{
    return lane < 64 ? hd_lane(lane) - 1 : HD_ALL_LANES;
}

/* Who am I. Threads of a block are numbered x first; warp i holds threads i*lanes .. i*lanes+lanes-1. */
unsigned hd_lanes(const struct hd_warp *w);           /* lanes a warp has */
hd_mask_t hd_mask(const struct hd_warp *w);           /* lanes that hold a thread */
unsigned hd_warp_in_block(const struct hd_warp *w);
unsigned hd_thread(const struct hd_warp *w, unsigned lane);   /* thread number in the block */
unsigned hd_block(const struct hd_warp *w);           /* block number, x first */
unsigned hd_block_x(const struct hd_warp *w);
unsigned hd_block_y(const struct hd_warp *w);
unsigned hd_block_dim_x(const struct hd_warp *w);     /* threads */
unsigned hd_block_dim_y(const struct hd_warp *w);
unsigned hd_grid_dim_x(const struct hd_warp *w);      /* blocks */
unsigned hd_grid_dim_y(const struct hd_warp *w);
/* Number of the lane's thread in the grid, counting block by block. */
unsigned hd_global_thread(const struct hd_warp *w, unsigned lane);

/* Memory. Arrays have one entry a lane; entries of lanes outside @mask are not read (hd_st_f() reads them all).
 * The _o forms give order and scope, the others are relaxed at device scope. */
hd_tok hd_ld(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr);
hd_tok hd_ld_o(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr, unsigned order, unsigned scope);
void hd_st(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr, const uint32_t *value);
void hd_st_o(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr, const uint32_t *value, unsigned order,
             unsigned scope);
/* @fn: AT_ADD ... AT_UMAX except AT_CAS. The token gives the old words; lanes on one word go in lane order. */
hd_tok hd_atom(struct hd_warp *w, unsigned fn, hd_mask_t mask, const uint32_t *addr, const uint32_t *value);
hd_tok hd_atom_o(struct hd_warp *w, unsigned fn, hd_mask_t mask, const uint32_t *addr, const uint32_t *value,
                 unsigned order, unsigned scope);
/* Where the word equals @expect it becomes @value; the token gives the old words. */
hd_tok hd_cas(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr, const uint32_t *expect,
              const uint32_t *value);
hd_tok hd_cas_o(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr, const uint32_t *expect,
                const uint32_t *value, unsigned order, unsigned scope);

/* The block's local data share: byte addresses from 0 to below hd_launch.lds_bytes. Its words are not cleared at
 * the start of a block. @fn: not AT_CAS. */
hd_tok hd_lds_ld(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr, unsigned order, unsigned scope);
void hd_lds_st(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr, const uint32_t *value, unsigned order,
               unsigned scope);
hd_tok hd_lds_atom(struct hd_warp *w, unsigned fn, hd_mask_t mask, const uint32_t *addr, const uint32_t *value,
                   unsigned order, unsigned scope);

/* Asynchronous copies to the LDS (machines with copies above 0): each lane's word at @addr goes to @lds, an LDS address as
 * above, while the warp goes on. Copies since the last call of hd_copy_close() are a group then; hd_copy_wait() returns when of
 * the groups closed at most the @open youngest, 0 to 7, may have copies under way. Until a copy is complete nobody can tell
 * what is in its word, under relaxed orders the lane itself neither: what the lane stores there may be lost. A fence waits for
 * copies too; other warps of the block need a barrier behind the wait. */
void hd_copy(struct hd_warp *w, hd_mask_t mask, const uint32_t *lds, const uint32_t *addr);
void hd_copy_close(struct hd_warp *w);
void hd_copy_wait(struct hd_warp *w, unsigned open);

/* Waits for the operation and gives its words, one a lane; lanes outside its mask are unspecified. */
const uint32_t *hd_use(struct hd_warp *w, hd_tok t);
const float *hd_use_f(struct hd_warp *w, hd_tok t);

/* One address for all lanes; lane l at addr + 4 l; stores of floats. */
hd_tok hd_ld_all(struct hd_warp *w, hd_mask_t mask, uint32_t addr);
hd_tok hd_ld_row(struct hd_warp *w, hd_mask_t mask, uint32_t addr);
void hd_st_row(struct hd_warp *w, hd_mask_t mask, uint32_t addr, const uint32_t *value);
void hd_st_f(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr, const float *value);

/* Waits until every earlier operation of the warp is performed (order and scope: order_e, scope_e). */
void hd_fence(struct hd_warp *w, unsigned order, unsigned scope);
/* Persist barrier (paper 4): returns when everything the warp wrote before is durable; with HD_SCOPE_WG when that holds for
 * all live warps of the block, which all have to come here (exits count). HD_SCOPE_DEVICE is this warp's part of a barrier of
 * the kernel: its warps have to meet behind it. Costs and does nothing on machines with persist = off. */
void hd_pbarrier(struct hd_warp *w, unsigned scope);
/* Waits until every live warp of the block is here. */
void hd_bar(struct hd_warp *w);
/* Barriers of the grid (paper 4: sync_barrier_kr, p_barrier_kr): wait until every warp of the grid is here or has ended.
 * The warp releases at device scope and is parked: its slot is free, its registers (all of the C function) stay, blocks that
 * have not run yet take its place. It goes on behind an acquire, in another slot perhaps (hd_warp_slot()), on the same SM.
 * All that any warp of the grid did before happens before all behind; with hd_pbarrier_grid() it is durable as well, whatever
 * `persist` is but off, where it does nothing. Not for blocks with LDS, in a transaction, or in a run that is recorded. */
void hd_bar_grid(struct hd_warp *w);
void hd_pbarrier_grid(struct hd_warp *w);
void hd_alu(struct hd_warp *w, unsigned n);
/* Outside the machine: the warp does nothing until its SM's cycle @until (at once when that is past), and costs
 * no issue slot; the cycle its SM is in. For test programs that place operations in time. */
void hd_sleep(struct hd_warp *w, uint64_t until);
uint64_t hd_now(const struct hd_warp *w);
/* Costs nothing: a loop that ends by itself gets on, though it may do the same accesses for a million cycles. Without it they
 * are taken for a warp that waits for a word (livelock, docs/inside.md). */
void hd_advance(struct hd_warp *w);
/* @return the cycle counter, read when the warp's turn to issue has come. */
uint32_t hd_clock(struct hd_warp *w);

/* Transactions in the LDS (docs/localtm.md; machines with local_tm = on). Each lane of @mask is a transaction of its own:
 *
 *     hd_tx_private(w, acc, sizeof acc[0]);
 *     do {
 *         hd_mask_t m = hd_tx_begin(w, mask);
 *         ... LDS accesses of lanes in m ...
 *     } while (hd_tx_commit(w));
 *
 * The body may be entered any number of times. hd_tx_begin: @return lanes of this attempt; waits while another warp runs
 * alone; inside a transaction it only counts. hd_tx_live: of them, those that have not lost, as far as completions have
 * told; lanes that have lost take no part in any operation. hd_tx_commit: @return true when lanes must try again.
 * hd_tx_private: before the loop; a lane's entry of @array[lanes], @bytes each, is put back when its attempt has lost; at
 * most HD_TX_PRIVATE arrays, until the transaction is over. Barriers, exits, sleeping, global stores and atomics inside
 * end the run with a message. */
enum { HD_TX_PRIVATE = 16 };
hd_mask_t hd_tx_begin(struct hd_warp *w, hd_mask_t mask);
hd_mask_t hd_tx_live(const struct hd_warp *w);
bool hd_tx_commit(struct hd_warp *w);
void hd_tx_private(struct hd_warp *w, void *array, size_t bytes);

/* The same bits as a float, as a word. */
static inline float hd_float(uint32_t word)
{
    float f;
    memcpy(&f, &word, sizeof f);
    return f;
}
static inline uint32_t hd_word(float f)
{
    uint32_t word;
    memcpy(&word, &f, sizeof word);
    return word;
}
#endif
