/* test_hd_l2_shared.c - an L2 tile of each family with one bank through its links: a read fetches the line, written words are
 * read by another SM, the flush writes them to memory, and then nothing is under way. */
/* dut: hd_l2_shared Family=0 Sms=3 Lanes=8 LineWords=8 FlitWords=8 Sets=2 Ways=2 MshrEntries=3 WritePlaces=2 PartBits=1 */
/* dut: hd_l2_shared Family=1 Sms=3 Lanes=8 LineWords=8 FlitWords=8 Sets=2 Ways=2 MshrEntries=3 WritePlaces=2 PartBits=1 */
/* dut: hd_l2_shared Family=2 Sms=3 Lanes=8 LineWords=8 FlitWords=8 Sets=2 Ways=2 MshrEntries=3 WritePlaces=2 PartBits=1 */
/* dut-rtl: hd_l2_shared Family=0 Noc=1 UpNets=3 DownNets=3 Sms=3 Lanes=8 LineWords=8 FlitWords=8 Sets=2 Ways=2 MshrEntries=3 PartBits=1 Mac=1 MacEntries=8 MacWays=2 MacBusy=2 TypeReqs=2 SectorBytes=4096 */
#include "hd_unit.h"
#include "hd_l2_shared_dut.h"
#include "hd_bits.h"

#ifndef P_Noc
#define P_Noc HD_NOC_XBAR
#endif
enum {
    WORDS = 8, FLIT = 8, PART = 1, ADDR = (0x155 << P_PartBits | PART) * WORDS * 4, ALL = 0xff, MESI = P_Family == HD_FAMILY_MESI,
    REQ = P_Noc == HD_NOC_MESH ? HD_VN_REQ : HD_UP_REQ, RSP = P_Noc == HD_NOC_MESH ? HD_VN_RSP : HD_UP_RSP,
    FWD = P_Noc == HD_NOC_MESH ? HD_VN_FWD : HD_DOWN_FWD
};

struct packet {
    unsigned kind, to, tid;
    uint32_t mask, data[WORDS];
};

static struct hd_l2_shared d;
static unsigned got_flits;
static uint32_t got[2][FLIT];
static uint64_t events[HD_EV_L2_NUM];

/* A cycle; takes a flit that comes. @return true when a packet is complete, in *p. */
static bool cycle(struct packet *p)
{
    bool whole = false;

    hd_eval(d.m);
    if (*d.dn_valid_o) {
        assert_true(*d.dn_vn_o == FWD && got_flits < 2);
        for (unsigned i = 0; i < FLIT; i++)
            got[got_flits][i] = (uint32_t)hd_bits_get(d.dn_flit_o, 32 * i, 32);
        got_flits++;
        whole = *d.dn_tail_o;
    }
    if (whole) {
        const uint32_t *h = got[0];
        *p = (struct packet){.kind = (unsigned)hd_bits_get(h, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W),
                             .to = (unsigned)hd_bits_get(h, HD_HEAD_DST_LSB, HD_HEAD_DST_W),
                             .tid = (unsigned)hd_bits_get(h, HD_HEAD_TID_LSB, HD_HEAD_TID_W),
                             .mask = (uint32_t)hd_bits_get(h, HD_HEAD_WMASK_LSB, WORDS)};
        assert_int_equal(hd_bits_get(h, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W), ADDR);
        assert_int_equal(got_flits, p->mask ? 2 : 1);
        memcpy(p->data, got[1], sizeof p->data);
        got_flits = 0;
    }
    for (unsigned e = 0; e < HD_EV_L2_NUM; e++)
        events[e] += hd_bits_get(d.ev_o, e, 1);
    const bool credit = *d.dn_valid_o;
    hd_edge(d.m);
    *d.dn_credit_i = (uint8_t)(credit ? 1u << FWD : 0);
    *d.up_valid_i = *d.mrsp_valid_i = *d.flush_i = 0;
    return whole;
}

static struct packet next(void)
{
    struct packet p;

    for (unsigned n = 0; n < 100; n++)
        if (cycle(&p))
            return p;
    fail_msg("no packet in 100 cycles");
    return p;
}

