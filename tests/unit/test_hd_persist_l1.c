/* test_hd_persist_l1.c - entries and tracked bits of an L1's NVW-FIFO against a list in C: a line enters when it is not
 * tracked, the head leaves only while a marker is in the list or the list is full, markers keep their place. Buffered: a row
 * takes no words behind a marker that stands behind its own, and is written in the epoch of its own only. */
/* dut: hd_persist_l1 Depth=4 Rows=8 LineW=10 ByteW=5 */
/* dut: hd_persist_l1 Persist=2 Depth=12 Rows=8 LineW=10 ByteW=5 */
/* dut: hd_persist_l1 Depth=1 Rows=4 LineW=12 ByteW=6 */
/* dut: hd_persist_l1 Persist=0 Depth=4 Rows=8 LineW=10 ByteW=5 */
#include "hd_unit.h"
#include "hd_persist_l1_dut.h"
#include "hd_bits.h"

#ifndef P_Persist
#define P_Persist 1
#endif
enum { LIST = 64, NV = 40, NUMBERS = 80, STEP = (1 << P_LineW) / NUMBERS, BUFFERED = P_Persist == 2, MARKERS = 7 };

#define FOUND(member) HD_GET(d.found_o, NVW_FOUND_##member)
#define HEAD(member) HD_GET(d.head_o, NVW_HEAD_##member)

struct entry {
    bool mark;
    unsigned what;
};

