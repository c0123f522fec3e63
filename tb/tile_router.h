/* tile_router.h - a router of the mesh: flits between its neighbours, its SM and its L2 tile. */
#ifndef HD_TILE_ROUTER_H
#define HD_TILE_ROUTER_H
#include "tile.h"

extern const struct hd_tile_kind hd_router_kind;

/* @site->number: of the node. @in, @out: links by port, HD_ROUTER_*; NULL where nothing is joined, and in a slice.
 * @return NULL after a message. */
struct hd_tile *hd_router_new(const struct hd_site *site, struct hd_link *const in[HD_ROUTER_PORTS],
                              struct hd_link *const out[HD_ROUTER_PORTS]);
#endif
