/* test_hd_l2_bank.c - order and timing of the bank's work, packet by packet, then random traffic. Write-through L1s (family VI):
 * l2_bank_vi_cases.h. The races of the protocol are tested at the tile, with links around the bank. */
/* mutants: Family=1 Sms=3 Lanes=8 WritePlaces=2 LineWords=8 Sets=2 Ways=2 MshrEntries=3 PartBits=7 WordW=32 Persist=1 NvwDepth=3 Epochs=2 */
/* dut: hd_l2_bank Sms=3 LineWords=8 Sets=2 Ways=2 MshrEntries=3 PartBits=1 WordW=32 */
/* dut: hd_l2_bank Sms=3 LineWords=8 Sets=2 Ways=2 MshrEntries=3 PartBits=1 LaneMasks=1 WordW=32 */
/* dut: hd_l2_bank Family=1 Sms=3 Lanes=4 WritePlaces=2 LineWords=8 Sets=2 Ways=2 MshrEntries=3 PartBits=1 WordW=32 */
/* dut: hd_l2_bank Family=1 Sms=3 Lanes=8 WritePlaces=2 LineWords=8 Sets=2 Ways=2 MshrEntries=3 PartBits=7 WordW=32 Persist=1 NvwDepth=3 Epochs=2 */
/* dut-rtl: hd_l2_bank Family=1 Sms=128 Lanes=64 WritePlaces=1 LineWords=16 Sets=2 Ways=2 MshrEntries=3 PartBits=0 WordW=64 Persist=1 NvwDepth=2 Epochs=4 */
#include "hd_unit.h"
#include "hd_l2_bank_dut.h"
#include "hd_pkg.h"

#if P_Family /* hd_pkg::FAMILY_VI */
#include "l2_bank_vi_cases.h"
#else
#ifndef P_LaneMasks
#define P_LaneMasks 0
#endif
enum { SMS = P_Sms, LW = P_LineWords, PART = 1, LINES = 10, QUEUE = 64, FULL = 0xff };
enum { I = HD_ST_I, S = HD_ST_S, E = HD_ST_E, M = HD_ST_M };

struct packet {
    uint32_t kind, node, line, wmask, tid, opid, value; /* node: the SM; value: of the line, see word() */
};

static struct {
    struct hd_l2_bank d;
    struct packet rsp[SMS][QUEUE], mem[QUEUE], dn; /* dn: the last packet taken */
    unsigned rsp_count[SMS], mem_count, state[SMS][LINES], pending[SMS][LINES];
    uint32_t value[LINES], memory[LINES], copy[SMS][LINES], next_value;
    bool claimed, dn_taken, req_taken, dn_held;
    uint32_t high;                    /* upper bits of the line numbers */
    uint32_t patch_mask, patch_value; /* words of the next line down that are of another value */
    uint32_t held_head[4], held_data[LW];
    unsigned granted, asked, mem_writes, mem_reads;
    unsigned seen[32]; /* packets, requests that were taken, by kind */
    uint64_t ev[HD_EV_L2_NUM];
} w;

static void bits(uint32_t *v, unsigned lsb, unsigned width, uint32_t x)
{
    for (unsigned i = lsb; i < lsb + width; i++, x >>= 1)
        v[i / 32] = (v[i / 32] & ~(UINT32_C(1) << i % 32)) | (x & 1) << i % 32;
}

static uint32_t get(const uint32_t *v, unsigned lsb, unsigned width)
{
    uint32_t x = 0;

    for (unsigned i = 0; i < width; i++)
        x |= (v[(lsb + i) / 32] >> (lsb + i) % 32 & 1) << i;
    return x;
}

/* Word @i of a line of @value; word 0 is the value. */
static uint32_t word(uint32_t value, unsigned i)
{
    return value ^ i * UINT32_C(0x9e3779b9);
}

/* Set and order of replacement are in the low bits of a line's number, the rest of its address is anything. */
static uint32_t addr_of(uint32_t line)
{
    const uint32_t number = (w.high * (line + 1) & ~UINT32_C(15)) | line;

    return (number << P_PartBits | PART) << 5;
}

