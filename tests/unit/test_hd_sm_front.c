/* test_hd_sm_front.c - an operation goes through issue, buffer, coalescer and queue; what was performed comes back. */
/* dut: hd_sm_front Warps=4 Lanes=4 LineWords=8 Slots=2 Blocks=2 LdsRows=3 SplitLds=0 */
/* dut: hd_sm_front Warps=4 Lanes=4 LineWords=8 Slots=2 Blocks=2 LdsRows=3 SplitLds=1 */
/* dut: hd_sm_front Warps=4 Lanes=4 LineWords=8 Slots=2 Blocks=2 LdsRows=3 SplitLds=0 Persist=1 Copies=2 LocalTm=1 */
#include "hd_unit.h"
#include "hd_sm_front_dut.h"
#include "hd_access.h"

#ifndef P_Persist
#define P_Persist 0
#endif
#ifndef P_Copies
#define P_Copies 0
#endif
#ifndef P_LocalTm
#define P_LocalTm 0
#endif
enum {
    WARP = 2,
    OFF_W = 3,
    /* fields of la_body_o */
    DATA_LSB = P_Lanes * 32,
    PLACE_LSB = DATA_LSB + P_LineWords * 32,
    LINE_W = HD_ADDR_W - OFF_W - 2,
    LINE_LSB = HD_SM_FRONT_W_la_body_o - LINE_W,
    MASK_LSB = LINE_LSB - P_Lanes,
    WMASK_LSB = MASK_LSB - P_Lanes * OFF_W - P_LineWords,
    /* fields of op_lanes_i */
    OP_DATA_LSB = P_Lanes * 32,
    OP_ADDR_LSB = OP_DATA_LSB + P_Lanes * 32,
    OP_MASK_LSB = OP_ADDR_LSB + P_Lanes * 32,
    /* fields of dbg_o */
    LD_LSB = 0,
    ST_LSB = P_Warps
};

static struct hd_sm_front d;
static struct {
    unsigned perf_last, stall, rest, full, barrier, copy, copy_wait;
} seen;

