/* order_ref.h - references of the ordering queues in front of the L1, written from the headers of hd_unsafe_queues,
 * hd_store_buffer and hd_sc_prefetch, and what their tests share. */
#ifndef ORDER_REF_H
#define ORDER_REF_H
#include "hd_access.h"

enum { OR_WARPS = 64, OR_DEPTH = 64, OR_NONE = -1, OR_TAG = 1 << (HD_TAG_W - 1) };

/* A line access. */
struct or_access {
    unsigned warp, slot, kind, space;
    unsigned fn; /* but of a CAS */
    bool cas;    /* it has compare values, or the words of a copy */
    uint64_t line, place, data, cmp;
    uint64_t bits; /* as it was offered, where a test compares all of it */
};

static inline unsigned or_fn(const struct or_access *a)
{
    return a->cas && a->kind != HD_OP_COPY ? HD_AT_CAS : a->fn;
}

/* Any function but that one. */
static inline unsigned or_any_fn(void)
{
    unsigned fn = (unsigned)hd_rand_below(16);
    return fn == HD_AT_CAS ? HD_AT_ADD : fn;
}

/* The access as the coalescer offers it; what struct or_access does not name is random. */
static inline uint64_t or_pack(const struct or_access *a, bool last)
{
    struct hd_access p = hd_access_random();

    p.last = last;
    p.warp = a->warp;
    p.slot = a->slot;
    p.space = a->space;
    p.kind = a->kind;
    p.fn = or_fn(a);
    return hd_access_pack(p);
}

/* ---- hd_unsafe_queues ------------------------------------------------------------------------------------------ */

struct or_entry {
    unsigned kind; /* enum hd_oq_e */
    struct or_access a;
};
struct or_queues {
    unsigned warps, depth;
    bool unified;
    struct or_entry queue[OR_WARPS][OR_DEPTH];
    unsigned count[OR_WARPS];
    unsigned in_flight[OR_WARPS], slot[OR_WARPS]; /* ordered accesses, and the instruction they are of */
    uint64_t came[OR_WARPS], performed[OR_WARPS];
    unsigned last; /* the queue whose head left last */
};

static inline unsigned or_queue(const struct or_queues *q, unsigned warp)
{
    return q->unified ? 0 : warp;
}

static inline unsigned or_num_queues(const struct or_queues *q)
{
    return q->unified ? 1 : q->warps;
}

static inline void or_queues_init(struct or_queues *q, unsigned warps, unsigned depth, bool unified)
{
    memset(q, 0, sizeof *q);
    q->warps = warps;
    q->depth = depth;
    q->unified = unified;
    q->last = or_num_queues(q) - 1;
}

static inline bool or_full(const struct or_queues *q, unsigned warp)
{
    return q->count[or_queue(q, warp)] == q->depth;
}

static inline bool or_empty(const struct or_queues *q, unsigned warp)
{
    return q->count[or_queue(q, warp)] == 0;
}

static inline unsigned or_pending(const struct or_queues *q, unsigned warp)
{
    return (unsigned)(q->came[warp] - q->performed[warp]);
}

/* No ordered access of the warp is in flight, or only such of this instruction. */
static inline bool or_in_order(const struct or_queues *q, unsigned warp, unsigned slot)
{
    return q->in_flight[warp] == 0 || q->slot[warp] == slot;
}

static inline bool or_direct_ok(const struct or_queues *q, unsigned warp, unsigned slot)
{
    return or_empty(q, warp) && or_in_order(q, warp, slot);
}

static inline bool or_ready(const struct or_queues *q, unsigned queue)
{
    const struct or_entry *head = &q->queue[queue][0];

    if (q->count[queue] == 0)
        return false;
    return head->kind == HD_OQ_FREE || (head->kind == HD_OQ_ORDERED ? or_in_order(q, head->a.warp, head->a.slot)
                                                                     : q->in_flight[head->a.warp] == 0);
}

/* The queue whose head is offered, OR_NONE: none. */
static inline int or_pick(const struct or_queues *q)
{
    const unsigned n = or_num_queues(q);

    for (unsigned i = 1; i <= n; i++)
        if (or_ready(q, (q->last + i) % n))
            return (int)((q->last + i) % n);
    return OR_NONE;
}

static inline void or_goes_out(struct or_queues *q, unsigned warp, unsigned slot)
{
    q->in_flight[warp]++;
    q->slot[warp] = slot;
}

static inline void or_push(struct or_queues *q, unsigned kind, const struct or_access *a)
{
    const unsigned queue = or_queue(q, a->warp);

    q->queue[queue][q->count[queue]++] = (struct or_entry){kind, *a};
    q->came[a->warp] += kind == HD_OQ_ORDERED;
}

static inline struct or_entry or_take(struct or_queues *q, unsigned queue)
{
    const struct or_entry e = q->queue[queue][0];

    memmove(q->queue[queue], q->queue[queue] + 1, --q->count[queue] * sizeof e);
    q->last = queue;
    if (e.kind == HD_OQ_ORDERED)
        or_goes_out(q, e.a.warp, e.a.slot);
    return e;
}

static inline void or_direct(struct or_queues *q, unsigned warp, unsigned slot)
{
    q->came[warp]++;
    or_goes_out(q, warp, slot);
}

static inline void or_done(struct or_queues *q, unsigned warp)
{
    q->in_flight[warp]--;
    q->performed[warp]++;
}

/* ---- hd_store_buffer, hd_sc_prefetch ----------------------------------------------------------------------------- */

struct or_stage {
    bool prefetch; /* which of them */
    struct or_queues q;
    bool turn; /* store buffer: an access has passed the buffers, which could have sent one */
    /* SC with prefetch: places of the data array, and lines to prefetch */
    unsigned stores, cas, num_stores, num_cas, num_lines, max_lines;
    struct {
        uint64_t line;
        bool write;
    } lines[OR_DEPTH];
};

