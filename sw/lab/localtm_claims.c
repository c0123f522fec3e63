/* localtm_claims.c - see localtm.h: what paper 5 says about its figures, and whether the runs show it. The limits are those of the
 * criterion beside them; numbers are medians over the starts. Sizes by their index: n = 2 << size. */
#include "localtm.h"
#include <math.h>

enum { N2, N4, N8, N16, N32, N64, N128, N256 };

static double speed(const struct hd_ltm_results *r, unsigned b, unsigned n)
{
    return hd_ltm_speedup(r, HD_LTM_BASE, b, n, HD_LTM_TM, HD_LTM_SERIAL).median;
}

static double perfect(const struct hd_ltm_results *r, unsigned b, unsigned n)
{
    return hd_ltm_speedup(r, HD_LTM_BASE, b, n, HD_LTM_PERFECT, HD_LTM_SERIAL).median;
}

static double of(const struct hd_ltm_results *r, unsigned b, unsigned n, enum hd_ltm_measure m)
{
    return hd_ltm_measure(r, HD_LTM_BASE, b, n, HD_LTM_TM, m).median;
}

/* Never falls from size to size (of those measured). */
static bool rises(const struct hd_ltm_results *r, unsigned b, double (*get)(const struct hd_ltm_results *r, unsigned b, unsigned n))
{
    double before = -INFINITY;
    for (unsigned n = N2; n <= N256; n++) {
        double x = get(r, b, n);
        if (!isnan(x) && x < before)
            return false;
        before = isnan(x) ? before : x;
    }
    return true;
}

/* At least @limit at every size measured from @from on. */
static bool at_least(const struct hd_ltm_results *r, unsigned b, unsigned from, double limit)
{
    for (unsigned n = from; n <= N256; n++)
        if (speed(r, b, n) < limit)
            return false;
    return true;
}

static void speedups(const struct hd_ltm_results *r, struct hd_grid_verdict *v)
{
    double ht2 = speed(r, HD_LTM_HT, N2), ht = speed(r, HD_LTM_HT, N256), km2 = speed(r, HD_LTM_KM, N2), km = speed(r, HD_LTM_KM, N8);
    double ga2 = speed(r, HD_LTM_GA, N2), ga32 = speed(r, HD_LTM_GA, N32), ga = speed(r, HD_LTM_GA, N256), least = INFINITY;

    for (unsigned b = 0; b < HD_LTM_BENCHES; b++)
        for (unsigned n = N2; n <= N256; n++)
            least = fmin(least, hd_ltm_speedup(r, HD_LTM_BASE, b, n, HD_LTM_TM, HD_LTM_LOCK1).median);
    hd_grid_say(v, "HT2 %.2f, HT256 %.0f; KM2 %.2f, KM8 %.2f; GA2 %.2f, GA32 %.2f, GA256 %.0f; over one lock at least %.2f", ht2, ht,
                km2, km, ga2, ga32, ga, least);
    HD_GRID_JUDGE(v, rises(r, HD_LTM_HT, speed) && rises(r, HD_LTM_GA, speed) && ht >= 30 && at_least(r, HD_LTM_HT, N2, 1)
                 && at_least(r, HD_LTM_KM, N8, 1) && at_least(r, HD_LTM_GA, N32, 1) && least >= 0.9, ht, km, ga);
}

/* The most of @m of a benchmark over the sizes. */
static double most(const struct hd_ltm_results *r, unsigned b, enum hd_ltm_measure m)
{
    double x = -INFINITY;
    for (unsigned n = N2; n <= N256; n++)
        x = fmax(x, of(r, b, n, m));
    return x;
}

static void overhead(const struct hd_ltm_results *r, struct hd_grid_verdict *v)
{
    double ht = most(r, HD_LTM_HT, HD_LTM_MEMORY), km = most(r, HD_LTM_KM, HD_LTM_MEMORY), ga = most(r, HD_LTM_GA, HD_LTM_MEMORY);

    hd_grid_say(v, "at owners, backups and restores at most: HT %.1f %%, KM %.1f %%, GA %.1f %% of the time; begin and commit apart: "
                "HT %.0f %%, KM %.0f %%, GA %.0f %% at most", ht, km, ga, most(r, HD_LTM_HT, HD_LTM_ENDS),
                most(r, HD_LTM_KM, HD_LTM_ENDS), most(r, HD_LTM_GA, HD_LTM_ENDS));
    HD_GRID_JUDGE(v, ht <= 20 && km <= 15 && ga <= 20, of(r, HD_LTM_HT, N2, HD_LTM_MEMORY), of(r, HD_LTM_KM, N8, HD_LTM_MEMORY));
}

