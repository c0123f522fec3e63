/* bench.c - see bench.h: the table of experiments and their runner.
 *
 * A group compares two ways (A, B) of simulating the same runs. All runs of a group are interleaved: every row's A and
 * B, then all of them again; so a host that slows down for a while slows both. Time is taken around the cycles only. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"
#include "run/configure.h"
#include "report/files.h"
#include "run/report.h"
#include "run/run.h"
#include <stdlib.h>
#include <string.h>

enum { GOOD = 0, FAILED = 1, REFUSED = 2 };

const struct hd_bench_group_info hd_bench_groups[HD_BENCH_GROUPS] = {
    [HD_BENCH_FLAT] = {"flat", "composed tiles against the chip in one model (4 SMs, 2 partitions)", "paper1-small",
                       {{"flat", {"flat=true"}}, {"composed", {NULL}}}, false, NULL},
    [HD_BENCH_SKIP] = {"skip", "idle tiles evaluated or left out (4 SMs)", "paper1-small",
                       {{"all edges", {"skip_idle=false"}}, {"skipping", {NULL}}}, false, NULL},
    [HD_BENCH_WINDOW] = {"window", "tiles run cycle by cycle or for a whole window (4 SMs)", "paper1-small",
                         {{"window=1", {"window=1"}}, {"window=0", {NULL}}}, false, NULL},
    [HD_BENCH_THREADS] = {"threads", "one thread against two (16 SMs), wall time", "paper1",
                          {{"1 thread", {"threads=1"}}, {"2 threads", {"threads=2"}}}, true, "threads"},
    [HD_BENCH_CHECKED] = {"checked", "checked builds with the memory-model checker against fast ones (4 SMs)",
                          "paper1-small", {{"checked", {"ghost_bits=32"}}, {"fast", {NULL}}}, false, NULL},
    [HD_BENCH_SCALING] = {"scaling", "weak scaling: the same work for each SM", "paper1", {{"", {NULL}}}, false, NULL},
    [HD_BENCH_RACY] = {"racy", "racy tester, checked (configs/litmus.cfg)", "litmus",
                       {{"", {"ghost_bits=32"}}}, false, NULL},
    [HD_BENCH_MESH] = {"mesh", "15 SMs and 16 L2 banks on a 4x4 mesh: cycle by cycle or for the window of its links, 2 cycles",
                       "paper3", {{"window=1", {"window=1"}}, {"window=0", {NULL}}}, false, NULL},
    [HD_BENCH_HOPS] = {"hops", "the same mesh with longer links, so larger windows", "paper3",
                       {{"", {"coherence=dd"}}, {NULL}}, false, NULL},
    [HD_BENCH_DRF] = {"drf", "data-race-free tester, checked (configs/litmus.cfg)", "litmus",
                      {{"", {"ghost_bits=32"}}}, false, NULL},
    [HD_BENCH_EPISODES] = {"episodes", "the same tester as gem5's is: 32 lanes, episodes of 100 loads and stores between the atomics of a lock",
                           "litmus",
                           {{"", {"ghost_bits=32", "sms=2", "lanes=32", "line_bytes=64", "scoreboard=8", "merge_lanes=256",
                                  "mshr_targets=64"}}}, false, NULL},
    [HD_BENCH_SPLIT] = {"split", "where the time goes (4 SMs), percent", "paper1-small", {{"", {NULL}}}, false, NULL},
};

#define SMS(group, work, n, parts, quick) \
    {group, work, {"nk=64", "pitch=1024"}, {quick, "pitch=1024"}, {"sms=" #n, "partitions=" #parts}}

#define LINKS(work, full, quick, n)                                                                                      \
    {HD_BENCH_HOPS, work, {full}, {quick},                                                                               \
     {"lat_hop=" #n, "lat_sm_xbar=" #n, "lat_xbar_l2=" #n, "lat_l2_xbar=" #n, "lat_xbar_sm=" #n, "lat_credit=" #n,         \
      "lat_dispatch=" #n}}

#define EPISODES(coherence)                                                                                           \
    {HD_BENCH_EPISODES, "drf", {"episodes=16", "length=100", "flight=8", "locks=256", "warps=4", "locations=1", "atomics=0"}, \
     {"episodes=2", "length=100", "flight=8", "locks=256", "warps=4", "locations=1", "atomics=0"}, {coherence}}

static const struct hd_bench_row rows[] = {
    {HD_BENCH_FLAT, "gemm", {"nk=128"}, {"nk=16"}, {NULL}},
    {HD_BENCH_FLAT, "chase", {"warps=2", "length=512"}, {"warps=2", "length=64"}, {NULL}},
    {HD_BENCH_FLAT, "stream", {"items=128"}, {"items=16"}, {NULL}},
    {HD_BENCH_FLAT, "spinlock", {"warps=8", "rounds=16"}, {"warps=8", "rounds=2"}, {NULL}},
    {HD_BENCH_SKIP, "gemm", {"nk=192"}, {"nk=16"}, {NULL}},
    {HD_BENCH_SKIP, "chase", {"warps=2", "length=2048"}, {"warps=2", "length=256"}, {NULL}},
    {HD_BENCH_SKIP, "stream", {"items=256"}, {"items=16"}, {NULL}},
    {HD_BENCH_SKIP, "spinlock", {"warps=8", "rounds=32"}, {"warps=8", "rounds=4"}, {NULL}},
    {HD_BENCH_WINDOW, "gemm", {"nk=192"}, {"nk=16"}, {NULL}},
    {HD_BENCH_WINDOW, "chase", {"warps=2", "length=4096"}, {"warps=2", "length=512"}, {NULL}},
    {HD_BENCH_WINDOW, "stream", {"items=256"}, {"items=16"}, {NULL}},
    {HD_BENCH_WINDOW, "spinlock", {"warps=8", "rounds=64"}, {"warps=8", "rounds=8"}, {NULL}},
    {HD_BENCH_THREADS, "gemm", {"nk=64"}, {"nk=8"}, {NULL}},
    {HD_BENCH_THREADS, "chase", {"warps=2", "length=2048"}, {"warps=2", "length=256"}, {NULL}},
    {HD_BENCH_THREADS, "stream", {"items=64"}, {"items=8"}, {NULL}},
    {HD_BENCH_THREADS, "spinlock", {"warps=2", "rounds=8"}, {"warps=2", "rounds=2"}, {NULL}},
    {HD_BENCH_CHECKED, "gemm", {"nk=96"}, {"nk=12"}, {NULL}},
    {HD_BENCH_CHECKED, "chase", {"warps=2", "length=4096"}, {"warps=2", "length=512"}, {NULL}},
    {HD_BENCH_CHECKED, "stream", {"items=128"}, {"items=16"}, {NULL}},
    {HD_BENCH_CHECKED, "spinlock", {"warps=8", "rounds=64"}, {"warps=8", "rounds=8"}, {NULL}},
    SMS(HD_BENCH_SCALING, "gemm", 1, 1, "nk=8"),
    SMS(HD_BENCH_SCALING, "gemm", 2, 1, "nk=8"),
    SMS(HD_BENCH_SCALING, "gemm", 4, 2, "nk=8"),
    SMS(HD_BENCH_SCALING, "gemm", 8, 4, "nk=8"),
    SMS(HD_BENCH_SCALING, "gemm", 16, 8, "nk=8"),
    SMS(HD_BENCH_SCALING, "gemm", 32, 16, "nk=8"),
    {HD_BENCH_RACY, "racy", {"ops=1500"}, {"ops=150"}, {NULL}},
    {HD_BENCH_MESH, "gemm", {"nk=32"}, {"nk=4"}, {"coherence=gd"}},
    {HD_BENCH_MESH, "gemm", {"nk=32"}, {"nk=4"}, {"coherence=dd"}},
    {HD_BENCH_MESH, "bfs", {NULL}, {NULL}, {"coherence=gd"}},
    {HD_BENCH_MESH, "bfs", {NULL}, {NULL}, {"coherence=dd"}},
    {HD_BENCH_MESH, "srad", {NULL}, {NULL}, {"coherence=gd"}},
    {HD_BENCH_MESH, "srad", {NULL}, {NULL}, {"coherence=dd"}},
    {HD_BENCH_MESH, "lavamd", {NULL}, {NULL}, {"coherence=gd"}},
    {HD_BENCH_MESH, "lavamd", {NULL}, {NULL}, {"coherence=dd"}},
    {HD_BENCH_MESH, "chase", {"warps=1", "length=1024"}, {"warps=1", "length=64"}, {"coherence=gd"}},
    {HD_BENCH_MESH, "chase", {"warps=1", "length=1024"}, {"warps=1", "length=64"}, {"coherence=dd"}},
    LINKS("gemm", "nk=32", "nk=4", 2),
    LINKS("gemm", "nk=32", "nk=4", 4),
    LINKS("gemm", "nk=32", "nk=4", 8),
    {HD_BENCH_DRF, "drf", {"episodes=32"}, {"episodes=4"}, {"coherence=gd"}},
    {HD_BENCH_DRF, "drf", {"episodes=32"}, {"episodes=4"}, {"coherence=dd"}},
    EPISODES("coherence=gd"),
    EPISODES("coherence=gh"),
    EPISODES("coherence=dd"),
    EPISODES("coherence=dd-ro"),
    EPISODES("coherence=dh"),
    {HD_BENCH_SPLIT, "gemm", {"nk=192"}, {"nk=16"}, {NULL}},
    {HD_BENCH_SPLIT, "chase", {"warps=2", "length=4096"}, {"warps=2", "length=512"}, {NULL}},
    {HD_BENCH_SPLIT, "stream", {"items=256"}, {"items=16"}, {NULL}},
    {HD_BENCH_SPLIT, "spinlock", {"warps=8", "rounds=64"}, {"warps=8", "rounds=8"}, {NULL}},
    {HD_BENCH_SPLIT, "gemm", {"nk=64"}, {"nk=8"}, {"ghost_bits=32"}},
};
enum { ROWS = sizeof rows / sizeof rows[0] };
_Static_assert((int)ROWS <= (int)HD_BENCH_MAX, "HD_BENCH_MAX is too small");

struct arguments {
    bool quick;
    const char *json, *out;
    bool some, only[HD_BENCH_GROUPS]; /* --only: some groups, these */
};

