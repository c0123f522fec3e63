/* test_hd_copy_groups.c - copies under way and their groups against a C table that counts closes. */
/* dut: hd_copy_groups Warps=6 Slots=4 */
/* dut: hd_copy_groups Warps=3 Slots=1 */
/* dut-rtl: hd_copy_groups Warps=48 Slots=8 */
#include "hd_unit.h"
#include "hd_bits.h"
#include "hd_copy_groups_dut.h"

struct warp {
    unsigned kind, fn, closed;
    bool busy[P_Slots];
    unsigned since[P_Slots]; /* groups closed before */
};

static struct hd_copy_groups d;
static struct warp ref[P_Warps];

static int setup(void **state)
{
    (void)state;
    memset(ref, 0, sizeof ref);
    hd_copy_groups_open(&d);
    hd_reset(d.m);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static void check_state(void)
{
    uint64_t is = 0, waits = 0, pend = 0;

    for (unsigned w = 0; w < P_Warps; w++) {
        const struct warp *r = &ref[w];
        is |= (uint64_t)(r->kind == HD_OP_COPY) << w;
        for (unsigned s = 0; s < P_Slots; s++) {
            if (!r->busy[s])
                continue;
            pend |= UINT64_C(1) << w;
            if (r->kind == HD_OP_COPY_CTL && r->fn & 8 && r->closed - r->since[s] > (r->fn & 7))
                waits |= UINT64_C(1) << w;
        }
    }
    assert_int_equal(hd_bits_get(d.is_o, 0, P_Warps), is);
    assert_int_equal(hd_bits_get(d.wait_o, 0, P_Warps), waits);
    assert_int_equal(hd_bits_get(d.pend_o, 0, P_Warps), pend);
}

static void offer(unsigned warp, unsigned kind, unsigned fn)
{
    *d.op_valid_i = 1;
    hd_bits_put(d.op_acc_i, HD_ACCESS_WARP_LSB, HD_WARP_W, warp);
    hd_bits_put(d.op_acc_i, HD_ACCESS_KIND_LSB, HD_OP_W, kind);
    hd_bits_put(d.op_acc_i, HD_ACCESS_FN_LSB, 4, fn);
}

static void edge(void)
{
    hd_eval(d.m);
    hd_edge(d.m);
    *d.op_valid_i = *d.taken_i = *d.done_i = 0;
    hd_eval(d.m);
}

/* Offers it, and has it issue into @slot. */
static void issue(unsigned warp, unsigned kind, unsigned fn, unsigned slot)
{
    offer(warp, kind, fn);
    edge();
    *d.taken_i = 1;
    *d.taken_warp_i = (uint8_t)warp;
    *d.taken_slot_i = (uint8_t)slot;
    edge();
}

static void finish(unsigned warp, unsigned slot)
{
    *d.done_i = 1;
    *d.done_warp_i = (uint8_t)warp;
    *d.done_slot_i = (uint8_t)slot;
    edge();
}

static bool waits(unsigned warp, unsigned open)
{
    offer(warp, HD_OP_COPY_CTL, 8 | open);
    edge();
    return hd_bits_get(d.wait_o, warp, 1);
}

static void a_wait_is_for_groups_older_than_the_youngest(void **state)
{
    (void)state;
    issue(1, HD_OP_COPY, 0, 0);
    assert_int_equal(hd_bits_get(d.pend_o, 0, P_Warps), 2);
    assert_false(waits(1, 0)); /* in no group yet */
    issue(1, HD_OP_COPY_CTL, 0, 0);
    assert_false(waits(1, 1));
    assert_true(waits(1, 0));
    for (unsigned i = 1; i < 40; i++) { /* empty groups count, also those that a number of four bits cannot */
        issue(1, HD_OP_COPY_CTL, 0, 0);
        for (unsigned n = 0; n < 8; n++)
            assert_int_equal(waits(1, n), n < i + 1);
    }
    assert_false(waits(2, 0)); /* the warp's own only */
    offer(1, HD_OP_COPY_CTL, 8);
    edge();
    finish(1, 0);
    assert_int_equal(hd_bits_get(d.wait_o, 0, P_Warps) | hd_bits_get(d.pend_o, 0, P_Warps), 0);
}

static void random_copies_and_waits(void **state)
{
    bool waiting[P_Warps] = {false}; /* for its turn to issue */
    unsigned copies = 0, closes = 0, held = 0;

    (void)state;
    for (unsigned t = 0; t < 30000; t++) {
        unsigned warp = (unsigned)hd_rand_below(P_Warps), other = (unsigned)hd_rand_below(P_Warps);
        struct warp *r = &ref[warp];
        struct warp new = *r;
        unsigned slot = (unsigned)hd_rand_below(P_Slots);
        bool offered = false;

        if (!waiting[warp]) {
            static const uint8_t kinds[] = {HD_OP_COPY, HD_OP_COPY, HD_OP_COPY_CTL, HD_OP_COPY_CTL, HD_OP_LOAD, HD_OP_NOP};
            new.kind = kinds[hd_rand_below(sizeof kinds)];
            new.fn = (unsigned)hd_rand_below(16);
            offer(warp, new.kind, new.fn);
            waiting[warp] = offered = true;
        } else if (hd_rand_below(2)) {
            bool wait = hd_bits_get(d.wait_o, warp, 1), memory = r->kind == HD_OP_COPY || r->kind == HD_OP_LOAD;
            held += wait;
            if (!wait && !(memory && r->busy[slot])) {
                *d.taken_i = 1;
                *d.taken_warp_i = (uint8_t)warp;
                *d.taken_slot_i = (uint8_t)slot;
                waiting[warp] = false;
                if (r->kind == HD_OP_COPY) {
                    new.busy[slot] = true;
                    new.since[slot] = r->closed;
                    copies++;
                }
                new.closed += r->kind == HD_OP_COPY_CTL && !(r->fn & 8);
                closes += r->kind == HD_OP_COPY_CTL && !(r->fn & 8);
            }
        }
        unsigned ended = (unsigned)hd_rand_below(P_Slots);
        bool done = hd_rand_below(6) == 0 && !(other == warp && (*d.taken_i || offered));
        if (done) {
            *d.done_i = 1;
            *d.done_warp_i = (uint8_t)other;
            *d.done_slot_i = (uint8_t)ended;
        }
        edge();
        *r = new;
        if (done)
            ref[other].busy[ended] = false;
        check_state();
    }
    assert_true(copies > 500 && closes > 500 && held > 20);
}

static void a_slot_in_use_trips_an_assertion(void **state)
{
    (void)state;
    if (!hd_has_asserts(d.m))
        return;
    issue(0, HD_OP_COPY, 0, 0);
    issue(0, HD_OP_COPY, 0, 0);
    assert_true(hd_assert_failures(d.m) > 0);
    hd_assert_clear(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(a_wait_is_for_groups_older_than_the_youngest, setup, teardown),
        cmocka_unit_test_setup_teardown(random_copies_and_waits, setup, teardown),
        cmocka_unit_test_setup_teardown(a_slot_in_use_trips_an_assertion, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