static void serialised(const struct hd_ltm_results *r, struct hd_grid_verdict *v)
{
    double all = of(r, HD_LTM_HT, N2, HD_LTM_ATTEMPTS), two = of(r, HD_LTM_HT, N2, HD_LTM_WF), some = of(r, HD_LTM_HT, N32, HD_LTM_WF);
    double last = of(r, HD_LTM_HT, N256, HD_LTM_ATTEMPTS), none = of(r, HD_LTM_HT, N256, HD_LTM_WF);

    hd_grid_say(v, "HT2 %.0f attempts, %.1f %% one lane at a time; HT32 %.0f, %.1f %%; HT256 %.0f, %.1f %%", all, two,
                of(r, HD_LTM_HT, N32, HD_LTM_ATTEMPTS), some, last, none);
    HD_GRID_JUDGE(v, all >= 1500 && all <= 6500 && two >= 3 && two <= 20 && some >= 5 && some <= 30 && last == 4 && none == 0, all, two,
                  some, last, none);
}

static void commit_ratio(const struct hd_ltm_results *r, struct hd_grid_verdict *v)
{
    double two = of(r, HD_LTM_HT, N2, HD_LTM_COMMITS), all = of(r, HD_LTM_HT, N256, HD_LTM_COMMITS);

    hd_grid_say(v, "HT2 %.1f %%, HT32 %.0f %%, HT256 %.0f %%", two, of(r, HD_LTM_HT, N32, HD_LTM_COMMITS), all);
    HD_GRID_JUDGE(v, two >= 3 && two <= 12 && all == 100, two, all);
}

static void false_conflicts(const struct hd_ltm_results *r, struct hd_grid_verdict *v)
{
    double elsewhere = fmax(most(r, HD_LTM_HT, HD_LTM_FALSE), most(r, HD_LTM_GA, HD_LTM_FALSE));
    double few = 0, km64 = of(r, HD_LTM_KM, N64, HD_LTM_FALSE), km256 = of(r, HD_LTM_KM, N256, HD_LTM_FALSE);
    double s64 = speed(r, HD_LTM_KM, N64), s256 = speed(r, HD_LTM_KM, N256), least = INFINITY, top = -INFINITY;

    for (unsigned n = N2; n <= N16; n++) /* 8 banks: to two centres a bank, rows of 8 */
        few = fmax(few, of(r, HD_LTM_KM, n, HD_LTM_FALSE));
    for (unsigned n = N8; n <= N256; n++) {
        least = fmin(least, of(r, HD_LTM_KM, n, HD_LTM_COMMITS));
        top = fmax(top, of(r, HD_LTM_KM, n, HD_LTM_COMMITS));
    }
    hd_grid_say(v, "of the aborts, KM to 16 centres %.0f %%, KM64 %.0f %%, KM256 %.0f %%; HT, GA %.0f %%; KM commits %.1f-%.1f %% from "
                "KM8 on; KM64 %.2f times as fast as serial, KM256 %.2f", few, km64, km256, elsewhere, least, top, s64, s256);
    HD_GRID_JUDGE(v, elsewhere == 0 && few == 0 && km64 > 0 && km256 >= km64 && least >= 3 && top <= 15 && s64 >= 1.3 && s64 <= 3.5
                 && s256 >= 1.3 && s256 <= s64, km64, km256, s64, s256);
}

static void ga_commits(const struct hd_ltm_results *r, struct hd_grid_verdict *v)
{
    double two = of(r, HD_LTM_GA, N2, HD_LTM_COMMITS), all = of(r, HD_LTM_GA, N256, HD_LTM_COMMITS), last = 0;
    bool rise = true;

    for (unsigned n = N2; n <= N256; n++) {
        double x = of(r, HD_LTM_GA, n, HD_LTM_COMMITS);
        rise &= isnan(x) || x >= last;
        last = isnan(x) ? last : x;
    }
    hd_grid_say(v, "GA2 %.1f %%, GA256 %.0f %%; GA8: %.0f attempts one lane at a time, %.0f aborts (perfect: %.0f)", two, all,
                of(r, HD_LTM_GA, N8, HD_LTM_WF) * of(r, HD_LTM_GA, N8, HD_LTM_ATTEMPTS) / 100, of(r, HD_LTM_GA, N8, HD_LTM_ABORTS),
                hd_ltm_measure(r, HD_LTM_BASE, HD_LTM_GA, N8, HD_LTM_PERFECT, HD_LTM_ABORTS).median);
    HD_GRID_JUDGE(v, two >= 0.5 && two <= 3 && all >= 10 && all <= 45 && rise, two, all);
}

