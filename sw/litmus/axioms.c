/* axioms.c - see axioms.h. Traces of each process with guessed load values, their combinations, every
 * reads-from and coherence order of these, and the models as relations over at most 64 events. */
#include "axioms.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EVENTS = 64,             /* of an execution */
    STEPS = 256,             /* instructions of a trace */
    BACK = 2,                /* times a backward branch is taken with the same registers as before, */
    BACK_ANEW = 4,           /* ... with others: more, and the test is given up */
    TRACE_EVENTS = 24,
    VALUES = 64,             /* a variable can have */
    TRACES = 1 << 16         /* of a process */
};
#define CANDIDATES ((size_t)50000000)

enum event_kind { EV_READ, EV_WRITE, EV_FENCE, EV_BARRIER, EV_WAIT };

/* Program order of models that have copies done in their turn, as atomics are; of RMO; of machines for programs without races. */
enum order { IN_TURN, RMO, ENV, ORDERS };

/* Sets of events of one trace are bit sets of their positions in it. */
struct event {
    enum event_kind kind;
    const struct hd_lisa_instr *instr; /* NULL: initial write */
    int var;                 /* -1: fence, barrier, wait for copies */
    uint32_t value;
    uint32_t deps;           /* reads it depends on by address, data or control */
    bool rmw;                /* read and, next to it, write of an RMW */
};

typedef uint64_t set;

struct trace {
    unsigned events;
    struct event event[TRACE_EVENTS];
    uint32_t reg[HD_LISA_REGS];
    set reads[HD_LISA_VARS], writes[HD_LISA_VARS]; /* which values of each variable's domain */
};

struct values {
    unsigned count, usable;  /* usable: found before this round */
    uint32_t value[VALUES];
};

/* ---- relations ------------------------------------------------------------------------------------------- */

struct rel {
    set row[EVENTS];         /* row[a] has bit b: a -> b */
};

struct maker {
    const struct hd_lisa *t;
    struct hd_axioms *a;
    size_t room[HD_AX_MODELS];
    unsigned models;
    bool atomic_for_all;     /* no model is wanted in which an RMW is atomic in its scope only */
    char *error;
    size_t error_size;
    bool failed;

    struct values domain[HD_LISA_VARS];
    bool grown;              /* a domain was */
    struct trace *trace[HD_LISA_PROCS];
    unsigned traces[HD_LISA_PROCS], room_traces[HD_LISA_PROCS];
    set writable[HD_LISA_PROCS + 1][HD_LISA_VARS]; /* values that a process or one behind it can write */

    /* the execution */
    unsigned n;
    const struct event *event[EVENTS];
    struct event init[HD_LISA_VARS];
    int proc[EVENTS];        /* -1: initial write */
    const struct trace *picked[HD_LISA_PROCS];
    unsigned reads, read[EVENTS];
    set writers[EVENTS];     /* a read may take its value from */
    unsigned writes[HD_LISA_VARS], write[HD_LISA_VARS][EVENTS]; /* in coherence order, initial write first */
    uint32_t outcome[HD_LISA_ITEMS];
    set all, R, W, F, B, M, IW, atomic, at[HD_LISA_SCOPES], flat_at[HD_LISA_SCOPES];
    set rlx, scacq, screl, scar, rmw_r, rmw_w, copy_r, copy_w;
    set same_proc[EVENTS], same_var[EVENTS];
    struct rel po, po_loc, dp, rmw, rf, co, fr, com;
    struct rel po_of[ORDERS], po_loc_of[ORDERS]; /* only with copies; else po and po_loc are all there is */
    struct rel bar;          /* between the events of one barrier, each with itself too */
    struct rel inst[HD_LISA_SCOPES];
};

static void fail(struct maker *m, const char *why)
{
    if (!m->failed)
        snprintf(m->error, m->error_size, "%s", why);
    m->failed = true;
}

static struct rel rel_or(const struct maker *m, const struct rel *a, const struct rel *b)
{
    struct rel c = {{0}};
    for (unsigned i = 0; i < m->n; i++)
        c.row[i] = a->row[i] | b->row[i];
    return c;
}

static struct rel rel_and(const struct maker *m, const struct rel *a, const struct rel *b)
{
    struct rel c = {{0}};
    for (unsigned i = 0; i < m->n; i++)
        c.row[i] = a->row[i] & b->row[i];
    return c;
}

/* a ; b */
static struct rel seq(const struct maker *m, const struct rel *a, const struct rel *b)
{
    struct rel c = {{0}};
    for (unsigned i = 0; i < m->n; i++) {
        c.row[i] = 0;
        for (set s = a->row[i]; s; s &= s - 1)
            c.row[i] |= b->row[__builtin_ctzll(s)];
    }
    return c;
}

/* [from] ; a ; [to] */
static struct rel between(const struct maker *m, set from, const struct rel *a, set to)
{
    struct rel c = {{0}};
    for (unsigned i = 0; i < m->n; i++)
        c.row[i] = from >> i & 1 ? a->row[i] & to : 0;
    return c;
}

/* from * to */
static struct rel cross(const struct maker *m, set from, set to)
{
    struct rel c = {{0}};
    for (unsigned i = 0; i < m->n; i++)
        c.row[i] = from >> i & 1 ? to : 0;
    return c;
}

/* [s] */
static struct rel identity(const struct maker *m, set s)
{
    struct rel c = {{0}};
    for (unsigned i = 0; i < m->n; i++)
        c.row[i] = s & (set)1 << i;
    return c;
}

static struct rel closure(const struct maker *m, const struct rel *a)
{
    struct rel c = *a;
    for (unsigned k = 0; k < m->n; k++)
        for (unsigned i = 0; i < m->n; i++)
            if (c.row[i] >> k & 1)
                c.row[i] |= c.row[k];
    return c;
}

static bool is_empty(const struct maker *m, const struct rel *a)
{
    set any = 0;
    for (unsigned i = 0; i < m->n; i++)
        any |= a->row[i];
    return any == 0;
}

static bool is_acyclic(const struct maker *m, const struct rel *a)
{
    for (set left = m->all;;) {
        set sinks = 0;
        for (set s = left; s; s &= s - 1) {
            unsigned i = (unsigned)__builtin_ctzll(s);
            if ((a->row[i] & left) == 0)
                sinks |= (set)1 << i;
        }
        if (sinks == left)
            return true;
        if (sinks == 0)
            return false;
        left &= ~sinks;
    }
}

