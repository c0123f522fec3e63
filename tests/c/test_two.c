/* Two memories behind one port against two.h: which address is whose, order of answers, one pool of credits, places. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mem/two.h"

enum { LINE = 64, WORDS = LINE / 4, BASE = 4096, CREDITS = 4, DRAM_TIME = 25, NV_TIME = 75, NV_WRITE = 250 };

static const struct hd_memory *const m = &hd_two_memory;

static void *make_persist(unsigned dram_latency, unsigned persist)
{
    struct hd_config c;

    hd_config_default(&c);
    c.line_bytes = LINE;
    c.partitions = 1;
    c.ghost_bits = 0;
    c.mem_credits = CREDITS;
    c.dram_latency = dram_latency;
    c.dram_bytes_per_cycle = LINE;
    c.dram_row_miss = 0;
    c.nv_base = BASE;
    c.nv_read = NV_TIME;
    c.nv_write = NV_WRITE;
    c.nv_bytes_per_cycle = LINE;
    c.nv_journal = 1;
    c.persist = persist;
    void *t = m->open(&c);
    assert_non_null(t);
    assert_true(m->reserve(t, 64));
    return t;
}

static void *make(unsigned dram_latency)
{
    return make_persist(dram_latency, HD_PERSISTENCE_OFF);
}

/* @return the tid of the next answer, and its cycle in *@now. */
static unsigned next_answer(void *t, uint64_t *now, uint32_t *word)
{
    uint8_t tid;

    for (uint64_t limit = *now + 10000; *now < limit; ++*now) {
        m->advance(t, *now);
        const uint32_t *words = m->answer(t, *now, &tid);
        while (m->credit(t))
            ;
        if (words != NULL) {
            *word = words[1];
            return tid;
        }
    }
    fail_msg("no answer");
    return 0;
}

static void an_address_is_of_the_memory_it_lies_in(void **state)
{
    void *t = make(DRAM_TIME);
    uint32_t words[WORDS] = {0, 7}, word;
    uint64_t now = 1;
    size_t count;

    (void)state;
    assert_true(m->poke(t, BASE - LINE + 4, 5));
    m->advance(t, now);
    assert_true(m->push(t, now, true, BASE, 3, words));
    assert_true(m->push(t, now, false, BASE, 1, NULL));
    assert_int_equal(next_answer(t, &now, &word), 1);
    assert_int_equal(word, 7);
    assert_true(m->answer_taken(t));
    assert_true(m->push(t, now, false, BASE - LINE, 2, NULL));
    assert_int_equal(next_answer(t, &now, &word), 2);
    assert_int_equal(word, 5);
    assert_true(m->answer_taken(t));
    assert_int_equal(m->peek(t, BASE + 4), 7);
    assert_int_equal(hd_nvram_image(hd_two_nvram(t), BASE + 4), 0); /* in flight */
    assert_false(m->idle(t));
    m->advance(t, now += 2 * NV_WRITE);
    assert_int_equal(hd_nvram_image(hd_two_nvram(t), BASE + 4), 7);
    assert_true(m->idle(t));
    const struct hd_nvram_write *w = hd_nvram_journal(hd_two_nvram(t), &count);
    assert_int_equal(count, 1);
    assert_int_equal(w[0].tid, 3);
    m->close(t);
}

static void the_answer_due_first_goes_first_and_drams_on_a_tie(void **state)
{
    void *t = make(NV_TIME);
    uint64_t now = 1, first;
    uint32_t word;

    (void)state;
    m->advance(t, now);
    assert_true(m->push(t, now, false, BASE, 1, NULL));
    assert_true(m->push(t, now, false, 0, 2, NULL));
    assert_int_equal(next_answer(t, &now, &word), 2);
    first = now++;
    assert_int_equal(next_answer(t, &now, &word), 1);
    assert_int_equal(now, first + 1);
    m->close(t);

    t = make(DRAM_TIME);
    now = 1;
    m->advance(t, now);
    assert_true(m->push(t, now, false, BASE, 1, NULL));
    m->advance(t, now = 1 + NV_TIME); /* NVRAM's waits, DRAM's comes later */
    assert_true(m->push(t, now, false, 0, 2, NULL));
    assert_int_equal(next_answer(t, &now, &word), 1);
    now++;
    assert_int_equal(next_answer(t, &now, &word), 2);
    m->close(t);
}

static void credits_and_places_are_one_pool_for_both(void **state)
{
    void *t = make(DRAM_TIME);
    uint64_t now = 1;
    uint32_t word;
    uint8_t tid;

    (void)state;
    m->advance(t, now);
    for (unsigned i = 0; i < CREDITS; i++)
        assert_true(m->push(t, now, false, i % 2 ? BASE + LINE * i : LINE * i, (uint8_t)i, NULL));
    assert_false(m->push(t, now, false, 0, 9, NULL));
    assert_false(m->push(t, now, false, BASE, 9, NULL));
    assert_false(m->answer_taken(t));
    m->advance(t, now += 2);
    while (m->credit(t))
        ;
    for (unsigned i = 0; i < CREDITS; i++) /* answers that nobody takes fill the tile */
        next_answer(t, &now, &word);
    for (unsigned i = 0; i < CREDITS; i++)
        assert_true(m->push(t, now, false, i % 2 ? BASE + LINE * i : LINE * i, (uint8_t)(10 + i), NULL));
    for (uint64_t end = now + 1000; now < end; now++) {
        m->advance(t, now);
        assert_null(m->answer(t, now, &tid));
        m->credit(t);
    }
    for (unsigned i = 0; i < CREDITS; i++) {
        assert_true(m->answer_taken(t));
        assert_true(next_answer(t, &now, &word) >= 10);
    }
    for (unsigned i = 0; i < CREDITS; i++)
        assert_true(m->answer_taken(t));
    assert_true(m->idle(t));
    m->close(t);
}

static void with_persist_barriers_each_memory_has_credits_of_its_own(void **state)
{
    void *t = make_persist(DRAM_TIME, HD_PERSISTENCE_FIFO);
    uint64_t now = 1;
    unsigned back[2] = {0, 0};

    (void)state;
    m->advance(t, now);
    for (unsigned i = 0; i < CREDITS; i++)
        assert_true(m->push(t, now, false, BASE + LINE * i, (uint8_t)i, NULL));
    assert_false(m->push(t, now, false, BASE, 9, NULL));
    for (unsigned i = 0; i < CREDITS; i++)
        assert_true(m->push(t, now, false, LINE * i, (uint8_t)(10 + i), NULL));
    assert_false(m->push(t, now, false, 0, 9, NULL));
    for (uint64_t end = now + 20; now < end; now++) {
        m->advance(t, now);
        const unsigned credits = m->credit(t);
        back[0] += credits & 1;
        back[1] += credits >> 1;
    }
    assert_int_equal(back[0], CREDITS);
    assert_int_equal(back[1], CREDITS);
    assert_true(m->push(t, now, false, BASE, 20, NULL));
    assert_true(m->push(t, now, false, 0, 21, NULL));
    assert_false(m->idle(t));
    for (unsigned i = 0; i < 2 * CREDITS + 2; i++) {
        uint32_t word;
        next_answer(t, &now, &word);
        assert_true(m->answer_taken(t));
        now++;
    }
    assert_true(m->idle(t));
    m->close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_is_of_the_memory_it_lies_in),
        cmocka_unit_test(the_answer_due_first_goes_first_and_drams_on_a_tie),
        cmocka_unit_test(credits_and_places_are_one_pool_for_both),
        cmocka_unit_test(with_persist_barriers_each_memory_has_credits_of_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
