/* test_hd_l2_decide.c - what each piece of work does, case by case of the module's table. */
/* mutants: Sms=64 */
/* dut: hd_l2_decide Sms=4 */
/* dut: hd_l2_decide Sms=64 */
#include "hd_unit.h"
#include "hd_l2_decide_dut.h"
#include "hd_bits.h"
#include "l2_bits.h"

enum { SMS = P_Sms };
#define ALL (UINT64_MAX >> (64 - SMS))
#define SMS_PORT(set) ((__typeof__(*d.sharers_i))(set))
enum { RSP, MEM, FILL, SERVE, REQ, WALK, WORKS };

static struct hd_l2_decide d;

static uint64_t one(unsigned sm)
{
    return UINT64_C(1) << sm;
}

/* Inputs of one case, and what is expected; all 0 unless a case says otherwise. */
struct in {
    unsigned work, rsp_kind, rsp_src, req_kind, req_src, m_src;
    uint64_t todo, sharers; /* SMs */
    unsigned through; /* at_free, wr_room: of the write-through family, here of no meaning */
    bool out_free, mreq_ok, new_ok, cam_hit, txn_wait, m_getm, m_upg, m_rmw, m_recall, m_next_ok;
    bool hit, ok, valid, lock, recall, dirty, excl;
};
struct out {
    bool req_ready, stall, walk_next, ask, grant, write_back, mem_read, data_we;
    bool fill_push, fill_pop, serve_push, serve_pop, alloc, chain, alloc_recall, recall_clr, wait_set, free, txn_clr;
    bool txn_we, touch, tag_we, dir_we, bad;
    bool valid, lock, recall;     /* with tag_we */
    bool dirty, excl;             /* with dir_we */
    uint64_t sharers;             /* with dir_we */
    uint64_t rest;                /* with ask */
    unsigned kind, dst;           /* kind with ask and grant, dst with ask */
};

static int setup(void **state)
{
    (void)state;
    hd_l2_decide_open(&d);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    hd_close(d.m);
    return 0;
}

static void drive(const struct in *i)
{
    static const unsigned work[WORKS + 1] = {[RSP] = 1u << HD_L2_WORK_RSP_LSB,     [MEM] = 1u << HD_L2_WORK_MEM_LSB,
                                             [FILL] = 1u << HD_L2_WORK_FILL_LSB,   [SERVE] = 1u << HD_L2_WORK_SERVE_LSB,
                                             [REQ] = 1u << HD_L2_WORK_REQ_LSB,     [WALK] = 1u << HD_L2_WORK_WALK_LSB};

    *d.work_i = (uint8_t)work[i->work];
    HD_PUT(d.rsp_i, L2_MSG_KIND, i->rsp_kind), HD_PUT(d.rsp_i, L2_MSG_SM, i->rsp_src);
    HD_PUT(d.req_i, L2_MSG_KIND, i->req_kind), HD_PUT(d.req_i, L2_MSG_SM, i->req_src);
    *d.can_i = (uint16_t)(L2_PUT(CAN, OUT_FREE, i->out_free) | L2_PUT(CAN, MREQ_OK, i->mreq_ok)
                          | L2_PUT(CAN, NEW_OK, i->new_ok) | L2_PUT(CAN, CAM_HIT, i->cam_hit)
                          | L2_PUT(CAN, TXN_WAIT, i->txn_wait) | L2_PUT(CAN, M_RECALL, i->m_recall)
                          | L2_PUT(CAN, M_NEXT_OK, i->m_next_ok) | L2_PUT(CAN, AT_FREE, i->through & 1)
                          | L2_PUT(CAN, WR_ROOM, i->through >> 1 & 1));
    HD_PUT(d.m_i, L2_ENTRY_ROLE, i->m_rmw ? HD_ROLE_RMW : i->m_upg ? HD_ROLE_UPGRADE : i->m_getm ? HD_ROLE_WRITE : HD_ROLE_READ);
    HD_PUT(d.m_i, L2_ENTRY_SRC, i->m_src);
    *d.todo_i = SMS_PORT(i->todo);
    *d.line_i = (uint8_t)(L2_PUT(LINE, HIT, i->hit) | L2_PUT(LINE, OK, i->ok) | L2_PUT(LINE, VALID, i->valid)
                          | L2_PUT(LINE, LOCK, i->lock) | L2_PUT(LINE, RECALL, i->recall) | L2_PUT(LINE, DIRTY, i->dirty)
                          | L2_PUT(LINE, EXCL, i->excl));
    *d.sharers_i = SMS_PORT(i->sharers);
    hd_eval(d.m);
}

