/* test_hd_l1.c - two of the families behind one set of ports: each passes the tests of its own module. */
/* dut: hd_l1 Family=0 Lanes=4 LineWords=8 WordW=32 Sets=2 Ways=2 WbEntries=2 PartBits=1 MshrEntries=4 MshrTargets=6 StoreData=4 CasData=2 MergeLanes=6 */
/* dut: hd_l1 Family=1 Lanes=4 LineWords=8 WordW=32 Sets=2 Ways=2 WbEntries=2 PartBits=1 MshrEntries=3 MshrTargets=6 StoreData=4 CasData=1 MergeLanes=8 */
/* dut-rtl: hd_l1 Family=1 Lanes=64 LineWords=16 WordW=32 Sets=2 Ways=2 WbEntries=2 PartBits=1 MshrEntries=3 MshrTargets=6 StoreData=4 CasData=1 MergeLanes=64 */
/* src: tests/unit/mesi_env.c */
#include "hd_unit.h"
#include "hd_l1_dut.h"

enum {
    LA_LINE_W = HD_L1_W_la_line_i,
    LA_PLACE_W = HD_L1_W_la_place_i,
    PERF_W = HD_L1_W_perf_o,
    DN_DATA_W = HD_L1_W_dn_data_i,
    REQ_BODY_W = HD_L1_W_req_body_o,
    FLUSH = 2 /* not: a kernel begins */
};
static struct hd_l1 d;

static void open_l1(void)
{
    hd_l1_open(&d);
}

#if P_Family /* hd_pkg::FAMILY_VI */
#include "l1_vi_cases.h"
#else
#include "l1_mesi_cases.h"
#endif

int main(int argc, char **argv)
{
    return HD_UNIT_MAIN(argc, argv, l1_cases);
}
