/* bars.c - see plot.h: a table of groups as CSV and as grouped or stacked bars. */
#include "csv.h"
#include "files.h"
#include "palette.h"
#include "plot.h"
#include "svg.h"
#include <math.h>

static const char plot_script[] =
    "set datafile separator ','\n"
    "set border 3 lw 1 lc rgb '#444444'\n"
    "set style data histograms\n"
    "if (stacked) { set style histogram rowstacked; set boxwidth 0.85 } else { set style histogram clustered gap 1.2; set boxwidth 0.95 }\n"
    "set style fill pattern 3 border rgb '#444444'\n"
    "set bmargin 8\n"
    "set xrange [-1:*]\n"
    "set tics nomirror out\n"
    "set xtics rotate by -35 left offset -1,0 scale 0 noenhanced\n"
    "set grid y lc rgb '#dddddd' lw 1\n"
    "set yrange [0:1.08 * most]\n"
    "set ylabel what noenhanced\n"
    "if (stacked) { set key outside right center vertical invert Left reverse samplen 1 noenhanced }\n"
    "else { set key at screen 0.5, screen 0.02 center bottom horizontal samplen 1.5 noenhanced }\n"
    "if (stacked) { set xtics rotate by -60 font ',10' }\n"
    "set title heading noenhanced font ',14'\n"
    "set terminal pngcairo size (stacked ? 1950 : 1500),645 enhanced font 'DejaVu Sans,15' background rgb 'white'\n"
    "set output name.'.png'\n"
    "plot for [i = 1:series] name.'.csv' using i + 1:xtic(1) every ::1 lc rgb word(colours, i) \\\n"
    "       fs pattern word(hatches, i) + 0 title word(titles, i), \\\n"
    "     (stacked ? NaN : 1) with lines lc rgb '#222222' lw 1 dt 2 notitle\n";

static bool write_csv(const struct hd_plot_bars *b, const char *folder, const char *name)
{
    struct hd_csv c;
    if (!hd_csv_open(&c, folder, name))
        return false;
    hd_csv_text(&c, b->corner);
    for (size_t s = 0; s < b->series; s++)
        hd_csv_text(&c, b->title[s]);
    hd_csv_end_row(&c);
    for (size_t g = 0; g < b->groups; g++) {
        hd_csv_text(&c, b->group[g]);
        for (size_t s = 0; s < b->series; s++)
            hd_csv_number(&c, b->value[g][s], 4);
        hd_csv_end_row(&c);
    }
    return hd_csv_close(&c);
}

/* The highest bar; a line at 1 is in the plot of grouped ones. */
static double highest(const struct hd_plot_bars *b)
{
    double most = b->stacked ? 0 : 1;
    for (size_t g = 0; g < b->groups; g++) {
        double sum = 0;
        for (size_t s = 0; s < b->series; s++) {
            sum += isnan(b->value[g][s]) ? 0 : b->value[g][s];
            most = fmax(most, b->stacked ? sum : b->value[g][s]); /* fmax leaves NAN out */
        }
    }
    return most;
}

/* The figure's data as svg.h has it. @return NULL without memory. */
static json_t *data_of(const struct hd_plot_bars *b, const char *name, const char *title)
{
    json_t *all = json_pack("{sssssssb}", "name", name, "title", title, "what", b->what, "stacked", b->stacked);
    json_t *series = json_array(), *groups = json_array();
    for (size_t s = 0; s < b->series; s++)
        json_array_append_new(series, json_string(b->title[s]));
    for (size_t g = 0; g < b->groups; g++) {
        json_t *group = json_object(), *values = json_array();
        json_object_set_new(group, "name", json_string(b->of[g] ? b->of[g] : b->group[g]));
        if (b->bar[g])
            json_object_set_new(group, "bar", json_string(b->bar[g]));
        for (size_t s = 0; s < b->series; s++)
            json_array_append_new(values, isnan(b->value[g][s]) ? json_null() : json_real(b->value[g][s]));
        json_object_set_new(group, "values", values);
        json_array_append_new(groups, group);
    }
    json_object_set_new(all, "series", series);
    json_object_set_new(all, "groups", groups);
    if (b->stated)
        json_object_set_new(all, "stated", b->stated);
    return all;
}

/* FOLDER/NAME.svg. @return false after a message. */
static bool write_svg(const json_t *data, const char *folder, const char *name)
{
    char file[160];
    snprintf(file, sizeof file, "%.150s.svg", name);
    FILE *f = hd_files_open_in(folder, file);
    if (f)
        hd_svg_figure(f, "f", data, true);
    return f && hd_files_close(f, file);
}

bool hd_plot_bars(const struct hd_plot_bars *b, const char *folder, const char *name, const char *title)
{
    static const int pattern[HD_HATCHES] = {3, 4, 5, 6, 7, 2, 1};
    json_t *data = data_of(b, name, title);
    bool good = data && write_svg(data, folder, name) && write_csv(b, folder, name);
    if (data && b->keep)
        json_array_append(b->keep, data);
    json_decref(data);
    FILE *f = good ? hd_plot_begin(folder, name, b->stacked ? "Stacked bars" : "Grouped bars", title) : NULL;
    if (!f)
        return false;
    fprintf(f, "what = '%s'\nmost = %.3f\nseries = %zu\nstacked = %d\ntitles = '", b->what, highest(b),
            b->series, b->stacked);
    for (size_t s = 0; s < b->series; s++)
        fprintf(f, "%s\"%s\"", s ? " " : "", b->title[s]);
    fprintf(f, "'\ncolours = '");
    for (size_t s = 0; s < b->series; s++)
        fprintf(f, "%s%s", s ? " " : "", hd_palette(b->title[s], s).colour);
    fprintf(f, "'\nhatches = '");
    for (size_t s = 0; s < b->series; s++)
        fprintf(f, "%s%d", s ? " " : "", pattern[hd_palette(b->title[s], s).hatch]);
    fprintf(f, "'\n%s", plot_script);
    return hd_plot_end(f, folder, name);
}
