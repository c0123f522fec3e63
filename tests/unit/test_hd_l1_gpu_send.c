/* test_hd_l1_gpu_send.c - what leaves an L1: requests of every kind, dirty words in their order, persist barriers and
 * acknowledgements, against queues in C; what is out, and what room says of it. */
/* dut: hd_l1_gpu_send Rows=8 Lanes=8 LineWords=8 WordW=32 FlitWords=2 WbEntries=3 PartBits=3 ReqDepth=4 StoreData=3 SbWords=16 SbRows=3 WtOut=2 Markers=2 Persist=1 NvwDepth=2 Inclusive=1 */
/* dut-rtl: hd_l1_gpu_send Rows=4 Lanes=4 LineWords=8 WordW=64 SlotW=5 WbEntries=1 PartBits=0 ReqDepth=1 StoreData=1 SbWords=8 SbRows=1 WtOut=1 Markers=1 */
/* dut-rtl: hd_l1_gpu_send Rows=8 Lanes=8 LineWords=8 WordW=32 FlitWords=2 WbEntries=3 PartBits=3 ReqDepth=4 StoreData=3 SbWords=16 SbRows=3 WtOut=2 Markers=2 Persist=2 NvwDepth=6 */
#include "hd_unit.h"
#include "hd_l1_gpu_send_dut.h"
#include "hd_access.h"
#include "hd_head.h"
#include "nv_lines.h"

#ifndef P_SlotW
#define P_SlotW HD_SLOT_W
#endif
#ifndef P_FlitWords
#define P_FlitWords HD_FLIT_WORDS
#endif
#ifndef P_Persist
#define P_Persist 0
#define P_NvwDepth 1
#endif
#ifndef P_Inclusive
#define P_Inclusive 0
#endif
enum {
    ROWS = P_Rows, LANES = P_Lanes, WORDS = P_LineWords, W = P_WordW, OFF_W = 3, FLIT = P_FlitWords * W, FLUSH_TID = 255,
    GROUPS = (LANES + P_FlitWords - 1) / P_FlitWords, AT_ENTRIES = 2, QUEUE = 32, LINES = 64, NV = LINES / 2,
    PLACE_W = LANES + LANES * OFF_W + WORDS, WHO_W = 1 + HD_WARP_W + P_SlotW, HEAD_W = HD_L1_GPU_SEND_W_req_head_o,
    LINE_W = HD_ADDR_W - 5, BUFFERED = P_Persist == 2, CYCLES = BUFFERED ? 48000 : 32000, PHASES = 8
};
#define MARK (UINT32_C(1) << LINE_W) /* a persist barrier or a release, not a line or a row */

#define TURN(name) (1u << HD_GPU_TURN_##name##_LSB)
#define DO(name) (1u << HD_GPU_DO_##name##_LSB)
#define ROOM(name) (hd_bits_get(d.room_o, HD_GPU_ROOM_##name##_LSB, 1) != 0)
#define HEAD(name) (hd_bits_get(d.heads_o, HD_GPU_HEADS_##name##_LSB, 1) != 0)
#define DIRTY(name) (hd_bits_get(d.dirty_o, HD_GPU_DIRTY_##name##_LSB, 1) != 0)

/* Cases, those with non-volatile memory, epochs and INVs last. EARLY: the head of the list is to leave before its epoch; BEHIND:
 * words would join those of an older one; MARKED: an access past the rows waits for a marker. */
enum { WRITTEN, READ, READ_OUT, SYNC_LOAD, SYNC_STORE, SYNC_ATOMIC, CAS, MADE_DIRTY, FLUSH, RELEASE, WALK, VICTIM, DONE, BUSY_POP,
       BARRIER, POP, POP_STALE, EARLY, BEHIND, MARKED, INV, NO_ACK, CASES };

static struct hd_l1_gpu_send d;
static struct request { uint8_t head[HEAD_W / 8]; unsigned kind, fn; uint64_t data[WORDS], offs; uint32_t cmp[LANES]; } q[QUEUE];
static struct { bool used; uint64_t who; } out[P_StoreData];
static struct { bool here, tracked; unsigned line, dirty, epoch; } rows[ROWS];
static unsigned newest, oldest; /* epochs: of what is written now, of what may leave */
static struct { uint8_t head[HD_HEAD_W / 8]; } acks[QUEUE];
static unsigned len, wts, words, list[ROWS + P_Markers + 1], listed, fifo[P_NvwDepth + 4], fifos, ackn, outs, seen[CASES];
static uint32_t number[LINES]; /* of lines; those from NV on are of non-volatile memory */

