/* test_hd_denovo_bank.c - the L2 bank of family DENOVO against memory and three L1s in C, which own words, write them when
 * they have them, give them to each other and back.
 *
 * A word has one value, held by the bank, an L1 or memory: whoever gets it must get that value. A forward must find its
 * word at the L1 it goes to, or on its way there; a writeback is acknowledged behind the forwards decided before it. */
/* dut: hd_denovo_bank LineWords=8 Sets=2 Ways=2 MshrEntries=3 PartBits=1 WordW=32 Owed=6 Bonus=1 */
/* dut-rtl: hd_denovo_bank LineWords=16 Sets=2 Ways=2 MshrEntries=1 PartBits=0 WordW=64 Owed=6 Bonus=0 */
/* dut-rtl: hd_denovo_bank LineWords=16 Sets=2 Ways=4 MshrEntries=16 PartBits=2 WordW=32 Owed=6 Bonus=1 */
#include "hd_unit.h"
#include "hd_denovo_bank_dut.h"
#include "hd_bits.h"

enum {
    WORDS = P_LineWords, W = P_WordW, LINES = 11, SMS = 3, BACKS = 2, READS = 3, QUEUE = 256, CYCLES = 60000, ROUNDS = 10
};
static unsigned part; /* moves with the places */
#define PART part
#include "bank_places.h"

enum state { NONE, ASKED, HAVE };

struct message {
    unsigned kind, line, tid, asker;   /* asker: of a forward who gets the words; else who sent it */
    uint32_t mask, due;
    bool sync;
    uint64_t data[WORDS];
};

struct l1 {
    enum state st[LINES][WORDS];
    struct { bool on, sync, recall; unsigned to; } next[LINES][WORDS]; /* who gets an asked word when it has come */
    struct { bool used; unsigned line; uint32_t mask; } back[BACKS];
    struct { uint32_t left, refused; unsigned line; } read[READS];
    uint32_t asked_sync[LINES];
    struct message fw[QUEUE];          /* forwards, in order */
    unsigned fws;
};

static struct hd_denovo_bank d;
static struct {
    uint32_t now, next_value;
    uint64_t val[LINES][WORDS], memory[LINES][WORDS];
    struct l1 l1[SMS];
    struct message req[QUEUE], rsp[QUEUE], direct[QUEUE]; /* to the bank; between L1s (asker: to whom) */
    unsigned reqs, rsps, directs;
    int rsp_at;
    struct { unsigned line, tid; uint32_t due; } mem[QUEUE];
    unsigned mems, credits;
    bool claimed;
    uint32_t told[SMS][LINES];          /* words that the bank told have a new owner, and that have not come to it */
    uint64_t seen[64], events[HD_EV_L2_NUM], frozen, to_wb, queued;
    uint64_t taken[64], answers, forwards, reads, writes; /* requests by kind, packets that left, of memory */
} s;

static uint64_t fresh(void)
{
    const uint32_t x = ++s.next_value * 2654435761u;

    return W == 32 ? x : (uint64_t)x << 32 | (uint32_t)hd_rand();
}

static void put(struct message *queue, unsigned *n, struct message m)
{
    assert_true(*n < QUEUE);
    m.due = s.now + (uint32_t)hd_rand_below(16);
    queue[(*n)++] = m;
}

static void drop(struct message *queue, unsigned *n, unsigned at)
{
    memmove(&queue[at], &queue[at + 1], (--*n - at) * sizeof *queue);
}

/* The id of an operation of SM @sm, which comes back with what belongs to it. */
static unsigned opid_of(unsigned sm, unsigned line, unsigned tid)
{
    return (0x5a5u + sm * 4099u + line * 97u + tid * 771u) & ((1u << HD_HEAD_OPID_W) - 1);
}

/* Bits of its mask that say nothing here: behind those of words, and where only a forward names an SM. */
static uint32_t beside(unsigned sm, unsigned line, unsigned tid)
{
    return opid_of(sm, line, tid) * UINT32_C(2654435761) & ~(uint32_t)((UINT64_C(1) << WORDS) - 1) & ~(UINT32_C(15) << HD_COH_SYNC);
}

/* ---- L1s ----------------------------------------------------------------------------------------------------------- */

