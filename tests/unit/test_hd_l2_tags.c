/* test_hd_l2_tags.c - tags, directory state and LRU order of an L2 bank against a C model. */
/* dut: hd_l2_tags Sets=2 Ways=2 TagW=4 Sms=3 IdxW=2 */
/* dut: hd_l2_tags Sets=4 Ways=8 TagW=5 Sms=4 IdxW=3 */
#include "hd_unit.h"
#include "hd_l2_tags_dut.h"
#include "hd_bits.h"

enum { SETS = P_Sets, WAYS = P_Ways, TAGS = 1 << P_TagW };

static struct hd_l2_tags d;

#define LINE(member) ((unsigned)HD_GET(d.line_o, L2_LINE_##member))
#define DO(member, value) HD_PUT(d.do_i, L2_WAY_DO_##member, value)
#define DOES(member) ((bool)HD_GET(d.do_i, L2_WAY_DO_##member))
/* Fields of what a way holds. */
#define SHARERS 0, P_Sms
#define TXN P_Sms, P_IdxW
#define TAG P_Sms + P_IdxW, P_TagW
#define HOLDS(field) ((unsigned)hd_bits_get(d.holds_o, field))
#define KEEP(field, value) hd_bits_put(d.holds_i, field, value)
#define KEPT(field) ((unsigned)hd_bits_get(d.holds_i, field))

/* ages: how many ways of the set were used later */
static struct way {
    bool valid, lock, recall, dirty, excl, dir_known, txn_known;
    unsigned tag, sharers, txn, age;
} ways[SETS][WAYS];
static bool seen[SETS];

