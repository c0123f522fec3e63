/* test_hd_sc_prefetch.c - SC with prefetch, against order_ref.h. */
/* equiv: Warps=2 LineW=3 PlaceW=1 DataW=2 CmpW=2 QueueDepth=2 Stores=2 Cas=2 PrefetchDepth=2 */
/* mutants: Warps=3 LineW=4 PlaceW=2 DataW=5 CmpW=3 QueueDepth=2 Stores=3 Cas=2 PrefetchDepth=3 */
/* dut: hd_sc_prefetch Warps=1 LineW=1 PlaceW=1 DataW=1 CmpW=1 QueueDepth=1 Stores=1 Cas=1 PrefetchDepth=1 */
/* dut: hd_sc_prefetch Warps=3 LineW=5 PlaceW=9 DataW=40 CmpW=12 QueueDepth=2 Stores=3 Cas=2 PrefetchDepth=3 */
/* dut: hd_sc_prefetch Warps=5 LineW=25 PlaceW=3 DataW=16 CmpW=64 QueueDepth=4 Stores=6 Cas=3 PrefetchDepth=4 */
/* dut-rtl: hd_sc_prefetch Warps=48 LineW=25 PlaceW=32 DataW=64 CmpW=64 QueueDepth=4 Stores=64 Cas=8 PrefetchDepth=16 */
#include "hd_unit.h"
#include "hd_sc_prefetch_dut.h"
#include "order_ref.h"

enum { WARPS = P_Warps, SLOTS = 1 << HD_SLOT_W };
enum { CMP_LSB = 0, DATA_LSB = P_CmpW, PLACE_LSB = DATA_LSB + P_DataW, LINE_LSB = PLACE_LSB + P_PlaceW };
#define NOW(member, value) HD_PUT(d.now_i, ORDER_NOW_##member, value)

static struct hd_sc_prefetch d;
static struct or_stage ref;
static struct or_access offered; /* with la_valid */
static bool offers;
static unsigned on_way[WARPS]; /* operations issued whose last access has not been taken */
static struct {
    unsigned queued, full, no_store, no_cas, lost, prefetches, to_write, group, direct_atomics, queued_cas, idle, frozen;
    unsigned both, waits, behind_queue, behind_prefetch, lds, on_way;
} seen;

static void forget_everything(void)
{
    memset(&ref, 0, sizeof ref);
    or_queues_init(&ref.q, WARPS, P_QueueDepth, false);
    ref.prefetch = true;
    ref.stores = P_Stores;
    ref.cas = P_Cas;
    ref.max_lines = P_PrefetchDepth;
    memset(on_way, 0, sizeof on_way);
    offers = false;
}