static struct out sample(void)
{
    const uint32_t plan = *d.plan_o;
#define PLAN(member) L2_GET(PLAN, member, plan)
    struct out o = {
        PLAN(REQ_READY), PLAN(STALL), PLAN(WALK_NEXT), PLAN(ASK), PLAN(GRANT), PLAN(WRITE_BACK), PLAN(MEM_READ),
        PLAN(DATA_WE), PLAN(FILL_PUSH), PLAN(FILL_POP), PLAN(SERVE_PUSH), PLAN(SERVE_POP), PLAN(ALLOC),
        PLAN(ALLOC_CHAIN), PLAN(ALLOC_RECALL), PLAN(RECALL_CLR), PLAN(WAIT_SET), PLAN(FREE), PLAN(TXN_CLR),
        PLAN(TXN_WE), PLAN(TOUCH), PLAN(TAG_WE), PLAN(DIR_WE), HD_GET(d.next_o, L2_NEXT_BAD), 0, 0, 0, 0, 0, 0, 0, 0, 0};

    if (o.tag_we)
        o.valid = PLAN(WVALID), o.lock = PLAN(WLOCK), o.recall = PLAN(WRECALL);
#undef PLAN
    if (o.dir_we)
        o.dirty = HD_GET(d.next_o, L2_NEXT_DIRTY), o.excl = HD_GET(d.next_o, L2_NEXT_EXCL), o.sharers = *d.sharers_o;
    if (o.ask || o.grant)
        o.kind = (unsigned)HD_GET(d.send_o, L2_MSG_KIND);
    if (o.ask)
        o.dst = (unsigned)HD_GET(d.send_o, L2_MSG_SM), o.rest = *d.rest_o;
    return o;
}

static void differ(const char *what, uint64_t got, uint64_t want, const struct in *i)
{
    if (got != want)
        fail_msg("%s: got %llx, want %llx (work %u rsp %u req %u todo %llx hit %d valid %d lock %d recall %d excl %d sharers "
                 "%llx)",
                 what, (unsigned long long)got, (unsigned long long)want, i->work, i->rsp_kind, i->req_kind,
                 (unsigned long long)i->todo, i->hit, i->valid, i->lock, i->recall, i->excl, (unsigned long long)i->sharers);
}

/* What the directory is told: on, the message, the SM it is about. */
static void check_directory(const struct in *i)
{
    const bool serve = i->work == SERVE, req = i->work == REQ, rsp = i->work == RSP;

    differ("asked en", HD_GET(d.asked_o, L2_ASKED_EN), i->valid && i->work != MEM && i->work != WORKS, i);
    differ("asked kind", HD_GET(d.asked_o, L2_ASKED_KIND),
           rsp ? i->rsp_kind
           : serve ? (i->m_upg ? HD_MSG_UPG : i->m_getm ? HD_MSG_GETM : HD_MSG_GETS)
           : req ? i->req_kind
                 : HD_MSG_NONE,
           i);
    differ("asked sm", HD_GET(d.asked_o, L2_ASKED_SM), rsp ? i->rsp_src : serve ? i->m_src : req ? i->req_src : 0, i);
}