/* What a cycle shows. Accesses leave when the L1 is ready. */
struct or_shown {
    bool la_ready, lo_valid, queued; /* queued: the access offered enters a queue */
    bool prefetch;
    int queue;                       /* lo comes from this queue, OR_NONE: it is the access offered, or a prefetch */
    unsigned tag;
    struct or_access lo;
    bool lost;                       /* there is no room for the prefetch of what is queued */
};

static inline bool or_same_line(const struct or_access *a, const struct or_access *b)
{
    return a->warp == b->warp && a->line == b->line && a->space == b->space;
}

/* The load offered must (1) or may (2) stand behind a buffered store; 0: it need not. */
static inline unsigned or_behind(const struct or_stage *s, const struct or_access *la)
{
    unsigned stores = 0;

    if (or_empty(&s->q, la->warp))
        return 0;
    for (unsigned n = 0; n < or_num_queues(&s->q); n++) {
        for (unsigned i = 0; i < s->q.count[n]; i++) {
            const struct or_entry *e = &s->q.queue[n][i];

            if (e->kind == HD_OQ_ORDERED && or_same_line(&e->a, la))
                return 1;
            stores += e->kind == HD_OQ_ORDERED;
        }
    }
    return stores > 0 ? 2 : 0;
}

/* @la: NULL if no access is offered. @may: a load that may stand behind a store does. */
static inline struct or_shown or_show(const struct or_stage *s, const struct or_access *la, bool lo_ready, bool may)
{
    struct or_shown r = {.queue = or_pick(&s->q)};
    const bool has_data = la != NULL && la->kind != HD_OP_LOAD;
    bool direct = la != NULL;

    if (s->prefetch) {
        direct = direct && or_direct_ok(&s->q, la->warp, la->slot);
        r.queued = la != NULL && !direct && !or_full(&s->q, la->warp) && (!has_data || s->num_stores < s->stores)
                   && (!la->cas || s->num_cas < s->cas);
        r.lost = r.queued && la->space == HD_SPACE_GLOBAL && s->num_lines == s->max_lines;
    } else if (la != NULL) {
        if (la->kind == HD_OP_STORE)
            direct = or_direct_ok(&s->q, la->warp, la->slot);
        else if (la->kind == HD_OP_LOAD)
            direct = or_behind(s, la) == 0 || (or_behind(s, la) == 2 && !may);
        r.queued = !direct && !or_full(&s->q, la->warp);
        if (direct && !s->turn)
            r.queue = OR_NONE;
    }
    r.la_ready = r.queued;
    r.lo_valid = true;
    if (r.queue != OR_NONE) {
        const struct or_entry *e = &s->q.queue[r.queue][0];

        r.lo = e->a;
        r.tag = e->kind == HD_OQ_ORDERED ? OR_TAG : 0;
    } else if (direct) {
        r.lo = *la;
        r.tag = s->prefetch || la->kind == HD_OP_STORE ? OR_TAG : 0;
        r.la_ready = lo_ready;
    } else if (s->num_lines > 0) {
        r.prefetch = true;
        r.lo.kind = s->lines[0].write ? HD_OP_STORE : HD_OP_LOAD;
        r.lo.space = HD_SPACE_GLOBAL;
        r.lo.line = s->lines[0].line;
    } else {
        r.lo_valid = false;
    }
    return r;
}

/* The access at the output of the cycle that shows @r, no prefetch; @la: the bits at the input. Queues keep a part of them. */
static inline uint64_t or_shown_bits(const struct or_stage *s, const struct or_shown *r, uint64_t la)
{
    const uint64_t kept = (UINT64_C(1) << HD_QUEUED_W) - 1;
    struct hd_access p = hd_access_unpack(r->queue == OR_NONE ? la : r->lo.bits & kept);

    p.warp = r->lo.warp;
    p.slot = r->lo.slot;
    p.tag = r->tag;
    if (s->prefetch)
        p.prefetch = 0;
    return hd_access_pack(p);
}

static inline bool or_holds_data(const struct or_access *a)
{
    return a->kind != HD_OP_LOAD;
}

/* The edge of the cycle that showed @r. @done: the warp of which an ordered access was performed, or OR_NONE. */
static inline void or_edge(struct or_stage *s, const struct or_access *la, bool lo_ready, const struct or_shown *r, int done)
{
    const bool buffers_could = or_pick(&s->q) != OR_NONE;

    if (r->prefetch && lo_ready)
        memmove(s->lines, s->lines + 1, --s->num_lines * sizeof *s->lines);
    if (r->lo_valid && lo_ready && r->queue != OR_NONE) {
        or_take(&s->q, (unsigned)r->queue);
        s->turn = false;
        if (s->prefetch) {
            s->num_stores -= or_holds_data(&r->lo);
            s->num_cas -= r->lo.cas;
        }
    } else if (r->lo_valid && lo_ready && !r->prefetch) {
        s->turn = s->turn || buffers_could;
        if (r->tag != 0)
            or_direct(&s->q, la->warp, la->slot);
    }
    if (r->queued) {
        or_push(&s->q, s->prefetch || la->kind == HD_OP_STORE ? HD_OQ_ORDERED : HD_OQ_FREE, la);
        if (s->prefetch) {
            s->num_stores += or_holds_data(la);
            s->num_cas += la->cas;
            if (la->space == HD_SPACE_GLOBAL && !r->lost) {
                s->lines[s->num_lines].line = la->line;
                s->lines[s->num_lines++].write = or_holds_data(la) && la->kind != HD_OP_COPY;
            }
        }
    }
    if (done != OR_NONE)
        or_done(&s->q, (unsigned)done);
}
#endif
