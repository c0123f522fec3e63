/* The litmus runner between its rounds: where it puts the words of instances, and what it says when the outcomes and the
 * memory-model checker contradict each other. */
#include "../../sw/litmus/runner.c" /* before cmocka.h, which defines run_test */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ROUNDS = 200, INSTANCES = 20000 };

/* Where each word of the LDS is used: by which instance and variable, + 1. */
static size_t used[32][4096 / 4];

static void use(struct run *r, unsigned sm, size_t instance, unsigned v)
{
    uint32_t addr = r->addr[instance][v];
    size_t who = instance * HD_LISA_VARS + v + 1;
    assert_true(addr % 4 == 0 && addr < r->c.lds_bytes);
    if (used[sm][addr / 4] != 0 && used[sm][addr / 4] != who)
        fail_msg("SM %u, LDS word 0x%x: variable %u of instance %zu and variable %zu of instance %zu", sm, addr, v, instance,
                 (used[sm][addr / 4] - 1) % HD_LISA_VARS, (used[sm][addr / 4] - 1) / HD_LISA_VARS);
    used[sm][addr / 4] = who;
}

static void a_word_of_group_memory_is_one_variable_of_one_instance(void **state)
{
    (void)state;
    struct hd_lisa *t = hd_lisa_read("tests/litmus/more/Fig1b+relay.litmus");
    assert_non_null(t);
    for (unsigned sms = 1; sms <= 4; sms += 3) { /* 1: the work-groups share it */
        struct run r = {.t = t, .runs = INSTANCES, .random = 1};
        hd_config_default(&r.c);
        r.c.sms = sms;
        r.c.warps = 12;
        r.c.lanes = 8;
        r.c.lds_bytes = 4096;
        find_owners(&r);
        assert_true(allocate(&r));
        for (unsigned n = 0; n < ROUNDS && r.planned < r.runs; n++) {
            plan(&r);
            assert_null(r.fault);
            memset(used, 0, sizeof used);
            for (unsigned w = 0; w < r.c.sms * r.c.warps; w++)
                for (unsigned l = 0; l < r.c.lanes; l++) {
                    const struct lane *a = &r.worker[w].lane[l];
                    for (unsigned v = 0; v < t->vars; v++)
                        if (a->runs && t->var[v].group && r.owner[v] == (int)a->proc)
                            use(&r, w / r.c.warps, a->instance, v);
                }
        }
        assert_true(r.planned > 1000);
        free(r.worker);
        free(r.addr);
        free(r.outcome);
        free(r.line_used);
    }
    free(t);
}

static void outcomes_and_checker_must_agree(void **state)
{
    (void)state;
    struct hd_mcm_violation violation = {.kind = HD_MCM_CYCLE};
    size_t first[] = {0, 17};
    struct hd_litmus_result r = {.outcomes = 2, .first = first, .runs = 100, .judged = true, .violated = 100};
    char text[400];
    assert_false(hd_litmus_disagrees(&r, 2, 9, text, sizeof text)); /* both find nothing */
    assert_true(hd_litmus_disagrees(&r, 1, 9, text, sizeof text));
    assert_non_null(strstr(text, "instance 17 of seed 9 ends outside the model"));
    r.violation = &violation;
    assert_false(hd_litmus_disagrees(&r, 1, 9, text, sizeof text)); /* both find something */
    assert_true(hd_litmus_disagrees(&r, 2, 9, text, sizeof text));
    assert_non_null(strstr(text, "finds a violation on no instance's words of seed 9"));
    r.violated = 5;
    assert_true(hd_litmus_disagrees(&r, 2, 9, text, sizeof text));
    assert_non_null(strstr(text, "finds a violation on instance 5 of seed 9"));
    r.judged = false;
    assert_false(hd_litmus_disagrees(&r, 2, 9, text, sizeof text)); /* no checker */
}

static void a_violation_is_that_of_the_instance_whose_words_it_is_on(void **state)
{
    (void)state;
    struct hd_lisa *t = hd_lisa_read("tests/litmus/more/Fig1b+relay.litmus");
    uint32_t addr[2][HD_LISA_VARS] = {{0}};
    assert_non_null(t);
    for (unsigned n = 0; n < 2; n++)
        for (unsigned v = 0; v < t->vars; v++)
            addr[n][v] = t->var[v].group ? 64 : 0x1000 * (n + 1) + 4 * v;
    struct run r = {.t = t, .runs = 2, .addr = addr};
    struct hd_mcm_violation v = {.kind = HD_MCM_CYCLE, .steps = 2};
    v.step[0].op = (struct hd_event){.space = HD_SPACE_LDS, .addr = 64};
    for (unsigned i = 0; i < t->vars; i++)
        if (!t->var[i].group)
            v.step[1].op = (struct hd_event){.space = HD_SPACE_GLOBAL, .addr = addr[1][i]};
    assert_int_equal(instance_of(&r, &v), 1);
    v.steps = 1;
    assert_int_equal(instance_of(&r, &v), 2); /* not known */
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_of_group_memory_is_one_variable_of_one_instance),
        cmocka_unit_test(outcomes_and_checker_must_agree),
        cmocka_unit_test(a_violation_is_that_of_the_instance_whose_words_it_is_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
