/* test_hd_l1_denovo.c - the L1 of family DENOVO against a registry and another L1 in C.
 *
 * Own words are written by this SM alone, but the other L1 takes them over, reads them and gives them back, and the L2
 * recalls them: each access must find what those completed before it left, and whoever gets a word gets a value that is
 * not older than the last one given. Words of others are written outside: a load finds a value that the word had after the
 * last acquire done when the load was offered. When a release is done, every word written before it is registered here
 * or has been given away. Forwards come in order, all else does not. */
/* dut: hd_l1_denovo Lanes=4 LineWords=8 WordW=32 Sets=2 Ways=2 WbEntries=2 PartBits=1 ReqDepth=3 MshrEntries=3 MshrTargets=6 StoreData=4 CasData=2 MergeLanes=8 RegEntries=4 SbWords=16 SbRows=4 GenW=3 Markers=8 */
/* dut-rtl: hd_l1_denovo Lanes=4 LineWords=8 WordW=64 SlotW=5 Sets=2 Ways=2 WbEntries=1 PartBits=0 ReqDepth=2 MshrEntries=2 MshrTargets=3 StoreData=3 CasData=1 MergeLanes=24 RegEntries=2 SbWords=8 SbRows=2 GenW=2 Markers=8 */
/* dut-rtl: hd_l1_denovo Lanes=4 LineWords=8 WordW=32 Sets=2 Ways=2 WbEntries=1 PartBits=1 ReqDepth=1 MshrEntries=1 MshrTargets=1 StoreData=1 CasData=1 MergeLanes=4 RegEntries=1 SbWords=8 SbRows=1 GenW=2 Markers=8 */
/* dut-rtl: hd_l1_denovo Lanes=12 LineWords=16 WordW=32 Sets=2 Ways=2 PartBits=2 MshrEntries=8 MshrTargets=16 StoreData=8 CasData=4 MergeLanes=64 RegEntries=8 SbWords=64 SbRows=16 GenW=10 Markers=8 */
#include "hd_unit.h"
#include "hd_l1_denovo_dut.h"
#include "hd_access.h"

#ifndef P_SlotW
#define P_SlotW HD_SLOT_W
#endif
enum {
    LANES = P_Lanes, WORDS = P_LineWords, W = P_WordW, OFF_W = (HD_L1_DENOVO_W_la_place_i - LANES - WORDS) / LANES,
    DATA_W = (LANES > WORDS ? LANES : WORDS) * W, LINES = 7, OWN = WORDS - 2, /* the last two are of others */
    WARPS = 8, SLOTS = 2, QUEUE = 512, HISTORY = 1 << 14, CYCLES = 60000, SM = 5, OTHER = 9
};
enum owner { AT_L2, ME, ELSEWHERE };

struct access {
    bool active, sync, local, acquire, release;
    unsigned kind, fn, line, order, scope;
    uint32_t mask, left, offs[LANES], cmp[LANES];
    uint64_t operand[LANES];
    uint32_t low;                         /* last acquire when it was offered */
    uint32_t stores[LINES][WORDS];        /* of a release: writes that must be registered */
};

struct message {
    unsigned kind, line, tid, cls;
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
    uint32_t now, acquired;                /* cycle of the last acquire */
    uint64_t own[LINES][WORDS];            /* as the completed accesses left them */
    uint64_t log[LINES][WORDS][HISTORY];   /* values of own words, in the order of accesses */
    uint32_t writes[LINES][WORDS], reached[LINES][WORDS]; /* how many there are, were given away */
    enum owner owner[LINES][WORDS];        /* as the L2 decided */
    uint64_t l2[LINES][WORDS], other[LINES][WORDS];
    bool has[LINES][WORDS];                /* the other owner has the value */
    int next[LINES][WORDS];                /* it is to be given to ME when it comes: 0 no, 1 without, 2 with its value */
    uint32_t recall[LINES], leaving[LINES]; /* words the L2 recalls; words that a forward takes, not answered */
    struct value remote[LINES][WORDS][HISTORY];
    unsigned values[LINES][WORDS];
    struct access op[WARPS][SLOTS], *offered;
    unsigned warp, slot;
    struct message req[QUEUE], rsp[QUEUE], in[QUEUE], fw[QUEUE];
    unsigned reqs, rsps, ins, fws;
    bool shown, fw_shown;
    int shown_at;
    uint32_t next_value;
    bool perf, perf_last, scoped, read_only;
    unsigned perf_warp, perf_slot, perf_lanes, releases_out, reads_out;
    uint64_t seen[64], frozen, partial, rejects, hits, local, evicts, events[HD_EV_SM_NUM];
} s;

