/* test_hd_head_pack.c - heads become flits: one passes at once, more come one a cycle, low bits first. */
/* dut: hd_head_pack WordW=32 FlitWords=8 Lanes=32 */
/* dut: hd_head_pack WordW=32 FlitWords=4 Lanes=32 */
/* dut: hd_head_pack WordW=64 FlitWords=4 Lanes=64 */
#include "hd_unit.h"
#include "hd_head_pack_dut.h"
#include "hd_bits.h"

enum {
    HEAD_W = HD_HEAD_W + (P_Lanes > HD_LANE_W ? P_Lanes : HD_LANE_W),
    UNITS = (HEAD_W + 31) / 32,
    FLIT_UNITS = P_FlitWords * P_WordW / 32,
    FLITS = (UNITS + P_FlitWords - 1) / P_FlitWords
};

static struct hd_head_pack d;

static void heads_leave_in_order_whole(void **state)
{
    uint32_t held[FLITS * P_FlitWords] = {0}, head[FLITS * P_FlitWords] = {0};
    unsigned left = 0, heads = 0, waits = 0, back_to_back = 0;
    bool offered = false;

    (void)state;
    hd_head_pack_open(&d);
    hd_reset(d.m);
    for (unsigned t = 0; t < 5000; t++) {
        if (!offered && hd_rand_below(3)) {
            hd_bits_random(head, HEAD_W);
            hd_bits_put(head, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W, 0); /* no data follow */
            offered = true;
        }
        *d.in_valid_i = offered;
        memcpy(d.in_head_i, head, UNITS * 4);
        *d.out_ready_i = hd_rand_below(t / 500 % 2 ? 4 : 2) != 0;
        hd_eval(d.m);
        const bool ready = *d.out_ready_i, taken = FLITS == 1 ? ready : left == 0 || (left == 1 && ready);
        const uint32_t *from = FLITS == 1 ? head : held + (FLITS - left) * P_FlitWords;
        const bool valid = FLITS == 1 ? offered : left > 0;
        assert_int_equal(*d.in_ready_o, taken);
        assert_int_equal(*d.out_valid_o, valid);
        assert_int_equal(*d.idle_o, FLITS == 1 || left == 0);
        if (valid) {
            uint32_t want[FLIT_UNITS] = {0};
            memcpy(want, from, P_FlitWords * 4);
            assert_memory_equal(d.out_flit_o, want, sizeof want);
            assert_int_equal(*d.out_tail_o, FLITS == 1 || left == 1);
            waits += !ready;
        }
        hd_edge(d.m);
        back_to_back += left == 1 && ready && offered;
        if (left > 0 && ready)
            left--;
        if (offered && taken) {
            memcpy(held, head, sizeof held);
            left = FLITS == 1 ? 0 : FLITS;
            heads++;
            offered = false;
        }
    }
    assert_true(heads > 500 && waits > 300 && (FLITS == 1 || back_to_back > 100));
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(heads_leave_in_order_whole)};

    return HD_UNIT_MAIN(argc, argv, t);
}
