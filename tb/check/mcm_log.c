/* mcm_log.c - see mcm_parts.h: the records, kept in groups until they are judged for good, and the checks of the log:
 * every record once, valid, ids and program order in order. */
#include "hd_pkg.h"
#include "mcm_parts.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SPARE = 32768 }; /* records */

bool mcm_list_room(struct hd_mcm *m, struct list *l, size_t more)
{
    if (l->count + more <= l->room)
        return true;
    size_t room = l->count + more + l->room / 2 + 256;
    uint32_t *big = realloc(l->at, room * sizeof *big);
    if (big == NULL)
        return mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
    l->at = big;
    l->room = room;
    return true;
}

/* ---- sets of numbers -------------------------------------------------------------------------------------------- */

/* The bits of [low, high] in word @w. */
static uint64_t bits_of(uint64_t w, uint64_t low, uint64_t high)
{
    uint64_t bits = UINT64_MAX;

    if (w == low / 64)
        bits &= UINT64_MAX << low % 64;
    if (w == high / 64)
        bits &= UINT64_MAX >> (63 - high % 64);
    return bits;
}

bool mcm_seen_all(const struct seen *s, uint64_t low, uint64_t high)
{
    if (high / 64 < s->base)
        return true;
    if (high / 64 >= s->base + s->words)
        return false;
    for (uint64_t w = low / 64 > s->base ? low / 64 : s->base; w <= high / 64; w++)
        if ((~s->bits[w - s->base] & bits_of(w, low, high)) != 0)
            return false;
    return true;
}

static bool seen_none(const struct seen *s, uint64_t low, uint64_t high)
{
    if (low / 64 < s->base)
        return false;
    for (uint64_t w = low / 64; w <= high / 64 && w < s->base + s->words; w++)
        if ((s->bits[w - s->base] & bits_of(w, low, high)) != 0)
            return false;
    return true;
}

bool mcm_seen_set(struct hd_mcm *m, struct seen *s, uint64_t low, uint64_t high)
{
    if (high / 64 >= s->base + s->words) {
        size_t full = 0;
        while (full < s->words && s->bits[full] == UINT64_MAX)
            full++;
        if (full > 0)
            memmove(s->bits, s->bits + full, (s->words - full) * sizeof *s->bits);
        s->base += full;
        size_t words = high / 64 - s->base + 64;
        uint64_t *big = realloc(s->bits, words * sizeof *big);
        if (big == NULL)
            return mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
        memset(big + (s->words - full), 0, (words - (s->words - full)) * sizeof *big);
        s->bits = big;
        s->words = words;
    }
    for (uint64_t w = low / 64; w <= high / 64; w++)
        s->bits[w - s->base] |= bits_of(w, low, high);
    s->count += high - low + 1;
    s->most = high + 1 > s->most ? high + 1 : s->most;
    return true;
}

bool mcm_was_seen(const struct hd_mcm *m, uint32_t id)
{
    uint64_t n = (id - 1) / m->o.sms;

    return mcm_seen_all(&m->seen[(id - 1) % m->o.sms], n, n);
}

/* At the end: no id below the last (or below @issued) may be missing. */
bool mcm_log_missing(struct hd_mcm *m, const uint32_t *issued)
{
    for (unsigned i = 0; i < m->o.sms; i++) {
        const struct seen *s = &m->seen[i];
        uint64_t want = issued != NULL ? issued[i] : s->most;
        if (s->count == want && s->most == want)
            continue;
        uint64_t n = 0;
        while (n < s->most && mcm_was_seen(m, (uint32_t)(n * m->o.sms + i + 1)))
            n++;
        return mcm_fail(m, HD_MCM_LOG, "the log of SM %u has %" PRIu64 " records of %" PRIu64 "; the first missing one "
                        "is that of operation %" PRIu64, i, s->count, want, n * m->o.sms + i + 1);
    }
    return true;
}

/* ---- adding: groups --------------------------------------------------------------------------------------------- */

/* Takes the first group off the records at @e. */
static struct group make_group(const struct hd_mcm *m, const struct hd_event *e, size_t n)
{
    size_t fields = offsetof(struct hd_event, kind), count = 1;
    const struct hd_event *f = e;
    unsigned lane = f->tid & 0xff, sm = f->tid >> 16;
    bool access = f->kind == HD_EVK_LD || f->kind == HD_EVK_ST || f->kind == HD_EVK_RMW;
    struct group g = {.line = mcm_line_of(f), .warp = f->tid >> 8, .po = f->po, .t_issue = f->t_issue,
                      .t_done = f->t_done, .block = f->block, .number = (f->id - 1) / m->o.sms,
                      .dep_low = f->dep, .dep_high = f->dep, .next = NONE, .kind = f->kind,
                      .order = f->scope != HD_SCOPE_WI ? (uint8_t)order_of(f) : HD_ORD_RELAXED,
                      .dense = true, .dense_dep = true};

