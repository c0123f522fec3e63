/* test_hd_store_data_array.c - places for data and compare data, against arrays in C. */
/* mutants: Stores=5 Cas=3 DataW=12 CmpW=10 */
/* dut: hd_store_data_array Stores=1 Cas=1 DataW=1 CmpW=1 */
/* dut: hd_store_data_array Stores=5 Cas=3 DataW=40 CmpW=17 */
/* dut: hd_store_data_array Stores=4 Cas=4 DataW=8 CmpW=64 */
/* dut: hd_store_data_array */
#include "hd_unit.h"
#include "hd_store_data_array_dut.h"
#include "hd_bits.h"

#ifndef P_Stores
#define P_Stores 64
#define P_Cas 8
#define P_DataW 1024
#define P_CmpW 1024
#endif

enum { STORES = P_Stores, CAS = P_Cas, DATA_BYTES = (P_DataW + 63) / 64 * 8, CMP_BYTES = (P_CmpW + 63) / 64 * 8 };

static struct hd_store_data_array d;
static bool used[STORES], cas_used[CAS];
static uint8_t data[STORES][DATA_BYTES], cmp[CAS][CMP_BYTES];
static unsigned num, num_cas;

static void forget_everything(void)
{
    memset(used, 0, sizeof used);
    memset(cas_used, 0, sizeof cas_used);
    num = num_cas = 0;
}

static int setup(void **state)
{
    (void)state;
    forget_everything();
    hd_store_data_array_open(&d);
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

/* A random place that is in use, or any one. */
static unsigned some(const bool *in_use, unsigned n)
{
    const unsigned from = (unsigned)hd_rand_below(n);

    for (unsigned i = 0; i < n; i++)
        if (in_use[(from + i) % n])
            return (from + i) % n;
    return from;
}

/* One cycle: takes a place, and one for compare data, where there is room; reads random places and gives them back
 * if they are in use. */
static void cycle(bool take, bool take_cas, bool give, bool give_cas)
{
    const unsigned rd = some(used, STORES), rd_cas = some(cas_used, CAS);
    unsigned idx, cas_idx;

    take = take && num < STORES;
    take_cas = take_cas && take && num_cas < CAS;
    give = give && used[rd];
    give_cas = give_cas && cas_used[rd_cas];
    HD_PUT(d.take_i, KEEP_DATA, take);
    HD_PUT(d.take_i, KEEP_CAS, take_cas);
    hd_bits_random(d.data_i, P_DataW);
    hd_bits_random(d.cmp_i, P_CmpW);
    *d.rd_idx_i = (uint8_t)rd;
    *d.rd_cas_idx_i = (uint8_t)rd_cas;
    HD_PUT(d.free_i, KEEP_DATA, give);
    HD_PUT(d.free_i, KEEP_CAS, give_cas);
    hd_eval(d.m);
    assert_int_equal(HD_GET(d.room_o, KEEP_DATA), num < STORES);
    assert_int_equal(HD_GET(d.room_o, KEEP_CAS), num_cas < CAS);
    if (used[rd])
        assert_memory_equal(d.data_o, data[rd], hd_bits_bytes(P_DataW));
    if (cas_used[rd_cas])
        assert_memory_equal(d.cmp_o, cmp[rd_cas], hd_bits_bytes(P_CmpW));
    idx = *d.idx_o;
    cas_idx = *d.cas_idx_o;
    if (take) {
        assert_in_range(idx, 0, STORES - 1);
        assert_false(used[idx]);
        memcpy(data[idx], d.data_i, hd_bits_bytes(P_DataW));
        used[idx] = true;
        num++;
    }
    if (take_cas) {
        assert_in_range(cas_idx, 0, CAS - 1);
        assert_false(cas_used[cas_idx]);
        memcpy(cmp[cas_idx], d.cmp_i, hd_bits_bytes(P_CmpW));
        cas_used[cas_idx] = true;
        num_cas++;
    }
    if (give) {
        used[rd] = false;
        num--;
    }
    if (give_cas) {
        cas_used[rd_cas] = false;
        num_cas--;
    }
    hd_edge(d.m);
}

static void every_place_can_be_taken_once(void **state)
{
    (void)state;
    for (unsigned i = 0; i < STORES; i++)
        cycle(true, true, false, false);
    assert_int_equal(num, STORES);
    assert_int_equal(num_cas, CAS < STORES ? CAS : STORES);
    cycle(true, true, true, true); /* what is given back is free from the next cycle on */
    cycle(true, true, false, false);
}

static void reset_frees_everything(void **state)
{
    (void)state;
    every_place_can_be_taken_once(state);
    hd_reset(d.m);
    forget_everything();
    every_place_can_be_taken_once(state);
}

static void misuse_is_asserted(void **state)
{
    (void)state;
    for (unsigned misuse = 0; misuse < 4; misuse++) {
        hd_reset(d.m);
        HD_PUT(d.take_i, KEEP_DATA, 1);
        if (misuse == 1)
            HD_PUT(d.take_i, KEEP_CAS, 1);
        for (unsigned i = 0; i < (misuse == 0 ? STORES : misuse == 1 && CAS < STORES ? CAS : 0); i++)
            hd_edge(d.m);
        switch (misuse) {
        case 0: break;                          /* no room */
        case 1: break;                          /* no room for compare data, or for data */
        case 2: HD_PUT(d.take_i, KEEP_DATA, 0); HD_PUT(d.take_i, KEEP_CAS, 1); break; /* compare data of nothing */
        default: HD_PUT(d.take_i, KEEP_DATA, 0); HD_PUT(d.free_i, KEEP_DATA, 1);  /* what nobody took */
        }
        if (misuse == 1 && CAS >= STORES)
            continue;
        hd_eval(d.m);
        assert_int_equal(hd_assert_failures(d.m), 0);
        hd_edge(d.m);
        assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
        hd_assert_clear(d.m);
    }
}

static void random_traffic_matches_arrays(void **state)
{
    unsigned full = 0, cas_full = 0, empty = 0, both = 0, cas_both = 0;

    (void)state;
    for (unsigned t = 0; t < 20000; t++) {
        const unsigned phase = t / 600 % 3; /* fill, drain, mix */
        const bool take = hd_rand_below(8) < (phase == 1 ? 2 : 7), give = hd_rand_below(8) < (phase == 0 ? 2 : 7);
        const bool cas = hd_rand_below(8) < (t / 1800 % 2 ? 7 : 1), give_cas = hd_rand_below(8) < (phase == 0 ? 1 : 6);

        full += take && num == STORES;
        cas_full += take && cas && num < STORES && num_cas == CAS;
        empty += num == 0 && num_cas == 0;
        both += take && give && num > 0 && num < STORES;
        cas_both += take && cas && num < STORES && give_cas && num_cas > 0 && num_cas < CAS;
        cycle(take, cas, give, give_cas);
    }
    assert_true(full > 200 && empty > 20);
    assert_true(STORES == 1 || (cas_full > 50 && both > 200 && cas_both > 50));
}

int main(int argc, char **argv)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest t[] = {
        CASE(every_place_can_be_taken_once),
        CASE(reset_frees_everything),
        CASE(misuse_is_asserted),
        CASE(random_traffic_matches_arrays),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
