/* dram.c - see dram.h. */
#include "mem/dram.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_BITS = 14, PAGE_BYTES = 1 << PAGE_BITS };
enum { LINE_UNITS = 64 };       /* most 32-bit units of a line */
static const uint32_t ROW_NONE = UINT32_MAX;

struct request {
    uint64_t pushed;
    uint32_t row;
    uint8_t bank;
    uint8_t tid;
    uint8_t slot;               /* of the answer's words */
    bool write;
    bool opened;                /* a row was opened for it */
};

struct answer {
    uint64_t due;
    uint8_t tid;
    uint8_t slot;
};

struct hd_dram {
    struct hd_dram_params p;
    unsigned line_shift, line_units, transfer;
    uint64_t now;               /* everything before this cycle has been served */
    uint64_t idle_until;        /* before this cycle nothing can be done for what is queued */

    struct request queue[HD_DRAM_MAX_CREDITS]; /* in order of arrival */
    unsigned queued;
    unsigned credits_back;      /* places free and not yet told */
    unsigned credits_home;      /* the tile has them */
    unsigned answer_places;     /* of the tile, free */

    uint64_t bus_free;
    uint32_t open_row[HD_DRAM_MAX_BANKS];
    uint64_t bank_ready[HD_DRAM_MAX_BANKS];

    struct answer answers[HD_DRAM_MAX_CREDITS]; /* ring, in order of due */
    unsigned answer_first, answer_count;
    uint32_t words[2 * HD_DRAM_MAX_CREDITS][LINE_UNITS];
    uint8_t free_slot[2 * HD_DRAM_MAX_CREDITS];
    unsigned free_slots;
    int lent;                   /* slot the caller of hd_dram_answer may still read, or -1 */

    struct hd_dram_stats stats;

    uint32_t **page;            /* directory over the channel's own addresses */
    size_t pages;
    uint32_t **spare;           /* zeroed pages for the step path */
    unsigned spares, spare_room;
};

static bool power_of_two(unsigned x)
{
    return x != 0 && (x & (x - 1)) == 0;
}

static unsigned log2_of(unsigned x)
{
    unsigned n = 0;

    while (x > 1) {
        x >>= 1;
        n++;
    }
    return n;
}

static bool in_range(const char *name, unsigned value, unsigned least, unsigned most)
{
    if (value >= least && value <= most)
        return true;
    fprintf(stderr, "dram: %s is %u, must be %u..%u\n", name, value, least, most);
    return false;
}

static bool params_ok(const struct hd_dram_params *p)
{
    if (!in_range("line_bytes", p->line_bytes, 32, 128) || !in_range("part_bits", p->part_bits, 0, 8)
        || !in_range("word_units", p->word_units, 1, 2) || !in_range("credits", p->credits, 1, HD_DRAM_MAX_CREDITS)
        || !in_range("latency", p->latency, 1, 1u << 20) || !in_range("banks", p->banks, 1, HD_DRAM_MAX_BANKS)
        || !in_range("row_bytes", p->row_bytes, p->line_bytes, 1u << 20)
        || !in_range("bytes_per_cycle", p->bytes_per_cycle, 1, 1u << 20)
        || !in_range("row_miss", p->row_miss, 0, 1u << 20))
        return false;
    if (power_of_two(p->line_bytes) && power_of_two(p->banks) && power_of_two(p->row_bytes))
        return true;
    fprintf(stderr, "dram: line_bytes %u, banks %u and row_bytes %u must be powers of two\n", p->line_bytes,
            p->banks, p->row_bytes);
    return false;
}

struct hd_dram *hd_dram_new(const struct hd_dram_params *p)
{
    if (!params_ok(p))
        return NULL;
    struct hd_dram *d = calloc(1, sizeof *d);
    if (d == NULL) {
        fprintf(stderr, "dram: out of memory\n");
        return NULL;
    }
    d->p = *p;
    d->line_shift = log2_of(p->line_bytes);
    d->line_units = p->line_bytes / 4 * p->word_units;
    d->transfer = (p->line_bytes + p->bytes_per_cycle - 1) / p->bytes_per_cycle;
    d->credits_home = p->credits;
    d->answer_places = p->credits;
    d->lent = -1;
    for (unsigned b = 0; b < p->banks; b++)
        d->open_row[b] = ROW_NONE;
    for (unsigned s = 0; s < 2 * HD_DRAM_MAX_CREDITS; s++)
        d->free_slot[d->free_slots++] = (uint8_t)s;
    d->pages = (size_t)(UINT64_C(1) << (32 - p->part_bits)) / PAGE_BYTES;
    d->page = calloc(d->pages, sizeof *d->page);
    if (d->page == NULL) {
        fprintf(stderr, "dram: out of memory\n");
        hd_dram_free(d);
        return NULL;
    }
    return d;
}

