/* test_hd_l2_links.c - the link to the SMs is led back to the link from them, each packet in one of its networks: heads and words
 * come back as they were, each network in order, RSP whatever the requests do; no flit leaves without its credit. */
/* dut: hd_l2_links Lanes=8 LineWords=8 WordW=32 FlitWords=4 RxDepth=4 TxCredits=3 BodyW=1 DownW=256 */
/* dut: hd_l2_links Gather=1 Noc=1 UpNets=3 DownNets=3 Lanes=8 LineWords=16 WordW=64 FlitWords=4 RxDepth=6 TxCredits=6 BodyW=1280 DownW=1024 */
#include "hd_unit.h"
#include "hd_l2_links_dut.h"
#include "hd_bits.h"

#ifndef P_Noc
#define P_Noc HD_NOC_XBAR
#endif
#ifndef P_Gather
#define P_Gather 0
#endif
enum {
    WORDS = P_LineWords, W = P_WordW, FLIT = P_FlitWords * W, QUEUE = 64, WAY = 3, HEAD = HD_HEAD_W + HD_LANE_W, UNITS = (HEAD + 63) / 64 * 2,
    MESH = P_Noc == HD_NOC_MESH, REQ = MESH ? HD_VN_REQ : HD_UP_REQ, RSP = MESH ? HD_VN_RSP : HD_UP_RSP, FWD = MESH ? HD_VN_FWD : HD_DOWN_FWD
};

struct packet {
    unsigned net;
    uint32_t head[UNITS], mask;
    uint64_t data[WORDS];
};

struct flit {
    bool valid, tail;
    uint32_t bits[FLIT / 32];
};

static struct hd_l2_links d;

static struct packet random_packet(void)
{
    static const unsigned requests[] = {HD_MSG_GETS, HD_MSG_GETM, HD_MSG_UPG, HD_MSG_TYPE_REQ};
    static const unsigned answers[] = {HD_MSG_PUTE, HD_MSG_RSP_CLEAN, HD_MSG_INV_ACK, HD_MSG_TYPE_ACK};
    struct packet p = {.net = hd_rand_below(2) ? RSP : REQ};
    const bool words = p.net == RSP ? hd_rand_below(4) != 0 : P_Gather != 0;

