/* test_hd_l2_control.c - one request from miss to grant, work by work; what a bank does beyond it: test_hd_l2_bank. */
/* dut: hd_l2_control Family=0 Sms=3 Lanes=8 Sets=4 Ways=2 MshrEntries=4 LaneMasks=0 NumW=22 */
/* dut: hd_l2_control Family=1 Sms=3 Lanes=8 Sets=4 Ways=2 MshrEntries=4 LaneMasks=0 NumW=22 */
/* dut: hd_l2_control Family=1 Sms=3 Lanes=64 Sets=4 Ways=2 MshrEntries=4 LaneMasks=1 NumW=23 */
#include "hd_unit.h"
#include "hd_l2_control_dut.h"
#include "hd_bits.h"
#include "l2_bits.h"

enum { LINE = 0x1235, SET = LINE & 3, ADDR_LSB = HD_ADDR_W - P_NumW, SM = 2, VI = P_Family == HD_FAMILY_VI };

static struct hd_l2_control d;

static int setup(void **state)
{
    (void)state;
    hd_l2_control_open(&d);
    hd_reset(d.m);
    *d.out_free_i = *d.mreq_ok_i = *d.wr_room_i = *d.at_free_i = *d.body_ready_i = 1;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static void request(unsigned kind)
{
    hd_bits_put(d.req_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
    hd_bits_put(d.req_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, SM);
    hd_bits_put(d.req_head_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, 77);
    hd_bits_put(d.req_head_i, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, 4711);
    hd_bits_put(d.req_head_i, HD_HEAD_ADDR_LSB + ADDR_LSB, P_NumW, LINE);
    *d.req_valid_i = 1;
}

/* The coming cycle does @work with the plan @want (of the tag's members only tag_we). */
static void cycle(uint64_t work, uint64_t want)
{
    const uint64_t tag = L2_BIT(PLAN, WVALID) | L2_BIT(PLAN, WLOCK) | L2_BIT(PLAN, WRECALL);

    hd_eval(d.m);
    assert_int_equal(*d.work_o, work);
    assert_int_equal(*d.plan_o & ~tag, want);
    if (work != 0)
        assert_int_equal(*d.set_o, SET);
    hd_edge(d.m);
    *d.req_valid_i = *d.mem_valid_i = 0;
}

static void a_miss_is_filled_served_and_granted(void **state)
{
    (void)state;
    request(HD_MSG_GETS);
    cycle(L2_BIT(WORK, REQ), L2_BIT(PLAN, REQ_READY) | L2_BIT(PLAN, ALLOC) | L2_BIT(PLAN, ALLOC_RECALL) | L2_BIT(PLAN, TXN_WE)
                                 | L2_BIT(PLAN, TAG_WE) | L2_BIT(PLAN, TOUCH) | L2_BIT(PLAN, FILL_PUSH));
    assert_int_equal(*d.idle_o, 0);
    *d.mreq_ok_i = 0; /* a fill waits for memory */
    cycle(0, 0);
    *d.mreq_ok_i = 1;
    hd_eval(d.m);
    const unsigned entry = *d.idx_o;
    assert_int_equal(*d.m_num_o, LINE);
    cycle(L2_BIT(WORK, FILL), L2_BIT(PLAN, MEM_READ) | L2_BIT(PLAN, FILL_POP) | L2_BIT(PLAN, RECALL_CLR) | L2_BIT(PLAN, TAG_WE));
    cycle(0, 0);
    *d.mem_valid_i = 1;
    *d.mem_idx_i = (uint8_t)entry;
    cycle(L2_BIT(WORK, MEM), L2_BIT(PLAN, DATA_WE) | L2_BIT(PLAN, DIR_WE) | L2_BIT(PLAN, SERVE_PUSH));
    *d.out_free_i = 0; /* a grant waits for the sending stage */
    cycle(0, 0);
    *d.out_free_i = 1;
    hd_eval(d.m);
    assert_int_equal(*d.idx_o, entry);
    assert_int_equal(*d.kind_o, VI ? HD_MSG_DATA_S : HD_MSG_DATA_E);
    assert_int_equal(*d.m_asker_o, l2_asker(SM, 77, 4711));
    assert_int_equal(*d.m_role_o, HD_ROLE_READ);
    cycle(L2_BIT(WORK, SERVE), L2_BIT(PLAN, GRANT) | L2_BIT(PLAN, SERVE_POP) | L2_BIT(PLAN, FREE) | L2_BIT(PLAN, DIR_WE)
                                   | L2_BIT(PLAN, TOUCH) | L2_BIT(PLAN, TAG_WE));
    cycle(0, 0);
    cycle(0, 0);
    assert_int_equal(*d.idle_o, 1);
}

static void a_hit_of_the_same_reader_is_granted_at_once_in_vi_and_waits_for_its_put_in_mesi(void **state)
{
    a_miss_is_filled_served_and_granted(state);
    request(HD_MSG_GETS);
    if (VI) {
        cycle(L2_BIT(WORK, REQ), L2_BIT(PLAN, REQ_READY) | L2_BIT(PLAN, GRANT) | L2_BIT(PLAN, DIR_WE) | L2_BIT(PLAN, TOUCH));
    } else { /* the owner asks: its PUT is on its way */
        cycle(L2_BIT(WORK, REQ), L2_BIT(PLAN, REQ_READY) | L2_BIT(PLAN, ALLOC) | L2_BIT(PLAN, TXN_WE) | L2_BIT(PLAN, TAG_WE)
                                     | L2_BIT(PLAN, TOUCH) | L2_BIT(PLAN, SERVE_PUSH));
        cycle(L2_BIT(WORK, SERVE), L2_BIT(PLAN, WAIT_SET) | L2_BIT(PLAN, SERVE_POP));
    }
}

static void pop(uint64_t want, bool dirty, bool busy)
{
    *d.pop_valid_i = 1, *d.pop_num_i = LINE;
    hd_eval(d.m);
    assert_int_equal(*d.dirty_o, dirty);
    assert_int_equal(*d.busy_o, busy);
    cycle(L2_BIT(WORK, POP), want);
    *d.pop_valid_i = 0;
}

static void a_dirty_line_is_cleaned_once_and_not_under_a_transaction(void **state)
{
    if (!VI)
        return;
    a_miss_is_filled_served_and_granted(state);
    pop(0, false, false);
    request(HD_MSG_WT);
    cycle(L2_BIT(WORK, REQ), L2_BIT(PLAN, REQ_READY) | L2_BIT(PLAN, GRANT) | L2_BIT(PLAN, DIR_WE) | L2_BIT(PLAN, TOUCH)
                                 | L2_BIT(PLAN, DATA_WE));
    request(HD_MSG_ATOMIC);
    cycle(L2_BIT(WORK, REQ), L2_BIT(PLAN, REQ_READY) | L2_BIT(PLAN, ALLOC) | L2_BIT(PLAN, TXN_WE) | L2_BIT(PLAN, TAG_WE)
                                 | L2_BIT(PLAN, TOUCH) | L2_BIT(PLAN, SERVE_PUSH));
    pop(0, true, true);
    *d.at_free_i = 1; /* it is performed */
    hd_eval(d.m);
    const unsigned entry = *d.idx_o;
    cycle(L2_BIT(WORK, SERVE), L2_BIT(PLAN, AT_START) | L2_BIT(PLAN, SERVE_POP));
    pop(0, true, true);
    *d.done_valid_i = 1, *d.done_idx_i = (uint8_t)entry;
    cycle(L2_BIT(WORK, DONE), L2_BIT(PLAN, GRANT) | L2_BIT(PLAN, FREE) | L2_BIT(PLAN, DIR_WE) | L2_BIT(PLAN, TOUCH)
                                  | L2_BIT(PLAN, TAG_WE) | L2_BIT(PLAN, DATA_WE));
    *d.done_valid_i = 0;
    pop(L2_BIT(PLAN, WRITE_BACK) | L2_BIT(PLAN, DIR_WE), true, false);
    pop(0, false, false);
}

static void a_line_on_its_way_in_is_busy(void **state)
{
    (void)state;
    request(HD_MSG_GETS);
    cycle(L2_BIT(WORK, REQ), L2_BIT(PLAN, REQ_READY) | L2_BIT(PLAN, ALLOC) | L2_BIT(PLAN, ALLOC_RECALL) | L2_BIT(PLAN, TXN_WE)
                                 | L2_BIT(PLAN, TAG_WE) | L2_BIT(PLAN, TOUCH) | L2_BIT(PLAN, FILL_PUSH));
    pop(0, false, true);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(a_miss_is_filled_served_and_granted, setup, teardown),
        cmocka_unit_test_setup_teardown(a_hit_of_the_same_reader_is_granted_at_once_in_vi_and_waits_for_its_put_in_mesi, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_dirty_line_is_cleaned_once_and_not_under_a_transaction, setup, teardown),
        cmocka_unit_test_setup_teardown(a_line_on_its_way_in_is_busy, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
