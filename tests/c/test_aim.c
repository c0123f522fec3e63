/* test_aim.c - circumstances in which one outcome of a litmus test is likely (sw/litmus/aim.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "aim.h"

enum { DRAWS = 4000 };

static const char sb[] = "{ }\n P0 | P1 ;\n w[] x 1 | w[] y 1 ;\n r[] r0 y | r[] r0 x ;\nexists (0:r0=0 /\\ 1:r0=0)\n";
static const char mp[] = "{ }\n P0 | P1 ;\n w[] x 1 | r[] r0 y ;\n w[] y 1 | r[] r1 x ;\nexists (1:r0=1 /\\ 1:r1=0)\n";
static const char mp_kept[] = "{ }\n P0 | P1 ;\n w[] x 1 | r[] r0 y ;\n f[scar,agent] | mov r2 (xor r0 r0) ;\n w[] y 1 | r[] r1 x+r2 ;\n"
                              "exists (1:r0=1 /\\ 1:r1=0)\n";
static const char mp_read_in_order[] = "{ }\n P0 | P1 ;\n w[] x 1 | r[] r0 y ;\n w[] y 1 | f[scar,agent] ;\n | r[] r1 x ;\n"
                                       "exists (1:r0=1 /\\ 1:r1=0)\n";
static const char added[] = "{ x=5; }\n P0 | P1 ;\n rmw[atomic,rlx,agent] r0 (add r0 2) x | rmw[atomic,rlx,agent] r0 9 x ;\n"
                            "locations [0:r0;1:r0;x;]\nexists (x=9)\n";

static struct hd_lisa *parse(const char *rest)
{
    char text[512], error[200];
    snprintf(text, sizeof text, "LISA T\n%s", rest);
    struct hd_lisa *t = hd_lisa_parse(text, strlen(text), "T", error, sizeof error);
    if (!t)
        fail_msg("%s", error);
    return t;
}

/* Draws often; @return how many outcomes were aimed at. */
static unsigned goals(const char *text, struct hd_aim_can can)
{
    struct hd_lisa *t = parse(text);
    struct hd_aims aims = {0};
    struct hd_learned seen = {0};
    uint64_t random = 3;
    assert_true(hd_aim_can(t));
    for (unsigned i = 0; i < DRAWS; i++) {
        struct hd_aim a;
        hd_aim_draw(&aims, &seen, t, can, 0, &random, &a);
        for (unsigned p = 0; p < t->procs; p++) /* what stands between accesses is due at once */
            for (unsigned j = 0, last = 0; j < t->proc[p].instrs; j++) {
                if (t->proc[p].instr[j].kind > HD_LISA_RMW)
                    assert_int_equal(a.due[p][j], 0);
                else
                    assert_true(a.due[p][j] >= last);
                last = a.due[p][j] > last ? a.due[p][j] : last;
            }
    }
    for (unsigned g = 0; g < aims.goals; g++)
        assert_in_range(aims.aimed[g], DRAWS / aims.goals - 40, DRAWS / aims.goals + 40);
    free(t);
    return aims.goals;
}

static void every_outcome_that_the_machine_may_show_is_aimed_at_as_often(void **state)
{
    (void)state;
    assert_int_equal(goals(sb, (struct hd_aim_can){.may = HD_AIM_NONE}), 3);
    assert_int_equal(goals(sb, (struct hd_aim_can){.may = HD_AIM_LOAD_STORE}), 4);
    assert_int_equal(goals(sb, (struct hd_aim_can){.may = HD_AIM_LOAD, .through = true}), 4);
    assert_int_equal(goals(mp, (struct hd_aim_can){.may = HD_AIM_NONE}), 3);
    assert_int_equal(goals(mp, (struct hd_aim_can){.may = HD_AIM_LOAD_STORE}), 3);
    assert_int_equal(goals(mp, (struct hd_aim_can){.may = HD_AIM_LOAD, .through = true}), 4);
    assert_int_equal(goals(mp, (struct hd_aim_can){.may = HD_AIM_ANY}), 4);
    assert_int_equal(goals(mp_kept, (struct hd_aim_can){.may = HD_AIM_ANY}), 3); /* fence, dependency */
    assert_int_equal(goals(added, (struct hd_aim_can){.may = HD_AIM_ANY}), 2);   /* 5, 7, 9 or 9, 5, 11 */
}

/* A reader whose copy of x outlives the store to it. */
static void an_old_copy_is_warmed_up_and_said_to_be_old(void **state)
{
    const struct hd_aim_can can = {.may = HD_AIM_LOAD, .through = true, .old = true};
    (void)state;
    assert_int_equal(goals(mp_read_in_order, (struct hd_aim_can){.may = HD_AIM_LOAD, .through = true}), 3);
    assert_int_equal(goals(mp_read_in_order, can), 4);
    struct hd_lisa *t = parse(mp_read_in_order);
    struct hd_aims aims = {0};
    struct hd_learned seen;
    uint64_t random = 11;
    unsigned old = 0;
    static const uint8_t way[HD_CHOICES];
    seen = (struct hd_learned){0};
    for (unsigned i = 0; i < 4; i++)
        for (unsigned n = 0; n < 10 * DRAWS && i != 1; n++)
            hd_learned_saw(&seen, (uint32_t[]){i & 1, i >> 1}, 2, way); /* all but r0=1, r1=0 */
    for (unsigned i = 0; i < 200; i++) {
        struct hd_aim a;
        hd_aim_draw(&aims, &seen, t, can, 0, &random, &a);
        assert_true(a.old == 0 || a.warm[1][0] == HD_WARM_LOAD || a.warm[1][1] == HD_WARM_LOAD);
        old += a.old == 1 && a.warm[1][0] == HD_WARM_LOAD && a.warm[0][0] == HD_WARM_NOT; /* x is variable 0 */
    }
    assert_true(old > 180);
    free(t);
}