static int setup(void **state)
{
    (void)state;
    hd_sm_front_open(&d);
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

static void offer_op(struct hd_access op, unsigned mask)
{
    op.warp = WARP;
    op.space = HD_SPACE_GLOBAL;
    *d.op_valid_i = 1;
    hd_bits_put(d.op_acc_i, 0, HD_ACCESS_W, hd_access_pack(op));
    hd_bits_put(d.op_lanes_i, OP_MASK_LSB, P_Lanes, mask);
    hd_edge(d.m);
    *d.op_valid_i = 0;
    hd_eval(d.m);
}

static void offer(unsigned kind, unsigned mask)
{
    offer_op((struct hd_access){.kind = kind}, mask);
}

/* The access that is offered. */
static void access_is(unsigned line, unsigned mask, unsigned wmask, bool last)
{
    const struct hd_access a = hd_access_unpack(hd_bits_get(d.la_acc_o, 0, HD_ACCESS_W));

    assert_int_equal(*d.la_valid_o, 1);
    assert_int_equal(a.warp, WARP);
    assert_int_equal(a.kind, HD_OP_STORE);
    assert_int_equal(a.slot, 0);
    assert_int_equal(a.last, last);
    assert_int_equal(hd_bits_get(d.la_body_o, LINE_LSB, LINE_W), line);
    assert_int_equal(hd_bits_get(d.la_body_o, MASK_LSB, P_Lanes), mask);
    assert_int_equal(hd_bits_get(d.la_body_o, WMASK_LSB, P_LineWords), wmask);
}

/* What was performed of the operation in @slot; is it the operation's last? */
static bool perform_of(unsigned slot, unsigned lanes)
{
    bool last;

    *d.perf_valid_i = 1;
    hd_bits_put(d.perf_i, HD_PERFORMED_WARP_LSB, HD_WARP_W, WARP);
    hd_bits_put(d.perf_i, HD_PERFORMED_SLOT_LSB, HD_SLOT_W, slot);
    hd_bits_put(d.perf_i, HD_PERFORMED_W, HD_SM_FRONT_W_perf_i - HD_PERFORMED_W, lanes);
    hd_eval(d.m);
    last = *d.perf_last_o != 0;
    hd_edge(d.m);
    *d.perf_valid_i = 0;
    hd_eval(d.m);
    return last;
}

static bool perform(unsigned lanes)
{
    return perform_of(0, lanes);
}

/* Of dbg_o, at @lsb: the warps with uncompleted operations. */
static unsigned pending(unsigned lsb)
{
    return (unsigned)hd_bits_get(d.dbg_o, lsb, P_Warps);
}

/* Lanes 0 and 3 store to words 0 and 1 of line 2, lane 1 to word 5 of line 4. */
static void a_store_leaves_as_line_accesses_and_ends_with_the_last(void **state)
{
    static const uint32_t addr[P_Lanes] = {0x40, 0x94, 0, 0x44};
    const uint32_t word = (uint32_t)hd_rand();

    (void)state;
    offer(HD_OP_LAUNCH, 0);
    for (unsigned l = 0; l < P_Lanes; l++) {
        hd_bits_put(d.op_lanes_i, OP_ADDR_LSB + l * 32, 32, addr[l]);
        hd_bits_put(d.op_lanes_i, OP_DATA_LSB + l * 32, 32, word + l);
    }
    assert_int_equal(*d.idle_o, 1);
    offer(HD_OP_STORE, 0xb);
    assert_int_equal(*d.idle_o, 0);
    assert_int_equal(*d.issue_valid_o, 1);
    assert_int_equal(*d.issue_warp_o, WARP);
    assert_int_equal(*d.la_valid_o, 0);
    hd_edge(d.m);
    assert_int_equal(*d.issue_valid_o, 0);
    assert_int_equal(*d.op_taken_o, 1);
    assert_int_equal(*d.op_taken_warp_o, WARP);
    assert_int_equal(*d.op_taken_slot_o, 0);
    assert_int_equal(*d.ev_o, 2);
    assert_int_equal(pending(ST_LSB), 1 << WARP);
    assert_int_equal(pending(LD_LSB), 0);
    hd_edge(d.m);
    for (unsigned wait = 0; wait < 3; wait++) { /* held, and unchanged, until it is taken */
        access_is(2, 0x9, 0x3, false);
        assert_int_equal(hd_bits_get(d.la_body_o, DATA_LSB, 32), word);
        assert_int_equal(hd_bits_get(d.la_body_o, DATA_LSB + 32, 32), word + 3);
        hd_edge(d.m);
    }
    *d.la_ready_i = 1;
    hd_edge(d.m);
    access_is(4, 0x2, 0x20, true);
    assert_int_equal(hd_bits_get(d.la_body_o, DATA_LSB + 5 * 32, 32), word + 1);
    hd_edge(d.m);
    assert_int_equal(*d.la_valid_o, 0);
    assert_int_equal(*d.idle_o, 1);
    assert_false(perform(2));
    assert_int_equal(pending(ST_LSB), 1 << WARP);
    assert_true(perform(1));
    assert_int_equal(pending(ST_LSB), 0);
}

static void compare_values_go_beside_the_operands(void **state)
{
    const uint32_t word = (uint32_t)hd_rand();

    (void)state;
    offer(HD_OP_LAUNCH, 0);
    for (unsigned l = 0; l < P_Lanes; l++) {
        hd_bits_put(d.op_lanes_i, OP_ADDR_LSB + l * 32, 32, 0x60 + 4 * l);
        hd_bits_put(d.op_lanes_i, OP_DATA_LSB + l * 32, 32, word + l);
        hd_bits_put(d.op_lanes_i, l * 32, 32, ~word - l);
    }
    offer_op((struct hd_access){.kind = HD_OP_ATOMIC, .fn = HD_AT_CAS}, 0xf);
    for (unsigned i = 0; i < 4 && !*d.la_valid_o; i++)
        hd_edge(d.m);
    assert_int_equal(*d.la_valid_o, 1);
    assert_int_equal(hd_bits_get(d.la_body_o, LINE_LSB, LINE_W), 3);
    assert_int_equal(pending(LD_LSB) | pending(ST_LSB), 1 << WARP);
    for (unsigned l = 0; l < P_Lanes; l++) {
        assert_int_equal(hd_bits_get(d.la_body_o, DATA_LSB + l * 32, 32), (uint32_t)(word + l));
        assert_int_equal(hd_bits_get(d.la_body_o, l * 32, 32), (uint32_t)(~word - l));
    }
}

/* The operation @kind does not issue while @hold says so of its warp. */
static void waits_while_held(unsigned kind, uint8_t *hold)
{
    offer(HD_OP_LAUNCH, 0);
    hd_bits_put(hold, 0, P_Warps, 1 << WARP);
    offer(kind, 1);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(*d.issue_valid_o, 0);
        hd_edge(d.m);
    }
    hd_bits_put(hold, 0, P_Warps, 0);
    hd_eval(d.m);
    assert_int_equal(*d.issue_valid_o, 1);
}

static void an_operation_waits_while_the_order_holds_its_warp(void **state)
{
    (void)state;
    waits_while_held(HD_OP_STORE, d.order_hold_i);
}

static void a_transaction_waits_while_the_lds_holds_its_warp(void **state)
{
    (void)state;
    if (P_LocalTm)
        waits_while_held(HD_OP_TX_BEGIN, d.tm_hold_i);
}

