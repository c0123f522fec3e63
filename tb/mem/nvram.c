/* nvram.c - see nvram.h. */
#include "mem/nvram.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_BITS = 14, PAGE_BYTES = 1 << PAGE_BITS };
enum { LINE_UNITS = 64 };       /* most 32-bit units of a line */
enum { SENT = 1 };             /* in the address of a line that is told */
enum { READ_SLOTS = 2 * HD_NVRAM_MAX_CREDITS };
static const uint64_t NEVER = UINT64_MAX;

/* A write in flight. */
struct write {
    uint64_t due;               /* may complete from then on; NEVER: it has not started */
    size_t entry;               /* of the journal */
    uint32_t local, addr;       /* address of the line within the channel; in the machine */
    uint16_t slot;              /* of its words */
    uint8_t tid;
    bool first;                 /* of its tid */
    bool waited;                /* for an earlier write of its line: counted */
};

struct read {
    uint64_t due;               /* of an answer */
    uint8_t tid, slot;
};

struct told {
    uint64_t at;
    uint8_t tid;
};

/* Pages over the channel's own addresses. */
struct contents {
    uint32_t **page;
};

struct hd_nvram {
    struct hd_nvram_params p;
    unsigned line_shift, line_units, transfer, places; /* places: most writes in flight */
    uint64_t now;               /* everything before this cycle is done */
    uint64_t looked;            /* completions of this cycle less 1 are done, too */
    uint64_t random;

    struct write *fly;          /* in the order of pushes, from `first` on: those that have started, then those that wait */
    unsigned first, started, flying; /* room for 2 * places */
    uint32_t *words;            /* [places][LINE_UNITS] */
    uint16_t *free_word;
    unsigned free_words;
    uint64_t write_bus, bank_free[HD_NVRAM_MAX_BANKS];
    int last_tid;

    struct read queue[HD_NVRAM_MAX_CREDITS], answers[HD_NVRAM_MAX_CREDITS]; /* answers: a ring, in order of due */
    unsigned queued, answer_first, answer_count;
    uint64_t read_bus;
    uint32_t read_words[READ_SLOTS][LINE_UNITS];
    uint8_t free_slot[READ_SLOTS];
    unsigned free_slots;
    int lent;                   /* slot the caller of hd_nvram_answer may still read, or -1 */

    struct told *told;          /* ring of `places`: completed, to be told */
    unsigned told_first, told_count;

    unsigned credits_back;      /* places free and not yet told */
    unsigned credits_home;      /* the tile has them */
    unsigned answer_places;     /* of the tile, free */

    struct hd_nvram_stats stats;

    size_t pages;
    struct contents front, image;
    hd_nvram_seen *seen;
    void *seen_ctx;
    struct hd_image kept;       /* writes that were told, for hd_nvram_news() */
    bool keeps;
    uint32_t **spare;           /* zeroed pages for the step path */
    unsigned spares, spare_room;

    bool keeps_journal;
    struct hd_nvram_write *journal;
    size_t entries, room;
    size_t poked;               /* entries that were there when a word was last poked */
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
    fprintf(stderr, "nvram: %s is %u, must be %u..%u\n", name, value, least, most);
    return false;
}

static bool params_ok(const struct hd_nvram_params *p)
{
    if (!in_range("line_bytes", p->line_bytes, 32, 128) || !in_range("part_bits", p->part_bits, 0, 8)
        || !in_range("word_units", p->word_units, 1, 2) || !in_range("credits", p->credits, 1, HD_NVRAM_MAX_CREDITS)
        || !in_range("read_latency", p->read_latency, 1, 1u << 20)
        || !in_range("write_latency", p->write_latency, 1, 1u << 20)
        || !in_range("bytes_per_cycle", p->bytes_per_cycle, 1, 1u << 20) || !in_range("out", p->out, 1, HD_NVRAM_MAX_OUT)
        || !in_range("banks", p->banks, 1, HD_NVRAM_MAX_BANKS) || !in_range("order", p->order, 0, HD_NVRAM_ORDERS - 1)
        || !in_range("spread", p->spread, 0, 1u << 20) || !in_range("hold", p->hold, 0, 1u << 20)
        || !in_range("slow_bank", p->slow_bank, 0, p->banks - 1))
        return false;
    if (power_of_two(p->line_bytes) && power_of_two(p->banks))
        return true;
    fprintf(stderr, "nvram: line_bytes %u and banks %u must be powers of two\n", p->line_bytes, p->banks);
    return false;
}

