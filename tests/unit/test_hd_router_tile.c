/* test_hd_router_tile.c - routers of a mesh: where packets leave, networks apart, order, credits, events, idle. */
/* mutants: MeshX=16 MeshY=2 RxDepth=2 TxCredits=2 FlitW=64 */
/* dut: hd_router_tile MeshX=3 MeshY=2 RxDepth=2 TxCredits=2 FlitW=64 */
/* dut-rtl: hd_router_tile MeshX=4 MeshY=4 RxDepth=3 TxCredits=1 FlitW=128 */
/* dut-rtl: hd_router_tile MeshX=1 MeshY=3 RxDepth=8 TxCredits=8 FlitW=64 */
#include "hd_unit.h"
#include "hd_router_tile_dut.h"
#include "hd_pkg.h"

enum {
    X = P_MeshX,
    Y = P_MeshY,
    NODES = X * Y,
    INS = HD_ROUTER_PORTS,
    OUTS = HD_ROUTER_PORTS,
    VNS = HD_NETS,
    DEPTH = P_RxDepth,
    CREDITS = P_TxCredits,
    WORDS = P_FlitW / 32
};

static struct hd_router_tile d;
static unsigned node;

#define IN(x) d.in_##x##_i
#define OUT(x) d.out_##x##_o
enum { IN_TAIL = 0, IN_VN = 0, OUT_TAIL = 0, OUT_VN = 0 };
#include "switch_traffic.h"

static void settle(void)
{
    hd_eval(d.m);
}

static bool joined(unsigned port)
{
    switch (port) {
    case HD_ROUTER_N:
        return node / X > 0;
    case HD_ROUTER_E:
        return node % X + 1 < X;
    case HD_ROUTER_S:
        return node / X + 1 < Y;
    case HD_ROUTER_W:
        return node % X > 0;
    default:
        return true;
    }
}

/* May a packet from there go there? Not back, and not from a column into a row. */
static bool legal(unsigned input, unsigned output)
{
    const bool column = input == HD_ROUTER_N || input == HD_ROUTER_S, row = output == HD_ROUTER_E || output == HD_ROUTER_W;

    return joined(input) && joined(output) && !(input == output && input < HD_ROUTER_SM) && !(column && row);
}

static unsigned pick(unsigned input, unsigned net)
{
    unsigned output;

    (void)net;
    if (!joined(input))
        return NONE;
    do
        output = (unsigned)hd_rand_below(OUTS);
    while (!legal(input, output));
    return output;
}

/* A destination beyond @output, any. The SM of node 0 is the command processor. */
static void mark(uint32_t *flit, unsigned output)
{
    const unsigned column = node % X, row = node / X;
    unsigned to = node;

    if (output == HD_ROUTER_E)
        to = column + 1 + (unsigned)hd_rand_below(X - 1 - column) + X * (unsigned)hd_rand_below(Y);
    if (output == HD_ROUTER_W)
        to = (unsigned)hd_rand_below(column) + X * (unsigned)hd_rand_below(Y);
    if (output == HD_ROUTER_S)
        to = column + X * (row + 1 + (unsigned)hd_rand_below(Y - 1 - row));
    if (output == HD_ROUTER_N)
        to = column + X * (unsigned)hd_rand_below(row);
    const bool l2 = output == HD_ROUTER_L2 || (output < HD_ROUTER_SM && hd_rand_below(2));
    set_bits(flit, HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W, l2 ? HD_END_L2 : to == 0 ? HD_END_CP : HD_END_SM);
    set_bits(flit, HD_HEAD_DST_LSB, HD_HEAD_DST_W, l2 ? to : to == 0 ? (unsigned)hd_rand_below(4) : to - 1);
}

static void be_router(unsigned n)
{
    node = n;
    hd_reset(d.m);
    *d.node_id_i = (uint8_t)n; /* hd_reset() has made it 0 */
    *d.rst_i = 1;
    hd_edge(d.m);
    *d.rst_i = 0;
    hd_eval(d.m);
    traffic_reset();
}

