/* aim.c - see aim.h. */
#include "aim.h"
#include "lot.h"
#include <string.h>

enum {
    MOST = HD_AIM_ACCESSES,
    ORDERS = 16,             /* drawn each time; four times as many of accesses far apart */
    TRY = 4,                 /* having aimed once counts as much as so many instances that ended so */
    TRY_UNMET = 1,           /* ... far apart, while none has ended so */
    VAIN = 80,               /* aims, after which an outcome is given up */
    OLD = 0x80               /* of an access in an order that is kept: it reads an old copy */
};

struct access {
    unsigned proc, instr, var;
    bool load;
};

/* The accesses of a test, process by process in program order, and an order of them. */
struct plan {
    const struct hd_lisa *t;
    unsigned n;
    struct access access[MOST];
    bool may_swap[MOST][MOST];   /* the second, later in its process, may be done before the first */
    unsigned order[MOST];        /* accesses */
    unsigned place[MOST];        /* of each access in the order */
    bool old[MOST];              /* a load that reads what its process knew before the last store of another */
};

static bool is_access(const struct hd_lisa_instr *i)
{
    return i->kind == HD_LISA_LOAD || i->kind == HD_LISA_STORE || i->kind == HD_LISA_RMW;
}

static bool uses_registers(const struct hd_lisa_instr *i)
{
    bool value = i->kind == HD_LISA_STORE
                 && (i->value.a.is == HD_LISA_IS_REG || (i->value.fn != HD_LISA_VALUE && i->value.b.is == HD_LISA_IS_REG));
    return i->kind == HD_LISA_RMW || value || i->index.is == HD_LISA_IS_REG;
}

bool hd_aim_can(const struct hd_lisa *t)
{
    unsigned n = 0;
    for (unsigned p = 0; p < t->procs; p++)
        for (unsigned i = 0; i < t->proc[p].instrs; i++) {
            const struct hd_lisa_instr *x = &t->proc[p].instr[i];
            if (is_access(x)) {
                if (x->base.is != HD_LISA_IS_VAR || (x->index.is == HD_LISA_IS_INT && x->index.n != 0))
                    return false;
                n++;
            } else if (x->kind != HD_LISA_FENCE && x->kind != HD_LISA_MOV)
                return false;
        }
    return n > 0 && n <= MOST;
}

/* May the @later of two accesses of a process be done before the @earlier one? */
static bool may_swap(const struct hd_lisa_proc *p, unsigned earlier, unsigned later, enum hd_aim_may may)
{
    const struct hd_lisa_instr *a = &p->instr[earlier], *b = &p->instr[later];
    for (unsigned i = earlier; i < later; i++)
        if (p->instr[i].kind == HD_LISA_FENCE)
            return false;
    if (a->base.n == b->base.n || uses_registers(b))
        return false;
    switch (may) {
    case HD_AIM_NONE:
        return false;
    case HD_AIM_LOAD_STORE:
        return a->kind == HD_LISA_STORE && b->kind == HD_LISA_LOAD;
    case HD_AIM_LOAD:
        if (b->kind != HD_LISA_LOAD)
            return false;
        break;
    case HD_AIM_ANY:
        break;
    }
    return !(a->atomic && a->order == HD_LISA_SCACQ) && !(b->atomic && b->order == HD_LISA_SCREL)
           && !(a->atomic && b->atomic && a->order != HD_LISA_RLX && b->order != HD_LISA_RLX) && a->kind != HD_LISA_RMW;
}

static void find_accesses(struct plan *s, enum hd_aim_may may)
{
    for (unsigned p = 0; p < s->t->procs; p++) {
        const struct hd_lisa_proc *proc = &s->t->proc[p];
        unsigned first = s->n;
        for (unsigned i = 0; i < proc->instrs; i++) {
            if (!is_access(&proc->instr[i]))
                continue;
            for (unsigned e = first; e < s->n; e++)
                s->may_swap[e][s->n] = may_swap(proc, s->access[e].instr, i, may);
            s->access[s->n++] = (struct access){p, i, (unsigned)proc->instr[i].base.n, proc->instr[i].kind == HD_LISA_LOAD};
        }
    }
}

