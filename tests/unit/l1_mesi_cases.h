/* l1_mesi_cases.h - the tests of hd_l1_mesi: the MESI L1 against a directory, another SM and a reference memory in C.
 *
 * For a module with its ports and parameters. In front of it: `d`, the struct of its ports; open_l1(), which opens d; LA_PLACE_W,
 * LA_LINE_W and PERF_W, the widths of those ports; FLUSH, what flushes. l1_cases[] are the tests. */
#ifndef L1_MESI_CASES_H
#define L1_MESI_CASES_H
#include "hd_access.h"
#include "mesi_env.h"

#ifndef P_SlotW
#define P_SlotW HD_SLOT_W
#endif
#ifndef P_Pending
#define P_Pending 0
#define P_ReqCredits 0
#define P_ReqDepth 0
#endif

enum {
    PRT = P_Pending == HD_PENDING_PRT,
    CREDITS = P_ReqCredits ? P_ReqCredits : P_MshrEntries * P_Lanes,
    LANES = P_Lanes,
    LINE_WORDS = P_LineWords,
    WORD_W = P_WordW,
    SETS = P_Sets,
    WAYS = P_Ways,
    ENTRIES = P_MshrEntries,
    OFF_W = (LA_PLACE_W - P_Lanes - P_LineWords) / P_Lanes,
    WARPS = 1 << HD_WARP_W,
    SLOTS = 1 << HD_SLOT_W,
    SLOT_W = P_SlotW, /* the slot, and what the L1 hands back with it */
    SM = 5, /* and its complement */
    LINE_W = LA_LINE_W,
    OPS_CMP = (LANES > LINE_WORDS ? LANES : LINE_WORDS) * WORD_W,
    CPL_WORDS = HD_COMPLETION_W + LANES,
    LINES = SETS * WAYS + (SETS * WAYS > 4 ? 4 : 3),
    PATIENCE = 3000, /* cycles without any completion */
    FIFO = 64,
    MOVES = 1 << HD_EV_SM_FILL | 1 << HD_EV_SM_REPLAY | 1 << HD_EV_SM_EVICT_CLEAN | 1 << HD_EV_SM_EVICT_DIRTY | 1 << HD_EV_SM_INV
            | 1 << HD_EV_SM_FETCH | 1 << HD_EV_SM_UPGRADE | 1 << HD_EV_SM_LOST_COPY
};

/* An operation of a warp: its line accesses are offered one after the other, as the coalescer does. */
struct op {
    struct me_op op;
    bool active;
    uint64_t to_offer, to_complete; /* lanes */
    unsigned to_perform;            /* number of lanes */
};

/* Accesses to one line that were accepted and are not completed; they complete in this order. */
struct access {
    unsigned warp, slot;
    uint64_t mask;
    bool waiting; /* in the pending table */
    bool prefetch; /* no lane, kind below; it is the first that waits for its line */
    unsigned kind;
};
struct queue {
    struct access a[FIFO];
    unsigned head, count;
};

static struct me e;
static unsigned sm = SM; /* that the L1 is of */

static struct {
    struct op op[WARPS][SLOTS];
    struct queue queue[ME_LINES];
    unsigned opid[ME_LINES]; /* of the access that made the line's MSHR entry */
    struct op *now;          /* its accesses are being offered */
    unsigned now_warp, now_slot;
    uint64_t now_mask;
    uint32_t now_line;
    /* what the last edge took in */
    struct access *taken;
    struct me_line *taken_line;
    unsigned taken_state;
    bool refused_possible;    /* an access was offered and not taken */
    bool refused;             /* ... was refused, and nothing was served or has arrived since */
    bool req_left;            /* a request left by the last edge */
    /* the prefetch that is offered when no access is, and the one the last edge took in */
    struct access pf, pf_last;
    struct me_line *pf_offered, *pf_taken;
    unsigned pf_state;
    struct me_line *st_line;  /* an st pulse must follow: line and state */
    unsigned st_state;
    bool may_evict;
    uint32_t evict_set;
    /* replacement order: lines of a set, most recent first */
    struct me_line *recent[SETS][ME_LINES];
    unsigned num_recent[SETS];
    unsigned perf_lanes;      /* announced by perf in the last cycle, 0: nothing */
    bool perf_last;
    /* knobs, chances in 256 */
    unsigned p_op, p_req, p_rsp, p_dn, p_pf;
    bool dn_gate;             /* the message at the door is shown */
    bool flush;
    unsigned spread;
    uint64_t since;           /* cycles without completion */
    uint64_t completions;
    /* coverage */
    uint64_t pair[4][10], refused_full, refused_merge, idle, images, multi_wait, flushed_lines;
    uint64_t wait_targets, wait_stores, wait_cas, wait_entries;
    uint64_t refused_line, refused_queue, refused_credit, dropped;
    uint64_t pf_asked[2], pf_here, pf_pending, pf_no_room;
} s;

static const unsigned dn_event[] = {[HD_MSG_DATA_S] = HD_L1E_DATA_S, [HD_MSG_DATA_E] = HD_L1E_DATA_E,
                                    [HD_MSG_DATA_M] = HD_L1E_DATA_M, [HD_MSG_ACK_M] = HD_L1E_ACK_M,
                                    [HD_MSG_INV] = HD_L1E_INV, [HD_MSG_FETCH] = HD_L1E_FETCH,
                                    [HD_MSG_FETCH_INV] = HD_L1E_FETCH_INV};

static struct queue *queue_of(const struct me_line *l)
{
    return &s.queue[l - e.line];
}

static unsigned kind_of(const struct access *a)
{
    return a->prefetch ? a->kind : s.op[a->warp][a->slot].op.kind;
}

/* What the L1 sees of a slot: above the slot is what it does not look at. */
static unsigned wide_slot(unsigned warp, unsigned slot)
{
    return slot | ((warp * 37 + slot * 11) & ((1u << (SLOT_W - HD_SLOT_W)) - 1)) << HD_SLOT_W;
}

static unsigned set_of(uint32_t number)
{
    return number % SETS;
}

static void touch(struct me_line *l)
{
    struct me_line **r = s.recent[set_of(l->number)];
    unsigned *n = &s.num_recent[set_of(l->number)], i = 0;

    while (i < *n && r[i] != l)
        i++;
    if (i == *n)
        ++*n;
    for (; i > 0; i--)
        r[i] = r[i - 1];
    r[0] = l;
}

static void forget(struct me_line *l)
{
    struct me_line **r = s.recent[set_of(l->number)];
    unsigned *n = &s.num_recent[set_of(l->number)], i = 0;

    while (i < *n && r[i] != l)
        i++;
    ME_CHECK(&e, i < *n);
    for (--*n; i < *n; i++)
        r[i] = r[i + 1];
}

