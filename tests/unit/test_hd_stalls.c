/* test_hd_stalls.c - causes of stalls, warp by warp against the list of the module's header. */
/* mutants: Warps=5 */
/* dut: hd_stalls Warps=1 */
/* dut: hd_stalls Warps=5 */
/* dut: hd_stalls Warps=48 */
#include "hd_unit.h"

#include "hd_bits.h"
#include "hd_stalls_dut.h"

enum { WARPS = P_Warps };

static struct hd_stalls d;
static bool live[WARPS];
static unsigned shown[WARPS];     /* the registers of the module */
static unsigned seen[HD_STALL_NUM], settled, moving;

/* What is known of a warp in a cycle. */
struct state {
    bool launch, issue, leaves, barrier, has, can, ok, sync, ld_pend, acq_block, order_busy, full, hold, early, held, copy;
};

static int setup(void **state)
{
    (void)state;
    hd_stalls_open(&d);
    hd_reset(d.m);
    memset(live, 0, sizeof live);
    memset(shown, 0, sizeof shown);
    memset(seen, 0, sizeof seen);
    settled = moving = 0;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    hd_close(d.m);
    return 0;
}

static unsigned cause_of(unsigned warp, const struct state *s)
{
    if (!live[warp])
        return HD_STALL_EMPTY;
    if (s->issue)
        return HD_STALL_ISSUED;
    if (s->barrier)
        return HD_STALL_BARRIER;
    if (s->copy)
        return HD_STALL_COPY;
    if (!s->has && s->ld_pend)
        return s->order_busy ? HD_STALL_QUEUED : HD_STALL_DATA;
    if (!s->has)
        return HD_STALL_FRONT;
    if (s->can)
        return HD_STALL_SELECT;
    if (s->early)
        return HD_STALL_GAP;
    if (s->held)
        return HD_STALL_TOKEN;
    if (!s->ok)
        return s->sync || s->acq_block ? HD_STALL_SYNC : HD_STALL_ORDER;
    if (s->full)
        return HD_STALL_SLOTS;
    return s->hold ? HD_STALL_HOLD : HD_STALL_PIPE;
}

static unsigned get_cause(unsigned warp)
{
    unsigned cause = 0;

    for (unsigned k = 0; k < 4; k++)
        cause |= (unsigned)hd_bits_get(d.cause_o, k * WARPS + warp, 1) << k;
    return cause;
}

/* Bits of a warp in the @n vectors of a port, the first of them at the bottom. */
static void put(void *port, unsigned warp, const bool *bits, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        hd_bits_put(port, k * WARPS + warp, 1, bits[k]);
}

static void cycle(const struct state *s)
{
    bool same = true;
    unsigned next[WARPS];

    for (unsigned w = 0; w < WARPS; w++) {
        put(d.did_i, w, (const bool[]){s[w].launch, s[w].issue, s[w].leaves}, 3);
        put(d.op_i, w, (const bool[]){s[w].has, s[w].can, s[w].ok, s[w].sync}, 4);
        put(d.wait_i, w, (const bool[]){s[w].barrier, s[w].copy, s[w].early, s[w].held}, 4);
        put(d.sb_i, w, (const bool[]){s[w].full, s[w].ld_pend, hd_rand_below(2), s[w].acq_block, hd_rand_below(2)}, 5);
        put(d.order_i, w, (const bool[]){s[w].order_busy, s[w].hold}, 2);
        next[w] = cause_of(w, &s[w]);
        same = same && next[w] == shown[w];
    }
    hd_eval(d.m);
    for (unsigned w = 0; w < WARPS; w++)
        assert_int_equal(get_cause(w), shown[w]);
    assert_int_equal(*d.settled_o, same);
    settled += same;
    moving += !same;
    hd_edge(d.m);
    for (unsigned w = 0; w < WARPS; w++) {
        seen[shown[w] = next[w]]++;
        live[w] = (live[w] || s[w].launch) && !(s[w].issue && s[w].leaves);
    }
}

static void an_empty_slot_stays_empty_until_a_launch(void **state)
{
    struct state s[WARPS] = {{0}};

    (void)state;
    for (unsigned w = 0; w < WARPS; w++)
        s[w] = (struct state){.issue = true, .has = true, .can = true, .ok = true, .ld_pend = true};
    cycle(s);
    cycle(s);
    assert_int_equal(settled, 2);
    memset(s, 0, sizeof s);
    s[WARPS - 1].launch = true;
    cycle(s);
    s[WARPS - 1].launch = false;
    cycle(s);
    assert_int_equal(shown[WARPS - 1], HD_STALL_FRONT);
    s[WARPS - 1].issue = s[WARPS - 1].leaves = true;
    cycle(s);
    assert_int_equal(shown[WARPS - 1], HD_STALL_ISSUED);
    cycle(s);
    assert_int_equal(shown[WARPS - 1], HD_STALL_EMPTY);
}

static void every_cycle_has_the_first_cause_that_holds(void **state)
{
    struct state s[WARPS] = {{0}};

    (void)state;
    for (int t = 0; t < 20000; t++) {
        if (hd_rand_below(3) != 0) {
            const unsigned issuer = (unsigned)hd_rand_below(WARPS);
            const bool sparse = hd_rand_below(2); /* else warps change in most cycles and nothing settles */
            for (unsigned w = 0; w < WARPS; w++) {
                if (sparse && w != issuer)
                    continue;
                s[w] = (struct state){.leaves = !hd_rand_below(4), .barrier = !hd_rand_below(5),
                                      .has = hd_rand_below(3), .can = !hd_rand_below(4), .ok = hd_rand_below(2),
                                      .sync = hd_rand_below(2), .ld_pend = hd_rand_below(2),
                                      .acq_block = !hd_rand_below(3), .order_busy = hd_rand_below(2),
                                      .full = !hd_rand_below(3), .hold = hd_rand_below(2),
                                      .early = !hd_rand_below(4), .held = !hd_rand_below(4),
                                      .copy = !hd_rand_below(6)};
            }
            for (unsigned w = 0; w < WARPS; w++)
                s[w].issue = w == issuer && hd_rand_below(3) == 0;
        }
        for (unsigned w = 0; w < WARPS; w++)
            s[w].launch = !live[w] && w == (unsigned)t % WARPS && hd_rand_below(2);
        cycle(s);
    }
    for (unsigned k = 0; k < HD_STALL_NUM; k++) /* a wait for persists is told as a barrier */
        assert_true(k == HD_STALL_PERSIST ? seen[k] == 0 : seen[k] > 50);
    assert_true(settled > 50 && moving > 1000);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(an_empty_slot_stays_empty_until_a_launch, setup, teardown),
        cmocka_unit_test_setup_teardown(every_cycle_has_the_first_cause_that_holds, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
