/* hd_access.h - ports of type hd_pkg::access_s in unit tests: all fields, as the package has them. */
#ifndef HD_ACCESS_H
#define HD_ACCESS_H
#include "hd_bits.h"

#define HD_ACCESS_MEMBER(name, lsb, width) unsigned name;
struct hd_access {
    HD_ACCESS_FIELDS(HD_ACCESS_MEMBER)
};
#undef HD_ACCESS_MEMBER

static inline uint64_t hd_access_pack(struct hd_access a)
{
    uint64_t bits = 0;

#define HD_ACCESS_PUT(name, lsb, width) bits |= (uint64_t)(a.name & ((1u << (width)) - 1)) << (lsb);
    HD_ACCESS_FIELDS(HD_ACCESS_PUT)
#undef HD_ACCESS_PUT
    return bits;
}

static inline struct hd_access hd_access_unpack(uint64_t bits)
{
    struct hd_access a;

#define HD_ACCESS_GET(name, lsb, width) a.name = (unsigned)(bits >> (lsb)) & ((1u << (width)) - 1);
    HD_ACCESS_FIELDS(HD_ACCESS_GET)
#undef HD_ACCESS_GET
    return a;
}

/* What a table of pending accesses keeps of it whose slots are @slot_bits wide. */
static inline uint64_t hd_access_kept(struct hd_access a, unsigned slot_bits)
{
    return hd_access_pack(a) & ((UINT64_C(1) << (HD_MISS_W - HD_TAG_W - HD_SLOT_W + slot_bits)) - 1);
}

/* Of the same, what the pending request table keeps: whose it is, kind and function. */
static inline uint64_t hd_access_kept_by_prt(struct hd_access a, unsigned slot_bits)
{
    const uint64_t left_out = (UINT64_C(1) << HD_DESC_W) - (UINT64_C(1) << HD_WHAT_W);

    return hd_access_kept(a, slot_bits) & ~left_out;
}

static inline struct hd_access hd_access_random(void)
{
    return hd_access_unpack(hd_rand());
}
#endif
