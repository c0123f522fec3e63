/* crew.c - see crew.h. */
#define _POSIX_C_SOURCE 200809L
#include "crew.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    DEAL_EVERY = 64, /* runs: long enough to measure, short against a phase of a workload */
    ALONE = 20000    /* nanoseconds that the tiles of a run take: below, waking others costs more than they save */
};

struct worker {
    struct hd_crew *crew;
    unsigned part;
    pthread_t thread;
};

/* In lines of its own: different threads write the times of two tiles. */
struct tile {
    alignas(HD_CACHE_LINE) struct hd_job job;
    uint64_t took; /* nanoseconds since the last deal; written by the thread that runs it */
};

/* Tiles of a partition that were begun in a span, for even and for odd spans: while one is counted, the other is made
 * ready. */
struct begun {
    alignas(HD_CACHE_LINE) _Atomic size_t tiles[2];
};

struct hd_crew {
    void *ctx;
    size_t tiles;
    struct tile *tile;
    unsigned parts, started;           /* started: threads, besides that of the caller */
    uint64_t lot;                      /* 0: deal by load */
    struct hd_exchange *exchange;
    struct worker worker[HD_MAX_THREADS];
    struct tile **list;                /* tiles by partition, in the order in which it runs them */
    size_t first[HD_MAX_THREADS + 1];  /* of each partition in list */
    struct tile **order;               /* for dealing: longest first */
    unsigned *part_of;                 /* tile -> partition, as listed */
    struct begun begun[HD_MAX_THREADS];

    uint64_t from, to, step;           /* what the run in hand is */
    uint64_t runs, rounds;             /* rounds: runs with all partitions at once */
    uint64_t spans;                    /* of all rounds before */
    bool alone;                        /* the caller runs all partitions, one after the other */
    bool quit;
    _Atomic bool fault;                /* a link of some tile has one */
    struct hd_bell bell;               /* of go */
    alignas(HD_CACHE_LINE) _Atomic uint64_t go; /* rounds begun: the workers wait for the next one */
};

static uint64_t nanoseconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- dealing ------------------------------------------------------------------------------------------------ */

static int longest_first(const void *a, const void *b)
{
    const struct tile *s = *(struct tile *const *)a, *t = *(struct tile *const *)b;

    if (s->took != t->took)
        return s->took < t->took ? 1 : -1;
    return s < t ? -1 : s > t;
}

