/* test_hd_l1_words.c - look-up, generations, pins and choice of victims against rows in C. */
/* dut: hd_l1_words Sets=2 Ways=2 TagW=2 LineWords=2 GenW=2 */
/* dut: hd_l1_words Sets=4 Ways=4 TagW=3 LineWords=4 GenW=3 KeepDirty=1 */
/* dut: hd_l1_words Sets=2 Ways=4 TagW=3 LineWords=3 GenW=2 Masks=5 KeepDirty=1 */
#include "hd_unit.h"
#include "hd_bits.h"
#include "hd_l1_words_dut.h"

#ifndef P_KeepDirty
#define P_KeepDirty 0
#endif
#ifndef P_Masks
#define P_Masks HD_WORDS_GPU
#endif
enum { SETS = P_Sets, WAYS = P_Ways, WORDS = P_LineWords, ALL = (1 << WORDS) - 1, MASKS_W = P_Masks * WORDS };

/* of the masks of a row behind the first: words in state @mask */
static unsigned in_state(unsigned rest, unsigned mask)
{
    return rest >> (mask - 1) * WORDS & ALL;
}


static void random_rows_match_an_array(void **state)
{
    struct hd_l1_words d;
    struct { bool holds, pin; unsigned tag, gen, v, rest, age; } r[SETS][WAYS];
    unsigned gen = 0, hits = 0, stale = 0, none = 0, kinds[4] = {0};

    (void)state;
    memset(r, 0, sizeof r);
    for (unsigned s = 0; s < SETS; s++)
        for (unsigned w = 0; w < WAYS; w++)
            r[s][w].age = w;
    hd_l1_words_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < 30000; n++) {
        const unsigned s = (unsigned)hd_rand_below(SETS), tag = (unsigned)hd_rand_below(1u << P_TagW);
        const unsigned known = (unsigned)hd_rand_below(WAYS);
        unsigned hit = WAYS, best = 0, victim = WAYS;

        *d.gen_i = (uint8_t)gen, *d.valid_i = 1, *d.set_i = (uint8_t)s, *d.tag_i = (uint8_t)tag;
        *d.known_i = hd_rand_below(4) == 0, *d.way_i = (uint8_t)known;
        *d.we_i = *d.touch_i = *d.pin_we_i = *d.unpin_all_i = 0;
        hd_eval(d.m);
        for (unsigned w = 0; w < WAYS; w++) {
            const unsigned v = r[s][w].gen == gen ? r[s][w].v : 0;
            const bool stays = (P_KeepDirty && in_state(r[s][w].rest, HD_WORDS_D))
                               || (P_Masks > HD_WORDS_W && in_state(r[s][w].rest, HD_WORDS_W));
            const unsigned kind = !r[s][w].holds ? 3 : r[s][w].pin ? 0 : !v && !r[s][w].rest ? 2 : stays ? 0 : 1;
            if (r[s][w].holds && (*d.known_i ? w == known : r[s][w].tag == tag))
                hit = w;
            stale += r[s][w].holds && r[s][w].v != v;
            if (kind > best || (kind == best && kind > 0 && r[s][w].age > r[s][victim].age))
                best = kind, victim = w;
        }
        assert_int_equal(*d.hit_o, hit < WAYS);
        if (hit < WAYS) {
            assert_int_equal(*d.way_o, hit);
            assert_int_equal(*d.tag_o, r[s][hit].tag);
            assert_int_equal(hd_bits_get(d.masks_o, 0, WORDS), r[s][hit].gen == gen ? r[s][hit].v : 0);
            assert_int_equal(hd_bits_get(d.masks_o, WORDS, MASKS_W - WORDS), r[s][hit].rest);
            hits++;
        } else {
            assert_int_equal(hd_bits_get(d.masks_o, 0, MASKS_W), 0);
        }
        assert_int_equal(*d.vict_ok_o, victim < WAYS);
        if (victim < WAYS) {
            assert_int_equal(*d.vict_way_o, victim);
            if (best < 3)
                assert_int_equal(*d.vict_tag_o, r[s][victim].tag);
            if (best < 3)
                assert_int_equal(hd_bits_get(d.vict_masks_o, WORDS, MASKS_W - WORDS), r[s][victim].rest);
        }
        kinds[best]++;
        none += victim == WAYS;
        const unsigned way = hit < WAYS ? hit : victim;
        *d.unpin_all_i = hd_rand_below(16) == 0;
        if (way < WAYS && hd_rand_below(3) != 0) {
            *d.we_i = hd_rand_below(4) != 0, *d.touch_i = hd_rand_below(2), *d.pin_we_i = hd_rand_below(4) == 0;
            *d.we_way_i = (uint8_t)way, *d.we_tag_i = (uint8_t)(hit < WAYS ? r[s][hit].tag : tag);
            *d.we_holds_i = r[s][way].pin || hd_rand_below(8) != 0;
            /* a few words, so that rows without any are met; a word is dirty, or valid and clean */
            const unsigned rest = (unsigned)(hd_rand_below(1u << (MASKS_W - WORDS)) & hd_rand_below(1u << (MASKS_W - WORDS))
                                             & (P_Masks > HD_WORDS_GPU ? hd_rand_below(1u << (MASKS_W - WORDS)) : ~UINT64_C(0)));
            const unsigned clean = (unsigned)hd_rand_below(ALL + 1) & ~in_state(rest, HD_WORDS_D);
            hd_bits_put(d.we_masks_i, 0, MASKS_W, rest << WORDS | clean);
            *d.pin_i = hd_rand_below(2);
            if (*d.known_i && hit == WAYS)
                *d.we_i = *d.touch_i = *d.pin_we_i = 0;
            if (!*d.we_holds_i && *d.we_i)
                *d.pin_we_i = 0;
            if (!r[s][way].holds && !*d.we_i)
                *d.pin_we_i = 0;
        }
        const bool step = hd_rand_below(40) == 0;
        hd_edge(d.m);
        for (unsigned i = 0; *d.unpin_all_i && i < SETS * WAYS; i++)
            r[i / WAYS][i % WAYS].pin = false;
        if (way < WAYS && *d.pin_we_i)
            r[s][way].pin = *d.pin_i;
        if (way < WAYS && *d.we_i) {
            r[s][way].holds = *d.we_holds_i, r[s][way].tag = *d.we_tag_i, r[s][way].gen = gen;
            r[s][way].v = (unsigned)hd_bits_get(d.we_masks_i, 0, WORDS);
            r[s][way].rest = (unsigned)hd_bits_get(d.we_masks_i, WORDS, MASKS_W - WORDS);
        }
        if (way < WAYS && *d.touch_i) {
            for (unsigned w = 0; w < WAYS; w++)
                r[s][w].age += r[s][w].age < r[s][way].age;
            r[s][way].age = 0;
        }
        if (step) { /* numbers come again: what is left of their last use must go, as the L1's walk sees to */
            gen = (gen + 1) % (1u << P_GenW);
            for (unsigned i = 0; gen == 0 && i < SETS * WAYS; i++) {
                const unsigned rs = i / WAYS, rw = i % WAYS;
                *d.gen_i = 0, *d.set_i = (uint8_t)rs, *d.known_i = 1, *d.way_i = (uint8_t)rw, *d.we_way_i = (uint8_t)rw;
                *d.touch_i = *d.pin_we_i = *d.unpin_all_i = 0;
                *d.we_i = r[rs][rw].holds, *d.we_holds_i = 1, *d.we_tag_i = (uint8_t)r[rs][rw].tag;
                hd_bits_put(d.we_masks_i, 0, MASKS_W, r[rs][rw].rest << WORDS);
                hd_edge(d.m);
                if (*d.we_i)
                    r[rs][rw].gen = r[rs][rw].v = 0;
            }
        }
    }
    assert_true(hits > 1000 && stale > 300 && kinds[1] + P_KeepDirty > 0 && kinds[2] > 100 && kinds[3] > 100 && none > 20);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(random_rows_match_an_array)};

    return HD_UNIT_MAIN(argc, argv, t);
}
