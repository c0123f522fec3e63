/* test_hd_coh_send.c - answers, INVs, answers to markers and requests to memory have the heads they should, a cycle later. */
/* dut: hd_coh_send Lanes=4 LineWords=8 IdxW=3 Observe=1 Persist=1 */
/* dut: hd_coh_send Lanes=64 LineWords=16 IdxW=6 Observe=0 Persist=0 */
#include "hd_unit.h"
#include "hd_coh_send_dut.h"
#include "hd_bits.h"

enum { NONE, ANSWER, FETCH, BACK, PACK, INV, KINDS, PART = 0x2b };

static struct hd_coh_send d;

static uint64_t field(const void *head, unsigned lsb, unsigned n)
{
    return hd_bits_get(head, lsb, n);
}

static void what_is_sent_has_its_head(void **state)
{
    static const uint8_t kinds[] = {HD_MSG_DATA_S, HD_MSG_WT_ACK, HD_MSG_AT_DATA};
    unsigned held = NONE, kind = 0, seen[KINDS] = {0}, waits = 0;
    uint32_t addr = 0, tid = 0, opid = 0, to = 0, words = 0;
    uint8_t inv[(HD_HEAD_W + 31) / 32 * 4];
    bool obs = false;

    (void)state;
    hd_coh_send_open(&d);
    hd_reset(d.m);
    *d.part_id_i = PART;
    for (unsigned n = 0; n < 20000; n++) {
        *d.dn_ready_i = hd_rand_below(4) > n / 500 % 3;
        *d.answer_i = *d.fetch_i = *d.back_i = *d.pack_i = *d.inv_i = *d.obs_i = 0;
        hd_eval(d.m);
        const bool mem = held == FETCH || held == BACK, down = held && !mem;
        assert_int_equal(*d.free_o, !down || *d.dn_ready_i);
        assert_int_equal(*d.dn_valid_o, down);
        assert_int_equal(*d.mreq_valid_o, mem);
        assert_int_equal(*d.obs_valid_o, P_Observe && obs);
        waits += down && !*d.dn_ready_i;
        if (held == INV) {
            for (unsigned b = 0; b < HD_HEAD_W; b += 16)
                assert_int_equal(field(d.head_o, b, HD_HEAD_W - b < 16 ? HD_HEAD_W - b : 16), field(inv, b, HD_HEAD_W - b < 16 ? HD_HEAD_W - b : 16));
        } else if (held) {
            assert_true(held == PACK || field(d.head_o, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W) == addr);
            assert_true(held == PACK || field(d.head_o, HD_HEAD_TID_LSB, HD_HEAD_TID_W) == tid);
            assert_int_equal(field(d.head_o, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W), words);
            if (mem) {
                assert_int_equal(*d.mreq_write_o, held == BACK);
            } else {
                assert_int_equal(field(d.head_o, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W), kind);
                assert_int_equal(field(d.head_o, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W), opid);
                assert_int_equal(field(d.head_o, HD_HEAD_DST_LSB, HD_HEAD_DST_W), to);
                assert_int_equal(field(d.head_o, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W), PART);
            }
        }
        const bool free_now = *d.free_o;
        const unsigned what = free_now && hd_rand_below(4) ? ANSWER + (unsigned)hd_rand_below(KINDS - ANSWER) : NONE;
        obs = false;
        if (free_now)
            held = NONE;
        *d.addr_i = (uint32_t)hd_rand(), *d.kind_i = kinds[hd_rand_below(3)];
        hd_bits_random(d.asker_i, HD_ASKER_W);
        *d.results_i = (uint32_t)hd_rand(), *d.whole_i = *d.kind_i != HD_MSG_WT_ACK;
        *d.idx_i = (uint8_t)hd_rand_below(1u << P_IdxW), *d.epoch_i = (uint8_t)hd_rand_below(64);
        *d.pack_to_i = (uint8_t)hd_rand_below(128), *d.pack_id_i = (uint16_t)hd_rand_below(1u << 16);
        hd_bits_random(d.inv_head_i, HD_HEAD_W);
        if (what) {
            held = what, seen[what]++;
            addr = *d.addr_i, words = 0, tid = *d.idx_i;
            *d.answer_i = what == ANSWER, *d.fetch_i = what == FETCH, *d.back_i = what == BACK, *d.pack_i = what == PACK, *d.inv_i = what == INV;
            if (what == ANSWER) {
                kind = *d.kind_i;
                words = kind == HD_MSG_AT_DATA ? *d.results_i : kind == HD_MSG_DATA_S ? (1u << P_LineWords) - 1 : 0;
                to = (uint32_t)field(d.asker_i, HD_L2_ASKER_SRC_LSB, HD_NODE_W);
                tid = (uint32_t)field(d.asker_i, HD_L2_ASKER_TID_LSB, HD_TID_W);
                opid = (uint32_t)field(d.asker_i, HD_L2_ASKER_OPID_LSB, HD_OPID_W);
                *d.obs_i = obs = hd_rand_below(2);
            } else if (what == BACK && P_Persist) {
                tid = *d.epoch_i;
            } else if (what == PACK) {
                kind = HD_MSG_PACK, to = *d.pack_to_i, opid = *d.pack_id_i;
            } else if (what == INV) {
                memcpy(inv, d.inv_head_i, sizeof inv);
            }
        }
        hd_edge(d.m);
    }
    for (unsigned k = ANSWER; k < KINDS; k++)
        assert_true(seen[k] > 500);
    assert_true(waits > 500);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(what_is_sent_has_its_head)};

    return HD_UNIT_MAIN(argc, argv, t);
}
