/* test_hd_sm_tile.c - the SM tile from outside: warp port, completions, both links, observation, idle. */
/* dut-rtl: hd_sm_tile Warps=6 Lanes=8 LineWords=8 Slots=3 Blocks=3 MshrEntries=4 MshrTargets=8 StoreData=4 CasData=2 MergeLanes=12 L1Sets=2 L1Ways=2 LdsRows=3 LdsBanks=4 WbEntries=2 PartBits=1 RxDepth=6 TxCredits=6 ClkRatio=2 GhostW=0 */
/* dut-net: hd_sm_tile Warps=4 Lanes=4 LineWords=8 Slots=2 Blocks=2 MshrEntries=3 MshrTargets=5 StoreData=3 CasData=2 MergeLanes=6 L1Sets=2 L1Ways=2 LdsRows=3 LdsBanks=4 WbEntries=2 PartBits=1 RxDepth=3 TxCredits=3 ClkRatio=2 GhostW=0 */
/* dut-rtl: hd_sm_tile Warps=3 Lanes=4 LineWords=16 Slots=1 Blocks=1 MshrEntries=1 MshrTargets=1 StoreData=1 CasData=1 MergeLanes=4 L1Sets=2 L1Ways=2 LdsRows=3 LdsBanks=4 WbEntries=1 PartBits=0 RxDepth=1 TxCredits=1 ClkRatio=1 GhostW=32 */
/* dut-rtl: hd_sm_tile Warps=6 Lanes=8 LineWords=8 Slots=3 Blocks=3 Pending=1 ReqCredits=3 MshrEntries=4 MshrTargets=1 StoreData=4 CasData=2 MergeLanes=8 L1Sets=2 L1Ways=2 LdsRows=3 LdsBanks=4 WbEntries=2 PartBits=1 RxDepth=6 TxCredits=6 ClkRatio=2 GhostW=0 */
/* dut-rtl: hd_sm_tile Warps=6 Lanes=8 LineWords=8 Slots=3 Blocks=3 MshrEntries=4 MshrTargets=8 StoreData=4 CasData=2 MergeLanes=12 L1Sets=2 L1Ways=2 LdsRows=3 LdsBanks=4 WbEntries=2 PartBits=0 RxDepth=2 TxCredits=6 ClkRatio=1 GhostW=32 WideFill=1 */
/* dut-rtl: hd_sm_tile Warps=48 MergeLanes=32 WbEntries=4 */
/* src: tests/unit/mesi_env.c */
#include "mesi_env.h"
#include "hd_sm_tile_dut.h"

/* parameters that the line above leaves at the tile's default */
#ifndef P_Lanes
#define P_Lanes 32
#define P_LineWords 32
#define P_Slots 4
#define P_Blocks 8
#define P_MshrEntries 128
#define P_L1Sets 64
#define P_L1Ways 4
#define P_LdsRows 384
#define P_LdsBanks 32
#define P_PartBits 3
#define P_RxDepth 64
#define P_TxCredits 64
#define P_ClkRatio 2
#define P_GhostW 0
#define DEFAULT_SIZE 1
#else
#define DEFAULT_SIZE 0
#endif
#ifndef P_Pending
#define P_Pending 0
#endif
#ifndef P_WideFill
#define P_WideFill 0
#endif

enum {
    WARPS = P_Warps,
    LANES = P_Lanes,
    LINE_WORDS = P_LineWords,
    WORD_W = 32 + P_GhostW,
    SLOTS = P_Slots,
    BLOCKS = P_Blocks,
    RATIO = P_ClkRatio,
    ENTRIES = P_MshrEntries,
    PRT = P_Pending == HD_PENDING_PRT,
    WIDE = P_WideFill,
    LINES = 10,
    PARTS = 1 << P_PartBits,
    DATA_FLITS = LINE_WORDS / HD_FLIT_WORDS,
    FIFO = 64 * 8 * 2,
    PATIENCE = 20000 /* cycles in which nothing at all happens */
};

struct op {
    struct me_op m;
    unsigned order, scope, alu;
};

struct warp {
    bool live, full; /* launched and not gone; an operation waits in its buffer */
    bool waits;      /* at a barrier */
    unsigned block, left; /* operations still to come before its exit */
    struct op op;
};

struct slot {
    struct op op;
    bool active;
    uint32_t rest; /* lanes not completed */
};

struct queue { /* line accesses in issue order */
    struct {
        unsigned warp, slot;
        uint32_t mask;
    } a[FIFO];
    unsigned head, count;
};

static struct hd_sm_tile d;
static struct me e;

static struct {
    unsigned model, sched;
    bool skip;           /* leave out the evaluation of idle cycles */
    bool stop;           /* no new blocks, warps exit soon */
    uint64_t cycle, hash;
    struct warp warp[WARPS];
    struct slot slot[WARPS][SLOTS];
    struct queue queue[LINES + 1]; /* of the lines, of the LDS */
    /* blocks */
    uint64_t live[BLOCKS], arrived[BLOCKS], launching; /* warps still to be launched */
    unsigned launch_block;
    uint64_t release; /* warps whose barrier is done in the next cycle */
    /* inputs of this cycle */
    bool op_now, dn_now, credit_now;
    /* links */
    unsigned up_out[2], up_back[2];      /* flits sent without credit returned; of them, taken by the receiver */
    struct me_msg up;                    /* packet of VN_RSP being gathered */
    bool up_body;
    unsigned up_next, dn_credits, dn_next; /* data flits passed; of the packet being sent 0: head is next */
    bool dn_body;
    /* knobs, chances in 256 */
    unsigned p_op, p_credit, p_dn, spread;
    unsigned flush_done;
    uint64_t since; /* cycles without an operation issued or completed, without a flit */
    /* coverage */
    uint64_t alus, mems, ctls, kinds[16], overlap, load_passes_store, barriers, released_by_exit;
    uint64_t launches, blocked_credit, idle, skipped, images, multi_release;
} s;

