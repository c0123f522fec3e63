/* test_mcm.c - the memory-model checker: hand-made executions of the litmus shapes, faults injected into valid logs,
 * random interleavings, the streaming interface, race detection and the log file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "check/evlog.h"
#include "check/mcm.h"
#include "hd_pkg.h"
#include "port.h"

/* ---- a log by hand: everything overlaps in time unless at() says otherwise -------------------------------------- */

enum { MOST = 80, X = 0x1000, Y = 0x2000, Z = 0x3000, TEST_SMS = 4 };

static struct {
    struct hd_event e[MOST];
    unsigned n, po[TEST_SMS][4], ids[TEST_SMS], same_warp;
} h;

static void begin(void)
{
    memset(&h, 0, sizeof h);
}

/* Thread t is warp 0, lane 0 of SM t and its own block; threads 10 + l are lanes l of SM 0's warp 1; 20 + w are
 * warps w of SM 1, in block 1. */
static struct hd_event *op(unsigned t, unsigned kind, uint32_t addr)
{
    unsigned sm = t < 10 ? t : t >= 20, warp = t < 10 ? 0 : t < 20 ? 1 : t - 20, lane = t >= 10 && t < 20 ? t - 10 : 0;
    struct hd_event *e = &h.e[h.n++];
    *e = (struct hd_event){.id = h.ids[sm]++ * TEST_SMS + sm + 1, .tid = sm << 16 | warp << 8 | lane,
                           .po = h.po[sm][warp]++, .addr = addr, .kind = (uint8_t)kind, .scope = HD_SCOPE_DEVICE,
                           .t_issue = 100, .t_done = 200, .block = sm};
    return e;
}

static uint32_t st(unsigned t, uint32_t addr, uint32_t value, uint32_t over)
{
    struct hd_event *e = op(t, HD_EVK_ST, addr);
    e->wval = value;
    e->over = over;
    return e->id;
}

static uint32_t value_of(uint32_t id)
{
    for (unsigned i = 0; i < h.n; i++)
        if (h.e[i].id == id)
            return h.e[i].wval;
    return 0;
}

static uint32_t ld(unsigned t, uint32_t addr, uint32_t src)
{
    struct hd_event *e = op(t, HD_EVK_LD, addr);
    e->src = src;
    e->rval = value_of(src);
    return e->id;
}

static uint32_t rmw(unsigned t, uint32_t addr, uint32_t add, uint32_t src)
{
    struct hd_event *e = op(t, HD_EVK_RMW, addr);
    e->src = e->over = src;
    e->rval = value_of(src);
    e->wval = e->rval + add;
    e->order = HD_EV_ATOMIC;
    return e->id;
}

static void fence(unsigned t, unsigned order, unsigned scope)
{
    struct hd_event *e = op(t, HD_EVK_FENCE, 0);
    e->order = (uint8_t)order;
    e->scope = (uint8_t)scope;
}

/* The last operation: annotated; at these cycles; depending on that load. */
static void sync(unsigned order, unsigned scope)
{
    h.e[h.n - 1].order = (uint8_t)(HD_EV_ATOMIC | order);
    h.e[h.n - 1].scope = (uint8_t)scope;
}
static void at(uint32_t issue, uint32_t done)
{
    h.e[h.n - 1].t_issue = issue;
    h.e[h.n - 1].t_done = done;
}
static void dep(uint32_t id)
{
    h.e[h.n - 1].dep = id;
}

static struct hd_mcm_violation last; /* of the last judge() */

static struct hd_mcm_violation judge_once(enum hd_mcm_model model, const struct hd_event *e)
{
    struct hd_mcm *m = hd_mcm_new(&(struct hd_mcm_options){.model = model, .sms = TEST_SMS, .single_writer = true});
    assert_non_null(m);
    hd_mcm_add(m, e, h.n);
    hd_mcm_finish(m, h.ids);
    const struct hd_mcm_violation *v = hd_mcm_violation(m);
    struct hd_mcm_violation copy = v ? *v : (struct hd_mcm_violation){0};
    hd_mcm_free(m);
    return copy;
}

/* What overlaps may complete in any order: the verdict is the same, whether that order is a witness or not. */
static void judge_in_other_orders(enum hd_mcm_model model)
{
    static uint32_t x = 1;
    struct hd_event e[MOST];

    for (unsigned turn = 0; turn < 300 && h.n < 12; turn++) {
        memcpy(e, h.e, sizeof e);
        for (unsigned i = 0; i < h.n; i++) {
            x = x * UINT32_C(1664525) + 1013904223;
            if (e[i].t_issue == 100 && e[i].t_done == 200)
                e[i].t_done -= (x >> 16) % 100;
        }
        struct hd_mcm_violation v = judge_once(model, e);
        if (v.kind != last.kind)
            fail_msg("%s: %s; in another order of completion: %s", hd_mcm_name(model), last.text, v.text);
    }
}

static enum hd_mcm_kind judge(enum hd_mcm_model model)
{
    last = judge_once(model, h.e);
    judge_in_other_orders(model);
    return last.kind;
}

#define FULL HD_ORD_SEQ_CST
#define DEV HD_SCOPE_DEVICE
#define WG HD_SCOPE_WG
static const enum hd_mcm_kind YES = HD_MCM_ALLOWED, NO = HD_MCM_CYCLE;

/* Judges the execution under SC, TSO, RMO. */
#define expect(sc, tso, rmo)                          \
    do {                                              \
        assert_int_equal(judge(HD_MCM_SC), sc);       \
        assert_int_equal(judge(HD_MCM_TSO), tso);     \
        assert_int_equal(judge(HD_MCM_RMO), rmo);     \
    } while (0)

/* ---- litmus shapes: the weak outcome of each -------------------------------------------------------------------- */

static void store_buffering(void **state)
{
    (void)state;
    for (int fences = 0; fences < 2; fences++) {
        begin();
        st(0, X, 1, 0);
        if (fences)
            fence(0, FULL, DEV);
        ld(0, Y, 0);
        st(1, Y, 1, 0);
        if (fences)
            fence(1, FULL, DEV);
        ld(1, X, 0);
        if (fences)
            expect(NO, NO, NO);
        else
            expect(NO, YES, YES);
    }
}

static void store_buffering_one_fence_or_acquire_release(void **state)
{
    (void)state;
    begin();
    st(0, X, 1, 0);
    fence(0, FULL, DEV);
    ld(0, Y, 0);
    st(1, Y, 1, 0);
    ld(1, X, 0);
    expect(NO, YES, YES);
    for (int strong = 0; strong < 2; strong++) {
        unsigned rel = strong ? HD_ORD_SEQ_CST : HD_ORD_RELEASE, acq = strong ? HD_ORD_SEQ_CST : HD_ORD_ACQUIRE;
        begin();
        st(0, X, 1, 0);
        sync(rel, DEV);
        ld(0, Y, 0);
        sync(acq, DEV);
        st(1, Y, 1, 0);
        sync(rel, DEV);
        ld(1, X, 0);
        sync(acq, DEV);
        expect(NO, NO, NO);
    }
}

static void store_buffering_with_rmw_or_barrier(void **state)
{
    (void)state;
    begin();
    st(0, X, 1, 0);
    rmw(0, Z, 1, 0);
    ld(0, Y, 0);
    st(1, Y, 1, 0);
    rmw(1, Z + 4, 1, 0);
    ld(1, X, 0);
    expect(NO, NO, YES);
}

static void message_passing(void **state)
{
    (void)state;
    static const struct {
        unsigned first, second; /* orders of the fences, 0 = none */
        unsigned scope;
        enum hd_mcm_kind rmo;
    } c[] = {{0, 0, DEV, HD_MCM_ALLOWED},
             {FULL, 0, DEV, HD_MCM_ALLOWED},
             {0, FULL, DEV, HD_MCM_ALLOWED},
             {FULL, FULL, DEV, HD_MCM_CYCLE},
             {FULL, FULL, WG, HD_MCM_ALLOWED}, /* different blocks */
             {HD_ORD_RELEASE, HD_ORD_ACQUIRE, DEV, HD_MCM_CYCLE},
             {HD_ORD_ACQUIRE, HD_ORD_RELEASE, DEV, HD_MCM_ALLOWED}};
    for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
        begin();
        st(0, X, 1, 0);
        if (c[i].first)
            fence(0, c[i].first, c[i].scope);
        uint32_t flag = st(0, Y, 1, 0);
        ld(1, Y, flag);
        if (c[i].second)
            fence(1, c[i].second, c[i].scope);
        ld(1, X, 0);
        expect(NO, NO, c[i].rmo);
    }
}

static void message_passing_acquire_release_and_scopes(void **state)
{
    (void)state;
    for (int same = 0; same < 2; same++) {
        for (unsigned scope = WG; scope <= DEV; scope++) {
            begin();
            unsigned a = same ? 20 : 0, b = same ? 21 : 1; /* two warps of one block, or two SMs */
            st(a, X, 1, 0);
            uint32_t flag = st(a, Y, 1, 0);
            sync(HD_ORD_RELEASE, scope);
            ld(b, Y, flag);
            sync(HD_ORD_ACQUIRE, scope);
            ld(b, X, 0);
            expect(NO, NO, same || scope == DEV ? NO : YES);
        }
    }
}

static void dependencies_order_loads_and_stores(void **state)
{
    (void)state;
    begin(); /* MP with release and an address dependency */
    st(0, X, 1, 0);
    fence(0, HD_ORD_RELEASE, DEV);
    uint32_t flag = st(0, Y, 1, 0);
    uint32_t r = ld(1, Y, flag);
    ld(1, X, 0);
    dep(r);
    expect(NO, NO, NO);

    for (int deps = 0; deps < 3; deps++) { /* LB */
        begin();
        uint32_t a = ld(0, X, 0);
        uint32_t x = st(0, Y, 1, 0);
        if (deps > 0)
            dep(a);
        uint32_t b = ld(1, Y, x);
        uint32_t y = st(1, X, 1, 0);
        if (deps > 1)
            dep(b);
        h.e[0].src = y;
        h.e[0].rval = 1;
        expect(NO, NO, deps > 1 ? NO : YES);
    }
}

static void out_of_thin_air_through_own_store(void **state)
{
    (void)state;
    begin(); /* the value travels through a store the thread itself reads back */
    uint32_t a = ld(0, X, 0);
    uint32_t z = st(0, Z, 1, 0);
    dep(a);
    uint32_t b = ld(0, Z, z);
    uint32_t y = st(0, Y, 1, 0);
    dep(b);
    uint32_t c = ld(1, Y, y);
    uint32_t x = st(1, X, 1, 0);
    dep(c);
    h.e[0].src = x;
    h.e[0].rval = 1;
    expect(NO, NO, NO);
}

static void s_r_2_plus_2w(void **state)
{
    (void)state;
    begin(); /* S: st x 2; st y 1 | ld y 1; st x 1, x ends 2 */
    st(0, X, 2, 0);
    uint32_t y = st(0, Y, 1, 0);
    ld(1, Y, y);
    h.e[0].over = st(1, X, 1, 0);
    expect(NO, NO, YES);

    begin(); /* R: st x 1; st y 1 | st y 2; ld x 0, y ends 2 */
    st(0, X, 1, 0);
    y = st(0, Y, 1, 0);
    st(1, Y, 2, y);
    ld(1, X, 0);
    expect(NO, YES, YES);

    begin(); /* 2+2W */
    st(0, X, 1, 0);
    uint32_t b = st(0, Y, 2, 0);
    st(1, Y, 1, b);
    uint32_t d = st(1, X, 2, 0);
    h.e[0].over = d;
    expect(NO, NO, YES);
}

