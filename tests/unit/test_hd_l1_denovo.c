/* test_hd_l1_denovo.c - the L1 of family DENOVO against a registry and another L1 in C.
 *
 * Own words are written by this SM alone, but the other L1 takes them over, reads them and gives them back, and the L2
 * recalls them: each access must find what those completed before it left, and whoever gets a word gets a value that is
 * not older than the last one given. Words of others are written outside: a load finds a value that the word had after the
 * last acquire done when the load was offered. When a release is done, every word written before it is registered here
 * or has been given away. Forwards come in order, all else does not.
 * Lines, words, SMs, warps and slots have other names at the ports every other round, all their bits 0 and 1 in some. */
/* mutants: Lanes=8 LineWords=8 WordW=32 SlotW=5 Sets=2 Ways=2 WbEntries=2 PartBits=2 ReqDepth=3 MshrEntries=3 MshrTargets=6 StoreData=4 CasData=2 MergeLanes=8 RegEntries=4 SbWords=16 SbRows=4 GenW=3 Markers=8 */
/* dut: hd_l1_denovo Lanes=4 LineWords=8 WordW=32 Sets=2 Ways=2 WbEntries=2 PartBits=1 ReqDepth=3 MshrEntries=3 MshrTargets=6 StoreData=4 CasData=2 MergeLanes=8 RegEntries=4 SbWords=16 SbRows=4 GenW=3 Markers=8 */
/* dut-rtl: hd_l1_denovo Lanes=4 LineWords=8 WordW=64 SlotW=5 Sets=2 Ways=2 WbEntries=1 PartBits=0 ReqDepth=2 MshrEntries=2 MshrTargets=3 StoreData=3 CasData=1 MergeLanes=24 RegEntries=2 SbWords=8 SbRows=2 GenW=2 Markers=8 */
/* dut-rtl: hd_l1_denovo Lanes=4 LineWords=8 WordW=32 Sets=2 Ways=2 WbEntries=1 PartBits=1 ReqDepth=1 MshrEntries=1 MshrTargets=1 StoreData=1 CasData=1 MergeLanes=4 RegEntries=1 SbWords=8 SbRows=1 GenW=2 Markers=8 */
/* dut-rtl: hd_l1_denovo Lanes=12 LineWords=16 WordW=32 Sets=2 Ways=2 PartBits=2 MshrEntries=8 MshrTargets=16 StoreData=8 CasData=4 MergeLanes=64 RegEntries=8 SbWords=64 SbRows=16 GenW=10 Markers=8 */
#include "hd_unit.h"
#include "hd_l1_denovo_dut.h"
#include "hd_access.h"
#include "hd_head.h"
#include "line_names.h"

#ifndef P_WbEntries
#define P_WbEntries 4
#endif
#ifndef P_SlotW
#define P_SlotW HD_SLOT_W
#endif
enum {
    LANES = P_Lanes, WORDS = P_LineWords, W = P_WordW, OFF_W = (HD_L1_DENOVO_W_la_place_i - LANES - WORDS) / LANES,
    DATA_W = (LANES > WORDS ? LANES : WORDS) * W, LINES = 7, OWN = WORDS - 2, /* the last two are of others */
    WARPS = 8, SLOTS = 2, QUEUE = 512, HISTORY = 1 << 14, CYCLES = 60000, ROUNDS = 16, PAUSE = 90,
    LINE_W = HD_L1_DENOVO_W_st_o - 4 * WORDS
};
enum owner { AT_L2, ME, ELSEWHERE };

struct access {
    bool active, sync, local, acquire, release;
    unsigned kind, fn, line, order, scope;
    uint32_t mask, left, tag, offs[LANES], cmp[LANES];
    uint64_t operand[LANES];
    uint32_t low;                         /* last acquire when it was offered */
    uint32_t stores[LINES][WORDS];        /* of a release: writes that must be registered */
};

struct message {
    unsigned kind, line, tid, cls, opid;
    bool sync;
    uint32_t mask, due;
    uint64_t data[WORDS];
};

struct value {
    uint64_t value;
    uint32_t from, to;
};

static struct hd_l1_denovo d;
static struct {
    /* names at the ports: of lines; word w is word (w + turn) % WORDS, warps and slots are mixed with a number */
    uint32_t number[LINES];
    unsigned turn, sm, other_sm, warp_mix, slot_mix;
    uint32_t now, acquired;                /* cycle of the last acquire */
    uint64_t own[LINES][WORDS];            /* as the completed accesses left them */
    uint64_t log[LINES][WORDS][HISTORY];   /* values of own words, in the order of accesses */
    uint32_t writes[LINES][WORDS], reached[LINES][WORDS]; /* how many there are, were given away */
    enum owner owner[LINES][WORDS];        /* as the L2 decided */
    uint64_t l2[LINES][WORDS], other[LINES][WORDS];
    bool has[LINES][WORDS];                /* the other owner has the value */
    int next[LINES][WORDS];                /* it is to be given to ME when it comes: 0 no, 1 without, 2 with its value */
    uint32_t recall[LINES];                /* words the L2 recalls */
    unsigned leaving[LINES][WORDS];        /* forwards that take the word, not answered */
    struct value remote[LINES][WORDS][HISTORY];
    unsigned values[LINES][WORDS];
    struct access op[1 << HD_WARP_W][1 << HD_SLOT_W], *offered;
    unsigned warp, slot;
    struct message req[QUEUE], rsp[QUEUE], in[QUEUE], fw[QUEUE];
    struct message reader, forward[LINES][2]; /* the last FWD_READ; FWD_REG and RECALL of a line */
    unsigned reqs, rsps, ins, fws;
    bool shown, fw_shown;
    int shown_at;
    uint32_t next_value;
    bool perf, perf_last, scoped, read_only, flushing;
    bool waits; /* the access in front was refused, a packet has left since */
    unsigned perf_warp, perf_slot, perf_lanes, releases_out, reads_out;
    unsigned still, steps; /* cycles in which nothing has moved; steps of the access in front */
    uint32_t state[LINES]; /* words that a line had at its last change */
    uint32_t held[LINES], before[LINES]; /* those of them dirty or registered, and such before the last change */
    uint64_t found, lanes, syncs, acquires, nacks, seen[64], asked, stood, waited[2], told[2], frozen, partial, local;
    uint64_t events[HD_EV_SM_NUM];
} s;

