/* test_hd_l2_control.c - one request from miss to grant, work by work; then L1s, memory and the atomic unit at random around
 * it, and every output against what the messages so far leave: entries, chains, queues, tags, directory, events. */
/* dut: hd_l2_control Family=0 Sms=3 Lanes=8 Sets=4 Ways=2 MshrEntries=4 LaneMasks=0 NumW=22 */
/* dut: hd_l2_control Family=1 Sms=3 Lanes=8 Sets=4 Ways=2 MshrEntries=4 LaneMasks=0 NumW=22 */
/* dut: hd_l2_control Family=1 Sms=3 Lanes=64 Sets=4 Ways=2 MshrEntries=4 LaneMasks=1 NumW=23 */
/* mutants: Family=1 Sms=3 Lanes=8 Sets=4 Ways=2 MshrEntries=4 LaneMasks=0 NumW=22 */
#include "hd_unit.h"
#include "hd_l2_control_dut.h"
#include "hd_bits.h"
#include "l2_bits.h"

#define KIND (unsigned)HD_GET(d.msg_o, L2_MSG_KIND)
#define ASKED (unsigned)HD_GET(d.msg_o, L2_MSG_SM)

enum { LINE = 0x1235, SET = LINE & 3, ADDR_LSB = HD_ADDR_W - P_NumW, SM = 2, VI = P_Family == HD_FAMILY_VI };

static struct hd_l2_control d;

