/* test_hd_persist_l2.c - a marker is answered when every line noted before it was popped and its write is durable. */
/* dut: hd_persist_l2 Persist=1 Depth=2 Epochs=2 NumW=26 */
/* dut: hd_persist_l2 Persist=2 Depth=4 Epochs=4 NumW=26 Rows=4 */
#include "hd_unit.h"
#include "hd_persist_l2_dut.h"
#include "hd_bits.h"

enum { BASE = 0x4000, LINE = 64 };

static struct hd_persist_l2 d;

/* Pulses told so far, by the number after EV_L2_NVW_PUSH. */
static unsigned seen[HD_NVW_EV_L2_NUM];

static void edge(void)
{
    hd_eval(d.m);
    hd_edge(d.m);
    for (unsigned e = 0; e < HD_NVW_EV_L2_NUM; e++)
        seen[e] += *d.ev_o >> (HD_EV_L2_NVW_PUSH + e) & 1;
    *d.req_valid_i = *d.taken_i = *d.noted_i = *d.pop_i = *d.locked_i = *d.ended_i = *d.back_i = *d.mack_valid_i = 0;
    *d.pack_ready_i = 0;
    hd_eval(d.m);
}

static int setup(void **state)
{
    (void)state;
    hd_persist_l2_open(&d);
    hd_reset(d.m);
    *d.nv_base_i = BASE;
    memset(seen, 0, sizeof seen);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static void request(unsigned kind, uint32_t addr, unsigned opid)
{
    memset(d.req_head_i, 0, (HD_HEAD_W + 31) / 32 * 4);
    hd_bits_put(d.req_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
    hd_bits_put(d.req_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, 3);
    hd_bits_put(d.req_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, addr);
    hd_bits_put(d.req_head_i, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, opid);
    *d.req_valid_i = 1;
    hd_eval(d.m);
}

/* Lines in, written, stale; cycles that a request found no room, that the head was to leave, that no epoch was free, that a
 * marker waited for writes. */
static void told(unsigned in, unsigned written, unsigned stale, unsigned full, unsigned drain, unsigned no_epoch, unsigned waits)
{
    const unsigned want[HD_NVW_EV_L2_NUM] = {in, written, stale, full, drain, no_epoch, waits};

    edge();
    for (unsigned e = 0; e < HD_NVW_EV_L2_NUM; e++)
        if (seen[e] != want[e])
            fail_msg("event %u: %u, not %u", e, seen[e], want[e]);
    assert_true(*d.idle_o);
}

/* A write to @addr that the bank accepts; @noted: its line has an entry. */
static void write_to(uint32_t addr, bool noted)
{
    request(HD_MSG_WT, addr, 0);
    assert_true(*d.req_ok_o);
    *d.taken_i = 1;
    *d.noted_i = noted;
    edge();
}

static void mark(unsigned opid)
{
    request(HD_MSG_PMARK, 0, opid);
    assert_false(*d.req_ok_o);
    assert_true(*d.mark_o);
    edge();
}

/* The line of @addr is popped and written. @return the epoch of the write. */
static unsigned pop(uint32_t addr)
{
    assert_true(*d.pop_valid_o);
    assert_int_equal(*d.pop_num_o, addr / LINE);
    *d.pop_i = *d.back_i = 1;
    *d.back_addr_i = addr;
    hd_eval(d.m);
    unsigned epoch = *d.epoch_o;
    edge();
    return epoch;
}

static void durable(unsigned epoch)
{
    *d.mack_valid_i = 1;
    *d.mack_tid_i = (uint8_t)epoch;
    edge();
}

static void answered(unsigned opid)
{
    assert_true(*d.pack_valid_o);
    assert_int_equal(*d.pack_to_o, 3);
    assert_int_equal(*d.pack_id_o, opid);
    *d.pack_ready_i = 1;
    edge();
}

static void a_marker_waits_for_pop_and_durability(void **state)
{
    (void)state;
    write_to(BASE, false);
    write_to(BASE, true);
    write_to(BASE - LINE, false); /* not non-volatile */
    assert_false(*d.pop_valid_o);
    assert_true(*d.idle_o);
    mark(7);
    assert_false(*d.idle_o);
    unsigned epoch = pop(BASE);
    edge();
    edge();
    assert_false(*d.pack_valid_o);
    durable(epoch);
    answered(7);
    told(1, 1, 0, 0, 2, 0, 3);
}

static void an_eviction_counts(void **state)
{
    (void)state;
    *d.back_i = 1;
    *d.back_addr_i = BASE + LINE;
    hd_eval(d.m);
    unsigned epoch = *d.epoch_o;
    edge();
    mark(9);
    edge();
    assert_false(*d.pack_valid_o);
    durable(epoch);
    answered(9);
    told(0, 0, 0, 0, 1, 0, 2);
}

static void a_locked_line_waits_and_is_kept_from_requests(void **state)
{
    (void)state;
    write_to(BASE, false);
    mark(1);
    *d.pop_i = *d.locked_i = 1;
    edge();
    assert_false(*d.pop_valid_o);
    request(HD_MSG_WT, BASE, 0);
    assert_false(*d.req_ok_o);
    request(HD_MSG_GETS, BASE + LINE, 0);
    assert_true(*d.req_ok_o);
    *d.req_valid_i = 0;
    *d.ended_i = 1;
    edge();
    unsigned epoch = pop(BASE);
    edge();
    durable(epoch);
    answered(1);
    told(1, 1, 0, 0, 4, 0, 2);
}

static void a_full_fifo_pops_without_a_marker(void **state)
{
    (void)state;
    write_to(BASE, false);
    write_to(BASE + LINE, false);
    request(HD_MSG_WT, BASE + 2 * LINE, 0);
    assert_false(*d.req_ok_o);
    request(HD_MSG_GETS, BASE + 2 * LINE, 0);
    assert_true(*d.req_ok_o);
    *d.req_valid_i = 0;
    unsigned epoch = pop(BASE);
    assert_false(*d.pop_valid_o);
    durable(epoch);
    told(2, 1, 0, 0, 1, 0, 0);
}

/* Two epochs: the second marker leaves when the first is answered; the third finds no room meanwhile. */
static void markers_wait_for_an_epoch_and_for_room(void **state)
{
    (void)state;
    write_to(BASE, false);
    mark(1);
    unsigned epoch = pop(BASE);
    edge(); /* marker 1 has left */
    mark(2);
    mark(3);
    request(HD_MSG_PMARK, 0, 4);
    assert_false(*d.mark_o);
    edge();
    request(HD_MSG_WT, BASE, 0);
    assert_false(*d.req_ok_o);
    edge();
    durable(epoch);
    answered(1);
    edge(); /* marker 2 leaves */
    answered(2);
    edge();
    answered(3);
    told(1, 1, 0, 2, 10, 6, 8);
}

/* Random requests, pops, writes and completions against a list of entries and counts by epoch, cycle by cycle. */
enum { POOL = 6, CYCLES = 40000 };

static struct {
    struct {
        bool mark;
        uint32_t what; /* number of a line; node and id of a marker */
    } entry[P_Depth];
    unsigned n, marks, cur, old, count[P_Epochs], ev;
    uint32_t mark[P_Epochs], pool[POOL], base;
    bool held;
} r;

static bool nv(uint32_t addr)
{
    return r.base != 0 && addr >= r.base;
}

static void against_a_list_and_counts(void **state)
{
    static const unsigned kinds[] = {HD_MSG_GETS, HD_MSG_WT, HD_MSG_WT, HD_MSG_ATOMIC, HD_MSG_PMARK};
    uint64_t told[HD_NVW_EV_L2_NUM] = {0};
    unsigned packs = 0, holds = 0;

    (void)state;
    memset(&r, 0, sizeof r);
    for (unsigned n = 0; n < CYCLES; n++) {
        if (n % 200 == 0) { /* other lines; memory that is non-volatile from one of them on, from a power of two on, nowhere */
            for (unsigned i = 0; i < POOL; i++)
                r.pool[i] = (uint32_t)(hd_rand() >> hd_rand_below(24)) / LINE * LINE;
            r.base = hd_rand_below(3) ? r.pool[hd_rand_below(POOL)] + (uint32_t)hd_rand_below(LINE) : hd_rand_below(3) ? 1u << hd_rand_below(32) : 0;
            *d.nv_base_i = r.base;
        }
        const uint32_t addr = hd_rand_below(8) ? r.pool[hd_rand_below(POOL)] : r.base + LINE * (uint32_t)(hd_rand_below(3) - 1);
        const unsigned kind = kinds[hd_rand_below(5)], to = (unsigned)hd_rand_below(1u << HD_NODE_W);
        const unsigned id = (unsigned)hd_rand_below(1u << HD_OPID_W);
        const bool valid = hd_rand_below(4) != 0, is_mark = kind == HD_MSG_PMARK, writes = nv(addr) && kind != HD_MSG_GETS;
        const bool room = r.n < P_Depth, want = r.n > 0 && (r.marks > 0 || !room), head_mark = r.n > 0 && r.entry[0].mark;
        const uint32_t back = (hd_rand_below(8) ? r.pool[hd_rand_below(POOL)] : r.base) ^ (uint32_t)(hd_rand_below(2) * hd_rand_below(LINE));

        memset(d.req_head_i, 0, (HD_HEAD_W + 31) / 32 * 4);
        hd_bits_put(d.req_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
        hd_bits_put(d.req_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, to);
        hd_bits_put(d.req_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, addr);
        hd_bits_put(d.req_head_i, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, id);
        *d.req_valid_i = valid;
        *d.back_addr_i = back;
        hd_eval(d.m);
        const bool same = r.held && r.n > 0 && !head_mark && addr / LINE == r.entry[0].what;
        assert_int_equal(*d.req_ok_o, !is_mark && (room || !writes || is_mark) && !same);
        assert_int_equal(*d.mark_o, valid && is_mark && room);
        assert_int_equal(*d.pop_valid_o, want && !head_mark && !r.held);
        if (*d.pop_valid_o)
            assert_int_equal(*d.pop_num_o, r.entry[0].what);
        assert_int_equal(*d.back_nv_o, nv(back));
        assert_int_equal(*d.epoch_o, nv(back) ? r.cur : 0);
        assert_int_equal(*d.pack_valid_o, r.old != r.cur && r.count[r.old] == 0);
        if (*d.pack_valid_o)
            assert_int_equal(*d.pack_to_o | (unsigned)*d.pack_id_o << HD_NODE_W, r.mark[r.old]);
        assert_int_equal(*d.ev_o >> HD_EV_L2_NVW_PUSH, r.ev);
        assert_int_equal(*d.ev_o & ((1u << HD_EV_L2_NVW_PUSH) - 1), 0);
        assert_int_equal(*d.idle_o, !want && r.old == r.cur && r.ev == 0);

        const bool takes = valid && *d.req_ok_o && hd_rand_below(2), noted = hd_rand_below(3) == 0;
        const bool pops = *d.pop_valid_o && hd_rand_below(2), locked = pops && hd_rand_below(3) == 0;
        const bool backs = (pops ? !locked : hd_rand_below(8) == 0) && r.count[r.cur] < 60 && hd_rand_below(4);
        const unsigned of = (unsigned)hd_rand_below(P_Epochs);
        const bool ended = hd_rand_below(6) == 0, durable = r.count[of] > 0 && hd_rand_below(2), taken = hd_rand_below(3) != 0;
        *d.taken_i = takes, *d.noted_i = noted, *d.pop_i = pops, *d.locked_i = locked, *d.ended_i = ended;
        *d.back_i = backs, *d.mack_valid_i = durable, *d.mack_tid_i = (uint8_t)of, *d.pack_ready_i = taken;
        hd_eval(d.m);
        const bool free_epoch = (r.cur + 1) % P_Epochs != r.old, closes = want && head_mark && free_epoch;
        const bool note = takes && writes && !noted, mark = valid && is_mark && room, answers = *d.pack_valid_o && taken;
        const bool bits[HD_NVW_EV_L2_NUM] = {note, pops && !locked && backs, pops && !locked && !backs, valid && (is_mark || writes) && !room,
                                             want, want && head_mark && !free_epoch, r.old != r.cur};
        r.ev = 0;
        for (unsigned e = 0; e < HD_NVW_EV_L2_NUM; e++) {
            r.ev |= (unsigned)bits[e] << e;
            told[e] += bits[e];
        }
        r.count[r.cur] += backs && nv(back);
        r.count[of] -= durable;
        if (closes) {
            r.mark[r.cur] = r.entry[0].what;
            r.cur = (r.cur + 1) % P_Epochs;
        }
        if (answers)
            r.old = (r.old + 1) % P_Epochs, packs++;
        if (closes || (pops && !locked)) {
            r.marks -= closes;
            memmove(&r.entry[0], &r.entry[1], --r.n * sizeof r.entry[0]);
        }
        if (note || mark) {
            r.entry[r.n].mark = mark;
            r.entry[r.n++].what = mark ? to | id << HD_NODE_W : addr / LINE;
            r.marks += mark;
        }
        r.held = !ended && (r.held || (pops && locked));
        holds += r.held;
        edge();
    }
    for (unsigned e = 0; e < HD_NVW_EV_L2_NUM; e++)
        assert_true(told[e] > 200);
    assert_true(packs > 500 && holds > 500);
}

/* ---- buffered: lines 0..3 from BASE on have rows 0..3 -------------------------------------------------------------- */

/* A write to line @i, found in its row. @return whether the bank may work on it; then it does. */
static bool put_line(unsigned i)
{
    request(HD_MSG_WT, BASE + i * LINE, 0);
    *d.row_i = i, *d.hit_i = 1;
    hd_eval(d.m);
    const bool held = *d.hold_o;
    *d.taken_i = !held && *d.req_ok_o;
    const bool good = *d.taken_i;
    edge();
    *d.hit_i = 0;
    return good;
}

/* The head is popped: line @i, written if it may leave. */
static bool pop_line(unsigned i)
{
    assert_true(*d.pop_valid_o);
    assert_int_equal(*d.pop_num_o, BASE / LINE + i);
    *d.row_i = i, *d.hit_i = 1, *d.pop_i = 1, *d.back_addr_i = BASE + i * LINE;
    hd_eval(d.m);
    const bool writes = *d.leave_o;
    *d.back_i = writes;
    edge();
    *d.hit_i = 0;
    return writes;
}

static void epochs_are_written_one_after_the_other(void **state)
{
    (void)state;
    assert_true(put_line(0));
    mark(1); /* of a work-item: never answered */
    assert_true(put_line(1));
    assert_false(put_line(0)); /* its words are in front of the marker */
    *d.row_i = 1, *d.hit_i = 0; /* nor may line 1 give its row to another */
    request(HD_MSG_GETS, BASE + 8 * LINE, 0);
    assert_true(*d.hold_o);
    assert_false(*d.leave_o);
    *d.req_valid_i = 0;
    assert_true(pop_line(0));
    assert_true(put_line(0));
    mark(2 << 6 | 5); /* of the kernel */
    edge();
    *d.row_i = 1, *d.hit_i = 1;
    hd_eval(d.m);
    assert_false(*d.leave_o); /* line 0 is not durable */
    assert_false(*d.pop_valid_o);
    durable(0);
    edge();
    assert_true(pop_line(1));
    assert_true(pop_line(0));
    durable(0);
    edge();
    assert_false(*d.pack_valid_o);
    durable(0);
    answered(2 << 6 | 5);
    told(3, 3, 0, 0, 14, 0, 7);
}

/* An entry whose line was written for another reason, and stored to again behind a marker: the line stays for its own epoch. */
static void an_old_entry_leaves_a_new_epoch_alone(void **state)
{
    (void)state;
    assert_true(put_line(2));
    *d.row_i = 2, *d.hit_i = 0, *d.back_i = 1, *d.back_addr_i = BASE + 2 * LINE; /* evicted */
    edge();
    mark(3);
    assert_true(put_line(2));
    assert_false(pop_line(2));
    durable(0);
    mark(4);
    edge();
    assert_true(pop_line(2));
    durable(0);
    edge();
    told(2, 1, 1, 0, 8, 0, 2);
}

/* A line in no epoch is written in the cycle in which a marker that nobody answers could leave: the write is in front of it. */
static void a_write_of_the_cycle_counts_in_the_old_epoch(void **state)
{
    (void)state;
    for (unsigned scope = 0; scope < 2; scope++) {
        mark(scope << 6 | 5);
        *d.row_i = 3, *d.hit_i = 0, *d.back_i = 1, *d.back_addr_i = BASE + 8 * LINE;
        hd_eval(d.m);
        assert_true(*d.leave_o && *d.back_nv_o);
        edge();
        for (unsigned wait = 0; wait < 3; wait++) { /* a FIFO without its marker has nothing to do */
            edge();
            assert_false(*d.idle_o);
        }
        durable(0);
        edge();
        edge();
        assert_true(*d.idle_o);
        mark(scope << 6 | 5);
        *d.back_i = 1, *d.back_addr_i = BASE - LINE; /* of other memory: the marker leaves */
        edge();
        edge();
        assert_true(*d.idle_o);
    }
    told(0, 0, 0, 0, 14, 0, 8);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest buffered[] = {
        cmocka_unit_test_setup_teardown(epochs_are_written_one_after_the_other, setup, teardown),
        cmocka_unit_test_setup_teardown(an_old_entry_leaves_a_new_epoch_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(a_write_of_the_cycle_counts_in_the_old_epoch, setup, teardown),
    };
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(a_marker_waits_for_pop_and_durability, setup, teardown),
        cmocka_unit_test_setup_teardown(an_eviction_counts, setup, teardown),
        cmocka_unit_test_setup_teardown(a_locked_line_waits_and_is_kept_from_requests, setup, teardown),
        cmocka_unit_test_setup_teardown(a_full_fifo_pops_without_a_marker, setup, teardown),
        cmocka_unit_test_setup_teardown(markers_wait_for_an_epoch_and_for_room, setup, teardown),
        cmocka_unit_test_setup_teardown(against_a_list_and_counts, setup, teardown),
    };

    if (P_Persist == 2)
        return HD_UNIT_MAIN(argc, argv, buffered);
    return HD_UNIT_MAIN(argc, argv, t);
}
