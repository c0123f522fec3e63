/* mcm.c - see mcm.h and mcm_parts.h: set-up, checks of the log, streaming, verdicts. */
#include "mcm_parts.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SMS = 32, SEARCH_AT = 4096 };

static const char *const model_names[HD_MCM_MODELS] = {"rmo", "tso", "sc", "drf", "hrf-direct", "hrf-indirect"};

const char *hd_mcm_name(enum hd_mcm_model model)
{
    return model_names[model];
}

enum hd_mcm_model hd_mcm_find(const char *name)
{
    unsigned i = 0;

    while (i < HD_MCM_MODELS && strcmp(name, model_names[i]) != 0)
        i++;
    return (enum hd_mcm_model)i;
}

/* ---- set-up ----------------------------------------------------------------------------------------------------- */

struct hd_mcm *hd_mcm_new(const struct hd_mcm_options *o)
{
    static const struct {
        unsigned n;
        enum graph_kind kind[MAX_GRAPHS];
    } graphs[HD_MCM_MODELS] = {
        [HD_MCM_RMO] = {4, {G_RMO, G_RMO_WG, G_COH, G_THIN}},
        [HD_MCM_TSO] = {2, {G_TSO, G_COH}},
        [HD_MCM_SC] = {1, {G_SC}},
        [HD_MCM_DRF] = {1, {G_WARP}},
        [HD_MCM_HRF_DIRECT] = {1, {G_WARP}},
        [HD_MCM_HRF_INDIRECT] = {1, {G_WARP}},
    };
    struct hd_mcm *m = o->sms >= 1 && o->sms <= MAX_SMS ? calloc(1, sizeof *m) : NULL;

    if (m == NULL)
        return NULL;
    m->o = *o;
    m->graphs = graphs[o->model].n;
    memcpy(m->kind, graphs[o->model].kind, sizeof m->kind);
    m->all = (uint8_t)((1u << m->graphs) - 1);
    if (o->model >= HD_MCM_DRF && (m->races = mcm_races_new(o->model, o->sms)) == NULL) {
        free(m);
        return NULL;
    }
    return m;
}

void hd_mcm_free(struct hd_mcm *m)
{
    if (m == NULL)
        return;
    struct pool *const pools[] = {&m->nodes, &m->edges, &m->writes, &m->words, &m->chains};
    for (size_t i = 0; i < sizeof pools / sizeof pools[0]; i++)
        free(pools[i]->at);
    hd_map_fini(&m->ops);
    hd_map_fini(&m->places);
    hd_map_fini(&m->latest);
    hd_map_fini(&m->blocks);
    for (unsigned i = 0; i < MAX_SMS; i++) {
        free(m->lane[i]);
        free(m->seen[i].bits);
    }
    free(m->pending);
    free(m->batch);
    free(m->unlinked);
    free(m->unfinal);
    free(m->ready);
    free(m->stack);
    mcm_races_free(m->races);
    free(m);
}

/* ---- verdicts --------------------------------------------------------------------------------------------------- */

bool mcm_fail(struct hd_mcm *m, enum hd_mcm_kind kind, const char *format, ...)
{
    if (m->violation.kind != HD_MCM_ALLOWED)
        return false;
    m->violation.kind = kind;
    va_list args;
    va_start(args, format);
    vsnprintf(m->violation.text, sizeof m->violation.text, format, args);
    va_end(args);
    return false;
}

void mcm_step(struct hd_mcm *m, const struct hd_event *e, enum hd_mcm_edge next)
{
    struct hd_mcm_violation *v = &m->violation;

    if (v->length == 0 || e->t_issue < v->first)
        v->first = e->t_issue;
    if (v->length == 0 || e->t_done > v->last)
        v->last = e->t_done;
    if (v->steps < HD_MCM_STEPS)
        v->step[v->steps++] = (struct hd_mcm_step){*e, next};
    v->length++;
}

const struct hd_mcm_violation *hd_mcm_violation(const struct hd_mcm *m)
{
    return m->violation.kind == HD_MCM_ALLOWED ? NULL : &m->violation;
}

/* ---- the log: every record once --------------------------------------------------------------------------------- */

