/* report.c - see bench.h: tables, goals, JSON and plot of the measurements. */
#include "bench.h"
#include "report/files.h"
#include "report/json.h"
#include "report/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double ratio(const struct hd_bench_result *r)
{
    return r->side[1].median > 0 ? r->side[0].median / r->side[1].median : 0;
}

static bool measured(const struct hd_bench_result *r)
{
    return r->side[0].runs > 0;
}

/* ---- tables ------------------------------------------------------------------------------------------------- */

static void print_side(const struct hd_bench_side *s)
{
    char speed[32];
    printf("%14.2f%7.0f %%%14s", s->median, 100 * s->spread, hd_text_rounded(hd_bench_speed(s), speed));
}

/* The workload, with the coherence that its row sets. */
static const char *label(const struct hd_bench_row *row, char text[32])
{
    static const char key[] = "coherence=";
    bool set = row->set[0] && strncmp(row->set[0], key, sizeof key - 1) == 0;
    snprintf(text, 32, "%s%s%s", row->workload, set ? ", " : "", set ? row->set[0] + sizeof key - 1 : "");
    return text;
}

static void pair_head(const struct hd_bench_group_info *g)
{
    char a[24], b[24];
    snprintf(a, sizeof a, "%.20s, s", g->way[0].name);
    snprintf(b, sizeof b, "%.20s, s", g->way[1].name);
    printf("  %-10s%12s%14s%9s%14s%14s%9s%14s%8s%12s\n", "workload", "core cycles", a, "spread", "cycles / s", b, "spread",
           "cycles / s", "times", "evaluated");
}

static void pair_row(const struct hd_bench_result *r)
{
    char cycles[32], name[32];
    printf("  %-10s%12s", label(r->row, name), hd_text_rounded((double)r->side[0].cycles, cycles));
    print_side(&r->side[0]);
    print_side(&r->side[1]);
    printf("%8.2f%10.0f %%\n", ratio(r), 100 * hd_bench_evaluated(&r->side[1]));
}

static void scaling_head(const struct hd_bench_group_info *g)
{
    (void)g;
    printf("  %-10s%5s%12s%12s%14s%9s%14s%18s%12s%20s\n", "workload", "SMs", "partitions", "core cycles", "CPU s", "spread",
           "cycles / s", "ns per SM cycle", "evaluated", "ns per evaluation");
}

static void scaling_row(const struct hd_bench_result *r)
{
    const struct hd_bench_side *s = &r->side[0];
    char cycles[32];
    printf("  %-10s%5u%12u%12s", r->row->workload, s->config.sms, s->config.partitions,
           hd_text_rounded((double)s->cycles, cycles));
    print_side(s);
    printf("%18.0f%10.0f %%%20.0f\n", hd_bench_sm_cycle(s), 100 * hd_bench_evaluated(s), hd_bench_sm_edge(s));
}

static double requests(const struct hd_bench_side *s)
{
    return s->median > 0 ? (double)s->operations / s->median : 0;
}

static void racy_head(const struct hd_bench_group_info *g)
{
    (void)g;
    printf("  %-10s%12s%14s%9s%14s%12s%18s\n", "workload", "core cycles", "CPU s", "spread", "cycles / s", "requests",
           "requests / CPU s");
}

static void racy_row(const struct hd_bench_result *r)
{
    const struct hd_bench_side *s = &r->side[0];
    char cycles[32], n[32], speed[32], name[32];
    printf("  %-10s%12s", label(r->row, name), hd_text_rounded((double)s->cycles, cycles));
    print_side(s);
    printf("%12s%18s\n", hd_text_rounded((double)s->operations, n), hd_text_rounded(requests(s), speed));
}

static void hops_head(const struct hd_bench_group_info *g)
{
    (void)g;
    printf("  %-10s%8s%12s%14s%9s%14s%12s%20s\n", "workload", "window", "core cycles", "CPU s", "spread", "cycles / s",
           "evaluated", "ns per evaluation");
}

static void hops_row(const struct hd_bench_result *r)
{
    const struct hd_bench_side *s = &r->side[0];
    char cycles[32];
    printf("  %-10s%8u%12s", r->row->workload, s->config.lat_hop, hd_text_rounded((double)s->cycles, cycles));
    print_side(s);
    printf("%10.0f %%%20.0f\n", 100 * hd_bench_evaluated(s), hd_bench_sm_edge(s));
}

