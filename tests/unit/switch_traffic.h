/* switch_traffic.h - flits through a switch: random packets on all inputs and networks, every flit known. For the tests of
 * hd_switch and hd_router_tile, which say before: INS, OUTS, VNS, DEPTH, CREDITS, WORDS (32-bit words of a flit), d (the
 * DUT), IN(x), OUT(x), the ports with x (vn, tail, flit) of the links, IN_VN, IN_TAIL, OUT_VN, OUT_TAIL, where these begin there, and
 *   pick()     an output for a packet of an input, NONE: that input has none
 *   mark()     makes a flit a head for that output
 *   settle()   lets the inputs of a cycle be seen, before the edge
 * Beyond the bits of a route a flit holds who it is: input, network, number. */
enum { NONE = 255, WHO = 1 }; /* the word of a flit that, with word 0, says who it is: all bits of both vary */

static unsigned pick(unsigned input, unsigned net);
static void mark(uint32_t *flit, unsigned output);
static void settle(void);

/* A packet is on its way in; flits of it. */
static struct source {
    unsigned left, output, sent, seen, credits, inside;
    bool begun;
    unsigned to[256];  /* output and tail of flits inside, by number */
    uint32_t word[256][WORDS]; /* all that they hold */
} source[INS][VNS];

static struct sink {
    unsigned from, credits, owed; /* input whose packet has begun, or NONE; of the switch; flits not given back */
    unsigned long packets[INS];
} sink[OUTS][VNS];

static struct {
    unsigned long flits, packets, blocked, starved, shared, idle;
} seen;

static void traffic_reset(void)
{
    memset(source, 0, sizeof source);
    memset(sink, 0, sizeof sink);
    memset(&seen, 0, sizeof seen);
    for (unsigned v = 0; v < VNS; v++) {
        for (unsigned i = 0; i < INS; i++)
            source[i][v].credits = DEPTH;
        for (unsigned o = 0; o < OUTS; o++)
            sink[o][v] = (struct sink){.from = NONE, .credits = CREDITS};
    }
}

static void set_bits(uint32_t *words, unsigned lsb, unsigned width, uint32_t value)
{
    for (unsigned b = 0; b < width; b++) {
        words[(lsb + b) / 32] &= ~(1u << (lsb + b) % 32);
        words[(lsb + b) / 32] |= (value >> b & 1) << (lsb + b) % 32;
    }
}

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

static void start_packet(unsigned i, unsigned v, unsigned output, unsigned flits)
{
    if (output == NONE)
        return;
    source[i][v].output = output;
    source[i][v].left = flits;
    source[i][v].begun = false;
}

static void drive_flit(unsigned i, unsigned v)
{
    struct source *s = &source[i][v];
    uint32_t flit[WORDS];

    for (unsigned w = 0; w < WORDS; w++)
        flit[w] = (uint32_t)hd_rand();
    if (!s->begun)
        mark(flit, s->output);
    flit[WHO] = flit[0] ^ (i << 24 | v << 16 | (s->sent & 0xffff));
    s->to[s->sent % 256] = s->output << 1 | (s->left == 1);
    memcpy(s->word[s->sent % 256], flit, sizeof flit);
    put_bits(d.in_valid_i, i, 1, 1);
    put_bits(IN(vn), IN_VN + i * HD_VN_W, HD_VN_W, v);
    put_bits(IN(tail), IN_TAIL + i, 1, s->left == 1);
    memcpy((uint32_t *)IN(flit) + WORDS * i, flit, sizeof flit);
    s->begun = true;
    s->left--;
    s->sent++;
    s->credits--;
    s->inside++;
}

static void see_flit(unsigned o)
{
    const unsigned v = (unsigned)get_bits(OUT(vn), OUT_VN + o * HD_VN_W, HD_VN_W);
    const uint32_t *const flit = (const uint32_t *)OUT(flit) + WORDS * o, who = flit[WHO] ^ flit[0];
    const unsigned i = who >> 24;
    struct sink *k = &sink[o][v];

    assert_true(v < VNS && i < INS && (who >> 16 & 0xff) == v);
    struct source *s = &source[i][v];
    assert_int_equal(who & 0xffff, s->seen & 0xffff); /* in the order they came */
    assert_true(s->inside > 0);
    assert_int_equal(s->to[s->seen % 256] >> 1, o);
    assert_memory_equal(s->word[s->seen % 256], flit, sizeof s->word[0]);
    const bool tail = s->to[s->seen % 256] & 1;
    assert_int_equal(get_bits(OUT(tail), OUT_TAIL + o, 1), tail);
    assert_true(k->from == NONE || k->from == i); /* packets do not mix */
    assert_true(k->credits > 0);
    k->from = tail ? NONE : i;
    k->credits--;
    k->owed++;
    k->packets[i] += tail;
    s->seen++;
    s->inside--;
    seen.flits++;
    seen.packets += tail;
}

