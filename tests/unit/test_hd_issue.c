/* test_hd_issue.c - operation table and scheduler, cycle by cycle against a C scheduler; scoreboard and
 * coalescer are played by the test. */
/* dut: hd_issue Warps=5 Blocks=2 Slots=2 Stalls=1 Persist=1 Tm=1 */
/* dut: hd_issue Warps=6 Blocks=3 Slots=4 Stalls=0 Persist=0 */
/* dut: hd_issue */
#include "hd_unit.h"

#include "hd_issue_dut.h"
#include "hd_access.h"
#include "hd_pkg.h"

#ifndef P_Warps
#define P_Warps 48
#define P_Blocks 8
#define P_Slots 4
#define P_Stalls 0
#define P_Persist 0
#endif
#ifndef P_Tm
#define P_Tm 0
#endif

enum { NONE = -1 };
enum { FULL, LD_PEND, ST_PEND, ACQ_BLOCK, SYNC_PEND }; /* vectors of sb_i */

struct op {
    unsigned kind, fn, order, scope, ro, alu, space;
};

struct mem_slot {
    bool busy, ld, st, acq, sync, copy;
};

struct warp {
    bool live, has, at_barrier, persists; /* persists: waits at a persist barrier */
    unsigned block;
    uint64_t born; /* smaller is older */
    struct op op;
    struct mem_slot slot[P_Slots];
};

/* What the registers of the module must show in this cycle. */
struct outputs {
    bool taken, mem, alu, ctl, stall, flush;
    unsigned taken_warp, taken_slot, mem_warp, mem_slot;
    uint64_t done;
    uint32_t clock;
    bool any_clock, any_mem;
    struct op mem_op;
    unsigned cause[P_Warps];
};

static struct hd_issue d;
static struct warp warp[P_Warps];
static struct outputs out;
static int greedy, rr_last, check_block;
static uint64_t births;
static uint32_t now;
/* what the ordering hardware says of each warp */
static bool order_busy[P_Warps], order_last[P_Warps], order_hold[P_Warps];
/* what hd_copy_groups would say of a COPY_CTL */
static bool groups_open[P_Warps];
/* what the LDS says of a TX_BEGIN; cycles until a warp may issue */
static bool tm_hold[P_Warps];
static unsigned gap[P_Warps];

static void put_sb(unsigned vector, uint64_t warps)
{
    hd_bits_put(d.sb_i, vector * P_Warps, P_Warps, warps);
}

