/* run_persist.c - see run_persist.h.
 *
 * A process is a warp, a work-group of an instance a block; of the blocks that fit at once half are dealt so that an instance's are in
 * different SMs, half so that they share one. In a round each instance has lines of its own; its processes meet, start up to
 * MAX_SKEW cycles apart, and between instructions pause or read lines that push others out of the caches, by lot. The journal of the
 * memory then tells what was durable and what under way at each moment (mem/nvram.h: of each grain, any prefix of its writes under way). */
#include "run_persist.h"
#include "judge/judge.h"
#include "lot.h"
#include "machine.h"
#include "mem/nvram.h"
#include "simt.h"
#include "work.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BOTTOM = 16384, MAX_SKEW = 400, MAX_PAUSE = 60, LONG_PAUSE = 1500, NOISE_LINES = 4096, EVENTS = 256, GRAINS = HD_LISA_VARS };

/* A value has left the machine. */
struct left {
    uint64_t cycle;
    uint32_t value;
};

struct run {
    const struct hd_lisa *t;
    const struct hd_litmus_options *o;
    struct hd_config c;
    unsigned groups, procs, instances, rounds;  /* work-groups; most processes of one; at once */
    unsigned group_of[HD_LISA_PROCS], warp_of[HD_LISA_PROCS];
    unsigned nv_lines, lines;                   /* of an instance, non-volatile and other */
    unsigned line_of[HD_LISA_VARS], word_of[HD_LISA_VARS];
    unsigned *role;                             /* [blocks] instance * groups + group */
    uint32_t meet, plain, nv;                   /* addresses: counters, lines of the first instance of the first round */
    uint32_t noise;
    struct left *left;                          /* [rounds][instances][vars][HD_LISA_PROCS]; cycle 0: none */
};

struct process {
    struct hd_warp *w;
    struct run *r;
    unsigned p, instance, round;
    uint32_t met;                               /* times it has met the others of its instance */
    uint32_t reg[HD_LISA_REGS];
    uint64_t random;
};

/* ---- a process --------------------------------------------------------------------------------------------------- */

static size_t turn(const struct run *r, unsigned round, unsigned instance)
{
    return (size_t)round * r->instances + instance;
}

static uint32_t address(const struct run *r, unsigned round, unsigned instance, unsigned v)
{
    bool nv = r->t->var[v].region == HD_LISA_NV;
    size_t line = turn(r, round, instance) * (nv ? r->nv_lines : r->lines) + r->line_of[v];

    return (nv ? r->nv : r->plain) + (uint32_t)line * r->c.line_bytes + 4 * r->word_of[v];
}

static uint32_t value_of(const struct process *k, const struct hd_lisa_arg *a)
{
    return a->is == HD_LISA_IS_INT ? (uint32_t)a->n : a->is == HD_LISA_IS_REG ? k->reg[a->n] : hd_lisa_address((unsigned)a->n);
}

static uint32_t result_of(const struct process *k, const struct hd_lisa_expr *e)
{
    uint32_t a = value_of(k, &e->a);

    return e->fn == HD_LISA_VALUE ? a : hd_lisa_apply(e->fn, a, value_of(k, &e->b));
}

/* All processes of the instance. */
static void meet(struct process *k)
{
    struct hd_warp *w = k->w;
    uint32_t counter[HD_MAX_LANES] = {k->r->meet + k->instance * k->r->c.line_bytes}, one[HD_MAX_LANES] = {1};

    k->met++;
    hd_bar(w);
    if (hd_warp_in_block(w) == 0) {
        hd_use(w, hd_atom_o(w, HD_AT_ADD, hd_lane(0), counter, one, HD_ORD_ACQ_REL, HD_SCOPE_DEVICE));
        while (hd_use(w, hd_ld_o(w, hd_lane(0), counter, HD_ORD_ACQUIRE, HD_SCOPE_DEVICE))[0] < k->met * k->r->groups)
            hd_sleep(w, hd_now(w) + 20);
    }
    hd_bar(w);
}

