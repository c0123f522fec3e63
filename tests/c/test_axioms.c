/* The memory models: they agree with every row of expected-open.csv and contract-open.csv, which herd7 made
 * but for those that docs/litmus.md names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../sw/litmus/axioms.h"

#define SUITE "tests/litmus/"

enum { COLUMNS = 6, LINE = 1 << 16 };

static char line[LINE];

/* Splits the next row of a CSV file. @return false at its end. */
static bool row(FILE *f, char *column[COLUMNS])
{
    if (!fgets(line, sizeof line, f))
        return false;
    line[strcspn(line, "\r\n")] = '\0';
    column[0] = line;
    for (int i = 1; i < COLUMNS; i++) {
        column[i] = strchr(column[i - 1], ',');
        assert_non_null(column[i]);
        *column[i]++ = '\0';
    }
    return true;
}

/* The last test read and its models. */
static struct hd_lisa *test;
static struct hd_axioms *axioms;

static void use(const char *name)
{
    char path[512], error[256];
    snprintf(path, sizeof path, SUITE "open/%s.litmus", name);
    if (test && strcmp(test->name, name) == 0)
        return;
    free(test);
    hd_axioms_free(axioms);
    test = hd_lisa_read(path);
    assert_non_null(test);
    axioms = hd_axioms_new(test, (1u << HD_AX_MODELS) - 1, error, sizeof error);
    assert_non_null(axioms);
    /* Without the models whose atomics are atomic in their scope only, fewer executions are looked at. */
    struct hd_axioms *few = hd_axioms_new(test, (1u << HD_AX_ENV) - 1, error, sizeof error);
    assert_non_null(few);
    assert_true(few->candidates <= axioms->candidates);
    for (unsigned m = 0; m < HD_AX_ENV; m++) {
        const struct hd_allowed *a = &few->model[m], *b = &axioms->model[m];
        assert_int_equal(a->flags, b->flags);
        assert_int_equal(a->count, b->count);
        assert_memory_equal(a->outcome, b->outcome, a->count * axioms->items * sizeof *a->outcome);
    }
    hd_axioms_free(few);
}

static const struct hd_allowed *model(const char *name)
{
    for (unsigned m = 0; m < HD_AX_MODELS; m++)
        if (strcmp(hd_axioms_name(m), name) == 0)
            return &axioms->model[m];
    fail_msg("no model %s", name);
    return NULL;
}

static void agrees(const struct hd_allowed *a, const char *what, char *const column[COLUMNS], const char *verdict,
                   const char *nstates, const char *states)
{
    char text[HD_LISA_TEXT];
    if (strcmp(a->verdict, verdict) != 0 || a->count != strtoul(nstates, NULL, 10))
        fail_msg("%s under %s: %s with %zu outcomes, must be %s with %s", column[0], what, a->verdict, a->count,
                 verdict, nstates);
    for (size_t i = 0; i < a->count; i++) {
        hd_lisa_outcome_text(test, a->outcome + i * test->items, text, sizeof text);
        size_t n = strcspn(states, "|");
        const char *s = states;
        while (n != strlen(text) || memcmp(s, text, n) != 0) {
            s += n + (s[n] == '|');
            n = strcspn(s, "|");
            if (*s == '\0')
                fail_msg("%s under %s: outcome %s must not be", column[0], what, text);
        }
    }
}

static void flag(char *text, unsigned flags)
{
    static const char *const names[] = {"race", "scoperace", "relaxed"};
    text[0] = '\0';
    for (int i = 0; i < 3; i++)
        if (flags >> i & 1)
            sprintf(text + strlen(text), "%s%s", text[0] ? " " : "", names[i]);
}

static void every_model_agrees_with_every_row(void **state)
{
    (void)state;
    char *c[COLUMNS], flags[64];
    unsigned rows = 0;
    FILE *f = fopen(SUITE "expected-open.csv", "r");
    assert_non_null(f);
    assert_true(row(f, c));
    assert_string_equal(c[5], "states");
    while (row(f, c)) {
        use(c[0]);
        const struct hd_allowed *a = model(c[1]);
        agrees(a, c[1], c, c[2], c[4], c[5]);
        flag(flags, a->flags);
        if (strcmp(flags, c[3]) != 0)
            fail_msg("%s under %s: flags '%s', must be '%s'", c[0], c[1], flags, c[3]);
        rows++;
    }
    fclose(f);
    assert_int_equal(rows, 77 * HD_AX_MODELS);
}

