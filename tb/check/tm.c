/* tm.c - see tm.h. */
#include "check/tm.h"
#include "hd_pkg.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT16_MAX, END = UINT32_MAX, MAX_BARREN = 3, MAX_BANKS = 64 };

struct value {
    uint32_t word, ghost;
};

struct word {
    struct value now, back;      /* back: what the holder's first access found */
    uint32_t next;               /* in the list of the holder's words */
    uint16_t holder;             /* warp * lanes + lane of the attempt that has accessed it, or NONE */
    bool known, back_known;      /* it has been read or written; so had back */
};

struct warp {
    bool runs, retries;          /* between begin and commit; the commit left lanes */
    bool killed, want;           /* another warp's begin ended the attempt; the next one is to run alone */
    uint8_t mode, barren;        /* barren: attempts in a row without commit or kill */
    hd_mask_t begin, live, old;  /* lanes of the attempt; of them not lost; left by the commit before */
    uint32_t number;
};

struct hd_tm {
    struct hd_tm_shape shape;
    struct word *word;
    struct warp *warp;
    uint32_t *head;              /* [warps * lanes] words the lane holds */
    uint32_t *holds;             /* [banks * hash] words held of each class of aliases */
    uint32_t *list;              /* [warps * banks] words held by the warp's lanes */
    struct hd_tm_cost cost;
    int token;                   /* warp that runs alone, -1: none */
    struct hd_tm_counts counts;
    char fault[240];
};

struct hd_tm *hd_tm_new(const struct hd_tm_shape *shape)
{
    struct hd_tm *t = calloc(1, sizeof *t);

    if (t == NULL)
        return NULL;
    t->shape = *shape;
    t->token = -1;
    t->word = calloc(shape->words, sizeof *t->word);
    t->warp = calloc(shape->warps, sizeof *t->warp);
    t->head = malloc((size_t)shape->warps * shape->lanes * sizeof *t->head);
    t->holds = calloc((size_t)shape->banks * (shape->hash + 1), sizeof *t->holds);
    t->list = calloc((size_t)shape->warps * shape->banks, sizeof *t->list);
    if (t->word == NULL || t->warp == NULL || t->head == NULL || t->holds == NULL || t->list == NULL) {
        hd_tm_free(t);
        return NULL;
    }
    for (unsigned i = 0; i < shape->words; i++)
        t->word[i].holder = NONE;
    for (unsigned i = 0; i < shape->warps * shape->lanes; i++)
        t->head[i] = END;
    return t;
}

void hd_tm_free(struct hd_tm *t)
{
    if (t == NULL)
        return;
    free(t->word);
    free(t->warp);
    free(t->head);
    free(t->holds);
    free(t->list);
    free(t);
}

__attribute__((format(printf, 4, 5))) static void fault(struct hd_tm *t, uint64_t cycle, unsigned warp, const char *format, ...)
{
    if (t->fault[0] != '\0')
        return;
    int n = snprintf(t->fault, sizeof t->fault, "cycle %llu: warp %u: ", (unsigned long long)cycle, warp);
    va_list args;
    va_start(args, format);
    vsnprintf(t->fault + n, sizeof t->fault - (size_t)n, format, args);
    va_end(args);
}

static unsigned id_of(const struct hd_tm *t, unsigned warp, unsigned lane)
{
    return warp * t->shape.lanes + lane;
}

static uint32_t *class_of(const struct hd_tm *t, uint32_t i)
{
    unsigned row = i / t->shape.banks;

    return &t->holds[i % t->shape.banks * (t->shape.hash + 1) + (t->shape.hash ? row & (t->shape.hash - 1) : 0)];
}

/* Lanes of a warp give up their words, which commit keeps and abort restores. */
static void drop(struct hd_tm *t, unsigned warp, hd_mask_t lanes, bool commit)
{
    for (; lanes != 0; lanes &= lanes - 1) {
        uint32_t *head = &t->head[id_of(t, warp, (unsigned)__builtin_ctzll(lanes))];
        for (uint32_t i = *head; i != END; i = t->word[i].next) {
            struct word *w = &t->word[i];
            if (!commit) {
                w->now = w->back;
                w->known = w->back_known;
            }
            w->holder = NONE;
            --*class_of(t, i);
            t->list[warp * t->shape.banks + i % t->shape.banks]--;
        }
        *head = END;
    }
}