static uint32_t number(unsigned line)
{
    return s.number[line];
}

static unsigned place(unsigned word)
{
    return (word + s.turn) % WORDS;
}

/* A mask of words at the ports, and as they are known here. */
static uint32_t out(uint32_t mask)
{
    uint32_t turned = 0;

    for (unsigned w = 0; w < WORDS; w++)
        turned |= (mask >> w & 1) << place(w);
    return turned;
}

static uint32_t in(uint32_t turned)
{
    uint32_t mask = 0;

    for (unsigned w = 0; w < WORDS; w++)
        mask |= (turned >> place(w) & 1) << w;
    return mask;
}

/* New names, for an L1 that holds nothing. Lines differ in three bits side by side. */
static void rename_all(bool again)
{
    rename_lines(s.number, LINES, LINE_W, again);
    s.turn = (unsigned)hd_rand_below(WORDS);
    s.sm = again ? ~s.sm & ((1u << HD_NODE_W) - 1) : (unsigned)hd_rand_below(1u << HD_NODE_W);
    s.other_sm = s.sm ^ (1 + (unsigned)hd_rand_below((1u << HD_NODE_W) - 1));
    s.warp_mix = ~s.warp_mix & (hd_rand() & 63);
    s.slot_mix = ~s.slot_mix & (hd_rand() & 7);
    *d.sm_id_i = (uint8_t)s.sm;
}

/* Those whose results are like no value before. */
static const unsigned functions[] = {HD_AT_ADD, HD_AT_MIN, HD_AT_MAX, HD_AT_XOR, HD_AT_EXCH, HD_AT_CAS, HD_AT_UMIN, HD_AT_UMAX};

static uint64_t fresh(void)
{
    const uint32_t x = ++s.next_value * 2654435761u;

    return W == 32 ? x : (uint64_t)x << 32 | (uint32_t)hd_rand();
}

static void write_own(unsigned line, unsigned word, uint64_t value)
{
    if (s.own[line][word] == value)
        return;
    s.own[line][word] = value;
    s.log[line][word][s.writes[line][word]++ % HISTORY] = value;
}

/* An own word leaves the L1: it must be one of the values it was given, none older than the last that left. */
static void reach_own(unsigned line, unsigned word, uint64_t value, uint64_t before)
{
    uint32_t at = s.writes[line][word];

    if (value == before && s.reached[line][word] == s.writes[line][word])
        return;
    while (at > s.reached[line][word] && s.log[line][word][(at - 1) % HISTORY] != value)
        at--;
    if (at == s.reached[line][word] && value != before)
        fail_msg("cycle %u: line %u word %u: 0x%llx leaves, which is not a value after the last", s.now, line, word,
                 (unsigned long long)value);
    s.reached[line][word] = at;
}

static void write_remote(unsigned line, unsigned word, uint64_t value)
{
    const unsigned n = s.values[line][word]++;

    if (n > 0)
        s.remote[line][word][(n - 1) % HISTORY].to = s.now;
    s.remote[line][word][n % HISTORY] = (struct value){value, s.now, UINT32_MAX};
    *(s.owner[line][word] == AT_L2 ? &s.l2[line][word] : &s.other[line][word]) = value;
}

/* ---- the L2 and the other L1 --------------------------------------------------------------------------------------- */

static void send(struct message m)
{
    assert_true(s.ins < QUEUE);
    m.due = s.now + (uint32_t)hd_rand_below(20);
    s.in[s.ins++] = m;
}

static void forward(struct message m)
{
    assert_true(s.fws < QUEUE);
    m.due = s.now + (uint32_t)hd_rand_below(12);
    if (s.fws > 0 && m.due < s.fw[s.fws - 1].due)
        m.due = s.fw[s.fws - 1].due;
    s.fw[s.fws++] = m;
}

static void read_at_l2(const struct message *m)
{
    struct message l2 = {.kind = HD_MSG_DATA_S, .line = m->line, .tid = m->tid}, other = l2, nack = l2;
    bool asked = false;

    nack.kind = HD_MSG_NACK;
    for (unsigned w = 0; w < WORDS; w++) {
        const bool want = m->mask >> w & 1;
        if (s.owner[m->line][w] == AT_L2 && (want || hd_rand_below(2))) {
            l2.mask |= 1u << w, l2.data[w] = s.l2[m->line][w], asked |= want;
        } else if (want && s.owner[m->line][w] == ELSEWHERE) {
            if (s.has[m->line][w] && (w < OWN || hd_rand_below(4) != 0))
                other.mask |= 1u << w, other.data[w] = s.other[m->line][w];
            else
                nack.mask |= 1u << w;
        } else if (want && s.owner[m->line][w] == ME)
            fail_msg("cycle %u: line %u word %u is read, and registered here", s.now, m->line, w);
    }
    if (asked)
        send(l2);
    if (other.mask)
        send(other);
    if (nack.mask)
        send(nack);
}

