/* mcm_owns.c - see mcm_parts.h: the order of the writes to each word where L1s own words (l1 = denovo).
 *
 * A write to a word that its L1 owns, or that is dirty there, tells what it overwrites: HD_EV_OWN. Any other one begins a
 * chain of writes that nobody else sees until the L2 names their L1 the owner of the word: HD_EVK_PUT, in the order in
 * which a word's owners follow each other. The chain belongs to the first of these after its beginning, for an L1
 * has one registration of a word under way, and writes no word that is neither dirty nor owned meanwhile. What told its
 * predecessor follows it, in whichever L1. So the first write of a chain overwrites the last one of the chain before. */
#include "hd_pkg.h"
#include "mcm_parts.h"
#include <inttypes.h>
#include <stdlib.h>

/* A write that begins a chain, an owner that the L2 names: sorted by word, cycle. */
struct begin {
    uint64_t word_sm; /* address << 32 | SM */
    uint32_t cycle, record, turn;
};

struct owns {
    struct hd_mcm *m;
    struct hd_map at;    /* id -> record, of writes to global memory */
    uint32_t *next;      /* by record: the write that tells to have overwritten it, the highest of its lanes */
    struct begin *begin; /* chains */
    struct begin *grant;
    uint32_t *first;     /* records that told a write before this kernel: with them the chain of the owner at its beginning begins */
    size_t begins, grants, firsts;
};

static bool fail_write(struct hd_mcm *m, const struct hd_event *e, const char *what)
{
    mcm_fail(m, HD_MCM_DATA, "operation %" PRIu32 " wrote 0x%" PRIx32 " to 0x%08" PRIx32 ", %s", e->id, e->wval, e->addr, what);
    mcm_step(m, e, HD_MCM_CO);
    return false;
}

static bool global_write(const struct hd_event *e)
{
    return writes(e) && e->space == HD_SPACE_GLOBAL;
}

static bool one_instruction(const struct hd_event *a, const struct hd_event *b)
{
    return a->tid >> 8 == b->tid >> 8 && a->po == b->po;
}

static int compare_begin(const void *x, const void *y)
{
    const struct begin *a = x, *b = y;

    if (a->word_sm != b->word_sm)
        return a->word_sm < b->word_sm ? -1 : 1;
    return a->cycle != b->cycle ? (a->cycle < b->cycle ? -1 : 1) : a->record < b->record ? -1 : a->record > b->record;
}

static int compare_turn(const void *x, const void *y)
{
    const struct begin *a = x, *b = y;
    uint32_t p = (uint32_t)(a->word_sm >> 32), q = (uint32_t)(b->word_sm >> 32);

    return p != q ? (p < q ? -1 : 1) : a->turn < b->turn ? -1 : a->turn > b->turn;
}

/* Lanes that the L1 served together: it told of all whether it had the word before. An access of more than 32 lanes has parts,
 * between which the L1 may lose the word. */
static bool one_access(const struct hd_event *a, const struct hd_event *b)
{
    return one_instruction(a, b) && a->t_done == b->t_done;
}

/* What record @i told: a predecessor, or that it begins a chain. Lanes of one store on one word all tell the same; the
 * highest lane's write stays. */
static void sort_out(struct owns *o, uint32_t i)
{
    struct hd_mcm *m = o->m;
    struct hd_event *e = &m->record[i];
    uint32_t told = e->over & ~HD_EV_OWN, before = told != 0 ? hd_map_get(&o->at, told) : NONE;
    bool owned = (e->over & HD_EV_OWN) != 0 || (before != NONE && one_access(e, &m->record[before]));

    e->over = told;
    if (!owned)
        o->begin[o->begins++] = (struct begin){(uint64_t)e->addr << 32 | e->tid >> 16, e->t_done, i, 0};
    else if (before == NONE)
        o->first[o->firsts++] = i;
    else if (o->next[before] == NONE
             || (one_instruction(e, &m->record[o->next[before]]) && m->record[o->next[before]].id < e->id))
        o->next[before] = i;
}

/* @return in which cycle before @e was written its L1 last became the owner of the word, 0: not in this kernel. */
static uint32_t owner_since(const struct owns *o, const struct hd_event *e)
{
    uint64_t key = (uint64_t)e->addr << 32 | e->tid >> 16;
    size_t low = 0, high = o->grants;

    while (low < high) {
        size_t mid = (low + high) / 2;
        const struct begin *g = &o->grant[mid];
        if (g->word_sm < key || (g->word_sm == key && g->cycle < e->t_done))
            low = mid + 1;
        else
            high = mid;
    }
    return low > 0 && o->grant[low - 1].word_sm == key ? o->grant[low - 1].cycle : 0;
}

/* The chain that begins with record @i, up to its last write; the next one's owner is named in cycle @until.
 * @return NONE after a verdict. */
static uint32_t follow(struct owns *o, uint32_t i, uint32_t until)
{
    struct hd_mcm *m = o->m;

    for (size_t n = 0;; n++) {
        const struct hd_event *e = &m->record[i];
        const char *wrong = n > m->records                ? "over what overwrote it"
                            : owner_since(o, e) > until ? "over what had been overwritten before its L1 became the owner"
                                                        : NULL;
        uint32_t next = o->next[i];
        if (wrong == NULL && next != NONE && m->record[next].addr != e->addr)
            wrong = "and another word was written over it";
        if (wrong != NULL) {
            fail_write(m, e, wrong);
            return NONE;
        }
        if (next == NONE)
            return i;
        i = next;
    }
}

