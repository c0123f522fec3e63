/* test_hd_l1_gpu_send.c - what leaves an L1: requests of every kind, dirty words in their order, persist barriers and
 * acknowledgements, against queues in C; what is out, and what room says of it. */
/* dut: hd_l1_gpu_send Rows=8 Lanes=4 LineWords=8 WordW=32 WbEntries=2 PartBits=1 ReqDepth=3 StoreData=3 SbWords=16 SbRows=3 WtOut=2 Markers=2 Persist=1 NvwDepth=2 Inclusive=1 */
/* dut-rtl: hd_l1_gpu_send Rows=4 Lanes=4 LineWords=8 WordW=64 SlotW=5 WbEntries=1 PartBits=0 ReqDepth=1 StoreData=1 SbWords=8 SbRows=1 WtOut=1 Markers=1 */
#include "hd_unit.h"
#include "hd_l1_gpu_send_dut.h"
#include "hd_access.h"

#ifndef P_SlotW
#define P_SlotW HD_SLOT_W
#endif
#ifndef P_Persist
#define P_Persist 0
#define P_NvwDepth 1
#define P_Inclusive 0
#endif
enum {
    ROWS = P_Rows, LANES = P_Lanes, WORDS = P_LineWords, W = P_WordW, OFF_W = 3, FLIT = HD_FLIT_WORDS * W, FLUSH_TID = 255,
    QUEUE = 32, LINES = 64, NV = 32, MARK = 1000, SM = 9, PLACE_W = LANES + LANES * OFF_W + WORDS, WHO_W = 1 + HD_WARP_W + P_SlotW
};

#define TURN(name) (1u << HD_GPU_TURN_##name##_LSB)
#define DO(name) (1u << HD_GPU_DO_##name##_LSB)
#define ROOM(name) (hd_bits_get(d.room_o, HD_GPU_ROOM_##name##_LSB, 1) != 0)
#define HEAD(name) (hd_bits_get(d.heads_o, HD_GPU_HEADS_##name##_LSB, 1) != 0)
#define DIRTY(name) (hd_bits_get(d.dirty_o, HD_GPU_DIRTY_##name##_LSB, 1) != 0)

static struct hd_l1_gpu_send d;
static struct request { unsigned kind, tid, line, opid, words, lanes, fn; uint64_t data[WORDS], offs; } q[QUEUE];
static struct { bool used; uint64_t who; } out[P_StoreData];
static struct { bool here, tracked; unsigned line, dirty; } rows[ROWS];
static unsigned len, wts, words, list[ROWS + P_Markers + 1], listed, fifo[P_NvwDepth + 4], fifos, acks[QUEUE], ackn, seen[16];

