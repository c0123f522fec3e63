/* test_hd_barrier.c - block barriers against a C model of blocks. */
/* dut: hd_barrier Warps=6 Blocks=3 */
/* dut: hd_barrier Warps=4 Blocks=1 */
/* dut: hd_barrier */
#include "hd_unit.h"

#include "hd_barrier_dut.h"

#ifndef P_Warps
#define P_Warps 48
#define P_Blocks 8
#endif

enum warp_state { FREE, RUNS, WAITS };

static struct hd_barrier d;
static enum warp_state warp[P_Warps];
static unsigned block_of[P_Warps];

static int setup(void **state)
{
    (void)state;
    memset(warp, 0, sizeof warp);
    hd_barrier_open(&d);
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

static void edge(void)
{
    hd_eval(d.m); /* assertions see what was settled before the edge */
    hd_edge(d.m);
    *d.launch_valid_i = *d.arrive_valid_i = *d.exit_valid_i = 0;
    hd_eval(d.m);
}

static void launch(unsigned w, unsigned block)
{
    *d.launch_valid_i = 1;
    *d.launch_warp_i = (uint8_t)w;
    *d.launch_block_i = (uint8_t)block;
}

static void arrive(unsigned w)
{
    *d.arrive_valid_i = 1;
    *d.arrive_warp_i = (uint8_t)w;
}

static void leave(unsigned w)
{
    *d.exit_valid_i = 1;
    *d.exit_warp_i = (uint8_t)w;
}

static void the_last_arrival_releases_all_one_cycle_later(void **state)
{
    (void)state;
    launch(0, 0);
    edge();
    launch(3, 0);
    edge();
    arrive(3);
    edge();
    assert_int_equal(*d.release_o, 0);
    assert_int_equal(*d.wait_o, 8);
    edge();
    assert_int_equal(*d.idle_o, 1); /* waits for a partner */
    arrive(0);
    hd_eval(d.m);
    assert_int_equal(*d.release_o, 0); /* registers only */
    edge();
    assert_int_equal(*d.release_o, 9);
    assert_int_equal(*d.wait_o, 9);
    assert_int_equal(*d.idle_o, 0);
    edge();
    assert_int_equal(*d.release_o | *d.wait_o, 0);
    assert_int_equal(*d.idle_o, 1);
}

static void an_exit_completes_a_barrier_and_the_last_exit_none(void **state)
{
    (void)state;
    for (unsigned w = 0; w < 3; w++) {
        launch(w, P_Blocks - 1);
        edge();
    }
    arrive(0);
    edge();
    arrive(2);
    edge();
    edge();
    leave(1);
    edge();
    assert_int_equal(*d.release_o, 5);
    edge();
    leave(0);
    edge();
    leave(2);
    edge();
    assert_int_equal(*d.release_o, 0);
    launch(1, P_Blocks - 1); /* the block is empty: its next one is one warp */
    edge();
    arrive(1);
    edge();
    assert_int_equal(*d.release_o, 2);
}

static void every_misuse_trips_an_assertion(void **state)
{
    (void)state;
    if (!hd_has_asserts(d.m))
        return;
    for (unsigned w = 0; w < 3; w++) {
        launch(w, 0);
        edge();
    }
    arrive(0);
    edge();
    edge();
    for (int misuse = 0; misuse < 5; misuse++) {
        hd_assert_clear(d.m);
        switch (misuse) {
        case 0: launch(2, 0); break; /* live already */
        case 1: launch(3, 0); break; /* a member waits already */
        case 2: arrive(0); break;    /* waits already */
        case 3: leave(0); break;     /* waits */
        default:                     /* one issue slot cannot do both */
            arrive(1);
            leave(2);
        }
        edge();
        if (hd_assert_failures(d.m) == 0)
            fprintf(stderr, "misuse %d was not noticed\n", misuse);
        assert_true(hd_assert_failures(d.m) > 0);
    }
    hd_assert_clear(d.m);
}

static void matches_a_model_of_blocks_under_random_traffic(void **state)
{
    (void)state;
    unsigned by_arrival = 0, by_exit = 0, in_a_row = 0, with_launch = 0, blocks_waiting = 0, alone = 0;
    bool due = false, due_exit = false, was_release = false;
    unsigned due_block = 0;
    for (int i = 0; i < 60000; i++) {
        /* what this cycle must show: a barrier completed by the last edge */
        uint64_t release = 0, waits = 0;
        unsigned members = 0;
        for (unsigned w = 0; w < P_Warps; w++)
            waits |= warp[w] == WAITS ? UINT64_C(1) << w : 0;
        if (due) {
            bool all = true;
            for (unsigned w = 0; w < P_Warps; w++)
                if (warp[w] != FREE && block_of[w] == due_block) {
                    members++;
                    release |= UINT64_C(1) << w;
                    all = all && warp[w] == WAITS;
                }
            if (!all)
                release = 0;
        }

        /* stimulus: whole blocks are launched before a member does anything */
        static unsigned to_launch[P_Blocks]; /* warps still to join; a block is locked meanwhile */
        static bool used[P_Blocks];
        if (i == 0) {
            memset(to_launch, 0, sizeof to_launch);
            memset(used, 0, sizeof used);
        }
        int l = -1;
        unsigned lb = (unsigned)hd_rand_below(P_Blocks);
        unsigned lw = (unsigned)hd_rand_below(P_Warps);
        if (!used[lb] && hd_rand_below(4) == 0) {
            used[lb] = true;
            to_launch[lb] = 1 + (unsigned)hd_rand_below(P_Blocks > 1 ? P_Warps / 2 : P_Warps);
        }
        if (to_launch[lb] && warp[lw] == FREE) {
            l = (int)lw;
            launch(lw, lb);
        }
        bool room = false;
        for (unsigned w = 0; w < P_Warps; w++)
            room = room || (warp[w] == FREE && (int)w != l);
        if (!room) /* no slot left for those that were to come */
            for (unsigned b = 0; b < P_Blocks; b++)
                to_launch[b] = b == lb && l >= 0 && to_launch[b] ? 1 : 0;
        unsigned aw = (unsigned)hd_rand_below(P_Warps);
        bool acts = warp[aw] == RUNS && !to_launch[block_of[aw]] && hd_rand_below(4) != 0;
        bool exits = acts && hd_rand_below(6) == 0;
        if (exits)
            leave(aw);
        else if (acts)
            arrive(aw);

        hd_eval(d.m);
        assert_int_equal(*d.release_o, release);
        assert_int_equal(*d.wait_o, waits);
        assert_int_equal(*d.idle_o, !due);
        by_exit += release && due_exit;
        by_arrival += release && !due_exit;
        in_a_row += release && was_release;
        with_launch += release && l >= 0;
        alone += release && members == 1;
        blocks_waiting += waits & ~release ? 1 : 0;
        was_release = release != 0;

        edge();
        for (unsigned w = 0; w < P_Warps; w++)
            if (release >> w & 1)
                warp[w] = RUNS;
        due = acts;
        due_exit = exits;
        due_block = acts ? block_of[aw] : 0;
        if (acts)
            warp[aw] = exits ? FREE : WAITS;
        if (l >= 0) {
            warp[l] = RUNS;
            block_of[l] = lb;
            to_launch[lb]--;
        }
        for (unsigned b = 0; b < P_Blocks; b++) {
            bool live = to_launch[b] != 0;
            for (unsigned w = 0; w < P_Warps; w++)
                live = live || (warp[w] != FREE && block_of[w] == b);
            used[b] = live;
        }
    }
    assert_true(by_arrival > 100 && by_exit > 50 && blocks_waiting > 1000);
    assert_true(P_Blocks == 1 || (in_a_row > 5 && with_launch > 5));
    assert_true(alone > 5);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(the_last_arrival_releases_all_one_cycle_later, setup, teardown),
        cmocka_unit_test_setup_teardown(an_exit_completes_a_barrier_and_the_last_exit_none, setup, teardown),
        cmocka_unit_test_setup_teardown(every_misuse_trips_an_assertion, setup, teardown),
        cmocka_unit_test_setup_teardown(matches_a_model_of_blocks_under_random_traffic, setup, teardown),
    };
    return HD_UNIT_MAIN(argc, argv, t);
}
