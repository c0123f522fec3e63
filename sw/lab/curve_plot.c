/* curve_plot.c - see outstanding.h: a curve as CSV and as a Thread-Latency plot with the axes of paper 2: latency on the left,
 * variance on the right. */
#include "outstanding.h"
#include "report/csv.h"
#include "report/plot.h"
#include <math.h>
#include <stdio.h>

static const char plot_script[] =
    "set datafile separator ','\n"
    "set border 11 lw 1 lc rgb '#444444'\n"
    "set tics nomirror out\n"
    "set grid x y lc rgb '#dddddd' lw 1\n"
    "set xlabel 'threads of the block'\n"
    "set ylabel 'latency (core cycles)' tc rgb '#0b5fa5'\n"
    "unit = most_variance > 20000 ? 1000.0 : 1.0\n"
    "squared = unit > 1 ? 'thousand cycles^2' : 'cycles^2'\n"
    "set y2label 'variance of the latency ('.squared.')' tc rgb '#c0561a'\n"
    "set ytics tc rgb '#0b5fa5'\n"
    "set y2tics tc rgb '#c0561a'\n"
    "set xrange [begin:last]\n"
    "if (begin == 0 && last % 128 == 0) { set xtics last / 8 }\n"
    "set yrange [0:1.08 * most]\n"
    "set y2range [0:1.25 * most_variance / unit]\n"
    "set key at screen 0.5, screen 0.02 center bottom horizontal samplen 2\n"
    "set bmargin 5.2\n"
    "set title heading noenhanced font ',14'\n"
    "if (spike == 0) { set label 1 'no spike' at graph 0.02, graph 0.96 left front tc rgb '#222222' }\n"
    "if (spike > 0) {\n"
    "  set arrow 1 from first spike, graph 0 to first spike, graph 1 nohead lc rgb '#222222' lw 1 dt 2 back\n"
    "  left = spike - begin < 0.75 * (last - begin)\n"
    "  set label 1 sprintf('%d threads', spike) at first spike, graph 0.96 offset character (left ? 0.7 : -0.7),0 \\\n"
    "    left front tc rgb '#222222'\n"
    "  if (!left) { set label 1 right }\n"
    "}\n"
    "do for [kind in 'svg png'] {\n"
    "  font = kind eq 'svg' ? 'DejaVu Sans,12' : 'DejaVu Sans,15'\n"
    "  if (kind eq 'svg') { set terminal svg size 760,400 enhanced font font background rgb 'white' }\n"
    "  if (kind eq 'png') { set terminal pngcairo size 1140,600 enhanced font font background rgb 'white' }\n"
    "  set output name.'.'.kind\n"
    "  plot name.'.csv' using 1:(variances ? column(6) / unit : 0) axes x1y2 with lines lc rgb '#c0561a' lw 1.5 \\\n"
    "         title 'variance (right axis)', \\\n"
    "       name.'.csv' using 1:5 with lines lc rgb '#0b5fa5' lw 2.5 title 'latency (left axis)'\n"
    "}\n";

enum { ONE_WARP = 32 };

static bool write_csv(const struct hd_lab_curve *curve, const char *folder, const char *name)
{
    struct hd_csv c;
    if (!hd_csv_open(&c, folder, name))
        return false;
    hd_csv_text(&c, "threads");
    for (int k = 0; k < HD_LAB_OFFSETS; k++) {
        char head[32];
        snprintf(head, sizeof head, "latency_offset_%u", hd_lab_offsets[k]);
        hd_csv_text(&c, head);
    }
    hd_csv_text(&c, "latency");
    hd_csv_text(&c, "variance");
    hd_csv_end_row(&c);
    for (size_t i = 0; i < curve->n; i++) {
        const struct hd_lab_sample *s = &curve->sample[i];
        hd_csv_count(&c, s->threads);
        for (int k = 0; k < HD_LAB_OFFSETS; k++)
            hd_csv_count(&c, s->run[k]);
        hd_csv_number(&c, s->latency, 3);
        hd_csv_number(&c, s->variance, 3);
        hd_csv_end_row(&c);
    }
    return hd_csv_close(&c);
}

bool hd_lab_write(const struct hd_lab_curve *c, const char *folder, const char *name, const char *title)
{
    double most = 0, variance = NAN;
    FILE *f = write_csv(c, folder, name) ? hd_plot_begin(folder, name, "Thread-Latency plot", title) : NULL;
    if (!f)
        return false;
    for (size_t i = 0; i < c->n; i++) {
        most = fmax(most, c->sample[i].latency);
        variance = fmax(variance, c->sample[i].variance); /* fmax leaves NAN out */
    }
    fprintf(f, "begin = %u\nlast = %u\nspike = %u\n", c->sample[0].threads <= ONE_WARP ? 0 : c->sample[0].threads,
            c->sample[c->n - 1].threads, c->spike.clear ? c->spike.threads : 0);
    fprintf(f, "most = %.1f\nvariances = %d\nmost_variance = %.1f\n%s", most, !isnan(variance),
            variance > 1 ? variance : 1, plot_script);
    return hd_plot_end(f, folder, name);
}
