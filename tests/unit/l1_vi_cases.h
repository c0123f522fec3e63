/* l1_vi_cases.h - the tests of hd_l1_vi: the write-through L1 against an L2 with other writers in C.
 *
 * Every word has a history of its values at the L2. A load must return a value the word had between the time it was
 * accepted, or the last store of this SM to the line before it was performed, and its completion, and none of a store
 * of this SM accepted after it. A store completes when it is performed, an atomic with the words it found. *
 * For a module with its ports and parameters. In front of it: `d`, the struct of its ports; open_l1(), which opens d; LA_PLACE_W,
 * LA_LINE_W, DN_DATA_W, REQ_BODY_W and PERF_W, the widths of those ports; FLUSH, what flushes. l1_cases[] are the tests. */
#ifndef L1_VI_CASES_H
#define L1_VI_CASES_H
#include "hd_access.h"

#ifndef P_Pending
#define P_Pending 0
#endif
#ifndef P_SlotW
#define P_SlotW HD_SLOT_W
#endif
#ifndef P_Persist
#define P_Persist 0
#endif
#ifndef P_ReqDepth
#define P_ReqDepth 8
#endif

enum {
    LANES = P_Lanes, WORDS = P_LineWords, W = P_WordW, FLIT = 8 * W,
    HALF = LANES > 32 ? 32 : LANES, GROUPS = (HALF + 7) / 8, /* lanes of an atomic */
    LANE_W = LANES > HD_LANE_W ? LANES : HD_LANE_W,          /* of a head */
    OFF_W = (LA_PLACE_W - LANES - WORDS) / LANES, LINES = 10, SM = 5, QUEUE = 64, STORES = 1 << 16,
    WARPS = 1 << HD_WARP_W, SLOTS = 8,                /* all that there are */
    USED_WARPS = 8, USED_SLOTS = 4,                   /* of them, drawn */
    HEAD_BYTES = (HD_HEAD_W + LANE_W + 31) / 32 * 4, BODY_BYTES = (REQ_BODY_W + 31) / 32 * 4,
    PLACE_MASK = LA_PLACE_W - LANES, /* the lanes, in the place of an access */
    OPS_CMP = (LANES > WORDS ? LANES : WORDS) * W, CPL_WORDS = HD_COMPLETION_W + LANES,
    HISTORY = 1 << 12, CYCLES = 40000
};

struct access {
    bool active, prefetch, performed, joined; /* joined: waits in the pending table */
    unsigned kind, fn, line;
    uint32_t offs[LANES], cmp[LANES];
    uint64_t mask;
    uint64_t operand[LANES], old[LANES];
    uint32_t accepted, before; /* cycle; stores of this SM to the line accepted before */
};

/* A request that must come, as it must look but for its tid. */
struct expected {
    uint8_t head[HEAD_BYTES], body[BODY_BYTES];
    struct access *a;
};

struct message {
    unsigned kind, line, tid;
    uint64_t lanes, data[32];
    uint32_t due;
};

struct value {
    uint64_t value;
    uint32_t from, to;         /* cycles at the L2 */
};

static struct {
    uint32_t now;
    struct value word[LINES][WORDS][HISTORY];
    unsigned values[LINES][WORDS];
    bool sharer[LINES], valid[LINES], locked[LINES], writing[LINES];
    uint32_t *performed[LINES], accepted[LINES], done[LINES]; /* own stores: cycles by number; counts */
    unsigned out[LINES];       /* of them, not answered */
    struct access op[WARPS][SLOTS];
    struct access *offered;
    unsigned offered_warp, offered_slot;
    uint32_t number[LINES];    /* of the lines */
    unsigned warp[USED_WARPS], slot[USED_SLOTS];
    struct expected want[QUEUE];
    uint8_t ack[QUEUE][HEAD_BYTES];
    bool entry[P_MshrEntries]; /* has asked for data that have not come */
    bool followed[LINES];      /* a store of this SM came behind the request for the line */
    bool served[LINES];        /* its data have come */
    unsigned wants, want_acks, gets, stores_out, loads_out, refused_for;
    unsigned idle_ports, prefetches, frozen;
    bool waits;                /* the access offered was refused, nothing has happened since */
    bool perf_last;            /* what the last cycle announced */
    unsigned perf_warp, perf_slot;
    uint64_t events[HD_EV_SM_NUM];
    struct message req[QUEUE], dn[QUEUE];
    unsigned reqs, dns, acks;
    bool dn_shown, driven;     /* the message, the access is at the ports */
    bool mark_shown;           /* a persist barrier is */
    uint64_t next;
    unsigned perf;             /* lanes announced in the last cycle */
    uint64_t seen[16], hits, late, forbidden, kept, refused, drops;
} s;