/* ---- outputs that registers show in this cycle ---------------------------------------------------------- */

static void see_completion(void)
{
    const unsigned warp = (unsigned)me_get(d.cpl_o, HD_COMPLETION_WARP_LSB, HD_COMPLETION_WARP_W);
    const unsigned slot = (unsigned)me_get(d.cpl_o, HD_COMPLETION_SLOT_LSB, HD_COMPLETION_SLOT_W);
    const bool last = me_get(d.cpl_o, HD_COMPLETION_LAST_LSB, HD_COMPLETION_LAST_W);
    const unsigned status = (unsigned)me_get(d.cpl_o, HD_COMPLETION_STATUS_LSB, HD_COMPLETION_STATUS_W);
    const uint64_t mask = me_get(d.cpl_o, HD_COMPLETION_W, LANES);
    struct op *o = &s.op[warp % WARPS][slot % SLOTS];
    struct queue *q;
    uint32_t number = 0;
    uint8_t words[LANES * WORD_W / 8];

    for (unsigned i = 0; i < LANES; i++)
        me_put(words, i * WORD_W, WORD_W, me_get(d.cpl_o, CPL_WORDS + i * WORD_W, WORD_W));
    ME_CHECK(&e, (*d.cpl_valid_o != 0) == (s.perf_lanes != 0));
    if (!*d.cpl_valid_o)
        return;
    ME_CHECK(&e, warp < WARPS && o->active);
    ME_CHECK(&e, me_ones(mask) == s.perf_lanes && last == s.perf_last);
    ME_CHECK(&e, status == 0); /* no transaction, no copy to the LDS */
    ME_CHECK(&e, mask != 0 && (mask & ~o->to_complete) == 0);
    me_first_line(&e, &o->op, mask, &number);
    q = &s.queue[me_place(&e, &o->op, number)];
    ME_CHECK(&e, q->count > 0);
    ME_CHECK(&e, q->a[q->head].warp == warp && q->a[q->head].slot == slot && q->a[q->head].mask == mask);
    q->head = (q->head + 1) % FIFO;
    q->count--;
    me_perform(&e, &o->op, mask, words);
    touch(me_find(&e, number));
    o->to_complete &= ~mask;
    ME_CHECK(&e, (o->to_complete == 0) == last);
    if (o->to_complete == 0)
        o->active = false;
    s.since = 0;
    s.completions++;
}

static void see_state(void)
{
    const uint32_t number = (uint32_t)me_get(d.st_o, 0, LINE_W);
    const unsigned now = (unsigned)me_get(d.st_o, LINE_W, 2);
    struct me_line *l;
    unsigned old;

    if (s.st_line != NULL)
        ME_CHECK(&e, *d.st_valid_o && number == s.st_line->number && now == s.st_state);
    if (!*d.st_valid_o)
        return;
    l = me_find(&e, number);
    old = l->l1;
    if (s.st_line == NULL && now == HD_ST_M) {
        const struct queue *q = queue_of(l);

        ME_CHECK(&e, old == HD_ST_E && q->count > 0);
        ME_CHECK(&e, s.op[q->a[q->head].warp][q->a[q->head].slot].op.kind != HD_OP_LOAD);
    } else if (PRT && s.st_line == NULL && s.taken != NULL && s.taken_line == l && s.taken_state == HD_ST_S
               && s.op[s.taken->warp][s.taken->slot].op.kind != HD_OP_LOAD) {
        ME_CHECK(&e, now == HD_ST_I); /* the copy goes, the line is asked for to write */
        s.dropped++;
    } else if (s.st_line == NULL) {
        ME_CHECK(&e, now == HD_ST_I);
        s.pair[old][HD_L1E_EVICT]++;
        if (s.may_evict) { /* replacement: the least recently used line of a full set */
            const unsigned set = set_of(l->number);

            ME_CHECK(&e, set == s.evict_set);
            ME_CHECK(&e, s.num_recent[set] == WAYS && s.recent[set][WAYS - 1] == l);
        } else {
            ME_CHECK(&e, s.flush);
            s.flushed_lines++;
        }
    }
    if (old == HD_ST_I)
        touch(l);
    if (now == HD_ST_I)
        forget(l);
    ME_CHECK(&e, s.num_recent[set_of(l->number)] <= WAYS);
    me_state(&e, l->number, now);
}

/* The prefetch that was taken has asked for its line, or it was dropped. */
static void see_prefetch(bool asked)
{
    struct queue *own = queue_of(s.pf_taken);
    unsigned entries = 0, targets = 0, stores = 0, here = 0;
    const bool write = s.pf_last.kind != HD_OP_LOAD;

    for (unsigned i = 0; i < e.num_lines; i++) {
        const struct queue *q = &s.queue[i];
        unsigned waiting = 0;

        for (unsigned n = 0; n < q->count; n++) {
            const struct access *a = &q->a[(q->head + n) % FIFO];

            waiting += a->waiting;
            stores += a->waiting && kind_of(a) != HD_OP_LOAD;
        }
        entries += waiting > 0;
        targets += waiting;
        here += q == own ? waiting : 0;
    }
    if (write ? s.pf_state == HD_ST_E || s.pf_state == HD_ST_M : s.pf_state != HD_ST_I) {
        ME_CHECK(&e, !asked);
        s.pf_here++;
    } else if (here > 0) {
        ME_CHECK(&e, !asked);
        s.pf_pending++;
    } else if (entries == ENTRIES || targets == P_MshrTargets || (write && stores == P_StoreData)) {
        ME_CHECK(&e, !asked);
        s.pf_no_room++;
    } else {
        ME_CHECK(&e, asked && own->count < FIFO);
        own->a[(own->head + own->count++) % FIFO] = s.pf_last;
        s.opid[s.pf_taken - e.line] = (s.pf_last.slot << HD_WARP_W | s.pf_last.warp) % (1u << HD_OPID_W);
        s.pf_asked[write]++;
    }
    s.pf_taken = NULL;
}

