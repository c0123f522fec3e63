/* mesi_env.c - see mesi_env.h. */
#include "mesi_env.h"
#include "hd_bits.h"

/* ---- bits ---------------------------------------------------------------------------------------- */

void me_put(void *port, unsigned lsb, unsigned width, uint64_t value)
{
    hd_bits_put(port, lsb, width, value);
}

uint64_t me_get(const void *port, unsigned lsb, unsigned width)
{
    return hd_bits_get(port, lsb, width);
}

void me_put_head(void *port, const struct me_msg *m)
{
    me_put(port, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, m->kind);
    me_put(port, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, m->src);
    me_put(port, HD_HEAD_DST_LSB, HD_HEAD_DST_W, m->dst);
    me_put(port, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, m->addr);
    me_put(port, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W, m->wmask);
    me_put(port, HD_HEAD_TID_LSB, HD_HEAD_TID_W, m->tid);
    me_put(port, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, m->opid);
    me_put(port, HD_HEAD_LANES_LSB, HD_LANE_W, m->lanes);
}

void me_get_head(const void *port, struct me_msg *m)
{
    m->kind = (unsigned)me_get(port, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W);
    m->src = (unsigned)me_get(port, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W);
    m->dst = (unsigned)me_get(port, HD_HEAD_DST_LSB, HD_HEAD_DST_W);
    m->addr = (uint32_t)me_get(port, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W);
    m->wmask = (uint32_t)me_get(port, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W);
    m->tid = (unsigned)me_get(port, HD_HEAD_TID_LSB, HD_HEAD_TID_W);
    m->opid = (unsigned)me_get(port, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W);
    m->lanes = (uint32_t)me_get(port, HD_HEAD_LANES_LSB, HD_LANE_W);
}

unsigned me_ones(uint64_t v)
{
    unsigned n = 0;

    for (; v != 0; v &= v - 1)
        n++;
    return n;
}

/* ---- set-up, random numbers ------------------------------------------------------------------------ */

