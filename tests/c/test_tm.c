/* The checker of transactions passes what the reference machine does and fails every bug built into that machine, and every
 * history with an operation missing, out of turn or changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "tm_programs.h"

static uint32_t ghosts;
static bool whole = true; /* the history is as it was */

static struct hd_tm *checker(void)
{
    return hd_tm_new(&(struct hd_tm_shape){.lanes = HW_LANES, .warps = HW_WFS, .tx_warps = HW_WFS, .words = WORDS,
                                           .banks = HW_BANKS, .hash = HW_HASH, .ghosts = true});
}

static bool tell(void *to, const struct record *r)
{
    struct hd_tm *t = to;
    struct hd_tm_op op = r->op;

    op.word = r->word;
    op.data = r->data;
    op.ghost = r->ghost;
    op.old = r->old;
    op.old_ghost = r->old_ghost;
    bool good = hd_tm_perform(t, &op);
    struct hd_tm_cost cost = hd_tm_cost(t);
    if (good && whole && tm_bug == BUG_NONE)
        assert_int_equal(cost.version + cost.walk, r->cycles);
    return good;
}

static void give_ghosts(void *to, struct hw_op *o, uint8_t kind)
{
    (void)to;
    (void)kind;
    for (int l = 0; l < HW_LANES; l++)
        o->ghost[l] = ++ghosts;
}

static int setup(void **s)
{
    (void)s;
    history = malloc((STEPS + WORDS) * sizeof *history);
    tm_bug = BUG_NONE;
    return history == NULL;
}

static int teardown(void **s)
{
    (void)s;
    free(history);
    return 0;
}

static void what_the_reference_does_passes(void **s)
{
    struct hd_tm_counts all = {0};

    (void)s;
    for (unsigned seed = 1; seed <= 400; seed++) {
        struct hd_tm *t = checker();
        bool good = program(t, seed, seed % 2);
        for (unsigned i = 0; i < HW_WFS; i++)
            good &= hd_tm_exit(t, i, recorded);
        if (!good)
            fail_msg("program %u: %s", seed, hd_tm_fault(t) ? hd_tm_fault(t) : "does not end");
        const struct hd_tm_counts *c = hd_tm_counts(t);
        all.commits += c->commits;
        all.aborts += c->aborts;
        all.falses += c->falses;
        all.kills += c->kills;
        all.attempts[HD_TM_WG] += c->attempts[HD_TM_WG];
        all.racing += c->racing;
        all.again += c->again;
        hd_tm_free(t);
    }
    printf("%llu commits, %llu aborts (%llu false), %llu kills, %llu racing\n", (unsigned long long)all.commits,
           (unsigned long long)all.aborts, (unsigned long long)all.falses, (unsigned long long)all.kills,
           (unsigned long long)all.racing);
    assert_true(all.commits > 10000 && all.aborts > 10000 && all.falses > 1000 && all.kills > 100);
    assert_true(all.attempts[HD_TM_WG] > 100 && all.racing > 1000 && all.again > 100);
}

#define X(name, text) {#name, text},
static const struct {
    const char *name, *text;
} bugs[] = {{"none", ""}, BUGS(X)};
#undef X

/* @races: plain accesses on the same words must not hide a bug. */
static void find_bugs(bool races)
{
    for (tm_bug = 1; tm_bug < BUG_COUNT; tm_bug++) {
        bool found = false;
        for (unsigned seed = 1; seed <= 200 && !found; seed++) {
            struct hd_tm *t = checker();
            found = !program(t, seed, races);
            if (found)
                printf("%-27s program %u: %s\n", bugs[tm_bug].name, seed, hd_tm_fault(t) ? hd_tm_fault(t) : "does not end");
            if (found && !hd_tm_fault(t))
                fail_msg("%s is not seen by the checker", bugs[tm_bug].name);
            hd_tm_free(t);
        }
        if (!found)
            fail_msg("bug %d (%s: %s) is not found", tm_bug, bugs[tm_bug].name, bugs[tm_bug].text);
    }
    tm_bug = BUG_NONE;
}

