/* test_hd_xbar_tile.c - crossbar tile against a reference that knows every flit inside.
 *
 * The reference holds the content of each input buffer and the credits. It leaves open which of
 * several waiting packets or networks goes first, but bounds how often one is passed over; all else
 * (what may leave, that something leaves when it can, credits, events, idle) it knows to the cycle.
 */
/* dut: hd_xbar_tile Ins=3 Outs=2 NumVn=2 RxDepth=4 TxCredits=3 */
/* dut: hd_xbar_tile Ins=2 Outs=3 NumVn=3 RxDepth=2 TxCredits=2 */
/* dut: hd_xbar_tile Ins=1 Outs=1 NumVn=1 RxDepth=1 TxCredits=1 */
#include "hd_unit.h"
#include "hd_xbar_tile_dut.h"
#include "hd_pkg.h"

enum {
    INS = P_Ins,
    OUTS = P_Outs,
    VNS = P_NumVn,
    DEPTH = P_RxDepth,
    CREDITS = P_TxCredits,
    WORDS = 8, /* 32-bit words of a flit */
    NONE = 255
};

static struct hd_xbar_tile d;

struct flit {
    uint32_t word[WORDS];
    bool head, tail;
    unsigned out;
};

/* An input and network: the packet being sent into the tile, and what is in the tile's buffer. */
static struct {
    unsigned out, left; /* flits of the packet not sent yet; 0: none */
    bool begun;
    struct flit held[DEPTH];
    unsigned count, credits;
    unsigned passed_over; /* packets that went before the head at the front, to its output */
} q[INS][VNS];

/* An output and network */
static struct {
    unsigned from; /* input whose packet has begun to leave, or NONE */
    unsigned credits, unreturned;
    unsigned passed_over; /* flits of other networks that left while this one could */
    unsigned long packets[INS], flits;
} out[OUTS][VNS];

/* Stimulus of the next cycle: network each input sends on (NONE: no flit), credits given back. */
static unsigned send_on[INS], give[OUTS];
static uint64_t cycles, flits_out;
static struct {
    unsigned long longest_wait, blocked, no_credit, gap, shared, idle;
} seen;