/* Verification paper: SC, TSO and RMO are held to their model; DRF and HRF to SC when the program has no flag
 * and to the envelope otherwise. */
static void every_contract_agrees_with_its_row(void **state)
{
    (void)state;
    static const struct {
        const char *config, *race, *clean, *racy;
    } contracts[] = {{"SC", NULL, "sc", NULL},
                     {"TSO", NULL, "tso", NULL},
                     {"RMO", NULL, "rmo", NULL},
                     {"DRF", "drf", "sc", "env-flat"},
                     {"HRF", "hrf-indirect", "sc", "env-indirect"}};
    char *c[COLUMNS];
    unsigned rows = 0;
    FILE *f = fopen(SUITE "contract-open.csv", "r");
    assert_non_null(f);
    assert_true(row(f, c));
    while (row(f, c)) {
        use(c[0]);
        size_t i = 0;
        while (strcmp(contracts[i].config, c[1]) != 0)
            assert_true(++i < sizeof contracts / sizeof contracts[0]);
        bool racy = contracts[i].race && model(contracts[i].race)->flags != 0;
        const char *set = racy ? contracts[i].racy : contracts[i].clean;
        assert_string_equal(set, c[2]);
        agrees(model(set), c[1], c, c[3], c[4], c[5]);
        rows++;
    }
    fclose(f);
    assert_int_equal(rows, 77 * 5);
}

static struct hd_axioms *of(const char *text, unsigned models)
{
    char error[256];
    free(test);
    hd_axioms_free(axioms);
    test = hd_lisa_parse(text, strlen(text), "T", error, sizeof error);
    assert_non_null(test);
    axioms = hd_axioms_new(test, models, error, sizeof error);
    assert_non_null(axioms);
    return axioms;
}

static void values_flow_through_addresses_and_loops_end(void **state)
{
    (void)state;
    uint32_t one = 1, three = 3;
    /* an address passed through memory */
    struct hd_axioms *a = of("LISA a\n{x=3; p=0}\nP0;\nmov r1 x;\nw[] p r1;\nr[] r2 p;\nr[] r3 r2;\nexists (0:r3=3)",
                             1u << HD_AX_SC);
    assert_int_equal(a->model[HD_AX_SC].count, 1);
    assert_true(hd_allowed_has(&a->model[HD_AX_SC], 1, &three));
    assert_string_equal(a->model[HD_AX_SC].verdict, "Always");
    /* a spin loop: only the executions that leave it count */
    a = of("LISA a\n{}\nP0|P1;\nw[] x 1|L: r[] r0 x;\n|mov r1 (eq r0 0);\n|b[] r1 L;\nexists (1:r0=1)",
           1u << HD_AX_SC);
    assert_int_equal(a->model[HD_AX_SC].count, 1);
    assert_true(hd_allowed_has(&a->model[HD_AX_SC], 1, &one));
    /* values that a load could only take from itself do not count */
    a = of("LISA a\n{}\nP0|P1;\nr[] r0 x|r[] r0 y;\nmov r1 (add r0 1)|mov r1 (add r0 1);\nw[] y r1|w[] x r1;\n"
           "exists (0:r0=1)", 1u << HD_AX_RMO | 1u << HD_AX_ENV);
    assert_int_equal(a->model[HD_AX_RMO].count, 2); /* 0 and 1; 2 would come from itself */
    assert_int_equal(a->model[HD_AX_ENV].count, 2);
}

