/* test_hd_persist_epochs.c - markers are answered in order, each when the writes sent before it are durable. */
/* dut: hd_persist_epochs Epochs=2 CntW=4 MarkW=8 */
/* dut: hd_persist_epochs Epochs=8 CntW=4 MarkW=8 */
#include "hd_unit.h"
#include "hd_persist_epochs_dut.h"

enum { N = P_Epochs, MOST = 12, CYCLES = 20000 };

static struct hd_persist_epochs d;

static int setup(void **state)
{
    (void)state;
    hd_persist_epochs_open(&d);
    hd_reset(d.m);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

/* Reference: writes under way of each epoch not answered, the oldest first; all but the last have a marker. */
static void against_a_list_of_epochs(void **state)
{
    unsigned count[N] = {0}, mark[N] = {0}, old = 0, cur = 0, answered = 0;

    (void)state;
    for (unsigned i = 0; i < CYCLES; i++) {
        unsigned used = (cur - old + N) % N, e = (old + hd_rand_below(used + 1)) % N;
        bool ack = count[e] != 0 && hd_rand_below(3) == 0, sent = count[cur] < MOST && hd_rand_below(3) == 0;
        bool close = hd_rand_below(4) == 0, take = hd_rand_below(2) == 0;

        *d.sent_i = sent;
        *d.mack_valid_i = ack;
        *d.mack_tid_i = (uint8_t)e;
        *d.close_valid_i = close;
        *d.close_mark_i = (uint8_t)i;
        *d.pack_ready_i = take;
        hd_eval(d.m);
        bool due = used != 0 && count[old] == 0;
        assert_int_equal(*d.epoch_o, cur);
        assert_int_equal(*d.close_ready_o, used < N - 1);
        assert_int_equal(*d.idle_o, used == 0);
        assert_int_equal(*d.pack_valid_o, due);
        if (due)
            assert_int_equal(*d.pack_mark_o, mark[old]);
        hd_edge(d.m);
        hd_eval(d.m);
        count[cur] += sent;
        count[e] -= ack;
        if (close && used < N - 1) {
            mark[cur] = i & 0xff;
            cur = (cur + 1) % N;
        }
        if (due && take) {
            old = (old + 1) % N;
            answered++;
        }
    }
    assert_true(answered > CYCLES / 100);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test_setup_teardown(against_a_list_of_epochs, setup, teardown)};

    return HD_UNIT_MAIN(argc, argv, t);
}
