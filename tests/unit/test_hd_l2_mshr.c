/* test_hd_l2_mshr.c - waiting requests of an L2 bank, chained per line, against a C model. */
/* mutants: Entries=5 LineW=6 */
/* equiv: Entries=4 LineW=6 */
/* dut: hd_l2_mshr Entries=1 LineW=6 */
/* dut: hd_l2_mshr Entries=5 LineW=6 */
/* dut: hd_l2_mshr Entries=16 LineW=22 */
/* dut: hd_l2_mshr Entries=5 LineW=6 LaneMasks=1 */
#include "hd_unit.h"
#include "hd_l2_mshr_dut.h"
#include "hd_bits.h"
#include "l2_bits.h"

#ifndef P_LaneMasks
#define P_LaneMasks 0
#endif
enum { N = P_Entries, CHAINS = N, LANE_MASKS = P_LaneMasks,
    ROLE_LSB = HD_ASKER_W, LINE_LSB = ROLE_LSB + 2, LANES_LSB = LINE_LSB + P_LineW }; /* fields of an entry */
#define DO(member) HD_PUT(d.do_i, L2_ENTRIES_DO_##member, 1)
#define IS(member) ((bool)HD_GET(d.is_o, L2_ENTRIES_##member))

static struct hd_l2_mshr d;

struct entry {
    uint32_t line;
    unsigned role;
    unsigned src, tid, opid;
    uint32_t lanes;
};

/* The model: chains of entry numbers, oldest first; the head's flags. */
static struct chain {
    unsigned count, idx[N];
    bool recall, wait;
} chains[CHAINS];
static struct entry entries[N];
static bool taken[N];
static unsigned used;

static int setup(void **state)
{
    (void)state;
    hd_l2_mshr_open(&d);
    hd_reset(d.m);
    memset(chains, 0, sizeof chains);
    memset(taken, 0, sizeof taken);
    used = 0;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    hd_close(d.m);
    return 0;
}

static void quiet(void)
{
    *d.do_i = 0;
    *d.cam_en_i = 0;
}

static void edge(void)
{
    hd_eval(d.m); /* the assertions look at settled values */
    hd_edge(d.m);
    quiet();
    hd_eval(d.m);
}

/* Allocates at the end of chain c (a new head if it is empty). */
static unsigned alloc(struct chain *c, uint32_t line, bool recall)
{
    unsigned idx = *d.new_idx_o;
    struct entry e = {line, (unsigned)hd_rand_below(4), (unsigned)hd_rand_below(64), (unsigned)hd_rand_below(256),
                      (unsigned)hd_rand_below(65536), (uint32_t)hd_rand()};

    assert_int_equal(IS(NEW_OK), 1);
    assert_true(idx < N && !taken[idx]);
    taken[idx] = true;
    used++;
    DO(ALLOC), HD_PUT(d.do_i, L2_ENTRIES_DO_CHAIN, c->count > 0), HD_PUT(d.do_i, L2_ENTRIES_DO_RECALL, recall);
    *d.chain_head_i = (uint8_t)(c->count ? c->idx[0] : hd_rand_below(N));
    hd_bits_put(d.new_i, 0, HD_ASKER_W, l2_asker(e.src, e.tid, e.opid));
    hd_bits_put(d.new_i, ROLE_LSB, 2, e.role);
    hd_bits_put(d.new_i, LINE_LSB, P_LineW, line);
    hd_bits_put(d.new_i, LANES_LSB, 32, e.lanes);
    entries[idx] = e;
    if (c->count == 0)
        c->recall = recall, c->wait = false;
    c->idx[c->count++] = idx;
    edge();
    return idx;
}

static void check_entry(const struct chain *c, unsigned place)
{
    unsigned idx = c->idx[place];
    const struct entry *e = &entries[idx];

    *d.idx_i = *d.txn_i = (uint8_t)idx;
    hd_eval(d.m);
    assert_int_equal(hd_bits_get(d.entry_o, LINE_LSB, P_LineW), e->line);
    assert_int_equal(hd_bits_get(d.entry_o, ROLE_LSB, 2), e->role);
    assert_int_equal(hd_bits_get(d.entry_o, 0, HD_ASKER_W), l2_asker(e->src, e->tid, e->opid));
    assert_int_equal(hd_bits_get(d.entry_o, LANES_LSB, 32), LANE_MASKS ? e->lanes : 0);
    assert_int_equal(IS(RECALL), place == 0 && c->recall);
    assert_int_equal(IS(TXN_WAIT), place == 0 && c->wait);
    assert_int_equal(IS(NEXT_OK), place + 1 < c->count);
    if (place + 1 < c->count)
        assert_int_equal(*d.next_o, c->idx[place + 1]);
}

