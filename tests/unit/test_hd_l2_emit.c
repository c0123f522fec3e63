/* test_hd_l2_emit.c - the messages of random decisions: the words of the L2 in one packet, those of each owner in another. */
/* dut: hd_l2_emit LineWords=4 WordW=32 Bonus=1 */
/* dut: hd_l2_emit LineWords=8 WordW=32 Bonus=0 */
#include "hd_unit.h"
#include "hd_l2_emit_dut.h"
#include "hd_bits.h"

enum { WORDS = P_LineWords, ALL = (1u << WORDS) - 1, OWNERS = 3 };

static unsigned bits(const uint32_t *head, unsigned lsb, unsigned width)
{
    uint64_t two = head[lsb / 32] | (uint64_t)(lsb / 32 + 1 < 4 ? head[lsb / 32 + 1] : 0) << 32;
    return (unsigned)(two >> lsb % 32 & ((UINT64_C(1) << width) - 1));
}

static void same_head(const uint32_t *head, uint32_t addr, unsigned tid, unsigned opid, unsigned from, unsigned to)
{
    assert_int_equal(bits(head, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W), addr);
    assert_int_equal(bits(head, HD_HEAD_TID_LSB, HD_HEAD_TID_W), tid);
    assert_int_equal(bits(head, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W), opid);
    assert_int_equal(bits(head, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W), from);
    assert_int_equal(bits(head, HD_HEAD_DST_LSB, HD_HEAD_DST_W), to);
}

static void each_word_is_answered_once(void **state)
{
    static const uint8_t kinds[] = {HD_MSG_GETS, HD_MSG_REG, HD_MSG_RECALL};
    struct hd_l2_emit d;
    unsigned mixed = 0, twos = 0;

    (void)state;
    hd_l2_emit_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < 4000; n++) {
        const unsigned kind = kinds[hd_rand_below(3)], sync = kind == HD_MSG_REG ? (unsigned)hd_rand_below(2) : 0;
        const unsigned owned = (unsigned)hd_rand_below(ALL + 1);
        const unsigned ask = kind == HD_MSG_RECALL ? owned : (unsigned)hd_rand_below(ALL + 1);
        const unsigned class = (unsigned)hd_rand_below(1u << HD_COH_CLS_W);
        const uint32_t addr = (uint32_t)hd_rand() & ~(uint32_t)(WORDS * 4 - 1);
        const unsigned part = (unsigned)hd_rand_below(1u << HD_NODE_W), tid = (unsigned)hd_rand() & 255;
        const unsigned opid = (unsigned)hd_rand_below(1u << HD_OPID_W), asker = (unsigned)hd_rand_below(1u << HD_NODE_W);
        unsigned node[OWNERS]; /* differ, from the asker too, in a bit or in several */
        unsigned owner[WORDS], home = ask & ~owned, left = ask & owned, packets = 0;

        if (ask == 0)
            continue;
        if (P_Bonus && kind == HD_MSG_GETS)
            home = home ? ALL & ~owned : 0;
        hd_eval(d.m);
        assert_int_equal(*d.free_o, 1);
        *d.load_i = 1, *d.part_id_i = (uint8_t)part;
        hd_bits_random(d.ask_i, HD_HEAD_W + WORDS);
        HD_PUT(d.ask_i, HEAD_KIND, kind), HD_PUT(d.ask_i, HEAD_ADDR, addr), HD_PUT(d.ask_i, HEAD_SRC, asker);
        HD_PUT(d.ask_i, HEAD_TID, tid), HD_PUT(d.ask_i, HEAD_OPID, opid);
        for (unsigned i = 0; i < OWNERS; i++)
            node[i] = asker ^ 1u << (hd_rand_below(3) + 3 * i) % HD_NODE_W;
        const unsigned rest = ((unsigned)hd_rand() & ~(unsigned)ALL & ~(1u << HD_COH_SYNC) & ~(((1u << HD_COH_CLS_W) - 1) << HD_COH_CLS))
                              | sync << HD_COH_SYNC | class << HD_COH_CLS; /* goes through */
        HD_PUT(d.ask_i, HEAD_WMASK, ask | rest), hd_bits_put(d.ask_i, HD_HEAD_W, WORDS, owned);
        *d.rs_ready_i = *d.fw_ready_i = 0;
        hd_edge(d.m);
        *d.load_i = 0;
        uint32_t line[WORDS];
        for (unsigned w = 0; w < WORDS; w++) { /* beside the number of an owner stands what may be there */
            owner[w] = node[hd_rand_below(OWNERS)];
            line[w] = (uint32_t)hd_rand();
            if (owned >> w & 1)
                line[w] = line[w] >> HD_NODE_W << HD_NODE_W | owner[w];
            d.line_i[w] = line[w];
        }
        mixed += home && left;
        for (unsigned t = 0; t < 200; t++) {
            for (unsigned w = 0; t == 1 && w < WORDS; w++) /* it was there for one cycle */
                d.line_i[w] = (uint32_t)hd_rand();
            *d.rs_ready_i = hd_rand_below(2), *d.fw_ready_i = hd_rand_below(2);
            hd_eval(d.m);
            if (*d.free_o)
                break;
            if (*d.rs_valid_o && *d.rs_ready_i) {
                assert_int_equal(bits(d.rs_head_o, HD_HEAD_WMASK_LSB, 32), home | rest);
                assert_int_equal(bits(d.rs_head_o, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W),
                                 kind == HD_MSG_GETS ? HD_MSG_DATA_S : sync ? HD_MSG_REG_DATA : HD_MSG_REG_ACK);
                assert_int_equal(bits(d.rs_head_o, HD_HEAD_WMASK_LSB + HD_COH_CLS, HD_COH_CLS_W), class);
                for (unsigned w = 0; w < WORDS; w++)
                    if (home >> w & 1)
                        assert_int_equal(d.rs_data_o[w], line[w]);
                same_head(d.rs_head_o, addr, tid, opid, part, asker);
                home = 0;
            }
            if (*d.fw_valid_o && *d.fw_ready_i) {
                const unsigned words = bits(d.fw_head_o, HD_HEAD_WMASK_LSB, WORDS), low = (unsigned)__builtin_ctz(left);
                unsigned theirs = 0;
                for (unsigned w = 0; w < WORDS; w++)
                    theirs |= (left >> w & 1) && owner[w] == owner[low] ? 1u << w : 0;
                assert_int_equal(words, theirs);
                assert_int_equal(bits(d.fw_head_o, HD_HEAD_WMASK_LSB, 32),
                                 theirs | (rest & ~(((1u << HD_NODE_W) - 1) << HD_COH_REQ)) | asker << HD_COH_REQ);
                assert_int_equal(bits(d.fw_head_o, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W),
                                 kind == HD_MSG_GETS ? HD_MSG_FWD_READ : kind == HD_MSG_REG ? HD_MSG_FWD_REG : HD_MSG_RECALL);
                assert_int_equal(bits(d.fw_head_o, HD_HEAD_WMASK_LSB + HD_COH_REQ, HD_NODE_W), asker);
                same_head(d.fw_head_o, addr, tid, opid, part, owner[low]);
                assert_int_equal(bits(d.fw_head_o, HD_HEAD_WMASK_LSB + HD_COH_CLS, HD_COH_CLS_W), class);
                left &= ~words, packets++;
            }
            hd_edge(d.m);
            assert_int_equal(*d.free_o, !(home | left));
        }
        assert_int_equal(home | left, 0);
        twos += packets > 1;
    }
    assert_true(mixed > 100 && twos > 100);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(each_word_is_answered_once)};

    return HD_UNIT_MAIN(argc, argv, t);
}
