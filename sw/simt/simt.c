/* simt.c - warps as coroutines behind the warp port, see simt.h and warp.h. */
#include "simt.h"
#include "coro.h"
#include "counters.h"
#include "dispatch.h"
#include "guard.h"
#include "hd_pkg.h"
#include "livelock.h"
#include "record.h"
#include "txwatch.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_WARPS = 64,
    MAX_BLOCKS = 16,
    MAX_SLOTS = 8,
    MAX_ALU = (1 << HD_ALU_W) - 1,
    CHUNK = 8,                  /* lanes that are copied at a time */
    SPIN_TIME = 50,             /* a livelock lasts so many times `watchdog` */
    SPIN_TURNS = 16             /* ... and a warp that spins comes round so often */
};

/* What a suspended warp waits for. */
enum wait { W_FREE, W_RUN, W_BUFFER, W_TOKEN, W_CONTROL, W_SLEEP, W_EXIT, W_PARK, W_PARKED, W_DEAD };

/* The words of one load or atomic. */
struct result {
    hd_tok tok;
    bool done;
    union {
        uint32_t word[HD_MAX_LANES];
        float real[HD_MAX_LANES];
    } u;
};

/* A memory operation in a scoreboard slot. */
struct pending {
    bool busy, returns;  /* returns: its words go to the result of tok */
    bool lds, copy;
    hd_mask_t want, got; /* lanes */
    hd_mask_t read;      /* of a copy: lanes whose words have been read */
    uint32_t group;      /* ... groups the warp had closed before */
    hd_tok tok;
};

struct hd_warp {
    struct hd_coro coro;
    struct sm *sm;
    struct hd_stacks *stacks;   /* its stack is of these */
    struct hd_warp *next, *made; /* parked or spare: in that list; in that of all made for barriers */
    const struct hd_launch *launch;
    unsigned slot;              /* warp slot */
    unsigned block_slot, block, in_block;
    hd_mask_t mask;             /* lanes that hold a thread */
    enum wait wait;
    hd_tok wait_tok;
    bool op_busy;               /* op is filled and not yet accepted */
    bool op_returns;
    hd_tok op_tok;              /* result of op */
    hd_tok next_tok, back_tok;  /* back_tok: that of the first token since it was parked last */
    uint32_t alu, clock;
    uint32_t alu_all, alu_tapped; /* charged by the kernel; told to the tap */
    uint32_t groups;            /* of copies, closed */
    uint64_t until;             /* W_SLEEP: wakes in this cycle */
    uint64_t since;             /* it issued a persist barrier, or was parked */
    struct hd_op op;
    struct pending pending[MAX_SLOTS];
    struct result result[HD_TOKENS];
    struct transaction {
        unsigned depth;         /* begins that are not committed; 0: outside */
        bool retry;             /* lanes are to try again */
        hd_mask_t lanes, live;  /* of the attempt; of them, not lost */
        hd_mask_t tcm;          /* of the last completion */
        unsigned mode, arrays;
        struct {
            char *array, *saved;
            size_t bytes;
        } private[HD_TX_PRIVATE];
        char *store;            /* of the copies */
        size_t used, room;
    } tx;
};

struct block {
    bool active, drain;         /* drain: none of a grid */
    unsigned live;              /* warps that have neither ended nor are parked */
    bool parked, persist;       /* some are parked; at a persist barrier */
};

struct start {                  /* a block the dispatcher has sent */
    struct hd_order order;
    uint32_t number;            /* running number of the block in the run */
    const struct hd_launch *launch;
    uint64_t warps;             /* of the block, to be launched: a bit each */
    bool begun;                 /* some have been */
    uint32_t fresh;             /* warps of its grid and those before it */
};

/* Of an SM: what its warps did about persistence. */
struct persist_counts {
    uint64_t words;             /* of non-volatile memory, in stores and atomics */
    uint64_t barriers[3], cycles[3]; /* by scope_e: warps that have returned, cycles they have waited */
    uint64_t gather;            /* of them, for others of the block to come */
    uint64_t parked, parked_cycles; /* at barriers of the grid: warps that have gone on, cycles they were parked */
};

struct ended {                  /* a block, or parked */
    uint64_t cycle;
    unsigned block_slot, block;
    bool parked, persist, drain;
};

/* Everything an SM's callbacks touch: nothing here is shared with another SM. */
struct sm {
    struct hd_simt *simt;
    unsigned id;
    struct hd_warp **warp;      /* [warps] who is in the slot, or was last */
    struct hd_warp *parked;     /* those without a slot */
    uint8_t ready[MAX_WARPS];   /* FIFO of warps with an operation to offer */
    unsigned ready_head, ready_count;
    struct start start[MAX_BLOCKS];
    unsigned start_head, start_count;
    struct block block[MAX_BLOCKS];
    struct ended ended[MAX_BLOCKS];
    unsigned ended_count;
    struct hd_op launch_op;
    const struct hd_launch *kernel; /* whose warps were launched last */
    uint64_t cycle, last_exit, instructions;
    unsigned sleepers;          /* warps in W_SLEEP */
    uint64_t wakes;             /* none of them before this cycle */
    struct persist_counts persist;
    struct hd_guarded guarded;  /* the warp that is resumed */
    enum hd_fault fault;
    uint64_t fault_cycle;
    char fault_text[640];
};

struct hd_simt {
    const struct hd_config *c;
    struct sm *sm;              /* [sms] */
    struct hd_warp *warps;      /* [sms * warps], enough without barriers of grids */
    struct hd_warp **slots;     /* [sms * warps] */
    struct hd_stacks *stacks;   /* of them */
    struct hd_warp *spare, *more; /* more: those made for barriers of grids, by their `made` */
    uint32_t barriers;          /* of grids, complete when blocks were told last to go on */
    bool persisted, asked;      /* ... the last one a persist barrier; the next one is */
    struct hd_launch drain;     /* what drains an SM */
    struct hd_counters counters; /* of the last hd_simt_counters() */
    struct hd_dispatch *dispatch;
    struct hd_launch *launch;
    struct hd_grid *grid;
    size_t launches, room;
    hd_mask_t whole;            /* mask of all lanes when they fill chunks, else 0: no such operation */
    uint32_t bottom;            /* first address and end of what kernels may touch */
    uint64_t limit, started, window_end;
    void (*watch)(void *ctx, uint64_t cycle);
    void *watch_ctx;
    struct hd_record *record;   /* NULL: no event log */
    struct hd_livelock *livelock; /* NULL: nobody looks */
    struct hd_txwatch *txwatch; /* NULL: a machine without transactions */
    const struct hd_tap *tap;   /* NULL: nobody */
    uint32_t blocks;            /* started so far */
    size_t grid_now;
    uint64_t kernel_at;         /* a grid was found to begin then; HD_NEVER: none since asked last */
    bool epoch, stop;           /* a grid has ended in this window; the watcher wants the run to end */
    enum hd_fault fault;
    const char *fault_text;
    char reason[200];
};

/* ---- faults: the first of each SM is kept, window() picks the first of all ------------------------------ */

__attribute__((format(printf, 3, 4))) static void fault(struct sm *sm, enum hd_fault kind, const char *format, ...)
{
    if (sm->fault != HD_FAULT_NONE)
        return;
    sm->fault = kind;
    sm->fault_cycle = sm->cycle;
    va_list args;
    va_start(args, format);
    int n = snprintf(sm->fault_text, sizeof sm->fault_text, "SM %u, cycle %llu: ", sm->id,
                     (unsigned long long)sm->cycle);
    vsnprintf(sm->fault_text + n, sizeof sm->fault_text - (size_t)n, format, args);
    va_end(args);
}

/* ---- the warp's side: runs on the coroutine's stack ------------------------------------------------------ */

static void wait_for(struct hd_warp *w, enum wait what)
{
    w->wait = what;
    hd_coro_suspend(&w->coro);
}

/* The kernel broke a rule: the warp never runs again, window() ends the run. */
static _Noreturn void kill(struct hd_warp *w)
{
    for (;;)
        wait_for(w, W_DEAD);
}

static void offer_op(struct hd_warp *w)
{
    struct sm *sm = w->sm;
    if (sm->simt->txwatch)
        hd_txwatch_offer(sm->simt->txwatch, sm->id, &w->op, sm->cycle);
    w->op_busy = true;
    sm->ready[(sm->ready_head + sm->ready_count) % MAX_WARPS] = (uint8_t)w->slot;
    sm->ready_count++;
}

/* Waits until the warp's operation buffer is free. */
static void wait_buffer(struct hd_warp *w)
{
    if (w->op_busy)
        wait_for(w, W_BUFFER);
}

/* Of what a transaction must not do: nothing of it could be undone. */
static void outside_only(struct hd_warp *w, const char *what)
{
    if (w->tx.depth == 0)
        return;
    fault(w->sm, HD_FAULT_PROGRAM, "warp %u (block %u, warp %u of it): %s inside a transaction", w->slot, w->block,
          w->in_block, what);
    kill(w);
}

