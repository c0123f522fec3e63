/* txwatch.c - see txwatch.h. */
#include "txwatch.h"
#include "hd_pkg.h"
#include "record.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An LDS operation from its issue to its completion. */
struct flight {
    bool busy;
    uint8_t kind, fn;
    uint32_t number;
    hd_mask_t mask;
    uint32_t word[HD_MAX_LANES], data[HD_MAX_LANES], cmp[HD_MAX_LANES], ghost[HD_MAX_LANES];
};

struct warp {
    enum { AWAY, OUTSIDE, BEGINS, INSIDE, COMMITS } at;
    uint64_t offered;            /* when its youngest LDS operation was */
    unsigned waiting;            /* LDS operations offered and not complete */
    uint32_t number;             /* LDS operations taken */
    struct flight slot[HD_MAX_SLOTS];
};

struct sm {
    struct hd_tm *tm;
    uint64_t now;                /* up to here time is accounted for */
    uint64_t time[HD_TX_TIMES];
    struct warp *warp;           /* [warps] */
    char fault[280];
};

struct hd_txwatch {
    const struct hd_config *c;
    bool ideal;
    struct sm *sm;               /* [sms] */
    struct hd_counter counter[32];
};

struct hd_txwatch *hd_txwatch_new(const struct hd_config *c, const struct hd_txwatch_options *options)
{
    struct hd_txwatch *x = calloc(1, sizeof *x);

    if (x == NULL)
        return NULL;
    x->c = c;
    x->ideal = options->ideal;
    x->sm = calloc(c->sms, sizeof *x->sm);
    for (unsigned i = 0; x->sm != NULL && i < c->sms; i++) {
        x->sm[i].tm = hd_tm_new(&(struct hd_tm_shape){
            .lanes = c->lanes, .warps = c->warps, .tx_warps = options->warps,
            .words = c->lds_bytes / 4, .banks = c->lds_banks, .hash = options->hash,
            .ghosts = c->ghost_bits != 0});
        x->sm[i].warp = calloc(c->warps, sizeof *x->sm[i].warp);
        if (x->sm[i].tm == NULL || x->sm[i].warp == NULL) {
            hd_txwatch_free(x);
            return NULL;
        }
    }
    if (x->sm == NULL) {
        free(x);
        return NULL;
    }
    return x;
}

void hd_txwatch_free(struct hd_txwatch *x)
{
    if (x == NULL)
        return;
    for (unsigned i = 0; i < x->c->sms; i++) {
        hd_tm_free(x->sm[i].tm);
        free(x->sm[i].warp);
    }
    free(x->sm);
    free(x);
}

static bool of_lds(const struct hd_op *op)
{
    return op->kind == HD_OP_TX_BEGIN || op->kind == HD_OP_TX_COMMIT || (hd_op_memory(op->kind) && op->space == HD_SPACE_LDS);
}

/* Warps' time up to @cycle, by where they have been since the last event. */
static void account(const struct hd_txwatch *x, struct sm *sm, uint64_t cycle)
{
    static const uint8_t time[] = {[OUTSIDE] = HD_TX_NONE, [BEGINS] = HD_TX_ENDS, [INSIDE] = HD_TX_CODE, [COMMITS] = HD_TX_ENDS};
    int alone = hd_tm_alone(sm->tm);

    for (unsigned i = 0; i < x->c->warps; i++) {
        const struct warp *w = &sm->warp[i];
        bool held = w->at == BEGINS && alone >= 0 && alone != (int)i;
        if (w->at != AWAY)
            sm->time[held ? HD_TX_HELD : time[w->at]] += cycle - sm->now;
    }
    sm->now = cycle;
}

/* The LDS was at records, backups or a walk for the last @cycles: warps that waited for it inside a transaction. */
static void charge(const struct hd_txwatch *x, struct sm *sm, unsigned cycles)
{
    for (unsigned i = 0; i < x->c->warps; i++) {
        const struct warp *w = &sm->warp[i];
        uint64_t waited = sm->now - w->offered;
        if (w->at != INSIDE || w->waiting == 0)
            continue;
        waited = waited < cycles ? waited : cycles;
        sm->time[HD_TX_CODE] -= waited;
        sm->time[HD_TX_MEMORY] += waited;
    }
}

void hd_txwatch_launch(struct hd_txwatch *x, unsigned sm, unsigned warp, uint64_t cycle)
{
    account(x, &x->sm[sm], cycle);
    x->sm[sm].warp[warp].at = OUTSIDE;
}

static void keep_fault(struct sm *s, unsigned sm)
{
    if (hd_tm_fault(s->tm) != NULL && s->fault[0] == '\0')
        snprintf(s->fault, sizeof s->fault, "SM %u, %s", sm, hd_tm_fault(s->tm));
}

void hd_txwatch_exit(struct hd_txwatch *x, unsigned sm, unsigned warp, uint64_t cycle)
{
    struct sm *s = &x->sm[sm];

    account(x, s, cycle);
    s->warp[warp].at = AWAY;
    hd_tm_exit(s->tm, warp, cycle);
    keep_fault(s, sm);
}