/* ---- one run ------------------------------------------------------------------------------------------------ */

static bool has_key(const char *key)
{
    struct hd_config c;
    char buffer[32];
    const char *name, *value;

    hd_config_default(&c);
    for (size_t i = 0; (name = hd_config_key(&c, i, buffer, &value)); i++)
        if (strcmp(name, key) == 0)
            return true;
    return false;
}

static size_t words(const char *const *list)
{
    size_t n = 0;
    while (n < HD_BENCH_WORDS && list[n])
        n++;
    return n;
}

/* Configuration and models of a side. @return false after a message. */
static bool prepare(const struct hd_bench_row *row, const struct hd_bench_way *way, struct hd_bench_side *s)
{
    const char *set[2 * HD_BENCH_WORDS];
    size_t n = 0;

    for (size_t i = 0; i < words(way->set); i++)
        set[n++] = way->set[i];
    for (size_t i = 0; i < words(row->set); i++)
        set[n++] = row->set[i];
    return hd_configure(&s->config, hd_bench_groups[row->group].config, set, n) == 0
           && hd_models_get(&s->config, false, &s->models);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void statistics(struct hd_bench_side *s)
{
    double sorted[HD_BENCH_REPEATS];

    memcpy(sorted, s->seconds, sizeof sorted);
    qsort(sorted, s->runs, sizeof sorted[0], by_value);
    s->median = (sorted[(s->runs - 1) / 2] + sorted[s->runs / 2]) / 2;
    s->spread = s->median > 0 ? (sorted[s->runs - 1] - sorted[0]) / s->median : 0;
}

/* @return the exit code. */
static int run(const struct hd_bench_row *row, const struct arguments *a, struct hd_bench_side *s)
{
    const struct hd_bench_group_info *g = &hd_bench_groups[row->group];
    const char *const *params = a->quick ? row->quick : row->full;
    struct hd_profile profile;
    s->config.profile = row->group == HD_BENCH_SPLIT ? &profile : NULL;
    struct hd_run_options o = {.config = &s->config, .workload = hd_workload_find(row->workload), .params = params,
                               .num_params = words(params), .seed = 1, .models = &s->models};
    struct hd_result r;
    int code = hd_run(&o, &r);
    if (code == GOOD && !hd_result_good(&r)) {
        hd_report_failed(&r);
        code = FAILED;
    }
    if (code == GOOD) {
        s->seconds[s->runs++] = g->wall ? r.wall_seconds : r.cpu_seconds;
        s->cycles = r.cycles;
        s->instructions = r.instructions;
        memcpy(s->ticks, r.ticks, sizeof s->ticks);
        s->evaluated = 0;
        s->operations = hd_result_judged(&r);
        for (size_t i = 0; i < r.host_counters; i++)
            if (strcmp(r.host_counter[i].name, "host.sm_evaluated") == 0)
                s->evaluated = r.host_counter[i].value;
        free(s->counter);
        s->counter = r.counter;
        s->counters = r.counters;
        r.counter = NULL;
        statistics(s);
    } else
        fprintf(stderr, "heddle: bench: %s, %s failed\n", g->name, row->workload);
    hd_result_free(&r);
    return code;
}

/* Both ways of a row are the same machine: cycles, instructions, and the counters both have.
 * @return false after a message. */
static bool same(const struct hd_bench_result *r)
{
    const struct hd_bench_side *a = &r->side[0], *b = &r->side[1];
    const char *what = a->cycles != b->cycles ? "cycles" : a->instructions != b->instructions ? "instructions" : NULL;

    for (size_t i = 0; !what && i < a->counters; i++)
        for (size_t k = 0; k < b->counters; k++)
            if (strcmp(a->counter[i].name, b->counter[k].name) == 0 && a->counter[i].value != b->counter[k].value)
                what = a->counter[i].name;
    if (what)
        fprintf(stderr, "heddle: bench: %s, %s: the two ways differ in %s\n", hd_bench_groups[r->row->group].name,
                r->row->workload, what);
    return what == NULL;
}

/* ---- all runs ----------------------------------------------------------------------------------------------- */

static int run_group(enum hd_bench_group g, const struct arguments *a, struct hd_bench_result *result)
{
    const struct hd_bench_group_info *info = &hd_bench_groups[g];
    unsigned ways = info->way[1].name ? 2 : 1, repeats = a->quick ? 3 : HD_BENCH_REPEATS;
    int code = GOOD;

    if (info->needs && !has_key(info->needs)) {
        for (size_t i = 0; i < ROWS; i++)
            result[i].skipped |= rows[i].group == g;
        return GOOD;
    }
    for (size_t i = 0; i < ROWS; i++)
        for (unsigned w = 0; rows[i].group == g && w < ways; w++)
            if (!prepare(&rows[i], &info->way[w], &result[i].side[w]))
                return REFUSED;
    if (g == HD_BENCH_SPLIT)
        repeats = 1;
    fprintf(stderr, "bench: %s\n", info->title);
    for (unsigned k = 0; k < repeats; k++)
        for (size_t i = 0; i < ROWS; i++) {
            if (rows[i].group != g)
                continue;
            for (unsigned w = 0; w < ways; w++)
                if ((code = run(&rows[i], a, &result[i].side[w])) != GOOD)
                    return code;
            if (ways == 2 && !same(&result[i]))
                return FAILED;
        }
    return GOOD;
}

double hd_bench_speed(const struct hd_bench_side *s)
{
    return s->median > 0 ? (double)s->cycles / s->median : 0;
}

double hd_bench_sm_cycle(const struct hd_bench_side *s)
{
    return s->cycles ? 1e9 * s->median / (double)s->cycles / s->config.sms : 0;
}

double hd_bench_evaluated(const struct hd_bench_side *s)
{
    return s->cycles ? (double)s->evaluated / (double)s->cycles / s->config.sms : 0;
}

double hd_bench_sm_edge(const struct hd_bench_side *s)
{
    return s->evaluated ? 1e9 * s->median / (double)s->evaluated : 0;
}

/* ---- the command -------------------------------------------------------------------------------------------- */

static bool add_group(struct arguments *a, const char *name)
{
    for (unsigned g = 0; g < HD_BENCH_GROUPS; g++)
        if (strcmp(name, hd_bench_groups[g].name) == 0) {
            a->some = a->only[g] = true;
            return true;
        }
    fprintf(stderr, "heddle: --only %s: must be one of", name);
    for (unsigned g = 0; g < HD_BENCH_GROUPS; g++)
        fprintf(stderr, " %s", hd_bench_groups[g].name);
    fprintf(stderr, "\n");
    return false;
}

static int parse(int argc, char **argv, struct arguments *a)
{
    for (int i = 1; i < argc; i++) {
        const char *group = NULL;
        const char **value = strcmp(argv[i], "--json") == 0  ? &a->json
                             : strcmp(argv[i], "--out") == 0  ? &a->out
                             : strcmp(argv[i], "--only") == 0 ? &group
                                                              : NULL;
        if (strcmp(argv[i], "--quick") == 0)
            a->quick = true;
        else if (!value) {
            fprintf(stderr, "heddle: bench: unexpected '%s'; see heddle bench --help\n", argv[i]);
            return REFUSED;
        } else if (++i == argc) {
            fprintf(stderr, "heddle: bench: %s needs a value\n", argv[i - 1]);
            return REFUSED;
        } else
            *value = argv[i];
        if (group && !add_group(a, group))
            return REFUSED;
    }
    return GOOD;
}

int hd_bench_command(int argc, char **argv)
{
    struct arguments a = {.out = "build/bench"};

    int code = parse(argc, argv, &a);
    struct hd_bench_result *result = calloc(ROWS, sizeof *result);
    if (!result) {
        fprintf(stderr, "heddle: no memory\n");
        return REFUSED;
    }
    for (size_t i = 0; i < ROWS; i++)
        result[i].row = &rows[i];
    if (code == GOOD && !hd_files_folder("--out", a.out))
        code = REFUSED;
    for (unsigned g = 0; code == GOOD && g < HD_BENCH_GROUPS; g++)
        if (!a.some || a.only[g])
            code = run_group((enum hd_bench_group)g, &a, result);
    if (code == GOOD) {
        hd_bench_tables(result, ROWS);
        if ((a.json && !hd_bench_json(result, ROWS, a.json)) || !hd_bench_plot(result, ROWS, a.out))
            code = REFUSED;
    }
    for (size_t i = 0; i < ROWS; i++)
        for (unsigned w = 0; w < 2; w++)
            free(result[i].side[w].counter);
    free(result);
    return code;
}
