/* diag.c - see diag.h. */
#include "diag.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool hd_diag_error(struct hd_diag *d, const char *format, ...)
{
    va_list args;

    if (d->errors++ >= HD_DIAG_ERRORS || d->quiet)
        return false;
    va_start(args, format);
    fputs("heddle: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return false;
}

void hd_diag_warn(struct hd_diag *d, const char *place, const char *kind)
{
    size_t i = 0;

    while (i < d->kinds && strncmp(d->warning[i].kind, kind, sizeof d->warning[i].kind - 1) != 0)
        i++;
    if (i == HD_DIAG_KINDS) {
        i--;
        snprintf(d->warning[i].kind, sizeof d->warning[i].kind, "other warnings");
    } else if (i == d->kinds) {
        d->kinds++;
        snprintf(d->warning[i].kind, sizeof d->warning[i].kind, "%s", kind);
        snprintf(d->warning[i].first, sizeof d->warning[i].first, "%s", place);
    }
    d->warning[i].count++;
}

bool hd_diag_end(const struct hd_diag *d)
{
    for (size_t i = 0; i < d->kinds && !d->quiet; i++)
        fprintf(stderr, "heddle: %s: %s: %s (%llu times)\n", d->warning[i].first, d->strict ? "error" : "warning",
                d->warning[i].kind, (unsigned long long)d->warning[i].count);
    if (d->errors > HD_DIAG_ERRORS && !d->quiet)
        fprintf(stderr, "heddle: %u errors more\n", d->errors - HD_DIAG_ERRORS);
    return d->errors == 0 && !(d->strict && d->kinds > 0);
}