static bool is_irreflexive(const struct maker *m, const struct rel *a)
{
    for (unsigned i = 0; i < m->n; i++)
        if (a->row[i] >> i & 1)
            return false;
    return true;
}

/* a & ext, a & int: of different processes, of one */
static struct rel external(const struct maker *m, const struct rel *a)
{
    struct rel c = {{0}};
    for (unsigned i = 0; i < m->n; i++)
        c.row[i] = a->row[i] & ~m->same_proc[i];
    return c;
}

/* ---- definitions of gpu-lib.cat ---------------------------------------------------------------------------- */

/* The annotations that count: those of the test, or all promoted to agent. */
struct view {
    const struct maker *m;
    const set *at;
    set acq, rel, sync, full, acq_c, rel_c, full_rmw;
};

static struct view make_view(const struct maker *m, bool flat)
{
    struct view v = {.m = m, .at = flat ? m->flat_at : m->at};
    v.acq = (m->R | m->F) & (m->scacq | m->scar);
    v.rel = (m->W | m->F) & (m->screl | m->scar);
    v.sync = v.acq | v.rel;
    v.full = m->F & m->scar;
    v.acq_c = v.acq | (m->rmw_w & (m->scacq | m->scar));
    v.rel_c = v.rel | (m->rmw_r & (m->screl | m->scar));
    v.full_rmw = (m->rmw_r | m->rmw_w) & m->scar;
    return v;
}

static set upto(const struct view *v, int s)
{
    set u = 0;
    for (int i = s; i < HD_LISA_SCOPES; i++)
        u |= v->at[i];
    return u;
}

/* same(s): both annotated exactly s, in one instance. */
static struct rel same(const struct view *v, int s)
{
    return between(v->m, v->at[s], &v->m->inst[s], v->at[s]);
}

/* pub ; (between) ; obs, with @middle from the published write to the read that observes it */
static struct rel publish(const struct view *v, const struct rel *middle)
{
    const struct maker *m = v->m;
    struct rel write = identity(m, m->W & v->rel), fence = between(m, m->F & v->rel, &m->po, m->W & m->atomic);
    struct rel read = identity(m, m->R & v->acq), after = between(m, m->R & m->atomic, &m->po, m->F & v->acq);
    struct rel pub = rel_or(m, &write, &fence), obs = rel_or(m, &read, &after);
    struct rel left = seq(m, &pub, middle);
    return seq(m, &left, &obs);
}

/* co? ; rf, both sides restricted to @atomics */
static struct rel co_rf(const struct maker *m, const struct rel *within)
{
    struct rel co = rel_and(m, &m->co, within), rf = rel_and(m, &m->rf, within), id = identity(m, m->all);
    co = rel_or(m, &co, &id);
    return seq(m, &co, &rf);
}

static bool atomicity(const struct maker *m, const struct rel *fr)
{
    struct rel fre = external(m, fr), coe = external(m, &m->co), bad = seq(m, &fre, &coe);
    bad = rel_and(m, &bad, &m->rmw);
    return is_empty(m, &bad);
}

/* ---- barriers ----------------------------------------------------------------------------------------------- */

/* From @before, whose events lead to barriers, to all accesses behind these barriers. */
static struct rel behind_barrier(const struct maker *m, const struct rel *before)
{
    struct rel joined = seq(m, before, &m->bar), after = between(m, m->B, &m->po, m->M);
    return seq(m, &joined, &after);
}

/* All accesses before a barrier come before all behind it. */
static struct rel barrier_order(const struct maker *m)
{
    struct rel before = between(m, m->M, &m->po, m->B);
    return behind_barrier(m, &before);
}

/* A barrier by itself orders no memory: what an event of @gates orders before itself (accesses of @from) comes before
 * all behind a barrier that follows. */
static struct rel gated_barrier(const struct maker *m, set from, set gates)
{
    struct rel before = between(m, from, &m->po, gates), barrier = between(m, gates, &m->po, m->B);
    before = seq(m, &before, &barrier);
    return behind_barrier(m, &before);
}

/* ---- the models --------------------------------------------------------------------------------------------- */

static bool sc(const struct maker *m)
{
    struct rel r = rel_or(m, &m->po, &m->com), bar = barrier_order(m);
    r = rel_or(m, &r, &bar);
    return is_acyclic(m, &r) && atomicity(m, &m->fr);
}

static bool coherent(const struct maker *m)
{
    struct rel r = rel_or(m, &m->po_loc, &m->com);
    return is_acyclic(m, &r) && atomicity(m, &m->fr);
}

static bool tso(const struct maker *m)
{
    struct view v = make_view(m, false);
    if (!coherent(m))
        return false;
    struct rel order = external(m, &m->rf), x;
    order = rel_or(m, &order, &m->co);
    order = rel_or(m, &order, &m->fr);
    x = between(m, m->R, &m->po, m->M);
    order = rel_or(m, &order, &x);
    x = between(m, m->W, &m->po, m->W | m->rmw_r | m->copy_r);
    order = rel_or(m, &order, &x);
    x = between(m, m->rmw_w | m->copy_w, &m->po, m->R);
    order = rel_or(m, &order, &x);
    x = between(m, m->W & v.sync, &m->po, m->R & v.sync);
    order = rel_or(m, &order, &x);
    struct rel before = between(m, m->M, &m->po, v.full), after = between(m, v.full, &m->po, m->M);
    x = seq(m, &before, &after);
    order = rel_or(m, &order, &x);
    x = barrier_order(m);
    order = rel_or(m, &order, &x);
    return is_acyclic(m, &order);
}

/* The accesses of @from before and those of @to after a fence of @fences. */
static struct rel around(const struct maker *m, set from, set fences, set to)
{
    struct rel before = between(m, from, &m->po, fences), after = between(m, fences, &m->po, to);
    return seq(m, &before, &after);
}

