/* dut: hd_order_naive Warps=6 */
/* dut: hd_order_naive */
/* test_hd_order_naive.c - hd_order_naive against the table of its header, warp by warp. */
#include "hd_bits.h"

#include "hd_order_naive_dut.h"

#ifndef P_Warps
#define P_Warps 48
#endif

enum { MODELS = HD_MODEL_HRF + 1 };
enum kind { K_LD, K_ST, K_AT, K_BAR, K_EXIT, K_OTHER, K_NUM };

static struct hd_order_naive d;

/* What a warp with these pending operations must wait for, from the rules of the paper. */
static bool may_issue(int model, enum kind kind, bool rel, bool ld, bool st, bool acq, bool busy, bool sync,
                      bool copy, bool copying)
{
    const bool behind = model == HD_MODEL_SC_PF || model == HD_MODEL_TYPE; /* hardware behind the coalescer orders */

    if ((acq || sync) && !behind)
        return false;
    if (model == HD_MODEL_TYPE && (kind == K_BAR || rel || copy) && busy)
        return false;
    if (model == HD_MODEL_TYPE && (copy || copying))
        return !ld && !st;
    if (kind == K_EXIT)
        return !ld && !st;
    if (model == HD_MODEL_TYPE)
        return true;
    if (rel)
        return !ld && !st;
    if (model == HD_MODEL_RMO || kind == K_OTHER)
        return true;
    if (model == HD_MODEL_SC_PF || model == HD_MODEL_DRF || model == HD_MODEL_HRF)
        return kind != K_BAR || (!ld && !st);
    if ((model == HD_MODEL_TSO || model == HD_MODEL_TSO_SB) && kind == K_LD)
        return !ld;
    if (model == HD_MODEL_TSO_SB && kind == K_ST)
        return !ld; /* earlier stores are waited for in the store buffer */
    return !ld && !st;
}

static uint64_t seen_ok[MODELS][K_NUM], seen_wait[MODELS][K_NUM];

static void drive_and_check(int model, const enum kind *kind, uint64_t rel, uint64_t ld, uint64_t st,
                            uint64_t acq, uint64_t busy, uint64_t is_sync, uint64_t sync, uint64_t copy, uint64_t copying)
{
    uint64_t is[K_NUM] = {0};
    for (int w = 0; w < P_Warps; w++)
        is[kind[w]] |= UINT64_C(1) << w;
    *d.model_i = (uint8_t)model;
    *d.is_ld_i = is[K_LD];
    *d.is_st_i = is[K_ST];
    *d.is_at_i = is[K_AT];
    *d.is_copy_i = is[K_AT] & copy;
    *d.copy_pend_i = copying;
    *d.is_bar_i = is[K_BAR];
    *d.is_exit_i = is[K_EXIT];
    *d.rel_i = rel;
    *d.is_sync_i = is_sync;
    const uint64_t sb[] = {ld, st, acq, sync};
    for (unsigned i = 0; i < 4; i++)
        hd_bits_put(d.sb_i, i * P_Warps, P_Warps, sb[i]);
    *d.order_busy_i = busy;
    hd_eval(d.m);
    for (int w = 0; w < P_Warps; w++) {
        bool want = may_issue(model, kind[w], rel >> w & 1, ld >> w & 1, st >> w & 1, acq >> w & 1,
                              busy >> w & 1, (is_sync & sync) >> w & 1, (is[K_AT] & copy) >> w & 1, copying >> w & 1);
        bool got = (uint64_t)*d.ok_o >> w & 1;
        if (got != want)
            fprintf(stderr, "model %d kind %d rel %d ld %d st %d acq %d busy %d: ok %d, want %d\n", model, kind[w],
                    (int)(rel >> w & 1), (int)(ld >> w & 1), (int)(st >> w & 1), (int)(acq >> w & 1),
                    (int)(busy >> w & 1), got, want);
        assert_int_equal(got, want);
        (want ? seen_ok : seen_wait)[model][kind[w]]++;
    }
}

/* Every model, kind, release bit and scoreboard state, on every warp while the others idle. */
static void every_row_of_the_table_holds_on_every_warp(void **state)
{
    (void)state;
    for (int model = 0; model < MODELS; model++)
        for (int kind = 0; kind < K_NUM; kind++)
            for (unsigned bits = 0; bits < 512; bits++)
                for (int w = 0; w < P_Warps; w++) {
                    enum kind kinds[P_Warps];
                    for (int i = 0; i < P_Warps; i++)
                        kinds[i] = K_OTHER;
                    kinds[w] = (enum kind)kind;
                    uint64_t one = UINT64_C(1) << w;
                    drive_and_check(model, kinds, bits & 1 ? one : 0, bits & 2 ? one : 0, bits & 4 ? one : 0,
                                    bits & 8 ? one : 0, bits & 16 ? one : 0, bits & 32 ? one : 0,
                                    bits & 64 ? one : 0, bits & 128 ? one : 0, bits & 256 ? one : 0);
                }
}

static void warps_do_not_disturb_each_other(void **state)
{
    (void)state;
    const uint64_t all = ~UINT64_C(0) >> (64 - P_Warps);
    memset(seen_ok, 0, sizeof seen_ok);
    memset(seen_wait, 0, sizeof seen_wait);
    for (int i = 0; i < 15000; i++) {
        enum kind kinds[P_Warps];
        for (int w = 0; w < P_Warps; w++)
            kinds[w] = (enum kind)hd_rand_below(K_NUM);
        drive_and_check((int)hd_rand_below(MODELS), kinds, hd_rand() & hd_rand() & all, hd_rand() & all,
                        hd_rand() & all, hd_rand() & hd_rand() & hd_rand() & all, hd_rand() & all,
                        hd_rand() & hd_rand() & all, hd_rand() & hd_rand() & all, hd_rand() & all,
                        hd_rand() & hd_rand() & all);
    }
    for (int model = 0; model < MODELS; model++)
        for (int kind = 0; kind < K_NUM; kind++) {
            assert_true(seen_ok[model][kind] > 100);
            assert_true(seen_wait[model][kind] > 100);
        }
}

static int setup(void **state)
{
    (void)state;
    hd_order_naive_open(&d);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    hd_close(d.m);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(every_row_of_the_table_holds_on_every_warp, setup, teardown),
        cmocka_unit_test_setup_teardown(warps_do_not_disturb_each_other, setup, teardown),
    };
    return HD_UNIT_MAIN(argc, argv, t);
}
