/* persist.c - see persist.h. A record is a store; lists of records: of a warp, in program order, with the stores it has read that
 * were not durable (a barrier covers both alike); of a grain, in L2 order, those not durable. Vector clocks count list entries. */
#include "check/persist.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = 0, FREE = UINT32_MAX };
enum { STORED, ORDERED, DURABLE };
enum { NO_SYNC = 255 };

struct record {
    uint32_t grain, ghost[2], over[2]; /* over: ghosts written over in the L1, by word; those of a record may part, so one may be gone */
    uint32_t next;                     /* in its grain, or of the free ones */
    uint32_t warp, refs;               /* entries of warps' lists */
    uint32_t epoch[HD_PERSIST_SCOPES], group[HD_PERSIST_SCOPES], turn[HD_PERSIST_SCOPES];
    uint8_t mask, state, named;        /* named: words the L2 has written */
    uint64_t cycle, place;             /* place in its warp's list, from 1 */
};

struct grain {
    uint32_t addr, head, tail;
    uint32_t durable[2];               /* ghosts */
    struct { uint32_t ghost, warp; uint64_t place; } last[2]; /* of each word, the last the L2 wrote; 0: none */
};

struct list {
    uint32_t *at, room;                /* a ring, room a power of two or 0 */
    uint64_t first, end;               /* positions: entries checked, entries ever */
};

struct map {                           /* key -> number, open addressing; key 0 is none */
    uint32_t *key, *val;
    uint32_t size, used;
};

struct group {                         /* of one scope: a warp, a block or the kernel */
    uint64_t *clock[2];                /* [instance & 1][warp] joined at arrivals */
    uint32_t returned;                 /* instances that have returned */
    uint32_t *count, room, low, top;   /* stores not durable by epoch, low <= epoch < top */
    uint32_t reached;                  /* highest epoch with a store sent */
    uint32_t turn;                     /* times its number has been used again: older stores are no longer its own */
};

struct hd_persist {
    enum hd_persist_model model;
    unsigned warps;
    unsigned *block;
    uint32_t *epoch;                   /* [warp][scope]: barriers arrived at */
    bool *gone;
    struct list *list;
    uint64_t *vc;                      /* [warp][warp] */
    uint64_t *before;                  /* [warp] what kernels that have ended stored */
    struct group *group[HD_PERSIST_SCOPES];
    struct record *record;
    uint32_t records, room, free, live;
    struct grain *grain;
    uint32_t grains, grain_room;
    struct map ghost_of, grain_of, sync_of;
    struct { uint32_t value, block; uint8_t scope; uint64_t *clock; } *sync;
    uint32_t syncs;
    struct hd_persist_counts counts;
    bool bad;
    char error[400];
};

static bool fail(struct hd_persist *p, const char *format, ...)
{
    va_list a;
    va_start(a, format);
    if (!p->bad)
        vsnprintf(p->error, sizeof p->error, format, a);
    va_end(a);
    p->bad = true;
    return false;
}

/* ---- maps ---------------------------------------------------------------------------------------------------------- */

static uint32_t slot_of(const struct map *m, uint32_t key)
{
    uint32_t i = key * 0x9e3779b1u;
    i ^= i >> 15;
    for (i &= m->size - 1; m->key[i] != 0 && m->key[i] != key; i = (i + 1) & (m->size - 1))
        ;
    return i;
}

/* @return the number, or NONE: numbers start at 1. */
static uint32_t look(const struct map *m, uint32_t key)
{
    return m->size == 0 || key == 0 ? NONE : m->val[slot_of(m, key)];
}

static bool put(struct map *m, uint32_t key, uint32_t val)
{
    if (2 * (m->used + 1) > m->size) {
        struct map n = {.size = m->size ? 2 * m->size : 64, .used = m->used};
        n.key = calloc(n.size, sizeof *n.key);
        n.val = calloc(n.size, sizeof *n.val);
        if (n.key == NULL || n.val == NULL) {
            free(n.key);
            free(n.val);
            return false;
        }
        for (uint32_t i = 0; i < m->size; i++)
            if (m->key[i] != 0) {
                uint32_t s = slot_of(&n, m->key[i]);
                n.key[s] = m->key[i];
                n.val[s] = m->val[i];
            }
        free(m->key);
        free(m->val);
        *m = n;
    }
    uint32_t s = slot_of(m, key);
    m->used += m->key[s] == 0;
    m->key[s] = key;
    m->val[s] = val;
    return true;
}

