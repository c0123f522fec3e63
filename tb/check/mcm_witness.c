/* mcm_witness.c - see mcm_parts.h and docs/checker.md: is the order of completion itself an order that explains the
 * execution? Then no graph is needed.
 *
 * Groups are judged in order of completion. Each must read and overwrite what the table has as last write of its
 * words, and nothing its model orders before it may be left unjudged. If that holds, all edges of all graphs go
 * forward in this order. A judged group that completed before everything unjudged was issued (the rest is the
 * window) has no predecessor among the unjudged, and is forgotten.
 *
 * If it does not hold, the writes of the window are taken back and the graphs judge the window and what follows,
 * until all that is final has retired from them. What they know of each word then goes to the table. */
#include "hd_pkg.h"
#include "mcm_parts.h"
#include <stdlib.h>
#include <string.h>

enum { WARPS = HD_MAX_SMS * HD_MAX_WARPS, PIECE = 16, STAY_MOST = 256 };

struct sorted {
    uint64_t key;
    uint32_t serial, group;
};

static bool no_memory(struct hd_mcm *m)
{
    return mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
}

/* ---- program order ---------------------------------------------------------------------------------------------- */

static uint32_t warp_of(const struct group *g)
{
    return (g->warp >> 8) * 64 + (g->warp & 63);
}

/* Adds the group to those of its warp that are placed and not judged. @return false: they are not in order. */
static bool append(struct hd_mcm *m, uint32_t i)
{
    struct group *g = &m->group[i];
    uint32_t last = m->newest[warp_of(g)];

    g->next = NONE;
    if (last == NONE)
        m->oldest[warp_of(g)] = i;
    else
        m->group[last].next = i;
    m->newest[warp_of(g)] = i;
    return last == NONE || m->group[last].po <= g->po;
}

static bool same_word(const struct hd_mcm *m, const struct group *a, const struct group *b)
{
    const struct hd_event *x = &m->record[a->first], *x_end = x + a->count;
    const struct hd_event *y = &m->record[b->first], *y_end = y + b->count;

    while (x < x_end && y < y_end) {
        if (x->tid == y->tid && x->addr == y->addr)
            return true;
        if (x->tid < y->tid)
            x++;
        else
            y++;
    }
    return false;
}

static bool strong(const struct group *g)
{
    return g->order >= HD_ORD_ACQ_REL;
}

/* Two synchronising accesses, the first one a write. */
static bool sync_ordered(const struct group *y, const struct group *z)
{
    return y->order != 0 && z->order != 0 && y->kind != HD_EVK_LD;
}

/* Do edges of mcm_order.c lead from @y to @z, which is behind it in the program of a lane? May say yes too often,
 * never too rarely. Those through other operations are found with them. */
static bool ordered_sc(const struct group *y, const struct group *z)
{
    return y->kind != HD_EVK_FENCE && z->kind != HD_EVK_FENCE;
}

static bool ordered_tso(const struct group *y, const struct group *z)
{
    bool fence = y->kind == HD_EVK_FENCE || z->kind == HD_EVK_FENCE;

    if (fence)
        return (y->kind != HD_EVK_FENCE || strong(y)) && (z->kind != HD_EVK_FENCE || strong(z));
    return y->kind != HD_EVK_ST || z->kind != HD_EVK_LD || sync_ordered(y, z);
}

static bool ordered_rmo(const struct group *y, const struct group *z)
{
    bool acquires = y->order == HD_ORD_ACQUIRE || strong(y), releases = z->order == HD_ORD_RELEASE || strong(z);

    if (y->kind == HD_EVK_BAR || y->kind == HD_EVK_FENCE || (acquires && y->kind != HD_EVK_ST))
        return true;
    if (z->kind == HD_EVK_BAR)
        return false;
    if (z->kind == HD_EVK_FENCE)
        return releases || y->kind != HD_EVK_ST;
    return (releases && z->kind != HD_EVK_LD) || sync_ordered(y, z);
}

static bool may_follow(const struct hd_mcm *m, const struct group *y, const struct group *z)
{
    if ((y->lanes & z->lanes) == 0 || y->po == z->po)
        return true;
    if (m->o.model == HD_MCM_SC ? ordered_sc(y, z) : m->o.model == HD_MCM_TSO ? ordered_tso(y, z) : ordered_rmo(y, z))
        return false;
    return y->kind > HD_EVK_RMW || z->kind > HD_EVK_RMW || y->line != z->line || !same_word(m, y, z);
}