/* Words leave L1 @i: to L1 @to, or to the bank. */
static void give(unsigned line, uint32_t mask, bool recall, bool sync, unsigned to, unsigned i)
{
    struct message m = {.kind = recall ? HD_MSG_RECALL_DATA : sync ? HD_MSG_REG_DATA : HD_MSG_REG_ACK, .line = line, .mask = mask,
                        .asker = recall ? i : to};

    if (!mask)
        return;
    memcpy(m.data, s.val[line], sizeof m.data);
    if (recall)
        put(s.rsp, &s.rsps, m);
    else
        put(s.direct, &s.directs, m);
}

static void forwarded(unsigned i, const struct message *m)
{
    struct l1 *c = &s.l1[i];
    uint32_t here = 0, later = 0;

    if (m->kind == HD_MSG_WB_ACK) {
        assert_true(m->tid < BACKS && c->back[m->tid].used && c->back[m->tid].line == m->line);
        c->back[m->tid].used = false;
        return;
    }
    for (unsigned w = 0; w < WORDS; w++) {
        bool back = false;
        if (!(m->mask >> w & 1))
            continue;
        for (unsigned b = 0; b < BACKS; b++)
            back |= c->back[b].used && c->back[b].line == m->line && c->back[b].mask >> w & 1;
        s.to_wb += back;
        if (c->st[m->line][w] == HAVE || back)
            here |= 1u << w;
        else if (c->st[m->line][w] == ASKED)
            later |= 1u << w;
        else
            fail_msg("cycle %u: forward %u of line %u word %u finds nothing at SM %u", s.now, m->kind, m->line, w, i);
        if (m->kind == HD_MSG_FWD_READ)
            continue;
        if (c->st[m->line][w] == HAVE)
            c->st[m->line][w] = NONE;
        else if (!back) {
            assert_true(!c->next[m->line][w].on);
            c->next[m->line][w].on = true, c->next[m->line][w].sync = m->sync;
            c->next[m->line][w].recall = m->kind == HD_MSG_RECALL, c->next[m->line][w].to = m->asker;
            s.queued++;
        }
    }
    if (m->kind != HD_MSG_FWD_READ) {
        give(m->line, here, m->kind == HD_MSG_RECALL, m->sync, m->asker, i);
        return;
    }
    struct message data = {.kind = HD_MSG_DATA_S, .line = m->line, .mask = here, .tid = m->tid, .asker = m->asker}, nack = data;
    memcpy(data.data, s.val[m->line], sizeof data.data);
    nack.kind = HD_MSG_NACK, nack.mask = later;
    if (here)
        put(s.direct, &s.directs, data);
    if (later)
        put(s.direct, &s.directs, nack);
}

/* Answers, of the bank or of another L1, to L1 @i. */
static void answered(unsigned i, const struct message *m, bool of_bank)
{
    struct l1 *c = &s.l1[i];

    s.seen[m->kind]++;
    if (m->kind == HD_MSG_DATA_S || m->kind == HD_MSG_NACK) {
        assert_true(m->tid < READS && c->read[m->tid].line == m->line && (of_bank || !(m->mask & ~c->read[m->tid].left)));
        if (m->kind == HD_MSG_NACK)
            c->read[m->tid].refused |= m->mask;
        else
            c->read[m->tid].left &= ~m->mask;
        if (of_bank && !P_Bonus)
            assert_int_equal(m->mask & ~c->read[m->tid].left & ~m->mask, 0);
        return;
    }
    for (unsigned w = 0; w < WORDS; w++) {
        if (!(m->mask >> w & 1))
            continue;
        assert_int_equal(c->st[m->line][w], ASKED);
        if (W > 32)
            assert_true(s.told[i][m->line] >> w & 1);
        s.told[i][m->line] &= ~(1u << w);
        assert_int_equal(m->kind, c->asked_sync[m->line] >> w & 1 ? HD_MSG_REG_DATA : HD_MSG_REG_ACK);
        if (m->kind == HD_MSG_REG_DATA)
            assert_true(m->data[w] == s.val[m->line][w]);
        s.val[m->line][w] = fresh();
        c->st[m->line][w] = HAVE;
        if (c->next[m->line][w].on) {
            c->next[m->line][w].on = false;
            c->st[m->line][w] = NONE;
            give(m->line, 1u << w, c->next[m->line][w].recall, c->next[m->line][w].sync, c->next[m->line][w].to, i);
        }
    }
}

static void ask(unsigned i, unsigned kind, unsigned line, uint32_t mask, unsigned tid, bool sync)
{
    put(s.req, &s.reqs, (struct message){.kind = kind, .line = line, .mask = mask, .tid = tid, .sync = sync, .asker = i});
    if (s.reqs > 1 && s.req[s.reqs - 2].due > s.req[s.reqs - 1].due)
        s.req[s.reqs - 1].due = s.req[s.reqs - 2].due;
}

