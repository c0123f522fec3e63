/* test_hd_persist_tags.c - epochs of rows against numbers that never wrap: who may take words, who may leave, room for markers. */
/* dut: hd_persist_tags Rows=4 Epochs=2 */
/* dut: hd_persist_tags Rows=8 Epochs=8 */
#include "hd_unit.h"
#include "hd_persist_tags_dut.h"

static void rows_hold_one_epoch_and_leave_in_the_oldest(void **state)
{
    struct hd_persist_tags d;
    unsigned newest = 0, oldest = 0, epoch[P_Rows] = {0}, seen[6] = {0};
    bool tracked[P_Rows] = {false};

    (void)state;
    hd_persist_tags_open(&d);
    hd_reset(d.m);
    for (unsigned k = 0; k < 40000; k++) {
        const unsigned row = (unsigned)hd_rand_below(P_Rows), also = (unsigned)hd_rand_below(P_Rows);

        *d.row_i = row, *d.also_i = also;
        *d.put_i = *d.drop_i = *d.open_i = *d.close_i = 0;
        hd_eval(d.m);
        const bool may_put = !tracked[row] || epoch[row] == newest, may_leave = !tracked[row] || epoch[row] == oldest;
        assert_int_equal(*d.tracked_o, tracked[row]);
        assert_int_equal(*d.put_ok_o, may_put);
        assert_int_equal(*d.leave_o, may_leave);
        assert_int_equal(*d.also_leave_o, !tracked[also] || epoch[also] == oldest);
        assert_int_equal(*d.more_o, newest - oldest < P_Epochs - 1);
        assert_int_equal(*d.one_o, newest == oldest);
        assert_int_equal(*d.oldest_o, oldest % P_Epochs);
        const bool put = may_put && hd_rand_below(2), drop = may_leave && hd_rand_below(2);
        const bool more = newest - oldest < P_Epochs - 1 && hd_rand_below(4) == 0;
        bool ends = newest != oldest && hd_rand_below(4) == 0;
        for (unsigned r = 0; r < P_Rows; r++) /* the FIFO in front of it sees to that */
            ends &= !(tracked[r] && epoch[r] == oldest);
        seen[0] += !may_put, seen[1] += !may_leave, seen[2] += put, seen[3] += drop && !put, seen[4] += more, seen[5] += ends;
        *d.put_i = put, *d.drop_i = drop, *d.open_i = more, *d.close_i = ends;
        hd_edge(d.m);
        if (put)
            tracked[row] = true, epoch[row] = newest;
        else if (drop)
            tracked[row] = false;
        newest += more;
        oldest += ends;
    }
    for (unsigned i = 0; i < 6; i++)
        assert_true(seen[i] > 50);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(rows_hold_one_epoch_and_leave_in_the_oldest)};

    return HD_UNIT_MAIN(argc, argv, t);
}
