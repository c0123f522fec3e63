/* test_hd_l1_queues.c - request queue and writeback buffer of an L1 against two rings in C. */
/* equiv: MshrEntries=2 WbEntries=1 PartBits=1 LineWords=8 WordW=4 */
/* dut: hd_l1_queues MshrEntries=4 WbEntries=2 PartBits=1 LineWords=8 WordW=32 */
/* dut: hd_l1_queues MshrEntries=3 WbEntries=1 PartBits=0 LineWords=16 WordW=64 */
/* dut: hd_l1_queues MshrEntries=1 WbEntries=3 PartBits=4 LineWords=32 WordW=32 */
/* dut: hd_l1_queues MshrEntries=128 WbEntries=4 PartBits=3 LineWords=32 WordW=32 */
/* dut: hd_l1_queues MshrEntries=45 ReqDepth=8 WbEntries=4 PartBits=3 LineWords=32 WordW=32 */
/* dut: hd_l1_queues MshrEntries=2 ReqDepth=3 WbEntries=1 PartBits=1 LineWords=16 WordW=32 */
#include "hd_unit.h"
#include "hd_l1_queues_dut.h"
#include "hd_bits.h"

#ifndef P_ReqDepth
#define P_ReqDepth 0
#endif

enum {
    ENTRIES = P_MshrEntries,
    KEPT = P_ReqDepth > 0, /* line and lanes wait with the request */
    PLACES = KEPT ? P_ReqDepth : ENTRIES,
    WB = P_WbEntries,
    PART_BITS = P_PartBits,
    WORDS = P_LineWords,
    W = P_WordW,
    LINE_W = HD_L1_QUEUES_W_rq_line_i,
    BYTE_W = 32 - LINE_W,
};

struct request {
    unsigned kind, idx;
    uint32_t line, lanes;
};
struct response {
    unsigned kind, tid;
    uint32_t line;
    bool data;
    uint64_t words[WORDS];
};

static struct hd_l1_queues d;
static uint32_t entry_line[ENTRIES], entry_opid[ENTRIES]; /* the MSHR table of the test */
static bool entry_queued[ENTRIES];
static struct request requests[PLACES];
static struct response responses[WB], pending; /* pending: pushed in the last cycle */
static unsigned num_requests, num_responses, num_pending;
static unsigned sm;

static void begin(void)
{
    hd_l1_queues_open(&d);
    hd_reset(d.m);
    sm = (sm + 23) % (1u << HD_NODE_W); /* another one in each test */
    *d.sm_id_i = (uint8_t)sm;
    num_requests = num_responses = num_pending = 0;
    for (unsigned i = 0; i < ENTRIES; i++) {
        entry_queued[i] = false;
        entry_line[i] = (uint32_t)hd_rand() & ((UINT32_C(1) << LINE_W) - 1);
        entry_opid[i] = (uint32_t)hd_rand_below(1u << HD_OPID_W);
    }
}

