/* mcm_graph.c - see mcm_parts.h: nodes, edges, communication edges, Kahn's sort. */
#include "mcm_parts.h"
#include <stdlib.h>
#include <string.h>

/* ---- memory ----------------------------------------------------------------------------------------------------- */

bool mcm_pool_room(struct pool *p, size_t size, size_t more)
{
    if (p->free_count + (p->room - p->used) >= more)
        return true;
    size_t room = p->room + p->room / 2 + 1024;
    if (room < p->used + more)
        room = p->used + more;
    if (room >= NODE_BIT / MAX_GRAPHS)
        return false;
    void *big = realloc(p->at, room * size);
    if (big == NULL)
        return false;
    p->at = big;
    p->room = room;
    return true;
}

/* The first word of a free element is the next free one. */
uint32_t mcm_pool_take(struct pool *p, size_t size)
{
    uint32_t i = p->free_head;

    if (p->free_count == 0)
        return (uint32_t)p->used++;
    memcpy(&p->free_head, (char *)p->at + i * size, sizeof p->free_head);
    p->free_count--;
    return i;
}

void mcm_pool_give(struct pool *p, size_t size, uint32_t i)
{
    memcpy((char *)p->at + i * size, &p->free_head, sizeof p->free_head);
    p->free_head = i;
    p->free_count++;
}

/* Enough for one record being placed and one being linked; a fence makes the most helper nodes, and each graph may
 * have a chain of its own for the record. Edges see to themselves: a write may get one from each open read. */
bool mcm_room(struct hd_mcm *m)
{
    if (!mcm_pool_room(&m->nodes, sizeof *m->node, 1 + 2 * LANES) || !mcm_pool_room(&m->writes, sizeof *m->write, 2)
        || !mcm_pool_room(&m->words, sizeof *m->word, 1) || !mcm_pool_room(&m->chains, sizeof *m->chain, MAX_GRAPHS)
        || !hd_map_reserve(&m->ops, 1) || !hd_map_reserve(&m->places, 1) || !hd_map_reserve(&m->latest, 1)
        || !hd_map_reserve(&m->blocks, MAX_GRAPHS))
        return false;
    m->node = m->nodes.at;
    m->write = m->writes.at;
    m->word = m->words.at;
    m->chain = m->chains.at;
    if (m->nodes.room <= m->list_room)
        return true;
    size_t room = m->nodes.room;
    uint32_t **lists[] = {&m->unlinked, &m->unfinal, &m->stack, &m->ready};
    for (int i = 0; i < 4; i++) {
        uint32_t *big = realloc(*lists[i], room * sizeof *big * (i == 3 ? MAX_GRAPHS : 1));
        if (big == NULL)
            return false;
        *lists[i] = big;
    }
    if (m->env != NULL) {
        uint64_t *big = realloc(m->heap, room * sizeof *big);
        if (big == NULL)
            return false;
        m->heap = big;
    }
    m->list_room = room;
    return true;
}

/* ---- nodes and edges -------------------------------------------------------------------------------------------- */

/* @graphs: a bit for each graph it is part of. */
uint32_t mcm_node(struct hd_mcm *m, const struct hd_event *e, uint8_t graphs)
{
    uint32_t i = mcm_pool_take(&m->nodes, sizeof *m->node);
    struct node *n = &m->node[i];

    *n = (struct node){.ev = *e, .src = NONE, .write = NONE, .word = NONE, .retired = (uint8_t)(m->all & ~graphs)};
    n->serial = ++m->serial ? m->serial : ++m->serial;
    for (unsigned g = 0; g < m->graphs; g++)
        n->g[g] = (struct in_graph){.out = NONE, .next = NONE, .prev = NONE};
    m->stats.live++;
    if (m->stats.live > m->stats.live_most)
        m->stats.live_most = m->stats.live;
    return i;
}

struct ref mcm_ref(const struct hd_mcm *m, uint32_t node)
{
    return (struct ref){node, m->node[node].serial};
}

bool mcm_live(const struct hd_mcm *m, unsigned g, struct ref r)
{
    return r.serial != 0 && m->node[r.node].serial == r.serial && (m->node[r.node].retired >> g & 1) == 0;
}

static void edge_to(struct hd_mcm *m, unsigned g, uint32_t from, uint32_t to, enum hd_mcm_edge kind)
{
    if (m->node[to].retired >> g & 1) {
        if (m->late[0] == '\0')
            snprintf(m->late, sizeof m->late, "operation %u comes before operation %u, which was thought complete",
                     m->node[from].ev.id, m->node[to].ev.id);
        return;
    }
    if (!mcm_pool_room(&m->edges, sizeof *m->edge, 1)) {
        mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
        return;
    }
    m->edge = m->edges.at;
    uint32_t i = mcm_pool_take(&m->edges, sizeof *m->edge);
    m->edge[i] = (struct edge){.to = to, .next = m->node[from].g[g].out, .kind = kind};
    m->node[from].g[g].out = i;
    m->node[to].g[g].in++;
    m->stats.edges++;
}

