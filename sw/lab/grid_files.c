/* grid_files.c - see grid.h: every run as CSV, figures as bars. */
#include "grid.h"
#include "report/csv.h"
#include "stated.h"
#include <math.h>
#include <stdio.h>

/* NAME.csv: every run, a line each. */
static bool write_runs(const struct hd_grid_results *r)
{
    const struct hd_grid *g = r->grid;
    struct hd_csv f;
    if (!hd_csv_open(&f, r->options->out, g->name))
        return false;
    hd_csv_text(&f, "machine");
    hd_csv_text(&f, g->policy_word);
    hd_csv_text(&f, "benchmark");
    hd_csv_text(&f, "cycles");
    hd_csv_text(&f, "time");
    for (size_t i = 0; i < g->csvs; i++)
        hd_csv_text(&f, g->csv[i]);
    hd_csv_end_row(&f);
    for (unsigned m = 0; m < g->machines; m++)
        for (unsigned b = 0; b < g->benches; b++)
            for (unsigned p = 0; p < g->policies; p++) {
                const struct hd_grid_cell *c = &r->cell[m][p][b];
                if (!c->cycles)
                    continue;
                hd_csv_name(&f, g->machine[m].name);
                hd_csv_text(&f, g->policy[p].name);
                hd_csv_quoted(&f, g->bench[b].name);
                hd_csv_count(&f, c->cycles);
                hd_csv_number(&f, hd_grid_time(r, m, p, b), 4);
                for (size_t i = 0; i < g->csvs; i++)
                    hd_csv_number(&f, hd_grid_counter(c, g->csv[i]), 0);
                hd_csv_end_row(&f);
            }
    return hd_csv_close(&f);
}

/* Writes bars as NAME-@name; the machine's size stands behind @title. */
static bool write_bars(const struct hd_grid_results *r, struct hd_plot_bars *bars, const char *name,
                       const char *title)
{
    char file[60], text[240];
    snprintf(file, sizeof file, "%s-%s", r->grid->name, name);
    snprintf(text, sizeof text, "%s; %u SMs, %s size", title, r->on[0][0].config.sms, hd_grid_size_word(r));
    bars->stated = hd_lab_stated(file);
    bars->keep = r->kept;
    return hd_plot_bars(bars, r->options->out, file, text);
}

/* Of @n columns those that ran on a benchmark of these. @return how many; they are in @kept. */
static size_t those_that_ran(const struct hd_grid_results *r, const struct hd_grid_column *column, size_t n, unsigned first, unsigned last,
                             struct hd_grid_column kept[HD_PLOT_SERIES])
{
    size_t k = 0;
    for (size_t i = 0; i < n && k < HD_PLOT_SERIES; i++)
        if (hd_grid_has(r, &column[i], first, last))
            kept[k++] = column[i];
    return k;
}

/* A benchmark a group, and the mean of all behind them. */
static bool write_figure(const struct hd_grid_results *r, const struct hd_grid_figure *f)
{
    const struct hd_grid *g = r->grid;
    char what[120];
    struct hd_grid_column column[HD_PLOT_SERIES];
    struct hd_plot_bars bars = {.what = what, .series = those_that_ran(r, f->column, f->series, f->first, f->last, column)};
    size_t there = 0;
    snprintf(what, sizeof what, "time over that of %s (ratio of cycles)", g->base);
    unsigned last = f->last ? f->last : (unsigned)g->shown;
    for (unsigned b = f->first; b < last; b++) {
        if (!r->cell[0][0][b].cycles)
            continue;
        for (size_t s = 0; s < bars.series; s++) {
            bars.value[bars.groups][s] = hd_grid_time(r, column[s].machine, column[s].policy, b);
            there += !isnan(bars.value[bars.groups][s]);
        }
        bars.group[bars.groups++] = g->bench[b].name;
    }
    if (there == 0)
        return true;
    for (size_t s = 0; s < bars.series; s++) {
        bars.title[s] = column[s].title;
        bars.value[bars.groups][s] = hd_grid_mean_of(r, column[s].machine, column[s].policy, 0, 0, f->first, last);
    }
    bars.group[bars.groups] = "geometric mean";
    bars.groups += bars.groups == last - f->first && bars.groups > 1; /* of all, and of several */
    return write_bars(r, &bars, f->name, f->title);
}

/* A group of bars, one a column of the split, and a gap before it. @bench: NULL for the arithmetic mean of those that are there. */
static void add_group(const struct hd_grid_results *r, const struct hd_grid_split *s, struct hd_plot_bars *bars, const unsigned *bench)
{
    const char *name = bench ? r->grid->bench[*bench].name : "mean";
    size_t before = bars->groups;
    if (before + 1 + s->columns > HD_PLOT_GROUPS)
        return;
    if (before > 0) {
        bars->group[before] = "";
        for (size_t i = 0; i < s->causes; i++)
            bars->value[before][i] = NAN;
        bars->groups++;
    }
    for (size_t p = 0; p < s->columns; p++) {
        size_t g = bars->groups++;
        bars->group[g] = name;
        bars->bar[g] = s->column[p].title;
        for (size_t i = 0; i < s->causes; i++) {
            double sum = 0;
            unsigned n = 0;
            for (size_t k = p; !bench && k < before; k += s->columns + 1)
                if (!isnan(bars->value[k][i])) {
                    sum += bars->value[k][i];
                    n++;
                }
            bars->value[g][i] = bench ? hd_grid_split(r, s, &s->column[p], *bench, i) : n ? sum / n : NAN;
        }
    }
}

/* Some policies of each benchmark as bars of causes, with a gap between benchmarks. */
static bool write_split(const struct hd_grid_results *r, const struct hd_grid_split *s)
{
    const struct hd_grid *g = r->grid;
    struct hd_plot_bars bars = {.what = s->what, .stacked = true, .series = s->causes};
    struct hd_grid_column column[HD_PLOT_SERIES];
    struct hd_grid_split ran = *s;
    ran.columns = those_that_ran(r, s->column, s->columns, s->first, s->last, column);
    ran.column = column;
    unsigned there = 0;
    for (size_t i = 0; i < s->causes; i++)
        bars.title[i] = s->cause[i].words;
    for (unsigned b = 0; b < g->benches; b++) {
        if (!hd_grid_in(g, s->first, s->last, b) || !r->cell[0][0][b].counters)
            continue;
        add_group(r, &ran, &bars, &b);
        there++;
    }
    if (s->mean && there > 1)
        add_group(r, &ran, &bars, NULL);
    return bars.groups == 0 || write_bars(r, &bars, s->name, s->title);
}

bool hd_grid_files(const struct hd_grid_results *r)
{
    for (size_t i = 0; i < r->grid->figures; i++)
        if (!write_figure(r, &r->grid->figure[i]))
            return false;
    for (size_t i = 0; i < r->grid->splits; i++)
        if (!write_split(r, &r->grid->split[i]))
            return false;
    return write_runs(r);
}
