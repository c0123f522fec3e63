/* test_hd_switch.c - wormhole switch: packets go where the tile around it wants them. Who goes first, to the cycle:
 * test_hd_xbar_tile.c, whose tile is this switch. */
/* dut: hd_switch Ins=3 Outs=2 NumVn=2 RxDepth=4 TxCredits=3 FlitW=64 */
/* dut: hd_switch Ins=2 Outs=4 NumVn=3 RxDepth=2 TxCredits=1 FlitW=128 */
#include "hd_unit.h"
#include "hd_switch_dut.h"
#include "hd_pkg.h"

enum { INS = P_Ins, OUTS = P_Outs, VNS = P_NumVn, DEPTH = P_RxDepth, CREDITS = P_TxCredits, WORDS = P_FlitW / 32 };
enum { QUEUES = VNS * INS };

static struct hd_switch d;

#define IN(x) d.in_beats_i
#define OUT(x) d.out_beats_o
enum { IN_TAIL = INS * P_FlitW, IN_VN = IN_TAIL + INS, OUT_TAIL = OUTS * P_FlitW, OUT_VN = OUT_TAIL + OUTS };
#include "switch_traffic.h"

static unsigned pick(unsigned input, unsigned net)
{
    (void)input, (void)net;
    return (unsigned)hd_rand_below(OUTS);
}

/* The route says where to, in whatever way: here its low bits, turned round. */
static void mark(uint32_t *flit, unsigned output)
{
    set_bits(flit, 0, 8, 255 - output);
}

/* Of the last edge: flits that were inside before it, and how many had left by then. */
static struct {
    bool waited;
    unsigned seen;
} before[INS][VNS];

/* moved_o and blocked_o are about all queues. */
static void check_pulses(void)
{
    bool moved = false, blocked = false;

    for (unsigned i = 0; i < INS; i++) {
        const unsigned comes = get_bits(d.in_valid_i, i, 1) ? (unsigned)get_bits(IN(vn), IN_VN + i * HD_VN_W, HD_VN_W) : NONE;

        for (unsigned v = 0; v < VNS; v++) {
            const bool left = source[i][v].seen != before[i][v].seen;

            moved |= left;
            blocked |= before[i][v].waited && !left;
            before[i][v].seen = source[i][v].seen;
            before[i][v].waited = source[i][v].inside > (comes == v);
        }
    }
    assert_int_equal(*d.moved_o, moved);
    assert_int_equal(*d.blocked_o, blocked);
}

/* The tile's part: heads to the outputs their routes name. */
static void settle(void)
{
    hd_eval(d.m);
    check_pulses();
    for (unsigned b = 0; b < OUTS * QUEUES; b++)
        put_bits(d.want_i, b, 1, 0);
    for (unsigned q = 0; q < QUEUES; q++)
        if (get_bits(d.head_o, q, 1)) {
            const unsigned o = 255 - (unsigned)get_bits(d.route_o, q * HD_ROUTE_W, 8);
            assert_true(o < OUTS);
            put_bits(d.want_i, o * QUEUES + q, 1, 1);
        }
    hd_eval(d.m);
}

static int setup(void **state)
{
    (void)state;
    hd_switch_open(&d);
    hd_reset(d.m);
    traffic_reset();
    memset(before, 0, sizeof before);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static void only_heads_ask_and_show_their_route(void **state)
{
    unsigned net[INS], give[OUTS] = {0};

    (void)state;
    for (unsigned i = 0; i < INS; i++)
        for (unsigned v = 0; v < VNS; v++) {
            for (unsigned k = 0; k < INS; k++)
                net[k] = k == i ? v : NONE;
            start_packet(i, v, OUTS - 1, 2);
            traffic(net, give);
            hd_eval(d.m);
            assert_int_equal(get_bits(d.head_o, 0, QUEUES), 1u << (v * INS + i));
            assert_int_equal(get_bits(d.route_o, (v * INS + i) * HD_ROUTE_W, 8), 256 - OUTS);
            traffic(net, give); /* the head leaves, the tail comes */
            hd_eval(d.m);
            assert_int_equal(get_bits(d.head_o, 0, QUEUES), 0);
            drain();
        }
}

static void moved_and_blocked_tell_what_the_edge_did(void **state)
{
    unsigned net[INS], give[OUTS] = {0};

    (void)state;
    for (unsigned i = 0; i < INS; i++)
        net[i] = 0;
    for (unsigned i = 0; i < INS; i++)
        start_packet(i, 0, 0, 1);
    traffic(net, give);
    assert_true(!*d.moved_o && !*d.blocked_o && !*d.idle_o);
    traffic(net, give); /* one leaves, the others wait */
    assert_true(*d.moved_o && *d.blocked_o);
    drain();
    assert_true(!*d.moved_o && !*d.blocked_o);
}

static void packets_arrive_whole_in_order_at_the_wanted_output(void **state)
{
    (void)state;
    random_traffic(12000);
    for (unsigned o = 0; o < OUTS; o++)
        for (unsigned v = 0; v < VNS; v++)
            for (unsigned i = 0; i < INS; i++)
                assert_true(sink[o][v].packets[i] > 50);
    assert_true(seen.blocked > 1000 && seen.starved > 1000 && seen.idle > 100);
}

static void idle_means_that_no_register_changes(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 20; n++) {
        random_traffic(40);
        assert_true(*d.idle_o);
        assert_rests();
    }
}

static void a_head_wanted_nowhere_or_twice_is_asserted(void **state)
{
    unsigned net[INS], give[OUTS] = {0};

    (void)state;
    for (unsigned twice = 0; twice < 2; twice++) {
        for (unsigned i = 0; i < INS; i++)
            net[i] = i == 0 ? 0 : NONE;
        start_packet(0, 0, 0, 1);
        traffic(net, give);
        hd_eval(d.m);
        *d.in_valid_i = 0;
        for (unsigned o = 0; o < OUTS; o++)
            put_bits(d.want_i, o * QUEUES, 1, twice);
        hd_eval(d.m);
        hd_edge(d.m);
        assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
        hd_assert_clear(d.m);
        hd_reset(d.m);
        traffic_reset();
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(only_heads_ask_and_show_their_route, setup, teardown),
        cmocka_unit_test_setup_teardown(moved_and_blocked_tell_what_the_edge_did, setup, teardown),
        cmocka_unit_test_setup_teardown(packets_arrive_whole_in_order_at_the_wanted_output, setup, teardown),
        cmocka_unit_test_setup_teardown(idle_means_that_no_register_changes, setup, teardown),
        cmocka_unit_test_setup_teardown(a_head_wanted_nowhere_or_twice_is_asserted, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