static void a_persist_barrier_sends_its_marker_and_ends_with_the_answer(void **state)
{
    enum { ID = 2 << 6 | WARP }; /* hd_pbarrier: of the kernel, alone */

    (void)state;
    if (!P_Persist)
        return;
    offer(HD_OP_LAUNCH, 0);
    offer_op((struct hd_access){.kind = HD_OP_PBARRIER, .scope = HD_SCOPE_DEVICE}, 0);
    for (unsigned i = 0; i < 4 && !*d.mark_valid_o; i++) {
        assert_int_equal(*d.idle_o, 0);
        hd_edge(d.m);
    }
    for (unsigned wait = 0; wait < 3; wait++) { /* offered until it is taken */
        assert_int_equal(*d.mark_valid_o, 1);
        assert_int_equal(*d.mark_id_o, ID);
        assert_int_equal(*d.idle_o, 0);
        hd_edge(d.m);
    }
    *d.mark_ready_i = 1;
    hd_edge(d.m);
    for (unsigned wait = 0; wait < 3; wait++) { /* nothing moves */
        assert_int_equal(*d.mark_valid_o, 0);
        assert_int_equal(*d.idle_o, 1);
        assert_int_equal(*d.ctl_done_o, 0);
        hd_edge(d.m);
    }
    *d.pack_valid_i = 1;
    *d.pack_id_i = ID;
    hd_edge(d.m);
    *d.pack_valid_i = 0;
    hd_eval(d.m);
    assert_int_equal(*d.ctl_done_o, 1 << WARP);
    hd_edge(d.m);
    assert_int_equal(*d.ctl_done_o, 0);
}

/* The copy control @fn is offered. @return whether it ends within a few cycles. */
static bool copy_control_ends(unsigned fn)
{
    bool ends = false;

    offer_op((struct hd_access){.kind = HD_OP_COPY_CTL, .fn = fn}, 0);
    for (unsigned i = 0; i < 4; i++) {
        ends |= *d.ctl_done_o == 1 << WARP;
        hd_edge(d.m);
    }
    return ends;
}

/* A copy of three lanes from two lines, and beside it a load of one lane. */
static void a_copy_is_complete_with_the_last_of_its_lanes(void **state)
{
    enum { CLOSES = 0, WAITS = 8 };
    static const uint32_t addr[P_Lanes] = {0x40, 0x94, 0x44};
    static const unsigned masks[] = {0x5, 0x2, 0x1}; /* of the accesses: those of the copy, that of the load */
    unsigned gone = 0;

    (void)state;
    if (!P_Copies)
        return;
    offer(HD_OP_LAUNCH, 0);
    for (unsigned l = 0; l < P_Lanes; l++) {
        hd_bits_put(d.op_lanes_i, OP_ADDR_LSB + l * 32, 32, addr[l]);
        hd_bits_put(d.op_lanes_i, l * 32, 32, 4 * l);
    }
    *d.la_ready_i = 1;
    for (unsigned i = 0; i < 12; i++) {
        if (i == 0)
            offer(HD_OP_COPY, 0x7);
        if (i == 6)
            offer(HD_OP_LOAD, 0x1);
        if (*d.la_valid_o) {
            const struct hd_access a = hd_access_unpack(hd_bits_get(d.la_acc_o, 0, HD_ACCESS_W));

            assert_true(gone < 3);
            assert_int_equal(a.kind, gone < 2 ? HD_OP_COPY : HD_OP_LOAD);
            assert_int_equal(a.slot, gone < 2 ? 0 : 1);
            assert_int_equal(hd_bits_get(d.la_body_o, MASK_LSB, P_Lanes), masks[gone++]);
        }
        hd_edge(d.m);
    }
    assert_int_equal(gone, 3);
    assert_true(copy_control_ends(WAITS)); /* for no group */
    assert_true(copy_control_ends(CLOSES));
    assert_true(copy_control_ends(WAITS | 1)); /* one group may be open */
    assert_false(copy_control_ends(WAITS));
    assert_false(perform(2));
    assert_true(perform_of(1, 1)); /* the load */
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(*d.ctl_done_o, 0);
        hd_edge(d.m);
    }
    assert_true(perform(1));
    hd_edge(d.m);
    assert_int_equal(*d.ctl_done_o, 1 << WARP);
}

/* ---- random operations of all warps, cycle by cycle -------------------------------------------- */

enum { LDS_W = P_SplitLds ? 0 : 5, FLIGHT = P_Warps * P_Slots * P_Lanes };

struct op {
    struct hd_access a;
    unsigned mask;
    uint32_t addr[P_Lanes], data[P_Lanes], cmp[P_Lanes];
};

