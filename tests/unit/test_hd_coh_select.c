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
    static const uint8_t one_in[NONE] = {12, 12, 10, 8, 8, 8, 6, 3, 2, 2}; /* how often there is one */
    static const uint8_t requests[] = {HD_MSG_GETS, HD_MSG_WT, HD_MSG_ATOMIC};
    unsigned seen[WORKS] = {0}, passed = 0;

    (void)state;
    hd_coh_select_open(&d);
    for (unsigned t = 0; t < 40000; t++) {
        const bool out = !chance(4), all = !chance(4), nv = all || chance(2), at = chance(2), ready = !chance(4);
        const unsigned role = (unsigned)hd_rand_below(4);

        *d.can_i = (uint8_t)(out << HD_COH_CAN_OUT_FREE_LSB | all << HD_COH_CAN_MREQ_ALL_LSB | nv << HD_COH_CAN_MREQ_NV_LSB |
                             at << HD_COH_CAN_AT_FREE_LSB | ready << HD_COH_CAN_BODY_READY_LSB | chance(2) << HD_COH_CAN_WR_ROOM_LSB);
        bool is[WORKS] = {false};
        unsigned there = 0;

        for (unsigned work = 0; work < NONE; work++) {
            is[work] = chance(one_in[work]);
            there |= is[work] ? bit[work] : 0;
        }
        const unsigned mem = (unsigned)hd_rand_below(8), done = (unsigned)hd_rand_below(8), fill = (unsigned)hd_rand_below(8);
        const unsigned serve = (unsigned)hd_rand_below(8), fill_set = (unsigned)hd_rand_below(16), walk_set = (unsigned)hd_rand_below(16);
        const unsigned rq_num = (unsigned)hd_rand_below(512), m_num = (unsigned)hd_rand_below(512), kind = requests[hd_rand_below(3)];

        *d.there_i = (uint16_t)there, *d.req_ok_i = !chance(4);
        *d.idx_i = (uint16_t)(mem << 9 | done << 6 | fill << 3 | serve);
        *d.sets_i = (uint8_t)(fill_set << 4 | walk_set);
        *d.ack_num_i = (uint16_t)hd_rand_below(512), *d.pop_num_i = (uint16_t)hd_rand_below(512);
        *d.req_i = (uint16_t)(kind << 9 | rq_num);
        *d.entry_i = (uint16_t)(role << 9 | m_num);
        hd_eval(d.m);
        const bool calm = !is[DONE], blocked = role == HD_ROLE_RMW && !at;
        const unsigned work = is[ACK] && P_Inclusive                              ? ACK
                              : is[MEM]                                           ? MEM
                              : is[INV] && out                                    ? INV
                              : is[DONE] && out                                   ? DONE
                              : is[POP] && calm && out && nv                      ? POP
                              : is[PACK] && calm && out                           ? PACK
                              : is[FILL] && calm && out && all                    ? FILL
                              : is[SERVE] && calm && ready && out && !blocked     ? SERVE
                              : is[REQ]                                           ? (*d.req_ok_i ? REQ : NONE)
                              : is[WALK] && out && all                                  ? WALK
                                                                                         : NONE;
        const unsigned idx = work == MEM ? mem : is[DONE] ? done : work == FILL ? fill : serve;
        const unsigned num = work == ACK ? *d.ack_num_i : work == REQ ? rq_num : work == POP ? *d.pop_num_i : work == FILL ? fill_set :
                             work == WALK ? walk_set : m_num;
        const unsigned msg = work == REQ ? kind : work == FILL ? HD_MSG_GETS : role == HD_ROLE_RMW ? HD_MSG_ATOMIC :
                             role == HD_ROLE_READ ? HD_MSG_GETS : HD_MSG_WT;
        assert_int_equal(*d.work_o, bit[work]);
        assert_int_equal(*d.idx_o, idx);
        assert_int_equal(*d.num_o, num);
        if (work == REQ || work == FILL || work == SERVE)
            assert_int_equal(*d.msg_o, msg);
        if (work == POP || work == WALK)
            assert_int_equal(*d.msg_o, HD_MSG_NONE);
        seen[work]++;
        passed += work == REQ && is[SERVE] && ready && out && blocked;
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
