/* test_hd_mshr_table.c - pending lines and their waiting accesses: the tests are in mshr_table_cases.h. */
/* dut: hd_mshr_table Entries=4 Targets=6 StoreData=3 CasData=2 MergeLanes=8 Lanes=4 LineWords=8 WordW=32 LineW=5 */
/* dut: hd_mshr_table Entries=5 Targets=7 StoreData=4 CasData=3 MergeLanes=2 Lanes=8 LineWords=4 WordW=64 SlotW=7 LineW=4 */
/* dut: hd_mshr_table Entries=1 Targets=1 StoreData=1 CasData=1 MergeLanes=4 Lanes=4 LineWords=8 WordW=32 LineW=3 */
/* dut: hd_mshr_table Entries=3 Targets=9 StoreData=2 CasData=1 MergeLanes=4 Lanes=1 LineWords=8 WordW=32 LineW=3 */
/* dut-rtl: hd_mshr_table Entries=128 Targets=512 StoreData=128 CasData=16 MergeLanes=32 Lanes=32 LineWords=32 WordW=32 LineW=25 */
/* dut-rtl: hd_mshr_table Entries=3 Targets=5 StoreData=2 CasData=2 MergeLanes=64 Lanes=64 LineWords=16 WordW=32 LineW=4 */
#include "hd_unit.h"
#include "hd_mshr_table_dut.h"

enum { OFFS_W = HD_MSHR_TABLE_W_push_place_i - P_Lanes - P_LineWords, DATA_W = HD_MSHR_TABLE_W_push_data_i };
static struct hd_mshr_table d;

static void open_table(void)
{
    hd_mshr_table_open(&d);
}

#include "mshr_table_cases.h"

int main(int argc, char **argv)
{
    return HD_UNIT_MAIN(argc, argv, table_cases);
}
