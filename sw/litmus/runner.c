/* runner.c - see runner.h.
 *
 * Every SM holds one thread block with all its warps; a warp is a worker that does what the plan of the round says.
 * A round: initial values (when they are not 0), warm-up accesses, the test itself, and for variables in the
 * memory of the thread block the reading of their last values. Between two of these steps all workers wait for each
 * other, outside the machine (hd_sleep): the machine's window callback sees that all have arrived, so nothing
 * depends on the order in which SMs are simulated.
 *
 * A barrier of a test is the machine's, which joins all warps of an SM: those of other instances, of work-groups with
 * fewer barriers and those without instances pass it too, the same number of times.
 *
 * A bundle is a set of instances that share their placement: process p of all of them runs in the same warp, each in
 * a lane of its own. The interpreter moves one path of a warp at a time: lanes that stand at the same instruction
 * of the same process, sometimes only a part of them. Registers that a load fills are waited for when they are used. */
#define _POSIX_C_SOURCE 200809L
#include "runner.h"
#include "aim.h"
#include "judge/judge.h"
#include "learn.h"
#include "lot.h"
#include "machine.h"
#include "simt.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    BASE = 1 << 20,          /* address of the lines of the tests */
    NOISE = 1 << 30,         /* ... of those of noise */
    NOISE_LINES = 512,       /* ... which the L2 holds */
    FLOOD_LINES = 1 << 15,   /* ... which it does not */
    DRAWN = 32,              /* lanes of an operation of noise that are drawn, also in narrower warps */
    MAX_SKEW = 200,          /* cycles between starts */
    MAX_LATE = 64,           /* ... that a partition's links take more, where an old copy is to be read */
    MAX_SPREAD = 1500,       /* cycles, as above, in rounds of processes far apart */
    MAX_STEPS = 10000,       /* of a process: a spin loop that goes on is an error */
    MAX_TRIES = 200
};

enum step { INIT, WARM, RUN, COLLECT, END };

/* How the words of an instance lie. NEW_SECTORS: in sectors of its own, whose types nobody has asked for; of two
 * words by lot in one or in two. */
enum place {
    ANYWHERE, SAME_LINE, SAME_PARTITION, OTHER_PARTITION, SAME_SECTOR, OWN_SECTOR, SAME_SET, NEW_SECTORS, PLACES,
    LATE_PARTITION = PLACES, /* for words of which an old copy is to be read */
    FAST_PARTITION           /* ... for the others, another one */
};

struct lane {
    bool used, runs;         /* runs: the process too, not only the warm-up */
    unsigned proc, pc, steps;
    unsigned delay;          /* cycles after the worker's start */
    uint16_t due[HD_LISA_INSTRS]; /* ... of each instruction, in an instance that is aimed */
    size_t instance;
    uint8_t warm[HD_LISA_VARS];
    uint32_t reg[HD_LISA_REGS];
    hd_tok tok[HD_LISA_REGS];
    uint32_t pending;        /* registers whose word is still in tok */
    int last;                /* variable of its last access, -1 none */
};

struct worker {
    struct lane lane[HD_MAX_LANES];
    bool used;               /* has lanes */
    unsigned noise;          /* operations instead */
    bool flood;              /* ... on one partition, without waiting */
    bool fences;             /* ... that acquire or release, and nothing else */
    bool calm;               /* no pauses inside the test */
    bool wide;               /* scopes reach the device */
    bool aimed;              /* accesses are issued when they are due */
    unsigned skew, arrived;
    unsigned barriers;       /* passed in this test */
    uint64_t random;
    hd_tok last;
};

struct run {
    const struct hd_lisa *t;
    struct hd_config c;
    size_t runs, planned;    /* instances, those planned up to this round */
    unsigned bound;
    bool anywhere;
    uint8_t *gave_up;        /* [runs] process + 1 */
    int8_t *waits;           /* [runs] variable, -1 none */
    uint64_t random;
    struct hd_learned learned;
    struct hd_aims aims[2];  /* close together; far apart, of rounds that are spread */
    bool may_aim;            /* at outcomes of this test on this machine, close together */
    bool may_spread;         /* ... far apart */
    struct hd_aim_can can;
    struct hd_aim aim[HD_MAX_LANES]; /* of each instance of the bundle that is planned, where it is aimed */
    uint8_t (*way)[HD_CHOICES]; /* [runs] what was drawn for each instance */
    uint8_t drawn[HD_CHOICES];  /* last */
    size_t first;               /* instance of the round */
    uint64_t began;             /* cycle of the round */

    int owner[HD_LISA_VARS]; /* the first process that names the variable, -1 none */
    bool has_init, has_group;
    unsigned barriers;       /* each warp of an SM passes */

    struct worker *worker;   /* [sms * warps] */
    enum step step;
    bool quiet;              /* all tests of the round have ended: noise disturbs nobody any more */
    unsigned count;          /* of steps, from 1 */

    uint32_t (*addr)[HD_LISA_VARS]; /* [runs] */
    uint32_t *outcome;       /* [runs][items] */
    uint8_t *line_used;      /* [lines] */
    unsigned lines;
    unsigned new_sector;     /* the next one for NEW_SECTORS */
    uint32_t lds_next[32];   /* of each SM, bytes */
    unsigned flooded;        /* partition */
    unsigned late;           /* partition whose links are slow in a round with old copies */
    bool spread;             /* processes start so far apart that many end before others start */
    struct hd_judge *judge;  /* checked builds */
    struct hd_simt *simt;
    struct hd_machine *machine;
    const char *file;        /* of the test */
    const char *fault;       /* the test cannot go on */
    unsigned fault_line;
};

/* ---- how instructions become operations ------------------------------------------------------------------- */

static bool is_target(const struct hd_lisa_instr *i, const struct hd_lisa_arg *a)
{
    return a->is == HD_LISA_IS_REG && a->n == i->reg;
}

bool hd_litmus_find_atomic(const struct hd_lisa_instr *i, struct hd_litmus_atomic *a)
{
    const struct hd_lisa_expr *e = &i->value;
    bool left = is_target(i, &e->a), right = e->fn != HD_LISA_VALUE && is_target(i, &e->b);
    if (!left && !right) {
        *a = (struct hd_litmus_atomic){HD_AT_EXCH, *e};
        return true;
    }
    a->operand = (struct hd_lisa_expr){.fn = HD_LISA_VALUE, .a = left ? e->b : e->a};
    switch (e->fn) {
    case HD_LISA_VALUE:
        a->operand.a = (struct hd_lisa_arg){HD_LISA_IS_INT, 0};
        a->fn = HD_AT_ADD;
        return true;
    case HD_LISA_ADD:
        a->fn = HD_AT_ADD;
        break;
    case HD_LISA_AND:
        a->fn = HD_AT_AND;
        break;
    case HD_LISA_XOR:
        a->fn = HD_AT_XOR;
        break;
    default:
        return false;
    }
    return left != right;
}

static bool copies_to_group(const struct hd_lisa *t, const struct hd_lisa_instr *i)
{
    return i->base.is == HD_LISA_IS_VAR && t->var[i->base.n].group && i->index.is == HD_LISA_IS_VAR && !t->var[i->index.n].group;
}

bool hd_litmus_of_copies(const struct hd_lisa *t)
{
    for (unsigned p = 0; p < t->procs; p++)
        for (unsigned i = 0; i < t->proc[p].instrs; i++)
            if (t->proc[p].instr[i].kind == HD_LISA_COPY || t->proc[p].instr[i].kind == HD_LISA_COPY_WAIT)
                return true;
    return false;
}

