/* persistency.c - the experiment of paper 4 as a table (grid.h): what persist barriers cost on a persistent tree and a table of keys,
 * over the latency and bandwidth of the non-volatile memory and the sizes of the FIFOs. docs/results/persistency.md is the page.
 *
 * Scopes are benchmarks, since they are a key of the programs. The base machine has DRAM only: there a barrier ends when the dirty
 * words of its SM are at the L2; all times are over the program without any barrier on that machine, as the paper's. */
#include "grid.h"
#include <math.h>

#define COUNT(list) (sizeof (list) / sizeof (list)[0])

enum { NONE, WG, KR, SCOPES };
enum { SIZES = 4 };
enum { TREE, WI = TREE + SIZES * SCOPES, KV_NONE, KV_WI, KV_WG, KV_KR, BENCHES };
enum { DRAM, NV, NV_25, NV_500, NV_1000, OUT_64, OUT_16, BYTES_16, BYTES_4, FIFO_L2_16, FIFO_L2_256, FIFO_4, FIFO_8, FIFO_32, FIFO_64, BUFFERED, MACHINES };

static const struct hd_grid_policy hrf = {"hrf", "order=hrf"};

#define NVRAM "nv_base=536870912"
static const struct hd_grid_machine machines[MACHINES] = {
    [DRAM] = {"DRAM", {"nv_base=2147483584"}, 1, 1, HD_GRID_EVERY, 0, false},
    [NV] = {"NVRAM 75/250", {NVRAM}, 1, 1, HD_GRID_EVERY, 0, false},
#define SWEEP(quick, ...) {__VA_ARGS__}, 1, quick, HD_GRID_ONE, TREE + WG, false
    [NV_25] = {"25/25", SWEEP(1, NVRAM, "nv_read=25", "nv_write=25")},
    [NV_500] = {"75/500", SWEEP(1, NVRAM, "nv_write=500")},
    [NV_1000] = {"75/1000", SWEEP(1, NVRAM, "nv_write=1000")},
    [OUT_64] = {"nv_out 64", SWEEP(1, NVRAM, "nv_out=64")},
    [OUT_16] = {"nv_out 16", SWEEP(1, NVRAM, "nv_out=16")},
    [BYTES_16] = {"16 B a cycle", SWEEP(1, NVRAM, "nv_bytes_per_cycle=16")},
    [BYTES_4] = {"4 B a cycle", SWEEP(1, NVRAM, "nv_bytes_per_cycle=4")},
    [FIFO_L2_16] = {"FIFO 16/16", SWEEP(1, NVRAM, "nvw_l2=16")},
    [FIFO_L2_256] = {"FIFO 16/256", SWEEP(1, NVRAM, "nvw_l2=256")},
    [FIFO_4] = {"FIFO 4/16", SWEEP(0, NVRAM, "nvw_l1=4", "nvw_l2=16")},
    [FIFO_8] = {"FIFO 8/32", SWEEP(0, NVRAM, "nvw_l1=8", "nvw_l2=32")},
    [FIFO_32] = {"FIFO 32/128", SWEEP(0, NVRAM, "nvw_l1=32", "nvw_l2=128")},
    [FIFO_64] = {"FIFO 64/256", SWEEP(0, NVRAM, "nvw_l1=64", "nvw_l2=256")},
    [BUFFERED] = {"buffered", SWEEP(1, NVRAM, "persist=buffered")},
};

#define OVER_TREE(i) 1 + TREE + i * SCOPES + NONE
#define SIZE(i, mb, n, quick, seconds)                                                                 \
    [TREE + i * SCOPES + NONE] = {mb " none", "ptree", "barriers=0 leaves=" n, quick, 1, seconds, NULL, 0},   \
    [TREE + i * SCOPES + WG] = {mb " wg", "ptree", "leaves=" n, quick, 1, seconds, NULL, OVER_TREE(i)},   \
    [TREE + i * SCOPES + KR] = {mb " kr", "ptree", "algorithm=1 leaves=" n, quick, 1, seconds, NULL, OVER_TREE(i)}
