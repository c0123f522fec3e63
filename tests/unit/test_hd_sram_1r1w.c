/* test_hd_sram_1r1w.c - memory with one synchronous read port and one masked write port. */
/* dut: hd_sram_1r1w Width=24 Depth=5 Gran=8 */
/* dut: hd_sram_1r1w Width=64 Depth=8 Gran=32 */
/* dut: hd_sram_1r1w Width=16 Depth=1 Gran=16 */
#include "hd_unit.h"
#include "hd_sram_1r1w_dut.h"

enum { WIDTH = P_Width, DEPTH = P_Depth, GRAN = P_Gran, PARTS = WIDTH / GRAN };

static struct hd_sram_1r1w d;

static int setup(void **state)
{
    (void)state;
    hd_sram_1r1w_open(&d);
    hd_model_zero_inputs(d.m);
    hd_eval(d.m);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    hd_close(d.m);
    return 0;
}

/* The bits of a word that a write mask covers. */
static uint64_t covered(unsigned mask)
{
    uint64_t bits = 0;

    for (unsigned b = 0; b < WIDTH; b++)
        bits |= (uint64_t)(mask >> (b / GRAN) & 1) << b;
    return bits;
}

static uint64_t random_word(void)
{
    return hd_rand() & covered((1u << PARTS) - 1);
}

static void put(unsigned addr, unsigned mask, uint64_t data)
{
    *d.we_i = 1;
    *d.waddr_i = addr;
    *d.wmask_i = mask;
    *d.wdata_i = data;
}

static void cycle(void)
{
    hd_edge(d.m);
    *d.we_i = 0;
    *d.re_i = 0;
}

static uint64_t read_word(unsigned addr)
{
    *d.re_i = 1;
    *d.raddr_i = addr;
    cycle();
    return *d.rdata_o;
}

static void a_written_word_is_read_back(void **state)
{
    uint64_t word[DEPTH];

    (void)state;
    for (unsigned a = 0; a < DEPTH; a++) {
        word[a] = random_word();
        put(a, (1u << PARTS) - 1, word[a]);
        cycle();
    }
    for (unsigned a = 0; a < DEPTH; a++)
        assert_int_equal(read_word(a), word[a]);
}

static void a_word_read_and_written_by_one_edge_gives_the_old_value(void **state)
{
    const uint64_t old = random_word(), new = random_word();

    (void)state;
    put(DEPTH - 1, (1u << PARTS) - 1, old);
    cycle();
    put(DEPTH - 1, (1u << PARTS) - 1, new);
    assert_int_equal(read_word(DEPTH - 1), old);
    assert_int_equal(read_word(DEPTH - 1), new);
}

static void rdata_holds_while_nothing_is_read(void **state)
{
    const uint64_t old = random_word();

    (void)state;
    put(0, (1u << PARTS) - 1, old);
    cycle();
    assert_int_equal(read_word(0), old);
    put(0, (1u << PARTS) - 1, ~old & covered((1u << PARTS) - 1));
    *d.raddr_i = DEPTH - 1;
    cycle();
    assert_int_equal(*d.rdata_o, old);
}

static void a_mask_bit_enables_its_part_of_the_word_only(void **state)
{
    (void)state;
    for (unsigned mask = 0; mask < 1u << PARTS; mask++) {
        const uint64_t old = random_word(), new = random_word();

        put(0, (1u << PARTS) - 1, old);
        cycle();
        put(0, mask, new);
        cycle();
        assert_int_equal(read_word(0), (old & ~covered(mask)) | (new & covered(mask)));
    }
}

static void random_traffic_matches_an_array(void **state)
{
    uint64_t mem[DEPTH] = {0}, known[DEPTH] = {0}; /* bits written so far */
    uint64_t out = 0, out_known = 0;
    unsigned collisions = 0, part_writes = 0, held = 0;

    (void)state;
    for (int t = 0; t < 20000; t++) {
        const bool we = hd_rand_below(2), re = hd_rand_below(2);
        const unsigned wa = hd_rand_below(DEPTH), ra = hd_rand_below(DEPTH);
        const unsigned mask = hd_rand_below(1u << PARTS);
        const uint64_t bits = covered(mask), data = random_word();

        *d.we_i = we;
        *d.waddr_i = wa;
        *d.wmask_i = mask;
        *d.wdata_i = data;
        *d.re_i = re;
        *d.raddr_i = ra;
        if (re) {
            out = mem[ra];
            out_known = known[ra];
        }
        if (we) {
            mem[wa] = (mem[wa] & ~bits) | (data & bits);
            known[wa] |= bits;
        }
        hd_edge(d.m);
        assert_int_equal(*d.rdata_o & out_known, out & out_known);
        collisions += we && re && wa == ra && mask != 0;
        part_writes += we && mask != 0 && mask != (1u << PARTS) - 1;
        held += we && !re && mask != 0;
    }
    assert_true(collisions > 100);
    assert_true(part_writes > 100 || PARTS == 1);
    assert_true(held > 100);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(a_written_word_is_read_back, setup, teardown),
        cmocka_unit_test_setup_teardown(a_word_read_and_written_by_one_edge_gives_the_old_value,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(rdata_holds_while_nothing_is_read, setup, teardown),
        cmocka_unit_test_setup_teardown(a_mask_bit_enables_its_part_of_the_word_only, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(random_traffic_matches_an_array, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
