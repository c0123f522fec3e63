/* test_hd_l1_gpu.c - the L1 of family GPU against an L2 with other writers in C.
 *
 * Own words are written by this SM alone: whatever way an access takes, it must find what the accesses taken before it
 * left, as if one after the other. Words of others are written at the L2: a load finds a value that the word had after
 * the last acquire that was done when the load was taken. When a release is done, all stores taken before it are at the L2.
 * Requests stay in order, answers do not. With Persist: when a marker arrives at the L2, so have all words of non-volatile
 * memory that were dirty when it was taken. With Inclusive: after an INV clean words are those of the L2 again, dirty ones stay.
 * Lines, words, SM, warps and slots have other names at the ports every other round, all their bits 0 and 1 in some. */
/* mutants: Lanes=8 LineWords=8 WordW=32 FlitWords=4 SlotW=5 Sets=2 Ways=2 WbEntries=2 PartBits=2 ReqDepth=3 MshrEntries=3 MshrTargets=6 StoreData=4 MergeLanes=16 SbWords=16 SbRows=4 WtOut=3 GenW=3 Markers=8 Persist=1 NvwDepth=4 Inclusive=1 */
/* dut: hd_l1_gpu Lanes=4 LineWords=8 WordW=32 Sets=2 Ways=2 WbEntries=2 PartBits=1 ReqDepth=3 MshrEntries=3 MshrTargets=6 StoreData=4 MergeLanes=8 SbWords=16 SbRows=4 WtOut=3 GenW=3 Markers=8 */
/* dut-rtl: hd_l1_gpu Lanes=4 LineWords=8 WordW=64 SlotW=5 Sets=4 Ways=2 WbEntries=1 PartBits=0 ReqDepth=2 MshrEntries=2 MshrTargets=3 StoreData=3 MergeLanes=24 SbWords=8 SbRows=2 WtOut=1 GenW=2 Markers=8 */
/* dut-rtl: hd_l1_gpu Lanes=4 LineWords=8 WordW=32 Sets=2 Ways=2 WbEntries=1 PartBits=1 ReqDepth=1 MshrEntries=1 MshrTargets=1 StoreData=1 MergeLanes=4 SbWords=8 SbRows=1 WtOut=1 GenW=2 Markers=8 */
/* dut-rtl: hd_l1_gpu Lanes=12 LineWords=16 WordW=32 Sets=2 Ways=2 PartBits=2 MshrEntries=8 MshrTargets=16 StoreData=8 MergeLanes=64 SbWords=64 SbRows=16 WtOut=8 GenW=10 Markers=8 */
/* dut: hd_l1_gpu Lanes=4 LineWords=8 WordW=32 Sets=2 Ways=2 WbEntries=2 PartBits=0 ReqDepth=3 MshrEntries=3 MshrTargets=6 StoreData=4 MergeLanes=8 SbWords=16 SbRows=4 WtOut=3 GenW=3 Markers=8 Persist=1 NvwDepth=4 */
/* dut-rtl: hd_l1_gpu Lanes=4 LineWords=8 WordW=32 Sets=4 Ways=2 WbEntries=1 PartBits=0 ReqDepth=1 MshrEntries=1 MshrTargets=1 StoreData=1 MergeLanes=4 SbWords=8 SbRows=1 WtOut=1 GenW=2 Markers=8 Persist=1 NvwDepth=1 */
/* dut-rtl: hd_l1_gpu Lanes=12 LineWords=16 WordW=32 Sets=2 Ways=2 PartBits=0 MshrEntries=8 MshrTargets=16 StoreData=8 MergeLanes=64 SbWords=64 SbRows=16 WtOut=8 GenW=10 Markers=8 Persist=1 NvwDepth=16 */
/* dut: hd_l1_gpu Lanes=4 LineWords=8 WordW=32 Sets=2 Ways=2 WbEntries=2 PartBits=0 ReqDepth=3 MshrEntries=3 MshrTargets=6 StoreData=4 MergeLanes=8 SbWords=16 SbRows=4 WtOut=3 GenW=3 Markers=8 Persist=1 NvwDepth=4 Inclusive=1 */
/* dut-rtl: hd_l1_gpu Lanes=4 LineWords=8 WordW=64 SlotW=5 Sets=4 Ways=2 WbEntries=1 PartBits=1 ReqDepth=1 MshrEntries=1 MshrTargets=1 StoreData=1 MergeLanes=4 SbWords=8 SbRows=1 WtOut=1 GenW=2 Markers=8 Inclusive=1 */
#include "hd_unit.h"
#include "hd_l1_gpu_dut.h"
#include "hd_access.h"
#include "hd_head.h"
#include "line_names.h"

#ifndef P_FlitWords
#define P_FlitWords HD_FLIT_WORDS
#endif
#ifndef P_Persist
#define P_Persist 0
#endif
#ifndef P_Inclusive
#define P_Inclusive 0
#endif
#ifndef P_NvwDepth
#define P_NvwDepth 16
#endif
#ifndef P_SlotW
#define P_SlotW HD_SLOT_W
#endif
enum {
    LANES = P_Lanes, WORDS = P_LineWords, W = P_WordW, FLIT = P_FlitWords * W, GROUPS = (LANES + P_FlitWords - 1) / P_FlitWords,
    LINE_W = HD_L1_GPU_W_st_o, HEAD_W = HD_HEAD_W + HD_LANE_W,
    OFF_W = (HD_L1_GPU_W_la_place_i - LANES - WORDS) / LANES, LINES = 7, OWN = WORDS - 2, /* the last two are of others */
    WARPS = 8, SLOTS = 2, QUEUE = 256, HISTORY = 1 << 14, CYCLES = 60000, ROUNDS = 16, PAUSE = 90, FLUSH_TID = 255,
    NV = 3,                                            /* lines from here on are of non-volatile memory */
    MARKS = 16, COUNT_W = HD_L1_GPU_W_perf_o - HD_WARP_W - P_SlotW, OPS_CMP = HD_L1_GPU_W_la_ops_i - LANES * 32
};