/* SB's r0=1, r1=1 needs both stores first, the others one process after the other or loads that overtake. */
static void of_the_orders_to_an_outcome_an_easy_one_is_kept(void **state)
{
    (void)state;
    struct hd_lisa *t = parse(sb);
    struct hd_aims aims = {0};
    struct hd_learned seen = {0};
    uint64_t random = 13;
    unsigned easy = 0, kept = 0;
    for (unsigned i = 0; i < 300; i++) {
        struct hd_aim a;
        hd_aim_draw(&aims, &seen, t, (struct hd_aim_can){.may = HD_AIM_LOAD_STORE}, 1500, &random, &a);
        for (unsigned g = 0; g < aims.goals; g++) {
            kept += aims.key[g] != hd_learned_key((uint32_t[]){0, 0}, 2);
            easy += aims.hard[g] == 0;
            assert_true(aims.hard[g] > 0 || aims.key[g] != hd_learned_key((uint32_t[]){0, 0}, 2));
        }
    }
    assert_true(easy > kept * 8 / 10);
    free(t);
}

/* All outcomes of SB have been seen often, but the one of the two bits of @rare. */
static void see_all_but(struct hd_learned *seen, unsigned rare)
{
    static const uint8_t way[HD_CHOICES];
    *seen = (struct hd_learned){0};
    for (unsigned i = 0; i < 4; i++)
        for (unsigned n = 0; n < 10 * DRAWS && i != rare; n++)
            hd_learned_saw(seen, (uint32_t[]){i & 1, i >> 1}, 2, way);
}

/* Aims at what the machine may show of a test in which loads overtake stores. */
static void aim_often(struct hd_aims *aims, const struct hd_learned *seen, const struct hd_lisa *t, unsigned span, unsigned times)
{
    uint64_t random = 5;
    for (unsigned i = 0; i < times; i++)
        hd_aim_draw(aims, seen, t, (struct hd_aim_can){.may = HD_AIM_LOAD_STORE}, span, &random, &(struct hd_aim){0});
}

static void what_was_seen_often_is_aimed_at_no_more(void **state)
{
    (void)state;
    struct hd_lisa *t = parse(sb);
    struct hd_aims aims = {0};
    struct hd_learned seen;
    see_all_but(&seen, 3);
    aim_often(&aims, &seen, t, 0, DRAWS);
    for (unsigned g = 0; g < aims.goals; g++)
        if (aims.key[g] == hd_learned_key((uint32_t[]){1, 1}, 2))
            assert_true(aims.aimed[g] > DRAWS * 9 / 10);
    assert_int_equal(aims.goals, 4);
    free(t);
}

/* Both loads of SB before the stores: they are to hit, and neither store. */
static void what_overtakes_is_warmed_up_and_what_is_overtaken_is_not(void **state)
{
    (void)state;
    struct hd_lisa *t = parse(sb);
    struct hd_aims aims = {0};
    struct hd_learned seen;
    uint64_t random = 5;
    unsigned both = 0, one = 0;
    see_all_but(&seen, 0);
    for (unsigned i = 0; i < 200; i++) {
        struct hd_aim a;
        hd_aim_draw(&aims, &seen, t, (struct hd_aim_can){.may = HD_AIM_LOAD_STORE}, 0, &random, &a);
        bool p0 = a.warm[0][1] == HD_WARM_LOAD && a.warm[0][0] == HD_WARM_NOT; /* x is variable 0 */
        bool p1 = a.warm[1][0] == HD_WARM_LOAD && a.warm[1][1] == HD_WARM_NOT;
        both += p0 && p1;
        one += p0 || p1; /* one of them suffices */
        assert_true(!p0 || a.due[0][0] <= a.due[0][1]);
    }
    assert_true(both > 20 && one > 190);
    free(t);
}

