/* test_hd_sm_front.c - an operation goes through issue, buffer, coalescer and queue; what was performed comes back. */
/* dut: hd_sm_front Warps=4 Lanes=4 LineWords=8 Slots=2 Blocks=2 LdsRows=3 SplitLds=0 */
/* dut: hd_sm_front Warps=4 Lanes=4 LineWords=8 Slots=2 Blocks=2 LdsRows=3 SplitLds=1 */
#include "hd_unit.h"
#include "hd_sm_front_dut.h"
#include "hd_access.h"

enum { WARP = 2, OFF_W = 3, PLACE_W = HD_SM_FRONT_W_la_place_o, DATA_W = HD_SM_FRONT_W_la_data_o,
       WMASK_LSB = PLACE_W - P_Lanes - P_Lanes * OFF_W - P_LineWords };

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

static void offer(unsigned kind, unsigned mask)
{
    const struct hd_access op = {.warp = WARP, .kind = kind, .space = HD_SPACE_GLOBAL};

    *d.op_valid_i = 1;
    hd_bits_put(d.op_acc_i, 0, HD_ACCESS_W, hd_access_pack(op));
    hd_bits_put(d.op_mask_i, 0, P_Lanes, mask);
    hd_edge(d.m);
    *d.op_valid_i = 0;
    hd_eval(d.m);
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
    assert_int_equal(hd_bits_get(d.la_line_o, 0, HD_SM_FRONT_W_la_line_o), line);
    assert_int_equal(hd_bits_get(d.la_place_o, PLACE_W - P_Lanes, P_Lanes), mask);
    assert_int_equal(hd_bits_get(d.la_place_o, WMASK_LSB, P_LineWords), wmask);
}

/* What was performed; is it the operation's last? */
static bool perform(unsigned lanes)
{
    bool last;

    *d.perf_valid_i = 1;
    hd_bits_put(d.perf_i, HD_PERFORMED_WARP_LSB, HD_WARP_W, WARP);
    hd_bits_put(d.perf_lanes_i, 0, HD_SM_FRONT_W_perf_lanes_i, lanes);
    hd_eval(d.m);
    last = *d.perf_last_o != 0;
    hd_edge(d.m);
    *d.perf_valid_i = 0;
    hd_eval(d.m);
    return last;
}

/* Lanes 0 and 3 store to words 0 and 1 of line 2, lane 1 to word 5 of line 4. */
static void a_store_leaves_as_line_accesses_and_ends_with_the_last(void **state)
{
    static const uint32_t addr[P_Lanes] = {0x40, 0x94, 0, 0x44};
    const uint32_t word = (uint32_t)hd_rand();

    (void)state;
    offer(HD_OP_LAUNCH, 0);
    for (unsigned l = 0; l < P_Lanes; l++) {
        hd_bits_put(d.op_addr_i, l * 32, 32, addr[l]);
        hd_bits_put(d.op_data_i, l * 32, 32, word + l);
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
    assert_int_equal(*d.st_pend_o, 1 << WARP);
    assert_int_equal(*d.ld_pend_o, 0);
    hd_edge(d.m);
    for (unsigned wait = 0; wait < 3; wait++) { /* held, and unchanged, until it is taken */
        access_is(2, 0x9, 0x3, false);
        assert_int_equal(hd_bits_get(d.la_data_o, 0, 32), word);
        assert_int_equal(hd_bits_get(d.la_data_o, 32, 32), word + 3);
        hd_edge(d.m);
    }
    *d.la_ready_i = 1;
    hd_edge(d.m);
    access_is(4, 0x2, 0x20, true);
    assert_int_equal(hd_bits_get(d.la_data_o, 5 * 32, 32), word + 1);
    hd_edge(d.m);
    assert_int_equal(*d.la_valid_o, 0);
    assert_int_equal(*d.idle_o, 1);
    assert_false(perform(2));
    assert_int_equal(*d.st_pend_o, 1 << WARP);
    assert_true(perform(1));
    assert_int_equal(*d.st_pend_o, 0);
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
        cmocka_unit_test_setup_teardown(an_operation_waits_while_the_order_holds_its_warp, setup, teardown),
        cmocka_unit_test_setup_teardown(an_access_performed_for_no_operation_trips_an_assertion, setup, teardown),
    };
    return HD_UNIT_MAIN(argc, argv, t);
}
