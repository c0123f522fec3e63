/* test_hd_l2_events.c - each pulse a cycle after its cause, and no other. */
/* dut: hd_l2_events Family=0 Sms=4 */
/* dut-rtl: hd_l2_events Family=1 Sms=16 */
#include "hd_unit.h"
#include "hd_l2_events_dut.h"
#include "hd_bits.h"

static void random_decisions_pulse_what_they_are(void **state)
{
    struct hd_l2_events d;
    uint32_t want = 0, ever = 0;

    (void)state;
    hd_l2_events_open(&d);
    hd_reset(d.m);
    for (unsigned cycle = 0; cycle < 20000; cycle++) {
        hd_eval(d.m);
        assert_int_equal(*d.ev_o, want);
        ever |= want;
        unsigned req = (unsigned)hd_rand_below(21), rsp = (unsigned)hd_rand_below(10), sent = (unsigned)hd_rand_below(21);
        *d.taken_i = (uint8_t)hd_rand_below(2), *d.req_kind_i = (uint8_t)req;
        *d.hit_i = (uint8_t)hd_rand_below(2), *d.miss_i = (uint8_t)hd_rand_below(2);
        *d.chained_i = (uint8_t)hd_rand_below(2), *d.stall_i = (uint8_t)hd_rand_below(2);
        *d.rsp_i = (uint8_t)hd_rand_below(2), *d.rsp_kind_i = (uint8_t)rsp;
        *d.ask_i = (uint8_t)hd_rand_below(2), *d.recall_i = (uint8_t)hd_rand_below(2);
        *d.grant_i = (uint8_t)hd_rand_below(2), *d.send_kind_i = (uint8_t)sent;
        *d.mem_read_i = (uint8_t)hd_rand_below(2), *d.mem_write_i = (uint8_t)hd_rand_below(2);
        const struct {
            bool is;
            unsigned event;
        } rows[] = {
            {*d.taken_i && req == HD_MSG_GETS, HD_EV_L2_GETS},
            {*d.taken_i && req == HD_MSG_GETM, HD_EV_L2_GETM},
            {*d.taken_i && req == HD_MSG_UPG, HD_EV_L2_UPG},
            {*d.taken_i && req == HD_MSG_WT, HD_EV_L2_WT},
            {*d.taken_i && req == HD_MSG_ATOMIC, HD_EV_L2_ATOMIC},
            {*d.taken_i && *d.hit_i, HD_EV_L2_HIT},
            {*d.taken_i && *d.miss_i, HD_EV_L2_MISS},
            {*d.taken_i && *d.chained_i, HD_EV_L2_CHAINED},
            {*d.stall_i, HD_EV_L2_STALL},
            {*d.rsp_i && rsp == HD_MSG_PUTM, HD_EV_L2_PUTM},
            {*d.rsp_i && rsp == HD_MSG_PUTE, HD_EV_L2_PUTE},
            {*d.ask_i && sent == HD_MSG_INV, HD_EV_L2_INV_SENT},
            {*d.ask_i && sent != HD_MSG_INV, HD_EV_L2_FETCH_SENT},
            {*d.ask_i && *d.recall_i, HD_EV_L2_RECALL},
            {*d.mem_read_i, HD_EV_L2_MEM_READ},
            {*d.mem_write_i, HD_EV_L2_MEM_WRITE},
            {*d.grant_i, HD_EV_L2_GRANT},
            {*d.grant_i && sent == HD_MSG_ACK_M, HD_EV_L2_ACK_M},
        };
        want = 0;
        for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
            want |= (uint32_t)rows[i].is << rows[i].event;
        hd_edge(d.m);
    }
    /* all but those of the classifier, of the registry and of persist barriers */
    assert_int_equal(ever, (((1u << HD_EV_L2_NVW_PUSH) - 1)
                            & ~(1u << HD_EV_L2_TYPE_REQ | 1u << HD_EV_L2_TYPE_INV | 1u << HD_EV_L2_TYPE_RECALL)
                            & ~(1u << HD_EV_L2_REG | 1u << HD_EV_L2_WB | 1u << HD_EV_L2_FWD)));
    hd_reset(d.m);
    assert_int_equal(*d.ev_o, 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(random_decisions_pulse_what_they_are)};

    return HD_UNIT_MAIN(argc, argv, t);
}