/* Takes a key out and moves those behind it up, so that no tombstones gather. */
static void take(struct map *m, uint32_t key)
{
    uint32_t i = slot_of(m, key);
    if (m->key[i] == 0)
        return;
    m->used--;
    m->key[i] = m->val[i] = 0;
    for (i = (i + 1) & (m->size - 1); m->key[i] != 0; i = (i + 1) & (m->size - 1)) {
        uint32_t k = m->key[i], v = m->val[i];
        m->key[i] = m->val[i] = 0;
        uint32_t s = slot_of(m, k);
        m->key[s] = k;
        m->val[s] = v;
    }
}

/* ---- groups, lists, records ---------------------------------------------------------------------------------------- */

static unsigned group_no(const struct hd_persist *p, unsigned warp, enum hd_persist_scope s)
{
    return s == HD_PERSIST_WI ? warp : s == HD_PERSIST_WG ? p->block[warp] : 0;
}

static struct group *group_of(const struct hd_persist *p, unsigned warp, enum hd_persist_scope s)
{
    return &p->group[s][group_no(p, warp, s)];
}

/* @return the group of scope @s that @x was stored in, NULL when that is gone. */
static struct group *home(const struct hd_persist *p, const struct record *x, unsigned s)
{
    struct group *g = &p->group[s][x->group[s]];
    return g->turn == x->turn[s] ? g : NULL;
}

/* The group's number is another group's from now on. */
static void begin_again(struct group *g)
{
    g->turn++;
    g->returned = g->low = g->top = g->reached = 0;
    if (g->count != NULL)
        memset(g->count, 0, g->room * sizeof *g->count);
}

static bool together(const struct hd_persist *p, unsigned a, unsigned b, enum hd_persist_scope s)
{
    return group_no(p, a, s) == group_no(p, b, s);
}

static void join(uint64_t *to, const uint64_t *from, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (to[i] < from[i])
            to[i] = from[i];
}

/* A store of epoch @e is not durable (@by = 1) or has become so (-1). */
static bool count_epoch(struct group *g, uint32_t e, int by)
{
    if (e >= g->low + g->room) {
        uint32_t room = g->room ? g->room : 8;
        while (e >= g->low + room)
            room *= 2;
        uint32_t *n = realloc(g->count, room * sizeof *n);
        if (n == NULL)
            return false;
        memset(n + g->room, 0, (room - g->room) * sizeof *n);
        g->count = n;
        g->room = room;
    }
    if (g->top <= e)
        g->top = e + 1;
    g->count[e - g->low] += (uint32_t)by;
    return true;
}

/* The lowest epoch with a store that is not durable; top if there is none. */
static uint32_t lowest(const struct group *g)
{
    uint32_t e = g->low;
    while (e < g->top && g->count[e - g->low] == 0)
        e++;
    return e;
}

/* Behind an instance that has returned no member can store in an older epoch. */
static void forget_epochs(struct group *g)
{
    uint32_t l = lowest(g);
    if (l > g->returned)
        l = g->returned;
    if (l - g->low >= 8 && l - g->low >= g->room / 2) {
        memmove(g->count, g->count + (l - g->low), (g->room - (l - g->low)) * sizeof *g->count);
        memset(g->count + (g->room - (l - g->low)), 0, (l - g->low) * sizeof *g->count);
        g->low = l;
        if (g->top < l)
            g->top = l;
    }
}

static void forget(struct hd_persist *p, uint32_t r)
{
    struct record *x = &p->record[r];
    if (x->state != DURABLE || x->refs > 0)
        return;
    for (unsigned w = 0; w < 2; w++)
        if (x->mask >> w & 1)
            take(&p->ghost_of, x->ghost[w]);
    x->next = p->free;
    x->grain = FREE;
    p->free = r;
    p->live--;
}

