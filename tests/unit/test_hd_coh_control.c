/* test_hd_coh_control.c - a miss, a hit, a dirty and a shared victim, work by work, against lines and entries in C; what a bank
 * does beyond it: test_hd_coh_bank. */
/* dut: hd_coh_control Lanes=8 LineWords=8 Sets=2 Ways=2 MshrEntries=4 PartBits=6 Persist=1 Inclusive=1 Sms=65 */
/* dut: hd_coh_control Lanes=8 LineWords=8 Sets=2 Ways=2 MshrEntries=4 PartBits=1 */
#include "hd_unit.h"
#include "hd_coh_control_dut.h"
#include "hd_head.h"

#ifndef P_Inclusive
#define P_Inclusive 0
#define P_Sms (1 << HD_NODE_W)
#endif
enum {
    ACK = 1u << HD_COH_WORK_ACK_LSB, MEM = 1u << HD_COH_WORK_MEM_LSB, INV = 1u << HD_COH_WORK_INV_LSB,
    DONE = 1u << HD_COH_WORK_DONE_LSB, POP = 1u << HD_COH_WORK_POP_LSB, PACK = 1u << HD_COH_WORK_PACK_LSB,
    FILL = 1u << HD_COH_WORK_FILL_LSB, SERVE = 1u << HD_COH_WORK_SERVE_LSB, REQ = 1u << HD_COH_WORK_REQ_LSB,
    WALK = 1u << HD_COH_WORK_WALK_LSB
};
enum { OFF_W = 5, TAG_W = HD_ADDR_W - OFF_W - P_PartBits - 1, ROWS = P_Sets * P_Ways, OTHER_SET = 16, LINES = 32, ROUNDS = 25 };
enum { BACK_OK = HD_COH_CAN_OUT_FREE_LSB + 1, FETCH_OK, LEAVE, HOLD, PERMISSIONS };
enum { DIRTY_TID = 255 /* of a WT whose words the L1 keeps */ };
#define PLAN(x) (1u << HD_COH_PLAN_##x##_LSB)

static struct hd_coh_control d;

/* The lines of a test, by numbers below LINES; those from OTHER_SET on are in the other set. */
static struct line { bool here, dirty, leaves, sharer[1 << HD_NODE_W]; unsigned waits, row, fill; } lines[LINES];
static struct asked { bool busy; unsigned line, kind, sm, tid, opid, when; uint32_t lanes; } rq, entry[P_MshrEntries];
static unsigned part, set, queue[P_MshrEntries], queued, walk, at, fill_idx, ticks, sms[3];
static uint32_t base;
static bool inv[1 << HD_NODE_W], fills;

/* All lines of a set differ from line 8 in one bit of their tags. */
static uint32_t num_of(unsigned line)
{
    const uint32_t tag = base ^ (line % OTHER_SET == 8 ? 0 : 1u << (7 * line + base) % TAG_W);

    return tag << 1 | (set ^ (line >= OTHER_SET));
}

static uint32_t addr_of(unsigned line)
{
    return (num_of(line) << P_PartBits | part) << OFF_W;
}

static void start(void)
{
    hd_reset(d.m);
    memset(lines, 0, sizeof lines), memset(entry, 0, sizeof entry);
    memset(inv, 0, sizeof inv);
    queued = walk = 0, fills = false;
    part = (unsigned)hd_rand_below(1u << P_PartBits), set = (unsigned)hd_rand_below(2);
    base = (uint32_t)hd_rand_below(1u << TAG_W);
    sms[0] = (unsigned)hd_rand_below(P_Sms - 2);
    sms[1] = sms[0] + 1 + (unsigned)hd_rand_below(P_Sms - 2 - sms[0]);
    sms[2] = sms[1] + 1 + (unsigned)hd_rand_below(P_Sms - 1 - sms[1]);
    *d.part_id_i = (uint8_t)part;
    *d.can_i = (1u << (HD_COH_CAN_OUT_FREE_LSB + 1)) - 1;
    *d.leave_i = *d.back_ok_i = *d.fetch_ok_i = 1;
}

