/* test_hd_scoreboard.c - outstanding memory operations per warp against a C table. */
/* equiv: Warps=4 Lanes=4 Slots=4 */
/* dut: hd_scoreboard Warps=6 Lanes=4 Slots=4 */
/* dut: hd_scoreboard Warps=5 Lanes=4 Slots=3 */
/* dut: hd_scoreboard Warps=4 Lanes=32 Slots=1 */
/* dut: hd_scoreboard Warps=4 Lanes=64 Slots=2 */
/* dut: hd_scoreboard Warps=1 Lanes=4 Slots=3 */
/* dut: hd_scoreboard */
#include "hd_unit.h"

#include "hd_scoreboard_dut.h"
#include "hd_access.h"

#ifndef P_Warps
#define P_Warps 48
#define P_Lanes 32
#define P_Slots 4
#endif

struct slot {
    bool busy, opened, ld, st, acq, sync;
    unsigned remaining;
};

static struct hd_scoreboard d;
static struct slot ref[P_Warps][P_Slots];

static int setup(void **state)
{
    (void)state;
    memset(ref, 0, sizeof ref);
    hd_scoreboard_open(&d);
    hd_reset(d.m);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

/* Vectors of state_o. */
enum { FULL, LD_PEND, ST_PEND, ACQ_BLOCK, SYNC_PEND };

static uint64_t state_of(unsigned vector)
{
    return hd_bits_get(d.state_o, vector * P_Warps, P_Warps);
}

static int lowest_free(unsigned warp)
{
    for (int s = 0; s < P_Slots; s++)
        if (!ref[warp][s].busy)
            return s;
    return -1;
}

static void check_state(void)
{
    uint64_t full = 0, ld = 0, st = 0, acq = 0, sync = 0;
    bool empty = true;
    for (unsigned w = 0; w < P_Warps; w++) {
        uint64_t bit = UINT64_C(1) << w;
        full |= lowest_free(w) < 0 ? bit : 0;
        for (int s = 0; s < P_Slots; s++) {
            ld |= ref[w][s].ld ? bit : 0;
            st |= ref[w][s].st ? bit : 0;
            acq |= ref[w][s].acq ? bit : 0;
            sync |= ref[w][s].sync ? bit : 0;
            empty = empty && !ref[w][s].busy;
        }
    }
    assert_int_equal(state_of(FULL), full);
    assert_int_equal(state_of(LD_PEND), ld);
    assert_int_equal(state_of(ST_PEND), st);
    assert_int_equal(state_of(ACQ_BLOCK), acq);
    assert_int_equal(state_of(SYNC_PEND), sync);
    assert_int_equal(*d.empty_o, empty);
}

static void issue(unsigned warp, bool ld, bool st, bool acq)
{
    *d.issue_valid_i = 1;
    *d.issue_warp_i = (uint8_t)warp;
    HD_PUT(d.issue_i, ISSUE_MEM_LD, ld);
    HD_PUT(d.issue_i, ISSUE_MEM_ST, st);
    HD_PUT(d.issue_i, ISSUE_MEM_ACQ, acq);
    HD_PUT(d.issue_i, ISSUE_MEM_SYNC, acq);
}

static void open_op(unsigned warp, unsigned slot, unsigned lanes)
{
    *d.open_valid_i = 1;
    hd_bits_put(d.open_acc_i, 0, HD_ACCESS_W, hd_access_pack((struct hd_access){.warp = warp, .slot = slot}));
    *d.open_lanes_i = (uint8_t)lanes;
}

static void perform(unsigned warp, unsigned slot, unsigned lanes)
{
    *d.perf_valid_i = 1;
    HD_PUT(d.perf_i, PERFORMED_WARP, warp);
    HD_PUT(d.perf_i, PERFORMED_SLOT, slot);
    hd_bits_put(d.perf_i, HD_PERFORMED_W, HD_SCOREBOARD_W_perf_i - HD_PERFORMED_W, lanes);
}

static void edge(void)
{
    hd_eval(d.m); /* assertions see what was settled before the edge */
    hd_edge(d.m);
    *d.issue_valid_i = *d.open_valid_i = *d.perf_valid_i = 0;
    hd_eval(d.m);
}

static void an_operation_is_pending_from_issue_to_its_last_lane(void **state)
{
    const unsigned warp = P_Warps > 2 ? 2 : 0, bit = 1u << warp;

    (void)state;
    issue(warp, true, true, true);
    hd_eval(d.m);
    assert_int_equal(*d.issue_slot_o, 0);
    assert_int_equal(*d.empty_o, 1);
    edge();
    assert_int_equal(state_of(LD_PEND), bit);
    assert_int_equal(state_of(ST_PEND), bit);
    assert_int_equal(state_of(ACQ_BLOCK), bit);
    assert_int_equal(state_of(SYNC_PEND), bit);
    assert_int_equal(state_of(FULL), P_Slots == 1 ? bit : 0);
    open_op(warp, 0, P_Lanes);
    edge();
    perform(warp, 0, P_Lanes - 1);
    hd_eval(d.m);
    assert_int_equal(*d.perf_last_o, 0);
    edge();
    assert_int_equal(state_of(LD_PEND), bit);
    perform(warp, 0, 1);
    hd_eval(d.m);
    assert_int_equal(*d.perf_last_o, 1);
    assert_int_equal(state_of(ST_PEND), bit); /* gone from the next cycle on */
    edge();
    for (unsigned v = FULL; v <= SYNC_PEND; v++)
        assert_int_equal(state_of(v), 0);
    assert_int_equal(*d.empty_o, 1);
}

static void a_slot_freed_in_this_cycle_is_taken_from_the_next_only(void **state)
{
    const unsigned warp = P_Warps > 1 ? 1 : 0;

    (void)state;
    if (P_Slots < 2)
        return;
    for (unsigned s = 0; s < 2; s++) {
        issue(warp, true, false, false);
        if (s)
            open_op(warp, s - 1, 1);
        edge();
    }
    open_op(warp, 1, 1);
    edge();
    perform(warp, 0, 1);
    if (P_Slots > 2) {
        issue(warp, true, false, false);
        hd_eval(d.m);
        assert_int_equal(*d.issue_slot_o, 2);
    }
    edge();
    issue(warp, true, false, false);
    hd_eval(d.m);
    assert_int_equal(*d.issue_slot_o, 0);
    assert_int_equal(*d.perf_last_o, 0);
}

static void every_misuse_trips_an_assertion(void **state)
{
    (void)state;
    if (!hd_has_asserts(d.m))
        return;
    for (unsigned s = 0; s < P_Slots; s++) {
        issue(0, true, false, false);
        edge();
        open_op(0, s, 2);
        edge();
    }
    assert_int_equal(hd_assert_failures(d.m), 0);
    for (int misuse = 0; misuse < 8; misuse++) {
        hd_assert_clear(d.m);
        switch (misuse) {
        case 0: issue(0, true, false, false); break;  /* no slot free */
        case 1: issue(1, false, false, false); break; /* neither load nor store */
        case 2: open_op(2, 0, 1); break;              /* not issued */
        case 3: open_op(0, 0, 0); break;              /* no lanes */
        case 4: perform(2, 0, 1); break;              /* not issued */
        case 5: perform(0, P_Slots - 1, 3); break;    /* more lanes than remain */
        case 6: perform(0, P_Slots - 1, 0); break;    /* no lanes */
        default:                                      /* performed before it could be */
            open_op(0, 0, 2);
            perform(0, 0, 1);
        }
        edge();
        if (hd_assert_failures(d.m) == 0)
            fprintf(stderr, "misuse %d was not noticed\n", misuse);
        assert_true(hd_assert_failures(d.m) > 0);
    }
    hd_assert_clear(d.m);
}

static void matches_a_table_under_random_traffic(void **state)
{
    (void)state;
    unsigned issued = 0, partial = 0, last = 0, full = 0, three = 0, same_warp = 0, emptied = 0;
    int open_warp = -1, open_slot = 0;
    for (int i = 0; i < 30000; i++) {
        /* phases that fill the table and phases that drain it */
        bool fill = i / 500 % 2 == 0;
        struct slot *opened = NULL, *issued_slot = NULL, *performed = NULL;
        struct slot next_issue = {0};
        unsigned lanes = 0, iw = 0;
        if (open_warp >= 0) {
            opened = &ref[open_warp][open_slot];
            lanes = 1 + (unsigned)hd_rand_below(P_Lanes);
            open_op((unsigned)open_warp, (unsigned)open_slot, lanes);
        }
        if (hd_rand_below(4) < (fill ? 3u : 1u)) {
            iw = (unsigned)hd_rand_below(P_Warps);
            int s = lowest_free(iw);
            if (s >= 0) {
                issued_slot = &ref[iw][s];
                next_issue.busy = true;
                unsigned kind = (unsigned)hd_rand_below(3);
                next_issue.ld = kind != 1;
                next_issue.st = kind != 0;
                next_issue.acq = hd_rand_below(4) == 0;
                next_issue.sync = hd_rand_below(3) == 0;
                issue(iw, next_issue.ld, next_issue.st, next_issue.acq);
                HD_PUT(d.issue_i, ISSUE_MEM_SYNC, next_issue.sync);
                hd_eval(d.m);
                assert_int_equal(*d.issue_slot_o, s);
                open_slot = s;
                issued++;
            } else {
                full++;
            }
        }
        open_warp = issued_slot ? (int)iw : -1;
        unsigned part = 0, pw = 0;
        for (unsigned try = 0; try < 8 && !performed && hd_rand_below(8) < (fill ? 2u : 7u); try++) {
            pw = (unsigned)hd_rand_below(P_Warps);
            struct slot *s = &ref[pw][hd_rand_below(P_Slots)];
            if (s->busy && s->opened)
                performed = s;
        }
        if (performed) {
            part = 1 + (unsigned)hd_rand_below(performed->remaining);
            perform(pw, (unsigned)(performed - ref[pw]), part);
        }
        hd_eval(d.m);
        assert_int_equal(*d.perf_last_o, performed && part == performed->remaining);
        check_state();
        three += issued_slot && opened && performed;
        same_warp += issued_slot && performed && part == performed->remaining && pw == iw;
        edge();
        if (opened) {
            opened->opened = true;
            opened->remaining = lanes;
        }
        if (performed) {
            performed->remaining -= part;
            if (performed->remaining == 0) {
                *performed = (struct slot){0};
                last++;
            } else {
                partial++;
            }
        }
        if (issued_slot)
            *issued_slot = next_issue;
        check_state();
        emptied += *d.empty_o;
    }
    assert_true(issued > 1000 && partial > 1000 && last > 1000);
    assert_true(P_Warps > 6 || (full > 200 && emptied > 20));
    assert_true(three > (P_Slots == 1 ? 30 : 200));
    assert_true(P_Slots == 1 || same_warp > (P_Warps > 6 ? 2 : 50));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(an_operation_is_pending_from_issue_to_its_last_lane, setup, teardown),
        cmocka_unit_test_setup_teardown(a_slot_freed_in_this_cycle_is_taken_from_the_next_only, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(every_misuse_trips_an_assertion, setup, teardown),
        cmocka_unit_test_setup_teardown(matches_a_table_under_random_traffic, setup, teardown),
    };
    return HD_UNIT_MAIN(argc, argv, t);
}