static void registered_at_l2(const struct message *m)
{
    struct message l2 = {.kind = m->sync ? HD_MSG_REG_DATA : HD_MSG_REG_ACK, .line = m->line, .sync = m->sync}, other = l2;

    for (unsigned w = 0; w < WORDS; w++) {
        if (!(m->mask >> w & 1))
            continue;
        assert_true(w < OWN && s.owner[m->line][w] != ME);
        if (s.owner[m->line][w] == AT_L2) {
            l2.mask |= 1u << w, l2.data[w] = s.l2[m->line][w];
        } else if (s.has[m->line][w]) {
            other.mask |= 1u << w, other.data[w] = s.other[m->line][w];
            s.has[m->line][w] = false;
        } else
            s.next[m->line][w] = m->sync ? 2 : 1;
        s.owner[m->line][w] = ME;
    }
    if (l2.mask)
        send(l2);
    if (other.mask)
        send(other);
}

/* Words that come from the L1, to the L2 or to the other one. */
static void received(const struct message *m)
{
    for (unsigned w = 0; w < WORDS; w++) {
        if (!(m->mask >> w & 1))
            continue;
        uint64_t *to = m->kind == HD_MSG_REG_DATA ? &s.other[m->line][w] : &s.l2[m->line][w];
        if (m->kind == HD_MSG_DATA_S || m->kind == HD_MSG_NACK)
            continue;
        if (m->kind == HD_MSG_REG_DATA) {
            *to = m->data[w];
            if (s.next[m->line][w]) { /* ME wants it back already */
                struct message back = *m;
                back.kind = s.next[m->line][w] == 2 ? HD_MSG_REG_DATA : HD_MSG_REG_ACK;
                back.mask = 1u << w;
                send(back);
                s.next[m->line][w] = 0;
            } else
                s.has[m->line][w] = true;
        } else if (s.owner[m->line][w] == ME) {
            s.owner[m->line][w] = AT_L2;
            *to = m->data[w];
        }
        if (m->kind == HD_MSG_RECALL_DATA) {
            assert_true(s.recall[m->line] >> w & 1);
            s.recall[m->line] &= ~(1u << w);
        }
    }
    if (m->kind == HD_MSG_DATA_S || m->kind == HD_MSG_NACK)
        s.reads_out -= hd_bits_count(m->mask);
    if (m->kind == HD_MSG_WB)
        forward((struct message){.kind = HD_MSG_WB_ACK, .line = m->line, .tid = m->tid, .mask = m->mask});
}

static uint32_t owned(unsigned line, enum owner who)
{
    uint32_t mask = 0;

    for (unsigned w = 0; w < OWN; w++)
        mask |= (uint32_t)(s.owner[line][w] == who) << w;
    return mask;
}

/* Forwards that take words of the line are not answered. */
static bool taken_over(unsigned line)
{
    unsigned n = 0;

    for (unsigned w = 0; w < OWN; w++)
        n += s.leaving[line][w];
    return n > 0;
}

/* What others do of themselves. */
static void others(bool quiet)
{
    const unsigned line = (unsigned)hd_rand_below(LINES), word = OWN + (unsigned)hd_rand_below(WORDS - OWN);
    const unsigned r = (unsigned)hd_rand_below(quiet ? 24 : 12);

    if (hd_rand_below(3) == 0 && line != LINES - 1)
        write_remote(line, word, fresh());
    if (r == 0) { /* a word of others moves */
        const enum owner to = hd_rand_below(2) ? AT_L2 : ELSEWHERE;
        const uint64_t value = s.owner[line][word] == AT_L2 ? s.l2[line][word] : s.other[line][word];
        s.owner[line][word] = to;
        s.has[line][word] = to == ELSEWHERE;
        *(to == AT_L2 ? &s.l2[line][word] : &s.other[line][word]) = value;
    }
    if (quiet || s.recall[line] || s.fws + 4 > QUEUE)
        return;
    const uint32_t mine = owned(line, ME);
    struct message m = {.line = line, .mask = mine & (uint32_t)(hd_rand() | hd_rand()), .sync = true,
                        .tid = (unsigned)hd_rand_below(1u << HD_TID_W), .cls = (unsigned)hd_rand_below(1u << HD_COH_CLS_W)};
    if (r == 1 && m.mask) { /* taken over */
        m.kind = HD_MSG_FWD_REG;
        if (taken_over(line)) /* it may wait as the one before does */
            m.cls = s.forward[line][0].cls, m.tid = s.forward[line][0].tid;
        s.forward[line][0] = m;
        for (unsigned w = 0; w < OWN; w++)
            if (m.mask >> w & 1)
                s.owner[line][w] = ELSEWHERE, s.has[line][w] = false, s.leaving[line][w]++;
        forward(m);
    } else if (r == 2 && m.mask && s.reads_out == 0) {
        m.kind = HD_MSG_FWD_READ, m.sync = false;
        s.reader = m;
        s.reads_out = hd_bits_count(m.mask); /* the answer may come in parts */
        forward(m);
    } else if (r == 3 && mine) {
        m.kind = HD_MSG_RECALL, m.mask = mine, m.sync = hd_rand_below(2);
        s.recall[line] = mine;
        s.forward[line][1] = m;
        forward(m);
    } else if (r == 4)
        for (unsigned w = 0; w < OWN; w++)
            if (s.owner[line][w] == AT_L2 && hd_rand_below(2) != 0) {
                s.owner[line][w] = ELSEWHERE, s.has[line][w] = true;
                s.other[line][w] = s.l2[line][w];
            }
}

