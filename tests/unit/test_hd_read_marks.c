/* test_hd_read_marks.c - entries of READs: need, skip and old against an array in C. */
/* dut: hd_read_marks Entries=4 LineWords=4 LineW=2 */
/* dut: hd_read_marks Entries=1 LineWords=8 LineW=3 */
#include "hd_unit.h"
#include "hd_read_marks_dut.h"
#include "hd_bits.h"

#define NOTE(member) HD_GET(d.note_i, READ_NOTE_##member)
#define PUT(member, value) HD_PUT(d.note_i, READ_NOTE_##member, value)

enum { ENTRIES = P_Entries, WORDS = P_LineWords };

static void random_traffic_matches_an_array(void **state)
{
    struct hd_read_marks d;
    struct { bool used, old; unsigned line, need, skip; } e[ENTRIES] = {{0}};
    unsigned held = 0, joins = 0, skips = 0, olds = 0, twice = 0;

    (void)state;
    hd_read_marks_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < 20000; n++) {
        const unsigned line = (unsigned)hd_rand_below(1u << P_LineW), rd = (unsigned)hd_rand_below(ENTRIES);
        unsigned guard = 0, pending = ENTRIES, same = 0;

        *d.lk_valid_i = hd_rand_below(8) != 0;
        *d.lk_line_i = (uint8_t)line, *d.rd_idx_i = (uint8_t)rd, *d.need_i = (uint8_t)hd_rand_below(1u << WORDS);
        *d.note_i = 0;
        hd_eval(d.m);
        for (unsigned i = 0; i < ENTRIES; i++)
            if (*d.lk_valid_i && e[i].used && e[i].line == line) {
                guard |= e[i].need, same++;
                if (!e[i].old)
                    pending = i;
            }
        twice += same > 1;
        assert_int_equal(*d.guard_o, guard);
        assert_int_equal(*d.pending_o, pending < ENTRIES);
        assert_int_equal(*d.room_o, held < ENTRIES);
        assert_int_equal(*d.empty_o, held == 0);
        if (pending < ENTRIES) {
            assert_int_equal(*d.idx_o, pending);
            assert_int_equal(*d.skip_o, e[pending].skip);
        } else if (held < ENTRIES) {
            assert_false(e[*d.idx_o].used);
        }
        if (e[rd].used) {
            assert_int_equal(hd_bits_get(d.rd_o, WORDS + 1, P_LineW), e[rd].line);
            assert_int_equal(hd_bits_get(d.rd_o, WORDS, 1), e[rd].old);
            assert_int_equal(hd_bits_get(d.rd_o, 0, WORDS), e[rd].skip);
        }
        const unsigned act = (unsigned)hd_rand_below(4), idx = *d.idx_o, need = *d.need_i;
        PUT(MAKES, act == 0 && *d.lk_valid_i && *d.room_o && !*d.pending_o);
        PUT(JOINS, act == 1 && *d.pending_o);
        PUT(SKIPS, act == 2 && *d.lk_valid_i);
        PUT(AGES, hd_rand_below(16) == 0);
        PUT(ENDS, e[rd].used && hd_rand_below(4) == 0);
        hd_edge(d.m);
        for (unsigned i = 0; NOTE(SKIPS) && i < ENTRIES; i++)
            if (e[i].used && e[i].line == line)
                e[i].skip |= need, skips++;
        if (NOTE(JOINS))
            e[idx].need |= need, joins++;
        if (NOTE(ENDS))
            e[rd].used = false, held--;
        if (NOTE(MAKES))
            e[idx].used = true, e[idx].old = false, e[idx].line = line, e[idx].need = need, e[idx].skip = 0, held++;
        for (unsigned i = 0; NOTE(AGES) && i < ENTRIES; i++)
            e[i].old = true, olds++;
    }
    assert_true(joins > 100 && skips > 100 && olds > 300 && (twice > 100 || ENTRIES == 1));
    assert_int_equal(hd_assert_failures(d.m), 0);
    if (hd_has_asserts(d.m)) {
        hd_reset(d.m);
        PUT(ENDS, 1); /* of an entry that is not out */
        hd_edge(d.m);
        assert_true(hd_assert_failures(d.m) > 0);
    }
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(random_traffic_matches_an_array)};

    return HD_UNIT_MAIN(argc, argv, t);
}