bool mcm_was_seen(const struct hd_mcm *m, uint32_t id)
{
    const struct seen *s = &m->seen[(id - 1) % m->o.sms];
    size_t n = (id - 1) / m->o.sms;

    return n / 64 < s->base || (n / 64 < s->base + s->words && (s->bits[n / 64 - s->base] >> n % 64 & 1) != 0);
}

/* @return false after a verdict. */
static bool mark_seen(struct hd_mcm *m, const struct hd_event *e)
{
    struct seen *s = &m->seen[(e->id - 1) % m->o.sms];
    size_t n = (e->id - 1) / m->o.sms;

    if (mcm_was_seen(m, e->id)) {
        mcm_fail(m, HD_MCM_LOG, "the log has operation %" PRIu32 " twice", e->id);
        mcm_step(m, e, HD_MCM_PO);
        return false;
    }
    if (n / 64 >= s->base + s->words) {
        size_t full = 0;
        while (full < s->words && s->bits[full] == UINT64_MAX)
            full++;
        if (full > 0)
            memmove(s->bits, s->bits + full, (s->words - full) * sizeof *s->bits);
        s->base += full;
        size_t words = n / 64 - s->base + 64;
        uint64_t *big = realloc(s->bits, words * sizeof *big);
        if (big == NULL)
            return mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
        memset(big + (s->words - full), 0, (words - (s->words - full)) * sizeof *big);
        s->bits = big;
        s->words = words;
    }
    s->bits[n / 64 - s->base] |= UINT64_C(1) << n % 64;
    s->count++;
    s->most = n + 1 > s->most ? n + 1 : s->most;
    return true;
}

/* At the end: no id below the last (or below @issued) may be missing. */
static bool check_seen(struct hd_mcm *m, const uint32_t *issued)
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

/* ---- placing: program order ------------------------------------------------------------------------------------- */

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
    else if (e->t_done < e->t_issue)
        why = "it is done before it is issued";
    else if (e->addr % 4 != 0)
        why = "the address is not that of a word";
    else if (e->dep != 0 && !mcm_was_seen(m, e->dep))
        why = "it depends on an operation that is not there";
    return why == NULL || refuse_record(m, e, why);
}

/* @return the lane's state, NULL after a verdict. */
static struct lane *lane_for(struct hd_mcm *m, const struct hd_event *e)
{
    unsigned sm = e->tid >> 16;

    if (m->lane[sm] == NULL && (m->lane[sm] = calloc(LANES_SM, sizeof **m->lane)) == NULL) {
        mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
        return NULL;
    }
    struct lane *l = &m->lane[sm][(e->tid >> 8 & 63) * LANES + (e->tid & 31)];
    if (l->ran && e->po <= l->po) {
        refuse_record(m, e, "it comes behind a later instruction of its lane, or there are two");
        return NULL;
    }
    l->ran = true;
    l->po = e->po;
    return l;
}

/* @return the word of the access; a new one gets its initial value as first write. */
static uint32_t word_for(struct hd_mcm *m, const struct hd_event *e)
{
    uint64_t key = word_key(e);
    uint32_t i = hd_map_get(&m->places, key);

    if (i != NONE)
        return i;
    uint32_t w = mcm_pool_take(&m->writes, sizeof *m->write);
    i = mcm_pool_take(&m->words, sizeof *m->word);
    m->write[w] = (struct write){.word = i, .tid = NONE, .block = NONE, .addr = e->addr, .prev = NONE, .next = NONE,
                                 .node = NONE, .later = UINT32_MAX, .linked = true, .final = true};
    m->word[i] = (struct word){.key = key, .first = w, .last = w};
    for (unsigned g = 0; g < MAX_GRAPHS; g++)
        m->word[i].open[g] = NONE;
    hd_map_set(&m->places, key, i);
    return i;
}