static void expect(const struct in *i, const struct out *e)
{
    struct out o;

    drive(i);
    check_directory(i);
    differ("at_start", L2_GET(PLAN, AT_START, *d.plan_o), 0, i); /* atomics of the L2: of the write-through family */
    o = sample();
#define SAME(f) differ(#f, o.f, e->f, i)
    SAME(req_ready), SAME(stall), SAME(walk_next), SAME(ask), SAME(grant), SAME(write_back), SAME(mem_read);
    SAME(data_we), SAME(fill_push), SAME(fill_pop), SAME(serve_push), SAME(serve_pop), SAME(alloc), SAME(chain);
    SAME(alloc_recall), SAME(recall_clr), SAME(wait_set), SAME(free), SAME(txn_clr), SAME(txn_we), SAME(touch);
    SAME(tag_we), SAME(dir_we), SAME(bad), SAME(valid), SAME(lock), SAME(recall), SAME(dirty), SAME(excl);
    SAME(sharers), SAME(kind), SAME(dst), SAME(rest);
#undef SAME
}

static unsigned first(uint64_t set)
{
    unsigned i = 0;

    while (!(set >> i & 1))
        i++;
    return i;
}

static void ask(struct out *e, unsigned kind, uint64_t targets)
{
    e->ask = true;
    e->kind = kind;
    e->dst = first(targets);
    e->rest = targets & (targets - 1);
}

static void a_put_that_is_waited_for_wakes_the_transaction(void **state)
{
    struct in i = {.work = RSP, .rsp_kind = HD_MSG_PUTM, .rsp_src = 2, .hit = true, .ok = true, .valid = true,
                   .excl = true, .sharers = 4, .lock = true, .txn_wait = true};
    struct out e = {.data_we = true, .dir_we = true, .dirty = true, .txn_clr = true, .serve_push = true};

    (void)state;
    expect(&i, &e);
    i.rsp_kind = HD_MSG_PUTE;
    e.data_we = e.dirty = false;
    expect(&i, &e);
    i.txn_wait = false; /* a transaction that waits for something else goes on waiting */
    e.txn_clr = e.serve_push = false;
    expect(&i, &e);
    i.lock = false, i.txn_wait = true; /* no transaction: what txn_wait says is about nothing */
    expect(&i, &e);
}

static void the_last_answer_puts_the_transaction_back_into_its_queue(void **state)
{
    struct in i = {.work = RSP, .rsp_kind = HD_MSG_INV_ACK, .rsp_src = 1, .hit = true, .ok = true, .valid = true,
                   .lock = true, .sharers = 0xb, .m_getm = true, .m_src = 0};
    struct out e = {.dir_we = true, .sharers = 0x9};

    (void)state;
    expect(&i, &e); /* SM 3 has not answered */
    i.sharers = 3;  /* left: the requester itself */
    e.sharers = 1;
    e.serve_push = true;
    expect(&i, &e);
    i.m_recall = true; /* in a recall everybody must go */
    e.serve_push = false;
    expect(&i, &e);
    i.sharers = 2;
    e.sharers = 0;
    e.fill_push = true;
    expect(&i, &e);
    i = (struct in){.work = RSP, .rsp_kind = HD_MSG_RSP_DATA, .rsp_src = 3, .hit = true, .ok = true, .valid = true,
                    .lock = true, .excl = true, .sharers = 8, .m_src = 1};
    e = (struct out){.dir_we = true, .data_we = true, .dirty = true, .sharers = 8, .serve_push = true};
    expect(&i, &e); /* to a FETCH for a GETS: it stays a sharer */
    i.m_getm = true;
    e.sharers = 0;
    expect(&i, &e);
    i.m_getm = false, i.m_recall = true;
    e.serve_push = false, e.fill_push = true;
    expect(&i, &e);
    i.excl = false; /* not the owner: nothing is written */
    e = (struct out){.bad = true};
    expect(&i, &e);
}