static uint32_t number(unsigned line)
{
    return 0x155 * 64 + line;
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
    struct message m = {.line = line, .mask = mine & (uint32_t)(hd_rand() | hd_rand()), .sync = true, .cls = HD_COH_ATOMIC};
    if (r == 1 && m.mask) { /* taken over */
        m.kind = HD_MSG_FWD_REG;
        for (unsigned w = 0; w < OWN; w++)
            if (m.mask >> w & 1)
                s.owner[line][w] = ELSEWHERE, s.has[line][w] = false;
        s.leaving[line] |= m.mask;
        forward(m);
    } else if (r == 2 && m.mask && s.reads_out == 0) {
        m.kind = HD_MSG_FWD_READ, m.sync = false, m.cls = HD_COH_READ, m.tid = 77;
        s.reads_out = hd_bits_count(m.mask); /* the answer may come in parts */
        forward(m);
    } else if (r == 3 && mine) {
        m.kind = HD_MSG_RECALL, m.sync = false, m.cls = HD_COH_WRITE, m.mask = mine;
        s.recall[line] = mine;
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
                        .mask = (uint32_t)hd_bits_get(head, HD_HEAD_WMASK_LSB, WORDS),
                        .sync = hd_bits_get(head, HD_HEAD_WMASK_LSB + HD_COH_SYNC, 1),
                        .cls = (unsigned)hd_bits_get(head, HD_HEAD_WMASK_LSB + HD_COH_CLS, HD_COH_CLS_W)};
    const uint32_t addr = (uint32_t)hd_bits_get(head, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W);

    assert_int_equal(addr % (WORDS * 4), 0);
    m.line = addr / (WORDS * 4) - number(0);
    assert_true(m.line < LINES && m.mask != 0);
    assert_int_equal(hd_bits_get(head, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W), SM);
    const bool home = m.kind == HD_MSG_GETS || m.kind == HD_MSG_REG || m.kind == HD_MSG_WB || m.kind == HD_MSG_RECALL_DATA;
    assert_int_equal(hd_bits_get(head, HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W), home ? HD_END_L2 : HD_END_SM);
    assert_int_equal(hd_bits_get(head, HD_HEAD_DST_LSB, HD_HEAD_DST_W),
                     home ? number(m.line) & ((1u << P_PartBits) - 1) : OTHER);
    s.seen[m.kind]++;
    m.due = s.now + (uint32_t)hd_rand_below(20);
    return m;
}

static void see_request(void)
{
    struct message m = packet(d.req_head_o);

    assert_true(m.kind == HD_MSG_GETS || m.kind == HD_MSG_REG);
    if (s.reqs > 0 && m.due < s.req[s.reqs - 1].due)
        m.due = s.req[s.reqs - 1].due; /* in order */
    assert_true(s.reqs < QUEUE);
    s.req[s.reqs++] = m;
}

static void see_response(void)
{
    struct message m = packet(d.rsp_head_o);

    if (m.kind == HD_MSG_REG_DATA)
        s.leaving[m.line] &= ~m.mask;
    for (unsigned w = 0; w < WORDS; w++) {
        m.data[w] = hd_bits_get(d.rsp_data_o, w * W, W);
        if (!(m.mask >> w & 1) || m.kind == HD_MSG_NACK || m.kind == HD_MSG_REG_ACK)
            continue;
        assert_true(w < OWN);
        const uint32_t n = s.reached[m.line][w];
        reach_own(m.line, w, m.data[w], n > 0 ? s.log[m.line][w][(n - 1) % HISTORY] : s.l2[m.line][w]);
    }
    if (m.kind == HD_MSG_DATA_S || m.kind == HD_MSG_NACK)
        assert_int_equal(m.tid, 77);
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
            if (s.reached[l][w] < a->stores[l][w] && s.owner[l][w] != ME && !(s.leaving[l] >> w & 1))
                fail_msg("cycle %u: a release is done, line %u word %u is not registered", s.now, l, w);
}

