/* test_hd_warp_queues.c - queues side by side in one memory, against lists in C. */
/* mutants: Queues=5 Depth=3 Width=6 KeyW=3 */
/* dut: hd_warp_queues Queues=1 Depth=1 Width=1 KeyW=1 */
/* dut: hd_warp_queues Queues=2 Depth=1 Width=7 KeyW=2 */
/* dut: hd_warp_queues Queues=5 Depth=3 Width=33 KeyW=4 */
/* dut: hd_warp_queues Queues=4 Depth=4 Width=8 KeyW=3 */
/* dut: hd_warp_queues */
#include "hd_unit.h"
#include "hd_warp_queues_dut.h"
#include "hd_bits.h"

#ifndef P_Queues
#define P_Queues 48
#define P_Depth 4
#define P_Width 32
#define P_KeyW 4
#endif

enum { QUEUES = P_Queues, DEPTH = P_Depth, PLACES = QUEUES * DEPTH, NONE = -1 };

struct beat {
    uint64_t data;
    unsigned key, entry;
};

static struct hd_warp_queues d;
static struct beat queue[QUEUES][DEPTH];
static unsigned count[QUEUES];
static bool used[PLACES]; /* entries of the memory */

static int setup(void **state)
{
    (void)state;
    memset(count, 0, sizeof count);
    memset(used, 0, sizeof used);
    hd_warp_queues_open(&d);
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

static void check_state(void)
{
    for (unsigned q = 0; q < QUEUES; q++) {
        assert_int_equal(hd_bits_get(d.full_o, q, 1), count[q] == DEPTH);
        assert_int_equal(hd_bits_get(d.empty_o, q, 1), count[q] == 0);
        for (unsigned k = 0; count[q] > 0 && k < P_KeyW; k++)
            assert_int_equal(hd_bits_get(d.hkey_o, k * QUEUES + q, 1), queue[q][0].key >> k & 1);
    }
}

/* One cycle: a beat for queue @push if it has room, NONE: none; queue @rd is looked at, and popped if @pop and it
 * has a beat. */
static void cycle(int push, unsigned rd, bool pop)
{
    struct beat b = {hd_rand() & (UINT64_MAX >> (64 - P_Width)), (unsigned)hd_rand_below(1u << P_KeyW), 0};
    const bool pushes = push != NONE && count[push] < DEPTH;

    pop = pop && count[rd] > 0;
    *d.push_i = pushes;
    *d.push_q_i = (uint8_t)(pushes ? (unsigned)push : hd_rand_below(QUEUES));
    hd_bits_put(d.push_key_i, 0, P_KeyW, b.key);
    hd_bits_put(d.push_data_i, 0, P_Width, b.data);
    *d.rd_q_i = (uint8_t)rd;
    *d.pop_i = pop;
    hd_eval(d.m);
    check_state();
    if (count[rd] > 0) {
        assert_int_equal(hd_bits_get(d.rd_data_o, 0, P_Width), queue[rd][0].data);
        assert_int_equal(*d.rd_entry_o, queue[rd][0].entry);
    }
    if (pushes) {
        b.entry = *d.push_entry_o;
        assert_in_range(b.entry, 0, PLACES - 1);
        assert_false(used[b.entry]);
        used[b.entry] = true;
    }
    if (pop) {
        used[queue[rd][0].entry] = false;
        memmove(queue[rd], queue[rd] + 1, --count[rd] * sizeof **queue);
    }
    if (pushes)
        queue[push][count[push]++] = b;
    hd_edge(d.m);
    check_state();
}

static void each_queue_keeps_its_beats_in_order(void **state)
{
    (void)state;
    for (unsigned i = 0; i < DEPTH; i++)
        for (int q = 0; q < QUEUES; q++)
            cycle(q, (unsigned)q, false);
    for (unsigned q = QUEUES; q-- > 0;)
        for (unsigned i = 0; i < DEPTH; i++)
            cycle(NONE, q, true);
    for (unsigned q = 0; q < QUEUES; q++)
        assert_int_equal(count[q], 0);
}

static void a_beat_that_meets_an_emptied_queue_is_its_head(void **state)
{
    (void)state;
    cycle(0, 0, false);
    for (unsigned i = 0; i < 3 * DEPTH && DEPTH > 1; i++) {
        cycle(0, 0, true);
        assert_int_equal(count[0], 1);
    }
    cycle(NONE, 0, true);
    cycle(0, 0, false);
}

static void reset_empties_it(void **state)
{
    (void)state;
    for (int q = 0; q < QUEUES; q++)
        cycle(q, 0, false);
    hd_reset(d.m);
    memset(count, 0, sizeof count);
    memset(used, 0, sizeof used);
    check_state();
    each_queue_keeps_its_beats_in_order(state);
}

static void misuse_is_asserted(void **state)
{
    (void)state;
    *d.pop_i = 1;
    hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
    hd_reset(d.m);
    hd_assert_clear(d.m);
    *d.push_i = 1;
    for (unsigned i = 0; i < DEPTH; i++)
        hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
    hd_assert_clear(d.m);
}

static void random_traffic_matches_lists(void **state)
{
    unsigned full = 0, empty = 0, same = 0, same_one = 0, both = 0, both_first = 0, stay = 0;

    (void)state;
    for (unsigned t = 0; t < 30000; t++) {
        const unsigned phase = t / 400 % 3; /* fill, drain, mix */
        const unsigned few = t / 1200 % 2 && QUEUES > 2 ? 2 : QUEUES;
        int push = hd_rand_below(8) < (phase == 1 ? 2 : 7) ? (int)hd_rand_below(few) : NONE;
        unsigned rd = (unsigned)hd_rand_below(few);
        bool pop = hd_rand_below(8) < (phase == 0 ? 2 : 7);

        for (unsigned try = 0; try < 3 && count[rd] == 0; try++)
            rd = (unsigned)hd_rand_below(few);
        if (hd_rand_below(4) == 0)
            push = (int)rd;
        if (push != NONE && count[push] < DEPTH && pop && count[rd] > 0) {
            same += push == (int)rd;
            same_one += push == (int)rd && count[rd] == 1;
            both += push != (int)rd;
            both_first += push != (int)rd && count[push] == 0;
        }
        full += push != NONE && count[push] == DEPTH;
        empty += count[rd] == 0;
        stay += push == NONE && !pop;
        cycle(push, rd, pop);
    }
    assert_true(full > 500 && empty > 100 && stay > 100);
    assert_true(DEPTH == 1 || (same > 200 && same_one > 50));
    assert_true(QUEUES == 1 || (both > 500 && both_first > 50));
}

int main(int argc, char **argv)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest t[] = {
        CASE(each_queue_keeps_its_beats_in_order),
        CASE(a_beat_that_meets_an_emptied_queue_is_its_head),
        CASE(reset_empties_it),
        CASE(misuse_is_asserted),
        CASE(random_traffic_matches_lists),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
