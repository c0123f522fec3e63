/* test_hd_lds.c - the local data share against an array in C: words, old words, order, and the cycles of every access. */
/* dut: hd_lds Lanes=4 Words=24 Banks=4 WordW=32 */
/* dut: hd_lds Lanes=8 Words=44 Banks=4 WordW=64 */
/* dut: hd_lds Lanes=4 Words=5 Banks=8 WordW=32 */
/* dut-rtl: hd_lds Lanes=32 Words=256 Banks=2 WordW=64 */
/* dut-rtl: hd_lds Lanes=64 Words=160 Banks=16 WordW=32 */
/* dut-rtl: hd_lds */
#include "hd_access.h"
#include "hd_lds_dut.h"

#ifndef P_Lanes
#define P_Lanes 32
#define P_Words 12288
#define P_Banks 32
#define P_WordW 32
#endif

#define DUT(x) hd_lds##x
#define WIDTH_BODY HD_LDS_W_in_body_i
#include "lds_cases.h"

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {LDS_CASES};

    return HD_UNIT_MAIN(argc, argv, tests);
}
