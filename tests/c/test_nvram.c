/* Non-volatile memory against its own header: what reads return, when writes are durable, what a power cut may leave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "mem/nvram.h"

enum { LINE = 64, WORDS = LINE / 4 };

static const struct hd_nvram_params base = {.line_bytes = LINE, .word_units = 1, .credits = 16, .read_latency = 75,
    .write_latency = 250, .bytes_per_cycle = LINE, .out = 16, .banks = 4, .spread = 100, .hold = 1000, .seed = 3};

static struct hd_nvram *make(enum hd_nvram_order order, unsigned out)
{
    struct hd_nvram_params p = base;
    p.order = order;
    p.out = out;
    struct hd_nvram *n = hd_nvram_new(&p);
    assert_non_null(n);
    hd_nvram_keep_journal(n);
    assert_true(hd_nvram_reserve(n, 4096));
    return n;
}

static void write_line(struct hd_nvram *n, uint64_t now, unsigned line, uint8_t tid, uint32_t value)
{
    uint32_t words[WORDS];

    for (unsigned i = 0; i < WORDS; i++)
        words[i] = value + i;
    hd_nvram_advance(n, now);
    while (hd_nvram_credit(n))
        ;
    assert_true(hd_nvram_push(n, now, true, line * LINE, tid, words));
}

/* @return the cycle at which the next write is told as completed. */
static uint64_t done_at(struct hd_nvram *n, uint64_t *now, uint8_t *tid)
{
    for (uint64_t limit = *now + 20000; *now < limit; ++*now) {
        hd_nvram_advance(n, *now);
        if (hd_nvram_done(n, *now, tid))
            return *now;
    }
    fail_msg("nothing completes");
    return 0;
}

static void a_write_is_read_at_once_and_durable_after_its_latency(void **state)
{
    struct hd_nvram *n = make(HD_NVRAM_PIPE, 16);
    uint8_t tid = 0;
    uint64_t now = 11;

    (void)state;
    assert_true(hd_nvram_poke(n, 5 * LINE + 4, 99));
    write_line(n, 10, 5, 7, 100);
    assert_int_equal(hd_nvram_peek(n, 5 * LINE + 4), 101);
    assert_int_equal(hd_nvram_image(n, 5 * LINE + 4), 99);
    assert_int_equal(hd_nvram_next(n, 11), 11);
    assert_true(hd_nvram_push(n, 10, false, 5 * LINE, 3, NULL));
    hd_nvram_advance(n, 84);
    assert_null(hd_nvram_answer(n, 84, &tid));
    const uint32_t *words = hd_nvram_answer(n, 85, &tid);
    assert_non_null(words);
    assert_int_equal(words[1], 101);
    assert_int_equal(tid, 3);
    assert_true(hd_nvram_answer_taken(n));
    assert_false(hd_nvram_answer_taken(n));
    hd_nvram_advance(n, 259);
    assert_int_equal(hd_nvram_image(n, 5 * LINE + 4), 99);
    assert_int_equal(hd_nvram_in_flight(n), 1);
    now = 259;
    assert_int_equal(done_at(n, &now, &tid), 260);
    assert_int_equal(tid, 7);
    assert_int_equal(hd_nvram_image(n, 5 * LINE + 4), 101);
    while (hd_nvram_credit(n))
        ;
    assert_true(hd_nvram_idle(n));
    size_t count;
    const struct hd_nvram_write *j = hd_nvram_journal(n, &count);
    assert_int_equal(count, 1);
    assert_true(j->pushed == 10 && j->done == 260 && j->addr == 5 * LINE && j->tid == 7 && j->word[15] == 115);
    hd_nvram_free(n);
}

static void writes_beyond_the_limit_wait_and_hold_their_credit(void **state)
{
    struct hd_nvram *n = make(HD_NVRAM_PIPE, 2);
    uint64_t now = 0;
    uint8_t tid;

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        write_line(n, 0, i, (uint8_t)i, i);
    hd_nvram_advance(n, 5);
    assert_int_equal(hd_nvram_queued(n), 1);
    assert_true(hd_nvram_credit(n) && hd_nvram_credit(n));
    assert_false(hd_nvram_credit(n));
    assert_int_equal(done_at(n, &now, &tid), 250);
    assert_int_equal(done_at(n, &now, &tid), 251);
    assert_int_equal(done_at(n, &now, &tid), 500); /* started when the first had completed */
    assert_int_equal(hd_nvram_stats(n)->out_most, 3);
    hd_nvram_free(n);
}

