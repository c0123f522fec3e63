/* test_hd_l2_queues.c - entries leave in order, what is left to ask is kept a queue, the walk sees every line once. */
/* dut: hd_l2_queues Entries=5 Sms=6 WayW=2 WalkW=4 */
#include "hd_unit.h"
#include "hd_l2_queues_dut.h"
#include "hd_bits.h"
#include "l2_bits.h"

enum { ENTRIES = P_Entries, LINES = 1 << P_WalkW, IDX_W = 3 };

static struct hd_l2_queues d;

static int setup(void **state)
{
    (void)state;
    hd_l2_queues_open(&d);
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

static void entries_leave_in_order_and_asks_are_remembered(void **state)
{
    struct { unsigned idx[ENTRIES], way[ENTRIES], n; } fill = {.n = 0}, serve = {.n = 0};
    unsigned todo_fill = 0, todo_serve = 0, pushes[4] = {0}, both_full = 0, idle = 0;

    (void)state;
    for (unsigned t = 0; t < 20000; t++) {
        static const unsigned works[] = {HD_L2_WORK_RSP_LSB,   HD_L2_WORK_MEM_LSB, HD_L2_WORK_DONE_LSB, HD_L2_WORK_FILL_LSB,
                                         HD_L2_WORK_SERVE_LSB, HD_L2_WORK_REQ_LSB, HD_L2_WORK_WALK_LSB};
        const unsigned work = works[hd_rand_below(7)];
        const bool chained = work == HD_L2_WORK_SERVE_LSB || work == HD_L2_WORK_DONE_LSB, req = work == HD_L2_WORK_REQ_LSB;
        const bool wakes = hd_rand_below(4) == 0, drains = t / 400 % 2;
        const bool push_fill = fill.n < ENTRIES && hd_rand_below(drains ? 6 : 3) == 0;
        const bool push_serve = serve.n < ENTRIES && hd_rand_below(drains ? 6 : 3) == 0;
        const bool pop_fill = fill.n > 0 && hd_rand_below(drains ? 2 : 5) == 0;
        const bool pop_serve = serve.n > 0 && hd_rand_below(drains ? 2 : 5) == 0;
        const bool ask = hd_rand_below(3) == 0;

        *d.work_i = (uint8_t)(1u << work);
        *d.plan_i = (uint32_t)(L2_PUT(PLAN, FILL_PUSH, push_fill) | L2_PUT(PLAN, FILL_POP, pop_fill)
                               | L2_PUT(PLAN, SERVE_PUSH, push_serve) | L2_PUT(PLAN, SERVE_POP, pop_serve)
                               | L2_PUT(PLAN, TXN_CLR, wakes) | L2_PUT(PLAN, ASK, ask));
        unsigned in[4]; /* the entry at work, of the transaction, next, new */
        for (unsigned i = 0; i < 4; i++) {
            in[i] = (unsigned)hd_rand_below(ENTRIES);
            hd_bits_put(d.push_i, (3 - i) * IDX_W, IDX_W, in[i]);
        }
        *d.way_i = (uint8_t)hd_rand_below(4), *d.rest_i = (uint8_t)hd_rand_below(64);
        hd_eval(d.m);
        const unsigned source = wakes ? 1 : chained ? 2 : req ? 3 : 0;
        assert_int_equal(*d.queued_o, L2_PUT(WORK, FILL, fill.n > 0) | L2_PUT(WORK, SERVE, serve.n > 0));
        if (fill.n > 0) {
            assert_int_equal(*d.fill_idx_o, fill.idx[0]);
            assert_int_equal(*d.fill_way_o, fill.way[0]);
        }
        if (serve.n > 0)
            assert_int_equal(*d.serve_idx_o, serve.idx[0]);
        assert_int_equal(*d.todo_o, work == HD_L2_WORK_FILL_LSB ? todo_fill : todo_serve);
        idle += *d.queued_o == 0;
        both_full += fill.n == ENTRIES && serve.n == ENTRIES;
        hd_edge(d.m);
        if (pop_fill) {
            fill.n--;
            memmove(fill.idx, fill.idx + 1, sizeof fill.idx - sizeof *fill.idx);
            memmove(fill.way, fill.way + 1, sizeof fill.way - sizeof *fill.way);
        }
        if (pop_serve) {
            serve.n--;
            memmove(serve.idx, serve.idx + 1, sizeof serve.idx - sizeof *serve.idx);
        }
        if (push_fill) {
            fill.idx[fill.n] = in[source];
            fill.way[fill.n++] = *d.way_i;
        }
        if (push_serve)
            serve.idx[serve.n++] = in[source];
        pushes[source] += push_fill || push_serve;
        if (ask && work == HD_L2_WORK_FILL_LSB)
            todo_fill = *d.rest_i;
        if (ask && work == HD_L2_WORK_SERVE_LSB)
            todo_serve = *d.rest_i;
    }
    for (unsigned i = 0; i < 4; i++)
        assert_true(pushes[i] > 100);
    assert_true(both_full > 20 && idle > 20);
}

static void a_walk_sees_every_line_once_and_ends(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 2; round++) {
        *d.flush_i = 1;
        *d.work_i = 0, *d.plan_i = 0;
        hd_edge(d.m);
        *d.flush_i = 0;
        for (unsigned line = 0; line < LINES; line++) {
            for (unsigned wait = hd_rand_below(3) == 0; wait <= 1; wait++) {
                *d.plan_i = (uint32_t)L2_PUT(PLAN, WALK_NEXT, wait);
                hd_eval(d.m);
                assert_int_equal(*d.queued_o, L2_BIT(WORK, WALK));
                assert_int_equal(*d.walk_line_o, line);
                hd_edge(d.m);
            }
        }
        *d.plan_i = 0;
        hd_eval(d.m);
        assert_int_equal(*d.queued_o, 0);
    }
}

static void two_works_and_pushes_without_room_are_asserted(void **state)
{
    static const unsigned full[] = {HD_L2_PLAN_FILL_PUSH_LSB, HD_L2_PLAN_SERVE_PUSH_LSB};

    (void)state;
    *d.work_i = 1u << HD_L2_WORK_SERVE_LSB | 1u << HD_L2_WORK_REQ_LSB;
    hd_eval(d.m);
    hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
    hd_assert_clear(d.m);
    *d.work_i = 0;
    for (unsigned queue = 0; queue < 2; queue++) {
        *d.plan_i = 1u << full[queue];
        for (unsigned i = 0; i < ENTRIES; i++)
            hd_edge(d.m);
        assert_int_equal(hd_assert_failures(d.m), 0);
        hd_edge(d.m);
        assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
        hd_assert_clear(d.m);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(entries_leave_in_order_and_asks_are_remembered, setup, teardown),
        cmocka_unit_test_setup_teardown(a_walk_sees_every_line_once_and_ends, setup, teardown),
        cmocka_unit_test_setup_teardown(two_works_and_pushes_without_room_are_asserted, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
