/* test_hd_l2_tile.c - the L2 tile against a C model of the L1s, the crossbars and memory. */
/* dut: hd_l2_tile Sms=3 LineWords=8 L2Sets=2 L2Ways=2 L2Mshr=4 PartBits=1 RxDepth=8 TxCredits=8 MemCredits=2 LaneMasks=1 GhostW=0 */
/* dut: hd_l2_tile Sms=3 LineWords=16 L2Sets=2 L2Ways=2 L2Mshr=1 PartBits=0 RxDepth=2 TxCredits=1 MemCredits=1 GhostW=0 */
/* dut: hd_l2_tile Sms=4 LineWords=8 L2Sets=4 L2Ways=4 L2Mshr=6 PartBits=3 RxDepth=4 TxCredits=3 MemCredits=3 GhostW=32 */
/* dut-rtl: hd_l2_tile Sms=16 LineWords=32 L2Sets=8 L2Ways=8 L2Mshr=128 PartBits=3 RxDepth=64 TxCredits=64 MemCredits=8 GhostW=0 */
#include "hd_unit.h"
#include "hd_l2_tile_dut.h"
#include "hd_pkg.h"

#ifndef P_LaneMasks
#define P_LaneMasks 0
#endif

enum {
    SMS = P_Sms,
    LW = P_LineWords,
    SETS = P_L2Sets,
    WAYS = P_L2Ways,
    W32 = 1 + P_GhostW / 32,   /* 32-bit units of a word */
    FLIT_U = 8 * W32,
    LINE_U = LW * W32,
    OFF = LW == 8 ? 5 : LW == 16 ? 6 : 7,
    PART = P_PartBits ? 1 : 0, /* number of this partition */
    LINES = SETS * WAYS * 2,   /* lines in play: twice what fits */
    DATA_FLITS = LW / 8,
    DEPTH = 1024               /* model queues; far more than can be under way */
};
#define FULL_MASK ((uint32_t)(UINT64_C(0xffffffff) >> (32 - LW)))

struct packet {
    uint32_t kind, src, dst, addr, wmask, tid, opid, lanes;
    uint64_t data[LW];
};

struct queue {
    struct packet p[DEPTH];
    unsigned head, count;
};

enum { I = HD_ST_I, S = HD_ST_S, E = HD_ST_E, M = HD_ST_M };

struct l1_line {
    unsigned state;
    uint32_t pending;    /* kind of the request under way, 0 if none */
    uint32_t tid, opid, lanes;
    bool lost_by_inv;    /* an INV took the copy while the request was under way */
    bool put_sent;       /* gave the line back since it was last owner */
    uint32_t written;    /* words written since the grant */
    uint64_t data[LW];
};

struct mem_req {
    bool write;
    uint32_t addr, tid;
    uint64_t data[LW];
};

/* chances out of 64 per cycle; of an operation to be on one of a few lines; of a miss to be a read */
struct pace {
    unsigned op, req, rsp, inbox, mem_take, mem_answer, dn_credit, hot, read;
};

static struct {
    struct hd_l2_tile d;
    uint64_t cycle;
    struct pace pace;
    struct l1_line l1[SMS][LINES];
    uint64_t golden[LINES][LW];
    uint64_t memory[LINES][LW];
    uint64_t next_value;
    struct queue req[SMS], rsp[SMS], inbox[SMS]; /* outboxes per network, and what came down */
    /* up link: per network the packet being sent, its SM and next flit (0: the head) */
    struct packet sending[2];
    bool busy[2];
    unsigned flit[2], up_credits[2];
    /* down link */
    struct packet coming;
    bool coming_body;
    uint32_t coming_left;
    unsigned dn_owed, dn_outstanding;
    unsigned mem_count, answer_count, mem_credits_used, answers_out;
    struct mem_req mem[16], answer[16];
    uint64_t dn_flits, last_dn_cycle, last_dn_head_cycle, mreq_cycle, up_sent_cycle;
    unsigned reads, writes, requests, grants;
    uint64_t sent[32], got[32];       /* messages by kind, up and down */
    uint64_t ev[HD_EV_L2_NUM];
    uint64_t idle_checks;
    /* coverage of the races */
    uint64_t upg_got_data, lost_copy, inv_of_nothing, fetch_crossed_put, owner_asked_again,
        recall_crossed_put, chained_same_line;
} w;

static void set_bits(uint32_t *v, unsigned lsb, unsigned width, uint32_t x)
{
    for (unsigned i = 0; i < width; i++) {
        v[(lsb + i) / 32] &= ~(UINT32_C(1) << (lsb + i) % 32);
        v[(lsb + i) / 32] |= ((x >> i) & 1u) << (lsb + i) % 32;
    }
}

static uint32_t get_bits(const uint32_t *v, unsigned lsb, unsigned width)
{
    uint32_t x = 0;

    for (unsigned i = 0; i < width; i++)
        x |= ((v[(lsb + i) / 32] >> (lsb + i) % 32) & 1u) << i;
    return x;
}

static uint64_t get_word(const uint32_t *v, unsigned i)
{
    uint64_t x = v[i * W32];

    return W32 == 2 ? x | (uint64_t)v[i * W32 + W32 - 1] << 32 : x;
}

static void put_word(uint32_t *v, unsigned i, uint64_t x)
{
    v[i * W32] = (uint32_t)x;
    if (W32 == 2)
        v[i * W32 + W32 - 1] = (uint32_t)(x >> 32);
}

