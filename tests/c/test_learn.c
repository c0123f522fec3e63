/* test_learn.c - what litmus runs learn about circumstances (sw/litmus/learn.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "learn.h"
#include "lot.h"

enum { DRAWS = 16000 };

static const uint8_t odds[] = {1, 2, 5};

static void draw(const struct hd_learned *k, unsigned count[3])
{
    uint64_t random = 7;
    memset(count, 0, 3 * sizeof *count);
    for (unsigned i = 0; i < DRAWS; i++) {
        unsigned way = hd_learned_draw(k, &random, HD_CHOOSE_NOISE, odds, 3);
        assert_true(way < 3);
        count[way]++;
    }
}

static void near(unsigned count, unsigned eighths)
{
    assert_in_range(count, DRAWS / 8 * eighths - DRAWS / 50, DRAWS / 8 * eighths + DRAWS / 50);
}

static void saw(struct hd_learned *k, uint32_t outcome, unsigned way, unsigned times)
{
    uint8_t ways[HD_CHOICES] = {0};
    ways[HD_CHOOSE_NOISE] = (uint8_t)way;
    for (unsigned i = 0; i < times; i++)
        hd_learned_saw(k, &outcome, 1, ways);
}

static void what_is_unknown_has_the_fixed_odds(void **state)
{
    (void)state;
    struct hd_learned k = {0};
    unsigned count[3];
    draw(&k, count);
    near(count[0], 1);
    near(count[1], 2);
    near(count[2], 5);
    for (unsigned way = 0; way < 3; way++) { /* each brought as much as it cost */
        hd_learned_worked(&k, HD_CHOOSE_NOISE, way, 100.0 * odds[way]);
        saw(&k, 1, way, 30u * odds[way]);
        saw(&k, 2, way, 3u * odds[way]);
    }
    hd_learned_weigh(&k);
    draw(&k, count);
    near(count[0], 1);
    near(count[1], 2);
    near(count[2], 5);
}

static void what_costs_more_for_as_much_is_drawn_less(void **state)
{
    (void)state;
    struct hd_learned k = {0};
    unsigned before[3], count[3];
    draw(&k, before);
    for (unsigned way = 0; way < 3; way++) {
        hd_learned_worked(&k, HD_CHOOSE_NOISE, way, way == 2 ? 400 : 100);
        saw(&k, 1, way, 50);
        saw(&k, 2, way, 50);
    }
    hd_learned_weigh(&k);
    draw(&k, count);
    assert_true(count[2] < before[2] / 4 * 3);
    assert_true(count[0] > before[0]);
}

static void a_rare_outcome_weighs_as_much_as_a_frequent_one(void **state)
{
    (void)state;
    struct hd_learned k = {0};
    unsigned before[3], count[3];
    draw(&k, before);
    for (unsigned way = 0; way < 3; way++) {
        hd_learned_worked(&k, HD_CHOOSE_NOISE, way, 100);
        saw(&k, 1, way, 10000);
    }
    saw(&k, 2, 0, 20); /* comes by one way alone */
    hd_learned_weigh(&k);
    draw(&k, count);
    assert_true(count[0] > before[0] / 2 * 3);
}

static void no_way_is_given_up(void **state)
{
    (void)state;
    struct hd_learned k = {0};
    unsigned count[3];
    for (unsigned way = 0; way < 3; way++)
        hd_learned_worked(&k, HD_CHOOSE_NOISE, way, way == 0 ? 1e9 : 1);
    saw(&k, 1, 1, 1000000);
    saw(&k, 2, 2, 1000000);
    hd_learned_weigh(&k);
    draw(&k, count);
    assert_true(count[0] > DRAWS / 8 / 2 - DRAWS / 50); /* the half with fixed odds */
}

static void a_single_outcome_teaches_nothing(void **state)
{
    (void)state;
    struct hd_learned k = {0};
    unsigned before[3], count[3];
    draw(&k, before);
    hd_learned_worked(&k, HD_CHOOSE_NOISE, 0, 1);
    hd_learned_worked(&k, HD_CHOOSE_NOISE, 1, 1000);
    saw(&k, 1, 0, 1000);
    hd_learned_weigh(&k);
    draw(&k, count);
    assert_memory_equal(before, count, sizeof count);
}

static void what_teaches_nothing_is_only_counted(void **state)
{
    (void)state;
    struct hd_learned k = {0};
    unsigned before[3], count[3];
    const uint32_t other = 3;
    for (unsigned way = 0; way < 3; way++) {
        hd_learned_worked(&k, HD_CHOOSE_NOISE, way, 10);
        saw(&k, 1, way, 10);
        saw(&k, 2, 0, 10);
    }
    hd_learned_weigh(&k);
    draw(&k, before);
    for (unsigned i = 0; i < 500; i++)
        hd_learned_saw(&k, &other, 1, NULL);
    hd_learned_saw(&k, (uint32_t[]){1}, 1, NULL);
    hd_learned_weigh(&k);
    draw(&k, count);
    assert_memory_equal(before, count, sizeof count);
    assert_true(hd_learned_seen(&k, hd_learned_key(&other, 1)) == 500);
    assert_true(hd_learned_seen(&k, hd_learned_key((uint32_t[]){1}, 1)) == 31);
}

static void outcomes_beyond_the_table_are_not_learned_from(void **state)
{
    (void)state;
    struct hd_learned k = {0};
    for (uint32_t o = 0; o < HD_LEARN_OUTCOMES + 10; o++)
        saw(&k, o, 0, 1);
    assert_int_equal(k.outcomes, HD_LEARN_OUTCOMES);
    struct hd_learned before = k;
    saw(&k, HD_LEARN_OUTCOMES + 3, 0, 1);
    assert_memory_equal(&before, &k, sizeof k);
    saw(&k, HD_LEARN_OUTCOMES - 1, 1, 1);
    assert_true(k.seen[HD_LEARN_OUTCOMES - 1] == 2 && k.by[HD_LEARN_OUTCOMES - 1][HD_CHOOSE_NOISE][1] == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_unknown_has_the_fixed_odds),
        cmocka_unit_test(what_costs_more_for_as_much_is_drawn_less),
        cmocka_unit_test(a_rare_outcome_weighs_as_much_as_a_frequent_one),
        cmocka_unit_test(no_way_is_given_up),
        cmocka_unit_test(a_single_outcome_teaches_nothing),
        cmocka_unit_test(what_teaches_nothing_is_only_counted),
        cmocka_unit_test(outcomes_beyond_the_table_are_not_learned_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
