/* json.h - JSON objects (jansson) written out. */
#ifndef HD_JSON_H
#define HD_JSON_H
#include <jansson.h>
#include <stdbool.h>

/* Prints @all on stdout, indented by @indent, reals with @digits, and a line end; releases it. @return false when it
 * cannot be written. */
bool hd_json_print(json_t *all, size_t indent, size_t digits);

/* The same into a file, without a line end; @option stands in the message. @return false after a message. */
bool hd_json_save(json_t *all, size_t indent, size_t digits, const char *option, const char *path);

/* @return @all in one line, to be freed; it is released. */
char *hd_json_line(json_t *all);
#endif