struct access {
    bool active, sync, local, acquire, release;
    unsigned kind, fn, line, order, scope;
    uint32_t mask, left, tag, offs[LANES], cmp[LANES];
    uint64_t operand[LANES], want[LANES]; /* what a lane must find */
    uint32_t low;
    uint32_t stores[LINES][WORDS];        /* of a release: values that must have reached the L2 */
};

struct message {
    unsigned kind, line, tid, fn, opid;
    uint32_t mask, lanes, due, made, offs[LANES], cmp[LANES];
    uint64_t data[WORDS > LANES ? WORDS : LANES];
};

struct value {
    uint64_t value;
    uint32_t from, to;
};

static struct hd_l1_gpu d;
static struct {
    /* names at the ports: of lines; word w is word (w + turn) % WORDS, warps and slots are mixed with a number */
    uint32_t number[LINES];
    unsigned turn, sm, warp_mix, slot_mix;
    uint32_t now, acquired;                /* cycle of the last acquire */
    uint32_t fresh[LINES];                 /* clean words of a line are not older than this cycle */
    struct { uint8_t head[HD_HEAD_BYTES(HD_HEAD_W)]; } acks[QUEUE]; /* answers to INVs that were taken, not sent yet */
    unsigned ackn, invs;
    uint64_t own[LINES][WORDS];            /* as the accesses taken left them */
    uint64_t l2[LINES][WORDS];
    uint64_t log[LINES][WORDS][HISTORY];   /* values of own words, in the order of accesses */
    uint32_t writes[LINES][WORDS], reached[LINES][WORDS]; /* how many there are, have reached the L2 */
    uint32_t dirtied[LINES][WORDS];        /* ... there were with the last one made in the L1 */
    struct value remote[LINES][WORDS][HISTORY];
    unsigned values[LINES][WORDS];
    struct access op[1 << HD_WARP_W][1 << HD_SLOT_W], *offered;
    unsigned warp, slot;
    struct message req[QUEUE], dn[QUEUE];
    unsigned reqs, dns;
    uint32_t marks[MARKS][LINES][WORDS];   /* of a marker: values that must have reached the L2 */
    unsigned marks_in, marks_out;
    bool shown;
    int shown_at;
    uint32_t next;
    bool perf, perf_last, scoped, flushing;
    uint64_t reading; /* READs out, by tid */
    unsigned still;   /* cycles in which nothing has moved */
    bool waits;       /* the access in front was refused, a request has left since */
    unsigned perf_warp, perf_slot, perf_lanes, releases_out, releases, acquires, eight;
    uint64_t seen[32], frozen, partial, flush_wts, sync_wts, local, local_lanes, stood, waited, events[HD_EV_SM_NUM];
} s;

static uint32_t number(unsigned line)
{
    return s.number[line];
}

static unsigned place(unsigned word)
{
    return (word + s.turn) % WORDS;
}

/* New names, for an L1 that holds nothing. Lines differ in three bits side by side, and more go up with their numbers. */
static void rename_all(bool again)
{
    rename_lines(s.number, LINES, LINE_W, again);
    s.turn = (unsigned)hd_rand_below(WORDS);
    s.sm = again ? ~s.sm & ((1u << HD_NODE_W) - 1) : (unsigned)hd_rand_below(1u << HD_NODE_W);
    s.warp_mix = ~s.warp_mix & (hd_rand() & 63);
    s.slot_mix = ~s.slot_mix & (hd_rand() & 7);
    *d.sm_id_i = (uint8_t)s.sm;
    /* anywhere behind the last line that is not of non-volatile memory */
    const uint32_t nv = number(NV - 1) + 1 + (hd_rand_below(2) ? number(NV) - number(NV - 1) - 1 : 0);
    hd_bits_put(d.policy_i, HD_L1_POLICY_NV_BASE_LSB, HD_L1_POLICY_NV_BASE_W, P_Persist ? nv * WORDS * 4 : 0);
}

/* Those whose results are like no value before. */
static const unsigned functions[] = {HD_AT_ADD, HD_AT_MIN, HD_AT_MAX, HD_AT_XOR, HD_AT_EXCH, HD_AT_CAS, HD_AT_UMIN, HD_AT_UMAX};

static uint64_t fresh(void)
{
    const uint32_t x = ++s.next * 2654435761u;

    return W == 32 ? x : (uint64_t)x << 32 | (uint32_t)hd_rand();
}

static void write_own(unsigned line, unsigned word, uint64_t value)
{
    if (s.own[line][word] == value)
        return;
    s.own[line][word] = value;
    s.log[line][word][s.writes[line][word]++ % HISTORY] = value;
}

