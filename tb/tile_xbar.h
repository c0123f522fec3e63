/* tile_xbar.h - the crossbar tile: flits of one direction, from its links to its links. */
#ifndef HD_TILE_XBAR_H
#define HD_TILE_XBAR_H
#include "tile.h"

extern const struct hd_tile_kind hd_xbar_kind; /* number 0: up, 1: down */

/* @in[@ins], @out[@outs]: copied; all with the same networks; NULL in a slice. @return NULL after a message. */
struct hd_tile *hd_xbar_new(const struct hd_site *site, struct hd_link *const *in, unsigned ins,
                            struct hd_link *const *out, unsigned outs);
#endif
