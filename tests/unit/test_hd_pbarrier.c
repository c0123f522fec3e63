/* test_hd_pbarrier.c - who waits for which marker: work-items and the kernel alone, work-groups gathered. */
/* dut: hd_pbarrier Warps=6 Blocks=2 */
/* dut: hd_pbarrier Warps=6 Blocks=2 Buffered=1 */
#include "hd_unit.h"
#include "hd_pbarrier_dut.h"
#include "hd_bits.h"

#ifndef P_Buffered
#define P_Buffered 0
#endif

enum { WI, WG, DEVICE, WARPS = 6, BLOCKS = 2 };

static struct hd_pbarrier d;

static void edge(void)
{
    hd_eval(d.m);
    hd_edge(d.m);
    *d.launch_i = *d.pb_i = *d.mark_ready_i = *d.pack_valid_i = 0;
    hd_eval(d.m);
}

/* Warps 0..3 are block 0, 4 and 5 block 1. */
static int setup(void **state)
{
    (void)state;
    hd_pbarrier_open(&d);
    hd_reset(d.m);
    for (unsigned w = 0; w < WARPS; w++) {
        *d.launch_i = 1;
        HD_PUT(d.launch_at_i, PB_LAUNCH_WARP, w);
        HD_PUT(d.launch_at_i, PB_LAUNCH_BLOCK, w >= 4);
        edge();
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static void arrive(unsigned w, unsigned scope)
{
    HD_PUT(d.pb_i, ISSUE_PB_ARRIVE, 1);
    HD_PUT(d.pb_i, ISSUE_PB_SCOPE, scope);
    *d.warp_i = (uint8_t)w;
    edge();
}

static void leave(unsigned w)
{
    HD_PUT(d.pb_i, ISSUE_PB_LEAVE, 1);
    *d.warp_i = (uint8_t)w;
    edge();
}

static unsigned marker(void)
{
    for (unsigned i = 0; i < 4 && !*d.mark_valid_o; i++)
        edge();
    assert_true(*d.mark_valid_o);
    unsigned id = *d.mark_id_o;
    *d.mark_ready_i = 1;
    hd_eval(d.m);
    assert_int_equal(*d.done_o != 0, P_Buffered && id >> 6 != 2);
    edge();
    return id;
}

/* The answer to marker @id ends the barrier of @warps, in its cycle; buffered, the taking of the marker has, but of the kernel's. */
static void answer(unsigned id, unsigned warps)
{
    if (P_Buffered && id >> 6 != 2) {
        assert_int_equal(*d.wait_o & warps, 0);
        return;
    }
    assert_int_equal(*d.wait_o & warps, warps);
    *d.pack_valid_i = 1;
    *d.pack_id_i = (uint8_t)id;
    hd_eval(d.m);
    assert_int_equal(*d.done_o, warps);
    edge();
    assert_int_equal(*d.wait_o & warps, 0);
    assert_int_equal(*d.done_o, 0);
}

/* The kernel's answer and the taking of another marker in one cycle. */
static void taken_and_answered_at_once(void **state)
{
    (void)state;
    arrive(5, DEVICE);
    assert_int_equal(marker(), 2 << 6 | 5);
    arrive(2, WI);
    edge();
    assert_true(*d.mark_valid_o);
    *d.mark_ready_i = *d.pack_valid_i = 1;
    *d.pack_id_i = 2 << 6 | 5;
    hd_eval(d.m);
    assert_int_equal(*d.done_o, 1 << 5 | (P_Buffered ? 1 << 2 : 0));
    edge();
}

static void a_warp_alone(void **state)
{
    (void)state;
    arrive(2, WI);
    arrive(5, DEVICE);
    unsigned a = marker(), b = marker();
    assert_true((a == 2 && b == (2 << 6 | 5)) || (b == 2 && a == (2 << 6 | 5)));
    edge();
    assert_false(*d.mark_valid_o);
    answer(2 << 6 | 5, 1 << 5);
    answer(2, 1 << 2);
    assert_true(*d.idle_o);
}

static void a_group_sends_one_marker_when_all_are_there(void **state)
{
    (void)state;
    arrive(0, WG);
    arrive(4, WG);
    arrive(1, WG);
    arrive(3, WG);
    edge();
    assert_false(*d.mark_valid_o);
    arrive(2, WG);
    assert_int_equal(marker(), 1 << 6 | 0);
    edge();
    assert_false(*d.mark_valid_o);
    answer(1 << 6 | 0, 0xf);
    assert_int_equal(*d.wait_o, 1 << 4);
    arrive(5, WG);
    assert_int_equal(marker(), 1 << 6 | 1);
    answer(1 << 6 | 1, 0x30);
}

static void an_exit_completes_a_group(void **state)
{
    (void)state;
    arrive(4, WG);
    leave(5);
    assert_int_equal(marker(), 1 << 6 | 1);
    answer(1 << 6 | 1, 1 << 4);
}

static void scopes_of_a_block_are_apart(void **state)
{
    (void)state;
    arrive(0, WG);
    arrive(1, WI);
    assert_int_equal(marker(), 1);
    answer(1, 1 << 1);
    arrive(1, WG);
    arrive(2, WG);
    arrive(3, WG);
    assert_int_equal(marker(), 1 << 6 | 0);
    answer(1 << 6 | 0, 0xf);
}

/* Random launches, barriers, exits and answers against the table of the header, cycle by cycle. */
enum state { DEAD, RUN, ARRIVED, QUEUED, FLUSHING };

static struct {
    struct {
        enum state state;
        unsigned block, scope;
    } warp[WARPS];
    struct {
        bool queued, flushing, launching;
    } block[BLOCKS];
    int check, last; /* block of the last arrival or exit, requester of the last marker taken; -1: none */
} r;

/* Whether everybody alive in @b stands at its barrier, and somebody does. */
static bool all_there(unsigned b)
{
    unsigned live = 0, there = 0;

    for (unsigned w = 0; w < WARPS; w++) {
        if (r.warp[w].block != b || r.warp[w].state == DEAD)
            continue;
        live++;
        there += r.warp[w].state == ARRIVED;
    }
    return live > 0 && live == there;
}

static bool asks(unsigned who)
{
    return who < WARPS ? r.warp[who].state == QUEUED && r.warp[who].scope != WG : r.block[who - WARPS].queued;
}

/* @return the requester whose marker is offered, behind the last one taken; -1: none. */
static int offered(void)
{
    for (unsigned n = 0; n < WARPS + BLOCKS; n++) {
        unsigned who = ((unsigned)(r.last + 1) + n) % (WARPS + BLOCKS);
        if (asks(who))
            return (int)who;
    }
    return -1;
}

static unsigned id_of(unsigned who)
{
    return who >= WARPS ? 1 << 6 | (who - WARPS) : (r.warp[who].scope == DEVICE ? 2 << 6 : 0) | who;
}

/* @return the warps that wait for the marker of @who, in state @in */
static unsigned waiters(unsigned who, enum state in)
{
    unsigned mask = 0;

    for (unsigned w = 0; w < WARPS; w++) {
        if (r.warp[w].state == in && (who < WARPS ? w == who : r.warp[w].scope == WG && r.warp[w].block == who - WARPS))
            mask |= 1u << w;
    }
    return mask;
}

/* What is driven in this cycle: a launch into a block that nobody runs in, or an arrival or exit of a warp that runs. */
static void choose(void)
{
    const unsigned w = (unsigned)hd_rand_below(WARPS), b = (unsigned)hd_rand_below(BLOCKS);
    bool dead = true;

    for (unsigned i = 0; i < WARPS; i++)
        dead &= r.warp[i].state == DEAD || r.warp[i].block != b;
    *d.warp_i = (uint8_t)w;
    HD_PUT(d.pb_i, ISSUE_PB_SCOPE, hd_rand_below(3));
    HD_PUT(d.launch_at_i, PB_LAUNCH_WARP, w);
    HD_PUT(d.launch_at_i, PB_LAUNCH_BLOCK, b);
    if (r.warp[w].state == DEAD && (r.block[b].launching || dead)) {
        *d.launch_i = 1;
        r.block[b].launching = true;
    } else if (r.warp[w].state == RUN && !(r.block[r.warp[w].block].launching && hd_rand_below(4))) {
        r.block[r.warp[w].block].launching = false;
        const bool leaves = hd_rand_below(12) == 0;
        HD_PUT(d.pb_i, ISSUE_PB_LEAVE, leaves);
        HD_PUT(d.pb_i, ISSUE_PB_ARRIVE, !leaves);
    }
    *d.mark_ready_i = hd_rand_below(3) == 0;
}

static void against_the_table(void **state)
{
    unsigned grants = 0, groups = 0, exits = 0, answers = 0;

    (void)state;
    memset(&r, 0, sizeof r);
    for (unsigned w = 0; w < WARPS; w++)
        r.warp[w].state = RUN, r.warp[w].block = w >= 4;
    r.check = r.last = -1;
    hd_edge(d.m);
    for (unsigned n = 0; n < 30000; n++) {
        unsigned waits = 0, done = 0, flushing[WARPS + BLOCKS], flushes = 0;
        int answered = -1;

        choose();
        for (unsigned who = 0; who < WARPS + BLOCKS; who++)
            if (waiters(who, FLUSHING) != 0 && (who >= WARPS || r.warp[who].scope != WG))
                flushing[flushes++] = who;
        if (flushes > 0 && hd_rand_below(3) == 0) {
            answered = (int)flushing[hd_rand_below(flushes)];
            *d.pack_valid_i = 1;
            *d.pack_id_i = (uint8_t)id_of((unsigned)answered);
            done = waiters((unsigned)answered, FLUSHING);
        } else
            *d.pack_id_i = (uint8_t)hd_rand();
        const int next = offered();
        const bool gathers = r.check >= 0;
        const bool full = gathers && all_there((unsigned)r.check);
        const bool goes_on = P_Buffered && next >= 0 && *d.mark_ready_i && (unsigned)next >= WARPS;
        const bool alone = P_Buffered && next >= 0 && *d.mark_ready_i && (unsigned)next < WARPS && r.warp[next].scope == WI;
        if (goes_on || alone)
            done |= waiters((unsigned)next, QUEUED);
        for (unsigned w = 0; w < WARPS; w++)
            waits |= (unsigned)(r.warp[w].state > RUN) << w;
        hd_eval(d.m);
        assert_int_equal(*d.wait_o, waits);
        assert_int_equal(*d.done_o, done);
        assert_int_equal(*d.mark_valid_o, next >= 0);
        if (next >= 0)
            assert_int_equal(*d.mark_id_o, id_of((unsigned)next));
        assert_int_equal(*d.idle_o, next < 0 && !gathers);
        const unsigned w = *d.warp_i;
        if (next >= 0 && *d.mark_ready_i) {
            const unsigned taken = waiters((unsigned)next, QUEUED);
            for (unsigned i = 0; i < WARPS; i++)
                if (taken >> i & 1)
                    r.warp[i].state = FLUSHING;
            if ((unsigned)next >= WARPS)
                r.block[(unsigned)next - WARPS].queued = false;
            r.last = next;
            grants++;
        }
        for (unsigned i = 0; i < WARPS; i++)
            if (done >> i & 1)
                r.warp[i].state = RUN;
        if (full) {
            r.block[r.check].queued = true;
            for (unsigned i = 0; i < WARPS; i++)
                if (r.warp[i].block == (unsigned)r.check && r.warp[i].state == ARRIVED)
                    r.warp[i].state = QUEUED;
            groups++;
        }
        answers += answered >= 0;
        r.check = -1;
        if (HD_GET(d.pb_i, ISSUE_PB_ARRIVE)) {
            r.warp[w].scope = (unsigned)HD_GET(d.pb_i, ISSUE_PB_SCOPE);
            r.warp[w].state = r.warp[w].scope == WG ? ARRIVED : QUEUED;
            r.check = r.warp[w].scope == WG ? (int)r.warp[w].block : -1;
        } else if (HD_GET(d.pb_i, ISSUE_PB_LEAVE)) {
            r.warp[w].state = DEAD;
            r.check = (int)r.warp[w].block;
            exits++;
        }
        if (*d.launch_i) /* of the warp that would arrive */
            r.warp[w].state = RUN, r.warp[w].block = (unsigned)HD_GET(d.launch_at_i, PB_LAUNCH_BLOCK);
        edge();
    }
    assert_true(grants > 2000 && groups > 100 && exits > 300 && answers > 300);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(taken_and_answered_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(a_warp_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(a_group_sends_one_marker_when_all_are_there, setup, teardown),
        cmocka_unit_test_setup_teardown(an_exit_completes_a_group, setup, teardown),
        cmocka_unit_test_setup_teardown(scopes_of_a_block_are_apart, setup, teardown),
        cmocka_unit_test_setup_teardown(against_the_table, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
