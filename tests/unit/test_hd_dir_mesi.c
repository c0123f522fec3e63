/* test_hd_dir_mesi.c - the directory's decision table, row by row, and every other input excluded. */
/* dut: hd_dir_mesi Sms=4 */
/* dut: hd_dir_mesi Sms=1 */
#include "hd_unit.h"
#include "hd_dir_mesi_dut.h"
#include "dir_mesi_ref.h"
#include "hd_bits.h"

enum { SMS = P_Sms, ALL = (1 << SMS) - 1 };

static struct hd_dir_mesi d;

#define SAYS(member) ((bool)HD_GET(d.dir_o, L2_DIR_##member))

static int setup(void **state)
{
    (void)state;
    hd_dir_mesi_open(&d);
    *d.en_i = 1;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    hd_close(d.m);
    return 0;
}

static unsigned does(void)
{
    return (SAYS(GRANT) ? GRANT : 0) | (SAYS(FETCH) ? FETCH : 0) | (SAYS(INV) ? INV : 0) | (SAYS(WAIT_PUT) ? WAIT : 0) |
           (SAYS(EVICT) ? EVICT : 0) | (SAYS(MERGE) ? MERGE : 0) | (SAYS(DONE) ? DONE : 0) | (SAYS(BAD) ? BAD : 0);
}

static void check(struct dir_mesi_ask a, unsigned hits[ROWS])
{
    const struct dir_mesi_say o = dir_mesi_ref(a);

    assert_true(o.fits <= 1); /* the table is unambiguous */
    if (o.row >= 0)
        hits[o.row]++;
    *d.msg_i = (uint8_t)a.msg;
    *d.self_i = (uint8_t)a.self;
    *d.from_i = (uint8_t)a.from;
    *d.keep_i = a.keep;
    *d.dirty_i = a.dirty;
    *d.excl_i = a.excl;
    *d.sharers_i = (uint8_t)a.sharers;
    hd_eval(d.m);
    if (does() != o.does || SAYS(DIRTY) != o.dirty || SAYS(EXCL) != o.excl || *d.sharers_o != o.sharers || *d.targets_o != o.targets ||
        *d.send_o != o.send)
        fail_msg("msg %u self %x from %x keep %d, dirty %d excl %d sharers %x: does %x want %x, dirty %d excl %d sharers "
                 "%x want %d %d %x, targets %x want %x, send %u want %u",
                 a.msg, a.self, a.from, a.keep, a.dirty, a.excl, a.sharers, does(), o.does, SAYS(DIRTY), SAYS(EXCL), *d.sharers_o,
                 o.dirty, o.excl, o.sharers, *d.targets_o, o.targets, *d.send_o, o.send);
}

static void every_input_does_what_its_row_says_and_the_rest_is_bad(void **state)
{
    unsigned hits[ROWS] = {0};

    (void)state;
    for (unsigned msg = 0; msg <= HD_MSG_FETCH_INV; msg++) {
        bool request = msg >= HD_MSG_GETS && msg <= HD_MSG_UPG;
        for (unsigned who = 0; who < SMS; who++) {
            for (unsigned by = 0; by <= SMS; by++) {
                for (unsigned bits = 0; bits < 8; bits++) {
                    bool excl = bits >> 2;
                    for (unsigned sharers = 0; sharers <= ALL; sharers++) {
                        unsigned self = by == SMS ? 0 : 1u << by, from = 1u << who;
                        if (excl && (sharers == 0 || (sharers & (sharers - 1))))
                            continue; /* an owner is one L1 */
                        if (request && (self == 0 || who != 0))
                            continue; /* a request has a requester, nobody answers */
                        if (msg == HD_MSG_NONE && self)
                            continue; /* an eviction has none */
                        check((struct dir_mesi_ask){.msg = msg, .self = self, .from = request || msg == HD_MSG_NONE ? 0 : from,
                                                    .keep = bits & 1, .dirty = bits >> 1 & 1, .excl = excl, .sharers = sharers},
                              hits);
                    }
                }
            }
        }
    }
    for (unsigned i = 0; i < ROWS; i++) {
        bool needs_two = rows[i].state == S_OTHERS || rows[i].state == X_OTHER;
        if (hits[i] == 0 && !(SMS == 1 && needs_two))
            fail_msg("row %u was never reached", i);
    }
}

static void disabled_it_says_nothing(void **state)
{
    (void)state;
    *d.en_i = 0;
    for (unsigned i = 0; i < 1000; i++) {
        *d.msg_i = (uint8_t)hd_rand_below(17);
        *d.self_i = *d.from_i = (uint8_t)(1u << hd_rand_below(SMS));
        *d.dirty_i = 1;
        *d.excl_i = (uint8_t)hd_rand_below(2);
        *d.sharers_i = (uint8_t)(hd_rand() & ALL);
        hd_eval(d.m);
        assert_int_equal(*d.dir_o | *d.sharers_o | *d.targets_o | *d.send_o, 0);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_input_does_what_its_row_says_and_the_rest_is_bad, setup, teardown),
        cmocka_unit_test_setup_teardown(disabled_it_says_nothing, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, tests);
}