/* Takes entries off the front of a warp's list: the durable ones, or all. */
static void shorten(struct hd_persist *p, struct list *l, bool all)
{
    while (l->first < l->end && (all || p->record[l->at[l->first & (l->room - 1)]].state == DURABLE)) {
        uint32_t x = l->at[l->first++ & (l->room - 1)];
        p->record[x].refs--;
        forget(p, x);
    }
}

static bool append(struct hd_persist *p, unsigned warp, uint32_t r)
{
    struct list *l = &p->list[warp];
    shorten(p, l, false);
    if (l->end - l->first == l->room) {
        uint32_t room = l->room ? 2 * l->room : 16, *n = malloc(room * sizeof *n);
        if (n == NULL)
            return fail(p, "no memory for the list of warp %u", warp);
        for (uint64_t i = l->first; i < l->end; i++)
            n[i & (room - 1)] = l->at[i & (l->room - 1)];
        free(l->at);
        l->at = n;
        l->room = room;
    }
    l->at[l->end++ & (l->room - 1)] = r;
    p->record[r].refs++;
    p->vc[(size_t)warp * p->warps + warp] = l->end;
    return true;
}

/* @return the grain's number, made if it is not there, or 0 after an error. */
static uint32_t grain_at(struct hd_persist *p, uint32_t addr)
{
    uint32_t g = look(&p->grain_of, addr / 8 + 1);
    if (g != NONE)
        return g;
    if (p->grains + 1 >= p->grain_room) {
        uint32_t room = p->grain_room ? 2 * p->grain_room : 256;
        struct grain *n = realloc(p->grain, room * sizeof *n);
        if (n == NULL)
            return fail(p, "no memory for grains");
        p->grain = n;
        p->grain_room = room;
    }
    g = ++p->grains;
    p->grain[g] = (struct grain){.addr = addr};
    if (!put(&p->grain_of, addr / 8 + 1, g))
        return fail(p, "no memory for grains");
    return g;
}

/* A name for messages: "store 12 of warp 3 to 0x10040, cycle 77". */
static const char *name(const struct hd_persist *p, uint32_t r, char to[static 96])
{
    const struct record *x = &p->record[r];
    snprintf(to, 96, "store %u of warp %u to 0x%x, cycle %llu", (unsigned)x->ghost[x->mask & 1 ? 0 : 1], (unsigned)x->warp,
             (unsigned)(p->grain[x->grain].addr + (x->mask & 1 ? 0 : 4)), (unsigned long long)x->cycle);
    return to;
}

/* ---- what programs do ---------------------------------------------------------------------------------------------- */

bool hd_persist_store(struct hd_persist *p, uint64_t cycle, unsigned warp, uint32_t addr, unsigned mask, const uint32_t ghost[2])
{
    if (p->bad)
        return false;
    uint32_t g = grain_at(p, addr), r = p->free;
    if (g == 0)
        return false;
    if (r != NONE) {
        p->free = p->record[r].next;
    } else {
        if (p->records + 1 >= p->room) {
            uint32_t room = p->room ? 2 * p->room : 256;
            struct record *n = realloc(p->record, room * sizeof *n);
            if (n == NULL)
                return fail(p, "no memory for stores");
            p->record = n;
            p->room = room;
        }
        r = ++p->records;
    }
    struct record *x = &p->record[r];
    *x = (struct record){.grain = g, .warp = warp, .mask = (uint8_t)mask, .cycle = cycle, .state = STORED};
    for (unsigned w = 0; w < 2; w++)
        if (mask >> w & 1) {
            x->ghost[w] = ghost[w];
            uint32_t twin = w == 1 && mask == 3 && ghost[0] == ghost[1] ? r : NONE;
            if (ghost[w] == 0 || look(&p->ghost_of, ghost[w]) != twin)
                return fail(p, "cycle %llu: warp %u stores ghost %u a second time", (unsigned long long)cycle, warp,
                            (unsigned)ghost[w]);
            if (!put(&p->ghost_of, ghost[w], r))
                return fail(p, "no memory for stores");
        }
    p->counts.stores++;
    if (++p->live > p->counts.most)
        p->counts.most = p->live;
    for (unsigned s = 0; s < HD_PERSIST_SCOPES; s++) {
        struct group *group = group_of(p, warp, s);
        x->epoch[s] = p->epoch[warp * HD_PERSIST_SCOPES + s];
        x->group[s] = group_no(p, warp, s);
        x->turn[s] = group->turn;
        char n[96];
        if (p->model != HD_PERSIST_EPOCH && x->epoch[s] < group->reached)
            return fail(p, "cycle %llu: %s comes in front of barrier %u of its group, and a store behind it may be durable",
                        (unsigned long long)cycle, name(p, r, n), (unsigned)group->reached);
        if (p->model != HD_PERSIST_EPOCH && !count_epoch(group, x->epoch[s], 1))
            return fail(p, "no memory for epochs");
    }
    x->place = p->list[warp].end + 1;
    return append(p, warp, r);
}