struct hd_nvram *hd_nvram_new(const struct hd_nvram_params *p)
{
    if (!params_ok(p))
        return NULL;
    struct hd_nvram *n = calloc(1, sizeof *n);
    if (n == NULL) {
        fprintf(stderr, "nvram: out of memory\n");
        return NULL;
    }
    n->p = *p;
    n->line_shift = log2_of(p->line_bytes);
    n->line_units = p->line_bytes / 4 * p->word_units;
    n->transfer = (p->line_bytes + p->bytes_per_cycle - 1) / p->bytes_per_cycle;
    n->places = p->out + p->credits;
    n->random = p->seed;
    n->last_tid = -1;
    n->lent = -1;
    n->credits_home = n->answer_places = p->credits;
    for (unsigned s = 0; s < READ_SLOTS; s++)
        n->free_slot[n->free_slots++] = (uint8_t)s;
    n->pages = (size_t)(UINT64_C(1) << (32 - p->part_bits)) / PAGE_BYTES;
    n->fly = calloc(2 * n->places, sizeof *n->fly);
    n->words = calloc((size_t)n->places * LINE_UNITS, sizeof *n->words);
    n->free_word = calloc(n->places, sizeof *n->free_word);
    n->told = calloc(n->places, sizeof *n->told);
    n->front.page = calloc(n->pages, sizeof *n->front.page);
    n->image.page = calloc(n->pages, sizeof *n->image.page);
    if (!n->fly || !n->words || !n->free_word || !n->told || !n->front.page || !n->image.page) {
        fprintf(stderr, "nvram: out of memory\n");
        hd_nvram_free(n);
        return NULL;
    }
    for (unsigned s = 0; s < n->places; s++)
        n->free_word[n->free_words++] = (uint16_t)s;
    return n;
}

void hd_nvram_free(struct hd_nvram *n)
{
    if (n == NULL)
        return;
    for (size_t i = 0; i < n->pages; i++) {
        if (n->front.page != NULL)
            free(n->front.page[i]);
        if (n->image.page != NULL)
            free(n->image.page[i]);
    }
    for (unsigned i = 0; i < n->spares; i++)
        free(n->spare[i]);
    free(n->spare);
    free(n->front.page);
    free(n->image.page);
    free(n->fly);
    free(n->words);
    free(n->free_word);
    free(n->told);
    free(n->journal);
    free(n->kept.byte);
    free(n);
}

/* ---- contents ------------------------------------------------------------------------------------------- */

/* Address within the channel: the partition bits are taken out. */
static uint32_t local_addr(const struct hd_nvram *n, uint32_t addr)
{
    uint32_t offset = addr & (n->p.line_bytes - 1);
    return ((addr >> n->line_shift >> n->p.part_bits) << n->line_shift) | offset;
}

static uint32_t *page_new(const struct hd_nvram *n)
{
    return calloc(PAGE_BYTES / 4 * n->p.word_units, sizeof(uint32_t));
}

/* Pages are shared by the lines in them, so a line never crosses one. */
static uint32_t *word_in_page(const struct hd_nvram *n, uint32_t *page, uint32_t local)
{
    return page + (size_t)((local & (PAGE_BYTES - 1)) / 4) * n->p.word_units;
}

