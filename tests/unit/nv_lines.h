/* nv_lines.h - line numbers for unit tests of what tells lines of non-volatile memory apart. */
#ifndef NV_LINES_H
#define NV_LINES_H
#include "hd_unit.h"

/* Draws a line at which non-volatile memory begins, 0: there is none (@none), and @count numbers below @limit: those from the half
 * on are of it; the last before them and the first are the lines on both sides of where it begins. @return that line. */
static inline uint32_t nv_lines(uint32_t *number, unsigned count, uint32_t limit, bool none)
{
    const uint32_t base = none ? 0 : 1 + (uint32_t)hd_rand_below(limit - 1);

    for (unsigned i = 0; i < count; i++)
        number[i] = none ? (uint32_t)hd_rand_below(limit) : i < count / 2 ? (uint32_t)hd_rand_below(base)
                  : base + (uint32_t)hd_rand_below(limit - base);
    if (!none)
        number[count / 2 - 1] = base - 1, number[count / 2] = base;
    return base;
}
#endif
