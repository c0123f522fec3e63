/* bars.c - see plot.h: a table of groups as CSV and as grouped or stacked bars. */
#include "csv.h"
#include "plot.h"
#include <math.h>

static const char plot_script[] =
    "set datafile separator ','\n"
    "set border 3 lw 1 lc rgb '#444444'\n"
    "set style data histograms\n"
    "if (stacked) { set style histogram rowstacked; set boxwidth 0.85 } else { set style histogram clustered gap 1.2; set boxwidth 0.95 }\n"
    "set style fill solid 1.0 noborder\n"
    "set bmargin 8\n"
    "set xrange [-1:*]\n"
    "set tics nomirror out\n"
    "set xtics rotate by -35 left offset -1,0 scale 0 noenhanced\n"
    "set grid y lc rgb '#dddddd' lw 1\n"
    "set yrange [0:1.08 * most]\n"
    "set ylabel what noenhanced\n"
    "if (stacked) { set key outside right center vertical invert Left reverse samplen 1 noenhanced }\n"
    "else { set key at screen 0.5, screen 0.02 center bottom horizontal samplen 1.5 noenhanced }\n"
    "set title heading noenhanced font ',14'\n"
    "ends(s) = strlen(s) > strlen(mark) && substr(s, strlen(s) - strlen(mark) + 1, strlen(s)) eq mark\n"
    "name_of(s) = stacked ? (ends(s) ? substr(s, 1, strlen(s) - strlen(mark)) : '') : s\n"
    "array colour[12] = ['#0b5fa5', '#c0561a', '#3a923a', '#8a5fb0', '#7a7a7a', '#c9a400', '#5bb5c5', '#d98cb3', '#2b2b2b', \\\n"
    "  '#b3d48a', '#e8a87c', '#9e3a3a']\n"
    "do for [kind in 'svg png'] {\n"
    "  font = kind eq 'svg' ? 'DejaVu Sans,12' : 'DejaVu Sans,15'\n"
    "  wide = stacked ? 1300 : 1000\n"
    "  if (kind eq 'svg') { set terminal svg size wide,430 enhanced font font background rgb 'white' }\n"
    "  if (kind eq 'png') { set terminal pngcairo size 1.5 * wide,645 enhanced font font background rgb 'white' }\n"
    "  set output name.'.'.kind\n"
    "  plot for [i = 1:series] name.'.csv' using i + 1:xtic(name_of(stringcolumn(1))) every ::1 lc rgb colour[i] title word(titles, i), \\\n"
    "       (stacked ? NaN : 1) with lines lc rgb '#222222' lw 1 dt 2 notitle\n"
    "}\n";

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

bool hd_plot_bars(const struct hd_plot_bars *b, const char *folder, const char *name, const char *title)
{
    FILE *f = write_csv(b, folder, name) ? hd_plot_begin(folder, name, b->stacked ? "Stacked bars" : "Grouped bars", title)
                                         : NULL;
    if (!f)
        return false;
    fprintf(f, "what = '%s'\nmost = %.3f\nseries = %zu\nstacked = %d\nmark = '%s'\ntitles = '", b->what, highest(b),
            b->series, b->stacked, b->mark ? b->mark : "");
    for (size_t s = 0; s < b->series; s++)
        fprintf(f, "%s\"%s\"", s ? " " : "", b->title[s]);
    fprintf(f, "'\n%s", plot_script);
    return hd_plot_end(f, folder, name);
}