/* Loops that count run to their end; one whose rounds can be told apart by what they read has no end and is refused, not cut. */
static void counted_loops_are_run_and_counted_polls_refused(void **state)
{
    (void)state;
    char error[256];
    struct hd_axioms *a = of("LISA a\n{}\nP0;\nmov r9 10;\nK: mov r9 (add r9 -1);\nb[] r9 K;\nw[] x 1;\nforall (x=1)",
                             1u << HD_AX_SC);
    assert_int_equal(a->model[HD_AX_SC].count, 1);
    assert_string_equal(a->model[HD_AX_SC].verdict, "Always");
    a = of("LISA a\n{}\nP0|P1;\nmov r9 4|;\nK: rmw[atomic,scar,agent] r0 (add r0 1) x|rmw[atomic,scar,agent] r0 (add r0 1) x;\n"
           "mov r9 (add r9 -1)|;\nb[] r9 K|;\nforall (x=5)", 1u << HD_AX_SC);
    assert_string_equal(a->model[HD_AX_SC].verdict, "Always");
    /* a spin that passes three values on its way */
    a = of("LISA a\n{}\nP0|P1;\nw[] x 1|L: r[] r0 x;\nw[] x 2|mov r1 (xor r0 4);\nw[] x 3|b[] r1 L;\nw[] x 4|;\nforall (1:r0=4)",
           1u << HD_AX_SC);
    assert_string_equal(a->model[HD_AX_SC].verdict, "Always");
    struct hd_lisa *t;
    const char polls[] = "LISA a\n{}\nP0|P1;\nw[] x 1|L: r[] r0 x;\n|mov r2 (add r2 1);\n|mov r1 (eq r0 0);\n|b[] r1 L;\n"
                         "exists (1:r2=9)";
    t = hd_lisa_parse(polls, strlen(polls), "T", error, sizeof error);
    assert_non_null(t);
    assert_null(hd_axioms_new(t, 1u << HD_AX_SC, error, sizeof error));
    assert_string_equal(error, "a loop that goes on with other values each time");
    free(t);
    const char long_one[] = "LISA a\n{}\nP0;\nmov r9 200;\nK: mov r9 (add r9 -1);\nb[] r9 K;\nw[] x 1;\nforall (x=1)";
    t = hd_lisa_parse(long_one, strlen(long_one), "T", error, sizeof error);
    assert_non_null(t);
    assert_null(hd_axioms_new(t, 1u << HD_AX_SC, error, sizeof error));
    assert_string_equal(error, "more than 256 instructions in a process");
    free(t);
}

