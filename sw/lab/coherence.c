/* coherence.c - the experiment of paper 3 as a table (grid.h): 23 benchmarks under GPU and DeNovo coherence, each with
 * data-race-free and heterogeneous-race-free synchronization, and under MESI and VI: time, energy by component, traffic by class.
 * docs/heterosync.md is the manual. */
#include "coherence.h"

#define COUNT(list) (sizeof (list) / sizeof (list)[0])

enum { DRF = 1 << HD_COH_DRF, HRF = 1 << HD_COH_HRF, RMO = 1 << HD_COH_RMO, ALL = DRF | HRF | RMO };

/* ---- what runs --------------------------------------------------------------------------------------------------- */

static const struct hd_grid_policy orders[HD_COH_ORDERS] = {
    [HD_COH_DRF] = {"drf", "order=drf"}, [HD_COH_HRF] = {"hrf", "order=hrf"}, [HD_COH_RMO] = {"rmo", "order=rmo"}};

static const struct hd_grid_machine machines[HD_COH_MACHINES] = {
    [HD_COH_GPU] = {"gpu", {"l1=gpu"}, DRF | HRF, DRF | HRF, HD_GRID_EVERY, 0, false},
    [HD_COH_DN] = {"denovo", {"l1=denovo"}, DRF | HRF, DRF | HRF, HD_GRID_EVERY, 0, false},
    [HD_COH_DN_RO] = {"denovo, read-only", {"l1=denovo", "read_only=true"}, DRF, DRF, HD_GRID_EVERY, 0, false},
    [HD_COH_MESI] = {"mesi", {"l1=mesi"}, RMO, RMO, HD_GRID_EVERY, 0, false},
    [HD_COH_VI] = {"vi", {"l1=vi"}, RMO, RMO, HD_GRID_EVERY, 0, false},
};

/* The paper's 3 blocks an SM and 10 loads and stores; 10 visits instead of 100, which change ratios little; with size=full
 * all. */
#define SYNC "per_sm=3 n=10 visits=10 strong=0"
#define WHOLE "strong=0"

static const struct hd_grid_bench benches[HD_COH_BENCHES] = {
    [HD_COH_BP] = {"BP", "backprop", "", true, ALL, 1},
    [HD_COH_PF] = {"PF", "pathfinder", "", true, ALL, 1},
    [HD_COH_LUD] = {"LUD", "lud", "", true, ALL, 1},
    [HD_COH_NW] = {"NW", "nw", "", true, ALL, 1},
    [HD_COH_SGEMM] = {"SGEMM", "sgemm", "", true, ALL, 1},
    [HD_COH_ST] = {"ST", "stencil", "", true, ALL, 1},
    [HD_COH_HS] = {"HS", "hotspot", "cols=128 block_rows=10", true, ALL, 1, "cols=512 block_rows=43"},
    [HD_COH_NN] = {"NN", "nn", "", true, ALL, 1},
    [HD_COH_SRAD] = {"SRAD", "srad", "", true, ALL, 1},
    [HD_COH_LAVA] = {"LAVA", "lavamd", "", true, ALL, 1},
    [HD_COH_FAM_G] = {"FAM_G", "ticket_mutex", SYNC, true, ALL, 2, WHOLE},
    [HD_COH_SLM_G] = {"SLM_G", "sleep_mutex", SYNC, true, ALL, 2, WHOLE},
    [HD_COH_SPM_G] = {"SPM_G", "spin_mutex", SYNC, true, ALL, 2, WHOLE},
    [HD_COH_SPMBO_G] = {"SPMBO_G", "backoff_mutex", SYNC, true, ALL, 2, WHOLE},
    [HD_COH_FAM_L] = {"FAM_L", "ticket_mutex", SYNC " local=1", true, ALL, 1, WHOLE " local=1"},
    [HD_COH_SLM_L] = {"SLM_L", "sleep_mutex", SYNC " local=1", true, ALL, 1, WHOLE " local=1"},
    [HD_COH_SPM_L] = {"SPM_L", "spin_mutex", SYNC " local=1", true, ALL, 1, WHOLE " local=1"},
    [HD_COH_SPMBO_L] = {"SPMBO_L", "backoff_mutex", SYNC " local=1", true, ALL, 1, WHOLE " local=1"},
    [HD_COH_TB] = {"TB_LG", "tree_barrier", SYNC, true, ALL, 1, WHOLE},
    [HD_COH_TBEX] = {"TBEX_LG", "tree_barrier", SYNC " exchange=1", true, ALL, 1, WHOLE " exchange=1"},
    [HD_COH_SS] = {"SS_L", "spin_sem", SYNC " local=1", true, ALL, 1, WHOLE " local=1"},
    [HD_COH_SSBO] = {"SSBO_L", "backoff_sem", SYNC " local=1", true, ALL, 1, WHOLE " local=1"},
    [HD_COH_UTS] = {"UTS", "uts", "", true, ALL, 2},
};