static void act(bool quiet)
{
    const unsigned i = (unsigned)hd_rand_below(SMS), line = (unsigned)hd_rand_below(quiet ? LINES : 1 + s.now / 1000 % LINES);
    const unsigned what = (unsigned)hd_rand_below(8);
    const uint32_t some = (uint32_t)hd_bits_random_mask(WORDS);
    struct l1 *c = &s.l1[i];
    uint32_t none = 0, have = 0, asked = 0, reads = 0;
    bool back = false;

    for (unsigned w = 0; w < WORDS; w++) {
        none |= (uint32_t)(c->st[line][w] == NONE) << w;
        have |= (uint32_t)(c->st[line][w] == HAVE) << w;
        asked |= (uint32_t)(c->st[line][w] == ASKED) << w;
        if (c->st[line][w] == HAVE && hd_rand_below(4) == 0)
            s.val[line][w] = fresh();
    }
    for (unsigned b = 0; b < BACKS; b++)
        back |= c->back[b].used && c->back[b].line == line;
    for (unsigned r = 0; r < READS; r++) /* a word that is being read is not registered before it has come */
        reads |= c->read[r].left && c->read[r].line == line ? c->read[r].left : 0;
    for (unsigned r = 0; r < READS; r++)
        if (c->read[r].refused && hd_rand_below(8) == 0 && s.reqs < QUEUE / 2) {
            ask(i, HD_MSG_GETS, c->read[r].line, c->read[r].refused, r, false);
            c->read[r].refused = 0;
        }
    if (s.reqs > 12 || back)
        return;
    none &= ~reads;
    if (!quiet && what < 3 && (none & some)) {
        for (unsigned r = 0; r < READS; r++)
            if (!c->read[r].left) {
                c->read[r].left = none & some, c->read[r].line = line;
                ask(i, HD_MSG_GETS, line, none & some, r, false);
                break;
            }
    } else if (!quiet && what < 6 && (none & some)) {
        const bool sync = hd_rand_below(2);
        for (unsigned w = 0; w < WORDS; w++)
            if ((none & some) >> w & 1)
                c->st[line][w] = ASKED;
        c->asked_sync[line] = (c->asked_sync[line] & ~(none & some)) | (sync ? none & some : 0);
        ask(i, HD_MSG_REG, line, none & some, 0, sync);
    } else if ((quiet || what == 6) && have && !asked) {
        for (unsigned b = 0; b < BACKS; b++)
            if (!c->back[b].used) {
                struct message m = {.kind = HD_MSG_WB, .line = line, .mask = have, .tid = b, .asker = i};
                memcpy(m.data, s.val[line], sizeof m.data);
                put(s.rsp, &s.rsps, m);
                c->back[b].used = true, c->back[b].line = line, c->back[b].mask = have;
                for (unsigned w = 0; w < WORDS; w++)
                    if (have >> w & 1)
                        c->st[line][w] = NONE;
                break;
            }
    }
}

static void l1s(bool quiet)
{
    for (unsigned n = 0; n < s.directs;)
        if (s.direct[n].due <= s.now) {
            struct message m = s.direct[n];
            drop(s.direct, &s.directs, n);
            answered(m.asker, &m, false);
        } else
            n++;
    for (unsigned i = 0; i < SMS; i++)
        if (s.l1[i].fws > 0 && s.l1[i].fw[0].due <= s.now) {
            struct message m = s.l1[i].fw[0];
            drop(s.l1[i].fw, &s.l1[i].fws, 0);
            forwarded(i, &m);
        }
    act(quiet);
}

/* ---- ports --------------------------------------------------------------------------------------------------------- */

/* In which its flits are counted: that of a request goes on to its answers and forwards. */
static unsigned class_of(const struct message *m)
{
    switch (m->kind) {
    case HD_MSG_GETS:
    case HD_MSG_DATA_S:
    case HD_MSG_FWD_READ:
        return HD_COH_READ;
    case HD_MSG_REG_DATA:
        return HD_COH_ATOMIC;
    case HD_MSG_REG_ACK:
        return HD_COH_REGISTRATION;
    case HD_MSG_REG:
    case HD_MSG_FWD_REG:
        return m->sync ? HD_COH_ATOMIC : HD_COH_REGISTRATION;
    default:
        return HD_COH_WRITE;
    }
}

