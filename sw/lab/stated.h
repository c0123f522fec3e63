/* stated.h - the numbers that the papers state of bars and curves of their figures; the claims have all others. */
#ifndef HD_STATED_H
#define HD_STATED_H
#include <jansson.h>

/* @return those of a figure by the name of its files, as svg.h wants them; NULL: none. To be released. */
json_t *hd_lab_stated(const char *figure);
#endif
