/* test_hd_l1_dn_reads.c - READs whose words come in parts: accesses are served when the last has come, with all of them;
 * refused words are asked for again; marks of words registered and acquires since. */
/* dut: hd_l1_dn_reads Entries=3 Targets=5 MergeLanes=8 Lanes=4 LineWords=4 WordW=32 LineW=3 */
/* dut: hd_l1_dn_reads Entries=1 Targets=1 MergeLanes=4 Lanes=4 LineWords=8 WordW=64 SlotW=5 LineW=2 */
#include "hd_unit.h"
#include "hd_l1_dn_reads_dut.h"
#include "hd_access.h"

#ifndef P_SlotW
#define P_SlotW HD_SLOT_W
#endif
enum { ENTRIES = P_Entries, TARGETS = P_Targets, WORDS = P_LineWords, W = P_WordW, PLACE_W = HD_L1_DN_READS_W_place_i,
    LINE_W = P_LineW, RD_OLD = HD_L1_DN_READS_W_rd_o - LINE_W - 1
};

static void reads_in_parts_serve_their_accesses(void **state)
{
    struct hd_l1_dn_reads d;
    static struct entry {
        bool used, old, ro;
        unsigned line, need, got, skip, retry, n;
        uint64_t data[WORDS];
        unsigned lanes;
        struct { uint64_t place, access; } who[TARGETS];
    } e[ENTRIES], leaving;
    unsigned total = 0, served = 0, joined = 0, next = 0, refused = 0, parts = 0, retries = 0, others = 0;

    (void)state;
    memset(e, 0, sizeof e);
    memset(&leaving, 0, sizeof leaving);
    hd_l1_dn_reads_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < 40000; n++) {
        const unsigned line = (unsigned)hd_rand_below(1u << P_LineW), rd = (unsigned)hd_rand_below(ENTRIES);
        const unsigned words = (unsigned)hd_bits_random_mask(WORDS), act = (unsigned)hd_rand_below(6);
        struct hd_access acc = hd_access_random();
        const uint64_t place = hd_rand() & (UINT64_MAX >> (64 - PLACE_W)), packed = hd_access_pack(acc);
        unsigned guard = 0, join = ENTRIES;
        uint64_t data[WORDS];

        *d.push_i = *d.start_i = *d.pop_i = *d.skip_i = *d.old_i = *d.got_i = *d.nack_i = *d.merge_i = *d.retry_pop_i = 0;
        *d.lk_valid_i = next == leaving.n, *d.lk_line_i = (uint8_t)line;
        const unsigned lanes = 1 + (unsigned)hd_rand_below(P_Lanes);
        *d.lanes_i = (uint8_t)lanes, *d.new_i = 1;
        memcpy(d.acc_i, &packed, sizeof *d.acc_i);
        hd_bits_put(d.place_i, 0, PLACE_W, place);
        hd_bits_put(d.words_i, 0, WORDS, words);
        hd_bits_put(d.need_i, 0, WORDS, words);
        const bool ro = hd_rand_below(2);
        hd_bits_put(d.need_i, WORDS, 1, ro);
        *d.rd_tid_i = (uint8_t)rd;
        hd_bits_put(d.rd_words_i, 0, WORDS, 0);
        for (unsigned w = 0; w < WORDS; w++) {
            data[w] = hd_rand() & (UINT64_MAX >> (64 - W));
            hd_bits_put(d.rd_data_i, w * W, W, data[w]);
        }
        hd_eval(d.m);
        if (next < leaving.n) { /* they leave, one after the other */
            assert_int_equal(*d.valid_o, 1);
            assert_true(hd_bits_get(d.leave_o, 0, HD_ACCESS_W) == leaving.who[next].access);
            assert_int_equal(*d.idle_o, 0);
            assert_true(hd_bits_get(d.leave_o, HD_ACCESS_W + WORDS, PLACE_W - WORDS) == leaving.who[next].place >> WORDS);
            *d.pop_i = (uint8_t)hd_rand_below(2);
            hd_eval(d.m);
            next += *d.pop_i, served += *d.pop_i, total -= *d.pop_i;
            hd_edge(d.m);
            continue;
        }
        assert_int_equal(*d.valid_o, 0);
        for (unsigned i = 0; i < ENTRIES; i++)
            assert_int_equal(hd_bits_get(d.busy_o, i, 1), e[i].used);
        unsigned retry = 0;
        bool told = false, other = false;
        for (unsigned i = 0; i < ENTRIES; i++) {
            retry |= e[i].used && (e[i].need & ~(e[i].got | e[i].retry)) == 0 ? e[i].retry : 0;
            if (!e[i].used || e[i].line != line)
                continue;
            const unsigned wanted = e[i].need & ~e[i].skip & words;
            guard |= e[i].need, other |= !e[i].old && i != rd;
            if (!e[i].old && wanted)
                join = i, told |= hd_bits_get(d.join_words_o, 0, WORDS) == wanted; /* of several any */
        }
        assert_int_equal(hd_bits_get(d.guard_o, 0, WORDS), guard);
        assert_int_equal(*d.join_o, join < ENTRIES);
        assert_true(told || join == ENTRIES);
        assert_int_equal(*d.retry_o, retry != 0);
        assert_int_equal(*d.idle_o, retry == 0);
        if (e[rd].used) {
            assert_int_equal(hd_bits_get(d.rd_o, RD_OLD + 1, LINE_W), e[rd].line);
            assert_int_equal(hd_bits_get(d.rd_o, RD_OLD, 1), e[rd].old);
            assert_int_equal(hd_bits_get(d.rd_o, RD_OLD - 1, 1), e[rd].ro);
            assert_int_equal(hd_bits_get(d.rd_o, WORDS, WORDS), e[rd].skip);
            assert_int_equal(hd_bits_get(d.rd_o, 0, WORDS), e[rd].need);
            assert_int_equal(*d.rd_parts_o, e[rd].got != 0);
            if (e[rd].line == line) {
                assert_int_equal(*d.rd_more_o, other);
                others += other;
            }
        }
        *d.old_i = hd_rand_below(60) == 0;
        if (act < 2 && !(words & guard)) { /* a new READ; nobody asks for a word twice */
            const bool room = *d.why_o == HD_WHY_NONE && *d.room_o;
            bool some = false;
            for (unsigned i = 0; i < ENTRIES; i++)
                some |= !e[i].used;
            assert_int_equal(room, some && total < TARGETS);
            assert_true(room || !some || *d.why_o == HD_WHY_QUEUE);
            refused += !room;
            *d.push_i = room;
            hd_eval(d.m);
            const unsigned tid = *d.tid_o;
            if (room) {
                assert_true(tid < ENTRIES && !e[tid].used && total < TARGETS);
                e[tid] = (struct entry){.used = true, .line = line, .need = words, .ro = ro, .n = 1};
                acc.kind = HD_OP_LOAD; /* what waits brings no data */
                e[tid].who[0].place = place, e[tid].who[0].access = hd_access_kept(acc, P_SlotW), e[tid].lanes = lanes;
                total++;
            }
        } else if (act < 2 && join < ENTRIES) { /* one that waits, too */
            *d.new_i = 0;
            hd_eval(d.m);
            const bool room = *d.why_o == HD_WHY_NONE;
            refused += !room;
            const unsigned to = *d.tid_o;
            assert_true(to < ENTRIES);
            assert_int_equal(hd_bits_get(d.join_words_o, 0, WORDS), e[to].need & ~e[to].skip & words);
            const bool fits = e[to].lanes + lanes <= P_MergeLanes;
            assert_int_equal(room, total < TARGETS && fits);
            assert_true(room || (*d.why_o == HD_WHY_MERGE && !fits) || (*d.why_o == HD_WHY_QUEUE && total == TARGETS));
            *d.push_i = room;
            hd_eval(d.m);
            if (room) {
                assert_true(e[to].used && e[to].line == line && !e[to].old && total < TARGETS);
                e[to].who[e[to].n].place = place;
                acc.kind = HD_OP_LOAD;
                e[to].who[e[to].n++].access = hd_access_kept(acc, P_SlotW);
                e[to].lanes += lanes;
                total++, joined++;
            }
        } else if (act == 2) {
            *d.skip_i = 1;
            hd_bits_put(d.skip_words_i, 0, WORDS, words);
            for (unsigned i = 0; i < ENTRIES; i++)
                if (e[i].used && e[i].line == line)
                    e[i].skip |= words;
        } else if (act == 3 && retry) { /* the refused words are asked for again */
            const unsigned tid = (unsigned)hd_bits_get(d.retry_read_o, 0, HD_TID_W);
            assert_true(tid < ENTRIES && e[tid].used);
            assert_int_equal(hd_bits_get(d.retry_read_o, HD_TID_W, WORDS), e[tid].retry);
            assert_int_equal(hd_bits_get(d.retry_read_o, HD_TID_W + WORDS, LINE_W), e[tid].line);
            *d.retry_pop_i = 1;
            e[tid].retry = 0;
            retries++;
        } else if (act > 3 && e[rd].used && (e[rd].need & ~e[rd].got & ~e[rd].retry)) { /* words come */
            const unsigned missing = e[rd].need & ~e[rd].got & ~e[rd].retry;
            unsigned come = missing & (words | (hd_rand_below(2) ? missing : 0));
            if (come == 0)
                come = missing & (0u - missing);
            hd_bits_put(d.rd_words_i, 0, WORDS, come);
            hd_eval(d.m);
            const bool last = (e[rd].need & ~(e[rd].got | come)) == 0;
            assert_int_equal(*d.rd_last_o, last);
            if (act == 5 && hd_rand_below(3) == 0) {
                *d.nack_i = 1;
                e[rd].retry |= come;
            } else if (!last) {
                *d.got_i = 1;
                for (unsigned w = 0; w < WORDS; w++)
                    if (come >> w & 1)
                        e[rd].data[w] = data[w];
                e[rd].got |= come;
            } else {
                if (e[rd].got) { /* what came before is fetched in the cycle before */
                    *d.merge_i = 1;
                    const bool old = *d.old_i;
                    hd_edge(d.m);
                    *d.merge_i = *d.old_i = 0;
                    for (unsigned i = 0; old && i < ENTRIES; i++)
                        e[i].old = true;
                    parts++;
                }
                *d.start_i = 1;
                hd_eval(d.m);
                for (unsigned w = 0; w < WORDS; w++)
                    if (e[rd].need >> w & 1)
                        assert_true(hd_bits_get(d.line_o, w * W, W) == (come >> w & 1 ? data[w] : e[rd].data[w]));
                leaving = e[rd];
                next = 0;
                e[rd].used = false;
            }
        }
        const bool old = *d.old_i;
        hd_edge(d.m);
        for (unsigned i = 0; old && i < ENTRIES; i++)
            e[i].old = true;
    }
    assert_true(served > 1000 && refused > 200 && parts > 100 && retries > 100);
    assert_true((joined > 50 && others > 50) || TARGETS == 1);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(reads_in_parts_serve_their_accesses)};

    return HD_UNIT_MAIN(argc, argv, t);
}