static int setup(void **state)
{
    (void)state;
    hd_l2_control_open(&d);
    hd_reset(d.m);
    *d.out_free_i = *d.mreq_ok_i = *d.wr_room_i = *d.at_free_i = *d.body_ready_i = 1;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static void request(unsigned kind)
{
    hd_bits_put(d.req_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
    hd_bits_put(d.req_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, SM);
    hd_bits_put(d.req_head_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, 77);
    hd_bits_put(d.req_head_i, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, 4711);
    hd_bits_put(d.req_head_i, HD_HEAD_ADDR_LSB + ADDR_LSB, P_NumW, LINE);
    *d.req_valid_i = 1;
}

/* The coming cycle does @work with the plan @want (of the tag's members only tag_we). */
static void cycle(uint64_t work, uint64_t want)
{
    const uint64_t tag = L2_BIT(PLAN, WVALID) | L2_BIT(PLAN, WLOCK) | L2_BIT(PLAN, WRECALL);

    hd_eval(d.m);
    assert_int_equal(*d.work_o, work);
    assert_int_equal(*d.plan_o & ~tag, want);
    if (work != 0)
        assert_int_equal(*d.set_o, SET);
    hd_edge(d.m);
    *d.req_valid_i = *d.mem_valid_i = 0;
}

static void a_miss_is_filled_served_and_granted(void **state)
{
    (void)state;
    request(HD_MSG_GETS);
    cycle(L2_BIT(WORK, REQ), L2_BIT(PLAN, REQ_READY) | L2_BIT(PLAN, ALLOC) | L2_BIT(PLAN, ALLOC_RECALL) | L2_BIT(PLAN, TXN_WE)
                                 | L2_BIT(PLAN, TAG_WE) | L2_BIT(PLAN, TOUCH) | L2_BIT(PLAN, FILL_PUSH));
    assert_int_equal(*d.idle_o, 0);
    *d.mreq_ok_i = 0; /* a fill waits for memory */
    cycle(0, 0);
    *d.mreq_ok_i = 1;
    hd_eval(d.m);
    const unsigned entry = *d.idx_o;
    assert_int_equal(*d.m_num_o, LINE);
    cycle(L2_BIT(WORK, FILL), L2_BIT(PLAN, MEM_READ) | L2_BIT(PLAN, FILL_POP) | L2_BIT(PLAN, RECALL_CLR) | L2_BIT(PLAN, TAG_WE));
    cycle(0, 0);
    *d.mem_valid_i = 1;
    *d.mem_idx_i = (uint8_t)entry;
    cycle(L2_BIT(WORK, MEM), L2_BIT(PLAN, DATA_WE) | L2_BIT(PLAN, DIR_WE) | L2_BIT(PLAN, SERVE_PUSH));
    *d.out_free_i = 0; /* a grant waits for the sending stage */
    cycle(0, 0);
    *d.out_free_i = 1;
    hd_eval(d.m);
    assert_int_equal(*d.idx_o, entry);
    assert_int_equal(KIND, VI ? HD_MSG_DATA_S : HD_MSG_DATA_E);
    assert_int_equal(*d.m_asker_o, l2_asker(SM, 77, 4711));
    assert_int_equal(*d.m_role_o, HD_ROLE_READ);
    cycle(L2_BIT(WORK, SERVE), L2_BIT(PLAN, GRANT) | L2_BIT(PLAN, SERVE_POP) | L2_BIT(PLAN, FREE) | L2_BIT(PLAN, DIR_WE)
                                   | L2_BIT(PLAN, TOUCH) | L2_BIT(PLAN, TAG_WE));
    cycle(0, 0);
    cycle(0, 0);
    assert_int_equal(*d.idle_o, 1);
}

static void a_hit_of_the_same_reader_is_granted_at_once_in_vi_and_waits_for_its_put_in_mesi(void **state)
{
    a_miss_is_filled_served_and_granted(state);
    request(HD_MSG_GETS);
    if (VI) {
        cycle(L2_BIT(WORK, REQ), L2_BIT(PLAN, REQ_READY) | L2_BIT(PLAN, GRANT) | L2_BIT(PLAN, DIR_WE) | L2_BIT(PLAN, TOUCH));
    } else { /* the owner asks: its PUT is on its way */
        cycle(L2_BIT(WORK, REQ), L2_BIT(PLAN, REQ_READY) | L2_BIT(PLAN, ALLOC) | L2_BIT(PLAN, TXN_WE) | L2_BIT(PLAN, TAG_WE)
                                     | L2_BIT(PLAN, TOUCH) | L2_BIT(PLAN, SERVE_PUSH));
        cycle(L2_BIT(WORK, SERVE), L2_BIT(PLAN, WAIT_SET) | L2_BIT(PLAN, SERVE_POP));
    }
}

static void pop(uint64_t want, bool dirty, bool busy)
{
    *d.pop_valid_i = 1, *d.pop_num_i = LINE;
    hd_eval(d.m);
    assert_int_equal(*d.dirty_o, dirty);
    assert_int_equal(*d.busy_o, busy);
    cycle(L2_BIT(WORK, POP), want);
    *d.pop_valid_i = 0;
}

static void a_dirty_line_is_cleaned_once_and_not_under_a_transaction(void **state)
{
    if (!VI)
        return;
    a_miss_is_filled_served_and_granted(state);
    pop(0, false, false);
    request(HD_MSG_WT);
    cycle(L2_BIT(WORK, REQ), L2_BIT(PLAN, REQ_READY) | L2_BIT(PLAN, GRANT) | L2_BIT(PLAN, DIR_WE) | L2_BIT(PLAN, TOUCH)
                                 | L2_BIT(PLAN, DATA_WE));
    request(HD_MSG_ATOMIC);
    cycle(L2_BIT(WORK, REQ), L2_BIT(PLAN, REQ_READY) | L2_BIT(PLAN, ALLOC) | L2_BIT(PLAN, TXN_WE) | L2_BIT(PLAN, TAG_WE)
                                 | L2_BIT(PLAN, TOUCH) | L2_BIT(PLAN, SERVE_PUSH));
    pop(0, true, true);
    *d.at_free_i = 1; /* it is performed */
    hd_eval(d.m);
    const unsigned entry = *d.idx_o;
    cycle(L2_BIT(WORK, SERVE), L2_BIT(PLAN, AT_START) | L2_BIT(PLAN, SERVE_POP));
    pop(0, true, true);
    *d.done_valid_i = 1, *d.done_idx_i = (uint8_t)entry;
    cycle(L2_BIT(WORK, DONE), L2_BIT(PLAN, GRANT) | L2_BIT(PLAN, FREE) | L2_BIT(PLAN, DIR_WE) | L2_BIT(PLAN, TOUCH)
                                  | L2_BIT(PLAN, TAG_WE) | L2_BIT(PLAN, DATA_WE));
    *d.done_valid_i = 0;
    pop(L2_BIT(PLAN, WRITE_BACK) | L2_BIT(PLAN, DIR_WE), true, false);
    pop(0, false, false);
}

static void a_line_on_its_way_in_is_busy(void **state)
{
    (void)state;
    request(HD_MSG_GETS);
    cycle(L2_BIT(WORK, REQ), L2_BIT(PLAN, REQ_READY) | L2_BIT(PLAN, ALLOC) | L2_BIT(PLAN, ALLOC_RECALL) | L2_BIT(PLAN, TXN_WE)
                                 | L2_BIT(PLAN, TAG_WE) | L2_BIT(PLAN, TOUCH) | L2_BIT(PLAN, FILL_PUSH));
    pop(0, false, true);
}

/* ---- random ------------------------------------------------------------------------------------------------------- */

enum { SMS = P_Sms, LINES = 12, ENTRIES = P_MshrEntries, QUEUE = 64, NONE = 0xffff, END = 40000 };
enum { LANE_BITS = P_Lanes > 32 ? P_Lanes : 32, GONE = 0, READS, OWNS }; /* states of an L1's line */

struct entry {
    bool used, recall, waits; /* recall: another line is in its way; waits: for its own requester's PUT */
    unsigned line, sm, kind, tid, opid, next;
    uint64_t lanes;
};
struct line {
    uint32_t num;
    unsigned way;             /* NONE: not here */
    unsigned head, last;      /* entries of its transactions, NONE */
    bool in, dirty, locked;   /* in: its words have come */
    unsigned l1[SMS];
    bool asks[SMS];           /* a request of the SM is under way */
    unsigned value, below, held[SMS]; /* versions: here, in memory, in an L1 */
    unsigned newest;
};
struct answer {
    unsigned kind, line, tid, value;
};
static struct {
    struct line line[LINES];
    struct entry entry[ENTRIES];
    struct answer rsp[SMS][QUEUE];
    unsigned rsps[SMS], mem[QUEUE], mems, fill[QUEUE], fills, serve[QUEUE], serves, at, told, versions;
    unsigned place[P_Sets][P_Ways]; /* line, NONE */
    bool walk;
    uint64_t grants, asked, seen[HD_EV_L2_NUM];
} w;

static void push(unsigned *queue, unsigned *n, unsigned value)
{
    assert_true(*n < QUEUE);
    queue[(*n)++] = value;
}

static void drop_first(unsigned *queue, unsigned *n)
{
    assert_true(*n > 0);
    memmove(queue, queue + 1, --*n * sizeof *queue);
}

static unsigned others(const struct line *l, unsigned sm)
{
    unsigned mask = 0;
    for (unsigned i = 0; i < SMS; i++)
        mask |= (unsigned)(i != sm && l->l1[i] != GONE) << i;
    return mask;
}

static void answer(unsigned sm, struct answer a)
{
    assert_true(w.rsps[sm] < QUEUE);
    w.rsp[sm][w.rsps[sm]++] = a;
}

/* The SM does at once what it is asked; its answer may take long. */
static void ask(unsigned sm, unsigned kind, unsigned at, unsigned entry)
{
    struct line *l = &w.line[at];
    struct answer a = {HD_MSG_INV_ACK, at, entry, l->held[sm]};
    assert_true(sm < SMS);
    if (kind == HD_MSG_INV) {
        assert_true(l->l1[sm] != OWNS);
        l->l1[sm] = GONE;
    } else {
        assert_true(!VI && (kind == HD_MSG_FETCH || kind == HD_MSG_FETCH_INV));
        a.kind = l->l1[sm] != OWNS ? HD_MSG_RSP_NONE : l->held[sm] != l->value ? HD_MSG_RSP_DATA : HD_MSG_RSP_CLEAN;
        l->l1[sm] = l->l1[sm] == OWNS && kind == HD_MSG_FETCH ? READS : GONE;
    }
    answer(sm, a);
}

static unsigned role_of(unsigned kind)
{
    switch (kind) {
    case HD_MSG_GETM: case HD_MSG_WT: return HD_ROLE_WRITE;
    case HD_MSG_UPG: return HD_ROLE_UPGRADE;
    case HD_MSG_ATOMIC: return HD_ROLE_RMW;
    default: return HD_ROLE_READ;
    }
}

/* The SM has asked for the line with @request and gets @kind. */
static void grant(unsigned at, unsigned sm, unsigned request, unsigned kind)
{
    struct line *l = &w.line[at];
    const unsigned shared = others(l, sm), old = l->l1[sm];
    assert_true(l->asks[sm] && l->in);
    l->asks[sm] = false;
    w.grants++;
    if (request == HD_MSG_GETS) {
        assert_int_equal(kind, !VI && shared == 0 && old == GONE ? HD_MSG_DATA_E : HD_MSG_DATA_S);
        l->l1[sm] = kind == HD_MSG_DATA_E ? OWNS : READS;
        for (unsigned i = 0; i < SMS; i++)
            assert_true(i == sm || l->l1[i] != OWNS);
    } else {
        assert_int_equal(shared, 0);
        assert_int_equal(kind, VI ? (request == HD_MSG_WT ? HD_MSG_WT_ACK : HD_MSG_AT_DATA)
                                  : request == HD_MSG_UPG && old == READS ? HD_MSG_ACK_M : HD_MSG_DATA_M);
        l->l1[sm] = VI ? (request == HD_MSG_WT ? old : GONE) : OWNS;
    }
    if (kind != HD_MSG_ACK_M)
        l->held[sm] = l->value;
    assert_int_equal(l->held[sm], l->newest); /* the last that anybody wrote */
    if (request != HD_MSG_GETS) {
        l->newest = ++w.versions;
        if (VI)
            l->value = l->newest, l->dirty = true;
        l->held[sm] = l->newest;
    }
}

static bool plan(const char *name, unsigned lsb, bool want)
{
    const bool got = *d.plan_o >> lsb & 1;
    if (got != want)
        fail_msg("plan.%s is %d, work %x", name, got, *d.work_o);
    return got;
}
#define PLAN(member) (*d.plan_o >> HD_L2_PLAN_##member##_LSB & 1)
#define WORK(member) (*d.work_o >> HD_L2_WORK_##member##_LSB & 1)
#define EXPECT(member, want) plan(#member, HD_L2_PLAN_##member##_LSB, want)

static void check_line(const struct line *l)
{
    assert_int_equal(*d.set_o, l->num % P_Sets);
    if (l->way != NONE) {
        assert_int_equal(*d.way_o, l->way);
        assert_int_equal(*d.tag_o, l->num / P_Sets);
    }
}

static struct entry *check_entry(void)
{
    struct entry *e = &w.entry[*d.idx_o];
    assert_true(*d.idx_o < ENTRIES && e->used);
    assert_int_equal(*d.m_num_o, w.line[e->line].num);
    assert_int_equal(*d.m_role_o, role_of(e->kind));
    assert_int_equal(*d.m_asker_o, l2_asker(e->sm, e->tid, e->opid));
    assert_int_equal(hd_bits_get(d.m_lanes_o, 0, LANE_BITS), VI || P_LaneMasks ? e->lanes : 0);
    return e;
}

/* The transaction at the head of the line has ended: the next of its chain is served. */
static void end_transaction(struct line *l)
{
    const unsigned next = w.entry[l->head].next;
    w.entry[l->head].used = false;
    l->head = next;
    l->locked = next != NONE;
    EXPECT(FREE, true);
    if (EXPECT(SERVE_PUSH, next != NONE))
        push(w.serve, &w.serves, next);
    else
        l->last = NONE;
}

struct request {
    bool there;
    unsigned kind, sm, line, tid, opid;
    uint64_t lanes;
    uint32_t words;
};

/* The request can neither begin nor hang behind another. */
static bool blocked(const struct request *r, const struct line *l)
{
    const bool leaves = l->locked && l->head == NONE;
    bool entries = false, ways = false;
    for (unsigned i = 0; i < ENTRIES; i++)
        entries |= !w.entry[i].used;
    for (unsigned k = 0; k < P_Ways; k++) {
        const unsigned in = w.place[l->num % P_Sets][k];
        ways |= in == NONE || (in < LINES && !w.line[in].locked);
    }
    return !entries || leaves || (l->way == NONE && l->head == NONE && !ways) || (VI && r->kind != HD_MSG_GETS && !*d.wr_room_i);
}

static void take_request(struct request *r)
{
    struct line *l = &w.line[r->line];
    check_line(l);
    const bool chained = l->head != NONE;
    if (!PLAN(REQ_READY) && !PLAN(STALL)) { /* granted as soon as that can be sent */
        assert_true(l->way != NONE && !l->locked && !*d.out_free_i);
        return;
    }
    if (EXPECT(STALL, !PLAN(GRANT) && blocked(r, l)))
        return;
    r->there = false;
    if (PLAN(GRANT)) {
        assert_false(l->locked);
        EXPECT(ALLOC, false);
        grant(r->line, r->sm, r->kind, KIND);
        EXPECT(DATA_WE, r->kind == HD_MSG_WT);
        return;
    }
    const unsigned i = *d.new_idx_o;
    assert_true(PLAN(ALLOC) && i < ENTRIES && !w.entry[i].used);
    EXPECT(ALLOC_CHAIN, chained);
    const bool miss = l->way == NONE && !chained;
    EXPECT(ALLOC_RECALL, miss);
    w.entry[i] = (struct entry){true, miss, false, r->line, r->sm, r->kind, r->tid, r->opid, NONE,
                                r->kind == HD_MSG_WT ? r->words : r->lanes};
    if (chained)
        w.entry[l->last].next = i;
    else
        l->head = i;
    l->last = i;
    if (EXPECT(FILL_PUSH, miss)) {
        const unsigned set = l->num % P_Sets, out = w.place[set][*d.way_o];
        push(w.fill, &w.fills, i | *d.way_o << 8);
        if (out != NONE) {
            assert_false(w.line[out].locked);
            w.line[out].locked = true;
        } else {
            w.place[set][*d.way_o] = LINES + i; /* nobody else may take it */
        }
    } else if (!chained) {
        l->locked = true;
    }
    if (EXPECT(SERVE_PUSH, !miss && !chained))
        push(w.serve, &w.serves, i);
}

static void take_answer(unsigned sm)
{
    const struct answer a = w.rsp[sm][0];
    struct line *l = &w.line[a.line];
    const bool put = a.kind == HD_MSG_PUTM || a.kind == HD_MSG_PUTE, data = a.kind == HD_MSG_PUTM || a.kind == HD_MSG_RSP_DATA;
    memmove(w.rsp[sm], w.rsp[sm] + 1, --w.rsps[sm] * sizeof a);
    check_line(l);
    EXPECT(DIR_WE, true);
    if (EXPECT(DATA_WE, data))
        l->value = a.value, l->dirty = true;
    if (put) {
        const bool waits = l->locked && l->head != NONE && w.entry[l->head].waits;
        if (EXPECT(TXN_CLR, waits)) {
            w.entry[l->head].waits = false;
            push(w.serve, &w.serves, l->head);
        }
        EXPECT(SERVE_PUSH, waits);
        EXPECT(FILL_PUSH, false);
        return;
    }
    const struct entry *e = check_entry();
    assert_int_equal(*d.idx_o, a.tid);
    EXPECT(TXN_CLR, false);
    bool last = true; /* all answers to it are in */
    for (unsigned i = 0; i < SMS; i++)
        for (unsigned k = 0; k < w.rsps[i]; k++)
            last &= w.rsp[i][k].tid != a.tid || w.rsp[i][k].line != a.line || w.rsp[i][k].kind == HD_MSG_PUTM
                    || w.rsp[i][k].kind == HD_MSG_PUTE;
    /* those that are still to be asked come later: the entry is at the head of its queue until then */
    last &= !(e->recall ? w.fills > 0 && (w.fill[0] & 255) == a.tid : w.serves > 0 && w.serve[0] == a.tid);
    if (EXPECT(FILL_PUSH, last && e->recall))
        push(w.fill, &w.fills, a.tid | l->way << 8);
    if (EXPECT(SERVE_PUSH, last && !e->recall))
        push(w.serve, &w.serves, a.tid);
}

static void do_fill(void)
{
    struct entry *e = check_entry();
    struct line *l = &w.line[e->line];
    const unsigned set = l->num % P_Sets, way = w.fill[0] >> 8, in = w.place[set][way];
    struct line *out = in < LINES ? &w.line[in] : NULL;
    assert_int_equal(*d.idx_o, w.fill[0] & 255);
    assert_int_equal(*d.set_o, set);
    assert_int_equal(*d.way_o, way);
    if (out)
        assert_int_equal(*d.tag_o, out->num / P_Sets);
    if (PLAN(ASK)) {
        assert_non_null(out);
        assert_int_equal(KIND, !VI && out->l1[ASKED] != READS && others(out, ASKED) == 0 && w.told == 0
                                        && KIND != HD_MSG_INV ? HD_MSG_FETCH_INV : HD_MSG_INV);
        ask(ASKED, KIND, in, *d.idx_o);
        w.told++;
        if (PLAN(FILL_POP))
            w.told = 0, drop_first(w.fill, &w.fills);
        return;
    }
    if (EXPECT(WRITE_BACK, out && out->dirty)) {
        assert_int_equal(others(out, NONE), 0);
        out->below = out->value, out->dirty = false;
        return;
    }
    EXPECT(MEM_READ, true);
    EXPECT(FILL_POP, true);
    EXPECT(RECALL_CLR, true);
    if (out) {
        assert_int_equal(others(out, NONE), 0);
        out->way = NONE, out->in = out->locked = false;
    }
    w.place[set][way] = e->line;
    l->way = way, l->in = false, l->locked = true, e->recall = false;
    drop_first(w.fill, &w.fills);
    push(w.mem, &w.mems, *d.idx_o);
}

static void do_serve(bool done)
{
    struct entry *e = check_entry();
    struct line *l = &w.line[e->line];
    check_line(l);
    assert_int_equal(*d.idx_o, l->head);
    if (!done)
        assert_int_equal(*d.idx_o, w.serve[0]);
    if (PLAN(ASK)) {
        assert_true(ASKED != e->sm);
        assert_int_equal(KIND == HD_MSG_FETCH, e->kind == HD_MSG_GETS);
        ask(ASKED, KIND, e->line, *d.idx_o);
        if (PLAN(SERVE_POP))
            drop_first(w.serve, &w.serves);
        return;
    }
    if (EXPECT(AT_START, e->kind == HD_MSG_ATOMIC && !done)) {
        assert_int_equal(others(l, e->sm), 0);
        w.at = *d.idx_o;
        drop_first(w.serve, &w.serves);
        return;
    }
    if (!done)
        drop_first(w.serve, &w.serves);
    if (PLAN(WAIT_SET)) { /* its own PUT is on its way */
        bool put = false;
        for (unsigned k = 0; k < w.rsps[e->sm]; k++)
            put |= w.rsp[e->sm][k].line == e->line && (w.rsp[e->sm][k].kind == HD_MSG_PUTM || w.rsp[e->sm][k].kind == HD_MSG_PUTE);
        assert_true(put);
        e->waits = true;
        return;
    }
    EXPECT(GRANT, true);
    EXPECT(DATA_WE, VI && e->kind != HD_MSG_GETS);
    grant(e->line, e->sm, e->kind, KIND);
    end_transaction(l);
}

static void do_walk(void)
{
    const unsigned in = w.place[*d.set_o][*d.way_o];
    struct line *l = in < LINES ? &w.line[in] : NULL;
    if (l)
        assert_int_equal(*d.tag_o, l->num / P_Sets);
    if (EXPECT(WRITE_BACK, l && l->dirty && *d.out_free_i && *d.mreq_ok_i))
        l->below = l->value, l->dirty = false;
    if (PLAN(WALK_NEXT) && *d.set_o == P_Sets - 1 && *d.way_o == P_Ways - 1)
        w.walk = false;
}

/* What the events of the coming cycle say. */
static uint64_t events(const struct request *r, unsigned rsp_kind)
{
    uint64_t ev = 0;
#define EV(name, when) (ev |= (uint64_t)((when) != 0) << HD_EV_L2_##name)
    const bool taken = PLAN(REQ_READY), sent = PLAN(ASK);
    EV(GETS, taken && r->kind == HD_MSG_GETS);
    EV(GETM, taken && r->kind == HD_MSG_GETM);
    EV(UPG, taken && r->kind == HD_MSG_UPG);
    EV(WT, taken && r->kind == HD_MSG_WT);
    EV(ATOMIC, taken && r->kind == HD_MSG_ATOMIC);
    EV(MISS, PLAN(ALLOC_RECALL));
    EV(CHAINED, PLAN(ALLOC_CHAIN));
    EV(HIT, taken && !PLAN(ALLOC_RECALL) && !PLAN(ALLOC_CHAIN));
    EV(STALL, PLAN(STALL));
    EV(PUTM, WORK(RSP) && rsp_kind == HD_MSG_PUTM);
    EV(PUTE, WORK(RSP) && rsp_kind == HD_MSG_PUTE);
    EV(INV_SENT, sent && KIND == HD_MSG_INV);
    EV(FETCH_SENT, sent && KIND != HD_MSG_INV);
    EV(RECALL, sent && WORK(FILL) && w.told == 0);
    EV(MEM_READ, PLAN(MEM_READ));
    EV(MEM_WRITE, PLAN(WRITE_BACK));
    EV(GRANT, PLAN(GRANT));
    EV(ACK_M, PLAN(GRANT) && KIND == HD_MSG_ACK_M);
#undef EV
    return ev;
}

static void offer(const struct request *r)
{
    const struct line *l = &w.line[r->line];
    hd_bits_put(d.req_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, r->kind);
    hd_bits_put(d.req_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, r->sm);
    hd_bits_put(d.req_head_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, r->tid);
    hd_bits_put(d.req_head_i, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, r->opid);
    hd_bits_put(d.req_head_i, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W, r->words);
    hd_bits_put(d.req_head_i, HD_HEAD_ADDR_LSB + ADDR_LSB, P_NumW, l->num);
    hd_bits_put(d.req_head_i, HD_HEAD_LANES_LSB, LANE_BITS, r->lanes);
    *d.req_valid_i = r->there;
}

static void offer_answer(unsigned sm)
{
    const struct answer *a = &w.rsp[sm][0];
    hd_bits_put(d.rsp_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, a->kind);
    hd_bits_put(d.rsp_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, sm);
    hd_bits_put(d.rsp_head_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, a->tid);
    hd_bits_put(d.rsp_head_i, HD_HEAD_ADDR_LSB + ADDR_LSB, P_NumW, w.line[a->line].num);
    *d.rsp_valid_i = 1;
}

/* A request that the SM may make of a random line. */
static void choose(struct request *r, unsigned lines)
{
    const unsigned sm = (unsigned)hd_rand_below(SMS), line = (unsigned)hd_rand_below(lines);
    struct line *l = &w.line[line];
    if (l->asks[sm] || l->l1[sm] == OWNS || (VI && hd_rand_below(8) == 0))
        return;
    const unsigned vi[] = {HD_MSG_GETS, HD_MSG_WT, HD_MSG_WT, HD_MSG_ATOMIC};
    unsigned kind = VI ? vi[hd_rand_below(4)] : hd_rand_below(2) ? HD_MSG_GETS : HD_MSG_GETM;
    if (l->l1[sm] == READS) {
        if (VI && kind == HD_MSG_GETS)
            return;
        kind = VI ? kind : HD_MSG_UPG;
    }
    if (kind == HD_MSG_ATOMIC)
        l->l1[sm] = GONE; /* an L1 drops the line before it sends one */
    *r = (struct request){true, kind, sm, line, (unsigned)hd_rand_below(1 << HD_HEAD_TID_W),
                          (unsigned)hd_rand_below(1 << HD_HEAD_OPID_W), hd_bits_random_mask(LANE_BITS), (uint32_t)hd_rand()};
    l->asks[sm] = true;
    w.asked++;
}

/* L1s give owned lines back, and write those that they own. */
static void give_back(unsigned lines)
{
    const unsigned sm = (unsigned)hd_rand_below(SMS), line = (unsigned)hd_rand_below(lines);
    struct line *l = &w.line[line];
    if (l->l1[sm] != OWNS || hd_rand_below(4) != 0)
        return;
    if (hd_rand_below(2)) {
        l->held[sm] = l->newest = ++w.versions;
        return;
    }
    l->l1[sm] = GONE;
    answer(sm, (struct answer){l->held[sm] != l->value ? HD_MSG_PUTM : HD_MSG_PUTE, line, (unsigned)hd_rand_below(ENTRIES), l->held[sm]});
}

static void start(void)
{
    memset(&w, 0, sizeof w);
    w.at = NONE;
    for (unsigned i = 0; i < LINES; i++) {
        w.line[i] = (struct line){.num = (uint32_t)(hd_rand_below(1 << (P_NumW - 4)) << 4 | i), .way = NONE, .head = NONE, .last = NONE};
        w.line[i].value = w.line[i].below = w.line[i].newest = ++w.versions;
    }
    for (unsigned i = 0; i < P_Sets * P_Ways; i++)
        w.place[i / P_Ways][i % P_Ways] = NONE;
}

static void outputs_follow_from_the_messages(void **state)
{
    struct request r = {0};
    (void)state;
    start();
    bool busy = true;
    for (unsigned n = 0; n < END || busy; n++) {
        const unsigned slow = n / 2000 % 4, lines = n / 500 % 2 ? LINES : 3; /* 1: answers, 2: memory, 3: what is sent */
        assert_true(n < END + 20000);
        if (n < END) {
            give_back(lines);
            if (!r.there && hd_rand_below(2))
                choose(&r, lines);
        }
        offer(&r);
        unsigned sm = (unsigned)hd_rand_below(SMS), pop = (unsigned)hd_rand_below(LINES), mem = 0;
        if ((*d.rsp_valid_i = w.rsps[sm] > 0 && hd_rand_below(slow == 1 ? 32 : 2) == 0))
            offer_answer(sm);
        if ((*d.mem_valid_i = w.mems > 0 && hd_rand_below(slow == 2 ? 32 : 2) == 0)) {
            mem = (unsigned)hd_rand_below(w.mems);
            *d.mem_idx_i = (uint8_t)w.mem[mem];
        }
        if ((*d.done_valid_i = w.at != NONE && hd_rand_below(4) == 0))
            *d.done_idx_i = (uint8_t)w.at;
        if ((*d.pop_valid_i = VI && hd_rand_below(16) == 0))
            *d.pop_num_i = w.line[pop].num;
        *d.out_free_i = hd_rand_below(slow == 3 ? 8 : 2) == 0;
        *d.mreq_ok_i = hd_rand_below(slow == 2 ? 16 : 2) == 0;
        *d.wr_room_i = hd_rand_below(4) != 0;
        *d.at_free_i = w.at == NONE;
        *d.body_ready_i = hd_rand_below(4) != 0;
        hd_eval(d.m);
        assert_int_equal(*d.serve_valid_o, w.serves > 0);
        if (w.serves > 0)
            assert_int_equal(*d.serve_idx_o, w.serve[0]);
        assert_int_equal(*d.idle_o, w.fills == 0 && w.serves == 0 && !w.walk && *d.ev_o == 0);
        assert_true(!WORK(SERVE) || (*d.body_ready_i && (*d.at_free_i || *d.m_role_o != HD_ROLE_RMW)));
        assert_true(!PLAN(ASK) || *d.out_free_i);
        assert_true(!PLAN(GRANT) || *d.out_free_i);
        assert_true(!(PLAN(MEM_READ) || PLAN(WRITE_BACK)) || *d.mreq_ok_i);
        const uint64_t ev = events(&r, WORK(RSP) ? w.rsp[sm][0].kind : 0);
        if (WORK(RSP)) {
            take_answer(sm);
        } else if (WORK(MEM)) {
            const struct entry *e = check_entry();
            struct line *l = &w.line[e->line];
            assert_int_equal(*d.idx_o, *d.mem_idx_i);
            check_line(l);
            EXPECT(DATA_WE, true);
            EXPECT(SERVE_PUSH, true);
            l->in = true, l->value = l->below, l->dirty = false;
            push(w.serve, &w.serves, *d.idx_o);
            memmove(w.mem + mem, w.mem + mem + 1, (--w.mems - mem) * sizeof *w.mem);
        } else if (WORK(DONE)) {
            assert_int_equal(*d.idx_o, w.at);
            do_serve(true);
            w.at = NONE;
        } else if (WORK(POP)) {
            struct line *l = &w.line[pop];
            check_line(l);
            assert_int_equal(*d.busy_o, l->head != NONE || l->locked);
            assert_int_equal(*d.dirty_o, l->way != NONE && l->dirty);
            if (EXPECT(WRITE_BACK, l->way != NONE && l->dirty && !l->locked))
                l->below = l->value, l->dirty = false;
        } else if (WORK(FILL)) {
            do_fill();
        } else if (WORK(SERVE)) {
            do_serve(false);
        } else if (WORK(REQ)) {
            take_request(&r);
        } else if (WORK(WALK)) {
            do_walk();
        }
        hd_edge(d.m);
        if (*d.ev_o != ev)
            fail_msg("cycle %u: events %llx, not %llx", n, (unsigned long long)*d.ev_o, (unsigned long long)ev);
        for (unsigned i = 0; i < HD_EV_L2_NUM; i++)
            w.seen[i] += ev >> i & 1;
        busy = w.grants != w.asked || r.there;
        for (unsigned i = 0; i < SMS; i++)
            busy |= w.rsps[i] > 0;
    }
    *d.req_valid_i = *d.rsp_valid_i = *d.mem_valid_i = *d.done_valid_i = *d.pop_valid_i = 0;
    for (unsigned i = 0; i < LINES; i++)
        for (unsigned sm = 0; sm < SMS; sm++)
            assert_true(w.line[i].l1[sm] != OWNS || w.line[i].way != NONE);
    *d.flush_i = 1; /* the walk writes what is dirty */
    *d.out_free_i = *d.mreq_ok_i = 1;
    hd_edge(d.m);
    *d.flush_i = 0;
    w.walk = true;
    for (unsigned n = 0; n < 100 && w.walk; n++) {
        *d.out_free_i = hd_rand_below(2) == 0;
        hd_eval(d.m);
        assert_int_equal(*d.idle_o, 0);
        assert_int_equal(*d.work_o, L2_BIT(WORK, WALK));
        do_walk();
        hd_edge(d.m);
    }
    assert_false(w.walk);
    hd_edge(d.m);
    assert_int_equal(*d.idle_o, 1);
    for (unsigned i = 0; i < LINES; i++)
        assert_false(w.line[i].way != NONE && w.line[i].dirty);
    const unsigned must[] = {HD_EV_L2_GETS, VI ? HD_EV_L2_WT : HD_EV_L2_GETM, VI ? HD_EV_L2_ATOMIC : HD_EV_L2_UPG, HD_EV_L2_HIT,
                             HD_EV_L2_MISS, HD_EV_L2_CHAINED, HD_EV_L2_STALL, HD_EV_L2_INV_SENT, HD_EV_L2_RECALL, HD_EV_L2_MEM_WRITE};
    for (unsigned i = 0; i < sizeof must / sizeof *must; i++)
        assert_true(w.seen[must[i]] > 50);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(a_miss_is_filled_served_and_granted, setup, teardown),
        cmocka_unit_test_setup_teardown(a_hit_of_the_same_reader_is_granted_at_once_in_vi_and_waits_for_its_put_in_mesi, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_dirty_line_is_cleaned_once_and_not_under_a_transaction, setup, teardown),
        cmocka_unit_test_setup_teardown(a_line_on_its_way_in_is_busy, setup, teardown),
        cmocka_unit_test_setup_teardown(outputs_follow_from_the_messages, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