static void put_head(uint32_t *v, const struct packet *p)
{
    set_bits(v, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, p->kind);
    set_bits(v, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, p->src);
    set_bits(v, HD_HEAD_DST_LSB, HD_HEAD_DST_W, p->dst);
    set_bits(v, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, p->addr);
    set_bits(v, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W, p->wmask);
    set_bits(v, HD_HEAD_TID_LSB, HD_HEAD_TID_W, p->tid);
    set_bits(v, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, p->opid);
    set_bits(v, HD_HEAD_LANES_LSB, HD_LANE_W, p->lanes);
}

static void get_head(const uint32_t *v, struct packet *p)
{
    p->kind = get_bits(v, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W);
    p->src = get_bits(v, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W);
    p->dst = get_bits(v, HD_HEAD_DST_LSB, HD_HEAD_DST_W);
    p->addr = get_bits(v, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W);
    p->wmask = get_bits(v, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W);
    p->tid = get_bits(v, HD_HEAD_TID_LSB, HD_HEAD_TID_W);
    p->opid = get_bits(v, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W);
    p->lanes = get_bits(v, HD_HEAD_LANES_LSB, HD_LANE_W);
}

/* Lines of the model: set in the low bits, tags that use the high bits of an address too. */
static uint32_t addr_of(unsigned line)
{
    uint32_t tag = line / SETS * UINT32_C(0x2aaaaab);
    uint32_t num = tag * SETS + line % SETS;

    return ((num << P_PartBits) | PART) << OFF;
}

static unsigned line_of(uint32_t addr)
{
    for (unsigned l = 0; l < LINES; l++) {
        if (addr_of(l) == addr)
            return l;
    }
    fail_msg("address %#x is no line of the test", addr);
    return 0;
}

static uint64_t word_mask(uint64_t x)
{
    return W32 == 2 ? x : (uint32_t)x;
}

/* Never the same twice, and every bit is used. */
static uint64_t fresh_value(void)
{
    return word_mask(++w.next_value * UINT64_C(0x9e3779b97f4a7c15));
}

static struct packet *front(struct queue *q)
{
    return &q->p[q->head];
}

static void push(struct queue *q, const struct packet *p)
{
    assert_true(q->count < DEPTH);
    q->p[(q->head + q->count++) % DEPTH] = *p;
}

static void pop(struct queue *q)
{
    q->head = (q->head + 1) % DEPTH;
    q->count--;
}

static bool chance(unsigned of64)
{
    return hd_rand_below(64) < of64;
}

/* ---- the L1s ------------------------------------------------------------------------------ */

static void check_single_writer(unsigned line)
{
    unsigned owners = 0, copies = 0;

    for (unsigned s = 0; s < SMS; s++) {
        copies += w.l1[s][line].state != I;
        owners += w.l1[s][line].state >= E;
    }
    if (owners > 1 || (owners == 1 && copies > 1))
        fail_msg("cycle %llu line %u: %u owners among %u copies", (unsigned long long)w.cycle, line, owners,
                 copies);
}

static void check_data(const char *what, unsigned line, const uint64_t *data)
{
    for (unsigned i = 0; i < LW; i++) {
        if (data[i] != w.golden[line][i])
            fail_msg("cycle %llu %s line %u word %u: got %llx, last written %llx", (unsigned long long)w.cycle,
                     what, line, i, (unsigned long long)data[i], (unsigned long long)w.golden[line][i]);
    }
}

static void l1_request(unsigned sm, unsigned line, uint32_t kind)
{
    struct l1_line *l = &w.l1[sm][line];
    struct packet p = {.kind = kind, .src = sm, .dst = PART, .addr = addr_of(line)};

    assert_int_equal(l->pending, 0);
    l->pending = kind;
    l->tid = (uint32_t)(LINES <= 64 ? line + 64 * hd_rand_below(4) : line);
    l->opid = (uint32_t)hd_rand_below(65536);
    l->lost_by_inv = false;
    p.tid = l->tid;
    p.opid = l->opid;
    p.lanes = l->lanes = (uint32_t)hd_rand();
    for (unsigned i = 0; i < w.rsp[sm].count; i++) {
        const struct packet *put = &w.rsp[sm].p[(w.rsp[sm].head + i) % DEPTH];
        w.owner_asked_again += put->addr == p.addr && (put->kind == HD_MSG_PUTM || put->kind == HD_MSG_PUTE);
    }
    for (unsigned s = 0; s < SMS; s++)
        w.chained_same_line += s != sm && w.l1[s][line].pending != 0;
    push(&w.req[sm], &p);
    w.requests++;
    w.sent[kind]++;
}

static void l1_send(unsigned sm, unsigned line, uint32_t kind, uint32_t tid)
{
    struct l1_line *l = &w.l1[sm][line];
    struct packet p = {.kind = kind, .src = sm, .dst = PART, .addr = addr_of(line), .tid = tid};

    if (kind == HD_MSG_PUTM || kind == HD_MSG_RSP_DATA) {
        p.wmask = (l->written | (uint32_t)hd_rand()) & FULL_MASK;
        for (unsigned i = 0; i < LW; i++) /* words outside the mask travel as garbage */
            p.data[i] = p.wmask >> i & 1 ? l->data[i] : hd_rand();
    }
    push(&w.rsp[sm], &p);
    w.sent[kind]++;
}

static void l1_write(unsigned sm, unsigned line)
{
    struct l1_line *l = &w.l1[sm][line];
    unsigned word = (unsigned)hd_rand_below(LW);

    assert_true(l->state >= E);
    l->state = M;
    l->data[word] = w.golden[line][word] = fresh_value();
    l->written |= UINT32_C(1) << word;
}

static void l1_put(unsigned sm, unsigned line)
{
    struct l1_line *l = &w.l1[sm][line];

    assert_true(l->state >= E);
    l1_send(sm, line, l->state == M ? HD_MSG_PUTM : HD_MSG_PUTE, 0);
    l->state = I;
    l->put_sent = true;
}

