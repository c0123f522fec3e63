/* test_hd_copy_queue.c - copies under way: each access's words, which come in any parts, come out once, with its places, in the
 * order in which the last of them came. The L1 takes an access at once, or performs lanes of it before. */
/* dut: hd_copy_queue Lanes=4 Entries=3 WordW=40 LdsW=6 SlotW=11 */
/* dut: hd_copy_queue Lanes=8 Entries=1 WordW=32 LdsW=9 */
/* dut-rtl: hd_copy_queue Lanes=64 Entries=16 WordW=64 LdsW=12 */
#include "hd_unit.h"
#include "hd_bits.h"
#include "hd_copy_queue_dut.h"

#ifndef P_SlotW
#define P_SlotW HD_SLOT_W
#endif
enum { GHOST_W = P_WordW - 32, MOST = 256 };
/* Of bodies, behind the data; of cpl_body_i. */
enum { WORD = P_Lanes * P_WordW, MASK = WORD + P_Lanes * P_LdsW, CPL_MASK = WORD };

struct access {
    unsigned warp, slot;        /* slot with its tag */
    uint64_t mask, word[P_Lanes], ghost[P_Lanes];
    uint64_t left, part;        /* lanes that the L1 has not performed; that it performed last */
    uint32_t value[P_Lanes];
    bool here;                  /* its words have come */
};

static struct hd_copy_queue d;
static struct access in_l1[MOST], came[MOST], gone[P_Entries]; /* gone: those that left last, one after the other */
static unsigned loads, words;
static unsigned warps[3]; /* of new accesses */

/* One with lanes, and a slot, that no access under way has: two of one operation have the slot in common, and its tag. */
static bool new_access(struct access *a)
{
    a->warp = warps[hd_rand_below(3)];
    a->slot = (unsigned)hd_rand_below(1u << P_SlotW);
    a->mask = hd_bits_random_mask(P_Lanes);
    for (unsigned i = 0; i < loads + words; i++) {
        const struct access *b = i < loads ? &in_l1[i] : &came[i - loads];
        bool same_slot = a->warp == b->warp && a->slot % (1u << HD_SLOT_W) == b->slot % (1u << HD_SLOT_W);
        if (same_slot && hd_rand_below(2))
            a->slot = b->slot;
        if (same_slot && (a->slot != b->slot || (a->mask & b->mask) != 0))
            return false;
    }
    for (unsigned l = 0; l < P_Lanes; l++) {
        a->word[l] = hd_rand() & ((UINT64_C(1) << P_LdsW) - 1);
        a->ghost[l] = GHOST_W ? hd_rand() & (((UINT64_C(1) << (GHOST_W ? GHOST_W : 1)) - 1)) : 0;
        a->value[l] = (uint32_t)hd_rand();
    }
    a->left = a->mask;
    a->here = false;
    return a->mask != 0;
}

/* Some lanes of @left, or all. */
static uint64_t some_lanes(uint64_t left)
{
    uint64_t part = 0;

    if (hd_rand_below(2))
        return left;
    while (part == 0)
        part = left & hd_bits_random_mask(P_Lanes);
    return part;
}

/* What the L1 performs beside the copies: an access that differs from one of them in a bit of its warp or slot, or has those
 * of one that is gone, and is none. */
static struct access stranger(void)
{
    struct access a = {0};

    for (unsigned tries = 0; tries < 100; tries++) {
        bool known = false;
        a.warp = (unsigned)hd_rand_below(1u << HD_WARP_W), a.slot = (unsigned)hd_rand_below(1u << P_SlotW);
        if (loads > 0 && hd_rand_below(4)) {
            a = in_l1[hd_rand_below(loads)];
            if (hd_rand_below(2))
                a.warp ^= 1u << hd_rand_below(HD_WARP_W);
            else
                a.slot ^= 1u << hd_rand_below(HD_SLOT_W);
        } else if (tries == 0 && hd_rand_below(2)) {
            a = gone[hd_rand_below(P_Entries)];
        }
        for (unsigned i = 0; i < loads + words; i++) {
            const struct access *b = i < loads ? &in_l1[i] : &came[i - loads];
            known |= !b->here && b->warp == a.warp && b->slot % (1u << HD_SLOT_W) == a.slot % (1u << HD_SLOT_W);
        }
        if (!known)
            return a;
    }
    fail_msg("all accesses are copies");
    return a;
}

