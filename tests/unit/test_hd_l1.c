/* test_hd_l1.c - each family does with one load and one store what its protocol says; all else is tested with
 * hd_l1_mesi and hd_l1_vi. */
/* dut: hd_l1 Family=0 Lanes=4 LineWords=8 WordW=32 Sets=2 Ways=2 WbEntries=2 PartBits=1 MshrEntries=2 MshrTargets=3 StoreData=2 CasData=1 MergeLanes=4 */
/* dut: hd_l1 Family=1 Lanes=12 LineWords=8 WordW=32 Sets=2 Ways=2 WbEntries=2 PartBits=1 MshrEntries=2 MshrTargets=3 StoreData=2 CasData=1 MergeLanes=24 */
#include "hd_unit.h"
#include "hd_l1_dut.h"
#include "hd_bits.h"

enum { VI = P_Family == HD_FAMILY_VI, WORDS = P_LineWords };

static struct hd_l1 d;
static unsigned tid; /* of the last request */

static unsigned request(void)
{
    for (unsigned n = 0; !*d.req_valid_o; n++) {
        assert_true(n < 8);
        hd_edge(d.m);
    }
    unsigned kind = (unsigned)hd_bits_get(d.req_head_o, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W);
    assert_int_equal(hd_bits_get(d.req_head_o, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W), 6 * WORDS * 4);
    tid = (unsigned)hd_bits_get(d.req_head_o, HD_HEAD_TID_LSB, HD_HEAD_TID_W);
    if (kind == HD_MSG_WT)
        assert_int_equal(hd_bits_get(d.req_body_o, 5 * 32, 32), 777);
    *d.req_ready_i = 1;
    hd_edge(d.m);
    *d.req_ready_i = 0;
    return kind;
}

static void answer(unsigned kind)
{
    hd_bits_put(d.dn_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
    hd_bits_put(d.dn_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, 6 * WORDS * 4);
    hd_bits_put(d.dn_head_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, tid);
    for (unsigned w = 0; w < WORDS; w++)
        hd_bits_put(d.dn_data_i, w * 32, 32, 100 + w);
    *d.dn_valid_i = 1;
    hd_eval(d.m);
    assert_int_equal(*d.dn_ready_o, 1);
    hd_edge(d.m);
    *d.dn_valid_i = 0;
}

static void access(unsigned kind)
{
    *d.la_kind_i = (uint8_t)kind;
    *d.la_line_i = 6;
    hd_bits_put(d.la_mask_i, 0, P_Lanes, 1);
    hd_bits_put(d.la_offs_i, 0, 3, 5);
    hd_bits_put(d.la_wmask_i, 0, WORDS, 1 << 5);
    hd_bits_put(d.la_data_i, 5 * 32, 32, 777);
    *d.la_valid_i = 1;
    hd_eval(d.m);
    assert_int_equal(*d.la_ready_o, 1);
    hd_edge(d.m);
    *d.la_valid_i = 0;
}

static uint32_t completion(void)
{
    *d.perf_last_i = 1;
    for (unsigned n = 0; !*d.cpl_valid_o; n++) {
        assert_true(n < 8);
        hd_edge(d.m);
    }
    return (uint32_t)hd_bits_get(d.cpl_data_o, 0, 32);
}

static void a_load_and_a_store_take_the_familys_way(void **state)
{
    (void)state;
    hd_l1_open(&d);
    hd_reset(d.m);
    access(HD_OP_LOAD);
    assert_int_equal(request(), HD_MSG_GETS);
    answer(HD_MSG_DATA_S);
    assert_int_equal(completion(), 105);
    hd_edge(d.m);
    access(HD_OP_STORE);
    assert_int_equal(request(), VI ? HD_MSG_WT : HD_MSG_UPG);
    answer(VI ? HD_MSG_WT_ACK : HD_MSG_ACK_M);
    completion();
    hd_edge(d.m);
    hd_edge(d.m);
    access(HD_OP_LOAD); /* of the copy */
    assert_int_equal(completion(), 777);
    for (unsigned n = 0; n < 8; n++)
        hd_edge(d.m);
    assert_int_equal(*d.idle_o, 1);
    answer(VI ? HD_MSG_INV : HD_MSG_FETCH_INV);
    for (unsigned n = 0; !*d.rsp_valid_o; n++) {
        assert_true(n < 8);
        hd_edge(d.m);
    }
    assert_int_equal(hd_bits_get(d.rsp_head_o, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W), VI ? HD_MSG_INV_ACK : HD_MSG_RSP_DATA);
    assert_int_equal(hd_bits_get(d.rsp_data_o, 5 * 32, 32), VI ? 0 : 777);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(a_load_and_a_store_take_the_familys_way)};

    return HD_UNIT_MAIN(argc, argv, t);
}
