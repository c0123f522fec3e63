/* test_hd_coh_bank.c - the L2 bank of family GPU against memory in C: requests of several SMs, each in order.
 *
 * Words are only changed here, so the answers tell the order in which the bank performed the requests: whatever it is,
 * every READ has the line as the WTs and ATOMICs answered so far left it. With Inclusive: when a line's way is given away,
 * all SMs that may have words of it have said that they have not. With Persist: a marker is answered when
 * all that was written to non-volatile memory before it is durable. */
/* dut: hd_coh_bank Lanes=4 WritePlaces=2 LineWords=8 Sets=2 Ways=2 MshrEntries=3 PartBits=1 WordW=32 */
/* dut-rtl: hd_coh_bank Lanes=64 WritePlaces=2 LineWords=16 Sets=2 Ways=2 MshrEntries=3 PartBits=1 WordW=32 */
/* dut-rtl: hd_coh_bank Lanes=8 WritePlaces=1 LineWords=16 Sets=2 Ways=2 MshrEntries=1 PartBits=0 WordW=64 */
/* dut-rtl: hd_coh_bank Lanes=12 WritePlaces=8 LineWords=16 Sets=2 Ways=2 MshrEntries=16 PartBits=2 WordW=32 */
/* dut: hd_coh_bank Lanes=4 WritePlaces=2 LineWords=8 Sets=2 Ways=2 MshrEntries=3 PartBits=1 WordW=32 Inclusive=1 Sms=3 */
/* mutants: Lanes=4 WritePlaces=2 LineWords=8 Sets=2 Ways=2 MshrEntries=3 PartBits=1 WordW=32 Inclusive=1 Sms=3 Persist=1 NvwDepth=4 */
/* dut: hd_coh_bank Lanes=4 WritePlaces=2 LineWords=8 Sets=2 Ways=2 MshrEntries=3 PartBits=1 WordW=32 Inclusive=1 Sms=3 Persist=1 NvwDepth=4 */
/* dut-rtl: hd_coh_bank Lanes=4 WritePlaces=2 LineWords=8 Sets=2 Ways=2 MshrEntries=3 PartBits=1 WordW=32 Persist=2 NvwDepth=4 Epochs=4 */
/* dut-rtl: hd_coh_bank Lanes=8 WritePlaces=3 LineWords=8 Sets=2 Ways=4 MshrEntries=8 PartBits=0 WordW=64 Inclusive=1 Sms=3 Persist=1 */
/* dut-rtl: hd_coh_bank Lanes=4 WritePlaces=2 LineWords=8 Sets=2 Ways=2 MshrEntries=1 PartBits=1 WordW=32 Inclusive=1 Sms=3 Persist=2 NvwDepth=4 Epochs=4 */
#include "hd_unit.h"
#include "hd_coh_bank_dut.h"
#include "hd_bits.h"

#ifndef P_Inclusive
#define P_Inclusive 0
#endif
#ifndef P_Persist
#define P_Persist 0
#endif
enum {
    WRITTEN_THROUGH = 255, /* tid of dirty words, which stay in their L1 */
    LANES = P_Lanes > 32 ? 32 : P_Lanes, /* of an atomic: those of one half */
    WORDS = P_LineWords, W = P_WordW, FLIT = 8 * W, GROUPS = (LANES + 7) / 8, LINES = 9, SMS = 4, OUT = 4,
    WRITER = SMS - 1, /* with Inclusive keeps no clean words and has no place in the directory */
    OFF_W = WORDS == 8 ? 3 : 4, PART = (1 << P_PartBits) - 1, QUEUE = 64, CYCLES = 40000, ROUNDS = 10
};

#include "bank_places.h"

struct request {
    bool active;
    unsigned kind, line, fn;
    uint32_t mask, offs[LANES], cmp[LANES], opid, number, tid;
    uint32_t need[LINES]; /* of a marker: last write of the line before it, 0: none */
    uint64_t data[WORDS > LANES ? WORDS : LANES];
};

