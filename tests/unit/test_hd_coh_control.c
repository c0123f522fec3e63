/* test_hd_coh_control.c - a miss, a hit, a dirty and a shared victim, work by work; what a bank does beyond it: test_hd_coh_bank. */
/* dut: hd_coh_control Lanes=8 LineWords=8 Sets=2 Ways=2 MshrEntries=4 PartBits=1 Persist=1 Inclusive=1 Sms=3 */
/* dut: hd_coh_control Lanes=8 LineWords=8 Sets=2 Ways=2 MshrEntries=4 PartBits=1 */
#include "hd_unit.h"
#include "hd_coh_control_dut.h"
#include "hd_bits.h"

#ifndef P_Inclusive
#define P_Inclusive 0
#endif
enum {
    SET = 1, PART = 1, ACK = 1u << HD_COH_WORK_ACK_LSB, MEM = 1u << HD_COH_WORK_MEM_LSB, INV = 1u << HD_COH_WORK_INV_LSB,
    DONE = 1u << HD_COH_WORK_DONE_LSB, FILL = 1u << HD_COH_WORK_FILL_LSB, SERVE = 1u << HD_COH_WORK_SERVE_LSB,
    REQ = 1u << HD_COH_WORK_REQ_LSB, WALK = 1u << HD_COH_WORK_WALK_LSB
};
#define PLAN(x) (1u << HD_COH_PLAN_##x##_LSB)

static struct hd_coh_control d;

static uint32_t addr_of(unsigned tag)
{
    return ((tag << 1 | SET) << 1 | PART) * 32;
}

