/* test_hd_l2_denovo.c - an L2 tile of family DENOVO through its links: a READ fetches the line, a registration gives words
 * away, a READ of theirs is forwarded, a writeback brings them home and is acknowledged behind that; then random ones at
 * once, under want of credits, with all bits of heads and words. */
/* dut: hd_l2_denovo Sms=3 WbEntries=2 LineWords=8 WordW=32 Sets=2 Ways=2 MshrEntries=3 PartBits=6 RxDepth=8 TxCredits=8 FlitWords=4 */
#include "hd_unit.h"
#include "hd_l2_denovo_dut.h"
#include "hd_head.h"

enum {
    WORDS = P_LineWords, FLITS = WORDS / P_FlitWords, FLIT = 32 * P_FlitWords, PART = 1,
    ADDR = (0x155 << P_PartBits | PART) * WORDS * 4
};

struct packet {
    unsigned vn, kind, to, tid, asker;
    uint32_t mask, data[WORDS];
    bool sync;
};

static struct hd_l2_denovo d;
static unsigned got_flits[HD_NETS];
static uint32_t got[HD_NETS][1 + FLITS][P_FlitWords];

/* Takes the flit that comes. @return true when a packet is complete, in *p, its head in @head. */
static bool receive(struct packet *p, uint32_t *head)
{
    const unsigned vn = *d.dn_vn_o;
    const uint32_t *h = got[vn][0];

    assert_true(vn < HD_NETS && got_flits[vn] <= FLITS);
    for (unsigned i = 0; i < P_FlitWords; i++)
        got[vn][got_flits[vn]][i] = (uint32_t)hd_bits_get(d.dn_flit_o, 32 * i, 32);
    got_flits[vn]++;
    if (!*d.dn_tail_o)
        return false;
    *p = (struct packet){.vn = vn, .kind = (unsigned)hd_bits_get(h, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W),
                         .to = (unsigned)hd_bits_get(h, HD_HEAD_DST_LSB, HD_HEAD_DST_W),
                         .tid = (unsigned)hd_bits_get(h, HD_HEAD_TID_LSB, HD_HEAD_TID_W),
                         .mask = (uint32_t)hd_bits_get(h, HD_HEAD_WMASK_LSB, WORDS),
                         .sync = hd_bits_get(h, HD_HEAD_WMASK_LSB + HD_COH_SYNC, 1),
                         .asker = (unsigned)hd_bits_get(h, HD_HEAD_WMASK_LSB + HD_COH_REQ, HD_HEAD_SRC_W)};
    for (unsigned f = 1, w = 0; w < WORDS && f < got_flits[vn]; w += P_FlitWords)
        if (p->mask >> w & ((1u << P_FlitWords) - 1))
            memcpy(&p->data[w], got[vn][f++], sizeof got[vn][0]);
    memcpy(head, h, sizeof got[vn][0]);
    got_flits[vn] = 0;
    return true;
}

/* A cycle; takes a flit that comes. @return true when a packet is complete, in *p. */
static bool cycle(struct packet *p)
{
    uint32_t head[P_FlitWords];
    bool whole;

    hd_eval(d.m);
    whole = *d.dn_valid_o && receive(p, head);
    if (whole)
        assert_int_equal(hd_bits_get(head, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W), ADDR);
    const unsigned credit = *d.dn_valid_o ? 1u << *d.dn_vn_o : 0;
    hd_edge(d.m);
    *d.dn_credit_i = (uint8_t)credit;
    *d.up_valid_i = 0;
    return whole;
}

static struct packet next(void)
{
    struct packet p;

    for (unsigned n = 0; n < 100; n++) {
        *d.mrsp_valid_i = 0;
        if (cycle(&p))
            return p;
    }
    fail_msg("no packet in 100 cycles");
    return p;
}

static void send_flit(unsigned vn, bool tail, const uint32_t *bits)
{
    struct packet none;

    *d.up_valid_i = 1, *d.up_vn_i = (uint8_t)vn, *d.up_tail_i = tail;
    for (unsigned i = 0; i < P_FlitWords; i++)
        hd_bits_put(d.up_flit_i, 32 * i, 32, bits[i]);
    assert_false(cycle(&none));
}

