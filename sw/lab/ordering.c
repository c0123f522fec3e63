/* ordering.c - the experiment of paper 1 as a table (grid.h): 14 benchmarks under six memory orderings, the machine and
 * changes of it, what figures 6, 8 and 9 show. docs/ordering.md is the manual. */
#include "ordering.h"

#define COUNT(list) (sizeof (list) / sizeof (list)[0])

enum { /* sets of orders */
    ALL = (1 << HD_ORDERS) - 1,
    RMO_SC = 1 << HD_RMO | 1 << HD_SC,
    NAIVE = RMO_SC | 1 << HD_TSO,
    SHOWN = NAIVE | 1 << HD_TYPE, /* those of figure 9 */
    TYPE = 1 << HD_TYPE,
    WAITING = TYPE | 1 << HD_SC_PF /* those with waiting queues */
};

/* ---- what runs --------------------------------------------------------------------------------------------------- */

static const struct hd_grid_policy orders[HD_ORDERS] = {
    [HD_RMO] = {"rmo", "order=rmo"},          [HD_TSO] = {"tso", "order=tso"},       [HD_SC] = {"sc", "order=sc"},
    [HD_TSO_SB] = {"tso-sb", "order=tso-sb"}, [HD_SC_PF] = {"sc-pf", "order=sc-pf"}, [HD_TYPE] = {"type", "order=type"},
};

static const struct hd_grid_bench benches[HD_ORDERING_BENCHES] = {
    [HD_GEMM] = {"gemm", "gemm", "", true, ALL, 0.6},
    [HD_3MM] = {"3mm", "3mm", "", false, ALL, 0.9},
    [HD_FDTD_2D] = {"fdtd-2d", "fdtd-2d", "", true, ALL, 1.0},
    [HD_HEARTWALL] = {"heartwall", "heartwall", "fenced=0", false, ALL, 3.5},
    [HD_STREAMCLUSTER] = {"streamcluster", "streamcluster", "", true, ALL, 0.2},
    [HD_BTREE] = {"b+tree", "b+tree", "fenced=0", true, ALL, 0.4},
    [HD_MVT] = {"mvt", "mvt", "", false, ALL, 0.4},
    [HD_2DCONV] = {"2dconv", "2dconv", "", false, ALL, 0.2},
    [HD_HOTSPOT] = {"hotspot", "hotspot", "", false, ALL, 0.3},
    [HD_PATHFINDER] = {"pathfinder", "pathfinder", "", false, ALL, 0.1},
    [HD_BFS] = {"bfs", "bfs", "", false, ALL, 0.6},
    [HD_MEMCACHED] = {"memcached", "memcached", "", false, ALL, 0.1},
    [HD_STN] = {"stn", "stn", "", false, ALL, 0.2},
    [HD_DLB] = {"dlb", "dlb", "", false, ALL, 0.5},
    [HD_GEMM_1] = {"gemm, 1 block", "gemm", "resident=1", true, SHOWN, 0.6},
    [HD_MVT_ROWS] = {"mvt, A", "mvt", "column_steps=0", false, SHOWN, 0.2},
    [HD_MVT_COLUMNS] = {"mvt, A'", "mvt", "row_steps=0", false, SHOWN, 0.4},
    [HD_BTREE_RANGES] = {"b+tree, ranges", "b+tree", "fenced=0 queries=0 ranges=640", false, SHOWN, 0.8},
};

