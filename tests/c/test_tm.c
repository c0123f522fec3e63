/* The checker of transactions passes what the reference machine does and fails every bug built into that machine, and every
 * history with an operation missing, out of turn or changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/tm.h"
#include "hd_pkg.h"

#define HW_WFS 4
#define HW_LANES 8
#define HW_BANKS 4
#define HW_ROWS 32
#define HW_HASH 8
#include "tests/reference/local_tm/tm_hw.h"

int tm_bug;

enum { WORDS = HW_BANKS * HW_ROWS, STEPS = 4000, TRANSACTIONS = 8, OPS = 6, LONGEST = 200000 };

struct record {
    struct hd_tm_op op;
    unsigned cycles;
    uint32_t word[HW_LANES], data[HW_LANES], ghost[HW_LANES], old[HW_LANES], old_ghost[HW_LANES];
};

/* A wavefront's program: transactions of random operations, plain accesses between them. */
struct wave {
    enum { PLAIN, BEGIN, BODY, COMMIT, OVER } at;
    unsigned left, ops, next;
    hd_mask_t mask, live;
    struct hw_op op[OPS];
    uint32_t number;
};

static struct hw hw;
static struct wave wave[HW_WFS];
static struct record *history;
static unsigned recorded;
static uint64_t state;
static uint32_t ghosts;
static bool mixed, whole = true; /* whole: the history is as it was */

static uint32_t rnd(uint32_t n)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(state >> 33) % n;
}

static struct hd_tm *checker(void)
{
    return hd_tm_new(&(struct hd_tm_shape){.lanes = HW_LANES, .warps = HW_WFS, .tx_warps = HW_WFS, .words = WORDS,
                                           .banks = HW_BANKS, .hash = HW_HASH, .ghosts = true});
}

