/* test_hd_l2_shared.c - an L2 tile of each family with one bank through its links, among SMs and memory in C.
 *
 * SMs ask for lines, write words and answer what the directory asks of them; memory answers in any order, everybody waits
 * now and then. All bits of what comes down are known, and every line that comes down or goes to memory has the words
 * written last. After a flush memory has all of them. With Inclusive SMs of family GPU are told of lines that leave; with
 * Persist each marker is answered, when what non-volatile memory was given before it is durable. */
/* dut: hd_l2_shared Family=0 Sms=3 Lanes=8 LineWords=8 FlitWords=8 Sets=2 Ways=2 MshrEntries=3 WritePlaces=2 PartBits=1 */
/* dut: hd_l2_shared Family=1 Sms=3 Lanes=8 LineWords=8 FlitWords=8 Sets=2 Ways=2 MshrEntries=3 WritePlaces=2 PartBits=1 */
/* dut: hd_l2_shared Family=2 Sms=3 Lanes=8 LineWords=8 FlitWords=8 Sets=2 Ways=2 MshrEntries=3 WritePlaces=2 PartBits=1 */
/* dut-rtl: hd_l2_shared Family=0 Noc=1 UpNets=3 DownNets=3 Sms=3 Lanes=8 LineWords=8 FlitWords=8 Sets=2 Ways=2 MshrEntries=3 PartBits=1 Mac=1 MacEntries=8 MacWays=2 MacBusy=2 TypeReqs=2 SectorBytes=4096 */
/* dut-rtl: hd_l2_shared Family=2 Sms=3 Lanes=8 LineWords=8 FlitWords=8 Sets=2 Ways=2 MshrEntries=3 WritePlaces=2 PartBits=1 Inclusive=1 Persist=1 NvwDepth=4 */
/* dut-rtl: hd_l2_shared Family=2 Sms=3 Lanes=8 LineWords=8 FlitWords=8 Sets=2 Ways=2 MshrEntries=3 WritePlaces=2 PartBits=1 Inclusive=1 Persist=2 NvwDepth=4 Epochs=2 */
/* dut-rtl: hd_l2_shared Family=1 Sms=3 Lanes=8 LineWords=8 FlitWords=8 Sets=2 Ways=2 MshrEntries=3 WritePlaces=2 PartBits=1 Persist=1 NvwDepth=4 */
#include "hd_unit.h"
#include "hd_l2_shared_dut.h"
#include "hd_head.h"

#ifndef P_Noc
#define P_Noc HD_NOC_XBAR
#endif
#ifndef P_Persist
#define P_Persist 0
#endif
#ifndef P_Inclusive
#define P_Inclusive 0
#endif
#ifndef P_Mac
#define P_Mac 0
#define P_SectorBytes 4096
#endif
enum {
    SMS = P_Sms, WORDS = 8, FLIT = 8, LINES = 10, QUEUE = 64, CREDITS = 8, OFF = 5, ALL = 0xff,
    WRITTEN_THROUGH = 255, /* tid of a store whose words stay in their L1 */
    ROUNDS = 8, CYCLES = 1000, MESI = P_Family == HD_FAMILY_MESI, VI = P_Family == HD_FAMILY_VI,
    REQ = P_Noc == HD_NOC_MESH ? HD_VN_REQ : HD_UP_REQ, RSP = P_Noc == HD_NOC_MESH ? HD_VN_RSP : HD_UP_RSP,
    FWD = P_Noc == HD_NOC_MESH ? HD_VN_FWD : HD_DOWN_FWD
};
enum { I = HD_ST_I, S = HD_ST_S, E = HD_ST_E, M = HD_ST_M };

struct packet {
    unsigned kind, sm, line, tid, opid;
    uint32_t mask, data[WORDS];
};
struct queue {
    struct packet p[QUEUE];
    unsigned count;
    bool begun; /* the head of the first has been sent */
};

