/* test_hd_pending_table.c - the two kinds of table behind one set of ports: what tells them apart, and that each
 * gets its parameters. Their own tests are test_hd_mshr_table.c and test_hd_pending_request_table.c. */
/* dut: hd_pending_table Pending=0 ReqCredits=1 Entries=2 Targets=3 StoreData=1 CasData=1 MergeLanes=2 Lanes=2 LineWords=4 WordW=32 LineW=6 */
/* dut: hd_pending_table Pending=1 ReqCredits=3 Entries=2 Targets=1 StoreData=1 CasData=1 MergeLanes=1 Lanes=2 LineWords=4 WordW=32 LineW=6 */
#include "hd_unit.h"
#include "hd_pending_table_dut.h"
#include "hd_pkg.h"

enum { PRT = P_Pending == HD_PENDING_PRT };

static struct hd_pending_table d;

static int setup(void **state)
{
    (void)state;
    hd_pending_table_open(&d);
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

static void edge(void)
{
    hd_edge(d.m);
    *d.lk_valid_i = *d.push_i = *d.rp_start_i = *d.rp_pop_i = 0;
    hd_eval(d.m);
}

/* One lane of an instruction of @warp: @return why there is no room; pushed if there is. */
static unsigned ask(unsigned kind, unsigned warp, unsigned lane, unsigned line)
{
    unsigned why;

    *d.lk_valid_i = 1;
    *d.lk_line_i = (uint8_t)line;
    *d.lk_lanes_i = 1;
    *d.lk_store_i = kind != HD_OP_LOAD;
    *d.push_warp_i = (uint8_t)warp;
    *d.push_kind_i = (uint8_t)kind;
    *d.push_mask_i = (uint8_t)(1u << lane);
    *d.push_offs_i = (uint8_t)(3u << 2 * lane);
    hd_eval(d.m);
    why = *d.lk_why_o;
    assert_int_equal(*d.lk_room_o, why == HD_WHY_NONE);
    *d.push_i = why == HD_WHY_NONE;
    edge();
    return why;
}

/* The answer for @line to lane @lane, which entry @idx waits for. */
static void answer(unsigned idx, unsigned warp, unsigned lane, unsigned line)
{
    *d.rp_start_i = 1;
    *d.rp_idx_i = (uint8_t)idx;
    *d.rp_line_i = (uint8_t)line;
    *d.rp_mask_i = (uint8_t)(1u << lane);
    edge();
    while (*d.rp_wait_o)
        edge();
    assert_int_equal(*d.rp_valid_o, 1);
    assert_int_equal(*d.rp_line_o, line);
    assert_int_equal(*d.rp_warp_o, warp);
    assert_int_equal(*d.rp_mask_o, 1u << lane);
    assert_int_equal(*d.rp_offs_o >> 2 * lane & 3, 3);
    *d.rp_pop_i = 1;
    edge();
}

static void an_entry_is_a_line_or_an_instruction(void **state)
{
    (void)state;
    assert_int_equal(ask(HD_OP_LOAD, 1, 0, 10), HD_WHY_NONE);
    assert_int_equal(ask(HD_OP_LOAD, 1, 1, 11), HD_WHY_NONE); /* second line of the instruction */
    assert_int_equal(*d.busy_o, PRT ? 1 : 3);
    assert_int_equal(ask(HD_OP_LOAD, 2, 0, 12), PRT ? HD_WHY_NONE : HD_WHY_ENTRY);
    answer(0, 1, 0, 10);
    answer(PRT ? 0 : 1, 1, 1, 11);
    if (PRT)
        answer(1, 2, 0, 12);
    assert_int_equal(*d.empty_o, 1);
}

static void a_second_access_to_a_line_joins_or_waits(void **state)
{
    (void)state;
    assert_int_equal(ask(HD_OP_LOAD, 1, 0, 10), HD_WHY_NONE);
    assert_int_equal(ask(HD_OP_LOAD, 2, 1, 10), PRT ? HD_WHY_LINE : HD_WHY_NONE);
    assert_int_equal(ask(HD_OP_LOAD, 3, 1, 10), PRT ? HD_WHY_LINE : HD_WHY_MERGE); /* MergeLanes is 2 */
    answer(0, 1, 0, 10);
    if (!PRT) {
        assert_int_equal(*d.rp_warp_o, 2);
        *d.rp_pop_i = 1;
        edge();
    }
    assert_int_equal(*d.empty_o, 1);
}

static void the_pools_have_the_sizes_asked_for(void **state)
{
    (void)state;
    assert_int_equal(ask(HD_OP_STORE, 1, 0, 10), HD_WHY_NONE);
    assert_int_equal(ask(HD_OP_STORE, 1, 1, 11), HD_WHY_QUEUE); /* StoreData is 1 */
    assert_int_equal(ask(HD_OP_LOAD, 2, 0, 12), HD_WHY_NONE);
    if (PRT) {
        assert_int_equal(ask(HD_OP_LOAD, 2, 1, 13), HD_WHY_NONE);
        assert_int_equal(ask(HD_OP_LOAD, 2, 0, 14), HD_WHY_CREDIT); /* ReqCredits is 3 */
    } else {
        assert_int_equal(ask(HD_OP_LOAD, 3, 0, 12), HD_WHY_NONE);
        assert_int_equal(ask(HD_OP_LOAD, 4, 0, 10), HD_WHY_QUEUE); /* Targets is 3 */
    }
}

int main(int argc, char **argv)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest t[] = {
        CASE(an_entry_is_a_line_or_an_instruction),
        CASE(a_second_access_to_a_line_joins_or_waits),
        CASE(the_pools_have_the_sizes_asked_for),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
