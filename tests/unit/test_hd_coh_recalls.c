/* test_hd_coh_recalls.c - every sharer of a recalled line is told once; rows are to be filled in the order they got free. */
/* dut: hd_coh_recalls Sms=5 RowW=4 IdxW=3 Rows=3 */
/* dut: hd_coh_recalls Inclusive=0 Sms=1 RowW=4 IdxW=3 Rows=3 */
#include "hd_unit.h"
#include "hd_coh_recalls_dut.h"
#include "hd_bits.h"

#ifndef P_Inclusive
#define P_Inclusive 1
#endif
enum { PART = 0x1d };

static struct hd_coh_recalls d;

static void sharers_are_told_and_rows_filled(void **state)
{
    unsigned left = 0, addr = 0, fills = 0, invs = 0, recalls = 0, waits = 0, out = 0;
    struct { unsigned row, idx; } q[P_Rows];

    (void)state;
    hd_coh_recalls_open(&d);
    hd_reset(d.m);
    *d.part_id_i = PART;
    for (unsigned n = 0; n < 20000; n++) {
        const unsigned who = (unsigned)hd_rand_below(P_Sms), kind = (unsigned)hd_rand_below(4);
        unsigned sharers = (unsigned)hd_rand_below(1u << P_Sms), want;

        *d.start_i = *d.new_i = *d.share_i = *d.ack_i = 0;
        *d.inv_ready_i = hd_rand_below(2) && left;
        *d.fill_pop_i = 0;
        *d.who_i = (uint8_t)who, *d.sharers_i = (uint8_t)sharers;
        *d.addr_i = (uint32_t)hd_rand(), *d.row_i = (uint8_t)hd_rand_below(16), *d.idx_i = (uint8_t)hd_rand_below(8);
        want = sharers;
        if (kind == 1 && P_Inclusive) {
            *d.new_i = 1, want = 0;
        } else if (kind == 2 && P_Inclusive) {
            *d.share_i = 1, want |= 1u << who;
        } else if (kind == 3 && P_Inclusive && out < P_Rows && (sharers >> who & 1)) {
            *d.ack_i = 1, want &= ~(1u << who);
        }
        hd_eval(d.m);
        if (!P_Inclusive) {
            assert_true(!*d.free_o && !*d.inv_valid_o && !*d.fill_valid_o && !*d.we_o && *d.idle_o);
            hd_edge(d.m);
            continue;
        }
        assert_int_equal(*d.sharers_o, want);
        assert_int_equal(*d.we_o, *d.share_i || *d.ack_i);
        assert_int_equal(*d.free_o, left == 0);
        assert_int_equal(*d.inv_valid_o, left != 0);
        assert_int_equal(*d.fill_valid_o, out > 0);
        assert_int_equal(*d.idle_o, left == 0 && out == 0);
        if (left) {
            unsigned to = 0;
            while (!(left >> to & 1))
                to++;
            assert_int_equal(hd_bits_get(d.inv_head_o, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W), HD_MSG_INV);
            assert_int_equal(hd_bits_get(d.inv_head_o, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W), addr);
            assert_int_equal(hd_bits_get(d.inv_head_o, HD_HEAD_DST_LSB, HD_HEAD_DST_W), to);
            assert_int_equal(hd_bits_get(d.inv_head_o, HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W), HD_END_SM);
            assert_int_equal(hd_bits_get(d.inv_head_o, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W), PART);
            if (*d.inv_ready_i)
                left &= left - 1, invs++;
            else
                waits++;
        } else if (sharers && !*d.ack_i && hd_rand_below(4) == 0) {
            *d.start_i = 1;
            left = sharers, addr = *d.addr_i;
            recalls++;
        }
        if (out > 0) {
            assert_int_equal(*d.fill_row_o, q[0].row);
            assert_int_equal(*d.fill_idx_o, q[0].idx);
            *d.fill_pop_i = hd_rand_below(8) == 0;
            if (*d.fill_pop_i)
                memmove(&q[0], &q[1], --out * sizeof q[0]);
        }
        if (*d.ack_i && want == 0) {
            q[out].row = *d.row_i, q[out++].idx = *d.idx_i;
            fills++;
        }
        hd_edge(d.m);
    }
    assert_true(!P_Inclusive || (recalls > 500 && invs > recalls && fills > 100 && waits > 500));
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(sharers_are_told_and_rows_filled)};

    return HD_UNIT_MAIN(argc, argv, t);
}
