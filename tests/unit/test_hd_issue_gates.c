/* test_hd_issue_gates.c - random operations and states of warps, barriers, exits and gaps: which warps may issue as what, cycle by cycle
 * against a memory order, a barrier and counters in C. */
/* mutants: Warps=5 Blocks=2 Tm=1 */
/* dut: hd_issue_gates Warps=5 Blocks=2 Tm=1 */
/* dut: hd_issue_gates Warps=6 Blocks=3 Tm=0 */
/* dut-rtl: hd_issue_gates Warps=48 Blocks=8 Tm=1 */
#include "hd_unit.h"
#include "hd_issue_gates_dut.h"
#include "hd_bits.h"

enum { WARPS = P_Warps, BLOCKS = P_Blocks, NONE = -1 };
/* slices of is_i, sb_i, wait_i */
enum { HAS, MORE_ALU, FENCE, LD, ST, AT, BAR, EXIT, REL, SYNC, TX, PB, CLOCK, IS_NUM };
enum { FULL, LD_PEND, ST_PEND, ACQ_BLOCK, SYNC_PEND };
enum { BUSY, HOLD, COPY_IS, COPY_WAIT, COPY_PEND, PB_WAIT, TM_HOLD, WAIT_NUM };
#define PICK(name) (1u << HD_ISSUE_PICK_##name##_LSB)

static struct hd_issue_gates d;
static struct { bool live, waits; unsigned block, gap; } warps[WARPS];

static bool bit(const void *port, unsigned slice, unsigned w)
{
    return hd_bits_get(port, slice * WARPS + w, 1);
}

/* The order lets the operation of @w go (table in hd_order_naive). */
static bool ordered(unsigned w, unsigned model)
{
    const bool ld = bit(d.is_i, LD, w), st = bit(d.is_i, ST, w), at = bit(d.is_i, AT, w), bar = bit(d.is_i, BAR, w);
    const bool rel = bit(d.is_i, REL, w), leaves = bit(d.is_i, EXIT, w) || bit(d.is_i, PB, w);
    const bool loads = bit(d.sb_i, LD_PEND, w), stores = bit(d.sb_i, ST_PEND, w), copy = bit(d.wait_i, COPY_IS, w);
    bool drained = leaves || rel, no_loads = false;

    if (model != HD_MODEL_SC_PF && model != HD_MODEL_TYPE) {
        if (bit(d.sb_i, ACQ_BLOCK, w) || (bit(d.is_i, SYNC, w) && bit(d.sb_i, SYNC_PEND, w)))
            return false;
    }
    switch (model) {
    case HD_MODEL_TSO:
        no_loads = ld;
        drained |= st || at || bar;
        break;
    case HD_MODEL_TSO_SB:
        no_loads = ld || st;
        drained |= at || bar;
        break;
    case HD_MODEL_SC: drained |= ld || st || at || bar; break;
    case HD_MODEL_TYPE:
        if ((bar || rel || copy) && bit(d.wait_i, BUSY, w))
            return false;
        drained = leaves || copy || bit(d.wait_i, COPY_PEND, w);
        break;
    case HD_MODEL_RMO: break;
    default: drained |= bar;
    }
    return !(loads && (no_loads || drained)) && !(stores && drained);
}

/* Warps the barrier of @block lets go; 0: one is missing. */
static uint64_t complete(int block)
{
    uint64_t members = 0;

    for (unsigned w = 0; block != NONE && w < WARPS; w++)
        if (warps[w].live && (int)warps[w].block == block) {
            if (!warps[w].waits)
                return 0;
            members |= UINT64_C(1) << w;
        }
    return members;
}

