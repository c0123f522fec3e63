/* lab_claims.c - see lab_ordering.h: what paper 1 says about its figures, and whether the runs show it. The limits are
 * those of the criterion beside them; every number is of a run. */
#include "ordering.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Adds to what is said about our runs. */
__attribute__((format(printf, 2, 3))) static void say(struct hd_lab_claim *c, const char *format, ...)
{
    size_t at = strlen(c->ours);
    va_list list;
    va_start(list, format);
    vsnprintf(c->ours + at, sizeof c->ours - at, format, list);
    va_end(list);
}

/* The verdict, unless a number that it rests on is missing. */
static void judge(struct hd_lab_claim *c, bool holds, const double *rests_on, size_t n)
{
    c->verdict = holds ? HD_LAB_HOLDS : HD_LAB_FAILS;
    for (size_t i = 0; i < n; i++)
        if (isnan(rests_on[i])) {
            c->verdict = HD_LAB_OPEN;
            snprintf(c->ours, sizeof c->ours, "not measured");
        }
}
#define JUDGE(c, holds, ...) \
    judge(c, holds, (const double[]){__VA_ARGS__}, sizeof (const double[]){__VA_ARGS__} / sizeof(double))

static double time_of(const struct hd_lab_results *r, enum hd_lab_order o, enum hd_lab_bench b)
{
    return hd_lab_time(r, HD_WB, o, b);
}

static double mean(const struct hd_lab_results *r, enum hd_lab_order o)
{
    return hd_lab_mean(r, HD_WB, o, HD_WB, HD_RMO, HD_LAB_BENCHES);
}

static void most_alike(const struct hd_lab_results *r, struct hd_lab_claim *c)
{
    static const double LEVEL = 0.10, MEAN = 1.35;
    enum { LEAST = 7 };
    unsigned sc = 0, tso = 0;
    for (enum hd_lab_bench b = 0; b < HD_LAB_FOURTEEN; b++) {
        sc += fabs(time_of(r, HD_SC, b) - 1) <= LEVEL;
        tso += fabs(time_of(r, HD_TSO, b) - 1) <= LEVEL;
    }
    double all = mean(r, HD_SC), all_tso = mean(r, HD_TSO);
    say(c, "within 10 %% of RMO: SC %u of 14, TSO %u; geometric mean SC %.2f, TSO %.2f", sc, tso, all, all_tso);
    JUDGE(c, sc >= LEAST && tso >= LEAST && all <= MEAN, all, all_tso);
}

/* Rank of a benchmark by its time under SC, among those that were measured. */
static unsigned rank(const struct hd_lab_results *r, enum hd_lab_bench of)
{
    unsigned above = 0;
    for (enum hd_lab_bench b = 0; b < HD_LAB_FOURTEEN; b++)
        above += time_of(r, HD_SC, b) > time_of(r, HD_SC, of);
    return above + 1;
}

static void gemm_worst(const struct hd_lab_results *r, struct hd_lab_claim *c)
{
    enum { FIRST = 3 };
    double sc = time_of(r, HD_SC, HD_GEMM), tso = time_of(r, HD_TSO, HD_GEMM), mm3 = time_of(r, HD_SC, HD_3MM);
    unsigned n = 0, at = rank(r, HD_GEMM), at_3mm = rank(r, HD_3MM);
    for (enum hd_lab_bench b = 0; b < HD_LAB_FOURTEEN; b++)
        n += !isnan(time_of(r, HD_SC, b));
    say(c, "gemm: SC %.2f, TSO %.2f; by SC, gemm is number %u of %u", sc, tso, at, n);
    if (!isnan(mm3))
        say(c, ", 3mm (%.2f) number %u", mm3, at_3mm);
    JUDGE(c, sc >= 1.6 && sc <= 3.0 && tso >= 1.05 && tso <= 2.0 && sc > tso
                 && (at <= FIRST || (!isnan(mm3) && at_3mm <= FIRST)), sc, tso);
}

static void misses(const struct hd_lab_results *r, struct hd_lab_claim *c)
{
    double one = hd_lab_share(&r->cell[HD_WB][HD_RMO][HD_GEMM_1], "l1.miss");
    double six = hd_lab_share(&r->cell[HD_WB][HD_RMO][HD_GEMM], "l1.miss");
    double sc_one = time_of(r, HD_SC, HD_GEMM_1), sc_six = time_of(r, HD_SC, HD_GEMM);
    say(c, "one block an SM: %.1f %% misses, SC %.2f; six: %.1f %%, SC %.2f", 100 * one, sc_one, 100 * six, sc_six);
    JUDGE(c, one <= 0.08 && sc_one <= 1.2 && six >= 0.25 && six <= 0.45 && sc_six >= 1.5, one, six, sc_one, sc_six);
}

