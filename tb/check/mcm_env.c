/* mcm_env.c - see mcm_parts.h: what ENV asks of single accesses. They come in an order that extends happens-before.
 *
 *   coherence   a lane's accesses to a word see and make writes in their order; only two loads may go back
 *   causality   a read does not return what was overwritten by a write that happens before it; a write does not come, in
 *               the order of its word, before one that happens before it, and nothing that happens before it read it
 *
 * Happens-before is that of mcm_races.c, warps for threads. Writes carry the number their warp's clock had. */
#include "hd_pkg.h"
#include "mcm_parts.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* What a lane has seen of a word: the place of its last write, the latest place it read. */
struct seen_word {
    uint32_t wrote, read;
};

/* A read that came before the write it read. */
struct early {
    uint32_t warp, clock, next;
    struct hd_event ev;
};

struct env {
    struct seen_word *seen; /* m->latest has the index */
    struct early *early;
    size_t seen_count, seen_room, early_count, early_room;
};

struct env *mcm_env_new(void)
{
    return calloc(1, sizeof(struct env));
}

void mcm_env_free(struct env *v)
{
    if (v == NULL)
        return;
    free(v->seen);
    free(v->early);
    free(v);
}

size_t mcm_env_bytes(const struct env *v)
{
    return sizeof *v + v->seen_room * sizeof *v->seen + v->early_room * sizeof *v->early;
}

/* A kernel has ended. */
void mcm_env_epoch(struct hd_mcm *m)
{
    m->env->seen_count = m->env->early_count = 0;
    hd_map_fini(&m->latest);
}

/* Which synchronization @e is part of: accesses with the same number, of one word, are performed at one place, one after
 * the other. NONE: it is data. */
uint32_t mcm_env_instance(const struct hd_mcm *m, const struct hd_event *e)
{
    bool sync = e->kind == HD_EVK_RMW || ((e->order & HD_EV_ATOMIC) != 0 && order_of(e) != 0 && e->scope != HD_SCOPE_WI);

    (void)m;
    if (!sync)
        return NONE;
    return e->scope == HD_SCOPE_WG ? e->block | UINT32_C(0x80000000) : NONE - 1;
}

__attribute__((format(printf, 4, 5))) static bool fail_pair(struct hd_mcm *m, const struct hd_event *first,
                                                            const struct hd_event *e, const char *format, ...)
{
    char text[160];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    mcm_fail(m, HD_MCM_CYCLE, "operation %" PRIu32 " (0x%08" PRIx32 ", cycles %" PRIu32 "..%" PRIu32 ") %s", e->id, e->addr,
             e->t_issue, e->t_done, text);
    mcm_step(m, first, HD_MCM_HB);
    mcm_step(m, e, reads(e) ? HD_MCM_FR : HD_MCM_CO);
    return false;
}

static bool before(uint32_t warp, uint32_t clock, uint32_t po, const struct hd_event *e, const uint32_t *now, uint32_t mine)
{
    return clock != 0 && mcm_covers(now[warp], clock) && !(warp == mine && po == e->po);
}

/* No write of the word behind @from happens before node @n. */
static bool causal(struct hd_mcm *m, const struct node *n, uint32_t from, uint32_t mine, const uint32_t *now)
{
    const struct word *word = &m->word[n->word];

    for (uint32_t w = m->write[from].next; w != NONE && m->write[w].place <= word->judged; w = m->write[w].next) {
        const struct write *b = &m->write[w];
        if (w == n->write || !before(b->warp, b->clock, b->po, &n->ev, now, mine))
            continue;
        struct hd_event first = mcm_event_of(b);
        return fail_pair(m, &first, &n->ev, "%s operation %" PRIu32 ", but operation %" PRIu32 ", which happens before, "
                         "overwrote it", from == n->write ? "writes" : "reads what was written by", m->write[from].id, b->id);
    }
    return true;
}

static struct seen_word *seen_of(struct hd_mcm *m, const struct node *n)
{
    struct env *v = m->env;
    uint64_t key = (uint64_t)n->ev.tid << 32 | n->word;
    uint32_t at = hd_map_get(&m->latest, key);