static void send(unsigned vn, unsigned kind, unsigned from, unsigned tid, uint32_t mask, const uint32_t *data)
{
    struct packet none;

    for (unsigned f = 0; f < (mask ? 2u : 1u); f++) {
        *d.up_valid_i = 1, *d.up_vn_i = (uint8_t)vn, *d.up_tail_i = f == (mask ? 1 : 0);
        for (unsigned i = 0; i < FLIT; i++)
            hd_bits_put(d.up_flit_i, 32 * i, 32, f ? data[i] : 0);
        if (f == 0) {
            hd_bits_put(d.up_flit_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
            hd_bits_put(d.up_flit_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, from);
            hd_bits_put(d.up_flit_i, HD_HEAD_DST_LSB, HD_HEAD_DST_W, PART);
            hd_bits_put(d.up_flit_i, HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W, HD_END_L2);
            hd_bits_put(d.up_flit_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, ADDR);
            hd_bits_put(d.up_flit_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, tid);
            hd_bits_put(d.up_flit_i, HD_HEAD_WMASK_LSB, WORDS, mask);
        }
        assert_false(cycle(&none));
    }
}

static void what_one_writes_another_reads(void **state)
{
    struct packet p;
    uint32_t mine[WORDS];

    (void)state;
    hd_l2_shared_open(&d);
    hd_reset(d.m);
    memset(events, 0, sizeof events);
    got_flits = 0;
    *d.part_id_i = PART, *d.mreq_ok_i = 3;
    send(REQ, HD_MSG_GETS, 2, 9, 0, NULL);
    hd_eval(d.m);
    for (unsigned n = 0; !*d.mreq_valid_o; n++) {
        assert_true(n < 100 && !*d.idle_o);
        assert_false(cycle(&p));
        hd_eval(d.m);
    }
    assert_true(!*d.mreq_write_o && *d.mreq_addr_o == ADDR);
    const unsigned tid = *d.mreq_tid_o;
    assert_false(cycle(&p));
    *d.mrsp_valid_i = 1, *d.mrsp_tid_i = (uint8_t)tid;
    for (unsigned w = 0; w < WORDS; w++)
        hd_bits_put(d.mrsp_data_i, 32 * w, 32, 100 + w), mine[w] = 700 + w;
    hd_eval(d.m);
    assert_true(*d.mrsp_ready_o);
    assert_false(cycle(&p));
    p = next();
    assert_true(p.kind == (MESI ? HD_MSG_DATA_E : HD_MSG_DATA_S) && p.to == 2 && p.tid == 9 && p.mask == ALL);
    for (unsigned w = 0; w < WORDS; w++)
        assert_int_equal(p.data[w], 100 + w);
    if (MESI)
        send(RSP, HD_MSG_PUTM, 2, 0, 0x14, mine); /* the owner gives it back with words 2 and 4 */
    else {
        send(REQ, HD_MSG_WT, 1, 3, 0x14, mine);
        p = next();
        if (P_Family == HD_FAMILY_VI) { /* the copy goes first */
            assert_true(p.kind == HD_MSG_INV && p.to == 2);
            send(RSP, HD_MSG_INV_ACK, 2, p.tid, 0, NULL);
            p = next();
        }
        assert_true(p.kind == HD_MSG_WT_ACK && p.to == 1 && p.tid == 3);
    }
    send(REQ, HD_MSG_GETS, 0, 5, 0, NULL);
    p = next();
    assert_true(p.to == 0 && p.tid == 5 && p.mask == ALL);
    for (unsigned w = 0; w < WORDS; w++)
        assert_int_equal(p.data[w], 0x14 >> w & 1 ? 700 + w : 100 + w);
    assert_int_equal(events[HD_EV_L2_GETS], 2);
    assert_int_equal(events[HD_EV_L2_MEM_READ], 1);
    if (MESI)
        send(RSP, HD_MSG_PUTE, 0, 0, 0, NULL);
    for (unsigned n = 0; n < 20; n++)
        assert_false(cycle(&p));
    assert_true(*d.idle_o);
    *d.flush_i = 1;
    unsigned writes = 0;
    for (unsigned n = 0; n < 60; n++) {
        hd_eval(d.m);
        if (*d.mreq_valid_o) {
            assert_true(*d.mreq_write_o && *d.mreq_addr_o == ADDR);
            for (unsigned w = 0; w < WORDS; w++)
                assert_int_equal(hd_bits_get(d.mreq_data_o, 32 * w, 32), 0x14 >> w & 1 ? 700 + w : 100 + w);
            writes++;
        }
        assert_false(cycle(&p));
    }
    assert_int_equal(writes, 1);
    assert_true(*d.idle_o);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(what_one_writes_another_reads)};

    return HD_UNIT_MAIN(argc, argv, t);
}
