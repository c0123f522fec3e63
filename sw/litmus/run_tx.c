/* run_tx.c - see run_tx.h.
 *
 * Each SM runs one block of as many warps as may use transactions. In a round the waves of the test are dealt to warps, their lanes to
 * lanes of the warp, the words to banks and rows that keep who shares a bank and which rows alias; warps start up to 60 cycles
 * apart and pause between rows by lot, and warps without a wave do plain accesses on other rows of the same banks. A round ends
 * at a barrier; then the words are read. Warps of an SM share C memory: what one writes, others read behind a barrier only. */
#include "run_tx.h"
#include "judge/judge.h"
#include "lot.h"
#include "machine.h"
#include "simt.h"
#include "work.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_SKEW = 61, MAX_PAUSE = 24, MAX_STOP = 400, NOISE_OPS = 8, ALIAS = 64, FREE = UINT8_MAX };

/* A round of an SM. */
struct round {
    uint8_t wave[HD_MAX_WARPS];              /* of the test, FREE: noise */
    uint8_t lane[HD_LISA_PROCS];             /* of the warp, by process */
    unsigned skew[HD_MAX_WARPS];
    uint32_t addr[HD_LISA_VARS];             /* in the LDS */
    unsigned pause[HD_MAX_WARPS];            /* percent of the rows */
    unsigned stop[HD_MAX_WARPS];             /* row before which it once waits long, up to three attempts of another wave */
};

struct sm {
    struct round round;
    uint64_t random;
};

struct run {
    const struct hd_lisa *t;
    const struct hd_litmus_options *o;
    struct hd_config c;
    unsigned waves, warps, rows, barriers, rounds, first_row, last_row;
    unsigned wave_of[HD_LISA_PROCS];         /* waves counted from 0 */
    uint32_t *outcome;                       /* [rounds * sms][items] */
    struct sm *sm;                           /* [sms] */
};

/* A warp with a wave. */
struct wave {
    struct hd_warp *w;
    struct run *r;
    const struct round *now;
    uint64_t *random;
    unsigned procs, proc[HD_LISA_PROCS];
    unsigned pc[HD_LISA_PROCS], retry[HD_LISA_PROCS]; /* by process; retry: behind its tx[] */
    uint32_t reg[HD_LISA_REGS][HD_MAX_LANES];
    hd_mask_t in;                            /* lanes of the attempt */
    bool open;
    unsigned stop;
};

bool hd_litmus_of_tx(const struct hd_lisa *t)
{
    for (unsigned v = 0; v < t->vars; v++)
        if (t->var[v].placed)
            return true;
    for (unsigned p = 0; p < t->procs; p++)
        for (unsigned i = 0; i < t->proc[p].instrs; i++)
            if (t->proc[p].instr[i].kind == HD_LISA_TX)
                return true;
    return false;
}

/* ---- a wave ------------------------------------------------------------------------------------------------------ */

static uint32_t value_of(const struct wave *k, unsigned p, const struct hd_lisa_arg *a)
{
    return a->is == HD_LISA_IS_INT   ? (uint32_t)a->n
           : a->is == HD_LISA_IS_REG ? k->reg[a->n][k->now->lane[p]]
                                     : hd_lisa_address((unsigned)a->n);
}

static uint32_t result_of(const struct wave *k, unsigned p, const struct hd_lisa_expr *e)
{
    uint32_t a = value_of(k, p, &e->a);

    return e->fn == HD_LISA_VALUE ? a : hd_lisa_apply(e->fn, a, value_of(k, p, &e->b));
}

