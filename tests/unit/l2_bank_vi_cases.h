/* l2_bank_vi_cases.h - the L2 bank of write-through L1s, persist barriers included, against a model in C.
 *
 * What the bank decides in a cycle leaves it in the next one, a packet or a memory request, and in the order of decision. So a
 * model that acts on what it sees leave is the bank's own state of the cycle: words, sharers, dirty lines, the NVW-FIFO, the
 * epochs, and with them every answer, event and write to memory. What it does not know is only which piece of work comes first
 * and which line gives way. Random requests of three SMs, answers, memories and back-pressure drive both. */
#ifndef L2_BANK_VI_CASES_H
#define L2_BANK_VI_CASES_H
#include "hd_bits.h"

#ifndef P_Persist
#define P_Persist 0
#define P_NvwDepth 1
#define P_Epochs 2
#endif
enum {
    LANES = P_Lanes > 32 ? 32 : P_Lanes, /* of an atomic: those of one half */
    WORDS = P_LineWords, W = P_WordW, FLIT = 8 * W, GROUPS = (LANES + 7) / 8, LINES = 9, SMS = 3, OUT = 4,
    OFF_W = WORDS == 8 ? 3 : 4, QUEUE = 64, CYCLES = 60000, ROUNDS = 24,
    GHOSTS = W > 32, HEAD_BYTES = (HD_L2_BANK_W_dn_head_o + 31) / 32 * 4, DATA_BYTES = HD_L2_BANK_W_dn_data_o / 8
};

static uint32_t part; /* number of the bank */
#define PART part
#include "bank_places.h"

#define EV(name) (1u << HD_EV_L2_##name)

struct request {
    bool active, accepted, missed, read;
    unsigned kind, node, line, fn, opid, tid, asks; /* asks: copies of the line in its way that were asked back */
    int last_asked;                                 /* node */
    uint32_t mask, offs[LANES], cmp[LANES], number; /* number: in the order of acceptance of its line */
    uint32_t need[LINES];                           /* of a marker: writes to the line that were accepted before it */
    uint64_t data[WORDS > LANES ? WORDS : LANES];
};

static struct hd_l2_bank d;
static struct {
    uint32_t now;
    bool calm, flushing; /* calm: everything is taken and answered at once */
    uint64_t word[LINES][WORDS], memory[LINES][WORDS];
    bool dirty[LINES];
    unsigned share[LINES], told[LINES]; /* SMs that may hold the line; that were told to drop it and have not answered */
    struct request r[SMS][OUT], *port, *took; /* at the port; accepted in the last cycle */
    unsigned open[LINES]; /* accepted requests without an answer */
    uint32_t accepted[LINES], answered[LINES];
    struct { unsigned line, tid; uint32_t due; } mem[QUEUE];
    struct { unsigned line, sm, tid; uint32_t due; } acks[QUEUE];
    unsigned mems, ackn, acking; /* acking: the acknowledgement that comes in this cycle, ackn if none */
    unsigned claimed;            /* the memory that gets a request, 1, 2 non-volatile, 0 none */
    bool held, may_stall, must_stall, sunk; /* of the last cycle; sunk: an answer or a line was taken, the work of the cycle */
    uint8_t held_head[HEAD_BYTES], held_data[DATA_BYTES];
    uint32_t ev; /* events that are to come, of those that the inputs decide */
    uint64_t seen[64], asked[64], events[HD_EV_L2_NUM], frozen, waiting;
} s;

/* Persist barriers: the FIFO of lines and markers, epochs, writes that are not durable. */
static struct {
    unsigned first; /* line of non-volatile memory */
    struct { const struct request *mark; unsigned line; } entry[P_NvwDepth + 1];
    unsigned n, marks, cur, old, count[P_Epochs], epoch; /* epoch: the current one of the last cycle */
    const struct request *mark[P_Epochs], *due; /* markers that ended an epoch; the one whose answer comes now */
    uint32_t writes[LINES], done[LINES], durable[LINES]; /* to a line: accepted, performed, of these durable */
    struct { unsigned line, tid; uint32_t at, due; } out[QUEUE];
    unsigned outs, acking; /* acking: the write that is said to be durable in this cycle */
} p;

static bool is_nv(unsigned line)
{
    return line >= p.first && line < LINES;
}

static uint64_t fresh(void)
{
    return GHOSTS ? hd_rand() : (uint32_t)hd_rand();
}