void hd_dram_free(struct hd_dram *d)
{
    if (d == NULL)
        return;
    for (size_t i = 0; d->page != NULL && i < d->pages; i++)
        free(d->page[i]);
    for (unsigned i = 0; i < d->spares; i++)
        free(d->spare[i]);
    free(d->spare);
    free(d->page);
    free(d);
}

/* ---- contents ------------------------------------------------------------------------------------------- */

/* Address within the channel: the partition bits are taken out. */
static uint32_t local_addr(const struct hd_dram *d, uint32_t addr)
{
    uint32_t offset = addr & (d->p.line_bytes - 1);
    return ((addr >> d->line_shift >> d->p.part_bits) << d->line_shift) | offset;
}

static uint32_t *page_new(const struct hd_dram *d)
{
    return calloc(PAGE_BYTES / 4 * d->p.word_units, sizeof(uint32_t));
}

/* Pages are shared by the lines in them, so a line never crosses one. */
static uint32_t *word_in_page(const struct hd_dram *d, uint32_t *page, uint32_t local)
{
    return page + (size_t)((local & (PAGE_BYTES - 1)) / 4) * d->p.word_units;
}

bool hd_dram_reserve(struct hd_dram *d, unsigned writes)
{
    if (writes > d->spare_room) {
        uint32_t **bigger = realloc(d->spare, writes * sizeof *bigger);
        if (bigger == NULL)
            return false;
        d->spare = bigger;
        d->spare_room = writes;
    }
    while (d->spares < writes) {
        uint32_t *page = page_new(d);
        if (page == NULL)
            return false;
        d->spare[d->spares++] = page;
    }
    return true;
}

/* @return the page of a word to be written, or NULL when there is no memory. */
static uint32_t *page_to_write(struct hd_dram *d, uint32_t local)
{
    uint32_t **page = &d->page[local >> PAGE_BITS];

    if (*page == NULL)
        *page = d->spares > 0 ? d->spare[--d->spares] : page_new(d);
    return *page;
}

uint32_t hd_dram_peek(const struct hd_dram *d, uint32_t addr)
{
    uint32_t local = local_addr(d, addr);
    uint32_t *page = d->page[local >> PAGE_BITS];

    return page == NULL ? 0 : *word_in_page(d, page, local);
}

bool hd_dram_poke(struct hd_dram *d, uint32_t addr, uint32_t value)
{
    uint32_t local = local_addr(d, addr);
    uint32_t *page = page_to_write(d, local);

    if (page == NULL)
        return false;
    uint32_t *word = word_in_page(d, page, local);
    word[0] = value;
    if (d->p.word_units == 2)
        word[1] = 0;
    return true;
}

/* ---- serving -------------------------------------------------------------------------------------------- */

static void later(uint64_t *next, uint64_t when)
{
    if (when < *next)
        *next = when;
}

static void serve(struct hd_dram *d, unsigned index)
{
    struct request r = d->queue[index];

    d->queued--;
    memmove(&d->queue[index], &d->queue[index + 1], (d->queued - index) * sizeof r);
    d->credits_back++;
    d->bus_free = d->now + d->transfer;
    d->bank_ready[r.bank] = d->bus_free;
    d->stats.busy += d->transfer;
    d->stats.row_hits += !r.opened;
    if (r.write) {
        d->stats.writes++;
        return;
    }
    d->stats.reads++;
    unsigned wait = d->p.latency > d->transfer ? d->p.latency : d->transfer;
    unsigned last = (d->answer_first + d->answer_count++) % HD_DRAM_MAX_CREDITS;
    d->answers[last] = (struct answer){.due = d->now + wait, .tid = r.tid, .slot = r.slot};
    d->answer_places--;
}