const char *hd_litmus_refuses(const struct hd_lisa *t)
{
    static const char *const beyond[] = {
        [HD_LISA_PERSIST] = "a persist barrier",  [HD_LISA_STORE2] = "one store of two lanes",
    };

    if (t->unmapped[0])
        return t->unmapped;
    if (t->crash)
        return "a power cut";
    for (unsigned v = 0; v < t->vars; v++)
        if (t->var[v].region >= HD_LISA_NV)
            return "a variable in non-volatile or host memory";
    for (unsigned p = 0; p < t->procs; p++)
        for (unsigned i = 0; i < t->proc[p].instrs; i++) {
            struct hd_litmus_atomic a;
            const enum hd_lisa_kind kind = t->proc[p].instr[i].kind;
            if (kind < sizeof beyond / sizeof beyond[0] && beyond[kind])
                return beyond[kind];
            if (kind == HD_LISA_COPY && !copies_to_group(t, &t->proc[p].instr[i]))
                return "a copy that is not from a global variable to one in group memory";
            if (kind == HD_LISA_BARRIER && t->proc[p].instr[i].scope == HD_LISA_AGENT)
                return "a barrier of the whole kernel";
            if (t->proc[p].instr[i].kind == HD_LISA_RMW && !hd_litmus_find_atomic(&t->proc[p].instr[i], &a))
                return "an rmw that is not an exchange, add, and or xor";
        }
    for (unsigned v = 0; v < t->vars; v++) {
        int block = -1;
        for (unsigned p = 0; p < t->procs; p++) {
            bool names = false;
            for (unsigned i = 0; i < t->proc[p].instrs; i++) {
                const struct hd_lisa_instr *x = &t->proc[p].instr[i];
                const struct hd_lisa_arg *arg[] = {&x->base, &x->index, &x->value.a, &x->value.b};
                for (unsigned k = 0; k < 4; k++)
                    names |= arg[k]->is == HD_LISA_IS_VAR && arg[k]->n == (int32_t)v;
            }
            if (!t->var[v].group || !names)
                continue;
            if (block >= 0 && block != t->instance[HD_LISA_WG][p])
                return "a variable in group memory that two work-groups use";
            block = t->instance[HD_LISA_WG][p];
        }
    }
    return NULL;
}

static unsigned order_of(const struct hd_lisa_instr *i)
{
    switch (i->order) {
    case HD_LISA_SCACQ:
        return HD_ORD_ACQUIRE;
    case HD_LISA_SCREL:
        return HD_ORD_RELEASE;
    case HD_LISA_SCAR:
        return i->kind == HD_LISA_RMW ? HD_ORD_ACQ_REL : HD_ORD_SEQ_CST;
    default:
        return HD_ORD_RELAXED;
    }
}

static unsigned scope_of(const struct hd_lisa_instr *i)
{
    if (!i->atomic)
        return HD_SCOPE_DEVICE; /* relaxed there: it means nothing */
    return i->scope == HD_LISA_WI       ? HD_SCOPE_WI
           : i->scope <= HD_LISA_WG     ? HD_SCOPE_WG
           : i->scope == HD_LISA_AGENT ? HD_SCOPE_DEVICE
                                        : HD_SCOPE_SYSTEM;
}

/* ---- the interpreter: runs as a warp ------------------------------------------------------------------------ */

static void settle(struct hd_warp *w, struct worker *k, unsigned l, unsigned reg)
{
    struct lane *a = &k->lane[l];
    if ((a->pending >> reg & 1) == 0)
        return;
    a->reg[reg] = hd_use(w, a->tok[reg])[l];
    a->pending &= ~(1u << reg);
}

/* Takes the words of old tokens before the runtime forgets them. */
static void settle_old(struct hd_warp *w, struct worker *k, unsigned lanes)
{
    for (unsigned l = 0; l < lanes; l++)
        for (unsigned r = 0; k->lane[l].pending >> r != 0; r++)
            if (k->last - k->lane[l].tok[r] >= HD_TOKENS - 2)
                settle(w, k, l, r);
}

static uint32_t value_of(struct hd_warp *w, struct worker *k, unsigned l, const struct hd_lisa_arg *a)
{
    if (a->is == HD_LISA_IS_INT)
        return (uint32_t)a->n;
    if (a->is == HD_LISA_IS_VAR)
        return hd_lisa_address((unsigned)a->n);
    settle(w, k, l, (unsigned)a->n);
    return k->lane[l].reg[a->n];
}

static uint32_t result_of(struct hd_warp *w, struct worker *k, unsigned l, const struct hd_lisa_expr *e)
{
    uint32_t a = value_of(w, k, l, &e->a);
    return hd_lisa_apply(e->fn, a, e->fn == HD_LISA_VALUE ? 0 : value_of(w, k, l, &e->b));
}

static void give_up(struct run *r, struct lane *a, const char *why, unsigned line)
{
    a->pc = r->t->proc[a->proc].instrs;
    a->pending = 0;
    r->fault = why; /* read between windows; any SM's fault will do */
    r->fault_line = line;
}

/* The process has gone round for too long. */
static void meet_bound(struct run *r, struct lane *a, unsigned line)
{
    if (r->bound == 0) {
        give_up(r, a, "a loop that does not end, in 10000 instructions", line);
        return;
    }
    a->pc = r->t->proc[a->proc].instrs;
    if (r->gave_up[a->instance] == 0) {
        r->waits[a->instance] = (int8_t)a->last;
        r->gave_up[a->instance] = (uint8_t)(a->proc + 1);
    }
}

static unsigned reach(const struct worker *k, const struct hd_lisa_instr *i)
{
    return k->wide && scope_of(i) < HD_SCOPE_DEVICE ? HD_SCOPE_DEVICE : scope_of(i);
}

/* Do the L1s keep old words until somebody in the SM acquires, and new ones until somebody releases? */
static bool caches_words(const struct run *r)
{
    return r->c.l1 == HD_FAMILY_GPU || r->c.l1 == HD_FAMILY_DENOVO;
}

/* A load, store or RMW of the lanes in @mask. */
static void access_memory(struct hd_warp *w, struct run *r, struct worker *k, hd_mask_t mask,
                          const struct hd_lisa_instr *i, unsigned order)
{
    uint32_t addr[HD_MAX_LANES] = {0}, data[HD_MAX_LANES] = {0};
    hd_mask_t parts[2] = {0}; /* global, group */
    struct hd_litmus_atomic atomic = {0};
    const struct hd_lisa_expr *operand = &i->value;
    unsigned scope = reach(k, i);
    /* relaxed loads and stores are data where L1s cache words */
    if (r->anywhere && caches_words(r) && i->atomic && order == HD_ORD_RELAXED && i->kind != HD_LISA_RMW)
        order = i->kind == HD_LISA_LOAD ? HD_ORD_ACQUIRE : HD_ORD_RELEASE;
    if (i->kind == HD_LISA_RMW) {
        hd_litmus_find_atomic(i, &atomic);
        operand = &atomic.operand;
    }
    for (unsigned l = 0; l < r->c.lanes; l++) {
        if ((mask >> l & 1) == 0)
            continue;
        struct lane *a = &k->lane[l];
        int var = hd_lisa_var_at(r->t, value_of(w, k, l, &i->base) + value_of(w, k, l, &i->index));
        if (var < 0) {
            give_up(r, a, "an access that hits no variable", i->line);
            continue;
        }
        addr[l] = r->addr[a->instance][var];
        if (i->kind != HD_LISA_LOAD)
            data[l] = result_of(w, k, l, operand);
        parts[r->t->var[var].group] |= hd_lane(l);
        a->last = var;
        a->pc++;
    }
    for (unsigned group = 0; group < 2; group++) {
        hd_mask_t m = parts[group];
        hd_tok tok = 0;
        if (m == 0)
            continue;
        settle_old(w, k, r->c.lanes);
        if (i->kind == HD_LISA_STORE && !i->atomic && !group)
            hd_st(w, m, addr, data);
        else if (i->kind == HD_LISA_STORE)
            (group ? hd_lds_st : hd_st_o)(w, m, addr, data, order, scope);
        else if (i->kind == HD_LISA_LOAD && !i->atomic && !group)
            tok = hd_ld(w, m, addr);
        else if (i->kind == HD_LISA_LOAD)
            tok = (group ? hd_lds_ld : hd_ld_o)(w, m, addr, order, scope);
        else
            tok = (group ? hd_lds_atom : hd_atom_o)(w, atomic.fn, m, addr, data, order, scope);
        if (i->kind == HD_LISA_STORE)
            continue;
        k->last = tok;
        for (unsigned l = 0; l < r->c.lanes; l++)
            if (m >> l & 1) {
                k->lane[l].tok[i->reg] = tok;
                k->lane[l].pending |= 1u << i->reg;
            }
    }
}