static void take(struct hd_tm *t, uint32_t i, unsigned me)
{
    struct word *w = &t->word[i];

    if (w->holder == me)
        return;
    w->holder = (uint16_t)me;
    w->back = w->now;
    w->back_known = w->known;
    w->next = t->head[me];
    t->head[me] = i;
    ++*class_of(t, i);
    t->list[me / t->shape.lanes * t->shape.banks + i % t->shape.banks]++;
}

/* Cycles of a walk over what the warps of @warps hold: those of the fullest bank. */
static unsigned longest(const struct hd_tm *t, uint64_t warps)
{
    uint32_t most = 0;

    for (unsigned b = 0; b < t->shape.banks; b++) {
        uint32_t sum = 0;
        for (uint64_t rest = warps; rest != 0; rest &= rest - 1)
            sum += t->list[(unsigned)__builtin_ctzll(rest) * t->shape.banks + b];
        most = sum > most ? sum : most;
    }
    return most;
}

/* Does another lane hold a word that the filters cannot tell from this one? */
static bool aliased(const struct hd_tm *t, uint32_t i, unsigned me)
{
    uint32_t others = *class_of(t, i);

    if (t->shape.hash == 0)
        return false;
    for (uint32_t k = t->head[me]; k != END; k = t->word[k].next)
        others -= class_of(t, k) == class_of(t, i);
    return others > 0;
}

/* ---- attempts ---------------------------------------------------------------------------------------------------- */

int hd_tm_alone(const struct hd_tm *t)
{
    int chosen = t->token;

    for (unsigned v = 0; chosen < 0 && v < t->shape.tx_warps; v++)
        if (t->warp[v].want)
            chosen = (int)v;
    return chosen;
}

/* Must a begin of the warp be sent back? */
static bool held(const struct hd_tm *t, unsigned warp)
{
    int chosen = hd_tm_alone(t);

    return chosen >= 0 && chosen != (int)warp;
}

static void kill_others(struct hd_tm *t, unsigned warp)
{
    uint64_t running = 0;

    for (unsigned v = 0; v < t->shape.tx_warps; v++)
        running |= (uint64_t)(v != warp && t->warp[v].runs) << v;
    unsigned walk = longest(t, running);
    t->cost.walk = walk != 0 ? 1 + walk : 0;
    for (unsigned v = 0; v < t->shape.tx_warps; v++) {
        struct warp *other = &t->warp[v];
        if (v == warp || !other->runs)
            continue;
        t->counts.kills += (uint64_t)__builtin_popcountll(other->live);
        drop(t, v, other->live, false);
        other->live = 0;
        other->killed = true;
    }
}

static void begin(struct hd_tm *t, const struct hd_tm_op *op)
{
    struct warp *w = &t->warp[op->warp];
    hd_mask_t run = op->mask & ~op->tcm;

    if (op->warp >= t->shape.tx_warps)
        fault(t, op->cycle, op->warp, "begins a transaction in a slot that has none");
    if (w->runs)
        fault(t, op->cycle, op->warp, "begins an attempt inside an attempt");
    if (op->mask == 0 || (w->retries && op->mask != w->begin))
        fault(t, op->cycle, op->warp, "begins lanes %llx; to try again are %llx", (unsigned long long)op->mask,
              (unsigned long long)w->begin);
    if (held(t, op->warp) != (run == 0)) {
        fault(t, op->cycle, op->warp, run == 0 ? "is sent back, though no other warp runs alone or wants to"
                                               : "begins while another warp runs alone or wants to");
        return;
    }
    if (run == 0) {
        t->counts.again++;
        return;
    }
    if (!w->retries) {
        w->mode = HD_TM_TX;
        w->old = 0;
    }
    hd_mask_t right = w->mode == HD_TM_TX ? op->mask : op->mask & -op->mask;
    if (run != right || op->mode != w->mode) {
        fault(t, op->cycle, op->warp, "an attempt runs lanes %llx in mode %u; they must be %llx in mode %u",
              (unsigned long long)run, op->mode, (unsigned long long)right, w->mode);
        return;
    }
    w->runs = true;
    w->killed = false;
    w->begin = op->mask;
    w->live = run;
    t->counts.attempts[w->mode]++;
    if (w->mode == HD_TM_WG) {
        t->token = (int)op->warp;
        w->want = false;
        kill_others(t, op->warp);
    }
}

