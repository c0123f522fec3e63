/* tile_fixed.h - the ideal memory (mem/fixed.h) as a tile: it takes what arrives on the SM's up link, and the SM fetches
 * the answers from it, a wide one a cycle. */
#ifndef HD_TILE_FIXED_H
#define HD_TILE_FIXED_H
#include "mem/fixed.h"
#include "tile.h"

extern const struct hd_tile_kind hd_fixed_kind;

/* @memory: belongs to the tile from then on, also on failure. @return NULL after a message on stderr. */
struct hd_tile *hd_fixed_tile_new(const struct hd_config *c, struct hd_fixed *memory);
#endif