/* One instruction of the lanes in @mask, which all stand at it. */
static void move(struct hd_warp *w, struct run *r, struct worker *k, hd_mask_t mask, unsigned proc, unsigned pc)
{
    const struct hd_lisa_instr *i = &r->t->proc[proc].instr[pc];
    unsigned order = order_of(&r->t->proc[proc].instr[pc]);
    if (i->kind <= HD_LISA_RMW) {
        access_memory(w, r, k, mask, i, order);
        return;
    }
    if (i->kind == HD_LISA_COPY) {
        uint32_t lds[HD_MAX_LANES] = {0}, addr[HD_MAX_LANES] = {0};
        for (unsigned l = 0; l < r->c.lanes; l++)
            if (mask >> l & 1) {
                struct lane *a = &k->lane[l];
                lds[l] = r->addr[a->instance][i->base.n];
                addr[l] = r->addr[a->instance][i->index.n];
                a->last = i->base.n;
            }
        hd_copy(w, mask, lds, addr);
        hd_copy_close(w); /* a group of its own */
    } else if (i->kind == HD_LISA_COPY_WAIT)
        hd_copy_wait(w, (unsigned)i->value.a.n);
    else if (i->kind == HD_LISA_FENCE)
        hd_fence(w, order, reach(k, i));
    else
        hd_alu(w, 1);
    for (unsigned l = 0; l < r->c.lanes; l++) {
        struct lane *a = &k->lane[l];
        if ((mask >> l & 1) == 0)
            continue;
        a->pc++;
        if (i->kind == HD_LISA_MOV) {
            uint32_t value = result_of(w, k, l, &i->value);
            a->pending &= ~(1u << i->reg);
            a->reg[i->reg] = value;
        } else if (i->kind == HD_LISA_BRANCH &&
                   (i->reg < 0 || value_of(w, k, l, &(struct hd_lisa_arg){HD_LISA_IS_REG, i->reg}) != 0))
            a->pc = i->target;
        if (++a->steps > (r->bound ? r->bound : MAX_STEPS))
            meet_bound(r, a, i->line);
    }
}

/* The warp waits at a barrier of its SM. */
static void pass_barrier(struct hd_warp *w, struct worker *k)
{
    hd_bar(w);
    k->barriers++;
}

/* @return those of @m that stand at a barrier. */
static hd_mask_t at_barrier(const struct run *r, const struct worker *k, hd_mask_t m)
{
    hd_mask_t stand = 0;
    for (unsigned l = 0; l < r->c.lanes; l++) {
        const struct lane *a = &k->lane[l];
        if ((m >> l & 1) && r->t->proc[a->proc].instr[a->pc].kind == HD_LISA_BARRIER)
            stand |= hd_lane(l);
    }
    return stand;
}

/* @return lanes not at their end. */
static hd_mask_t going(const struct run *r, const struct worker *k)
{
    hd_mask_t m = 0;
    for (unsigned l = 0; l < r->c.lanes; l++)
        if (k->lane[l].runs && k->lane[l].pc < r->t->proc[k->lane[l].proc].instrs)
            m |= hd_lane(l);
    return m;
}

/* Waits for the first lanes of @m to start, or for their next instruction to be due. @return those that may go on. */
static hd_mask_t wait_due(struct hd_warp *w, const struct worker *k, hd_mask_t m, uint64_t start)
{
    uint64_t first = UINT64_MAX;
    hd_mask_t started = 0;
    for (unsigned l = 0; l < HD_MAX_LANES; l++)
        if (m >> l & 1) {
            const struct lane *a = &k->lane[l];
            uint64_t at = start + (k->aimed ? a->due[a->pc] : a->delay);
            first = at < first ? at : first;
            started |= (hd_mask_t)(at <= hd_now(w)) << l;
        }
    if (started == 0)
        hd_sleep(w, first);
    return started;
}

static void run_test(struct hd_warp *w, struct run *r, struct worker *k)
{
    unsigned lanes = r->c.lanes;
    uint64_t start = hd_now(w);
    bool joins = false; /* a barrier of its process */
    for (unsigned l = 0; l < lanes; l++)
        joins |= k->lane[l].runs && hd_lisa_barriers(r->t, k->lane[l].proc) > 0;
    for (hd_mask_t m; (m = going(r, k)) != 0;) {
        hd_mask_t stand = at_barrier(r, k, m);
        if (stand == m) {
            pass_barrier(w, k);
            for (unsigned l = 0; l < lanes; l++)
                k->lane[l].pc += stand >> l & 1;
            continue;
        }
        if (!joins && k->barriers < r->barriers && hd_lot_below(&k->random, 4) == 0)
            pass_barrier(w, k);
        m &= ~stand;
        if ((m = wait_due(w, k, m, start)) == 0)
            continue;
        unsigned l = hd_lot_below(&k->random, lanes);
        while ((m >> l & 1) == 0)
            l = (l + 1) % lanes;
        const struct lane *a = &k->lane[l];
        unsigned proc = a->proc, pc = a->pc;
        hd_mask_t part = !k->aimed && hd_lot_below(&k->random, 4) == 0 ? hd_lot(&k->random) | hd_lane(l) : HD_ALL_LANES;
        for (unsigned b = 0; b < lanes; b++)
            if (k->lane[b].proc != proc || k->lane[b].pc != pc)
                m &= ~hd_lane(b);
        if (!k->calm && hd_lot_below(&k->random, 4) == 0)
            hd_alu(w, hd_lot_below(&k->random, 12));
        if (!k->calm && hd_lot_below(&k->random, 16) == 0)
            hd_sleep(w, hd_now(w) + hd_lot_below(&k->random, 64));
        move(w, r, k, m & part, proc, pc);
    }
    while (k->barriers < r->barriers)
        pass_barrier(w, k);
    for (unsigned l = 0; l < lanes; l++)
        for (unsigned reg = 0; k->lane[l].pending >> reg != 0; reg++)
            settle(w, k, l, reg);
    for (unsigned l = 0; l < lanes; l++) {
        const struct lane *a = &k->lane[l];
        for (unsigned i = 0; a->runs && i < r->t->items; i++)
            if (r->t->item[i].proc == (int)a->proc)
                r->outcome[a->instance * r->t->items + i] = a->reg[r->t->item[i].n];
    }
    if (r->has_group)
        hd_fence(w, HD_ORD_SEQ_CST, HD_SCOPE_DEVICE);
}

/* Lanes that look after variable @v, and where it is in each. */
static hd_mask_t owners(const struct run *r, const struct worker *k, unsigned v, uint32_t addr[HD_MAX_LANES])
{
    hd_mask_t m = 0;
    for (unsigned l = 0; l < r->c.lanes; l++) {
        const struct lane *a = &k->lane[l];
        addr[l] = a->used ? r->addr[a->instance][v] : 0;
        if (a->runs && r->owner[v] == (int)a->proc)
            m |= hd_lane(l);
    }
    return m;
}

static void init(struct hd_warp *w, struct run *r, struct worker *k)
{
    uint32_t addr[HD_MAX_LANES], data[HD_MAX_LANES];
    for (unsigned v = 0; v < r->t->vars; v++) {
        const struct hd_lisa_var *var = &r->t->var[v];
        hd_mask_t m = owners(r, k, v, addr);
        for (unsigned l = 0; l < HD_MAX_LANES; l++)
            data[l] = var->init;
        if (var->group)
            hd_lds_st(w, m, addr, data, HD_ORD_RELAXED, HD_SCOPE_DEVICE);
        else if (var->init != 0)
            hd_st(w, m, addr, data);
    }
    hd_fence(w, HD_ORD_SEQ_CST, HD_SCOPE_DEVICE);
}

static void warm(struct hd_warp *w, struct run *r, struct worker *k)
{
    static const uint32_t zero[HD_MAX_LANES];
    unsigned first = hd_lot_below(&k->random, r->t->vars ? r->t->vars : 1);
    for (unsigned n = 0; n < r->t->vars; n++) {
        unsigned v = (first + n) % r->t->vars;
        uint32_t addr[HD_MAX_LANES];
        hd_mask_t load = 0, own = 0;
        for (unsigned l = 0; l < r->c.lanes; l++) {
            const struct lane *a = &k->lane[l];
            addr[l] = a->used ? r->addr[a->instance][v] : 0;
            load |= (hd_mask_t)(a->used && a->warm[v] == HD_WARM_LOAD) << l;
            own |= (hd_mask_t)(a->used && a->warm[v] == HD_WARM_OWN) << l;
        }
        hd_tok one = hd_atom(w, HD_AT_ADD, own, addr, zero), two = hd_ld(w, load, addr);
        hd_use(w, one);
        hd_use(w, two);
    }
}

