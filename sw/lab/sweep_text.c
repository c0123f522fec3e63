/* sweep_text.c - see sweep.h: means and spreads, as a table, CSV and a plot with error bars. */
#include "sweep.h"
#include "report/csv.h"
#include "report/plot.h"
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLOT_BARS = 400 };

/* What the seeds of a machine and a workload say of a counter. */
struct sample {
    size_t n;
    double mean, spread, least, most; /* spread: standard deviation of a sample, NAN below 2 */
};

static void take(struct sample *a, double x)
{
    a->least = a->n == 0 || x < a->least ? x : a->least;
    a->most = a->n == 0 || x > a->most ? x : a->most;
    a->n++;
    double off = x - a->mean; /* Welford: spread is the sum of squares until close() */
    a->mean += off / (double)a->n;
    a->spread += off * (x - a->mean);
}

static void close_sample(struct sample *a)
{
    a->spread = a->n > 1 ? sqrt(a->spread / (double)(a->n - 1)) : NAN;
    if (a->n == 0)
        a->mean = a->least = a->most = NAN;
}

/* Fills a row: a sample a counter. Counters that are 0 are not in the database. @return false when its rows cannot be
 * read. */
static bool row(const struct hd_sweep *s, size_t first, struct hd_results *db, struct sample *to)
{
    memset(to, 0, s->counters * sizeof *to);
    for (size_t i = first; i < first + s->seeds; i++) {
        struct hd_results_run run;
        if (!s->point[i].done)
            continue;
        const struct hd_results_key key = hd_lab_key(&s->point[i]);
        if (!hd_results_measured(db, &key, &run))
            return false;
        json_t *counters = json_loads(run.counters, 0, NULL);
        for (size_t c = 0; c < s->counters; c++)
            take(&to[c], strcmp(s->counter[c], "cycles") == 0              ? (double)run.cycles
                         : strcmp(s->counter[c], "warp_instructions") == 0 ? (double)run.instructions
                                 : json_number_value(json_object_get(counters, s->counter[c])));
        json_decref(counters);
        free(run.counters);
    }
    for (size_t c = 0; c < s->counters; c++) {
        close_sample(&to[c]);
        if (!s->known[c]) /* those who may have it have not run */
            to[c].mean = to[c].spread = to[c].least = to[c].most = NAN;
    }
    return true;
}

static void print_row(const struct hd_sweep *s, const char *machine, const char *work, int widest[2],
                      const struct sample *a)
{
    printf("%-*s  %-*s %5zu", widest[0], machine, widest[1], work, a[0].n);
    for (size_t c = 0; c < s->counters; c++) {
        char text[64] = "-";
        if (a[c].n > 0 && !isnan(a[c].mean))
            snprintf(text, sizeof text, "%.*f", s->seeds == 1 && a[c].mean == floor(a[c].mean) ? 0 : 1, a[c].mean);
        if (s->seeds > 1 && a[c].n > 1 && !isnan(a[c].mean))
            snprintf(text + strlen(text), sizeof text - strlen(text), " +- %.1f", a[c].spread);
        printf("  %22s", text);
    }
    printf("\n");
}

static void write_row(const struct hd_sweep *s, struct hd_csv *csv, size_t m, size_t w, const struct sample *a)
{
    hd_csv_quoted(csv, s->machine[m].label);
    hd_csv_quoted(csv, s->work[w].text);
    hd_csv_count(csv, a[0].n);
    for (size_t c = 0; c < s->counters; c++) {
        hd_csv_number(csv, a[c].mean, 3);
        hd_csv_number(csv, a[c].spread, 3);
        hd_csv_number(csv, a[c].least, 0);
        hd_csv_number(csv, a[c].most, 0);
    }
    hd_csv_end_row(csv);
}

static void heads(const struct hd_sweep *s, struct hd_csv *csv, int widest[2])
{
    static const char *const what[] = {"mean", "spread", "least", "most"};
    char text[96];
    printf("%-*s  %-*s %5s", widest[0], "machine", widest[1], "workload", "runs");
    hd_csv_text(csv, "machine,workload,runs");
    for (size_t c = 0; c < s->counters; c++) {
        printf("  %22s", s->counter[c]);
        for (size_t k = 0; k < 4; k++) {
            snprintf(text, sizeof text, "%s %s", s->counter[c], what[k]);
            hd_csv_text(csv, text);
        }
    }
    printf("\n");
    hd_csv_end_row(csv);
}