/* Each store has part in a value once: a word that n atomics count up gets n values more, whatever else they read. */
static void atomics_that_build_on_each_other_end(void **state)
{
    (void)state;
    static const char add[] = "rmw[atomic,scar,agent] %s (add %s 1) %s";
    static const struct {
        const char *procs, *word[4][2];
        unsigned outcomes; /* of all interleavings */
    } table[] = {
        {"P0|P1", {{"x", "y"}, {"y", "x"}}, 3},
        {"P0|P1", {{"x", "x"}, {"x", "x"}}, 6},
        {"P0|P1|P2|P3", {{"x", "y"}, {"y", "x"}, {"x", "y"}, {"y", "x"}}, 244},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        unsigned procs = table[i].word[2][0] ? 4 : 2;
        char text[1024];
        size_t n = (size_t)snprintf(text, sizeof text, "LISA a\n{}\n%s;\n", table[i].procs);
        for (unsigned k = 0; k < 2; k++)
            for (unsigned p = 0; p < procs; p++) {
                const char *reg = k ? "r1" : "r0";
                n += (size_t)snprintf(text + n, sizeof text - n, add, reg, reg, table[i].word[p][k]);
                n += (size_t)snprintf(text + n, sizeof text - n, "%s", p + 1 < procs ? "|" : ";\n");
            }
        n += (size_t)snprintf(text + n, sizeof text - n, "locations [x; y;");
        for (unsigned p = 0; p < procs; p++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%u:r0; %u:r1;", p, p);
        snprintf(text + n, sizeof text - n, "]\nexists (x=1)");
        struct hd_axioms *a = of(text, 1u << HD_AX_SC | 1u << HD_AX_RMO);
        assert_int_equal(a->model[HD_AX_SC].count, table[i].outcomes);
        assert_int_equal(a->model[HD_AX_RMO].count, table[i].outcomes); /* atomics of all orders leave it no freedom */
    }
}

/* @return whether the condition of a test with two processes of a block, a row each argument, can hold. */
static bool can(enum hd_axioms_model model, const char *rows, const char *condition)
{
    char text[1024];
    snprintf(text, sizeof text, "LISA a\n{}\nP0|P1|P2;\n%s\nscopes: (agent (wg 0 1) (wg 2))\nexists (%s)", rows,
             condition);
    return strcmp(of(text, 1u << model)->model[model].verdict, "Never") != 0;
}

static void barriers_order_what_the_model_says(void **state)
{
    (void)state;
    static const enum hd_axioms_model all[] = {HD_AX_SC, HD_AX_TSO, HD_AX_RMO};
    for (int i = 0; i < 3; i++) {
        bool rmo = all[i] == HD_AX_RMO;
        /* a store before is seen behind; under RMO only with a fence that orders stores */
        assert_int_equal(can(all[i], "w[] x 1|bar[]|;\nbar[]|r[] r0 x|;", "1:r0=0"), rmo);
        assert_false(can(all[i], "w[] x 1|bar[]|;\nf[screl,wg]|r[] r0 x|;\nbar[]||;", "1:r0=0"));
        assert_int_equal(can(all[i], "w[] x 1|bar[]|;\nf[scacq,wg]|r[] r0 x|;\nbar[]||;", "1:r0=0"), rmo);
        assert_int_equal(can(all[i], "w[] x 1|bar[]|;\nbar[]|f[scar,agent]|;\n|r[] r0 x|;", "1:r0=0"), rmo);
        /* a store behind is not seen before */
        assert_int_equal(can(all[i], "r[] r0 x|bar[]|;\nbar[]|w[] x 1|;", "0:r0=1"), rmo);
        assert_false(can(all[i], "r[] r0 x|bar[]|;\nf[scacq,wg]|w[] x 1|;\nbar[]||;", "0:r0=1"));
        assert_false(can(all[i], "r[atomic,scacq,wg] r0 x|bar[]|;\nbar[]|w[] x 1|;", "0:r0=1"));
        /* no barrier orders what stands on the other side of it */
        assert_true(can(all[i], "bar[]|bar[]|;\nw[] x 1|r[] r0 x|;", "1:r0=1"));
        assert_true(can(all[i], "w[] x 1|r[] r0 x|;\nbar[]|bar[]|;", "1:r0=1"));
        /* the first barrier is not the second */
        assert_int_equal(can(all[i], "bar[]|bar[]|;\nw[] x 1|bar[]|;\nbar[]|r[] r0 x|;", "1:r0=0"), rmo);
        assert_int_equal(can(all[i], "bar[]|bar[]|;\nbar[]|r[] r0 x|;\nw[] x 1|bar[]|;", "1:r0=1"), rmo);
        assert_true(can(all[i], "bar[]|bar[]|;\nw[] x 1|r[] r0 x|;\nbar[]|bar[]|;", "1:r0=1"));
        /* nor that of another block */
        assert_true(can(all[i], "w[] x 1||bar[];\nbar[]|bar[]|r[] r0 x;", "2:r0=0"));
        /* the fence's scope: its block, not P2's */
        assert_int_equal(can(all[i], "w[] x 1|bar[]|r[] r0 y;\nf[scar,wg]|w[] y 1|f[scar,agent];\nbar[]||r[] r1 x;",
                             "2:r0=1 /\\ 2:r1=0"), rmo);
        assert_false(can(all[i], "w[] x 1|bar[]|r[] r0 y;\nf[scar,agent]|w[] y 1|f[scar,agent];\nbar[]||r[] r1 x;",
                         "2:r0=1 /\\ 2:r1=0"));
    }
    /* a barrier synchronises: no race */
    assert_true(can(HD_AX_DRF, "w[] x 1|bar[]|;\nbar[]|r[] r0 x|;", "1:r0=1"));
    assert_int_equal(axioms->model[HD_AX_DRF].flags, 0);
    assert_true(can(HD_AX_HRF_DIRECT, "w[] x 1|bar[]|;\nbar[]|r[] r0 x|;", "1:r0=1"));
    assert_int_equal(axioms->model[HD_AX_HRF_DIRECT].flags, 0);
    assert_true(can(HD_AX_DRF, "w[] x 1|bar[]|bar[];\nbar[]||r[] r0 x;", "2:r0=1"));
    assert_int_equal(axioms->model[HD_AX_DRF].flags, HD_AX_RACE);
}

/* Store buffering between SMs: a store and a load of a process stay in order when both synchronize, at the scope of both. */
static void synchronization_is_in_order_beside_other_accesses(void **state)
{
    static const enum hd_axioms_model all[] = {HD_AX_TSO, HD_AX_RMO, HD_AX_ENV};
    static const struct {
        const char *store, *load;
        bool can[3];
    } table[] = {
        {"", "", {true, true, true}},
        {"atomic,scar,agent", "atomic,scar,agent", {false, false, false}},
        {"atomic,screl,agent", "atomic,scacq,agent", {false, false, false}},
        {"", "atomic,scar,agent", {true, true, true}},
        {"atomic,scar,agent", "", {true, true, true}},
        {"atomic,rlx,agent", "atomic,rlx,agent", {true, true, true}},
        {"atomic,rlx,agent", "atomic,scar,agent", {true, true, true}},
        {"atomic,scar,agent", "atomic,rlx,agent", {true, true, true}},
        {"atomic,scar,wg", "atomic,scar,agent", {false, true, true}},
        {"atomic,scar,agent", "atomic,scar,wg", {false, true, true}},
        {"atomic,scar,wg", "atomic,scar,wg", {false, true, true}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        for (size_t k = 0; k < 3; k++) {
            char text[1024];
            snprintf(text, sizeof text, "LISA a\n{}\nP0|P1;\nw[%s] x 1|w[%s] y 1;\nr[%s] r0 y|r[%s] r0 x;\n"
                     "scopes: (agent (wg 0) (wg 1))\nexists (0:r0=0 /\\ 1:r0=0)", table[i].store, table[i].store,
                     table[i].load, table[i].load);
            bool can = strcmp(of(text, 1u << all[k])->model[all[k]].verdict, "Never") != 0;
            if (can != table[i].can[k])
                fail_msg("w[%s] before r[%s] under %s: %s pass", table[i].store, table[i].load, hd_axioms_name(all[k]),
                         can ? "can" : "cannot");
        }
}

/* docs/copies.md: under relaxed orders plain accesses pass a copy; a wait, a fence, a release order it. */
static void copies_are_ordered_as_promised(void **state)
{
    static const enum hd_axioms_model all[] = {HD_AX_SC, HD_AX_TSO, HD_AX_RMO, HD_AX_ENV};
    enum { NO, RELAXED, RMO, RACY, YES }; /* under none; RMO and the envelope of DRF and HRF; RMO, the envelope alone; all */
    static const struct {
        const char *rows, *condition;
        int when;
    } table[] = {
        {"cp[] x y|;\nr[] r0 x|;", "0:r0=0", RELAXED},
        {"cp[] x y|;\nr[] r0 x|;", "0:r0=1", YES},
        {"cp[] x y|;\nw[] x 5|;", "x=1", RELAXED},
        {"r[] r0 x|;\ncp[] x y|;", "0:r0=1", NO},
        {"w[] x 5|;\ncp[] x y|;\ncw[0]|;", "x=5", NO},
        {"cp[] x y|;\ncw[0]|;\nr[] r0 x|;", "0:r0=0", NO},
        {"cp[] x y|;\ncp[] x z|;", "x=1", RELAXED},
        {"cp[] x y|;\ncw[0]|;\ncp[] x z|;", "x=1", NO},
        /* waits count copies from the youngest */
        {"cp[] x y|;\ncw[1]|;\nr[] r0 x|;", "0:r0=0", RELAXED},
        {"cp[] x y|;\ncp[] v z|;\ncw[1]|;\nr[] r0 x|;", "0:r0=0", NO},
        {"cp[] x y|;\ncp[] v z|;\ncw[1]|;\nr[] r0 v|;", "0:r0=0", RELAXED},
        {"cp[] x y|;\ncp[] v z|;\ncp[] u z|;\ncw[2]|;\nr[] r0 x|;", "0:r0=0", NO},
        {"cp[] x y|;\ncp[] v z|;\ncp[] u z|;\ncw[2]|;\nr[] r0 v|;", "0:r0=0", RELAXED},
        {"cp[] x y|;\ncp[] v z|;\ncw[2]|;\nr[] r0 x|;", "0:r0=0", RELAXED},
        /* accesses between them are no copies */
        {"cp[] x y|;\nw[] u 1|;\ncw[1]|;\nr[] r0 x|;", "0:r0=0", RELAXED},
        {"cp[] x y|;\nf[scar,wg]|;\nr[] r0 x|;", "0:r0=0", NO},
        {"cp[] x y|;\nf[scar,wi]|;\nr[] r0 x|;", "0:r0=0", RELAXED},
        {"cp[] x y|;\nw[atomic,screl,wg] u 1|;\nr[] r0 x|;", "0:r0=0", NO},
        {"cp[] x y|;\nw[atomic,screl,wi] u 1|;\nr[] r0 x|;", "0:r0=0", RELAXED},
        {"cp[] x y|;\nw[atomic,rlx,wg] u 1|;\nr[] r0 x|;", "0:r0=0", RELAXED},
        {"cp[] x y|;\nrmw[atomic,screl,wg] r1 1 u|;\nr[] r0 x|;", "0:r0=0", NO},
        {"cp[] x y|;\nrmw[atomic,scar,wg] r1 1 u|;\nr[] r0 x|;", "0:r0=0", NO},
        {"cp[] x y|;\nrmw[atomic,rlx,wg] r1 1 u|;\nr[] r0 x|;", "0:r0=0", RELAXED},
        {"cp[] x y|;\nrmw[atomic,scacq,wg] r1 1 u|;\nr[] r0 x|;", "0:r0=0", RELAXED},
        {"cp[] x y|;\nr[atomic,scacq,wg] r1 u|;\nr[] r0 x|;", "0:r0=0", RELAXED},
        /* a barrier is a release under DRF and HRF; others of the block need fences besides, or a program without races */
        {"cp[] x y|bar[];\nbar[]|;\nr[] r0 x|;", "0:r0=0", RMO},
        {"cp[] x y|bar[];\nbar[]|r[] r0 x;", "1:r0=0", RELAXED},
        {"cp[] x y|bar[];\ncw[0]|r[] r0 x;\nbar[]|;", "1:r0=0", RELAXED},
        {"cp[] x y|f[scar,wg];\ncw[0]|bar[];\nf[scar,wg]|r[] r0 x;\nbar[]|;", "1:r0=0", NO},
        /* a copy reads once and writes what it read; before a racing load it is a load of the same word */
        {"cp[] x y|w[] y 2;\ncw[0]|;\nr[] r0 x|;\nr[] r1 y|;", "0:r0=2 /\\ 0:r1=1", RACY},
        {"cp[] x y|w[] y 2;\ncw[0]|;\nr[] r0 x|;\nr[] r1 y|;", "0:r0=1 /\\ 0:r1=2", YES},
    };
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
            char text[1024];
            snprintf(text, sizeof text, "LISA a\n{y=1; z=2;}\nP0|P1;\n%s\nscopes: (agent (wg 0 1))\n"
                     "regions: x: group, v: group, u: group, y: global, z: global\nexists (%s)", table[i].rows,
                     table[i].condition);
            bool can = strcmp(of(text, 1u << all[k])->model[all[k]].verdict, "Never") != 0;
            bool must = table[i].when == YES || ((table[i].when == RELAXED || table[i].when == RMO) && all[k] == HD_AX_RMO)
                        || ((table[i].when == RELAXED || table[i].when == RACY) && all[k] == HD_AX_ENV);
            if (can != must)
                fail_msg("%s under %s: \"%s\" %s be", table[i].rows, hd_axioms_name(all[k]), table[i].condition,
                         must ? "can" : "cannot");
        }
}

static void tests_too_big_are_refused_not_wrong(void **state)
{
    (void)state;
    char text[2048] = "LISA a\n{}\nP0|P1|P2|P3;\n", error[256];
    for (int i = 0; i < 20; i++)
        strcat(text, "w[] x 1|w[] y 1|w[] z 1|w[] x 1;\n");
    strcat(text, "exists (x=1)");
    struct hd_lisa *t = hd_lisa_parse(text, strlen(text), "T", error, sizeof error);
    assert_non_null(t);
    assert_null(hd_axioms_new(t, 1u << HD_AX_SC, error, sizeof error));
    assert_string_equal(error, "more than 64 events in an execution");
    free(t);
}

static int release(void **state)
{
    (void)state;
    free(test);
    hd_axioms_free(axioms);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_agrees_with_every_row),
        cmocka_unit_test(every_contract_agrees_with_its_row),
        cmocka_unit_test(values_flow_through_addresses_and_loops_end),
        cmocka_unit_test(counted_loops_are_run_and_counted_polls_refused),
        cmocka_unit_test(atomics_that_build_on_each_other_end),
        cmocka_unit_test(barriers_order_what_the_model_says),
        cmocka_unit_test(synchronization_is_in_order_beside_other_accesses),
        cmocka_unit_test(copies_are_ordered_as_promised),
        cmocka_unit_test(tests_too_big_are_refused_not_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
