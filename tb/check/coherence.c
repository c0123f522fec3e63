/* coherence.c - see coherence.h. */
#include "check/coherence.h"
#include "hd_pkg.h"
#include "port.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = HD_MAX_SMS / 64, FIRST_ROOM = 4096 };

/* A slot of the table is free until its line was ever held; then it stays, so probing needs no tombstones. */
struct holders {
    uint64_t sms[WORDS]; /* one bit a holder */
    uint32_t line;
    bool used;
    bool exclusive;     /* the one holder has E or M */
};

struct hd_coherence {
    unsigned sms;
    struct holders *table;
    size_t room, seen;  /* room: a power of two */
    char why[160];
};

struct hd_coherence *hd_coherence_new(unsigned sms)
{
    struct hd_coherence *c = sms >= 1 && sms <= HD_MAX_SMS ? calloc(1, sizeof *c) : NULL;

    if (c != NULL) {
        c->sms = sms;
        c->room = FIRST_ROOM;
        c->table = calloc(c->room, sizeof *c->table);
    }
    if (c == NULL || c->table == NULL) {
        fprintf(stderr, "coherence check: out of memory, or %u SMs not in 1..%d\n", sms, HD_MAX_SMS);
        free(c);
        return NULL;
    }
    return c;
}

void hd_coherence_free(struct hd_coherence *c)
{
    if (c == NULL)
        return;
    free(c->table);
    free(c);
}

static struct holders *find(struct holders *table, size_t room, uint32_t line)
{
    size_t i = (line * UINT32_C(0x9E3779B1) ^ line >> 15) & (room - 1);

    while (table[i].used && table[i].line != line)
        i = (i + 1) & (room - 1);
    return &table[i];
}

/* Keeps the table at most half full after @events more. */
static bool make_room(struct hd_coherence *c, size_t events)
{
    size_t room = c->room;

    while (room < 2 * (c->seen + events))
        room *= 2;
    if (room == c->room)
        return true;
    struct holders *bigger = calloc(room, sizeof *bigger);
    if (bigger == NULL)
        return false;
    for (size_t i = 0; i < c->room; i++)
        if (c->table[i].used)
            *find(bigger, room, c->table[i].line) = c->table[i];
    free(c->table);
    c->table = bigger;
    c->room = room;
    return true;
}

static unsigned rank(uint8_t state)
{
    return state == HD_ST_I ? 0 : state == HD_ST_S ? 1 : 2;
}

/* Fails an event: "... with mask 0x..." in as many digits as it takes. */
static void violated(struct hd_coherence *c, const struct hd_st_event *e, unsigned sm, const uint64_t others[WORDS],
                     bool exclusive)
{
    char mask[16 * WORDS + 1];
    int n = 0;

    for (unsigned w = WORDS; w-- > 0;)
        if (n > 0 || others[w] != 0 || w == 0)
            n += snprintf(mask + n, sizeof mask - (size_t)n, "%0*" PRIx64, n > 0 ? 16 : 1, others[w]);
    snprintf(c->why, sizeof c->why,
             "cycle %" PRIu64 ": SM %u takes line 0x%" PRIx32 " in %c while SMs with mask 0x%s hold it in %s", e->cycle,
             sm, e->line, "ISEM"[e->state & 3], mask, exclusive ? "E or M" : "S");
}

static bool judge(struct hd_coherence *c, const struct hd_st_event *e, unsigned sm)
{
    struct holders *h = find(c->table, c->room, e->line);
    uint64_t me = UINT64_C(1) << sm % 64, others[WORDS], any = 0;

    for (unsigned w = 0; w < WORDS; w++) {
        others[w] = h->sms[w] & ~(w == sm / 64 ? me : 0);
        any |= others[w];
    }
    if (!h->used) {
        h->used = true;
        h->line = e->line;
        c->seen++;
    }
    if (e->state != HD_ST_I && any != 0 && (rank(e->state) == 2 || h->exclusive)) {
        violated(c, e, sm, others, h->exclusive);
        return false;
    }
    if (e->state == HD_ST_I) {
        h->sms[sm / 64] = others[sm / 64];
        if (any == 0)
            h->exclusive = false;
    } else {
        h->sms[sm / 64] |= me;
        h->exclusive = rank(e->state) == 2;
    }
    return true;
}

bool hd_coherence_window(struct hd_coherence *c, struct hd_st_list *const *lists)
{
    size_t at[HD_MAX_SMS];
    unsigned some[HD_MAX_SMS], n = 0; /* SMs that have events left */
    size_t left = 0;

    for (unsigned sm = 0; sm < c->sms; sm++) {
        at[sm] = 0;
        left += lists[sm]->count;
        if (lists[sm]->count > 0)
            some[n++] = sm;
    }
    if (left > 0 && c->why[0] == '\0' && !make_room(c, left))
        snprintf(c->why, sizeof c->why, "out of memory for %zu lines", c->seen + left);
    for (; left > 0 && c->why[0] == '\0'; left--) {
        unsigned first = 0;
        const struct hd_st_event *f = &lists[some[0]]->event[at[some[0]]];
        for (unsigned i = 1; i < n; i++) {
            const struct hd_st_event *e = &lists[some[i]]->event[at[some[i]]];
            if (e->cycle < f->cycle || (e->cycle == f->cycle && rank(e->state) < rank(f->state))) {
                f = e;
                first = i;
            }
        }
        unsigned sm = some[first];
        judge(c, f, sm);
        if (++at[sm] == lists[sm]->count) { /* the others stay in order */
            n--;
            memmove(&some[first], &some[first + 1], (n - first) * sizeof some[0]);
        }
    }
    for (unsigned sm = 0; sm < c->sms; sm++)
        lists[sm]->count = 0;
    return c->why[0] == '\0';
}

const char *hd_coherence_violation(const struct hd_coherence *c)
{
    return c->why[0] == '\0' ? NULL : c->why;
}

size_t hd_coherence_lines_held(const struct hd_coherence *c)
{
    size_t n = 0;

    for (size_t i = 0; i < c->room; i++)
        for (unsigned w = 0; w < WORDS; w++)
            if (c->table[i].sms[w] != 0) {
                n++;
                break;
            }
    return n;
}

size_t hd_coherence_lines_seen(const struct hd_coherence *c)
{
    return c->seen;
}
