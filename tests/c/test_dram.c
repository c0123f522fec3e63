/* The memory channel against its own header. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "mem/dram.h"

enum { LINE = 128, WORDS = LINE / 4 };

/* 8 cycles a transfer, 1 KB rows, 4 banks, 2 partitions. */
static const struct hd_dram_params base = {.line_bytes = LINE, .part_bits = 1, .word_units = 1, .credits = 16,
    .latency = 100, .banks = 4, .row_bytes = 1024, .bytes_per_cycle = 16, .row_miss = 30};

/* Address of local line @n of partition 1. */
static uint32_t line_addr(uint32_t n)
{
    return (n * 2 + 1) * LINE;
}

static struct hd_dram *make(const struct hd_dram_params *p)
{
    struct hd_dram *d = hd_dram_new(p);
    assert_non_null(d);
    return d;
}

static void read_line(struct hd_dram *d, uint64_t now, uint32_t addr, uint8_t tid)
{
    hd_dram_advance(d, now);
    assert_true(hd_dram_push(d, now, false, addr, tid, NULL));
}

/* Waits for the next answer and takes it. @return its cycle. */
static uint64_t answer_at(struct hd_dram *d, uint64_t *now, uint8_t *tid, uint32_t *words)
{
    for (uint64_t limit = *now + 10000; *now < limit; ++*now) {
        hd_dram_advance(d, *now);
        while (hd_dram_credit(d))
            ;
        const uint32_t *got = hd_dram_answer(d, *now, tid);
        if (got != NULL) {
            if (words != NULL)
                memcpy(words, got, LINE);
            assert_true(hd_dram_answer_taken(d));
            return *now;
        }
    }
    fail_msg("no answer");
    return 0;
}

static void an_idle_channel_answers_after_exactly_its_latency(void **state)
{
    struct hd_dram *d = make(&base);
    uint64_t now = 7;
    uint8_t tid = 0;

    (void)state;
    read_line(d, now, line_addr(0), 9);
    assert_int_equal(answer_at(d, &now, &tid, NULL), 107);
    assert_int_equal(tid, 9);
    read_line(d, now, line_addr(1), 3); /* the row is open */
    assert_int_equal(answer_at(d, &now, &tid, NULL), 207);
    assert_int_equal(tid, 3);
    assert_true(hd_dram_idle(d));
    assert_int_equal(hd_dram_stats(d)->row_hits, 1);
    hd_dram_free(d);
}

static void another_row_of_the_bank_costs_the_row_miss(void **state)
{
    struct hd_dram *d = make(&base);
    uint64_t now = 0;
    uint8_t tid;

    (void)state;
    read_line(d, now, line_addr(0), 0); /* row 0 of bank 0: global row 0 */
    answer_at(d, &now, &tid, NULL);
    /* global row 5 = row 1 of bank 1 ^ 1 = 0 */
    uint64_t pushed = now;
    read_line(d, now, line_addr(5 * 8), 0);
    assert_int_equal(answer_at(d, &now, &tid, NULL), pushed + 130);
    /* bank 1 was never opened */
    pushed = now;
    read_line(d, now, line_addr(8), 0);
    assert_int_equal(answer_at(d, &now, &tid, NULL), pushed + 100);
    hd_dram_free(d);
}

static void a_stream_gets_one_line_per_transfer_time(void **state)
{
    struct hd_dram *d = make(&base);
    uint64_t now = 0, first = 0, last = 0;
    uint8_t tid;
    unsigned sent = 0, got = 0;

    (void)state;
    unsigned credits = base.credits;
    for (; got < 64; now++) {
        hd_dram_advance(d, now);
        credits += hd_dram_credit(d);
        if (hd_dram_answer(d, now, &tid) != NULL) {
            assert_int_equal(tid, got % 256); /* hits in order */
            last = now;
            if (got++ == 0)
                first = now;
            assert_true(hd_dram_answer_taken(d));
        }
        if (sent < 64 && credits > 0) {
            assert_true(hd_dram_push(d, now, false, line_addr(sent), (uint8_t)sent, NULL));
            sent++;
            credits--;
        }
    }
    assert_int_equal(first, 100);
    assert_in_range(last - first, 63 * 8, 63 * 8 + 8 * 1); /* rows open while the bus is busy */
    hd_dram_free(d);
}

