/* mcm_link.c - see mcm_parts.h: which writes an operation names, the order of the writes to each word, finality. */
#include "mcm_parts.h"
#include <inttypes.h>
#include <stdarg.h>

/* ---- linking: which writes does it name ------------------------------------------------------------------------- */

struct hd_event mcm_event_of(const struct write *w)
{
    return (struct hd_event){.id = w->id, .tid = w->tid, .po = w->po, .addr = w->addr, .kind = w->kind,
                             .wval = w->wval, .t_issue = w->t_issue, .t_done = w->t_done, .block = w->block};
}

/* The operation @e is wrong with respect to the write @w. */
__attribute__((format(printf, 5, 6))) static bool fail_pair(struct hd_mcm *m, enum hd_mcm_kind kind,
                                                            const struct hd_event *e, uint32_t w,
                                                            const char *format, ...)
{
    char text[200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    mcm_fail(m, kind, "operation %" PRIu32 " (0x%08" PRIx32 ", cycles %" PRIu32 "..%" PRIu32 ") %s", e->id, e->addr,
             e->t_issue, e->t_done, text);
    mcm_step(m, e, kind == HD_MCM_STALE ? HD_MCM_FR : HD_MCM_RF);
    if (w != NONE && m->write[w].id != 0) {
        struct hd_event other = mcm_event_of(&m->write[w]);
        mcm_step(m, &other, kind == HD_MCM_STALE ? HD_MCM_DONE : HD_MCM_RF);
    }
    return false;
}

static const char reads_it[] = "reads", overwrites_it[] = "overwrites";

enum found { FOUND, NOT_YET, FAILED };

/* The graphs no longer have the write called @id, or never had it. */
static enum found fail_gone(struct hd_mcm *m, const struct node *n, uint32_t id, const char *did)
{
    struct hd_event e = n->ev;
    uint32_t first = m->word[n->word].first, at = mcm_table_find(&m->table, id);
    uint64_t key = at != NONE ? mcm_table_key(&m->table, at) : 0;

    if (at != NONE && hd_map_get(&m->places, key) == NONE && mcm_room(m))
        fail_pair(m, HD_MCM_DATA, &e, m->word[mcm_word(m, key)].first, "%s what operation %" PRIu32 " wrote to another "
                  "address, 0x%08" PRIx32, did, id, (uint32_t)key);
    else if (m->write[first].id == 0)
        fail_pair(m, HD_MCM_DATA, &e, NONE, "%s what operation %" PRIu32 " wrote, which never wrote here", did, id);
    else
        fail_pair(m, HD_MCM_STALE, &e, first, "%s what operation %" PRIu32 " wrote, which was overwritten before (or "
                  "never wrote here)", did, id);
    return FAILED;
}

/* Finds the write called @id to the word of node @n, whose operation @did ("reads", "overwrites") it. */
static enum found find_write(struct hd_mcm *m, const struct node *n, uint32_t id, const char *did, uint32_t *w)
{
    const struct word *word = &m->word[n->word];
    uint32_t at = id == 0 ? word->first : id == m->write[word->last].id ? word->last : hd_map_get(&m->ops, id);

    if (id == 0 && m->write[at].id != 0) {
        fail_pair(m, HD_MCM_STALE, &n->ev, at, "%s the initial value, which was overwritten before", did);
        return FAILED;
    }
    if (at == NONE) {
        if (!mcm_was_seen(m, id))
            return NOT_YET;
        return fail_gone(m, n, id, did);
    }
    if (at & NODE_BIT) {
        fail_pair(m, HD_MCM_DATA, &n->ev, NONE, "%s what operation %" PRIu32 " wrote, which is a load", did, id);
        return FAILED;
    }
    if (m->write[at].word != n->word) {
        fail_pair(m, HD_MCM_DATA, &n->ev, at, "%s what operation %" PRIu32 " wrote to another address, 0x%08" PRIx32,
                  did, id, m->write[at].addr);
        return FAILED;
    }
    bool late = !m->o.puts || did == reads_it; /* with puts, complete stores take their place when the L2 gets them */
    if (late && m->write[at].t_issue > n->ev.t_done) {
        fail_pair(m, HD_MCM_DATA, &n->ev, at, "%s what operation %" PRIu32 " wrote, which was issued later, in cycle "
                  "%" PRIu32, did, id, m->write[at].t_issue);
        return FAILED;
    }
    *w = at;
    return FOUND;
}

/* Write @w is known to be performed by cycle @t: those before it hear of it. */
static void note_known(struct hd_mcm *m, uint32_t w, uint32_t t)
{
    if (t < m->write[w].known)
        m->write[w].known = t;
    for (w = m->write[w].prev; w != NONE && m->write[w].later > t; w = m->write[w].prev)
        m->write[w].later = t;
}

static bool link_to_source(struct hd_mcm *m, uint32_t i, uint32_t s)
{
    struct node *n = &m->node[i];
    struct write *w = &m->write[s];

    if (!w->valued) {
        w->valued = true;
        w->wval = n->ev.rval;
    }
    if (w->wval != n->ev.rval)
        return fail_pair(m, HD_MCM_DATA, &n->ev, s, "reads 0x%" PRIx32 ", but operation %" PRIu32 " wrote 0x%" PRIx32,
                         n->ev.rval, w->id, w->wval);
    n->src = s;
    w->readers++;
    if (w->tid != n->ev.tid && w->id != 0)
        note_known(m, s, n->ev.t_done);
    return true;
}

static bool link_behind(struct hd_mcm *m, uint32_t i, uint32_t before)
{
    struct node *n = &m->node[i];
    struct write *p = &m->write[before], *w = &m->write[n->write];

    if (p->next != NONE) {
        const struct write *other = &m->write[p->next];
        bool rmw = n->ev.kind == HD_EVK_RMW || other->kind == HD_EVK_RMW;
        return fail_pair(m, HD_MCM_DATA, &n->ev, p->next, "overwrites what operation %" PRIu32 " wrote, and so does "
                         "operation %" PRIu32 ": %s", p->id, other->id,
                         rmw ? "an RMW is not atomic" : "a write was lost");
    }
    p->next = n->write;
    w->prev = before;
    w->place = p->place + 1;
    m->word[n->word].last = n->write;
    note_known(m, n->write, w->t_done);
    return true;
}

/* Links node @i. @return NOT_YET when a write it names has not been placed; *needs is a write to link first. */
static enum found link_one(struct hd_mcm *m, uint32_t i, uint32_t *needs)
{
    struct node *n = &m->node[i];
    uint32_t s = NONE, p = NONE;
    enum found f;

    *needs = NONE;
    if (reads(&n->ev) && (f = find_write(m, n, n->ev.src, reads_it, &s)) != FOUND)
        return f;
    if (writes(&n->ev) && (f = find_write(m, n, n->ev.over, overwrites_it, &p)) != FOUND)
        return f;
    for (int k = 0; k < 2; k++) {
        uint32_t w = k ? p : s;
        if (w != NONE && !m->write[w].linked) {
            *needs = m->write[w].node;
            return NOT_YET;
        }
    }
    if (s != NONE && p != NONE && s != p && m->o.single_writer) {
        fail_pair(m, HD_MCM_DATA, &n->ev, p, "is an RMW that reads what operation %" PRIu32 " wrote and overwrites "
                  "what operation %" PRIu32 " wrote", n->ev.src, n->ev.over);
        return FAILED;
    }
    if ((s != NONE && !link_to_source(m, i, s)) || (p != NONE && !link_behind(m, i, p)))
        return FAILED;
    n->linked = true;
    if (n->write != NONE)
        m->write[n->write].linked = true;
    if (!mcm_room(m)) {
        mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
        return FAILED;
    }
    mcm_link(m, i);
    if (m->env != NULL && s != NONE && p != NONE && s != p && !mcm_env_atomic(m, i))
        return FAILED;
    return FOUND;
}

/* Links node @i and, before it, the writes it hangs on. @return false after a verdict. */
static bool link_all_before(struct hd_mcm *m, uint32_t i)
{
    bool waits = false;

    m->stack_count = 0;
    m->stack[m->stack_count++] = i;
    while (m->stack_count > 0) {
        uint32_t top = m->stack[m->stack_count - 1], needs;
        enum found f = m->node[top].linked || waits ? FOUND : link_one(m, top, &needs);
        if (f == FAILED)
            return false;
        if (f == NOT_YET && needs != NONE && m->node[needs].on_stack) {
            mcm_fail(m, HD_MCM_DATA, "operations %" PRIu32 " and %" PRIu32 " each overwrite or read the other's word",
                     m->node[top].ev.id, m->node[needs].ev.id);
            mcm_step(m, &m->node[top].ev, HD_MCM_CO);
            mcm_step(m, &m->node[needs].ev, HD_MCM_CO);
            return false;
        }
        if (f == NOT_YET && needs != NONE) {
            m->node[top].on_stack = true;
            m->stack[m->stack_count++] = needs;
            continue;
        }
        waits |= f == NOT_YET;
        m->node[top].on_stack = false;
        m->stack_count--;
    }
    return true;
}

bool mcm_link_what_can_be(struct hd_mcm *m)
{
    size_t kept = 0;

    for (size_t k = 0; k < m->unlinked_count; k++) {
        uint32_t i = m->unlinked[k];
        if (!m->node[i].linked && !link_all_before(m, i))
            return false;
        if (!m->node[i].linked)
            m->unlinked[kept++] = i;
    }
    m->unlinked_count = kept;
    return true;
}

/* ---- finality --------------------------------------------------------------------------------------------------- */

/* A kernel has ended. */
void mcm_sweep_writes(struct hd_mcm *m)
{
    m->sweeping = true;
    for (size_t i = 0; i < m->words.used; i++)
        mcm_free_write(m, m->word[i].first);
    m->sweeping = false;
}

void mcm_free_write(struct hd_mcm *m, uint32_t i)
{
    if (m->env != NULL && !m->sweeping)
        return; /* mcm_env.c looks at the writes behind those that were read */
    for (;;) {
        struct write *w = &m->write[i];
        uint32_t next = w->next;
        if (m->word[w->word].first != i || w->node != NONE || w->readers > 0 || next == NONE || !m->write[next].final)
            return;
        m->word[w->word].first = next;
        m->write[next].prev = NONE;
        if (w->id != 0)
            hd_map_remove(&m->ops, w->id);
        mcm_pool_give(&m->writes, sizeof *w, i);
        i = next;
    }
}

/* No write behind @w may have been known to be performed when @e was issued. */
static bool check_stale(struct hd_mcm *m, const struct hd_event *e, uint32_t w, const char *did)
{
    if (!m->o.single_writer || m->write[w].later >= e->t_issue)
        return true;
    uint32_t later = m->write[w].next;
    while (m->write[later].known >= e->t_issue)
        later = m->write[later].next;
    return fail_pair(m, HD_MCM_STALE, e, later, "%s of operation %" PRIu32 " though operation %" PRIu32 ", which "
                     "overwrote it, was performed by cycle %" PRIu32, did, m->write[w].id, m->write[later].id,
                     m->write[later].known);
}

static bool make_final(struct hd_mcm *m, uint32_t i)
{
    struct node *n = &m->node[i];

    if (!n->linked) {
        uint32_t w;
        bool source = reads(&n->ev) && find_write(m, n, n->ev.src, reads_it, &w) == NOT_YET;
        return fail_pair(m, HD_MCM_DATA, &n->ev, NONE, "%s what operation %" PRIu32 " wrote, which is not there",
                         source ? "reads" : "overwrites", source ? n->ev.src : n->ev.over);
    }
    uint32_t s = n->src, w = n->write;
    if (s != NONE && !check_stale(m, &n->ev, s, "reads the word"))
        return false;
    if (w != NONE && !check_stale(m, &n->ev, w, "is ordered before a write: the word"))
        return false;
    mcm_final(m, i);
    if (s != NONE) {
        m->write[s].readers--;
        mcm_free_write(m, s);
    }
    if (w != NONE) {
        m->write[w].final = true;
        if (m->write[w].prev != NONE)
            mcm_free_write(m, m->write[w].prev);
    }
    return true;
}

bool mcm_make_all_final(struct hd_mcm *m, uint64_t watermark)
{
    size_t kept = 0;

    for (size_t k = 0; k < m->unfinal_count; k++) {
        uint32_t i = m->unfinal[k];
        if (m->node[i].ev.t_done >= watermark)
            m->unfinal[kept++] = i;
        else if (m->node[i].word == NONE) /* barrier, fence */
            mcm_final(m, i);
        else if (!make_final(m, i))
            return false;
    }
    m->unfinal_count = kept;
    return true;
}
