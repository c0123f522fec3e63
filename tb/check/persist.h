/* persist.h - the order in which stores become durable, judged while they do (paper 4 sections 5 and 6.1).
 *
 * The caller tells what monitors outside the unit under test see; the checker answers whether a power cut at any moment so far
 * leaves what the model allows. Three models:
 *   epoch       a barrier that has returned means durable: everything that happens before it in any member of its group, and
 *               everything those have read. This is what the NVW-FIFO machine gives.
 *   definition  a barrier orders only: nothing stored behind it is durable, nor may it be, while a store in front of it by the
 *               same work-item (a warp here), work-group or kernel is not. Release and acquire order nothing.
 *   alternative the definition as caches with epochs in their tags give it: what a warp has stored on two sides of a barrier is never
 *               written to the memory at once, not even to one word. Barriers that wait for their writes tell hd_persist_drained().
 * All: a grain (8 aligned bytes) never goes back in the order its stores took at the L2, and holds whole stores; a warp's stores
 * to a word take that order as they were made, and it never reads what one of them had written over there.
 *
 * A store has a ghost a word: not 0, never used twice. Stores that were overwritten in an L1 before they left stand right before
 * the one that left. A barrier's instance k is the k-th barrier of its scope of each member; a warp that has exited is waited for
 * by nobody. Warps have numbers of their own for the whole run: a slot that is used again has a new one.
 *
 * A store is forgotten when it is durable and every barrier that covers it knows; time is O(1) a store and load, O(warps) an
 * arrival or synchronization. Memory grows with stores not yet durable, with grains ever stored to and with warps squared.
 * Calls return false at the first violation, with a text in hd_persist_error(); nothing is judged after it. */
#ifndef HD_PERSIST_H
#define HD_PERSIST_H
#include <stdbool.h>
#include <stdint.h>

enum hd_persist_model { HD_PERSIST_EPOCH, HD_PERSIST_DEFINITION, HD_PERSIST_ALTERNATIVE };
enum hd_persist_scope { HD_PERSIST_WI, HD_PERSIST_WG, HD_PERSIST_KR, HD_PERSIST_SCOPES };

struct hd_persist;

/* @block: of each of @warps warps, below @warps; read once. @return NULL without memory. */
struct hd_persist *hd_persist_new(enum hd_persist_model model, unsigned warps, const unsigned *block);
void hd_persist_free(struct hd_persist *p); /* NULL is allowed */
const char *hd_persist_error(const struct hd_persist *p); /* NULL: no violation so far */

/* @warp stores, in program order, into the words of the grain at @addr (8-byte aligned) that @mask names (bits 0, 1). */
bool hd_persist_store(struct hd_persist *p, uint64_t cycle, unsigned warp, uint32_t addr, unsigned mask, const uint32_t ghost[2]);
/* In an L1, or by another lane of an atomic, the word of @over was written over by @ghost before it left. */
bool hd_persist_merged(struct hd_persist *p, uint64_t cycle, uint32_t over, uint32_t ghost);
/* The store is performed at the L2: its place in the order of its grain. A second time is an error. */
bool hd_persist_ordered(struct hd_persist *p, uint64_t cycle, uint32_t ghost);
/* @warp has read the word at @addr, which @ghost stored; 0: nobody. In its program order the load stands behind the warp's stores with
 * ghosts below @at, and is told before any barrier behind it. */
bool hd_persist_load(struct hd_persist *p, uint64_t cycle, unsigned warp, uint32_t addr, uint32_t at, uint32_t ghost);
/* Whether the L2 has not had store @ghost yet. */
bool hd_persist_pending(const struct hd_persist *p, uint32_t ghost);

/* A release by writing @value to @word (any number that names it) and an acquire that has read it there. They synchronize when
 * scopes are equal and, at HD_PERSIST_WG, blocks. An acquire of a value that is not the last released learns nothing. */
bool hd_persist_release(struct hd_persist *p, unsigned warp, enum hd_persist_scope s, uint32_t word, uint32_t value);
void hd_persist_acquire(struct hd_persist *p, unsigned warp, enum hd_persist_scope s, uint32_t word, uint32_t value);
/* All live warps of @warp's block or of the kernel have met. */
void hd_persist_sync(struct hd_persist *p, unsigned warp, enum hd_persist_scope s);

/* A persist barrier: @warp has come to it; it goes on. */
bool hd_persist_arrive(struct hd_persist *p, uint64_t cycle, unsigned warp, enum hd_persist_scope s);
bool hd_persist_return(struct hd_persist *p, uint64_t cycle, unsigned warp, enum hd_persist_scope s);
/* As hd_persist_return(), and in every model all in front of it is durable, as under HD_PERSIST_EPOCH. */
bool hd_persist_drained(struct hd_persist *p, uint64_t cycle, unsigned warp, enum hd_persist_scope s);
void hd_persist_exit(struct hd_persist *p, unsigned warp);

/* A number of a warp that is gone is used again, in the block @block (below warps); @fresh: the first warp of it. What the ones that
 * are gone stored is no longer covered nor ordered by barriers, unless all of it is durable (hd_persist_settled()). */
void hd_persist_launch(struct hd_persist *p, unsigned warp, unsigned block, bool fresh);
bool hd_persist_settled(struct hd_persist *p, unsigned warp);
/* A kernel has ended: all of it happens before warps launched from now on. */
void hd_persist_kernel(struct hd_persist *p);

/* A write of the grain has reached the memory, and may be what a power cut leaves; it has completed. Words as they are written,
 * 0: never stored to. */
bool hd_persist_sent(struct hd_persist *p, uint64_t cycle, uint32_t addr, const uint32_t ghost[2]);
bool hd_persist_durable(struct hd_persist *p, uint64_t cycle, uint32_t addr, const uint32_t ghost[2]);
/* All warps have come to a persist barrier of the kernel, and go on: every store so far is durable. */
bool hd_persist_all_drained(struct hd_persist *p, uint64_t cycle);
/* After the final flush: every store is durable. */
bool hd_persist_end(struct hd_persist *p, uint64_t cycle);

struct hd_persist_counts {
    uint64_t stores, merged, loads; /* loads: of words not durable */
    uint64_t durable, returns;      /* grains told; barriers, each once an instance */
    uint32_t most;                  /* stores remembered at once */
};
struct hd_persist_counts hd_persist_counts(const struct hd_persist *p);
#endif