static struct hd_coh_bank d;
static struct {
    uint32_t now, next, numbers[SMS][LINES];
    uint64_t word[LINES][WORDS], memory[LINES][WORDS];
    struct request r[SMS][OUT];
    int sm, slot;              /* at the port */
    struct { unsigned line, tid; uint32_t due; } mem[QUEUE];
    unsigned mems, credits;
    unsigned claimed;          /* the memory that gets a request in this cycle: 1, 2 non-volatile, 0 none */
    unsigned has[LINES], told[LINES]; /* SMs that may have words of a line; to which an INV of it is under way */
    struct { unsigned line, sm; uint32_t due; } acks[QUEUE];
    unsigned ackn;
    uint32_t shown, wrote[LINES], durable[LINES]; /* since when the packet is at the port; last write, the last that memory has */
    struct { unsigned line, tid; uint32_t at, due; } writes[QUEUE]; /* of non-volatile memory, not durable yet */
    unsigned writen, marks;    /* markers that are to be answered */
    uint64_t seen[64], asked[64], events[HD_EV_L2_NUM], frozen, recalled;
} s;

/* Non-volatile memory begins with the line in the middle. */
static bool is_nv(unsigned line)
{
    return P_Persist && line >= LINES / 2;
}

/* Other addresses, and other SMs where they have no place in a directory. A bank that keeps note of L1s or of non-volatile
 * lines begins anew, the others forget lines, clean by now, in silence. */
static void move(void)
{
    if (P_Inclusive || P_Persist) {
        hd_reset(d.m);
        *d.part_id_i = PART;
        memset(s.has, 0, sizeof s.has);
    }
    move_places(P_Inclusive);
    if (P_Inclusive)
        places.node[WRITER] = SMS + (unsigned)hd_rand_below((1u << HD_NODE_W) - SMS);
    *d.nv_base_i = P_Persist ? addr_of(LINES / 2) : 0;
}

static uint64_t fresh(void)
{
    const uint32_t x = ++s.next * 2654435761u;

    return W == 32 ? x : (uint64_t)x << 32 | (uint32_t)hd_rand();
}

static void offer(bool quiet)
{
    if (s.sm < 0 && !quiet && hd_rand_below(3) != 0) {
        const unsigned sm = (unsigned)hd_rand_below(SMS), slot = (unsigned)hd_rand_below(OUT);
        struct request *r = &s.r[sm][slot];
        uint32_t flits = 1;

        if (r->active) {
            *d.req_valid_i = 0;
            return;
        }
        memset(r, 0, sizeof *r);
        r->active = true;
        const bool writes = P_Inclusive && sm == WRITER;
        r->kind = !writes && hd_rand_below(2) ? HD_MSG_GETS : hd_rand_below(3) ? HD_MSG_WT : HD_MSG_ATOMIC;
        r->line = (unsigned)hd_rand_below(1 + s.now / 1000 % LINES);
        r->opid = (uint32_t)hd_rand_below(1u << (HD_OPID_W - 2)) << 2 | slot;
        r->tid = P_Inclusive && !writes && r->kind == HD_MSG_WT && hd_rand_below(2) ? WRITTEN_THROUGH : slot * 17 + sm;
        r->fn = hd_rand_below(5) == 0 ? HD_AT_READ : (unsigned)hd_rand_below(HD_AMO_FUNCTIONS);
        r->mask = (uint32_t)hd_bits_random_mask(r->kind == HD_MSG_WT ? WORDS : LANES);
        if (P_Persist && hd_rand_below(8) == 0) {
            r->kind = HD_MSG_PMARK;
            r->line = LINES; /* of none */
        } else {
            r->number = s.numbers[sm][r->line]++;
        }
        memset(d.req_head_i, 0, (HD_COH_BANK_W_req_head_i + 31) / 32 * 4);
        hd_bits_put(d.req_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, r->kind);
        hd_bits_put(d.req_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, places.node[sm]);
        hd_bits_put(d.req_head_i, HD_HEAD_DST_LSB, HD_HEAD_DST_W, PART);
        hd_bits_put(d.req_head_i, HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W, HD_END_L2);
        hd_bits_put(d.req_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, addr_of(r->line));
        hd_bits_put(d.req_head_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, r->tid);
        hd_bits_put(d.req_head_i, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, r->opid);
        hd_bits_random(d.req_body_i, HD_COH_BANK_W_req_body_i);
        if (r->kind == HD_MSG_ATOMIC) {
            const unsigned half = P_Lanes > 32 ? (unsigned)hd_rand_below(2) * 32 : 0;
            hd_bits_put(d.req_head_i, HD_HEAD_LANES_LSB + half, LANES, r->mask);
            hd_bits_put(d.req_body_i, 0, 4, r->fn);
            for (unsigned i = 0; i < LANES; i++) {
                r->offs[i] = (uint32_t)hd_rand_below(WORDS);
                r->data[i] = fresh();
                r->cmp[i] = hd_rand_below(2) ? (uint32_t)s.word[r->line][r->offs[i]] : 0;
                hd_bits_put(d.req_body_i, 4 + i * OFF_W, OFF_W, r->offs[i]);
                hd_bits_put(d.req_body_i, FLIT + i * W, W, r->data[i]);
                hd_bits_put(d.req_body_i, (1 + GROUPS + i / 8) * FLIT + i % 8 * 32, 32, r->cmp[i]);
            }
            flits |= 2u;
            hd_bits_put(d.req_head_i, HD_HEAD_WMASK_LSB, 32, flits);
        } else if (r->kind == HD_MSG_WT) {
            hd_bits_put(d.req_head_i, HD_HEAD_WMASK_LSB, WORDS, r->mask);
            for (unsigned w = 0; w < WORDS; w++) {
                r->data[w] = fresh();
                hd_bits_put(d.req_body_i, w * W, W, r->data[w]);
            }
        }
        s.sm = (int)sm, s.slot = (int)slot;
    }
    *d.req_valid_i = s.sm >= 0;
}

