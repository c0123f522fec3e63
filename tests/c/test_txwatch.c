/* What is watched of transactions at the warp port: the checker's verdict, and time that adds up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "tm_programs.h"
#include "txwatch.h"

struct port {
    struct hd_txwatch *watch;
    struct hd_op op;
    uint64_t cycle;
    uint32_t ids;
    bool ideal;
};

static void give_ghosts(void *to, struct hw_op *o, uint8_t kind)
{
    struct port *x = to;

    x->op = (struct hd_op){.warp = o->wf, .kind = kind, .fn = o->fn == FN_ADD ? HD_AT_ADD : HD_AT_EXCH, .space = HD_SPACE_LDS,
                           .mask = o->mask};
    for (int l = 0; l < HW_LANES; l++) {
        x->op.addr[l] = 4u * (o->bank[l] + HW_BANKS * (uint32_t)o->row[l]);
        x->op.data[l] = o->data[l];
        x->op.ghost[l] = o->ghost[l] = ++x->ids;
    }
    hd_txwatch_offer(x->watch, 0, &x->op, x->cycle);
    hd_txwatch_taken(x->watch, 0, &x->op, o->wf);
}

static bool tell(void *to, const struct record *r)
{
    struct port *x = to;

    x->cycle += 3 + (x->ideal ? 0 : r->cycles);
    return hd_txwatch_complete(x->watch, 0, r->op.warp, r->op.warp, x->cycle, r->old, r->old_ghost, r->op.tcm, r->op.mode);
}

static uint64_t counter(struct port *x, const char *name)
{
    const struct hd_counter *list;
    size_t n = hd_txwatch_counters(x->watch, &list);

    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].name, name) == 0)
            return list[i].value;
    fail_msg("no counter %s", name);
    return 0;
}

static void start(struct port *x, bool ideal)
{
    static const struct hd_config c = {.sms = 1, .warps = HW_WFS, .lanes = HW_LANES, .lds_bytes = 4 * WORDS, .lds_banks = HW_BANKS,
                                       .ghost_bits = 32};

    *x = (struct port){.ideal = ideal, .cycle = 100, .watch = hd_txwatch_new(&c, &(struct hd_txwatch_options){
        .warps = HW_WFS, .hash = HW_HASH, .ideal = ideal})};
    assert_non_null(x->watch);
    for (unsigned i = 0; i < HW_WFS; i++)
        hd_txwatch_launch(x->watch, 0, i, 100);
}

static int setup(void **s)
{
    (void)s;
    history = malloc((STEPS + WORDS) * sizeof *history);
    return history == NULL;
}

static int teardown(void **s)
{
    (void)s;
    free(history);
    return 0;
}

/* @return cycles at records and walks, of all warps. */
static uint64_t run(unsigned seed, bool ideal)
{
    struct port x;
    start(&x, ideal);
    if (!program(&x, seed, false))
        fail_msg("%s", hd_txwatch_fault(x.watch));
    for (unsigned i = 0; i < HW_WFS; i++)
        hd_txwatch_exit(x.watch, 0, i, x.cycle);
    assert_null(hd_txwatch_fault(x.watch));
    uint64_t memory = counter(&x, "tm.time_memory"), begin_commit = counter(&x, "tm.time_begin_commit");
    assert_int_equal(counter(&x, "tm.time_outside") + counter(&x, "tm.time_code") + memory + begin_commit + counter(&x, "tm.time_held"),
                     HW_WFS * (x.cycle - 100));
    assert_true(begin_commit > 0 && counter(&x, "tm.time_code") > memory / 4 && counter(&x, "tm.commits") > 0);
    hd_txwatch_free(x.watch);
    return memory;
}

static void time_adds_up(void **s)
{
    (void)s;
    for (unsigned seed = 1; seed <= 20; seed++) {
        assert_true(run(seed, false) > 0);
        assert_int_equal(run(seed, true), 0);
    }
}

static void bugs_are_reported(void **s)
{
    struct port x;

    (void)s;
    tm_bug = BUG_RESTORE_ONE_BANK;
    start(&x, false);
    assert_false(program(&x, 1, false));
    assert_memory_equal(hd_txwatch_fault(x.watch), "SM 0, cycle ", 12);
    tm_bug = BUG_NONE;
    hd_txwatch_free(x.watch);
}

static void a_warp_must_not_end_in_a_transaction(void **s)
{
    struct port x;
    struct hw_op o = {.kind = OP_TX_BEGIN, .wf = 2, .mask = 3};
    struct hw_res res;

    (void)s;
    start(&x, false);
    recorded = 0;
    hw_init(&hw);
    memset(wave, 0, sizeof wave);
    assert_true(tell(&x, perform(&x, &o, &res)));
    hd_txwatch_exit(x.watch, 0, 2, 200);
    assert_string_equal(hd_txwatch_fault(x.watch), "SM 0, cycle 200: warp 2: ends in a transaction");
    hd_txwatch_free(x.watch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(time_adds_up, setup, teardown),
        cmocka_unit_test_setup_teardown(bugs_are_reported, setup, teardown),
        cmocka_unit_test_setup_teardown(a_warp_must_not_end_in_a_transaction, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
