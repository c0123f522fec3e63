/* test_hd_coalescer.c - lanes of an operation gathered into line accesses, against a C coalescer. */
/* equiv: Warps=2 Lanes=2 LineWords=4 WordW=8 Slots=2 */
/* dut-rtl: hd_coalescer Warps=3 Lanes=64 LineWords=16 WordW=32 Slots=4 SplitLds=1 */
/* dut: hd_coalescer Warps=5 Lanes=4 LineWords=8 WordW=32 Slots=4 */
/* dut: hd_coalescer Warps=5 Lanes=8 LineWords=4 WordW=40 Slots=3 SplitLds=1 */
/* dut-rtl: hd_coalescer */
#include "hd_unit.h"

#include "hd_coalescer_dut.h"
#include "hd_access.h"

#ifndef P_Warps
#define P_Warps 48
#define P_Lanes 32
#define P_LineWords 32
#define P_WordW 32
#define P_Slots 4
#endif
#ifndef P_SplitLds
#define P_SplitLds 0
#endif

#define ALL_LANES (UINT64_MAX >> (64 - P_Lanes))

/* Where the parts of lanes_i and of la_body_o are; of the latter's place words of the LDS, words touched, offsets, lanes. */
enum {
    IN_DATA = P_Lanes * 32,
    IN_ADDR = IN_DATA + P_Lanes * P_WordW,
    IN_MASK = IN_ADDR + P_Lanes * 32,
    LINE_OFF_W = P_LineWords == 32 ? 5 : P_LineWords == 16 ? 4 : P_LineWords == 8 ? 3 : 2,
    LINE_W = 32 - 2 - LINE_OFF_W,
    DATA = P_Lanes * 32,
    PLACE = DATA + (P_Lanes > P_LineWords ? P_Lanes : P_LineWords) * P_WordW,
    PLACE_W = HD_COALESCER_W_la_body_o - PLACE - LINE_W,
    LDS_W = P_SplitLds ? 0 : (PLACE_W - P_Lanes - P_LineWords) / P_Lanes - LINE_OFF_W,
    WMASK = PLACE + P_Lanes * LDS_W,
    OFFS = WMASK + P_LineWords,
    MASK = OFFS + P_Lanes * LINE_OFF_W,
    LINE = PLACE + PLACE_W,
    HALF = 32
};

/* An operation as issued, and what is left of it. */
struct op {
    struct hd_access acc;
    uint64_t mask;
    uint32_t addr[P_Lanes], cmp[P_Lanes];
    uint64_t data[P_Lanes];
};

static struct hd_coalescer d;

