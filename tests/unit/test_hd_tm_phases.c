/* test_hd_tm_phases.c - operations of transactions against the rows of the table in hd_tm_phases.sv, cycle by cycle: passes, rows
 * and hd_lds_result are played here, masks and modes are those of tm_control_model.h. */
/* dut: hd_tm_phases Lanes=4 Warps=5 TmWarps=3 */
/* dut: hd_tm_phases Lanes=3 Warps=5 TmWarps=2 */
/* dut: hd_tm_phases Lanes=64 Warps=4 TmWarps=4 */
#include "hd_unit.h"

#include "hd_bits.h"
#include "hd_pkg.h"
#include "hd_tm_phases_dut.h"

enum { LANES = P_Lanes, WFS = P_TmWarps, WARPS = P_Warps };
#include "tm_control_model.h"

#define EV(name) (1u << (HD_EV_SM_TM_##name - HD_EV_SM_TM_PASS))
enum phase { NONE, P1, P2, W0, WALK, DONE, PHASES };

static struct hd_tm_phases d;
static unsigned ev_now, ev_next, met[PHASES][PHASES], plain, again, killed, followed;
/* Words of a plain operation that has left the port are at the banks; the lanes that go with their completion. */
static bool behind;
static uint64_t behind_tcm;

static int setup(void **state)
{
    (void)state;
    model_reset();
    ev_now = ev_next = 0;
    behind = false;
    hd_tm_phases_open(&d);
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

/* Chance, 1 in @n. */
static bool one_in(unsigned n)
{
    return hd_rand_below(n) == 0;
}

static void quiet(void)
{
    *d.valid_i = *d.pass_i = *d.last_i = *d.go_i = *d.fresh_i = *d.walking_i = *d.still_i = *d.perf_i = 0;
    hd_bits_put(d.lost_i, 0, LANES, 0);
}

static void edge(void)
{
    const bool perf = *d.perf_i;

    hd_edge(d.m);
    *d.pass_i = *d.last_i = *d.go_i = *d.fresh_i = *d.perf_i = 0;
    hd_bits_put(d.lost_i, 0, LANES, 0);
    ev_now = ev_next;
    ev_next = 0;
    hd_eval(d.m);
    assert_int_equal(*d.ev_o, ev_now);
    if (behind && perf) {
        assert_int_equal(hd_bits_get(d.tcm_o, 0, LANES), behind_tcm);
        assert_int_equal(*d.mode_o, 0);
        behind = false;
    }
}

static uint64_t cleared(unsigned v)
{
    return hd_bits_get(d.clear_o, v * LANES, LANES);
}

/* One operation of warp @w from the port to perf. */
static void operation(unsigned w, unsigned kind, uint64_t mask)
{
    const uint64_t all = UINT64_MAX >> (64 - LANES);
    const bool may = w < WFS, begin = kind == HD_OP_TX_BEGIN, commit = kind == HD_OP_TX_COMMIT;
    struct wf *x = &f[may ? w : 0], before[WFS];
    const bool tx = may && x->state == RUN && !begin && !commit;
    const uint64_t live = tx || commit ? x->lanes & ~x->tcm : 0, todo = tx ? mask & live : mask;
    const bool words = !begin && !commit && (!tx || todo), whole = tx || begin || commit;
    const uint64_t tcm_first = may && x->state != IDLE ? x->tcm : 0;
    unsigned passes = words ? 1 + (unsigned)hd_rand_below(3) : 1, made = 0, some = 0, others = 0, walk_left = 0;
    enum phase phase = NONE, next;
    bool there = behind, last_there = behind, sent_back = false, alone = false, end = false, last = false;
    bool all_rows = false, restore = false;
    uint64_t lost = 0;

    quiet();
    memcpy(before, f, sizeof f);
    *d.valid_i = 1;
    hd_bits_put(d.warp_i, 0, HD_TM_PHASES_W_warp_i, w);
    hd_bits_put(d.kind_i, 0, HD_TM_PHASES_W_kind_i, kind);
    hd_bits_put(d.mask_i, 0, LANES, mask);
    for (unsigned v = 0; v < WFS; v++) {
        const bool owns = f[v].state == RUN && one_in(2);
        some |= (unsigned)owns << v;
        others |= (unsigned)(v != w && f[v].state == RUN) << v;
    }
    hd_bits_put(d.some_i, 0, WFS, some);
    for (unsigned t = 0; !end; t++) {
        assert_true(t < 200);
        const bool fresh = phase == P1 && one_in(2);
        const bool waits = phase != NONE && phase != DONE && (last || fresh || phase == W0 || phase == WALK);
        bool pass = false, simple = false, perf;
        uint64_t lost_now = 0, clear[WFS] = {0};
        bool walk = false;
        unsigned walk_wfs = 0;

        /* what is around it */
        *d.there_i = there;
        const bool taken = there && !waits, ready = one_in(2);
        perf = taken && last_there && ready;
        *d.stall_i = taken && (last_there ? !perf : !ready);
        *d.perf_i = perf;
        *d.fresh_i = fresh;
        *d.walking_i = phase == WALK;
        *d.still_i = phase == WALK && walk_left > 1;
        hd_eval(d.m);
        const bool stall = *d.stall_i || (there && waits);
        const bool at_port = made < passes;
        followed += behind && stall && phase == NONE && whole && !words;
        assert_int_equal(*d.tx_o, tx);
        if (at_port)
            assert_int_equal(hd_bits_get(d.todo_o, 0, LANES), todo);
        if (may)
            assert_int_equal(hd_bits_get(d.wf_o, 0, HD_TM_PHASES_W_wf_o), w);
        assert_int_equal(*d.there_o, taken);
        assert_int_equal(*d.stall_o, stall);
        assert_int_equal(*d.p1_o, phase == P1);
        assert_int_equal(*d.p2_o, phase == P2);
        if (phase != NONE || ev_now != 0) /* a pulse is still to end */
            assert_int_equal(*d.idle_o, 0);
        assert_int_equal(*d.block_o, !(phase == NONE && (at_port || !whole)));
        assert_int_equal(*d.run_o, words && (at_port || !whole));
        if (phase == NONE && at_port && !stall) {
            pass = words && !one_in(4);
            simple = !words;
        }
        assert_int_equal(*d.simple_o, simple);
        /* the pass and what it meets */
        next = phase;
        if (pass || simple) {
            made++;
            last = made == passes;
        }
        const bool losing = tx && x->mode != HD_TM_WG && !x->killed;
        if (pass) {
            const bool go = !losing || !one_in(3);
            *d.pass_i = 1;
            *d.last_i = last;
            *d.go_i = go;
            if (losing && (!go || one_in(3)))
                lost_now = todo & hd_rand();
            ev_next |= tx ? EV(PASS) : 0;
            if (tx)
                next = go ? P1 : !last ? NONE : (lost | lost_now) ? W0 : DONE;
        } else if (phase == P1 || phase == P2) {
            if (phase == P1 && losing && one_in(4))
                lost_now = todo & hd_rand(); /* by an owner record */
            next = phase == P1 && fresh ? P2 : !last ? NONE : (lost | lost_now) ? W0 : DONE;
            ev_next |= phase == P1 ? EV(OWNER) : EV(ASIDE);
        } else if (phase == W0) {
            walk = true;
            walk_wfs = alone ? others : 1u << w;
            all_rows = alone;
            restore = true;
            if (!alone)
                clear[w] = lost;
            walk_left = (some & walk_wfs) ? 1 + (unsigned)hd_rand_below(4) : 0;
            next = walk_left ? WALK : DONE;
        } else if (phase == WALK) {
            next = --walk_left ? WALK : DONE;
        } else if (phase == DONE && perf) {
            next = NONE;
            end = true;
        }
        if (phase == W0 || phase == WALK) {
            if (!begin && !commit)
                ev_next |= EV(LOST);
            else if (phase == WALK)
                ev_next |= commit ? EV(KEPT) : EV(ALONE);
        }
        if (simple && begin) {
            sent_back = model_begin(w, mask);
            alone = !sent_back && x->mode == HD_TM_WG;
            for (unsigned v = 0; v < WFS; v++)
                if (alone && (others >> v & 1))
                    clear[v] = all;
            next = alone && (some & others) ? W0 : DONE;
        } else if (simple && commit) {
            walk = true;
            walk_wfs = 1u << w;
            all_rows = true;
            restore = false;
            clear[w] = live;
            walk_left = (some >> w & 1) ? 1 + (unsigned)hd_rand_below(4) : 0;
            next = walk_left ? WALK : DONE;
            killed += x->killed;
        } else if (simple)
            next = DONE;
        hd_bits_put(d.lost_i, 0, LANES, lost_now);
        hd_eval(d.m);
        assert_int_equal(HD_GET(d.walk_o, TM_WALK_START), walk);
        if (walk) {
            assert_int_equal(hd_bits_get(d.walk_wfs_o, 0, WFS), walk_wfs);
            assert_int_equal(HD_GET(d.walk_o, TM_WALK_ALL), all_rows);
            assert_int_equal(HD_GET(d.walk_o, TM_WALK_RESTORE), restore);
            if (!all_rows)
                assert_int_equal(hd_bits_get(d.gone_o, 0, LANES), lost);
        }
        for (unsigned v = 0; v < WFS; v++)
            assert_int_equal(cleared(v), clear[v]);
        const bool ready_now = whole ? phase == DONE && perf : pass && last;
        assert_int_equal(*d.ready_o, ready_now);
        if (end)
            ev_next |= begin ? EV(BEGIN) : commit ? EV(COMMIT) : 0;
        /* hd_lds_result and the model */
        if (taken && !*d.stall_i)
            there = last_there = false;
        if (pass || simple) {
            there = true;
            last_there = last;
        }
        if (phase == W0 && tx)
            model_lose(w, lost);
        if (simple && commit)
            model_commit(w);
        lost |= lost_now;
        met[phase][next] += next != phase;
        phase = next;
        if (!whole && pass && last) { /* a plain one leaves the port; its words wait behind it */
            edge();
            quiet();
            plain++;
            behind = true;
            behind_tcm = tcm_first;
            if (one_in(2)) /* the next operation comes while they wait */
                return;
            while (behind) {
                *d.stall_i = !(perf = one_in(2));
                *d.perf_i = perf;
                *d.there_i = 1;
                hd_eval(d.m);
                assert_true(*d.there_o && *d.stall_o == !perf && !*d.ready_o);
                edge();
            }
            end = true;
        } else
            edge();
    }
    if (whole) { /* the lanes and the mode that go with the completion */
        const uint64_t tcm_now = x->state != IDLE ? x->tcm : 0;

        assert_int_equal(hd_bits_get(d.tcm_o, 0, LANES), begin && sent_back ? mask : tcm_now);
        if (begin && !sent_back)
            assert_int_equal(*d.mode_o, x->mode);
        if (!begin)
            assert_int_equal(*d.mode_o, 0);
    }
    again += sent_back;
    quiet();
    *d.there_i = *d.stall_i = 0;
    edge();
    hd_eval(d.m);
    assert_int_equal(*d.idle_o, 1);
    for (unsigned v = 0; v < WARPS; v++)
        assert_int_equal(hd_bits_get(d.hold_o, v, 1), v < WFS && held(v));
}

static void programs(void **state)
{
    (void)state;
    memset(met, 0, sizeof met);
    plain = again = killed = followed = 0;
    for (unsigned t = 0; t < 6000; t++) {
        const unsigned w = (unsigned)hd_rand_below(WARPS);
        const unsigned access = one_in(2) ? HD_OP_LOAD : one_in(2) ? HD_OP_STORE : HD_OP_ATOMIC;
        if (w >= WFS || (f[w].state != RUN && one_in(3)))
            operation(w, access, hd_bits_random_mask(LANES));
        else if (f[w].state != RUN)
            operation(w, HD_OP_TX_BEGIN, f[w].state == RETRY ? f[w].lanes : hd_bits_random_mask(LANES));
        else if (one_in(3))
            operation(w, HD_OP_TX_COMMIT, f[w].lanes);
        else {
            const uint64_t some = f[w].lanes & hd_rand();
            operation(w, access, some ? some : f[w].lanes);
        }
    }
    static const enum phase row[][2] = {{NONE, P1}, {NONE, W0}, {NONE, WALK}, {NONE, DONE}, {P1, NONE}, {P1, P2}, {P1, W0},
                                        {P1, DONE}, {P2, NONE}, {P2, W0}, {P2, DONE}, {W0, WALK}, {W0, DONE}, {WALK, DONE},
                                        {DONE, NONE}};
    unsigned pairs = 0;
    for (unsigned a = 0; a < PHASES; a++)
        for (unsigned b = 0; b < PHASES; b++)
            pairs += met[a][b] > 0;
    for (unsigned i = 0; i < sizeof row / sizeof row[0]; i++)
        assert_true(met[row[i][0]][row[i][1]] > 5);
    assert_int_equal(pairs, sizeof row / sizeof row[0]);
    assert_true(plain > 100 && again > 5 && killed > 5 && followed > 50);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(programs, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, tests);
}
