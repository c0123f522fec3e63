/* test_hd_l1_tags.c - lookup, victim choice and LRU order against lists with time stamps. */
/* dut: hd_l1_tags Sets=4 Ways=2 TagW=3 */
/* dut: hd_l1_tags Sets=2 Ways=3 TagW=3 */
/* dut: hd_l1_tags Sets=1 Ways=8 TagW=5 */
/* dut: hd_l1_tags Sets=2 Ways=1 TagW=2 */
/* dut: hd_l1_tags Sets=64 Ways=4 TagW=19 */
#include "hd_unit.h"
#include "hd_l1_tags_dut.h"
#include "hd_bits.h"

enum { SETS = P_Sets, WAYS = P_Ways, TAG_W = P_TagW, NONE = -1 };

struct way {
    unsigned state, tag;
    uint64_t used; /* time of the last touch */
};

static struct hd_l1_tags d;
static struct way cache[SETS][WAYS];
static uint64_t now;
static unsigned mix; /* bits that tags differ in from those of another time */

/* All ways are invalid, the first one was used last, whatever else was to be written. */
static void reset(void)
{
    hd_reset(d.m);
    *d.rst_i = *d.valid_i = *d.we_i = *d.touch_i = 1;
    *d.we_way_i = *d.touch_way_i = WAYS - 1;
    *d.we_state_i = HD_ST_M;
    hd_edge(d.m);
    *d.rst_i = *d.valid_i = *d.we_i = *d.touch_i = 0;
    hd_eval(d.m);
    memset(cache, 0, sizeof cache);
    for (unsigned set = 0; set < SETS; set++)
        for (unsigned w = 0; w < WAYS; w++)
            cache[set][w].used = WAYS - w;
    now = WAYS;
}

static void begin(void)
{
    hd_l1_tags_open(&d);
    mix = (unsigned)hd_rand();
    reset();
}