#define PUTS(first, short_, program, words)                                                                   \
    [first] = {short_ " none", program, words "0", true, 1, 2, NULL, 0},                                                \
    [first + 1] = {short_ " wi", program, words "1", true, 1, 2, NULL, 1 + first},                                            \
    [first + 2] = {short_ " wg", program, words "2", true, 1, 2, NULL, 1 + first},                                            \
    [first + 3] = {short_ " kr", program, words "3", true, 1, 2, NULL, 1 + first}
static const struct hd_grid_bench benches[BENCHES] = {
    SIZE(0, "1.6 MB", "21000", true, 4), SIZE(1, "3.3 MB", "42000", true, 8), SIZE(2, "6.6 MB", "84000", false, 16),
    SIZE(3, "13 MB", "168000", false, 32),
    [WI] = {"1.6 MB wi", "ptree", "fault=4 leaves=21000", true, 1, 4, NULL, OVER_TREE(0)},
    PUTS(KV_NONE, "kv", "kv", "threads=256 blocks=16 puts=2 scope="),
};

/* ---- what is shown ----------------------------------------------------------------------------------------------- */

static const struct hd_grid_column all[] = {{DRAM, 0, "DRAM"}, {NV, 0, "250"}, {NV_25, 0, "25/25"}, {NV_500, 0, "500"}, {NV_1000, 0, "1000"},
                                             {BUFFERED, 0, "buffered"}};


static const char *const csv[] = {"nvram.reads", "nvram.writes", "nvram.out_cycles", "nvram.line_waits", "ptree.keys", "ptree.groups", "ptree.kr_words.0",
                                  "ptree.wg_words.0", "ptree.kr_words.1", "ptree.wg_words.1", "l1.hit", "l1.miss", "l2.miss",
                                  "persist.cycles_wg", "persist.gather_cycles", "persist.l1_lines_in", "persist.l1_lines_written",
                                  "persist.l1_lines_stale", "persist.l1_full_cycles", "persist.l1_drain_cycles", "persist.l2_lines_in",
                                  "persist.l2_lines_written", "persist.l2_lines_stale", "persist.l2_full_cycles", "persist.l2_drain_cycles",
                                  "persist.l2_epoch_full_cycles", "persist.l2_epoch_wait_cycles"};

static const struct hd_grid_figure figures[] = {
    {"figure5", "Tree sizes and scopes", 2, {{DRAM, 0, "DRAM"}, {NV, 0, "NVRAM 75/250"}}, TREE, TREE + SIZES * SCOPES},
    {"figure6", "Latency of NVRAM (1.6 MB, wg)", 5,
     {{DRAM, 0, "DRAM"}, {NV_25, 0, "25/25"}, {NV, 0, "75/250"}, {NV_500, 0, "75/500"}, {NV_1000, 0, "75/1000"}}, TREE + WG, TREE + WG + 1},
    {"figure7", "Entries of the FIFO of the L2 (1.6 MB, wg)", 3,
     {{FIFO_L2_16, 0, "16/16"}, {NV, 0, "16/64"}, {FIFO_L2_256, 0, "16/256"}}, TREE + WG, TREE + WG + 1},
    {"buffered", "Barriers that wait, buffered barriers (1.6 MB, wg)", 3,
     {{DRAM, 0, "DRAM"}, {NV, 0, "NVRAM 75/250"}, {BUFFERED, 0, "buffered"}}, TREE + WG, TREE + WG + 1},
    {"bandwidth", "Writes under way, bytes a cycle (1.6 MB, wg)", 5,
     {{NV, 0, "256, 64 B"}, {OUT_64, 0, "64 out"}, {OUT_16, 0, "16 out"}, {BYTES_16, 0, "16 B"}, {BYTES_4, 0, "4 B"}}, TREE + WG, TREE + WG + 1},
};

/* ---- what is claimed --------------------------------------------------------------------------------------------- */

static unsigned tree(unsigned size, unsigned scope)
{
    return TREE + size * SCOPES + scope;
}

static double cycles(const struct hd_grid_results *r, unsigned machine, unsigned bench)
{
    uint64_t n = r->cell[machine][0][bench].cycles;
    return n ? (double)n : NAN;
}