    hd_bits_random(p.head, HEAD);
    p.mask = words ? (uint32_t)hd_bits_random_mask(WORDS) : 0; /* requests that are not gathered are heads alone */
    unsigned kind = (p.net == RSP ? answers : requests)[hd_rand_below(4)];
    if (words)
        kind = p.net == REQ ? HD_MSG_WT : hd_rand_below(2) ? HD_MSG_PUTM : HD_MSG_RSP_DATA;
    hd_bits_put(p.head, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
    hd_bits_put(p.head, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W, p.mask);
    for (unsigned w = 0; w < WORDS; w++)
        p.data[w] = hd_rand() & (UINT64_MAX >> (64 - W));
    return p;
}

static void same(const struct packet *p, const void *head, const void *data)
{
    for (unsigned b = 0; b < HEAD; b += 8)
        assert_int_equal(hd_bits_get(head, b, 8), hd_bits_get(p->head, b, 8));
    for (unsigned w = 0; w < WORDS; w++)
        if (p->mask >> w & 1)
            assert_true(hd_bits_get(data, w * W, W) == p->data[w]);
}

static void packets_come_back(void **state)
{
    static struct packet queue[2][QUEUE], p; /* sent in network REQ, RSP and not back yet */
    static struct flit way[WAY];
    static unsigned nets[QUEUE];             /* network of the packets of which flits are to come */
    unsigned n[2] = {0}, got[2] = {0}, to_come = 0, credits[WAY] = {0}, out = 0, held = 0, passed = 0, since = 0;
    unsigned inside[2] = {0}; /* flits of a network whose credit has not come back */
    bool on = false, part = false; /* of a packet something has been sent, but not its last flit */

    (void)state;
    memset(way, 0, sizeof way);
    hd_l2_links_open(&d);
    hd_reset(d.m);
    for (unsigned t = 0; t < 30000; t++) {
        const bool rest = t % 1000 >= 500;                     /* nothing new: in the end all is back */
        const bool stuck = t / 1000 % 4 == 3 && !rest;         /* nobody takes requests */

        if (!rest && !on && to_come < 8 && n[0] + n[1] < QUEUE / 2 && hd_rand_below(3) == 0) {
            p = random_packet();
            on = true;
            if (stuck && p.net == REQ && n[0] > 0) /* one of them waits, the rest goes on */
                on = false;
            for (unsigned b = 0; b < HEAD; b += 8)
                hd_bits_put(d.dn_head_i, b, 8, hd_bits_get(p.head, b, 8));
            for (unsigned w = 0; w < WORDS; w++)
                hd_bits_put(d.dn_data_i, w * W, W, p.data[w]);
        }
        *d.dn_valid_i = on;
        *d.req_ready_i = !stuck && hd_rand_below(2);
        *d.up_valid_i = way[0].valid, *d.up_tail_i = way[0].tail;
        *d.up_vn_i = (uint8_t)nets[0];
        for (unsigned b = 0; b < FLIT; b += 32)
            hd_bits_put(d.up_flit_i, b, 32, way[0].bits[b / 32]);
        assert_true(!way[0].valid || to_come > 0);
        if (way[0].valid)
            inside[nets[0] == RSP]++;
        if (way[0].valid && way[0].tail)
            memmove(nets, nets + 1, --to_come * sizeof *nets);
        *d.dn_credit_i = (uint8_t)(credits[0] ? 1u << FWD : 0);
        hd_eval(d.m);
        if (t % 1000 == 999)
            assert_true(*d.idle_o && n[0] == 0 && n[1] == 0 && !on && out == 0 && inside[0] + inside[1] == 0);
        else if (n[0] + n[1] > 0 && !*d.dn_valid_o && !way[0].valid && !way[1].valid && !way[2].valid)
            assert_false(*d.idle_o);
        assert_false(*d.idle_o && (part || *d.dn_valid_o || *d.up_credit_o));
        if (*d.idle_o && !on && !way[0].valid && !credits[0] && hd_rand_below(4) == 0)
            hd_assert_frozen(d.m);
        if (on && *d.dn_ready_o) {
            const unsigned q = p.net == RSP;
            queue[q][n[q]++] = p, on = false;
            nets[to_come++] = p.net;
        }
        if (*d.req_valid_o && *d.req_ready_i) {
            assert_true(n[0] > 0);
            same(&queue[0][0], d.req_head_o, d.req_body_o);
            memmove(queue[0], queue[0] + 1, --n[0] * sizeof **queue);
            got[0]++;
        }
        if (*d.rsp_valid_o) {
            assert_true(n[1] > 0);
            same(&queue[1][0], d.rsp_head_o, d.rsp_data_o);
            memmove(queue[1], queue[1] + 1, --n[1] * sizeof **queue);
            got[1]++;
            passed += stuck && n[0] > 0;
        }
        struct flit next = {.valid = *d.dn_valid_o, .tail = *d.dn_tail_o};
        for (unsigned b = 0; b < FLIT; b += 32)
            next.bits[b / 32] = (uint32_t)hd_bits_get(d.dn_flit_o, b, 32);
        if (next.valid) {
            assert_int_equal(*d.dn_vn_o, FWD);
            assert_true(++out <= P_TxCredits);
        }
        out -= credits[0];
        held += out == P_TxCredits;
        assert_true((*d.up_credit_o & ~(1u << REQ | 1u << RSP)) == 0);
        for (unsigned q = 0; q < 2; q++) { /* both may give one back, of their own: the link takes one a cycle */
            const unsigned back = *d.up_credit_o >> (q ? RSP : REQ) & 1;
            assert_true(back <= inside[q]);
            inside[q] -= back, since += back;
        }
        memmove(credits, credits + 1, (WAY - 1) * sizeof *credits);
        credits[WAY - 1] = since > 0;
        since -= since > 0;
        hd_edge(d.m);
        part = way[0].valid ? !way[0].tail : part;
        memmove(way, way + 1, (WAY - 1) * sizeof *way);
        way[WAY - 1] = next;
    }
    assert_true(got[0] > 500 && got[1] > 500 && passed > 50 && held > 200);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static void a_network_that_there_is_not_is_reported(void **state)
{
    (void)state;
    hd_l2_links_open(&d);
    hd_reset(d.m);
    *d.up_valid_i = 1, *d.up_tail_i = 1, *d.up_vn_i = MESH ? HD_VN_FWD : 3;
    hd_edge(d.m);
    if (hd_has_asserts(d.m))
        assert_true(hd_assert_failures(d.m) > 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(packets_come_back), cmocka_unit_test(a_network_that_there_is_not_is_reported)};

    return HD_UNIT_MAIN(argc, argv, t);
}