static void control(struct hd_warp *w, unsigned kind, unsigned fn, unsigned order, unsigned scope, uint32_t alu, enum wait what)
{
    wait_buffer(w);
    w->op.kind = (uint8_t)kind;
    w->op.fn = (uint8_t)fn;
    w->op.space = HD_SPACE_GLOBAL;
    w->op.order = (uint8_t)order;
    w->op.scope = (uint8_t)scope;
    w->op.alu = (uint16_t)alu;
    w->op.mask = w->mask;
    w->op_returns = false;
    if (w->sm->simt->record)
        hd_record_offer(w->sm->simt->record, w->sm->id, &w->op, false, 0);
    offer_op(w);
    wait_for(w, what);
}

/* The ALU count the next operation carries; what does not fit goes ahead in NOPs. */
static uint32_t take_alu(struct hd_warp *w)
{
    for (; w->alu > MAX_ALU; w->alu -= MAX_ALU)
        control(w, HD_OP_NOP, 0, HD_ORD_RELAXED, HD_SCOPE_WI, MAX_ALU, W_CONTROL);
    uint32_t alu = w->alu;
    w->alu = 0;
    return alu;
}

/* @return the result record of a new token, once it is free. */
static struct result *new_result(struct hd_warp *w)
{
    struct result *r = &w->result[w->next_tok % HD_TOKENS];
    if (!r->done) {
        w->wait_tok = r->tok;
        wait_for(w, W_TOKEN);
    }
    r->tok = w->next_tok++;
    r->done = false;
    return r;
}

/* LDS bytes one block takes: whole lines, so that two blocks never share one. */
static uint32_t lds_segment(const struct hd_config *c, const struct hd_launch *l)
{
    return (l->lds_bytes + c->line_bytes - 1) / c->line_bytes * c->line_bytes;
}

/* Copies the addresses of the lanes in @mask into the operation and refuses bad ones. Addresses of the LDS count
 * from the start of the block's segment. */
static void put_addresses(struct hd_warp *w, unsigned space, hd_mask_t mask, const uint32_t *addr)
{
    unsigned lanes = w->sm->simt->c->lanes;
    bool lds = space == HD_SPACE_LDS;
    uint64_t limit = lds ? w->launch->lds_bytes : w->sm->simt->limit;
    const struct hd_config *c = w->sm->simt->c;
    if (lds && w->tx.depth > 0 && limit > (uint64_t)c->tm_rows * c->lds_banks * 4)
        limit = (uint64_t)c->tm_rows * c->lds_banks * 4;
    uint32_t bottom = lds ? 0 : w->sm->simt->bottom;
    uint32_t base = lds ? lds_segment(w->sm->simt->c, w->launch) * w->block_slot : 0;
    uint32_t low = 0, high = 0;
    bool whole = mask == w->sm->simt->whole; /* what most are: no test a lane */
    for (unsigned first = 0; whole && first < lanes; first += CHUNK)
        for (unsigned l = first; l < first + CHUNK; l++) {
            uint32_t a = addr[l], above = a - bottom; /* huge when below it */
            w->op.addr[l] = base + a;
            low |= a;
            high = above > high ? above : high;
        }
    for (unsigned l = 0; !whole && l < lanes; l++) {
        bool active = mask >> l & 1;
        uint32_t a = active ? addr[l] : 0, above = active ? a - bottom : 0;
        w->op.addr[l] = base + a;
        low |= a;
        high = above > high ? above : high;
    }
    if ((low & 3) == 0 && high < limit - bottom)
        return;
    for (unsigned l = 0; l < lanes; l++) {
        uint32_t a = w->op.addr[l] - base;
        if (!(mask >> l & 1))
            continue;
        if (a < bottom)
            fault(w->sm, HD_FAULT_PROGRAM, "warp %u (block %u, warp %u of it), lane %u: address 0x%08x is below the "
                  "workload's memory, which begins at 0x%x", w->slot, w->block, w->in_block, l, a, bottom);
        else if ((a & 3) != 0)
            fault(w->sm, HD_FAULT_PROGRAM, "warp %u (block %u, warp %u of it), lane %u: address 0x%08x is not "
                  "a multiple of 4", w->slot, w->block, w->in_block, l, a);
        else if (a >= limit)
            fault(w->sm, HD_FAULT_PROGRAM, "warp %u (block %u, warp %u of it), lane %u: address 0x%08x is beyond "
                  "%s, 0x%llx bytes", w->slot, w->block, w->in_block, l, a,
                  !lds ? "the workload's memory" : w->tx.depth > 0 ? "what a transaction may use (tm_rows)"
                  : "the block's LDS segment", (unsigned long long)limit);
    }
    kill(w);
}

/* The operation's lanes in read-only regions of its grid. Kills the warp that writes one. @return are all of a load? */
static bool read_only(struct hd_warp *w, unsigned kind, hd_mask_t mask)
{
    hd_mask_t in = 0;

    for (unsigned i = 0; i < HD_READ_ONLY; i++) {
        const struct hd_region *r = &w->launch->read_only[i];
        if (r->bytes == 0)
            continue;
        for (hd_mask_t rest = mask; rest != 0; rest &= rest - 1) {
            unsigned l = (unsigned)__builtin_ctzll(rest);
            if (w->op.addr[l] - r->first >= r->bytes)
                continue;
            if (kind != HD_OP_LOAD && kind != HD_OP_COPY) {
                fault(w->sm, HD_FAULT_PROGRAM, "warp %u (block %u, warp %u of it), lane %u: %s to address 0x%08x, which "
                      "the grid says is read-only", w->slot, w->block, w->in_block, l,
                      kind == HD_OP_STORE ? "store" : "atomic", w->op.addr[l]);
                kill(w);
            }
            in |= hd_lane(l);
        }
    }
    return in == mask;
}

static void put_words(struct hd_warp *w, uint32_t *to, hd_mask_t mask, const uint32_t *from)
{
    unsigned lanes = w->sm->simt->c->lanes;
    if (mask == w->sm->simt->whole) {
        for (unsigned l = 0; l < lanes; l += CHUNK)
            memcpy(to + l, from + l, CHUNK * sizeof to[0]);
        return;
    }
    for (unsigned l = 0; l < lanes; l++)
        to[l] = mask >> l & 1 ? from[l] : 0;
}

/* @return the ALU instructions charged since the tap was told last. */
static uint32_t tapped_alu(struct hd_warp *w)
{
    uint32_t alu = w->alu_all - w->alu_tapped;
    w->alu_tapped = w->alu_all;
    return alu;
}

static void tap_control(struct hd_warp *w, unsigned kind, unsigned fn, unsigned order, unsigned scope)
{
    const struct hd_tap *tap = w->sm->simt->tap;
    if (tap)
        tap->control(tap->ctx, w->sm->id, w->slot, tapped_alu(w), kind, fn, order, scope);
}

static void need_copies(struct hd_warp *w)
{
    outside_only(w, "a copy to the LDS");
    if (w->sm->simt->c->copies != 0)
        return;
    fault(w->sm, HD_FAULT_PROGRAM, "warp %u (block %u, warp %u of it): a copy to the LDS on a machine with copies = 0", w->slot,
          w->block, w->in_block);
    kill(w);
}

/* Hands a memory operation in. @return the token of its words if it has any. */
static hd_tok memory(struct hd_warp *w, const struct hd_memory_op *m)
{
    hd_mask_t mask = m->mask & w->mask;
    if (m->kind == HD_OP_COPY)
        need_copies(w);
    if (w->tx.depth > 0) {
        if (m->space == HD_SPACE_GLOBAL && m->kind != HD_OP_LOAD)
            outside_only(w, m->kind == HD_OP_STORE ? "a store to global memory" : "an atomic on global memory");
        if (m->space == HD_SPACE_LDS && (mask & ~w->tx.lanes) != 0) {
            fault(w->sm, HD_FAULT_PROGRAM, "warp %u (block %u, warp %u of it): lanes %llx of an access are not in the "
                  "transaction", w->slot, w->block, w->in_block, (unsigned long long)(mask & ~w->tx.lanes));
            kill(w);
        }
        mask &= w->tx.live;
    }
    if (w->sm->simt->tap)
        w->sm->simt->tap->memory(w->sm->simt->tap->ctx, w->sm->id, w->slot, tapped_alu(w), mask, m);
    if (m->kind == HD_OP_ATOMIC && m->fn > HD_AT_READ) {
        fault(w->sm, HD_FAULT_PROGRAM, "warp %u (block %u, warp %u of it): atomic function %u does not exist; the last is "
              "%u", w->slot, w->block, w->in_block, m->fn, HD_AT_READ);
        kill(w);
    }
    bool returns = m->kind != HD_OP_STORE && m->kind != HD_OP_COPY;
    struct result *r = returns ? new_result(w) : NULL;
    if (mask == 0) {
        if (r)
            r->done = true;
        return r ? r->tok : 0;
    }
    uint32_t alu = take_alu(w);
    wait_buffer(w);
    if (m->kind == HD_OP_COPY) {
        put_addresses(w, HD_SPACE_LDS, mask, m->cmp);
        memcpy(w->op.cmp, w->op.addr, w->sm->simt->c->lanes * sizeof w->op.cmp[0]);
    }
    put_addresses(w, m->space, mask, m->addr);
    w->op.ro = m->space == HD_SPACE_GLOBAL && w->launch->read_only[0].bytes != 0 && read_only(w, m->kind, mask);
    if (m->data)
        put_words(w, w->op.data, mask, m->data);
    if (m->cmp && m->kind != HD_OP_COPY)
        put_words(w, w->op.cmp, mask, m->cmp);
    w->op.kind = (uint8_t)m->kind;
    w->op.fn = (uint8_t)m->fn;
    w->op.space = (uint8_t)m->space;
    w->op.order = (uint8_t)m->order;
    w->op.scope = (uint8_t)m->scope;
    w->op.alu = (uint16_t)alu;
    w->op.mask = mask;
    w->op_returns = returns;
    w->op_tok = r ? r->tok : 0;
    if (w->sm->simt->record)
        hd_record_offer(w->sm->simt->record, w->sm->id, &w->op, !m->plain, w->op_tok);
    offer_op(w);
    return w->op_tok;
}