static void commit(struct hd_tm *t, const struct hd_tm_op *op)
{
    struct warp *w = &t->warp[op->warp];
    hd_mask_t left = w->begin & ~w->live;

    if (!w->runs) {
        fault(t, op->cycle, op->warp, "commits outside an attempt");
        return;
    }
    if (op->tcm != left)
        fault(t, op->cycle, op->warp, "lanes %llx are to try again; %llx have lost", (unsigned long long)op->tcm,
              (unsigned long long)left);
    t->counts.commits += (uint64_t)__builtin_popcountll(w->live);
    w->barren = w->live != 0 || w->killed ? 0 : (uint8_t)(w->barren + 1);
    if (w->barren > MAX_BARREN)
        fault(t, op->cycle, op->warp, "%u attempts in a row end without a commit", w->barren);
    t->cost.walk = longest(t, (uint64_t)1 << op->warp);
    drop(t, op->warp, w->live, true);
    if (t->token == (int)op->warp)
        t->token = -1;
    if (left != 0 && !w->killed) {
        w->mode = left != w->old ? HD_TM_TX : w->mode == HD_TM_TX ? HD_TM_WF : HD_TM_WG;
        w->want = w->mode == HD_TM_WG;
        w->old = left;
    }
    w->begin = left;
    w->retries = left != 0;
    w->runs = false;
    w->live = 0;
}

/* ---- accesses ---------------------------------------------------------------------------------------------------- */

/* Is what lane @l read or overwrote what the word was? The first to meet an unknown word says what it is. */
static void compare(struct hd_tm *t, const struct hd_tm_op *op, unsigned l, struct value *is, bool *known)
{
    bool store = op->kind == HD_OP_STORE;
    struct value seen = {store ? is->word : op->old[l], t->shape.ghosts ? op->old_ghost[l] : is->ghost};

    if (!*known) {
        *is = seen;
        *known = !store;
        return;
    }
    if (seen.word == is->word && seen.ghost == is->ghost)
        return;
    fault(t, op->cycle, op->warp, "lane %u %s word 0x%x: 0x%08x (ghost %u); it held 0x%08x (ghost %u)", l,
          store ? "overwrites" : "reads", op->word[l], seen.word, seen.ghost, is->word, is->ghost);
}

/* Loads and stores see what was there before the operation; atomics go lane by lane. */
static void plain(struct hd_tm *t, const struct hd_tm_op *op)
{
    for (hd_mask_t rest = op->mask; rest != 0; rest &= rest - 1) {
        unsigned l = (unsigned)__builtin_ctzll(rest);
        struct word *w = &t->word[op->word[l]];
        t->counts.racing += w->holder != NONE;
        compare(t, op, l, &w->now, &w->known);
        if (op->kind == HD_OP_ATOMIC)
            w->now = (struct value){op->data[l], op->ghost[l]};
    }
    for (hd_mask_t rest = op->kind == HD_OP_STORE ? op->mask : 0; rest != 0; rest &= rest - 1) {
        unsigned l = (unsigned)__builtin_ctzll(rest);
        struct word *w = &t->word[op->word[l]];
        w->now = (struct value){op->data[l], op->ghost[l]};
        w->known = true;
    }
}