static void see_events(void)
{
    const uint64_t ev = *d.ev_o;
    const bool accepted = (ev >> HD_EV_SM_HIT | ev >> HD_EV_SM_MISS | ev >> HD_EV_SM_MERGE) & 1;
    unsigned entries = 0, targets = 0, stores = 0, cas = 0, line_lanes = 0, line_targets = 0;
    unsigned same_mark = 0, not_asked = 0;
    bool waits[WARPS][SLOTS] = {0}, mine = false;
    const struct me_line *about;
    const struct me_op *op;
    uint64_t mask;

    me_events(&e, ev);
    ME_CHECK(&e, (ev >> HD_EV_SM_PREFETCH & 1) + (ev >> HD_EV_SM_PF_DROP & 1) == (s.pf_taken != NULL));
    if (s.pf_taken != NULL)
        see_prefetch(ev >> HD_EV_SM_PREFETCH & 1);
    ME_CHECK(&e, !s.refused || (ev >> HD_EV_SM_ACCESS & 1) == 0); /* not tried again */
    s.refused = (ev >> HD_EV_SM_REJECT & 1) != 0 || (s.refused && (ev & MOVES) == 0 && !(PRT && s.req_left));
    ME_CHECK(&e, accepted == (s.taken != NULL));
    if ((ev >> HD_EV_SM_ACCESS & 1) == 0)
        return;
    if (accepted) {
        about = s.taken_line;
        op = &s.op[s.taken->warp][s.taken->slot].op;
        mask = s.taken->mask;
        s.taken->waiting = (ev >> HD_EV_SM_HIT & 1) == 0;
        ME_CHECK(&e, (ev >> HD_EV_SM_ACC_STORE & 1) == (op->kind == HD_OP_STORE));
        ME_CHECK(&e, (ev >> HD_EV_SM_ACC_ATOMIC & 1) == (op->kind == HD_OP_ATOMIC));
    } else {
        ME_CHECK(&e, s.refused_possible);
        about = me_find(&e, s.now_line);
        op = &s.now->op;
        mask = s.now_mask;
    }
    for (unsigned i = 0; i < e.num_lines; i++) {
        const struct queue *q = &s.queue[i];
        unsigned waiting = 0;

        for (unsigned n = 0; n < q->count; n++) {
            const struct access *a = &q->a[(q->head + n) % FIFO];
            const struct me_op *o = a->prefetch ? NULL : &s.op[a->warp][a->slot].op;

            if (!a->waiting)
                continue;
            waiting++;
            if (o != NULL)
                waits[a->warp][a->slot] = true;
            stores += kind_of(a) != HD_OP_LOAD;
            cas += o != NULL && o->kind == HD_OP_ATOMIC && o->fn == HD_AT_CAS;
            if (&e.line[i] == about)
                line_lanes += me_ones(a->mask);
        }
        targets += waiting;
        entries += !PRT && waiting != 0;
        not_asked += waiting != 0 && !e.line[i].asked;
        same_mark += waiting != 0 && (e.line[i].number ^ about->number) % 2048 == 0; /* of the table's filter */
        if (&e.line[i] == about)
            line_targets = waiting;
    }
    for (unsigned i = 0; PRT && i < WARPS * SLOTS; i++) {
        entries += waits[i / SLOTS][i % SLOTS];
        mine |= waits[i / SLOTS][i % SLOTS] && op == &s.op[i / SLOTS][i % SLOTS].op;
    }
    s.multi_wait += entries > 1;
    if (ev >> HD_EV_SM_HIT & 1) {
        ME_CHECK(&e, line_targets == 0);
        ME_CHECK(&e, op->kind == HD_OP_LOAD ? s.taken_state != HD_ST_I
                                            : s.taken_state == HD_ST_E || s.taken_state == HD_ST_M);
    } else if (ev >> HD_EV_SM_MISS & 1) {
        ME_CHECK(&e, line_targets == 1);
        ME_CHECK(&e, op->kind == HD_OP_LOAD ? s.taken_state == HD_ST_I
                                            : s.taken_state == HD_ST_I || s.taken_state == HD_ST_S);
        s.opid[about - e.line] = (wide_slot(s.taken->warp, s.taken->slot) << HD_WARP_W | s.taken->warp) % (1u << HD_OPID_W);
    } else if (ev >> HD_EV_SM_MERGE & 1) {
        ME_CHECK(&e, line_targets > 1);
        ME_CHECK(&e, line_lanes <= P_MergeLanes);
    }
    if (accepted) {
        ME_CHECK(&e, entries <= ENTRIES && targets <= (PRT ? CREDITS : P_MshrTargets) && stores <= P_StoreData && cas <= P_CasData);
        s.wait_entries += entries == ENTRIES;
        s.wait_targets += targets == (PRT ? CREDITS : P_MshrTargets);
        s.wait_stores += stores == P_StoreData;
        s.wait_cas += cas == P_CasData;
    }
    if (ev >> HD_EV_SM_REJ_MERGE & 1) {
        ME_CHECK(&e, line_targets > 0 && line_lanes + me_ones(mask) > P_MergeLanes);
        s.refused_merge++;
    }
    if (ev >> HD_EV_SM_REJ_ENTRY & 1) {
        ME_CHECK(&e, entries == ENTRIES && (PRT ? !mine : line_targets == 0));
        s.refused_full++;
    }
    if (ev >> HD_EV_SM_REJ_QUEUE & 1) {
        ME_CHECK(&e, (PRT ? not_asked + 1 > P_ReqDepth - 1 : targets == P_MshrTargets) /* one may have left */
                         || (op->kind != HD_OP_LOAD && stores == P_StoreData)
                         || (op->kind == HD_OP_ATOMIC && op->fn == HD_AT_CAS && cas == P_CasData));
        s.refused_queue++;
    }
    if (ev >> HD_EV_SM_REJ_CREDIT & 1) {
        ME_CHECK(&e, PRT && targets == CREDITS);
        s.refused_credit++;
    }
    if (ev >> HD_EV_SM_REJ_LINE & 1) {
        ME_CHECK(&e, PRT && same_mark > 0);
        s.refused_line++;
    }
}

/* ---- one cycle ---------------------------------------------------------------------------------------------- */

static void put_access(unsigned warp, unsigned slot, unsigned kind, unsigned fn, bool prefetch)
{
    me_put(d.la_acc_i, 0, HD_ACCESS_W, hd_access_pack((struct hd_access){.warp = warp, .slot = slot % SLOTS,
           .tag = slot / SLOTS, .kind = kind, .fn = fn, .prefetch = prefetch}));
}

/* Of all the lanes, the lanes that access, and the words that they touch. */
static void put_place(const unsigned *offs, uint64_t mask, uint32_t words)
{
    me_put(d.la_place_i, 0, LINE_WORDS, words);
    for (unsigned i = 0; i < LANES; i++)
        me_put(d.la_place_i, LINE_WORDS + i * OFF_W, OFF_W, offs[i]);
    me_put(d.la_place_i, LINE_WORDS + LANES * OFF_W, LANES, mask);
}

