/* mcm_order.c - see mcm_parts.h: program order edges by model. Operations come in program order of their lane. */
#include "hd_pkg.h"
#include "mcm_parts.h"

/* The references of a lane. SC: the last access. WARP (in lane 0): what comes after all of the instruction before,
 * what comes after all of this one. TSO: the last one later loads wait for, the last one later stores
 * wait for. RMO: the last one all later accesses wait for, all later writes wait for; collectors of reads and
 * of writes: helper nodes that come after all of them since the last release, chained. TSO and RMO: the last
 * synchronising store. */
enum {
    LAST = 0,
    BEFORE = 0,
    AFTER = 1,
    READ = 0,
    WRITE = 1,
    GATE = 0,
    WRITE_GATE = 1,
    READS = 2,
    WRITES = 3,
    SYNC = 4
};

static struct lane *lane_of(struct hd_mcm *m, uint32_t tid)
{
    return &m->lane[tid >> 16][(tid >> 8 & 63) * LANES + (tid & (LANES - 1))];
}

/* A node that stands for a fence, or for all accesses so far. */
static uint32_t helper(struct hd_mcm *m, unsigned g, const struct hd_event *e)
{
    uint32_t i = mcm_node(m, e, (uint8_t)(1u << g));

    m->node[i].helper = true;
    m->node[i].linked = true;
    return i;
}

static bool strong(const struct hd_event *e)
{
    return order_of(e) >= HD_ORD_ACQ_REL;
}

static bool acquires(const struct hd_event *e)
{
    return order_of(e) == HD_ORD_ACQUIRE || strong(e);
}

static bool releases(const struct hd_event *e)
{
    return order_of(e) == HD_ORD_RELEASE || strong(e);
}

/* Does the annotation of @e count in graph @g: is its scope that of the graph or wider? Accesses of the LDS are local, whatever
 * their scope says, where caches keep old words: they neither flush nor invalidate an L1. */
static bool counts(const struct hd_mcm *m, unsigned g, const struct hd_event *e)
{
    bool all = m->kind[g] == G_RMO || m->kind[g] == G_FENCE;
    unsigned least = all ? HD_SCOPE_DEVICE : HD_SCOPE_WG;
    bool local = m->kind[g] == G_FENCE && e->space == HD_SPACE_LDS;

    return order_of(e) != HD_ORD_RELAXED && e->scope >= least && !local;
}

/* A synchronising load waits for the last synchronising store. (Stores wait anyway.) */
static void sync_order(struct hd_mcm *m, unsigned g, struct ref *r, uint32_t i)
{
    mcm_edge(m, g, r[SYNC], i, HD_MCM_PO);
    if (writes(&m->node[i].ev))
        r[SYNC] = mcm_ref(m, i);
}

static void order_tso(struct hd_mcm *m, unsigned g, struct ref *r, uint32_t i)
{
    const struct hd_event *e = &m->node[i].ev;

    mcm_edge(m, g, r[READ], i, HD_MCM_PO);
    if (writes(e) && (r[WRITE].node != r[READ].node || r[WRITE].serial != r[READ].serial))
        mcm_edge(m, g, r[WRITE], i, HD_MCM_PO);
    if (reads(e))
        r[READ] = mcm_ref(m, i);
    if (writes(e))
        r[WRITE] = mcm_ref(m, i);
    if (counts(m, g, e))
        sync_order(m, g, r, i);
}

/* No more accesses join the collector: it may retire when they have. */
static void close_collector(struct hd_mcm *m, unsigned g, struct ref collector)
{
    if (mcm_live(m, g, collector) && m->node[collector.node].helper && !m->node[collector.node].final)
        mcm_final(m, collector.node);
}

static void collect(struct hd_mcm *m, unsigned g, struct ref *collector, uint32_t i)
{
    if (!mcm_live(m, g, *collector) || m->node[collector->node].final) {
        uint32_t fresh = helper(m, g, &m->node[i].ev);
        mcm_edge(m, g, *collector, fresh, HD_MCM_PO);
        *collector = mcm_ref(m, fresh);
    }
    mcm_edge(m, g, mcm_ref(m, i), collector->node, HD_MCM_PO);
}

static void order_rmo(struct hd_mcm *m, unsigned g, struct ref *r, uint32_t i)
{
    struct hd_event e = m->node[i].ev;
    bool sync = atomic(&e) && counts(m, g, &e);

    mcm_edge(m, g, r[GATE], i, HD_MCM_PO);
    if (writes(&e))
        mcm_edge(m, g, r[WRITE_GATE], i, HD_MCM_PO);
    if (sync && writes(&e) && releases(&e)) {
        for (int c = READS; c <= WRITES; c++) {
            close_collector(m, g, r[c]);
            mcm_edge(m, g, r[c], i, HD_MCM_PO);
        }
    }
    if (sync)
        sync_order(m, g, r, i);
    collect(m, g, &r[reads(&e) ? READS : WRITES], i);
    if (sync && reads(&e) && acquires(&e))
        r[GATE] = mcm_ref(m, i);
}

