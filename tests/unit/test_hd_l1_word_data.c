/* test_hd_l1_word_data.c - accesses, fills by words, lanes served from the data kept, and completions from outside. */
/* dut: hd_l1_word_data Rows=4 Lanes=4 LineWords=8 WordW=32 SlotW=3 TellOld=0 */
/* dut: hd_l1_word_data Rows=3 Lanes=8 LineWords=4 WordW=64 SlotW=5 TellOld=0 */
/* dut-rtl: hd_l1_word_data Rows=3 Lanes=4 LineWords=4 WordW=64 SlotW=3 TellOld=1 */
#include "hd_unit.h"
#include "hd_l1_word_data_dut.h"
#include "hd_bits.h"

enum {
    ROWS = P_Rows, LANES = P_Lanes, WORDS = P_LineWords, W = P_WordW, OFF_W = HD_L1_WORD_DATA_W_offs_i / LANES
};
enum { LOAD, STORE, ATOMIC, FILL, SERVE, READ, NOTHING };

struct done {
    bool valid, last, data;
    unsigned warp, slot, lanes;
    uint64_t mask, word[LANES];
};

static struct hd_l1_word_data d;

static void see_perf(const struct done *p)
{
    assert_int_equal(*d.perf_valid_o, p->valid);
    if (!p->valid)
        return;
    assert_int_equal(*d.perf_warp_o, p->warp);
    assert_int_equal(*d.perf_slot_o, p->slot);
    assert_int_equal(*d.perf_lanes_o, p->lanes);
}

static void see_cpl(const struct done *p)
{
    assert_int_equal(*d.cpl_valid_o, p->valid);
    if (!p->valid)
        return;
    assert_int_equal(*d.cpl_warp_o, p->warp);
    assert_int_equal(*d.cpl_slot_o, p->slot);
    assert_int_equal(*d.cpl_last_o, p->last);
    assert_true(hd_bits_get(d.cpl_mask_o, 0, LANES) == p->mask);
    for (unsigned i = 0; p->data && i < LANES; i++)
        if (p->mask >> i & 1)
            assert_true(hd_bits_get(d.cpl_data_o, i * W, W) == p->word[i]);
}

