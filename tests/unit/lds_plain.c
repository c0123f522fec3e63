/* lds_plain.c - the cases of hd_lds for hd_lds_tm, linked with its test. */
#include "hd_access.h"
#include "hd_lds_tm_dut.h"
#define DUT(x) hd_lds_tm##x
#define WIDTH_BODY HD_LDS_TM_W_in_body_i
#include "lds_cases.h"

/* @return the case, with a NULL name behind the last. */
struct CMUnitTest hd_lds_plain_case(unsigned i);
struct CMUnitTest hd_lds_plain_case(unsigned i)
{
    const struct CMUnitTest cases[] = {LDS_CASES};

    return i < sizeof cases / sizeof *cases ? cases[i] : (struct CMUnitTest){0};
}