/* An own word arrives at the L2: it must be one of the values it was given, none older than the last. */
static void reach_own(unsigned line, unsigned word, uint64_t value)
{
    uint32_t at = s.writes[line][word]; /* of equal ones the last */

    if (s.l2[line][word] == value) /* an atomic that changes nothing */
        return;
    s.l2[line][word] = value;
    while (at > s.reached[line][word] && s.log[line][word][(at - 1) % HISTORY] != value)
        at--;
    if (at == s.reached[line][word])
        fail_msg("cycle %u: line %u word %u: the L2 gets 0x%llx, which is not a value after the last", s.now, line, word,
                 (unsigned long long)value);
    s.reached[line][word] = at;
}

static void write_remote(unsigned line, unsigned word, uint64_t value)
{
    const unsigned n = s.values[line][word]++;

    if (n > 0)
        s.remote[line][word][(n - 1) % HISTORY].to = s.now;
    s.remote[line][word][n % HISTORY] = (struct value){value, s.now, UINT32_MAX};
    s.l2[line][word] = value;
}

/* Now and then there are eight acquires and nothing else: generations come round, the rows stay. A round ends with stores and
 * releases, which must be done though nothing comes after them. */
static enum phase { ANY, ACQUIRES, STORES, RELEASES } phase(void)
{
    const unsigned left = CYCLES / ROUNDS - s.now % (CYCLES / ROUNDS);

    if (left < 100)
        return left < 15 ? RELEASES : STORES;
    return s.now % 1000 >= 400 && s.now % 1000 < 440 ? ACQUIRES : ANY;
}

/* ---- the L2 ------------------------------------------------------------------------------------------------------- */

static void send(struct message m)
{
    assert_true(s.dns < QUEUE);
    m.due = s.now + (uint32_t)hd_rand_below(20);
    m.made = s.now;
    s.dn[s.dns++] = m;
}

static uint64_t perform(unsigned fn, uint64_t old, uint64_t operand, uint32_t cmp)
{
    if (fn == HD_AT_READ)
        return old;
    return operand >> 32 << 32 | hd_amo_reference(fn, (uint32_t)old, (uint32_t)operand, cmp);
}

static void l2(void)
{
    while (s.reqs > 0 && s.req[0].due <= s.now) {
        struct message m = s.req[0], answer = {.line = m.line, .tid = m.tid};

        memmove(&s.req[0], &s.req[1], --s.reqs * sizeof s.req[0]);
        if (m.kind == HD_MSG_PMARK) {
            assert_int_equal(m.opid, s.marks_out % 256);
            for (unsigned l = NV; l < LINES; l++)
                for (unsigned w = 0; w < OWN; w++)
                    if (s.reached[l][w] < s.marks[s.marks_out % MARKS][l][w])
                        fail_msg("cycle %u: marker %u overtook line %u word %u", s.now, s.marks_out, l, w);
            s.marks_out++;
            continue;
        }
        if (m.kind == HD_MSG_GETS) {
            answer.kind = HD_MSG_DATA_S;
            for (unsigned w = 0; w < WORDS; w++)
                answer.data[w] = s.l2[m.line][w];
        } else if (m.kind == HD_MSG_WT) {
            answer.kind = HD_MSG_WT_ACK;
            for (unsigned w = 0; w < WORDS; w++)
                if (m.mask >> w & 1)
                    reach_own(m.line, w, m.data[w]);
        } else {
            answer.kind = HD_MSG_AT_DATA;
            answer.lanes = m.lanes;
            for (unsigned i = 0; i < LANES; i++) {
                if (!(m.lanes >> i & 1))
                    continue;
                answer.data[i] = s.l2[m.line][m.offs[i]];
                if (m.fn != HD_AT_READ)
                    reach_own(m.line, m.offs[i], perform(m.fn, answer.data[i], m.data[i], m.cmp[i]));
            }
        }
        send(answer);
    }
    if (P_Inclusive && phase() != ACQUIRES && hd_rand_below(12) == 0) { /* data of the line come before it */
        const unsigned line = (unsigned)hd_rand_below(LINES);
        bool data = false;
        for (unsigned i = 0; i < s.dns; i++)
            data |= s.dn[i].line == line && s.dn[i].kind == HD_MSG_DATA_S;
        if (!data && s.dns < QUEUE / 2)
            send((struct message){.kind = HD_MSG_INV, .line = line});
    }
    if (hd_rand_below(8) == 0)
        write_remote((unsigned)hd_rand_below(LINES), OWN + (unsigned)hd_rand_below(WORDS - OWN), fresh());
}

/* ---- ports -------------------------------------------------------------------------------------------------------- */

/* Flits that follow the head of an atomic: function and places, operands, compare values. */
static uint32_t flits(unsigned fn, uint32_t lanes)
{
    uint32_t mask = 1;

    for (unsigned i = 0; i < LANES; i++)
        if (lanes >> i & 1)
            mask |= 1u << (1 + i / P_FlitWords) | (fn == HD_AT_CAS ? 1u << (1 + GROUPS + i / P_FlitWords) : 0);
    return mask;
}