static void random_states_match_the_gates(void **state)
{
    unsigned seen[3] = {0}, not_ordered[HD_MODEL_HRF + 1] = {0}, joining = 0, join_block = 0, released = 0, by_exit = 0, early = 0, held = 0;
    unsigned full = 0, hold = 0, waiting = 0, idle = 0;
    int check = NONE;
    bool check_exit = false;

    (void)state;
    hd_issue_gates_open(&d);
    hd_reset(d.m);
    memset(warps, 0, sizeof warps);
    for (unsigned n = 0; n < (WARPS > 8 ? 16000 : 40000); n++) {
        const unsigned model = n / 500 % (HD_MODEL_HRF + 1), gap = (unsigned)hd_rand_below(4);
        const unsigned block = (unsigned)hd_rand_below(BLOCKS), fresh = (unsigned)hd_rand_below(WARPS);
        int w = hd_rand_below(3) ? (int)hd_rand_below(WARPS) : NONE;
        unsigned pick = 0, live = 0;
        bool launch = false;

        /* ---- operations and states */
        HD_PUT(d.policy_i, POLICY_MODEL, model);
        HD_PUT(d.policy_i, POLICY_ISSUE_GAP, gap);
        hd_bits_random(d.sb_i, 5 * WARPS);
        hd_bits_random(d.wait_i, WAIT_NUM * WARPS);
        hd_bits_random(d.is_i, IS_NUM * WARPS);
        for (unsigned i = 0; i < WARPS; i++) {
            static const unsigned kinds[] = {LD, ST, AT, BAR, EXIT, PB, TX, CLOCK};
            const unsigned kind = kinds[hd_rand_below(8)];

            for (unsigned k = 0; k < 8; k++)
                hd_bits_put(d.is_i, kinds[k] * WARPS + i, 1, kinds[k] == kind);
            if (kind == TX)
                hd_bits_put(d.is_i, AT * WARPS + i, 1, 1);
            hd_bits_put(d.is_i, FENCE * WARPS + i, 1, hd_rand_below(4) == 0);
            hd_bits_put(d.wait_i, COPY_IS * WARPS + i, 1, kind == AT && hd_rand_below(2));
            hd_bits_put(d.wait_i, COPY_WAIT * WARPS + i, 1, hd_rand_below(6) == 0);
            hd_bits_put(d.wait_i, PB_WAIT * WARPS + i, 1, hd_rand_below(6) == 0);
            hd_bits_put(d.sb_i, ACQ_BLOCK * WARPS + i, 1, hd_rand_below(4) == 0);
            live += warps[i].live && warps[i].block == block;
        }
        if (joining == 0 && live == 0 && hd_rand_below(3) == 0) {
            joining = 1 + (unsigned)hd_rand_below(WARPS);
            join_block = block;
        }
        if (joining > 0 && !warps[fresh].live) {
            launch = true;
            joining--;
        } else if (joining > 0 && hd_rand_below(8) == 0) {
            joining = 0;
        }
        HD_PUT(d.launch_i, ISSUE_LAUNCH_NOW, launch);
        HD_PUT(d.launch_i, ISSUE_LAUNCH_WARP, fresh);
        HD_PUT(d.launch_i, ISSUE_LAUNCH_BLOCK, join_block);

        /* ---- what issues: nobody of a block that is not complete arrives or leaves */
        if (w != NONE) {
            const bool whole = joining == 0 && (!launch || warps[w].block != join_block);

            pick = PICK(ANY);
            if (warps[w].live && !warps[w].waits && whole && hd_rand_below(2))
                pick |= PICK(CTL) | (hd_rand_below(8) ? PICK(ARRIVE) : PICK(LEAVE));
        }
        hd_bits_put(d.gnt_i, 0, WARPS, w == NONE ? 0 : UINT64_C(1) << w);
        hd_bits_put(d.idx_i, 0, HD_ISSUE_GATES_W_idx_i, w == NONE ? 0 : (unsigned)w);
        *d.pick_i = (uint8_t)pick;
        hd_eval(d.m);

        /* ---- who may */
        bool gaps = false;
        for (unsigned i = 0; i < WARPS; i++) {
            const bool too_early = P_Tm && warps[i].gap > 0, token = P_Tm && bit(d.is_i, TX, i) && bit(d.wait_i, TM_HOLD, i);
            const bool ok = ordered(i, model), memory = bit(d.is_i, LD, i) || bit(d.is_i, ST, i) || bit(d.is_i, AT, i) || bit(d.is_i, FENCE, i);
            const bool ready = bit(d.is_i, HAS, i) && !warps[i].waits && !too_early && !bit(d.wait_i, PB_WAIT, i) && !bit(d.wait_i, COPY_WAIT, i);
            const bool room = !bit(d.sb_i, FULL, i) && !bit(d.wait_i, HOLD, i) && !token;
            const bool alu = ready && bit(d.is_i, MORE_ALU, i), operation = ready && !bit(d.is_i, MORE_ALU, i) && ok;

            assert_int_equal(bit(d.why_o, 0, i), warps[i].waits);
            if (bit(d.why_o, 1, i) != ok)
                fail_msg("cycle %u: model %u, warp %u: ordered is %u", n, model, i, !ok);
            assert_int_equal(bit(d.why_o, 2, i), too_early);
            assert_int_equal(bit(d.why_o, 3, i), token);
            assert_int_equal(bit(d.can_o, 0, i), alu);
            assert_int_equal(bit(d.can_o, 1, i), operation && memory && room);
            assert_int_equal(bit(d.can_o, 2, i), operation && !memory);
            gaps |= too_early;
            seen[0] += alu;
            seen[1] += operation && memory && room;
            seen[2] += operation && !memory;
            not_ordered[model] += ready && !ok;
            full += operation && memory && bit(d.sb_i, FULL, i);
            hold += operation && memory && bit(d.wait_i, HOLD, i);
            early += too_early;
            held += operation && token;
            waiting += warps[i].waits;
        }
        const uint64_t go = complete(check);
        assert_true(hd_bits_get(d.released_o, 0, WARPS) == go);
        assert_int_equal(*d.idle_o, check == NONE && !gaps);
        idle += *d.idle_o;
        released += go != 0;
        by_exit += go != 0 && check_exit;
        hd_edge(d.m);

        /* ---- the edge */
        check = NONE;
        for (unsigned i = 0; i < WARPS; i++) {
            warps[i].waits = warps[i].waits && !(go >> i & 1);
            warps[i].gap = w == (int)i ? gap : warps[i].gap > 0 ? warps[i].gap - 1 : 0;
        }
        if (pick & (PICK(ARRIVE) | PICK(LEAVE))) {
            check = (int)warps[w].block;
            check_exit = pick & PICK(LEAVE);
            warps[w].waits = pick & PICK(ARRIVE);
            warps[w].live = pick & PICK(ARRIVE);
        }
        if (launch) {
            warps[fresh].live = true;
            warps[fresh].waits = false;
            warps[fresh].block = join_block;
        }
    }
    for (unsigned i = 0; i < 3; i++)
        assert_true(seen[i] > 500);
    for (unsigned m = 0; m <= HD_MODEL_HRF; m++)
        assert_true(not_ordered[m] > 200);
    assert_true(released > 100 && by_exit > 5 && full > 500 && hold > 500 && waiting > 1000);
    assert_true(P_Tm ? early > 500 && held > 100 : idle > 1000);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(random_states_match_the_gates)};

    return HD_UNIT_MAIN(argc, argv, t);
}