bool hd_persist_pending(const struct hd_persist *p, uint32_t ghost)
{
    uint32_t r = look(&p->ghost_of, ghost);
    return r != NONE && p->record[r].state == STORED;
}

/* Store @a was written over, before it left, by @b (NONE: durable and forgotten), which the L2 has by now; so have been those that
 * @a wrote over. */
static bool merged_late(struct hd_persist *p, uint32_t a, uint32_t b)
{
    struct record *x = &p->record[a];
    struct grain *g = &p->grain[x->grain];
    p->counts.merged++;
    for (unsigned w = 0; w < 2; w++)
        if (hd_persist_pending(p, x->over[w]))
            merged_late(p, look(&p->ghost_of, x->over[w]), b);
    x->over[0] = x->over[1] = NONE;
    if (b == NONE || p->record[b].state == DURABLE) {
        x->state = DURABLE;
        forget(p, a);
        return true;
    }
    uint32_t *link = &g->head;
    while (*link != b)
        link = &p->record[*link].next;
    x->state = ORDERED;
    x->next = b;
    *link = a;
    return true;
}

bool hd_persist_merged(struct hd_persist *p, uint64_t cycle, uint32_t over, uint32_t ghost)
{
    uint32_t a = look(&p->ghost_of, over), b = look(&p->ghost_of, ghost);
    if (p->bad || a == b)
        return !p->bad;
    if (a != NONE && p->record[a].state == STORED && (b == NONE || p->record[b].state != STORED))
        return merged_late(p, a, b);
    if (a == NONE || b == NONE || p->record[a].grain != p->record[b].grain || p->record[a].state != STORED)
        return fail(p, "cycle %llu: an L1 writes store %u over %u, which it cannot hold", (unsigned long long)cycle,
                    (unsigned)ghost, (unsigned)over);
    p->record[b].over[p->record[a].mask & p->record[b].mask & 1 && p->record[a].ghost[0] == over ? 0 : 1] = over;
    p->counts.merged++;
    return true;
}

/* Appends a store to its grain's order, first those it has written over. */
static bool place(struct hd_persist *p, uint64_t cycle, uint32_t r)
{
    struct record *x = &p->record[r];
    struct grain *g = &p->grain[x->grain];
    char n[96];
    for (unsigned w = 0; w < 2; w++)
        if (hd_persist_pending(p, x->over[w]) && !place(p, cycle, look(&p->ghost_of, x->over[w])))
            return false;
    for (unsigned w = 0; w < 2; w++)
        if (x->mask >> w & 1) {
            if (g->last[w].ghost != 0 && g->last[w].warp == x->warp && g->last[w].place > x->place)
                return fail(p, "cycle %llu: the L2 writes over the warp's own later store %u: %s", (unsigned long long)cycle,
                            (unsigned)g->last[w].ghost, name(p, r, n));
            g->last[w].ghost = x->ghost[w];
            g->last[w].warp = x->warp;
            g->last[w].place = x->place;
        }
    x->over[0] = x->over[1] = x->next = NONE;
    x->state = ORDERED;
    if (g->head == NONE)
        g->head = r;
    else
        p->record[g->tail].next = r;
    g->tail = r;
    return true;
}

