/* coherence_claims.c - see coherence.h: what paper 3 says about its figures, and whether the runs show it. Limits are those of
 * the criterion beside them; all numbers are of runs. */
#include "coherence.h"
#include <math.h>

struct bar {
    enum hd_coherence_machine machine;
    enum hd_coherence_order order;
};
static const struct bar GD = {HD_COH_GPU, HD_COH_DRF}, GH = {HD_COH_GPU, HD_COH_HRF}, DD = {HD_COH_DN, HD_COH_DRF},
                        RO = {HD_COH_DN_RO, HD_COH_DRF}, DH = {HD_COH_DN, HD_COH_HRF};

/* What is compared: cycles, energy, flits over links; of the latter all, those of synchronization, the others. */
enum what { TIME, ENERGY, TRAFFIC, ATOMIC, DATA };

static double amount(const struct hd_grid_results *r, struct bar b, enum hd_coherence_bench bench, enum what what)
{
    const struct hd_grid_cell *c = &r->cell[b.machine][b.order][bench];
    double all = 0, atomic = hd_grid_counter(c, "link.hops.atomic"), hops = hd_grid_counter(c, "link.hops");
    if (!c->cycles)
        return NAN;
    for (size_t i = 0; i < HD_COH_PARTS; i++)
        all += hd_grid_cause(c, b.machine, &hd_coherence_energy[i]);
    return what == TIME ? (double)c->cycles : what == ENERGY ? all : what == TRAFFIC ? hops : what == ATOMIC ? atomic : hops - atomic;
}

static double against(const struct hd_grid_results *r, struct bar a, struct bar b, enum hd_coherence_bench bench, enum what what)
{
    return amount(r, a, bench, what) / amount(r, b, bench, what);
}

/* Geometric mean; a sum of 0 counts as one flit. NAN: one of the benchmarks did not run, or not as @a and @b: a claim is about
 * all of them. */
static double mean(const struct hd_grid_results *r, struct bar a, struct bar b, unsigned first, unsigned last, enum what what)
{
    double sum = 0;
    for (unsigned i = first; i < last; i++) {
        if (isnan(amount(r, a, i, what)) || isnan(amount(r, b, i, what)))
            return NAN;
        sum += log(fmax(amount(r, a, i, what), 1)) - log(fmax(amount(r, b, i, what), 1));
    }
    return exp(sum / (last - first));
}

static double local(const struct hd_grid_results *r, struct bar a, struct bar b, enum what what)
{
    return mean(r, a, b, HD_COH_LOCAL, HD_COH_BENCHES, what);
}

static void no_sync(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    double time = mean(r, DD, GD, 0, HD_COH_GLOBAL, TIME), energy = mean(r, DD, GD, 0, HD_COH_GLOBAL, ENERGY);
    double traffic = mean(r, DD, GD, 0, HD_COH_GLOBAL, TRAFFIC), lava = against(r, DD, GD, HD_COH_LAVA, TRAFFIC);
    hd_grid_say(v, "D* over G*: time %.2f, energy %.2f, traffic %.2f; LAVA's traffic %.2f", time, energy, traffic, lava);
    HD_GRID_JUDGE(v, fabs(time - 1) <= 0.05 && traffic >= 0.85 && traffic <= 1.05 && lava < 0.8, time, energy, traffic, lava);
}

static void global_sync(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    double time = mean(r, DD, GD, HD_COH_GLOBAL, HD_COH_LOCAL, TIME), energy = mean(r, DD, GD, HD_COH_GLOBAL, HD_COH_LOCAL, ENERGY);
    double traffic = mean(r, DD, GD, HD_COH_GLOBAL, HD_COH_LOCAL, TRAFFIC);
    bool lower = true;
    for (unsigned b = HD_COH_GLOBAL; b < HD_COH_LOCAL; b++)
        for (enum what x = TIME; x <= TRAFFIC; x++)
            lower &= !(against(r, DD, GD, b, x) >= (b == HD_COH_SPM_G && x == TIME ? 1.03 : 1));
    hd_grid_say(v, "D* over G*: time %.2f (", time);
    for (unsigned b = HD_COH_GLOBAL; b < HD_COH_LOCAL; b++)
        hd_grid_say(v, "%s%s %.2f", b > HD_COH_GLOBAL ? ", " : "", r->grid->bench[b].name, against(r, DD, GD, b, TIME));
    hd_grid_say(v, "), energy %.2f, traffic %.2f; %s", energy, traffic, lower ? "all lower" : "not lower for all");
    HD_GRID_JUDGE(v, lower && time >= 0.55 && time <= 0.90 && energy >= 0.35 && energy <= 0.75 && traffic >= 0.1 && traffic <= 0.45,
                  time, energy, traffic);
}