static struct hd_l2_shared d;
static struct {
    unsigned part, number[LINES];
    uint32_t value[LINES][WORDS], memory[LINES][WORDS];
    unsigned hold[SMS][LINES];
    struct packet asked[SMS][LINES]; /* kind MSG_NONE: nothing */
    struct queue req, rsp;
    unsigned req_credits, rsp_credits, owed, owe;
    uint32_t got[2][FLIT];
    unsigned got_flits;
    struct { unsigned line, tid; } read[P_MshrEntries];
    unsigned reads, answered, claimed; /* claimed: of which memory, 1, 2 non-volatile, 0 none */
    bool offered;
    struct packet mark[SMS];           /* kind MSG_NONE: no marker is out */
    struct { unsigned epoch, number; } write[QUEUE]; /* to non-volatile memory, not durable */
    unsigned writes, numbers;
} s;
static uint64_t sent[64], came[64], events[HD_EV_L2_NUM], memory_reads, memory_writes;
static uint64_t nv_reads, nv_writes, unanswered; /* ..., markers */
static uint64_t stuck, tids, refused; /* cycles without credits; MSHR entries seen, a bit each; answers of memory not taken */

static uint32_t addr_of(unsigned line)
{
    return (s.number[line] << P_PartBits | s.part) << OFF;
}

static unsigned line_of(uint32_t addr)
{
    for (unsigned l = 0; l < LINES; l++)
        if (addr_of(l) == addr)
            return l;
    fail_msg("0x%x is no line of the test", addr);
    return 0;
}

static bool is_nv(uint32_t addr)
{
    return P_Persist && addr >= *d.nv_base_i;
}

/* ---- SMs ---- */

static struct packet *push(struct queue *q, unsigned kind, unsigned sm, unsigned line, unsigned tid)
{
    struct packet *p = &q->p[q->count++];

    assert_true(q->count <= QUEUE);
    *p = (struct packet){.kind = kind, .sm = sm, .line = line, .tid = tid, .opid = (unsigned)hd_rand_below(1 << HD_OPID_W)};
    for (unsigned i = 0; i < WORDS; i++)
        p->data[i] = (uint32_t)hd_rand();
    return p;
}

/* The words of the mask are those of @p from now on. */
static void merge(const struct packet *p)
{
    for (unsigned i = 0; i < WORDS; i++)
        if (p->mask >> i & 1)
            s.value[p->line][i] = p->data[i];
}

/* An owner gives words back, by a PUTM or an answer. */
static void give(unsigned kind, unsigned sm, unsigned line, unsigned tid)
{
    struct packet *p = push(&s.rsp, kind, sm, line, tid);

    p->mask = (uint32_t)hd_bits_random_mask(WORDS);
    merge(p);
}

static void ask(unsigned sm, unsigned line)
{
    unsigned *hold = &s.hold[sm][line], kind;

    if (MESI && *hold >= E) {
        if (hd_rand_below(4))
            return;
        if (*hold == M || hd_rand_below(2))
            give(HD_MSG_PUTM, sm, line, (unsigned)hd_rand_below(1 << HD_TID_W));
        else
            push(&s.rsp, HD_MSG_PUTE, sm, line, 0);
        *hold = I;
        return;
    }
    if (P_Persist && s.mark[sm].kind == HD_MSG_NONE && hd_rand_below(16) == 0) {
        const struct packet *p = push(&s.req, HD_MSG_PMARK, sm, line, 0);
        if (P_Persist == 2 && (p->opid >> 6 & 3) != 2) { /* buffered, not of the kernel: no answer */
            unanswered++;
            return;
        }
        s.mark[sm] = *p;
        s.mark[sm].mask = s.numbers; /* the last write before it */
        return;
    }
    if (s.asked[sm][line].kind != HD_MSG_NONE)
        return;
    if (MESI)
        kind = *hold == S ? HD_MSG_UPG : hd_rand_below(4) ? HD_MSG_GETS : HD_MSG_GETM;
    else
        kind = (VI && *hold == S) || hd_rand_below(2) ? HD_MSG_WT : HD_MSG_GETS;
    struct packet *p = push(&s.req, kind, sm, line, (unsigned)hd_rand_below(1 << HD_TID_W));
    if (kind == HD_MSG_WT)
        p->mask = (uint32_t)hd_bits_random_mask(WORDS);
    s.asked[sm][line] = *p;
}

