/* test_hd_l1_vi_data.c - loads, in-place stores, fills and completions from outside against a memory in C. */
/* dut: hd_l1_vi_data Rows=4 Lanes=4 LineWords=8 WordW=32 SlotW=3 */
/* dut: hd_l1_vi_data Rows=3 Lanes=8 LineWords=4 WordW=64 SlotW=5 */
/* dut-rtl: hd_l1_vi_data Rows=3 Lanes=64 LineWords=16 WordW=32 SlotW=3 */
#include "hd_unit.h"
#include "hd_l1_vi_data_dut.h"
#include "hd_bits.h"

enum {
    ROWS = P_Rows, LANES = P_Lanes, WORDS = P_LineWords, W = P_WordW, OFF_W = HD_L1_VI_DATA_W_offs_i / LANES,
    HALF = LANES > 32 ? 32 : LANES, SLOT_W = P_SlotW, WHO_W = HD_L1_VI_DATA_W_who_i, /* {warp, slot, lanes} */
    COUNT_W = HD_L1_VI_DATA_W_perf_o - SLOT_W - HD_WARP_W
};

struct done {
    bool valid, last;
    unsigned warp, slot;
    uint64_t mask;
    uint64_t word[LANES];
};

static struct hd_l1_vi_data d;

static struct done who(const void *port)
{
    return (struct done){.valid = true, .mask = hd_bits_get(port, 0, LANES), .slot = (unsigned)hd_bits_get(port, LANES, SLOT_W),
        .warp = (unsigned)hd_bits_get(port, LANES + SLOT_W, HD_WARP_W)};
}

static void see_perf(const struct done *p)
{
    assert_int_equal(*d.perf_valid_o, p->valid);
    if (!p->valid)
        return;
    assert_int_equal(hd_bits_get(d.perf_o, 0, HD_WARP_W), p->warp);
    assert_int_equal(hd_bits_get(d.perf_o, HD_WARP_W, SLOT_W), p->slot);
    assert_int_equal(hd_bits_get(d.perf_o, HD_WARP_W + SLOT_W, COUNT_W), hd_bits_count(p->mask));
}

static void see_cpl(const struct done *p)
{
    assert_int_equal(*d.cpl_valid_o, p->valid);
    if (!p->valid)
        return;
    assert_int_equal(hd_bits_get(d.cpl_o, HD_COMPLETION_WARP_LSB, HD_WARP_W), p->warp);
    assert_int_equal(hd_bits_get(d.cpl_o, HD_COMPLETION_SLOT_LSB, HD_SLOT_W), p->slot & ((1u << HD_SLOT_W) - 1));
    assert_int_equal(hd_bits_get(d.cpl_o, HD_COMPLETION_LAST_LSB, 1), p->last);
    assert_int_equal(hd_bits_get(d.cpl_o, HD_COMPLETION_STATUS_LSB, HD_COMPLETION_STATUS_W), 0);
    assert_true(hd_bits_get(d.cpl_o, HD_COMPLETION_W, LANES) == p->mask);
    for (unsigned i = 0; i < LANES; i++)
        if (p->mask >> i & 1)
            assert_true(hd_bits_get(d.cpl_o, HD_COMPLETION_W + LANES + i * W, W) == p->word[i]);
}

static void random_accesses_see_the_last_words(void **state)
{
    uint64_t mem[ROWS][WORDS] = {{0}};
    struct done load = {0}, cpl = {0};
    unsigned seen[4] = {0}, bubbles = 0;

    (void)state;
    hd_l1_vi_data_open(&d);
    hd_reset(d.m);
    for (unsigned cycle = 0; cycle < 20000; cycle++) {
        unsigned what = cycle < ROWS ? 2 : (unsigned)hd_rand_below(4), row = cycle < ROWS ? cycle : (unsigned)hd_rand_below(ROWS);
        struct done next = {0}, now;

        *d.load_i = what == 0, *d.store_i = what == 1, *d.fill_i = what == 2;
        *d.row_i = (uint8_t)row;
        hd_bits_random(d.who_i, WHO_W);
        hd_bits_put(d.who_i, 0, LANES, hd_bits_random_mask(LANES));
        hd_bits_put(d.wmask_i, 0, WORDS, hd_bits_random_mask(WORDS));
        hd_bits_random(d.data_i, WORDS * W);
        hd_bits_random(d.offs_i, LANES * OFF_W);
        hd_bits_random(d.done_data_i, HALF * W);
        hd_bits_random(d.done_who_i, WHO_W);
        hd_bits_put(d.done_who_i, 0, LANES, hd_bits_random_mask(LANES));
        *d.done_i = 0;
        hd_eval(d.m);
        assert_int_equal(*d.done_ok_o, !load.valid);
        *d.done_i = *d.done_ok_o && hd_rand_below(2);
        *d.perf_last_i = (uint8_t)hd_rand_below(2);
        hd_eval(d.m);
        now = load;
        if (*d.done_i) {
            now = who(d.done_who_i);
            for (unsigned i = 0; i < LANES; i++) /* of the half it has lanes of */
                now.word[i] = hd_bits_get(d.done_data_i, i % HALF * W, W);
            seen[3]++;
        }
        bubbles += load.valid;
        now.last = *d.perf_last_i;
        see_perf(&now);
        see_cpl(&cpl);
        assert_int_equal(*d.idle_o, !load.valid && !cpl.valid);
        if (what == 0) {
            next = who(d.who_i);
            for (unsigned i = 0; i < LANES; i++)
                next.word[i] = mem[row][hd_bits_get(d.offs_i, i * OFF_W, OFF_W)];
            seen[0]++;
        }
        for (unsigned w = 0; (what == 1 || what == 2) && w < WORDS; w++)
            if (what == 2 || hd_bits_get(d.wmask_i, w, 1))
                mem[row][w] = hd_bits_get(d.data_i, w * W, W);
        seen[1] += what == 1, seen[2] += what == 2;
        cpl = now;
        load = next;
        hd_edge(d.m);
    }
    for (unsigned i = 0; i < 4; i++)
        assert_true(seen[i] > 1000);
    assert_true(bubbles > 1000);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(random_accesses_see_the_last_words)};

    return HD_UNIT_MAIN(argc, argv, t);
}