static uint32_t line_of(uint32_t addr)
{
    const uint32_t line = addr >> (5 + P_PartBits) & 15;

    assert_true(line < LINES);
    assert_int_equal(addr, addr_of(line));
    return line;
}

static uint32_t tid_of(uint32_t sm, uint32_t line)
{
    return (16 * sm + line) * 5;
}

static uint32_t opid_of(uint32_t sm, uint32_t line)
{
    return ((16 * sm + line + 1) * UINT32_C(0x9e3779b9)) >> (32 - HD_OPID_W);
}

static uint32_t lanes_of(uint32_t sm, uint32_t line)
{
    return (16 * sm + line + 1) * UINT32_C(0x85ebca6b);
}

static uint32_t new_value(void)
{
    return w.next_value = (uint32_t)hd_rand();
}

static void head_of(uint32_t *v, const struct packet *p)
{
    bits(v, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, p->kind);
    bits(v, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, p->node);
    bits(v, HD_HEAD_DST_LSB, HD_HEAD_DST_W, PART);
    bits(v, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, addr_of(p->line));
    bits(v, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W, p->wmask);
    bits(v, HD_HEAD_TID_LSB, HD_HEAD_TID_W, p->tid);
    bits(v, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, p->opid);
    bits(v, HD_HEAD_LANES_LSB, HD_LANE_W, lanes_of(p->node, p->line));
}

static int setup(void **state)
{
    (void)state;
    memset(&w, 0, sizeof w);
    hd_l2_bank_open(&w.d);
    hd_reset(w.d.m);
    *w.d.part_id_i = PART;
    *w.d.dn_ready_i = *w.d.mreq_ok_i = 1;
    w.high = (uint32_t)hd_rand() | 1;
    for (unsigned l = 0; l < LINES; l++)
        w.value[l] = w.memory[l] = new_value();
    hd_eval(w.d.m);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    hd_close(w.d.m);
    return 0;
}

static void offer_req(uint32_t kind, unsigned sm, unsigned line)
{
    struct packet p = {kind, sm, line, 0, tid_of(sm, line), opid_of(sm, line), 0};

    head_of(w.d.req_head_i, &p);
    *w.d.req_valid_i = 1;
}

static void offer_rsp(const struct packet *p)
{
    head_of(w.d.rsp_head_i, p);
    bits(w.d.rsp_head_i, HD_HEAD_WMASK_LSB + LW, HD_HEAD_WMASK_W - LW, (uint32_t)hd_rand()); /* beyond the line: of no word */
    for (unsigned i = 0; i < LW; i++)
        w.d.rsp_data_i[i] = p->wmask >> i & 1 ? word(p->value, i) : 0xdeadbeef;
    *w.d.rsp_valid_i = 1;
}

static void offer_mem(unsigned tid, unsigned line)
{
    *w.d.mrsp_valid_i = 1;
    *w.d.mrsp_tid_i = (uint8_t)tid;
    for (unsigned i = 0; i < LW; i++)
        w.d.mrsp_data_i[i] = word(w.memory[line], i);
}

