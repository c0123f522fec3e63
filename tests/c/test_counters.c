/* A list of counters holds as many as are put into it, in their order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "counters.h"

static void a_list_holds_all_that_is_put(void **state)
{
    static const char *const names[] = {"a", "b", "c"};
    struct hd_counters c = {0};

    (void)state;
    for (unsigned round = 0; round < 2; round++) { /* a list is emptied and filled anew */
        c.count = 0;
        for (uint64_t n = 0; n < 1000; n++)
            hd_counters_put(&c, names[n % 3], n * n);
        assert_int_equal(c.count, 1000);
        for (uint64_t n = 0; n < 1000; n++) {
            assert_ptr_equal(c.list[n].name, names[n % 3]);
            assert_int_equal(c.list[n].value, n * n);
        }
    }
    hd_counters_free(&c);
    assert_int_equal(c.count, 0);
    assert_null(c.list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_list_holds_all_that_is_put)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
