/* test_hd_l1_gpu_dirty.c - the list and the NVW-FIFO of an L1 see the same rows; what may be made dirty; how many words are.
 * Buffered: in which persist epoch a row's words are, so what may join them and when they may leave. */
/* dut: hd_l1_gpu_dirty Rows=8 LineWords=4 SbWords=8 SbRows=3 Markers=2 WhoW=5 Persist=1 NvwDepth=2 LineW=28 ByteW=4 */
/* dut: hd_l1_gpu_dirty Rows=8 LineWords=4 SbWords=8 SbRows=3 Markers=2 WhoW=5 Persist=0 LineW=28 ByteW=4 */
/* dut-rtl: hd_l1_gpu_dirty Rows=8 LineWords=4 SbWords=8 SbRows=3 Markers=2 WhoW=5 Persist=2 NvwDepth=8 LineW=28 ByteW=4 */
#include "hd_unit.h"
#include "hd_l1_gpu_dirty_dut.h"
#include "hd_bits.h"
#include "nv_lines.h"

#ifndef P_NvwDepth
#define P_NvwDepth 1
#endif
enum { ROWS = P_Rows, WORDS = P_LineWords, LINES = 64, NV = LINES / 2, DEPTH = P_NvwDepth, CYCLES = P_Persist == 2 ? 80000 : 40000, PHASES = 8,
       BUFFERED = P_Persist == 2, MARKERS = 7 };
#define MARK (UINT32_C(1) << P_LineW) /* a persist barrier or a release, not a line or a row */

#define HEAD(name) (*d.heads_o >> HD_GPU_HEADS_##name##_LSB & 1)
#define DIRTY(name) (*d.dirty_o >> HD_GPU_DIRTY_##name##_LSB & 1)

static struct hd_l1_gpu_dirty d;
static uint32_t number[LINES]; /* of lines; those from NV on are of non-volatile memory */

/* Everything is empty, and non-volatile memory begins elsewhere: at any line, or there is none. */
static void begin(bool none)
{
    const uint32_t base = nv_lines(number, LINES, MARK, none);

    hd_reset(d.m);
    *d.nv_base_i = P_Persist ? base << P_ByteW : 0;
}

static void row_is(unsigned row, uint32_t line, bool hit, unsigned before, unsigned after)
{
    *d.row_i = (uint8_t)row, *d.num_i = line, *d.hit_i = hit, *d.d_i = (uint8_t)before, *d.d_new_i = (uint8_t)after;
}