/* One cycle with the offered inputs; req, rsp and mrsp are offers for this cycle only. */
static void cycle(void)
{
    struct hd_l2_bank *d = &w.d;
    bool claim, mem_valid, rest;

    hd_eval(d->m);
    w.dn_taken = *d->dn_valid_o && *d->dn_ready_i;
    w.req_taken = *d->req_valid_i && *d->req_ready_o;
    assert_int_equal(*d->mrsp_ready_o, !*d->rsp_valid_i);
    if (w.dn_held) { /* what was offered stays as it was */
        assert_int_equal(*d->dn_valid_o, 1);
        assert_memory_equal(d->dn_head_o, w.held_head, sizeof w.held_head);
        assert_memory_equal(d->dn_data_o, w.held_data, sizeof w.held_data);
    }
    w.dn_held = *d->dn_valid_o && !*d->dn_ready_i;
    memcpy(w.held_head, d->dn_head_o, sizeof w.held_head);
    memcpy(w.held_data, d->dn_data_o, sizeof w.held_data);
    if (w.dn_taken) {
        const uint32_t *h = d->dn_head_o;
        w.dn = (struct packet){get(h, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W), get(h, HD_HEAD_DST_LSB, HD_HEAD_DST_W),
                               line_of(get(h, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W)),
                               get(h, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W), get(h, HD_HEAD_TID_LSB, HD_HEAD_TID_W),
                               get(h, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W), d->dn_data_o[0]};
        assert_int_equal(get(h, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W), PART);
        const bool grant = w.dn.kind >= HD_MSG_DATA_S && w.dn.kind <= HD_MSG_ACK_M;
        assert_int_equal(get(h, HD_HEAD_LANES_LSB, HD_LANE_W),
                         grant && P_LaneMasks ? lanes_of(w.dn.node, w.dn.line) : 0);
        for (unsigned i = 0; i < LW && w.dn.wmask; i++)
            assert_int_equal(d->dn_data_o[i],
                             word(w.patch_mask >> i & 1 ? w.patch_value : w.value[w.dn.line], i));
        if (grant) {
            assert_int_equal(w.dn.tid, tid_of(w.dn.node, w.dn.line));
            assert_int_equal(w.dn.opid, opid_of(w.dn.node, w.dn.line));
            assert_int_equal(w.dn.wmask, w.dn.kind == HD_MSG_ACK_M ? 0 : FULL);
        }
    }
    mem_valid = *d->mreq_valid_o;
    assert_int_equal(*d->obs_valid_o, 0); /* words without ghosts */
    assert_int_equal(mem_valid, w.claimed); /* a claim is followed by its request */
    if (mem_valid) {
        unsigned line = line_of(*d->mreq_addr_o);
        if (*d->mreq_write_o) {
            for (unsigned i = 0; i < LW; i++)
                assert_int_equal(d->mreq_data_o[i], word(w.value[line], i));
            w.memory[line] = w.value[line];
            w.mem_writes++;
        } else {
            w.mem[w.mem_count++] = (struct packet){.line = line, .tid = *d->mreq_tid_o};
            w.mem_reads++;
        }
    }
    claim = *d->mreq_claim_o;
    assert_true(!claim || *d->mreq_claim_o == 1); /* there is no non-volatile memory, bit 1 */
    assert_true(!claim || (*d->mreq_ok_i & 1));
    rest = *d->idle_o && !*d->req_valid_i && !*d->rsp_valid_i && !*d->mrsp_valid_i && !*d->flush_i;
    assert_false(*d->idle_o && (*d->dn_valid_o || mem_valid || *d->ev_o));
    hd_edge(d->m);
    if (rest) { /* idle: without new inputs nothing happens any more */
        assert_int_equal(*d->idle_o, 1);
        assert_int_equal(*d->dn_valid_o + *d->mreq_valid_o + *d->ev_o, 0);
    }
    w.claimed = claim;
    for (unsigned e = 0; e < HD_EV_L2_NUM; e++)
        w.ev[e] += *d->ev_o >> e & 1;
    *d->req_valid_i = *d->rsp_valid_i = *d->mrsp_valid_i = *d->flush_i = 0;
    hd_eval(d->m);
}

static void expect_dn(uint32_t kind, unsigned sm, unsigned line)
{
    for (unsigned n = 0; n < 20 && !w.dn_taken; n++)
        cycle();
    assert_true(w.dn_taken);
    assert_int_equal(w.dn.kind, kind);
    assert_int_equal(w.dn.node, sm);
    assert_int_equal(w.dn.line, line);
    w.dn_taken = false;
}