/* One cycle of the controller. @return the next cycle in which it may do something. */
static uint64_t step(struct hd_dram *d)
{
    uint64_t next = UINT64_MAX;
    const struct request *oldest = &d->queue[0];
    bool aged = d->now - oldest->pushed >= HD_DRAM_AGE;
    uint64_t kept_banks = 0;    /* their open row is still wanted */

    if (!aged)
        later(&next, oldest->pushed + HD_DRAM_AGE);
    for (unsigned i = 0; i < d->queued; i++) {
        const struct request *r = &d->queue[i];
        if (d->open_row[r->bank] == r->row)
            kept_banks |= UINT64_C(1) << r->bank;
    }
    if (aged && d->open_row[oldest->bank] != oldest->row)
        kept_banks &= ~(UINT64_C(1) << oldest->bank);

    bool acted = false;
    unsigned to_serve = d->queued;
    uint64_t seen_banks = 0;
    for (unsigned i = 0; i < d->queued; i++) {
        struct request *r = &d->queue[i];
        uint64_t bank = UINT64_C(1) << r->bank;
        bool first_of_bank = !(seen_banks & bank);
        seen_banks |= bank;
        if (d->open_row[r->bank] == r->row) {
            if (to_serve < d->queued || !(kept_banks & bank) || (!r->write && d->answer_places == 0))
                continue;
            if (d->bank_ready[r->bank] > d->now)
                later(&next, d->bank_ready[r->bank]);
            else if (d->bus_free > d->now)
                later(&next, d->bus_free);
            else
                to_serve = i;
        } else if (first_of_bank && !(kept_banks & bank)) {
            if (d->bank_ready[r->bank] > d->now) {
                later(&next, d->bank_ready[r->bank]);
            } else if (acted) {
                later(&next, d->now + 1); /* one row a cycle */
            } else {
                bool was_open = d->open_row[r->bank] != ROW_NONE;
                d->open_row[r->bank] = r->row;
                d->bank_ready[r->bank] = d->now + (was_open ? d->p.row_miss : 0);
                r->opened = true;
                acted = true;
                if (was_open && d->p.row_miss > 0)
                    later(&next, d->bank_ready[r->bank]);
                else if (to_serve == d->queued && d->bus_free <= d->now && (r->write || d->answer_places > 0))
                    to_serve = i;
            }
        }
    }
    if (to_serve < d->queued) {
        serve(d, to_serve);
        acted = true;
    }
    return acted ? d->now + 1 : next;
}

void hd_dram_advance(struct hd_dram *d, uint64_t now)
{
    while (d->queued > 0 && d->now < now) {
        if (d->idle_until <= d->now)
            d->idle_until = step(d);
        d->now = d->idle_until < now ? d->idle_until : now;
    }
    d->now = now;
}

bool hd_dram_push(struct hd_dram *d, uint64_t now, bool write, uint32_t addr, uint8_t tid, const uint32_t *data)
{
    if (d->credits_home == 0)
        return false;
    d->credits_home--;
    if (d->lent >= 0)
        d->free_slot[d->free_slots++] = (uint8_t)d->lent;
    d->lent = -1;

    uint32_t local = local_addr(d, addr) & ~(d->p.line_bytes - 1);
    uint32_t row = local / d->p.row_bytes;
    d->idle_until = 0;
    struct request *r = &d->queue[d->queued++];
    *r = (struct request){.pushed = now, .write = write, .tid = tid};
    r->row = row / d->p.banks;
    r->bank = (uint8_t)((row ^ r->row) & (d->p.banks - 1));

    size_t bytes = d->line_units * sizeof(uint32_t);
    if (write) {
        uint32_t *page = page_to_write(d, local);
        if (page == NULL) {
            fprintf(stderr, "dram: out of memory at address 0x%08x\n", (unsigned)addr);
            abort();
        }
        memcpy(word_in_page(d, page, local), data, bytes);
    } else {
        r->slot = d->free_slot[--d->free_slots];
        uint32_t *page = d->page[local >> PAGE_BITS];
        if (page == NULL)
            memset(d->words[r->slot], 0, bytes);
        else
            memcpy(d->words[r->slot], word_in_page(d, page, local), bytes);
    }
    return true;
}

const uint32_t *hd_dram_answer(struct hd_dram *d, uint64_t now, uint8_t *tid)
{
    const struct answer *a = &d->answers[d->answer_first];

    if (d->answer_count == 0 || a->due > now)
        return NULL;
    if (d->lent >= 0)
        d->free_slot[d->free_slots++] = (uint8_t)d->lent;
    d->lent = a->slot;
    *tid = a->tid;
    d->answer_first = (d->answer_first + 1) % HD_DRAM_MAX_CREDITS;
    d->answer_count--;
    return d->words[d->lent];
}

bool hd_dram_credit(struct hd_dram *d)
{
    if (d->credits_back == 0)
        return false;
    d->credits_back--;
    d->credits_home++;
    return true;
}

bool hd_dram_answer_taken(struct hd_dram *d)
{
    if (d->answer_places + d->answer_count >= d->p.credits)
        return false;
    d->idle_until = 0;
    d->answer_places++;
    return true;
}

uint64_t hd_dram_next(const struct hd_dram *d, uint64_t now)
{
    uint64_t next = UINT64_MAX;

    if (d->credits_back > 0)
        return now;
    if (d->answer_count > 0)
        later(&next, d->answers[d->answer_first].due);
    if (d->queued > 0 && d->idle_until != UINT64_MAX) /* what is done in a cycle shows in the next one */
        later(&next, (d->idle_until > d->now ? d->idle_until : d->now) + 1);
    return next < now ? now : next;
}