void hd_txwatch_offer(struct hd_txwatch *x, unsigned sm, const struct hd_op *op, uint64_t cycle)
{
    struct sm *s = &x->sm[sm];
    struct warp *w = &s->warp[op->warp];

    if (!of_lds(op))
        return;
    account(x, s, cycle);
    w->offered = cycle;
    w->waiting++;
    if (op->kind == HD_OP_TX_BEGIN)
        w->at = BEGINS;
    else if (op->kind == HD_OP_TX_COMMIT)
        w->at = COMMITS;
}

void hd_txwatch_taken(struct hd_txwatch *x, unsigned sm, const struct hd_op *op, unsigned slot)
{
    struct warp *w = &x->sm[sm].warp[op->warp];
    struct flight *f = &w->slot[slot];

    if (!of_lds(op))
        return;
    *f = (struct flight){.busy = true, .kind = op->kind, .fn = op->fn, .number = w->number++, .mask = op->mask};
    for (unsigned l = 0; l < x->c->lanes; l++)
        f->word[l] = op->addr[l] / 4;
    memcpy(f->data, op->data, x->c->lanes * sizeof f->data[0]);
    memcpy(f->cmp, op->cmp, x->c->lanes * sizeof f->cmp[0]);
    memcpy(f->ghost, op->ghost, x->c->lanes * sizeof f->ghost[0]);
}

bool hd_txwatch_complete(struct hd_txwatch *x, unsigned sm, unsigned warp, unsigned slot, uint64_t cycle, const uint32_t *data,
                         const uint32_t *ghost, hd_mask_t tcm, unsigned mode)
{
    struct sm *s = &x->sm[sm];
    struct warp *w = &s->warp[warp];
    struct flight *f = &w->slot[slot];

    if (!f->busy)
        return s->fault[0] == '\0';
    f->busy = false;
    w->waiting--;
    account(x, s, cycle);
    for (hd_mask_t rest = f->kind == HD_OP_ATOMIC ? f->mask : 0; rest != 0; rest &= rest - 1) {
        unsigned l = (unsigned)__builtin_ctzll(rest);
        f->data[l] = hd_atomic_result(f->fn, data[l], f->data[l], f->cmp[l]);
    }
    bool good = hd_tm_perform(s->tm, &(struct hd_tm_op){
        .cycle = cycle, .number = f->number, .warp = warp, .kind = f->kind, .mode = (uint8_t)mode, .mask = f->mask, .tcm = tcm,
        .word = f->word, .data = f->data, .ghost = f->ghost, .old = data, .old_ghost = ghost});
    if (!x->ideal) {
        struct hd_tm_cost cost = hd_tm_cost(s->tm);
        w->waiting++; /* it waited for its own, too */
        charge(x, s, f->kind == HD_OP_TX_BEGIN || f->kind == HD_OP_TX_COMMIT ? 0 : cost.version + cost.walk);
        w->waiting--;
    }
    if (f->kind == HD_OP_TX_BEGIN)
        w->at = hd_tm_runs(s->tm, warp) ? INSIDE : BEGINS; /* sent back: it will be offered again */
    else if (f->kind == HD_OP_TX_COMMIT)
        w->at = OUTSIDE;
    keep_fault(s, sm);
    return good;
}

const char *hd_txwatch_fault(const struct hd_txwatch *x)
{
    for (unsigned i = 0; i < x->c->sms; i++)
        if (x->sm[i].fault[0] != '\0')
            return x->sm[i].fault;
    return NULL;
}

size_t hd_txwatch_counters(struct hd_txwatch *x, const struct hd_counter **list)
{
    struct hd_tm_counts n = {0};
    uint64_t time[HD_TX_TIMES] = {0};

    for (unsigned i = 0; i < x->c->sms; i++) {
        const struct hd_tm_counts *c = hd_tm_counts(x->sm[i].tm);
        n.operations += c->operations;
        n.accesses += c->accesses;
        for (unsigned k = 0; k < 3; k++)
            n.attempts[k] += c->attempts[k];
        n.commits += c->commits;
        n.aborts += c->aborts;
        n.kills += c->kills;
        n.falses += c->falses;
        n.racing += c->racing;
        n.again += c->again;
        for (unsigned k = 0; k < HD_TX_TIMES; k++)
            time[k] += x->sm[i].time[k];
    }
    const struct hd_counter all[] = {
        {"tm.operations", n.operations}, {"tm.accesses", n.accesses}, {"tm.attempts_tx", n.attempts[HD_TM_TX]},
        {"tm.attempts_wf", n.attempts[HD_TM_WF]}, {"tm.attempts_wg", n.attempts[HD_TM_WG]}, {"tm.commits", n.commits},
        {"tm.aborts", n.aborts}, {"tm.kills", n.kills}, {"tm.false_aborts", n.falses}, {"tm.racing", n.racing},
        {"tm.again", n.again}, {"tm.time_outside", time[HD_TX_NONE]}, {"tm.time_code", time[HD_TX_CODE]},
        {"tm.time_memory", time[HD_TX_MEMORY]}, {"tm.time_begin_commit", time[HD_TX_ENDS]}, {"tm.time_held", time[HD_TX_HELD]},
    };
    memcpy(x->counter, all, sizeof all);
    *list = x->counter;
    return sizeof all / sizeof all[0];
}