/* A line comes from memory for an SM. */
static void fill(uint32_t kind, unsigned sm, unsigned line)
{
    offer_req(kind, sm, line);
    cycle();
    assert_true(w.req_taken);
    for (unsigned n = 0; n < 5 && w.mem_count == 0; n++)
        cycle();
    assert_int_equal(w.mem_count, 1);
    offer_mem(w.mem[0].tid, line);
    w.mem_count = 0;
    cycle();
    expect_dn(kind == HD_MSG_GETS ? HD_MSG_DATA_E : HD_MSG_DATA_M, sm, line);
    assert_int_equal(w.dn.value, w.memory[line]);
}

static void a_hit_is_offered_down_in_the_next_cycle_with_its_data(void **state)
{
    (void)state;
    fill(HD_MSG_GETS, 0, 4);
    offer_rsp(&(struct packet){.kind = HD_MSG_PUTE, .node = 0, .line = 4});
    cycle();
    offer_req(HD_MSG_GETM, 2, 4);
    cycle();
    assert_int_equal(*w.d.dn_valid_o, 1);
    assert_int_equal(*w.d.idle_o, 0);
    cycle();
    expect_dn(HD_MSG_DATA_M, 2, 4);
    assert_int_equal(w.dn.value, w.value[4]);
    assert_int_equal(*w.d.idle_o, 1);
    assert_int_equal(hd_assert_failures(w.d.m), 0);
}

static void answers_go_before_memory_and_memory_before_requests(void **state)
{
    (void)state;
    fill(HD_MSG_GETM, 0, 2);
    offer_req(HD_MSG_GETS, 1, 3);
    cycle();
    cycle();
    cycle();
    assert_int_equal(w.mem_count, 1);
    offer_rsp(&(struct packet){.kind = HD_MSG_PUTM, .node = 0, .line = 2, .wmask = 0x3c, .value = w.value[2]});
    offer_mem(w.mem[0].tid, 3);
    offer_req(HD_MSG_GETS, 2, 2);
    cycle();
    assert_false(w.req_taken);
    assert_int_equal(w.ev[HD_EV_L2_PUTM], 1);
    offer_mem(w.mem[0].tid, 3);
    offer_req(HD_MSG_GETS, 2, 2);
    cycle();
    assert_false(w.req_taken);
    offer_req(HD_MSG_GETS, 2, 2);
    cycle();
    assert_false(w.req_taken); /* the woken transaction is granted first */
    offer_req(HD_MSG_GETS, 2, 2);
    cycle();
    assert_true(w.req_taken);
    expect_dn(HD_MSG_DATA_E, 1, 3);
    expect_dn(HD_MSG_DATA_E, 2, 2);
    assert_int_equal(hd_assert_failures(w.d.m), 0);
}

static void answers_are_taken_while_nothing_can_be_sent(void **state)
{
    (void)state;
    fill(HD_MSG_GETM, 0, 2);
    fill(HD_MSG_GETM, 1, 3);
    fill(HD_MSG_GETS, 2, 0);
    *w.d.mreq_ok_i = 0;
    offer_rsp(&(struct packet){.kind = HD_MSG_PUTE, .node = 0, .line = 2});
    cycle();
    offer_rsp(&(struct packet){.kind = HD_MSG_PUTE, .node = 2, .line = 0});
    cycle();
    *w.d.dn_ready_i = 0;
    offer_req(HD_MSG_GETS, 0, 2);
    cycle();
    assert_true(w.req_taken);
    offer_req(HD_MSG_GETS, 2, 0); /* could be granted, but the first is still there */
    cycle();
    assert_false(w.req_taken);
    /* a PUT writes data while the grant is on offer: the offer must not change (checked in cycle()) */
    w.value[3] = new_value();
    offer_rsp(&(struct packet){.kind = HD_MSG_PUTM, .node = 1, .line = 3, .wmask = FULL, .value = w.value[3]});
    cycle();
    assert_int_equal(w.ev[HD_EV_L2_PUTM], 1);
    cycle();
    *w.d.dn_ready_i = 1;
    cycle();
    expect_dn(HD_MSG_DATA_E, 0, 2);
    offer_req(HD_MSG_GETS, 2, 3);
    cycle();
    expect_dn(HD_MSG_DATA_E, 2, 3);
    assert_int_equal(w.dn.value, w.value[3]);
    assert_int_equal(hd_assert_failures(w.d.m), 0);
}