static int setup(void **state)
{
    (void)state;
    hd_coh_control_open(&d);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static void request(unsigned kind, unsigned line, unsigned sm, unsigned tid)
{
    const unsigned lanes = kind == HD_MSG_WT ? HD_HEAD_WMASK_LSB : HD_HEAD_LANES_LSB;

    hd_bits_random(d.req_head_i, HD_COH_CONTROL_W_req_head_i);
    hd_bits_put(d.req_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
    hd_bits_put(d.req_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, sm);
    hd_bits_put(d.req_head_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, tid);
    hd_bits_put(d.req_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, addr_of(line));
    *d.req_valid_i = 1;
    rq = (struct asked){.busy = true, .line = line, .kind = kind, .sm = sm, .tid = tid, .when = ticks,
                        .opid = (unsigned)hd_bits_get(d.req_head_i, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W),
                        .lanes = (uint32_t)hd_bits_get(d.req_head_i, lanes, 32)};
}

static void answer_of(unsigned sm, unsigned line)
{
    hd_bits_random(d.ack_head_i, HD_HEAD_W);
    hd_bits_put(d.ack_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, HD_MSG_INV_ACK);
    hd_bits_put(d.ack_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, sm);
    hd_bits_put(d.ack_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, addr_of(line));
    *d.ack_valid_i = 1;
    at = line;
}

static void pop(unsigned line)
{
    *d.pop_valid_i = 1, *d.pop_num_i = num_of(line);
    at = line;
}

static void memory(unsigned idx)
{
    *d.mem_valid_i = 1, *d.mem_idx_i = (uint8_t)idx;
}

static void done(unsigned idx, bool wrote)
{
    *d.done_valid_i = 1, *d.done_idx_i = (uint8_t)idx, *d.done_wrote_i = wrote;
}

/* The line in row @row. */
static struct line *line_in(unsigned row)
{
    for (unsigned n = 0; n < LINES; n++)
        if (lines[n].here && lines[n].row == row)
            return &lines[n];
    return NULL;
}

/* The lowest SM of @set_of_sms, or one that there is not. */
static unsigned lowest(const bool *set_of_sms)
{
    unsigned sm = 0;

    while (sm < P_Sms && !set_of_sms[sm])
        sm++;
    return sm;
}

static bool locked(const struct line *l)
{
    return l->waits > 0 || l->leaves;
}

/* Without one of the permissions the work does not come, or nothing is done of it. */
static void without(unsigned which, unsigned work, unsigned want)
{
    static const struct { unsigned no_work, no_work_of, no_plan_of, no_plan; } need[PERMISSIONS] = {
        [HD_COH_CAN_OUT_FREE_LSB] = {INV | DONE | POP | PACK | FILL | SERVE | WALK, 0, 0,
                                     PLAN(FETCH) | PLAN(ANSWER) | PLAN(BACK)},
        [HD_COH_CAN_MREQ_ALL_LSB] = {FILL | WALK, 0, 0, 0},
        [HD_COH_CAN_MREQ_NV_LSB] = {POP, 0, 0, 0},
        [HD_COH_CAN_WR_ROOM_LSB] = {0, 0, 0, PLAN(PUT)},
        [HD_COH_CAN_AT_FREE_LSB] = {0, PLAN(PERFORM), 0, 0},
        [HD_COH_CAN_BODY_READY_LSB] = {SERVE, 0, 0, 0},
        [BACK_OK] = {0, 0, 0, PLAN(BACK)},
        [FETCH_OK] = {0, 0, 0, PLAN(FETCH)},
        [LEAVE] = {0, 0, POP | WALK, 0},
        [HOLD] = {0, 0, REQ, 0}};
    const bool no_work = (need[which].no_work & work) || (need[which].no_work_of & want);
    const bool no_plan = no_work || (need[which].no_plan_of & work) || (need[which].no_plan & want);
    uint8_t *const port[] = {d.back_ok_i, d.fetch_ok_i, d.leave_i, d.hold_i};
    uint8_t *const of = which < BACK_OK ? d.can_i : port[which - BACK_OK];
    const uint8_t bit = which < BACK_OK ? (uint8_t)(1u << which) : 1;

    /* Nothing keeps a way that is to be filled; of what needs a memory in can_i that one has the credit. */
    if ((work == FILL && which == LEAVE) || (work != REQ && (which == BACK_OK || which == FETCH_OK)))
        return;
    *of ^= bit;
    hd_eval(d.m);
    assert_int_equal(*d.work_o, no_work ? 0 : work);
    assert_int_equal(*d.plan_o, no_plan ? 0 : want);
    if (no_plan) {
        hd_edge(d.m);
        const uint32_t stall = (uint32_t)(work == REQ) << HD_EV_L2_STALL;
        assert_int_equal(hd_bits_get(d.ev_o, 0, HD_EV_L2_NUM), stall);
    }
    *of ^= bit;
}

/* What leaves is the INV of the lowest SM that is still to be told. */
static void told(void)
{
    const unsigned to = lowest(inv);
    uint8_t head[HD_HEAD_BYTES(HD_HEAD_W)] = {0};

    hd_head_put(head, HD_MSG_INV, HD_L2(part), HD_SM(to));
    hd_bits_put(head, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, addr_of(at));
    hd_head_same(d.inv_head_o, head, HD_HEAD_W);
    inv[to] = false;
}

/* Line, entry and asker of this work are what they should be, and then what the plan makes of them; the events. */
static uint32_t follow(unsigned work, unsigned want)
{
    static const unsigned answers[] = {
        [HD_MSG_GETS] = HD_MSG_DATA_S, [HD_MSG_WT] = HD_MSG_WT_ACK, [HD_MSG_ATOMIC] = HD_MSG_AT_DATA};
    const unsigned idx = work == MEM ? *d.mem_idx_i : work == DONE ? *d.done_idx_i : work == FILL ? fill_idx : queue[0];
    const bool of_entry = work & (MEM | DONE | FILL | SERVE);
    struct asked *const e = of_entry ? &entry[idx] : &rq;
    struct line *const l = &lines[of_entry || work == REQ ? e->line : at];
    const unsigned row = *d.row_o, wanted = work == FILL ? lines[at].row : work == WALK ? ROWS - walk : l->here ? l->row : row;
    const bool hit = l->here && !locked(l);
    struct line *const old = line_in(row);

    assert_int_equal(row, wanted);
    if (old)
        assert_int_equal(*d.tag_addr_o, addr_of((unsigned)(old - lines)));
    if (work != WALK) {
        assert_int_equal(*d.line_addr_o, addr_of((unsigned)(l - lines)));
        assert_int_equal(row / P_Ways, num_of((unsigned)(l - lines)) % P_Sets);
    }
    if (work != WALK && work != FILL)
        assert_int_equal(*d.line_o, (l->here ? 1u << HD_COH_LINE_HIT_LSB : 0) | (locked(l) ? 1u << HD_COH_LINE_LOCKED_LSB : 0)
                                        | (hit && l->dirty ? 1u << HD_COH_LINE_NOTED_LSB : 0));
    assert_true(!of_entry || *d.idx_o == idx);
    assert_true(work != FILL || *d.new_idx_o == idx);
    if (work & (REQ | SERVE | DONE)) {
        assert_int_equal(hd_bits_get(d.asker_o, HD_L2_ASKER_SRC_LSB, HD_NODE_W), e->sm);
        assert_int_equal(hd_bits_get(d.asker_o, HD_L2_ASKER_TID_LSB, HD_TID_W), e->tid);
        assert_int_equal(hd_bits_get(d.asker_o, HD_L2_ASKER_OPID_LSB, HD_OPID_W), e->opid);
        assert_true(work == REQ || *d.lanes_o == e->lanes);
        assert_true(!(want & PLAN(ANSWER)) || *d.kind_o == answers[e->kind]);
    }
    if (want & PLAN(RECALL))
        old->leaves = true, old->fill = *d.new_idx_o, memcpy(inv, old->sharer, sizeof inv), at = (unsigned)(old - lines);
    if ((want & PLAN(BACK)) && work != REQ)
        old->dirty = false;
    else if (old && (want & (PLAN(BACK) | PLAN(FETCH))))
        *old = (struct line){0};
    if (want & PLAN(FETCH))
        l->here = true, l->row = row;
    if (want & PLAN(WROTE))
        l->dirty = true;
    if (P_Inclusive && (want & PLAN(ANSWER)) && (e->kind == HD_MSG_GETS || (e->kind == HD_MSG_WT && e->tid == DIRTY_TID)))
        l->sharer[e->sm] = true;
    if (want & PLAN(FILLED))
        fills = false;
    if (work == ACK) {
        l->sharer[hd_bits_get(d.ack_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W)] = false;
        fills = lowest(l->sharer) == P_Sms, fill_idx = l->fill;
    }
    if (work == WALK)
        walk--;
    if (work == SERVE)
        memmove(&queue[0], &queue[1], --queued * sizeof queue[0]);
    unsigned push = idx;
    if (want & PLAN(ALLOC)) {
        push = *d.new_idx_o;
        assert_false(entry[push].busy);
        entry[push] = rq, l->waits++;
    } else if (want & PLAN(ENDS)) { /* the oldest of those that wait for the line is next */
        e->busy = false, l->waits--;
        for (unsigned n = 0; n < P_MshrEntries; n++)
            if (entry[n].busy && entry[n].line == e->line && (push == idx || entry[n].when < entry[push].when))
                push = n;
    }
    if (want & PLAN(PUSH))
        queue[queued++] = push;

    const unsigned took = rq.kind == HD_MSG_GETS ? HD_EV_L2_GETS : rq.kind == HD_MSG_WT ? HD_EV_L2_WT : HD_EV_L2_ATOMIC;
    const bool take = want & PLAN(TAKE), stall = work == REQ && !(want & (PLAN(TAKE) | PLAN(BACK) | PLAN(RECALL)));
    return (uint32_t)take << took | (uint32_t)(take && hit) << HD_EV_L2_HIT | (uint32_t)stall << HD_EV_L2_STALL
           | (want & PLAN(CHAIN) ? 1u << HD_EV_L2_CHAINED : 0) | (want & PLAN(RECALL) ? 1u << HD_EV_L2_RECALL : 0)
           | (want & PLAN(FETCH) ? 1u << HD_EV_L2_MISS | 1u << HD_EV_L2_MEM_READ : 0)
           | (want & PLAN(BACK) ? 1u << HD_EV_L2_MEM_WRITE : 0) | (want & PLAN(ANSWER) ? 1u << HD_EV_L2_GRANT : 0);
}

/* The coming cycle does @work with the plan @want. */
static void cycle(unsigned work, unsigned want)
{
    uint32_t events = 0;

    without((unsigned)hd_rand_below(PERMISSIONS), work, want);
    hd_eval(d.m);
    assert_int_equal(*d.work_o, work);
    if (*d.plan_o != want)
        fail_msg("work 0x%x: plan 0x%x, not 0x%x", work, *d.plan_o, want);
    if (work == INV)
        told(), events = 1u << HD_EV_L2_INV_SENT;
    else if (work & ~(unsigned)PACK)
        events = follow(work, want);
    if (!(work & ~(unsigned)(INV | PACK)))
        assert_int_equal(*d.line_o, 0); /* no line is at work */
    if (*d.flush_i)
        walk = ROWS;
    hd_edge(d.m);
    ticks++;
    *d.req_valid_i = *d.mem_valid_i = *d.ack_valid_i = *d.done_valid_i = *d.pop_valid_i = *d.pack_valid_i = *d.flush_i = 0;
    assert_int_equal(hd_bits_get(d.ev_o, 0, HD_EV_L2_NUM), events);
    assert_int_equal(*d.serve_valid_o, queued > 0);
    assert_true(queued == 0 || *d.serve_idx_o == queue[0]);
    assert_int_equal(*d.idle_o, queued == 0 && walk == 0 && lowest(inv) == P_Sms && !fills && events == 0);
}

enum {
    MISS = PLAN(TAKE) | PLAN(ALLOC) | PLAN(FETCH) | PLAN(TAG_WE) | PLAN(DIR_WE), CHAIN = PLAN(TAKE) | PLAN(ALLOC) | PLAN(CHAIN),
    READ = PLAN(ANSWER) | PLAN(READ), WRITE = PLAN(ANSWER) | PLAN(STORED) | PLAN(WROTE) | PLAN(DIR_WE),
    CLEAN = PLAN(BACK) | PLAN(READ) | PLAN(DIR_WE)
};

/* Line @line is asked for. */
static unsigned miss(unsigned kind, unsigned line, unsigned sm, unsigned tid)
{
    request(kind, line, sm, tid);
    hd_eval(d.m);
    const unsigned idx = *d.new_idx_o;
    cycle(REQ, MISS | (kind == HD_MSG_GETS ? 0 : PLAN(PUT)));
    return idx;
}

/* Line @line comes for a request of @sm and is answered. */
static void bring(unsigned kind, unsigned line, unsigned sm, unsigned tid)
{
    const unsigned idx = miss(kind, line, sm, tid);

    cycle(0, 0);
    memory(idx);
    cycle(MEM, PLAN(PUSH));
    if (hd_rand_below(4) == 0) { /* a marker goes first */
        *d.pack_valid_i = 1;
        cycle(PACK, 0);
    }
    cycle(SERVE, PLAN(ENDS) | PLAN(TAG_WE) | (kind == HD_MSG_GETS ? READ : WRITE | PLAN(DROP)));
}

static unsigned any_tid(void)
{
    return (unsigned)hd_rand_below(1u << HD_TID_W);
}

/* An atomic on line @line, which is here, begins. */
static unsigned perform(unsigned line, unsigned sm)
{
    request(HD_MSG_ATOMIC, line, sm, any_tid());
    hd_eval(d.m);
    const unsigned idx = *d.new_idx_o;
    cycle(REQ, PLAN(TAKE) | PLAN(ALLOC) | PLAN(PUT) | PLAN(PUSH) | PLAN(TAG_WE));
    cycle(SERVE, PLAN(PERFORM) | PLAN(READ));
    return idx;
}

static void a_miss_is_fetched_and_a_hit_served_at_once(void **state)
{
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        start();
        bring(HD_MSG_GETS, 5, sms[2], any_tid());
        request(HD_MSG_GETS, 5, sms[1], any_tid());
        cycle(REQ, PLAN(TAKE) | READ);
        request(HD_MSG_WT, 5, sms[1], any_tid());
        cycle(REQ, PLAN(TAKE) | WRITE);
        request(HD_MSG_GETS, 5, sms[0], any_tid());
        cycle(REQ, PLAN(TAKE) | READ); /* and dirty still */
        bring(HD_MSG_GETS, OTHER_SET + 8, sms[1], any_tid());
        *d.flush_i = 1;
        cycle(0, 0);
        for (unsigned row = 0, backs = 0; row < ROWS; row++) {
            const bool back = line_in(row) == &lines[5];
            cycle(WALK, back ? CLEAN : 0);
            backs += back;
            assert_true(row < ROWS - 1 || backs == 1);
        }
        cycle(0, 0);
        request(HD_MSG_GETS, 5, sms[0], any_tid()); /* clean */
        cycle(REQ, PLAN(TAKE) | READ);
    }
}

static void an_atomic_takes_an_entry_and_others_wait_behind_it(void **state)
{
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        start();
        bring(HD_MSG_GETS, 5, sms[2], any_tid());
        const unsigned first = perform(5, sms[0]);
        request(HD_MSG_GETS, 5, sms[1], any_tid());
        cycle(REQ, CHAIN);
        request(HD_MSG_WT, 5, sms[0], any_tid());
        cycle(REQ, CHAIN | PLAN(PUT));
        done(first, true);
        cycle(DONE, PLAN(ANSWER) | PLAN(ENDS) | PLAN(DROP) | PLAN(WROTE) | PLAN(PUSH) | PLAN(DIR_WE));
        cycle(SERVE, READ | PLAN(ENDS) | PLAN(PUSH));
        cycle(SERVE, WRITE | PLAN(ENDS) | PLAN(DROP) | PLAN(TAG_WE));
    }
}

