/* link.c - see link.h. */
#include "link.h"
#include <stdlib.h>
#include <string.h>

static const struct hd_msg messages[HD_LINK_KINDS] = {
    [HD_MSG_NONE] = {NULL, 0, false, HD_CLASS_BAD, 0, NULL},
#define MESSAGE(name, nets, data, class, answers, text) [HD_MSG_##name] = {#name, nets, data, HD_CLASS_##class, answers, text},
    HD_MSG_TABLE(MESSAGE)
#undef MESSAGE
};
const struct hd_nets hd_nets_up = {HD_UP_NETS, {[HD_UP_REQ] = HD_NET(REQ), [HD_UP_RSP] = HD_NET(RSP)}};
const struct hd_nets hd_nets_down = {HD_DOWN_NETS, {[HD_DOWN_FWD] = HD_NET(FWD)}};
const struct hd_nets hd_nets_mesh = {
    HD_NETS, {[HD_VN_REQ] = HD_NET(REQ), [HD_VN_FWD] = HD_NET(FWD), [HD_VN_RSP] = HD_NET(RSP)}};

const char *hd_net_name(unsigned net)
{
    return net == HD_NET(REQ) ? "REQ" : net == HD_NET(FWD) ? "FWD" : "RSP";
}

const struct hd_msg *hd_msg(unsigned kind)
{
    return &messages[kind < HD_LINK_KINDS ? kind : HD_MSG_NONE];
}

enum hd_flit_class hd_flit_class_of(unsigned kind)
{
    return hd_msg(kind)->name != NULL ? hd_msg(kind)->class : HD_CLASS_BAD;
}

const char *hd_flit_class_name(enum hd_flit_class c)
{
#define NAME(name, text) text,
    static const char *const names[HD_CLASSES] = {HD_CLASS_LIST(NAME)};
#undef NAME
    return names[c];
}

const char *hd_msg_name(unsigned kind)
{
    return hd_msg(kind)->name != NULL ? hd_msg(kind)->name : "?";
}

unsigned hd_head_units(unsigned lanes)
{
    return (HD_HEAD_W + (lanes > HD_LANE_W ? lanes : HD_LANE_W) + 31) / 32;
}

struct hd_flit_shape hd_flit_shape(unsigned flit_bytes, unsigned ghost_bits, unsigned lanes)
{
    unsigned words = flit_bytes / 4;

    return (struct hd_flit_shape){
        .words = words, .units = words * (32 + ghost_bits) / 32, .head = (hd_head_units(lanes) + words - 1) / words};
}

struct hd_flit_shape hd_flit_shape_coh(unsigned flit_bytes, unsigned ghost_bits)
{
    struct hd_flit_shape shape = hd_flit_shape(flit_bytes, ghost_bits, 0);

    shape.head = (HD_HEAD_W + 32 * shape.words - 1) / (32 * shape.words);
    shape.coh = true;
    return shape;
}

bool hd_link_init(struct hd_link *l, unsigned latency, unsigned credit_latency, const struct hd_nets *nets, unsigned depth,
                  const struct hd_flit_shape *shape, unsigned clk_ratio)
{
    uint32_t size = 1;
    size_t bytes = sizeof(struct hd_flit) + shape->units * sizeof(uint32_t);
    size_t stride = (bytes + HD_CACHE_LINE - 1) / HD_CACHE_LINE * HD_CACHE_LINE;

    while (size < nets->count * depth) /* no more can be under way: each holds a credit */
        size *= 2;
    *l = (struct hd_link){.latency = latency,
                          .credit_latency = credit_latency,
                          .num_vn = nets->count,
                          .depth = depth,
                          .flit_units = shape->units,
                          .flit_words = shape->words,
                          .head_flits = shape->head,
                          .coh = shape->coh,
                          .clk_ratio = clk_ratio,
                          .stride = (unsigned)stride,
                          .mask = size - 1};
    memcpy(l->net, nets->net, sizeof l->net);
    l->flits = aligned_alloc(HD_CACHE_LINE, size * stride);
    l->credits = calloc(size, sizeof *l->credits);
    return l->flits != NULL && l->credits != NULL;
}

void hd_link_fini(struct hd_link *l)
{
    free(l->flits);
    free(l->credits);
    *l = (struct hd_link){0};
}

/* splitmix64 */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

void hd_link_jitter(struct hd_link *l, unsigned jitter, unsigned one_in, uint64_t seed)
{
    l->jitter = jitter;
    l->jitter_one_in = one_in;
    l->flit_random = seed;
    l->credit_random = next_random(&seed);
}

