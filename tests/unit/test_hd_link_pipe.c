/* test_hd_link_pipe.c - the RTL link: what leaves in cycle t arrives in cycle t + latency, from fast and from slow
 * senders, flits and credits. */
/* dut: hd_link_pipe FlitW=64 NumVn=2 Latency=6 CreditLatency=4 */
/* dut: hd_link_pipe FlitW=64 NumVn=1 Latency=2 CreditLatency=8 */
/* dut: hd_link_pipe FlitW=64 NumVn=3 Latency=1 CreditLatency=1 */
#include "hd_unit.h"
#include "hd_bits.h"
#include "hd_link_pipe_dut.h"

enum { TAIL_LSB = P_FlitW, VN_LSB = P_FlitW + 1 }; /* of a beat */
enum { LATENCY = P_Latency, CREDIT_LATENCY = P_CreditLatency, NUM_VN = P_NumVn, RING = 16, STEPS = 3000 };

static struct hd_link_pipe d;

/* What a sender's edge of a cycle put into its output registers, by cycle modulo RING. */
struct beat {
    bool valid, tail;
    uint8_t vn;
    uint64_t flit;
};
static struct beat flits[RING], held_flit;
static uint8_t credits[RING], held_credits;
static unsigned flit_ratio, credit_ratio; /* fast cycles per cycle of each sender */
static unsigned now;

static void start(unsigned flit_sender, unsigned credit_sender)
{
    hd_reset(d.m);
    memset(flits, 0, sizeof flits);
    memset(credits, 0, sizeof credits);
    held_flit = (struct beat){0};
    held_credits = 0;
    flit_ratio = flit_sender;
    credit_ratio = credit_sender;
    now = RING;
}

static int setup(void **state)
{
    (void)state;
    hd_link_pipe_open(&d);
    start(1, 1);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

/* The fast cycle `now`: the registers show what the senders' last edges wrote; outputs belong to the edge of
 * `now`. Then that edge; senders that have one write *f and c. @return true when the pipe was empty. */
static bool cycle(const struct beat *f, uint8_t c)
{
    const struct beat *due = &flits[(now - LATENCY) % RING];
    uint8_t credits_due = credits[(now - CREDIT_LATENCY) % RING];
    bool empty = true;

    *d.s_capture_i = (now - 1) % flit_ratio == 0;
    *d.s_valid_i = held_flit.valid;
    hd_bits_put(d.s_beat_i, VN_LSB, HD_VN_W, held_flit.vn);
    hd_bits_put(d.s_beat_i, TAIL_LSB, 1, held_flit.tail);
    hd_bits_put(d.s_beat_i, 0, P_FlitW, held_flit.flit);
    *d.r_capture_i = (now - 1) % credit_ratio == 0;
    *d.r_credit_i = held_credits;
    hd_eval(d.m);
    assert_int_equal(*d.r_valid_o, due->valid);
    if (due->valid) {
        assert_int_equal(hd_bits_get(d.r_beat_o, VN_LSB, HD_VN_W), due->vn);
        assert_int_equal(hd_bits_get(d.r_beat_o, TAIL_LSB, 1), due->tail);
        assert_int_equal(hd_bits_get(d.r_beat_o, 0, P_FlitW), due->flit);
    }
    assert_int_equal(*d.s_credit_o, credits_due);
    for (unsigned n = 2; n <= LATENCY; n++) /* sent in cycle now - 1: still in the sender */
        empty = empty && !flits[(now - n) % RING].valid;
    for (unsigned n = 2; n <= CREDIT_LATENCY; n++)
        empty = empty && credits[(now - n) % RING] == 0;
    assert_int_equal(*d.empty_o, empty);
    hd_edge(d.m);
    flits[now % RING] = (struct beat){0};
    credits[now % RING] = 0;
    if (now % flit_ratio == 0)
        flits[now % RING] = held_flit = *f;
    if (now % credit_ratio == 0)
        credits[now % RING] = held_credits = c;
    now++;
    return empty;
}

static void a_flit_and_a_credit_arrive_after_their_latencies(void **state)
{
    const struct beat none = {0}, one = {.valid = true, .tail = true, .flit = 0x0123456789abcdef};

    (void)state;
    cycle(&one, 0);
    for (unsigned n = 0; n < RING; n++)
        cycle(&none, 0);
    cycle(&none, 1);
    for (unsigned n = 0; n < RING; n++)
        cycle(&none, 0);
}

/* A slow sender holds its registers for `ratio` cycles; they must be taken once. */
static void random_traffic_keeps_its_times(void **state)
{
    static const unsigned ratios[][2] = {{1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 4}};

    (void)state;
    for (unsigned r = 0; r < sizeof ratios / sizeof ratios[0]; r++) {
        unsigned sent = 0, tails = 0, returned = 0, empty = 0;
        start(ratios[r][0], ratios[r][1]);
        for (unsigned n = 0; n < STEPS; n++) {
            struct beat f = {.valid = hd_rand_below(4) < n / 150 % 5, .tail = hd_rand() & 1,
                             .vn = (uint8_t)hd_rand_below(NUM_VN), .flit = hd_rand()};
            uint8_t c = hd_rand_below(4) < n / 150 % 5 ? (uint8_t)hd_rand_below(1 << NUM_VN) : 0;
            empty += cycle(&f, c);
            sent += flits[(now - 1) % RING].valid;
            tails += flits[(now - 1) % RING].valid && f.tail;
            returned += credits[(now - 1) % RING] != 0;
        }
        assert_in_range(sent, STEPS / 16, STEPS);
        assert_in_range(tails, STEPS / 64, STEPS);
        assert_in_range(returned, STEPS / 32, STEPS);
        assert_in_range(empty, 100, STEPS);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_flit_and_a_credit_arrive_after_their_latencies, setup, teardown),
        cmocka_unit_test_setup_teardown(random_traffic_keeps_its_times, setup, teardown),
    };
    return HD_UNIT_MAIN(argc, argv, tests);
}
