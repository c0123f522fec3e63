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
#include "net_look.h"

/* In front of each edge: every bit of a flit arrives as it was sent, nothing is idle while a flit or a credit is on its way, and
 * nothing waits while there is one flit at most, here or with who got it. */
static void edge(void)
{
    for (unsigned n = 0; n < P_MeshX * P_MeshY && !*d.rst_i; n++)
        assert_false(get_bits(d.ev_o, n * HD_EV_ROUTER_NUM + HD_EV_ROUTER_BLOCKED, 1) && alone > LONG);
    look();
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

/* The ports that a packet from the tile of node @at to that of node @to leaves by: rows first. */
static void add_way(unsigned pulses[][HD_ROUTER_PORTS], unsigned at, unsigned to, unsigned last)
{
    while (at != to) {
        const bool row = at % P_MeshX != to % P_MeshX;
        const unsigned across = at % P_MeshX < to % P_MeshX ? HD_ROUTER_E : HD_ROUTER_W;
        const unsigned port = row ? across : at < to ? HD_ROUTER_S : HD_ROUTER_N;

        pulses[at][port]++;
        at = port == HD_ROUTER_E ? at + 1 : port == HD_ROUTER_W ? at - 1 : port == HD_ROUTER_S ? at + P_MeshX : at - P_MeshX;
    }
    pulses[to][last]++;
}

/* Each way is used both ways, and a flit is seen leaving every router on it. */
static void events_count_flits_by_port(void **state)
{
    static unsigned seen[P_MeshX * P_MeshY][HD_ROUTER_PORTS], want[P_MeshX * P_MeshY][HD_ROUTER_PORTS];
    unsigned net[ENDS], give[ENDS];

    (void)state;
    memset(seen, 0, sizeof seen);
    memset(want, 0, sizeof want);
    for (unsigned e = 0; e < ENDS; e++) {
        net[e] = NONE;
        give[e] = 15;
    }
    for (unsigned i = 0; i < 2 * SMS * PARTS; i++) {
        const unsigned s = i / 2 % SMS, p = i / 2 / SMS, from = i % 2 ? SMS + p : s, v = i % HD_NETS;

        add_way(want, i % 2 ? p : s + 1, i % 2 ? s + 1 : p, i % 2 ? HD_ROUTER_SM : HD_ROUTER_L2);
        start_packet(from, v, i % 2 ? s : SMS + p, 1);
        net[from] = v;
        for (unsigned t = 0; t < 60; t++) {
            cycle(net, give);
            net[from] = NONE;
            for (unsigned n = 0; n < P_MeshX * P_MeshY; n++)
                for (unsigned port = 0; port < HD_ROUTER_PORTS; port++)
                    seen[n][port] += (unsigned)get_bits(d.ev_o, n * HD_EV_ROUTER_NUM + port, 1);
        }
        assert_memory_equal(seen, want, sizeof seen);
    }
}

/* Nobody gives anything back: what has come stands in every router that it passes, and is seen to wait. */
static void flits_that_wait_are_an_event(void **state)
{
    unsigned net[ENDS], give[ENDS] = {0}, blocked[P_MeshX * P_MeshY] = {0};

    (void)state;
    for (unsigned t = 0; t < 600; t++) {
        for (unsigned e = 0; e < ENDS; e++) {
            net[e] = t % HD_NETS;
            if (end[e][net[e]].left == 0)
                start_packet(e, net[e], is_sm(e) ? SMS + (unsigned)hd_rand_below(PARTS) : (unsigned)hd_rand_below(SMS), 2);
        }
        cycle(net, give);
        for (unsigned n = 0; n < P_MeshX * P_MeshY; n++)
            blocked[n] += (unsigned)get_bits(d.ev_o, n * HD_EV_ROUTER_NUM + HD_EV_ROUTER_BLOCKED, 1);
    }
    for (unsigned n = 0; n < PARTS || n < SMS + 1; n++)
        assert_true(blocked[n] > 100);
    drain();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        NET_CASES,
        cmocka_unit_test_setup_teardown(events_count_flits_by_port, setup, teardown),
        cmocka_unit_test_setup_teardown(flits_that_wait_are_an_event, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
