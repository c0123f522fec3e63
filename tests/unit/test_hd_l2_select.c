/* test_hd_l2_select.c - the first work of the list, its entry and its line. */
/* dut: hd_l2_select IdxW=3 NumW=9 SetW=4 */
#include "hd_unit.h"
#include "hd_l2_select_dut.h"
#include "hd_bits.h"
#include "l2_bits.h"

enum { RSP, MEM, DONE, POP, FILL, SERVE, REQ, WALK, NONE, WORKS };

static struct hd_l2_select d;

static void the_first_of_the_list_that_can_go_goes(void **state)
{
    static const unsigned bit[WORKS] = {1u << HD_L2_WORK_RSP_LSB,   1u << HD_L2_WORK_MEM_LSB, 1u << HD_L2_WORK_DONE_LSB,
                                        1u << HD_L2_WORK_POP_LSB,   1u << HD_L2_WORK_FILL_LSB, 1u << HD_L2_WORK_SERVE_LSB,
                                        1u << HD_L2_WORK_REQ_LSB,   1u << HD_L2_WORK_WALK_LSB,  0};
    static const unsigned chance[NONE] = {8, 8, 6, 6, 4, 3, 2, 2};
    unsigned seen[WORKS] = {0}, passed = 0, entry[5]; /* of rsp, mem, done, fill, serve */
    bool is[NONE];

    (void)state;
    hd_l2_select_open(&d);
    for (unsigned t = 0; t < 20000; t++) {
        const bool out_free = hd_rand_below(4) != 0, mreq_ok = hd_rand_below(4) != 0;
        const bool at_free = hd_rand_below(2) != 0, ready = hd_rand_below(4) != 0;
        const unsigned role = (unsigned)hd_rand_below(4);
        *d.ready_i = (uint8_t)(L2_PUT(READY, OUT_FREE, out_free) | L2_PUT(READY, MREQ_OK, mreq_ok) | L2_PUT(READY, AT_FREE, at_free)
                               | L2_PUT(READY, BODY, ready));
        *d.role_i = (uint8_t)role;
        const bool blocked = role == HD_ROLE_RMW && !at_free;
        for (unsigned work = 0; work < NONE; work++)
            is[work] = hd_rand_below(chance[work]) == 0;
        *d.is_i = 0;
        for (unsigned work = 0; work < NONE; work++)
            *d.is_i |= (uint8_t)(is[work] ? bit[work] : 0);
        for (unsigned of = 0; of < 5; of++) { /* serve in the low bits */
            entry[of] = (unsigned)hd_rand_below(8);
            hd_bits_put(d.idx_i, (4 - of) * P_IdxW, P_IdxW, entry[of]);
        }
        *d.rsp_num_i = (uint16_t)hd_rand_below(512), *d.req_num_i = (uint16_t)hd_rand_below(512);
        *d.pop_num_i = (uint16_t)hd_rand_below(512);
        *d.m_num_i = (uint16_t)hd_rand_below(512), *d.walk_set_i = (uint8_t)hd_rand_below(16);
        hd_eval(d.m);
        const unsigned work = is[RSP]                                       ? RSP
                              : is[MEM]                                     ? MEM
                              : is[DONE] && out_free                        ? DONE
                              : is[POP] && out_free && mreq_ok              ? POP
                              : is[FILL] && out_free && mreq_ok             ? FILL
                              : is[SERVE] && ready && out_free && !blocked  ? SERVE
                              : is[REQ]                                     ? REQ
                              : is[WALK]                                    ? WALK
                                                                            : NONE;
        const unsigned idx = entry[work == RSP ? 0 : work == MEM ? 1 : work == DONE ? 2 : work == FILL ? 3 : 4];
        const unsigned num = work == RSP ? *d.rsp_num_i : work == POP ? *d.pop_num_i : work == REQ ? *d.req_num_i : work == WALK ? *d.walk_set_i : *d.m_num_i;
        assert_int_equal(*d.work_o, bit[work]);
        assert_int_equal(*d.idx_o, idx);
        assert_int_equal(*d.num_o, num);
        seen[work]++;
        passed += work == REQ && is[SERVE] && ready && out_free && blocked;
    }
    for (unsigned work = 0; work < WORKS; work++)
        assert_true(seen[work] > 100);
    assert_true(passed > 100); /* requests pass an atomic that waits for the unit */
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(the_first_of_the_list_that_can_go_goes)};

    return HD_UNIT_MAIN(argc, argv, t);
}