static void a_put_writes_only_the_words_of_its_mask(void **state)
{
    (void)state;
    for (unsigned i = 0; i < LW; i++) {
        const unsigned line = i % 2;

        fill(HD_MSG_GETM, 0, line);
        w.patch_mask = UINT32_C(1) << i;
        w.patch_value = new_value();
        offer_rsp(&(struct packet){.kind = HD_MSG_PUTM, .node = 0, .line = line, .wmask = w.patch_mask,
                                   .value = w.patch_value});
        cycle();
        offer_req(HD_MSG_GETM, 1, line);
        cycle();
        expect_dn(HD_MSG_DATA_M, 1, line);
        w.patch_mask = 0;
        teardown(state);
        setup(state);
    }
}

static void invalidations_leave_one_a_cycle_lowest_sm_first(void **state)
{
    unsigned tid;

    (void)state;
    fill(HD_MSG_GETS, 0, 5);
    offer_rsp(&(struct packet){.kind = HD_MSG_PUTE, .node = 0, .line = 5});
    cycle();
    for (unsigned sm = 0; sm < 2; sm++) { /* E, then S by a fetch */
        offer_req(HD_MSG_GETS, sm, 5);
        cycle();
    }
    expect_dn(HD_MSG_DATA_E, 0, 5);
    expect_dn(HD_MSG_FETCH, 0, 5);
    offer_rsp(&(struct packet){.kind = HD_MSG_RSP_CLEAN, .node = 0, .line = 5, .tid = w.dn.tid});
    cycle();
    expect_dn(HD_MSG_DATA_S, 1, 5);
    offer_req(HD_MSG_GETM, 2, 5);
    cycle();
    cycle(); /* decides the first */
    cycle(); /* decides the second, sends the first */
    assert_true(w.dn_taken);
    expect_dn(HD_MSG_INV, 0, 5);
    tid = w.dn.tid;
    cycle();
    assert_true(w.dn_taken);
    expect_dn(HD_MSG_INV, 1, 5);
    assert_int_equal(w.dn.tid, tid);
    offer_rsp(&(struct packet){.kind = HD_MSG_INV_ACK, .node = 1, .line = 5, .tid = tid});
    cycle();
    for (unsigned n = 0; n < 10; n++) {
        cycle();
        assert_false(w.dn_taken); /* one acknowledgement is missing */
    }
    assert_int_equal(*w.d.idle_o, 1);
    offer_rsp(&(struct packet){.kind = HD_MSG_INV_ACK, .node = 0, .line = 5, .tid = tid});
    cycle();
    expect_dn(HD_MSG_DATA_M, 2, 5);
    assert_int_equal(hd_assert_failures(w.d.m), 0);
}

static void evictions_wait_for_memory_credits_and_grants_do_not(void **state)
{
    (void)state;
    fill(HD_MSG_GETM, 0, 1);
    fill(HD_MSG_GETM, 0, 3);
    fill(HD_MSG_GETS, 0, 0);
    offer_rsp(&(struct packet){.kind = HD_MSG_PUTE, .node = 0, .line = 0});
    cycle();
    *w.d.mreq_ok_i = 0;
    offer_req(HD_MSG_GETS, 1, 5); /* replaces line 1 */
    cycle();
    assert_true(w.req_taken);
    for (unsigned n = 0; n < 5; n++) {
        cycle();
        assert_false(w.dn_taken);
    }
    offer_req(HD_MSG_GETS, 2, 0);
    cycle();
    assert_true(w.req_taken);
    expect_dn(HD_MSG_DATA_E, 2, 0);
    *w.d.mreq_ok_i = 1;
    cycle();
    expect_dn(HD_MSG_FETCH_INV, 0, 1);
    w.value[1] = new_value();
    offer_rsp(&(struct packet){.kind = HD_MSG_RSP_DATA, .node = 0, .line = 1, .tid = w.dn.tid, .wmask = FULL,
                               .value = w.value[1]});
    cycle();
    for (unsigned n = 0; n < 4; n++)
        cycle();
    assert_int_equal(w.mem_writes, 1);
    assert_int_equal(w.memory[1], w.value[1]);
    assert_int_equal(w.mem_count, 1);
    assert_int_equal(w.mem[0].line, 5);
    assert_int_equal(hd_assert_failures(w.d.m), 0);
}

