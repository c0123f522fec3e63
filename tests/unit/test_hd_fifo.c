/* test_hd_fifo.c - ready/valid queue, at the depths where pointers are odd. */
/* mutants: Width=32 Depth=3 */
/* dut: hd_fifo Width=32 Depth=1 */
/* dut: hd_fifo Width=32 Depth=2 */
/* dut: hd_fifo Width=32 Depth=3 */
/* dut: hd_fifo Width=32 Depth=4 */
#include "hd_unit.h"
#include "hd_fifo_dut.h"

enum { DEPTH = P_Depth };

static struct hd_fifo d;

static int setup(void **state)
{
    (void)state;
    hd_fifo_open(&d);
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

static void push(uint32_t beat)
{
    *d.in_valid_i = 1;
    *d.in_data_i = beat;
    hd_edge(d.m);
    *d.in_valid_i = 0;
    hd_eval(d.m);
}

static void a_beat_appears_in_the_cycle_after_it_entered(void **state)
{
    (void)state;
    assert_int_equal(*d.out_valid_o, 0);
    *d.in_valid_i = 1;
    *d.in_data_i = 0xc0ffee;
    *d.out_ready_i = 1;
    hd_eval(d.m);
    assert_int_equal(*d.out_valid_o, 0); /* no fall-through */
    hd_edge(d.m);
    assert_int_equal(*d.out_valid_o, 1);
    assert_int_equal(*d.out_data_o, 0xc0ffee);
    assert_int_equal(*d.count_o, 1);
}

static void refuses_exactly_when_full_even_if_a_beat_leaves(void **state)
{
    (void)state;
    for (unsigned i = 0; i < DEPTH; i++) {
        assert_int_equal(*d.in_ready_o, 1);
        assert_int_equal(*d.count_o, i);
        push(i);
    }
    *d.in_valid_i = 1;
    *d.out_ready_i = 1;
    hd_eval(d.m);
    assert_int_equal(*d.in_ready_o, 0);
    hd_edge(d.m);
    assert_int_equal(*d.count_o, DEPTH - 1);
    assert_int_equal(*d.in_ready_o, 1);
}

static void reset_empties_it(void **state)
{
    (void)state;
    push(1);
    hd_reset(d.m);
    assert_int_equal(*d.out_valid_o, 0);
    assert_int_equal(*d.count_o, 0);
    push(2);
    assert_int_equal(*d.out_data_o, 2);
}

static void moves_a_beat_every_cycle_at_depth_2_or_more(void **state)
{
    unsigned out = 0;

    (void)state;
    *d.in_valid_i = 1;
    *d.out_ready_i = 1;
    for (unsigned t = 0; t < 100; t++) {
        hd_eval(d.m);
        out += *d.out_valid_o;
        hd_edge(d.m);
    }
    assert_int_equal(out, DEPTH == 1 ? 50 : 99);
}

static void random_traffic_matches_a_ring(void **state)
{
    uint32_t ring[DEPTH];
    unsigned head = 0, count = 0, full = 0, empty = 0, both = 0, refused = 0;

    (void)state;
    for (int t = 0; t < 30000; t++) {
        const unsigned bias = (unsigned)t / 500 % 3; /* phases that fill, drain, and mix */
        const bool offer = hd_rand_below(4) > (bias == 1 ? 2 : 0);
        const bool ready = hd_rand_below(4) > (bias == 0 ? 2 : 0);
        const uint32_t beat = (uint32_t)hd_rand();
        bool in, out;

        *d.in_valid_i = offer;
        *d.in_data_i = beat;
        *d.out_ready_i = ready;
        hd_eval(d.m);
        assert_int_equal(*d.in_ready_o, count < DEPTH);
        assert_int_equal(*d.out_valid_o, count > 0);
        assert_int_equal(*d.count_o, count);
        if (count > 0)
            assert_int_equal(*d.out_data_o, ring[head]);
        in = offer && count < DEPTH;
        out = ready && count > 0;
        full += count == DEPTH;
        empty += count == 0;
        both += in && out;
        refused += offer && !in && out;
        hd_edge(d.m);
        if (in)
            ring[(head + count) % DEPTH] = beat;
        head = (head + out) % DEPTH;
        count = count + in - out;
    }
    assert_true(full > 100 && empty > 100 && refused > 100);
    assert_true(both > 100 || DEPTH == 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(a_beat_appears_in_the_cycle_after_it_entered, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(refuses_exactly_when_full_even_if_a_beat_leaves, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(reset_empties_it, setup, teardown),
        cmocka_unit_test_setup_teardown(moves_a_beat_every_cycle_at_depth_2_or_more, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(random_traffic_matches_a_ring, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
