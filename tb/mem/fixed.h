/* fixed.h - a memory of one SM that answers every request after the same time, however many there are.
 *
 * The memory side of the micro-benchmark of paper 2 (section 2: what lies behind the L1 must not be the
 * bottleneck): no crossbar, no L2, no bandwidth. It stands at the other end of the SM's up link and hands each
 * answer over as one beat of a wide down link (hd_sm_tile, WideFill): a line a cycle.
 *
 * A request that left the SM at cycle t is answered at cycle t + latency, in the order of the requests, one answer a
 * cycle. With one cache there is no sharing: GETS gets DATA_E, GETM gets DATA_M, and whatever the cache holds it
 * alone holds; a request for a line whose give-back is still under way waits for that. Words never written read
 * as 0. Deterministic; deadlock is not possible, give-backs wait for nothing. All times are core cycles. */
#ifndef HD_FIXED_H
#define HD_FIXED_H
#include "image/image.h"
#include <stdbool.h>
#include <stdint.h>
#include "link.h"

struct hd_fixed;

struct hd_fixed_params {
    unsigned line_bytes;   /* 32, 64 or 128 */
    unsigned lanes;        /* of a warp */
    unsigned word_units;   /* 32-bit units a word: 1, or 2 with ghosts (unit 0 is the value) */
    unsigned latency;      /* at least the latency of the up link */
    unsigned depth;        /* answers the SM can hold */
    struct hd_link *up;    /* requests and give-backs come from here; the caller's */
    struct hd_link *down;  /* only its counts of packets and flits are kept, as if the answers had crossed it */
};

/* @return NULL after a message on stderr. */
struct hd_fixed *hd_fixed_new(const struct hd_fixed_params *p);
void hd_fixed_free(struct hd_fixed *f); /* NULL is allowed */

/* Memory so that the coming window of @cycles needs no allocation. @return false when there is none. */
bool hd_fixed_reserve(struct hd_fixed *f, unsigned cycles);

/* Takes what arrives in cycles [from, to). */
void hd_fixed_run(struct hd_fixed *f, uint64_t from, uint64_t to);

/* When the next answer is due; UINT64_MAX: none that could be sent. */
uint64_t hd_fixed_due(const struct hd_fixed *f);

/* @return the packet that arrives at the SM at @now (head, then line; see hd_fixed_units()), valid until the next
 * call, or NULL. It takes one of the SM's places. */
const uint32_t *hd_fixed_answer(struct hd_fixed *f, uint64_t now);
void hd_fixed_credit(struct hd_fixed *f); /* the SM has a place again */

/* @return 32-bit units of a packet. */
unsigned hd_fixed_units(unsigned line_bytes, unsigned word_units, unsigned lanes);

bool hd_fixed_idle(const struct hd_fixed *f);        /* nothing waits, every credit is home */
const char *hd_fixed_fault(const struct hd_fixed *f); /* NULL or the first broken rule */

/* State, there and back (image.h). */
void hd_fixed_state(struct hd_fixed *f, struct hd_image *io);

/* Contents, one word, @addr word aligned. The ghost of a poked word is 0. */
uint32_t hd_fixed_peek(const struct hd_fixed *f, uint32_t addr);
bool hd_fixed_poke(struct hd_fixed *f, uint32_t addr, uint32_t value); /* false: no memory */
#endif
