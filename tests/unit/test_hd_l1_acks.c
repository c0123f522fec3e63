/* test_hd_l1_acks.c - each INV is answered to who sent it, in order, with the rest of its head. */
/* dut: hd_l1_acks Depth=3 */
/* dut-rtl: hd_l1_acks Depth=1 */
/* dut: hd_l1_acks Depth=2 Enable=0 */
#include "hd_unit.h"
#include "hd_l1_acks_dut.h"
#include "hd_bits.h"

#ifndef P_Enable
#define P_Enable 1
#endif
enum { BYTES = (HD_HEAD_W + 31) / 32 * 4 };

/* An INV with the message an L1 makes of it: kind and route are other ones. */
static void answer(uint8_t *head, unsigned sm)
{
    const uint64_t from = hd_bits_get(head, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W);

    hd_bits_put(head, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, HD_MSG_INV_ACK);
    hd_bits_put(head, HD_HEAD_DST_LSB, HD_HEAD_DST_W, from);
    hd_bits_put(head, HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W, HD_END_L2);
    hd_bits_put(head, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, sm);
    hd_bits_put(head, HD_HEAD_SRC_KIND_LSB, HD_HEAD_SRC_KIND_W, HD_END_SM);
}

static void answers_leave_in_order(void **state)
{
    struct hd_l1_acks d;
    struct { uint8_t head[BYTES]; } q[P_Depth];
    unsigned len = 0, full = 0, sent = 0;

    (void)state;
    hd_l1_acks_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < 5000; n++) {
        *d.rsp_ready_i = hd_rand_below(3) > n / 400 % 3;
        *d.inv_i = 0;
        hd_bits_random(d.head_i, HD_HEAD_W);
        hd_eval(d.m);
        assert_int_equal(*d.rsp_valid_o, len > 0);
        assert_int_equal(*d.idle_o, len == 0);
        assert_true(!*d.room_o || (P_Enable && len < P_Depth));
        full += P_Enable && len == P_Depth;
        for (unsigned lsb = 0; len > 0 && lsb < HD_HEAD_W; lsb += 16)
            assert_int_equal(hd_bits_get(d.rsp_head_o, lsb, 16), hd_bits_get(q[0].head, lsb, 16));
        const bool out = *d.rsp_valid_o && *d.rsp_ready_i, in = *d.room_o && hd_rand_below(2);
        *d.inv_i = in;
        *d.sm_id_i = (uint8_t)hd_rand_below(1 << HD_NODE_W);
        if (out) {
            memmove(&q[0], &q[1], --len * sizeof q[0]);
            sent++;
        }
        if (in) {
            memcpy(q[len].head, d.head_i, BYTES);
            answer(q[len++].head, *d.sm_id_i);
        }
        hd_edge(d.m);
    }
    assert_true(!P_Enable || (sent > 500 && full > 300));
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(answers_leave_in_order)};

    return HD_UNIT_MAIN(argc, argv, t);
}