static int setup(void **state)
{
    (void)state;
    memset(&seen, 0, sizeof seen);
    forget_everything();
    hd_sc_prefetch_open(&d);
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

/* The access at the output. */
static struct hd_access lo(void)
{
    return hd_access_unpack(hd_bits_get(d.lo_acc_o, 0, HD_ACCESS_W));
}

static void set_last(bool last)
{
    hd_bits_put(d.la_acc_i, HD_ACCESS_LAST_LSB, 1, last);
}

static bool is_last(void)
{
    return hd_bits_get(d.la_acc_i, HD_ACCESS_LAST_LSB, 1) != 0;
}

static void drive(bool lo_ready, int done, int other_perf)
{
    *d.la_valid_i = offers;
    offered.bits = or_pack(&offered, false); /* the last one: issue() */
    hd_bits_put(d.la_acc_i, 0, HD_ACCESS_W, offered.bits);
    hd_bits_put(d.la_body_i, LINE_LSB, P_LineW, offered.line);
    hd_bits_put(d.la_body_i, PLACE_LSB, P_PlaceW, offered.place);
    hd_bits_put(d.la_body_i, DATA_LSB, P_DataW, offered.data);
    hd_bits_put(d.la_body_i, CMP_LSB, P_CmpW, offered.cmp);
    *d.lo_ready_i = lo_ready;
    NOW(PERFORMED, done != OR_NONE || other_perf != OR_NONE);
    hd_bits_put(d.now_i, HD_ORDER_NOW_PERF_LSB + HD_PERFORMED_WARP_LSB, HD_WARP_W,
                (unsigned)(done != OR_NONE ? done : other_perf != OR_NONE ? other_perf : (int)hd_rand_below(WARPS)));
    hd_bits_put(d.now_i, HD_ORDER_NOW_PERF_LSB + HD_PERFORMED_TAG_LSB, HD_TAG_W,
                done != OR_NONE ? OR_TAG : other_perf != OR_NONE ? 0 : hd_rand_below(2) * OR_TAG);
}

static void check(const struct or_shown *r, bool lo_ready)
{
    assert_int_equal(*d.lo_valid_o, r->lo_valid);
    assert_int_equal(*d.ev_queued_o, r->queued);
    if (offers)
        assert_int_equal(*d.la_ready_o, r->la_ready);
    assert_int_equal(*d.idle_o, !r->queued && !(r->lo_valid && lo_ready));
    for (unsigned w = 0; w < WARPS; w++) {
        assert_int_equal(hd_bits_get(d.order_o, w, 1), !or_empty(&ref.q, w));
        assert_int_equal(hd_bits_get(d.order_o, WARPS + w, 1), on_way[w] != 0 || !or_empty(&ref.q, w));
        seen.on_way += on_way[w] > 1;
    }
    if (!r->lo_valid)
        return;
    assert_int_equal(lo().prefetch, r->prefetch);
    assert_int_equal(lo().tag, r->tag);
    assert_int_equal(lo().kind, r->lo.kind);
    assert_int_equal(lo().space, r->lo.space);
    assert_int_equal(hd_bits_get(d.lo_body_o, LINE_LSB, P_LineW), r->lo.line);
    if (r->prefetch)
        return;
    assert_int_equal(hd_bits_get(d.lo_acc_o, 0, HD_ACCESS_W),
                     or_shown_bits(&ref, r, hd_bits_get(d.la_acc_i, 0, HD_ACCESS_W)));
    assert_int_equal(hd_bits_get(d.lo_body_o, PLACE_LSB, P_PlaceW), r->lo.place);
    if (r->queue == OR_NONE || or_holds_data(&r->lo))
        assert_int_equal(hd_bits_get(d.lo_body_o, DATA_LSB, P_DataW), r->lo.data);
    if (r->queue == OR_NONE || r->lo.cas)
        assert_int_equal(hd_bits_get(d.lo_body_o, CMP_LSB, P_CmpW), r->lo.cmp);
}

/* Operations are issued at any time; one that has been issued may end with the access offered. */
static void issue(const struct or_access *la)
{
    const unsigned warp = (unsigned)hd_rand_below(WARPS);

    NOW(ISSUE_WARP, warp);
    NOW(ISSUE, on_way[warp] < 3 && hd_rand_below(4) == 0);
    set_last(la != NULL ? on_way[la->warp] > 0 && hd_rand_below(2) : hd_rand_below(2));
}

/* One cycle with the access offered. @done: warp of a performed access; @other_perf: of one without tag. */
static void cycle(bool lo_ready, int done, int other_perf)
{
    const struct or_access *la = offers ? &offered : NULL;
    const struct or_shown r = or_show(&ref, la, lo_ready, false);

    drive(lo_ready, done, other_perf);
    issue(la);
    hd_eval(d.m);
    check(&r, lo_ready);
    if (*d.idle_o) {
        seen.idle++;
        if (hd_rand_below(64) == 0) {
            const bool issues = HD_GET(d.now_i, ORDER_NOW_ISSUE);
            *d.lo_ready_i = 0;
            NOW(PERFORMED, 0);
            NOW(ISSUE, 0);
            hd_eval(d.m);
            assert_int_equal(*d.idle_o, 1);
            hd_assert_frozen(d.m);
            drive(lo_ready, done, other_perf);
            NOW(ISSUE, issues);
            hd_eval(d.m);
            check(&r, lo_ready);
            seen.frozen++;
        }
    }
    if (la != NULL) {
        const bool room = !or_full(&ref.q, la->warp), direct = or_direct_ok(&ref.q, la->warp, la->slot);

        seen.queued += r.queued;
        seen.queued_cas += r.queued && la->cas;
        seen.full += !direct && !room;
        seen.no_store += !direct && room && or_holds_data(la) && ref.num_stores == P_Stores;
        seen.no_cas += !direct && room && la->cas && ref.num_stores < P_Stores && ref.num_cas == P_Cas;
        seen.lost += r.lost;
        seen.group += r.la_ready && !r.queued && ref.q.in_flight[la->warp] > 0;
        seen.direct_atomics += r.la_ready && !r.queued && la->kind == HD_OP_ATOMIC;
        seen.behind_queue += direct && r.queue != OR_NONE;
        seen.behind_prefetch += direct && r.queue == OR_NONE && ref.num_lines > 0;
        seen.lds += r.queued && la->space == HD_SPACE_LDS;
        seen.both += r.queued && r.lo_valid && lo_ready;
    }
    seen.waits += r.lo_valid && !lo_ready;
    seen.prefetches += r.prefetch && lo_ready;
    seen.to_write += r.prefetch && lo_ready && r.lo.kind == HD_OP_STORE;
    or_edge(&ref, la, lo_ready, &r, done);
    if (HD_GET(d.now_i, ORDER_NOW_ISSUE))
        on_way[HD_GET(d.now_i, ORDER_NOW_ISSUE_WARP)]++;
    if (la != NULL && r.la_ready && is_last())
        on_way[la->warp]--;
    hd_edge(d.m);
    if (la != NULL && r.la_ready)
        offers = false;
}

static void offer(unsigned warp, unsigned slot, unsigned kind, uint64_t line)
{
    offers = true;
    offered = (struct or_access){.warp = warp, .slot = slot, .kind = kind, .fn = or_any_fn(),
                                 .line = line & (UINT64_MAX >> (64 - P_LineW))};
    offered.data = hd_rand() & (UINT64_MAX >> (64 - P_DataW));
    offered.place = hd_rand() & (UINT64_MAX >> (64 - P_PlaceW));
    offered.cmp = hd_rand() & (UINT64_MAX >> (64 - P_CmpW));
}

static void an_access_waits_for_the_earlier_one_and_its_line_is_fetched(void **state)
{
    (void)state;
    offer(0, 0, HD_OP_LOAD, 1);
    cycle(true, OR_NONE, OR_NONE);
    offer(0, 0, HD_OP_LOAD, 0); /* of the same instruction */
    cycle(true, OR_NONE, OR_NONE);
    assert_int_equal(ref.q.in_flight[0], 2);
    offer(0, 1, HD_OP_STORE, 1);
    cycle(true, OR_NONE, OR_NONE);
    assert_int_equal(seen.queued, 1);
    assert_int_equal(*d.lo_valid_o && lo().prefetch, 1); /* it asks once */
    cycle(true, OR_NONE, OR_NONE);
    assert_int_equal(seen.to_write, 1);
    cycle(true, 0, OR_NONE);
    assert_int_equal(*d.lo_valid_o, 0);
    cycle(true, 0, OR_NONE);
    cycle(true, OR_NONE, OR_NONE);
    assert_int_equal(ref.q.count[0], 0);
    cycle(true, 0, OR_NONE);
}

static void what_is_in_the_lds_is_not_prefetched(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        offer(0, i, HD_OP_LOAD, 1);
        offered.space = HD_SPACE_LDS;
        cycle(true, OR_NONE, OR_NONE);
    }
    assert_int_equal(seen.queued, 1);
    cycle(true, OR_NONE, OR_NONE);
    assert_int_equal(seen.prefetches, 0);
}

