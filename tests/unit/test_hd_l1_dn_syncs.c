/* test_hd_l1_dn_syncs.c - accesses that wait for words: served word by word from the lowest, those of a word in the order
 * in which they came, with their operands. */
/* dut: hd_l1_dn_syncs Entries=3 Targets=5 CasData=5 MergeLanes=8 Lanes=4 LineWords=8 WordW=32 RowW=2 LineW=6 */
/* dut: hd_l1_dn_syncs Entries=1 Targets=1 CasData=1 MergeLanes=4 Lanes=4 LineWords=4 WordW=64 SlotW=5 RowW=1 LineW=4 */
#include "hd_unit.h"
#include "hd_l1_dn_syncs_dut.h"
#include "hd_access.h"

#ifndef P_SlotW
#define P_SlotW HD_SLOT_W
#endif
enum {
    WORDS = P_LineWords, ROWS = 1 << P_RowW, LANES = P_Lanes, PLACE_W = HD_L1_DN_SYNCS_W_place_i, DATA_W = HD_L1_DN_SYNCS_W_data_i
};

struct target {
    unsigned kind, fn;
    uint64_t place, access;
    uint32_t data[(DATA_W + 31) / 32], compare[LANES];
};

static void words_are_served_in_order(void **state)
{
    struct hd_l1_dn_syncs d;
    static struct { struct target t[P_Targets]; unsigned n; } at[ROWS][WORDS];
    static unsigned lanes_at[ROWS][WORDS];
    unsigned row = 0, line = 0, word = WORDS, next = 0, left = 0, waiting = 0, served = 0, words = 0, refused = 0;
    unsigned merges = 0, no_entry = 0, full = 0;
    bool started = false;

    (void)state;
    memset(at, 0, sizeof at);
    memset(lanes_at, 0, sizeof lanes_at);
    hd_l1_dn_syncs_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < 40000; n++) {
        const unsigned r = (unsigned)hd_rand_below(ROWS), w = (unsigned)hd_rand_below(WORDS);
        struct hd_access acc = hd_access_random();

        if (hd_rand_below(4) != 0) /* else of any kind: all but loads have data */
            acc.kind = (unsigned)(HD_OP_LOAD + hd_rand_below(3)); /* without, with data; compare values need places */
        acc.fn = hd_rand_below(2) ? HD_AT_CAS : (unsigned)hd_rand_below(HD_AMO_FUNCTIONS);
        *d.lk_valid_i = *d.push_i = *d.serve_i = *d.start_i = *d.pop_i = 0;
        *d.row_i = (uint8_t)r, *d.line_i = (uint8_t)hd_rand_below(1u << P_LineW); /* only what is served has them later */
        hd_bits_put(d.word_i, 0, HD_L1_DN_SYNCS_W_word_i, w);
        hd_bits_random(d.words_i, WORDS);
        hd_eval(d.m);
        assert_int_equal(*d.busy_o, left != 0);
        assert_int_equal(*d.idle_o, left == 0);
        assert_int_equal(*d.empty_o, waiting == 0 && !started);
        assert_true(*d.why_o != HD_WHY_MERGE); /* no word is looked up, none has too many lanes */
        if (left != 0) {
            word = (unsigned)__builtin_ctz(left);
            assert_int_equal(*d.word_o, word);
            assert_int_equal(*d.row_o, row);
            assert_int_equal(*d.line_o, line);
            assert_int_equal(*d.valid_o, started);
            if (!started) {
                *d.start_i = hd_rand_below(2);
                hd_eval(d.m);
                started = *d.start_i;
            } else {
                const struct target *t = &at[row][word].t[next];
                assert_true(hd_bits_get(d.acc_o, 0, HD_ACCESS_W) == t->access);
                assert_true(hd_bits_get(d.place_o, WORDS, PLACE_W - WORDS) == t->place >> WORDS);
                if (t->kind != HD_OP_LOAD) /* words touched are kept with the data */
                    assert_true(hd_bits_get(d.place_o, 0, PLACE_W) == t->place);
                for (unsigned i = 0; t->kind != HD_OP_LOAD && i < DATA_W / 32; i++)
                    assert_int_equal(hd_bits_get(d.data_o, 32 * i, 32), t->data[i]);
                for (unsigned i = 0; t->kind == HD_OP_ATOMIC && t->fn == HD_AT_CAS && i < LANES; i++)
                    assert_int_equal(hd_bits_get(d.cmp_o, 32 * i, 32), t->compare[i]);
                *d.pop_i = hd_rand_below(2);
                hd_eval(d.m);
                if (*d.pop_i) {
                    served++, waiting--;
                    if (++next == at[row][word].n) {
                        at[row][word].n = 0, next = 0, started = false, lanes_at[row][word] = 0;
                        left &= left - 1;
                        words++;
                    }
                }
            }
            hd_edge(d.m);
            continue;
        }
        if (hd_rand_below(8) == 0) { /* words of a row have come */
            unsigned mask = 0;
            for (unsigned i = 0; i < WORDS; i++)
                mask |= (unsigned)(at[r][i].n > 0 && hd_rand_below(4) != 0) << i;
            line = *d.line_i;
            *d.serve_i = mask != 0;
            hd_bits_put(d.words_i, 0, WORDS, mask);
            left = mask, row = r;
            hd_edge(d.m);
            continue;
        }
        const uint64_t packed = hd_access_pack(acc);
        const unsigned lanes = 1 + (unsigned)hd_rand_below(LANES);
        struct target t = {.access = hd_access_kept(acc, P_SlotW), .kind = acc.kind, .fn = acc.fn,
                           .place = hd_rand() & (UINT64_MAX >> (64 - PLACE_W))};
        unsigned entries = 0;
        for (unsigned i = 0; i < ROWS * WORDS; i++)
            entries += at[i / WORDS][i % WORDS].n > 0;
        *d.lk_valid_i = 1, *d.lanes_i = (uint8_t)lanes;
        memcpy(d.acc_i, &packed, sizeof *d.acc_i);
        hd_bits_put(d.place_i, 0, PLACE_W, t.place);
        hd_bits_random(d.data_i, DATA_W);
        hd_bits_random(d.cmp_i, LANES * 32);
        for (unsigned i = 0; i < DATA_W / 32; i++)
            t.data[i] = (uint32_t)hd_bits_get(d.data_i, 32 * i, 32);
        for (unsigned i = 0; i < LANES; i++)
            t.compare[i] = (uint32_t)hd_bits_get(d.cmp_i, 32 * i, 32);
        hd_eval(d.m);
        const bool merge = at[r][w].n > 0 && lanes_at[r][w] + lanes > P_MergeLanes, queue = waiting == P_Targets;
        const bool entry = at[r][w].n == 0 && entries == P_Entries, room = !merge && !entry && !queue;
        refused += !room;
        switch (*d.why_o) { /* of several reasons any */
        case HD_WHY_NONE: assert_true(room); break;
        case HD_WHY_MERGE: assert_true(merge), merges++; break;
        case HD_WHY_ENTRY: assert_true(entry), no_entry++; break;
        default: assert_true(*d.why_o == HD_WHY_QUEUE && queue), full++; break;
        }
        *d.push_i = room && hd_rand_below(2);
        hd_eval(d.m);
        if (*d.push_i) {
            at[r][w].t[at[r][w].n++] = t;
            lanes_at[r][w] += lanes;
            waiting++;
        }
        hd_edge(d.m);
    }
    assert_true(served > 1000 && words > 500 && refused > 200);
    assert_true(no_entry > 20 && merges > 20 && full > 20);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(words_are_served_in_order)};

    return HD_UNIT_MAIN(argc, argv, t);
}