static struct warp {
    bool live, has, arrived, waits; /* arrived: at a barrier; waits: until it has been told so */
    unsigned block, alu, age;
    struct op op;
    struct { unsigned left, group; bool ld, st, acq, sync, copy; } slot[P_Slots]; /* group: of a copy, 0: in none yet */
} warp[P_Warps];
static struct op held;          /* of the coalescer: what is left of it */
static struct access { struct op op; bool last; } queue[2];
static struct { unsigned warp, slot, lanes; } flight[FLIGHT];
static unsigned queued, flying, model;

static bool is_memory(const struct op *o)
{
    return o->a.kind <= HD_OP_ATOMIC || o->a.kind == HD_OP_COPY;
}

static bool is_wide(const struct op *o)
{
    return o->a.scope != HD_SCOPE_WI;
}

static bool acquires(const struct op *o)
{
    return is_wide(o) && (o->a.order == HD_ORD_ACQUIRE || o->a.order == HD_ORD_ACQ_REL || o->a.order == HD_ORD_SEQ_CST);
}

static bool synchronizes(const struct op *o)
{
    return is_wide(o) && is_memory(o) && o->a.order != HD_ORD_RELAXED;
}

static bool copying(unsigned w)
{
    bool any = false;

    for (unsigned s = 0; s < P_Slots; s++)
        any |= warp[w].slot[s].left != 0 && warp[w].slot[s].copy;
    return any;
}

static struct op random_op(unsigned w, bool last)
{
    static const unsigned control[] = {HD_OP_FENCE, HD_OP_BARRIER, HD_OP_CLOCK, HD_OP_NOP};
    const uint32_t base = (uint32_t)hd_rand() & ~(4u * P_LineWords - 1);
    struct op o = {.a = hd_access_random(), .mask = (unsigned)hd_bits_random_mask(P_Lanes)};

    o.a.warp = w;
    o.a.kind = last ? HD_OP_EXIT : hd_rand_below(5) ? (unsigned)hd_rand_below(3) : control[hd_rand_below(4)];
    if (P_Copies && !last && hd_rand_below(4) < (copying(w) ? 3 : 1)) {
        o.a.kind = copying(w) && hd_rand_below(4) ? HD_OP_COPY_CTL : HD_OP_COPY;
        o.a.space = HD_SPACE_GLOBAL;
    }
    o.a.order = hd_rand_below(2) ? HD_ORD_RELAXED : (unsigned)hd_rand_below(HD_ORD_SEQ_CST + 1);
    o.a.fn = (unsigned)hd_rand_below(HD_AMO_FUNCTIONS);
    if (o.a.kind == HD_OP_COPY_CTL) /* closes a group, or waits while more than so many are open */
        o.a.fn = (unsigned)hd_rand_below(2) * (8 + (unsigned)hd_rand_below(2));
    for (unsigned l = 0; l < P_Lanes; l++) { /* lines that differ in a bit, or one */
        const uint32_t other = hd_rand_below(2) ? 0 : 1u << (OFF_W + 2 + hd_rand_below(LINE_W));

        o.addr[l] = (base ^ other) + 4 * (uint32_t)hd_rand_below(P_LineWords);
        o.data[l] = (uint32_t)hd_rand();
        o.cmp[l] = (uint32_t)hd_rand();
    }
    return o;
}

static bool whole(const struct op *o)
{
    return o->a.space == HD_SPACE_LDS && !P_SplitLds;
}

/* Lanes of the first access of what is left of @o. */
static unsigned first_lanes(const struct op *o)
{
    unsigned first = 0, lanes = 0;

    while (!(o->mask >> first & 1))
        first++;
    for (unsigned l = first; l < P_Lanes; l++)
        if ((o->mask >> l & 1) && (whole(o) || o->addr[l] / (4 * P_LineWords) == o->addr[first] / (4 * P_LineWords)))
            lanes |= 1u << l;
    return lanes;
}

static unsigned pending_bits(unsigned w)
{
    unsigned ld = 0, st = 0, acq = 0, sync = 0, full = 1;

    for (unsigned s = 0; s < P_Slots; s++) {
        const bool taken = warp[w].slot[s].left != 0;

        ld |= taken && warp[w].slot[s].ld;
        st |= taken && warp[w].slot[s].st;
        acq |= taken && warp[w].slot[s].acq;
        sync |= taken && warp[w].slot[s].sync;
        full &= taken;
    }
    return ld | st << 1 | acq << 2 | sync << 3 | full << 4;
}