static void end(void)
{
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static void check_head(const void *head, unsigned kind, uint32_t line, uint32_t wmask, unsigned tid, unsigned opid,
                       uint32_t lanes)
{
    assert_int_equal(hd_bits_get(head, HD_HEAD_LANES_LSB, HD_LANE_W), lanes);
    assert_int_equal(hd_bits_get(head, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W), kind);
    assert_int_equal(hd_bits_get(head, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W), sm);
    assert_int_equal(hd_bits_get(head, HD_HEAD_DST_LSB, HD_HEAD_DST_W), line % (1u << PART_BITS));
    assert_int_equal(hd_bits_get(head, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W), line << BYTE_W);
    assert_int_equal(hd_bits_get(head, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W), wmask);
    assert_int_equal(hd_bits_get(head, HD_HEAD_TID_LSB, HD_HEAD_TID_W), tid);
    assert_int_equal(hd_bits_get(head, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W), opid);
}

static void push_request(unsigned kind, unsigned idx)
{
    *d.push_req_i = 1;
    *d.req_kind_i = (uint8_t)kind;
    *d.req_idx_i = (uint8_t)idx;
    hd_bits_random(d.req_line_i, LINE_W);
    hd_bits_random(d.req_lanes_i, HD_LANE_W);
}

/* Only while rsp_room_o. Random line, words (given in the next cycle) and transaction. */
static void push_response(unsigned kind, bool data)
{
    *d.push_rsp_i = 1;
    *d.rsp_kind_i = (uint8_t)kind;
    *d.rsp_data_i = data;
    hd_bits_random(d.rsp_line_i, LINE_W);
    hd_bits_random(d.rsp_tid_i, HD_TID_W);
}

/* One cycle with the pushes that were made since the last one; all outputs are checked, the rings follow. */
static void cycle(bool req_ready, bool rsp_ready)
{
    bool req_leaves, rsp_leaves;

    hd_bits_random(d.line_i, WORDS * W);
    if (num_pending)
        for (unsigned i = 0; i < WORDS; i++)
            pending.words[i] = hd_bits_get(d.line_i, i * W, W);
    *d.req_ready_i = req_ready;
    *d.rsp_ready_i = rsp_ready;
    hd_eval(d.m);
    assert_int_equal(*d.req_valid_o, num_requests > 0);
    assert_int_equal(*d.rsp_valid_o, num_responses > 0);
    assert_int_equal(*d.req_room_o, !KEPT || num_requests < PLACES);
    assert_int_equal(*d.rsp_room_o, num_responses + num_pending < WB);
    assert_int_equal(*d.idle_o, num_requests + num_responses + num_pending == 0);
    if (num_requests > 0) {
        const unsigned idx = requests[0].idx;

        assert_int_equal(*d.rq_idx_o, idx);
        hd_bits_put(d.rq_line_i, 0, LINE_W, entry_line[idx]); /* the table answers in the same cycle */
        hd_bits_put(d.rq_opid_i, 0, HD_OPID_W, entry_opid[idx]);
        hd_eval(d.m);
        check_head(d.req_head_o, requests[0].kind, KEPT ? requests[0].line : entry_line[idx], 0, idx, entry_opid[idx],
                   KEPT ? requests[0].lanes : 0);
    }
    if (num_responses > 0) {
        const struct response *r = &responses[0];

        check_head(d.rsp_head_o, r->kind, r->line, r->data ? UINT32_MAX >> (32 - WORDS) : 0, r->tid, 0, 0);
        for (unsigned i = 0; i < WORDS && r->data; i++)
            assert_int_equal(hd_bits_get(d.rsp_data_o, i * W, W), r->words[i]);
    }
    req_leaves = req_ready && num_requests > 0;
    rsp_leaves = rsp_ready && num_responses > 0;
    hd_edge(d.m);
    if (req_leaves) {
        entry_queued[requests[0].idx] = false;
        memmove(requests, requests + 1, --num_requests * sizeof *requests);
    }
    if (rsp_leaves)
        memmove(responses, responses + 1, --num_responses * sizeof *responses);
    if (num_pending)
        responses[num_responses++] = pending;
    num_pending = *d.push_rsp_i;
    pending.kind = *d.rsp_kind_i;
    pending.data = *d.rsp_data_i;
    pending.line = (uint32_t)hd_bits_get(d.rsp_line_i, 0, LINE_W);
    pending.tid = *d.rsp_tid_i;
    if (*d.push_req_i) {
        entry_queued[*d.req_idx_i] = true;
        requests[num_requests++] = (struct request){*d.req_kind_i, *d.req_idx_i,
                                                    (uint32_t)hd_bits_get(d.req_line_i, 0, LINE_W),
                                                    (uint32_t)hd_bits_get(d.req_lanes_i, 0, HD_LANE_W)};
    }
    *d.push_req_i = 0;
    *d.push_rsp_i = 0;
    hd_eval(d.m);
}

static void a_request_waits_one_cycle_and_an_answer_two(void **state)
{
    (void)state;
    begin();
    push_request(HD_MSG_GETM, ENTRIES - 1);
    push_response(HD_MSG_PUTM, true);
    cycle(true, true); /* what cycle() checks: nothing yet */
    assert_int_equal(*d.req_valid_o, 1);
    assert_int_equal(*d.rsp_valid_o, 0);
    cycle(true, true);
    assert_int_equal(*d.req_valid_o, 0);
    assert_int_equal(*d.rsp_valid_o, 1);
    cycle(true, true);
    assert_int_equal(*d.idle_o, 1);
    end();
}

static void every_place_may_have_a_request_waiting(void **state)
{
    (void)state;
    begin();
    for (unsigned i = PLACES; i-- > 0;) {
        push_request(HD_MSG_GETS, i % ENTRIES);
        cycle(false, false);
    }
    assert_int_equal(num_requests, PLACES);
    while (num_requests > 0)
        cycle(true, false);
    end();
}

static void the_room_counts_an_answer_whose_line_is_still_to_come(void **state)
{
    unsigned taken = 0;

    (void)state;
    begin();
    for (unsigned t = 0; t < WB + 5; t++) {
        if (*d.rsp_room_o) {
            push_response(HD_MSG_RSP_DATA, true);
            taken++;
        }
        cycle(false, false);
    }
    assert_int_equal(taken, WB);
    while (num_responses > 0)
        cycle(false, true);
    end();
}

static void the_head_of_a_request_is_read_from_its_entry_when_it_leaves(void **state)
{
    (void)state;
    begin();
    push_request(HD_MSG_UPG, 0);
    cycle(false, false);
    cycle(false, false);
    entry_line[0] ^= 5;
    entry_opid[0] ^= 9;
    cycle(true, false);
    end();
}

static void random_traffic_matches_two_rings(void **state)
{
    unsigned req_full = 0, rsp_full = 0, both = 0, empty = 0, no_data = 0;
    const unsigned rounds = ENTRIES > 16 ? 8000 : 20000;

    (void)state;
    begin();
    for (unsigned t = 0; t < rounds; t++) {
        const unsigned phase = t / 400 % 3; /* fill, mix, drain */
        unsigned idx = (unsigned)hd_rand_below(ENTRIES);

        for (unsigned i = 0; !KEPT && i < ENTRIES && entry_queued[idx]; i++)
            idx = (idx + 1) % ENTRIES;
        if (num_requests < PLACES && (KEPT || !entry_queued[idx]) && hd_rand_below(4) >= phase) {
            entry_line[idx] = (uint32_t)hd_rand() & ((UINT32_C(1) << LINE_W) - 1);
            if (!KEPT) /* else the instruction of its other requests */
                entry_opid[idx] = (uint32_t)hd_rand_below(1u << HD_OPID_W);
            push_request((unsigned)hd_rand_below(1u << HD_HEAD_KIND_W), idx); /* any kind is handed through */
        }
        if (*d.rsp_room_o && hd_rand_below(4) >= phase) {
            push_response((unsigned)hd_rand_below(1u << HD_HEAD_KIND_W), hd_rand_below(2));
            no_data += !*d.rsp_data_i;
        }
        both += *d.push_req_i && *d.push_rsp_i;
        cycle(hd_rand_below(16) < 8 * phase, hd_rand_below(4) < 1 + phase);
        req_full += num_requests == PLACES;
        rsp_full += num_responses == WB;
        empty += num_requests + num_responses + num_pending == 0;
    }
    assert_true(req_full > 20 && rsp_full > 100 && both > 100 && empty > 20 && no_data > 100);
    end();
}

static void reset_empties_both_queues(void **state)
{
    (void)state;
    begin();
    push_request(HD_MSG_GETS, 0);
    push_response(HD_MSG_INV_ACK, false);
    cycle(false, false);
    hd_reset(d.m);
    *d.sm_id_i = (uint8_t)sm;
    num_requests = num_responses = num_pending = 0;
    cycle(true, true);
    push_request(HD_MSG_GETM, 0);
    cycle(true, true);
    cycle(true, true);
    end();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(a_request_waits_one_cycle_and_an_answer_two),
        cmocka_unit_test(every_place_may_have_a_request_waiting),
        cmocka_unit_test(the_room_counts_an_answer_whose_line_is_still_to_come),
        cmocka_unit_test(the_head_of_a_request_is_read_from_its_entry_when_it_leaves),
        cmocka_unit_test(random_traffic_matches_two_rings),
        cmocka_unit_test(reset_empties_both_queues),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
