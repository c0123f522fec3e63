/* test_hd_xbar_net.c - both crossbars with their links as a whole: latencies, order, networks apart. Two clocks:
 * test_hd_gpu_top.c. */
/* dut: hd_xbar_net Sms=3 Parts=2 RxDepth=3 TxCredits=2 FlitW=64 LatSmXbar=2 LatXbarL2=3 LatL2Xbar=1 LatXbarSm=4 LatCredit=2 */
/* dut-rtl: hd_xbar_net Sms=6 Parts=4 RxDepth=4 TxCredits=4 FlitW=64 LatSmXbar=1 LatXbarL2=1 LatL2Xbar=1 LatXbarSm=1 LatCredit=1 */
#include "hd_unit.h"
#include "hd_xbar_net_dut.h"
#include "hd_pkg.h"

#define DUT_OPEN hd_xbar_net_open
enum { SMS = P_Sms, PARTS = P_Parts, DEPTH = P_RxDepth, CREDITS = P_TxCredits, WORDS = P_FlitW / 32 };
enum { UP_WIRES = HD_UP_NETS, DOWN_WIRES = HD_DOWN_NETS };
enum { used_up = 1 << HD_UP_REQ | 1 << HD_UP_RSP, used_down = 1 << HD_DOWN_FWD };

static struct hd_xbar_net d;

#include "net_cases.h"

static void edge(void)
{
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

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {NET_CASES};

    return HD_UNIT_MAIN(argc, argv, t);
}
