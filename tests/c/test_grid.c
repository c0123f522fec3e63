/* test_grid.c - an experiment is a table: this one, of two machines, two orders and two benchmarks, is measured, printed,
 * drawn and judged by sw/lab without code of its own but the judgement of its claims. */
#define _POSIX_C_SOURCE 200809L
#include "lab/grid.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RMO, SC, ORDERS };
enum { ADD, ADD_TWICE, SHOWN, HALF = SHOWN, BENCHES };
enum { GTO, LRR, MACHINES };

static const struct hd_grid_policy orders[ORDERS] = {{"rmo", "order=rmo"}, {"sc", "order=sc"}};

static const struct hd_grid_bench benches[BENCHES] = {
    [ADD] = {"vecadd", "vecadd", "n=256", true, 3, 0.1},
    [ADD_TWICE] = {"vecadd, more", "vecadd", "n=512", true, 3, 0.1},
    [HALF] = {"vecadd, half", "vecadd", "n=128", false, 3, 0.1},
};

static const struct hd_grid_machine machines[MACHINES] = {
    [GTO] = {"gto", {NULL}, 3, 3, HD_GRID_EVERY, 0, false},
    [LRR] = {"lrr", {"scheduler=lrr"}, 3, 3, HD_GRID_ONE, ADD, true},
};

static void more_takes_longer(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    double one = (double)r->cell[GTO][RMO][ADD].cycles, two = (double)r->cell[GTO][RMO][ADD_TWICE].cycles;
    hd_grid_say(v, "%.0f and %.0f cycles", one, two);
    HD_GRID_JUDGE(v, two > one, one, two);
}

static void half_is_shorter(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    double x = hd_grid_time(r, GTO, SC, HALF);
    hd_grid_say(v, "%.2f", x);
    HD_GRID_JUDGE(v, false, x);
}

static const struct hd_grid_claim claims[] = {
    {"3.1", "twice the data takes longer", "so it says", "more cycles", more_takes_longer},
    {"3.2", "half of it", "", "", half_is_shorter},
};
static const struct hd_grid_column columns[] = {{GTO, SC, "sc"}};
static const struct hd_grid_figure figures[] = {
    {.name = "figure1", .title = "Figure 1", .series = 1, .column = {{GTO, SC, "SC"}}},
};
static const char *const csv[] = {"l1.miss"};

static const struct hd_grid third = {
    .name = "third", .tier = {[HD_GRID_QUICK] = {"tiny", NULL}, [HD_GRID_REDUCED] = {"tiny", NULL}},
    .policy_word = "order", .policy = orders, .policies = ORDERS, .bench = benches, .benches = BENCHES, .shown = SHOWN,
    .machine = machines, .machines = MACHINES, .times_head = "time over RMO", .times_unit = "cycles", .base = "RMO",
    .column = columns, .columns = 1, .changed_head = "lrr over gto", .changed = LRR, .csv = csv, .csvs = 1,
    .figure = figures, .figures = 1, .claim = claims, .claims = 2};

static char folder[] = "build/c/grid.XXXXXX", text[20000];

/* @return the lines of text that hold @part. */
static unsigned lines(const char *part)
{
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, part)); n++)
        at += strlen(part);
    return n;
}

static void load(const char *name)
{
    char path[100];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
}

/* Runs the experiment; what it prints is then in text. @return its exit code. */
static int run(const struct hd_grid_options *o)
{
    char path[100];
    fflush(stdout);
    int kept = dup(1);
    snprintf(path, sizeof path, "%s/stdout", folder);
    assert_non_null(freopen(path, "w", stdout));
    int code = hd_grid_run(&third, o);
    fflush(stdout);
    dup2(kept, 1);
    close(kept);
    load("stdout");
    return code;
}

static void test_table(void **state)
{
    (void)state;
    char db[100], first[sizeof text];
    snprintf(db, sizeof db, "%s/r.db", folder);
    struct hd_grid_options o = {.way = {.db = db, .jobs = 2, .out = folder}, .out = folder, .tier = HD_GRID_REDUCED, .sensitivity = true};
    assert_int_equal(run(&o), 0);
    assert_non_null(strstr(text, "third on tiny: "));
    assert_non_null(strstr(text, "; 8 runs, "));
    assert_int_equal(lines("\nvecadd"), 3);
    assert_int_equal(lines("\ngeometric mean of the 2 "), 1);
    assert_int_equal(lines("\nlrr "), 1 + ORDERS); /* the head begins with it too */
    assert_int_equal(lines("3.1   twice the data takes longer: holds\n"), 1);
    assert_int_equal(lines("3.2   half of it: DOES NOT HOLD\n"), 1);
    memcpy(first, text, sizeof first);
    assert_int_equal(run(&o), 0); /* from the database */
    assert_string_equal(text, first);
    load("third.csv");
    assert_int_equal(lines("\n"), 1 + 8);
    load("third-figure1.csv");
    assert_int_equal(lines("\n"), 1 + SHOWN + 1);
}

static void test_quick(void **state)
{
    (void)state;
    char db[100];
    snprintf(db, sizeof db, "%s/r.db", folder);
    struct hd_grid_options o = {.way = {.db = db, .jobs = 1, .out = folder}, .out = folder, .tier = HD_GRID_QUICK, .json = true};
    assert_int_equal(run(&o), 0);
    assert_int_equal(lines("\"benchmark\""), 4);
    assert_int_equal(lines("\"holds\": true"), 1);
    assert_int_equal(lines("\"ours\": \"not measured\""), 1);
    o.only = "nothing";
    assert_int_equal(run(&o), 2);
}

static int make(void **state)
{
    (void)state;
    char root[400];
    return getcwd(root, sizeof root) && setenv("HEDDLE_ROOT", root, 1) == 0 && mkdtemp(folder) ? 0 : -1;
}

static int clear(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table), cmocka_unit_test(test_quick)};
    return cmocka_run_group_tests(tests, make, clear);
}