static void l1_grant(unsigned sm, unsigned line, const struct packet *p)
{
    struct l1_line *l = &w.l1[sm][line];
    uint32_t asked = l->pending;
    bool data = p->kind != HD_MSG_ACK_M;

    if (asked == 0)
        fail_msg("cycle %llu: grant %u of line %u to SM %u, which has not asked", (unsigned long long)w.cycle, p->kind,
                 line, sm);
    assert_int_equal(p->tid, l->tid);
    assert_int_equal(p->opid, l->opid);
    assert_int_equal(p->lanes, P_LaneMasks ? l->lanes : 0);
    assert_int_equal(p->wmask, data ? FULL_MASK : 0);
    assert_true(asked == HD_MSG_GETS ? p->kind == HD_MSG_DATA_S || p->kind == HD_MSG_DATA_E
                : asked == HD_MSG_GETM ? p->kind == HD_MSG_DATA_M
                                       : p->kind == HD_MSG_DATA_M || p->kind == HD_MSG_ACK_M);
    l->pending = 0;
    w.grants++;
    if (data) {
        check_data("grant", line, p->data);
        if (asked == HD_MSG_UPG) {
            assert_int_equal(l->state, I); /* the L2 knows every copy there is */
            w.upg_got_data++;
        }
        memcpy(l->data, p->data, sizeof l->data);
    } else if (l->lost_by_inv) {
        fail_msg("cycle %llu: line %u SM %u: ACK_M though its copy was invalidated", (unsigned long long)w.cycle,
                 line, sm);
    }
    if (p->kind != HD_MSG_DATA_S) {
        l->put_sent = false;
        l->written = 0;
    }
    if (p->kind == HD_MSG_ACK_M && l->state != S) { /* dropped meanwhile: give back, ask again */
        w.lost_copy++;
        l1_send(sm, line, HD_MSG_PUTE, 0);
        l->put_sent = true;
        l1_request(sm, line, HD_MSG_GETM);
        return;
    }
    l->state = p->kind == HD_MSG_DATA_S ? S : p->kind == HD_MSG_DATA_E ? E : M;
    check_single_writer(line);
    if (l->state == M)
        l1_write(sm, line);
}

/* The SM takes the oldest packet of its inbox. */
static void l1_take(unsigned sm)
{
    struct packet p = *front(&w.inbox[sm]);
    unsigned line = line_of(p.addr);
    struct l1_line *l = &w.l1[sm][line];

    pop(&w.inbox[sm]);
    switch (p.kind) {
    case HD_MSG_INV:
        assert_true(l->state <= S);
        w.inv_of_nothing += l->state == I;
        l->lost_by_inv = true;
        l->state = I;
        l1_send(sm, line, HD_MSG_INV_ACK, p.tid);
        break;
    case HD_MSG_FETCH:
    case HD_MSG_FETCH_INV:
        if (l->state >= E) {
            l1_send(sm, line, l->state == M ? HD_MSG_RSP_DATA : HD_MSG_RSP_CLEAN, p.tid);
            l->state = p.kind == HD_MSG_FETCH ? S : I;
            l->written = 0;
        } else {
            if (!l->put_sent)
                fail_msg("cycle %llu: fetch of line %u from SM %u, which never owned it", (unsigned long long)w.cycle,
                         line, sm);
            w.fetch_crossed_put++;
            l1_send(sm, line, HD_MSG_RSP_NONE, p.tid);
        }
        break;
    default:
        l1_grant(sm, line, &p);
    }
    if (l->state != I)
        check_data("copy", line, l->data);
}

static void l1_act(unsigned sm)
{
    unsigned line = (unsigned)(chance(w.pace.hot) ? hd_rand_below(3) : hd_rand_below(LINES));
    struct l1_line *l = &w.l1[sm][line];

    switch (l->state) {
    case I:
        if (l->pending == 0)
            l1_request(sm, line, chance(w.pace.read) ? HD_MSG_GETS : HD_MSG_GETM);
        break;
    case S:
        check_data("read", line, l->data);
        if (chance(l->pending ? 24 : 8))
            l->state = I; /* silent, also while an upgrade is under way */
        else if (l->pending == 0 && chance(40))
            l1_request(sm, line, HD_MSG_UPG);
        break;
    default:
        check_data("read", line, l->data);
        if (chance(24))
            l1_write(sm, line);
        else if (chance(32))
            l1_put(sm, line);
    }
}

/* ---- links and memory ------------------------------------------------------------------------ */

/* Chooses one flit to send up, if any. A network's packet is sent to its end before the next. */
static void drive_up(void)
{
    unsigned first = (unsigned)hd_rand_below(2);

    *w.d.up_valid_i = 0;
    for (unsigned vn = 0; vn < 2; vn++) {
        unsigned start = (unsigned)hd_rand_below(SMS);
        for (unsigned i = 0; i < SMS && !w.busy[vn]; i++) {
            struct queue *q = &(vn == HD_UP_REQ ? w.req : w.rsp)[(start + i) % SMS];
            if (q->count && chance(vn == HD_UP_REQ ? w.pace.req : w.pace.rsp)) {
                w.sending[vn] = *front(q);
                pop(q);
                w.busy[vn] = true;
                w.flit[vn] = 0;
            }
        }
    }
    for (unsigned k = 0; k < 2; k++) {
        unsigned vn = first ^ k;
        const struct packet *p = &w.sending[vn];
        if (!w.busy[vn] || w.up_credits[vn] == 0 || (w.flit[vn] != 0 && w.pace.rsp == 0))
            continue;
        memset(w.d.up_flit_i, 0, FLIT_U * 4);
        if (w.flit[vn] == 0) {
            put_head(w.d.up_flit_i, p);
            w.up_sent_cycle = w.cycle;
        } else {
            for (unsigned i = 0; i < 8; i++)
                put_word(w.d.up_flit_i, i, p->data[8 * (w.flit[vn] - 1) + i]);
        }
        do
            w.flit[vn]++;
        while (w.flit[vn] <= DATA_FLITS && !(p->wmask >> 8 * (w.flit[vn] - 1) & 0xff));
        *w.d.up_valid_i = 1;
        *w.d.up_vn_i = (uint8_t)vn;
        *w.d.up_tail_i = w.flit[vn] > DATA_FLITS;
        w.busy[vn] = w.flit[vn] <= DATA_FLITS;
        w.up_credits[vn]--;
        return;
    }
}

