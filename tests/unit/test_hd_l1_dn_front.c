/* test_hd_l1_dn_front.c - what becomes of a step, for all combinations of its conditions, against the order in the header. */
/* dut: hd_l1_dn_front */
#include "hd_unit.h"
#include "hd_l1_dn_front_dut.h"
#include "hd_pkg.h"

/* l1_sync_s and dn_do_s, in the order of their fields, last field lowest. */
enum { ATOMIC = 1, STORE = 2, LOAD = 4, SYNC = 8, ACQUIRE = 16, RELEASE = 32, FENCE = 64 };
enum { REJECT = 1, MARKER = 2, EVICT = 4, ASK = 8, WAIT_REG = 16, FETCH = 32, READ = 64, MERGE = 128, HIT = 256, PART = 512, ACCEPT = 1024 };

static unsigned reason(void)
{
    return 1 + (unsigned)hd_rand_below((1u << HD_L1_DN_FRONT_W_why_o) - 1);
}

static void every_condition_decides_in_its_turn(void **state)
{
    static const uint8_t whats[] = {LOAD, STORE, ATOMIC, SYNC | LOAD | ACQUIRE, SYNC | STORE, SYNC | ATOMIC, FENCE | RELEASE, FENCE | ACQUIRE};
    struct hd_l1_dn_front d;
    unsigned seen = 0;

    (void)state;
    hd_l1_dn_front_open(&d);
    for (unsigned n = 0; n < 200000; n++) {
        const unsigned what = whats[hd_rand_below(8)], why = hd_rand_below(6) == 0 ? reason() : HD_WHY_NONE;
        const bool sel = hd_rand_below(16) != 0, wb = hd_rand_below(8) == 0, here = hd_rand_below(2), way = hd_rand_below(4) != 0;
        const bool vict = hd_rand_below(4) == 0, room = hd_rand_below(2), req = hd_rand_below(4) != 0, list = hd_rand_below(4) != 0;
        const bool reg = hd_rand_below(4) != 0, join = hd_rand_below(2), reads = hd_rand_below(4) != 0, dirty = hd_rand_below(2);
        const bool can = hd_rand_below(2), hit = hd_rand_below(2), ask = hd_rand_below(2), joins = hd_rand_below(2);
        const unsigned read_why = hd_rand_below(4) == 0 ? reason() : 0, sync_why = hd_rand_below(4) == 0 ? reason() : 0;
        unsigned want = 0, waits = HD_WHY_NONE;

        if (!sel) {
        } else if (what & FENCE) {
            want = ACCEPT | (what & RELEASE ? MARKER : 0);
        } else {
            want = REJECT;
            if (wb) {
                waits = HD_WHY_WRITEBACK;
            } else if (why) {
                waits = why;
            } else if (!here && !way) {
                waits = HD_WHY_LIST;
            } else if (!here && vict) {
                want = room ? EVICT : REJECT;
                waits = room ? HD_WHY_NONE : HD_WHY_QUEUE;
            } else if (hit) {
                if (what & (LOAD | SYNC) || list)
                    want = HIT | PART;
                else
                    waits = HD_WHY_LIST;
            } else if (what & SYNC) {
                if (joins)
                    want = sync_why ? REJECT : WAIT_REG | PART, waits = sync_why;
                else if (dirty && !can)
                    waits = HD_WHY_LIST;
                else if (!sync_why && req && reg)
                    want = ASK | WAIT_REG | PART;
                else
                    waits = sync_why ? sync_why : req ? HD_WHY_ENTRY : HD_WHY_QUEUE;
            } else if ((what & LOAD) && join) {
                want = read_why ? REJECT : MERGE | PART;
                waits = read_why;
            } else if (ask && !read_why && reads && req) {
                want = READ | (what & ATOMIC ? FETCH : PART);
            } else if (ask) {
                waits = !reads ? HD_WHY_ENTRY : read_why ? read_why : HD_WHY_QUEUE;
            }
        }
        *d.sel_i = sel, *d.what_i = (uint8_t)what, *d.why_i = (uint8_t)why, *d.writing_back_i = wb, *d.here_i = here, *d.way_i = way;
        *d.vict_r_i = vict, *d.evict_ok_i = room, *d.req_room_i = req, *d.list_room_i = list, *d.reg_room_i = reg;
        *d.read_join_i = join, *d.read_room_i = reads, *d.read_why_i = (uint8_t)read_why, *d.sync_why_i = (uint8_t)sync_why;
        *d.dirty_i = dirty, *d.flush_can_i = can, *d.hit_any_i = hit, *d.ask_any_i = ask, *d.join_any_i = joins;
        hd_eval(d.m);
        assert_int_equal(*d.do_o, want);
        assert_int_equal(*d.why_o, waits);
        seen |= want;
    }
    assert_int_equal(seen, 2047);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(every_condition_decides_in_its_turn)};

    return HD_UNIT_MAIN(argc, argv, t);
}