static void a_hit_overtakes_a_miss_but_not_for_ever(void **state)
{
    struct hd_dram *d = make(&base);
    uint64_t now = 0;
    uint8_t tid;

    (void)state;
    read_line(d, now, line_addr(0), 0);
    answer_at(d, &now, &tid, NULL);
    read_line(d, now, line_addr(5 * 8), 1); /* other row of bank 0 */
    assert_true(hd_dram_push(d, now, false, line_addr(1), 2, NULL)); /* hit */
    answer_at(d, &now, &tid, NULL);
    assert_int_equal(tid, 2);
    answer_at(d, &now, &tid, NULL);
    assert_int_equal(tid, 1);
    read_line(d, now, line_addr(0), 4); /* misses now, while hits to the open row keep coming */
    uint64_t pushed = now, served = 0;
    for (uint8_t n = 10; served == 0 && now < pushed + 20000; now++) {
        hd_dram_advance(d, now);
        while (hd_dram_credit(d))
            ;
        if (hd_dram_answer(d, now, &tid) != NULL) {
            assert_true(hd_dram_answer_taken(d));
            if (tid == 4)
                served = now;
        }
        if (hd_dram_queued(d) < 3)
            assert_true(hd_dram_push(d, now, false, line_addr(5 * 8 + n % 8), n, NULL));
    }
    assert_in_range(served, pushed + HD_DRAM_AGE, pushed + HD_DRAM_AGE + 200);
    hd_dram_free(d);
}

static void too_many_requests_and_credits_are_refused(void **state)
{
    struct hd_dram_params p = base;
    p.credits = 2;
    struct hd_dram *d = make(&p);
    uint64_t now = 0;
    uint8_t tid;

    (void)state;
    assert_false(hd_dram_answer_taken(d));
    read_line(d, 0, line_addr(0), 0);
    read_line(d, 0, line_addr(1), 1);
    assert_false(hd_dram_push(d, 0, false, line_addr(2), 2, NULL));
    assert_false(hd_dram_credit(d)); /* nothing has left the queue yet */
    hd_dram_advance(d, 1);
    assert_true(hd_dram_credit(d));
    assert_false(hd_dram_credit(d));
    assert_true(hd_dram_push(d, 1, false, line_addr(2), 2, NULL));
    /* the tile holds two answers and gives no place back: the third read stays in the queue */
    for (now = 1; now < 1000; now++) {
        hd_dram_advance(d, now);
        hd_dram_answer(d, now, &tid);
    }
    assert_int_equal(hd_dram_queued(d), 1);
    assert_int_equal(hd_dram_unanswered(d), 2);
    assert_true(hd_dram_answer_taken(d));
    assert_int_equal(answer_at(d, &now, &tid, NULL), 1099);
    assert_int_equal(tid, 2);
    hd_dram_free(d);
}

static void bad_parameters_are_refused(void **state)
{
    (void)state;
    for (unsigned which = 0; which < 6; which++) {
        struct hd_dram_params p = base;
        switch (which) {
        case 0: p.banks = 3; break;
        case 1: p.banks = 128; break;
        case 2: p.row_bytes = 64; break;
        case 3: p.credits = 33; break;
        case 4: p.bytes_per_cycle = 0; break;
        default: p.latency = 0; break;
        }
        assert_null(hd_dram_new(&p));
    }
}

static uint64_t rng = 88172645463325252u;
static uint64_t rand64(void)
{
    rng ^= rng << 13;
    rng ^= rng >> 7;
    rng ^= rng << 17;
    return rng;
}

/* Random requests: every read answers the value of its place in the order sent; time steps of 1 and jumps to
 * hd_dram_next() give the same answers at the same cycles. */
