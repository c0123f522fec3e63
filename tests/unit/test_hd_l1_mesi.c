/* test_hd_l1_mesi.c - the MESI L1: the tests are in l1_mesi_cases.h. */
/* dut: hd_l1_mesi Lanes=4 LineWords=8 WordW=32 Sets=2 Ways=2 WbEntries=2 PartBits=1 MshrEntries=4 MshrTargets=6 StoreData=4 CasData=2 MergeLanes=6 */
/* dut: hd_l1_mesi Lanes=8 LineWords=4 WordW=64 SlotW=11 Sets=2 Ways=4 WbEntries=4 PartBits=2 MshrEntries=5 MshrTargets=8 StoreData=6 CasData=2 MergeLanes=16 */
/* dut-rtl: hd_l1_mesi Lanes=4 LineWords=8 WordW=32 Sets=4 Ways=2 WbEntries=1 PartBits=0 MshrEntries=1 MshrTargets=1 StoreData=1 CasData=1 MergeLanes=4 */
/* dut: hd_l1_mesi Lanes=4 LineWords=8 WordW=32 Sets=2 Ways=2 WbEntries=2 PartBits=1 Pending=1 ReqCredits=3 ReqDepth=2 MshrEntries=4 MshrTargets=1 StoreData=2 CasData=1 MergeLanes=4 */
/* dut-rtl: hd_l1_mesi Lanes=64 LineWords=16 WordW=32 Sets=2 Ways=2 WbEntries=2 PartBits=1 MshrEntries=4 MshrTargets=6 StoreData=4 CasData=2 MergeLanes=64 */
/* dut-rtl: hd_l1_mesi Lanes=8 LineWords=4 WordW=64 Sets=2 Ways=4 WbEntries=4 PartBits=2 Pending=1 ReqCredits=0 ReqDepth=1 MshrEntries=3 MshrTargets=1 StoreData=3 CasData=1 MergeLanes=8 */
/* src: tests/unit/mesi_env.c */
#include "hd_unit.h"
#include "hd_l1_mesi_dut.h"

enum { LA_PLACE_W = HD_L1_MESI_W_la_place_i, LA_LINE_W = HD_L1_MESI_W_la_line_i, PERF_W = HD_L1_MESI_W_perf_o, FLUSH = 1 };
static struct hd_l1_mesi d;

static void open_l1(void)
{
    hd_l1_mesi_open(&d);
}

#include "l1_mesi_cases.h"

int main(int argc, char **argv)
{
    return HD_UNIT_MAIN(argc, argv, l1_cases);
}
