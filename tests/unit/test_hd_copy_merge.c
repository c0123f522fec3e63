/* test_hd_copy_merge.c - two streams of accesses into the LDS: each in order, none changed, copies first. */
/* dut: hd_copy_merge Lanes=4 WordW=40 LdsW=6 */
/* dut-rtl: hd_copy_merge Lanes=64 WordW=32 LdsW=12 */
#include "hd_unit.h"
#include "hd_bits.h"
#include "hd_copy_merge_dut.h"

static struct hd_copy_merge d;

/* Ports of a stream. */
struct side {
    void *acc, *body;
};
struct seen {
    const void *acc, *body;
};
enum { BODY_W = HD_COPY_MERGE_W_lo_body_i };

static void new_access(const struct side *s)
{
    hd_bits_random(s->acc, HD_ACCESS_W);
    hd_bits_random(s->body, BODY_W);
}

static void same(const struct seen *a, const struct side *b)
{
    assert_int_equal(hd_bits_get(a->acc, 0, HD_ACCESS_W), hd_bits_get(b->acc, 0, HD_ACCESS_W));
    for (unsigned at = 0; at < BODY_W; at += P_Lanes)
        assert_true(hd_bits_get(a->body, at, P_Lanes) == hd_bits_get(b->body, at, P_Lanes));
}

static void who_was_offered_stays_and_copies_go_first(void **state)
{
    bool lo_there = false, copy_waits = false; /* offered and not taken */
    bool lo_waits = false;                     /* ... and had the port */
    unsigned taken[2] = {0}, kept = 0, passed = 0;

    (void)state;
    hd_copy_merge_open(&d);
    hd_reset(d.m);
    const struct side lo = {d.lo_acc_i, d.lo_body_i};
    const struct side copy = {d.copy_acc_i, d.copy_body_i};
    const struct seen out = {d.out_acc_o, d.out_body_o};
    for (unsigned t = 0; t < 5000; t++) {
        if (!lo_there)
            new_access(&lo);
        if (!copy_waits)
            new_access(&copy);
        *d.lo_valid_i = lo_there || hd_rand_below(2);
        *d.copy_valid_i = copy_waits || hd_rand_below(3) == 0;
        *d.out_ready_i = (uint8_t)hd_rand_below(2);
        hd_eval(d.m);
        const bool by_copy = *d.copy_valid_i && !lo_waits, any = *d.lo_valid_i || *d.copy_valid_i;
        assert_int_equal(*d.out_valid_o, any);
        if (any)
            same(&out, by_copy ? &copy : &lo);
        assert_int_equal(*d.copy_valid_i && *d.copy_ready_o, by_copy && *d.out_ready_i);
        assert_int_equal(*d.lo_valid_i && *d.lo_ready_o, *d.lo_valid_i && !by_copy && *d.out_ready_i);
        kept += lo_waits && *d.copy_valid_i;
        passed += lo_there && !lo_waits && by_copy;
        taken[0] += *d.lo_valid_i && *d.lo_ready_o;
        taken[1] += by_copy && *d.out_ready_i;
        lo_there = *d.lo_valid_i && !(!by_copy && *d.out_ready_i);
        lo_waits = lo_there && !by_copy;
        copy_waits = *d.copy_valid_i && !(by_copy && *d.out_ready_i);
        hd_edge(d.m);
    }
    assert_true(taken[0] > 500 && taken[1] > 500 && kept > 100 && passed > 100);
    assert_int_equal(hd_assert_failures(d.m), 0);
    if (hd_has_asserts(d.m)) { /* what was offered is gone */
        hd_reset(d.m);
        *d.lo_valid_i = 1;
        hd_edge(d.m);
        *d.lo_valid_i = 0;
        hd_edge(d.m);
        assert_true(hd_assert_failures(d.m) > 0);
        hd_assert_clear(d.m);
    }
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(who_was_offered_stays_and_copies_go_first)};

    return HD_UNIT_MAIN(argc, argv, t);
}
