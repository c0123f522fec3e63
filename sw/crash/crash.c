/* crash.c - see crash.h. */
#include "crash.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A grain in flight: what the writes to it leave, oldest first. */
struct choice {
    uint32_t at;                 /* number of its first word */
    unsigned n, taken;           /* writes; how many of them are durable in this image */
    uint32_t value[8][2];
};

enum { CHOICES = 4096 };

struct engine {
    const struct hd_nvram_write *journal;
    size_t writes;
    unsigned line_words;
    struct hd_crash_image *m;
    const struct hd_crash_program *program;
    const struct hd_crash_options *o;
    struct hd_crash_result *r;
    size_t *by_done, *flight;    /* writes in order of completion; those in flight, in the order of pushes */
    size_t flying;
    struct choice *choice;
    unsigned choices;
    uint64_t rng, number, step, due;
};

static uint32_t chance(struct engine *e, uint32_t n)
{
    e->rng ^= e->rng << 13, e->rng ^= e->rng >> 7, e->rng ^= e->rng << 17;
    return (uint32_t)((e->rng >> 11) % n);
}

void hd_crash_put(struct hd_crash_image *m, uint32_t addr, uint32_t value)
{
    uint32_t at = (addr - m->base) / 4;
    if (at >= m->words) {
        fprintf(stderr, "crash: recovery writes to 0x%x, outside the image\n", (unsigned)addr);
        abort();
    }
    if (m->puts == m->room) {
        m->room = m->room ? 2 * m->room : 256;
        m->put = realloc(m->put, m->room * sizeof *m->put);
        if (m->put == NULL)
            abort();
    }
    m->put[m->puts++] = (struct hd_crash_put){at, m->word[at], value};
    m->word[at] = value;
}

static void undo(struct hd_crash_image *m, size_t to)
{
    while (m->puts > to) {
        m->puts--;
        m->word[m->put[m->puts].at] = m->put[m->puts].old;
    }
}

/* Recovery whose own writes are cut off: of each grain a prefix stays. */
static void cut_recovery(struct engine *e)
{
    struct hd_crash_image *m = e->m;
    size_t from = m->puts;
    uint32_t salt = chance(e, UINT32_MAX);
    e->program->recover(e->program->self, m);
    size_t n = m->puts - from;
    if (n == 0)
        return;
    struct hd_crash_put *p = malloc(n * sizeof *p);
    if (p == NULL)
        abort();
    memcpy(p, m->put + from, n * sizeof *p);
    undo(m, from);
    for (size_t i = 0; i < n; i++) {
        uint32_t h = (p[i].at / 2 ^ salt) * 0x9e3779b1u;
        h ^= h >> 15;
        if (i < (h * UINT64_C(0x85ebca6b) >> 16) % (n + 1))
            hd_crash_put(m, m->base + 4 * p[i].at, p[i].now);
    }
    free(p);
}

static void bad(struct engine *e, const char *invariant, uint64_t cycle, bool in_recovery, bool in_resume)
{
    struct hd_crash_result *r = e->r;
    unsigned k = 0, l = 0;
    if (r->bad++ > 0)
        return;
    r->first = e->number;
    r->cycle = cycle;
    r->in_flight = e->choices;
    r->in_recovery = in_recovery;
    r->in_resume = in_resume;
    snprintf(r->invariant, sizeof r->invariant, "%s", invariant);
    for (unsigned i = 0; i < e->choices; i++) {
        const struct choice *c = &e->choice[i];
        const uint32_t *word = c->value[c->taken > 0 ? c->taken - 1 : c->n - 1];
        struct hd_crash_grain g = {e->m->base + 4 * c->at, {word[0], word[1]}};
        r->kept += c->taken > 0;
        if (c->taken > 0 && k < 8)
            r->kept_grain[k++] = g;
        else if (c->taken == 0 && l < 8)
            r->lost_grain[l++] = g;
    }
}