/* Which registration a chain belongs to: both lists are sorted by word and SM. @return false after a verdict. */
static bool match(struct owns *o)
{
    const struct begin *last = NULL;

    for (size_t b = 0, g = 0; b < o->begins; b++) {
        struct begin *c = &o->begin[b];
        const struct hd_event *e = &o->m->record[c->record];
        while (g < o->grants && (o->grant[g].word_sm < c->word_sm
                                 || (o->grant[g].word_sm == c->word_sm && o->grant[g].cycle <= c->cycle)))
            g++;
        if (g == o->grants || o->grant[g].word_sm != c->word_sm)
            return fail_write(o->m, e, "but no L2 ever made its L1 the owner");
        if (last == &o->grant[g] && !one_instruction(e, &o->m->record[o->begin[b - 1].record]))
            return fail_write(o->m, e, "a word that was dirty in its L1, but not over what was there");
        last = &o->grant[g];
        c->turn = last->cycle;
    }
    return true;
}

/* @return id of the last write to the word before this kernel. */
static uint32_t id_before(const struct hd_mcm *m, uint32_t record)
{
    uint32_t w = hd_map_get(&m->places, word_key(&m->record[record]));

    return w == NONE ? 0 : m->write[m->word[w].last].id;
}

/* Gives chains their predecessors. *word: address -> the first write of the chain of the owner at the kernel's beginning. */
static bool put_in_order(struct owns *o, struct hd_map *word)
{
    struct hd_mcm *m = o->m;

    for (size_t k = 0; k < o->firsts; k++) {
        const struct hd_event *e = &m->record[o->first[k]];
        uint32_t at = hd_map_get(word, e->addr);
        if (at == NONE || (one_instruction(e, &m->record[at]) && m->record[at].id < e->id))
            hd_map_set(word, e->addr, o->first[k]);
    }
    for (size_t b = 0; b < o->begins;) {
        uint32_t addr = m->record[o->begin[b].record].addr, at = hd_map_get(word, addr);
        uint32_t over = id_before(m, o->begin[b].record);
        if (at != NONE) {
            if ((at = follow(o, at, o->begin[b].turn)) == NONE)
                return false;
            over = m->record[at].id;
        }
        while (b < o->begins && m->record[o->begin[b].record].addr == addr) {
            uint32_t turn = o->begin[b].turn, stays = o->begin[b].record;
            for (; b < o->begins && o->begin[b].turn == turn && m->record[o->begin[b].record].addr == addr; b++) {
                struct hd_event *e = &m->record[o->begin[b].record];
                e->over = over;
                if (e->id > m->record[stays].id)
                    stays = o->begin[b].record;
            }
            bool more = b < o->begins && m->record[o->begin[b].record].addr == addr;
            if ((stays = follow(o, stays, more ? o->begin[b].turn : UINT32_MAX)) == NONE)
                return false;
            over = m->record[stays].id;
        }
    }
    return true;
}

static bool follow_all(struct owns *o)
{
    struct hd_mcm *m = o->m;
    struct hd_map word = {0};

    for (size_t k = 0; k < m->waiting.count; k++) {
        const struct group *g = &m->group[m->waiting.at[k]];
        for (uint32_t i = g->first; i < g->first + g->count; i++)
            if (global_write(&m->record[i]))
                sort_out(o, i);
    }
    for (size_t k = 0; k < m->put_count; k++) {
        const struct hd_event *p = &m->put[k];
        o->grant[o->grants++] = (struct begin){(uint64_t)p->addr << 32 | p->tid >> 16, p->t_done, (uint32_t)k, 0};
    }
    m->put_count = 0;
    qsort(o->begin, o->begins, sizeof *o->begin, compare_begin);
    qsort(o->grant, o->grants, sizeof *o->grant, compare_begin);
    if (!match(o))
        return false;
    qsort(o->begin, o->begins, sizeof *o->begin, compare_turn);
    bool good = hd_map_reserve(&word, o->firsts) ? put_in_order(o, &word) : mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
    hd_map_fini(&word);
    return good;
}

bool mcm_owns_follow(struct hd_mcm *m)
{
    struct owns o = {.m = m, .next = malloc((m->records + 1) * sizeof *o.next)};
    size_t n = 0;
    bool room = o.next != NULL;

    for (size_t k = 0; room && k < m->waiting.count; k++) {
        const struct group *g = &m->group[m->waiting.at[k]];
        for (uint32_t i = g->first; room && i < g->first + g->count; i++) {
            o.next[i] = NONE;
            if (!global_write(&m->record[i]))
                continue;
            n++;
            if ((room = hd_map_reserve(&o.at, 1)))
                hd_map_set(&o.at, m->record[i].id, i);
        }
    }
    o.begin = malloc((n + 1) * sizeof *o.begin);
    o.first = malloc((n + 1) * sizeof *o.first);
    o.grant = malloc((m->put_count + 1) * sizeof *o.grant);
    room = room && o.begin != NULL && o.first != NULL && o.grant != NULL;
    bool good = room ? follow_all(&o) : mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
    hd_map_fini(&o.at);
    free(o.next);
    free(o.begin);
    free(o.first);
    free(o.grant);
    return good;
}
