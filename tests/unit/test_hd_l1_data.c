/* test_hd_l1_data.c - data array of an L1 against lines in C, checked in every cycle. */
/* equiv: Rows=2 Lanes=2 LineWords=2 WordW=32 */
/* dut: hd_l1_data Rows=4 Lanes=4 LineWords=8 WordW=32 */
/* dut: hd_l1_data Rows=2 Lanes=8 LineWords=4 WordW=64 */
/* dut: hd_l1_data Rows=256 Lanes=32 LineWords=32 WordW=32 */
/* dut-rtl: hd_l1_data Rows=4 Lanes=64 LineWords=16 WordW=64 */
#include "hd_unit.h"
#include "hd_l1_data_dut.h"
#include "hd_access.h"

enum {
    ROWS = P_Rows,
    LANES = P_Lanes,
    WORDS = P_LineWords,
    W = P_WordW,
    OFF_W = (HD_L1_DATA_W_place_i - LANES - P_LineWords) / LANES,
};
enum what { NOTHING, LOAD, STORE, ATOMIC, FILL, READ, KINDS };

/* An action as it was started, and what must come out of it. */
struct action {
    enum what what;
    unsigned warp, slot, lanes;
    uint64_t mask;
    uint64_t words[LANES]; /* the lanes' words before it */
    uint64_t line[WORDS];  /* READ: the line */
    bool last;
};

static struct hd_l1_data d;
static uint64_t lines[ROWS][WORDS];
static struct action stage;      /* started, not yet performed */
static unsigned stage_cycles;    /* cycles until it is performed; 1 = in this cycle (G) */
static struct action done;       /* performed in the last cycle: now in the completion registers */

/* Starts nothing; inputs that do not belong to the action of a cycle are random. */
static void scramble_inputs(void)
{
    *d.load_i = 0;
    *d.store_i = 0;
    *d.atomic_i = 0;
    *d.fill_i = 0;
    *d.read_i = 0;
    hd_bits_put(d.row_i, 0, HD_L1_DATA_W_row_i, hd_rand_below(ROWS));
    hd_bits_random(d.acc_i, HD_ACCESS_W);
    hd_bits_random(d.lanes_i, HD_L1_DATA_W_lanes_i);
    hd_bits_random(d.place_i, HD_L1_DATA_W_place_i);
    hd_bits_random(d.data_i, HD_L1_DATA_W_data_i);
    hd_bits_random(d.cmp_i, LANES * 32);
    hd_bits_random(d.fill_data_i, WORDS * W);
}

static bool is_access(const struct action *a)
{
    return a->what == LOAD || a->what == STORE || a->what == ATOMIC;
}

/* Checked builds (words with a ghost) see the old words of stores, too. */
static bool returns_words(const struct action *a)
{
    return a->what == LOAD || a->what == ATOMIC || (a->what == STORE && W > 32);
}