static void drive(void *head, const struct message *m)
{
    memset(head, 0, (HD_HEAD_W + 31) / 32 * 4);
    hd_bits_put(head, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, m->kind);
    hd_bits_put(head, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, places.node[m->asker]);
    hd_bits_put(head, HD_HEAD_DST_LSB, HD_HEAD_DST_W, PART);
    hd_bits_put(head, HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W, HD_END_L2);
    hd_bits_put(head, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, addr_of(m->line));
    hd_bits_put(head, HD_HEAD_TID_LSB, HD_HEAD_TID_W, m->tid);
    hd_bits_put(head, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, opid_of(m->asker, m->line, m->tid));
    hd_bits_put(head, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W, m->mask | beside(m->asker, m->line, m->tid));
    hd_bits_put(head, HD_HEAD_WMASK_LSB + HD_COH_SYNC, 1, m->sync);
    hd_bits_put(head, HD_HEAD_WMASK_LSB + HD_COH_CLS, HD_COH_CLS_W, class_of(m));
}

static struct message packet(const void *head, unsigned *to)
{
    *to = sm_of((unsigned)hd_bits_get(head, HD_HEAD_DST_LSB, HD_HEAD_DST_W));
    assert_int_equal(hd_bits_get(head, HD_HEAD_SRC_KIND_LSB, HD_HEAD_SRC_KIND_W), HD_END_L2);
    assert_int_equal(hd_bits_get(head, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W), PART);
    assert_int_equal(hd_bits_get(head, HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W), HD_END_SM);
    const struct message m = {.kind = (unsigned)hd_bits_get(head, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W),
                              .line = line_of((uint32_t)hd_bits_get(head, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W)),
                              .tid = (unsigned)hd_bits_get(head, HD_HEAD_TID_LSB, HD_HEAD_TID_W),
                              .mask = (uint32_t)hd_bits_get(head, HD_HEAD_WMASK_LSB, WORDS),
                              .sync = hd_bits_get(head, HD_HEAD_WMASK_LSB + HD_COH_SYNC, 1),
                              .asker = (unsigned)hd_bits_get(head, HD_HEAD_WMASK_LSB + HD_COH_REQ, HD_HEAD_SRC_W)};
    assert_int_equal(hd_bits_get(head, HD_HEAD_WMASK_LSB + HD_COH_CLS, HD_COH_CLS_W), class_of(&m));
    return m;
}

static void see_outputs(void)
{
    unsigned to;

    if (*d.idle_o)
        assert_true(!*d.rs_valid_o && !*d.fw_valid_o && !*d.mreq_valid_o && hd_bits_get(d.ev_o, 0, HD_EV_L2_NUM) == 0);
    if (*d.rs_valid_o && *d.rs_ready_i) {
        struct message m = packet(d.rs_head_o, &to);
        for (unsigned w = 0; w < WORDS; w++) {
            m.data[w] = hd_bits_get(d.rs_data_o, w * W, W);
            if (m.mask >> w & 1 && m.kind != HD_MSG_REG_ACK && m.data[w] != s.val[m.line][w])
                fail_msg("cycle %u: line %u word %u: the bank gives 0x%llx, its value is 0x%llx", s.now, m.line, w,
                         (unsigned long long)m.data[w], (unsigned long long)s.val[m.line][w]);
        }
        s.answers++;
        assert_int_equal(hd_bits_get(d.rs_head_o, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W), opid_of(to, m.line, m.tid));
        assert_int_equal(hd_bits_get(d.rs_head_o, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W) & ~(uint64_t)m.mask & ~(UINT64_C(15) << HD_COH_SYNC),
                         beside(to, m.line, m.tid));
        answered(to, &m, true);
    }
    if (*d.fw_valid_o && *d.fw_ready_i) {
        struct message m = packet(d.fw_head_o, &to);
        struct l1 *c = &s.l1[to];
        s.seen[m.kind]++;
        s.forwards += m.kind != HD_MSG_WB_ACK;
        if (m.kind == HD_MSG_FWD_READ || m.kind == HD_MSG_FWD_REG)
            m.asker = sm_of(m.asker);
        if (m.kind != HD_MSG_RECALL)
            assert_int_equal(hd_bits_get(d.fw_head_o, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W),
                             m.kind == HD_MSG_WB_ACK ? 0 : opid_of(m.asker, m.line, m.tid));
        put(c->fw, &c->fws, m);
        if (c->fws > 1 && c->fw[c->fws - 2].due > c->fw[c->fws - 1].due)
            c->fw[c->fws - 1].due = c->fw[c->fws - 2].due; /* in order */
    }
}

