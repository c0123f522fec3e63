/* barrier.c - barriers of all blocks as trees, local barriers in an SM around a global one (sync.h; paper 3, section 5.3,
 * Table 4): tree_barrier (TB; with exchange = 1 TBEX), whose sub-barriers count atomically, and flag_barrier, whose blocks
 * raise flags that the lanes of a collector read. After each barrier a block goes on with the data of the next one, those of
 * the next SM; with exchange = 1 also, before it, behind a local barrier, with those of the next block of its SM. */
#include "sync.h"

enum { PHASES = 2 };
enum { IDLE_FIRST = 10, IDLE_STEP = 5, IDLE_TRIES = 15 }; /* pauses of the global barrier in cycles */

struct args {
    struct hd_sync s;
    bool flags, exchange;
    struct hd_array *global, *local;   /* counters: PHASES of all, PHASES an SM; flags: in and out of SMs, of blocks */
};

/* Blocks that meet at counters or flags from @at on, in @scope. */
struct meeting {
    uint32_t at, count, me, pad;
    unsigned scope;
    bool idle;
};

static void count_phase(struct hd_warp *w, uint32_t counter, const struct meeting *m)
{
    hd_sync_atom(w, HD_AT_ADD, counter, 1, HD_ORD_RELEASE, m->scope);
    uint32_t pause = IDLE_FIRST;
    /* Who makes it zero sees it zero the next time; nobody counts here again before all have left the other phase. */
    for (unsigned tries = 0; hd_sync_cas(w, counter, m->count, 0, HD_ORD_ACQUIRE, m->scope) != 0;) {
        if (!m->idle)
            continue;
        hd_sync_idle(w, pause);
        pause += IDLE_STEP;
        if (++tries > IDLE_TRIES)
            tries = 0, pause = 1;
    }
}

static void count_all(struct hd_warp *w, const struct meeting *m)
{
    for (uint32_t phase = 0; phase < PHASES; phase++)
        count_phase(w, m->at + 4 * phase * m->pad, m);
}

/* Flags: `count` words of arrivals, then as many of departures. */
static uint32_t flag(const struct meeting *m, bool out, uint32_t i)
{
    return m->at + 4 * ((out ? m->count : 0) + i) * m->pad;
}

static void raise(struct hd_warp *w, const struct meeting *m)
{
    hd_sync_put(w, flag(m, false, m->me), 1, m->scope);
}

/* The collector: its lanes read the flags of all until each is up. */
static void collect(struct hd_warp *w, const struct hd_sync *s, const struct meeting *m)
{
    for (uint32_t from = 0; from < m->count; from += s->lanes) {
        uint32_t addr[HD_MAX_LANES] = {0}, n = m->count - from < s->lanes ? m->count - from : s->lanes;
        for (uint32_t l = 0; l < n; l++)
            addr[l] = flag(m, false, from + l);
        for (hd_mask_t down = hd_lanes_below(n); down != 0;) {
            const uint32_t *up = hd_use(w, hd_ld_o(w, down, addr, HD_ORD_ACQUIRE, m->scope));
            for (uint32_t l = 0; l < n; l++)
                if (down & hd_lane(l) && up[l] == 1)
                    down &= ~hd_lane(l);
        }
    }
}

static void dismiss(struct hd_warp *w, const struct hd_sync *s, const struct meeting *m)
{
    static const uint32_t zero[HD_MAX_LANES] = {0};
    uint32_t one[HD_MAX_LANES];
    for (uint32_t l = 0; l < HD_MAX_LANES; l++)
        one[l] = 1;
    for (uint32_t from = 0; from < m->count; from += s->lanes) {
        uint32_t in[HD_MAX_LANES] = {0}, out[HD_MAX_LANES] = {0}, n = m->count - from < s->lanes ? m->count - from : s->lanes;
        for (uint32_t l = 0; l < n; l++) {
            in[l] = flag(m, false, from + l);
            out[l] = flag(m, true, from + l);
        }
        hd_atom_o(w, HD_AT_EXCH, hd_lanes_below(n), in, zero, HD_ORD_RELAXED, m->scope);
        hd_atom_o(w, HD_AT_EXCH, hd_lanes_below(n), out, one, HD_ORD_RELEASE, m->scope);
    }
}