static unsigned scope_of(enum hd_lisa_scope s)
{
    return s <= HD_LISA_WAVE ? HD_SCOPE_WI : s == HD_LISA_WG ? HD_SCOPE_WG : HD_SCOPE_DEVICE;
}

static unsigned order_of(enum hd_lisa_order o)
{
    return o == HD_LISA_SCACQ ? HD_ORD_ACQUIRE : o == HD_LISA_SCREL ? HD_ORD_RELEASE : o == HD_LISA_SCAR ? HD_ORD_ACQ_REL : HD_ORD_RELAXED;
}

static void store(struct process *k, const struct hd_lisa_instr *i)
{
    const struct hd_lisa *t = k->r->t;
    uint32_t addr[HD_MAX_LANES] = {0}, data[HD_MAX_LANES] = {0};
    unsigned v = (unsigned)hd_lisa_var_at(t, value_of(k, &i->base)), lanes = 1;

    data[0] = result_of(k, &i->value);
    if (t->var[v].region == HD_LISA_HOST) {
        struct left *l = &k->r->left[(turn(k->r, k->round, k->instance) * t->vars + v) * HD_LISA_PROCS + k->p];
        *l = (struct left){.cycle = hd_now(k->w), .value = data[0]};
        return;
    }
    addr[0] = address(k->r, k->round, k->instance, v);
    if (i->kind == HD_LISA_STORE2) {
        addr[1] = address(k->r, k->round, k->instance, (unsigned)hd_lisa_var_at(t, value_of(k, &i->base2)));
        data[1] = value_of(k, &i->value2);
        lanes = 2;
    }
    if (i->atomic)
        hd_st_o(k->w, hd_lanes_below(lanes), addr, data, order_of(i->order), scope_of(i->scope));
    else
        hd_st(k->w, hd_lanes_below(lanes), addr, data);
}

static void load(struct process *k, const struct hd_lisa_instr *i)
{
    uint32_t addr[HD_MAX_LANES] = {address(k->r, k->round, k->instance, (unsigned)hd_lisa_var_at(k->r->t, value_of(k, &i->base)))};

    k->reg[i->reg] = hd_use(k->w, i->atomic ? hd_ld_o(k->w, hd_lane(0), addr, order_of(i->order), scope_of(i->scope))
                                            : hd_ld(k->w, hd_lane(0), addr))[0];
}

static void disturb(struct process *k)
{
    uint32_t addr[HD_MAX_LANES];
    unsigned lanes = hd_lanes(k->w), what = hd_lot_below(&k->random, 12);

    if (what < 4) {
        hd_sleep(k->w, hd_now(k->w) + hd_lot_below(&k->random, what == 0 ? LONG_PAUSE : MAX_PAUSE));
    } else if (what < 6) {
        for (unsigned l = 0; l < lanes; l++)
            addr[l] = k->r->noise + k->r->c.line_bytes * hd_lot_below(&k->random, NOISE_LINES);
        hd_use(k->w, hd_ld(k->w, hd_lanes_below(1 + hd_lot_below(&k->random, lanes)), addr));
    }
}

static void run_process(struct process *k)
{
    const struct hd_lisa_proc *q = &k->r->t->proc[k->p];

    memcpy(k->reg, q->init, sizeof k->reg);
    for (unsigned pc = 0; pc < q->instrs;) {
        const struct hd_lisa_instr *i = &q->instr[pc++];
        disturb(k);
        if (i->kind == HD_LISA_LOAD)
            load(k, i);
        else if (i->kind == HD_LISA_STORE || i->kind == HD_LISA_STORE2)
            store(k, i);
        else if (i->kind == HD_LISA_FENCE)
            hd_fence(k->w, order_of(i->order), scope_of(i->scope));
        else if (i->kind == HD_LISA_MOV)
            k->reg[i->reg] = result_of(k, &i->value);
        else if (i->kind == HD_LISA_BRANCH)
            pc = i->reg < 0 || k->reg[i->reg] != 0 ? i->target : pc;
        else if (i->kind == HD_LISA_PERSIST)
            hd_pbarrier(k->w, scope_of(i->scope));
        else if (i->scope <= HD_LISA_WG)
            hd_bar(k->w);
        if ((i->kind == HD_LISA_PERSIST || i->kind == HD_LISA_BARRIER) && i->scope >= HD_LISA_AGENT)
            meet(k);
    }
}