static int setup(void **state)
{
    (void)state;
    hd_coalescer_open(&d);
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

/* The pulse of an operation, as hd_issue and hd_op_buffer make it. */
static void pulse(const struct op *o)
{
    *d.issue_valid_i = 1;
    hd_bits_put(d.issue_acc_i, 0, HD_ACCESS_W, hd_access_pack(o->acc));
    hd_bits_put(d.lanes_i, IN_MASK, P_Lanes, o->mask);
    for (unsigned l = 0; l < P_Lanes; l++) {
        hd_bits_put(d.lanes_i, IN_ADDR + l * 32, 32, o->addr[l]);
        hd_bits_put(d.lanes_i, IN_DATA + l * P_WordW, P_WordW, o->data[l]);
        hd_bits_put(d.lanes_i, l * 32, 32, o->cmp[l]);
    }
}

static struct op random_op(void)
{
    struct op o;
    unsigned lines = 1 + (unsigned)hd_rand_below(hd_rand_below(2) ? 2 : P_Lanes);
    uint32_t base = (uint32_t)hd_rand() & ~(uint32_t)(4 * P_LineWords - 1);
    unsigned shape = (unsigned)hd_rand_below(3);
    bool apart = hd_rand_below(8) == 0; /* a line per lane */
    o.acc = hd_access_random();
    o.acc.warp = (unsigned)hd_rand_below(P_Warps);
    o.acc.slot = (unsigned)hd_rand_below(P_Slots);
    o.acc.kind = (unsigned)hd_rand_below(3);
    o.mask = (hd_rand_below(2) ? hd_rand() : UINT64_MAX) & ALL_LANES;
    o.mask = o.mask ? o.mask : UINT64_C(1) << hd_rand_below(P_Lanes);
    for (unsigned l = 0; l < P_Lanes; l++) {
        uint32_t step = shape == 0 ? l * 4 : shape == 1 ? 0 : 4 * (uint32_t)hd_rand_below(P_LineWords);
        /* lines of one operation differ in one low or one high bit, or in everything */
        uint32_t line = (uint32_t)hd_rand_below(lines);
        if (apart)
            line = l;
        else if (lines <= 2)
            line <<= hd_rand_below(2) * 20;
        o.addr[l] = base + (step + line * 4 * P_LineWords);
        o.data[l] = hd_rand() & (~UINT64_C(0) >> (64 - P_WordW));
        o.cmp[l] = (uint32_t)hd_rand();
    }
    return o;
}

static uint32_t line_of(uint32_t addr)
{
    return addr / (4 * P_LineWords);
}

static unsigned word_of(uint32_t addr)
{
    return addr / 4 % P_LineWords;
}

static bool whole(const struct op *o)
{
    return o->acc.space == HD_SPACE_LDS && !P_SplitLds;
}

/* Lanes the next access of an operation takes. */
static uint64_t next_lanes(const struct op *o, uint64_t remaining)
{
    const bool halves = o->acc.kind == HD_OP_ATOMIC && o->acc.space == HD_SPACE_GLOBAL;
    unsigned first = 0;
    uint64_t lanes = 0;

    if (whole(o))
        return remaining;
    while (!(remaining >> first & 1))
        first++;
    for (unsigned l = first; l < P_Lanes; l++)
        if (remaining >> l & 1 && line_of(o->addr[l]) == line_of(o->addr[first])
            && (!halves || l / HALF == first / HALF))
            lanes |= UINT64_C(1) << l;
    return lanes;
}

/* Checks the access at the output, which takes @lanes of the @remaining ones. Returns how many words were written by
 * more than one lane. */
static unsigned check_access(const struct op *o, uint64_t remaining, uint64_t lanes)
{
    uint64_t word[P_LineWords] = {0};
    uint64_t touched = 0;
    unsigned clashes = 0, first = 0;
    while (!(lanes >> first & 1))
        first++;
    struct hd_access acc = o->acc;

    assert_int_equal(*d.la_valid_o, 1);
    acc.last = lanes == remaining;
    assert_int_equal(hd_bits_get(d.la_acc_o, 0, HD_ACCESS_W), hd_access_pack(acc));
    if (!whole(o))
        assert_int_equal(hd_bits_get(d.la_body_o, LINE, LINE_W), line_of(o->addr[first]));
    assert_true(hd_bits_get(d.la_body_o, MASK, P_Lanes) == lanes);
    for (unsigned l = 0; l < P_Lanes; l++) {
        if (!(lanes >> l & 1))
            continue;
        unsigned off = word_of(o->addr[l]);
        assert_int_equal(hd_bits_get(d.la_body_o, OFFS + l * LINE_OFF_W, LINE_OFF_W), off);
        if (o->acc.space == HD_SPACE_LDS && LDS_W != 0)
            assert_int_equal(hd_bits_get(d.la_body_o, PLACE + l * LDS_W, LDS_W ? LDS_W : 1), o->addr[l] / 4 % (1u << LDS_W));
        clashes += touched >> off & 1;
        touched |= UINT64_C(1) << off;
        word[off] = o->data[l];
        if (o->acc.kind == HD_OP_ATOMIC || (o->acc.kind == HD_OP_STORE && o->acc.space == HD_SPACE_LDS))
            assert_int_equal(hd_bits_get(d.la_body_o, DATA + l * P_WordW, P_WordW), o->data[l]);
        if (o->acc.kind == HD_OP_ATOMIC)
            assert_int_equal(hd_bits_get(d.la_body_o, l * 32, 32), o->cmp[l]);
    }
    if (!whole(o))
        assert_int_equal(hd_bits_get(d.la_body_o, WMASK, P_LineWords), touched);
    if (o->acc.kind == HD_OP_STORE && o->acc.space == HD_SPACE_GLOBAL)
        for (unsigned w = 0; w < P_LineWords; w++)
            assert_int_equal(hd_bits_get(d.la_body_o, DATA + w * P_WordW, P_WordW), word[w]);
    return clashes;
}

static struct op one_line_op(unsigned warp)
{
    struct op o = random_op();
    o.acc.warp = warp;
    o.acc.kind = warp % 2 ? HD_OP_LOAD : HD_OP_STORE;
    o.acc.space = HD_SPACE_GLOBAL;
    o.mask = ALL_LANES;
    for (unsigned l = 0; l < P_Lanes; l++)
        o.addr[l] = warp * 4096 + l % P_LineWords * 4;
    return o;
}

static void one_line_operations_pass_one_per_cycle(void **state)
{
    (void)state;
    *d.la_ready_i = 1;
    hd_eval(d.m);
    assert_int_equal(*d.mem_ready_o, 1);
    assert_int_equal(*d.la_valid_o, 0);
    for (unsigned i = 0; i < 4; i++) {
        struct op o = one_line_op(i);
        pulse(&o);
        hd_eval(d.m);
        check_access(&o, o.mask, o.mask);
        assert_int_equal(*d.open_lanes_o, P_Lanes);
        assert_int_equal(*d.mem_ready_o, 1);
        hd_edge(d.m);
    }
    *d.issue_valid_i = 0;
    hd_eval(d.m);
    assert_int_equal(*d.la_valid_o, 0);
    assert_int_equal(*d.idle_o, 1);
}

static void an_lds_operation_is_one_access_unless_split(void **state)
{
    (void)state;
    struct op o = one_line_op(1);

    o.acc.space = HD_SPACE_LDS;
    for (unsigned l = 0; l < P_Lanes; l++) /* a line per lane */
        o.addr[l] = 4 * (P_LineWords * l + l % P_LineWords);
    *d.la_ready_i = 1;
    pulse(&o);
    for (uint64_t rest = o.mask; rest != 0;) {
        hd_eval(d.m);
        check_access(&o, rest, P_SplitLds ? rest & -rest : o.mask);
        rest &= P_SplitLds ? rest - 1 : 0;
        assert_int_equal(*d.mem_ready_o, rest == 0);
        hd_edge(d.m);
        *d.issue_valid_i = 0;
    }
    hd_eval(d.m);
    assert_int_equal(*d.la_valid_o, 0);
}

static void atomics_of_more_than_32_lanes_go_by_halves(void **state)
{
    (void)state;
    struct op o = one_line_op(1);

    o.acc.kind = HD_OP_ATOMIC;
    *d.la_ready_i = 1;
    pulse(&o);
    for (uint64_t rest = o.mask; rest != 0;) {
        const uint64_t half = rest & (rest & UINT32_MAX ? (uint64_t)UINT32_MAX : ~(uint64_t)UINT32_MAX);

        hd_eval(d.m);
        check_access(&o, rest, half);
        rest &= ~half;
        assert_int_equal(*d.mem_ready_o, rest == 0);
        hd_edge(d.m);
        *d.issue_valid_i = 0;
    }
    hd_eval(d.m);
    assert_int_equal(*d.la_valid_o, 0);
}

static void a_stalled_access_stands_and_keeps_the_pipe(void **state)
{
    (void)state;
    struct op o = one_line_op(1);
    pulse(&o);
    for (unsigned i = 0; i < 5; i++) {
        hd_eval(d.m);
        check_access(&o, o.mask, o.mask);
        assert_int_equal(*d.open_lanes_o, i == 0 ? P_Lanes : 0); /* once, stalled or not */
        assert_int_equal(*d.mem_ready_o, 0);
        hd_edge(d.m);
        *d.issue_valid_i = 0;
        assert_int_equal(*d.idle_o, 0);
    }
    *d.la_ready_i = 1;
    hd_eval(d.m);
    assert_int_equal(*d.mem_ready_o, 1);
    hd_edge(d.m);
    assert_int_equal(*d.la_valid_o, 0);
    assert_int_equal(*d.idle_o, 1);
}

static void a_fence_is_one_access_without_lanes(void **state)
{
    (void)state;
    struct op o = one_line_op(1);
    o.acc.kind = HD_OP_FENCE;
    pulse(&o);
    for (unsigned i = 0; i < 3; i++) { /* stands until it is taken */
        *d.la_ready_i = i == 2;
        hd_eval(d.m);
        assert_int_equal(*d.la_valid_o, 1);
        assert_int_equal(*d.open_lanes_o, i == 0);
        const struct hd_access got = hd_access_unpack(hd_bits_get(d.la_acc_o, 0, HD_ACCESS_W));
        assert_int_equal(got.kind, HD_OP_FENCE);
        assert_int_equal(got.last, 1);
        assert_int_equal(hd_bits_get(d.la_body_o, MASK, P_Lanes), 0);
        assert_int_equal(*d.mem_ready_o, i == 2);
        hd_edge(d.m);
        *d.issue_valid_i = 0;
    }
    hd_eval(d.m);
    assert_int_equal(*d.la_valid_o, 0);
}

static void lines_leave_in_first_lane_order(void **state)
{
    (void)state;
    struct op o = one_line_op(2);
    for (unsigned l = 0; l < P_Lanes; l++) /* lane 0 the highest line, lane 1 the lowest, two take turns */
        o.addr[l] = (l % 2 ? 0x1000u : 0x80000000u) + l * 4 % (4 * P_LineWords);
    const uint64_t even = UINT64_C(0x5555555555555555) & ALL_LANES, odd = even << 1;
    o.acc.kind = HD_OP_LOAD;
    *d.la_ready_i = 1;
    pulse(&o);
    hd_eval(d.m);
    check_access(&o, o.mask, even);
    assert_int_equal(*d.mem_ready_o, 0);
    hd_edge(d.m);
    *d.issue_valid_i = 0;
    hd_eval(d.m);
    check_access(&o, odd, odd);
    assert_int_equal(*d.mem_ready_o, 1);
    hd_edge(d.m);
    assert_int_equal(*d.la_valid_o, 0);
}

static void every_misuse_trips_an_assertion(void **state)
{
    (void)state;
    if (!hd_has_asserts(d.m))
        return;
    for (int misuse = 0; misuse < 4; misuse++) {
        struct op o = one_line_op(0);
        hd_reset(d.m);
        switch (misuse) {
        case 0: o.acc.kind = HD_OP_BARRIER; break;
        case 1: o.mask = 0; break;
        case 2: o.addr[P_Lanes - 1] |= 2; break;
        default: /* the pipe still holds one */
            pulse(&o);
            hd_eval(d.m);
            hd_edge(d.m);
        }
        hd_assert_clear(d.m);
        pulse(&o);
        hd_eval(d.m);
        hd_edge(d.m);
        if (hd_assert_failures(d.m) == 0)
            fprintf(stderr, "misuse %d was not noticed\n", misuse);
        assert_true(hd_assert_failures(d.m) > 0);
    }
    hd_assert_clear(d.m);
}

static void matches_a_c_coalescer_under_random_stalls(void **state)
{
    (void)state;
    struct op o = {0};
    uint64_t remaining = 0;
    unsigned ops = 0, back_to_back = 0, stalls = 0, clashes = 0, many = 0, all_apart = 0, kinds[3] = {0};
    bool may_issue = true;
    for (int i = 0; i < (P_Lanes > 32 ? 80000 : 20000); i++) { /* more lanes, longer operations */
        unsigned busy_phase = i / 1000 % 2;
        bool issue = may_issue && hd_rand_below(4) < (busy_phase ? 4u : 2u);
        unsigned accesses = 0;
        *d.issue_valid_i = 0;
        if (issue) {
            back_to_back += *d.la_valid_o;
            o = random_op();
            remaining = o.mask;
            pulse(&o);
            ops++;
            for (uint64_t r = o.mask; r; r &= ~next_lanes(&o, r))
                accesses++;
            many += accesses > 2;
            all_apart += accesses == P_Lanes;
            kinds[o.acc.kind]++;
        }
        bool ready = hd_rand_below(4) < (busy_phase ? 4u : 2u);
        *d.la_ready_i = ready;
        hd_eval(d.m);
        if (issue) {
            unsigned lanes = 0;
            for (unsigned l = 0; l < P_Lanes; l++)
                lanes += o.mask >> l & 1;
            assert_int_equal(*d.open_lanes_o, lanes);
        } else {
            assert_int_equal(*d.open_lanes_o, 0);
            assert_int_equal(*d.idle_o, remaining == 0);
        }
        if (remaining) {
            uint64_t lanes = next_lanes(&o, remaining);
            unsigned c = check_access(&o, remaining, lanes);
            clashes += c != 0 && o.acc.kind == HD_OP_STORE && o.acc.space == HD_SPACE_GLOBAL;
            stalls += !ready;
            if (ready)
                remaining &= ~lanes;
        } else {
            assert_int_equal(*d.la_valid_o, 0);
        }
        may_issue = remaining == 0;
        assert_int_equal(*d.mem_ready_o, may_issue);
        hd_edge(d.m);
    }
    assert_true(ops > 500 && stalls > 500 && clashes > 100 && many > 100);
    assert_true(kinds[0] > 100 && kinds[1] > 100 && kinds[2] > 100 && back_to_back > 100);
    assert_true(all_apart > 30);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(one_line_operations_pass_one_per_cycle, setup, teardown),
        cmocka_unit_test_setup_teardown(an_lds_operation_is_one_access_unless_split, setup, teardown),
        cmocka_unit_test_setup_teardown(atomics_of_more_than_32_lanes_go_by_halves, setup, teardown),
        cmocka_unit_test_setup_teardown(a_stalled_access_stands_and_keeps_the_pipe, setup, teardown),
        cmocka_unit_test_setup_teardown(a_fence_is_one_access_without_lanes, setup, teardown),
        cmocka_unit_test_setup_teardown(lines_leave_in_first_lane_order, setup, teardown),
        cmocka_unit_test_setup_teardown(every_misuse_trips_an_assertion, setup, teardown),
        cmocka_unit_test_setup_teardown(matches_a_c_coalescer_under_random_stalls, setup, teardown),
    };
    return HD_UNIT_MAIN(argc, argv, t);
}
