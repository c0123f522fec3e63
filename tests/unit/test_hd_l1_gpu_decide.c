/* test_hd_l1_gpu_decide.c - what a cycle is about and what is done in it, against a reference: every selection, with lines and
 * rooms of every kind; generations, flushes, refused accesses; the events. */
/* dut: hd_l1_gpu_decide Rows=4 GenW=2 Inclusive=0 */
/* dut: hd_l1_gpu_decide Rows=8 GenW=3 Inclusive=1 */
#include "hd_unit.h"
#include "hd_l1_gpu_decide_dut.h"
#include "hd_access.h"

#define TURN(name) (1u << HD_GPU_TURN_##name##_LSB)
#define DO(name) (1u << HD_GPU_DO_##name##_LSB)
#define PUT(port, type, name, value) hd_bits_put(d.port, HD_GPU_##type##_##name##_LSB, HD_GPU_##type##_##name##_W, value)
#define EV(name) (UINT64_C(1) << HD_EV_SM_##name)

enum { TURN_W = HD_L1_GPU_DECIDE_W_turn_o, DO_W = HD_L1_GPU_DECIDE_W_act_o };

static struct hd_l1_gpu_decide d;

static bool one_in(unsigned n)
{
    return hd_rand_below(n) == 0;
}

/* Words that loads wait for are counted as a busy line, the dirty list as a queue. */
static uint64_t rejected(unsigned reason)
{
    switch (reason) {
    case HD_WHY_ENTRY: return EV(REJ_ENTRY);
    case HD_WHY_MERGE: return EV(REJ_MERGE);
    case HD_WHY_CREDIT: return EV(REJ_CREDIT);
    case HD_WHY_QUEUE:
    case HD_WHY_LIST: return EV(REJ_QUEUE);
    case HD_WHY_LINE:
    case HD_WHY_GUARD: return EV(REJ_LINE);
    default: return 0;
    }
}