/* Of 113,400 ways to interleave five processes few give the outcome of one after the other; under SC there are 49 outcomes. */
static void far_apart_each_outcome_is_aimed_at_however_few_orders_lead_to_it(void **state)
{
    static const char five[] = "{ }\n P0 | P1 | P2 | P3 | P4 ;\n w[] x 1 | r[] r0 z | r[] r0 z | r[] r0 y | r[] r0 v ;\n"
                               " w[] z 1 | w[] y 1 | w[] v 1 | r[] r1 x | r[] r1 x ;\n"
                               "locations [1:r0;2:r0;3:r0;3:r1;4:r0;4:r1;]\nexists (3:r0=1)\n";
    enum { SPAN = 1500, N = 10, AIMS = 150 };
    (void)state;
    struct hd_lisa *t = parse(five);
    struct hd_aims aims = {0};
    struct hd_learned seen = {0};
    uint64_t random = 7;
    for (unsigned i = 0; i < AIMS; i++) {
        struct hd_aim a;
        bool step[N] = {false};
        hd_aim_draw(&aims, &seen, t, (struct hd_aim_can){.may = HD_AIM_NONE}, SPAN, &random, &a);
        for (unsigned p = 0; p < t->procs; p++)
            for (unsigned j = 0; j < 2; j++) {
                unsigned at = a.due[p][j] / (SPAN / N); /* those that hit may be issued 96 cycles later */
                assert_in_range(at, 0, N);
                step[at < N ? at : N - 1] = true;
                assert_true(j == 0 || a.due[p][0] <= a.due[p][1]);
            }
        unsigned steps = 0;
        for (unsigned k = 0; k < N; k++)
            steps += step[k];
        assert_true(steps > N / 2);
    }
    assert_int_equal(aims.goals, 49);
    for (unsigned g = 0; g < aims.goals; g++)
        assert_in_range(aims.aimed[g], 1, 6);
    free(t);
}

/* Of MP under RMO with everything seen but r0=1, r1=0: the load of x before that of y, and the stores between them. */
static void far_apart_what_lies_between_an_overtaking_access_and_the_overtaken_is_close(void **state)
{
    enum { SPAN = 2000, N = 4, CLOSE = 3 * 64 + 96 }; /* steps of at most 64 cycles, and a hit later by at most 96 */
    (void)state;
    struct hd_lisa *t = parse(mp);
    struct hd_aims aims = {0}, others = {0};
    struct hd_learned seen;
    uint64_t random = 9;
    unsigned far = 0;
    see_all_but(&seen, 1); /* r0=1, r1=0 */
    for (unsigned i = 0; i < 200; i++) {
        struct hd_aim a;
        hd_aim_draw(&aims, &seen, t, (struct hd_aim_can){.may = HD_AIM_LOAD, .through = true}, SPAN, &random, &a);
        assert_in_range(a.due[1][1] - a.due[1][0], 0, 96);
        assert_true(a.due[0][1] <= a.due[1][1] + CLOSE);
        hd_aim_draw(&others, &seen, t, (struct hd_aim_can){.may = HD_AIM_NONE}, SPAN, &random, &a);
        far += a.due[0][1] - a.due[0][0] >= SPAN / N;
    }
    assert_true(far > 60);
    free(t);
}

static void an_outcome_is_open_until_it_is_met_or_has_been_aimed_at_in_vain(void **state)
{
    (void)state;
    struct hd_lisa *t = parse(sb);
    struct hd_aims aims = {0};
    struct hd_learned seen;
    see_all_but(&seen, 4);
    assert_false(hd_aim_open(&aims, &seen)); /* none is known */
    aim_often(&aims, &seen, t, 1500, 10);
    assert_false(hd_aim_open(&aims, &seen));
    see_all_but(&seen, 0);
    assert_true(hd_aim_open(&aims, &seen));
    aim_often(&aims, &seen, t, 1500, 120);
    assert_false(hd_aim_open(&aims, &seen));
    free(t);
}

static void tests_with_branches_or_barriers_are_not_aimed_at(void **state)
{
    static const char *const no[] = {
        "{ }\n P0 ;\n r[] r0 x ;\n b[] r0 L ;\n w[] x 1 ;\n L: r[] r1 x ;\nexists (0:r1=1)\n",
        "{ }\n P0 | P1 ;\n w[] x 1 | bar[] ;\n bar[] | r[] r0 x ;\nscopes: (agent (wg (wave 0) (wave 1)))\nexists (1:r0=1)\n",
        "{ }\n P0 ;\n mov r1 x ;\n w[] r1 1 ;\nexists (x=1)\n",
    };
    (void)state;
    for (unsigned i = 0; i < sizeof no / sizeof no[0]; i++) {
        struct hd_lisa *t = parse(no[i]);
        assert_false(hd_aim_can(t));
        free(t);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_outcome_that_the_machine_may_show_is_aimed_at_as_often),
        cmocka_unit_test(an_old_copy_is_warmed_up_and_said_to_be_old),
        cmocka_unit_test(of_the_orders_to_an_outcome_an_easy_one_is_kept),
        cmocka_unit_test(what_was_seen_often_is_aimed_at_no_more),
        cmocka_unit_test(what_overtakes_is_warmed_up_and_what_is_overtaken_is_not),
        cmocka_unit_test(far_apart_each_outcome_is_aimed_at_however_few_orders_lead_to_it),
        cmocka_unit_test(far_apart_what_lies_between_an_overtaking_access_and_the_overtaken_is_close),
        cmocka_unit_test(an_outcome_is_open_until_it_is_met_or_has_been_aimed_at_in_vain),
        cmocka_unit_test(tests_with_branches_or_barriers_are_not_aimed_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