/* One cycle; a bit each: inputs that send if they can (on the network @net says), outputs whose flits are given back. */
static void traffic(const unsigned net[INS], const unsigned give[OUTS])
{
    unsigned inside = 0, returned = 0;

    memset(d.in_valid_i, 0, (INS + 7) / 8);
    for (unsigned i = 0; i < INS; i++) {
        if (net[i] == NONE || source[i][net[i]].left == 0 || source[i][net[i]].credits == 0)
            continue;
        drive_flit(i, net[i]);
    }
    for (unsigned o = 0; o < OUTS; o++) {
        for (unsigned v = 0; v < VNS; v++) {
            const bool back = (give[o] >> v & 1) && sink[o][v].owed > 0;
            put_bits(d.out_credit_i, o * VNS + v, 1, back);
            sink[o][v].owed -= back;
            sink[o][v].credits += back;
            seen.starved += sink[o][v].credits == 0;
        }
    }
    settle();
    hd_edge(d.m);
    for (unsigned o = 0; o < OUTS; o++)
        if (get_bits(d.out_valid_o, o, 1))
            see_flit(o);
    for (unsigned i = 0; i < INS; i++) {
        for (unsigned v = 0; v < VNS; v++) {
            const bool back = get_bits(d.in_credit_o, i * VNS + v, 1);
            source[i][v].credits += back;
            returned += back;
            inside += source[i][v].inside;
            assert_true(source[i][v].credits + source[i][v].inside == DEPTH);
        }
    }
    assert_true(!*d.idle_o || (inside == 0 && returned == 0));
    seen.blocked += inside > 0;
    seen.idle += *d.idle_o;
}

/* Sends what has begun to the end and takes all out. */
static void drain(void)
{
    unsigned net[INS], give[OUTS], left = 1;

    for (unsigned o = 0; o < OUTS; o++)
        give[o] = (1u << VNS) - 1;
    for (unsigned t = 0; left > 0 || !*d.idle_o; t++) {
        assert_true(t < 10000);
        left = 0;
        for (unsigned i = 0; i < INS; i++) {
            net[i] = (t + i) % VNS;
            for (unsigned v = 0; v < VNS; v++)
                left += source[i][v].left + source[i][v].inside;
        }
        traffic(net, give);
    }
    for (unsigned o = 0; o < OUTS; o++)
        for (unsigned v = 0; v < VNS; v++)
            assert_true(sink[o][v].from == NONE);
}

/* Phases: all busy; slow receivers; one network's receivers asleep; almost nothing. */
static void random_traffic(unsigned cycles)
{
    unsigned net[INS], give[OUTS];

    for (unsigned t = 0; t < cycles; t++) {
        const unsigned phase = t / 300 % 4;
        for (unsigned i = 0; i < INS; i++) {
            for (unsigned v = 0; v < VNS; v++)
                if (source[i][v].left == 0 && hd_rand_below(phase == 3 ? 80 : 3) == 0)
                    start_packet(i, v, pick(i, v), 1 + (unsigned)hd_rand_below(5));
            net[i] = (unsigned)hd_rand_below(VNS);
        }
        for (unsigned o = 0; o < OUTS; o++) {
            give[o] = (unsigned)hd_rand_below(1u << VNS);
            if (phase == 1 && hd_rand_below(4) != 0)
                give[o] = 0;
            if (phase == 2)
                give[o] &= ~(1u << t / 1200 % VNS);
        }
        traffic(net, give);
    }
    drain();
}

/* With no input the state is the same edges later. */
static void assert_rests(void)
{
    size_t size, size2;
    void *before, *after;

    memset(d.in_valid_i, 0, (INS + 7) / 8);
    for (unsigned b = 0; b < OUTS * VNS; b++)
        put_bits(d.out_credit_i, b, 1, 0);
    settle();
    settle(); /* assertions sample what was there before the last one */
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
}