bool hd_persist_ordered(struct hd_persist *p, uint64_t cycle, uint32_t ghost)
{
    uint32_t r = look(&p->ghost_of, ghost);
    char n[96];
    if (p->bad)
        return false;
    if (r == NONE)
        return fail(p, "cycle %llu: the L2 writes store %u, which is durable already or was never made", (unsigned long long)cycle,
                    (unsigned)ghost);
    uint8_t word = p->record[r].mask & 1 && p->record[r].ghost[0] == ghost ? 1 : 2;
    if (p->record[r].named & word)
        return fail(p, "cycle %llu: the L2 writes a second time %s", (unsigned long long)cycle, name(p, r, n));
    p->record[r].named |= word;
    return p->record[r].state != STORED || place(p, cycle, r);
}

bool hd_persist_load(struct hd_persist *p, uint64_t cycle, unsigned warp, uint32_t addr, uint32_t at, uint32_t ghost)
{
    uint32_t r = look(&p->ghost_of, ghost), i = look(&p->grain_of, addr / 8 + 1);
    unsigned w = addr >> 2 & 1;
    if (!p->bad && i != NONE && p->grain[i].last[w].ghost != 0 && p->grain[i].last[w].warp == warp
        && p->grain[i].last[w].ghost < at && p->grain[i].last[w].ghost != ghost && (r == NONE || p->record[r].state != STORED))
        return fail(p, "cycle %llu: warp %u reads store %u at 0x%x, which its own store %u has written over at the L2",
                    (unsigned long long)cycle, warp, (unsigned)ghost, (unsigned)addr, (unsigned)p->grain[i].last[w].ghost);
    if (p->bad || r == NONE || p->record[r].state == DURABLE || p->record[r].warp == warp)
        return !p->bad;
    p->counts.loads++;
    return append(p, warp, r);
}

/* ---- synchronization ----------------------------------------------------------------------------------------------- */

bool hd_persist_release(struct hd_persist *p, unsigned warp, enum hd_persist_scope s, uint32_t word, uint32_t value)
{
    uint32_t i = look(&p->sync_of, word + 1);
    if (p->bad)
        return false;
    if (i == NONE) {
        void *n = realloc(p->sync, (p->syncs + 2) * sizeof *p->sync);
        if (n == NULL)
            return fail(p, "no memory for synchronization");
        p->sync = n;
        i = ++p->syncs;
        p->sync[i].clock = calloc(p->warps, sizeof *p->sync[i].clock);
        if (p->sync[i].clock == NULL || !put(&p->sync_of, word + 1, i))
            return fail(p, "no memory for synchronization");
    }
    p->sync[i].value = value;
    p->sync[i].scope = (uint8_t)s;
    p->sync[i].block = p->block[warp];
    memcpy(p->sync[i].clock, &p->vc[(size_t)warp * p->warps], p->warps * sizeof *p->vc);
    return true;
}

void hd_persist_acquire(struct hd_persist *p, unsigned warp, enum hd_persist_scope s, uint32_t word, uint32_t value)
{
    uint32_t i = look(&p->sync_of, word + 1);
    if (i != NONE && p->sync[i].value == value && p->sync[i].scope == s
        && (s == HD_PERSIST_KR || p->sync[i].block == p->block[warp]))
        join(&p->vc[(size_t)warp * p->warps], p->sync[i].clock, p->warps);
}

void hd_persist_sync(struct hd_persist *p, unsigned warp, enum hd_persist_scope s)
{
    uint64_t *all = &p->vc[(size_t)warp * p->warps];
    for (unsigned u = 0; u < p->warps; u++)
        if (u != warp && !p->gone[u] && together(p, warp, u, s))
            join(all, &p->vc[(size_t)u * p->warps], p->warps);
    for (unsigned u = 0; u < p->warps; u++)
        if (u != warp && !p->gone[u] && together(p, warp, u, s))
            memcpy(&p->vc[(size_t)u * p->warps], all, p->warps * sizeof *all);
}

/* ---- barriers ------------------------------------------------------------------------------------------------------ */

