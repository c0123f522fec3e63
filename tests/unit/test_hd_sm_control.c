/* test_hd_sm_control.c - policy, ticks, kernels and flush of an SM tile. */
/* dut: hd_sm_control Warps=5 ClkRatio=4 */
/* dut: hd_sm_control Warps=64 ClkRatio=1 */
#include "hd_unit.h"
#include "hd_sm_control_dut.h"
#include "hd_access.h"

static void follows_policy_clock_kernels_and_flush(void **state)
{
    struct hd_sm_control d;
    bool busy = false, done = false;
    unsigned ends = 0, begins = 0;

    (void)state;
    hd_sm_control_open(&d);
    hd_reset(d.m);
    for (unsigned t = 0; t < 4000; t++) {
        const struct hd_access op = {.kind = (unsigned)hd_rand_below(16), .fn = (unsigned)hd_rand_below(16)};
        const bool begin = hd_rand_below(8) == 0, walk = hd_rand_below(2), idle = hd_rand_below(2), sent = hd_rand_below(2);
        const uint64_t hold = hd_rand() & (UINT64_MAX >> (64 - P_Warps));
        uint64_t policy;

        *d.now_i = t;
        hd_bits_random(d.policy_i, HD_POLICY_W);
        policy = hd_bits_get(d.policy_i, 0, HD_POLICY_W);
        hd_bits_put(d.order_hold_i, 0, P_Warps, hold);
        *d.op_valid_i = (uint8_t)hd_rand_below(2);
        hd_bits_put(d.op_acc_i, 0, HD_ACCESS_W, hd_access_pack(op));
        *d.flush_i = begin;
        *d.flushing_i = walk;
        *d.l1_idle_i = idle;
        *d.links_sent_i = sent;
        hd_eval(d.m);
        assert_int_equal(*d.tick_o, t % P_ClkRatio == 0);
        assert_int_equal(*d.clear_o, begin || (*d.op_valid_i && op.kind == HD_OP_LAUNCH && op.fn % 2));
        assert_true(hd_bits_get(d.hold_o, 0, P_Warps)
                    == (hd_bits_get(d.policy_o, HD_POLICY_CREDIT_ISSUE_LSB, 1) ? hold : 0));
        assert_int_equal(*d.flush_busy_o, busy);
        assert_int_equal(*d.flush_done_o, done);
        hd_edge(d.m);
        assert_true(hd_bits_get(d.policy_o, 0, HD_POLICY_W) == policy);
        done = busy && !walk && idle && sent;
        busy = begin || (busy && !done);
        ends += done;
        begins += begin;
    }
    assert_true(ends > 100 && begins > 100);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(follows_policy_clock_kernels_and_flush)};

    return HD_UNIT_MAIN(argc, argv, t);
}
