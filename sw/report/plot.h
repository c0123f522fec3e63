/* plot.h - plots: curves by gnuplot (NAME.csv, the script NAME.gp that reads it, and where there is gnuplot NAME.svg and
 * NAME.png), bars by figure.h. */
#ifndef HD_PLOT_H
#define HD_PLOT_H
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Opens FOLDER/NAME.gp and writes its first lines: @kind in a comment, `name` and `heading` (@title) as variables.
 * @return NULL after a message. */
FILE *hd_plot_begin(const char *folder, const char *name, const char *kind, const char *title);

/* Closes the script and has gnuplot run it; says so on stderr when that fails, since NAME.csv has the numbers. @return
 * false when the script could not be written. */
bool hd_plot_end(FILE *script, const char *folder, const char *name);

/* A table of groups as grouped or stacked bars. */
enum { HD_PLOT_SERIES = 12, HD_PLOT_GROUPS = 96 };

struct hd_plot_bars {
    const char *what;          /* label of the axis */
    const char *title[HD_PLOT_SERIES], *group[HD_PLOT_GROUPS];
    size_t series, groups;
    bool stacked;              /* one bar a group, in layers; a group without a name is a gap */
    double value[HD_PLOT_GROUPS][HD_PLOT_SERIES]; /* NAN: no bar */
    const char *bar[HD_PLOT_GROUPS]; /* stacked: which bar of its group it is; NULL: the group's only one */
    json_t *stated;            /* what a paper states, see svg.h; taken over; may be NULL */
    json_t *keep;              /* array that gets the figure's data, as of svg.h, with its `name`; may be NULL */
};

/* Writes the three files; @title stands above the plot. @return false after a message. */
bool hd_plot_bars(const struct hd_plot_bars *b, const char *folder, const char *name, const char *title);
#endif