static void drive_memory(void)
{
    *w.d.mreq_credit_i = 0;
    *w.d.mrsp_valid_i = 0;
    if (w.mem_count && chance(w.pace.mem_take) && w.answer_count < 16) {
        struct mem_req r = w.mem[0];
        unsigned line = line_of(r.addr);
        memmove(w.mem, w.mem + 1, --w.mem_count * sizeof *w.mem);
        *w.d.mreq_credit_i = 1;
        w.mem_credits_used--;
        if (r.write) {
            memcpy(w.memory[line], r.data, sizeof r.data);
        } else {
            memcpy(r.data, w.memory[line], sizeof r.data);
            w.answer[w.answer_count++] = r;
        }
    }
    if (w.answer_count && w.answers_out < P_MemCredits && chance(w.pace.mem_answer)) {
        unsigned i = (unsigned)hd_rand_below(w.answer_count); /* reads of different lines in any order */
        *w.d.mrsp_valid_i = 1;
        *w.d.mrsp_tid_i = (uint8_t)w.answer[i].tid;
        for (unsigned k = 0; k < LW; k++)
            put_word(w.d.mrsp_data_i, k, w.answer[i].data[k]);
        memmove(w.answer + i, w.answer + i + 1, (--w.answer_count - i) * sizeof *w.answer);
        w.answers_out++;
    }
}

static void sample_dn(void)
{
    if (!*w.d.dn_valid_o)
        return;
    w.dn_flits++;
    w.last_dn_cycle = w.cycle;
    w.dn_owed++;
    assert_int_equal(*w.d.dn_vn_o, HD_DOWN_FWD);
    assert_true(++w.dn_outstanding <= P_TxCredits);
    if (!w.coming_body) {
        get_head(w.d.dn_flit_o, &w.coming);
        w.last_dn_head_cycle = w.cycle;
        w.coming_left = w.coming.wmask;
    } else {
        unsigned k = 0;
        while (!(w.coming_left >> 8 * k & 0xff))
            k++;
        for (unsigned i = 0; i < 8; i++)
            w.coming.data[8 * k + i] = get_word(w.d.dn_flit_o, i);
        w.coming_left &= ~(UINT32_C(0xff) << 8 * k);
    }
    assert_int_equal(*w.d.dn_tail_o, w.coming_left == 0);
    w.coming_body = w.coming_left != 0;
    if (!w.coming_body) {
        assert_int_equal(w.coming.src, PART);
        assert_true(w.coming.dst < SMS && w.coming.kind >= HD_MSG_DATA_S && w.coming.kind <= HD_MSG_FETCH_INV);
        w.got[w.coming.kind]++;
        push(&w.inbox[w.coming.dst], &w.coming);
    }
}

static void sample_memory(void)
{
    struct mem_req r;
    unsigned line;

    w.answers_out -= *w.d.mrsp_credit_o;
    if (!*w.d.mreq_valid_o)
        return;
    w.mreq_cycle = w.cycle;
    r = (struct mem_req){*w.d.mreq_write_o, *w.d.mreq_addr_o, *w.d.mreq_tid_o, {0}};
    line = line_of(r.addr);
    assert_true(++w.mem_credits_used <= P_MemCredits);
    if (r.write) {
        for (unsigned i = 0; i < LW; i++)
            r.data[i] = get_word(w.d.mreq_data_o, i);
        check_data("write to memory", line, r.data);
        w.writes++;
    } else {
        for (unsigned s = 0; s < SMS; s++) { /* inclusive: what the L2 lacks, no L1 has */
            if (w.l1[s][line].state != I)
                fail_msg("cycle %llu: line %u is read from memory while SM %u has it", (unsigned long long)w.cycle,
                         line, s);
        }
        assert_true(r.tid < P_L2Mshr);
        for (unsigned i = 0; i < w.mem_count; i++)
            assert_true(w.mem[i].write || w.mem[i].tid != r.tid);
        for (unsigned i = 0; i < w.answer_count; i++)
            assert_true(w.answer[i].tid != r.tid);
        w.reads++;
    }
    w.mem[w.mem_count++] = r;
}

/* With idle_o and quiet inputs an edge must not change a single bit of the model. */
static void check_idle_is_honest(void)
{
    size_t size;
    void *before = hd_model_save(w.d.m, &size), *after;

    hd_edge(w.d.m);
    after = hd_model_save(w.d.m, &size);
    assert_memory_equal(before, after, size);
    assert_int_equal(*w.d.ev_o, 0);
    free(before);
    free(after);
    w.idle_checks++;
}