static void same_bits(const void *port, const uint8_t *want, unsigned width)
{
    for (unsigned lsb = 0; lsb < width; lsb += 16)
        assert_int_equal(hd_bits_get(port, lsb, 16), hd_bits_get(want, lsb, 16));
}

static struct request request(unsigned kind, unsigned line, unsigned tid, unsigned opid, unsigned wmask, unsigned lanes)
{
    struct request r = {.kind = kind};

    hd_head_put(r.head, kind, HD_SM(*d.sm_id_i), HD_L2(line & ((1u << P_PartBits) - 1)));
    hd_bits_put(r.head, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, (uint64_t)line * WORDS * 4);
    hd_bits_put(r.head, HD_HEAD_TID_LSB, HD_HEAD_TID_W, tid), hd_bits_put(r.head, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, opid);
    hd_bits_put(r.head, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W, wmask), hd_bits_put(r.head, HD_HEAD_LANES_LSB, LANES, lanes);
    return r;
}

/* Flits that follow the head of an atomic: function and places, operands, compare values. */
static unsigned flits(unsigned fn, unsigned lanes)
{
    unsigned mask = 1;

    for (unsigned i = 0; i < LANES; i++)
        if (lanes >> i & 1)
            mask |= 1u << (1 + i / P_FlitWords) | (fn == HD_AT_CAS ? 1u << (1 + GROUPS + i / P_FlitWords) : 0);
    return mask;
}

static void put(unsigned turn, unsigned act, bool hit, bool evict, bool pending)
{
    /* what access and message are is said whatever is selected */
    turn |= turn & TURN(FR) ? 0 : hd_rand() & ((1u << HD_GPU_TURN_WHAT_W) - 1) << HD_GPU_TURN_WHAT_LSB;
    turn |= turn & TURN(DN) ? 0 : hd_rand() & ((1u << HD_GPU_TURN_MSG_W) - 1) << HD_GPU_TURN_MSG_LSB;
    hd_bits_put(d.turn_i, 0, HD_L1_GPU_SEND_W_turn_i, turn);
    hd_bits_put(d.act_i, 0, HD_L1_GPU_SEND_W_act_i, act);
    hd_bits_put(d.look_i, 0, HD_L1_GPU_SEND_W_look_i, 0);
    hd_bits_put(d.look_i, HD_GPU_LOOK_HIT_LSB, 1, hit);
    hd_bits_put(d.look_i, HD_GPU_LOOK_EVICT_LSB, 1, evict);
    hd_bits_put(d.look_i, HD_GPU_LOOK_PENDING_LSB, 1, pending);
    hd_eval(d.m);
}

static void row_is(unsigned row, unsigned line, unsigned before, unsigned after)
{
    *d.row_i = (uint8_t)row, *d.num_i = line;
    hd_bits_put(d.masks_i, 0, WORDS, before), hd_bits_put(d.masks_i, WORDS, WORDS, after);
}

/* What is offered is what was pushed first. Body flits that do not follow, and what does not fill a flit, may be anything. */
static void see_request(void)
{
    const struct request *r = &q[0];

    assert_int_equal(*d.req_valid_o, len > 0);
    if (len == 0)
        return;
    same_bits(d.req_head_o, r->head, HEAD_W);
    for (unsigned w = 0; r->kind == HD_MSG_WT && w < WORDS; w++)
        assert_true(hd_bits_get(d.req_body_o, w * W, W) == r->data[w]);
    if (r->kind != HD_MSG_ATOMIC)
        return;
    assert_int_equal(hd_bits_get(d.req_body_o, 0, 4), r->fn);
    assert_true(hd_bits_get(d.req_body_o, 4, LANES * OFF_W) == r->offs);
    for (unsigned i = 0; i < LANES; i++) {
        const unsigned at = (1 + i / P_FlitWords) * FLIT, k = i % P_FlitWords;
        assert_true(hd_bits_get(d.req_body_o, at + k * W, W) == r->data[i]);
        if (r->fn == HD_AT_CAS)
            assert_int_equal(hd_bits_get(d.req_body_o, at + GROUPS * FLIT + k * 32, 32), r->cmp[i]);
    }
}

static bool may_leave(unsigned row)
{
    return !BUFFERED || !rows[row].tracked || rows[row].epoch == oldest;
}

