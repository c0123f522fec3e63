/* test_hd_atomic_unit.c - the lanes of an atomic line access, one a cycle, against a loop over the lanes in C. */
/* equiv: Lanes=1 LineWords=2 WordW=32 */
/* dut: hd_atomic_unit Lanes=4 LineWords=8 WordW=32 */
/* dut: hd_atomic_unit Lanes=8 LineWords=4 WordW=64 */
/* dut: hd_atomic_unit Lanes=1 LineWords=8 WordW=32 */
/* dut: hd_atomic_unit Lanes=32 LineWords=32 WordW=32 */
/* dut-rtl: hd_atomic_unit Lanes=64 LineWords=16 WordW=32 */
#include "hd_unit.h"
#include "hd_atomic_unit_dut.h"
#include "hd_bits.h"

enum { LANES = P_Lanes, WORDS = P_LineWords, W = P_WordW, OFF_W = HD_ATOMIC_UNIT_W_offs_i / LANES };

struct access {
    unsigned fn;
    uint64_t mask;
    uint32_t off[LANES], operand[LANES], compare[LANES], operand_ghost[LANES];
    uint64_t line[WORDS]; /* before; perform() leaves the line after here */
    uint64_t old[LANES];  /* set by perform() */
    uint32_t wmask;       /* set by perform() */
};

static struct hd_atomic_unit d;

static void begin(void)
{
    hd_atomic_unit_open(&d);
    hd_reset(d.m);
}