static void rows_leave_in_the_order_of_their_first_dirty_word(void **state)
{
    uint32_t line[ROWS], list[ROWS + P_Markers], fifo[DEPTH];
    unsigned dirty[ROWS], len = 0, words = 0, markers = 0, fifos = 0, barriers = 0;
    unsigned full = 0, refused = 0, popped = 0, stale = 0, marks = 0, left = 0, victims = 0, others = 0;
    unsigned newest = 0, oldest = 0, epoch[ROWS], stays = 0, behind = 0, early = 0; /* early: to leave, before its epoch */
    bool holds[ROWS], tracked[ROWS];

    (void)state;
    hd_l1_gpu_dirty_open(&d);
    for (unsigned n = 0; n < CYCLES; n++) {
        if (n % (CYCLES / PHASES) == 0) {
            begin(n == 0);
            len = words = markers = fifos = barriers = newest = oldest = 0;
            memset(line, 0, sizeof line), memset(dirty, 0, sizeof dirty), memset(epoch, 0, sizeof epoch);
            memset(holds, 0, sizeof holds), memset(tracked, 0, sizeof tracked);
        }
        const unsigned row = (unsigned)hd_rand_below(ROWS), want = (unsigned)hd_bits_random_mask(WORDS);
        const unsigned what = (unsigned)hd_rand_below(10);
        const uint32_t other = number[BUFFERED ? NV - 2 + hd_rand_below(8) : hd_rand_below(LINES)]; /* a line comes again */
        const bool same = holds[row] && (dirty[row] || other == line[row] || hd_rand_below(2));
        const uint32_t num = same ? line[row] : other;
        const bool nv = *d.nv_base_i && num >= *d.nv_base_i >> P_ByteW;
        bool listed = false, twice = false;
        unsigned rows = 0;

        for (unsigned i = 0; i < len; i++) {
            listed |= list[i] == row;
            rows += list[i] < MARK;
        }
        for (unsigned i = 0; i < ROWS; i++) /* a line is in one row */
            twice |= i != row && holds[i] && line[i] == num;
        *d.write_i = *d.put_i = *d.put_marker_i = *d.list_pop_i = *d.pop_i = 0;
        row_is(row, num, same, dirty[row], dirty[row] | want);
        *d.fit_i = (uint8_t)(want & ~dirty[row]);
        *d.who_i = (uint8_t)hd_rand_below(32), *d.mark_id_i = (uint8_t)hd_rand_below(256);
        *d.mark_valid_i = P_Persist && what == 7;
        hd_eval(d.m);
        const unsigned more = hd_bits_count(want & ~dirty[row]);
        const bool list_ok = words + more <= P_SbWords && (listed || rows < P_SbRows);
        const bool joins = !BUFFERED || epoch[row] == newest, leaves = !BUFFERED || !tracked[row] || epoch[row] == oldest;
        const bool nv_ok = !nv || (same && tracked[row] ? joins : fifos < DEPTH);
        assert_true(!P_Persist || DIRTY(NV) == nv);
        assert_int_equal(DIRTY(NV_ROOM), nv_ok);
        if (DIRTY(ROOM) != (list_ok && nv_ok))
            fail_msg("cycle %u: room %d, %u words and %u more, %u rows, row %u %s", n, DIRTY(ROOM), words, more, rows, row,
                     listed ? "listed" : "not listed");
        assert_true(!P_Persist || DIRTY(TRACKED) == (same && tracked[row]));
        assert_int_equal(DIRTY(LEAVE), leaves);
        assert_int_equal(DIRTY(ONE), newest == oldest || !BUFFERED);
        bool head_leaves = true;
        if (len > 0 && list[0] < MARK) {
            head_leaves = !BUFFERED || !tracked[list[0]] || epoch[list[0]] == oldest;
            assert_int_equal(HEAD(LEAVE), head_leaves);
        }
        early += !head_leaves && leaves, behind += nv && same && tracked[row] && !joins;
        assert_int_equal(*d.mark_ready_o, P_Persist && fifos < DEPTH && (!BUFFERED || newest - oldest < MARKERS));
        assert_int_equal(HEAD(VALID), len > 0);
        assert_int_equal(HEAD(MARKER), len > 0 && list[0] >= MARK);
        assert_int_equal(HEAD(MARKED), markers > 0);
        assert_int_equal(HEAD(FULL), words + WORDS > P_SbWords || rows == P_SbRows);
        if (len > 0 && list[0] < MARK)
            assert_int_equal(*d.head_row_o, list[0]);
        if (len > 0 && list[0] >= MARK)
            assert_int_equal(*d.head_who_o, list[0] - MARK);
        assert_int_equal(HEAD(POP), fifos == DEPTH || barriers > 0); /* lazily */
        assert_int_equal(*d.idle_o, !HEAD(POP));
        if (HEAD(POP)) {
            assert_int_equal(HEAD(POP_MARK), fifo[0] >= MARK);
            assert_int_equal(HEAD(POP_MARK) ? *d.pop_id_o + MARK : *d.pop_num_o, fifo[0]);
        }
        full += HEAD(FULL);
        if (what < 4 && !twice) { /* an access makes words dirty */
            refused += !DIRTY(ROOM);
            if (DIRTY(ROOM)) {
                *d.write_i = *d.put_i = 1;
                words += more;
                dirty[row] |= want, line[row] = num, holds[row] = true;
                if (nv && !(same && tracked[row]))
                    fifo[fifos++] = num;
                tracked[row] = nv, epoch[row] = newest;
                if (!listed)
                    list[len++] = row;
            }
        } else if (what == 4 && len > 0 && head_leaves) { /* the head of the list leaves */
            *d.list_pop_i = 1;
            if (list[0] < MARK) { /* and its words are written through */
                const unsigned r = list[0];
                *d.write_i = holds[r];
                row_is(r, line[r], holds[r], dirty[r], 0);
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
                barriers--, marks++, oldest++;
            } else {
                while (r < ROWS && !(holds[r] && line[r] == fifo[0]))
                    r++;
                const bool here = r < ROWS, writes = here && (!BUFFERED || !tracked[r] || epoch[r] == oldest);
                *d.write_i = writes;
                row_is(r % ROWS, fifo[0], here, here ? dirty[r] : 0, here && !writes ? dirty[r] : 0);
                if (here && !writes) { /* words of a later epoch, for which it has another entry */
                    stays++;
                } else if (here) {
                    words -= hd_bits_count(dirty[r]);
                    dirty[r] = 0, tracked[r] = false, popped++;
                } else {
                    stale++;
                }
            }
            memmove(&fifo[0], &fifo[1], --fifos * sizeof fifo[0]);
        } else if (what == 8 && holds[row] && dirty[row] && leaves) { /* a victim: its row holds nothing */
            *d.write_i = 1;
            row_is(row, line[row], false, dirty[row], 0);
            words -= hd_bits_count(dirty[row]);
            dirty[row] = 0, holds[row] = tracked[row] = false, victims++;
        } else if (what == 9 && !dirty[row] && !same && !twice) { /* a READ's line takes the row */
            *d.write_i = 1;
            row_is(row, num, false, 0, 0);
            line[row] = num, holds[row] = true, tracked[row] = false, others++;
        } else if (*d.mark_valid_i && *d.mark_ready_o) {
            fifo[fifos++] = MARK + *d.mark_id_i, barriers++, newest++;
        }
        hd_edge(d.m);
    }
    assert_true(full > 300 && refused > 300 && left > 1000 && victims > 300 && others > 300);
    assert_true(!P_Persist || (popped > 300 && stale > 50 && marks > 300));
    assert_true(!BUFFERED || (stays > 0 && behind > 300 && early > 300));
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(rows_leave_in_the_order_of_their_first_dirty_word)};

    return HD_UNIT_MAIN(argc, argv, t);
}
