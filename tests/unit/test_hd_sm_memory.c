/* test_hd_sm_memory.c - an access of the LDS and one of the L1 through the memory of an SM, and back with their tags;
 * copies, fences, flushes. */
/* dut: hd_sm_memory Lanes=4 LineWords=8 MshrEntries=4 MshrTargets=6 StoreData=4 CasData=2 MergeLanes=6 L1Sets=2 L1Ways=2 LdsRows=3 LdsBanks=4 WbEntries=2 PartBits=1 SplitLds=0 TagW=8 Copies=2 */
/* dut: hd_sm_memory Lanes=4 LineWords=8 MshrEntries=4 MshrTargets=6 StoreData=4 CasData=2 MergeLanes=6 L1Sets=2 L1Ways=2 LdsRows=3 LdsBanks=4 WbEntries=2 PartBits=1 SplitLds=1 TagW=0 */
/* dut: hd_sm_memory Family=1 Lanes=4 LineWords=8 MshrEntries=4 MshrTargets=6 StoreData=4 CasData=2 MergeLanes=8 L1Sets=2 L1Ways=2 LdsRows=3 LdsBanks=4 WbEntries=2 PartBits=1 SplitLds=0 TagW=8 Copies=2 */
/* dut-rtl: hd_sm_memory Family=2 Lanes=4 LineWords=16 FlitWords=4 MshrEntries=4 MshrTargets=6 StoreData=4 CasData=2 MergeLanes=8 L1Sets=2 L1Ways=2 LdsRows=3 LdsBanks=4 WbEntries=2 PartBits=1 SbWords=16 SbRows=2 WtOut=2 SplitLds=0 TagW=8 */
#include "hd_unit.h"
#include "hd_sm_memory_dut.h"
#include "hd_access.h"

#ifndef P_Family
#define P_Family HD_FAMILY_MESI
#endif
enum {
    OFF_W = P_LineWords == 8 ? 3 : 4,
    LDS_W = P_SplitLds ? 0 : 2 + OFF_W, /* of a lane's word number in the place */
    LINE = 1,
    /* fields of lo_body_i: cmp is the lowest */
    DATA_LSB = P_Lanes * 32,
    PLACE_LSB = DATA_LSB + P_LineWords * 32,
    WMASK_LSB = PLACE_LSB + P_Lanes * LDS_W,
    OFFS_LSB = WMASK_LSB + P_LineWords,
    MASK_LSB = OFFS_LSB + P_Lanes * OFF_W,
    LINE_LSB = MASK_LSB + P_Lanes,
    /* heads, above the words of a packet */
    HEAD = HD_HEAD_W + HD_LANE_W,
    REQ_LSB = HD_SM_MEMORY_W_req_packet_o - HEAD,
    DN_LSB = HD_SM_MEMORY_W_dn_packet_i - HEAD,
    /* fields of cpl_o: the words are the lowest */
    CPL_MASK_LSB = P_Lanes * 32,
    CPL_LSB = CPL_MASK_LSB + 2 * P_Lanes,
    /* bits of flush_begin_i */
    FLUSH = 2,
    BEGIN = 1
};

static struct hd_sm_memory d;

