/* list.h - which kernels there are: a kernelslist.g, or one trace file. */
#ifndef HD_TRACE_LIST_H
#define HD_TRACE_LIST_H
#include "diag.h"

struct hd_trace_list {
    char **path;        /* of the kernels, in order */
    size_t count;
    uint64_t copies, copied_bytes;
};

/* Reads @path. @skip_missing: files that are not there are a warning. @return false after an error in *d; free in both. */
bool hd_trace_list_read(struct hd_trace_list *l, const char *path, bool skip_missing, struct hd_diag *d);
void hd_trace_list_free(struct hd_trace_list *l);

/* Is kernel @number (from 1) called @name chosen by @which: NULL (all), or numbers, ranges a-b, parts of names, with commas? */
bool hd_trace_chosen(const char *which, uint64_t number, const char *name, size_t name_bytes);
/* @return the number of the kernel at place @i (from 0); *name, *bytes long. */
typedef uint64_t hd_trace_nth(const void *ctx, size_t i, const char **name, size_t *bytes);
/* Does each item of @which choose some of @kernels of @of? @return false after an error: also when there are none. */
bool hd_trace_all_choose(const char *which, size_t kernels, hd_trace_nth *nth, const void *ctx, const char *of, struct hd_diag *d);
/* @return the first range of @which that ends before it begins, its length in *n; NULL: there is none. */
const char *hd_trace_backwards(const char *which, size_t *n);
#endif
