/* mcm.c - see mcm.h and mcm_parts.h: set-up, checks of the log, streaming, verdicts. */
#include "hd_pkg.h"
#include "mcm_parts.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { SEARCH_AT = 4096 };

static const char *const model_names[HD_MCM_MODELS] = {"rmo", "tso", "sc", "drf", "hrf-direct", "hrf-indirect",
                                                         "env", "env-indirect"};

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

enum hd_mcm_model hd_mcm_of_order(unsigned order)
{
    static const enum hd_mcm_model promise[] = {
        [HD_MODEL_RMO] = HD_MCM_RMO,    [HD_MODEL_TSO] = HD_MCM_TSO,  [HD_MODEL_SC] = HD_MCM_SC,
        [HD_MODEL_TSO_SB] = HD_MCM_TSO, [HD_MODEL_SC_PF] = HD_MCM_SC, [HD_MODEL_TYPE] = HD_MCM_SC,
        [HD_MODEL_DRF] = HD_MCM_ENV,    [HD_MODEL_HRF] = HD_MCM_ENV_INDIRECT,
    };
    return promise[order];
}

struct hd_mcm_options hd_mcm_options_of(const struct hd_evlog_info *info)
{
    return (struct hd_mcm_options){.model = (enum hd_mcm_model)info->model,
                                   .sms = info->sms,
                                   .single_writer = info->protocol == HD_FAMILY_MESI
                                                    || info->protocol == HD_FAMILY_VI,
                                   .puts = info->protocol == HD_FAMILY_GPU || info->protocol == HD_FAMILY_DENOVO,
                                   .owns = info->protocol == HD_FAMILY_DENOVO};
}

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
        [HD_MCM_ENV] = {3, {G_ENV, G_THIN, G_FENCE}}, /* the first one's order is that of the clocks */
        [HD_MCM_ENV_INDIRECT] = {4, {G_ENV, G_THIN, G_FENCE, G_FENCE_WG}},
    };
    struct hd_mcm *m = o->sms >= 1 && o->sms <= HD_MAX_SMS ? calloc(1, sizeof *m) : NULL;

    if (m == NULL)
        return NULL;
    m->o = *o;
    m->graphs = graphs[o->model].n;
    memcpy(m->kind, graphs[o->model].kind, sizeof m->kind);
    m->all = (uint8_t)((1u << m->graphs) - 1);
    m->witness = o->model < HD_MCM_DRF && o->single_writer;
    m->by_graph = !m->witness;
    static const enum hd_mcm_model order[HD_MCM_MODELS] = {
        [HD_MCM_DRF] = HD_MCM_DRF, [HD_MCM_HRF_DIRECT] = HD_MCM_HRF_DIRECT, [HD_MCM_HRF_INDIRECT] = HD_MCM_HRF_INDIRECT,
        [HD_MCM_ENV] = HD_MCM_DRF, [HD_MCM_ENV_INDIRECT] = HD_MCM_HRF_INDIRECT,
    };
    if ((o->model >= HD_MCM_DRF && (m->races = mcm_races_new(order[o->model], o->sms, o->model < HD_MCM_ENV)) == NULL)
        || (o->model >= HD_MCM_ENV && (m->env = mcm_env_new()) == NULL)) {
        mcm_races_free(m->races);
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
    for (unsigned i = 0; i < HD_MAX_SMS; i++)
        free(m->lane[i]);
    mcm_log_free(m);
    mcm_witness_free(m);
    free(m->unlinked);
    free(m->unfinal);
    free(m->ready);
    free(m->stack);
    mcm_races_free(m->races);
    mcm_env_free(m->env);
    free(m->heap);
    free(m->put);
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

/* ---- placing in the graphs -------------------------------------------------------------------------------------- */

uint32_t mcm_word(struct hd_mcm *m, uint64_t key)
{
    uint32_t i = hd_map_get(&m->places, key);

    if (i != NONE)
        return i;
    uint32_t w = mcm_pool_take(&m->writes, sizeof *m->write);
    i = mcm_pool_take(&m->words, sizeof *m->word);
    m->write[w] = (struct write){.word = i, .tid = NONE, .block = NONE, .addr = (uint32_t)key, .prev = NONE,
                                 .next = NONE, .node = NONE, .instance = NONE, .early = NONE, .later = UINT32_MAX, .linked = true, .final = true};
    uint32_t at = mcm_table_at(&m->table, key, false);
    const struct piece *p = at != NONE ? &m->table.piece[at / 16] : NULL;
    if (p != NULL && (p->known >> at % 16 & 1) != 0) {
        struct write *first = &m->write[w];
        first->valued = true;
        first->id = p->id[at % 16];
        first->wval = p->val[at % 16];
        if (first->id != 0) {
            const struct writer *by = &m->table.writer[p->writers * 16 + at % 16];
            first->tid = by->tid & 0xffffff;
            first->kind = (uint8_t)(by->tid >> 24);
            first->po = by->po;
            first->block = by->block;
            first->t_issue = by->t_issue;
            first->t_done = first->known = by->t_done;
            hd_map_set(&m->ops, first->id, w);
        }
    } else
        m->graph_words++;
    m->word[i] = (struct word){.key = key, .first = w, .last = w};
    for (unsigned g = 0; g < MAX_GRAPHS; g++)
        m->word[i].open[g] = NONE;
    hd_map_set(&m->places, key, i);
    return i;
}

static bool graph_place(struct hd_mcm *m, const struct hd_event *e)
{
    if (!mcm_room(m))
        return mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
    m->stats.by_graph++;
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
    n->word = mcm_word(m, word_key(e));
    n->instance = m->env != NULL ? mcm_env_instance(m, e) : NONE;
    uint32_t at = i | NODE_BIT;
    if (writes(e)) {
        at = n->write = mcm_pool_take(&m->writes, sizeof *m->write);
        m->write[at] = (struct write){.id = e->id, .tid = e->tid, .po = e->po, .block = e->block, .addr = e->addr,
                                      .wval = e->wval, .t_issue = e->t_issue, .t_done = e->t_done, .word = n->word,
                                      .prev = NONE, .next = NONE, .node = i, .known = e->t_done,
                                      .instance = n->instance, .early = NONE,
                                      .later = UINT32_MAX, .kind = e->kind, .valued = true};
    }
    hd_map_set(&m->ops, e->id, at);
    mcm_order_access(m, i);
    m->unlinked[m->unlinked_count++] = i;
    m->unfinal[m->unfinal_count++] = i;
    return true;
}

bool mcm_graph_place(struct hd_mcm *m, const struct group *g)
{
    struct lane **lanes = &m->lane[g->warp >> 8];

    if (*lanes == NULL && (*lanes = calloc(LANES_SM, sizeof **lanes)) == NULL)
        return mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
    for (uint32_t k = 0; k < g->count; k++)
        if (!graph_place(m, &m->record[g->first + k]))
            return false;
    return true;
}

/* ---- streaming -------------------------------------------------------------------------------------------------- */

bool hd_mcm_add(struct hd_mcm *m, const struct hd_event *e, size_t n)
{
    return m->violation.kind == HD_MCM_ALLOWED && mcm_log_add(m, e, n);
}

/* The graphs judge what is fresh. */
static bool judge_by_graph(struct hd_mcm *m)
{
    for (size_t k = 0; k < m->fresh.count; k++)
        if (!mcm_graph_place(m, &m->group[m->fresh.at[k]]))
            return false;
    if (!mcm_link_what_can_be(m) || !mcm_make_all_final(m, m->watermark) || !mcm_drain(m) || !mcm_witness_note(m))
        return false;
    if (m->stats.live - m->unfinal_count > SEARCH_AT && m->stats.live > 2 * m->undrained_last) {
        m->undrained_last = m->stats.live;
        if (mcm_find_cycle(m))
            return false;
    }
    m->stay -= m->stay > 0;
    return !m->witness || m->stay > 0 || m->final_live > 0 || mcm_witness_resume(m);
}

static bool judge(struct hd_mcm *m)
{
    bool explained;

    if (m->by_graph)
        return judge_by_graph(m);
    if (!mcm_witness_judge(m, &explained))
        return false;
    m->stays -= m->stays > 0;
    return explained || (mcm_witness_give_up(m) && judge_by_graph(m));
}

/* Judges all that remains for races: a program that has one was promised nothing. */
static void look_for_excuse(struct hd_mcm *m)
{
    if (m->races != NULL && m->env == NULL && (m->violation.kind == HD_MCM_STALE || m->violation.kind == HD_MCM_CYCLE))
        mcm_races_rest(m);
}

bool hd_mcm_advance(struct hd_mcm *m, uint64_t watermark)
{
    if (m->violation.kind != HD_MCM_ALLOWED)
        return false;
    if (watermark < m->watermark || (!m->o.single_writer && !m->draining))
        return true;
    m->watermark = watermark;
    if ((m->o.puts && !(m->o.owns ? mcm_owns_follow(m) : mcm_puts_follow(m))) || !mcm_log_place(m, watermark) || !judge(m))
        look_for_excuse(m);
    size_t live = m->by_graph ? m->stats.live : m->records_kept;
    if (live > m->stats.live_most)
        m->stats.live_most = live;
    return m->violation.kind == HD_MCM_ALLOWED;
}

bool hd_mcm_epoch(struct hd_mcm *m, uint64_t watermark)
{
    m->draining = true;
    bool good = hd_mcm_advance(m, watermark);
    m->draining = false;
    if (good && m->races != NULL)
        mcm_races_epoch(m->races);
    if (good && m->env != NULL) {
        mcm_env_epoch(m);
        mcm_sweep_writes(m);
    }
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
    if (!good || !mcm_log_missing(m, issued))
        return false;
    if (m->stats.live > 0)
        return mcm_fail(m, HD_MCM_LOG, "%zu operations are left and no cycle is among them", m->stats.live);
    return m->late[0] == '\0' || mcm_fail(m, HD_MCM_LOG, "%s", m->late);
}

/* Compares the last write of a word, @id, with memory. */
static bool check_image(struct hd_mcm *m, uint64_t key, uint32_t id, uint32_t value, uint32_t is)
{
    return value == is
           || mcm_fail(m, HD_MCM_DATA, "memory holds 0x%" PRIx32 " at 0x%08" PRIx32 " in the end; the last write there, "
                       "operation %" PRIu32 ", wrote 0x%" PRIx32, is, (uint32_t)key, id, value);
}

bool hd_mcm_image(struct hd_mcm *m, uint32_t (*peek)(void *ctx, uint32_t addr), void *ctx)
{
    const struct table *t = &m->table;

    for (size_t i = 0; i < m->words.used && m->violation.kind == HD_MCM_ALLOWED; i++) {
        const struct word *word = &m->word[i];
        const struct write *w = &m->write[word->last];
        if (word->key >> 40 != 0 || !w->valued
            || check_image(m, word->key, w->id, w->wval, peek(ctx, (uint32_t)word->key)) || w->id == 0)
            continue;
        struct hd_event e = mcm_event_of(w);
        mcm_step(m, &e, HD_MCM_CO);
    }
    for (uint32_t at = 0; at < t->pieces.used * 16 && m->violation.kind == HD_MCM_ALLOWED; at++) {
        const struct piece *p = &t->piece[at / 16];
        uint64_t key = mcm_table_key(t, at);
        if ((p->known >> at % 16 & 1) == 0 || key >> 40 != 0 || hd_map_get(&m->places, key) != NONE
            || check_image(m, key, p->id[at % 16], p->val[at % 16], peek(ctx, (uint32_t)key)) || p->id[at % 16] == 0)
            continue;
        uint32_t word = mcm_room(m) ? mcm_word(m, key) : NONE;
        if (word == NONE)
            continue;
        struct hd_event e = mcm_event_of(&m->write[m->word[word].last]);
        mcm_step(m, &e, HD_MCM_CO);
    }
    return m->violation.kind == HD_MCM_ALLOWED;
}

void hd_mcm_graphs_only(struct hd_mcm *m)
{
    m->witness = false;
    m->by_graph = true;
}

void hd_mcm_stats(const struct hd_mcm *m, struct hd_mcm_stats *s)
{
    *s = m->stats;
    s->words = m->graph_words + (size_t)m->table.words;
    if (!m->by_graph)
        s->live = m->records_kept;
    s->bytes = sizeof *m + m->nodes.room * sizeof *m->node + m->edges.room * sizeof *m->edge
               + m->writes.room * sizeof *m->write + m->words.room * sizeof *m->word
               + m->chains.room * sizeof *m->chain + m->list_room * sizeof *m->ready * (3 + MAX_GRAPHS)
               + mcm_log_bytes(m) + mcm_witness_bytes(m);
    const struct hd_map *const maps[] = {&m->ops, &m->places, &m->latest, &m->blocks};
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
        s->bytes += maps[i]->key != NULL ? (maps[i]->mask + 1) * 12 : 0;
    for (unsigned i = 0; i < HD_MAX_SMS; i++)
        s->bytes += m->lane[i] != NULL ? LANES_SM * sizeof **m->lane : 0;
    if (m->races != NULL)
        s->bytes += mcm_races_bytes(m->races);
    if (m->env != NULL)
        s->bytes += mcm_env_bytes(m->env) + m->list_room * sizeof *m->heap;
    s->bytes += m->put_room * sizeof *m->put;
}