static uint64_t bit(unsigned i)
{
    return UINT64_C(1) << i;
}

static void note(uint64_t v)
{
    s.hash = (s.hash ^ v ^ s.cycle << 40) * UINT64_C(0x9e3779b97f4a7c15);
    s.hash ^= s.hash >> 29;
}

static bool wide_release(const struct op *o)
{
    if (o->scope == HD_SCOPE_WI)
        return false;
    return o->m.kind == HD_OP_FENCE
           || (o->m.kind <= HD_OP_ATOMIC
               && (o->order == HD_ORD_RELEASE || o->order == HD_ORD_ACQ_REL || o->order == HD_ORD_SEQ_CST));
}

static bool wide_acquire(const struct op *o)
{
    return o->scope != HD_SCOPE_WI
           && (o->order == HD_ORD_ACQUIRE || o->order == HD_ORD_ACQ_REL || o->order == HD_ORD_SEQ_CST);
}

/* Uncompleted operations of a warp. */
static void pending(unsigned w, unsigned *loads, unsigned *stores, unsigned *acquires)
{
    *loads = *stores = *acquires = 0;
    for (unsigned i = 0; i < SLOTS; i++) {
        const struct slot *t = &s.slot[w][i];

        if (!t->active)
            continue;
        *loads += t->op.m.kind != HD_OP_STORE;
        *stores += t->op.m.kind != HD_OP_LOAD;
        *acquires += wide_acquire(&t->op);
    }
}

/* ---- outputs -------------------------------------------------------------------------------------------------- */

static void see_barrier(unsigned block, bool exit)
{
    const uint64_t all = s.live[block];

    if (all == 0 || (all & ~s.arrived[block]) != 0)
        return;
    s.release |= all;
    s.arrived[block] = 0;
    s.barriers++;
    s.released_by_exit += exit;
    s.multi_release += (all & (all - 1)) != 0;
}

static void see_taken(uint64_t *done)
{
    const unsigned w = *d.op_taken_warp_o, n = *d.op_taken_slot_o;
    struct warp *p = &s.warp[w % WARPS];
    const struct op *o = &p->op;
    unsigned loads, stores, acquires;
    bool both, none;

    if (!*d.op_taken_o)
        return;
    ME_CHECK(&e, w < WARPS && p->live && p->full && !p->waits);
    note(w << 8 | n);
    p->full = false;
    pending(w, &loads, &stores, &acquires);
    none = loads + stores == 0;
    both = wide_release(o) || o->m.kind == HD_OP_EXIT;
    if (s.model == HD_MODEL_SC)
        both = both || o->m.kind <= HD_OP_ATOMIC || o->m.kind == HD_OP_BARRIER;
    if (s.model == HD_MODEL_TSO) {
        both = both || o->m.kind == HD_OP_STORE || o->m.kind == HD_OP_ATOMIC || o->m.kind == HD_OP_BARRIER;
        ME_CHECK(&e, o->m.kind != HD_OP_LOAD || loads == 0);
    }
    ME_CHECK(&e, none || !both);
    ME_CHECK(&e, acquires == 0);
    s.kinds[o->m.kind]++;
    if (o->m.kind <= HD_OP_ATOMIC) {
        struct slot *t = &s.slot[w][n % SLOTS];
        uint32_t rest = o->m.mask;

        ME_CHECK(&e, n < SLOTS && !t->active);
        s.mems++;
        s.overlap += !none;
        s.load_passes_store += o->m.kind == HD_OP_LOAD && stores != 0;
        *t = (struct slot){.op = *o, .active = true, .rest = rest};
        while (rest != 0) {
            uint32_t number = 0;
            const uint32_t mask = me_first_line(&e, &o->m, rest, &number);
            struct queue *q = &s.queue[me_place(&e, &o->m, number)];

            ME_CHECK(&e, q->count < FIFO);
            q->a[(q->head + q->count) % FIFO].warp = w;
            q->a[(q->head + q->count) % FIFO].slot = n;
            q->a[(q->head + q->count) % FIFO].mask = mask;
            q->count++;
            rest &= ~mask;
        }
        return;
    }
    s.ctls++;
    switch (o->m.kind) {
    case HD_OP_BARRIER:
        p->waits = true;
        s.arrived[p->block] |= bit(w);
        see_barrier(p->block, false);
        break;
    case HD_OP_EXIT:
        *done |= bit(w);
        p->live = false;
        s.live[p->block] &= ~bit(w);
        see_barrier(p->block, true);
        break;
    case HD_OP_CLOCK:
        ME_CHECK(&e, *d.ctl_clock_o == (uint32_t)(s.cycle - 1));
        note(*d.ctl_clock_o);
        *done |= bit(w);
        break;
    default:
        *done |= bit(w);
        break;
    }
}