/* A marker is in the bank: what was answered by now is in front of it. */
static void take_marker(struct request *r)
{
    for (unsigned l = 0; l < LINES; l++)
        r->need[l] = is_nv(l) ? s.wrote[l] : 0;
    if (P_Persist == 2 && (r->opid >> 6 & 3) != 2) /* not of the kernel */
        r->active = false;
    else
        s.marks++;
}

static void see_marker(struct request *r)
{
    assert_true(r->active && r->kind == HD_MSG_PMARK);
    assert_int_equal(hd_bits_get(d.dn_head_o, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W), r->opid);
    assert_int_equal(hd_bits_get(d.dn_head_o, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W), 0);
    for (unsigned l = 0; l < LINES; l++)
        assert_true(s.durable[l] >= r->need[l]);
    s.seen[HD_MSG_PACK]++;
    s.marks--;
    r->active = false;
}

static void write_word(unsigned line, unsigned w, uint64_t value)
{
    if (s.word[line][w] != value)
        s.wrote[line] = s.shown;
    s.word[line][w] = value;
}

static void see_answer(void)
{
    const unsigned kind = (unsigned)hd_bits_get(d.dn_head_o, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W);
    const unsigned sm = sm_of((unsigned)hd_bits_get(d.dn_head_o, HD_HEAD_DST_LSB, HD_HEAD_DST_W));
    const unsigned tid = (unsigned)hd_bits_get(d.dn_head_o, HD_HEAD_TID_LSB, HD_HEAD_TID_W);
    const unsigned line = kind == HD_MSG_PACK ? LINES : line_of((uint32_t)hd_bits_get(d.dn_head_o, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W));
    const uint32_t wmask = (uint32_t)hd_bits_get(d.dn_head_o, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W);

    assert_int_equal(hd_bits_get(d.dn_head_o, HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W), HD_END_SM);
    assert_int_equal(hd_bits_get(d.dn_head_o, HD_HEAD_SRC_KIND_LSB, HD_HEAD_SRC_KIND_W), HD_END_L2);
    assert_int_equal(hd_bits_get(d.dn_head_o, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W), PART);
    if (kind == HD_MSG_INV) {
        assert_true(tid == 0 && wmask == 0 && hd_bits_get(d.dn_head_o, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W) == 0);
        assert_true(sm < SMS && (s.has[line] >> sm & 1) && !(s.told[line] >> sm & 1));
        s.told[line] |= 1u << sm;
        s.acks[s.ackn].line = line, s.acks[s.ackn].sm = sm;
        s.acks[s.ackn++].due = s.now + (uint32_t)hd_rand_below(20);
        s.recalled++;
        return;
    }
    const unsigned slot = (unsigned)hd_bits_get(d.dn_head_o, HD_HEAD_OPID_LSB, 2);
    assert_true(sm < SMS);
    struct request *r = &s.r[sm][slot];
    if (kind == HD_MSG_PACK) {
        see_marker(r);
        return;
    }
    assert_true(r->active && r->line == line && r->tid == tid && !(s.sm == (int)sm && s.slot == (int)slot));
    assert_int_equal(s.told[line], 0); /* nobody gets words of a line that is on its way out */
    if (r->kind == HD_MSG_GETS || tid == WRITTEN_THROUGH)
        s.has[line] |= 1u << sm;
    for (unsigned i = 0; i < OUT; i++) /* those of an SM to a line in order */
        assert_true(&s.r[sm][i] == r || !s.r[sm][i].active || s.r[sm][i].line != line || s.r[sm][i].number > r->number);
    assert_int_equal(hd_bits_get(d.dn_head_o, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W), r->opid);
    if (r->kind == HD_MSG_GETS) {
        assert_int_equal(kind, HD_MSG_DATA_S);
        assert_int_equal(wmask, (UINT64_C(1) << WORDS) - 1);
        for (unsigned w = 0; w < WORDS; w++)
            assert_true(hd_bits_get(d.dn_data_o, w * W, W) == s.word[line][w]);
    } else if (r->kind == HD_MSG_WT) {
        assert_int_equal(kind, HD_MSG_WT_ACK);
        assert_int_equal(wmask, 0);
        for (unsigned w = 0; w < WORDS; w++)
            if (r->mask >> w & 1)
                write_word(line, w, r->data[w]);
    } else {
        assert_int_equal(kind, HD_MSG_AT_DATA);
        assert_int_equal(wmask, r->mask);
        for (unsigned i = 0; i < LANES; i++) {
            const uint64_t word = s.word[line][r->offs[i]];
            if (!(r->mask >> i & 1))
                continue;
            assert_true(hd_bits_get(d.dn_data_o, i * W, W) == word);
            if (r->fn != HD_AT_READ)
                write_word(line, r->offs[i], r->data[i] >> 32 << 32
                                                 | hd_amo_reference(r->fn, (uint32_t)word, (uint32_t)r->data[i], r->cmp[i]));
        }
    }
    s.seen[kind]++;
    r->active = false;
}

