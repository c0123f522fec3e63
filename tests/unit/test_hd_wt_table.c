/* test_hd_wt_table.c - the table of stores that are out against a list in C. */
/* dut: hd_wt_table Entries=5 Lanes=4 LineW=3 SlotW=5 */
/* dut: hd_wt_table Entries=1 Lanes=8 LineW=6 SlotW=3 */
/* dut: hd_wt_table Entries=3 Lanes=64 LineW=4 SlotW=3 */
#include "hd_unit.h"
#include "hd_wt_table_dut.h"
#include "hd_bits.h"

enum { ENTRIES = P_Entries };

static void random_traffic_matches_a_list(void **state)
{
    struct hd_wt_table d;
    struct {
        bool used;
        uint64_t line, warp, slot, mask;
    } e[ENTRIES] = {{0}};
    unsigned held = 0, full = 0, found = 0, both = 0;

    (void)state;
    hd_wt_table_open(&d);
    hd_reset(d.m);
    for (unsigned cycle = 0; cycle < 20000; cycle++) {
        unsigned done = (unsigned)hd_rand_below(ENTRIES), lean = cycle / 500 % 3;
        bool out = false;

        *d.lk_valid_i = hd_rand_below(4) != 0;
        *d.lk_line_i = (uint8_t)hd_rand_below(1u << P_LineW);
        *d.put_line_i = (uint8_t)hd_rand_below(1u << P_LineW);
        *d.put_warp_i = (uint8_t)hd_rand_below(64);
        *d.put_slot_i = (uint8_t)hd_rand_below(1u << P_SlotW);
        hd_bits_put(d.put_mask_i, 0, P_Lanes, hd_bits_random_mask(P_Lanes));
        *d.done_idx_i = (uint8_t)done;
        *d.put_i = 0;
        hd_eval(d.m);
        for (unsigned i = 0; i < ENTRIES; i++)
            out |= e[i].used && e[i].line == *d.lk_line_i && *d.lk_valid_i;
        assert_int_equal(*d.out_o, out);
        assert_int_equal(*d.empty_o, held == 0);
        assert_int_equal(*d.room_o, held < ENTRIES);
        if (e[done].used) {
            assert_int_equal(*d.warp_o, e[done].warp);
            assert_int_equal(*d.slot_o, e[done].slot);
            assert_true(*d.mask_o == e[done].mask);
        }
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
            e[at].used = true, e[at].line = *d.put_line_i, e[at].warp = *d.put_warp_i;
            e[at].slot = *d.put_slot_i, e[at].mask = *d.put_mask_i;
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