bool hd_dram_idle(const struct hd_dram *d)
{
    return d->credits_home == d->p.credits && d->answer_places == d->p.credits;
}

unsigned hd_dram_queued(const struct hd_dram *d)
{
    return d->queued;
}

unsigned hd_dram_unanswered(const struct hd_dram *d)
{
    return d->p.credits - d->answer_places;
}

const struct hd_dram_stats *hd_dram_stats(const struct hd_dram *d)
{
    return &d->stats;
}

/* ---- as a memory of a machine --------------------------------------------------------------------------- */

static void *memory_open(const struct hd_config *c)
{
    return hd_dram_new(&(struct hd_dram_params){.line_bytes = c->line_bytes,
                                                .part_bits = log2_of(c->partitions),
                                                .word_units = (32 + c->ghost_bits) / 32,
                                                .credits = c->mem_credits,
                                                .latency = c->dram_latency,
                                                .banks = c->dram_banks,
                                                .row_bytes = c->dram_row_bytes,
                                                .bytes_per_cycle = c->dram_bytes_per_cycle,
                                                .row_miss = c->dram_row_miss});
}

static void memory_close(void *d)
{
    hd_dram_free(d);
}

static bool memory_reserve(void *d, unsigned writes)
{
    return hd_dram_reserve(d, writes);
}

static void memory_advance(void *d, uint64_t now)
{
    hd_dram_advance(d, now);
}

static bool memory_push(void *d, uint64_t now, bool write, uint32_t addr, uint8_t tid, const uint32_t *data)
{
    return hd_dram_push(d, now, write, addr, tid, data);
}

static const uint32_t *memory_answer(void *d, uint64_t now, uint8_t *tid)
{
    return hd_dram_answer(d, now, tid);
}

static unsigned memory_credit(void *d)
{
    return hd_dram_credit(d);
}

static bool memory_answer_taken(void *d)
{
    return hd_dram_answer_taken(d);
}

static uint64_t memory_next(const void *d, uint64_t now)
{
    return hd_dram_next(d, now);
}

static bool memory_idle(const void *d)
{
    return hd_dram_idle(d);
}

static unsigned memory_queued(const void *d)
{
    return hd_dram_queued(d);
}

static unsigned memory_unanswered(const void *d)
{
    return hd_dram_unanswered(d);
}

static uint32_t memory_peek(const void *d, uint32_t addr)
{
    return hd_dram_peek(d, addr);
}

static bool memory_poke(void *d, uint32_t addr, uint32_t value)
{
    return hd_dram_poke(d, addr, value);
}

static void memory_state(void *channel, struct hd_image *io)
{
    struct hd_dram *d = channel;

    hd_image_bytes(io, &d->stats, sizeof d->stats);
    if (io->depth == HD_IMAGE_COUNTS)
        return;
    HD_IMAGE_MEMBERS(io, d, now, lent);
    hd_image_pages(io, d->page, d->pages, (size_t)PAGE_BYTES * d->p.word_units);
}

static void memory_counters(void *const *channels, unsigned n, unsigned line_bytes, struct hd_counters *out)
{
    struct hd_dram_stats sum = {0};

    for (unsigned i = 0; i < n; i++) {
        const struct hd_dram_stats *s = hd_dram_stats(channels[i]);
        sum.reads += s->reads;
        sum.writes += s->writes;
        sum.row_hits += s->row_hits;
        sum.busy += s->busy;
    }
    hd_counters_put(out, "dram.reads", sum.reads);
    hd_counters_put(out, "dram.writes", sum.writes);
    hd_counters_put(out, "dram.read_bytes", sum.reads * line_bytes);
    hd_counters_put(out, "dram.write_bytes", sum.writes * line_bytes);
    hd_counters_put(out, "dram.row_hits", sum.row_hits);
    hd_counters_put(out, "dram.busy_cycles", sum.busy);
}

const struct hd_memory hd_dram_memory = {.open = memory_open,
                                         .close = memory_close,
                                         .reserve = memory_reserve,
                                         .advance = memory_advance,
                                         .push = memory_push,
                                         .answer = memory_answer,
                                         .credit = memory_credit,
                                         .answer_taken = memory_answer_taken,
                                         .next = memory_next,
                                         .idle = memory_idle,
                                         .queued = memory_queued,
                                         .unanswered = memory_unanswered,
                                         .peek = memory_peek,
                                         .poke = memory_poke,
                                         .state = memory_state,
                                         .counters = memory_counters};