static bool place(struct hd_mcm *m, const struct hd_event *e)
{
    if (!check_record(m, e) || !mark_seen(m, e) || lane_for(m, e) == NULL)
        return false;
    if (!mcm_room(m))
        return mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
    m->stats.events++;
    m->stats.relaxed += m->races != NULL && atomic(e) && order_of(e) == 0;
    if (e->kind == HD_EVK_FENCE) {
        mcm_order_fence(m, e);
        return true;
    }
    if (e->kind == HD_EVK_BAR) {
        mcm_order_barrier(m, e);
        return true;
    }
    uint32_t i = mcm_node(m, e, m->all);
    struct node *n = &m->node[i];
    n->word = word_for(m, e);
    uint32_t at = i | NODE_BIT;
    if (writes(e)) {
        at = n->write = mcm_pool_take(&m->writes, sizeof *m->write);
        m->write[at] = (struct write){.id = e->id, .tid = e->tid, .po = e->po, .block = e->block, .addr = e->addr,
                                      .wval = e->wval, .t_issue = e->t_issue, .t_done = e->t_done, .word = n->word,
                                      .prev = NONE, .next = NONE, .node = i, .known = e->t_done,
                                      .later = UINT32_MAX, .kind = e->kind, .valued = true};
    }
    hd_map_set(&m->ops, e->id, at);
    mcm_order_access(m, i);
    m->unlinked[m->unlinked_count++] = i;
    m->unfinal[m->unfinal_count++] = i;
    return true;
}

/* ---- streaming -------------------------------------------------------------------------------------------------- */

static bool grow(struct hd_mcm *m, struct hd_event **list, size_t *room, size_t want)
{
    if (want <= *room)
        return true;
    size_t more = *room + *room / 2 + 4096;
    if (more < want)
        more = want;
    struct hd_event *big = realloc(*list, more * sizeof *big);
    if (big == NULL)
        return mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
    *list = big;
    *room = more;
    return true;
}

bool hd_mcm_add(struct hd_mcm *m, const struct hd_event *e, size_t n)
{
    if (m->violation.kind != HD_MCM_ALLOWED
        || !grow(m, &m->pending, &m->pending_room, m->pending_count + n))
        return false;
    if (n > 0)
        memcpy(m->pending + m->pending_count, e, n * sizeof *e);
    m->pending_count += n;
    return true;
}

/* Warp, then instruction, then lane: program order, and lanes of an instruction side by side. */
static int compare_place(const void *x, const void *y)
{
    const struct hd_event *a = x, *b = y;
    uint64_t i = (uint64_t)(a->tid >> 8) << 40 | (uint64_t)a->po << 8 | (a->tid & 0xff);
    uint64_t j = (uint64_t)(b->tid >> 8) << 40 | (uint64_t)b->po << 8 | (b->tid & 0xff);

    return i < j ? -1 : i > j ? 1 : a->id < b->id ? -1 : a->id > b->id;
}

/* Lanes of one store on one word: the last lane's word stays, each overwrote the one before. All have told the
 * word that was there before the instruction. */
static void chain_lanes(struct hd_event *e, size_t n)
{
    uint32_t told[LANES];
    uint8_t slot[64] = {0}; /* hash table: lane + 1 */

    for (size_t k = 0; k < n; k++) {
        unsigned h = (e[k].addr >> 2) * UINT32_C(0x9E3779B1) >> 26;
        while (slot[h] != 0 && e[slot[h] - 1].addr != e[k].addr)
            h = (h + 1) & 63;
        told[k] = e[k].over;
        if (slot[h] != 0 && told[slot[h] - 1] == told[k])
            e[k].over = e[slot[h] - 1].id;
        slot[h] = (uint8_t)(k + 1);
    }
}

static bool place_batch(struct hd_mcm *m, uint64_t watermark)
{
    size_t n = 0, kept = 0;

    if (!grow(m, &m->batch, &m->batch_room, m->pending_count))
        return false;
    for (size_t k = 0; k < m->pending_count; k++) {
        if (m->pending[k].t_issue < watermark)
            m->batch[n++] = m->pending[k];
        else
            m->pending[kept++] = m->pending[k];
    }
    m->pending_count = kept;
    qsort(m->batch, n, sizeof *m->batch, compare_place);
    for (size_t k = 0, end; k < n; k = end) {
        const struct hd_event *first = &m->batch[k];
        for (end = k + 1; end < n && m->batch[end].po == first->po && m->batch[end].tid >> 8 == first->tid >> 8;)
            end++;
        if (first->kind == HD_EVK_ST && end - k > 1 && end - k <= LANES)
            chain_lanes(&m->batch[k], end - k);
        for (size_t j = k; j < end; j++)
            if (!place(m, &m->batch[j]))
                return false;
    }
    return true;
}

