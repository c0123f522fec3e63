/* net_cases.h - what is between SMs and L2 tiles, as a whole: random packets between all of them, every flit known. For the
 * tests of hd_xbar_net and hd_mesh_net, which say before: SMS, PARTS, UP_WIRES and DOWN_WIRES (networks on the links),
 * used_up, used_down (masks of those that tiles use), DEPTH, CREDITS, WORDS, d (the DUT),
 *   edge()            of all clocks
 *   latency(sm, part) cycles from the edge that sends a flit to the edge that gets it, SM to L2
 *   back(sm, part)    the other way
 * A flit's word 1 says who it is: sender, packet, flit. */
/* WHO: the word of a flit that, with word 0, says who it is: all bits of both vary. */
enum { ENDS = SMS + PARTS, VNS = 4, WHO = 1, LONGEST = 5, NONE = 255 };

static void edge(void);
static unsigned latency(unsigned sm, unsigned part);
static unsigned back(unsigned sm, unsigned part);

static uint64_t get_bits(const void *port, unsigned lsb, unsigned width)
{
    const uint8_t *bytes = port;
    uint64_t value = 0;

    for (unsigned b = 0; b < width; b++, lsb++)
        value |= (uint64_t)(bytes[lsb / 8] >> lsb % 8 & 1) << b;
    return value;
}

static void put_bits(void *port, unsigned lsb, unsigned width, uint64_t value)
{
    uint8_t *bytes = port;

    for (unsigned b = 0; b < width; b++, lsb++)
        bytes[lsb / 8] = (uint8_t)((bytes[lsb / 8] & ~(1u << lsb % 8)) | (value >> b & 1) << lsb % 8);
}

/* A port of the side that end @e is on. */
#define PORT(e, name) (is_sm(e) ? (void *)d.sm_##name : (void *)d.l2_##name)

/* End e: SM e, or partition e - SMS. What one sends and gets, by network. */
static struct end {
    unsigned to, left, flit, credits;      /* the packet being sent */
    unsigned from, got, owed, held;        /* the packet being received; flits not given back */
} end[ENDS][VNS];
static unsigned sent[ENDS][ENDS][VNS], arrived[ENDS][ENDS][VNS]; /* packets */
static uint64_t now, last_seen;

static bool is_sm(unsigned e)
{
    return e < SMS;
}

/* Wires of the links that end e sends and receives on, and the networks it may use of them. */
static unsigned wires(unsigned e, bool sends)
{
    return is_sm(e) == sends ? UP_WIRES : DOWN_WIRES;
}
static unsigned used(unsigned e)
{
    return is_sm(e) ? used_up : used_down;
}