/* In half of the orders some loads read @old copies, if any may. @apart: in most orders a process goes on for some accesses,
 * which orders by lot seldom let it. */
static void draw_order(struct plan *s, bool old, bool apart, uint64_t *random)
{
    unsigned left[HD_LISA_PROCS] = {0}, next[HD_LISA_PROCS] = {0}, list[MOST], swaps = hd_lot_below(random, 5);
    unsigned stay = apart ? hd_lot_below(random, 4) : 0, p = 0;
    old = old && hd_lot_below(random, 2) == 0;
    for (unsigned i = 0; i < s->n; i++) {
        s->old[i] = old && s->access[i].load && hd_lot_below(random, 3) == 0;
        list[i] = i;
        if (left[s->access[i].proc]++ == 0)
            next[s->access[i].proc] = i;
    }
    for (unsigned i = s->n; i-- > 1;) {
        bool same = s->access[list[i]].proc == s->access[list[i - 1]].proc;
        if (same && s->may_swap[list[i - 1]][list[i]] && hd_lot_below(random, 4) < swaps) {
            unsigned swap = list[i];
            list[i] = list[i - 1];
            list[i - 1] = swap;
        }
    }
    for (unsigned i = 0; i < s->n; i++) {
        if (left[p] == 0 || hd_lot_below(random, 4) >= stay) {
            unsigned at = hd_lot_below(random, s->n - i);
            for (p = 0; at >= left[p]; p++)
                at -= left[p];
        }
        left[p]--;
        s->order[i] = list[next[p]++];
        s->place[s->order[i]] = i;
    }
}

static uint32_t value_of(const struct hd_lisa_arg *a, const uint32_t *reg)
{
    return a->is == HD_LISA_IS_REG ? reg[a->n] : a->is == HD_LISA_IS_VAR ? hd_lisa_address((unsigned)a->n) : (uint32_t)a->n;
}

static uint32_t result_of(const struct hd_lisa_expr *e, const uint32_t *reg)
{
    return hd_lisa_apply(e->fn, value_of(&e->a, reg), e->fn == HD_LISA_VALUE ? 0 : value_of(&e->b, reg));
}

/* @return the outcome of memory that does the accesses in this order, as one number. */
static uint64_t outcome_of(const struct plan *s, uint64_t *registers)
{
    const struct hd_lisa *t = s->t;
    uint32_t reg[HD_LISA_PROCS][HD_LISA_REGS], word[HD_LISA_VARS], item[HD_LISA_ITEMS];
    uint32_t copy[HD_LISA_PROCS][HD_LISA_VARS]; /* what each process has last read or written */
    unsigned moved[HD_LISA_PROCS] = {0};     /* instructions whose mov is done */
    for (unsigned v = 0; v < t->vars; v++)
        word[v] = t->var[v].init;
    for (unsigned p = 0; p < t->procs; p++) {
        memcpy(reg[p], t->proc[p].init, sizeof reg[p]);
        memcpy(copy[p], word, sizeof word);
    }
    for (unsigned n = 0; n <= s->n; n++)
        for (unsigned p = 0; p < t->procs; p++) {
            const struct access *a = n < s->n ? &s->access[s->order[n]] : NULL;
            const struct hd_lisa_proc *proc = &t->proc[p];
            const struct hd_lisa_instr *x = a ? &proc->instr[a->instr] : NULL;
            if (a && a->proc != p)
                continue;
            /* what uses no register may be done before a load whose word a mov uses */
            for (unsigned end = a ? a->instr : proc->instrs; (!a || uses_registers(x)) && moved[p] < end; moved[p]++)
                if (proc->instr[moved[p]].kind == HD_LISA_MOV)
                    reg[p][proc->instr[moved[p]].reg] = result_of(&proc->instr[moved[p]].value, reg[p]);
            if (!a)
                continue;
            if (!a->load && x->kind == HD_LISA_STORE)
                word[a->var] = result_of(&x->value, reg[p]);
            else {
                reg[p][x->reg] = s->old[s->order[n]] ? copy[p][a->var] : word[a->var];
                if (x->kind == HD_LISA_RMW)
                    word[a->var] = result_of(&x->value, reg[p]);
            }
            if (!s->old[s->order[n]])
                copy[p][a->var] = word[a->var];
        }
    for (unsigned i = 0; i < t->items; i++)
        item[i] = t->item[i].proc < 0 ? word[t->item[i].n] : reg[t->item[i].proc][t->item[i].n];
    unsigned r = 0;
    uint32_t only[HD_LISA_ITEMS];
    for (unsigned i = 0; i < t->items; i++)
        if (t->item[i].proc >= 0)
            only[r++] = item[i];
    *registers = hd_learned_key(only, r);
    return hd_learned_key(item, t->items);
}

