/* test_hd_head_unpack.c - flits become heads again: one passes at once, more are gathered. */
/* dut: hd_head_unpack WordW=32 FlitWords=8 Lanes=32 */
/* dut: hd_head_unpack WordW=32 FlitWords=4 Lanes=32 */
/* dut: hd_head_unpack WordW=64 FlitWords=4 Lanes=64 */
#include "hd_unit.h"
#include "hd_head_unpack_dut.h"
#include "hd_bits.h"

enum {
    HEAD_W = HD_HEAD_W + (P_Lanes > HD_LANE_W ? P_Lanes : HD_LANE_W),
    UNITS = (HEAD_W + 31) / 32,
    FLIT_UNITS = P_FlitWords * P_WordW / 32,
    FLITS = (UNITS + P_FlitWords - 1) / P_FlitWords
};

static struct hd_head_unpack d;

static int setup(void **state)
{
    (void)state;
    hd_head_unpack_open(&d);
    hd_reset(d.m);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static void draw(uint32_t head[FLITS * P_FlitWords])
{
    hd_bits_random(head, HEAD_W);
    hd_bits_put(head, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W, 0); /* no data follow */
}

static void heads_arrive_in_order_whole(void **state)
{
    uint32_t head[FLITS * P_FlitWords] = {0}, held[FLITS * P_FlitWords] = {0};
    unsigned sent = 0, heads = 0, waits = 0;
    bool full = false;

    (void)state;
    draw(head);
    for (unsigned t = 0; t < 5000; t++) {
        const bool offer = hd_rand_below(4) != 0, ready = hd_rand_below(t / 500 % 2 ? 4 : 2) != 0;

        *d.in_valid_i = offer;
        *d.in_tail_i = sent + 1 == FLITS;
        memset(d.in_flit_i, 0, FLIT_UNITS * 4);
        memcpy(d.in_flit_i, head + sent * P_FlitWords, P_FlitWords * 4);
        *d.out_ready_i = ready;
        hd_eval(d.m);
        const bool valid = FLITS == 1 ? offer : full, taken = FLITS == 1 ? ready : !full || ready;
        assert_int_equal(*d.out_valid_o, valid);
        assert_int_equal(*d.in_ready_o, taken);
        assert_int_equal(*d.idle_o, FLITS == 1 || (!full && sent == 0));
        if (valid)
            assert_memory_equal(d.out_head_o, FLITS == 1 ? head : held, HEAD_W / 8);
        waits += valid && !ready;
        hd_edge(d.m);
        full = full && !ready;
        if (offer && taken && ++sent == FLITS) {
            memcpy(held, head, sizeof held);
            full = FLITS > 1;
            draw(head);
            heads++;
            sent = 0;
        }
    }
    assert_true(heads > 500 && waits > 300);
}

static void a_head_that_ends_early_or_late_is_asserted(void **state)
{
    (void)state;
    *d.in_valid_i = 1;
    *d.in_tail_i = FLITS != 1;
    hd_eval(d.m);
    hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
    hd_assert_clear(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(heads_arrive_in_order_whole, setup, teardown),
        cmocka_unit_test_setup_teardown(a_head_that_ends_early_or_late_is_asserted, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
