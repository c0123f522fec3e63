/* json.c - see json.h. */
#include "json.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Of what is to be read by people too. */
static size_t flags(size_t indent, size_t digits)
{
    return JSON_INDENT(indent) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(digits);
}

bool hd_json_print(json_t *all, size_t indent, size_t digits)
{
    bool good = json_dumpf(all, stdout, flags(indent, digits)) == 0;
    json_decref(all);
    return putchar('\n') != EOF && good;
}

bool hd_json_save(json_t *all, size_t indent, size_t digits, const char *option, const char *path)
{
    bool good = json_dump_file(all, path, flags(indent, digits)) == 0;
    if (!good)
        fprintf(stderr, "heddle: %s %s: cannot be written: %s\n", option, path, strerror(errno));
    json_decref(all);
    return good;
}

char *hd_json_line(json_t *all)
{
    char *text = json_dumps(all, JSON_COMPACT | JSON_PRESERVE_ORDER);
    json_decref(all);
    return text;
}