hd_tok hd_lds_ld(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr, unsigned order, unsigned scope)
{
    return memory(w, &(struct hd_memory_op){.kind = HD_OP_LOAD, .space = HD_SPACE_LDS, .order = order, .scope = scope,
                                         .plain = order == HD_ORD_RELAXED, .mask = mask, .addr = addr});
}

void hd_lds_st(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr, const uint32_t *value, unsigned order,
               unsigned scope)
{
    memory(w, &(struct hd_memory_op){.kind = HD_OP_STORE, .space = HD_SPACE_LDS, .order = order, .scope = scope,
                                  .plain = order == HD_ORD_RELAXED, .mask = mask, .addr = addr, .data = value});
}

hd_tok hd_lds_atom(struct hd_warp *w, unsigned fn, hd_mask_t mask, const uint32_t *addr, const uint32_t *value,
                   unsigned order, unsigned scope)
{
    return memory(w, &(struct hd_memory_op){.kind = HD_OP_ATOMIC, .fn = fn, .space = HD_SPACE_LDS, .order = order,
                                         .scope = scope, .mask = mask, .addr = addr, .data = value});
}

hd_tok hd_ld_o(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr, unsigned order, unsigned scope)
{
    return memory(w, &(struct hd_memory_op){.kind = HD_OP_LOAD, .order = order, .scope = scope, .mask = mask,
                                         .addr = addr});
}

void hd_st_o(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr, const uint32_t *value, unsigned order,
             unsigned scope)
{
    memory(w, &(struct hd_memory_op){.kind = HD_OP_STORE, .order = order, .scope = scope, .mask = mask,
                                  .addr = addr, .data = value});
}

hd_tok hd_atom_o(struct hd_warp *w, unsigned fn, hd_mask_t mask, const uint32_t *addr, const uint32_t *value,
                 unsigned order, unsigned scope)
{
    return memory(w, &(struct hd_memory_op){.kind = HD_OP_ATOMIC, .fn = fn, .order = order, .scope = scope,
                                         .mask = mask, .addr = addr, .data = value});
}

hd_tok hd_cas_o(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr, const uint32_t *expect,
                const uint32_t *value, unsigned order, unsigned scope)
{
    return memory(w, &(struct hd_memory_op){.kind = HD_OP_ATOMIC, .fn = HD_AT_CAS, .order = order, .scope = scope,
                                         .mask = mask, .addr = addr, .data = value, .cmp = expect});
}

hd_tok hd_ld(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr)
{
    return memory(w, &(struct hd_memory_op){.kind = HD_OP_LOAD, .scope = HD_SCOPE_DEVICE, .plain = true, .mask = mask,
                                         .addr = addr});
}

void hd_st(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr, const uint32_t *value)
{
    memory(w, &(struct hd_memory_op){.kind = HD_OP_STORE, .scope = HD_SCOPE_DEVICE, .plain = true, .mask = mask,
                                  .addr = addr, .data = value});
}

hd_tok hd_atom(struct hd_warp *w, unsigned fn, hd_mask_t mask, const uint32_t *addr, const uint32_t *value)
{
    return hd_atom_o(w, fn, mask, addr, value, HD_ORD_RELAXED, HD_SCOPE_DEVICE);
}

hd_tok hd_cas(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr, const uint32_t *expect,
              const uint32_t *value)
{
    return hd_cas_o(w, mask, addr, expect, value, HD_ORD_RELAXED, HD_SCOPE_DEVICE);
}

static const struct result *use(struct hd_warp *w, hd_tok t)
{
    const struct result *r = &w->result[t % HD_TOKENS];
    if (r->tok != t || w->next_tok - t > HD_TOKENS) {
        fault(w->sm, HD_FAULT_PROGRAM, "warp %u (block %u, warp %u of it): token %u is not one of the last %d; "
              "the next is %u", w->slot, w->block, w->in_block, t, HD_TOKENS, w->next_tok);
        kill(w);
    }
    if (w->sm->simt->tap)
        w->sm->simt->tap->use(w->sm->simt->tap->ctx, w->sm->id, w->slot, tapped_alu(w), w->next_tok - t);
    if (!r->done) {
        if (w->alu > 0)
            control(w, HD_OP_NOP, 0, HD_ORD_RELAXED, HD_SCOPE_WI, take_alu(w), W_CONTROL);
        if (!r->done) {
            w->wait_tok = t;
            wait_for(w, W_TOKEN);
        }
    }
    if (w->sm->simt->record && (int32_t)(t - w->back_tok) >= 0) /* the log's slot knows no others */
        hd_record_used(w->sm->simt->record, w->sm->id, w->slot, t);
    return r;
}

const uint32_t *hd_use(struct hd_warp *w, hd_tok t)
{
    return use(w, t)->u.word;
}

const float *hd_use_f(struct hd_warp *w, hd_tok t)
{
    return use(w, t)->u.real;
}

hd_tok hd_ld_all(struct hd_warp *w, hd_mask_t mask, uint32_t addr)
{
    uint32_t a[HD_MAX_LANES];
    for (unsigned first = 0; first < w->sm->simt->c->lanes; first += CHUNK)
        for (unsigned l = first; l < first + CHUNK; l++)
            a[l] = addr;
    return hd_ld(w, mask, a);
}

static void row(const struct hd_warp *w, uint32_t a[HD_MAX_LANES], uint32_t addr)
{
    for (unsigned first = 0; first < w->sm->simt->c->lanes; first += CHUNK)
        for (unsigned l = first; l < first + CHUNK; l++)
            a[l] = addr + 4 * l;
}

hd_tok hd_ld_row(struct hd_warp *w, hd_mask_t mask, uint32_t addr)
{
    uint32_t a[HD_MAX_LANES];
    row(w, a, addr);
    return hd_ld(w, mask, a);
}

void hd_st_row(struct hd_warp *w, hd_mask_t mask, uint32_t addr, const uint32_t *value)
{
    uint32_t a[HD_MAX_LANES];
    row(w, a, addr);
    hd_st(w, mask, a, value);
}

void hd_st_f(struct hd_warp *w, hd_mask_t mask, const uint32_t *addr, const float *value)
{
    uint32_t words[HD_MAX_LANES];
    memcpy(words, value, w->sm->simt->c->lanes * sizeof words[0]);
    hd_st(w, mask, addr, words);
}

void hd_fence(struct hd_warp *w, unsigned order, unsigned scope)
{
    tap_control(w, HD_OP_FENCE, 0, order, scope);
    control(w, HD_OP_FENCE, 0, order, scope, take_alu(w), W_CONTROL);
}

void hd_pbarrier(struct hd_warp *w, unsigned scope)
{
    outside_only(w, "a persist barrier");
    if (w->sm->simt->c->persist == 0)
        return;
    tap_control(w, HD_OP_PBARRIER, 0, HD_ORD_RELEASE, scope);
    control(w, HD_OP_PBARRIER, 0, HD_ORD_RELEASE, scope, take_alu(w), W_CONTROL);
}

void hd_bar(struct hd_warp *w)
{
    outside_only(w, "a barrier");
    tap_control(w, HD_OP_BARRIER, 0, HD_ORD_ACQ_REL, HD_SCOPE_WG);
    control(w, HD_OP_BARRIER, 0, HD_ORD_ACQ_REL, HD_SCOPE_WG, take_alu(w), W_CONTROL);
}

static void meet(struct hd_warp *w, bool persist)
{
    struct sm *sm = w->sm;
    outside_only(w, "a barrier of the grid");
    if (sm->simt->tap)
        hd_refuse(w, "a barrier of the grid in a run that is recorded");
    if (w->launch->lds_bytes > 0)
        hd_refuse(w, "a barrier of the grid in a block with LDS, whose words would be lost");
    hd_fence(w, HD_ORD_RELEASE, HD_SCOPE_DEVICE);
    sm->block[w->block_slot].persist |= persist;
    control(w, HD_OP_EXIT, 0, HD_ORD_RELAXED, HD_SCOPE_WI, take_alu(w), W_PARK);
    w->back_tok = w->next_tok;
    hd_fence(w, HD_ORD_ACQUIRE, HD_SCOPE_DEVICE);
}