/* Judges all that remains for races: a program that has one was promised nothing. */
static void look_for_excuse(struct hd_mcm *m)
{
    if (m->races != NULL && (m->violation.kind == HD_MCM_STALE || m->violation.kind == HD_MCM_CYCLE))
        mcm_races_rest(m);
}

bool hd_mcm_advance(struct hd_mcm *m, uint64_t watermark)
{
    if (m->violation.kind != HD_MCM_ALLOWED)
        return false;
    if (watermark < m->watermark || (!m->o.single_writer && !m->draining))
        return true;
    m->watermark = watermark;
    bool good = place_batch(m, watermark) && mcm_link_what_can_be(m) && mcm_make_all_final(m, watermark)
                && mcm_drain(m);
    if (good && m->stats.live - m->unfinal_count > SEARCH_AT && m->stats.live > 2 * m->undrained_last) {
        m->undrained_last = m->stats.live;
        good = !mcm_find_cycle(m);
    }
    if (!good)
        look_for_excuse(m);
    return m->violation.kind == HD_MCM_ALLOWED;
}

bool hd_mcm_epoch(struct hd_mcm *m, uint64_t watermark)
{
    m->draining = true;
    bool good = hd_mcm_advance(m, watermark);
    m->draining = false;
    if (good && m->races != NULL)
        mcm_races_epoch(m->races);
    return good;
}

bool hd_mcm_finish(struct hd_mcm *m, const uint32_t *issued)
{
    if (m->violation.kind != HD_MCM_ALLOWED)
        return false;
    m->draining = true;
    bool good = hd_mcm_advance(m, UINT64_MAX);
    if (good) {
        mcm_order_close(m);
        good = mcm_drain(m);
    }
    if (good && m->stats.live > 0 && mcm_find_cycle(m)) {
        look_for_excuse(m);
        good = false;
    }
    if (!good || !check_seen(m, issued))
        return false;
    if (m->stats.live > 0)
        return mcm_fail(m, HD_MCM_LOG, "%zu operations are left and no cycle is among them", m->stats.live);
    return m->late[0] == '\0' || mcm_fail(m, HD_MCM_LOG, "%s", m->late);
}

bool hd_mcm_image(struct hd_mcm *m, uint32_t (*peek)(void *ctx, uint32_t addr), void *ctx)
{
    for (size_t i = 0; i < m->words.used && m->violation.kind == HD_MCM_ALLOWED; i++) {
        uint32_t last = m->word[i].last;
        const struct write *w = &m->write[last];
        if (m->word[i].key >> 40 != 0 || !w->valued)
            continue;
        uint32_t is = peek(ctx, (uint32_t)m->word[i].key);
        if (is == w->wval)
            continue;
        mcm_fail(m, HD_MCM_DATA, "memory holds 0x%" PRIx32 " at 0x%08" PRIx32 " in the end; the last write there, "
                 "operation %" PRIu32 ", wrote 0x%" PRIx32, is, (uint32_t)m->word[i].key, w->id, w->wval);
        if (w->id != 0) {
            struct hd_event e = mcm_event_of(w);
            mcm_step(m, &e, HD_MCM_CO);
        }
    }
    return m->violation.kind == HD_MCM_ALLOWED;
}

void hd_mcm_stats(const struct hd_mcm *m, struct hd_mcm_stats *s)
{
    *s = m->stats;
    s->words = m->words.used;
    s->bytes = sizeof *m + m->nodes.room * sizeof *m->node + m->edges.room * sizeof *m->edge
               + m->writes.room * sizeof *m->write + m->words.room * sizeof *m->word
               + m->chains.room * sizeof *m->chain + (m->pending_room + m->batch_room) * sizeof *m->batch
               + m->list_room * sizeof *m->ready * (3 + MAX_GRAPHS);
    const struct hd_map *const maps[] = {&m->ops, &m->places, &m->latest, &m->blocks};
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
        s->bytes += maps[i]->key != NULL ? (maps[i]->mask + 1) * 12 : 0;
    for (unsigned i = 0; i < MAX_SMS; i++)
        s->bytes += (m->lane[i] != NULL ? LANES_SM * sizeof **m->lane : 0) + m->seen[i].words * sizeof(uint64_t);
    if (m->races != NULL)
        s->bytes += mcm_races_bytes(m->races);
}
