/* ordering_claims.c - see ordering.h: what paper 1 says about its figures, and whether the runs show it. The limits are
 * those of the criterion beside them; every number is of a run. */
#include "ordering.h"
#include <math.h>

/* Share of the accesses an L1 took that took a miss entry. */
static double missed(const struct hd_grid_results *r, enum hd_ordering_bench b)
{
    static const struct hd_grid_measure share = {{"l1.miss"}, {"l1.hit", "l1.miss", "l1.merge"}, .times = 1};
    return hd_grid_measure(r, &r->cell[HD_WB][HD_RMO][b], &share);
}

static double time_of(const struct hd_grid_results *r, enum hd_ordering_order o, enum hd_ordering_bench b)
{
    return hd_grid_time(r, HD_WB, o, b);
}

static double mean(const struct hd_grid_results *r, enum hd_ordering_order o)
{
    return hd_grid_mean(r, HD_WB, o, HD_WB, HD_RMO, HD_GRID_BENCHES);
}

static void most_alike(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    static const double LEVEL = 0.10, MEAN = 1.35;
    enum { LEAST = 7 };
    unsigned sc = 0, tso = 0;
    for (enum hd_ordering_bench b = 0; b < HD_FOURTEEN; b++) {
        sc += fabs(time_of(r, HD_SC, b) - 1) <= LEVEL;
        tso += fabs(time_of(r, HD_TSO, b) - 1) <= LEVEL;
    }
    double all = mean(r, HD_SC), all_tso = mean(r, HD_TSO);
    hd_grid_say(v, "within 10 %% of RMO: SC %u of 14, TSO %u; geometric mean SC %.2f, TSO %.2f", sc, tso, all, all_tso);
    HD_GRID_JUDGE(v, sc >= LEAST && tso >= LEAST && all <= MEAN, all, all_tso);
}

/* Rank of a benchmark by its time under SC, among those that were measured. */
static unsigned rank(const struct hd_grid_results *r, enum hd_ordering_bench of)
{
    unsigned above = 0;
    for (enum hd_ordering_bench b = 0; b < HD_FOURTEEN; b++)
        above += time_of(r, HD_SC, b) > time_of(r, HD_SC, of);
    return above + 1;
}

static void gemm_worst(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    enum { FIRST = 3 };
    double sc = time_of(r, HD_SC, HD_GEMM), tso = time_of(r, HD_TSO, HD_GEMM), mm3 = time_of(r, HD_SC, HD_3MM);
    unsigned n = 0, at = rank(r, HD_GEMM), at_3mm = rank(r, HD_3MM);
    for (enum hd_ordering_bench b = 0; b < HD_FOURTEEN; b++)
        n += !isnan(time_of(r, HD_SC, b));
    hd_grid_say(v, "gemm: SC %.2f, TSO %.2f; by SC, gemm is number %u of %u", sc, tso, at, n);
    if (!isnan(mm3))
        hd_grid_say(v, ", 3mm (%.2f) number %u", mm3, at_3mm);
    HD_GRID_JUDGE(v, sc >= 1.6 && sc <= 3.0 && tso >= 1.05 && tso <= 2.0 && sc > tso
                 && (at <= FIRST || (!isnan(mm3) && at_3mm <= FIRST)), sc, tso);
}

static void misses(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    double one = missed(r, HD_GEMM_1);
    double six = missed(r, HD_GEMM);
    double sc_one = time_of(r, HD_SC, HD_GEMM_1), sc_six = time_of(r, HD_SC, HD_GEMM);
    hd_grid_say(v, "one block an SM: %.1f %% misses, SC %.2f; six: %.1f %%, SC %.2f", 100 * one, sc_one, 100 * six, sc_six);
    HD_GRID_JUDGE(v, one <= 0.08 && sc_one <= 1.2 && six >= 0.25 && six <= 0.45 && sc_six >= 1.5, one, six, sc_one, sc_six);
}

static void merging(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    double few = hd_grid_against(r, HD_MERGE_32, HD_SC, HD_MERGE_32, HD_RMO, HD_STREAMCLUSTER);
    double many = time_of(r, HD_SC, HD_STREAMCLUSTER);
    hd_grid_say(v, "SC over RMO: %.2f with 32 lanes an entry, %.2f with 1024", few, many);
    HD_GRID_JUDGE(v, few < 0.95 && fabs(many - 1) <= 0.15, few, many);
}

