/* test_hd_link_rx.c - receiving end of a credited link, cycle by cycle against a reference. */
/* mutants: FlitW=64 NumVn=2 Depth=3 */
/* dut: hd_link_rx FlitW=64 NumVn=1 Depth=4 */
/* dut: hd_link_rx FlitW=64 NumVn=2 Depth=3 */
/* dut: hd_link_rx FlitW=64 NumVn=3 Depth=1 */
#include "hd_unit.h"
#include "hd_link_rx_dut.h"

enum { NUM_VN = P_NumVn, DEPTH = P_Depth, NO_FLIT = NUM_VN };

static struct hd_link_rx d;

/* Reference */
struct flit {
    uint64_t data;
    bool tail;
};
static struct {
    struct flit held[DEPTH];
    unsigned count, owed; /* flits in the buffer; credits not sent back yet */
    unsigned sender;      /* credits the sender has, those on the way included */
} vn[NUM_VN];
static unsigned credit_pulses;

static int setup(void **state)
{
    (void)state;
    hd_link_rx_open(&d);
    hd_reset(d.m);
    memset(vn, 0, sizeof vn);
    credit_pulses = 0;
    for (unsigned v = 0; v < NUM_VN; v++)
        vn[v].sender = DEPTH;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static bool at_rest(void)
{
    bool rest = credit_pulses == 0;

    for (unsigned v = 0; v < NUM_VN; v++)
        rest = rest && vn[v].count == 0 && vn[v].owed == 0;
    return rest;
}

static void check_outputs(void)
{
    assert_int_equal(*d.credit_o, credit_pulses);
    assert_int_equal(*d.idle_o, at_rest());
    for (unsigned v = 0; v < NUM_VN; v++) {
        uint64_t data;

        assert_int_equal(*d.out_valid_o >> v & 1, vn[v].count > 0);
        if (vn[v].count == 0)
            continue;
        memcpy(&data, (const uint8_t *)d.out_flit_o + 8 * v, 8);
        assert_int_equal(data, vn[v].held[0].data);
        assert_int_equal(*d.out_tail_o >> v & 1, vn[v].held[0].tail);
    }
}

/* One cycle: a flit comes on @from (or NO_FLIT), @ready takes, @tick lets credits go. */
static void cycle(unsigned from, unsigned ready, bool tick)
{
    const struct flit f = {hd_rand(), hd_rand_below(2)};

    *d.valid_i = from < NUM_VN;
    *d.vn_i = from < NUM_VN ? from : hd_rand_below(NUM_VN);
    *d.tail_i = f.tail;
    *d.flit_i = f.data;
    *d.out_ready_i = ready;
    *d.tick_i = tick;
    hd_eval(d.m);
    check_outputs(); /* nothing depends on inputs of the same cycle */
    hd_edge(d.m);
    *d.valid_i = 0;

    credit_pulses = 0;
    for (unsigned v = 0; v < NUM_VN; v++) {
        if ((ready >> v & 1) && vn[v].count > 0) {
            vn[v].count--;
            memmove(vn[v].held, vn[v].held + 1, vn[v].count * sizeof(struct flit));
            vn[v].owed++;
        }
        if (tick && vn[v].owed > 0) {
            vn[v].owed--;
            vn[v].sender++;
            credit_pulses |= 1u << v;
        }
    }
    if (from < NUM_VN) {
        vn[from].held[vn[from].count++] = f;
        vn[from].sender--;
    }
    check_outputs();
}

static void a_flit_can_leave_from_the_cycle_after_it_came(void **state)
{
    (void)state;
    assert_int_equal(*d.idle_o, 1);
    cycle(0, 0, true);
    assert_int_equal(*d.out_valid_o, 1);
    assert_int_equal(*d.idle_o, 0);
    cycle(NO_FLIT, 1, true);
    assert_int_equal(*d.credit_o, 1); /* by the same edge */
    cycle(NO_FLIT, 1, true);
    assert_int_equal(*d.idle_o, 1);
}

static void holds_depth_flits_of_each_network_at_once(void **state)
{
    (void)state;
    for (unsigned i = 0; i < NUM_VN * DEPTH; i++)
        cycle(i % NUM_VN, 0, true);
    for (unsigned i = 0; i < DEPTH; i++)
        cycle(NO_FLIT, (1u << NUM_VN) - 1, true);
    cycle(NO_FLIT, 0, true);
    assert_int_equal(*d.idle_o, 1);
}

static void credits_wait_for_ticks_and_none_is_lost(void **state)
{
    (void)state;
    for (unsigned i = 0; i < DEPTH; i++)
        cycle(0, 0, true);
    for (unsigned i = 0; i < DEPTH; i++)
        cycle(NO_FLIT, 1, false);
    assert_int_equal(*d.credit_o, 0);
    assert_int_equal(*d.idle_o, 0);
    for (unsigned i = 0; i < DEPTH; i++) {
        cycle(NO_FLIT, 0, true);
        assert_int_equal(*d.credit_o, 1);
        cycle(NO_FLIT, 0, false);
    }
    assert_int_equal(*d.idle_o, 1);
}

static void a_flit_without_credit_is_asserted(void **state)
{
    (void)state;
    for (unsigned i = 0; i < DEPTH; i++)
        cycle(0, 0, true);
    *d.valid_i = 1;
    *d.vn_i = 0;
    hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
    hd_assert_clear(d.m);
}

static void an_unknown_network_is_asserted(void **state)
{
    (void)state;
    *d.valid_i = 1;
    *d.vn_i = NUM_VN;
    hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
    hd_assert_clear(d.m);
}

static void random_traffic_matches_the_reference(void **state)
{
    unsigned full = 0, two_owed = 0, same = 0, rest = 0;

    (void)state;
    for (int t = 0; t < 40000; t++) {
        const unsigned phase = (unsigned)t / 400 % 4; /* filling, draining, slow credits, sparse */
        const unsigned want = hd_rand_below(NUM_VN);
        const bool come = vn[want].sender > 0 && hd_rand_below(phase == 3 ? 16 : 4) == 0;
        const unsigned ready =
            phase == 0 && hd_rand_below(4) ? 0 : (unsigned)hd_rand_below(1u << NUM_VN);

        full += vn[want].count == DEPTH;
        two_owed += vn[want].owed > 1;
        same += come && vn[want].count > 0 && ready >> want & 1;
        rest += at_rest();
        cycle(come ? want : NO_FLIT, ready, hd_rand_below(phase == 2 ? 6 : 2) == 0);
    }
    assert_true(full > 100 && rest > 100);
    assert_true((two_owed > 100 && same > 100) || DEPTH == 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(a_flit_can_leave_from_the_cycle_after_it_came, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(holds_depth_flits_of_each_network_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(credits_wait_for_ticks_and_none_is_lost, setup, teardown),
        cmocka_unit_test_setup_teardown(a_flit_without_credit_is_asserted, setup, teardown),
        cmocka_unit_test_setup_teardown(an_unknown_network_is_asserted, setup, teardown),
        cmocka_unit_test_setup_teardown(random_traffic_matches_the_reference, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
