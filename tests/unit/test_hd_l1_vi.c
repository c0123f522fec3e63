/* test_hd_l1_vi.c - the write-through L1: the tests are in l1_vi_cases.h. */
/* dut: hd_l1_vi Lanes=4 LineWords=8 WordW=32 Sets=2 Ways=2 WbEntries=2 PartBits=1 ReqDepth=3 MshrEntries=3 MshrTargets=6 StoreData=4 MergeLanes=8 Persist=1 */
/* dut: hd_l1_vi Lanes=12 LineWords=8 WordW=64 SlotW=5 Sets=4 Ways=2 WbEntries=1 PartBits=0 ReqDepth=2 MshrEntries=2 MshrTargets=3 StoreData=3 MergeLanes=24 */
/* dut-rtl: hd_l1_vi Lanes=64 LineWords=16 WordW=32 Sets=2 Ways=2 WbEntries=2 PartBits=1 ReqDepth=3 MshrEntries=3 MshrTargets=6 StoreData=4 MergeLanes=64 */
/* dut-rtl: hd_l1_vi Lanes=4 LineWords=8 WordW=32 Sets=2 Ways=2 WbEntries=1 PartBits=1 ReqDepth=1 MshrEntries=1 MshrTargets=1 StoreData=1 MergeLanes=4 */
/* dut-rtl: hd_l1_vi Lanes=4 LineWords=8 WordW=32 Sets=2 Ways=2 WbEntries=2 PartBits=1 Pending=1 ReqCredits=3 ReqDepth=2 MshrEntries=3 MshrTargets=1 StoreData=4 MergeLanes=4 */
#include "hd_unit.h"
#include "hd_l1_vi_dut.h"

enum {
    LA_PLACE_W = HD_L1_VI_W_la_place_i,
    LA_LINE_W = HD_L1_VI_W_la_line_i,
    DN_DATA_W = HD_L1_VI_W_dn_data_i,
    REQ_BODY_W = HD_L1_VI_W_req_body_o,
    PERF_W = HD_L1_VI_W_perf_o,
    FLUSH = 1
};
static struct hd_l1_vi d;

static void open_l1(void)
{
    hd_l1_vi_open(&d);
}

#include "l1_vi_cases.h"

int main(int argc, char **argv)
{
    return HD_UNIT_MAIN(argc, argv, l1_cases);
}
