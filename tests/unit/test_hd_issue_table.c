/* test_hd_issue_table.c - random operations and picks: what each warp waits to do, in every cycle, and which warps send the L1 a fence
 * first, against a table of operations in C. */
/* mutants: Warps=3 Tm=1 Persist=1 */
/* dut: hd_issue_table Warps=3 Tm=1 Persist=1 */
/* dut: hd_issue_table Warps=6 Tm=0 Persist=0 */
/* dut-rtl: hd_issue_table Warps=48 Tm=0 Persist=1 */
#include "hd_unit.h"
#include "hd_issue_table_dut.h"
#include "hd_access.h"

enum { WARPS = P_Warps };
/* slices of is_o */
enum { HAS, MORE_ALU, FENCE, LD, ST, AT, BAR, EXIT, REL, SYNC, TX, PB, CLOCK };
#define PICK(name) (1u << HD_ISSUE_PICK_##name##_LSB)

static struct hd_issue_table d;
static struct { bool live, has, wants; unsigned alu, model; struct hd_access acc; } warps[WARPS];
static unsigned live;
static bool owed; /* a warp left with no fence since */

static bool is(unsigned slice, unsigned w)
{
    return hd_bits_get(d.is_o, slice * WARPS + w, 1);
}

static bool loads(unsigned kind)
{
    return kind == HD_OP_LOAD || kind == HD_OP_ATOMIC || kind == HD_OP_COPY || kind == HD_OP_TX_BEGIN || kind == HD_OP_TX_COMMIT;
}

static bool stores(unsigned kind)
{
    return kind != HD_OP_LOAD && (kind == HD_OP_STORE || loads(kind));
}

static bool releases(const struct hd_access *a)
{
    return a->order == HD_ORD_RELEASE || a->order == HD_ORD_ACQ_REL || a->order == HD_ORD_SEQ_CST;
}

static bool coherent(unsigned model)
{
    return model == HD_MODEL_DRF || model == HD_MODEL_HRF;
}

/* It wants a fence in front of it. An exit: if it is the last one's. */
static bool wants_fence(const struct hd_access *a, unsigned model)
{
    const bool device = a->scope != HD_SCOPE_WI && (model == HD_MODEL_DRF || a->scope != HD_SCOPE_WG);

    if (!coherent(model))
        return false;
    if (a->kind == HD_OP_EXIT)
        return true;
    if (a->kind == HD_OP_FENCE)
        return device && a->order != HD_ORD_RELAXED;
    return (loads(a->kind) || stores(a->kind)) && device && releases(a) && a->space == HD_SPACE_GLOBAL;
}

static bool fence_first(unsigned w)
{
    const bool leaves = warps[w].acc.kind == HD_OP_EXIT;

    if (live != 1)
        return warps[w].wants && !leaves;
    return warps[w].wants || (owed && leaves);
}

static void check(unsigned w)
{
    const struct hd_access *a = &warps[w].acc;
    const bool wide = a->scope != HD_SCOPE_WI, memory = loads(a->kind) || stores(a->kind);

    assert_int_equal(is(HAS, w), warps[w].has);
    if (!warps[w].has)
        return;
    assert_int_equal(is(MORE_ALU, w), warps[w].alu > 0);
    assert_int_equal(is(LD, w), loads(a->kind) && !stores(a->kind));
    assert_int_equal(is(ST, w), stores(a->kind) && !loads(a->kind));
    assert_int_equal(is(AT, w), loads(a->kind) && stores(a->kind));
    assert_int_equal(is(BAR, w), a->kind == HD_OP_BARRIER);
    assert_int_equal(is(EXIT, w), a->kind == HD_OP_EXIT);
    assert_int_equal(is(CLOCK, w), a->kind == HD_OP_CLOCK);
    assert_int_equal(is(TX, w), P_Tm && a->kind == HD_OP_TX_BEGIN);
    assert_int_equal(is(PB, w), P_Persist && a->kind == HD_OP_PBARRIER);
    assert_int_equal(is(REL, w), wide && (a->kind == HD_OP_FENCE || (memory && releases(a))));
    assert_int_equal(is(SYNC, w), wide && memory && (a->order != HD_ORD_RELAXED ||
                                  (coherent(warps[w].model) && loads(a->kind) && stores(a->kind) && a->kind != HD_OP_COPY)));
    if (is(FENCE, w) != fence_first(w))
        fail_msg("warp %u: kind %u, %u live: fence first is %u", w, a->kind, live, is(FENCE, w));
}