static void see_completion(void)
{
    const unsigned w = *d.cpl_warp_o, n = *d.cpl_slot_o;
    const uint32_t mask = (uint32_t)me_get(d.cpl_mask_o, 0, LANES);
    struct slot *t = &s.slot[w % WARPS][n % SLOTS];
    struct queue *q;
    uint32_t number = 0;

    if (!*d.cpl_valid_o)
        return;
    note(w << 16 | n << 8 | *d.cpl_last_o);
    note(mask);
    ME_CHECK(&e, w < WARPS && n < SLOTS && t->active);
    ME_CHECK(&e, mask != 0 && (mask & ~t->rest) == 0);
    me_first_line(&e, &t->op.m, mask, &number);
    q = &s.queue[me_place(&e, &t->op.m, number)];
    ME_CHECK(&e, q->count > 0);
    ME_CHECK(&e, q->a[q->head].warp == w && q->a[q->head].slot == n && q->a[q->head].mask == mask);
    q->head = (q->head + 1) % FIFO;
    q->count--;
    me_perform(&e, &t->op.m, mask, d.cpl_data_o);
    for (unsigned i = 0; i < LANES; i++)
        if (t->op.m.kind != HD_OP_STORE && (mask >> i & 1) != 0)
            note(me_get(d.cpl_data_o, i * WORD_W, WORD_W));
    ME_CHECK(&e, *d.cpl_status_o == 0 && me_get(d.cpl_tcm_o, 0, LANES) == 0); /* of copies and transactions */
    t->rest &= ~mask;
    ME_CHECK(&e, *d.cpl_last_o == (t->rest == 0));
    if (t->rest == 0)
        t->active = false;
}

static void see_up_flit(void)
{
    const unsigned vn = *d.up_vn_o;
    struct me_msg m;

    if (!*d.up_valid_o)
        return;
    ME_CHECK(&e, (s.cycle - 1) % RATIO == 0);
    ME_CHECK(&e, vn == HD_UP_REQ || vn == HD_UP_RSP);
    ME_CHECK(&e, s.up_out[vn] < P_TxCredits);
    s.up_out[vn]++;
    s.up_back[vn]++;
    note(vn << 1 | *d.up_tail_o);
    for (unsigned w = 0; w < HD_FLIT_WORDS; w++)
        note(me_get(d.up_flit_o, w * WORD_W, WORD_W));
    if (vn == HD_UP_RSP && s.up_body) {
        for (unsigned w = 0; w < HD_FLIT_WORDS; w++)
            s.up.data[s.up_next * HD_FLIT_WORDS + w] = me_get(d.up_flit_o, w * WORD_W, WORD_W);
        s.up_next++;
        ME_CHECK(&e, *d.up_tail_o == (s.up_next == DATA_FLITS));
    } else {
        me_get_head(d.up_flit_o, &m);
        for (unsigned i = HD_HEAD_W + HD_LANE_W; i < HD_FLIT_WORDS * WORD_W; i++)
            ME_CHECK(&e, me_get(d.up_flit_o, i, 1) == 0);
        ME_CHECK(&e, *d.up_tail_o == (m.wmask == 0));
        if (vn == HD_UP_REQ) {
            const struct queue *q = &s.queue[me_find(&e, m.addr / (LINE_WORDS * 4)) - e.line];

            ME_CHECK(&e, q->count > 0);
            ME_CHECK(&e, (s.slot[q->a[q->head].warp][q->a[q->head].slot].op.m.kind == HD_OP_LOAD)
                             == (m.kind == HD_MSG_GETS));
            ME_CHECK(&e, me_get(d.dbg_mshr_o, m.tid, 1) == 1);
            ME_CHECK(&e, PRT || m.lanes == 0);
            me_request(&e, &m);
            return;
        }
        ME_CHECK(&e, m.lanes == 0);
        s.up = m;
        s.up_next = 0;
    }
    s.up_body = !*d.up_tail_o;
    if (!s.up_body)
        me_response(&e, &s.up);
}

static void see_outputs(void)
{
    uint64_t done = s.release, ld = 0, st = 0;
    const uint64_t ev = *d.ev_o;
    const bool tick_before = (s.cycle - 1) % RATIO == 0;

    s.release = 0;
    see_taken(&done); /* before completions: an issue may not count on a completion that is shown with it */
    ME_CHECK(&e, me_get(d.ctl_done_o, 0, WARPS) == done);
    note(done);
    for (unsigned w = 0; w < WARPS; w++)
        if ((done >> w & 1) != 0 && s.warp[w].waits)
            s.warp[w].waits = false;
    see_completion();
    for (unsigned w = 0; w < WARPS; w++) {
        unsigned loads, stores, acquires;

        pending(w, &loads, &stores, &acquires);
        ld |= loads != 0 ? bit(w) : 0;
        st |= stores != 0 ? bit(w) : 0;
    }
    ME_CHECK(&e, me_get(d.dbg_ld_o, 0, WARPS) == ld && me_get(d.dbg_st_o, 0, WARPS) == st);
    ME_CHECK(&e, (me_get(d.dbg_cause0_o, 0, WARPS) | me_get(d.dbg_cause1_o, 0, WARPS) | me_get(d.dbg_cause2_o, 0, WARPS)
                  | me_get(d.dbg_cause3_o, 0, WARPS)) == 0); /* Stalls=0 */
    if (*d.st_valid_o) {
        me_state(&e, *d.st_line_o, *d.st_state_o);
        note((uint64_t)*d.st_line_o << 2 | *d.st_state_o);
    }
    me_events(&e, ev);
    ME_CHECK(&e, (ev >> HD_EV_SM_ISSUE_ALU & 1) + (ev >> HD_EV_SM_ISSUE_MEM & 1) + (ev >> HD_EV_SM_ISSUE_CTL & 1) <= 1);
    ME_CHECK(&e, ((ev >> HD_EV_SM_ISSUE_MEM | ev >> HD_EV_SM_ISSUE_CTL) & 1) == *d.op_taken_o);
    ME_CHECK(&e, (ev >> HD_EV_SM_FLUSH_DONE & 1) == *d.flush_done_o);
    ME_CHECK(&e, (ev >> HD_EV_SM_REJECT & 1) == 0 || *d.dbg_pipe_o);
    note(ev);
    s.flush_done += *d.flush_done_o;
    see_up_flit();
    if (*d.dn_credit_o) {
        ME_CHECK(&e, tick_before);
        ME_CHECK(&e, s.dn_credits < P_RxDepth);
        s.dn_credits++;
    }
    note((uint64_t)*d.dn_credit_o << 3 | *d.dbg_pipe_o << 2 | *d.dbg_credit_home_o << 1 | *d.idle_o);
    ME_CHECK(&e, *d.dbg_credit_home_o == (s.up_out[0] + s.up_out[1] == 0));
}

