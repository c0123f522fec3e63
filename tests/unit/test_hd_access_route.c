/* test_hd_access_route.c - accesses to L1 or LDS, lanes and words of each. */
/* dut: hd_access_route Lanes=4 LineWords=8 LdsW=6 */
/* dut: hd_access_route Lanes=64 LineWords=16 LdsW=10 SplitLds=1 */
#include "hd_unit.h"
#include "hd_access_route_dut.h"
#include "hd_bits.h"

#ifndef P_SplitLds
#define P_SplitLds 0
#endif
enum {
    OFF_W = (HD_ACCESS_ROUTE_W_l1_place_o - P_Lanes - P_LineWords) / P_Lanes,
    WORDS = P_SplitLds ? 0 : P_Lanes * P_LdsW,
    WMASK = WORDS,
    OFFS = WMASK + P_LineWords,
    MASK = OFFS + P_Lanes * OFF_W,
    LINE_W = HD_ACCESS_ROUTE_W_lo_line_i
};

static void goes_to_one_side_with_its_lanes_and_words(void **state)
{
    struct hd_access_route d;

    (void)state;
    hd_access_route_open(&d);
    for (unsigned i = 0; i < 1000; i++) {
        hd_bits_random(d.lo_line_i, LINE_W);
        hd_bits_random(d.lo_place_i, HD_ACCESS_ROUTE_W_lo_place_i);
        *d.lo_valid_i = (uint8_t)hd_rand_below(2);
        *d.lo_space_i = (uint8_t)hd_rand_below(2);
        *d.lo_prefetch_i = (uint8_t)hd_rand_below(2);
        *d.l1_ready_i = (uint8_t)hd_rand_below(2);
        *d.lds_ready_i = (uint8_t)hd_rand_below(2);
        hd_eval(d.m);
        const bool lds = *d.lo_space_i == HD_SPACE_LDS, prefetch = *d.lo_prefetch_i;
        const uint64_t line = hd_bits_get(d.lo_line_i, 0, LINE_W);
        assert_int_equal(*d.l1_valid_o, *d.lo_valid_i && !lds);
        assert_int_equal(*d.lds_valid_o, *d.lo_valid_i && lds);
        assert_int_equal(*d.lo_ready_o, lds ? *d.lds_ready_i : *d.l1_ready_i);
        assert_true(hd_bits_get(d.lds_mask_o, 0, P_Lanes) == hd_bits_get(d.lo_place_i, MASK, P_Lanes));
        assert_int_equal(hd_bits_get(d.l1_place_o, 0, P_LineWords),
                         prefetch ? 0 : hd_bits_get(d.lo_place_i, WMASK, P_LineWords));
        assert_true(hd_bits_get(d.l1_place_o, MASK - WORDS, P_Lanes)
                    == (prefetch ? 0 : hd_bits_get(d.lo_place_i, MASK, P_Lanes)));
        for (unsigned l = 0; l < P_Lanes; l++) {
            const uint64_t off = hd_bits_get(d.lo_place_i, OFFS + l * OFF_W, OFF_W);
            const uint64_t word = P_SplitLds ? (line << OFF_W | off) & ((1u << P_LdsW) - 1)
                                             : hd_bits_get(d.lo_place_i, l * P_LdsW, P_LdsW);

            assert_int_equal(hd_bits_get(d.l1_place_o, OFFS - WORDS + l * OFF_W, OFF_W), off);
            assert_int_equal(hd_bits_get(d.lds_word_o, l * P_LdsW, P_LdsW), word);
        }
    }
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(goes_to_one_side_with_its_lanes_and_words)};

    return HD_UNIT_MAIN(argc, argv, t);
}