static void random_accesses_see_the_last_words(void **state)
{
    uint64_t mem[ROWS][WORDS] = {{0}}, kept[WORDS] = {0}, sent[WORDS] = {0}, before[WORDS] = {0};
    struct done g = {0}, cpl = {0}, atomic = {0};
    unsigned seen[NOTHING + 1] = {0}, fences = 0, dones = 0, rmw_lanes = 0, at_row = 0, resets = 0;
    bool was_read = false;

    (void)state;
    hd_l1_word_data_open(&d);
    hd_reset(d.m);
    for (unsigned cycle = 0; cycle < 20000; cycle++) {
        if (atomic.valid && !*d.perf_valid_o && hd_rand_below(100) == 0) { /* a reset: not performed, the words stay */
            const unsigned beside = (unsigned)hd_rand_below(3); /* nor what comes in that cycle */
            hd_bits_put(d.wmask_i, 0, WORDS, 0);
            *d.rst_i = *d.done_i = 1, *d.load_i = beside == 0, *d.store_i = beside == 1, *d.serve_i = beside == 2;
            hd_edge(d.m);
            *d.rst_i = 0;
            memcpy(mem[at_row], before, sizeof before);
            atomic.valid = g.valid = cpl.valid = was_read = false, rmw_lanes = 0, resets++;
        }
        const unsigned row = cycle < ROWS ? cycle : (unsigned)hd_rand_below(ROWS);
        unsigned what = cycle < ROWS ? FILL : (unsigned)hd_rand_below(NOTHING + 1);
        struct done next = {0}, now;

        if (atomic.valid)
            what = NOTHING;
        *d.load_i = what == LOAD, *d.store_i = what == STORE, *d.atomic_i = what == ATOMIC, *d.fill_i = what == FILL;
        *d.serve_i = what == SERVE, *d.read_i = what == READ;
        *d.row_i = (uint8_t)row, *d.fn_i = (uint8_t)hd_rand_below(HD_AMO_FUNCTIONS + 1);
        *d.warp_i = (uint8_t)hd_rand_below(64), *d.slot_i = (uint8_t)hd_rand_below(1u << P_SlotW);
        hd_bits_put(d.mask_i, 0, LANES, hd_bits_random_mask(LANES));
        hd_bits_put(d.wmask_i, 0, WORDS, cycle < ROWS ? UINT64_MAX >> (64 - WORDS) : hd_bits_random_mask(WORDS));
        hd_bits_put(d.old_i, 0, WORDS, hd_bits_random_mask(WORDS));
        hd_bits_random(d.data_i, HD_L1_WORD_DATA_W_data_i);
        hd_bits_random(d.offs_i, LANES * OFF_W);
        hd_bits_random(d.cmp_i, LANES * 32);
        for (unsigned i = 0; i < LANES; i++) /* every other comparison succeeds */
            if (hd_rand_below(2))
                hd_bits_put(d.cmp_i, i * 32, 32, (uint32_t)mem[row][hd_bits_get(d.offs_i, i * OFF_W, OFF_W)]);
        hd_bits_random(d.done_data_i, LANES * W);
        *d.done_warp_i = (uint8_t)hd_rand_below(64), *d.done_slot_i = (uint8_t)hd_rand_below(1u << P_SlotW);
        const bool fence = hd_rand_below(3) == 0;
        hd_bits_put(d.done_mask_i, 0, LANES, fence ? 0 : hd_bits_random_mask(LANES));
        *d.done_i = 0;
        hd_eval(d.m);
        assert_int_equal(*d.idle_o, !atomic.valid && !g.valid && !cpl.valid);
        rmw_lanes += *d.rmw_lane_o;
        assert_true(rmw_lanes <= (atomic.valid ? atomic.lanes : 0));
        if (atomic.valid && *d.perf_valid_o) { /* its lanes have been served */
            assert_int_equal(rmw_lanes, atomic.lanes);
            rmw_lanes = 0;
            g = atomic;
            atomic.valid = false;
        }
        assert_int_equal(*d.done_ok_o, !g.valid);
        *d.done_i = *d.done_ok_o && hd_rand_below(2);
        *d.perf_last_i = (uint8_t)hd_rand_below(2);
        hd_eval(d.m);
        now = g;
        if (*d.done_i) {
            now = (struct done){.valid = true, .warp = *d.done_warp_i, .slot = *d.done_slot_i, .data = !fence};
            now.mask = hd_bits_get(d.done_mask_i, 0, LANES);
            now.lanes = fence ? 1 : hd_bits_count(now.mask);
            for (unsigned i = 0; i < LANES; i++)
                now.word[i] = hd_bits_get(d.done_data_i, i * W, W);
            fences += fence, dones++;
        }
        now.last = *d.perf_last_i;
        see_perf(&now);
        see_cpl(&cpl);
        for (unsigned w = 0; was_read && w < WORDS; w++)
            assert_true(hd_bits_get(d.line_o, w * W, W) == sent[w]);
        was_read = what == READ;
        memcpy(sent, mem[row], sizeof sent);
        if (what == ATOMIC)
            at_row = row, memcpy(before, mem[row], sizeof before);
        seen[what]++;
        if (what == LOAD || what == STORE || what == SERVE || what == ATOMIC) {
            next = (struct done){.valid = true, .warp = *d.warp_i, .slot = *d.slot_i, .data = what != STORE || W > 32};
            next.mask = hd_bits_get(d.mask_i, 0, LANES);
            next.lanes = hd_bits_count(next.mask);
            for (unsigned i = 0; i < LANES; i++) {
                const unsigned off = (unsigned)hd_bits_get(d.offs_i, i * OFF_W, OFF_W);
                const uint64_t operand = hd_bits_get(d.data_i, i * W, W);
                next.word[i] = what == SERVE ? kept[off] : mem[row][off];
                if (what == STORE && !hd_bits_get(d.old_i, off, 1))
                    next.word[i] = 0;
                if (P_TellOld && (what == STORE || what == ATOMIC) && hd_bits_get(d.old_i, off, 1))
                    next.word[i] |= UINT64_C(1) << 63;
                if (what == ATOMIC && (next.mask >> i & 1) && *d.fn_i != HD_AT_READ)
                    mem[row][off] = operand >> 32 << 32 | hd_amo_reference(*d.fn_i, (uint32_t)mem[row][off], (uint32_t)operand,
                                                                          (uint32_t)hd_bits_get(d.cmp_i, i * 32, 32));
            }
        }
        for (unsigned w = 0; (what == STORE || what == FILL) && w < WORDS; w++) {
            if (what == FILL)
                kept[w] = hd_bits_get(d.data_i, w * W, W);
            if (hd_bits_get(d.wmask_i, w, 1))
                mem[row][w] = hd_bits_get(d.data_i, w * W, W);
        }
        cpl = now;
        g = next;
        if (what == ATOMIC)
            atomic = next, g.valid = false;
        hd_edge(d.m);
        assert_int_equal(*d.busy_o, atomic.valid);
    }
    for (unsigned i = 0; i < NOTHING; i++)
        assert_true(seen[i] > 300);
    assert_true(fences > 300 && dones > 1000 && resets > 10);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(random_accesses_see_the_last_words)};

    return HD_UNIT_MAIN(argc, argv, t);
}
