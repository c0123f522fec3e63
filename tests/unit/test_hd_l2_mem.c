/* test_hd_l2_mem.c - memory port of the L2: credits both ways, order kept. */
/* mutants: LineW=64 Credits=3 */
/* dut: hd_l2_mem LineW=64 Credits=1 */
/* dut: hd_l2_mem LineW=64 Credits=3 */
/* dut: hd_l2_mem LineW=64 Credits=8 */
/* dut: hd_l2_mem LineW=64 Credits=2 Two=1 */
#include "hd_unit.h"
#include "hd_l2_mem_dut.h"

#ifndef P_Two
#define P_Two 0
#endif
enum { CREDITS = P_Credits, BOTH = 3 };

static struct hd_l2_mem d;

static int setup(void **state)
{
    (void)state;
    hd_l2_mem_open(&d);
    hd_reset(d.m);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    hd_close(d.m);
    return 0;
}

static void a_request_leaves_one_cycle_later_with_its_data(void **state)
{
    (void)state;
    assert_int_equal(*d.idle_o, 1);
    *d.in_valid_i = *d.in_write_i = 1;
    *d.in_addr_i = 0x12345680;
    *d.in_tid_i = 9;
    *d.in_data_i = 0xfeedfacecafebeef;
    hd_edge(d.m);
    *d.in_valid_i = 0;
    hd_eval(d.m);
    assert_int_equal(*d.mreq_valid_o, 1);
    assert_int_equal(*d.mreq_write_o, 1);
    assert_int_equal(*d.mreq_addr_o, 0x12345680);
    assert_int_equal(*d.mreq_tid_o, 9);
    assert_true(*d.mreq_data_o == 0xfeedfacecafebeef);
    assert_int_equal(*d.idle_o, 0);
    hd_edge(d.m);
    assert_int_equal(*d.mreq_valid_o, 0);
    assert_int_equal(*d.idle_o, 1);
    assert_int_equal(hd_assert_failures(d.m), 0);
}

static void claims_stop_when_the_credits_are_spent(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CREDITS; i++) {
        assert_int_equal(*d.ok_o, BOTH);
        *d.claim_i = 1;
        hd_edge(d.m);
    }
    *d.claim_i = 0;
    hd_eval(d.m);
    assert_int_equal(*d.ok_o, P_Two ? 2 : 0);
    *d.mreq_credit_i = 1;
    hd_edge(d.m);
    *d.mreq_credit_i = 0;
    hd_eval(d.m);
    assert_int_equal(*d.ok_o, BOTH);
    for (unsigned i = 0; P_Two && i < CREDITS; i++) {
        *d.claim_i = 2;
        hd_edge(d.m);
    }
    *d.claim_i = 0;
    hd_eval(d.m);
    assert_int_equal(*d.ok_o, P_Two ? 1 : BOTH);
    assert_int_equal(hd_assert_failures(d.m), 0);
}

static void misuse_trips_assertions(void **state)
{
    (void)state;
    if (!hd_has_asserts(d.m))
        return;
    *d.claim_i = 1;
    for (unsigned i = 0; i <= CREDITS; i++)
        hd_edge(d.m); /* one claim too many */
    *d.claim_i = 0;
    assert_true(hd_assert_failures(d.m) >= 1);
    hd_reset(d.m);
    hd_assert_clear(d.m);
    *d.mrsp_valid_i = 1;
    for (unsigned i = 0; i <= CREDITS; i++)
        hd_edge(d.m); /* one answer too many */
    assert_true(hd_assert_failures(d.m) >= 1);
    hd_reset(d.m);
    hd_assert_clear(d.m);
}

static void reset_forgets_answers_and_gives_all_credits_back(void **state)
{
    (void)state;
    *d.claim_i = 1;
    hd_edge(d.m);
    *d.claim_i = 0;
    *d.in_valid_i = *d.mrsp_valid_i = 1;
    hd_edge(d.m);
    hd_reset(d.m);
    assert_int_equal(*d.out_valid_o, 0);
    assert_int_equal(*d.mreq_valid_o, 0);
    assert_int_equal(*d.idle_o, 1);
    claims_stop_when_the_credits_are_spent(state);
    for (unsigned i = 0; i < CREDITS; i++) { /* the first answer is in the first place again */
        *d.mrsp_valid_i = 1;
        *d.mrsp_tid_i = (uint8_t)(i + 1);
        hd_edge(d.m);
        *d.mrsp_valid_i = 0;
        hd_eval(d.m);
        assert_int_equal(*d.out_tid_o, 1);
    }
    *d.out_ready_i = 1;
    hd_edge(d.m);
    assert_int_equal(*d.mrsp_credit_o, 1);
    hd_reset(d.m);
    assert_int_equal(*d.mrsp_credit_o, 0);
    assert_int_equal(*d.idle_o, 1);
}