static const struct hd_grid_machine machines[HD_ORDERING_MACHINES] = {
    [HD_WB] = {"write-back", {NULL}, ALL, ALL, HD_GRID_EVERY, 0, false},
    [HD_WT] = {"write-through", {"l1=vi"}, SHOWN, 0, HD_GRID_EVERY, 0, false},
    [HD_TYPE_PREFETCH] = {"type_prefetch", {"type_prefetch=true"}, TYPE, TYPE, HD_GRID_EVERY, 0, false},
    [HD_MERGE_32] = {"merge_lanes 32", {"merge_lanes=32"}, ALL, NAIVE, HD_GRID_ONE, HD_STREAMCLUSTER, false},
    [HD_UNIFIED] = {"unified_buffer", {"unified_buffer=true"}, 1 << HD_TSO_SB, 0, HD_GRID_SHOWN, 0, false},
    [HD_UNSAFE_8] = {"unsafe_queue 8", {"unsafe_queue=8"}, TYPE, 0, HD_GRID_EVERY, 0, true},
    [HD_UNSAFE_16] = {"unsafe_queue 16", {"unsafe_queue=16"}, TYPE, 0, HD_GRID_EVERY, 0, true},
    [HD_WAIT_8] = {"wait_queue 8", {"wait_queue=8"}, WAITING, 0, HD_GRID_EVERY, 0, true},
    [HD_WAIT_16] = {"wait_queue 16", {"wait_queue=16"}, WAITING, 0, HD_GRID_EVERY, 0, true},
    [HD_QUEUES_16] = {"both queues 16", {"unsafe_queue=16", "wait_queue=16"}, TYPE, 0, HD_GRID_EVERY, 0, true},
    [HD_MAC_2] = {"mac_entries 1024", {"mac_entries=1024"}, TYPE, 0, HD_GRID_SHOWN, 0, true},
    [HD_TYPE_CACHE_2] = {"type_entries 128", {"type_entries=128"}, TYPE, 0, HD_GRID_SHOWN, 0, true},
    [HD_MARKER_MERGE] = {"marker_merge", {"marker_merge=true"}, TYPE, 0, HD_GRID_EVERY, 0, true},
    [HD_CREDIT_ISSUE] = {"credit_issue", {"credit_issue=true"}, WAITING, 0, HD_GRID_EVERY, 0, true},
    [HD_THREE] = {"these and prefetch", {"credit_issue=true", "marker_merge=true", "type_prefetch=true"}, TYPE, 0, HD_GRID_EVERY, 0,
                  true},
    [HD_SECTOR_4K] = {"sector_bytes 4096", {"sector_bytes=4096"}, TYPE, 0, HD_GRID_EVERY, 0, true},
    [HD_SECTOR_64K] = {"sector_bytes 65536", {"sector_bytes=65536"}, TYPE, 0, HD_GRID_EVERY, 0, true},
    [HD_LRR] = {"scheduler lrr", {"scheduler=lrr"}, NAIVE, 0, HD_GRID_SHOWN, 0, true},
    [HD_SCOREBOARD_8] = {"scoreboard 8", {"scoreboard=8"}, RMO_SC, 0, HD_GRID_SHOWN, 0, true},
};

/* ---- what is shown ----------------------------------------------------------------------------------------------- */

static const struct hd_grid_column columns[] = {
    {HD_WB, HD_TSO, "tso"}, {HD_WB, HD_TSO_SB, "tso-sb"}, {HD_WB, HD_SC, "sc"}, {HD_WB, HD_SC_PF, "sc-pf"},
    {HD_WB, HD_TYPE, "type"}, {HD_TYPE_PREFETCH, HD_TYPE, "type+"}, {HD_WT, HD_RMO, "wt rmo"},
    {HD_WT, HD_TSO, "wt tso"}, {HD_WT, HD_SC, "wt sc"}, {HD_WT, HD_TYPE, "wt type"},
};

static const struct hd_grid_note notes[] = {
    {HD_TYPE_PREFETCH, HD_TYPE,
     "type+: not of the paper: the line of an access is fetched while its type is asked for (type_prefetch)"},
};

static const struct hd_grid_extra extras[] = {
    {HD_MERGE_32, HD_STREAMCLUSTER, "streamcluster*", "* 32 lanes a miss entry, in RMO too; the others have 1024"},
};

/* What counters say about the times. */
static const struct hd_grid_measure
    misses = {{"l1.miss"}, {"l1.hit", "l1.miss", "l1.merge"}, .times = 100},
    merged = {{"l1.merge"}, {"l1.hit", "l1.miss", "l1.merge"}, .times = 100},
    /* cycles in which an SM has a memory operation to issue and its memory pipe takes none */
    stalled = {{"sm.stall_pipe"}, .times = 100, .per_cycle = true},
    /* thousands of those that SMs sent and received */
    flits = {{"link.sm_xbar", "link.xbar_sm"}, .times = 1, .over = 1000},
    unsafe = {{"order.unsafe"}, {"order.unsafe", "order.safe"}, .times = 100},
    markers = {{"order.marker"}, {"order.unsafe", "order.safe"}, .times = 100},
    asked = {{"order.type_request"}, .times = 1, .over = 1};

static const struct hd_grid_count counts[] = {
    {&misses, HD_RMO, 6, 1},   {&misses, HD_SC, 6, 1},     {&misses, HD_TYPE, 6, 1},  {&merged, HD_RMO, 6, 1},
    {&merged, HD_SC, 6, 1},    {&merged, HD_TYPE, 6, 1},   {&stalled, HD_RMO, 6, 1},  {&stalled, HD_SC, 6, 1},
    {&stalled, HD_SC_PF, 6, 1}, {&stalled, HD_TYPE, 6, 1}, {&flits, HD_RMO, 7, 0},    {&flits, HD_SC, 7, 0},
    {&flits, HD_TYPE, 7, 0},   {&unsafe, HD_TYPE, 9, 0},   {&markers, HD_TYPE, 10, 0}, {&asked, HD_TYPE, 6, 0},
};