static void random_accesses(unsigned cycles)
{
    unsigned instruction[WARPS] = {0}, kind[WARPS] = {0};

    for (unsigned t = 0; t < cycles; t++) {
        const unsigned phase = t / 600 % 4; /* slow L1, slow completion, quick, mix */
        const unsigned few = t / 2400 % 3 == 1 && WARPS > 2 ? 2 : WARPS;
        const unsigned kinds = t / 4800 % 3; /* mix, compare values, loads */
        int done = OR_NONE, other = OR_NONE;

        if (!offers && hd_rand_below(8) < (phase == 3 ? 4 : 7)) {
            const unsigned w = (unsigned)hd_rand_below(few), dice = (unsigned)hd_rand_below(8);

            /* lines of an instruction come one after the other */
            if (hd_rand_below(3) == 0) {
                instruction[w] = (unsigned)hd_rand_below(SLOTS);
                kind[w] = kinds == 2 ? (dice == 0 ? HD_OP_STORE : HD_OP_LOAD)
                          : kinds == 1 ? (dice < 5 ? HD_OP_ATOMIC : dice < 6 ? HD_OP_COPY : HD_OP_LOAD)
                          : dice < 3 ? HD_OP_STORE : dice < 6 ? HD_OP_LOAD : dice < 7 ? HD_OP_ATOMIC : HD_OP_COPY;
            }
            offer(w, instruction[w], kind[w], hd_rand());
            offered.cas = kind[w] == HD_OP_COPY || (kind[w] == HD_OP_ATOMIC && hd_rand_below(4) < (kinds == 1 ? 4 : 2));
            offered.space = kind[w] == HD_OP_COPY ? HD_SPACE_GLOBAL : (unsigned)(hd_rand_below(4) == 0);
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
    assert_true(seen.queued > 2000 && seen.queued_cas > 200 && seen.lds > 200 && seen.full > 300);
    assert_true(seen.on_way > 1000);
    assert_true(WARPS == 1 || seen.no_cas > 50);
    assert_true(P_Stores >= WARPS * P_QueueDepth || WARPS > 5 || seen.no_store > 50);
    assert_true(seen.lost > 10 && seen.prefetches > 300 && seen.to_write > 50);
    assert_true(seen.group > 50 && seen.direct_atomics > 100 && (WARPS == 1 || seen.behind_queue > 100));
    assert_true(seen.behind_prefetch > 20 && seen.idle > 300 && seen.frozen > 5 && seen.both > 50 && seen.waits > 1000);
}

static void reset_forgets_everything(void **state)
{
    (void)state;
    random_accesses(300);
    hd_reset(d.m);
    forget_everything();
    random_accesses(2000);
}

int main(int argc, char **argv)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest t[] = {
        CASE(an_access_waits_for_the_earlier_one_and_its_line_is_fetched),
        CASE(what_is_in_the_lds_is_not_prefetched),
        CASE(random_traffic_is_in_order),
        CASE(reset_forgets_everything),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