static void lines_and_markers_keep_their_order(void **state)
{
    struct hd_persist_l1 d;
    struct entry list[LIST];
    unsigned n = 0, marks = 0, lines[P_Rows], id = 0, seen[8] = {0};
    unsigned newest = 0, oldest = 0, epoch[P_Rows] = {0};
    bool tracked[P_Rows] = {false}, holds[P_Rows] = {false};

    (void)state;
    hd_persist_l1_open(&d);
    hd_reset(d.m);
    *d.nv_base_i = NV * STEP << P_ByteW;
    for (unsigned k = 0; k < 40000; k++) {
        /* an access: of a line that has a row, or that takes one */
        const unsigned row = (unsigned)hd_rand_below(P_Rows), num = (unsigned)hd_rand_below(NUMBERS) * STEP + 1;
        bool hit = holds[row] && hd_rand_below(3) != 0, other = true;
        const unsigned line = hit ? lines[row] : num;

        for (unsigned r = 0; r < P_Rows; r++) /* a line has one row */
            other &= !(r != row && holds[r] && lines[r] == line);
        hit |= holds[row] && lines[row] == line;
        *d.do_i = 0;
        *d.row_i = row, *d.num_i = line, *d.hit_i = hit;
        *d.mark_valid_i = hd_rand_below(8) == 0, *d.mark_id_i = (uint8_t)id;
        hd_eval(d.m);
        const bool nv = P_Persist && line >= NV * STEP, full = n == P_Depth, was = hit && tracked[row];
        assert_int_equal(FOUND(NV), nv);
        assert_int_equal(FOUND(TRACKED), !P_Persist || was);
        const unsigned listed = (unsigned)hd_rand_below(P_Rows);
        *d.list_row_i = listed;
        hd_eval(d.m);
        assert_int_equal(FOUND(ROOM), !nv || (was ? !BUFFERED || epoch[row] == newest : !full));
        assert_int_equal(FOUND(LEAVE), !BUFFERED || !tracked[row] || epoch[row] == oldest);
        assert_int_equal(HEAD(LIST_LEAVE), !BUFFERED || !tracked[listed] || epoch[listed] == oldest);
        assert_int_equal(FOUND(ONE), !BUFFERED || newest == oldest);
        assert_int_equal(HEAD(POP), P_Persist && n > 0 && (marks > 0 || full));
        assert_int_equal(HEAD(IDLE), !HEAD(POP));
        if (HEAD(POP)) {
            assert_int_equal(HEAD(MARK), list[0].mark);
            assert_int_equal(list[0].mark ? *d.entry_o & 0xff : *d.entry_o, list[0].what);
        }
        bool push = false, untrack = false, pop = false, put = false, taken = false;
        if (HEAD(POP) && hd_rand_below(2)) { /* the row in which the line is, if it is anywhere */
            unsigned r = 0;
            pop = true;
            while (!list[0].mark && r < P_Rows && !(holds[r] && lines[r] == list[0].what))
                r++;
            *d.hit_i = !list[0].mark && r < P_Rows;
            *d.row_i = r % P_Rows, *d.num_i = list[0].mark ? num : list[0].what;
            untrack = *d.hit_i && (!BUFFERED || epoch[r] == oldest);
            seen[untrack ? 0 : 1]++;
        } else if (other && FOUND(ROOM) && hd_rand_below(2)) {
            put = hd_rand_below(2);
            taken = !hit;
            push = put && nv && !was;
            seen[2] += push, seen[3] += was;
        } else if (!FOUND(ROOM)) {
            seen[4]++;
        }
        HD_PUT(d.do_i, NVW_DO_PUT, put);
        HD_PUT(d.do_i, NVW_DO_FRESH, taken);
        HD_PUT(d.do_i, NVW_DO_POP, pop);
        hd_eval(d.m);
        const bool mark = *d.mark_valid_i && *d.mark_ready_o;
        assert_int_equal(*d.mark_ready_o, P_Persist && !full && !push && (!BUFFERED || newest - oldest < MARKERS));
        const unsigned at = (unsigned)*d.row_i;
        hd_edge(d.m);
        if (pop) {
            marks -= list[0].mark;
            oldest += list[0].mark;
            seen[5] += list[0].mark;
            memmove(&list[0], &list[1], --n * sizeof list[0]);
            if (untrack)
                tracked[at] = false;
        }
        if (push || mark) {
            assert_true(n < LIST);
            list[n++] = push ? (struct entry){false, line} : (struct entry){true, id};
            marks += mark;
            id = mark ? (id + 1) % 256 : id;
        }
        if (taken)
            lines[row] = line, holds[row] = true, tracked[row] = false;
        if (put && nv)
            tracked[row] = true, epoch[row] = newest;
        newest += mark;
    }
    for (unsigned i = 0; P_Persist && i < 6; i++)
        assert_true(seen[i] > 50 || (i == 1 && P_Depth == 1));
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

/* From a line of any number on, from one bit of an address on, nowhere; what comes in the place of the line does not count. */
static void a_base_parts_the_lines(void **state)
{
    struct hd_persist_l1 d;
    unsigned above = 0;

    (void)state;
    hd_persist_l1_open(&d);
    hd_reset(d.m);
    for (unsigned k = 0; k < 4000; k++) {
        const uint32_t line = (uint32_t)hd_rand_below(1u << P_LineW), near = line + (uint32_t)hd_rand_below(3) - 1;
        const uint32_t base = k % 4 == 0   ? 1u << hd_rand_below(32)
                              : k % 4 == 1 ? near << P_ByteW | (uint32_t)hd_rand_below(1u << P_ByteW)
                              : k % 4 == 2 ? (uint32_t)hd_rand()
                              : k % 64 != 3 ? (uint32_t)hd_rand_below(1u << (P_LineW + P_ByteW))
                                           : 0;
        const uint32_t first = base >> P_ByteW & ((1u << P_LineW) - 1);
        *d.nv_base_i = base, *d.num_i = line;
        hd_eval(d.m);
        assert_int_equal(FOUND(NV), P_Persist && base != 0 && line >= first);
        above += FOUND(NV);
    }
    assert_true(!P_Persist || (above > 500 && above < 3500));
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(lines_and_markers_keep_their_order), cmocka_unit_test(a_base_parts_the_lines)};

    return HD_UNIT_MAIN(argc, argv, t);
}
