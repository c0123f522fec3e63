/* two.c - see two.h. */
#include "mem/two.h"
#include "config.h"
#include "mem/dram.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_UNITS = 64, RING = HD_DRAM_MAX_CREDITS + HD_NVRAM_MAX_CREDITS };

struct answer {
    bool nv;
    uint8_t tid;
    uint32_t word[MAX_UNITS];
};

struct two {
    struct hd_dram *dram;
    struct hd_nvram *nvram;
    uint32_t nv_base;
    unsigned line_units, credits;
    bool pools;                /* each memory has credits of its own */
    unsigned requests[2];      /* credits the tile has spent: of NVRAM, [1], with pools; else all are [0] */
    unsigned places;           /* of the tile, for answers */
    unsigned first, count;     /* answers due, oldest first */
    bool tells;                /* the tile is told of durable writes */
    struct answer ring[RING];
};

static void close_two(void *channel)
{
    struct two *t = channel;

    if (t == NULL)
        return;
    hd_dram_free(t->dram);
    hd_nvram_free(t->nvram);
    free(t);
}

static void *open_two(const struct hd_config *c)
{
    struct two *t = calloc(1, sizeof *t);
    unsigned part_bits = 0;

    if (t == NULL) {
        fprintf(stderr, "heddle: out of memory\n");
        return NULL;
    }
    while (1u << part_bits < c->partitions)
        part_bits++;
    t->nv_base = c->nv_base;
    t->tells = t->pools = c->persist != HD_PERSISTENCE_OFF;
    t->line_units = c->line_bytes / 4 * ((32 + c->ghost_bits) / 32);
    t->credits = t->places = c->mem_credits;
    t->dram = hd_dram_memory.open(c);
    t->nvram = hd_nvram_new(&(struct hd_nvram_params){.line_bytes = c->line_bytes,
                                                      .part_bits = part_bits,
                                                      .word_units = (32 + c->ghost_bits) / 32,
                                                      .credits = c->mem_credits,
                                                      .read_latency = c->nv_read,
                                                      .write_latency = c->nv_write,
                                                      .bytes_per_cycle = c->nv_bytes_per_cycle,
                                                      .out = c->nv_out,
                                                      .banks = c->nv_banks,
                                                      .order = (enum hd_nvram_order)c->nv_order,
                                                      .tells_sent = c->persist == HD_PERSISTENCE_BUFFERED,
                                                      .spread = 3 * c->nv_write,
                                                      .hold = 10 * c->nv_write,
                                                      .seed = c->jitter_seed});
    if (t->dram == NULL || t->nvram == NULL) {
        close_two(t);
        return NULL;
    }
    if (c->nv_journal)
        hd_nvram_keep_journal(t->nvram);
    return t;
}

static bool reserve(void *channel, unsigned writes)
{
    struct two *t = channel;

    return hd_dram_reserve(t->dram, writes) && hd_nvram_reserve(t->nvram, writes);
}

static void take(struct two *t, bool nv, uint8_t tid, const uint32_t *words)
{
    struct answer *a = &t->ring[(t->first + t->count++) % RING];

    a->nv = nv;
    a->tid = tid;
    memcpy(a->word, words, t->line_units * sizeof words[0]);
}

static void advance(void *channel, uint64_t now)
{
    struct two *t = channel;
    const uint32_t *words;
    uint8_t tid;

    hd_dram_advance(t->dram, now);
    hd_nvram_advance(t->nvram, now);
    while ((words = hd_dram_answer(t->dram, now, &tid)) != NULL)
        take(t, false, tid, words);
    while ((words = hd_nvram_answer(t->nvram, now, &tid)) != NULL)
        take(t, true, tid, words);
    while (!t->tells && hd_nvram_done(t->nvram, now, &tid))
        ;
}

static bool push(void *channel, uint64_t now, bool write, uint32_t addr, uint8_t tid, const uint32_t *data)
{
    struct two *t = channel;

    const bool nv = addr >= t->nv_base;
    unsigned *spent = &t->requests[nv && t->pools];
    if (*spent == t->credits)
        return false;
    ++*spent;
    return nv ? hd_nvram_push(t->nvram, now, write, addr, tid, data) : hd_dram_push(t->dram, now, write, addr, tid, data);
}

/* The memory gets its place back at once: the answer's is kept in `places` from here on. */
static const uint32_t *answer(void *channel, uint64_t now, uint8_t *tid)
{
    struct two *t = channel;

    (void)now;
    if (t->count == 0 || t->places == 0)
        return NULL;
    const struct answer *a = &t->ring[t->first];
    t->first = (t->first + 1) % RING;
    t->count--;
    t->places--;
    *tid = a->tid;
    if (a->nv)
        hd_nvram_answer_taken(t->nvram);
    else
        hd_dram_answer_taken(t->dram);
    return a->word;
}

