/* test_hd_l2_events.c - each pulse a cycle after its cause, and no other. */
/* dut: hd_l2_events Family=0 Sms=4 */
/* dut-rtl: hd_l2_events Family=1 Sms=16 */
#include "hd_unit.h"
#include "hd_l2_events_dut.h"
#include "l2_bits.h"

#define PLAN(member) L2_GET(PLAN, member, *d.plan_i)

/* Any decision: bits a port does not have are not driven, the recorder of `make replay` refuses them. */
static void decide(struct hd_l2_events *d)
{
    *d->work_i = (uint8_t)hd_rand_below(1u << HD_L2_EVENTS_W_work_i);
    *d->plan_i = (uint32_t)hd_rand_below(1ull << HD_L2_EVENTS_W_plan_i);
    *d->line_i = (uint8_t)hd_rand_below(1u << HD_L2_EVENTS_W_line_i);
}

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
        /* mostly kinds that count, else one of all that there are room for: no other may pass for one of them */
        const unsigned kinds = 1u << HD_HEAD_KIND_W;
        const unsigned req = (unsigned)hd_rand_below(hd_rand_below(4) ? 21 : kinds);
        const unsigned rsp = (unsigned)hd_rand_below(hd_rand_below(4) ? 10 : kinds);
        const unsigned sent = (unsigned)hd_rand_below(hd_rand_below(4) ? 21 : kinds);
        *d.req_kind_i = (uint8_t)req, *d.rsp_kind_i = (uint8_t)rsp, *d.send_kind_i = (uint8_t)sent;
        decide(&d);
        *d.first_i = (uint8_t)hd_rand_below(2);
        const bool taken = PLAN(REQ_READY), ask = PLAN(ASK), grant = PLAN(GRANT);
        const bool came = L2_GET(WORK, RSP, *d.work_i), fill = L2_GET(WORK, FILL, *d.work_i);
        const struct {
            bool is;
            unsigned event;
        } rows[] = {
            {taken && req == HD_MSG_GETS, HD_EV_L2_GETS},
            {taken && req == HD_MSG_GETM, HD_EV_L2_GETM},
            {taken && req == HD_MSG_UPG, HD_EV_L2_UPG},
            {taken && req == HD_MSG_WT, HD_EV_L2_WT},
            {taken && req == HD_MSG_ATOMIC, HD_EV_L2_ATOMIC},
            {taken && L2_GET(LINE, HIT, *d.line_i) && !L2_GET(LINE, LOCK, *d.line_i), HD_EV_L2_HIT},
            {taken && PLAN(ALLOC_RECALL), HD_EV_L2_MISS},
            {taken && PLAN(ALLOC_CHAIN), HD_EV_L2_CHAINED},
            {PLAN(STALL), HD_EV_L2_STALL},
            {came && rsp == HD_MSG_PUTM, HD_EV_L2_PUTM},
            {came && rsp == HD_MSG_PUTE, HD_EV_L2_PUTE},
            {ask && sent == HD_MSG_INV, HD_EV_L2_INV_SENT},
            {ask && sent != HD_MSG_INV, HD_EV_L2_FETCH_SENT},
            {ask && fill && *d.first_i, HD_EV_L2_RECALL},
            {PLAN(MEM_READ), HD_EV_L2_MEM_READ},
            {PLAN(WRITE_BACK), HD_EV_L2_MEM_WRITE},
            {grant, HD_EV_L2_GRANT},
            {grant && sent == HD_MSG_ACK_M, HD_EV_L2_ACK_M},
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
    /* a reset clears every pulse that was to come */
    for (unsigned n = 0; n < 200; n++) {
        *d.req_kind_i = (uint8_t)hd_rand_below(21), *d.rsp_kind_i = HD_MSG_PUTM, *d.send_kind_i = HD_MSG_ACK_M;
        decide(&d);
        *d.rst_i = 1;
        hd_edge(d.m);
        assert_int_equal(*d.ev_o, 0);
        *d.rst_i = 0;
        hd_edge(d.m);
    }
    hd_reset(d.m);
    assert_int_equal(*d.ev_o, 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(random_decisions_pulse_what_they_are)};

    return HD_UNIT_MAIN(argc, argv, t);
}
