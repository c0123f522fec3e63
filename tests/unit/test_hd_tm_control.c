/* test_hd_tm_control.c - masks, modes and token against the rows of the table in hd_tm_control.sv, and Table 1 of paper 5. */
/* dut: hd_tm_control Lanes=4 TmWarps=3 */
/* dut: hd_tm_control Lanes=5 TmWarps=1 */
/* dut: hd_tm_control Lanes=64 TmWarps=4 */
#include "hd_unit.h"

#include "hd_bits.h"
#include "hd_pkg.h"
#include "hd_tm_control_dut.h"

enum { LANES = P_Lanes, WFS = P_TmWarps };
#include "tm_control_model.h"

static struct hd_tm_control d;

static int setup(void **state)
{
    (void)state;
    model_reset();
    hd_tm_control_open(&d);
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

static void look(unsigned w)
{
    hd_bits_put(d.wf_i, 0, HD_TM_CONTROL_W_wf_i, w);
    hd_eval(d.m);
    assert_int_equal(*d.runs_o, f[w].state == RUN);
    assert_int_equal(hd_bits_get(d.live_o, 0, LANES), f[w].state == RUN ? f[w].lanes & ~f[w].tcm : 0);
    assert_int_equal(hd_bits_get(d.tcm_o, 0, LANES), f[w].state == IDLE ? 0 : f[w].tcm);
    if (f[w].state != IDLE)
        assert_int_equal(*d.mode_o, f[w].mode);
    for (unsigned v = 0; v < WFS; v++) {
        assert_int_equal(hd_bits_get(d.hold_o, v, 1), held(v));
        assert_int_equal(hd_bits_get(d.others_o, v, 1), v != w && f[v].state == RUN);
    }
}

static void edge(void)
{
    hd_edge(d.m);
    *d.ev_i = 0;
    hd_bits_random(d.mask_i, LANES);
    hd_bits_random(d.lost_i, LANES);
}

/* @return whether it was sent back. */
static bool begin(unsigned w, uint64_t mask)
{
    const bool again = held(w);
    const unsigned mode = f[w].state == IDLE ? HD_TM_TX : f[w].mode;

    hd_bits_put(d.wf_i, 0, HD_TM_CONTROL_W_wf_i, w);
    hd_bits_put(d.mask_i, 0, LANES, mask);
    HD_PUT(d.ev_i, TM_EVENT_START, 1);
    hd_eval(d.m);
    assert_int_equal(*d.again_o, again);
    assert_int_equal(*d.alone_o, !again && mode == HD_TM_WG);
    edge();
    return model_begin(w, mask);
}

static void lose(unsigned w, uint64_t lost)
{
    hd_bits_put(d.wf_i, 0, HD_TM_CONTROL_W_wf_i, w);
    hd_bits_put(d.lost_i, 0, LANES, lost);
    HD_PUT(d.ev_i, TM_EVENT_LOSE, 1);
    edge();
    model_lose(w, lost);
}

static void commit(unsigned w)
{
    hd_bits_put(d.wf_i, 0, HD_TM_CONTROL_W_wf_i, w);
    hd_bits_put(d.mask_i, 0, LANES, f[w].lanes);
    HD_PUT(d.ev_i, TM_EVENT_COMMIT, 1);
    edge();
    model_commit(w);
}

/* Table 1 of the paper: 4 work-items that all conflict twice, then one by one; TCM line by line. */
static void table_1_of_the_paper(void **state)
{
    (void)state;
    if (LANES < 4)
        return;
    assert_false(begin(0, 0xf)); /* TX 1 */
    look(0);
    assert_int_equal(hd_bits_get(d.live_o, 0, LANES), 0xf);
    lose(0, 0xa);
    look(0);
    commit(0);
    look(0);
    assert_int_equal(hd_bits_get(d.tcm_o, 0, LANES), 0xa); /* those that try again */
    assert_false(begin(0, 0xa));
    look(0);
    lose(0, 0xa);
    commit(0); /* the same lanes: one at a time from now on */
    assert_int_equal(f[0].mode, HD_TM_WF);
    assert_false(begin(0, 0xa));
    look(0);
    assert_int_equal(hd_bits_get(d.live_o, 0, LANES), 0x2);
    commit(0);
    look(0);
    assert_int_equal(hd_bits_get(d.tcm_o, 0, LANES), 0x8); /* others than before: all of them again */
    assert_false(begin(0, 0x8));
    look(0);
    assert_int_equal(hd_bits_get(d.live_o, 0, LANES), 0x8);
    commit(0);
    look(0);
}

static void random_events(void **state)
{
    unsigned modes[3] = {0}, kills = 0, agains = 0;

    (void)state;
    for (unsigned t = 0; t < 30000; t++) {
        const unsigned w = (unsigned)hd_rand_below(WFS), what = (unsigned)hd_rand_below(4);
        look(w);
        if (f[w].state != RUN) {
            const bool again = begin(w, f[w].state == RETRY ? f[w].lanes : hd_bits_random_mask(LANES));
            agains += again;
            modes[f[w].mode] += !again;
            continue;
        }
        kills += f[w].killed;
        const uint64_t live = f[w].lanes & ~f[w].tcm, lost = hd_rand_below(2) ? live : live & hd_rand();
        if (what == 0 && lost != 0 && f[w].mode != HD_TM_WG)
            lose(w, lost);
        else if (what > 1)
            commit(w);
    }
    assert_true(modes[HD_TM_TX] > 100 && modes[HD_TM_WF] > 100 && (modes[HD_TM_WG] > 20));
    assert_true((kills > 10 && agains > 10) || WFS == 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(table_1_of_the_paper, setup, teardown),
        cmocka_unit_test_setup_teardown(random_events, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, tests);
}
