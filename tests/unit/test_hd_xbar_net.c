/* test_hd_xbar_net.c - both crossbars with their links as a whole: latencies, order, networks apart. Two clocks:
 * test_hd_gpu_top.c. */
/* mutants: Sms=3 Parts=2 RxDepth=3 TxCredits=2 FlitW=64 LatSmXbar=2 LatXbarL2=3 LatL2Xbar=1 LatXbarSm=4 LatCredit=2 UpNets=3 DownNets=3 */
/* dut: hd_xbar_net Sms=3 Parts=2 RxDepth=3 TxCredits=2 FlitW=64 LatSmXbar=2 LatXbarL2=3 LatL2Xbar=1 LatXbarSm=4 LatCredit=2 */
/* dut-rtl: hd_xbar_net Sms=6 Parts=4 RxDepth=4 TxCredits=4 FlitW=64 LatSmXbar=1 LatXbarL2=1 LatL2Xbar=1 LatXbarSm=1 LatCredit=1 */
/* dut-rtl: hd_xbar_net Sms=2 Parts=3 RxDepth=3 TxCredits=2 FlitW=64 LatSmXbar=2 LatXbarL2=1 LatL2Xbar=2 LatXbarSm=1 LatCredit=1 UpNets=3 DownNets=3 */
#include "hd_unit.h"
#include "hd_xbar_net_dut.h"
#include "hd_pkg.h"

#define DUT_OPEN hd_xbar_net_open
enum { SMS = P_Sms, PARTS = P_Parts, DEPTH = P_RxDepth, CREDITS = P_TxCredits, WORDS = P_FlitW / 32 };
#ifdef P_UpNets /* of family DENOVO */
enum { UP_WIRES = P_UpNets, DOWN_WIRES = P_DownNets };
#else
enum { UP_WIRES = HD_UP_NETS, DOWN_WIRES = HD_DOWN_NETS };
#endif
enum { used_up = (1 << UP_WIRES) - 1, used_down = (1 << DOWN_WIRES) - 1 };

static struct hd_xbar_net d;

#include "net_cases.h"
#include "net_look.h"

/* In front of each edge: every bit of a flit arrives as it was sent, nothing is idle while a flit or a credit is on its way, and
 * nothing waits while there is one flit at most, here or with who got it. */
static uint64_t moved[2], blocked[2]; /* FLIT of the last cycles, the newest in bit 0; cycles of BLOCKED: up, down */

/* A flit that arrives has made a pulse when it left the crossbar. */
static void see_events(void)
{
    const bool up = get_bits(d.l2_valid_o, 0, PARTS) != 0, down = get_bits(d.sm_valid_o, 0, SMS) != 0;

    if (*d.rst_i) {
        moved[0] = moved[1] = 0;
        return;
    }
    for (unsigned x = 0; x < 2; x++) {
        moved[x] = moved[x] << 1 | get_bits(d.ev_o, x * HD_EV_XBAR_NUM + HD_EV_XBAR_FLIT, 1);
        const bool waits = get_bits(d.ev_o, x * HD_EV_XBAR_NUM + HD_EV_XBAR_BLOCKED, 1);
        blocked[x] += waits;
        assert_false(waits && alone > LONG);
    }
    assert_int_equal(up, moved[0] >> (P_LatXbarL2 - 1) & 1);
    assert_int_equal(down, moved[1] >> (P_LatXbarSm - 1) & 1);
}

static void edge(void)
{
    see_events();
    look();
    *d.slow_new_i = 1;
    *d.clk_i = *d.clk_slow_i = 0;
    hd_eval(d.m);
    *d.clk_i = *d.clk_slow_i = 1;
    hd_eval(d.m);
}

static unsigned latency(unsigned sm, unsigned part)
{
    (void)sm, (void)part;
    return P_LatSmXbar + 1 + P_LatXbarL2;
}

static unsigned back(unsigned sm, unsigned part)
{
    (void)sm, (void)part;
    return P_LatL2Xbar + 1 + P_LatXbarSm;
}

/* Nobody gives anything back: what has come stands before the receivers, and is seen to wait. */
static void flits_that_wait_are_an_event(void **state)
{
    unsigned net[ENDS], give[ENDS] = {0};

    (void)state;
    blocked[0] = blocked[1] = 0;
    for (unsigned t = 0; t < 200; t++) {
        for (unsigned e = 0; e < ENDS; e++) {
            net[e] = t % wires(e, true);
            if (end[e][net[e]].left == 0)
                start_packet(e, net[e], is_sm(e) ? SMS + e % PARTS : (e - SMS) % SMS, 2);
        }
        cycle(net, give);
    }
    assert_true(blocked[0] > 100 && blocked[1] > 100);
    drain();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        NET_CASES,
        cmocka_unit_test_setup_teardown(flits_that_wait_are_an_event, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
