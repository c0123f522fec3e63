/* test_hd_l2_send.c - packets and memory requests leave in order, one at a time; what is observed. */
/* dut: hd_l2_send Observe=0 */
/* dut: hd_l2_send Observe=1 */
#include "hd_unit.h"
#include "hd_l2_send_dut.h"
#include "hd_bits.h"

static void random_traffic_leaves_in_order(void **state)
{
    struct hd_l2_send d;
    struct {
        bool valid, mem, write, obs;
        uint8_t head[20];
    } held = {0};
    unsigned waits = 0, downs = 0, mems = 0, observed = 0;

    (void)state;
    hd_l2_send_open(&d);
    hd_reset(d.m);
    for (unsigned cycle = 0; cycle < 20000; cycle++) {
        *d.dn_ready_i = hd_rand_below(4) > cycle / 400 % 3;
        *d.send_i = 0;
        hd_eval(d.m);
        bool free_now = !held.valid || held.mem || *d.dn_ready_i;
        assert_int_equal(*d.free_o, free_now);
        assert_int_equal(*d.dn_valid_o, held.valid && !held.mem);
        assert_int_equal(*d.mreq_valid_o, held.valid && held.mem);
        assert_int_equal(*d.obs_valid_o, P_Observe && held.obs);
        if (held.valid || *d.obs_valid_o)
            assert_memory_equal(d.head_o, held.head, sizeof held.head);
        if (held.valid && held.mem)
            assert_int_equal(*d.mreq_write_o, held.write);
        observed += *d.obs_valid_o;
        waits += held.valid && !free_now, downs += held.valid && !held.mem, mems += held.valid && held.mem;
        bool send = free_now && hd_rand_below(3) != 0;
        *d.send_i = send;
        *d.to_mem_i = (uint8_t)hd_rand_below(2);
        *d.write_i = (uint8_t)hd_rand_below(2);
        *d.obs_i = send && !*d.to_mem_i && hd_rand_below(2);
        hd_bits_random(d.head_i, HD_HEAD_W + HD_LANE_W);
        if (send) {
            held.mem = *d.to_mem_i, held.write = *d.write_i, held.valid = true;
            memcpy(held.head, d.head_i, sizeof held.head);
        } else if (free_now) {
            held.valid = false;
        }
        held.obs = *d.obs_i;
        hd_edge(d.m);
    }
    assert_true(waits > 500 && downs > 500 && mems > 500 && (observed > 500) == P_Observe);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(random_traffic_leaves_in_order)};

    return HD_UNIT_MAIN(argc, argv, t);
}
