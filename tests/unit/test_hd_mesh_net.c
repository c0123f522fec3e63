/* test_hd_mesh_net.c - meshes as a whole: latencies of all ways, order, networks apart. */
/* dut-net: hd_mesh_net Sms=1 Parts=2 MeshX=2 MeshY=1 RxDepth=2 TxCredits=2 FlitW=64 LatSmXbar=1 LatXbarL2=2 LatL2Xbar=3 LatXbarSm=1 LatHop=1 LatHopInner=0 LatCredit=1 */
/* dut-rtl: hd_mesh_net Sms=3 Parts=4 MeshX=2 MeshY=2 RxDepth=2 TxCredits=2 FlitW=64 LatSmXbar=1 LatXbarL2=2 LatL2Xbar=3 LatXbarSm=1 LatHop=1 LatHopInner=0 LatCredit=1 */
/* dut-rtl: hd_mesh_net Sms=5 Parts=8 MeshX=4 MeshY=2 RxDepth=4 TxCredits=4 FlitW=64 LatSmXbar=2 LatXbarL2=2 LatL2Xbar=2 LatXbarSm=2 LatHop=2 LatHopInner=1 LatCredit=2 */
/* dut-rtl: hd_mesh_net Sms=4 Parts=2 MeshX=5 MeshY=1 RxDepth=3 TxCredits=2 FlitW=64 LatSmXbar=2 LatXbarL2=1 LatL2Xbar=1 LatXbarSm=2 LatHop=3 LatHopInner=5 LatCredit=2 */
/* dut-rtl: hd_mesh_net Sms=2 Parts=8 MeshX=2 MeshY=5 RxDepth=8 TxCredits=8 FlitW=64 LatSmXbar=1 LatXbarL2=1 LatL2Xbar=1 LatXbarSm=1 LatHop=2 LatHopInner=4 LatCredit=1 */
#include "hd_unit.h"
#include "hd_mesh_net_dut.h"
#include "hd_pkg.h"

#define DUT_OPEN hd_mesh_net_open
enum { SMS = P_Sms, PARTS = P_Parts, DEPTH = P_RxDepth, CREDITS = P_TxCredits, WORDS = P_FlitW / 32 };
enum { UP_WIRES = HD_NETS, DOWN_WIRES = HD_NETS };
/* More than the families of today need: every network both ways. */
enum { used_up = 7, used_down = 7 };

static struct hd_mesh_net d;

#include "net_cases.h"

static void edge(void)
{
    hd_edge(d.m);
}

/* From router to router along a row or column of @n, from place @a to place @b. */
static unsigned along(unsigned n, unsigned a, unsigned b)
{
    const unsigned low = a < b ? a : b, high = a < b ? b : a;
    unsigned sum = 0;

    for (unsigned k = low; k < high; k++)
        sum += 1 + (P_LatHopInner != 0 && k > 0 && k + 2 < n ? P_LatHopInner : P_LatHop);
    return sum;
}

static unsigned hops(unsigned a, unsigned b)
{
    return along(P_MeshX, a % P_MeshX, b % P_MeshX) + along(P_MeshY, a / P_MeshX, b / P_MeshX);
}

static unsigned latency(unsigned sm, unsigned part)
{
    return P_LatSmXbar + hops(sm + 1, part) + 1 + P_LatXbarL2;
}

static unsigned back(unsigned sm, unsigned part)
{
    return P_LatL2Xbar + hops(part, sm + 1) + 1 + P_LatXbarSm;
}

/* Each link between routers is used, and a flit is seen leaving there. */
static void events_count_flits_by_port(void **state)
{
    unsigned seen[HD_ROUTER_PORTS] = {0}, want[HD_ROUTER_PORTS] = {0};
    unsigned net[ENDS], give[ENDS];

    (void)state;
    for (unsigned e = 0; e < ENDS; e++) {
        net[e] = NONE;
        give[e] = 15;
    }
    for (unsigned s = 0; s < SMS; s++)
        for (unsigned p = 0; p < PARTS; p++) {
            const int dx = (int)(p % P_MeshX) - (int)((s + 1) % P_MeshX), dy = (int)(p / P_MeshX) - (int)((s + 1) / P_MeshX);

            want[dx > 0 ? HD_ROUTER_E : HD_ROUTER_W] += (unsigned)abs(dx);
            want[dy > 0 ? HD_ROUTER_S : HD_ROUTER_N] += (unsigned)abs(dy);
            want[HD_ROUTER_L2]++;
            start_packet(s, 0, SMS + p, 1);
            net[s] = 0;
            for (unsigned t = 0; t < 100; t++) {
                cycle(net, give);
                net[s] = NONE;
                for (unsigned n = 0; n < P_MeshX * P_MeshY; n++)
                    for (unsigned port = 0; port < HD_ROUTER_PORTS; port++)
                        seen[port] += (unsigned)get_bits(d.ev_o, n * HD_EV_ROUTER_NUM + port, 1);
            }
        }
    assert_memory_equal(seen, want, sizeof seen);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        NET_CASES,
        cmocka_unit_test_setup_teardown(events_count_flits_by_port, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