/* Random accesses that evict lines and fill queues, or fences. */
static void make_noise(struct hd_warp *w, struct run *r, struct worker *k)
{
    uint32_t addr[HD_MAX_LANES], data[HD_MAX_LANES];
    for (unsigned i = 0; i < k->noise && !r->quiet; i++) {
        if (k->fences) {
            hd_sleep(w, hd_now(w) + hd_lot_below(&k->random, 1u << hd_lot_below(&k->random, 8)));
            hd_fence(w, HD_ORD_ACQUIRE + hd_lot_below(&k->random, 2), HD_SCOPE_DEVICE);
            continue;
        }
        for (unsigned l = 0; l < DRAWN || l < r->c.lanes; l++) {
            uint32_t line = hd_lot_below(&k->random, k->flood ? FLOOD_LINES : NOISE_LINES);
            if (k->flood)
                line = line * r->c.partitions + r->flooded;
            addr[l] = NOISE + line * r->c.line_bytes;
            data[l] = (uint32_t)hd_lot(&k->random);
        }
        hd_mask_t mask = data[0] & data[1];
        if (r->c.lanes > DRAWN)
            mask |= (hd_mask_t)(data[DRAWN] & data[DRAWN + 1]) << DRAWN;
        unsigned what = hd_lot_below(&k->random, 8);
        if (what < 2)
            hd_st(w, mask, addr, data);
        else if (what < 3)
            hd_atom(w, HD_AT_ADD, mask, addr, data);
        else {
            hd_tok t = hd_ld(w, mask, addr);
            if (what < 5 && !k->flood)
                hd_use(w, t);
        }
    }
}

static void collect(struct hd_warp *w, struct run *r, struct worker *k)
{
    uint32_t addr[HD_MAX_LANES];
    for (unsigned i = 0; i < r->t->items; i++) {
        const struct hd_lisa_item *item = &r->t->item[i];
        if (item->proc >= 0 || !r->t->var[item->n].group)
            continue;
        hd_mask_t m = owners(r, k, item->n, addr);
        const uint32_t *words = hd_use(w, hd_lds_ld(w, m, addr, HD_ORD_RELAXED, HD_SCOPE_DEVICE));
        for (unsigned l = 0; l < r->c.lanes; l++)
            if (m >> l & 1)
                r->outcome[k->lane[l].instance * r->t->items + i] = words[l];
    }
}

static void work(struct hd_warp *w, void *args)
{
    struct run *r = args;
    struct worker *k = &r->worker[hd_block(w) * r->c.warps + hd_warp_in_block(w)];
    while (r->step != END) {
        unsigned count = r->count;
        if (k->used && r->step == INIT)
            init(w, r, k);
        else if (k->used && r->step == WARM)
            warm(w, r, k);
        else if (k->used && r->step == COLLECT)
            collect(w, r, k);
        else if (r->step == RUN) {
            hd_sleep(w, hd_now(w) + k->skew);
            k->barriers = 0;
            if (k->used)
                run_test(w, r, k);
            else {
                bool now = hd_lot_below(&k->random, 2) == 0;
                for (; k->barriers < r->barriers; pass_barrier(w, k))
                    if (now)
                        make_noise(w, r, k);
                make_noise(w, r, k);
            }
        }
        k->arrived = count;
        while (r->count == count)
            hd_sleep(w, HD_NEVER); /* on_window wakes all */
    }
}

/* ---- planning: between windows -------------------------------------------------------------------------------- */

static bool line_fits(const struct run *r, enum place place, unsigned line, unsigned v, const unsigned *chosen)
{
    unsigned sector = r->c.sector_bytes / r->c.line_bytes, parts = r->c.partitions;
    if (r->line_used[line])
        return false;
    for (unsigned u = 0; u < v; u++)
        if (chosen[u] == line || (place == OWN_SECTOR && chosen[u] / sector == line / sector))
            return false;
    if (place >= LATE_PARTITION)
        return parts == 1 || (line % parts == r->late) == (place == LATE_PARTITION);
    if (v == 0)
        return true;
    switch (place) {
    case SAME_PARTITION:
        return line % parts == chosen[0] % parts;
    case OTHER_PARTITION:
        return line % parts == (chosen[0] + v) % parts;
    case SAME_SECTOR:
        return line / sector == chosen[0] / sector;
    case SAME_SET:
        return line % r->c.l1_sets == chosen[0] % r->c.l1_sets;
    default:
        return true;
    }
}

static unsigned find_line(struct run *r, enum place place, unsigned v, const unsigned *chosen)
{
    unsigned line = 0;
    for (unsigned i = 0; i < MAX_TRIES; i++) {
        line = hd_lot_below(&r->random, r->lines);
        if (place == SAME_SECTOR && v > 0) {
            unsigned sector = r->c.sector_bytes / r->c.line_bytes;
            line = chosen[0] / sector * sector + line % sector;
            line = line < r->lines ? line : r->lines - 1;
        }
        if (line_fits(r, place, line, v, chosen))
            return line;
    }
    while (!line_fits(r, ANYWHERE, line, v, chosen))
        line = (line + 1) % r->lines;
    return line;
}

/* A line for variable @v of an instance in a sector of its own or in that of an earlier variable. */
static unsigned new_line(struct run *r, unsigned v, const unsigned *chosen)
{
    unsigned sector = r->c.sector_bytes / r->c.line_bytes, with = hd_lot_below(&r->random, v + 2), line;
    if (with >= v || sector <= v) {
        r->new_sector += 1 + hd_lot_below(&r->random, 2);
        return (r->new_sector - 1) * sector + hd_lot_below(&r->random, sector);
    }
    for (bool taken = true; taken;) {
        line = chosen[with] / sector * sector + hd_lot_below(&r->random, sector);
        taken = false;
        for (unsigned u = 0; u < v; u++)
            taken |= chosen[u] == line;
    }
    return line;
}

/* Where the processes of a bundle run: SM and warp groups by number, a process's warp group lies in its SM group. */
struct layout {
    unsigned sms, warps;
    unsigned sm_of[HD_LISA_PROCS], warp_of[HD_LISA_PROCS]; /* groups */
    unsigned sm[HD_LISA_PROCS], warp[HD_LISA_PROCS];       /* of each group */
    bool wide;
};

/* The SM in whose LDS variable @v of group memory is; one that no process names is in any. */
static unsigned sm_of_group(const struct run *r, const struct layout *y, unsigned v)
{
    return y->sm[y->sm_of[r->owner[v] >= 0 ? r->owner[v] : 0]];
}

/* Gives each variable of an instance its word; those in group memory in the SM of the processes that use them. */
static void find_words(struct run *r, size_t instance, enum place place, const struct layout *y)
{
    unsigned sector = r->c.sector_bytes / r->c.line_bytes;
    if (place == NEW_SECTORS && (r->new_sector + 2 * HD_LISA_VARS) * sector > (NOISE - BASE) / r->c.line_bytes)
        place = ANYWHERE; /* all used up */
    unsigned chosen[HD_LISA_VARS], words = r->c.line_bytes / 4, word = hd_lot_below(&r->random, words), lines = 0;
    for (unsigned v = 0; v < r->t->vars; v++) {
        if (r->t->var[v].group) {
            unsigned sm = sm_of_group(r, y, v);
            r->addr[instance][v] = r->lds_next[sm];
            r->lds_next[sm] += 4;
            continue;
        }
        if (place != SAME_LINE || lines == 0 || v % words == 0) {
            bool fast = place == LATE_PARTITION && !(r->aim[0].old >> v & 1);
            chosen[lines] = place == NEW_SECTORS ? new_line(r, lines, chosen)
                                                 : find_line(r, fast ? FAST_PARTITION : place, lines, chosen);
            r->addr[instance][v] = BASE + chosen[lines] * r->c.line_bytes + 4 * hd_lot_below(&r->random, words);
            if (place == SAME_LINE)
                r->addr[instance][v] = BASE + chosen[lines] * r->c.line_bytes + 4 * word;
            lines++;
        } else {
            word = (word + 1) % words;
            r->addr[instance][v] = BASE + chosen[lines - 1] * r->c.line_bytes + 4 * word;
        }
    }
    for (unsigned i = 0; i < lines && place != NEW_SECTORS; i++)
        r->line_used[chosen[i]] = 1;
}