static void see_request(void)
{
    struct message m = {.kind = (unsigned)hd_bits_get(d.req_head_o, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W),
                        .tid = (unsigned)hd_bits_get(d.req_head_o, HD_HEAD_TID_LSB, HD_HEAD_TID_W),
                        .opid = (unsigned)hd_bits_get(d.req_head_o, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W),
                        .lanes = (uint32_t)hd_bits_get(d.req_head_o, HD_HEAD_LANES_LSB, LANES)};
    const uint32_t wmask = (uint32_t)hd_bits_get(d.req_head_o, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W);
    const uint32_t addr = (uint32_t)hd_bits_get(d.req_head_o, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W);
    uint8_t want[HD_HEAD_BYTES(HEAD_W)] = {0};

    /* All bits of the head: those that vary are checked on their own. */
    memcpy(want, d.req_head_o, HD_HEAD_W / 8);
    hd_bits_put(want, HD_HEAD_LANES_LSB, LANES, m.lanes);
    if (m.kind != HD_MSG_PMARK) {
        assert_int_equal(addr % (WORDS * 4), 0);
        while (m.line < LINES && number(m.line) != addr / (WORDS * 4))
            m.line++;
        assert_true(m.line < LINES);
        hd_head_put(want, m.kind, HD_SM(s.sm), HD_L2(number(m.line) & ((1u << P_PartBits) - 1)));
    }
    hd_bits_put(want, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, s.sm);
    hd_head_same(d.req_head_o, want, HEAD_W);
    s.seen[m.kind]++;
    const struct access *const by = &s.op[(m.opid & 63) ^ s.warp_mix][(m.opid >> 6 & 7) ^ s.slot_mix];
    const bool flush = m.kind == HD_MSG_WT && m.tid == FLUSH_TID;
    if (flush)
        assert_int_equal(m.opid, 0);
    else if (m.kind != HD_MSG_PMARK)
        assert_true(m.opid < 512 && by->active && by->line == m.line);
    if (m.kind == HD_MSG_WT) {
        s.flush_wts += flush;
        s.sync_wts += !flush;
        assert_true(wmask >> (WORDS - 1) <= 1 && (flush || by->kind == HD_OP_STORE));
        for (unsigned w = 0; w < WORDS; w++) {
            m.mask |= (wmask >> place(w) & 1) << w;
            m.data[w] = hd_bits_get(d.req_body_o, place(w) * W, W);
        }
    } else if (m.kind == HD_MSG_ATOMIC) {
        m.fn = (unsigned)hd_bits_get(d.req_body_o, 0, 4);
        assert_true(wmask == flits(m.fn, m.lanes) && m.lanes == by->mask);
        for (unsigned i = 0; i < LANES; i++) {
            const unsigned at = (1 + i / P_FlitWords) * FLIT, k = i % P_FlitWords;
            const unsigned word = (unsigned)hd_bits_get(d.req_body_o, 4 + i * OFF_W, OFF_W);
            m.offs[i] = (word + WORDS - s.turn) % WORDS;
            m.data[i] = hd_bits_get(d.req_body_o, at + k * W, W);
            m.cmp[i] = (uint32_t)hd_bits_get(d.req_body_o, at + GROUPS * FLIT + k * 32, 32);
        }
    } else {
        assert_int_equal(wmask, 0);
        if (m.kind == HD_MSG_GETS) {
            assert_true(m.tid < P_MshrEntries && !(s.reading >> m.tid & 1));
            s.reading |= UINT64_C(1) << m.tid;
        }
    }
    if (m.kind != HD_MSG_ATOMIC)
        assert_int_equal(m.lanes, 0);
    m.due = s.now + (uint32_t)hd_rand_below(25);
    if (s.reqs > 0 && m.due < s.req[s.reqs - 1].due)
        m.due = s.req[s.reqs - 1].due; /* in order */
    assert_true(s.reqs < QUEUE);
    s.req[s.reqs++] = m;
}

static void check_remote(const struct access *a, unsigned lane, uint64_t got)
{
    const unsigned line = a->line, word = a->offs[lane], n = s.values[line][word];

    for (unsigned k = n; k > 0 && k + HISTORY > n; k--) {
        const struct value *v = &s.remote[line][word][(k - 1) % HISTORY];
        if (v->value == got && v->to >= a->low)
            return;
        if (v->to < a->low)
            break;
    }
    fail_msg("cycle %u: line %u word %u: a load that an acquire at %u came before read 0x%llx", s.now, line, word, a->low,
             (unsigned long long)got);
}

static void see_completion(void)
{
    assert_int_equal(*d.cpl_valid_o, s.perf);
    if (!s.perf)
        return;
    const unsigned warp = (unsigned)hd_bits_get(d.cpl_o, HD_COMPLETION_WARP_LSB, HD_COMPLETION_WARP_W) ^ s.warp_mix;
    const unsigned slot = (unsigned)hd_bits_get(d.cpl_o, HD_COMPLETION_SLOT_LSB, HD_COMPLETION_SLOT_W) ^ s.slot_mix;
    struct access *a = &s.op[warp][slot];
    const uint32_t mask = (uint32_t)hd_bits_get(d.cpl_o, HD_COMPLETION_W, LANES);

    assert_true(warp == s.perf_warp && slot == (s.perf_slot & 7) && s.perf_slot >> 3 == a->tag);
    assert_int_equal(hd_bits_get(d.cpl_o, HD_COMPLETION_LAST_LSB, 1), s.perf_last);
    assert_true(a->active);
    if (a->kind == HD_OP_FENCE) {
        assert_int_equal(mask, 0);
        assert_int_equal(s.perf_lanes, 1);
        for (unsigned l = 0; a->release && l < LINES; l++)
            for (unsigned w = 0; w < OWN; w++)
                if (s.reached[l][w] < a->stores[l][w])
                    fail_msg("cycle %u: a release is done, line %u word %u is not at the L2", s.now, l, w);
        s.releases_out -= a->release;
        a->active = false;
        s.seen[20]++;
        return;
    }
    assert_true(mask != 0 && (mask & ~a->left) == 0 && hd_bits_count(mask) == s.perf_lanes);
    s.partial += mask != a->mask;
    a->left &= ~mask;
    for (unsigned i = 0; i < LANES; i++) {
        const uint64_t got = hd_bits_get(d.cpl_o, HD_COMPLETION_W + LANES + i * W, W);
        if (!(mask >> i & 1) || a->kind == HD_OP_STORE)
            continue;
        if (a->offs[i] >= OWN)
            check_remote(a, i, got);
        else if (got != a->want[i])
            fail_msg("cycle %u: line %u word %u lane %u kind %u: found 0x%llx, not 0x%llx", s.now, a->line, a->offs[i], i,
                     a->kind, (unsigned long long)got, (unsigned long long)a->want[i]);
    }
    a->active = a->left != 0;
    s.seen[21 + a->kind]++;
}

