/* heddle.c - a machine whose warp ports are the caller's. See heddle.h. */
#include "heddle.h"
#include "hd_pkg.h"
#include "machine.h"
#include "run/configure.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAME(a, b) _Static_assert((unsigned)(a) == (unsigned)(b), #a)
SAME(HEDDLE_LOAD, HD_OP_LOAD);
SAME(HEDDLE_STORE, HD_OP_STORE);
SAME(HEDDLE_ATOMIC, HD_OP_ATOMIC);
SAME(HEDDLE_FENCE, HD_OP_FENCE);
SAME(HEDDLE_BARRIER, HD_OP_BARRIER);
SAME(HEDDLE_SEQ_CST, HD_ORD_SEQ_CST);
SAME(HEDDLE_SYSTEM, HD_SCOPE_SYSTEM);
SAME(HEDDLE_EXCHANGE, HD_AT_EXCH);
SAME(HEDDLE_READ, HD_AT_READ);
SAME(HEDDLE_LANES, HD_MAX_LANES);

enum { AHEAD = 4 }; /* operations of a warp beyond those that its scoreboard holds */
enum { NONE = UINT32_MAX };

/* An operation from heddle_submit() to heddle_next(). */
struct record {
    struct hd_op op;
    struct heddle_done done;
    uint32_t next; /* in the list it is in, by number in its SM */
};

struct list {
    uint32_t first, last;
};

struct warp {
    struct list queue;                       /* not yet offered */
    uint32_t buffered, control, records;     /* offered and not taken; fence or barrier at work, or NONE; all it has */
    uint32_t slot[HD_MAX_SLOTS];
    bool launched;
};

/* What an SM's calls touch: SMs may be run by several threads. */
struct port {
    struct heddle *h;
    struct warp warp[HD_MAX_WARPS];
    struct record *record;                   /* [warps * depth] */
    struct list free, done;
    uint32_t turn;                           /* the warp to look at first */
    uint32_t launches, queued, pending;      /* warps to launch; operations not offered; not complete */
    struct hd_op launch;
};

struct heddle {
    struct hd_config c;
    struct hd_machine *machine;
    struct hd_client client;
    uint64_t until;      /* the run ends there; HD_NEVER: when nothing is pending */
    bool over;           /* deadlock or a broken rule: nothing runs any more */
    enum heddle_end how;
    char why[160];
    struct port port[];
};

static void put(struct port *p, struct list *l, uint32_t r)
{
    p->record[r].next = NONE;
    if (l->first == NONE)
        l->first = r;
    else
        p->record[l->last].next = r;
    l->last = r;
}

static uint32_t take(struct port *p, struct list *l)
{
    uint32_t r = l->first;
    if (r != NONE)
        l->first = p->record[r].next;
    return r;
}

static bool can_offer(const struct warp *w)
{
    return w->queue.first != NONE && w->buffered == NONE && w->control == NONE;
}

/* @return the warp whose turn it is to offer, NONE if none can. */
static uint32_t candidate(const struct port *p)
{
    for (uint32_t i = 0; p->queued && i < p->h->c.warps; i++) {
        uint32_t w = (p->turn + i) % p->h->c.warps;
        if (can_offer(&p->warp[w]))
            return w;
    }
    return NONE;
}

static uint64_t wake(void *ctx, unsigned sm, uint64_t now)
{
    const struct heddle *h = ctx;
    const struct port *p = &h->port[sm];
    return p->launches || candidate(p) != NONE ? now : HD_NEVER;
}

static const struct hd_op *offer(void *ctx, unsigned sm, uint64_t cycle)
{
    struct heddle *h = ctx;
    struct port *p = &h->port[sm];
    (void)cycle;
    if (p->launches) {
        p->launch = (struct hd_op){.kind = HD_OP_LAUNCH, .warp = (uint8_t)(h->c.warps - p->launches--)};
        return &p->launch;
    }
    uint32_t w = candidate(p);
    if (w == NONE)
        return NULL;
    p->turn = (w + 1) % h->c.warps;
    p->queued--;
    p->warp[w].buffered = take(p, &p->warp[w].queue);
    return &p->record[p->warp[w].buffered].op;
}

static void taken(void *ctx, unsigned sm, uint64_t cycle, unsigned warp, unsigned slot)
{
    struct port *p = &((struct heddle *)ctx)->port[sm];
    struct warp *w = &p->warp[warp];
    uint32_t r = w->buffered;
    if (r == NONE)
        return;
    w->buffered = NONE;
    p->record[r].done.issued = cycle;
    if (p->record[r].op.kind > HD_OP_ATOMIC)
        w->control = r;
    else
        w->slot[slot % HD_MAX_SLOTS] = r;
}

static void finish(struct port *p, uint32_t r, uint64_t cycle)
{
    p->record[r].done.done = cycle;
    p->pending--;
    put(p, &p->done, r);
}