static void a_line_of_every_way_is_under_way(void **state)
{
    static const unsigned kinds[] = {HD_MSG_GETS, HD_MSG_WT, HD_MSG_ATOMIC};
    static const unsigned four[P_MshrEntries] = {3, 8, OTHER_SET + 3, OTHER_SET + 8};

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned idx[P_MshrEntries], atomics[P_MshrEntries], n_atomics = 0;

        start();
        for (unsigned n = 0; n < P_MshrEntries; n++)
            idx[n] = miss(kinds[hd_rand_below(3)], four[n], (unsigned)hd_rand_below(P_Sms), any_tid());
        request(kinds[hd_rand_below(3)], hd_rand_below(2) ? four[hd_rand_below(P_MshrEntries)] : 5, sms[0], any_tid());
        cycle(REQ, 0); /* no entry, and for the fifth line no way */
        for (unsigned left = P_MshrEntries; left > 0; left--) {
            const unsigned n = (unsigned)hd_rand_below(left);

            memory(idx[n]);
            cycle(MEM, PLAN(PUSH));
            idx[n] = idx[left - 1];
        }
        for (unsigned n = 0; n < P_MshrEntries; n++) {
            const unsigned kind = entry[queue[0]].kind;

            if (kind == HD_MSG_ATOMIC)
                atomics[n_atomics++] = queue[0];
            cycle(SERVE, kind == HD_MSG_ATOMIC ? PLAN(PERFORM) | PLAN(READ)
                                               : PLAN(ENDS) | PLAN(TAG_WE) | (kind == HD_MSG_WT ? WRITE | PLAN(DROP) : READ));
        }
        while (n_atomics > 0) {
            const unsigned n = (unsigned)hd_rand_below(n_atomics);
            const bool wrote = hd_rand_below(2);

            done(atomics[n], wrote);
            cycle(DONE, PLAN(ANSWER) | PLAN(ENDS) | PLAN(DROP) | PLAN(TAG_WE) | (wrote ? PLAN(WROTE) | PLAN(DIR_WE) : 0));
            atomics[n] = atomics[--n_atomics];
        }
    }
}