static void choose_access(bool quiet)
{
    const unsigned warp = (unsigned)hd_rand_below(WARPS), slot = (unsigned)hd_rand_below(SLOTS);
    struct access *a = &s.op[warp][slot];
    const unsigned r = (unsigned)hd_rand_below(64);
    const enum phase now = phase();

    if (now != ACQUIRES)
        s.eight = s.acquires;

    if (s.offered != NULL || quiet || a->active || hd_rand_below(4) == 0)
        return;
    if (now == ACQUIRES && s.acquires != s.eight && (s.acquires - s.eight) % 8 == 0)
        return;
    memset(a, 0, sizeof *a);
    a->active = true;
    a->kind = r < 28 ? HD_OP_LOAD : r < 52 ? HD_OP_STORE : r < 61 ? HD_OP_ATOMIC : HD_OP_FENCE;
    if (now != ANY)
        a->kind = now == STORES ? HD_OP_STORE : HD_OP_FENCE;
    a->order = HD_ORD_RELAXED;
    a->scope = (unsigned)hd_rand_below(3);
    if (a->kind == HD_OP_FENCE)
        a->scope = HD_SCOPE_DEVICE;
    if (a->kind == HD_OP_FENCE || hd_rand_below(8) == 0)
        a->order = 1 + (unsigned)hd_rand_below(4);
    if (a->kind == HD_OP_FENCE && (now == ACQUIRES || s.releases_out >= 7))
        a->order = HD_ORD_ACQUIRE;
    const bool narrow = s.scoped && a->scope == HD_SCOPE_WG, marked = a->order != HD_ORD_RELAXED && a->scope != HD_SCOPE_WI;
    a->fn = functions[hd_rand_below(sizeof functions / sizeof *functions)];
    a->line = (unsigned)hd_rand_below(1 + s.now / 1500 % LINES);
    a->mask = a->kind == HD_OP_FENCE ? 0 : (uint32_t)hd_bits_random_mask(LANES);
    a->sync = a->kind != HD_OP_FENCE && !narrow && (marked || a->kind == HD_OP_ATOMIC);
    a->local = a->kind == HD_OP_ATOMIC && narrow;
    a->acquire = marked && !narrow && a->order != HD_ORD_RELEASE && a->kind != HD_OP_STORE;
    a->release = a->kind == HD_OP_FENCE && a->order != HD_ORD_ACQUIRE;
    a->tag = (uint32_t)hd_rand_below(1u << (P_SlotW - HD_SLOT_W));
    for (unsigned i = 0; i < LANES; i++) {
        a->offs[i] = (uint32_t)hd_rand_below(a->kind == HD_OP_LOAD ? WORDS : OWN);
        a->operand[i] = fresh();
        a->cmp[i] = hd_rand_below(2) ? (uint32_t)s.own[a->line][a->offs[i]] : 0;
    }
    for (unsigned i = 0; a->kind == HD_OP_STORE && i < LANES; i++) /* one lane wins a word */
        for (unsigned j = 0; j < i; j++)
            if (a->offs[i] == a->offs[j])
                a->operand[i] = a->operand[j];
    s.offered = a, s.warp = warp, s.slot = slot, s.still = 0;
    struct hd_access acc = {.warp = warp ^ s.warp_mix, .slot = slot ^ s.slot_mix, .kind = a->kind, .fn = a->fn, .order = a->order,
                            .scope = a->scope, .tag = a->tag};
    const uint64_t packed = hd_access_pack(acc);
    uint64_t words = 0;
    memcpy(d.la_acc_i, &packed, sizeof *d.la_acc_i);
    *d.la_line_i = number(a->line);
    hd_bits_random(d.la_ops_i, OPS_CMP);
    for (unsigned i = 0; i < LANES; i++) {
        hd_bits_put(d.la_place_i, WORDS + i * OFF_W, OFF_W, place(a->offs[i]));
        hd_bits_put(d.la_ops_i, OPS_CMP + i * 32, 32, a->cmp[i]);
        if (a->kind == HD_OP_ATOMIC)
            hd_bits_put(d.la_ops_i, i * W, W, a->operand[i]);
        if (!(a->mask >> i & 1))
            continue;
        words |= UINT64_C(1) << place(a->offs[i]);
        if (a->kind == HD_OP_STORE)
            hd_bits_put(d.la_ops_i, place(a->offs[i]) * W, W, a->operand[i]);
    }
    hd_bits_put(d.la_place_i, 0, WORDS, words);
    hd_bits_put(d.la_place_i, WORDS + LANES * OFF_W, LANES, a->mask);
}

