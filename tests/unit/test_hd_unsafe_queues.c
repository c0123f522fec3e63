/* test_hd_unsafe_queues.c - accesses in program order, free ones and markers, against order_ref.h. */
/* mutants: Warps=5 Depth=3 Width=5 SlotW=2 SeqW=4 */
/* dut: hd_unsafe_queues Warps=1 Depth=1 Width=1 SlotW=1 SeqW=2 */
/* dut: hd_unsafe_queues Warps=5 Depth=3 Width=33 SlotW=2 SeqW=4 */
/* dut: hd_unsafe_queues Warps=4 Depth=2 Width=8 SlotW=3 SeqW=8 */
/* dut: hd_unsafe_queues Warps=3 Depth=4 Width=9 SlotW=2 Unified=1 SeqW=4 */
/* dut-rtl: hd_unsafe_queues Warps=48 Depth=4 Width=32 SlotW=3 SeqW=8 */
#include "hd_unit.h"
#include "hd_unsafe_queues_dut.h"
#include "order_ref.h"

#ifndef P_Unified
#define P_Unified 0
#endif

enum { WARPS = P_Warps, SLOTS = 1 << P_SlotW, MOST = (1 << P_SeqW) - 1 };
#define DO(member, value) HD_PUT(d.do_i, OQ_DO_##member, value)

/* What a cycle tries; warp OR_NONE: nothing. What may not happen does not. One access comes: push and direct are of one warp. */
struct wish {
    int push, direct, done;
    unsigned kind, slot;
    bool take;
};
static const struct wish nothing = {.push = OR_NONE, .direct = OR_NONE, .done = OR_NONE};

static struct hd_unsafe_queues d;
static struct or_queues ref;
static unsigned passed_free, passed_marker, refused_marker, passed_ordered, passed_group, went_direct, direct_group;
static unsigned full, done_pending, both_same;