static void a_line_from_memory_is_written_clean_without_copies(void **state)
{
    struct in i = {.work = MEM, .hit = true, .ok = true, .valid = true, .lock = true, .dirty = true, .excl = true,
                   .sharers = 5};
    struct out e = {.data_we = true, .dir_we = true, .serve_push = true};

    (void)state;
    expect(&i, &e);
}

static void an_eviction_recalls_then_writes_back_then_reads(void **state)
{
    struct in i = {.work = FILL, .ok = true, .valid = true, .lock = true, .recall = true, .m_recall = true, .dirty = true,
                   .sharers = 6};
    struct out e = {0};

    (void)state;
    ask(&e, HD_MSG_INV, 6);
    expect(&i, &e);
    i.todo = 4; /* the second one, and the last */
    ask(&e, HD_MSG_INV, 4);
    e.fill_pop = true;
    expect(&i, &e);
    i.todo = 0, i.excl = true, i.sharers = 8;
    ask(&e, HD_MSG_FETCH_INV, 8);
    expect(&i, &e);
    i.excl = false, i.sharers = 0;
    e = (struct out){.write_back = true, .dir_we = true};
    expect(&i, &e);
    i.dirty = false;
    e = (struct out){.mem_read = true, .fill_pop = true, .recall_clr = true, .tag_we = true, .valid = true, .lock = true};
    expect(&i, &e);
    i.valid = false, i.dirty = i.excl = true, i.sharers = 3; /* an empty way: its directory bits mean nothing */
    expect(&i, &e);
}

static void a_grant_ends_the_transaction(void **state)
{
    struct in i = {.work = SERVE, .hit = true, .ok = true, .valid = true, .lock = true, .m_src = 1, .dirty = true};
    struct out e = {.grant = true, .kind = HD_MSG_DATA_E, .serve_pop = true, .free = true, .dir_we = true, .dirty = true,
                    .excl = true, .sharers = 2, .touch = true, .tag_we = true, .valid = true};

    (void)state;
    expect(&i, &e);
    i.m_next_ok = true; /* the line passes to the next of the chain, locked */
    e.tag_we = e.valid = false;
    e.txn_we = e.serve_push = true;
    expect(&i, &e);
    i.m_upg = true, i.sharers = 2;
    e.kind = HD_MSG_ACK_M;
    expect(&i, &e);
    i.sharers = 0;
    e.kind = HD_MSG_DATA_M;
    expect(&i, &e);
}

static void serving_asks_the_others_first(void **state)
{
    struct in i = {.work = SERVE, .hit = true, .ok = true, .valid = true, .lock = true, .m_src = 1, .m_getm = true,
                   .sharers = 0xf};
    struct out e = {0};

    (void)state;
    ask(&e, HD_MSG_INV, 0xd);
    expect(&i, &e);
    i.todo = 0xc;
    ask(&e, HD_MSG_INV, 0xc);
    expect(&i, &e);
    i.todo = 8;
    ask(&e, HD_MSG_INV, 8);
    e.serve_pop = true;
    expect(&i, &e);
    i.todo = 0, i.excl = true, i.sharers = 4;
    ask(&e, HD_MSG_FETCH_INV, 4);
    expect(&i, &e);
    i.m_getm = false;
    ask(&e, HD_MSG_FETCH, 4);
    expect(&i, &e);
    i.sharers = 2; /* the requester itself is still the owner */
    e = (struct out){.wait_set = true, .serve_pop = true};
    expect(&i, &e);
}

