/* ops.h - operations of a warp as bytes, and back (docs/traces.md, native format).
 *
 * A stream is cut into chunks that are read on their own: each begins with a fresh state on both sides. */
#ifndef HD_TRACE_OPS_H
#define HD_TRACE_OPS_H
#include "port.h"
#include <stddef.h>

/* Kinds of op_e, and what is none of the port's. */
enum { HD_TRACE_WAIT = 24, HD_TRACE_SLEEP = 25, HD_TRACE_OP_KINDS = 32 };

enum { HD_OP_BYTES = 1024 /* hd_trace_most() of 64 lanes is less */, HD_CHUNK_BYTES = 60 * 1024 /* of a chunk at the most */ };

struct hd_trace_op {
    uint8_t kind, fn, space, order, scope;
    bool plain, ro;
    bool has_data, has_cmp;     /* a memory operation's words are there */
    uint32_t alu;               /* instructions in front of it; NOP: these alone */
    uint32_t back, count;       /* WAIT: for the token handed out `back` tokens ago (1: the last) and count - 1 behind it */
    uint64_t cycles;            /* SLEEP: from now */
    hd_mask_t mask;             /* of memory operations; addresses, words: one a lane */
    uint32_t addr[HD_MAX_LANES], data[HD_MAX_LANES], cmp[HD_MAX_LANES];
};

enum { HD_TRACE_STREAMS = 16 };

/* What both sides know of the chunk so far. */
struct hd_trace_state {
    hd_mask_t mask;
    uint8_t next, last;                 /* the writer's: the stream that a far address replaces; that of the last access */
    uint8_t after[HD_TRACE_STREAMS];    /* the writer's: the one that came behind each */
    uint8_t attributes[HD_TRACE_OP_KINDS][2];
    uint32_t stream[HD_TRACE_STREAMS];  /* word address of the last access of a stream of accesses */
};

/* The most bytes of an operation. */
static inline size_t hd_trace_most(unsigned lanes)
{
    return 40 + 13 * (size_t)lanes;
}

/* @to: at least hd_trace_most() bytes. @return bytes. */
size_t hd_trace_put(struct hd_trace_state *s, const struct hd_trace_op *op, uint8_t *to);

/* The same of what is neither WAIT nor SLEEP; addresses and words of memory operations are @addr, @data, @cmp (NULL: none). */
size_t hd_trace_put_memory(struct hd_trace_state *s, const struct hd_trace_op *op, const uint32_t *addr, const uint32_t *data,
                           const uint32_t *cmp, uint8_t *to);

/* Reads an operation of a machine with @lanes from data[*at..n). Safe for any bytes. @return false when they are none. */
bool hd_trace_get(struct hd_trace_state *s, const uint8_t *data, size_t n, size_t *at, unsigned lanes, struct hd_trace_op *op);

static inline unsigned hd_trace_varint(uint8_t *to, uint64_t v)
{
    unsigned n = 0;

    for (; v >= 0x80; v >>= 7)
        to[n++] = (uint8_t)(v | 0x80);
    to[n++] = (uint8_t)v;
    return n;
}

static inline bool hd_trace_unvarint(const uint8_t *data, size_t n, size_t *at, uint64_t *v)
{
    if (*at < n && data[*at] < 0x80) { /* the usual */
        *v = data[(*at)++];
        return true;
    }
    *v = 0;
    for (unsigned shift = 0; *at < n && shift < 64; shift += 7) {
        uint8_t byte = data[(*at)++];
        *v |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

static inline uint64_t hd_trace_zigzag(int64_t v)
{
    return (uint64_t)v << 1 ^ (uint64_t)(v >> 63);
}

static inline int64_t hd_trace_unzigzag(uint64_t v)
{
    return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}
#endif