static void step(void)
{
    const bool partly = w.busy[HD_UP_RSP]; /* the first flits of a packet are in the tile */

    drive_up();
    drive_memory();
    *w.d.dn_credit_i = w.dn_owed && chance(w.pace.dn_credit);
    w.dn_owed -= *w.d.dn_credit_i;
    w.dn_outstanding -= *w.d.dn_credit_i;
    hd_eval(w.d.m);
    assert_true(!partly || !*w.d.idle_o);
    if (*w.d.idle_o && !*w.d.up_valid_i && !*w.d.mreq_credit_i && !*w.d.mrsp_valid_i && !*w.d.dn_credit_i &&
        !*w.d.flush_i)
        check_idle_is_honest();
    else
        hd_edge(w.d.m);
    *w.d.flush_i = 0;
    for (unsigned vn = 0; vn < 2; vn++) {
        w.up_credits[vn] += *w.d.up_credit_o >> vn & 1;
        assert_true(w.up_credits[vn] <= P_RxDepth);
    }
    sample_dn();
    sample_memory();
    for (unsigned e = 0; e < HD_EV_L2_NUM; e++)
        w.ev[e] += *w.d.ev_o >> e & 1;
    for (unsigned s = 0; s < SMS; s++) {
        if (w.inbox[s].count && chance(w.pace.inbox))
            l1_take(s);
    }
    if (w.requests != w.grants && w.cycle - w.last_dn_cycle > 20000)
        fail_msg("deadlock: %u requests, %u grants, nothing came down since cycle %llu", w.requests, w.grants,
                 (unsigned long long)w.last_dn_cycle);
    w.cycle++;
}

static void steps(unsigned n)
{
    while (n--)
        step();
}

static bool quiet(void)
{
    for (unsigned s = 0; s < SMS; s++) {
        if (w.req[s].count || w.rsp[s].count || w.inbox[s].count)
            return false;
        for (unsigned l = 0; l < LINES; l++) {
            if (w.l1[s][l].pending)
                return false;
        }
    }
    return !w.busy[0] && !w.busy[1] && !w.mem_count && !w.answer_count && !w.dn_owed && *w.d.idle_o;
}

static const struct pace FAST = {0, 64, 64, 64, 64, 64, 64, 32, 32};

/* No new operations: everything that is under way ends. */
static void drain(void)
{
    unsigned cycles = 0, grants = w.grants;

    w.pace = FAST;
    while (!quiet()) {
        step();
        if (grants != w.grants)
            cycles = 0, grants = w.grants;
        if (++cycles > 5000) {
            for (unsigned s = 0; s < SMS; s++) {
                for (unsigned l = 0; l < LINES; l++) {
                    if (w.l1[s][l].pending)
                        print_message("SM %u waits for line %u, kind %u\n", s, l, w.l1[s][l].pending);
                }
            }
            fail_msg("no end: %u requests, %u grants, idle %u", w.requests, w.grants, *w.d.idle_o);
        }
    }
    assert_int_equal(w.requests, w.grants);
    assert_int_equal(w.up_credits[0], P_RxDepth);
    assert_int_equal(w.up_credits[1], P_RxDepth);
    assert_int_equal(w.dn_outstanding, 0);
    assert_int_equal(w.mem_credits_used, 0);
    assert_int_equal(w.answers_out, 0);
}