static void every_bug_is_found(void **s)
{
    (void)s;
    find_bugs(false);
}

static void every_bug_is_found_beside_racing_plain_accesses(void **s)
{
    (void)s;
    find_bugs(true);
}

/* Judges the history with record @drop left out and @swap and its successor exchanged; UINT32_MAX: none. */
static bool again(unsigned drop, unsigned swap)
{
    struct hd_tm *t = checker();
    bool good = true;

    whole = false;
    for (unsigned i = 0; i < recorded && good; i++) {
        unsigned k = i == swap ? i + 1 : swap != UINT32_MAX && i == swap + 1 ? i - 1 : i;
        if (k != drop)
            good = tell(t, &history[k]);
    }
    whole = true;
    hd_tm_free(t);
    return good;
}

static bool last_of_its_warp(unsigned i)
{
    for (unsigned k = i + 1; k < recorded; k++)
        if (history[k].op.warp == history[i].op.warp)
            return false;
    return true;
}

static void one_history(void)
{
    struct hd_tm *t = checker();

    assert_true(program(t, 3, false));
    hd_tm_free(t);
    assert_true(again(UINT32_MAX, UINT32_MAX));
}

static void a_missing_operation_is_found(void **s)
{
    (void)s;
    one_history();
    for (unsigned i = 0; i < recorded; i++)
        if (again(i, UINT32_MAX) && !last_of_its_warp(i))
            fail_msg("operation %u of %u is missing", i, recorded);
}

static void operations_out_of_turn_are_found(void **s)
{
    unsigned others = 0, found = 0;

    (void)s;
    one_history();
    for (unsigned i = 0; i + 1 < recorded; i++) {
        bool good = again(UINT32_MAX, i);
        if (history[i].op.warp == history[i + 1].op.warp) {
            assert_false(good);
            continue;
        }
        others++;
        found += !good;
    }
    printf("%u of %u exchanges between warps change something\n", found, others);
    assert_true(found * 20 > others); /* the rest commute */
}

static void changed_operations_are_found(void **s)
{
    (void)s;
    one_history();
    for (unsigned i = 0; i < recorded; i++) {
        struct record *r = &history[i], keep = *r;
        if (r->op.kind == HD_OP_TX_BEGIN) {
            r->op.mode = (uint8_t)(r->op.mode + 1);
            if (r->op.mask & ~r->op.tcm)
                assert_false(again(UINT32_MAX, UINT32_MAX));
        } else if (r->op.kind == HD_OP_TX_COMMIT) {
            r->op.tcm ^= r->op.mask & -r->op.mask;
            assert_false(again(UINT32_MAX, UINT32_MAX));
        }
        *r = keep;
        r->op.number++;
        assert_false(again(UINT32_MAX, UINT32_MAX));
        *r = keep;
    }
}

static void small_tests(void **s)
{
    struct hd_tm *t = checker();
    struct record r = {.op = {.kind = HD_OP_TX_BEGIN, .warp = 1, .mask = 3}};

    (void)s;
    whole = false;
    r.word[1] = 1;
    assert_true(tell(t, &r));
    assert_true(hd_tm_open(t, 1));
    r.op.kind = HD_OP_LOAD;
    r.op.number = 1;
    r.old[0] = 77;
    assert_true(tell(t, &r)); /* what a word woke up with is not known */
    r.op.number = 2;
    r.old_ghost[0] = 5;
    assert_false(tell(t, &r));
    assert_string_equal(hd_tm_fault(t), "cycle 0: warp 1: lane 0 reads word 0x0: 0x0000004d (ghost 5); it held 0x0000004d "
                                        "(ghost 0)");
    assert_false(hd_tm_exit(t, 1, 9));
    hd_tm_free(t);

    t = checker();
    assert_true(hd_tm_exit(t, 1, 8));
    r.op.kind = HD_OP_TX_BEGIN;
    r.op.number = 0;
    assert_true(tell(t, &r));
    assert_false(hd_tm_exit(t, 1, 9));
    assert_string_equal(hd_tm_fault(t), "cycle 9: warp 1: ends in a transaction");
    hd_tm_free(t);
    whole = true;
}