static uint32_t line_number(unsigned line)
{
    return s.number[line];
}

static unsigned line_of(uint32_t number)
{
    for (unsigned line = 0; line < LINES; line++)
        if (s.number[line] == number)
            return line;
    fail_msg("no such line: 0x%x", number);
    return 0;
}

/* Lines that share the sets evenly, warps and slots: any. */
static void draw_numbers(void)
{
    for (unsigned i = 0; i < LINES; i++) {
        bool again = true;
        while (again) {
            s.number[i] = (uint32_t)hd_rand_below(UINT64_C(1) << (LA_LINE_W - 3)) * 8 + (i * 3 + 1) % 8;
            again = false;
            for (unsigned j = 0; j < i; j++)
                again |= s.number[j] == s.number[i];
        }
    }
    for (unsigned i = 0; i < USED_WARPS; i++)
        s.warp[i] = i * (WARPS / USED_WARPS) + (unsigned)hd_rand_below(WARPS / USED_WARPS);
    for (unsigned i = 0; i < USED_SLOTS; i++)
        s.slot[i] = i * (SLOTS / USED_SLOTS) + (unsigned)hd_rand_below(SLOTS / USED_SLOTS);
}

static uint64_t current(unsigned line, unsigned word)
{
    return s.word[line][word][(s.values[line][word] - 1) % HISTORY].value;
}

static void write_word(unsigned line, unsigned word, uint64_t value)
{
    unsigned n = s.values[line][word]++;

    if (n > 0)
        s.word[line][word][(n - 1) % HISTORY].to = s.now;
    s.word[line][word][n % HISTORY] = (struct value){value, s.now, UINT32_MAX};
}

static uint64_t fresh(void)
{
    const uint32_t unique = (uint32_t)++s.next * 2654435761u; /* odd: no value comes twice */

    return W == 32 ? unique : (uint64_t)unique << 32 | (uint32_t)hd_rand();
}

/* ---- the L2 ------------------------------------------------------------------------------------------------------- */

static void send(struct message m)
{
    assert_true(s.dns < QUEUE);
    m.due = s.now + (uint32_t)hd_rand_below(12);
    s.dn[s.dns++] = m;
}

static void l2_request(const struct message *m)
{
    struct message answer = {.line = m->line, .tid = m->tid, .lanes = m->lanes};
    struct access *a = (struct access *)(uintptr_t)m->data[0];

    if (m->kind == HD_MSG_GETS) {
        answer.kind = HD_MSG_DATA_S;
        for (unsigned w = 0; w < WORDS; w++)
            answer.data[w] = current(m->line, w);
        s.sharer[m->line] = true;
    } else {
        s.performed[m->line][s.done[m->line]++] = s.now;
        a->performed = true;
        answer.kind = m->kind == HD_MSG_WT ? HD_MSG_WT_ACK : HD_MSG_AT_DATA;
        uint64_t before[WORDS];
        for (unsigned w = 0; w < WORDS; w++)
            before[w] = current(m->line, w);
        for (unsigned i = 0; i < LANES; i++) {
            if (!(a->mask >> i & 1))
                continue;
            unsigned w = a->offs[i];
            if (m->kind == HD_MSG_WT) {
                before[w] = a->operand[i];
            } else {
                a->old[i] = answer.data[i % HALF] = before[w];
                uint32_t v = hd_amo_reference(a->fn, (uint32_t)before[w], (uint32_t)a->operand[i], a->cmp[i]);
                before[w] = (a->operand[i] >> 32 << 32) | v;
            }
        }
        for (unsigned w = 0; w < WORDS; w++)
            if (before[w] != current(m->line, w))
                write_word(m->line, w, before[w]);
        if (m->kind == HD_MSG_ATOMIC)
            s.sharer[m->line] = false;
    }
    send(answer);
}

static void l2(void)
{
    for (unsigned i = 0; i < s.reqs; i++) { /* the oldest of a line that is not locked; lines pass each other */
        unsigned line = s.req[i].line;
        bool first = s.req[i].due <= s.now && !s.locked[line];
        for (unsigned j = 0; j < i; j++)
            first &= s.req[j].line != line;
        if (!first || hd_rand_below(2))
            continue;
        struct message m = s.req[i];
        memmove(&s.req[i], &s.req[i + 1], (--s.reqs - i) * sizeof s.req[0]);
        l2_request(&m);
        break;
    }
    unsigned line = (unsigned)hd_rand_below(LINES);
    if (hd_rand_below(12) == 0 && !s.locked[line]) { /* another SM writes, or the line is evicted */
        s.writing[line] = hd_rand_below(4) != 0;
        if (s.sharer[line]) {
            s.locked[line] = true;
            send((struct message){.kind = HD_MSG_INV, .line = line, .tid = line});
        } else if (s.writing[line]) {
            write_word(line, (unsigned)hd_rand_below(WORDS), fresh());
        }
    }
}

