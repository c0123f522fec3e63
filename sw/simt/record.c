/* record.c - see record.h. */
#include "record.h"
#include "hd_pkg.h"
#include "warp.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 8 };

/* A word of an LDS. */
struct lds_word {
    bool written;                      /* else it holds what the memory woke up with */
    bool fresh;                        /* the attempt that holds it was the first to write it */
    bool raced;                        /* a plain store met an open attempt or two stores in no order a copy: nobody can say
                                        * whose word it is from here on */
    uint16_t holder;                   /* warp * HD_MAX_LANES + lane + 1 of an open attempt that has accessed it, 0: none */
    uint32_t open;                     /* id of the store that wrote it in that attempt, 0: none */
    uint32_t po, last;                 /* of the youngest plain store in the log, and its last lane's id */
    uint32_t copies, copy_po;          /* copies under way to it; of the first of them the instruction, and the warp */
    uint8_t warp, copier;
};

/* The transaction of a warp. Records of LDS accesses wait in held[] until their lane has committed. */
struct attempt {
    bool runs;
    hd_mask_t live;                    /* lanes that have not lost, as far as completions have told */
    uint32_t first;                    /* no id below is of the attempt */
    uint32_t dep[HD_MAX_LANES];        /* of the warp when it began */
    unsigned helds;
    struct hd_event *held;             /* [HD_RECORD_HELD], in order of their issue; NULL: no transactions in this slot */
};

/* The lanes' ids: lane l of `lanes` has number first + (lanes below it). */
struct ids {
    uint32_t first;
    hd_mask_t lanes;
};

/* An operation on its way. */
struct flight {
    bool busy;
    struct ids ids;                    /* of a copy: of its loads, those of its stores behind them */
    uint32_t po, t_issue;
    uint8_t order;
    hd_mask_t read;                    /* of a copy: lanes whose words have been read */
    struct hd_op op;
    uint32_t dep[HD_MAX_LANES];
};

struct warp {
    uint32_t po, block;
    uint32_t dep[HD_MAX_LANES];        /* youngest load used so far, a lane */
    struct ids token[HD_TOKENS];
    struct flight next, slot[SLOTS];   /* next: handed in; a fence or barrier stays here */
    uint8_t control, scope;            /* kind of operation handed in last when it is no access, and its scope */
    bool comes;                        /* to a persist barrier that is taken, with accesses in front of it not complete */
    struct attempt tx;
};

struct hd_record {
    const struct hd_config *c;
    struct hd_evlog *log;
    struct warp *warp;                 /* [sms * warps] */
    uint32_t *issued;                  /* [sms] */
    struct lds_word *lds;              /* [sms * (lds words + 1)] */
    struct hd_notes *notes;            /* [sms] for the persist checker, or NULL */
};

struct hd_record *hd_record_new(const struct hd_config *c, struct hd_evlog *log)
{
    struct hd_record *r = calloc(1, sizeof *r);

    if (r == NULL)
        return NULL;
    r->c = c;
    r->log = log;
    r->warp = calloc((size_t)c->sms * c->warps, sizeof *r->warp);
    r->issued = calloc(c->sms, sizeof *r->issued);
    r->lds = calloc((size_t)c->sms * (c->lds_bytes / 4 + 1), sizeof *r->lds);
    if (r->warp == NULL || r->issued == NULL || r->lds == NULL) {
        hd_record_free(r);
        return NULL;
    }
    return r;
}

void hd_record_free(struct hd_record *r)
{
    if (r == NULL)
        return;
    for (size_t i = 0; r->warp != NULL && i < (size_t)r->c->sms * r->c->warps; i++)
        free(r->warp[i].tx.held);
    free(r->warp);
    free(r->issued);
    free(r->lds);
    free(r);
}

bool hd_record_transactions(struct hd_record *r, unsigned warps)
{
    for (unsigned i = 0; i < r->c->sms * r->c->warps; i++) {
        struct attempt *tx = &r->warp[i].tx;
        if (i % r->c->warps < warps && (tx->held = malloc(HD_RECORD_HELD * sizeof *tx->held)) == NULL)
            return false;
    }
    return true;
}

