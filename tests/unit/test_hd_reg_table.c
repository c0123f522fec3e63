/* test_hd_reg_table.c - registrations out, who waits here and elsewhere, and words that leave, against an array in C. */
/* dut: hd_reg_table Entries=3 LineWords=4 RowW=2 WhoW=3 */
/* dut: hd_reg_table Entries=1 LineWords=4 RowW=2 WhoW=3 */
#include "hd_unit.h"
#include "hd_reg_table_dut.h"
#include "hd_bits.h"

#define DO(member) HD_GET(d.do_i, REG_DO_##member)
#define SET(member) HD_PUT(d.do_i, REG_DO_##member, 1)

enum { ENTRIES = P_Entries, ROWS = 1u << P_RowW, WORDS = P_LineWords };

static void random_traffic_matches_an_array(void **state)
{
    struct hd_reg_table d;
    struct { unsigned want, local, next, pass, who[WORDS]; } e[ROWS] = {{0}}; /* in use: want or pass */
    unsigned passes = 0, full = 0, waits = 0, together = 0, used = 0;

    (void)state;
    hd_reg_table_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < 40000; n++) {
        unsigned row = (unsigned)hd_rand_below(ROWS), words = (unsigned)hd_rand_below(1u << WORDS);
        const unsigned act = (unsigned)hd_rand_below(6);

        *d.do_i = 0;
        *d.row_i = (uint8_t)row;
        *d.who_i = (uint8_t)hd_rand_below(1u << P_WhoW);
        hd_eval(d.m);
        unsigned any = 0;
        for (unsigned r = 0; r < ROWS; r++)
            any |= e[r].pass;
        assert_int_equal(*d.pass_o, any != 0);
        assert_int_equal(*d.free_o, used < ENTRIES);
        full += used == ENTRIES;
        if (act == 5 && *d.pass_o) { /* the words that leave are those of one who waits for the lowest */
            row = *d.pass_row_o, words = *d.pass_words_o;
            assert_true(e[row].pass != 0);
            unsigned low = (unsigned)__builtin_ctz(e[row].pass), all = 0;
            for (unsigned w = 0; w < WORDS; w++)
                all |= (e[row].pass >> w & 1) && e[row].who[w] == e[row].who[low] ? 1u << w : 0;
            assert_int_equal(words, all);
            assert_int_equal(*d.pass_who_o, e[row].who[low]);
            together += (all & (all - 1)) != 0;
            *d.row_i = (uint8_t)row, SET(PASS);
            e[row].pass &= ~words;
            passes++;
        }
        hd_eval(d.m);
        const bool in_use = (e[row].want | e[row].pass) != 0 || DO(PASS);
        assert_int_equal(*d.room_o, in_use || used < ENTRIES);
        assert_int_equal(*d.next_o, in_use ? e[row].next : 0);
        assert_int_equal(*d.local_o, in_use ? e[row].local : 0);
        if (DO(PASS)) {
        } else if (act == 0) { /* wants words it has not */
            words &= ~(e[row].want | e[row].pass);
            if (words != 0 && *d.room_o) {
                used += !in_use;
                SET(ASK), e[row].want |= words;
                if (hd_rand_below(2)) {
                    words &= -words;
                    SET(STAY), e[row].local |= words;
                }
            }
        } else if (act == 1) {
            words &= e[row].want;
            if (words != 0)
                SET(STAY), e[row].local |= words;
        } else if (act == 2) {
            words &= e[row].want & ~e[row].next;
            if (words != 0) {
                SET(FOLLOW), e[row].next |= words, waits++;
                for (unsigned w = 0; w < WORDS; w++)
                    if (words >> w & 1)
                        e[row].who[w] = *d.who_i;
            }
        } else if (act == 3) {
            words &= e[row].want;
            if (words != 0) {
                SET(ACK);
                e[row].pass |= e[row].next & words;
                e[row].want &= ~words, e[row].next &= ~words, e[row].local &= ~words;
            }
        }
        if ((DO(ACK) || DO(PASS)) && (e[row].want | e[row].pass) == 0)
            SET(LAST), used--;
        *d.words_i = (uint8_t)words;
        hd_edge(d.m);
    }
    assert_true(passes > 200 && full > 200 && waits > 500 && together > 20);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(random_traffic_matches_an_array)};

    return HD_UNIT_MAIN(argc, argv, t);
}
