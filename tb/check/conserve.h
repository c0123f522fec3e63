/* conserve.h - after a drain nothing may be left over and every count must add up.
 *
 * Judges plain numbers, so that a test can feed it any history. */
#ifndef HD_CONSERVE_H
#define HD_CONSERVE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "hd_pkg.h"
#include "link.h"

/* One SM's warp operations as the C side saw them. */
struct hd_conserve_sm {
    const uint64_t *events;         /* [HD_EV_SM_NUM] */
    uint64_t offered, taken;        /* operations through the warp port */
    uint64_t memory, completed;     /* memory operations taken / completed */
    uint64_t control, done;         /* fences, barriers, exits, clocks, nops taken / done */
    const char *fault;              /* a rule of the warp port broken, or NULL */
    bool idle;
    unsigned mshr_busy;             /* entries in use */
    bool pending, credits_home;     /* the tile's own view: loads or stores pending; up credits home */
    const uint64_t *stalls;         /* [HD_STALL_NUM] warp-cycles by cause, or NULL */
    uint64_t warp_cycles;           /* ... seen in all */
};

struct hd_conserve_l2 {
    const uint64_t *events;         /* [HD_EV_L2_NUM] */
    uint64_t mem_reads, mem_writes; /* requests that arrived at the channel */
    uint64_t mem_answers;           /* ... answered */
    const char *fault;              /* a rule of the memory port broken, or NULL */
    bool idle, memory_idle;
};

/* Links of one direction, in the order of their SMs or partitions. Up: `sm` run from SMs to the crossbar,
 * `part` from it to the L2 tiles; down: the other way round. */
struct hd_conserve {
    unsigned sms, parts;
    const struct hd_conserve_sm *sm;
    const struct hd_conserve_l2 *l2;
    const struct hd_link *up_sm, *up_part, *down_part, *down_sm;
    const char *memory_fault;       /* of an ideal memory (parts is 0), or NULL */
    bool up_idle, down_idle;        /* crossbar tiles; true if there is none */
};

/* Faults that are wrong at any time: broken rules of links and ports. @return true when there is none. */
bool hd_conserve_rules(const struct hd_conserve *c, char *why, size_t size);

/* After a drain. @return true, or false with one line in @why. */
bool hd_conserve_drained(const struct hd_conserve *c, char *why, size_t size);
#endif
