/* test_hd_xbar_alloc.c - one network of one crossbar output: a packet at a time, inputs in turn. */
/* mutants: Ins=3 */
/* dut: hd_xbar_alloc Ins=1 */
/* dut: hd_xbar_alloc Ins=3 */
/* dut: hd_xbar_alloc Ins=4 */
#include "hd_unit.h"
#include "hd_xbar_alloc_dut.h"

enum { INS = P_Ins, NONE = INS };

static struct hd_xbar_alloc d;

/* What stands at the front of each input, for this output: flits left of its packet. */
static struct {
    unsigned left; /* 0: no packet for this output */
    bool begun;    /* its head is gone */
    bool here;     /* its next flit has come */
} in[INS];
static unsigned holder, next_in_line; /* reference */

static int setup(void **state)
{
    (void)state;
    hd_xbar_alloc_open(&d);
    hd_reset(d.m);
    memset(in, 0, sizeof in);
    holder = NONE;
    next_in_line = 0;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static void offer(unsigned i, unsigned flits)
{
    in[i].left = flits;
    in[i].begun = false;
    in[i].here = true;
}

/* One cycle. @return the input whose flit was taken, NONE if none. */
static unsigned cycle(bool ready)
{
    unsigned from = holder;
    bool valid, tail;

    *d.head_i = 0;
    *d.valid_i = 0;
    *d.tail_i = 0;
    for (unsigned i = 0; i < INS; i++) {
        const bool here = in[i].left > 0 && in[i].here;

        *d.head_i |= (here && !in[i].begun) << i;
        *d.valid_i |= (here || (in[i].left == 0 && hd_rand_below(2))) << i; /* others' flits */
        *d.tail_i |= (here ? in[i].left == 1 : hd_rand_below(2)) << i;
    }
    if (holder == NONE)
        for (unsigned k = INS; k-- > 0;)
            if (*d.head_i >> (next_in_line + k) % INS & 1)
                from = (next_in_line + k) % INS;
    valid = from != NONE && in[from].here;
    tail = valid && in[from].left == 1;
    *d.ready_i = ready;
    hd_eval(d.m);
    assert_int_equal(*d.valid_o, valid);
    if (valid) {
        assert_int_equal(*d.idx_o, from);
        assert_int_equal(*d.tail_o, tail);
    }
    assert_int_equal(*d.pop_o, valid && ready ? 1u << from : 0);
    hd_edge(d.m);
    if (from != NONE && holder == NONE)
        next_in_line = (from + 1) % INS;
    if (!valid)
        return NONE;
    holder = ready && tail ? NONE : from;
    if (ready) {
        in[from].left--;
        in[from].begun = true;
    }
    return ready ? from : NONE;
}

static void a_packet_keeps_the_output_from_head_to_tail(void **state)
{
    (void)state;
    for (unsigned i = 0; i < INS; i++)
        offer(i, 3);
    for (unsigned t = 0; t < 3 * INS; t++)
        assert_int_equal(cycle(true), t / 3);
}

static void single_flit_packets_pass_one_a_cycle_in_turn(void **state)
{
    (void)state;
    for (unsigned t = 0; t < 4 * INS; t++) {
        for (unsigned i = 0; i < INS; i++)
            offer(i, 1);
        assert_int_equal(cycle(true), t % INS);
    }
}

static void a_flit_on_offer_stays_when_a_better_placed_input_comes(void **state)
{
    (void)state;
    offer(INS - 1, 1);
    assert_int_equal(cycle(false), NONE);
    offer(0, 1);
    assert_int_equal(cycle(false), NONE);
    assert_int_equal(cycle(true), INS - 1);
}

static void a_gap_in_a_packet_lets_nobody_else_in(void **state)
{
    (void)state;
    offer(0, 2);
    assert_int_equal(cycle(true), 0);
    in[0].here = false;
    if (INS > 1)
        offer(1, 1);
    for (unsigned t = 0; t < 5; t++)
        assert_int_equal(cycle(true), NONE);
    in[0].here = true;
    assert_int_equal(cycle(true), 0);
    assert_int_equal(cycle(true), INS > 1 ? 1 : NONE);
}

static void a_head_without_a_flit_is_asserted(void **state)
{
    (void)state;
    *d.head_i = 1;
    hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
    hd_assert_clear(d.m);
}

static void random_packets_match_the_reference(void **state)
{
    unsigned taken[INS] = {0}, gaps = 0, stalls = 0, contested = 0;

    (void)state;
    for (int t = 0; t < 30000; t++) {
        unsigned waiting = 0, from;

        for (unsigned i = 0; i < INS; i++) {
            if (in[i].left == 0 && hd_rand_below(4) == 0)
                offer(i, 1 + hd_rand_below(5));
            else if (in[i].left > 0 && !in[i].here)
                in[i].here = hd_rand_below(2);
            waiting += in[i].left > 0;
        }
        gaps += holder != NONE && !in[holder].here;
        contested += holder == NONE && waiting > 1;
        from = cycle(hd_rand_below(3) != 0);
        stalls += from == NONE && holder != NONE;
        if (from != NONE) {
            taken[from]++;
            in[from].here = hd_rand_below(4) != 0;
        }
    }
    for (unsigned i = 0; i < INS; i++)
        assert_true(taken[i] > 1000);
    assert_true(gaps > 500 && stalls > 500 && (contested > 500 || INS == 1));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(a_packet_keeps_the_output_from_head_to_tail, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(single_flit_packets_pass_one_a_cycle_in_turn, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_flit_on_offer_stays_when_a_better_placed_input_comes,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(a_gap_in_a_packet_lets_nobody_else_in, setup, teardown),
        cmocka_unit_test_setup_teardown(a_head_without_a_flit_is_asserted, setup, teardown),
        cmocka_unit_test_setup_teardown(random_packets_match_the_reference, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
