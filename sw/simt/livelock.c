/* livelock.c - see livelock.h. A look begins with a sixteenth of its time in which everything is new: a spinning warp comes
 * round. Of each warp the last SEEN different operations are known, which is more than a loop that polls has. */
#include "livelock.h"
#include "hd_pkg.h"
#include <stdlib.h>
#include <string.h>

enum { SEEN = 32, SLOTS = 8 };

enum phase { REST, LEARN, CHECK };

struct warp {
    uint64_t seen[SEEN];
    unsigned count;
    struct {
        bool known;
        uint64_t hash;
        hd_mask_t mask;
        uint32_t addr, word;
        uint8_t kind, space;
    } slot[SLOTS];
    struct hd_spin spin;
};

struct hd_livelock {
    unsigned sms, warps;
    uint64_t limit, since;   /* the phase began */
    enum phase phase;
    struct warp *warp;       /* [sms * warps] */
    uint8_t *moved;          /* [sms] something new */
};

struct hd_livelock *hd_livelock_new(unsigned sms, unsigned warps, uint64_t limit)
{
    struct hd_livelock *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    *l = (struct hd_livelock){.sms = sms, .warps = warps, .limit = limit};
    l->warp = calloc((size_t)sms * warps, sizeof *l->warp);
    l->moved = calloc(sms, 1);
    if (!l->warp || !l->moved) {
        hd_livelock_free(l);
        return NULL;
    }
    return l;
}

void hd_livelock_free(struct hd_livelock *l)
{
    if (!l)
        return;
    free(l->warp);
    free(l->moved);
    free(l);
}

bool hd_livelock_looks(const struct hd_livelock *l)
{
    return l->phase != REST;
}

static uint64_t mix(uint64_t h, uint64_t x)
{
    return (h ^ x) * UINT64_C(0x100000001b3) ^ h >> 29;
}

void hd_livelock_taken(struct hd_livelock *l, unsigned sm, const struct hd_op *op, unsigned slot)
{
    struct warp *w = &l->warp[sm * l->warps + op->warp];
    w->spin.taken++;
    if (!hd_op_memory(op->kind) || slot >= SLOTS)
        return;
    uint64_t h = mix(mix(UINT64_C(0xcbf29ce484222325), op->mask), op->kind | op->fn << 8u | op->space << 16u);
    for (hd_mask_t rest = op->mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        h = mix(h, op->addr[lane]);
        if (op->kind != HD_OP_LOAD)
            h = mix(h, op->kind == HD_OP_COPY ? op->cmp[lane] : op->data[lane]);
    }
    unsigned first = op->mask ? (unsigned)__builtin_ctzll(op->mask) : 0;
    w->slot[slot].known = true;
    w->slot[slot].hash = h;
    w->slot[slot].mask = op->mask;
    w->slot[slot].addr = op->addr[first];
    w->slot[slot].word = op->data[first];
    w->slot[slot].kind = op->kind;
    w->slot[slot].space = op->space;
}

void hd_livelock_complete(struct hd_livelock *l, unsigned sm, unsigned warp, unsigned slot, const uint32_t *words)
{
    struct warp *w = &l->warp[sm * l->warps + warp];
    if (slot >= SLOTS || !w->slot[slot].known)
        return;
    w->slot[slot].known = false;
    uint64_t h = w->slot[slot].hash;
    uint32_t word = w->slot[slot].word;
    for (hd_mask_t rest = words ? w->slot[slot].mask : 0; rest != 0; rest &= rest - 1)
        h = mix(h, words[__builtin_ctzll(rest)]);
    if (words && w->slot[slot].mask)
        word = words[__builtin_ctzll(w->slot[slot].mask)];
    for (unsigned i = 0; i < SEEN && i < w->count; i++)
        if (w->seen[i] == h) {
            w->spin.repeats++;
            if (words || w->spin.repeats == 1 || w->spin.kind == HD_OP_STORE) { /* what it asks for says more than what it tells */
                w->spin.addr = w->slot[slot].addr;
                w->spin.word = word;
                w->spin.kind = w->slot[slot].kind;
                w->spin.space = w->slot[slot].space;
            }
            return;
        }
    w->seen[w->count++ % SEEN] = h;
    l->moved[sm] = 1;
}

void hd_livelock_moved(struct hd_livelock *l, unsigned sm)
{
    l->moved[sm] = 1;
}

static void begin(struct hd_livelock *l, enum phase phase, uint64_t now)
{
    l->phase = phase;
    l->since = now;
    memset(l->moved, 0, l->sms);
    for (size_t i = 0; i < (size_t)l->sms * l->warps; i++) {
        struct warp *w = &l->warp[i];
        w->spin = (struct hd_spin){0};
        for (unsigned s = 0; s < SLOTS && phase == LEARN; s++)
            w->slot[s].known = false;
        if (phase == LEARN)
            w->count = 0;
    }
}

void hd_livelock_rest(struct hd_livelock *l, uint64_t now)
{
    begin(l, REST, now);
}

bool hd_livelock_window(struct hd_livelock *l, uint64_t now)
{
    if (l->phase == CHECK && memchr(l->moved, 1, l->sms))
        begin(l, REST, now);
    if (now - l->since < (l->phase == LEARN ? l->limit / 16 : l->limit))
        return false;
    if (l->phase == CHECK)
        return true;
    begin(l, l->phase == REST ? LEARN : CHECK, now);
    return false;
}

const struct hd_spin *hd_livelock_spin(const struct hd_livelock *l, unsigned sm, unsigned warp)
{
    return &l->warp[sm * l->warps + warp].spin;
}