static void merging(const struct hd_lab_results *r, struct hd_lab_claim *c)
{
    double few = hd_lab_against(r, HD_MERGE_32, HD_SC, HD_MERGE_32, HD_RMO, HD_STREAMCLUSTER);
    double many = time_of(r, HD_SC, HD_STREAMCLUSTER);
    say(c, "SC over RMO: %.2f with 32 lanes an entry, %.2f with 1024", few, many);
    JUDGE(c, few < 0.95 && fabs(many - 1) <= 0.15, few, many);
}

static void store_buffer(const struct hd_lab_results *r, struct hd_lab_claim *c)
{
    static const enum hd_lab_bench shown[] = {HD_GEMM, HD_3MM};
    double x[6];
    bool holds = true;
    for (size_t i = 0; i < 2; i++) {
        double *at = &x[3 * i];
        at[0] = time_of(r, HD_TSO, shown[i]);
        at[1] = time_of(r, HD_TSO_SB, shown[i]);
        at[2] = hd_lab_time(r, HD_UNIFIED, HD_TSO_SB, shown[i]);
        say(c, "%s%s: TSO %.2f, with a store buffer for each warp %.2f, one for all %.2f", i ? "; " : "",
            hd_lab_bench_name(shown[i]), at[0], at[1], at[2]);
        holds &= at[1] > 1 && at[1] <= at[0] && at[2] > at[1];
    }
    JUDGE(c, holds, x[0], x[1], x[2], x[3], x[4], x[5]);
}

static void prefetch(const struct hd_lab_results *r, struct hd_lab_claim *c)
{
    double all = hd_lab_mean(r, HD_WB, HD_SC_PF, HD_WB, HD_SC, HD_LAB_BENCHES);
    double stream = hd_lab_against(r, HD_WB, HD_SC_PF, HD_WB, HD_SC, HD_STREAMCLUSTER);
    double fdtd = hd_lab_against(r, HD_WB, HD_SC_PF, HD_WB, HD_SC, HD_FDTD_2D);
    say(c, "with prefetching over without: geometric mean %.2f, streamcluster %.2f, fdtd-2d %.2f, gemm %.2f", all,
        stream, fdtd, hd_lab_against(r, HD_WB, HD_SC_PF, HD_WB, HD_SC, HD_GEMM));
    JUDGE(c, all > 0.95 && stream >= 1 && fdtd >= 1, all, stream, fdtd);
}

static void type_aware(const struct hd_lab_results *r, struct hd_lab_claim *c)
{
    static const double LEVEL = 1.15, MEAN = 1.25;
    double gemm = time_of(r, HD_TYPE, HD_GEMM), mm3 = time_of(r, HD_TYPE, HD_3MM);
    double heartwall = time_of(r, HD_TYPE, HD_HEARTWALL), all = mean(r, HD_TYPE), sc = mean(r, HD_SC);
    say(c, "gemm %.2f (SC %.2f), 3mm %.2f (%.2f), heartwall %.2f (%.2f); geometric mean %.2f (%.2f); with many new "
        "sectors: mvt A' %.2f, fdtd-2d %.2f", gemm, time_of(r, HD_SC, HD_GEMM), mm3, time_of(r, HD_SC, HD_3MM), heartwall,
        time_of(r, HD_SC, HD_HEARTWALL), all, sc, time_of(r, HD_TYPE, HD_MVT_COLUMNS), time_of(r, HD_TYPE, HD_FDTD_2D));
    JUDGE(c, gemm <= LEVEL && mm3 <= LEVEL && heartwall <= LEVEL && all <= MEAN && all < sc, gemm, mm3, heartwall, all,
          sc);
}

static void unsafe_queue(const struct hd_lab_results *r, struct hd_lab_claim *c)
{
    static const enum hd_lab_bench shown[] = {HD_BTREE, HD_BTREE_RANGES, HD_FDTD_2D};
    static const double GAIN = 0.95;
    double x[3], least = INFINITY;
    double type = time_of(r, HD_TYPE, HD_BTREE), sc = time_of(r, HD_SC, HD_BTREE);
    say(c, "b+tree: TYPE %.2f, SC %.2f; TYPE with unsafe queues of 16 over that with 4:", type, sc);
    for (size_t i = 0; i < 3; i++) {
        x[i] = hd_lab_against(r, HD_UNSAFE_16, HD_TYPE, HD_WB, HD_TYPE, shown[i]);
        least = fmin(least, x[i]);
        say(c, "%s %s %.2f", i ? "," : "", hd_lab_bench_name(shown[i]), x[i]);
    }
    JUDGE(c, type > sc && least <= GAIN, type, sc, x[0], x[1], x[2]);
}

static void sizes(const struct hd_lab_results *r, struct hd_lab_claim *c)
{
    static const struct {
        enum hd_lab_variant variant;
        const char *name;
    } shown[] = {{HD_WAIT_8, "type-wait queue 8"}, {HD_UNSAFE_8, "unsafe queue 8"}, {HD_MAC_2, "classifier x 2"},
                 {HD_TYPE_CACHE_2, "Type-cache x 2"}};
    double x[4];
    bool holds = true;
    for (size_t i = 0; i < 4; i++) {
        x[i] = hd_lab_mean(r, shown[i].variant, HD_TYPE, HD_WB, HD_TYPE, HD_FDTD_2D);
        holds &= fabs(x[i] - 1) < 0.05;
        say(c, "%s%s %.3f", i ? ", " : "time over that of the plain machine: ", shown[i].name, x[i]);
    }
    JUDGE(c, holds, x[0], x[1], x[2], x[3]);
}

