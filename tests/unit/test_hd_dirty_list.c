/* test_hd_dirty_list.c - rows, markers and the count of dirty words against a list in C. */
/* dut: hd_dirty_list Rows=8 SbWords=16 SbRows=5 Markers=3 WhoW=7 LineWords=4 */
/* dut: hd_dirty_list Rows=4 SbWords=8 SbRows=9 Markers=1 WhoW=2 LineWords=8 */
/* dut: hd_dirty_list Rows=4 SbWords=16 SbRows=2 Markers=64 WhoW=6 LineWords=8 */
#include "hd_unit.h"
#include "hd_dirty_list_dut.h"
#include "hd_bits.h"

#define DO(member) HD_GET(d.do_i, DIRTY_DO_##member)
#define PUT(member, value) HD_PUT(d.do_i, DIRTY_DO_##member, value)
#define LIST(member) HD_GET(d.list_o, DIRTY_LIST_##member)

enum { ROWS = P_Rows, MOST = P_SbRows < P_Rows ? P_SbRows : P_Rows, DEPTH = MOST + P_Markers };

static void random_traffic_matches_a_list(void **state)
{
    struct hd_dirty_list d;
    struct { bool marker; unsigned key; } q[DEPTH];
    unsigned len = 0, markers = 0, words = 0, full = 0, again = 0, out = 0, deepest = 0;
    bool in[ROWS] = {0};

    (void)state;
    hd_dirty_list_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < 20000; n++) {
        const unsigned row = (unsigned)hd_rand_below(ROWS), fit = (unsigned)hd_rand_below(P_LineWords + 1), lean = n / 300 % 3;
        const bool many = n / 300 % 8 == 7; /* releases that come, and nothing is written meanwhile */

        *d.row_i = (uint8_t)row, *d.fit_i = (uint8_t)fit, *d.who_i = (uint8_t)hd_rand_below(1u << P_WhoW);
        *d.do_i = *d.add_i = *d.sub_i = 0;
        hd_eval(d.m);
        const bool room = words + fit <= P_SbWords && (in[row] || len - markers < MOST);
        assert_int_equal(*d.room_o, room);
        assert_int_equal(LIST(FULL), words + P_LineWords > P_SbWords || len - markers == MOST);
        assert_int_equal(*d.words_o, words);
        assert_int_equal(LIST(MARKED), markers > 0);
        assert_int_equal(LIST(VALID), len > 0);
        assert_int_equal(LIST(MARKER), len > 0 && q[0].marker);
        if (len > 0 && q[0].marker)
            assert_int_equal(*d.head_who_o, q[0].key);
        else if (len > 0)
            assert_int_equal(*d.head_row_o, q[0].key);
        full += LIST(FULL);
        PUT(POP, len > 0 && hd_rand_below(many ? 64 : 4) > (many ? 62 : 2 - lean));
        PUT(ROW, room && hd_rand_below(4) > lean);
        if (DO(ROW))
            *d.add_i = (uint8_t)fit;
        else if (words > 0)
            *d.sub_i = (uint8_t)hd_rand_below((words < P_LineWords ? words : P_LineWords) + 1);
        PUT(MARKER, !DO(ROW) && markers < P_Markers && hd_rand_below(many ? 1 : 4) == 0);
        hd_edge(d.m);
        words = words + *d.add_i - *d.sub_i;
        const bool new_row = DO(ROW) && !in[row];
        again += DO(ROW) && !new_row;
        if (DO(POP)) {
            if (q[0].marker)
                markers--;
            else
                in[q[0].key] = false;
            memmove(q, q + 1, --len * sizeof q[0]);
            out++;
        }
        if (new_row)
            in[row] = true, q[len].marker = false, q[len++].key = row;
        if (DO(MARKER))
            markers++, q[len].marker = true, q[len++].key = *d.who_i;
        deepest = len > deepest ? len : deepest;
    }
    assert_true(full > 500 && again > 500 && out > 2000);
    assert_int_equal(deepest, DEPTH);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_reset(d.m);
    assert_int_equal(*d.words_o, 0);
    if (hd_has_asserts(d.m)) {
        PUT(POP, 1); /* of an empty list */
        hd_edge(d.m);
        assert_true(hd_assert_failures(d.m) > 0);
    }
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(random_traffic_matches_a_list)};

    return HD_UNIT_MAIN(argc, argv, t);
}