/* How many instances have their words in the same lines. One where the first that reads a line decides which old copies the
 * others see or which type they find, and where the slowest access before a barrier decides. */
static unsigned choose_share(struct run *r, enum place place, bool aimed)
{
    if (caches_words(r) || r->c.order == HD_MODEL_TYPE || r->barriers > 0 || r->has_group || place == SAME_LINE)
        return 1;
    unsigned words = r->c.line_bytes / 4, how = hd_lot_below(&r->random, 8);
    if (aimed && r->spread)
        return 1u << how % 3;
    if (aimed)
        return words >> how % 3 > 0 ? words >> how % 3 : 1;
    return how == 0 ? 1 : how == 1 ? 1 + hd_lot_below(&r->random, words) : words;
}

/* Words of the instances from @first on: those of up to @share of them in the same lines, so that their accesses need fewer
 * cycles and other instances' stores take a line away. In some bundles a line has other variables of the others. */
static void find_bundle(struct run *r, size_t first, unsigned instances, unsigned share, bool aimed, enum place place,
                        const struct layout *y)
{
    unsigned line = r->c.line_bytes, vars = r->t->vars, turn = share > 1 && !aimed ? hd_lot_below(&r->random, 2) : 0;
    for (unsigned i = 0; i < instances; i++) {
        unsigned n = i % share;
        if (n == 0)
            find_words(r, first + i, aimed && r->aim[i].old ? LATE_PARTITION : place, y);
        for (unsigned v = 0; v < vars && n > 0; v++) {
            uint32_t of = r->addr[first + i - n][(v + turn * n) % vars];
            r->addr[first + i][v] = of / line * line + (of + 4 * n) % line;
        }
    }
}

/* What a process should find in its cache so that its later accesses, and those behind a barrier, are faster than its
 * first one. */
static void warm_late(const struct hd_lisa_proc *p, uint8_t warm[HD_LISA_VARS])
{
    int first = -1;
    uint32_t seen = 0;
    for (unsigned i = 0; i < p->instrs; i++) {
        const struct hd_lisa_instr *x = &p->instr[i];
        if (x->kind == HD_LISA_BARRIER && first < 0)
            first = HD_LISA_VARS; /* none */
        if (x->kind > HD_LISA_RMW || x->base.is != HD_LISA_IS_VAR)
            continue;
        int v = x->base.n;
        first = first < 0 ? v : first;
        if (v != first && !(seen >> v & 1))
            warm[v] = x->kind == HD_LISA_LOAD ? HD_WARM_LOAD : HD_WARM_OWN;
        seen |= 1u << v;
    }
}

/* What is warmed up: nothing, by lot, all words read, what a process comes to late; or an outcome is aimed at. */
enum { WARM_LOT = 1, WARM_READ, WARM_LATE, WARM_AIMED };

/* @return how many words are warmed up. */
static unsigned choose_warm(struct run *r, struct lane *a, unsigned how, const uint8_t aimed[HD_LISA_VARS])
{
    unsigned words = 0;
    memset(a->warm, HD_WARM_NOT, sizeof a->warm);
    if (how == WARM_AIMED)
        memcpy(a->warm, aimed, sizeof a->warm);
    if (how == WARM_LATE)
        warm_late(&r->t->proc[a->proc], a->warm);
    for (unsigned v = 0; v < r->t->vars; v++) {
        unsigned x = hd_lot_below(&r->random, 8);
        if (how == WARM_LOT)
            a->warm[v] = x < 3 ? HD_WARM_NOT : x < 6 ? HD_WARM_LOAD : HD_WARM_OWN;
        else if (how == WARM_READ)
            a->warm[v] = HD_WARM_LOAD;
        if (r->t->var[v].group)
            a->warm[v] = HD_WARM_NOT;
        words += a->warm[v] != HD_WARM_NOT;
    }
    return words;
}

/* Numbers the values of @key in order of appearance. @return how many there are. */
static unsigned number(const unsigned *key, unsigned n, unsigned *out)
{
    unsigned count = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned j = 0;
        while (j < i && key[j] != key[i])
            j++;
        out[i] = j < i ? out[j] : count++;
    }
    return count;
}

/* Lanes of a warp, warps of an SM, other SMs, or mixed. @return whether they are in several SMs. */
static bool place_anywhere(struct run *r, unsigned sm[HD_LISA_PROCS], unsigned warp[HD_LISA_PROCS])
{
    unsigned how = hd_lot_below(&r->random, 4);
    bool several = false;
    for (unsigned p = 0; p < r->t->procs; p++) {
        sm[p] = how < 2 ? 0 : how == 2 ? p : hd_lot_below(&r->random, 2);
        warp[p] = sm[p] * 256 + (how == 0 ? 0 : how == 3 ? hd_lot_below(&r->random, 2) : p);
        several |= sm[p] != sm[0];
    }
    return several;
}

static void choose_layout(struct run *r, struct layout *y)
{
    const struct hd_lisa *t = r->t;
    unsigned sm[HD_LISA_PROCS], warp[HD_LISA_PROCS], n = t->procs;
    enum hd_mcm_model model = hd_mcm_of_order(r->c.order);
    bool scopes = model == HD_MCM_RMO || model == HD_MCM_ENV_INDIRECT; /* promises depend on the placement */
    bool bound = r->has_group || r->barriers > 0;
    bool tree = scopes || bound || hd_lot_below(&r->random, 4) == 0;
    y->wide = r->anywhere && !bound && place_anywhere(r, sm, warp);
    for (unsigned p = 0; p < n && (!r->anywhere || bound); p++) {
        sm[p] = tree ? t->instance[HD_LISA_WG][p] : hd_lot_below(&r->random, n < r->c.sms ? n : r->c.sms);
        warp[p] = sm[p] * 256 + (tree ? t->instance[HD_LISA_WAVE][p] : hd_lot_below(&r->random, n));
    }
    y->sms = number(sm, n, y->sm_of);
    y->warps = number(warp, n, y->warp_of);
}

/* Finds SMs and free warps for the groups. @return false when there are none. */
static bool choose_warps(struct run *r, struct layout *y)
{
    unsigned sm[32], sms = r->c.sms;
    for (unsigned i = 0; i < sms; i++)
        sm[i] = i;
    for (unsigned i = sms; i > 1; i--) {
        unsigned j = hd_lot_below(&r->random, i), swap = sm[j];
        sm[j] = sm[i - 1];
        sm[i - 1] = swap;
    }
    for (unsigned g = 0; g < y->sms; g++)
        y->sm[g] = sm[g % sms]; /* too few SMs: groups share them */
    for (unsigned g = 0; g < y->warps; g++) {
        unsigned p = 0;
        while (y->warp_of[p] != g)
            p++;
        unsigned base = y->sm[y->sm_of[p]] * r->c.warps, w = hd_lot_below(&r->random, r->c.warps), i = 0;
        for (; i < r->c.warps; i++, w = (w + 1) % r->c.warps) {
            const struct worker *k = &r->worker[base + w];
            bool mine = false;
            for (unsigned h = 0; h < g; h++)
                mine |= y->warp[h] == base + w;
            if (!k->used && k->noise == 0 && !mine)
                break;
        }
        if (i == r->c.warps)
            return false;
        y->warp[g] = base + w;
    }
    return true;
}

/* Often small. */
static unsigned choose_skew(struct run *r)
{
    unsigned how = hd_lot_below(&r->random, 8);
    return how < 3 ? 0 : how == 3 ? hd_lot_below(&r->random, MAX_SKEW + 1) : hd_lot_below(&r->random, 1u << how);
}

