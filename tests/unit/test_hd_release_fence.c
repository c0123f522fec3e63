/* test_hd_release_fence.c - fences in front of operations against a C model of the warps that come, wait and leave. */
/* dut: hd_release_fence Warps=6 */
/* dut: hd_release_fence Warps=1 */
/* dut: hd_release_fence */
#include "hd_unit.h"

#include "hd_release_fence_dut.h"

#ifndef P_Warps
#define P_Warps 48
#endif

struct warp {
    bool live, has, exits, wants; /* an operation waits; it is an exit; a fence is still to be sent for it */
};

static struct hd_release_fence d;
static struct warp warp[P_Warps];
static bool uncovered; /* a warp has left without a fence behind it */

static int setup(void **state)
{
    (void)state;
    memset(warp, 0, sizeof warp);
    uncovered = false;
    hd_release_fence_open(&d);
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

static uint64_t bit(unsigned w)
{
    return UINT64_C(1) << w;
}

static unsigned lives(void)
{
    unsigned n = 0;
    for (unsigned w = 0; w < P_Warps; w++)
        n += warp[w].live;
    return n;
}

/* A fence is what @w issues next. */
static bool fence(const struct warp *w)
{
    return w->exits ? lives() == 1 && (w->wants || uncovered) : w->wants;
}

static void check(void)
{
    hd_eval(d.m);
    for (unsigned w = 0; w < P_Warps; w++)
        if (warp[w].has)
            assert_int_equal(*d.fence_o >> w & 1, fence(&warp[w]));
}

static void edge(void)
{
    uint64_t exits = 0;

    hd_eval(d.m);
    hd_edge(d.m);
    for (unsigned w = 0; w < P_Warps; w++)
        exits |= warp[w].has && warp[w].exits ? bit(w) : 0;
    *d.launch_i = *d.arrive_i = *d.arrive_fence_i = *d.sent_i = *d.leave_i = 0;
    *d.arrive_warp_i = *d.gnt_i = 0;
    *d.exit_i = exits;
    check();
}

static void launch(unsigned w)
{
    *d.launch_i = 1;
    warp[w].live = true;
}

static void arrive(unsigned w, bool exits, bool wants)
{
    *d.arrive_i = 1;
    *d.arrive_warp_i = bit(w);
    *d.arrive_fence_i = wants;
    warp[w].has = true;
    warp[w].exits = exits;
    warp[w].wants = wants;
}

/* What @w has to issue. @return it was a fence. */
static bool issue(unsigned w)
{
    struct warp *p = &warp[w];
    const bool sends = fence(p);

    *d.gnt_i = bit(w);
    if (sends) {
        *d.sent_i = 1;
        uncovered = uncovered && !p->exits;
        p->wants = false;
        return true;
    }
    if (p->exits) {
        *d.leave_i = 1;
        uncovered = uncovered || p->wants;
        p->live = false;
    }
    p->has = false;
    return false;
}

static void the_last_of_two_sends_a_fence(void **state)
{
    (void)state;
    if (P_Warps < 2)
        return;
    for (unsigned w = 0; w < 2; w++) {
        launch(w);
        edge();
    }
    for (unsigned w = 0; w < 2; w++) {
        arrive(w, true, true);
        edge();
    }
    assert_int_equal(*d.fence_o & 3, 0);
    assert_false(issue(0));
    edge();
    assert_int_equal(*d.fence_o >> 1 & 1, 1);
    assert_true(issue(1));
    edge();
    assert_int_equal(*d.fence_o >> 1 & 1, 0);
    launch(0); /* comes and leaves while the fence is out */
    edge();
    arrive(0, true, true);
    edge();
    assert_false(issue(0));
    edge();
    assert_int_equal(*d.fence_o >> 1 & 1, 1); /* again */
    assert_true(issue(1));
    edge();
    assert_false(issue(1));
    edge();
}

static void an_exit_that_wants_none_sends_none(void **state)
{
    (void)state;
    launch(0);
    edge();
    arrive(0, true, false);
    edge();
    assert_false(issue(0));
    edge();
    launch(0);
    edge();
    arrive(0, false, true); /* a release of one warp */
    edge();
    assert_true(issue(0));
    edge();
    assert_false(issue(0));
    edge();
}

static void matches_a_c_model(void **state)
{
    unsigned sent = 0, again = 0, passed = 0, ended = 0, base = 0, most = 1;

    (void)state;
    for (int i = 0; i < 60000; i++) {
        if (lives() == 0)
            base = (unsigned)hd_rand_below(P_Warps), most = 1 + (unsigned)hd_rand_below(P_Warps < 5 ? P_Warps : 5); /* few: all leave now and then */
        const unsigned w = (base + (unsigned)hd_rand_below(most)) % P_Warps, g = (base + (unsigned)hd_rand_below(most)) % P_Warps;
        const bool exits = hd_rand_below(3) != 0, left = warp[g].has && hd_rand_below(2) == 0;

        if (left) {
            const bool first = warp[g].wants, leaves = warp[g].exits;
            const bool fences = issue(g);

            sent += fences;
            again += fences && !first;
            passed += !fences && leaves && first;
            ended += !fences && leaves && lives() == 0;
        }
        if (!(left && w == g)) {
            if (!warp[w].live && hd_rand_below(i / 500 % 2 ? 60 : 8) == 0)
                launch(w);
            else if (warp[w].live && !warp[w].has && hd_rand_below(3) == 0)
                arrive(w, exits, exits ? hd_rand_below(3) != 0 : hd_rand_below(2) == 0);
        }
        edge();
    }
    if (!(sent > 200 && ended > 100 && (P_Warps == 1 || (again > 10 && passed > 100))))
        fail_msg("%u fences, %u of them again, %u left without, all left %u times", sent, again, passed, ended);
}

static void every_misuse_trips_an_assertion(void **state)
{
    (void)state;
    if (!hd_has_asserts(d.m))
        return;
    *d.leave_i = 1; /* nobody lives */
    hd_eval(d.m);
    hd_edge(d.m);
    assert_true(hd_assert_failures(d.m) > 0);
    hd_assert_clear(d.m);
    hd_reset(d.m);
    *d.leave_i = 0;
    *d.launch_i = 1;
    for (unsigned n = 0; n < P_Warps; n++) {
        hd_eval(d.m);
        hd_edge(d.m);
    }
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_eval(d.m);
    hd_edge(d.m); /* one more than there are */
    assert_true(hd_assert_failures(d.m) > 0);
    hd_assert_clear(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(the_last_of_two_sends_a_fence, setup, teardown),
        cmocka_unit_test_setup_teardown(an_exit_that_wants_none_sends_none, setup, teardown),
        cmocka_unit_test_setup_teardown(matches_a_c_model, setup, teardown),
        cmocka_unit_test_setup_teardown(every_misuse_trips_an_assertion, setup, teardown),
    };
    return HD_UNIT_MAIN(argc, argv, t);
}