static void complete(void *ctx, unsigned sm, uint64_t cycle, unsigned warp, unsigned slot, bool last, hd_mask_t mask,
                     const uint32_t *data, const uint32_t *ghost)
{
    struct port *p = &((struct heddle *)ctx)->port[sm];
    uint32_t *at = &p->warp[warp].slot[slot % HD_MAX_SLOTS], r = *at;
    (void)ghost;
    if (r == NONE)
        return;
    if (p->record[r].op.kind != HD_OP_STORE)
        for (hd_mask_t rest = mask; rest; rest &= rest - 1)
            p->record[r].done.data[__builtin_ctzll(rest)] = data[__builtin_ctzll(rest)];
    if (last) {
        *at = NONE;
        finish(p, r, cycle);
    }
}

static void ctl_done(void *ctx, unsigned sm, uint64_t cycle, uint64_t warps, uint32_t clock)
{
    struct port *p = &((struct heddle *)ctx)->port[sm];
    (void)clock;
    for (; warps; warps &= warps - 1) {
        struct warp *w = &p->warp[__builtin_ctzll(warps)];
        if (w->control != NONE)
            finish(p, w->control, cycle);
        w->control = NONE;
    }
}

static void flush_done(void *ctx, unsigned sm, uint64_t cycle)
{
    (void)ctx, (void)sm, (void)cycle;
}

static bool window(void *ctx, uint64_t next)
{
    const struct heddle *h = ctx;
    if (h->until != HD_NEVER)
        return next < h->until;
    for (uint32_t i = 0; i < h->c.sms; i++)
        if (h->port[i].pending)
            return true;
    return false;
}

uint32_t heddle_depth(const struct heddle *h)
{
    return h->c.scoreboard + AHEAD;
}

static bool prepare(struct heddle *h, struct port *p)
{
    uint32_t n = h->c.warps * heddle_depth(h);
    *p = (struct port){.h = h, .free = {NONE, NONE}, .done = {NONE, NONE}, .launches = h->c.warps};
    p->record = calloc(n, sizeof *p->record);
    if (!p->record) {
        fprintf(stderr, "heddle: no memory\n");
        return false;
    }
    for (uint32_t r = 0; r < n; r++)
        put(p, &p->free, r);
    for (uint32_t w = 0; w < HD_MAX_WARPS; w++) {
        p->warp[w] = (struct warp){.queue = {NONE, NONE}, .buffered = NONE, .control = NONE};
        for (uint32_t s = 0; s < HD_MAX_SLOTS; s++)
            p->warp[w].slot[s] = NONE;
    }
    return true;
}

struct heddle *heddle_open(const char *config, const char *const *set, size_t sets)
{
    struct hd_config c;
    if (hd_configure(&c, config, set, sets) != 0)
        return NULL;
    struct heddle *h = calloc(1, sizeof *h + c.sms * sizeof h->port[0]);
    if (!h) {
        fprintf(stderr, "heddle: no memory\n");
        return NULL;
    }
    h->c = c;
    h->client = (struct hd_client){.ctx = h, .wake = wake, .offer = offer, .taken = taken, .complete = complete,
                                   .ctl_done = ctl_done, .flush_done = flush_done, .window = window};
    bool ok = true;
    for (uint32_t i = 0; ok && i < c.sms; i++)
        ok = prepare(h, &h->port[i]);
    if (ok && (h->machine = hd_machine_new(&h->c, NULL)))
        return h;
    heddle_close(h);
    return NULL;
}

void heddle_close(struct heddle *h)
{
    if (!h)
        return;
    hd_machine_free(h->machine);
    for (uint32_t i = 0; i < h->c.sms; i++)
        free(h->port[i].record);
    free(h);
}

uint32_t heddle_sms(const struct heddle *h)
{
    return h->c.sms;
}

uint32_t heddle_warps(const struct heddle *h)
{
    return h->c.warps;
}

uint32_t heddle_lanes(const struct heddle *h)
{
    return h->c.lanes;
}

uint32_t heddle_window(const struct heddle *h)
{
    return hd_machine_window(h->machine);
}

uint64_t heddle_cycle(const struct heddle *h)
{
    return hd_machine_cycle(h->machine);
}

/* @return what is wrong with *op, or NULL. */
static const char *wrong(const struct heddle *h, const struct heddle_op *op)
{
    uint64_t lanes = h->c.lanes == 64 ? UINT64_MAX : (UINT64_C(1) << h->c.lanes) - 1;
    if (op->sm >= h->c.sms || op->warp >= h->c.warps)
        return "no such warp";
    if (op->kind > HEDDLE_BARRIER || op->order > HEDDLE_SEQ_CST || op->scope > HEDDLE_SYSTEM || op->atomic > HEDDLE_READ)
        return "kind, order, scope or atomic is none";
    if (op->wait > UINT16_MAX)
        return "wait is above 65535";
    if (op->kind > HEDDLE_ATOMIC)
        return NULL;
    if (!op->mask || op->mask & ~lanes)
        return "mask is 0 or has lanes that a warp has not";
    for (uint64_t rest = op->mask; rest; rest &= rest - 1) {
        uint32_t address = op->address[__builtin_ctzll(rest)];
        if (address & 3)
            return "an address is not that of a word";
        if (op->local && address >= h->c.lds_bytes)
            return "an address is beyond the local data share";
    }
    return NULL;
}