static int setup(void **state)
{
    (void)state;
    hd_l2_tags_open(&d);
    hd_reset(d.m);
    memset(ways, 0, sizeof ways);
    memset(seen, 0, sizeof seen);
    for (unsigned s = 0; s < SETS; s++) {
        for (unsigned w = 0; w < WAYS; w++)
            ways[s][w].age = w;
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    hd_close(d.m);
    return 0;
}

static void touch(unsigned set, unsigned way)
{
    for (unsigned w = 0; w < WAYS; w++)
        ways[set][w].age += ways[set][w].age < ways[set][way].age;
    ways[set][way].age = 0;
}

static void no_writes(void)
{
    DO(TAG_WE, 0), DO(DIR_WE, 0), DO(TXN_WE, 0), DO(TOUCH, 0);
}

static void look(unsigned set, unsigned tag)
{
    no_writes();
    *d.en_i = 1;
    *d.way_known_i = 0;
    *d.num_i = (uint8_t)(tag * SETS + set);
    hd_eval(d.m);
}

/* A line with that tag comes into the way the lookup chose. */
static unsigned install(unsigned set, unsigned tag, bool lock)
{
    unsigned way;

    look(set, tag);
    assert_int_equal(LINE(OK), 1);
    way = *d.way_o;
    DO(TAG_WE, 1), DO(VALID, 1), DO(TOUCH, 1);
    DO(LOCK, lock);
    DO(RECALL, 0);
    KEEP(TAG, tag);
    hd_edge(d.m);
    no_writes();
    return way;
}

static void an_unused_set_is_empty_and_fills_without_replacing(void **state)
{
    unsigned used = 0;

    (void)state;
    for (unsigned w = 0; w < WAYS; w++) {
        look(1, w);
        assert_int_equal(LINE(HIT), 0);
        assert_int_equal(LINE(VALID), 0);
        used |= 1u << install(1, w, false);
    }
    assert_int_equal(used, (1u << WAYS) - 1);
    for (unsigned w = 0; w < WAYS; w++) {
        look(1, w);
        assert_int_equal(LINE(HIT), 1);
        look(0, w);
        assert_int_equal(LINE(HIT), 0);
    }
    assert_int_equal(hd_assert_failures(d.m), 0);
}

static void the_victim_is_the_oldest_unlocked_way(void **state)
{
    unsigned first, second;

    (void)state;
    first = install(0, 0, false);
    second = install(0, 1, false);
    for (unsigned w = 2; w < WAYS; w++)
        install(0, w, false);
    look(0, 15);
    assert_int_equal(*d.way_o, first);
    install(0, 0, true); /* a hit: locks and touches it */
    look(0, 15);
    assert_int_equal(*d.way_o, second);
    for (unsigned w = 1; w < WAYS; w++)
        install(0, w, true);
    look(0, 15);
    assert_int_equal(LINE(OK), 0); /* every way is locked */
    assert_int_equal(LINE(HIT), 0);
    look(0, 1);
    assert_int_equal(LINE(OK), 1);
    assert_int_equal(hd_assert_failures(d.m), 0);
}

static void disabled_it_says_nothing(void **state)
{
    (void)state;
    install(0, 3, true);
    look(0, 3);
    DO(TAG_WE, 1), DO(RECALL, 1); /* valid and locked as it is */
    hd_edge(d.m);
    look(0, 3);
    assert_int_equal(*d.recall_any_o, 1);
    *d.en_i = 0;
    for (*d.way_known_i = 0; *d.way_known_i < 2; ++*d.way_known_i) {
        hd_eval(d.m);
        assert_int_equal(LINE(HIT) | LINE(OK) | LINE(VALID) | LINE(LOCK) | LINE(RECALL) | *d.recall_any_o | HOLDS(TAG), 0);
    }
}

/* The first write of a set after it empties the other ways, of which the memory still holds the lines of before. */
static void after_a_reset_every_set_is_empty(void **state)
{
    (void)state;
    for (unsigned set = 0; set < SETS; set++)
        for (unsigned w = 0; w < WAYS; w++)
            install(set, w, true);
    hd_reset(d.m);
    for (unsigned set = 0; set < SETS; set++) {
        for (unsigned w = 0; w < WAYS; w++) {
            look(set, w);
            assert_int_equal(LINE(HIT) | LINE(VALID) | LINE(LOCK), 0);
            assert_int_equal(LINE(OK), 1);
        }
        *d.way_known_i = 1, DO(TAG_WE, 1), DO(VALID, 1), DO(TOUCH, 1);
        *d.way_i = (uint8_t)(set % WAYS);
        DO(LOCK, 0), DO(RECALL, 0);
        KEEP(TAG, WAYS);
        hd_edge(d.m);
        for (unsigned w = 0; w <= WAYS; w++) {
            look(set, w);
            assert_int_equal(LINE(HIT), w == WAYS);
        }
    }
    assert_int_equal(hd_assert_failures(d.m), 0);
}

static void misuse_trips_assertions(void **state)
{
    (void)state;
    if (!hd_has_asserts(d.m))
        return;
    no_writes();
    *d.en_i = 0;
    DO(DIR_WE, 1); /* without a lookup */
    hd_edge(d.m);
    assert_true(hd_assert_failures(d.m) > 0);
    hd_assert_clear(d.m);
    look(1, 0);
    DO(TAG_WE, 1); /* first write of the set without touch */
    hd_edge(d.m);
    assert_true(hd_assert_failures(d.m) > 0);
    hd_assert_clear(d.m);
}

static void random_lookups_and_writes_match_the_model(void **state)
{
    unsigned hits = 0, misses = 0, no_way = 0, known = 0, empty = 0, recalls = 0;

    (void)state;
    for (unsigned cycle = 0; cycle < 30000; cycle++) {
        unsigned set = (unsigned)hd_rand_below(SETS), tag = (unsigned)hd_rand_below(TAGS), way = 0, hit_way = WAYS;
        bool way_known = hd_rand_below(4) == 0, ok, recall_any = false;
        struct way *w;

        for (unsigned i = 0; i < WAYS; i++) {
            if (ways[set][i].valid && ways[set][i].tag == tag)
                hit_way = i;
            recall_any |= ways[set][i].recall;
        }
        ok = true;
        if (way_known) {
            way = (unsigned)hd_rand_below(WAYS);
        } else if (hit_way < WAYS) {
            way = hit_way;
        } else {
            unsigned best = WAYS;
            for (unsigned i = 0; i < WAYS; i++) {
                if (!ways[set][i].valid && !ways[set][i].lock && best == WAYS)
                    best = i;
            }
            empty += best < WAYS;
            if (best == WAYS) {
                for (unsigned i = 0; i < WAYS; i++) {
                    if (!ways[set][i].lock && (best == WAYS || ways[set][i].age > ways[set][best].age))
                        best = i;
                }
            }
            ok = best < WAYS;
            way = ok ? best : 0;
        }
        w = &ways[set][way];
        look(set, tag);
        *d.way_known_i = way_known;
        *d.way_i = (uint8_t)(way_known ? way : hd_rand_below(WAYS));
        hd_eval(d.m);
        assert_int_equal(LINE(HIT), hit_way < WAYS);
        assert_int_equal(LINE(OK), ok);
        assert_int_equal(*d.recall_any_o, recall_any);
        hits += hit_way < WAYS, misses += hit_way == WAYS, no_way += !ok, known += way_known, recalls += recall_any;
        if (ok) {
            assert_int_equal(*d.way_o, way);
            assert_int_equal(LINE(VALID), w->valid);
            assert_int_equal(LINE(LOCK), w->lock);
            assert_int_equal(LINE(RECALL), w->recall);
            if (w->valid)
                assert_int_equal(HOLDS(TAG), w->tag);
            if (w->dir_known) {
                assert_int_equal(LINE(DIRTY), w->dirty);
                assert_int_equal(LINE(EXCL), w->excl);
                assert_int_equal(HOLDS(SHARERS), w->sharers);
            }
            if (w->txn_known)
                assert_int_equal(HOLDS(TXN), w->txn);
        } else {
            hd_edge(d.m);
            if (hd_rand_below(8) == 0) { /* unlock one, else nothing ever goes on */
                way_known = true;
                way = (unsigned)hd_rand_below(WAYS);
                *d.way_known_i = 1;
                *d.way_i = (uint8_t)way;
                hd_eval(d.m);
                w = &ways[set][way];
            } else {
                continue;
            }
        }
        DO(TOUCH, !seen[set] || hd_rand_below(2));
        DO(TAG_WE, hd_rand_below(2));
        DO(DIR_WE, hd_rand_below(2));
        DO(TXN_WE, hd_rand_below(2));
        DO(VALID, hd_rand_below(8) > 0);
        DO(LOCK, hd_rand_below(8) > 4);
        DO(RECALL, hd_rand_below(8) == 0);
        KEEP(TAG, hit_way < WAYS && hit_way != way ? w->tag : tag); /* no tag twice */
        if (hit_way < WAYS && hit_way != way && !w->valid)
            DO(VALID, 0);
        DO(DIRTY, hd_rand_below(2));
        DO(EXCL, hd_rand_below(2));
        KEEP(SHARERS, hd_rand_below(1u << P_Sms));
        KEEP(TXN, hd_rand_below(1u << P_IdxW));
        if (DOES(TOUCH) && !DOES(TAG_WE) && !seen[set])
            DO(TOUCH, 0); /* a set is first written by tag and touch together */
        if (DOES(TAG_WE)) {
            w->valid = DOES(VALID), w->lock = DOES(LOCK), w->recall = DOES(RECALL), w->tag = KEPT(TAG);
            seen[set] = true;
        }
        if (DOES(DIR_WE))
            w->dirty = DOES(DIRTY), w->excl = DOES(EXCL), w->sharers = KEPT(SHARERS), w->dir_known = true;
        if (DOES(TXN_WE))
            w->txn = KEPT(TXN), w->txn_known = true;
        if (DOES(TOUCH))
            touch(set, way);
        hd_edge(d.m);
        no_writes();
    }
    assert_true(hits > 500 && misses > 500 && no_way > 20 && known > 500 && empty > 100 && recalls > 500);
    assert_int_equal(hd_assert_failures(d.m), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_unused_set_is_empty_and_fills_without_replacing, setup, teardown),
        cmocka_unit_test_setup_teardown(the_victim_is_the_oldest_unlocked_way, setup, teardown),
        cmocka_unit_test_setup_teardown(disabled_it_says_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(after_a_reset_every_set_is_empty, setup, teardown),
        cmocka_unit_test_setup_teardown(misuse_trips_assertions, setup, teardown),
        cmocka_unit_test_setup_teardown(random_lookups_and_writes_match_the_model, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, tests);
}