static int setup(void **state)
{
    (void)state;
    memset(&w, 0, sizeof w);
    hd_l2_tile_open(&w.d);
    hd_reset(w.d.m);
    *w.d.part_id_i = PART;
    hd_eval(w.d.m);
    w.up_credits[0] = w.up_credits[1] = P_RxDepth;
    w.pace = FAST;
    for (unsigned l = 0; l < LINES; l++) {
        for (unsigned i = 0; i < LW; i++)
            w.golden[l][i] = w.memory[l][i] = fresh_value();
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    hd_close(w.d.m);
    return 0;
}

static void no_assertion_fired(void)
{
    assert_int_equal(hd_assert_failures(w.d.m), 0);
}

static unsigned state_of(unsigned sm, unsigned line)
{
    return w.l1[sm][line].state;
}

static void request_done(unsigned sm, unsigned line, uint32_t kind)
{
    l1_request(sm, line, kind);
    drain();
}

/* ---- directed ----------------------------------------------------------------------------------- */

static void a_hit_is_granted_and_a_miss_asks_memory_three_edges_after_the_request(void **state)
{
    uint64_t sent;

    (void)state;
    w.pace.mem_answer = 0;
    l1_request(0, 0, HD_MSG_GETS);
    for (sent = 0; !w.mreq_cycle; sent = w.up_sent_cycle)
        step();
    assert_int_equal(w.mreq_cycle - sent, 3);
    w.pace = FAST;
    step(); /* memory answers in this cycle */
    sent = w.cycle - 1;
    drain();
    assert_int_equal(state_of(0, 0), E);
    assert_int_equal(w.last_dn_head_cycle - sent, 4); /* memory's answer to the grant */
    request_done(1, 0, HD_MSG_GETS); /* E -> fetch -> S, S */
    assert_int_equal(state_of(0, 0), S);
    assert_int_equal(state_of(1, 0), S);
    request_done(2, 0, HD_MSG_GETS);
    assert_int_equal(w.last_dn_head_cycle - w.up_sent_cycle, 3);
    no_assertion_fired();
}

static void grants_leave_back_to_back(void **state)
{
    uint64_t first;

    (void)state;
    request_done(0, 0, HD_MSG_GETS);
    request_done(1, 0, HD_MSG_GETS);
    w.dn_flits = 0;
    for (unsigned round = 0; round < 4; round++) {
        w.l1[0][0].state = w.l1[1][0].state = w.l1[2][0].state = I; /* silent drops */
        for (unsigned s = 0; s < 3; s++) {
            struct packet p = {.kind = HD_MSG_GETS, .src = s, .dst = PART, .addr = addr_of(0)};
            w.l1[s][0].pending = HD_MSG_GETS;
            w.l1[s][0].tid = w.l1[s][0].opid = w.l1[s][0].lanes = 0;
            push(&w.req[s], &p);
            w.requests++;
        }
        w.pace.inbox = 0;
        for (first = 0; w.dn_flits < 3 * (1 + DATA_FLITS);) {
            step();
            if (w.dn_flits == 1 && !first)
                first = w.last_dn_cycle;
        }
        if (P_TxCredits > 1)
            assert_int_equal(w.last_dn_cycle - first + 1, 3 * (1 + DATA_FLITS));
        drain();
        w.dn_flits = 0;
    }
    no_assertion_fired();
}

static void an_upgrade_is_granted_without_data(void **state)
{
    (void)state;
    request_done(0, 1, HD_MSG_GETS);
    request_done(1, 1, HD_MSG_GETS);
    request_done(2, 1, HD_MSG_GETS);
    request_done(0, 1, HD_MSG_UPG);
    assert_int_equal(w.got[HD_MSG_INV], 2);
    assert_int_equal(w.got[HD_MSG_ACK_M], 1);
    assert_int_equal(state_of(0, 1), M);
    assert_int_equal(state_of(1, 1), I);
    no_assertion_fired();
}

static void an_upgrade_whose_copy_was_invalidated_gets_data(void **state)
{
    (void)state;
    request_done(0, 1, HD_MSG_GETS);
    request_done(1, 1, HD_MSG_GETS);
    l1_request(0, 1, HD_MSG_UPG);
    while (w.req[0].count || w.busy[0])
        step();
    l1_request(1, 1, HD_MSG_UPG); /* loses: behind SM 0 in the chain */
    drain();
    assert_int_equal(w.upg_got_data, 1);
    assert_int_equal(state_of(1, 1), M);
    no_assertion_fired();
}

static void an_upgrade_of_a_dropped_copy_is_given_back_and_asked_again(void **state)
{
    (void)state;
    request_done(0, 1, HD_MSG_GETS);
    request_done(1, 1, HD_MSG_GETS);
    l1_request(0, 1, HD_MSG_UPG);
    w.l1[0][1].state = I;
    w.pace.rsp = 0; /* the PUTE is late: the GETM comes from the recorded owner */
    w.l1[1][1].state = I;
    w.pace.inbox = 64;
    steps(30);
    assert_int_equal(w.lost_copy, 0); /* SM 1's INV_ACK is still missing */
    w.pace.rsp = 64;
    while (!w.lost_copy)
        step();
    w.pace.rsp = 0;
    steps(40);
    assert_int_equal(w.l1[0][1].pending, HD_MSG_GETM);
    drain();
    assert_int_equal(state_of(0, 1), M);
    no_assertion_fired();
}

static void a_request_of_the_owner_waits_for_its_put(void **state)
{
    (void)state;
    request_done(0, 2, HD_MSG_GETM);
    w.pace.rsp = 0;
    l1_put(0, 2);
    l1_request(0, 2, HD_MSG_GETS);
    steps(50);
    assert_int_equal(w.grants, 1);
    drain();
    assert_int_equal(state_of(0, 2), E);
    w.pace.rsp = 0;
    l1_put(0, 2);
    l1_request(0, 2, HD_MSG_GETM);
    steps(50);
    assert_int_equal(w.grants, 2);
    drain();
    assert_int_equal(state_of(0, 2), M);
    assert_int_equal(w.got[HD_MSG_FETCH] + w.got[HD_MSG_FETCH_INV], 0);
    no_assertion_fired();
}

static void a_fetch_that_crossed_a_put_finds_nothing_and_data_is_kept(void **state)
{
    (void)state;
    request_done(0, 2, HD_MSG_GETM);
    w.pace.rsp = 0;
    l1_put(0, 2);
    l1_request(1, 2, HD_MSG_GETS);
    steps(30);
    assert_int_equal(w.got[HD_MSG_FETCH], 1);
    assert_int_equal(w.grants, 1);
    drain();
    assert_int_equal(w.sent[HD_MSG_RSP_NONE], 1);
    assert_int_equal(state_of(1, 2), E); /* with the data of the PUTM, checked at the grant */
    no_assertion_fired();
}

static void requests_for_a_line_are_served_in_arrival_order(void **state)
{
    (void)state;
    if (P_L2Mshr < 3)
        return;
    w.pace.mem_answer = 0;
    for (unsigned s = 0; s < 3; s++) { /* 2, 0, 1 */
        l1_request((s + 2) % 3, 0, HD_MSG_GETM);
        steps(20);
    }
    assert_int_equal(w.ev[HD_EV_L2_CHAINED], 2);
    assert_int_equal(w.ev[HD_EV_L2_MISS], 1);
    w.pace = FAST;
    for (unsigned s = 0; s < 3; s++) {
        while (w.grants < s + 1)
            step();
        assert_int_equal(state_of((s + 2) % 3, 0), M);
    }
    drain();
    no_assertion_fired();
}

/* Fills set 0 with owned lines and asks for one more from there. */
static void start_recall(void)
{
    for (unsigned i = 0; i < WAYS; i++)
        request_done(0, i * SETS, HD_MSG_GETM);
    w.pace.rsp = 0;
    l1_request(1, WAYS * SETS, HD_MSG_GETS);
    steps(30);
    assert_int_equal(w.got[HD_MSG_FETCH_INV], 1);
    assert_int_equal(state_of(0, 0), I); /* the least recently used one */
}

static void eviction_recalls_the_least_recently_used_line_and_writes_it_back(void **state)
{
    (void)state;
    start_recall();
    drain();
    assert_int_equal(w.writes, 1);
    assert_int_equal(w.reads, WAYS + 1);
    assert_int_equal(w.ev[HD_EV_L2_RECALL], 1);
    for (unsigned i = 1; i < WAYS; i++)
        assert_int_equal(state_of(0, i * SETS), M);
    request_done(2, 0, HD_MSG_GETS); /* comes back from memory, data checked */
    no_assertion_fired();
}

static void a_request_for_a_line_on_its_way_out_waits(void **state)
{
    (void)state;
    start_recall();
    l1_request(2, 0, HD_MSG_GETS);
    steps(40);
    assert_true(w.ev[HD_EV_L2_STALL] > 20);
    assert_int_equal(w.reads, WAYS);
    drain();
    assert_int_equal(w.reads, WAYS + 2);
    no_assertion_fired();
}

static void a_request_for_the_line_coming_in_is_chained_during_the_recall(void **state)
{
    (void)state;
    if (P_L2Mshr < 2)
        return;
    start_recall();
    l1_request(2, WAYS * SETS, HD_MSG_GETS);
    steps(40);
    assert_int_equal(w.ev[HD_EV_L2_CHAINED], 1);
    drain();
    assert_int_equal(w.reads, WAYS + 1);
    assert_int_equal(state_of(1, WAYS * SETS), S);
    assert_int_equal(state_of(2, WAYS * SETS), S);
    no_assertion_fired();
}

static void a_put_that_crosses_a_recall_is_merged_and_written(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WAYS; i++)
        request_done(0, i * SETS, HD_MSG_GETM);
    w.pace.rsp = 0;
    l1_put(0, 0);
    l1_request(1, WAYS * SETS, HD_MSG_GETS);
    steps(30);
    assert_int_equal(w.sent[HD_MSG_RSP_NONE], 1);
    drain();
    assert_int_equal(w.writes, 1); /* data checked against the last written */
    no_assertion_fired();
}