/* What an SM does with a packet. @return words that it holds. */
static uint32_t take(unsigned kind, unsigned sm, unsigned line, unsigned tid)
{
    unsigned *hold = &s.hold[sm][line], others = 0, owners = 0;
    const unsigned asked = s.asked[sm][line].kind;

    for (unsigned o = 0; o < SMS; o++)
        others += o != sm && s.hold[o][line] != I, owners += o != sm && s.hold[o][line] >= E;
    switch (kind) {
    case HD_MSG_INV:
        assert_true((MESI || VI || P_Inclusive) && *hold == S);
        push(&s.rsp, HD_MSG_INV_ACK, sm, line, tid);
        *hold = I;
        return 0;
    case HD_MSG_FETCH:
    case HD_MSG_FETCH_INV:
        assert_true(MESI && *hold != S);
        if (*hold == I)
            push(&s.rsp, HD_MSG_RSP_NONE, sm, line, tid); /* behind its PUT */
        else if (*hold == M || hd_rand_below(2))
            give(HD_MSG_RSP_DATA, sm, line, tid);
        else
            push(&s.rsp, HD_MSG_RSP_CLEAN, sm, line, tid);
        *hold = *hold != I && kind == HD_MSG_FETCH ? S : I;
        return 0;
    case HD_MSG_DATA_S:
        assert_true(asked == HD_MSG_GETS && (*hold == I || P_Inclusive) && owners == 0 && (!MESI || others > 0));
        *hold = P_Family == HD_FAMILY_GPU && !P_Inclusive ? I : S;
        return ALL;
    case HD_MSG_DATA_E:
        assert_true(MESI && asked == HD_MSG_GETS && *hold == I && others == 0);
        *hold = E;
        return ALL;
    case HD_MSG_DATA_M:
        assert_true(asked == HD_MSG_GETM || asked == HD_MSG_UPG);
        assert_true(*hold == I && others == 0);
        *hold = M;
        return ALL;
    case HD_MSG_ACK_M:
        assert_true(asked == HD_MSG_UPG && *hold == S && others == 0);
        *hold = M;
        return 0;
    case HD_MSG_WT_ACK:
        assert_true(asked == HD_MSG_WT && (!VI || others == 0));
        merge(&s.asked[sm][line]);
        if (P_Inclusive && tid == WRITTEN_THROUGH)
            *hold = S;
        return 0;
    default: fail_msg("message %u came", kind); return 0;
    }
}

/* The answer to a marker. */
static void see_pack(void)
{
    const uint32_t *h = s.got[0];
    const unsigned sm = (unsigned)hd_bits_get(h, HD_HEAD_DST_LSB, HD_HEAD_DST_W);

    assert_true(P_Persist && sm < SMS && s.mark[sm].kind == HD_MSG_PMARK && s.got_flits == 1);
    assert_int_equal(hd_bits_get(h, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W), s.mark[sm].opid);
    for (unsigned w = 0; w < s.writes; w++)
        assert_true(s.write[w].number > s.mark[sm].mask);
    s.mark[sm].kind = HD_MSG_NONE;
    came[HD_MSG_PACK]++;
}

static void see_packet(void)
{
    if (hd_bits_get(s.got[0], HD_HEAD_KIND_LSB, HD_HEAD_KIND_W) == HD_MSG_PACK) {
        see_pack();
        return;
    }
    const uint32_t *h = s.got[0];
    uint32_t want[FLIT] = {0};
    const unsigned kind = (unsigned)hd_bits_get(h, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W);
    const unsigned sm = (unsigned)hd_bits_get(h, HD_HEAD_DST_LSB, HD_HEAD_DST_W);
    const unsigned line = line_of((uint32_t)hd_bits_get(h, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W));
    unsigned tid = (unsigned)hd_bits_get(h, HD_HEAD_TID_LSB, HD_HEAD_TID_W);
    unsigned opid = (unsigned)hd_bits_get(h, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W); /* of what the directory asks: anybody's */

    assert_true(sm < SMS);
    const uint32_t mask = take(kind, sm, line, tid);
    if (kind == HD_MSG_INV || kind == HD_MSG_FETCH || kind == HD_MSG_FETCH_INV)
        assert_true(tid < P_MshrEntries);
    else {
        tid = s.asked[sm][line].tid, opid = s.asked[sm][line].opid;
        s.asked[sm][line].kind = HD_MSG_NONE;
        came[HD_MSG_NONE]++; /* all answers */
    }
    hd_head_put(want, kind, HD_L2(s.part), HD_SM(sm));
    hd_bits_put(want, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, addr_of(line));
    hd_bits_put(want, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W, mask);
    hd_bits_put(want, HD_HEAD_TID_LSB, HD_HEAD_TID_W, tid);
    hd_bits_put(want, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, opid);
    hd_head_same(h, want, 32 * FLIT);
    assert_int_equal(s.got_flits, mask ? 2 : 1);
    if (mask)
        assert_memory_equal(s.got[1], s.value[line], sizeof s.value[line]);
    came[kind]++;
}