static void work(struct hd_warp *w, void *args)
{
    struct run *r = args;
    unsigned role = r->role[hd_block(w)], me = hd_warp_in_block(w);
    struct process k = {.w = w, .r = r, .p = HD_LISA_PROCS, .instance = role / r->groups,
                        .random = r->o->seed * 4096 + hd_block(w) * HD_MAX_WARPS + me};

    for (unsigned p = 0; p < r->t->procs; p++)
        if (r->group_of[p] == role % r->groups && r->warp_of[p] == me)
            k.p = p;
    if (k.p == HD_LISA_PROCS) /* this work-group has fewer */
        return;
    for (k.round = 0; k.round < r->rounds; k.round++) {
        meet(&k);
        hd_sleep(w, hd_now(w) + hd_lot_below(&k.random, hd_lot_below(&k.random, 2) ? MAX_SKEW : 20));
        run_process(&k);
    }
}

/* ---- power cuts --------------------------------------------------------------------------------------------------- */

/* A grain of an instance: what it held at first and then by each write that changed it, in push order. */
struct grain {
    unsigned var[2], vars;
    unsigned n, first, last;                    /* writes; durable, and pushed, at the moment looked at: states first..last */
    uint32_t value[EVENTS + 1][2];
    uint64_t pushed[EVENTS + 1], done[EVENTS + 1];
};

struct cut {
    struct run *r;
    struct hd_litmus_result *out;
    struct grain grain[GRAINS];
    unsigned grains;
    uint64_t moment[3 * EVENTS];
    unsigned moments;
    bool full;                                  /* more writes than there is room for: the last ones are not looked at */
};

/* The grains of the test, with no writes. */
static void lay_grains(struct cut *x)
{
    const struct hd_lisa *t = x->r->t;

    x->grains = 0;
    for (unsigned v = 0; v < t->vars; v++) {
        unsigned g = 0;
        if (t->var[v].region != HD_LISA_NV)
            continue;
        while (g < x->grains && t->var[x->grain[g].var[0]].grain != t->var[v].grain)
            g++;
        if (g == x->grains)
            x->grain[x->grains++] = (struct grain){.vars = 0};
        x->grain[g].value[0][x->grain[g].vars] = t->var[v].init;
        x->grain[g].var[x->grain[g].vars++] = v;
    }
}

static void note_moment(struct cut *x, uint64_t cycle)
{
    for (unsigned i = 0; i < x->moments; i++)
        if (x->moment[i] == cycle)
            return;
    if (x->moments < sizeof x->moment / sizeof x->moment[0])
        x->moment[x->moments++] = cycle;
}

/* A write of a line of this instance. */
static void note_write(struct cut *x, unsigned round, unsigned instance, const struct hd_nvram_write *j)
{
    for (unsigned g = 0; g < x->grains; g++) {
        struct grain *gr = &x->grain[g];
        uint32_t word[2] = {0}, at = address(x->r, round, instance, gr->var[0]);
        if (at - j->addr >= x->r->c.line_bytes)
            continue;
        for (unsigned i = 0; i < gr->vars; i++)
            word[i] = j->word[(address(x->r, round, instance, gr->var[i]) - j->addr) / 4];
        if (memcmp(word, gr->value[gr->n], sizeof word) == 0)
            continue;
        if (gr->n == EVENTS) {
            x->full = true;
            continue;
        }
        gr->n++;
        memcpy(gr->value[gr->n], word, sizeof word);
        gr->pushed[gr->n] = j->pushed;
        gr->done[gr->n] = j->done;
        note_moment(x, j->pushed);
        note_moment(x, j->done);
    }
}