static struct warp *warp_at(const struct hd_record *r, unsigned sm, unsigned warp)
{
    return &r->warp[(size_t)sm * r->c->warps + warp];
}

static uint32_t id_of(const struct hd_record *r, unsigned sm, struct ids ids, unsigned lane)
{
    hd_mask_t below = ids.lanes & (hd_lane(lane) - 1);

    return (ids.first + (uint32_t)__builtin_popcountll(below)) * r->c->sms + sm + 1;
}

static struct lds_word *lds_at(const struct hd_record *r, unsigned sm, uint32_t addr)
{
    return &r->lds[(size_t)sm * (r->c->lds_bytes / 4 + 1) + addr / 4];
}

/* All that is read of it later: the ghosts are the hardware's. */
static void copy_op(const struct hd_record *r, struct hd_op *to, const struct hd_op *from)
{
    size_t bytes = r->c->lanes * sizeof to->addr[0];

    memcpy(to, from, offsetof(struct hd_op, addr));
    memcpy(to->addr, from->addr, bytes);
    memcpy(to->data, from->data, bytes);
    memcpy(to->cmp, from->cmp, bytes);
}

static void copy_flight(const struct hd_record *r, struct flight *to, const struct flight *from)
{
    memcpy(to, from, offsetof(struct flight, op));
    copy_op(r, &to->op, &from->op);
    memcpy(to->dep, from->dep, r->c->lanes * sizeof to->dep[0]);
}

/* ---- notes for the persist checker ------------------------------------------------------------------------------- */

static void note(const struct hd_record *r, unsigned sm, unsigned warp, uint64_t cycle, struct hd_note n)
{
    if (r->notes == NULL)
        return;
    n.cycle = (uint32_t)cycle;
    n.warp = (uint8_t)warp;
    hd_note(&r->notes[sm], n);
}

static bool releases(unsigned order)
{
    order &= HD_EV_ATOMIC - 1;
    return order == HD_ORD_RELEASE || order == HD_ORD_ACQ_REL || order == HD_ORD_SEQ_CST;
}

static bool acquires(unsigned order)
{
    order &= HD_EV_ATOMIC - 1;
    return order == HD_ORD_ACQUIRE || order == HD_ORD_ACQ_REL || order == HD_ORD_SEQ_CST;
}

/* Lanes of a store that share a grain are one store, as far as each is the last to write its word: the others never were. */
static void note_issue(const struct hd_record *r, unsigned sm, unsigned warp, uint64_t cycle, const struct flight *f)
{
    const struct hd_op *op = &f->op;
    hd_mask_t rest = op->mask;

    if (r->notes == NULL || op->space != HD_SPACE_GLOBAL || (op->kind != HD_OP_STORE && op->kind != HD_OP_ATOMIC))
        return;
    if (f->order & HD_EV_ATOMIC && releases(f->order))
        for (hd_mask_t all = rest; all != 0; all &= all - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(all);
            note(r, sm, warp, cycle, (struct hd_note){.kind = HD_NOTE_RELEASE, .scope = op->scope, .addr = op->addr[lane],
                                                      .a = id_of(r, sm, f->ids, lane)});
        }
    while (rest != 0) {
        unsigned first = (unsigned)__builtin_ctzll(rest);
        struct hd_note n = {.kind = HD_NOTE_STORE, .addr = op->addr[first] & ~7u};
        for (hd_mask_t same = rest; same != 0; same &= same - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(same);
            if ((op->addr[lane] & ~7u) != n.addr)
                continue;
            bool high = op->addr[lane] & 4;
            *(high ? &n.b : &n.a) = id_of(r, sm, f->ids, lane);
            n.mask |= high ? 2 : 1;
            rest &= ~hd_lane(lane);
            if (op->kind == HD_OP_ATOMIC)
                break;
        }
        if (n.addr >= r->c->nv_base)
            note(r, sm, warp, cycle, n);
    }
}