/* ---- links and memory ---- */

/* A flit of the first packet of a network is sent. */
static void send(struct queue *q, unsigned vn, unsigned *credits)
{
    const struct packet *p = &q->p[0];
    const bool body = q->begun;

    *d.up_valid_i = 1, *d.up_vn_i = (uint8_t)vn, *d.up_tail_i = body || p->mask == 0;
    memset(d.up_flit_i, 0, FLIT * 4);
    if (body) {
        memcpy(d.up_flit_i, p->data, sizeof p->data);
    } else {
        hd_head_put(d.up_flit_i, p->kind, HD_SM(p->sm), HD_L2(s.part));
        hd_bits_put(d.up_flit_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, addr_of(p->line));
        hd_bits_put(d.up_flit_i, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W, p->mask);
        hd_bits_put(d.up_flit_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, p->tid);
        hd_bits_put(d.up_flit_i, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, p->opid);
        sent[p->kind]++;
    }
    --*credits;
    q->begun = !*d.up_tail_i;
    if (*d.up_tail_i)
        memmove(q->p, q->p + 1, --q->count * sizeof *q->p);
}

/* A store whose answer has not come yet gives the word that value. */
static bool written(unsigned line, unsigned word, uint32_t value)
{
    bool any = false;

    for (unsigned sm = 0; sm < SMS; sm++) {
        const struct packet *p = &s.asked[sm][line];
        any |= p->kind == HD_MSG_WT && (p->mask >> word & 1) && p->data[word] == value;
    }
    return any;
}

static void see_memory(void)
{
    const unsigned before = s.claimed;

    assert_int_equal(*d.mreq_valid_o, before != 0); /* what was announced in the cycle before */
    s.claimed = *d.mreq_claim_o;
    assert_true(s.claimed <= 1 || (P_Persist && s.claimed == 2));
    assert_int_equal(s.claimed & ~(unsigned)*d.mreq_ok_i, 0);
    if (!*d.mreq_valid_o)
        return;
    const unsigned line = line_of(*d.mreq_addr_o);
    const bool nv = is_nv(*d.mreq_addr_o);
    assert_int_equal(before, nv ? 2 : 1);
    nv_reads += nv && !*d.mreq_write_o, nv_writes += nv && *d.mreq_write_o;
    if (nv && *d.mreq_write_o) {
        assert_true(s.writes < QUEUE);
        s.write[s.writes].epoch = *d.mreq_tid_o, s.write[s.writes++].number = ++s.numbers;
    }
    if (*d.mreq_write_o) {
        assert_true(memcmp(s.memory[line], d.mreq_data_o, sizeof s.memory[line]) != 0); /* it was dirty */
        memcpy(s.memory[line], d.mreq_data_o, sizeof s.memory[line]);
        for (unsigned i = 0; i < WORDS; i++)
            assert_true(s.memory[line][i] == s.value[line][i] || written(line, i, s.memory[line][i]));
        memory_writes++;
    } else {
        assert_true(*d.mreq_tid_o < P_MshrEntries && s.reads < P_MshrEntries);
        for (unsigned r = 0; r < s.reads; r++)
            assert_true(s.read[r].tid != *d.mreq_tid_o && s.read[r].line != line);
        s.read[s.reads].line = line, s.read[s.reads++].tid = *d.mreq_tid_o;
        tids |= 1u << *d.mreq_tid_o;
        memory_reads++;
    }
}

