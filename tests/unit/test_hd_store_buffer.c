/* test_hd_store_buffer.c - TSO with store buffers, against order_ref.h. */
/* equiv: Warps=2 LineW=3 PlaceW=1 DataW=2 CmpW=2 BufferDepth=2 FilterSize=4 */
/* mutants: Warps=3 LineW=5 PlaceW=2 DataW=5 CmpW=2 BufferDepth=2 FilterSize=32 */
/* dut: hd_store_buffer Warps=1 LineW=1 PlaceW=1 DataW=1 CmpW=1 BufferDepth=1 FilterSize=2 */
/* dut: hd_store_buffer Warps=3 LineW=5 PlaceW=9 DataW=40 CmpW=12 BufferDepth=2 FilterSize=32 */
/* dut: hd_store_buffer Warps=4 LineW=9 PlaceW=3 DataW=16 CmpW=64 BufferDepth=5 FilterSize=4 */
/* dut: hd_store_buffer Warps=3 LineW=5 PlaceW=4 DataW=16 CmpW=8 BufferDepth=3 Unified=1 FilterSize=64 */
/* dut-rtl: hd_store_buffer Warps=48 LineW=25 PlaceW=32 DataW=64 CmpW=64 BufferDepth=8 FilterSize=512 */
#include "hd_unit.h"
#include "hd_store_buffer_dut.h"
#include "order_ref.h"

#ifndef P_Unified
#define P_Unified 0
#endif

enum {
    WARPS = P_Warps,
    SLOTS = 1 << HD_SLOT_W,
    PLACES = P_Unified ? WARPS * P_BufferDepth : P_BufferDepth,
    /* four neighbouring lines of every warp and both spaces have a counter each */
    EXACT = P_FilterSize >= 8 * P_Warps && P_LineW > 1
};
enum { CMP_LSB = 0, DATA_LSB = P_CmpW, PLACE_LSB = DATA_LSB + P_DataW, LINE_LSB = PLACE_LSB + P_PlaceW };

static struct hd_store_buffer d;
static struct or_stage ref;
static struct or_access offered; /* with la_valid */
static bool offers;
static bool sharing; /* the accesses of all warps are of one counter, or nearly so */
static struct {
    unsigned queued_stores, queued_loads, passing_loads, guessed, full, group, atomics, turns, idle, frozen, both;
    unsigned waits, lds_behind;
} seen;