static void put(unsigned turn, unsigned act, bool hit, bool evict, bool pending)
{
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

/* What is offered is what was pushed first. */
static void see_request(void)
{
    const struct request *r = &q[0];

    assert_int_equal(*d.req_valid_o, len > 0);
    if (len == 0)
        return;
    assert_int_equal(hd_bits_get(d.req_head_o, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W), r->kind);
    assert_int_equal(hd_bits_get(d.req_head_o, HD_HEAD_TID_LSB, HD_HEAD_TID_W), r->tid);
    assert_int_equal(hd_bits_get(d.req_head_o, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W), r->opid);
    assert_int_equal(hd_bits_get(d.req_head_o, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W) / (WORDS * 4), r->line);
    assert_int_equal(hd_bits_get(d.req_head_o, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W), SM);
    assert_int_equal(hd_bits_get(d.req_head_o, HD_HEAD_LANES_LSB, LANES), r->lanes);
    if (r->kind == HD_MSG_WT)
        assert_int_equal(hd_bits_get(d.req_head_o, HD_HEAD_WMASK_LSB, WORDS), r->words);
    for (unsigned w = 0; r->kind == HD_MSG_WT && w < WORDS; w++)
        assert_true(hd_bits_get(d.req_body_o, w * W, W) == r->data[w]);
    if (r->kind != HD_MSG_ATOMIC)
        return;
    assert_int_equal(hd_bits_get(d.req_body_o, 0, 4), r->fn);
    assert_true(hd_bits_get(d.req_body_o, 4, LANES * OFF_W) == r->offs);
    for (unsigned i = 0; i < LANES; i++)
        assert_true(hd_bits_get(d.req_body_o, FLIT + i * W, W) == r->data[i]);
}

static void see_heads(void)
{
    unsigned markers = 0;

    for (unsigned i = 0; i < listed; i++)
        markers += list[i] >= MARK;
    assert_int_equal(HEAD(VALID), listed > 0);
    assert_int_equal(HEAD(MARKED), markers > 0);
    assert_int_equal(HEAD(MARKER), listed > 0 && list[0] >= MARK);
    if (HEAD(MARKER))
        assert_int_equal(hd_bits_get(d.mk_who_o, 0, WHO_W), list[0] - MARK);
    else if (listed > 0)
        assert_int_equal(*d.fl_row_o, list[0]);
    if (HEAD(POP) && HEAD(POP_MARK))
        assert_true(fifos > 0 && fifo[0] >= MARK);
    else if (HEAD(POP))
        assert_true(fifos > 0 && *d.pop_num_o == fifo[0]);
    assert_int_equal(ROOM(WT_NONE), wts == 0);
    assert_true(!ROOM(WT) || wts < P_WtOut);
}

/* Dirty words of a row leave; their line comes in the cycle after. */
static void write_through(unsigned turn, unsigned act, unsigned row, unsigned line, bool hit, bool evict)
{
    const unsigned dirty = hit || evict ? rows[row].dirty : 0;

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
    put(0, 0, false, false, false);
    assert_true(ROOM(WT_BUSY));
    q[len] = (struct request){.kind = HD_MSG_WT, .tid = FLUSH_TID, .line = line, .words = dirty};
    for (unsigned w = 0; w < WORDS; w++)
        q[len].data[w] = hd_bits_get(d.wt_data_i, w * W, W);
    *d.req_ready_i = 0, *d.mark_valid_i = 0, *d.rsp_ready_i = 0;
    hd_eval(d.m);
    hd_edge(d.m);
    len++;
    seen[0]++;
}

static void all_leaves_in_its_order(void **state)
{
    (void)state;
    hd_l1_gpu_send_open(&d);
    hd_reset(d.m);
    *d.sm_id_i = SM;
    *d.nv_base_i = P_Persist ? NV * WORDS * 4 : 0;
    for (unsigned n = 0; n < 40000; n++) {
        const unsigned what = (unsigned)hd_rand_below(12), row = (unsigned)hd_rand_below(ROWS);
        const unsigned mask = (unsigned)hd_bits_random_mask(LANES), want = (unsigned)hd_bits_random_mask(WORDS);
        const unsigned kind = (unsigned)hd_rand_below(3), tid = (unsigned)hd_rand_below(P_StoreData);
        const bool acquire = hd_rand_below(2), pending = hd_rand_below(4) == 0;
        const bool same = rows[row].here && (rows[row].dirty || hd_rand_below(2));
        const unsigned line = same ? rows[row].line : (unsigned)hd_rand_below(LINES);
        const struct hd_access a = hd_access_random();
        const unsigned slot = (a.tag << HD_SLOT_W | a.slot) & ((1u << P_SlotW) - 1);
        const uint64_t who = ((uint64_t)acquire << HD_WARP_W | a.warp) << P_SlotW | slot;
        unsigned markers = 0, listed_rows = 0;
        bool on_list = false, twice = false;

        for (unsigned i = 0; i < listed; i++)
            markers += list[i] >= MARK, listed_rows += list[i] < MARK, on_list |= list[i] == row;
        for (unsigned i = 0; i < ROWS; i++)
            twice |= i != row && rows[i].here && rows[i].line == line;
        hd_bits_put(d.la_acc_i, 0, HD_ACCESS_W, hd_access_pack(a));
        hd_bits_random(d.la_place_i, PLACE_W), hd_bits_put(d.la_place_i, PLACE_W - LANES, LANES, mask);
        hd_bits_put(d.la_place_i, 0, WORDS, want);
        hd_bits_random(d.la_data_i, WORDS * W), hd_bits_random(d.la_cmp_i, LANES * 32), hd_bits_random(d.wt_data_i, WORDS * W);
        hd_bits_random(d.dn_i, HD_HEAD_W), hd_bits_put(d.dn_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, tid);
        *d.la_line_i = line, *d.read_tid_i = (uint8_t)hd_rand_below(200);
        *d.req_ready_i = hd_rand_below(4) > n / 500 % 3, *d.rsp_ready_i = hd_rand_below(3) == 0;
        *d.mark_valid_i = P_Persist && what == 11, *d.mark_id_i = (uint8_t)hd_rand_below(256);
        row_is(row, line, same ? rows[row].dirty : 0, same ? rows[row].dirty : 0);
        put(TURN(FR), 0, same, false, pending);
        see_request();
        see_heads();
        assert_true(!ROOM(WT_BUSY));
        assert_int_equal(*d.idle_o, len == 0 && ackn == 0 && !HEAD(POP));
        if (out[tid].used)
            assert_true(hd_bits_get(d.st_who_o, 0, WHO_W + LANES) == out[tid].who);
        assert_int_equal(*d.rsp_valid_o, ackn > 0);
        if (ackn > 0) {
            assert_int_equal(hd_bits_get(d.rsp_head_o, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W), HD_MSG_INV_ACK);
            assert_int_equal(hd_bits_get(d.rsp_head_o, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W), acks[0]);
            assert_int_equal(hd_bits_get(d.rsp_head_o, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W), SM);
        }
        if (P_Persist)
            assert_true(DIRTY(NV) == (line >= NV) && DIRTY(TRACKED) == (same && rows[row].tracked));
        const unsigned more = hd_bits_count(want & ~(same ? rows[row].dirty : 0));
        const bool fits = words + more <= P_SbWords && (on_list || listed_rows < P_SbRows), nv = P_Persist && line >= NV;
        assert_int_equal(DIRTY(ROOM), fits && DIRTY(NV_ROOM));
        assert_true(DIRTY(NV_ROOM) || nv);
        /* what the queues give away in this cycle */
        const bool gone = *d.req_valid_o && *d.req_ready_i, acked = *d.rsp_valid_o && *d.rsp_ready_i;
        const bool marked = *d.mark_valid_i && *d.mark_ready_o, room = DIRTY(ROOM), out_room = ROOM(OUT);
        const bool req = ROOM(REQ), data = ROOM(DATA), at = ROOM(AT), wt = ROOM(WT), mk = HEAD(MARKER) && ROOM(WT_NONE);
        const bool can_pop = HEAD(POP), pop_mark = HEAD(POP_MARK), leave = DIRTY(LEAVE), list_leave = HEAD(LEAVE), one = DIRTY(ONE);
        const bool ack_room = *d.ack_room_o;
        struct request r = {.line = line, .opid = a.slot << HD_WARP_W | a.warp, .words = want};
        const unsigned id = *d.read_tid_i;
        bool pushed = false;

        if (gone)
            memmove(&q[0], &q[1], --len * sizeof q[0]);
        if (acked)
            memmove(&acks[0], &acks[1], --ackn * sizeof acks[0]);
        if (marked)
            fifo[fifos++] = MARK + *d.mark_id_i;
        for (unsigned w = 0; w < WORDS; w++)
            r.data[w] = hd_bits_get(d.la_data_i, w * W, W);
        r.offs = hd_bits_get(d.la_place_i, WORDS, LANES * OFF_W);
        if (what == 0 && (pending || req)) { /* a READ, if none is out */
            put(TURN(FR) | TURN(LOAD), DO(ACCEPT) | DO(PUSH), same, false, pending);
            r.kind = HD_MSG_GETS, r.tid = id, pushed = !pending, seen[1]++;
        } else if (what == 1 && req && data && out_room && (at || kind == 1) && (one || !nv)) { /* performed at the L2 */
            const unsigned what_it_is = kind == 0 ? TURN(LOAD) : kind == 1 ? TURN(STORE) : TURN(ATOMIC);
            put(TURN(FR) | TURN(SYNC) | (acquire ? TURN(ACQUIRE) : 0) | what_it_is, DO(ACCEPT) | DO(SEND), same, false, pending);
            r.kind = kind == 1 ? HD_MSG_WT : HD_MSG_ATOMIC, r.lanes = kind == 1 ? 0 : mask, r.fn = kind == 0 ? HD_AT_READ : a.fn;
            pushed = true, seen[2 + kind]++;
        } else if ((what == 2 || what == 3) && room && !twice) { /* words become dirty */
            row_is(row, line, same ? rows[row].dirty : 0, (same ? rows[row].dirty : 0) | want);
            put(TURN(FR) | (kind ? TURN(STORE) : TURN(ATOMIC)), DO(ACCEPT) | DO(WRITE) | (kind ? DO(STORE) : DO(ATOMIC)), same, false,
                pending);
            if (nv && !(same && rows[row].tracked))
                fifo[fifos++] = line;
            rows[row].dirty = want | (same ? rows[row].dirty : 0), rows[row].line = line, rows[row].here = true;
            rows[row].tracked = nv, words += more;
            if (!on_list)
                list[listed++] = row;
            seen[5]++;
        } else if (what == 4 && listed > 0 && list[0] < MARK && wt && list_leave) { /* a flush step */
            const unsigned l = list[0];
            memmove(&list[0], &list[1], --listed * sizeof list[0]);
            write_through(TURN(FL), DO(LEAVE), l, rows[l].line, rows[l].here, false);
            seen[6]++;
            continue;
        } else if (what == 5 && mk) { /* a release leaves */
            put(TURN(MK), 0, false, false, false);
            memmove(&list[0], &list[1], --listed * sizeof list[0]);
            seen[7]++;
        } else if (what == 6 && markers < P_Markers) { /* a release comes */
            put(TURN(FR) | TURN(FENCE) | TURN(RELEASE_IT) | (acquire ? TURN(ACQUIRE) : 0), DO(ACCEPT) | DO(MARKER), false, false, false);
            list[listed++] = MARK + (unsigned)who;
        } else if (what == 7 && can_pop && pop_mark && req) {
            put(TURN(PP), 0, false, false, false);
            r = (struct request){.kind = HD_MSG_PMARK, .opid = fifo[0] - MARK};
            pushed = true, seen[8]++;
            memmove(&fifo[0], &fifo[1], --fifos * sizeof fifo[0]);
        } else if (what == 7 && can_pop && !pop_mark && wt) {
            unsigned i = 0;
            while (i < ROWS && !(rows[i].here && rows[i].line == fifo[0]))
                i++;
            const unsigned l = fifo[0];
            memmove(&fifo[0], &fifo[1], --fifos * sizeof fifo[0]);
            if (i < ROWS)
                rows[i].tracked = false;
            write_through(TURN(PP), DO(LEAVE), i % ROWS, l, i < ROWS, false);
            seen[9]++;
            continue;
        } else if (what == 8 && wts > 0) { /* the answer to a WT of dirty words */
            put(TURN(DN) | TURN(ACK), 0, false, false, false);
            wts--;
        } else if (what == 9 && out[tid].used) { /* ... to a synchronizing access */
            put(TURN(DN) | TURN(DONE), 0, false, false, false);
            out[tid].used = false, seen[10]++;
        } else if (what == 10 && P_Inclusive && ack_room) {
            put(TURN(DN) | TURN(INV), 0, false, false, false);
            acks[ackn++] = (unsigned)hd_bits_get(d.dn_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W), seen[11]++;
        } else if (what == 10 && !P_Inclusive && rows[row].here && rows[row].dirty && wt && leave) { /* a victim */
            rows[row].here = false, rows[row].tracked = false;
            write_through(TURN(FR), DO(STEP), row, rows[row].line, false, true);
            seen[12]++;
            continue;
        } else {
            put(TURN(FR), DO(REJECT), false, false, false);
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
            out[took].used = true, out[took].who = who << LANES | mask;
            r.tid = took;
        }
        assert_true(len < QUEUE);
        q[len++] = r;
    }
    for (unsigned i = 0; i < 13; i++)
        if (seen[i] < 50 && !(i >= 8 && i != 10 && !P_Persist) && !(i == 12 && P_Inclusive))
            fail_msg("case %u was reached %u times", i, seen[i]);
    assert_true(P_Inclusive || seen[12] > 50);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(all_leaves_in_its_order)};

    return HD_UNIT_MAIN(argc, argv, t);
}
