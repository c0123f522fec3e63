/* test_hd_l1_gpu_front.c - what becomes of an access: every kind with every room missing in turn. */
/* dut: hd_l1_gpu_front */
#include "hd_unit.h"
#include "hd_l1_gpu_front_dut.h"
#include "hd_pkg.h"

#define WHAT(name) (1u << HD_L1_SYNC_##name##_LSB)
#define DO(name) (1u << HD_WORD_DO_##name##_LSB)

static void every_access_goes_one_way(void **state)
{
    static const unsigned kinds[] = {WHAT(FENCE), WHAT(FENCE) | WHAT(RELEASE_IT), WHAT(LOAD), WHAT(STORE), WHAT(ATOMIC),
                                     WHAT(SYNC) | WHAT(LOAD), WHAT(SYNC) | WHAT(STORE), WHAT(SYNC) | WHAT(ATOMIC)};
    static const unsigned whys[] = {HD_WHY_NONE, HD_WHY_GUARD, HD_WHY_LINE};
    static const unsigned waits[] = {HD_WHY_NONE, HD_WHY_MERGE, HD_WHY_QUEUE};
    struct hd_l1_gpu_front d;
    unsigned seen[HD_WHY_NVW + 1] = {0}, did[7] = {0};

    (void)state;
    hd_l1_gpu_front_open(&d);
    for (unsigned n = 0; n < 60000; n++) {
        const unsigned what = kinds[hd_rand_below(8)], why = whys[hd_rand_below(4) ? 0 : hd_rand_below(3)];
        const unsigned wait = waits[hd_rand_below(3) ? 0 : hd_rand_below(3)];
        const bool sync = what & WHAT(SYNC), fence = what & WHAT(FENCE), sel = hd_rand_below(8) != 0;
        bool evict = !sync && !fence && hd_rand_below(4) == 0, again = hd_rand_below(4) == 0, missing = hd_rand_below(2);
        unsigned want = 0, reason = HD_WHY_NONE;

#define ROOM(port) (*d.port = (uint8_t)(hd_rand_below(5) != 0))
        *d.sel_i = sel, *d.what_i = (uint8_t)what, *d.evict_i = evict, *d.why_i = (uint8_t)why, *d.again_i = again;
        *d.missing_i = missing, *d.wait_why_i = (uint8_t)wait, *d.pending_i = (uint8_t)hd_rand_below(2);
        ROOM(row_i), ROOM(wt_can_i), ROOM(req_room_i), ROOM(data_room_i), ROOM(at_room_i), ROOM(out_room_i);
        ROOM(list_room_i), ROOM(read_room_i);
#undef ROOM
        hd_eval(d.m);
        if (!sel) {
            want = 0;
        } else if (fence) {
            want = DO(ACCEPT) | (what & WHAT(RELEASE_IT) ? DO(MARKER) : 0);
        } else if (evict || (sync && again)) {
            want = *d.wt_can_i ? DO(STEP) : 0, reason = HD_WHY_QUEUE;
        } else if (why) {
            reason = why;
        } else if (sync) {
            const bool room = *d.out_room_i && *d.req_room_i && *d.data_room_i && (*d.at_room_i || (what & WHAT(STORE)));
            want = room ? DO(SEND) | DO(ACCEPT) : 0, reason = *d.out_room_i ? HD_WHY_QUEUE : HD_WHY_ENTRY;
        } else if (!*d.row_i) {
            reason = HD_WHY_LINE;
        } else if (again || missing) {
            if (wait == HD_WHY_NONE && (*d.pending_i || (*d.read_room_i && *d.req_room_i)))
                want = DO(PUSH) | (again ? DO(FETCH) : DO(ACCEPT));
            reason = wait ? wait : *d.read_room_i ? HD_WHY_QUEUE : HD_WHY_ENTRY;
        } else {
            want = (what & WHAT(LOAD)) || *d.list_room_i ? DO(ACCEPT) : 0, reason = HD_WHY_LIST;
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
    assert_true(seen[HD_WHY_ENTRY] > 50 && seen[HD_WHY_QUEUE] > 50 && seen[HD_WHY_LINE] > 50 && seen[HD_WHY_GUARD] > 50 &&
                seen[HD_WHY_LIST] > 50 && seen[HD_WHY_MERGE] > 50);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(every_access_goes_one_way)};

    return HD_UNIT_MAIN(argc, argv, t);
}
