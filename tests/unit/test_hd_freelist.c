/* test_hd_freelist.c - hands out numbers, each to one holder at a time. */
/* mutants: N=5 */
/* dut: hd_freelist N=1 */
/* dut: hd_freelist N=4 */
/* dut: hd_freelist N=5 */
#include "hd_unit.h"
#include "hd_freelist_dut.h"

enum { N = P_N };

static struct hd_freelist d;

/* Reference: the free numbers in the order they will leave, and those that are out. */
static unsigned line[N], num_free, out[N], num_out;

static int setup(void **state)
{
    (void)state;
    hd_freelist_open(&d);
    hd_reset(d.m);
    for (unsigned i = 0; i < N; i++)
        line[i] = i;
    num_free = N;
    num_out = 0;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

/* One cycle: @take if a number is free; @give_back: which of those that are out, if < num_out. */
static void cycle(bool take, unsigned give_back)
{
    unsigned taken = 0, freed = 0;
    const bool does_free = give_back < num_out;

    assert_int_equal(*d.valid_o, num_free > 0);
    assert_int_equal(*d.count_o, num_free);
    if (num_free > 0)
        assert_int_equal(*d.idx_o, line[0]);
    take = take && num_free > 0;
    *d.take_i = take;
    *d.free_i = does_free;
    *d.free_idx_i = does_free ? out[give_back] : hd_rand_below(N);
    if (does_free) {
        freed = out[give_back];
        out[give_back] = out[--num_out];
    }
    if (take) {
        taken = line[0];
        num_free--;
        memmove(line, line + 1, num_free * sizeof *line);
        out[num_out++] = taken;
    }
    if (does_free)
        line[num_free++] = freed;
    hd_edge(d.m);
    *d.take_i = 0;
    *d.free_i = 0;
    hd_eval(d.m);
}

static void numbers_leave_in_rising_order_after_reset(void **state)
{
    (void)state;
    for (unsigned i = 0; i < N; i++) {
        assert_int_equal(*d.idx_o, i);
        cycle(true, N);
    }
    assert_int_equal(*d.valid_o, 0);
}

static void a_freed_number_can_be_taken_in_the_next_cycle(void **state)
{
    (void)state;
    for (unsigned i = 0; i < N; i++)
        cycle(true, N);
    cycle(false, N - 1);
    assert_int_equal(*d.valid_o, 1);
    assert_int_equal(*d.idx_o, N - 1);
}

static void fresh_numbers_leave_before_returned_ones(void **state)
{
    (void)state;
    cycle(true, N);
    cycle(false, 0);
    assert_int_equal(*d.idx_o, 1 % N);
}

static void misuse_is_asserted(void **state)
{
    (void)state;
    *d.free_i = 1; /* was never taken */
    *d.free_idx_i = 0;
    hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
    hd_reset(d.m);
    hd_assert_clear(d.m);
    *d.take_i = 1;
    for (unsigned i = 0; i < N; i++)
        hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_edge(d.m); /* nothing left to take */
    assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
    hd_reset(d.m);
    hd_assert_clear(d.m);
    if ((N & (N - 1)) != 0) {
        *d.free_i = 1;
        *d.free_idx_i = N;
        hd_edge(d.m);
        assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
        hd_assert_clear(d.m);
    }
}

static void random_traffic_matches_a_queue(void **state)
{
    unsigned none = 0, everything = 0, both = 0;

    (void)state;
    for (int t = 0; t < 20000; t++) {
        const unsigned phase = (unsigned)t / 300 % 3; /* taking, returning, mixed */
        const bool take = hd_rand_below(4) > (phase == 1 ? 2 : 0);
        const bool give = hd_rand_below(4) > (phase == 0 ? 2 : 0);

        none += num_free == 0;
        everything += num_free == N;
        both += take && num_free > 0 && give && num_out > 0;
        cycle(take, give && num_out > 0 ? hd_rand_below(num_out) : N);
    }
    assert_true(none > 100 && everything > 20 && (both > 100 || N == 1));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(numbers_leave_in_rising_order_after_reset, setup, teardown),
        cmocka_unit_test_setup_teardown(a_freed_number_can_be_taken_in_the_next_cycle, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(fresh_numbers_leave_before_returned_ones, setup, teardown),
        cmocka_unit_test_setup_teardown(misuse_is_asserted, setup, teardown),
        cmocka_unit_test_setup_teardown(random_traffic_matches_a_queue, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