/* Tenths of a percent by section; REST takes what rounding leaves, so that they add up to 1000. */
static void split_of(const struct hd_bench_side *s, int tenths[HD_SECTIONS])
{
    uint64_t all = 0;
    int left = 1000;

    for (unsigned i = 0; i < HD_SECTIONS; i++)
        all += s->ticks[i];
    for (unsigned i = 0; i < HD_SECTIONS; i++) {
        tenths[i] = all ? (int)(1000.0 * (double)s->ticks[i] / (double)all + 0.5) : 0;
        left -= i == HD_SECTION_REST ? 0 : tenths[i];
    }
    tenths[HD_SECTION_REST] = left;
}

static const char *split_name(const struct hd_bench_result *r, char text[32])
{
    snprintf(text, 32, "%s%s", r->row->workload, r->side[0].config.ghost_bits ? ", checked" : "");
    return text;
}

static void split_head(const struct hd_bench_group_info *g)
{
    (void)g;
    printf("  %-16s", "workload");
    for (unsigned i = 0; i < HD_SECTIONS; i++)
        printf("%*s", i < 3 ? 16 : 12, hd_section_name((enum hd_section)i));
    printf("\n");
}

static void split_row(const struct hd_bench_result *r)
{
    int tenths[HD_SECTIONS];
    char text[32];
    split_of(&r->side[0], tenths);
    printf("  %-16s", split_name(r, text));
    for (unsigned i = 0; i < HD_SECTIONS; i++)
        printf("%*d.%d", i < 3 ? 14 : 10, tenths[i] / 10, abs(tenths[i] % 10));
    printf("\n");
}

/* ---- goals -------------------------------------------------------------------------------------------------- */

struct goal {
    const char *what;
    enum hd_bench_group group;
    const char *workload;    /* NULL: the worst of all */
    unsigned sms;            /* of HD_BENCH_SCALING */
    enum { TIMES, SPEED, REQUESTS, GROWTH, EDGE_GROWTH } kind;
    bool at_most;
    double limit;
};

static const struct goal goals[] = {
    {"gemm: composed against flat, times faster", HD_BENCH_FLAT, "gemm", 0, TIMES, false, 3},
    {"stream: composed against flat, times faster", HD_BENCH_FLAT, "stream", 0, TIMES, false, 3},
    {"chase: composed against flat, times faster", HD_BENCH_FLAT, "chase", 0, TIMES, false, 8},
    {"gemm, 16 SMs: two threads against one, times faster", HD_BENCH_THREADS, "gemm", 0, TIMES, false, 1.8},
    {"checked against fast, worst workload, times slower", HD_BENCH_CHECKED, NULL, 0, TIMES, true, 2.5},
    {"gemm, 16 SMs: core cycles per CPU second", HD_BENCH_SCALING, "gemm", 16, SPEED, false, 25000},
    {"gemm, 4 SMs: core cycles per CPU second", HD_BENCH_SCALING, "gemm", 4, SPEED, false, 120000},
    {"racy: checked memory requests per CPU second", HD_BENCH_RACY, "racy", 0, REQUESTS, false, 150000},
    {"gemm, 15 SMs on a mesh: core cycles per CPU second", HD_BENCH_MESH, "gemm", 0, SPEED, false, 75000},
    {"bfs, 15 SMs on a mesh: core cycles per CPU second", HD_BENCH_MESH, "bfs", 0, SPEED, false, 75000},
    {"srad, 15 SMs on a mesh: core cycles per CPU second", HD_BENCH_MESH, "srad", 0, SPEED, false, 75000},
    {"lavamd, 15 SMs on a mesh: core cycles per CPU second", HD_BENCH_MESH, "lavamd", 0, SPEED, false, 75000},
    {"chase, 15 SMs on a mesh: core cycles per CPU second", HD_BENCH_MESH, "chase", 0, SPEED, false, 300000},
    {"drf: checked memory requests per CPU second", HD_BENCH_DRF, "drf", 0, REQUESTS, false, 200000},
    {"... in episodes of 100 loads and stores", HD_BENCH_EPISODES, "drf", 0, REQUESTS, false, 200000},
    {"cost of an SM cycle, 32 SMs against 4", HD_BENCH_SCALING, "gemm", 32, GROWTH, true, 1.15},
    {"... of an evaluated one", HD_BENCH_SCALING, "gemm", 32, EDGE_GROWTH, true, 1.15},
};
enum { GOALS = sizeof goals / sizeof goals[0] };

