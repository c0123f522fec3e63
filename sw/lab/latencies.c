/* latencies.c - Table 3 of paper 3 as an experiment (grid.h): the workload probe on the machine of the paper under GPU coherence,
 * DeNovo and MESI; least and most cycles over all pairs of SM and bank. docs/heterosync.md is the manual. */
#include "grid.h"
#include <math.h>

enum { GD, DD, MESI, PROTOCOLS };
enum { L2, REMOTE, MEMORY, BENCHES };
enum { ALL = (1 << PROTOCOLS) - 1, OWNERS = 1 << DD | 1 << MESI };

static const struct hd_grid_policy protocols[PROTOCOLS] = {
    [GD] = {"gpu", "coherence=gd"}, [DD] = {"denovo", "coherence=dd"}, [MESI] = {"mesi", "l1=mesi"}};

static const struct hd_grid_bench benches[BENCHES] = {
    [L2] = {"L2", "probe", "kind=0", true, ALL, 1}, [REMOTE] = {"remote L1", "probe", "kind=1", true, ALL, 1},
    [MEMORY] = {"memory", "probe", "kind=2", true, ALL, 1}};

static const struct hd_grid_machine machine = {"paper 3", {NULL}, ALL, ALL, HD_GRID_EVERY, 0, false};

static const struct hd_grid_measure least = {{"probe.least"}, {NULL}, .times = 1, .over = 1},
    most = {{"probe.most"}, {NULL}, .times = 1, .over = 1}, hit = {{"probe.l1_most"}, {NULL}, .times = 1, .over = 1};
static const struct hd_grid_count counts[] = {
    {&least, GD, 8, 0}, {&most, GD, 6, 0}, {&least, DD, 8, 0}, {&most, DD, 6, 0}, {&least, MESI, 8, 0}, {&most, MESI, 6, 0},
    {&hit, GD, 9, 0}};

/* Compares with the paper's range; a mesh smaller than the paper's has its least only. GPU coherence has no remote L1. */
static void range(const struct hd_grid_results *r, struct hd_grid_verdict *v, unsigned bench, double low, double high)
{
    enum { NEAR = 4 };
    bool whole = r->options->tier == HD_GRID_FULL, holds = true;
    double ends[2] = {NAN, NAN};
    for (unsigned p = bench == REMOTE ? DD : GD; p <= DD; p++) {
        ends[0] = hd_grid_measure(r, &r->cell[0][p][bench], &least);
        ends[1] = hd_grid_measure(r, &r->cell[0][p][bench], &most);
        hd_grid_say(v, "%s%s %.0f to %.0f", *v->ours ? ", " : "", protocols[p].name, ends[0], ends[1]);
        holds &= (!whole || fabs(ends[0] - low) <= NEAR) && ends[0] >= low - 3 * NEAR && ends[1] <= high + NEAR
                 && (!whole || fabs(ends[1] - high) <= NEAR);
    }
    HD_GRID_JUDGE(v, holds, ends[0], ends[1]);
}

static void l2(const struct hd_grid_results *r, struct hd_grid_verdict *v) { range(r, v, L2, 29, 61); }
static void remote(const struct hd_grid_results *r, struct hd_grid_verdict *v) { range(r, v, REMOTE, 35, 83); }
static void memory(const struct hd_grid_results *r, struct hd_grid_verdict *v) { range(r, v, MEMORY, 197, 261); }

static const char criterion[] = "both ends within 4 cycles; on a smaller mesh: inside the range, 12 below its least allowed";
static const struct hd_grid_claim claims[] = {
    {"2.6a", "an L2 hit", "29 to 61 cycles", criterion, l2},
    {"2.6b", "a hit in another SM's L1", "35 to 83 cycles", criterion, remote},
    {"2.6c", "memory", "197 to 261 cycles", criterion, memory},
};

static const char head[] = "cycles from a load's issue to its use, less those of an L1 hit, plus 1\n"
                           "                   gpu        denovo          mesi       L1 hit,\n"
                           "                least  most   least  most   least  most  to its use";
static const char foot[] = "over all pairs of an SM and a bank of the L2; gpu keeps no words in an L1 for others: its L2 answers";

const struct hd_grid hd_lab_latencies = {
    .name = "latencies",
    .tier = {[HD_GRID_QUICK] = {"paper3-small", NULL}, [HD_GRID_REDUCED] = {"paper3-small", NULL}, [HD_GRID_FULL] = {"paper3", NULL}},
    .policy_word = "protocol", .policy = protocols, .policies = PROTOCOLS, .bench = benches, .benches = BENCHES, .shown = BENCHES,
    .machine = &machine, .machines = 1, .base = "gpu",
    .counts_head = head, .counts_foot = foot, .count = counts, .counts = sizeof counts / sizeof counts[0],
    .csv = (const char *const[]){"probe.least", "probe.most", "probe.mean", "probe.l1_least", "probe.l1_most"}, .csvs = 5,
    .claim = claims, .claims = sizeof claims / sizeof claims[0]};
