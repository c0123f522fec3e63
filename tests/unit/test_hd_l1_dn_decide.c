/* test_hd_l1_dn_decide.c - random things that wait and random answers about the access in front: what is chosen, in its order; each
 * lane is served or begins to wait once; who acquires steps the generation; the events say what happened. */
/* dut: hd_l1_dn_decide Rows=4 Lanes=4 LineWords=8 GenW=2 */
/* dut-rtl: hd_l1_dn_decide Rows=6 Lanes=12 LineWords=4 GenW=3 */
#include "hd_unit.h"
#include "hd_l1_dn_decide_dut.h"
#include "hd_access.h"

enum {
    ROWS = P_Rows, LANES = P_Lanes, WORDS = P_LineWords, OFF_W = HD_L1_DN_DECIDE_W_word_o, CNT_W = HD_L1_DN_DECIDE_W_counts_o / 2,
    PLACE_W = HD_L1_DN_DECIDE_W_place_o, GENS = 1 << P_GenW
};
/* l1_sync_s */
enum { ATOMIC = 1, STORE = 2, LOAD = 4, SYNC = 8, ACQUIRE = 16, RELEASE = 32, FENCE = 64 };
#define SEL(name) (1u << HD_DN_SEL_##name##_LSB)
#define DO(name) (1u << HD_DN_DO_##name##_LSB)
#define DUE(name) (1u << HD_DN_DUE_##name##_LSB)
#define LEAVE(name) (1u << HD_DN_LEAVE_##name##_LSB)
#define ROOM(name) (1u << HD_DN_ROOM_##name##_LSB)
#define FOUND(name) (1u << HD_DN_FOUND_##name##_LSB)
#define DID(name) (1u << HD_DN_DID_##name##_LSB)
#define EV(name) (UINT64_C(1) << HD_EV_SM_##name)

static unsigned off[LANES]; /* of the access in front */

static unsigned words_of(uint64_t lanes)
{
    unsigned words = 0;

    for (unsigned l = 0; l < LANES; l++)
        words |= (unsigned)(lanes >> l & 1) << off[l];
    return words;
}

static uint64_t lanes_of(uint64_t lanes, unsigned words)
{
    uint64_t some = 0;

    for (unsigned l = 0; l < LANES; l++)
        some |= (lanes >> l & 1) && (words >> off[l] & 1) ? UINT64_C(1) << l : 0;
    return some;
}

/* Some of @words, at least one; none of none. */
static unsigned some(unsigned words)
{
    const unsigned m = words & (unsigned)hd_bits_random_mask(WORDS);

    return m ? m : words & -words;
}

static unsigned one_in(unsigned n, unsigned bit)
{
    return hd_rand_below(n) == 0 ? bit : 0;
}

/* What an access is, of its kind, order and scope (docs/protocol_denovo.md). */
static unsigned what_of(const struct hd_access *a, bool scoped)
{
    const bool narrow = scoped && a->scope == HD_SCOPE_WG;
    const bool marked = a->order != HD_ORD_RELAXED && a->scope != HD_SCOPE_WI && !narrow;
    unsigned what = 0;

    if (marked && a->order != HD_ORD_RELEASE && a->kind != HD_OP_STORE)
        what |= ACQUIRE;
    if (a->kind == HD_OP_FENCE)
        return what | FENCE | (marked && a->order != HD_ORD_ACQUIRE ? RELEASE : 0);
    if (marked || (a->kind == HD_OP_ATOMIC && !narrow))
        what |= SYNC;
    return what | (a->kind == HD_OP_LOAD ? LOAD : a->kind == HD_OP_STORE ? STORE : ATOMIC);
}

/* What is known of the L1: as in hd_l1_dn_select, and the step of the access. */
static struct {
    bool refused, press, clear, clear_ro, walk, drain, drop, write, busy, offered;
    unsigned gen, row, what;
    uint64_t left, ev;
} s;