/* The operation of warp @w waits for groups of copies. */
static bool waits_for_copies(unsigned w)
{
    const struct hd_access *a = &warp[w].op.a;
    bool any = false;

    for (unsigned s = 0; s < P_Slots; s++)
        any |= warp[w].slot[s].left != 0 && warp[w].slot[s].copy && warp[w].slot[s].group > (a->fn & 7);
    return a->kind == HD_OP_COPY_CTL && a->fn >= 8 && any;
}

/* Does the order let the operation of warp @w go (hd_order_naive)? */
static bool order_lets(unsigned w, bool busy)
{
    const struct op *o = &warp[w].op;
    const unsigned pend = pending_bits(w), kind = o->a.kind;
    const bool ld = pend & 1, both = pend & 3, hardware = model == HD_MODEL_SC_PF || model == HD_MODEL_TYPE;
    const bool release = is_wide(o) && (kind == HD_OP_FENCE || (is_memory(o) && o->a.order >= HD_ORD_RELEASE));

    if (!hardware && ((pend >> 2 & 1) || (synchronizes(o) && (pend >> 3 & 1))))
        return false;
    if (kind == HD_OP_EXIT)
        return !both;
    if (model == HD_MODEL_TYPE && (copying(w) || kind == HD_OP_COPY) && both)
        return false;
    if (model == HD_MODEL_TYPE)
        return !busy || !(kind == HD_OP_BARRIER || kind == HD_OP_COPY || release);
    if (release)
        return !both;
    switch (model) {
    case HD_MODEL_TSO: return kind == HD_OP_LOAD ? !ld : !(is_memory(o) || kind == HD_OP_BARRIER) || !both;
    case HD_MODEL_SC: return !(is_memory(o) || kind == HD_OP_BARRIER) || !both;
    case HD_MODEL_TSO_SB: return kind <= HD_OP_STORE ? !ld : !(is_memory(o) || kind == HD_OP_BARRIER) || !both;
    case HD_MODEL_SC_PF: return kind != HD_OP_BARRIER || !both;
    default: return true;
    }
}

/* GTO stays with @before, else takes the oldest, those of @last last; LRR takes the next one. */
static unsigned chosen(unsigned can, unsigned before, unsigned last, bool lrr)
{
    unsigned oldest = P_Warps;

    if (!lrr && before < P_Warps && (can >> before & 1))
        return before;
    if (!lrr && (can & ~last) != 0)
        can &= ~last;
    for (unsigned n = 1; n <= P_Warps; n++) {
        const unsigned w = (before + n) % P_Warps;

        if (!(can >> w & 1))
            continue;
        if (lrr)
            return w;
        if (oldest == P_Warps || warp[w].age < warp[oldest].age)
            oldest = w;
    }
    return oldest;
}

/* The line access that is offered. */
static void offers(const struct access *a)
{
    const struct hd_access want = a->op.a;
    const bool atomic = want.kind == HD_OP_ATOMIC, store = want.kind == HD_OP_STORE;
    uint32_t word[P_LineWords] = {0};
    unsigned touched = 0, first = P_Lanes;

    /* what an operation is stays as it came; the other fields say what is known here, or are 0 */
    assert_int_equal(hd_bits_get(d.la_acc_o, 0, HD_ACCESS_W),
                     (hd_access_pack(want) & ((1u << HD_DESC_W) - 1))
                         | hd_access_pack((struct hd_access){.warp = want.warp, .slot = want.slot, .last = a->last}));
    assert_int_equal(hd_bits_get(d.la_body_o, MASK_LSB, P_Lanes), a->op.mask);
    for (unsigned l = 0; l < P_Lanes; l++) {
        const unsigned off = a->op.addr[l] / 4 % P_LineWords;

        if (!(a->op.mask >> l & 1))
            continue;
        first = first < l ? first : l;
        touched |= 1u << off;
        word[off] = a->op.data[l];
        assert_int_equal(hd_bits_get(d.la_body_o, MASK_LSB - (P_Lanes - l) * OFF_W, OFF_W), off);
        if (LDS_W != 0 && want.space == HD_SPACE_LDS)
            assert_int_equal(hd_bits_get(d.la_body_o, PLACE_LSB + l * LDS_W, LDS_W ? LDS_W : 1),
                             a->op.addr[l] / 4 % (1u << LDS_W));
        if (atomic || (store && want.space == HD_SPACE_LDS))
            assert_int_equal(hd_bits_get(d.la_body_o, DATA_LSB + l * 32, 32), a->op.data[l]);
        if ((atomic && want.fn == HD_AT_CAS) || want.kind == HD_OP_COPY)
            assert_int_equal(hd_bits_get(d.la_body_o, l * 32, 32), a->op.cmp[l]);
    }
    if (whole(&a->op))
        return;
    assert_int_equal(hd_bits_get(d.la_body_o, LINE_LSB, LINE_W), a->op.addr[first] / (4 * P_LineWords));
    assert_int_equal(hd_bits_get(d.la_body_o, WMASK_LSB, P_LineWords), touched);
    for (unsigned w = 0; store && want.space == HD_SPACE_GLOBAL && w < P_LineWords; w++)
        assert_int_equal(hd_bits_get(d.la_body_o, DATA_LSB + w * 32, 32), word[w]);
}