/* Counts all that a power cut behind @cycle may leave. @return false: no memory. */
static bool look_at(struct cut *x, unsigned round, unsigned instance, uint64_t cycle)
{
    const struct hd_lisa *t = x->r->t;
    uint32_t value[HD_LISA_VARS], outcome[HD_LISA_ITEMS];
    unsigned at[GRAINS];

    for (unsigned v = 0; v < t->vars; v++) {
        const struct left *l = &x->r->left[(turn(x->r, round, instance) * t->vars + v) * HD_LISA_PROCS];
        uint64_t last = 0;
        value[v] = t->var[v].init;
        for (unsigned p = 0; p < t->procs; p++)
            if (l[p].cycle != 0 && l[p].cycle <= cycle && l[p].cycle >= last) {
                last = l[p].cycle;
                value[v] = l[p].value;
            }
    }
    for (unsigned g = 0; g < x->grains; g++) {
        struct grain *gr = &x->grain[g];
        gr->first = gr->last = 0;
        while (gr->first < gr->n && gr->done[gr->first + 1] <= cycle)
            gr->first++;
        while (gr->last < gr->n && gr->pushed[gr->last + 1] <= cycle)
            gr->last++;
        at[g] = gr->first;
    }
    for (;;) {
        for (unsigned g = 0; g < x->grains; g++)
            for (unsigned i = 0; i < x->grain[g].vars; i++)
                value[x->grain[g].var[i]] = x->grain[g].value[at[g]][i];
        for (unsigned i = 0; i < t->items; i++)
            outcome[i] = value[t->item[i].n];
        if (!hd_litmus_count(x->out, outcome, t->items, turn(x->r, round, instance)))
            return false;
        unsigned g = 0;
        while (g < x->grains && at[g] == x->grain[g].last)
            at[g] = x->grain[g].first, g++;
        if (g == x->grains)
            return true;
        at[g]++;
    }
}

/* The instances one after the other. @by: their writes, entry numbers of the journal; from[i] to below from[i + 1]. */
static bool cut_all(struct cut *x, const struct hd_nvram_write *journal, const size_t *by, const size_t *from)
{
    const struct run *r = x->r;

    for (unsigned round = 0; round < r->rounds; round++)
        for (unsigned i = 0; i < r->instances; i++) {
            size_t n = turn(r, round, i);
            x->moments = 0;
            lay_grains(x);
            note_moment(x, 0);
            for (size_t k = from[n]; k < from[n + 1]; k++)
                note_write(x, round, i, &journal[by[k]]);
            for (unsigned k = 0; k < r->t->vars * HD_LISA_PROCS; k++)
                if (r->left[n * r->t->vars * HD_LISA_PROCS + k].cycle != 0)
                    note_moment(x, r->left[n * r->t->vars * HD_LISA_PROCS + k].cycle);
            for (unsigned k = 0; k < x->moments; k++)
                if (!look_at(x, round, i, x->moment[k]))
                    return false;
        }
    return true;
}

/* @return false after a message. */
static bool outcomes(struct run *r, struct hd_machine *m, struct hd_litmus_result *out)
{
    size_t writes, all = (size_t)r->rounds * r->instances, stride = (size_t)r->nv_lines * r->c.line_bytes;
    const struct hd_nvram_write *journal = hd_nvram_journal(hd_machine_nvram(m, 0), &writes);
    size_t *from = calloc(all + 2, sizeof *from), *by = calloc(writes + 1, sizeof *by);
    struct cut *x = calloc(1, sizeof *x);
    bool good = from && by && x;

    for (unsigned pass = 0; good && pass < 2; pass++) {
        for (size_t k = 0; k < writes; k++) {
            size_t n = (journal[k].addr - r->nv) / stride;
            if (journal[k].addr >= r->nv && n < all && pass == 0)
                from[n + 2]++;
            else if (journal[k].addr >= r->nv && n < all)
                by[from[n + 1]++] = k;
        }
        for (size_t n = 2; pass == 0 && n < all + 2; n++)
            from[n] += from[n - 1];
    }
    if (good) {
        x->r = r;
        x->out = out;
        good = cut_all(x, journal, by, from);
    }
    if (!good)
        fprintf(stderr, "heddle: no memory\n");
    free(from);
    free(by);
    free(x);
    return good;
}

/* ---- a run ------------------------------------------------------------------------------------------------------- */

