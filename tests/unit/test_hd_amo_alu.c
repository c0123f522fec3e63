/* test_hd_amo_alu.c - new value of a word under every atomic function. */
/* dut: hd_amo_alu */
#include "hd_unit.h"
#include "hd_amo_alu_dut.h"
#include "hd_bits.h"

static struct hd_amo_alu d;

static void begin(void)
{
    hd_amo_alu_open(&d);
    hd_model_zero_inputs(d.m);
}

static uint32_t apply(unsigned fn, uint32_t old, uint32_t b, uint32_t compare)
{
    *d.fn_i = (uint8_t)fn;
    *d.old_i = old;
    *d.b_i = b;
    *d.cmp_i = compare;
    hd_eval(d.m);
    return *d.new_o;
}

static void min_and_max_are_signed_umin_and_umax_are_not(void **state)
{
    (void)state;
    begin();
    assert_int_equal(apply(HD_AT_MIN, 1, UINT32_MAX, 0), UINT32_MAX); /* -1 */
    assert_int_equal(apply(HD_AT_MAX, 1, UINT32_MAX, 0), 1);
    assert_int_equal(apply(HD_AT_UMIN, 1, UINT32_MAX, 0), 1);
    assert_int_equal(apply(HD_AT_UMAX, 1, UINT32_MAX, 0), UINT32_MAX);
    assert_int_equal(apply(HD_AT_MIN, 0x80000000, 0x7fffffff, 0), 0x80000000);
    hd_close(d.m);
}

static void inc_and_dec_wrap_at_the_operand(void **state)
{
    (void)state;
    begin();
    assert_int_equal(apply(HD_AT_INC, 4, 5, 0), 5);
    assert_int_equal(apply(HD_AT_INC, 5, 5, 0), 0);
    assert_int_equal(apply(HD_AT_INC, 6, 5, 0), 0);
    assert_int_equal(apply(HD_AT_INC, UINT32_MAX, UINT32_MAX, 0), 0);
    assert_int_equal(apply(HD_AT_DEC, 5, 5, 0), 4);
    assert_int_equal(apply(HD_AT_DEC, 6, 5, 0), 5);
    assert_int_equal(apply(HD_AT_DEC, 0, 5, 0), 5);
    assert_int_equal(apply(HD_AT_DEC, 0x80000001, UINT32_MAX, 0), 0x80000000); /* unsigned */
    hd_close(d.m);
}

static void cas_writes_only_where_the_compare_value_stands(void **state)
{
    (void)state;
    begin();
    assert_int_equal(apply(HD_AT_CAS, 7, 9, 7), 9);
    assert_int_equal(apply(HD_AT_CAS, 8, 9, 7), 8);
    assert_int_equal(apply(HD_AT_CAS, 0x80000007, 9, 7), 0x80000007);
    hd_close(d.m);
}

static void every_function_agrees_with_the_reference_on_corners_and_random_words(void **state)
{
    unsigned equal = 0, taken = 0, kept = 0;

    (void)state;
    begin();
    for (unsigned t = 0; t < 60000; t++) {
        const unsigned fn = t % HD_AMO_FUNCTIONS;
        const uint32_t old = hd_amo_random_operand(), b = hd_amo_random_operand();
        const uint32_t compare = hd_rand_below(2) ? old : hd_amo_random_operand();

        assert_int_equal(apply(fn, old, b, compare), hd_amo_reference(fn, old, b, compare));
        equal += old == b;
        taken += fn == HD_AT_CAS && old == compare;
        kept += fn == HD_AT_CAS && old != compare;
    }
    assert_true(equal > 1000 && taken > 1000 && kept > 1000);
    hd_close(d.m);
}

static void words_that_differ_in_one_bit_are_told_apart(void **state)
{
    (void)state;
    begin();
    for (unsigned t = 0; t < 100; t++) {
        const uint32_t old = hd_amo_random_operand();

        for (unsigned bit = 0; bit < 32; bit++) {
            const uint32_t near = old ^ (uint32_t)1 << bit;

            for (unsigned fn = 0; fn < HD_AMO_FUNCTIONS; fn++) {
                const uint32_t b = fn == HD_AT_CAS ? hd_amo_random_operand() : near;

                assert_int_equal(apply(fn, old, b, near), hd_amo_reference(fn, old, b, near));
            }
        }
    }
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(min_and_max_are_signed_umin_and_umax_are_not),
        cmocka_unit_test(inc_and_dec_wrap_at_the_operand),
        cmocka_unit_test(cas_writes_only_where_the_compare_value_stands),
        cmocka_unit_test(words_that_differ_in_one_bit_are_told_apart),
        cmocka_unit_test(every_function_agrees_with_the_reference_on_corners_and_random_words),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
