/* test_hd_lds_tm.c - transactions in the LDS against the operational model that was explored exhaustively
 * (tests/reference/local_tm/tm_hw.h): words, masks, modes and the cycles of every operation, for random programs of several
 * wavefronts with plain accesses between and beside transactions. Plain accesses alone are those of hd_lds, cycle by cycle. */
/* dut: hd_lds_tm Lanes=4 Words=32 Banks=4 WordW=32 Warps=3 TmWarps=3 TmRows=8 Hash=4 Detect=0 */
/* dut: hd_lds_tm Lanes=3 Words=24 Banks=2 WordW=64 Warps=5 TmWarps=2 TmRows=12 Hash=2 Detect=0 */
/* dut: hd_lds_tm Lanes=8 Words=20 Banks=2 WordW=32 Warps=2 TmWarps=2 TmRows=7 Hash=32 Detect=1 */
/* dut-rtl: hd_lds_tm Lanes=64 Words=512 Banks=32 WordW=32 Warps=4 TmWarps=4 TmRows=15 Hash=8 Detect=0 */
/* src: tests/unit/lds_plain.c */
#include "hd_access.h"
#include "hd_lds_tm_dut.h"
#define DUT(x) hd_lds_tm##x
#define WIDTH_BODY HD_LDS_TM_W_in_body_i

static struct hd_lds_tm d;
static unsigned made[2], told[2]; /* begins, commits: that were performed, that were events */

/* An edge. A module that is idle has told all of them. */
static void edge(struct hd_model *m)
{
    static const unsigned kinds[] = {HD_OP_TX_BEGIN, HD_OP_TX_COMMIT};

    for (unsigned k = 0; k < 2; k++) {
        assert_true(!*d.idle_o || told[k] == made[k]);
        made[k] += *d.perf_valid_o && HD_GET(d.perf_i, LDS_ANSWER_READY)
                   && hd_bits_get(d.in_acc_i, HD_ACCESS_KIND_LSB, HD_ACCESS_KIND_W) == kinds[k];
    }
    hd_edge(m);
    for (unsigned k = 0; k < 2; k++)
        told[k] += HD_GET(d.ev_o, LDS_EV_TM) >> (6 + k) & 1;
}
#define hd_edge edge
#define IDEAL 0
#include "lds_tm_cases.h"
