/* test_hd_issue_select.c - random warps that may issue, and launches: who is picked under both schedulers, and what that is, cycle by
 * cycle against ages, a warp to stay with, a turn and who has been passed over in C; warps that would be passed over for ever. */
/* mutants: Warps=5 Turns=8 */
/* dut: hd_issue_select Warps=5 Turns=8 */
/* dut: hd_issue_select Warps=5 Turns=4096 */
/* dut: hd_issue_select Warps=1 Turns=2 */
/* dut-rtl: hd_issue_select Warps=48 Turns=4096 */
#include "hd_unit.h"
#include "hd_issue_select_dut.h"
#include "hd_bits.h"

enum { WARPS = P_Warps, TURNS = P_Turns, NONE = -1 };
#define PICK(name) (1u << HD_ISSUE_PICK_##name##_LSB)
enum { ALU, MEM, CTL, NOTHING };   /* slices of can_i */
enum { FENCE, BARRIER, EXIT };     /* slices of is_i */

static struct hd_issue_select d;

static bool bit(const void *port, unsigned slice, unsigned w)
{
    return hd_bits_get(port, slice * WARPS + w, 1);
}

static void random_warps_match_ages_and_turns(void **state)
{
    uint64_t born[WARPS], births = WARPS;
    int greedy = NONE, turn = WARPS - 1;
    uint64_t issues = 0, passed[WARPS] = {0};  /* 1 + the issue a warp was first passed over at since its last one; 0: none */
    unsigned first = 0;
    unsigned kept = 0, last_kept_out = 0, only_last = 0, stalls = 0, relaunched = 0, idle = 0, what[7] = {0}, rounds = 0;

    (void)state;
    hd_issue_select_open(&d);
    hd_reset(d.m);
    for (unsigned w = 0; w < WARPS; w++)
        born[w] = w;
    for (unsigned n = 0; n < 40000; n++) {
        const unsigned sched = n / 2000 % 2 ? HD_SCHED_LRR : HD_SCHED_GTO, few = n / 250 % 3;
        const bool ready = hd_rand_below(4) != 0, launch = hd_rand_below(8) == 0;
        const unsigned launched = (unsigned)hd_rand_below(WARPS);
        unsigned as[WARPS];
        bool can[WARPS], some = false, others = false, waits = false;
        int best = NONE;

        *d.sched_i = (uint8_t)sched;
        *d.mem_ready_i = ready;
        HD_PUT(d.launch_i, ISSUE_LAUNCH_NOW, launch);
        HD_PUT(d.launch_i, ISSUE_LAUNCH_WARP, launched);
        hd_bits_random(d.is_i, 3 * WARPS);
        hd_bits_random(d.last_i, WARPS);
        for (unsigned w = 0; w < WARPS; w++) {
            as[w] = hd_rand_below(few == 0 ? 2 : few == 1 ? 8 : 1 + WARPS) ? NOTHING : (unsigned)hd_rand_below(3);
            for (unsigned s = 0; s < 3; s++)
                hd_bits_put(d.can_i, s * WARPS + w, 1, as[w] == s);
            hd_bits_put(d.launch_bit_i, w, 1, launch && w == launched);
            can[w] = as[w] == ALU || as[w] == CTL || (as[w] == MEM && ready);
            waits |= as[w] == MEM && !ready;
            some |= can[w];
            others |= can[w] && !bit(d.last_i, 0, w);
        }
        hd_eval(d.m);

        bool due[WARPS], one_due = false;
        for (unsigned w = 0; w < WARPS; w++) {
            due[w] = can[w] && passed[w] != 0 && issues / TURNS >= passed[w] / TURNS + 2;
            one_due |= due[w];
        }
        for (unsigned i = 1; sched == HD_SCHED_LRR && i <= WARPS && best == NONE; i++) {
            unsigned w = ((unsigned)turn + i) % WARPS;
            best = (one_due ? due[w] : can[w]) ? (int)w : NONE;
        }
        if (sched == HD_SCHED_GTO && one_due) {
            for (unsigned w = 0; w < WARPS; w++)
                if (due[w] && (best == NONE || born[w] < born[best]))
                    best = (int)w;
            first++;
        } else if (sched == HD_SCHED_GTO && greedy != NONE && can[greedy]) {
            best = greedy;
            kept++;
        } else if (sched == HD_SCHED_GTO) {
            for (unsigned w = 0; w < WARPS; w++)
                if (can[w] && (!others || !bit(d.last_i, 0, w)) && (best == NONE || born[w] < born[best]))
                    best = (int)w;
            last_kept_out += others && some;
            only_last += some && !others;
        }
        for (unsigned w = 0; w < WARPS; w++) {
            assert_int_equal(bit(d.can_o, 0, w), can[w]);
            if (bit(d.gnt_o, 0, w) != (best == (int)w))
                fail_msg("cycle %u: warp %u, expected %d", n, w, best);
        }
        assert_int_equal(*d.stalled_o, waits);
        unsigned pick = 0;
        if (best != NONE) {
            assert_int_equal(hd_bits_get(d.idx_o, 0, HD_ISSUE_SELECT_W_idx_o), best);
            pick = PICK(ANY) | (as[best] == ALU ? PICK(ALU) : as[best] == MEM ? PICK(MEM) : PICK(CTL));
            pick |= as[best] == MEM && bit(d.is_i, FENCE, (unsigned)best) ? PICK(FENCE) : 0;
            pick |= as[best] == CTL && bit(d.is_i, BARRIER, (unsigned)best) ? PICK(ARRIVE) : 0;
            pick |= as[best] == CTL && bit(d.is_i, EXIT, (unsigned)best) ? PICK(LEAVE) : 0;
        }
        assert_int_equal(*d.pick_o, pick);
        for (unsigned i = 0; i < 7; i++)
            what[i] += pick >> i & 1;
        stalls += waits;
        idle += best == NONE;
        hd_edge(d.m);

        if (best != NONE) {
            for (unsigned w = 0; w < WARPS; w++)
                if ((int)w == best || (can[w] && passed[w] == 0))
                    passed[w] = (int)w == best ? 0 : 1 + issues;
            issues++;
            greedy = best;
            rounds += sched == HD_SCHED_LRR && best <= turn;
            turn = sched == HD_SCHED_LRR ? best : turn;
        }
        if (launch) {
            born[launched] = births++;
            relaunched += greedy == (int)launched;
            greedy = greedy == (int)launched ? NONE : greedy;
        }
    }
    for (unsigned i = 0; i < 7; i++)
        assert_true(what[i] > 300);
    assert_true(kept > 300 && only_last > 300 && stalls > 300 && relaunched > 30 && idle > 300 && rounds > 300);
    assert_true(last_kept_out > 300 && (TURNS > 8 || WARPS == 1 || first > 300));
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

/* All warps but the youngest could issue in every cycle, the youngest only now and then: every warp issues again and again
 * under both schedulers. */
static void a_warp_that_can_again_and_again_issues(void **state)
{
    const unsigned young = WARPS - 1;

    (void)state;
    hd_issue_select_open(&d);
    for (unsigned sched = HD_SCHED_GTO; sched <= HD_SCHED_LRR; sched++) {
        uint64_t turns[WARPS] = {0};
        const unsigned cycles = 3 * WARPS * TURNS + 70;

        hd_reset(d.m);
        *d.sched_i = (uint8_t)sched;
        *d.mem_ready_i = 1;
        HD_PUT(d.launch_i, ISSUE_LAUNCH_NOW, 0);
        hd_bits_put(d.is_i, 0, 3 * WARPS, 0);
        hd_bits_put(d.last_i, 0, WARPS, 0);
        hd_bits_put(d.can_i, 0, 3 * WARPS, 0);
        for (unsigned n = 0; n < cycles; n++) {
            for (unsigned w = 0; w < WARPS; w++)
                hd_bits_put(d.can_i, ALU * WARPS + w, 1, w != young || n % 7 == 3);
            hd_eval(d.m);
            for (unsigned w = 0; w < WARPS; w++)
                turns[w] += bit(d.gnt_o, 0, w);
            hd_edge(d.m);
        }
        for (unsigned w = 0; w < WARPS; w++)
            if (turns[w] < 2)
                fail_msg("%s: warp %u issued %u times in %u cycles",
                         sched == HD_SCHED_GTO ? "GTO" : "LRR", w, (unsigned)turns[w], cycles);
    }
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(random_warps_match_ages_and_turns),
        cmocka_unit_test(a_warp_that_can_again_and_again_issues),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