/* Nothing comes from a node that has retired. */
void mcm_edge(struct hd_mcm *m, unsigned g, struct ref from, uint32_t to, enum hd_mcm_edge kind)
{
    if (mcm_live(m, g, from) && from.node != to)
        edge_to(m, g, from.node, to, kind);
}

/* ---- communication ---------------------------------------------------------------------------------------------- */

/* Graphs whose accesses order each other within an instance only. */
static bool in_instances(enum graph_kind kind)
{
    return kind == G_RMO_WG || kind == G_FENCE_WG || kind == G_ENV;
}

/* The instance of the node's accesses, of a write; NONE: it is not ordered by any. */
static uint32_t instance_of(enum graph_kind kind, const struct node *n)
{
    return kind == G_ENV ? n->instance : n->ev.block;
}

static uint32_t write_instance(enum graph_kind kind, const struct write *w)
{
    return kind == G_ENV ? w->instance : w->block;
}

/* The chain of the node's block and word, made when @make. @return NONE when there is none. */
static uint32_t chain_of(struct hd_mcm *m, unsigned g, const struct node *n, bool make)
{
    uint64_t key = (uint64_t)n->word << 32 | instance_of(m->kind[g], n);
    uint32_t i = hd_map_get(&m->blocks, key);

    if (i == NONE && make) {
        i = mcm_pool_take(&m->chains, sizeof *m->chain);
        m->chain[i] = (struct chain){.open = NONE, .key = key};
        hd_map_set(&m->blocks, key, i);
    }
    return i;
}

static uint32_t *open_list(struct hd_mcm *m, unsigned g, const struct node *n, bool make)
{
    if (in_instances(m->kind[g]))
        return &m->chain[chain_of(m, g, n, make)].open;
    return &m->word[n->word].open[g];
}

static void open_add(struct hd_mcm *m, unsigned g, uint32_t i)
{
    struct node *n = &m->node[i];
    uint32_t *head = open_list(m, g, n, true);

    n->open |= (uint8_t)(1u << g);
    n->g[g].next = *head;
    n->g[g].prev = NONE;
    if (*head != NONE)
        m->node[*head].g[g].prev = i;
    *head = i;
}

static void open_remove(struct hd_mcm *m, unsigned g, uint32_t i)
{
    struct node *n = &m->node[i];
    uint32_t next = n->g[g].next, prev = n->g[g].prev;

    n->open &= (uint8_t)~(1u << g);
    if (prev == NONE)
        *open_list(m, g, n, false) = next;
    else
        m->node[prev].g[g].next = next;
    if (next != NONE)
        m->node[next].g[g].prev = prev;
}

/* In graph @g the write of node @i comes behind all known writes to its word (of its block). */
static void link_write(struct hd_mcm *m, unsigned g, uint32_t i)
{
    bool wg = in_instances(m->kind[g]);
    struct node *n = &m->node[i];
    if (wg && instance_of(m->kind[g], n) == NONE)
        return;
    struct write *w = &m->write[n->write];
    struct chain *c = wg ? &m->chain[chain_of(m, g, n, true)] : NULL;
    uint32_t before = w->prev == NONE ? NONE : m->write[w->prev].node;
    struct ref last = wg ? c->last : before != NONE ? mcm_ref(m, before) : (struct ref){0};

    mcm_edge(m, g, last, i, HD_MCM_CO);
    uint32_t *head = wg ? &c->open : &m->word[n->word].open[g];
    while (*head != NONE) {
        uint32_t reader = *head;
        open_remove(m, g, reader);
        if (reader != i)
            edge_to(m, g, reader, i, HD_MCM_FR);
    }
    if (wg)
        c->last = mcm_ref(m, i);
}

static void link_read(struct hd_mcm *m, unsigned g, uint32_t i)
{
    struct node *n = &m->node[i];
    const struct write *s = &m->write[n->src];
    enum graph_kind kind = m->kind[g];
    bool external = s->tid != n->ev.tid;
    bool inner = in_instances(kind);
    uint32_t mine = instance_of(kind, n);
    if (inner && mine == NONE)
        return;
    bool here = !inner || write_instance(kind, s) == mine;

    if (s->node != NONE && here && (external || kind == G_SC || kind == G_WARP || kind == G_COH || kind == G_THIN))
        mcm_edge(m, g, mcm_ref(m, s->node), i, HD_MCM_RF);
    if (kind == G_THIN || (n->write != NONE && m->write[n->write].prev == n->src))
        return; /* what an RMW reads is overwritten by itself */
    if (n->write != NONE && (kind == G_FENCE || kind == G_FENCE_WG))
        return; /* it need not be atomic for all: its read comes first, its write later, and one node stands for both */
    uint32_t w = s->next;
    while (w != NONE && inner && (write_instance(kind, &m->write[w]) != mine || w == n->write))
        w = m->write[w].next;
    if (w == n->write && w != NONE)
        return;
    if (w == NONE)
        open_add(m, g, i);
    else if (m->write[w].node != NONE)
        edge_to(m, g, i, m->write[w].node, HD_MCM_FR);
    else if (m->late[0] == '\0')
        snprintf(m->late, sizeof m->late, "operation %u reads a word overwritten by operation %u, which was thought "
                 "complete", n->ev.id, m->write[w].id);
}