static void a_request_is_granted_queued_chained_or_stalled(void **state)
{
    struct in i = {.work = REQ, .req_kind = HD_MSG_GETS, .req_src = 3, .new_ok = true, .out_free = true, .hit = true,
                   .ok = true, .valid = true, .sharers = 1};
    struct out e = {.req_ready = true, .grant = true, .kind = HD_MSG_DATA_S, .dir_we = true, .sharers = 9, .touch = true};
    const struct out nothing = {0}, stalled = {.stall = true};
    const struct out chained = {.req_ready = true, .alloc = true, .chain = true};

    (void)state;
    expect(&i, &e);
    i.new_ok = false; /* needs no entry */
    expect(&i, &e);
    i.out_free = false; /* waits for the link: not a stall of the tables */
    expect(&i, &nothing);

    i.req_kind = HD_MSG_GETM; /* must invalidate SM 0 */
    expect(&i, &stalled);
    i.new_ok = true;
    e = (struct out){.req_ready = true, .alloc = true, .txn_we = true, .tag_we = true, .valid = true, .lock = true,
                     .touch = true, .serve_push = true};
    expect(&i, &e);
    i.lock = true;
    expect(&i, &chained);
    i.recall = true; /* on its way out */
    expect(&i, &stalled);
    i.recall = false, i.new_ok = false;
    expect(&i, &stalled);

    i = (struct in){.work = REQ, .req_kind = HD_MSG_UPG, .new_ok = true, .ok = true, .valid = true, .sharers = 6};
    e = (struct out){.req_ready = true, .alloc = true, .alloc_recall = true, .txn_we = true, .tag_we = true, .valid = true,
                     .lock = true, .recall = true, .touch = true, .fill_push = true};
    expect(&i, &e);
    i.valid = false;
    e.valid = false;
    expect(&i, &e);
    i.new_ok = false;
    expect(&i, &stalled);
    i.new_ok = true, i.ok = false; /* all ways are locked */
    expect(&i, &stalled);
    i.cam_hit = true; /* but its line is already coming in */
    expect(&i, &chained);
    i.ok = true;
    expect(&i, &chained);
}

static void the_walk_writes_dirty_lines_when_it_can(void **state)
{
    struct in i = {.work = WALK, .ok = true, .valid = true, .dirty = true, .out_free = true, .mreq_ok = true, .sharers = 5};
    struct out e = {.write_back = true, .dir_we = true, .walk_next = true, .sharers = 5};
    const struct out nothing = {0}, next = {.walk_next = true};

    (void)state;
    expect(&i, &e);
    i.out_free = false;
    expect(&i, &nothing);
    i.out_free = true, i.mreq_ok = false;
    expect(&i, &nothing);
    i.dirty = false;
    expect(&i, &next);
    i.dirty = true, i.valid = false;
    expect(&i, &next);
}

/* The table of the module's header and that of hd_dir_mesi, for one work at a time. */
static struct out reference(const struct in *i)
{
    const unsigned msg = i->work == RSP ? i->rsp_kind
                         : i->work == SERVE ? (i->m_upg ? HD_MSG_UPG : i->m_getm ? HD_MSG_GETM : HD_MSG_GETS)
                                            : i->req_kind;
    const uint64_t self = one(i->work == REQ ? i->req_src : i->m_src), from = one(i->rsp_src);
    const bool put = msg == HD_MSG_PUTM || msg == HD_MSG_PUTE;
    const bool answer = msg == HD_MSG_RSP_DATA || msg == HD_MSG_RSP_CLEAN;
    const bool data = msg == HD_MSG_PUTM || msg == HD_MSG_RSP_DATA;
    const bool keep = !i->m_getm && !i->m_upg && !i->m_recall;
    const bool owner = i->excl && i->sharers == self;
    const bool grantable = i->valid && !i->excl && (msg == HD_MSG_GETS || !(i->sharers & ~self));
    const uint64_t targets = i->todo ? i->todo : i->work == SERVE && !i->excl ? i->sharers & ~self : i->sharers;
    struct out o = {.dirty = i->dirty, .excl = i->excl, .sharers = i->sharers, .valid = true, .lock = true};
    bool done = false;

