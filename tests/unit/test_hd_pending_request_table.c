/* test_hd_pending_request_table.c - pending requests by warp instruction: the tests are in
 * pending_request_table_cases.h. */
/* equiv: Entries=2 StoreData=2 CasData=1 LineFilter=64 Lanes=2 LineWords=2 WordW=4 LineW=3 */
/* dut: hd_pending_request_table Entries=3 ReqCredits=0 StoreData=3 CasData=2 LineFilter=64 Lanes=4 LineWords=8 WordW=32 LineW=7 */
/* dut: hd_pending_request_table Entries=4 ReqCredits=5 StoreData=4 CasData=1 LineFilter=128 Lanes=8 LineWords=4 WordW=64 SlotW=7 LineW=8 */
/* dut: hd_pending_request_table Entries=1 ReqCredits=1 StoreData=1 CasData=1 LineFilter=64 Lanes=2 LineWords=4 WordW=32 LineW=6 */
/* dut: hd_pending_request_table Entries=5 ReqCredits=0 StoreData=6 CasData=3 LineFilter=64 Lanes=1 LineWords=8 WordW=32 LineW=9 */
/* dut: hd_pending_request_table Entries=45 ReqCredits=1362 StoreData=128 CasData=16 LineFilter=2048 Lanes=32 LineWords=32 WordW=32 LineW=25 */
/* dut: hd_pending_request_table Entries=3 ReqCredits=5 StoreData=3 CasData=2 LineFilter=64 Lanes=64 LineWords=16 WordW=32 LineW=7 */
#include "hd_unit.h"
#include "hd_pending_request_table_dut.h"

enum { OFFS_W = HD_PENDING_REQUEST_TABLE_W_push_place_i - P_Lanes - P_LineWords, DATA_W = HD_PENDING_REQUEST_TABLE_W_push_data_i };
static struct hd_pending_request_table d;

static void open_table(void)
{
    hd_pending_request_table_open(&d);
}

#include "pending_request_table_cases.h"

int main(int argc, char **argv)
{
    return HD_UNIT_MAIN(argc, argv, table_cases);
}