static int setup(void **state)
{
    (void)state;
    memset(warp, 0, sizeof warp);
    memset(&out, 0, sizeof out);
    for (unsigned w = 0; w < P_Warps; w++)
        warp[w].born = w;
    births = P_Warps;
    greedy = check_block = NONE;
    rr_last = P_Warps - 1;
    now = 100;
    memset(order_busy, 0, sizeof order_busy);
    memset(order_last, 0, sizeof order_last);
    memset(order_hold, 0, sizeof order_hold);
    memset(tm_hold, 0, sizeof tm_hold);
    memset(gap, 0, sizeof gap);
    hd_issue_open(&d);
    hd_reset(d.m);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

/* ---- reference -------------------------------------------------------------------------------------- */

static bool is_mem(const struct op *o)
{
    return o->kind == HD_OP_LOAD || o->kind == HD_OP_STORE || o->kind == HD_OP_ATOMIC || o->kind == HD_OP_COPY
           || o->kind == HD_OP_TX_BEGIN || o->kind == HD_OP_TX_COMMIT;
}

static bool pending(const struct warp *w, bool loads, bool stores)
{
    for (int s = 0; s < P_Slots; s++)
        if (w->slot[s].busy && ((loads && w->slot[s].ld) || (stores && w->slot[s].st)))
            return true;
    return false;
}

static bool copying(const struct warp *w)
{
    for (int s = 0; s < P_Slots; s++)
        if (w->slot[s].busy && w->slot[s].copy)
            return true;
    return false;
}

/* It is a COPY_CTL that has to wait. */
static bool groups_wait(const struct warp *w)
{
    return w->op.kind == HD_OP_COPY_CTL && groups_open[w - warp];
}

/* It is a TX_BEGIN that another transaction holds up. */
static bool tx_waits(const struct warp *w)
{
    return w->op.kind == HD_OP_TX_BEGIN && tm_hold[w - warp];
}

static bool acquiring(const struct warp *w)
{
    for (int s = 0; s < P_Slots; s++)
        if (w->slot[s].busy && w->slot[s].acq)
            return true;
    return false;
}

static bool synchronizing(const struct warp *w)
{
    for (int s = 0; s < P_Slots; s++)
        if (w->slot[s].busy && w->slot[s].sync)
            return true;
    return false;
}

static int free_slot(const struct warp *w)
{
    for (int s = 0; s < P_Slots; s++)
        if (!w->slot[s].busy)
            return s;
    return NONE;
}

static bool releases(const struct op *o)
{
    return is_mem(o) && o->scope != HD_SCOPE_WI
           && (o->order == HD_ORD_RELEASE || o->order == HD_ORD_ACQ_REL || o->order == HD_ORD_SEQ_CST);
}

static bool acquires(const struct op *o)
{
    return is_mem(o) && o->scope != HD_SCOPE_WI
           && (o->order == HD_ORD_ACQUIRE || o->order == HD_ORD_ACQ_REL || o->order == HD_ORD_SEQ_CST);
}

static bool synchronizes(const struct op *o)
{
    return releases(o) || acquires(o);
}

/* The memory model lets the waiting operation of @w go. */
static bool ordered(const struct warp *w, unsigned model)
{
    const struct op *o = &w->op;
    const bool rel = releases(o) || (o->kind == HD_OP_FENCE && o->scope != HD_SCOPE_WI);
    const bool behind = model == HD_MODEL_SC_PF || model == HD_MODEL_TYPE; /* ordered behind the coalescer */

    if ((acquiring(w) || (synchronizes(o) && synchronizing(w))) && !behind)
        return false;
    if (model == HD_MODEL_TYPE && (copying(w) || o->kind == HD_OP_COPY) && pending(w, true, true))
        return false;
    if (model == HD_MODEL_TYPE && (o->kind == HD_OP_BARRIER || o->kind == HD_OP_COPY || rel))
        return !order_busy[w - warp];
    if (o->kind == HD_OP_EXIT || o->kind == HD_OP_PBARRIER || rel)
        return !pending(w, true, true);
    if (model == HD_MODEL_RMO || !(is_mem(o) || o->kind == HD_OP_BARRIER))
        return true;
    if (behind)
        return o->kind != HD_OP_BARRIER || model == HD_MODEL_TYPE || !pending(w, true, true);
    if ((model == HD_MODEL_TSO || model == HD_MODEL_TSO_SB) && o->kind == HD_OP_LOAD)
        return !pending(w, true, false);
    if (model == HD_MODEL_TSO_SB && o->kind == HD_OP_STORE)
        return !pending(w, true, false); /* waits for earlier stores in the store buffer */
    return !pending(w, true, true);
}

static bool can_issue(const struct warp *w, unsigned model, bool mem_ready)
{
    if (!w->has || w->at_barrier || w->persists || groups_wait(w) || gap[w - warp] > 0)
        return false;
    if (w->op.alu)
        return true;
    if (!ordered(w, model) || tx_waits(w))
        return false;
    return !is_mem(&w->op) || (mem_ready && free_slot(w) != NONE && !order_hold[w - warp]);
}

static int pick(unsigned model, unsigned sched, bool mem_ready)
{
    int best = NONE;
    if (sched == HD_SCHED_LRR) {
        for (int i = 1; i <= P_Warps && best == NONE; i++)
            if (can_issue(&warp[(rr_last + i) % P_Warps], model, mem_ready))
                best = (rr_last + i) % P_Warps;
        return best;
    }
    if (greedy != NONE && can_issue(&warp[greedy], model, mem_ready))
        return greedy;
    for (int last = 0; last < 2 && best == NONE; last++) /* those with order_last come last */
        for (int w = 0; w < P_Warps; w++)
            if (order_last[w] == (last == 1) && can_issue(&warp[w], model, mem_ready)
                && (best == NONE || warp[w].born < warp[best].born))
                best = w;
    return best;
}

/* Warps the barrier of @block lets go, 0 if one is missing. */
static uint64_t completed_barrier(int block)
{
    uint64_t members = 0;
    for (unsigned w = 0; w < P_Warps; w++)
        if (warp[w].live && (int)warp[w].block == block) {
            if (!warp[w].at_barrier)
                return 0;
            members |= UINT64_C(1) << w;
        }
    return members;
}

/* ---- ports ------------------------------------------------------------------------------------------ */

static unsigned policy(unsigned lsb, unsigned width)
{
    return (unsigned)hd_bits_get(d.policy_i, lsb, width);
}

static void set_model(unsigned model)
{
    hd_bits_put(d.policy_i, HD_POLICY_MODEL_LSB, HD_POLICY_MODEL_W, model);
}

static void set_scheduler(unsigned sched)
{
    hd_bits_put(d.policy_i, HD_POLICY_SCHEDULER_LSB, HD_POLICY_SCHEDULER_W, sched);
}

/* An event: ALU, memory, control, stall of the pipe. */
static bool ev(unsigned number)
{
    return *d.ev_o >> number & 1;
}

/* What the scoreboard is told of what issues. */
static bool is_told(unsigned lsb)
{
    return *d.issue_o >> lsb & 1;
}

/* ---- driving ---------------------------------------------------------------------------------------- */

static struct hd_access offered(void)
{
    return hd_access_unpack(hd_bits_get(d.op_acc_i, 0, HD_ACCESS_W));
}

static void offer(unsigned w, const struct op *o)
{
    *d.op_valid_i = 1;
    hd_bits_put(d.op_acc_i, 0, HD_ACCESS_W, hd_access_pack((struct hd_access){
                    .warp = w, .kind = o->kind, .fn = o->fn, .order = o->order, .scope = o->scope, .ro = o->ro, .space = o->space}));
    *d.op_alu_i = (uint16_t)o->alu;
}

static void offer_kind(unsigned w, unsigned kind, unsigned alu)
{
    struct op o = {.kind = kind, .alu = alu, .scope = HD_SCOPE_DEVICE};
    offer(w, &o);
}

static void offer_launch(unsigned w, unsigned block)
{
    offer_kind(w, HD_OP_LAUNCH, 0);
    *d.op_block_i = (uint8_t)block;
}

/* A memory operation could issue but for the pipe. */
static bool stalled(unsigned model, bool mem_ready)
{
    for (unsigned w = 0; w < P_Warps; w++)
        if (!mem_ready && can_issue(&warp[w], model, true) && !can_issue(&warp[w], model, false))
            return true;
    return false;
}

/* What hd_stalls is to say of @w when warp @issuer issues; the order of the causes has a test of its own. */
static unsigned cause_of(unsigned w, int issuer, unsigned model, bool mem_ready)
{
    const struct warp *p = &warp[w];

    if (P_Stalls == 0 || !p->live)
        return HD_STALL_EMPTY;
    if ((int)w == issuer)
        return HD_STALL_ISSUED;
    if (p->at_barrier || p->persists)
        return HD_STALL_BARRIER;
    if (p->has && groups_wait(p))
        return HD_STALL_COPY;
    if (!p->has)
        return !pending(p, true, false) ? HD_STALL_FRONT : order_busy[w] ? HD_STALL_QUEUED : HD_STALL_DATA;
    if (can_issue(p, model, mem_ready))
        return HD_STALL_SELECT;
    if (gap[w] > 0)
        return HD_STALL_GAP;
    if (tx_waits(p))
        return HD_STALL_TOKEN;
    if (!ordered(p, model))
        return !is_mem(&p->op) || releases(&p->op) || acquiring(p) || (synchronizes(&p->op) && synchronizing(p)) ? HD_STALL_SYNC : HD_STALL_ORDER;
    return free_slot(p) == NONE ? HD_STALL_SLOTS : order_hold[w] ? HD_STALL_HOLD : HD_STALL_PIPE;
}

static void check_outputs(unsigned model, int issuer)
{
    bool can_any = check_block != NONE;
    bool settled = true;
    for (unsigned w = 0; w < P_Warps; w++)
        can_any = can_any || can_issue(&warp[w], model, *d.mem_ready_i) || gap[w] > 0;
    assert_int_equal(*d.op_taken_o, out.taken);
    if (out.taken) {
        assert_int_equal(*d.op_taken_warp_o, out.taken_warp);
        assert_int_equal(*d.op_taken_slot_o, out.taken_slot);
    }
    assert_int_equal(*d.ctl_done_o, out.done);
    if (out.any_clock)
        assert_int_equal(*d.ctl_clock_o, out.clock);
    assert_int_equal(*d.flush_o, out.flush);
    assert_int_equal(*d.mem_valid_o, out.mem);
    if (out.any_mem) { /* holds after the pulse */
        const struct hd_access acc = hd_access_unpack(hd_bits_get(d.mem_acc_o, 0, HD_ACCESS_W));
        const struct hd_access want = {.warp = out.mem_warp, .slot = out.mem_slot, .kind = out.mem_op.kind,
                                       .fn = out.mem_op.fn, .order = out.mem_op.order, .scope = out.mem_op.scope,
                                       .ro = out.mem_op.ro, .space = out.mem_op.space};
        assert_true(hd_access_pack(acc) == hd_access_pack(want));
    }
    assert_int_equal(ev(0), out.alu);
    assert_int_equal(ev(1), out.mem);
    assert_int_equal(ev(2), out.ctl);
    assert_int_equal(ev(3), out.stall);
    for (unsigned w = 0; w < P_Warps; w++) {
        unsigned cause = 0;
        for (unsigned b = 0; b < 4; b++)
            cause |= (unsigned)hd_bits_get(d.cause_o, b * P_Warps + w, 1) << b;
        assert_int_equal(cause, out.cause[w]);
        settled = settled && cause_of(w, issuer, model, *d.mem_ready_i) == out.cause[w];
    }
    assert_int_equal(*d.idle_o, !can_any && *d.pb_done_i == 0 && !out.taken && !out.done && !out.flush && !out.alu &&
                                    out.stall == stalled(model, *d.mem_ready_i) && settled);
}

/* One cycle: scoreboard vectors and slot from the reference, compare, edge, step the reference.
 * Takes the operation on the port, if any. Returns the warp that issued, or NONE. */
static int cycle(bool mem_ready)
{
    unsigned model = policy(HD_POLICY_MODEL_LSB, HD_POLICY_MODEL_W), sched = policy(HD_POLICY_SCHEDULER_LSB, HD_POLICY_SCHEDULER_W);
    uint64_t full = 0, ld = 0, st = 0, acq = 0, sync = 0, busy = 0, last = 0, hold = 0, is_copy = 0, waits = 0, copies = 0;
    uint64_t persist = 0, persisted = 0, token = 0;
    for (unsigned w = 0; w < P_Warps; w++) {
        uint64_t bit = UINT64_C(1) << w;
        full |= free_slot(&warp[w]) == NONE ? bit : 0;
        ld |= pending(&warp[w], true, false) ? bit : 0;
        st |= pending(&warp[w], false, true) ? bit : 0;
        acq |= acquiring(&warp[w]) ? bit : 0;
        sync |= synchronizing(&warp[w]) ? bit : 0;
        busy |= order_busy[w] ? bit : 0;
        last |= order_last[w] ? bit : 0;
        hold |= order_hold[w] ? bit : 0;
        is_copy |= warp[w].op.kind == HD_OP_COPY ? bit : 0;
        waits |= groups_wait(&warp[w]) ? bit : 0;
        copies |= copying(&warp[w]) ? bit : 0;
        token |= tm_hold[w] ? bit : 0;
        persist |= warp[w].persists ? bit : 0;
        persisted |= warp[w].persists && hd_rand_below(8) == 0 ? bit : 0;
    }
    put_sb(FULL, full);
    put_sb(LD_PEND, ld);
    put_sb(ST_PEND, st);
    put_sb(ACQ_BLOCK, acq);
    put_sb(SYNC_PEND, sync);
    *d.order_busy_i = busy;
    *d.order_last_i = last;
    *d.order_hold_i = hold;
    *d.copy_is_i = is_copy;
    *d.copy_wait_i = waits;
    *d.copy_pend_i = copies;
    *d.tm_hold_i = token;
    *d.pb_wait_i = persist;
    *d.pb_done_i = persisted;
    *d.mem_ready_i = mem_ready;
    *d.now_i = now += 0x9e3779b1; /* any 32 bits, another in every cycle */

    int w = pick(model, sched, mem_ready);
    bool alu = w != NONE && warp[w].op.alu;
    bool mem = w != NONE && !alu && is_mem(&warp[w].op);
    *d.issue_slot_i = mem ? (uint8_t)free_slot(&warp[w]) : 0;
    hd_eval(d.m);
    check_outputs(model, w);
    assert_int_equal(*d.issue_valid_o, mem);
    if (mem) {
        assert_int_equal(*d.issue_warp_o, w);
        assert_int_equal(is_told(HD_ISSUE_MEM_LD_LSB), warp[w].op.kind != HD_OP_STORE);
        assert_int_equal(is_told(HD_ISSUE_MEM_ST_LSB), warp[w].op.kind != HD_OP_LOAD);
        assert_int_equal(is_told(HD_ISSUE_MEM_ACQ_LSB), acquires(&warp[w].op));
        assert_int_equal(is_told(HD_ISSUE_MEM_SYNC_LSB), synchronizes(&warp[w].op));
    }

    const bool control = w != NONE && !alu && !mem, barrier = control && warp[w].op.kind == HD_OP_PBARRIER;
    const bool leaves = control && warp[w].op.kind == HD_OP_EXIT;
    assert_int_equal(*d.pb_o >> HD_ISSUE_PB_ARRIVE_LSB & 1, barrier);
    assert_int_equal(*d.pb_o >> HD_ISSUE_PB_LEAVE_LSB & 1, leaves);
    if (barrier) {
        assert_int_equal(*d.issue_warp_o, w);
        assert_int_equal(hd_bits_get(d.pb_o, HD_ISSUE_PB_SCOPE_LSB, HD_ISSUE_PB_SCOPE_W), warp[w].op.scope);
    }

    /* the edge */
    out.stall = stalled(model, mem_ready);
    for (unsigned i = 0; i < P_Warps; i++)
        out.cause[i] = cause_of(i, w, model, mem_ready);
    out.alu = alu;
    out.mem = mem;
    out.ctl = w != NONE && !alu && !mem;
    out.taken = mem || out.ctl;
    for (unsigned i = 0; i < P_Warps; i++)
        gap[i] = (int)i == w && P_Tm ? policy(HD_POLICY_ISSUE_GAP_LSB, HD_POLICY_ISSUE_GAP_W) : gap[i] - (gap[i] > 0);
    out.done = 0;
    if (check_block != NONE) {
        out.done = completed_barrier(check_block);
        for (unsigned i = 0; i < P_Warps; i++)
            if (out.done >> i & 1)
                warp[i].at_barrier = false;
        check_block = NONE;
    }
    out.done |= persisted;
    for (unsigned i = 0; i < P_Warps; i++)
        warp[i].persists = warp[i].persists && !(persisted >> i & 1);
    if (w != NONE) {
        struct warp *p = &warp[w];
        greedy = w;
        rr_last = sched == HD_SCHED_LRR ? w : rr_last;
        if (alu)
            p->op.alu--;
        else
            p->has = false;
        out.taken_warp = alu ? out.taken_warp : (unsigned)w;
        out.taken_slot = mem ? (unsigned)*d.issue_slot_i : 0;
        if (mem) {
            p->slot[*d.issue_slot_i] = (struct mem_slot){
                true, p->op.kind != HD_OP_STORE, p->op.kind != HD_OP_LOAD, acquires(&p->op),
                synchronizes(&p->op), p->op.kind == HD_OP_COPY};
            out.any_mem = true;
            out.mem_warp = (unsigned)w;
            out.mem_slot = *d.issue_slot_i;
            out.mem_op = p->op;
        }
        if (out.ctl && p->op.kind == HD_OP_BARRIER)
            p->at_barrier = true;
        if (out.ctl && p->op.kind == HD_OP_EXIT)
            p->live = false;
        if (out.ctl && (p->op.kind == HD_OP_BARRIER || p->op.kind == HD_OP_EXIT))
            check_block = (int)p->block;
        p->persists = p->persists || barrier;
        if (out.ctl && p->op.kind != HD_OP_BARRIER && !barrier)
            out.done |= UINT64_C(1) << w;
        if (out.ctl && p->op.kind == HD_OP_CLOCK) {
            out.any_clock = true;
            out.clock = now;
        }
    }
    out.flush = *d.op_valid_i && offered().kind == HD_OP_FLUSH;
    if (*d.op_valid_i && offered().kind == HD_OP_LAUNCH) {
        unsigned l = offered().warp;
        warp[l].live = true;
        warp[l].block = *d.op_block_i;
        warp[l].born = births++;
        greedy = greedy == (int)l ? NONE : greedy;
    } else if (*d.op_valid_i && !out.flush) {
        struct warp *p = &warp[offered().warp];
        p->has = true;
        p->op = (struct op){offered().kind, offered().fn, offered().order, offered().scope, offered().ro, *d.op_alu_i, offered().space};
    }
    hd_edge(d.m);
    *d.op_valid_i = 0;
    *d.pb_done_i = 0;
    return w;
}

static void launch(unsigned w, unsigned block)
{
    offer_launch(w, block);
    cycle(true);
}

/* ---- directed ---------------------------------------------------------------------------------------- */

static void alu_instructions_take_a_slot_each_before_the_operation(void **state)
{
    (void)state;
    launch(1, 0);
    offer_kind(1, HD_OP_LOAD, 3);
    assert_int_equal(cycle(true), NONE); /* arrives */
    for (int i = 0; i < 4; i++) {
        assert_int_equal(*d.op_taken_o, 0);
        assert_int_equal(cycle(true), 1);
        assert_int_equal(ev(0), i < 3);
    }
    assert_int_equal(*d.op_taken_o, 1);
    assert_int_equal(*d.mem_valid_o, 1);
    offer_kind(1, HD_OP_NOP, 300);
    cycle(true);
    for (int i = 0; i < 300; i++) {
        cycle(true);
        assert_int_equal(ev(0), 1);
    }
    cycle(true);
    assert_int_equal(*d.ctl_done_o, 2);
}

/* DRF, HRF: the operation @kind of warp 0 with @order and @scope; @fence: a fence must go in front of it. */
static void fence_in_front(unsigned model, unsigned kind, unsigned order, unsigned scope, unsigned space, bool fence)
{
    struct op o = {.kind = kind, .order = order, .scope = scope, .space = space};
    const bool memory = kind == HD_OP_LOAD || kind == HD_OP_STORE || kind == HD_OP_ATOMIC;

    hd_reset(d.m);
    set_model(model);
    *d.mem_ready_i = 1;
    offer_launch(0, 0);
    hd_edge(d.m);
    offer(0, &o);
    hd_edge(d.m);
    *d.op_valid_i = 0;
    hd_eval(d.m);
    if (fence) {
        assert_true(*d.issue_valid_o && is_told(HD_ISSUE_MEM_ST_LSB) && !is_told(HD_ISSUE_MEM_LD_LSB) && !is_told(HD_ISSUE_MEM_ACQ_LSB));
        hd_edge(d.m);
        const struct hd_access acc = hd_access_unpack(hd_bits_get(d.mem_acc_o, 0, HD_ACCESS_W));
        assert_true(*d.mem_valid_o && !*d.op_taken_o && *d.ctl_done_o == 0);
        assert_int_equal(*d.idle_o, 0);
        assert_true(acc.kind == HD_OP_FENCE && acc.scope == HD_SCOPE_DEVICE && acc.space == HD_SPACE_GLOBAL);
        assert_int_equal(acc.order, kind == HD_OP_FENCE ? order : HD_ORD_RELEASE);
        put_sb(ST_PEND, 1); /* until the L1 has done it */
        hd_eval(d.m);
        assert_int_equal(*d.idle_o, 0); /* nothing can issue, but the fence is on its way */
        for (unsigned i = 0; i < 3; i++) {
            hd_eval(d.m);
            assert_false(*d.issue_valid_o);
            hd_edge(d.m);
            assert_true(!*d.mem_valid_o && !*d.op_taken_o && *d.ctl_done_o == 0);
        }
        put_sb(ST_PEND, 0);
        hd_eval(d.m);
    }
    assert_int_equal(*d.issue_valid_o, memory);
    hd_edge(d.m);
    assert_int_equal(*d.op_taken_o, 1);
    assert_int_equal(*d.mem_valid_o, memory);
    assert_int_equal(*d.ctl_done_o, !memory);
    if (memory)
        assert_int_equal(hd_access_unpack(hd_bits_get(d.mem_acc_o, 0, HD_ACCESS_W)).kind, kind);
}

/* DRF, HRF: an acquire, an atomic of any order waits for synchronization of its warp, and for nothing else. */
static void under_drf_synchronization_waits_for_synchronization(void **state)
{
    static const struct {
        unsigned kind, order;
        bool waits;
    } c[] = {{HD_OP_LOAD, HD_ORD_ACQUIRE, true}, {HD_OP_ATOMIC, HD_ORD_RELAXED, true}, {HD_OP_ATOMIC, HD_ORD_ACQUIRE, true},
             {HD_OP_LOAD, HD_ORD_RELAXED, false}, {HD_OP_STORE, HD_ORD_RELAXED, false},
             {HD_OP_COPY, HD_ORD_RELAXED, false}};

    (void)state;
    for (unsigned i = 0; i < sizeof c / sizeof c[0]; i++) {
        struct op o = {.kind = c[i].kind, .order = c[i].order, .scope = HD_SCOPE_DEVICE};
        hd_reset(d.m);
        set_model(HD_MODEL_DRF);
        *d.mem_ready_i = 1;
        offer_launch(0, 0);
        hd_edge(d.m);
        offer(0, &o);
        hd_edge(d.m);
        *d.op_valid_i = 0;
        for (unsigned v = LD_PEND; v <= SYNC_PEND; v++)
            put_sb(v, v != ACQ_BLOCK); /* of data and of synchronization */
        hd_eval(d.m);
        assert_int_equal(*d.issue_valid_o, !c[i].waits);
        put_sb(SYNC_PEND, 0);
        hd_eval(d.m);
        assert_true(*d.issue_valid_o);
        assert_int_equal(is_told(HD_ISSUE_MEM_SYNC_LSB), c[i].waits);
        put_sb(LD_PEND, 0);
        put_sb(ST_PEND, 0);
    }
}

static void under_drf_a_release_of_the_device_sends_a_fence_to_the_l1_first(void **state)
{
    enum { GLOBAL = HD_SPACE_GLOBAL, LDS = HD_SPACE_LDS, WG = HD_SCOPE_WG, DEVICE = HD_SCOPE_DEVICE };

    (void)state;
    fence_in_front(HD_MODEL_DRF, HD_OP_STORE, HD_ORD_RELEASE, DEVICE, GLOBAL, true);
    fence_in_front(HD_MODEL_DRF, HD_OP_ATOMIC, HD_ORD_ACQ_REL, WG, GLOBAL, true);
    fence_in_front(HD_MODEL_HRF, HD_OP_ATOMIC, HD_ORD_SEQ_CST, DEVICE, GLOBAL, true);
    fence_in_front(HD_MODEL_HRF, HD_OP_ATOMIC, HD_ORD_ACQ_REL, WG, GLOBAL, false);
    fence_in_front(HD_MODEL_DRF, HD_OP_LOAD, HD_ORD_ACQUIRE, DEVICE, GLOBAL, false);
    fence_in_front(HD_MODEL_DRF, HD_OP_STORE, HD_ORD_RELAXED, DEVICE, GLOBAL, false);
    fence_in_front(HD_MODEL_DRF, HD_OP_STORE, HD_ORD_RELEASE, HD_SCOPE_WI, GLOBAL, false);
    fence_in_front(HD_MODEL_DRF, HD_OP_ATOMIC, HD_ORD_ACQ_REL, DEVICE, LDS, false);
    fence_in_front(HD_MODEL_RMO, HD_OP_STORE, HD_ORD_RELEASE, DEVICE, GLOBAL, false);
    fence_in_front(HD_MODEL_DRF, HD_OP_FENCE, HD_ORD_ACQUIRE, DEVICE, GLOBAL, true);
    fence_in_front(HD_MODEL_HRF, HD_OP_FENCE, HD_ORD_SEQ_CST, DEVICE, GLOBAL, true);
    fence_in_front(HD_MODEL_HRF, HD_OP_FENCE, HD_ORD_SEQ_CST, WG, GLOBAL, false);
    fence_in_front(HD_MODEL_DRF, HD_OP_EXIT, HD_ORD_RELAXED, HD_SCOPE_WI, GLOBAL, true);
    fence_in_front(HD_MODEL_SC, HD_OP_EXIT, HD_ORD_RELAXED, HD_SCOPE_WI, GLOBAL, false);
    hd_reset(d.m);
}

/* DRF: only the SM's last live warp sends a fence for its exit; none may be lost when warps come and go meanwhile. */
static void under_drf_the_last_warp_to_leave_releases_for_all(void **state)
{
    bool live[P_Warps] = {0}, has[P_Warps] = {0};
    bool sent = false, uncovered = false; /* the last warp's fence was sent; a warp has left since */
    unsigned lives = 0, fences = 0, again = 0, silent = 0, ends = 0, passed = 0;
    uint64_t waiting = 0; /* of a fence */

    (void)state;
    hd_reset(d.m);
    set_model(HD_MODEL_DRF);
    for (int i = 0; i < 20000; i++) {
        const unsigned w = P_Warps - 1 - (unsigned)hd_rand_below(5); /* few: all leave now and then */

        if (!live[w] && !(*d.ctl_done_o >> w & 1) && hd_rand_below(i / 500 % 2 ? 60 : 8) == 0) {
            offer_launch(w, w % P_Blocks);
        } else if (live[w] && !has[w] && hd_rand_below(4) == 0) {
            struct op o = {.kind = HD_OP_EXIT, .scope = HD_SCOPE_WI};
            offer(w, &o);
        }
        if (hd_rand_below(4) == 0)
            waiting = 0;
        put_sb(ST_PEND, waiting);
        *d.mem_ready_i = hd_rand_below(4) != 0;
        hd_eval(d.m);
        const bool fence = *d.issue_valid_o;
        const unsigned issuer = *d.issue_warp_o;

        if (fence) {
            assert_true(lives == 1 && live[issuer] && has[issuer] && !waiting);
            assert_true(!sent || uncovered); /* none too many */
            again += sent;
            fences++;
            waiting = UINT64_C(1) << issuer;
            sent = true;
            uncovered = false;
        }
        if (*d.op_valid_i && offered().kind == HD_OP_LAUNCH) {
            live[w] = true;
            lives++;
        } else if (*d.op_valid_i) {
            has[w] = true;
        }
        hd_edge(d.m);
        *d.op_valid_i = 0;
        if (*d.op_taken_o) {
            const unsigned gone = *d.op_taken_warp_o;

            assert_true(live[gone] && has[gone] && *d.ctl_done_o == UINT64_C(1) << gone);
            live[gone] = has[gone] = false;
            lives--;
            /* a launch in the cycle of the exit is after it */
            if (waiting >> gone & 1)
                fail_msg("exit of warp %u before its fence is done", gone);
            silent += lives != 0;
            uncovered = uncovered || lives != 0;
            passed += lives != 0 && sent; /* while the last one's fence was under way or done */
            if (lives == 0) {
                assert_true(sent && !uncovered);
                ends++;
            }
            sent = sent && lives != 0;
        }
    }
    assert_true(lives != 0 || fences == ends + again);
    if (!(ends > 100 && silent > 400 && passed > 100 && again > 20))
        fail_msg("%u fences, %u ends, %u silent, %u passed a fence, %u fences again", fences, ends, silent, passed, again);
    hd_reset(d.m);
}

static void gto_stays_with_the_last_warp_then_takes_the_oldest(void **state)
{
    (void)state;
    const unsigned order[] = {2, 0, 3, 1}; /* by launch */
    for (unsigned i = 0; i < 4; i++)
        launch(order[i], 0);
    for (unsigned w = 0; w < 4; w++) {
        offer_kind(w, HD_OP_NOP, 2);
        /* warp 0 starts in the cycle after its arrival and is greedy from then on */
        assert_int_equal(cycle(true), w == 0 ? NONE : 0);
    }
    for (unsigned i = 0; i < 9; i++) { /* then 2 (oldest), 3, 1, three slots each */
        const int want[] = {2, 3, 1};
        assert_int_equal(cycle(true), want[i / 3]);
    }
    assert_int_equal(cycle(true), NONE);
}

static void a_slot_launched_anew_is_the_youngest_even_if_it_issued_last(void **state)
{
    (void)state;
    launch(0, 0);
    launch(1, 0);
    offer_kind(0, HD_OP_EXIT, 0);
    cycle(true);
    assert_int_equal(cycle(true), 0);
    launch(0, 1);
    offer_kind(0, HD_OP_LOAD, 0); /* both loads wait for the pipe */
    cycle(false);
    offer_kind(1, HD_OP_LOAD, 0);
    cycle(false);
    assert_int_equal(cycle(false), NONE);
    assert_int_equal(ev(3), 1);
    assert_int_equal(cycle(true), 1);
    assert_int_equal(cycle(true), 0);
}

static void gto_takes_a_warp_with_unsafe_accesses_only_if_no_other_can(void **state)
{
    (void)state;
    for (unsigned w = 0; w < 3; w++)
        launch(w, 0);
    order_last[0] = order_hold[1] = true;
    for (unsigned w = 0; w < 3; w++) {
        offer_kind(w, HD_OP_LOAD, 0);
        cycle(false);
    }
    assert_int_equal(cycle(true), 2); /* 1 may not, 0 is preferred to nobody */
    assert_int_equal(cycle(true), 0);
    assert_int_equal(cycle(true), NONE);
    order_hold[1] = false;
    assert_int_equal(cycle(true), 1);
    order_last[1] = true; /* it issued last: it stays */
    launch(3, 0);
    for (unsigned w = 1; w < 4; w += 2) {
        offer_kind(w, HD_OP_NOP, 2);
        cycle(true);
    }
    assert_int_equal(cycle(true), 1);
}

static void lrr_takes_turns(void **state)
{
    (void)state;
    set_scheduler(HD_SCHED_LRR);
    for (unsigned w = 0; w < 4; w++)
        launch(w, 0);
    for (unsigned w = 0; w < 4; w++) {
        offer_kind(w, HD_OP_NOP, 8);
        cycle(true);
    }
    int before = cycle(true);
    for (int i = 0; i < 16; i++) {
        int next = cycle(true);
        assert_int_equal(next, (before + 1) % 4);
        before = next;
    }
}

static void an_exit_waits_for_the_counters_and_completes_the_barrier(void **state)
{
    (void)state;
    launch(0, 1);
    launch(1, 1);
    offer_kind(0, HD_OP_BARRIER, 0);
    cycle(true);
    offer_kind(1, HD_OP_STORE, 0);
    cycle(true);
    cycle(true);
    offer_kind(1, HD_OP_EXIT, 0);
    cycle(true);
    for (int i = 0; i < 3; i++)
        assert_int_equal(cycle(true), NONE);
    assert_int_equal(*d.idle_o, 1);
    warp[1].slot[0].busy = false; /* the store completes */
    assert_int_equal(cycle(true), 1);
    assert_int_equal(*d.ctl_done_o, 2);
    cycle(true);
    assert_int_equal(*d.ctl_done_o, 1);
}

static void a_clock_returns_the_cycle_of_its_issue(void **state)
{
    (void)state;
    launch(0, 0);
    offer_kind(0, HD_OP_CLOCK, 2);
    cycle(true);
    cycle(true);
    cycle(true);
    cycle(true);
    assert_int_equal(*d.ctl_done_o, 1);
    assert_int_equal(*d.ctl_clock_o, now);
}

static void every_misuse_trips_an_assertion(void **state)
{
    (void)state;
    if (!hd_has_asserts(d.m))
        return;
    for (int misuse = 0; misuse < 4; misuse++) {
        if (misuse == 1 && P_Persist && P_Tm)
            continue; /* this machine has all */
        hd_reset(d.m);
        offer_launch(0, 0);
        hd_eval(d.m);
        hd_edge(d.m);
        offer_kind(0, HD_OP_LOAD, 5);
        hd_eval(d.m);
        hd_edge(d.m);
        hd_assert_clear(d.m);
        switch (misuse) {
        case 0: offer_kind(0, HD_OP_LOAD, 0); break;     /* its buffer is not empty */
        case 1: offer_kind(1, P_Persist ? HD_OP_TX_COMMIT : HD_OP_PBARRIER, 0); break; /* not in this machine */
        case 2: offer_launch(0, 0); break; /* runs */
        default: offer_kind(P_Warps, HD_OP_NOP, 0);
        }
        hd_eval(d.m);
        hd_edge(d.m);
        if (hd_assert_failures(d.m) == 0)
            fprintf(stderr, "misuse %d was not noticed\n", misuse);
        assert_true(hd_assert_failures(d.m) > 0);
    }
    hd_assert_clear(d.m);
}

/* ---- random ------------------------------------------------------------------------------------------ */

struct coverage {
    unsigned issued[HD_OP_COPY_CTL + 1], waits[HD_OP_COPY_CTL + 1];
    unsigned alu, full, held, preferred, stall, greedy_kept, greedy_left, relaunched_greedy, released, released_by_exit;
    unsigned behind_barrier, idle_waiting, flush, acquire_wait, wi_fence, frozen, gap, token;
};

static struct op random_op(unsigned phase)
{
    static const unsigned kinds[] = {HD_OP_LOAD,  HD_OP_LOAD,   HD_OP_LOAD,    HD_OP_STORE, HD_OP_STORE,
                                     HD_OP_ATOMIC, HD_OP_FENCE, HD_OP_BARRIER, HD_OP_CLOCK, HD_OP_NOP,
                                     HD_OP_COPY,   HD_OP_COPY_CTL, HD_OP_PBARRIER};
    const size_t n = sizeof kinds / sizeof *kinds - (P_Persist ? 0 : 1);
    struct op o;
    o.kind = hd_rand_below(20) == 0 ? HD_OP_EXIT : kinds[hd_rand_below(n)];
    if (P_Tm && hd_rand_below(6) == 0)
        o.kind = hd_rand_below(2) ? HD_OP_TX_BEGIN : HD_OP_TX_COMMIT;
    o.fn = (unsigned)hd_rand_below(12);
    const bool plain = o.kind == HD_OP_TX_BEGIN || o.kind == HD_OP_TX_COMMIT || o.kind == HD_OP_COPY;
    o.order = plain || hd_rand_below(4) ? HD_ORD_RELAXED : (unsigned)hd_rand_below(5);
    o.scope = (unsigned)hd_rand_below(4);
    o.ro = (unsigned)hd_rand_below(2);
    o.space = (unsigned)hd_rand_below(2);
    o.alu = hd_rand_below(phase ? 2 : 4) ? 0 : 1 + (unsigned)hd_rand_below(4);
    return o;
}

static void random_run(unsigned model, unsigned sched, struct coverage *c)
{
    unsigned to_launch[P_Blocks] = {0}; /* warps of the block still to join: its members hold still */
    set_model(model);
    set_scheduler(sched);
    for (int i = 0; i < 25000; i++) {
        unsigned phase = (unsigned)i / 700 % 4; /* 0, 1: quick memory; 2: slow memory; 3: slow pipe */
        hd_bits_put(d.policy_i, HD_POLICY_ISSUE_GAP_LSB, HD_POLICY_ISSUE_GAP_W, i / 2800 % 4 ? phase : 0);

        /* the warp port: one operation a cycle, blocks launched whole */
        unsigned w = (unsigned)hd_rand_below(P_Warps), b = (unsigned)hd_rand_below(P_Blocks);
        for (int tries = 0; tries < 8 && (!warp[w].live || warp[w].has) && hd_rand_below(4); tries++)
            w = (unsigned)hd_rand_below(P_Warps); /* mostly one that can take an operation */
        bool block_live = false, room = false;
        for (unsigned k = 0; k < P_Warps; k++) {
            block_live = block_live || (warp[k].live && warp[k].block == b);
            room = room || !warp[k].live;
        }
        if (!block_live && !to_launch[b] && hd_rand_below(4) == 0)
            to_launch[b] = 1 + (unsigned)hd_rand_below(P_Warps > 8 ? 12 : P_Warps / 2);
        if (!room)
            memset(to_launch, 0, sizeof to_launch);
        unsigned launching = P_Blocks;
        for (unsigned k = 0; k < P_Blocks; k++)
            if (to_launch[k])
                launching = k;
        /* an exit is done, and its warp free, one cycle after its issue */
        bool leaving = warp[w].has || (out.done >> w & 1);
        if (hd_rand_below(400) == 0) {
            offer_kind((unsigned)hd_rand_below(P_Warps), HD_OP_FLUSH, 0);
            c->flush++;
        } else if (launching < P_Blocks && hd_rand_below(2)) {
            if (!warp[w].live && !leaving) {
                c->relaunched_greedy += greedy == (int)w;
                offer_launch(w, launching);
                to_launch[launching]--;
            }
        } else if (warp[w].live && !warp[w].has && !to_launch[warp[w].block]) {
            struct op o = random_op(phase);
            c->behind_barrier += warp[w].at_barrier;
            offer(w, &o);
        }

        /* completions, seen by the scoreboard vectors of this cycle */
        if (hd_rand_below(phase == 2 ? 16 : 2) == 0) {
            struct warp *p = &warp[hd_rand_below(P_Warps)];
            p->slot[hd_rand_below(P_Slots)].busy = false;
        }
        bool mem_ready = hd_rand_below(8) < (phase == 3 ? 2u : 7u);

        /* the ordering hardware; idle warps wait for it now and then */
        for (unsigned n = 0; n < 1 + P_Warps / 8; n++) {
            const unsigned k = (unsigned)hd_rand_below(P_Warps);

            order_busy[k] = hd_rand_below(3) != 0;
            order_last[k] = hd_rand_below(2) != 0;
            order_hold[k] = hd_rand_below(8) < (phase == 2 ? 4 : 1);
            groups_open[k] = hd_rand_below(3) == 0;
            tm_hold[k] = P_Tm && hd_rand_below(2);
        }

        for (unsigned k = 0; k < P_Warps; k++) {
            struct warp *p = &warp[k];
            c->gap += p->has && gap[k] > 0;
            if (!p->has || p->at_barrier || p->persists || p->op.alu)
                continue;
            c->token += ordered(p, model) && tx_waits(p);
            c->waits[p->op.kind] += !ordered(p, model) || groups_wait(p);
            c->acquire_wait += acquiring(p);
            c->full += is_mem(&p->op) && ordered(p, model) && !order_hold[k] && free_slot(p) == NONE;
            c->held += is_mem(&p->op) && ordered(p, model) && order_hold[k] && free_slot(p) != NONE && mem_ready;
            c->wi_fence += p->op.kind == HD_OP_FENCE && p->op.scope == HD_SCOPE_WI && pending(p, true, true);
        }
        int last = greedy;
        struct op was[P_Warps];
        for (unsigned k = 0; k < P_Warps; k++)
            was[k] = warp[k].op;
        bool others = false;
        int oldest = NONE;
        for (int k = 0; k < P_Warps; k++) {
            others = others || (k != last && can_issue(&warp[k], model, mem_ready));
            if (can_issue(&warp[k], model, mem_ready) && (oldest == NONE || warp[k].born < warp[oldest].born))
                oldest = k;
        }
        int exit_block = check_block;
        int issued = cycle(mem_ready);
        c->released += exit_block != NONE && (out.done & (out.done - 1)) != 0;
        if (issued != NONE) {
            c->alu += out.alu;
            if (!out.alu)
                c->issued[was[issued].kind]++;
            c->greedy_kept += issued == last && others;
            c->preferred += sched == HD_SCHED_GTO && issued != last && issued != oldest;
            c->greedy_left += issued != last && last != NONE && warp[last].has;
            c->released_by_exit += out.ctl && was[issued].kind == HD_OP_EXIT && check_block != NONE
                                   && completed_barrier(check_block) != 0;
        }
        c->stall += out.stall;

        /* idle: an edge without new inputs changes nothing at all */
        hd_eval(d.m);
        if (*d.idle_o) {
            for (unsigned k = 0; k < P_Warps; k++)
                c->idle_waiting += warp[k].has || warp[k].at_barrier || warp[k].persists;
            if (hd_rand_below(8) == 0) {
                size_t size[2];
                hd_edge(d.m); /* the vectors of the scoreboard took in the last completion */
                void *before = hd_model_save(d.m, &size[0]);
                hd_edge(d.m);
                void *after = hd_model_save(d.m, &size[1]);
                assert_int_equal(size[0], size[1]);
                assert_memory_equal(before, after, size[0]);
                free(before);
                free(after);
                c->frozen++;
            }
        }
    }
}

static void matches_a_c_scheduler(unsigned sched)
{
    for (unsigned model = HD_MODEL_RMO; model <= HD_MODEL_TYPE; model++) {
        struct coverage c;
        memset(&c, 0, sizeof c);
        teardown(NULL);
        setup(NULL);
        random_run(model, sched, &c);
        assert_true(!P_Tm || (c.gap > 100 && c.token > 100 && c.issued[HD_OP_TX_BEGIN] > 100 && c.issued[HD_OP_TX_COMMIT] > 100));
        for (unsigned kind = 0; kind < HD_OP_LAUNCH; kind++) {
            if (c.issued[kind] <= 20)
                fprintf(stderr, "model %u: kind %u issued %u times\n", model, kind, c.issued[kind]);
            assert_true(c.issued[kind] > 20);
            if (kind <= HD_OP_EXIT && c.waits[kind] <= 20)
                fprintf(stderr, "model %u: kind %u waited %u cycles\n", model, kind, c.waits[kind]);
            assert_true(kind > HD_OP_EXIT || c.waits[kind] > 20);
        }
        assert_true(P_Persist == 0 || (c.issued[HD_OP_PBARRIER] > 100 && c.waits[HD_OP_PBARRIER] > 100));
        assert_true(c.issued[HD_OP_COPY] > 100 && c.issued[HD_OP_COPY_CTL] > 100 && c.waits[HD_OP_COPY_CTL] > 100);
        assert_true(c.alu > 1000 && c.stall > 200 && c.flush > 10 && c.acquire_wait > 100);
        assert_true(c.released > 5 && c.released_by_exit > 2 && c.behind_barrier > 20);
        assert_true(c.idle_waiting > 100 && c.frozen > 10);
        assert_true(model != HD_MODEL_RMO || P_Warps > 6 || (c.full > 100 && c.wi_fence > 10));
        assert_true(sched != HD_SCHED_GTO || (c.greedy_kept > 80 && c.greedy_left > 80));
        assert_true(c.held > 100 && (sched != HD_SCHED_GTO || c.preferred > 8));
        assert_true(sched != HD_SCHED_GTO || P_Warps > 6 || c.relaunched_greedy > 2);
    }
}

static void gto_matches_a_c_scheduler_in_every_model(void **state)
{
    (void)state;
    matches_a_c_scheduler(HD_SCHED_GTO);
}

static void lrr_matches_a_c_scheduler_in_every_model(void **state)
{
    (void)state;
    matches_a_c_scheduler(HD_SCHED_LRR);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(alu_instructions_take_a_slot_each_before_the_operation, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(under_drf_a_release_of_the_device_sends_a_fence_to_the_l1_first, setup, teardown),
        cmocka_unit_test_setup_teardown(under_drf_the_last_warp_to_leave_releases_for_all, setup, teardown),
        cmocka_unit_test_setup_teardown(under_drf_synchronization_waits_for_synchronization, setup, teardown),
        cmocka_unit_test_setup_teardown(gto_stays_with_the_last_warp_then_takes_the_oldest, setup, teardown),
        cmocka_unit_test_setup_teardown(a_slot_launched_anew_is_the_youngest_even_if_it_issued_last, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(gto_takes_a_warp_with_unsafe_accesses_only_if_no_other_can, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(lrr_takes_turns, setup, teardown),
        cmocka_unit_test_setup_teardown(an_exit_waits_for_the_counters_and_completes_the_barrier, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_clock_returns_the_cycle_of_its_issue, setup, teardown),
        cmocka_unit_test_setup_teardown(every_misuse_trips_an_assertion, setup, teardown),
        cmocka_unit_test_setup_teardown(gto_matches_a_c_scheduler_in_every_model, setup, teardown),
        cmocka_unit_test_setup_teardown(lrr_matches_a_c_scheduler_in_every_model, setup, teardown),
    };
    return HD_UNIT_MAIN(argc, argv, t);
}
