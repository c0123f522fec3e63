/* test_hd_l1_gpu_dirty.c - the list and the NVW-FIFO of an L1 see the same rows; what may be made dirty; how many words are. */
/* dut: hd_l1_gpu_dirty Rows=8 LineWords=4 SbWords=8 SbRows=3 Markers=2 WhoW=5 Persist=1 NvwDepth=2 LineW=28 ByteW=4 */
/* dut: hd_l1_gpu_dirty Rows=8 LineWords=4 SbWords=8 SbRows=3 Markers=2 WhoW=5 Persist=0 LineW=28 ByteW=4 */
#include "hd_unit.h"
#include "hd_l1_gpu_dirty_dut.h"
#include "hd_bits.h"

enum { ROWS = P_Rows, WORDS = P_LineWords, NV = 32, ALL = (1 << WORDS) - 1, MARK = 1000 };

#define HEAD(name) (*d.heads_o >> HD_GPU_HEADS_##name##_LSB & 1)
#define DIRTY(name) (*d.dirty_o >> HD_GPU_DIRTY_##name##_LSB & 1)

static struct hd_l1_gpu_dirty d;

static void rows_leave_in_the_order_of_their_first_dirty_word(void **state)
{
    unsigned line[ROWS] = {0}, dirty[ROWS] = {0}, list[ROWS + P_Markers], len = 0, words = 0, markers = 0;
    unsigned fifo[4], fifos = 0, full = 0, refused = 0, popped = 0, left = 0;
    bool holds[ROWS] = {false}, tracked[ROWS] = {false};

    (void)state;
    hd_l1_gpu_dirty_open(&d);
    hd_reset(d.m);
    *d.nv_base_i = P_Persist ? NV << P_ByteW : 0;
    for (unsigned n = 0; n < 40000; n++) {
        const unsigned row = (unsigned)hd_rand_below(ROWS), want = (unsigned)hd_bits_random_mask(WORDS);
        const unsigned other = (unsigned)hd_rand_below(2 * NV), what = (unsigned)hd_rand_below(8);
        const bool same = holds[row] && (dirty[row] || other == line[row] || hd_rand_below(2));
        const unsigned num = same ? line[row] : other;
        bool listed = false, twice = false, nv = P_Persist && num >= NV;
        unsigned rows = 0;

        for (unsigned i = 0; i < len; i++) {
            listed |= list[i] == row;
            rows += list[i] < MARK;
        }
        for (unsigned i = 0; i < ROWS; i++) /* a line is in one row */
            twice |= i != row && holds[i] && line[i] == num;
        *d.write_i = *d.put_i = *d.put_marker_i = *d.mark_valid_i = *d.list_pop_i = *d.pop_i = 0;
        *d.row_i = (uint8_t)row, *d.num_i = num, *d.hit_i = same;
        *d.d_i = (uint8_t)dirty[row], *d.d_new_i = (uint8_t)(dirty[row] | want), *d.fit_i = (uint8_t)(want & ~dirty[row]);
        *d.who_i = (uint8_t)hd_rand_below(32), *d.mark_id_i = (uint8_t)hd_rand_below(256);
        *d.mark_valid_i = P_Persist && what == 7;
        hd_eval(d.m);
        const unsigned more = hd_bits_count(want & ~dirty[row]);
        const bool list_ok = words + more <= P_SbWords && (listed || rows < P_SbRows), nv_ok = !nv || (same && tracked[row]) || fifos < 2;
        assert_true(!P_Persist || DIRTY(NV) == nv);
        assert_true(!DIRTY(NV_ROOM) || nv_ok);
        if (DIRTY(ROOM) != (list_ok && DIRTY(NV_ROOM)))
            fail_msg("cycle %u: room %d, %u words and %u more, %u rows, row %u %s", n, DIRTY(ROOM), words, more, rows, row,
                     listed ? "listed" : "not listed");
        assert_true(DIRTY(NV_ROOM) || nv);
        assert_true(!P_Persist || DIRTY(TRACKED) == (same && tracked[row]));
        assert_true(DIRTY(LEAVE) && HEAD(LEAVE) && DIRTY(ONE));
        assert_int_equal(HEAD(VALID), len > 0);
        assert_int_equal(HEAD(MARKER), len > 0 && list[0] >= MARK);
        assert_int_equal(HEAD(MARKED), markers > 0);
        if (len > 0 && list[0] < MARK)
            assert_int_equal(*d.head_row_o, list[0]);
        if (len > 0 && list[0] >= MARK)
            assert_int_equal(*d.head_who_o, list[0] - MARK);
        full += HEAD(FULL);
        if (what < 4 && !twice) { /* an access makes words dirty */
            refused += !DIRTY(ROOM);
            if (DIRTY(ROOM)) {
                *d.write_i = *d.put_i = 1;
                words += more;
                dirty[row] |= want, line[row] = num, holds[row] = true;
                if (nv && !(same && tracked[row]))
                    fifo[fifos++] = num;
                tracked[row] = nv;
                if (!listed)
                    list[len++] = row;
            }
        } else if (what == 4 && len > 0) { /* the head of the list leaves */
            *d.list_pop_i = 1;
            if (list[0] < MARK) { /* and its words are written through */
                const unsigned r = list[0];
                *d.write_i = 1, *d.row_i = (uint8_t)r, *d.num_i = line[r], *d.hit_i = 1;
                *d.d_i = (uint8_t)dirty[r], *d.d_new_i = 0;
                words -= hd_bits_count(dirty[r]);
                dirty[r] = 0;
                left++;
            } else {
                markers--;
            }
            memmove(&list[0], &list[1], --len * sizeof list[0]);
        } else if (what == 5 && markers < P_Markers) {
            *d.put_marker_i = 1;
            list[len++] = MARK + *d.who_i, markers++;
        } else if (what == 6 && HEAD(POP)) { /* the head of the NVW-FIFO: a line that is here, or not any more */
            unsigned r = 0;
            *d.pop_i = 1;
            if (HEAD(POP_MARK)) {
                assert_int_equal(fifo[0], MARK + *d.pop_id_o);
            } else {
                assert_int_equal(*d.pop_num_o, fifo[0]);
                while (r < ROWS && !(holds[r] && line[r] == fifo[0]))
                    r++;
                *d.hit_i = r < ROWS;
                *d.row_i = (uint8_t)(r % ROWS), *d.num_i = *d.pop_num_o;
                *d.d_i = *d.d_new_i = 0;
                if (r < ROWS)
                    tracked[r] = false;
            }
            memmove(&fifo[0], &fifo[1], --fifos * sizeof fifo[0]);
            popped++;
        } else if (*d.mark_valid_i && *d.mark_ready_o) {
            fifo[fifos++] = MARK + *d.mark_id_i;
        }
        hd_edge(d.m);
    }
    assert_true(full > 300 && refused > 300 && left > 1000);
    assert_int_equal(popped > 500, P_Persist);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(rows_leave_in_the_order_of_their_first_dirty_word)};

    return HD_UNIT_MAIN(argc, argv, t);
}
