/* The event log of programs with transactions: what they do is sequentially consistent with aborted attempts left out, and is
 * not with them in. Every id is in the log once; the watermark never passes an open attempt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "check/mcm.h"
#include "record.h"
#include "tm_programs.h"

struct watcher {
    struct hd_record *record;
    struct hd_evlog *log;
    struct hd_mcm *mcm;
    struct hd_op op;
    uint64_t cycle, records;
    unsigned lost;               /* record to leave out; 0: none */
    bool deaf;                   /* it does not hear of lanes that lose */
};

static void give_ghosts(void *to, struct hw_op *o, uint8_t kind)
{
    struct watcher *x = to;

    x->op = (struct hd_op){.warp = o->wf, .kind = kind, .fn = o->fn == FN_ADD ? HD_AT_ADD : HD_AT_EXCH, .space = HD_SPACE_LDS,
                           .order = HD_ORD_RELAXED, .scope = HD_SCOPE_WG, .mask = o->mask};
    for (int l = 0; l < HW_LANES; l++) {
        x->op.addr[l] = 4u * (o->bank[l] + HW_BANKS * (uint32_t)o->row[l]);
        x->op.data[l] = o->data[l];
    }
    hd_record_offer(x->record, 0, &x->op, false, 0);
    for (int l = 0; l < HW_LANES; l++)
        o->ghost[l] = x->op.ghost[l];
    hd_record_taken(x->record, 0, o->wf, o->wf % 4, ++x->cycle);
}

/* Hands the records on. */
static bool drain(struct watcher *x, uint64_t watermark)
{
    struct hd_evlist *l = &x->log->sm[0];

    assert_true(l->count <= l->room);
    for (size_t i = 0; i < l->count; i++)
        if (++x->records != x->lost && !hd_mcm_add(x->mcm, &l->event[i], 1))
            return false;
    l->count = 0;
    assert_true(hd_evlog_reserve(x->log));
    return hd_mcm_advance(x->mcm, watermark);
}

static bool tell(void *to, const struct record *r)
{
    struct watcher *x = to;

    hd_record_complete(x->record, 0, r->op.warp, r->op.warp % 4, ++x->cycle, true, r->op.mask, r->old, r->old_ghost,
                       x->deaf ? 0 : r->op.tcm, r->op.mode);
    if (rnd(8) != 0)
        return true;
    uint64_t watermark = hd_record_watermark(x->record, x->cycle);
    return drain(x, watermark);
}

/* Judges a program. @return whether it is allowed; *records: how many the log has. */
static bool judged(unsigned seed, bool races, bool deaf, unsigned lost, enum hd_mcm_model model, unsigned *records)
{
    const struct hd_config c = {.sms = 1, .warps = HW_WFS, .lanes = HW_LANES, .lds_bytes = 4 * WORDS, .scoreboard = 4};
    const struct hd_evlog_info info = {.sms = 1, .warps = HW_WFS, .lanes = HW_LANES};
    struct watcher x = {.log = hd_evlog_new(&info, 4 * HD_RECORD_HELD), .deaf = deaf, .lost = lost,
                        .mcm = hd_mcm_new(&(struct hd_mcm_options){.model = model, .sms = 1, .single_writer = true})};

    x.record = hd_record_new(&c, x.log);
    assert_non_null(x.record);
    assert_non_null(x.mcm);
    assert_true(deaf || hd_record_transactions(x.record, HW_WFS));
    assert_true(hd_evlog_reserve(x.log));
    for (unsigned i = 0; i < HW_WFS; i++)
        hd_record_launch(x.record, 0, i, 0, &(struct hd_launched){.block = 0});
    bool good = program(&x, seed, races) && drain(&x, x.cycle + 1) && hd_mcm_finish(x.mcm, hd_record_issued(x.record));
    if (!good && !deaf && lost == 0)
        printf("program %u: %s\n", seed, hd_mcm_violation(x.mcm) ? hd_mcm_violation(x.mcm)->text : "no end");
    *records = (unsigned)x.records;
    hd_record_free(x.record);
    hd_evlog_free(x.log);
    hd_mcm_free(x.mcm);
    return good;
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

static void attempts_that_abort_leave_no_trace(void **s)
{
    unsigned records;

    (void)s;
    for (unsigned seed = 1; seed <= 60; seed++) {
        assert_true(judged(seed, false, false, 0, HD_MCM_SC, &records));
        assert_true(judged(seed, false, false, 0, HD_MCM_RMO, &records));
    }
}

static void racing_plain_accesses_do_not_matter(void **s)
{
    unsigned records;

    (void)s;
    for (unsigned seed = 1; seed <= 60; seed++)
        assert_true(judged(seed, true, false, 0, HD_MCM_SC, &records));
}

static void with_them_the_log_is_refused(void **s)
{
    unsigned records;

    (void)s;
    for (unsigned seed = 1; seed <= 5; seed++)
        assert_false(judged(seed, false, true, 0, HD_MCM_RMO, &records));
}

static void every_record_counts(void **s)
{
    unsigned records, more;

    (void)s;
    assert_true(judged(2, false, false, 0, HD_MCM_SC, &records));
    for (unsigned i = 1; i <= records; i += 1 + records / 40)
        assert_false(judged(2, false, false, i, HD_MCM_SC, &more));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(attempts_that_abort_leave_no_trace, setup, teardown),
        cmocka_unit_test_setup_teardown(racing_plain_accesses_do_not_matter, setup, teardown),
        cmocka_unit_test_setup_teardown(with_them_the_log_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(every_record_counts, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
