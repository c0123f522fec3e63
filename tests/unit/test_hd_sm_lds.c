/* test_hd_sm_lds.c - the LDS of an SM: what lanes store and what copies bring is what loads find, transactions or not.
 * Accesses of the lanes, copies under way and what the L1 performs come in any order, and as fast as they can. */
/* dut: hd_sm_lds Lanes=4 LineWords=8 LdsRows=4 LdsBanks=4 Copies=2 SlotW=11 */
/* dut: hd_sm_lds Lanes=4 LineWords=8 LdsRows=4 LdsBanks=4 Copies=0 */
/* dut: hd_sm_lds Lanes=4 LineWords=8 LdsRows=4 LdsBanks=4 LocalTm=1 Warps=4 TmWarps=2 TmRows=4 TmHash=4 */
/* dut-rtl: hd_sm_lds Lanes=4 LineWords=8 LdsRows=4 LdsBanks=4 LocalTm=2 Warps=4 TmWarps=2 TmRows=4 TmHash=4 */
#include "hd_unit.h"
#include "hd_access.h"
#include "hd_sm_lds_dut.h"

#ifndef P_Copies
#define P_Copies 0
#endif
#ifndef P_LocalTm
#define P_LocalTm 0
#endif
#ifndef P_Warps
#define P_Warps 48
#endif
enum {
    LANES = P_Lanes,
    LDS_W = 5,
    WORDS = 32,
    SLOT_W = HD_SM_LDS_W_l1_perf_slot_i,
    FLIGHT = 8 /* more than there can be of a kind */
};

struct access {
    struct hd_access a;
    unsigned mask, word[P_Lanes];
    uint32_t data[P_Lanes], cmp[P_Lanes];
    bool last; /* what was said as it was performed */
};

/* Accesses in the order in which they came. */
struct queue {
    unsigned n;
    struct access q[FLIGHT];
};

static struct hd_sm_lds d;
static uint32_t ref[WORDS];
static struct queue lanes, in_l1, came; /* taken by the LDS; copies in the L1; copies whose words are there */
static struct {
    unsigned performed, copies, again; /* again: passes before the last one of an access */
} seen;

static void push(struct queue *q, const struct access *a)
{
    assert_true(q->n < FLIGHT);
    q->q[q->n++] = *a;
}

static struct access take(struct queue *q, unsigned i)
{
    const struct access a = q->q[i];

    memmove(&q->q[i], &q->q[i + 1], (--q->n - i) * sizeof a);
    return a;
}

static unsigned slot_of(struct hd_access a)
{
    return (a.slot | a.tag << HD_SLOT_W) & ((1u << SLOT_W) - 1);
}

/* A slot belongs to one operation at a time. */
static bool in_flight(struct hd_access a)
{
    const struct queue *all[] = {&lanes, &in_l1, &came};

    for (unsigned k = 0; k < 3; k++)
        for (unsigned i = 0; i < all[k]->n; i++)
            if (all[k]->q[i].a.warp == a.warp && all[k]->q[i].a.slot == a.slot)
                return true;
    return false;
}

static struct hd_access random_slot(void)
{
    struct hd_access a;

    do {
        a = hd_access_random();
        a.warp %= P_Warps;
    } while (in_flight(a));
    return a;
}

static struct access random_access(bool copy)
{
    struct access a = {.a = random_slot(), .mask = (unsigned)hd_bits_random_mask(LANES)};
    const bool few = hd_rand_below(2);

    a.a.kind = copy ? HD_OP_COPY : hd_rand_below(2) ? HD_OP_LOAD : hd_rand_below(2) ? HD_OP_STORE : HD_OP_ATOMIC;
    a.a.space = copy ? HD_SPACE_GLOBAL : HD_SPACE_LDS;
    a.a.fn = hd_rand_below(2) ? HD_AT_CAS : (unsigned)hd_rand_below(HD_AMO_FUNCTIONS);
    for (unsigned l = 0; l < LANES; l++) {
        a.word[l] = (unsigned)hd_rand_below(few ? 8 : WORDS);
        a.data[l] = (uint32_t)hd_rand();
        a.cmp[l] = hd_rand_below(2) ? ref[a.word[l]] : (uint32_t)hd_rand();
        if (copy) /* byte addresses of the LDS, which has fewer bits */
            a.cmp[l] = (a.cmp[l] & ~(4u * WORDS - 1)) | a.word[l] * 4 | (unsigned)hd_rand_below(4);
    }
    return a;
}

