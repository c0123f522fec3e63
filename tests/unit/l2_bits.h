/* l2_bits.h - members of the L2's structs (hd_pkg::l2_*_s) as C tests see them: bits of a port. */
#ifndef L2_BITS_H
#define L2_BITS_H
#include <stdbool.h>
#include <stdint.h>
#include "hd_pkg.h"

/* The struct of one bit each that has these set: L2_BIT(WORK, RSP) | ... */
#define L2_BIT(type, member) (UINT64_C(1) << HD_L2_##type##_##member##_LSB)
/* Member of a struct in @bits. */
#define L2_GET(type, member, bits) ((bool)((bits) >> HD_L2_##type##_##member##_LSB & 1))
/* ... with @value. */
#define L2_PUT(type, member, value) ((uint64_t)((value) != 0) << HD_L2_##type##_##member##_LSB)

/* hd_pkg::l2_asker_s */
static inline uint32_t l2_asker(unsigned src, unsigned tid, unsigned opid)
{
    return (uint32_t)src << HD_L2_ASKER_SRC_LSB | (uint32_t)tid << HD_L2_ASKER_TID_LSB | (uint32_t)opid << HD_L2_ASKER_OPID_LSB;
}
#endif
