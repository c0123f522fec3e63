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

int main(int argc, char **argv)
{
    const struct CMUnitTest buffered[] = {
        cmocka_unit_test_setup_teardown(epochs_are_written_one_after_the_other, setup, teardown),
        cmocka_unit_test_setup_teardown(an_old_entry_leaves_a_new_epoch_alone, setup, teardown),
    };
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(a_marker_waits_for_pop_and_durability, setup, teardown),
        cmocka_unit_test_setup_teardown(an_eviction_counts, setup, teardown),
        cmocka_unit_test_setup_teardown(a_locked_line_waits_and_is_kept_from_requests, setup, teardown),
        cmocka_unit_test_setup_teardown(a_full_fifo_pops_without_a_marker, setup, teardown),
        cmocka_unit_test_setup_teardown(markers_wait_for_an_epoch_and_for_room, setup, teardown),
    };

    if (P_Persist == 2)
        return HD_UNIT_MAIN(argc, argv, buffered);
    return HD_UNIT_MAIN(argc, argv, t);
}