static void note_complete(const struct hd_record *r, unsigned sm, unsigned warp, uint64_t cycle, const struct hd_event *e)
{
    uint32_t old = e->kind == HD_EVK_ST ? e->over : e->src;

    if (r->notes == NULL || e->space != HD_SPACE_GLOBAL)
        return;
    if (e->addr >= r->c->nv_base && e->kind != HD_EVK_LD && old != 0)
        note(r, sm, warp, cycle, (struct hd_note){.kind = HD_NOTE_OVER, .mask = e->kind == HD_EVK_RMW, .a = e->id, .b = old});
    if (e->kind == HD_EVK_ST)
        return;
    if (e->addr >= r->c->nv_base)
        note(r, sm, warp, cycle, (struct hd_note){.kind = HD_NOTE_LOAD, .addr = e->addr, .a = e->id, .b = old});
    if (e->order & HD_EV_ATOMIC && acquires(e->order) && old != 0)
        note(r, sm, warp, cycle, (struct hd_note){.kind = HD_NOTE_ACQUIRE, .scope = e->scope, .addr = e->addr, .b = old});
}

/* Accesses that issued before a persist barrier may complete while it waits for them. */
static void note_arrival(const struct hd_record *r, unsigned sm, unsigned warp, uint64_t cycle)
{
    struct warp *w = &r->warp[(size_t)sm * r->c->warps + warp];

    for (unsigned i = 0; w->comes && i < SLOTS; i++)
        if (w->slot[i].busy)
            return;
    if (w->comes)
        note(r, sm, warp, cycle, (struct hd_note){.kind = HD_NOTE_ARRIVE, .scope = w->scope});
    w->comes = false;
}

void hd_record_notes(struct hd_record *r, struct hd_notes *notes)
{
    r->notes = notes;
}

static bool transaction(unsigned kind)
{
    return kind == HD_OP_TX_BEGIN || kind == HD_OP_TX_COMMIT;
}

static bool recorded(unsigned kind)
{
    return hd_op_memory(kind) || hd_op_class(kind) == HD_OPC_FENCE || kind == HD_OP_BARRIER;
}

void hd_record_launch(struct hd_record *r, unsigned sm, unsigned warp, uint64_t cycle, const struct hd_launched *launched)
{
    struct warp *w = warp_at(r, sm, warp);

    w->block = launched->block;
    w->control = HD_OP_NOP;
    memset(w->dep, 0, sizeof w->dep);
    note(r, sm, warp, cycle, (struct hd_note){.kind = HD_NOTE_LAUNCH, .addr = launched->block, .mask = launched->what,
                                              .scope = launched->durable, .a = launched->barriers, .b = launched->warps});
}

void hd_record_offer(struct hd_record *r, unsigned sm, struct hd_op *op, bool sync, uint32_t tok)
{
    struct warp *w = warp_at(r, sm, op->warp);
    struct flight *f = &w->next;
    bool access = hd_op_memory(op->kind) && !transaction(op->kind);

    f->busy = recorded(op->kind);
    w->control = hd_op_memory(op->kind) ? HD_OP_NOP : op->kind;
    w->scope = op->scope;
    if (!f->busy)
        return;
    bool copy = op->kind == HD_OP_COPY;
    f->ids = (struct ids){r->issued[sm], access ? op->mask : transaction(op->kind) ? 0 : 1};
    uint32_t lanes = (uint32_t)__builtin_popcountll(f->ids.lanes);
    r->issued[sm] += copy ? 2 * lanes : lanes;
    f->po = w->po++;
    w->po += copy;
    f->read = 0;
    f->t_issue = UINT32_MAX;
    f->order = (uint8_t)(op->order | (sync && access ? HD_EV_ATOMIC : 0));
    uint32_t id = f->ids.first * r->c->sms + sm + 1;
    if (copy)
        id += lanes * r->c->sms;
    if (op->kind == HD_OP_STORE || op->kind == HD_OP_ATOMIC || copy)
        for (hd_mask_t rest = op->mask; rest != 0; rest &= rest - 1, id += r->c->sms)
            op->ghost[__builtin_ctzll(rest)] = id;
    if (op->kind == HD_OP_LOAD || op->kind == HD_OP_ATOMIC)
        w->token[tok % HD_TOKENS] = f->ids;
    copy_op(r, &f->op, op);
    memcpy(f->dep, w->dep, r->c->lanes * sizeof f->dep[0]);
}