static void values_follow_the_order_sent_and_jumps_change_nothing(void **state)
{
    struct hd_dram_params p = base;
    struct { uint64_t at; uint32_t first, ghost; } log[2][20000];
    static uint32_t image[512][2];
    unsigned count[2] = {0, 0}, overtaken = 0, misses_and_hits = 0;

    (void)state;
    p.word_units = 2;
    p.bytes_per_cycle = 32;
    for (unsigned pass = 0; pass < 2; pass++) {
        struct hd_dram *d = make(&p);
        uint32_t expect[256], expect_ghost[256], data[2 * WORDS];
        bool busy[256] = {false};
        unsigned credits = p.credits, held = 0, order = 0, order_of[256];
        rng = 12345;
        memset(image, 0, sizeof image);
        for (unsigned i = 0; i < 512; i++) {
            image[i][0] = i * 77;
            assert_true(hd_dram_poke(d, line_addr(i) + 4, i * 77));
        }
        assert_true(hd_dram_reserve(d, 64));
        uint64_t next_send = 0, next_take = 0;
        unsigned newest_answered = 0;
        for (uint64_t now = 0; now < 60000;) {
            hd_dram_advance(d, now);
            credits += hd_dram_credit(d);
            uint8_t tid;
            const uint32_t *got = hd_dram_answer(d, now, &tid);
            if (got != NULL) {
                assert_true(busy[tid]);
                busy[tid] = false;
                assert_int_equal(got[2], expect[tid]);
                assert_int_equal(got[3], expect_ghost[tid]);
                if (order_of[tid] < newest_answered)
                    overtaken++;
                else
                    newest_answered = order_of[tid];
                log[pass][count[pass]].at = now;
                log[pass][count[pass]].first = got[2];
                log[pass][count[pass]++].ghost = got[3];
                held++;
            }
            if (held > 0 && now >= next_take) {
                assert_true(hd_dram_answer_taken(d));
                held--;
                next_take = now + 1 + (count[pass] % 64 == 0 ? 300 : 0); /* now and then the tile is slow */
            }
            if (now >= next_send && credits > 0) {
                uint64_t r = rand64();
                unsigned n = (unsigned)(r >> 8) % 512, t = order % 256;
                bool write = r & 1;
                if (write) {
                    for (unsigned w = 0; w < WORDS; w++) {
                        data[2 * w] = (uint32_t)r + w;
                        data[2 * w + 1] = order + w;
                    }
                    image[n][0] = data[2];
                    image[n][1] = data[3];
                } else {
                    assert_false(busy[t]);
                    busy[t] = true;
                    order_of[t] = order;
                    expect[t] = image[n][0];
                    expect_ghost[t] = image[n][1];
                }
                assert_true(hd_dram_push(d, now, write, line_addr(n), (uint8_t)t, data));
                credits--;
                order++;
                next_send = now + 1 + (r >> 57 == 0 ? 400 : r >> 40 & 7);
            }
            uint64_t next = hd_dram_next(d, now + 1);
            uint64_t want = next_send > now ? next_send : now + 1;
            if (held > 0 && next_take < want)
                want = next_take > now ? next_take : now + 1;
            now = pass == 0 ? now + 1 : next < want ? next : want;
        }
        const struct hd_dram_stats *s = hd_dram_stats(d);
        misses_and_hits += s->row_hits > 500 && s->reads + s->writes - s->row_hits > 500;
        for (unsigned i = 0; i < 512; i++)
            assert_int_equal(hd_dram_peek(d, line_addr(i) + 4), image[i][0]);
        hd_dram_free(d);
    }
    assert_int_equal(count[0], count[1]);
    assert_memory_equal(log[0], log[1], count[0] * sizeof log[0][0]);
    assert_in_range(count[0], 2000, 20000);
    assert_in_range(overtaken, 100, 20000);
    assert_int_equal(misses_and_hits, 2);
}

static void lines_of_all_addresses_keep_apart(void **state)
{
    struct hd_dram *d = make(&base);

    (void)state;
    for (unsigned bit = 8; bit < 32; bit++)
        assert_true(hd_dram_poke(d, (UINT32_C(1) << bit) | LINE, bit));
    assert_int_equal(hd_dram_peek(d, LINE), 0);
    for (unsigned bit = 8; bit < 32; bit++)
        assert_int_equal(hd_dram_peek(d, (UINT32_C(1) << bit) | LINE), bit);
    assert_true(hd_dram_poke(d, 0xfffffffc, 5));
    assert_int_equal(hd_dram_peek(d, 0xfffffffc), 5);
    hd_dram_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_idle_channel_answers_after_exactly_its_latency),
        cmocka_unit_test(another_row_of_the_bank_costs_the_row_miss),
        cmocka_unit_test(a_stream_gets_one_line_per_transfer_time),
        cmocka_unit_test(a_hit_overtakes_a_miss_but_not_for_ever),
        cmocka_unit_test(too_many_requests_and_credits_are_refused),
        cmocka_unit_test(bad_parameters_are_refused),
        cmocka_unit_test(values_follow_the_order_sent_and_jumps_change_nothing),
        cmocka_unit_test(lines_of_all_addresses_keep_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