/* Full fences and full RMWs come after all that is before them and before all behind them. */
static void order_full(struct hd_mcm *m, unsigned g, struct ref *r, uint32_t i)
{
    struct hd_event e = m->node[i].ev;
    bool full = e.kind == HD_EVK_RMW && strong(&e) && counts(m, g, &e);

    mcm_edge(m, g, r[GATE], i, HD_MCM_PO);
    for (int c = READS; full && c <= WRITES; c++) {
        close_collector(m, g, r[c]);
        mcm_edge(m, g, r[c], i, HD_MCM_PO);
    }
    collect(m, g, &r[reads(&e) ? READS : WRITES], i);
    if (full)
        r[GATE] = mcm_ref(m, i);
}

/* Instruction by instruction, with a helper that comes after all lanes. */
static void order_warp(struct hd_mcm *m, unsigned g, uint32_t i)
{
    struct lane *l = lane_of(m, m->node[i].ev.tid & ~(uint32_t)0xff);
    struct ref *r = l->ref[g];

    if (r[AFTER].serial == 0 || l->group != m->node[i].ev.po) {
        close_collector(m, g, r[AFTER]);
        r[BEFORE] = r[AFTER];
        r[AFTER] = mcm_ref(m, helper(m, g, &m->node[i].ev));
        l->group = m->node[i].ev.po;
    }
    mcm_edge(m, g, r[BEFORE], i, HD_MCM_PO);
    mcm_edge(m, g, mcm_ref(m, i), r[AFTER].node, HD_MCM_PO);
}

static void order_coherence(struct hd_mcm *m, unsigned g, uint32_t i)
{
    const struct node *n = &m->node[i];
    uint64_t key = (uint64_t)n->ev.tid << 32 | n->word;
    uint32_t before = hd_map_get(&m->latest, key);

    if (before != NONE)
        mcm_edge(m, g, mcm_ref(m, before), i, HD_MCM_PO);
    hd_map_set(&m->latest, key, i);
}

static void order_dependency(struct hd_mcm *m, unsigned g, uint32_t i)
{
    uint32_t at = hd_map_get(&m->ops, m->node[i].ev.dep);

    if (m->node[i].ev.dep == 0 || at == NONE)
        return; /* that load has retired, or mcm.c complains */
    uint32_t from = at & NODE_BIT ? at & ~NODE_BIT : m->write[at].node;
    if (from != NONE)
        mcm_edge(m, g, mcm_ref(m, from), i, HD_MCM_DEP);
}

void mcm_order_access(struct hd_mcm *m, uint32_t i)
{
    struct lane *l = lane_of(m, m->node[i].ev.tid);

    for (unsigned g = 0; g < m->graphs; g++) {
        struct ref *r = l->ref[g];
        switch (m->kind[g]) {
        case G_SC:
            mcm_edge(m, g, r[LAST], i, HD_MCM_PO);
            r[LAST] = mcm_ref(m, i);
            break;
        case G_WARP:
        case G_ENV:
            order_warp(m, g, i);
            break;
        case G_TSO:
            order_tso(m, g, r, i);
            if (m->node[i].ev.kind == HD_EVK_RMW)
                r[READ] = r[WRITE] = mcm_ref(m, i);
            break;
        case G_RMO:
        case G_RMO_WG:
            order_dependency(m, g, i);
            order_rmo(m, g, r, i);
            break;
        case G_FENCE:
        case G_FENCE_WG:
            order_full(m, g, r, i);
            break;
        case G_COH:
            order_coherence(m, g, i);
            break;
        case G_THIN:
            order_dependency(m, g, i);
            break;
        }
    }
}

static void fence_tso(struct hd_mcm *m, unsigned g, struct ref *r, const struct hd_event *e)
{
    bool read = mcm_live(m, g, r[READ]), write = mcm_live(m, g, r[WRITE]);

    if (!read && !write)
        return;
    uint32_t f = helper(m, g, e);
    mcm_edge(m, g, r[READ], f, HD_MCM_PO);
    mcm_edge(m, g, r[WRITE], f, HD_MCM_PO);
    r[READ] = r[WRITE] = mcm_ref(m, f);
    mcm_final(m, f);
}

