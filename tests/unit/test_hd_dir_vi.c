/* test_hd_dir_vi.c - the write-through directory's decision table, every input. */
/* dut: hd_dir_vi Sms=4 */
/* dut: hd_dir_vi Sms=1 */
#include "hd_unit.h"
#include "hd_dir_vi_dut.h"
#include "hd_bits.h"

enum { SMS = P_Sms, ALL = (1 << SMS) - 1 };
enum { GRANT = 1, INV = 2, EVICT = 4, DONE = 8, BAD = 16 };

static struct hd_dir_vi d;

#define SAYS(member) ((bool)HD_GET(d.dir_o, L2_DIR_##member))

static unsigned does(void)
{
    return (SAYS(GRANT) ? GRANT : 0) | (SAYS(INV) ? INV : 0) | (SAYS(EVICT) ? EVICT : 0) | (SAYS(DONE) ? DONE : 0) |
           (SAYS(BAD) ? BAD : 0);
}

static void check(unsigned msg, unsigned self, unsigned from, bool dirty, unsigned sharers, unsigned seen[8])
{
    unsigned what = BAD, next = sharers, targets = 0, send = 0, row = 7;
    bool next_dirty = dirty;
    unsigned others = sharers & ~self;

    if (msg == HD_MSG_GETS) {
        row = 0, what = GRANT, next = sharers | self, send = HD_MSG_DATA_S;
    } else if (msg == HD_MSG_WT || msg == HD_MSG_ATOMIC) {
        if (others != 0)
            row = 1, what = INV, targets = others, send = HD_MSG_INV;
        else if (msg == HD_MSG_WT)
            row = 2, what = GRANT, next_dirty = true, send = HD_MSG_WT_ACK;
        else
            row = 3, what = GRANT, next_dirty = true, send = HD_MSG_AT_DATA, next = 0;
    } else if (msg == HD_MSG_NONE) {
        row = sharers ? 4 : 5;
        what = sharers ? INV : EVICT;
        targets = sharers;
        send = sharers ? HD_MSG_INV : 0;
    } else if (msg == HD_MSG_INV_ACK && (sharers & from)) {
        row = 6;
        next = sharers & ~from;
        what = (next & ~self) == 0 ? DONE : 0;
    }
    seen[row]++;
    *d.en_i = 1;
    *d.msg_i = (uint8_t)msg;
    *d.self_i = (uint8_t)self;
    *d.from_i = (uint8_t)from;
    *d.dirty_i = dirty;
    *d.sharers_i = (uint8_t)sharers;
    hd_eval(d.m);
    if (does() != what || SAYS(DIRTY) != next_dirty || *d.sharers_o != next || *d.targets_o != targets
        || *d.send_o != send)
        fail_msg("msg %u self %x from %x dirty %d sharers %x: does %x want %x, dirty %d want %d, sharers %x want %x, "
                 "targets %x want %x, send %u want %u", msg, self, from, dirty, sharers, does(), what, SAYS(DIRTY),
                 next_dirty, *d.sharers_o, next, *d.targets_o, targets, *d.send_o, send);
}

static void every_input_does_what_its_row_says_and_the_rest_is_bad(void **state)
{
    unsigned seen[8] = {0};

    (void)state;
    hd_dir_vi_open(&d);
    for (unsigned msg = 0; msg <= HD_MSG_AT_DATA; msg++) {
        bool request = msg == HD_MSG_GETS || msg == HD_MSG_WT || msg == HD_MSG_ATOMIC;
        for (unsigned by = 0; by <= SMS; by++) {
            for (unsigned who = 0; who < SMS; who++) {
                for (unsigned sharers = 0; sharers <= ALL; sharers++) {
                    unsigned self = by == SMS ? 0 : 1u << by;
                    if ((request && self == 0) || (msg == HD_MSG_NONE && self != 0))
                        continue;
                    check(msg, self, request || msg == HD_MSG_NONE ? 0 : 1u << who, sharers & 1, sharers, seen);
                    check(msg, self, request || msg == HD_MSG_NONE ? 0 : 1u << who, !(sharers & 1), sharers, seen);
                }
            }
        }
    }
    for (unsigned row = 0; row < 8; row++)
        assert_true(seen[row] > 0 || (SMS == 1 && row == 1));
    hd_close(d.m);
}

static void disabled_it_says_nothing(void **state)
{
    (void)state;
    hd_dir_vi_open(&d);
    for (unsigned i = 0; i < 1000; i++) {
        *d.en_i = 0;
        *d.msg_i = (uint8_t)hd_rand_below(21);
        *d.self_i = *d.from_i = (uint8_t)(1u << hd_rand_below(SMS));
        *d.dirty_i = 1;
        *d.sharers_i = (uint8_t)(hd_rand() & ALL);
        hd_eval(d.m);
        assert_int_equal(*d.dir_o | *d.sharers_o | *d.targets_o | *d.send_o, 0);
    }
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_input_does_what_its_row_says_and_the_rest_is_bad),
        cmocka_unit_test(disabled_it_says_nothing),
    };

    return HD_UNIT_MAIN(argc, argv, tests);
}