/* ---- what is shown ----------------------------------------------------------------------------------------------- */

#define BARS                                                                                                              \
    {{HD_COH_GPU, HD_COH_DRF, "GD"}, {HD_COH_GPU, HD_COH_HRF, "GH"}, {HD_COH_DN, HD_COH_DRF, "DD"},                       \
     {HD_COH_DN_RO, HD_COH_DRF, "DD+RO"}, {HD_COH_DN, HD_COH_HRF, "DH"}, {HD_COH_MESI, HD_COH_RMO, "MESI"},               \
     {HD_COH_VI, HD_COH_RMO, "VI"}}
static const struct hd_grid_column bars[] = BARS;
/* Without local synchronization scopes change nothing: a bar a protocol of the paper, which has neither MESI nor VI. */
#define ALIKE {{HD_COH_GPU, HD_COH_DRF, "G*"}, {HD_COH_DN, HD_COH_DRF, "D*"}, {HD_COH_MESI, HD_COH_RMO, "MESI"}, {HD_COH_VI, HD_COH_RMO, "VI"}}
static const struct hd_grid_column alike[] = ALIKE;

/* pJ of an event at 45 nm: those of configs/energy.cfg, which says where they are from. A hop of a flit: 128 bits at 0.60
 * pJ a bit of a delivery, of which it is half. */
static const struct hd_grid_term core[] = {{"sm.issue_alu", 217, 0}, {"sm.issue_mem", 73, 0}, {"sm.issue_ctl", 70, 0}, {NULL, 0, 0}},
    lds[] = {{"lds.access", 77, 0}, {NULL, 0, 0}},
    l1[] = {{"l1.hit", 73, 0}, {"l1.replay", 73, 0}, {"l1.fill", 90, 0}, {"l1.rmw_lane", 73, 0}, {"l1.sync", 73, 0}, {"l1.write_dirty", 73, 0},
            {"l1.evict_dirty", 73, 0}, {"l1.fetch", 73, 0}, {"l1.forward", 73, 0}, {"l1.writeback", 73, 0},
            {"l1.write_through", 45, 1u << HD_COH_VI}, {NULL, 0, 0}},
    l2[] = {{"l2.hit", 302, 0}, {"l2.chained", 302, 0}, {"l2.miss", 302, 0}, {"l2.mem_read", 302, 0}, {"l2.putm", 302, 0},
            {"l1.writeback", 302, 0}, {NULL, 0, 0}},
    network[] = {{"link.hops", 38, 0}, {NULL, 0, 0}},
    writes[] = {{"link.hops.write", 1, 0}, {"link.hops.writeback", 1, 0}, {NULL, 0, 0}},
    invalidations[] = {{"link.hops.inv", 1, 0}, {"link.hops.fetch", 1, 0}, {NULL, 0, 0}};

const struct hd_grid_cause hd_coherence_energy[HD_COH_PARTS] = {
    {NULL, "core", "issue and ALUs", core}, {NULL, "LDS", "scratchpad", lds}, {NULL, "L1", "L1", l1}, {NULL, "L2", "L2", l2},
    {NULL, "network", "network", network}};

const struct hd_grid_cause hd_coherence_traffic[HD_HOPS_CLASSES] = {
    [HD_HOPS_READ] = {"link.hops.read", "read", "reads of data", NULL},
    [HD_HOPS_REG] = {"link.hops.registration", "regist.", "registrations", NULL},
    [HD_HOPS_WRITE] = {NULL, "write", "write-throughs, write-backs, lines to write (MESI)", writes},
    [HD_HOPS_ATOMIC] = {"link.hops.atomic", "atomic", "synchronization", NULL},
    [HD_HOPS_INV] = {NULL, "inv", "copies dropped or fetched (MESI, VI)", invalidations}};

