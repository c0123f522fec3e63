/* test_hd_sm_front.c - an operation goes through issue, buffer, coalescer and queue; what was performed comes back. */
/* dut: hd_sm_front Warps=4 Lanes=4 LineWords=8 Slots=2 Blocks=2 LdsRows=3 SplitLds=0 */
/* dut: hd_sm_front Warps=4 Lanes=4 LineWords=8 Slots=2 Blocks=2 LdsRows=3 SplitLds=1 */
/* dut: hd_sm_front Warps=4 Lanes=4 LineWords=8 Slots=2 Blocks=2 LdsRows=3 SplitLds=0 Persist=1 */
#include "hd_unit.h"
#include "hd_sm_front_dut.h"
#include "hd_access.h"

#ifndef P_Persist
#define P_Persist 0
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

/* What was performed; is it the operation's last? */
static bool perform(unsigned lanes)
{
    bool last;

    *d.perf_valid_i = 1;
    hd_bits_put(d.perf_i, HD_PERFORMED_WARP_LSB, HD_WARP_W, WARP);
    hd_bits_put(d.perf_i, HD_PERFORMED_W, HD_SM_FRONT_W_perf_i - HD_PERFORMED_W, lanes);
    hd_eval(d.m);
    last = *d.perf_last_o != 0;
    hd_edge(d.m);
    *d.perf_valid_i = 0;
    hd_eval(d.m);
    return last;
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

static void an_operation_waits_while_the_order_holds_its_warp(void **state)
{
    (void)state;
    offer(HD_OP_LAUNCH, 0);
    hd_bits_put(d.order_hold_i, 0, P_Warps, 1 << WARP);
    offer(HD_OP_STORE, 1);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(*d.issue_valid_o, 0);
        hd_edge(d.m);
    }
    hd_bits_put(d.order_hold_i, 0, P_Warps, 0);
    hd_eval(d.m);
    assert_int_equal(*d.issue_valid_o, 1);
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
        cmocka_unit_test_setup_teardown(a_persist_barrier_sends_its_marker_and_ends_with_the_answer, setup, teardown),
        cmocka_unit_test_setup_teardown(an_access_performed_for_no_operation_trips_an_assertion, setup, teardown),
    };
    return HD_UNIT_MAIN(argc, argv, t);
}