bool hd_persist_arrive(struct hd_persist *p, uint64_t cycle, unsigned warp, enum hd_persist_scope s)
{
    struct group *g = group_of(p, warp, s);
    uint32_t k = p->epoch[warp * HD_PERSIST_SCOPES + s]++;
    if (p->bad)
        return false;
    if (k > g->returned)
        return fail(p, "cycle %llu: warp %u is at barrier %u of its group, which has returned from %u",
                    (unsigned long long)cycle, warp, (unsigned)k + 1, (unsigned)g->returned);
    for (unsigned i = 0; i < 2; i++)
        if (g->clock[i] == NULL && (g->clock[i] = calloc(p->warps, sizeof *g->clock[i])) == NULL)
            return fail(p, "no memory for barriers");
    join(g->clock[k & 1], &p->vc[(size_t)warp * p->warps], p->warps);
    return true;
}

static const char *const scope_name[HD_PERSIST_SCOPES] = {"wi", "wg", "kernel"};

static bool go_on(struct hd_persist *p, uint64_t cycle, unsigned warp, enum hd_persist_scope s, bool durable)
{
    struct group *g = group_of(p, warp, s);
    uint32_t k = p->epoch[warp * HD_PERSIST_SCOPES + s];
    char n[96];
    if (p->bad)
        return false;
    if (k <= g->returned && k > 0)
        return true;                   /* another member of it has returned before */
    for (unsigned u = 0; u < p->warps; u++)
        if (!p->gone[u] && together(p, warp, u, s) && p->epoch[u * HD_PERSIST_SCOPES + s] < k)
            return fail(p, "cycle %llu: warp %u returns from %s barrier %u, to which warp %u has not come",
                        (unsigned long long)cycle, warp, scope_name[s], (unsigned)k, u);
    if (k != g->returned + 1)
        return fail(p, "cycle %llu: warp %u returns from a %s barrier it is not at", (unsigned long long)cycle, warp, scope_name[s]);
    g->returned = k;
    p->counts.returns++;
    uint64_t *clock = g->clock[(k - 1) & 1];
    for (unsigned w = 0; w < p->warps && durable; w++) {
        struct list *l = &p->list[w];
        while (l->first < l->end && l->first < clock[w]) {
            uint32_t r = l->at[l->first++ & (l->room - 1)];
            if (p->record[r].state != DURABLE)
                return fail(p, "cycle %llu: warp %u returns from %s barrier %u; not durable though in front of it%s: %s",
                            (unsigned long long)cycle, warp, scope_name[s], (unsigned)k,
                            p->record[r].warp == w ? "" : " (read)", name(p, r, n));
            p->record[r].refs--;
            forget(p, r);
        }
    }
    memset(clock, 0, p->warps * sizeof *clock);
    if (p->model != HD_PERSIST_EPOCH)
        forget_epochs(g);
    return true;
}

bool hd_persist_return(struct hd_persist *p, uint64_t cycle, unsigned warp, enum hd_persist_scope s)
{
    return go_on(p, cycle, warp, s, p->model == HD_PERSIST_EPOCH);
}

bool hd_persist_drained(struct hd_persist *p, uint64_t cycle, unsigned warp, enum hd_persist_scope s)
{
    return go_on(p, cycle, warp, s, true);
}

void hd_persist_exit(struct hd_persist *p, unsigned warp)
{
    p->gone[warp] = true;
}

void hd_persist_launch(struct hd_persist *p, unsigned warp, unsigned block, bool fresh)
{
    struct group *own = &p->group[HD_PERSIST_WI][warp], *shared = &p->group[HD_PERSIST_WG][block];
    shorten(p, &p->list[warp], true);
    p->block[warp] = block;
    p->gone[warp] = false;
    p->epoch[warp * HD_PERSIST_SCOPES + HD_PERSIST_WI] = 0;
    begin_again(own);
    if (fresh)
        begin_again(shared);
    p->epoch[warp * HD_PERSIST_SCOPES + HD_PERSIST_WG] = shared->returned;
    p->epoch[warp * HD_PERSIST_SCOPES + HD_PERSIST_KR] = p->group[HD_PERSIST_KR]->returned;
    for (unsigned i = 0; i < 2; i++) {
        if (own->clock[i] != NULL)
            memset(own->clock[i], 0, p->warps * sizeof *own->clock[i]);
        if (fresh && shared->clock[i] != NULL)
            memset(shared->clock[i], 0, p->warps * sizeof *shared->clock[i]);
    }
    memcpy(&p->vc[(size_t)warp * p->warps], p->before, p->warps * sizeof *p->vc);
}