/* ---- ports -------------------------------------------------------------------------------------------------------- */

/* The access at the ports leaves as a request. */
static void expect_request(struct access *a)
{
    struct expected *x = &s.want[s.wants++];
    const struct hd_access now = hd_access_unpack(hd_bits_get(d.la_acc_i, 0, HD_ACCESS_W));
    const unsigned kind = now.kind == HD_OP_LOAD    ? HD_MSG_GETS
                          : now.kind == HD_OP_STORE ? HD_MSG_WT
                          : now.kind == HD_OP_ATOMIC ? HD_MSG_ATOMIC : 0;
    const uint32_t number = *d.la_line_i;
    uint32_t flits = 1;

    assert_true(s.wants <= QUEUE);
    memset(x, 0, sizeof *x);
    x->a = a;
    hd_bits_put(x->head, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
    hd_bits_put(x->head, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, SM);
    hd_bits_put(x->head, HD_HEAD_DST_LSB, HD_HEAD_DST_W, number & ((1u << P_PartBits) - 1));
    hd_bits_put(x->head, HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W, HD_END_L2);
    hd_bits_put(x->head, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, (uint64_t)number * WORDS * 4);
    hd_bits_put(x->head, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, now.slot << HD_WARP_W | now.warp);
    if (kind != HD_MSG_WT)
        hd_bits_put(x->head, HD_HEAD_LANES_LSB, LANES, hd_bits_get(d.la_place_i, PLACE_MASK, LANES));
    if (kind == HD_MSG_WT) {
        hd_bits_put(x->head, HD_HEAD_WMASK_LSB, WORDS, hd_bits_get(d.la_place_i, 0, WORDS));
        for (unsigned w = 0; w < WORDS; w++)
            hd_bits_put(x->body, w * W, W, hd_bits_get(d.la_ops_i, w * W, W));
    }
    if (kind == HD_MSG_ATOMIC) {
        hd_bits_put(x->body, 0, 4, now.fn);
        for (unsigned i = 0, first = a->mask >> (HALF - 1) >> 1 != 0 ? HALF : 0; i < HALF; i++) {
            const unsigned lane = first + i;
            const bool has = hd_bits_get(d.la_place_i, PLACE_MASK + lane, 1);

            hd_bits_put(x->body, 4 + i * OFF_W, OFF_W, hd_bits_get(d.la_place_i, WORDS + lane * OFF_W, OFF_W));
            hd_bits_put(x->body, FLIT + i * W, W, hd_bits_get(d.la_ops_i, lane * W, W));
            hd_bits_put(x->body, (1 + GROUPS + i / 8) * FLIT + i % 8 * 32, 32, hd_bits_get(d.la_ops_i, OPS_CMP + lane * 32, 32));
            flits |= has ? 2u << i / 8 : 0;
            flits |= has && now.fn == HD_AT_CAS ? 2u << GROUPS << i / 8 : 0;
        }
        hd_bits_put(x->head, HD_HEAD_WMASK_LSB, 1 + 2 * GROUPS, flits);
    }
}

/* A marker leaves: it names its barrier, no line and no access. */
static void expect_mark(void)
{
    struct expected *x = &s.want[s.wants++];

    assert_true(s.wants <= QUEUE);
    memset(x, 0, sizeof *x);
    hd_bits_put(x->head, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, HD_MSG_PMARK);
    hd_bits_put(x->head, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, SM);
    hd_bits_put(x->head, HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W, HD_END_L2);
    hd_bits_put(x->head, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, *d.mark_id_i);
}

static void see_request(void)
{
    struct message m = {.kind = (unsigned)hd_bits_get(d.req_head_o, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W),
                        .tid = (unsigned)hd_bits_get(d.req_head_o, HD_HEAD_TID_LSB, HD_HEAD_TID_W),
                        .lanes = hd_bits_get(d.req_head_o, HD_HEAD_LANES_LSB, LANE_W),
                        .due = s.now + (uint32_t)hd_rand_below(15)};
    struct expected *x = &s.want[0];

    if (m.kind != HD_MSG_PMARK)
        hd_bits_put(x->head, HD_HEAD_TID_LSB, HD_HEAD_TID_W, m.tid);
    assert_memory_equal(d.req_head_o, x->head, HEAD_BYTES);
    if (m.kind == HD_MSG_PMARK) { /* its place in the queue is all that it says */
        memmove(x, x + 1, --s.wants * sizeof *x);
        return;
    }
    if (m.kind != HD_MSG_GETS)
        assert_memory_equal(d.req_body_o, x->body, BODY_BYTES);
    m.line = line_of((uint32_t)hd_bits_get(x->head, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W) / (WORDS * 4));
    m.data[0] = (uintptr_t)x->a;
    s.seen[m.kind == HD_MSG_GETS ? 0 : m.kind == HD_MSG_WT ? 1 : 2]++;
    if (m.kind == HD_MSG_GETS) {
        assert_true(m.tid < P_MshrEntries && !s.entry[m.tid]);
        s.entry[m.tid] = true;
    }
    memmove(x, x + 1, --s.wants * sizeof *x);
    assert_true(s.reqs < QUEUE);
    s.req[s.reqs++] = m;
}

static void see_ack(void)
{
    unsigned line = (unsigned)hd_bits_get(d.rsp_head_o, HD_HEAD_TID_LSB, HD_HEAD_TID_W);

    assert_memory_equal(d.rsp_head_o, s.ack[0], HEAD_BYTES);
    memmove(s.ack[0], s.ack[1], --s.want_acks * HEAD_BYTES);
    assert_true(line < LINES && s.locked[line]);
    s.locked[line] = s.sharer[line] = false;
    s.acks++;
    if (s.writing[line])
        write_word(line, (unsigned)hd_rand_below(WORDS), fresh());
}

static void check_load(const struct access *a, unsigned lane)
{
    unsigned line = a->line, word = a->offs[lane], n = s.values[line][word];
    uint64_t got = hd_bits_get(d.cpl_o, CPL_WORDS + lane * W, W);
    uint32_t low = a->accepted, high = s.now;

    assert_true(s.done[line] >= a->before); /* the stores before it are performed */
    if (a->before > 0 && s.performed[line][a->before - 1] > low)
        low = s.performed[line][a->before - 1], s.late++;
    if (s.done[line] > a->before && s.performed[line][a->before] < high)
        high = s.performed[line][a->before], s.forbidden++;
    for (unsigned k = n; k > 0 && k + HISTORY > n; k--) {
        const struct value *v = &s.word[line][word][(k - 1) % HISTORY];
        if (v->value == got && v->from <= high && v->to >= low)
            return;
        if (v->to < low)
            break;
    }
    fail_msg("cycle %u: line %u word %u: load accepted at %u, cycles %u..%u, read 0x%llx", s.now, line, word,
             a->accepted, low, high, (unsigned long long)got);
}

static void see_completion(void)
{
    assert_int_equal(*d.cpl_valid_o, s.perf != 0);
    if (!*d.cpl_valid_o)
        return;
    unsigned warp = (unsigned)hd_bits_get(d.cpl_o, HD_COMPLETION_WARP_LSB, HD_COMPLETION_WARP_W);
    unsigned slot = (unsigned)hd_bits_get(d.cpl_o, HD_COMPLETION_SLOT_LSB, HD_COMPLETION_SLOT_W);
    bool last = hd_bits_get(d.cpl_o, HD_COMPLETION_LAST_LSB, HD_COMPLETION_LAST_W);
    uint64_t mask = hd_bits_get(d.cpl_o, HD_COMPLETION_W, LANES);
    assert_true(warp == s.perf_warp && slot == s.perf_slot % SLOTS && last == s.perf_last);
    assert_true(warp < WARPS && s.perf_slot / SLOTS == (P_SlotW > 3 ? warp % 4 : 0));
    struct access *a = &s.op[warp][slot];
    assert_true(a->active && a->mask == mask && hd_bits_count(mask) == s.perf);
    s.loads_out -= a->kind == HD_OP_LOAD;
    for (unsigned i = 0; i < LANES; i++) {
        if (!(mask >> i & 1) || a->kind == HD_OP_STORE)
            continue;
        if (a->kind == HD_OP_LOAD)
            check_load(a, i);
        else
            assert_true(hd_bits_get(d.cpl_o, CPL_WORDS + i * W, W) == a->old[i]);
    }
    assert_true(a->kind == HD_OP_LOAD || a->performed);
    s.seen[4 + a->kind]++;
    a->active = false;
}

static void choose_access(bool quiet)
{
    static struct access prefetch;
    unsigned warp = s.warp[hd_rand_below(USED_WARPS)], slot = s.slot[hd_rand_below(USED_SLOTS)];

    const bool sparse = s.now / 600 % 6 == 5; /* few accesses, many of them prefetches */
    if (s.offered != NULL || quiet || hd_rand_below(sparse ? 16 : 4) < (sparse ? 15 : 1))
        return;
    struct access *a = hd_rand_below(sparse ? 3 : 16) == 0 && P_Pending == 0 ? &prefetch : &s.op[warp][slot];
    if (a != &prefetch && a->active)
        return;
    *a = (struct access){.active = true, .prefetch = a == &prefetch};
    unsigned kind = (unsigned)hd_rand_below(8);
    a->kind = kind < 4 ? HD_OP_LOAD : kind < 7 || a->prefetch ? HD_OP_STORE : HD_OP_ATOMIC;
    a->fn = (unsigned)hd_rand_below(HD_AMO_FUNCTIONS);
    a->line = (unsigned)hd_rand_below(1 + s.now / 1000 % LINES);
    a->mask = a->prefetch ? 0 : hd_bits_random_mask(LANES);
    if (LANES > 32 && a->kind == HD_OP_ATOMIC) { /* the coalescer sends its halves apart */
        const uint64_t low = a->mask & UINT32_MAX, high = a->mask ^ low;
        a->mask = high == 0 || (low != 0 && hd_rand_below(2)) ? low : high;
    }
    for (unsigned i = 0; i < LANES; i++) {
        a->offs[i] = (uint32_t)hd_rand_below(WORDS);
        a->operand[i] = fresh();
        a->cmp[i] = (uint32_t)current(a->line, a->offs[i]);
    }
    for (unsigned i = 0; a->kind == HD_OP_STORE && i < LANES; i++) /* one lane wins a word */
        for (unsigned j = 0; j < i; j++)
            if (a->offs[i] == a->offs[j])
                a->operand[i] = a->operand[j];
    s.offered = a, s.offered_warp = warp, s.offered_slot = slot;
}

static void drive_access(void)
{
    const struct access *a = s.offered;

    *d.la_valid_i = a != NULL;
    if (a == NULL)
        return;
    hd_bits_put(d.la_acc_i, 0, HD_ACCESS_W, hd_access_pack((struct hd_access){
        .warp = s.offered_warp, .slot = s.offered_slot, .tag = P_SlotW > 3 ? s.offered_warp % 4 : 0, .kind = a->kind,
        .fn = a->fn, .prefetch = a->prefetch}));
    *d.la_line_i = line_number(a->line);
    hd_bits_put(d.la_place_i, PLACE_MASK, LANES, a->mask);
    hd_bits_put(d.la_place_i, 0, WORDS, 0);
    for (unsigned w = 0; !s.driven && w < (LANES > WORDS ? LANES : WORDS); w++) /* of no lane */
        hd_bits_put(d.la_ops_i, w * W, W, hd_rand());
    s.driven = true;
    for (unsigned i = 0; i < LANES; i++) {
        hd_bits_put(d.la_place_i, WORDS + i * OFF_W, OFF_W, a->offs[i]);
        hd_bits_put(d.la_ops_i, OPS_CMP + i * 32, 32, a->cmp[i]);
        if (a->kind == HD_OP_ATOMIC)
            hd_bits_put(d.la_ops_i, i * W, W, a->operand[i]);
        else if (a->mask >> i & 1) {
            hd_bits_put(d.la_ops_i, a->offs[i] * W, W, a->operand[i]);
            hd_bits_put(d.la_place_i, a->offs[i], 1, 1);
        }
    }
}

static void drive_down(void)
{
    const struct message *m = s.dns > 0 && s.dn[0].due <= s.now ? &s.dn[0] : NULL;

    const bool was_shown = s.dn_shown;

    s.dn_shown = m != NULL && (s.dn_shown || hd_rand_below(3) != 0);
    *d.dn_valid_i = s.dn_shown;
    if (m == NULL || was_shown)
        return;
    hd_bits_random(d.dn_head_i, HD_HEAD_W + LANE_W);
    hd_bits_put(d.dn_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, m->kind);
    hd_bits_put(d.dn_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, line_number(m->line) & ((1u << P_PartBits) - 1));
    hd_bits_put(d.dn_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, line_number(m->line) * WORDS * 4 + hd_rand_below(WORDS * 4));
    hd_bits_put(d.dn_head_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, m->tid);
    hd_bits_put(d.dn_head_i, HD_HEAD_LANES_LSB, LANE_W, m->lanes);
    for (unsigned w = 0; w < DN_DATA_W / W; w++)
        hd_bits_put(d.dn_data_i, w * W, W, w < 32 ? m->data[w] : 0);
}

/* Persist barriers come in some of the time; one that waits stays. */
static void drive_mark(bool quiet)
{
    const bool was_shown = s.mark_shown;

    s.mark_shown = s.mark_shown || (!quiet && s.now / 500 % 4 == 1 && hd_rand_below(6) == 0);
    *d.mark_valid_i = s.mark_shown;
    if (!was_shown)
        *d.mark_id_i = (uint8_t)hd_rand();
}

/* What the last cycle did with a barrier at the ports; @ready: it was taken; @room: for a request. A request of an access, of
 * which the events tell, goes first. */
static void see_mark(bool ready, bool room)
{
    const uint64_t ev = hd_bits_get(d.ev_o, 0, HD_EV_SM_NUM);
    const bool push = ev & (UINT64_C(1) << HD_EV_SM_MISS | UINT64_C(1) << HD_EV_SM_PREFETCH | UINT64_C(1) << HD_EV_SM_WT);

    assert_int_equal(ready, P_Persist && s.mark_shown && !push && room);
    s.seen[12] += ready;
    s.seen[13] += s.mark_shown && push && room;
    s.seen[14] += s.mark_shown && !room;
    if (ready)
        expect_mark();
    if (ready || !P_Persist)
        s.mark_shown = false;
}

/* What the last cycle did with access @a at the ports; @taken: it was taken; @dn: kind of the message taken, or 0, and its line;
 * @req: a request has left. */
static unsigned st_state(void)
{
    return (unsigned)hd_bits_get(d.st_o, LA_LINE_W, 2);
}

static void see_events(struct access *a, bool taken, unsigned dn, unsigned line, bool req)
{
    const uint64_t ev = hd_bits_get(d.ev_o, 0, HD_EV_SM_NUM);
#define EV(name) (unsigned)(ev >> HD_EV_SM_##name & 1)
    const bool prefetch = a != NULL && a->prefetch, load = a != NULL && a->kind == HD_OP_LOAD;
    unsigned lanes = 0, entries = hd_bits_count((uint32_t)hd_bits_get(d.mshr_busy_o, 0, P_MshrEntries));

    for (unsigned e = 0; e < HD_EV_SM_NUM; e++)
        s.events[e] += ev >> e & 1;
    s.hits += EV(HIT);
    s.refused += EV(REJECT);
    s.drops += EV(PF_DROP);
    s.seen[10] += EV(REJ_LINE);
    s.seen[11] += EV(MERGE);
    assert_int_equal(EV(ACCESS), EV(HIT) + EV(MISS) + EV(MERGE) + EV(WT) + EV(REJECT));
    assert_int_equal(taken && !prefetch, EV(HIT) + EV(MISS) + EV(MERGE) + EV(WT));
    assert_int_equal(taken && prefetch, EV(PREFETCH) + EV(PF_DROP));
    assert_int_equal(EV(WT), taken && !prefetch && !load);
    assert_int_equal(EV(ACC_STORE), EV(WT) && a->kind == HD_OP_STORE);
    assert_int_equal(EV(ACC_ATOMIC), EV(WT) && a->kind == HD_OP_ATOMIC);
    assert_true(!EV(PREFETCH) || load);
    assert_int_equal(EV(FILL), dn == HD_MSG_DATA_S);
    assert_int_equal(EV(INV), dn == HD_MSG_INV);
    assert_int_equal(EV(REJ_LINE) + EV(REJ_ENTRY) + EV(REJ_MERGE) + EV(REJ_CREDIT) + EV(REJ_QUEUE), EV(REJECT));
    if (EV(REJECT)) {
        assert_true(a != NULL && !taken && !prefetch);
        if (!load && !EV(REJ_LINE)) { /* stores wait for their table, else for the queue */
            assert_int_equal(EV(REJ_ENTRY), s.stores_out == P_StoreData);
            assert_int_equal(EV(REJ_QUEUE), s.stores_out < P_StoreData);
        }
        if (EV(REJ_ENTRY) && load)
            assert_int_equal(entries, P_MshrEntries);
        if (EV(REJ_LINE) && P_Pending == 0)
            assert_true(s.followed[a->line]);
    }
    if (EV(MERGE) || EV(REJ_MERGE)) {
        unsigned waiting = 0;

        for (unsigned i = 0; i < WARPS * SLOTS; i++) {
            const struct access *x = &s.op[i / SLOTS][i % SLOTS];
            if (x == a || !x->active || !x->joined)
                continue;
            waiting++;
            if (x->line == a->line)
                lanes += hd_bits_count(x->mask);
        }
        lanes += hd_bits_count(a->mask);
        assert_true(!EV(MERGE) || lanes <= P_MergeLanes);
        assert_true(!EV(REJ_MERGE) || lanes > P_MergeLanes || waiting >= P_MshrTargets || s.served[a->line] || s.prefetches);
    }
    /* A load hits a copy, unless a store of this SM is not performed yet. */
    if (EV(HIT) || EV(MISS) || EV(PREFETCH))
        assert_int_equal(EV(HIT), s.valid[a->line] && s.out[a->line] == 0);
    if (EV(MISS) || EV(PREFETCH))
        s.followed[a->line] = s.served[a->line] = false;
    if (EV(MISS) || EV(MERGE))
        a->joined = true;
    if (EV(WT))
        s.followed[a->line] = true;
    if (dn == HD_MSG_DATA_S)
        s.served[line] = true;
    if (EV(MISS) || EV(PREFETCH) || EV(WT))
        expect_request(a);
    s.gets += EV(MISS) + EV(PREFETCH);
    s.loads_out += taken && load && !prefetch;
    s.stores_out += EV(WT);
    if (EV(WT))
        s.out[a->line]++;
    if (dn == HD_MSG_WT_ACK || dn == HD_MSG_AT_DATA)
        s.stores_out--, s.out[line]--;
    for (unsigned i = 0; i < P_MshrEntries; i++)
        if (s.entry[i])
            assert_int_equal(hd_bits_get(d.mshr_busy_o, i, 1), 1);
    assert_true(entries <= s.gets);

    /* A refused access is tried again when something has happened, and only then. */
    if (s.waits && a != NULL)
        assert_true(!EV(ACCESS) && !taken);
    s.waits = (s.waits || EV(REJECT)) && !(dn || req || EV(REPLAY) || EV(EVICT_CLEAN) || s.prefetches);
    s.idle_ports = a == NULL || s.waits || taken || EV(REJECT) || dn || *d.dn_valid_i || EV(REPLAY) || s.prefetches
                       ? 0 : s.idle_ports + 1;
    assert_true(s.idle_ports < 4);

    const bool hidden = s.prefetches; /* replays of prefetches are not seen */
    s.prefetches = (s.prefetches || EV(PREFETCH)) && entries > 0;
    if (EV(EVICT_CLEAN))
        assert_true(*d.st_valid_o && st_state() == HD_ST_I);
    if (!*d.st_valid_o)
        return;
    line = line_of((uint32_t)hd_bits_get(d.st_o, 0, LA_LINE_W));
    assert_true(st_state() == HD_ST_I || st_state() == HD_ST_S);
    if (st_state() == HD_ST_S)
        assert_true(EV(FILL) && !s.valid[line]);
    else
        assert_true(s.valid[line] && (EV(EVICT_CLEAN) || EV(INV) || EV(ACC_ATOMIC) ||
                                    ((EV(REPLAY) || hidden) && s.followed[line])));
    s.valid[line] = st_state() == HD_ST_S;
#undef EV
}

/* While a module is idle and nothing comes, not a bit of it changes. */
static void stay_idle(void)
{
    if (*d.idle_o && !*d.dn_valid_i && !*d.mark_ready_o && !*d.flush_i && hd_rand_below(4) == 0) {
        assert_true(!*d.req_valid_o && !*d.rsp_valid_o && !*d.flushing_o && !*d.perf_valid_o && !*d.st_valid_o);
        assert_false(*d.la_ready_o && *d.la_valid_i);
        hd_assert_frozen(d.m);
        s.frozen++;
    }
}

static bool busy(void)
{
    bool any = s.offered != NULL || s.reqs || s.dns || s.mark_shown;

    for (unsigned i = 0; i < WARPS * SLOTS; i++)
        any |= s.op[i / SLOTS][i % SLOTS].active;
    return any || !*d.idle_o;
}

static void cycle(bool quiet)
{
    bool req, rsp, dn, la;

    choose_access(quiet);
    drive_access();
    drive_down();
    drive_mark(quiet);
    *d.req_ready_i = hd_rand_below(4) > s.now / 700 % 3;
    *d.rsp_ready_i = hd_rand_below(4) > s.now / 900 % 3;
    *d.perf_last_i = (uint8_t)hd_rand_below(2);
    hd_eval(d.m);
    stay_idle();
    assert_int_equal(*d.req_valid_o, s.wants > 0);
    assert_int_equal(*d.rsp_valid_o, s.want_acks > 0);
    s.perf = *d.perf_valid_o ? (unsigned)hd_bits_get(d.perf_o, HD_WARP_W + P_SlotW, PERF_W - HD_WARP_W - P_SlotW) : 0;
    assert_int_equal(*d.perf_valid_o, s.perf > 0);
    s.perf_warp = (unsigned)hd_bits_get(d.perf_o, 0, HD_WARP_W), s.perf_slot = (unsigned)hd_bits_get(d.perf_o, HD_WARP_W, P_SlotW);
    s.perf_last = *d.perf_last_i;
    unsigned message = 0, line = 0;
    const bool mark = *d.mark_ready_o, room = s.wants < P_ReqDepth;
    const bool held = *d.dn_valid_i && !*d.dn_ready_o && s.dn[0].kind != HD_MSG_INV;
    req = *d.req_valid_o && *d.req_ready_i, rsp = *d.rsp_valid_o && *d.rsp_ready_i;
    dn = *d.dn_valid_i && *d.dn_ready_o, la = *d.la_valid_i && *d.la_ready_o;
    if (req)
        see_request();
    if (rsp)
        see_ack();
    if (dn) {
        message = s.dn[0].kind;
        line = s.dn[0].line;
        s.seen[8] += message == HD_MSG_INV;
        if (message == HD_MSG_DATA_S)
            s.entry[s.dn[0].tid] = false;
        if (message == HD_MSG_INV) {
            uint8_t *ack = s.ack[s.want_acks++];
            memcpy(ack, d.dn_head_i, HEAD_BYTES);
            hd_bits_put(ack, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, HD_MSG_INV_ACK);
            hd_bits_put(ack, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, SM);
            hd_bits_put(ack, HD_HEAD_DST_LSB, HD_HEAD_DST_W, hd_bits_get(d.dn_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W));
            hd_bits_put(ack, HD_HEAD_SRC_KIND_LSB, HD_HEAD_SRC_KIND_W, HD_END_SM);
            hd_bits_put(ack, HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W, HD_END_L2);
        }
        memmove(s.dn, s.dn + 1, --s.dns * sizeof s.dn[0]);
        s.dn_shown = false;
    }
    struct access *a = s.offered;
    if (la) {
        a->accepted = s.now;
        a->before = s.accepted[a->line];
        s.accepted[a->line] += a->kind != HD_OP_LOAD && !a->prefetch;
        s.offered = NULL;
        s.driven = false;
    }
    l2();
    hd_edge(d.m);
    s.now++;
    see_completion();
    if (held) { /* messages go before accesses; an invalidation may wait for room for its acknowledgement */
        assert_false(la || hd_bits_get(d.ev_o, HD_EV_SM_ACCESS, 1));
        s.seen[15] += a != NULL;
    }
    see_events(a, la, message, line, req);
    see_mark(mark, room);
}

static void random_traffic_reads_what_the_l2_had(void **state)
{
    (void)state;
    memset(&s, 0, sizeof s);
    open_l1();
    hd_reset(d.m);
    *d.sm_id_i = SM;
    draw_numbers();
    for (unsigned line = 0; line < LINES; line++) {
        s.performed[line] = calloc(STORES, sizeof *s.performed[line]);
        assert_non_null(s.performed[line]);
        for (unsigned w = 0; w < WORDS; w++)
            write_word(line, w, fresh());
    }
    for (unsigned round = 0; round < 4; round++) {
        while (s.now % (CYCLES / 4) != CYCLES / 4 - 1)
            cycle(false);
        for (unsigned n = 0; busy(); n++) {
            assert_true(n < 4000);
            cycle(true);
        }
        assert_int_equal(hd_bits_get(d.mshr_busy_o, 0, P_MshrEntries), 0);
        if (round % 2) { /* flush: nothing is valid afterwards */
            *d.flush_i = FLUSH;
            cycle(true);
            *d.flush_i = 0;
            while (*d.flushing_o || busy())
                cycle(true);
            for (unsigned line = 0; line < LINES; line++)
                assert_false(s.valid[line]);
        }
        cycle(true);
    }
    assert_int_equal(s.events[HD_EV_SM_REPLAY], s.events[HD_EV_SM_MISS] + s.events[HD_EV_SM_MERGE]);
    assert_int_equal(s.events[HD_EV_SM_FILL], s.gets);
    assert_int_equal(s.seen[0], s.gets);
    assert_int_equal(s.seen[1] + s.seen[2], s.events[HD_EV_SM_WT]);
    assert_int_equal(s.stores_out + s.loads_out, 0);
    for (unsigned i = 0; i < 3; i++)
        assert_true(s.seen[i] > 300);
    assert_true(s.frozen > 100);
    assert_true(s.seen[8] > 300 && s.hits > 300 && s.late > 50 && s.refused > 200 && s.seen[10] > 20);
    assert_true(s.seen[11] > 20 || P_MshrTargets == 1);
    assert_true(s.seen[15] > 100);
    if (P_Persist)
        assert_true(s.seen[12] > 100 && s.seen[13] > 20 && s.seen[14] > 20);
    assert_true((s.forbidden > 10 && s.drops > 20) || P_Pending == 1);
    assert_int_equal(hd_assert_failures(d.m), 0);
    for (unsigned line = 0; line < LINES; line++)
        free(s.performed[line]);
    hd_close(d.m);
}

static const struct CMUnitTest l1_cases[] = {cmocka_unit_test(random_traffic_reads_what_the_l2_had)};
#endif
