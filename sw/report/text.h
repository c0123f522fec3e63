/* text.h - numbers and text in tables on stdout.
 *
 * This room writes results, whatever they are: text.h, json.h, csv.h, figure.h (drawings), plot.h (bars, gnuplot), files.h (folders). It knows
 * no machine and no run. */
#ifndef HD_TEXT_H
#define HD_TEXT_H
#include <stdint.h>

/* 1234567 as "1,234,567", in @text; @x rounded. */
const char *hd_text_grouped(uint64_t n, char text[32]);
const char *hd_text_rounded(double x, char text[32]);

/* A count of bytes with a decimal unit. */
const char *hd_text_bytes(double n, char text[32]);

/* Prints @x flush right; "-" for NAN. */
void hd_text_number(double x, int width, int digits);

/* Prints "      LABEL   TEXT" in lines of 118 columns, those after the first indented to @indent. */
void hd_text_wrap(const char *label, const char *text, int indent);
#endif