static void see_heads(bool busy)
{
    unsigned markers = 0, barriers = 0, data = 0, at = 0;

    for (unsigned i = 0; i < listed; i++)
        markers += list[i] >= MARK;
    for (unsigned i = 0; i < fifos; i++)
        barriers += fifo[i] >= MARK;
    for (unsigned i = 0; i < len; i++)
        data += q[i].kind == HD_MSG_WT || q[i].kind == HD_MSG_ATOMIC, at += q[i].kind == HD_MSG_ATOMIC;
    assert_int_equal(HEAD(VALID), listed > 0);
    assert_int_equal(HEAD(MARKED), markers > 0);
    assert_int_equal(HEAD(MARKER), listed > 0 && list[0] >= MARK);
    assert_int_equal(HEAD(FULL), words + WORDS > P_SbWords || listed - markers == P_SbRows);
    if (HEAD(MARKER))
        assert_int_equal(hd_bits_get(d.mk_who_o, 0, WHO_W), list[0] - MARK);
    else if (listed > 0)
        assert_int_equal(*d.fl_row_o, list[0]);
    assert_int_equal(HEAD(POP), barriers > 0 || (P_Persist && fifos == P_NvwDepth));
    if (HEAD(POP))
        assert_int_equal(HEAD(POP_MARK), fifo[0] >= MARK);
    if (HEAD(POP) && !HEAD(POP_MARK))
        assert_int_equal(*d.pop_num_o, fifo[0]);
    assert_int_equal(DIRTY(LEAVE), may_leave((unsigned)*d.row_i));
    assert_int_equal(DIRTY(ONE), !BUFFERED || newest == oldest);
    if (listed > 0 && list[0] < MARK)
        assert_int_equal(HEAD(LEAVE), may_leave(list[0]));
    assert_int_equal(ROOM(REQ), len < P_ReqDepth);
    assert_int_equal(ROOM(DATA), data < P_WbEntries);
    assert_int_equal(ROOM(AT), at < AT_ENTRIES);
    assert_int_equal(ROOM(OUT), outs < P_StoreData);
    assert_int_equal(ROOM(WT), ROOM(REQ) && ROOM(DATA) && wts < P_WtOut);
    assert_int_equal(ROOM(WT_NONE), wts == 0);
    assert_int_equal(ROOM(WT_BUSY), busy);
    assert_int_equal(*d.idle_o, len == 0 && ackn == 0 && !HEAD(POP) && !busy);
    assert_int_equal(*d.rsp_valid_o, ackn > 0);
    if (ackn > 0)
        same_bits(d.rsp_head_o, acks[0].head, HD_HEAD_W);
    assert_true(!*d.ack_room_o || (P_Inclusive && ackn < P_WbEntries));
}

/* Dirty words of a row leave; their line comes in the cycle after. */
static void write_through(unsigned turn, unsigned act, unsigned row, unsigned line, bool hit, bool evict)
{
    const unsigned dirty = hit || evict ? rows[row].dirty : 0;
    struct request r = request(HD_MSG_WT, line, FLUSH_TID, 0, dirty, 0);

    row_is(row, line, dirty, 0);
    put(turn, act | (dirty ? DO(WT) : 0) | (hit || evict ? DO(WRITE) : 0), hit, evict, false);
    hd_edge(d.m);
    words -= hd_bits_count(dirty);
    if (hit || evict)
        rows[row].dirty = 0;
    if (dirty == 0)
        return;
    wts++;
    hd_bits_random(d.wt_data_i, WORDS * W);
    row_is(row, number[hd_rand_below(LINES)], 0, 0);
    *d.mark_valid_i = 0, *d.rsp_ready_i = 0, *d.req_ready_i = hd_rand_below(2);
    put(0, 0, false, false, false);
    see_request();
    see_heads(true);
    for (unsigned w = 0; w < WORDS; w++)
        r.data[w] = hd_bits_get(d.wt_data_i, w * W, W);
    if (*d.req_valid_o && *d.req_ready_i)
        memmove(&q[0], &q[1], --len * sizeof q[0]), seen[BUSY_POP]++;
    hd_edge(d.m);
    q[len++] = r;
    seen[WRITTEN]++;
}