static void a_channel_without_credits_refuses(void **state)
{
    struct hd_nvram *n = make(HD_NVRAM_PIPE, 1);
    uint32_t words[WORDS] = {0};

    (void)state;
    for (unsigned i = 0; i < base.credits; i++)
        assert_true(hd_nvram_push(n, 0, true, i * LINE, 0, words));
    assert_false(hd_nvram_push(n, 0, true, 0, 0, words));
    hd_nvram_free(n);
}

static void banks_write_one_line_at_a_time(void **state)
{
    struct hd_nvram *n = make(HD_NVRAM_BANKS, 16);
    uint64_t now = 0;
    uint8_t tid;

    (void)state;
    write_line(n, 0, 0, 1, 0);
    write_line(n, 0, 5, 2, 0); /* line 5 = bank 1 ^ 1 = 0, as line 0 */
    write_line(n, 0, 1, 3, 0);
    assert_int_equal(done_at(n, &now, &tid), 250);
    assert_int_equal(tid, 1);
    assert_int_equal(done_at(n, &now, &tid), 252);
    assert_int_equal(tid, 3);
    assert_int_equal(done_at(n, &now, &tid), 500);
    hd_nvram_free(n);
}

static void the_adversaries_hold_the_oldest_and_the_first_of_an_epoch(void **state)
{
    struct hd_nvram *n = make(HD_NVRAM_NEWEST, 16);
    uint64_t now = 0;
    uint8_t tid;

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        write_line(n, 0, i, (uint8_t)i, i);
    /* 0 is held; 1 and 2 pass; then 0 is alone */
    assert_int_equal(done_at(n, &now, &tid), 251);
    assert_int_equal(tid, 1);
    assert_int_equal(done_at(n, &now, &tid), 252);
    assert_int_equal(done_at(n, &now, &tid), 253);
    assert_int_equal(tid, 0);
    hd_nvram_free(n);
    n = make(HD_NVRAM_EPOCH, 16);
    now = 0;
    write_line(n, 0, 0, 4, 0);
    write_line(n, 0, 1, 4, 0);
    write_line(n, 0, 2, 5, 0);
    write_line(n, 0, 3, 5, 0);
    assert_int_equal(done_at(n, &now, &tid), 251); /* line 1 */
    assert_int_equal(done_at(n, &now, &tid), 253); /* line 3 */
    assert_int_equal(done_at(n, &now, &tid), 1250);
    assert_int_equal(tid, 4);
    assert_int_equal(done_at(n, &now, &tid), 1251); /* alone */
    assert_int_equal(tid, 5);
    hd_nvram_free(n);
    struct hd_nvram_params p = base;
    p.order = HD_NVRAM_BANK_SLOW;
    p.slow_bank = 1;
    n = hd_nvram_new(&p);
    now = 0;
    write_line(n, 0, 1, 1, 0);
    write_line(n, 0, 2, 2, 0);
    assert_int_equal(done_at(n, &now, &tid), 251);
    assert_int_equal(done_at(n, &now, &tid), 2500);
    hd_nvram_free(n);
}

/* Random traffic under every order: reads return the last write pushed; what completes is told once; a line's writes complete
 * in order; the image is what the journal says at every moment. */