/* The access was taken: what it finds and leaves in own words. */
static void taken(struct access *a)
{
    a->left = a->mask;
    a->low = s.acquired > s.fresh[a->line] ? s.acquired : s.fresh[a->line];
    s.releases_out += a->release;
    s.releases += a->release;
    if (a->kind == HD_OP_FENCE) {
        memcpy(a->stores, s.dirtied, sizeof a->stores);
        if (!a->release)
            s.acquired = s.now, s.acquires++;
        return;
    }
    s.local += a->local;
    s.local_lanes += a->local ? hd_bits_count(a->mask) : 0;
    for (unsigned i = 0; i < LANES; i++) {
        if (!(a->mask >> i & 1) || a->offs[i] >= OWN)
            continue;
        a->want[i] = s.own[a->line][a->offs[i]];
        if (a->kind == HD_OP_STORE)
            write_own(a->line, a->offs[i], a->operand[i]);
        else if (a->kind == HD_OP_ATOMIC)
            write_own(a->line, a->offs[i], perform(a->fn, a->want[i], a->operand[i], a->cmp[i]));
        if (a->kind != HD_OP_LOAD && !a->sync)
            s.dirtied[a->line][a->offs[i]] = s.writes[a->line][a->offs[i]];
    }
}

static void drive_answer(void)
{
    if (!s.shown) {
        s.shown_at = -1;
        for (unsigned i = 0, start = (unsigned)hd_rand_below(QUEUE); i < s.dns && s.shown_at < 0; i++)
            if (s.dn[(start + i) % s.dns].due <= s.now)
                s.shown_at = (int)((start + i) % s.dns);
        s.shown = s.shown_at >= 0 && s.now % 1000 >= PAUSE && hd_rand_below(3) != 0;
        if (s.shown) {
            const struct message *m = &s.dn[s.shown_at];

            hd_bits_random(d.dn_head_i, HD_HEAD_W + HD_LANE_W);
            hd_bits_put(d.dn_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, m->kind);
            hd_bits_put(d.dn_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, number(m->line) * WORDS * 4);
            hd_bits_put(d.dn_head_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, m->tid);
            hd_bits_random(d.dn_data_i, HD_L1_GPU_W_dn_data_i);
            for (unsigned w = 0; w < (m->kind == HD_MSG_DATA_S ? WORDS : LANES); w++)
                hd_bits_put(d.dn_data_i, (m->kind == HD_MSG_DATA_S ? place(w) : w) * W, W, m->data[w]);
        }
    }
    *d.dn_valid_i = s.shown;
}

/* Accesses that are not complete. */
static unsigned working(void)
{
    unsigned n = 0;

    for (unsigned i = 0; i < WARPS * SLOTS; i++)
        n += s.op[i / SLOTS][i % SLOTS].active;
    return n;
}

static bool busy(void)
{
    return s.ackn > 0 || *d.mark_valid_i || s.offered != NULL || s.reqs || s.dns || s.marks_in != s.marks_out || working() ||
           !*d.idle_o;
}

#define EV(name) (UINT64_C(1) << HD_EV_SM_##name)

/* Events of the cycle before, in which @la was taken (or NULL) and @dn (its kind, or 0). */
static void see_events(const struct access *offered, const struct access *la, unsigned dn)
{
    const uint64_t ev = hd_bits_get(d.ev_o, 0, HD_EV_SM_NUM);
    const uint64_t why = ev & (EV(REJ_ENTRY) | EV(REJ_MERGE) | EV(REJ_CREDIT) | EV(REJ_QUEUE) | EV(REJ_LINE));
    const bool fence = offered != NULL && offered->kind == HD_OP_FENCE, taken = la != NULL && !fence;
    const uint64_t how = ev & (EV(HIT) | EV(MISS) | EV(MERGE) | EV(WT));

    const uint64_t rest = EV(ACCESS) | EV(REJECT) | EV(ACC_STORE) | EV(ACC_ATOMIC) | EV(FILL) | EV(REPLAY) | EV(EVICT_CLEAN) |
                          EV(INV) | EV(RMW_LANE) | EV(FLUSH_DONE) | EV(WT_DIRTY) | EV(NVW_PUSH) | EV(NVW_POP) | EV(NVW_STALE) |
                          EV(NVW_FULL) | EV(NVW_DRAIN) | EV(ACQUIRE) | EV(MARKER);
    assert_int_equal(ev & ~(why | how | rest), 0);
    assert_int_equal(ev >> HD_EV_SM_REJECT & 1, hd_bits_count(why));
    assert_int_equal(ev >> HD_EV_SM_ACCESS & 1, taken || (ev & EV(REJECT) && !fence));
    assert_int_equal(hd_bits_count(how), taken);
    assert_true(!*d.st_valid_o || !*d.idle_o);
    assert_true(!taken || !(ev & EV(REJECT)));
    if (taken && la->sync)
        assert_true(how == EV(WT));
    else if (taken && la->kind != HD_OP_LOAD)
        assert_true(how == EV(HIT));
    assert_int_equal(ev >> HD_EV_SM_ACC_STORE & 1, taken && la->kind == HD_OP_STORE);
    assert_int_equal(ev >> HD_EV_SM_ACC_ATOMIC & 1, taken && la->kind == HD_OP_ATOMIC);
    assert_int_equal(ev >> HD_EV_SM_FILL & 1, dn == HD_MSG_DATA_S);
    assert_int_equal(ev >> HD_EV_SM_INV & 1, dn == HD_MSG_INV);
    for (unsigned e = 0; e < HD_EV_SM_NUM; e++)
        s.events[e] += ev >> e & 1;
    s.flushing = *d.flush_i || (s.flushing && !(ev & EV(FLUSH_DONE)));
    assert_int_equal(*d.flushing_o, s.flushing);
}