static void causality_shapes(void **state)
{
    (void)state;
    for (int fences = 0; fences < 2; fences++) {
        begin(); /* WRC */
        uint32_t x = st(0, X, 1, 0);
        uint32_t a = ld(1, X, x);
        if (fences)
            fence(1, FULL, DEV);
        uint32_t y = st(1, Y, 1, 0);
        uint32_t b = ld(2, Y, y);
        if (fences)
            fence(2, FULL, DEV);
        ld(2, X, 0);
        (void)a, (void)b;
        expect(NO, NO, fences ? NO : YES);

        begin(); /* IRIW */
        x = st(0, X, 1, 0);
        y = st(1, Y, 1, 0);
        ld(2, X, x);
        if (fences)
            fence(2, FULL, DEV);
        ld(2, Y, 0);
        ld(3, Y, y);
        if (fences)
            fence(3, FULL, DEV);
        ld(3, X, 0);
        expect(NO, NO, fences ? NO : YES);

        begin(); /* RWC */
        x = st(0, X, 1, 0);
        ld(1, X, x);
        if (fences)
            fence(1, FULL, DEV);
        ld(1, Y, 0);
        st(2, Y, 1, 0);
        if (fences)
            fence(2, FULL, DEV);
        ld(2, X, 0);
        expect(NO, fences ? NO : YES, fences ? NO : YES);

        begin(); /* ISA2 */
        st(0, X, 1, 0);
        if (fences)
            fence(0, FULL, DEV);
        y = st(0, Y, 1, 0);
        ld(1, Y, y);
        if (fences)
            fence(1, FULL, DEV);
        uint32_t z = st(1, Z, 1, 0);
        ld(2, Z, z);
        if (fences)
            fence(2, FULL, DEV);
        ld(2, X, 0);
        expect(NO, NO, fences ? NO : YES);
    }
}

static void one_word_is_coherent_under_every_model(void **state)
{
    (void)state;
    begin(); /* CoRR: new then old */
    uint32_t x = st(0, X, 1, 0);
    ld(1, X, x);
    ld(1, X, 0);
    expect(NO, NO, NO);
    begin(); /* CoWW */
    uint32_t a = st(0, X, 1, 0);
    uint32_t b = st(0, X, 2, 0);
    h.e[0].over = b;
    (void)a;
    expect(NO, NO, NO);
    begin(); /* CoWR: reads older than its own */
    a = st(0, X, 1, 0);
    ld(0, X, 0);
    expect(NO, NO, NO);
    begin(); /* CoRW1: reads its own later store */
    ld(0, X, 0);
    a = st(0, X, 1, 0);
    h.e[0].src = a;
    h.e[0].rval = 1;
    expect(NO, NO, NO);
    begin(); /* CoRW2: its store comes before what it read */
    x = st(1, X, 1, 0);
    ld(0, X, x);
    a = st(0, X, 2, 0);
    h.e[0].over = a;
    expect(NO, NO, NO);
}

static void own_stores_are_seen_early_under_tso(void **state)
{
    (void)state;
    begin(); /* SB+rfi: n6 of x86 */
    uint32_t x = st(0, X, 1, 0);
    ld(0, X, x);
    ld(0, Y, 0);
    uint32_t y = st(1, Y, 1, 0);
    ld(1, Y, y);
    ld(1, X, 0);
    expect(NO, YES, YES);
}

static void lanes_of_a_warp_are_threads(void **state)
{
    (void)state;
    begin();
    st(10, X, 1, 0);
    ld(11, Y, 0);
    st(12, Y, 1, 0);
    ld(13, X, 0);
    expect(YES, YES, YES); /* four threads */
    begin();
    st(10, X, 1, 0);
    ld(10, Y, 0);
    st(11, Y, 1, 0);
    ld(11, X, 0);
    expect(NO, YES, YES);
}

/* Lanes 0 and 32 of a warp: with fences between, of which there is one record for the warp. */
static void lanes_above_31_are_threads_too(void **state)
{
    (void)state;
    for (int fences = 0; fences < 2; fences++) {
        begin();
        st(10, X, 1, 0);
        st(11, Y, 1, 0);
        if (fences)
            fence(10, HD_ORD_ACQ_REL, HD_SCOPE_DEVICE);
        ld(10, Y, 0);
        ld(11, X, 0);
        for (unsigned k = 0; k < h.n; k++)
            h.e[k].tid ^= (h.e[k].tid & 1) * 33;
        enum hd_mcm_kind want = fences ? NO : YES;
        expect(NO, want, want);
    }
}

static void barriers_order_a_block(void **state)
{
    (void)state;
    for (int fences = 0; fences < 2; fences++) {
        begin();
        st(20, X, 1, 0);
        if (fences)
            fence(20, HD_ORD_RELEASE, WG);
        op(20, HD_EVK_BAR, 0);
        at(150, 150);
        op(21, HD_EVK_BAR, 0);
        at(150, 150);
        ld(21, X, 0);
        expect(NO, NO, fences ? NO : YES); /* RMO: a barrier orders no accesses by itself */
    }
    begin(); /* two barriers are two */
    st(20, X, 1, 0);
    op(20, HD_EVK_BAR, 0);
    at(150, 150);
    op(21, HD_EVK_BAR, 0);
    at(160, 160);
    ld(21, X, 0);
    expect(YES, YES, YES);
}

static void rmw_and_real_time(void **state)
{
    (void)state;
    begin(); /* two increments */
    uint32_t a = rmw(0, X, 1, 0);
    rmw(1, X, 1, a);
    expect(YES, YES, YES);
    begin(); /* both read 0 */
    rmw(0, X, 1, 0);
    rmw(1, X, 1, 0);
    expect(HD_MCM_DATA, HD_MCM_DATA, HD_MCM_DATA);
    begin(); /* RMW that reads one and overwrites another */
    a = st(0, X, 1, 0);
    uint32_t b = st(1, X, 2, a);
    rmw(2, X, 1, a);
    h.e[2].over = b;
    expect(HD_MCM_DATA, HD_MCM_DATA, HD_MCM_DATA);

    begin(); /* stale: the load was issued after the store was done */
    st(0, X, 1, 0);
    at(10, 20);
    ld(1, X, 0);
    at(30, 40);
    expect(HD_MCM_STALE, HD_MCM_STALE, HD_MCM_STALE);
    assert_int_equal(last.steps, 2);
    assert_int_equal(last.first, 10);
    assert_int_equal(last.last, 40);
    begin(); /* ... after another thread had read it */
    a = st(0, X, 1, 0);
    at(10, 1000);
    ld(1, X, a);
    at(15, 20);
    ld(2, X, 0);
    at(30, 40);
    expect(HD_MCM_STALE, HD_MCM_STALE, HD_MCM_STALE);
    begin(); /* a store that lands before one that was done when it was issued */
    a = st(0, X, 1, 0);
    at(10, 20);
    b = st(1, X, 2, 0);
    at(30, 40);
    h.e[0].over = b;
    expect(HD_MCM_DATA, HD_MCM_DATA, HD_MCM_DATA);
    begin(); /* ... or before one that was seen when it was issued */
    a = st(0, X, 1, 0);
    at(10, 1000);
    ld(1, X, a);
    at(15, 20);
    b = st(2, X, 2, 0);
    at(30, 40);
    h.e[0].over = b;
    expect(HD_MCM_STALE, HD_MCM_STALE, HD_MCM_STALE);
}

/* ---- the report ------------------------------------------------------------------------------------------------- */

static void the_cycle_reported_is_the_shortest(void **state)
{
    (void)state;
    begin();
    for (unsigned i = 0; i < 10; i++)
        ld(0, Z, 0);
    st(0, X, 1, 0);
    for (unsigned i = 0; i < 10; i++)
        ld(0, Z, 0);
    uint32_t y = st(0, Y, 1, 0);
    ld(1, Y, y);
    for (unsigned i = 0; i < 10; i++)
        ld(1, Z, 0);
    ld(1, X, 0);
    ld(1, X, 0);
    assert_int_equal(judge(HD_MCM_SC), HD_MCM_CYCLE);
    assert_int_equal(last.steps, 4);
    unsigned po = 0, rf = 0, fr = 0;
    for (unsigned i = 0; i < 4; i++) {
        po += last.step[i].next == HD_MCM_PO;
        rf += last.step[i].next == HD_MCM_RF;
        fr += last.step[i].next == HD_MCM_FR;
    }
    assert_int_equal(po, 2);
    assert_int_equal(rf, 1);
    assert_int_equal(fr, 1);
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    hd_mcm_print(&last, f);
    fclose(f);
    assert_non_null(strstr(text, "store [0x00002000] writes 0x1"));
    assert_non_null(strstr(text, "--> rf"));
    assert_non_null(strstr(text, "cycles 100..200"));
    free(text);
}

/* A log of somebody else may hold anything. */
static void a_record_of_an_unknown_kind_is_printed(void **state)
{
    (void)state;
    begin();
    op(0, HD_EVK_LD, X)->kind = 139;
    assert_int_equal(judge(HD_MCM_SC), HD_MCM_LOG);
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    hd_mcm_print(&last, f);
    fclose(f);
    assert_non_null(strstr(text, " unknown "));
    free(text);
}

/* ---- races ------------------------------------------------------------------------------------------------------ */

#define races(drf, direct, indirect)                            \
    do {                                                        \
        assert_int_equal(judge(HD_MCM_DRF), drf);               \
        assert_int_equal(judge(HD_MCM_HRF_DIRECT), direct);     \
        assert_int_equal(judge(HD_MCM_HRF_INDIRECT), indirect); \
    } while (0)
static const enum hd_mcm_kind RACE = HD_MCM_RACE;

static void races_need_synchronisation_of_one_scope(void **state)
{
    (void)state;
    begin(); /* MP without synchronisation, in order */
    uint32_t x = st(0, X, 1, 0);
    uint32_t y = st(0, Y, 1, 0);
    ld(1, Y, y);
    ld(1, X, x);
    races(RACE, RACE, RACE);

    static const struct {
        unsigned rel, acq;
        bool same_block;
        enum hd_mcm_kind drf, hrf;
    } c[] = {{DEV, DEV, false, HD_MCM_ALLOWED, HD_MCM_ALLOWED}, {WG, WG, false, HD_MCM_ALLOWED, HD_MCM_RACE},
             {WG, WG, true, HD_MCM_ALLOWED, HD_MCM_ALLOWED},    {WG, DEV, true, HD_MCM_ALLOWED, HD_MCM_RACE},
             {DEV, WG, true, HD_MCM_ALLOWED, HD_MCM_RACE}};
    for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
        unsigned a = c[i].same_block ? 20 : 0, b = c[i].same_block ? 21 : 1;
        begin();
        x = st(a, X, 1, 0);
        y = st(a, Y, 1, 0);
        sync(HD_ORD_RELEASE, c[i].rel);
        ld(b, Y, y);
        sync(HD_ORD_ACQUIRE, c[i].acq);
        ld(b, X, x);
        races(c[i].drf, c[i].hrf, c[i].hrf);
    }
}