static unsigned passes(const struct access *a)
{
    unsigned count[P_LdsBanks] = {0}, most = 0;

    for (unsigned l = 0; l < LANES; l++) {
        bool counts = a->mask >> l & 1;

        for (unsigned k = 0; k < l && a->a.kind != HD_OP_ATOMIC; k++)
            counts = counts && (!(a->mask >> k & 1) || a->word[k] != a->word[l]);
        count[a->word[l] % P_LdsBanks] += counts;
        most = count[a->word[l] % P_LdsBanks] > most ? count[a->word[l] % P_LdsBanks] : most;
    }
    return most;
}

static void drive(const struct access *a)
{
    hd_bits_put(d.lo_acc_i, 0, HD_ACCESS_W, hd_access_pack(a->a));
    hd_bits_put(d.lo_mask_i, 0, LANES, a->mask);
    for (unsigned l = 0; l < LANES; l++) {
        hd_bits_put(d.lo_word_i, l * LDS_W, LDS_W, a->a.kind == HD_OP_COPY ? hd_rand() : a->word[l]);
        hd_bits_put(d.lo_cmp_i, l * 32, 32, a->cmp[l]);
        hd_bits_put(d.lo_data_i, l * 32, 32, a->a.kind == HD_OP_COPY ? hd_rand() : a->data[l]);
    }
}

/* The completion of @a, which takes effect: nothing behind it has been seen yet. */
static void is_complete(const struct access *a)
{
    const uint64_t mode = P_LocalTm ? UINT64_C(3) << HD_COMPLETION_STATUS_LSB : 0; /* of a begin only */
    uint32_t old[P_Lanes];

    assert_true((hd_bits_get(d.cpl_o, 0, HD_COMPLETION_W) & ~mode) ==
                (a->a.warp | a->a.slot << HD_COMPLETION_SLOT_LSB | (uint64_t)a->last << HD_COMPLETION_LAST_LSB
                 | (uint64_t)(a->a.kind == HD_OP_COPY) << (HD_COMPLETION_STATUS_LSB + HD_STATUS_COPY)));
    assert_int_equal(hd_bits_get(d.cpl_mask_o, 0, LANES), a->mask);
    for (unsigned l = 0; l < LANES; l++) {
        old[l] = ref[a->word[l]];
        if (!(a->mask >> l & 1))
            continue;
        if (a->a.kind == HD_OP_ATOMIC)
            ref[a->word[l]] = hd_amo_reference(a->a.fn, old[l], a->data[l], a->cmp[l]);
        else if (a->a.kind != HD_OP_LOAD)
            ref[a->word[l]] = a->data[l];
        if (a->a.kind == HD_OP_LOAD || a->a.kind == HD_OP_ATOMIC)
            assert_int_equal(hd_bits_get(d.cpl_data_o, l * 32, 32), old[l]);
    }
    seen.performed++;
    seen.copies += a->a.kind == HD_OP_COPY;
    seen.again += passes(a) - 1;
}

/* What the L1 performs in this cycle: one of its copies, an access that is none, or nothing. @return which copy. */
static int l1_performs(bool may)
{
    struct hd_access a = random_slot();
    int which = -1;

    *d.l1_perf_valid_i = may && hd_rand_below(2);
    if (*d.l1_perf_valid_i && in_l1.n != 0 && hd_rand_below(4) != 0) {
        which = (int)hd_rand_below(in_l1.n);
        a = in_l1.q[which].a;
    } else if (!*d.l1_perf_valid_i && in_l1.n != 0) {
        a = in_l1.q[0].a; /* who it would be means nothing */
    }
    *d.l1_perf_warp_i = (uint8_t)a.warp;
    hd_bits_put(d.l1_perf_slot_i, 0, SLOT_W, slot_of(a));
    return which;
}

