/* lds_tm_cases.h - the test of hd_lds_tm and, with IDEAL, of hd_lds_tm_ideal, which takes the passes' cycles and no more.
 * The includer defines DUT(x), name x of the module under test, IDEAL, and WIDTH_BODY, that of its accesses. */
enum {
    LANES = P_Lanes,
    BANKS = P_Banks,
    WORD_W = P_WordW,
    IN_DATA = LANES * 32, /* of in_body_i */
    IN_WORD = IN_DATA + LANES * WORD_W,
    IN_MASK = WIDTH_BODY - LANES,
    ADDR_W = (IN_MASK - IN_WORD) / LANES,
    CPL_MASK = LANES * WORD_W, /* of cpl_body_o */
    CPL = CPL_MASK + LANES,
    CPL_TCM = CPL + HD_COMPLETION_W,
    GHOSTS = P_WordW > 32,
    ROWS = P_TmRows
};
#define HW_WFS (P_TmWarps + (P_Warps > P_TmWarps)) /* the last one stands for all warps that have no transactions */
#define HW_LANES P_Lanes
#define HW_BANKS P_Banks
#define HW_ROWS P_TmRows
#define HW_HASH P_Hash
#define TM_BUG 0
static uint32_t compare[P_Lanes]; /* of an atomic */
#define HW_RMW(o, l, old) hd_amo_reference((o)->fn, old, (o)->data[l], compare[l])
#include "../reference/local_tm/tm_hw.h"

static struct DUT() d;
static struct hw h;
static bool written; /* every word has been */
static struct {
    uint64_t commits, aborts, falses, kills, again, modes[3], plain, racing, stalls;
} seen;

