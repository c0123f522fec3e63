/* lab_bars.c - see lab.h: a table of groups as CSV and as grouped or stacked bars. */
#include "files.h"
#include "lab/lab.h"
#include <math.h>
#include <stdio.h>

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

static bool write_csv(const struct hd_lab_bars *b, const char *folder, const char *name)
{
    char file[160];
    snprintf(file, sizeof file, "%.150s.csv", name);
    FILE *f = hd_files_open_in(folder, file);
    if (!f)
        return false;
    fprintf(f, "%s", b->corner);
    for (size_t s = 0; s < b->series; s++)
        fprintf(f, ",%s", b->title[s]);
    for (size_t g = 0; g < b->groups; g++) {
        fprintf(f, "\n%s", b->group[g]);
        for (size_t s = 0; s < b->series; s++)
            if (isnan(b->value[g][s]))
                fprintf(f, ",");
            else
                fprintf(f, ",%.4f", b->value[g][s]);
    }
    fputc('\n', f);
    return fclose(f) == 0;
}

bool hd_lab_write_bars(const struct hd_lab_bars *b, const char *folder, const char *name, const char *title)
{
    char file[160];
    double most = b->stacked ? 0 : 1;
    snprintf(file, sizeof file, "%.150s.gp", name);
    if (!write_csv(b, folder, name))
        return false;
    FILE *f = hd_files_open_in(folder, file);
    if (!f)
        return false;
    for (size_t g = 0; g < b->groups; g++) {
        double sum = 0;
        for (size_t s = 0; s < b->series; s++) {
            sum += isnan(b->value[g][s]) ? 0 : b->value[g][s];
            most = fmax(most, b->stacked ? sum : b->value[g][s]); /* fmax leaves NAN out */
        }
    }
    fprintf(f, "# %s bars: gnuplot %s\nname = '%s'\nheading = '%s'\nwhat = '%s'\nmost = %.3f\nseries = %zu\nstacked = %d\n"
            "mark = '%s'\ntitles = '", b->stacked ? "Stacked" : "Grouped", file, name, title, b->what, most, b->series,
            b->stacked, b->mark ? b->mark : "");
    for (size_t s = 0; s < b->series; s++)
        fprintf(f, "%s\"%s\"", s ? " " : "", b->title[s]);
    fprintf(f, "'\n%s", plot_script);
    return fclose(f) == 0 && hd_lab_draw(folder, file, name);
}