static int setup(void **state)
{
    (void)state;
    hd_router_tile_open(&d);
    be_router(NODES / 2);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static void every_router_passes_a_packet_on_every_legal_way_in_a_cycle(void **state)
{
    unsigned none[INS], give[OUTS] = {0};

    (void)state;
    for (unsigned i = 0; i < INS; i++)
        none[i] = NONE;
    for (unsigned n = 0; n < NODES; n++) {
        be_router(n);
        for (unsigned i = 0; i < INS; i++)
            for (unsigned o = 0; o < OUTS; o++)
                for (unsigned v = 0; v < VNS && legal(i, o); v++) {
                    unsigned net[INS];

                    memcpy(net, none, sizeof net);
                    net[i] = v;
                    start_packet(i, v, o, 1);
                    traffic(net, give);
                    assert_int_equal(*d.out_valid_o, 0);
                    traffic(none, give);
                    assert_int_equal(*d.out_valid_o, 1u << o);
                    assert_int_equal(*d.ev_o, 1u << o); /* a pulse by port, and nothing waited */
                    drain();
                }
    }
}

/* All three stand full but one, which flows. */
static void a_network_flows_while_the_others_stand(void **state)
{
    (void)state;
    for (unsigned open = 0; open < VNS; open++) {
        unsigned long before;
        unsigned net[INS], give[OUTS];

        be_router(NODES / 2);
        for (unsigned o = 0; o < OUTS; o++)
            give[o] = 1u << open;
        before = seen.packets;
        for (unsigned t = 0; t < 600; t++) {
            for (unsigned i = 0; i < INS; i++) {
                for (unsigned v = 0; joined(i) && v < VNS; v++)
                    if (source[i][v].left == 0)
                        start_packet(i, v, pick(i, v), 2);
                net[i] = t % VNS;
            }
            traffic(net, give);
            if (t == 300)
                before = seen.packets;
        }
        assert_true(seen.packets - before > 60);
        for (unsigned i = 0; i < INS; i++)
            for (unsigned v = 0; joined(i) && v < VNS; v++)
                if (v != open)
                    assert_int_equal(source[i][v].credits, 0);
        assert_true(*d.ev_o >> HD_EV_ROUTER_BLOCKED & 1);
        drain();
    }
}

static void random_packets_arrive_whole_and_in_order_on_every_way(void **state)
{
    (void)state;
    for (unsigned n = 0; n < NODES; n += NODES > 6 ? 1 + NODES / 8 : 1) {
        be_router(n);
        random_traffic(3600);
        assert_true(seen.blocked > 500 && seen.starved > 500 && seen.idle > 20);
        for (unsigned i = 0; i < INS; i++)
            for (unsigned o = 0; o < OUTS; o++)
                for (unsigned v = 0; v < VNS; v++)
                    assert_true(legal(i, o) ? sink[o][v].packets[i] > 0 : sink[o][v].packets[i] == 0);
    }
}

static void a_destination_off_the_mesh_is_asserted(void **state)
{
    uint32_t flit[WORDS] = {0};

    (void)state;
    set_bits(flit, HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W, HD_END_L2);
    set_bits(flit, HD_HEAD_DST_LSB, HD_HEAD_DST_W, NODES);
    memcpy((uint32_t *)d.in_flit_i + WORDS * HD_ROUTER_SM, flit, sizeof flit);
    *d.in_valid_i = 1u << HD_ROUTER_SM;
    *d.in_tail_i = 1u << HD_ROUTER_SM;
    hd_eval(d.m);
    hd_edge(d.m);
    *d.in_valid_i = 0;
    hd_eval(d.m);
    hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
    hd_assert_clear(d.m);
}

/* No route has such a turn; a packet that takes one anyway leaves by the port of its destination, and by no other. */
static void a_turn_that_no_route_has_is_asserted(void **state)
{
    unsigned none[INS], give[OUTS] = {0}, turns = 0;

    (void)state;
    for (unsigned i = 0; i < INS; i++)
        none[i] = NONE;
    for (unsigned n = 0; n < NODES; n++) {
        be_router(n);
        for (unsigned i = 0; i < HD_ROUTER_SM; i++)
            for (unsigned o = 0; o < HD_ROUTER_SM; o++)
                for (unsigned v = 0; v < VNS && joined(i) && joined(o) && !legal(i, o); v++) {
                    unsigned net[INS];

                    memcpy(net, none, sizeof net);
                    net[i] = v;
                    start_packet(i, v, o, 1);
                    traffic(net, give);
                    traffic(none, give);
                    assert_int_equal(*d.out_valid_o, 1u << o);
                    assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
                    hd_assert_clear(d.m);
                    drain();
                    turns++;
                }
    }
    assert_true(turns > 0);
}

/* What it has been since reset tells where packets go. */
static void another_number_after_reset_is_asserted(void **state)
{
    (void)state;
    for (unsigned n = 0; n < NODES; n++) {
        be_router(n);
        hd_edge(d.m);
        assert_int_equal(hd_assert_failures(d.m), 0);
        *d.node_id_i = (uint8_t)((n + 1) % (NODES + 1));
        hd_edge(d.m);
        assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
        hd_assert_clear(d.m);
        be_router(NODES);
        hd_edge(d.m);
        assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
        hd_assert_clear(d.m);
    }
}

static void idle_means_that_no_register_changes(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 20; n++) {
        random_traffic(60);
        assert_true(*d.idle_o);
        assert_rests();
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(every_router_passes_a_packet_on_every_legal_way_in_a_cycle, setup, teardown),
        cmocka_unit_test_setup_teardown(a_network_flows_while_the_others_stand, setup, teardown),
        cmocka_unit_test_setup_teardown(random_packets_arrive_whole_and_in_order_on_every_way, setup, teardown),
        cmocka_unit_test_setup_teardown(a_destination_off_the_mesh_is_asserted, setup, teardown),
        cmocka_unit_test_setup_teardown(a_turn_that_no_route_has_is_asserted, setup, teardown),
        cmocka_unit_test_setup_teardown(another_number_after_reset_is_asserted, setup, teardown),
        cmocka_unit_test_setup_teardown(idle_means_that_no_register_changes, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