static void fences_synchronise_through_atomics(void **state)
{
    (void)state;
    for (int acquire = 0; acquire < 2; acquire++) {
        begin();
        uint32_t x = st(0, X, 1, 0);
        fence(0, HD_ORD_RELEASE, DEV);
        uint32_t y = st(0, Y, 1, 0);
        sync(HD_ORD_RELAXED, DEV);
        ld(1, Y, y);
        sync(HD_ORD_RELAXED, DEV);
        if (acquire)
            fence(1, HD_ORD_ACQUIRE, DEV);
        ld(1, X, x);
        enum hd_mcm_kind k = acquire ? YES : RACE;
        races(k, k, k);
    }
}

static void indirect_causality_crosses_scopes(void **state)
{
    (void)state;
    begin(); /* block 1: warp 0 to warp 1 at WG scope, warp 1 to SM 2 at device scope */
    uint32_t x = st(20, X, 1, 0);
    uint32_t y = st(20, Y, 1, 0);
    sync(HD_ORD_RELEASE, WG);
    ld(21, Y, y);
    sync(HD_ORD_ACQUIRE, WG);
    uint32_t z = st(21, Z, 1, 0);
    sync(HD_ORD_RELEASE, DEV);
    ld(2, Z, z);
    sync(HD_ORD_ACQUIRE, DEV);
    ld(2, X, x);
    races(YES, RACE, YES);
}

static void barriers_and_kernels_order_everything(void **state)
{
    (void)state;
    begin();
    uint32_t x = st(20, X, 1, 0);
    op(20, HD_EVK_BAR, 0);
    at(250, 250);
    op(21, HD_EVK_BAR, 0);
    at(250, 250);
    ld(21, X, x);
    at(251, 260);
    races(YES, YES, YES);

    for (int epoch = 0; epoch < 2; epoch++) {
        begin();
        x = st(0, X, 1, 0);
        at(10, 20);
        ld(1, X, x);
        at(30, 40);
        struct hd_mcm *m = hd_mcm_new(&(struct hd_mcm_options){.model = HD_MCM_DRF, .sms = TEST_SMS, .single_writer = true});
        hd_mcm_add(m, h.e, 1);
        if (epoch)
            hd_mcm_epoch(m, 25);
        else
            hd_mcm_advance(m, 25);
        hd_mcm_add(m, h.e + 1, 1);
        assert_int_equal(hd_mcm_finish(m, h.ids), epoch);
        hd_mcm_free(m);
    }
}

static void a_race_excuses_what_is_not_sc(void **state)
{
    (void)state;
    begin(); /* weak SB: a race */
    st(0, X, 1, 0);
    ld(0, Y, 0);
    st(1, Y, 1, 0);
    ld(1, X, 0);
    races(RACE, RACE, RACE);
    begin(); /* properly synchronised MP that returns the old word: a wrong machine */
    st(0, X, 1, 0);
    uint32_t y = st(0, Y, 1, 0);
    sync(HD_ORD_RELEASE, DEV);
    ld(1, Y, y);
    sync(HD_ORD_ACQUIRE, DEV);
    at(201, 210);
    ld(1, X, 0);
    at(211, 220);
    assert_int_equal(judge(HD_MCM_DRF), HD_MCM_STALE);
}

/* ---- relaxed machines: ENV ---------------------------------------------------------------------------------------- */

static struct {
    struct hd_event e[MOST];
    unsigned n;
} puts_made;

/* An L2 puts write @id in the place of @over. */
static void put(uint32_t addr, uint32_t id, uint32_t over)
{
    puts_made.e[puts_made.n++] = (struct hd_event){.kind = HD_EVK_PUT, .id = id, .over = over, .addr = addr,
                                                   .wval = value_of(id), .t_issue = 300, .t_done = 300};
}

static void begin_env(void)
{
    begin();
    puts_made.n = 0;
}

/* Judged with the puts by the models of drf and of hrf. */
static void env(enum hd_mcm_kind drf, enum hd_mcm_kind hrf)
{
    const enum hd_mcm_kind expected[] = {drf, hrf};

    for (int k = 0; k < 2; k++) {
        struct hd_mcm *m = hd_mcm_new(&(struct hd_mcm_options){.model = k ? HD_MCM_ENV_INDIRECT : HD_MCM_ENV, .sms = TEST_SMS,
                                                               .puts = true});
        assert_non_null(m);
        hd_mcm_add(m, puts_made.e, puts_made.n / 2); /* they may come before and behind */
        hd_mcm_add(m, h.e, h.n);
        hd_mcm_add(m, puts_made.e + puts_made.n / 2, puts_made.n - puts_made.n / 2);
        hd_mcm_finish(m, h.ids);
        const struct hd_mcm_violation *v = hd_mcm_violation(m);
        enum hd_mcm_kind kind = v != NULL ? v->kind : HD_MCM_ALLOWED;
        if (kind != expected[k])
            fail_msg("%s: %s", hd_mcm_name(k ? HD_MCM_ENV_INDIRECT : HD_MCM_ENV), v != NULL ? v->text : "allowed");
        hd_mcm_free(m);
    }
}

static void stale_words_are_allowed_until_an_acquire(void **state)
{
    (void)state;
    for (int acquires = 0; acquires < 2; acquires++) {
        begin_env(); /* MP: the reader's word is old */
        uint32_t x = st(0, X, 1, 0);
        uint32_t y = st(0, Y, 1, 0);
        sync(HD_ORD_RELEASE, DEV);
        ld(1, Y, y);
        sync(acquires ? HD_ORD_ACQUIRE : HD_ORD_RELAXED, DEV);
        ld(1, X, 0);
        put(X, x, 0);
        put(Y, y, 0);
        env(acquires ? HD_MCM_CYCLE : YES, acquires ? HD_MCM_CYCLE : YES);
    }
    begin_env(); /* SB, LB, and two loads of one word out of order */
    uint32_t x = st(0, X, 1, 0), y;
    ld(0, Y, 0);
    y = st(1, Y, 1, 0);
    ld(1, X, 0);
    ld(2, X, x);
    ld(2, X, 0);
    put(X, x, 0);
    put(Y, y, 0);
    env(YES, YES);
}

static void scopes_count_under_hrf_only(void **state)
{
    (void)state;
    begin_env(); /* MP with synchronization of thread blocks, across them */
    uint32_t x = st(0, X, 1, 0), y = st(0, Y, 1, 0);
    sync(HD_ORD_RELEASE, WG);
    ld(1, Y, y);
    sync(HD_ORD_ACQUIRE, WG);
    ld(1, X, 0);
    put(X, x, 0);
    put(Y, y, 0);
    env(HD_MCM_CYCLE, YES);
    begin_env(); /* what came by local synchronization is published with the rest */
    x = st(20, X, 1, 0);
    y = st(20, Y, 1, 0);
    sync(HD_ORD_RELEASE, WG);
    ld(21, Y, y);
    sync(HD_ORD_ACQUIRE, WG);
    uint32_t z = st(21, Z, 1, 0);
    sync(HD_ORD_RELEASE, DEV);
    ld(2, Z, z);
    sync(HD_ORD_ACQUIRE, DEV);
    ld(2, X, 0);
    put(X, x, 0);
    put(Y, y, 0);
    put(Z, z, 0);
    env(HD_MCM_CYCLE, HD_MCM_CYCLE);
}

static void a_lane_sees_its_own_accesses_in_order(void **state)
{
    (void)state;
    begin_env(); /* CoWR */
    uint32_t x = st(0, X, 1, 0);
    ld(0, X, 0);
    put(X, x, 0);
    env(HD_MCM_CYCLE, HD_MCM_CYCLE);
    begin_env(); /* CoRW: it reads what comes behind its own write */
    x = st(1, X, 1, 0);
    ld(0, X, x);
    uint32_t own = st(0, X, 2, 0);
    put(X, own, 0);
    put(X, x, own);
    env(HD_MCM_CYCLE, HD_MCM_CYCLE);
    begin_env(); /* CoWW */
    x = st(0, X, 1, 0);
    own = st(0, X, 2, 0);
    put(X, own, 0);
    put(X, x, own);
    env(HD_MCM_CYCLE, HD_MCM_CYCLE);
}

static void what_a_lane_acquires_orders_the_instructions_behind(void **state)
{
    (void)state;
    for (int behind = 0; behind < 2; behind++) {
        begin_env(); /* a load before a release reads an atomic of the warp that acquires it, in another lane or before */
        ld(1, X, 0);
        uint32_t y = st(1, Y, 1, 0);
        sync(HD_ORD_RELEASE, DEV);
        uint32_t first = st(2, Z, 1, 0); /* a chain, for the atomic on X to be judged last */
        sync(HD_ORD_RELEASE, DEV);
        ld(3, Z, first);
        sync(HD_ORD_ACQUIRE, DEV);
        uint32_t second = st(3, Z + 4, 1, 0);
        sync(HD_ORD_RELEASE, DEV);
        ld(0, Z + 4, second);
        sync(HD_ORD_ACQUIRE, DEV);
        uint32_t between = rmw(0, X, 7, 0);
        sync(HD_ORD_RELAXED, DEV);
        uint32_t z = rmw(11, Y, 1, y);
        sync(HD_ORD_ACQ_REL, DEV);
        uint32_t x = rmw(10, X, 1, between);
        sync(HD_ORD_ACQ_REL, DEV);
        if (!behind) /* both are of one instruction */
            h.e[h.n - 1].po = h.e[h.n - 2].po;
        h.e[0].src = x;
        h.e[0].rval = 8;
        put(Y, y, 0);
        put(Y, z, y);
        put(Z, first, 0);
        put(Z + 4, second, 0);
        put(X, between, 0);
        put(X, x, between);
        env(behind ? HD_MCM_CYCLE : YES, behind ? HD_MCM_CYCLE : YES);
    }
}

/* What a lane releases is what came before the instruction and its own access. */
static void lanes_of_an_instruction_release_on_their_own(void **state)
{
    (void)state;
    for (int before = 0; before < 2; before++) {
        begin_env(); /* the other lane's store goes behind that of the warp that acquired */
        uint32_t x = st(10, X, 1, 0);
        sync(HD_ORD_RELEASE, DEV);
        at(100, 110); /* it is judged first */
        uint32_t y = st(11, Y, 1, 0);
        sync(HD_ORD_RELEASE, DEV);
        if (!before)
            h.e[1].po = h.e[0].po;
        ld(2, Y, y);
        sync(HD_ORD_ACQUIRE, DEV);
        uint32_t over = st(2, X, 2, 0);
        put(X, over, 0);
        put(X, x, over);
        put(Y, y, 0);
        env(before ? HD_MCM_CYCLE : YES, before ? HD_MCM_CYCLE : YES);
    }
    for (int lane = 10; lane < 12; lane++) {
        begin_env(); /* whoever hears of it from who acquired must see what was released there, but not the other word */
        uint32_t x = st(10, X, 1, 0);
        sync(HD_ORD_RELEASE, DEV);
        at(100, 110);
        uint32_t y = st(11, Y, 1, 0);
        sync(HD_ORD_RELEASE, DEV);
        h.e[1].po = h.e[0].po;
        ld(2, Y, y);
        sync(HD_ORD_ACQUIRE, DEV);
        uint32_t z = st(2, Z, 1, 0);
        sync(HD_ORD_RELEASE, DEV);
        ld(3, Z, z);
        sync(HD_ORD_ACQUIRE, DEV);
        ld(3, lane == 10 ? X : Y, 0);
        put(X, x, 0);
        put(Y, y, 0);
        put(Z, z, 0);
        env(lane == 10 ? YES : HD_MCM_CYCLE, lane == 10 ? YES : HD_MCM_CYCLE);
    }
    for (int seen = 1; seen < 4; seen++) { /* bit 0: lane 10 is acquired from; bit 1: lane 11 */
        begin();
        uint32_t x = st(10, X, 1, 0);
        sync(HD_ORD_RELEASE, DEV);
        uint32_t y = st(11, Y, 1, 0);
        sync(HD_ORD_RELEASE, DEV);
        h.e[1].po = h.e[0].po;
        for (int lane = 0; lane < 2; lane++) {
            if ((seen >> lane & 1) == 0)
                continue;
            struct hd_event *e = op(2, HD_EVK_LD, lane ? Y : X);
            e->src = lane ? y : x;
            e->rval = 1;
            e->order = HD_EV_ATOMIC | HD_ORD_ACQUIRE;
        }
        st(2, X, 2, x); /* data */
        races(seen & 1 ? HD_MCM_ALLOWED : RACE, seen & 1 ? HD_MCM_ALLOWED : RACE, seen & 1 ? HD_MCM_ALLOWED : RACE);
        st(2, Y, 2, y);
        races(seen == 3 ? HD_MCM_ALLOWED : RACE, seen == 3 ? HD_MCM_ALLOWED : RACE, seen == 3 ? HD_MCM_ALLOWED : RACE);
    }
}