static void world(bool quiet)
{
    while (s.rsps > 0 && s.rsp[0].due <= s.now) {
        received(&s.rsp[0]);
        memmove(&s.rsp[0], &s.rsp[1], --s.rsps * sizeof s.rsp[0]);
    }
    while (s.reqs > 0 && s.req[0].due <= s.now && !s.recall[s.req[0].line]) {
        if (s.req[0].kind == HD_MSG_GETS)
            read_at_l2(&s.req[0]);
        else
            registered_at_l2(&s.req[0]);
        memmove(&s.req[0], &s.req[1], --s.reqs * sizeof s.req[0]);
    }
    others(quiet);
}

/* ---- ports -------------------------------------------------------------------------------------------------------- */

static struct message packet(const void *head)
{
    struct message m = {.kind = (unsigned)hd_bits_get(head, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W),
                        .tid = (unsigned)hd_bits_get(head, HD_HEAD_TID_LSB, HD_HEAD_TID_W),
                        .opid = (unsigned)hd_bits_get(head, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W),
                        .mask = in((uint32_t)hd_bits_get(head, HD_HEAD_WMASK_LSB, WORDS)),
                        .sync = hd_bits_get(head, HD_HEAD_WMASK_LSB + HD_COH_SYNC, 1),
                        .cls = (unsigned)hd_bits_get(head, HD_HEAD_WMASK_LSB + HD_COH_CLS, HD_COH_CLS_W)};
    const uint32_t addr = (uint32_t)hd_bits_get(head, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W);
    uint8_t want[HD_HEAD_BYTES(HD_HEAD_W)] = {0};

    assert_int_equal(addr % (WORDS * 4), 0);
    while (m.line < LINES && number(m.line) != addr / (WORDS * 4))
        m.line++;
    assert_true(m.line < LINES && m.mask != 0 && m.opid < 512);
    const bool home = m.kind == HD_MSG_GETS || m.kind == HD_MSG_REG || m.kind == HD_MSG_WB || m.kind == HD_MSG_RECALL_DATA;
    /* All bits of the head: what a message does not use is 0. */
    hd_head_put(want, m.kind, HD_SM(s.sm), home ? HD_L2(number(m.line) & ((1u << P_PartBits) - 1)) : HD_SM(s.other_sm));
    hd_bits_put(want, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, addr);
    hd_bits_put(want, HD_HEAD_TID_LSB, HD_HEAD_TID_W, m.tid), hd_bits_put(want, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, m.opid);
    hd_bits_put(want, HD_HEAD_WMASK_LSB, WORDS, out(m.mask));
    hd_bits_put(want, HD_HEAD_WMASK_LSB + HD_COH_SYNC, 1, m.sync);
    hd_bits_put(want, HD_HEAD_WMASK_LSB + HD_COH_CLS, HD_COH_CLS_W, m.cls);
    hd_head_same(head, want, HD_HEAD_W);
    s.seen[m.kind]++;
    m.due = s.now + (uint32_t)hd_rand_below(20);
    return m;
}

static void see_request(void)
{
    struct message m = packet(d.req_head_o);

    assert_true(m.kind == HD_MSG_GETS || m.kind == HD_MSG_REG);
    if (m.opid != 0 || s.warp_mix || s.slot_mix) { /* 0 too if it is a READ repeated, or dirty words are registered */
        const struct access *const by = &s.op[(m.opid & 63) ^ s.warp_mix][(m.opid >> 6) ^ s.slot_mix];
        assert_true(m.opid == 0 || (by->active && by->line == m.line));
        s.asked += m.opid != 0;
    }
    if (m.kind == HD_MSG_GETS) {
        assert_true(m.tid < P_MshrEntries && !m.sync && (m.cls == HD_COH_READ || m.cls == HD_COH_ATOMIC));
        assert_true(hd_bits_get(d.mshr_busy_o, m.tid, 1));
    } else
        assert_true(m.tid == 0 && m.cls == (m.sync ? HD_COH_ATOMIC : HD_COH_REGISTRATION));
    if (s.reqs > 0 && m.due < s.req[s.reqs - 1].due)
        m.due = s.req[s.reqs - 1].due; /* in order */
    assert_true(s.reqs < QUEUE);
    s.req[s.reqs++] = m;
}

