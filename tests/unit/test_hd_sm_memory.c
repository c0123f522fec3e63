/* test_hd_sm_memory.c - an access of the LDS and one of the L1 through the memory of an SM, and back with their tags;
 * copies, fences, flushes; a copy beside hits; with MESI also random ones of all kinds at once, against mesi_env.h. */
/* dut: hd_sm_memory Lanes=4 LineWords=8 MshrEntries=4 MshrTargets=6 StoreData=4 CasData=2 MergeLanes=6 L1Sets=2 L1Ways=2 LdsRows=3 LdsBanks=4 WbEntries=2 PartBits=1 SplitLds=0 TagW=8 Copies=2 */
/* dut: hd_sm_memory Lanes=4 LineWords=8 MshrEntries=4 MshrTargets=6 StoreData=4 CasData=2 MergeLanes=6 L1Sets=2 L1Ways=2 LdsRows=3 LdsBanks=4 WbEntries=2 PartBits=1 SplitLds=1 TagW=0 */
/* dut: hd_sm_memory Family=1 Lanes=4 LineWords=8 MshrEntries=4 MshrTargets=6 StoreData=4 CasData=2 MergeLanes=8 L1Sets=2 L1Ways=2 LdsRows=3 LdsBanks=4 WbEntries=2 PartBits=1 SplitLds=0 TagW=8 Copies=2 */
/* dut-rtl: hd_sm_memory Family=2 Lanes=4 LineWords=16 FlitWords=4 MshrEntries=4 MshrTargets=6 StoreData=4 CasData=2 MergeLanes=8 L1Sets=2 L1Ways=2 LdsRows=3 LdsBanks=4 WbEntries=2 PartBits=1 SbWords=32 SbRows=4 WtOut=2 SplitLds=0 TagW=8 Copies=2 */
/* dut-rtl: hd_sm_memory Family=3 Lanes=4 LineWords=8 MshrEntries=4 MshrTargets=6 StoreData=4 CasData=2 MergeLanes=8 L1Sets=2 L1Ways=2 LdsRows=3 LdsBanks=4 WbEntries=2 PartBits=1 SbWords=16 SbRows=4 GenBits=3 RegEntries=4 SplitLds=0 TagW=8 Copies=2 */
/* src: tests/unit/mesi_env.c */
#include "hd_unit.h"
#include "hd_sm_memory_dut.h"
#include "hd_access.h"
#include "mesi_env.h"

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
    HEAD = HD_HEAD_W + (P_Family == HD_FAMILY_DENOVO ? 0 : HD_LANE_W),
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

