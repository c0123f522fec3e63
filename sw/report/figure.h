/* figure.h - the files of a figure: NAME.csv, what it is drawn from; NAME.svg; NAME.png, the same drawing, where there is
 * rsvg-convert. */
#ifndef HD_FIGURE_H
#define HD_FIGURE_H
#include <jansson.h>
#include <stdbool.h>

/* Writes them into @folder; @data is that of svg.h. @return false after a message; a PNG that cannot be made is none. */
bool hd_figure_write(const json_t *data, const char *folder, const char *name);
#endif