    if (at != NONE)
        return &v->seen[at];
    if (v->seen_count == v->seen_room) {
        size_t room = 2 * v->seen_room + 1024;
        struct seen_word *big = realloc(v->seen, room * sizeof *big);
        if (big == NULL)
            return NULL;
        v->seen = big;
        v->seen_room = room;
    }
    if (!hd_map_reserve(&m->latest, 1))
        return NULL;
    hd_map_set(&m->latest, key, (uint32_t)v->seen_count);
    v->seen[v->seen_count] = (struct seen_word){0};
    return &v->seen[v->seen_count++];
}

/* Is what the lane sees of the word in order? Places are counted from 1 up here. */
static bool coherent(struct hd_mcm *m, const struct node *n)
{
    struct seen_word *s = seen_of(m, n);
    const struct hd_event *e = &n->ev;

    if (s == NULL)
        return mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
    uint32_t r = n->src != NONE ? m->write[n->src].place + 1 : 0, w = n->write != NONE ? m->write[n->write].place + 1 : 0;
    if (r != 0 && r < s->wrote)
        return fail_pair(m, e, e, "reads what was overwritten before its lane wrote there");
    if (w != 0 && (w <= s->wrote || w <= s->read))
        return fail_pair(m, e, e, "is ordered before what its lane read or wrote there earlier");
    s->read = r > s->read ? r : s->read;
    s->wrote = w > s->wrote ? w : s->wrote;
    return true;
}

/* The read @n comes before the write it reads. */
static bool note_early(struct hd_mcm *m, const struct node *n, uint32_t mine, const uint32_t *now)
{
    struct env *v = m->env;

    if (v->early_count == v->early_room) {
        size_t room = 2 * v->early_room + 256;
        struct early *big = realloc(v->early, room * sizeof *big);
        if (big == NULL)
            return mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
        v->early = big;
        v->early_room = room;
    }
    v->early[v->early_count] = (struct early){mine, now[mine], m->write[n->src].early, n->ev};
    m->write[n->src].early = (uint32_t)v->early_count++;
    return true;
}

bool mcm_env_access(struct hd_mcm *m, uint32_t i, uint32_t mine, const uint32_t *now)
{
    const struct node *n = &m->node[i];

    if (!coherent(m, n))
        return false;
    if (n->src != NONE) {
        if (!causal(m, n, n->src, mine, now))
            return false;
        const struct write *s = &m->write[n->src];
        if (s->clock == 0 && s->node != NONE && !note_early(m, n, mine, now))
            return false;
    }
    if (n->write == NONE)
        return true;
    struct write *w = &m->write[n->write];
    if (!causal(m, n, n->write, mine, now))
        return false;
    for (uint32_t k = w->early; k != NONE; k = m->env->early[k].next) {
        const struct early *r = &m->env->early[k];
        if (before(r->warp, r->clock, r->ev.po, &n->ev, now, mine))
            return fail_pair(m, &r->ev, &n->ev, "was read by operation %" PRIu32 ", which happens before", r->ev.id);
    }
    w->warp = mine;
    w->clock = now[mine];
    if (w->place > m->word[n->word].judged)
        m->word[n->word].judged = w->place;
    return true;
}

/* An RMW that does not overwrite what it read: no other thread of its scope's instance wrote in between. */
bool mcm_env_atomic(struct hd_mcm *m, uint32_t i)
{
    const struct node *n = &m->node[i];
    uint32_t w = m->write[n->write].prev;

    for (; w != NONE && w != n->src; w = m->write[w].prev) {
        const struct write *b = &m->write[w];
        if (b->tid == n->ev.tid || (n->ev.scope == HD_SCOPE_WG && b->block != n->ev.block))
            continue;
        struct hd_event other = mcm_event_of(b);
        mcm_fail(m, HD_MCM_DATA, "operation %" PRIu32 " (0x%08" PRIx32 "), an RMW, is not atomic: operation %" PRIu32
                 " wrote in between", n->ev.id, n->ev.addr, b->id);
        mcm_step(m, &n->ev, HD_MCM_FR);
        mcm_step(m, &other, HD_MCM_CO);
        return false;
    }
    return w != NONE || mcm_fail(m, HD_MCM_DATA, "operation %" PRIu32 " (0x%08" PRIx32 "), an RMW, is ordered before what it "
                                 "read", n->ev.id, n->ev.addr);
}
