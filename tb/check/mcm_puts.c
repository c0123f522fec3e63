/* mcm_puts.c - see mcm_parts.h: the order of the writes to each word where a store is complete in its L1 before the L2 has it.
 *
 * A tenure of a word in an L1 is a chain of writes, each over the one before, whose last one the L2 puts in the place of
 * what it had. So the first one of the chain overwrites that. A store told what dirty word it replaced (0: none, it is
 * the first). An atomic told what it read: that began the tenure, if the L2 has it already; else it belongs to it. */
#include "hd_pkg.h"
#include "mcm_parts.h"
#include <inttypes.h>
#include <stdlib.h>

struct puts {
    struct hd_mcm *m;
    struct hd_map at;   /* id -> record, of writes to global memory */
    uint8_t *placed;    /* by record: 1 the order of its word is known, 2 and the L2 has had it */
};

static bool global_write(const struct hd_event *e)
{
    return writes(e) && e->space == HD_SPACE_GLOBAL;
}

static bool fail_put(struct hd_mcm *m, const struct hd_event *put, const struct hd_event *e, const char *what)
{
    mcm_fail(m, HD_MCM_DATA, "in cycle %" PRIu32 " an L2 writes 0x%" PRIx32 " of operation %" PRIu32 " to 0x%08" PRIx32 ", %s",
             put->t_done, put->wval, put->id, put->addr, what);
    if (e != NULL)
        mcm_step(m, e, HD_MCM_CO);
    return false;
}

/* Follows the tenure that ends with *put back to its first write. @return false after a verdict. */
static bool follow(struct puts *p, const struct hd_event *put)
{
    struct hd_mcm *m = p->m;
    uint32_t at = hd_map_get(&p->at, put->id);

    if (at == NONE)
        return fail_put(m, put, NULL, "which the log does not have, or is no write, or one of an earlier kernel");
    for (bool last = true;; last = false) {
        struct hd_event *e = &m->record[at];
        if (e->addr != put->addr || (last && e->wval != put->wval))
            return fail_put(m, put, e, "which wrote another word");
        if (p->placed[at] != 0)
            return fail_put(m, put, e, "whose tenure has had an end before");
        p->placed[at] = last ? 2 : 1;
        uint32_t told = e->kind == HD_EVK_ST ? e->over : e->src;
        uint32_t before = told == 0 ? NONE : hd_map_get(&p->at, told);
        if (e->kind == HD_EVK_RMW ? before == NONE || p->placed[before] == 2 : told == 0) {
            e->over = put->over;
            return true;
        }
        if (before == NONE)
            return fail_put(m, put, e, "whose tenure goes back to a write that the log does not have");
        e->over = told;
        at = before;
    }
}

/* A lane whose word a higher lane of its instruction replaced. @return false after a verdict. */
static bool follow_lane(struct puts *p, uint32_t at)
{
    struct hd_mcm *m = p->m;
    struct hd_event *e = &m->record[at];

    for (uint32_t id = e->id + m->o.sms, next; (next = hd_map_get(&p->at, id)) != NONE; id += m->o.sms) {
        const struct hd_event *o = &m->record[next];
        if (o->tid >> 8 != e->tid >> 8 || o->po != e->po || e->kind != HD_EVK_ST)
            break;
        if (o->addr != e->addr || p->placed[next] == 0)
            continue;
        e->over = o->over;
        p->placed[at] = 1;
        return true;
    }
    mcm_fail(m, HD_MCM_DATA, "operation %" PRIu32 " wrote 0x%" PRIx32 " to 0x%08" PRIx32 ", but no L2 ever got it", e->id,
             e->wval, e->addr);
    mcm_step(m, e, HD_MCM_CO);
    return false;
}

static bool follow_all(struct puts *p)
{
    struct hd_mcm *m = p->m;

    for (size_t k = 0; k < m->put_count; k++)
        if (!follow(p, &m->put[k]))
            return false;
    m->put_count = 0;
    for (size_t k = 0; k < m->waiting.count; k++) {
        const struct group *g = &m->group[m->waiting.at[k]];
        for (uint32_t i = g->first + g->count; i-- > g->first;)
            if (global_write(&m->record[i]) && p->placed[i] == 0 && !follow_lane(p, i))
                return false;
    }
    return true;
}

bool mcm_puts_follow(struct hd_mcm *m)
{
    struct puts p = {.m = m, .placed = calloc(m->records + 1, 1)};
    bool room = p.placed != NULL;

    for (size_t k = 0; room && k < m->waiting.count; k++) {
        const struct group *g = &m->group[m->waiting.at[k]];
        for (uint32_t i = g->first; room && i < g->first + g->count; i++)
            if (global_write(&m->record[i]) && (room = hd_map_reserve(&p.at, 1)))
                hd_map_set(&p.at, m->record[i].id, i);
    }
    bool good = room ? follow_all(&p) : mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
    hd_map_fini(&p.at);
    free(p.placed);
    return good;
}

bool mcm_puts_add(struct hd_mcm *m, const struct hd_event *e)
{
    if (m->put_count == m->put_room) {
        size_t room = 2 * m->put_room + 1024;
        struct hd_event *big = realloc(m->put, room * sizeof *big);
        if (big == NULL)
            return mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
        m->put = big;
        m->put_room = room;
    }
    m->put[m->put_count++] = *e;
    return true;
}