/* ---- rules, one by one ------------------------------------------------------------------------------------------- */

struct step {
    uint8_t kind, warp, mask, tcm, mode;
    uint16_t word;     /* of lane 0; that of each other is in the next row */
    uint32_t data, old;
};
enum { END, LD, ST, TB, TC, EX }; /* kinds; EX: the warp ends */

/* Judges @steps: all are right but the last, whose fault has @text in it; NULL: all are. */
static void judge(const char *name, const struct hd_tm_shape *shape, const struct step *steps, const char *text)
{
    struct hd_tm *t = hd_tm_new(shape);
    static const uint8_t kinds[] = {[LD] = HD_OP_LOAD, [ST] = HD_OP_STORE, [TB] = HD_OP_TX_BEGIN, [TC] = HD_OP_TX_COMMIT};
    uint32_t number[HW_WFS] = {0};
    uint64_t accesses = 0;

    assert_non_null(t);
    for (const struct step *s = steps; s->kind != END; s++) {
        uint32_t word[HW_LANES], data[HW_LANES], none[HW_LANES] = {0}, old[HW_LANES];
        struct hd_tm_op op = {.kind = kinds[s->kind], .warp = s->warp, .mask = s->mask, .tcm = s->tcm, .mode = s->mode,
                              .number = number[s->warp]++, .word = word, .data = data, .ghost = none, .old = old,
                              .old_ghost = none};
        for (unsigned l = 0; l < HW_LANES; l++) {
            word[l] = s->word + l * HW_BANKS;
            data[l] = s->data;
            old[l] = s->old;
        }
        bool wrong = text != NULL && s[1].kind == END, running = hd_tm_runs(t, s->warp);
        if ((s->kind == EX ? hd_tm_exit(t, s->warp, 0) : hd_tm_perform(t, &op)) == wrong)
            fail_msg("%s, step %u: %s", name, (unsigned)(s - steps), hd_tm_fault(t) ? hd_tm_fault(t) : "no fault");
        if (!wrong && running && s->kind < TB)
            accesses += (unsigned)__builtin_popcount(s->mask);
    }
    assert_int_equal(text == NULL ? hd_tm_counts(t)->accesses : accesses, accesses);
    if (text != NULL && strstr(hd_tm_fault(t), text) == NULL)
        fail_msg("%s: \"%s\" instead of \"%s\"", name, hd_tm_fault(t), text);
    hd_tm_free(t);
}