    g.odd = f->id == 0 || sm >= m->o.sms || (f->id - 1) % m->o.sms != sm || (f->tid >> 8 & 0xff) >= 64
            || lane >= LANES || f->kind >= HD_EVK_NUM || f->t_done < f->t_issue || mcm_far_lds(f);
    g.lanes = g.odd ? 0 : (hd_mask_t)1 << lane;
    uint32_t low_bits = f->addr, last_dep = f->dep;
    if (f->dep != 0 && (f->dep - 1) % m->o.sms != sm)
        g.dense_dep = false;
    for (const struct hd_event *p = e + 1; access && !g.odd && count < n; count++, p++) {
        unsigned l = p->tid & 0xff;
        if (p->tid >> 8 != g.warp || p->po != g.po || p->t_issue != g.t_issue || p->t_done != g.t_done
            || p->addr >> 7 != f->addr >> 7 || p->block != g.block || l <= lane || l >= LANES
            || memcmp((const char *)p + fields, (const char *)e + fields, 4) != 0)
            break;
        lane = l;
        g.lanes |= (hd_mask_t)1 << l;
        g.dense &= p->id - p[-1].id == m->o.sms;
        low_bits |= p->addr;
        if (p->dep != last_dep) {
            g.dense_dep &= p->dep - last_dep == m->o.sms && last_dep != 0 && p->dep != 0;
            last_dep = p->dep;
            g.dep_high = p->dep;
        }
    }
    g.odd |= low_bits % 4 != 0;
    g.count = (uint32_t)count;
    if (!access)
        g.lanes = ~(hd_mask_t)0;
    return g;
}

/* Moves the records that are still needed to an array of their own. */
static bool move_records(struct hd_mcm *m, size_t more)
{
    size_t room = 2 * m->records_kept + more + SPARE, used = 0;
    struct hd_event *fresh = malloc(room * sizeof *fresh);
    const struct list *const lists[] = {&m->waiting, &m->placed, &m->window};

    if (fresh == NULL)
        return mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++)
        for (size_t i = lists[k] == &m->window ? m->window_head : 0; i < lists[k]->count; i++) {
            struct group *g = &m->group[lists[k]->at[i]];
            memcpy(fresh + used, m->record + g->first, g->count * sizeof *fresh);
            g->first = (uint32_t)used;
            used += g->count;
        }
    free(m->record);
    m->record = fresh;
    m->records = used;
    m->record_room = room;
    return true;
}

static bool add_records(struct hd_mcm *m, const struct hd_event *e, size_t n)
{
    if (m->records + n > m->record_room && !move_records(m, n))
        return false;
    if (n > 0)
        memcpy(m->record + m->records, e, n * sizeof *e);
    for (size_t k = 0; k < n && m->o.model == HD_MCM_ENV; k++) { /* it knows one scope */
        struct hd_event *mine = &m->record[m->records + k];
        mine->scope = mine->scope != HD_SCOPE_WI ? HD_SCOPE_DEVICE : HD_SCOPE_WI;
    }
    for (size_t k = 0; k < n;) {
        if (!mcm_pool_room(&m->groups, sizeof *m->group, 1))
            return mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
        m->group = m->groups.at;
        if (!mcm_list_room(m, &m->waiting, 1))
            return false;
        uint32_t i = mcm_pool_take(&m->groups, sizeof *m->group);
        struct group *g = &m->group[i];
        *g = make_group(m, m->record + m->records + k, n - k);
        g->first = (uint32_t)(m->records + k);
        uint32_t last = m->record[g->first + g->count - 1].tid % LANES;
        m->most_lanes = last < m->most_lanes ? m->most_lanes : last + 1;
        g->serial = m->group_serial++;
        m->waiting.at[m->waiting.count++] = i;
        k += g->count;
    }
    m->records += n;
    m->records_kept += n;
    return true;
}

bool mcm_log_add(struct hd_mcm *m, const struct hd_event *e, size_t n)
{
    for (size_t k = 0, end; k < n; k = end) {
        for (end = k; end < n && e[end].kind != HD_EVK_PUT; end++)
            continue;
        if ((end > k && !add_records(m, e + k, end - k)) || (end < n && !mcm_puts_add(m, &e[end++])))
            return false;
    }
    return true;
}

void mcm_log_drop(struct hd_mcm *m, uint32_t i)
{
    m->records_kept -= m->group[i].count;
    mcm_pool_give(&m->groups, sizeof *m->group, i);
}