#define SPLIT(file, number, title_, what_, list, n, bars_, bars_n, from, to)                                            \
    {.name = file, .head = "figure " number ": " title_ ", of 100 of GD's, by " what_, .what = title_ " (% of GD)",        \
     .title = "Figure " number ": " title_, .cause = list, .causes = n, .column = bars_, .columns = bars_n, \
     .first = from, .last = to, .mean = true}
#define FIGURES(number, bars_, n, from, to)                                                                           \
    SPLIT("figure" number "b", number "b", "energy", "component", hd_coherence_energy, HD_COH_PARTS, bars_, n, from, to), \
    SPLIT("figure" number "c", number "c", "flits over links", "class", hd_coherence_traffic, HD_HOPS_CLASSES, bars_, n, from, to)

static const struct hd_grid_split splits[] = {
    FIGURES("2", alike, COUNT(alike), 0, HD_COH_GLOBAL),
    FIGURES("3", alike, COUNT(alike), HD_COH_GLOBAL, HD_COH_LOCAL),
    FIGURES("4", bars, COUNT(bars), HD_COH_LOCAL, HD_COH_BENCHES),
};

static const struct hd_grid_figure figures[] = {
    {"figure2a", "Figure 2a: time, no synchronization within a grid", COUNT(alike), ALIKE, 0, HD_COH_GLOBAL},
    {"figure3a", "Figure 3a: time, mutexes of all SMs", COUNT(alike), ALIKE, HD_COH_GLOBAL, HD_COH_LOCAL},
    {"figure4a", "Figure 4a: time, local and hybrid synchronization", COUNT(bars), BARS, HD_COH_LOCAL, HD_COH_BENCHES},
};

/* Why: what the counters of GD and DD say. */
static const struct hd_grid_measure
    missed = {{"l1.miss"}, {"l1.hit", "l1.miss", "l1.merge"}, .times = 100},
    written = {{"l1.write_dirty"}, .times = 1, .over = 1},
    at_l2 = {{"l2.atomic"}, .times = 1, .over = 1};

static const struct hd_grid_count counts[] = {
    {&missed, HD_COH_DRF, 9, 1}, {&missed, HD_COH_HRF, 7, 1}, {&written, HD_COH_DRF, 9, 0}, {&written, HD_COH_HRF, 8, 0}, {&at_l2, HD_COH_DRF, 10, 0}, {&at_l2, HD_COH_HRF, 8, 0},
};
static const char counts_head[] =
    "what the counters say (GPU coherence)\n"
    "                    misses %    rows written    atomics at L2\n"
    "                     GD     GH       GD      GH        GD      GH";
static const char counts_foot[] =
    "misses: of the accesses an L1 took; rows written: lines of dirty words written through;\n"
    "atomics at L2: the others are performed in an L1";

static const char *const csv[] = {
    "l1.hit", "l1.miss", "l1.merge", "l1.acquire", "l1.release", "l1.write_dirty", "l1.atomic", "l1.sync", "l1.registration",
    "l1.writeback", "l1.forward", "l1.nack", "l1.waiter", "l1.pass", "l2.atomic", "link.hops", "link.hops.read",
    "link.hops.registration", "link.hops.write", "link.hops.atomic", "link.hops.writeback", "link.hops.fetch", "link.hops.inv",
    "l2.putm", "l1.fetch", "l1.evict_dirty", "l1.write_through"};

/* ---- the experiment ---------------------------------------------------------------------------------------------- */

const struct hd_grid hd_lab_coherence = {
    .name = "coherence",
    .tier = {[HD_GRID_QUICK] = {"paper3-small", NULL}, [HD_GRID_REDUCED] = {"paper3-small", NULL},
             [HD_GRID_FULL] = {"paper3", "full"}},
    .policy_word = "order",
    .policy = orders, .policies = HD_COH_ORDERS, .bench = benches, .benches = HD_COH_BENCHES, .shown = HD_COH_BENCHES,
    .machine = machines, .machines = HD_COH_MACHINES,
    .times_head = "time over that of GD (GPU coherence, data-race-free)", .times_unit = "GD cycles", .base = "GD",
    .column = bars, .columns = COUNT(bars),
    .counts_head = counts_head, .counts_foot = counts_foot, .count = counts, .counts = COUNT(counts),
    .split = splits, .splits = COUNT(splits), .csv = csv, .csvs = COUNT(csv), .figure = figures, .figures = COUNT(figures),
    .claim = hd_coherence_claims, .claims = HD_COH_CLAIMS};
