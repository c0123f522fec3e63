/* test_hd_denovo_send.c - random decisions and writebacks: each acknowledgement leaves once, in order, behind the forwards decided
 * before it and before those decided once it was on offer; each word of a decision is answered or forwarded once. */
/* dut: hd_denovo_send LineWords=8 WordW=32 PartBits=1 Owed=4 Bonus=0 */
/* dut-rtl: hd_denovo_send LineWords=16 WordW=64 PartBits=2 Owed=1 Bonus=1 */
#include "hd_unit.h"
#include "hd_denovo_send_dut.h"
#include "hd_bits.h"

enum { WORDS = P_LineWords, W = P_WordW, PART = 1, OWNERS = 3, ALL = (1 << WORDS) - 1 };

/* A head, all of it. */
struct message {
    unsigned kind, opid, tid, to;
    uint32_t words, addr;
};

static void sends(const void *head, struct message m)
{
    const uint64_t want[][3] = {
        {HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, m.kind},  {HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, m.opid},
        {HD_HEAD_TID_LSB, HD_HEAD_TID_W, m.tid},     {HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W, m.words},
        {HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, m.addr},  {HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, PART},
        {HD_HEAD_DST_LSB, HD_HEAD_DST_W, m.to},
    };

    for (unsigned i = 0; i < sizeof want / sizeof *want; i++)
        assert_int_equal(hd_bits_get(head, (unsigned)want[i][0], (unsigned)want[i][1]), want[i][2]);
}

