/* test_hd_tm_rows.c - marks, owners and backup words against arrays in C: who loses, which rows are new, what each walk puts
 * back, row by row of the table in hd_tm_rows.sv. */
/* dut: hd_tm_rows Banks=3 BankRows=8 TmRows=6 WordW=32 Lanes=4 TmWarps=3 Hash=2 Detect=0 */
/* dut: hd_tm_rows Banks=2 BankRows=5 TmRows=5 WordW=64 Lanes=3 TmWarps=1 Hash=1 Detect=0 */
/* dut: hd_tm_rows Banks=2 BankRows=16 TmRows=9 WordW=32 Lanes=8 TmWarps=2 Hash=4 Detect=1 */
#include "hd_unit.h"

#include "hd_bits.h"
#include "hd_tm_rows_dut.h"

enum {
    BANKS = P_Banks,
    ROWS = P_TmRows,
    LANES = P_Lanes,
    WFS = P_TmWarps,
    ROW_W = HD_TM_ROWS_W_put_o / BANKS - 1 - P_WordW,
    LANE_W = HD_TM_ROWS_W_banks_i / BANKS - 1 - ROW_W,
    ROW = BANKS * LANE_W, /* what is where in banks_i, behind the lanes, and in put_o, behind the words */
    USED = ROW + BANKS * ROW_W,
    PUT_ROW = BANKS * P_WordW,
    PUT = PUT_ROW + BANKS * ROW_W,
    MARK = 0, NONE_GOES, NEW, OWN, FOREIGN_OWNER, CASES /* rows of the table that were met */
};

static struct hd_tm_rows d;
static bool marked[BANKS][P_Hash][WFS][LANES];
static struct row {
    int wf, lane; /* owner; wf -1: nobody */
    uint64_t backup;
} row[BANKS][ROWS];
static unsigned met[CASES];

static int setup(void **state)
{
    (void)state;
    memset(marked, 0, sizeof marked);
    for (unsigned i = 0; i < BANKS * ROWS; i++)
        row[i / ROWS][i % ROWS].wf = -1;
    hd_tm_rows_open(&d);
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
    hd_edge(d.m);
    *d.pass_i = *d.look_i = *d.p1_i = *d.p2_i = 0;
    HD_PUT(d.walk_i, TM_WALK_START, 0);
    hd_bits_random(d.banks_i, USED + BANKS);
    hd_bits_random(d.line_i, BANKS * P_WordW);
    memset(d.clear_i, 0, hd_bits_bytes(WFS * LANES));
}

static bool other_marks(unsigned b, unsigned hash, unsigned wf, unsigned lane)
{
    for (unsigned v = 0; v < WFS; v++)
        for (unsigned l = 0; l < LANES; l++)
            if (marked[b][hash][v][l] && !(v == wf && l == lane))
                return true;
    return false;
}

/* The walk of wavefronts @wfs: lanes @gone of them, whose marks go too, all with @all; rows are put back with @restore. */
static void walk(uint64_t wfs, uint64_t gone, bool all, bool restore)
{
    unsigned length = 0, cycles = 0, goes[BANKS] = {0};
    bool some[WFS] = {false};

    for (unsigned b = 0; b < BANKS; b++) {
        unsigned entries = 0;
        for (unsigned r = 0; r < ROWS; r++)
            if (row[b][r].wf >= 0) {
                some[row[b][r].wf] = true;
                entries += wfs >> row[b][r].wf & 1;
                goes[b] += (wfs >> row[b][r].wf & 1) && (all || (gone >> row[b][r].lane & 1));
            }
        length = entries > length ? entries : length;
    }
    hd_eval(d.m);
    for (unsigned v = 0; v < WFS; v++)
        assert_int_equal(hd_bits_get(d.some_o, v, 1), some[v]);
    HD_PUT(d.walk_i, TM_WALK_START, 1);
    hd_bits_put(d.walk_wfs_i, 0, WFS, wfs);
    HD_PUT(d.walk_i, TM_WALK_ALL, all);
    HD_PUT(d.walk_i, TM_WALK_RESTORE, restore);
    hd_bits_put(d.gone_i, 0, LANES, gone);
    for (unsigned v = 0; v < WFS; v++)
        for (unsigned l = 0; l < LANES; l++)
            if ((wfs >> v & 1) && (all || (gone >> l & 1))) {
                hd_bits_put(d.clear_i, v * LANES + l, 1, 1);
                for (unsigned b = 0; b < BANKS; b++)
                    for (unsigned h = 0; h < P_Hash; h++)
                        marked[b][h][v][l] = false;
            }
    hd_eval(d.m);
    assert_int_equal(*d.still_o, length > 0);
    assert_int_equal(*d.walking_o, 0);
    edge();
    for (hd_eval(d.m); *d.walking_o; hd_eval(d.m)) {
        cycles++;
        assert_true(cycles <= length);
        assert_int_equal(*d.still_o, cycles < length);
        for (unsigned b = 0; b < BANKS; b++) {
            if (!hd_bits_get(d.put_o, PUT + b, 1))
                continue;
            const unsigned r = (unsigned)hd_bits_get(d.put_o, PUT_ROW + b * ROW_W, ROW_W);
            assert_true(restore && r < ROWS && row[b][r].wf >= 0 && (wfs >> row[b][r].wf & 1));
            assert_true(all || (gone >> row[b][r].lane & 1));
            assert_int_equal(hd_bits_get(d.put_o, b * P_WordW, P_WordW), row[b][r].backup);
            row[b][r].wf = -1;
            goes[b]--;
        }
        edge();
    }
    assert_int_equal(cycles, length);
    for (unsigned b = 0; b < BANKS; b++)
        assert_true(!restore || goes[b] == 0);
    for (unsigned i = 0; i < BANKS * ROWS; i++) {
        struct row *x = &row[i / ROWS][i % ROWS];
        if (x->wf >= 0 && (wfs >> x->wf & 1) && (all || (gone >> x->lane & 1)))
            x->wf = -1;
    }
}

