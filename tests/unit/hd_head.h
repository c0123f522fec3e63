/* hd_head.h - message heads (hd_pkg::head_s) in unit tests: kind and route, and all bits of two compared. */
#ifndef HD_HEAD_H
#define HD_HEAD_H
#include "hd_bits.h"

/* Bytes of a head of @width bits and any port of one. */
#define HD_HEAD_BYTES(width) (((width) + 31) / 32 * 4)

/* An endpoint: kind (HD_END_*) and number. */
struct hd_end {
    unsigned kind, number;
};
#define HD_SM(n) ((struct hd_end){HD_END_SM, n})
#define HD_L2(n) ((struct hd_end){HD_END_L2, n})

/* A message of this kind from one endpoint to another; the rest of @head stays. */
static inline void hd_head_put(void *head, unsigned kind, struct hd_end from, struct hd_end to)
{
    hd_bits_put(head, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
    hd_bits_put(head, HD_HEAD_SRC_KIND_LSB, HD_HEAD_SRC_KIND_W, from.kind);
    hd_bits_put(head, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, from.number);
    hd_bits_put(head, HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W, to.kind);
    hd_bits_put(head, HD_HEAD_DST_LSB, HD_HEAD_DST_W, to.number);
}

/* All @width bits are the same. */
static inline void hd_head_same(const void *head, const void *wanted, unsigned width)
{
    for (unsigned lsb = 0; lsb < width; lsb += 16) {
        const unsigned n = width - lsb < 16 ? width - lsb : 16;

        assert_int_equal(hd_bits_get(head, lsb, n), hd_bits_get(wanted, lsb, n));
    }
}
#endif