/* Puts processes of the bundle's instances into the lanes of its warps. @return the accesses of these. */
static unsigned fill_warp(struct run *r, const struct layout *y, unsigned g, size_t first, unsigned instances, unsigned how)
{
    unsigned accesses = 0;
    struct worker *k = &r->worker[y->warp[g]];
    unsigned at = hd_lot_below(&r->random, r->c.lanes), stride = hd_lot_below(&r->random, 2) && r->c.lanes % 2 == 0 ? r->c.lanes - 1 : 1;
    /* every lane starts on its own */
    bool apart = how != WARM_AIMED && r->barriers == 0 && (r->spread || hd_lot_below(&r->random, 2) == 0);
    k->used = true;
    k->wide = y->wide;
    k->aimed = how == WARM_AIMED;
    k->skew = apart || k->aimed ? 0 : choose_skew(r);
    k->calm = k->aimed || hd_lot_below(&r->random, 2) == 0 || r->barriers > 0;
    for (unsigned i = 0; i < instances; i++)
        for (unsigned p = 0; p < r->t->procs; p++) {
            if (y->warp_of[p] != g)
                continue;
            struct lane *a = &k->lane[at];
            at = (at + stride) % r->c.lanes;
            *a = (struct lane){.used = true, .runs = true, .proc = p, .instance = first + i, .last = -1};
            a->delay = !apart ? 0 : r->spread ? hd_lot_below(&r->random, MAX_SPREAD) : choose_skew(r);
            memcpy(a->reg, r->t->proc[p].init, sizeof a->reg);
            if (k->aimed)
                memcpy(a->due, r->aim[i].due[p], sizeof a->due);
            accesses += choose_warm(r, a, how, r->aim[i].warm[p]) + r->t->proc[p].instrs;
        }
    return accesses;
}

/* A free warp that loads some of the words of the bundle's instances, so that others' copies are shared ones. */
static void add_sharer(struct run *r, size_t first, unsigned instances)
{
    struct worker *k = &r->worker[hd_lot_below(&r->random, r->c.sms * r->c.warps)];
    uint32_t which = (uint32_t)hd_lot(&r->random);
    if (k->used || k->noise > 0)
        return;
    k->used = true;
    for (unsigned i = 0; i < instances && i < r->c.lanes; i++) {
        k->lane[i] = (struct lane){.used = true, .instance = first + i};
        for (unsigned v = 0; v < r->t->vars; v++)
            k->lane[i].warm[v] = (which >> v & 1) && !r->t->var[v].group ? HD_WARM_LOAD : HD_WARM_NOT;
    }
}

/* @return a way of @choice, which the instances planned next are told to have. */
static unsigned draw(struct run *r, enum hd_choice choice, const uint8_t *odds, unsigned ways)
{
    r->drawn[choice] = (uint8_t)hd_learned_draw(&r->learned, &r->random, choice, odds, ways);
    return r->drawn[choice];
}

static bool plan_bundle(struct run *r)
{
    struct layout y;
    unsigned most = r->c.lanes;
    choose_layout(r, &y);
    if (!choose_warps(r, &y))
        return false;
    for (unsigned g = 0; g < y.warps; g++) {
        unsigned size = 0;
        for (unsigned p = 0; p < r->t->procs; p++)
            size += y.warp_of[p] == g;
        if (size > r->c.lanes)
            return false;
        most = r->c.lanes / size < most ? r->c.lanes / size : most;
    }
    for (unsigned i = 0; i < y.sms; i++) {
        unsigned words = 0;
        for (unsigned v = 0; v < r->t->vars; v++)
            words += r->t->var[v].group && sm_of_group(r, &y, v) == y.sm[i];
        unsigned fit = words == 0 ? most : (r->c.lds_bytes - r->lds_next[y.sm[i]]) / (4 * words);
        most = fit < most ? fit : most;
    }
    if (most == 0)
        return false;
    unsigned instances = hd_lot_below(&r->random, 3) == 0 ? 1 + hd_lot_below(&r->random, most) : most;
    if (instances > r->runs - r->planned)
        instances = (unsigned)(r->runs - r->planned);
    static const uint8_t place_odds[PLACES] = {1, 1, 1, 1, 1, 1, 1, 1}, warm_odds[] = {1, 1, 1, 3, 3};
    unsigned places = r->c.order == HD_MODEL_TYPE ? PLACES : NEW_SECTORS;
    enum place place = (enum place)draw(r, HD_CHOOSE_PLACE, place_odds, places);
    unsigned how = draw(r, HD_CHOOSE_WARM, warm_odds, r->may_aim && !r->spread ? 5 : 4);
    if ((r->spread && r->may_spread && hd_lot_below(&r->random, 4) > 0) || r->can.old)
        how = WARM_AIMED;
    unsigned share = choose_share(r, place, how == WARM_AIMED), together = share > 1 || r->spread ? share : instances, accesses = 0;
    for (unsigned i = 0; i < instances && how == WARM_AIMED; i++)
        if (i % together == 0 && !(i > 0 && r->aim[i - 1].old)) {
            unsigned span = r->spread ? MAX_SPREAD + hd_lot_below(&r->random, MAX_SPREAD) : 0;
            struct hd_aim_can can = r->can;
            if (r->spread && can.through && can.may == HD_AIM_ANY)
                can.may = HD_AIM_LOAD;
            hd_aim_draw(&r->aims[r->spread], &r->learned, r->t, can, span, &r->random, &r->aim[i]);
        } else
            r->aim[i] = r->aim[i - 1];
    find_bundle(r, r->planned, instances, share, how == WARM_AIMED, place, &y);
    for (unsigned i = 0; i < instances; i++)
        memcpy(r->way[r->planned + i], r->drawn, sizeof r->drawn);
    for (unsigned g = 0; g < y.warps; g++)
        accesses += fill_warp(r, &y, g, r->planned, instances, how);
    if (hd_lot_below(&r->random, 2) == 0)
        add_sharer(r, r->planned, instances);
    if (!r->spread && !r->can.old) {
        hd_learned_worked(&r->learned, HD_CHOOSE_PLACE, place, (double)accesses / share);
        hd_learned_worked(&r->learned, HD_CHOOSE_WARM, how, (double)accesses / share);
    }
    r->planned += instances;
    return true;
}

/* Are processes far apart in this round? Under type, whose sectors change while all are close, seldom, and only as long as an
 * outcome is missing. */
static bool choose_spread(struct run *r)
{
    const struct hd_aims *aims = &r->aims[true];
    bool open = hd_aim_open(aims, &r->learned);
    if (r->can.old || caches_words(r) || r->barriers > 0)
        return false;
    if (r->c.order == HD_MODEL_TYPE)
        return r->may_spread && (open || aims->goals == 0) && hd_lot_below(&r->random, 8) == 0;
    return hd_lot_below(&r->random, open ? 3 : 8) == 0;
}

static void plan(struct run *r)
{
    static const uint8_t load_odds[] = {1, 2, 5}, barrier_odds[] = {3, 3, 2}, noise_odds[] = {2, 2, 1};
    unsigned workers = r->c.sms * r->c.warps;
    unsigned load = draw(r, HD_CHOOSE_LOAD, r->barriers ? barrier_odds : load_odds, 3);
    unsigned bundles = load == 0 || r->can.old ? 1 : load == 1 ? 4 : workers;
    if (r->barriers > 0)
        bundles = 1 + load; /* a barrier waits for the slowest of its SM: then what was to be seen is over */
    r->first = r->planned;
    for (unsigned i = 0; i < workers; i++) {
        struct worker *k = &r->worker[i];
        for (unsigned l = 0; l < r->c.lanes; l++)
            k->lane[l] = (struct lane){0};
        k->used = k->aimed = false;
        k->noise = 0;
        k->fences = false;
        k->skew = 0;
    }
    memset(r->lds_next, 0, sizeof r->lds_next);
    /* two fifths of the rounds are quiet, in two fifths one warp in some SMs evicts, in a fifth some warps flood */
    unsigned noise = draw(r, HD_CHOOSE_NOISE, noise_odds, 3) * !r->can.old, warps = noise < 2 ? noise : 1 + hd_lot_below(&r->random, 3);
    r->flooded = hd_lot_below(&r->random, r->c.partitions);
    r->spread = choose_spread(r);
    for (unsigned i = 0; i < r->c.sms * warps && r->c.warps > 2 * warps; i++)
        if (hd_lot_below(&r->random, 4) < 1 + noise) {
            struct worker *k = &r->worker[i / warps * r->c.warps + hd_lot_below(&r->random, r->c.warps)];
            k->noise = 1 + hd_lot_below(&r->random, noise == 2 ? 32 : 48);
            k->flood = noise == 2;
            k->skew = choose_skew(r);
        }
    for (unsigned i = 0; i < r->c.sms && caches_words(r) && r->c.warps > 2 * warps + 2; i++) {
        struct worker *k = &r->worker[i * r->c.warps + hd_lot_below(&r->random, r->c.warps)];
        if (k->noise == 0 && hd_lot_below(&r->random, 8) > 0) {
            k->noise = 1 + hd_lot_below(&r->random, 256);
            k->fences = true;
        }
    }
    size_t before = r->planned;
    for (unsigned b = 0; b < bundles && r->planned < r->runs && plan_bundle(r); b++)
        ;
    if (r->planned > before)
        return;
    for (unsigned i = 0; i < workers; i++) /* the first bundle found no place: without noise */
        r->worker[i].noise = 0;
    for (unsigned tries = 0; tries < MAX_TRIES && r->planned == before; tries++)
        plan_bundle(r);
    if (r->planned == before)
        r->fault = "more processes in a warp or SM than this configuration holds";
}