static int setup(void **state)
{
    (void)state;
    hd_sm_memory_open(&d);
    hd_reset(d.m);
    *d.perf_last_i = 1;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

/* Offers an access of line LINE to words 3 + lane of lanes 0 and 2 until it is taken. */
static void offer(struct hd_access a)
{
    bool taken = false;

    *d.lo_valid_i = 1;
    hd_bits_put(d.lo_acc_i, 0, HD_ACCESS_W, hd_access_pack(a));
    hd_bits_put(d.lo_body_i, LINE_LSB, HD_ADDR_W - OFF_W - 2, LINE);
    hd_bits_put(d.lo_body_i, MASK_LSB, P_Lanes, 0x5);
    hd_bits_put(d.lo_body_i, WMASK_LSB, P_LineWords, 0x28);
    for (unsigned l = 0; l < P_Lanes; l++) {
        hd_bits_put(d.lo_body_i, OFFS_LSB + l * OFF_W, OFF_W, 3 + l);
        if (LDS_W != 0)
            hd_bits_put(d.lo_body_i, PLACE_LSB + l * LDS_W, LDS_W, LINE * P_LineWords + 3 + l);
    }
    for (unsigned t = 0; t < 10 && !taken; t++) {
        hd_eval(d.m);
        taken = *d.lo_ready_o;
        hd_edge(d.m);
    }
    assert_true(taken);
    *d.lo_valid_i = 0;
    hd_eval(d.m);
}

/* Waits for the access to be performed, and a cycle later completed. */
static void is_performed(struct hd_access a)
{
    for (unsigned t = 0; t < 20 && !*d.perf_valid_o; t++) {
        assert_int_equal(*d.cpl_valid_o, 0);
        assert_int_equal(*d.idle_o, 0);
        hd_edge(d.m);
    }
    assert_int_equal(*d.perf_valid_o, 1);
    assert_int_equal(hd_bits_get(d.perf_o, HD_PERFORMED_WARP_LSB, HD_WARP_W), a.warp);
    assert_int_equal(hd_bits_get(d.perf_o, HD_PERFORMED_SLOT_LSB, HD_SLOT_W), a.slot);
    assert_int_equal(hd_bits_get(d.perf_o, HD_PERFORMED_TAG_LSB, HD_TAG_W), P_TagW ? a.tag : 0);
    assert_int_equal(hd_bits_get(d.perf_o, HD_PERFORMED_W, HD_SM_MEMORY_W_perf_o - HD_PERFORMED_W), 2);
    hd_edge(d.m);
    assert_int_equal(*d.cpl_valid_o, 1);
    assert_int_equal(hd_bits_get(d.cpl_o, CPL_LSB + HD_COMPLETION_WARP_LSB, HD_COMPLETION_WARP_W), a.warp);
    assert_int_equal(hd_bits_get(d.cpl_o, CPL_LSB + HD_COMPLETION_SLOT_LSB, HD_COMPLETION_SLOT_W), a.slot);
    assert_int_equal(hd_bits_get(d.cpl_o, CPL_LSB + HD_COMPLETION_LAST_LSB, HD_COMPLETION_LAST_W), 1);
    assert_int_equal(hd_bits_get(d.cpl_o, CPL_MASK_LSB, P_Lanes), 0x5);
}

static void the_lds_gives_back_what_was_stored(void **state)
{
    struct hd_access a = {.warp = 9, .slot = 3, .tag = 0xa5, .kind = HD_OP_STORE, .space = HD_SPACE_LDS};
    const uint32_t word = (uint32_t)hd_rand();

    (void)state;
    hd_bits_put(d.lo_body_i, DATA_LSB, 32, word);
    hd_bits_put(d.lo_body_i, DATA_LSB + 2 * 32, 32, ~word);
    offer(a);
    is_performed(a);
    a = (struct hd_access){.warp = 5, .slot = 1, .tag = 0x5a, .kind = HD_OP_LOAD, .space = HD_SPACE_LDS};
    offer(a);
    is_performed(a);
    assert_int_equal(hd_bits_get(d.cpl_o, 0, 32), word);
    assert_int_equal(hd_bits_get(d.cpl_o, 2 * 32, 32), (uint32_t)~word);
    assert_int_equal(*d.req_valid_o, 0);
}

/* Waits for the request of LINE, and answers it: word w of the line is @word + w. */
static void answer(uint32_t word)
{
    unsigned tid;

    *d.req_ready_i = 1;
    for (unsigned t = 0; t < 20 && !*d.req_valid_o; t++)
        hd_edge(d.m);
    assert_int_equal(*d.req_valid_o, 1);
    assert_int_equal(hd_bits_get(d.req_packet_o, REQ_LSB + HD_HEAD_KIND_LSB, HD_HEAD_KIND_W), HD_MSG_GETS);
    assert_int_equal(hd_bits_get(d.req_packet_o, REQ_LSB + HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W), LINE * P_LineWords * 4);
    tid = (unsigned)hd_bits_get(d.req_packet_o, REQ_LSB + HD_HEAD_TID_LSB, HD_HEAD_TID_W);
    assert_int_equal(hd_bits_get(d.mshr_busy_o, 0, P_MshrEntries), UINT64_C(1) << tid);
    hd_edge(d.m);
    hd_bits_put(d.dn_packet_i, DN_LSB + HD_HEAD_KIND_LSB, HD_HEAD_KIND_W,
                P_Family == HD_FAMILY_MESI ? HD_MSG_DATA_E : HD_MSG_DATA_S);
    hd_bits_put(d.dn_packet_i, DN_LSB + HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, LINE * P_LineWords * 4);
    hd_bits_put(d.dn_packet_i, DN_LSB + HD_HEAD_WMASK_LSB, P_LineWords, (1 << P_LineWords) - 1);
    hd_bits_put(d.dn_packet_i, DN_LSB + HD_HEAD_TID_LSB, HD_HEAD_TID_W, tid);
    for (unsigned w = 0; w < P_LineWords; w++)
        hd_bits_put(d.dn_packet_i, w * 32, 32, word + w);
    *d.dn_valid_i = 1;
    for (unsigned t = 0; t < 20 && *d.dn_valid_i; t++) {
        bool taken;
        hd_eval(d.m);
        taken = *d.dn_ready_o;
        hd_edge(d.m);
        *d.dn_valid_i = !taken;
        hd_eval(d.m);
    }
}

static void a_load_asks_for_its_line_and_gets_its_words(void **state)
{
    const struct hd_access a = {.warp = 6, .slot = 2, .tag = 0xc3, .kind = HD_OP_LOAD, .space = HD_SPACE_GLOBAL};
    const uint32_t word = (uint32_t)hd_rand();

    (void)state;
    offer(a);
    answer(word);
    is_performed(a);
    assert_int_equal(hd_bits_get(d.cpl_o, 0, 32), (uint32_t)(word + 3));
    assert_int_equal(hd_bits_get(d.cpl_o, 2 * 32, 32), (uint32_t)(word + 5));
    for (unsigned t = 0; t < 20 && !*d.idle_o; t++)
        hd_edge(d.m);
    assert_int_equal(*d.idle_o, 1);
    assert_int_equal(*d.l1_idle_o, 1);
}

/* The words of lane l, from the line, go to LDS word LINE * P_LineWords + 3 + lane of the last access of the test. */
static void a_copy_is_performed_when_its_words_are_in_the_lds(void **state)
{
#ifdef P_Copies
    const struct hd_access a = {.warp = 6, .slot = 2, .tag = 0xc3, .kind = HD_OP_COPY, .space = HD_SPACE_GLOBAL};
    const struct hd_access load = {.warp = 5, .slot = 1, .tag = 0x5a, .kind = HD_OP_LOAD, .space = HD_SPACE_LDS};
    const uint32_t word = (uint32_t)hd_rand();
    unsigned reads = 0;

    for (unsigned l = 0; l < P_Lanes; l++)
        hd_bits_put(d.lo_body_i, l * 32, 32, 4 * (LINE * P_LineWords + 3 + l));
    *d.perf_last_i = 1; /* of something else: what the L1 performs of a copy is nobody's last */
    offer(a);
    answer(word);
    for (unsigned t = 0; t < 20 && !*d.perf_valid_o; t++) {
        if (*d.cpl_valid_o) {
            reads++;
            assert_int_equal(hd_bits_get(d.cpl_o, CPL_LSB + HD_COMPLETION_LAST_LSB, HD_COMPLETION_LAST_W), 0);
            assert_int_equal(hd_bits_get(d.cpl_o, CPL_LSB + HD_COMPLETION_STATUS_LSB, HD_COMPLETION_STATUS_W), 0);
            assert_int_equal(hd_bits_get(d.cpl_o, 2 * 32, 32), (uint32_t)(word + 5));
        }
        assert_int_equal(*d.idle_o && !*d.cpl_valid_o, 0);
        hd_edge(d.m);
    }
    assert_int_equal(reads, 1);
    is_performed(a);
    assert_int_equal(hd_bits_get(d.cpl_o, CPL_LSB + HD_COMPLETION_STATUS_LSB, HD_COMPLETION_STATUS_W), 1 << HD_STATUS_COPY);
    offer(load);
    is_performed(load);
    assert_int_equal(hd_bits_get(d.cpl_o, CPL_LSB + HD_COMPLETION_STATUS_LSB, HD_COMPLETION_STATUS_W), 0);
    assert_int_equal(hd_bits_get(d.cpl_o, 0, 32), (uint32_t)(word + 3));
    assert_int_equal(hd_bits_get(d.cpl_o, 2 * 32, 32), (uint32_t)(word + 5));
#endif
    (void)state;
}

/* An empty L1 has nothing to write back. With word states the beginning of a kernel is a walk, too. */
static void a_flush_walks_and_a_kernel_with_word_states(void **state)
{
    static const unsigned pulses[] = {BEGIN, FLUSH | BEGIN};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        *d.flush_begin_i = (uint8_t)pulses[i];
        hd_edge(d.m);
        *d.flush_begin_i = 0;
        hd_eval(d.m);
        assert_int_equal(*d.flushing_o, pulses[i] & FLUSH || P_Family == HD_FAMILY_GPU);
        for (unsigned t = 0; t < 100 && *d.flushing_o; t++)
            hd_edge(d.m);
        assert_int_equal(*d.flushing_o, 0);
        assert_int_equal(*d.req_valid_o | *d.rsp_valid_o, 0);
    }
}

