/* tile_sm.h - the SM tile: a tile of RTL between the client at its warp port and its two links. */
#ifndef HD_TILE_SM_H
#define HD_TILE_SM_H
#include "check/overwritten.h"
#include "mem/fixed.h"
#include "tile.h"

extern const struct hd_tile_kind hd_sm_kind;

/* @up, @down: links to and from the memory side, NULL in a slice. @fixed: NULL, or the ideal memory at the other end of
 * both, whose answers are wide (hd_sm_tile, WideFill). @overwritten: tells what its stores overwrote; NULL: their
 * completions do. @return NULL after a message on stderr. */
struct hd_tile *hd_sm_new(const struct hd_site *site, struct hd_link *up, struct hd_link *down, struct hd_fixed *fixed,
                          struct hd_overwritten *overwritten);

/* The two halves of a cycle of a slice: inputs before, outputs after the edge of @now. */
void hd_sm_before(struct hd_tile *t, uint64_t now, const struct hd_client *client);
void hd_sm_after(struct hd_tile *t, uint64_t now, const struct hd_client *client);
#endif