static bool rmo(const struct maker *m)
{
    struct view v = make_view(m, false);
    struct rel thin = rel_or(m, &m->rf, &m->dp), rfe = external(m, &m->rf);
    if (!coherent(m) || !is_acyclic(m, &thin))
        return false;
    for (int s = 0; s < HD_LISA_SCOPES; s++) {
        set u = upto(&v, s);
        struct rel r = rel_or(m, &m->dp, &rfe), x;
        r = rel_or(m, &r, &m->co);
        r = rel_or(m, &r, &m->fr);
        x = around(m, m->M, v.full & u, m->M);
        r = rel_or(m, &r, &x);
        x = around(m, m->M, m->F & v.rel & u, m->W);
        r = rel_or(m, &r, &x);
        x = around(m, m->R, m->F & v.acq & u, m->M);
        r = rel_or(m, &r, &x);
        x = between(m, v.acq_c & m->M & u, &m->po, m->M);
        r = rel_or(m, &r, &x);
        x = between(m, m->M, &m->po, v.rel_c & m->M & u);
        r = rel_or(m, &r, &x);
        x = between(m, v.sync & u, &m->po, v.sync & u);
        r = rel_or(m, &r, &x);
        x = gated_barrier(m, m->M, m->F & v.rel & u);
        r = rel_or(m, &r, &x);
        x = gated_barrier(m, m->R, m->F & v.acq & u);
        r = rel_or(m, &r, &x);
        x = between(m, v.acq_c & m->M & u, &m->po, m->B);
        x = behind_barrier(m, &x);
        r = rel_or(m, &r, &x);
        r = rel_and(m, &r, &m->inst[s]);
        if (!is_acyclic(m, &r))
            return false;
    }
    return true;
}

/* sso(s) of env.cat: synchronization by atomics of exactly scope s. */
static struct rel env_sso(const struct view *v, int s)
{
    const struct maker *m = v->m;
    struct rel in = same(v, s), atomics = between(m, m->atomic, &in, m->atomic), middle = co_rf(m, &atomics);
    struct rel r = publish(v, &middle);
    return rel_and(m, &r, &in);
}

static bool env(const struct maker *m, bool flat, bool indirect)
{
    struct view v = make_view(m, flat);
    struct rel mine = {{0}}, rfe = external(m, &m->rf), x, all_sso = {{0}};
    for (int s = 0; s < HD_LISA_SCOPES; s++) {
        x = between(m, v.at[s], &m->inst[s], m->all);
        mine = rel_or(m, &mine, &x);
    }
    struct rel fr_mine = rel_and(m, &m->fr, &mine);
    if (!atomicity(m, &fr_mine))
        return false;
    struct rel own = between(m, m->W, &m->po_loc, m->M), to_write = between(m, m->R, &m->po_loc, m->W);
    own = rel_or(m, &own, &to_write);
    own = rel_or(m, &own, &m->com);
    struct rel thin = rel_or(m, &m->rf, &m->dp);
    if (!is_acyclic(m, &own) || !is_acyclic(m, &thin))
        return false;
    for (int s = 0; s < HD_LISA_SCOPES; s++) {
        struct rel sso = env_sso(&v, s), in = same(&v, s), hb;
        all_sso = rel_or(m, &all_sso, &sso);
        hb = rel_or(m, &m->po, &sso);
        hb = closure(m, &hb);
        x = seq(m, &hb, &m->com);
        if (!is_irreflexive(m, &hb) || !is_irreflexive(m, &x))
            return false;
        /* strong(s) */
        struct rel id = identity(m, m->all), po = rel_or(m, &m->po, &id), strong = seq(m, &po, &sso);
        strong = seq(m, &strong, &po);
        strong = closure(m, &strong);
        strong = rel_or(m, &strong, &m->po_loc);
        strong = rel_or(m, &strong, &m->dp);
        strong = rel_or(m, &strong, &m->com);
        strong = rel_and(m, &strong, &in);
        strong = between(m, m->atomic, &strong, m->atomic);
        if (s != HD_LISA_WI && !is_acyclic(m, &strong))
            return false;
        /* scs(s) */
        x = rel_or(m, &m->po, &m->com);
        x = rel_and(m, &x, &in);
        x = between(m, v.sync, &x, v.sync);
        if (s != HD_LISA_WI && !is_acyclic(m, &x))
            return false;
        /* ff(s) */
        set u = upto(&v, s);
        struct rel ff = rel_or(m, &rfe, &m->co);
        ff = rel_or(m, &ff, &m->fr);
        x = around(m, m->M, v.full & u, m->M);
        ff = rel_or(m, &ff, &x);
        x = between(m, m->M, &m->po, v.full_rmw & u);
        ff = rel_or(m, &ff, &x);
        x = between(m, v.full_rmw & u, &m->po, m->M);
        ff = rel_or(m, &ff, &x);
        x = gated_barrier(m, m->M, v.full & u);
        ff = rel_or(m, &ff, &x);
        ff = rel_and(m, &ff, &m->inst[s]);
        if (s != HD_LISA_WI && !is_acyclic(m, &ff))
            return false;
    }
    if (indirect) {
        struct rel hb = rel_or(m, &m->po, &all_sso);
        hb = closure(m, &hb);
        x = seq(m, &hb, &m->com);
        if (!is_irreflexive(m, &hb) || !is_irreflexive(m, &x))
            return false;
    }
    return true;
}

/* The flags of an SC execution under DRF, HRF-Direct or HRF-Indirect. */
static unsigned race_flags(const struct maker *m, enum hd_axioms_model model)
{
    struct view v = make_view(m, false);
    struct rel whole = cross(m, m->all, m->all), middle = co_rf(m, &whole), so = publish(&v, &middle);
    struct rel hb = {{0}}, together = {{0}}, x, po = barrier_order(m);
    po = rel_or(m, &po, &m->po);
    for (int s = 0; s < HD_LISA_SCOPES; s++) {
        struct rel in = same(&v, s);
        together = rel_or(m, &together, &in);
        if (model == HD_AX_HRF_DIRECT) {
            x = rel_and(m, &so, &in);
            x = rel_or(m, &po, &x);
            x = closure(m, &x);
            hb = rel_or(m, &hb, &x);
        }
    }
    if (model != HD_AX_HRF_DIRECT) {
        x = model == HD_AX_DRF ? so : rel_and(m, &so, &together);
        hb = rel_or(m, &po, &x);
        hb = closure(m, &hb);
    }
    unsigned flags = m->atomic & m->rlx ? HD_AX_RELAXED : 0;
    set ordinary = m->M & ~m->atomic & ~m->IW;
    for (unsigned a = 0; a < m->n; a++)
        for (unsigned b = 0; b < m->n; b++) {
            set A = (set)1 << a, B = (set)1 << b;
            bool other = !(m->same_proc[a] & B) || ((A | B) & m->copy_w); /* a copy goes on beside its process */
            bool conflict = a != b && (m->same_var[a] & B) && other && ((A | B) & m->W) && !((A | B) & m->IW);
            if (!conflict || (hb.row[a] & B) || (hb.row[b] & A))
                continue;
            if ((A | B) & ordinary)
                flags |= HD_AX_RACE;
            else if (model != HD_AX_DRF && !(together.row[a] & B))
                flags |= HD_AX_SCOPERACE;
        }
    return flags;
}