/* The warp that acquired from one lane releases to another of the same instruction, whose access it has not heard of by that. Who
 * hears of that access must see it; a number names one of the two lanes, the higher. */
static void lanes_that_hear_of_each_other_keep_apart(void **state)
{
    (void)state;
    for (unsigned lane = 10; lane < 12; lane++) {
        begin_env();
        uint32_t y = rmw(21 - lane, Y, 1, 0);
        sync(HD_ORD_ACQ_REL, DEV);
        at(100, 110);
        ld(2, Y, y);
        sync(HD_ORD_ACQUIRE, DEV);
        at(120, 130);
        uint32_t x = st(2, X, 5, 0);
        sync(HD_ORD_RELEASE, DEV);
        at(140, 150);
        uint32_t w = rmw(lane, X, 1, x);
        sync(HD_ORD_ACQ_REL, DEV);
        h.e[h.n - 1].po = h.e[0].po;
        at(100, 160);
        ld(2, X, x);
        put(Y, y, 0);
        put(X, x, 0);
        put(X, w, x);
        env(YES, YES);

        ld(3, X, w);
        sync(HD_ORD_ACQUIRE, DEV);
        uint32_t z = st(3, Z, 1, 0);
        sync(HD_ORD_RELEASE, DEV);
        ld(20, Z, z);
        sync(HD_ORD_ACQUIRE, DEV);
        ld(20, X, x);
        put(Z, z, 0);
        env(lane == 11 ? HD_MCM_CYCLE : YES, lane == 11 ? HD_MCM_CYCLE : YES);
    }
}

/* A lane whose RMW wrote nothing is not heard of by who acquires from another lane of its instruction. */
static void a_lane_that_writes_nothing_keeps_apart(void **state)
{
    (void)state;
    for (int first = 0; first < 2; first++) { /* it is judged before the lane that wrote, behind it */
        begin_env();
        uint32_t y = rmw(11, Y, 1, 0);
        sync(HD_ORD_ACQ_REL, DEV);
        at(100, first ? 170 : 110);
        ld(2, Y, y);
        sync(HD_ORD_ACQUIRE, DEV);
        at(120, 180);
        uint32_t x = st(2, X, 5, 0);
        at(140, 500);
        ld(10, X, x);
        sync(HD_ORD_ACQ_REL, DEV);
        h.e[h.n - 1].po = h.e[0].po;
        at(100, 160);
        put(Y, y, 0);
        put(X, x, 0);
        env(YES, YES);
    }
}

static void a_release_waits_for_loads(void **state)
{
    (void)state;
    begin_env(); /* the load of X returns what is stored after the release was seen */
    uint32_t r = ld(0, X, 0), y = st(0, Y, 1, 0);
    (void)r;
    sync(HD_ORD_RELEASE, DEV);
    ld(1, Y, y);
    sync(HD_ORD_ACQUIRE, DEV);
    uint32_t x = st(1, X, 1, 0);
    h.e[0].src = x;
    h.e[0].rval = 1;
    put(X, x, 0);
    put(Y, y, 0);
    env(HD_MCM_CYCLE, HD_MCM_CYCLE);
}

static void full_fences_restore_sc(void **state)
{
    (void)state;
    for (int fences = 0; fences < 3; fences++) {
        begin_env(); /* SB */
        uint32_t x = st(0, X, 1, 0);
        if (fences > 0)
            fence(0, HD_ORD_SEQ_CST, DEV);
        ld(0, Y, 0);
        uint32_t y = st(1, Y, 1, 0);
        if (fences > 1)
            fence(1, HD_ORD_SEQ_CST, DEV);
        ld(1, X, 0);
        put(X, x, 0);
        put(Y, y, 0);
        env(fences > 1 ? HD_MCM_CYCLE : YES, fences > 1 ? HD_MCM_CYCLE : YES);
    }
}

/* SB over full RMWs of a word of their own: in memory they restore SC, in the LDS, whose atomics leave the L1 as it is, not. */
static void full_rmws_of_the_lds_are_local(void **state)
{
    (void)state;
    for (int lds = 0; lds < 2; lds++) {
        uint32_t word[2], at_word[2];
        begin_env();
        for (unsigned t = 0; t < 2; t++) {
            word[t] = st(t, t ? Y : X, 1, 0);
            at_word[t] = rmw(t, Z + 4 * t, 1, 0);
            sync(HD_ORD_SEQ_CST, DEV);
            h.e[h.n - 1].space = lds ? HD_SPACE_LDS : HD_SPACE_GLOBAL;
            ld(t, t ? X : Y, 0);
        }
        put(X, word[0], 0);
        put(Y, word[1], 0);
        for (unsigned t = 0; t < 2 && !lds; t++)
            put(Z + 4 * t, at_word[t], 0);
        env(lds ? YES : HD_MCM_CYCLE, lds ? YES : HD_MCM_CYCLE);
    }
}

static void synchronization_is_in_order(void **state)
{
    (void)state;
    begin_env(); /* SB of atomics that order nothing else: a warp's are performed one after the other */
    uint32_t a = rmw(0, X, 1, 0), c;
    rmw(0, Y, 1, 0);
    uint32_t b = h.e[h.n - 1].id;
    c = rmw(1, Y, 1, b);
    uint32_t d = rmw(1, X, 1, 0);
    put(X, d, 0);
    put(X, a, d);
    h.e[0].src = h.e[0].over = d;
    h.e[0].rval = 1;
    h.e[0].wval = 2;
    puts_made.e[1].wval = 2;
    put(Y, b, 0);
    put(Y, c, b);
    env(HD_MCM_CYCLE, HD_MCM_CYCLE);
}

static void atomics_are_atomic_in_their_instance(void **state)
{
    (void)state;
    for (int block = 0; block < 2; block++) {
        begin_env(); /* an atomic in an L1 that has an old word, while another SM, or the own one, writes */
        uint32_t w = st(block ? 21 : 2, X, 5, 0);
        uint32_t a = rmw(20, X, 1, 0);
        h.e[h.n - 1].scope = WG;
        put(X, w, 0);
        put(X, a, w);
        env(HD_MCM_DATA, block ? HD_MCM_DATA : YES);
    }
}

static void the_l2_must_get_every_write_once(void **state)
{
    (void)state;
    begin_env(); /* a tenure of three: a store, an atomic on it, a store over that */
    uint32_t x = st(0, X, 1, 0), a = rmw(0, X, 1, x);
    h.e[h.n - 1].scope = WG;
    uint32_t b = st(0, X, 7, a);
    put(X, b, 0);
    env(YES, YES);
    begin_env();
    x = st(0, X, 1, 0);
    env(HD_MCM_DATA, HD_MCM_DATA); /* never */
    put(X, x, 0);
    env(YES, YES);
    put(X, x, x);
    env(HD_MCM_DATA, HD_MCM_DATA); /* twice */
    begin_env();
    x = st(0, X, 1, 0);
    put(X, x, 0);
    puts_made.e[0].wval = 9;
    env(HD_MCM_DATA, HD_MCM_DATA); /* another word */
    begin_env();
    x = st(0, X, 1, 0);
    put(X, x, 0);
    put(X, 1000, x);
    env(HD_MCM_DATA, HD_MCM_DATA); /* of nobody */
    begin_env();
    x = st(0, X, 1, 0);
    uint32_t y = st(1, X, 2, 0);
    put(X, x, 0);
    put(X, y, 0);
    env(HD_MCM_DATA, HD_MCM_DATA); /* one write is lost */
    begin_env();
    st(0, X, 1, 0);
    y = st(0, X, 2, 0);
    put(X, y, 0);
    env(HD_MCM_DATA, HD_MCM_DATA); /* ... and the next of its warp is no higher lane of it */
    begin_env();
    x = st(0, X, 1, 0);
    b = st(0, X, 2, x);
    put(X, b, 0);
    env(YES, YES);
    put(X, x, b);
    env(HD_MCM_DATA, HD_MCM_DATA); /* one from within a tenure */
    begin_env();
    x = st(0, X, 1, 0);
    b = st(0, Y, 2, x);
    put(Y, b, 0);
    env(HD_MCM_DATA, HD_MCM_DATA); /* a tenure of two words */
    begin_env();
    x = st(0, X, 1, 777);
    put(X, x, 0);
    env(HD_MCM_DATA, HD_MCM_DATA); /* one that begins before the log */
}

/* ---- faults in a valid log -------------------------------------------------------------------------------------- */

/* A random execution: operations of many lanes are performed one after the other on an array, so it is SC. */
enum { SMS = 4, WARPS = 8, LANES = 4, WORDS = 64 };

struct made {
    struct hd_event *e;
    size_t n;
    uint32_t ids[SMS];
};

static uint64_t rng_state;
static uint32_t rnd(uint32_t n)
{
    rng_state = rng_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((rng_state >> 33) % n);
}

/* @spread: cycles an operation may take around its moment. */
static struct made make_sc(size_t n, uint64_t seed, unsigned spread)
{
    static uint32_t value[WORDS], owner[WORDS], po[SMS][WARPS], busy[SMS][WARPS][LANES];
    struct made m = {.e = calloc(n, sizeof *m.e), .n = n};
    memset(value, 0, sizeof value);
    memset(owner, 0, sizeof owner);
    memset(po, 0, sizeof po);
    memset(busy, 0, sizeof busy);
    rng_state = seed;
    for (size_t i = 0; i < n; i++) {
        unsigned sm = rnd(SMS), warp = rnd(WARPS), lane = rnd(LANES), w = rnd(WORDS), kind = rnd(10);
        uint32_t now = (uint32_t)i * 2 + 2 * spread + 10, before = now - 1 - rnd(spread);
        struct hd_event *e = &m.e[i];
        *e = (struct hd_event){.id = m.ids[sm]++ * SMS + sm + 1, .tid = sm << 16 | warp << 8 | lane,
                               .po = po[sm][warp]++, .addr = 4 * w, .scope = HD_SCOPE_DEVICE, .block = sm,
                               .t_issue = before > busy[sm][warp][0] ? before : busy[sm][warp][0],
                               .t_done = now + rnd(spread)};
        busy[sm][warp][0] = now; /* issued in order */
        e->kind = kind < 6 ? HD_EVK_LD : kind < 9 ? HD_EVK_ST : HD_EVK_RMW;
        if (e->kind != HD_EVK_ST) {
            e->rval = value[w];
            e->src = owner[w];
        }
        if (e->kind == HD_EVK_LD)
            continue;
        e->over = owner[w];
        e->wval = e->kind == HD_EVK_RMW ? e->rval + 1 : rnd(1u << 30);
        e->order = e->kind == HD_EVK_RMW ? HD_EV_ATOMIC : 0;
        value[w] = e->wval;
        owner[w] = e->id;
    }
    return m;
}