/* Links of which every flit is late make each round long, and the others together see about as much: a round in three has
 * them. Of a test that is aimed at a round in six, and in a round of two half of the links are slower than the others, so that
 * one access may take as long as several. How many flits are late is left alone where the configuration says it. */
static void choose_jitter(struct run *r)
{
    static const uint8_t odds[] = {1, 2, 3};
    if (r->c.jitter == 0 || (r->c.jitter_one_in != 1 && !r->may_aim))
        return;
    unsigned how = draw(r, HD_CHOOSE_JITTER, odds, r->may_aim ? 3 : 2);
    r->can.old = r->may_aim && r->can.through && r->can.may >= HD_AIM_LOAD
                 && hd_lot_below(&r->random, hd_aim_open(&r->aims[false], &r->learned) ? 4 : 16) == 0;
    bool ways = r->c.noc != HD_NOC_XBAR && hd_lot_below(&r->random, 2) == 0; /* ... which may differ in time */
    if (r->can.old)
        how = ways ? 2 : 1;
    if (r->c.jitter_one_in == 1)
        hd_machine_jitter_one_in(r->machine, how == 0 ? 1 : 8);
    for (unsigned i = 0; i < hd_machine_links(r->machine); i++) {
        bool late = how == 2 && hd_lot_below(&r->random, 2) == 0;
        hd_machine_slow_link(r->machine, i, late ? hd_lot_below(&r->random, 8u << hd_lot_below(&r->random, 4)) : 0);
    }
    r->late = hd_lot_below(&r->random, r->c.partitions);
    if (r->can.old && !ways)
        hd_machine_slow_partition(r->machine, r->late, 1 + hd_lot_below(&r->random, MAX_LATE));
}

/* What the round that ends at cycle @now has shown in registers: last values of words are read when all is over. Where
 * processes start far apart it is the starts that decide. */
static void learn(struct run *r, uint64_t now)
{
    uint32_t registers[HD_LISA_ITEMS];
    uint64_t began = r->began;
    r->began = now;
    for (size_t n = r->first; n < r->planned; n++) {
        unsigned count = 0;
        for (unsigned i = 0; i < r->t->items; i++)
            if (r->t->item[i].proc >= 0)
                registers[count++] = r->outcome[n * r->t->items + i];
        if (!r->gave_up[n])
            hd_learned_saw(&r->learned, registers, count, r->spread || r->can.old ? NULL : r->way[n]);
    }
    if (r->spread || r->can.old)
        return;
    for (unsigned c = HD_CHOOSE_LOAD; c <= HD_CHOOSE_JITTER; c++) /* those of a round; bundles tell their own */
        hd_learned_worked(&r->learned, c, r->drawn[c], (double)(now - began));
    hd_learned_weigh(&r->learned);
}

static void next_step(struct run *r, uint64_t now)
{
    r->count++;
    if (r->step == RUN && r->has_group)
        r->step = COLLECT;
    else if (r->step == INIT || r->step == WARM)
        r->step = (enum step)(r->step + 1);
    else if (r->planned == r->runs || r->fault)
        r->step = END;
    else {
        r->step = r->has_init ? INIT : WARM;
        learn(r, now);
        choose_jitter(r);
        plan(r);
        if (r->fault)
            r->step = END;
    }
}

static void on_window(void *ctx, uint64_t next)
{
    struct run *r = ctx;
    unsigned workers = r->c.sms * r->c.warps;
    if (r->judge && !hd_judge_window(r->judge))
        hd_simt_stop(r->simt);
    bool all = true, tests = r->step == RUN;
    for (unsigned i = 0; i < workers; i++) {
        all &= r->worker[i].arrived == r->count;
        tests &= r->worker[i].arrived == r->count || !r->worker[i].used;
    }
    r->quiet = tests && !all;
    if (!all || r->step == END)
        return;
    next_step(r, next);
    hd_simt_wake(r->simt, next);
}

/* ---- results -------------------------------------------------------------------------------------------------- */

static int compare(const uint32_t *a, const uint32_t *b, unsigned items)
{
    for (unsigned i = 0; i < items; i++)
        if (a[i] != b[i])
            return (int32_t)a[i] < (int32_t)b[i] ? -1 : 1;
    return 0;
}

bool hd_litmus_count(struct hd_litmus_result *out, const uint32_t *outcome, unsigned items, size_t instance)
{
    size_t low = 0, high = out->outcomes;
    while (low < high) {
        size_t mid = (low + high) / 2;
        int c = compare(out->outcome + mid * items, outcome, items);
        if (c == 0) {
            out->count[mid]++;
            return true;
        }
        if (c < 0)
            low = mid + 1;
        else
            high = mid;
    }
    uint32_t *more = realloc(out->outcome, (out->outcomes + 1) * (items + 1) * sizeof *more);
    if (more)
        out->outcome = more;
    size_t *counts = realloc(out->count, (out->outcomes + 1) * sizeof *counts);
    if (counts)
        out->count = counts;
    size_t *firsts = realloc(out->first, (out->outcomes + 1) * sizeof *firsts);
    if (firsts)
        out->first = firsts;
    if (!more || !counts || !firsts)
        return false;
    memmove(out->outcome + (low + 1) * items, out->outcome + low * items, (out->outcomes - low) * items * sizeof *more);
    memmove(out->count + low + 1, out->count + low, (out->outcomes - low) * sizeof *counts);
    memmove(out->first + low + 1, out->first + low, (out->outcomes - low) * sizeof *firsts);
    memcpy(out->outcome + low * items, outcome, items * sizeof *more);
    out->count[low] = 1;
    out->first[low] = instance;
    out->outcomes++;
    return true;
}

/* Completes the outcomes by the last values of the variables, read from memory. */
static bool count_outcomes(struct run *r, const struct hd_machine *m, struct hd_litmus_result *out)
{
    unsigned items = r->t->items;
    for (size_t n = 0; n < r->runs; n++) {
        uint32_t *outcome = r->outcome + n * items;
        if (r->gave_up[n]) {
            if (out->gave_up++ == 0)
                snprintf(out->waits, sizeof out->waits, "P%u waits for %s, instance %zu", r->gave_up[n] - 1u,
                         r->waits[n] < 0 ? "no word" : r->t->var[(unsigned)r->waits[n]].name, n);
            continue;
        }
        for (unsigned i = 0; i < items; i++) {
            const struct hd_lisa_item *item = &r->t->item[i];
            if (item->proc >= 0)
                continue;
            const struct hd_lisa_var *var = &r->t->var[item->n];
            if (r->owner[item->n] < 0)
                outcome[i] = var->init;
            else if (!var->group)
                outcome[i] = hd_machine_peek(m, r->addr[n][item->n]);
        }
        if (!hd_litmus_count(out, outcome, items, n))
            return false;
    }
    return true;
}

/* ---- a run ------------------------------------------------------------------------------------------------------ */

/* Which accesses of a process the machine may do in another order, its words lying in different lines. */
static enum hd_aim_may may_reorder(const struct hd_config *c)
{
    switch (hd_mcm_of_order(c->order)) {
    case HD_MCM_RMO:
        /* written through, requests leave an SM in order, and a crossbar keeps it */
        return c->l1 == HD_FAMILY_VI && c->noc == HD_NOC_XBAR ? HD_AIM_LOAD : HD_AIM_ANY;
    case HD_MCM_TSO:
        return HD_AIM_LOAD_STORE;
    default:
        return HD_AIM_NONE;
    }
}