static void shared_victims_are_invalidated_even_if_dropped(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WAYS; i++) {
        request_done(0, i * SETS, HD_MSG_GETS);
        request_done(1, i * SETS, HD_MSG_GETS);
    }
    w.l1[0][0].state = I;
    request_done(2, WAYS * SETS, HD_MSG_GETM);
    assert_int_equal(w.got[HD_MSG_INV], 2);
    assert_int_equal(w.inv_of_nothing, 1);
    assert_int_equal(state_of(1, 0), I);
    assert_int_equal(w.writes, 0); /* clean */
    no_assertion_fired();
}

static void flush_l1s(void)
{
    for (unsigned s = 0; s < SMS; s++) {
        for (unsigned l = 0; l < LINES; l++) {
            if (w.l1[s][l].state >= E)
                l1_put(s, l);
            w.l1[s][l].state = I;
        }
    }
    drain();
}

static void flush_l2(void)
{
    *w.d.flush_i = 1;
    step();
    assert_int_equal(*w.d.idle_o, 0);
    drain();
    for (unsigned l = 0; l < LINES; l++)
        check_data("memory after flush", l, w.memory[l]);
}

static void flush_writes_every_dirty_line_once_and_keeps_it(void **state)
{
    unsigned reads;

    (void)state;
    for (unsigned i = 0; i < SETS * WAYS; i++)
        request_done(i % SMS, i, i % 3 ? HD_MSG_GETM : HD_MSG_GETS);
    flush_l1s();
    assert_int_equal(w.writes, 0);
    flush_l2();
    assert_int_equal(w.writes, SETS * WAYS - (SETS * WAYS + 2) / 3);
    reads = w.reads;
    for (unsigned i = 0; i < SETS * WAYS; i++)
        request_done(0, i, HD_MSG_GETS);
    assert_int_equal(w.reads, reads);
    flush_l1s();
    w.writes = 0;
    flush_l2();
    assert_int_equal(w.writes, 0);
    no_assertion_fired();
}

static void a_reset_wins_over_a_flush(void **state)
{
    (void)state;
    *w.d.rst_i = *w.d.flush_i = 1;
    hd_edge(w.d.m);
    *w.d.rst_i = *w.d.flush_i = 0;
    hd_eval(w.d.m);
    assert_int_equal(*w.d.idle_o, 1);
    no_assertion_fired();
}

static void a_packet_that_has_come_in_part_keeps_the_tile_busy(void **state)
{
    (void)state;
    request_done(0, 0, HD_MSG_GETM);
    l1_put(0, 0);
    while (w.flit[HD_UP_RSP] != 1)
        step();
    w.pace.rsp = 0;
    steps(20); /* each one looks at idle_o */
    assert_true(w.busy[HD_UP_RSP]);
    drain();
    no_assertion_fired();
}

static void messages_the_protocol_excludes_trip_assertions(void **state)
{
    (void)state;
    if (!hd_has_asserts(w.d.m))
        return;
    request_done(0, 0, HD_MSG_GETM);
    w.l1[1][0].state = M;
    l1_send(1, 0, HD_MSG_PUTM, 0); /* of an L1 that does not own the line */
    steps(20);
    assert_int_equal(hd_assert_failures(w.d.m), 1);
    l1_send(0, 1, HD_MSG_PUTE, 0); /* of a line the L2 does not have */
    steps(20);
    assert_int_equal(hd_assert_failures(w.d.m), 2);
    hd_assert_clear(w.d.m);
}

/* ---- random ---------------------------------------------------------------------------------------- */

static unsigned any_pace(void)
{
    static const unsigned paces[] = {64, 64, 40, 16, 4, 1};

    return paces[hd_rand_below(sizeof paces / sizeof *paces)];
}