/* Loads, stores or atomics of the processes in @who, one operation. Lanes that have lost may hold any address. */
static void access_lds(struct wave *k, unsigned who, enum hd_lisa_kind kind, unsigned fn)
{
    uint32_t addr[HD_MAX_LANES] = {0}, data[HD_MAX_LANES] = {0};
    hd_mask_t m = 0;

    for (unsigned p = 0; p < k->r->t->procs; p++) {
        if (!(who >> p & 1))
            continue;
        const struct hd_lisa_instr *i = &k->r->t->proc[p].instr[k->pc[p]];
        unsigned l = k->now->lane[p];
        int v = hd_lisa_var_at(k->r->t, value_of(k, p, &i->base) + value_of(k, p, &i->index));
        struct hd_litmus_atomic at = {.operand = i->value};
        if (kind == HD_LISA_RMW)
            hd_litmus_find_atomic(i, &at);
        addr[l] = v < 0 ? 0 : k->now->addr[v];
        data[l] = kind == HD_LISA_LOAD ? 0 : result_of(k, p, &at.operand);
        m |= hd_lane(l);
    }
    if (kind == HD_LISA_STORE) {
        hd_lds_st(k->w, m, addr, data, HD_ORD_RELAXED, HD_SCOPE_WG);
        return;
    }
    const uint32_t *old = hd_use(k->w, kind == HD_LISA_LOAD ? hd_lds_ld(k->w, m, addr, HD_ORD_RELAXED, HD_SCOPE_WG)
                                                            : hd_lds_atom(k->w, fn, m, addr, data, HD_ORD_RELAXED, HD_SCOPE_WG));
    for (unsigned p = 0; p < k->r->t->procs; p++)
        if (who >> p & 1)
            k->reg[k->r->t->proc[p].instr[k->pc[p]].reg][k->now->lane[p]] = old[k->now->lane[p]];
}

/* Memory accesses of a row: its kinds (and functions) one after the other, their order by lot. */
static void access_row(struct wave *k, unsigned who)
{
    while (who != 0) {
        unsigned n = hd_lot_below(k->random, (unsigned)__builtin_popcount(who)), same = 0, first = who;
        for (; n > 0; n--)
            first &= first - 1;
        const struct hd_lisa_instr *i = &k->r->t->proc[__builtin_ctz(first)].instr[k->pc[__builtin_ctz(first)]];
        struct hd_litmus_atomic at = {0}, other = {0};
        if (i->kind == HD_LISA_RMW)
            hd_litmus_find_atomic(i, &at);
        for (unsigned p = 0; p < k->r->t->procs; p++) {
            const struct hd_lisa_instr *x = &k->r->t->proc[p].instr[k->pc[p]];
            if (!(who >> p & 1) || x->kind != i->kind)
                continue;
            if (x->kind == HD_LISA_RMW)
                hd_litmus_find_atomic(x, &other);
            same |= (unsigned)(other.fn == at.fn) << p;
        }
        access_lds(k, same, i->kind, at.fn);
        who &= ~same;
    }
}

/* The processes of the wave whose next instruction is in this row (and, in a transaction, that are in the attempt). */
static unsigned in_row(const struct wave *k, unsigned row)
{
    unsigned who = 0;

    for (unsigned n = 0; n < k->procs; n++) {
        unsigned p = k->proc[n];
        const struct hd_lisa_proc *q = &k->r->t->proc[p];
        if (k->pc[p] < q->instrs && q->instr[k->pc[p]].row == row && (!k->open || (k->in >> k->now->lane[p] & 1)))
            who |= 1u << p;
    }
    return who;
}

/* Begins an attempt: its lanes go on behind tx[]. */
static void begin(struct wave *k, hd_mask_t mask)
{
    k->in = hd_tx_begin(k->w, mask);
    k->open = true;
    for (unsigned n = 0; n < k->procs; n++)
        if (k->in >> k->now->lane[k->proc[n]] & 1)
            k->pc[k->proc[n]] = k->retry[k->proc[n]];
}