static const struct hd_bench_result *scaling_of(const struct hd_bench_result *r, size_t n, unsigned sms)
{
    for (size_t i = 0; i < n; i++)
        if (r[i].row->group == HD_BENCH_SCALING && r[i].side[0].config.sms == sms && measured(&r[i]))
            return &r[i];
    return NULL;
}

static double value_of(const struct goal *g, const struct hd_bench_result *r, size_t n, const struct hd_bench_result *x)
{
    const struct hd_bench_result *four = scaling_of(r, n, 4);
    switch (g->kind) {
    case TIMES:
        return ratio(x);
    case SPEED: /* of the usual way, which is the second where there are two */
        return hd_bench_speed(&x->side[x->side[1].runs > 0]);
    case REQUESTS:
        return requests(&x->side[0]);
    case EDGE_GROWTH:
        return four ? hd_bench_sm_edge(&x->side[0]) / hd_bench_sm_edge(&four->side[0]) : 0;
    default:
        return four ? hd_bench_sm_cycle(&x->side[0]) / hd_bench_sm_cycle(&four->side[0]) : 0;
    }
}

/* @return the measured value, 0 when there is none. */
static double reached(const struct goal *g, const struct hd_bench_result *r, size_t n)
{
    double worst = 0;

    for (size_t i = 0; i < n; i++) {
        if (r[i].row->group != g->group || !measured(&r[i]) || (g->workload && strcmp(r[i].row->workload, g->workload) != 0)
            || (g->sms && r[i].side[0].config.sms != g->sms))
            continue;
        double v = value_of(g, r, n, &r[i]);
        if (worst <= 0 || (g->at_most ? v > worst : v < worst))
            worst = v;
    }
    return worst;
}

static bool met(const struct goal *g, double v)
{
    return g->at_most ? v <= g->limit : v >= g->limit;
}

static void number(double v, char text[32])
{
    if (v >= 1000)
        hd_text_rounded(v, text);
    else
        snprintf(text, 32, "%.2f", v);
}

static void print_goals(const struct hd_bench_result *r, size_t n)
{
    printf("\ngoals\n  %-56s%18s%14s\n", "", "goal", "measured");
    for (size_t i = 0; i < GOALS; i++) {
        char limit[32], value[32];
        double v = reached(&goals[i], r, n);
        number(goals[i].limit, limit);
        number(v, value);
        printf("  %-56s%9s%9s%14s   %s\n", goals[i].what, goals[i].at_most ? "at most" : "at least", limit,
               v > 0 ? value : "-", v <= 0 ? "not measured" : met(&goals[i], v) ? "met" : "not met");
    }
}

void hd_bench_tables(const struct hd_bench_result *r, size_t n)
{
    static const struct {
        void (*head)(const struct hd_bench_group_info *g);
        void (*row)(const struct hd_bench_result *r);
    } form[HD_BENCH_GROUPS] = {
        [HD_BENCH_FLAT] = {pair_head, pair_row},       [HD_BENCH_SKIP] = {pair_head, pair_row},
        [HD_BENCH_WINDOW] = {pair_head, pair_row},     [HD_BENCH_THREADS] = {pair_head, pair_row},
        [HD_BENCH_CHECKED] = {pair_head, pair_row},    [HD_BENCH_SCALING] = {scaling_head, scaling_row},
        [HD_BENCH_RACY] = {racy_head, racy_row},       [HD_BENCH_MESH] = {pair_head, pair_row},
        [HD_BENCH_HOPS] = {hops_head, hops_row},       [HD_BENCH_DRF] = {racy_head, racy_row},
        [HD_BENCH_EPISODES] = {racy_head, racy_row},   [HD_BENCH_SPLIT] = {split_head, split_row},
    };

    for (size_t i = 0; i < n; i++) {
        enum hd_bench_group g = r[i].row->group;
        bool first = i == 0 || r[i - 1].row->group != g;
        if (r[i].skipped && first)
            printf("\n%s: not measured, there is no key `%s`\n", hd_bench_groups[g].title, hd_bench_groups[g].needs);
        if (!measured(&r[i]))
            continue;
        if (first) {
            printf("\n%s\n", hd_bench_groups[g].title);
            form[g].head(&hd_bench_groups[g]);
        }
        form[g].row(&r[i]);
    }
    print_goals(r, n);
}

