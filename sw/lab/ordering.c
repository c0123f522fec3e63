/* lab_ordering.c - see lab.h: what runs for the figures of paper 1, the tables, the figures. */
#include "ordering.h"
#include "run/configure.h"
#include "report/files.h"
#include "run/report.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GOOD = 0, FAILED = 1, REFUSED = 2, MAX_SETS = 3, PATTERN = 96 };

static const char *const order_name[HD_LAB_ORDERS] = {"rmo", "tso", "sc", "tso-sb", "sc-pf", "type"};

enum { /* sets of orders */
    ALL = (1 << HD_LAB_ORDERS) - 1,
    RMO_SC = 1 << HD_RMO | 1 << HD_SC,
    NAIVE = RMO_SC | 1 << HD_TSO,
    SHOWN = NAIVE | 1 << HD_TYPE, /* those of figure 9 */
    TYPE = 1 << HD_TYPE,
    WAITING = TYPE | 1 << HD_SC_PF /* those with waiting queues */
};

static const struct bench {
    const char *name, *workload, *param;
    bool quick;
    unsigned orders;
    double seconds;            /* CPU time of a reduced run, about */
} benches[HD_LAB_BENCHES] = {
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

enum which { FOURTEEN, EVERY, ONE };

static const struct variant {
    const char *name, *set[MAX_SETS];
    unsigned orders, quick;    /* of the tiers; of --quick */
    enum which which;
    enum hd_lab_bench bench;   /* of ONE */
    bool sensitivity;          /* only with --sensitivity */
} variants[HD_LAB_VARIANTS] = {
    [HD_WB] = {"write-back", {NULL}, ALL, ALL, EVERY, 0, false},
    [HD_WT] = {"write-through", {"l1=vi"}, SHOWN, 0, EVERY, 0, false},
    [HD_TYPE_PREFETCH] = {"type_prefetch", {"type_prefetch=true"}, TYPE, TYPE, EVERY, 0, false},
    [HD_MERGE_32] = {"merge_lanes 32", {"merge_lanes=32"}, ALL, NAIVE, ONE, HD_STREAMCLUSTER, false},
    [HD_UNIFIED] = {"unified_buffer", {"unified_buffer=true"}, 1 << HD_TSO_SB, 0, FOURTEEN, 0, false},
    [HD_UNSAFE_8] = {"unsafe_queue 8", {"unsafe_queue=8"}, TYPE, 0, EVERY, 0, true},
    [HD_UNSAFE_16] = {"unsafe_queue 16", {"unsafe_queue=16"}, TYPE, 0, EVERY, 0, true},
    [HD_WAIT_8] = {"wait_queue 8", {"wait_queue=8"}, WAITING, 0, EVERY, 0, true},
    [HD_WAIT_16] = {"wait_queue 16", {"wait_queue=16"}, WAITING, 0, EVERY, 0, true},
    [HD_QUEUES_16] = {"both queues 16", {"unsafe_queue=16", "wait_queue=16"}, TYPE, 0, EVERY, 0, true},
    [HD_MAC_2] = {"mac_entries 1024", {"mac_entries=1024"}, TYPE, 0, FOURTEEN, 0, true},
    [HD_TYPE_CACHE_2] = {"type_entries 128", {"type_entries=128"}, TYPE, 0, FOURTEEN, 0, true},
    [HD_MARKER_MERGE] = {"marker_merge", {"marker_merge=true"}, TYPE, 0, EVERY, 0, true},
    [HD_CREDIT_ISSUE] = {"credit_issue", {"credit_issue=true"}, WAITING, 0, EVERY, 0, true},
    [HD_THREE] = {"these and prefetch", {"credit_issue=true", "marker_merge=true", "type_prefetch=true"}, TYPE, 0, EVERY, 0,
                  true},
    [HD_SECTOR_4K] = {"sector_bytes 4096", {"sector_bytes=4096"}, TYPE, 0, EVERY, 0, true},
    [HD_SECTOR_64K] = {"sector_bytes 65536", {"sector_bytes=65536"}, TYPE, 0, EVERY, 0, true},
    [HD_LRR] = {"scheduler lrr", {"scheduler=lrr"}, NAIVE, 0, FOURTEEN, 0, true},
    [HD_SCOREBOARD_8] = {"scoreboard 8", {"scoreboard=8"}, RMO_SC, 0, FOURTEEN, 0, true},
};

const char *hd_lab_bench_name(enum hd_lab_bench b)
{
    return benches[b].name;
}

/* ---- the experiment ---------------------------------------------------------------------------------------------- */

/* The pattern of a point is "WORKLOAD key=value...". */
static void program(const struct hd_lab_point *p, struct hd_lab_program *to)
{
    char text[PATTERN], *rest = NULL;
    snprintf(text, sizeof text, "%s", p->pattern);
    to->workload = hd_workload_find(strtok_r(text, " ", &rest));
    for (char *word; to->params < HD_LAB_PARAMS && (word = strtok_r(NULL, " ", &rest));)
        snprintf(to->param[to->params++], sizeof to->param[0], "%.39s", word);
}

static double cost(const struct hd_lab_point *p)
{
    for (size_t b = HD_LAB_BENCHES; b-- > 0;)
        if (strncmp(p->pattern, benches[b].workload, strlen(benches[b].workload)) == 0
            && strstr(p->pattern, benches[b].param))
            return benches[b].seconds;
    return 1;
}

static const struct hd_lab_experiment ordering = {.name = "ordering", .program = program, .cost = cost};

struct lab {
    const struct hd_lab_orders *options;
    struct hd_lab_machine machine[HD_LAB_VARIANTS][HD_LAB_ORDERS];
    bool there[HD_LAB_VARIANTS][HD_LAB_ORDERS]; /* machines that can be configured */
    char pattern[HD_LAB_BENCHES][PATTERN];
    struct hd_lab_results results;
};

static bool has_key(const struct hd_config *c, const char *key)
{
    const char *name;
    for (size_t i = 0; (name = hd_config_key(c, i, (char[32]){0}, NULL)); i++)
        if (strcmp(name, key) == 0)
            return true;
    return false;
}

/* @return true when @only, a list with commas, is NULL or has @name. */
static bool listed(const char *only, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = only; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    return !only;
}

/* Every name of --only must be one of the fourteen. @return false after a message. */
static bool check_only(const struct hd_lab_orders *o)
{
    for (const char *at = o->only, *end; at; at = *end ? end + 1 : NULL) {
        bool found = false;
        end = at + strcspn(at, ",");
        for (size_t b = 0; b < HD_LAB_FOURTEEN; b++)
            found |= strlen(benches[b].name) == (size_t)(end - at)
                     && strncmp(benches[b].name, at, (size_t)(end - at)) == 0;
        if (found)
            continue;
        fprintf(stderr, "heddle: lab: --only %.*s: must be some of", (int)(end - at), at);
        for (size_t b = 0; b < HD_LAB_FOURTEEN; b++)
            fprintf(stderr, "%s %s", b ? "," : "", benches[b].name);
        fputc('\n', stderr);
        return false;
    }
    return true;
}

static bool planned(const struct hd_lab_orders *o, size_t v, size_t order, size_t b)
{
    const struct variant *x = &variants[v];
    bool quick = o->tier == HD_LAB_QUICK;
    bool has = x->which == EVERY || (x->which == FOURTEEN && b < HD_LAB_FOURTEEN)
               || (x->which == ONE && b == x->bench);
    unsigned orders = (quick && !x->sensitivity ? x->quick : x->orders) & benches[b].orders;
    return has && (orders >> order & 1) && (!x->sensitivity || o->sensitivity) && (!quick || benches[b].quick)
           && listed(o->only, benches[b].workload);
}

static bool any_planned(const struct hd_lab_orders *o)
{
    for (size_t b = 0; b < HD_LAB_BENCHES; b++)
        if (planned(o, HD_WB, HD_RMO, b))
            return true;
    fprintf(stderr, "heddle: lab: --quick runs none of --only %s; --reduced does\n", o->only);
    return false;
}

/* Configures the machines that are used; those of a variant that there is not yet are left out with a word. @return
 * false after a message. */
static bool configure(struct lab *l)
{
    const char *config = l->options->tier == HD_LAB_FULL ? "paper1" : "paper1-small";
    struct hd_config plain;
    if (hd_configure(&plain, config, NULL, 0) != 0)
        return false;
    bool through = has_key(&plain, "l1");
    if (!through && l->options->tier != HD_LAB_QUICK)
        fprintf(stderr, "lab: this build has no configuration key l1: write-through caches are left out\n");
    for (size_t b = 0; b < HD_LAB_BENCHES; b++)
        snprintf(l->pattern[b], PATTERN, "%s size=%s%s%s", benches[b].workload,
                 l->options->tier == HD_LAB_FULL ? "full" : "reduced", *benches[b].param ? " " : "", benches[b].param);
    for (size_t v = 0; v < HD_LAB_VARIANTS; v++)
        for (size_t o = 0; o < HD_LAB_ORDERS; o++) {
            char order[32];
            const char *set[MAX_SETS + 2] = {order, "stall_causes=true"};
            size_t sets = 2;
            bool used = false;
            for (size_t b = 0; b < HD_LAB_BENCHES; b++)
                used |= planned(l->options, v, o, b);
            if (!used || (v == HD_WT && !through))
                continue;
            snprintf(order, sizeof order, "order=%s", order_name[o]);
            for (size_t i = 0; i < MAX_SETS && variants[v].set[i]; i++)
                set[sets++] = variants[v].set[i];
            l->there[v][o] = hd_configure(&l->machine[v][o].config, config, set, sets) == 0;
            if (l->there[v][o])
                continue;
            if (v != HD_WT)
                return false;
            fprintf(stderr, "lab: write-through with order %s is left out\n", order_name[o]);
        }
    return true;
}

static bool build(struct lab *l)
{
    struct hd_lab_machine *list[HD_LAB_VARIANTS * HD_LAB_ORDERS];
    size_t n = 0;
    for (size_t v = 0; v < HD_LAB_VARIANTS; v++)
        for (size_t o = 0; o < HD_LAB_ORDERS; o++)
            if (l->there[v][o])
                list[n++] = &l->machine[v][o];
    return hd_lab_build_all(list, n, l->options->way.jobs);
}

/* Fetches counters of what was measured. @return false after a message. */
static bool fetch(struct hd_lab_cell *c, const struct hd_lab_point *p, struct hd_results *db)
{
    struct hd_results_key key = hd_lab_key(p);
    char *text = hd_results_counters(db, &key, &c->cpu_seconds);
    c->cycles = p->value;
    c->counters = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    if (!c->counters)
        fprintf(stderr, "heddle: lab: the run of %s is missing in the database\n", p->pattern);
    return c->counters != NULL;
}

static int measure(struct lab *l)
{
    enum { MOST = HD_LAB_VARIANTS * HD_LAB_ORDERS * HD_LAB_BENCHES };
    struct hd_lab_point *points = calloc(MOST, sizeof *points);
    struct hd_lab_cell **cells = calloc(MOST, sizeof *cells);
    size_t n = 0;
    if (!points || !cells) {
        fprintf(stderr, "heddle: no memory\n");
        free(points);
        free(cells);
        return REFUSED;
    }
    for (size_t v = 0; v < HD_LAB_VARIANTS; v++)
        for (size_t b = 0; b < HD_LAB_BENCHES; b++)
            for (size_t o = 0; o < HD_LAB_ORDERS; o++) {
                if (!l->there[v][o] || !planned(l->options, v, o, b))
                    continue;
                cells[n] = &l->results.cell[v][o][b];
                cells[n]->planned = true;
                points[n++] = (struct hd_lab_point){.experiment = &ordering, .machine = &l->machine[v][o],
                                                    .pattern = l->pattern[b]};
            }
    int code = hd_lab_measure(points, n, &l->options->way);
    struct hd_results *db = code == GOOD ? hd_results_open(l->options->way.db) : NULL;
    if (code == GOOD && !db)
        code = REFUSED;
    for (size_t i = 0; code == GOOD && i < n; i++)
        if (!fetch(cells[i], &points[i], db))
            code = REFUSED;
    hd_results_close(db);
    free(points);
    free(cells);
    return code;
}

/* ---- reading the results ----------------------------------------------------------------------------------------- */

double hd_lab_against(const struct hd_lab_results *r, enum hd_lab_variant v, enum hd_lab_order o, enum hd_lab_variant v2,
                      enum hd_lab_order o2, enum hd_lab_bench b)
{
    uint64_t one = r->cell[v][o][b].cycles, other = r->cell[v2][o2][b].cycles;
    return one && other ? (double)one / (double)other : NAN;
}

double hd_lab_time(const struct hd_lab_results *r, enum hd_lab_variant v, enum hd_lab_order o, enum hd_lab_bench b)
{
    return hd_lab_against(r, v, o, HD_WB, HD_RMO, b);
}

double hd_lab_mean(const struct hd_lab_results *r, enum hd_lab_variant v, enum hd_lab_order o, enum hd_lab_variant v2,
                   enum hd_lab_order o2, enum hd_lab_bench without)
{
    double sum = 0;
    unsigned n = 0;
    for (enum hd_lab_bench b = 0; b < HD_LAB_FOURTEEN; b++)
        if (b != without) {
            sum += log(hd_lab_against(r, v, o, v2, o2, b));
            n++;
        }
    return exp(sum / n);
}

double hd_lab_count(const struct hd_lab_cell *c, const char *counter)
{
    return (double)json_integer_value(json_object_get(c->counters, counter));
}

double hd_lab_share(const struct hd_lab_cell *c, const char *counter)
{
    double all = hd_lab_count(c, "l1.hit") + hd_lab_count(c, "l1.miss") + hd_lab_count(c, "l1.merge");
    return all > 0 ? hd_lab_count(c, counter) / all : NAN;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static void number(double x, int width, int digits)
{
    if (isnan(x))
        printf("%*s", width, "-");
    else
        printf("%*.*f", width, digits, x);
}

/* A column of a table or series of a figure. */
struct column {
    enum hd_lab_variant variant;
    enum hd_lab_order order;
    const char *title;
};

static const struct column columns[] = {
    {HD_WB, HD_TSO, "tso"}, {HD_WB, HD_TSO_SB, "tso-sb"}, {HD_WB, HD_SC, "sc"}, {HD_WB, HD_SC_PF, "sc-pf"},
    {HD_WB, HD_TYPE, "type"}, {HD_TYPE_PREFETCH, HD_TYPE, "type+"}, {HD_WT, HD_RMO, "wt rmo"},
    {HD_WT, HD_TSO, "wt tso"}, {HD_WT, HD_SC, "wt sc"}, {HD_WT, HD_TYPE, "wt type"},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static void print_times(const struct lab *l)
{
    const struct hd_lab_results *r = &l->results;
    size_t shown = COLUMNS;
    while (shown > 0 && !l->there[columns[shown - 1].variant][columns[shown - 1].order])
        shown--;
    printf("time over that of RMO with write-back caches\n%-16s%12s", "", "RMO cycles");
    for (size_t i = 0; i < shown; i++)
        printf("%9s", columns[i].title);
    printf("\n");
    for (enum hd_lab_bench b = 0; b < HD_LAB_BENCHES; b++) {
        char text[32];
        if (b == HD_LAB_FOURTEEN && l->options->tier != HD_LAB_QUICK && !l->options->only) {
            printf("%-28s", "geometric mean of the 14");
            for (size_t i = 0; i < shown; i++)
                number(hd_lab_mean(r, columns[i].variant, columns[i].order, HD_WB, HD_RMO, HD_LAB_BENCHES), 9, 2);
            printf("\n");
        }
        if (!r->cell[HD_WB][HD_RMO][b].planned)
            continue;
        printf("%-16s%12s", benches[b].name, hd_report_grouped(r->cell[HD_WB][HD_RMO][b].cycles, text));
        for (size_t i = 0; i < shown; i++)
            number(hd_lab_time(r, columns[i].variant, columns[i].order, b), 9, 2);
        printf("\n");
    }
    if (l->there[HD_TYPE_PREFETCH][HD_TYPE])
        printf("type+: not of the paper: the line of an access is fetched while its type is asked for (type_prefetch)\n");
    uint64_t few = r->cell[HD_MERGE_32][HD_RMO][HD_STREAMCLUSTER].cycles;
    if (few > 0) {
        char text[32];
        printf("%-16s%12s", "streamcluster*", hd_report_grouped(few, text));
        for (size_t i = 0; i < shown && columns[i].variant == HD_WB; i++)
            number(hd_lab_against(r, HD_MERGE_32, columns[i].order, HD_MERGE_32, HD_RMO, HD_STREAMCLUSTER), 9, 2);
        printf("\n* 32 lanes a miss entry, in RMO too; the others have 1024\n");
    }
}

static double miss(const struct hd_lab_cell *c)
{
    return 100 * hd_lab_share(c, "l1.miss");
}

static double merged(const struct hd_lab_cell *c)
{
    return 100 * hd_lab_share(c, "l1.merge");
}

/* Cycles in which an SM has a memory operation to issue and its memory pipe takes none, of all its cycles. */
static double stalled(const struct hd_lab_cell *c, unsigned sms)
{
    return c->counters ? 100 * hd_lab_count(c, "sm.stall_pipe") / ((double)c->cycles * sms) : NAN;
}

/* Thousands of flits that SMs sent and received. */
static double flits(const struct hd_lab_cell *c)
{
    return c->counters ? (hd_lab_count(c, "link.sm_xbar") + hd_lab_count(c, "link.xbar_sm")) / 1000 : NAN;
}

/* What counters say about the times. */
static void print_causes(const struct lab *l)
{
    unsigned sms = l->machine[HD_WB][HD_RMO].config.sms;
    printf("\nwhat the counters say (write-back)\n%-15s%18s%18s%24s%21s%24s\n%-15s", "", "misses %", "merged %",
           "pipe stalled %", "flits, thousands", "type-aware SC", "");
    printf("   rmo    sc  type   rmo    sc  type   rmo    sc sc-pf  type    rmo     sc   type unsafe %% markers %% asked\n");
    for (size_t b = 0; b < HD_LAB_BENCHES; b++) {
        const struct hd_lab_cell *rmo = &l->results.cell[HD_WB][HD_RMO][b], *sc = &l->results.cell[HD_WB][HD_SC][b];
        const struct hd_lab_cell *pf = &l->results.cell[HD_WB][HD_SC_PF][b], *type = &l->results.cell[HD_WB][HD_TYPE][b];
        if (!rmo->counters)
            continue;
        double unsafe = hd_lab_count(type, "order.unsafe"), sorted = unsafe + hd_lab_count(type, "order.safe");
        printf("%-15s", benches[b].name);
        number(miss(rmo), 6, 1);
        number(miss(sc), 6, 1);
        number(miss(type), 6, 1);
        number(merged(rmo), 6, 1);
        number(merged(sc), 6, 1);
        number(merged(type), 6, 1);
        number(stalled(rmo, sms), 6, 1);
        number(stalled(sc, sms), 6, 1);
        number(stalled(pf, sms), 6, 1);
        number(stalled(type, sms), 6, 1);
        number(flits(rmo), 7, 0);
        number(flits(sc), 7, 0);
        number(flits(type), 7, 0);
        number(100 * unsafe / sorted, 9, 0);
        number(100 * hd_lab_count(type, "order.marker") / sorted, 10, 0);
        number(hd_lab_count(type, "order.type_request"), 6, 0);
        printf("\n");
    }
    printf("misses, merged: of the accesses an L1 took, those that took a miss entry, and those that joined one; pipe\n"
           "stalled: of the cycles of an SM, those in which warps could issue memory operations and the pipe took none; flits\n"
           "of the SMs; unsafe, markers: of the accesses that type-aware SC sorted; asked: requests to the classifiers\n");
}

/* hd_stall_e of a warp in its slot, in the order in which they are shown. */
static const struct cause {
    const char *counter, *title, *words;
} causes[] = {
    {"stall.none_issued", "issued", "issued"},
    {"stall.front", "front", "next operation on its way"},
    {"stall.select", "select", "another warp issued"},
    {"stall.data", "data", "waits for a value"},
    {"stall.data_queued", "queued", "waits for a value, accesses queued"},
    {"stall.order", "order", "earlier accesses first"},
    {"stall.sync", "sync", "fence, barrier, exit: earlier ones first"},
    {"stall.barrier", "barrier", "waits for partners"},
    {"stall.pipe", "pipe", "memory pipe full"},
    {"stall.slots", "slots", "scoreboard full"},
    {"stall.hold", "hold", "waiting queue full"},
};
enum { CAUSES = sizeof causes / sizeof causes[0] };

/* Warp-cycles of a cause, of 100 of RMO's. */
static double waited(const struct lab *l, enum hd_lab_order o, enum hd_lab_bench b, size_t cause)
{
    const struct hd_lab_cell *c = &l->results.cell[HD_WB][o][b], *rmo = &l->results.cell[HD_WB][HD_RMO][b];
    double all = 0;
    for (size_t i = 0; i < CAUSES; i++)
        all += hd_lab_count(rmo, causes[i].counter);
    return c->counters && all > 0 ? 100 * hd_lab_count(c, causes[cause].counter) / all : NAN;
}

static const enum hd_lab_order stall_orders[] = {HD_RMO, HD_SC, HD_TYPE};
enum { STALL_ORDERS = sizeof stall_orders / sizeof stall_orders[0] };

static void print_stalls(const struct lab *l)
{
    printf("\nwhat warps do (write-back): warp-cycles by cause, of 100 of RMO's; each has one cause\n%-21s", "");
    for (size_t i = 0; i < CAUSES; i++)
        printf("%8s", causes[i].title);
    printf("%8s\n", "all");
    for (enum hd_lab_bench b = 0; b < HD_LAB_FOURTEEN; b++)
        for (size_t o = 0; o < STALL_ORDERS; o++) {
            double all = 0;
            if (!l->results.cell[HD_WB][stall_orders[o]][b].counters)
                continue;
            printf("%-15s%-6s", o == 0 ? benches[b].name : "", order_name[stall_orders[o]]);
            for (size_t i = 0; i < CAUSES; i++) {
                double x = waited(l, stall_orders[o], b, i);
                all += x;
                number(x, 8, 1);
            }
            number(all, 8, 1);
            printf("\n");
        }
    for (size_t i = 0; i < CAUSES; i++)
        printf("%s%s: %s", i == 0 ? "" : i % 3 == 0 ? ";\n" : "; ", causes[i].title, causes[i].words);
    printf("\n");
}

/* A changed machine against the plain one. */
static void print_sensitivity(const struct lab *l)
{
    const struct hd_lab_results *r = &l->results;
    bool head = false;
    for (enum hd_lab_variant v = HD_TYPE_PREFETCH; v < HD_LAB_VARIANTS; v++)
        for (enum hd_lab_order o = 0; o < HD_LAB_ORDERS; o++) {
            enum hd_lab_bench least = HD_LAB_BENCHES, most = HD_LAB_BENCHES;
            for (enum hd_lab_bench b = 0; b < HD_LAB_BENCHES; b++) {
                double x = hd_lab_against(r, v, o, HD_WB, o, b);
                if (isnan(x))
                    continue;
                if (least == HD_LAB_BENCHES || x < hd_lab_against(r, v, o, HD_WB, o, least))
                    least = b;
                if (most == HD_LAB_BENCHES || x > hd_lab_against(r, v, o, HD_WB, o, most))
                    most = b;
            }
            if (least == HD_LAB_BENCHES)
                continue;
            if (!head)
                printf("\ntime of a changed machine over that of the unchanged one in the same order (write-back)\n"
                       "%-20s%-8s%15s   %-24s%s\n", "", "order", "mean of the 14", "least", "most");
            head = true;
            printf("%-20s%-8s", variants[v].name, order_name[o]);
            number(hd_lab_mean(r, v, o, HD_WB, o, HD_LAB_BENCHES), 15, 3);
            printf("   %5.2f %-18s%5.2f %s\n", hd_lab_against(r, v, o, HD_WB, o, least), benches[least].name,
                   hd_lab_against(r, v, o, HD_WB, o, most), benches[most].name);
        }
}

/* Prints @text in lines of WIDTH, those after the first indented. */
static void wrap(const char *label, const char *text)
{
    enum { INDENT = 18, WIDTH = 118 };
    int at = printf("      %-*s", INDENT - 7, label);
    while (*text) {
        int n = (int)strcspn(text, " ");
        if (at + 1 + n > WIDTH)
            at = printf("\n%*s", INDENT - 1, "") - 1;
        at += printf(" %.*s", n, text);
        text += n + (text[n] == ' ');
    }
    printf("\n");
}

static void print_claims(const struct lab *l)
{
    const struct hd_lab_claim *c;
    size_t n = hd_lab_claims(&l->results, &c);
    printf("\nclaims of the paper\n");
    for (size_t i = 0; i < n; i++) {
        bool open = c[i].verdict == HD_LAB_OPEN;
        printf("%-5s %s: %s\n", c[i].number, c[i].claim,
               open ? c[i].ours : c[i].verdict == HD_LAB_HOLDS ? "holds" : "DOES NOT HOLD");
        if (open)
            continue;
        wrap("paper", c[i].paper);
        wrap("here", c[i].ours);
        wrap("criterion", c[i].criterion);
    }
}

static void totals(const struct lab *l, unsigned *runs, double *cpu_seconds)
{
    *runs = 0;
    *cpu_seconds = 0;
    for (size_t v = 0; v < HD_LAB_VARIANTS; v++)
        for (size_t o = 0; o < HD_LAB_ORDERS; o++)
            for (size_t b = 0; b < HD_LAB_BENCHES; b++) {
                const struct hd_lab_cell *c = &l->results.cell[v][o][b];
                *runs += c->cycles != 0;
                *cpu_seconds += c->cpu_seconds;
            }
}

static void print_text(const struct lab *l)
{
    const struct hd_config *c = &l->machine[HD_WB][HD_RMO].config;
    unsigned runs;
    double seconds;
    totals(l, &runs, &seconds);
    printf("ordering on %s: %u SMs, %u L2 partitions, size %s; %u runs, %.0f CPU s\n\n", c->name, c->sms, c->partitions,
           l->options->tier == HD_LAB_FULL ? "full" : "reduced", runs, seconds);
    print_times(l);
    print_causes(l);
    print_stalls(l);
    print_sensitivity(l);
    print_claims(l);
}

static bool print_json(const struct lab *l)
{
    json_t *all = json_object(), *runs = json_array(), *claims = json_array();
    const struct hd_lab_claim *c;
    size_t n = hd_lab_claims(&l->results, &c);
    for (size_t v = 0; v < HD_LAB_VARIANTS; v++)
        for (size_t o = 0; o < HD_LAB_ORDERS; o++)
            for (size_t b = 0; b < HD_LAB_BENCHES; b++) {
                const struct hd_lab_cell *x = &l->results.cell[v][o][b];
                double time = hd_lab_time(&l->results, v, o, b);
                if (x->cycles)
                    json_array_append_new(runs, json_pack("{sssssssIsosO}", "machine", variants[v].name, "order",
                                                          order_name[o], "benchmark", benches[b].name, "cycles",
                                                          (json_int_t)x->cycles, "time",
                                                          isnan(time) ? json_null() : json_real(time), "counters",
                                                          x->counters));
            }
    for (size_t i = 0; i < n; i++)
        json_array_append_new(claims, json_pack("{sssssssssssO}", "number", c[i].number, "claim", c[i].claim, "paper",
                                                c[i].paper, "ours", c[i].ours, "criterion", c[i].criterion, "holds",
                                                c[i].verdict == HD_LAB_HOLDS   ? json_true()
                                                : c[i].verdict == HD_LAB_FAILS ? json_false()
                                                                               : json_null()));
    json_object_set_new(all, "config", json_string(l->machine[HD_WB][HD_RMO].config.name));
    json_object_set_new(all, "size", json_string(l->options->tier == HD_LAB_FULL ? "full" : "reduced"));
    json_object_set_new(all, "runs", runs);
    json_object_set_new(all, "claims", claims);
    bool good = json_dumpf(all, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6)) == 0;
    json_decref(all);
    return putchar('\n') != EOF && good;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* Every run, a line each, with its counters of the L1. */
static bool write_runs(const struct lab *l)
{
    static const char *const counters[] = {"l1.hit", "l1.miss", "l1.merge", "l1.reject_entry", "l1.reject_merge",
                                           "l1.reject_line", "order.safe", "order.unsafe", "order.marker",
                                           "order.type_request", "mac.invalidation"};
    enum { N = sizeof counters / sizeof counters[0] };
    FILE *f = hd_files_open_in(l->options->out, "ordering.csv");
    if (!f)
        return false;
    fprintf(f, "machine,order,benchmark,cycles,time");
    for (size_t i = 0; i < N; i++)
        fprintf(f, ",%s", counters[i]);
    fputc('\n', f);
    for (size_t v = 0; v < HD_LAB_VARIANTS; v++)
        for (size_t b = 0; b < HD_LAB_BENCHES; b++)
            for (size_t o = 0; o < HD_LAB_ORDERS; o++) {
                const struct hd_lab_cell *c = &l->results.cell[v][o][b];
                if (!c->cycles)
                    continue;
                fprintf(f, "%s,%s,\"%s\",%llu,%.4f", variants[v].name, order_name[o], benches[b].name,
                        (unsigned long long)c->cycles, hd_lab_time(&l->results, v, o, b));
                for (size_t i = 0; i < N; i++)
                    fprintf(f, ",%.0f", hd_lab_count(c, counters[i]));
                fputc('\n', f);
            }
    return fclose(f) == 0;
}

static const struct figure {
    const char *name, *title;
    size_t series;
    struct column column[HD_LAB_SERIES];
} figures[] = {
    {"figure6", "Figure 6: write-back caches, GTO", 5,
     {{HD_WB, HD_TSO, "TSO"}, {HD_WB, HD_TSO_SB, "TSO, store buffer"}, {HD_WB, HD_SC, "SC"},
      {HD_WB, HD_TYPE, "SC, type-aware"}, {HD_TYPE_PREFETCH, HD_TYPE, "... fetching while it asks (ours)"}}},
    {"figure8", "Figure 8: prefetching under SC, write-back caches, GTO", 2,
     {{HD_WB, HD_SC, "SC"}, {HD_WB, HD_SC_PF, "SC, prefetching"}}},
    {"figure9", "Figure 9: write-through caches, GTO", 4,
     {{HD_WT, HD_RMO, "RMO"}, {HD_WT, HD_TSO, "TSO"}, {HD_WT, HD_SC, "SC"}, {HD_WT, HD_TYPE, "SC, type-aware"}}},
};
enum { FIGURES = sizeof figures / sizeof figures[0] };

/* RMO, SC and type-aware SC of each benchmark as bars of causes. */
static bool write_stalls(const struct lab *l)
{
    struct hd_lab_bars bars = {.corner = "benchmark", .what = "warp-cycles, of 100 of RMO", .stacked = true, .mark = " sc",
                               .series = CAUSES};
    char names[HD_LAB_GROUPS][32], title[160];
    for (size_t i = 0; i < CAUSES; i++)
        bars.title[i] = causes[i].words;
    for (enum hd_lab_bench b = 0; b < HD_LAB_FOURTEEN; b++) {
        if (!l->results.cell[HD_WB][HD_RMO][b].counters)
            continue;
        for (size_t o = 0; o < STALL_ORDERS; o++) {
            snprintf(names[bars.groups], sizeof names[0], "%s %s", benches[b].name, order_name[stall_orders[o]]);
            bars.group[bars.groups] = names[bars.groups];
            for (size_t i = 0; i < CAUSES; i++)
                bars.value[bars.groups][i] = waited(l, stall_orders[o], b, i);
            bars.groups++;
        }
        bars.group[bars.groups] = "";
        for (size_t i = 0; i < CAUSES; i++)
            bars.value[bars.groups][i] = NAN;
        bars.groups++;
    }
    bars.groups -= bars.groups > 0; /* no gap at the end */
    snprintf(title, sizeof title, "What warps do under RMO, SC and type-aware SC: write-back, GTO; %u SMs, %s size", l->machine[HD_WB][HD_RMO].config.sms,
             l->options->tier == HD_LAB_FULL ? "full" : "reduced");
    return bars.groups == 0 || hd_lab_write_bars(&bars, l->options->out, "ordering-stalls", title);
}

static bool write_files(const struct lab *l)
{
    const struct hd_lab_results *r = &l->results;
    const struct hd_config *c = &l->machine[HD_WB][HD_RMO].config;
    for (size_t i = 0; i < FIGURES; i++) {
        const struct figure *f = &figures[i];
        struct hd_lab_bars bars = {.corner = "benchmark", .what = "time over RMO, write-back", .series = f->series};
        char name[40], title[160];
        size_t bar_runs = 0;
        for (enum hd_lab_bench b = 0; b < HD_LAB_FOURTEEN; b++) {
            if (!r->cell[HD_WB][HD_RMO][b].cycles)
                continue;
            for (size_t s = 0; s < f->series; s++) {
                bars.value[bars.groups][s] = hd_lab_time(r, f->column[s].variant, f->column[s].order, b);
                bar_runs += !isnan(bars.value[bars.groups][s]);
            }
            bars.group[bars.groups++] = benches[b].name;
        }
        if (bar_runs == 0)
            continue;
        for (size_t s = 0; s < f->series; s++) {
            bars.title[s] = f->column[s].title;
            bars.value[bars.groups][s] = hd_lab_mean(r, f->column[s].variant, f->column[s].order, HD_WB, HD_RMO,
                                                     HD_LAB_BENCHES);
        }
        bars.group[bars.groups] = "geometric mean";
        bars.groups += bars.groups == HD_LAB_FOURTEEN;
        snprintf(name, sizeof name, "ordering-%s", f->name);
        snprintf(title, sizeof title, "%s; %u SMs, %s size", f->title, c->sms,
                 l->options->tier == HD_LAB_FULL ? "full" : "reduced");
        if (!hd_lab_write_bars(&bars, l->options->out, name, title))
            return false;
    }
    return write_stalls(l) && write_runs(l);
}

int hd_lab_ordering(const struct hd_lab_orders *options)
{
    struct lab *l = calloc(1, sizeof *l);
    if (!l) {
        fprintf(stderr, "heddle: no memory\n");
        return REFUSED;
    }
    l->options = options;
    bool ready = check_only(options) && any_planned(options) && configure(l);
    struct hd_results *db = ready ? hd_results_open(options->way.db) : NULL; /* refused before models are built */
    hd_results_close(db);
    int code = db && build(l) ? measure(l) : REFUSED;
    if (code == GOOD && !write_files(l))
        code = REFUSED;
    if (code == GOOD && !options->json)
        print_text(l);
    else if (code == GOOD && !print_json(l))
        code = REFUSED;
    for (size_t v = 0; v < HD_LAB_VARIANTS; v++)
        for (size_t o = 0; o < HD_LAB_ORDERS; o++)
            for (size_t b = 0; b < HD_LAB_BENCHES; b++)
                json_decref(l->results.cell[v][o][b].counters);
    free(l);
    return code;
}