uint64_t me_rand(struct me *e)
{
    uint64_t z = e->rng += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

unsigned me_below(struct me *e, unsigned n)
{
    return (unsigned)(me_rand(e) % n);
}

bool me_chance(struct me *e, unsigned in256)
{
    return me_below(e, 256) < in256;
}

/* Small values make compares and merges of values meet. */
static uint64_t random_word(struct me *e)
{
    const uint64_t r = me_rand(e);
    uint64_t v = r >> 40 & 1 ? r & 3 : r & UINT32_MAX;

    if (e->word_bits == 64)
        v |= me_rand(e) << 32;
    return v;
}

void me_init(struct me *e, unsigned line_words, bool ghost, unsigned parts, unsigned node, unsigned tids,
             const uint32_t *numbers, unsigned num_lines, uint64_t seed)
{
    memset(e, 0, sizeof *e);
    e->line_words = line_words;
    e->word_bits = ghost ? 64 : 32;
    e->parts = parts;
    e->node = node;
    e->tids = tids;
    e->num_lines = num_lines;
    e->rng = seed;
    e->next_tid = (unsigned)(seed * UINT64_C(0x9e3779b97f4a7c15) >> 56);
    e->offered = -1;
    e->p_serve = e->p_down = 256;
    for (unsigned i = 0; i < num_lines; i++) {
        e->line[i].number = numbers[i];
        for (unsigned w = 0; w < line_words; w++)
            e->line[i].ref[w] = e->line[i].mem[w] = random_word(e);
    }
}

struct me_line *me_find(struct me *e, uint32_t number)
{
    for (unsigned i = 0; i < e->num_lines; i++)
        if (e->line[i].number == number)
            return &e->line[i];
    fail_msg("cycle %llu: line %x is none of the test's", (unsigned long long)e->cycle, (unsigned)number);
    return NULL;
}

static unsigned home(const struct me *e, const struct me_line *l)
{
    return l->number & (e->parts - 1);
}

static uint32_t all_words(const struct me *e)
{
    return e->line_words == 32 ? UINT32_MAX : (UINT32_C(1) << e->line_words) - 1;
}

static bool clean(const struct me *e, const struct me_line *l)
{
    return memcmp(l->ref, l->mem, e->line_words * sizeof *l->ref) == 0;
}

/* ---- directory --------------------------------------------------------------------------------------- */

static void send(struct me *e, const struct me_line *l, unsigned kind, unsigned tid)
{
    const unsigned p = home(e, l);
    struct me_msg *m = &e->down[p][(e->down_head[p] + e->down_count[p]) % ME_DOWN];

    ME_CHECK(e, e->down_count[p] < ME_DOWN);
    e->down_count[p]++;
    memset(m, 0, sizeof *m);
    m->kind = kind;
    m->src = p;
    m->dst = e->node;
    m->tid = tid;
    m->addr = l->number * e->line_words * 4;
    if (kind == HD_MSG_DATA_S || kind == HD_MSG_DATA_E || kind == HD_MSG_DATA_M) {
        ME_CHECK(e, clean(e, l));
        m->wmask = all_words(e);
        m->lanes = l->req_lanes;
        memcpy(m->data, l->mem, e->line_words * sizeof *m->data);
    }
}

static void other_writes(struct me *e, struct me_line *l)
{
    ME_CHECK(e, l->l1 == HD_ST_I);
    for (unsigned n = 1 + me_below(e, 3); n > 0; n--) {
        const unsigned w = me_below(e, e->line_words);

        l->ref[w] = l->mem[w] = random_word(e);
    }
}

static void other_gets(struct me *e, struct me_line *l, enum me_action what)
{
    l->txn = ME_NOTHING;
    switch (what) {
    case ME_READ:
        ME_CHECK(e, l->l1 != HD_ST_E && l->l1 != HD_ST_M);
        if (l->other == HD_ST_I)
            l->other = HD_ST_S;
        break;
    case ME_WRITE:
        l->other = HD_ST_M;
        other_writes(e, l);
        break;
    default:
        l->other = HD_ST_I;
        break;
    }
}

void me_other(struct me *e, struct me_line *l, enum me_action what)
{
    unsigned ask = HD_MSG_NONE;

    if (l->txn != ME_NOTHING || what == ME_NOTHING)
        return;
    if (what != ME_DROP && l->us == HD_ST_E)
        ask = what == ME_READ ? HD_MSG_FETCH : HD_MSG_FETCH_INV;
    else if ((what == ME_WRITE || what == ME_RECALL) && l->us == HD_ST_S)
        ask = HD_MSG_INV;
    if (ask == HD_MSG_NONE) {
        other_gets(e, l, what);
        return;
    }
    l->txn = what;
    l->ask = ask;
    l->ask_tid = e->next_tid++ % ME_TIDS;
    send(e, l, ask, l->ask_tid);
}

static void serve(struct me *e, struct me_line *l)
{
    unsigned kind;

    if (l->us == HD_ST_E)
        return; /* its PUT is on its way */
    if (l->req == HD_MSG_GETS) {
        if (l->other == HD_ST_M)
            l->other = HD_ST_S;
        kind = l->other == HD_ST_I && l->us == HD_ST_I ? HD_MSG_DATA_E : HD_MSG_DATA_S;
    } else {
        l->other = HD_ST_I;
        kind = l->req == HD_MSG_UPG && l->us == HD_ST_S ? HD_MSG_ACK_M : HD_MSG_DATA_M;
    }
    l->us = kind == HD_MSG_DATA_S ? HD_ST_S : HD_ST_E;
    l->written = kind == HD_MSG_DATA_M || kind == HD_MSG_ACK_M;
    l->req = HD_MSG_NONE;
    send(e, l, kind, l->req_tid);
}

void me_step(struct me *e)
{
    e->cycle++;
    for (unsigned i = 0; i < e->num_lines; i++) {
        struct me_line *l = &e->line[i];

        if (l->txn != ME_NOTHING || l->hold)
            continue;
        if (l->req != HD_MSG_NONE && me_chance(e, e->p_serve)) {
            serve(e, l);
        } else if (e->p_other != 0 && me_chance(e, e->p_other)) {
            if (l->other == HD_ST_M)
                other_writes(e, l);
            me_other(e, l, (enum me_action)(1 + me_below(e, 4)));
        }
    }
    if (e->offered < 0 && me_chance(e, e->p_down)) {
        const unsigned first = me_below(e, e->parts);

        for (unsigned i = 0; i < e->parts && e->offered < 0; i++)
            if (e->down_count[(first + i) % e->parts] != 0)
                e->offered = (int)((first + i) % e->parts);
    }
}

const struct me_msg *me_offer(struct me *e)
{
    return e->offered < 0 ? NULL : &e->down[e->offered][e->down_head[e->offered]];
}

void me_offer_taken(struct me *e)
{
    const struct me_msg *m = me_offer(e);

    e->sent[m->kind]++;
    if (m->kind <= HD_MSG_ACK_M) {
        struct me_line *l = me_find(e, m->addr / (e->line_words * 4));

        ME_CHECK(e, e->prt ? l->asked && l->req_tid == m->tid : e->asker[m->tid] == l);
        e->asker[m->tid] = NULL;
        l->asked = false;
    }
    e->down_head[e->offered] = (e->down_head[e->offered] + 1) % ME_DOWN;
    e->down_count[e->offered]--;
    e->offered = -1;
}

static struct me_line *addressed(struct me *e, const struct me_msg *m)
{
    struct me_line *l;

    ME_CHECK(e, m->addr % (e->line_words * 4) == 0);
    ME_CHECK(e, m->src == e->node);
    l = me_find(e, m->addr / (e->line_words * 4));
    ME_CHECK(e, m->dst == home(e, l));
    e->up[m->kind]++;
    return l;
}

void me_request(struct me *e, const struct me_msg *m)
{
    struct me_line *l = addressed(e, m);

    ME_CHECK(e, m->kind == HD_MSG_GETS || m->kind == HD_MSG_GETM || m->kind == HD_MSG_UPG);
    ME_CHECK(e, m->wmask == 0);
    ME_CHECK(e, m->tid < e->tids && (e->prt || e->asker[m->tid] == NULL));
    ME_CHECK(e, e->prt ? m->lanes != 0 && m->kind != HD_MSG_UPG : m->lanes == 0);
    ME_CHECK(e, !l->asked);
    e->asker[m->tid] = l;
    l->asked = true;
    l->req = m->kind;
    l->req_tid = m->tid;
    l->req_lanes = m->lanes;
}

void me_response(struct me *e, const struct me_msg *m)
{
    struct me_line *l = addressed(e, m);
    const bool data = m->kind == HD_MSG_PUTM || m->kind == HD_MSG_RSP_DATA;
    const bool put = m->kind == HD_MSG_PUTM || m->kind == HD_MSG_PUTE;

    ME_CHECK(e, m->wmask == (data ? all_words(e) : 0));
    ME_CHECK(e, m->opid == 0 && m->lanes == 0);
    if (!put) {
        ME_CHECK(e, l->txn != ME_NOTHING);
        ME_CHECK(e, m->tid == l->ask_tid);
    }
    if (m->kind == HD_MSG_INV_ACK)
        ME_CHECK(e, l->txn != ME_NOTHING && l->ask == HD_MSG_INV && l->us == HD_ST_S);
    else if (m->kind == HD_MSG_RSP_NONE)
        ME_CHECK(e, l->ask != HD_MSG_INV && l->us == HD_ST_I);
    else
        ME_CHECK(e, l->us == HD_ST_E);
    if (data) {
        ME_CHECK(e, l->written);
        for (unsigned w = 0; w < e->line_words; w++)
            assert_int_equal(m->data[w], l->ref[w]);
        memcpy(l->mem, l->ref, sizeof l->mem);
    }
    ME_CHECK(e, clean(e, l));
    ME_CHECK(e, l->l1 == HD_ST_I || (!put && l->ask == HD_MSG_FETCH && l->l1 == HD_ST_S));
    if (put) {
        l->us = HD_ST_I;
        return;
    }
    ME_CHECK(e, m->kind >= HD_MSG_RSP_DATA && m->kind <= HD_MSG_INV_ACK);
    if (m->kind != HD_MSG_RSP_NONE) {
        ME_CHECK(e, m->kind == HD_MSG_INV_ACK || l->ask == HD_MSG_FETCH || l->ask == HD_MSG_FETCH_INV);
        l->us = l->ask == HD_MSG_FETCH ? HD_ST_S : HD_ST_I;
    }
    other_gets(e, l, l->txn);
}

/* ---- outputs of the L1 -------------------------------------------------------------------------------- */

void me_state(struct me *e, uint32_t number, unsigned state)
{
    struct me_line *l = me_find(e, number);

    ME_CHECK(e, state != l->l1);
    l->l1 = state;
    if (state != HD_ST_I)
        ME_CHECK(e, l->us != HD_ST_I);
    if (state == HD_ST_S)
        ME_CHECK(e, l->other != HD_ST_M);
    if (state == HD_ST_E || state == HD_ST_M)
        ME_CHECK(e, l->other == HD_ST_I && l->us == HD_ST_E);
}

void me_events(struct me *e, uint64_t ev)
{
    const uint64_t outcome = (ev >> HD_EV_SM_HIT & 1) + (ev >> HD_EV_SM_MISS & 1) + (ev >> HD_EV_SM_MERGE & 1)
                             + (ev >> HD_EV_SM_REJECT & 1);

    ME_CHECK(e, outcome == (ev >> HD_EV_SM_ACCESS & 1));
    ME_CHECK(e, (ev >> HD_EV_SM_REJ_ENTRY & 1) + (ev >> HD_EV_SM_REJ_MERGE & 1) + (ev >> HD_EV_SM_REJ_CREDIT & 1)
                    + (ev >> HD_EV_SM_REJ_QUEUE & 1) + (ev >> HD_EV_SM_REJ_LINE & 1)
                == (ev >> HD_EV_SM_REJECT & 1));
    for (unsigned i = 0; ev != 0; i++, ev >>= 1)
        e->ev[i] += ev & 1;
}

/* ---- operations ----------------------------------------------------------------------------------------- */

unsigned me_place(struct me *e, const struct me_op *op, uint32_t number)
{
    return op->space == HD_SPACE_GLOBAL ? (unsigned)(me_find(e, number) - e->line) : e->num_lines;
}

static uint64_t *word_of(struct me *e, const struct me_op *op, unsigned lane)
{
    if (op->space == HD_SPACE_GLOBAL)
        return &me_find(e, op->addr[lane] / (e->line_words * 4))->ref[me_offset(e, op, lane)];
    ME_CHECK(e, op->addr[lane] / 4 < e->lds_rows * e->line_words);
    return &e->lds[op->addr[lane] / 4];
}

void me_random_op(struct me *e, struct me_op *op, unsigned lanes, unsigned spread)
{
    const unsigned kind = me_below(e, 16);
    const uint64_t every = UINT64_MAX >> (64 - lanes);
    uint32_t lines[4];
    const unsigned num_lines = 1 + me_below(e, spread);
    const unsigned words = me_chance(e, 128) ? e->line_words : 2; /* few words: lanes meet */

    op->kind = kind < 7 ? HD_OP_LOAD : kind < 12 ? HD_OP_STORE : HD_OP_ATOMIC;
    op->fn = me_below(e, HD_AT_UMAX + 1);
    op->space = e->lds_rows != 0 && me_chance(e, 40) ? HD_SPACE_LDS : HD_SPACE_GLOBAL;
    do {
        op->mask = me_chance(e, 64) ? every : me_rand(e) & every;
        if (me_chance(e, 64))
            op->mask &= me_rand(e);
    } while (op->mask == 0);
    for (unsigned i = 0; i < num_lines; i++)
        lines[i] = op->space == HD_SPACE_LDS ? me_below(e, e->lds_rows) : e->line[me_below(e, e->num_lines)].number;
    for (unsigned i = 0; i < lanes; i++) {
        const uint32_t number = lines[me_below(e, num_lines)];
        const unsigned w = me_below(e, words);

        op->addr[i] = (number * e->line_words + w) * 4;
        op->data[i] = random_word(e);
        op->cmp[i] = (uint32_t)(me_chance(e, 192) ? *word_of(e, op, i) : random_word(e));
    }
}

void me_lds_store(struct me *e, struct me_op *op, unsigned lanes, unsigned first)
{
    memset(op, 0, sizeof *op);
    op->kind = HD_OP_STORE;
    op->space = HD_SPACE_LDS;
    for (unsigned i = 0; i < lanes && first + i < e->lds_rows * e->line_words; i++) {
        op->mask |= UINT64_C(1) << i;
        op->addr[i] = (first + i) * 4;
        op->data[i] = random_word(e);
    }
}

uint64_t me_first_line(const struct me *e, const struct me_op *op, uint64_t rest, uint32_t *number)
{
    uint64_t mask = 0;
    unsigned first = 0;

    if (op->space == HD_SPACE_LDS)
        return rest;
    for (unsigned i = 0; i < ME_LANES; i++) {
        if ((rest >> i & 1) == 0)
            continue;
        if (mask == 0) {
            *number = op->addr[i] / (e->line_words * 4);
            first = i;
        }
        if (op->addr[i] / (e->line_words * 4) == *number && (op->kind != HD_OP_ATOMIC || i / 32 == first / 32))
            mask |= UINT64_C(1) << i;
    }
    return mask;
}

unsigned me_offset(const struct me *e, const struct me_op *op, unsigned lane)
{
    return op->addr[lane] / 4 % e->line_words;
}

uint32_t me_amo(unsigned fn, uint32_t old, uint32_t b, uint32_t cmp)
{
    const int32_t so = (int32_t)old, sb = (int32_t)b;

    switch (fn) {
    case HD_AT_ADD: return old + b;
    case HD_AT_MIN: return so < sb ? old : b;
    case HD_AT_MAX: return so > sb ? old : b;
    case HD_AT_AND: return old & b;
    case HD_AT_OR: return old | b;
    case HD_AT_XOR: return old ^ b;
    case HD_AT_EXCH: return b;
    case HD_AT_CAS: return old == cmp ? b : old;
    case HD_AT_INC: return old >= b ? 0 : old + 1;
    case HD_AT_DEC: return old == 0 || old > b ? b : old - 1;
    case HD_AT_UMIN: return old < b ? old : b;
    case HD_AT_UMAX: return old > b ? old : b;
    default: fail_msg("no atomic function %u", fn); return 0;
    }
}

/* The word that lane @i got must be the one of the reference. */
static void check_lane(struct me *e, const struct me_op *op, unsigned i, const void *data)
{
    const uint64_t got = me_get(data, i * e->word_bits, e->word_bits);
    const uint64_t *word = word_of(e, op, i);

    if (got != *word)
        fail_msg("cycle %llu: %s address %x lane %u: got %llx, expected %llx", (unsigned long long)e->cycle,
                 op->space == HD_SPACE_LDS ? "LDS" : "global", (unsigned)op->addr[i], i, (unsigned long long)got,
                 (unsigned long long)*word);
}

/* Cycles an access of the LDS takes: of its worst bank the words, or the lanes if it is atomic. */
static unsigned passes(const struct me *e, const struct me_op *op, uint64_t mask)
{
    unsigned most = 0;

    for (unsigned b = 0; b < e->lds_banks; b++) {
        unsigned n = 0;

        for (unsigned i = 0; i < ME_LANES; i++) {
            bool counts = (mask >> i & 1) != 0 && op->addr[i] / 4 % e->lds_banks == b;

            for (unsigned k = 0; k < i && counts && op->kind != HD_OP_ATOMIC; k++)
                counts = (mask >> k & 1) == 0 || op->addr[k] != op->addr[i];
            n += counts;
        }
        most = n > most ? n : most;
    }
    return most;
}

void me_perform(struct me *e, const struct me_op *op, uint64_t mask, const void *data)
{
    uint32_t number = 0, touched = 0;

    ME_CHECK(e, mask != 0 && me_first_line(e, op, mask, &number) == mask);
    if (op->space == HD_SPACE_LDS) {
        e->local[op->kind]++;
        e->conflicts += passes(e, op, mask) - 1;
    } else {
        struct me_line *l = me_find(e, number);

        ME_CHECK(e, op->kind == HD_OP_LOAD ? l->l1 != HD_ST_I : l->l1 == HD_ST_M);
        ME_CHECK(e, op->kind == HD_OP_LOAD ? l->other != HD_ST_M : l->other == HD_ST_I);
        l->written = l->written || op->kind != HD_OP_LOAD;
        e->loads += op->kind == HD_OP_LOAD;
        e->stores += op->kind == HD_OP_STORE;
        e->atomics += op->kind == HD_OP_ATOMIC;
    }
    for (unsigned i = 0; i < ME_LANES; i++) { /* with ghosts a store returns what it replaced */
        const bool known = op->space == HD_SPACE_GLOBAL || e->lds_known[op->addr[i] / 4];

        if ((mask >> i & 1) != 0 && op->kind != HD_OP_ATOMIC && (op->kind == HD_OP_LOAD || (e->word_bits == 64 && known)))
            check_lane(e, op, i, data);
    }
    for (unsigned i = 0; i < ME_LANES && op->kind != HD_OP_LOAD; i++) {
        const unsigned w = me_offset(e, op, i);
        uint64_t *word;

        if ((mask >> i & 1) == 0)
            continue;
        word = word_of(e, op, i);
        if (op->kind == HD_OP_ATOMIC) {
            uint32_t old;

            check_lane(e, op, i, data);
            old = (uint32_t)*word;
            *word = op->data[i] >> 32 << 32 | me_amo(op->fn, old, (uint32_t)op->data[i], op->cmp[i]);
            e->lanes += op->space == HD_SPACE_GLOBAL;
            e->fn[op->fn]++;
            e->cas_hit += op->fn == HD_AT_CAS && old == op->cmp[i];
            e->cas_miss += op->fn == HD_AT_CAS && old != op->cmp[i];
            e->same_word += touched >> w & 1;
            touched |= UINT32_C(1) << w;
        } else {
            *word = op->data[i];
            if (op->space == HD_SPACE_LDS)
                e->lds_known[op->addr[i] / 4] = true;
        }
    }
}

/* ---- the end ------------------------------------------------------------------------------------------------ */

bool me_quiet(const struct me *e)
{
    for (unsigned i = 0; i < e->num_lines; i++)
        if (e->line[i].asked || e->line[i].txn != ME_NOTHING)
            return false;
    for (unsigned p = 0; p < e->parts; p++)
        if (e->down_count[p] != 0)
            return false;
    return true;
}

void me_check_end(struct me *e)
{
    const uint64_t *ev = e->ev, *up = e->up, *sent = e->sent;
    const uint64_t requests = up[HD_MSG_GETS] + up[HD_MSG_GETM] + up[HD_MSG_UPG];
    const uint64_t grants = sent[HD_MSG_DATA_S] + sent[HD_MSG_DATA_E] + sent[HD_MSG_DATA_M] + sent[HD_MSG_ACK_M];

    ME_CHECK(e, me_quiet(e));
    ME_CHECK(e, ev[HD_EV_SM_ACCESS] == ev[HD_EV_SM_HIT] + ev[HD_EV_SM_MISS] + ev[HD_EV_SM_MERGE] + ev[HD_EV_SM_REJECT]);
    ME_CHECK(e, ev[HD_EV_SM_HIT] + ev[HD_EV_SM_REPLAY] == e->loads + e->stores + e->atomics);
    ME_CHECK(e, ev[HD_EV_SM_REPLAY] == ev[HD_EV_SM_MISS] + ev[HD_EV_SM_MERGE]);
    ME_CHECK(e, ev[HD_EV_SM_ACC_STORE] == e->stores);
    ME_CHECK(e, ev[HD_EV_SM_ACC_ATOMIC] == e->atomics);
    ME_CHECK(e, ev[HD_EV_SM_LDS] == e->local[HD_OP_LOAD] + e->local[HD_OP_STORE] + e->local[HD_OP_ATOMIC]);
    ME_CHECK(e, ev[HD_EV_SM_LDS_CONFLICT] == e->conflicts);
    ME_CHECK(e, ev[HD_EV_SM_RMW_LANE] == e->lanes);
    ME_CHECK(e, requests == grants);
    ME_CHECK(e, ev[HD_EV_SM_FILL] + ev[HD_EV_SM_LOST_COPY] == grants);
    ME_CHECK(e, ev[HD_EV_SM_UPGRADE] == up[HD_MSG_UPG]);
    ME_CHECK(e, ev[HD_EV_SM_INV] == sent[HD_MSG_INV]);
    ME_CHECK(e, sent[HD_MSG_INV] == up[HD_MSG_INV_ACK]);
    ME_CHECK(e, ev[HD_EV_SM_FETCH] == sent[HD_MSG_FETCH] + sent[HD_MSG_FETCH_INV]);
    ME_CHECK(e, ev[HD_EV_SM_FETCH] == up[HD_MSG_RSP_DATA] + up[HD_MSG_RSP_CLEAN] + up[HD_MSG_RSP_NONE]);
    ME_CHECK(e, ev[HD_EV_SM_EVICT_DIRTY] == up[HD_MSG_PUTM]);
    ME_CHECK(e, ev[HD_EV_SM_EVICT_CLEAN] + ev[HD_EV_SM_LOST_COPY] >= up[HD_MSG_PUTE]);
}

void me_check_flushed(struct me *e)
{
    for (unsigned i = 0; i < e->num_lines; i++) {
        ME_CHECK(e, e->line[i].l1 == HD_ST_I);
        ME_CHECK(e, e->line[i].us != HD_ST_E);
        ME_CHECK(e, clean(e, &e->line[i]));
    }
}
