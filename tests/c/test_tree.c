/* Recovery and checks of the persistent B+tree say what the reference program of paper 4 says at every one of its crash points, for
 * programs correct and faulty; the crash engine finds the same over a journal, and each bad image again by its number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <time.h>

#include "crash/crash.h"
#include "tree.h"

static void every_crash(const char *bad);
#define EVERY_CRASH every_crash
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wpedantic"
#include "../reference/persistency/tree.c"

enum { IMAGE = POOL + 16 * NODES, MOST = 40000 };
static const struct hd_tree_shape shape = {.root = ROOT, .status = EST, .log = LOG, .pool = POOL, .groups = WGS, .slots = SLOTS,
                                           .nodes = NODES};
static struct hd_tree_key known[MAXK];
static uint32_t scratch[2 * NODES + MAXK + 1], work[IMAGE], first[IMAGE], mirror[IMAGE];
static uint64_t compared, agreed_bad;
static struct hd_nvram_write journal[MOST];
static size_t journaled;
static bool keeping;

static void learn_keys(void)
{
    for (unsigned i = 0; i < nkeys; i++)
        known[i] = (struct hd_tree_key){keys[i], alg == 1 ? WGS : key_wg[i], key_batch[i] ? (key_batch[i] - 1u) * 16 + 1 : 0};
}

/* Keeps the grain that has become durable as a write of its line. */
static void keep(void)
{
    for (uint32_t w = 0; w < IMAGE && journaled < MOST; w += 16)
        if (memcmp(&mirror[w], &img[w], 64) != 0) {
            struct hd_nvram_write *j = &journal[journaled++];
            *j = (struct hd_nvram_write){.pushed = 10 * journaled, .done = 10 * journaled + 9, .addr = 4 * w};
            memcpy(j->word, &img[w], 64);
            memcpy(&mirror[w], &img[w], 64);
        }
}

static void every_crash(const char *bad)
{
    if (keeping) {
        keep();
        return;
    }
    memcpy(work, img, sizeof work);
    learn_keys();
    hd_tree_recover(&shape, work, NULL, NULL);
    const char *mine = hd_tree_check(&shape, work, known, nkeys, scratch);
    if ((mine == NULL) != (bad == NULL) || (bad != NULL && strcmp(mine, bad) != 0))
        fail_msg("fault %u, alg %u: reference says %s, checker %s", fault, alg, bad ? bad : "good", mine ? mine : "good");
    compared++;
    agreed_bad += bad != NULL;
}

static void start(unsigned f, enum model m, unsigned a, uint64_t seed, uint64_t most)
{
    fault = f, model = m, alg = a;
    rng = seed * 0x9e3779b97f4a7c15u + f * 7919 + 1;
    crashes = failures = persists = 0;
    checked_limit = most;
}

static void as_the_reference(void **state)
{
    (void)state;
    for (unsigned f = 0; f < FAULTS; f++) {
        if (f == NO_CHECKSUM || f == EST_TORN) /* faults of recovery itself */
            continue;
        uint64_t before = agreed_bad, of[2] = {0, 0}; /* by model */
        for (unsigned k = 0; k < 4; k++) {
            uint64_t sofar = agreed_bad;
            start(f, k & 1 ? EPOCH : DEF, 1 + k / 2, 7, 1500);
            one_run();
            of[model == EPOCH] += agreed_bad - sofar;
        }
        if (f == WI_FOR_WG || f == WG_FOR_KR) /* what the FIFO machine hides and the definition does not */
            assert_true(of[0] > 0 && of[1] == 0);
        print_message("%s: %llu bad\n", fault_name[f], (unsigned long long)(agreed_bad - before));
        assert_true(f != ALL || agreed_bad == before);
    }
    assert_true(compared > 20000 && agreed_bad > 1000);
}

static void put_word(void *m, uint32_t at, uint32_t value)
{
    hd_crash_put(m, 4 * at, value);
}

static void recover_image(void *self, struct hd_crash_image *m)
{
    (void)self;
    hd_tree_recover(&shape, m->word, put_word, m);
}

static const char *check_image(void *self, const struct hd_crash_image *m)
{
    (void)self;
    return hd_tree_check(&shape, m->word, known, nkeys, scratch);
}

