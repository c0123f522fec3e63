/* test_hd_coh_send.c - answers, INVs, answers to markers and requests to memory have the heads they should, a cycle later. */
/* dut: hd_coh_send Lanes=4 LineWords=8 IdxW=3 Observe=1 Persist=1 */
/* dut: hd_coh_send Lanes=64 LineWords=16 IdxW=6 Observe=0 Persist=0 */
#include "hd_unit.h"
#include "hd_coh_send_dut.h"
#include "hd_head.h"

enum { NONE, ANSWER, FETCH, BACK, PACK, INV, KINDS, HEAD_W = HD_COH_SEND_W_head_o, BYTES = HD_HEAD_BYTES(HEAD_W) };

static struct hd_coh_send d;

/* Head of a packet down, to SM @to. */
static void down(uint8_t *head, unsigned kind, unsigned to, unsigned opid)
{
    hd_head_put(head, kind, HD_L2(*d.part_id_i), HD_SM(to));
    hd_bits_put(head, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, opid);
}

/* What a head says of the line and of the table entry of the other side. */
static void about(uint8_t *head, uint32_t addr, unsigned tid, uint32_t words)
{
    hd_bits_put(head, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, addr);
    hd_bits_put(head, HD_HEAD_TID_LSB, HD_HEAD_TID_W, tid);
    hd_bits_put(head, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W, words);
}

static void same(const uint8_t *head, unsigned lsb, unsigned n)
{
    assert_int_equal(hd_bits_get(d.head_o, lsb, n), hd_bits_get(head, lsb, n));
}

static void what_is_sent_has_its_head(void **state)
{
    static const uint8_t kinds[] = {HD_MSG_DATA_S, HD_MSG_WT_ACK, HD_MSG_AT_DATA};
    unsigned held = NONE, seen[KINDS] = {0}, waits = 0;
    uint8_t head[BYTES];
    bool obs = false, was_reset = false;

    (void)state;
    hd_coh_send_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < 20000; n++) {
        if (n > 10000 && !was_reset && held == PACK) { /* nothing is held any more */
            hd_reset(d.m);
            held = NONE, obs = false, was_reset = true;
        }
        *d.dn_ready_i = hd_rand_below(4) > n / 500 % 3;
        *d.do_i = 0;
        hd_eval(d.m);
        const bool mem = held == FETCH || held == BACK, packet = held && !mem;
        assert_int_equal(*d.free_o, !packet || *d.dn_ready_i);
        assert_int_equal(HD_GET(d.sent_o, COH_SENT_DN), packet);
        assert_int_equal(HD_GET(d.sent_o, COH_SENT_MREQ), mem);
        assert_int_equal(HD_GET(d.sent_o, COH_SENT_OBS), P_Observe && obs);
        waits += packet && !*d.dn_ready_i;
        if (mem) {
            same(head, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W);
            same(head, HD_HEAD_TID_LSB, HD_HEAD_TID_W);
            same(head, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W);
            assert_int_equal(HD_GET(d.sent_o, COH_SENT_WRITE), held == BACK);
        } else if (held == PACK) { /* about no line */
            same(head, HD_HEAD_ROUTE_LSB, HD_HEAD_ROUTE_W);
            same(head, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W);
            same(head, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W);
            same(head, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W);
        } else if (held) { /* and no lanes above it */
            for (unsigned lsb = 0; lsb < HEAD_W; lsb += 16)
                same(head, lsb, 16);
        }
        const bool free_now = *d.free_o;
        const unsigned what = free_now && hd_rand_below(4) ? ANSWER + (unsigned)hd_rand_below(KINDS - ANSWER) : NONE;
        obs = false;
        if (free_now)
            held = NONE;
        *d.part_id_i = (uint8_t)hd_rand_below(1u << HD_NODE_W);
        *d.addr_i = (uint32_t)hd_rand();
        const unsigned kind = hd_rand_below(4) ? kinds[hd_rand_below(3)] : (unsigned)hd_rand_below(1u << HD_HEAD_KIND_W);
        const bool whole = hd_rand_below(2);
        HD_PUT(d.do_i, COH_SEND_KIND, kind);
        HD_PUT(d.do_i, COH_SEND_WHOLE, whole);
        hd_bits_random(d.answer_i, HD_COH_SEND_W_answer_i);
        *d.idx_i = (uint8_t)hd_rand_below(1u << P_IdxW), *d.epoch_i = (uint8_t)hd_rand_below(1u << HD_TID_W);
        hd_bits_random(d.pack_i, HD_ASKER_W);
        hd_bits_random(d.inv_head_i, HD_HEAD_W);
        if (what) {
            held = what, seen[what]++;
            memset(head, 0, sizeof head);
            HD_PUT(d.do_i, COH_SEND_ANSWER, what == ANSWER);
            HD_PUT(d.do_i, COH_SEND_FETCH, what == FETCH);
            HD_PUT(d.do_i, COH_SEND_BACK, what == BACK);
            HD_PUT(d.do_i, COH_SEND_PACK, what == PACK);
            HD_PUT(d.do_i, COH_SEND_INV, what == INV);
            if (what == ANSWER) {
                const unsigned src = (unsigned)HD_GET(d.answer_i, COH_ANSWER_SRC), tid = (unsigned)HD_GET(d.answer_i, COH_ANSWER_TID);
                const uint32_t words = whole ? (1u << P_LineWords) - 1 : 0;

                down(head, kind, src, (unsigned)HD_GET(d.answer_i, COH_ANSWER_OPID));
                about(head, *d.addr_i, tid, kind == HD_MSG_AT_DATA ? (uint32_t)HD_GET(d.answer_i, COH_ANSWER_RESULTS) : words);
                obs = hd_rand_below(2);
                HD_PUT(d.do_i, COH_SEND_OBS, obs);
            } else if (what == PACK) {
                down(head, HD_MSG_PACK, (unsigned)HD_GET(d.pack_i, L2_ASKER_SRC), (unsigned)HD_GET(d.pack_i, L2_ASKER_OPID));
            } else if (what == INV) {
                for (unsigned lsb = 0; lsb < HD_HEAD_W; lsb += 16)
                    hd_bits_put(head, lsb, 16, hd_bits_get(d.inv_head_i, lsb, 16));
            } else {
                about(head, *d.addr_i, what == BACK && P_Persist ? *d.epoch_i : *d.idx_i, 0);
            }
        }
        hd_edge(d.m);
    }
    for (unsigned k = ANSWER; k < KINDS; k++)
        assert_true(seen[k] > 500);
    assert_true(waits > 500 && was_reset);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(what_is_sent_has_its_head)};

    return HD_UNIT_MAIN(argc, argv, t);
}