static void fence_rmo(struct hd_mcm *m, unsigned g, struct ref *r, const struct hd_event *e)
{
    bool before = false;

    close_collector(m, g, r[READS]);
    if (releases(e))
        close_collector(m, g, r[WRITES]);
    const bool from[] = {[GATE] = acquires(e), [READS] = true, [WRITES] = releases(e)};
    for (int k = GATE; k <= WRITES; k++)
        before |= from[k] && mcm_live(m, g, r[k]);
    if (!before)
        return;
    uint32_t f = helper(m, g, e);
    for (int k = GATE; k <= WRITES; k++)
        if (from[k])
            mcm_edge(m, g, r[k], f, HD_MCM_PO);
    r[acquires(e) ? GATE : WRITE_GATE] = mcm_ref(m, f);
    mcm_final(m, f);
}

/* A fence is one of each lane: lanes are not ordered among each other. */
void mcm_order_fence(struct hd_mcm *m, const struct hd_event *e)
{
    for (unsigned g = 0; g < m->graphs; g++) {
        if (m->kind[g] == G_WARP || m->kind[g] == G_ENV) { /* the race detector wants it in its place */
            uint32_t i = mcm_node(m, e, (uint8_t)(1u << g));
            m->node[i].linked = true;
            m->unfinal[m->unfinal_count++] = i;
            order_warp(m, g, i);
            continue;
        }
        bool tso = m->kind[g] == G_TSO, rmo = m->kind[g] == G_RMO || m->kind[g] == G_RMO_WG;
        bool full = strong(e) && (tso || m->kind[g] == G_FENCE || m->kind[g] == G_FENCE_WG);
        if (!counts(m, g, e) || !(rmo || full))
            continue;
        for (uint32_t lane = 0; lane < m->most_lanes; lane++) { /* the others have nothing to order */
            struct hd_event mine = *e;
            mine.tid = (e->tid & ~(uint32_t)0xff) | lane;
            struct ref *r = lane_of(m, mine.tid)->ref[g];
            if (tso)
                fence_tso(m, g, r, &mine);
            else
                fence_rmo(m, g, r, &mine);
        }
    }
}

/* Barriers that were released together are one: the warps of a block, at one cycle. */
uint64_t mcm_barrier_key(const struct hd_event *e)
{
    return UINT64_C(1) << 63 | (uint64_t)(e->block & 0x7fffffff) << 32 | e->t_done;
}

/* One node for the whole barrier. Its rval and wval hold the warps that took part. */
void mcm_order_barrier(struct hd_mcm *m, const struct hd_event *e)
{
    uint64_t key = mcm_barrier_key(e), warp = UINT64_C(1) << (e->tid >> 8 & 63);
    uint32_t j = hd_map_get(&m->ops, key);
    uint8_t graphs = 0;

    for (unsigned g = 0; g < m->graphs; g++)
        if (m->kind[g] != G_COH && m->kind[g] != G_THIN)
            graphs |= (uint8_t)(1u << g);
    if (j == NONE) {
        struct hd_event first = *e;
        first.rval = first.wval = 0;
        j = mcm_node(m, &first, graphs);
        m->node[j].linked = true;
        m->unfinal[m->unfinal_count++] = j;
        hd_map_set(&m->ops, key, j);
    }
    m->node[j].ev.rval |= (uint32_t)warp;
    m->node[j].ev.wval |= (uint32_t)(warp >> 32);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        struct lane *l = lane_of(m, (e->tid & ~(uint32_t)0xff) | lane);
        for (unsigned g = 0; g < m->graphs; g++) {
            if ((graphs >> g & 1) == 0)
                continue;
            struct ref *r = l->ref[g];
            bool warp_order = m->kind[g] == G_WARP || m->kind[g] == G_ENV;
            if (warp_order && lane > 0)
                continue;
            if (warp_order) {
                close_collector(m, g, r[AFTER]);
                mcm_edge(m, g, r[AFTER], j, HD_MCM_BAR);
                r[AFTER] = mcm_ref(m, j);
                l->group = e->po;
                continue;
            }
            mcm_edge(m, g, r[0], j, HD_MCM_BAR);
            if (m->kind[g] != G_SC)
                mcm_edge(m, g, r[1], j, HD_MCM_BAR);
            r[0] = mcm_ref(m, j);
            if (m->kind[g] == G_TSO)
                r[WRITE] = r[READ];
        }
    }
}

void mcm_order_close(struct hd_mcm *m)
{
    for (size_t i = 0; i < m->nodes.used; i++)
        if (m->node[i].serial != 0 && m->node[i].helper && !m->node[i].final)
            mcm_final(m, (uint32_t)i);
}