/* Orders under which a warp goes on beside its copies: nothing it does to their words before they are complete is ordered. */
static bool copies_pass(const struct hd_record *r)
{
    return r->c->order == HD_MODEL_RMO || r->c->order == HD_MODEL_DRF || r->c->order == HD_MODEL_HRF;
}

static void copy_begins(const struct hd_record *r, unsigned sm, unsigned warp, const struct flight *f)
{
    for (hd_mask_t rest = f->op.mask; rest != 0; rest &= rest - 1) {
        struct lds_word *x = lds_at(r, sm, f->op.cmp[__builtin_ctzll(rest)]);
        if (x->copies++ == 0) {
            x->copy_po = f->po;
            x->copier = (uint8_t)warp;
        } else {
            x->raced |= copies_pass(r) || (x->copier == warp && x->copy_po == f->po);
        }
    }
}

void hd_record_taken(struct hd_record *r, unsigned sm, unsigned warp, unsigned slot, uint64_t cycle)
{
    struct warp *w = warp_at(r, sm, warp);

    if (w->control == HD_OP_PBARRIER) {
        w->comes = true;
        note_arrival(r, sm, warp, cycle);
    }
    if (!w->next.busy)
        return;
    note_issue(r, sm, warp, cycle, &w->next);
    if (w->next.op.kind == HD_OP_COPY)
        copy_begins(r, sm, warp, &w->next);
    w->next.t_issue = (uint32_t)cycle;
    if (w->next.op.kind == HD_OP_FENCE || w->next.op.kind == HD_OP_BARRIER)
        return;
    copy_flight(r, &w->slot[slot], &w->next);
    w->next.busy = false;
}

uint32_t hd_atomic_result(unsigned fn, uint32_t old, uint32_t b, uint32_t cmp)
{
    switch (fn) {
    case HD_AT_ADD:
        return old + b;
    case HD_AT_MIN:
        return (int32_t)old < (int32_t)b ? old : b;
    case HD_AT_MAX:
        return (int32_t)old < (int32_t)b ? b : old;
    case HD_AT_AND:
        return old & b;
    case HD_AT_OR:
        return old | b;
    case HD_AT_XOR:
        return old ^ b;
    case HD_AT_EXCH:
        return b;
    case HD_AT_CAS:
        return old == cmp ? b : old;
    case HD_AT_INC:
        return old < b ? old + 1 : 0;
    case HD_AT_DEC:
        return old == 0 || old > b ? b : old - 1;
    case HD_AT_UMIN:
        return old < b ? old : b;
    case HD_AT_UMAX:
        return old < b ? b : old;
    default:
        return old;
    }
}

/* ---- transactions ------------------------------------------------------------------------------------------------ */

/* An access that nobody else can tell of any more, or that no store in the log explains. Its id has been given out, so it stays as a
 * plain load of word 0, which lies below all that kernels may touch. */
static void append_nothing(const struct hd_record *r, unsigned sm, const struct hd_event *e)
{
    struct hd_event nothing = {.id = e->id, .tid = e->tid, .po = e->po, .kind = HD_EVK_LD, .scope = HD_SCOPE_DEVICE,
                               .space = HD_SPACE_GLOBAL, .t_issue = e->t_issue, .t_done = e->t_done, .block = e->block};

    hd_evlog_append(&r->log->sm[sm], &nothing);
}

/* The attempts of these lanes end: what they did goes into the log, or never was. */
static void settle(const struct hd_record *r, unsigned sm, struct attempt *tx, hd_mask_t lanes, bool commit)
{
    unsigned kept = 0;

    for (unsigned i = 0; lanes != 0 && i < tx->helds; i++) {
        struct hd_event *e = &tx->held[i];
        struct lds_word *x = lds_at(r, sm, e->addr);
        if (!(lanes >> (e->tid & 0xff) & 1)) {
            tx->held[kept++] = *e;
            continue;
        }
        if (commit && !x->raced)
            hd_evlog_append(&r->log->sm[sm], e);
        else
            append_nothing(r, sm, e);
        x->written &= commit || !x->fresh;
        x->fresh = false;
        x->holder = 0;
        x->open = 0;
    }
    if (lanes != 0)
        tx->helds = kept;
}