static bool tell(struct hd_tm *t, const struct record *r)
{
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

/* Has the reference machine do *o. @return what crosses the port. */
static const struct record *perform(struct hw_op *o, struct hw_res *res)
{
    static const uint8_t kind[] = {HD_OP_LOAD, HD_OP_STORE, HD_OP_ATOMIC, HD_OP_TX_BEGIN, HD_OP_TX_COMMIT};
    struct wave *w = &wave[o->wf];
    struct record *r = &history[recorded++];

    for (int l = 0; l < HW_LANES; l++)
        o->ghost[l] = ++ghosts;
    hw_op(&hw, o, res);
    r->cycles = res->version + res->walk;
    r->op = (struct hd_tm_op){.cycle = recorded, .number = w->number++, .warp = o->wf, .kind = kind[o->kind],
                              .mode = res->mode, .mask = o->mask, .tcm = res->abort};
    if (o->kind == OP_TX_BEGIN)
        r->op.tcm = res->again ? o->mask : o->mask & ~res->run;
    if (o->kind == OP_TX_COMMIT)
        r->op.tcm = res->retry;
    for (int l = 0; l < HW_LANES; l++) {
        r->word[l] = o->bank[l] + HW_BANKS * (uint32_t)o->row[l];
        r->old[l] = res->value[l];
        r->old_ghost[l] = res->ghost[l];
        r->data[l] = o->kind == OP_RMW ? hw_rmw(o->fn, res->value[l], o->data[l]) : o->data[l];
        r->ghost[l] = o->ghost[l];
    }
    return r;
}

static void draw_op(struct hw_op *o, unsigned wf, hd_mask_t mask, bool apart)
{
    *o = (struct hw_op){.kind = (uint8_t)rnd(3), .wf = (uint8_t)wf, .fn = FN_ADD, .mask = mask};
    for (int l = 0; l < HW_LANES; l++) {
        o->bank[l] = (uint16_t)rnd(HW_BANKS);
        o->row[l] = (uint16_t)(apart ? 24 + rnd(8) : rnd(3) * (1 + 7 * rnd(2))); /* 0, 1, 2, 8, 16 */
        o->data[l] = rnd(1000);
    }
}

static void draw_transaction(struct wave *w, unsigned wf)
{
    w->at = BEGIN;
    w->mask = 1 + rnd((1 << HW_LANES) - 1);
    w->ops = 1 + rnd(OPS);
    w->next = 0;
    for (unsigned i = 0; i < w->ops; i++)
        draw_op(&w->op[i], wf, rnd(2) ? w->mask : w->mask & rnd(1 << HW_LANES), false);
}

/* The next operation of a wavefront. */
static bool step(struct hd_tm *t, unsigned wf)
{
    struct wave *w = &wave[wf];
    struct hw_op o = {.kind = OP_TX_BEGIN, .wf = (uint8_t)wf, .mask = w->mask};
    struct hw_res res;

    switch (w->at) {
    case PLAIN:
        draw_op(&o, wf, 1 + rnd((1 << HW_LANES) - 1), !mixed);
        if (w->left-- == 0)
            w->at = OVER;
        else if (rnd(2))
            draw_transaction(w, wf);
        return tell(t, perform(&o, &res));
    case BEGIN:
        if (hw_held(&hw, (int)wf) && rnd(4) != 0)
            return true; /* waits at the issue stage */
        if (!tell(t, perform(&o, &res)))
            return false;
        w->live = res.run;
        w->next = 0;
        w->at = res.again ? BEGIN : BODY;
        return true;
    case BODY:
        o = w->op[w->next];
        o.mask &= w->live;
        if (++w->next == w->ops)
            w->at = COMMIT;
        if (o.mask == 0)
            return true;
        if (!tell(t, perform(&o, &res)))
            return false;
        if (rnd(2)) /* dead lanes reach C late */
            w->live &= ~res.abort;
        return true;
    case COMMIT:
        o.kind = OP_TX_COMMIT;
        if (!tell(t, perform(&o, &res)))
            return false;
        w->mask = res.retry;
        w->at = res.retry ? BEGIN : PLAIN;
        return true;
    default:
        return true;
    }
}

static bool program(struct hd_tm *t, unsigned seed, bool races)
{
    state = seed * 1000003ull + 5;
    mixed = races;
    recorded = 0;
    ghosts = 0;
    hw_init(&hw);
    memset(wave, 0, sizeof wave);
    for (unsigned i = 0; i < HW_WFS; i++)
        wave[i].left = 2 * TRANSACTIONS;
    bool over = false;
    for (unsigned n = 0; !over && n < STEPS; n++) {
        if (!step(t, rnd(HW_WFS)))
            return false;
        over = true;
        for (unsigned i = 0; i < HW_WFS; i++)
            over &= wave[i].at == OVER;
    }
    if (!over)
        return false; /* no end */
    for (unsigned i = 0; i < HW_WFS; i++)
        if (!hd_tm_exit(t, i, recorded))
            return false;
    struct hw_op o = {.kind = OP_LOAD, .mask = 1};
    struct hw_res res;
    for (unsigned i = 0; i < WORDS; i++) { /* the memory that is left */
        o.bank[0] = (uint16_t)(i % HW_BANKS);
        o.row[0] = (uint16_t)(i / HW_BANKS);
        if (!tell(t, perform(&o, &res)))
            return false;
    }
    return true;
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
        if (!program(t, seed, seed % 2))
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(small_tests, setup, teardown),
        cmocka_unit_test_setup_teardown(what_the_reference_does_passes, setup, teardown),
        cmocka_unit_test_setup_teardown(every_bug_is_found, setup, teardown),
        cmocka_unit_test_setup_teardown(every_bug_is_found_beside_racing_plain_accesses, setup, teardown),
        cmocka_unit_test_setup_teardown(a_missing_operation_is_found, setup, teardown),
        cmocka_unit_test_setup_teardown(operations_out_of_turn_are_found, setup, teardown),
        cmocka_unit_test_setup_teardown(changed_operations_are_found, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
