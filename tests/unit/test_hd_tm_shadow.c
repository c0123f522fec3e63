/* test_hd_tm_shadow.c - owner records against lists in C: who owns a row, the order in which a walk meets the rows of each
 * bank, what it puts back, what stays, and its length. */
/* dut: hd_tm_shadow Banks=3 Rows=6 Lanes=4 TmWarps=3 */
/* dut: hd_tm_shadow Banks=2 Rows=2 Lanes=3 TmWarps=1 */
/* dut: hd_tm_shadow Banks=2 Rows=9 Lanes=64 TmWarps=4 */
#include "hd_unit.h"

#include "hd_bits.h"
#include "hd_tm_shadow_dut.h"

enum {
    BANKS = P_Banks,
    ROWS = P_Rows,
    LANES = P_Lanes,
    WFS = P_TmWarps,
    ROW_W = HD_TM_SHADOW_W_rest_o / BANKS - 1,
    LANE_W = HD_TM_SHADOW_W_banks_i / BANKS - 1 - ROW_W,
    ROW = BANKS * LANE_W, /* what is where in banks_i, behind the lanes, and in rest_o and back_o, behind the rows */
    USED = ROW + BANKS * ROW_W,
    BIT = BANKS * ROW_W
};

static struct hd_tm_shadow d;
static struct list {
    unsigned n, row[ROWS], lane[ROWS]; /* the head first */
} list[BANKS][WFS];

static int setup(void **state)
{
    (void)state;
    memset(list, 0, sizeof list);
    hd_tm_shadow_open(&d);
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

static bool owner(unsigned b, unsigned row, unsigned *wf, unsigned *lane)
{
    for (*wf = 0; *wf < WFS; ++*wf)
        for (unsigned i = 0; i < list[b][*wf].n; i++)
            if (list[b][*wf].row[i] == row) {
                *lane = list[b][*wf].lane[i];
                return true;
            }
    return false;
}

static void push(struct list *l, unsigned row, unsigned lane)
{
    memmove(l->row + 1, l->row, l->n * sizeof l->row[0]);
    memmove(l->lane + 1, l->lane, l->n * sizeof l->lane[0]);
    l->row[0] = row;
    l->lane[0] = lane;
    l->n++;
}

static void check_some(void)
{
    for (unsigned v = 0; v < WFS; v++) {
        bool some = false;
        for (unsigned b = 0; b < BANKS; b++)
            some |= list[b][v].n > 0;
        assert_int_equal(hd_bits_get(d.some_o, v, 1), some);
    }
}

/* A look, and the rows that nobody has become the lanes'. @return how many. */
static unsigned look(void)
{
    const unsigned wf = (unsigned)hd_rand_below(WFS);
    const uint64_t used = hd_bits_random_mask(BANKS);
    unsigned row[BANKS], lane[BANKS], owned = 0;
    uint64_t own = 0;

    *d.look_i = 1;
    hd_bits_put(d.wf_i, 0, HD_TM_SHADOW_W_wf_i, wf);
    hd_bits_put(d.banks_i, USED, BANKS, used);
    for (unsigned b = 0; b < BANKS; b++) {
        row[b] = (unsigned)hd_rand_below(ROWS);
        lane[b] = (unsigned)hd_rand_below(LANES);
        hd_bits_put(d.banks_i, ROW + b * ROW_W, ROW_W, row[b]);
        hd_bits_put(d.banks_i, b * LANE_W, LANE_W, lane[b]);
    }
    hd_edge(d.m);
    *d.look_i = 0;
    hd_bits_random(d.banks_i, USED);
    hd_eval(d.m);
    for (unsigned b = 0; b < BANKS; b++) {
        unsigned v = 0, l = 0;
        const bool valid = owner(b, row[b], &v, &l), mine = valid && v == wf && l == lane[b];
        if (!(used >> b & 1))
            continue;
        assert_int_equal(hd_bits_get(d.owner_o, BANKS + b, 1), mine);
        assert_int_equal(hd_bits_get(d.owner_o, b, 1), valid && !mine);
        if (!valid && hd_rand_below(4) != 0) {
            own |= UINT64_C(1) << b;
            push(&list[b][wf], row[b], lane[b]);
            owned++;
        }
    }
    if (hd_rand_below(2))
        hd_edge(d.m); /* they need not follow at once */
    hd_bits_put(d.own_i, 0, BANKS, own);
    hd_edge(d.m);
    hd_bits_put(d.own_i, 0, BANKS, 0);
    hd_eval(d.m);
    return owned;
}

static unsigned walk(void)
{
    const uint64_t wfs = hd_bits_random_mask(WFS), gone = hd_bits_random_mask(LANES);
    const bool all = hd_rand_below(2), restore = hd_rand_below(2);
    unsigned length = 0, walked = 0;
    struct {
        unsigned n, row[ROWS];
        bool goes[ROWS];
    } meet[BANKS];

    memset(meet, 0, sizeof meet);
    for (unsigned b = 0; b < BANKS; b++) {
        for (unsigned v = 0; v < WFS; v++) {
            const struct list old = list[b][v];
            if (!(wfs >> v & 1))
                continue;
            list[b][v].n = 0;
            for (unsigned i = 0; i < old.n; i++) {
                const bool goes = all || (gone >> old.lane[i] & 1);
                meet[b].row[meet[b].n] = old.row[i];
                meet[b].goes[meet[b].n++] = goes;
                if (!goes)
                    push(&list[b][v], old.row[i], old.lane[i]);
            }
        }
        length = meet[b].n > length ? meet[b].n : length;
    }
    HD_PUT(d.walk_i, TM_WALK_START, 1);
    hd_bits_put(d.walk_wfs_i, 0, WFS, wfs);
    HD_PUT(d.walk_i, TM_WALK_ALL, all);
    HD_PUT(d.walk_i, TM_WALK_RESTORE, restore);
    hd_bits_put(d.gone_i, 0, LANES, gone);
    for (unsigned t = 0; t <= length; t++) {
        hd_eval(d.m);
        assert_int_equal(*d.busy_o, t > 0);
        for (unsigned b = 0; b < BANKS; b++) {
            const bool met = t > 0 && t - 1 < meet[b].n, next = t < meet[b].n;
            assert_int_equal(hd_bits_get(d.rest_o, BIT + b, 1), met && restore && meet[b].goes[t - 1]);
            if (met && restore && meet[b].goes[t - 1])
                assert_int_equal(hd_bits_get(d.rest_o, b * ROW_W, ROW_W), meet[b].row[t - 1]);
            assert_int_equal(hd_bits_get(d.back_o, BIT + b, 1), next);
            if (next)
                assert_int_equal(hd_bits_get(d.back_o, b * ROW_W, ROW_W), meet[b].row[t]);
            walked += met;
        }
        hd_edge(d.m);
        HD_PUT(d.walk_i, TM_WALK_START, 0);
        HD_PUT(d.walk_i, TM_WALK_ALL, !all);
        HD_PUT(d.walk_i, TM_WALK_RESTORE, !restore);
    }
    hd_eval(d.m);
    assert_int_equal(*d.busy_o, 0);
    return walked;
}

static void random_owners_and_walks(void **state)
{
    unsigned owned = 0, walked = 0;

    (void)state;
    for (unsigned t = 0; t < 8000; t++) {
        if (hd_rand_below(4) != 0)
            owned += look();
        else
            walked += walk();
        check_some();
    }
    assert_true(owned > 500 && walked > 500);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(random_owners_and_walks, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, tests);
}