static void put_op(const struct op *o, unsigned alu, unsigned block)
{
    *d.op_valid_i = 1;
    hd_bits_put(d.op_acc_i, 0, HD_ACCESS_W, hd_access_pack(o->a));
    hd_bits_put(d.op_alu_i, 0, HD_ALU_W, alu);
    *d.op_block_i = (uint8_t)block;
    hd_bits_put(d.op_lanes_i, OP_MASK_LSB, P_Lanes, o->mask);
    for (unsigned l = 0; l < P_Lanes; l++) {
        hd_bits_put(d.op_lanes_i, OP_ADDR_LSB + l * 32, 32, o->addr[l]);
        hd_bits_put(d.op_lanes_i, OP_DATA_LSB + l * 32, 32, o->data[l]);
        hd_bits_put(d.op_lanes_i, l * 32, 32, o->cmp[l]);
    }
}

/* All warps under model and scheduler, until they have ended; they begin none after @cycles. @return what issued. */
static unsigned run_warps(bool lrr, unsigned cycles)
{
    unsigned live = 0, before = lrr ? P_Warps - 1 : P_Warps, issued = 0, hold = 0, last = 0, busy = 0;
    unsigned taken = P_Warps, taken_slot = 0, done = 0, check = P_Blocks, ev = 0; /* registers: shown in the next cycle */
    bool flush = false;
    uint32_t clock = 0;
    bool clock_known = false;

    memset(warp, 0, sizeof warp);
    memset(&held, 0, sizeof held);
    queued = flying = 0;
    hd_reset(d.m);
    hd_bits_put(d.policy_i, HD_POLICY_MODEL_LSB, HD_POLICY_MODEL_W, model);
    hd_bits_put(d.policy_i, HD_POLICY_SCHEDULER_LSB, HD_POLICY_SCHEDULER_W, lrr ? HD_SCHED_LRR : HD_SCHED_GTO);
    for (unsigned first = (unsigned)hd_rand_below(P_Warps); live < P_Warps; live++) {
        const unsigned w = (first + live) % P_Warps;
        const struct op o = {.a = {.warp = w, .kind = HD_OP_LAUNCH}};

        warp[w].live = true;
        warp[w].age = live;
        warp[w].block = (unsigned)hd_rand_below(P_Blocks);
        put_op(&o, 0, warp[w].block);
        hd_edge(d.m);
    }
    for (unsigned t = 0; live != 0 || t < cycles || flying != 0 || queued != 0 || held.mask != 0; t++) {
        const bool ends = t >= cycles, slow = t / 64 % 2;
        const unsigned w = (unsigned)hd_rand_below(P_Warps);
        const bool arrives = warp[w].live && !warp[w].has && !warp[w].waits && hd_rand_below(4) != 0;
        const struct op o = random_op(w, ends);
        const unsigned alu = hd_rand_below(4) ? 0 : (unsigned)hd_rand_below(1u << (1 + hd_rand_below(3)));
        unsigned can_mem = 0, can = 0, ld = 0, st = 0, gone = P_Warps, gone_slot = 0, p = 0, released = 0;
        bool flushes = false;

        assert_true(t < cycles + 3000);
        if (arrives) {
            put_op(&o, alu, (unsigned)hd_rand_below(1u << HD_BLOCK_W));
        } else {
            struct op host = o;

            /* no host flushes while an operation waits; hd_copy_groups would take the flush for what the warp brought */
            flushes = hd_rand_below(8) == 0 && !(P_Copies && warp[w].has);
            host.a.kind = HD_OP_FLUSH;
            put_op(&host, alu, 0);
            *d.op_valid_i = flushes;
        }
        *d.now_i = (uint32_t)hd_rand();
        *d.la_ready_i = slow ? hd_rand_below(4) == 0 : hd_rand_below(8) != 0;
        if (hd_rand_below(8) == 0) {
            hold = (unsigned)(hd_rand() & hd_rand()) & ((1u << P_Warps) - 1);
            last = (unsigned)hd_rand_below(1u << P_Warps);
            busy = (unsigned)hd_rand_below(1u << P_Warps);
        }
        if (ends)
            hold = busy = 0;
        hd_bits_put(d.order_hold_i, 0, P_Warps, hold);
        hd_bits_put(d.order_last_i, 0, P_Warps, last);
        hd_bits_put(d.order_busy_i, 0, P_Warps, busy);
        /* some access is performed */
        *d.perf_valid_i = flying != 0 && hd_rand_below(slow ? 3 : 2) == 0;
        hd_bits_random(d.perf_i, HD_SM_FRONT_W_perf_i);
        if (*d.perf_valid_i) {
            p = (unsigned)hd_rand_below(flying);
            gone = flight[p].warp;
            gone_slot = flight[p].slot;
            hd_bits_put(d.perf_i, HD_PERFORMED_WARP_LSB, HD_WARP_W, gone);
            hd_bits_put(d.perf_i, HD_PERFORMED_SLOT_LSB, HD_SLOT_W, gone_slot);
            hd_bits_put(d.perf_i, HD_PERFORMED_W, HD_SM_FRONT_W_perf_i - HD_PERFORMED_W, flight[p].lanes);
        }
        /* who may issue */
        const bool room = queued < 2;
        const unsigned lanes = held.mask != 0 ? first_lanes(&held) : 0;
        const bool mem_ready = held.mask == lanes && (lanes == 0 || room);
        for (unsigned k = 0; k < P_Warps; k++) {
            const unsigned pend = pending_bits(k);
            const bool memory = is_memory(&warp[k].op);

            ld |= (pend & 1) << k;
            st |= (pend >> 1 & 1) << k;
            if (!warp[k].has || warp[k].arrived)
                continue;
            if (waits_for_copies(k)) {
                seen.copy_wait++;
                continue;
            }
            if (warp[k].alu != 0 || (order_lets(k, busy >> k & 1) && !memory))
                can |= 1u << k;
            else if (memory && order_lets(k, busy >> k & 1) && !(pend >> 4 & 1) && !(hold >> k & 1))
                can_mem |= 1u << k;
        }
        can |= mem_ready ? can_mem : 0;
        const unsigned is = chosen(can, before, last, lrr);
        const bool any = is < P_Warps, mem = any && (can_mem >> is & 1);

        hd_eval(d.m);
        assert_int_equal(*d.issue_valid_o, mem);
        if (mem)
            assert_int_equal(*d.issue_warp_o, is);
        /* what became of the cycle before */
        assert_int_equal(*d.ev_o, ev);
        assert_int_equal(*d.op_taken_o, taken < P_Warps);
        if (taken < P_Warps) {
            assert_int_equal(*d.op_taken_warp_o, taken);
            assert_int_equal(*d.op_taken_slot_o, taken_slot);
        }
        assert_int_equal(hd_bits_get(d.ctl_done_o, 0, P_Warps), done);
        if (clock_known)
            assert_int_equal(*d.ctl_clock_o, clock);
        assert_int_equal(*d.flush_o, flush);
        assert_true(hd_bits_get(d.dbg_o, 0, 6 * P_Warps) == (ld | st << P_Warps));
        assert_int_equal(*d.mark_valid_o, 0);
        assert_int_equal(*d.la_valid_o, queued != 0);
        if (queued != 0)
            offers(&queue[0]);
        if (*d.perf_valid_i)
            assert_int_equal(*d.perf_last_o, warp[gone].slot[gone_slot].left == flight[p].lanes);
        const bool moves = any || (lanes != 0 && room), stalls = !mem_ready && can_mem != 0;

        /* idle: nothing moves, no pulse is out or due, and ev_o shows whether an operation is stalled */
        assert_int_equal(*d.idle_o, !moves && (ev & 7) == 0 && ev >> 3 == stalls && done == 0 && check == P_Blocks && !flush);
        seen.perf_last += *d.perf_valid_i && *d.perf_last_o;
        seen.stall += ev >> 3;
        seen.rest += *d.idle_o != 0;
        seen.full += *d.idle_o != 0 && lanes != 0;
        if (*d.idle_o && !*d.op_valid_i && !*d.perf_valid_i && !(*d.la_ready_i && queued != 0) && hd_rand_below(8) == 0)
            hd_assert_frozen(d.m);

        /* the edge */
        if (check < P_Blocks) {
            for (unsigned k = 0; k < P_Warps; k++)
                released |= (warp[k].live && warp[k].block == check) << k;
            for (unsigned k = 0; k < P_Warps; k++)
                if ((released >> k & 1) && !warp[k].arrived)
                    released = 0;
            seen.barrier += released != 0;
        }
        for (unsigned k = 0; k < P_Warps; k++) {
            if (done >> k & 1)
                warp[k].waits = false;
            if (released >> k & 1)
                warp[k].arrived = false;
        }
        done = released;
        check = P_Blocks;
        taken = P_Warps;
        ev = (unsigned)stalls << 3;
        flush = flushes;
        if (*d.la_ready_i && queued != 0) {
            const struct access a = queue[0];

            queue[0] = queue[--queued];
            assert_true(flying < FLIGHT);
            flight[flying].warp = a.op.a.warp;
            flight[flying].slot = a.op.a.slot;
            flight[flying++].lanes = hd_bits_count(a.op.mask);
        }
        if (lanes != 0 && room) {
            queue[queued] = (struct access){.op = held, .last = lanes == held.mask};
            queue[queued++].op.mask = lanes;
            held.mask &= ~lanes;
        }
        if (any) {
            struct warp *f = &warp[is];

            before = is;
            issued++;
            if (f->alu != 0) {
                f->alu--;
                ev |= 1;
            } else {
                taken = is;
                taken_slot = 0;
                f->has = false;
            }
            if (taken < P_Warps && mem) {
                while (f->slot[taken_slot].left != 0)
                    taken_slot++;
                f->slot[taken_slot].left = hd_bits_count(f->op.mask);
                f->slot[taken_slot].ld = f->op.a.kind != HD_OP_STORE;
                f->slot[taken_slot].st = f->op.a.kind != HD_OP_LOAD;
                f->slot[taken_slot].acq = acquires(&f->op);
                f->slot[taken_slot].sync = synchronizes(&f->op);
                f->slot[taken_slot].copy = f->op.a.kind == HD_OP_COPY;
                f->slot[taken_slot].group = 0;
                seen.copy += f->op.a.kind == HD_OP_COPY;
                held = f->op;
                held.a.slot = taken_slot;
                ev |= 2;
            } else if (taken < P_Warps) {
                ev |= 4;
                if (f->op.a.kind == HD_OP_BARRIER)
                    f->arrived = f->waits = true;
                else
                    done |= 1u << is;
                for (unsigned s = 0; s < P_Slots && f->op.a.kind == HD_OP_COPY_CTL && f->op.a.fn < 8; s++)
                    f->slot[s].group++;
                if (f->op.a.kind == HD_OP_CLOCK) {
                    clock = *d.now_i;
                    clock_known = true;
                }
                if (f->op.a.kind == HD_OP_EXIT) {
                    f->live = false;
                    live--;
                }
                if (f->op.a.kind == HD_OP_EXIT || f->op.a.kind == HD_OP_BARRIER)
                    check = f->block;
            }
        }
        if (*d.perf_valid_i) {
            warp[gone].slot[gone_slot].left -= flight[p].lanes;
            flight[p] = flight[--flying];
        }
        if (arrives) {
            warp[w].has = true;
            warp[w].op = o;
            warp[w].alu = alu;
        }
        hd_edge(d.m);
    }
    *d.op_valid_i = *d.perf_valid_i = 0;
    for (unsigned i = 0; i < 3; i++)
        hd_edge(d.m);
    assert_int_equal(*d.idle_o, 1);
    return issued;
}

