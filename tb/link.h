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
#include "image/image.h"

enum { HD_LINK_VNS = 1 << HD_VN_W, HD_LINK_KINDS = 1 << HD_HEAD_KIND_W, HD_FLIT_UNITS = 2 * HD_FLIT_WORDS };
enum { HD_CACHE_LINE = 64 }; /* of the host: what two threads write is kept apart */

/* What a flit is for, by the kind of its packet's head; names of counters. */
#define HD_CLASS_LIST(X) \
    X(READ, "read") X(WRITE, "write") X(WRITEBACK, "writeback") X(FETCH, "fetch") X(INV, "inv") X(ATOMIC, "atomic") \
    X(TYPE, "type") X(REGISTRATION, "registration") X(PERSIST, "persist") X(BAD, "bad")
enum hd_flit_class {
#define HD_CLASS(name, text) HD_CLASS_##name,
    HD_CLASS_LIST(HD_CLASS)
#undef HD_CLASS
    HD_CLASSES,
    HD_CLASS_CLS = HD_CLASS_BAD /* the head says it (hd_coh_class_e): messages of DENOVO */
};

/* A row of the message table of hd_pkg.sv. */
struct hd_msg {
    const char *name;
    uint8_t nets;             /* it may take: a bit HD_NET() each */
    bool data;                /* flits of data may follow its head */
    enum hd_flit_class class;
    uint64_t answers;         /* messages of which one answers it: a bit HD_MSG_BIT() each, 0: none */
    const char *text;         /* what it says */
};
const struct hd_msg *hd_msg(unsigned kind); /* one without a name if there is no such message */
const char *hd_msg_name(unsigned kind);
enum hd_flit_class hd_flit_class_of(unsigned kind);
const char *hd_flit_class_name(enum hd_flit_class c);

/* Networks of a link: which of the logical ones each number on its wires is. */
struct hd_nets {
    unsigned count;
    uint8_t net[HD_LINK_VNS]; /* HD_NET() */
};
extern const struct hd_nets hd_nets_up, hd_nets_down; /* links of the crossbars */
extern const struct hd_nets hd_nets_mesh;             /* all links of a mesh, and of a crossbar with DENOVO */
const char *hd_net_name(unsigned net);                /* of a HD_NET() */

/* How packets are cut. */
struct hd_flit_shape {
    unsigned words; /* of a flit, HD_FLIT_WORDS at the most */
    unsigned units; /* its 32-bit units: twice the words with ghosts */
    unsigned head;  /* flits of a head */
    bool coh;       /* a head of DENOVO: what COH_* say is in the upper bits of the mask of words */
};
struct hd_flit_shape hd_flit_shape(unsigned flit_bytes, unsigned ghost_bits, unsigned lanes);
struct hd_flit_shape hd_flit_shape_coh(unsigned flit_bytes, unsigned ghost_bits); /* of DENOVO */
unsigned hd_head_units(unsigned lanes); /* 32-bit units of a head */

struct hd_flit {
    uint64_t due;
    uint8_t vn;
    bool tail;
    uint32_t words[]; /* units */
};

struct hd_credits {
    uint64_t due;
    uint32_t vns; /* one bit a network */
};

struct hd_link {
    unsigned latency, credit_latency; /* core cycles */
    unsigned num_vn, depth, flit_units, clk_ratio;
    unsigned flit_words, head_flits;
    bool coh; /* as in hd_flit_shape */
    uint8_t net[HD_LINK_VNS]; /* as in hd_nets */
    unsigned jitter;    /* most extra cycles of a flit, of a credit pulse, */
    unsigned jitter_one_in; /* ... of one in so many, by lot */
    unsigned late;      /* more cycles of each, whole receiver cycles */
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
    uint8_t left[HD_LINK_VNS];       /* its flits still to come */
    uint64_t crossed[HD_CLASSES];    /* flits, by class */
    uint64_t flits_on[HD_LINK_VNS];  /* ... by network */
    uint64_t heads[HD_LINK_KINDS];   /* packets begun */
    uint64_t flit_random, flit_due;      /* jitter: generator, arrival of the last flit */

    /* written by the receiver */
    alignas(HD_CACHE_LINE) uint32_t flits_got;
    uint32_t credits_sent;
    uint64_t credit_random, credit_due;
    const char *receiver_fault; /* behind all others: hd_link_receiver_state() */
};

/* @return false when there is no memory. */
bool hd_link_init(struct hd_link *l, unsigned latency, unsigned credit_latency, const struct hd_nets *nets, unsigned depth,
                  const struct hd_flit_shape *shape, unsigned clk_ratio);
void hd_link_fini(struct hd_link *l); /* a zeroed link is allowed */

/* Delays each flit and each credit pulse, or of them one in @one_in, by a random 0..@jitter core cycles more (whole
 * receiver cycles); their order and one arrival a receiver cycle stay. The delays depend only on @seed and how many went
 * before. */
void hd_link_jitter(struct hd_link *l, unsigned jitter, unsigned one_in, uint64_t seed);

/* Sender: a flit left at the edge of @now / the credits that have arrived (at most one a network and call). */
void hd_link_send(struct hd_link *l, uint64_t now, unsigned vn, bool tail, const uint32_t *words);
uint32_t hd_link_credits_slow(struct hd_link *l, uint64_t now);

/* Receiver: credit pulses of the edge of @now, one bit a network. */
void hd_link_send_credits(struct hd_link *l, uint64_t now, uint32_t vns);

/* Lets the other end see what has been sent so far, and the credits got: by the sender, by the receiver. */
void hd_link_post_sender(struct hd_link *l);
void hd_link_post_receiver(struct hd_link *l);

/* Between windows only: what an end has written, there and back (image.h); ALL with what is under way from it. */
void hd_link_sender_state(struct hd_link *l, struct hd_image *io);
void hd_link_receiver_state(struct hd_link *l, struct hd_image *io);

/* What an end has sent since it was shown last (@shown counts it), for the rings of the same link in another process. That
 * one's end is posted with it. */
void hd_link_sender_news(struct hd_link *l, uint32_t *shown, struct hd_image *io);
void hd_link_receiver_news(struct hd_link *l, uint32_t *shown, struct hd_image *io);

/* Between windows only: nothing under way, every credit home, no packet half sent. */
bool hd_link_empty(const struct hd_link *l);
bool hd_link_home(const struct hd_link *l); /* the same, as its sender alone sees it */
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
    if (flit_units == HD_FLIT_WORDS) /* sizes the compiler knows */
        memcpy(to, from, HD_FLIT_WORDS * sizeof to[0]);
    else if (flit_units == HD_FLIT_UNITS)
        memcpy(to, from, HD_FLIT_UNITS * sizeof to[0]);
    else
        memcpy(to, from, HD_FLIT_WORDS / 2 * sizeof to[0]);
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