static void a_line_is_cleaned_and_a_marker_answered(void **state)
{
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        start();
        bring(HD_MSG_WT, 8, sms[0], any_tid());
        for (unsigned line = 0; line < OTHER_SET; line++)
            if (line != 8) {
                pop(line); /* not here */
                cycle(POP, 0);
            }
        pop(8);
        cycle(POP, CLEAN);
        *d.pack_valid_i = 1;
        cycle(PACK, 0);
        pop(8);
        cycle(POP, 0); /* clean */
    }
}

static void a_dirty_victim_is_written_and_a_shared_one_recalled(void **state)
{
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        start();
        bring(HD_MSG_GETS, OTHER_SET, sms[0], any_tid());
        for (unsigned n = round / 2 % P_MshrEntries; n > 0; n--) { /* entries have other numbers */
            done(perform(OTHER_SET, sms[1]), false);
            cycle(DONE, PLAN(ANSWER) | PLAN(ENDS) | PLAN(DROP) | PLAN(TAG_WE));
        }
        if (round % 2)
            bring(HD_MSG_GETS, 6, sms[1], any_tid()); /* 4 and 8 get the other way */
        /* no copy: not dirty words that were written through */
        bring(HD_MSG_WT, 4, sms[0], DIRTY_TID ^ 1u << hd_rand_below(HD_TID_W));
        if (round % 2) {
            request(HD_MSG_GETS, 6, sms[1], any_tid());
            cycle(REQ, PLAN(TAKE) | READ);
        } else {
            bring(HD_MSG_GETS, 6, sms[1], any_tid());
        }
        request(HD_MSG_GETS, 8, sms[2], any_tid()); /* takes the way of 4 */
        cycle(REQ, PLAN(BACK) | PLAN(READ) | PLAN(TAG_WE));
        bring(HD_MSG_GETS, 8, sms[2], any_tid());
        if (!P_Inclusive) {
            bring(HD_MSG_GETS, 10, sms[0], any_tid()); /* takes the way of 6 as it is */
            continue;
        }
        request(HD_MSG_GETS, 6, sms[2], any_tid()); /* 6: SMs 1 and 2 */
        cycle(REQ, PLAN(TAKE) | READ);
        request(HD_MSG_WT, 8, sms[0], DIRTY_TID); /* 8: SM 2, and 0, whose dirty words it were, and some */
        cycle(REQ, PLAN(TAKE) | WRITE);
        for (unsigned sm = 0; sm < P_Sms; sm++)
            if (sm != sms[1] && hd_rand_below(2)) {
                request(HD_MSG_GETS, 8, sm, any_tid());
                cycle(REQ, PLAN(TAKE) | READ);
            }
        request(HD_MSG_GETS, 6, sms[2], any_tid());
        cycle(REQ, PLAN(TAKE) | READ);
        request(HD_MSG_GETS, 10, sms[1], any_tid()); /* takes the way of 8 */
        hd_eval(d.m);
        const unsigned idx = *d.new_idx_o;
        cycle(REQ, PLAN(TAKE) | PLAN(ALLOC) | PLAN(RECALL) | PLAN(TAG_WE));
        assert_true(at == 8 && inv[sms[0]] && !inv[sms[1]] && inv[sms[2]]);
        while (lowest(inv) < P_Sms)
            cycle(INV, 0);
        request(HD_MSG_WT, 8, sms[1], DIRTY_TID); /* must wait until it has gone */
        cycle(REQ, 0);
        request(HD_MSG_GETS, 10, sms[0], any_tid()); /* waits behind the first */
        cycle(REQ, CHAIN);
        pop(10); /* the line to come is locked */
        cycle(POP, 0);
        pop(8);
        cycle(POP, 0);
        for (unsigned sm = P_Sms; sm-- > 0;)
            if (lines[8].sharer[sm]) {
                cycle(0, 0);
                answer_of(sm, 8);
                cycle(ACK, 0);
            }
        cycle(FILL, CLEAN);
        cycle(FILL, PLAN(FETCH) | PLAN(FILLED) | PLAN(TAG_WE) | PLAN(DIR_WE));
        memory(idx);
        cycle(MEM, PLAN(PUSH));
        cycle(SERVE, READ | PLAN(ENDS) | PLAN(PUSH));
        cycle(SERVE, READ | PLAN(ENDS) | PLAN(TAG_WE));
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(a_miss_is_fetched_and_a_hit_served_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(an_atomic_takes_an_entry_and_others_wait_behind_it, setup, teardown),
        cmocka_unit_test_setup_teardown(a_line_of_every_way_is_under_way, setup, teardown),
        cmocka_unit_test_setup_teardown(a_line_is_cleaned_and_a_marker_answered, setup, teardown),
        cmocka_unit_test_setup_teardown(a_dirty_victim_is_written_and_a_shared_one_recalled, setup, teardown)};

    return HD_UNIT_MAIN(argc, argv, t);
}
