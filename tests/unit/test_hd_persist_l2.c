/* test_hd_persist_l2.c - a marker is answered when every line noted before it was popped and its write is durable. */
/* dut: hd_persist_l2 Persist=1 Depth=2 Epochs=2 NumW=26 */
#include "hd_unit.h"
#include "hd_persist_l2_dut.h"
#include "hd_bits.h"

enum { BASE = 0x4000, LINE = 64 };

static struct hd_persist_l2 d;

static void edge(void)
{
    hd_eval(d.m);
    hd_edge(d.m);
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
    assert_true(*d.idle_o);
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
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(a_marker_waits_for_pop_and_durability, setup, teardown),
        cmocka_unit_test_setup_teardown(an_eviction_counts, setup, teardown),
        cmocka_unit_test_setup_teardown(a_locked_line_waits_and_is_kept_from_requests, setup, teardown),
        cmocka_unit_test_setup_teardown(a_full_fifo_pops_without_a_marker, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