static void an_eviction_asks_every_sharer_once_and_counts_as_one_recall(void **state)
{
    unsigned tid;

    (void)state;
    fill(HD_MSG_GETS, 0, 1);
    offer_req(HD_MSG_GETS, 1, 1);
    cycle();
    expect_dn(HD_MSG_FETCH, 0, 1);
    offer_rsp(&(struct packet){.kind = HD_MSG_RSP_CLEAN, .node = 0, .line = 1, .tid = w.dn.tid});
    cycle();
    expect_dn(HD_MSG_DATA_S, 1, 1);
    offer_req(HD_MSG_GETS, 2, 1);
    cycle();
    expect_dn(HD_MSG_DATA_S, 2, 1);
    fill(HD_MSG_GETS, 0, 3);
    memset(w.ev, 0, sizeof w.ev);
    offer_req(HD_MSG_GETS, 0, 5); /* replaces line 1 */
    cycle();
    for (unsigned sm = 0; sm < SMS; sm++)
        expect_dn(HD_MSG_INV, sm, 1);
    tid = w.dn.tid;
    for (unsigned n = 0; n < 5; n++) {
        cycle();
        assert_false(w.dn_taken);
    }
    assert_int_equal(w.ev[HD_EV_L2_RECALL], 1);
    assert_int_equal(w.ev[HD_EV_L2_INV_SENT], SMS);
    assert_int_equal(w.ev[HD_EV_L2_CHAINED], 0);
    for (unsigned sm = 0; sm < SMS; sm++) {
        assert_int_equal(w.mem_count, 0);
        offer_rsp(&(struct packet){.kind = HD_MSG_INV_ACK, .node = sm, .line = 1, .tid = tid});
        cycle();
    }
    for (unsigned n = 0; n < 5; n++)
        cycle();
    assert_int_equal(w.mem_count, 1);
    assert_int_equal(w.mem[0].line, 5);
    assert_int_equal(w.mem_writes, 0); /* the line was clean */
    assert_int_equal(w.ev[HD_EV_L2_RECALL], 1);
    assert_int_equal(hd_assert_failures(w.d.m), 0);
}

static void misuse_trips_assertions(void **state)
{
    (void)state;
    if (!hd_has_asserts(w.d.m))
        return;
    fill(HD_MSG_GETM, 0, 1);
    offer_rsp(&(struct packet){.kind = HD_MSG_PUTM, .node = 2, .line = 1});
    cycle();
    assert_int_equal(hd_assert_failures(w.d.m), 1);
    offer_rsp(&(struct packet){.kind = HD_MSG_INV_ACK, .node = 0, .line = 0});
    cycle();
    assert_true(hd_assert_failures(w.d.m) >= 2);
    hd_assert_clear(w.d.m);
    offer_req(HD_MSG_PUTE, 0, 0); /* no request */
    hd_eval(w.d.m);
    hd_edge(w.d.m);
    assert_true(hd_assert_failures(w.d.m) >= 1);
    hd_assert_clear(w.d.m);
}

/* ---- random -------------------------------------------------------------------------------------- */

static void answer(unsigned sm, const struct packet *p)
{
    assert_true(w.rsp_count[sm] < QUEUE);
    w.rsp[sm][w.rsp_count[sm]++] = *p;
}

static void write_copy(unsigned sm, unsigned line)
{
    w.value[line] = w.copy[sm][line] = new_value();
    w.state[sm][line] = M;
}