/* ---- inputs ----------------------------------------------------------------------------------------------------- */

static void drive_op(unsigned warp, unsigned kind, const struct op *o)
{
    s.op_now = true;
    *d.op_valid_i = 1;
    *d.op_warp_i = (uint8_t)warp;
    *d.op_kind_i = (uint8_t)kind;
    if (o == NULL)
        return;
    *d.op_fn_i = (uint8_t)o->m.fn;
    *d.op_space_i = (uint8_t)o->m.space;
    *d.op_order_i = (uint8_t)o->order;
    *d.op_scope_i = (uint8_t)o->scope;
    *d.op_ro_i = (uint8_t)hd_rand_below(2); /* of type-aware SC alone */
    *d.op_alu_i = (uint16_t)o->alu;
    me_put(d.op_mask_i, 0, LANES, o->m.mask);
    for (unsigned i = 0; i < LANES; i++) {
        const bool any = (o->m.mask >> i & 1) == 0; /* nobody looks at a lane out of the mask */

        me_put(d.op_addr_i, i * 32, 32, any ? (uint32_t)hd_rand() : o->m.addr[i]);
        me_put(d.op_data_i, i * WORD_W, WORD_W, any ? hd_rand() : o->m.data[i]);
        me_put(d.op_cmp_i, i * 32, 32, any ? (uint32_t)hd_rand() : o->m.cmp[i]);
    }
    s.warp[warp].op = *o;
    s.warp[warp].op.m.kind = kind;
    s.warp[warp].full = true;
    s.alus += o->alu;
}

static void launch(unsigned w, unsigned block)
{
    ME_CHECK(&e, !s.warp[w].live);
    *d.op_block_i = (uint8_t)block;
    drive_op(w, HD_OP_LAUNCH, NULL);
    s.warp[w] = (struct warp){.live = true, .block = block, .left = 3 + me_below(&e, 30)};
    s.live[block] |= bit(w);
    s.launches++;
}

/* One thing for the warp port: a launch, or an operation of a warp whose buffer is empty. */
static void drive_random_op(void)
{
    const unsigned first = me_below(&e, WARPS);

    if (s.launching != 0) {
        for (unsigned w = 0; w < WARPS; w++) {
            if ((s.launching >> w & 1) == 0)
                continue;
            s.launching &= ~bit(w);
            launch(w, s.launch_block);
            return;
        }
    }
    if (!s.stop && me_chance(&e, 32)) { /* a free block slot gets some of the free warps */
        const unsigned block = me_below(&e, BLOCKS);

        if (s.live[block] == 0) {
            for (unsigned w = 0; w < WARPS; w++)
                if (!s.warp[w].live && !me_chance(&e, 80))
                    s.launching |= bit(w);
            s.launch_block = block;
        }
        return;
    }
    if (!me_chance(&e, s.p_op))
        return;
    for (unsigned i = 0; i < WARPS; i++) {
        const unsigned w = (first + i) % WARPS, dice = me_below(&e, 32);
        struct warp *p = &s.warp[w];
        struct op o = {.alu = me_chance(&e, 100) ? me_below(&e, 4) : 0};

        if (!p->live || p->full || p->waits)
            continue;
        me_random_op(&e, &o.m, LANES, s.spread);
        o.order = me_chance(&e, 48) ? me_below(&e, 5) : HD_ORD_RELAXED;
        o.scope = me_below(&e, 4);
        if (s.stop && p->left > 3)
            p->left = 3;
        if (p->left-- == 0)
            drive_op(w, HD_OP_EXIT, &o);
        else if (dice < 4)
            drive_op(w, dice == 0 ? HD_OP_FENCE : HD_OP_BARRIER, &o);
        else if (dice < 6)
            drive_op(w, dice == 4 ? HD_OP_CLOCK : HD_OP_NOP, &o);
        else
            drive_op(w, o.m.kind, &o);
        return;
    }
}

static void drive_links(void)
{
    const struct me_msg *m;

    if (s.cycle % RATIO != 0)
        return;
    for (unsigned v = 0; v < 2; v++) {
        s.blocked_credit += s.up_out[v] == P_TxCredits;
        if (s.up_back[v] == 0 || !me_chance(&e, s.p_credit))
            continue;
        s.up_back[v]--;
        s.up_out[v]--;
        *d.up_credit_i |= (uint8_t)(1u << v);
        s.credit_now = true;
    }
    m = me_offer(&e);
    if (m == NULL || s.dn_credits == 0 || !me_chance(&e, s.p_dn))
        return;
    s.dn_credits--;
    s.dn_now = true;
    *d.dn_valid_i = 1;
    *d.dn_vn_i = HD_DOWN_FWD;
    for (unsigned i = 0; i < HD_FLIT_WORDS; i++)
        me_put(d.dn_flit_i, i * WORD_W, WORD_W, s.dn_body ? m->data[s.dn_next * HD_FLIT_WORDS + i] : 0);
    if (WIDE) { /* the packet in one beat */
        for (unsigned i = 0; i < LINE_WORDS; i++)
            me_put(d.dn_flit_i, (HD_HEAD_W + HD_LANE_W + 31) / 32 * 32 + i * WORD_W, WORD_W, m->data[i]);
        me_put_head(d.dn_flit_i, m);
    } else if (!s.dn_body) {
        me_put_head(d.dn_flit_i, m);
        s.dn_next = 0;
        s.dn_body = m->wmask != 0;
    } else if (++s.dn_next == DATA_FLITS) {
        s.dn_body = false;
    }
    *d.dn_tail_i = !s.dn_body;
    if (!s.dn_body)
        me_offer_taken(&e);
}

