/* test_draw.c - machines drawn at random (sw/stress/draw.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "hd_pkg.h"
#include "stress/draw.h"

enum { DRAWS = 1000, BASES = 3 };

/* Machines to draw from: as litmus.cfg is, nearly, write-back, words with owners, and with transactions. */
static void base(struct hd_config *c, unsigned i)
{
    static const char *const set[] = {"sms=2", "partitions=2", "warps=4", "lanes=8", "line_bytes=64", "clk_ratio=1", "mshr=8", "mshr_targets=16",
                                      "mshr_stores=8", "mshr_cas=4", "lds_bytes=4096", "lds_banks=8", "lat_credit=4"};
    static const char *const kind[BASES][3] = {{NULL}, {"l1=denovo", "order=drf"}, {"local_tm=on", "tm_rows=40"}};
    hd_config_default(c);
    for (size_t s = 0; s < sizeof set / sizeof set[0]; s++)
        assert_int_equal(hd_config_set(c, set[s], "test"), 0);
    for (const char *const *k = kind[i]; *k; k++)
        assert_int_equal(hd_config_set(c, *k, "test"), 0);
    assert_int_equal(hd_config_check(c, "test"), 0);
}

/* Machine number @seed, and in *c what it was drawn from. */
static void draw(unsigned seed, struct hd_config *c, struct hd_drawn *d)
{
    uint64_t random = seed;
    base(c, seed % BASES);
    hd_draw(c, &random, d);
}

static const char *value_of(const struct hd_config *c, size_t i, char buffer[32])
{
    const char *value = NULL;
    hd_config_key(c, i, buffer, &value);
    return value;
}

static void machines_are_legal_and_their_settings_make_them(void **state)
{
    static struct hd_drawn d;
    (void)state;
    for (unsigned seed = 0; seed < DRAWS; seed++) {
        struct hd_config c;
        draw(seed, &c, &d);
        assert_int_equal(hd_config_check(&d.c, "drawn"), 0);
        assert_in_range(d.c.sms * d.c.warps * d.c.lanes, 1, 2048);
        for (const char *const *set = d.set; *set; set++)
            assert_int_equal(hd_config_set(&c, *set, "drawn"), 0); /* takes only what is in the key's range */
        for (size_t i = 0; i < HD_KEYS; i++) {
            char a[32], b[32];
            assert_string_equal(value_of(&c, i, a), value_of(&d.c, i, b));
        }
    }
}

/* A key that the walk never moves is one that no drawn machine tests. */
static void every_key_of_structure_is_drawn(void **state)
{
    static struct hd_drawn d;
    bool moved[HD_KEYS] = {false}, shapes[HD_KEYS] = {false};
    (void)state;
    for (unsigned seed = 0; seed < DRAWS; seed++) {
        struct hd_config c;
        draw(seed, &c, &d);
        for (size_t i = 0; i < HD_KEYS; i++) {
            char a[32], b[32];
            struct hd_key_range r;
            hd_config_key_range(&d.c, i, &r);
            shapes[i] |= r.structure;
            moved[i] |= strcmp(value_of(&c, i, a), value_of(&d.c, i, b)) != 0;
        }
    }
    static const char *const fixed[] = {"memory", "persist"}; /* only the chip; no non-volatile memory in these machines */
    for (size_t i = 0; i < HD_KEYS; i++) {
        const char *name = hd_config_key(&d.c, i, (char[32]){0}, NULL);
        if (!moved[i] && shapes[i] && strcmp(name, fixed[0]) != 0 && strcmp(name, fixed[1]) != 0)
            fail_msg("key %s is never drawn", name);
    }
}

static void the_same_random_number_draws_the_same_machine(void **state)
{
    static struct hd_drawn a, b;
    struct hd_config c;
    uint64_t first = 5, second = 5, third = 6;
    (void)state;
    base(&c, 0);
    hd_draw(&c, &first, &a);
    hd_draw(&c, &second, &b);
    assert_memory_equal(&a.c, &b.c, sizeof a.c);
    hd_draw(&c, &third, &b);
    assert_memory_not_equal(&a.c, &b.c, sizeof a.c);
}

static void what_a_structure_is_for_stays(void **state)
{
    static struct hd_drawn d;
    struct hd_config c;
    (void)state;
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        uint64_t random = seed;
        base(&c, 2);
        hd_draw(&c, &random, &d);
        assert_true(d.c.local_tm && d.c.local_tm != HD_LOCAL_TM_IDEAL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machines_are_legal_and_their_settings_make_them),
        cmocka_unit_test(every_key_of_structure_is_drawn),
        cmocka_unit_test(the_same_random_number_draws_the_same_machine),
        cmocka_unit_test(what_a_structure_is_for_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