/* A pass of an access of wavefront @wf. @return lanes that have lost. */
static uint64_t access(unsigned wf)
{
    const uint64_t used = hd_bits_random_mask(BANKS);
    unsigned r[BANKS], lane[BANKS];
    uint64_t none = 0, lost = 0, fresh = 0;
    bool own_mark[BANKS] = {false};

    *d.pass_i = *d.look_i = 1;
    hd_bits_put(d.wf_i, 0, HD_TM_ROWS_W_wf_i, wf);
    hd_bits_put(d.banks_i, USED, BANKS, used);
    for (unsigned b = 0; b < BANKS; b++) {
        r[b] = (unsigned)hd_rand_below(ROWS);
        lane[b] = (unsigned)hd_rand_below(LANES);
        hd_bits_put(d.banks_i, ROW + b * ROW_W, ROW_W, r[b]);
        hd_bits_put(d.banks_i, b * LANE_W, LANE_W, lane[b]);
        own_mark[b] = marked[b][r[b] % P_Hash][wf][lane[b]];
        if (!(used >> b & 1) || P_Detect)
            continue;
        if (other_marks(b, r[b] % P_Hash, wf, lane[b])) {
            none |= UINT64_C(1) << b;
            lost |= UINT64_C(1) << lane[b];
            met[MARK]++;
        } else
            marked[b][r[b] % P_Hash][wf][lane[b]] = true;
    }
    hd_eval(d.m);
    assert_int_equal(hd_bits_get(d.lost_o, 0, LANES), lost);
    assert_int_equal(*d.go_o, (used & ~none) != 0);
    edge();
    if ((used & ~none) == 0) {
        met[NONE_GOES]++;
        return lost;
    }
    *d.p1_i = 1;
    uint64_t lost_now = 0;
    for (unsigned b = 0; b < BANKS; b++) {
        const struct row *x = &row[b][r[b]];
        const bool mine = x->wf == (int)wf && x->lane == (int)lane[b];
        if (!(used >> b & 1))
            continue;
        if (P_Detect && x->wf >= 0 && !mine) {
            none |= UINT64_C(1) << b;
            lost_now |= UINT64_C(1) << lane[b];
            met[FOREIGN_OWNER]++;
        }
        if (none >> b & 1)
            continue;
        assert_true(mine || x->wf < 0); /* else its mark had been met */
        assert_true(!mine || own_mark[b] || P_Detect);
        met[mine ? OWN : NEW]++;
        if (!mine)
            fresh |= UINT64_C(1) << b;
    }
    hd_eval(d.m);
    assert_int_equal(hd_bits_get(d.drop_o, 0, BANKS) & used, none);
    assert_int_equal(hd_bits_get(d.lost_o, 0, LANES), lost_now);
    assert_int_equal(*d.fresh_o, fresh != 0);
    for (unsigned b = 0; b < BANKS; b++)
        if (fresh >> b & 1) {
            row[b][r[b]] = (struct row){(int)wf, (int)lane[b], hd_bits_get(d.line_i, b * P_WordW, P_WordW)};
        }
    edge();
    if (fresh) {
        *d.p2_i = 1;
        hd_eval(d.m);
        assert_int_equal(hd_bits_get(d.drop_o, 0, BANKS) & used, none); /* stays: the access is performed now */
        edge();
    }
    return lost | lost_now;
}

static void attempts(void **state)
{
    unsigned restored = 0;

    (void)state;
    memset(met, 0, sizeof met);
    for (unsigned t = 0; t < 20000; t++) {
        const unsigned wf = (unsigned)hd_rand_below(WFS);
        const uint64_t all = UINT64_MAX >> (64 - WFS), me = UINT64_C(1) << wf;
        switch (hd_rand_below(12)) {
        case 0: /* a commit */
            walk(me, hd_rand(), true, false);
            break;
        case 1: /* the others give way to one that runs alone */
            if (hd_rand_below(4) == 0)
                walk(all & ~me, hd_rand(), true, true);
            break;
        case 2: /* a plain pass */
            *d.pass_i = 1;
            edge();
            hd_eval(d.m);
            assert_int_equal(hd_bits_get(d.drop_o, 0, BANKS), 0);
            assert_int_equal(hd_bits_get(d.lost_o, 0, LANES), 0);
            break;
        default: {
            const uint64_t lost = access(wf);
            if (lost) {
                walk(me, lost, false, true);
                restored++;
            }
        }
        }
    }
    assert_true(met[NEW] > 500 && met[OWN] > 100 && restored > 500);
    assert_true(P_Detect ? met[FOREIGN_OWNER] > 500 : met[MARK] > 500 && met[NONE_GOES] > 100);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(attempts, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, tests);
}