/* A fence of the L1 is performed, for its warp waits, and completes no operation of the warp port. */
static void a_fence_shows_no_completion(void **state)
{
#if P_Family == 2
    const struct hd_access a = {.warp = 6, .slot = 2, .tag = 0xc3, .kind = HD_OP_FENCE, .order = HD_ORD_RELEASE,
                                .scope = HD_SCOPE_DEVICE, .space = HD_SPACE_GLOBAL, .last = 1};

    hd_bits_put(d.policy_i, HD_POLICY_MODEL_LSB, HD_POLICY_MODEL_W, HD_MODEL_DRF);
    *d.lo_valid_i = 1;
    hd_bits_put(d.lo_acc_i, 0, HD_ACCESS_W, hd_access_pack(a));
    for (unsigned t = 0; t < 10 && !*d.lo_ready_o; t++)
        hd_edge(d.m);
    assert_int_equal(*d.lo_ready_o, 1);
    hd_edge(d.m);
    *d.lo_valid_i = 0;
    hd_eval(d.m);
    for (unsigned t = 0; t < 20 && !*d.perf_valid_o; t++)
        hd_edge(d.m);
    assert_int_equal(*d.perf_valid_o, 1);
    assert_int_equal(hd_bits_get(d.perf_o, HD_PERFORMED_WARP_LSB, HD_WARP_W), a.warp);
    for (unsigned t = 0; t < 5; t++) {
        assert_int_equal(*d.cpl_valid_o, 0);
        hd_edge(d.m);
    }
#endif
    (void)state;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(the_lds_gives_back_what_was_stored, setup, teardown),
        cmocka_unit_test_setup_teardown(a_load_asks_for_its_line_and_gets_its_words, setup, teardown),
        cmocka_unit_test_setup_teardown(a_copy_is_performed_when_its_words_are_in_the_lds, setup, teardown),
        cmocka_unit_test_setup_teardown(a_flush_walks_and_a_kernel_with_word_states, setup, teardown),
        cmocka_unit_test_setup_teardown(a_fence_shows_no_completion, setup, teardown),
    };
    return HD_UNIT_MAIN(argc, argv, t);
}