/* A cycle, in which those things may happen, with chances of 16. */
static void cycle(unsigned asks, unsigned up, unsigned back, unsigned memory)
{
    if (hd_rand_below(16) < asks)
        ask((unsigned)hd_rand_below(SMS), (unsigned)hd_rand_below(asks == 16 && hd_rand_below(2) ? LINES : 3));
    const bool req = s.req.count > 0 && s.req_credits > 0 && hd_rand_below(16) < up;
    const bool rsp = s.rsp.count > 0 && s.rsp_credits > 0 && hd_rand_below(16) < up;
    *d.up_valid_i = 0;
    if (req && (!rsp || hd_rand_below(2)))
        send(&s.req, REQ, &s.req_credits);
    else if (rsp)
        send(&s.rsp, RSP, &s.rsp_credits);
    const bool credit = s.owe > 0 && hd_rand_below(16) < back;
    *d.dn_credit_i = (uint8_t)(credit << FWD), s.owe -= credit;
    *d.mreq_ok_i = (uint8_t)((hd_rand_below(16) < memory) | (hd_rand_below(16) < memory) << 1);
    *d.mack_valid_i = s.writes > 0 && hd_rand_below(32) < memory;
    if (*d.mack_valid_i) {
        const unsigned w = (unsigned)hd_rand_below(s.writes);
        *d.mack_tid_i = (uint8_t)s.write[w].epoch, s.write[w] = s.write[--s.writes];
    }
    if (!s.offered && s.reads > 0 && hd_rand_below(16) < memory) {
        s.answered = (unsigned)hd_rand_below(s.reads), s.offered = true;
        *d.mrsp_tid_i = (uint8_t)s.read[s.answered].tid;
        memcpy(d.mrsp_data_i, s.memory[s.read[s.answered].line], sizeof s.memory[0]);
    }
    *d.mrsp_valid_i = s.offered;
    hd_eval(d.m);
    const uint64_t now = hd_bits_get(d.ev_o, 0, HD_EV_L2_NUM);
    assert_false(*d.obs_valid_o); /* words have no ghosts */
    assert_false(*d.idle_o && (*d.dn_valid_o || *d.mreq_valid_o || now));
    for (unsigned e = 0; e < HD_EV_L2_NUM; e++)
        events[e] += now >> e & 1;
    if (s.offered && *d.mrsp_ready_o)
        s.read[s.answered] = s.read[--s.reads], s.offered = false;
    refused += s.offered;
    see_memory();
    s.req_credits += *d.up_credit_o >> REQ & 1, s.rsp_credits += *d.up_credit_o >> RSP & 1;
    assert_true((*d.up_credit_o & ~(1u << REQ | 1u << RSP)) == 0 && s.req_credits <= CREDITS && s.rsp_credits <= CREDITS);
    stuck += s.owe == CREDITS;
    if (*d.dn_valid_o) {
        assert_true(*d.dn_vn_o == FWD && s.got_flits < 2 && ++s.owe <= CREDITS);
        memcpy(s.got[s.got_flits++], d.dn_flit_o, sizeof s.got[0]);
        if (*d.dn_tail_o)
            see_packet(), s.got_flits = 0;
    }
    hd_edge(d.m);
    *d.flush_i = 0;
}

/* Nothing is under way at last. */
static void drain(void)
{
    unsigned quiet = 0;

    for (unsigned n = 0; quiet < 20; n++) {
        bool busy = s.req.count + s.rsp.count + s.reads + s.owe + s.writes > 0 || !*d.idle_o;

        for (unsigned i = 0; i < SMS * LINES; i++)
            busy |= s.asked[i / LINES][i % LINES].kind != HD_MSG_NONE;
        for (unsigned sm = 0; sm < SMS; sm++)
            busy |= s.mark[sm].kind != HD_MSG_NONE;
        quiet = busy ? 0 : quiet + 1;
        if (n == 3000)
            fail_msg("it does not end");
        cycle(0, 16, 16, 16);
    }
    assert_int_equal(s.req_credits, CREDITS);
    assert_int_equal(s.rsp_credits, CREDITS);
}

