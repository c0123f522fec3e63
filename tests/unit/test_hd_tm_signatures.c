/* test_hd_tm_signatures.c - the filters against a table of bits in C: conflicts, own bits, columns cleared. */
/* dut: hd_tm_signatures Banks=4 Lanes=4 TmWarps=3 Hash=4 */
/* dut: hd_tm_signatures Banks=2 Lanes=3 TmWarps=1 Hash=1 */
/* dut: hd_tm_signatures Banks=3 Lanes=64 TmWarps=2 Hash=8 */
#include "hd_unit.h"

#include "hd_bits.h"
#include "hd_tm_signatures_dut.h"

enum {
    BANKS = P_Banks,
    LANES = P_Lanes,
    WFS = P_TmWarps,
    HASH = P_Hash,
    COLS = WFS * LANES,
    HASH_W = HD_TM_SIGNATURES_W_hash_i / BANKS,
    LANE_W = HD_TM_SIGNATURES_W_lane_i / BANKS
};

static struct hd_tm_signatures d;
static bool bit[BANKS][HASH][COLS];

static int setup(void **state)
{
    (void)state;
    memset(bit, 0, sizeof bit);
    hd_tm_signatures_open(&d);
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

static void random_looks_and_clears(void **state)
{
    unsigned conflicts = 0, own = 0, fresh = 0, wf_often = 0, lane_often = 0, wf_rival = 0, lane_rival = 0;

    (void)state;
    for (unsigned t = 0; t < 12000; t++) {
        const bool other_lane = t % 40 == 0; /* one lane is alone in the filters for a while, then another */
        if (other_lane) { /* and a rival, so that every pair of lanes meets */
            wf_often = (unsigned)hd_rand_below(WFS), lane_often = (unsigned)hd_rand_below(LANES);
            wf_rival = (unsigned)hd_rand_below(WFS), lane_rival = (unsigned)hd_rand_below(LANES);
        }
        if (t % 80 == 20) { /* reset leaves nothing, with a look or a clear too */
            memset(bit, 0, sizeof bit);
            *d.rst_i = 1;
            hd_edge(d.m);
            *d.rst_i = 0;
        }
        const bool look = !other_lane && hd_rand_below(4) != 0, clear = other_lane || (!look && hd_rand_below(2));
        const bool rival = hd_rand_below(4) == 0;
        const unsigned wf = rival ? wf_rival : hd_rand_below(8) ? wf_often : (unsigned)hd_rand_below(WFS);
        const uint64_t used = look ? hd_bits_random_mask(BANKS) : hd_rand() & ((1u << BANKS) - 1);
        unsigned hash[BANKS], col[BANKS];

        *d.look_i = look;
        hd_bits_put(d.wf_i, 0, HD_TM_SIGNATURES_W_wf_i, wf);
        hd_bits_put(d.used_i, 0, BANKS, used);
        for (unsigned b = 0; b < BANKS; b++) {
            const unsigned lane = rival ? lane_rival : hd_rand_below(8) ? lane_often : (unsigned)hd_rand_below(LANES);
            hash[b] = (unsigned)hd_rand_below(HASH);
            col[b] = wf * LANES + lane;
            hd_bits_put(d.hash_i, b * HASH_W, HASH_W, hash[b]);
            hd_bits_put(d.lane_i, b * LANE_W, LANE_W, lane);
        }
        bool gone[COLS];
        for (unsigned c = 0; c < COLS; c++) {
            gone[c] = clear && (other_lane || (t / 40 % 2 ? hd_rand_below(8) != 0 : hd_rand_below(COLS) == 0));
            hd_bits_put(d.clear_i, c, 1, gone[c]);
        }
        hd_eval(d.m);
        for (unsigned b = 0; b < BANKS; b++) {
            bool other = false, self = look && (used >> b & 1) && bit[b][hash[b]][col[b]];
            for (unsigned c = 0; c < COLS; c++)
                other |= look && (used >> b & 1) && c != col[b] && bit[b][hash[b]][c];
            assert_int_equal(hd_bits_get(d.other_o, b, 1), other);
            assert_int_equal(hd_bits_get(d.self_o, b, 1), self);
            conflicts += other;
            own += self;
            if (look && (used >> b & 1) && !other) {
                fresh += !self;
                bit[b][hash[b]][col[b]] = true;
            }
            for (unsigned h = 0; h < HASH; h++)
                for (unsigned c = 0; c < COLS; c++)
                    bit[b][h][c] = bit[b][h][c] && !gone[c];
        }
        hd_edge(d.m);
    }
    assert_true(conflicts > 100 && own > 50 && fresh > 50);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(random_looks_and_clears, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, tests);
}
