/* nvram.h - non-volatile memory behind an L2 tile: timing, contents, and what of them a power cut leaves.
 *
 * Two copies. Requests are performed on the front copy in the order they are pushed: that is what reads return. A write is
 * in flight from its push until it completes; then, at the end of its latency, its words become part of the image, which
 * is what is durable (paper 4 section 6.1, step 5).
 *
 * Timing. Up to `credits` requests wait, reads and writes in a queue each. Each cycle the first read starts when the
 * read bus is free and the tile has a place for its answer, which is due `read_latency` cycles later; the first write
 * starts when the write bus is free and less than `out` writes have started and not completed. A transfer takes
 * line_bytes / bytes_per_cycle cycles of its bus (rounded up). When a write that has started completes is the order's business:
 *   pipe       write_latency after its start
 *   banks      a bank writes one line at a time, write_latency each; bank = line number modulo banks, XOR higher bits
 *   random     write_latency + 0..spread
 *   newest     as pipe, but the oldest write under way is held until it is alone, at most `hold` cycles longer
 *   epoch      as pipe, but the first write of each tid (a persist epoch) is held so
 *   bank-slow  as pipe, but one bank takes ten times as long
 * A write never completes before an earlier one of its line: all orders are legal, since hardware promises none between lines.
 *
 * Power cut. Durable are the image and, of each grain (8 aligned bytes), any prefix of the writes in flight to it, in push
 * order, grain by grain independently (paper 4 section 8.3: updates of 8 bytes are atomic).
 *
 * Inaccuracies. No wear, no write pausing, reads do not compete with writes for banks; a page never written reads as 0.
 *
 * All times are core cycles. Calls must have non-decreasing times. Deterministic. */
#ifndef HD_NVRAM_H
#define HD_NVRAM_H
#include "image/image.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HD_NVRAM_MAX_CREDITS = 32, HD_NVRAM_MAX_OUT = 1024, HD_NVRAM_MAX_BANKS = 64, HD_NVRAM_GRAIN = 8 };

enum hd_nvram_order {
    HD_NVRAM_PIPE,
    HD_NVRAM_BANKS,
    HD_NVRAM_RANDOM,
    HD_NVRAM_NEWEST,
    HD_NVRAM_EPOCH,
    HD_NVRAM_BANK_SLOW,
    HD_NVRAM_ORDERS
};

struct hd_nvram_params {
    unsigned line_bytes;      /* 32, 64 or 128 */
    unsigned part_bits;       /* log2(partitions): address bits above the line offset that name the channel */
    unsigned word_units;      /* 32-bit units a word: 1, or 2 with ghosts (unit 0 is the value) */
    unsigned credits;         /* requests that wait, and answers the tile can hold: 1..32 */
    unsigned read_latency;    /* >= 1 */
    unsigned write_latency;   /* >= 1 */
    unsigned bytes_per_cycle; /* each way, >= 1 */
    unsigned out;             /* writes started and not completed: 1..1024 */
    unsigned banks;           /* power of two, 1..64 */
    enum hd_nvram_order order;
    unsigned spread;          /* RANDOM */
    unsigned hold;            /* NEWEST, EPOCH */
    unsigned slow_bank;       /* BANK_SLOW: below banks */
    uint64_t seed;            /* RANDOM */
    bool tells_sent;          /* the watcher is told of writes pushed, too */
};

struct hd_nvram_stats {
    uint64_t reads, writes;   /* started, lines */
    uint64_t completed;       /* writes */
    uint64_t out_sum;         /* cycles x writes in flight */
    uint64_t line_waits;      /* writes that were ready before an earlier one of their line had completed */
    unsigned out_most;        /* writes in flight at once */
};

/* A write: one entry of the journal, in the order of pushes. */
struct hd_nvram_write {
    uint64_t pushed, done;    /* done is UINT64_MAX while it is in flight */
    uint32_t addr;            /* of the line */
    uint8_t tid;              /* its persist epoch */
    uint32_t word[32];        /* values, without ghosts */
};