/* Names in gnuplot's data stand in quotes: those of workloads have none, configurations may. */
static void plot_name(FILE *f, const char *text)
{
    fputc('"', f);
    for (; *text; text++)
        fputc(*text == '"' || *text == '\\' ? ' ' : *text, f);
    fputc('"', f);
}

/* The first counter: a group of bars a workload, a bar a machine, with the spread of the seeds. */
static bool plot(const struct hd_sweep *s, const char *out, const struct sample *all)
{
    FILE *f = hd_plot_begin(out, s->name, "means of a sweep, with the standard deviation over the seeds", s->name);
    size_t shown = 0;
    if (!f)
        return false;
    fprintf(f, "$data << EOD\n");
    for (size_t w = 0; w < s->works; w++) {
        plot_name(f, s->work[w].text);
        for (size_t m = 0; m < s->machines; m++) {
            const struct sample *a = &all[(m * s->works + w) * s->counters];
            if (a->n == 0)
                fprintf(f, " NaN 0");
            else
                fprintf(f, " %.6g %.6g", a->mean, isnan(a->spread) ? 0 : a->spread);
        }
        fputc('\n', f);
    }
    fprintf(f, "EOD\nset style data histogram\nset style histogram errorbars gap 2 lw 1\nset style fill solid 0.7\n"
               "set yrange [0:*]\nset title heading noenhanced\nset key outside below noenhanced\nset tics nomirror out\n"
               "set xtics noenhanced rotate by -20 scale 0\nset grid y lc rgb '#dddddd'\nset ylabel ");
    plot_name(f, s->counter[0]);
    fprintf(f, " noenhanced\ndo for [kind in 'svg png'] {\n"
               "  if (kind eq 'svg') { set terminal svg size 1000,560 font 'DejaVu Sans,12' background rgb 'white' }\n"
               "  if (kind eq 'png') { set terminal pngcairo size 1500,840 font 'DejaVu Sans,15' background rgb 'white' }\n"
               "  set output name.'.'.kind\n  plot ");
    for (size_t m = 0; m < s->machines; m++) {
        size_t n = 0;
        for (size_t w = 0; w < s->works; w++)
            n += all[(m * s->works + w) * s->counters].n;
        if (n == 0) /* gnuplot has no empty series */
            continue;
        fprintf(f, "%s$data using %zu:%zu:xtic(1) title ", shown++ ? ", \\\n    " : "", 2 * m + 2, 2 * m + 3);
        plot_name(f, s->machine[m].label);
    }
    fprintf(f, "\n}\n");
    return hd_plot_end(f, out, s->name);
}

bool hd_sweep_print(const struct hd_sweep *s, const struct hd_lab_way *way)
{
    int widest[2] = {7, 8};
    struct hd_csv csv;
    struct sample *all = calloc(s->machines * s->works * s->counters, sizeof *all);
    struct hd_results *db = hd_results_open(way->db);
    bool good = all && db && hd_csv_open(&csv, way->out, s->name), opened = good;
    for (size_t m = 0; m < s->machines; m++)
        widest[0] = (int)strlen(s->machine[m].label) > widest[0] ? (int)strlen(s->machine[m].label) : widest[0];
    for (size_t w = 0; w < s->works; w++)
        widest[1] = (int)strlen(s->work[w].text) > widest[1] ? (int)strlen(s->work[w].text) : widest[1];
    if (good)
        heads(s, &csv, widest);
    for (size_t m = 0; good && m < s->machines; m++)
        for (size_t w = 0; good && w < s->works; w++) {
            struct sample *a = &all[(m * s->works + w) * s->counters];
            good = row(s, (m * s->works + w) * s->seeds, db, a);
            if (good) {
                print_row(s, s->machine[m].label, s->work[w].text, widest, a);
                write_row(s, &csv, m, w, a);
            }
        }
    if (good && s->seeds > 1)
        printf("mean +- standard deviation over the seeds\n");
    if (opened)
        good = hd_csv_close(&csv) && good;
    bool any = false;
    for (size_t i = 0; good && i < s->machines * s->works; i++)
        any |= all[i * s->counters].n > 0;
    if (any && s->machines * s->works <= PLOT_BARS)
        good = plot(s, way->out, all);
    if (good)
        printf("%s/%s.csv has all columns\n", way->out, s->name);
    hd_results_close(db);
    free(all);
    return good;
}