/* Is the access done after a later one of its process (@by), or before an earlier one? */
static bool overtaken(const struct plan *s, unsigned a, bool by)
{
    bool is = false;
    for (unsigned b = 0; b < s->n; b++)
        if (s->access[b].proc == s->access[a].proc)
            is |= by ? b > a && s->place[b] < s->place[a] : b < a && s->place[b] > s->place[a];
    return is;
}

static unsigned hardness(const struct plan *s)
{
    unsigned n = 0;
    for (unsigned a = 0; a < s->n; a++)
        n += s->old[a] + overtaken(s, a, false);
    return n;
}

/* Keeps the order as the one to its outcome, seldom in place of an easier one. @return the number of that, HD_AIM_GOALS when
 * there is no room for another. */
static unsigned keep_order(struct hd_aims *aims, const struct plan *s, uint64_t *random)
{
    uint64_t registers, key = outcome_of(s, &registers);
    unsigned g = 0, hard = hardness(s);
    while (g < aims->goals && aims->key[g] != key)
        g++;
    if (g == HD_AIM_GOALS)
        return g;
    if (g < aims->goals && hard > aims->hard[g] && hd_lot_below(random, 16) != 0)
        return g;
    aims->goals += g == aims->goals;
    aims->hard[g] = (uint8_t)hard;
    aims->key[g] = key;
    aims->registers[g] = registers;
    for (unsigned i = 0; i < s->n; i++)
        aims->order[g][i] = (uint8_t)(s->order[i] | (s->old[s->order[i]] ? OLD : 0));
    return g;
}

static void take_order(struct plan *s, const uint8_t order[MOST])
{
    for (unsigned i = 0; i < s->n; i++) {
        unsigned a = order[i] & ~(unsigned)OLD;
        s->order[i] = a;
        s->place[a] = i;
        s->old[a] = order[i] & OLD;
    }
}

/* @drawn: only of these outcomes; NULL: of all known ones. @return one that was aimed at and met least. */
static unsigned least_had(const struct hd_aims *aims, const struct hd_learned *seen, const bool *drawn, uint64_t *random)
{
    unsigned first = hd_lot_below(random, aims->goals), best = first;
    double least = -1;
    for (unsigned i = 0; i < aims->goals; i++) {
        unsigned g = (first + i) % aims->goals;
        double met = hd_learned_seen(seen, aims->registers[g]), had = (met > 0 || drawn ? TRY : TRY_UNMET) * aims->aimed[g] + met;
        if ((!drawn || drawn[g]) && (least < 0 || had < least)) {
            best = g;
            least = had;
        }
    }
    return best;
}

static void choose_warm(const struct plan *s, uint64_t *random, struct hd_aim *aim)
{
    for (unsigned v = 0; v < s->t->vars; v++) {
        bool held = false;
        for (unsigned a = 0; a < s->n; a++)
            if (s->access[a].var == v && (s->old[a] || overtaken(s, a, false))) {
                aim->warm[s->access[a].proc][v] = s->access[a].load ? HD_WARM_LOAD : HD_WARM_OWN;
                held = true;
            }
        for (unsigned n = 0; n < s->n && !held; n++) {
            unsigned a = s->order[n];
            if (s->access[a].var != v || overtaken(s, a, true) || hd_lot_below(random, 4) == 0)
                continue;
            aim->warm[s->access[a].proc][v] = s->access[a].load && hd_lot_below(random, 2) ? HD_WARM_LOAD : HD_WARM_OWN;
            held = true;
        }
    }
}

