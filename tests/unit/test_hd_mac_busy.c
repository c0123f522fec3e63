/* test_hd_mac_busy.c - transitions that begin, whose SMs are told, acknowledge in any order and get their answers, against an array
 * of transitions in C: one message a cycle, telling before answering, lowest transition and SM first. */
/* dut: hd_mac_busy Sms=3 Busy=2 Sets=2 Ways=2 NumW=4 */
/* dut: hd_mac_busy Sms=2 Busy=1 Sets=1 Ways=1 NumW=3 */
/* dut-rtl: hd_mac_busy Sms=64 Busy=8 Sets=4 Ways=8 NumW=6 */
#include "hd_unit.h"
#include "hd_mac_busy_dut.h"
#include "hd_bits.h"

enum { SMS = P_Sms, BUSY = P_Busy, NUMS = 1 << P_NumW };

static struct {
    bool busy, recall;
    unsigned num, way, left, told; /* told: of left, those that have been told */
    uint64_t send, want;
} trans[BUSY];

static int find(unsigned num)
{
    for (int b = 0; b < BUSY; b++)
        if (trans[b].busy && trans[b].num == num)
            return b;
    return -1;
}

static unsigned lowest(uint64_t sms)
{
    return sms ? (unsigned)__builtin_ctzll(sms) : 0;
}

static void transitions_end_when_all_have_acknowledged(void **state)
{
    struct hd_mac_busy d;
    unsigned begun[2] = {0}, told = 0, answers = 0, ended = 0, late = 0, full = 0, near = 0, held = 0;

    (void)state;
    memset(trans, 0, sizeof trans);
    hd_mac_busy_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < 60000; n++) {
        const bool go = hd_rand_below(n / 500 % 2 ? 8 : 2) != 0;
        const unsigned num = (unsigned)hd_rand_below(NUMS), sm = (unsigned)hd_rand_below(SMS), other = (unsigned)hd_rand_below(NUMS);
        const int same = find(num);
        int send = -1, fin = -1, empty = -1, ack = (int)hd_rand_below(BUSY);
        bool set_recall = false, moves = false, reply = false, end = false;

        for (int b = BUSY - 1; b >= 0; b--) {
            if (!trans[b].busy) {
                empty = b;
                continue;
            }
            set_recall |= trans[b].recall && trans[b].num % P_Sets == num % P_Sets;
            if (trans[b].send)
                send = b;
            else if (trans[b].left == 0)
                fin = b;
        }
        moves = send >= 0 || fin >= 0;
        held += moves && !go;
        if (!go)
            send = fin = -1;
        if (send >= 0)
            fin = -1;
        *d.num_i = (uint8_t)num, *d.sm_i = (uint8_t)sm, *d.go_i = go;
        *d.begin_i = *d.begin_recall_i = *d.remember_i = *d.ack_i = 0;
        *d.begin_num_i = (uint8_t)other, *d.begin_way_i = (uint8_t)hd_rand_below(P_Ways);
        hd_bits_put(d.targets_i, 0, SMS, hd_bits_random_mask(SMS));
        *d.ack_idx_i = (uint8_t)ack;
        hd_eval(d.m);
        assert_int_equal(*d.same_o, same >= 0);
        if (same >= 0)
            assert_int_equal(*d.same_recall_o, trans[same].recall);
        assert_int_equal(*d.set_recall_o, set_recall);
        assert_int_equal(*d.room_o, empty >= 0);
        assert_int_equal(*d.moves_o, moves);
        assert_int_equal(*d.send_o, send >= 0);
        assert_int_equal(*d.finish_o, fin >= 0);
        full += empty < 0, near += set_recall;
        if (send >= 0) {
            assert_int_equal(*d.idx_o, send);
            assert_int_equal(*d.send_recall_o, trans[send].recall);
            assert_int_equal(*d.num_o, trans[send].num);
            assert_int_equal(*d.sm_o, lowest(trans[send].send));
        }
        if (fin >= 0) {
            reply = trans[fin].want != 0, end = (trans[fin].want & (trans[fin].want - 1)) == 0;
            assert_int_equal(*d.num_o, trans[fin].num);
            if (reply)
                assert_int_equal(*d.sm_o, lowest(trans[fin].want));
            if (end) {
                assert_int_equal(*d.end_recall_o, trans[fin].recall);
                assert_int_equal(*d.end_way_o, trans[fin].way);
            }
        }
        assert_int_equal(*d.reply_o, reply);
        assert_int_equal(*d.end_o, end);

        /* An acknowledgement of one that was told before; something begins, or an SM waits, too, where nothing else is done. */
        if (trans[ack].busy && trans[ack].told > 0 && hd_rand_below(3) == 0) {
            *d.ack_i = 1;
            trans[ack].told--, trans[ack].left--;
        }
        if (send < 0 && fin < 0 && same >= 0 && !trans[same].recall && hd_rand_below(2)) {
            *d.remember_i = 1;
            late += trans[same].send == 0;
            trans[same].want |= 1ull << sm;
        } else if (send < 0 && fin < 0 && empty >= 0 && find(other) < 0 && hd_rand_below(2)) {
            const bool recall = hd_rand_below(2);

            *d.begin_i = 1, *d.begin_recall_i = recall;
            trans[empty].busy = true, trans[empty].recall = recall, trans[empty].num = other, trans[empty].way = *d.begin_way_i;
            trans[empty].send = hd_bits_get(d.targets_i, 0, SMS), trans[empty].want = recall ? 0 : 1ull << sm;
            trans[empty].left = hd_bits_count(trans[empty].send), trans[empty].told = 0;
            begun[recall]++;
        }
        if (send >= 0)
            trans[send].send &= trans[send].send - 1, trans[send].told++, told++;
        if (reply)
            trans[fin].want &= trans[fin].want - 1, answers++;
        if (end)
            trans[fin].busy = false, ended++;
        hd_edge(d.m);
    }
    assert_true(begun[0] > 300 && begun[1] > 300 && told > 2000 && answers > 300 && ended > 600);
    assert_true(late > 50 && full > 500 && near > 500 && held > 500);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(transitions_end_when_all_have_acknowledged)};

    return HD_UNIT_MAIN(argc, argv, t);
}
