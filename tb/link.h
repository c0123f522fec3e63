/* link.h - a one-way credited link between two tiles (docs/tiles.md): flits one way, credits the other.
 *
 * Both ways are rings of things under way with the cycle they arrive. A link has one sender and one
 * receiver; each of them writes only its own members, and sees of the other's what that one has posted, so the
 * two tiles may run one after the other or in two threads for a whole window, as long as the window is not longer
 * than either latency. Between windows each end is posted (hd_link_post_*; exchange.h does it).
 *
 * Rule breaks (a flit without a credit, a credit without a flit, a packet whose length is not what its head
 * says, an edge the receiver does not have) are kept as the link's fault; the first one counts. */
#ifndef HD_LINK_H
#define HD_LINK_H
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "hd_pkg.h"

enum { HD_LINK_VNS = 1 << HD_VN_W, HD_LINK_KINDS = 32, HD_FLIT_UNITS = 2 * HD_FLIT_WORDS };
enum { HD_CACHE_LINE = 64 }; /* of the host: what two threads write is kept apart */

/* What a flit is for, by the kind of its packet's head. */
enum hd_flit_class {
    HD_CLASS_READ,      /* GETS and its grants */
    HD_CLASS_WRITE,     /* GETM, UPG, WT and their grants */
    HD_CLASS_WRITEBACK, /* PUTM, PUTE */
    HD_CLASS_FETCH,     /* fetches and their answers */
    HD_CLASS_INV,       /* invalidations and their acknowledgements */
    HD_CLASS_ATOMIC,    /* ATOMIC and its answers */
    HD_CLASS_TYPE,      /* types of sectors: requests, replies, invalidations, recalls, acknowledgements */
    HD_CLASS_BAD,       /* no such message */
    HD_CLASSES
};
enum hd_flit_class hd_flit_class_of(unsigned kind);
const char *hd_flit_class_name(enum hd_flit_class c);
const char *hd_msg_name(unsigned kind);

/* Logical networks: a class of messages waits only for higher ones. A link gives those it carries numbers on the wire. */
enum hd_network { HD_NETWORK_REQ, HD_NETWORK_FWD, HD_NETWORK_RSP, HD_NETWORKS };
enum { HD_NO_WIRE = 0xff };
struct hd_networks {
    unsigned count;
    uint8_t wire[HD_NETWORKS];  /* HD_NO_WIRE: does not run here */
};

struct hd_flit {
    uint64_t due;
    uint8_t vn;
    bool tail;
    uint32_t words[]; /* 8, or 16 with ghosts */
};

struct hd_credits {
    uint64_t due;
    uint32_t vns; /* one bit a network */
};

struct hd_link {
    unsigned latency, credit_latency; /* core cycles */
    unsigned num_vn, depth, flit_units, clk_ratio; /* num_vn: networks it carries */
    uint8_t wire[HD_NETWORKS];        /* virtual network of each hd_network */
    unsigned jitter;    /* most extra cycles of a flit, of a credit pulse */
    uint32_t mask;      /* ring size - 1 */
    unsigned stride;    /* bytes from flit to flit: whole cache lines */
    uint8_t *flits;
    struct hd_credits *credits;

    /* What one end may see of the other, written once a window at most: a line that an end asks for in every cycle must
     * not change hands with each flit. */
    alignas(HD_CACHE_LINE) _Atomic uint32_t flits_posted; /* by the sender */
    _Atomic uint32_t credits_got_posted;
    alignas(HD_CACHE_LINE) _Atomic uint32_t credits_posted; /* by the receiver */

    /* written by the sender */
    alignas(HD_CACHE_LINE) uint32_t flits_sent;
    uint32_t credits_got;
    uint64_t credit_next;            /* when the next credits arrive, 0: not known. The ring's lines are being written */
    const char *sender_fault;
    uint32_t held[HD_LINK_VNS];      /* credits away from home */
    uint8_t kind[HD_LINK_VNS];       /* of the packet under way, 0: a head is next */
    uint8_t class[HD_LINK_VNS];      /* its hd_flit_class */
    uint8_t left[HD_LINK_VNS];       /* its data flits still to come */
    uint64_t crossed[HD_CLASSES];    /* flits */
    uint64_t heads[HD_LINK_KINDS];   /* packets begun */
    uint64_t flit_random, flit_due;      /* jitter: generator, arrival of the last flit */