/* @return the row to go on with. */
static unsigned do_row(struct wave *k, unsigned row, unsigned *tx_row)
{
    unsigned who = in_row(k, row), memory = 0, me = hd_warp_in_block(k->w);
    hd_mask_t begins = 0;
    bool commits = false;

    for (unsigned p = 0; p < k->r->t->procs; p++) {
        const struct hd_lisa_instr *i = &k->r->t->proc[p].instr[k->pc[p]];
        if (!(who >> p & 1))
            continue;
        if (i->kind == HD_LISA_LOAD || i->kind == HD_LISA_STORE || i->kind == HD_LISA_RMW)
            memory |= 1u << p;
        else if (i->kind == HD_LISA_MOV)
            k->reg[i->reg][k->now->lane[p]] = result_of(k, p, &i->value);
        else if (i->kind == HD_LISA_TX)
            begins |= hd_lane(k->now->lane[p]);
        commits |= i->kind == HD_LISA_COMMIT;
        k->retry[p] = i->kind == HD_LISA_TX ? k->pc[p] + 1 : k->retry[p];
    }
    if (who != 0 && hd_lot_below(k->random, 100) < k->now->pause[me])
        hd_alu(k->w, 1 + hd_lot_below(k->random, MAX_PAUSE));
    if (who != 0 && row >= k->stop) {
        hd_alu(k->w, 1 + hd_lot_below(k->random, MAX_STOP));
        k->stop = UINT_MAX;
    }
    access_row(k, memory);
    for (unsigned p = 0; p < k->r->t->procs; p++) {
        const struct hd_lisa_instr *i = &k->r->t->proc[p].instr[k->pc[p]];
        if (!(who >> p & 1))
            continue;
        if (i->kind == HD_LISA_BARRIER && (unsigned)__builtin_ctz(who) == p)
            hd_bar(k->w);
        if (i->kind == HD_LISA_FENCE && (unsigned)__builtin_ctz(who) == p)
            hd_fence(k->w, HD_ORD_ACQ_REL, HD_SCOPE_WG);
        bool taken = i->kind == HD_LISA_BRANCH && (i->reg < 0 || k->reg[i->reg][k->now->lane[p]] != 0);
        k->pc[p] = taken ? i->target : k->pc[p] + 1;
    }
    if (begins != 0) {
        *tx_row = row;
        for (unsigned n = 0; n < HD_LISA_REGS; n++)
            hd_tx_private(k->w, k->reg[n], sizeof k->reg[n][0]);
        begin(k, begins);
    }
    if (!commits)
        return row + 1;
    if (hd_tx_commit(k->w)) {
        begin(k, k->in); /* the runtime knows which lanes are left */
        return *tx_row + 1;
    }
    k->open = false;
    return row + 1;
}

static void run_wave(struct wave *k)
{
    const struct hd_lisa *t = k->r->t;
    unsigned tx_row = 0;

    for (unsigned p = 0; p < t->procs; p++) {
        if (k->r->wave_of[p] != k->now->wave[hd_warp_in_block(k->w)])
            continue;
        k->proc[k->procs++] = p;
        for (unsigned n = 0; n < HD_LISA_REGS; n++)
            k->reg[n][k->now->lane[p]] = t->proc[p].init[n];
    }
    for (unsigned row = k->r->first_row; row <= k->r->last_row;)
        row = do_row(k, row, &tx_row);
}

/* ---- rounds ------------------------------------------------------------------------------------------------------ */

static void shuffle(uint64_t *random, uint8_t *list, unsigned n)
{
    for (unsigned i = n; i > 1; i--) {
        unsigned j = hd_lot_below(random, i);
        uint8_t x = list[i - 1];
        list[i - 1] = list[j];
        list[j] = x;
    }
}