/* The image with the choices as they are taken. */
static void look(struct engine *e, uint64_t cycle)
{
    struct hd_crash_image *m = e->m;
    const struct hd_crash_program *p = e->program;
    const char *wrong;
    e->number++;
    if (e->o->only ? e->number != e->o->only : e->number < e->due)
        return;
    e->due += e->step;
    e->rng = (e->o->seed + 1) * 0x9e3779b97f4a7c15u ^ e->number * 0xff51afd7ed558ccdu; /* an image replays alone */
    e->rng |= 1;
    e->r->images++;
    for (unsigned i = 0; i < e->choices; i++)
        for (unsigned w = 0; w < 2 && e->choice[i].taken > 0; w++)
            hd_crash_put(m, m->base + 4 * (e->choice[i].at + w), e->choice[i].value[e->choice[i].taken - 1][w]);
    size_t cut = m->puts;
    if (e->o->seen != NULL)
        e->o->seen(e->o->ctx, m, e->number, cycle);
    if (p->recover != NULL)
        p->recover(p->self, m);
    wrong = p->check(p->self, m);
    if (wrong != NULL) {
        bad(e, wrong, cycle, false, false);
    } else if (e->o->resume_every > 0 && p->resume != NULL && chance(e, (uint32_t)e->o->resume_every) == 0) {
        e->r->resumed++;
        wrong = p->resume(p->self, m);
        if (wrong != NULL)
            bad(e, wrong, cycle, false, true);
    } else if (e->o->in_recovery && p->recover != NULL && chance(e, 4) == 0) {
        undo(m, cut);
        for (unsigned n = 1 + chance(e, 3); n > 0; n--)
            cut_recovery(e);
        p->recover(p->self, m);
        e->r->cut_recoveries++;
        wrong = p->check(p->self, m);
        if (wrong != NULL)
            bad(e, wrong, cycle, true, false);
    }
    undo(m, 0);
}

/* The grains whose writes in flight change what the image has. */
static void gather(struct engine *e)
{
    e->choices = 0;
    for (size_t f = 0; f < e->flying; f++) {
        const struct hd_nvram_write *w = &e->journal[e->flight[f]];
        for (unsigned i = 0; i < e->line_words; i += 2) {
            uint32_t at = (w->addr - e->m->base) / 4 + i;
            unsigned c = 0;
            while (c < e->choices && e->choice[c].at != at)
                c++;
            const uint32_t *before = c < e->choices ? e->choice[c].value[e->choice[c].n - 1] : &e->m->word[at];
            if (before[0] == w->word[i] && before[1] == w->word[i + 1])
                continue;
            if (c == e->choices) {
                if (c == CHOICES)
                    continue;
                e->choice[e->choices++] = (struct choice){.at = at};
            }
            if (e->choice[c].n < 8)
                memcpy(e->choice[c].value[e->choice[c].n++], &w->word[i], sizeof e->choice[c].value[0]);
        }
    }
}

static void take_all(struct engine *e, bool all)
{
    for (unsigned i = 0; i < e->choices; i++)
        e->choice[i].taken = all ? e->choice[i].n : 0;
}

/* All images of the moment. */
static void moment(struct engine *e, uint64_t cycle)
{
    uint64_t combinations = 1;
    e->r->moments++;
    gather(e);
    take_all(e, false);
    for (unsigned i = 0; i < e->choices && combinations <= e->o->all_up_to; i++)
        combinations *= e->choice[i].n + 1;
    /* A moment of which no image is wanted only counts. */
    uint64_t images = combinations <= e->o->all_up_to ? combinations : 2 + 2 * (uint64_t)e->choices + 8;
    uint64_t wanted = e->o->only ? e->o->only : e->due;
    if (wanted <= e->number || wanted > e->number + images) {
        e->number += images;
        return;
    }
    if (combinations <= e->o->all_up_to) {
        for (uint64_t c = 0; c < combinations; c++) {
            uint64_t rest = c;
            for (unsigned i = 0; i < e->choices; i++) {
                e->choice[i].taken = (unsigned)(rest % (e->choice[i].n + 1));
                rest /= e->choice[i].n + 1;
            }
            look(e, cycle);
        }
        return;
    }
    look(e, cycle);
    take_all(e, true);
    look(e, cycle);
    for (unsigned all = 0; all < 2; all++)
        for (unsigned i = 0; i < e->choices; i++) {
            take_all(e, all == 1);
            e->choice[i].taken = all ? 0 : e->choice[i].n;
            look(e, cycle);
        }
    for (unsigned k = 0; k < 8; k++) {
        e->rng = (e->o->seed + 1) * 0x9e3779b97f4a7c15u ^ (e->number + 1) * 0xc2b2ae3d27d4eb4fu;
        e->rng |= 1;
        for (unsigned i = 0; i < e->choices; i++)
            e->choice[i].taken = chance(e, e->choice[i].n + 1);
        look(e, cycle);
    }
}