void hd_bar_grid(struct hd_warp *w)
{
    meet(w, false);
}

void hd_pbarrier_grid(struct hd_warp *w)
{
    if (w->sm->simt->c->persist != 0)
        meet(w, true);
}

/* The kernel of what drains an SM: its marker stands behind all that the SM has stored. */
static void drain_sm(struct hd_warp *w, void *args)
{
    (void)args;
    hd_pbarrier(w, HD_SCOPE_DEVICE);
}

void hd_copy(struct hd_warp *w, hd_mask_t mask, const uint32_t *lds, const uint32_t *addr)
{
    memory(w, &(struct hd_memory_op){.kind = HD_OP_COPY, .scope = HD_SCOPE_DEVICE, .plain = true, .mask = mask, .addr = addr,
                                     .cmp = lds});
}

/* @fn: of an OP_COPY_CTL. */
static void copy_control(struct hd_warp *w, unsigned fn)
{
    need_copies(w);
    tap_control(w, HD_OP_COPY_CTL, fn, HD_ORD_RELAXED, HD_SCOPE_WI);
    control(w, HD_OP_COPY_CTL, fn, HD_ORD_RELAXED, HD_SCOPE_WI, take_alu(w), W_CONTROL);
}

void hd_copy_close(struct hd_warp *w)
{
    copy_control(w, 0);
    w->groups++;
}

void hd_copy_wait(struct hd_warp *w, unsigned open)
{
    copy_control(w, 8 | (open < 7 ? open : 7));
}

void hd_alu(struct hd_warp *w, unsigned n)
{
    w->alu += n;
    w->alu_all += n;
}

uint32_t hd_clock(struct hd_warp *w)
{
    tap_control(w, HD_OP_CLOCK, 0, HD_ORD_RELAXED, HD_SCOPE_WI);
    control(w, HD_OP_CLOCK, 0, HD_ORD_RELAXED, HD_SCOPE_WI, take_alu(w), W_CONTROL);
    return w->clock;
}

static void sleep_until(struct hd_warp *w, uint64_t until)
{
    w->until = until;
    wait_buffer(w); /* hd_simt_wake() may come meanwhile */
    if (w->sm->sleepers++ == 0 || w->until < w->sm->wakes)
        w->sm->wakes = w->until;
    wait_for(w, W_SLEEP);
}

void hd_sleep(struct hd_warp *w, uint64_t until)
{
    outside_only(w, "sleeping");
    const struct hd_tap *tap = w->sm->simt->tap;
    if (tap)
        tap->sleep(tap->ctx, w->sm->id, w->slot, tapped_alu(w), until > w->sm->cycle ? until - w->sm->cycle : 0);
    sleep_until(w, until);
}

void hd_advance(struct hd_warp *w)
{
    if (w->sm->simt->livelock)
        hd_livelock_moved(w->sm->simt->livelock, w->sm->id);
}

uint64_t hd_now(const struct hd_warp *w)
{
    return w->sm->cycle;
}

unsigned hd_lanes(const struct hd_warp *w)
{
    return w->sm->simt->c->lanes;
}

hd_mask_t hd_mask(const struct hd_warp *w)
{
    return w->mask;
}

unsigned hd_warp_in_block(const struct hd_warp *w)
{
    return w->in_block;
}

unsigned hd_thread(const struct hd_warp *w, unsigned lane)
{
    return w->in_block * hd_lanes(w) + lane;
}

unsigned hd_block(const struct hd_warp *w)
{
    return w->block;
}

unsigned hd_block_x(const struct hd_warp *w)
{
    return w->block % w->launch->grid_x;
}

unsigned hd_block_y(const struct hd_warp *w)
{
    return w->block / w->launch->grid_x;
}

unsigned hd_block_dim_x(const struct hd_warp *w)
{
    return w->launch->block_x;
}

unsigned hd_block_dim_y(const struct hd_warp *w)
{
    return w->launch->block_y;
}

unsigned hd_grid_dim_x(const struct hd_warp *w)
{
    return w->launch->grid_x;
}

unsigned hd_grid_dim_y(const struct hd_warp *w)
{
    return w->launch->grid_y;
}

unsigned hd_global_thread(const struct hd_warp *w, unsigned lane)
{
    return w->block * w->launch->block_x * w->launch->block_y + hd_thread(w, lane);
}

hd_tok hd_memory(struct hd_warp *w, const struct hd_memory_op *m)
{
    return memory(w, m);
}

hd_tok hd_next_token(const struct hd_warp *w)
{
    return w->next_tok;
}

unsigned hd_warp_sm(const struct hd_warp *w)
{
    return w->sm->id;
}

unsigned hd_warp_slot(const struct hd_warp *w)
{
    return w->slot;
}

void hd_refuse(struct hd_warp *w, const char *why)
{
    fault(w->sm, HD_FAULT_PROGRAM, "warp %u (block %u, warp %u of it): %s", w->slot, w->block, w->in_block, why);
    kill(w);
}

static void warp_main(void *arg)
{
    struct hd_warp *w = arg;
    for (;;) {
        w->launch->fn(w, w->launch->args);
        outside_only(w, "the end of the kernel");
        if (w->sm->simt->tap)
            w->sm->simt->tap->end(w->sm->simt->tap->ctx, w->sm->id, w->slot, tapped_alu(w));
        control(w, HD_OP_EXIT, 0, HD_ORD_RELAXED, HD_SCOPE_WI, take_alu(w), W_EXIT);
    }
}

/* ---- transactions -------------------------------------------------------------------------------------------- */

static void refuse_transaction(struct hd_warp *w, const char *why)
{
    fault(w->sm, HD_FAULT_PROGRAM, "warp %u (block %u, warp %u of it): %s", w->slot, w->block, w->in_block, why);
    kill(w);
}

/* An operation of a transaction, and its answer. */
static void transaction_op(struct hd_warp *w, unsigned kind, hd_mask_t lanes)
{
    struct result *r = new_result(w);
    uint32_t alu = take_alu(w);
    wait_buffer(w);
    memset(w->op.addr, 0, w->sm->simt->c->lanes * sizeof w->op.addr[0]);
    w->op.kind = (uint8_t)kind;
    w->op.fn = 0;
    w->op.space = HD_SPACE_LDS;
    w->op.order = HD_ORD_RELAXED;
    w->op.scope = HD_SCOPE_WI;
    w->op.alu = (uint16_t)alu;
    w->op.mask = lanes;
    w->op_returns = true;
    w->op_tok = r->tok;
    if (w->sm->simt->record)
        hd_record_offer(w->sm->simt->record, w->sm->id, &w->op, false, w->op_tok);
    offer_op(w);
    w->wait_tok = r->tok;
    wait_for(w, W_TOKEN);
}

static void tap_transaction(struct hd_warp *w, unsigned kind)
{
    const struct hd_tap *tap = w->sm->simt->tap;
    if (tap && tap->transaction)
        tap->transaction(tap->ctx, w->sm->id, w->slot, tapped_alu(w), kind, w->tx.lanes);
}

hd_mask_t hd_tx_begin(struct hd_warp *w, hd_mask_t mask)
{
    const struct hd_config *c = w->sm->simt->c;
    struct transaction *t = &w->tx;
    if (t->depth > 0) {
        t->depth++;
        return mask & t->live;
    }
    if (!c->local_tm)
        refuse_transaction(w, "a transaction on a machine with local_tm = off");
    if (w->slot >= c->tm_warps || w->block_slot != 0)
        refuse_transaction(w, "a transaction needs the only block of its SM, and warp slots below tm_warps");
    if (!t->retry) {
        t->lanes = mask & w->mask;
        for (unsigned i = 0; i < t->arrays; i++)
            memcpy(t->private[i].saved, t->private[i].array, c->lanes * t->private[i].bytes);
    }
    tap_transaction(w, HD_OP_TX_BEGIN); /* once, however often it is sent back: that is the machine's */
    t->tcm = 0;
    while (t->lanes != 0) {
        transaction_op(w, HD_OP_TX_BEGIN, t->lanes);
        if (t->tcm != t->lanes)
            break;
        sleep_until(w, w->sm->cycle + 1); /* sent back: another warp is alone */
    }
    t->live = t->lanes & ~t->tcm;
    t->depth = 1;
    return t->live;
}

hd_mask_t hd_tx_live(const struct hd_warp *w)
{
    return w->tx.live;
}

bool hd_tx_commit(struct hd_warp *w)
{
    struct transaction *t = &w->tx;
    if (t->depth == 0)
        refuse_transaction(w, "a commit without a begin");
    if (t->depth > 1) {
        t->depth--;
        return false;
    }
    t->tcm = 0;
    tap_transaction(w, HD_OP_TX_COMMIT);
    if (t->lanes != 0)
        transaction_op(w, HD_OP_TX_COMMIT, t->lanes);
    for (unsigned i = 0; i < t->arrays; i++)
        for (hd_mask_t rest = t->tcm; rest != 0; rest &= rest - 1) {
            size_t at = (size_t)__builtin_ctzll(rest) * t->private[i].bytes;
            memcpy(t->private[i].array + at, t->private[i].saved + at, t->private[i].bytes);
        }
    t->depth = 0;
    t->lanes = t->tcm;
    t->live = 0;
    t->retry = t->tcm != 0;
    if (!t->retry)
        t->arrays = 0, t->used = 0;
    return t->retry;
}