static void plan(struct run *r, struct sm *s)
{
    struct round *y = &s->round;
    uint8_t lanes[HD_MAX_LANES];
    unsigned turn = hd_lot_below(&s->random, r->c.lds_banks), down = hd_lot_below(&s->random, 2) * 8;

    for (unsigned i = 0; i < r->warps; i++) {
        y->wave[i] = i < r->waves ? (uint8_t)i : FREE;
        y->skew[i] = hd_lot_below(&s->random, 2) ? hd_lot_below(&s->random, MAX_SKEW) : 0;
        y->pause[i] = 25 * hd_lot_below(&s->random, 4);
        y->stop[i] = hd_lot_below(&s->random, 2) ? UINT_MAX : r->first_row + hd_lot_below(&s->random, r->last_row - r->first_row + 1);
    }
    shuffle(&s->random, y->wave, r->warps);
    for (unsigned l = 0; l < r->c.lanes; l++)
        lanes[l] = (uint8_t)l;
    shuffle(&s->random, lanes, r->c.lanes);
    memcpy(y->lane, lanes, r->t->procs); /* not two alike, in one wave or in two */
    for (unsigned v = 0; v < r->t->vars; v++) {
        const struct hd_lisa_var *x = &r->t->var[v];
        unsigned bank = x->placed ? x->bank : v, row = x->placed ? x->row : 0;
        y->addr[v] = 4 * ((row + down) * r->c.lds_banks + (bank + turn) % r->c.lds_banks);
    }
}

/* Plain accesses on rows that nobody else uses, in the banks that the test's words are in. */
static void make_noise(struct hd_warp *w, struct run *r, const struct round *y, uint64_t *random)
{
    for (unsigned n = hd_lot_below(random, NOISE_OPS); n > 0; n--) {
        uint32_t addr[HD_MAX_LANES], data[HD_MAX_LANES];
        unsigned kind = hd_lot_below(random, 3);
        hd_mask_t m = hd_lot(random);
        for (unsigned l = 0; l < r->c.lanes; l++) {
            unsigned bank = y->addr[hd_lot_below(random, r->t->vars)] / 4 % r->c.lds_banks;
            addr[l] = 4 * ((ALIAS + hd_warp_in_block(w) * 8 + hd_lot_below(random, 8)) * r->c.lds_banks + bank);
            data[l] = hd_lot_below(random, 1000);
        }
        if (kind == 0)
            hd_lds_st(w, m, addr, data, HD_ORD_RELAXED, HD_SCOPE_WG);
        else
            hd_use(w, kind == 1 ? hd_lds_ld(w, m, addr, HD_ORD_RELAXED, HD_SCOPE_WG)
                                : hd_lds_atom(w, HD_AT_ADD, m, addr, data, HD_ORD_RELAXED, HD_SCOPE_WG));
    }
    for (unsigned i = 0; i < r->barriers; i++)
        hd_bar(w);
}

/* The variables, one a lane of warp 0: set to their values, or read. */
static void variables(struct hd_warp *w, struct run *r, const struct round *y, uint32_t *outcome)
{
    uint32_t addr[HD_MAX_LANES] = {0}, value[HD_MAX_LANES] = {0};
    unsigned lanes = hd_lanes(w);

    for (unsigned first = 0; first < r->t->vars; first += lanes) {
        unsigned n = r->t->vars - first < lanes ? r->t->vars - first : lanes;
        for (unsigned l = 0; l < n; l++) {
            addr[l] = y->addr[first + l];
            value[l] = r->t->var[first + l].init;
        }
        if (outcome == NULL) {
            hd_lds_st(w, hd_lanes_below(n), addr, value, HD_ORD_RELAXED, HD_SCOPE_WG);
            continue;
        }
        const uint32_t *v = hd_use(w, hd_lds_ld(w, hd_lanes_below(n), addr, HD_ORD_RELAXED, HD_SCOPE_WG));
        for (unsigned i = 0; i < r->t->items; i++)
            if (r->t->item[i].proc < 0 && r->t->item[i].n - first < n)
                outcome[i] = v[r->t->item[i].n - first];
    }
}