static uint32_t delay(unsigned most)
{
    return s.calm ? 0 : (uint32_t)hd_rand_below(most);
}

/* Other addresses. The bank begins anew: it has given all words back. */
static void move(void)
{
    hd_reset(d.m);
    memset(s.share, 0, sizeof s.share);
    memset(&p, 0, sizeof p);
    s.ev = 0, s.held = false;
    part = (uint32_t)hd_rand_below(1u << P_PartBits);
    move_places(P_Sms < 1 << HD_NODE_W); /* else three of all that there may be */
    *d.part_id_i = (uint8_t)part;
    p.first = LINES;
    *d.nv_base_i = 0;
    if (!P_Persist) { /* means nothing */
        *d.nv_base_i = (uint32_t)hd_rand();
    } else if (hd_rand_below(8) != 0) { /* from the last byte of the line before on, or from the first or any one behind it */
        const uint32_t apart = WORDS * 4 << P_PartBits, behind[] = {0, (uint32_t)hd_rand_below(apart), apart - 1};

        p.first = (unsigned)hd_rand_below(LINES);
        *d.nv_base_i = addr_of(p.first) - behind[hd_rand_below(3)];
    }
}

static int setup(void **state)
{
    (void)state;
    memset(&s, 0, sizeof s);
    hd_l2_bank_open(&d);
    move();
    for (unsigned l = 0; l < LINES; l++)
        for (unsigned w = 0; w < WORDS; w++)
            s.word[l][w] = s.memory[l][w] = fresh();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

#define DN(field) ((unsigned)hd_bits_get(d.dn_head_o, HD_HEAD_##field##_LSB, HD_HEAD_##field##_W))

/* ---- requests ------------------------------------------------------------------------------------------------------ */

/* Puts a request to the port, where it stays until it is accepted. Of what it does not need it brings anything. */
static void ask(unsigned kind, unsigned sm, unsigned slot, unsigned line)
{
    struct request *r = &s.r[sm][slot];

    assert_true(!r->active && s.port == NULL);
    *r = (struct request){.active = true, .kind = kind, .line = line, .last_asked = -1};
    r->opid = (unsigned)hd_rand_below(1u << (HD_OPID_W - 4)) << 4 | sm << 2 | slot;
    r->tid = (unsigned)hd_rand_below(1u << HD_TID_W);
    r->fn = (unsigned)hd_rand_below(HD_AMO_FUNCTIONS);
    r->mask = (uint32_t)hd_bits_random_mask(kind == HD_MSG_WT ? WORDS : LANES);
    hd_bits_random(d.req_head_i, HD_L2_BANK_W_req_head_i);
    hd_bits_random(d.req_body_i, HD_L2_BANK_W_req_body_i);
    hd_bits_put(d.req_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
    /* A marker may come from a node that has no place in the directory. */
    r->node = kind == HD_MSG_PMARK ? (unsigned)hd_rand_below(1u << HD_NODE_W) : places.node[sm];
    hd_bits_put(d.req_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, r->node);
    hd_bits_put(d.req_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, addr_of(line < LINES ? line : 0));
    hd_bits_put(d.req_head_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, r->tid);
    hd_bits_put(d.req_head_i, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, r->opid);
    if (kind == HD_MSG_ATOMIC) {
        const unsigned half = P_Lanes > 32 ? (unsigned)hd_rand_below(2) * 32 : 0, lanes = P_Lanes > 32 ? P_Lanes : 32;

        hd_bits_put(d.req_head_i, HD_HEAD_LANES_LSB, lanes, (uint64_t)r->mask << half);
        hd_bits_put(d.req_body_i, 0, 4, r->fn);
        for (unsigned i = 0; i < LANES; i++) {
            r->offs[i] = (uint32_t)hd_rand_below(WORDS);
            r->data[i] = fresh();
            r->cmp[i] = hd_rand_below(2) ? (uint32_t)s.word[line][r->offs[i]] : 0;
            hd_bits_put(d.req_body_i, 4 + i * OFF_W, OFF_W, r->offs[i]);
            hd_bits_put(d.req_body_i, FLIT + i * W, W, r->data[i]);
            hd_bits_put(d.req_body_i, (1 + GROUPS + i / 8) * FLIT + i % 8 * 32, 32, r->cmp[i]);
        }
    } else if (kind == HD_MSG_WT) {
        hd_bits_put(d.req_head_i, HD_HEAD_WMASK_LSB, WORDS, r->mask);
        for (unsigned w = 0; w < WORDS; w++) {
            r->data[w] = fresh();
            hd_bits_put(d.req_body_i, w * W, W, r->data[w]);
        }
    }
    s.port = r;
}

static void ask_anything(void)
{
    const unsigned sm = (unsigned)hd_rand_below(SMS), slot = (unsigned)hd_rand_below(OUT);

    if (s.port != NULL || s.r[sm][slot].active || hd_rand_below(s.now / 1000 % 4 == 3 ? 16 : 2) != 0)
        return;
    if (P_Persist && hd_rand_below(8) == 0)
        ask(HD_MSG_PMARK, sm, slot, LINES); /* of no line */
    else
        ask(hd_rand_below(2) ? HD_MSG_GETS : hd_rand_below(3) ? HD_MSG_WT : HD_MSG_ATOMIC, sm, slot,
            (unsigned)hd_rand_below(1 + s.now / 1000 % LINES));
}

/* ---- what leaves the bank ------------------------------------------------------------------------------------------ */

static void see_observed(uint32_t mask, const struct request *r, unsigned sm, const uint64_t *before)
{
    const bool store = mask != 0 && r->kind == HD_MSG_WT;

    assert_int_equal(*d.obs_valid_o, GHOSTS && store);
    if (GHOSTS) /* else obs_valid_o alone counts (tests/mutants/product.awk) */
        assert_int_equal(hd_bits_get(d.obs_mask_o, 0, WORDS), P_Persist ? mask : 0);
    if (GHOSTS && store) {
        assert_int_equal(*d.obs_src_o, places.node[sm]);
        assert_int_equal(*d.obs_opid_o, r->opid);
        assert_int_equal(*d.obs_addr_o, addr_of(r->line));
        for (unsigned w = 0; w < WORDS; w++)
            assert_true(hd_bits_get(d.obs_data_o, w * W, W) == before[w]);
    }
    for (unsigned w = 0; GHOSTS && P_Persist && w < WORDS; w++)
        if (mask >> w & 1)
            assert_true(hd_bits_get(d.obs_new_o, w * W, W) == s.word[r->line][w]);
}

/* INV: to those that may hold the line, lowest first, once each, for a write that is to be performed next or for a line that
 * wants the way. @return the events of it. */
static uint32_t see_inv(unsigned sm, unsigned line)
{
    const unsigned opid = DN(OPID), asker = opid >> 2 & 3;

    assert_true(asker < SMS);
    struct request *r = &s.r[asker][opid & 3];
    assert_true(r->active && r->accepted && r->opid == opid && r->number == s.answered[r->line]);
    assert_int_equal(DN(WMASK), 0);
    assert_true((s.share[line] >> sm & 1) && !(s.told[line] >> sm & 1) && (int)places.node[sm] > r->last_asked);
    s.told[line] |= 1u << sm;
    r->last_asked = (int)places.node[sm];
    assert_true(s.ackn < QUEUE);
    s.acks[s.ackn].line = line, s.acks[s.ackn].sm = sm, s.acks[s.ackn].tid = DN(TID);
    s.acks[s.ackn++].due = s.now + 1 + delay(20);
    if (r->line == line) {
        assert_true(r->kind != HD_MSG_GETS && sm != asker && !r->missed);
        return EV(INV_SENT);
    }
    assert_true(r->missed && !r->read && r->line % P_Sets == line % P_Sets);
    return EV(INV_SENT) | (r->asks++ == 0 ? EV(RECALL) : 0);
}

static void see_answer(unsigned kind, unsigned sm, unsigned line)
{
    struct request *r = &s.r[sm][DN(OPID) & 3];
    uint64_t before[WORDS];
    uint32_t wrote = 0;

    assert_true(r->active && r->accepted && r->line == line);
    assert_int_equal(DN(OPID), r->opid);
    assert_int_equal(DN(TID), r->tid);
    assert_int_equal(r->number, s.answered[line]); /* in the order in which they were accepted */
    assert_int_equal(s.told[line], 0);
    assert_int_equal(r->missed, r->read);
    memcpy(before, s.word[line], sizeof before);
    if (r->kind == HD_MSG_GETS) {
        assert_int_equal(kind, HD_MSG_DATA_S);
        assert_int_equal(DN(WMASK), (UINT64_C(1) << WORDS) - 1);
        for (unsigned w = 0; w < WORDS; w++)
            assert_true(hd_bits_get(d.dn_data_o, w * W, W) == s.word[line][w]);
        s.share[line] |= 1u << sm;
    } else {
        assert_int_equal(s.share[line] & ~(1u << sm), 0); /* no old copy is left */
        s.dirty[line] = true;
        p.done[line]++;
    }
    if (r->kind == HD_MSG_WT) {
        assert_int_equal(kind, HD_MSG_WT_ACK);
        assert_int_equal(DN(WMASK), 0);
        wrote = r->mask;
        for (unsigned w = 0; w < WORDS; w++)
            if (r->mask >> w & 1)
                s.word[line][w] = r->data[w];
    } else if (r->kind == HD_MSG_ATOMIC) {
        assert_int_equal(kind, HD_MSG_AT_DATA);
        assert_int_equal(DN(WMASK), r->mask);
        s.share[line] = 0;
        for (unsigned i = 0; i < LANES; i++) {
            uint64_t *word = &s.word[line][r->offs[i]];

            if (!(r->mask >> i & 1))
                continue;
            assert_true(hd_bits_get(d.dn_data_o, i * W, W) == *word);
            *word = r->data[i] >> 32 << 32 | hd_amo_reference(r->fn, (uint32_t)*word, (uint32_t)r->data[i], r->cmp[i]);
            wrote |= 1u << r->offs[i];
        }
    }
    see_observed(wrote, r, sm, before);
    s.answered[line]++;
    s.open[line]--;
    r->active = false;
}

/* The answer to the oldest marker: all that was accepted before it is durable. */
static void see_pack(void)
{
    const unsigned opid = DN(OPID);
    struct request *r = &s.r[(opid >> 2 & 3) % SMS][opid & 3];

    assert_ptr_equal(r, p.due);
    assert_true(r->active);
    assert_int_equal(opid, r->opid);
    assert_int_equal(DN(DST), r->node);
    assert_int_equal(DN(TID) | DN(WMASK) | DN(ADDR), 0);
    for (unsigned l = 0; l < LINES; l++)
        assert_true(p.durable[l] >= r->need[l]);
    r->active = false;
}

/* A packet that is offered down for the first time. @return its events. */
static uint32_t see_packet(void)
{
    const unsigned kind = DN(KIND), lanes = P_Lanes > 32 ? P_Lanes : 32;

    assert_int_equal(DN(SRC), PART);
    assert_int_equal(DN(SRC_KIND), HD_END_L2);
    assert_int_equal(DN(DST_KIND), HD_END_SM);
    assert_int_equal(hd_bits_get(d.dn_head_o, HD_HEAD_LANES_LSB, lanes), 0);
    s.seen[kind]++;
    assert_int_equal(kind == HD_MSG_PACK, p.due != NULL);
    if (kind == HD_MSG_PACK) {
        see_pack();
        return 0;
    }
    if (kind == HD_MSG_INV)
        return see_inv(sm_of(DN(DST)), line_of(DN(ADDR)));
    see_answer(kind, sm_of(DN(DST)), line_of(DN(ADDR)));
    return EV(GRANT);
}

static void see_memory_write(unsigned line)
{
    assert_true(s.dirty[line]);
    s.dirty[line] = false;
    for (unsigned w = 0; w < WORDS; w++) {
        s.memory[line][w] = hd_bits_get(d.mreq_data_o, w * W, W);
        assert_true(s.memory[line][w] == s.word[line][w]);
    }
    if (P_Persist)
        assert_int_equal(*d.mreq_tid_o, is_nv(line) ? p.epoch : 0);
    if (is_nv(line)) {
        assert_true(p.outs < QUEUE);
        p.count[p.epoch]++;
        p.out[p.outs].line = line, p.out[p.outs].tid = p.epoch, p.out[p.outs].at = p.done[line];
        p.out[p.outs++].due = s.now + 1 + delay(s.now / 2000 % 3 ? 60 : 300);
    }
}

static void see_memory_read(unsigned line)
{
    struct request *r = NULL;
    unsigned shared = 0;

    for (unsigned i = 0; i < SMS * OUT; i++) {
        struct request *x = &s.r[i / OUT][i % OUT];

        if (x->active && x->accepted && x->kind != HD_MSG_PMARK && x->line == line && x->number == s.answered[line])
            r = x;
    }
    assert_true(r != NULL && r->missed && !r->read);
    r->read = true;
    assert_true(!s.dirty[line] && s.share[line] == 0);
    assert_memory_equal(s.memory[line], s.word[line], sizeof s.word[line]);
    for (unsigned l = 0; l < LINES; l++) /* every copy is of a line that has a way */
        shared += l != line && l % P_Sets == line % P_Sets && s.share[l] != 0;
    assert_true(shared < P_Ways && *d.mreq_tid_o < P_MshrEntries);
    for (unsigned i = 0; i < s.mems; i++)
        assert_int_not_equal(s.mem[i].tid, *d.mreq_tid_o);
    s.mem[s.mems].line = line, s.mem[s.mems].tid = *d.mreq_tid_o;
    s.mem[s.mems++].due = s.now + 1 + delay(20);
}

/* Lines leave the NVW-FIFO in order; to memory if they are dirty. */
static void see_pops(uint32_t ev, unsigned written)
{
    const bool pop = ev & EV(NVW_POP), stale = ev & EV(NVW_STALE);

    if (!pop && !stale)
        return;
    assert_true(!(pop && stale) && p.n > 0 && p.entry[0].mark == NULL);
    if (pop)
        assert_int_equal(written, p.entry[0].line);
    else
        assert_true(!s.dirty[p.entry[0].line] && !*d.dn_valid_o && !*d.mreq_valid_o);
    assert_int_equal(s.open[p.entry[0].line], 0);
    memmove(p.entry, p.entry + 1, --p.n * sizeof p.entry[0]);
}

static void see_outputs(void)
{
    const uint32_t ev = (uint32_t)*d.ev_o, free_events = EV(STALL) | EV(HIT) | EV(MISS) | EV(NVW_POP) | EV(NVW_STALE);
    uint32_t expected = s.ev;
    unsigned written = LINES;

    assert_int_equal(*d.mreq_valid_o, s.claimed != 0);
    if (s.took != NULL && s.took->kind != HD_MSG_PMARK) { /* an access hit, missed or was chained */
        const bool chained = s.ev & EV(CHAINED);

        assert_int_equal(!(ev & EV(HIT)) + !(ev & EV(MISS)), chained ? 2 : 1);
        s.took->missed = ev & EV(MISS);
    } else {
        assert_int_equal(ev & (EV(HIT) | EV(MISS)), 0);
    }
    if (s.held) { /* what was offered stays as it was */
        assert_int_equal(*d.dn_valid_o, 1);
        assert_memory_equal(d.dn_head_o, s.held_head, sizeof s.held_head);
        assert_memory_equal(d.dn_data_o, s.held_data, sizeof s.held_data);
    }
    const bool shown = *d.dn_valid_o && !s.held;
    const unsigned kind = shown ? DN(KIND) : HD_MSG_NONE;
    assert_true(!(*d.dn_valid_o && *d.mreq_valid_o));
    if (s.sunk || (s.took != NULL && s.took->kind != HD_MSG_PMARK)) { /* one piece of work a cycle */
        const bool own = shown && s.took != NULL && DN(OPID) == s.took->opid;

        assert_true(!*d.mreq_valid_o && (!shown || kind == HD_MSG_PACK || (own && !s.sunk)));
    }
    if (kind != HD_MSG_WT_ACK && kind != HD_MSG_AT_DATA && kind != HD_MSG_DATA_S)
        see_observed(0, NULL, 0, NULL);
    if (shown)
        expected |= see_packet();
    else
        assert_null(p.due);
    if (*d.mreq_valid_o) {
        const unsigned line = line_of(*d.mreq_addr_o);

        assert_int_equal(s.claimed, is_nv(line) ? 2 : 1);
        expected |= *d.mreq_write_o ? EV(MEM_WRITE) : EV(MEM_READ);
        if (*d.mreq_write_o) {
            assert_true(s.flushing || ev & EV(NVW_POP) || s.share[line] == 0); /* else it is evicted: all copies are gone */
            see_memory_write(written = line);
        } else {
            see_memory_read(line);
        }
    }
    assert_int_equal(ev & ~free_events, expected);
    assert_true(ev & EV(STALL) ? s.may_stall : !s.must_stall);
    see_pops(ev, written);
    for (unsigned e = 0; e < HD_EV_L2_NUM; e++)
        s.events[e] += ev >> e & 1;
}

/* ---- a cycle ------------------------------------------------------------------------------------------------------- */

/* An entry of the queue that is due, @n if none is. */
#define DUE(queue, n, k)                                                                                                         \
    do {                                                                                                                         \
        (k) = s.calm || (n) == 0 ? 0 : (unsigned)hd_rand_below(n);                                                               \
        if ((n) == 0 || (queue)[k].due > s.now)                                                                                  \
            (k) = (n);                                                                                                           \
    } while (0)
#define DROP(queue, n, k) memmove(&(queue)[k], &(queue)[(k) + 1], (--(n) - (k)) * sizeof(queue)[0])

static void drive(void)
{
    const unsigned phase = s.now / 700 % 3;
    unsigned m, a, k;

    *d.req_valid_i = s.port != NULL;
    DUE(s.acks, s.ackn, a);
    *d.rsp_valid_i = a < s.ackn;
    if (a < s.ackn) {
        hd_bits_random(d.rsp_head_i, HD_L2_BANK_W_rsp_head_i);
        hd_bits_random(d.rsp_data_i, HD_L2_BANK_W_rsp_data_i);
        hd_bits_put(d.rsp_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, HD_MSG_INV_ACK);
        hd_bits_put(d.rsp_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, places.node[s.acks[a].sm]);
        hd_bits_put(d.rsp_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, addr_of(s.acks[a].line));
        hd_bits_put(d.rsp_head_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, s.acks[a].tid);
    }
    s.acking = a;
    DUE(s.mem, s.mems, m);
    *d.mrsp_valid_i = m < s.mems;
    if (m < s.mems) {
        *d.mrsp_tid_i = (uint8_t)s.mem[m].tid;
        for (unsigned w = 0; w < WORDS; w++)
            hd_bits_put(d.mrsp_data_i, w * W, W, s.memory[s.mem[m].line][w]);
        if (!*d.rsp_valid_i)
            DROP(s.mem, s.mems, m);
    }
    DUE(p.out, p.outs, k);
    *d.mack_valid_i = k < p.outs;
    if (k < p.outs) {
        for (unsigned i = k; i-- > 0;) /* writes of a line become durable in their order */
            if (p.out[i].line == p.out[k].line)
                k = i;
        *d.mack_tid_i = (uint8_t)p.out[k].tid;
    }
    p.acking = k;
    *d.mreq_ok_i = s.calm ? 3 : (uint8_t)(hd_rand() & (phase == 2 ? hd_rand() : 3) & 3);
    if (P_Persist == 0 && s.now / 2000 % 2) /* there is one memory: the other bit means nothing */
        *d.mreq_ok_i &= 1;
    *d.dn_ready_i = s.calm || hd_rand_below(4) > phase;
}

/* Persist barriers in this cycle, after what the last one did: pushes, markers that leave, their answers. */
static void persist(bool taken)
{
    const struct request *r = s.port;
    const bool mark = r != NULL && r->kind == HD_MSG_PMARK;
    const bool writes = r != NULL && !mark && r->kind != HD_MSG_GETS && is_nv(r->line);
    const bool room = p.n < P_NvwDepth, want = p.n > 0 && (p.marks > 0 || !room), head_mark = p.n > 0 && p.entry[0].mark != NULL;
    const bool close = want && head_mark && (p.cur + 1) % P_Epochs != p.old, ended = p.old != p.cur;
    const bool pack = ended && p.count[p.old] == 0 && (!*d.dn_valid_o || *d.dn_ready_i);
    const bool note = writes && taken && !(s.dirty[r->line] && s.open[r->line] == 0);

    if (mark)
        assert_int_equal(taken, room);
    assert_false(writes && taken && !room);
    assert_false(*d.idle_o && (want || ended));
    s.ev |= (note ? EV(NVW_PUSH) : 0) | ((mark || writes) && !room ? EV(NVW_FULL) : 0) | (want ? EV(NVW_DRAIN) : 0)
            | (want && head_mark && !close ? EV(EPOCH_FULL) : 0) | (ended ? EV(EPOCH_WAIT) : 0);
    p.epoch = p.cur;
    p.due = pack ? p.mark[p.old] : NULL;
    if (pack)
        p.old = (p.old + 1) % P_Epochs;
    if (close) {
        p.mark[p.cur] = p.entry[0].mark;
        p.cur = (p.cur + 1) % P_Epochs;
        p.marks--;
        memmove(p.entry, p.entry + 1, --p.n * sizeof p.entry[0]);
    }
    if (note || (mark && taken)) {
        p.entry[p.n].mark = mark ? r : NULL;
        p.entry[p.n++].line = r->line;
        p.marks += mark;
    }
    if (mark && taken)
        memcpy(s.port->need, p.writes, sizeof p.writes);
    if (writes && taken)
        p.writes[r->line]++;
    if (*d.mack_valid_i) {
        p.count[p.out[p.acking].tid]--;
        p.durable[p.out[p.acking].line] = p.out[p.acking].at;
        DROP(p.out, p.outs, p.acking);
    }
}

static void cycle(void)
{
    drive();
    hd_eval(d.m);
    assert_int_equal(*d.mrsp_ready_o, !*d.rsp_valid_i);
    see_outputs();
    if (*d.idle_o) {
        assert_true(!*d.mreq_valid_o && !*d.dn_valid_o && *d.ev_o == 0);
        if (!*d.req_valid_i && !*d.mrsp_valid_i && !*d.rsp_valid_i && !*d.mack_valid_i && !*d.flush_i && hd_rand_below(4) == 0) {
            hd_assert_frozen(d.m);
            s.frozen++;
            s.waiting += s.mems + s.ackn > 0;
        }
    }
    s.held = *d.dn_valid_o && !*d.dn_ready_i;
    memcpy(s.held_head, d.dn_head_o, sizeof s.held_head);
    memcpy(s.held_data, d.dn_data_o, sizeof s.held_data);
    s.claimed = *d.mreq_claim_o;
    assert_true(s.claimed <= (P_Persist ? 2 : 1));
    assert_true(!s.claimed || *d.mreq_ok_i == 3 || (!P_Persist && *d.mreq_ok_i & 1));

    const bool taken = *d.req_valid_i && *d.req_ready_o;
    struct request *r = s.port;
    s.sunk = *d.rsp_valid_i || *d.mrsp_valid_i;
    s.may_stall = *d.req_valid_i && !taken && !s.sunk && r->kind != HD_MSG_PMARK;
    s.must_stall = s.may_stall && *d.idle_o; /* there is nothing else to do */
    assert_false(taken && s.sunk && r->kind != HD_MSG_PMARK);
    s.ev = 0;
    if (P_Persist)
        persist(taken);
    s.took = taken ? r : NULL;
    if (taken) {
        s.asked[r->kind]++;
        s.port = NULL;
        r->accepted = true;
        if (r->kind != HD_MSG_PMARK) {
            s.ev |= (r->kind == HD_MSG_GETS ? EV(GETS) : r->kind == HD_MSG_WT ? EV(WT) : EV(ATOMIC))
                    | (s.open[r->line]++ > 0 ? EV(CHAINED) : 0);
            r->number = s.accepted[r->line]++;
        }
    }
    if (*d.rsp_valid_i) {
        const unsigned line = s.acks[s.acking].line, sm = s.acks[s.acking].sm;

        s.share[line] &= ~(1u << sm), s.told[line] &= ~(1u << sm);
        DROP(s.acks, s.ackn, s.acking);
    }
    hd_edge(d.m);
    *d.flush_i = 0;
    s.now++;
}

static bool busy(void)
{
    bool any = s.port != NULL || s.mems > 0 || s.ackn > 0 || p.outs > 0 || s.claimed;

    for (unsigned i = 0; i < SMS * OUT; i++)
        any |= s.r[i / OUT][i % OUT].active;
    return any || !*d.idle_o;
}

static void drain(void)
{
    for (unsigned n = 0; busy(); n++) {
        assert_true(n < 4000);
        cycle();
    }
}

/* All dirty lines go to memory, and stay. */
static void flush(void)
{
    const uint64_t reads = s.events[HD_EV_L2_MEM_READ];

    s.flushing = true;
    *d.flush_i = 1;
    cycle();
    drain();
    s.flushing = false;
    assert_int_equal(s.events[HD_EV_L2_MEM_READ], reads);
    for (unsigned l = 0; l < LINES; l++)
        assert_memory_equal(s.memory[l], s.word[l], sizeof s.word[l]);
}

/* ---- tests --------------------------------------------------------------------------------------------------------- */

/* Cycles until the packet @kind is offered down. */
static unsigned until(unsigned kind)
{
    const uint64_t seen = s.seen[kind];
    unsigned n = 0;

    for (; s.seen[kind] == seen; n++) {
        assert_true(n < 100);
        cycle();
    }
    return n;
}

static void a_line_that_is_there_is_answered_in_the_next_cycle(void **state)
{
    (void)state;
    s.calm = true;
    ask(HD_MSG_GETS, 0, 0, 0);
    drain();
    assert_int_equal(s.events[HD_EV_L2_MISS], 1);
    for (unsigned sm = 0; sm < SMS; sm++) {
        ask(HD_MSG_GETS, sm, 0, 0);
        assert_int_equal(until(HD_MSG_DATA_S), 2);
    }
    ask(HD_MSG_WT, 1, 1, 0); /* the other two are told first */
    assert_int_equal(until(HD_MSG_INV), 4); /* its words are read */
    assert_int_equal(until(HD_MSG_INV), 1);
    drain();
    ask(HD_MSG_WT, 1, 0, 0); /* the only sharer */
    assert_int_equal(until(HD_MSG_WT_ACK), 2);
    assert_int_equal(s.seen[HD_MSG_INV], 2);
    assert_int_equal(s.events[HD_EV_L2_MEM_READ], 1);
}

static void other_lines_are_answered_while_an_atomic_is_performed(void **state)
{
    (void)state;
    s.calm = true;
    for (unsigned line = 0; line < 2; line++) {
        ask(HD_MSG_GETS, line, 0, line);
        drain();
    }
    ask(HD_MSG_ATOMIC, 0, 0, 0);
    cycle();
    ask(HD_MSG_GETS, 0, 1, 0); /* behind it */
    cycle();
    for (unsigned n = 0; n < 2; n++) {
        ask(HD_MSG_GETS, 1, 0, 1);
        assert_int_equal(until(HD_MSG_DATA_S), 2 + (n == 0)); /* the atomic starts meanwhile */
        assert_int_equal(s.seen[HD_MSG_AT_DATA], 0);
    }
    until(HD_MSG_AT_DATA);
    assert_int_equal(until(HD_MSG_DATA_S), 2);
}

static void random_requests_find_what_the_model_says(void **state)
{
    static const uint32_t often = EV(GETS) | EV(HIT) | EV(MISS) | EV(CHAINED) | EV(STALL) | EV(WT) | EV(ATOMIC) | EV(GRANT)
                                  | EV(MEM_READ) | EV(MEM_WRITE) | EV(INV_SENT) | EV(RECALL)
                                  | (P_Persist ? 0x7fu << HD_EV_L2_NVW_PUSH : 0);

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned n = 0; n < CYCLES / ROUNDS; n++) {
            ask_anything();
            cycle();
        }
        drain();
        flush();
        if (round % 2)
            move();
    }
    for (unsigned e = 0; e < HD_EV_L2_NUM; e++)
        if ((often >> e & 1) ? s.events[e] < (e < HD_EV_L2_NVW_PUSH ? 100 : 10) : s.events[e] > 0)
            fail_msg("event %u %u times", e, (unsigned)s.events[e]);
    assert_true(s.asked[HD_MSG_GETS] > 1000 && s.asked[HD_MSG_WT] > 700 && s.asked[HD_MSG_ATOMIC] > 300);
    assert_true(!P_Persist || s.seen[HD_MSG_PACK] > 200);
    assert_true(s.frozen > 100 && s.waiting > 50);
}

static void misuse_trips_assertions(void **state)
{
    static const unsigned kinds[] = {HD_MSG_GETS, HD_MSG_WT, HD_MSG_ATOMIC, HD_MSG_PMARK, HD_MSG_GETM, HD_MSG_UPG};

    (void)state;
    if (!hd_has_asserts(d.m))
        return;
    *d.req_valid_i = 1;
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        hd_bits_put(d.req_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kinds[i]);
        hd_bits_put(d.req_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, addr_of(i % P_Sets));
        hd_edge(d.m);
        assert_int_equal(hd_assert_failures(d.m), i > 3 || (i == 3 && !P_Persist));
        hd_assert_clear(d.m);
    }
    hd_bits_put(d.req_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, HD_MSG_GETS);
    hd_bits_put(d.req_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, addr_of(0) + WORDS * 2); /* not the start of a line */
    hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m), 1);
    hd_assert_clear(d.m);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
static const struct CMUnitTest bank_cases[] = {
    TEST(a_line_that_is_there_is_answered_in_the_next_cycle),
    TEST(other_lines_are_answered_while_an_atomic_is_performed),
    TEST(random_requests_find_what_the_model_says),
    TEST(misuse_trips_assertions),
};
#endif