/* ---- JSON --------------------------------------------------------------------------------------------------- */

static json_t *side_json(const struct hd_bench_side *s)
{
    json_t *o = json_object(), *all = json_array();

    for (unsigned i = 0; i < s->runs; i++)
        json_array_append_new(all, json_real(s->seconds[i]));
    json_object_set_new(o, "seconds", all);
    json_object_set_new(o, "median", json_real(s->median));
    json_object_set_new(o, "spread", json_real(s->spread));
    json_object_set_new(o, "cycles_per_second", json_real(hd_bench_speed(s)));
    json_object_set_new(o, "ns_per_sm_cycle", json_real(hd_bench_sm_cycle(s)));
    json_object_set_new(o, "ns_per_sm_evaluation", json_real(hd_bench_sm_edge(s)));
    return o;
}

static json_t *row_json(const struct hd_bench_result *r)
{
    const struct hd_bench_group_info *g = &hd_bench_groups[r->row->group];
    const struct hd_bench_side *s = &r->side[0];
    json_t *o = json_object();

    json_object_set_new(o, "group", json_string(g->name));
    json_object_set_new(o, "workload", json_string(r->row->workload));
    json_object_set_new(o, "sms", json_integer((json_int_t)s->config.sms));
    json_object_set_new(o, "partitions", json_integer((json_int_t)s->config.partitions));
    json_object_set_new(o, "clock", json_string(g->wall ? "wall" : "cpu"));
    json_object_set_new(o, "cycles", json_integer((json_int_t)s->cycles));
    if (s->operations)
        json_object_set_new(o, "checked_requests", json_integer((json_int_t)s->operations));
    for (unsigned w = 0; w < 2 && r->side[w].runs > 0; w++)
        json_object_set_new(o, g->way[1].name ? g->way[w].name : "run", side_json(&r->side[w]));
    if (r->side[1].runs > 0)
        json_object_set_new(o, "times", json_real(ratio(r)));
    if (r->row->group == HD_BENCH_SPLIT) {
        int tenths[HD_SECTIONS];
        json_t *split = json_object();
        split_of(s, tenths);
        for (unsigned i = 0; i < HD_SECTIONS; i++)
            json_object_set_new(split, hd_section_name((enum hd_section)i), json_real(tenths[i] / 10.0));
        json_object_set_new(o, "percent", split);
    }
    return o;
}

bool hd_bench_json(const struct hd_bench_result *r, size_t n, const char *path)
{
    json_t *all = json_object(), *list = json_array(), *aims = json_array();

    for (size_t i = 0; i < n; i++)
        if (measured(&r[i]))
            json_array_append_new(list, row_json(&r[i]));
    for (size_t i = 0; i < GOALS; i++) {
        double v = reached(&goals[i], r, n);
        json_t *o = json_object();
        json_object_set_new(o, "what", json_string(goals[i].what));
        json_object_set_new(o, goals[i].at_most ? "at_most" : "at_least", json_real(goals[i].limit));
        json_object_set_new(o, "measured", v > 0 ? json_real(v) : json_null());
        json_object_set_new(o, "met", v > 0 ? json_boolean(met(&goals[i], v)) : json_null());
        json_array_append_new(aims, o);
    }
    json_object_set_new(all, "rows", list);
    json_object_set_new(all, "goals", aims);
    return hd_json_save(all, 2, 6, "--json", path);
}

/* ---- plot --------------------------------------------------------------------------------------------------- */