static const char counts_head[] =
    "what the counters say (write-back)\n"
    "                         misses %          merged %          pipe stalled %     flits, thousands           type-aware SC\n"
    "                  rmo    sc  type   rmo    sc  type   rmo    sc sc-pf  type    rmo     sc   type unsafe % markers % asked";

static const char counts_foot[] =
    "misses, merged: of the accesses an L1 took, those that took a miss entry, and those that joined one; pipe\n"
    "stalled: of the cycles of an SM, those in which warps could issue memory operations and the pipe took none; flits\n"
    "of the SMs; unsafe, markers: of the accesses that type-aware SC sorted; asked: requests to the classifiers";

/* hd_stall_e of a warp in its slot, in the order in which they are shown. */
static const struct hd_grid_cause causes[] = {
    {"stall.none_issued", "issued", "issued", NULL},
    {"stall.front", "front", "next operation on its way", NULL},
    {"stall.select", "select", "another warp issued", NULL},
    {"stall.data", "data", "waits for a value", NULL},
    {"stall.data_queued", "queued", "waits for a value, accesses queued", NULL},
    {"stall.order", "order", "earlier accesses first", NULL},
    {"stall.sync", "sync", "fence, barrier, exit: earlier ones first", NULL},
    {"stall.barrier", "barrier", "waits for partners", NULL},
    {"stall.pipe", "pipe", "memory pipe full", NULL},
    {"stall.slots", "slots", "scoreboard full", NULL},
    {"stall.hold", "hold", "waiting queue full", NULL},
};

static const struct hd_grid_column stall_orders[] = {{HD_WB, HD_RMO, "rmo"}, {HD_WB, HD_SC, "sc"}, {HD_WB, HD_TYPE, "type"}};

static const struct hd_grid_split stalls = {
    .name = "stalls", .head = "what warps do (write-back): warp-cycles by cause, of 100 of RMO's; each has one cause",
    .what = "warp-cycles (% of RMO)",
    .title = "What warps do under RMO, SC and type-aware SC: write-back, GTO",
    .cause = causes, .causes = COUNT(causes), .column = stall_orders, .columns = COUNT(stall_orders)};

static const char *const csv[] = {"l1.hit", "l1.miss", "l1.merge", "l1.reject_entry", "l1.reject_merge",
                                  "l1.reject_line", "order.safe", "order.unsafe", "order.marker",
                                  "order.type_request", "mac.invalidation"};

static const struct hd_grid_figure figures[] = {
    {"figure6", "Figure 6: write-back caches, GTO", 5,
     {{HD_WB, HD_TSO, "TSO"}, {HD_WB, HD_TSO_SB, "TSO, store buffer"}, {HD_WB, HD_SC, "SC"},
      {HD_WB, HD_TYPE, "SC, type-aware"}, {HD_TYPE_PREFETCH, HD_TYPE, "... fetching while it asks (ours)"}}, 0, 0},
    {"figure8", "Figure 8: prefetching under SC, write-back caches, GTO", 2,
     {{HD_WB, HD_SC, "SC"}, {HD_WB, HD_SC_PF, "SC, prefetching"}}, 0, 0},
    {"figure9", "Figure 9: write-through caches, GTO", 4,
     {{HD_WT, HD_RMO, "RMO"}, {HD_WT, HD_TSO, "TSO"}, {HD_WT, HD_SC, "SC"}, {HD_WT, HD_TYPE, "SC, type-aware"}}, 0, 0},
};

/* ---- the experiment ---------------------------------------------------------------------------------------------- */

const struct hd_grid hd_lab_ordering = {
    .name = "ordering",
    .tier = {[HD_GRID_QUICK] = {"paper1-small", "reduced"}, [HD_GRID_REDUCED] = {"paper1-small", "reduced"},
             [HD_GRID_FULL] = {"paper1", "full"}},
    .set = "stall_causes=true", .policy_word = "order",
    .policy = orders, .policies = HD_ORDERS, .bench = benches, .benches = HD_ORDERING_BENCHES, .shown = HD_FOURTEEN,
    .machine = machines, .machines = HD_ORDERING_MACHINES,
    .times_head = "time over that of RMO with write-back caches", .times_unit = "RMO cycles", .base = "RMO, write-back",
    .column = columns, .columns = COUNT(columns), .note = notes, .notes = COUNT(notes),
    .extra = extras, .extras = COUNT(extras),
    .counts_head = counts_head, .counts_foot = counts_foot, .count = counts, .counts = COUNT(counts), .split = &stalls, .splits = 1,
    .changed_head = "time of a changed machine over that of the unchanged one in the same order (write-back)",
    .changed = HD_TYPE_PREFETCH, .csv = csv, .csvs = COUNT(csv), .figure = figures, .figures = COUNT(figures),
    .claim = hd_ordering_claims, .claims = HD_ORDERING_CLAIMS};