static const struct hd_nvram_write *sorting; /* qsort has no argument for it */

static int earlier(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    if (sorting[x].done != sorting[y].done)
        return sorting[x].done < sorting[y].done ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void complete(struct engine *e, size_t i)
{
    const struct hd_nvram_write *w = &e->journal[i];
    uint32_t at = (w->addr - e->m->base) / 4;
    memcpy(&e->m->word[at], w->word, e->line_words * 4);
    e->m->durable[e->m->durables++] = at;
    size_t f = 0;
    while (e->flight[f] != i)
        f++;
    memmove(&e->flight[f], &e->flight[f + 1], (--e->flying - f) * sizeof e->flight[0]);
}

/* Plays the journal. */
static void play(struct engine *e)
{
    size_t pushed = 0, done = 0;
    e->number = 0;
    e->flying = 0;
    e->m->durables = 0;
    e->m->plays++;
    moment(e, 0);
    while (done < e->writes) {
        uint64_t next_done = e->journal[e->by_done[done]].done, next_push = UINT64_MAX;
        if (pushed < e->writes)
            next_push = e->journal[pushed].pushed;
        uint64_t now = next_push < next_done ? next_push : next_done;
        if (now == UINT64_MAX)
            break;                     /* the run ended with writes in flight */
        while (pushed < e->writes && e->journal[pushed].pushed == now)
            e->flight[e->flying++] = pushed++;
        while (done < e->writes && e->journal[e->by_done[done]].done == now)
            complete(e, e->by_done[done++]);
        moment(e, now);
    }
}

bool hd_crash_run(const struct hd_nvram_write *journal, size_t writes, unsigned line_bytes, struct hd_crash_image *image,
                  const struct hd_crash_program *program, const struct hd_crash_options *o, struct hd_crash_result *r)
{
    struct engine e = {.journal = journal, .writes = writes, .line_words = line_bytes / 4, .m = image, .program = program,
                       .o = o,
                       .r = r, .step = 1};
    memset(r, 0, sizeof *r);
    for (size_t i = 0; i < writes; i++)
        if (journal[i].addr < image->base || (journal[i].addr - image->base) / 4 + e.line_words > image->words) {
            fprintf(stderr, "crash: write to 0x%x, outside the image\n", (unsigned)journal[i].addr);
            return false;
        }
    uint32_t *start = malloc(image->words * sizeof *start);
    e.by_done = malloc((writes + 1) * sizeof *e.by_done);
    e.flight = malloc((writes + 1) * sizeof *e.flight);
    e.choice = malloc(CHOICES * sizeof *e.choice);
    image->durable = malloc((writes + 1) * sizeof *image->durable);
    image->line_words = e.line_words;
    bool good = start && e.by_done && e.flight && e.choice && image->durable;
    if (good) {
        memcpy(start, image->word, image->words * sizeof *start);
        for (size_t i = 0; i < writes; i++)
            e.by_done[i] = i;
        sorting = journal;
        qsort(e.by_done, writes, sizeof e.by_done[0], earlier);
        if (o->points > 0 && o->only == 0) { /* how many there are, to spread those wanted */
            e.due = UINT64_MAX;
            play(&e);
            memcpy(image->word, start, image->words * sizeof *start);
            memset(r, 0, sizeof *r);
            e.step = (e.number + o->points - 1) / o->points;
        }
        e.due = 1;
        play(&e);
        r->there = e.number;
        memcpy(image->word, start, image->words * sizeof *start);
    } else {
        fprintf(stderr, "crash: no memory\n");
    }
    free(image->put);
    image->put = NULL;
    image->puts = image->room = 0;
    free(image->durable);
    image->durable = NULL;
    free(start), free(e.by_done), free(e.flight), free(e.choice);
    return good;
}
