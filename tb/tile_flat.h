/* tile_flat.h - the chip verilated whole as a tile: it runs the slices of it, which are tiles without a life of their
 * own, cycle by cycle around one edge of the chip. */
#ifndef HD_TILE_FLAT_H
#define HD_TILE_FLAT_H
#include "tile.h"

extern const struct hd_tile_kind hd_flat_kind;

/* @flat: belongs to the tile from then on, also on failure. @return NULL after a message on stderr. */
struct hd_tile *hd_flat_tile_new(const struct hd_config *c, struct hd_flat *flat);

/* Slices, each kind in the order in which it is driven. @return false after a message on stderr. */
bool hd_flat_tile_slices(struct hd_tile *t, struct hd_tile *const *tiles, unsigned n);
#endif