static void each_leaves_once_in_its_turn(void **state)
{
    static const uint8_t kinds[] = {HD_MSG_GETS, HD_MSG_REG, HD_MSG_RECALL}, forwards[] = {HD_MSG_FWD_READ, HD_MSG_FWD_REG, HD_MSG_RECALL};
    struct hd_denovo_send d;
    struct { unsigned num, to, tid; } owed[P_Owed + 1];     /* not offered yet, oldest first */
    struct { unsigned num, to, tid; } offer = {0, 0, 0};
    struct message decided = {0};
    uint64_t value[WORDS] = {0};
    unsigned count = 0, left = 0, home = 0, kind = 0, owner[WORDS], full = 0, acked = 0, forwarded = 0, behind = 0, before = 0;
    bool offered = false, loaded = false, busy = false;

    (void)state;
    hd_denovo_send_open(&d);
    hd_reset(d.m);
    *d.part_id_i = PART;
    for (unsigned n = 0; n < 30000; n++) {
        const unsigned slow = n / 500 % 4;
        const unsigned owned = (unsigned)hd_bits_random_mask(WORDS) & (hd_rand_below(4) ? ~0u : 0);
        const unsigned pick = (unsigned)hd_rand_below(3), num = (unsigned)hd_rand_below(1u << (HD_ADDR_W - (WORDS == 8 ? 5 : 6) - P_PartBits)), who = (unsigned)hd_rand_below(1u << HD_NODE_W);
        const unsigned tid = (unsigned)hd_rand_below(1u << HD_TID_W);
        const unsigned ask = pick == 2 ? owned : (unsigned)hd_bits_random_mask(WORDS);

        const bool rs_ready = hd_rand_below(4) >= slow, fw_ready = hd_rand_below(4) >= 3 - slow;

        *d.plan_i = 0;
        HD_PUT(d.ready_i, DN_READY_RS, rs_ready);
        HD_PUT(d.ready_i, DN_READY_FW, fw_ready);
        for (unsigned w = 0; w < WORDS; w++) {      /* the line of the decision before: owners in their words' low bits */
            const bool own = loaded && (left >> w & 1);

            const uint64_t word = hd_rand() >> (64 - W);

            if (own) /* nodes that differ in a bit or several */
                owner[w] = decided.to ^ 1u << (hd_rand_below(3) + 3 * hd_rand_below(OWNERS)) % HD_NODE_W;
            hd_bits_put(d.line_i, w * W, W, own ? word >> HD_NODE_W << HD_NODE_W | owner[w] : word);
            if (loaded)
                value[w] = hd_bits_get(d.line_i, w * W, W);
        }
        hd_eval(d.m);
        const bool fw_valid = offered || (busy && !loaded && left != 0), rs_valid = busy && !loaded && home != 0;
        assert_int_equal(HD_GET(d.held_o, DN_HELD_FREE), !busy);
        assert_int_equal(HD_GET(d.held_o, DN_HELD_IDLE), !busy && !offered && count == 0);
        assert_int_equal(HD_GET(d.held_o, DN_HELD_FW), fw_valid);
        assert_int_equal(HD_GET(d.held_o, DN_HELD_RS), rs_valid);
        assert_int_equal(HD_GET(d.held_o, DN_HELD_FORWARD), fw_valid && !offered);
        full += count == P_Owed;

        /* What the bank does: a decision, or a writeback, or neither. */
        const bool load = !busy && ask != 0 && hd_rand_below(3) != 0;
        const bool ack = !load && count < P_Owed && hd_rand_below(3) != 0;
        const uint32_t bits = ask | ((uint32_t)hd_rand() & ~(uint32_t)ALL);
        const unsigned opid = (unsigned)hd_rand_below(1u << HD_OPID_W), asker = (unsigned)hd_rand_below(1u << HD_NODE_W);
        const uint32_t addr = ((num << P_PartBits) + PART) * WORDS * 4;
        HD_PUT(d.plan_i, DN_PLAN_EMIT, load && pick != 2);
        HD_PUT(d.plan_i, DN_PLAN_RECALL, load && pick == 2);
        HD_PUT(d.plan_i, DN_PLAN_ACK, ack);
        HD_PUT(d.head_i, HEAD_KIND, kinds[pick]);
        HD_PUT(d.head_i, HEAD_ADDR, addr);
        HD_PUT(d.head_i, HEAD_SRC, asker);
        HD_PUT(d.head_i, HEAD_TID, tid);
        HD_PUT(d.head_i, HEAD_OPID, opid);
        HD_PUT(d.head_i, HEAD_WMASK, bits);
        hd_bits_put(d.owned_i, 0, WORDS, owned);
        hd_bits_random(d.wb_head_i, HD_HEAD_W);
        hd_bits_put(d.wb_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, HD_MSG_WB);
        hd_bits_put(d.wb_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, ((num << P_PartBits) + PART) * WORDS * 4);
        hd_bits_put(d.wb_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, who);
        hd_bits_put(d.wb_head_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, tid);
        hd_eval(d.m);
        const bool offers = !offered && !busy && count > 0;

        if (fw_valid && fw_ready) {
            const unsigned to = (unsigned)hd_bits_get(d.fw_head_o, HD_HEAD_DST_LSB, HD_HEAD_DST_W);
            const unsigned words = (unsigned)hd_bits_get(d.fw_head_o, HD_HEAD_WMASK_LSB, WORDS);

            if (offered) {
                sends(d.fw_head_o, (struct message){.kind = HD_MSG_WB_ACK, .tid = offer.tid, .to = offer.to,
                                                    .words = HD_COH_WRITE << HD_COH_CLS,
                                                    .addr = ((offer.num << P_PartBits) + PART) * WORDS * 4});
                offered = false;
                acked++;
                before += busy && left != 0;
            } else {
                unsigned theirs = 0;
                for (unsigned w = 0; w < WORDS; w++)
                    theirs |= (left >> w & 1) && owner[w] == to ? 1u << w : 0;
                struct message m = decided;
                m.kind = forwards[kind], m.to = to;
                m.words = (m.words & ~(uint32_t)ALL & ~(((1u << HD_NODE_W) - 1) << HD_COH_REQ)) | theirs | decided.to << HD_COH_REQ;
                sends(d.fw_head_o, m);
                assert_int_equal(words, theirs);
                assert_int_equal(to, owner[__builtin_ctz(left)]);
                assert_true(words != 0);
                left &= ~words;
                forwarded++;
                behind += count > 0;
            }
        }
        if (rs_valid && rs_ready) {
            struct message m = decided;
            m.words = (m.words & ~(uint32_t)ALL) | home;
            sends(d.rs_head_o, m);
            for (unsigned w = 0; w < WORDS; w++)
                if (home >> w & 1)
                    assert_true(hd_bits_get(d.rs_data_o, w * W, W) == value[w]);
            home = 0;
        }
        if (busy && !loaded && left == 0 && home == 0)
            busy = false;
        loaded = load;
        if (load) {
            busy = true, kind = pick, left = ask & owned, home = ask & ~owned;
            decided = (struct message){.kind = pick != 1 ? HD_MSG_DATA_S : bits >> HD_COH_SYNC & 1 ? HD_MSG_REG_DATA : HD_MSG_REG_ACK,
                                       .opid = opid, .tid = tid, .to = asker, .words = bits, .addr = addr};
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
