/* test_hd_sm_ends.c - the up link is led back to the down link, packet by packet: what L1 and ordering hardware send arrives as it
 * was, in order, at the one that it is for; no flit leaves without a tick and a credit; messages about types go first. */
/* dut: hd_sm_ends Family=0 Lanes=4 LineWords=8 FlitWords=8 RxDepth=3 TxCredits=2 */
/* dut-rtl: hd_sm_ends Family=0 Noc=1 Lanes=4 LineWords=16 FlitWords=4 RxDepth=4 TxCredits=3 UpNets=3 DownNets=3 */
/* dut-rtl: hd_sm_ends Family=1 Lanes=8 LineWords=8 FlitWords=8 RxDepth=5 TxCredits=4 Persist=2 */
/* dut: hd_sm_ends Family=2 Lanes=8 LineWords=16 FlitWords=4 RxDepth=6 TxCredits=5 Persist=1 */
/* dut: hd_sm_ends Family=3 Lanes=8 LineWords=16 FlitWords=4 RxDepth=3 TxCredits=3 UpNets=3 DownNets=3 */
#include "hd_unit.h"
#include "hd_sm_ends_dut.h"
#include "hd_bits.h"

#ifndef P_Noc
#define P_Noc HD_NOC_XBAR
#endif
#ifndef P_Persist
#define P_Persist 0
#endif
/* Networks: a packet goes up on REQ or RSP. Of DENOVO the first comes back as a head on FWD, the second on RSP; of the
 * others both come back on FWD. */
enum { REQ, RSP, NETS };
/* Who sends: the L1 and the ordering hardware, each on both networks. */
enum { L1_REQ, L1_RSP, TY_REQ, TY_ACK, SENDERS };
enum {
    DENOVO = P_Family == HD_FAMILY_DENOVO,
    THROUGH = P_Family == HD_FAMILY_VI || P_Family == HD_FAMILY_GPU, /* requests have words, answers none */
    DATA_SENDER = THROUGH ? L1_REQ : L1_RSP,
    WORDS = P_LineWords,
    FLIT = P_FlitWords * 32,
    HEAD = HD_HEAD_W + (DENOVO ? 0 : HD_LANE_W),
    HEAD_BITS = (HD_HEAD_W + HD_LANE_W + 31) / 32 * 32,
    REQ_W = HD_SM_ENDS_W_req_packet_i - HEAD, /* their words, below the head */
    RSP_W = HD_SM_ENDS_W_rsp_packet_i - HEAD,
    DN_W = HD_SM_ENDS_W_dn_packet_o - HEAD,
    WIDE_VN = P_Noc == HD_NOC_MESH || DENOVO, /* all networks are on the wires, under the numbers VN_* */
    UP_VN_LSB = FLIT + 1,
    PACKETS = 64,
    FLITS = 256
};

struct packet {
    uint32_t head[HEAD_BITS / 32], mask, data[WORDS];
};

struct flit {
    bool tail;
    uint32_t bits[FLIT / 32];
};

struct queue {
    unsigned n;
    struct packet p[PACKETS];
};

struct wire {
    unsigned n;
    struct flit f[FLITS];
};

static struct hd_sm_ends d;
static struct packet offered[SENDERS];
static bool on[SENDERS];
static struct queue sent[NETS], coming[NETS]; /* by the network up, by the one down */
static struct wire up[NETS], down[NETS];              /* flits of the packet that comes, of whole ones that go back */