static void random_operations_issue_leave_and_end_as_their_order_has_it(void **state)
{
    unsigned issued = 0;

    (void)state;
    memset(&seen, 0, sizeof seen);
    for (unsigned i = 0; i < 12; i++) {
        model = i % 6; /* those without fences of the L1, which hd_issue is tested with */
        issued += run_warps(i >= 6, P_Copies ? 2000 : 500);
    }
    assert_true(issued > 1500 && seen.perf_last > 500 && seen.stall > 300 && seen.rest > 500 && seen.barrier > 20);
    assert_true(seen.full > 100);
    assert_true(!P_Copies || (seen.copy > 200 && seen.copy_wait > 50));
}

static void an_access_performed_for_no_operation_trips_an_assertion(void **state)
{
    (void)state;
    if (!hd_has_asserts(d.m))
        return;
    perform(1);
    assert_true(hd_assert_failures(d.m) > 0);
    hd_assert_clear(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(a_store_leaves_as_line_accesses_and_ends_with_the_last, setup, teardown),
        cmocka_unit_test_setup_teardown(compare_values_go_beside_the_operands, setup, teardown),
        cmocka_unit_test_setup_teardown(an_operation_waits_while_the_order_holds_its_warp, setup, teardown),
        cmocka_unit_test_setup_teardown(a_transaction_waits_while_the_lds_holds_its_warp, setup, teardown),
        cmocka_unit_test_setup_teardown(a_persist_barrier_sends_its_marker_and_ends_with_the_answer, setup, teardown),
        cmocka_unit_test_setup_teardown(a_copy_is_complete_with_the_last_of_its_lanes, setup, teardown),
        cmocka_unit_test_setup_teardown(random_operations_issue_leave_and_end_as_their_order_has_it, setup, teardown),
        cmocka_unit_test_setup_teardown(an_access_performed_for_no_operation_trips_an_assertion, setup, teardown),
    };
    return HD_UNIT_MAIN(argc, argv, t);
}
