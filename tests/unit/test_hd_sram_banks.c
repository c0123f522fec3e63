/* test_hd_sram_banks.c - memories side by side, each with a synchronous read port and a write port of its own. */
/* dut: hd_sram_banks Width=16 Depth=5 Banks=3 */
/* dut: hd_sram_banks Width=8 Depth=1 Banks=8 */
/* dut: hd_sram_banks Width=12 Depth=8 Banks=2 */
#include "hd_unit.h"
#include "hd_sram_banks_dut.h"

enum { WIDTH = P_Width, DEPTH = P_Depth, BANKS = P_Banks, ADDR_W = HD_SRAM_BANKS_W_waddr_i / P_Banks };

static struct hd_sram_banks d;

static int setup(void **state)
{
    (void)state;
    hd_sram_banks_open(&d);
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

static uint64_t random_word(void)
{
    return hd_rand() & ((UINT64_C(1) << WIDTH) - 1);
}

/* One cycle: @we and @re, a bit a bank; in both the address of bank b is addr[b]. */
static void cycle(unsigned we, unsigned re, const unsigned *waddr, const unsigned *raddr, const uint64_t *data)
{
    uint64_t wa = 0, ra = 0, words = 0;

    for (unsigned b = 0; b < BANKS; b++) {
        wa |= (uint64_t)waddr[b] << b * ADDR_W;
        ra |= (uint64_t)raddr[b] << b * ADDR_W;
        words |= data[b] << b * WIDTH;
    }
    *d.we_i = we;
    *d.re_i = re;
    *d.waddr_i = wa;
    *d.raddr_i = ra;
    *d.wdata_i = words;
    hd_edge(d.m);
}

static uint64_t word_of(unsigned b)
{
    return (uint64_t)*d.rdata_o >> b * WIDTH & ((UINT64_C(1) << WIDTH) - 1);
}

static void every_word_of_every_bank_is_apart(void **state)
{
    uint64_t word[DEPTH][BANKS];
    unsigned at[BANKS];

    (void)state;
    for (unsigned a = 0; a < DEPTH; a++) {
        for (unsigned b = 0; b < BANKS; b++) {
            at[b] = a;
            word[a][b] = random_word();
        }
        cycle((1u << BANKS) - 1, 0, at, at, word[a]);
    }
    for (unsigned a = 0; a < DEPTH; a++) {
        for (unsigned b = 0; b < BANKS; b++)
            at[b] = a;
        cycle(0, (1u << BANKS) - 1, at, at, word[a]);
        for (unsigned b = 0; b < BANKS; b++)
            assert_int_equal(word_of(b), word[a][b]);
    }
}

/* A word read and written by one edge gives the old value; what a bank has read holds until it reads again. */
static void random_traffic_matches_arrays(void **state)
{
    uint64_t mem[BANKS][DEPTH] = {{0}}, out[BANKS] = {0};
    bool known[BANKS][DEPTH] = {{false}}, out_known[BANKS] = {false};
    unsigned collisions = 0, held = 0;

    (void)state;
    for (int t = 0; t < 20000; t++) {
        const unsigned we = (unsigned)hd_rand_below(1u << BANKS), re = (unsigned)hd_rand_below(1u << BANKS);
        unsigned wa[BANKS], ra[BANKS];
        uint64_t data[BANKS];

        for (unsigned b = 0; b < BANKS; b++) {
            wa[b] = (unsigned)hd_rand_below(DEPTH);
            ra[b] = (unsigned)hd_rand_below(DEPTH);
            data[b] = random_word();
            if (re >> b & 1) {
                out[b] = mem[b][ra[b]];
                out_known[b] = known[b][ra[b]];
            }
            if (we >> b & 1) {
                mem[b][wa[b]] = data[b];
                known[b][wa[b]] = true;
            }
            collisions += (we & re) >> b & 1 && wa[b] == ra[b];
            held += (we & ~re) >> b & 1;
        }
        cycle(we, re, wa, ra, data);
        for (unsigned b = 0; b < BANKS; b++)
            if (out_known[b])
                assert_int_equal(word_of(b), out[b]);
    }
    assert_true(collisions > 100 && held > 100);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(every_word_of_every_bank_is_apart, setup, teardown),
        cmocka_unit_test_setup_teardown(random_traffic_matches_arrays, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