void mcm_link(struct hd_mcm *m, uint32_t i)
{
    for (unsigned g = 0; g < m->graphs; g++) {
        if (m->node[i].write != NONE && m->kind[g] != G_THIN)
            link_write(m, g, i);
        if (m->node[i].src != NONE)
            link_read(m, g, i);
    }
}

/* ---- retirement ------------------------------------------------------------------------------------------------- */

static void heap_push(struct hd_mcm *m, uint64_t key)
{
    size_t i = m->heap_count++;

    for (; i > 0 && m->heap[(i - 1) / 2] > key; i = (i - 1) / 2)
        m->heap[i] = m->heap[(i - 1) / 2];
    m->heap[i] = key;
}

static uint32_t heap_pop(struct hd_mcm *m)
{
    uint64_t first = m->heap[0], last = m->heap[--m->heap_count];
    size_t i = 0;

    for (size_t k; (k = 2 * i + 1) < m->heap_count; i = k) {
        k += k + 1 < m->heap_count && m->heap[k + 1] < m->heap[k];
        if (m->heap[k] >= last)
            break;
        m->heap[i] = m->heap[k];
    }
    m->heap[i] = last;
    return (uint32_t)first;
}

static void push_if_ready(struct hd_mcm *m, uint32_t i, unsigned g)
{
    const struct node *n = &m->node[i];

    if (!n->final || n->g[g].in != 0 || (n->retired >> g & 1) != 0)
        return;
    if (m->kind[g] == G_ENV)
        heap_push(m, (uint64_t)n->ev.t_done << 32 | i);
    else
        m->ready[m->ready_count++] = i * MAX_GRAPHS + g;
}

void mcm_final(struct hd_mcm *m, uint32_t i)
{
    m->node[i].final = true;
    m->final_live++;
    for (unsigned g = 0; g < m->graphs; g++)
        push_if_ready(m, i, g);
}

static void free_node(struct hd_mcm *m, uint32_t i)
{
    struct node *n = &m->node[i];
    uint32_t w = n->write;

    if (n->ev.kind == HD_EVK_LD && n->ev.id != 0 && !n->helper)
        hd_map_remove(&m->ops, n->ev.id);
    if (n->ev.kind == HD_EVK_BAR)
        hd_map_remove(&m->ops, mcm_barrier_key(&n->ev));
    n->serial = 0;
    mcm_pool_give(&m->nodes, sizeof *n, i);
    n->serial = 0;
    m->stats.live--;
    m->final_live--;
    if (w != NONE) {
        m->write[w].node = NONE;
        mcm_free_write(m, w);
    }
}

/* Forgets what the graph's own tables know of the node. */
static void forget(struct hd_mcm *m, unsigned g, uint32_t i)
{
    const struct node *n = &m->node[i];

    if (n->open >> g & 1)
        open_remove(m, g, i);
    if (n->word == NONE)
        return;
    if (m->kind[g] == G_COH) {
        uint64_t key = (uint64_t)n->ev.tid << 32 | n->word;
        if (hd_map_get(&m->latest, key) == i)
            hd_map_remove(&m->latest, key);
    }
    if (in_instances(m->kind[g]) && instance_of(m->kind[g], n) != NONE) {
        uint32_t c = chain_of(m, g, n, false);
        if (c != NONE && m->chain[c].open == NONE && !mcm_live(m, g, m->chain[c].last)) {
            hd_map_remove(&m->blocks, m->chain[c].key);
            mcm_pool_give(&m->chains, sizeof *m->chain, c);
        }
    }
}

bool mcm_drain(struct hd_mcm *m)
{
    while (m->ready_count > 0 || m->heap_count > 0) { /* ENV is graph 0 */
        uint32_t next_ready = m->ready_count > 0 ? m->ready[--m->ready_count] : heap_pop(m) * MAX_GRAPHS;
        uint32_t i = next_ready / MAX_GRAPHS, g = next_ready % MAX_GRAPHS;
        struct node *n = &m->node[i];
        n->retired |= (uint8_t)(1u << g);
        forget(m, g, i);
        for (uint32_t e = n->g[g].out, next; e != NONE; e = next) {
            uint32_t to = m->edge[e].to;
            next = m->edge[e].next;
            m->node[to].g[g].in--;
            push_if_ready(m, to, g);
            mcm_pool_give(&m->edges, sizeof *m->edge, e);
        }
        if (g == 0 && m->races != NULL && !n->helper && !mcm_races_event(m, &n->ev, n->word != NONE ? i : NONE))
            return mcm_fail(m, HD_MCM_NO_MEMORY, "out of memory");
        if (m->env != NULL && m->violation.kind != HD_MCM_ALLOWED)
            return false;
        if (n->retired == m->all)
            free_node(m, i);
    }
    return true;
}