/* @return which accesses find their word in the cache, when the caches hold what they were warmed up with. */
static uint32_t find_hits(const struct plan *s, const struct hd_aim *aim, bool through)
{
    uint32_t hits = 0;
    unsigned has[HD_LISA_VARS] = {0}, own[HD_LISA_VARS] = {0}; /* processes */
    for (unsigned v = 0; v < s->t->vars; v++)
        for (unsigned p = 0; p < s->t->procs; p++) {
            has[v] |= (unsigned)(aim->warm[p][v] != HD_WARM_NOT) << p;
            own[v] |= (unsigned)(aim->warm[p][v] == HD_WARM_OWN && !through) << p;
        }
    for (unsigned n = 0; n < s->n; n++) {
        const struct access *a = &s->access[s->order[n]];
        unsigned me = 1u << a->proc;
        hits |= (uint32_t)(((a->load ? has : own)[a->var] & me) != 0) << s->order[n];
        has[a->var] = a->load ? has[a->var] | me : me;
        own[a->var] = a->load ? own[a->var] & me : through ? 0 : me;
    }
    return hits;
}

/* Is the access at a place done between one that overtakes and what it overtakes, or behind a store that takes an old copy away
 * and not behind the load that reads it? */
static bool between(const struct plan *s, unsigned place)
{
    bool is = false;
    for (unsigned a = 0; a < s->n; a++)
        for (unsigned b = a + 1; b < s->n && s->access[b].proc == s->access[a].proc; b++)
            is |= s->place[b] < place && place <= s->place[a];
    for (unsigned a = 0; a < s->n; a++)
        for (unsigned b = 0; b < s->n && s->old[a]; b++)
            is |= !s->access[b].load && s->access[b].var == s->access[a].var && s->place[b] < place && place <= s->place[a];
    return is;
}

/* When each access is issued: those that miss earlier by the time that takes, about. */
static void choose_dues(const struct plan *s, uint64_t *random, bool through, unsigned span, struct hd_aim *aim)
{
    unsigned step = 2u << hd_lot_below(random, aim->old ? 5 : 6), miss = 12 * hd_lot_below(random, 9), due[MOST];
    unsigned at[MOST + 1] = {0}, late[MOST]; /* of each place: when, and by how much later at most */
    for (unsigned i = 0; i < s->n; i++) {
        late[i] = span == 0 || between(s, i + 1) ? step : span / s->n;
        at[i + 1] = at[i] + late[i];
    }
    uint32_t hits = find_hits(s, aim, through);
    for (unsigned a = s->n; a-- > 0;) {
        due[a] = at[s->place[a]];
        if (!s->old[a]) /* which comes as early as it can */
            due[a] += hd_lot_below(random, late[s->place[a]]) + (hits >> a & 1 ? miss : 0);
        if (a + 1 < s->n && s->access[a + 1].proc == s->access[a].proc && due[a + 1] < due[a])
            due[a] = due[a + 1]; /* in program order */
        aim->due[s->access[a].proc][s->access[a].instr] = (uint16_t)due[a];
    }
}

void hd_aim_draw(struct hd_aims *aims, const struct hd_learned *seen, const struct hd_lisa *t, struct hd_aim_can can, unsigned span,
                 uint64_t *random, struct hd_aim *aim)
{
    struct plan s = {.t = t};
    bool apart = span > 0, drawn[HD_AIM_GOALS + 1] = {false};
    find_accesses(&s, can.may);
    for (unsigned i = 0; i < (apart ? 4 * ORDERS : ORDERS); i++) {
        draw_order(&s, can.old, apart, random);
        drawn[keep_order(aims, &s, random)] = true;
    }
    unsigned goal = least_had(aims, seen, apart || can.old ? NULL : drawn, random);
    aims->aimed[goal]++;
    take_order(&s, aims->order[goal]);
    memset(aim, 0, sizeof *aim);
    choose_warm(&s, random, aim);
    for (unsigned a = 0; a < s.n; a++)
        aim->old |= (uint32_t)s.old[a] << s.access[a].var;
    choose_dues(&s, random, can.through, span, aim);
}

bool hd_aim_open(const struct hd_aims *aims, const struct hd_learned *seen)
{
    for (unsigned g = 0; g < aims->goals; g++)
        if (aims->aimed[g] < VAIN && hd_learned_seen(seen, aims->registers[g]) == 0)
            return true;
    return false;
}
