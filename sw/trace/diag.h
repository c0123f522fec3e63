/* diag.h - what is wrong with a trace: errors with their place, warnings once a kind with their number. */
#ifndef HD_TRACE_DIAG_H
#define HD_TRACE_DIAG_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HD_DIAG_ERRORS = 10, HD_DIAG_KINDS = 48, HD_DIAG_TEXT = 400 };

struct hd_diag {
    bool strict;        /* warnings are errors */
    bool quiet;         /* nothing is printed: for fuzzing */
    unsigned errors;    /* the first HD_DIAG_ERRORS are printed */
    size_t kinds;
    struct {
        char kind[96], first[HD_DIAG_TEXT]; /* what; where it was seen first */
        uint64_t count;
    } warning[HD_DIAG_KINDS];
};

/* An error, printed at once on stderr as "heddle: ...". @return false, for the caller to return. */
__attribute__((format(printf, 2, 3))) bool hd_diag_error(struct hd_diag *d, const char *format, ...);

/* A warning: @kind tells it from others. Beyond HD_DIAG_KINDS kinds they are counted as one. @place: where. */
void hd_diag_warn(struct hd_diag *d, const char *place, const char *kind);

/* Prints the warnings with their numbers, and how many errors were not shown. @return true when nothing is wrong: no
 * error and, if strict, no warning. */
bool hd_diag_end(const struct hd_diag *d);
#endif