/* Presents an action on a row over scrambled inputs, and applies it to the lines in C. */
static void start(enum what what, unsigned row)
{
    uint64_t *line = lines[row];
    uint32_t off[LANES], wmask;
    const struct hd_access acc = hd_access_unpack(hd_bits_get(d.acc_i, 0, HD_ACCESS_W));
    unsigned fn;

    hd_bits_put(d.row_i, 0, HD_L1_DATA_W_row_i, row);
    stage.what = what;
    stage.warp = acc.warp;
    stage.slot = acc.slot | acc.tag << HD_SLOT_W;
    stage.mask = hd_bits_random_mask(LANES);
    stage.lanes = hd_bits_count(stage.mask);
    fn = (unsigned)hd_rand_below(HD_AMO_FUNCTIONS);
    hd_bits_put(d.acc_i, HD_ACCESS_FN_LSB, HD_ACCESS_FN_W, fn);
    *d.lanes_i = (uint8_t)stage.lanes;
    hd_bits_put(d.place_i, HD_L1_DATA_W_place_i - LANES, LANES, stage.mask);
    wmask = (uint32_t)hd_bits_get(d.place_i, 0, WORDS);
    for (unsigned i = 0; i < LANES; i++) {
        off[i] = (uint32_t)hd_rand_below(WORDS);
        hd_bits_put(d.place_i, WORDS + i * OFF_W, OFF_W, off[i]);
        if (hd_rand_below(2))
            hd_bits_put(d.cmp_i, i * 32, 32, line[off[i]]);
    }
    stage_cycles = what == NOTHING ? 0 : what == ATOMIC ? stage.lanes + 2 : 1;
    switch (what) {
    case LOAD:
        *d.load_i = 1;
        for (unsigned i = 0; i < LANES; i++)
            stage.words[i] = line[off[i]];
        break;
    case STORE:
        *d.store_i = 1;
        for (unsigned i = 0; i < LANES; i++)
            stage.words[i] = line[off[i]];
        for (unsigned i = 0; i < WORDS; i++)
            if (wmask >> i & 1)
                line[i] = hd_bits_get(d.data_i, i * W, W);
        break;
    case ATOMIC:
        *d.atomic_i = 1;
        for (unsigned i = 0; i < LANES; i++) {
            const uint64_t operand = hd_bits_get(d.data_i, i * W, W);
            const uint32_t compare = (uint32_t)hd_bits_get(d.cmp_i, i * 32, 32);

            if (!(stage.mask >> i & 1))
                continue;
            stage.words[i] = line[off[i]];
            line[off[i]] = (operand & ~(uint64_t)UINT32_MAX) |
                           hd_amo_reference(fn, (uint32_t)line[off[i]], (uint32_t)operand, compare);
        }
        break;
    case FILL:
        *d.fill_i = 1;
        for (unsigned i = 0; i < WORDS; i++)
            line[i] = hd_bits_get(d.fill_data_i, i * W, W);
        break;
    case READ:
        *d.read_i = 1;
        memcpy(stage.line, line, sizeof stage.line);
        break;
    default: break;
    }
}

/* Checks all outputs of a cycle; @in_flight is performed in @cycles cycles, 1 = this one, 0 = it has been. */
static void check_outputs(const struct action *in_flight, unsigned cycles)
{
    const bool performs = is_access(in_flight) && cycles == 1;

    assert_int_equal(*d.busy_o, in_flight->what == ATOMIC && cycles > 0);
    assert_int_equal(*d.rmw_lane_o, in_flight->what == ATOMIC && cycles > 1 && cycles <= in_flight->lanes + 1);
    assert_int_equal(*d.perf_valid_o, performs);
    if (performs) {
        assert_int_equal(*d.perf_warp_o, in_flight->warp);
        assert_int_equal(*d.perf_slot_o, in_flight->slot & ((1u << HD_L1_DATA_W_perf_slot_o) - 1));
        assert_int_equal(*d.perf_lanes_o, in_flight->lanes);
    }
    if (in_flight->what == READ && cycles == 1)
        for (unsigned i = 0; i < WORDS; i++)
            assert_int_equal(hd_bits_get(d.line_o, i * W, W), in_flight->line[i]);
    assert_int_equal(*d.cpl_valid_o, is_access(&done));
    if (is_access(&done)) {
        assert_int_equal(hd_bits_get(d.cpl_o, 0, HD_COMPLETION_W),
                         done.warp | (done.slot % (1u << HD_SLOT_W)) << HD_COMPLETION_SLOT_LSB |
                             (uint64_t)done.last << HD_COMPLETION_LAST_LSB);
        assert_int_equal(hd_bits_get(d.cpl_mask_o, 0, LANES), done.mask);
        for (unsigned i = 0; i < LANES && returns_words(&done); i++)
            if (done.mask >> i & 1)
                assert_int_equal(hd_bits_get(d.cpl_data_o, i * W, W), done.words[i]);
    }
    assert_int_equal(*d.idle_o, !is_access(&done) && !(is_access(in_flight) && cycles > 0));
}