/* Takes the group from its warp's list. @return false: one that must come before it is still there. */
static bool take_in_order(struct hd_mcm *m, uint32_t i)
{
    const struct group *z = &m->group[i];
    uint32_t before = NONE, at = m->oldest[warp_of(z)];

    for (; at != i; before = at, at = m->group[at].next)
        if (!may_follow(m, &m->group[at], z))
            return false;
    if (before == NONE)
        m->oldest[warp_of(z)] = z->next;
    else
        m->group[before].next = z->next;
    if (z->next == NONE)
        m->newest[warp_of(z)] = before;
    return true;
}

/* Have the loads the group depends on been judged? */
static bool dependencies_judged(const struct hd_mcm *m, const struct group *g)
{
    uint32_t sms = m->o.sms;

    if (g->dep_low == 0 && g->dense_dep)
        return true;
    if (g->dense_dep
        && mcm_seen_all(&m->judged[(g->dep_low - 1) % sms], (g->dep_low - 1) / sms, (g->dep_high - 1) / sms))
        return true;
    for (uint32_t k = 0; k < g->count; k++) {
        uint32_t dep = m->record[g->first + k].dep, n = (dep - 1) / sms;
        if (dep != 0 && !mcm_seen_all(&m->judged[(dep - 1) % sms], n, n))
            return false;
    }
    return true;
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

static bool undo_room(struct hd_mcm *m)
{
    if (m->undo_count + LANES <= m->undo_room)
        return true;
    if (m->undo_head > m->undo_count / 2) {
        memmove(m->undo, m->undo + m->undo_head, (m->undo_count - m->undo_head) * sizeof *m->undo);
        m->undo_count -= m->undo_head;
        m->undo_head = 0;
        if (m->undo_count + LANES <= m->undo_room)
            return true;
    }
    size_t room = m->undo_room + m->undo_room / 2 + 1024;
    struct undo *big = realloc(m->undo, room * sizeof *big);
    if (big == NULL)
        return no_memory(m);
    m->undo = big;
    m->undo_room = room;
    return true;
}

static void set_word(struct hd_mcm *m, uint32_t piece, unsigned word, struct writer *writer, const struct hd_event *e)
{
    struct piece *p = &m->table.piece[piece];

    m->undo[m->undo_count++] = (struct undo){.piece = piece, .id = p->id[word], .val = p->val[word],
                                             .word = (uint16_t)word, .known = p->known, .writer = writer[word]};
    m->table.words += (p->known >> word & 1) == 0;
    p->known |= (uint16_t)(1u << word);
    p->id[word] = e->id;
    p->val[word] = e->wval;
    writer[word] = (struct writer){(uint32_t)e->kind << 24 | e->tid, e->po, e->block, e->t_issue, e->t_done};
}

/* Compares the records with the words' last writes and makes theirs the last. @return false: they do not fit. */
static bool access_words(struct hd_mcm *m, const struct group *g)
{
    const struct hd_event *e = &m->record[g->first], *end = e + g->count;
    struct table *t = &m->table;
    struct line_slot *s;
    uint32_t piece[2] = {NONE, NONE}, wrong = 0;
    struct writer *writer[2] = {NULL, NULL};
    bool write = g->kind != HD_EVK_LD;

    if (!mcm_table_room(t, 2) || (s = mcm_table_line(t, g->line, true)) == NULL)
        return no_memory(m);
    if (write && !undo_room(m))
        return false;
    for (const struct hd_event *p = e; p < end; p++) {
        unsigned half = p->addr >> 6 & 1;
        if (piece[half] != NONE)
            continue;
        piece[half] = mcm_table_piece(t, s, half);
        if (write)
            writer[half] = mcm_table_writer(t, piece[half]);
    }
    for (; e < end; e++) {
        unsigned half = e->addr >> 6 & 1, word = e->addr >> 2 & 15;
        struct piece *p = &t->piece[piece[half]];
        if (g->kind != HD_EVK_ST) {
            wrong |= e->src ^ p->id[word];
            if (p->known >> word & 1)
                wrong |= e->rval ^ p->val[word];
            else if (e->src == 0) {
                p->known |= (uint16_t)(1u << word);
                p->val[word] = e->rval;
                t->words++;
            }
        }
        if (write) {
            wrong |= e->over ^ p->id[word];
            set_word(m, piece[half], word, writer[half], e);
        }
    }
    return wrong == 0;
}

/* Takes back the writes of the window, those of a group that did not fit too. */
static void take_back(struct hd_mcm *m)
{
    while (m->undo_count > m->undo_head) {
        const struct undo *u = &m->undo[--m->undo_count];
        struct piece *p = &m->table.piece[u->piece];
        p->id[u->word] = u->id;
        p->val[u->word] = u->val;
        m->table.words -= (p->known & ~u->known) >> u->word & 1;
        p->known &= (uint16_t)(u->known | ~(1u << u->word));
        m->table.writer[p->writers * PIECE + u->word] = u->writer;
    }
    m->undo_count = m->undo_head = 0;
}

/* ---- the order -------------------------------------------------------------------------------------------------- */

static int compare_sorted(const void *x, const void *y)
{
    const struct sorted *a = x, *b = y;

    return a->key != b->key ? (a->key < b->key ? -1 : 1) : a->serial < b->serial ? -1 : 1;
}

/* By completion; what a barrier joins, side by side and behind what completed in its cycle. */
static uint64_t sort_key(const struct group *g)
{
    uint64_t key = (uint64_t)g->t_done << 32;

    if (g->kind == HD_EVK_BAR)
        return key | 1u << 31 | (g->block & 0x7fffffff);
    return key | (g->kind == HD_EVK_FENCE);
}

static bool set_judged(struct hd_mcm *m, const struct group *g)
{
    struct seen *s = &m->judged[(g->warp >> 8) % HD_MAX_SMS];

    if (m->o.model != HD_MCM_RMO)
        return true;
    if (g->dense)
        return mcm_seen_set(m, s, g->number, (uint64_t)g->number + g->count - 1);
    for (uint32_t k = 0; k < g->count; k++) {
        uint32_t n = (m->record[g->first + k].id - 1) / m->o.sms;
        if (!mcm_seen_set(m, s, n, n))
            return false;
    }
    return true;
}

/* @return false: the witness does not explain it, or no memory. */
static bool judge(struct hd_mcm *m, uint32_t i)
{
    struct group *g = &m->group[i];
    size_t undo = m->undo_count - m->undo_head;

    if (g->t_done < m->judged_to || !take_in_order(m, i))
        return false;
    if (m->o.model == HD_MCM_RMO && !dependencies_judged(m, g))
        return false;
    if (g->kind <= HD_EVK_RMW && !access_words(m, g))
        return false;
    g->judged = true;
    g->writes = (uint16_t)(m->undo_count - m->undo_head - undo);
    m->window.at[m->window.count++] = i;
    return set_judged(m, g);
}

/* Forgets what completed before everything unjudged was issued. */
static void shrink_window(struct hd_mcm *m, uint64_t watermark)
{
    uint64_t least = watermark;

    for (size_t k = 0; k < m->placed.count; k++)
        if (m->group[m->placed.at[k]].t_issue < least)
            least = m->group[m->placed.at[k]].t_issue;
    while (m->window_head < m->window.count && m->group[m->window.at[m->window_head]].t_done < least) {
        m->undo_head += m->group[m->window.at[m->window_head]].writes;
        mcm_log_drop(m, m->window.at[m->window_head++]);
    }
    if (m->window_head > m->window.count / 2) {
        m->window.count -= m->window_head;
        memmove(m->window.at, m->window.at + m->window_head, m->window.count * sizeof *m->window.at);
        m->window_head = 0;
    }
}

/* Moves what is fresh to what is placed, and drops from it what is judged. */
static bool merge_placed(struct hd_mcm *m)
{
    size_t kept = 0;

    for (size_t k = 0; k < m->placed.count; k++)
        if (!m->group[m->placed.at[k]].judged)
            m->placed.at[kept++] = m->placed.at[k];
    m->placed.count = kept;
    if (!mcm_list_room(m, &m->placed, m->fresh.count))
        return false;
    if (m->fresh.count > 0)
        memcpy(m->placed.at + kept, m->fresh.at, m->fresh.count * sizeof *m->fresh.at);
    m->placed.count += m->fresh.count;
    m->fresh.count = 0;
    return true;
}

bool mcm_witness_judge(struct hd_mcm *m, bool *explained)
{
    size_t n = 0;

    if (m->oldest == NULL) {
        m->oldest = malloc(2 * WARPS * sizeof *m->oldest);
        if (m->oldest == NULL)
            return no_memory(m);
        memset(m->oldest, 0xff, 2 * WARPS * sizeof *m->oldest);
        m->newest = m->oldest + WARPS;
    }
    *explained = true;
    for (size_t k = 0; k < m->fresh.count; k++)
        *explained &= append(m, m->fresh.at[k]);
    if (!merge_placed(m) || !mcm_list_room(m, &m->window, m->placed.count))
        return false;
    if (m->placed.count > m->sort_room) {
        struct sorted *big = realloc(m->sort, 2 * m->placed.count * sizeof *big);
        if (big == NULL)
            return no_memory(m);
        m->sort = big;
        m->sort_room = 2 * m->placed.count;
    }
    for (size_t k = 0; k < m->placed.count; k++) {
        const struct group *g = &m->group[m->placed.at[k]];
        if (g->t_done < m->watermark)
            m->sort[n++] = (struct sorted){sort_key(g), g->serial, m->placed.at[k]};
    }
    if (n > 1)
        qsort(m->sort, n, sizeof *m->sort, compare_sorted);
    for (size_t k = 0; k < n && *explained; k++)
        *explained = judge(m, m->sort[k].group);
    m->judged_to = m->watermark;
    if (m->violation.kind != HD_MCM_ALLOWED || !merge_placed(m))
        return false;
    if (*explained)
        shrink_window(m, m->watermark);
    return true;
}

/* ---- the graphs ------------------------------------------------------------------------------------------------- */

bool mcm_witness_give_up(struct hd_mcm *m)
{
    size_t n = m->window.count - m->window_head;

    take_back(m);
    if (!mcm_list_room(m, &m->fresh, n + m->placed.count))
        return false;
    for (size_t k = m->window_head; k < m->window.count; k++)
        m->fresh.at[m->fresh.count++] = m->window.at[k];
    for (size_t k = 0; k < m->placed.count; k++)
        m->fresh.at[m->fresh.count++] = m->placed.at[k];
    m->window.count = m->window_head = m->placed.count = 0;
    m->by_graph = true;
    m->stay = m->stays;
    m->stays = 2 * m->stays + 1 < STAY_MOST ? 2 * m->stays + 1 : STAY_MOST;
    m->stats.given_up++;
    return mcm_sort_groups(m, &m->fresh, true); /* what an operation depends on was placed before it */
}

bool mcm_witness_note(struct hd_mcm *m)
{
    size_t kept = 0;

    if (!mcm_list_room(m, &m->placed, m->fresh.count))
        return false;
    for (size_t k = 0; k < m->fresh.count; k++)
        m->placed.at[m->placed.count++] = m->fresh.at[k];
    m->fresh.count = 0;
    for (size_t k = 0; k < m->placed.count; k++) {
        uint32_t i = m->placed.at[k];
        if (m->witness && m->group[i].t_done >= m->watermark) {
            m->placed.at[kept++] = i;
            continue;
        }
        if (m->witness && !m->group[i].judged && !set_judged(m, &m->group[i]))
            return false;
        mcm_log_drop(m, i);
    }
    m->placed.count = kept;
    m->judged_to = m->watermark;
    return true;
}

/* The last write of each word that has retired goes to the table: those before it were freed with it. */
static bool save_words(struct hd_mcm *m)
{
    for (size_t k = 0; k < m->words.used; k++) {
        uint32_t place = mcm_table_at(&m->table, m->word[k].key, true);
        if (place == NONE || !mcm_table_room(&m->table, 1))
            return no_memory(m);
        const struct write *w = &m->write[m->word[k].first];
        struct piece *p = &m->table.piece[place / PIECE];
        uint16_t bit = (uint16_t)(1u << place % PIECE);
        if (!w->valued)
            continue;
        m->table.words += (p->known & bit) == 0;
        p->known |= bit;
        p->id[place % PIECE] = w->id;
        p->val[place % PIECE] = w->wval;
        if (w->id != 0)
            mcm_table_writer(&m->table, place / PIECE)[place % PIECE] = (struct writer){
                (uint32_t)w->kind << 24 | w->tid, w->po, w->block, w->t_issue, w->t_done};
    }
    return true;
}

bool mcm_witness_resume(struct hd_mcm *m)
{
    struct pool *const pools[] = {&m->nodes, &m->edges, &m->writes, &m->words, &m->chains};

    if (!save_words(m))
        return false;
    for (size_t i = 0; i < m->nodes.used; i++)
        m->node[i].serial = 0; /* the lanes still name them */
    for (size_t i = 0; i < sizeof pools / sizeof pools[0]; i++)
        pools[i]->used = pools[i]->free_count = 0;
    hd_map_fini(&m->ops);
    hd_map_fini(&m->places);
    hd_map_fini(&m->latest);
    hd_map_fini(&m->blocks);
    m->unlinked_count = m->unfinal_count = m->ready_count = m->undrained_last = 0;
    m->stats.live = m->graph_words = 0;
    m->by_graph = false;
    memset(m->oldest, 0xff, 2 * WARPS * sizeof *m->oldest);
    if (!mcm_sort_groups(m, &m->placed, false))
        return false;
    for (size_t k = 0; k < m->placed.count; k++)
        append(m, m->placed.at[k]);
    return true;
}

void mcm_witness_free(struct hd_mcm *m)
{
    free(m->oldest);
    free(m->undo);
    free(m->sort);
    mcm_table_free(&m->table);
}

size_t mcm_witness_bytes(const struct hd_mcm *m)
{
    return mcm_table_bytes(&m->table) + m->undo_room * sizeof *m->undo + m->sort_room * sizeof *m->sort
           + (m->oldest != NULL ? 2 * WARPS * sizeof *m->oldest : 0);
}
