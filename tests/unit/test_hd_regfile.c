/* test_hd_regfile.c - small memory with an asynchronous read port. */
/* dut: hd_regfile Width=24 Depth=5 Gran=8 */
/* dut: hd_regfile Width=64 Depth=8 Gran=64 */
#include "hd_unit.h"
#include "hd_regfile_dut.h"

enum { WIDTH = P_Width, DEPTH = P_Depth, GRAN = P_Gran, PARTS = WIDTH / GRAN };

static struct hd_regfile d;

static int setup(void **state)
{
    (void)state;
    hd_regfile_open(&d);
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

static void rdata_follows_the_address_without_an_edge(void **state)
{
    (void)state;
    for (unsigned a = 0; a < DEPTH; a++) {
        *d.we_i = 1;
        *d.waddr_i = a;
        *d.wmask_i = (1u << PARTS) - 1;
        *d.wdata_i = 3 + a;
        hd_edge(d.m);
    }
    *d.we_i = 0;
    for (unsigned a = 0; a < DEPTH; a++) {
        *d.raddr_i = a;
        hd_eval(d.m);
        assert_int_equal(*d.rdata_o, 3 + a);
    }
}

static void random_traffic_matches_an_array(void **state)
{
    uint64_t mem[DEPTH] = {0}, known[DEPTH] = {0}; /* bits written so far */
    unsigned same = 0, masked = 0;

    (void)state;
    for (int t = 0; t < 20000; t++) {
        const bool we = hd_rand_below(2);
        const unsigned wa = hd_rand_below(DEPTH), ra = hd_rand_below(DEPTH);
        const unsigned mask = hd_rand_below(1u << PARTS);
        const uint64_t bits = covered(mask), data = hd_rand() & covered((1u << PARTS) - 1);

        *d.we_i = we;
        *d.waddr_i = wa;
        *d.wmask_i = mask;
        *d.wdata_i = data;
        *d.raddr_i = ra;
        hd_eval(d.m); /* before the edge: the old word */
        assert_int_equal(*d.rdata_o & known[ra], mem[ra] & known[ra]);
        hd_edge(d.m);
        if (we) {
            mem[wa] = (mem[wa] & ~bits) | (data & bits);
            known[wa] |= bits;
        }
        assert_int_equal(*d.rdata_o & known[ra], mem[ra] & known[ra]); /* after it: the new one */
        same += we && wa == ra && mask != 0;
        masked += we && mask != (1u << PARTS) - 1;
    }
    assert_true(same > 100 && masked > 100);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(rdata_follows_the_address_without_an_edge, setup, teardown),
        cmocka_unit_test_setup_teardown(random_traffic_matches_an_array, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
