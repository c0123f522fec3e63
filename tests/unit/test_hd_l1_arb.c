/* test_hd_l1_arb.c - what is decided about in a cycle, the memory of a refusal, the flush walk, against C. */
/* dut: hd_l1_arb Rows=2 */
/* dut: hd_l1_arb Rows=8 */
/* dut: hd_l1_arb Rows=256 */
#include "hd_unit.h"
#include "hd_l1_arb_dut.h"
#include "hd_bits.h"

enum { ROWS = P_Rows, RP = 1, DN = 2, FR = 4, FL = 8 };

/* Inputs of a cycle, as numbers for hd_rand_below: 0 never, 1 always, else one in n. */
struct chances {
    unsigned busy, wait, replay, go, hold, access, step, change, flush;
};

static struct hd_l1_arb d;
static struct {
    bool refused, walks;
    unsigned row;
} s;

static int setup(void **state)
{
    (void)state;
    memset(&s, 0, sizeof s);
    hd_l1_arb_open(&d);
    hd_reset(d.m);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static bool drawn(unsigned chance)
{
    return chance == 1 || (chance > 1 && hd_rand_below(chance) == 0);
}

static unsigned selected(void)
{
    return (*d.sel_o & 8) / 8 * RP | (*d.sel_o & 4) / 4 * DN | (*d.sel_o & 2) / 2 * FR | (*d.sel_o & 1) * FL;
}

/* One cycle; an access that is tried is refused as told. @return what was decided about, 0: nothing. */
static unsigned cycle(const struct chances *c, bool refuse)
{
    const bool was = s.refused;
    unsigned want = 0;

    *d.busy_i = drawn(c->busy);
    *d.rp_wait_i = drawn(c->wait);
    *d.rp_valid_i = drawn(c->replay);
    *d.dn_go_i = drawn(c->go);
    *d.dn_hold_i = !*d.dn_go_i && drawn(c->hold);
    *d.la_valid_i = drawn(c->access);
    *d.fl_go_i = drawn(c->step);
    *d.change_i = drawn(c->change);
    *d.flush_i = drawn(c->flush);
    *d.refuse_i = 0;
    if (*d.busy_i || *d.rp_wait_i)
        want = 0;
    else if (*d.rp_valid_i)
        want = RP;
    else if (*d.dn_hold_i)
        want = 0;
    else if (*d.dn_go_i)
        want = DN;
    else if (*d.la_valid_i && !s.refused)
        want = FR;
    else if (s.walks && *d.fl_go_i)
        want = FL;
    hd_eval(d.m);
    assert_int_equal(selected(), want);
    assert_int_equal(*d.flushing_o, s.walks);
    if (s.walks)
        assert_int_equal(*d.fl_row_o, s.row);
    assert_int_equal(*d.idle_o, !s.walks && (!*d.la_valid_i || s.refused));
    *d.refuse_i = want == FR && refuse;
    s.refused = *d.refuse_i || (was && !(want & (RP | DN)) && !*d.change_i);
    if (want == FL && s.row == ROWS - 1)
        s.walks = false;
    if (*d.flush_i)
        s.walks = true;
    s.row = *d.flush_i ? 0 : (s.row + (want == FL)) % ROWS;
    hd_edge(d.m);
    return want;
}

static void each_gives_way_to_those_before_it(void **state)
{
    static const struct {
        struct chances c;
        unsigned want;
    } row[] = {
        {{.replay = 1, .go = 1, .access = 1, .step = 1}, RP},
        {{.replay = 1, .hold = 1, .access = 1, .step = 1}, RP},
        {{.go = 1, .access = 1, .step = 1}, DN},
        {{.hold = 1, .access = 1, .step = 1}, 0},
        {{.access = 1, .step = 1}, FR},
        {{.step = 1}, FL},
        {{.busy = 1, .replay = 1, .go = 1, .access = 1, .step = 1}, 0},
        {{.wait = 1, .replay = 1, .go = 1, .access = 1, .step = 1}, 0},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
        cycle(&(struct chances){.flush = 1}, false);
        assert_int_equal(cycle(&row[i].c, false), row[i].want);
    }
}

static void a_refused_access_waits_for_a_change(void **state)
{
    static const struct chances access = {.access = 1}, change[] = {
        {.access = 1, .replay = 1}, {.access = 1, .go = 1}, {.access = 1, .change = 1}
    };

    (void)state;
    for (unsigned i = 0; i < sizeof change / sizeof *change; i++) {
        assert_int_equal(cycle(&access, true), FR);
        for (unsigned n = 0; n < 5; n++)
            assert_int_equal(cycle(&access, true), 0);
        cycle(&change[i], true);
        assert_int_equal(cycle(&access, false), FR);
    }
    assert_int_equal(cycle(&(struct chances){.access = 1, .change = 1}, true), FR); /* refused after the change */
    assert_int_equal(cycle(&access, true), 0);
}

static void random_cycles_match(void **state)
{
    static const unsigned often[] = {0, 2, 4, 16};
    unsigned seen[9] = {0}, refused = 0, walks = 0, again = 0;
    struct chances c = {0};

    (void)state;
    for (unsigned t = 0; t < 40000; t++) {
        const bool walked = s.walks;

        if (t % 64 == 0)
            c = (struct chances){often[hd_rand_below(4)], often[hd_rand_below(4)], often[hd_rand_below(4)],
                                 often[hd_rand_below(4)], often[hd_rand_below(4)], often[hd_rand_below(4)],
                                 1 + (unsigned)hd_rand_below(2), often[hd_rand_below(4)], t % 2048 == 0 ? 40 : 3 * ROWS};
        seen[cycle(&c, hd_rand_below(3) == 0)]++;
        refused += s.refused;
        walks += walked && !s.walks;
        again += walked && *d.flush_i;
    }
    assert_true(seen[0] > 1000 && seen[RP] > 1000 && seen[DN] > 1000 && seen[FR] > 500 && seen[FL] > 500);
    assert_true(refused > 500 && walks > (ROWS < 100 ? 100 : 2) && again > 10);
}

static void every_misuse_trips_an_assertion(void **state)
{
    (void)state;
    for (unsigned misuse = 0; misuse < 2 && hd_has_asserts(d.m); misuse++) {
        hd_reset(d.m);
        *d.refuse_i = misuse == 0; /* nothing was tried */
        *d.dn_go_i = *d.dn_hold_i = misuse == 1;
        hd_edge(d.m);
        if (hd_assert_failures(d.m) == 0)
            fail_msg("misuse %u was not noticed", misuse);
        hd_assert_clear(d.m);
    }
}

int main(int argc, char **argv)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest t[] = {
        CASE(each_gives_way_to_those_before_it),
        CASE(a_refused_access_waits_for_a_change),
        CASE(random_cycles_match),
        CASE(every_misuse_trips_an_assertion),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