static void write_through(const struct hd_lab_results *r, struct hd_lab_claim *c)
{
    static const enum hd_lab_bench shown[] = {HD_GEMM, HD_HEARTWALL, HD_MVT_COLUMNS};
    double back[3], through[3], rmo = hd_lab_time(r, HD_WT, HD_RMO, HD_GEMM);
    say(c, "gemm RMO %.2f; SC over RMO, write-back and write-through:", rmo);
    for (size_t i = 0; i < 3; i++) {
        back[i] = time_of(r, HD_SC, shown[i]);
        through[i] = hd_lab_against(r, HD_WT, HD_SC, HD_WT, HD_RMO, shown[i]);
        say(c, "%s %s %.2f and %.2f", i ? "," : "", hd_lab_bench_name(shown[i]), back[i], through[i]);
    }
    JUDGE(c, rmo > 1 && through[0] < back[0] && through[1] < back[1] && through[2] > back[2], rmo, back[0], back[1],
          back[2], through[0], through[1], through[2]);
}

static void litmus(const struct hd_lab_results *r, struct hd_lab_claim *c)
{
    (void)r;
    c->verdict = HD_LAB_OPEN;
    say(c, "shown by litmus tests: heddle litmus, docs/litmus.md");
}

static const struct {
    struct hd_lab_claim text;
    void (*judge)(const struct hd_lab_results *r, struct hd_lab_claim *c);
} claims[] = {
    {{"0.1", "SC and TSO are about as fast as RMO for most", "for a majority of applications as good as the baseline",
      "7 of 14 within 10 %, for SC and for TSO; geometric mean of SC at most 1.35", 0, ""}, most_alike},
    {{"0.2", "gemm suffers most", "SC up to 2.93, TSO up to 1.84, both gemm",
      "SC 1.6 to 3.0, TSO 1.05 to 2.0 and below SC; gemm or 3mm among the first three", 0, ""}, gemm_worst},
    {{"0.3", "the gap comes from misses", "one block an SM: 3 % misses, small gap; up to eight: 35 %",
      "one block: at most 8 % misses, SC at most 1.2; six: 25 to 45 %, SC at least 1.5", 0, ""}, misses},
    {{"0.4", "SC beats RMO on streamcluster, because of the merge limit", "SC and TSO faster; equal with a limit of 1024",
      "limit 32: SC below 0.95 RMO; 1024: within 15 %", 0, ""}, merging},
    {{"0.5", "store buffers help TSO little", "TSO with store buffers up to about 1.5; a unified one is much worse",
      "gemm, 3mm: RMO < with buffers <= TSO; a unified buffer is slower", 0, ""}, store_buffer},
    {{"0.6", "prefetching is ineffective", "helps very little; streamcluster and fdtd-2d lose",
      "mean gain below 5 %; streamcluster and fdtd-2d not faster than SC", 0, ""}, prefetch},
    {{"0.7", "type-aware SC is about as fast as RMO", "cures 3mm and gemm; very close to RMO on average",
      "gemm, 3mm, heartwall at most 1.15; geometric mean at most 1.25 and below SC", 0, ""}, type_aware},
    {{"0.8", "type-aware SC loses on b+tree; larger unsafe queues cure it", "worse than SC; larger queues bring it close "
      "to RMO", "b+tree: slower than SC; 16 entries gain 5 % on b+tree, its ranges or fdtd-2d", 0, ""}, unsafe_queue},
    {{"0.9", "larger queues, classifiers and Type-caches bring little", "very little improvement",
      "mean of the 13 without fdtd-2d changes by less than 5 % in each case", 0, ""}, sizes},
    {{"0.10", "write-through: gemm's RMO loses; the gap shrinks for gemm and heartwall and widens for mvt",
      "gemm RMO slower than write-back; SC close to RMO for gemm, heartwall; not for mvt",
      "gemm RMO above 1; SC over RMO falls for gemm and heartwall, rises for mvt A'", 0, ""}, write_through},
    {{"0.11", "SC is preserved", "the type-aware design is SC", "no forbidden outcome in any order; RMO shows some", 0, ""},
     litmus},
};
enum { CLAIMS = sizeof claims / sizeof claims[0] };

size_t hd_lab_claims(const struct hd_lab_results *r, const struct hd_lab_claim **list)
{
    static struct hd_lab_claim judged[CLAIMS];
    for (size_t i = 0; i < CLAIMS; i++) {
        judged[i] = claims[i].text;
        claims[i].judge(r, &judged[i]);
    }
    *list = judged;
    return CLAIMS;
}
