/* scoped.h - litmus tests in the PTX and Vulkan spellings, tables of columns `P0@cta 0,gpu 0` or `P0@sg 0,wg 0,qf 0`,
 * in OpenCL C, and in that of the Vulkan memory model's own tests.
 *
 * Such a test is rewritten in LISA, line by line, and read by lisa.c: one internal form, one set of checks. What maps to
 * what, and what does not: docs/litmus.md. */
#ifndef HD_SCOPED_H
#define HD_SCOPED_H
#include <stdbool.h>
#include <stddef.h>

enum hd_scoped_end {
    HD_SCOPED_DONE,
    HD_SCOPED_UNMAPPED,      /* well formed, but with a feature that this machine does not have */
    HD_SCOPED_BAD            /* malformed */
};

/* What a test says itself of its outcome, if it does (known): whether it is possible, and without a data race. */
struct hd_stated {
    bool known, possible, race;
};

/* @return whether a text is in one of these spellings, by its first word. */
bool hd_scoped_is(const char *text, size_t length);

/* Rewrites a test. DONE: the LISA text in @lisa, freed by free(); an instruction stands in the line it had, in OpenCL in the program's first. UNMAPPED: the
 * name of the feature in @message. BAD: "NAME:LINE:COLUMN: expected ..." there. @size: bytes of @message, at least 64. */
enum hd_scoped_end hd_scoped_rewrite(const char *text, size_t length, const char *name, char **lisa, struct hd_stated *stated,
                                     char *message, size_t size);
#endif
