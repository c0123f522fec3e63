/* lot.h - the random choices of the litmus runners: one number is the whole state, a seed any number. */
#ifndef HD_LOT_H
#define HD_LOT_H
#include <stdint.h>

/* @return the next number (splitmix64). */
static inline uint64_t hd_lot(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* @return a number from 0 to below @n; 0 for n = 0. */
static inline unsigned hd_lot_below(uint64_t *state, unsigned n)
{
    return (unsigned)((hd_lot(state) >> 32) * n >> 32);
}

#endif
