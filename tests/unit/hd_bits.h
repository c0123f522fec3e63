/* hd_bits.h - bit fields of ports of any width, and the C reference of the atomic functions.
 *
 * A port's storage is little endian (hd_model.h), so its bit b is bit b % 8 of byte b / 8. */
#ifndef HD_BITS_H
#define HD_BITS_H
#include "hd_pkg.h"
#include "hd_unit.h"

/* Bytes of the storage of a port of @width bits. */
static inline size_t hd_bits_bytes(unsigned width)
{
    return width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : width <= 64 ? 8 : (width + 31) / 32 * 4;
}

/* Bits @lsb .. @lsb + @n - 1 of a port; @n 1..64, 0: none. By bytes: tests are compiled without optimization. */
static inline uint64_t hd_bits_get(const void *port, unsigned lsb, unsigned n)
{
    const uint8_t *byte = (const uint8_t *)port + lsb / 8;
    uint64_t value = (uint64_t)*byte >> lsb % 8;

    for (unsigned have = 8 - lsb % 8; have < n; have += 8)
        value |= (uint64_t)*++byte << have;
    return n == 0 ? 0 : value & UINT64_MAX >> (64 - n);
}

/* Sets those bits to the low @n bits of @value. */
static inline void hd_bits_put(void *port, unsigned lsb, unsigned n, uint64_t value)
{
    uint8_t *byte = (uint8_t *)port + lsb / 8;
    const uint64_t mask = n == 0 ? 0 : UINT64_MAX >> (64 - n);
    const unsigned first = 8 - lsb % 8;

    value &= mask;
    *byte = (uint8_t)((*byte & ~(mask << lsb % 8)) | value << lsb % 8);
    for (unsigned done = first; done < n; done += 8) {
        byte++;
        *byte = (uint8_t)((*byte & ~(mask >> done)) | value >> done);
    }
}

/* A member of a packed struct of hd_pkg on a port, by its name in hd_pkg.h: HD_GET(d.do_o, L1_DO_ACCEPT). */
#define HD_GET(port, member) hd_bits_get(port, HD_##member##_LSB, HD_##member##_W)
#define HD_PUT(port, member, value) hd_bits_put(port, HD_##member##_LSB, HD_##member##_W, value)

/* Fills a port of @width bits with random bits. */
static inline void hd_bits_random(void *port, unsigned width)
{
    for (unsigned at = 0; at < width; at += 64)
        hd_bits_put(port, at, width - at < 64 ? width - at : 64, hd_rand());
}

static inline unsigned hd_bits_count(uint64_t bits)
{
    unsigned n = 0;

    for (; bits != 0; bits &= bits - 1)
        n++;
    return n;
}

/* A random nonzero mask of @n bits (1..64): single bits, all bits and sparse masks are frequent. */
static inline uint64_t hd_bits_random_mask(unsigned n)
{
    const uint64_t all = UINT64_MAX >> (64 - n);
    uint64_t mask = hd_rand() & all;

    switch (hd_rand_below(4)) {
    case 0: mask = all; break;
    case 1: mask = UINT64_C(1) << hd_rand_below(n); break;
    case 2: mask &= hd_rand(); break;
    default: break;
    }
    return mask != 0 ? mask : UINT64_C(1) << hd_rand_below(n);
}

/* The new value of a word under atomic function @fn (enum hd_atomic_e), as CUDA defines them. */
static inline uint32_t hd_amo_reference(unsigned fn, uint32_t old, uint32_t b, uint32_t compare)
{
    const int64_t sold = old < UINT32_C(0x80000000) ? (int64_t)old : (int64_t)old - INT64_C(0x100000000);
    const int64_t sb = b < UINT32_C(0x80000000) ? (int64_t)b : (int64_t)b - INT64_C(0x100000000);

    switch (fn) {
    case HD_AT_ADD: return old + b;
    case HD_AT_MIN: return sold < sb ? old : b;
    case HD_AT_MAX: return sold > sb ? old : b;
    case HD_AT_AND: return old & b;
    case HD_AT_OR: return old | b;
    case HD_AT_XOR: return old ^ b;
    case HD_AT_EXCH: return b;
    case HD_AT_CAS: return old == compare ? b : old;
    case HD_AT_INC: return old >= b ? 0 : old + 1;
    case HD_AT_DEC: return old == 0 || old > b ? b : old - 1;
    case HD_AT_UMIN: return old < b ? old : b;
    case HD_AT_UMAX: return old > b ? old : b;
    default: fail_msg("no atomic function %u", fn); return 0;
    }
}
enum { HD_AMO_FUNCTIONS = HD_AT_UMAX + 1 };

/* A random operand: corners, small numbers (so that compares hit) and any value. */
static inline uint32_t hd_amo_random_operand(void)
{
    static const uint32_t corners[] = {0, 1, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff};

    switch (hd_rand_below(3)) {
    case 0: return corners[hd_rand_below(sizeof corners / sizeof *corners)];
    case 1: return (uint32_t)hd_rand_below(3);
    default: return (uint32_t)hd_rand();
    }
}
#endif