static void send(unsigned vn, unsigned kind, unsigned from, unsigned tid, uint32_t mask, bool sync, const uint32_t *data)
{
    uint32_t h[P_FlitWords] = {0};

    hd_bits_put(h, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
    hd_bits_put(h, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, from);
    hd_bits_put(h, HD_HEAD_DST_LSB, HD_HEAD_DST_W, PART);
    hd_bits_put(h, HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W, HD_END_L2);
    hd_bits_put(h, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, ADDR);
    hd_bits_put(h, HD_HEAD_TID_LSB, HD_HEAD_TID_W, tid);
    hd_bits_put(h, HD_HEAD_WMASK_LSB, WORDS, mask);
    hd_bits_put(h, HD_HEAD_WMASK_LSB + HD_COH_SYNC, 1, sync);
    send_flit(vn, !data, h);
    for (unsigned w = 0, last = 0; data && w < WORDS; w += P_FlitWords) {
        for (unsigned v = w + P_FlitWords; v < WORDS; v += P_FlitWords)
            last |= (mask >> v & ((1u << P_FlitWords) - 1)) != 0;
        if (mask >> w & ((1u << P_FlitWords) - 1))
            send_flit(vn, !last, &data[w]);
        last = 0;
    }
}

static void a_word_goes_to_its_owner_and_comes_home(void **state)
{
    struct packet p;
    uint32_t mine[WORDS];

    (void)state;
    hd_l2_denovo_open(&d);
    hd_reset(d.m);
    *d.part_id_i = PART;
    *d.mreq_ok_i = 1;
    send(HD_VN_REQ, HD_MSG_GETS, 2, 9, 0x0f, false, NULL);
    while (!*d.mreq_valid_o)
        assert_false(cycle(&p));
    assert_true(!*d.mreq_write_o && *d.mreq_addr_o == ADDR);
    const unsigned tid = *d.mreq_tid_o;
    assert_false(cycle(&p));
    *d.mrsp_valid_i = 1, *d.mrsp_tid_i = (uint8_t)tid;
    for (unsigned w = 0; w < WORDS; w++)
        hd_bits_put(d.mrsp_data_i, 32 * w, 32, 100 + w);
    hd_eval(d.m);
    assert_true(*d.mrsp_ready_o);
    assert_false(cycle(&p));
    p = next();
    assert_true(p.vn == HD_VN_RSP && p.kind == HD_MSG_DATA_S && p.to == 2 && p.tid == 9 && (p.mask & 0x0f) == 0x0f);
    for (unsigned w = 0; w < 4; w++)
        assert_int_equal(p.data[w], 100 + w);
    send(HD_VN_REQ, HD_MSG_REG, 1, 0, 0x30, true, NULL); /* words 4 and 5 with their values */
    p = next();
    assert_true(p.vn == HD_VN_RSP && p.kind == HD_MSG_REG_DATA && p.to == 1 && p.mask == 0x30);
    assert_true(p.data[4] == 104 && p.data[5] == 105);
    send(HD_VN_REQ, HD_MSG_GETS, 2, 8, 0x10, false, NULL); /* the owner is asked */
    p = next();
    assert_true(p.vn == HD_VN_FWD && p.kind == HD_MSG_FWD_READ && p.to == 1 && p.mask == 0x10 && p.asker == 2 && p.tid == 8);
    send(HD_VN_REQ, HD_MSG_REG, 0, 0, 0x20, true, NULL); /* another takes word 5 */
    p = next();
    assert_true(p.vn == HD_VN_FWD && p.kind == HD_MSG_FWD_REG && p.to == 1 && p.mask == 0x20 && p.asker == 0 && p.sync);
    for (unsigned w = 0; w < WORDS; w++)
        mine[w] = 700 + w;
    send(HD_VN_RSP, HD_MSG_WB, 1, 1, 0x30, false, mine); /* word 4 is its own, 5 is not any more */
    p = next();
    assert_true(p.vn == HD_VN_FWD && p.kind == HD_MSG_WB_ACK && p.to == 1 && p.tid == 1);
    send(HD_VN_REQ, HD_MSG_GETS, 2, 7, 0x30, false, NULL);
    p = next();
    struct packet q = next();
    if (p.vn == HD_VN_FWD) {
        const struct packet x = p;
        p = q, q = x;
    }
    assert_true(p.kind == HD_MSG_DATA_S && (p.mask & 0x30) == 0x10 && p.data[4] == 704 && p.tid == 7);
    assert_true(q.kind == HD_MSG_FWD_READ && q.to == 0 && q.mask == 0x20 && q.asker == 2);
    for (unsigned n = 0; n < 20; n++)
        assert_false(cycle(&p));
    assert_true(*d.idle_o);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

/* ---- random requests and writebacks of three SMs, several at once ------------------------------ */

enum { SMS = 3, LINES = P_Sets * P_Ways, WANTED = 64, FLIGHT = 32, NOBODY = SMS };

/* A packet that must come: all bits of its head, but for words that may come beside those of @mask. */
struct wanted {
    unsigned vn;
    uint32_t head[P_FlitWords], mask, may, data[WORDS];
    bool words;
};

static struct {
    unsigned part, sm[SMS], owner[LINES][WORDS];
    uint32_t tag[LINES], val[LINES][WORDS];
    bool dirty[LINES], fetched[LINES], busy[LINES];
    struct wanted wanted[WANTED];
    struct { unsigned vn; bool tail; uint32_t bits[P_FlitWords]; } out[FLIGHT * (1 + FLITS)]; /* flits to be sent */
    unsigned wants, outs, credits[HD_NETS], taken[HD_NETS];   /* taken: flits that came and hold a credit */
    struct { unsigned line, tid; } mem[LINES];
    unsigned mems, writes, kinds[64];
    bool claimed, answering;
    uint64_t events[HD_EV_L2_NUM];
} s;

static uint32_t address(unsigned line)
{
    return ((s.tag[line] * P_Sets + line % P_Sets) << P_PartBits | s.part) * WORDS * 4;
}

/* A message of line @line between this partition and SM @sm; @mask: all bits of the mask. */
static void make(uint32_t *head, unsigned kind, bool up, unsigned sm, unsigned line, unsigned tid, unsigned opid, uint32_t mask)
{
    const struct hd_end a = HD_SM(s.sm[sm]), b = HD_L2(s.part);

    memset(head, 0, P_FlitWords * sizeof *head);
    hd_head_put(head, kind, up ? a : b, up ? b : a);
    hd_bits_put(head, HD_HEAD_TID_LSB, HD_HEAD_TID_W, tid);
    hd_bits_put(head, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, opid);
    hd_bits_put(head, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, address(line));
    hd_bits_put(head, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W, mask);
}

static struct wanted *want(unsigned vn)
{
    struct wanted *w = &s.wanted[s.wants++];

    assert_true(s.wants <= WANTED);
    *w = (struct wanted){.vn = vn};
    return w;
}

static void queue_packet(unsigned vn, const uint32_t *head, uint32_t mask, const uint32_t *data)
{
    unsigned first = s.outs;

    memcpy(s.out[s.outs++].bits, head, sizeof s.out[0].bits);
    for (unsigned w = 0; data && w < WORDS; w += P_FlitWords)
        if (mask >> w & ((1u << P_FlitWords) - 1))
            memcpy(s.out[s.outs++].bits, &data[w], sizeof s.out[0].bits);
    for (; first < s.outs; first++) {
        s.out[first].vn = vn;
        s.out[first].tail = first + 1 == s.outs;
    }
}

/* SM @i asks for words of @line that it does not own: to read them, or to own them from now on. */
static void ask(unsigned i, unsigned line, bool own)
{
    const unsigned tid = (unsigned)hd_rand_below(1u << HD_TID_W), opid = (unsigned)hd_rand_below(1u << HD_OPID_W);
    const bool sync = hd_rand_below(2);
    uint32_t mask = (uint32_t)hd_bits_random_mask(WORDS), head[P_FlitWords], home = 0, theirs[SMS + 1] = {0};
    const uint32_t coh = (uint32_t)sync << HD_COH_SYNC | (uint32_t)hd_rand_below(4) << HD_COH_CLS;

    for (unsigned w = 0; w < WORDS; w++) {
        if (s.owner[line][w] == i)
            mask &= ~(1u << w);
        home |= (uint32_t)(s.owner[line][w] == NOBODY) << w;
    }
    if (mask == 0)
        return;
    for (unsigned w = 0; w < WORDS; w++)
        theirs[s.owner[line][w]] |= mask & 1u << w;
    make(head, own ? HD_MSG_REG : HD_MSG_GETS, true, i, line, tid, opid, mask | coh);
    queue_packet(HD_VN_REQ, head, 0, NULL);
    s.kinds[own ? HD_MSG_REG : HD_MSG_GETS]++;
    s.busy[line] = true;
    if (mask & home) {
        struct wanted *p = want(HD_VN_RSP);

        p->words = !own || sync;
        p->mask = mask & home;
        p->may = own ? mask & home : home;
        memcpy(p->data, s.val[line], sizeof p->data);
        make(p->head, !own ? HD_MSG_DATA_S : sync ? HD_MSG_REG_DATA : HD_MSG_REG_ACK, false, i, line, tid, opid, coh);
    }
    for (unsigned j = 0; j < SMS; j++)
        if (theirs[j])
            make(want(HD_VN_FWD)->head, own ? HD_MSG_FWD_REG : HD_MSG_FWD_READ, false, j, line, tid, opid,
                 theirs[j] | coh | s.sm[i] << HD_COH_REQ);
    for (unsigned w = 0; own && w < WORDS; w++)
        if (mask >> w & 1)
            s.owner[line][w] = i;
}

/* SM @i writes words of @line back; those that are its own come home. @all: all of its own. */
static void write_back(unsigned i, unsigned line, bool all)
{
    const unsigned tid = (unsigned)hd_rand_below(1u << HD_TID_W);
    uint32_t mask = (uint32_t)hd_bits_random_mask(WORDS), head[P_FlitWords], data[WORDS];

    for (unsigned w = 0; w < WORDS; w++) {
        data[w] = (uint32_t)hd_rand();
        if (s.owner[line][w] == i)
            mask |= (uint32_t)all << w;
    }
    for (unsigned w = 0; w < WORDS; w++)
        if ((mask >> w & 1) && s.owner[line][w] == i) {
            s.owner[line][w] = NOBODY;
            s.val[line][w] = data[w];
            s.dirty[line] = true;
        }
    make(head, HD_MSG_WB, true, i, line, tid, (unsigned)hd_rand_below(1u << HD_OPID_W), mask);
    queue_packet(HD_VN_RSP, head, mask, data);
    s.kinds[HD_MSG_WB]++;
    s.busy[line] = true;
    make(want(HD_VN_FWD)->head, HD_MSG_WB_ACK, false, i, line, tid, 0, (uint32_t)HD_COH_WRITE << HD_COH_CLS);
}

static void came(const struct packet *p, const uint32_t *head)
{
    for (unsigned n = 0; n < s.wants; n++) {
        struct wanted *w = &s.wanted[n];
        uint32_t all[P_FlitWords];

        memcpy(all, w->head, sizeof all);
        if (p->vn == HD_VN_RSP)
            hd_bits_put(all, HD_HEAD_WMASK_LSB, WORDS, p->mask);
        if (w->vn != p->vn || memcmp(all, head, sizeof all) != 0)
            continue;
        if (p->vn == HD_VN_RSP) {
            assert_true((p->mask & w->mask) == w->mask && (p->mask & ~w->may) == 0);
            for (unsigned k = 0; w->words && k < WORDS; k++)
                if (p->mask >> k & 1)
                    assert_int_equal(p->data[k], w->data[k]);
        }
        s.kinds[p->kind]++;
        *w = s.wanted[--s.wants];
        return;
    }
    fail_msg("nobody waits for the packet of kind %u to %u, words 0x%x", p->kind, p->to, p->mask);
}

static void memory(void)
{
    assert_int_equal(*d.mreq_valid_o, s.claimed);
    s.claimed = *d.mreq_claim_o;
    assert_true(!s.claimed || *d.mreq_ok_i);
    if (*d.mreq_valid_o) {
        unsigned line = 0;

        while (line < LINES && address(line) != *d.mreq_addr_o)
            line++;
        assert_true(line < LINES);
        if (*d.mreq_write_o) {
            assert_true(s.dirty[line]);
            s.dirty[line] = false;
            s.writes++;
            for (unsigned w = 0; w < WORDS; w++)
                assert_int_equal(hd_bits_get(d.mreq_data_o, 32 * w, 32), s.val[line][w]);
        } else {
            assert_false(s.fetched[line]);
            s.fetched[line] = true;
            assert_true(*d.mreq_tid_o < P_MshrEntries);
            s.mem[s.mems].line = line;
            s.mem[s.mems++].tid = *d.mreq_tid_o;
        }
    }
    if (*d.mrsp_valid_i && *d.mrsp_ready_o) {
        s.mem[0] = s.mem[--s.mems];
        s.answering = false;
    }
}

/* A cycle; @tight: credits come back late. */
static void any_cycle(bool tight)
{
    struct packet p;
    uint32_t head[P_FlitWords];
    unsigned f = 0;

    /* a flit of any network that has a credit, in order on each */
    *d.up_valid_i = 0;
    hd_bits_random(d.up_flit_i, FLIT);
    while (f < s.outs && s.credits[s.out[f].vn] == 0)
        f++;
    if (f < s.outs && hd_rand_below(8) != 0) {
        *d.up_valid_i = 1;
        *d.up_vn_i = (uint8_t)s.out[f].vn;
        *d.up_tail_i = s.out[f].tail;
        for (unsigned i = 0; i < P_FlitWords; i++)
            hd_bits_put(d.up_flit_i, 32 * i, 32, s.out[f].bits[i]);
        s.credits[s.out[f].vn]--;
        memmove(&s.out[f], &s.out[f + 1], (--s.outs - f) * sizeof s.out[0]);
    }
    *d.dn_credit_i = 0;
    for (unsigned vn = 0; vn < HD_NETS; vn++)
        if (s.taken[vn] != 0 && hd_rand_below(tight ? 24 : 2) == 0) {
            *d.dn_credit_i |= (uint8_t)(1u << vn);
            s.taken[vn]--;
        }
    *d.mreq_ok_i = hd_rand_below(4) == 0;
    s.answering = s.answering || (s.mems != 0 && hd_rand_below(16) == 0);
    *d.mrsp_valid_i = s.answering;
    hd_bits_random(d.mrsp_data_i, 32 * WORDS);
    if (s.answering) {
        *d.mrsp_tid_i = (uint8_t)s.mem[0].tid;
        for (unsigned w = 0; w < WORDS; w++)
            hd_bits_put(d.mrsp_data_i, 32 * w, 32, s.val[s.mem[0].line][w]);
    }
    hd_eval(d.m);
    memory();
    if (*d.dn_valid_o) {
        assert_true(s.taken[*d.dn_vn_o] < P_TxCredits);
        s.taken[*d.dn_vn_o]++;
        if (receive(&p, head))
            came(&p, head);
    }
    for (unsigned vn = 0; vn < HD_NETS; vn++) {
        s.credits[vn] += *d.up_credit_o >> vn & 1;
        assert_true(s.credits[vn] <= P_RxDepth);
    }
    for (unsigned e = 0; e < HD_EV_L2_NUM; e++)
        s.events[e] += hd_bits_get(d.ev_o, e, 1);
    /* words have no ghosts: nothing is observed */
    assert_true(*d.obs_valid_o == 0 && *d.obs_src_o == 0 && *d.obs_addr_o == 0 && *d.obs_mask_o == 0 && *d.obs_opid_o == 0);
    for (unsigned w = 0; w < WORDS; w++)
        assert_int_equal(hd_bits_get(d.obs_data_o, 32 * w, 32), 0);
    if (*d.idle_o && !*d.up_valid_i && !*d.dn_credit_i && !*d.mrsp_valid_i && !*d.flush_i && hd_rand_below(4) == 0)
        hd_assert_frozen(d.m);
    hd_edge(d.m);
}

/* Until nothing is under way and all credits are home. */
static void rest(bool tight)
{
    unsigned held = 1;

    for (unsigned t = 0; s.wants || s.outs || s.mems || s.claimed || held || !*d.idle_o; t++) {
        assert_true(t < 3000);
        any_cycle(tight);
        held = s.taken[HD_VN_REQ] + s.taken[HD_VN_FWD] + s.taken[HD_VN_RSP];
    }
    for (unsigned t = 0; t < 4; t++)
        any_cycle(tight);
    for (unsigned vn = 0; vn < HD_NETS; vn++)
        assert_int_equal(s.credits[vn], P_RxDepth);
    memset(s.busy, 0, sizeof s.busy);
}

static void random_messages_find_words_where_they_are(void **state)
{
    const uint32_t some = 1u << HD_EV_L2_GETS | 1u << HD_EV_L2_REG | 1u << HD_EV_L2_HIT | 1u << HD_EV_L2_MISS
                          | 1u << HD_EV_L2_CHAINED | 1u << HD_EV_L2_STALL | 1u << HD_EV_L2_WB | 1u << HD_EV_L2_FWD
                          | 1u << HD_EV_L2_GRANT
                          | 1u << HD_EV_L2_MEM_READ | 1u << HD_EV_L2_MEM_WRITE;
    uint64_t fetches = 0;

    (void)state;
    memset(&s, 0, sizeof s);
    memset(got_flits, 0, sizeof got_flits);
    hd_l2_denovo_open(&d);
    for (unsigned round = 0; round < 12; round++) {
        hd_reset(d.m);
        s.part = (unsigned)hd_rand_below(1u << P_PartBits);
        *d.part_id_i = (uint8_t)s.part;
        for (unsigned i = 0; i < SMS; i++)
            do
                s.sm[i] = (unsigned)hd_rand_below(1u << HD_NODE_W);
            while ((i > 0 && s.sm[i] == s.sm[0]) || (i > 1 && s.sm[i] == s.sm[1]));
        for (unsigned l = 0; l < LINES; l++) {
            s.tag[l] = ((uint32_t)hd_rand() & ~(LINES - 1u) & (UINT32_MAX >> (6 + P_PartBits))) | l; /* they differ */
            s.dirty[l] = s.fetched[l] = false;
            for (unsigned w = 0; w < WORDS; w++) {
                s.owner[l][w] = NOBODY;
                s.val[l][w] = (uint32_t)hd_rand();
            }
        }
        for (unsigned vn = 0; vn < HD_NETS; vn++)
            s.credits[vn] = P_RxDepth;
        for (unsigned batch = 0; batch < 6; batch++) {
            for (unsigned n = (unsigned)hd_rand_below(10); n > 0; n--)
                ask((unsigned)hd_rand_below(SMS), (unsigned)hd_rand_below(LINES), hd_rand_below(2));
            for (unsigned l = 0; l < LINES; l++) /* of lines that nobody asks for meanwhile */
                if (!s.busy[l] && s.fetched[l])
                    write_back((unsigned)hd_rand_below(SMS), l, false);
            rest(batch % 2);
        }
        for (unsigned l = 0; l < LINES; l++)
            for (unsigned i = 0; i < SMS && s.fetched[l]; i++)
                write_back(i, l, true);
        rest(false);
        *d.flush_i = 1;
        any_cycle(false);
        *d.flush_i = 0;
        rest(false);
        for (unsigned l = 0; l < LINES; l++) {
            assert_false(s.dirty[l]);
            fetches += s.fetched[l];
        }
    }
    assert_int_equal(s.events[HD_EV_L2_GETS], s.kinds[HD_MSG_GETS]);
    assert_int_equal(s.events[HD_EV_L2_REG], s.kinds[HD_MSG_REG]);
    assert_int_equal(s.events[HD_EV_L2_WB], s.kinds[HD_MSG_WB]);
    assert_int_equal(s.events[HD_EV_L2_FWD], s.kinds[HD_MSG_FWD_READ] + s.kinds[HD_MSG_FWD_REG]);
    assert_int_equal(s.events[HD_EV_L2_GRANT], s.kinds[HD_MSG_DATA_S] + s.kinds[HD_MSG_REG_DATA] + s.kinds[HD_MSG_REG_ACK]);
    assert_int_equal(s.events[HD_EV_L2_MISS], fetches);
    assert_int_equal(s.events[HD_EV_L2_MEM_READ], fetches);
    assert_int_equal(s.events[HD_EV_L2_MEM_WRITE], s.writes);
    for (unsigned e = 0; e < HD_EV_L2_NUM; e++)
        assert_true((some >> e & 1) || s.events[e] == 0);
    assert_true(s.events[HD_EV_L2_CHAINED] > 10 && s.events[HD_EV_L2_STALL] > 100 && s.writes > 20);
    assert_true(s.kinds[HD_MSG_FWD_READ] > 25 && s.kinds[HD_MSG_FWD_REG] > 25 && s.kinds[HD_MSG_WB_ACK] > 50);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(a_word_goes_to_its_owner_and_comes_home),
                                   cmocka_unit_test(random_messages_find_words_where_they_are)};

    return HD_UNIT_MAIN(argc, argv, t);
}
