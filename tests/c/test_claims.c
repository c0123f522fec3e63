/* What others say of tests: which rows count for a file, what they forbid, mistakes with their line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../sw/litmus/claims.h"

static struct hd_claims *claims(const char *text)
{
    char path[] = "/tmp/heddle-claims-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    struct hd_claims *c = hd_claims_read(path);
    unlink(path);
    return c;
}

static void rows_count_for_their_file(void **state)
{
    (void)state;
    struct hd_claims *c = claims("model,test,expected\nPTXv6_0,a/b.litmus,0\nPTXv7_5,a/b.litmus,1\nPTXv6_0,a/b.litmus,0\n"
                                 "VULKAN-DR,a/c.litmus,0\nVULKAN-Liveness-Fair,a/c.litmus,1\nVULKAN-Liveness-OBE,a/c.litmus,0\n"
                                 "PTXv6_0-Liveness,a/d.litmus,0\n");
    assert_non_null(c);
    struct hd_claim k = hd_claims_of(c, "x/a/b.litmus");
    assert_true(k.safe_known && k.safe && !k.race_known && !k.live_known);
    assert_true(hd_claims_of(c, "a/b.litmus").safe_known);
    assert_false(hd_claims_of(c, "x/aa/b.litmus").safe_known);
    assert_false(hd_claims_of(c, "xa/b.litmus").safe_known);
    assert_false(hd_claims_of(c, "b.litmus").safe_known);
    k = hd_claims_of(c, "a/c.litmus");
    assert_true(k.race_known && k.race && k.live_known && k.live && !k.safe_known);
    k = hd_claims_of(c, "a/d.litmus");
    assert_true(k.live_known && !k.live);
    hd_claims_free(c);
}

static void what_they_forbid(void **state)
{
    (void)state;
    static const char *const quantifier[] = {"exists", "~exists", "forall"};
    static const bool forbids[3][2][2] = {/* [claim holds][the condition holds of the outcome] */
                                          {{false, true}, {false, false}},
                                          {{false, false}, {false, true}},
                                          {{false, false}, {true, false}}};
    for (unsigned q = 0; q < 3; q++) {
        char text[128], error[256];
        snprintf(text, sizeof text, "LISA T\n{ x=0; }\n P0 ;\n w[] x 1 ;\n%s (x=1)", quantifier[q]);
        struct hd_lisa *t = hd_lisa_parse(text, strlen(text), "T", error, sizeof error);
        assert_non_null(t);
        for (uint32_t x = 0; x < 2; x++) {
            for (unsigned safe = 0; safe < 2; safe++) {
                struct hd_claim k = {.safe_known = true, .safe = safe};
                assert_int_equal(hd_claim_forbids(&k, t, &x), forbids[q][safe][x]);
            }
            assert_false(hd_claim_forbids(&(struct hd_claim){0}, t, &x));
        }
        free(t);
    }
}

static void mistakes_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "model,test\n", "model,test,expected\nPTXv6_0,a\n", "model,test,expected\nPTXv6_0,a,2\n",
                                      "model,test,expected\nPTXv6_0,a,b,1\n", "model,test,expected\nPTXv6_0,a,\n"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_null(claims(bad[i]));
    assert_null(hd_claims_read("/nowhere/expected.csv"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_count_for_their_file),
        cmocka_unit_test(what_they_forbid),
        cmocka_unit_test(mistakes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
