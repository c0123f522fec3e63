/* portlog.h - what happened at the C ports of a tile, with its cycle: the witness that two ways of running a
 * machine are the same.
 *
 * A tile appends to its own log while cycles run; the machine writes the logs out between windows, tile after
 * tile, so the text does not depend on the order in which tiles were run. A line:
 *   CYCLE sm N offer    warp kind        an operation was driven
 *   CYCLE sm N taken    warp slot
 *   CYCLE sm N complete warp slot last mask #words    words: checksum of those that mean something
 *   CYCLE sm N control  warps clock     clock: 0 when none was read
 *   CYCLE sm N flushed
 *   CYCLE sm N state    line mesi        the L1's state of a line changed
 *   CYCLE l2 N request  write address tid #words   tid: of a write 0, the pins hold anything then
 *   CYCLE l2 N answer   tid #words */
#ifndef HD_PORTLOG_H
#define HD_PORTLOG_H
#include "port.h"
#include <stddef.h>
#include <stdio.h>

enum hd_port_event {
    HD_PORT_OFFER, HD_PORT_TAKEN, HD_PORT_COMPLETE, HD_PORT_CONTROL, HD_PORT_FLUSHED, HD_PORT_STATE,
    HD_PORT_REQUEST, HD_PORT_ANSWER
};

struct hd_port_record {
    uint64_t cycle, value[4];
    enum hd_port_event event;
};

struct hd_port_log {
    struct hd_port_record *record;
    size_t count, room;
};

/* @room: records between two writes. @return false when there is no memory. */
bool hd_port_log_init(struct hd_port_log *l, size_t room);
void hd_port_log_fini(struct hd_port_log *l); /* a zeroed log is allowed */

/* Values as in the list above, 0 where there are fewer. A log without room (not initialized) drops them. */
void hd_port_log_put(struct hd_port_log *l, uint64_t cycle, enum hd_port_event event, uint64_t a, uint64_t b,
                     uint64_t c, uint64_t d);

/* Writes the records as lines of tile @name @number and empties the log. */
void hd_port_log_write(struct hd_port_log *l, FILE *file, const char *name, unsigned number);

/* Checksum of @n words; those whose bit of @mask (one for every @group words) is 0 do not count. */
uint32_t hd_port_log_sum(const uint32_t *words, unsigned n, hd_mask_t mask, unsigned group);
#endif
