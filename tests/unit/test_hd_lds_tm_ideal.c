/* test_hd_lds_tm_ideal.c - transactions without cost: words, masks and modes are those of the operational model, as of
 * hd_lds_tm; an operation takes the cycles of its passes. */
/* mutants: Lanes=3 Words=12 Banks=2 WordW=32 Warps=3 TmWarps=2 TmRows=6 Hash=2 Detect=0 */
/* dut-rtl: hd_lds_tm_ideal Lanes=4 Words=32 Banks=4 WordW=32 Warps=3 TmWarps=3 TmRows=8 Hash=4 Detect=0 */
/* dut-rtl: hd_lds_tm_ideal Lanes=3 Words=24 Banks=2 WordW=64 Warps=5 TmWarps=2 TmRows=12 Hash=2 Detect=0 */
/* dut-rtl: hd_lds_tm_ideal Lanes=8 Words=20 Banks=2 WordW=32 Warps=2 TmWarps=2 TmRows=7 Hash=32 Detect=1 */
/* dut-rtl: hd_lds_tm_ideal Lanes=64 Words=512 Banks=32 WordW=32 Warps=4 TmWarps=4 TmRows=15 Hash=8 Detect=0 */
#include "hd_access.h"
#include "hd_lds_tm_ideal_dut.h"
#define DUT(x) hd_lds_tm_ideal##x
#define WIDTH_BODY HD_LDS_TM_IDEAL_W_in_body_i
#define IDEAL 1
#include "lds_tm_cases.h"
