/* test_hd_xbar_alloc.c - networks of one output: a packet at a time, inputs in turn; beside network 0 the others by lot. */
/* mutants: Ins=3 NumVn=2 */
/* dut: hd_xbar_alloc Ins=1 NumVn=1 */
/* dut: hd_xbar_alloc Ins=3 NumVn=1 */
/* dut: hd_xbar_alloc Ins=4 NumVn=1 */
/* dut: hd_xbar_alloc Ins=3 NumVn=2 */
/* dut: hd_xbar_alloc Ins=6 NumVn=3 */
#include "hd_unit.h"
#include "hd_xbar_alloc_dut.h"

enum { INS = P_Ins, NETS = P_NumVn, NONE = INS, IDX_W = INS > 4 ? 3 : INS > 2 ? 2 : 1 };

static struct hd_xbar_alloc d;

/* What stands at the front of each input, for this output: flits left of its packet. */
struct front {
    unsigned left; /* 0: no packet for this output */
    bool begun;    /* its head is gone */
    bool here;     /* its next flit has come */
};
static struct net {
    struct front in[INS];
    unsigned holder, next_in_line; /* reference */
    unsigned from;                 /* of this cycle */
    bool valid, tail, ready;
} net[NETS];
static struct front *const in = net[0].in;

static int setup(void **state)
{
    (void)state;
    hd_xbar_alloc_open(&d);
    hd_reset(d.m);
    memset(net, 0, sizeof net);
    for (unsigned v = 0; v < NETS; v++)
        net[v].holder = NONE;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static void put(unsigned v, unsigned i, unsigned flits)
{
    net[v].in[i] = (struct front){flits, false, true};
}

static void offer(unsigned i, unsigned flits)
{
    put(0, i, flits);
}

/* What other networks do meanwhile. */
static void by_lot(unsigned v)
{
    for (unsigned i = 0; i < INS; i++) {
        struct front *const f = &net[v].in[i];

        if (f->left == 0 && hd_rand_below(4) == 0)
            put(v, i, 1 + hd_rand_below(3));
        if (!f->here)
            f->here = hd_rand_below(2);
    }
}

/* One cycle. @return the input whose flit network 0 took, NONE if none. */
static unsigned cycle(bool ready)
{
    uint64_t valid = 0, pop = 0;

    *d.head_i = 0;
    *d.valid_i = 0;
    *d.tail_i = 0;
    *d.ready_i = 0;
    for (unsigned v = 0; v < NETS; v++) {
        struct net *const n = &net[v];
        uint64_t head = 0;

        if (v > 0)
            by_lot(v);
        for (unsigned i = 0; i < INS; i++) {
            const struct front *const f = &n->in[i];
            const bool here = f->left > 0 && f->here;
            const unsigned bit = v * INS + i;

            head |= (uint64_t)(here && !f->begun) << i;
            *d.valid_i |= (here || (f->left == 0 && hd_rand_below(2))) << bit; /* others' flits */
            *d.tail_i |= (here ? f->left == 1 : hd_rand_below(2)) << bit;
        }
        *d.head_i |= head << v * INS;
        n->from = n->holder;
        if (n->holder == NONE)
            for (unsigned k = INS; k-- > 0;)
                if (head >> (n->next_in_line + k) % INS & 1)
                    n->from = (n->next_in_line + k) % INS;
        n->valid = n->from != NONE && n->in[n->from].here;
        n->tail = n->valid && n->in[n->from].left == 1;
        n->ready = v == 0 ? ready : hd_rand_below(2);
        *d.ready_i |= n->ready << v;
        valid |= (uint64_t)n->valid << v;
        if (n->valid && n->ready)
            pop |= (uint64_t)1 << (v * INS + n->from);
    }
    hd_eval(d.m);
    assert_int_equal(*d.valid_o, valid);
    assert_int_equal(*d.pop_o, pop);
    for (unsigned v = 0; v < NETS; v++)
        if (net[v].valid) {
            assert_int_equal(*d.idx_o >> v * IDX_W & ((1u << IDX_W) - 1), net[v].from);
            assert_int_equal(*d.tail_o >> v & 1, net[v].tail);
        }
    hd_edge(d.m);
    for (unsigned v = 0; v < NETS; v++) {
        struct net *const n = &net[v];

        if (n->from != NONE && n->holder == NONE)
            n->next_in_line = (n->from + 1) % INS;
        if (!n->valid)
            continue;
        n->holder = n->ready && n->tail ? NONE : n->from;
        if (n->ready) {
            n->in[n->from].left--;
            n->in[n->from].begun = true;
            if (v > 0)
                n->in[n->from].here = hd_rand_below(3) > 0;
        }
    }
    return net[0].valid && ready ? net[0].from : NONE;
}

static void a_packet_keeps_the_output_from_head_to_tail(void **state)
{
    (void)state;
    for (unsigned i = 0; i < INS; i++)
        offer(i, 3);
    for (unsigned t = 0; t < 3 * INS; t++)
        assert_int_equal(cycle(true), t / 3);
}

static void single_flit_packets_pass_one_a_cycle_in_turn(void **state)
{
    (void)state;
    for (unsigned t = 0; t < 4 * INS; t++) {
        for (unsigned i = 0; i < INS; i++)
            offer(i, 1);
        assert_int_equal(cycle(true), t % INS);
    }
}

static void a_flit_on_offer_stays_when_a_better_placed_input_comes(void **state)
{
    (void)state;
    offer(INS - 1, 1);
    assert_int_equal(cycle(false), NONE);
    offer(0, 1);
    assert_int_equal(cycle(false), NONE);
    assert_int_equal(cycle(true), INS - 1);
}

static void a_gap_in_a_packet_lets_nobody_else_in(void **state)
{
    (void)state;
    offer(0, 2);
    assert_int_equal(cycle(true), 0);
    in[0].here = false;
    if (INS > 1)
        offer(1, 1);
    for (unsigned t = 0; t < 5; t++)
        assert_int_equal(cycle(true), NONE);
    in[0].here = true;
    assert_int_equal(cycle(true), 0);
    assert_int_equal(cycle(true), INS > 1 ? 1 : NONE);
}

static void a_head_without_a_flit_is_asserted(void **state)
{
    (void)state;
    *d.head_i = 1;
    hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
    hd_assert_clear(d.m);
}

static void random_packets_match_the_reference(void **state)
{
    unsigned taken[INS] = {0}, gaps = 0, stalls = 0, contested = 0;

    (void)state;
    for (int t = 0; t < 30000; t++) {
        unsigned waiting = 0, from;

        for (unsigned i = 0; i < INS; i++) {
            if (in[i].left == 0 && hd_rand_below(4) == 0)
                offer(i, 1 + hd_rand_below(5));
            else if (in[i].left > 0 && !in[i].here)
                in[i].here = hd_rand_below(2);
            waiting += in[i].left > 0;
        }
        gaps += net[0].holder != NONE && !in[net[0].holder].here;
        contested += net[0].holder == NONE && waiting > 1;
        from = cycle(hd_rand_below(3) != 0);
        stalls += from == NONE && net[0].holder != NONE;
        if (from != NONE) {
            taken[from]++;
            in[from].here = hd_rand_below(4) != 0;
        }
    }
    for (unsigned i = 0; i < INS; i++)
        assert_true(taken[i] > 1000);
    assert_true(gaps > 500 && stalls > 500 && (contested > 500 || INS == 1));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(a_packet_keeps_the_output_from_head_to_tail, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(single_flit_packets_pass_one_a_cycle_in_turn, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_flit_on_offer_stays_when_a_better_placed_input_comes,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(a_gap_in_a_packet_lets_nobody_else_in, setup, teardown),
        cmocka_unit_test_setup_teardown(a_head_without_a_flit_is_asserted, setup, teardown),
        cmocka_unit_test_setup_teardown(random_packets_match_the_reference, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