/* In each bank lanes go in order, one word at a time; the words of those that lose stay theirs to the end of the operation. */
static void transactional(struct hd_tm *t, const struct hd_tm_op *op)
{
    struct warp *w = &t->warp[op->warp];
    hd_mask_t lost = 0;
    uint8_t passes[MAX_BANKS] = {0}, version[HD_MAX_LANES] = {0};

    for (hd_mask_t rest = op->mask & w->live; rest != 0; rest &= rest - 1) {
        unsigned l = (unsigned)__builtin_ctzll(rest), me = id_of(t, op->warp, l);
        struct word *x = &t->word[op->word[l]];
        bool other = x->holder != NONE && x->holder != me;
        unsigned pass = passes[op->word[l] % t->shape.banks]++;
        t->counts.accesses++;
        t->cost.passes = pass < t->cost.passes ? t->cost.passes : pass + 1;
        if (op->tcm >> l & 1) {
            if (!other && !aliased(t, op->word[l], me))
                fault(t, op->cycle, op->warp, "lane %u loses at word 0x%x without a conflict", l, op->word[l]);
            if (w->mode == HD_TM_WG)
                fault(t, op->cycle, op->warp, "lane %u, which runs alone, loses at word 0x%x", l, op->word[l]);
            t->counts.aborts++;
            t->counts.falses += !other;
            lost |= (hd_mask_t)1 << l;
            continue;
        }
        if (other)
            fault(t, op->cycle, op->warp, "lane %u accesses word 0x%x, which warp %u, lane %u holds", l, op->word[l],
                  x->holder / t->shape.lanes, x->holder % t->shape.lanes);
        unsigned extra = x->holder == me ? 1 : 2;
        version[pass] = version[pass] > extra ? version[pass] : (uint8_t)extra;
        compare(t, op, l, &x->now, &x->known);
        take(t, op->word[l], me);
        if (op->kind != HD_OP_LOAD) {
            x->now = (struct value){op->data[l], op->ghost[l]};
            x->known = true;
        }
    }
    hd_mask_t dead = w->begin & ~(w->live & ~lost);
    if (op->tcm != dead)
        fault(t, op->cycle, op->warp, "lanes %llx have lost by its word; %llx have", (unsigned long long)op->tcm,
              (unsigned long long)dead);
    for (unsigned i = 0; i < t->cost.passes; i++)
        t->cost.version += version[i];
    if (lost != 0)
        t->cost.walk = 1 + longest(t, (uint64_t)1 << op->warp);
    drop(t, op->warp, lost, false);
    w->live &= ~lost;
}

bool hd_tm_perform(struct hd_tm *t, const struct hd_tm_op *op)
{
    struct warp *w = &t->warp[op->warp];

    if (t->fault[0] != '\0')
        return false;
    t->counts.operations++;
    t->cost = (struct hd_tm_cost){.passes = op->kind == HD_OP_TX_BEGIN || op->kind == HD_OP_TX_COMMIT || w->runs};
    if (op->number != w->number)
        fault(t, op->cycle, op->warp, "its LDS operation %u completes; the next is %u", op->number, w->number);
    w->number = op->number + 1;
    if (op->kind == HD_OP_TX_BEGIN)
        begin(t, op);
    else if (op->kind == HD_OP_TX_COMMIT)
        commit(t, op);
    else if (w->runs)
        transactional(t, op);
    else
        plain(t, op);
    return t->fault[0] == '\0';
}

struct hd_tm_cost hd_tm_cost(const struct hd_tm *t)
{
    return t->cost;
}

bool hd_tm_exit(struct hd_tm *t, unsigned warp, uint64_t cycle)
{
    if (t->warp[warp].runs || t->warp[warp].retries)
        fault(t, cycle, warp, "ends in a transaction");
    return t->fault[0] == '\0';
}

bool hd_tm_open(const struct hd_tm *t, unsigned warp)
{
    return t->warp[warp].runs || t->warp[warp].retries;
}

bool hd_tm_runs(const struct hd_tm *t, unsigned warp)
{
    return t->warp[warp].runs;
}

const char *hd_tm_fault(const struct hd_tm *t)
{
    return t->fault[0] != '\0' ? t->fault : NULL;
}

const struct hd_tm_counts *hd_tm_counts(const struct hd_tm *t)
{
    return &t->counts;
}