/* Offers an access of line LINE to words 3 + lane of @lanes, of 0 and 2, until it is taken. */
static void offer_lanes(struct hd_access a, unsigned lanes)
{
    bool taken = false;

    *d.lo_valid_i = 1;
    hd_bits_put(d.lo_acc_i, 0, HD_ACCESS_W, hd_access_pack(a));
    hd_bits_put(d.lo_body_i, LINE_LSB, HD_ADDR_W - OFF_W - 2, LINE);
    hd_bits_put(d.lo_body_i, MASK_LSB, P_Lanes, lanes);
    hd_bits_put(d.lo_body_i, WMASK_LSB, P_LineWords, lanes << 3);
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

static void offer(struct hd_access a)
{
    offer_lanes(a, 0x5);
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

/* The word of lane 0 is dirty in the L1: that lane is performed at once (with DENOVO before the access is taken), lane 2 when the
 * line is there. */
static void a_copy_may_be_performed_in_parts(void **state)
{
#if P_Family >= 2
    const struct hd_access a = {.warp = 6, .slot = 2, .tag = 0xc3, .kind = HD_OP_COPY, .space = HD_SPACE_GLOBAL};
    const struct hd_access store = {.warp = 9, .slot = 3, .kind = HD_OP_STORE, .space = HD_SPACE_GLOBAL};
    const struct hd_access load = {.warp = 5, .slot = 1, .tag = 0x5a, .kind = HD_OP_LOAD, .space = HD_SPACE_LDS};
    const uint32_t word = (uint32_t)hd_rand();
    unsigned reads = 0, parts = 0;
    bool taken = false, answered = false;

    hd_bits_put(d.policy_i, HD_POLICY_MODEL_LSB, HD_POLICY_MODEL_W, HD_MODEL_DRF);
    hd_bits_put(d.lo_body_i, DATA_LSB + 3 * 32, 32, ~word);
    offer_lanes(store, 0x1);
    for (unsigned t = 0; t < 20 && !*d.perf_valid_o; t++)
        hd_edge(d.m);
    assert_int_equal(*d.perf_valid_o, 1);
    for (unsigned t = 0; t < 5; t++)
        hd_edge(d.m);
    for (unsigned l = 0; l < P_Lanes; l++)
        hd_bits_put(d.lo_body_i, l * 32, 32, 4 * (LINE * P_LineWords + 3 + l));
    hd_bits_put(d.lo_acc_i, 0, HD_ACCESS_W, hd_access_pack(a));
    hd_bits_put(d.lo_body_i, MASK_LSB, P_Lanes, 0x5);
    hd_bits_put(d.lo_body_i, WMASK_LSB, P_LineWords, 0x28);
    *d.lo_valid_i = 1;
    for (unsigned t = 0; t < 60 && !*d.perf_valid_o; t++) {
        hd_eval(d.m);
        if (*d.cpl_valid_o) {
            const uint64_t mask = hd_bits_get(d.cpl_o, CPL_MASK_LSB, P_Lanes);
            assert_int_equal(reads & mask, 0);
            assert_int_equal(hd_bits_get(d.cpl_o, CPL_LSB + HD_COMPLETION_LAST_LSB, HD_COMPLETION_LAST_W), 0);
            reads |= (unsigned)mask;
            parts++;
        }
        taken = *d.lo_valid_i && *d.lo_ready_o;
        hd_edge(d.m);
        if (taken)
            *d.lo_valid_i = 0;
        hd_eval(d.m);
        if (!*d.lo_valid_i && !answered && t > 10) {
            assert_int_equal(reads, 0x1);
            answer(word);
            answered = true;
        }
    }
    assert_int_equal(reads, 0x5);
    assert_int_equal(parts, 2);
    is_performed(a);
    offer(load);
    is_performed(load);
    assert_int_equal(hd_bits_get(d.cpl_o, 0, 32), (uint32_t)~word);
    assert_int_equal(hd_bits_get(d.cpl_o, 2 * 32, 32), (uint32_t)(word + 5));
#endif
    (void)state;
}

/* Two copies take all the room there is for words that are to come; a load has its own in the L1. */
static void a_load_does_not_wait_for_room_of_copies(void **state)
{
#ifdef P_Copies
    unsigned performed = 0;

    for (unsigned slot = 0; slot < 3; slot++)
        offer((struct hd_access){.warp = 6, .slot = slot, .kind = slot < P_Copies ? HD_OP_COPY : HD_OP_LOAD,
                                 .space = HD_SPACE_GLOBAL});
    assert_true(P_Copies == 2);
    answer((uint32_t)hd_rand());
    for (unsigned t = 0; t < 60; t++) {
        performed += *d.perf_valid_o;
        hd_edge(d.m);
    }
    assert_int_equal(performed, 3);
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
        assert_int_equal(*d.flushing_o, pulses[i] & FLUSH || P_Family == HD_FAMILY_GPU || P_Family == HD_FAMILY_DENOVO);
        for (unsigned t = 0; t < 100 && *d.flushing_o; t++)
            hd_edge(d.m);
        assert_int_equal(*d.flushing_o, 0);
        assert_int_equal(*d.req_valid_o | *d.rsp_valid_o, 0);
    }
}

/* The L1 hits in every cycle, one hit is a copy's. Its words wait 15 cycles in the LDS for a turn, then the L1 is given nothing
 * more, what it has been given is performed, and it is the LDS's turn; hits go on in the cycle after. */
static void a_copy_has_its_turn_beside_hits(void **state)
{
#ifdef P_Copies
    const struct hd_access hit = {.warp = 6, .slot = 2, .tag = 0xc3, .kind = HD_OP_LOAD, .space = HD_SPACE_GLOBAL};
    const struct hd_access copy = {.warp = 9, .slot = 3, .tag = 0xa5, .kind = HD_OP_COPY, .space = HD_SPACE_GLOBAL};
    enum { AT = 20, CYCLES = 80 };
    unsigned taken = 0, performed = 0, turn = 0, held = 0, first_held = 0;

    for (unsigned l = 0; l < P_Lanes; l++)
        hd_bits_put(d.lo_body_i, l * 32, 32, 4 * (LINE * P_LineWords + 3 + l));
    offer(hit);
    answer(1);
    is_performed(hit);
    for (unsigned t = 0; t < 20; t++)
        hd_edge(d.m);
    for (unsigned t = 0; t < CYCLES + 10; t++) {
        hd_bits_put(d.lo_acc_i, 0, HD_ACCESS_W, hd_access_pack(t == AT ? copy : hit));
        *d.lo_valid_i = t < CYCLES;
        hd_eval(d.m);
        taken += *d.lo_valid_i && *d.lo_ready_o && t != AT;
        if (*d.lo_valid_i && !*d.lo_ready_o && held++ == 0)
            first_held = t;
        if (*d.perf_valid_o && hd_bits_get(d.perf_o, HD_PERFORMED_WARP_LSB, HD_WARP_W) == copy.warp) {
            assert_int_equal(turn, 0);
            turn = t;
        } else {
            performed += *d.perf_valid_o;
        }
        hd_edge(d.m);
    }
    assert_int_equal(turn, AT + 5 + 15 + 2); /* in the LDS 5 cycles after it was taken */
    assert_int_equal(held, 2);
    assert_int_equal(first_held, turn - 1);
    assert_int_equal(performed, taken);
    assert_int_equal(taken + held, CYCLES - 1);
    assert_int_equal(*d.idle_o, 1);
#endif
    (void)state;
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

#if P_Family == 0
/* ---- random operations of both sides, and copies, against a directory and another SM ------------ */

enum {
    LANES = P_Lanes, LINES = P_L1Sets * P_L1Ways + 3, OPS = 10, LDS_WORDS = P_LdsRows * P_LineWords,
    RSP_LSB = HD_SM_MEMORY_W_rsp_packet_o - HEAD, LINE_W = HD_ADDR_W - OFF_W - 2
};

static struct me e;
static struct op {
    bool active, copy;
    struct hd_access a;                         /* slot and tag are one to the L1 */
    struct me_op m;                             /* of a copy: the load that it is to the L1 */
    uint64_t to_offer, to_complete, reads;      /* lanes; reads: of a copy, that the L1 has not read yet */
    unsigned to_perform, word[P_Lanes];         /* of a copy: where it goes in the LDS */
    uint64_t read[P_Lanes];
} op[OPS];
static struct op *offered, *performed;          /* performed: perf was in the cycle before, of @lanes, the last of all or not */
static struct {
    unsigned lanes, copies, flushed, frozen;
    bool last, dn;
} m;

static struct op *op_of(unsigned w, unsigned slot)
{
    for (unsigned i = 0; i < OPS; i++)
        if (op[i].active && op[i].a.warp == w && op[i].a.slot == slot)
            return &op[i];
    fail_msg("no operation of warp %u, slot %u is under way", w, slot);
    return NULL;
}

/* Begins @o with a slot that no other one has. @first: the store of the LDS words from there on, else random. */
static void begin(struct op *o, int first)
{
    struct op new = {.active = true};

    for (bool again = true; again;) {
        new.a = hd_access_random();
        again = false;
        for (unsigned i = 0; i < OPS; i++)
            again |= op[i].active && op[i].a.warp == new.a.warp && op[i].a.slot == new.a.slot;
    }
    if (first >= 0)
        me_lds_store(&e, &new.m, LANES, (unsigned)first);
    else
        me_random_op(&e, &new.m, LANES, 3);
#ifdef P_Copies
    new.copy = new.m.space == HD_SPACE_GLOBAL && new.m.kind == HD_OP_LOAD && hd_rand_below(2);
#endif
    for (unsigned l = 0; l < LANES; l++) { /* a bank for each lane */
        new.word[l] = (unsigned)hd_rand_below(LDS_WORDS / P_LdsBanks) * P_LdsBanks + l % P_LdsBanks;
        if (new.copy)
            new.m.cmp[l] = 4 * new.word[l];
    }
    new.a.kind = new.copy ? HD_OP_COPY : new.m.kind;
    new.a.fn = new.m.fn;
    new.a.space = new.m.space;
    new.a.order = HD_ORD_RELAXED;
    new.a.prefetch = 0;
    new.to_offer = new.to_complete = new.m.mask;
    new.reads = new.copy ? new.m.mask : 0;
    new.to_perform = me_ones(new.m.mask);
    *o = new;
    offered = o;
}

/* The next access of the operation that is offered. @return its lanes. */
static uint64_t drive_access(void)
{
    const struct me_op *o = &offered->m;
    const bool lanes = o->kind == HD_OP_ATOMIC || o->space == HD_SPACE_LDS;
    uint32_t line = 0, touched = 0;
    const uint64_t mask = me_first_line(&e, o, offered->to_offer, &line);

    hd_bits_put(d.lo_acc_i, 0, HD_ACCESS_W, hd_access_pack(offered->a));
    hd_bits_random(d.lo_body_i, HD_SM_MEMORY_W_lo_body_i);
    hd_bits_put(d.lo_body_i, LINE_LSB, LINE_W, line);
    hd_bits_put(d.lo_body_i, MASK_LSB, LANES, mask);
    for (unsigned w = 0; w < P_LineWords; w++)
        hd_bits_put(d.lo_body_i, DATA_LSB + w * 32, 32, 0);
    for (unsigned l = 0; l < LANES; l++) {
        const unsigned off = me_offset(&e, o, l);

        hd_bits_put(d.lo_body_i, OFFS_LSB + l * OFF_W, OFF_W, off);
        if (LDS_W != 0 && o->space == HD_SPACE_LDS)
            hd_bits_put(d.lo_body_i, PLACE_LSB + l * LDS_W, LDS_W ? LDS_W : 1, o->addr[l] / 4);
        hd_bits_put(d.lo_body_i, l * 32, 32, o->cmp[l]);
        if (mask >> l & 1) {
            touched |= 1u << off;
            if (o->kind != HD_OP_LOAD)
                hd_bits_put(d.lo_body_i, DATA_LSB + (lanes ? l : off) * 32, 32, o->data[l]);
        }
    }
    hd_bits_put(d.lo_body_i, WMASK_LSB, P_LineWords, touched);
    return mask;
}

static void see_completion(void)
{
    const uint64_t mask = hd_bits_get(d.cpl_o, CPL_MASK_LSB, LANES);
    const unsigned w = (unsigned)hd_bits_get(d.cpl_o, CPL_LSB + HD_COMPLETION_WARP_LSB, HD_COMPLETION_WARP_W);
    const unsigned slot = (unsigned)hd_bits_get(d.cpl_o, CPL_LSB + HD_COMPLETION_SLOT_LSB, HD_COMPLETION_SLOT_W);
    const bool last = hd_bits_get(d.cpl_o, CPL_LSB + HD_COMPLETION_LAST_LSB, HD_COMPLETION_LAST_W);
    const uint64_t status = hd_bits_get(d.cpl_o, CPL_LSB + HD_COMPLETION_STATUS_LSB, HD_COMPLETION_STATUS_W);
    struct op *o;

    assert_true(*d.cpl_valid_o || performed == NULL);
    if (!*d.cpl_valid_o)
        return;
    o = op_of(w, slot);
    assert_int_equal(hd_bits_get(d.cpl_o, CPL_MASK_LSB + LANES, LANES), 0);
    if (performed == NULL) { /* the words of a copy have been read */
        assert_true(o->copy && mask != 0 && (mask & ~o->reads) == 0 && !last && status == 0);
        me_perform(&e, &o->m, mask, d.cpl_o);
        o->reads &= ~mask;
        for (unsigned l = 0; l < LANES; l++)
            o->read[l] = mask >> l & 1 ? hd_bits_get(d.cpl_o, l * 32, 32) : o->read[l];
        return;
    }
    assert_ptr_equal(o, performed);
    assert_true((mask & ~o->to_complete) == 0 && (mask & o->reads) == 0);
    assert_int_equal(me_ones(mask), m.lanes);
    assert_int_equal(last, m.last);
    assert_int_equal(status, (unsigned)o->copy << HD_STATUS_COPY);
    if (o->copy) {
        e.local[HD_OP_STORE]++;
        m.copies++;
        for (unsigned l = 0; l < LANES; l++)
            if (mask >> l & 1)
                e.lds[o->word[l]] = o->read[l];
    } else {
        me_perform(&e, &o->m, mask, d.cpl_o);
    }
    o->to_complete &= ~mask;
    o->active = o->to_complete != 0;
}

static void see_perf(void)
{
    *d.perf_last_i = (uint8_t)hd_rand_below(2); /* of nothing that is shown */
    performed = NULL;
    if (!*d.perf_valid_o)
        return;
    performed = op_of((unsigned)hd_bits_get(d.perf_o, HD_PERFORMED_WARP_LSB, HD_WARP_W),
                      (unsigned)hd_bits_get(d.perf_o, HD_PERFORMED_SLOT_LSB, HD_SLOT_W));
    assert_int_equal(hd_bits_get(d.perf_o, HD_PERFORMED_TAG_LSB, HD_TAG_W), P_TagW ? performed->a.tag : 0);
    m.lanes = (unsigned)hd_bits_get(d.perf_o, HD_PERFORMED_W, HD_SM_MEMORY_W_perf_o - HD_PERFORMED_W);
    assert_true(m.lanes <= performed->to_perform);
    performed->to_perform -= m.lanes;
    m.last = performed->to_perform == 0;
    *d.perf_last_i = m.last;
}

/* The head of a packet, from bit @lsb of its port on. */
static void get_head(const void *port, unsigned lsb, struct me_msg *msg)
{
    uint32_t head[(HEAD + 31) / 32] = {0};

    for (unsigned i = 0; i < HEAD; i++)
        hd_bits_put(head, i, 1, hd_bits_get(port, lsb + i, 1));
    me_get_head(head, msg);
}

/* The request names the operation that it is made for, and an entry that is in use. */
static void take_request(void)
{
    struct me_msg msg;
    bool found = false;

    get_head(d.req_packet_o, REQ_LSB, &msg);
    for (unsigned i = 0; i < REQ_LSB; i++)
        assert_int_equal(hd_bits_get(d.req_packet_o, i, 1), 0);
    for (unsigned i = 0; i < OPS; i++)
        found |= op[i].active && msg.opid == ((op[i].a.tag * (P_TagW != 0) << HD_SLOT_W | op[i].a.slot) << HD_WARP_W
                                              | op[i].a.warp) % (1u << HD_OPID_W);
    assert_true(found);
    assert_int_equal(hd_bits_get(d.mshr_busy_o, msg.tid, 1), 1);
    me_request(&e, &msg);
}

static void any_cycle(void)
{
    const struct me_msg *down;
    uint32_t head[(HEAD + 31) / 32] = {0};
    uint64_t mask = 0;

    me_step(&e);
    *d.lo_valid_i = offered != NULL;
    if (offered != NULL)
        mask = drive_access();
    down = me_offer(&e);
    m.dn = down != NULL && (m.dn || hd_rand_below(4) != 0);
    *d.dn_valid_i = m.dn;
    hd_bits_random(d.dn_packet_i, HD_SM_MEMORY_W_dn_packet_i);
    if (m.dn) {
        me_put_head(head, down);
        hd_bits_put(head, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, hd_rand()); /* the L1 has it in its entry */
        for (unsigned i = 0; i < HEAD; i++)
            hd_bits_put(d.dn_packet_i, DN_LSB + i, 1, hd_bits_get(head, i, 1));
        for (unsigned w = 0; w < P_LineWords; w++)
            hd_bits_put(d.dn_packet_i, w * 32, 32, down->data[w]);
    }
    *d.req_ready_i = hd_rand_below(4) != 0;
    *d.rsp_ready_i = hd_rand_below(4) != 0;
    hd_eval(d.m);
    assert_int_equal(*d.mark_ready_o | *d.fw_ready_o, 0); /* of other families */
    see_completion();
    if (*d.st_valid_o)
        me_state(&e, (uint32_t)hd_bits_get(d.st_line_o, 0, LINE_W), *d.st_state_o);
    me_events(&e, hd_bits_get(d.ev_o, 0, HD_EV_SM_NUM));
    assert_int_equal(hd_bits_get(d.tm_hold_o, 0, HD_SM_MEMORY_W_tm_hold_o), 0);
    if (*d.idle_o)
        assert_true(*d.l1_idle_o && performed == NULL);
    see_perf();
    if (offered != NULL && *d.lo_ready_o) {
        offered->to_offer &= ~mask;
        if (offered->to_offer == 0)
            offered = NULL;
    }
    if (m.dn && *d.dn_ready_o) {
        me_offer_taken(&e);
        m.dn = false;
    }
    if (*d.req_valid_o && *d.req_ready_i)
        take_request();
    if (*d.rsp_valid_o && *d.rsp_ready_i) {
        struct me_msg msg;

        get_head(d.rsp_packet_o, RSP_LSB, &msg);
        assert_int_equal(msg.lanes, 0);
        for (unsigned w = 0; w < P_LineWords; w++)
            msg.data[w] = hd_bits_get(d.rsp_packet_o, w * 32, 32);
        me_response(&e, &msg);
    }
    if (*d.idle_o && !*d.lo_valid_i && !*d.dn_valid_i && !*d.flush_begin_i && hd_rand_below(4) == 0) {
        hd_assert_frozen(d.m);
        m.frozen++;
    }
    hd_edge(d.m);
    *d.flush_begin_i = 0;
}

static void settle(void)
{
    for (unsigned t = 0, quiet = 0; quiet < 4; t++) {
        bool busy = offered != NULL || !me_quiet(&e) || !*d.idle_o || *d.req_valid_o || *d.rsp_valid_o;

        assert_true(t < 6000);
        any_cycle();
        for (unsigned i = 0; i < OPS; i++)
            busy |= op[i].active;
        quiet = busy ? 0 : quiet + 1;
    }
    assert_int_equal(hd_bits_get(d.mshr_busy_o, 0, P_MshrEntries), 0);
}

/* What happens to lines of both sides is what the directory, the other SM and the accesses before have left. */
static void random_run(unsigned sm)
{
    const uint32_t upper = ((UINT32_C(1) << LINE_W) - 1) & ~UINT32_C(15), base = (uint32_t)hd_rand() & upper;
    uint32_t numbers[LINES];

    memset(op, 0, sizeof op);
    offered = performed = NULL;
    m.dn = false;
    hd_reset(d.m);
    for (unsigned i = 0; i < LINES; i++) /* neighbours, and others above */
        numbers[i] = (i < 2 ? base : (uint32_t)hd_rand() & upper) | i;
    me_init(&e, P_LineWords, false, 1u << P_PartBits, sm, P_MshrEntries, numbers, LINES, hd_rand());
    *d.sm_id_i = (uint8_t)sm;
    if (LDS_W != 0) {
        e.lds_rows = P_LdsRows;
        e.lds_banks = P_LdsBanks;
        for (unsigned first = 0; first < LDS_WORDS; first += LANES) {
            begin(&op[0], (int)first);
            settle();
        }
    }
    for (unsigned t = 0; t < 1500; t++) {
        const unsigned i = (unsigned)hd_rand_below(OPS);

        if (offered == NULL && !op[i].active && hd_rand_below(8) != 0)
            begin(&op[i], -1);
        any_cycle();
    }
    settle();
    *d.flush_begin_i = FLUSH;
    any_cycle();
    hd_eval(d.m);
    for (unsigned t = 0; *d.flushing_o; t++, m.flushed++) {
        assert_true(t < 3000);
        any_cycle();
    }
    settle();
    me_check_flushed(&e);
    me_check_end(&e);
}
#endif

static void both_sides_and_copies_at_once(void **state)
{
#if P_Family == 0
    static const unsigned other[] = {HD_EV_SM_TM_PASS, HD_EV_SM_TM_PASS + 1, HD_EV_SM_TM_PASS + 2, HD_EV_SM_TM_PASS + 3,
                                     HD_EV_SM_TM_PASS + 4, HD_EV_SM_TM_PASS + 5, HD_EV_SM_TM_PASS + 6, HD_EV_SM_TM_PASS + 7};

    unsigned sm = (unsigned)hd_rand_below(1u << HD_NODE_W);

    memset(&m, 0, sizeof m);
    for (unsigned round = 0; round < 4; round++, sm ^= (1u << HD_NODE_W) - 1) { /* each bit of its number 0 and 1 */
        const unsigned before = m.copies;

        random_run(sm);
        assert_int_equal(e.ev[HD_EV_SM_COPY], m.copies - before);
        for (unsigned i = 0; i < sizeof other / sizeof *other; i++)
            assert_int_equal(e.ev[other[i]], 0);
        assert_true(e.loads > 30 && e.stores > 30 && e.atomics > 30 && e.up[HD_MSG_PUTM] > 0);
        assert_true(LDS_W == 0 || e.local[HD_OP_LOAD] > 5);
    }
    assert_true(m.flushed > 0 && m.frozen > 2);
#ifdef P_Copies
    assert_true(m.copies > 50);
#endif
#endif
    (void)state;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(the_lds_gives_back_what_was_stored, setup, teardown),
        cmocka_unit_test_setup_teardown(a_load_asks_for_its_line_and_gets_its_words, setup, teardown),
        cmocka_unit_test_setup_teardown(a_copy_is_performed_when_its_words_are_in_the_lds, setup, teardown),
        cmocka_unit_test_setup_teardown(a_copy_may_be_performed_in_parts, setup, teardown),
        cmocka_unit_test_setup_teardown(a_load_does_not_wait_for_room_of_copies, setup, teardown),
        cmocka_unit_test_setup_teardown(a_flush_walks_and_a_kernel_with_word_states, setup, teardown),
        cmocka_unit_test_setup_teardown(a_copy_has_its_turn_beside_hits, setup, teardown),
        cmocka_unit_test_setup_teardown(a_fence_shows_no_completion, setup, teardown),
        cmocka_unit_test_setup_teardown(both_sides_and_copies_at_once, setup, teardown),
    };
    return HD_UNIT_MAIN(argc, argv, t);
}