/* ---- one cycle ---------------------------------------------------------------------------------------------------- */

static void idle_edge(void)
{
    const bool image = s.idle++ % 16 == 0;
    size_t size = 0, size2 = 0;
    void *a, *b;

    hd_eval(d.m); /* the assertions' samples settle one evaluation later */
    a = image ? hd_model_save(d.m, &size) : NULL;
    hd_edge(d.m);
    ME_CHECK(&e, *d.idle_o);
    if (a == NULL)
        return;
    b = hd_model_save(d.m, &size2);
    ME_CHECK(&e, b != NULL && size == size2 && memcmp(a, b, size) == 0);
    free(a);
    free(b);
    s.images++;
}

/* Inputs for the coming edge were set by drive_*; the outputs of the last edge have been seen. */
static void finish_cycle(void)
{
    const bool input = s.op_now || s.dn_now || s.credit_now;

    if (*d.idle_o && !input) {
        ME_CHECK(&e, !*d.op_taken_o && !*d.cpl_valid_o && !*d.up_valid_o && !*d.dn_credit_o && !*d.st_valid_o);
        ME_CHECK(&e, (*d.ev_o & ~(UINT64_C(1) << HD_EV_SM_STALL_PIPE)) == 0); /* a level, not a pulse */
        ME_CHECK(&e, !*d.flush_done_o && me_get(d.ctl_done_o, 0, WARPS) == 0);
    }
    if (*d.idle_o && !input && s.skip) {
        s.skipped++;
    } else {
        const bool idle = *d.idle_o;
        const uint64_t ev = *d.ev_o, valid = *d.up_valid_o, taken = *d.op_taken_o, cpl = *d.cpl_valid_o;
        const uint32_t credit = *d.dn_credit_o;

        *d.now_i = (uint32_t)s.cycle;
        hd_eval(d.m); /* no output may follow an input within the cycle */
        ME_CHECK(&e, idle == *d.idle_o && ev == *d.ev_o && valid == *d.up_valid_o && taken == *d.op_taken_o);
        ME_CHECK(&e, cpl == *d.cpl_valid_o && credit == *d.dn_credit_o);
        if (idle && !input)
            idle_edge();
        else
            hd_edge(d.m);
    }
    *d.op_valid_i = 0;
    *d.dn_valid_i = 0;
    *d.up_credit_i = 0;
    s.op_now = s.dn_now = s.credit_now = false;
    s.cycle++;
    me_step(&e);
    see_outputs();
    s.since = *d.op_taken_o || *d.cpl_valid_o || *d.up_valid_o || *d.flush_done_o ? 0 : s.since + 1;
    ME_CHECK(&e, s.since < PATIENCE);
}

static void cycle(void)
{
    drive_links();
    finish_cycle();
}

/* ---- tools of the tests --------------------------------------------------------------------------------------------- */

/* Reset, and everything of the test anew. */
static void begin(unsigned model, unsigned sched, uint64_t seed)
{
    const uint64_t mixed = seed * UINT64_C(0x9e3779b97f4a7c15);
    const uint32_t upper = ((UINT32_C(1) << HD_SM_TILE_W_st_line_o) - 1) & ~UINT32_C(255);
    const unsigned sm = (unsigned)(mixed >> 58);
    const bool skip = s.skip;
    uint32_t numbers[LINES];

    hd_reset(d.m);
    memset(&s, 0, sizeof s);
    s.skip = skip;
    s.model = model;
    s.sched = sched;
    s.p_op = s.p_credit = s.p_dn = 256;
    s.spread = 3;
    s.dn_credits = P_RxDepth;
    for (unsigned i = 0; i < LINES; i++)
        numbers[i] = ((uint32_t)mixed & upper) | (i < 6 ? i * (P_L1Sets / 2) : (i - 6) * P_L1Sets);
    for (unsigned i = 6; i < LINES; i++)
        numbers[i] ^= UINT32_C(1) << (HD_SM_TILE_W_st_line_o - 1);
    numbers[2] ^= upper;
    numbers[3] ^= upper;
    me_init(&e, LINE_WORDS, P_GhostW == 32, PARTS, sm, ENTRIES, numbers, LINES, seed);
    e.prt = PRT;
    *d.sm_id_i = (uint8_t)sm;
    *d.policy_i = (uint64_t)model << HD_POLICY_MODEL_LSB | (uint64_t)sched << HD_POLICY_SCHEDULER_LSB;
    s.cycle = RATIO * (mixed >> 32);
    *d.now_i = (uint32_t)s.cycle;
    hd_eval(d.m);
}