static int setup(void **state)
{
    (void)state;
    memset(&seen, 0, sizeof seen);
    written = false;
    hw_init(&h);
    DUT(_open)(&d);
    hd_reset(d.m);
    HD_PUT(d.perf_i, LDS_ANSWER_READY, 1);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static unsigned kind_of(unsigned kind)
{
    return kind == OP_LOAD ? HD_OP_LOAD : kind == OP_STORE ? HD_OP_STORE : kind == OP_RMW ? HD_OP_ATOMIC
           : kind == OP_TX_BEGIN ? HD_OP_TX_BEGIN : HD_OP_TX_COMMIT;
}

/* @copy: the words of a store are those of a copy. */
static void drive(const struct hw_op *o, unsigned warp, unsigned slot, bool copy)
{
    *d.in_valid_i = 1;
    hd_bits_put(d.in_acc_i, 0, HD_ACCESS_W, hd_access_pack((struct hd_access){
        .warp = warp, .slot = slot, .kind = copy ? HD_OP_COPY : kind_of(o->kind), .fn = o->fn}));
    hd_bits_put(d.in_body_i, IN_MASK, LANES, o->mask);
    for (unsigned l = 0; l < LANES; l++) {
        hd_bits_put(d.in_body_i, IN_WORD + l * ADDR_W, ADDR_W, o->row[l] * BANKS + o->bank[l]);
        hd_bits_put(d.in_body_i, IN_DATA + l * WORD_W, WORD_W, GHOSTS ? (uint64_t)o->ghost[l] << 32 | o->data[l] : o->data[l]);
        hd_bits_put(d.in_body_i, l * 32, 32, compare[l]);
    }
}

static void count_events(unsigned events[8], unsigned *accesses, unsigned *conflicts)
{
    for (unsigned e = 0; e < 8; e++)
        events[e] += HD_GET(d.ev_o, LDS_EV_TM) >> e & 1;
    *accesses += HD_GET(d.ev_o, LDS_EV_ACCESS);
    *conflicts += HD_GET(d.ev_o, LDS_EV_CONFLICT);
}

/* One operation on both; @stall: perf is not always taken at once. */
static struct hw_res run(const struct hw_op *o, bool stall)
{
    const struct hw_wf before = h.wf[o->wf];
    const bool inside = before.state == TX_RUN, special = o->kind == OP_TX_BEGIN || o->kind == OP_TX_COMMIT;
    const unsigned slot = (unsigned)hd_rand_below(1 << HD_SLOT_W);
    const unsigned warp = o->wf < P_TmWarps ? o->wf : P_TmWarps + (unsigned)hd_rand_below(P_Warps - P_TmWarps);
    const bool copy = o->kind == OP_STORE && !inside && hd_rand_below(4) == 0;
    struct hw_res r;
    unsigned cycles = 0;
    bool complete = false;
    unsigned events[8] = {0}, accesses = 0, conflicts = 0;

    for (unsigned w = 0; w < P_Warps; w++) /* who may begin is known before it is tried */
        assert_int_equal(hd_bits_get(d.hold_o, w, 1), w < P_TmWarps && hw_held(&h, (int)w));
    hw_op(&h, o, &r);
    assert_null(hw_invariant(&h));
    hd_eval(d.m);
    assert_int_equal(*d.idle_o, 1);
    drive(o, warp, slot, copy);
    for (bool taken = false; !taken; cycles++) {
        HD_PUT(d.perf_i, LDS_ANSWER_READY, !stall || hd_rand_below(2));
        hd_eval(d.m);
        const bool ready = *d.in_ready_o, last = hd_rand_below(2);
        assert_int_equal(*d.idle_o, 0);
        HD_PUT(d.perf_i, LDS_ANSWER_LAST, last);
        complete = last;
        taken = *d.perf_valid_o && HD_GET(d.perf_i, LDS_ANSWER_READY);
        if (*d.perf_valid_o) {
            assert_int_equal(HD_GET(d.perf_o, LDS_PERF_WARP), warp);
            assert_int_equal(HD_GET(d.perf_o, LDS_PERF_SLOT), slot);
            assert_int_equal(HD_GET(d.perf_o, LDS_PERF_LANES), hd_bits_count(o->mask));
            seen.stalls += !HD_GET(d.perf_i, LDS_ANSWER_READY);
        }
        if (!IDEAL && (inside || special))
            assert_int_equal(ready, taken);
        hd_edge(d.m);
        count_events(events, &accesses, &conflicts);
        if (ready)
            *d.in_valid_i = 0;
        assert_true(cycles < 100000);
    }
    if (!stall && IDEAL)
        assert_int_equal(cycles, r.base + 1);
    else if (!stall && P_Detect == 0) /* perf comes after all passes and the walk */
        assert_int_equal(cycles, r.base + r.version + r.walk + 1);
    assert_int_equal(*d.cpl_valid_o, 1);
    assert_int_equal(hd_bits_get(d.cpl_body_o, CPL + HD_COMPLETION_WARP_LSB, HD_COMPLETION_WARP_W), warp);
    assert_int_equal(hd_bits_get(d.cpl_body_o, CPL + HD_COMPLETION_SLOT_LSB, HD_COMPLETION_SLOT_W), slot);
    assert_int_equal(hd_bits_get(d.cpl_body_o, CPL + HD_COMPLETION_LAST_LSB, 1), complete);
    assert_int_equal(hd_bits_get(d.cpl_body_o, CPL_MASK, LANES), o->mask);
    assert_int_equal(hd_bits_get(d.cpl_body_o, CPL_TCM, LANES), r.again ? o->mask : r.abort);
    const unsigned status = (unsigned)hd_bits_get(d.cpl_body_o, CPL + HD_COMPLETION_STATUS_LSB, HD_COMPLETION_STATUS_W);
    assert_int_equal(status >> HD_STATUS_COPY & 1, copy);
    if (o->kind == OP_TX_BEGIN && !r.again)
        assert_int_equal(status & 3, r.mode);
    const uint64_t tcm = hd_bits_get(d.cpl_body_o, CPL_TCM, LANES), cpl = hd_bits_get(d.cpl_body_o, CPL, HD_COMPLETION_W);
    const mask_t lanes = inside ? o->mask & before.begin & ~r.abort : o->mask;
    for (unsigned l = 0; l < LANES && !special && written; l++)
        if ((lanes >> l & 1) && (GHOSTS || o->kind != OP_STORE))
            assert_int_equal(hd_bits_get(d.cpl_body_o, l * WORD_W, WORD_W),
                             GHOSTS ? (uint64_t)r.ghost[l] << 32 | r.value[l] : r.value[l]);
    hd_edge(d.m);
    count_events(events, &accesses, &conflicts);
    hd_edge(d.m); /* the last event */
    count_events(events, &accesses, &conflicts);
    assert_true(hd_bits_get(d.cpl_body_o, CPL_TCM, LANES) == tcm); /* registers: nothing has come behind it */
    assert_true(hd_bits_get(d.cpl_body_o, CPL, HD_COMPLETION_W) == cpl);
    /* Events: passes, of them in attempts; cycles of rows; of the walk of lanes that lost, of a commit, of a begin that is alone
     * (without the first one, which finds out whether there is anything to walk over); begins, commits. */
    const unsigned passes = special || (inside && (o->mask & before.begin & ~before.tcm) == 0) ? 0 : r.base;
    const unsigned walk = IDEAL ? 0 : o->kind == OP_TX_BEGIN && r.walk > 0 ? r.walk - 1 : r.walk;
    assert_int_equal(accesses, passes > 0);
    assert_int_equal(conflicts, passes > 0 ? passes - 1 : 0);
    assert_int_equal(events[0], inside ? passes : 0);
    assert_true(events[2] <= events[1] && events[1] <= events[0]);
    if (IDEAL || P_Detect == 0)
        assert_int_equal(events[1] + events[2], IDEAL ? 0 : r.version);
    assert_int_equal(events[3], special ? 0 : walk);
    assert_int_equal(events[4], o->kind == OP_TX_COMMIT ? walk : 0);
    assert_int_equal(events[5], o->kind == OP_TX_BEGIN ? walk : 0);
    assert_int_equal(events[6], o->kind == OP_TX_BEGIN);
    assert_int_equal(events[7], o->kind == OP_TX_COMMIT);
    seen.aborts += hd_bits_count(r.conflicts);
    seen.falses += hd_bits_count(r.falses);
    seen.again += r.again;
    seen.plain += !inside && !special;
    if (o->kind == OP_TX_BEGIN && !r.again)
        seen.modes[r.mode]++;
    if (o->kind == OP_TX_COMMIT) {
        seen.commits += hd_bits_count(o->mask & ~r.retry);
        seen.kills += before.killed;
    }
    return r;
}

static struct hw_op make(unsigned kind, unsigned wf, mask_t mask)
{
    struct hw_op o = {.kind = (uint8_t)kind, .wf = (uint8_t)wf, .mask = mask};

    for (unsigned l = 0; l < LANES; l++) {
        o.data[l] = (uint32_t)hd_rand();
        o.ghost[l] = (uint32_t)hd_rand();
    }
    return o;
}

/* Of an atomic: corners, any words, and the word that is there but for one bit or not: any bit decides a comparison. */
static void operands(struct hw_op *o, unsigned l)
{
    const uint32_t met = h.data[o->bank[l]][o->row[l]].value, near = met ^ UINT32_C(1) << hd_rand_below(32);

    compare[l] = hd_rand_below(2) ? met : hd_rand_below(2) ? near : hd_amo_random_operand();
    if (hd_rand_below(4) != 0)
        o->data[l] = hd_rand_below(3) ? near : hd_amo_random_operand();
}

static void write_all(void)
{
    for (unsigned row = 0; row < ROWS; row++)
        for (unsigned bank = 0; bank < BANKS; bank++) {
            struct hw_op o = make(OP_STORE, 0, 1);
            o.row[0] = (uint16_t)row;
            o.bank[0] = (uint16_t)bank;
            run(&o, false);
        }
    written = true;
}

static void read_all(void)
{
    for (unsigned row = 0; row < ROWS; row++)
        for (unsigned bank = 0; bank < BANKS; bank++) {
            struct hw_op o = make(OP_LOAD, 0, 1);
            o.row[0] = (uint16_t)row;
            o.bank[0] = (uint16_t)bank;
            run(&o, false);
        }
}

/* @banks, @rows: where accesses go; @plain: one in so many operations outside transactions is a plain access. */
static void random_program(unsigned operations, unsigned banks, unsigned rows, bool stall)
{
    unsigned left[HW_WFS] = {0};
    uint16_t bank[HW_WFS][LANES] = {{0}}, row[HW_WFS][LANES] = {{0}}; /* of the word a lane met last */

    for (unsigned i = 0, open = 0; i < operations || open != 0; i++) {
        const unsigned wf = (unsigned)hd_rand_below(HW_WFS);
        struct hw_wf *f = &h.wf[wf];
        const mask_t some = hd_bits_random_mask(LANES);

        assert_true(i < 50 * operations);
        if (f->state == TX_RUN) {
            if (left[wf] == 0) {
                struct hw_op o = make(OP_TX_COMMIT, wf, f->begin);
                open -= run(&o, stall).retry == 0;
                continue;
            }
            left[wf]--;
        } else if (wf < P_TmWarps && (f->state == TX_RETRY || (i < operations && hd_rand_below(4) != 0))) {
            struct hw_op o = make(OP_TX_BEGIN, wf, f->state == TX_RETRY ? f->begin : some);
            const bool fresh = f->state == TX_IDLE;
            if (!run(&o, stall).again) {
                open += fresh;
                left[wf] = (unsigned)hd_rand_below(5);
            }
            continue;
        }
        struct hw_op o = make((unsigned)hd_rand_below(3), wf, f->state == TX_RUN ? some & f->begin : some);
        o.fn = (uint8_t)hd_rand_below(HD_AMO_FUNCTIONS);
        if (o.mask == 0)
            continue;
        for (unsigned l = 0; l < LANES; l++) {
            if (!IDEAL || hd_rand_below(2)) { /* else it comes back, in an attempt to a word put aside */
                bank[wf][l] = (uint16_t)hd_rand_below(banks);
                row[wf][l] = (uint16_t)hd_rand_below(rows);
            }
            o.bank[l] = bank[wf][l];
            o.row[l] = row[wf][l];
            operands(&o, l);
        }
        run(&o, stall);
    }
}

static void random_programs_are_those_of_the_model(void **state)
{
    (void)state;
    write_all();
    for (unsigned i = 0; i < (IDEAL && LANES <= 8 ? 48 : IDEAL || LANES < 32 ? 12 : 8); i++)
        random_program(LANES > 32 ? 2000 : 1500, i % 2 ? BANKS : 1 + (unsigned)hd_rand_below(BANKS),
                       i % 4 < 2 ? ROWS : 1 + ROWS / 4, i % 4 == 3);
    read_all();
    assert_true(seen.commits > 100 && seen.aborts > 100 && seen.again > 0 && seen.plain > 100 && seen.stalls > 100);
    assert_true(seen.modes[MODE_TX] > 50 && seen.modes[MODE_WF] > 10 && seen.modes[MODE_WG] > 0 && seen.kills > 0);
    assert_true(seen.falses > 0 || P_Hash >= ROWS);
}

#if !IDEAL
struct CMUnitTest hd_lds_plain_case(unsigned i); /* lds_plain.c */
#endif

int main(int argc, char **argv)
{
    struct CMUnitTest tests[16] = {cmocka_unit_test_setup_teardown(random_programs_are_those_of_the_model, setup, teardown)};
    unsigned n = 1;

#if !IDEAL
    for (struct CMUnitTest more; (more = hd_lds_plain_case(n - 1)).name != NULL && n < 16;)
        tests[n++] = more;
#endif
    return hd_unit_main(argc, argv, tests, n);
}