static void a_cycle_does_what_its_turn_and_the_line_say(void **state)
{
    static const unsigned messages[] = {HD_MSG_DATA_S, HD_MSG_WT_ACK, HD_MSG_WT_ACK, HD_MSG_AT_DATA, HD_MSG_INV};
    static const unsigned kinds[] = {HD_OP_LOAD, HD_OP_STORE, HD_OP_ATOMIC, HD_OP_FENCE};
    bool refused = false, wrap = false, drain = false, drop = false, came = false;
    unsigned gen = 0, row = 0, seen[32] = {0}, did[DO_W] = {0}, kept = 0;
    uint64_t events = 0;

    (void)state;
    hd_l1_gpu_decide_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < 60000; n++) {
        struct hd_access a = hd_access_random();
        const unsigned msg = messages[hd_rand_below(P_Inclusive ? 5 : 4)], tid = one_in(2) ? 255 : (unsigned)hd_rand_below(8);
        const bool scoped = one_in(2), la = !one_in(4), dn = one_in(3), rp = one_in(5), busy = one_in(8), wt_busy = one_in(8);
        const bool ok = !one_in(3), ack_room = !one_in(3), st_acq = one_in(2), mk_acq = one_in(2), moves = one_in(8);
        const bool req = !one_in(4), data = !one_in(4), at = !one_in(4), out = !one_in(4), wt = !one_in(4), none = one_in(2);
        const bool valid = one_in(2), marker = valid && one_in(3), marked = marker || (valid && one_in(3)), full = one_in(4);
        const bool list_leave = !one_in(4), pop = one_in(6), pop_mark = one_in(2);
        const bool room = !one_in(4), nv_room = !one_in(4), nv = one_in(2), tracked = one_in(2), leave = !one_in(4);
        const bool one = one_in(2);
        const bool hit = one_in(2), has_row = hit || !one_in(4), wt_ev = one_in(2), pending = one_in(2), read = !one_in(4);
        const bool hits = one_in(2), rmw = one_in(4), flush = one_in(100), begin = one_in(100);
        const unsigned wait = one_in(4) ? 1 + (unsigned)hd_rand_below(HD_WHY_NVW) : HD_WHY_NONE;
        unsigned sel = 0, act = 0, what = 0, reason = HD_WHY_NONE;
        uint64_t ev = 0;

        a.kind = kinds[hd_rand_below(4)], a.order = (unsigned)hd_rand_below(5), a.prefetch = 0;
        a.scope = one_in(2) ? HD_SCOPE_WG : (unsigned)hd_rand_below(4);
        const bool fence = a.kind == HD_OP_FENCE, load = a.kind == HD_OP_LOAD, store = a.kind == HD_OP_STORE;
        const bool atomic = a.kind == HD_OP_ATOMIC, narrow = scoped && a.scope == HD_SCOPE_WG;
        const bool device = a.order != HD_ORD_RELAXED && a.scope != HD_SCOPE_WI && !narrow;
        const bool sync = !fence && (device || (atomic && !narrow)), release = fence && device && a.order != HD_ORD_ACQUIRE;
        const bool acquire = device && a.order != HD_ORD_RELEASE && !store;
        const bool m_data = msg == HD_MSG_DATA_S, m_ack = msg == HD_MSG_WT_ACK && tid == 255;
        const bool m_inv = P_Inclusive && msg == HD_MSG_INV, m_done = !m_data && !m_ack && !m_inv;
        const bool evict = !fence && !sync && !hit && has_row && one_in(3), again = !evict && (sync || atomic) && one_in(3);
        const unsigned why = !evict && !again && one_in(6) ? 1 + (unsigned)hd_rand_below(HD_WHY_NVW) : HD_WHY_NONE;
        const bool missing = load && one_in(2), fill = m_data && one_in(2);

        what = (fence ? TURN(FENCE) : 0) | (release ? TURN(RELEASE_IT) : 0) | (acquire ? TURN(ACQUIRE) : 0);
        what |= (sync ? TURN(SYNC) : 0) | (load ? TURN(LOAD) : 0) | (store ? TURN(STORE) : 0) | (atomic ? TURN(ATOMIC) : 0);
        what |= (m_data ? TURN(DATA) : 0) | (m_ack ? TURN(ACK) : 0) | (m_inv ? TURN(INV) : 0) | (m_done ? TURN(DONE) : 0);
        what |= msg == HD_MSG_AT_DATA ? TURN(LANES) : 0;
        *d.scoped_i = scoped, *d.la_valid_i = la, *d.dn_valid_i = dn, *d.rp_valid_i = rp, *d.busy_i = busy, *d.done_ok_i = ok;
        *d.ack_room_i = ack_room, *d.st_acquires_i = st_acq, *d.mk_acquires_i = mk_acq, *d.moves_i = moves;
        *d.rmw_lane_i = rmw, *d.flush_i = flush, *d.begin_i = begin;
        hd_bits_put(d.la_acc_i, 0, HD_ACCESS_W, hd_access_pack(a));
        hd_bits_random(d.dn_i, HD_HEAD_W);
        hd_bits_put(d.dn_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, msg), hd_bits_put(d.dn_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, tid);
        PUT(room_i, ROOM, REQ, req), PUT(room_i, ROOM, DATA, data), PUT(room_i, ROOM, AT, at), PUT(room_i, ROOM, OUT, out);
        PUT(room_i, ROOM, WT, wt), PUT(room_i, ROOM, WT_NONE, none), PUT(room_i, ROOM, WT_BUSY, wt_busy);
        PUT(heads_i, HEADS, VALID, valid), PUT(heads_i, HEADS, MARKER, marker), PUT(heads_i, HEADS, MARKED, marked);
        PUT(heads_i, HEADS, FULL, full), PUT(heads_i, HEADS, LEAVE, list_leave), PUT(heads_i, HEADS, POP, pop);
        PUT(heads_i, HEADS, POP_MARK, pop_mark);
        PUT(dirty_i, DIRTY, ROOM, room && nv_room), PUT(dirty_i, DIRTY, NV_ROOM, nv_room), PUT(dirty_i, DIRTY, NV, nv);
        PUT(dirty_i, DIRTY, TRACKED, tracked), PUT(dirty_i, DIRTY, LEAVE, leave), PUT(dirty_i, DIRTY, ONE, one);
        PUT(look_i, LOOK, HIT, hit), PUT(look_i, LOOK, ROW, has_row), PUT(look_i, LOOK, WHY, why), PUT(look_i, LOOK, HITS, hits);
        PUT(look_i, LOOK, WT, wt_ev), PUT(look_i, LOOK, PENDING, pending), PUT(look_i, LOOK, READ_ROOM, read);
        PUT(look_i, LOOK, WAIT_WHY, wait), PUT(look_i, LOOK, MISSING, missing), PUT(look_i, LOOK, EVICT, 0);
        PUT(look_i, LOOK, AGAIN, 0), PUT(look_i, LOOK, FILL, 0);

        /* whose turn it is */
        const bool can = wt && !marker;
        const bool dn_go = dn && (!m_inv || (ack_room && !(came && la)));
        if (busy || wt_busy)
            sel = 0;
        else if (wrap)
            sel = TURN(WRAP);
        else if (rp)
            sel = TURN(RP);
        else if (dn_go)
            sel = ok || !m_done ? TURN(DN) : 0;
        else if (marker && none)
            sel = ok ? TURN(MK) : 0;
        else if (pop && (pop_mark ? req : can))
            sel = TURN(PP);
        else if ((drain || drop) && (!drain || (!valid && none)))
            sel = TURN(ENDS);
        else if ((marked || full || drain) && valid && can && list_leave)
            sel = TURN(FL);
        else if (la && !refused && (ok || !fence))
            sel = TURN(FR);
        kept += m_inv && dn && !dn_go;
        *d.served_i = sel == TURN(RP) && one_in(2);
        if (sel == TURN(FR))
            PUT(look_i, LOOK, EVICT, evict), PUT(look_i, LOOK, AGAIN, again);
        if (sel == TURN(DN))
            PUT(look_i, LOOK, FILL, fill);

        /* what becomes of the access */
        if (sel == TURN(FR)) {
            const bool entry = out && (one || !nv);
            if (fence) {
                act = DO(ACCEPT) | (release ? DO(MARKER) : 0);
            } else if (evict || (sync && again)) {
                act = can && leave ? DO(STEP) : 0;
                reason = HD_WHY_QUEUE;
            } else if (why) {
                reason = why;
            } else if (sync) {
                act = entry && req && data && (at || store) ? DO(SEND) | DO(ACCEPT) : 0;
                reason = entry ? HD_WHY_QUEUE : HD_WHY_ENTRY;
            } else if (!has_row) {
                reason = HD_WHY_LINE;
            } else if (again || missing) {
                act = wait || !(pending || (read && req)) ? 0 : DO(PUSH) | (again ? DO(FETCH) : DO(ACCEPT));
                reason = wait ? wait : read ? HD_WHY_QUEUE : HD_WHY_ENTRY;
            } else {
                act = load || (room && nv_room) ? DO(ACCEPT) : 0;
                reason = HD_WHY_LIST;
            }
            act |= act ? 0 : DO(REJECT);
        }
        /* ... of row and data */
        const bool pop_line = sel == TURN(PP) && !pop_mark, leaves = sel == TURN(FL) || (pop_line && leave);
        const bool taken = (act & DO(ACCEPT)) && !sync && !fence, inv = sel == TURN(DN) && m_inv, fills = sel == TURN(DN) && fill;
        const bool through = (leaves || (act & DO(STEP))) && wt_ev, fresh = (act & DO(PUSH)) && !pending;
        bool write = fills || inv || leaves || fresh || (act & (DO(STEP) | DO(SEND))) || (taken && !load);
        write = sel == TURN(WRAP) ? hit : write && (hit || (sel == TURN(FR) && !(act & DO(SEND))));
        const bool renew = (sel == TURN(DN) && m_done && st_acq) || (sel == TURN(MK) && mk_acq) || (sel == TURN(ENDS) && drop) ||
                           (act == DO(ACCEPT) && fence && acquire);
        act |= (taken && load && hits ? DO(LOAD) : 0) | (taken && store ? DO(STORE) : 0) | (taken && atomic ? DO(ATOMIC) : 0) |
               (leaves ? DO(LEAVE) : 0) | (through ? DO(WT) : 0) | (write ? DO(WRITE) : 0) | (renew ? DO(GEN) : 0);
        hd_eval(d.m);
        const unsigned turn = (unsigned)hd_bits_get(d.turn_o, 0, TURN_W), does = (unsigned)hd_bits_get(d.act_o, 0, DO_W);
        if (turn != (sel | what) || does != act)
            fail_msg("cycle %u: turn 0x%x, does 0x%x, not 0x%x, 0x%x", n, turn, does, sel | what, act);
        assert_int_equal(*d.la_ready_o, (act & DO(ACCEPT)) != 0);
        assert_int_equal(*d.dn_ready_o, sel == TURN(DN));
        assert_int_equal(hd_bits_get(d.gen_o, 0, P_GenW), gen);
        if (wrap)
            assert_int_equal(*d.wrap_row_o, row);
        assert_int_equal(*d.flushing_o, drain || drop);
        assert_true(hd_bits_get(d.ev_o, 0, HD_EV_SM_NUM) == events);
        if (*d.idle_o)
            assert_true((sel & ~(TURN(RP) | TURN(DN))) == 0 && hd_bits_get(d.ev_o, 0, HD_EV_SM_NUM) == 0);

        /* events of the next cycle */
        ev |= sel == TURN(DN) && m_data ? EV(FILL) : 0;
        ev |= inv ? EV(INV) : 0;
        ev |= renew ? EV(ACQUIRE) : 0;
        ev |= sel == TURN(MK) ? EV(MARKER) : 0;
        ev |= *d.served_i ? EV(REPLAY) : 0;
        ev |= (act & DO(STEP)) && evict ? EV(EVICT_CLEAN) : 0;
        ev |= rmw ? EV(RMW_LANE) : 0;
        ev |= act & DO(SEND) ? EV(WT) : 0;
        ev |= through ? EV(WT_DIRTY) : 0;
        ev |= sel == TURN(ENDS) ? EV(FLUSH_DONE) : 0;
        ev |= !fence && (act & (DO(ACCEPT) | DO(REJECT))) ? EV(ACCESS) : 0;
        ev |= (act & DO(PUSH)) && !(act & DO(FETCH)) ? (pending ? EV(MERGE) : EV(MISS)) : 0;
        ev |= (act & DO(ACCEPT)) && store ? EV(ACC_STORE) : 0;
        ev |= (act & DO(ACCEPT)) && atomic ? EV(ACC_ATOMIC) : 0;
        ev |= act & DO(REJECT) ? EV(REJECT) | rejected(reason) : 0;
        ev |= taken && !(act & DO(PUSH)) ? EV(HIT) : 0;
        ev |= taken && !load && nv && !tracked ? EV(NVW_PUSH) : 0; /* in, written, stale, no room, to leave */
        ev |= pop_line && through ? EV(NVW_PUSH) << 1 : 0;
        ev |= pop_line && !through ? EV(NVW_PUSH) << 2 : 0;
        ev |= (act & DO(REJECT)) && !nv_room ? EV(NVW_PUSH) << 3 : 0;
        ev |= pop ? EV(NVW_PUSH) << 4 : 0;
        events = ev;
        for (unsigned i = 0; i < TURN_W; i++)
            seen[i] += (sel | what) >> i & 1;
        for (unsigned i = 0; i < DO_W; i++)
            did[i] += act >> i & 1;
        hd_edge(d.m);
        if ((act & DO(REJECT)) && !moves)
            refused = true;
        if (moves || (sel & ~(TURN(FR) | TURN(WRAP))))
            refused = false;
        if (sel == TURN(FR))
            came = false;
        else if (sel == TURN(DN) && m_data)
            came = P_Inclusive;
        drain = flush || (drain && sel != TURN(ENDS));
        drop = flush || begin || (drop && sel != TURN(ENDS));
        if (sel == TURN(WRAP)) {
            row = (row + 1) % P_Rows;
            wrap = row != 0;
        }
        if (renew) {
            gen = (gen + 1) % (1u << P_GenW);
            wrap |= gen == 0;
        }
    }
    for (unsigned i = 0; i < TURN_W; i++)
        assert_true(seen[i] > 50 || (!P_Inclusive && TURN(INV) == 1u << i));
    for (unsigned i = 0; i < DO_W; i++)
        if (did[i] <= 50)
            fail_msg("bit %u of act_o was set %u times", i, did[i]);
    assert_true(!P_Inclusive || kept > 100);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(a_cycle_does_what_its_turn_and_the_line_say)};

    return HD_UNIT_MAIN(argc, argv, t);
}
