/* test_hd_l1_gpu_data.c - whose lanes are served, from where, and who is told: accesses, fills, answers, releases, fences. */
/* dut: hd_l1_gpu_data Rows=4 Lanes=4 LineWords=8 WordW=32 SlotW=3 DnWords=8 */
/* dut: hd_l1_gpu_data Rows=3 Lanes=8 LineWords=4 WordW=64 SlotW=5 DnWords=8 */
#include "hd_unit.h"
#include "hd_l1_gpu_data_dut.h"
#include "hd_access.h"

enum {
    ROWS = P_Rows, LANES = P_Lanes, WORDS = P_LineWords, W = P_WordW, SLOT_W = P_SlotW, PLACE_W = HD_L1_GPU_DATA_W_la_place_i,
    OFF_W = (PLACE_W - LANES - WORDS) / LANES, COUNT_W = HD_L1_GPU_DATA_W_perf_o - HD_WARP_W - SLOT_W, MSB_W = HD_WARP_W + SLOT_W
};
/* Served from the array or the data that came; READ: a row is sent. The others are complete elsewhere. */
enum { LOAD, STORE, ATOMIC, FILL, SERVE, READ, ANSWER, RELEASE, FENCE, NOTHING };

#define TURN(name) (UINT64_C(1) << HD_GPU_TURN_##name##_LSB)
#define DO(name) (UINT64_C(1) << HD_GPU_DO_##name##_LSB)

struct done {
    bool valid, last, data;
    unsigned warp, slot, lanes;
    uint64_t mask, word[LANES];
};

static struct hd_l1_gpu_data d;

/* What is selected and done, with random bits where the module must not look. */
static void choose(unsigned what, bool lanes)
{
    static const uint64_t kinds[] = {TURN(LOAD), TURN(STORE), TURN(ATOMIC)};
    uint64_t turn = 0, act = 0;

    switch (what) {
    case LOAD: turn = TURN(FR) | TURN(LOAD), act = DO(ACCEPT) | DO(LOAD); break;
    case STORE: turn = TURN(FR) | TURN(STORE), act = DO(ACCEPT) | DO(STORE) | DO(WRITE); break;
    case ATOMIC: turn = TURN(FR) | TURN(ATOMIC), act = DO(ACCEPT) | DO(ATOMIC) | DO(WRITE); break;
    case FILL: turn = TURN(DN) | TURN(DATA), act = DO(WRITE); break;
    case SERVE: turn = TURN(RP); break;
    case READ: turn = TURN(FL), act = DO(WT) | DO(LEAVE) | DO(WRITE); break;
    case ANSWER: turn = TURN(DN) | TURN(DONE) | (lanes ? TURN(LANES) : 0); break;
    case RELEASE: turn = TURN(MK); break;
    case FENCE: turn = TURN(FR) | TURN(FENCE) | TURN(ACQUIRE), act = DO(ACCEPT); break;
    default: turn = hd_rand_below(2) ? TURN(FR) | TURN(FENCE) | TURN(RELEASE_IT) : 0; /* it waits in the list */
        act = turn ? DO(ACCEPT) | DO(MARKER) : 0;
    }
    if (!(turn & TURN(FR))) /* an access in front, a message offered: not their turn */
        turn |= kinds[hd_rand_below(3)];
    if (!(turn & TURN(DN)))
        turn |= hd_rand_below(2) ? TURN(DATA) : TURN(DONE) | TURN(LANES);
    hd_bits_put(d.turn_i, 0, HD_L1_GPU_DATA_W_turn_i, turn);
    hd_bits_put(d.act_i, 0, HD_L1_GPU_DATA_W_act_i, act);
}

/* An access that is offered at a port, with places in a line; its slot as the L1 knows it. */
static unsigned access_at(void *acc, void *place, unsigned *warp)
{
    struct hd_access a = hd_access_random();
    const uint64_t bits = hd_access_pack(a);

    hd_bits_put(acc, 0, HD_ACCESS_W, bits);
    hd_bits_random(place, PLACE_W);
    hd_bits_put(place, PLACE_W - LANES, LANES, hd_bits_random_mask(LANES));
    *warp = a.warp;
    return (a.tag << HD_SLOT_W | a.slot) & ((1u << SLOT_W) - 1);
}