static void begin_or_commit(const struct hd_record *r, unsigned sm, struct warp *w, const struct flight *f, hd_mask_t tcm,
                            unsigned mode)
{
    struct attempt *tx = &w->tx;

    if (f->op.kind == HD_OP_TX_BEGIN) {
        tx->live = f->op.mask & ~tcm;
        tx->runs = tx->live != 0 && tx->held != NULL;
        tx->first = id_of(r, sm, f->ids, 0);
        memcpy(tx->dep, w->dep, sizeof tx->dep);
        for (unsigned i = 0; tx->runs && mode == HD_TM_WG && i < r->c->warps; i++) { /* it has ended all others */
            struct attempt *other = &warp_at(r, sm, i)->tx;
            if (other != tx && other->runs) {
                settle(r, sm, other, HD_ALL_LANES, false);
                other->live = 0;
            }
        }
        return;
    }
    settle(r, sm, tx, tx->live & ~tcm, true);
    settle(r, sm, tx, HD_ALL_LANES, false);
    for (hd_mask_t rest = tcm; rest != 0; rest &= rest - 1)
        w->dep[__builtin_ctzll(rest)] = tx->dep[__builtin_ctzll(rest)];
    tx->runs = false;
}

/* An access of the attempt: @lost: by it its lane has lost, or had before. */
static void hold(const struct hd_record *r, unsigned sm, struct attempt *tx, struct hd_event *e, bool lost)
{
    unsigned lane = e->tid & 0xff;
    struct lds_word *x = lds_at(r, sm, e->addr);

    if (lost || x->raced) {
        append_nothing(r, sm, e);
        return;
    }
    if (tx->helds == HD_RECORD_HELD) { /* longer than any attempt that makes sense */
        x->raced |= e->kind != HD_EVK_LD;
        append_nothing(r, sm, e);
        return;
    }
    x->holder = (uint16_t)(e->tid % 0x10000 / 0x100 * HD_MAX_LANES + lane + 1);
    if (e->kind != HD_EVK_LD) {
        x->fresh |= !x->written;
        x->open = e->id;
    }
    tx->held[tx->helds++] = *e;
}

/* An access outside transactions. */
static void append_plain(const struct hd_record *r, unsigned sm, struct hd_event *e)
{
    if (e->space != HD_SPACE_LDS || (warp_at(r, sm, 0)->tx.held == NULL && r->c->copies == 0)) {
        hd_evlog_append(&r->log->sm[sm], e);
        return;
    }
    struct lds_word *x = lds_at(r, sm, e->addr);
    uint8_t warp = (uint8_t)(e->tid >> 8);
    bool beside = x->copies != 0 && x->copier == warp && e->po > x->copy_po + 1 && copies_pass(r);
    x->raced |= e->kind != HD_EVK_LD && (x->holder != 0 || beside);
    if (x->raced || beside || (e->kind == HD_EVK_LD && x->open != 0 && e->src == x->open))
        append_nothing(r, sm, e);
    else {
        if (e->kind == HD_EVK_ST) { /* the checker chains lanes of one store on one word itself, but not beside one that says nothing */
            if (x->last != 0 && x->po == e->po && x->warp == warp)
                e->over = x->last;
            x->po = e->po;
            x->last = e->id;
            x->warp = warp;
        }
        hd_evlog_append(&r->log->sm[sm], e);
    }
}

/* The words of a copy's lanes were read, and then, as if by a store behind the load, are in the LDS. Its stores have ids of their
 * own, which the hardware writes beside the words. */
