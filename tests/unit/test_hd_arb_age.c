/* test_hd_arb_age.c - oldest-first arbiter. */
/* mutants: N=5 */
/* dut: hd_arb_age N=1 */
/* dut: hd_arb_age N=5 */
/* dut: hd_arb_age N=8 */
/* dut: hd_arb_age N=48 */
#include "hd_unit.h"
#include "hd_arb_age_dut.h"

enum { N = P_N };

static struct hd_arb_age d;
static unsigned order[N]; /* reference: indices, oldest first */

static int setup(void **state)
{
    (void)state;
    hd_arb_age_open(&d);
    hd_reset(d.m);
    for (unsigned i = 0; i < N; i++)
        order[i] = i;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static void check_grant(uint64_t req)
{
    unsigned want = N;

    for (unsigned k = N; k-- > 0;)
        if (req >> order[k] & 1)
            want = order[k];
    *d.req_i = req;
    hd_eval(d.m);
    assert_int_equal(*d.valid_o, want < N);
    assert_int_equal(*d.gnt_o, want < N ? (uint64_t)1 << want : 0);
    assert_int_equal(*d.idx_o, want < N ? want : 0);
}

static void make_youngest(unsigned idx)
{
    unsigned k = 0;

    *d.young_valid_i = 1;
    *d.young_idx_i = idx;
    hd_edge(d.m);
    *d.young_valid_i = 0;
    hd_eval(d.m);
    while (order[k] != idx)
        k++;
    for (; k + 1 < N; k++)
        order[k] = order[k + 1];
    order[N - 1] = idx;
}

static uint64_t all(void)
{
    return ((uint64_t)1 << (N - 1) << 1) - 1;
}

static void after_reset_index_0_is_the_oldest_and_the_last_the_youngest(void **state)
{
    (void)state;
    for (uint64_t left = all(); left != 0; left &= left - 1)
        check_grant(left);
    check_grant(0);
}

static void the_youngest_is_served_behind_all_others(void **state)
{
    (void)state;
    make_youngest(0);
    check_grant(all());
    check_grant(1);
    for (unsigned i = 0; i < N; i++)
        check_grant(1 | (uint64_t)1 << i);
}

static void a_grant_does_not_change_the_order(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        check_grant(all());
        hd_edge(d.m);
    }
}

static void an_index_outside_is_asserted(void **state)
{
    (void)state;
    if ((N & (N - 1)) == 0 && N != 1) /* every value of young_idx_i is an index */
        return;
    *d.young_valid_i = 1;
    *d.young_idx_i = N;
    hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
    hd_assert_clear(d.m);
}

static void random_ages_match_a_list(void **state)
{
    unsigned moved_oldest = 0, moved_youngest = 0, none = 0;

    (void)state;
    for (int t = 0; t < 20000; t++) {
        uint64_t req = hd_rand() & all();

        for (uint64_t sparse = hd_rand_below(6); sparse > 0; sparse--)
            req &= hd_rand();
        check_grant(req);
        none += req == 0;
        if (hd_rand_below(2)) {
            const unsigned idx = hd_rand_below(4) ? hd_rand_below(N) : order[0];

            moved_oldest += idx == order[0];
            moved_youngest += idx == order[N - 1];
            make_youngest(idx);
        } else {
            hd_edge(d.m);
        }
    }
    assert_true(moved_oldest > 100 && moved_youngest > 50 && none > 50);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(after_reset_index_0_is_the_oldest_and_the_last_the_youngest,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(the_youngest_is_served_behind_all_others, setup, teardown),
        cmocka_unit_test_setup_teardown(a_grant_does_not_change_the_order, setup, teardown),
        cmocka_unit_test_setup_teardown(an_index_outside_is_asserted, setup, teardown),
        cmocka_unit_test_setup_teardown(random_ages_match_a_list, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