void hd_tx_private(struct hd_warp *w, void *array, size_t bytes)
{
    struct transaction *t = &w->tx;
    size_t all = w->sm->simt->c->lanes * bytes;
    if (t->depth > 0 || t->retry)
        return; /* of an outer transaction, which has its own */
    if (t->arrays == HD_TX_PRIVATE)
        refuse_transaction(w, "more than HD_TX_PRIVATE private arrays");
    if (t->used + all > t->room) {
        char *more = realloc(t->store, t->used + all);
        if (!more)
            refuse_transaction(w, "no memory for private arrays");
        for (unsigned i = 0; i < t->arrays; i++)
            t->private[i].saved = more + (t->private[i].saved - t->store);
        t->store = more;
        t->room = t->used + all;
    }
    t->private[t->arrays].array = array;
    t->private[t->arrays].bytes = bytes;
    t->private[t->arrays++].saved = t->store + t->used;
    t->used += all;
}

/* ---- the machine's side: the warp port client ------------------------------------------------------------ */

static void resume(struct hd_warp *w)
{
    struct hd_guarded *g = &w->sm->guarded;
    w->wait = W_RUN;
    g->stacks = w->stacks;
    g->warp = w->slot;
    g->block = w->block;
    g->in_block = w->in_block;
    hd_guard_enter(g);
    hd_coro_resume(&w->coro);
    hd_guard_leave();
}

static unsigned block_threads(const struct hd_launch *l)
{
    return l->block_x * l->block_y;
}

static unsigned warps_per_block(const struct hd_simt *s, const struct hd_launch *l)
{
    return (block_threads(l) + s->c->lanes - 1) / s->c->lanes;
}

static uint64_t on_wake(void *ctx, unsigned sm_id, uint64_t now)
{
    const struct hd_simt *s = ctx;
    const struct sm *sm = &s->sm[sm_id];
    if (sm->ready_count > 0)
        return now;
    uint64_t at = sm->start_count > 0 ? sm->start[sm->start_head].order.cycle : HD_NEVER;
    if (sm->sleepers > 0 && sm->wakes < at)
        at = sm->wakes;
    return at > now ? at : now;
}

/* Goes on with the warps whose time has come. Those that go to sleep again meanwhile are seen, too. */
static void wake_sleepers(struct sm *sm)
{
    uint64_t next = HD_NEVER;

    for (unsigned i = 0; i < sm->simt->c->warps; i++) {
        struct hd_warp *w = sm->warp[i];
        if (w->wait == W_SLEEP && w->until <= sm->cycle) {
            sm->sleepers--;
            resume(w);
        }
        if (w->wait == W_SLEEP && w->until < next)
            next = w->until;
    }
    sm->wakes = next;
}

void hd_simt_wake(struct hd_simt *s, uint64_t cycle)
{
    for (unsigned id = 0; id < s->c->sms; id++) {
        struct sm *sm = &s->sm[id];
        for (unsigned i = 0; i < s->c->warps; i++)
            if (sm->warp[i]->until == HD_NEVER) {
                sm->warp[i]->until = cycle;
                sm->wakes = cycle < sm->wakes ? cycle : sm->wakes;
            }
    }
}

/* Launches the next warp of the block at the head of the start queue. */
static const struct hd_op *launch_warp(struct sm *sm)
{
    struct hd_simt *s = sm->simt;
    struct start *st = &sm->start[sm->start_head];
    const struct hd_order *o = &st->order;
    const struct hd_launch *l = st->launch;
    uint32_t number = st->number;
    unsigned in_block = (unsigned)__builtin_ctzll(st->warps);
    struct hd_warp *w = sm->warp[o->slot * warps_per_block(s, l) + in_block];
    w->launch = l;
    w->block_slot = o->slot;
    w->block = o->block;
    w->in_block = in_block;
    unsigned threads = block_threads(l) - in_block * s->c->lanes;
    w->mask = hd_lanes_below(threads < s->c->lanes ? threads : s->c->lanes);
    w->alu = 0;
    if (!st->begun)
        sm->block[o->slot] = (struct block){.active = true, .drain = o->what == HD_ORDER_DRAIN,
                                            .live = (unsigned)__builtin_popcountll(st->warps)};
    st->begun = true;
    if (o->what == HD_ORDER_BACK) {
        sm->persist.parked++;
        sm->persist.parked_cycles += sm->cycle - w->since;
    }
    struct hd_launched launched = {.block = number, .what = (uint8_t)o->what, .durable = s->persisted, .barriers = s->barriers,
                                   .warps = st->fresh};
    st->warps &= st->warps - 1;
    if (st->warps == 0) {
        sm->start_head = (sm->start_head + 1) % MAX_BLOCKS;
        sm->start_count--;
    }
    if (s->record)
        hd_record_launch(s->record, sm->id, w->slot, sm->cycle, &launched);
    if (s->txwatch)
        hd_txwatch_launch(s->txwatch, sm->id, w->slot, sm->cycle);
    if (s->tap)
        s->tap->begin(s->tap->ctx, sm->id, w->slot, (size_t)(w->launch - s->launch), w->block, w->in_block);
    if (s->livelock)
        hd_livelock_moved(s->livelock, sm->id);
    sm->launch_op.kind = HD_OP_LAUNCH;
    sm->launch_op.warp = (uint8_t)w->slot;
    sm->launch_op.block = (uint8_t)w->block_slot;
    sm->launch_op.mask = w->mask;
    sm->launch_op.fn = (s->c->type_reset || s->c->l1 == HD_FAMILY_GPU || s->c->l1 == HD_FAMILY_DENOVO) && l != sm->kernel;
    sm->kernel = l;
    resume(w);
    return &sm->launch_op;
}

static const struct hd_op *on_offer(void *ctx, unsigned sm_id, uint64_t cycle)
{
    struct sm *sm = &((struct hd_simt *)ctx)->sm[sm_id];
    sm->cycle = cycle;
    if (sm->sleepers > 0 && sm->wakes <= cycle)
        wake_sleepers(sm);
    if (sm->start_count > 0 && sm->start[sm->start_head].order.cycle <= cycle)
        return launch_warp(sm);
    if (sm->ready_count == 0)
        return NULL;
    struct hd_warp *w = sm->warp[sm->ready[sm->ready_head]];
    sm->ready_head = (sm->ready_head + 1) % MAX_WARPS;
    sm->ready_count--;
    return &w->op;
}

static void on_taken(void *ctx, unsigned sm_id, uint64_t cycle, unsigned warp, unsigned slot)
{
    struct hd_simt *s = ctx;
    struct sm *sm = &s->sm[sm_id];
    sm->cycle = cycle;
    if (warp >= s->c->warps || !sm->warp[warp]->op_busy) {
        fault(sm, HD_FAULT_PORT, "op_taken of warp %u, which has no operation offered", warp);
        return;
    }
    struct hd_warp *w = sm->warp[warp];
    sm->instructions += w->op.alu + (w->op.kind != HD_OP_NOP);
    if (hd_op_memory(w->op.kind)) {
        if (slot >= s->c->scoreboard || w->pending[slot].busy) {
            fault(sm, HD_FAULT_PORT, "op_taken of warp %u gives scoreboard slot %u, which %s", warp, slot,
                  slot >= s->c->scoreboard ? "does not exist" : "is in use");
            return;
        }
        w->pending[slot] = (struct pending){
            .busy = true, .returns = w->op_returns, .lds = w->op.space == HD_SPACE_LDS, .want = w->op.mask, .tok = w->op_tok,
            .copy = w->op.kind == HD_OP_COPY, .group = w->groups};
    }
    if (w->op.kind == HD_OP_PBARRIER)
        w->since = cycle;
    if (s->c->persist && w->op.space == HD_SPACE_GLOBAL && (w->op.kind == HD_OP_STORE || w->op.kind == HD_OP_ATOMIC))
        for (hd_mask_t rest = w->op.mask; rest != 0; rest &= rest - 1)
            sm->persist.words += w->op.addr[__builtin_ctzll(rest)] >= s->c->nv_base;
    if (s->livelock && hd_livelock_looks(s->livelock))
        hd_livelock_taken(s->livelock, sm_id, &w->op, slot);
    if (s->record)
        hd_record_taken(s->record, sm_id, warp, slot, cycle);
    if (s->txwatch && hd_op_memory(w->op.kind))
        hd_txwatch_taken(s->txwatch, sm_id, &w->op, slot);
    w->op_busy = false;
    if (w->wait == W_BUFFER)
        resume(w);
}

static void on_status(void *ctx, unsigned sm_id, unsigned warp, unsigned status, hd_mask_t tcm)
{
    struct hd_simt *s = ctx;
    if (warp >= s->c->warps)
        return; /* on_complete() says so */
    struct transaction *t = &s->sm[sm_id].warp[warp]->tx;
    t->tcm = tcm;
    t->mode = status & 3;
    t->live &= ~tcm;
}