/* @return the page of a word to be written, or NULL when there is no memory. */
static uint32_t *page_to_write(struct hd_nvram *n, struct contents *c, uint32_t local)
{
    uint32_t **page = &c->page[local >> PAGE_BITS];

    if (*page == NULL)
        *page = n->spares > 0 ? n->spare[--n->spares] : page_new(n);
    return *page;
}

static uint32_t value_in(const struct hd_nvram *n, const struct contents *c, uint32_t addr)
{
    uint32_t local = local_addr(n, addr);
    uint32_t *page = c->page[local >> PAGE_BITS];

    return page == NULL ? 0 : *word_in_page(n, page, local);
}

static bool set_value(struct hd_nvram *n, struct contents *c, uint32_t addr, uint32_t value)
{
    uint32_t local = local_addr(n, addr);
    uint32_t *page = page_to_write(n, c, local);

    if (page == NULL)
        return false;
    uint32_t *word = word_in_page(n, page, local);
    word[0] = value;
    if (n->p.word_units == 2)
        word[1] = 0;
    return true;
}

static bool journal_room(struct hd_nvram *n, size_t writes)
{
    if (!n->keeps_journal || n->room - n->entries >= writes)
        return true;
    size_t room = 2 * n->room + writes;
    struct hd_nvram_write *bigger = realloc(n->journal, room * sizeof *bigger);
    if (bigger == NULL)
        return false;
    n->journal = bigger;
    n->room = room;
    return true;
}

/* For what may complete meanwhile. */
static bool kept_room(struct hd_nvram *n, unsigned writes)
{
    size_t each = sizeof n->now + sizeof(uint32_t) + n->line_units * sizeof(uint32_t), used = n->kept.count;

    if (!n->keeps)
        return true;
    hd_image_place(&n->kept, (size_t)(n->p.tells_sent ? 2 : 1) * (n->places + writes) * each);
    n->kept.count = used;
    return !n->kept.bad;
}

bool hd_nvram_reserve(struct hd_nvram *n, unsigned writes)
{
    if (2 * writes > n->spare_room) { /* a page of each copy */
        uint32_t **bigger = realloc(n->spare, 2 * (size_t)writes * sizeof *bigger);
        if (bigger == NULL)
            return false;
        n->spare = bigger;
        n->spare_room = 2 * writes;
    }
    while (n->spares < 2 * writes) {
        uint32_t *page = page_new(n);
        if (page == NULL)
            return false;
        n->spare[n->spares++] = page;
    }
    return journal_room(n, writes) && kept_room(n, writes);
}

void hd_nvram_state(struct hd_nvram *n, struct hd_image *io)
{
    uint64_t entries = n->entries, poked = n->poked;

    hd_image_bytes(io, &n->stats, sizeof n->stats);
    if (io->depth == HD_IMAGE_COUNTS)
        return;
    HD_IMAGE_MEMBERS(io, n, now, random);
    HD_IMAGE_MEMBERS(io, n, first, flying);
    HD_IMAGE_MEMBERS(io, n, free_words, lent);
    HD_IMAGE_MEMBERS(io, n, told_first, answer_places);
    hd_image_bytes(io, n->fly, 2 * n->places * sizeof *n->fly);
    hd_image_bytes(io, n->words, (size_t)n->places * LINE_UNITS * sizeof *n->words);
    hd_image_bytes(io, n->free_word, n->places * sizeof *n->free_word);
    hd_image_bytes(io, n->told, n->places * sizeof *n->told);
    hd_image_pages(io, n->front.page, n->pages, (size_t)PAGE_BYTES * n->p.word_units);
    hd_image_pages(io, n->image.page, n->pages, (size_t)PAGE_BYTES * n->p.word_units);
    hd_image_bytes(io, &entries, sizeof entries);
    hd_image_bytes(io, &poked, sizeof poked);
    n->poked = poked;
    if (io->loading) {
        n->entries = 0;
        if (io->bad || !journal_room(n, entries)) {
            io->bad = true;
            return;
        }
        n->entries = entries;
    }
    hd_image_bytes(io, n->journal, entries * sizeof *n->journal);
}

