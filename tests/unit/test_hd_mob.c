/* test_hd_mob.c - queues of classified accesses and the port behind them, against queues in C. */
/* equiv: Warps=2 LineW=4 CtlW=3 UnsafeDepth=2 SafeDepth=2 SectorShift=1 SeqW=5 */
/* mutants: Warps=3 LineW=5 CtlW=4 UnsafeDepth=3 SafeDepth=2 SectorShift=2 SeqW=5 */
/* dut: hd_mob Warps=3 LineW=5 CtlW=4 UnsafeDepth=3 SafeDepth=2 SectorShift=2 SeqW=5 */
/* dut: hd_mob Warps=1 LineW=3 CtlW=3 UnsafeDepth=1 SafeDepth=1 SectorShift=1 SeqW=5 */
/* dut: hd_mob Warps=5 LineW=10 CtlW=40 UnsafeDepth=4 SafeDepth=4 SectorShift=7 SeqW=5 */
/* dut: hd_mob Warps=48 LineW=25 CtlW=32 UnsafeDepth=4 SafeDepth=16 SectorShift=7 SeqW=8 */
#include "hd_unit.h"
#include "hd_mob_dut.h"
#include "hd_access.h"

enum {
    WARPS = P_Warps,
    SLOTS = 1 << HD_SLOT_W,
    LINE_W = P_LineW,
    CTL_W = P_CtlW,
    UNSAFE = P_UnsafeDepth,
    SAFE = P_SafeDepth,
    SHIFT = P_SectorShift,
    SEQ = 1 << P_SeqW,
};
#define SET(port, value) hd_bits_put(d.port, 0, HD_MOB_W_##port, (uint64_t)(value))
#define GET(port) hd_bits_get(d.port, 0, HD_MOB_W_##port)

struct access {
    bool marker;
    unsigned warp, slot, space, fn, kind;
    uint32_t line;
    uint64_t ctl;
};
struct warp {
    struct access queue[UNSAFE];
    unsigned num;        /* in the unsafe queue */
    unsigned out, slot;  /* in flight, of which instruction */
    unsigned came, done; /* unsafe accesses, ever */
};

static struct hd_mob d;
static struct warp warps[WARPS];
static struct access safe_queue[SAFE];
static unsigned num_safe;
static unsigned late; /* unsafe accesses that went before the head of the safe queue */
static unsigned last_served; /* warp whose unsafe queue was served last */
/* how often things happened */
static unsigned direct_unsafe, direct_safe, queued_unsafe, queued_safe, markers, merges, in_turn, same_instruction;
static unsigned marker_exits, stalls, behind_marker, turns;

static void begin(void)
{
    hd_mob_open(&d);
    hd_reset(d.m);
    memset(warps, 0, sizeof warps);
    num_safe = late = 0;
    last_served = WARPS - 1;
    direct_unsafe = direct_safe = queued_unsafe = queued_safe = markers = merges = in_turn = same_instruction = 0;
    marker_exits = stalls = behind_marker = turns = 0;
}