/* A run's journal through the engine. */
static struct hd_crash_result through(unsigned f, uint64_t seed, struct hd_crash_options o)
{
    struct hd_crash_program p = {.recover = recover_image, .check = check_image};
    struct hd_crash_image m = {.word = work, .words = IMAGE};
    struct hd_crash_result r;
    start(f, EPOCH, 2, seed, UINT64_MAX);
    keeping = true;
    journaled = 0;
    build(60);                         /* as one_run() will: the same random numbers */
    memcpy(first, img, sizeof first);
    memcpy(mirror, img, sizeof mirror);
    start(f, EPOCH, 2, seed, UINT64_MAX);
    one_run();
    keeping = false;
    learn_keys();
    memcpy(work, first, sizeof work);
    assert_true(journaled < MOST && hd_crash_run(journal, journaled, 64, &m, &p, &o, &r));
    assert_memory_equal(work, first, sizeof work);
    return r;
}

static void engine_passes_and_finds(void **state)
{
    struct hd_crash_options o = {.all_up_to = 256, .in_recovery = true, .seed = 3};
    (void)state;
    clock_t begin = clock();
    struct hd_crash_result r = through(ALL, 11, o);
    double s = (double)(clock() - begin) / CLOCKS_PER_SEC;
    print_message("%llu images, %llu recoveries cut off, %.0f images a second\n", (unsigned long long)r.images,
                  (unsigned long long)r.cut_recoveries, (double)r.images / s);
    assert_true(r.images > 2 * journaled && r.cut_recoveries > r.images / 5);
    assert_int_equal(r.bad, 0);
    o.points = 100;
    r = through(ALL, 11, o);
    assert_true(r.images <= 100 && r.images > 80);
    o.points = 0;
    static const unsigned faults[] = {NO_LOG_BARRIER, NO_DATA_BARRIER, NO_LOG, NO_NEXT, NO_BARRIERS};
    for (unsigned i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        r = through(faults[i], 5, o);
        print_message("%s: %llu bad of %llu; %s, cycle %llu\n", fault_name[faults[i]], (unsigned long long)r.bad,
                      (unsigned long long)r.images, r.invariant, (unsigned long long)r.cycle);
        assert_true(r.bad > 0);
        struct hd_crash_options one = o;
        one.only = r.first;
        struct hd_crash_result again = through(faults[i], 5, one);
        assert_int_equal(again.images, 1);
        assert_int_equal(again.bad, 1);
        assert_string_equal(again.invariant, r.invariant);
        assert_int_equal(again.cycle, r.cycle);
    }
}

/* Three writes in flight to two grains: each grain any prefix of its writes, nothing else. */
static uint32_t seen;

static const char *note(void *self, const struct hd_crash_image *m)
{
    (void)self;
    seen |= UINT32_C(1) << (m->word[0] + 3 * m->word[2]);
    return m->word[0] > 2 || m->word[2] > 1 || m->word[1] != m->word[0] ? "torn" : NULL;
}

static void grains_in_flight(void **state)
{
    static struct hd_nvram_write w[2] = {{.pushed = 5, .done = 20}, {.pushed = 6, .done = UINT64_MAX}};
    uint32_t word[16] = {0};
    struct hd_crash_image m = {.word = word, .words = 16};
    struct hd_crash_program p = {.check = note};
    struct hd_crash_options o = {.all_up_to = 64};
    struct hd_crash_result r;
    (void)state;
    w[0].word[0] = w[0].word[1] = 1;
    w[1].word[0] = w[1].word[1] = 2;
    w[1].word[2] = 1;
    assert_true(hd_crash_run(w, 2, 64, &m, &p, &o, &r));
    assert_int_equal(r.bad, 0);
    assert_int_equal(seen, 0x3f);      /* 0, 1, 2 of the one, 0, 1 of the other */
    assert_int_equal(r.moments, 4);
    assert_int_equal(r.images, 1 + 2 + 6 + 4);
    assert_int_equal(word[0], 0);
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(grains_in_flight),
        cmocka_unit_test(as_the_reference),
        cmocka_unit_test(engine_passes_and_finds),
    };
    return cmocka_run_group_tests_name("tree", all, NULL, NULL);
}