static void see(const struct done *perf, const struct done *cpl)
{
    assert_int_equal(*d.perf_valid_o, perf->valid);
    if (perf->valid) {
        assert_int_equal(hd_bits_get(d.perf_o, MSB_W, COUNT_W), perf->lanes);
        assert_int_equal(hd_bits_get(d.perf_o, HD_WARP_W, SLOT_W), perf->slot);
        assert_int_equal(hd_bits_get(d.perf_o, 0, HD_WARP_W), perf->warp);
    }
    assert_int_equal(*d.cpl_valid_o, cpl->valid);
    if (!cpl->valid)
        return;
    assert_int_equal(hd_bits_get(d.cpl_o, HD_COMPLETION_WARP_LSB, HD_COMPLETION_WARP_W), cpl->warp);
    assert_int_equal(hd_bits_get(d.cpl_o, HD_COMPLETION_SLOT_LSB, HD_COMPLETION_SLOT_W), cpl->slot % 8);
    assert_int_equal(hd_bits_get(d.cpl_o, HD_COMPLETION_LAST_LSB, 1), cpl->last);
    assert_int_equal(hd_bits_get(d.cpl_mask_o, 0, LANES), cpl->mask);
    for (unsigned i = 0; cpl->data && i < LANES; i++)
        if (cpl->mask >> i & 1)
            assert_true(hd_bits_get(d.cpl_data_o, i * W, W) == cpl->word[i]);
}