static void store_buffer(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    static const enum hd_ordering_bench shown[] = {HD_GEMM, HD_3MM};
    double x[6];
    bool holds = true;
    for (size_t i = 0; i < 2; i++) {
        double *at = &x[3 * i];
        at[0] = time_of(r, HD_TSO, shown[i]);
        at[1] = time_of(r, HD_TSO_SB, shown[i]);
        at[2] = hd_grid_time(r, HD_UNIFIED, HD_TSO_SB, shown[i]);
        hd_grid_say(v, "%s%s: TSO %.2f, with a store buffer for each warp %.2f, one for all %.2f", i ? "; " : "",
            r->grid->bench[shown[i]].name, at[0], at[1], at[2]);
        holds &= at[1] > 1 && at[1] <= at[0] && at[2] > at[1];
    }
    HD_GRID_JUDGE(v, holds, x[0], x[1], x[2], x[3], x[4], x[5]);
}

static void prefetch(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    double all = hd_grid_mean(r, HD_WB, HD_SC_PF, HD_WB, HD_SC, HD_GRID_BENCHES);
    double stream = hd_grid_against(r, HD_WB, HD_SC_PF, HD_WB, HD_SC, HD_STREAMCLUSTER);
    double fdtd = hd_grid_against(r, HD_WB, HD_SC_PF, HD_WB, HD_SC, HD_FDTD_2D);
    hd_grid_say(v, "with prefetching over without: geometric mean %.2f, streamcluster %.2f, fdtd-2d %.2f, gemm %.2f", all,
        stream, fdtd, hd_grid_against(r, HD_WB, HD_SC_PF, HD_WB, HD_SC, HD_GEMM));
    HD_GRID_JUDGE(v, all > 0.95 && stream >= 1 && fdtd >= 1, all, stream, fdtd);
}

static void type_aware(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    static const double LEVEL = 1.15, MEAN = 1.25;
    double gemm = time_of(r, HD_TYPE, HD_GEMM), mm3 = time_of(r, HD_TYPE, HD_3MM);
    double heartwall = time_of(r, HD_TYPE, HD_HEARTWALL), all = mean(r, HD_TYPE), sc = mean(r, HD_SC);
    hd_grid_say(v, "gemm %.2f (SC %.2f), 3mm %.2f (%.2f), heartwall %.2f (%.2f); geometric mean %.2f (%.2f); with many new "
        "sectors: mvt A' %.2f, fdtd-2d %.2f", gemm, time_of(r, HD_SC, HD_GEMM), mm3, time_of(r, HD_SC, HD_3MM), heartwall,
        time_of(r, HD_SC, HD_HEARTWALL), all, sc, time_of(r, HD_TYPE, HD_MVT_COLUMNS), time_of(r, HD_TYPE, HD_FDTD_2D));
    HD_GRID_JUDGE(v, gemm <= LEVEL && mm3 <= LEVEL && heartwall <= LEVEL && all <= MEAN && all < sc, gemm, mm3, heartwall, all,
          sc);
}

static void unsafe_queue(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    static const enum hd_ordering_bench shown[] = {HD_BTREE, HD_BTREE_RANGES, HD_FDTD_2D};
    static const double GAIN = 0.95;
    double x[3], least = INFINITY;
    double type = time_of(r, HD_TYPE, HD_BTREE), sc = time_of(r, HD_SC, HD_BTREE);
    hd_grid_say(v, "b+tree: TYPE %.2f, SC %.2f; TYPE with unsafe queues of 16 over that with 4:", type, sc);
    for (size_t i = 0; i < 3; i++) {
        x[i] = hd_grid_against(r, HD_UNSAFE_16, HD_TYPE, HD_WB, HD_TYPE, shown[i]);
        least = fmin(least, x[i]);
        hd_grid_say(v, "%s %s %.2f", i ? "," : "", r->grid->bench[shown[i]].name, x[i]);
    }
    HD_GRID_JUDGE(v, type > sc && least <= GAIN, type, sc, x[0], x[1], x[2]);
}