static void counters_agree(void)
{
    assert_int_equal(w.ev[HD_EV_L2_GETS], w.sent[HD_MSG_GETS]);
    assert_int_equal(w.ev[HD_EV_L2_GETM], w.sent[HD_MSG_GETM]);
    assert_int_equal(w.ev[HD_EV_L2_UPG], w.sent[HD_MSG_UPG]);
    assert_int_equal(w.ev[HD_EV_L2_HIT] + w.ev[HD_EV_L2_MISS] + w.ev[HD_EV_L2_CHAINED], w.requests);
    assert_int_equal(w.ev[HD_EV_L2_MISS], w.reads);
    assert_int_equal(w.ev[HD_EV_L2_PUTM], w.sent[HD_MSG_PUTM]);
    assert_int_equal(w.ev[HD_EV_L2_PUTE], w.sent[HD_MSG_PUTE]);
    assert_int_equal(w.ev[HD_EV_L2_INV_SENT], w.got[HD_MSG_INV]);
    assert_int_equal(w.ev[HD_EV_L2_FETCH_SENT], w.got[HD_MSG_FETCH] + w.got[HD_MSG_FETCH_INV]);
    assert_int_equal(w.ev[HD_EV_L2_MEM_READ], w.reads);
    assert_int_equal(w.ev[HD_EV_L2_MEM_WRITE], w.writes);
    assert_int_equal(w.ev[HD_EV_L2_GRANT], w.grants);
    assert_int_equal(w.ev[HD_EV_L2_ACK_M], w.got[HD_MSG_ACK_M]);
    assert_int_equal(w.sent[HD_MSG_INV_ACK], w.got[HD_MSG_INV]);
}

static void at_least(const char *what, uint64_t got, uint64_t floor)
{
    if (got < floor)
        fail_msg("only %llu times %s, not %llu", (unsigned long long)got, what, (unsigned long long)floor);
}

static const char *name_of(unsigned kind)
{
    static const char *const names[] = {"none", "GETS", "GETM", "UPG", "PUTM", "PUTE", "RSP_DATA", "RSP_CLEAN",
                                        "RSP_NONE", "INV_ACK", "DATA_S", "DATA_E", "DATA_M", "ACK_M", "INV",
                                        "FETCH", "FETCH_INV"};

    return names[kind];
}

static void random_l1s_see_one_writer_and_the_last_value_and_nothing_is_lost(void **state)
{
    unsigned phases = SMS > 4 ? 120 : 300, active;

    (void)state;
    for (unsigned phase = 0; phase < phases; phase++) {
        w.pace = (struct pace){any_pace() / 2 + 1, any_pace(), any_pace(), any_pace(),
                               any_pace(), any_pace(), any_pace(),
                               phase % 3 ? 64 : 32, phase % 3 == 1 ? 56 : 32};
        active = phase % 4 ? SMS : 2; /* two alone upgrade more often */
        for (unsigned c = 0; c < 300; c++) {
            for (unsigned s = 0; s < active; s++) {
                if (chance(w.pace.op) && w.rsp[s].count < DEPTH / 2)
                    l1_act(s);
            }
            step();
        }
        if (phase % 10 == 9)
            drain();
        if (phase % 50 == 49) {
            flush_l1s();
            flush_l2();
        }
    }
    drain();
    flush_l1s();
    flush_l2();
    counters_agree();
    no_assertion_fired();

    for (unsigned kind = HD_MSG_GETS; kind <= HD_MSG_INV_ACK; kind++)
        at_least(name_of(kind), w.sent[kind], 5);
    for (unsigned kind = HD_MSG_DATA_S; kind <= HD_MSG_FETCH_INV; kind++)
        at_least(name_of(kind), w.got[kind], 5);
    at_least("UPG answered with data", w.upg_got_data, 5);
    at_least("ACK_M for a dropped copy", w.lost_copy, 1);
    at_least("INV of a dropped copy", w.inv_of_nothing, 10);
    at_least("fetch crossing a PUT", w.fetch_crossed_put, 5);
    at_least("request before the own PUT arrived", w.owner_asked_again, 5);
    at_least("recall", w.ev[HD_EV_L2_RECALL], 50);
    at_least("chained", w.ev[HD_EV_L2_CHAINED], P_L2Mshr > 1 ? 20 : 0);
    at_least("stall", w.ev[HD_EV_L2_STALL], 20);
    at_least("written back", w.writes, 50);
    at_least("idle edge checked", w.idle_checks, 20);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(a_hit_is_granted_and_a_miss_asks_memory_three_edges_after_the_request),
        TEST(grants_leave_back_to_back),
        TEST(an_upgrade_is_granted_without_data),
        TEST(an_upgrade_whose_copy_was_invalidated_gets_data),
        TEST(an_upgrade_of_a_dropped_copy_is_given_back_and_asked_again),
        TEST(a_request_of_the_owner_waits_for_its_put),
        TEST(a_fetch_that_crossed_a_put_finds_nothing_and_data_is_kept),
        TEST(requests_for_a_line_are_served_in_arrival_order),
        TEST(eviction_recalls_the_least_recently_used_line_and_writes_it_back),
        TEST(a_request_for_a_line_on_its_way_out_waits),
        TEST(a_request_for_the_line_coming_in_is_chained_during_the_recall),
        TEST(a_put_that_crosses_a_recall_is_merged_and_written),
        TEST(shared_victims_are_invalidated_even_if_dropped),
        TEST(flush_writes_every_dirty_line_once_and_keeps_it),
        TEST(a_reset_wins_over_a_flush),
        TEST(a_packet_that_has_come_in_part_keeps_the_tile_busy),
        TEST(random_l1s_see_one_writer_and_the_last_value_and_nothing_is_lost),
        TEST(messages_the_protocol_excludes_trip_assertions),
    };

    return HD_UNIT_MAIN(argc, argv, tests);
}