    switch (i->work) {
    case RSP:
        if ((put || answer) && i->valid && i->excl && i->sharers == from) {
            o.dirty |= data;
            o.excl = false;
            o.sharers = answer && keep ? from : 0;
            o.data_we = i->hit && data;
            done = answer;
        } else if (msg == HD_MSG_RSP_NONE && i->valid && i->sharers == 0) {
            done = true;
        } else if (msg == HD_MSG_INV_ACK && i->valid && !i->excl && (i->sharers & from)) {
            o.sharers &= ~from;
            done = !(o.sharers & (i->m_recall ? UINT64_MAX : ~self));
        } else {
            o.bad = i->valid;
        }
        o.dir_we = i->hit && !o.bad;
        o.txn_clr = i->hit && put && i->lock && i->txn_wait;
        o.fill_push = done && i->m_recall;
        o.serve_push = o.txn_clr || (done && !i->m_recall);
        break;
    case MEM:
        o.data_we = o.dir_we = o.serve_push = true;
        o.dirty = o.excl = false;
        o.sharers = 0;
        break;
    case FILL:
        if (i->valid && i->sharers) {
            ask(&o, i->excl ? HD_MSG_FETCH_INV : HD_MSG_INV, targets);
            o.fill_pop = o.rest == 0;
        } else if (i->valid && i->dirty) {
            o.write_back = o.dir_we = true;
            o.dirty = false;
        } else {
            o.mem_read = o.fill_pop = o.recall_clr = o.tag_we = true;
        }
        break;
    case SERVE:
        o.serve_pop = true;
        if (owner) {
            o.wait_set = true;
        } else if (grantable) {
            o.grant = o.free = o.dir_we = o.touch = true;
            o.serve_push = o.txn_we = i->m_next_ok;
            o.tag_we = !i->m_next_ok;
            o.lock = false;
        } else {
            ask(&o, !i->excl ? HD_MSG_INV : msg == HD_MSG_GETS ? HD_MSG_FETCH : HD_MSG_FETCH_INV, targets);
            o.serve_pop = o.rest == 0;
        }
        break;
    case REQ:
        if (i->hit && !i->lock && grantable) {
            o.req_ready = o.grant = o.dir_we = o.touch = i->out_free;
        } else if (!i->new_ok || (i->hit && i->recall) || (!i->ok && !i->cam_hit)) {
            o.stall = true;
        } else {
            o.req_ready = o.alloc = true;
            o.chain = (i->hit && i->lock) || i->cam_hit;
            o.txn_we = o.tag_we = o.touch = !o.chain;
            o.serve_push = i->hit && !i->lock;
            o.fill_push = o.alloc_recall = o.recall = !i->hit && !i->cam_hit;
            o.valid = i->valid;
        }
        break;
    case WALK:
        o.write_back = o.dir_we = i->valid && i->dirty && i->out_free && i->mreq_ok;
        o.walk_next = o.write_back || !(i->valid && i->dirty);
        o.dirty = false;
        break;
    default: break;
    }
    if (o.grant) {
        o.kind = msg == HD_MSG_GETS ? (i->sharers ? HD_MSG_DATA_S : HD_MSG_DATA_E)
                 : msg == HD_MSG_UPG && i->sharers ? HD_MSG_ACK_M : HD_MSG_DATA_M;
        o.excl = msg != HD_MSG_GETS || !i->sharers;
        o.sharers = msg == HD_MSG_GETS ? i->sharers | self : self;
    }
    if (!o.dir_we)
        o.dirty = o.excl = false, o.sharers = 0;
    if (!o.tag_we)
        o.valid = o.lock = o.recall = false;
    return o;
}