/* ---- placing: the checks ---------------------------------------------------------------------------------------- */

static bool refuse_record(struct hd_mcm *m, const struct hd_event *e, const char *why)
{
    mcm_fail(m, HD_MCM_LOG, "record of operation %" PRIu32 ": %s", e->id, why);
    mcm_step(m, e, HD_MCM_PO);
    return false;
}

static bool check_record(struct hd_mcm *m, const struct hd_event *e)
{
    unsigned sm = e->tid >> 16;
    const char *why = NULL;

    if (e->id == 0 || sm >= m->o.sms || (e->id - 1) % m->o.sms != sm)
        why = "the id is not one of its SM";
    else if ((e->tid >> 8 & 0xff) >= 64 || (e->tid & 0xff) >= LANES)
        why = "no such warp or lane";
    else if (e->kind >= HD_EVK_NUM)
        why = "no such kind";
    else if (mcm_far_lds(e))
        why = "no local data share has that address";
    else if (e->t_done < e->t_issue)
        why = "it is done before it is issued";
    else if (e->addr % 4 != 0)
        why = "the address is not that of a word";
    else if (e->dep != 0 && !mcm_was_seen(m, e->dep))
        why = "it depends on an operation that is not there";
    return why == NULL || refuse_record(m, e, why);
}

/* @return the number the lane's next instruction must reach, NULL after a verdict. */
static uint32_t *lanes_of(struct hd_mcm *m, uint32_t warp)
{
    uint32_t **sm = &m->lane_po[warp >> 8];

    if (*sm == NULL && (*sm = calloc(LANES_SM, sizeof **sm)) == NULL) {
        mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
        return NULL;
    }
    return *sm + (warp & 63) * LANES;
}

static bool check_each(struct hd_mcm *m, const struct hd_event *e, size_t n)
{
    for (const struct hd_event *end = e + n; e < end; e++) {
        if (!check_record(m, e))
            return false;
        if (mcm_was_seen(m, e->id)) {
            mcm_fail(m, HD_MCM_LOG, "the log has operation %" PRIu32 " twice", e->id);
            mcm_step(m, e, HD_MCM_PO);
            return false;
        }
        uint64_t number = (e->id - 1) / m->o.sms;
        uint32_t *po = lanes_of(m, e->tid >> 8);
        if (po == NULL || !mcm_seen_set(m, &m->seen[e->tid >> 16], number, number))
            return false;
        if (e->po < po[e->tid & (LANES - 1)])
            return refuse_record(m, e, "it comes behind a later instruction of its lane, or there are two");
        po[e->tid & (LANES - 1)] = e->po + 1;
    }
    return true;
}

static bool check_group(struct hd_mcm *m, const struct group *g)
{
    const struct hd_event *e = &m->record[g->first];
    struct seen *s = &m->seen[(g->warp >> 8) % HD_MAX_SMS];
    uint32_t late = 0, *po;

    if (g->odd || !g->dense || !g->dense_dep || !seen_none(s, g->number, g->number + g->count - 1)
        || (g->dep_low != 0
            && !mcm_seen_all(s, (g->dep_low - 1) / m->o.sms, (g->dep_high - 1) / m->o.sms)))
        return check_each(m, e, g->count);
    if ((po = lanes_of(m, g->warp)) == NULL)
        return false;
    for (uint32_t k = 0; k < g->count; k++)
        late |= g->po < po[e[k].tid & (LANES - 1)];
    if (late)
        return check_each(m, e, g->count);
    for (uint32_t k = 0; k < g->count; k++)
        po[e[k].tid & (LANES - 1)] = g->po + 1;
    return mcm_seen_set(m, s, g->number, g->number + g->count - 1);
}

/* Lanes of one store on one word: the last lane's word stays, each overwrote the one before. All have told the
 * word that was there before the instruction. */
static void chain_lanes(struct hd_event **e, size_t n)
{
    uint32_t told[LANES];
    uint8_t slot[2 * LANES] = {0}; /* hash table: lane + 1 */

    for (size_t k = 0; k < n; k++) {
        unsigned h = (e[k]->addr >> 2) * UINT32_C(0x9E3779B1) >> 25;
        while (slot[h] != 0 && e[slot[h] - 1]->addr != e[k]->addr)
            h = (h + 1) & (2 * LANES - 1);
        told[k] = e[k]->over;
        if (slot[h] != 0 && told[slot[h] - 1] == told[k])
            e[k]->over = e[slot[h] - 1]->id;
        slot[h] = (uint8_t)(k + 1);
    }
}

