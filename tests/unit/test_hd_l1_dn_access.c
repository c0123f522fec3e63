/* test_hd_l1_dn_access.c - random accesses in steps: each lane is served or begins to wait once, in a step whose words are those it
 * is about; the access is taken with its last lane; why a step waits, in the order of the header of hd_l1_dn_front. */
/* dut: hd_l1_dn_access Lanes=4 LineWords=8 */
/* dut: hd_l1_dn_access Lanes=12 LineWords=4 */
/* dut-rtl: hd_l1_dn_access Lanes=64 LineWords=16 */
#include "hd_unit.h"
#include "hd_l1_dn_access_dut.h"
#include "hd_bits.h"

enum { LANES = P_Lanes, WORDS = P_LineWords, OFF_W = HD_L1_DN_ACCESS_W_word_o, ALL = (1 << WORDS) - 1 };
/* l1_sync_s */
enum { ATOMIC = 1, STORE = 2, LOAD = 4, SYNC = 8, ACQUIRE = 16, RELEASE = 32, FENCE = 64 };
#define DO(name) (1u << HD_DN_DO_##name##_LSB)

static unsigned off[LANES]; /* of the access in front */

static unsigned words_of(uint64_t lanes)
{
    unsigned words = 0;

    for (unsigned l = 0; l < LANES; l++)
        words |= (unsigned)(lanes >> l & 1) << off[l];
    return words;
}

static uint64_t lanes_of(uint64_t lanes, unsigned words)
{
    uint64_t some = 0;

    for (unsigned l = 0; l < LANES; l++)
        some |= (lanes >> l & 1) && (words >> off[l] & 1) ? 1ull << l : 0;
    return some;
}

/* Some of @words, at least one; none of none. */
static unsigned some(unsigned words)
{
    const unsigned m = words & (unsigned)hd_bits_random_mask(WORDS);

    return m ? m : words & -words;
}