/* The SM acts on a packet at once; its answer may take long. */
static void take_dn(void)
{
    unsigned sm = w.dn.node, line = w.dn.line, *st = &w.state[sm][line];
    struct packet p = {0, sm, line, 0, w.dn.tid, 0, w.copy[sm][line]};

    switch (w.dn.kind) {
    case HD_MSG_INV:
        assert_true(*st <= S);
        *st = I;
        p.kind = HD_MSG_INV_ACK;
        answer(sm, &p);
        break;
    case HD_MSG_FETCH:
    case HD_MSG_FETCH_INV:
        p.kind = *st == M ? HD_MSG_RSP_DATA : *st == E ? HD_MSG_RSP_CLEAN : HD_MSG_RSP_NONE;
        p.wmask = *st == M ? FULL : 0;
        *st = *st >= E && w.dn.kind == HD_MSG_FETCH ? S : I;
        answer(sm, &p);
        break;
    default:
        assert_true(w.pending[sm][line]);
        w.pending[sm][line] = 0;
        w.granted++;
        if (w.dn.kind == HD_MSG_ACK_M) {
            assert_int_equal(*st, S);
        } else {
            assert_int_equal(w.dn.value, w.value[line]);
            w.copy[sm][line] = w.dn.value;
        }
        *st = w.dn.kind == HD_MSG_DATA_S ? S : w.dn.kind == HD_MSG_DATA_E ? E : M;
        for (unsigned s = 0; s < SMS; s++)
            assert_true(s == sm || w.state[s][line] == I || (w.state[s][line] == S && *st == S));
        if (*st == M)
            write_copy(sm, line);
    }
}

