/* line_names.h - numbers of the few lines of a test of a whole L1, over all bits that a line's number has. */
#ifndef LINE_NAMES_H
#define LINE_NAMES_H
#include "hd_unit.h"

/* The lines differ in three bits side by side: the lowest, or @again any. All other bits are the complement of those before, or
 * drawn. */
static inline void rename_lines(uint32_t *number, unsigned lines, unsigned line_w, bool again)
{
    static uint32_t base;
    const unsigned at = again ? 3 + (unsigned)hd_rand_below(line_w - 5) : 0;

    base = (again && hd_rand_below(2) ? ~base : (uint32_t)hd_rand()) & ((1u << line_w) - 1);
    for (unsigned l = 0; l < lines; l++) {
        number[l] = (base & ~(7u << at)) | l << at;
        number[l] ^= at ? (uint32_t)hd_rand_below(8) : 0;
    }
}
#endif