/* Lines of new addresses, in all bits of them. */
static void begin(void)
{
    hd_reset(d.m);
    memset(&s, 0, sizeof s);
    s.part = (unsigned)hd_rand_below(1 << P_PartBits), *d.part_id_i = (uint8_t)s.part;
    s.req_credits = s.rsp_credits = CREDITS;
    for (unsigned l = 0; l < LINES; l++) {
        s.number[l] = (unsigned)(hd_rand() & ((UINT32_C(1) << (HD_ADDR_W - OFF - P_PartBits)) - 1));
        for (unsigned k = 0; k < l; k++)
            while (s.number[k] == s.number[l])
                s.number[l]++;
        for (unsigned i = 0; i < WORDS; i++)
            s.value[l][i] = s.memory[l][i] = (uint32_t)hd_rand();
    }
    *d.nv_base_i = P_Persist ? addr_of((unsigned)hd_rand_below(LINES)) : 0;
}

static void what_was_written_last_is_read_and_flushed(void **state)
{
    static const struct { unsigned asks, up, back, memory; } paces[] = {
        {16, 16, 16, 16}, {16, 16, 16, 4}, {16, 12, 2, 12}, {2, 16, 12, 16}, {2, 16, 16, 12}, {16, 3, 16, 16}};
    uint64_t flushed = 0;

    (void)state;
    memset(sent, 0, sizeof sent);
    memset(came, 0, sizeof came);
    memset(events, 0, sizeof events);
    nv_reads = nv_writes = unanswered = memory_reads = memory_writes = stuck = tids = refused = 0;
    hd_l2_shared_open(&d);
    for (unsigned round = 0; round < ROUNDS; round++) {
        begin();
        for (unsigned n = 0; n < CYCLES; n++) {
            const unsigned p = n / 100 % (sizeof paces / sizeof *paces);
            cycle(paces[p].asks, paces[p].up, paces[p].back, paces[p].memory);
        }
        drain();
        flushed -= memory_writes;
        *d.flush_i = 1;
        cycle(0, 16, 16, 16);
        drain();
        flushed += memory_writes;
        for (unsigned l = 0; l < LINES; l++)
            assert_memory_equal(s.memory[l], s.value[l], sizeof s.memory[l]);
    }
    const uint64_t requests = sent[HD_MSG_GETS] + sent[HD_MSG_GETM] + sent[HD_MSG_UPG] + sent[HD_MSG_WT];
    const struct { unsigned event; uint64_t times; } counts[] = {
        {HD_EV_L2_GETS, sent[HD_MSG_GETS]}, {HD_EV_L2_GETM, sent[HD_MSG_GETM]}, {HD_EV_L2_UPG, sent[HD_MSG_UPG]},
        {HD_EV_L2_WT, sent[HD_MSG_WT]}, {HD_EV_L2_PUTM, sent[HD_MSG_PUTM]}, {HD_EV_L2_PUTE, sent[HD_MSG_PUTE]},
        {HD_EV_L2_INV_SENT, came[HD_MSG_INV]}, {HD_EV_L2_FETCH_SENT, came[HD_MSG_FETCH] + came[HD_MSG_FETCH_INV]},
        {HD_EV_L2_MEM_READ, memory_reads}, {HD_EV_L2_MEM_WRITE, memory_writes}, {HD_EV_L2_GRANT, came[HD_MSG_NONE]},
        {HD_EV_L2_ACK_M, came[HD_MSG_ACK_M]},
        {HD_EV_L2_HIT, requests - events[HD_EV_L2_MISS] - events[HD_EV_L2_CHAINED]}};
    uint64_t known = 1u << HD_EV_L2_MISS | 1u << HD_EV_L2_CHAINED | 1u << HD_EV_L2_STALL | 1u << HD_EV_L2_RECALL
                     | (P_Persist ? ((UINT64_C(1) << HD_NVW_EV_L2_NUM) - 1) << HD_EV_L2_NVW_PUSH : 0);
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (events[counts[i].event] != counts[i].times)
            fail_msg("event %u: %lu times, not %lu", counts[i].event, (unsigned long)events[counts[i].event],
                     (unsigned long)counts[i].times);
        known |= UINT64_C(1) << counts[i].event;
    }
    for (unsigned e = 0; e < HD_EV_L2_NUM; e++)
        assert_true((known >> e & 1) || events[e] == 0); /* of other families */
    assert_true(events[HD_EV_L2_MISS] > 30 && events[HD_EV_L2_HIT] > 30 && events[HD_EV_L2_CHAINED] > 30);
    assert_true(events[HD_EV_L2_STALL] > 30 && stuck > 30 && flushed > 5 && tids == (1u << P_MshrEntries) - 1);
    assert_true(memory_reads > 30 && memory_writes > 30);
    assert_true(!P_Persist || (nv_reads > 20 && nv_writes > 20 && sent[HD_MSG_PMARK] > 20));
    assert_int_equal(came[HD_MSG_PACK] + unanswered, sent[HD_MSG_PMARK]);
    assert_true(P_Persist != 2 || (unanswered > 20 && came[HD_MSG_PACK] > 10));
    if (MESI || VI || P_Inclusive) /* an answer of the RSP network goes first */
        assert_true(refused > 5 && came[HD_MSG_INV] > 30 && events[HD_EV_L2_RECALL] > 10);
    if (MESI) {
        assert_true(came[HD_MSG_FETCH] > 20 && came[HD_MSG_FETCH_INV] > 20 && came[HD_MSG_ACK_M] > 2);
        assert_true(sent[HD_MSG_RSP_NONE] > 2 && events[HD_EV_L2_RECALL] <= memory_reads);
    }
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