static void work(struct hd_warp *w, void *args)
{
    struct run *r = args;
    struct sm *s = &r->sm[hd_block(w)];
    unsigned me = hd_warp_in_block(w);
    uint64_t random = r->o->seed * 64 + hd_block(w) * HD_MAX_WARPS + me;
    struct wave k;

    memset(&k, 0, sizeof k);
    for (unsigned round = 0; round < r->rounds; round++) {
        uint32_t *outcome = r->outcome + ((size_t)round * r->c.sms + hd_block(w)) * r->t->items;
        if (me == 0) {
            plan(r, s);
            variables(w, r, &s->round, NULL);
        }
        hd_sync_block(w, true);
        hd_sleep(w, hd_now(w) + s->round.skew[me]);
        if (s->round.wave[me] == FREE) {
            make_noise(w, r, &s->round, &random);
        } else {
            k.w = w;
            k.r = r;
            k.now = &s->round;
            k.random = &random;
            k.procs = 0;
            k.open = false;
            k.stop = s->round.stop[me];
            memset(k.pc, 0, sizeof k.pc);
            run_wave(&k);
            for (unsigned i = 0; i < r->t->items; i++) {
                int p = r->t->item[i].proc;
                if (p >= 0 && r->wave_of[p] == s->round.wave[me])
                    outcome[i] = k.reg[r->t->item[i].n][s->round.lane[p]];
            }
        }
        hd_sync_block(w, true);
        if (me == 0)
            variables(w, r, &s->round, outcome);
    }
}

/* ---- a run ------------------------------------------------------------------------------------------------------- */

static double cpu_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct watched {
    struct hd_simt *simt;
    struct hd_judge *judge;
};

static void on_window(void *ctx, uint64_t cycle)
{
    struct watched *x = ctx;

    (void)cycle;
    if (x->judge && !hd_judge_window(x->judge))
        hd_simt_stop(x->simt);
}

static int simulate(struct run *r, struct hd_machine *m, struct hd_simt *s, struct hd_litmus_result *out)
{
    struct hd_client client;
    struct watched x = {.simt = s};
    struct hd_verdicts v = {0};
    const char *text;

    if (r->c.ghost_bits != 0 && r->c.check_memory_model && (x.judge = hd_judge_new(&r->c, s, m, true, NULL)) == NULL)
        return 2;
    hd_simt_watch(s, on_window, &x);
    hd_simt_start(s, hd_machine_cycle(m), &client);
    double start = cpu_now();
    enum hd_end end = hd_machine_run(m, &client);
    enum hd_fault fault = hd_simt_fault(s, &text);
    bool ended = end == HD_END_CLIENT && fault == HD_FAULT_NONE && hd_simt_done(s), flushed = ended && hd_machine_flush(m);
    out->cycles = hd_simt_cycles(s);
    out->cpu_seconds = cpu_now() - start;
    if (end == HD_END_DEADLOCK || (ended && !flushed))
        hd_machine_explain(m, stderr);
    hd_machine_verdicts(m, &v);
    const char *model = x.judge ? hd_judge_end(x.judge, ended, flushed ? m : NULL) : NULL;
    const char *const verdict[] = {v.conservation, v.coherence, v.watchdog, v.assertions, model};
    static const char *const name[] = {"conservation", "coherence", "watchdog", "assertions", "memory_model"};
    if (fault != HD_FAULT_NONE)
        snprintf(out->failed, sizeof out->failed, "warp_port: %s", text);
    for (int i = 0; i < 5; i++)
        if (verdict[i] && strcmp(verdict[i], "pass") != 0 && (flushed || i > 0) && out->failed[0] == '\0')
            snprintf(out->failed, sizeof out->failed, "%s: %s", name[i], verdict[i]);
    if (!flushed && out->failed[0] == '\0')
        snprintf(out->failed, sizeof out->failed, "the run ended early");
    hd_judge_free(x.judge);
    for (size_t n = 0; flushed && n < out->runs; n++)
        if (!hd_litmus_count(out, r->outcome + n * r->t->items, r->t->items, n)) {
            fprintf(stderr, "heddle: no memory\n");
            return 2;
        }
    return 0;
}

