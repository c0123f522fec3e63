/* test_hd_pbarrier.c - who waits for which marker: work-items and the kernel alone, work-groups gathered. */
/* dut: hd_pbarrier Warps=6 Blocks=2 */
/* dut: hd_pbarrier Warps=6 Blocks=2 Buffered=1 */
#include "hd_unit.h"
#include "hd_pbarrier_dut.h"

#ifndef P_Buffered
#define P_Buffered 0
#endif

enum { WI, WG, DEVICE, WARPS = 6 };

static struct hd_pbarrier d;

static void edge(void)
{
    hd_eval(d.m);
    hd_edge(d.m);
    *d.launch_i = *d.arrive_i = *d.exit_i = *d.mark_ready_i = *d.pack_valid_i = 0;
    hd_eval(d.m);
}

/* Warps 0..3 are block 0, 4 and 5 block 1. */
static int setup(void **state)
{
    (void)state;
    hd_pbarrier_open(&d);
    hd_reset(d.m);
    for (unsigned w = 0; w < WARPS; w++) {
        *d.launch_i = 1;
        *d.launch_warp_i = (uint8_t)w;
        *d.launch_block_i = w >= 4;
        edge();
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static void arrive(unsigned w, unsigned scope)
{
    *d.arrive_i = 1;
    *d.warp_i = (uint8_t)w;
    *d.arrive_scope_i = (uint8_t)scope;
    edge();
}

static void leave(unsigned w)
{
    *d.exit_i = 1;
    *d.warp_i = (uint8_t)w;
    edge();
}

static unsigned marker(void)
{
    for (unsigned i = 0; i < 4 && !*d.mark_valid_o; i++)
        edge();
    assert_true(*d.mark_valid_o);
    unsigned id = *d.mark_id_o;
    *d.mark_ready_i = 1;
    hd_eval(d.m);
    assert_int_equal(*d.done_o != 0, P_Buffered && id >> 6 != 2);
    edge();
    return id;
}

/* The answer to marker @id ends the barrier of @warps, in its cycle; buffered, the taking of the marker has, but of the kernel's. */
static void answer(unsigned id, unsigned warps)
{
    if (P_Buffered && id >> 6 != 2) {
        assert_int_equal(*d.wait_o & warps, 0);
        return;
    }
    assert_int_equal(*d.wait_o & warps, warps);
    *d.pack_valid_i = 1;
    *d.pack_id_i = (uint8_t)id;
    hd_eval(d.m);
    assert_int_equal(*d.done_o, warps);
    edge();
    assert_int_equal(*d.wait_o & warps, 0);
    assert_int_equal(*d.done_o, 0);
}

/* The kernel's answer and the taking of another marker in one cycle. */
static void taken_and_answered_at_once(void **state)
{
    (void)state;
    arrive(5, DEVICE);
    assert_int_equal(marker(), 2 << 6 | 5);
    arrive(2, WI);
    edge();
    assert_true(*d.mark_valid_o);
    *d.mark_ready_i = *d.pack_valid_i = 1;
    *d.pack_id_i = 2 << 6 | 5;
    hd_eval(d.m);
    assert_int_equal(*d.done_o, 1 << 5 | (P_Buffered ? 1 << 2 : 0));
    edge();
}

static void a_warp_alone(void **state)
{
    (void)state;
    arrive(2, WI);
    arrive(5, DEVICE);
    unsigned a = marker(), b = marker();
    assert_true((a == 2 && b == (2 << 6 | 5)) || (b == 2 && a == (2 << 6 | 5)));
    edge();
    assert_false(*d.mark_valid_o);
    answer(2 << 6 | 5, 1 << 5);
    answer(2, 1 << 2);
    assert_true(*d.idle_o);
}

static void a_group_sends_one_marker_when_all_are_there(void **state)
{
    (void)state;
    arrive(0, WG);
    arrive(4, WG);
    arrive(1, WG);
    arrive(3, WG);
    edge();
    assert_false(*d.mark_valid_o);
    arrive(2, WG);
    assert_int_equal(marker(), 1 << 6 | 0);
    edge();
    assert_false(*d.mark_valid_o);
    answer(1 << 6 | 0, 0xf);
    assert_int_equal(*d.wait_o, 1 << 4);
    arrive(5, WG);
    assert_int_equal(marker(), 1 << 6 | 1);
    answer(1 << 6 | 1, 0x30);
}

static void an_exit_completes_a_group(void **state)
{
    (void)state;
    arrive(4, WG);
    leave(5);
    assert_int_equal(marker(), 1 << 6 | 1);
    answer(1 << 6 | 1, 1 << 4);
}

static void scopes_of_a_block_are_apart(void **state)
{
    (void)state;
    arrive(0, WG);
    arrive(1, WI);
    assert_int_equal(marker(), 1);
    answer(1, 1 << 1);
    arrive(1, WG);
    arrive(2, WG);
    arrive(3, WG);
    assert_int_equal(marker(), 1 << 6 | 0);
    answer(1 << 6 | 0, 0xf);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(taken_and_answered_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(a_warp_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(a_group_sends_one_marker_when_all_are_there, setup, teardown),
        cmocka_unit_test_setup_teardown(an_exit_completes_a_group, setup, teardown),
        cmocka_unit_test_setup_teardown(scopes_of_a_block_are_apart, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