static void see_response(void)
{
    struct message m = packet(d.rsp_head_o);

    for (unsigned w = 0; m.kind == HD_MSG_REG_DATA && w < WORDS; w++)
        s.leaving[m.line][w] -= m.mask >> w & 1;
    for (unsigned w = 0; w < WORDS; w++) {
        m.data[w] = hd_bits_get(d.rsp_data_o, place(w) * W, W);
        if (!(m.mask >> w & 1) || m.kind == HD_MSG_NACK || m.kind == HD_MSG_REG_ACK)
            continue;
        assert_true(w < OWN);
        const uint32_t n = s.reached[m.line][w];
        reach_own(m.line, w, m.data[w], n > 0 ? s.log[m.line][w][(n - 1) % HISTORY] : s.l2[m.line][w]);
    }
    /* What a forward said comes back; its tid not if it had to wait. */
    const bool read = m.kind == HD_MSG_DATA_S || m.kind == HD_MSG_NACK, back = m.kind == HD_MSG_WB;
    const struct message *const f = read ? &s.reader : &s.forward[m.line][m.kind == HD_MSG_RECALL_DATA];
    if (back)
        assert_true(m.tid < P_WbEntries && m.cls == HD_COH_WRITE && !m.sync);
    else
        assert_true(m.cls == f->cls && m.sync == f->sync && (m.tid == f->tid || (!read && m.tid == 0)) && m.opid == 0);
    assert_true(m.kind != HD_MSG_REG_ACK); /* own words are asked for with their values */
    assert_true(s.rsps < QUEUE);
    if (s.rsps > 0 && m.due < s.rsp[s.rsps - 1].due)
        m.due = s.rsp[s.rsps - 1].due;
    s.rsp[s.rsps++] = m;
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

static void released(const struct access *a)
{
    for (unsigned l = 0; l < LINES; l++)
        for (unsigned w = 0; w < OWN; w++)
            if (s.reached[l][w] < a->stores[l][w] && s.owner[l][w] != ME && s.leaving[l][w] == 0)
                fail_msg("cycle %u: a release is done, line %u word %u is not registered", s.now, l, w);
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
        if (a->release)
            released(a);
        s.releases_out -= a->release;
        a->active = false;
        s.seen[50]++;
        return;
    }
    assert_true(mask != 0 && (mask & ~a->left) == 0 && hd_bits_count(mask) == s.perf_lanes);
    s.partial += mask != a->mask;
    s.lanes += a->kind == HD_OP_ATOMIC ? hd_bits_count(mask) : 0;
    s.syncs += a->sync;
    a->left &= ~mask;
    uint64_t old[WORDS]; /* lanes of a store find it, whatever lane has the same word */
    memcpy(old, s.own[a->line], sizeof old);
    for (unsigned i = 0; i < LANES; i++) {
        if (!(mask >> i & 1))
            continue;
        const uint64_t got = hd_bits_get(d.cpl_o, HD_COMPLETION_W + LANES + i * W, W);
        const bool was_held = a->sync || s.before[a->line] >> a->offs[i] & 1;
        /* bit 63 of an old word tells the checker that it was dirty or owned here (hd_l1_word_data, TellOld) */
        const uint64_t told = W == 64 && a->kind != HD_OP_LOAD && was_held ? UINT64_C(1) << 63 : 0;
        uint64_t want = s.own[a->line][a->offs[i]] | told;
        if (a->kind == HD_OP_STORE) /* a checked build tells old words of those that were held, else nothing does */
            want = W == 32 ? got : was_held ? old[a->offs[i]] | told : 0;
        s.told[was_held] += W == 64 && a->kind == HD_OP_STORE;
        if (a->offs[i] >= OWN)
            check_remote(a, i, got);
        else if (got != want)
            fail_msg("cycle %u: line %u word %u lane %u kind %u: found 0x%llx, not 0x%llx", s.now, a->line, a->offs[i], i,
                     a->kind, (unsigned long long)got, (unsigned long long)want);
        if (a->kind == HD_OP_STORE)
            write_own(a->line, a->offs[i], a->operand[i]);
        else if (a->kind == HD_OP_ATOMIC)
            write_own(a->line, a->offs[i], a->operand[i] >> 32 << 32 |
                      hd_amo_reference(a->fn, (uint32_t)want, (uint32_t)a->operand[i], a->cmp[i]));
    }
    a->active = a->left != 0 || s.offered == a;
    s.seen[51 + a->kind]++;
}

