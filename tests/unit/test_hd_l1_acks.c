/* test_hd_l1_acks.c - each INV is answered to who sent it, in order, with the rest of its head. */
/* dut: hd_l1_acks Depth=3 */
/* dut-rtl: hd_l1_acks Depth=1 */
/* dut: hd_l1_acks Depth=2 Enable=0 */
#include "hd_unit.h"
#include "hd_l1_acks_dut.h"
#include "hd_head.h"

#ifndef P_Enable
#define P_Enable 1
#endif
enum { BYTES = HD_HEAD_BYTES(HD_HEAD_W) };

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
        if (len > 0)
            hd_head_same(d.rsp_head_o, q[0].head, HD_HEAD_W);
        const bool out = *d.rsp_valid_o && *d.rsp_ready_i, in = *d.room_o && hd_rand_below(2);
        *d.inv_i = in;
        *d.sm_id_i = (uint8_t)hd_rand_below(1 << HD_NODE_W);
        if (out) {
            memmove(&q[0], &q[1], --len * sizeof q[0]);
            sent++;
        }
        if (in) {
            memcpy(q[len].head, d.head_i, BYTES);
            hd_head_put(q[len++].head, HD_MSG_INV_ACK, HD_SM(*d.sm_id_i),
                        HD_L2((unsigned)hd_bits_get(d.head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W)));
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
