/* dram.h - one memory channel behind an L2 tile's memory port: timing and contents.
 *
 * Address map. A channel sees the lines whose line number has its partition in the low bits. The partition
 * bits are taken out; consecutive lines of what remains fill a row of `row_bytes`, consecutive rows go to
 * different banks. The bank number is XORed with the row number's low bits, so that power-of-two strides
 * spread over the banks.
 *
 * Timing. Up to `credits` requests wait in the controller's queue. Each cycle it may
 *  - start one transfer on the data bus, when the bus is free: the oldest request whose bank has its row
 *    open (first ready, first come). The bus is then busy for line_bytes / bytes_per_cycle (rounded up).
 *    A read's answer is due `latency` cycles after that (a transfer longer than `latency` is not shortened);
 *  - open one row, in a bank that no waiting request can use as it is, for the oldest request of that bank.
 *    The bank is ready `row_miss` cycles later, at once if no row was open before.
 * A request older than HD_DRAM_AGE cycles is not overtaken by hits to another row of its bank any more.
 * A read starts only when the tile has a place for its answer.
 * So an idle channel answers a request that hits the open row, or a closed bank, after exactly `latency`.
 *
 * Values. Requests are performed in the order they are pushed, whatever order they are served in.
 *
 * Inaccuracies. No refresh, no read/write turnaround, no activation window or minimum row-open time, no
 * command bus; a write costs what a read costs; a row stays open until another one is wanted; a page of
 * memory never written reads as 0.
 *
 * All times are core cycles. Calls must have non-decreasing times. Deterministic. */
#ifndef HD_DRAM_H
#define HD_DRAM_H
#include "mem/memory.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The table of it: a channel with the dram_* keys. */
extern const struct hd_memory hd_dram_memory;

enum { HD_DRAM_MAX_CREDITS = 32, HD_DRAM_MAX_BANKS = 64, HD_DRAM_AGE = 2000 };

struct hd_dram_params {
    unsigned line_bytes;      /* 32, 64 or 128 */
    unsigned part_bits;       /* log2(partitions): address bits above the line offset that name the channel */
    unsigned word_units;      /* 32-bit units a word: 1, or 2 with ghosts (unit 0 is the value) */
    unsigned credits;         /* requests that wait, and answers the tile can hold: 1..32 */
    unsigned latency;         /* >= 1 */
    unsigned banks;           /* power of two, 1..64 */
    unsigned row_bytes;       /* power of two, >= line_bytes */
    unsigned bytes_per_cycle; /* >= 1 */
    unsigned row_miss;        /* cycles to open a row when another one is open */
};

struct hd_dram_stats {
    uint64_t reads, writes;   /* requests served, lines */
    uint64_t row_hits;        /* ... without opening a row for them */
    uint64_t busy;            /* cycles the data bus was taken */
};

struct hd_dram;

/* @return NULL after a message on stderr (parameter out of range, no memory). */
struct hd_dram *hd_dram_new(const struct hd_dram_params *p);
void hd_dram_free(struct hd_dram *d); /* NULL is allowed */

/* Makes sure that the next @writes pushed writes need no memory allocation. Call it between windows.
 * @return false when there is no memory. */
bool hd_dram_reserve(struct hd_dram *d, unsigned writes);

/* Serves everything that can be served before cycle @now. */
void hd_dram_advance(struct hd_dram *d, uint64_t now);

/* A request the tile sent at the edge of @now (hd_dram_advance(now) was called). @addr: of a line of this
 * channel. @data: line_bytes/4 words for a write, ignored for a read; copied.
 * @return false when the queue is full: the tile has sent without a credit. */
bool hd_dram_push(struct hd_dram *d, uint64_t now, bool write, uint32_t addr, uint8_t tid, const uint32_t *data);

/* The next answer due at or before @now, removed. @return its words, valid until the next push; NULL if none. */
const uint32_t *hd_dram_answer(struct hd_dram *d, uint64_t now, uint8_t *tid);

/* Takes one request credit to give back to the tile (a request has left the queue). @return false if none. */
bool hd_dram_credit(struct hd_dram *d);

/* The tile took one answer out of its buffer. @return false when it had none: a credit too many. */
bool hd_dram_answer_taken(struct hd_dram *d);

/* First cycle >= @now at which an answer or a credit may be there; UINT64_MAX when nothing is under way. */
uint64_t hd_dram_next(const struct hd_dram *d, uint64_t now);

/* Nothing waits, no answer is on its way, all credits of both kinds are home. */
bool hd_dram_idle(const struct hd_dram *d);
unsigned hd_dram_queued(const struct hd_dram *d);   /* requests waiting */
unsigned hd_dram_unanswered(const struct hd_dram *d); /* answers on the way or in the tile's buffer */

const struct hd_dram_stats *hd_dram_stats(const struct hd_dram *d);

/* Contents, one word. @addr: word aligned, of a line of this channel. Ghost of a poked word: 0. */
uint32_t hd_dram_peek(const struct hd_dram *d, uint32_t addr);
/* @return false when there is no memory. */
bool hd_dram_poke(struct hd_dram *d, uint32_t addr, uint32_t value);
#endif
