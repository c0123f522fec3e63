/* test_hd_l1_word_select.c - what is decided about, in its order; generations, flushes and refused accesses. */
/* dut: hd_l1_word_select Rows=4 GenW=2 */
/* dut: hd_l1_word_select Rows=6 GenW=3 */
#include "hd_unit.h"
#include "hd_l1_word_select_dut.h"
#include "hd_bits.h"

#define SEL(name) (1u << HD_WORD_SEL_##name##_LSB)

static void one_thing_a_cycle_in_order(void **state)
{
    struct hd_l1_word_select d;
    bool refused = false, wrap = false, drain = false, drop = false;
    unsigned gen = 0, row = 0, seen[9] = {0}, held = 0;

    (void)state;
    hd_l1_word_select_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < 40000; n++) {
        const bool valid = hd_rand_below(2), marker = valid && hd_rand_below(3) == 0, full = hd_rand_below(4) == 0;
        const bool marked = marker || (valid && hd_rand_below(3) == 0), ok = hd_rand_below(4) != 0, none = hd_rand_below(2);
        const bool wt = hd_rand_below(4) != 0, pop = hd_rand_below(6) == 0, pop_mark = hd_rand_below(2), req = hd_rand_below(4) != 0;
        unsigned want = 0;

        *d.busy_i = hd_rand_below(4) == 0, *d.rp_valid_i = hd_rand_below(4) == 0, *d.dn_valid_i = hd_rand_below(3) == 0;
        *d.dn_done_i = hd_rand_below(2), *d.done_ok_i = hd_rand_below(2), *d.la_valid_i = hd_rand_below(4) != 0;
        *d.la_fence_i = hd_rand_below(4) == 0;
#define BIT(type, name, value) ((unsigned)(value) << HD_GPU_##type##_##name##_LSB)
        *d.heads_i = (uint8_t)(BIT(HEADS, VALID, valid) | BIT(HEADS, MARKER, marker) | BIT(HEADS, MARKED, marked) |
                               BIT(HEADS, FULL, full) | BIT(HEADS, LEAVE, ok) | BIT(HEADS, POP, pop) | BIT(HEADS, POP_MARK, pop_mark));
        hd_bits_random(d.room_i, HD_L1_WORD_SELECT_W_room_i);
        hd_bits_put(d.room_i, HD_GPU_ROOM_REQ_LSB, 1, req), hd_bits_put(d.room_i, HD_GPU_ROOM_WT_LSB, 1, wt);
        hd_bits_put(d.room_i, HD_GPU_ROOM_WT_NONE_LSB, 1, none);
#undef BIT
        *d.flush_i = hd_rand_below(100) == 0, *d.begin_i = hd_rand_below(100) == 0;
        *d.refuse_i = *d.step_i = 0, *d.change_i = hd_rand_below(8) == 0;
        hd_eval(d.m);
        const bool leaves = marker && none, can = wt && !marker, flush = (marked || full || drain) && valid;
        assert_int_equal(*d.wt_can_o, can);
        if (*d.busy_i)
            want = 0;
        else if (wrap)
            want = SEL(WRAP);
        else if (*d.rp_valid_i)
            want = SEL(RP);
        else if (*d.dn_valid_i)
            want = *d.done_ok_i || !*d.dn_done_i ? SEL(DN) : 0, held += want == 0;
        else if (leaves)
            want = *d.done_ok_i ? SEL(MK) : 0;
        else if (pop && (pop_mark ? req : can))
            want = SEL(PP);
        else if ((drain || drop) && (!drain || (!valid && none)))
            want = SEL(ENDS);
        else if (flush && can && ok)
            want = SEL(FL);
        else if (*d.la_valid_i && !refused && (*d.done_ok_i || !*d.la_fence_i))
            want = SEL(FR);
        if (*d.sel_o != want)
            fail_msg("cycle %u: selects 0x%x, not 0x%x", n, *d.sel_o, want);
        assert_int_equal(*d.gen_o, gen);
        assert_int_equal(*d.flushing_o, drain || drop);
        assert_int_equal(*d.drop_o, drop);
        if (wrap)
            assert_int_equal(*d.row_o, row);
        if (*d.idle_o)
            assert_int_equal(want & (unsigned)~(SEL(RP) | SEL(DN)), 0);
        for (unsigned i = 0; i < 8; i++)
            seen[i] += want >> i & 1;
        *d.refuse_i = want == SEL(FR) && hd_rand_below(2);
        *d.step_i = (want & (SEL(DN) | SEL(MK) | SEL(FR))) && !*d.refuse_i && hd_rand_below(4) == 0;
        hd_edge(d.m);
        if (*d.refuse_i)
            refused = true;
        if (*d.change_i || (want & ~(SEL(FR) | SEL(WRAP))))
            refused = false;
        drain = *d.flush_i || (drain && want != SEL(ENDS));
        drop = *d.flush_i || *d.begin_i || (drop && want != SEL(ENDS));
        if (want == SEL(WRAP)) {
            row = (row + 1) % P_Rows;
            wrap = row != 0;
        }
        if (*d.step_i) {
            gen = (gen + 1) % (1u << P_GenW);
            wrap |= gen == 0;
        }
    }
    for (unsigned i = 0; i < 8; i++)
        assert_true(seen[i] > 50);
    assert_true(held > 100);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(one_thing_a_cycle_in_order)};

    return HD_UNIT_MAIN(argc, argv, t);
}