bool heddle_submit(struct heddle *h, const struct heddle_op *op)
{
    const char *text = wrong(h, op);
    if (text) {
        fprintf(stderr, "heddle: operation of warp %u of SM %u: %s\n", op->warp, op->sm, text);
        return false;
    }
    struct port *p = &h->port[op->sm];
    struct warp *w = &p->warp[op->warp];
    if (w->records == heddle_depth(h))
        return false;
    w->records++;
    uint32_t r = take(p, &p->free);
    struct record *to = &p->record[r];
    to->done = (struct heddle_done){.tag = op->tag, .mask = op->mask, .submitted = hd_machine_cycle(h->machine),
                                    .sm = op->sm, .warp = op->warp, .kind = op->kind};
    to->op = (struct hd_op){.warp = (uint8_t)op->warp, .kind = (uint8_t)op->kind, .fn = (uint8_t)op->atomic,
                            .space = op->local ? HD_SPACE_LDS : HD_SPACE_GLOBAL, .order = (uint8_t)op->order,
                            .scope = (uint8_t)op->scope, .alu = (uint16_t)op->wait, .mask = op->mask};
    memcpy(to->op.addr, op->address, sizeof to->op.addr);
    memcpy(to->op.data, op->data, sizeof to->op.data);
    memcpy(to->op.cmp, op->compare, sizeof to->op.cmp);
    put(p, &w->queue, r);
    p->queued++;
    p->pending++;
    return true;
}

bool heddle_next(struct heddle *h, struct heddle_done *d)
{
    for (uint32_t i = 0; i < h->c.sms; i++) {
        struct port *p = &h->port[i];
        uint32_t r = take(p, &p->done);
        if (r == NONE)
            continue;
        *d = p->record[r].done;
        p->warp[d->warp].records--;
        put(p, &p->free, r);
        return true;
    }
    return false;
}

static enum heddle_end ended(struct heddle *h, enum heddle_end how)
{
    h->over = how != HEDDLE_OK;
    h->how = how;
    if (how == HEDDLE_DEADLOCK)
        hd_machine_explain(h->machine, stderr);
    return how;
}

static enum heddle_end run(struct heddle *h, uint64_t until)
{
    if (h->over)
        return h->how;
    h->until = until;
    switch (hd_machine_run(h->machine, &h->client)) {
    case HD_END_CLIENT:
        return ended(h, HEDDLE_OK);
    case HD_END_DEADLOCK:
        return ended(h, HEDDLE_DEADLOCK);
    default:
        return ended(h, HEDDLE_BROKEN);
    }
}

enum heddle_end heddle_run(struct heddle *h, uint64_t cycles)
{
    uint64_t now = hd_machine_cycle(h->machine);
    if (cycles == 0)
        return h->how;
    return run(h, cycles < HD_NEVER - now ? now + cycles : HD_NEVER - 1);
}

enum heddle_end heddle_drain(struct heddle *h)
{
    return run(h, HD_NEVER);
}

enum heddle_end heddle_flush(struct heddle *h)
{
    enum heddle_end how = heddle_drain(h);
    if (how != HEDDLE_OK || hd_machine_flush(h->machine))
        return how;
    struct hd_verdicts v;
    hd_machine_verdicts(h->machine, &v);
    return ended(h, v.watchdog && strcmp(v.watchdog, "pass") != 0 ? HEDDLE_DEADLOCK : HEDDLE_BROKEN);
}

uint32_t heddle_peek(const struct heddle *h, uint32_t address)
{
    return hd_machine_peek(h->machine, address & ~3u);
}

void heddle_poke(struct heddle *h, uint32_t address, uint32_t value)
{
    hd_machine_poke(h->machine, address & ~3u, value);
}

const char *heddle_verdict(struct heddle *h)
{
    struct hd_verdicts v;
    hd_machine_verdicts(h->machine, &v);
    const char *const names[] = {"watchdog", "assertions", "coherence", "conservation"}; /* causes first */
    const char *const text[] = {v.watchdog, v.assertions, v.coherence, v.conservation};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        if (text[i] && strcmp(text[i], "pass") != 0) {
            snprintf(h->why, sizeof h->why, "%s: %.120s", names[i], text[i]);
            return h->why;
        }
    return NULL;
}

const char *heddle_counter_at(struct heddle *h, size_t i, uint64_t *value)
{
    const struct hd_counter *list;
    if (i >= hd_machine_counters(h->machine, &list))
        return NULL;
    *value = list[i].value;
    return list[i].name;
}

uint64_t heddle_counter(struct heddle *h, const char *name)
{
    const struct hd_counter *list;
    size_t n = hd_machine_counters(h->machine, &list);
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].name, name) == 0)
            return list[i].value;
    return 0;
}

const char *heddle_version(void)
{
    return HEDDLE_VERSION;
}
