/* test_hd_wb_buffer.c - lines in write-back against an array in C. */
/* dut: hd_wb_buffer Entries=3 LineWords=4 WordW=8 LineW=3 */
/* dut: hd_wb_buffer Entries=1 LineWords=4 WordW=8 LineW=3 */
#include "hd_unit.h"
#include "hd_wb_buffer_dut.h"

enum { ENTRIES = P_Entries, LINES = 1u << P_LineW };

static void random_traffic_matches_an_array(void **state)
{
    struct hd_wb_buffer d;
    struct { bool used; unsigned line, words, age; uint32_t data; } e[ENTRIES] = {{0}};
    unsigned held = 0, full = 0, hits = 0, reads = 0, late = ENTRIES;
    uint32_t late_data = 0;

    (void)state;
    hd_wb_buffer_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < 20000; n++) {
        const unsigned line = (unsigned)hd_rand_below(LINES), put_line = (unsigned)hd_rand_below(LINES);
        unsigned at = ENTRIES, with = ENTRIES, old = (unsigned)hd_rand_below(ENTRIES);

        for (unsigned i = 0; i < ENTRIES; i++) {
            at = e[i].used && e[i].line == line ? i : at;
            with = e[i].used && e[i].line == put_line ? i : with;
        }
        *d.line_i = (uint8_t)line, *d.put_line_i = (uint8_t)put_line, *d.rd_idx_i = (uint8_t)old;
        *d.put_words_i = (uint8_t)hd_rand_below(16);
        *d.put_data_i = late_data;
        hd_eval(d.m);
        assert_int_equal(*d.hit_o, at < ENTRIES);
        assert_int_equal(*d.room_o, held < ENTRIES);
        assert_int_equal(*d.empty_o, held == 0);
        if (at < ENTRIES) {
            assert_int_equal(*d.idx_o, at);
            assert_int_equal(*d.words_o, e[at].words);
            hits++;
        } else {
            assert_int_equal(*d.words_o, 0);
        }
        if (e[old].used && old != late) {
            assert_int_equal(*d.data_o, e[old].data);
            reads++;
        }
        *d.put_i = held < ENTRIES && with == ENTRIES && hd_rand_below(3) == 0;
        *d.free_i = e[old].used && old != late && hd_rand_below(4) == 0;
        *d.free_idx_i = (uint8_t)old;
        const unsigned put = *d.put_idx_o;
        hd_edge(d.m);
        if (late < ENTRIES)
            e[late].data = late_data;
        late = ENTRIES;
        full += held == ENTRIES;
        if (*d.free_i)
            e[old].used = false, held--;
        if (*d.put_i) {
            assert_false(e[put].used);
            late = put, late_data = (uint32_t)hd_rand();
            e[put].used = true, e[put].line = put_line, e[put].words = *d.put_words_i, held++;
        }
    }
    assert_true(full > 100 && hits > 1000 && reads > 1000);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(random_traffic_matches_an_array)};

    return HD_UNIT_MAIN(argc, argv, t);
}
