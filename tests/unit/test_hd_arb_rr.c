/* test_hd_arb_rr.c - round-robin arbiter; beside the first of several the others have requests by lot. */
/* mutants: N=5 Groups=2 */
/* dut: hd_arb_rr N=1 Groups=1 */
/* dut: hd_arb_rr N=5 Groups=1 */
/* dut: hd_arb_rr N=16 Groups=1 */
/* dut: hd_arb_rr N=48 Groups=1 */
/* dut: hd_arb_rr N=5 Groups=2 */
/* dut: hd_arb_rr N=6 Groups=3 */
#include "hd_unit.h"
#include "hd_arb_rr_dut.h"

enum { N = P_N, GROUPS = P_Groups, IDX_W = N > 32 ? 6 : N > 16 ? 5 : N > 8 ? 4 : N > 4 ? 3 : N > 2 ? 2 : 1 };

static struct hd_arb_rr d;
static unsigned next_in_line[GROUPS]; /* reference: the index that is served first */

static int setup(void **state)
{
    (void)state;
    hd_arb_rr_open(&d);
    hd_reset(d.m);
    memset(next_in_line, 0, sizeof next_in_line);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    hd_close(d.m);
    return 0;
}

static uint64_t all(void)
{
    return ((uint64_t)1 << (N - 1) << 1) - 1;
}

static uint64_t random_requests(void)
{
    uint64_t req = hd_rand();

    for (uint64_t sparse = hd_rand_below(4); sparse > 0; sparse--)
        req &= hd_rand();
    return req & all();
}

/* Drives one cycle and compares the grants. @return the index granted by the first, N when there is none. */
static unsigned cycle(uint64_t req, bool take)
{
    unsigned want[GROUPS];
    bool taken[GROUPS];
    uint64_t gnt = 0, idx = 0, valid = 0;

    *d.req_i = 0;
    *d.take_i = 0;
    for (unsigned g = 0; g < GROUPS; g++) {
        const uint64_t asks = g == 0 ? req : random_requests();

        taken[g] = g == 0 ? take : hd_rand_below(2);
        want[g] = N;
        for (unsigned k = N; k-- > 0;) {
            const unsigned i = (next_in_line[g] + k) % N;

            if (asks >> i & 1)
                want[g] = i;
        }
        *d.req_i |= asks << g * N;
        *d.take_i |= (uint64_t)taken[g] << g;
        if (want[g] < N) {
            valid |= (uint64_t)1 << g;
            gnt |= (uint64_t)1 << (g * N + want[g]);
            idx |= (uint64_t)want[g] << g * IDX_W;
        }
    }
    hd_eval(d.m);
    assert_int_equal(*d.valid_o, valid);
    assert_int_equal(*d.gnt_o, gnt);
    assert_int_equal(*d.idx_o, idx);
    hd_edge(d.m);
    for (unsigned g = 0; g < GROUPS; g++)
        if (taken[g] && want[g] < N)
            next_in_line[g] = (want[g] + 1) % N;
    return want[0];
}

static void all_requesters_are_served_in_turn(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3 * N; i++)
        assert_int_equal(cycle(all(), true), i % N);
}

static void without_take_the_order_stands(void **state)
{
    (void)state;
    cycle(all(), true);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(cycle(all(), false), 1 % N);
    cycle(0, true); /* nobody to take */
    assert_int_equal(cycle(all(), false), 1 % N);
}

static void after_reset_nobody_has_been_served(void **state)
{
    (void)state;
    cycle(all(), true);
    cycle(all(), true);
    hd_reset(d.m);
    memset(next_in_line, 0, sizeof next_in_line);
    cycle(all(), true);
}

static void a_requester_that_stays_waits_for_at_most_n_minus_1_takes(void **state)
{
    unsigned longest = 0;

    (void)state;
    for (int t = 0; t < 2000; t++) {
        const unsigned i = hd_rand_below(N);
        unsigned takes = 0;

        while (cycle(random_requests() | (uint64_t)1 << i, true) != i)
            takes++;
        assert_true(takes <= N - 1);
        longest = takes > longest ? takes : longest;
    }
    assert_true(longest > 0 || N == 1);
}

static void random_requests_match_the_reference(void **state)
{
    unsigned none = 0, kept = 0, wrapped = 0;

    (void)state;
    for (int t = 0; t < 20000; t++) {
        const unsigned before = next_in_line[0];
        const bool take = hd_rand_below(3) != 0;
        const unsigned got = cycle(hd_rand_below(8) ? random_requests() : 0, take);

        none += got == N;
        kept += got < N && !take;
        wrapped += got < before;
    }
    assert_true(none > 100 && kept > 100 && (wrapped > 100 || N == 1));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(all_requesters_are_served_in_turn, setup, teardown),
        cmocka_unit_test_setup_teardown(without_take_the_order_stands, setup, teardown),
        cmocka_unit_test_setup_teardown(after_reset_nobody_has_been_served, setup, teardown),
        cmocka_unit_test_setup_teardown(a_requester_that_stays_waits_for_at_most_n_minus_1_takes,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(random_requests_match_the_reference, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