void hd_nvram_news(struct hd_nvram *n, struct hd_image *io)
{
    uint64_t bytes = n->kept.count, cycle;
    uint32_t addr, line[LINE_UNITS];

    n->keeps = true;
    hd_image_bytes(io, &bytes, sizeof bytes);
    if (!io->loading) {
        hd_image_bytes(io, n->kept.byte, bytes);
        n->kept.count = 0;
        return;
    }
    for (size_t end = io->at + bytes; !io->bad && io->at < end;) {
        hd_image_bytes(io, &cycle, sizeof cycle);
        hd_image_bytes(io, &addr, sizeof addr);
        hd_image_bytes(io, line, n->line_units * sizeof line[0]);
        if (n->seen != NULL && !io->bad)
            n->seen(n->seen_ctx, cycle, addr & ~(uint32_t)SENT, line, (addr & SENT) == 0);
    }
}

uint32_t hd_nvram_peek(const struct hd_nvram *n, uint32_t addr)
{
    return value_in(n, &n->front, addr);
}

uint32_t hd_nvram_image(const struct hd_nvram *n, uint32_t addr)
{
    return value_in(n, &n->image, addr);
}

bool hd_nvram_poke(struct hd_nvram *n, uint32_t addr, uint32_t value)
{
    n->poked = n->entries;
    return set_value(n, &n->front, addr, value) && set_value(n, &n->image, addr, value);
}

void hd_nvram_watch(struct hd_nvram *n, hd_nvram_seen *seen, void *ctx)
{
    n->seen = seen;
    n->seen_ctx = ctx;
}

void hd_nvram_keep_journal(struct hd_nvram *n)
{
    n->keeps_journal = true;
}

const struct hd_nvram_write *hd_nvram_journal(const struct hd_nvram *n, size_t *count)
{
    *count = n->entries;
    return n->journal;
}

/* @later: the next write of the line, or NULL. */
static bool agrees(const struct hd_nvram *n, const struct hd_nvram_write *w, const struct hd_nvram_write *later, bool kept)
{
    if (w->done == NEVER || (later != NULL && later->done < w->done))
        return false;
    for (unsigned i = 0; later == NULL && kept && i < n->p.line_bytes / 4; i++)
        if (value_in(n, &n->image, w->addr + 4 * i) != w->word[i])
            return false;
    return true;
}

bool hd_nvram_agrees(const struct hd_nvram *n, uint32_t *addr)
{
    const size_t lines = PAGE_BYTES >> n->line_shift;
    const struct hd_nvram_write ***page = calloc(n->pages, sizeof *page); /* of a line the write that was seen last */
    bool good = page != NULL;

    for (size_t i = n->entries; good && i-- > 0;) {
        const struct hd_nvram_write *w = &n->journal[i];
        uint32_t local = local_addr(n, w->addr);
        const struct hd_nvram_write ***p = &page[local >> PAGE_BITS];
        if (*p == NULL && (*p = calloc(lines, sizeof **p)) == NULL) {
            good = false;
            break;
        }
        const struct hd_nvram_write **later = &(*p)[(local & (PAGE_BYTES - 1)) >> n->line_shift];
        *addr = w->addr;
        good = agrees(n, w, *later, i >= n->poked);
        *later = w;
    }
    for (size_t i = 0; page != NULL && i < n->pages; i++)
        free(page[i]);
    free(page);
    return good;
}

/* ---- writes --------------------------------------------------------------------------------------------- */

