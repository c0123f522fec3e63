/* test_hd_coh_decide.c - every work in every state of its line against a model that says it in words. */
/* dut: hd_coh_decide Inclusive=1 */
/* dut-rtl: hd_coh_decide Inclusive=0 */
#include "hd_unit.h"
#include "hd_coh_decide_dut.h"
#include "hd_bits.h"

enum { ACK, MEM, INV, DONE, POP, PACK, FILL, SERVE, REQ, WALK, NONE, WORKS };

#define NOW(member, value) ((unsigned)(value) << HD_COH_NOW_##member##_LSB)

static struct hd_coh_decide d;

static bool chance(unsigned n)
{
    return hd_rand_below(n) == 0;
}

static void the_plan_is_what_the_table_says_and_resources_allow(void **state)
{
    static const unsigned bit[WORKS] = {1u << HD_COH_WORK_ACK_LSB,  1u << HD_COH_WORK_MEM_LSB,   1u << HD_COH_WORK_INV_LSB, 1u << HD_COH_WORK_DONE_LSB,
                                        1u << HD_COH_WORK_POP_LSB,  1u << HD_COH_WORK_PACK_LSB,  1u << HD_COH_WORK_FILL_LSB,
                                        1u << HD_COH_WORK_SERVE_LSB, 1u << HD_COH_WORK_REQ_LSB,  1u << HD_COH_WORK_WALK_LSB, 0};
    static const uint8_t role_msg[] = {HD_MSG_GETS, HD_MSG_WT, HD_MSG_NONE, HD_MSG_ATOMIC}, roles[] = {HD_ROLE_READ, HD_ROLE_WRITE, HD_ROLE_RMW};
    unsigned n_recall = 0, n_fetch = 0, n_back = 0, n_answer = 0, n_chain = 0, n_fill = 0;

    (void)state;
    hd_coh_decide_open(&d);
    for (unsigned t = 0; t < 60000; t++) {
        const unsigned work = (unsigned)hd_rand_below(WORKS), rq = roles[hd_rand_below(3)], m = roles[hd_rand_below(3)];
        const bool fills = work == FILL && P_Inclusive;
        const bool cam = P_Inclusive && (work == REQ || work == POP) && chance(6);
        bool hit = !fills && !cam && chance(2), valid = hit || fills || chance(2), dirty = valid && chance(2), next = chance(2);
        const bool served = work == SERVE || work == MEM || work == DONE;
        if (work == FILL && !P_Inclusive)
            continue;
        if (served)
            hit = valid = true;
        bool lock = served || fills || (hit && chance(3)), recalled = fills || (P_Inclusive && !served && hit && lock && chance(3));
        const bool shared = P_Inclusive && valid && !fills && chance(2), ok = hit || fills || !chance(5);
        const bool out = (work == SERVE || fills || work == POP || work == WALK || work == DONE) || !chance(4), room = !chance(4), entry = !chance(4);
        const bool hold = work == REQ && chance(8), leave = fills || !chance(8), back_ok = !chance(4), fetch_ok = !chance(4);
        const bool blocks = P_Inclusive && rq != HD_ROLE_READ && chance(2), frees = fills && chance(4);
        const bool free_recall = P_Inclusive && !chance(4), did = chance(2);

        *d.work_i = (uint16_t)bit[work];
        *d.msg_i = work == REQ ? role_msg[rq] : work == FILL ? HD_MSG_GETS : work == SERVE ? role_msg[m] : HD_MSG_NONE;
        *d.can_i = (uint8_t)(out << HD_COH_CAN_OUT_FREE_LSB | room << HD_COH_CAN_WR_ROOM_LSB);
        *d.line_i = (uint8_t)(hit << HD_L2_LINE_HIT_LSB | ok << HD_L2_LINE_OK_LSB | valid << HD_L2_LINE_VALID_LSB | lock << HD_L2_LINE_LOCK_LSB |
                              recalled << HD_L2_LINE_RECALL_LSB | dirty << HD_L2_LINE_DIRTY_LSB);
        *d.now_i = (uint16_t)(NOW(SHARED, shared) | NOW(CAM_HIT, cam) | NOW(NEW_OK, entry) | NOW(RECALL_FREE, free_recall) |
                              NOW(BLOCKS, blocks) | NOW(FREES, frees) | NOW(NEXT, next) | NOW(DID_WRITE, did) | NOW(HOLD, hold) |
                              NOW(LEAVE, leave) | NOW(BACK_OK, back_ok) | NOW(FETCH_OK, fetch_ok));
        *d.req_role_i = (uint8_t)rq, *d.m_role_i = (uint8_t)m;
        hd_eval(d.m);

        const bool places = entry && (room || rq == HD_ROLE_READ), here = hit || cam;
        const bool asks = work == REQ && !hold && !(hit && recalled) && !(cam && blocks);
        bool recall = false, fetch = false, back = false, alloc = false, chain = false, answer = false, perform = false, stored = false;
        if (asks && !here) {
            recall = shared && ok && free_recall && (blocks || places);
            back = !shared && dirty && ok && out && back_ok;
            fetch = !shared && !dirty && ok && out && fetch_ok && places;
            alloc = fetch || (recall && !blocks);
        } else if (asks && (lock || cam)) {
            alloc = chain = places;
        } else if (asks && rq == HD_ROLE_RMW) {
            alloc = places;
        } else if (asks) {
            answer = out, stored = answer && rq == HD_ROLE_WRITE;
        }
        if (fills) {
            back = dirty && back_ok && ok && out;
            fetch = !dirty && fetch_ok && ok && out && !frees;
        }
        if (work == SERVE && m == HD_ROLE_RMW)
            perform = true;
        else if (work == SERVE)
            answer = true, stored = m == HD_ROLE_WRITE;
        if (work == DONE)
            answer = true;
        if (work == POP)
            back = hit && !lock && leave && dirty && back_ok;
        if (work == WALK)
            back = leave && dirty && ok && back_ok;
        const bool filled = fills && (fetch || frees), ends = work == DONE || (work == SERVE && answer);
        const bool wrote = stored || (work == DONE && did), take = work == REQ && (alloc || answer);
        const unsigned plan = *d.plan_o;
        const struct { const char *name; unsigned lsb; bool want; } fields[] = {
            {"take", HD_COH_PLAN_TAKE_LSB, take}, {"alloc", HD_COH_PLAN_ALLOC_LSB, alloc}, {"chain", HD_COH_PLAN_CHAIN_LSB, chain},
            {"put", HD_COH_PLAN_PUT_LSB, alloc && rq != HD_ROLE_READ}, {"fetch", HD_COH_PLAN_FETCH_LSB, fetch}, {"back", HD_COH_PLAN_BACK_LSB, back},
            {"recall", HD_COH_PLAN_RECALL_LSB, recall}, {"filled", HD_COH_PLAN_FILLED_LSB, filled}, {"answer", HD_COH_PLAN_ANSWER_LSB, answer},
            {"ends", HD_COH_PLAN_ENDS_LSB, ends}, {"drop", HD_COH_PLAN_DROP_LSB, ends && m != HD_ROLE_READ}, {"stored", HD_COH_PLAN_STORED_LSB, stored},
            {"perform", HD_COH_PLAN_PERFORM_LSB, perform}, {"wrote", HD_COH_PLAN_WROTE_LSB, wrote},
            {"read", HD_COH_PLAN_READ_LSB, back || perform || (answer && work != DONE && !stored)},
            {"push", HD_COH_PLAN_PUSH_LSB, work == MEM || (ends && next) || (alloc && hit && !lock)},
            {"tag_we", HD_COH_PLAN_TAG_WE_LSB, fetch || (back && work == REQ) || (alloc && !chain) || (ends && !next) || recall || filled},
            {"dir_we", HD_COH_PLAN_DIR_WE_LSB, fetch || wrote || (back && work != REQ)}};
        for (unsigned f = 0; f < sizeof fields / sizeof *fields; f++)
            if ((plan >> fields[f].lsb & 1) != fields[f].want)
                fail_msg("try %u: work %u, %s is not %d", t, work, fields[f].name, fields[f].want);
        if (answer)
            assert_int_equal(*d.kind_o, work == DONE ? HD_MSG_AT_DATA : stored ? HD_MSG_WT_ACK : HD_MSG_DATA_S);
        const unsigned stall = work == REQ && !take && !back && !recall;
        const uint64_t ev = (uint64_t)(take && rq == HD_ROLE_READ) << HD_EV_L2_GETS | (uint64_t)(take && rq == HD_ROLE_WRITE) << HD_EV_L2_WT |
                            (uint64_t)(take && rq == HD_ROLE_RMW) << HD_EV_L2_ATOMIC | (uint64_t)(take && hit && !lock) << HD_EV_L2_HIT |
                            (uint64_t)fetch << HD_EV_L2_MISS | (uint64_t)chain << HD_EV_L2_CHAINED | (uint64_t)stall << HD_EV_L2_STALL |
                            (uint64_t)(work == INV) << HD_EV_L2_INV_SENT | (uint64_t)recall << HD_EV_L2_RECALL | (uint64_t)fetch << HD_EV_L2_MEM_READ |
                            (uint64_t)back << HD_EV_L2_MEM_WRITE | (uint64_t)answer << HD_EV_L2_GRANT;
        assert_true(hd_bits_get(d.ev_o, 0, HD_EV_L2_NUM) == ev);
        assert_int_equal(*d.bad_o, 0);
        n_recall += recall, n_fetch += fetch, n_back += back, n_answer += answer, n_chain += chain, n_fill += filled;
    }
    assert_true(n_fetch > 300 && n_back > 300 && n_answer > 1000 && n_chain > 300);
    assert_true((n_recall > 100 && n_fill > 100) == P_Inclusive);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(the_plan_is_what_the_table_says_and_resources_allow)};

    return HD_UNIT_MAIN(argc, argv, t);
}