static void end(void)
{
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

/* What lies on the inputs in cycles that do not matter must not matter. */
static void scramble_inputs(void)
{
    *d.start_i = 0;
    hd_bits_random(d.fn_i, HD_ATOMIC_UNIT_W_fn_i);
    hd_bits_random(d.mask_i, HD_ATOMIC_UNIT_W_mask_i);
    hd_bits_random(d.offs_i, HD_ATOMIC_UNIT_W_offs_i);
    hd_bits_random(d.data_i, HD_ATOMIC_UNIT_W_data_i);
    hd_bits_random(d.cmp_i, HD_ATOMIC_UNIT_W_cmp_i);
    hd_bits_random(d.line_i, HD_ATOMIC_UNIT_W_line_i);
}

static void random_access(struct access *a)
{
    a->fn = (unsigned)hd_rand_below(HD_AMO_FUNCTIONS);
    a->mask = hd_bits_random_mask(LANES);
    for (unsigned i = 0; i < WORDS; i++)
        a->line[i] = (W > 32 ? hd_rand() << 32 : 0) | hd_amo_random_operand();
    for (unsigned i = 0; i < LANES; i++) {
        a->off[i] = (uint32_t)hd_rand_below(hd_rand_below(2) ? WORDS : 2);
        a->operand[i] = hd_amo_random_operand();
        a->operand_ghost[i] = (uint32_t)hd_rand();
        a->compare[i] = hd_rand_below(2) ? (uint32_t)a->line[a->off[i]] : hd_amo_random_operand();
    }
}

/* Runs the access on the unit, checks every cycle of it; the unit must be idle and is idle again after. */
static void perform(struct access *a)
{
    const unsigned lanes = hd_bits_count(a->mask);

    scramble_inputs();
    *d.start_i = 1;
    *d.fn_i = (uint8_t)a->fn;
    hd_bits_put(d.mask_i, 0, LANES, a->mask);
    for (unsigned i = 0; i < LANES; i++) {
        hd_bits_put(d.offs_i, i * OFF_W, OFF_W, a->off[i]);
        hd_bits_put(d.data_i, i * W, W, (uint64_t)a->operand_ghost[i] << 32 | a->operand[i]);
        hd_bits_put(d.cmp_i, i * 32, 32, a->compare[i]);
    }
    hd_eval(d.m);
    assert_int_equal(*d.idle_o, 1);
    hd_edge(d.m);
    scramble_inputs();
    for (unsigned i = 0; i < WORDS; i++)
        hd_bits_put(d.line_i, i * W, W, a->line[i]);
    for (unsigned t = 1; t < lanes + 2; t++) {
        hd_eval(d.m);
        assert_int_equal(*d.idle_o, 0);
        assert_int_equal(*d.done_o, 0);
        assert_int_equal(*d.lane_o, t >= 2);
        hd_edge(d.m);
        scramble_inputs();
    }
    hd_eval(d.m);
    assert_int_equal(*d.done_o, 1);
    assert_int_equal(*d.lane_o, 0);
    assert_int_equal(*d.idle_o, 0);
    for (unsigned i = 0; i < WORDS; i++)
        a->line[i] = hd_bits_get(d.line_o, i * W, W);
    for (unsigned i = 0; i < LANES; i++)
        a->old[i] = hd_bits_get(d.old_o, i * W, W);
    a->wmask = (uint32_t)hd_bits_get(d.wmask_o, 0, WORDS);
    hd_edge(d.m);
    assert_int_equal(*d.done_o, 0);
    assert_int_equal(*d.idle_o, 1);
}

/* The same in C. */
static void perform_reference(struct access *a)
{
    a->wmask = 0;
    for (unsigned i = 0; i < LANES; i++) {
        uint64_t *word = &a->line[a->off[i]];

        if (!(a->mask >> i & 1))
            continue;
        a->old[i] = *word;
        *word = hd_amo_reference(a->fn, (uint32_t)*word, a->operand[i], a->compare[i]) |
                (W > 32 ? (uint64_t)a->operand_ghost[i] << 32 : 0);
        a->wmask |= UINT32_C(1) << a->off[i];
    }
}

static void check(struct access *a)
{
    struct access want = *a;

    perform(a);
    perform_reference(&want);
    for (unsigned i = 0; i < WORDS; i++)
        assert_int_equal(a->line[i], want.line[i]);
    for (unsigned i = 0; i < LANES; i++)
        if (a->mask >> i & 1)
            assert_int_equal(a->old[i], want.old[i]);
    assert_int_equal(a->wmask, want.wmask);
}

static void every_function_works_on_a_single_lane(void **state)
{
    (void)state;
    begin();
    for (unsigned fn = 0; fn < HD_AMO_FUNCTIONS; fn++) {
        for (unsigned lane = 0; lane < LANES; lane++) {
            struct access a;

            random_access(&a);
            a.fn = fn;
            a.mask = UINT64_C(1) << lane;
            check(&a);
        }
    }
    end();
}

static void lanes_on_one_word_see_each_other_in_ascending_order(void **state)
{
    struct access a;

    (void)state;
    begin();
    random_access(&a);
    a.fn = HD_AT_EXCH;
    a.mask = UINT64_MAX >> (64 - LANES);
    a.line[1] = 1000;
    for (unsigned i = 0; i < LANES; i++) {
        a.off[i] = 1;
        a.operand[i] = i;
    }
    perform(&a);
    assert_int_equal((uint32_t)a.old[0], 1000);
    for (unsigned i = 1; i < LANES; i++)
        assert_int_equal((uint32_t)a.old[i], i - 1);
    assert_int_equal((uint32_t)a.line[1], LANES - 1);
    assert_int_equal(a.wmask, 2);
    end();
}

static void only_one_of_the_lanes_that_want_a_lock_gets_it(void **state)
{
    struct access a;

    (void)state;
    begin();
    random_access(&a);
    a.fn = HD_AT_CAS;
    a.mask = UINT64_MAX >> (64 - LANES);
    a.line[0] = 0;
    for (unsigned i = 0; i < LANES; i++) {
        a.off[i] = 0;
        a.compare[i] = 0;
        a.operand[i] = i + 1;
    }
    perform(&a);
    for (unsigned i = 0; i < LANES; i++)
        assert_int_equal((uint32_t)a.old[i], i > 0);
    assert_int_equal((uint32_t)a.line[0], 1);
    end();
}

static void a_word_takes_the_ghost_of_the_last_operand(void **state)
{
    struct access a;

    (void)state;
    begin();
    random_access(&a);
    a.fn = HD_AT_CAS;
    a.mask = 1;
    a.off[0] = WORDS - 1;
    a.compare[0] = (uint32_t)~a.line[WORDS - 1]; /* a failed CAS too */
    perform(&a);
    assert_int_equal(a.line[WORDS - 1] >> 16 >> 16, W > 32 ? a.operand_ghost[0] : 0);
    end();
}

static void random_accesses_match_the_loop_over_lanes(void **state)
{
    unsigned fns[HD_AMO_FUNCTIONS] = {0}, shared = 0, full = 0, single = 0, back_to_back = 0;

    (void)state;
    begin();
    for (unsigned t = 0; t < 3000; t++) {
        struct access a;

        random_access(&a);
        fns[a.fn]++;
        check(&a);
        shared += hd_bits_count(a.wmask) < hd_bits_count(a.mask);
        full += hd_bits_count(a.mask) == LANES;
        single += hd_bits_count(a.mask) == 1;
        if (hd_rand_below(2)) {
            back_to_back++;
            continue;
        }
        scramble_inputs();
        hd_edge(d.m);
        assert_int_equal(*d.idle_o, 1);
    }
    for (unsigned fn = 0; fn < HD_AMO_FUNCTIONS; fn++)
        assert_true(fns[fn] > 100);
    assert_true(full > 100 && single > 100 && back_to_back > 1000);
    assert_true(shared > 100 || LANES == 1);
    end();
}

static void reset_ends_an_access(void **state)
{
    struct access a;

    (void)state;
    begin();
    for (unsigned wait = 1; wait < 4; wait++) {
        *d.start_i = 1;
        hd_bits_put(d.mask_i, 0, LANES, 1);
        hd_edge(d.m);
        *d.start_i = 0;
        for (unsigned t = 1; t < wait; t++)
            hd_edge(d.m);
        hd_reset(d.m);
        assert_int_equal(*d.idle_o, 1);
        assert_int_equal(*d.done_o, 0);
        random_access(&a);
        check(&a);
    }
    end();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(every_function_works_on_a_single_lane),
        cmocka_unit_test(lanes_on_one_word_see_each_other_in_ascending_order),
        cmocka_unit_test(only_one_of_the_lanes_that_want_a_lock_gets_it),
        cmocka_unit_test(a_word_takes_the_ghost_of_the_last_operand),
        cmocka_unit_test(random_accesses_match_the_loop_over_lanes),
        cmocka_unit_test(reset_ends_an_access),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