static void sizes(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    static const struct {
        enum hd_ordering_machine variant;
        const char *name;
    } shown[] = {{HD_WAIT_8, "type-wait queue 8"}, {HD_UNSAFE_8, "unsafe queue 8"}, {HD_MAC_2, "classifier x 2"},
                 {HD_TYPE_CACHE_2, "Type-cache x 2"}};
    double x[4];
    bool holds = true;
    for (size_t i = 0; i < 4; i++) {
        x[i] = hd_grid_mean(r, shown[i].variant, HD_TYPE, HD_WB, HD_TYPE, HD_FDTD_2D);
        holds &= fabs(x[i] - 1) < 0.05;
        hd_grid_say(v, "%s%s %.3f", i ? ", " : "time over that of the plain machine: ", shown[i].name, x[i]);
    }
    HD_GRID_JUDGE(v, holds, x[0], x[1], x[2], x[3]);
}

static void write_through(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    static const enum hd_ordering_bench shown[] = {HD_GEMM, HD_HEARTWALL, HD_MVT_COLUMNS};
    double back[3], through[3], rmo = hd_grid_time(r, HD_WT, HD_RMO, HD_GEMM);
    hd_grid_say(v, "gemm RMO %.2f; SC over RMO, write-back and write-through:", rmo);
    for (size_t i = 0; i < 3; i++) {
        back[i] = time_of(r, HD_SC, shown[i]);
        through[i] = hd_grid_against(r, HD_WT, HD_SC, HD_WT, HD_RMO, shown[i]);
        hd_grid_say(v, "%s %s %.2f and %.2f", i ? "," : "", r->grid->bench[shown[i]].name, back[i], through[i]);
    }
    HD_GRID_JUDGE(v, rmo > 1 && through[0] < back[0] && through[1] < back[1] && through[2] > back[2], rmo, back[0], back[1],
          back[2], through[0], through[1], through[2]);
}

static void litmus(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    (void)r;
    v->outcome = HD_GRID_OPEN;
    hd_grid_say(v, "shown by litmus tests: heddle litmus, docs/litmus.md");
}

const struct hd_grid_claim hd_ordering_claims[HD_ORDERING_CLAIMS] = {
    {"0.1", "SC and TSO are about as fast as RMO for most", "for a majority of applications as good as the baseline",
     "7 of 14 within 10 %, for SC and for TSO; geometric mean of SC at most 1.35",
     most_alike},
    {"0.2", "gemm suffers most", "SC up to 2.93, TSO up to 1.84, both gemm",
     "SC 1.6 to 3.0, TSO 1.05 to 2.0 and below SC; gemm or 3mm among the first three",
     gemm_worst},
    {"0.3", "the gap comes from misses", "one block an SM: 3 % misses, small gap; up to eight: 35 %",
     "one block: at most 8 % misses, SC at most 1.2; six: 25 to 45 %, SC at least 1.5",
     misses},
    {"0.4", "SC beats RMO on streamcluster, because of the merge limit", "SC and TSO faster; equal with a limit of 1024",
     "limit 32: SC below 0.95 RMO; 1024: within 15 %",
     merging},
    {"0.5", "store buffers help TSO little", "TSO with store buffers up to about 1.5; a unified one is much worse",
     "gemm, 3mm: RMO < with buffers <= TSO; a unified buffer is slower",
     store_buffer},
    {"0.6", "prefetching is ineffective", "helps very little; streamcluster and fdtd-2d lose",
     "mean gain below 5 %; streamcluster and fdtd-2d not faster than SC",
     prefetch},
    {"0.7", "type-aware SC is about as fast as RMO", "cures 3mm and gemm; very close to RMO on average",
     "gemm, 3mm, heartwall at most 1.15; geometric mean at most 1.25 and below SC",
     type_aware},
    {"0.8", "type-aware SC loses on b+tree; larger unsafe queues cure it", "worse than SC; larger queues bring it close "
     "to RMO", "b+tree: slower than SC; 16 entries gain 5 % on b+tree, its ranges or fdtd-2d",
     unsafe_queue},
    {"0.9", "larger queues, classifiers and Type-caches bring little", "very little improvement",
     "mean of the 13 without fdtd-2d changes by less than 5 % in each case",
     sizes},
    {"0.10", "write-through: gemm's RMO loses; the gap shrinks for gemm and heartwall and widens for mvt",
     "gemm RMO slower than write-back; SC close to RMO for gemm, heartwall; not for mvt",
     "gemm RMO above 1; SC over RMO falls for gemm and heartwall, rises for mvt A'",
     write_through},
    {"0.11", "SC is preserved", "the type-aware design is SC", "no forbidden outcome in any order; RMO shows some",
     litmus},
};