static void end(void)
{
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static bool head_may_leave(const struct warp *w)
{
    return w->num > 0 && (w->out == 0 || (!w->queue[0].marker && w->queue[0].slot == w->slot));
}

static void check_state(void)
{
    for (unsigned w = 0; w < WARPS; w++)
        assert_int_equal(hd_bits_get(d.pend_o, w, 1), warps[w].came != warps[w].done);
}

enum put { NONE, PUT_UNSAFE, PUT_SAFE, PUT_PASSING };

/* One cycle: an access is offered and goes if it may, as @how says. done: of that warp, or -1. @return it went. */
static bool cycle(const struct access *t, enum put how, bool data_ok, bool merge, bool ready, int done)
{
    struct warp *tw = &warps[t->warp];
    const unsigned sector = t->line >> SHIFT;
    int uq = -1;
    bool uq_port, port_free, unsafe_direct, unsafe_ok, safe_ok, marker_ok, merged, went = false, direct;
    const bool tail_marker = tw->num > 0 && tw->queue[tw->num - 1].marker;
    const struct access *out = NULL;

    for (unsigned i = 1; i <= WARPS && uq < 0; i++) /* round robin */
        if (head_may_leave(&warps[(last_served + i) % WARPS]))
            uq = (int)((last_served + i) % WARPS);
    if (uq >= 0 && !warps[uq].queue[0].marker && late == 15) { /* it is the safe queue's turn */
        turns += ready;
        uq = -1;
    }
    uq_port = uq >= 0 && !warps[uq].queue[0].marker;
    port_free = ready && !uq_port && num_safe == 0;
    unsafe_direct = port_free && tw->num == 0 && (tw->out == 0 || tw->slot == t->slot);
    unsafe_ok = unsafe_direct || (tw->num < UNSAFE && data_ok);
    safe_ok = port_free || (num_safe < SAFE && data_ok);
    merged = merge && tail_marker && tw->queue[tw->num - 1].line >> SHIFT == sector;
    marker_ok = merged || tw->num < UNSAFE;

    SET(t_acc_i, hd_access_pack((struct hd_access){
                     .warp = t->warp, .slot = t->slot, .space = t->space, .fn = t->fn, .kind = t->kind}));
    SET(t_line_i, t->line);
    SET(t_ctl_i, t->ctl);
    *d.t_data_ok_i = data_ok;
    *d.merge_i = merge;
    *d.lo_ready_i = ready;
    *d.done_i = done >= 0;
    SET(done_warp_i, done >= 0 ? (unsigned)done : 0);
    *d.put_unsafe_i = *d.put_safe_i = *d.put_marker_i = 0;
    hd_eval(d.m);
    assert_int_equal(*d.unsafe_ok_o, unsafe_ok);
    assert_int_equal(*d.safe_ok_o, safe_ok);
    assert_int_equal(*d.marker_ok_o, marker_ok);
    if (done >= 0)
        assert_int_equal(GET(done_seq_o), (warps[done].done + 1) % SEQ);
    assert_int_equal(GET(seq_o), tw->came % SEQ);
    assert_int_equal(*d.seq_pend_o, tw->came != tw->done + (done == (int)t->warp));

    if (how == PUT_UNSAFE && unsafe_ok) {
        *d.put_unsafe_i = 1;
        went = true;
    } else if ((how == PUT_SAFE && safe_ok) || (how == PUT_PASSING && safe_ok && marker_ok)) {
        *d.put_safe_i = 1;
        *d.put_marker_i = how == PUT_PASSING;
        went = true;
    }
    direct = went && (how == PUT_UNSAFE ? unsafe_direct : port_free);
    hd_eval(d.m);
    assert_int_equal(*d.direct_o, direct);
    assert_int_equal(*d.lo_direct_o, direct);
    assert_int_equal(*d.marker_new_o, went && how == PUT_PASSING && !merged);
    assert_int_equal(*d.lo_queue_o, uq_port || num_safe > 0);
    assert_int_equal(*d.lo_valid_o, uq_port || num_safe > 0 || direct);
    assert_int_equal(*d.marker_out_o, uq >= 0 && !uq_port);
    if (uq >= 0 && !uq_port)
        assert_int_equal(GET(marker_sector_o), warps[uq].queue[0].line >> SHIFT);
    assert_int_equal(*d.ready_o, (uq >= 0 && !uq_port) || ((uq_port || num_safe > 0) && ready));
    assert_int_equal(*d.moves_o, (uq >= 0 && !uq_port) || ((uq_port || num_safe > 0) && ready));
    if (uq_port)
        out = &warps[uq].queue[0];
    else if (num_safe > 0)
        out = &safe_queue[0];
    else if (direct)
        out = t;
    if (out != NULL) {
        assert_int_equal(*d.lo_unsafe_o, uq_port || (num_safe == 0 && how == PUT_UNSAFE));
        const struct hd_access lo = hd_access_unpack(GET(lo_acc_o));

        assert_int_equal(lo.warp, out->warp);
        assert_int_equal(lo.slot, out->slot);
        assert_int_equal(lo.space, out->space);
        assert_int_equal(lo.fn, out->fn);
        assert_int_equal(lo.kind, out->kind);
        assert_int_equal(GET(lo_line_o), out->line);
        assert_int_equal(GET(lo_ctl_o), out->ctl);
    }
    hd_edge(d.m);

    /* what has happened */
    stalls += out != NULL && !ready;
    if (num_safe == 0 || (!uq_port && ready))
        late = 0;
    else
        late += uq_port && ready;
    if (done >= 0) {
        warps[done].done++;
        warps[done].out--;
    }
    if (uq >= 0 && (!uq_port || ready)) {
        struct warp *w = &warps[uq];

        if (uq_port) {
            same_instruction += w->out > 0;
            w->out++;
            w->slot = w->queue[0].slot;
        } else {
            marker_exits++;
        }
        in_turn += last_served != (unsigned)uq;
        last_served = (unsigned)uq;
        w->num--;
        memmove(w->queue, w->queue + 1, w->num * sizeof *w->queue);
    } else if (uq < 0 && num_safe > 0 && ready) {
        num_safe--;
        memmove(safe_queue, safe_queue + 1, num_safe * sizeof *safe_queue);
    }
    /* a marker at the head does not use the port */
    if (uq >= 0 && !uq_port && num_safe > 0 && ready) {
        num_safe--;
        memmove(safe_queue, safe_queue + 1, num_safe * sizeof *safe_queue);
    }
    if (went && how == PUT_UNSAFE) {
        tw->came++;
        if (direct) {
            tw->out++;
            tw->slot = t->slot;
            direct_unsafe++;
        } else {
            behind_marker += tw->num > 0 && tw->queue[tw->num - 1].marker;
            tw->queue[tw->num++] = *t;
            queued_unsafe++;
        }
    } else if (went) {
        if (direct) {
            direct_safe++;
        } else {
            safe_queue[num_safe++] = *t;
            queued_safe++;
        }
        if (how == PUT_PASSING && !merged) {
            tw->queue[tw->num] = *t;
            tw->queue[tw->num++].marker = true;
            markers++;
        } else if (how == PUT_PASSING) {
            merges++;
        }
    }
    *d.put_unsafe_i = *d.put_safe_i = *d.put_marker_i = 0;
    *d.done_i = 0;
    hd_eval(d.m);
    check_state();
    return went;
}

static struct access an_access(unsigned warp, unsigned slot, uint32_t line)
{
    struct access a = {.warp = warp,
                       .slot = slot,
                       .space = (unsigned)hd_rand_below(2),
                       .line = line & ((UINT32_C(1) << LINE_W) - 1),
                       .ctl = hd_rand()};

    a.fn = (unsigned)hd_rand_below(16);
    a.kind = (unsigned)hd_rand_below(3);
    a.ctl &= CTL_W < 64 ? (UINT64_C(1) << CTL_W) - 1 : UINT64_MAX;
    return a;
}

static void drain(void)
{
    const struct access none = an_access(0, 0, 0);

    for (unsigned t = 0; t < 8 * WARPS * UNSAFE + 8 * SAFE; t++) {
        int done = -1;

        for (unsigned w = 0; w < WARPS; w++)
            if (warps[w].out > 0)
                done = (int)w;
        cycle(&none, NONE, false, false, true, done);
    }
    for (unsigned w = 0; w < WARPS; w++)
        assert_int_equal(warps[w].num + warps[w].out, 0);
    assert_int_equal(num_safe, 0);
}

/* Instructions of a warp one after the other, the lines of one together. */
static void an_unsafe_access_waits_for_those_of_earlier_instructions(void **state)
{
    const struct access first = an_access(0, 0, 1), line2 = an_access(0, 0, 2), next = an_access(0, 1, 3);

    (void)state;
    begin();
    assert_true(cycle(&first, PUT_UNSAFE, true, false, true, -1));
    assert_true(cycle(&line2, PUT_UNSAFE, true, false, true, -1));
    assert_int_equal(direct_unsafe, 2);
    assert_true(cycle(&next, PUT_UNSAFE, true, false, true, -1));
    assert_int_equal(queued_unsafe, 1);
    cycle(&next, NONE, false, false, true, 0);
    assert_int_equal(warps[0].num, 1);
    cycle(&next, NONE, false, false, true, 0);
    cycle(&next, NONE, false, false, true, -1);
    assert_int_equal(warps[0].num, 0);
    drain();
    end();
}

static void a_marker_leaves_when_what_was_passed_is_performed(void **state)
{
    const struct access u = an_access(0, 0, 1), s = an_access(0, 1, 4), v = an_access(0, 0, 2);

    (void)state;
    begin();
    cycle(&u, PUT_UNSAFE, true, true, true, -1);
    assert_true(cycle(&s, PUT_PASSING, true, true, true, -1));
    assert_true(cycle(&s, PUT_PASSING, true, true, true, -1)); /* the marker serves both */
    assert_int_equal(markers, 1);
    assert_int_equal(merges, 1);
    if (UNSAFE > 1) {
        assert_true(cycle(&v, PUT_UNSAFE, true, true, true, -1)); /* behind the marker, although of u's instruction */
        assert_int_equal(warps[0].num, 2);
        if (UNSAFE > 2)
            assert_true(cycle(&s, PUT_PASSING, true, true, true, -1)); /* a new one: an unsafe access is in between */
        assert_int_equal(markers, UNSAFE > 2 ? 2 : 1);
    }
    cycle(&s, NONE, false, false, true, -1);
    assert_int_equal(marker_exits, 0);
    cycle(&s, NONE, false, false, true, 0);
    cycle(&s, NONE, false, false, true, -1);
    assert_int_equal(marker_exits, 1);
    drain();
    end();
}

static void safe_accesses_keep_their_order(void **state)
{
    (void)state;
    begin();
    for (uint32_t i = 0; i < SAFE; i++) {
        const struct access s = an_access(0, 0, i);

        assert_true(cycle(&s, PUT_SAFE, true, false, false, -1));
    }
    for (uint32_t i = 0; i < SAFE; i++) { /* none passes the queue, though the port is free */
        const struct access s = an_access(0, 0, i);

        assert_false(cycle(&s, PUT_SAFE, false, false, true, -1));
    }
    drain();
    assert_int_equal(direct_safe, 0);
    end();
}

/* Unsafe accesses of many warps, or of one that has room, never leave the port free. */
static void the_safe_queue_has_its_turn(void **state)
{
    const struct access s = an_access(0, 0, 4);
    unsigned waited = 0, went = 0;

    (void)state;
    begin();
    for (unsigned i = 0; i < WARPS * UNSAFE && i < 4; i++) {
        const struct access u = an_access(i % WARPS, 0, i);

        assert_true(cycle(&u, PUT_UNSAFE, true, false, false, -1));
    }
    assert_true(cycle(&s, PUT_SAFE, true, false, false, -1));
    for (; num_safe > 0; waited++) {
        const struct access u = an_access((waited + 4) % WARPS, 0, waited);
        int done = -1;

        assert_true(waited < 16);
        for (unsigned w = 0; w < WARPS; w++)
            if (warps[w].out > 0)
                done = (int)w;
        went += cycle(&u, PUT_UNSAFE, true, false, true, done);
    }
    if (WARPS * UNSAFE > 1) {
        assert_int_equal(waited, 16);
        assert_int_equal(turns, 1);
        assert_true(went > 12);
    }
    drain();
    end();
}

static void random_traffic_matches_queues(void **state)
{
    unsigned refused = 0, idle = 0;

    (void)state;
    begin();
    for (unsigned t = 0; t < (WARPS > 8 ? 15000 : 40000); t++) {
        const unsigned phase = t / 400 % 4;
        const unsigned span = WARPS > 8 && t / 1600 % 4 != 3 ? 4 : WARPS;
        const unsigned warp = (unsigned)hd_rand_below(span);
        const struct access a = an_access(warp, (unsigned)hd_rand_below(2), (uint32_t)(hd_rand_below(3) << SHIFT | hd_rand_below(2)));
        const unsigned dice = (unsigned)hd_rand_below(8);
        const bool pending = warps[warp].came != warps[warp].done;
        unsigned from = (unsigned)hd_rand_below(WARPS);
        int done = -1;
        enum put how;

        for (unsigned i = 0; i < WARPS && done < 0; i++, from = (from + 1) % WARPS)
            if (warps[from].out > 0 && hd_rand_below(phase == 0 ? 30 : 3) == 0)
                done = (int)from;
        if (warps[warp].came - warps[warp].done > SEQ - 4u || dice > 6 || phase == 3)
            how = NONE;
        else if (dice < 3)
            how = PUT_UNSAFE;
        else /* an access of the LDS leaves no marker */
            how = pending && a.space == HD_SPACE_GLOBAL && !(done == (int)warp && warps[warp].came == warps[warp].done + 1)
                      ? PUT_PASSING
                      : PUT_SAFE;
        refused += !cycle(&a, how, hd_rand_below(4) != 0, t / 1600 % 2, hd_rand_below(phase == 1 ? 6 : 2) != (phase != 1), done) &&
                   how != NONE;
        idle += !*d.ready_o;
    }
    assert_true(direct_unsafe > 100 && direct_safe > 50 && queued_unsafe > 100 && queued_safe > 100);
    assert_true(markers > 100 && marker_exits > 100 && merges > 20 && stalls > 100 && refused > 100 && idle > 100);
    assert_true((same_instruction > 10 && behind_marker > 10) || UNSAFE == 1);
    assert_true(in_turn > 100 || WARPS == 1);
    drain();
    end();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(an_unsafe_access_waits_for_those_of_earlier_instructions),
        cmocka_unit_test(a_marker_leaves_when_what_was_passed_is_performed),
        cmocka_unit_test(safe_accesses_keep_their_order),
        cmocka_unit_test(the_safe_queue_has_its_turn),
        cmocka_unit_test(random_traffic_matches_queues),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
