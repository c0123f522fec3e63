/* test_hd_pending_table.c - the two kinds of table behind one set of ports: each passes the tests of its own module. */
/* dut: hd_pending_table Pending=0 ReqCredits=1 Entries=4 Targets=6 StoreData=3 CasData=2 MergeLanes=8 Lanes=4 LineWords=8 WordW=32 LineW=5 */
/* dut: hd_pending_table Pending=1 ReqCredits=5 Entries=4 Targets=1 StoreData=4 CasData=1 MergeLanes=1 Lanes=8 LineWords=4 WordW=64 LineW=8 */
#include "hd_unit.h"
#include "hd_pending_table_dut.h"

enum { OFFS_W = HD_PENDING_TABLE_W_push_place_i - P_Lanes - P_LineWords, DATA_W = HD_PENDING_TABLE_W_push_data_i };
static struct hd_pending_table d;

static void open_table(void)
{
    hd_pending_table_open(&d);
}

#if P_Pending /* hd_pkg::PENDING_PRT */
#include "pending_request_table_cases.h"
#else
#include "mshr_table_cases.h"
#endif

int main(int argc, char **argv)
{
    return HD_UNIT_MAIN(argc, argv, table_cases);
}
