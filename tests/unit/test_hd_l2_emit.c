/* test_hd_l2_emit.c - the messages of random decisions: the words of the L2 in one packet, those of each owner in another. */
/* dut: hd_l2_emit LineWords=4 WordW=32 Bonus=1 */
/* dut: hd_l2_emit LineWords=8 WordW=32 Bonus=0 */
#include "hd_unit.h"
#include "hd_l2_emit_dut.h"
#include "hd_pkg.h"

enum { WORDS = P_LineWords, ALL = (1u << WORDS) - 1, OWNERS = 3, ASKER = 9 };

static unsigned bits(const uint32_t *head, unsigned lsb, unsigned width)
{
    uint64_t two = head[lsb / 32] | (uint64_t)(lsb / 32 + 1 < 4 ? head[lsb / 32 + 1] : 0) << 32;
    return (unsigned)(two >> lsb % 32 & ((UINT64_C(1) << width) - 1));
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
        unsigned owner[WORDS], home = ask & ~owned, left = ask & owned, packets = 0;

        if (ask == 0)
            continue;
        if (P_Bonus && kind == HD_MSG_GETS)
            home = home ? ALL & ~owned : 0;
        hd_eval(d.m);
        assert_int_equal(*d.free_o, 1);
        *d.load_i = 1, *d.kind_i = (uint8_t)kind, *d.src_i = ASKER, *d.tid_i = (uint8_t)n, *d.addr_i = 0x1000, *d.part_id_i = 2;
        *d.bits_i = ask | sync << HD_COH_SYNC | class << HD_COH_CLS, *d.owned_i = (uint8_t)owned;
        *d.rs_ready_i = *d.fw_ready_i = 0;
        hd_edge(d.m);
        *d.load_i = 0;
        for (unsigned w = 0; w < WORDS; w++)
            d.line_i[w] = owned >> w & 1 ? (owner[w] = (unsigned)hd_rand_below(OWNERS)) : (uint32_t)(n * 16 + w);
        mixed += home && left;
        for (unsigned t = 0; t < 200; t++) {
            *d.rs_ready_i = hd_rand_below(2), *d.fw_ready_i = hd_rand_below(2);
            hd_eval(d.m);
            if (*d.free_o)
                break;
            if (*d.rs_valid_o && *d.rs_ready_i) {
                assert_int_equal(bits(d.rs_head_o, HD_HEAD_WMASK_LSB, WORDS), home);
                assert_int_equal(bits(d.rs_head_o, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W),
                                 kind == HD_MSG_GETS ? HD_MSG_DATA_S : sync ? HD_MSG_REG_DATA : HD_MSG_REG_ACK);
                assert_int_equal(bits(d.rs_head_o, HD_HEAD_WMASK_LSB + HD_COH_CLS, HD_COH_CLS_W), class);
                for (unsigned w = 0; w < WORDS; w++)
                    if (home >> w & 1)
                        assert_int_equal(d.rs_data_o[w], n * 16 + w);
                home = 0;
            }
            if (*d.fw_valid_o && *d.fw_ready_i) {
                const unsigned words = bits(d.fw_head_o, HD_HEAD_WMASK_LSB, WORDS), low = (unsigned)__builtin_ctz(left);
                unsigned theirs = 0;
                for (unsigned w = 0; w < WORDS; w++)
                    theirs |= (left >> w & 1) && owner[w] == owner[low] ? 1u << w : 0;
                assert_int_equal(words, theirs);
                assert_int_equal(bits(d.fw_head_o, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W),
                                 kind == HD_MSG_GETS ? HD_MSG_FWD_READ : kind == HD_MSG_REG ? HD_MSG_FWD_REG : HD_MSG_RECALL);
                assert_int_equal(bits(d.fw_head_o, HD_HEAD_WMASK_LSB + HD_COH_REQ, HD_NODE_W), ASKER);
                assert_int_equal(bits(d.fw_head_o, HD_HEAD_WMASK_LSB + HD_COH_CLS, HD_COH_CLS_W), class);
                left &= ~words, packets++;
            }
            hd_edge(d.m);
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
