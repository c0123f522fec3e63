/* test_hd_l1.c - the two families behind one set of ports: each passes the tests of its own module. */
/* dut: hd_l1 Family=0 Lanes=4 LineWords=8 WordW=32 Sets=2 Ways=2 WbEntries=2 PartBits=1 MshrEntries=4 MshrTargets=6 StoreData=4 CasData=2 MergeLanes=6 */
/* dut: hd_l1 Family=1 Lanes=4 LineWords=8 WordW=32 Sets=2 Ways=2 WbEntries=2 PartBits=1 MshrEntries=3 MshrTargets=6 StoreData=4 CasData=1 MergeLanes=8 */
/* src: tests/unit/mesi_env.c */
#include "hd_unit.h"
#include "hd_l1_dut.h"

#include "hd_access.h"

#ifndef P_SlotW
#define P_SlotW 3
#endif
enum {
    LA_LINE_W = HD_L1_W_la_line_i,
    LA_OFFS_W = (HD_L1_W_la_place_i - P_Lanes - P_LineWords),
    LA_SLOT_W = P_SlotW,
    DN_DATA_W = HD_L1_W_dn_data_i,
    REQ_BODY_W = HD_L1_W_req_body_o
};
/* The cases drive the ports of hd_l1_mesi and hd_l1_vi: an access field by field. */
#define SAME_PORTS(X) \
    X(clk_i) X(rst_i) X(sm_id_i) X(la_valid_i) X(la_ready_o) X(la_line_i) X(la_data_i) X(la_cmp_i) X(dn_valid_i) \
    X(dn_ready_o) X(dn_head_i) X(dn_data_i) X(req_valid_o) X(req_ready_i) X(req_head_o) X(req_body_o) \
    X(rsp_valid_o) X(rsp_ready_i) X(rsp_head_o) X(rsp_data_o) X(perf_valid_o) X(perf_warp_o) X(perf_slot_o) \
    X(perf_lanes_o) X(perf_last_i) X(cpl_valid_o) X(cpl_mask_o) X(cpl_data_o) X(flush_i) X(flushing_o) \
    X(st_valid_o) X(st_line_o) X(st_state_o) X(ev_o) X(mshr_busy_o) X(idle_o)

static struct hd_l1 l1;
#define POINTER(port) __typeof__(l1.port) port;
static struct {
    struct hd_model *m;
    SAME_PORTS(POINTER)
    uint8_t *la_warp_i, *la_slot_i, *la_kind_i, *la_fn_i, *la_prefetch_i, *la_mask_i, *la_offs_i, *la_wmask_i;
    const uint8_t *cpl_warp_o, *cpl_slot_o, *cpl_last_o;
} d;
static struct {
    uint8_t warp, slot, kind, fn, prefetch, mask[8], offs[64], wmask[8], cpl_warp, cpl_slot, cpl_last;
} field;

static void open_l1(void)
{
    hd_l1_open(&l1);
    d.m = l1.m;
#define SET_POINTER(port) d.port = l1.port;
    SAME_PORTS(SET_POINTER)
    d.la_warp_i = &field.warp;
    d.la_slot_i = &field.slot;
    d.la_kind_i = &field.kind;
    d.la_fn_i = &field.fn;
    d.la_prefetch_i = &field.prefetch;
    d.la_mask_i = field.mask;
    d.la_offs_i = field.offs;
    d.la_wmask_i = field.wmask;
    d.cpl_warp_o = &field.cpl_warp;
    d.cpl_slot_o = &field.cpl_slot;
    d.cpl_last_o = &field.cpl_last;
}

static void show_completion(void)
{
    field.cpl_warp = (uint8_t)hd_bits_get(l1.cpl_o, HD_COMPLETION_WARP_LSB, HD_COMPLETION_WARP_W);
    field.cpl_slot = (uint8_t)hd_bits_get(l1.cpl_o, HD_COMPLETION_SLOT_LSB, HD_COMPLETION_SLOT_W);
    field.cpl_last = (uint8_t)hd_bits_get(l1.cpl_o, HD_COMPLETION_LAST_LSB, HD_COMPLETION_LAST_W);
}

static void eval(struct hd_model *m)
{
    const struct hd_access a = {.warp = field.warp, .slot = field.slot, .kind = field.kind, .fn = field.fn,
                                .prefetch = field.prefetch};

    hd_bits_put(l1.la_acc_i, 0, HD_ACCESS_W, hd_access_pack(a));
    for (unsigned l = 0; l < P_LineWords; l++)
        hd_bits_put(l1.la_place_i, l, 1, hd_bits_get(field.wmask, l, 1));
    for (unsigned i = 0; i < LA_OFFS_W; i++)
        hd_bits_put(l1.la_place_i, P_LineWords + i, 1, hd_bits_get(field.offs, i, 1));
    for (unsigned i = 0; i < P_Lanes; i++)
        hd_bits_put(l1.la_place_i, P_LineWords + LA_OFFS_W + i, 1, hd_bits_get(field.mask, i, 1));
    hd_eval(m);
    show_completion();
}

static void edge(struct hd_model *m)
{
    hd_edge(m);
    show_completion();
}
#define hd_eval eval
#define hd_edge edge

#if P_Family /* hd_pkg::FAMILY_VI */
#include "l1_vi_cases.h"
#else
#include "l1_mesi_cases.h"
#endif

int main(int argc, char **argv)
{
    return HD_UNIT_MAIN(argc, argv, l1_cases);
}