/* Rounded to whole percents, for a text: none is -0. */
static double whole(double percent)
{
    return round(percent) + 0.0;
}

/* Percent over the tree of that size without barriers, all of it in DRAM. */
static double overhead(const struct hd_grid_results *r, unsigned machine, unsigned size, unsigned scope)
{
    return 100 * (cycles(r, machine, tree(size, scope)) / cycles(r, DRAM, tree(size, NONE)) - 1);
}

static const char *const size_name[SIZES] = {"1.6 MB", "3.3 MB", "6.6 MB", "13 MB"};

static unsigned sizes(const struct hd_grid_results *r)
{
    unsigned n = 0;
    while (n < SIZES && r->cell[DRAM][0][tree(n, NONE)].planned)
        n++;
    return n;
}

static void costs(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    double wg[SIZES] = {NAN}, kr[SIZES] = {NAN};
    bool holds = true;
    for (unsigned i = 0; i < sizes(r); i++) {
        wg[i] = overhead(r, NV, i, WG);
        kr[i] = overhead(r, NV, i, KR);
        hd_grid_say(v, "%s%s: wg %+.0f %%, kr %+.0f %%; of it NVRAM %+.0f %%", i ? "; " : "", size_name[i], whole(wg[i]), whole(kr[i]),
                    whole(overhead(r, NV, i, NONE)));
        holds &= wg[i] >= 5 && wg[i] <= 15 && kr[i] >= 1.8 * wg[i];
    }
    HD_GRID_JUDGE(v, holds, wg[0], kr[0]);
}

static void growth(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    unsigned n = sizes(r), last = n ? n - 1 : 0;
    double low = INFINITY, high = -INFINITY, first_kr = overhead(r, NV, 0, KR), last_kr = overhead(r, NV, last, KR);
    for (unsigned i = 0; i < n; i++) {
        low = fmin(low, overhead(r, NV, i, WG));
        high = fmax(high, overhead(r, NV, i, WG));
    }
    hd_grid_say(v, "wg %.0f to %.0f %%; kr %.0f %% at the least size, %.0f %% at the largest", low, high, first_kr, last_kr);
    HD_GRID_JUDGE(v, high - low <= 4 && last_kr >= first_kr, low, high, first_kr, last_kr, n > 1 ? 0 : NAN);
}

static void latency(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    double at[4] = {overhead(r, NV_25, 0, WG), overhead(r, NV, 0, WG), overhead(r, NV_500, 0, WG), overhead(r, NV_1000, 0, WG)};
    hd_grid_say(v, "25/25 %+.0f %%, 250 %+.0f %%, 500 %+.0f %%, 1000 %+.0f %%; 500 is %.2f times 250", whole(at[0]), whole(at[1]), whole(at[2]), whole(at[3]),
                at[2] / at[1]);
    HD_GRID_JUDGE(v, at[0] < 5 && at[2] >= 1.4 * at[1] && at[2] <= 3 * at[1] && at[3] > at[2], at[0], at[1], at[2], at[3]);
}

static void entries(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    bool quick = r->options->tier == HD_GRID_QUICK; /* the FIFO of the L2 alone: no other SM to build */
    const unsigned machine[] = {quick ? FIFO_L2_16 : FIFO_4, NV, quick ? FIFO_L2_256 : FIFO_64};
    const char *const size[] = {quick ? "16/16" : "4/16", "16/64", quick ? "16/256" : "64/256"};
    double at[3];
    for (unsigned i = 0; i < 3; i++) {
        at[i] = overhead(r, machine[i], 0, WG);
        hd_grid_say(v, "%s%s %+.1f %%", i ? ", " : "", size[i], at[i]);
    }
    HD_GRID_JUDGE(v, fabs(at[1] - at[2]) <= 2 && at[2] <= at[1] + 0.1, at[0], at[1], at[2]);
}

