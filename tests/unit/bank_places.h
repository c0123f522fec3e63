/* bank_places.h - where the lines and the SMs of a test of an L2 bank are: elsewhere after each move. Included behind LINES, SMS,
 * WORDS (of a line) and PART, the number of the bank. */
#ifndef BANK_PLACES_H
#define BANK_PLACES_H
#include "hd_unit.h"

static struct {
    uint32_t base;      /* number in the bank of the first line */
    unsigned node[SMS]; /* numbers of the SMs */
    unsigned moves, bit;
} places;

static uint32_t addr_of(unsigned line)
{
    return ((places.base + line) << P_PartBits | PART) * WORDS * 4;
}

static unsigned line_of(uint32_t addr)
{
    for (unsigned l = 0; l < LINES; l++)
        if (addr_of(l) == addr)
            return l;
    fail_msg("no such line: 0x%x", addr);
    return 0;
}

static unsigned sm_of(unsigned node)
{
    for (unsigned i = 0; i < SMS; i++)
        if (places.node[i] == node)
            return i;
    fail_msg("no such SM: %u", node);
    return 0;
}

/* @param counted  SMs keep the numbers from 0 on, which have places in a directory */
static void move_places(bool counted)
{
    places.base = (uint32_t)hd_rand() >> ((WORDS == 8 ? 5 : 6) + P_PartBits) & ~15u;
    if (counted) {
        for (unsigned i = 0; i < SMS; i++)
            places.node[i] = i;
    } else if (places.moves++ % 2) {
        for (unsigned i = 0; i < SMS; i++)
            places.node[i] = SMS * (unsigned)hd_rand_below((1u << HD_NODE_W) / SMS) + i;
    } else { /* they differ from the first in a bit each, of all bits in turn */
        places.node[0] = (unsigned)hd_rand_below(1u << HD_NODE_W);
        for (unsigned i = 1; i < SMS; i++)
            places.node[i] = places.node[0] ^ 1u << places.bit++ % HD_NODE_W;
    }
}
#endif
