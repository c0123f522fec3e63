/* test_hd_l2_select.c - the first work of the list, its entry and its line. */
/* dut: hd_l2_select IdxW=3 NumW=9 SetW=4 */
#include "hd_unit.h"
#include "hd_l2_select_dut.h"
#include "l2_bits.h"

enum { RSP, MEM, DONE, POP, FILL, SERVE, REQ, WALK, NONE, WORKS };

static struct hd_l2_select d;

static void the_first_of_the_list_that_can_go_goes(void **state)
{
    static const unsigned bit[WORKS] = {1u << HD_L2_WORK_RSP_LSB,   1u << HD_L2_WORK_MEM_LSB, 1u << HD_L2_WORK_DONE_LSB,
                                        1u << HD_L2_WORK_POP_LSB,   1u << HD_L2_WORK_FILL_LSB, 1u << HD_L2_WORK_SERVE_LSB,
                                        1u << HD_L2_WORK_REQ_LSB,   1u << HD_L2_WORK_WALK_LSB,  0};
    unsigned seen[WORKS] = {0}, passed = 0;

    (void)state;
    hd_l2_select_open(&d);
    for (unsigned t = 0; t < 20000; t++) {
        const bool out_free = hd_rand_below(4) != 0, mreq_ok = hd_rand_below(4) != 0;
        const bool at_free = hd_rand_below(2) != 0, ready = hd_rand_below(4) != 0;
        const unsigned role = (unsigned)hd_rand_below(4);
        *d.out_free_i = out_free, *d.mreq_ok_i = mreq_ok, *d.at_free_i = at_free, *d.body_ready_i = ready;
        *d.role_i = (uint8_t)role;
        const bool blocked = role == HD_ROLE_RMW && !at_free;
        *d.rsp_valid_i = hd_rand_below(8) == 0;
        *d.mem_valid_i = hd_rand_below(8) == 0;
        *d.done_valid_i = hd_rand_below(6) == 0;
        *d.pop_valid_i = hd_rand_below(6) == 0;
        *d.fill_valid_i = hd_rand_below(4) == 0;
        *d.serve_valid_i = hd_rand_below(3) == 0;
        *d.req_valid_i = hd_rand_below(2) == 0;
        *d.walk_i = hd_rand_below(2) == 0;
        *d.rsp_idx_i = (uint8_t)hd_rand_below(8), *d.mem_idx_i = (uint8_t)hd_rand_below(8);
        *d.done_idx_i = (uint8_t)hd_rand_below(8), *d.fill_idx_i = (uint8_t)hd_rand_below(8);
        *d.serve_idx_i = (uint8_t)hd_rand_below(8);
        *d.rsp_num_i = (uint16_t)hd_rand_below(512), *d.req_num_i = (uint16_t)hd_rand_below(512);
        *d.pop_num_i = (uint16_t)hd_rand_below(512);
        *d.m_num_i = (uint16_t)hd_rand_below(512), *d.walk_set_i = (uint8_t)hd_rand_below(16);
        hd_eval(d.m);
        const unsigned work = *d.rsp_valid_i                                        ? RSP
                              : *d.mem_valid_i                                      ? MEM
                              : *d.done_valid_i && out_free                         ? DONE
                              : *d.pop_valid_i && out_free && mreq_ok               ? POP
                              : *d.fill_valid_i && out_free && mreq_ok              ? FILL
                              : *d.serve_valid_i && ready && out_free && !blocked   ? SERVE
                              : *d.req_valid_i                                      ? REQ
                              : *d.walk_i                                           ? WALK
                                                                                    : NONE;
        const unsigned idx[WORKS] = {*d.rsp_idx_i,   *d.mem_idx_i,   *d.done_idx_i,  *d.serve_idx_i, *d.fill_idx_i,
                                     *d.serve_idx_i, *d.serve_idx_i, *d.serve_idx_i, *d.serve_idx_i};
        const unsigned num = work == RSP ? *d.rsp_num_i : work == POP ? *d.pop_num_i : work == REQ ? *d.req_num_i : work == WALK ? *d.walk_set_i : *d.m_num_i;
        assert_int_equal(*d.work_o, bit[work]);
        assert_int_equal(*d.idx_o, idx[work]);
        assert_int_equal(*d.num_o, num);
        seen[work]++;
        passed += work == REQ && *d.serve_valid_i && ready && out_free && blocked;
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
