/* memory.h - what stands behind the memory port of an L2 tile, as a table: one channel for each such tile.
 *
 * A channel holds the lines whose line number has its partition in the low bits, and answers reads of whole lines in
 * its own time. Requests are performed in the order in which they are pushed. A request holds a credit until the
 * channel gives it back, an answer a place of the tile. All times are core cycles; those of one channel do not
 * decrease. The calls of a busy tile's edge go through this table, an idle tile makes one a window. */
#ifndef HD_MEMORY_H
#define HD_MEMORY_H
#include "config.h"
#include "counters.h"
#include "image/image.h"
#include <stdbool.h>
#include <stdint.h>

struct hd_memory {
    /* One channel of the machine. @return NULL after a message on stderr. */
    void *(*open)(const struct hd_config *c);
    void (*close)(void *channel); /* NULL is allowed */

    /* The next @writes pushed writes allocate nothing. @return false when there is no memory. */
    bool (*reserve)(void *channel, unsigned writes);

    /* Serves what can be served before cycle @now. Comes first in every cycle. */
    void (*advance)(void *channel, uint64_t now);

    /* A request the tile sent at the edge of @now. @data: the line of a write; copied. @return false when the tile had
     * no credit. */
    bool (*push)(void *channel, uint64_t now, bool write, uint32_t addr, uint8_t tid, const uint32_t *data);

    /* The next answer due, removed. @return its words, valid until the next push; NULL if none. */
    const uint32_t *(*answer)(void *channel, uint64_t now, uint8_t *tid);
    /* @return bits: a request credit goes back now, 1, and one of those that a second memory behind the port has, 2; taken. */
    unsigned (*credit)(void *channel);
    bool (*answer_taken)(void *channel); /* the tile has one more place. @return false when it had them all */

    /* The next write that has become durable, taken, by the tid it had. NULL: not of this memory. */
    bool (*durable)(void *channel, uint64_t now, uint8_t *tid);

    uint64_t (*next)(const void *channel, uint64_t now); /* first cycle at which an answer or credit may be there */
    bool (*idle)(const void *channel);       /* nothing under way, credits and places home */
    unsigned (*queued)(const void *channel); /* requests waiting */
    unsigned (*unanswered)(const void *channel);

    /* Contents, one word. @return false when there is no memory. */
    uint32_t (*peek)(const void *channel, uint32_t addr);
    bool (*poke)(void *channel, uint32_t addr, uint32_t value);

    /* Its state, there and back (image.h). */
    void (*state)(void *channel, struct hd_image *io);
    /* NULL, or: what it told those who look on since the last call; loaded, they are told of it. */
    void (*news)(void *channel, struct hd_image *io);

    /* Sums over @n channels, also for none. */
    void (*counters)(void *const *channels, unsigned n, unsigned line_bytes, struct hd_counters *out);
};
#endif