static int setup(void **state)
{
    (void)state;
    hd_xbar_tile_open(&d);
    hd_reset(d.m);
    memset(q, 0, sizeof q);
    memset(out, 0, sizeof out);
    memset(&seen, 0, sizeof seen);
    cycles = flits_out = 0;
    for (unsigned v = 0; v < VNS; v++) {
        for (unsigned i = 0; i < INS; i++)
            q[i][v].credits = DEPTH;
        for (unsigned o = 0; o < OUTS; o++) {
            out[o][v].credits = CREDITS;
            out[o][v].from = NONE;
        }
    }
    for (unsigned i = 0; i < INS; i++)
        send_on[i] = NONE;
    memset(give, 0, sizeof give);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static void set_field(uint32_t *head, unsigned lsb, unsigned width, uint32_t value)
{
    for (unsigned b = 0; b < width; b++) {
        head[(lsb + b) / 32] &= ~(1u << (lsb + b) % 32);
        head[(lsb + b) / 32] |= (value >> b & 1) << (lsb + b) % 32;
    }
}

static uint32_t field(const uint32_t *head, unsigned lsb, unsigned width)
{
    uint32_t value = 0;

    for (unsigned b = 0; b < width; b++)
        value |= (head[(lsb + b) / 32] >> (lsb + b) % 32 & 1) << b;
    return value;
}

/* The next flit of the packet of (i, v): random, so no two are alike; a head names its ports. */
static struct flit next_flit(unsigned i, unsigned v)
{
    struct flit f = {.head = !q[i][v].begun, .tail = q[i][v].left == 1, .out = q[i][v].out};

    for (unsigned w = 0; w < WORDS; w++)
        f.word[w] = (uint32_t)hd_rand();
    if (f.head) {
        set_field(f.word, HD_HEAD_DST_LSB, HD_HEAD_DST_W, f.out);
        set_field(f.word, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, i);
    }
    return f;
}

static void start_packet(unsigned i, unsigned v, unsigned o, unsigned flits)
{
    assert_int_equal(q[i][v].left, 0);
    q[i][v].out = o;
    q[i][v].left = flits;
    q[i][v].begun = false;
}

static bool head_waits(unsigned i, unsigned v, unsigned o)
{
    return q[i][v].count > 0 && q[i][v].held[0].head && q[i][v].held[0].out == o;
}

/* Network v of output o has a flit to send and a credit. */
static bool can_send(unsigned o, unsigned v)
{
    bool flit = false;

    if (out[o][v].from != NONE)
        return out[o][v].credits > 0 && q[out[o][v].from][v].count > 0;
    for (unsigned i = 0; i < INS; i++)
        flit = flit || head_waits(i, v, o);
    return out[o][v].credits > 0 && flit;
}

/* A flit left through o: it must be the front flit of the right queue. @return its input. */
static unsigned check_flit(unsigned o, unsigned v)
{
    const uint32_t *word = d.out_flit_o + WORDS * o;
    unsigned i = out[o][v].from;

    if (i == NONE) {
        i = field(word, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W);
        assert_true(i < INS);
        assert_true(head_waits(i, v, o));
        for (unsigned k = 0; k < INS; k++)
            if (k != i && head_waits(k, v, o)) {
                assert_true(++q[k][v].passed_over <= INS - 1);
                if (q[k][v].passed_over > seen.longest_wait)
                    seen.longest_wait = q[k][v].passed_over;
            }
        q[i][v].passed_over = 0;
        out[o][v].packets[i]++;
    }
    assert_true(q[i][v].count > 0);
    assert_memory_equal(word, q[i][v].held[0].word, sizeof q[i][v].held[0].word);
    assert_int_equal(*d.out_tail_o >> o & 1, q[i][v].held[0].tail);
    out[o][v].from = q[i][v].held[0].tail ? NONE : i;
    return i;
}

/* One cycle with send_on[] and give[]; checks everything the edge did. */
static void cycle(void)
{
    struct flit f[INS];
    bool popped[INS][VNS] = {{false}}, sendable[OUTS][VNS];
    unsigned sent[OUTS], blocked = 0, inside = 0;

    *d.in_valid_i = 0;
    *d.in_vn_i = 0;
    *d.in_tail_i = 0;
    *d.out_credit_i = 0;
    for (unsigned i = 0; i < INS; i++) {
        const unsigned v = send_on[i];

        if (v == NONE)
            continue;
        assert_true(q[i][v].left > 0 && q[i][v].credits > 0); /* the test keeps to the protocol */
        f[i] = next_flit(i, v);
        *d.in_valid_i |= 1u << i;
        *d.in_vn_i |= v << HD_VN_W * i;
        *d.in_tail_i |= f[i].tail << i;
        memcpy(d.in_flit_i + WORDS * i, f[i].word, sizeof f[i].word);
    }
    for (unsigned o = 0; o < OUTS; o++)
        *d.out_credit_i |= give[o] << VNS * o;
    for (unsigned o = 0; o < OUTS; o++)
        for (unsigned v = 0; v < VNS; v++)
            sendable[o][v] = can_send(o, v);
    hd_eval(d.m);
    hd_edge(d.m);
    cycles++;

    for (unsigned o = 0; o < OUTS; o++) {
        unsigned choices = 0;

        sent[o] = *d.out_valid_o >> o & 1 ? *d.out_vn_o >> HD_VN_W * o & 3 : NONE;
        for (unsigned v = 0; v < VNS; v++)
            choices += sendable[o][v];
        seen.shared += choices > 1;
        assert_int_equal(sent[o] != NONE, choices > 0); /* work conserving */
        if (sent[o] == NONE)
            continue;
        assert_true(sent[o] < VNS && sendable[o][sent[o]]);
        popped[check_flit(o, sent[o])][sent[o]] = true;
        flits_out++;
    }
    for (unsigned o = 0; o < OUTS; o++) {
        for (unsigned v = 0; v < VNS; v++) {
            seen.no_credit += out[o][v].credits == 0;
            seen.gap += out[o][v].from != NONE && q[out[o][v].from][v].count == 0;
            out[o][v].passed_over =
                sendable[o][v] && sent[o] != v ? out[o][v].passed_over + 1 : 0;
            assert_true(out[o][v].passed_over <= VNS - 1);
            if (give[o] >> v & 1) {
                out[o][v].credits++;
                out[o][v].unreturned--;
            }
            if (sent[o] == v) {
                out[o][v].credits--;
                out[o][v].unreturned++;
                out[o][v].flits++;
            }
        }
        give[o] = 0;
    }
    for (unsigned i = 0; i < INS; i++) {
        for (unsigned v = 0; v < VNS; v++) {
            assert_int_equal(*d.in_credit_o >> (i * VNS + v) & 1, popped[i][v]);
            blocked += q[i][v].count > 0 && !popped[i][v];
            if (popped[i][v]) {
                q[i][v].count--;
                q[i][v].credits++;
                memmove(q[i][v].held, q[i][v].held + 1, q[i][v].count * sizeof(struct flit));
            }
            if (send_on[i] == v) {
                q[i][v].held[q[i][v].count++] = f[i];
                q[i][v].credits--;
                q[i][v].left--;
                q[i][v].begun = true;
            }
            inside += q[i][v].count;
        }
        send_on[i] = NONE;
    }
    seen.blocked += blocked > 0;
    assert_int_equal(*d.ev_o >> HD_EV_XBAR_FLIT & 1, *d.out_valid_o != 0);
    assert_int_equal(*d.ev_o >> HD_EV_XBAR_BLOCKED & 1, blocked > 0);
    assert_int_equal(*d.idle_o,
                     inside == 0 && *d.out_valid_o == 0 && *d.in_credit_o == 0 && *d.ev_o == 0);
    seen.idle += *d.idle_o;
}

/* Lets (i, v) send a flit of its packet in the next cycle if it may. */
static void send_if_possible(unsigned i, unsigned v)
{
    if (q[i][v].left > 0 && q[i][v].credits > 0)
        send_on[i] = v;
}

static void give_back_all(void)
{
    for (unsigned o = 0; o < OUTS; o++)
        for (unsigned v = 0; v < VNS; v++)
            give[o] |= (out[o][v].unreturned > 0) << v;
}

/* Sends what has begun to the end, takes all out, and checks that every credit came home. */
static void drain(void)
{
    for (unsigned t = 0; t < 100 * INS * VNS * (DEPTH + CREDITS); t++) {
        for (unsigned i = 0; i < INS; i++)
            send_if_possible(i, (t + i) % VNS);
        give_back_all();
        cycle();
    }
    assert_int_equal(*d.idle_o, 1);
    for (unsigned v = 0; v < VNS; v++) {
        for (unsigned i = 0; i < INS; i++) {
            assert_int_equal(q[i][v].left, 0);
            assert_int_equal(q[i][v].count, 0);
            assert_int_equal(q[i][v].credits, DEPTH);
        }
        for (unsigned o = 0; o < OUTS; o++) {
            assert_int_equal(out[o][v].credits, CREDITS);
            assert_int_equal(out[o][v].from, NONE);
        }
    }
}

static void a_flit_received_by_one_edge_is_sent_by_the_next(void **state)
{
    (void)state;
    assert_int_equal(*d.idle_o, 1);
    start_packet(INS - 1, VNS - 1, OUTS - 1, 1);
    send_on[INS - 1] = VNS - 1;
    cycle();
    assert_int_equal(*d.out_valid_o, 0);
    cycle();
    assert_int_equal(*d.out_valid_o, 1u << (OUTS - 1));
    assert_int_equal(*d.out_vn_o >> HD_VN_W * (OUTS - 1), VNS - 1);
    drain();
}

static void every_path_passes_a_packet(void **state)
{
    (void)state;
    for (unsigned i = 0; i < INS; i++)
        for (unsigned v = 0; v < VNS; v++)
            for (unsigned o = 0; o < OUTS; o++) {
                start_packet(i, v, o, 5);
                drain();
                assert_int_equal(out[o][v].packets[i], 1);
            }
    assert_int_equal(flits_out, 5 * INS * VNS * OUTS);
}

static void an_output_sends_exactly_its_credits(void **state)
{
    (void)state;
    start_packet(0, 0, 0, CREDITS + 1);
    for (unsigned t = 0; t < 4 * CREDITS + 10; t++) {
        send_if_possible(0, 0);
        cycle();
    }
    assert_int_equal(flits_out, CREDITS);
    drain();
}

/* For n cycles all inputs send packets of @flits flits on network v to output o when they can. */
static void saturate(unsigned v, unsigned o, unsigned flits, unsigned n)
{
    for (unsigned t = 0; t < n; t++) {
        for (unsigned i = 0; i < INS; i++) {
            if (q[i][v].left == 0)
                start_packet(i, v, o, flits);
            send_if_possible(i, v);
        }
        give_back_all();
        cycle();
    }
}

static void a_loaded_output_sends_every_cycle(void **state)
{
    (void)state;
    if (DEPTH < 2 || CREDITS < 2) /* the credit loops are two cycles long */
        return;
    for (unsigned flits = 1; flits <= 5; flits += 2) {
        const uint64_t before = flits_out;

        saturate(0, OUTS - 1, flits, 200);
        assert_true(flits_out - before >= 198);
        drain();
    }
}

static void inputs_share_an_output_evenly(void **state)
{
    unsigned long least = ~0ul, most = 0;

    (void)state;
    saturate(VNS - 1, 0, 3, 600);
    for (unsigned i = 0; i < INS; i++) {
        const unsigned long n = out[0][VNS - 1].packets[i];

        least = n < least ? n : least;
        most = n > most ? n : most;
    }
    assert_true(least > 10 && most - least <= 1);
    drain();
}

static void networks_share_an_output_flit_by_flit(void **state)
{
    (void)state;
    if (VNS == 1 || INS == 1 || DEPTH < 2 || CREDITS < 2)
        return;
    start_packet(0, 0, 0, 100);
    start_packet(1, 1, 0, 100);
    for (unsigned t = 0; t < 102; t++) {
        send_if_possible(0, 0);
        send_if_possible(1, 1);
        give_back_all();
        cycle();
    }
    assert_true(out[0][0].flits >= 50 && out[0][1].flits >= 50);
    drain();
}

static void a_network_without_credits_does_not_stop_the_others(void **state)
{
    (void)state;
    if (VNS == 1)
        return;
    for (unsigned t = 0; t < 100; t++) {
        for (unsigned v = 0; v < 2; v++)
            if (q[0][v].left == 0)
                start_packet(0, v, 0, 2);
        send_if_possible(0, t & 1);
        give[0] = out[0][1].unreturned > 0 ? 2 : 0; /* none for network 0 */
        cycle();
    }
    assert_int_equal(out[0][0].flits, CREDITS);
    assert_true(out[0][1].flits > 30);
    drain();
}

static void idle_means_that_no_register_changes(void **state)
{
    unsigned checked = 0;

    (void)state;
    for (unsigned t = 0; t < 3000; t++) {
        const unsigned i = hd_rand_below(INS), v = hd_rand_below(VNS);

        if (*d.idle_o) {
            size_t size, size2;
            void *before, *after;

            *d.in_valid_i = 0;
            *d.out_credit_i = 0;
            hd_eval(d.m);
            before = hd_model_save(d.m, &size);
            for (unsigned k = 0; k < 3; k++)
                hd_edge(d.m);
            after = hd_model_save(d.m, &size2);
            assert_non_null(before);
            assert_non_null(after);
            assert_int_equal(size, size2);
            assert_memory_equal(before, after, size);
            free(before);
            free(after);
            checked++;
        }
        if (q[i][v].left == 0 && hd_rand_below(20) == 0)
            start_packet(i, v, hd_rand_below(OUTS), 1 + hd_rand_below(3));
        if (hd_rand_below(4) == 0)
            send_if_possible(i, v);
        if (hd_rand_below(4) == 0)
            give_back_all();
        cycle();
    }
    assert_true(checked > 100);
    drain();
}

static void an_unknown_destination_is_asserted(void **state)
{
    uint32_t head[WORDS] = {0};

    (void)state;
    set_field(head, HD_HEAD_DST_LSB, HD_HEAD_DST_W, OUTS);
    memcpy(d.in_flit_i, head, sizeof head);
    *d.in_valid_i = 1;
    *d.in_tail_i = 1;
    hd_eval(d.m);
    hd_edge(d.m);
    *d.in_valid_i = 0;
    hd_eval(d.m);
    hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
    hd_assert_clear(d.m);
}

static void random_traffic_arrives_whole_in_order_and_fairly(void **state)
{
    unsigned long packets = 0, least = ~0ul;

    (void)state;
    for (unsigned t = 0; t < 20000; t++) {
        const unsigned phase = t / 400 % 5;
        /* all busy; slow receivers; slow senders; one hot output; almost nothing */
        const unsigned start = phase == 4 ? 60 : 2, credit = phase == 1 ? 12 : 2;
        const unsigned flit = phase == 2 ? 4 : 1;

        for (unsigned i = 0; i < INS; i++) {
            for (unsigned v = 0; v < VNS; v++)
                if (q[i][v].left == 0 && hd_rand_below(start) == 0)
                    start_packet(i, v, phase == 3 ? 0 : hd_rand_below(OUTS),
                                 1 + hd_rand_below(5));
            if (hd_rand_below(flit) == 0)
                send_if_possible(i, hd_rand_below(VNS));
        }
        for (unsigned o = 0; o < OUTS; o++)
            for (unsigned v = 0; v < VNS; v++)
                if (out[o][v].unreturned > 0 && hd_rand_below(credit) == 0)
                    give[o] |= 1u << v;
        cycle();
    }
    drain();
    for (unsigned i = 0; i < INS; i++)
        for (unsigned v = 0; v < VNS; v++)
            for (unsigned o = 0; o < OUTS; o++) {
                packets += out[o][v].packets[i];
                least = out[o][v].packets[i] < least ? out[o][v].packets[i] : least;
            }
    assert_true(packets > 1000 && least > 100);
    assert_true(seen.blocked > 1000 && seen.no_credit > 1000 && seen.gap > 1000 && seen.idle > 100);
    assert_true(seen.shared > 1000 || VNS == 1);
    assert_true(seen.longest_wait == INS - 1); /* the bound was reached, and never passed */
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(a_flit_received_by_one_edge_is_sent_by_the_next, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(every_path_passes_a_packet, setup, teardown),
        cmocka_unit_test_setup_teardown(an_output_sends_exactly_its_credits, setup, teardown),
        cmocka_unit_test_setup_teardown(a_loaded_output_sends_every_cycle, setup, teardown),
        cmocka_unit_test_setup_teardown(inputs_share_an_output_evenly, setup, teardown),
        cmocka_unit_test_setup_teardown(networks_share_an_output_flit_by_flit, setup, teardown),
        cmocka_unit_test_setup_teardown(a_network_without_credits_does_not_stop_the_others, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(idle_means_that_no_register_changes, setup, teardown),
        cmocka_unit_test_setup_teardown(an_unknown_destination_is_asserted, setup, teardown),
        cmocka_unit_test_setup_teardown(random_traffic_arrives_whole_in_order_and_fairly, setup,
                                        teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