static int by_done(const void *a, const void *b)
{
    const struct hd_event *x = a, *y = b;
    return x->t_done < y->t_done ? -1 : x->t_done > y->t_done;
}

enum how { BY_WITNESS, BY_GRAPHS };

/* Streams it as a machine would: in order of completion, with the watermark that is true. */
static struct hd_mcm *stream(struct made m, enum hd_mcm_model model, size_t step, enum how how)
{
    struct hd_mcm *c = hd_mcm_new(&(struct hd_mcm_options){.model = model, .sms = SMS, .single_writer = true});
    if (how == BY_GRAPHS)
        hd_mcm_graphs_only(c);
    qsort(m.e, m.n, sizeof *m.e, by_done);
    uint32_t *least = malloc((m.n + 1) * sizeof *least); /* earliest issue from here on */
    least[m.n] = UINT32_MAX;
    for (size_t i = m.n; i-- > 0;)
        least[i] = m.e[i].t_issue < least[i + 1] ? m.e[i].t_issue : least[i + 1];
    for (size_t i = 0; i < m.n; i += step) {
        size_t k = i + step < m.n ? step : m.n - i;
        hd_mcm_add(c, m.e + i, k);
        hd_mcm_advance(c, least[i + k]);
    }
    free(least);
    hd_mcm_finish(c, m.ids);
    return c;
}

static void random_interleavings_are_allowed_by_all_models(void **state)
{
    (void)state;
    for (unsigned model = 0; model < HD_MCM_DRF; model++) {
        for (unsigned spread = 1; spread <= 1000; spread *= 10) {
            struct made m = make_sc(100000, 7 * spread + model, spread);
            struct hd_mcm *c = stream(m, (enum hd_mcm_model)model, 1 + rnd(3000), BY_WITNESS);
            const struct hd_mcm_violation *v = hd_mcm_violation(c);
            if (v)
                hd_mcm_print(v, stderr);
            assert_null(v);
            struct hd_mcm_stats s;
            hd_mcm_stats(c, &s);
            assert_int_equal(s.events, 100000);
            assert_int_equal(s.live, 0);
            assert_true(s.live_most < 40000);
            hd_mcm_free(c);
            free(m.e);
        }
    }
}

enum fault { STALE_READ, DROPPED, SWAPPED, TWICE, WRONG_RMW, WRONG_VALUE, WRONG_WORD, LATE_READ, FAULTS };
static const char *const fault_names[] = {"stale read",  "dropped record", "swapped coherence", "duplicated id",
                                          "wrong RMW",   "wrong value",    "ghost of another word",
                                          "coherence reversed"};

/* @return false when the place does not fit the fault. */
static bool inject(struct made *m, enum fault f, size_t at)
{
    struct hd_event *e = &m->e[at];
    struct hd_event *source = NULL, *next = NULL;
    for (size_t i = 0; i < m->n; i++) {
        if (e->src != 0 && m->e[i].id == e->src)
            source = &m->e[i];
        if (m->e[i].kind != HD_EVK_LD && e->kind != HD_EVK_LD && m->e[i].over == e->id)
            next = &m->e[i];
    }
    switch (f) {
    case STALE_READ: { /* the load returns what was there before its source's predecessor was overwritten */
        if (e->kind != HD_EVK_LD || !source || source->over == 0)
            return false;
        struct hd_event *old = NULL;
        for (size_t i = 0; i < m->n; i++)
            if (m->e[i].id == source->over)
                old = &m->e[i];
        e->src = old->id;
        e->rval = old->wval;
        return source->t_done < e->t_issue;
    }
    case DROPPED:
        *e = m->e[--m->n];
        return true;
    case SWAPPED: /* two writes claim each other's predecessor */
        if (!next || next->kind == HD_EVK_RMW || e->kind == HD_EVK_RMW)
            return false;
        next->over = e->over;
        e->over = next->id;
        for (size_t i = 0; i < m->n; i++)
            if (&m->e[i] != e && m->e[i].kind != HD_EVK_LD && m->e[i].over == next->id)
                m->e[i].over = e->id;
        return next->t_issue > e->t_done;
    case TWICE:
        e->id = m->e[at / 2].id;
        return at / 2 != at && (e->tid >> 16) == (m->e[at / 2].tid >> 16);
    case WRONG_RMW: { /* computed something else than was stored; its reader tells */
        if (e->kind != HD_EVK_RMW)
            return false;
        e->wval++;
        for (size_t i = 0; i < m->n; i++)
            if (m->e[i].src == e->id)
                return true;
        return false;
    }
    case WRONG_VALUE:
        if (e->kind != HD_EVK_LD || e->src == 0)
            return false;
        e->rval ^= 1u << 31;
        return true;
    case WRONG_WORD:
        if (e->kind != HD_EVK_LD)
            return false;
        e->addr ^= 4;
        return e->src != 0;
    case LATE_READ: /* a load that sees a write performed after the load was done */
        if (e->kind != HD_EVK_LD || e->src == 0)
            return false;
        for (size_t i = at + 1; i < m->n; i++) {
            if (m->e[i].kind == HD_EVK_LD || m->e[i].addr != e->addr || m->e[i].t_issue <= e->t_done)
                continue;
            e->src = m->e[i].id;
            e->rval = m->e[i].wval;
            return true;
        }
        return false;
    default:
        return false;
    }
}

static void every_injected_fault_is_reported(void **state)
{
    (void)state;
    for (unsigned model = 0; model < HD_MCM_DRF; model++) {
        for (unsigned f = 0; f < FAULTS; f++) {
            unsigned done = 0;
            for (unsigned seed = 1; done < 20; seed++) {
                struct made m = make_sc(3000, seed, 30);
                if (inject(&m, (enum fault)f, rnd((uint32_t)m.n))) {
                    struct hd_mcm *c = stream(m, (enum hd_mcm_model)model, 100, BY_WITNESS);
                    if (!hd_mcm_violation(c))
                        fail_msg("%s, model %s, seed %u: not reported", fault_names[f],
                                 hd_mcm_name((enum hd_mcm_model)model), seed);
                    hd_mcm_free(c);
                    done++;
                }
                free(m.e);
            }
        }
    }
}

/* Loads return a neighbour in the word's order whose time allows it: some executions are allowed, some are not. */
static void judging_in_pieces_and_at_once_agree(void **state)
{
    (void)state;
    unsigned allowed[HD_MCM_DRF] = {0}, refused[HD_MCM_DRF] = {0};
    for (unsigned seed = 1; seed <= 400; seed++) {
        struct made m = make_sc(300, seed, 60);
        for (unsigned k = 0; k < 1 + seed % 16; k++) {
            struct hd_event *e = &m.e[rnd((uint32_t)m.n)];
            if (e->kind != HD_EVK_LD)
                continue;
            for (size_t i = 0; i < m.n; i++)
                if (m.e[i].addr == e->addr && m.e[i].kind != HD_EVK_LD && m.e[i].t_issue <= e->t_done
                    && m.e[i].t_done + 90 >= e->t_issue) {
                    e->src = m.e[i].id;
                    e->rval = m.e[i].wval;
                    if (rnd(2))
                        break;
                }
        }
        for (unsigned model = 0; model < HD_MCM_DRF; model++) {
            struct hd_mcm *pieces = stream(m, (enum hd_mcm_model)model, 1 + rnd(20), BY_WITNESS);
            struct hd_mcm *once = stream(m, (enum hd_mcm_model)model, m.n, BY_WITNESS);
            bool good = hd_mcm_violation(once) == NULL;
            assert_int_equal(hd_mcm_violation(pieces) == NULL, good);
            allowed[model] += good;
            refused[model] += !good;
            hd_mcm_free(pieces);
            hd_mcm_free(once);
        }
        free(m.e);
    }
    for (unsigned model = 0; model < HD_MCM_DRF; model++)
        if (allowed[model] <= 40 || refused[model] <= 40)
            fail_msg("%s: %u allowed, %u refused", hd_mcm_name((enum hd_mcm_model)model), allowed[model], refused[model]);
}

/* ---- the witness and the graphs -------------------------------------------------------------------------------- */

struct planned {
    unsigned sm, warp, kind, order, scope, space, lanes, word;
    uint32_t po, t_issue, t_perform, t_done;
};

static int by_perform(const void *a, const void *b)
{
    const struct planned *x = a, *y = b;
    return x->t_perform != y->t_perform ? (x->t_perform < y->t_perform ? -1 : 1) : x->po < y->po ? -1 : x->po > y->po;
}

/* Does the machine perform @y before @z, which is behind it in the program of a warp? */
static bool in_turn(enum hd_mcm_model model, const struct planned *y, const struct planned *z)
{
    if (model == HD_MCM_SC || y->kind >= HD_EVK_FENCE || z->kind >= HD_EVK_FENCE || y->order || z->order)
        return true;
    if (y->space == z->space && y->word == z->word)
        return true;
    return model == HD_MCM_TSO && (y->kind != HD_EVK_ST || z->kind != HD_EVK_LD);
}

enum {
    SAME_WORD,
    BAR_BEFORE,
    BAR_AFTER,
    FENCE_BEFORE,
    FENCE_AFTER,
    SYNC_BEFORE,
    SYNC_AFTER,
    BOTH_SYNC,
    PLAIN,
    DEPENDENCY,
    WHYS
};

/* Why is @y before @z? */
static unsigned why(const struct planned *y, const struct planned *z)
{
    return y->kind == HD_EVK_BAR     ? BAR_BEFORE
           : z->kind == HD_EVK_BAR   ? BAR_AFTER
           : y->kind == HD_EVK_FENCE ? FENCE_BEFORE
           : z->kind == HD_EVK_FENCE ? FENCE_AFTER
           : y->space == z->space && y->word == z->word ? SAME_WORD
           : y->order && z->order    ? BOTH_SYNC
           : y->order                ? SYNC_BEFORE
           : z->order                ? SYNC_AFTER
                                     : PLAIN;
}

/* All that orders: instructions of several lanes, atomics, orders and scopes, fences, barriers, dependencies, both
 * memories; performed as late as the model allows. @late: one in so many completes late, so that completion is no
 * witness there; @broken: one order in so many is not kept, 0 none; of one reason, that of the seed. */
