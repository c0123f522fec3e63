/* test_hd_gather.c - a word of the line for each lane. */
/* dut: hd_gather Lanes=4 LineWords=8 WordW=40 */
/* dut: hd_gather Lanes=8 LineWords=4 WordW=64 */
/* dut: hd_gather Lanes=32 LineWords=32 WordW=32 */
/* dut-rtl: hd_gather Lanes=64 LineWords=16 WordW=32 */
#include "hd_unit.h"
#include "hd_gather_dut.h"
#include "hd_bits.h"

enum { LANES = P_Lanes, WORDS = P_LineWords, W = P_WordW, OFF_W = HD_GATHER_W_offs_i / LANES };

static struct hd_gather d;

static void begin(void)
{
    hd_gather_open(&d);
    hd_model_zero_inputs(d.m);
}

static void every_lane_can_reach_every_word(void **state)
{
    (void)state;
    begin();
    *d.en_i = 1;
    hd_bits_random(d.line_i, WORDS * W);
    for (unsigned lane = 0; lane < LANES; lane++) {
        for (unsigned word = 0; word < WORDS; word++) {
            hd_bits_random(d.offs_i, LANES * OFF_W);
            hd_bits_put(d.offs_i, lane * OFF_W, OFF_W, word);
            hd_eval(d.m);
            assert_int_equal(hd_bits_get(d.words_o, lane * W, W), hd_bits_get(d.line_i, word * W, W));
        }
    }
    hd_close(d.m);
}

static void lanes_may_share_a_word(void **state)
{
    (void)state;
    begin();
    *d.en_i = 1;
    hd_bits_random(d.line_i, WORDS * W);
    for (unsigned lane = 0; lane < LANES; lane++)
        hd_bits_put(d.offs_i, lane * OFF_W, OFF_W, WORDS - 1);
    hd_eval(d.m);
    for (unsigned lane = 0; lane < LANES; lane++)
        assert_int_equal(hd_bits_get(d.words_o, lane * W, W), hd_bits_get(d.line_i, (WORDS - 1) * W, W));
    hd_close(d.m);
}

static void random_gathers_match_and_a_disabled_one_gives_zeros(void **state)
{
    unsigned off = 0;

    (void)state;
    begin();
    for (unsigned t = 0; t < 2000; t++) {
        const bool enabled = hd_rand_below(4) != 0;

        *d.en_i = enabled;
        hd_bits_random(d.line_i, WORDS * W);
        hd_bits_random(d.offs_i, LANES * OFF_W);
        hd_eval(d.m);
        for (unsigned lane = 0; lane < LANES; lane++) {
            const unsigned word = (unsigned)hd_bits_get(d.offs_i, lane * OFF_W, OFF_W);

            assert_int_equal(hd_bits_get(d.words_o, lane * W, W),
                             enabled ? hd_bits_get(d.line_i, word * W, W) : 0);
        }
        off += !enabled;
    }
    assert_true(off > 300);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(every_lane_can_reach_every_word),
        cmocka_unit_test(lanes_may_share_a_word),
        cmocka_unit_test(random_gathers_match_and_a_disabled_one_gives_zeros),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
