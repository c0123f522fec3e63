/* test_hd_l2_denovo.c - an L2 tile of family DENOVO through its links: a READ fetches the line, a registration gives words
 * away, a READ of theirs is forwarded, a writeback brings them home and is acknowledged behind that. */
/* dut: hd_l2_denovo Sms=3 WbEntries=2 LineWords=8 WordW=32 Sets=2 Ways=2 MshrEntries=3 PartBits=1 RxDepth=8 TxCredits=8 FlitWords=4 */
#include "hd_unit.h"
#include "hd_l2_denovo_dut.h"
#include "hd_bits.h"

enum { WORDS = P_LineWords, FLITS = WORDS / P_FlitWords, FLIT = 32 * P_FlitWords, PART = 1, ADDR = (0x155 << P_PartBits | PART) * WORDS * 4 };

struct packet {
    unsigned vn, kind, to, tid, asker;
    uint32_t mask, data[WORDS];
    bool sync;
};

static struct hd_l2_denovo d;
static unsigned got_flits;
static uint32_t got[1 + FLITS][P_FlitWords];

/* A cycle; takes a flit that comes. @return true when a packet is complete, in *p. */
static bool cycle(struct packet *p)
{
    bool whole = false;

    hd_eval(d.m);
    if (*d.dn_valid_o) {
        for (unsigned i = 0; i < P_FlitWords; i++)
            got[got_flits][i] = (uint32_t)hd_bits_get(d.dn_flit_o, 32 * i, 32);
        got_flits++;
        whole = *d.dn_tail_o;
    }
    if (whole) {
        const uint32_t *h = got[0];
        *p = (struct packet){.vn = *d.dn_vn_o, .kind = (unsigned)hd_bits_get(h, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W),
                             .to = (unsigned)hd_bits_get(h, HD_HEAD_DST_LSB, HD_HEAD_DST_W),
                             .tid = (unsigned)hd_bits_get(h, HD_HEAD_TID_LSB, HD_HEAD_TID_W),
                             .mask = (uint32_t)hd_bits_get(h, HD_HEAD_WMASK_LSB, WORDS),
                             .sync = hd_bits_get(h, HD_HEAD_WMASK_LSB + HD_COH_SYNC, 1),
                             .asker = (unsigned)hd_bits_get(h, HD_HEAD_WMASK_LSB + HD_COH_REQ, HD_HEAD_SRC_W)};
        assert_int_equal(hd_bits_get(h, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W), ADDR);
        for (unsigned f = 1, w = 0; w < WORDS && f < got_flits; w += P_FlitWords)
            if (p->mask >> w & ((1u << P_FlitWords) - 1)) {
                memcpy(&p->data[w], got[f++], sizeof got[0]);
            }
        got_flits = 0;
    }
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

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(a_word_goes_to_its_owner_and_comes_home)};

    return HD_UNIT_MAIN(argc, argv, t);
}
