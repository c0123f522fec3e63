/* test_hd_completion.c - completions of L1 and LDS in one stream. */
/* dut: hd_completion Lanes=4 WordW=40 TagW=8 */
/* dut: hd_completion Lanes=64 WordW=32 */
#include "hd_unit.h"
#include "hd_completion_dut.h"
#include "hd_bits.h"

#ifndef P_TagW
#define P_TagW 0
#endif
enum { SLOT_W = HD_SLOT_W + P_TagW, LANES_W = HD_COMPLETION_W_perf_lanes_o, DATA_W = P_Lanes * P_WordW };

static struct hd_completion d;

static int setup(void **state)
{
    (void)state;
    hd_completion_open(&d);
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

static void drive_random(void)
{
    hd_bits_random(d.l1_perf_warp_i, HD_WARP_W);
    hd_bits_random(d.l1_perf_slot_i, SLOT_W);
    hd_bits_random(d.l1_perf_lanes_i, LANES_W);
    hd_bits_random(d.l1_cpl_i, HD_COMPLETION_W);
    hd_bits_random(d.l1_cpl_mask_i, P_Lanes);
    hd_bits_random(d.l1_cpl_data_i, DATA_W);
    hd_bits_random(d.lds_perf_warp_i, HD_WARP_W);
    hd_bits_random(d.lds_perf_slot_i, SLOT_W);
    hd_bits_random(d.lds_perf_lanes_i, LANES_W);
    hd_bits_random(d.lds_cpl_i, HD_COMPLETION_W);
    hd_bits_random(d.lds_cpl_mask_i, P_Lanes);
    hd_bits_random(d.lds_cpl_data_i, DATA_W);
}

static void perf_is_of(const void *warp, const void *slot, const void *lanes)
{
    assert_int_equal(hd_bits_get(d.perf_o, HD_PERFORMED_WARP_LSB, HD_WARP_W), hd_bits_get(warp, 0, HD_WARP_W));
    assert_int_equal(hd_bits_get(d.perf_o, HD_PERFORMED_SLOT_LSB, HD_SLOT_W), hd_bits_get(slot, 0, HD_SLOT_W));
    assert_int_equal(hd_bits_get(d.perf_o, HD_PERFORMED_TAG_LSB, HD_TAG_W), hd_bits_get(slot, 0, SLOT_W) >> HD_SLOT_W);
    assert_int_equal(hd_bits_get(d.perf_lanes_o, 0, LANES_W), hd_bits_get(lanes, 0, LANES_W));
}

static void cpl_is_of(const void *cpl, const void *mask, const void *data)
{
    assert_int_equal(hd_bits_get(d.cpl_o, 0, HD_COMPLETION_W), hd_bits_get(cpl, 0, HD_COMPLETION_W));
    assert_true(hd_bits_get(d.cpl_mask_o, 0, P_Lanes) == hd_bits_get(mask, 0, P_Lanes));
    for (unsigned l = 0; l < P_Lanes; l++)
        assert_int_equal(hd_bits_get(d.cpl_data_o, l * P_WordW, P_WordW), hd_bits_get(data, l * P_WordW, P_WordW));
}

static void the_l1_goes_first_and_the_lds_waits(void **state)
{
    unsigned hidden = 0;

    (void)state;
    for (unsigned i = 0; i < 2000; i++) {
        const unsigned perf = (unsigned)hd_rand_below(4), cpl = (unsigned)hd_rand_below(3);

        drive_random();
        *d.l1_perf_valid_i = perf & 1;
        *d.lds_perf_valid_i = perf >> 1;
        *d.l1_perf_hide_i = (perf & 1) && hd_rand_below(2);
        *d.l1_cpl_valid_i = cpl & 1;
        *d.lds_cpl_valid_i = cpl >> 1;
        hd_eval(d.m);
        assert_int_equal(*d.perf_valid_o, perf != 0 && !*d.l1_perf_hide_i);
        assert_int_equal(*d.lds_perf_ready_o, !(perf & 1));
        if (*d.l1_perf_hide_i)
            hidden++;
        else if (perf & 1)
            perf_is_of(d.l1_perf_warp_i, d.l1_perf_slot_i, d.l1_perf_lanes_i);
        else if (perf)
            perf_is_of(d.lds_perf_warp_i, d.lds_perf_slot_i, d.lds_perf_lanes_i);
        assert_int_equal(*d.cpl_valid_o, cpl != 0);
        if (cpl & 1)
            cpl_is_of(d.l1_cpl_i, d.l1_cpl_mask_i, d.l1_cpl_data_i);
        else if (cpl)
            cpl_is_of(d.lds_cpl_i, d.lds_cpl_mask_i, d.lds_cpl_data_i);
        hd_edge(d.m);
    }
    assert_true(hidden > 100);
}

static void two_completions_at_once_trip_an_assertion(void **state)
{
    (void)state;
    if (!hd_has_asserts(d.m))
        return;
    *d.l1_cpl_valid_i = *d.lds_cpl_valid_i = 1;
    hd_eval(d.m);
    hd_edge(d.m);
    assert_true(hd_assert_failures(d.m) > 0);
    hd_assert_clear(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(the_l1_goes_first_and_the_lds_waits, setup, teardown),
        cmocka_unit_test_setup_teardown(two_completions_at_once_trip_an_assertion, setup, teardown),
    };
    return HD_UNIT_MAIN(argc, argv, t);
}