static void lanes_are_served_once(void **state)
{
    static const uint8_t whats[] = {LOAD, LOAD, STORE, ATOMIC, SYNC | LOAD | ACQUIRE, SYNC | STORE, SYNC | ATOMIC, FENCE | RELEASE,
                                    FENCE | ACQUIRE};
    struct hd_l1_dn_access d;
    uint64_t left = 0;
    unsigned what = 0, seen = 0, taken = 0, steps = 0, most = 0;
    bool busy = false;

    (void)state;
    hd_l1_dn_access_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < 60000; n++) {
        const bool sel = hd_rand_below(8) != 0, wb = hd_rand_below(8) == 0, here = hd_rand_below(2), way = hd_rand_below(4) != 0;
        const bool vict = hd_rand_below(4) == 0, evict = hd_rand_below(2), req = hd_rand_below(4) != 0, list = hd_rand_below(4) != 0;
        const bool reg = hd_rand_below(4) != 0, join = hd_rand_below(2), room = hd_rand_below(4) != 0, dirty = hd_rand_below(2);
        const bool can = hd_rand_below(2);
        const unsigned why = hd_rand_below(6) == 0 ? HD_WHY_GUARD : HD_WHY_NONE;
        const unsigned read_why = hd_rand_below(4) == 0 ? HD_WHY_QUEUE : 0, sync_why = hd_rand_below(4) == 0 ? HD_WHY_MERGE : 0;
        unsigned act = 0, want_why = HD_WHY_NONE;
        uint64_t lanes = 0;

        if (!busy) {
            busy = true, steps = 0;
            what = whats[hd_rand_below(9)];
            left = what & FENCE ? 0 : hd_bits_random_mask(LANES);
            hd_bits_random(d.place_i, HD_L1_DN_ACCESS_W_place_i);
            hd_bits_put(d.place_i, WORDS + LANES * OFF_W, LANES, left);
            for (unsigned l = 0; l < LANES; l++) {
                off[l] = (unsigned)hd_rand_below(WORDS);
                hd_bits_put(d.place_i, WORDS + l * OFF_W, OFF_W, off[l]);
            }
        }
        const unsigned words = words_of(left);
        const unsigned hits = hd_rand_below(2) ? some(words) : 0, asks = hd_rand_below(3) ? some(words) : 0;
        const unsigned joins = hd_rand_below(3) == 0 ? some(words) : 0, join_words = some(words);
        const unsigned to_wait = joins ? joins : asks, word = to_wait ? (unsigned)__builtin_ctz(to_wait) : 0;

        *d.sel_i = sel, *d.what_i = (uint8_t)what, *d.why_i = (uint8_t)why, *d.writing_back_i = wb, *d.here_i = here, *d.way_i = way;
        *d.vict_r_i = vict, *d.evict_ok_i = evict, *d.req_room_i = req, *d.list_room_i = list, *d.reg_room_i = reg;
        *d.read_join_i = join, *d.read_room_i = room, *d.read_why_i = (uint8_t)read_why, *d.sync_why_i = (uint8_t)sync_why;
        *d.dirty_i = dirty, *d.flush_can_i = can;
        hd_bits_put(d.hits_i, 0, WORDS, hits), hd_bits_put(d.asks_i, 0, WORDS, asks);
        hd_bits_put(d.joins_i, 0, WORDS, joins), hd_bits_put(d.join_words_i, 0, WORDS, join_words);

        if (!sel) {
        } else if (what & FENCE) {
            act = DO(ACCEPT) | (what & RELEASE ? DO(MARKER) : 0);
        } else {
            act = DO(REJECT);
            if (wb) {
                want_why = HD_WHY_WRITEBACK;
            } else if (why) {
                want_why = why;
            } else if (!here && !way) {
                want_why = HD_WHY_LIST;
            } else if (!here && vict) {
                act = evict ? DO(EVICT) : act, want_why = evict ? 0 : HD_WHY_QUEUE;
            } else if (hits) {
                if (what & (LOAD | SYNC) || list)
                    act = DO(HIT) | DO(PART), lanes = lanes_of(left, hits);
                else
                    want_why = HD_WHY_LIST;
            } else if (what & SYNC && joins) {
                want_why = sync_why;
                if (!sync_why)
                    act = DO(WAIT_REG) | DO(PART), lanes = lanes_of(left, 1u << word);
            } else if (what & SYNC && asks) {
                want_why = dirty && !can ? HD_WHY_LIST : sync_why ? sync_why : !req ? HD_WHY_QUEUE : !reg ? HD_WHY_ENTRY : 0;
                if (!want_why)
                    act = DO(ASK) | DO(WAIT_REG) | DO(PART), lanes = lanes_of(left, 1u << word);
            } else if (what & SYNC) {
                continue; /* the table gives a reason */
            } else if ((what & LOAD) && join) {
                want_why = read_why;
                if (!read_why)
                    act = DO(MERGE) | DO(PART), lanes = lanes_of(left, join_words);
            } else if (asks) {
                want_why = !room ? HD_WHY_ENTRY : read_why ? read_why : !req ? HD_WHY_QUEUE : 0;
                if (!want_why && (what & STORE))
                    continue; /* a store asks for nothing */
                if (!want_why)
                    act = DO(READ) | (what & ATOMIC ? DO(FETCH) : DO(PART)), lanes = what & ATOMIC ? 0 : lanes_of(left, asks);
            }
        }
        hd_eval(d.m);
        assert_int_equal(hd_bits_get(d.words_o, 0, WORDS), sel ? words : 0);
        assert_int_equal(*d.do_o, act);
        assert_int_equal(*d.why_o, want_why);
        if (act & DO(PART))
            assert_true(hd_bits_get(d.lanes_o, 0, LANES) == lanes);
        if (act & DO(WAIT_REG))
            assert_int_equal(hd_bits_get(d.word_o, 0, OFF_W), word);
        assert_int_equal(*d.sync_lanes_o, sel ? hd_bits_count(lanes_of(left, 1u << word)) : 0);
        assert_int_equal(*d.read_lanes_o, sel && !(what & ATOMIC) ? hd_bits_count(lanes_of(left, join ? join_words : asks)) : 0);
        assert_int_equal(*d.ready_o, (act & DO(ACCEPT)) || ((act & DO(PART)) && lanes == left));
        if (*d.ready_o)
            busy = false, taken++;
        left &= act & DO(PART) ? ~lanes : UINT64_MAX;
        steps += (act & DO(PART)) != 0, most = steps > most ? steps : most;
        seen |= act;
        hd_edge(d.m);
    }
    assert_int_equal(seen, 2047);
    assert_true(taken > 3000 && most > 2);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(lanes_are_served_once)};

    return HD_UNIT_MAIN(argc, argv, t);
}