static void random_cases_do_what_the_tables_say(void **state)
{
    static const unsigned rsp_kinds[] = {HD_MSG_PUTM,      HD_MSG_PUTE,     HD_MSG_RSP_DATA,
                                         HD_MSG_RSP_CLEAN, HD_MSG_RSP_NONE, HD_MSG_INV_ACK};

    (void)state;
    for (unsigned n = 0; n < 60000; n++) {
        uint64_t r = hd_rand();
        struct in i = {.work = (unsigned)hd_rand_below(WORKS + 1), .rsp_kind = rsp_kinds[hd_rand_below(6)],
                       .rsp_src = (unsigned)hd_rand_below(SMS), .req_kind = 1 + (unsigned)hd_rand_below(3),
                       .req_src = (unsigned)hd_rand_below(SMS), .m_src = (unsigned)hd_rand_below(SMS),
                       .out_free = r & 1, .mreq_ok = r >> 1 & 1, .new_ok = r >> 2 & 1, .cam_hit = r >> 3 & 1,
                       .txn_wait = r >> 4 & 1, .m_getm = r >> 5 & 1, .m_recall = r >> 6 & 1, .m_next_ok = r >> 7 & 1,
                       .hit = r >> 8 & 1, .ok = r >> 9 & 1, .valid = r >> 10 & 1, .lock = r >> 11 & 1,
                       .recall = r >> 12 & 1, .dirty = r >> 13 & 1, .excl = r >> 14 & 1, .sharers = hd_rand() & ALL,
                       .m_upg = r >> 32 & 1, .todo = r >> 33 & 1 ? hd_rand() & ALL : 0, .through = r >> 50 & 3};
        struct out o, want;

        if (i.todo && hd_rand_below(2)) /* two left */
            i.todo = one((unsigned)hd_rand_below(SMS)) | one((unsigned)hd_rand_below(SMS));
        if (hd_rand_below(2)) /* few */
            i.sharers &= hd_rand_below(2) ? 0 : one(i.rsp_src) | one(hd_rand_below(2) ? i.m_src : i.req_src);

        if (i.excl)
            i.sharers = one(hd_rand_below(2) ? i.rsp_src : (unsigned)hd_rand_below(SMS));
        if (i.hit)
            i.ok = i.valid = true;
        if (i.hit && i.work == REQ) /* to the other works it says nothing */
            i.cam_hit = false;
        if (i.work == SERVE) /* its line is there */
            i.hit = i.ok = i.valid = true, i.recall = false;
        want = reference(&i);
        expect(&i, &want);
        o = sample();
        assert_false(o.ask + o.grant + o.write_back + o.mem_read > 1);  /* one packet at most */
        assert_false((o.write_back || o.grant) && o.data_we);           /* data: read or written */
        assert_false(o.fill_push && o.serve_push);
        assert_false(o.alloc && o.free);
        assert_true(o.req_ready + o.stall <= (i.work == REQ));
        assert_true(o.alloc <= (i.work == REQ) && o.free <= (i.work == SERVE) && o.mem_read <= (i.work == FILL));
        assert_true(o.data_we <= (i.work == RSP || i.work == MEM) && o.walk_next <= (i.work == WALK));
        assert_true(o.fill_pop <= (i.work == FILL) && o.serve_pop <= (i.work == SERVE));
        if (i.work == WORKS)
            assert_false(o.tag_we || o.dir_we || o.txn_we || o.touch || o.ask || o.grant || o.write_back || o.fill_push ||
                         o.serve_push);
    }
}

/* No row of the directory's table has another kind come up the RSP network but what asks for something. */
static void a_packet_that_is_no_answer_changes_nothing(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 4096; n++) {
        uint64_t r = hd_rand();
        struct in i = {.work = RSP, .rsp_kind = n % 64, .rsp_src = (unsigned)hd_rand_below(SMS),
                       .m_src = (unsigned)hd_rand_below(SMS), .hit = true, .ok = true, .valid = true, .lock = r & 1,
                       .txn_wait = r >> 1 & 1, .m_getm = r >> 2 & 1, .m_recall = r >> 3 & 1, .excl = r >> 4 & 1,
                       .dirty = r >> 5 & 1};
        bool asks = false;
        struct out o;

        i.sharers = i.excl ? one(r >> 6 & 1 ? i.m_src : i.rsp_src) : r >> 7 & 1 ? hd_rand() & ALL : 0;
        switch (i.rsp_kind) {
        case HD_MSG_PUTM: case HD_MSG_PUTE: case HD_MSG_RSP_DATA: case HD_MSG_RSP_CLEAN: case HD_MSG_RSP_NONE:
        case HD_MSG_INV_ACK: continue;
        case HD_MSG_NONE: case HD_MSG_GETS: case HD_MSG_GETM: case HD_MSG_UPG: asks = true; break;
        default: break;
        }
        drive(&i);
        check_directory(&i);
        o = sample();
        differ("bad", asks || o.bad, true, &i);
        differ("dir_we", !asks && o.dir_we, false, &i);
        differ("the rest", o.txn_clr || o.serve_push || o.fill_push || o.data_we || o.grant || o.ask || o.tag_we || o.txn_we,
               false, &i);
    }
}