static void find_owners(struct run *r)
{
    const struct hd_lisa *t = r->t;
    for (unsigned v = 0; v < t->vars; v++)
        r->owner[v] = -1;
    for (unsigned p = t->procs; p-- > 0;)
        for (unsigned i = 0; i < t->proc[p].instrs; i++) {
            const struct hd_lisa_instr *x = &t->proc[p].instr[i];
            const struct hd_lisa_arg *arg[] = {&x->base, &x->index, &x->value.a, &x->value.b};
            for (unsigned k = 0; k < 4; k++)
                if (arg[k]->is == HD_LISA_IS_VAR)
                    r->owner[arg[k]->n] = (int)p;
        }
    for (unsigned p = 0; p < t->procs; p++)
        if (hd_lisa_barriers(t, p) > r->barriers)
            r->barriers = hd_lisa_barriers(t, p);
    for (unsigned v = 0; v < t->vars; v++) {
        r->has_group |= t->var[v].group;
        r->has_init |= t->var[v].group || t->var[v].init != 0;
    }
}

static bool allocate(struct run *r)
{
    unsigned sector = r->c.sector_bytes / r->c.line_bytes, workers = r->c.sms * r->c.warps;
    size_t lines = (4 * r->runs * (r->t->vars + 1) / sector + HD_LISA_VARS) * sector;
    if (lines > (NOISE - BASE) / r->c.line_bytes)
        lines = (NOISE - BASE) / r->c.line_bytes;
    r->lines = (unsigned)lines;
    r->new_sector = r->lines / sector;
    r->worker = calloc(workers, sizeof *r->worker);
    r->addr = calloc(r->runs, sizeof *r->addr);
    r->outcome = calloc(r->runs * (r->t->items + 1), sizeof *r->outcome);
    r->way = calloc(r->runs, sizeof *r->way);
    r->line_used = calloc(r->lines, 1);
    r->gave_up = calloc(r->runs, 1);
    r->waits = calloc(r->runs, 1);
    return r->worker && r->addr && r->outcome && r->way && r->line_used && r->gave_up && r->waits;
}

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The instance on whose global words a violation's steps are; the LDS has many, one after the other. */
static size_t instance_of(const struct run *r, const struct hd_mcm_violation *v)
{
    for (size_t n = 0; n < r->runs; n++)
        for (unsigned s = 0; s < v->steps; s++)
            for (unsigned i = 0; i < r->t->vars; i++)
                if (!r->t->var[i].group && v->step[s].op.space == HD_SPACE_GLOBAL && v->step[s].op.addr != 0
                    && v->step[s].op.addr == r->addr[n][i])
                    return n;
    return r->runs;
}

bool hd_litmus_disagrees(const struct hd_litmus_result *r, size_t forbidden, uint64_t seed, char *text, size_t size)
{
    char where[40] = "no instance's words";
    if (!r->judged || (forbidden < r->outcomes) == (r->violation != NULL))
        return false;
    if (!r->violation)
        snprintf(text, size, "outcome and checker disagree: instance %zu of seed %llu ends outside the model, and the "
                 "memory-model checker finds nothing: a fault of the tool, not of the machine", r->first[forbidden],
                 (unsigned long long)seed);
    else {
        if (r->violated < r->runs)
            snprintf(where, sizeof where, "instance %zu", r->violated);
        snprintf(text, size, "outcome and checker disagree: the memory-model checker finds a violation on %s of seed %llu, "
                 "and all outcomes are in the model: a fault of the tool, unless it is in what they do not show", where,
                 (unsigned long long)seed);
    }
    return true;
}

/* Runs the rounds and the checks of the machine. @return 0 or 2. */
static int simulate(struct run *r, struct hd_machine *m, struct hd_simt *s, struct hd_litmus_result *out)
{
    struct hd_client client;
    const char *text;
    r->simt = s;
    r->machine = m;
    if (r->c.ghost_bits != 0 && r->c.check_memory_model) {
        r->judge = hd_judge_new(&r->c, s, m, true, NULL);
        if (!r->judge)
            return 2;
    }
    hd_simt_watch(s, on_window, r);
    hd_simt_start(s, hd_machine_cycle(m), &client);
    double start = cpu_now();
    enum hd_end end = hd_machine_run(m, &client);
    enum hd_fault fault = hd_simt_fault(s, &text);
    bool ended = end == HD_END_CLIENT && fault == HD_FAULT_NONE && hd_simt_done(s);
    out->cycles = hd_simt_cycles(s);
    bool flushed = ended && hd_machine_flush(m);
    out->cpu_seconds = cpu_now() - start;
    if (r->fault) {
        fprintf(stderr, "heddle: %s:%u: %s\n", r->file, r->fault_line, r->fault);
        out->faulty = true;
        return 2;
    }
    if (end == HD_END_DEADLOCK || (ended && !flushed))
        hd_machine_explain(m, stderr);
    struct hd_verdicts v = {0};
    hd_machine_verdicts(m, &v);
    const char *model = r->judge ? hd_judge_end(r->judge, ended, flushed ? m : NULL) : NULL;
    const char *const verdict[] = {v.conservation, v.coherence, v.watchdog, v.assertions, model};
    static const char *const name[] = {"conservation", "coherence", "watchdog", "assertions", "memory_model"};
    if (fault != HD_FAULT_NONE)
        snprintf(out->failed, sizeof out->failed, "warp_port: %s", text);
    for (int i = 0; i < 5; i++)
        if (verdict[i] && strcmp(verdict[i], "pass") != 0 && (flushed || i > 0) && out->failed[0] == '\0')
            snprintf(out->failed, sizeof out->failed, "%s: %s", name[i], verdict[i]);
    if (r->judge && hd_judge_violation(r->judge)) {
        out->violation = malloc(sizeof *out->violation);
        if (out->violation)
            *out->violation = *hd_judge_violation(r->judge);
        out->violated = instance_of(r, hd_judge_violation(r->judge));
    }
    out->judged = model && flushed;
    if (!flushed && out->failed[0] == '\0')
        snprintf(out->failed, sizeof out->failed, "the run ended early");
    if (flushed && !count_outcomes(r, m, out)) {
        fprintf(stderr, "heddle: no memory\n");
        return 2;
    }
    return 0;
}

static uint64_t hash(const char *text)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return h;
}

int hd_litmus_run(const struct hd_lisa *t, const struct hd_litmus_options *o, struct hd_litmus_result *out)
{
    struct run r = {.t = t, .file = o->file, .c = *o->config, .runs = o->runs, .count = 1, .bound = o->bound,
                    .anywhere = o->anywhere};
    struct hd_machine *m = NULL;
    int code = 2;
    *out = (struct hd_litmus_result){.runs = o->runs, .violated = o->runs};
    r.random = o->seed ^ hash(t->name);
    r.c.jitter_seed = (unsigned)(hd_lot(&r.random) >> 33);
    find_owners(&r);
    r.may_spread = !caches_words(&r) && hd_aim_can(t);
    r.may_aim = r.may_spread && r.c.order != HD_MODEL_TYPE;
    r.can = (struct hd_aim_can){.may = may_reorder(&r.c), .through = r.c.l1 == HD_FAMILY_VI};
    struct hd_simt *s = hd_simt_new(&r.c);
    if (!s || !allocate(&r)) {
        fprintf(stderr, "heddle: no memory\n");
        goto out;
    }
    for (unsigned i = 0; i < r.c.sms * r.c.warps; i++)
        r.worker[i].random = hd_lot(&r.random);
    const char *why = hd_simt_add(s, &(struct hd_launch){.fn = work, .args = &r, .grid_x = r.c.sms, .grid_y = 1,
                                                          .block_x = r.c.warps * r.c.lanes, .block_y = 1, .resident = 1,
                                                          .lds_bytes = r.has_group ? r.c.lds_bytes : 0});
    if (why) {
        fprintf(stderr, "heddle: %s: %s\n", o->file, why);
        goto out;
    }
    r.step = r.has_init ? INIT : WARM;
    plan(&r);
    if (r.fault) {
        fprintf(stderr, "heddle: %s: %s\n", o->file, r.fault);
        out->faulty = true;
        goto out;
    }
    m = hd_machine_new_of(&r.c, NULL, o->models);
    if (m)
        code = simulate(&r, m, s, out);
out:
    hd_judge_free(r.judge);
    hd_machine_free(m);
    hd_simt_free(s);
    free(r.worker);
    free(r.addr);
    free(r.outcome);
    free(r.way);
    free(r.line_used);
    free(r.gave_up);
    free(r.waits);
    return code;
}

void hd_litmus_free(struct hd_litmus_result *r)
{
    free(r->outcome);
    free(r->count);
    free(r->first);
    free(r->violation);
    *r = (struct hd_litmus_result){0};
}
