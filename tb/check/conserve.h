/* conserve.h - after a drain nothing may be left over and every count must add up.
 *
 * Judges plain numbers, so that a test can feed it any history. A machine asks its tiles and links one after the other
 * and keeps the first failure. */
#ifndef HD_CONSERVE_H
#define HD_CONSERVE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "hd_pkg.h"
#include "link.h"

/* Where the verdict goes: one line, of the first failure. */
struct hd_verdict {
    char *why;
    size_t size;
    bool failed;
};

/* One SM's warp operations as the C side saw them. */
struct hd_conserve_sm {
    const uint64_t *events;         /* [HD_EV_SM_NUM] */
    uint64_t offered, taken;        /* operations through the warp port */
    uint64_t memory, completed;     /* memory operations taken / completed */
    uint64_t control, done;         /* fences, barriers, exits, clocks, nops taken / done */
    bool idle;
    unsigned mshr_busy;             /* entries in use */
    bool pending, credits_home;     /* the tile's own view: loads or stores pending; up credits home */
    const uint64_t *stalls;         /* [HD_STALL_NUM] warp-cycles by cause, or NULL */
    uint64_t warp_cycles;           /* ... seen in all */
    const struct hd_link *up, *down; /* from it, to it */
    bool words;                     /* DENOVO: several packets, of others too, answer one */
    bool buffered;                  /* persist = buffered: markers of barriers may go unanswered */
    unsigned nvw_entries;           /* persist barriers: places of the NVW-FIFO, 0: it has none */
};

struct hd_conserve_l2 {
    const uint64_t *events;         /* [HD_EV_L2_NUM] */
    uint64_t mem_reads, mem_writes; /* requests that arrived at the channel */
    uint64_t mem_answers;           /* ... answered */
    bool idle, memory_idle;
    const struct hd_link *up, *down; /* to it, from it */
    bool words, buffered;           /* as above */
    unsigned nvw_entries;
};

/* Wrong at any time: a broken rule of a link, called @link ("link 3 from SM to crossbar"); of a C port of tile @tile. */
void hd_conserve_link(struct hd_verdict *v, const char *link, const struct hd_link *l);
void hd_conserve_port(struct hd_verdict *v, const char *tile, const char *port, const char *fault);

/* After a drain: a link that carries nothing, a tile that owes nothing; what went through a tile came out. */
void hd_conserve_empty(struct hd_verdict *v, const char *link, const struct hd_link *l);
void hd_conserve_sm(struct hd_verdict *v, const char *tile, const struct hd_conserve_sm *s);
void hd_conserve_l2(struct hd_verdict *v, const char *tile, const struct hd_conserve_l2 *l);
void hd_conserve_through(struct hd_verdict *v, const char *tile, bool idle, struct hd_link *const *in, unsigned ins,
                         struct hd_link *const *out, unsigned outs);
/* The journal of @partition says something else than its memory holds: line @addr. */
void hd_conserve_journal(struct hd_verdict *v, unsigned partition, uint32_t addr);
#endif