    /* written by the receiver */
    alignas(HD_CACHE_LINE) uint32_t flits_got;
    uint32_t credits_sent;
    uint64_t credit_random, credit_due;
    const char *receiver_fault;
};

/* @flit_units: 32-bit units of a flit, 8 or 16. @return false when there is no memory. */
bool hd_link_init(struct hd_link *l, unsigned latency, unsigned credit_latency, const struct hd_networks *networks,
                  unsigned depth, unsigned flit_units, unsigned clk_ratio);
void hd_link_fini(struct hd_link *l); /* a zeroed link is allowed */

/* Delays each flit and each credit pulse by a random 0..@jitter core cycles more (whole receiver cycles); their
 * order and one arrival a receiver cycle stay. The delays depend only on @seed and how many went before. */
void hd_link_jitter(struct hd_link *l, unsigned jitter, uint64_t seed);

/* Sender: a flit left at the edge of @now / the credits that have arrived (at most one a network and call). */
void hd_link_send(struct hd_link *l, uint64_t now, unsigned vn, bool tail, const uint32_t *words);
uint32_t hd_link_credits_slow(struct hd_link *l, uint64_t now);

/* Receiver: credit pulses of the edge of @now, one bit a network. */
void hd_link_send_credits(struct hd_link *l, uint64_t now, uint32_t vns);

/* Lets the other end see what has been sent so far, and the credits got: by the sender, by the receiver. */
void hd_link_post_sender(struct hd_link *l);
void hd_link_post_receiver(struct hd_link *l);

/* Between windows only: nothing under way, every credit home, no packet half sent. */
bool hd_link_empty(const struct hd_link *l);
/* @return NULL or the first rule break. */
const char *hd_link_fault(const struct hd_link *l);

/* The flit of number @n. */
static inline struct hd_flit *hd_link_flit(const struct hd_link *l, uint32_t n)
{
    return (struct hd_flit *)(void *)(l->flits + (size_t)(n & l->mask) * l->stride);
}

/* Copies the words of a flit. */
static inline void hd_flit_copy(uint32_t *to, const uint32_t *from, unsigned flit_units)
{
    if (flit_units == HD_FLIT_WORDS) /* two sizes the compiler knows */
        memcpy(to, from, HD_FLIT_WORDS * sizeof to[0]);
    else
        memcpy(to, from, HD_FLIT_UNITS * sizeof to[0]);
}

/* Receiver: when the next flit arrives; UINT64_MAX when none that was posted is under way. */
static inline uint64_t hd_link_due(const struct hd_link *l)
{
    uint32_t posted = atomic_load_explicit(&l->flits_posted, memory_order_acquire);
    return l->flits_got == posted ? UINT64_MAX : hd_link_flit(l, l->flits_got)->due;
}

/* Sender: when the next credits arrive; UINT64_MAX when none that were posted are under way. */
static inline uint64_t hd_link_credit_due(struct hd_link *l)
{
    if (l->credit_next != 0)
        return l->credit_next;
    uint32_t posted = atomic_load_explicit(&l->credits_posted, memory_order_acquire);
    if (l->credits_got == posted)
        return UINT64_MAX;
    return l->credit_next = l->credits[l->credits_got & l->mask].due;
}

/* Receiver: the flit that arrives at @now, removed; valid until the next window. NULL when there is none. */
static inline const struct hd_flit *hd_link_receive(struct hd_link *l, uint64_t now)
{
    return hd_link_due(l) > now ? 0 : hd_link_flit(l, l->flits_got++);
}

static inline uint32_t hd_link_credits(struct hd_link *l, uint64_t now)
{
    return hd_link_credit_due(l) > now ? 0 : hd_link_credits_slow(l, now);
}

/* Member of a head flit: @width <= 32 bits from bit @lsb of its words. */
static inline uint32_t hd_head_bits(const uint32_t *words, unsigned lsb, unsigned width)
{
    uint64_t pair = words[lsb / 32] | (uint64_t)words[lsb / 32 + 1] << 32;
    return (uint32_t)(pair >> lsb % 32 & ((UINT64_C(1) << width) - 1));
}

static inline unsigned hd_head_kind(const uint32_t *words)
{
    return hd_head_bits(words, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W);
}

static inline uint32_t hd_head_addr(const uint32_t *words)
{
    return hd_head_bits(words, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W);
}

static inline uint32_t hd_head_wmask(const uint32_t *words)
{
    return hd_head_bits(words, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W);
}
#endif