static unsigned credit(void *channel)
{
    struct two *t = channel;
    bool dram = hd_dram_credit(t->dram), nvram = (t->pools || !dram) && hd_nvram_credit(t->nvram);

    if (!t->pools) {
        t->requests[0] -= dram || nvram;
        return dram || nvram;
    }
    t->requests[0] -= dram;
    t->requests[1] -= nvram;
    return (dram ? 1u : 0) | (nvram ? 2u : 0);
}

static bool answer_taken(void *channel)
{
    struct two *t = channel;

    if (t->places == t->credits)
        return false;
    t->places++;
    return true;
}

static bool durable(void *channel, uint64_t now, uint8_t *tid)
{
    struct two *t = channel;

    return t->tells && hd_nvram_done(t->nvram, now, tid);
}

static uint64_t next(const void *channel, uint64_t now)
{
    const struct two *t = channel;

    if (t->count > 0 && t->places > 0)
        return now;
    uint64_t dram = hd_dram_next(t->dram, now), nvram = hd_nvram_next(t->nvram, now);
    return dram < nvram ? dram : nvram;
}

static bool idle(const void *channel)
{
    const struct two *t = channel;

    return t->requests[0] + t->requests[1] == 0 && t->places == t->credits && t->count == 0 && hd_dram_idle(t->dram)
           && hd_nvram_idle(t->nvram);
}

static unsigned queued(const void *channel)
{
    const struct two *t = channel;

    return hd_dram_queued(t->dram) + hd_nvram_queued(t->nvram);
}

static unsigned unanswered(const void *channel)
{
    const struct two *t = channel;

    return hd_dram_unanswered(t->dram) + hd_nvram_unanswered(t->nvram) + t->credits - t->places;
}

static uint32_t peek(const void *channel, uint32_t addr)
{
    const struct two *t = channel;

    return addr >= t->nv_base ? hd_nvram_peek(t->nvram, addr) : hd_dram_peek(t->dram, addr);
}

static bool poke(void *channel, uint32_t addr, uint32_t value)
{
    struct two *t = channel;

    return addr >= t->nv_base ? hd_nvram_poke(t->nvram, addr, value) : hd_dram_poke(t->dram, addr, value);
}

static void state(void *channel, struct hd_image *io)
{
    struct two *t = channel;

    hd_dram_memory.state(t->dram, io);
    hd_nvram_state(t->nvram, io);
    if (io->depth == HD_IMAGE_COUNTS)
        return;
    HD_IMAGE_MEMBERS(io, t, requests, count);
    hd_image_bytes(io, t->ring, sizeof t->ring);
}

static void news(void *channel, struct hd_image *io)
{
    hd_nvram_news(((struct two *)channel)->nvram, io);
}

static void counters(void *const *channels, unsigned n, unsigned line_bytes, struct hd_counters *out)
{
    struct hd_nvram_stats sum = {0};
    void *dram[HD_MAX_PARTITIONS];

    for (unsigned i = 0; i < n; i++) {
        const struct two *t = channels[i];
        const struct hd_nvram_stats *s = hd_nvram_stats(t->nvram);
        dram[i] = t->dram;
        sum.reads += s->reads;
        sum.writes += s->writes;
        sum.completed += s->completed;
        sum.out_sum += s->out_sum;
        sum.line_waits += s->line_waits;
        sum.out_most = s->out_most > sum.out_most ? s->out_most : sum.out_most;
    }
    hd_dram_memory.counters(dram, n, line_bytes, out);
    hd_counters_put(out, "nvram.reads", sum.reads);
    hd_counters_put(out, "nvram.writes", sum.writes);
    hd_counters_put(out, "nvram.read_bytes", sum.reads * line_bytes);
    hd_counters_put(out, "nvram.write_bytes", sum.writes * line_bytes);
    hd_counters_put(out, "nvram.completed", sum.completed);
    hd_counters_put(out, "nvram.out_cycles", sum.out_sum);
    hd_counters_put(out, "nvram.line_waits", sum.line_waits);
    hd_counters_put(out, "nvram.out_most", sum.out_most);
}

struct hd_nvram *hd_two_nvram(const void *channel)
{
    const struct two *t = channel;

    return t->nvram;
}

const struct hd_memory hd_two_memory = {.open = open_two,
                                        .close = close_two,
                                        .reserve = reserve,
                                        .advance = advance,
                                        .push = push,
                                        .answer = answer,
                                        .credit = credit,
                                        .durable = durable,
                                        .answer_taken = answer_taken,
                                        .next = next,
                                        .idle = idle,
                                        .queued = queued,
                                        .unanswered = unanswered,
                                        .peek = peek,
                                        .poke = poke,
                                        .state = state,
                                        .news = news,
                                        .counters = counters};