/* splitmix64 */
static uint64_t by_lot(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Deals all tiles out anew, in c->order. */
static void deal_all(struct hd_crew *c)
{
    uint64_t load[HD_MAX_THREADS] = {0};

    for (size_t i = 0; i < c->tiles; i++) {
        struct tile *t = c->order[i];
        unsigned best = 0;
        for (unsigned p = 1; p < c->parts; p++)
            if (load[p] < load[best])
                best = p;
        if (c->lot != 0)
            best = (unsigned)(by_lot(&c->lot) % c->parts);
        load[best] += t->took + 1; /* + 1: before the first run all tiles weigh the same */
        c->part_of[t - c->tile] = best;
    }
}

/* Moves tiles one by one from the busiest partition to the idlest, while that shortens the busiest by a twentieth: each
 * costs its cached state. */
static void mend(struct hd_crew *c)
{
    uint64_t load[HD_MAX_THREADS] = {0};

    for (size_t i = 0; i < c->tiles; i++)
        load[c->part_of[i]] += c->tile[i].took;
    for (;;) {
        unsigned busiest = 0, idlest = 0;
        for (unsigned p = 1; p < c->parts; p++) {
            busiest = load[p] > load[busiest] ? p : busiest;
            idlest = load[p] < load[idlest] ? p : idlest;
        }
        uint64_t least = load[busiest];
        size_t which = 0;
        for (size_t i = 0; i < c->tiles; i++) {
            uint64_t took = c->tile[i].took, here = load[busiest] - took, there = load[idlest] + took;
            uint64_t longer = here > there ? here : there;
            if (c->part_of[i] == busiest && longer < least) {
                least = longer;
                which = i;
            }
        }
        if (least + least / 20 >= load[busiest])
            return;
        load[busiest] -= c->tile[which].took;
        load[idlest] += c->tile[which].took;
        c->part_of[which] = idlest;
    }
}

static void deal(struct hd_crew *c)
{
    uint64_t all = 0;
    size_t n = 0;
    bool anew = c->lot != 0 || c->runs <= DEAL_EVERY; /* before the first run, and when there is a first measurement */

    for (size_t i = 0; i < c->tiles; i++)
        c->order[i] = &c->tile[i];
    qsort(c->order, c->tiles, sizeof c->order[0], longest_first);
    if (anew)
        deal_all(c);

    for (size_t i = 0; i < c->tiles; i++)
        all += c->tile[i].took;
    c->alone = c->parts == 1 || (c->runs > 0 && c->lot == 0 && all < (uint64_t)ALONE * DEAL_EVERY);

    if (!anew)
        mend(c);
    for (unsigned p = 0; p < c->parts; p++) {
        c->first[p] = n;
        for (size_t i = 0; i < c->tiles; i++)
            if (c->part_of[c->order[i] - c->tile] == p)
                c->list[n++] = c->order[i];
    }
    c->first[c->parts] = n;
    for (size_t i = 0; i < c->tiles; i++)
        c->tile[i].took = 0;
}

/* ---- running ------------------------------------------------------------------------------------------------- */

/* One tile over one span. */
static void run_tile(struct hd_crew *c, const struct tile *t, uint64_t from, uint64_t to)
{
    t->job.run(c->ctx, t->job.tile, from, to);
    if (!hd_exchange_show(t->job.ends, t->job.n))
        atomic_store_explicit(&c->fault, true, memory_order_relaxed);
}

/* The tiles of partition @of that nobody has begun, in the span of number @span. */
static void run_rest(struct hd_crew *c, unsigned of, uint64_t from, uint64_t to, uint64_t span)
{
    _Atomic size_t *begun = &c->begun[of].tiles[span % 2];
    size_t n = c->first[of + 1] - c->first[of], i;

    uint64_t before = nanoseconds();
    while ((i = atomic_fetch_add_explicit(begun, 1, memory_order_relaxed)) < n) {
        struct tile *t = c->list[c->first[of] + i];
        run_tile(c, t, from, to);
        uint64_t after = nanoseconds();
        t->took += after - before;
        before = after;
    }
}

/* A span: the tiles of partition @part and then what is left of the others'. */
static void run_span(struct hd_crew *c, unsigned part, uint64_t from, uint64_t to, uint64_t span)
{
    for (unsigned i = 0; i < c->parts; i++)
        run_rest(c, (part + i) % c->parts, from, to, span);
    /* all are in this span until all have posted it, so nobody counts for the next one yet */
    atomic_store_explicit(&c->begun[part].tiles[(span + 1) % 2], 0, memory_order_relaxed);
    hd_exchange_post(c->exchange, part);
}

static void run_alone(struct hd_crew *c)
{
    for (uint64_t from = c->from, to; from < c->to; from = to) {
        to = c->to - from > c->step ? from + c->step : c->to;
        for (size_t i = 0; i < c->tiles; i++) {
            struct tile *t = c->list[i];
            uint64_t before = c->parts > 1 ? nanoseconds() : 0;
            run_tile(c, t, from, to);
            if (c->parts > 1)
                t->took += nanoseconds() - before;
        }
    }
}

/* A partition's share of the run in hand. */
static void run_part(struct hd_crew *c, unsigned part)
{
    uint64_t end = c->to, step = c->step, span = c->spans; /* behind the last post the caller may write the next run */

    for (uint64_t from = c->from; from < end;) {
        uint64_t to = end - from > step ? from + step : end;
        run_span(c, part, from, to, span++);
        from = to;
        if (from < end || part == 0)
            hd_exchange_wait(c->exchange, part);
    }
}

static void *work(void *arg)
{
    struct worker *w = arg;

    for (uint64_t rounds = 1;; rounds++) {
        hd_bell_wait(&w->crew->bell, &w->crew->go, rounds);
        if (w->crew->quit)
            return NULL;
        run_part(w->crew, w->part);
    }
}

void hd_crew_run(struct hd_crew *c, uint64_t from, uint64_t to, uint64_t step)
{
    if (c->parts > 1 && c->runs > 0 && c->runs % DEAL_EVERY == 0)
        deal(c);
    c->from = from;
    c->to = to;
    c->step = step;
    c->runs++;
    if (c->alone) {
        run_alone(c);
        return;
    }
    hd_bell_ring(&c->bell, &c->go, ++c->rounds);
    run_part(c, 0);
    c->spans += (to - from + step - 1) / step;
}

bool hd_crew_fault(const struct hd_crew *c)
{
    return atomic_load_explicit(&c->fault, memory_order_relaxed);
}

/* ---- set-up -------------------------------------------------------------------------------------------------- */

struct hd_crew *hd_crew_new(void *ctx, const struct hd_job *jobs, size_t n, unsigned threads, uint64_t seed)
{
    struct hd_crew *c = aligned_alloc(HD_CACHE_LINE, sizeof *c);

    if (c != NULL) {
        memset(c, 0, sizeof *c);
        c->ctx = ctx;
        c->tiles = n;
        c->parts = threads < n ? threads : (unsigned)n;
        c->lot = seed;
        hd_bell_init(&c->bell, c->parts);
        c->exchange = hd_exchange_new(c->parts);
        c->tile = aligned_alloc(HD_CACHE_LINE, n * sizeof *c->tile);
        c->list = calloc(n, sizeof *c->list);
        c->order = calloc(n, sizeof *c->order);
        c->part_of = calloc(n, sizeof *c->part_of);
    }
    if (c == NULL || c->exchange == NULL || c->tile == NULL || c->list == NULL || c->order == NULL
        || c->part_of == NULL) {
        fprintf(stderr, "heddle: out of memory\n");
        hd_crew_free(c);
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        c->tile[i] = (struct tile){.job = jobs[i]};
    deal(c);
    for (unsigned p = 1; p < c->parts; p++) {
        struct worker *w = &c->worker[p];
        *w = (struct worker){.crew = c, .part = p};
        if (pthread_create(&w->thread, NULL, work, w) != 0) {
            fprintf(stderr, "heddle: cannot start thread %u of %u\n", p + 1, c->parts);
            hd_crew_free(c);
            return NULL;
        }
        c->started++;
    }
    return c;
}

void hd_crew_free(struct hd_crew *c)
{
    if (c == NULL)
        return;
    c->quit = true;
    hd_bell_ring(&c->bell, &c->go, c->rounds + 1);
    for (unsigned p = 1; p <= c->started; p++)
        pthread_join(c->worker[p].thread, NULL);
    hd_exchange_free(c->exchange);
    hd_bell_fini(&c->bell);
    free(c->tile);
    free(c->list);
    free(c->order);
    free(c->part_of);
    free(c);
}
