/* source.h - the text of a trace file, line by line, whatever it is packed in: plain, xz, or the chunks of a .tracez, whose
 * blocks and warps are given as the lines that a .traceg has for them.
 *
 * Memory does not depend on the file's size: 128 KiB of text, and what liblzma or zstd take (xz -6: 9 MiB). */
#ifndef HD_TRACE_SOURCE_H
#define HD_TRACE_SOURCE_H
#include "diag.h"

struct hd_source;

enum { HD_SOURCE_LINE = 1 << 16 /* longest line, bytes */, HD_SOURCE_BEHIND = 64 };

/* Opens @path; what it is is seen by its first bytes, and by ".tracez" in the name. *d and path must outlive it.
 * @return NULL after an error in *d. */
struct hd_source *hd_source_open(const char *path, struct hd_diag *d);
void hd_source_close(struct hd_source *s); /* NULL is allowed */

/* The next line: text[0..*n) without its end (LF or CR LF) and blanks in front of it; text[*n] is below ' ', and it and the
 * bytes up to text[*n + HD_SOURCE_BEHIND) may be read. Valid until the next call. @return NULL at the end and after an error,
 * of which *d then knows. */
const char *hd_source_line(struct hd_source *s, size_t *n);

/* The last line, hd_source_line() gives it once more. */
void hd_source_again(struct hd_source *s);

/* Where the last line stands, for messages: "FILE:BYTE: line L", the byte that of @column of it. */
const char *hd_source_place(const struct hd_source *s, size_t column, char text[HD_DIAG_TEXT]);

/* Bytes of text so far; bytes of the file read so far and in all. */
uint64_t hd_source_text(const struct hd_source *s);
uint64_t hd_source_progress(const struct hd_source *s, uint64_t *all);
#endif
