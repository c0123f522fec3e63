/* test_hd_dir_denovo.c - every message in every state of a line of two words against the table in the module's header. */
/* dut: hd_dir_denovo LineWords=2 */
#include "hd_unit.h"
#include "hd_dir_denovo_dut.h"
#include "hd_bits.h"

struct answer {
    uint8_t wait, fetch, back, recall, emit, own, merge, ack, bad;
};

static void every_message_in_every_state(void **state)
{
    static const uint8_t kinds[] = {HD_MSG_NONE, HD_MSG_GETS, HD_MSG_REG, HD_MSG_WB, HD_MSG_RECALL_DATA, HD_MSG_WT};
    struct hd_dir_denovo d;

    (void)state;
    hd_dir_denovo_open(&d);
    for (unsigned i = 0; i < 6 * 64 * 64; i++) {
        const unsigned kind = kinds[i % 6], bits = i / 6;
        const bool walk = bits & 1, later = bits >> 1 & 1, here = bits >> 2 & 1, busy = bits >> 3 & 1, dirty = bits >> 4 & 1;
        const uint8_t words = bits >> 5 & 3, owned = bits >> 7 & 3, mine = bits >> 9 & 3, en = (bits >> 11) != 0;
        struct answer want = {0};

        if (!en) {
        } else if (kind == HD_MSG_GETS || kind == HD_MSG_REG) {
            if (later || (here && !busy))
                want = (struct answer){.emit = 1, .own = kind == HD_MSG_REG};
            else if (here)
                want.wait = 1;
            else if (owned)
                want.recall = 1;
            else if (dirty)
                want.back = 1;
            else
                want.fetch = want.wait = 1;
        } else if (kind == HD_MSG_WB) {
            want = (struct answer){.merge = here ? words & owned & mine : 0, .ack = 1};
        } else if (kind == HD_MSG_RECALL_DATA) {
            want = (struct answer){.merge = here ? words & owned & mine : 0, .bad = !here};
        } else if (kind == HD_MSG_NONE) {
            want = (struct answer){.back = dirty && !owned, .bad = walk && owned};
        } else {
            want.bad = 1;
        }
        *d.en_i = en, *d.msg_i = (uint8_t)kind, *d.words_i = words, *d.owned_i = owned, *d.mine_i = mine;
        HD_PUT(d.at_i, DIR_DN_AT_WALK, walk);
        HD_PUT(d.at_i, DIR_DN_AT_LATER, later);
        HD_PUT(d.at_i, DIR_DN_AT_HERE, here);
        HD_PUT(d.at_i, DIR_DN_AT_BUSY, busy);
        HD_PUT(d.at_i, DIR_DN_AT_DIRTY, dirty);
        hd_eval(d.m);
        const struct answer got = {
            .wait = HD_GET(d.do_o, DIR_DN_DO_WAITS),
            .fetch = HD_GET(d.do_o, DIR_DN_DO_FETCH),
            .back = HD_GET(d.do_o, DIR_DN_DO_BACK),
            .recall = HD_GET(d.do_o, DIR_DN_DO_RECALL),
            .emit = HD_GET(d.do_o, DIR_DN_DO_EMIT),
            .own = HD_GET(d.do_o, DIR_DN_DO_OWN),
            .merge = *d.merge_o,
            .ack = HD_GET(d.do_o, DIR_DN_DO_ACK),
            .bad = *d.bad_o,
        };
        if (memcmp(&got, &want, sizeof got) != 0)
            fail_msg("message %u later %d here %d busy %d dirty %d words %u owned %u mine %u walk %d en %d", kind, later, here,
                     busy, dirty, words, owned, mine, walk, en);
    }
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(every_message_in_every_state)};

    return HD_UNIT_MAIN(argc, argv, t);
}
