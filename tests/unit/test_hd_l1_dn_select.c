/* test_hd_l1_dn_select.c - what is decided about, in its order; generations, walks, flushes and refused accesses. */
/* dut: hd_l1_dn_select Rows=4 GenW=2 */
/* dut: hd_l1_dn_select Rows=6 GenW=3 */
#include "hd_unit.h"
#include "hd_l1_dn_select_dut.h"
#include "hd_pkg.h"

#define SEL(name) (1u << HD_DN_SEL_##name##_LSB)

static void one_thing_a_cycle_in_order(void **state)
{
    struct hd_l1_dn_select d;
    bool refused = false, press = false, clear = false, clear_ro = false, walk = false, drain = false, drop = false, write = false;
    unsigned gen = 0, row = 0, seen[16] = {0}, pressed = 0, walks = 0, ro_walks = 0, kept = 0;

    (void)state;
    hd_l1_dn_select_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < 60000; n++) {
        const bool calm = n / 300 % 2; /* else low priorities hardly get their turn */
        unsigned want = 0;

        *d.busy_i = hd_rand_below(4) == 0;
        *d.rp_valid_i = hd_rand_below(calm ? 40 : 5) == 0, *d.st_valid_i = hd_rand_below(calm ? 40 : 5) == 0;
        *d.sv_valid_i = hd_rand_below(calm ? 40 : 5) == 0, *d.rs_valid_i = hd_rand_below(calm ? 20 : 4) == 0;
        *d.ps_valid_i = hd_rand_below(calm ? 20 : 4) == 0, *d.fw_valid_i = hd_rand_below(calm ? 20 : 4) == 0;
        *d.rt_valid_i = hd_rand_below(calm ? 20 : 4) == 0, *d.rsp_room_i = hd_rand_below(2), *d.req_room_i = hd_rand_below(4) != 0;
        *d.reg_free_i = hd_rand_below(4) != 0, *d.done_ok_i = hd_rand_below(2), *d.la_valid_i = hd_rand_below(4) != 0;
        *d.la_fence_i = hd_rand_below(4) == 0, *d.list_valid_i = hd_rand_below(2);
        *d.list_marker_i = *d.list_valid_i && hd_rand_below(3) == 0;
        *d.list_marked_i = *d.list_marker_i || (*d.list_valid_i && hd_rand_below(3) == 0);
        *d.list_full_i = hd_rand_below(8) == 0, *d.out_none_i = hd_rand_below(2), *d.read_only_i = n / 900 % 2;
        *d.row_ok_i = hd_rand_below(2), *d.wb_none_i = hd_rand_below(2);
        *d.flush_i = hd_rand_below(100) == 0, *d.begin_i = hd_rand_below(100) == 0;
        *d.refuse_i = *d.step_i = *d.press_i = 0, *d.change_i = hd_rand_below(8) == 0;
        hd_eval(d.m);
        const bool leaves = *d.list_marker_i && *d.out_none_i;
        const bool flush = *d.list_valid_i && !*d.list_marker_i && *d.reg_free_i && *d.req_room_i &&
                           (*d.list_marked_i || *d.list_full_i || drain || (press && refused));
        if (*d.busy_i)
            want = 0;
        else if (clear)
            want = SEL(WRAP);
        else if (*d.rp_valid_i)
            want = SEL(RP);
        else if (*d.st_valid_i)
            want = SEL(ST);
        else if (*d.sv_valid_i)
            want = SEL(SV);
        else if (*d.rs_valid_i)
            want = SEL(RS);
        else if (*d.ps_valid_i && *d.rsp_room_i)
            want = SEL(PS);
        else if (*d.fw_valid_i && *d.rsp_room_i)
            want = SEL(FW);
        else if (*d.rt_valid_i && *d.req_room_i)
            want = SEL(RT);
        else if (leaves && *d.done_ok_i)
            want = SEL(MK);
        else if ((drain || drop) && (!drain || (!*d.list_valid_i && *d.out_none_i)))
            want = SEL(ENDS);
        else if (flush)
            want = SEL(FL), pressed += !(*d.list_marked_i || *d.list_full_i || drain);
        else if (walk)
            want = SEL(WRAP);
        else if (leaves) /* the release waits for done_ok, and the access for the release */
            kept += *d.la_valid_i && !refused && !*d.la_fence_i;
        else if (*d.la_valid_i && !refused && (*d.done_ok_i || !*d.la_fence_i))
            want = SEL(FR);
        if (*d.sel_o != want)
            fail_msg("cycle %u: selects 0x%x, not 0x%x", n, *d.sel_o, want);
        assert_int_equal(*d.flush_can_o, !*d.list_marker_i);
        assert_int_equal(*d.gen_o, gen);
        assert_int_equal(*d.flushing_o, drain || drop || walk || clear || (write && !*d.wb_none_i));
        assert_int_equal(*d.drop_o, drop);
        assert_int_equal(*d.clear_o, clear);
        if (clear)
            assert_int_equal(*d.clear_ro_o, clear_ro);
        if (clear || walk)
            assert_int_equal(*d.row_o, row);
        if (*d.idle_o)
            assert_true(want == 0 && !*d.flushing_o && !*d.busy_i);
        for (unsigned i = 0; i < 12; i++)
            seen[i] += want >> i & 1;
        *d.refuse_i = want == SEL(FR) && hd_rand_below(2);
        *d.press_i = hd_rand_below(2);
        /* A drop steps the generation; else whoever acquires, but while rows are walked nobody does. */
        *d.step_i = want == SEL(ENDS) ? drop
                                      : (want & (SEL(ST) | SEL(MK) | SEL(FR))) && !*d.refuse_i && !walk && hd_rand_below(4) == 0;
        if (walk && *d.step_i)
            *d.step_i = 0;
        const bool ends = want == SEL(ENDS), wraps = want == SEL(WRAP), ok = *d.row_ok_i, last = row == P_Rows - 1;
        const bool flush_in = *d.flush_i, begin_in = *d.begin_i, step = *d.step_i, wb_none = *d.wb_none_i;
        hd_edge(d.m);
        if (*d.refuse_i)
            press = *d.press_i;
        refused = *d.change_i || (want & (unsigned)~SEL(FR)) ? false : *d.refuse_i ? true : refused;
        const bool clears_now = ends && drop && *d.read_only_i && !write;
        const bool was_clear = clear;
        if (clears_now)
            clear = clear_ro = true;
        else if (step && gen == (1u << P_GenW) - 1)
            clear = true, clear_ro = false;
        else if (was_clear && !*d.busy_i && last)
            clear = false, walks++, ro_walks += clear_ro;
        const bool walk_starts = ends && write;
        if (flush_in)
            write = true;
        else if (wb_none && !walk && !drain)
            write = false;
        if (walk_starts)
            walk = true;
        else if (wraps && !was_clear && ok && last)
            walk = false;
        drain = flush_in || (drain && !ends);
        drop = flush_in || begin_in || (drop && !ends);
        if (wraps && (was_clear || ok))
            row = last ? 0 : row + 1;
        if (step)
            gen = (gen + 1) % (1u << P_GenW);
    }
    for (unsigned i = 0; i < 12; i++)
        if (seen[i] < 30)
            fail_msg("selection %u was seen %u times", i, seen[i]);
    assert_true(pressed > 10 && walks > 30 && ro_walks > 5 && kept > 100);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(one_thing_a_cycle_in_order)};

    return HD_UNIT_MAIN(argc, argv, t);
}