static void never_alone(const struct hd_ltm_results *r, struct hd_grid_verdict *v)
{
    double ht = most(r, HD_LTM_HT, HD_LTM_WG), km = most(r, HD_LTM_KM, HD_LTM_WG), ga = most(r, HD_LTM_GA, HD_LTM_WG);

    hd_grid_say(v, "at most HT %.1f %%, KM %.1f %%, GA %.1f %% of the attempts", ht, km, ga);
    HD_GRID_JUDGE(v, ht == 0 && km == 0 && ga == 0, ht, km, ga);
}

static void beats_perfect(const struct hd_ltm_results *r, struct hd_grid_verdict *v)
{
    double best = 0;
    unsigned points = 0, runs = 0, at[4] = {0};

    for (unsigned c = 0; c < HD_LTM_CHANGES; c++)
        for (unsigned b = HD_LTM_KM; b <= HD_LTM_GA; b++)
            for (unsigned n = N2; n <= N256; n++)
                for (unsigned s = 0; s < HD_LTM_STARTS; s++) {
                    double tm = r->cell[c][b][n][HD_LTM_TM][s].cycles, ideal = r->cell[c][b][n][HD_LTM_PERFECT][s].cycles;
                    if (tm == 0 || ideal == 0)
                        continue;
                    runs++;
                    points += tm < ideal;
                    if (ideal / tm > best) {
                        best = ideal / tm;
                        at[0] = c, at[1] = b, at[2] = n, at[3] = s;
                    }
                }
    hd_grid_say(v, "in %u of %u pairs of runs of KM and GA; at most %.2f times as fast: %s%u, %s, start %u; medians of GA32: %.2f, perfect "
                "%.2f", points, runs, best, hd_ltm_bench_names[at[1]], 2u << at[2], hd_ltm_change_names[at[0]], at[3],
                speed(r, HD_LTM_GA, N32), perfect(r, HD_LTM_GA, N32));
    HD_GRID_JUDGE(v, points > 0, best);
}

static void atomic(const struct hd_ltm_results *r, struct hd_grid_verdict *v)
{
    hd_grid_say(v, "all %zu runs: what is left is right (each id once and in its bucket, every sum, solutions of the start), and the checker "
                "of transactions found every operation in order", r->runs);
    v->outcome = HD_GRID_HOLDS; /* a run that fails a check ends the experiment */
}

const struct hd_ltm_claim hd_ltm_claims[HD_LTM_CLAIMS] = {
    {"4.1", "1.25 to 80 times as fast as serialised sections, more as conflicts fall", "HT to 80; KM 1.5 at 64 centres and more",
     "HT, GA rise with n; HT256 at least 30; at least 1 for HT, KM from 8, GA from 32 on (below, all sections conflict: nothing is to be "
     "won); at least 0.9 over one lock", speedups},
    {"4.2", "transactions cost less than 20 %", "HT at most 16 %, KM less than 10 % of the time",
     "time at owners, backups and restores: HT, GA at most 20 %, KM 15 %; begin and commit, here a way through the pipe, are "
     "reported", overhead},
    {"4.3", "commit ratio of HT", "4.9 % (HT2) to 100 % (HT256)", "HT2 3-12 %; HT256 100 %", commit_ratio},
    {"4.3b", "commit ratio of GA", "1 % (GA2), 15 % (GA256); GA8 134 serialised and 2578 conflicts, perfect 177 and 3126",
     "GA2 0.5-3 %, GA256 10-45 %, rising", ga_commits},
    {"4.4", "executions that are serialised", "HT2 189 of 3801, HT32 9 of 36, HT256 none",
     "HT2 1500-6500 attempts, 3-20 % one lane at a time; HT32 5-30 %; HT256 4 attempts, none", serialised},
    {"4.4b", "no warp ever needs to run alone", "never used", "none here either (two warps that cross need it: TM-cross.waves)",
     never_alone},
    {"4.5", "false conflicts in KM only", "39 % of accesses; commits at most 4 %, KM256 15 %; 1.5 times as fast from KM64 on",
     "none in HT, GA and KM to 16; rising in KM; KM commits 3-15 % from KM8 on; KM64 and KM256 1.3-3.5, falling", false_conflicts},
    {"4.6", "transactions can beat perfect ones", "in some cases of KM and GA", "one run of KM or GA at least", beats_perfect},
    {"4.7", "critical sections are atomic", "implied", "every run", atomic},
};
