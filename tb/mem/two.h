/* two.h - two memories behind one memory port: DRAM below the key nv_base, non-volatile memory from it on.
 *
 * Both see the requests of their addresses in the order in which they were pushed. Of a cycle one answer goes to the tile:
 * the one that was due first, DRAM's on a tie. Each memory holds mem_credits requests, and with persist barriers the tile
 * has as many credits for each: writes that wait for slow NVRAM keep none from DRAM. Without, one pool of mem_credits serves both. Answers
 * that the tile has no place for wait here; a memory may have mem_credits of them under way.
 *
 * The tile is told of writes that have completed when it has persist barriers. All times are core cycles. */
#ifndef HD_TWO_H
#define HD_TWO_H
#include "mem/memory.h"
#include "mem/nvram.h"

/* A channel with the dram_* and the nv_* keys; wants nv_base != 0. */
extern const struct hd_memory hd_two_memory;

/* Its non-volatile memory, owned by the channel. */
struct hd_nvram *hd_two_nvram(const void *channel);
#endif