/* The groups [@first, @end) of m->fresh are those of one instruction. */
static void chain_instruction(struct hd_mcm *m, size_t first, size_t end)
{
    struct hd_event *e[LANES];
    uint64_t words = 0;
    uint32_t n = 0;
    bool one_line = false;

    for (size_t k = first; k < end; k++) {
        const struct group *g = &m->group[m->fresh.at[k]];
        if (g->kind != HD_EVK_ST || n + g->count > LANES)
            return;
        for (size_t j = first; j < k; j++)
            one_line |= m->group[m->fresh.at[j]].line == g->line;
        for (uint32_t r = 0; r < g->count; r++)
            e[n++] = &m->record[g->first + r];
    }
    if (!one_line && end - first == 1) {
        for (uint32_t k = 0; k < n; k++)
            words |= UINT64_C(1) << (e[k]->addr >> 2) % 64;
        if ((uint32_t)__builtin_popcountll(words) == n)
            return;
    }
    for (uint32_t k = 1; k < n; k++) /* by lane: mostly they are */
        for (uint32_t j = k; j > 0 && e[j - 1]->tid > e[j]->tid; j--) {
            struct hd_event *t = e[j];
            e[j] = e[j - 1];
            e[j - 1] = t;
        }
    chain_lanes(e, n);
}

struct placing {
    uint64_t place;
    uint32_t serial, group;
};

static int compare_place(const void *x, const void *y)
{
    const struct placing *a = x, *b = y;

    return a->place != b->place ? (a->place < b->place ? -1 : 1) : a->serial < b->serial ? -1 : 1;
}

bool mcm_sort_groups(struct hd_mcm *m, struct list *l, bool turn)
{
    struct placing *p = l->count > 1 ? malloc(l->count * sizeof *p) : NULL;

    if (l->count <= 1)
        return true;
    if (p == NULL)
        return mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
    for (size_t k = 0; k < l->count; k++) {
        const struct group *g = &m->group[l->at[k]];
        uint64_t lane = m->record[g->first].tid & 0xff;
        uint64_t place = turn ? g->turn : (uint64_t)g->warp << 40 | (uint64_t)g->po << 8 | lane;
        p[k] = (struct placing){place, g->serial, l->at[k]};
    }
    qsort(p, l->count, sizeof *p, compare_place);
    for (size_t k = 0; k < l->count; k++)
        l->at[k] = p[k].group;
    free(p);
    return true;
}

bool mcm_log_place(struct hd_mcm *m, uint64_t watermark)
{
    size_t kept = 0;

    if (!mcm_list_room(m, &m->fresh, m->waiting.count))
        return false;
    for (size_t k = 0; k < m->waiting.count; k++) {
        uint32_t i = m->waiting.at[k];
        struct list *to = m->group[i].t_issue < watermark ? &m->fresh : &m->waiting;
        to->at[to == &m->fresh ? m->fresh.count++ : kept++] = i;
    }
    m->waiting.count = kept;
    if (!mcm_sort_groups(m, &m->fresh, false)) /* program order, and lanes of an instruction side by side */
        return false;
    for (size_t k = 0; k < m->fresh.count; k++)
        m->group[m->fresh.at[k]].turn = m->group_turn++;
    for (size_t k = 0, end; k < m->fresh.count; k = end) {
        const struct group *g = &m->group[m->fresh.at[k]];
        for (end = k; end < m->fresh.count; end++) {
            const struct group *h = &m->group[m->fresh.at[end]];
            if (h->po != g->po || h->warp != g->warp)
                break;
            if (!check_group(m, h))
                return false;
            m->stats.events += h->count;
        }
        if (g->kind == HD_EVK_ST)
            chain_instruction(m, k, end);
    }
    return true;
}

void mcm_log_free(struct hd_mcm *m)
{
    struct list *const lists[] = {&m->waiting, &m->placed, &m->fresh, &m->window};

    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++)
        free(lists[k]->at);
    for (unsigned i = 0; i < HD_MAX_SMS; i++) {
        free(m->lane_po[i]);
        free(m->seen[i].bits);
        free(m->judged[i].bits);
    }
    free(m->groups.at);
    free(m->record);
}

size_t mcm_log_bytes(const struct hd_mcm *m)
{
    size_t bytes = m->record_room * sizeof *m->record + m->groups.room * sizeof *m->group
                   + (m->waiting.room + m->placed.room + m->fresh.room + m->window.room) * sizeof(uint32_t);

    for (unsigned i = 0; i < HD_MAX_SMS; i++)
        bytes += (m->lane_po[i] != NULL ? LANES_SM * sizeof(uint32_t) : 0)
                 + (m->seen[i].words + m->judged[i].words) * sizeof(uint64_t);
    return bytes;
}
