/* overwritten.h - the words that stores overwrote, of a machine that writes through (l1 = vi), checked builds.
 *
 * There the L2 knows them and the SM completes the store: each L2 tile tells of every store it performs whose it was
 * and what its line held before; each SM takes that when it completes the store. The answers of a partition to an SM
 * come in the order in which it performed, so a queue for each pair is enough, and both ends may run in two threads:
 * a store is performed in an earlier window than it is completed in. */
#ifndef HD_OVERWRITTEN_H
#define HD_OVERWRITTEN_H
#include "image/image.h"
#include <stdint.h>

struct hd_overwritten;

/* @stores: most of an SM under way at a time. @word_units: 32-bit units of a word. @return NULL: no memory. */
struct hd_overwritten *hd_overwritten_new(unsigned sms, unsigned parts, unsigned stores, unsigned line_bytes,
                                          unsigned word_units);
void hd_overwritten_free(struct hd_overwritten *o); /* NULL is allowed */

/* By partition @part: a store of @sm's operation @opid to line @addr was performed; @line: what it held before. */
void hd_overwritten_tell(struct hd_overwritten *o, unsigned part, unsigned sm, unsigned opid, uint32_t addr,
                         const uint32_t *line);

/* What partition @part has told since the last call, for the SMs of another process. Between windows; once a window. */
void hd_overwritten_news(struct hd_overwritten *o, unsigned part, struct hd_image *io);

/* What a partition, what an SM has written, there and back (image.h). */
void hd_overwritten_part_state(struct hd_overwritten *o, unsigned part, struct hd_image *io);
void hd_overwritten_sm_state(struct hd_overwritten *o, unsigned sm, struct hd_image *io);

/* By SM @sm, which completes the store to the line of word @addr. @return the line's words, valid until the end of
 * the window; NULL: no partition has told of it. */
const uint32_t *hd_overwritten_take(struct hd_overwritten *o, unsigned sm, unsigned opid, uint32_t addr);
#endif