static void on_complete(void *ctx, unsigned sm_id, uint64_t cycle, unsigned warp, unsigned slot, bool last,
                        hd_mask_t mask, const uint32_t *data, const uint32_t *ghost)
{
    struct hd_simt *s = ctx;
    struct sm *sm = &s->sm[sm_id];
    sm->cycle = cycle;
    if (warp >= s->c->warps || slot >= s->c->scoreboard || !sm->warp[warp]->pending[slot].busy) {
        fault(sm, HD_FAULT_PORT, "completion for warp %u, slot %u, which has no operation", warp, slot);
        return;
    }
    struct hd_warp *w = sm->warp[warp];
    struct pending *p = &w->pending[slot];
    bool read = p->copy && (mask & ~p->read) != 0; /* a copy's words come twice: they are read, they are in the LDS */
    if ((mask & ~(p->want & (read ? ~p->read : ~p->got))) != 0 || (last && (read || (p->got | mask) != p->want))) {
        fault(sm, HD_FAULT_PORT, "completion for warp %u, slot %u: lanes %08llx%s; wanted %08llx, had %08llx", warp,
              slot, (unsigned long long)mask, last ? " (last)" : "", (unsigned long long)p->want,
              (unsigned long long)p->got);
        return;
    }
    *(read ? &p->read : &p->got) |= mask;
    if (s->record)
        hd_record_complete(s->record, sm_id, warp, slot, cycle, last, mask, data, ghost, w->tx.tcm, w->tx.mode);
    if (read)
        return;
    if (s->txwatch && p->lds
        && !hd_txwatch_complete(s->txwatch, sm_id, warp, slot, cycle, data, ghost, w->tx.tcm, w->tx.mode))
        fault(sm, HD_FAULT_PORT, "transactions: %s", hd_txwatch_fault(s->txwatch));
    struct result *r = &w->result[p->tok % HD_TOKENS];
    if (p->returns && mask == s->whole)
        memcpy(r->u.word, data, s->c->lanes * sizeof data[0]);
    else if (p->returns)
        for (hd_mask_t rest = mask; rest != 0; rest &= rest - 1)
            r->u.word[__builtin_ctzll(rest)] = data[__builtin_ctzll(rest)];
    if (!last)
        return;
    p->busy = false;
    if (s->livelock && hd_livelock_looks(s->livelock))
        hd_livelock_complete(s->livelock, sm_id, warp, slot, p->returns ? r->u.word : NULL);
    if (!p->returns)
        return;
    r->done = true;
    if (w->wait == W_TOKEN && w->wait_tok == p->tok)
        resume(w);
}

/* Its OP_EXIT is done: of the last one of its kernel, or it is parked. */
static void warp_ended(struct sm *sm, struct hd_warp *w)
{
    struct block *b = &sm->block[w->block_slot];
    b->parked |= w->wait == W_PARK;
    w->since = sm->cycle;
    w->wait = w->wait == W_PARK ? W_PARKED : W_FREE;
    sm->last_exit = sm->cycle;
    if (sm->simt->livelock)
        hd_livelock_moved(sm->simt->livelock, sm->id);
    if (sm->simt->txwatch)
        hd_txwatch_exit(sm->simt->txwatch, sm->id, w->slot, sm->cycle);
    for (unsigned i = 0; i < MAX_SLOTS; i++)
        if (w->pending[i].busy)
            fault(sm, HD_FAULT_PORT, "warp %u has ended with its operation in slot %u not complete", w->slot, i);
    if (--b->live == 0) {
        b->active = false;
        sm->ended[sm->ended_count++] = (struct ended){.cycle = sm->cycle, .block_slot = w->block_slot, .block = w->block,
                                                      .parked = b->parked, .persist = b->persist, .drain = b->drain};
    }
}

/* A wait for copies is over: of groups older than the @open youngest nothing may be under way. */
static void copies_complete(struct sm *sm, const struct hd_warp *w, unsigned open)
{
    for (unsigned i = 0; i < MAX_SLOTS; i++)
        if (w->pending[i].busy && w->pending[i].copy && w->groups - w->pending[i].group > open)
            fault(sm, HD_FAULT_PORT, "warp %u waited until %u groups of copies were open, and %u groups before the youngest one "
                  "is under way in slot %u", w->slot, open, w->groups - w->pending[i].group - 1, i);
}

/* Those of @warps that were at a persist barrier go on. */
static void count_barriers(struct sm *sm, uint64_t warps)
{
    uint64_t last[MAX_BLOCKS] = {0}; /* when the last of a block came */
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < sm->simt->c->warps; i++) {
            const struct hd_warp *w = sm->warp[i];
            unsigned scope = w->op.scope == HD_SCOPE_WI ? 0 : w->op.scope == HD_SCOPE_WG ? 1 : 2;
            if (!(warps >> i & 1) || w->op.kind != HD_OP_PBARRIER || w->wait != W_CONTROL)
                continue;
            if (pass == 0) {
                sm->persist.barriers[scope]++;
                sm->persist.cycles[scope] += sm->cycle - w->since;
                if (scope == 1 && w->since > last[w->block_slot])
                    last[w->block_slot] = w->since;
            } else if (scope == 1)
                sm->persist.gather += last[w->block_slot] - w->since;
        }
}

static void on_ctl_done(void *ctx, unsigned sm_id, uint64_t cycle, uint64_t warps, uint32_t clock)
{
    struct hd_simt *s = ctx;
    struct sm *sm = &s->sm[sm_id];
    sm->cycle = cycle;
    if (s->c->persist)
        count_barriers(sm, warps);
    for (unsigned i = 0; i < MAX_WARPS && warps >> i != 0; i++) {
        if ((warps >> i & 1) == 0)
            continue;
        struct hd_warp *w = sm->warp[i];
        if (i >= s->c->warps || w->op_busy || (w->wait != W_CONTROL && w->wait != W_EXIT && w->wait != W_PARK)) {
            fault(sm, HD_FAULT_PORT, "ctl_done for warp %u, which %s", i,
                  i < s->c->warps && w->op_busy ? "has its operation not yet taken" : "does not wait for it");
            return;
        }
        w->clock = clock;
        if (w->op.kind == HD_OP_COPY_CTL && w->op.fn & 8)
            copies_complete(sm, w, w->op.fn & 7);
        if (s->record)
            hd_record_done(s->record, sm_id, i, cycle);
        if (w->wait == W_EXIT || w->wait == W_PARK)
            warp_ended(sm, w);
        else
            resume(w);
    }
}

static void on_flush_done(void *ctx, unsigned sm_id, uint64_t cycle)
{
    (void)ctx;
    (void)sm_id;
    (void)cycle;
}

/* Readies a zeroed warp, on stack @i of its stacks. */
static void set_up_warp(struct hd_warp *w, size_t i)
{
    w->op.space = HD_SPACE_GLOBAL;
    for (hd_tok t = 0; t < HD_TOKENS; t++) {
        w->result[t].tok = t - HD_TOKENS;
        w->result[t].done = true;
    }
    hd_coro_init(&w->coro, w->stacks, i, warp_main, w);
}

/* A warp that has not run, on @sm; between windows. @return NULL: no memory. */
static struct hd_warp *new_warp(struct sm *sm)
{
    struct hd_simt *s = sm->simt;
    struct hd_warp *w = s->spare;
    if (w) {
        s->spare = w->next;
        return w;
    }
    w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->stacks = hd_stacks_new(1, (size_t)s->c->warp_stack * 1024);
    if (!w->stacks) {
        free(w);
        return NULL;
    }
    w->made = s->more;
    s->more = w;
    set_up_warp(w, 0);
    return w;
}

/* Puts @w into warp slot @slot of @sm. */
static void seat(struct sm *sm, struct hd_warp *w, unsigned slot)
{
    w->sm = sm;
    w->slot = slot;
    w->op.warp = (uint8_t)slot;
    sm->warp[slot] = w;
}

/* Has the warps in their slots that @st launches; who was parked in one leaves. @return false: no memory. */
static bool seat_block(struct sm *sm, struct start *st)
{
    unsigned warps = warps_per_block(sm->simt, st->launch), first = st->order.slot * warps;
    for (unsigned i = 0; i < warps; i++) {
        struct hd_warp *w = sm->warp[first + i], *other;
        if (w->wait != W_PARKED)
            continue;
        if ((other = new_warp(sm)) == NULL)
            return false;
        w->next = sm->parked;
        sm->parked = w;
        seat(sm, other, first + i);
    }
    st->warps = hd_lanes_below(warps);
    if (st->order.what != HD_ORDER_BACK)
        return true;
    st->warps = 0;
    for (struct hd_warp **at = &sm->parked; *at != NULL;) {
        struct hd_warp *w = *at;
        if (w->block != st->order.block) {
            at = &w->next;
            continue;
        }
        *at = w->next;
        struct hd_warp *other = sm->warp[first + w->in_block];
        other->next = sm->simt->spare;
        sm->simt->spare = other;
        seat(sm, w, first + w->in_block);
        st->warps |= 1ull << w->in_block;
    }
    return true;
}

