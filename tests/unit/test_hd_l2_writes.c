/* test_hd_l2_writes.c - bodies come back by entry, taken apart, as long as they are needed. */
/* dut: hd_l2_writes Entries=6 Places=3 Lanes=4 LineWords=8 WordW=32 */
/* dut: hd_l2_writes Entries=4 Places=4 Lanes=16 LineWords=8 WordW=64 */
/* dut: hd_l2_writes Entries=3 Places=1 Lanes=2 LineWords=16 WordW=32 */
#include "hd_unit.h"
#include "hd_l2_writes_dut.h"
#include "hd_bits.h"

enum {
    ENTRIES = P_Entries, PLACES = P_Places, LANES = P_Lanes, WORDS = P_LineWords, W = P_WordW,
    GROUPS = (LANES + 7) / 8, FLIT = 8 * W, DATA = HD_L2_WRITES_W_data_o / W,
    OFF_W = (HD_L2_WRITES_W_at_o - 4) / LANES - 32, BODY = HD_L2_WRITES_W_body_i
};

struct kept {
    bool used, atomic;
    uint64_t body[BODY / 32 / 2 + 1];
};

static struct hd_l2_writes d;

static void see(const struct kept *k)
{
    /* an atomic's operands are whole flits; behind them and behind a line there is nothing */
    for (unsigned i = 0; i < DATA; i++) {
        const unsigned words = k->atomic ? 8 * GROUPS : WORDS, first = k->atomic ? FLIT : 0;

        assert_true(hd_bits_get(d.data_o, i * W, W) == (i < words ? hd_bits_get(k->body, first + i * W, W) : 0));
    }
    if (!k->atomic)
        return;
    assert_int_equal(hd_bits_get(d.at_o, 0, 4), hd_bits_get(k->body, 0, 4));
    for (unsigned i = 0; i < LANES; i++) {
        assert_true(hd_bits_get(d.at_o, 4 + i * OFF_W, OFF_W) == hd_bits_get(k->body, 4 + i * OFF_W, OFF_W));
        assert_true(hd_bits_get(d.at_o, 4 + LANES * OFF_W + i * 32, 32)
                    == hd_bits_get(k->body, (1 + GROUPS + i / 8) * FLIT + i % 8 * 32, 32));
    }
}

static void bodies_come_back_by_entry(void **state)
{
    struct kept k[ENTRIES] = {{0}}, shown = {0};
    unsigned held = 0, full = 0, seen[2] = {0}, reused = 0;
    bool show = false;

    (void)state;
    hd_l2_writes_open(&d);
    hd_reset(d.m);
    for (unsigned cycle = 0; cycle < 15000; cycle++) {
        unsigned put = (unsigned)hd_rand_below(ENTRIES), read = (unsigned)hd_rand_below(ENTRIES);
        unsigned gone = (unsigned)hd_rand_below(ENTRIES);

        hd_bits_random(d.body_i, BODY);
        *d.put_entry_i = (uint8_t)put, *d.read_entry_i = (uint8_t)read, *d.free_entry_i = (uint8_t)gone;
        *d.put_atomic_i = (uint8_t)hd_rand_below(2);
        *d.put_i = !k[put].used && held < PLACES && hd_rand_below(3) != 0;
        *d.read_i = k[read].used && hd_rand_below(2);
        *d.free_i = k[gone].used && hd_rand_below(4) == 0;
        hd_eval(d.m);
        assert_int_equal(*d.room_o, held < PLACES);
        full += held == PLACES;
        if (show) {
            see(&shown); /* held until the next read */
            seen[shown.atomic]++;
        }
        if (*d.read_i)
            shown = k[read], show = true;
        reused += *d.free_i && *d.put_i;
        held = held + *d.put_i - *d.free_i;
        if (*d.free_i)
            k[gone].used = false;
        if (*d.put_i) {
            k[put].used = true, k[put].atomic = *d.put_atomic_i;
            memcpy(k[put].body, d.body_i, hd_bits_bytes(BODY));
        }
        hd_edge(d.m);
    }
    assert_true(full > 500 && seen[0] > 500 && seen[1] > 500 && (reused > 50 || PLACES == 1));
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(bodies_come_back_by_entry)};

    return HD_UNIT_MAIN(argc, argv, t);
}
