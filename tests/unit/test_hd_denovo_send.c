/* test_hd_denovo_send.c - random decisions and writebacks: each acknowledgement leaves once, in order, behind the forwards decided
 * before it and before those decided once it was on offer; each word of a decision is answered or forwarded once. */
/* dut: hd_denovo_send LineWords=8 WordW=32 PartBits=1 Owed=4 Bonus=0 */
/* dut-rtl: hd_denovo_send LineWords=16 WordW=64 PartBits=2 Owed=1 Bonus=1 */
#include "hd_unit.h"
#include "hd_denovo_send_dut.h"
#include "hd_bits.h"

enum { WORDS = P_LineWords, W = P_WordW, PART = 1, ASKER = 9, OWNERS = 3 };

static void each_leaves_once_in_its_turn(void **state)
{
    static const uint8_t kinds[] = {HD_MSG_GETS, HD_MSG_REG, HD_MSG_RECALL}, forwards[] = {HD_MSG_FWD_READ, HD_MSG_FWD_REG, HD_MSG_RECALL};
    struct hd_denovo_send d;
    struct { unsigned num, to, tid; } owed[P_Owed + 1];     /* not offered yet, oldest first */
    struct { unsigned num, to, tid; } offer = {0, 0, 0};
    unsigned count = 0, left = 0, home = 0, kind = 0, owner[WORDS], full = 0, acked = 0, forwarded = 0, behind = 0, before = 0;
    bool offered = false, loaded = false, busy = false;

    (void)state;
    hd_denovo_send_open(&d);
    hd_reset(d.m);
    *d.part_id_i = PART;
    for (unsigned n = 0; n < 30000; n++) {
        const unsigned slow = n / 500 % 4;
        const unsigned owned = (unsigned)hd_bits_random_mask(WORDS) & (hd_rand_below(4) ? ~0u : 0);
        const unsigned pick = (unsigned)hd_rand_below(3), num = (unsigned)hd_rand_below(1000), who = (unsigned)hd_rand_below(1u << HD_NODE_W);
        const unsigned tid = (unsigned)hd_rand_below(1u << HD_TID_W);
        const unsigned ask = pick == 2 ? owned : (unsigned)hd_bits_random_mask(WORDS);

        *d.load_i = *d.ack_i = 0;
        *d.rs_ready_i = hd_rand_below(4) >= slow, *d.fw_ready_i = hd_rand_below(4) >= 3 - slow;
        for (unsigned w = 0; w < WORDS; w++) {      /* the line of the decision before: owners in their words' low bits */
            const bool own = loaded && (left >> w & 1);

            if (own)
                owner[w] = (unsigned)hd_rand_below(OWNERS);
            hd_bits_put(d.line_i, w * W, 32, own ? owner[w] : 1000 + w);
        }
        hd_eval(d.m);
        assert_int_equal(*d.free_o, !busy);
        assert_int_equal(*d.idle_o, !busy && !offered && count == 0);
        assert_int_equal(*d.fw_valid_o, offered || (busy && !loaded && left != 0));
        assert_int_equal(*d.rs_valid_o, busy && !loaded && home != 0);
        assert_int_equal(*d.ev_o, *d.fw_valid_o && *d.fw_ready_i && !offered);
        full += count == P_Owed;

        /* What the bank does: a decision, or a writeback, or neither. */
        const bool load = !busy && ask != 0 && hd_rand_below(3) != 0;
        const bool ack = !load && count < P_Owed && hd_rand_below(3) != 0;
        *d.load_i = load, *d.kind_i = kinds[pick], *d.addr_i = num * WORDS * 4;
        *d.from_i = (uint32_t)ASKER << (HD_L2_ASKER_SRC_LSB) | (tid << HD_L2_ASKER_TID_LSB);
        *d.bits_i = ask, hd_bits_put(d.owned_i, 0, WORDS, owned);
        *d.ack_i = ack;
        hd_bits_random(d.wb_head_i, HD_HEAD_W);
        hd_bits_put(d.wb_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, HD_MSG_WB);
        hd_bits_put(d.wb_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, ((num << P_PartBits) + PART) * WORDS * 4);
        hd_bits_put(d.wb_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, who);
        hd_bits_put(d.wb_head_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, tid);
        hd_eval(d.m);
        const bool offers = !offered && !busy && count > 0;

        if (*d.fw_valid_o && *d.fw_ready_i) {
            const unsigned to = (unsigned)hd_bits_get(d.fw_head_o, HD_HEAD_DST_LSB, HD_HEAD_DST_W);
            const unsigned words = (unsigned)hd_bits_get(d.fw_head_o, HD_HEAD_WMASK_LSB, WORDS);

            if (offered) {
                assert_int_equal(hd_bits_get(d.fw_head_o, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W), HD_MSG_WB_ACK);
                assert_int_equal(hd_bits_get(d.fw_head_o, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W), ((offer.num << P_PartBits) + PART) * WORDS * 4);
                assert_int_equal(hd_bits_get(d.fw_head_o, HD_HEAD_TID_LSB, HD_HEAD_TID_W), offer.tid);
                assert_int_equal(hd_bits_get(d.fw_head_o, HD_HEAD_WMASK_LSB + HD_COH_CLS, HD_COH_CLS_W), HD_COH_WRITE);
                assert_int_equal(hd_bits_get(d.fw_head_o, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W), PART);
                assert_int_equal(to, offer.to);
                offered = false;
                acked++;
                before += busy && left != 0;
            } else {
                unsigned theirs = 0;
                for (unsigned w = 0; w < WORDS; w++)
                    theirs |= (left >> w & 1) && owner[w] == to ? 1u << w : 0;
                assert_int_equal(hd_bits_get(d.fw_head_o, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W), forwards[kind]);
                assert_int_equal(words, theirs);
                assert_true(words != 0);
                left &= ~words;
                forwarded++;
                behind += count > 0;
            }
        }
        if (*d.rs_valid_o && *d.rs_ready_i) {
            assert_int_equal(hd_bits_get(d.rs_head_o, HD_HEAD_WMASK_LSB, WORDS), home);
            assert_int_equal(hd_bits_get(d.rs_head_o, HD_HEAD_DST_LSB, HD_HEAD_DST_W), ASKER);
            for (unsigned w = 0; w < WORDS; w++)
                if (home >> w & 1)
                    assert_int_equal(hd_bits_get(d.rs_data_o, w * W, 32), 1000 + w);
            home = 0;
        }
        if (busy && !loaded && left == 0 && home == 0)
            busy = false;
        loaded = load;
        if (load) {
            busy = true, kind = pick, left = ask & owned, home = ask & ~owned;
            if (P_Bonus && pick == 0 && home != 0)
                home = ~owned & (unsigned)((1u << WORDS) - 1);
        }
        if (offers) {
            offered = true;
            offer.num = owed[0].num, offer.to = owed[0].to, offer.tid = owed[0].tid;
            memmove(owed, owed + 1, --count * sizeof *owed);
        }
        if (ack)
            owed[count].num = num, owed[count].to = who, owed[count].tid = tid, count++;
        hd_edge(d.m);
    }
    assert_true(acked > 1000 && forwarded > 1000 && full > 100 && behind > 100 && before > 100);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(each_leaves_once_in_its_turn)};

    return HD_UNIT_MAIN(argc, argv, t);
}
