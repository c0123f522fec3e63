/* test_hd_order_stage.c - each kind of ordering hardware between coalescer and L1, against order_ref.h; of type-aware SC
 * (test_hd_type_aware.c) only that its ports are connected. */
/* mutants: Order=2 Warps=3 LineW=4 PlaceW=2 DataW=5 CmpW=3 WaitDepth=2 OrderStores=3 CasData=2 */
/* dut: hd_order_stage Order=0 Warps=5 LineW=7 PlaceW=9 DataW=12 CmpW=11 */
/* dut: hd_order_stage Order=1 Warps=3 LineW=6 PlaceW=9 DataW=20 CmpW=12 BufferDepth=2 */
/* dut: hd_order_stage Order=1 Warps=2 LineW=4 PlaceW=4 DataW=10 CmpW=5 BufferDepth=1 Unified=1 */
/* dut: hd_order_stage Order=2 Warps=3 LineW=6 PlaceW=9 DataW=20 CmpW=12 WaitDepth=2 OrderStores=3 CasData=2 */
/* dut: hd_order_stage Order=2 Warps=1 LineW=2 PlaceW=1 DataW=1 CmpW=1 WaitDepth=1 OrderStores=1 CasData=1 */
/* dut-rtl: hd_order_stage Order=3 Warps=2 LineW=25 PlaceW=9 DataW=20 CmpW=12 TypeEntries=4 TypeWays=2 TypeReqs=2 WaitDepth=1 UnsafeDepth=2 SafeDepth=2 SyncEntries=2 OrderStores=2 CasData=1 AckEntries=4 PartBits=1 */
#include "hd_unit.h"
#include "hd_order_stage_dut.h"
#include "order_ref.h"

#ifndef P_Unified
#define P_Unified 0
#endif
#ifndef P_BufferDepth
#define P_BufferDepth 8
#endif
#ifndef P_WaitDepth
#define P_WaitDepth 4
#define P_OrderStores 64
#define P_CasData 8
#endif

/* Fields of la_body_i and lo_body_o. */
enum { CMP_LSB = 0, DATA_LSB = P_CmpW, PLACE_LSB = DATA_LSB + P_DataW, LINE_LSB = PLACE_LSB + P_PlaceW };
/* Bits of ty_*. */
enum { TY_REQ = 1, TY_ACK = 2 };
enum { WARPS = P_Warps, SLOTS = 1 << HD_SLOT_W, NONE = P_Order == HD_ORDER_NONE, PREFETCHES = 16, OUT = 2 };

/* An access behind the hardware. */
struct beat {
    bool prefetch;
    unsigned tag;
    struct or_access a;
};

static struct hd_order_stage d;
static struct or_stage ref;
static struct beat out[OUT]; /* waits for the L1 */
static unsigned num_out;
static bool event; /* of the last cycle */
static struct or_access offered;
static bool offers;
static unsigned on_way[WARPS]; /* operations issued whose last access has not been taken */
static struct {
    unsigned queued, prefetches, accesses, idle, frozen, stalled, both, full;
} seen;

static void forget_everything(void)
{
    memset(&ref, 0, sizeof ref);
    ref.prefetch = P_Order == HD_ORDER_PREFETCH;
    or_queues_init(&ref.q, WARPS, ref.prefetch ? P_WaitDepth : P_Unified ? P_BufferDepth * WARPS : P_BufferDepth,
                   P_Unified);
    ref.stores = P_OrderStores;
    ref.cas = P_CasData;
    ref.max_lines = PREFETCHES;
    memset(out, 0, sizeof out);
    memset(on_way, 0, sizeof on_way);
    num_out = 0;
    event = offers = false;
}