bool hd_persist_settled(struct hd_persist *p, unsigned warp)
{
    shorten(p, &p->list[warp], false);
    return p->list[warp].first == p->list[warp].end;
}

void hd_persist_kernel(struct hd_persist *p)
{
    for (unsigned w = 0; w < p->warps; w++)
        p->before[w] = p->list[w].end;
}

/* ---- memory -------------------------------------------------------------------------------------------------------- */

/* How many of the grain's stores that are not durable the words @ghost hold: those up to @last of them, NONE: none.
 * @return false when no prefix of the order leaves these words. */
static bool covered(struct hd_persist *p, uint64_t cycle, const struct grain *g, const uint32_t ghost[2], const char *what,
                    uint32_t *last)
{
    uint32_t now[2] = {g->durable[0], g->durable[1]};
    *last = NONE;
    if (now[0] == ghost[0] && now[1] == ghost[1])
        return true;
    for (uint32_t r = g->head; r != NONE; r = p->record[r].next) {
        for (unsigned w = 0; w < 2; w++)
            if (p->record[r].mask >> w & 1)
                now[w] = p->record[r].ghost[w];
        if (now[0] == ghost[0] && now[1] == ghost[1]) {
            *last = r;
            return true;
        }
    }
    return fail(p, "cycle %llu: the words %s at 0x%x, of stores %u and %u, are no prefix of the order of its stores (durable: %u, %u)",
                (unsigned long long)cycle, what, (unsigned)g->addr, (unsigned)ghost[0], (unsigned)ghost[1],
                (unsigned)g->durable[0], (unsigned)g->durable[1]);
}

/* Counts the grain's stores up to @last in or out of their groups' epochs. */
static void count_to(struct hd_persist *p, const struct grain *g, uint32_t last, int by)
{
    for (uint32_t r = g->head; p->model != HD_PERSIST_EPOCH; r = p->record[r].next) {
        for (unsigned s = 0; s < HD_PERSIST_SCOPES; s++)
            if (home(p, &p->record[r], s) != NULL)
                count_epoch(home(p, &p->record[r], s), p->record[r].epoch[s], by);
        if (r == last)
            return;
    }
}

bool hd_persist_sent(struct hd_persist *p, uint64_t cycle, uint32_t addr, const uint32_t ghost[2])
{
    uint32_t g = look(&p->grain_of, addr / 8 + 1), last;
    char n[96];
    if (p->bad)
        return false;
    if (p->model == HD_PERSIST_EPOCH || g == NONE)
        return true;
    if (!covered(p, cycle, &p->grain[g], ghost, "sent", &last) || last == NONE)
        return !p->bad;
    count_to(p, &p->grain[g], last, -1);
    for (uint32_t r = p->grain[g].head;; r = p->record[r].next) {
        for (unsigned s = 0; s < HD_PERSIST_SCOPES; s++) {
            struct group *group = home(p, &p->record[r], s);
            if (group == NULL)
                continue;
            uint32_t e = p->record[r].epoch[s], low = lowest(group);
            if (low < e)
                return fail(p, "cycle %llu: may be durable: %s, behind %s barrier %u; %u stores of its group in front of it are not",
                            (unsigned long long)cycle, name(p, r, n), scope_name[s], (unsigned)e,
                            (unsigned)group->count[low - group->low]);
            if (group->reached < e)
                group->reached = e;
        }
        if (r == last)
            break;
        const struct record *a = &p->record[r], *b = &p->record[a->next];
        if (p->model == HD_PERSIST_ALTERNATIVE && a->warp == b->warp && memcmp(a->turn, b->turn, sizeof a->turn) == 0
            && memcmp(a->epoch, b->epoch, sizeof a->epoch) != 0)
            return fail(p, "cycle %llu: written with what its warp stored in front of a barrier: %s", (unsigned long long)cycle,
                        name(p, a->next, n));
    }
    count_to(p, &p->grain[g], last, 1);
    return true;
}