static void free_head(struct chain *c)
{
    *d.idx_i = (uint8_t)c->idx[0];
    DO(FREE);
    taken[c->idx[0]] = false;
    used--;
    memmove(c->idx, c->idx + 1, sizeof c->idx - sizeof *c->idx);
    c->count--;
    c->recall = c->wait = false;
    edge();
}

static void a_chain_is_served_in_arrival_order(void **state)
{
    (void)state;
    for (unsigned i = 0; i < N; i++)
        alloc(&chains[0], 7, false);
    assert_int_equal(IS(NEW_OK), 0);
    for (unsigned i = 0; i < N; i++) {
        check_entry(&chains[0], 0);
        free_head(&chains[0]);
    }
    assert_int_equal(IS(NEW_OK), 1);
    assert_int_equal(hd_assert_failures(d.m), 0);
}

static void the_cam_sees_only_lines_that_wait_for_a_way(void **state)
{
    unsigned idx = alloc(&chains[0], 9, true);

    (void)state;
    *d.cam_line_i = 9;
    hd_eval(d.m);
    assert_int_equal(IS(CAM_HIT), 0); /* not asked */
    *d.cam_en_i = 1;
    hd_eval(d.m);
    assert_int_equal(IS(CAM_HIT), 1);
    assert_int_equal(*d.cam_idx_o, idx);
    *d.cam_line_i = 8;
    hd_eval(d.m);
    assert_int_equal(IS(CAM_HIT), 0);
    *d.idx_i = (uint8_t)idx;
    DO(RECALL_CLR);
    edge();
    *d.cam_en_i = 1;
    *d.cam_line_i = 9;
    hd_eval(d.m);
    assert_int_equal(IS(CAM_HIT), 0);
    assert_int_equal(hd_assert_failures(d.m), 0);
}

static void misuse_trips_assertions(void **state)
{
    (void)state;
    if (!hd_has_asserts(d.m))
        return;
    alloc(&chains[0], 3, true);
    free_head(&chains[0]); /* while it has no way */
    assert_true(hd_assert_failures(d.m) > 0);
    hd_assert_clear(d.m);
    DO(TXN_CLR); /* nobody waits */
    edge();
    assert_true(hd_assert_failures(d.m) > 0);
    hd_assert_clear(d.m);
}

static void random_chains_match_the_model(void **state)
{
    unsigned full = 0, empty = 0, longest = 0, waits = 0, cam_hits = 0;
    uint32_t high = P_LineW > 6 ? UINT32_C(0x3fff00) : 0; /* bits that only the wide one has */

    (void)state;
    for (unsigned cycle = 0; cycle < 40000; cycle++) {
        unsigned k = (unsigned)hd_rand_below(CHAINS);
        struct chain *c = &chains[k];
        bool filling = cycle / 256 % 2, draining = !filling && cycle / 128 % 2;

        full += used == N, empty += used == 0;
        assert_int_equal(IS(NEW_OK), used < N);
        if (c->count) {
            check_entry(c, (unsigned)hd_rand_below(c->count));
            longest = c->count > longest ? c->count : longest;
        }
        *d.cam_en_i = 1;
        *d.cam_line_i = (__typeof__(*d.cam_line_i))(high | k);
        hd_eval(d.m);
        assert_int_equal(IS(CAM_HIT), c->count && c->recall);
        if (IS(CAM_HIT)) {
            assert_int_equal(*d.cam_idx_o, c->idx[0]);
            cam_hits++;
        }
        *d.cam_en_i = 0;
        if (used < N && !draining && hd_rand_below(16) < (filling ? 12u : 1u)) {
            if (hd_rand_below(2)) /* long chains too */
                c = &chains[k = 0];
            alloc(c, high | k, c->count == 0 && hd_rand_below(2));
        } else if (c->count && c->recall) {
            *d.idx_i = (uint8_t)c->idx[0];
            c->recall = hd_rand_below(2);
            HD_PUT(d.do_i, L2_ENTRIES_DO_RECALL_CLR, !c->recall);
            edge();
        } else if (c->count && c->wait) {
            *d.txn_i = (uint8_t)c->idx[0];
            DO(TXN_CLR);
            c->wait = false;
            edge();
        } else if (c->count && hd_rand_below(4) == 0) {
            *d.idx_i = (uint8_t)c->idx[0];
            DO(WAIT_SET);
            c->wait = true;
            waits++;
            edge();
        } else if (c->count && !filling) {
            free_head(c);
        }
    }
    assert_true(full > 200 && empty > 20 && longest >= (N + 1) / 2 && waits > 200 && cam_hits > 200);
    assert_int_equal(hd_assert_failures(d.m), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_chain_is_served_in_arrival_order, setup, teardown),
        cmocka_unit_test_setup_teardown(the_cam_sees_only_lines_that_wait_for_a_way, setup, teardown),
        cmocka_unit_test_setup_teardown(misuse_trips_assertions, setup, teardown),
        cmocka_unit_test_setup_teardown(random_chains_match_the_model, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, tests);
}
