/* test_hd_wt_table.c - the table of stores that are out against a list in C. */
/* dut: hd_wt_table Entries=5 Lanes=4 LineW=3 SlotW=5 */
/* dut: hd_wt_table Entries=1 Lanes=8 LineW=6 SlotW=3 */
/* dut: hd_wt_table Entries=3 Lanes=64 LineW=4 SlotW=3 */
#include "hd_unit.h"
#include "hd_wt_table_dut.h"
#include "hd_bits.h"

enum { ENTRIES = P_Entries, WHO_W = HD_WT_TABLE_W_who_i };

static void random_traffic_matches_a_list(void **state)
{
    struct hd_wt_table d;
    struct {
        bool used;
        uint64_t line;
        uint8_t who[(WHO_W + 31) / 32 * 4];
    } e[ENTRIES] = {{0}};
    unsigned held = 0, full = 0, found = 0, both = 0;

    (void)state;
    hd_wt_table_open(&d);
    hd_reset(d.m);
    for (unsigned cycle = 0; cycle < 20000; cycle++) {
        unsigned done = (unsigned)hd_rand_below(ENTRIES), lean = cycle / 500 % 3;
        bool out = false;

        *d.lk_valid_i = hd_rand_below(4) != 0;
        *d.line_i = (uint8_t)hd_rand_below(1u << P_LineW);
        hd_bits_random(d.who_i, WHO_W);
        *d.done_idx_i = (uint8_t)done;
        *d.put_i = 0;
        hd_eval(d.m);
        for (unsigned i = 0; i < ENTRIES; i++)
            out |= e[i].used && e[i].line == *d.line_i && *d.lk_valid_i;
        assert_int_equal(*d.out_o, out);
        assert_int_equal(*d.empty_o, held == 0);
        assert_int_equal(*d.room_o, held < ENTRIES);
        if (e[done].used)
            assert_memory_equal(d.who_o, e[done].who, hd_bits_bytes(WHO_W));
        *d.done_i = e[done].used && hd_rand_below(4) > lean;
        *d.put_i = *d.room_o && hd_rand_below(4) >= 2 - lean;
        full += held == ENTRIES;
        found += out;
        both += *d.done_i && *d.put_i;
        bool put = *d.put_i, gone = *d.done_i;
        unsigned at = *d.idx_o;
        assert_true(!put || (at < ENTRIES && !e[at].used));
        hd_edge(d.m);
        if (put) {
            e[at].used = true, e[at].line = *d.line_i;
            memcpy(e[at].who, d.who_i, hd_bits_bytes(WHO_W));
        }
        if (gone)
            e[done].used = false;
        held = held + put - gone;
    }
    assert_true(full > 100 && found > 100 && (both > 100 || ENTRIES == 1));
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_reset(d.m);
    assert_int_equal(*d.empty_o, 1);
    if (hd_has_asserts(d.m)) {
        *d.done_i = 1; /* of an entry that is not out */
        hd_edge(d.m);
        assert_true(hd_assert_failures(d.m) > 0);
    }
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(random_traffic_matches_a_list)};

    return HD_UNIT_MAIN(argc, argv, t);
}