static int setup(void **state)
{
    (void)state;
    memset(&seen, 0, sizeof seen);
    memset(&ref, 0, sizeof ref);
    or_queues_init(&ref.q, WARPS, PLACES, P_Unified);
    offers = sharing = false;
    hd_store_buffer_open(&d);
    hd_reset(d.m);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static void drive(bool lo_ready, int done, int other_perf)
{
    *d.la_valid_i = offers;
    offered.bits = or_pack(&offered, hd_rand_below(2));
    hd_bits_put(d.la_acc_i, 0, HD_ACCESS_W, offered.bits);
    hd_bits_put(d.la_body_i, LINE_LSB, P_LineW, offered.line);
    hd_bits_put(d.la_body_i, PLACE_LSB, P_PlaceW, offered.place);
    hd_bits_put(d.la_body_i, DATA_LSB, P_DataW, offered.data);
    hd_bits_put(d.la_body_i, CMP_LSB, P_CmpW, offered.cmp);
    *d.lo_ready_i = lo_ready;
    *d.perf_valid_i = done != OR_NONE || other_perf != OR_NONE;
    HD_PUT(d.perf_i, PERFORMED_WARP,
           (unsigned)(done != OR_NONE ? done : other_perf != OR_NONE ? other_perf : (int)hd_rand_below(WARPS)));
    HD_PUT(d.perf_i, PERFORMED_TAG, done != OR_NONE ? OR_TAG : other_perf != OR_NONE ? 0 : hd_rand_below(2) * OR_TAG);
}

/* The cycle shows @r. */
static bool shows(const struct or_shown *r, bool lo_ready)
{
    if ((*d.lo_valid_o != 0) != r->lo_valid || (*d.ev_queued_o != 0) != r->queued
        || (offers && (*d.la_ready_o != 0) != r->la_ready))
        return false;
    if ((*d.idle_o != 0) != (!r->queued && !(r->lo_valid && lo_ready)))
        return false;
    if (!r->lo_valid)
        return true;
    return hd_bits_get(d.lo_acc_o, 0, HD_ACCESS_W) == or_shown_bits(&ref, r, offered.bits)
           && hd_bits_get(d.lo_body_o, LINE_LSB, P_LineW) == r->lo.line
           && hd_bits_get(d.lo_body_o, PLACE_LSB, P_PlaceW) == r->lo.place
           && hd_bits_get(d.lo_body_o, DATA_LSB, P_DataW) == r->lo.data
           && (r->queue != OR_NONE || hd_bits_get(d.lo_body_o, CMP_LSB, P_CmpW) == r->lo.cmp);
}

/* One cycle with the access offered. @done: warp of a performed store; @other_perf: of another performed access. */
static void cycle(bool lo_ready, int done, int other_perf)
{
    const struct or_access *la = offers ? &offered : NULL;
    struct or_shown r = or_show(&ref, la, lo_ready, false);

    drive(lo_ready, done, other_perf);
    hd_eval(d.m);
    if (!shows(&r, lo_ready)) { /* unless the load shares a counter with a buffered store */
        r = or_show(&ref, la, lo_ready, true);
        seen.guessed++;
        assert_false(EXACT && !sharing);
        assert_true(shows(&r, lo_ready));
    }
    if (*d.idle_o) {
        seen.idle++;
        if (hd_rand_below(64) == 0) {
            *d.lo_ready_i = *d.perf_valid_i = 0;
            hd_eval(d.m);
            assert_int_equal(*d.idle_o, 1);
            hd_assert_frozen(d.m);
            drive(lo_ready, done, other_perf);
            hd_eval(d.m);
            assert_true(shows(&r, lo_ready));
            seen.frozen++;
        }
    }
    if (la != NULL) {
        const bool could = or_pick(&ref.q) != OR_NONE;

        seen.queued_stores += r.queued && la->kind == HD_OP_STORE;
        seen.queued_loads += r.queued && la->kind == HD_OP_LOAD;
        seen.lds_behind += r.queued && la->kind == HD_OP_LOAD && la->space == HD_SPACE_LDS;
        seen.passing_loads += r.la_ready && !r.queued && la->kind == HD_OP_LOAD && !or_empty(&ref.q, la->warp);
        seen.group += r.la_ready && !r.queued && la->kind == HD_OP_STORE && ref.q.in_flight[la->warp] > 0;
        seen.atomics += r.la_ready && la->kind == HD_OP_ATOMIC;
        seen.full += !r.la_ready && or_full(&ref.q, la->warp);
        seen.turns += could && r.la_ready && !r.queued;
        seen.both += r.queued && r.lo_valid && lo_ready;
        seen.waits += r.lo_valid && !lo_ready;
    }
    or_edge(&ref, la, lo_ready, &r, done);
    hd_edge(d.m);
    if (la != NULL && r.la_ready)
        offers = false;
}

static void offer(unsigned warp, unsigned slot, unsigned kind, uint64_t line)
{
    offers = true;
    offered = (struct or_access){.warp = warp, .slot = slot, .kind = kind, .fn = or_any_fn(), .line = line};
    offered.data = hd_rand() & (UINT64_MAX >> (64 - P_DataW));
    offered.place = hd_rand() & (UINT64_MAX >> (64 - P_PlaceW));
    offered.cmp = hd_rand() & (UINT64_MAX >> (64 - P_CmpW));
}

static void a_store_waits_for_the_earlier_one_and_a_load_passes(void **state)
{
    (void)state;
    offer(0, 0, HD_OP_STORE, 0);
    cycle(true, OR_NONE, OR_NONE);
    assert_false(offers); /* nothing of its warp was in flight */
    offer(0, 1, HD_OP_STORE, 1);
    cycle(true, OR_NONE, OR_NONE);
    assert_int_equal(seen.queued_stores, 1);
    offer(0, 0, HD_OP_LOAD, 1);
    cycle(true, OR_NONE, OR_NONE); /* behind the store to its line */
    assert_int_equal(ref.q.count[0], PLACES > 1 ? 2 : 1);
    if (EXACT) {
        cycle(true, OR_NONE, OR_NONE);
        offer(0, 0, HD_OP_LOAD, 2);
        cycle(true, OR_NONE, OR_NONE);
        assert_int_equal(seen.passing_loads, 1);
    }
    cycle(true, 0, OR_NONE);
    while (ref.q.count[0] > 0 || offers)
        cycle(true, OR_NONE, OR_NONE);
    cycle(true, 0, OR_NONE);
    offer(0, 0, HD_OP_ATOMIC, 1);
    cycle(true, OR_NONE, OR_NONE);
    assert_int_equal(seen.atomics, 1);
}

static void misuse_is_asserted(void **state)
{
    (void)state;
    offer(0, 0, HD_OP_STORE, 0);
    cycle(true, OR_NONE, OR_NONE);
    offer(0, 1, HD_OP_ATOMIC, 0);
    drive(false, OR_NONE, OR_NONE);
    hd_eval(d.m);
    hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
    hd_assert_clear(d.m);
}

static void random_accesses(unsigned cycles)
{
    unsigned instruction[WARPS] = {0}, kind[WARPS] = {0};
    uint64_t base = 0;

    for (unsigned t = 0; t < cycles; t++) {
        const unsigned phase = t / 600 % 4; /* slow L1, slow completion, quick, mix */
        const unsigned few = t / 2400 % 2 && WARPS > 2 ? 2 : WARPS;
        int done = OR_NONE, other = OR_NONE;
        unsigned buffered = 0;

        for (unsigned n = 0; n < or_num_queues(&ref.q); n++)
            buffered += ref.q.count[n];
        if (buffered == 0 && !offers) { /* lines that differ in more than two bits share counters */
            base = hd_rand();
            sharing = hd_rand_below(4) == 0;
        }
        if (!offers && hd_rand_below(8) < 7) {
            const unsigned w = (unsigned)hd_rand_below(few);
            const unsigned dice = (unsigned)hd_rand_below(16);

            /* lines of an instruction come one after the other */
            if (hd_rand_below(3) == 0) {
                instruction[w] = (unsigned)hd_rand_below(SLOTS);
                kind[w] = dice < 7 ? HD_OP_STORE : dice < 15 ? HD_OP_LOAD : HD_OP_ATOMIC;
            }
            if (kind[w] == HD_OP_ATOMIC && or_pending(&ref.q, w) > 0)
                kind[w] = HD_OP_STORE;
            offer(w, instruction[w], kind[w], ((EXACT ? base & ~UINT64_C(3) : 0) | hd_rand_below(4))
                                                  & (UINT64_MAX >> (64 - P_LineW)));
            offered.space = (unsigned)(hd_rand_below(4) == 0);
            if (sharing) /* what the hash adds to a line, so that many stores are counted together */
                offered.line = (base ^ w << 3 ^ offered.space << 2 ^ (hd_rand_below(8) == 0)) & (UINT64_MAX >> (64 - P_LineW));
            else if (!EXACT && hd_rand_below(2))
                offered.line = hd_rand() & (UINT64_MAX >> (64 - P_LineW));
        }
        for (unsigned try = 0; try < 6 && done == OR_NONE && hd_rand_below(8) < (phase == 1 ? 1 : 6); try++) {
            const unsigned w = (unsigned)hd_rand_below(few);

            if (ref.q.in_flight[w] > 0)
                done = (int)w;
        }
        if (done == OR_NONE && hd_rand_below(2))
            other = (int)hd_rand_below(WARPS);
        cycle(hd_rand_below(8) < (phase == 0 ? 2 : 7), done, other);
    }
}

static void random_traffic_is_in_order(void **state)
{
    (void)state;
    random_accesses(60000);
    assert_true(seen.queued_stores > 800 && seen.full > 300 && seen.group > 20 && seen.atomics > 20);
    assert_true(seen.idle > 300 && seen.frozen > 5 && seen.waits > 1000 && seen.passing_loads > 50 && seen.turns > 20);
    if (PLACES > 1)
        assert_true(seen.queued_loads > 40 && seen.lds_behind > 5 && seen.both > 200 && seen.turns > 200);
    assert_true(WARPS == 1 || P_LineW == 1 || seen.guessed > 20); /* counters are shared */
}

static void reset_forgets_everything(void **state)
{
    (void)state;
    random_accesses(300);
    hd_reset(d.m);
    memset(&ref, 0, sizeof ref);
    or_queues_init(&ref.q, WARPS, PLACES, P_Unified);
    offers = sharing = false;
    random_accesses(2000);
}

int main(int argc, char **argv)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest t[] = {
        CASE(a_store_waits_for_the_earlier_one_and_a_load_passes),
        CASE(misuse_is_asserted),
        CASE(random_traffic_is_in_order),
        CASE(reset_forgets_everything),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