static void loads_find_what_stores_and_copies_have_left(void **state)
{
    struct access at = {0}, last = {0}; /* on the port; performed in the cycle before */
    bool offered = false, complete = false, drained = false;
    unsigned events[3] = {0}, stalls = 0, together = 0, rests = 0, room = 0, kept = 0;
    struct access words = {0}; /* of the L1 in this cycle */
    int copy = -1;

    (void)state;
    memset(&seen, 0, sizeof seen);
    lanes.n = in_l1.n = came.n = 0;
    hd_sm_lds_open(&d);
    hd_reset(d.m);
    for (unsigned t = 0; t < 6000 || !drained; t++) {
        const bool start = t < 8 * LANES, busy = !start && t < 6000 && t / 100 % 3 != 0;
        bool copies = false;

        assert_true(t < 7000);
        /* lo: an access stays until it is taken; else the L1 may take a copy from the same port */
        if (!offered) {
            if (start ? t < WORDS / LANES : busy && hd_rand_below(4) != 0) {
                at = random_access(P_Copies != 0 && !start && hd_rand_below(3) == 0);
                if (start) { /* every word is known first */
                    at.a.kind = HD_OP_STORE;
                    at.mask = (1u << LANES) - 1;
                    for (unsigned l = 0; l < LANES; l++)
                        at.word[l] = t * LANES + l;
                }
                copies = at.a.kind == HD_OP_COPY;
                offered = !copies;
                drive(&at);
                if (copies && !*d.copy_room_o) {
                    copies = false;
                    room++;
                }
            }
        }
        *d.lo_valid_i = offered;
        *d.copy_in_i = *d.copy_taken_i = copies;
        hd_bits_random(d.l1_cpl_mask_i, LANES);
        hd_bits_random(d.l1_cpl_data_i, LANES * 32);
        for (unsigned l = 0; copy >= 0 && l < LANES; l++) {
            hd_bits_put(d.l1_cpl_mask_i, l, 1, words.mask >> l & 1);
            hd_bits_put(d.l1_cpl_data_i, l * 32, 32, words.data[l]);
        }
        copy = l1_performs(!start && (busy || in_l1.n != 0));
        *d.perf_ready_i = start || t / 500 % 2 == 0 || hd_rand_below(2);
        *d.perf_last_i = (uint8_t)hd_rand_below(2);
        hd_eval(d.m);
        /* what is performed: the oldest of the lanes' accesses or of the copies */
        assert_int_equal(*d.copy_mine_o, copy >= 0);
        assert_int_equal(*d.cpl_valid_o, complete);
        assert_int_equal(hd_bits_get(d.cpl_tcm_o, 0, LANES) | *d.ev_tm_o, 0);
        assert_int_equal(hd_bits_get(d.tm_hold_o, 0, P_Warps), 0);
        if (P_Copies == 0)
            assert_int_equal(*d.copy_room_o, 0);
        if (complete)
            is_complete(&last);
        complete = *d.perf_valid_o && *d.perf_ready_i;
        if (*d.perf_valid_o) {
            const unsigned slot = (unsigned)hd_bits_get(d.perf_slot_o, 0, SLOT_W);
            const bool mine = lanes.n != 0 && lanes.q[0].a.warp == *d.perf_warp_o && slot_of(lanes.q[0].a) == slot;
            struct queue *q = mine ? &lanes : &came;

            assert_true(q->n != 0);
            assert_int_equal(*d.perf_warp_o, q->q[0].a.warp);
            assert_int_equal(slot, slot_of(q->q[0].a));
            assert_int_equal(*d.perf_lanes_o, hd_bits_count(q->q[0].mask));
            stalls += !complete;
            together += mine && came.n != 0;
            if (complete) {
                last = take(q, 0);
                last.last = *d.perf_last_i;
            }
        }
        if (offered || lanes.n != 0 || came.n != 0 || *d.cpl_valid_o)
            assert_int_equal(*d.idle_o, 0);
        events[0] += *d.ev_access_o;
        events[1] += *d.ev_conflict_o;
        events[2] += *d.ev_copy_o;
        if (*d.lo_valid_i && *d.lo_ready_o) {
            push(&lanes, &at);
            offered = false;
        }
        kept += offered;
        if (copies)
            push(&in_l1, &at);
        if (copy >= 0) {
            words = take(&in_l1, (unsigned)copy);
            push(&came, &words);
        }
        drained = t >= 6000 && !offered && lanes.n == 0 && in_l1.n == 0 && came.n == 0 && *d.idle_o && !complete;
        if (*d.idle_o && !copies && !*d.l1_perf_valid_i && hd_rand_below(4) == 0) {
            hd_assert_frozen(d.m);
            rests++;
        }
        hd_edge(d.m);
    }
    assert_int_equal(events[0], seen.performed);
    assert_int_equal(events[1], seen.again);
    assert_int_equal(events[2], seen.copies);
    assert_true(seen.performed > 1000 && seen.again > 300 && stalls > 300 && rests > 100 && kept > 500);
    assert_true(P_Copies == 0 || (seen.copies > 300 && together > 100 && room > 100));
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(loads_find_what_stores_and_copies_have_left)};

    return HD_UNIT_MAIN(argc, argv, t);
}
