/* test_hd_link_tx.c - sending end of a credited link, cycle by cycle against a reference. */
/* mutants: FlitW=64 NumVn=2 Credits=3 */
/* dut: hd_link_tx FlitW=64 NumVn=1 Credits=4 */
/* dut: hd_link_tx FlitW=64 NumVn=2 Credits=3 */
/* dut: hd_link_tx FlitW=64 NumVn=3 Credits=1 */
#include "hd_unit.h"
#include "hd_link_tx_dut.h"

enum { NUM_VN = P_NumVn, CREDITS = P_Credits };

static struct hd_link_tx d;

/* Reference */
static struct {
    unsigned credits[NUM_VN];
    unsigned next; /* network served first */
    bool valid, tail;
    unsigned vn;
    uint64_t flit;
} ref;

static struct {
    bool valid, tail;
    uint64_t flit;
} in[NUM_VN]; /* what the tile offers */

static int setup(void **state)
{
    (void)state;
    hd_link_tx_open(&d);
    hd_reset(d.m);
    memset(&ref, 0, sizeof ref);
    memset(in, 0, sizeof in);
    for (unsigned v = 0; v < NUM_VN; v++)
        ref.credits[v] = CREDITS;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static bool all_credits_home(void)
{
    bool home = true;

    for (unsigned v = 0; v < NUM_VN; v++)
        home = home && ref.credits[v] == CREDITS;
    return home;
}

static void check_outputs(void)
{
    assert_int_equal(*d.valid_o, ref.valid);
    assert_int_equal(*d.idle_o, !ref.valid);
    assert_int_equal(*d.full_credit_o, all_credits_home());
    if (ref.valid) {
        assert_int_equal(*d.vn_o, ref.vn);
        assert_int_equal(*d.tail_o, ref.tail);
        assert_int_equal(*d.flit_o, ref.flit);
    }
}

/* One cycle with in[], @tick and @credits pulses. @return the network that sent, NUM_VN if none. */
static unsigned cycle(bool tick, unsigned credits)
{
    unsigned sent = NUM_VN;

    *d.in_valid_i = 0;
    *d.in_tail_i = 0;
    for (unsigned v = 0; v < NUM_VN; v++) {
        *d.in_valid_i |= in[v].valid << v;
        *d.in_tail_i |= in[v].tail << v;
        memcpy((uint8_t *)d.in_flit_i + 8 * v, &in[v].flit, 8);
    }
    *d.tick_i = tick;
    *d.credit_i = credits;
    for (unsigned k = NUM_VN; k-- > 0 && tick;) {
        const unsigned v = (ref.next + k) % NUM_VN;

        if (in[v].valid && ref.credits[v] > 0)
            sent = v;
    }
    hd_eval(d.m);
    assert_int_equal(*d.in_ready_o, sent < NUM_VN ? 1u << sent : 0);
    hd_edge(d.m);

    ref.valid = sent < NUM_VN;
    for (unsigned v = 0; v < NUM_VN; v++)
        ref.credits[v] += credits >> v & 1;
    if (ref.valid) {
        ref.vn = sent;
        ref.tail = in[sent].tail;
        ref.flit = in[sent].flit;
        ref.credits[sent]--;
        ref.next = (sent + 1) % NUM_VN;
    }
    *d.credit_i = 0;
    check_outputs();
    return sent;
}

static void offer_all(void)
{
    for (unsigned v = 0; v < NUM_VN; v++) {
        in[v].valid = true;
        in[v].tail = hd_rand_below(2);
        in[v].flit = hd_rand();
    }
}

static void after_reset_all_credits_are_home_and_nothing_is_sent(void **state)
{
    (void)state;
    assert_int_equal(*d.full_credit_o, 1);
    check_outputs();
    assert_int_equal(cycle(true, 0), NUM_VN);
}

static void sends_exactly_the_credits_it_has(void **state)
{
    unsigned sent = 0;

    (void)state;
    offer_all();
    for (unsigned t = 0; t < 4 * NUM_VN * CREDITS; t++)
        sent += cycle(true, 0) < NUM_VN;
    assert_int_equal(sent, NUM_VN * CREDITS);
    assert_int_equal(cycle(true, 1), NUM_VN); /* a credit counts from the next cycle on */
    assert_int_equal(cycle(true, 0), 0);
}

static void networks_take_turns(void **state)
{
    (void)state;
    offer_all();
    for (unsigned i = 0; i < NUM_VN * CREDITS; i++)
        assert_int_equal(cycle(true, 0), i % NUM_VN);
}

static void a_network_without_credit_does_not_stop_the_others(void **state)
{
    (void)state;
    in[0].valid = true;
    for (unsigned i = 0; i < CREDITS; i++)
        cycle(true, 0);
    offer_all();
    for (unsigned v = 1; v < NUM_VN; v++)
        assert_int_equal(cycle(true, 0), v);
}

static void sends_only_with_tick_and_pulses_for_one_cycle(void **state)
{
    (void)state;
    offer_all();
    assert_int_equal(cycle(false, 0), NUM_VN);
    assert_int_equal(cycle(true, 0), 0);
    assert_int_equal(cycle(false, 0), NUM_VN); /* checks that valid_o fell */
}

static void a_credit_nobody_owed_is_asserted(void **state)
{
    (void)state;
    *d.credit_i = 1;
    hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
    hd_assert_clear(d.m);
}

static void random_traffic_matches_the_reference(void **state)
{
    unsigned used_up = 0, both = 0, sends[NUM_VN] = {0}, gap = 0;

    (void)state;
    for (int t = 0; t < 30000; t++) {
        const unsigned phase = (unsigned)t / 400 % 3; /* few credits, few flits, busy */
        unsigned credits = 0, sent;
        bool stalled = false, tick = hd_rand_below(4) != 0;

        for (unsigned v = 0; v < NUM_VN; v++) {
            if (!in[v].valid && hd_rand_below(phase == 1 ? 6 : 1) == 0) {
                in[v].valid = true;
                in[v].tail = hd_rand_below(2);
                in[v].flit = hd_rand();
            }
            if (ref.credits[v] < CREDITS && hd_rand_below(phase == 0 ? 8 : 2) == 0)
                credits |= 1u << v;
            stalled = stalled || (in[v].valid && ref.credits[v] == 0);
        }
        sent = cycle(tick, credits);
        used_up += stalled;
        both += sent < NUM_VN && credits >> sent & 1;
        gap += !tick && *d.in_valid_i != 0;
        if (sent < NUM_VN) {
            sends[sent]++;
            in[sent].valid = false;
        }
    }
    for (unsigned v = 0; v < NUM_VN; v++)
        assert_true(sends[v] > 1000);
    assert_true(used_up > 100 && gap > 100 && (both > 100 || CREDITS == 1));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(after_reset_all_credits_are_home_and_nothing_is_sent, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(sends_exactly_the_credits_it_has, setup, teardown),
        cmocka_unit_test_setup_teardown(networks_take_turns, setup, teardown),
        cmocka_unit_test_setup_teardown(a_network_without_credit_does_not_stop_the_others, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(sends_only_with_tick_and_pulses_for_one_cycle, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_credit_nobody_owed_is_asserted, setup, teardown),
        cmocka_unit_test_setup_teardown(random_traffic_matches_the_reference, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
