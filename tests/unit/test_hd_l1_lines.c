/* test_hd_l1_lines.c - the line a decision is about, evictions, fills and states, against lists of lines in C. */
/* dut: hd_l1_lines Sets=2 Ways=2 LineW=4 */
/* dut: hd_l1_lines Sets=4 Ways=4 LineW=7 */
/* dut-rtl: hd_l1_lines Sets=64 Ways=4 LineW=25 */
#include "hd_unit.h"
#include "hd_l1_lines_dut.h"
#include "hd_bits.h"

enum { SETS = P_Sets, WAYS = P_Ways, LINE_W = P_LineW, NOTHING = 0, RP, DN, FR, FL };

static struct hd_l1_lines d;

/* Ways of the sets, and their numbers from the most to the least recently used. */
static struct {
    unsigned state[WAYS], order[WAYS];
    uint32_t line[WAYS];
} set[SETS];

/* What the last edge has told. */
static struct {
    bool valid;
    uint32_t line;
    unsigned state;
} st;

static unsigned counts[5], evicted[4], filled, refilled, walked[4], hits, misses, touched;

static int setup(void **state)
{
    (void)state;
    memset(set, 0, sizeof set);
    memset(&st, 0, sizeof st);
    for (unsigned i = 0; i < SETS; i++)
        for (unsigned w = 0; w < WAYS; w++)
            set[i].order[w] = w;
    hd_l1_lines_open(&d);
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

static unsigned way_of(uint32_t line)
{
    for (unsigned w = 0; w < WAYS; w++)
        if (set[line % SETS].state[w] != HD_ST_I && set[line % SETS].line[w] == line)
            return w;
    return WAYS;
}

/* The way a new line takes, and whether it is free. */
static unsigned victim(unsigned s, bool *is_free)
{
    for (unsigned w = 0; w < WAYS; w++) {
        *is_free = set[s].state[w] == HD_ST_I;
        if (*is_free)
            return w;
    }
    return set[s].order[WAYS - 1];
}

static void touch(unsigned s, unsigned way)
{
    unsigned i = 0;

    while (set[s].order[i] != way)
        i++;
    for (; i > 0; i--)
        set[s].order[i] = set[s].order[i - 1];
    set[s].order[0] = way;
}

/* One decision about @line, or the walk's step at @row; @brings: a message with data. What it changes is drawn. */
static void cycle(unsigned what, uint32_t line, unsigned row, bool brings)
{
    const unsigned s = what == FL ? row / WAYS : line % SETS, here = way_of(line);
    bool is_free, evict, fill;
    unsigned way = victim(s, &is_free), next, state;
    uint32_t about;

    *d.sel_i = (uint8_t)((what == RP) << 3 | (what == DN) << 2 | (what == FR) << 1 | (what == FL)); /* hd_pkg::l1_sel_s */
    *d.rp_line_i = what == RP ? line : (uint32_t)hd_rand_below(1u << LINE_W);
    *d.dn_line_i = what == DN ? line : (uint32_t)hd_rand_below(1u << LINE_W);
    hd_bits_put(d.la_line_i, 0, LINE_W, what == FR ? line : hd_rand());
    *d.fl_row_i = (uint8_t)row;
    *d.dn_data_i = brings;
    *d.we_i = *d.touch_i = 0;
    evict = what == FL || (what == DN && brings && here == WAYS && !is_free);
    fill = what == DN && brings && !evict;
    if (what == FL)
        way = row % WAYS;
    else if (!evict && here < WAYS)
        way = here;
    state = evict ? set[s].state[way] : here < WAYS ? set[s].state[here] : HD_ST_I;
    about = evict ? set[s].line[way] : line;
    hd_eval(d.m);
    assert_int_equal(*d.evict_o, evict);
    assert_int_equal(*d.fill_o, fill);
    if (what != NOTHING) {
        assert_int_equal(*d.state_o, state);
        if (what != FL)
            assert_int_equal(*d.line_o, line);
        if (!evict || state != HD_ST_I)
            assert_int_equal(*d.about_o, about);
        if (evict || fill || here < WAYS)
            assert_int_equal(*d.row_o, s * WAYS + way);
    }
    assert_int_equal(*d.st_valid_o, st.valid);
    if (st.valid) {
        assert_int_equal(*d.st_line_o, st.line);
        assert_int_equal(*d.st_state_o, st.state);
    }

    next = evict ? HD_ST_I : fill ? 1 + (unsigned)hd_rand_below(3) : (unsigned)hd_rand_below(4);
    *d.we_i = what != NOTHING && state != next && (fill || state != HD_ST_I) && (fill || hd_rand_below(2));
    *d.next_i = (uint8_t)next;
    *d.touch_i = fill || (what != NOTHING && !evict && here < WAYS && hd_rand_below(2));
    counts[what]++;
    evicted[state] += evict && what == DN;
    walked[state] += evict && what == FL;
    filled += fill && here == WAYS;
    refilled += fill && here < WAYS;
    hits += (what == RP || what == FR) && here < WAYS;
    misses += (what == RP || what == FR) && here == WAYS;
    st.valid = *d.we_i;
    st.line = about;
    st.state = next;
    if (*d.we_i) {
        set[s].state[way] = next;
        set[s].line[way] = about;
    }
    if (*d.touch_i) {
        touch(s, way);
        touched++;
    }
    hd_edge(d.m);
}

static void a_full_set_gives_its_least_recently_used_line_first(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WAYS; i++)
        cycle(DN, i * SETS, 0, true);
    while (set[0].order[0] != 0) /* the first is used again */
        cycle(FR, 0, 0, false);
    if (set[0].state[0] == HD_ST_I) /* ... and was dropped by chance */
        cycle(DN, 0, 0, true);
    cycle(DN, WAYS * SETS, 0, true);
    cycle(DN, WAYS * SETS, 0, true);
    assert_true(way_of(0) < WAYS || set[0].order[WAYS - 1] == 0);
}

static void random_decisions_match(void **state)
{
    (void)state;
    for (unsigned t = 0; t < 40000; t++) {
        const uint32_t line = (uint32_t)hd_rand_below(SETS < 8 ? 1u << LINE_W : 2048) & ((1u << LINE_W) - 1);
        const unsigned dice = (unsigned)hd_rand_below(16);

        cycle(dice < 2 ? NOTHING : dice < 5 ? RP : dice < 10 ? DN : dice < 15 ? FR : FL, line,
              (unsigned)hd_rand_below(SETS * WAYS), hd_rand_below(3) != 0);
    }
    for (unsigned i = 0; i < 5; i++)
        assert_true(counts[i] > 1000);
    assert_int_equal(evicted[HD_ST_I], 0);
    for (unsigned i = 1; i < 4; i++)
        assert_true(evicted[i] > 100 && walked[i] > 50);
    assert_true(walked[HD_ST_I] > 50 && filled > 500 && refilled > 100 && hits > 500 && misses > 500 && touched > 1000);
}

static void two_decisions_at_once_trip_an_assertion(void **state)
{
    (void)state;
    if (!hd_has_asserts(d.m))
        return;
    *d.sel_i = 1 << 3 | 1 << 1;
    hd_edge(d.m);
    assert_true(hd_assert_failures(d.m) > 0);
    hd_assert_clear(d.m);
}

int main(int argc, char **argv)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest t[] = {
        CASE(a_full_set_gives_its_least_recently_used_line_first),
        CASE(random_decisions_match),
        CASE(two_decisions_at_once_trip_an_assertion),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