static int setup(void **state)
{
    (void)state;
    hd_coh_control_open(&d);
    hd_reset(d.m);
    *d.part_id_i = PART;
    *d.can_i = (1u << HD_COH_CAN_OUT_FREE_LSB | 1u << HD_COH_CAN_MREQ_ALL_LSB | 1u << HD_COH_CAN_MREQ_NV_LSB | 1u << HD_COH_CAN_WR_ROOM_LSB |
                1u << HD_COH_CAN_AT_FREE_LSB | 1u << HD_COH_CAN_BODY_READY_LSB);
    *d.leave_i = *d.back_ok_i = *d.fetch_ok_i = 1;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static void request(unsigned kind, unsigned tag, unsigned sm, unsigned tid)
{
    hd_bits_put(d.req_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
    hd_bits_put(d.req_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, sm);
    hd_bits_put(d.req_head_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, tid);
    hd_bits_put(d.req_head_i, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, 100 * sm + tag);
    hd_bits_put(d.req_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, addr_of(tag));
    *d.req_valid_i = 1;
}

static void answer_of(unsigned sm, unsigned tag)
{
    hd_bits_put(d.ack_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, HD_MSG_INV_ACK);
    hd_bits_put(d.ack_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, sm);
    hd_bits_put(d.ack_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, addr_of(tag));
    *d.ack_valid_i = 1;
}

/* The coming cycle does @work with the plan @want. */
static void cycle(unsigned work, unsigned want)
{
    hd_eval(d.m);
    assert_int_equal(*d.work_o, work);
    if (*d.plan_o != want)
        fail_msg("work 0x%x: plan 0x%x, not 0x%x", work, *d.plan_o, want);
    hd_edge(d.m);
    *d.req_valid_i = *d.mem_valid_i = *d.ack_valid_i = *d.done_valid_i = 0;
}

/* Line @tag comes for a request of @sm and is answered. */
static void bring(unsigned kind, unsigned tag, unsigned sm, unsigned tid)
{
    request(kind, tag, sm, tid);
    hd_eval(d.m);
    const unsigned idx = *d.new_idx_o;
    assert_int_equal(*d.line_addr_o, addr_of(tag));
    cycle(REQ, PLAN(TAKE) | PLAN(ALLOC) | PLAN(FETCH) | PLAN(TAG_WE) | PLAN(DIR_WE) | (kind == HD_MSG_GETS ? 0 : PLAN(PUT)));
    cycle(0, 0);
    *d.mem_valid_i = 1, *d.mem_idx_i = (uint8_t)idx;
    cycle(MEM, PLAN(PUSH));
    hd_eval(d.m);
    assert_true(*d.serve_valid_o && *d.serve_idx_o == idx && *d.idx_o == idx);
    assert_int_equal(*d.kind_o, kind == HD_MSG_GETS ? HD_MSG_DATA_S : HD_MSG_WT_ACK);
    assert_int_equal(hd_bits_get(d.asker_o, HD_L2_ASKER_SRC_LSB, HD_NODE_W), sm);
    assert_int_equal(hd_bits_get(d.asker_o, HD_L2_ASKER_TID_LSB, HD_TID_W), tid);
    assert_int_equal(hd_bits_get(d.asker_o, HD_L2_ASKER_OPID_LSB, HD_OPID_W), 100 * sm + tag);
    if (kind == HD_MSG_GETS)
        cycle(SERVE, PLAN(ANSWER) | PLAN(ENDS) | PLAN(READ) | PLAN(TAG_WE));
    else
        cycle(SERVE, PLAN(ANSWER) | PLAN(ENDS) | PLAN(DROP) | PLAN(STORED) | PLAN(WROTE) | PLAN(TAG_WE) | PLAN(DIR_WE));
}

static void a_miss_is_fetched_and_a_hit_served_at_once(void **state)
{
    (void)state;
    bring(HD_MSG_GETS, 5, 2, 77);
    request(HD_MSG_GETS, 5, 1, 3);
    hd_eval(d.m);
    assert_int_equal(*d.line_o, 1u << HD_COH_LINE_HIT_LSB);
    cycle(REQ, PLAN(TAKE) | PLAN(ANSWER) | PLAN(READ));
    assert_int_equal(hd_bits_get(d.ev_o, 0, HD_EV_L2_NUM), 1u << HD_EV_L2_GETS | 1u << HD_EV_L2_HIT | 1u << HD_EV_L2_GRANT);
    request(HD_MSG_WT, 5, 1, 3);
    cycle(REQ, PLAN(TAKE) | PLAN(ANSWER) | PLAN(STORED) | PLAN(WROTE) | PLAN(DIR_WE));
    request(HD_MSG_WT, 5, 1, 3);
    hd_eval(d.m);
    assert_int_equal(*d.line_o, 1u << HD_COH_LINE_HIT_LSB | 1u << HD_COH_LINE_NOTED_LSB); /* dirty now */
    *d.req_valid_i = 0;
    *d.flush_i = 1;
    cycle(0, 0);
    *d.flush_i = 0;
    for (unsigned row = 0, backs = 0; row < 4; row++) {
        hd_eval(d.m);
        assert_int_equal(*d.work_o, WALK);
        assert_true(!*d.idle_o);
        if (*d.plan_o & PLAN(BACK)) {
            assert_int_equal(*d.tag_addr_o, addr_of(5));
            backs++;
        }
        assert_true(row < 3 || backs == 1);
        hd_edge(d.m);
    }
    cycle(0, 0);
    assert_true(*d.idle_o);
}

static void an_atomic_takes_an_entry_and_others_wait_behind_it(void **state)
{
    unsigned first;

    (void)state;
    bring(HD_MSG_GETS, 5, 2, 77);
    request(HD_MSG_ATOMIC, 5, 0, 9);
    hd_eval(d.m);
    first = *d.new_idx_o;
    cycle(REQ, PLAN(TAKE) | PLAN(ALLOC) | PLAN(PUT) | PLAN(PUSH) | PLAN(TAG_WE));
    cycle(SERVE, PLAN(PERFORM) | PLAN(READ));
    request(HD_MSG_GETS, 5, 1, 4);
    cycle(REQ, PLAN(TAKE) | PLAN(ALLOC) | PLAN(CHAIN));
    *d.done_valid_i = 1, *d.done_idx_i = (uint8_t)first, *d.done_wrote_i = 1;
    cycle(DONE, PLAN(ANSWER) | PLAN(ENDS) | PLAN(DROP) | PLAN(WROTE) | PLAN(PUSH) | PLAN(DIR_WE));
    cycle(SERVE, PLAN(ANSWER) | PLAN(ENDS) | PLAN(READ) | PLAN(TAG_WE));
}

static void a_dirty_victim_is_written_and_a_shared_one_recalled(void **state)
{
    (void)state;
    bring(HD_MSG_WT, 4, 0, 7); /* no copy: not dirty words that were written through */
    bring(HD_MSG_GETS, 6, 1, 1);
    request(HD_MSG_GETS, 8, 2, 2); /* takes the way of 4 */
    hd_eval(d.m);
    assert_int_equal(*d.tag_addr_o, addr_of(4));
    cycle(REQ, PLAN(BACK) | PLAN(READ) | PLAN(TAG_WE));
    bring(HD_MSG_GETS, 8, 2, 2);
    if (!P_Inclusive) {
        bring(HD_MSG_GETS, 10, 0, 2); /* takes the way of 6 as it is */
        return;
    }
    request(HD_MSG_GETS, 6, 2, 5); /* 6: SMs 1 and 2 */
    cycle(REQ, PLAN(TAKE) | PLAN(ANSWER) | PLAN(READ));
    request(HD_MSG_WT, 8, 0, 255); /* 8: SM 2, and 0, whose dirty words it were */
    cycle(REQ, PLAN(TAKE) | PLAN(ANSWER) | PLAN(STORED) | PLAN(WROTE) | PLAN(DIR_WE));
    request(HD_MSG_GETS, 6, 2, 5);
    cycle(REQ, PLAN(TAKE) | PLAN(ANSWER) | PLAN(READ));
    request(HD_MSG_GETS, 10, 1, 6); /* takes the way of 8 */
    hd_eval(d.m);
    const unsigned idx = *d.new_idx_o;
    cycle(REQ, PLAN(TAKE) | PLAN(ALLOC) | PLAN(RECALL) | PLAN(TAG_WE));
    for (unsigned sm = 0; sm <= 2; sm += 2) {
        hd_eval(d.m);
        assert_int_equal(hd_bits_get(d.inv_head_o, HD_HEAD_DST_LSB, HD_HEAD_DST_W), sm);
        assert_int_equal(hd_bits_get(d.inv_head_o, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W), addr_of(8));
        cycle(INV, 0);
    }
    request(HD_MSG_WT, 8, 1, 255); /* must wait until it has gone */
    cycle(REQ, 0);
    request(HD_MSG_GETS, 10, 0, 8); /* waits behind the first */
    cycle(REQ, PLAN(TAKE) | PLAN(ALLOC) | PLAN(CHAIN));
    *d.pop_valid_i = 1, *d.pop_num_i = (10 << 1 | SET);
    hd_eval(d.m); /* a pop of the line to come finds it locked */
    assert_int_equal(*d.line_o, 1u << HD_COH_LINE_LOCKED_LSB);
    *d.pop_valid_i = 0;
    answer_of(2, 8);
    cycle(ACK, 0);
    cycle(0, 0);
    answer_of(0, 8);
    cycle(ACK, 0);
    hd_eval(d.m);
    assert_int_equal(*d.tag_addr_o, addr_of(8));
    cycle(FILL, PLAN(BACK) | PLAN(READ) | PLAN(DIR_WE));
    hd_eval(d.m);
    assert_true(*d.line_addr_o == addr_of(10) && *d.new_idx_o == idx);
    cycle(FILL, PLAN(FETCH) | PLAN(FILLED) | PLAN(TAG_WE) | PLAN(DIR_WE));
    *d.mem_valid_i = 1, *d.mem_idx_i = (uint8_t)idx;
    cycle(MEM, PLAN(PUSH));
    cycle(SERVE, PLAN(ANSWER) | PLAN(ENDS) | PLAN(READ) | PLAN(PUSH));
    cycle(SERVE, PLAN(ANSWER) | PLAN(ENDS) | PLAN(READ) | PLAN(TAG_WE));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test_setup_teardown(a_miss_is_fetched_and_a_hit_served_at_once, setup, teardown),
                                   cmocka_unit_test_setup_teardown(an_atomic_takes_an_entry_and_others_wait_behind_it, setup, teardown),
                                   cmocka_unit_test_setup_teardown(a_dirty_victim_is_written_and_a_shared_one_recalled, setup, teardown)};

    return HD_UNIT_MAIN(argc, argv, t);
}