const char *hd_litmus_persist_refuses(const struct hd_lisa *t)
{
    for (unsigned p = 0; p < t->procs; p++)
        for (unsigned i = 0; i < t->proc[p].instrs; i++) {
            enum hd_lisa_kind kind = t->proc[p].instr[i].kind;
            if (kind == HD_LISA_RMW || kind >= HD_LISA_TX)
                return "an rmw, a transaction or a copy beside a power cut";
        }
    for (unsigned v = 0; v < t->vars; v++)
        if (t->var[v].group)
            return "a variable in group memory beside a power cut";
    for (unsigned i = 0; i < t->items; i++)
        if (t->var[t->item[i].n].region < HD_LISA_NV)
            return "a power cut whose outcome names memory that is lost";
    return NULL;
}

static void on_window(void *ctx, uint64_t cycle)
{
    void *const *x = ctx;

    (void)cycle;
    if (!hd_judge_window(x[1]))
        hd_simt_stop(x[0]);
}

static int simulate(struct run *r, struct hd_machine *m, struct hd_simt *s, struct hd_litmus_result *out)
{
    static const char *const name[] = {"conservation", "coherence", "watchdog", "assertions", "memory_model", "persist"};
    struct hd_client client;
    struct hd_verdicts v = {0};
    struct hd_judge *judge = r->c.ghost_bits != 0 ? hd_judge_new(&r->c, s, m, r->c.check_memory_model, NULL) : NULL;
    struct timespec a, b;
    const char *text;

    if (r->c.ghost_bits != 0 && judge == NULL)
        return 2;
    void *watched[] = {s, judge};
    if (judge)
        hd_simt_watch(s, on_window, watched);
    hd_simt_start(s, hd_machine_cycle(m), &client);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    enum hd_end end = hd_machine_run(m, &client);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    enum hd_fault fault = hd_simt_fault(s, &text);
    bool ended = end == HD_END_CLIENT && fault == HD_FAULT_NONE && hd_simt_done(s), flushed = ended && hd_machine_flush(m);
    out->cycles = hd_simt_cycles(s);
    out->cpu_seconds = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
    if (end == HD_END_DEADLOCK || (ended && !flushed))
        hd_machine_explain(m, stderr);
    hd_machine_verdicts(m, &v);
    const char *model = judge ? hd_judge_end(judge, ended, flushed ? m : NULL) : NULL, *persist = judge ? hd_judge_persist(judge) : NULL;
    const char *const verdict[] = {v.conservation, v.coherence, v.watchdog, v.assertions, model, persist};
    if (fault != HD_FAULT_NONE)
        snprintf(out->failed, sizeof out->failed, "warp_port: %s", text);
    for (int i = 0; i < 6; i++)
        if (verdict[i] && strcmp(verdict[i], "pass") != 0 && (flushed || i > 0) && out->failed[0] == '\0')
            snprintf(out->failed, sizeof out->failed, "%s: %s", name[i], verdict[i]);
    if (!flushed && out->failed[0] == '\0')
        snprintf(out->failed, sizeof out->failed, "the run ended early");
    hd_judge_free(judge);
    return !flushed || outcomes(r, m, out) ? 0 : 2;
}

