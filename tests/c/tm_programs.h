/* tm_programs.h - random programs of transactions on the reference machine of paper 5 (tests/reference/local_tm), for tests of
 * what watches the warp port. A test that includes it has tell() and give_ghosts(). */
#ifndef TM_PROGRAMS_H
#define TM_PROGRAMS_H
#include "check/tm.h"
#include "hd_pkg.h"
#include <stdlib.h>
#include <string.h>

#define HW_WFS 4
#define HW_LANES 8
#define HW_BANKS 4
#define HW_ROWS 32
#define HW_HASH 8
#include "tests/reference/local_tm/tm_hw.h"

int tm_bug;

enum { WORDS = HW_BANKS * HW_ROWS, STEPS = 4000, TRANSACTIONS = 8, OPS = 6, LONGEST = 200000 };

/* An operation as it crosses the port. Arrays of op are not set: they are behind it. */
struct record {
    struct hd_tm_op op;
    uint8_t fn;
    uint32_t operand[HW_LANES]; /* of a store or atomic */
    unsigned cycles;
    uint32_t word[HW_LANES], data[HW_LANES], ghost[HW_LANES], old[HW_LANES], old_ghost[HW_LANES];
};

/* A wavefront's program: transactions of random operations, plain accesses between them. */
struct wave {
    enum { PLAIN, BEGIN, BODY, COMMIT, OVER } at;
    unsigned left, ops, next;
    hd_mask_t mask, live;
    struct hw_op op[OPS];
    uint32_t number;
};

static struct hw hw;
static struct wave wave[HW_WFS];
static struct record *history;
static unsigned recorded;
static uint64_t state;
static bool mixed;

static uint32_t rnd(uint32_t n)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(state >> 33) % n;
}

/* The test's: is told what crosses the port. @return false: it has seen enough. */
static bool tell(void *to, const struct record *r);
/* The test's: gives the stores of *o their ids. */
static void give_ghosts(void *to, struct hw_op *o, uint8_t kind);

/* Has the reference machine do *o. @return what crosses the port. */
static const struct record *perform(void *to, struct hw_op *o, struct hw_res *res)
{
    static const uint8_t kind[] = {HD_OP_LOAD, HD_OP_STORE, HD_OP_ATOMIC, HD_OP_TX_BEGIN, HD_OP_TX_COMMIT};
    struct wave *w = &wave[o->wf];
    struct record *r = &history[recorded++];

    give_ghosts(to, o, kind[o->kind]);
    hw_op(&hw, o, res);
    r->fn = o->fn == FN_ADD ? HD_AT_ADD : HD_AT_EXCH;
    memcpy(r->operand, o->data, sizeof r->operand);
    r->cycles = res->version + res->walk;
    r->op = (struct hd_tm_op){.cycle = recorded, .number = w->number++, .warp = o->wf, .kind = kind[o->kind],
                              .mode = res->mode, .mask = o->mask, .tcm = res->abort};
    if (o->kind == OP_TX_BEGIN)
        r->op.tcm = res->again ? o->mask : o->mask & ~res->run;
    if (o->kind == OP_TX_COMMIT)
        r->op.tcm = res->retry;
    for (int l = 0; l < HW_LANES; l++) {
        r->word[l] = o->bank[l] + HW_BANKS * (uint32_t)o->row[l];
        r->old[l] = res->value[l];
        r->old_ghost[l] = res->ghost[l];
        r->data[l] = o->kind == OP_RMW ? hw_rmw(o->fn, res->value[l], o->data[l]) : o->data[l];
        r->ghost[l] = o->ghost[l];
    }
    return r;
}

static void draw_op(struct hw_op *o, unsigned wf, hd_mask_t mask, bool apart)
{
    *o = (struct hw_op){.kind = (uint8_t)rnd(3), .wf = (uint8_t)wf, .fn = FN_ADD, .mask = mask};
    for (int l = 0; l < HW_LANES; l++) {
        o->bank[l] = (uint16_t)rnd(HW_BANKS);
        o->row[l] = (uint16_t)(apart ? 24 + rnd(8) : rnd(3) * (1 + 7 * rnd(2))); /* 0, 1, 2, 8, 16 */
        o->data[l] = rnd(1000);
    }
}

static void draw_transaction(struct wave *w, unsigned wf)
{
    w->at = BEGIN;
    w->mask = 1 + rnd((1 << HW_LANES) - 1);
    w->ops = 1 + rnd(OPS);
    w->next = 0;
    for (unsigned i = 0; i < w->ops; i++)
        draw_op(&w->op[i], wf, rnd(2) ? w->mask : w->mask & rnd(1 << HW_LANES), false);
}

/* The next operation of a wavefront. */
static bool step(void *t, unsigned wf)
{
    struct wave *w = &wave[wf];
    struct hw_op o = {.kind = OP_TX_BEGIN, .wf = (uint8_t)wf, .mask = w->mask};
    struct hw_res res;

    switch (w->at) {
    case PLAIN:
        draw_op(&o, wf, 1 + rnd((1 << HW_LANES) - 1), !mixed);
        if (w->left-- == 0)
            w->at = OVER;
        else if (rnd(2))
            draw_transaction(w, wf);
        return tell(t, perform(t, &o, &res));
    case BEGIN:
        if (hw_held(&hw, (int)wf) && rnd(4) != 0)
            return true; /* waits at the issue stage */
        if (!tell(t, perform(t, &o, &res)))
            return false;
        w->live = res.run;
        w->next = 0;
        w->at = res.again ? BEGIN : BODY;
        return true;
    case BODY:
        o = w->op[w->next];
        o.mask &= w->live;
        if (++w->next == w->ops)
            w->at = COMMIT;
        if (o.mask == 0)
            return true;
        if (!tell(t, perform(t, &o, &res)))
            return false;
        if (rnd(2)) /* dead lanes reach C late */
            w->live &= ~res.abort;
        return true;
    case COMMIT:
        o.kind = OP_TX_COMMIT;
        if (!tell(t, perform(t, &o, &res)))
            return false;
        w->mask = res.retry;
        w->at = res.retry ? BEGIN : PLAIN;
        return true;
    default:
        return true;
    }
}

/* Runs a program. @return whether it came to its end and tell() was content. */
static bool program(void *t, unsigned seed, bool races)
{
    state = seed * 1000003ull + 5;
    mixed = races;
    recorded = 0;
    hw_init(&hw);
    memset(wave, 0, sizeof wave);
    for (unsigned i = 0; i < HW_WFS; i++)
        wave[i].left = 2 * TRANSACTIONS;
    bool over = false;
    for (unsigned n = 0; !over && n < STEPS; n++) {
        if (!step(t, rnd(HW_WFS)))
            return false;
        over = true;
        for (unsigned i = 0; i < HW_WFS; i++)
            over &= wave[i].at == OVER;
    }
    if (!over)
        return false; /* no end */
    struct hw_op o = {.kind = OP_LOAD, .mask = 1};
    struct hw_res res;
    for (unsigned i = 0; i < WORDS; i++) { /* the memory that is left */
        o.bank[0] = (uint16_t)(i % HW_BANKS);
        o.row[0] = (uint16_t)(i / HW_BANKS);
        if (!tell(t, perform(t, &o, &res)))
            return false;
    }
    return true;
}
#endif