static void leave(struct hd_warp *w, const struct meeting *m)
{
    uint32_t out = flag(m, true, m->me);
    while (hd_sync_load(w, out, HD_ORD_ACQUIRE, m->scope) != 1)
        ;
    hd_sync_put(w, out, 0, m->scope);
}

static struct meeting of_all(const struct args *g, const struct hd_warp *w)
{
    return (struct meeting){.at = hd_at(g->global, 0), .count = g->s.sms, .me = hd_sync_sm(&g->s, w), .pad = g->s.pad,
                            .scope = HD_SCOPE_DEVICE, .idle = true};
}

static struct meeting of_sm(const struct args *g, const struct hd_warp *w)
{
    return (struct meeting){.at = hd_at(g->local, hd_sync_sm(&g->s, w) * (g->local->words / g->s.sms)), .count = g->s.per_sm,
                            .me = hd_sync_nth(&g->s, w), .pad = g->s.pad, .scope = g->s.scope};
}

/* The blocks of an SM, and in between all SMs when @tree. */
static void meet(struct hd_warp *w, const struct args *g, bool tree)
{
    if (!g->s.locked)
        return;
    struct meeting all = of_all(g, w), sm = of_sm(g, w);
    bool first = sm.me == 0;
    if (!g->flags) {
        if (sm.count > 1)
            count_all(w, &sm);
        if (tree && first && all.count > 1)
            count_all(w, &all);
        if (tree && sm.count > 1)
            count_all(w, &sm);
        return;
    }
    raise(w, &sm);
    if (first) {
        collect(w, &g->s, &sm);
        if (tree) {
            raise(w, &all);
            if (all.me == 0) {
                collect(w, &g->s, &all);
                dismiss(w, &g->s, &all);
            }
            leave(w, &all);
        }
        dismiss(w, &g->s, &sm);
    }
    leave(w, &sm);
}

static void barrier(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    uint32_t at = hd_block(w);
    for (uint32_t i = 0; i < g->s.visits; i++) {
        hd_sync_shift(w, &g->s, at);
        if (g->exchange && g->s.per_sm > 1) {
            meet(w, g, false);
            at = (at + g->s.sms) % g->s.blocks;
            hd_sync_shift(w, &g->s, at);
        }
        meet(w, g, true);
        at = (at + 1) % g->s.blocks;
    }
}

static const char *prepare(struct hd_work *k)
{
    const char *why;
    struct args *g = hd_sync_args(k, sizeof *g, &why);
    g->flags = strcmp(hd_work_self(k)->name, "flag_barrier") == 0;
    g->exchange = hd_work_param(k, "exchange");
    g->global = hd_work_array(k, "global", 2 * g->s.sms * g->s.pad);
    g->local = hd_work_array(k, "local", (uint64_t)g->s.sms * 2 * g->s.per_sm * g->s.pad);
    hd_sync_data(k, &g->s, g->s.blocks);
    hd_sync_launch(k, &g->s, barrier);
    return why;
}

static uint32_t visits(const struct hd_sync *s, uint32_t region)
{
    const struct args *g = (const struct args *)s;
    (void)region;
    return s->visits * (g->exchange && s->per_sm > 1 ? 2 : 1);
}

static void reference(struct hd_work *k) /* counters and flags end at zero */
{
    const struct args *g = hd_work_get_args(k);
    hd_sync_golden(k, &g->s, visits);
}

static const struct hd_param params[] = {
    HD_SYNC_PARAMS(1, "1: the barriers of an SM are in scope WG", "barriers"), {"exchange", 0, 0, 1, "1: the blocks of an SM exchange data before each barrier"}, {0}};
static const struct hd_full full[] = {HD_SYNC_FULL};

const struct hd_workload hd_work_tree_barrier = {
    .name = "tree_barrier", .doc = "visits between tree barriers that count", .params = params, .full = full,
    .prepare = prepare, .reference = reference,
};
const struct hd_workload hd_work_flag_barrier = {
    .name = "flag_barrier", .doc = "visits between tree barriers of flags", .params = params, .full = full,
    .prepare = prepare, .reference = reference,
};