bool hd_persist_durable(struct hd_persist *p, uint64_t cycle, uint32_t addr, const uint32_t ghost[2])
{
    uint32_t i = look(&p->grain_of, addr / 8 + 1), last;
    if (p->bad)
        return false;
    if (i == NONE && ghost[0] == 0 && ghost[1] == 0)
        return true;
    if (i == NONE)
        return fail(p, "cycle %llu: words of stores %u and %u at 0x%x, where nobody has stored", (unsigned long long)cycle,
                    (unsigned)ghost[0], (unsigned)ghost[1], (unsigned)addr);
    struct grain *g = &p->grain[i];
    p->counts.durable++;
    if (!covered(p, cycle, g, ghost, "durable", &last) || last == NONE)
        return !p->bad;
    count_to(p, g, last, -1);
    for (uint32_t r = NONE; r != last;) {
        r = g->head;
        g->head = p->record[r].next;
        p->record[r].state = DURABLE;
        forget(p, r);
    }
    memcpy(g->durable, ghost, sizeof g->durable);
    return true;
}

static bool all_durable(struct hd_persist *p, uint64_t cycle, const char *what)
{
    char n[96];
    for (uint32_t r = 1; r <= p->records && !p->bad; r++)
        if (p->record[r].grain != FREE && p->record[r].state != DURABLE)
            return fail(p, "cycle %llu: %s: %s", (unsigned long long)cycle, what, name(p, r, n));
    return !p->bad;
}

bool hd_persist_all_drained(struct hd_persist *p, uint64_t cycle)
{
    p->counts.returns++;
    return all_durable(p, cycle, "a persist barrier of the grid is complete; not durable though in front of it");
}

bool hd_persist_end(struct hd_persist *p, uint64_t cycle)
{
    return all_durable(p, cycle, "never durable");
}

/* ---- life ---------------------------------------------------------------------------------------------------------- */

struct hd_persist *hd_persist_new(enum hd_persist_model model, unsigned warps, const unsigned *block)
{
    struct hd_persist *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->model = model;
    p->warps = warps;
    p->block = malloc(warps * sizeof *p->block);
    p->epoch = calloc((size_t)warps * HD_PERSIST_SCOPES, sizeof *p->epoch);
    p->gone = calloc(warps, sizeof *p->gone);
    p->list = calloc(warps, sizeof *p->list);
    p->vc = calloc((size_t)warps * warps, sizeof *p->vc);
    p->before = calloc(warps, sizeof *p->before);
    bool good = p->before && p->block && p->epoch && p->gone && p->list && p->vc;
    for (unsigned s = 0; s < HD_PERSIST_SCOPES; s++)
        good = (p->group[s] = calloc(s == HD_PERSIST_KR ? 1 : warps, sizeof *p->group[s])) != NULL && good;
    if (!good) {
        hd_persist_free(p);
        return NULL;
    }
    memcpy(p->block, block, warps * sizeof *block);
    return p;
}

void hd_persist_free(struct hd_persist *p)
{
    if (p == NULL)
        return;
    for (unsigned w = 0; p->list && w < p->warps; w++)
        free(p->list[w].at);
    for (unsigned s = 0; s < HD_PERSIST_SCOPES; s++) {
        for (unsigned i = 0; p->group[s] && i < (s == HD_PERSIST_KR ? 1 : p->warps); i++) {
            free(p->group[s][i].clock[0]);
            free(p->group[s][i].clock[1]);
            free(p->group[s][i].count);
        }
        free(p->group[s]);
    }
    for (uint32_t i = 1; i <= p->syncs; i++)
        free(p->sync[i].clock);
    struct map *maps[] = {&p->ghost_of, &p->grain_of, &p->sync_of};
    for (unsigned i = 0; i < 3; i++) {
        free(maps[i]->key);
        free(maps[i]->val);
    }
    free(p->block), free(p->epoch), free(p->gone), free(p->list), free(p->vc), free(p->before), free(p->record), free(p->grain), free(p->sync);
    free(p);
}

const char *hd_persist_error(const struct hd_persist *p)
{
    return p->bad ? p->error : NULL;
}

struct hd_persist_counts hd_persist_counts(const struct hd_persist *p)
{
    return p->counts;
}