static void complete_copy(const struct hd_record *r, unsigned sm, unsigned warp, struct flight *f, uint64_t cycle,
                          hd_mask_t mask, const uint32_t *data, const uint32_t *ghost)
{
    struct hd_op *op = &f->op;
    bool read = (mask & ~f->read) != 0;
    uint32_t stores = (uint32_t)__builtin_popcountll(f->ids.lanes) * r->c->sms;

    for (hd_mask_t rest = mask & f->ids.lanes; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        struct hd_event e = {.id = id_of(r, sm, f->ids, lane),
                             .tid = (uint32_t)(sm << 16 | warp << 8 | lane),
                             .po = f->po,
                             .kind = HD_EVK_LD,
                             .scope = op->scope,
                             .t_issue = f->t_issue,
                             .t_done = (uint32_t)cycle,
                             .rval = data[lane],
                             .dep = f->dep[lane],
                             .block = warp_at(r, sm, warp)->block};
        if (read) {
            e.addr = op->addr[lane];
            e.space = HD_SPACE_GLOBAL;
            e.src = r->c->l1 == HD_FAMILY_DENOVO ? ghost[lane] & ~HD_EV_OWN : ghost[lane];
            op->data[lane] = data[lane];
            hd_evlog_append(&r->log->sm[sm], &e);
            note_complete(r, sm, warp, cycle, &e);
            continue;
        }
        struct lds_word *x = lds_at(r, sm, op->cmp[lane]);
        e.dep = e.id;
        e.id += stores;
        e.po++;
        e.addr = op->cmp[lane];
        e.space = HD_SPACE_LDS;
        e.kind = HD_EVK_ST;
        e.over = x->written ? ghost[lane] : 0;
        e.wval = op->data[lane];
        append_plain(r, sm, &e);
    }
    for (hd_mask_t rest = read ? 0 : mask; rest != 0; rest &= rest - 1) {
        struct lds_word *x = lds_at(r, sm, op->cmp[__builtin_ctzll(rest)]);
        x->written = true;
        x->copies--;
    }
    f->read |= mask;
}

void hd_record_complete(struct hd_record *r, unsigned sm, unsigned warp, unsigned slot, uint64_t cycle, bool last,
                        hd_mask_t mask, const uint32_t *data, const uint32_t *ghost, hd_mask_t tcm,
                        unsigned mode)
{
    struct warp *w = warp_at(r, sm, warp);
    struct flight *f = &w->slot[slot];
    const struct hd_op *op = &f->op;
    struct attempt *tx = &w->tx;
    uint32_t id = 0; /* the next one, when the next lane of the operation is in the mask too */
    hd_mask_t done = 0;

    if (transaction(op->kind)) {
        begin_or_commit(r, sm, w, f, tcm, mode);
        f->busy = !last;
        return;
    }
    if (op->kind == HD_OP_COPY) {
        complete_copy(r, sm, warp, f, cycle, mask, data, ghost);
        f->busy = !last;
        note_arrival(r, sm, warp, cycle);
        return;
    }
    bool held = tx->runs && op->space == HD_SPACE_LDS;
    if (held)
        settle(r, sm, tx, tx->live & tcm, false);
    tx->live &= held ? ~tcm : tx->live;
    for (hd_mask_t rest = mask & f->ids.lanes; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        bool follows = id != 0 && (f->ids.lanes & (hd_lane(lane) - 1) & ~done) == 0;
        id = follows ? id : id_of(r, sm, f->ids, lane);
        done = (hd_lane(lane) - 1) | hd_lane(lane);
        struct hd_event e = {.id = id,
                             .tid = (uint32_t)(sm << 16 | warp << 8 | lane),
                             .po = f->po,
                             .addr = op->addr[lane],
                             .kind = op->kind == HD_OP_LOAD    ? HD_EVK_LD
                                     : op->kind == HD_OP_STORE ? HD_EVK_ST
                                                               : HD_EVK_RMW,
                             .order = f->order,
                             .scope = op->scope,
                             .space = op->space,
                             .rval = data[lane],
                             .t_issue = f->t_issue,
                             .t_done = (uint32_t)cycle,
                             .dep = f->dep[lane],
                             .block = w->block};
        uint32_t old = ghost[lane], own = r->c->l1 == HD_FAMILY_DENOVO && op->space != HD_SPACE_LDS ? old & HD_EV_OWN : 0;
        old -= own;
        if (op->space == HD_SPACE_LDS && !lds_at(r, sm, op->addr[lane])->written)
            old = 0; /* the initial value */
        if (op->kind != HD_OP_STORE)
            e.src = old;
        if (op->kind != HD_OP_LOAD) {
            e.over = old | own;
            e.wval = op->kind == HD_OP_STORE ? op->data[lane]
                                             : hd_atomic_result(op->fn, data[lane], op->data[lane], op->cmp[lane]);
        }
        if (tx->runs && e.dep >= tx->first && !held)
            e.dep = tx->dep[lane]; /* the load it depends on may never have been */
        if (held)
            hold(r, sm, tx, &e, !(tx->live >> lane & 1));
        else
            append_plain(r, sm, &e);
        note_complete(r, sm, warp, cycle, &e);
        if (op->kind == HD_OP_ATOMIC && op->space == HD_SPACE_LDS && (!held || (tx->live >> lane & 1)))
            lds_at(r, sm, op->addr[lane])->written = true;
        id += r->c->sms;
    }
    for (hd_mask_t rest = op->kind == HD_OP_STORE && op->space == HD_SPACE_LDS ? mask & (held ? tx->live : mask) : 0; rest != 0;
         rest &= rest - 1)
        lds_at(r, sm, op->addr[__builtin_ctzll(rest)])->written = true; /* all its lanes tell the word before the store */
    f->busy = !last;
    note_arrival(r, sm, warp, cycle);
}