/* Words of a line have changed, known in the next cycle: those that an access or a message changes for certain. */
static void see_change(const struct access *la, bool dn, uint32_t dn_line)
{
    bool known = false;

    if (*d.st_valid_o) {
        for (unsigned l = 0; l < LINES; l++)
            known |= *d.st_o == number(l);
        assert_true(known);
    }
    if (dn && *d.st_valid_o) /* a line that was given up meanwhile keeps what it is */
        assert_true(*d.st_o == dn_line);
    if (la != NULL && (la->kind == HD_OP_STORE || la->kind == HD_OP_ATOMIC) && !la->sync)
        assert_true(*d.st_valid_o && *d.st_o == number(la->line));
}

static void cycle(bool quiet)
{
    choose_access(quiet);
    *d.la_valid_i = s.offered != NULL;
    drive_answer();
    if (!*d.mark_valid_i)
        *d.mark_valid_i = P_Persist && !quiet && s.marks_in - s.marks_out < MARKS && hd_rand_below(60) == 0;
    *d.mark_id_i = (uint8_t)s.marks_in;
    /* now and then nothing moves for long, but a request or two */
    const unsigned pause = s.now % 1000;
    *d.req_ready_i = pause < PAUSE ? pause >= 60 && pause % 10 == 0 : hd_rand_below(4) > s.now / 700 % 3;
    *d.rsp_ready_i = hd_rand_below(4) > s.now / 500 % 3;
    *d.perf_last_i = (uint8_t)hd_rand_below(2);
    hd_eval(d.m);
    if (*d.idle_o && !*d.dn_valid_i && !*d.mark_valid_i && !*d.flush_i && hd_rand_below(4) == 0) {
        assert_true(!*d.req_valid_o && !*d.rsp_valid_o && !*d.perf_valid_o && !*d.flushing_o && !(*d.la_valid_i && *d.la_ready_o));
        hd_assert_frozen(d.m);
        s.frozen++;
    }
    s.perf = *d.perf_valid_o, s.perf_last = *d.perf_last_i;
    s.perf_warp = (unsigned)hd_bits_get(d.perf_o, 0, HD_WARP_W) ^ s.warp_mix; /* {lanes, slot, warp} */
    s.perf_slot = (unsigned)hd_bits_get(d.perf_o, HD_WARP_W, P_SlotW) ^ s.slot_mix;
    s.perf_lanes = (unsigned)hd_bits_get(d.perf_o, HD_WARP_W + P_SlotW, COUNT_W);
    const bool req = *d.req_valid_o && *d.req_ready_i, dn = *d.dn_valid_i && *d.dn_ready_o;
    const bool la = *d.la_valid_i && *d.la_ready_o;
    const bool marked = *d.mark_valid_i && *d.mark_ready_o;
    if (marked)
        memcpy(s.marks[s.marks_in++ % MARKS], s.dirtied, sizeof s.dirtied);
    if (req)
        see_request();
    if (s.perf) { /* an acquire is done in the cycle that announces it */
        const struct access *a = &s.op[s.perf_warp][s.perf_slot & 7];
        if (a->active && a->acquire)
            s.acquired = s.now, s.acquires += a->kind != HD_OP_FENCE || a->release;
    }
    if (*d.rsp_valid_o && *d.rsp_ready_i) {
        assert_true(s.ackn > 0);
        hd_head_same(d.rsp_head_o, s.acks[0].head, HD_HEAD_W);
        memmove(&s.acks[0], &s.acks[1], --s.ackn * sizeof s.acks[0]);
        s.invs++;
    }
    const unsigned dn_kind = dn ? s.dn[s.shown_at].kind : 0;
    const uint32_t dn_line = dn ? number(s.dn[s.shown_at].line) : 0;
    if (dn && dn_kind == HD_MSG_DATA_S) {
        assert_true(s.reading >> s.dn[s.shown_at].tid & 1);
        s.reading &= ~(UINT64_C(1) << s.dn[s.shown_at].tid);
    }
    if (dn && dn_kind == HD_MSG_INV) {
        assert_true(s.ackn < QUEUE);
        memcpy(s.acks[s.ackn].head, d.dn_head_i, HD_HEAD_W / 8);
        hd_head_put(s.acks[s.ackn++].head, HD_MSG_INV_ACK, HD_SM(s.sm),
                    HD_L2((unsigned)hd_bits_get(d.dn_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W)));
        s.fresh[s.dn[s.shown_at].line] = s.dn[s.shown_at].made;
    }
    if (dn) {
        memmove(&s.dn[s.shown_at], &s.dn[s.shown_at + 1], (--s.dns - (unsigned)s.shown_at) * sizeof s.dn[0]);
        s.shown = false;
    }
    const struct access *const offered = s.offered, *const access = la ? s.offered : NULL;
    s.still = req || dn || la || s.perf || marked || *d.flush_i || quiet ? 0 : s.still + 1;
    assert_int_equal(hd_bits_get(d.mshr_busy_o, 0, P_MshrEntries) & s.reading, s.reading);
    if (la) {
        taken(s.offered);
        s.offered = NULL;
    }
    l2();
    hd_edge(d.m);
    if (marked)
        *d.mark_valid_i = 0;
    s.now++;
    see_completion();
    see_events(offered, access, dn_kind);
    see_change(access, dn_kind == HD_MSG_DATA_S, dn_line);
    if (s.still > 24 + 2 * P_SbRows && offered != NULL) { /* it was refused, and is not tried before something has changed */
        assert_int_equal(hd_bits_get(d.ev_o, HD_EV_SM_REJECT, 1), 0);
        s.stood++;
    }
    if (access != NULL || s.offered == NULL || s.offered->kind == HD_OP_FENCE || hd_bits_get(d.ev_o, HD_EV_SM_REJECT, 1))
        s.waits = false; /* it was taken, or tried again */
    if (pause >= 60 && pause < PAUSE && pause % 10 == 9) /* a request had left while it was refused, and nothing else happened */
        assert_false(s.waits);
    if (req && pause < PAUSE && s.offered != NULL && s.offered->kind != HD_OP_FENCE)
        s.waits = true, s.waited++;
}

