/* test_hd_read_words.c - entries of READs whose words come in parts: need, got, retry, skip, old, ro against an array in C.
 * A READ is repeated only when nothing else of it is on its way. */
/* dut: hd_read_words Entries=4 LineWords=4 LineW=2 */
/* dut: hd_read_words Entries=1 LineWords=8 LineW=3 */
#include "hd_unit.h"
#include "hd_read_words_dut.h"

enum { ENTRIES = P_Entries, WORDS = P_LineWords };

static void random_traffic_matches_an_array(void **state)
{
    struct hd_read_words d;
    struct { bool used, old, ro; unsigned line, need, got, retry, skip, tid; } e[ENTRIES] = {{0}};
    unsigned held = 0, joins = 0, retries = 0, twice = 0, parts = 0, held_back = 0;

    (void)state;
    hd_read_words_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < 40000; n++) {
        const unsigned line = (unsigned)hd_rand_below(1u << P_LineW), rd = (unsigned)hd_rand_below(ENTRIES);
        const unsigned words = (unsigned)hd_rand_below(1u << WORDS), act = (unsigned)hd_rand_below(6);
        unsigned guard = 0, same = 0, again = ENTRIES;
        bool join = false, more = false;

        *d.lk_valid_i = hd_rand_below(8) != 0;
        *d.lk_line_i = (uint8_t)line, *d.rd_idx_i = (uint8_t)rd, *d.words_i = (uint8_t)words;
        *d.new_i = *d.skip_i = *d.old_i = *d.got_i = *d.nack_i = *d.done_i = *d.retry_pop_i = 0;
        hd_eval(d.m);
        for (unsigned i = 0; i < ENTRIES; i++) {
            const bool due = e[i].used && e[i].retry && (e[i].need & ~(e[i].got | e[i].retry)) == 0;
            again = due && again == ENTRIES ? i : again;
            held_back += e[i].used && e[i].retry && !due;
            if (!*d.lk_valid_i || !e[i].used || e[i].line != line)
                continue;
            guard |= e[i].need, same++;
            if (!e[i].old) {
                join |= (e[i].need & ~e[i].skip & words) != 0;
                more |= i != rd;
            }
        }
        twice += same > 1;
        assert_int_equal(*d.guard_o, guard);
        assert_int_equal(*d.join_o, join);
        assert_int_equal(*d.rd_more_o, more);
        assert_int_equal(*d.room_o, held < ENTRIES);
        assert_int_equal(*d.empty_o, held == 0);
        assert_int_equal(*d.retry_o, again < ENTRIES);
        if (join) {
            const unsigned j = *d.join_idx_o;
            assert_true(e[j].used && !e[j].old && e[j].line == line);
            assert_int_equal(*d.join_words_o, e[j].need & ~e[j].skip & words);
            joins++;
        }
        if (again < ENTRIES) {
            assert_int_equal(*d.retry_tid_o, e[again].tid);
            assert_int_equal(*d.retry_line_o, e[again].line);
            assert_int_equal(*d.retry_words_o, e[again].retry);
        }
        if (e[rd].used) {
            assert_int_equal(*d.rd_line_o, e[rd].line);
            assert_int_equal(*d.rd_old_o, e[rd].old);
            assert_int_equal(*d.rd_ro_o, e[rd].ro);
            assert_int_equal(*d.rd_need_o, e[rd].need);
            assert_int_equal(*d.rd_got_o, e[rd].got);
            assert_int_equal(*d.rd_skip_o, e[rd].skip);
        }
        const unsigned out = e[rd].used ? e[rd].need & ~e[rd].got & ~e[rd].retry : 0, some = words & out, idx = *d.free_idx_o;
        *d.new_i = act == 0 && *d.lk_valid_i && *d.room_o && words != 0;
        *d.need_i = (uint8_t)words, *d.ro_i = hd_rand_below(2), *d.tid_i = (uint8_t)hd_rand();
        *d.skip_i = act == 1 && *d.lk_valid_i && hd_rand_below(3) == 0, *d.skip_words_i = (uint8_t)words;
        *d.got_i = act == 2 && some != 0, *d.nack_i = act == 3 && some != 0, *d.rd_words_i = (uint8_t)some;
        *d.done_i = act == 4 && e[rd].used && e[rd].got == e[rd].need;
        *d.retry_pop_i = act == 5 && *d.retry_o;
        *d.old_i = hd_rand_below(32) == 0;
        hd_edge(d.m);
        for (unsigned i = 0; *d.skip_i && i < ENTRIES; i++)
            if (e[i].used && e[i].line == line)
                e[i].skip |= words;
        if (*d.got_i)
            e[rd].got |= some, parts += e[rd].got != e[rd].need;
        if (*d.nack_i)
            e[rd].retry |= some;
        if (*d.retry_pop_i)
            e[again].retry = 0, retries++;
        if (*d.done_i)
            e[rd].used = false, held--;
        if (*d.new_i) {
            assert_false(e[idx].used);
            e[idx].used = true, e[idx].old = false, e[idx].ro = *d.ro_i, e[idx].line = line, e[idx].need = words;
            e[idx].got = e[idx].retry = e[idx].skip = 0, e[idx].tid = *d.tid_i, held++;
        }
        for (unsigned i = 0; *d.old_i && i < ENTRIES; i++)
            e[i].old = true;
    }
    assert_true(joins > 200 && retries > 200 && parts > 200 && held_back > 200 && (ENTRIES == 1 || twice > 200));
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(random_traffic_matches_an_array)};

    return HD_UNIT_MAIN(argc, argv, t);
}