static int setup(void **state)
{
    (void)state;
    or_queues_init(&ref, WARPS, P_Depth, P_Unified);
    hd_unsafe_queues_open(&d);
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

static void check_state(void)
{
    for (unsigned w = 0; w < WARPS; w++) {
        assert_int_equal(hd_bits_get(d.state_o, w, 1), or_full(&ref, w));
        assert_int_equal(hd_bits_get(d.state_o, WARPS + w, 1), or_empty(&ref, w));
        assert_int_equal(hd_bits_get(d.state_o, 2 * WARPS + w, 1), or_pending(&ref, w) > 0);
    }
}

static void cycle(struct wish x)
{
    const unsigned warp = x.push != OR_NONE ? (unsigned)x.push : x.direct != OR_NONE ? (unsigned)x.direct : (unsigned)hd_rand_below(WARPS);
    const uint64_t bits = hd_rand() % (UINT64_C(1) << HD_QUEUED_W); /* of the access, kept */
    struct or_access a = {.warp = warp, .slot = x.slot, .data = hd_rand() & (UINT64_MAX >> (64 - P_Width)), .place = bits};
    const int head = or_pick(&ref);
    const struct or_entry *e = head == OR_NONE ? NULL : &ref.queue[head][0];
    unsigned done_warp;

    x.take = x.take && e != NULL;
    if (x.done != OR_NONE && ref.in_flight[x.done] == 0)
        x.done = OR_NONE;
    done_warp = x.done == OR_NONE ? (unsigned)hd_rand_below(WARPS) : (unsigned)x.done;
    if (x.push != OR_NONE) {
        full += or_full(&ref, (unsigned)x.push);
        if (or_full(&ref, (unsigned)x.push) || or_pending(&ref, (unsigned)x.push) == MOST)
            x.push = OR_NONE;
    }
    if (x.direct != OR_NONE
        && (!or_direct_ok(&ref, warp, x.slot) || or_pending(&ref, (unsigned)x.direct) == MOST
            || (x.take && e->kind == HD_OQ_ORDERED) || (x.push != OR_NONE && x.kind == HD_OQ_ORDERED)))
        x.direct = OR_NONE;
    hd_bits_random(d.in_acc_i, HD_ACCESS_W);
    hd_bits_put(d.in_acc_i, 0, HD_QUEUED_W, bits);
    HD_PUT(d.in_acc_i, ACCESS_WARP, warp);
    HD_PUT(d.in_acc_i, ACCESS_SLOT, x.slot);
    hd_bits_put(d.in_data_i, 0, P_Width, a.data);
    DO(PUSH, x.push != OR_NONE);
    DO(KIND, x.kind);
    DO(DIRECT, x.direct != OR_NONE);
    DO(TAKE, x.take);
    *d.done_i = x.done != OR_NONE;
    *d.done_warp_i = (uint8_t)done_warp;
    hd_eval(d.m);

    check_state();
    assert_int_equal(*d.direct_ok_o, or_direct_ok(&ref, warp, x.slot));
    assert_int_equal(*d.out_valid_o, e != NULL);
    if (e != NULL) {
        assert_int_equal(*d.out_kind_o, e->kind);
        assert_int_equal(hd_bits_get(d.out_acc_o, 0, HD_ACCESS_W), e->a.place | (uint64_t)e->a.warp << HD_ACCESS_WARP_LSB |
                                                                        (uint64_t)e->a.slot << HD_ACCESS_SLOT_LSB);
        assert_int_equal(hd_bits_get(d.out_data_o, 0, P_Width), e->a.data);
    }
    assert_int_equal(hd_bits_get(d.seq_o, 0, P_SeqW), ref.came[warp] & MOST);
    assert_int_equal(hd_bits_get(d.seq_o, P_SeqW, P_SeqW), (ref.performed[done_warp] + (x.done != OR_NONE)) & MOST);
    assert_int_equal(hd_bits_get(d.seq_o, 2 * P_SeqW, 1), or_pending(&ref, warp) > (x.done == (int)warp));

    done_pending += x.done == (int)warp && or_pending(&ref, warp) == 1;
    refused_marker += ref.count[0] > 0 && ref.queue[0][0].kind == HD_OQ_MARKER && !or_ready(&ref, 0);
    both_same += x.done != OR_NONE && ((x.take && e->kind == HD_OQ_ORDERED && (int)e->a.warp == x.done) || x.direct == x.done);
    if (x.take) {
        const unsigned w = e->a.warp;

        passed_free += e->kind == HD_OQ_FREE && ref.in_flight[w] > 0;
        passed_marker += e->kind == HD_OQ_MARKER;
        passed_ordered += e->kind == HD_OQ_ORDERED;
        passed_group += e->kind == HD_OQ_ORDERED && ref.in_flight[w] > 0;
        or_take(&ref, (unsigned)head);
    }
    if (x.direct != OR_NONE) {
        went_direct++;
        direct_group += ref.in_flight[x.direct] > 0;
        or_direct(&ref, warp, x.slot);
    }
    if (x.push != OR_NONE)
        or_push(&ref, x.kind, &a);
    if (x.done != OR_NONE)
        or_done(&ref, (unsigned)x.done);
    hd_edge(d.m);
    *d.do_i = *d.done_i = 0;
    hd_eval(d.m);
    check_state();
}

static void push(unsigned warp, unsigned kind, unsigned slot)
{
    struct wish x = nothing;

    x.push = (int)warp;
    x.kind = kind;
    x.slot = slot;
    cycle(x);
}

static void take(void)
{
    struct wish x = nothing;

    x.take = true;
    cycle(x);
}

static void done(unsigned warp)
{
    struct wish x = nothing;

    x.done = (int)warp;
    cycle(x);
}

static void an_ordered_access_waits_for_those_of_other_instructions(void **state)
{
    (void)state;
    push(0, HD_OQ_ORDERED, 0);
    assert_int_equal(*d.out_valid_o, 1);
    assert_int_equal(hd_bits_get(d.state_o, 2 * WARPS, WARPS), 1);
    take();
    push(0, HD_OQ_ORDERED, 0); /* another line of the same instruction */
    assert_int_equal(*d.out_valid_o, 1);
    take();
    push(0, HD_OQ_ORDERED, 1);
    assert_int_equal(*d.out_valid_o, 0);
    done(0);
    assert_int_equal(*d.out_valid_o, 0);
    done(0);
    assert_int_equal(*d.out_valid_o, 1);
    assert_int_equal(hd_bits_get(d.state_o, 2 * WARPS, WARPS), 1);
    take();
    done(0);
    assert_int_equal(hd_bits_get(d.state_o, 2 * WARPS, WARPS), 0);
}

static void a_free_entry_leaves_and_a_marker_waits(void **state)
{
    (void)state;
    push(0, HD_OQ_ORDERED, 0);
    take();
    push(0, HD_OQ_FREE, 1);
    assert_int_equal(*d.out_valid_o, 1);
    take();
    push(0, HD_OQ_MARKER, 0); /* its slot does not count */
    assert_int_equal(*d.out_valid_o, 0);
    done(0);
    assert_int_equal(*d.out_valid_o, 1);
    assert_int_equal(hd_bits_get(d.state_o, 2 * WARPS, WARPS), 0);
    take();
}

static void an_access_passes_directly_only_where_the_queue_is_empty(void **state)
{
    struct wish x = nothing;

    (void)state;
    x.direct = 0;
    x.slot = 1;
    cycle(x);
    assert_int_equal(went_direct, 1);
    cycle(x);
    assert_int_equal(went_direct, 2);
    x.slot = 0; /* another instruction */
    cycle(x);
    assert_int_equal(went_direct, 2);
    push(0, HD_OQ_ORDERED, 1);
    x.slot = 1;
    cycle(x); /* may not pass what is queued */
    assert_int_equal(went_direct, 2);
    went_direct = 0;
}

static void reset_forgets_everything(void **state)
{
    (void)state;
    push(0, HD_OQ_ORDERED, 0);
    take();
    push(0, HD_OQ_MARKER, 0);
    hd_reset(d.m);
    or_queues_init(&ref, WARPS, P_Depth, P_Unified);
    cycle(nothing);
    an_ordered_access_waits_for_those_of_other_instructions(state);
}

/* An access of @warp and instruction 0 comes. */
static void comes(unsigned warp)
{
    HD_PUT(d.in_acc_i, ACCESS_WARP, warp);
    HD_PUT(d.in_acc_i, ACCESS_SLOT, 0);
}

static void misuse_is_asserted(void **state)
{
    (void)state;
    for (unsigned misuse = 0; misuse < 4; misuse++) {
        hd_reset(d.m);
        or_queues_init(&ref, WARPS, P_Depth, P_Unified);
        push(0, HD_OQ_ORDERED, 0);
        switch (misuse) {
        case 0: /* passes what is queued */
            DO(DIRECT, 1);
            comes(0);
            break;
        case 1: /* nothing is in flight */
            *d.done_i = 1;
            *d.done_warp_i = 0;
            break;
        case 2: /* two go out */
            comes(WARPS - 1);
            DO(DIRECT, 1);
            DO(TAKE, 1);
            break;
        default: /* two are new */
            take();
            done(0);
            comes(0);
            DO(DIRECT, 1);
            DO(PUSH, 1);
            DO(KIND, HD_OQ_ORDERED);
        }
        hd_eval(d.m);
        assert_int_equal(hd_assert_failures(d.m), 0);
        hd_edge(d.m);
        assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
        hd_assert_clear(d.m);
        *d.do_i = *d.done_i = 0;
    }
}

static void random_traffic_matches_lists(void **state)
{
    unsigned instruction[WARPS] = {0}, most = 0;

    (void)state;
    full = passed_free = passed_marker = refused_marker = passed_ordered = passed_group = went_direct = direct_group = 0;
    done_pending = both_same = 0;
    for (unsigned t = 0; t < 60000; t++) {
        const unsigned phase = t / 500 % 4; /* fill, drain, mix, mix with slow completion */
        const unsigned few = t / 2000 % 2 && WARPS > 2 ? 2 : WARPS;
        const unsigned w = (unsigned)hd_rand_below(few);
        struct wish x = nothing;

        /* lines of an instruction come together */
        if (hd_rand_below(3) == 0)
            instruction[w] = (unsigned)hd_rand_below(SLOTS);
        x.slot = instruction[w];
        x.kind = hd_rand_below(3) ? HD_OQ_ORDERED : (unsigned)hd_rand_below(3);
        if (hd_rand_below(8) < (phase == 1 ? 2 : 6)) {
            if (hd_rand_below(2))
                x.push = (int)w;
            else
                x.direct = (int)w;
            if (hd_rand_below(4) == 0 && x.kind != HD_OQ_ORDERED) /* both */
                x.push = (int)w;
        }
        x.take = hd_rand_below(8) < (phase == 0 ? 2 : 7);
        for (unsigned try = 0; try < 4 && hd_rand_below(16) < (phase == 1 ? 15 : phase == 3 ? 2 : 8); try++) {
            x.done = (int)hd_rand_below(few);
            if (ref.in_flight[x.done] > 0)
                break;
        }
        most += or_pending(&ref, w) == MOST;
        cycle(x);
    }
    assert_true(full > 500 && passed_free > 50 && passed_marker > 100 && passed_ordered > 1000);
    assert_true(passed_group > 100 && went_direct > 300 && direct_group > 20);
    assert_true(WARPS > 8 || (refused_marker > 100 && done_pending > 100 && both_same > 100));
    assert_true(P_SeqW > 2 || most > 20);
}

int main(int argc, char **argv)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest t[] = {
        CASE(an_ordered_access_waits_for_those_of_other_instructions),
        CASE(a_free_entry_leaves_and_a_marker_waits),
        CASE(an_access_passes_directly_only_where_the_queue_is_empty),
        CASE(reset_forgets_everything),
        CASE(misuse_is_asserted),
        CASE(random_traffic_matches_lists),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