/* Of the largest tree measured; levels that work-groups do. */
static void words(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    static const char *const kr[] = {"ptree.kr_words.0", "ptree.kr_words.1", "ptree.kr_words.2", "ptree.kr_words.3", "ptree.kr_words.4"};
    static const char *const wg[] = {"ptree.wg_words.0", "ptree.wg_words.1", "ptree.wg_words.2", "ptree.wg_words.3", "ptree.wg_words.4"};
    unsigned n = sizes(r);
    const struct hd_grid_cell *c = &r->cell[NV][0][tree(n ? n - 1 : 0, WG)];
    double before = INFINITY, first = NAN;
    bool falls = true;
    for (unsigned i = 0; i < 5 && c->cycles && hd_grid_counter(c, wg[i]) > 0; i++) {
        double a = hd_grid_counter(c, kr[i]), b = hd_grid_counter(c, wg[i]);
        hd_grid_say(v, "%slevel %u: kr %.0f, wg %.0f", i ? "; " : "", i, a, b);
        first = i ? first : a / b;
        falls &= a / b <= before;
        before = a / b;
    }
    hd_grid_say(v, "; %.1f times at the leaves of %s", first, size_name[n ? n - 1 : 0]);
    HD_GRID_JUDGE(v, first > 10 && falls, first);
}

static void recovers(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    (void)r;
    v->outcome = HD_GRID_OPEN;
    hd_grid_say(v, "measured by heddle crash ptree (make crash) and tests/c/test_tree.c");
}

static void bandwidth(const struct hd_grid_results *r, struct hd_grid_verdict *v)
{
    double at[5] = {overhead(r, NV, 0, WG), overhead(r, OUT_64, 0, WG), overhead(r, OUT_16, 0, WG), overhead(r, BYTES_16, 0, WG), overhead(r, BYTES_4, 0, WG)};
    hd_grid_say(v, "256 out, 64 B a cycle %+.0f %%; 64 out %+.0f %%, 16 out %+.0f %%; 16 B %+.0f %%, 4 B %+.0f %%", at[0], at[1], at[2], at[3], at[4]);
    HD_GRID_JUDGE(v, at[0] <= at[1] + 0.5 && at[1] <= at[2] + 0.5 && at[0] <= at[3] + 0.5 && at[3] <= at[4] + 0.5, at[0], at[1], at[2], at[3], at[4]);
}

static const struct hd_grid_claim claims[] = {
    {"3.1", "what barriers cost", "wg 8 to 10 %, kr 25 % over DRAM without barriers", "wg 5 to 15 %, kr at least 1.8 times wg, at each size", costs},
    {"3.2", "wg does not grow with the tree, kr does", "wg flat, kr rises with size", "wg spreads over at most 4 points; kr at the largest size at least that of the least", growth},
    {"3.3", "latency of the NVRAM", "little at DRAM's latency, rising with that of writes", "25/25 below 5 %; 500 is 1.4 to 3 times 250; 1000 above 500", latency},
    {"3.4", "small FIFOs are enough", "flat from 16/64 entries on", "at most 2 points from 16/64 to the largest (64/256; --quick: 16/256), which is not slower", entries},
    {"3.5", "writes a barrier waits for (Table 3)", "kr 329359, wg 5734 words", "kr over wg above 10 at the leaves, falling upwards", words},
    {"3.6", "recoverable after every power cut", "yes", "I1 to I5 at all crash points", recovers},
    {"bandwidth", "writes under way and bytes a cycle", "not in the paper", "fewer are not faster (half a point)", bandwidth},
};

/* ---- the experiment ---------------------------------------------------------------------------------------------- */


const struct hd_grid hd_lab_persistency = {
    .name = "persistency",
    .tier = {[HD_GRID_QUICK] = {"paper4", NULL}, [HD_GRID_REDUCED] = {"paper4", NULL}, [HD_GRID_FULL] = {"paper4", NULL}},
    .set = "ghost_bits=0",
    .policy_word = "order",
    .policy = &hrf, .policies = 1, .bench = benches, .benches = BENCHES, .shown = BENCHES, .machine = machines, .machines = MACHINES,
    .times_head = "time over that of the program without barriers in DRAM", .times_unit = "DRAM cycles", .base = "none in DRAM",
    .column = all, .columns = COUNT(all),
    .csv = csv, .csvs = COUNT(csv), .figure = figures, .figures = COUNT(figures),
    .claim = claims, .claims = COUNT(claims)};