void hd_record_done(struct hd_record *r, unsigned sm, unsigned warp, uint64_t cycle)
{
    struct warp *w = warp_at(r, sm, warp);
    struct flight *f = &w->next;

    if (w->control == HD_OP_BARRIER || w->control == HD_OP_PBARRIER || w->control == HD_OP_EXIT)
        note(r, sm, warp, cycle, (struct hd_note){.scope = w->scope,
                                                  .kind = w->control == HD_OP_BARRIER ? HD_NOTE_SYNC
                                                          : w->control == HD_OP_EXIT  ? HD_NOTE_EXIT
                                                                                      : HD_NOTE_RETURN});
    w->control = HD_OP_NOP;
    if (!f->busy)
        return;
    bool barrier = f->op.kind == HD_OP_BARRIER;
    struct hd_event e = {.id = id_of(r, sm, f->ids, 0),
                         .tid = (uint32_t)(sm << 16 | warp << 8),
                         .po = f->po,
                         .kind = barrier ? HD_EVK_BAR : HD_EVK_FENCE,
                         .order = f->order,
                         .scope = f->op.scope,
                         .t_issue = barrier ? (uint32_t)cycle : f->t_issue,
                         .t_done = (uint32_t)cycle,
                         .block = w->block};
    hd_evlog_append(&r->log->sm[sm], &e);
    f->busy = false;
}

void hd_record_used(struct hd_record *r, unsigned sm, unsigned warp, uint32_t tok)
{
    struct warp *w = warp_at(r, sm, warp);
    struct ids ids = w->token[tok % HD_TOKENS];
    uint32_t id = ids.first * r->c->sms + sm + 1;

    for (hd_mask_t rest = ids.lanes; rest != 0; rest &= rest - 1, id += r->c->sms) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        if (id > w->dep[lane])
            w->dep[lane] = id;
    }
}

uint64_t hd_record_watermark(const struct hd_record *r, uint64_t next)
{
    for (size_t i = 0; i < (size_t)r->c->sms * r->c->warps; i++) {
        const struct warp *w = &r->warp[i];
        if (w->tx.helds > 0 && w->tx.held[0].t_issue < next)
            next = w->tx.held[0].t_issue;
        for (unsigned k = 0; k < r->c->scoreboard; k++)
            if (w->slot[k].busy && w->slot[k].t_issue < next)
                next = w->slot[k].t_issue;
        if (w->next.busy && w->next.op.kind == HD_OP_FENCE && w->next.t_issue < next) /* barriers: when released */
            next = w->next.t_issue;
    }
    return next;
}

const uint32_t *hd_record_issued(const struct hd_record *r)
{
    return r->issued;
}