static void on_start(void *ctx, const struct hd_order *o)
{
    struct hd_simt *s = ctx;
    struct sm *sm = &s->sm[o->sm];
    if (o->cycle < s->window_end)
        fault(sm, HD_FAULT_PORT, "the window is longer than the way to the dispatcher and back");
    struct start *st = &sm->start[(sm->start_head + sm->start_count) % MAX_BLOCKS];
    *st = (struct start){.order = *o, .number = s->blocks++,
                         .launch = o->what == HD_ORDER_DRAIN ? &s->drain : &s->launch[o->grid]};
    for (size_t i = 0; i <= o->grid; i++)
        st->fresh += s->grid[i].blocks * warps_per_block(s, &s->launch[i]);
    if (!seat_block(sm, st)) {
        fault(sm, HD_FAULT_PROGRAM, "no memory for the warps of another block beside those that are parked");
        return;
    }
    sm->start_count++;
    if (o->grid != s->grid_now && s->c->type_reset) /* grids run one after the other */
        s->kernel_at = o->cycle;
    s->epoch |= o->grid != s->grid_now;
    s->grid_now = o->grid;
    if (o->what == HD_ORDER_BACK && s->barriers != hd_dispatch_barriers(s->dispatch)) {
        s->barriers = hd_dispatch_barriers(s->dispatch); /* all is done, as at the end of a grid */
        s->persisted = s->asked;
        s->asked = false;
        s->epoch = true;
    }
}

/* Gives the dispatcher the news of the window in (cycle, SM) order. */
static void tell_dispatcher(struct hd_simt *s)
{
    for (;;) {
        struct sm *first = NULL;
        for (unsigned i = 0; i < s->c->sms; i++) {
            struct sm *sm = &s->sm[i];
            if (sm->ended_count > 0 && (!first || sm->ended[0].cycle < first->ended[0].cycle))
                first = sm;
        }
        if (!first)
            return;
        struct ended e = first->ended[0];
        first->ended_count--;
        memmove(&first->ended[0], &first->ended[1], first->ended_count * sizeof e);
        s->asked |= e.persist;
        if (e.drain)
            hd_dispatch_drained(s->dispatch, first->id, e.cycle);
        else if (e.parked)
            hd_dispatch_parked(s->dispatch, first->id, e.cycle, e.block_slot, e.block, e.persist);
        else
            hd_dispatch_ended(s->dispatch, first->id, e.cycle, e.block_slot);
    }
}

/* @return the SM of a warp that has not ended, with the fault. */
static const struct sm *too_long(struct hd_simt *s)
{
    static const char *const doing[] = {[W_BUFFER] = "waits for room for an operation",
                                        [W_TOKEN] = "waits for the words of a load or an atomic",
                                        [W_CONTROL] = "waits for a fence, a barrier or the clock",
                                        [W_SLEEP] = "sleeps"};
    for (unsigned i = 0; i < s->c->sms; i++) {
        struct sm *sm = &s->sm[i];
        for (unsigned j = 0; j < s->c->warps; j++) {
            const struct hd_warp *w = sm->warp[j];
            unsigned at = w->wait;
            if (!sm->block[w->block_slot].active || at >= sizeof doing / sizeof doing[0] || !doing[at])
                continue;
            sm->cycle = s->window_end;
            fault(sm, HD_FAULT_PROGRAM, "the run has not ended within max_cycles = %u; warp %u (block %u, warp %u of it) "
                  "%s", s->c->max_cycles, j, w->block, w->in_block, doing[at]);
            return sm;
        }
    }
    fault(&s->sm[0], HD_FAULT_PROGRAM, "the run has not ended within max_cycles = %u", s->c->max_cycles);
    return &s->sm[0];
}

static bool has_warp(const struct sm *sm, const struct hd_warp *w)
{
    return w->wait != W_FREE && w->wait != W_DEAD && sm->block[w->block_slot].active;
}

/* After a look in which no operation was new: @return whether really none of the warps advances. */
static bool all_spin(const struct hd_simt *s)
{
    bool spins = false;
    for (unsigned i = 0; i < s->c->sms; i++)
        for (unsigned j = 0; j < s->c->warps; j++) {
            const struct hd_warp *w = s->sm[i].warp[j];
            const struct hd_spin *k = hd_livelock_spin(s->livelock, i, j);
            if (!has_warp(&s->sm[i], w))
                continue;
            spins |= k->repeats >= SPIN_TURNS;
            if (k->repeats < SPIN_TURNS && (w->wait == W_SLEEP || k->taken > 0))
                return false; /* it computes, sleeps or asks the host */
        }
    return spins;
}

/* Who waits for which word. @return the SM with the fault. */
static const struct sm *livelock(struct hd_simt *s)
{
    static const char *const asks[] = {[HD_OP_LOAD] = "loads", [HD_OP_STORE] = "stores"};
    char text[480] = "";
    size_t n = 0, more = 0;
    struct sm *first = NULL;
    for (unsigned i = 0; i < s->c->sms; i++)
        for (unsigned j = 0; j < s->c->warps; j++) {
            const struct hd_warp *w = s->sm[i].warp[j];
            const struct hd_spin *k = hd_livelock_spin(s->livelock, i, j);
            char line[160];
            if (!has_warp(&s->sm[i], w))
                continue;
            first = first ? first : &s->sm[i];
            int length = snprintf(line, sizeof line, "; SM %u warp %u (block %u, warp %u of it) ", i, j, w->block, w->in_block);
            size_t at = (size_t)length;
            if (k->repeats >= SPIN_TURNS)
                length = snprintf(line + at, sizeof line - at, "%s word 0x%x%s again and again, 0x%x",
                                  k->kind < 2 ? asks[k->kind] : "asks by atomics for", k->addr,
                                  k->space == HD_SPACE_LDS ? " of its LDS" : "", k->word);
            else
                length = snprintf(line + at, sizeof line - at, "%s", w->op_busy ? "offers an operation that is never taken"
                                  : w->wait == W_PARKED ? "waits at a barrier of the grid"
                                  : w->wait == W_CONTROL ? "waits for a fence or a barrier" : "waits for an operation");
            at += (size_t)length;
            if (n + at + 1 < sizeof text) {
                memcpy(text + n, line, at + 1);
                n += at;
            } else
                more++;
        }
    first->cycle = s->window_end;
    char rest[40] = "";
    if (more > 0)
        snprintf(rest, sizeof rest, "; and %zu more", more);
    fault(first, HD_FAULT_PROGRAM, "livelock: for %llu cycles (%d x watchdog) no warp has done anything new%s%s",
          (unsigned long long)SPIN_TIME * s->c->watchdog, SPIN_TIME, text, rest);
    return first;
}

static bool on_window(void *ctx, uint64_t next)
{
    struct hd_simt *s = ctx;
    s->window_end = next;
    s->epoch = false;
    tell_dispatcher(s);
    if (s->watch)
        s->watch(s->watch_ctx, next);
    const struct sm *first = NULL;
    for (unsigned i = 0; i < s->c->sms; i++) {
        const struct sm *sm = &s->sm[i];
        if (sm->fault != HD_FAULT_NONE && (!first || sm->fault_cycle < first->fault_cycle))
            first = sm;
    }
    if (!first && s->livelock && hd_livelock_window(s->livelock, next)) {
        if (all_spin(s))
            first = livelock(s);
        else
            hd_livelock_rest(s->livelock, next);
    }
    if (!first && next - s->started > s->c->max_cycles && !hd_dispatch_done(s->dispatch))
        first = too_long(s);
    if (first) {
        s->fault = first->fault;
        s->fault_text = first->fault_text;
        return false;
    }
    return !s->stop && !hd_dispatch_done(s->dispatch);
}

static uint64_t on_kernel(void *ctx)
{
    struct hd_simt *s = ctx;
    uint64_t cycle = s->kernel_at;
    s->kernel_at = HD_NEVER;
    return cycle;
}

/* ---- set-up ---------------------------------------------------------------------------------------------- */