static struct made make_mixed(size_t n, uint64_t seed, enum hd_mcm_model model, unsigned late, unsigned broken)
{
    enum { W = 2, PLACES = 12 };
    struct planned *plan = calloc(n + W, sizeof *plan);
    struct made m = {.e = calloc(LANES * (n + W), sizeof *m.e)};
    uint32_t value[1 + SMS][PLACES] = {{0}}, owner[1 + SMS][PLACES] = {{0}}, po[SMS][W] = {{0}}, busy[SMS][W] = {{0}};
    struct hd_event loaded[SMS][W][LANES] = {{{{0}}}}, some[SMS][W][LANES] = {{{{0}}}};
    size_t count = 0;
    rng_state = seed;
    for (uint32_t now = 1000; count < n; now += 1 + rnd(3)) {
        unsigned sm = rnd(SMS), warp = rnd(W), what = rnd(100);
        struct planned i = {.sm = sm, .warp = warp, .order = rnd(4) ? 0 : rnd(5), .scope = 1 + rnd(2),
                            .space = rnd(8) == 0, .lanes = 1 + rnd(3), .word = 4 * rnd(PLACES / 4),
                            .t_issue = now - rnd(60), .t_perform = now + (rnd(3) == 0 ? rnd(40) : 0)};
        i.kind = what < 50 ? HD_EVK_LD : what < 80 ? HD_EVK_ST : what < 92 ? HD_EVK_RMW : HD_EVK_FENCE;
        i.t_issue = i.t_issue > busy[sm][warp] ? i.t_issue : busy[sm][warp];
        i.t_perform = i.t_perform > i.t_issue ? i.t_perform : i.t_issue;
        if (i.kind == HD_EVK_FENCE)
            i.order = 1 + rnd(4);
        if (what >= 97) { /* a barrier of the SM's warps */
            i.kind = HD_EVK_BAR;
            i.t_perform = now;
        }
        for (size_t k = count > 60 ? count - 60 : 0; k < count; k++) {
            const struct planned *y = &plan[k];
            if (y->sm == sm && (y->warp == warp || i.kind == HD_EVK_BAR) && y->t_perform >= i.t_perform
                && in_turn(model, y, &i) && (broken == 0 || why(y, &i) != seed / 2 % WHYS || rnd(broken) > 0))
                i.t_perform = y->t_perform + 1;
        }
        if (i.kind == HD_EVK_BAR)
            i.t_issue = i.t_perform;
        i.t_done = i.t_perform + (late > 0 && i.kind != HD_EVK_BAR && rnd(late) == 0 ? rnd(200) : 0);
        for (unsigned w = 0; w < W; w++) {
            if (w != warp && i.kind != HD_EVK_BAR)
                continue;
            plan[count] = i;
            plan[count].warp = w;
            plan[count++].po = po[sm][w]++;
            busy[sm][w] = i.t_issue;
        }
    }
    qsort(plan, count, sizeof *plan, by_perform);
    for (const struct planned *i = plan; i < plan + count; i++) {
        bool access = i->kind <= HD_EVK_RMW;
        for (unsigned l = 0; l < LANES; l++) {
            if (access ? (i->lanes >> l & 1) == 0 : l > 0)
                continue;
            struct hd_event *e = &m.e[m.n++], *load = &loaded[i->sm][i->warp][l];
            *e = (struct hd_event){.id = m.ids[i->sm]++ * SMS + i->sm + 1, .tid = i->sm << 16 | i->warp << 8 | l,
                                   .po = i->po, .kind = (uint8_t)i->kind, .scope = (uint8_t)i->scope,
                                   .order = (uint8_t)i->order, .t_issue = i->t_issue, .t_done = i->t_done,
                                   .block = i->sm};
            if (!access)
                continue;
            unsigned own = i->space ? 1 + i->sm : 0, w = i->word + rnd(4);
            e->space = (uint8_t)i->space;
            e->addr = 4 * (w + 64 * i->space);
            e->order |= i->order != 0 || i->kind == HD_EVK_RMW ? HD_EV_ATOMIC : 0;
            bool early = broken != 0 && seed / 2 % WHYS == DEPENDENCY && rnd(4) == 0;
            const struct hd_event *on = early ? &some[i->sm][i->warp][l] : load;
            e->dep = (early || load->t_done <= e->t_issue) && on->po < e->po && rnd(2) ? on->id : 0;
            some[i->sm][i->warp][l] = *e;
            if (i->kind != HD_EVK_ST) {
                e->rval = value[own][w];
                e->src = owner[own][w];
            }
            if (i->kind == HD_EVK_LD)
                *load = *e;
            if (i->kind == HD_EVK_LD)
                continue;
            e->over = owner[own][w];
            e->wval = i->kind == HD_EVK_RMW ? e->rval + 1 : rnd(1u << 30);
            value[own][w] = e->wval;
            owner[own][w] = e->id;
        }
    }
    free(plan);
    return m;
}

/* Changes one record at random: another order is claimed, or the log is wrong. Some remain allowed. */
static void disturb(struct made *m)
{
    struct hd_event *e = &m->e[rnd((uint32_t)m->n)], *other = &m->e[rnd((uint32_t)m->n)];

    switch (rnd(12)) {
    default: /* reads a neighbour in the word's order */
        for (size_t i = 0; e->kind == HD_EVK_LD && i < m->n; i++)
            if (m->e[i].addr == e->addr && m->e[i].space == e->space && m->e[i].kind != HD_EVK_LD
                && (e->space == 0 || m->e[i].tid >> 16 == e->tid >> 16) && m->e[i].t_issue <= e->t_done
                && m->e[i].t_done >= e->t_issue && rnd(2)) {
                e->src = m->e[i].id;
                e->rval = m->e[i].wval;
            }
        break;
    case 0: { /* two writes the other way round */
        struct hd_event *next = NULL;
        for (size_t i = 0; i < m->n; i++)
            if (e->kind == HD_EVK_ST && m->e[i].kind == HD_EVK_ST && m->e[i].over == e->id)
                next = &m->e[i];
        if (next == NULL || next->t_issue > e->t_done)
            break;
        next->over = e->over;
        e->over = next->id;
        for (size_t i = 0; i < m->n; i++) {
            struct hd_event *x = &m->e[i];
            if (x != e && x->kind != HD_EVK_LD && x->over == next->id) {
                x->over = e->id;
                if (x->kind == HD_EVK_RMW) {
                    x->src = e->id;
                    x->rval = e->wval;
                }
            }
        }
        break;
    }
    case 1: /* completes at another time */
        e->t_done = e->t_issue + rnd(300);
        break;
    case 2:
        e->order = (uint8_t)((e->order & HD_EV_ATOMIC) | rnd(5));
        break;
    case 3:
        e->scope = (uint8_t)rnd(3);
        break;
    case 4: /* depends on anything that is there */
        if (other->t_issue <= e->t_issue && other->kind != HD_EVK_FENCE && other->kind != HD_EVK_BAR)
            e->dep = other->id;
        break;
    case 5: /* two instructions of a warp have changed places */
        if (e->tid == other->tid && e->t_issue < other->t_done && other->t_issue < e->t_done) {
            uint32_t po = e->po, t = e->t_issue;
            e->po = other->po;
            other->po = po;
            e->t_issue = other->t_issue;
            other->t_issue = t;
            e->t_done = e->t_done < e->t_issue ? e->t_issue : e->t_done;
            other->t_done = other->t_done < other->t_issue ? other->t_issue : other->t_done;
        }
        break;
    case 6: /* a fault: see above */
        if (rnd(4) == 0)
            inject(m, (enum fault)rnd(FAULTS), rnd((uint32_t)m->n));
    }
}

static void witness_and_graphs_agree(void **state)
{
    (void)state;
    unsigned allowed[HD_MCM_DRF] = {0}, refused[HD_MCM_DRF] = {0}, cycles[HD_MCM_DRF] = {0};
    unsigned same_kind = 0, resumed = 0, never = 0;
    for (unsigned seed = 1; seed <= 1200; seed++) {
        size_t n = seed % 5 == 0 ? 3000 : 100 + seed % 400;
        unsigned late = seed % 2 ? 1 + (unsigned)(seed * UINT32_C(2654435761) % (n > 1000 ? 3000 : 300)) : 0;
        unsigned broken = seed % 2 == 0 ? 1 + (unsigned)(seed * UINT32_C(2654435761) % 16) : 0;
        struct made m = make_mixed(n, seed, (enum hd_mcm_model)(seed % HD_MCM_DRF), late, broken);
        for (unsigned k = seed % 4 == 1 ? 1 + rnd(30) : 0; k > 0; k--)
            disturb(&m);
        size_t step = 1 + rnd(seed % 2 ? 30 : 300);
        for (unsigned model = 0; model < HD_MCM_DRF; model++) {
            struct hd_mcm *fast = stream(m, (enum hd_mcm_model)model, step, BY_WITNESS);
            struct hd_mcm *exact = stream(m, (enum hd_mcm_model)model, step, BY_GRAPHS);
            const struct hd_mcm_violation *v = hd_mcm_violation(fast), *w = hd_mcm_violation(exact);
            if ((v == NULL) != (w == NULL))
                fail_msg("seed %u, %s: witness: %s; graphs: %s", seed, hd_mcm_name((enum hd_mcm_model)model),
                         v ? v->text : "allowed", w ? w->text : "allowed");
            allowed[model] += v == NULL;
            refused[model] += v != NULL;
            cycles[model] += v != NULL && v->kind == HD_MCM_CYCLE;
            same_kind += v != NULL && v->kind == w->kind;
            struct hd_mcm_stats s;
            hd_mcm_stats(fast, &s);
            never += v == NULL && s.by_graph == 0;
            resumed += v == NULL && s.given_up > 0 && s.by_graph < s.events / 2;
            hd_mcm_free(fast);
            hd_mcm_free(exact);
        }
        free(m.e);
    }
    for (unsigned model = 0; model < HD_MCM_DRF; model++)
        if (allowed[model] <= 100 || refused[model] <= 100 || cycles[model] <= 20)
            fail_msg("%s: %u allowed, %u refused, %u of them for a cycle", hd_mcm_name((enum hd_mcm_model)model),
                     allowed[model], refused[model], cycles[model]);
    assert_true(100 * same_kind > 95 * (refused[HD_MCM_SC] + refused[HD_MCM_TSO] + refused[HD_MCM_RMO]));
    assert_true(never > 100); /* runs without a graph */
    assert_true(resumed > 100); /* the graphs took over and gave back */
}

/* What was judged and forgotten is still known by name. */
static void messages_do_not_depend_on_the_graphs(void **state)
{
    (void)state;
    static const char *const texts[] = {"wrote to another address, 0x00001000", "overwritten before", "wrote 0x2"};
    for (int which = 0; which < 3; which++) {
        begin();
        uint32_t a = st(0, X, 1, 0);
        at(10, 20);
        uint32_t b = st(1, X, 2, a);
        at(30, 40);
        ld(2, which == 0 ? Y : X, which == 1 ? a : b);
        at(1000, 1010);
        h.e[2].rval += which == 2;
        struct hd_mcm *m = hd_mcm_new(&(struct hd_mcm_options){.model = HD_MCM_SC, .sms = TEST_SMS, .single_writer = true});
        hd_mcm_add(m, h.e, 2);
        assert_true(hd_mcm_advance(m, 500));
        struct hd_mcm_stats s;
        hd_mcm_stats(m, &s);
        assert_int_equal(s.by_graph + s.live, 0);
        hd_mcm_add(m, h.e + 2, 1);
        assert_false(hd_mcm_finish(m, h.ids));
        const struct hd_mcm_violation *v = hd_mcm_violation(m);
        assert_int_equal(v->kind, which == 1 ? HD_MCM_STALE : HD_MCM_DATA);
        assert_non_null(strstr(v->text, texts[which]));
        assert_int_equal(v->steps, 2);
        assert_int_equal(v->step[1].op.tid, 1 << 16); /* the other store in full */
        assert_int_equal(v->step[1].op.t_done, 40);
        hd_mcm_free(m);
    }
}