/* Everything is empty, and non-volatile memory begins elsewhere: at any line, or there is none. */
static void begin(bool none)
{
    const uint32_t base = nv_lines(number, LINES, MARK, none);

    memset(out, 0, sizeof out), memset(rows, 0, sizeof rows);
    len = wts = words = listed = fifos = ackn = outs = newest = oldest = 0;
    hd_reset(d.m);
    *d.nv_base_i = P_Persist ? base * WORDS * 4 : 0;
}

static void all_leaves_in_its_order(void **state)
{
    (void)state;
    hd_l1_gpu_send_open(&d);
    for (unsigned n = 0; n < CYCLES; n++) {
        if (n % (CYCLES / PHASES) == 0)
            begin(n == 0);
        const unsigned what = (unsigned)hd_rand_below(14), row = (unsigned)hd_rand_below(ROWS);
        const unsigned mask = (unsigned)hd_bits_random_mask(LANES), want = (unsigned)hd_bits_random_mask(WORDS);
        const unsigned kind = (unsigned)hd_rand_below(3), tid = (unsigned)hd_rand_below(P_StoreData);
        const unsigned other = number[hd_rand_below(LINES)];
        const bool acquire = hd_rand_below(2), pending = hd_rand_below(4) == 0;
        const bool same = rows[row].here && (rows[row].dirty || other == rows[row].line || hd_rand_below(2));
        const unsigned line = same ? rows[row].line : other, before = same ? rows[row].dirty : 0;
        struct hd_access a = hd_access_random();
        unsigned markers = 0, listed_rows = 0;
        bool on_list = false, twice = false;

        if (hd_rand_below(3) == 0)
            a.fn = HD_AT_CAS;
        const unsigned slot = (a.tag << HD_SLOT_W | a.slot) & ((1u << P_SlotW) - 1);
        const uint64_t who = ((uint64_t)acquire << HD_WARP_W | a.warp) << P_SlotW | slot;
        for (unsigned i = 0; i < listed; i++)
            markers += list[i] >= MARK, listed_rows += list[i] < MARK, on_list |= list[i] == row;
        for (unsigned i = 0; i < ROWS; i++)
            twice |= i != row && rows[i].here && rows[i].line == line;
        hd_bits_put(d.la_acc_i, 0, HD_ACCESS_W, hd_access_pack(a));
        hd_bits_random(d.la_place_i, PLACE_W), hd_bits_put(d.la_place_i, PLACE_W - LANES, LANES, mask);
        hd_bits_put(d.la_place_i, 0, WORDS, want);
        hd_bits_random(d.la_data_i, WORDS * W), hd_bits_random(d.la_cmp_i, LANES * 32), hd_bits_random(d.wt_data_i, WORDS * W);
        hd_bits_random(d.dn_i, HD_HEAD_W), hd_bits_put(d.dn_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, tid);
        *d.la_line_i = line, *d.read_tid_i = (uint8_t)hd_rand_below(200), *d.sm_id_i = (uint8_t)hd_rand_below(1u << HD_NODE_W);
        *d.req_ready_i = hd_rand_below(4) > n / 500 % 3, *d.rsp_ready_i = hd_rand_below(16) == 0;
        *d.mark_valid_i = P_Persist && what == 11, *d.mark_id_i = (uint8_t)hd_rand_below(256);
        row_is(row, line, before, before);
        put(TURN(FR), 0, same, false, pending);
        see_request();
        see_heads(false);
        if (out[tid].used)
            assert_true(hd_bits_get(d.st_who_o, 0, WHO_W + LANES) == out[tid].who);
        const unsigned more = hd_bits_count(want & ~before);
        const bool fits = words + more <= P_SbWords && (on_list || listed_rows < P_SbRows);
        const bool nv = P_Persist && *d.nv_base_i && line >= *d.nv_base_i / (WORDS * 4), tracked = same && rows[row].tracked;
        if (P_Persist)
            assert_true(DIRTY(NV) == nv && DIRTY(TRACKED) == tracked);
        const bool joins = !BUFFERED || rows[row].epoch == newest, leaves = may_leave(row);
        const bool head_leaves = listed > 0 && list[0] < MARK && may_leave(list[0]), one = !BUFFERED || newest == oldest;
        assert_int_equal(DIRTY(NV_ROOM), !nv || (tracked ? joins : fifos < P_NvwDepth));
        assert_int_equal(DIRTY(ROOM), fits && DIRTY(NV_ROOM));
        assert_int_equal(*d.mark_ready_o, P_Persist && fifos < P_NvwDepth);
        /* what the queues give away in this cycle */
        const bool gone = *d.req_valid_o && *d.req_ready_i, acked = *d.rsp_valid_o && *d.rsp_ready_i;
        const bool marked = *d.mark_valid_i && *d.mark_ready_o, room = DIRTY(ROOM);
        const bool req = ROOM(REQ), with_data = req && ROOM(DATA) && ROOM(OUT), at = ROOM(AT), wt = ROOM(WT);
        const bool mk = HEAD(MARKER) && ROOM(WT_NONE), pop = HEAD(POP), pop_mark = HEAD(POP_MARK);
        const bool ack_room = *d.ack_room_o;
        const unsigned id = *d.read_tid_i, opid = a.slot << HD_WARP_W | a.warp;
        struct request r = {0};
        bool pushed = false;

        seen[NO_ACK] += P_Inclusive && !ack_room;
        seen[EARLY] += wt && listed > 0 && list[0] < MARK && !head_leaves;
        seen[BEHIND] += fits && nv && tracked && !joins;
        seen[MARKED] += nv && !one;
        if (gone)
            memmove(&q[0], &q[1], --len * sizeof q[0]);
        if (acked)
            memmove(&acks[0], &acks[1], --ackn * sizeof acks[0]);
        if (marked)
            fifo[fifos++] = MARK + *d.mark_id_i, newest++;
        if (what == 0 && (pending || req)) { /* a READ, if none is out; its line takes the row */
            const bool takes = !pending && !same && !rows[row].dirty && !twice;
            put(TURN(FR) | TURN(LOAD), DO(ACCEPT) | DO(PUSH) | (takes ? DO(WRITE) : 0), same, false, pending);
            r = request(HD_MSG_GETS, line, id, opid, 0, 0), pushed = !pending, seen[pending ? READ_OUT : READ]++;
            if (takes)
                rows[row].here = true, rows[row].tracked = false, rows[row].line = line;
        } else if (what == 1 && with_data && (at || kind == 1) && (!nv || one)) { /* performed at the L2 */
            const unsigned what_it_is = kind == 0 ? TURN(LOAD) : kind == 1 ? TURN(STORE) : TURN(ATOMIC);
            const unsigned fn = kind == 0 ? HD_AT_READ : a.fn;
            put(TURN(FR) | TURN(SYNC) | (acquire ? TURN(ACQUIRE) : 0) | what_it_is, DO(ACCEPT) | DO(SEND), same, false, pending);
            r = kind == 1 ? request(HD_MSG_WT, line, 0, opid, want, 0)
                          : request(HD_MSG_ATOMIC, line, 0, opid, flits(fn, mask), mask);
            r.fn = fn, r.offs = hd_bits_get(d.la_place_i, WORDS, LANES * OFF_W);
            for (unsigned w = 0; w < WORDS; w++)
                r.data[w] = hd_bits_get(d.la_data_i, w * W, W);
            for (unsigned i = 0; i < LANES; i++)
                r.cmp[i] = (uint32_t)hd_bits_get(d.la_cmp_i, i * 32, 32);
            pushed = true, seen[SYNC_LOAD + kind]++, seen[CAS] += kind == 2 && fn == HD_AT_CAS;
        } else if ((what == 2 || what == 3) && room && !twice) { /* words become dirty */
            row_is(row, line, before, before | want);
            put(TURN(FR) | (kind ? TURN(STORE) : TURN(ATOMIC)), DO(ACCEPT) | DO(WRITE) | (kind ? DO(STORE) : DO(ATOMIC)), same,
                false, pending);
            if (nv && !tracked)
                fifo[fifos++] = line;
            rows[row].dirty = want | before, rows[row].line = line, rows[row].here = true;
            rows[row].tracked = nv, rows[row].epoch = newest, words += more;
            if (!on_list)
                list[listed++] = row;
            seen[MADE_DIRTY]++;
        } else if (what == 4 && head_leaves && wt) { /* a flush step */
            const unsigned l = list[0];
            memmove(&list[0], &list[1], --listed * sizeof list[0]);
            write_through(TURN(FL), DO(LEAVE), l, rows[l].line, rows[l].here, false);
            seen[FLUSH]++;
            continue;
        } else if (what == 5 && mk) { /* a release leaves */
            put(TURN(MK), 0, false, false, false);
            memmove(&list[0], &list[1], --listed * sizeof list[0]);
            seen[RELEASE]++;
        } else if (what == 6 && markers < P_Markers) { /* a release comes */
            put(TURN(FR) | TURN(FENCE) | TURN(RELEASE_IT) | (acquire ? TURN(ACQUIRE) : 0), DO(ACCEPT) | DO(MARKER), false, false,
                false);
            list[listed++] = MARK + (unsigned)who;
        } else if (what == 7 && pop && pop_mark && req) {
            put(TURN(PP), 0, false, false, false);
            r = request(HD_MSG_PMARK, 0, 0, fifo[0] - MARK, 0, 0);
            pushed = true, seen[BARRIER]++, oldest++;
            memmove(&fifo[0], &fifo[1], --fifos * sizeof fifo[0]);
        } else if (what == 7 && pop && !pop_mark && wt) {
            unsigned i = 0;
            while (i < ROWS && !(rows[i].here && rows[i].line == fifo[0]))
                i++;
            const unsigned l = fifo[0];
            memmove(&fifo[0], &fifo[1], --fifos * sizeof fifo[0]);
            const bool here = i < ROWS && may_leave(i);
            if (i < ROWS && !here) { /* words of a later epoch, for which the line has another entry */
                row_is(i, l, rows[i].dirty, rows[i].dirty);
                put(TURN(PP), 0, true, false, false);
                seen[POP_STALE]++;
                hd_edge(d.m);
                continue;
            }
            if (here)
                rows[i].tracked = false;
            seen[here ? POP : POP_STALE]++;
            write_through(TURN(PP), DO(LEAVE), i % ROWS, l, i < ROWS, false);
            continue;
        } else if (what == 8 && wts > 0) { /* the answer to a WT of dirty words */
            put(TURN(DN) | TURN(ACK), 0, false, false, false);
            wts--;
        } else if (what == 9 && out[tid].used) { /* ... to a synchronizing access */
            put(TURN(DN) | TURN(DONE), 0, false, false, false);
            out[tid].used = false, outs--, seen[DONE]++;
        } else if (what == 10 && ack_room) {
            put(TURN(DN) | TURN(INV), 0, false, false, false);
            memcpy(acks[ackn].head, d.dn_i, sizeof acks[ackn].head);
            hd_head_put(acks[ackn].head, HD_MSG_INV_ACK, HD_SM(*d.sm_id_i),
                        HD_L2((unsigned)hd_bits_get(d.dn_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W)));
            ackn++, seen[INV]++;
        } else if (what == 12 && rows[row].here && rows[row].dirty && leaves && wt) { /* a victim */
            rows[row].here = false, rows[row].tracked = false;
            write_through(TURN(FR), DO(STEP), row, rows[row].line, false, true);
            seen[VICTIM]++;
            continue;
        } else if (what == 13) { /* a row of a walk: no word becomes dirty or leaves, whatever its masks say */
            row_is(row, line, (unsigned)hd_rand_below(1u << WORDS), (unsigned)hd_rand_below(1u << WORDS));
            put(TURN(WRAP), DO(WRITE), hd_rand_below(2), false, false);
            seen[WALK]++;
        } else {
            put(TURN(FR) | (unsigned)hd_rand_below(1u << HD_GPU_TURN_WHAT_W), DO(REJECT), false, false, false);
        }
        hd_edge(d.m);
        if (!pushed)
            continue;
        if (what == 1) { /* which entry it took */
            unsigned took = P_StoreData;
            for (unsigned i = 0; i < P_StoreData && took == P_StoreData; i++) {
                hd_bits_put(d.dn_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, i);
                hd_eval(d.m);
                if (!out[i].used && hd_bits_get(d.st_who_o, 0, WHO_W + LANES) == (who << LANES | mask))
                    took = i;
            }
            assert_true(took < P_StoreData);
            out[took].used = true, out[took].who = who << LANES | mask, outs++;
            hd_bits_put(r.head, HD_HEAD_TID_LSB, HD_HEAD_TID_W, took);
        }
        assert_true(len < QUEUE);
        q[len++] = r;
    }
    for (unsigned i = 0; i < CASES; i++)
        if (seen[i] < 50 && !(i == BUSY_POP && P_ReqDepth == 1) && !(i >= BARRIER && !P_Persist)
            && !(i >= EARLY && i <= MARKED && !BUFFERED) && !(i >= INV && !P_Inclusive))
            fail_msg("case %u was reached %u times", i, seen[i]);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(all_leaves_in_its_order)};

    return HD_UNIT_MAIN(argc, argv, t);
}
