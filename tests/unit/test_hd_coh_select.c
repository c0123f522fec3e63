/* test_hd_coh_select.c - the first work of the list, its entry, its line and what the table is asked. */
/* dut: hd_coh_select Inclusive=1 Sets=16 NumW=9 IdxW=3 */
/* dut: hd_coh_select Inclusive=0 Sets=16 NumW=9 IdxW=3 */
#include "hd_unit.h"
#include "hd_coh_select_dut.h"
#include "hd_bits.h"

enum { ACK, MEM, INV, DONE, POP, PACK, FILL, SERVE, REQ, WALK, NONE, WORKS };

static struct hd_coh_select d;

static bool chance(unsigned n)
{
    return hd_rand_below(n) == 0;
}

static void the_first_of_the_list_that_can_go_goes(void **state)
{
    static const unsigned bit[WORKS] = {1u << HD_COH_WORK_ACK_LSB,  1u << HD_COH_WORK_MEM_LSB,   1u << HD_COH_WORK_INV_LSB, 1u << HD_COH_WORK_DONE_LSB,
                                        1u << HD_COH_WORK_POP_LSB,  1u << HD_COH_WORK_PACK_LSB,  1u << HD_COH_WORK_FILL_LSB,
                                        1u << HD_COH_WORK_SERVE_LSB, 1u << HD_COH_WORK_REQ_LSB,  1u << HD_COH_WORK_WALK_LSB, 0};
    static const uint8_t requests[] = {HD_MSG_GETS, HD_MSG_WT, HD_MSG_ATOMIC};
    unsigned seen[WORKS] = {0}, passed = 0;

    (void)state;
    hd_coh_select_open(&d);
    for (unsigned t = 0; t < 40000; t++) {
        const bool out = !chance(4), all = !chance(4), nv = all || chance(2), at = chance(2), ready = !chance(4);
        const unsigned role = (unsigned)hd_rand_below(4);

        *d.can_i = (uint8_t)(out << HD_COH_CAN_OUT_FREE_LSB | all << HD_COH_CAN_MREQ_ALL_LSB | nv << HD_COH_CAN_MREQ_NV_LSB |
                             at << HD_COH_CAN_AT_FREE_LSB | ready << HD_COH_CAN_BODY_READY_LSB | chance(2) << HD_COH_CAN_WR_ROOM_LSB);
        *d.role_i = (uint8_t)role;
        *d.ack_valid_i = chance(12), *d.mem_valid_i = chance(12), *d.inv_valid_i = chance(10), *d.done_valid_i = chance(8);
        *d.pop_valid_i = chance(8), *d.pack_valid_i = chance(8), *d.fill_valid_i = chance(6), *d.serve_valid_i = chance(3);
        *d.req_valid_i = chance(2), *d.req_ok_i = !chance(4), *d.walk_i = chance(2);
        *d.mem_idx_i = (uint8_t)hd_rand_below(8), *d.done_idx_i = (uint8_t)hd_rand_below(8);
        *d.fill_idx_i = (uint8_t)hd_rand_below(8), *d.serve_idx_i = (uint8_t)hd_rand_below(8);
        *d.ack_num_i = (uint16_t)hd_rand_below(512), *d.pop_num_i = (uint16_t)hd_rand_below(512);
        *d.req_num_i = (uint16_t)hd_rand_below(512), *d.m_num_i = (uint16_t)hd_rand_below(512);
        *d.fill_set_i = (uint8_t)hd_rand_below(16), *d.walk_set_i = (uint8_t)hd_rand_below(16);
        *d.req_kind_i = requests[hd_rand_below(3)];
        hd_eval(d.m);
        const bool calm = !*d.done_valid_i, blocked = role == HD_ROLE_RMW && !at;
        const unsigned work = *d.ack_valid_i && P_Inclusive                              ? ACK
                              : *d.mem_valid_i                                           ? MEM
                              : *d.inv_valid_i && out                                    ? INV
                              : *d.done_valid_i && out                                   ? DONE
                              : *d.pop_valid_i && calm && out && nv                      ? POP
                              : *d.pack_valid_i && calm && out                           ? PACK
                              : *d.fill_valid_i && calm && out && all                    ? FILL
                              : *d.serve_valid_i && calm && ready && out && !blocked     ? SERVE
                              : *d.req_valid_i                                           ? (*d.req_ok_i ? REQ : NONE)
                              : *d.walk_i && out && all                                  ? WALK
                                                                                         : NONE;
        const unsigned idx = work == MEM ? *d.mem_idx_i : *d.done_valid_i ? *d.done_idx_i : work == FILL ? *d.fill_idx_i : *d.serve_idx_i;
        const unsigned num = work == ACK ? *d.ack_num_i : work == REQ ? *d.req_num_i : work == POP ? *d.pop_num_i : work == FILL ? *d.fill_set_i :
                             work == WALK ? *d.walk_set_i : *d.m_num_i;
        const unsigned msg = work == REQ ? *d.req_kind_i : work == FILL ? HD_MSG_GETS : role == HD_ROLE_RMW ? HD_MSG_ATOMIC :
                             role == HD_ROLE_READ ? HD_MSG_GETS : HD_MSG_WT;
        assert_int_equal(*d.work_o, bit[work]);
        assert_int_equal(*d.idx_o, idx);
        assert_int_equal(*d.num_o, num);
        if (work == REQ || work == FILL || work == SERVE)
            assert_int_equal(*d.msg_o, msg);
        if (work == POP || work == WALK)
            assert_int_equal(*d.msg_o, HD_MSG_NONE);
        seen[work]++;
        passed += work == REQ && *d.serve_valid_i && ready && out && blocked;
    }
    for (unsigned work = 0; work < WORKS; work++)
        assert_true(seen[work] > 100 || (work == ACK && !P_Inclusive));
    assert_true(passed > 100);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(the_first_of_the_list_that_can_go_goes)};

    return HD_UNIT_MAIN(argc, argv, t);
}