static bool busy(void)
{
    bool any = s.sm >= 0 || s.mems > 0 || s.claimed || s.ackn > 0 || s.writen > 0;

    for (unsigned i = 0; i < SMS * OUT; i++)
        any |= s.r[i / OUT][i % OUT].active;
    return any || !*d.idle_o;
}

static void cycle(bool quiet)
{
    unsigned m = 0;

    offer(quiet);
    while (m < s.mems && s.mem[m].due > s.now)
        m++;
    *d.mrsp_valid_i = m < s.mems;
    if (m < s.mems) {
        *d.mrsp_tid_i = (uint8_t)s.mem[m].tid;
        for (unsigned w = 0; w < WORDS; w++)
            hd_bits_put(d.mrsp_data_i, w * W, W, s.memory[s.mem[m].line][w]);
    }
    unsigned a = 0;
    while (a < s.ackn && s.acks[a].due > s.now)
        a++;
    *d.ack_valid_i = a < s.ackn;
    if (a < s.ackn) {
        const unsigned line = s.acks[a].line, sm = s.acks[a].sm;
        hd_bits_random(d.ack_head_i, HD_HEAD_W); /* the rest says nothing */
        hd_bits_put(d.ack_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, HD_MSG_INV_ACK);
        hd_bits_put(d.ack_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, places.node[sm]);
        hd_bits_put(d.ack_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, addr_of(line));
        s.has[line] &= ~(1u << sm), s.told[line] &= ~(1u << sm);
        memmove(&s.acks[a], &s.acks[a + 1], (--s.ackn - a) * sizeof s.acks[0]);
    }
    unsigned k = 0;
    while (k < s.writen && s.writes[k].due > s.now)
        k++;
    *d.mack_valid_i = k < s.writen;
    if (k < s.writen) {
        *d.mack_tid_i = (uint8_t)s.writes[k].tid;
        if (s.durable[s.writes[k].line] < s.writes[k].at)
            s.durable[s.writes[k].line] = s.writes[k].at;
        memmove(&s.writes[k], &s.writes[k + 1], (--s.writen - k) * sizeof s.writes[0]);
    }
    *d.mreq_ok_i = s.credits > 0 ? (uint8_t)((hd_rand_below(4) != 0) | (hd_rand_below(4) != 0) << 1) : 0; /* a bit a memory */
    *d.dn_ready_i = hd_rand_below(4) > s.now / 700 % 3;
    hd_eval(d.m);
    if (*d.idle_o && !*d.req_valid_i && !*d.mrsp_valid_i && !*d.ack_valid_i && !*d.mack_valid_i && !*d.flush_i && hd_rand_below(4) == 0) {
        hd_assert_frozen(d.m);
        s.frozen++;
    }
    if (*d.idle_o)
        assert_true(!*d.mreq_valid_o && !*d.dn_valid_o && hd_bits_get(d.ev_o, 0, HD_EV_L2_NUM) == 0);
    if (W == 32) { /* words have no ghosts: nothing is observed */
        static const uint8_t none[WORDS * W / 8];

        assert_true(!*d.obs_valid_o && hd_bits_get(d.obs_mask_o, 0, WORDS) == 0);
        assert_memory_equal(d.obs_new_o, none, sizeof none);
        assert_memory_equal(d.obs_data_o, none, sizeof none);
    }
    assert_int_equal(*d.mreq_valid_o, s.claimed != 0);
    assert_true(*d.mreq_claim_o <= 1 || (P_Persist && *d.mreq_claim_o == 2));
    assert_true(!*d.mreq_valid_o || (s.claimed == 2) == is_nv(line_of(*d.mreq_addr_o)));
    s.claimed = *d.mreq_claim_o;
    assert_int_equal(s.claimed & ~(unsigned)*d.mreq_ok_i, 0); /* a request only with the credit of its memory */
    s.credits -= s.claimed != 0;
    if (*d.mreq_valid_o) {
        const unsigned line = line_of(*d.mreq_addr_o);
        s.credits++;
        if (*d.mreq_write_o) {
            for (unsigned w = 0; w < WORDS; w++)
                s.memory[line][w] = hd_bits_get(d.mreq_data_o, w * W, W);
            if (is_nv(line)) {
                assert_true(s.writen < QUEUE);
                s.writes[s.writen].line = line, s.writes[s.writen].tid = *d.mreq_tid_o, s.writes[s.writen].at = s.now;
                s.writes[s.writen++].due = s.now + 1 + (uint32_t)hd_rand_below(60);
            }
        } else {
            unsigned shared = 0;
            for (unsigned l = 0; l < LINES; l++) /* every L1's words are of a line that has a way */
                shared += l != line && l % P_Sets == line % P_Sets && s.has[l] != 0;
            assert_true(!P_Inclusive || (shared < P_Ways && s.has[line] == 0));
            s.mem[s.mems].line = line, s.mem[s.mems].tid = *d.mreq_tid_o;
            s.mem[s.mems++].due = s.now + (uint32_t)hd_rand_below(20);
        }
    }
    if (*d.mrsp_valid_i && *d.mrsp_ready_o) {
        memmove(&s.mem[m], &s.mem[m + 1], (--s.mems - m) * sizeof s.mem[0]);
    }
    if (*d.dn_valid_o && s.shown == 0)
        s.shown = s.now;
    if (*d.dn_valid_o && *d.dn_ready_i) {
        see_answer();
        s.shown = 0;
    }
    if (*d.req_valid_i && *d.req_ready_o) {
        struct request *r = &s.r[s.sm][s.slot];

        s.asked[r->kind]++;
        s.sm = -1;
        if (r->kind == HD_MSG_PMARK)
            take_marker(r);
    }
    hd_edge(d.m);
    s.now++;
    for (unsigned e = 0; e < HD_EV_L2_NUM; e++)
        s.events[e] += hd_bits_get(d.ev_o, e, 1);
}