/* One cycle: checks the outputs, starts @what if the array is not busy. @return whether it was started. */
static bool cycle(enum what what, unsigned row)
{
    struct action in_flight = stage;
    const unsigned cycles = stage_cycles;
    const bool free = *d.busy_o == 0;

    scramble_inputs();
    if (cycles == 0)
        in_flight.what = NOTHING;
    if (free)
        start(what, row);
    in_flight.last = hd_rand_below(2);
    *d.perf_last_i = in_flight.last;
    hd_eval(d.m);
    check_outputs(&in_flight, cycles);
    hd_edge(d.m);
    done.what = NOTHING;
    if (is_access(&in_flight) && cycles == 1)
        done = in_flight;
    if (!free)
        stage_cycles = cycles - 1;
    return free;
}

static void drain(void)
{
    for (unsigned t = 0; t < LANES + 4; t++)
        cycle(NOTHING, 0);
    assert_int_equal(*d.idle_o, 1);
}

static void begin(void)
{
    hd_l1_data_open(&d);
    hd_reset(d.m);
    stage.what = NOTHING;
    stage_cycles = 0;
    done.what = NOTHING;
    for (unsigned row = 0; row < ROWS; row++)
        cycle(FILL, row);
}

static void end(void)
{
    drain();
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static void every_line_keeps_its_fill(void **state)
{
    (void)state;
    begin();
    for (unsigned row = 0; row < ROWS; row++)
        cycle(READ, row);
    end();
}

static void each_action_sees_the_one_just_before_it(void **state)
{
    (void)state;
    begin();
    for (enum what first = LOAD; first < KINDS; first++) {
        for (enum what second = LOAD; second < KINDS; second++) {
            cycle(first, ROWS - 1);
            while (!cycle(second, ROWS - 1)) {
            }
            while (!cycle(READ, ROWS - 1)) {
            }
            drain();
        }
    }
    end();
}

static void loads_complete_one_a_cycle(void **state)
{
    (void)state;
    begin();
    for (unsigned t = 0; t < 50; t++)
        assert_true(cycle(LOAD, t % ROWS));
    assert_int_equal(*d.perf_valid_o, 1);
    assert_int_equal(*d.cpl_valid_o, 1);
    end();
}

static void random_actions_match_lines_in_c(void **state)
{
    unsigned started[KINDS] = {0}, pairs[KINDS][KINDS] = {{0}};
    enum what before = NOTHING;
    const unsigned rounds = LANES == 32 ? 8000 : 30000;

    (void)state;
    begin();
    for (unsigned t = 0; t < rounds; t++) {
        const enum what what = (enum what)hd_rand_below(KINDS);

        /* few rows, so that actions meet on one */
        if (!cycle(what, hd_rand_below(8) ? (unsigned)hd_rand_below(2) : (unsigned)hd_rand_below(ROWS)))
            continue;
        started[what]++;
        pairs[before][what]++;
        before = what;
    }
    for (enum what a = NOTHING; a < KINDS; a++) {
        assert_true(started[a] > 50);
        for (enum what b = NOTHING; b < KINDS; b++)
            assert_true(pairs[a][b] > 3);
    }
    for (unsigned row = 0; row < ROWS; row++)
        while (!cycle(READ, row)) {
        }
    end();
}

static void reset_ends_an_atomic(void **state)
{
    (void)state;
    begin();
    cycle(ATOMIC, 0);
    cycle(NOTHING, 0);
    hd_reset(d.m);
    assert_int_equal(*d.idle_o, 1);
    assert_int_equal(*d.busy_o, 0);
    stage_cycles = 0;
    done.what = NOTHING;
    cycle(FILL, 0);
    cycle(READ, 0);
    end();
}

static void two_actions_in_one_cycle_fire_the_assertion(void **state)
{
    (void)state;
    begin();
    drain();
    if (hd_has_asserts(d.m)) {
        *d.load_i = 1;
        *d.read_i = 1;
        hd_edge(d.m);
        assert_true(hd_assert_failures(d.m) > 0);
    }
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(every_line_keeps_its_fill),
        cmocka_unit_test(each_action_sees_the_one_just_before_it),
        cmocka_unit_test(loads_complete_one_a_cycle),
        cmocka_unit_test(random_actions_match_lines_in_c),
        cmocka_unit_test(reset_ends_an_atomic),
        cmocka_unit_test(two_actions_in_one_cycle_fire_the_assertion),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