static void random_traffic_is_granted_with_the_last_value(void **state)
{
    struct packet req = {0};
    bool have_req = false, busy = true;
    unsigned idle = 0;

    (void)state;
    for (unsigned n = 0; n < 60000 || busy; n++) {
        unsigned sm = (unsigned)hd_rand_below(SMS), line = (unsigned)hd_rand_below(n / 1000 % 2 ? LINES : 3);
        unsigned slow = n / 3000 % 4; /* 1: answers, 2: memory, 3: the link down */
        unsigned *st = &w.state[sm][line];

        assert_true(n < 70000);
        if (n < 60000 && *st >= E && hd_rand_below(4) == 0) {
            if (hd_rand_below(2)) {
                write_copy(sm, line);
            } else {
                struct packet p = {*st == M ? HD_MSG_PUTM : HD_MSG_PUTE, sm, line, *st == M ? FULL : 0, 0, 0,
                                   w.copy[sm][line]};
                *st = I;
                answer(sm, &p);
            }
        }
        if (!have_req && n < 60000 && *st <= S && !w.pending[sm][line] && hd_rand_below(2)) {
            req = (struct packet){*st == S ? HD_MSG_UPG : hd_rand_below(2) ? HD_MSG_GETS : HD_MSG_GETM, sm, line, 0, 0, 0, 0};
            have_req = true;
            w.pending[sm][line] = 1;
            w.asked++;
        }
        if (have_req)
            offer_req(req.kind, req.node, req.line);
        if (w.rsp_count[sm] && hd_rand_below(slow == 1 ? 32 : 2) == 0) {
            offer_rsp(&w.rsp[sm][0]);
            w.seen[w.rsp[sm][0].kind]++;
            memmove(w.rsp[sm], w.rsp[sm] + 1, --w.rsp_count[sm] * sizeof *w.rsp[sm]);
        }
        if (w.mem_count && !*w.d.rsp_valid_i && hd_rand_below(slow == 2 ? 32 : 2) == 0) {
            unsigned k = (unsigned)hd_rand_below(w.mem_count);
            offer_mem(w.mem[k].tid, w.mem[k].line);
            memmove(w.mem + k, w.mem + k + 1, (--w.mem_count - k) * sizeof *w.mem);
        }
        *w.d.mreq_ok_i = (uint8_t)((hd_rand_below(slow == 2 ? 16 : 2) == 0) | hd_rand_below(2) << 1);
        *w.d.dn_ready_i = hd_rand_below(slow == 3 ? 8 : 2) == 0;
        cycle();
        if (w.req_taken)
            w.seen[req.kind]++;
        have_req = have_req && !w.req_taken;
        if (w.dn_taken) {
            w.seen[w.dn.kind]++;
            take_dn();
        }
        idle += *w.d.idle_o;
        busy = w.asked != w.granted || !*w.d.idle_o || w.rsp_count[0] || w.rsp_count[1] || w.rsp_count[2];
    }
    assert_int_equal(w.ev[HD_EV_L2_GRANT], w.granted);
    assert_int_equal(w.ev[HD_EV_L2_GETS], w.seen[HD_MSG_GETS]);
    assert_int_equal(w.ev[HD_EV_L2_GETM], w.seen[HD_MSG_GETM]);
    assert_int_equal(w.ev[HD_EV_L2_UPG], w.seen[HD_MSG_UPG]);
    assert_int_equal(w.ev[HD_EV_L2_PUTM], w.seen[HD_MSG_PUTM]);
    assert_int_equal(w.ev[HD_EV_L2_PUTE], w.seen[HD_MSG_PUTE]);
    assert_int_equal(w.ev[HD_EV_L2_INV_SENT], w.seen[HD_MSG_INV]);
    assert_int_equal(w.ev[HD_EV_L2_FETCH_SENT], w.seen[HD_MSG_FETCH] + w.seen[HD_MSG_FETCH_INV]);
    assert_int_equal(w.ev[HD_EV_L2_ACK_M], w.seen[HD_MSG_ACK_M]);
    assert_int_equal(w.ev[HD_EV_L2_MISS], w.mem_reads);
    assert_int_equal(w.ev[HD_EV_L2_HIT] + w.ev[HD_EV_L2_MISS] + w.ev[HD_EV_L2_CHAINED], w.asked);
    assert_int_equal(w.ev[HD_EV_L2_MEM_READ], w.mem_reads);
    assert_int_equal(w.ev[HD_EV_L2_MEM_WRITE], w.mem_writes);
    assert_int_equal(hd_assert_failures(w.d.m), 0);

    for (unsigned sm = 0; sm < SMS; sm++) { /* give everything back, flush, look at memory */
        for (unsigned line = 0; line < LINES; line++) {
            if (w.state[sm][line] >= E) {
                offer_rsp(&(struct packet){w.state[sm][line] == M ? HD_MSG_PUTM : HD_MSG_PUTE, sm, line,
                                           w.state[sm][line] == M ? FULL : 0, 0, 0, w.copy[sm][line]});
                cycle();
            }
        }
    }
    *w.d.flush_i = 1;
    *w.d.mreq_ok_i = *w.d.dn_ready_i = 1;
    cycle();
    for (unsigned n = 0; n < 50 && !*w.d.idle_o; n++)
        cycle();
    assert_int_equal(*w.d.idle_o, 1);
    for (unsigned line = 0; line < LINES; line++)
        assert_int_equal(w.memory[line], w.value[line]);

    assert_true(w.granted > 2000 && w.mem_writes > 200 && idle > 100);
    for (unsigned e = 0; e <= HD_EV_L2_ACK_M; e++) { /* the others are of the classifier and of write-through L1s */
        if (w.ev[e] < 20)
            fail_msg("event %u only %u times", e, (unsigned)w.ev[e]);
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
static const struct CMUnitTest bank_cases[] = {
    TEST(a_hit_is_offered_down_in_the_next_cycle_with_its_data),
    TEST(answers_go_before_memory_and_memory_before_requests),
    TEST(answers_are_taken_while_nothing_can_be_sent),
    TEST(a_put_writes_only_the_words_of_its_mask),
    TEST(invalidations_leave_one_a_cycle_lowest_sm_first),
    TEST(evictions_wait_for_memory_credits_and_grants_do_not),
    TEST(an_eviction_asks_every_sharer_once_and_counts_as_one_recall),
    TEST(random_traffic_is_granted_with_the_last_value),
    TEST(misuse_trips_assertions),
};
#endif

int main(int argc, char **argv)
{
    return HD_UNIT_MAIN(argc, argv, bank_cases);
}