static void random_operations_match_a_table(void **state)
{
    static const unsigned kinds[] = {HD_OP_LOAD, HD_OP_STORE, HD_OP_ATOMIC, HD_OP_FENCE, HD_OP_BARRIER, HD_OP_EXIT, HD_OP_CLOCK, HD_OP_NOP,
                                     HD_OP_COPY, HD_OP_COPY_CTL, HD_OP_TX_BEGIN, HD_OP_TX_COMMIT, HD_OP_PBARRIER};
    unsigned fences = 0, exits = 0, last_exits = 0, again = 0, alus = 0, launches = 0, flushes = 0, seen[HD_OP_COPY_CTL + 1] = {0};

    (void)state;
    hd_issue_table_open(&d);
    hd_reset(d.m);
    memset(warps, 0, sizeof warps);
    live = 0;
    owed = false;
    for (unsigned n = 0; n < (WARPS > 8 ? 40000 : 80000); n++) {
        const unsigned model = n / 400 % (HD_MODEL_HRF + 1), w = (unsigned)hd_rand_below(WARPS), dice = (unsigned)hd_rand_below(8);
        const unsigned issuer = (unsigned)hd_rand_below(WARPS);
        const bool leaving = n / 150 % 3 == 2; /* few warps come, until one is left */
        struct hd_access a = hd_access_random();
        bool arrive = false, launch = false, valid = false;
        unsigned alu = hd_rand_below(3) ? 0 : 1 + (unsigned)hd_rand_below(4), pick = 0;

        /* ---- the warp port */
        a.warp = w;
        a.order = (unsigned)hd_rand_below(5);
        if (dice == 0) {
            a.kind = HD_OP_FLUSH;
            valid = true;
            flushes++;
        } else if (!warps[w].live && dice < 4 && (!leaving || hd_rand_below(live ? 12 : 3) == 0)) {
            a.kind = HD_OP_LAUNCH;
            valid = launch = true;
        } else if (warps[w].live && !warps[w].has) {
            do
                a.kind = kinds[hd_rand_below(sizeof kinds / sizeof *kinds)];
            while ((!P_Tm && (a.kind == HD_OP_TX_BEGIN || a.kind == HD_OP_TX_COMMIT)) || (!P_Persist && a.kind == HD_OP_PBARRIER) ||
                   (a.kind == HD_OP_EXIT && hd_rand_below(4)));
            if (leaving && hd_rand_below(2))
                a.kind = HD_OP_EXIT;
            valid = arrive = true;
        }
        *d.op_valid_i = valid;
        hd_bits_put(d.op_acc_i, 0, HD_ACCESS_W, hd_access_pack(a));
        hd_bits_put(d.op_alu_i, 0, HD_ALU_W, alu);
        *d.model_i = (uint8_t)model;

        /* ---- what issues */
        if (warps[issuer].has && hd_rand_below(4)) {
            const unsigned kind = warps[issuer].acc.kind;

            pick = PICK(ANY);
            if (warps[issuer].alu > 0)
                pick |= PICK(ALU);
            else if (fence_first(issuer))
                pick |= PICK(MEM) | PICK(FENCE);
            else
                pick |= loads(kind) || stores(kind) ? PICK(MEM) : PICK(CTL) | (kind == HD_OP_BARRIER ? PICK(ARRIVE) : 0) |
                                                                      (kind == HD_OP_EXIT ? PICK(LEAVE) : 0);
        }
        hd_bits_put(d.gnt_i, 0, WARPS, pick ? UINT64_C(1) << issuer : 0);
        hd_bits_put(d.idx_i, 0, HD_ISSUE_TABLE_W_idx_i, issuer);
        *d.pick_i = (uint8_t)pick;
        hd_eval(d.m);
        assert_int_equal(*d.launch_o, launch);
        assert_true(hd_bits_get(d.op_bit_o, 0, WARPS) == (valid ? UINT64_C(1) << w : 0));
        for (unsigned i = 0; i < WARPS; i++)
            check(i);
        if (warps[issuer].has)
            assert_int_equal(hd_bits_get(d.desc_o, 0, HD_DESC_W), hd_access_pack(warps[issuer].acc) & ((1u << HD_DESC_W) - 1));
        hd_edge(d.m);

        /* ---- the edge */
        if (pick & PICK(ALU)) {
            warps[issuer].alu--;
            alus++;
        } else if (pick & PICK(FENCE)) {
            again += warps[issuer].acc.kind == HD_OP_EXIT && !warps[issuer].wants;
            if (warps[issuer].acc.kind == HD_OP_EXIT)
                owed = false;
            warps[issuer].wants = false;
            fences++;
        } else if (pick) {
            seen[warps[issuer].acc.kind]++;
            warps[issuer].has = false;
            if (pick & PICK(LEAVE)) {
                owed |= warps[issuer].wants;
                warps[issuer].live = false;
                exits++;
                last_exits += live == 1;
                live--;
            }
        }
        if (arrive) {
            warps[w].has = true;
            warps[w].acc = a;
            warps[w].alu = alu;
            warps[w].model = model;
            warps[w].wants = wants_fence(&a, model);
        }
        if (launch) {
            warps[w].live = true;
            live++;
            launches++;
        }
    }
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if ((P_Tm || (kinds[i] != HD_OP_TX_BEGIN && kinds[i] != HD_OP_TX_COMMIT)) && (P_Persist || kinds[i] != HD_OP_PBARRIER))
            assert_true(seen[kinds[i]] > 50);
    assert_true(fences > 100 && exits > 200 && alus > 500 && launches > 200 && flushes > 500);
    assert_true(WARPS > 3 || (last_exits > 20 && again > 2));
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static void every_misuse_trips_an_assertion(void **state)
{
    (void)state;
    hd_issue_table_open(&d);
    for (unsigned misuse = 0; misuse < 4 && hd_has_asserts(d.m); misuse++) {
        struct hd_access a = {.kind = HD_OP_LAUNCH};

        hd_reset(d.m);
        *d.op_valid_i = 1;
        hd_bits_put(d.op_acc_i, 0, HD_ACCESS_W, hd_access_pack(a));
        hd_edge(d.m);
        a.kind = HD_OP_LOAD;
        hd_bits_put(d.op_acc_i, 0, HD_ACCESS_W, hd_access_pack(a));
        hd_edge(d.m);
        hd_assert_clear(d.m);
        switch (misuse) {
        case 0: break;                               /* its buffer is not empty */
        case 1: a.kind = HD_OP_LAUNCH; break;        /* it runs */
        case 2: a.warp = 1; a.kind = 31; break;      /* there is no such kind */
        default: a.warp = WARPS; a.kind = HD_OP_NOP; /* ... no such warp */
        }
        hd_bits_put(d.op_acc_i, 0, HD_ACCESS_W, hd_access_pack(a));
        hd_edge(d.m);
        if (hd_assert_failures(d.m) == 0)
            fail_msg("misuse %u was not noticed", misuse);
    }
    hd_assert_clear(d.m);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(random_operations_match_a_table),
        cmocka_unit_test(every_misuse_trips_an_assertion),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