/* @return @due, later when the link jitters; *last is the arrival before. */
static uint64_t arrival(const struct hd_link *l, uint64_t due, uint64_t *random, uint64_t *last)
{
    if (l->jitter == 0)
        return due;
    due += l->late;
    if (l->jitter_one_in == 1 || next_random(random) % l->jitter_one_in == 0)
        due += next_random(random) % (l->jitter / l->clk_ratio + 1) * l->clk_ratio;
    if (due < *last + l->clk_ratio)
        due = *last + l->clk_ratio;
    return *last = due;
}

static void fault(const char **where, const char *what)
{
    if (*where == NULL)
        *where = what;
}

/* Data flits of a packet: one for each flit of words of which any is wanted; of an atomic, a bit of the mask each. */
static unsigned data_flits(unsigned kind, uint32_t wmask, unsigned words)
{
    unsigned n = 0;

    if (!hd_msg(kind)->data)
        return 0;
    if (kind == HD_MSG_ATOMIC)
        return (unsigned)__builtin_popcount(wmask);
    for (; wmask != 0; wmask >>= words)
        n += (wmask & ((1u << words) - 1)) != 0;
    return n;
}

/* Class of a packet of DENOVO: its head says it. */
static uint8_t class_of_head(uint32_t wmask)
{
    static const uint8_t classes[1 << HD_COH_CLS_W] = {
        [HD_COH_READ] = HD_CLASS_READ, [HD_COH_REGISTRATION] = HD_CLASS_REGISTRATION,
        [HD_COH_WRITE] = HD_CLASS_WRITE, [HD_COH_ATOMIC] = HD_CLASS_ATOMIC,
        [4] = HD_CLASS_BAD, HD_CLASS_BAD, HD_CLASS_BAD, HD_CLASS_BAD};
    return classes[wmask >> HD_COH_CLS & ((1u << HD_COH_CLS_W) - 1)];
}

void hd_link_send(struct hd_link *l, uint64_t now, unsigned vn, bool tail, const uint32_t *words)
{
    if (vn >= l->num_vn) {
        fault(&l->sender_fault, "a flit of a virtual network the link does not have");
        return;
    }
    if (l->held[vn] == l->depth) {
        fault(&l->sender_fault, "a flit was sent without a credit");
        return;
    }
    if ((now & (l->clk_ratio - 1)) != 0)
        fault(&l->sender_fault, "a flit was sent between two slow edges");
    l->held[vn]++;

    if (l->kind[vn] == HD_MSG_NONE) {
        unsigned kind = hd_head_kind(words);
        uint32_t wmask = hd_head_wmask(words);
        l->class[vn] = (uint8_t)hd_flit_class_of(kind);
        if (l->coh) {
            l->class[vn] = class_of_head(wmask);
            wmask &= (1u << HD_COH_WORDS) - 1;
        }
        if (l->class[vn] == HD_CLASS_BAD)
            fault(&l->sender_fault, "a head flit of unknown kind");
        if (!(hd_msg(kind)->nets & l->net[vn]))
            fault(&l->sender_fault, "a message of another network");
        l->heads[kind]++;
        l->kind[vn] = (uint8_t)kind;
        l->left[vn] = (uint8_t)(l->head_flits - 1 + data_flits(kind, wmask, l->flit_words));
    } else if (l->left[vn] > 0) {
        l->left[vn]--;
    }
    l->crossed[l->class[vn]]++;
    l->flits_on[vn]++;
    if (tail != (l->left[vn] == 0))
        fault(&l->sender_fault, "a packet is longer or shorter than its head says");
    if (tail)
        l->kind[vn] = HD_MSG_NONE;

    struct hd_flit *f = hd_link_flit(l, l->flits_sent++);
    f->due = arrival(l, now + l->latency, &l->flit_random, &l->flit_due);
    f->vn = (uint8_t)vn;
    f->tail = tail;
    hd_flit_copy(f->words, words, l->flit_units);
}

uint32_t hd_link_credits_slow(struct hd_link *l, uint64_t now)
{
    if (hd_link_credit_due(l) > now)
        return 0;
    uint32_t vns = l->credits[l->credits_got++ & l->mask].vns;
    l->credit_next = 0;
    for (unsigned vn = 0; vn < l->num_vn; vn++) {
        if (!(vns >> vn & 1))
            continue;
        if (l->held[vn] == 0)
            fault(&l->sender_fault, "a credit came back for a flit never sent");
        else
            l->held[vn]--;
    }
    return vns;
}

