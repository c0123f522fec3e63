/* test_hd_sram_1rw.c - memory with one port that reads or writes. */
/* dut: hd_sram_1rw Width=24 Depth=5 Gran=8 */
/* dut: hd_sram_1rw Width=64 Depth=8 Gran=32 */
#include "hd_unit.h"
#include "hd_sram_1rw_dut.h"

enum { WIDTH = P_Width, DEPTH = P_Depth, GRAN = P_Gran, PARTS = WIDTH / GRAN };

static struct hd_sram_1rw d;

static int setup(void **state)
{
    (void)state;
    hd_sram_1rw_open(&d);
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

static void step(bool en, bool we, unsigned addr, unsigned mask, uint64_t data)
{
    *d.en_i = en;
    *d.we_i = we;
    *d.addr_i = addr;
    *d.wmask_i = mask;
    *d.wdata_i = data;
    hd_edge(d.m);
}

static void only_an_enabled_access_reads_or_writes(void **state)
{
    const unsigned all = (1u << PARTS) - 1;
    const uint64_t a = hd_rand() & covered(all), b = ~a & covered(all);

    (void)state;
    step(true, true, 1, all, a);
    step(true, true, 2, all, b);
    step(true, false, 1, all, b);
    assert_int_equal(*d.rdata_o, a);
    step(false, false, 2, all, b); /* no read */
    assert_int_equal(*d.rdata_o, a);
    step(false, true, 1, all, b); /* no write */
    assert_int_equal(*d.rdata_o, a);
    step(true, true, 2, all, a); /* a write does not disturb rdata_o */
    assert_int_equal(*d.rdata_o, a);
    step(true, false, 1, all, b);
    assert_int_equal(*d.rdata_o, a);
}

static void random_traffic_matches_an_array(void **state)
{
    uint64_t mem[DEPTH] = {0}, known[DEPTH] = {0}; /* bits written so far */
    uint64_t out = 0, out_known = 0;
    unsigned reads = 0, part_writes = 0, off = 0;

    (void)state;
    for (int t = 0; t < 20000; t++) {
        const bool en = hd_rand_below(4) != 0, we = hd_rand_below(2);
        const unsigned addr = hd_rand_below(DEPTH), mask = hd_rand_below(1u << PARTS);
        const uint64_t bits = covered(mask), data = hd_rand() & covered((1u << PARTS) - 1);

        if (en && we) {
            mem[addr] = (mem[addr] & ~bits) | (data & bits);
            known[addr] |= bits;
        } else if (en) {
            out = mem[addr];
            out_known = known[addr];
        }
        step(en, we, addr, mask, data);
        assert_int_equal(*d.rdata_o & out_known, out & out_known);
        reads += en && !we;
        part_writes += en && we && mask != 0 && mask != (1u << PARTS) - 1;
        off += !en;
    }
    assert_true(reads > 100 && part_writes > 100 && off > 100);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(only_an_enabled_access_reads_or_writes, setup, teardown),
        cmocka_unit_test_setup_teardown(random_traffic_matches_an_array, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