static void random_traffic_keeps_order_and_credits(void **state)
{
    uint64_t answers[CREDITS];
    uint8_t tids[CREDITS];
    unsigned credit[2] = {CREDITS, CREDITS}, owed[2] = {0, 0}, claimed = 0, held = 0, empty = 0, full = 0, spent = 0, at_rest = 0;
    bool expect_req = false, expect_credit = false, write = false;
    uint64_t data = 0;
    uint32_t addr = 0;
    uint8_t tid = 0;

    (void)state;
    for (unsigned cycle = 0; cycle < 20000; cycle++) {
        bool claim, send, take, come;
        unsigned mood = cycle / 200 % 3; /* memory is slow, answers are slow, nothing special */

        assert_int_equal(*d.ok_o, (credit[0] > 0) | (credit[P_Two] > 0) << 1);
        assert_int_equal(*d.out_valid_o, held > 0);
        assert_int_equal(*d.mreq_valid_o, expect_req);
        assert_int_equal(*d.mrsp_credit_o, expect_credit);
        if (expect_req) {
            assert_int_equal(*d.mreq_write_o, write);
            assert_int_equal(*d.mreq_addr_o, addr);
            assert_int_equal(*d.mreq_tid_o, tid);
            assert_true(!write || *d.mreq_data_o == data);
        }
        assert_int_equal(*d.idle_o, held == 0 && !expect_req && !expect_credit);
        if (held) {
            assert_true(*d.out_data_o == answers[0]);
            assert_int_equal(*d.out_tid_o, tids[0]);
        }
        empty += held == 0, full += held == CREDITS, spent += credit[P_Two] == 0, at_rest += *d.idle_o;

        const unsigned which = P_Two ? (unsigned)hd_rand_below(2) : 0;
        claim = credit[which] > 0 && hd_rand_below(4) && cycle % 100 < 70;
        send = claimed && hd_rand_below(3);
        come = held < CREDITS && hd_rand_below(4) > 1 && cycle % 100 < 70;
        take = held && hd_rand_below(8) > (mood == 1 ? 6u : 1u);
        *d.claim_i = (uint8_t)(claim << which);
        *d.in_valid_i = send;
        *d.in_write_i = write = hd_rand_below(2);
        *d.in_addr_i = addr = (uint32_t)hd_rand();
        *d.in_tid_i = tid = (uint8_t)hd_rand();
        *d.in_data_i = data = hd_rand();
        *d.mrsp_valid_i = come;
        *d.mrsp_tid_i = (uint8_t)hd_rand();
        *d.mrsp_data_i = hd_rand();
        *d.out_ready_i = take;
        *d.mreq_credit_i = 0;
        for (unsigned m = 0; m <= P_Two; m++)
            *d.mreq_credit_i |= (owed[m] && hd_rand_below(8) > (mood == 0 ? 6u : 1u)) << m;
        if (take) {
            memmove(answers, answers + 1, sizeof answers - sizeof *answers);
            memmove(tids, tids + 1, sizeof tids - sizeof *tids);
            held--;
        }
        if (come) {
            answers[held] = *d.mrsp_data_i;
            tids[held++] = *d.mrsp_tid_i;
        }
        for (unsigned m = 0; m <= P_Two; m++) { /* a credit may come back as soon as it is spent */
            const unsigned spends = claim && which == m, back = *d.mreq_credit_i >> m & 1;
            credit[m] += back - spends;
            owed[m] += spends - back;
        }
        claimed += (unsigned)claim - (unsigned)send;
        expect_req = send;
        expect_credit = take;
        hd_edge(d.m);
    }
    assert_true(empty > 500 && full > 500 && spent > 500 && at_rest > 100);
    assert_int_equal(hd_assert_failures(d.m), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_request_leaves_one_cycle_later_with_its_data, setup, teardown),
        cmocka_unit_test_setup_teardown(claims_stop_when_the_credits_are_spent, setup, teardown),
        cmocka_unit_test_setup_teardown(misuse_trips_assertions, setup, teardown),
        cmocka_unit_test_setup_teardown(reset_forgets_answers_and_gives_all_credits_back, setup, teardown),
        cmocka_unit_test_setup_teardown(random_traffic_keeps_order_and_credits, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, tests);
}
