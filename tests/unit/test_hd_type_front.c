/* test_hd_type_front.c - operations of each warp in front of the classification, against counters in C. */
/* mutants: Warps=5 CountW=2 */
/* dut: hd_type_front Warps=5 CountW=2 */
/* dut: hd_type_front Warps=1 CountW=4 */
/* dut: hd_type_front Warps=48 CountW=4 */
#include "hd_unit.h"
#include "hd_type_front_dut.h"
#include "hd_bits.h"

enum { WARPS = P_Warps, MOST = (1 << P_CountW) - 1 };

static struct hd_type_front d;

static void every_count_is_seen(void **state)
{
    (void)state;
    hd_type_front_open(&d);
    hd_reset(d.m);
    assert_int_equal(hd_bits_get(d.front_o, 0, WARPS), 0);
    for (int i = 0; i < MOST; i++) {
        *d.in_i = 1;
        *d.in_warp_i = WARPS - 1;
        hd_edge(d.m);
        assert_int_equal(hd_bits_get(d.front_o, 0, WARPS), UINT64_C(1) << (WARPS - 1));
    }
    *d.out_i = 1; /* one comes, one goes */
    *d.out_warp_i = WARPS - 1;
    hd_edge(d.m);
    *d.in_i = 0;
    for (int i = 0; i < MOST; i++) {
        assert_int_equal(hd_bits_get(d.front_o, 0, WARPS), UINT64_C(1) << (WARPS - 1));
        hd_edge(d.m);
    }
    assert_int_equal(hd_bits_get(d.front_o, 0, WARPS), 0);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static void random_traffic_matches_counters(void **state)
{
    int count[WARPS] = {0};
    unsigned full = 0, last = 0, same = 0, both = 0;

    (void)state;
    hd_type_front_open(&d);
    hd_reset(d.m);
    for (unsigned t = 0; t < 40000; t++) {
        const unsigned in = (unsigned)hd_rand_below(WARPS), out = hd_rand_below(4) ? (unsigned)hd_rand_below(WARPS) : in;
        const bool fill = t / 1000 % 2;
        const bool leaves = count[out] > 0 && hd_rand_below(fill ? 4 : 2) == 0;
        const bool comes = (count[in] < MOST || (leaves && in == out)) && hd_rand_below(fill ? 2 : 4) == 0;

        *d.in_i = comes;
        *d.in_warp_i = (uint8_t)in;
        *d.out_i = leaves;
        *d.out_warp_i = (uint8_t)out;
        same += comes && leaves && in == out;
        both += comes && leaves && in != out;
        hd_edge(d.m);
        count[in] += comes;
        count[out] -= leaves;
        full += count[in] == MOST;
        last += leaves && count[out] == 0;
        for (unsigned w = 0; w < WARPS; w++)
            assert_int_equal(hd_bits_get(d.front_o, w, 1), count[w] > 0);
    }
    assert_true(full > 50 && last > 50 && same > 50 && (both > 50 || WARPS == 1));
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(every_count_is_seen),
        cmocka_unit_test(random_traffic_matches_counters),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