static int setup(void **state)
{
    (void)state;
    hd_sm_tile_open(&d);
    begin(HD_MODEL_RMO, HD_SCHED_GTO, hd_rand());
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static bool busy(void)
{
    bool any = !me_quiet(&e) || !*d.idle_o || s.up_out[0] + s.up_out[1] != 0 || s.dn_credits != P_RxDepth || s.up_body;

    for (unsigned w = 0; w < WARPS; w++) {
        any = any || (s.warp[w].full && !s.warp[w].waits);
        for (unsigned i = 0; i < SLOTS; i++)
            any = any || s.slot[w][i].active;
    }
    return any;
}

static void settle(void)
{
    do
        cycle();
    while (busy());
    ME_CHECK(&e, *d.dbg_credit_home_o && me_get(d.dbg_mshr_o, 0, ENTRIES) == 0 && !*d.dbg_pipe_o);
    ME_CHECK(&e, me_get(d.dbg_ld_o, 0, WARPS) == 0 && me_get(d.dbg_st_o, 0, WARPS) == 0);
    ME_CHECK(&e, (*d.ev_o >> HD_EV_SM_STALL_PIPE & 1) == 0);
}

static void flush(void)
{
    const unsigned before = s.flush_done;
    uint64_t putm;

    settle();
    drive_op(0, HD_OP_FLUSH, NULL);
    do
        cycle();
    while (s.flush_done == before);
    putm = e.up[HD_MSG_PUTM]; /* all have been sent */
    settle();
    ME_CHECK(&e, s.flush_done == before + 1 && putm == e.up[HD_MSG_PUTM]);
    me_check_flushed(&e);
}

static void check_end(void)
{
    me_check_end(&e);
    ME_CHECK(&e, e.ev[HD_EV_SM_ISSUE_ALU] == s.alus);
    ME_CHECK(&e, e.ev[HD_EV_SM_ISSUE_MEM] == s.mems && e.ev[HD_EV_SM_ISSUE_CTL] == s.ctls);
    ME_CHECK(&e, e.ev[HD_EV_SM_FLUSH_DONE] == s.flush_done);
}

static struct op make(unsigned kind, unsigned line, unsigned lanes)
{
    struct op o = {.m = {.kind = kind, .mask = (uint32_t)((UINT64_C(1) << lanes) - 1)}};

    for (unsigned i = 0; i < LANES; i++) {
        o.m.addr[i] = (e.line[line].number * LINE_WORDS + i % LINE_WORDS) * 4;
        o.m.data[i] = 100 + i;
    }
    return o;
}

static void launch_all(unsigned warps)
{
    for (unsigned w = 0; w < warps; w++) {
        launch(w, 0);
        cycle();
    }
}

static void give(unsigned warp, const struct op *o)
{
    drive_op(warp, o->m.kind, o);
    cycle();
}

/* ---- directed ------------------------------------------------------------------------------------------------------------ */

static void a_hit_completes_five_cycles_after_it_was_offered(void **state)
{
    const struct op load = make(HD_OP_LOAD, 0, 3);
    unsigned n = 0;

    (void)state;
    launch_all(1);
    give(0, &load);
    settle();
    drive_op(0, HD_OP_LOAD, &load);
    do {
        cycle();
        n++;
    } while (!*d.cpl_valid_o);
    assert_int_equal(n, 5);
    settle();
    check_end();
}

static void alu_instructions_come_before_the_operation(void **state)
{
    unsigned at_once = 0;

    (void)state;
    launch_all(1);
    for (unsigned alu = 0; alu < 1u << 14; alu = alu == 0 ? 1 : 2 * alu) {
        struct op nop = make(HD_OP_NOP, 0, 1);
        unsigned n = 0;

        nop.alu = alu;
        drive_op(0, HD_OP_NOP, &nop);
        do {
            cycle();
            n++;
        } while (!me_get(d.ctl_done_o, 0, 1));
        if (alu == 0)
            at_once = n;
        assert_int_equal(n, at_once + alu);
    }
    settle();
    check_end();
}

static void gto_stays_with_a_warp_and_lrr_takes_turns(void **state)
{
    for (unsigned sched = 0; sched < 2; sched++) {
        struct op nop = make(HD_OP_NOP, 0, 1);
        uint64_t done[2] = {0, 0};

        begin(HD_MODEL_RMO, sched, 1);
        assert_int_equal(sched, sched == 0 ? HD_SCHED_GTO : HD_SCHED_LRR);
        launch_all(2);
        nop.alu = 40;
        drive_op(0, HD_OP_NOP, &nop);
        cycle();
        drive_op(1, HD_OP_NOP, &nop);
        while (done[0] == 0 || done[1] == 0) {
            cycle();
            for (unsigned w = 0; w < 2; w++)
                if (me_get(d.ctl_done_o, w, 1))
                    done[w] = s.cycle;
        }
        assert_int_equal(done[1] - done[0], sched == HD_SCHED_GTO ? 41 : 1);
        settle();
        check_end();
    }
    (void)state;
}

/* Launched upwards and downwards; the youngest issues when the others get something to do, the oldest of them last. */
static void gto_goes_on_with_the_oldest_warp(void **state)
{
    (void)state;
    for (unsigned down = 0; down < 2; down++) {
        struct op nop = make(HD_OP_NOP, 0, 1);
        unsigned age[WARPS], seen = 0;

        begin(HD_MODEL_RMO, HD_SCHED_GTO, 1);
        for (unsigned i = 0; i < WARPS; i++) {
            age[i] = down ? WARPS - 1 - i : i;
            launch(age[i], 0);
            cycle();
        }
        nop.alu = WARPS + 4;
        give(age[WARPS - 1], &nop);
        nop.alu = 1;
        for (unsigned i = WARPS - 1; i-- > 0;)
            give(age[i], &nop);
        for (; seen < WARPS; cycle()) {
            const uint64_t done = me_get(d.ctl_done_o, 0, WARPS);

            if (done != 0)
                assert_int_equal(done, bit(age[seen == 0 ? WARPS - 1 : seen - 1]));
            seen += done != 0;
        }
        settle();
        check_end();
    }
}

static void a_barrier_waits_for_the_last_warp_or_its_exit(void **state)
{
    const struct op barrier = make(HD_OP_BARRIER, 0, 1), leave = make(HD_OP_EXIT, 0, 1);

    (void)state;
    launch_all(3);
    give(0, &barrier);
    give(1, &barrier);
    for (unsigned i = 0; i < 20; i++)
        cycle();
    assert_true(s.warp[0].waits && s.warp[1].waits && *d.idle_o);
    give(2, &leave);
    for (unsigned i = 0; i < 5; i++)
        cycle();
    assert_true(!s.warp[0].waits && !s.warp[1].waits);
    assert_int_equal(s.released_by_exit, 1);
}

/* Every line is on its way, and the accesses to more of them stand one behind the other. */
static void a_tile_that_waits_for_the_network_falls_idle(void **state)
{
    (void)state;
    launch_all(WARPS);
    for (unsigned i = 0; i < LINES; i++)
        e.line[i].hold = true;
    for (unsigned w = 0; w < WARPS; w++) {
        struct op load = make(HD_OP_LOAD, 0, LANES);

        for (unsigned i = 0; i < LANES; i++)
            load.m.addr[i] = (e.line[(w + i) % LINES].number * LINE_WORDS + i % LINE_WORDS) * 4;
        give(w, &load);
    }
    for (unsigned i = 0; i < 400; i++)
        cycle();
    assert_true(*d.idle_o && (me_get(d.dbg_ld_o, 0, WARPS) & 1));
    for (unsigned i = 0; i < LINES; i++)
        e.line[i].hold = false;
    settle();
    check_end();
}

/* A model that leaves the order to hardware that is not there: nothing waits for it. */
static void nothing_waits_for_ordering_hardware_that_is_not_there(void **state)
{
    const struct op barrier = make(HD_OP_BARRIER, 0, 1), first = make(HD_OP_LOAD, 0, 1), second = make(HD_OP_LOAD, 1, 1);

    (void)state;
    *d.policy_i |= UINT64_C(1) << HD_POLICY_MARKER_MERGE_LSB | UINT64_C(1) << HD_POLICY_CREDIT_ISSUE_LSB
        | UINT64_C(1) << HD_POLICY_TYPE_PREFETCH_LSB | (uint64_t)HD_MODEL_TYPE << HD_POLICY_MODEL_LSB;
    launch_all(WARPS);
    e.line[0].hold = true;
    give(0, &first);
    while (s.warp[0].full)
        cycle();
    give(0, &second);
    for (unsigned i = 0; i < 100; i++)
        cycle();
    assert_int_equal(s.warp[0].full, SLOTS == 1); /* a load passes one that waits */
    e.line[0].hold = false;
    settle();
    for (unsigned w = 0; w < WARPS; w++) {
        const struct op store = make(HD_OP_STORE, w % LINES, 1);

        give(w, &store);
        settle();
    }
    for (unsigned w = 0; w < WARPS; w++)
        give(w, &barrier);
    settle();
    for (unsigned w = 0; w < WARPS; w++)
        assert_false(s.warp[w].full || s.warp[w].waits);
    *d.policy_i = 0;
    check_end();
}

/* What may issue while a store of the warp waits for its line. */
static void each_model_lets_pass_what_it_allows(void **state)
{
    for (unsigned model = 0; model < 3; model++) {
        for (unsigned kind = 0; kind <= HD_OP_NOP; kind++) {
            struct op store, second;
            bool passes = kind != HD_OP_FENCE && kind != HD_OP_EXIT && SLOTS > 1;

            if (model == HD_MODEL_TSO)
                passes = passes && kind != HD_OP_STORE && kind != HD_OP_ATOMIC && kind != HD_OP_BARRIER;
            if (model == HD_MODEL_SC)
                passes = passes && kind > HD_OP_ATOMIC && kind != HD_OP_BARRIER;
            if (SLOTS == 1)
                passes = kind == HD_OP_CLOCK || kind == HD_OP_NOP || (kind == HD_OP_BARRIER && model == HD_MODEL_RMO);
            begin(model, HD_SCHED_GTO, 1);
            store = make(HD_OP_STORE, 0, 2);
            second = make(kind, 1, 1);
            second.scope = HD_SCOPE_DEVICE;
            launch_all(1);
            e.line[0].hold = true;
            give(0, &store);
            while (s.warp[0].full)
                cycle();
            give(0, &second);
            for (unsigned i = 0; i < 100; i++)
                cycle();
            assert_int_equal(!s.warp[0].full, passes);
            assert_true(s.slot[0][0].active);
            e.line[0].hold = false;
            settle();
            assert_false(s.warp[0].full);
            check_end();
        }
    }
    (void)state;
}

static void flush_is_done_when_every_writeback_has_left(void **state)
{
    (void)state;
    launch_all(1);
    for (unsigned i = 0; i < 3; i++) {
        const struct op store = make(HD_OP_STORE, i, LANES);

        give(0, &store);
        settle();
    }
    s.p_credit = 20;
    flush();
    assert_int_equal(e.up[HD_MSG_PUTM], 3);
    flush(); /* of an empty cache */
    assert_int_equal(e.up[HD_MSG_PUTM], 3);
    check_end();
}

/* ---- random --------------------------------------------------------------------------------------------------------------- */

static void random_phase(void)
{
    static const unsigned often[] = {256, 200, 100, 20};

    s.p_credit = often[me_below(&e, 4)];
    s.p_dn = often[me_below(&e, 4)];
    s.p_op = me_chance(&e, 128) ? 256 : 4 + me_below(&e, 60);
    s.spread = 1 + me_below(&e, 4);
    e.p_serve = me_chance(&e, 128) ? 256 : 4 + me_below(&e, 60);
    e.p_down = often[me_below(&e, 3)];
    e.p_other = me_chance(&e, 80) ? 0 : 1 + me_below(&e, 30);
}

/* @return a hash of everything the tile showed. */
static uint64_t random_run(unsigned model, unsigned sched, uint64_t seed)
{
    const unsigned cycles = DEFAULT_SIZE ? 4000 : hd_has_asserts(d.m) ? 30000 : 12000; /* netlists are slow */

    begin(model, sched, seed);
    e.lds_rows = P_LdsRows < ME_LDS ? P_LdsRows : ME_LDS;
    e.lds_banks = P_LdsBanks;
    launch_all(1);
    for (unsigned w = 0; w < e.lds_rows * LINE_WORDS; w += LANES) {
        struct op store = {.alu = 0};

        me_lds_store(&e, &store.m, LANES, w);
        give(0, &store);
        settle();
    }
    for (unsigned t = 0; t < cycles; t++) {
        if (t % 400 == 0)
            random_phase();
        drive_random_op();
        cycle();
    }
    s.stop = true;
    s.p_op = s.p_credit = s.p_dn = e.p_serve = e.p_down = 256;
    e.p_other = 0;
    for (bool any = true; any;) {
        drive_random_op();
        cycle();
        any = s.launching != 0;
        for (unsigned w = 0; w < WARPS; w++)
            any = any || s.warp[w].live;
    }
    e.p_other = 20;
    s.p_credit = 60;
    flush();
    e.p_other = 0;
    settle();
    for (unsigned i = 0; i < 100; i++) { /* at rest */
        cycle();
        ME_CHECK(&e, *d.idle_o);
    }
    check_end();
    return s.hash;
}

static void random_warps_see_coherent_memory_in_order(void **state)
{
    uint64_t kinds[16] = {0}, ev[HD_EV_SM_NUM] = {0}, launches = 0, barriers = 0, multi = 0, by_exit = 0, blocked = 0;

    (void)state;
    for (unsigned model = 0; model < 3; model++) {
        for (unsigned sched = 0; sched < 2; sched++) {
            const uint64_t seed = hd_rand();
            uint64_t hash, mems;

            s.skip = false;
            hash = random_run(model, sched, seed);
            mems = s.mems;
            assert_true(mems > 100 && s.idle > 50 && s.images > 3);
            if (SLOTS == 1 || model == HD_MODEL_SC)
                assert_true(s.overlap == 0);
            else if (!DEFAULT_SIZE)
                assert_true(s.overlap > 30 && s.load_passes_store > 10);
            for (unsigned k = 0; k <= HD_OP_NOP; k++)
                kinds[k] += s.kinds[k];
            for (unsigned i = 0; i < HD_EV_SM_NUM; i++)
                ev[i] += e.ev[i];
            launches += s.launches;
            barriers += s.barriers;
            multi += s.multi_release;
            by_exit += s.released_by_exit;
            blocked += s.blocked_credit;

            /* the same again, idle cycles left out: neither the tile nor what stands around it may notice */
            s.skip = true;
            assert_true(random_run(model, sched, seed) == hash);
            assert_true(s.skipped > 50 && s.mems == mems);
            s.skip = false;
        }
    }
    for (unsigned k = 0; k <= HD_OP_NOP; k++)
        assert_true(kinds[k] > 30);
    assert_true(launches > 100 && barriers > (DEFAULT_SIZE ? 10 : 50));
    assert_true(ev[HD_EV_SM_HIT] > 500 && ev[HD_EV_SM_LDS] > 100 && ev[HD_EV_SM_LDS_CONFLICT] > 100
                && ev[HD_EV_SM_INV] > 50 && ev[HD_EV_SM_FETCH] > 50);
    assert_true((PRT || ev[HD_EV_SM_UPGRADE] > 50) && ev[HD_EV_SM_EVICT_DIRTY] > 100 && ev[HD_EV_SM_STALL_PIPE] > 100);
    if (!DEFAULT_SIZE) { /* there the credits, the cache and the table are too large to run out */
        assert_true(multi > 10 && by_exit > 10);
        assert_true(blocked > 500 && ev[HD_EV_SM_EVICT_CLEAN] > 50);
        assert_true(PRT || ev[HD_EV_SM_REJ_ENTRY] + ev[HD_EV_SM_REJ_QUEUE] > 50);
        if (PRT)
            assert_true(ev[HD_EV_SM_REJ_LINE] > 100 && ev[HD_EV_SM_REJ_CREDIT] > 20);
        assert_true(ENTRIES == 1 || PRT || (ev[HD_EV_SM_MERGE] > 100 && ev[HD_EV_SM_REJ_MERGE] > 20));
        assert_true(ENTRIES == 1 || PRT || ev[HD_EV_SM_LOST_COPY] > 0);
    }
}

int main(int argc, char **argv)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest t[] = {
        CASE(a_hit_completes_five_cycles_after_it_was_offered),
        CASE(alu_instructions_come_before_the_operation),
        CASE(gto_stays_with_a_warp_and_lrr_takes_turns),
        CASE(gto_goes_on_with_the_oldest_warp),
        CASE(a_barrier_waits_for_the_last_warp_or_its_exit),
        CASE(each_model_lets_pass_what_it_allows),
        CASE(a_tile_that_waits_for_the_network_falls_idle),
        CASE(nothing_waits_for_ordering_hardware_that_is_not_there),
        CASE(flush_is_done_when_every_writeback_has_left),
        CASE(random_warps_see_coherent_memory_in_order),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