static void begin(void)
{
    memset(&s, 0, sizeof s);
    s.sm = -1;
    s.credits = 4;
    hd_coh_bank_open(&d);
    hd_reset(d.m);
    move();
    *d.part_id_i = PART;
    for (unsigned l = 0; l < LINES; l++)
        for (unsigned w = 0; w < WORDS; w++)
            s.word[l][w] = s.memory[l][w] = fresh();
}

/* All requests are answered, all dirty lines go to memory. */
static void rest(void)
{
    for (unsigned n = 0; busy(); n++) {
        assert_true(n < 4000);
        cycle(true);
    }
    *d.flush_i = 1;
    cycle(true);
    *d.flush_i = 0;
    while (busy())
        cycle(true);
    for (unsigned l = 0; l < LINES; l++)
        for (unsigned w = 0; w < WORDS; w++)
            assert_true(s.memory[l][w] == s.word[l][w]);
    cycle(true);
}

static void random_requests_find_what_the_answered_ones_left(void **state)
{
    static const uint32_t happens = 1u << HD_EV_L2_GETS | 1u << HD_EV_L2_HIT | 1u << HD_EV_L2_MISS | 1u << HD_EV_L2_CHAINED
                                    | 1u << HD_EV_L2_STALL | 1u << HD_EV_L2_WT | 1u << HD_EV_L2_ATOMIC | 1u << HD_EV_L2_GRANT
                                    | 1u << HD_EV_L2_MEM_READ | 1u << HD_EV_L2_MEM_WRITE
                                    | (uint32_t)P_Inclusive << HD_EV_L2_INV_SENT
                                    | (uint32_t)P_Inclusive << HD_EV_L2_RECALL
                                    | (P_Persist ? 0x7fu << HD_EV_L2_NVW_PUSH : 0);

    (void)state;
    begin();
    for (unsigned round = 0; round < ROUNDS; round++) {
        while (s.now % (CYCLES / ROUNDS) != CYCLES / ROUNDS - 1)
            cycle(false);
        rest();
        move();
    }
    assert_true(s.seen[HD_MSG_DATA_S] > 300 && s.seen[HD_MSG_WT_ACK] > 300 && s.seen[HD_MSG_AT_DATA] > 100);
    assert_true(s.events[HD_EV_L2_GETS] == s.asked[HD_MSG_GETS] && s.events[HD_EV_L2_WT] == s.asked[HD_MSG_WT]);
    assert_int_equal(s.events[HD_EV_L2_ATOMIC], s.asked[HD_MSG_ATOMIC]);
    for (unsigned e = 0; e < HD_EV_L2_NUM; e++)
        assert_true((happens >> e & 1) ? s.events[e] > 0 || P_MshrEntries == 1 || e >= HD_EV_L2_NVW_PUSH : s.events[e] == 0);
    assert_true(s.events[HD_EV_L2_MISS] > 100 && s.events[HD_EV_L2_STALL] > 100 && s.frozen > 50);
    assert_true(s.events[HD_EV_L2_CHAINED] > 50 || P_MshrEntries == 1);
    assert_int_equal(s.recalled > 100, P_Inclusive);
    assert_true(s.events[HD_EV_L2_INV_SENT] == s.recalled && s.events[HD_EV_L2_RECALL] <= s.recalled);
    assert_true(s.events[HD_EV_L2_MEM_WRITE] > 50 && s.events[HD_EV_L2_MEM_READ] == s.events[HD_EV_L2_MISS]);
    assert_true(s.marks == 0 && (!P_Persist || s.seen[HD_MSG_PACK] > 50));
    assert_true(!P_Persist || s.events[HD_EV_L2_NVW_PUSH] > 100);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

/* Of its first address one bit is 1. */
static void non_volatile_memory_begins_at_any_power_of_two(void **state)
{
    const unsigned unit = WORDS * 4 << P_PartBits;

    (void)state;
    begin();
    for (uint32_t number = LINES / 2; P_Persist && number <= UINT32_MAX / unit; number *= 2) {
        move();
        places.base = number - LINES / 2;
        *d.nv_base_i = number * unit;
        s.now = (s.now / 1000 / LINES + 2) * LINES * 1000 - 1000; /* requests are for all lines */
        for (unsigned n = 0; n < 100; n++)
            cycle(false);
        rest();
    }
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(random_requests_find_what_the_answered_ones_left),
                                   cmocka_unit_test(non_volatile_memory_begins_at_any_power_of_two)};

    return HD_UNIT_MAIN(argc, argv, t);
}
