/* livelock.h - tells warps that spin from warps that get on. Now and then the runtime looks for a while at what memory
 * operations do: an operation with the words it returns is new, or one that its warp has done before. While no warp of the
 * machine does anything new, has ended or begun, or computes or sleeps without asking memory, nothing advances.
 *
 * State of one SM is touched by that SM's callbacks alone; hd_livelock_window() looks at all. */
#ifndef HD_LIVELOCK_H
#define HD_LIVELOCK_H
#include "port.h"
#include <stdbool.h>
#include <stdint.h>

struct hd_livelock;

/* What a warp did while it was looked at. */
struct hd_spin {
    unsigned repeats;        /* operations it had done before */
    unsigned taken;          /* operations of it that the machine took, of any kind */
    uint32_t addr, word;     /* of the last repeat: its first lane's address, and the word it found there or stored */
    uint8_t kind, space;
};

/* @limit: cycles that it looks before it says anything, at least 16; as many pass between two looks, which cost time. @return
 * NULL when there is no memory. */
struct hd_livelock *hd_livelock_new(unsigned sms, unsigned warps, uint64_t limit);
void hd_livelock_free(struct hd_livelock *l);

/* Whether operations are to be told. */
bool hd_livelock_looks(const struct hd_livelock *l);

/* The machine has taken an operation of a warp; of a memory operation, into scoreboard slot @slot. */
void hd_livelock_taken(struct hd_livelock *l, unsigned sm, const struct hd_op *op, unsigned slot);
/* That of a slot is complete; @words: what it returned, NULL. */
void hd_livelock_complete(struct hd_livelock *l, unsigned sm, unsigned warp, unsigned slot, const uint32_t *words);
/* A warp has begun or ended. */
void hd_livelock_moved(struct hd_livelock *l, unsigned sm);

/* Between windows. @return whether a look is over in which nothing was new: hd_livelock_spin() says of what warps did. */
bool hd_livelock_window(struct hd_livelock *l, uint64_t now);
const struct hd_spin *hd_livelock_spin(const struct hd_livelock *l, unsigned sm, unsigned warp);
/* Somebody did advance all the same. */
void hd_livelock_rest(struct hd_livelock *l, uint64_t now);
#endif
