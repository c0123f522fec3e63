/* test_hd_l1_vi_loads.c - loads leave in the order they came with the line they came for; a store that followed the request
 * keeps later loads in front, and the last load takes the line away. */
/* dut: hd_l1_vi_loads Entries=3 Targets=5 MergeLanes=16 Lanes=12 LineWords=4 LineW=28 */
/* dut: hd_l1_vi_loads Entries=1 Targets=1 MergeLanes=4 Lanes=12 LineWords=8 SlotW=5 LineW=27 */
/* dut: hd_l1_vi_loads Pending=1 ReqCredits=2 Entries=3 Targets=1 MergeLanes=4 Lanes=4 LineWords=4 LineW=28 */
#include "hd_unit.h"
#include "hd_l1_vi_loads_dut.h"
#include "hd_access.h"

#ifndef P_SlotW
#define P_SlotW HD_SLOT_W
#endif
#ifndef P_Pending
#define P_Pending 0
#define P_ReqCredits 0
#endif
enum {
    PRT = P_Pending == HD_PENDING_PRT, ENTRIES = P_Entries, LANES = P_Lanes, WORDS = P_LineWords, LINES = 2 * ENTRIES + 2, CYCLES = 40000,
    MOST = PRT ? ENTRIES : P_Targets, PLACE_W = HD_L1_VI_LOADS_W_place_o, OFF_W = (PLACE_W - LANES - WORDS) / LANES,
    MASK = PLACE_W - LANES, CREDITS = P_ReqCredits && P_ReqCredits < ENTRIES ? P_ReqCredits : ENTRIES,
    TOLD_BITS = PRT ? 11 : P_LineW /* low bits of a line that the table tells apart, 2048 marks of hd_pending_request_table */
};

static struct hd_l1_vi_loads d;
struct place { uint64_t mask, offs; };
static struct entry {
    bool used, marked;
    unsigned line, n, lanes;
    struct { struct place place; uint64_t access; } who[MOST];
} e[ENTRIES], leaving;
static unsigned from, total, next, served, joined, kept, lost, fronts, refused[HD_WHY_LINE + 1];
static unsigned lines[LINES]; /* their numbers: other ones after a while, neighbours differ in one bit */

static bool same_line(unsigned a, unsigned b)
{
    return ((a ^ b) & ((1u << TOLD_BITS) - 1)) == 0;
}

/* Why an access may not wait, a bit for each reason: entry @at of its line, @used in use. */
static unsigned reasons(unsigned at, unsigned used, unsigned lanes)
{
    const bool hit = at < ENTRIES;

    if (PRT)
        return hit << HD_WHY_LINE | (used == ENTRIES) << HD_WHY_ENTRY | (used >= CREDITS) << HD_WHY_CREDIT;
    return (hit && e[at].lanes + lanes > P_MergeLanes) << HD_WHY_MERGE | (!hit && used == ENTRIES) << HD_WHY_ENTRY
           | (total == MOST) << HD_WHY_QUEUE;
}

static void see_leaving(void)
{
    const uint64_t mask = leaving.who[next].place.mask, offs = leaving.who[next].place.offs;

    assert_int_equal(*d.valid_o, 1);
    assert_int_equal(*d.wait_o, 0);
    assert_int_equal(*d.idle_o, 0);
    assert_int_equal(hd_bits_get(d.line_o, 0, P_LineW), leaving.line);
    assert_true(hd_bits_get(d.acc_o, 0, HD_ACCESS_W) == leaving.who[next].access);
    assert_true(hd_bits_get(d.place_o, MASK, LANES) == mask);
    for (unsigned i = 0; i < LANES; i++)
        if (mask >> i & 1)
            assert_int_equal(hd_bits_get(d.place_o, WORDS + i * OFF_W, OFF_W), offs >> i * OFF_W & (WORDS - 1));
    assert_int_equal(*d.last_o, leaving.marked && next + 1 == leaving.n);
}

