/* test_hd_sm_events.c - each event of a part of the tile at its number. */
/* dut: hd_sm_events */
#include "hd_unit.h"
#include "hd_sm_events_dut.h"
#include "hd_bits.h"

static void each_event_has_its_number(void **state)
{
    static const unsigned issue[] = {HD_EV_SM_ISSUE_ALU, HD_EV_SM_ISSUE_MEM, HD_EV_SM_ISSUE_CTL, HD_EV_SM_STALL_PIPE};
    struct hd_sm_events d;

    (void)state;
    hd_sm_events_open(&d);
    for (unsigned i = 0; i < 500; i++) {
        uint64_t want = hd_rand() & ((UINT64_C(1) << HD_EV_SM_NUM) - 1);

        hd_bits_put(d.memory_ev_i, 0, HD_EV_SM_NUM, want);
        *d.issue_ev_i = (uint8_t)hd_rand_below(16);
        *d.order_ev_i = (uint8_t)hd_rand_below(1u << HD_ORDER_EV_NUM);
        *d.flush_done_i = (uint8_t)hd_rand_below(2);
        for (unsigned k = 0; k < 4; k++)
            hd_bits_put(&want, issue[k], 1, *d.issue_ev_i >> k & 1);
        hd_bits_put(&want, HD_EV_SM_FLUSH_DONE, 1, *d.flush_done_i);
        hd_bits_put(&want, HD_EV_SM_ORD_QUEUED, HD_ORDER_EV_NUM, *d.order_ev_i);
        hd_eval(d.m);
        assert_true(hd_bits_get(d.ev_o, 0, HD_EV_SM_NUM) == want);
    }
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(each_event_has_its_number)};

    return HD_UNIT_MAIN(argc, argv, t);
}