static void drive_access(void)
{
    unsigned offs[P_Lanes] = {0};
    uint32_t words = 0;
    const struct me_op *op;

    const bool prefetch = s.now == NULL && s.pf_offered != NULL;

    *d.la_valid_i = s.now != NULL || prefetch;
    if (prefetch) {
        put_access(s.pf.warp, s.pf.slot, s.pf.kind, 0, true);
        *d.la_line_i = s.pf_offered->number;
        put_place(offs, 0, 0);
    }
    if (s.now == NULL)
        return;
    op = &s.now->op;
    s.now_mask = me_first_line(&e, op, s.now->to_offer, &s.now_line);
    put_access(s.now_warp, wide_slot(s.now_warp, s.now_slot), op->kind, op->fn, false);
    *d.la_line_i = s.now_line;
    for (unsigned i = 0; i < LANES; i++) {
        const unsigned w = me_offset(&e, op, i);

        offs[i] = w;
        me_put(d.la_ops_i, OPS_CMP + i * 32, 32, op->cmp[i]);
        if (op->kind == HD_OP_ATOMIC)
            me_put(d.la_ops_i, i * WORD_W, WORD_W, op->data[i]);
        if ((s.now_mask >> i & 1) == 0)
            continue;
        if (op->kind == HD_OP_STORE)
            me_put(d.la_ops_i, w * WORD_W, WORD_W, op->data[i]);
        words |= UINT32_C(1) << w;
    }
    put_place(offs, s.now_mask, words);
}

static void drive_down(void)
{
    const struct me_msg *m = me_offer(&e);

    s.dn_gate = m != NULL && (s.dn_gate || me_chance(&e, s.p_dn));
    *d.dn_valid_i = s.dn_gate;
    if (m == NULL)
        return;
    me_put_head(d.dn_head_i, m);
    for (unsigned w = 0; w < LINE_WORDS; w++)
        me_put(d.dn_data_i, w * WORD_W, WORD_W, m->data[w]);
}

static void take_prefetch(void)
{
    s.pf_last = s.pf;
    s.pf_taken = s.pf_offered;
    s.pf_state = s.pf_offered->l1;
    s.pf_offered = NULL;
}

static void take_access(void)
{
    const unsigned place = me_place(&e, &s.now->op, s.now_line);
    struct queue *q = &s.queue[place];

    ME_CHECK(&e, q->count < FIFO);
    s.taken = &q->a[(q->head + q->count++) % FIFO];
    *s.taken = (struct access){s.now_warp, s.now_slot, s.now_mask, false, false, 0};
    s.taken_line = &e.line[place];
    s.taken_state = s.taken_line->l1;
    s.pair[s.taken_state][s.now->op.kind == HD_OP_LOAD ? HD_L1E_LOAD : HD_L1E_STORE]++;
    s.now->to_offer &= ~s.now_mask;
    if (s.now->to_offer == 0)
        s.now = NULL;
}

static void take_down(void)
{
    const struct me_msg *m = me_offer(&e);
    struct me_line *l = me_find(&e, m->addr / (LINE_WORDS * 4));
    unsigned next = l->l1;
    struct queue *q = queue_of(l);

    s.pair[l->l1][dn_event[m->kind]]++;
    /* the prefetch is the first to be served, and it leaves nothing */
    if (q->count > 0 && q->a[q->head].prefetch && (m->kind <= HD_MSG_DATA_M || (m->kind == HD_MSG_ACK_M && l->l1 == HD_ST_S))) {
        q->head = (q->head + 1) % FIFO;
        q->count--;
    }
    switch (m->kind) {
    case HD_MSG_DATA_S: next = HD_ST_S; break;
    case HD_MSG_DATA_E: next = HD_ST_E; break;
    case HD_MSG_DATA_M: next = HD_ST_M; break;
    case HD_MSG_ACK_M: next = l->l1 == HD_ST_S ? HD_ST_M : HD_ST_I; break;
    case HD_MSG_FETCH: next = l->l1 == HD_ST_I ? HD_ST_I : HD_ST_S; break;
    default: next = HD_ST_I; break;
    }
    if (next != l->l1) {
        s.st_line = l;
        s.st_state = next;
    }
    s.dn_gate = false;
    me_offer_taken(&e);
}

static void take_request(void)
{
    const struct queue *q;
    struct me_line *l;
    struct me_msg m;

    me_get_head(d.req_head_o, &m);
    l = me_find(&e, m.addr / (LINE_WORDS * 4));
    q = queue_of(l);
    ME_CHECK(&e, q->count > 0 && q->a[q->head].waiting);
    ME_CHECK(&e, (kind_of(&q->a[q->head]) == HD_OP_LOAD) == (m.kind == HD_MSG_GETS));
    ME_CHECK(&e, m.opid == s.opid[l - e.line]);
    ME_CHECK(&e, me_get(d.mshr_busy_o, m.tid, 1) == 1);
    me_request(&e, &m);
}

static void take_response(void)
{
    struct me_msg m;

    me_get_head(d.rsp_head_o, &m);
    for (unsigned w = 0; w < LINE_WORDS; w++)
        m.data[w] = me_get(d.rsp_data_o, w * WORD_W, WORD_W);
    me_response(&e, &m);
}

/* The edge of a cycle in which idle_o is high and no input is active: nothing may change. */
static void idle_edge(void)
{
    const bool image = s.idle++ % 16 == 0;
    size_t size = 0, size2 = 0;
    void *a, *b;

    hd_eval(d.m); /* the assertions' samples settle one evaluation later */
    a = image ? hd_model_save(d.m, &size) : NULL;
    ME_CHECK(&e, *d.ev_o == 0 && !*d.st_valid_o && !*d.cpl_valid_o && !*d.perf_valid_o);
    ME_CHECK(&e, !*d.req_valid_o && !*d.rsp_valid_o && !*d.flushing_o);
    hd_edge(d.m);
    ME_CHECK(&e, *d.idle_o && *d.ev_o == 0 && !*d.st_valid_o && !*d.cpl_valid_o && !*d.perf_valid_o);
    ME_CHECK(&e, !*d.req_valid_o && !*d.rsp_valid_o && !*d.flushing_o && !*d.la_ready_o);
    if (a == NULL)
        return;
    b = hd_model_save(d.m, &size2);
    ME_CHECK(&e, b != NULL && size == size2 && memcmp(a, b, size) == 0);
    free(a);
    free(b);
    s.images++;
}