static void one_mutation_in_a_long_log_is_found(void **state)
{
    (void)state;
    for (unsigned seed = 1, done = 0; done < 5; seed++) {
        struct made m = make_sc(100000, seed, 30);
        if (inject(&m, STALE_READ, 50000 + rnd(1000))) {
            struct hd_mcm *c = stream(m, HD_MCM_SC, 1000, BY_WITNESS);
            assert_non_null(hd_mcm_violation(c));
            assert_true(hd_mcm_violation(c)->steps >= 1);
            hd_mcm_free(c);
            done++;
        }
        free(m.e);
    }
}

/* TSO: each thread's stores wait in a buffer. Threads write their own words and read all. */
static void a_tso_execution_is_not_sc(void **state)
{
    (void)state;
    enum { N = 20000, DEPTH = 4 };
    static struct hd_event e[N];
    static struct hd_event *buffer[SMS][DEPTH];
    uint32_t value[8] = {0}, owner[8] = {0}, held[SMS] = {0};
    struct made m = {.e = e, .n = 0};
    rng_state = 99;
    for (uint32_t now = 1000; m.n < N; now++) {
        unsigned sm = rnd(SMS);
        if (held[sm] == DEPTH || (held[sm] > 0 && rnd(3) == 0)) { /* the oldest store is performed */
            struct hd_event *s = buffer[sm][0];
            memmove(buffer[sm], buffer[sm] + 1, (DEPTH - 1) * sizeof buffer[sm][0]);
            held[sm]--;
            s->over = owner[s->addr / 4];
            s->t_done = now;
            owner[s->addr / 4] = s->id;
            value[s->addr / 4] = s->wval;
            continue;
        }
        struct hd_event *a = &e[m.n++];
        unsigned w = rnd(8);
        *a = (struct hd_event){.id = m.ids[sm] * SMS + sm + 1, .tid = sm << 16, .po = m.ids[sm], .addr = 4 * w,
                               .scope = HD_SCOPE_DEVICE, .t_issue = now, .t_done = now};
        m.ids[sm]++;
        if (rnd(2)) {
            a->kind = HD_EVK_ST;
            a->wval = now;
            buffer[sm][held[sm]++] = a;
            continue;
        }
        a->kind = HD_EVK_LD;
        a->src = owner[w];
        a->rval = value[w];
        for (unsigned k = 0; k < held[sm]; k++) {
            if (buffer[sm][k]->addr == a->addr) { /* forwarded */
                a->src = buffer[sm][k]->id;
                a->rval = buffer[sm][k]->wval;
            }
        }
    }
    for (unsigned sm = 0; sm < SMS; sm++) {
        for (unsigned k = 0; k < held[sm]; k++) {
            struct hd_event *s = buffer[sm][k];
            s->over = owner[s->addr / 4];
            owner[s->addr / 4] = s->id;
            s->t_done = 1000000;
        }
    }
    static const enum hd_mcm_kind want[] = {HD_MCM_ALLOWED, HD_MCM_ALLOWED, HD_MCM_CYCLE};
    for (unsigned model = 0; model < HD_MCM_DRF; model++) {
        struct hd_mcm *c = stream(m, (enum hd_mcm_model)model, 500, BY_WITNESS);
        const struct hd_mcm_violation *v = hd_mcm_violation(c);
        if ((v ? v->kind : HD_MCM_ALLOWED) != want[model] && v)
            hd_mcm_print(v, stderr);
        assert_int_equal(v ? v->kind : HD_MCM_ALLOWED, want[model]);
        hd_mcm_free(c);
    }
}

static void the_end_of_the_log_is_checked(void **state)
{
    (void)state;
    struct made m = make_sc(1000, 5, 10);
    m.ids[2]++;
    struct hd_mcm *c = stream(m, HD_MCM_RMO, 100, BY_WITNESS);
    assert_int_equal(hd_mcm_violation(c)->kind, HD_MCM_LOG);
    hd_mcm_free(c);
    free(m.e);
}

static uint32_t memory_image[WORDS];
static uint32_t peek(void *ctx, uint32_t addr)
{
    (void)ctx;
    return memory_image[addr / 4];
}

static void memory_must_hold_the_last_write(void **state)
{
    (void)state;
    struct made m = make_sc(1000, 6, 10);
    for (size_t i = 0; i < m.n; i++)
        if (m.e[i].kind != HD_EVK_LD)
            memory_image[m.e[i].addr / 4] = m.e[i].wval;
    for (int wrong = 0; wrong < 2; wrong++) {
        struct hd_mcm *c = stream(m, HD_MCM_SC, 100, BY_WITNESS);
        memory_image[5] += (uint32_t)wrong;
        assert_int_equal(hd_mcm_image(c, peek, NULL), !wrong);
        hd_mcm_free(c);
    }
    free(m.e);
}

static void lanes_that_store_one_word_are_chained(void **state)
{
    (void)state;
    static const unsigned lanes[] = {3, 64};
    for (unsigned run = 0; run < 4; run++) {
        unsigned n = lanes[run / 2];
        bool wrong = run % 2;
        begin();
        uint32_t id[64];
        for (unsigned l = 0; l < n; l++) {
            id[l] = st(10, X, l + 1, 0);
            h.e[h.n - 1].po = 0; /* one instruction; all tell ghost 0 */
            h.e[h.n - 1].tid |= l;
            at(10, 20);
        }
        h.po[0][1] = 1;
        ld(1, X, id[n - (wrong ? 2 : 1)]);
        at(30, 40);
        enum hd_mcm_kind want = wrong ? HD_MCM_STALE : HD_MCM_ALLOWED;
        expect(want, want, want);
    }
}

/* ---- the file --------------------------------------------------------------------------------------------------- */

static const char file_name[] = "build/c/test_mcm.log";

static void write_file(const struct made *m)
{
    struct hd_evlog_info info = {.sms = SMS, .warps = WARPS, .lanes = LANES, .config = "made"};
    struct hd_evlog_out *o = hd_evlog_create(file_name, &info);
    assert_non_null(o);
    assert_true(hd_evlog_write(o, m->e, m->n / 2, 0, false));
    assert_true(hd_evlog_write(o, m->e + m->n / 2, m->n - m->n / 2, 1u << 30, true));
    assert_true(hd_evlog_close(o, m->ids));
}

/* @return what the last read returned; *n records were read. */
static int read_file(size_t *n)
{
    struct hd_evlog_info info;
    struct hd_evlog_in *in = hd_evlog_open(file_name, &info);
    *n = 0;
    if (!in)
        return -1;
    struct hd_evlog_block b;
    int got;
    bool ended = false;
    while ((got = hd_evlog_read(in, &b)) == 1) {
        *n += b.count;
        ended |= b.issued != NULL;
    }
    if (got == 0)
        assert_true(ended);
    hd_evlog_end(in);
    return got;
}

static void a_file_is_read_as_written_and_damage_is_found(void **state)
{
    (void)state;
    struct made m = make_sc(1000, 8, 10);
    size_t n;
    write_file(&m);
    assert_int_equal(read_file(&n), 0);
    assert_int_equal(n, 1000);
    FILE *f = fopen(file_name, "rb");
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    fclose(f);
    rng_state = 3;
    assert_non_null(freopen("/dev/null", "w", stderr));
    for (int i = 0; i < 200; i++) { /* one bit, anywhere */
        long at_byte = (long)rnd((uint32_t)size);
        f = fopen(file_name, "r+b");
        fseek(f, at_byte, SEEK_SET);
        int c = fgetc(f);
        fseek(f, at_byte, SEEK_SET);
        fputc(c ^ 1 << rnd(8), f);
        fclose(f);
        assert_int_equal(read_file(&n), -1);
        write_file(&m);
    }
    for (int i = 0; i < 50; i++) { /* cut anywhere */
        assert_int_equal(truncate(file_name, (long)rnd((uint32_t)size)), 0);
        assert_int_equal(read_file(&n), -1);
        write_file(&m);
    }
    free(m.e);
    remove(file_name);
}

/* ---- limits ----------------------------------------------------------------------------------------------------- */

static enum hd_mcm_kind judge_wide(const struct hd_event *e, unsigned n, const uint32_t issued[HD_MAX_SMS])
{
    struct hd_mcm *m = hd_mcm_new(
        &(struct hd_mcm_options){.model = HD_MCM_SC, .sms = HD_MAX_SMS, .single_writer = true});
    assert_non_null(m);
    hd_mcm_add(m, e, n);
    hd_mcm_finish(m, issued);
    const struct hd_mcm_violation *v = hd_mcm_violation(m);
    enum hd_mcm_kind kind = v ? v->kind : HD_MCM_ALLOWED;
    hd_mcm_free(m);
    return kind;
}

/* 64 lanes of SM 5 store, each a word; 64 lanes of SM @reader load those words later; in LDS each SM has its own. */
static unsigned wide_log(struct hd_event e[128], unsigned reader, unsigned space, bool sees, uint32_t issued[HD_MAX_SMS])
{
    memset(issued, 0, HD_MAX_SMS * sizeof issued[0]);
    issued[5] = issued[reader] = 64;
    for (unsigned i = 0; i < 128; i++) {
        unsigned sm = i < 64 ? 5 : reader, lane = i % 64;
        e[i] = (struct hd_event){.id = lane * HD_MAX_SMS + sm + 1, .tid = sm << 16 | 63 << 8 | lane, .addr = 4 * lane,
                                 .kind = i < 64 ? HD_EVK_ST : HD_EVK_LD, .space = (uint8_t)space,
                                 .scope = HD_SCOPE_DEVICE, .block = sm};
        e[i].t_issue = i < 64 ? 100 : 300;
        e[i].t_done = e[i].t_issue + 100;
        if (i < 64)
            e[i].wval = 1000 + lane;
        else if (sees)
            e[i].src = e[lane].id, e[i].rval = 1000 + lane;
    }
    return 128;
}

static void sms_and_lanes_are_told_apart_up_to_the_limits(void **state)
{
    static const unsigned readers[] = {37, 69, 101, 127}; /* three of them are 5 modulo 32 */
    struct hd_event e[128];
    uint32_t issued[HD_MAX_SMS];

    (void)state;
    for (unsigned i = 0; i < sizeof readers / sizeof readers[0]; i++) {
        unsigned n = wide_log(e, readers[i], 0, true, issued);
        assert_int_equal(judge_wide(e, n, issued), HD_MCM_ALLOWED);
        n = wide_log(e, readers[i], 0, false, issued);
        assert_int_equal(judge_wide(e, n, issued), HD_MCM_STALE);
        n = wide_log(e, readers[i], 1, false, issued);
        assert_int_equal(judge_wide(e, n, issued), HD_MCM_ALLOWED);
        n = wide_log(e, readers[i], 1, true, issued);
        assert_int_equal(judge_wide(e, n, issued), HD_MCM_DATA);
    }
    unsigned n = wide_log(e, 127, 0, true, issued);
    e[0].tid |= 64; /* lane 64 */
    assert_int_equal(judge_wide(e, n, issued), HD_MCM_LOG);
    n = wide_log(e, 127, 1, false, issued);
    e[3].addr = 1u << 30; /* no LDS is that large: the address would be that of another SM */
    assert_int_equal(judge_wide(e, n, issued), HD_MCM_LOG);
    assert_null(hd_mcm_new(&(struct hd_mcm_options){.sms = HD_MAX_SMS + 1}));
}