static void drive_in(const struct access *a)
{
    HD_PUT(d.in_i, COPY_IN_WARP, a->warp);
    hd_bits_put(d.in_i, HD_COPY_IN_SLOT_LSB, HD_SLOT_W + HD_TAG_W, a->slot);
    hd_bits_put(d.in_body_i, MASK, P_Lanes, a->mask);
    for (unsigned l = 0; l < P_Lanes; l++) {
        hd_bits_put(d.in_body_i, WORD + l * P_LdsW, P_LdsW, a->word[l]);
        hd_bits_put(d.in_body_i, l * P_WordW, 32, hd_rand());
        if (GHOST_W)
            hd_bits_put(d.in_body_i, l * P_WordW + 32, GHOST_W, a->ghost[l]);
    }
}

static void check_out(const struct access *a)
{
    assert_int_equal(hd_bits_get(d.out_acc_o, HD_ACCESS_WARP_LSB, HD_WARP_W), a->warp);
    assert_int_equal(hd_bits_get(d.out_acc_o, HD_ACCESS_SLOT_LSB, HD_SLOT_W), a->slot % (1u << HD_SLOT_W));
    assert_int_equal(hd_bits_get(d.out_acc_o, HD_ACCESS_TAG_LSB, HD_TAG_W), a->slot >> HD_SLOT_W);
    assert_int_equal(hd_bits_get(d.out_acc_o, HD_ACCESS_KIND_LSB, HD_OP_W), HD_OP_COPY);
    assert_int_equal(hd_bits_get(d.out_acc_o, HD_ACCESS_SPACE_LSB, 1), HD_SPACE_LDS);
    assert_true(hd_bits_get(d.out_body_o, MASK, P_Lanes) == a->mask);
    for (unsigned l = 0; l < P_Lanes; l++) {
        if (!(a->mask >> l & 1))
            continue;
        assert_int_equal(hd_bits_get(d.out_body_o, WORD + l * P_LdsW, P_LdsW), a->word[l]);
        assert_int_equal(hd_bits_get(d.out_body_o, l * P_WordW, 32), a->value[l]);
        if (GHOST_W)
            assert_int_equal(hd_bits_get(d.out_body_o, l * P_WordW + 32, GHOST_W), a->ghost[l]);
    }
}

