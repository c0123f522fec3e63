/* test_hd_l1_gpu_front.c - what becomes of an access: every kind with every room missing in turn. */
/* dut: hd_l1_gpu_front */
#include "hd_unit.h"
#include "hd_l1_gpu_front_dut.h"
#include "hd_bits.h"

#define WHAT(name) (1u << HD_L1_SYNC_##name##_LSB)
#define DO(name) (1u << HD_WORD_DO_##name##_LSB)

static void every_access_goes_one_way(void **state)
{
    static const unsigned kinds[] = {WHAT(FENCE), WHAT(FENCE) | WHAT(RELEASE_IT), WHAT(LOAD), WHAT(STORE), WHAT(ATOMIC),
                                     WHAT(SYNC) | WHAT(LOAD), WHAT(SYNC) | WHAT(STORE), WHAT(SYNC) | WHAT(ATOMIC)};
    struct hd_l1_gpu_front d;
    unsigned seen[HD_WHY_NVW + 1] = {0}, did[7] = {0}, past = 0;

    (void)state;
    hd_l1_gpu_front_open(&d);
    for (unsigned n = 0; n < 60000; n++) {
        const unsigned what = kinds[hd_rand_below(8)];
        const unsigned why = hd_rand_below(6) ? HD_WHY_NONE : (unsigned)hd_rand_below(HD_WHY_NVW + 1);
        const unsigned wait = hd_rand_below(4) ? HD_WHY_NONE : (unsigned)hd_rand_below(HD_WHY_NVW + 1);
        const bool sync = what & WHAT(SYNC), fence = what & WHAT(FENCE), sel = hd_rand_below(8) != 0;
        const bool evict = !sync && !fence && hd_rand_below(4) == 0, again = hd_rand_below(4) == 0, missing = hd_rand_below(2);
        const bool row = hd_rand_below(5) != 0, pending = hd_rand_below(2), read = hd_rand_below(5) != 0;
        const bool can = hd_rand_below(5) != 0, leave = hd_rand_below(5) != 0, nv = hd_rand_below(2), one = hd_rand_below(3) != 0;
        const bool list = hd_rand_below(5) != 0, req = hd_rand_below(5) != 0, data = hd_rand_below(5) != 0;
        const bool at = hd_rand_below(5) != 0, out = hd_rand_below(5) != 0;
        unsigned want = 0, reason = HD_WHY_NONE;

#define PUT(port, type, name, value) hd_bits_put(d.port, HD_GPU_##type##_##name##_LSB, HD_GPU_##type##_##name##_W, value)
        hd_bits_random(d.look_i, HD_L1_GPU_FRONT_W_look_i), hd_bits_random(d.dirty_i, HD_L1_GPU_FRONT_W_dirty_i);
        hd_bits_random(d.room_i, HD_L1_GPU_FRONT_W_room_i);
        *d.sel_i = sel, *d.what_i = (uint8_t)what, *d.wt_can_i = can;
        PUT(look_i, LOOK, EVICT, evict), PUT(look_i, LOOK, WHY, why), PUT(look_i, LOOK, AGAIN, again);
        PUT(look_i, LOOK, MISSING, missing), PUT(look_i, LOOK, WAIT_WHY, wait), PUT(look_i, LOOK, PENDING, pending);
        PUT(look_i, LOOK, ROW, row), PUT(look_i, LOOK, READ_ROOM, read);
        PUT(dirty_i, DIRTY, LEAVE, leave), PUT(dirty_i, DIRTY, NV, nv), PUT(dirty_i, DIRTY, ONE, one);
        PUT(dirty_i, DIRTY, ROOM, list);
        PUT(room_i, ROOM, REQ, req), PUT(room_i, ROOM, DATA, data), PUT(room_i, ROOM, AT, at), PUT(room_i, ROOM, OUT, out);
#undef PUT
        hd_eval(d.m);
        if (!sel) {
            want = 0;
        } else if (fence) {
            want = DO(ACCEPT) | (what & WHAT(RELEASE_IT) ? DO(MARKER) : 0);
        } else if (evict || (sync && again)) {
            want = can && leave ? DO(STEP) : 0, reason = HD_WHY_QUEUE;
        } else if (why) {
            reason = why;
        } else if (sync) {
            const bool entry = out && (one || !nv); /* not past a marker to non-volatile memory */
            want = entry && req && data && (at || (what & WHAT(STORE))) ? DO(SEND) | DO(ACCEPT) : 0;
            reason = entry ? HD_WHY_QUEUE : HD_WHY_ENTRY, past += out && !entry;
        } else if (!row) {
            reason = HD_WHY_LINE;
        } else if (again || missing) {
            if (wait == HD_WHY_NONE && (pending || (read && req)))
                want = DO(PUSH) | (again ? DO(FETCH) : DO(ACCEPT));
            reason = wait ? wait : read ? HD_WHY_QUEUE : HD_WHY_ENTRY;
        } else {
            want = (what & WHAT(LOAD)) || list ? DO(ACCEPT) : 0, reason = HD_WHY_LIST;
        }
        if (sel && want == 0)
            want = DO(REJECT);
        if (want != DO(REJECT))
            reason = HD_WHY_NONE;
        if (*d.do_o != want || *d.why_o != reason)
            fail_msg("what 0x%x: does 0x%x, why %u, want 0x%x, %u", what, *d.do_o, *d.why_o, want, reason);
        seen[reason]++;
        for (unsigned i = 0; i < 7; i++)
            did[i] += want >> i & 1;
    }
    for (unsigned i = 0; i < 7; i++)
        assert_true(did[i] > 300);
    assert_true(past > 300);
    assert_true(seen[HD_WHY_ENTRY] > 50 && seen[HD_WHY_QUEUE] > 50 && seen[HD_WHY_LINE] > 50 && seen[HD_WHY_GUARD] > 50 &&
                seen[HD_WHY_LIST] > 50 && seen[HD_WHY_MERGE] > 50);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(every_access_goes_one_way)};

    return HD_UNIT_MAIN(argc, argv, t);
}
