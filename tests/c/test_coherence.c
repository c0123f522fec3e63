/* The coherence check passes lawful histories and fails unlawful ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "check/coherence.h"
#include "hd_pkg.h"

enum { SMS = 3, ROOM = 64 };

static struct hd_st_event events[SMS][ROOM];
static struct hd_st_list list[SMS], *lists[SMS];

static int setup(void **state)
{
    for (unsigned i = 0; i < SMS; i++) {
        list[i] = (struct hd_st_list){.event = events[i], .room = ROOM};
        lists[i] = &list[i];
    }
    *state = hd_coherence_new(SMS);
    return *state == NULL;
}

static int teardown(void **state)
{
    hd_coherence_free(*state);
    return 0;
}

static void say(unsigned sm, uint64_t cycle, uint32_t line, uint8_t st)
{
    list[sm].event[list[sm].count++] = (struct hd_st_event){.cycle = cycle, .line = line, .state = st};
}

static void ownership_may_move_and_readers_may_share(void **state)
{
    say(0, 10, 5, HD_ST_E);
    say(0, 11, 5, HD_ST_M);
    say(0, 20, 5, HD_ST_S);
    say(1, 21, 5, HD_ST_S);
    say(2, 22, 5, HD_ST_S);
    say(0, 30, 5, HD_ST_I);
    say(2, 31, 5, HD_ST_I);
    say(1, 40, 5, HD_ST_M);
    assert_true(hd_coherence_window(*state, lists));
    assert_int_equal(hd_coherence_lines_held(*state), 1);
    say(1, 50, 5, HD_ST_I);
    assert_true(hd_coherence_window(*state, lists));
    assert_int_equal(hd_coherence_lines_held(*state), 0);
    assert_int_equal(hd_coherence_lines_seen(*state), 1);
    assert_null(hd_coherence_violation(*state));
}

static void in_one_cycle_losses_come_first(void **state)
{
    say(1, 10, 5, HD_ST_M);
    assert_true(hd_coherence_window(*state, lists));
    say(0, 20, 5, HD_ST_M);
    say(1, 20, 5, HD_ST_I);
    assert_true(hd_coherence_window(*state, lists));
    say(1, 30, 5, HD_ST_S);
    say(0, 30, 5, HD_ST_S);
    assert_true(hd_coherence_window(*state, lists)); /* among equals the SM number decides: 0 gives up M first */
}

static void two_writers_are_found(void **state)
{
    say(2, 10, 7, HD_ST_M);
    say(0, 12, 7, HD_ST_E);
    assert_false(hd_coherence_window(*state, lists));
    assert_non_null(strstr(hd_coherence_violation(*state), "cycle 12: SM 0 takes line 0x7 in E"));
}

static void a_reader_beside_a_writer_is_found_in_a_later_window(void **state)
{
    say(2, 10, 7, HD_ST_M);
    assert_true(hd_coherence_window(*state, lists));
    say(1, 100, 7, HD_ST_S);
    assert_false(hd_coherence_window(*state, lists));
    say(1, 101, 7, HD_ST_I);
    assert_false(hd_coherence_window(*state, lists)); /* it stays found */
    assert_int_equal(list[1].count, 0);
}

static void a_writer_beside_readers_is_found(void **state)
{
    say(0, 10, 9, HD_ST_S);
    say(1, 11, 9, HD_ST_S);
    say(1, 12, 9, HD_ST_M);
    assert_false(hd_coherence_window(*state, lists));
}

static void cycles_order_events_not_lists(void **state)
{
    say(0, 50, 3, HD_ST_M);
    say(2, 10, 3, HD_ST_M);
    say(2, 49, 3, HD_ST_I);
    assert_true(hd_coherence_window(*state, lists));
}

static void the_table_grows(void **state)
{
    for (uint32_t n = 0; n < 100000; n++) {
        say(n % SMS, n, n * 977, HD_ST_M);
        if (list[n % SMS].count == ROOM)
            assert_true(hd_coherence_window(*state, lists));
    }
    assert_true(hd_coherence_window(*state, lists));
    assert_int_equal(hd_coherence_lines_held(*state), 100000);
    say(1, 200000, 0, HD_ST_S); /* SM 0 holds it */
    assert_false(hd_coherence_window(*state, lists));
}

static void each_of_128_caches_is_told_apart(void **state)
{
    enum { ALL = 128 };
    static struct hd_st_event event[ALL][2];
    static struct hd_st_list all[ALL], *of[ALL];
    struct hd_coherence *c = hd_coherence_new(ALL);

    (void)state;
    assert_non_null(c);
    for (unsigned i = 0; i < ALL; i++) {
        all[i] = (struct hd_st_list){.event = event[i], .room = 2};
        of[i] = &all[i];
        event[i][all[i].count++] = (struct hd_st_event){.cycle = i, .line = i % 2, .state = HD_ST_S};
        if (i != 97) /* all but one reader of line 1 go */
            event[i][all[i].count++] = (struct hd_st_event){.cycle = 200 + i, .line = i % 2, .state = HD_ST_I};
    }
    assert_true(hd_coherence_window(c, of));
    assert_int_equal(hd_coherence_lines_held(c), 1);
    event[0][all[0].count++] = (struct hd_st_event){.cycle = 400, .line = 0, .state = HD_ST_M};
    event[33][all[33].count++] = (struct hd_st_event){.cycle = 401, .line = 1, .state = HD_ST_M}; /* 97 - 64 */
    assert_false(hd_coherence_window(c, of));
    assert_string_equal(hd_coherence_violation(c), "cycle 401: SM 33 takes line 0x1 in M while SMs with mask "
                                                   "0x2000000000000000000000000 hold it in S");
    hd_coherence_free(c);
    assert_null(hd_coherence_new(ALL + 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ownership_may_move_and_readers_may_share, setup, teardown),
        cmocka_unit_test_setup_teardown(in_one_cycle_losses_come_first, setup, teardown),
        cmocka_unit_test_setup_teardown(two_writers_are_found, setup, teardown),
        cmocka_unit_test_setup_teardown(a_reader_beside_a_writer_is_found_in_a_later_window, setup, teardown),
        cmocka_unit_test_setup_teardown(a_writer_beside_readers_is_found, setup, teardown),
        cmocka_unit_test_setup_teardown(cycles_order_events_not_lists, setup, teardown),
        cmocka_unit_test_setup_teardown(the_table_grows, setup, teardown),
        cmocka_unit_test(each_of_128_caches_is_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
