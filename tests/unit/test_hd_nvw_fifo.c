/* test_hd_nvw_fifo.c - entries leave in order, and only while a marker is inside or the FIFO is full. */
/* dut: hd_nvw_fifo Depth=1 EntryW=8 */
/* dut: hd_nvw_fifo Depth=5 EntryW=8 */
#include "hd_unit.h"
#include "hd_nvw_fifo_dut.h"

enum { N = P_Depth, CYCLES = 20000 };

static struct hd_nvw_fifo d;

static int setup(void **state)
{
    (void)state;
    hd_nvw_fifo_open(&d);
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

static void against_a_list(void **state)
{
    unsigned entry[N + 1], n = 0, marks = 0, lazy = 0;
    bool mark[N + 1];

    (void)state;
    for (unsigned i = 0; i < CYCLES; i++) {
        bool push = n < N && hd_rand_below(2) == 0, is_mark = hd_rand_below(6) == 0, ready = hd_rand_below(2) == 0;

        *d.push_i = push;
        *d.push_mark_i = is_mark;
        *d.push_entry_i = (uint8_t)i;
        *d.pop_ready_i = ready;
        hd_eval(d.m);
        bool pop = n > 0 && (marks > 0 || n == N);
        lazy += n > 0 && !pop;
        assert_int_equal(*d.push_ready_o, n < N);
        assert_int_equal(*d.pop_o, pop);
        assert_int_equal(*d.idle_o, !pop);
        if (pop) {
            assert_int_equal(*d.pop_mark_o, mark[0]);
            assert_int_equal(*d.pop_entry_o, entry[0]);
        }
        hd_edge(d.m);
        hd_eval(d.m);
        if (push) {
            mark[n] = is_mark;
            entry[n++] = i & 0xff;
            marks += is_mark;
        }
        if (pop && ready) {
            marks -= mark[0];
            n--;
            memmove(entry, entry + 1, n * sizeof entry[0]);
            memmove(mark, mark + 1, n * sizeof mark[0]);
        }
    }
    assert_true(N == 1 || lazy > CYCLES / 10);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test_setup_teardown(against_a_list, setup, teardown)};

    return HD_UNIT_MAIN(argc, argv, t);
}
