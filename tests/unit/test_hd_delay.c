/* test_hd_delay.c - a delay line against a list of what went in. */
/* mutants: Width=12 Cycles=5 */
/* dut: hd_delay Width=12 Cycles=0 */
/* dut: hd_delay Width=12 Cycles=1 */
/* dut: hd_delay Width=12 Cycles=2 */
/* dut: hd_delay Width=12 Cycles=5 */
/* dut: hd_delay Width=12 Cycles=8 */
#include "hd_unit.h"
#include "hd_delay_dut.h"

enum { CYCLES = P_Cycles, MASK = (1 << P_Width) - 1, STEPS = 4000 };

static struct hd_delay d;

static struct {
    bool valid;
    uint16_t data;
} sent[CYCLES + 1]; /* [n]: n cycles ago */

static int setup(void **state)
{
    (void)state;
    hd_delay_open(&d);
    hd_reset(d.m);
    memset(sent, 0, sizeof sent);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

/* One cycle with these inputs, outputs checked before the edge. */
static void cycle(bool valid, uint16_t data)
{
    bool empty = true;

    *d.valid_i = valid;
    *d.data_i = data;
    hd_eval(d.m);
    sent[0].valid = valid;
    sent[0].data = data;
    assert_int_equal(*d.valid_o, sent[CYCLES].valid);
    if (sent[CYCLES].valid)
        assert_int_equal(*d.data_o, sent[CYCLES].data);
    for (unsigned n = 1; n <= CYCLES; n++)
        empty = empty && !sent[n].valid;
    assert_int_equal(*d.empty_o, empty);
    hd_edge(d.m);
    memmove(&sent[1], &sent[0], sizeof sent - sizeof sent[0]);
}

static void one_datum_appears_once_after_its_delay(void **state)
{
    (void)state;
    for (unsigned gap = 0; gap < 2 * CYCLES + 3; gap++) {
        cycle(true, (uint16_t)(0xabc ^ gap));
        for (unsigned n = 0; n < CYCLES + gap; n++)
            cycle(false, (uint16_t)hd_rand() & MASK);
    }
}

static void a_full_line_loses_nothing(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 4 * CYCLES + 4; n++)
        cycle(true, (uint16_t)(n * 37) & MASK);
}

static void reset_empties_the_line(void **state)
{
    (void)state;
    for (unsigned n = 0; n < CYCLES + 1; n++)
        cycle(true, 1);
    hd_reset(d.m);
    memset(sent, 0, sizeof sent);
    for (unsigned n = 0; n < 2 * CYCLES + 2; n++)
        cycle(false, 0);
}

static void random_data_come_out_in_their_cycle(void **state)
{
    unsigned valid = 0, empty = 0, full = 0;

    (void)state;
    for (unsigned n = 0; n < STEPS; n++) {
        unsigned density = n / 200 % 4; /* of 3 */
        cycle(hd_rand_below(3) < density, (uint16_t)hd_rand() & MASK);
        unsigned under_way = 0;
        for (unsigned i = 1; i <= CYCLES; i++)
            under_way += sent[i].valid;
        valid += sent[CYCLES].valid;
        empty += under_way == 0;
        full += under_way == CYCLES;
    }
    assert_in_range(valid, STEPS / 4, STEPS);
    assert_in_range(empty, 100, STEPS);
    assert_in_range(full, 100, STEPS);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_datum_appears_once_after_its_delay, setup, teardown),
        cmocka_unit_test_setup_teardown(a_full_line_loses_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(reset_empties_the_line, setup, teardown),
        cmocka_unit_test_setup_teardown(random_data_come_out_in_their_cycle, setup, teardown),
    };
    return HD_UNIT_MAIN(argc, argv, tests);
}