void hd_link_send_credits(struct hd_link *l, uint64_t now, uint32_t vns)
{
    uint32_t got = atomic_load_explicit(&l->credits_got_posted, memory_order_acquire);
    if (l->credits_sent - got > l->mask) {
        fault(&l->receiver_fault, "more credits under way than the link has");
        return;
    }
    if ((now & (l->clk_ratio - 1)) != 0)
        fault(&l->receiver_fault, "a credit was sent between two slow edges");
    uint64_t due = arrival(l, now + l->credit_latency, &l->credit_random, &l->credit_due);
    l->credits[l->credits_sent++ & l->mask] = (struct hd_credits){.due = due, .vns = vns};
}

/* A count that has not changed is not written: its line stays with those who read it. */
static void post(_Atomic uint32_t *posted, uint32_t count)
{
    if (atomic_load_explicit(posted, memory_order_relaxed) != count)
        atomic_store_explicit(posted, count, memory_order_release);
}

void hd_link_post_sender(struct hd_link *l)
{
    post(&l->flits_posted, l->flits_sent);
    post(&l->credits_got_posted, l->credits_got);
}

void hd_link_post_receiver(struct hd_link *l)
{
    post(&l->credits_posted, l->credits_sent);
}

/* Whatever is under way holds a credit, or is one. */
bool hd_link_home(const struct hd_link *l)
{
    for (unsigned vn = 0; vn < l->num_vn; vn++)
        if (l->held[vn] != 0 || l->kind[vn] != HD_MSG_NONE)
            return false;
    return true;
}

bool hd_link_empty(const struct hd_link *l)
{
    return hd_link_home(l) && l->flits_got == l->flits_sent && l->credits_got == l->credits_sent;
}

const char *hd_link_fault(const struct hd_link *l)
{
    return l->sender_fault != NULL ? l->sender_fault : l->receiver_fault;
}

/* ---- in another process ---------------------------------------------------------------------------------------- */

void hd_link_sender_state(struct hd_link *l, struct hd_image *io)
{
    HD_IMAGE_MEMBERS(io, l, flits_sent, credit_next);
    hd_image_text(io, &l->sender_fault);
    HD_IMAGE_MEMBERS(io, l, held, flit_due);
    if (io->depth == HD_IMAGE_ALL)
        hd_image_bytes(io, l->flits, ((size_t)l->mask + 1) * l->stride);
    if (io->loading)
        hd_link_post_sender(l);
}

void hd_link_receiver_state(struct hd_link *l, struct hd_image *io)
{
    HD_IMAGE_MEMBERS(io, l, flits_got, credit_due);
    hd_image_text(io, &l->receiver_fault);
    if (io->depth == HD_IMAGE_ALL)
        hd_image_bytes(io, l->credits, ((size_t)l->mask + 1) * sizeof *l->credits);
    if (io->loading)
        hd_link_post_receiver(l);
}

void hd_link_sender_news(struct hd_link *l, uint32_t *shown, struct hd_image *io)
{
    uint32_t sent = l->flits_sent;

    hd_image_bytes(io, &sent, sizeof sent);
    hd_image_bytes(io, &l->credits_got, sizeof l->credits_got);
    for (; *shown != sent && !io->bad; ++*shown) {
        struct hd_flit *f = hd_link_flit(l, *shown);
        hd_image_bytes(io, &f->due, sizeof f->due);
        hd_image_bytes(io, &f->vn, sizeof f->vn);
        hd_image_bytes(io, &f->tail, sizeof f->tail);
        hd_image_bytes(io, f->words, l->flit_units * sizeof f->words[0]);
    }
    l->flits_sent = sent;
    if (io->loading)
        hd_link_post_sender(l);
}

void hd_link_receiver_news(struct hd_link *l, uint32_t *shown, struct hd_image *io)
{
    uint32_t sent = l->credits_sent;

    hd_image_bytes(io, &sent, sizeof sent);
    hd_image_bytes(io, &l->flits_got, sizeof l->flits_got);
    for (; *shown != sent && !io->bad; ++*shown) {
        struct hd_credits *c = &l->credits[*shown & l->mask];
        hd_image_bytes(io, &c->due, sizeof c->due);
        hd_image_bytes(io, &c->vns, sizeof c->vns);
    }
    l->credits_sent = sent;
    if (io->loading)
        hd_link_post_receiver(l);
}
