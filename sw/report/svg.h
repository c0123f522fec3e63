/* svg.h - figures as SVG, drawn from their data: bars that lie, a group below the other, so that every name has its room and
 * the figure is legible on a narrow page; or a curve.
 *
 * The data is a JSON object. Both: `title`, `what` (label of the axis of values, with its unit). Bars: `series` (names),
 * `stacked`, `groups`: [{name, bar, values: [number or null]}] where `bar` names one bar of a stacked group. A curve: `across`
 * (label of the other axis), `points`: [[x, y]], `step` (where it steps, or null). `stated`: what a paper states,
 * [{group, series, value, text}]; of a curve [{value, text}], on the axis across. */
#ifndef HD_SVG_H
#define HD_SVG_H
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Draws @figure. @alone: as a file of its own, with its style. */
void hd_svg_figure(FILE *f, const json_t *figure, bool alone);

/* The style that figures in a page need. */
extern const char hd_svg_style[];

/* Prints text with the characters escaped that mean something in HTML. */
void hd_svg_text(FILE *f, const char *text);
#endif