/* Nor does a request that is none get anything; the directory is told of it as it came. */
static void a_request_that_asks_for_nothing_is_granted_nothing(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 4096; n++) {
        uint64_t r = hd_rand();
        struct in i = {.work = REQ, .req_kind = n % 64, .req_src = (unsigned)hd_rand_below(SMS), .hit = r & 1,
                       .cam_hit = r >> 1 & 1, .lock = r >> 2 & 1, .recall = r >> 3 & 1, .new_ok = r >> 4 & 1,
                       .out_free = r >> 5 & 1, .dirty = r >> 6 & 1, .excl = r >> 7 & 1};
        struct out o;

        i.ok = i.valid = i.hit || r >> 8 & 1;
        i.cam_hit &= !i.hit;
        i.sharers = i.excl ? one((unsigned)hd_rand_below(SMS)) : r >> 9 & 1 ? hd_rand() & ALL : 0;
        drive(&i);
        check_directory(&i);
        o = sample();
        if (i.req_kind >= HD_MSG_GETS && i.req_kind <= HD_MSG_UPG)
            continue;
        differ("granted", o.grant || o.ask || o.data_we || o.dir_we || o.write_back || o.mem_read, false, &i);
    }
}

/* No L1 of this family sends a read-modify-write; the tables are those of all, and so is the way of what they say. */
static void a_read_modify_write_starts_in_the_place_of_its_grant(void **state)
{
    struct in i = {.work = SERVE, .hit = true, .ok = true, .valid = true, .lock = true, .m_rmw = true};

    (void)state;
    for (unsigned n = 0; n < 64; n++) {
        struct out o;

        i.through = n & 3, i.m_src = (unsigned)hd_rand_below(SMS), i.dirty = n >> 2 & 1, i.m_next_ok = n >> 3 & 1;
        drive(&i);
        o = sample();
        differ("at_start", L2_GET(PLAN, AT_START, *d.plan_o), i.through & 1, &i);
        differ("serve_pop", o.serve_pop, i.through & 1, &i);
        differ("the rest", o.grant || o.ask || o.free || o.data_we || o.dir_we || o.tag_we || o.txn_we || o.serve_push, false,
               &i);
    }
}

int main(int argc, char **argv)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_put_that_is_waited_for_wakes_the_transaction),
        TEST(the_last_answer_puts_the_transaction_back_into_its_queue),
        TEST(a_line_from_memory_is_written_clean_without_copies),
        TEST(an_eviction_recalls_then_writes_back_then_reads),
        TEST(a_grant_ends_the_transaction),
        TEST(serving_asks_the_others_first),
        TEST(a_request_is_granted_queued_chained_or_stalled),
        TEST(the_walk_writes_dirty_lines_when_it_can),
        TEST(random_cases_do_what_the_tables_say),
        TEST(a_packet_that_is_no_answer_changes_nothing),
        TEST(a_request_that_asks_for_nothing_is_granted_nothing),
        TEST(a_read_modify_write_starts_in_the_place_of_its_grant),
    };

    return HD_UNIT_MAIN(argc, argv, tests);
}