static void decisions_and_steps(void **state)
{
    struct hd_l1_dn_decide d;
    struct hd_access acc = {0};
    unsigned seen[16] = {0}, acts = 0, taken = 0, walks = 0, ro_walks = 0, pressed = 0, idle = 0, steps = 0;
    uint64_t events = 0;

    (void)state;
    memset(&s, 0, sizeof s);
    hd_l1_dn_decide_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < 80000; n++) {
        const bool calm = n / 300 % 2, quiet = n / 300 % 5 == 4, scoped = n / 1000 % 2, read_only = n / 2000 % 2;
        unsigned want = 0;

        /* ---- what waits */
        const unsigned often = quiet ? 400 : calm ? 40 : 5;
        const unsigned due = one_in(often, DUE(RP)) | one_in(often, DUE(ST)) | one_in(often, DUE(SV)) | one_in(often, DUE(RT)) |
                             one_in(4, DUE(BUSY)) | one_in(2, DUE(DONE_OK));
        unsigned leave = one_in(8, LEAVE(FULL)) | one_in(2, LEAVE(OUT_NONE)) | one_in(often, LEAVE(PASS)) |
                         (hd_rand_below(4) ? LEAVE(REG_FREE) : 0) | one_in(2, LEAVE(VALID)) | one_in(2, LEAVE(ACQUIRES));
        if (leave & LEAVE(VALID) && hd_rand_below(3) == 0)
            leave |= LEAVE(MARKER);
        if (leave & LEAVE(MARKER) || (leave & LEAVE(VALID) && hd_rand_below(3) == 0))
            leave |= LEAVE(MARKED);
        if (s.walk)
            leave &= ~(LEAVE(ACQUIRES)); /* nobody acquires meanwhile */
        const unsigned room = (hd_rand_below(4) ? ROOM(REQ) : 0) | one_in(2, ROOM(RSP)) | one_in(2, ROOM(WB)) | one_in(2, ROOM(WB_NONE));
        const bool rs = one_in(often, 1), fw = one_in(often, 1), change = hd_rand_below(8) == 0;
        const bool rests = !(s.drain || s.drop || s.walk || s.write); /* nobody flushes twice at a time */
        const bool flush = rests && hd_rand_below(quiet ? 1000 : 60) == 0, begin = rests && hd_rand_below(quiet ? 1000 : 60) == 0;

        /* ---- the access in front */
        if (!s.offered && hd_rand_below(quiet ? 20 : 3) == 0) {
            static const unsigned kinds[] = {HD_OP_LOAD, HD_OP_STORE, HD_OP_ATOMIC, HD_OP_FENCE};
            s.offered = true;
            acc = hd_access_random();
            acc.kind = kinds[hd_rand_below(4)], acc.prefetch = 0;
            acc.order = (unsigned)hd_rand_below(5);
            s.left = acc.kind == HD_OP_FENCE ? 0 : hd_bits_random_mask(LANES);
            hd_bits_random(d.la_place_i, PLACE_W);
            hd_bits_put(d.la_place_i, WORDS + LANES * OFF_W, LANES, s.left);
            for (unsigned l = 0; l < LANES; l++) {
                off[l] = (unsigned)hd_rand_below(WORDS);
                hd_bits_put(d.la_place_i, WORDS + l * OFF_W, OFF_W, off[l]);
            }
        }
        const uint64_t packed = hd_access_pack(acc);
        memcpy(d.la_acc_i, &packed, sizeof *d.la_acc_i);
        *d.la_valid_i = s.offered, *d.mode_i = (uint8_t)(scoped << 1 | read_only);
        *d.due_i = (uint8_t)due, *d.leave_i = (uint8_t)leave, *d.room_i = (uint8_t)room, *d.change_i = change;
        *d.rs_valid_i = rs, *d.fw_valid_i = fw, *d.flush_i = (uint8_t)(flush << 1 | begin);
        *d.put_i = *d.waits_i = 0, *d.tells_i = 0, *d.did_i = 0;
        hd_eval(d.m);
        const unsigned what = *d.what_o;
        if (s.offered)
            assert_int_equal(what, what_of(&acc, scoped));

        /* ---- what is chosen */
        const bool leaves = leave & LEAVE(MARKER) && leave & LEAVE(OUT_NONE), listed = leave & LEAVE(VALID);
        const bool asked = leave & (LEAVE(MARKED) | LEAVE(FULL)) || s.drain;
        const bool done_ok = due & DUE(DONE_OK);
        if (due & DUE(BUSY) || s.busy)
            want = 0;
        else if (s.clear)
            want = SEL(WRAP);
        else if (due & DUE(RP))
            want = SEL(RP);
        else if (due & DUE(ST))
            want = SEL(ST);
        else if (due & DUE(SV))
            want = SEL(SV);
        else if (rs)
            want = SEL(RS);
        else if (leave & LEAVE(PASS) && room & ROOM(RSP))
            want = SEL(PS);
        else if (fw && room & ROOM(RSP))
            want = SEL(FW);
        else if (due & DUE(RT) && room & ROOM(REQ))
            want = SEL(RT);
        else if (leaves && done_ok)
            want = SEL(MK);
        else if ((s.drain || s.drop) && (!s.drain || (!listed && leave & LEAVE(OUT_NONE))))
            want = SEL(ENDS);
        else if (listed && !(leave & LEAVE(MARKER)) && leave & LEAVE(REG_FREE) && room & ROOM(REQ) && (asked || (s.press && s.refused)))
            want = SEL(FL), pressed += !asked;
        else if (s.walk)
            want = SEL(WRAP);
        else if (s.offered && !s.refused && !leaves && (done_ok || !(what & FENCE)))
            want = SEL(FR);
        if (*d.work_o != want)
            fail_msg("cycle %u: chooses 0x%x, not 0x%x", n, *d.work_o, want);
        const bool flushing = s.drain || s.drop || s.walk || s.clear || (s.write && !(room & ROOM(WB_NONE)));
        assert_int_equal(*d.flushing_o, flushing);
        assert_int_equal(*d.idle_o, want == 0 && !flushing && !(due & DUE(BUSY)) && !s.busy && s.ev == 0);
        idle += *d.idle_o;
        assert_true(hd_bits_get(d.ev_o, 0, HD_EV_SM_NUM) == s.ev);
        if (s.clear || s.walk) {
            assert_int_equal(hd_bits_get(d.scan_o, 2, HD_L1_DN_DECIDE_W_scan_o - 2), s.row);
            assert_int_equal(hd_bits_get(d.scan_o, 1, 1), s.clear);
            if (s.clear)
                assert_int_equal(hd_bits_get(d.scan_o, 0, 1), s.clear_ro);
        }
        for (unsigned i = 0; i < 12; i++)
            seen[i] += want >> i & 1;

        /* ---- what the line and the tables answer */
        const bool fr = want == SEL(FR);
        const unsigned words = fr ? words_of(s.left) : 0;
        const unsigned hits = hd_rand_below(2) ? some(words) : 0, join_words = some(words);
        unsigned asks = hd_rand_below(3) ? some(words) : 0, joins = hd_rand_below(3) == 0 ? some(words) : 0;
        unsigned found = one_in(2, FOUND(HERE)) | (hd_rand_below(4) ? FOUND(WAY) : 0) | one_in(4, FOUND(VICT_R)) | one_in(2, FOUND(ROW_OK)) |
                         one_in(2, FOUND(DIRTY)) | (hd_rand_below(4) ? FOUND(LIST_ROOM) : 0) | (hd_rand_below(4) ? FOUND(REG_ROOM) : 0);
        unsigned why = hd_rand_below(6) == 0 ? HD_WHY_GUARD : HD_WHY_NONE;
        const bool join = hd_rand_below(2), wb = hd_rand_below(8) == 0;
        const bool read_room = hd_rand_below(4) != 0;
        const unsigned read_why = hd_rand_below(4) == 0 ? HD_WHY_ENTRY + (unsigned)hd_rand_below(4) : HD_WHY_NONE;
        const unsigned sync_why = hd_rand_below(4) == 0 ? HD_WHY_ENTRY + (unsigned)hd_rand_below(4) : HD_WHY_NONE;
        unsigned act = 0, blocked = HD_WHY_NONE;
        uint64_t lanes = 0;

        if (what & SYNC && !(hits | joins | asks))
            why = HD_WHY_GUARD; /* the table always has an answer */
        if (!(what & SYNC) && !hits && (what & STORE))
            why = HD_WHY_GUARD;
        if (!(what & SYNC) && !hits && !asks && !(what & LOAD && join))
            why = HD_WHY_GUARD;
        found |= why << HD_DN_FOUND_WHY_LSB;
        const unsigned to_wait = joins ? joins : asks, word = to_wait ? (unsigned)__builtin_ctz(to_wait) : 0;
        if (!fr) {
        } else if (what & FENCE) {
            act = DO(ACCEPT) | (what & RELEASE ? DO(MARKER) : 0);
        } else {
            act = DO(REJECT);
            if (wb) {
                blocked = HD_WHY_WRITEBACK;
            } else if (why) {
                blocked = why;
            } else if (!(found & (FOUND(HERE) | FOUND(WAY)))) {
                blocked = HD_WHY_LIST;
            } else if (!(found & FOUND(HERE)) && found & FOUND(VICT_R)) {
                blocked = room & ROOM(RSP) && room & ROOM(WB) ? 0 : HD_WHY_QUEUE, act = blocked ? act : DO(EVICT);
            } else if (hits) {
                blocked = what & (LOAD | SYNC) || found & FOUND(LIST_ROOM) ? 0 : HD_WHY_LIST;
                lanes = lanes_of(s.left, hits), act = blocked ? act : DO(HIT) | DO(PART);
            } else if (what & SYNC && joins) {
                blocked = sync_why, act = blocked ? act : DO(WAIT_REG) | DO(PART), lanes = lanes_of(s.left, 1u << word);
            } else if (what & SYNC) {
                blocked = found & FOUND(DIRTY) && leave & LEAVE(MARKER) ? HD_WHY_LIST : sync_why ? sync_why : !(room & ROOM(REQ))
                          ? HD_WHY_QUEUE : !(found & FOUND(REG_ROOM)) ? HD_WHY_ENTRY : 0;
                act = blocked ? act : DO(ASK) | DO(WAIT_REG) | DO(PART), lanes = lanes_of(s.left, 1u << word);
            } else if (what & LOAD && join) {
                blocked = read_why, act = blocked ? act : DO(MERGE) | DO(PART), lanes = lanes_of(s.left, join_words);
            } else {
                blocked = !read_room ? HD_WHY_ENTRY : read_why ? read_why : !(room & ROOM(REQ)) ? HD_WHY_QUEUE : 0;
                act = blocked ? act : DO(READ) | (what & ATOMIC ? DO(FETCH) : DO(PART));
                lanes = what & ATOMIC ? 0 : lanes_of(s.left, asks);
            }
        }
        hd_bits_put(d.says_i, 0, WORDS, hits), hd_bits_put(d.says_i, WORDS, WORDS, asks);
        hd_bits_put(d.says_i, 2 * WORDS, WORDS, joins), hd_bits_put(d.says_i, 3 * WORDS, WORDS, hd_rand());
        hd_bits_put(d.join_i, 0, WORDS, join_words), hd_bits_put(d.join_i, WORDS, 1, join);
        *d.found_i = (uint16_t)found, *d.wb_hit_i = wb;
        *d.places_i = (uint16_t)(read_room << HD_DN_PLACES_READ_ROOM_LSB | read_why << HD_DN_PLACES_READ_WHY_LSB | sync_why);
        hd_eval(d.m);
        assert_int_equal(*d.work_o, want);
        if (*d.act_o != act)
            fail_msg("cycle %u: what 0x%x: does 0x%x, not 0x%x", n, what, *d.act_o, act);
        assert_int_equal(hd_bits_get(d.words_o, 0, WORDS), words);
        if (act & DO(PART))
            assert_true(hd_bits_get(d.place_o, WORDS + LANES * OFF_W, LANES) == lanes);
        assert_true(hd_bits_get(d.place_o, 0, WORDS) == hd_bits_get(d.la_place_i, 0, WORDS));
        for (unsigned l = 0; s.offered && l < LANES; l++)
            assert_int_equal(hd_bits_get(d.place_o, WORDS + l * OFF_W, OFF_W), off[l]);
        if (fr && !(what & FENCE)) {
            assert_int_equal(hd_bits_get(d.word_o, 0, OFF_W), word);
            assert_int_equal(hd_bits_get(d.counts_o, 0, CNT_W), hd_bits_count(lanes_of(s.left, 1u << word)));
            assert_int_equal(hd_bits_get(d.counts_o, CNT_W, CNT_W),
                             what & ATOMIC ? 0 : hd_bits_count(lanes_of(s.left, join ? join_words : asks)));
        }
        const bool ready = act & DO(ACCEPT) || (act & DO(PART) && lanes == s.left);
        assert_int_equal(*d.la_ready_o, ready);

        /* ---- what came of it, generation and events */
        const bool put = (act & DO(EVICT)) || (want == SEL(WRAP) && !s.clear && found & FOUND(ROW_OK) && hd_rand_below(2));
        const bool waits = want == SEL(FW) && hd_rand_below(2);
        const unsigned tells = (unsigned)hd_rand_below(8);
        unsigned did = one_in(3, DID(RMW));
        if (want == SEL(ST))
            did |= DID(SYNC) | (s.walk ? 0 : one_in(2, DID(ACQUIRE)));
        if (want == SEL(RP))
            did |= one_in(2, DID(SERVE));
        if (want == SEL(RS))
            did |= one_in(2, DID(FILL));
        *d.put_i = put, *d.waits_i = waits, *d.tells_i = (uint8_t)tells, *d.did_i = (uint8_t)did;
        hd_eval(d.m);
        const bool step = did & DID(ACQUIRE) || (want == SEL(MK) && leave & LEAVE(ACQUIRES)) ||
                          (act & DO(HIT) && what & SYNC && what & ACQUIRE) ||
                          (act & DO(ACCEPT) && !(act & DO(MARKER)) && what & ACQUIRE) || (want == SEL(ENDS) && s.drop);
        assert_int_equal(hd_bits_get(d.gen_o, 0, 1), step);
        assert_int_equal(hd_bits_get(d.gen_o, 1, P_GenW), s.gen);
        steps += step;
        const bool waits_here = act & (DO(MERGE) | DO(WAIT_REG)) || (act & DO(READ) && !(act & DO(FETCH)));
        const bool joined = act & DO(MERGE) || (act & DO(WAIT_REG) && !(act & DO(ASK)));
        uint64_t ev = 0;
        ev |= did & DID(FILL) ? EV(FILL) : 0, ev |= did & (DID(SERVE) | DID(SYNC)) ? EV(REPLAY) : 0;
        ev |= did & DID(RMW) ? EV(RMW_LANE) : 0, ev |= want == SEL(ENDS) ? EV(FLUSH_DONE) : 0, ev |= step ? EV(ACQUIRE) : 0;
        ev |= want == SEL(MK) ? EV(MARKER) : 0, ev |= did & DID(SYNC) || (act & DO(HIT) && what & SYNC) ? EV(SYNC) : 0;
        ev |= tells & 4 ? EV(REG) : 0, ev |= tells & 2 ? EV(NACK) : 0, ev |= tells & 1 ? EV(FWD) : 0, ev |= put ? EV(WB) : 0;
        ev |= want == SEL(RT) ? EV(RETRY) : 0, ev |= waits ? EV(WAITER) : 0, ev |= want == SEL(PS) ? EV(PASS) : 0;
        ev |= act & (DO(PART) | DO(REJECT)) ? EV(ACCESS) : 0, ev |= act & DO(HIT) ? EV(HIT) : 0;
        ev |= waits_here && !joined ? EV(MISS) : 0, ev |= waits_here && joined ? EV(MERGE) : 0;
        ev |= act & DO(PART) && acc.kind == HD_OP_STORE ? EV(ACC_STORE) : 0;
        ev |= act & DO(PART) && acc.kind == HD_OP_ATOMIC ? EV(ACC_ATOMIC) : 0;
        if (act & DO(REJECT)) {
            ev |= EV(REJECT);
            ev |= blocked == HD_WHY_ENTRY ? EV(REJ_ENTRY) : blocked == HD_WHY_MERGE ? EV(REJ_MERGE) : blocked == HD_WHY_CREDIT
                  ? EV(REJ_CREDIT) : blocked == HD_WHY_QUEUE || blocked == HD_WHY_LIST ? EV(REJ_QUEUE) : EV(REJ_LINE);
        }
        events |= ev, acts |= act;
        hd_edge(d.m);

        /* ---- the edge */
        if (ready)
            s.offered = false, taken++;
        else if (act & DO(PART))
            s.left &= ~lanes;
        if (act & DO(REJECT))
            s.press = blocked == HD_WHY_LIST;
        s.refused = change || (want & ~SEL(FR)) ? false : act & DO(REJECT) ? true : s.refused;
        const bool ends = want == SEL(ENDS), wraps = want == SEL(WRAP), ok = found & FOUND(ROW_OK), last = s.row == ROWS - 1;
        const bool was_clear = s.clear;
        if (ends && s.drop && read_only && !s.write)
            s.clear = s.clear_ro = true;
        else if (step && s.gen == GENS - 1)
            s.clear = true, s.clear_ro = false;
        else if (was_clear && wraps && last)
            s.clear = false, walks++, ro_walks += s.clear_ro;
        const bool starts = ends && s.write;
        s.write = flush || (s.write && !(room & ROOM(WB_NONE) && !s.walk && !s.drain));
        s.walk = starts || (s.walk && !(wraps && !was_clear && ok && last));
        s.drain = flush || (s.drain && !ends), s.drop = flush || begin || (s.drop && !ends);
        if (wraps && (was_clear || ok))
            s.row = last ? 0 : s.row + 1;
        s.gen = (s.gen + step) % GENS;
        s.busy = put, s.ev = ev;
    }
    for (unsigned i = 0; i < 12; i++)
        if (seen[i] < 30)
            fail_msg("choice %u was seen %u times", i, seen[i]);
    assert_int_equal(acts, 2047);
    assert_true(pressed > 10 && walks > 30 && ro_walks > 5 && taken > 1000 && idle > 500 && steps > 500);
    const uint64_t must = EV(FILL) | EV(REPLAY) | EV(RMW_LANE) | EV(FLUSH_DONE) | EV(MISS) | EV(MERGE) | EV(ACC_STORE) | EV(ACC_ATOMIC) |
                          EV(REJ_ENTRY) | EV(REJ_MERGE) | EV(REJ_CREDIT) | EV(REJ_QUEUE) | EV(REJ_LINE);
    assert_true((events & must) == must);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(decisions_and_steps)};

    return HD_UNIT_MAIN(argc, argv, t);
}