static int setup(void **state)
{
    (void)state;
    DUT_OPEN(&d);
    memset(end, 0, sizeof end);
    memset(sent, 0, sizeof sent);
    memset(arrived, 0, sizeof arrived);
    now = 0;
    for (unsigned e = 0; e < ENDS; e++)
        for (unsigned v = 0; v < VNS; v++)
            end[e][v].credits = DEPTH;
    hd_model_zero_inputs(d.m);
    *d.rst_i = 1;
    edge();
    edge();
    *d.rst_i = 0;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static void start_packet(unsigned e, unsigned v, unsigned to, unsigned flits)
{
    end[e][v].to = to;
    end[e][v].left = flits;
    end[e][v].flit = 0;
}

static void drive_flit(unsigned e, unsigned v)
{
    const unsigned i = is_sm(e) ? e : e - SMS;
    struct end *s = &end[e][v];
    const unsigned to = is_sm(s->to) ? s->to : s->to - SMS;
    uint32_t *flit = (uint32_t *)PORT(e, flit_i) + WORDS * i;

    for (unsigned w = 0; w < WORDS; w++)
        flit[w] = (uint32_t)hd_rand();
    if (s->flit == 0) {
        put_bits(flit, HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W, is_sm(s->to) ? HD_END_SM : HD_END_L2);
        put_bits(flit, HD_HEAD_DST_LSB, HD_HEAD_DST_W, to);
    }
    flit[WHO] = flit[0] ^ (e << 24 | s->to << 16 | (sent[e][s->to][v] & 0xff) << 8 | s->flit);
    put_bits(PORT(e, valid_i), i, 1, 1);
    put_bits(PORT(e, vn_i), i * HD_VN_W, HD_VN_W, v);
    put_bits(PORT(e, tail_i), i, 1, s->left == 1);
    s->flit++;
    s->credits--;
    if (--s->left == 0)
        sent[e][s->to][v]++;
}

static void see_flit(unsigned e)
{
    const unsigned i = is_sm(e) ? e : e - SMS;
    const unsigned v = (unsigned)get_bits(PORT(e, vn_o), i * HD_VN_W, HD_VN_W);
    const bool tail = get_bits(PORT(e, tail_o), i, 1);
    const uint32_t *const flit = (const uint32_t *)PORT(e, flit_o) + WORDS * i, who = flit[WHO] ^ flit[0];
    const unsigned from = who >> 24;
    struct end *r = &end[e][v];

    assert_true(from < ENDS && (who >> 16 & 0xff) == e);        /* it is for e */
    assert_true(used(from) >> v & 1);
    assert_int_equal(who >> 8 & 0xff, arrived[from][e][v] & 0xff); /* in the order sent */
    assert_int_equal(who & 0xff, r->got);
    assert_true(r->got == 0 || r->from == from);                /* whole */
    assert_true(++r->held <= CREDITS);
    r->from = from;
    r->got = tail ? 0 : r->got + 1;
    arrived[from][e][v] += tail;
    last_seen = now;
}

/* One cycle: on the network net[e] (or none) each end sends if it can; end e gives back one flit of those in give[e]. */
static void cycle(const unsigned net[ENDS], const unsigned give[ENDS])
{
    memset(d.sm_valid_i, 0, (SMS + 7) / 8);
    memset(d.l2_valid_i, 0, (PARTS + 7) / 8);
    for (unsigned e = 0; e < ENDS; e++) {
        const unsigned i = is_sm(e) ? e : e - SMS;
        if (net[e] != NONE && end[e][net[e]].left > 0 && end[e][net[e]].credits > 0)
            drive_flit(e, net[e]);
        for (unsigned v = 0; v < wires(e, false); v++) {
            const bool one = (give[e] >> v & 1) && end[e][v].held > 0;
            put_bits(PORT(e, credit_i), i * wires(e, false) + v, 1, one);
            end[e][v].held -= one;
        }
    }
    hd_eval(d.m);
    for (unsigned e = 0; e < ENDS; e++) {
        const unsigned i = is_sm(e) ? e : e - SMS;
        if (get_bits(PORT(e, valid_o), i, 1))
            see_flit(e);
        for (unsigned v = 0; v < wires(e, true); v++) {
            end[e][v].credits += (unsigned)get_bits(PORT(e, credit_o), i * wires(e, true) + v, 1);
            assert_true(end[e][v].credits <= DEPTH);
        }
    }
    edge();
    now++;
}

static void drain(void)
{
    unsigned net[ENDS], give[ENDS], left = 1;

    for (unsigned t = 0; left > 0 || !*d.idle_o; t++) {
        assert_true(t < 20000);
        left = 0;
        for (unsigned e = 0; e < ENDS; e++) {
            net[e] = (t + e) % VNS;
            give[e] = 15;
            for (unsigned v = 0; v < wires(e, true); v++)
                left += end[e][v].left + DEPTH - end[e][v].credits;
            for (unsigned v = 0; v < VNS; v++)
                left += end[e][v].held;
        }
        cycle(net, give);
    }
    assert_memory_equal(sent, arrived, sizeof sent);
}

static void a_flit_takes_the_latency_of_its_way(void **state)
{
    (void)state;
    for (unsigned s = 0; s < SMS; s++)
        for (unsigned p = 0; p < PARTS; p++)
            for (unsigned up = 0; up < 2; up++) {
                const unsigned from = up ? s : SMS + p, to = up ? SMS + p : s;
                unsigned net[ENDS], give[ENDS] = {0}, v = 0;

                while (!(used(from) >> v & 1))
                    v++;
                for (unsigned e = 0; e < ENDS; e++)
                    net[e] = e == from ? v : NONE;
                start_packet(from, v, to, 1);
                const uint64_t start = now; /* its sender's edge is the one before */
                do {
                    cycle(net, give);
                    net[from] = NONE;
                    assert_true(now < start + 1000);
                } while (arrived[from][to][v] < sent[from][to][v]);
                assert_int_equal(last_seen - start + 1, up ? latency(s, p) : back(s, p));
                drain();
            }
}

static void random_packets_arrive_whole_and_in_order(void **state)
{
    (void)state;
    for (unsigned t = 0; t < 6000; t++) {
        const unsigned phase = t / 500 % 3; /* all busy; slow receivers; little */
        unsigned net[ENDS], give[ENDS];

        for (unsigned e = 0; e < ENDS; e++) {
            for (unsigned v = 0; v < VNS; v++)
                if ((used(e) >> v & 1) && end[e][v].left == 0 && hd_rand_below(phase == 2 ? 60 : 2) == 0)
                    start_packet(e, v, is_sm(e) ? SMS + (unsigned)hd_rand_below(PARTS) : (unsigned)hd_rand_below(SMS),
                                 1 + (unsigned)hd_rand_below(LONGEST));
            net[e] = (unsigned)hd_rand_below(VNS);
            give[e] = phase == 1 && hd_rand_below(5) != 0 ? 0 : (unsigned)hd_rand_below(16);
        }
        cycle(net, give);
    }
    drain();
    for (unsigned e = 0; e < ENDS; e++)
        for (unsigned to = 0; to < ENDS; to++)
            for (unsigned v = 0; v < VNS; v++)
                assert_true(!(used(e) >> v & 1) || is_sm(e) == is_sm(to) || arrived[e][to][v] > 0);
}

/* The receivers take nothing of the first network: everything else flows past, to all of them. */
static void a_network_that_stands_stops_no_other(void **state)
{
    unsigned before[ENDS] = {0};

    (void)state;
    for (unsigned t = 0; t < 4000; t++) {
        unsigned net[ENDS], give[ENDS];

        if (t == 2000)
            for (unsigned e = 0; e < ENDS; e++)
                for (unsigned to = 0; to < ENDS; to++)
                    for (unsigned v = 1; v < VNS; v++)
                        before[to] += arrived[e][to][v];
        for (unsigned e = 0; e < ENDS; e++) {
            for (unsigned v = 0; v < VNS; v++)
                if ((used(e) >> v & 1) && end[e][v].left == 0)
                    start_packet(e, v, is_sm(e) ? SMS + (unsigned)hd_rand_below(PARTS) : (unsigned)hd_rand_below(SMS), 3);
            net[e] = t % VNS;
            give[e] = 14;
        }
        cycle(net, give);
    }
    for (unsigned to = SMS; to < ENDS; to++) {
        unsigned after = 0;
        for (unsigned e = 0; e < ENDS; e++)
            for (unsigned v = 1; v < VNS; v++)
                after += arrived[e][to][v];
        assert_true(after > before[to] + 20);
    }
    for (unsigned s = 0; s < SMS; s++)
        assert_int_equal(end[s][0].credits, 0);
    drain();
}

#define NET_CASES                                                                                      \
    cmocka_unit_test_setup_teardown(a_flit_takes_the_latency_of_its_way, setup, teardown),              \
    cmocka_unit_test_setup_teardown(random_packets_arrive_whole_and_in_order, setup, teardown),         \
    cmocka_unit_test_setup_teardown(a_network_that_stands_stops_no_other, setup, teardown)