/* ---- L1s that own words: puts tell who becomes the owner, writes whether their L1 was -------------------------------- */

/* In cycle @cycle the L2 makes SM @sm the owner. */
static void owner(uint32_t addr, unsigned sm, uint32_t cycle)
{
    puts_made.e[puts_made.n++] = (struct hd_event){.kind = HD_EVK_PUT, .tid = sm << 16, .addr = addr, .t_issue = cycle, .t_done = cycle};
}

/* The last operation, of cycle @done: its word was its L1's, or dirty there. */
static void own(uint32_t done)
{
    at(done - 10, done);
    h.e[h.n - 1].over |= HD_EV_OWN;
}

static uint32_t peek_x(void *ctx, uint32_t addr)
{
    return addr == X ? *(uint32_t *)ctx : 0;
}

/* @left_of_x: what memory holds in the end. */
static enum hd_mcm_kind owns(uint32_t left_of_x)
{
    struct hd_mcm *m = hd_mcm_new(&(struct hd_mcm_options){.model = HD_MCM_ENV_INDIRECT, .sms = TEST_SMS, .puts = true, .owns = true});
    assert_non_null(m);
    hd_mcm_add(m, puts_made.e, puts_made.n / 2);
    hd_mcm_add(m, h.e, h.n);
    hd_mcm_add(m, puts_made.e + puts_made.n / 2, puts_made.n - puts_made.n / 2);
    if (hd_mcm_finish(m, h.ids))
        hd_mcm_image(m, peek_x, &left_of_x);
    const struct hd_mcm_violation *v = hd_mcm_violation(m);
    enum hd_mcm_kind kind = v != NULL ? v->kind : HD_MCM_ALLOWED;
    if (v != NULL)
        print_message("%s\n", v->text);
    hd_mcm_free(m);
    return kind;
}

static void chains_follow_the_owners_of_their_words(void **state)
{
    (void)state;
    for (int other = 0; other < 2; other++) { /* which of two owners was first says what is left */
        begin_env();
        uint32_t x = st(0, X, 1, 0);
        at(10, 20);
        st(0, X, 2, x);
        own(30);
        st(1, X, 3, 0);
        at(10, 25);
        owner(X, other, 50);
        owner(X, !other, 60);
        assert_int_equal(owns(other ? 2 : 3), YES);
        assert_int_equal(owns(other ? 3 : 2), HD_MCM_DATA);
    }
    begin_env(); /* an owner takes the word over with its value; then a chain begins anew where it was */
    uint32_t x = st(0, X, 1, 0), y;
    at(10, 20);
    owner(X, 0, 40);
    owner(X, 1, 60);
    y = rmw(1, X, 5, x);
    own(80);
    owner(X, 0, 120);
    st(0, X, 9, 0);
    at(90, 100);
    (void)y;
    assert_int_equal(owns(9), YES);
    begin_env(); /* over the initial value, which is owned: that chain is the first */
    owner(X, 1, 20);
    st(1, X, 1, 0);
    own(40);
    st(0, X, 2, 0);
    at(30, 35);
    owner(X, 0, 60);
    assert_int_equal(owns(2), YES);
    assert_int_equal(owns(1), HD_MCM_DATA);
    begin_env(); /* two lanes of one store on a word, told the same; lane 1 stays */
    st(10, X, 1, 0);
    st(11, X, 2, 0);
    h.e[1].po = h.e[0].po;
    owner(X, 0, 300);
    assert_int_equal(owns(2), YES);
    begin_env(); /* an atomic of a thread block on a copy that is old: others wrote in between, but not of its block */
    x = st(1, X, 1, 0);
    at(10, 20);
    owner(X, 1, 40);
    y = st(2, X, 2, 0);
    at(10, 20);
    owner(X, 2, 60);
    rmw(0, X, 4, x);
    sync(HD_ORD_RELAXED, WG);
    at(70, 80);
    owner(X, 0, 100);
    assert_int_equal(owns(5), YES);
    begin_env(); /* two parts of one atomic of a thread block: the second one on a copy that is old by then */
    x = rmw(10, X, 1, 0);
    sync(HD_ORD_RELAXED, WG);
    at(10, 20);
    owner(X, 0, 30);
    owner(X, 1, 50);
    rmw(1, X, 4, x);
    own(60);
    owner(X, 0, 80);
    rmw(11, X, 1, x);
    sync(HD_ORD_RELAXED, WG);
    at(10, 70);
    h.e[2].po = h.e[0].po;
    assert_int_equal(owns(2), YES);
}

static void what_owners_tell_must_fit(void **state)
{
    (void)state;
    begin_env(); /* nobody becomes the owner, or only before */
    uint32_t x = st(0, X, 1, 0);
    at(10, 20);
    owner(X, 1, 40);
    owner(X, 0, 15);
    assert_int_equal(owns(1), HD_MCM_DATA);
    begin_env(); /* a dirty word is lost: a second chain begins before the first has its owner */
    x = st(0, X, 1, 0);
    at(10, 20);
    st(0, X, 2, 0);
    at(20, 30);
    owner(X, 0, 40);
    assert_int_equal(owns(2), HD_MCM_DATA);
    begin_env(); /* two owners at a time: both overwrite one write */
    x = st(0, X, 1, 0);
    at(10, 20);
    owner(X, 0, 40);
    rmw(0, X, 1, x);
    own(60);
    owner(X, 1, 50);
    rmw(1, X, 1, x);
    own(70);
    assert_int_equal(owns(2), HD_MCM_DATA);
    for (int first = 0; first < 2; first++) { /* the last owner gets a value from before the other's chain: the initial, another's */
        begin_env();
        x = 0;
        if (first) {
            x = st(0, X, 1, 0);
            at(10, 20);
            owner(X, 0, 40);
        }
        st(2, X, 2, 0);
        at(50, 60);
        owner(X, 2, 70);
        owner(X, 1, 80);
        rmw(1, X, 1, x);
        own(90);
        assert_int_equal(owns(2), HD_MCM_DATA);
    }
    begin_env(); /* a write over one of another word */
    x = st(0, X, 1, 0);
    at(10, 20);
    owner(X, 0, 40);
    st(0, Y, 2, x);
    own(60);
    assert_int_equal(owns(1), HD_MCM_DATA);
    begin_env(); /* of the lanes of a store on one word the highest one's write stays, and is written over */
    x = st(10, X, 1, 0);
    at(10, 20);
    owner(X, 0, 40);
    uint32_t low = st(10, X, 2, x);
    own(60);
    uint32_t high = st(11, X, 3, x);
    own(60);
    h.e[h.n - 1].po = h.e[h.n - 2].po;
    st(10, X, 4, high);
    own(80);
    assert_int_equal(owns(4), YES);
    h.e[h.n - 1].over = low | HD_EV_OWN;
    assert_int_equal(owns(4), HD_MCM_DATA);
    begin_env(); /* a lane reads what was there before its atomic */
    x = st(0, X, 1, 0);
    at(10, 20);
    owner(X, 0, 40);
    rmw(0, X, 1, x);
    own(60);
    ld(0, X, x);
    at(52, 55);
    assert_int_equal(owns(2), HD_MCM_CYCLE);
}

static void whether_words_have_one_writer_is_a_property_of_the_family(void **state)
{
    struct hd_evlog_info info = {.sms = 3, .model = HD_MODEL_TSO};

    (void)state;
    for (info.protocol = 0; info.protocol < 4; info.protocol++) {
        struct hd_mcm_options o = hd_mcm_options_of(&info);
        assert_int_equal(o.single_writer, info.protocol == HD_FAMILY_MESI || info.protocol == HD_FAMILY_VI);
        assert_int_equal(o.puts, !o.single_writer);
        assert_int_equal(o.owns, info.protocol == HD_FAMILY_DENOVO);
        assert_int_equal(o.sms, 3);
        assert_int_equal(o.model, HD_MCM_TSO);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(store_buffering),
        cmocka_unit_test(store_buffering_one_fence_or_acquire_release),
        cmocka_unit_test(store_buffering_with_rmw_or_barrier),
        cmocka_unit_test(message_passing),
        cmocka_unit_test(message_passing_acquire_release_and_scopes),
        cmocka_unit_test(dependencies_order_loads_and_stores),
        cmocka_unit_test(out_of_thin_air_through_own_store),
        cmocka_unit_test(s_r_2_plus_2w),
        cmocka_unit_test(causality_shapes),
        cmocka_unit_test(one_word_is_coherent_under_every_model),
        cmocka_unit_test(own_stores_are_seen_early_under_tso),
        cmocka_unit_test(lanes_of_a_warp_are_threads),
        cmocka_unit_test(lanes_above_31_are_threads_too),
        cmocka_unit_test(barriers_order_a_block),
        cmocka_unit_test(rmw_and_real_time),
        cmocka_unit_test(the_cycle_reported_is_the_shortest),
        cmocka_unit_test(a_record_of_an_unknown_kind_is_printed),
        cmocka_unit_test(races_need_synchronisation_of_one_scope),
        cmocka_unit_test(fences_synchronise_through_atomics),
        cmocka_unit_test(indirect_causality_crosses_scopes),
        cmocka_unit_test(barriers_and_kernels_order_everything),
        cmocka_unit_test(a_race_excuses_what_is_not_sc),
        cmocka_unit_test(random_interleavings_are_allowed_by_all_models),
        cmocka_unit_test(every_injected_fault_is_reported),
        cmocka_unit_test(judging_in_pieces_and_at_once_agree),
        cmocka_unit_test(witness_and_graphs_agree),
        cmocka_unit_test(messages_do_not_depend_on_the_graphs),
        cmocka_unit_test(one_mutation_in_a_long_log_is_found),
        cmocka_unit_test(a_tso_execution_is_not_sc),
        cmocka_unit_test(the_end_of_the_log_is_checked),
        cmocka_unit_test(memory_must_hold_the_last_write),
        cmocka_unit_test(lanes_that_store_one_word_are_chained),
        cmocka_unit_test(sms_and_lanes_are_told_apart_up_to_the_limits),
        cmocka_unit_test(whether_words_have_one_writer_is_a_property_of_the_family),
        cmocka_unit_test(stale_words_are_allowed_until_an_acquire),
        cmocka_unit_test(scopes_count_under_hrf_only),
        cmocka_unit_test(a_lane_sees_its_own_accesses_in_order),
        cmocka_unit_test(what_a_lane_acquires_orders_the_instructions_behind),
        cmocka_unit_test(lanes_of_an_instruction_release_on_their_own),
        cmocka_unit_test(lanes_that_hear_of_each_other_keep_apart),
        cmocka_unit_test(a_lane_that_writes_nothing_keeps_apart),
        cmocka_unit_test(a_release_waits_for_loads),
        cmocka_unit_test(full_fences_restore_sc),
        cmocka_unit_test(full_rmws_of_the_lds_are_local),
        cmocka_unit_test(synchronization_is_in_order),
        cmocka_unit_test(atomics_are_atomic_in_their_instance),
        cmocka_unit_test(the_l2_must_get_every_write_once),
        cmocka_unit_test(chains_follow_the_owners_of_their_words),
        cmocka_unit_test(what_owners_tell_must_fit),
        cmocka_unit_test(a_file_is_read_as_written_and_damage_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