struct hd_simt *hd_simt_new(const struct hd_config *c)
{
    struct hd_simt *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->c = c;
    s->limit = 1ull << 32;
    s->whole = c->lanes % CHUNK == 0 ? hd_lanes_below(c->lanes) : 0;
    s->sm = calloc(c->sms, sizeof *s->sm);
    s->warps = calloc((size_t)c->sms * c->warps, sizeof *s->warps);
    s->slots = calloc((size_t)c->sms * c->warps, sizeof *s->slots);
    s->drain = (struct hd_launch){.fn = drain_sm, .grid_x = 1, .grid_y = 1, .block_x = 1, .block_y = 1};
    s->stacks = hd_stacks_new((size_t)c->sms * c->warps, (size_t)c->warp_stack * 1024);
    s->kernel_at = HD_NEVER;
    s->dispatch = hd_dispatch_new(c->sms, c->lat_dispatch, on_start, s);
    if (c->watchdog > 0)
        s->livelock = hd_livelock_new(c->sms, c->warps, (uint64_t)SPIN_TIME * c->watchdog);
    if (!s->sm || !s->warps || !s->slots || !s->stacks || !s->dispatch || (c->watchdog > 0 && !s->livelock)) {
        hd_simt_free(s);
        return NULL;
    }
    if (c->local_tm) {
        s->txwatch = hd_txwatch_new(c, &(struct hd_txwatch_options){.warps = c->tm_warps,
                                                                    .hash = c->tm_detect ? 0 : c->tm_hash,
                                                                    .ideal = c->local_tm == HD_LOCAL_TM_IDEAL});
        if (!s->txwatch) {
            hd_simt_free(s);
            return NULL;
        }
    }
    for (unsigned i = 0; i < c->sms; i++) {
        struct sm *sm = &s->sm[i];
        sm->simt = s;
        sm->id = i;
        sm->guarded = (struct hd_guarded){.sm = i, .stacks = s->stacks, .seconds = c->warp_seconds};
        sm->warp = &s->slots[(size_t)i * c->warps];
        for (unsigned j = 0; j < c->warps; j++) {
            struct hd_warp *w = &s->warps[(size_t)i * c->warps + j];
            w->stacks = s->stacks;
            set_up_warp(w, (size_t)i * c->warps + j);
            seat(sm, w, j);
        }
    }
    return s;
}

void hd_simt_free(struct hd_simt *s)
{
    if (!s)
        return;
    hd_dispatch_free(s->dispatch);
    hd_counters_free(&s->counters);
    hd_record_free(s->record);
    hd_txwatch_free(s->txwatch);
    hd_livelock_free(s->livelock);
    for (size_t i = 0; s->warps && i < (size_t)s->c->sms * s->c->warps; i++)
        free(s->warps[i].tx.store);
    while (s->more) {
        struct hd_warp *w = s->more;
        s->more = w->made;
        free(w->tx.store);
        hd_stacks_free(w->stacks);
        free(w);
    }
    hd_stacks_free(s->stacks);
    free(s->grid);
    free(s->launch);
    free(s->warps);
    free(s->slots);
    free(s->sm);
    free(s);
}

void hd_simt_limit(struct hd_simt *s, uint32_t first, uint64_t bytes)
{
    s->bottom = first;
    s->limit = bytes ? bytes : 1ull << 32;
}

const char *hd_simt_add(struct hd_simt *s, const struct hd_launch *launch)
{
    const struct hd_config *c = s->c;
    const struct hd_launch *l = launch;
    if (l->grid_x == 0 || l->grid_y == 0 || l->block_x == 0 || l->block_y == 0)
        return "a grid or block has no threads";
    unsigned warps = warps_per_block(s, l);
    unsigned fit = c->warps / warps < c->blocks ? c->warps / warps : c->blocks;
    if (fit == 0) {
        snprintf(s->reason, sizeof s->reason, "a block has %u warps (%u threads); an SM has warps = %u slots", warps,
                 block_threads(l), c->warps);
        return s->reason;
    }
    if (l->lds_bytes > c->lds_bytes || l->lds_bytes % 4 != 0) {
        snprintf(s->reason, sizeof s->reason, "a block wants %u bytes of LDS: must be a multiple of 4, at most "
                 "lds_bytes = %u", l->lds_bytes, c->lds_bytes);
        return s->reason;
    }
    if (l->lds_bytes && c->lds_bytes / lds_segment(c, l) < fit)
        fit = c->lds_bytes / lds_segment(c, l);
    if (l->resident > fit) {
        int n = snprintf(s->reason, sizeof s->reason, "resident = %u: at most %u blocks of %u warps fit on an SM "
                         "(warps = %u, blocks = %u)", l->resident, fit, warps, c->warps, c->blocks);
        if (l->lds_bytes && n > 0 && (size_t)n < sizeof s->reason)
            snprintf(s->reason + n, sizeof s->reason - (size_t)n, "; each takes %u of lds_bytes = %u", l->lds_bytes,
                     c->lds_bytes);
        return s->reason;
    }
    if (s->launches == s->room) {
        size_t room = s->room ? 2 * s->room : 4;
        struct hd_launch *more = realloc(s->launch, room * sizeof *more);
        if (more)
            s->launch = more;
        struct hd_grid *grids = realloc(s->grid, room * sizeof *grids);
        if (grids)
            s->grid = grids;
        if (!more || !grids)
            return "no memory";
        s->room = room;
    }
    if (!hd_dispatch_reserve(s->dispatch, l->grid_x * l->grid_y))
        return "no memory";
    s->launch[s->launches] = *l;
    s->grid[s->launches] = (struct hd_grid){.blocks = l->grid_x * l->grid_y, .resident = l->resident ? l->resident : fit,
                                            .exchange = l->exchange};
    s->launches++;
    return NULL;
}

void hd_simt_watch(struct hd_simt *s, void (*watch)(void *ctx, uint64_t cycle), void *ctx)
{
    s->watch = watch;
    s->watch_ctx = ctx;
}

bool hd_simt_record(struct hd_simt *s, struct hd_evlog *log)
{
    s->record = hd_record_new(s->c, log);
    return s->record != NULL && (!s->c->local_tm || hd_record_transactions(s->record, s->c->tm_warps));
}

void hd_simt_notes(struct hd_simt *s, struct hd_notes *notes)
{
    hd_record_notes(s->record, notes);
}

void hd_simt_tap(struct hd_simt *s, const struct hd_tap *tap)
{
    s->tap = tap;
}

const struct hd_launch *hd_simt_launches(const struct hd_simt *s, size_t *n)
{
    *n = s->launches;
    return s->launch;
}

bool hd_simt_epoch(const struct hd_simt *s)
{
    return s->epoch;
}

uint64_t hd_simt_watermark(const struct hd_simt *s)
{
    return hd_record_watermark(s->record, s->window_end);
}

const uint32_t *hd_simt_issued(const struct hd_simt *s)
{
    return hd_record_issued(s->record);
}

size_t hd_simt_counters(struct hd_simt *s, const struct hd_counter **list)
{
    static const char *const barriers[] = {"persist.barriers_wi", "persist.barriers_wg", "persist.barriers_kr"};
    static const char *const cycles[] = {"persist.cycles_wi", "persist.cycles_wg", "persist.cycles_kr"};
    struct hd_counters *out = &s->counters;
    struct persist_counts sum = {0};
    const struct hd_counter *tm;
    size_t n = s->txwatch ? hd_txwatch_counters(s->txwatch, &tm) : 0;
    out->count = 0;
    for (size_t i = 0; i < n; i++)
        hd_counters_put(out, tm[i].name, tm[i].value);
    for (unsigned i = 0; i < s->c->sms; i++) {
        const struct persist_counts *p = &s->sm[i].persist;
        for (unsigned k = 0; k < 3; k++) {
            sum.barriers[k] += p->barriers[k];
            sum.cycles[k] += p->cycles[k];
        }
        sum.words += p->words;
        sum.gather += p->gather;
        sum.parked += p->parked;
        sum.parked_cycles += p->parked_cycles;
    }
    if (s->c->persist != 0) {
        hd_counters_put(out, "persist.store_words", sum.words);
        for (unsigned k = 0; k < 3; k++) {
            hd_counters_put(out, barriers[k], sum.barriers[k]);
            hd_counters_put(out, cycles[k], sum.cycles[k]);
        }
        hd_counters_put(out, "persist.gather_cycles", sum.gather);
        hd_counters_put(out, "persist.grid_barriers", hd_dispatch_barriers(s->dispatch));
        hd_counters_put(out, "persist.grid_parked", sum.parked);
        hd_counters_put(out, "persist.grid_parked_cycles", sum.parked_cycles);
    }
    *list = out->list;
    return out->count;
}

void hd_simt_stop(struct hd_simt *s)
{
    s->stop = true;
}

void hd_simt_start(struct hd_simt *s, uint64_t cycle, struct hd_client *client)
{
    s->started = cycle;
    s->window_end = cycle;
    hd_dispatch_begin(s->dispatch, s->grid, s->launches, cycle);
    *client = (struct hd_client){.ctx = s, .wake = on_wake, .offer = on_offer, .taken = on_taken,
                                 .complete = on_complete, .ctl_done = on_ctl_done, .flush_done = on_flush_done, .kernel = on_kernel,
                                 .window = on_window, .status = on_status};
}

enum hd_fault hd_simt_fault(const struct hd_simt *s, const char **text)
{
    *text = s->fault_text ? s->fault_text : "";
    return s->fault;
}

bool hd_simt_done(const struct hd_simt *s)
{
    return hd_dispatch_done(s->dispatch);
}

uint64_t hd_simt_cycles(const struct hd_simt *s)
{
    uint64_t last = s->started;
    for (unsigned i = 0; i < s->c->sms; i++)
        if (s->sm[i].last_exit > last)
            last = s->sm[i].last_exit;
    return last - s->started;
}

uint64_t hd_simt_instructions(const struct hd_simt *s)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < s->c->sms; i++)
        sum += s->sm[i].instructions;
    return sum;
}

void hd_simt_progress(const struct hd_simt *s, uint64_t *ended, uint64_t *all)
{
    hd_dispatch_progress(s->dispatch, ended, all);
}