static void memory(unsigned m)
{
    assert_int_equal(*d.mreq_valid_o, s.claimed);
    s.claimed = *d.mreq_claim_o;
    assert_true(!s.claimed || *d.mreq_ok_i);
    s.credits -= s.claimed;
    if (*d.mreq_valid_o) {
        const unsigned line = line_of(*d.mreq_addr_o);
        s.credits++;
        *(*d.mreq_write_o ? &s.writes : &s.reads) += 1;
        for (unsigned w = 0; w < WORDS && *d.mreq_write_o; w++) {
            s.memory[line][w] = hd_bits_get(d.mreq_data_o, w * W, W);
            assert_true(s.memory[line][w] == s.val[line][w]); /* nobody owns a word of a line that leaves */
        }
        if (!*d.mreq_write_o) {
            assert_true(*d.mreq_tid_o < P_MshrEntries); /* all of its bits name an entry, which waits for nothing else */
            for (unsigned n = 0; n < s.mems; n++)
                assert_int_not_equal(s.mem[n].tid, *d.mreq_tid_o);
            s.mem[s.mems].line = line, s.mem[s.mems].tid = *d.mreq_tid_o;
            s.mem[s.mems++].due = s.now + (uint32_t)hd_rand_below(20);
        }
    }
    if (*d.mrsp_valid_i && *d.mrsp_ready_o)
        memmove(&s.mem[m], &s.mem[m + 1], (--s.mems - m) * sizeof s.mem[0]);
}

static bool busy(void)
{
    bool any = s.reqs || s.rsps || s.directs || s.mems || s.claimed || !*d.idle_o;

    for (unsigned i = 0; i < SMS; i++) {
        any |= s.l1[i].fws > 0;
        for (unsigned r = 0; r < READS; r++)
            any |= s.l1[i].read[r].left != 0;
        for (unsigned b = 0; b < BACKS; b++)
            any |= s.l1[i].back[b].used;
        for (unsigned n = 0; n < LINES * WORDS; n++)
            any |= s.l1[i].st[n / WORDS][n % WORDS] != NONE;
    }
    return any;
}

static void cycle(bool quiet)
{
    unsigned m = 0;

    l1s(quiet);
    *d.req_valid_i = s.reqs > 0 && s.req[0].due <= s.now;
    if (*d.req_valid_i)
        drive(d.req_head_i, &s.req[0]);
    if (s.rsp_at < 0)
        for (unsigned n = 0, start = (unsigned)hd_rand_below(QUEUE); n < s.rsps && s.rsp_at < 0; n++)
            if (s.rsp[(start + n) % s.rsps].due <= s.now)
                s.rsp_at = (int)((start + n) % s.rsps);
    *d.rsp_valid_i = s.rsp_at >= 0;
    if (*d.rsp_valid_i) {
        drive(d.rsp_head_i, &s.rsp[s.rsp_at]);
        for (unsigned w = 0; w < WORDS; w++)
            hd_bits_put(d.rsp_data_i, w * W, W, s.rsp[s.rsp_at].data[w]);
    }
    while (m < s.mems && s.mem[m].due > s.now)
        m++;
    *d.mrsp_valid_i = m < s.mems;
    if (m < s.mems) {
        *d.mrsp_tid_i = (uint8_t)s.mem[m].tid;
        for (unsigned w = 0; w < WORDS; w++)
            hd_bits_put(d.mrsp_data_i, w * W, W, s.memory[s.mem[m].line][w]);
    }
    *d.mreq_ok_i = s.credits > 0 && hd_rand_below(4) != 0;
    *d.rs_ready_i = hd_rand_below(4) > s.now / 700 % 3, *d.fw_ready_i = hd_rand_below(4) > s.now / 900 % 3;
    hd_eval(d.m);
    if (*d.idle_o && !*d.req_valid_i && !*d.rsp_valid_i && !*d.mrsp_valid_i && !*d.flush_i && hd_rand_below(4) == 0) {
        hd_assert_frozen(d.m);
        s.frozen++;
    }
    see_outputs();
    memory(m);
    if (*d.rsp_valid_i && *d.rsp_ready_o) {
        s.seen[s.rsp[s.rsp_at].kind]++;
        drop(s.rsp, &s.rsps, (unsigned)s.rsp_at);
        s.rsp_at = -1;
    }
    if (*d.req_valid_i && *d.req_ready_o) {
        s.taken[s.req[0].kind]++;
        drop(s.req, &s.reqs, 0);
    }
    hd_edge(d.m);
    s.now++;
    assert_true(W > 32 || !*d.obs_valid_o);
    if (*d.obs_valid_o) {
        uint32_t *told = &s.told[sm_of(*d.obs_src_o)][line_of(*d.obs_addr_o)], mask = (uint32_t)hd_bits_get(d.obs_mask_o, 0, WORDS);
        assert_true(mask != 0 && (*told & mask) == 0);
        *told |= mask;
    }
    for (unsigned e = 0; e < HD_EV_L2_NUM; e++)
        s.events[e] += hd_bits_get(d.ev_o, e, 1);
}

