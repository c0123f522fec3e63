/* dn_line_ref.h - rows of an L1 of family DENOVO in C, and what the table of docs/protocol_denovo.md makes of their words: for the
 * tests of hd_l1_dn_line and of the composite around it. Parameters Sets, Ways, LineWords are those of the model. */
#ifndef DN_LINE_REF_H
#define DN_LINE_REF_H
#include "hd_bits.h"

enum { SETS = P_Sets, WAYS = P_Ways, WORDS = P_LineWords, ALL = (1 << WORDS) - 1, LINES = 3 * SETS * WAYS / 2 + 1 };
enum { LINE_W = HD_ADDR_W - (WORDS == 8 ? 5 : 6), RD_LSB_LAST = 2 * WORDS }; /* of rd_i: {line, old, ro, more, last, skip, need} */
/* l1_sync_s */
enum { ATOMIC = 1, STORE = 2, LOAD = 4, SYNC = 8 };
#define SEL(name) (1u << HD_DN_SEL_##name##_LSB)
#define DO(name) (1u << HD_DN_DO_##name##_LSB)

struct words {
    unsigned v, d, r, ro, w;
};
static struct row {
    bool holds, pin;
    unsigned tag, gen, age;
    struct words m;
} rows[SETS][WAYS];
static uint32_t high[LINES / SETS + 1]; /* tags as they are on the ports: any bits */
static unsigned gen;

/* What a cycle is about, and what comes of it. */
static struct {
    unsigned ev, words, guard, next, local, skip, need;
    bool old, keep, data;
    unsigned hit, ask, join, write, why;
    struct words now, then;
} t;

/* The number of line @line. */
static uint32_t number(unsigned line)
{
    return high[line / SETS] * SETS + line % SETS;
}

static unsigned some(unsigned of)
{
    return of & (unsigned)(hd_rand_below(3) ? hd_bits_random_mask(WORDS) : hd_rand());
}

/* The rows of docs/protocol_denovo.md. */
static void table(void)
{
    const struct words m = t.now;
    const unsigned here = m.v | m.ro | m.d | m.r, want = m.w & ~m.r, words = t.words;
    struct words n = m;

    t.hit = t.ask = t.join = t.write = t.why = 0;
    switch (t.ev) {
    case HD_DEV_LOAD:
        t.hit = words & here & ~(want & t.local), t.ask = words & ~here & ~want;
        if (words && !t.hit && !t.ask)
            t.why = HD_WHY_LINE;
        break;
    case HD_DEV_STORE:
    case HD_DEV_LOCAL:
        if (words & t.guard) {
            t.why = HD_WHY_GUARD;
        } else if (words & want & (~m.d | t.local)) {
            t.why = HD_WHY_LINE;
        } else if (t.ev == HD_DEV_LOCAL && (words & ~here)) {
            t.ask = words & ~here;
        } else {
            t.hit = t.write = words;
            n.d |= words & ~m.r, n.v &= ~words, n.ro &= ~words;
        }
        break;
    case HD_DEV_SYNC:
        t.hit = words & m.r, t.join = t.hit ? 0 : words & want, t.ask = t.hit || t.join ? 0 : words & ~t.guard;
        n.w |= t.ask, n.v &= ~t.ask, n.ro &= ~t.ask;
        if (words && !t.hit && !t.join && !t.ask)
            t.why = HD_WHY_GUARD;
        break;
    case HD_DEV_FLUSH: t.ask = m.d & ~m.w, n.w |= t.ask; break;
    case HD_DEV_EVICT: t.hit = m.r, n.v = n.r = n.ro = 0; break;
    case HD_DEV_FILL: {
        const unsigned fill = words & ~(here | m.w) & ~t.skip, kept = t.keep ? fill & t.need : 0;
        t.write = t.old ? kept : fill, n.ro |= kept, n.v |= t.old ? 0 : fill & ~kept;
        break;
    }
    case HD_DEV_ACK:
        t.hit = words, t.write = t.data ? words & ~m.d : 0;
        n.r |= words, n.d &= ~words, n.w &= ~words | t.next;
        break;
    case HD_DEV_FWD_READ: t.hit = words & m.r, t.ask = words & want; break;
    case HD_DEV_FWD_REG: t.hit = words & m.r & ~m.w, t.join = words & want, n.r &= ~t.hit; break;
    case HD_DEV_PASS: t.hit = words, n.r &= ~words, n.w &= ~words; break;
    default: n.v = n.ro = 0; break; /* BEGIN */
    }
    t.then = n;
}

static struct words counts(const struct row *r)
{
    struct words m = {0};

    if (r->holds)
        m = r->m;
    if (r->gen != gen)
        m.v = 0;
    return m;
}

static int find(unsigned line)
{
    for (int w = 0; w < WAYS; w++)
        if (rows[line % SETS][w].holds && rows[line % SETS][w].tag == line / SETS)
            return w;
    return -1;
}

/* Empty, else without words, else the least recently used whose words are neither dirty nor wanted; never a pinned one. */
static int victim(unsigned set)
{
    int best = -1, kind_of_best = 0;

    for (int w = 0; w < WAYS; w++) {
        const struct row *r = &rows[set][w];
        const struct words m = counts(r);
        const int kind = !r->holds ? 3 : r->pin ? 0 : !(m.v | m.d | m.r | m.ro | m.w) ? 2 : m.w | m.d ? 0 : 1;
        if (kind > kind_of_best || (kind == kind_of_best && kind > 0 && r->age > rows[set][best].age))
            best = w, kind_of_best = kind;
    }
    return best;
}

static void give(void *port, unsigned mask)
{
    hd_bits_put(port, 0, WORDS, mask);
}

static void head(void *port, unsigned kind, unsigned line, unsigned words)
{
    hd_bits_random(port, HD_HEAD_W);
    hd_bits_put(port, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
    hd_bits_put(port, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, number(line) * WORDS * 4);
    hd_bits_put(port, HD_HEAD_WMASK_LSB, WORDS, words);
}

/* A named row; false: none of these rows has such words. */
static bool pick(bool (*fits)(const struct row *), unsigned *set, unsigned *way)
{
    const unsigned first = (unsigned)hd_rand_below(SETS * WAYS);

    for (unsigned i = 0; i < SETS * WAYS; i++) {
        *set = (first + i) % (SETS * WAYS) / WAYS, *way = (first + i) % WAYS;
        if (fits(&rows[*set][*way]))
            return true;
    }
    return false;
}
static inline bool wants(const struct row *r) { return r->holds && (r->m.w & ~r->m.r) != 0; }
static inline bool passes(const struct row *r) { return r->holds && (r->m.w & r->m.r) != 0; }
static inline bool any(const struct row *r) { return r->holds || hd_rand_below(4) == 0; }
#endif