static const char plot_script[] =
    "# Core cycles per CPU second and the cost of an SM cycle against the number of SMs: gnuplot scaling.gp\n"
    "set datafile separator comma\n"
    "set style line 1 lc rgb '#0b5fa5' lw 2.5 pt 7 ps 1.1\n"
    "set style line 2 lc rgb '#888888' lw 1.5 dt 2\n"
    "set style line 3 lc rgb '#c0561a' lw 2.5 pt 5 ps 1.0\n"
    "set border 3 lw 1 lc rgb '#444444'\n"
    "set tics nomirror out\n"
    "set grid y lc rgb '#dddddd' lw 1\n"
    "set xtics (1, 2, 4, 8, 16, 32)\n"
    "set xlabel 'SMs'\n"
    "do for [kind in 'svg png'] {\n"
    "  if (kind eq 'svg') { set terminal svg size 1000,420 enhanced font 'DejaVu Sans,13' background rgb 'white' }\n"
    "  if (kind eq 'png') { set terminal pngcairo size 1500,630 enhanced font 'DejaVu Sans,15' background rgb 'white' }\n"
    "  set output 'scaling.'.kind\n"
    "  set multiplot layout 1,2 title 'gemm, the same work for each SM, one thread' font ',15'\n"
    "  set logscale x 2\n"
    "  set xrange [0.85:38]\n"
    "  set logscale y 10\n"
    "  set autoscale y\n"
    "  set format y '%.0s%c'\n"
    "  set ylabel 'core cycles per CPU second'\n"
    "  set key top right samplen 2\n"
    "  plot first(1)/x ls 2 title 'ideal: 1 / SMs', \\\n"
    "       'scaling.csv' skip 1 using 1:2:3:4 with yerrorlines ls 1 title 'measured, least to most'\n"
    "  unset logscale y\n"
    "  set format y '%.0f'\n"
    "  set yrange [0:1.05 * most_ns]\n"
    "  set ylabel 'CPU ns per SM'\n"
    "  set key bottom left samplen 2\n"
    "  plot 'scaling.csv' skip 1 using 1:5:6:7 with yerrorlines ls 1 title 'a core cycle, idle or not', \\\n"
    "       'scaling.csv' skip 1 using 1:8 with linespoints ls 3 title 'an evaluated core cycle'\n"
    "  unset multiplot\n"
    "}\n";

static void least_and_most(const struct hd_bench_side *s, double *least, double *most)
{
    *least = *most = s->seconds[0];
    for (unsigned i = 1; i < s->runs; i++) {
        *least = s->seconds[i] < *least ? s->seconds[i] : *least;
        *most = s->seconds[i] > *most ? s->seconds[i] : *most;
    }
}

bool hd_bench_plot(const struct hd_bench_result *r, size_t n, const char *out)
{
    const struct hd_bench_result *one = scaling_of(r, n, 1);
    if (!one)
        return true;
    double most_ns = 0;
    FILE *data = hd_files_open_in(out, "scaling.csv"), *script = hd_files_open_in(out, "scaling.gp");
    if (data)
        fprintf(data, "SMs,core cycles per CPU second,least,most,CPU ns per SM cycle,least,most,CPU ns per evaluated SM cycle\n");
    for (size_t i = 0; data && i < n; i++) {
        const struct hd_bench_side *s = &r[i].side[0];
        double least, most;
        if (r[i].row->group != HD_BENCH_SCALING || !measured(&r[i]))
            continue;
        least_and_most(s, &least, &most);
        double cycles = (double)s->cycles, sm_cycles = cycles * s->config.sms;
        most_ns = fmax(most_ns, fmax(1e9 * most / sm_cycles, hd_bench_sm_edge(s)));
        fprintf(data, "%u,%.0f,%.0f,%.0f,%.1f,%.1f,%.1f,%.1f\n", s->config.sms, hd_bench_speed(s), cycles / most,
                cycles / least, hd_bench_sm_cycle(s), 1e9 * least / sm_cycles, 1e9 * most / sm_cycles,
                hd_bench_sm_edge(s));
    }
    if (script)
        fprintf(script, "first(n) = %.0f.0\nmost_ns = %.1f\n%s", hd_bench_speed(&one->side[0]), most_ns, plot_script);
    bool good = data && script && hd_files_close(data, "scaling.csv") && hd_files_close(script, "scaling.gp");
    if (good && !hd_files_gnuplot(out, "scaling.gp"))
        printf("\nno plot: gnuplot is missing or failed; the numbers are in %s/scaling.csv\n", out);
    else if (good)
        printf("\nplot: %s/scaling.png, %s/scaling.svg\n", out, out);
    return good;
}
