/* The check of kv, which looks only at what has changed since the last image, says of every image what a look at the whole of it
 * says: few or many words in flight, pairs that are right, wrong and without a value, pairs apart and side by side, one journal
 * after another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "crash/programs.c"

enum { BASE = 4096, SLOTS = 256, LINE = 16, WRITES = 600 };

static struct kv kv;
static bool bad_slot[SLOTS];
static uint32_t word[2 * SLOTS], number;
static uint64_t images, bads, many;

static uint32_t chance(uint32_t n)
{
    number = number * 1664525u + 1013904223u;
    return (number >> 8) % n;
}

/* What kv_check() says and what it must. */
static const char *both(void *self, const struct hd_crash_image *m)
{
    struct kv *t = self;
    bool bad = false;
    for (uint32_t i = 0; i < SLOTS; i++) {
        uint32_t key = m->word[(t->key - BASE + (i << t->step)) / 4], value = m->word[(t->value - BASE + (i << t->step)) / 4];
        bad |= key != 0 && (key != i + 1 || value != ((i + 1) ^ 0x5a5a5a5a));
    }
    const char *wrong = kv_check(t, m);
    assert_true((wrong != NULL) == bad);
    images++;
    bads += bad;
    many += m->puts > FEW;
    return wrong;
}

/* Lines of some more pairs, of which few are wrong until the line is written again. @deep: so many may be in flight. */
static void journal_of(struct hd_nvram_write *w, bool together, uint32_t deep)
{
    static uint32_t now[2 * SLOTS];
    memset(now, 0, sizeof now);
    for (uint32_t n = 0; n < WRITES; n++) {
        uint32_t at = chance(2 * SLOTS / LINE) * LINE, fault = chance(60) == 0 ? chance(LINE) : LINE;
        for (uint32_t k = 0; k < LINE; k++) {
            uint32_t i = together ? (at + k) / 2 : (at + k) % SLOTS;
            bool key = together ? (at + k) % 2 : at + k >= SLOTS;
            if (key && now[together ? at + k - 1 : i] == 0)
                continue;
            if (now[at + k] != 0 || key || chance(3) == 0)
                now[at + k] = k == fault ? 7 : key ? i + 1 : (i + 1) ^ 0x5a5a5a5a;
        }
        w[n] = (struct hd_nvram_write){.pushed = 4 * n, .done = 4 * n + 1 + chance(4 * deep), .addr = BASE + 4 * at};
        memcpy(w[n].word, now + at, LINE * 4);
    }
    for (uint32_t n = WRITES; n-- > 0;) /* those of a line end in order */
        for (uint32_t later = n + 1; later < WRITES; later++)
            if (w[later].addr == w[n].addr && w[later].done <= w[n].done)
                w[n].done = w[later].done > w[n].pushed + 1 ? w[later].done - 1 : w[later].done;
}

static void as_a_look_at_all(bool together, uint32_t deep, uint64_t points)
{
    static struct hd_nvram_write w[WRITES];
    struct hd_crash_image m = {.word = word, .words = 2 * SLOTS, .base = BASE};
    struct hd_crash_program p = {.self = &kv, .check = both};
    struct hd_crash_options o = {.all_up_to = 32, .seed = deep, .points = points};
    struct hd_crash_result r;
    kv = (struct kv){.value = BASE, .key = together ? BASE + 4 : BASE + 4 * SLOTS, .slots = SLOTS, .step = together ? 3 : 2,
                     .bad = bad_slot};
    memset(bad_slot, 0, sizeof bad_slot);
    images = bads = many = 0;
    for (unsigned i = 0; i < 3; i++) { /* with the same image three journals, each from the beginning */
        memset(word, 0, sizeof word);
        word[(kv.key - BASE) / 4] = i == 1 ? 7 : 0;
        journal_of(w, together, deep);
        assert_true(hd_crash_run(w, WRITES, LINE * 4, &m, &p, &o, &r));
    }
    print_message("%llu images, %llu bad, %llu with many words\n", (unsigned long long)images, (unsigned long long)bads,
                  (unsigned long long)many);
    assert_true(images > 1000 && bads > images / 50 && bads < images - images / 50);
}

static void what_changed_is_all(void **state)
{
    (void)state;
    as_a_look_at_all(false, 1, 0);
    assert_true(many == 0);
    as_a_look_at_all(true, 1, 0);
    as_a_look_at_all(false, 400, 20000);
    assert_true(many > 0 && many < images);
    as_a_look_at_all(true, 400, 20000);
    as_a_look_at_all(false, 400, 900);
}

int main(void)
{
    const struct CMUnitTest all[] = {cmocka_unit_test(what_changed_is_all)};
    return cmocka_run_group_tests_name("kv", all, NULL, NULL);
}