static void words_come_out_in_the_order_in_which_they_came(void **state)
{
    unsigned taken = 0, full = 0, strangers = 0, most = 0, delay = 0, pulses = 0, reads = 0, idle = 0, parts = 0, early = 0;
    bool shows = false, offers = false, has = false; /* the access that is offered has its entry */
    struct access next, now = {0};

    (void)state;
    loads = words = 0;
    memset(gone, 0, sizeof gone);
    hd_copy_queue_open(&d);
    hd_reset(d.m);
    bool cpl = false;
    for (unsigned t = 0; t < 20000; t++) {
        bool busy_out = t / 500 % 2; /* the LDS hardly ever takes one */
        for (unsigned i = 0; t % 1000 == 0 && i < 3; i++)
            warps[i] = (unsigned)hd_rand_below(1u << HD_WARP_W);
        bool steps = t / 2000 % 2; /* the L1 performs lanes of what it has not taken yet */
        if (!has) {
            offers = hd_rand_below(3) != 0 && new_access(&next);
            if (offers)
                drive_in(&next);
        }

        hd_eval(d.m);
        assert_int_equal(*d.in_room_o, has || loads + words < P_Entries);
        full += !*d.in_room_o;
        HD_PUT(d.in_i, COPY_IN_TAKEN, offers && *d.in_room_o && (!steps || hd_rand_below(4) == 0));
        HD_PUT(d.in_i, COPY_IN_VALID, offers && (has || steps || HD_GET(d.in_i, COPY_IN_TAKEN)));
        bool enters = HD_GET(d.in_i, COPY_IN_VALID) && *d.in_room_o && !has;
        /* What the L1 performs: one of the copies, or something else. */
        unsigned which = loads ? (unsigned)hd_rand_below(loads) : 0;
        bool mine = loads && hd_rand_below(4) == 0, other = !mine && hd_rand_below(4) == 0;
        HD_PUT(d.perf_i, COPY_PERF_VALID, mine || other);
        struct access performed = mine || (loads && !other && hd_rand_below(2)) ? in_l1[which] : stranger();
        performed.part = mine ? some_lanes(performed.left) : 0;
        HD_PUT(d.perf_i, COPY_PERF_WARP, performed.warp);
        hd_bits_put(d.perf_i, HD_COPY_PERF_SLOT_LSB, HD_SLOT_W + HD_TAG_W, performed.slot);
        hd_bits_put(d.cpl_body_i, CPL_MASK, P_Lanes, cpl ? now.part : loads && hd_rand_below(2) ? in_l1[which].mask : hd_rand());
        for (unsigned l = 0; l < P_Lanes; l++)
            hd_bits_put(d.cpl_body_i, l * P_WordW, 32, cpl && now.part >> l & 1 ? now.value[l] : hd_rand());
        *d.out_ready_i = hd_rand_below(busy_out ? 8 : 2) == 0;
        hd_eval(d.m);
        assert_int_equal(*d.perf_mine_o, mine);
        strangers += other;
        assert_int_equal(*d.out_valid_o, shows);
        if (shows)
            check_out(&came[0]);
        pulses += *d.ev_o;
        idle += *d.idle_o;
        assert_true(!*d.idle_o || !*d.ev_o); /* a pulse is still to end */
        assert_true(!*d.idle_o || !(enters || HD_GET(d.in_i, COPY_IN_TAKEN)));
        if (*d.idle_o && !HD_GET(d.perf_i, COPY_PERF_VALID))
            hd_assert_frozen(d.m);
        bool leaves = shows && *d.out_ready_i;
        bool reads_now = (words > (shows ? 1u : 0u)) && came[shows ? 1 : 0].here && (!shows || leaves);
        reads += reads_now;
        hd_edge(d.m);
        if (leaves) {
            gone[taken % P_Entries] = came[0];
            memmove(&came[0], &came[1], --words * sizeof came[0]);
            taken++;
        }
        if (cpl) { /* offered from now on */
            for (unsigned i = 0; i < words; i++) /* those that are among them have no lane left */
                came[i].here |= came[i].warp == now.warp && came[i].slot == now.slot && came[i].mask == now.mask;
        }
        shows = leaves ? reads_now : shows || reads_now;
        cpl = mine;
        if (mine) {
            now = performed;
            parts += now.part != now.mask;
            early += has && now.warp == next.warp && now.slot == next.slot && now.mask == next.mask;
            in_l1[which].left &= ~now.part;
            if (in_l1[which].left == 0) {
                came[words++] = in_l1[which];
                in_l1[which] = in_l1[--loads];
            }
        }
        if (enters)
            in_l1[loads++] = next;
        has = (has || enters) && !HD_GET(d.in_i, COPY_IN_TAKEN);
        most = loads + words > most ? loads + words : most;
        delay += shows;
    }
    assert_int_equal(most, P_Entries);
    assert_true(taken > 500 && full > 500 && strangers > 500 && idle > 100 && parts > 300 && early > 50);
    assert_true(pulses >= reads - 1 && pulses <= reads);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static void every_misuse_trips_an_assertion(void **state)
{
    (void)state;
    hd_copy_queue_open(&d);
    if (hd_has_asserts(d.m)) {
        hd_reset(d.m);
        HD_PUT(d.in_i, COPY_IN_VALID, 1);
        HD_PUT(d.in_i, COPY_IN_TAKEN, 1);
        hd_bits_put(d.in_body_i, MASK, P_Lanes, 1);
        for (unsigned i = 0; i <= P_Entries; i++) /* one more than there is room for */
            hd_edge(d.m);
        assert_true(hd_assert_failures(d.m) > 0);
        hd_assert_clear(d.m);
        hd_reset(d.m);
        HD_PUT(d.in_i, COPY_IN_VALID, 1); /* offered, not taken, and offered no longer */
        HD_PUT(d.in_i, COPY_IN_TAKEN, 0);
        hd_edge(d.m);
        HD_PUT(d.in_i, COPY_IN_VALID, 0);
        hd_edge(d.m);
        hd_edge(d.m);
        assert_true(hd_assert_failures(d.m) > 0);
        hd_assert_clear(d.m);
        hd_reset(d.m);
        HD_PUT(d.in_i, COPY_IN_VALID, 1);
        HD_PUT(d.in_i, COPY_IN_TAKEN, 1);
        hd_bits_put(d.in_body_i, MASK, P_Lanes, 1);
        hd_edge(d.m);
        *d.in_i = 0;
        HD_PUT(d.perf_i, COPY_PERF_VALID, 1);
        hd_edge(d.m);
        HD_PUT(d.perf_i, COPY_PERF_VALID, 0);
        hd_bits_put(d.cpl_body_i, CPL_MASK, P_Lanes, 2); /* lanes nobody asked for */
        hd_edge(d.m);
        hd_edge(d.m);
        assert_true(hd_assert_failures(d.m) > 0);
        hd_assert_clear(d.m);
    }
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(words_come_out_in_the_order_in_which_they_came),
        cmocka_unit_test(every_misuse_trips_an_assertion),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