/* splitmix64 */
static uint64_t draw(struct hd_nvram *n)
{
    uint64_t x = n->random += UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static unsigned bank_of(const struct hd_nvram *n, uint32_t local)
{
    uint32_t line = local >> n->line_shift;

    return (line ^ line / n->p.banks) & (n->p.banks - 1);
}

static void start_write(struct hd_nvram *n)
{
    struct write *w = &n->fly[n->first + n->started++];
    unsigned bank = bank_of(n, w->local);

    n->write_bus = n->now + n->transfer;
    n->credits_back++;
    n->stats.writes++;
    w->due = n->now + n->p.write_latency;
    switch (n->p.order) {
    case HD_NVRAM_BANKS:
        if (n->bank_free[bank] > n->now)
            w->due = n->bank_free[bank] + n->p.write_latency;
        n->bank_free[bank] = w->due;
        break;
    case HD_NVRAM_RANDOM:
        w->due += draw(n) % (n->p.spread + 1);
        break;
    case HD_NVRAM_BANK_SLOW:
        if (bank == n->p.slow_bank)
            w->due += 9 * (uint64_t)n->p.write_latency;
        break;
    default:
        break;
    }
}

/* @alone: no other write is in flight. @return from when on write @i may complete if nothing else completes before:
 * NEVER when it waits for an earlier one of its line. */
static uint64_t ready_at(const struct hd_nvram *n, unsigned i, bool alone)
{
    const struct write *fly = n->fly + n->first, *w = &fly[i];
    const bool held = !alone
                      && (n->p.order == HD_NVRAM_NEWEST ? i == 0 : n->p.order == HD_NVRAM_EPOCH && w->first);

    for (unsigned j = 0; j < i; j++)
        if (fly[j].local == w->local)
            return NEVER;
    return held ? w->due + n->p.hold : w->due;
}

/* The writes that need looking at: with orders that never overtake, the oldest alone. */
static unsigned candidates(const struct hd_nvram *n)
{
    return n->p.order == HD_NVRAM_PIPE && n->started > 1 ? 1 : n->started;
}

/* A line was written, or pushed: tells the watcher, and keeps it for hd_nvram_news(). */
static void tell(struct hd_nvram *n, uint64_t cycle, uint32_t addr, const uint32_t *words, bool durable)
{
    if (n->seen != NULL)
        n->seen(n->seen_ctx, cycle, addr, words, durable);
    if (!n->keeps)
        return;
    addr |= durable ? 0u : SENT;
    hd_image_bytes(&n->kept, &cycle, sizeof cycle);
    hd_image_bytes(&n->kept, &addr, sizeof addr);
    memcpy(hd_image_place(&n->kept, n->line_units * sizeof *words), words, n->line_units * sizeof *words);
}

static void complete(struct hd_nvram *n, unsigned i)
{
    struct write *w = &n->fly[n->first + i];
    const uint32_t *words = n->words + (size_t)w->slot * LINE_UNITS;
    uint32_t *page = n->image.page[w->local >> PAGE_BITS]; /* there since the push */

    memcpy(word_in_page(n, page, w->local), words, n->line_units * sizeof *words);
    if (n->keeps_journal)
        n->journal[w->entry].done = n->now;
    tell(n, n->now, w->addr, words, true);
    n->told[(n->told_first + n->told_count++) % n->places] = (struct told){n->now, w->tid};
    n->free_word[n->free_words++] = w->slot;
    n->stats.completed++;
    if (i == 0)
        n->first++;
    else
        memmove(w, w + 1, (n->flying - i - 1) * sizeof *w);
    n->flying--;
    n->started--;
}

/* Completes what is ready in this cycle. */
static void complete_ready(struct hd_nvram *n)
{
    if (n->looked == n->now + 1)
        return; /* once a cycle, however often it is asked */
    n->looked = n->now + 1;
    const bool alone = n->flying == 1;
    for (unsigned i = 0; i < candidates(n);) {
        struct write *w = &n->fly[n->first + i];
        uint64_t ready = w->due <= n->now ? ready_at(n, i, alone) : NEVER;
        if (ready == NEVER && w->due <= n->now && !w->waited) {
            w->waited = true;
            n->stats.line_waits++;
        }
        if (ready <= n->now)
            complete(n, i);
        else
            i++;
    }
}

static uint64_t next_completion(const struct hd_nvram *n)
{
    uint64_t next = NEVER;

    for (unsigned i = 0; i < candidates(n); i++) {
        uint64_t ready = ready_at(n, i, n->flying == 1);
        if (ready != NEVER && ready <= n->now)
            ready = n->now + 1; /* what held it has just gone */
        next = ready < next ? ready : next;
    }
    return next;
}

/* ---- reads ---------------------------------------------------------------------------------------------- */

static void start_read(struct hd_nvram *n)
{
    struct read r = n->queue[0];

    memmove(&n->queue[0], &n->queue[1], --n->queued * sizeof r);
    n->read_bus = n->now + n->transfer;
    n->credits_back++;
    n->answer_places--;
    n->stats.reads++;
    r.due = n->now + (n->p.read_latency > n->transfer ? n->p.read_latency : n->transfer);
    n->answers[(n->answer_first + n->answer_count++) % HD_NVRAM_MAX_CREDITS] = r;
}

/* First cycle from now on at which a request can start. */
static uint64_t next_start(const struct hd_nvram *n)
{
    uint64_t next = NEVER, read = n->read_bus > n->now ? n->read_bus : n->now,
             write = n->write_bus > n->now ? n->write_bus : n->now;

    if (n->queued > 0 && n->answer_places > 0)
        next = read;
    if (n->started < n->flying && n->started < n->p.out && write < next)
        next = write;
    return next;
}

/* ---- time ----------------------------------------------------------------------------------------------- */

void hd_nvram_advance(struct hd_nvram *n, uint64_t now)
{
    for (;;) {
        complete_ready(n);
        if (n->now >= now)
            return;
        if (n->queued > 0 && n->answer_places > 0 && n->read_bus <= n->now)
            start_read(n);
        if (n->started < n->flying && n->started < n->p.out && n->write_bus <= n->now)
            start_write(n);
        uint64_t next = next_start(n), done = next_completion(n);
        if (next == n->now)
            next++; /* one start of each kind a cycle; a transfer takes at least one */
        next = done < next ? done : next;
        next = next < now ? next : now;
        n->stats.out_sum += (next - n->now) * n->flying;
        n->now = next;
    }
}

static void fly(struct hd_nvram *n, uint64_t now, uint32_t addr, uint8_t tid, const uint32_t *data)
{
    uint32_t local = local_addr(n, addr) & ~(n->p.line_bytes - 1);
    uint32_t *page = page_to_write(n, &n->front, local), *durable = page_to_write(n, &n->image, local);
    size_t bytes = n->line_units * sizeof(uint32_t);

    if (page == NULL || durable == NULL || !journal_room(n, 1)) {
        fprintf(stderr, "nvram: out of memory at address 0x%08x\n", (unsigned)addr);
        abort();
    }
    if (n->first + n->flying == 2 * n->places) {
        memmove(n->fly, n->fly + n->first, n->flying * sizeof *n->fly);
        n->first = 0;
    }
    struct write *w = &n->fly[n->first + n->flying++];
    *w = (struct write){.due = NEVER, .entry = n->entries, .local = local, .addr = addr & ~(n->p.line_bytes - 1), .tid = tid, .first = tid != n->last_tid};
    w->slot = n->free_word[--n->free_words];
    n->last_tid = tid;
    n->stats.out_most = n->flying > n->stats.out_most ? n->flying : n->stats.out_most;
    memcpy(word_in_page(n, page, local), data, bytes);
    memcpy(n->words + (size_t)w->slot * LINE_UNITS, data, bytes);
    if (n->p.tells_sent)
        tell(n, now, w->addr, data, false);
    if (n->keeps_journal) {
        struct hd_nvram_write *entry = &n->journal[n->entries++];
        *entry = (struct hd_nvram_write){.pushed = now, .done = NEVER, .addr = addr & ~(n->p.line_bytes - 1), .tid = tid};
        for (unsigned i = 0; i < n->p.line_bytes / 4; i++)
            entry->word[i] = data[i * n->p.word_units];
    }
}

bool hd_nvram_push(struct hd_nvram *n, uint64_t now, bool write, uint32_t addr, uint8_t tid, const uint32_t *data)
{
    if (n->credits_home == 0)
        return false;
    n->credits_home--;
    if (n->lent >= 0)
        n->free_slot[n->free_slots++] = (uint8_t)n->lent;
    n->lent = -1;
    if (write) {
        fly(n, now, addr, tid, data);
        return true;
    }
    uint32_t local = local_addr(n, addr) & ~(n->p.line_bytes - 1);
    uint32_t *page = n->front.page[local >> PAGE_BITS];
    struct read *r = &n->queue[n->queued++];
    *r = (struct read){.tid = tid, .slot = n->free_slot[--n->free_slots]};
    if (page == NULL)
        memset(n->read_words[r->slot], 0, n->line_units * sizeof(uint32_t));
    else
        memcpy(n->read_words[r->slot], word_in_page(n, page, local), n->line_units * sizeof(uint32_t));
    return true;
}

const uint32_t *hd_nvram_answer(struct hd_nvram *n, uint64_t now, uint8_t *tid)
{
    const struct read *a = &n->answers[n->answer_first];

    if (n->answer_count == 0 || a->due > now)
        return NULL;
    if (n->lent >= 0)
        n->free_slot[n->free_slots++] = (uint8_t)n->lent;
    n->lent = a->slot;
    *tid = a->tid;
    n->answer_first = (n->answer_first + 1) % HD_NVRAM_MAX_CREDITS;
    n->answer_count--;
    return n->read_words[n->lent];
}

bool hd_nvram_done(struct hd_nvram *n, uint64_t now, uint8_t *tid)
{
    const struct told *t = &n->told[n->told_first];

    if (n->told_count == 0 || t->at > now)
        return false;
    *tid = t->tid;
    n->told_first = (n->told_first + 1) % n->places;
    n->told_count--;
    return true;
}

bool hd_nvram_credit(struct hd_nvram *n)
{
    if (n->credits_back == 0)
        return false;
    n->credits_back--;
    n->credits_home++;
    return true;
}

bool hd_nvram_answer_taken(struct hd_nvram *n)
{
    if (n->answer_places + n->answer_count >= n->p.credits)
        return false;
    n->answer_places++;
    return true;
}

uint64_t hd_nvram_next(const struct hd_nvram *n, uint64_t now)
{
    uint64_t start = next_start(n), done = next_completion(n);
    uint64_t next = start == NEVER || start + 1 > done ? done : start + 1; /* a start shows a cycle later */

    if (n->credits_back > 0 || n->told_count > 0)
        return now;
    if (n->answer_count > 0 && n->answers[n->answer_first].due < next)
        next = n->answers[n->answer_first].due;
    return next < now ? now : next;
}

bool hd_nvram_idle(const struct hd_nvram *n)
{
    return n->credits_home == n->p.credits && n->answer_places == n->p.credits && n->flying == 0 && n->told_count == 0;
}

unsigned hd_nvram_queued(const struct hd_nvram *n)
{
    return n->queued + n->flying - n->started;
}

unsigned hd_nvram_unanswered(const struct hd_nvram *n)
{
    return n->p.credits - n->answer_places;
}

unsigned hd_nvram_in_flight(const struct hd_nvram *n)
{
    return n->flying;
}

const struct hd_nvram_stats *hd_nvram_stats(const struct hd_nvram *n)
{
    return &n->stats;
}