static void settle(void)
{
    for (unsigned n = 0; busy() || *d.flushing_o; n++) {
        assert_true(n < 4000);
        cycle(true);
    }
}

static void own_words_are_sequential_and_acquires_see_others(void **state)
{
    (void)state;
    memset(&s, 0, sizeof s);
    hd_l1_gpu_open(&d);
    hd_reset(d.m);
    rename_all(false);
    for (unsigned l = 0; l < LINES; l++)
        for (unsigned w = 0; w < WORDS; w++) {
            write_remote(l, w, fresh());
            s.own[l][w] = s.l2[l][w];
        }
    for (unsigned round = 0; round < ROUNDS; round++) {
        s.scoped = round / 2 % 2 != 0;
        hd_bits_put(d.policy_i, HD_L1_POLICY_SCOPED_LSB, 1, s.scoped);
        while (s.now % (CYCLES / ROUNDS) != CYCLES / ROUNDS - 1)
            cycle(false);
        settle();
        assert_int_equal(hd_bits_get(d.mshr_busy_o, 0, P_MshrEntries), 0);
        *d.flush_i = round % 2 == 0 ? 2 : 1; /* a flush, a kernel that begins */
        cycle(true);
        *d.flush_i = 0;
        settle();
        s.acquired = s.now;
        for (unsigned l = 0; round % 2 == 0 && l < LINES; l++)
            for (unsigned w = 0; w < OWN; w++)
                assert_true(s.l2[l][w] == s.own[l][w]);
        if (round % 2 == 0) {
            *d.mark_valid_i = P_Persist; /* lines whose words have left leave the FIFO */
            cycle(true);
            settle();
            rename_all(true);
        }
        cycle(true);
    }
    assert_true(s.seen[HD_MSG_GETS] > 300 && s.seen[HD_MSG_ATOMIC] > 300 && s.flush_wts > 300 && s.sync_wts > 50);
    const uint64_t *const ev = s.events;
    assert_true(s.seen[20] > 100 && s.local > 50 && ev[HD_EV_SM_REJECT] > 100 && ev[HD_EV_SM_HIT] > 300 && s.frozen > 50);
    assert_true(s.partial > 50 && s.stood > 30 && s.waited > 3 && (ev[HD_EV_SM_EVICT_CLEAN] > 20 || P_SbRows < 4));
    assert_true(ev[HD_EV_SM_MERGE] > 20 || P_MshrTargets == 1);
    assert_int_equal(s.invs > 1000, P_Inclusive);
    assert_true(!P_Persist || s.marks_out > 200);
    *d.mark_valid_i = P_Persist; /* the last marker leaves an empty FIFO */
    cycle(true);
    settle();
    cycle(true);
    assert_int_equal(ev[HD_EV_SM_WT_DIRTY], s.flush_wts);
    assert_true(ev[HD_EV_SM_FLUSH_DONE] == ROUNDS && ev[HD_EV_SM_REPLAY] == ev[HD_EV_SM_MISS] + ev[HD_EV_SM_MERGE]);
    assert_int_equal(ev[HD_EV_SM_RMW_LANE], s.local_lanes);
    assert_int_equal(ev[HD_EV_SM_MARKER], s.releases);
    assert_int_equal(ev[HD_EV_SM_ACQUIRE], s.acquires + ROUNDS);
    assert_int_equal(ev[HD_EV_SM_WT], s.sync_wts + s.seen[HD_MSG_ATOMIC]);
    assert_int_equal(ev[HD_EV_SM_NVW_PUSH], ev[HD_EV_SM_NVW_POP] + ev[HD_EV_SM_NVW_STALE]);
    assert_true(ev[HD_EV_SM_NVW_POP] <= s.flush_wts && (ev[HD_EV_SM_NVW_DRAIN] > ev[HD_EV_SM_NVW_PUSH]) == P_Persist);
    assert_true(!P_Persist || (ev[HD_EV_SM_NVW_POP] > 100 && (ev[HD_EV_SM_NVW_STALE] > 20 || P_NvwDepth == 1)));
    assert_true(!P_Persist || ev[HD_EV_SM_NVW_FULL] > 20 || P_NvwDepth > 4);
    assert_true(P_Persist || ev[HD_EV_SM_NVW_PUSH] + ev[HD_EV_SM_NVW_FULL] + ev[HD_EV_SM_NVW_DRAIN] == 0);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(own_words_are_sequential_and_acquires_see_others)};

    return HD_UNIT_MAIN(argc, argv, t);
}