static void move(void)
{
    part = (unsigned)hd_rand_below(1u << P_PartBits);
    *d.part_id_i = (uint8_t)part;
    move_places(false);
}

static void words_have_one_value_wherever_they_are(void **state)
{
    (void)state;
    memset(&s, 0, sizeof s);
    s.rsp_at = -1;
    s.credits = 4;
    hd_denovo_bank_open(&d);
    hd_reset(d.m);
    move();
    for (unsigned l = 0; l < LINES; l++)
        for (unsigned w = 0; w < WORDS; w++)
            s.val[l][w] = s.memory[l][w] = fresh();
    for (unsigned round = 0; round < ROUNDS; round++) {
        while (s.now % (CYCLES / ROUNDS) != CYCLES / ROUNDS - 1)
            cycle(false);
        for (unsigned n = 0; busy(); n++) {
            if (n > 20000)
                fail_msg("it does not come to rest: %u requests, %u responses, %u between L1s", s.reqs, s.rsps, s.directs);
            cycle(true);
        }
        *d.flush_i = 1;
        cycle(true);
        *d.flush_i = 0;
        while (busy())
            cycle(true);
        for (unsigned l = 0; l < LINES; l++)
            for (unsigned w = 0; w < WORDS; w++)
                assert_true(s.memory[l][w] == s.val[l][w]);
        cycle(true);
        move(); /* the bank is at rest, no word is registered and no line dirty */
    }
    static const unsigned kinds[] = {HD_MSG_DATA_S, HD_MSG_NACK, HD_MSG_REG_DATA, HD_MSG_REG_ACK, HD_MSG_FWD_READ, HD_MSG_FWD_REG,
                                     HD_MSG_RECALL, HD_MSG_WB_ACK, HD_MSG_WB, HD_MSG_RECALL_DATA};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (s.seen[kinds[i]] < 50)
            fail_msg("message %u was seen %llu times", kinds[i], (unsigned long long)s.seen[kinds[i]]);
    const uint64_t counted[HD_EV_L2_NUM] = {[HD_EV_L2_GETS] = s.taken[HD_MSG_GETS], [HD_EV_L2_REG] = s.taken[HD_MSG_REG],
        [HD_EV_L2_MISS] = s.reads, [HD_EV_L2_MEM_READ] = s.reads, [HD_EV_L2_MEM_WRITE] = s.writes, [HD_EV_L2_GRANT] = s.answers,
        [HD_EV_L2_FWD] = s.forwards};
    static const uint32_t others = 1u << HD_EV_L2_HIT | 1u << HD_EV_L2_CHAINED | 1u << HD_EV_L2_STALL | 1u << HD_EV_L2_WB
                                   | 1u << HD_EV_L2_RECALL;
    for (unsigned e = 0; e < HD_EV_L2_NUM; e++)
        if (others >> e & 1 ? s.events[e] == 0 && P_MshrEntries > 1 : s.events[e] != counted[e])
            fail_msg("event %u: %llu, not %llu", e, (unsigned long long)s.events[e], (unsigned long long)counted[e]);
    assert_true(s.to_wb > 10 && s.queued > 50 && s.frozen > 20);
    assert_true(s.events[HD_EV_L2_MISS] > 100 && s.events[HD_EV_L2_STALL] > 100 && s.events[HD_EV_L2_MEM_WRITE] > 50);
    assert_true(s.events[HD_EV_L2_CHAINED] > 50 || P_MshrEntries == 1);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(words_have_one_value_wherever_they_are)};

    return HD_UNIT_MAIN(argc, argv, t);
}
