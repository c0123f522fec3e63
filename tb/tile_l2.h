/* tile_l2.h - the L2 tile: a bank of RTL between its two links and a channel of memory. */
#ifndef HD_TILE_L2_H
#define HD_TILE_L2_H
#include "check/overwritten.h"
#include "mem/memory.h"
#include "tile.h"

extern const struct hd_tile_kind hd_l2_kind;

/* @up, @down: links from and to the SMs' side, NULL in a slice. @channel of *@memory: the builder's, which closes it.
 * @overwritten: told of performed stores; NULL: no such machine. @return NULL after a message on stderr. */
struct hd_tile *hd_l2_new(const struct hd_site *site, struct hd_link *up, struct hd_link *down,
                          const struct hd_memory *memory, void *channel, struct hd_overwritten *overwritten);

/* The two halves of a slow cycle of a slice: inputs before, outputs after the edge of @now. */
void hd_l2_before(struct hd_tile *t, uint64_t now);
void hd_l2_after(struct hd_tile *t, uint64_t now);
#endif
