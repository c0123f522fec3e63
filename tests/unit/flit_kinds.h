/* flit_kinds.h - which data flits a packet of hd_flit_pack and hd_flit_unpack has, by its kind.
 *
 * For tests with WORDS words of a line, FW words and FLIT32 32-bit pieces of a flit; P_AtomFlits and P_HeadW where their dut lines
 * have them. */
#ifndef FLIT_KINDS_H
#define FLIT_KINDS_H
#include "hd_unit.h"
#include "hd_pkg.h"

#ifdef P_AtomFlits
enum { ATOMS = P_AtomFlits };
#else
enum { ATOMS = 0 };
#endif
enum {
    LINE_FLITS = WORDS / FW,                           /* data flits of a full line */
    FLITS = ATOMS > LINE_FLITS ? ATOMS : LINE_FLITS,   /* ... of a packet at most */
    DATA32 = FLITS * FLIT32
};
#ifdef P_HeadW
enum { BARE = P_HeadW == HD_HEAD_W }; /* family DENOVO, some of whose messages name words and bring none */
_Static_assert(BARE, "HeadW of a dut line: must be HD_HEAD_W");
#else
enum { BARE = 0 };
#endif

/* A kind whose data flits are those of its words. */
#define KIND_OF_WORDS HD_MSG_WT

/* Any kind, and often one that the module tells from others. */
static unsigned any_kind(void)
{
    switch (hd_rand_below(4)) {
    case 0: return HD_MSG_ATOMIC;
    case 1: return HD_MSG_REG_ACK;
    case 2: return HD_MSG_NACK;
    default: return (unsigned)hd_rand_below(1u << HD_HEAD_KIND_W);
    }
}

/* The bits of wmask that a packet of @kind may have. */
static uint32_t line_mask(unsigned kind)
{
    if (ATOMS && kind == HD_MSG_ATOMIC)
        return (1u << ATOMS) - 1;
    return WORDS == 32 ? UINT32_MAX : (1u << WORDS % 32) - 1;
}

/* Whether data flit @k of a packet of @kind with wmask @mask is sent. */
static bool flit_wanted(unsigned kind, uint32_t mask, unsigned k)
{
    if (ATOMS && kind == HD_MSG_ATOMIC)
        return mask >> k & 1;
    if (BARE && (kind == HD_MSG_REG_ACK || kind == HD_MSG_NACK))
        return false;
    return k < LINE_FLITS && mask >> FW * k & ((1u << FW) - 1);
}

#endif