/* SM @sm asks for the type of a sector that it wants to write. @return what the classifier sends first, and to whom. */
static unsigned answer_to(unsigned sm, unsigned *to)
{
    *d.up_valid_i = 1, *d.up_vn_i = REQ, *d.up_tail_i = 1;
    memset(d.up_flit_i, 0, FLIT * 4);
    hd_head_put(d.up_flit_i, HD_MSG_TYPE_REQ, HD_SM(sm), HD_L2(s.part));
    hd_bits_put(d.up_flit_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, ((UINT32_C(5) << P_PartBits) | s.part) * P_SectorBytes);
    hd_bits_put(d.up_flit_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, 1u << HD_TYPE_WANTS_WRITE);
    for (unsigned n = 0; n < 30; n++) {
        hd_edge(d.m);
        *d.up_valid_i = 0;
        hd_eval(d.m);
        if (*d.dn_valid_o) {
            assert_true(*d.dn_vn_o == FWD && *d.dn_tail_o);
            *to = (unsigned)hd_bits_get(d.dn_flit_o, HD_HEAD_DST_LSB, HD_HEAD_DST_W);
            return (unsigned)hd_bits_get(d.dn_flit_o, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W);
        }
    }
    return HD_MSG_NONE;
}

static void types_are_forgotten_between_kernels(void **state)
{
    unsigned to = SMS;

    (void)state;
    if (!P_Mac)
        return;
    hd_l2_shared_open(&d);
    for (unsigned how = 0; how < 3; how++) {
        begin();
        *d.dn_credit_i = *d.mrsp_valid_i = *d.mack_valid_i = 0, *d.mreq_ok_i = 3;
        assert_int_equal(answer_to(0, &to), HD_MSG_TYPE_REP);
        assert_int_equal(to, 0);
        *d.flush_i = how == 1, *d.type_clear_i = how == 2;
        hd_edge(d.m);
        *d.flush_i = *d.type_clear_i = 0;
        for (unsigned n = 0; n < 20; n++)
            hd_edge(d.m);
        assert_int_equal(answer_to(1, &to), how ? HD_MSG_TYPE_REP : HD_MSG_TYPE_INV); /* else it is the first one's */
        assert_int_equal(to, how ? 1 : 0);
    }
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(what_was_written_last_is_read_and_flushed),
                                   cmocka_unit_test(types_are_forgotten_between_kernels)};

    return HD_UNIT_MAIN(argc, argv, t);
}
