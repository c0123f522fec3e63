/* test_hd_persist_tags.c - epochs of rows against numbers that never wrap: who may take words, who may leave, room for markers. */
/* dut: hd_persist_tags Rows=4 Epochs=2 */
/* dut: hd_persist_tags Rows=8 Epochs=8 */
#include "hd_unit.h"
#include "hd_persist_tags_dut.h"
#include "hd_bits.h"

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
        *d.do_i = 0;
        hd_eval(d.m);
        const bool may_put = !tracked[row] || epoch[row] == newest, may_leave = !tracked[row] || epoch[row] == oldest;
        assert_int_equal(HD_GET(d.row_o, PTAG_ROW_TRACKED), tracked[row]);
        assert_int_equal(HD_GET(d.row_o, PTAG_ROW_PUT_OK), may_put);
        assert_int_equal(HD_GET(d.row_o, PTAG_ROW_LEAVE), may_leave);
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
        HD_PUT(d.do_i, PTAG_DO_PUT, put);
        HD_PUT(d.do_i, PTAG_DO_DROP, drop);
        HD_PUT(d.do_i, PTAG_DO_OPEN, more);
        HD_PUT(d.do_i, PTAG_DO_CLOSE, ends);
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