static void choose_access(bool quiet)
{
    const unsigned warp = (unsigned)hd_rand_below(WARPS), slot = (unsigned)hd_rand_below(SLOTS);
    struct access *a = &s.op[warp][slot];
    const unsigned r = (unsigned)hd_rand_below(64);
    const bool acquires = s.now % 1000 >= 400 && s.now % 1000 < 460; /* nothing else: generations come round, rows stay */

    if (s.offered != NULL || quiet || a->active || hd_rand_below(4) == 0)
        return;
    memset(a, 0, sizeof *a);
    a->active = true;
    a->kind = acquires ? HD_OP_FENCE : r < 28 ? HD_OP_LOAD : r < 52 ? HD_OP_STORE : r < 61 ? HD_OP_ATOMIC : HD_OP_FENCE;
    a->order = HD_ORD_RELAXED;
    a->scope = (unsigned)hd_rand_below(3);
    if (a->kind == HD_OP_FENCE)
        a->scope = HD_SCOPE_DEVICE;
    if (a->kind == HD_OP_FENCE || hd_rand_below(8) == 0)
        a->order = 1 + (unsigned)hd_rand_below(4);
    if (a->kind == HD_OP_FENCE && (acquires || s.releases_out >= 7))
        a->order = HD_ORD_ACQUIRE;
    const bool narrow = s.scoped && a->scope == HD_SCOPE_WG, marked = a->order != HD_ORD_RELAXED && a->scope != HD_SCOPE_WI;
    a->fn = functions[hd_rand_below(sizeof functions / sizeof *functions)];
    a->line = (unsigned)hd_rand_below(1 + s.now / 1500 % LINES);
    a->mask = a->kind == HD_OP_FENCE ? 0 : (uint32_t)hd_bits_random_mask(LANES);
    a->left = a->mask;
    a->low = s.acquired;
    a->sync = a->kind != HD_OP_FENCE && !narrow && (marked || a->kind == HD_OP_ATOMIC);
    a->local = a->kind == HD_OP_ATOMIC && narrow;
    a->acquire = marked && !narrow && a->order != HD_ORD_RELEASE && a->kind != HD_OP_STORE;
    a->release = a->kind == HD_OP_FENCE && a->order != HD_ORD_ACQUIRE;
    a->tag = (uint32_t)hd_rand_below(1u << (P_SlotW - HD_SLOT_W));
    for (unsigned i = 0; i < LANES; i++) {
        a->offs[i] = (uint32_t)hd_rand_below(a->kind == HD_OP_LOAD && !a->sync ? WORDS : OWN);
        a->operand[i] = fresh();
        a->cmp[i] = hd_rand_below(2) ? (uint32_t)s.own[a->line][a->offs[i]] : 0;
    }
    for (unsigned i = 0; a->kind == HD_OP_STORE && i < LANES; i++) /* one lane wins a word */
        for (unsigned j = 0; j < i; j++)
            if (a->offs[i] == a->offs[j])
                a->operand[i] = a->operand[j];
    s.offered = a, s.warp = warp, s.slot = slot, s.still = 0;
    const bool ro = a->kind == HD_OP_LOAD && !a->sync && a->line == LINES - 1 && s.read_only;
    for (unsigned i = 0; ro && i < LANES; i++) /* a region that is only read */
        a->offs[i] = OWN + (uint32_t)hd_rand_below(WORDS - OWN);
    struct hd_access acc = {.warp = warp ^ s.warp_mix, .slot = slot ^ s.slot_mix, .kind = a->kind, .fn = a->fn, .order = a->order,
                            .scope = a->scope, .ro = ro, .tag = a->tag};
    const uint64_t packed = hd_access_pack(acc);
    uint64_t words = 0;
    memcpy(d.la_acc_i, &packed, sizeof *d.la_acc_i);
    *d.la_line_i = number(a->line);
    hd_bits_random(d.la_ops_i, HD_L1_DENOVO_W_la_ops_i);
    for (unsigned i = 0; i < LANES; i++) {
        hd_bits_put(d.la_place_i, WORDS + i * OFF_W, OFF_W, place(a->offs[i]));
        hd_bits_put(d.la_ops_i, DATA_W + i * 32, 32, a->cmp[i]);
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

static void taken(struct access *a)
{
    s.releases_out += a->release;
    a->active = a->left != 0 || a->kind == HD_OP_FENCE;
    s.local += a->local;
    if (a->kind != HD_OP_FENCE)
        return;
    memcpy(a->stores, s.writes, sizeof a->stores);
    if (!a->release)
        s.acquired = s.now;
}

static void drive_head(void *head, const struct message *m)
{
    hd_bits_random(head, HD_HEAD_W);
    hd_bits_put(head, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, m->kind);
    hd_bits_put(head, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, number(m->line) * WORDS * 4);
    hd_bits_put(head, HD_HEAD_TID_LSB, HD_HEAD_TID_W, m->tid);
    hd_bits_put(head, HD_HEAD_WMASK_LSB, 16, out(m->mask));
    hd_bits_put(head, HD_HEAD_WMASK_LSB + HD_COH_SYNC, 1, m->sync);
    hd_bits_put(head, HD_HEAD_WMASK_LSB + HD_COH_CLS, HD_COH_CLS_W, m->cls);
    hd_bits_put(head, HD_HEAD_WMASK_LSB + HD_COH_REQ, HD_HEAD_SRC_W, s.other_sm);
}

static void drive_answers(void)
{
    if (!s.shown) {
        s.shown_at = -1;
        for (unsigned i = 0, start = (unsigned)hd_rand_below(QUEUE); i < s.ins && s.shown_at < 0; i++)
            if (s.in[(start + i) % s.ins].due <= s.now)
                s.shown_at = (int)((start + i) % s.ins);
        s.shown = s.shown_at >= 0 && s.now % 1000 >= PAUSE && hd_rand_below(3) != 0;
        if (s.shown) {
            drive_head(d.rs_head_i, &s.in[s.shown_at]);
            hd_bits_random(d.rs_data_i, HD_L1_DENOVO_W_rs_data_i);
            for (unsigned w = 0; w < WORDS; w++)
                if (s.in[s.shown_at].mask >> w & 1)
                    hd_bits_put(d.rs_data_i, place(w) * W, W, s.in[s.shown_at].data[w]);
        }
    }
    if (!s.fw_shown && s.fws > 0 && s.fw[0].due <= s.now && s.now % 1000 >= PAUSE) {
        s.fw_shown = true;
        drive_head(d.fw_head_i, &s.fw[0]);
    }
    *d.rs_valid_i = s.shown;
    *d.fw_valid_i = s.fw_shown;
}

static bool busy(void)
{
    bool any = s.offered != NULL || s.reqs || s.rsps || s.ins || s.fws || s.reads_out;

    for (unsigned i = 0; i < WARPS * SLOTS; i++)
        any |= s.op[i / SLOTS][i % SLOTS].active;
    return any || !*d.idle_o;
}

#define EV(name) (UINT64_C(1) << HD_EV_SM_##name)

/* Events of the cycle before, in which @offered was in front and @accepted, and an answer of kind @rs (or 0) too. */
static void see_events(const struct access *offered, bool accepted, unsigned rs)
{
    const uint64_t ev = hd_bits_get(d.ev_o, 0, HD_EV_SM_NUM);
    const uint64_t why = ev & (EV(REJ_ENTRY) | EV(REJ_MERGE) | EV(REJ_CREDIT) | EV(REJ_QUEUE) | EV(REJ_LINE));
    const uint64_t how = EV(HIT) | EV(MISS) | EV(MERGE) | EV(ACC_STORE) | EV(ACC_ATOMIC);
    const uint64_t rest = EV(ACCESS) | EV(REJECT) | EV(FILL) | EV(REPLAY) | EV(RMW_LANE) | EV(FLUSH_DONE) | EV(ACQUIRE) |
                          EV(MARKER) | EV(SYNC) | EV(REG) | EV(WB) | EV(FWD) | EV(NACK) | EV(RETRY) | EV(WAITER) | EV(PASS);
    const bool done = ev & EV(ACCESS) && !(ev & EV(REJECT)); /* a step of the access in front */

    assert_int_equal(ev & ~(why | how | rest), 0);
    assert_int_equal(ev >> HD_EV_SM_REJECT & 1, hd_bits_count(why));
    assert_true(!(ev & EV(ACCESS)) || offered != NULL);
    assert_true(!accepted || offered->kind == HD_OP_FENCE || done);
    assert_int_equal(ev >> HD_EV_SM_ACC_STORE & 1, done && offered->kind == HD_OP_STORE);
    assert_int_equal(ev >> HD_EV_SM_ACC_ATOMIC & 1, done && offered->kind == HD_OP_ATOMIC);
    if (ev & EV(REJ_MERGE)) { /* more lanes wait for the line than may */
        unsigned lanes = 0;
        for (unsigned i = 0; i < WARPS * SLOTS; i++)
            lanes += s.op[i / SLOTS][i % SLOTS].line == offered->line ? hd_bits_count(s.op[i / SLOTS][i % SLOTS].left) : 0;
        assert_true(lanes > P_MergeLanes);
    }
    assert_int_equal(ev >> HD_EV_SM_FILL & 1, rs == HD_MSG_DATA_S);
    if (accepted && s.steps == 0 && ev & EV(HIT) && offered->kind == HD_OP_LOAD && !offered->sync) {
        for (unsigned i = 0; i < LANES; i++) /* the line had these words, and has said so */
            if (offered->mask >> i & 1)
                assert_true(s.state[offered->line] >> offered->offs[i] & 1);
        s.found++;
    }
    s.steps = accepted ? 0 : s.steps + done;
    for (unsigned e = 0; e < HD_EV_SM_NUM; e++)
        s.events[e] += ev >> e & 1;
    s.flushing = *d.flush_i || (s.flushing && !(ev & EV(FLUSH_DONE)));
    assert_true(*d.flushing_o || !s.flushing); /* the walk over the rows comes after */
}

/* Words of a line have changed. */
static void see_change(void)
{
    uint32_t mask[4], all = 0; /* valid, dirty, registered, read only */
    unsigned line = 0;

    if (!*d.st_valid_o)
        return;
    while (line < LINES && hd_bits_get(d.st_o, 0, LINE_W) != number(line))
        line++;
    assert_true(line < LINES);
    for (unsigned i = 0; i < 4; i++) {
        mask[i] = in((uint32_t)hd_bits_get(d.st_o, LINE_W + i * WORDS, WORDS));
        assert_int_equal(mask[i] & all, 0); /* at most one of them a word */
        all |= mask[i];
    }
    assert_int_equal((mask[1] | mask[2]) >> OWN, 0);
    assert_true(mask[3] == 0 || (line == LINES - 1 && s.read_only));
    s.state[line] = all;
    s.before[line] = s.held[line], s.held[line] = mask[1] | mask[2];
}

static void cycle(bool quiet)
{
    choose_access(quiet);
    *d.la_valid_i = s.offered != NULL;
    drive_answers();
    /* now and then nothing moves for long, but a request or two, or a response */
    const unsigned pause = s.now % 1000;
    const bool leaves = pause < PAUSE && pause >= 60 && pause % 10 == 0;
    *d.req_ready_i = pause < PAUSE ? leaves && s.now / 1000 % 2 : hd_rand_below(4) > s.now / 700 % 3;
    *d.rsp_ready_i = pause < PAUSE ? leaves && !(s.now / 1000 % 2) : hd_rand_below(4) > s.now / 900 % 3;
    *d.perf_last_i = (uint8_t)hd_rand_below(2);
    hd_eval(d.m);
    assert_false(*d.idle_o && (*d.st_valid_o || *d.cpl_valid_o));
    if (*d.idle_o && !*d.rs_valid_i && !*d.fw_valid_i && !*d.flush_i && hd_rand_below(4) == 0) {
        assert_true(!*d.req_valid_o && !*d.rsp_valid_o && !*d.perf_valid_o && !*d.flushing_o && !(*d.la_valid_i && *d.la_ready_o));
        hd_assert_frozen(d.m);
        s.frozen++;
    }
    s.perf = *d.perf_valid_o, s.perf_last = *d.perf_last_i;
    s.perf_warp = (unsigned)hd_bits_get(d.perf_o, 0, HD_WARP_W) ^ s.warp_mix;
    s.perf_slot = (unsigned)hd_bits_get(d.perf_o, HD_WARP_W, P_SlotW) ^ s.slot_mix;
    s.perf_lanes = (unsigned)hd_bits_get(d.perf_o, HD_WARP_W + P_SlotW, HD_L1_DENOVO_W_perf_o - HD_WARP_W - P_SlotW);
    const bool rs = *d.rs_valid_i && *d.rs_ready_o, fw = *d.fw_valid_i && *d.fw_ready_o;
    const bool la = *d.la_valid_i && *d.la_ready_o;
    const bool req = *d.req_valid_o && *d.req_ready_i, rsp = *d.rsp_valid_o && *d.rsp_ready_i;
    const struct access *const offered = s.offered;
    const unsigned rs_kind = rs ? s.in[s.shown_at].kind : 0;
    s.nacks += rs_kind == HD_MSG_NACK;
    s.still = req || rsp || rs || fw || la || s.perf || *d.flush_i || quiet ? 0 : s.still + 1;
    if (req)
        see_request();
    if (rsp)
        see_response();
    if (s.perf) { /* an acquire is done in the cycle that announces it */
        const struct access *a = &s.op[s.perf_warp][s.perf_slot & 7];
        if (a->active && a->acquire)
            s.acquired = s.now, s.acquires++;
    }
    if (rs) {
        memmove(&s.in[s.shown_at], &s.in[s.shown_at + 1], (--s.ins - (unsigned)s.shown_at) * sizeof s.in[0]);
        s.shown = false;
    }
    if (fw) {
        memmove(&s.fw[0], &s.fw[1], --s.fws * sizeof s.fw[0]);
        s.fw_shown = false;
    }
    if (la) {
        taken(s.offered);
        s.offered = NULL;
    }
    world(quiet);
    hd_edge(d.m);
    s.now++;
    see_completion();
    see_events(offered, la, rs_kind);
    see_change();
    if (s.still > 30 && offered != NULL) { /* it was refused, and is not tried before something has changed */
        assert_int_equal(hd_bits_get(d.ev_o, HD_EV_SM_REJECT, 1), 0);
        s.stood++;
    }
    if (la || s.offered == NULL || s.offered->kind == HD_OP_FENCE || hd_bits_get(d.ev_o, HD_EV_SM_ACCESS, 1))
        s.waits = false; /* it was taken, or tried again */
    if (pause >= 60 && pause < PAUSE && pause % 10 == 9) /* a packet had left while it was refused, and nothing else happened */
        assert_false(s.waits);
    if ((req || rsp) && pause < PAUSE && s.offered != NULL && s.offered->kind != HD_OP_FENCE)
        s.waits = true, s.waited[rsp]++;
}

static void settle(void)
{
    for (unsigned n = 0; busy() || *d.flushing_o; n++) {
        if (n > 6000)
            fail_msg("cycle %u: it does not come to rest: %u requests, %u answers, %u forwards", s.now, s.reqs, s.ins, s.fws);
        cycle(true);
    }
}

static void own_words_are_sequential_wherever_they_go(void **state)
{
    (void)state;
    memset(&s, 0, sizeof s);
    hd_l1_denovo_open(&d);
    hd_reset(d.m);
    rename_all(false);
    for (unsigned l = 0; l < LINES; l++)
        for (unsigned w = 0; w < WORDS; w++) {
            write_remote(l, w, fresh());
            s.own[l][w] = s.l2[l][w];
        }
    for (unsigned round = 0; round < ROUNDS; round++) {
        s.scoped = round / 2 % 2 != 0, s.read_only = round % 3 != 0;
        *d.mode_i = (uint8_t)(s.scoped << 1 | s.read_only);
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
            for (unsigned w = 0; w < OWN; w++) {
                assert_true(s.owner[l][w] != ME); /* a flush writes all back */
                assert_true((s.owner[l][w] == AT_L2 ? s.l2 : s.other)[l][w] == s.own[l][w]);
            }
        if (round % 2 == 0)
            rename_all(true);
        cycle(true);
    }
    static const unsigned messages[] = {HD_MSG_GETS, HD_MSG_REG, HD_MSG_DATA_S, HD_MSG_REG_DATA, HD_MSG_WB, HD_MSG_RECALL_DATA};
    for (unsigned i = 0; i < sizeof messages / sizeof *messages; i++)
        if (s.seen[messages[i]] < 5)
            fail_msg("message %u was seen %llu times", messages[i], (unsigned long long)s.seen[messages[i]]);
    static const unsigned events[] = {HD_EV_SM_HIT, HD_EV_SM_MISS, HD_EV_SM_REJECT, HD_EV_SM_ACQUIRE, HD_EV_SM_MARKER, HD_EV_SM_SYNC,
                                      HD_EV_SM_REG, HD_EV_SM_WB, HD_EV_SM_FWD, HD_EV_SM_NACK, HD_EV_SM_RETRY, HD_EV_SM_WAITER,
                                      HD_EV_SM_PASS};
    for (unsigned i = 0; i < sizeof events / sizeof *events; i++)
        if (s.events[events[i]] < 10)
            fail_msg("event %u was seen %llu times", events[i], (unsigned long long)s.events[events[i]]);
    assert_true(s.seen[50] > 100 && s.local > 50 && s.frozen > 50 && s.partial > 50);
    assert_true(s.stood > 100 && s.waited[0] > 1 && s.waited[1] > 1 && s.asked > 500 && s.found > 200);
    const uint64_t *const ev = s.events, *const sent = s.seen;
    assert_true(ev[HD_EV_SM_REG] == sent[HD_MSG_REG] && ev[HD_EV_SM_WB] == sent[HD_MSG_WB]);
    assert_int_equal(ev[HD_EV_SM_NACK], sent[HD_MSG_NACK]);
    assert_int_equal(ev[HD_EV_SM_FWD] + ev[HD_EV_SM_PASS],
                     sent[HD_MSG_DATA_S] + sent[HD_MSG_REG_DATA] + sent[HD_MSG_RECALL_DATA]);
    assert_true(ev[HD_EV_SM_FLUSH_DONE] == ROUNDS && ev[HD_EV_SM_REPLAY] == ev[HD_EV_SM_MISS] + ev[HD_EV_SM_MERGE]);
    assert_true(ev[HD_EV_SM_RMW_LANE] == s.lanes && ev[HD_EV_SM_SYNC] == s.syncs && ev[HD_EV_SM_ACQUIRE] == s.acquires + ROUNDS);
    assert_true(W == 32 || (s.told[0] > 1000 && s.told[1] > 1000));
    assert_true(ev[HD_EV_SM_MARKER] <= s.seen[50] && ev[HD_EV_SM_RETRY] <= s.nacks && ev[HD_EV_SM_WAITER] <= ev[HD_EV_SM_PASS]);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(own_words_are_sequential_wherever_they_go)};

    return HD_UNIT_MAIN(argc, argv, t);
}