static void each_rule_is_told_by_its_own_fault(void **s)
{
    const struct hd_tm_shape filters = {.lanes = HW_LANES, .warps = HW_WFS, .tx_warps = HW_WFS, .words = WORDS,
                                        .banks = HW_BANKS, .hash = HW_HASH, .ghosts = true};
    struct hd_tm_shape few = filters, owners = filters;
    enum { ALIAS = HW_HASH * HW_BANKS }; /* words of a bank that the filters cannot tell apart */
    static const struct {
        const char *name, *text;
        unsigned shape;
        struct step step[12];
    } histories[] = {
        {"a slot without", "begins a transaction in a slot that has none", 1, {{TB, 1, 1, 0, 0, 0, 0, 0}}},
        {"a slot with", NULL, 1, {{TB, 0, 1, 0, 0, 0, 0, 0}}},
        {"within an attempt", "begins an attempt inside an attempt", 0, {{TB, 0, 1, 0, 0, 0, 0, 0}, {TB, 0, 1, 0, 0, 0, 0, 0}}},
        {"no lanes", "begins lanes 0; to try again are 0", 0, {{TB, 0, 0, 0, 0, 0, 0, 0}}},
        {"others than those that lost", "begins lanes 2; to try again are 1", 0,
         {{TB, 0, 1, 0, 0, 0, 0, 0}, {LD, 0, 1, 0, 0, 0, 0, 0}, {TB, 1, 1, 0, 0, 0, 0, 0}, {LD, 1, 1, 1, 0, 0, 0, 0},
          {TC, 1, 1, 1, 0, 0, 0, 0}, {TB, 1, 2, 0, 0, 0, 0, 0}}},
        {"those that lost", NULL, 0,
         {{TB, 0, 1, 0, 0, 0, 0, 0}, {LD, 0, 1, 0, 0, 0, 0, 0}, {TB, 1, 1, 0, 0, 0, 0, 0}, {LD, 1, 1, 1, 0, 0, 0, 0},
          {TC, 1, 1, 1, 0, 0, 0, 0}, {TB, 1, 1, 0, 0, 0, 0, 0}}},
        {"some of those that lost", "begins lanes 1; to try again are 3", 0,
         {{TB, 0, 3, 0, 0, 0, 0, 0}, {LD, 0, 3, 0, 0, 0, 0, 0}, {TB, 1, 3, 0, 0, 0, 0, 0}, {LD, 1, 3, 3, 0, 0, 0, 0},
          {TC, 1, 3, 3, 0, 0, 0, 0}, {TB, 1, 1, 0, 0, 0, 0, 0}}},
        {"ends with one that lost", "ends in a transaction", 0,
         {{TB, 0, 1, 0, 0, 0, 0, 0}, {LD, 0, 1, 0, 0, 0, 0, 0}, {TB, 1, 1, 0, 0, 0, 0, 0}, {LD, 1, 1, 1, 0, 0, 0, 0},
          {TC, 1, 1, 1, 0, 0, 0, 0}, {EX, 1, 0, 0, 0, 0, 0, 0}}},
        {"ends behind a commit", NULL, 0,
         {{TB, 0, 1, 0, 0, 0, 0, 0}, {LD, 0, 1, 0, 0, 0, 0, 0}, {TC, 0, 1, 0, 0, 0, 0, 0}, {EX, 0, 0, 0, 0, 0, 0, 0}}},
        {"sent back for nothing", "is sent back, though no other warp runs alone or wants to", 0, {{TB, 0, 1, 1, 0, 0, 0, 0}}},
        {"beside one that wants to run alone", "begins while another warp runs alone or wants to", 0,
         {{TB, 0, 1, 0, 0, 0, 0, 0}, {LD, 0, 1, 0, 0, 0, 0, 0}, {TB, 1, 1, 0, 0, 0, 0, 0}, {LD, 1, 1, 1, 0, 0, 0, 0},
          {TC, 1, 1, 1, 0, 0, 0, 0}, {TB, 1, 1, 0, 0, 0, 0, 0}, {LD, 1, 1, 1, 0, 0, 0, 0}, {TC, 1, 1, 1, 0, 0, 0, 0},
          {TB, 1, 1, 0, 1, 0, 0, 0}, {LD, 1, 1, 1, 0, 0, 0, 0}, {TC, 1, 1, 1, 0, 0, 0, 0}, {TB, 2, 1, 0, 0, 0, 0, 0}}},
        {"alone, too early", "runs lanes 1 in mode 2; they must be 1 in mode 0", 0, {{TB, 0, 1, 0, 2, 0, 0, 0}}},
        {"not all lanes", "runs lanes 1 in mode 0; they must be 3 in mode 0", 0, {{TB, 0, 3, 2, 0, 0, 0, 0}}},
        {"commit of nothing", "commits outside an attempt", 0, {{TC, 0, 1, 0, 0, 0, 0, 0}}},
        {"commit of a loser", "lanes 0 are to try again; 1 have lost", 0,
         {{TB, 0, 1, 0, 0, 0, 0, 0}, {LD, 0, 1, 0, 0, 0, 0, 0}, {TB, 1, 1, 0, 0, 0, 0, 0}, {LD, 1, 1, 1, 0, 0, 0, 0},
          {TC, 1, 1, 0, 0, 0, 0, 0}}},
        {"lost for nothing", "lane 0 loses at word 0x0 without a conflict", 0,
         {{TB, 0, 1, 0, 0, 0, 0, 0}, {LD, 0, 1, 1, 0, 0, 0, 0}}},
        {"lost by an alias", NULL, 0,
         {{TB, 0, 1, 0, 0, 0, 0, 0}, {LD, 0, 1, 0, 0, 0, 0, 0}, {TB, 1, 1, 0, 0, 0, 0, 0}, {LD, 1, 1, 1, 0, ALIAS, 0, 0}}},
        {"owner records have none", "lane 0 loses at word", 2,
         {{TB, 0, 1, 0, 0, 0, 0, 0}, {LD, 0, 1, 0, 0, 0, 0, 0}, {TB, 1, 1, 0, 0, 0, 0, 0}, {LD, 1, 1, 1, 0, ALIAS, 0, 0}}},
        {"a lane that did not access", "lanes 2 have lost by its word; 0 have", 0,
         {{TB, 0, 3, 0, 0, 0, 0, 0}, {LD, 0, 1, 2, 0, 0, 0, 0}}},
        {"held by another", "lane 0 accesses word 0x0, which warp 0, lane 0 holds", 0,
         {{TB, 0, 1, 0, 0, 0, 0, 0}, {LD, 0, 1, 0, 0, 0, 0, 0}, {TB, 1, 1, 0, 0, 0, 0, 0}, {LD, 1, 1, 0, 0, 0, 0, 0}}},
        {"a word stored by an attempt", "lane 0 reads word 0x0: 0x00000006 (ghost 0); it held 0x00000005 (ghost 0)", 0,
         {{TB, 0, 1, 0, 0, 0, 0, 0}, {ST, 0, 1, 0, 0, 0, 5, 0}, {LD, 0, 1, 0, 0, 0, 0, 6}}},
        {"a word stored outside", "lane 0 reads word 0x0: 0x00000006 (ghost 0); it held 0x00000005 (ghost 0)", 0,
         {{ST, 0, 1, 0, 0, 0, 5, 0}, {LD, 0, 1, 0, 0, 0, 0, 6}}},
        {"an abort puts back", "lane 0 reads word 0x0: 0x00000007 (ghost 0); it held 0x00000005 (ghost 0)", 0,
         {{ST, 0, 1, 0, 0, 0, 5, 0}, {TB, 0, 1, 0, 0, 0, 0, 0}, {LD, 0, 1, 0, 0, 1, 0, 0}, {TB, 1, 1, 0, 0, 0, 0, 0},
          {ST, 1, 1, 0, 0, 0, 7, 0}, {LD, 1, 1, 1, 0, 1, 0, 0}, {TC, 1, 1, 1, 0, 0, 0, 0}, {LD, 2, 1, 0, 0, 0, 0, 7}}},
    };

    (void)s;
    few.tx_warps = 1;
    owners.hash = 0;
    for (unsigned i = 0; i < sizeof histories / sizeof *histories; i++)
        judge(histories[i].name, histories[i].shape == 0 ? &filters : histories[i].shape == 1 ? &few : &owners,
              histories[i].step, histories[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(small_tests, setup, teardown),
        cmocka_unit_test(each_rule_is_told_by_its_own_fault),
        cmocka_unit_test_setup_teardown(what_the_reference_does_passes, setup, teardown),
        cmocka_unit_test_setup_teardown(every_bug_is_found, setup, teardown),
        cmocka_unit_test_setup_teardown(every_bug_is_found_beside_racing_plain_accesses, setup, teardown),
        cmocka_unit_test_setup_teardown(a_missing_operation_is_found, setup, teardown),
        cmocka_unit_test_setup_teardown(operations_out_of_turn_are_found, setup, teardown),
        cmocka_unit_test_setup_teardown(changed_operations_are_found, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
