/* test_hd_lds_pass.c - the lanes that each bank serves in a cycle, against the choice made in C lane by lane. */
/* dut: hd_lds_pass Lanes=4 Words=24 Banks=4 */
/* dut: hd_lds_pass Lanes=8 Words=5 Banks=8 */
/* dut-rtl: hd_lds_pass Lanes=64 Words=160 Banks=16 */
#include "hd_unit.h"
#include "hd_lds_pass_dut.h"
#include "hd_bits.h"

enum {
    LANES = P_Lanes,
    WORDS = P_Words,
    BANKS = P_Banks,
    ADDR_W = HD_LDS_PASS_W_word_i / LANES,
    BANK_W = HD_LDS_PASS_W_bank_o / LANES,
    LANE_W = LANES == 64 ? 6 : LANES == 8 ? 3 : 2,
    ROW_W = HD_LDS_PASS_W_banks_o / BANKS - 1 - LANE_W,
    ROW = BANKS * LANE_W, /* of banks_o */
    USED = ROW + BANKS * ROW_W
};

static struct hd_lds_pass d;

/* The access on the port, its lanes still to do, and the events of the last edge. */
static struct {
    bool there, begun, alone, ev_access, ev_conflict;
    uint64_t mask, rem;
    unsigned word[LANES];
} s;

static int setup(void **state)
{
    (void)state;
    memset(&s, 0, sizeof s);
    hd_lds_pass_open(&d);
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

static void offer(void)
{
    s.there = true;
    s.begun = false;
    s.rem = s.mask;
    hd_bits_put(d.mask_i, 0, LANES, s.mask);
    *d.alone_i = s.alone;
    for (unsigned l = 0; l < LANES; l++)
        hd_bits_put(d.word_i, l * ADDR_W, ADDR_W, s.word[l]);
}

/* One cycle. @return whether a pass was made. */
static bool cycle(bool stall)
{
    const bool pass = s.there && !stall;
    uint64_t serve = 0;

    *d.valid_i = s.there;
    *d.stall_i = stall;
    hd_eval(d.m);
    assert_int_equal(HD_GET(d.pass_o, LDS_PASS_MADE), pass);
    assert_int_equal(HD_GET(d.pass_o, LDS_PASS_FIRST), pass && !s.begun);
    assert_int_equal(HD_GET(d.ev_o, LDS_EV_ACCESS), s.ev_access);
    assert_int_equal(HD_GET(d.ev_o, LDS_EV_CONFLICT), s.ev_conflict);
    assert_int_equal(HD_GET(d.ev_o, LDS_EV_TM), 0);
    assert_int_equal(*d.idle_o, !s.there && !s.ev_access && !s.ev_conflict);
    for (unsigned b = 0; b < BANKS; b++) {
        unsigned lead = LANES, top = 0;

        for (unsigned l = 0; pass && l < LANES; l++) {
            if (!(s.rem >> l & 1) || s.word[l] % BANKS != b)
                continue;
            if (lead == LANES)
                lead = l;
            if (l == lead || (!s.alone && s.word[l] == s.word[lead])) {
                serve |= UINT64_C(1) << l;
                top = l;
            }
        }
        assert_int_equal(hd_bits_get(d.banks_o, USED + b, 1), lead < LANES);
        if (lead == LANES)
            continue;
        assert_int_equal(hd_bits_get(d.banks_o, ROW + b * ROW_W, ROW_W), s.word[lead] / BANKS);
        assert_int_equal(hd_bits_get(d.banks_o, b * LANE_W, LANE_W), top);
    }
    for (unsigned l = 0; pass && l < LANES; l++)
        assert_int_equal(hd_bits_get(d.bank_o, l * BANK_W, BANK_W), s.word[l] % BANKS);
    assert_true(hd_bits_get(d.serve_o, 0, LANES) == serve);
    s.rem &= ~serve;
    s.begun |= pass;
    assert_int_equal(HD_GET(d.pass_o, LDS_PASS_LAST), pass && s.rem == 0);
    s.ev_access = pass && s.rem == 0;
    s.ev_conflict = pass && s.rem != 0;
    if (s.ev_access)
        s.there = false;
    hd_edge(d.m);
    return pass;
}

static void lanes_of_one_word_go_together_unless_alone(void **state)
{
    (void)state;
    for (unsigned alone = 0; alone < 2; alone++) {
        s.mask = UINT64_MAX >> (64 - LANES);
        s.alone = alone;
        for (unsigned l = 0; l < LANES; l++)
            s.word[l] = 3;
        offer();
        for (unsigned n = 0; n < (alone ? LANES : 1); n++) {
            assert_true(s.there);
            cycle(false);
        }
        assert_false(s.there);
    }
    cycle(false);
    cycle(false);
    assert_int_equal(*d.idle_o, 1);
}

static void random_accesses_are_cut_into_the_right_passes(void **state)
{
    unsigned passes = 0, most = 0, conflicts = 0, alone = 0, stalls = 0, idle = 0, together = 0;

    (void)state;
    for (unsigned t = 0; t < 20000; t++) {
        bool stall;

        if (!s.there && hd_rand_below(4) != 0) {
            const unsigned spread = hd_rand_below(2) ? WORDS : WORDS < 6 ? WORDS : 6;

            s.mask = hd_bits_random_mask(LANES);
            s.alone = hd_rand_below(3) == 0;
            for (unsigned l = 0; l < LANES; l++)
                s.word[l] = (unsigned)hd_rand_below(spread);
            offer();
            passes = 0;
            alone += s.alone;
        }
        stall = hd_rand_below(4) == 0;
        stalls += stall && s.there;
        passes += cycle(stall);
        most = passes > most ? passes : most;
        conflicts += s.ev_conflict;
        together += s.ev_access && hd_bits_count(hd_bits_get(d.mask_i, 0, LANES)) > passes && !s.alone;
        idle += *d.idle_o;
    }
    assert_true(most >= LANES / 4 && conflicts > 1000 && alone > 300 && stalls > 1000 && idle > 50 && together > 100);
}

static void every_misuse_trips_an_assertion(void **state)
{
    (void)state;
    if (!hd_has_asserts(d.m))
        return;
    for (unsigned misuse = 0; misuse < 3; misuse++) {
        if (misuse == 0 && (WORDS & (WORDS - 1)) == 0)
            continue;
        hd_reset(d.m);
        *d.valid_i = 1;
        *d.alone_i = 1;
        hd_bits_put(d.mask_i, 0, LANES, misuse == 1 ? 0 : 3);
        hd_bits_put(d.word_i, 0, ADDR_W, misuse == 0 ? WORDS : 0);
        hd_edge(d.m);
        *d.valid_i = 0; /* 2: goes away before its last pass */
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
        CASE(lanes_of_one_word_go_together_unless_alone),
        CASE(random_accesses_are_cut_into_the_right_passes),
        CASE(every_misuse_trips_an_assertion),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