static void cycle(void)
{
    uint32_t door = 0;
    bool door_data = false;

    me_step(&e);
    drive_access();
    drive_down();
    *d.req_ready_i = me_chance(&e, s.p_req);
    *d.rsp_ready_i = me_chance(&e, s.p_rsp);
    hd_eval(d.m);
    see_completion();
    see_state();
    see_events();

    s.perf_lanes = 0;
    *d.perf_last_i = 0;
    if (*d.perf_valid_o) {
        const unsigned warp = (unsigned)me_get(d.perf_o, 0, HD_WARP_W), slot = (unsigned)me_get(d.perf_o, HD_WARP_W, SLOT_W);
        const unsigned lanes = (unsigned)me_get(d.perf_o, HD_WARP_W + SLOT_W, PERF_W - HD_WARP_W - SLOT_W);
        struct op *o = &s.op[warp % WARPS][slot % SLOTS];

        ME_CHECK(&e, slot == wide_slot(warp, slot % SLOTS));
        ME_CHECK(&e, lanes > 0 && lanes <= o->to_perform);
        o->to_perform -= lanes;
        s.perf_lanes = lanes;
        s.perf_last = o->to_perform == 0;
        *d.perf_last_i = s.perf_last;
    }

    s.taken = NULL;
    s.st_line = NULL;
    s.may_evict = false;
    s.refused_possible = *d.la_valid_i && !*d.la_ready_o;
    if (*d.dn_valid_i) {
        door = me_offer(&e)->addr;
        door_data = me_offer(&e)->kind <= HD_MSG_DATA_M;
    }
    ME_CHECK(&e, !*d.la_ready_o || *d.la_valid_i);
    ME_CHECK(&e, !*d.dn_ready_o || *d.dn_valid_i);
    if (*d.dn_valid_i && !*d.dn_ready_o && door_data) {
        s.may_evict = !s.flush || s.num_recent[set_of(door / (LINE_WORDS * 4))] == WAYS;
        s.evict_set = set_of(door / (LINE_WORDS * 4));
    }
    if (*d.la_ready_o && s.now == NULL)
        take_prefetch();
    else if (*d.la_ready_o)
        take_access();
    if (*d.dn_ready_o)
        take_down();
    s.req_left = *d.req_valid_o && *d.req_ready_i;
    if (s.req_left)
        take_request();
    if (*d.rsp_valid_o && *d.rsp_ready_i)
        take_response();
    if (++s.since > PATIENCE) {
        bool any = s.now != NULL;

        for (unsigned i = 0; i < ME_LINES; i++)
            any = any || s.queue[i].count > 0;
        ME_CHECK(&e, !any);
    }
    if (*d.idle_o && !*d.dn_valid_i && !*d.flush_i)
        idle_edge();
    else
        hd_edge(d.m);
    *d.flush_i = 0;
}

/* ---- tools of the tests ---------------------------------------------------------------------------------------- */

static void fresh(void)
{
    const uint32_t upper = ((UINT32_C(1) << LINE_W) - 1) & ~UINT32_C(15);
    uint32_t numbers[LINES], base;

    hd_reset(d.m);
    memset(&s, 0, sizeof s);
    sm ^= (1u << HD_HEAD_SRC_W) - 1; /* every bit of it is 0 in one of two tests, and 1 */
    /* neighbours, two lines that differ from the first two in the highest bit, two with other upper bits */
    base = (uint32_t)hd_rand() & upper;
    for (unsigned i = 0; i < LINES; i++)
        numbers[i] = i < LINES - 2 ? base | i : (base | (i - (LINES - 2))) ^ UINT32_C(1) << (LINE_W - 1);
    numbers[2] ^= upper;
    numbers[3] ^= upper;
    me_init(&e, LINE_WORDS, WORD_W == 64, 1u << P_PartBits, sm, ENTRIES, numbers, LINES, hd_rand());
    e.prt = PRT;
    *d.sm_id_i = (uint8_t)sm;
    s.p_req = s.p_rsp = s.p_dn = 256;
    s.spread = 3;
}