static void lanes_are_served_and_told_once(void **state)
{
    uint64_t mem[ROWS][WORDS] = {{0}}, kept[WORDS] = {0}, sent[WORDS] = {0};
    struct done g = {0}, cpl = {0}, atomic = {0};
    unsigned seen[NOTHING + 1] = {0}, empty = 0, silent = 0, la_warp, rp_warp;
    bool was_read = false;

    (void)state;
    hd_l1_gpu_data_open(&d);
    hd_reset(d.m);
    for (unsigned cycle = 0; cycle < 30000; cycle++) {
        const unsigned row = cycle < ROWS ? cycle : (unsigned)hd_rand_below(ROWS);
        const unsigned la_slot = access_at(d.la_acc_i, d.la_place_i, &la_warp);
        const unsigned rp_slot = access_at(d.rp_acc_i, d.rp_place_i, &rp_warp);
        const unsigned fn = (unsigned)hd_bits_get(d.la_acc_i, HD_ACCESS_FN_LSB, HD_ACCESS_FN_W);
        const bool lanes = hd_rand_below(3) != 0, none = hd_rand_below(4) == 0;
        unsigned what = cycle < ROWS ? FILL : (unsigned)hd_rand_below(NOTHING + 1);
        struct done next = {0}, now;

        if (what == ATOMIC && fn > HD_AT_READ)
            what = NOTHING;
        if (none) /* data were fetched for the access in front: nobody waits */
            hd_bits_put(d.rp_place_i, PLACE_W - LANES, LANES, 0);
        hd_bits_random(d.la_data_i, HD_L1_GPU_DATA_W_la_data_i);
        hd_bits_random(d.la_cmp_i, LANES * 32);
        hd_bits_random(d.dn_data_i, P_DnWords * W);
        const uint64_t all = hd_bits_get(d.la_place_i, PLACE_W - LANES, LANES), some = all & hd_bits_random_mask(LANES);
        hd_bits_put(d.lanes_i, 0, LANES, some ? some : all);
        hd_bits_put(d.wmask_i, 0, WORDS, cycle < ROWS ? UINT64_MAX >> (64 - WORDS) : hd_bits_random_mask(WORDS));
        hd_bits_put(d.old_i, 0, WORDS, hd_bits_random_mask(WORDS));
        hd_bits_random(d.st_who_i, 1 + MSB_W + LANES);
        hd_bits_put(d.st_who_i, 0, LANES, hd_bits_random_mask(LANES));
        hd_bits_random(d.mk_who_i, 1 + MSB_W);
        for (unsigned i = 0; i < LANES; i++) /* every other comparison succeeds */
            if (hd_rand_below(2))
                hd_bits_put(d.la_cmp_i, i * 32, 32, (uint32_t)mem[row][hd_bits_get(d.la_place_i, WORDS + i * OFF_W, OFF_W)]);
        *d.row_i = (uint8_t)row;
        hd_bits_put(d.turn_i, 0, HD_L1_GPU_DATA_W_turn_i, 0), hd_bits_put(d.act_i, 0, HD_L1_GPU_DATA_W_act_i, 0);
        hd_eval(d.m);
        assert_int_equal(*d.idle_o, !atomic.valid && !g.valid && !cpl.valid);
        if (atomic.valid && *d.perf_valid_o) { /* its lanes have been served */
            g = atomic;
            atomic.valid = false;
            what = NOTHING;
        }
        if (atomic.valid || *d.busy_o)
            what = NOTHING;
        assert_int_equal(*d.done_ok_o, !g.valid);
        if (!*d.done_ok_o && (what == ANSWER || what == RELEASE || what == FENCE))
            what = NOTHING;
        choose(what, lanes);
        *d.perf_last_i = (uint8_t)hd_rand_below(2);
        hd_eval(d.m);
        assert_int_equal(*d.served_o, what == SERVE && !none);
        now = g;
        if (what == ANSWER) {
            now = (struct done){.valid = true, .data = true, .mask = hd_bits_get(d.st_who_i, 0, LANES),
                                .slot = (unsigned)hd_bits_get(d.st_who_i, LANES, SLOT_W),
                                .warp = (unsigned)hd_bits_get(d.st_who_i, LANES + SLOT_W, HD_WARP_W)};
            now.lanes = hd_bits_count(now.mask);
            for (unsigned i = 0; i < LANES; i++) /* a store that was performed at the L2 brings no words: told with ghosts */
                now.word[i] = W == 32 || lanes ? hd_bits_get(d.dn_data_i, i * W, W) : 0;
            silent += !lanes;
        } else if (what == RELEASE) {
            now = (struct done){.valid = true, .lanes = 1, .slot = (unsigned)hd_bits_get(d.mk_who_i, 0, SLOT_W),
                                .warp = (unsigned)hd_bits_get(d.mk_who_i, SLOT_W, HD_WARP_W)};
        } else if (what == FENCE) {
            now = (struct done){.valid = true, .lanes = 1, .slot = la_slot, .warp = la_warp};
        }
        now.last = *d.perf_last_i;
        see(&now, &cpl);
        for (unsigned w = 0; was_read && w < WORDS; w++)
            assert_true(hd_bits_get(d.line_o, w * W, W) == sent[w]);
        was_read = what == READ;
        memcpy(sent, mem[row], sizeof sent);
        seen[what]++, empty += what == SERVE && none;
        if (what == LOAD || what == STORE || what == ATOMIC || (what == SERVE && !none)) {
            const void *place = what == SERVE ? (void *)d.rp_place_i : (void *)d.la_place_i;
            next = (struct done){.valid = true, .warp = la_warp, .slot = la_slot, .data = what != STORE || W > 32};
            if (what == SERVE)
                next.warp = rp_warp, next.slot = rp_slot;
            next.mask = what == LOAD ? hd_bits_get(d.lanes_i, 0, LANES) : hd_bits_get(place, PLACE_W - LANES, LANES);
            next.lanes = hd_bits_count(next.mask);
            for (unsigned i = 0; i < LANES; i++) {
                const unsigned off = (unsigned)hd_bits_get(place, WORDS + i * OFF_W, OFF_W);
                const uint64_t operand = hd_bits_get(d.la_data_i, i * W, W);
                next.word[i] = what == SERVE ? kept[off] : mem[row][off];
                if (what == STORE && !hd_bits_get(d.old_i, off, 1))
                    next.word[i] = 0;
                if (what == ATOMIC && (next.mask >> i & 1) && fn != HD_AT_READ)
                    mem[row][off] = operand >> 32 << 32 | hd_amo_reference(fn, (uint32_t)mem[row][off], (uint32_t)operand,
                                                                          (uint32_t)hd_bits_get(d.la_cmp_i, i * 32, 32));
            }
        }
        for (unsigned w = 0; (what == STORE || what == FILL) && w < WORDS; w++) {
            const uint64_t word = hd_bits_get(what == FILL ? (void *)d.dn_data_i : (void *)d.la_data_i, w * W, W);
            if (what == FILL)
                kept[w] = word;
            if (hd_bits_get(d.wmask_i, w, 1))
                mem[row][w] = word;
        }
        cpl = now;
        g = next;
        if (what == ATOMIC)
            atomic = next, g.valid = false;
        hd_edge(d.m);
        assert_int_equal(*d.busy_o, atomic.valid);
    }
    for (unsigned i = 0; i < NOTHING; i++)
        assert_true(seen[i] > 300);
    assert_true(empty > 100 && silent > 100);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(lanes_are_served_and_told_once)};

    return HD_UNIT_MAIN(argc, argv, t);
}