static void end(void)
{
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static unsigned tag_of(unsigned n)
{
    return (n * 0x9241u ^ mix) & ((1u << TAG_W) - 1); /* one to one, and uses the high bits */
}

static int find(unsigned set, unsigned tag)
{
    for (int w = 0; w < WAYS; w++)
        if (cache[set][w].state != HD_ST_I && cache[set][w].tag == tag)
            return w;
    return NONE;
}

/* The way to replace: NONE when any invalid one may be taken. */
static int find_victim(unsigned set)
{
    int oldest = 0;

    for (int w = 0; w < WAYS; w++) {
        if (cache[set][w].state == HD_ST_I)
            return NONE;
        if (cache[set][w].used < cache[set][oldest].used)
            oldest = w;
    }
    return oldest;
}

/* Presents set and tag (@force: a way, or NONE) and compares every answer with the model. @return the way
 * of a hit or NONE; *victim: the way the module offers. */
static int look_up(unsigned set, unsigned tag, int force, unsigned *victim)
{
    const int way = find(set, tag), oldest = find_victim(set);
    const struct way *v;

    *d.valid_i = 1;
    hd_bits_put(d.set_i, 0, HD_L1_TAGS_W_set_i, set);
    hd_bits_put(d.tag_i, 0, TAG_W, tag);
    *d.force_i = force != NONE;
    *d.force_way_i = force != NONE ? (uint8_t)force : 0;
    hd_eval(d.m);
    assert_int_equal(*d.hit_o, way != NONE);
    assert_int_equal(*d.state_o, way != NONE ? cache[set][way].state : HD_ST_I);
    if (way != NONE)
        assert_int_equal(*d.way_o, way);
    *victim = *d.vict_way_o;
    assert_in_range(*victim, 0, WAYS - 1);
    v = &cache[set][*victim];
    if (force != NONE) {
        assert_int_equal(*victim, force);
    } else {
        assert_int_equal(*d.free_o, oldest == NONE);
        if (oldest == NONE)
            assert_int_equal(v->state, HD_ST_I);
        else
            assert_int_equal(*victim, oldest);
    }
    assert_int_equal(*d.vict_state_o, v->state);
    if (v->state != HD_ST_I)
        assert_int_equal(hd_bits_get(d.vict_tag_o, 0, TAG_W), v->tag);
    return way;
}

/* In the cycle of a look_up(): writes tag and state of a way. */
static void write_way(unsigned set, unsigned way, unsigned tag, unsigned st)
{
    *d.we_i = 1;
    *d.we_way_i = (uint8_t)way;
    hd_bits_put(d.we_tag_i, 0, TAG_W, tag);
    *d.we_state_i = (uint8_t)st;
    cache[set][way].tag = tag;
    cache[set][way].state = st;
}

static void touch_way(unsigned set, unsigned way)
{
    *d.touch_i = 1;
    *d.touch_way_i = (uint8_t)way;
    cache[set][way].used = ++now;
}

static void clock_edge(void)
{
    hd_edge(d.m);
    *d.valid_i = 0;
    *d.we_i = 0;
    *d.touch_i = 0;
    *d.force_i = 0;
    hd_eval(d.m);
}

static void install(unsigned set, unsigned tag, unsigned st)
{
    unsigned victim;

    look_up(set, tag, NONE, &victim);
    write_way(set, victim, tag, st);
    touch_way(set, victim);
    clock_edge();
}

static void after_reset_everything_is_invalid(void **state)
{
    unsigned victim;

    (void)state;
    begin();
    for (unsigned set = 0; set < SETS; set++)
        for (unsigned w = 0; w < WAYS; w++)
            install(set, tag_of(w), HD_ST_M);
    reset();
    for (unsigned set = 0; set < SETS; set++)
        for (unsigned w = 0; w < WAYS; w++)
            assert_int_equal(look_up(set, tag_of(w), NONE, &victim), NONE);
    for (unsigned set = 0; set < SETS; set++) {
        for (unsigned w = 0; w < WAYS; w++) { /* not touched: used in the order after a reset */
            look_up(set, tag_of(w), NONE, &victim);
            write_way(set, victim, tag_of(w), HD_ST_S);
            clock_edge();
        }
        for (unsigned w = 0; w < WAYS; w++) {
            look_up(set, tag_of(WAYS), NONE, &victim);
            touch_way(set, victim);
            clock_edge();
        }
    }
    end();
}

static void free_ways_are_filled_before_a_line_is_replaced(void **state)
{
    unsigned victim;

    (void)state;
    begin();
    for (unsigned w = 0; w < WAYS; w++) {
        look_up(0, tag_of(w), NONE, &victim);
        assert_int_equal(*d.free_o, 1);
        install(0, tag_of(w), HD_ST_S);
    }
    look_up(0, tag_of(WAYS), NONE, &victim);
    assert_int_equal(*d.free_o, 0);
    end();
}

static void lines_leave_in_the_order_of_their_last_use(void **state)
{
    unsigned victim, way[WAYS];

    (void)state;
    begin();
    for (unsigned w = 0; w < WAYS; w++)
        install(0, tag_of(w), HD_ST_E);
    for (unsigned w = WAYS; w-- > 0;) { /* use them in the opposite order */
        way[w] = (unsigned)look_up(0, tag_of(w), NONE, &victim);
        touch_way(0, way[w]);
        clock_edge();
    }
    for (unsigned w = WAYS; w-- > 0;) {
        look_up(0, tag_of(WAYS), NONE, &victim);
        assert_int_equal(victim, way[w]);
        touch_way(0, victim);
        clock_edge();
    }
    end();
}

static void the_answer_of_a_cycle_does_not_show_its_own_update(void **state)
{
    unsigned victim;

    (void)state;
    begin();
    look_up(SETS - 1, tag_of(1), NONE, &victim);
    write_way(SETS - 1, victim, tag_of(1), HD_ST_E);
    touch_way(SETS - 1, victim);
    hd_eval(d.m);
    assert_int_equal(*d.hit_o, 0);
    clock_edge();
    assert_int_equal(look_up(SETS - 1, tag_of(1), NONE, &victim), victim);
    end();
}

static void random_traffic_matches_lists_with_time_stamps(void **state)
{
    unsigned hits = 0, installs = 0, replaced = 0, invalidated = 0, forced = 0, both = 0, idle = 0;

    (void)state;
    begin();
    for (unsigned t = 0; t < 40000; t++) {
        if (t % 500 == 0)
            mix = (unsigned)hd_rand();
        const unsigned set = (unsigned)hd_rand_below(SETS);
        const unsigned tag = tag_of((unsigned)hd_rand_below(WAYS + 2));
        const unsigned st = (unsigned)(HD_ST_S + hd_rand_below(3));
        const bool calm = t / 1000 % 2; /* nothing is dropped: sets become full */
        const int force = calm || hd_rand_below(8) ? NONE : (int)hd_rand_below(WAYS);
        unsigned victim;
        int way;

        if (hd_rand_below(8) == 0) { /* no lookup: whatever lies on the other inputs, nothing changes */
            hd_bits_put(d.set_i, 0, HD_L1_TAGS_W_set_i, set);
            hd_bits_put(d.tag_i, 0, TAG_W, tag);
            hd_eval(d.m);
            assert_int_equal(*d.hit_o, 0);
            clock_edge();
            idle++;
            continue;
        }
        way = look_up(set, tag, force, &victim);
        if (force != NONE) { /* a flush step drops the way */
            if (hd_rand_below(2))
                write_way(set, victim, cache[set][victim].tag, HD_ST_I);
            forced++;
        } else if (way != NONE) {
            hits++;
            if (!calm && hd_rand_below(4) == 0) {
                write_way(set, (unsigned)way, tag, HD_ST_I);
                invalidated++;
            } else if (hd_rand_below(2)) {
                write_way(set, (unsigned)way, tag, st);
            }
            if (hd_rand_below(2)) { /* also another way than the one that is written */
                const unsigned other = hd_rand_below(4) ? (unsigned)way : (unsigned)hd_rand_below(WAYS);

                both += *d.we_i && other != (unsigned)way;
                touch_way(set, other);
            }
        } else if (hd_rand_below(2)) {
            installs++;
            replaced += cache[set][victim].state != HD_ST_I;
            write_way(set, victim, tag, st);
            touch_way(set, victim);
        }
        clock_edge();
    }
    assert_true(hits > 1000 && installs > 1000 && replaced > 500 && invalidated > 500);
    assert_true(forced > 1000 && idle > 1000 && (both > 100 || WAYS == 1));
    end();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(after_reset_everything_is_invalid),
        cmocka_unit_test(free_ways_are_filled_before_a_line_is_replaced),
        cmocka_unit_test(lines_leave_in_the_order_of_their_last_use),
        cmocka_unit_test(the_answer_of_a_cycle_does_not_show_its_own_update),
        cmocka_unit_test(random_traffic_matches_lists_with_time_stamps),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