static int setup(void **state)
{
    (void)state;
    open_l1();
    fresh();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static void drain(void)
{
    unsigned quiet = 0, n = 0;
    bool busy;

    do {
        ME_CHECK(&e, n++ < 2 * PATIENCE);
        cycle();
        busy = s.now != NULL || s.pf_offered != NULL || !me_quiet(&e) || !*d.idle_o || *d.req_valid_o || *d.rsp_valid_o;
        for (unsigned i = 0; i < ME_LINES; i++)
            busy = busy || s.queue[i].count > 0;
        quiet = busy ? 0 : quiet + 1;
    } while (quiet < 4);
    ME_CHECK(&e, me_get(d.mshr_busy_o, 0, ENTRIES) == 0);
    ME_CHECK(&e, e.ev[HD_EV_SM_EVICT_DIRTY] == s.pair[HD_ST_M][HD_L1E_EVICT]);
    ME_CHECK(&e, e.ev[HD_EV_SM_EVICT_CLEAN] == s.pair[HD_ST_S][HD_L1E_EVICT] + s.pair[HD_ST_E][HD_L1E_EVICT]);
}

static void start(const struct me_op *op, unsigned warp, unsigned slot)
{
    struct op *o = &s.op[warp][slot];

    ME_CHECK(&e, s.now == NULL && !o->active);
    o->op = *op;
    o->active = true;
    o->to_offer = o->to_complete = op->mask;
    o->to_perform = me_ones(op->mask);
    s.now = o;
    s.now_warp = warp;
    s.now_slot = slot;
}

static void flush(void)
{
    drain();
    *d.flush_i = FLUSH;
    s.flush = true;
    for (unsigned n = 0; n == 0 || *d.flushing_o; n++) {
        ME_CHECK(&e, n < PATIENCE);
        cycle();
    }
    drain();
    s.flush = false;
    for (unsigned i = 0; i < SETS; i++)
        ME_CHECK(&e, s.num_recent[i] == 0);
    me_check_flushed(&e);
}

/* An operation of lanes 0..lanes-1 on words first, first+step, ... of line number index. */
static struct me_op make(unsigned kind, unsigned fn, unsigned index, unsigned lanes, unsigned first, unsigned step,
                         uint64_t data)
{
    struct me_op op = {.kind = kind, .fn = fn, .mask = UINT64_MAX >> (64 - lanes)};

    for (unsigned i = 0; i < LANES; i++) {
        op.addr[i] = (e.line[index].number * LINE_WORDS + (first + i * step) % LINE_WORDS) * 4;
        op.data[i] = data + i;
    }
    return op;
}

/* Starts an operation and runs until it is accepted. @return cycles that took. */
static unsigned offer(const struct me_op *op, unsigned warp)
{
    unsigned n = 0;

    start(op, warp, 0);
    for (; s.now != NULL; n++)
        cycle();
    return n;
}

/* Offers a prefetch of the line of that index. */
static void prefetch(unsigned index, unsigned kind)
{
    s.pf = (struct access){me_below(&e, WARPS), me_below(&e, 1u << SLOT_W), 0, true, true, kind};
    s.pf_offered = &e.line[index];
}

/* Cycles until the warp's operation has completed, counted from the edge that accepted it. */
static unsigned completes(unsigned warp)
{
    unsigned n = 0;

    for (; s.op[warp][0].active; n++) {
        cycle();
        ME_CHECK(&e, n < PATIENCE);
    }
    return n;
}

static void run(const struct me_op *op)
{
    offer(op, 0);
    completes(0);
}

/* ---- directed -------------------------------------------------------------------------------------------------- */

static void a_hit_completes_two_cycles_after_its_decision(void **state)
{
    const struct me_op load = make(HD_OP_LOAD, 0, 0, 3, 1, 1, 0), store = make(HD_OP_STORE, 0, 0, 2, 0, 1, 7);

    (void)state;
    run(&load);
    assert_int_equal(e.line[0].l1, HD_ST_E);
    assert_int_equal(offer(&load, 1), 1);
    assert_int_equal(completes(1), 2);
    assert_int_equal(offer(&store, 1), 1);
    assert_int_equal(completes(1), 2);
    assert_int_equal(e.line[0].l1, HD_ST_M);
    assert_int_equal(e.up[HD_MSG_UPG] + e.up[HD_MSG_GETM], 0); /* E to M is silent */
    drain();
    me_check_end(&e);
}

static void a_prefetched_line_is_here_and_nothing_completes(void **state)
{
    const struct me_op load = make(HD_OP_LOAD, 0, 0, 3, 1, 1, 0), store = make(HD_OP_STORE, 0, 0, 2, 0, 1, 7);

    (void)state;
    if (PRT)
        return;
    e.line[0].other = HD_ST_S;
    for (unsigned i = 0; i < 2; i++) { /* the second time it is here */
        prefetch(0, HD_OP_LOAD);
        drain();
    }
    assert_int_equal(e.up[HD_MSG_GETS], 1);
    assert_int_equal(e.line[0].l1, HD_ST_S);
    assert_int_equal(s.completions, 0);
    assert_int_equal(offer(&load, 1), 1);
    assert_int_equal(completes(1), 2);
    prefetch(0, HD_OP_STORE);
    drain();
    assert_int_equal(e.up[HD_MSG_UPG], 1);
    assert_int_equal(e.line[0].l1, HD_ST_M);
    assert_int_equal(offer(&store, 2), 1);
    assert_int_equal(completes(2), 2);
    e.line[1].hold = true; /* a miss joins the entry of a prefetch */
    prefetch(1, HD_OP_LOAD);
    for (unsigned i = 0; i < 3; i++)
        cycle();
    prefetch(1, HD_OP_STORE); /* on the way */
    for (unsigned i = 0; i < 3; i++)
        cycle();
    assert_int_equal(s.pf_pending, 1);
    e.line[1].hold = false;
    drain();
    assert_int_equal(s.pf_asked[0] + s.pf_asked[1], 3);
    assert_int_equal(s.pf_here, 1);
    me_check_end(&e);
}

static void a_fill_serves_one_waiting_access_a_cycle(void **state)
{
    const struct me_op load = make(HD_OP_LOAD, 0, 0, 1, 1, 1, 0);
    const unsigned n = P_MshrTargets < P_MergeLanes ? P_MshrTargets : P_MergeLanes; /* PRT: 1 */
    unsigned t = 0;

    (void)state;
    e.line[0].hold = true;
    for (unsigned i = 0; i < n; i++)
        offer(&load, i);
    for (unsigned i = 0; i < 10; i++)
        cycle();
    e.line[0].hold = false;
    while (e.line[0].asked)
        cycle();
    while (s.completions < n) { /* the grant was taken by the last edge: T */
        cycle();
        t++;
        assert_int_equal(s.completions, t > 2 ? t - 2 : 0);
    }
    assert_int_equal(e.ev[HD_EV_SM_MISS], 1);
    assert_int_equal(e.ev[HD_EV_SM_MERGE], n - 1);
    drain();
    me_check_end(&e);
}

static void lanes_on_one_word_are_served_in_ascending_order(void **state)
{
    enum { ONE = LANES > 32 ? 32 : LANES }; /* lanes of an access: the coalescer sends halves apart */
    const struct me_op zero = make(HD_OP_STORE, 0, 0, 1, 2, 0, 10);
    const struct me_op add = make(HD_OP_ATOMIC, HD_AT_ADD, 0, ONE, 2, 0, 1);
    struct me_op exch = make(HD_OP_ATOMIC, HD_AT_EXCH, 0, ONE, 2, 0, 100);
    uint32_t sum = 10;

    (void)state;
    run(&zero);
    assert_int_equal(offer(&add, 1), 1);
    assert_int_equal(completes(1), ONE + 3); /* performed after ONE + 2 */
    for (unsigned i = 0; i < ONE; i++) {
        assert_int_equal((uint32_t)me_get(d.cpl_o, CPL_WORDS + i * WORD_W, 32), sum);
        sum += i + 1;
    }
    run(&exch);
    for (unsigned i = 0; i < ONE; i++)
        assert_int_equal((uint32_t)me_get(d.cpl_o, CPL_WORDS + i * WORD_W, 32), i == 0 ? sum : 99 + i);
    drain();
    me_check_end(&e);
}

static void an_upgrade_that_loses_its_copy_gives_back_and_asks_again(void **state)
{
    const unsigned a = 0, b = SETS;
    const struct me_op load = make(HD_OP_LOAD, 0, a, 1, 0, 0, 0), store = make(HD_OP_STORE, 0, a, 1, 0, 0, 55);

    (void)state;
    if (ENTRIES < 2 || PRT) /* no upgrades */
        skip();
    me_other(&e, &e.line[a], ME_READ);
    run(&load);
    assert_int_equal(e.line[a].l1, HD_ST_S);
    e.line[a].hold = true;
    offer(&store, 1);
    for (unsigned i = 0; i < WAYS; i++) { /* pushes line a out */
        const struct me_op other = make(HD_OP_LOAD, 0, b + i * SETS, 1, 0, 0, 0);

        assert_int_equal(set_of(e.line[b + i * SETS < LINES ? b + i * SETS : 0].number), set_of(e.line[a].number));
        run(&other);
    }
    assert_int_equal(e.line[a].l1, HD_ST_I);
    assert_int_equal(e.up[HD_MSG_UPG], 1);
    e.line[a].hold = false;
    completes(1);
    assert_int_equal(e.sent[HD_MSG_ACK_M], 1);
    assert_true(e.up[HD_MSG_PUTE] >= 1);
    assert_int_equal(e.up[HD_MSG_GETM], 1);
    assert_int_equal(e.ev[HD_EV_SM_LOST_COPY], 1);
    drain();
    me_check_end(&e);
}

static void an_upgrade_after_an_invalidation_is_granted_with_data(void **state)
{
    const struct me_op load = make(HD_OP_LOAD, 0, 0, 1, 0, 0, 0);
    const struct me_op add = make(HD_OP_ATOMIC, HD_AT_ADD, 0, 1, 0, 0, 1);

    (void)state;
    me_other(&e, &e.line[0], ME_READ);
    run(&load);
    e.line[0].hold = true;
    offer(&add, 1);
    me_other(&e, &e.line[0], ME_WRITE);
    while (e.line[0].other != HD_ST_M || !e.line[0].asked)
        cycle();
    assert_int_equal(e.line[0].l1, HD_ST_I);
    e.line[0].hold = false;
    completes(1);
    assert_int_equal(e.up[HD_MSG_INV_ACK], 1);
    assert_int_equal(e.up[PRT ? HD_MSG_GETM : HD_MSG_UPG], 1);
    assert_int_equal(e.sent[HD_MSG_DATA_M], 1);
    drain();
    me_check_end(&e);
}

static void a_replaced_line_is_given_back_by_its_state(void **state)
{
    static const unsigned want[3] = {HD_MSG_PUTM, HD_MSG_PUTE, HD_MSG_NONE};

    (void)state;
    for (unsigned k = 0; k < 3; k++) {
        uint64_t m = e.up[HD_MSG_PUTM], x = e.up[HD_MSG_PUTE];
        const struct me_op first = make(k == 0 ? HD_OP_STORE : HD_OP_LOAD, 0, 0, 1, 0, 0, 9);

        flush();
        m = e.up[HD_MSG_PUTM];
        x = e.up[HD_MSG_PUTE];
        if (k == 2)
            me_other(&e, &e.line[0], ME_READ);
        run(&first);
        for (unsigned i = 0; i < WAYS; i++) {
            const struct me_op other = make(HD_OP_LOAD, 0, (i + 1) * SETS, 1, 0, 0, 0);

            assert_int_equal(set_of(e.line[(i + 1) * SETS].number), set_of(e.line[0].number));
            run(&other);
        }
        drain();
        assert_int_equal(e.line[0].l1, HD_ST_I);
        assert_int_equal(e.up[HD_MSG_PUTM] - m, want[k] == HD_MSG_PUTM);
        assert_int_equal(e.up[HD_MSG_PUTE] - x, want[k] == HD_MSG_PUTE);
    }
    me_check_end(&e);
}

static void a_full_writeback_buffer_stops_messages_but_not_hits(void **state)
{
    const struct me_op load = make(HD_OP_LOAD, 0, 0, 1, 0, 0, 0);

    (void)state;
    for (unsigned i = 0; i < LINES; i++) {
        const struct me_op fill = make(HD_OP_STORE, 0, i, 1, 0, 0, i);

        run(&fill);
    }
    run(&load);
    drain();
    s.p_rsp = 0;
    for (unsigned i = 1; i < LINES; i++)
        me_other(&e, &e.line[i], ME_WRITE);
    for (unsigned i = 0; i < 100; i++)
        cycle();
    assert_int_equal(e.up[HD_MSG_RSP_DATA], 0);
    assert_int_equal(e.ev[HD_EV_SM_FETCH], P_WbEntries);
    offer(&load, 1);
    assert_int_equal(completes(1), 2);
    s.p_rsp = 256;
    drain();
    me_check_end(&e);
}

static void flush_gives_everything_back(void **state)
{
    (void)state;
    for (unsigned i = 0; i < LINES; i++) {
        const struct me_op op = make(i % 3 == 0 ? HD_OP_LOAD : HD_OP_STORE, 0, i, 2, 1, 1, 1000 + i);

        if (i % 3 == 0 && i % 2 == 0)
            me_other(&e, &e.line[i], ME_READ);
        run(&op);
    }
    flush();
    flush(); /* of an empty cache */
    for (unsigned i = 0; i < LINES; i++) {
        const struct me_op op = make(HD_OP_LOAD, 0, i, 2, 1, 1, 0);

        run(&op);
    }
    drain();
    assert_int_equal(e.ev[HD_EV_SM_MISS], 2 * LINES);
    me_check_end(&e);
}

/* What l1.reject counts: once when the access is refused, and once for each message that has arrived since and has made
 * no room; not once a cycle. */
static void a_refused_access_is_tried_once_after_each_arrival(void **state)
{
    const struct me_op load = make(HD_OP_LOAD, 0, 0, 1, 0, 0, 0);
    unsigned n = 1;

    (void)state;
    run(&load);
    assert_int_equal(e.line[0].l1, HD_ST_E);
    for (; !s.refused; n++) { /* the last one is refused */
        const struct me_op other = make(HD_OP_LOAD, 0, n, 1, 0, 0, 0);

        assert_true(n < LINES);
        e.line[n].hold = true;
        start(&other, n % WARPS, 0);
        for (unsigned i = 0; i < 4; i++)
            cycle();
    }
    for (unsigned i = 0; i < 20; i++) /* requests that wait leave */
        cycle();
    const uint64_t first = e.ev[HD_EV_SM_REJECT];

    assert_true(PRT ? first >= 1 : first == 1);
    for (unsigned k = 1; k <= 2; k++) { /* FETCH, then INV */
        me_other(&e, &e.line[0], k == 1 ? ME_READ : ME_WRITE);
        while (e.line[0].l1 != (k == 1 ? HD_ST_S : HD_ST_I))
            cycle();
        for (unsigned i = 0; i < 20; i++)
            cycle();
        assert_int_equal(e.sent[k == 1 ? HD_MSG_FETCH : HD_MSG_INV], 1);
        assert_int_equal(e.ev[HD_EV_SM_REJECT], first + k);
    }
    for (unsigned i = 1; i < n; i++)
        e.line[i].hold = false;
    drain();
    assert_int_equal(e.ev[HD_EV_SM_MISS], n);
    me_check_end(&e);
}

static void a_reset_forgets_accesses_and_flush(void **state)
{
    struct me_op load, store;

    (void)state;
    for (unsigned i = 0; i < LINES; i++)
        e.line[i].hold = true;
    for (unsigned i = 0; !s.refused; i++) {
        const struct me_op other = make(HD_OP_LOAD, 0, i % LINES, 1, 0, 0, 0);

        if (s.now == NULL)
            start(&other, i % WARPS, 0);
        cycle();
    }
    fresh();
    assert_int_equal(me_get(d.mshr_busy_o, 0, ENTRIES), 0);
    load = make(HD_OP_LOAD, 0, 0, 1, 0, 0, 0);
    store = make(HD_OP_STORE, 0, 0, 1, 0, 0, 3);
    assert_int_equal(offer(&load, 1), 1);
    completes(1);
    run(&store);
    *d.flush_i = FLUSH;
    s.flush = true;
    cycle();
    cycle();
    assert_true(*d.flushing_o);
    fresh();
    assert_true(!*d.flushing_o && !*d.st_valid_o && !*d.rsp_valid_o && *d.idle_o);
    load = make(HD_OP_LOAD, 0, 0, 1, 0, 0, 0);
    run(&load);
    flush();
    me_check_end(&e);
}

/* ---- random ------------------------------------------------------------------------------------------------------ */

static void random_phase(void)
{
    static const unsigned often[] = {256, 200, 128, 30};

    s.p_req = often[me_below(&e, 4)];
    s.p_rsp = often[me_below(&e, 4)];
    s.p_dn = often[me_below(&e, 4)];
    s.p_op = me_chance(&e, 100) ? 256 : 10 + me_below(&e, 120);
    s.spread = 1 + me_below(&e, 4);
    s.p_pf = PRT ? 0 : 50 * me_below(&e, 3); /* no configuration has both */
    e.p_serve = me_chance(&e, 128) ? 256 : 8 + me_below(&e, 60);
    e.p_down = often[me_below(&e, 3)];
    e.p_other = me_chance(&e, 80) ? 0 : 1 + me_below(&e, 40);
}

static void random_traffic_is_coherent(void **state)
{
    static const struct {
        unsigned st, ev;
    } reachable[] = {
        {HD_ST_I, HD_L1E_LOAD},   {HD_ST_S, HD_L1E_LOAD},      {HD_ST_E, HD_L1E_LOAD},      {HD_ST_M, HD_L1E_LOAD},
        {HD_ST_I, HD_L1E_STORE},  {HD_ST_S, HD_L1E_STORE},     {HD_ST_E, HD_L1E_STORE},     {HD_ST_M, HD_L1E_STORE},
        {HD_ST_I, HD_L1E_DATA_S}, {HD_ST_I, HD_L1E_DATA_E},    {HD_ST_I, HD_L1E_DATA_M},    {HD_ST_I, HD_L1E_ACK_M},
        {HD_ST_S, HD_L1E_ACK_M},  {HD_ST_I, HD_L1E_INV},       {HD_ST_S, HD_L1E_INV},       {HD_ST_I, HD_L1E_FETCH},
        {HD_ST_E, HD_L1E_FETCH},  {HD_ST_M, HD_L1E_FETCH},     {HD_ST_I, HD_L1E_FETCH_INV}, {HD_ST_E, HD_L1E_FETCH_INV},
        {HD_ST_M, HD_L1E_FETCH_INV}, {HD_ST_S, HD_L1E_EVICT},  {HD_ST_E, HD_L1E_EVICT},     {HD_ST_M, HD_L1E_EVICT},
    };
    unsigned flushes = 0;

    (void)state;
    for (unsigned t = 0; t < 150000; t++) {
        if (t % 500 == 0)
            random_phase();
        if (t % 4000 == 3999) {
            flush();
            flushes++;
        }
        if (s.now == NULL && s.pf_offered == NULL && me_chance(&e, s.p_pf))
            prefetch(me_below(&e, e.num_lines), me_chance(&e, 128) ? HD_OP_STORE : HD_OP_LOAD);
        if (s.now == NULL && s.pf_offered == NULL && me_chance(&e, s.p_op)) {
            const unsigned warp = me_below(&e, WARPS), slot = me_below(&e, SLOTS);
            struct me_op op;

            if (!s.op[warp][slot].active) {
                me_random_op(&e, &op, LANES, s.spread);
                start(&op, warp, slot);
            }
        }
        cycle();
    }
    flush();
    e.p_other = 0;
    drain();
    me_check_end(&e);

    for (unsigned i = 0; i < sizeof reachable / sizeof *reachable; i++) {
        const bool lost_copy = reachable[i].st == HD_ST_I && reachable[i].ev == HD_L1E_ACK_M;

        if (lost_copy && ENTRIES == 1) /* nothing else can be filled while the upgrade waits */
            continue;
        if (PRT && reachable[i].ev == HD_L1E_ACK_M)
            continue;
        if (s.pair[reachable[i].st][reachable[i].ev] < (ENTRIES == 1 ? 3 : 8))
            fail_msg("state %u event %u: only %llu times", reachable[i].st, reachable[i].ev,
                     (unsigned long long)s.pair[reachable[i].st][reachable[i].ev]);
    }
    for (unsigned i = 0; i <= HD_AT_UMAX; i++)
        assert_true(e.fn[i] > 100);
    assert_true(e.same_word > 100 && e.cas_hit > 50 && e.cas_miss > 50);
    assert_true((s.refused_full > 50 || CREDITS < ENTRIES) && s.refused_queue > 50);
    assert_true(P_MshrTargets == 1 || s.refused_merge > 100);
    if (PRT)
        assert_true(s.refused_line > 100 && s.dropped > 100 && (P_ReqCredits == 0 || s.refused_credit > 50));
    if (!PRT)
        assert_true(s.pf_asked[0] > 50 && s.pf_asked[1] > 50 && s.pf_here > 50 && s.pf_pending > 20 && s.pf_no_room > 20);
    assert_true(s.wait_entries > 50 || CREDITS < ENTRIES);
    assert_true(s.wait_targets > 20 || (PRT && P_ReqCredits == 0));
    assert_true(s.wait_stores > 20 && s.wait_cas > 20);
    assert_true(P_MshrTargets == 1 || e.ev[HD_EV_SM_MERGE] > 100);
    assert_true(ENTRIES == 1 || s.multi_wait > 100);
    assert_true(flushes > 10 && s.flushed_lines > 20 && s.idle > 500 && s.images > 50);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
static const struct CMUnitTest l1_cases[] = {
    CASE(a_hit_completes_two_cycles_after_its_decision),
    CASE(a_prefetched_line_is_here_and_nothing_completes),
    CASE(a_fill_serves_one_waiting_access_a_cycle),
    CASE(lanes_on_one_word_are_served_in_ascending_order),
    CASE(an_upgrade_that_loses_its_copy_gives_back_and_asks_again),
    CASE(an_upgrade_after_an_invalidation_is_granted_with_data),
    CASE(a_replaced_line_is_given_back_by_its_state),
    CASE(a_full_writeback_buffer_stops_messages_but_not_hits),
    CASE(flush_gives_everything_back),
    CASE(a_refused_access_is_tried_once_after_each_arrival),
    CASE(a_reset_forgets_accesses_and_flush),
    CASE(random_traffic_is_coherent),
};
#endif