static void every_order_is_legal(void **state)
{
    enum { LINES = 12, STEPS = 3000 };

    (void)state;
    for (unsigned order = 0; order < HD_NVRAM_ORDERS; order++) {
        struct hd_nvram *n = make((enum hd_nvram_order)order, 8);
        uint32_t last[LINES] = {0}, next = 1, expected[256] = {0};
        unsigned out = 0, told = 0, pushed = 0, credits = base.credits, seed = order + 1, reads = 0, read_tid = 0;
        uint64_t now = 0;
        uint8_t tid;
        for (; now < STEPS || !hd_nvram_idle(n); now++) {
            assert_true(now < 20 * STEPS);
            hd_nvram_advance(n, now);
            while (hd_nvram_credit(n))
                credits++;
            while (hd_nvram_done(n, now, &tid))
                told++;
            const uint32_t *words = hd_nvram_answer(n, now, &tid);
            if (words != NULL) {
                assert_int_equal(words[2], expected[tid]);
                assert_true(hd_nvram_answer_taken(n));
                out--;
            }
            seed = seed * 1664525u + 1013904223u;
            unsigned line = (seed >> 16) % LINES;
            if (now >= STEPS || credits == 0 || seed >> 30 == 0)
                continue;
            uint32_t data[WORDS];
            for (unsigned i = 0; i < WORDS; i++)
                data[i] = next;
            bool write = seed >> 29 & 1;
            if (!write && out == base.credits)
                continue;
            if (!write)
                expected[read_tid % 256] = last[line];
            assert_true(hd_nvram_push(n, now, write, line * LINE, (uint8_t)(write ? pushed / 5 % 8 : read_tid), data));
            credits--;
            if (write) {
                last[line] = next++;
                pushed++;
            } else {
                read_tid = (read_tid + 1) % 256;
                out++;
                reads++;
            }
        }
        assert_int_equal(told, pushed);
        assert_true(reads > 20 && pushed > 20);
        size_t count;
        const struct hd_nvram_write *j = hd_nvram_journal(n, &count);
        assert_int_equal(count, pushed);
        for (size_t i = 0; i < count; i++) {
            assert_true(j[i].done >= j[i].pushed + base.write_latency && j[i].done < now);
            for (size_t k = 0; k < i; k++)
                assert_true(j[k].addr != j[i].addr || j[k].done <= j[i].done);
        }
        for (unsigned l = 0; l < LINES; l++)
            assert_int_equal(hd_nvram_image(n, l * LINE + 8), last[l]);
        hd_nvram_free(n);
    }
}

static void a_journal_that_differs_is_found(void **state)
{
    struct hd_nvram *n = make(HD_NVRAM_PIPE, 8);
    uint64_t now = 0;
    uint32_t addr = 0;
    uint8_t tid;

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        write_line(n, now += 10, i % 2, 0, 100 * (i + 1));
    assert_false(hd_nvram_agrees(n, &addr)); /* in flight */
    for (unsigned i = 0; i < 3; i++)
        done_at(n, &now, &tid);
    assert_true(hd_nvram_agrees(n, &addr));
    size_t count;
    struct hd_nvram_write *j = (struct hd_nvram_write *)hd_nvram_journal(n, &count), kept = j[1];
    j[1].done = UINT64_MAX;
    assert_false(hd_nvram_agrees(n, &addr));
    assert_int_equal(addr, LINE);
    j[1] = kept;
    j[1].word[WORDS - 1]++;
    assert_false(hd_nvram_agrees(n, &addr));
    j[1] = kept;
    kept = j[0];
    j[0].word[0]++; /* written over since */
    assert_true(hd_nvram_agrees(n, &addr));
    j[0].done = j[2].done + 1;
    assert_false(hd_nvram_agrees(n, &addr));
    j[0] = kept;
    assert_true(hd_nvram_poke(n, LINE + 4, 7)); /* by the host, without a write */
    assert_true(hd_nvram_agrees(n, &addr));
    write_line(n, ++now, 1, 0, 500);
    done_at(n, &now, &tid);
    assert_true(hd_nvram_agrees(n, &addr));
    hd_nvram_free(n);
}

static void bad_parameters_are_refused(void **state)
{
    struct hd_nvram_params p = base;

    (void)state;
    p.out = 0;
    assert_null(hd_nvram_new(&p));
    p = base;
    p.banks = 3;
    assert_null(hd_nvram_new(&p));
    p = base;
    p.slow_bank = 4;
    assert_null(hd_nvram_new(&p));
}

int main(void)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(a_write_is_read_at_once_and_durable_after_its_latency),
        cmocka_unit_test(writes_beyond_the_limit_wait_and_hold_their_credit),
        cmocka_unit_test(a_channel_without_credits_refuses),
        cmocka_unit_test(banks_write_one_line_at_a_time),
        cmocka_unit_test(the_adversaries_hold_the_oldest_and_the_first_of_an_epoch),
        cmocka_unit_test(every_order_is_legal),
        cmocka_unit_test(a_journal_that_differs_is_found),
        cmocka_unit_test(bad_parameters_are_refused),
    };

    return cmocka_run_group_tests(t, NULL, NULL);
}