struct hd_nvram;

/* @return NULL after a message on stderr (parameter out of range, no memory). */
struct hd_nvram *hd_nvram_new(const struct hd_nvram_params *p);
void hd_nvram_free(struct hd_nvram *n); /* NULL is allowed */

/* From now on writes are kept in a journal. Once, before the first push. */
void hd_nvram_keep_journal(struct hd_nvram *n);
/* @return the entries so far, *@count of them; they move with the next hd_nvram_reserve(). */
const struct hd_nvram_write *hd_nvram_journal(const struct hd_nvram *n, size_t *count);
/* Whether the journal, played to its end, gives the durable image: each write in it has completed, those of a line in order, and
 * the last since any poke is what the line holds. For an idle memory. @return true too without a journal; else *@addr is of a line
 * that differs. Allocates. */
bool hd_nvram_agrees(const struct hd_nvram *n, uint32_t *addr);

/* @seen is called for each write that completes (@durable) and, with tells_sent, is pushed: with the line's address and its words
 * (word_units each), valid during the call. */
typedef void hd_nvram_seen(void *ctx, uint64_t cycle, uint32_t addr, const uint32_t *words, bool durable);
void hd_nvram_watch(struct hd_nvram *n, hd_nvram_seen *seen, void *ctx);

/* Makes sure that the next @writes pushed writes need no memory allocation. Call it between windows.
 * @return false when there is no memory. */
bool hd_nvram_reserve(struct hd_nvram *n, unsigned writes);

/* Serves everything that can be served before cycle @now. */
void hd_nvram_advance(struct hd_nvram *n, uint64_t now);

/* As of hd_dram_push(): a request sent at the edge of @now. @tid: of a write its persist epoch. */
bool hd_nvram_push(struct hd_nvram *n, uint64_t now, bool write, uint32_t addr, uint8_t tid, const uint32_t *data);

/* The next answer due at or before @now, removed. @return its words, valid until the next push; NULL if none. */
const uint32_t *hd_nvram_answer(struct hd_nvram *n, uint64_t now, uint8_t *tid);

/* The next write that has completed at or before @now and has not been told, in the order of completion.
 * @return false if there is none. */
bool hd_nvram_done(struct hd_nvram *n, uint64_t now, uint8_t *tid);

bool hd_nvram_credit(struct hd_nvram *n);       /* takes a request credit to give back; false if none */
bool hd_nvram_answer_taken(struct hd_nvram *n); /* false when the tile had taken all: a credit too many */

/* First cycle >= @now at which an answer, a credit or a completion may be there; UINT64_MAX when nothing is under way. */
uint64_t hd_nvram_next(const struct hd_nvram *n, uint64_t now);
bool hd_nvram_idle(const struct hd_nvram *n); /* nothing waits, is in flight or untold; all credits are home */
unsigned hd_nvram_queued(const struct hd_nvram *n);
unsigned hd_nvram_unanswered(const struct hd_nvram *n);
unsigned hd_nvram_in_flight(const struct hd_nvram *n); /* writes pushed and not completed */
const struct hd_nvram_stats *hd_nvram_stats(const struct hd_nvram *n);

/* State, there and back (image.h). */
void hd_nvram_state(struct hd_nvram *n, struct hd_image *io);
/* The writes that completed or, with tells_sent, came since the last call; loaded, the watcher is told of them. From the first call on they are kept. */
void hd_nvram_news(struct hd_nvram *n, struct hd_image *io);

/* Contents, one word: of the front copy; of the image. @addr: word aligned, of a line of this channel. */
uint32_t hd_nvram_peek(const struct hd_nvram *n, uint32_t addr);
uint32_t hd_nvram_image(const struct hd_nvram *n, uint32_t addr);
/* Both copies; nothing may be in flight to the word. @return false when there is no memory. */
bool hd_nvram_poke(struct hd_nvram *n, uint32_t addr, uint32_t value);
#endif