/* Rows, waves and barriers of the test. @return NULL, or why the machine cannot run it. */
static const char *measure(struct run *r)
{
    static char why[120];
    const struct hd_lisa *t = r->t;
    unsigned rows = 0, banks = 1;

    r->first_row = UINT32_MAX;
    for (unsigned p = 0; p < t->procs; p++)
        for (unsigned i = 0; i < t->proc[p].instrs; i++) {
            unsigned row = t->proc[p].instr[i].row;
            r->first_row = row < r->first_row ? row : r->first_row;
            r->last_row = row > r->last_row ? row : r->last_row;
        }
    for (unsigned p = 0; p < t->procs; p++)
        r->barriers = hd_lisa_barriers(t, p) > r->barriers ? hd_lisa_barriers(t, p) : r->barriers;
    for (unsigned v = 0; v < t->vars; v++) {
        unsigned bank = t->var[v].placed ? t->var[v].bank : v;
        rows = t->var[v].placed && t->var[v].row > rows ? t->var[v].row : rows;
        banks = bank + 1 > banks ? bank + 1 : banks;
    }
    for (unsigned p = 0; p < t->procs; p++) {
        unsigned q = 0;
        while (t->instance[HD_LISA_WAVE][q] != t->instance[HD_LISA_WAVE][p])
            q++;
        r->wave_of[p] = q < p ? r->wave_of[q] : r->waves++;
    }
    if (r->waves > r->warps)
        snprintf(why, sizeof why, "%u waves; an SM has %u that may use transactions", r->waves, r->warps);
    else if (t->procs > r->c.lanes)
        snprintf(why, sizeof why, "%u processes; a warp has lanes = %u", t->procs, r->c.lanes);
    else if (banks > r->c.lds_banks)
        snprintf(why, sizeof why, "words in %u banks; lds_banks = %u", banks, r->c.lds_banks);
    else if (rows + 8 >= ALIAS || (ALIAS + 8 * r->warps) * r->c.lds_banks * 4 > r->c.lds_bytes)
        snprintf(why, sizeof why, "rows to %u and noise; lds_bytes = %u", rows, r->c.lds_bytes);
    else
        return NULL;
    return why;
}

int hd_litmus_run_tx(const struct hd_lisa *t, const struct hd_litmus_options *o, struct hd_litmus_result *out)
{
    struct run r = {.t = t, .o = o, .c = *o->config};
    struct hd_machine *m = NULL;
    struct hd_simt *s = NULL;
    const char *why = NULL;
    int code = 2;
    uint64_t random = o->seed;

    for (const char *c = t->name; *c; c++)
        random = random * 131 + (unsigned char)*c;
    r.warps = r.c.warps < r.c.tm_warps ? r.c.warps : r.c.tm_warps;
    r.rounds = (unsigned)((o->runs + r.c.sms - 1) / r.c.sms);
    r.c.jitter_seed = (unsigned)(hd_lot(&random) >> 33);
    *out = (struct hd_litmus_result){.runs = (size_t)r.rounds * r.c.sms};
    out->violated = out->runs;
    r.outcome = calloc(out->runs * (t->items + 1), sizeof *r.outcome);
    r.sm = calloc(r.c.sms, sizeof *r.sm);
    s = hd_simt_new(&r.c);
    if (!r.outcome || !r.sm || !s)
        why = "no memory";
    else if ((why = measure(&r)) == NULL)
        why = hd_simt_add(s, &(struct hd_launch){.fn = work, .args = &r, .grid_x = r.c.sms, .grid_y = 1, .block_x = r.warps * r.c.lanes,
                                                 .block_y = 1, .resident = 1, .lds_bytes = r.c.lds_bytes});
    for (unsigned i = 0; !why && i < r.c.sms; i++)
        r.sm[i].random = hd_lot(&random);
    if (why)
        fprintf(stderr, "heddle: %s: %s\n", o->file, why);
    else if ((m = hd_machine_new_of(&r.c, NULL, o->models)) != NULL)
        code = simulate(&r, m, s, out);
    hd_machine_free(m);
    hd_simt_free(s);
    free(r.outcome);
    free(r.sm);
    return code;
}