/* ---- outcomes ------------------------------------------------------------------------------------------------ */

static int compare(const uint32_t *a, const uint32_t *b, unsigned items)
{
    for (unsigned i = 0; i < items; i++)
        if (a[i] != b[i])
            return (int32_t)a[i] < (int32_t)b[i] ? -1 : 1;
    return 0;
}

/* @return where @outcome is, or would be. */
static size_t find(const struct hd_allowed *a, unsigned items, const uint32_t *outcome, bool *found)
{
    size_t low = 0, high = a->count;
    *found = false;
    while (low < high) {
        size_t mid = (low + high) / 2;
        int c = compare(a->outcome + mid * items, outcome, items);
        if (c == 0) {
            *found = true;
            return mid;
        }
        if (c < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

bool hd_allowed_has(const struct hd_allowed *a, unsigned items, const uint32_t *outcome)
{
    bool found;
    find(a, items, outcome, &found);
    return found;
}

static void add_outcome(struct maker *m, enum hd_axioms_model model)
{
    struct hd_allowed *a = &m->a->model[model];
    unsigned items = m->a->items;
    bool found;
    size_t at = find(a, items, m->outcome, &found);
    if (found)
        return;
    if (a->count == m->room[model]) {
        size_t room = 2 * m->room[model] + 16;
        uint32_t *more = realloc(a->outcome, room * (items ? items : 1) * sizeof *more);
        if (!more) {
            fail(m, "no memory");
            return;
        }
        a->outcome = more;
        m->room[model] = room;
    }
    memmove(a->outcome + (at + 1) * items, a->outcome + at * items, (a->count - at) * items * sizeof *a->outcome);
    memcpy(a->outcome + at * items, m->outcome, items * sizeof *a->outcome);
    a->count++;
}

static bool wants(const struct maker *m, enum hd_axioms_model model)
{
    return (m->models >> model & 1) && !hd_allowed_has(&m->a->model[model], m->a->items, m->outcome);
}

static void in_order(struct maker *m, enum order o)
{
    if (m->copy_w == 0)
        return;
    m->po = m->po_of[o];
    m->po_loc = m->po_loc_of[o];
}

static void judge(struct maker *m)
{
    static const enum hd_axioms_model racy[] = {HD_AX_DRF, HD_AX_HRF_DIRECT, HD_AX_HRF_INDIRECT};
    bool is_sc = false, want_sc = wants(m, HD_AX_SC);
    for (unsigned i = 0; i < 3; i++)
        want_sc |= (m->models >> racy[i] & 1) != 0;
    in_order(m, IN_TURN);
    if (want_sc)
        is_sc = sc(m);
    if (wants(m, HD_AX_TSO) && tso(m))
        add_outcome(m, HD_AX_TSO);
    if (is_sc && wants(m, HD_AX_SC))
        add_outcome(m, HD_AX_SC);
    in_order(m, ENV);
    for (unsigned i = 0; is_sc && i < 3; i++)
        if (m->models >> racy[i] & 1) {
            add_outcome(m, racy[i]);
            m->a->model[racy[i]].flags |= race_flags(m, racy[i]);
        }
    if (wants(m, HD_AX_ENV) && env(m, false, false))
        add_outcome(m, HD_AX_ENV);
    if (wants(m, HD_AX_ENV_INDIRECT) && env(m, false, true))
        add_outcome(m, HD_AX_ENV_INDIRECT);
    if (wants(m, HD_AX_ENV_FLAT) && env(m, true, false))
        add_outcome(m, HD_AX_ENV_FLAT);
    in_order(m, RMO); /* the weakest: executions are made with it */
    if (wants(m, HD_AX_RMO) && rmo(m))
        add_outcome(m, HD_AX_RMO);
}

/* ---- executions ------------------------------------------------------------------------------------------------ */

static void set_outcome(struct maker *m)
{
    for (unsigned i = 0; i < m->t->items; i++) {
        const struct hd_lisa_item *item = &m->t->item[i];
        m->outcome[i] = item->proc >= 0 ? m->picked[item->proc]->reg[item->n]
                                        : m->event[m->write[item->n][m->writes[item->n] - 1]]->value;
    }
}

/* Reads-from and coherence are chosen. */
static void candidate(struct maker *m)
{
    m->a->candidates++;
    if (m->a->candidates == CANDIDATES)
        fail(m, "more than 50 million candidate executions");
    if (m->failed)
        return;
    set_outcome(m);
    memset(&m->co, 0, m->n * sizeof m->co.row[0]);
    memset(&m->fr, 0, m->n * sizeof m->fr.row[0]);
    set after_of[EVENTS] = {0};
    for (unsigned v = 0; v < m->t->vars; v++) {
        set after = 0;
        for (unsigned i = m->writes[v]; i-- > 0;) {
            unsigned w = m->write[v][i];
            m->co.row[w] = after_of[w] = after;
            after |= (set)1 << w;
        }
    }
    for (set s = m->W; s; s &= s - 1) {
        unsigned w = (unsigned)__builtin_ctzll(s);
        for (set r = m->rf.row[w]; r; r &= r - 1)
            m->fr.row[__builtin_ctzll(r)] |= after_of[w];
    }
    m->com = rel_or(m, &m->rf, &m->co);
    m->com = rel_or(m, &m->com, &m->fr);
    judge(m);
}

/* Whether write @w may directly follow write @before: that of an RMW follows what the RMW read. */
static bool may_follow(const struct maker *m, unsigned before, unsigned w)
{
    return !m->atomic_for_all || !m->event[w]->rmw || (m->rf.row[before] >> (w - 1) & 1);
}

/* Every order of the writes of variable @v behind the first @fixed, then of the variables after it. A process's
 * own writes stay in program order: every model asks for that. */
static void choose_co(struct maker *m, unsigned v, unsigned fixed)
{
    if (m->failed)
        return;
    if (v == m->t->vars) {
        candidate(m);
        return;
    }
    if (fixed >= m->writes[v]) {
        choose_co(m, v + 1, 1);
        return;
    }
    unsigned *w = m->write[v];
    for (unsigned i = fixed; i < m->writes[v]; i++) {
        bool first = may_follow(m, w[fixed - 1], w[i]);
        for (unsigned j = fixed; j < m->writes[v]; j++)
            first &= !(m->po.row[w[j]] >> w[i] & 1);
        if (!first)
            continue;
        unsigned moved = w[i];
        w[i] = w[fixed];
        w[fixed] = moved;
        choose_co(m, v, fixed + 1);
        w[fixed] = w[i];
        w[i] = moved;
    }
}

static void choose_rf(struct maker *m, unsigned i)
{
    if (m->failed)
        return;
    if (i == m->reads) {
        choose_co(m, 0, 1);
        return;
    }
    set r = (set)1 << m->read[i];
    for (set s = m->writers[m->read[i]]; s && !m->failed; s &= s - 1) {
        unsigned w = (unsigned)__builtin_ctzll(s);
        if (m->atomic_for_all && (r & m->rmw_r) && (m->rf.row[w] & m->rmw_r))
            continue; /* the writes of both RMWs would follow it directly */
        m->rf.row[w] |= r;
        choose_rf(m, i + 1);
        m->rf.row[w] &= ~r;
    }
}

/* Lists the events of the picked traces. @return false when they are too many. */
static bool list_events(struct maker *m)
{
    const struct hd_lisa *t = m->t;
    m->n = 0;
    memset(m->writes, 0, sizeof m->writes);
    for (unsigned v = 0; v < t->vars; v++) {
        m->init[v] = (struct event){.kind = EV_WRITE, .var = (int)v, .value = t->var[v].init};
        m->proc[m->n] = -1;
        m->write[v][m->writes[v]++] = m->n;
        m->event[m->n++] = &m->init[v];
    }
    for (unsigned p = 0; p < t->procs; p++)
        for (unsigned i = 0; i < m->picked[p]->events; i++) {
            const struct event *e = &m->picked[p]->event[i];
            if (m->n == EVENTS)
                return false;
            if (e->kind == EV_WRITE)
                m->write[e->var][m->writes[e->var]++] = m->n;
            m->proc[m->n] = (int)p;
            m->event[m->n++] = e;
        }
    return true;
}

static void classify(struct maker *m, unsigned i)
{
    const struct event *e = m->event[i];
    set bit = (set)1 << i;
    m->all |= bit;
    m->R |= e->kind == EV_READ ? bit : 0;
    m->W |= e->kind == EV_WRITE ? bit : 0;
    m->F |= e->kind == EV_FENCE ? bit : 0;
    m->B |= e->kind == EV_BARRIER ? bit : 0;
    if (!e->instr) {
        m->IW |= bit;
        return;
    }
    if (e->instr->kind == HD_LISA_COPY)
        *(e->kind == EV_READ ? &m->copy_r : &m->copy_w) |= bit;
    m->rmw_r |= e->rmw && e->kind == EV_READ ? bit : 0;
    m->rmw_w |= e->rmw && e->kind == EV_WRITE ? bit : 0;
    if (e->kind == EV_BARRIER || e->kind == EV_WAIT)
        return;
    m->atomic |= e->instr->atomic && e->kind != EV_FENCE ? bit : 0;
    m->at[e->instr->scope] |= bit;
    m->flat_at[e->instr->atomic ? HD_LISA_AGENT : e->instr->scope] |= bit;
    set *const order[] = {&m->rlx, &m->scacq, &m->screl, &m->scar};
    *order[e->instr->order] |= bit;
}

/* The nth barriers of the processes of a work-group are one. */
static void join_barriers(struct maker *m)
{
    unsigned number[EVENTS] = {0};
    memset(&m->bar, 0, m->n * sizeof m->bar.row[0]);
    for (set a = m->B; a; a &= a - 1) {
        unsigned i = (unsigned)__builtin_ctzll(a);
        number[i] = (unsigned)__builtin_popcountll(m->B & m->same_proc[i] & (((set)1 << i) - 1));
        for (set b = m->B; b; b &= b - 1) {
            unsigned j = (unsigned)__builtin_ctzll(b);
            if (j <= i && number[j] == number[i] && (m->inst[HD_LISA_WG].row[i] >> j & 1)) {
                m->bar.row[i] |= (set)1 << j;
                m->bar.row[j] |= (set)1 << i;
            }
        }
    }
}

/* Whether the copy that event @w writes is complete before event @i, behind it in its process. @younger: copies between them. */
static bool completes(const struct maker *m, enum order o, unsigned i, unsigned younger)
{
    const struct event *e = m->event[i];
    set bit = (set)1 << i;

    switch (e->kind) {
    case EV_WAIT:
        return younger >= (unsigned)e->instr->value.a.n;
    case EV_FENCE:
        return !(m->at[HD_LISA_WI] & bit);
    case EV_BARRIER:
        return o == ENV;
    default: /* a release waits for all before it */
        return ((m->screl | m->scar) & bit) && (m->atomic & bit) && !(m->at[HD_LISA_WI] & bit)
               && (e->kind == EV_WRITE || e->rmw);
    }
}

/* Under relaxed orders nothing comes after a copy but what waited for it. */
static void order_copies(struct maker *m)
{
    if (m->copy_w == 0)
        return;
    for (unsigned o = 0; o < ORDERS; o++) {
        m->po_of[o] = m->po;
        for (set c = o == IN_TURN ? 0 : m->copy_w; c; c &= c - 1) {
            unsigned w = (unsigned)__builtin_ctzll(c), younger = 0;
            for (set later = m->po.row[w]; later; later &= later - 1) {
                unsigned i = (unsigned)__builtin_ctzll(later);
                if (completes(m, (enum order)o, i, younger))
                    break;
                younger += m->copy_w >> i & 1;
                m->po_of[o].row[w] &= ~((set)1 << i);
            }
        }
        for (unsigned i = 0; i < m->n; i++)
            m->po_loc_of[o].row[i] = m->po_of[o].row[i] & m->same_var[i];
    }
    in_order(m, RMO);
}

/* The picked traces as one execution: sets and the relations that do not depend on rf and co. */
static void execute(struct maker *m)
{
    if (!list_events(m)) {
        fail(m, "more than 64 events in an execution");
        return;
    }
    m->all = m->R = m->W = m->F = m->B = m->IW = m->atomic = m->rlx = 0;
    m->scacq = m->screl = m->scar = m->rmw_r = m->rmw_w = m->copy_r = m->copy_w = 0;
    memset(m->at, 0, sizeof m->at);
    memset(m->flat_at, 0, sizeof m->flat_at);
    for (unsigned i = 0; i < m->n; i++)
        classify(m, i);
    m->M = m->R | m->W;
    unsigned first[HD_LISA_PROCS] = {0}; /* event of each process */
    for (unsigned i = m->n; i-- > 0;)
        if (m->proc[i] >= 0)
            first[m->proc[i]] = i;
    for (unsigned i = 0; i < m->n; i++) {
        const struct event *a = m->event[i];
        set same_proc = 0, same_var = 0, later = ~(((set)2 << i) - 1) & m->all;
        if (i == EVENTS - 1)
            later = 0;
        for (int s = 0; s < HD_LISA_SCOPES; s++)
            m->inst[s].row[i] = 0;
        for (unsigned j = 0; j < m->n; j++) {
            set bit = (set)1 << j;
            same_proc |= m->proc[i] >= 0 && m->proc[i] == m->proc[j] ? bit : 0;
            same_var |= a->var >= 0 && a->var == m->event[j]->var ? bit : 0;
            for (int s = 0; s < HD_LISA_SCOPES; s++)
                if (m->proc[i] >= 0 && m->proc[j] >= 0 &&
                    m->t->instance[s][m->proc[i]] == m->t->instance[s][m->proc[j]])
                    m->inst[s].row[i] |= bit;
        }
        m->same_proc[i] = same_proc;
        m->same_var[i] = same_var;
        m->po.row[i] = same_proc & later;
        m->po_loc.row[i] = m->po.row[i] & same_var;
        m->rmw.row[i] = a->rmw && a->kind == EV_READ ? (set)1 << (i + 1) : 0;
        m->dp.row[i] = m->rf.row[i] = 0;
    }
    join_barriers(m);
    order_copies(m);
    m->reads = 0;
    for (unsigned i = 0; i < m->n; i++) {
        const struct event *e = m->event[i];
        for (uint32_t d = e->deps; d; d &= d - 1)
            m->dp.row[first[m->proc[i]] + (unsigned)__builtin_ctz(d)] |= (set)1 << i;
        if (e->kind != EV_READ)
            continue;
        m->writers[i] = 0;
        for (unsigned w = 0; w < m->n; w++) /* not from an own later write: every model forbids it */
            if (m->event[w]->kind == EV_WRITE && m->event[w]->var == e->var && m->event[w]->value == e->value &&
                !(m->po.row[i] >> w & 1))
                m->writers[i] |= (set)1 << w;
        if (m->writers[i] == 0)
            return;
        m->read[m->reads++] = i;
    }
    choose_rf(m, 0);
}

/* @needed, @written: values read and written by the processes before @p. */
static void choose_traces(struct maker *m, unsigned p, const set *needed, const set *written)
{
    if (p == m->t->procs) {
        execute(m);
        return;
    }
    for (unsigned i = 0; i < m->traces[p] && !m->failed; i++) {
        const struct trace *t = m->picked[p] = &m->trace[p][i];
        set need[HD_LISA_VARS], have[HD_LISA_VARS], missing = 0;
        for (unsigned v = 0; v < m->t->vars; v++) {
            need[v] = needed[v] | t->reads[v];
            have[v] = written[v] | t->writes[v];
            missing |= need[v] & ~(have[v] | m->writable[p + 1][v]);
        }
        if (!missing)
            choose_traces(m, p + 1, need, have);
    }
}

static set value_bit(const struct maker *m, const struct event *e)
{
    const struct values *d = &m->domain[e->var];
    unsigned i = 0;
    while (d->value[i] != e->value)
        i++;
    return (set)1 << i;
}

/* All executions of the traces. */
static void choose_executions(struct maker *m)
{
    set none[HD_LISA_VARS] = {0}, initial[HD_LISA_VARS];
    for (unsigned v = 0; v < m->t->vars; v++)
        initial[v] = 1; /* the first value of a domain */
    for (unsigned p = m->t->procs; p-- > 0;) {
        memcpy(m->writable[p], m->writable[p + 1], sizeof m->writable[p]);
        for (unsigned i = 0; i < m->traces[p]; i++) {
            struct trace *t = &m->trace[p][i];
            for (unsigned k = 0; k < t->events; k++) {
                const struct event *e = &t->event[k];
                if (e->kind == EV_READ)
                    t->reads[e->var] |= value_bit(m, e);
                else if (e->kind == EV_WRITE)
                    t->writes[e->var] |= value_bit(m, e);
            }
            for (unsigned v = 0; v < m->t->vars; v++)
                m->writable[p][v] |= t->writes[v];
        }
    }
    choose_traces(m, 0, none, initial);
}

/* ---- traces ------------------------------------------------------------------------------------------------------ */

static void grow_domain(struct maker *m, int var, uint32_t value)
{
    struct values *d = &m->domain[var];
    for (unsigned i = 0; i < d->count; i++)
        if (d->value[i] == value)
            return;
    if (d->count == VALUES) {
        fail(m, "a variable can have more than 64 values");
        return;
    }
    d->value[d->count++] = value;
    m->grown = true;
}

/* A process on its way. */
struct state {
    unsigned pc, steps;
    uint32_t from[HD_LISA_REGS]; /* reads the register's value depends on */
    uint32_t control;            /* reads that branches depended on */
    uint8_t back[HD_LISA_INSTRS], anew[HD_LISA_INSTRS]; /* rounds, at most BACK; with other registers than all before */
    uint64_t at_back[HD_LISA_INSTRS][BACK_ANEW];        /* sums of the registers then */
    struct trace trace;
};

static uint32_t value_of(const struct state *s, const struct hd_lisa_arg *a, uint32_t *from)
{
    if (a->is == HD_LISA_IS_INT)
        return (uint32_t)a->n;
    if (a->is == HD_LISA_IS_VAR)
        return hd_lisa_address((unsigned)a->n);
    *from |= s->from[a->n];
    return s->trace.reg[a->n];
}

static uint32_t result_of(const struct state *s, const struct hd_lisa_expr *e, uint32_t *from)
{
    uint32_t a = value_of(s, &e->a, from), b = e->fn == HD_LISA_VALUE ? 0 : value_of(s, &e->b, from);
    return hd_lisa_apply(e->fn, a, b);
}

static void keep_trace(struct maker *m, unsigned p, const struct trace *t)
{
    if (m->traces[p] == TRACES) {
        fail(m, "a process has more than 65536 traces");
        return;
    }
    if (m->traces[p] == m->room_traces[p]) {
        unsigned room = 2 * m->room_traces[p] + 16;
        struct trace *more = realloc(m->trace[p], room * sizeof *more);
        if (!more) {
            fail(m, "no memory");
            return;
        }
        m->trace[p] = more;
        m->room_traces[p] = room;
    }
    m->trace[p][m->traces[p]++] = *t;
}

static struct event *new_event(struct maker *m, struct state *s, enum event_kind kind, const struct hd_lisa_instr *i,
                               int var, uint32_t deps)
{
    if (s->trace.events == TRACE_EVENTS) {
        fail(m, "more than 24 events in a process");
        return NULL;
    }
    struct event *e = &s->trace.event[s->trace.events++];
    *e = (struct event){.kind = kind, .instr = i, .var = var, .deps = deps | s->control, .rmw = i->kind == HD_LISA_RMW};
    return e;
}

static void walk(struct maker *m, unsigned p, const struct state *before);

/* A load or RMW: one way on for each value the variable can have. */
static void read_each(struct maker *m, unsigned p, const struct state *s, const struct hd_lisa_instr *i, int var,
                      uint32_t deps)
{
    for (unsigned k = 0; k < m->domain[var].usable && !m->failed; k++) {
        struct state n = *s;
        struct event *e = new_event(m, &n, EV_READ, i, var, deps);
        if (!e)
            return;
        e->value = m->domain[var].value[k];
        uint32_t self = (uint32_t)1 << (n.trace.events - 1);
        if (i->kind == HD_LISA_COPY) {
            uint32_t none = 0, value = e->value, to = value_of(&n, &i->base, &none);
            int group = hd_lisa_var_at(m->t, to);
            e = new_event(m, &n, EV_WRITE, i, group, self);
            if (!e)
                return;
            e->value = value;
            grow_domain(m, group, value);
            n.pc++;
            walk(m, p, &n);
            continue;
        }
        n.trace.reg[i->reg] = e->value;
        n.from[i->reg] = self;
        if (i->kind == HD_LISA_RMW) {
            uint32_t from = deps;
            uint32_t value = result_of(&n, &i->value, &from);
            e = new_event(m, &n, EV_WRITE, i, var, from);
            if (!e)
                return;
            e->value = value;
            grow_domain(m, var, value);
        }
        n.pc++;
        walk(m, p, &n);
    }
}

/* A backward branch @i is taken. @return whether the trace is worth going on with: a process that comes back with the same registers
 * as before could have done without that round. A loop that only counts goes on to its end. */
static bool go_back(struct maker *m, struct state *s, const struct hd_lisa_instr *i)
{
    uint64_t sum = UINT64_C(14695981039346656037), *known = s->at_back[s->pc];
    unsigned times = s->back[s->pc], k;

    for (unsigned r = 0; r < HD_LISA_REGS; r++)
        sum = (sum ^ s->trace.reg[r]) * UINT64_C(1099511628211);
    for (k = 0; k < s->anew[s->pc]; k++)
        if (known[k] == sum)
            break;
    if (k < s->anew[s->pc]) {
        s->back[s->pc] += times < BACK;
        return times < BACK;
    }
    if (times >= BACK && i->reg >= 0 && s->from[i->reg] == 0)
        return true;
    if (k == BACK_ANEW) {
        fail(m, "a loop that goes on with other values each time");
        return false;
    }
    s->back[s->pc] += times < BACK;
    known[k] = sum;
    s->anew[s->pc]++;
    return true;
}

static void walk(struct maker *m, unsigned p, const struct state *before)
{
    const struct hd_lisa_proc *proc = &m->t->proc[p];
    struct state s = *before;
    while (s.pc < proc->instrs && !m->failed) {
        const struct hd_lisa_instr *i = &proc->instr[s.pc];
        uint32_t deps = 0, address = 0;
        int var = -1;
        if (++s.steps > STEPS) {
            fail(m, "more than 256 instructions in a process");
            return;
        }
        if (i->kind == HD_LISA_LOAD || i->kind == HD_LISA_STORE || i->kind == HD_LISA_RMW) {
            address = value_of(&s, &i->base, &deps) + value_of(&s, &i->index, &deps);
            var = hd_lisa_var_at(m->t, address);
            if (var < 0)
                return; /* the guessed value leads to no variable: no such execution */
        }
        if (i->kind == HD_LISA_COPY) {
            uint32_t none = 0;
            var = hd_lisa_var_at(m->t, value_of(&s, &i->index, &deps));
            if (var < 0 || hd_lisa_var_at(m->t, value_of(&s, &i->base, &none)) < 0)
                return;
        }
        switch (i->kind) {
        case HD_LISA_LOAD:
        case HD_LISA_RMW:
        case HD_LISA_COPY:
            read_each(m, p, &s, i, var, deps);
            return;
        case HD_LISA_STORE: {
            uint32_t value = result_of(&s, &i->value, &deps);
            struct event *e = new_event(m, &s, EV_WRITE, i, var, deps);
            if (!e)
                return;
            e->value = value;
            grow_domain(m, var, value);
            break;
        }
        case HD_LISA_FENCE:
            if (!new_event(m, &s, EV_FENCE, i, -1, 0))
                return;
            break;
        case HD_LISA_BARRIER:
            if (!new_event(m, &s, EV_BARRIER, i, -1, 0))
                return;
            break;
        case HD_LISA_COPY_WAIT:
            if (!new_event(m, &s, EV_WAIT, i, -1, 0))
                return;
            break;
        case HD_LISA_MOV:
            s.trace.reg[i->reg] = result_of(&s, &i->value, &deps);
            s.from[i->reg] = deps;
            break;
        case HD_LISA_BRANCH: {
            bool taken = i->reg < 0 || s.trace.reg[i->reg] != 0;
            if (i->reg >= 0)
                s.control |= s.from[i->reg];
            if (taken && i->target <= s.pc && !go_back(m, &s, i))
                return;
            s.pc = taken ? i->target : s.pc + 1;
            continue;
        }
        default: /* hd_axioms_new() has refused those */
            return;
        }
        s.pc++;
    }
    if (!m->failed)
        keep_trace(m, p, &s.trace);
}

/* Stores that an execution of a process can hold: by its instructions, and by the traces that are known. */
static unsigned stores_of(const struct hd_lisa_proc *proc)
{
    unsigned stores = 0, times = 1;
    for (unsigned i = 0; i < proc->instrs; i++) {
        const struct hd_lisa_instr *in = &proc->instr[i];
        stores += in->kind == HD_LISA_STORE || in->kind == HD_LISA_RMW || in->kind == HD_LISA_COPY;
        if (in->kind == HD_LISA_BRANCH && in->target <= i)
            times += BACK;
    }
    return stores * times;
}

static unsigned stores_in(const struct trace *t)
{
    unsigned stores = 0;
    for (unsigned e = 0; e < t->events; e++)
        stores += t->event[e].kind == EV_WRITE;
    return stores;
}

/* Traces of all processes for values that stores can have. Round 1 knows the initial values, and each round those that the
 * stores of the one before can make of its own: a value that comes from another through n stores is read in round n + 1. No
 * store has part in its own value (no model lets values come from nowhere), so n is at most the number of stores. */
static void make_traces(struct maker *m)
{
    unsigned rounds = 1;
    for (unsigned v = 0; v < m->t->vars; v++)
        grow_domain(m, (int)v, m->t->var[v].init);
    for (unsigned p = 0; p < m->t->procs; p++)
        rounds += stores_of(&m->t->proc[p]);
    m->grown = true;
    for (unsigned round = 0; round < rounds && m->grown && !m->failed; round++) {
        m->grown = false;
        for (unsigned v = 0; v < m->t->vars; v++)
            m->domain[v].usable = m->domain[v].count;
        for (unsigned p = 0; p < m->t->procs; p++) {
            struct state s = {0};
            memcpy(s.trace.reg, m->t->proc[p].init, sizeof s.trace.reg);
            m->traces[p] = 0;
            walk(m, p, &s);
        }
        unsigned stores = 0; /* of counted loops more than their instructions say */
        for (unsigned p = 0; p < m->t->procs; p++) {
            unsigned most = 0;
            for (unsigned t = 0; t < m->traces[p]; t++)
                most = stores_in(&m->trace[p][t]) > most ? stores_in(&m->trace[p][t]) : most;
            stores += most;
        }
        rounds = stores + 1 > rounds ? stores + 1 : rounds;
    }
}

/* ---- interface ---------------------------------------------------------------------------------------------------- */

const char *hd_axioms_name(enum hd_axioms_model m)
{
    static const char *const names[] = {"sc",  "tso",          "rmo",     "drf", "hrf-direct", "hrf-indirect",
                                        "env", "env-indirect", "env-flat"};
    return names[m];
}

static const char *verdict(const struct hd_lisa *t, const struct hd_allowed *a)
{
    size_t holds = 0;
    for (size_t i = 0; i < a->count; i++)
        holds += hd_lisa_holds(t, a->outcome + i * t->items);
    return holds == 0 ? "Never" : holds == a->count ? "Always" : "Sometimes";
}

/* @return whether the models know all instructions of a test; else @error says which they do not. */
static bool is_known(const struct hd_lisa *t, char *error, size_t size)
{
    for (unsigned p = 0; p < t->procs; p++)
        for (unsigned i = 0; i < t->proc[p].instrs; i++)
            if (t->proc[p].instr[i].kind > HD_LISA_BARRIER && t->proc[p].instr[i].kind < HD_LISA_COPY) {
                snprintf(error, size, "no model has persist barriers or transactions (line %u)", t->proc[p].instr[i].line);
                return false;
            }
    return true;
}

struct hd_axioms *hd_axioms_new(const struct hd_lisa *t, unsigned models, char *error, size_t size)
{
    if (!is_known(t, error, size))
        return NULL;
    struct maker *m = calloc(1, sizeof *m);
    struct hd_axioms *a = calloc(1, sizeof *a);
    bool failed = true;
    if (m && a) {
        a->items = t->items;
        m->t = t;
        m->a = a;
        m->models = models;
        m->atomic_for_all = !(models & (1u << HD_AX_ENV | 1u << HD_AX_ENV_INDIRECT | 1u << HD_AX_ENV_FLAT));
        m->error = error;
        m->error_size = size;
        make_traces(m);
        if (!m->failed)
            choose_executions(m);
        for (unsigned p = 0; p < t->procs; p++)
            free(m->trace[p]);
        for (int i = 0; i < HD_AX_MODELS; i++)
            a->model[i].verdict = verdict(t, &a->model[i]);
        failed = m->failed;
    } else
        snprintf(error, size, "no memory");
    free(m);
    if (failed) {
        hd_axioms_free(a);
        return NULL;
    }
    return a;
}

void hd_axioms_free(struct hd_axioms *a)
{
    for (int i = 0; a && i < HD_AX_MODELS; i++)
        free(a->model[i].outcome);
    free(a);
}
