/* test_hd_l1_reads.c - accesses that wait for READs leave in the order they came, with the READ they came for. */
/* dut: hd_l1_reads Entries=3 Targets=5 MergeLanes=8 Lanes=4 LineWords=4 LineW=3 */
/* dut: hd_l1_reads Entries=1 Targets=1 MergeLanes=4 Lanes=4 LineWords=4 SlotW=5 LineW=2 */
#include "hd_unit.h"
#include "hd_l1_reads_dut.h"
#include "hd_access.h"

#ifndef P_SlotW
#define P_SlotW HD_SLOT_W
#endif
enum { ENTRIES = P_Entries, TARGETS = P_Targets, PLACE_W = HD_L1_READS_W_place_i };

static void random_reads_serve_their_accesses_in_order(void **state)
{
    struct hd_l1_reads d;
    struct entry {
        bool used, old;
        unsigned line, need, skip, n;
        unsigned lanes;
        struct { uint64_t place, access; } who[TARGETS];
    } e[ENTRIES], leaving = {0};
    unsigned total = 0, served = 0, joined = 0, next = 0, refused = 0;

    (void)state;
    memset(e, 0, sizeof e);
    hd_l1_reads_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < 30000; n++) {
        const unsigned line = (unsigned)hd_rand_below(1u << P_LineW), rd = (unsigned)hd_rand_below(ENTRIES);
        const unsigned lanes = 1 + (unsigned)hd_rand_below(P_Lanes);
        unsigned pending = ENTRIES, guard = 0;
        struct hd_access acc = hd_access_random();
        const uint64_t place = hd_rand() & (UINT64_MAX >> (64 - PLACE_W)), packed = hd_access_pack(acc);

        *d.push_i = *d.start_i = *d.pop_i = *d.skip_i = *d.old_i = 0;
        *d.lk_valid_i = next == leaving.n, *d.lk_line_i = (uint8_t)line, *d.lanes_i = (uint8_t)lanes;
        memcpy(d.acc_i, &packed, sizeof *d.acc_i);
        hd_bits_put(d.place_i, 0, PLACE_W, place);
        *d.need_i = (uint8_t)hd_rand_below(1u << P_LineWords), *d.rd_tid_i = (uint8_t)rd;
        hd_eval(d.m);
        if (next < leaving.n) { /* they leave, one after the other */
            assert_int_equal(*d.valid_o, 1);
            assert_true(hd_bits_get(d.acc_o, 0, HD_ACCESS_W) == leaving.who[next].access);
            assert_int_equal(*d.idle_o, 0);
            assert_true(hd_bits_get(d.place_o, P_LineWords, PLACE_W - P_LineWords) == leaving.who[next].place >> P_LineWords);
            *d.pop_i = (uint8_t)hd_rand_below(2);
            hd_edge(d.m);
            if (*d.pop_i)
                next++, served++, total--;
            continue;
        }
        assert_int_equal(*d.valid_o, 0);
        assert_int_equal(*d.idle_o, 1);
        for (unsigned i = 0; i < ENTRIES; i++)
            assert_int_equal(hd_bits_get(d.busy_o, i, 1), e[i].used);
        for (unsigned i = 0; i < ENTRIES; i++)
            if (e[i].used && e[i].line == line) {
                guard |= e[i].need;
                if (!e[i].old)
                    pending = i;
            }
        assert_int_equal(*d.pending_o, pending < ENTRIES);
        assert_int_equal(*d.guard_o, guard);
        if (pending < ENTRIES) {
            assert_int_equal(*d.tid_o, pending);
            assert_int_equal(*d.skip_o, e[pending].skip);
        }
        if (e[rd].used) {
            assert_int_equal(*d.rd_line_o, e[rd].line);
            assert_int_equal(*d.rd_old_o, e[rd].old);
            assert_int_equal(*d.rd_skip_o, e[rd].skip);
        }
        const bool room = *d.why_o == HD_WHY_NONE && (pending < ENTRIES || *d.room_o);
        refused += !room;
        bool some = false;
        for (unsigned i = 0; i < ENTRIES; i++)
            some |= !e[i].used;
        assert_int_equal(room, total < TARGETS && (pending < ENTRIES ? e[pending].lanes + lanes <= P_MergeLanes : some));
        const unsigned tid = *d.tid_o, act = (unsigned)hd_rand_below(4);
        *d.push_i = act < 2 && room;
        *d.skip_i = act == 2;
        *d.start_i = !*d.push_i && e[rd].used && hd_rand_below(4) == 0;
        *d.old_i = hd_rand_below(30) == 0;
        hd_edge(d.m);
        if (*d.push_i) {
            assert_true(tid < ENTRIES && e[tid].used == (pending < ENTRIES));
            if (pending == ENTRIES)
                e[tid] = (struct entry){.used = true, .line = line};
            joined += pending < ENTRIES;
            e[tid].need |= *d.need_i;
            e[tid].who[e[tid].n].place = place;
            acc.kind = HD_OP_LOAD; /* what waits brings no data */
            e[tid].who[e[tid].n++].access = hd_access_kept(acc, P_SlotW);
            e[tid].lanes += lanes;
            total++;
        }
        for (unsigned i = 0; *d.skip_i && i < ENTRIES; i++)
            if (e[i].used && e[i].line == line)
                e[i].skip |= *d.need_i;
        for (unsigned i = 0; *d.old_i && i < ENTRIES; i++)
            e[i].old = true;
        if (*d.start_i) {
            leaving = e[rd];
            next = 0;
            e[rd].used = false;
        }
    }
    assert_true(served > 1000 && refused > 300 && (joined > 300 || TARGETS == 1));
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(random_reads_serve_their_accesses_in_order)};

    return HD_UNIT_MAIN(argc, argv, t);
}