static void loads_leave_with_their_lines(void **state)
{
    (void)state;
    hd_l1_vi_loads_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < CYCLES; n++) {
        if (n % 300 == 0) {
            lines[0] = (unsigned)hd_rand_below(1u << P_LineW);
            for (unsigned i = 1; i < LINES; i++)
                lines[i] = lines[i - 1] ^ 1u << hd_rand_below(TOLD_BITS);
        }
        const unsigned line = lines[hd_rand_below(LINES)], rd = (unsigned)hd_rand_below(ENTRIES);
        const struct place place = {hd_bits_random_mask(LANES), hd_rand() & (UINT64_MAX >> (64 - LANES * OFF_W))};
        const unsigned lanes = hd_bits_count(place.mask);
        struct hd_access a = hd_access_random();
        unsigned at = ENTRIES, used = 0;

        a.kind = hd_rand_below(3) ? HD_OP_LOAD : hd_rand_below(2) ? HD_OP_STORE : HD_OP_ATOMIC;
        a.warp = n & ((1 << HD_WARP_W) - 1), a.slot = n >> HD_WARP_W & ((1 << HD_SLOT_W) - 1); /* no operation twice */
        *d.push_i = *d.send_i = *d.start_i = *d.pop_i = 0;
        *d.lk_valid_i = next == leaving.n;
        hd_bits_put(d.la_acc_i, 0, HD_ACCESS_W, hd_access_pack(a));
        hd_bits_put(d.la_line_i, 0, P_LineW, line);
        hd_bits_put(d.la_place_i, MASK, LANES, place.mask), hd_bits_put(d.la_place_i, WORDS, LANES * OFF_W, place.offs);
        hd_bits_put(d.la_place_i, 0, WORDS, hd_rand());
        *d.tid_i = (uint8_t)rd;
        hd_bits_put(d.line_i, 0, P_LineW, e[rd].line);
        hd_bits_put(d.mask_i, 0, LANES, e[rd].n ? e[rd].who[0].place.mask : 0);
        hd_eval(d.m);
        for (unsigned i = 0; i < ENTRIES; i++) {
            assert_int_equal(hd_bits_get(d.busy_o, i, 1), e[i].used);
            used += e[i].used;
            if (e[i].used && same_line(e[i].line, line))
                at = i;
        }
        if (next < leaving.n) {
            see_leaving();
            *d.pop_i = (uint8_t)hd_rand_below(2);
            hd_edge(d.m);
            if (*d.pop_i) {
                kept += !leaving.marked && next + 1 == leaving.n, lost += leaving.marked && next + 1 == leaving.n;
                next++, served++, total--;
                e[from].used = next < leaving.n;
            }
            continue;
        }
        assert_int_equal(*d.valid_o, 0);
        assert_int_equal(*d.idle_o, 1);
        const bool load = a.kind == HD_OP_LOAD, hit = at < ENTRIES;
        assert_int_equal(*d.hit_o, hit);
        if (hit && !PRT)
            assert_int_equal(*d.idx_o, at);
        assert_int_equal(*d.line_busy_o, hit && (PRT || (load && e[at].marked)));
        fronts += load && *d.line_busy_o;
        const unsigned why = reasons(at, used, lanes);
        const bool room = why == 0;
        if (load) {
            assert_int_equal(*d.room_o, room);
            assert_true(*d.why_o <= HD_WHY_LINE && (room ? *d.why_o == HD_WHY_NONE : why >> *d.why_o & 1));
            refused[*d.why_o]++;
        }
        const unsigned act = (unsigned)hd_rand_below(3), idx = *d.idx_o;
        *d.push_i = act < 2 && load && room && !*d.line_busy_o;
        *d.send_i = act < 2 && !load && !(PRT && hit);
        *d.start_i = act == 2 && e[rd].used;
        hd_edge(d.m);
        if (*d.push_i) {
            assert_true(idx < ENTRIES && e[idx].used == hit);
            if (!hit)
                e[idx] = (struct entry){.used = true, .line = line};
            joined += hit;
            e[idx].who[e[idx].n].place = place;
            e[idx].who[e[idx].n++].access = PRT ? hd_access_kept_by_prt(a, P_SlotW) : hd_access_kept(a, P_SlotW);
            e[idx].lanes += lanes, total++;
        }
        if (*d.send_i && hit)
            e[at].marked = true;
        if (*d.start_i)
            leaving = e[rd], from = rd, next = 0;
    }
    assert_true(served > 1000 && kept > 300);
    if (PRT)
        assert_true(refused[HD_WHY_LINE] > 300 && refused[CREDITS < ENTRIES ? HD_WHY_CREDIT : HD_WHY_ENTRY] > 300);
    else
        assert_true(refused[HD_WHY_ENTRY] > 150 && refused[HD_WHY_MERGE] > 150 && refused[HD_WHY_QUEUE] > 150);
    assert_true(PRT || (lost > 300 && fronts > 300 && (joined > 300 || P_Targets == 1)));
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

/* A load that joins a request which a store has followed; with the pending request table any that joins. */
static void a_load_that_may_not_join_is_told(void **state)
{
    const struct hd_access load = {.kind = HD_OP_LOAD};
    struct hd_access store = load;

    (void)state;
    store.kind = HD_OP_STORE;
    hd_l1_vi_loads_open(&d);
    hd_reset(d.m);
    *d.lk_valid_i = *d.push_i = 1;
    hd_bits_put(d.la_acc_i, 0, HD_ACCESS_W, hd_access_pack(load));
    hd_edge(d.m);
    *d.push_i = 0, *d.send_i = !PRT;
    hd_bits_put(d.la_acc_i, 0, HD_ACCESS_W, hd_access_pack(store));
    hd_edge(d.m);
    *d.send_i = 0;
    hd_bits_put(d.la_acc_i, 0, HD_ACCESS_W, hd_access_pack(load));
    hd_eval(d.m);
    assert_int_equal(*d.line_busy_o, 1);
    assert_int_equal(hd_assert_failures(d.m), 0);
    *d.push_i = 1;
    hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
    hd_close(d.m);
}

static void a_load_that_is_sent_is_told(void **state)
{
    (void)state;
    hd_l1_vi_loads_open(&d);
    hd_reset(d.m);
    hd_bits_put(d.la_acc_i, 0, HD_ACCESS_W, hd_access_pack((struct hd_access){.kind = HD_OP_LOAD}));
    *d.lk_valid_i = *d.send_i = 1;
    hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
    hd_close(d.m);
}

/* Data for an entry that has not asked for any. */
static void data_that_nobody_waits_for_are_told(void **state)
{
    (void)state;
    hd_l1_vi_loads_open(&d);
    hd_reset(d.m);
    *d.tid_i = 0, *d.start_i = 1;
    hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(loads_leave_with_their_lines),
        cmocka_unit_test(a_load_that_may_not_join_is_told),
        cmocka_unit_test(a_load_that_is_sent_is_told),
        cmocka_unit_test(data_that_nobody_waits_for_are_told),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