static int setup(void **state)
{
    (void)state;
    memset(&seen, 0, sizeof seen);
    forget_everything();
    hd_order_stage_open(&d);
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

/* The access at the output. */
static struct hd_access lo(void)
{
    return hd_access_unpack(hd_bits_get(d.lo_acc_o, 0, HD_ACCESS_W));
}

static inline void set_last(bool last)
{
    hd_bits_put(d.la_acc_i, HD_ACCESS_LAST_LSB, 1, last);
}

static inline bool is_last(void)
{
    return hd_bits_get(d.la_acc_i, HD_ACCESS_LAST_LSB, 1) != 0;
}

static void performed(int warp, unsigned tag)
{
    hd_bits_put(d.perf_i, HD_PERFORMED_WARP_LSB, HD_WARP_W, (unsigned)warp);
    hd_bits_put(d.perf_i, HD_PERFORMED_SLOT_LSB, HD_SLOT_W, hd_rand());
    hd_bits_put(d.perf_i, HD_PERFORMED_TAG_LSB, HD_TAG_W, tag);
}

static void drive(bool lo_ready, int done, int other_perf)
{
    *d.la_valid_i = offers;
    hd_bits_put(d.la_acc_i, 0, HD_ACCESS_W, or_pack(&offered, (!offers || on_way[offered.warp] > 0) && hd_rand_below(2)));
    hd_bits_put(d.la_body_i, LINE_LSB, P_LineW, offered.line);
    hd_bits_put(d.la_body_i, PLACE_LSB, P_PlaceW, offered.place);
    hd_bits_put(d.la_body_i, DATA_LSB, P_DataW, offered.data);
    hd_bits_put(d.la_body_i, CMP_LSB, P_CmpW, offered.cmp);
    *d.lo_ready_i = lo_ready;
    *d.perf_valid_i = done != OR_NONE || other_perf != OR_NONE;
    performed(done != OR_NONE ? done : other_perf != OR_NONE ? other_perf : (int)hd_rand_below(WARPS),
              done != OR_NONE ? OR_TAG : other_perf != OR_NONE ? 0 : (unsigned)hd_rand());
    *d.issue_warp_i = (uint8_t)hd_rand_below(WARPS);
    *d.issue_i = on_way[*d.issue_warp_i] < 3 && hd_rand_below(4) == 0;
    /* of type-aware SC */
    hd_bits_random(d.policy_i, HD_POLICY_W);
    *d.clear_i = (uint8_t)hd_rand_below(2);
    *d.dn_valid_i = (uint8_t)hd_rand_below(2);
    hd_bits_random(d.dn_head_i, HD_HEAD_W);
    *d.ty_ready_i = TY_REQ | TY_ACK;
}

static void check_access(const struct beat *b)
{
    const struct hd_access a = lo();

    if (NONE) { /* every field passes */
        assert_true(hd_bits_get(d.lo_acc_o, 0, HD_ACCESS_W) == hd_bits_get(d.la_acc_i, 0, HD_ACCESS_W));
    } else { /* what no queue keeps is 0 */
        assert_int_equal(a.order | a.scope | a.ro | a.last | a.block | a.tx, 0);
        assert_int_equal(a.prefetch, b->prefetch);
    }
    assert_int_equal(a.kind, b->a.kind);
    assert_int_equal(a.space, b->a.space);
    assert_int_equal(hd_bits_get(d.lo_body_o, LINE_LSB, P_LineW), b->a.line);
    if (b->prefetch)
        return;
    assert_int_equal(a.warp, b->a.warp);
    assert_int_equal(a.slot, b->a.slot);
    assert_int_equal(a.fn, or_fn(&b->a));
    if (!NONE)
        assert_int_equal(a.tag, b->tag);
    assert_int_equal(hd_bits_get(d.lo_body_o, PLACE_LSB, P_PlaceW), b->a.place);
    if (or_holds_data(&b->a) || NONE)
        assert_int_equal(hd_bits_get(d.lo_body_o, DATA_LSB, P_DataW), b->a.data);
    if (b->a.cas || NONE)
        assert_int_equal(hd_bits_get(d.lo_body_o, CMP_LSB, P_CmpW), b->a.cmp);
}

#if P_Order != 3
/* What the hardware for type-aware SC would drive; with prefetching, busy and full queues. */
static void check_no_types(void)
{
    uint64_t any = hd_bits_get(d.unsafe_o, 0, WARPS) | *d.ty_valid_o;

    assert_int_equal(any, 0);
    for (unsigned w = 0; w < WARPS; w++) {
        assert_int_equal(hd_bits_get(d.busy_o, w, 1), ref.prefetch && !or_empty(&ref.q, w));
        assert_int_equal(hd_bits_get(d.hold_o, w, 1), ref.prefetch && (on_way[w] != 0 || !or_empty(&ref.q, w)));
    }
    assert_int_equal(*d.drained_o, 1);
}

/* Nothing stands between coalescer and L1. */
static void pass(bool lo_ready)
{
    const struct beat b = {false, 0, offered};

    drive(lo_ready, OR_NONE, OR_NONE);
    hd_eval(d.m);
    check_no_types();
    assert_int_equal(*d.lo_valid_o, offers);
    assert_int_equal(*d.la_ready_o, lo_ready);
    assert_int_equal(*d.ev_o, 0);
    assert_int_equal(*d.idle_o, 1);
    if (offers)
        check_access(&b);
    seen.accesses += offers && lo_ready;
    seen.stalled += offers && !lo_ready;
    if (lo_ready)
        offers = false;
    hd_edge(d.m);
}

static void check(const struct or_shown *r)
{
    check_no_types();
    if (offers)
        assert_int_equal(*d.la_ready_o, r->la_ready);
    assert_int_equal(*d.ev_o, event << (HD_EV_SM_ORD_QUEUED - HD_ORDER_EV_FIRST));
    assert_int_equal(*d.idle_o, !r->queued && !(r->lo_valid && num_out < OUT) && !event);
    assert_int_equal(*d.lo_valid_o, num_out > 0);
    if (num_out > 0)
        check_access(&out[0]);
}

static void cycle(bool lo_ready, int done, int other_perf)
{
    const struct or_access *la = offers ? &offered : NULL;
    const bool room = num_out < OUT, leaves = num_out > 0 && lo_ready;
    const struct or_shown r = or_show(&ref, la, room, false);
    struct beat b;

    if (NONE) {
        pass(lo_ready);
        return;
    }
    drive(lo_ready, done, other_perf);
    hd_eval(d.m);
    check(&r);
    if (*d.idle_o) {
        seen.idle++;
        if (hd_rand_below(32) == 0) {
            *d.lo_ready_i = *d.perf_valid_i = *d.issue_i = 0;
            hd_eval(d.m);
            assert_int_equal(*d.idle_o, 1);
            hd_assert_frozen(d.m);
            drive(lo_ready, done, other_perf);
            hd_eval(d.m);
            check(&r);
            seen.frozen++;
        }
    }
    seen.queued += r.queued;
    seen.full += la != NULL && or_full(&ref.q, la->warp);
    seen.stalled += r.lo_valid && !room;
    seen.prefetches += leaves && out[0].prefetch;
    seen.accesses += leaves && !out[0].prefetch;
    seen.both += leaves && r.lo_valid && room;
    b = (struct beat){r.prefetch, r.tag, r.lo};
    or_edge(&ref, la, room, &r, done);
    if (*d.issue_i)
        on_way[*d.issue_warp_i]++;
    if (la != NULL && r.la_ready && is_last())
        on_way[la->warp]--;
    if (leaves) {
        out[0] = out[1];
        num_out--;
    }
    if (r.lo_valid && room)
        out[num_out++] = b;
    event = r.queued;
    hd_edge(d.m);
    if (la != NULL && r.la_ready)
        offers = false;
}

static void random_accesses(unsigned cycles)
{
    unsigned instruction[WARPS] = {0}, kind[WARPS] = {0};

    for (unsigned t = 0; t < cycles; t++) {
        const unsigned phase = t / 600 % 4; /* slow L1, slow completion, quick, mix */
        int done = OR_NONE, other = OR_NONE;

        if (!offers && hd_rand_below(8) < (phase == 3 ? 4 : 7)) {
            const unsigned w = (unsigned)hd_rand_below(WARPS), dice = (unsigned)hd_rand_below(9);

            /* lines of an instruction come one after the other */
            if (hd_rand_below(3) == 0) {
                instruction[w] = (unsigned)hd_rand_below(SLOTS);
                kind[w] = dice < 3 ? HD_OP_STORE : dice < 6 ? HD_OP_LOAD : dice < 8 ? HD_OP_ATOMIC : HD_OP_COPY;
            }
            if (P_Order == HD_ORDER_SB && kind[w] >= HD_OP_ATOMIC && or_pending(&ref.q, w) > 0)
                kind[w] = HD_OP_LOAD;
            offers = true;
            offered = (struct or_access){.warp = w, .slot = instruction[w], .kind = kind[w]};
            /* lines that do not share a counter of the store buffer */
            offered.line = hd_rand() & (P_Order == HD_ORDER_SB ? 3 : UINT64_MAX >> (64 - P_LineW));
            offered.data = hd_rand() & (UINT64_MAX >> (64 - P_DataW));
            offered.place = hd_rand() & (UINT64_MAX >> (64 - P_PlaceW));
            offered.cmp = hd_rand() & (UINT64_MAX >> (64 - P_CmpW));
            offered.cas = kind[w] == HD_OP_COPY || (kind[w] == HD_OP_ATOMIC && hd_rand_below(2));
            offered.fn = (unsigned)hd_rand_below(16);
            if (kind[w] == HD_OP_ATOMIC && offered.fn == HD_AT_CAS)
                offered.fn = HD_AT_ADD;
            offered.space = (unsigned)(hd_rand_below(4) == 0);
        }
        for (unsigned try = 0; try < 6 && done == OR_NONE && hd_rand_below(8) < (phase == 1 ? 1 : 6); try++) {
            const unsigned w = (unsigned)hd_rand_below(WARPS);
            unsigned inside = 0; /* accesses that have not reached the L1 */

            for (unsigned i = 0; i < num_out; i++)
                inside += out[i].tag != 0 && out[i].a.warp == w;
            if (ref.q.in_flight[w] > inside)
                done = (int)w;
        }
        if (done == OR_NONE && hd_rand_below(2))
            other = (int)hd_rand_below(WARPS);
        cycle(hd_rand_below(8) < (phase == 0 ? 2 : 7), done, other);
    }
}

static void random_traffic_is_in_order(void **state)
{
    (void)state;
    random_accesses(40000);
    assert_true(seen.accesses > 3000 && seen.stalled > 500);
    assert_true(NONE || (seen.queued > 500 && seen.idle > 300 && seen.frozen > 10 && seen.both > 300 && seen.full > 300));
    assert_true((seen.prefetches > 200) == (P_Order == HD_ORDER_PREFETCH));
}

static void reset_forgets_everything(void **state)
{
    (void)state;
    random_accesses(300);
    hd_reset(d.m);
    forget_everything();
    random_accesses(2000);
}

#else
/* ---- type-aware SC: test_hd_type_aware.c tests it, here its ports are seen to be connected ------------------------ */

enum { SM = 37, PART = 1, SECTOR_LINES = HD_SECTOR_BYTES >> (HD_ADDR_W - P_LineW) };

static unsigned events; /* bits seen since the last look */

static uint64_t head(const void *port, unsigned lsb, unsigned width)
{
    return hd_bits_get(port, lsb, width);
}

static void step(void)
{
    hd_edge(d.m);
    events |= *d.ev_o;
    *d.perf_valid_i = *d.issue_i = *d.dn_valid_i = *d.la_valid_i = 0;
    *d.lo_ready_i = *d.ty_ready_i = 0;
    hd_eval(d.m);
}

static void await(const uint8_t *port, unsigned bit)
{
    for (unsigned i = 0; i < 20 && !(*port & bit); i++)
        step();
    assert_int_equal(*port & bit, bit);
}

static void saw(unsigned event_bits)
{
    step();
    assert_int_equal(events, event_bits);
    events = 0;
}

static unsigned bit(unsigned ev)
{
    return 1u << (ev - HD_ORDER_EV_FIRST);
}

static bool ahead; /* policy */

/* An operation of one access, from its issue until the hardware has taken it. */
static void operation(unsigned warp, unsigned slot, unsigned kind, uint64_t line)
{
    *d.issue_i = 1;
    *d.issue_warp_i = (uint8_t)warp;
    step();
    assert_int_equal(hd_bits_get(d.busy_o, warp, 1), 1);
    assert_int_equal(*d.drained_o, 0);
    offered = (struct or_access){.warp = warp, .slot = slot, .kind = kind, .line = line};
    offered.data = hd_rand() & (UINT64_MAX >> (64 - P_DataW));
    offered.place = hd_rand() & (UINT64_MAX >> (64 - P_PlaceW));
    offers = true;
    drive(false, OR_NONE, OR_NONE);
    set_last(1);
    *d.clear_i = *d.issue_i = *d.dn_valid_i = *d.ty_ready_i = 0;
    hd_bits_put(d.policy_i, HD_POLICY_MARKER_MERGE_LSB, 1, 0);
    hd_bits_put(d.policy_i, HD_POLICY_TYPE_PREFETCH_LSB, 1, ahead);
    hd_eval(d.m);
    await(d.la_ready_o, 1);
    step();
}

/* The line of the operation is fetched, once. */
static void fetches(unsigned kind, uint64_t line)
{
    const struct beat b = {true, 0, {.kind = kind, .space = HD_SPACE_GLOBAL, .line = line}};

    await(d.lo_valid_o, 1);
    check_access(&b);
    step(); /* it stays */
    check_access(&b);
    *d.lo_ready_i = 1;
    step();
    for (unsigned i = 0; i < 10; i++) {
        assert_int_equal(*d.lo_valid_o, 0);
        step();
    }
}

static void message(unsigned kind, uint64_t line, unsigned tid)
{
    memset(d.dn_head_i, 0, sizeof *d.dn_head_i);
    hd_bits_put(d.dn_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
    hd_bits_put(d.dn_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, PART);
    hd_bits_put(d.dn_head_i, HD_HEAD_DST_LSB, HD_HEAD_DST_W, SM);
    hd_bits_put(d.dn_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, line / SECTOR_LINES * HD_SECTOR_BYTES);
    hd_bits_put(d.dn_head_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, tid);
    *d.dn_valid_i = 1;
    hd_eval(d.m);
    step();
}

static void asks(uint64_t line, bool write)
{
    await(d.ty_valid_o, TY_REQ);
    assert_int_equal(head(d.ty_head_o, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W), HD_MSG_TYPE_REQ);
    assert_int_equal(head(d.ty_head_o, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W), SM);
    assert_int_equal(head(d.ty_head_o, HD_HEAD_DST_LSB, HD_HEAD_DST_W), PART);
    assert_int_equal(head(d.ty_head_o, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W), line / SECTOR_LINES * HD_SECTOR_BYTES);
    assert_int_equal(head(d.ty_head_o, HD_HEAD_TID_LSB, HD_HEAD_TID_W), write);
    step(); /* it stays */
    assert_int_equal(*d.ty_valid_o, TY_REQ);
    *d.ty_ready_i = TY_REQ;
    step();
    assert_int_equal(*d.ty_valid_o, 0);
}

/* @tag_bit: what the tag says of it. */
static void leaves_and_performs(unsigned tag_bit)
{
    struct beat b = {false, 0, offered};

    await(d.lo_valid_o, 1);
    b.tag = (unsigned)lo().tag;
    assert_int_equal(b.tag >> (HD_TAG_W - 2), tag_bit);
    check_access(&b);
    *d.lo_ready_i = 1;
    step();
    assert_int_equal(*d.lo_valid_o, 0);
    assert_int_equal(*d.drained_o, 0);
    assert_int_equal(hd_bits_get(d.unsafe_o, b.a.warp, 1), tag_bit == 2);
    *d.perf_valid_i = 1;
    performed((int)b.a.warp, b.tag);
    hd_eval(d.m);
    step();
    assert_int_equal(*d.drained_o, 1);
    assert_int_equal(hd_bits_get(d.busy_o, 0, WARPS) | hd_bits_get(d.unsafe_o, 0, WARPS), 0);
}

static void the_ports_of_type_aware_sc_are_connected(void **state)
{
    const uint64_t line = (UINT64_C(0x51) << 1 | PART) * SECTOR_LINES + 5;

    (void)state;
    *d.sm_id_i = SM;
    events = 0;
    operation(1, 3, HD_OP_LOAD, line);
    assert_int_equal(hd_bits_get(d.hold_o, 0, WARPS), 2); /* its queue is full */
    asks(line, false);
    saw(bit(HD_EV_SM_ORD_QUEUED) | bit(HD_EV_SM_ORD_ASK));
    assert_int_equal(*d.idle_o, 1);
    message(HD_MSG_TYPE_REP, line, 1);
    leaves_and_performs(1);
    saw(bit(HD_EV_SM_ORD_SAFE));
    message(HD_MSG_TYPE_INV, line, 9);
    await(d.ty_valid_o, TY_ACK);
    assert_int_equal(*d.idle_o, 0);
    assert_int_equal(head(d.ty_head_o, HD_HEAD_W + HD_HEAD_KIND_LSB, HD_HEAD_KIND_W), HD_MSG_TYPE_ACK);
    assert_int_equal(head(d.ty_head_o, HD_HEAD_W + HD_HEAD_SRC_LSB, HD_HEAD_SRC_W), SM);
    assert_int_equal(head(d.ty_head_o, HD_HEAD_W + HD_HEAD_DST_LSB, HD_HEAD_DST_W), PART);
    assert_int_equal(head(d.ty_head_o, HD_HEAD_W + HD_HEAD_TID_LSB, HD_HEAD_TID_W), 9);
    assert_int_equal(head(d.ty_head_o, HD_HEAD_W + HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W), line / SECTOR_LINES * HD_SECTOR_BYTES);
    *d.ty_ready_i = TY_ACK;
    step();
    assert_int_equal(*d.ty_valid_o, 0);
    saw(bit(HD_EV_SM_ORD_INVAL));
    *d.clear_i = 1; /* forgets that it is unsafe */
    step();
    *d.clear_i = 0;
    for (unsigned i = 0; i < 100; i++)
        step();
    operation(0, 6, HD_OP_STORE, line + 1);
    asks(line, true);
    message(HD_MSG_TYPE_REP, line, 0);
    leaves_and_performs(2);
    saw(bit(HD_EV_SM_ORD_QUEUED) | bit(HD_EV_SM_ORD_ASK) | bit(HD_EV_SM_ORD_UNSAFE));
    assert_int_equal(*d.idle_o, 1);
}

static void lines_of_unknown_type_are_fetched_meanwhile(void **state)
{
    const uint64_t line = (UINT64_C(0x51) << 1 | PART) * SECTOR_LINES + 5;

    (void)state;
    *d.sm_id_i = SM;
    ahead = true;
    operation(1, 3, HD_OP_LOAD, line);
    fetches(HD_OP_LOAD, line);
    asks(line, false);
    message(HD_MSG_TYPE_REP, line, 1); /* safe, not to be written */
    leaves_and_performs(1);
    operation(0, 2, HD_OP_LOAD, line + 1); /* known */
    leaves_and_performs(1);
    operation(0, 6, HD_OP_STORE, line + 2);
    fetches(HD_OP_STORE, line + 2);
    asks(line, true);
    message(HD_MSG_TYPE_REP, line, 3);
    leaves_and_performs(1);
    ahead = false;
    operation(1, 1, HD_OP_LOAD, line + SECTOR_LINES * 4);
    for (unsigned i = 0; i < 20; i++) {
        assert_int_equal(*d.lo_valid_o, 0);
        step();
    }
    asks(line + SECTOR_LINES * 4, false);
    message(HD_MSG_TYPE_REP, line + SECTOR_LINES * 4, 1);
    leaves_and_performs(1);
}
#endif

int main(int argc, char **argv)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest t[] = {
#if P_Order == 3
        CASE(the_ports_of_type_aware_sc_are_connected),
        CASE(lines_of_unknown_type_are_fetched_meanwhile),
#else
        CASE(random_traffic_is_in_order),
        CASE(reset_forgets_everything),
#endif
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