static int setup(void **state)
{
    (void)state;
    memset(on, 0, sizeof on);
    memset(sent, 0, sizeof sent);
    memset(coming, 0, sizeof coming);
    memset(up, 0, sizeof up);
    memset(down, 0, sizeof down);
    hd_sm_ends_open(&d);
    hd_reset(d.m);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static unsigned up_vn(unsigned net)
{
    if (WIDE_VN)
        return net == REQ ? HD_VN_REQ : HD_VN_RSP;
    return net == REQ ? HD_UP_REQ : HD_UP_RSP;
}

static unsigned down_vn(unsigned net)
{
    if (WIDE_VN)
        return net == REQ ? HD_VN_FWD : HD_VN_RSP;
    return HD_DOWN_FWD;
}

static unsigned kind_of(const struct packet *p)
{
    return (unsigned)hd_bits_get(p->head, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W);
}

static bool is_type(const struct packet *p)
{
    return !DENOVO && kind_of(p) >= HD_MSG_TYPE_REP && kind_of(p) <= HD_MSG_TYPE_RECALL;
}

static bool is_pack(const struct packet *p)
{
    return P_Persist && kind_of(p) == HD_MSG_PACK;
}

static struct packet random_packet(unsigned sender)
{
    struct packet p;

    memset(&p, 0, sizeof p);
    hd_bits_random(p.head, sender >= TY_REQ ? HD_HEAD_W : HEAD);
    switch (hd_rand_below(6)) {
    case 0: hd_bits_put(p.head, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, HD_MSG_TYPE_REP + hd_rand_below(3)); break;
    case 1: hd_bits_put(p.head, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, HD_MSG_PACK); break;
    default:
        while (kind_of(&p) == HD_MSG_ATOMIC) /* whose mask names flits */
            hd_bits_put(p.head, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, hd_rand());
    }
    /* Of DENOVO some are heads alone, whatever their mask says. */
    const bool bare = DENOVO && (sender == L1_REQ || kind_of(&p) == HD_MSG_REG_ACK || kind_of(&p) == HD_MSG_NACK);
    if (sender == DATA_SENDER && !is_type(&p) && !is_pack(&p) && !bare && hd_rand_below(4))
        p.mask = (uint32_t)hd_bits_random_mask(WORDS);
    if (!bare)
        hd_bits_put(p.head, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W, p.mask);
    for (unsigned w = 0; w < WORDS; w++)
        p.data[w] = (uint32_t)hd_rand();
    return p;
}

static void copy_head(void *to, unsigned to_lsb, const void *from, unsigned from_lsb, unsigned width)
{
    for (unsigned b = 0; b < width; b++)
        hd_bits_put(to, to_lsb + b, 1, hd_bits_get(from, from_lsb + b, 1));
}

static void offer(unsigned sender)
{
    const struct packet *p = &offered[sender];
    void *const port = sender == L1_REQ ? (void *)d.req_packet_i : (void *)d.rsp_packet_i;

    if (sender >= TY_REQ) {
        copy_head(d.ty_head_i, (sender - TY_REQ) * HD_HEAD_W, p->head, 0, HD_HEAD_W);
        return;
    }
    copy_head(port, sender == L1_REQ ? REQ_W : RSP_W, p->head, 0, HEAD);
    for (unsigned w = 0; sender == DATA_SENDER && w < WORDS; w++)
        hd_bits_put(port, 32 * w, 32, p->data[w]);
}

static void push(struct queue *q, const struct packet *p)
{
    assert_true(q->n < PACKETS);
    q->p[q->n++] = *p;
}

static struct packet pop(struct queue *q)
{
    struct packet p;

    assert_true(q->n > 0);
    p = q->p[0];
    memmove(q->p, q->p + 1, --q->n * sizeof *q->p);
    return p;
}

static void same_head(const struct packet *p, const void *port, unsigned lsb, unsigned width)
{
    for (unsigned b = 0; b < width; b++)
        assert_int_equal(hd_bits_get(port, lsb + b, 1), hd_bits_get(p->head, b, 1));
}

/* A flit of @net from the up link: with the last one of a packet all of it is on its way down. */
static void see_up(unsigned net)
{
    const unsigned back = DENOVO ? net : REQ;
    struct wire *u = &up[net], *w = &down[back];
    struct flit f = {.tail = hd_bits_get(d.up_beat_o, FLIT, 1) != 0};
    struct packet p;

    for (unsigned b = 0; b < FLIT; b += 32)
        f.bits[b / 32] = (uint32_t)hd_bits_get(d.up_beat_o, b, 32);
    u->f[u->n++] = f;
    if (!f.tail)
        return;
    p = pop(&sent[net]);
    push(&coming[back], &p);
    assert_true(w->n + u->n <= FLITS);
    memcpy(w->f + w->n, u->f, u->n * sizeof *u->f);
    w->n += u->n;
    u->n = 0;
}

static void drive_down(unsigned net)
{
    const struct flit f = down[net].f[0];

    *d.dn_valid_i = 1;
    for (unsigned b = 0; b < FLIT; b += 32)
        hd_bits_put(d.dn_beat_i, b, 32, f.bits[b / 32]);
    hd_bits_put(d.dn_beat_i, FLIT, 1, f.tail);
    hd_bits_put(d.dn_beat_i, FLIT + 1, HD_VN_W, down_vn(net));
    memmove(down[net].f, down[net].f + 1, --down[net].n * sizeof *down[net].f);
}

/* What has arrived is the oldest packet of its network, and goes to the one that it is for. @return who got a packet. */
enum { DN = 1, FW = 2, TYPE = 4, PACK = 8 };
static unsigned arrive(void)
{
    const unsigned net = DENOVO ? RSP : REQ;
    const struct packet *p = &coming[net].p[0];
    unsigned who = 0;

    assert_true(*d.dn_valid_o + *d.ty_dn_valid_o + *d.pack_valid_o <= 1);
    if (*d.dn_valid_o || *d.ty_dn_valid_o || *d.pack_valid_o) {
        assert_true(coming[net].n > 0);
        assert_int_equal(*d.ty_dn_valid_o, is_type(p));
        assert_int_equal(*d.pack_valid_o, is_pack(p));
        if (*d.dn_valid_o) {
            same_head(p, d.dn_packet_o, DN_W, HEAD);
            for (unsigned w = 0; w < WORDS; w++)
                if (p->mask >> w & 1)
                    assert_int_equal(hd_bits_get(d.dn_packet_o, 32 * w, 32), p->data[w]);
            who |= *d.dn_ready_i ? DN : 0;
        } else if (*d.ty_dn_valid_o) {
            same_head(p, d.ty_dn_head_o, 0, HD_HEAD_W);
            who |= TYPE;
        } else {
            assert_int_equal(*d.pack_id_o, hd_bits_get(p->head, HD_HEAD_OPID_LSB, 8));
            who |= PACK;
        }
    }
    if (who)
        pop(&coming[net]);
    if (*d.fw_valid_o) {
        assert_true(DENOVO && coming[REQ].n > 0);
        same_head(&coming[REQ].p[0], d.fw_head_o, 0, HEAD);
        if (*d.fw_ready_i) {
            pop(&coming[REQ]);
            who |= FW;
        }
    }
    return who;
}

static void packets_reach_the_one_they_are_for(void **state)
{
    unsigned taken[SENDERS] = {0}, got[4] = {0}, out[NETS] = {0}, credits[NETS] = {P_RxDepth, P_RxDepth};
    unsigned first = 0, held = 0, frozen = 0, home = 0;
    bool ticked = false;

    (void)state;
    for (unsigned n = 0; n < 24000; n++) {
        const bool rest = n % 2000 >= 1000; /* nothing new: in the end all has arrived and every credit is back */

        for (unsigned s = 0; s < SENDERS; s++) {
            if (!on[s] && !rest && coming[0].n + coming[1].n + sent[0].n + sent[1].n < 16
                && hd_rand_below(s < TY_REQ ? 3 : 12) == 0 && !(DENOVO && s >= TY_REQ && n % 3)) {
                offered[s] = random_packet(s);
                on[s] = true;
                offer(s);
            }
        }
        if (DENOVO && rest) /* nobody takes them */
            on[TY_REQ] = on[TY_ACK] = false;
        *d.req_valid_i = on[L1_REQ], *d.rsp_valid_i = on[L1_RSP];
        *d.ty_valid_i = (uint8_t)(on[TY_REQ] | on[TY_ACK] << 1);
        *d.tick_i = hd_rand_below(3) != 0;
        *d.dn_ready_i = hd_rand_below(2) != 0, *d.fw_ready_i = hd_rand_below(2) != 0;
        *d.up_credit_i = 0;
        for (unsigned net = 0; net < NETS; net++) {
            held += out[net] == P_TxCredits;
            if (out[net] > 0 && hd_rand_below(4) == 0)
                *d.up_credit_i |= (uint8_t)(1u << up_vn(net)), out[net]--;
        }
        *d.dn_valid_i = 0;
        const unsigned goes = hd_rand_below(2) ? REQ : RSP;
        if (down[goes].n > 0 && credits[goes] > 0 && hd_rand_below(4) != 0) {
            credits[goes]--;
            drive_down(goes);
        }
        hd_eval(d.m);

        const bool ready[SENDERS] = {*d.req_ready_o, *d.rsp_ready_o, *d.ty_ready_o & 1, *d.ty_ready_o >> 1};
        const bool quiet = !(on[0] || on[1] || on[2] || on[3] || *d.dn_valid_i || *d.up_credit_i);
        for (unsigned net = 0; net < NETS; net++) {
            if (DENOVO)
                assert_false(ready[TY_REQ + net]);
            else if (on[TY_REQ + net])
                assert_false(ready[net]), first += on[net];
        }
        const unsigned who = arrive();
        for (unsigned i = 0; i < 4; i++)
            got[i] += who >> i & 1;
        if (n % 2000 == 1999) {
            assert_true(*d.idle_o && *d.sent_o && *d.credit_home_o);
            assert_int_equal(sent[0].n + sent[1].n + coming[0].n + coming[1].n + down[0].n + down[1].n, 0);
        }
        if (sent[0].n + sent[1].n > 0) /* taken, and not all of it has left */
            assert_false(*d.sent_o);
        if (!*d.up_credit_i)
            assert_int_equal(*d.credit_home_o, out[0] + out[1] == 0);
        home += *d.credit_home_o;
        if (*d.idle_o)
            assert_true(*d.sent_o && !*d.dn_valid_o && !*d.fw_valid_o && !*d.ty_dn_valid_o && !*d.pack_valid_o);
        if (*d.idle_o && quiet && !*d.up_valid_o && !*d.dn_credit_o && hd_rand_below(4) == 0)
            hd_assert_frozen(d.m), frozen++;
        for (unsigned s = 0; s < SENDERS; s++) {
            if (on[s] && ready[s]) {
                push(&sent[s % 2], &offered[s]);
                on[s] = false;
                taken[s]++;
            }
        }
        for (unsigned net = 0; net < NETS; net++) {
            const unsigned back = *d.dn_credit_o >> down_vn(net) & 1;
            if (net == REQ || DENOVO)
                credits[net] += back;
            assert_true(credits[net] <= P_RxDepth);
        }
        ticked = *d.tick_i;
        hd_edge(d.m);
        if (*d.up_valid_o) {
            const unsigned vn = (unsigned)hd_bits_get(d.up_beat_o, UP_VN_LSB, HD_VN_W), net = vn == up_vn(RSP) ? RSP : REQ;

            assert_true(ticked && vn == up_vn(net));
            assert_true(++out[net] <= P_TxCredits);
            see_up(net);
        }
    }
    assert_true(taken[L1_REQ] > 500 && taken[L1_RSP] > 500 && held > 500 && frozen > 50 && home > 50 && got[0] > 500);
    assert_true((taken[TY_REQ] > 100 && taken[TY_ACK] > 100 && first > 50) == !DENOVO);
    assert_true((got[1] > 500) == DENOVO && (got[2] > 200) == !DENOVO && (got[3] > 100) == (P_Persist != 0));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test_setup_teardown(packets_reach_the_one_they_are_for, setup, teardown)};

    return HD_UNIT_MAIN(argc, argv, t);
}