static void scopes(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    double time = local(r, GH, GD, TIME), energy = local(r, GH, GD, ENERGY), atomic = local(r, GH, GD, ATOMIC), data = local(r, GH, GD, DATA);
    hd_grid_say(v, "GH over GD: time %.2f, energy %.2f, traffic of synchronization %.3f, of data %.2f", time, energy, atomic, data);
    HD_GRID_JUDGE(v, time >= 0.4 && time <= 0.8 && atomic <= 0.2 && data <= 0.5, time, energy, atomic, data);
}

/* @a at most @b, or 3 % more. */
static bool at_most(double a, double b)
{
    return a <= 1.03 * b;
}

static void order(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    static const char *const words[] = {[TIME] = "time", [ENERGY] = "; energy"};
    double x[2][4], most = 1;
    bool holds = true;
    for (enum what w = TIME; w <= ENERGY; w++) {
        double gh = x[w][0] = local(r, GH, GD, w), dd = x[w][1] = local(r, DD, GD, w);
        double ro = x[w][2] = local(r, RO, GD, w), dh = x[w][3] = local(r, DH, GD, w);
        holds &= at_most(dh, gh) && at_most(dh, ro) && at_most(gh, dd) && at_most(ro, dd) && at_most(dd, 1);
        hd_grid_say(v, "%s over GD: DH %.2f, GH %.2f, DD+RO %.2f, DD %.2f", words[w], dh, gh, ro, dd);
    }
    for (unsigned b = HD_COH_LOCAL; b < HD_COH_BENCHES; b++)
        if (against(r, GH, DD, b, TIME) < most)
            most = against(r, GH, DD, b, TIME);
    hd_grid_say(v, "; the most that GH saves against DD: %.0f %% of the time", 100 * (1 - most));
    HD_GRID_JUDGE(v, holds && most >= 0.75, x[0][0], x[0][1], x[0][2], x[0][3]);
}

static void signs(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    double tb = against(r, DD, GH, HD_COH_TB, TRAFFIC), tbex = against(r, DD, GH, HD_COH_TBEX, TRAFFIC);
    double ss = against(r, DD, GH, HD_COH_SS, TIME), uts = against(r, DD, GH, HD_COH_UTS, TIME);
    hd_grid_say(v, "DD over GH: traffic of TB_LG %.2f, TBEX_LG %.2f; time of SS_L %.2f, UTS %.2f", tb, tbex, ss, uts);
    HD_GRID_JUDGE(v, tb < 1 && tbex < 1 && ss > 1 && uts > 1, tb, tbex, ss, uts);
}

static void latencies(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    (void)r;
    v->outcome = HD_GRID_OPEN;
    hd_grid_say(v, "measured by heddle lab latencies");
}

const struct hd_grid_claim hd_coherence_claims[HD_COH_CLAIMS] = {
    {"2.1", "without synchronization both protocols are alike", "time and energy +0.5 %, traffic -5 %; LAVA overflows the store buffer",
     "geometric mean of time within 5 %, of traffic 0.85 to 1.05; LAVA's traffic below 0.8", no_sync},
    {"2.2", "DeNovo is better with synchronization of all SMs", "time -28 %, energy -51 %, traffic -81 %",
     "all three lower for all four (SPM_G's time within 3 %); geometric means: time 0.55 to 0.90, energy 0.35 to 0.75, traffic 0.1 to 0.45", global_sync},
    {"2.3", "scopes help GPU coherence with local synchronization", "time -46 %, energy -42 %, traffic of atomics -94 %, of data -78 %",
     "geometric means: time 0.4 to 0.8, atomics at most 0.2, data at most 0.5", scopes},
    {"2.4", "DH is best, then GH and DD+RO, then DD, then GD", "GH against DD: time -6 % (at most 13 %), energy -4 %; as DD+RO",
     "DH <= GH, DD+RO <= DD <= GD in time and energy, 3 % of each other count as alike; GH saves at most 25 % of DD's time",
     order},
    {"2.5", "ownership saves traffic of the barriers; reading costs DD", "TB_LG, TBEX_LG: less traffic than GH; UTS, SS_L: slower",
     "the four signs", signs},
    {"2.6", "latencies of Table 3", "L1 1, L2 29 to 61, another L1 35 to 83, memory 197 to 261 cycles", "2.6a to 2.6c of heddle lab latencies", latencies},
};
