/* convert.h - the second pass over a trace: instructions become operations of this machine (docs/traces.md). */
#ifndef HD_TRACE_CONVERT_H
#define HD_TRACE_CONVERT_H
#include "hdt.h"
#include "scan.h"

/* Imports what @s has scanned to @path; *written (NULL is allowed): what it has become. @return false after an error. */
bool hd_trace_convert(struct hd_scan *s, const struct hd_trace_options *o, const char *path, struct hd_hdt_written *written,
                      struct hd_diag *d);
#endif