/* Who runs where, and what lies in which line. @return NULL, or why the machine cannot run it. */
static const char *lay_out(struct run *r)
{
    const struct hd_lisa *t = r->t;
    unsigned blocks, used[HD_LISA_VARS] = {0};

    for (unsigned p = 0; p < t->procs; p++) {
        r->group_of[p] = r->groups;
        for (unsigned q = 0; q < p; q++)
            if (t->instance[HD_LISA_WG][q] == t->instance[HD_LISA_WG][p]) {
                r->group_of[p] = r->group_of[q];
                r->warp_of[p] = r->warp_of[q] + 1;
            }
        r->groups += r->group_of[p] == r->groups;
        r->procs = r->warp_of[p] + 1 > r->procs ? r->warp_of[p] + 1 : r->procs;
    }
    for (unsigned v = 0; v < t->vars; v++) {
        bool nv = t->var[v].region == HD_LISA_NV;
        unsigned u = 0, *lines = nv ? &r->nv_lines : &r->lines;
        if (t->var[v].region == HD_LISA_HOST)
            continue;
        while (u < v && (t->var[u].line != t->var[v].line || t->var[u].region != t->var[v].region))
            u++;
        r->line_of[v] = u < v ? r->line_of[u] : (*lines)++;
        for (u = 0; u < v && (t->var[u].grain != t->var[v].grain || t->var[u].region != t->var[v].region); u++)
            continue;
        r->word_of[v] = !nv ? v : u < v ? r->word_of[u] + 1 : 2 * used[r->line_of[v]]++;
    }
    unsigned fit = r->c.warps / r->procs < r->c.blocks ? r->c.warps / r->procs : r->c.blocks;
    blocks = r->c.sms * fit / r->groups * r->groups;
    if (blocks == 0)
        return "it has more processes or work-groups than fit on the machine at once";
    r->instances = blocks / r->groups;
    r->role = calloc(blocks, sizeof *r->role);
    if (r->role == NULL)
        return "no memory";
    /* In the first half neighbours belong together, then those of one SM: blocks go round the SMs. */
    unsigned half = blocks / 2 / r->groups * r->groups, n = half;
    for (unsigned b = 0; b < half; b++)
        r->role[b] = b;
    for (unsigned sm = 0; sm < r->c.sms; sm++)
        for (unsigned b = half; b < blocks; b++)
            if (b % r->c.sms == sm)
                r->role[b] = n++;
    r->meet = BOTTOM;
    r->plain = r->meet + r->instances * r->c.line_bytes;
    r->rounds = (unsigned)((r->o->runs + r->instances - 1) / r->instances);
    uint64_t most = r->c.nv_base > r->plain ? r->c.nv_base - r->plain : 0, each = (uint64_t)r->instances * r->lines * r->c.line_bytes;
    if (each > 0 && r->rounds * each > most)
        r->rounds = (unsigned)(most / each);
    if (r->rounds == 0)
        return "there is no room for its words below nv_base";
    r->noise = r->c.nv_base;
    r->nv = r->c.nv_base + NOISE_LINES * r->c.line_bytes;
    r->nv += 1u << 20; /* nothing of an instance shares a page with the lines that disturb */
    return NULL;
}

int hd_litmus_run_persist(const struct hd_lisa *t, const struct hd_litmus_options *o, struct hd_litmus_result *out)
{
    struct run r = {.t = t, .o = o, .c = *o->config};
    struct hd_machine *m = NULL;
    struct hd_simt *s = NULL;
    uint64_t random = o->seed;
    int code = 2;

    *out = (struct hd_litmus_result){.runs = 0};
    for (const char *c = t->name; *c; c++)
        random = random * 131 + (unsigned char)*c;
    r.c.jitter_seed = (unsigned)(hd_lot(&random) >> 33);
    r.c.nv_journal = true;
    const char *why = lay_out(&r);
    out->runs = out->violated = (size_t)r.rounds * r.instances;
    r.left = why ? NULL : calloc(out->runs * t->vars * HD_LISA_PROCS, sizeof *r.left);
    s = hd_simt_new(&r.c);
    if (!why && (!r.left || !s))
        why = "no memory";
    if (!why)
        why = hd_simt_add(s, &(struct hd_launch){.fn = work, .args = &r, .grid_x = r.instances * r.groups, .grid_y = 1,
                                                 .block_x = r.procs * r.c.lanes, .block_y = 1, .resident = 0});
    if (why)
        fprintf(stderr, "heddle: %s: %s\n", o->file, why);
    else if ((m = hd_machine_new_of(&r.c, NULL, o->models)) != NULL) {
        for (unsigned round = 0; round < r.rounds; round++)
            for (unsigned i = 0; i < r.instances; i++)
                for (unsigned v = 0; v < t->vars; v++)
                    if (t->var[v].region != HD_LISA_HOST && t->var[v].init != 0)
                        hd_machine_poke(m, address(&r, round, i, v), t->var[v].init);
        code = simulate(&r, m, s, out);
    }
    hd_machine_free(m);
    hd_simt_free(s);
    free(r.left);
    free(r.role);
    return code;
}
