/* record.c - see record.h. */
#include "record.h"
#include "hd_pkg.h"
#include "warp.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 8 };

/* The lanes' ids: lane l of `lanes` has number first + (lanes below it). */
struct ids {
    uint32_t first;
    hd_mask_t lanes;
};

/* An operation on its way. */
struct flight {
    bool busy;
    struct ids ids;
    uint32_t po, t_issue;
    uint8_t order;
    struct hd_op op;
    uint32_t dep[HD_MAX_LANES];
};

struct warp {
    uint32_t po, block;
    uint32_t dep[HD_MAX_LANES];        /* youngest load used so far, a lane */
    struct ids token[HD_TOKENS];
    struct flight next, slot[SLOTS];   /* next: handed in; a fence or barrier stays here */
};

struct hd_record {
    const struct hd_config *c;
    struct hd_evlog *log;
    struct warp *warp;                 /* [sms * warps] */
    uint32_t *issued;                  /* [sms] */
    bool *written;                     /* [sms * lds words]; the others hold what the memory woke up with */
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
    r->written = calloc((size_t)c->sms * (c->lds_bytes / 4 + 1), sizeof *r->written);
    if (r->warp == NULL || r->issued == NULL || r->written == NULL) {
        hd_record_free(r);
        return NULL;
    }
    return r;
}

void hd_record_free(struct hd_record *r)
{
    if (r == NULL)
        return;
    free(r->warp);
    free(r->issued);
    free(r->written);
    free(r);
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

static bool recorded(unsigned kind)
{
    return hd_op_memory(kind) || hd_op_class(kind) == HD_OPC_FENCE || kind == HD_OP_BARRIER;
}

void hd_record_launch(struct hd_record *r, unsigned sm, unsigned warp, uint32_t block)
{
    struct warp *w = warp_at(r, sm, warp);

    w->block = block;
    memset(w->dep, 0, sizeof w->dep);
}

void hd_record_offer(struct hd_record *r, unsigned sm, struct hd_op *op, bool sync, uint32_t tok)
{
    struct warp *w = warp_at(r, sm, op->warp);
    struct flight *f = &w->next;
    bool access = hd_op_memory(op->kind);

    f->busy = recorded(op->kind);
    if (!f->busy)
        return;
    f->ids = (struct ids){r->issued[sm], access ? op->mask : 1};
    r->issued[sm] += (uint32_t)__builtin_popcountll(f->ids.lanes);
    f->po = w->po++;
    f->t_issue = UINT32_MAX;
    f->order = (uint8_t)(op->order | (sync && access ? HD_EV_ATOMIC : 0));
    uint32_t id = f->ids.first * r->c->sms + sm + 1;
    if (op->kind == HD_OP_STORE || op->kind == HD_OP_ATOMIC)
        for (hd_mask_t rest = op->mask; rest != 0; rest &= rest - 1, id += r->c->sms)
            op->ghost[__builtin_ctzll(rest)] = id;
    if (op->kind == HD_OP_LOAD || op->kind == HD_OP_ATOMIC)
        w->token[tok % HD_TOKENS] = f->ids;
    copy_op(r, &f->op, op);
    memcpy(f->dep, w->dep, r->c->lanes * sizeof f->dep[0]);
}

void hd_record_taken(struct hd_record *r, unsigned sm, unsigned warp, unsigned slot, uint64_t cycle)
{
    struct warp *w = warp_at(r, sm, warp);

    if (!w->next.busy)
        return;
    w->next.t_issue = (uint32_t)cycle;
    if (w->next.op.kind == HD_OP_FENCE || w->next.op.kind == HD_OP_BARRIER)
        return;
    copy_flight(r, &w->slot[slot], &w->next);
    w->next.busy = false;
}

/* What an atomic function makes of a word; the table is that of hd_amo_alu. */
static uint32_t atomic_result(unsigned fn, uint32_t old, uint32_t b, uint32_t cmp)
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

static bool *written_at(const struct hd_record *r, unsigned sm, uint32_t addr)
{
    return &r->written[(size_t)sm * (r->c->lds_bytes / 4 + 1) + addr / 4];
}

void hd_record_complete(struct hd_record *r, unsigned sm, unsigned warp, unsigned slot, uint64_t cycle, bool last,
                        hd_mask_t mask, const uint32_t *data, const uint32_t *ghost)
{
    struct warp *w = warp_at(r, sm, warp);
    struct flight *f = &w->slot[slot];
    const struct hd_op *op = &f->op;
    uint32_t id = 0; /* the next one, when the next lane of the operation is in the mask too */
    hd_mask_t done = 0;

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
        uint32_t old = ghost[lane];
        if (op->space == HD_SPACE_LDS && !*written_at(r, sm, op->addr[lane]))
            old = 0; /* the initial value */
        if (op->kind == HD_OP_ATOMIC && op->space == HD_SPACE_LDS)
            *written_at(r, sm, op->addr[lane]) = true;
        if (op->kind != HD_OP_STORE)
            e.src = old;
        if (op->kind != HD_OP_LOAD) {
            e.over = old;
            e.wval = op->kind == HD_OP_STORE ? op->data[lane]
                                             : atomic_result(op->fn, data[lane], op->data[lane], op->cmp[lane]);
        }
        hd_evlog_append(&r->log->sm[sm], &e);
        id += r->c->sms;
    }
    for (hd_mask_t rest = op->kind == HD_OP_STORE && op->space == HD_SPACE_LDS ? mask : 0; rest != 0; rest &= rest - 1)
        *written_at(r, sm, op->addr[__builtin_ctzll(rest)]) = true; /* all its lanes tell the word before the store */
    f->busy = !last;
}

void hd_record_done(struct hd_record *r, unsigned sm, unsigned warp, uint64_t cycle)
{
    struct warp *w = warp_at(r, sm, warp);
    struct flight *f = &w->next;

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