static void see_completion(void)
{
    assert_int_equal(*d.cpl_valid_o, s.perf);
    if (!s.perf)
        return;
    const unsigned warp = (unsigned)hd_bits_get(d.cpl_o, HD_COMPLETION_WARP_LSB, HD_COMPLETION_WARP_W);
    const unsigned slot = (unsigned)hd_bits_get(d.cpl_o, HD_COMPLETION_SLOT_LSB, HD_COMPLETION_SLOT_W);
    struct access *a = &s.op[warp][slot];
    const uint32_t mask = (uint32_t)hd_bits_get(d.cpl_o, HD_COMPLETION_W, LANES);

    assert_true(warp == s.perf_warp && slot == (s.perf_slot & 7));
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
    a->left &= ~mask;
    for (unsigned i = 0; i < LANES; i++) {
        /* bit 63 of an atomic's old word tells the checker that it was dirty or owned here (hd_l1_word_data, TellOld) */
        const uint64_t told = W == 64 && a->kind == HD_OP_ATOMIC ? UINT64_C(1) << 63 : 0;
        const uint64_t got = hd_bits_get(d.cpl_o, HD_COMPLETION_W + LANES + i * W, W) & ~told, want = s.own[a->line][a->offs[i]] & ~told;
        if (!(mask >> i & 1))
            continue;
        if (a->offs[i] >= OWN)
            check_remote(a, i, got);
        else if (a->kind != HD_OP_STORE && got != want)
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

    if (s.offered != NULL || quiet || a->active || hd_rand_below(4) == 0)
        return;
    memset(a, 0, sizeof *a);
    a->active = true;
    a->kind = r < 28 ? HD_OP_LOAD : r < 52 ? HD_OP_STORE : r < 61 ? HD_OP_ATOMIC : HD_OP_FENCE;
    a->order = HD_ORD_RELAXED;
    a->scope = (unsigned)hd_rand_below(3);
    if (a->kind == HD_OP_FENCE)
        a->scope = HD_SCOPE_DEVICE;
    if (a->kind == HD_OP_FENCE || hd_rand_below(8) == 0)
        a->order = 1 + (unsigned)hd_rand_below(4);
    if (a->kind == HD_OP_FENCE && s.releases_out >= 7)
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
    for (unsigned i = 0; i < LANES; i++) {
        a->offs[i] = (uint32_t)hd_rand_below(a->kind == HD_OP_LOAD && !a->sync ? WORDS : OWN);
        a->operand[i] = fresh();
        a->cmp[i] = hd_rand_below(2) ? (uint32_t)s.own[a->line][a->offs[i]] : 0;
    }
    for (unsigned i = 0; a->kind == HD_OP_STORE && i < LANES; i++) /* one lane wins a word */
        for (unsigned j = 0; j < i; j++)
            if (a->offs[i] == a->offs[j])
                a->operand[i] = a->operand[j];
    s.offered = a, s.warp = warp, s.slot = slot;
    const bool ro = a->kind == HD_OP_LOAD && !a->sync && a->line == LINES - 1 && s.read_only;
    for (unsigned i = 0; ro && i < LANES; i++) /* a region that is only read */
        a->offs[i] = OWN + (uint32_t)hd_rand_below(WORDS - OWN);
    struct hd_access acc = {.warp = warp, .slot = slot, .kind = a->kind, .fn = a->fn, .order = a->order, .scope = a->scope,
                            .ro = ro, .tag = P_SlotW > 3 ? warp % 4 : 0};
    const uint64_t packed = hd_access_pack(acc);
    uint64_t words = 0;
    memcpy(d.la_acc_i, &packed, sizeof *d.la_acc_i);
    *d.la_line_i = number(a->line);
    hd_bits_random(d.la_ops_i, HD_L1_DENOVO_W_la_ops_i);
    for (unsigned i = 0; i < LANES; i++) {
        hd_bits_put(d.la_place_i, WORDS + i * OFF_W, OFF_W, a->offs[i]);
        hd_bits_put(d.la_ops_i, DATA_W + i * 32, 32, a->cmp[i]);
        if (a->kind == HD_OP_ATOMIC)
            hd_bits_put(d.la_ops_i, i * W, W, a->operand[i]);
        if (!(a->mask >> i & 1))
            continue;
        words |= UINT64_C(1) << a->offs[i];
        if (a->kind == HD_OP_STORE)
            hd_bits_put(d.la_ops_i, a->offs[i] * W, W, a->operand[i]);
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
    hd_bits_put(head, HD_HEAD_WMASK_LSB, 16, m->mask);
    hd_bits_put(head, HD_HEAD_WMASK_LSB + HD_COH_SYNC, 1, m->sync);
    hd_bits_put(head, HD_HEAD_WMASK_LSB + HD_COH_CLS, HD_COH_CLS_W, m->cls);
    hd_bits_put(head, HD_HEAD_WMASK_LSB + HD_COH_REQ, HD_HEAD_SRC_W, OTHER);
}

static void drive_answers(void)
{
    if (!s.shown) {
        s.shown_at = -1;
        for (unsigned i = 0, start = (unsigned)hd_rand_below(QUEUE); i < s.ins && s.shown_at < 0; i++)
            if (s.in[(start + i) % s.ins].due <= s.now)
                s.shown_at = (int)((start + i) % s.ins);
        s.shown = s.shown_at >= 0 && hd_rand_below(3) != 0;
        if (s.shown) {
            drive_head(d.rs_head_i, &s.in[s.shown_at]);
            for (unsigned w = 0; w < WORDS; w++)
                hd_bits_put(d.rs_data_i, w * W, W, s.in[s.shown_at].data[w]);
        }
    }
    if (!s.fw_shown && s.fws > 0 && s.fw[0].due <= s.now) {
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

static void cycle(bool quiet)
{
    choose_access(quiet);
    *d.la_valid_i = s.offered != NULL;
    drive_answers();
    *d.req_ready_i = hd_rand_below(4) > s.now / 700 % 3;
    *d.rsp_ready_i = hd_rand_below(4) > s.now / 900 % 3;
    *d.perf_last_i = (uint8_t)hd_rand_below(2);
    hd_eval(d.m);
    if (*d.idle_o && !*d.rs_valid_i && !*d.fw_valid_i && !*d.flush_i && hd_rand_below(4) == 0) {
        assert_true(!*d.req_valid_o && !*d.rsp_valid_o && !*d.perf_valid_o && !*d.flushing_o && !(*d.la_valid_i && *d.la_ready_o));
        hd_assert_frozen(d.m);
        s.frozen++;
    }
    s.perf = *d.perf_valid_o, s.perf_last = *d.perf_last_i;
    s.perf_warp = (unsigned)hd_bits_get(d.perf_o, 0, HD_WARP_W), s.perf_slot = (unsigned)hd_bits_get(d.perf_o, HD_WARP_W, P_SlotW);
    s.perf_lanes = (unsigned)hd_bits_get(d.perf_o, HD_WARP_W + P_SlotW, HD_L1_DENOVO_W_perf_o - HD_WARP_W - P_SlotW);
    const bool rs = *d.rs_valid_i && *d.rs_ready_o, fw = *d.fw_valid_i && *d.fw_ready_o;
    const bool la = *d.la_valid_i && *d.la_ready_o;
    if (*d.req_valid_o && *d.req_ready_i)
        see_request();
    if (*d.rsp_valid_o && *d.rsp_ready_i)
        see_response();
    if (s.perf) { /* an acquire is done in the cycle that announces it */
        const struct access *a = &s.op[s.perf_warp][s.perf_slot & 7];
        if (a->active && a->acquire)
            s.acquired = s.now;
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
    for (unsigned e = 0; e < HD_EV_SM_NUM; e++)
        s.events[e] += hd_bits_get(d.ev_o, e, 1);
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
    *d.sm_id_i = SM;
    for (unsigned l = 0; l < LINES; l++)
        for (unsigned w = 0; w < WORDS; w++) {
            write_remote(l, w, fresh());
            s.own[l][w] = s.l2[l][w];
        }
    for (unsigned round = 0; round < 8; round++) {
        s.scoped = round / 2 % 2 != 0, s.read_only = round % 3 != 0;
        *d.mode_i = (uint8_t)(s.scoped << 1 | s.read_only);
        while (s.now % (CYCLES / 8) != CYCLES / 8 - 1)
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
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(own_words_are_sequential_wherever_they_go)};

    return HD_UNIT_MAIN(argc, argv, t);
}
