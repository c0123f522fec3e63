/* test_hd_l2_updates.c - what each work does to tables and queues, every input drawn, against the table in C. */
/* dut: hd_l2_updates Through=0 */
/* dut: hd_l2_updates Through=1 */
#include "hd_unit.h"
#include "hd_l2_updates_dut.h"
#include "l2_bits.h"

enum { THROUGH = P_Through };
enum { RSP, MEM, DONE, FILL, SERVE, REQ, WALK, POP, NONE, WORKS };

static struct hd_l2_updates d;

#define LINE(member) L2_GET(LINE, member, line)
#define DIR(member) L2_GET(DIR, member, dir)
#define CAN(member) L2_GET(CAN, member, can)
#define DO(member) (plan |= L2_BIT(PLAN, member))
#define IF(condition, member) (plan |= L2_PUT(PLAN, member, condition))

static uint64_t rsp(unsigned line, unsigned dir, unsigned can, bool put)
{
    const bool wakes = LINE(HIT) && put && LINE(LOCK) && CAN(TXN_WAIT);
    uint64_t plan = 0;

    IF(LINE(HIT) && !DIR(BAD), DIR_WE);
    IF(LINE(HIT) && DIR(MERGE), DATA_WE);
    IF(wakes, TXN_CLR);
    IF(DIR(DONE) && CAN(M_RECALL), FILL_PUSH);
    IF(wakes || (DIR(DONE) && !CAN(M_RECALL)), SERVE_PUSH);
    return plan;
}

static uint64_t fill(unsigned line, unsigned dir, bool last)
{
    uint64_t plan = 0;

    if (DIR(INV) || DIR(FETCH)) {
        DO(ASK);
        IF(last, FILL_POP);
    }
    if (DIR(EVICT) && LINE(DIRTY))
        DO(WRITE_BACK), DO(DIR_WE);
    if (plan == 0)
        DO(MEM_READ), DO(FILL_POP), DO(RECALL_CLR), DO(TAG_WE);
    return plan;
}

static uint64_t serve(unsigned dir, unsigned can, bool last, unsigned role, bool done)
{
    const bool rmw = role == HD_ROLE_RMW, ask = DIR(INV) || DIR(FETCH), grant = DIR(GRANT) && (done || !rmw);
    const bool start = !done && DIR(GRANT) && rmw && CAN(AT_FREE);
    uint64_t plan = 0;

    IF(ask, ASK);
    IF(DIR(WAIT_PUT), WAIT_SET);
    IF(start, AT_START);
    if (grant) {
        DO(GRANT), DO(FREE), DO(DIR_WE), DO(TOUCH);
        IF(THROUGH && role != HD_ROLE_READ, DATA_WE);
        if (CAN(M_NEXT_OK))
            DO(SERVE_PUSH), DO(TXN_WE);
        else
            DO(TAG_WE);
    }
    IF(!done && (ask ? last : !DIR(GRANT) || grant || start), SERVE_POP);
    return plan;
}

static uint64_t req(unsigned line, unsigned dir, unsigned can, unsigned role)
{
    uint64_t plan = 0;

    if (LINE(HIT) && !LINE(LOCK) && DIR(GRANT) && role != HD_ROLE_RMW) {
        if (CAN(OUT_FREE)) {
            DO(GRANT), DO(REQ_READY), DO(DIR_WE), DO(TOUCH);
            IF(THROUGH && role == HD_ROLE_WRITE, DATA_WE);
        }
    } else if (!CAN(NEW_OK) || (LINE(HIT) && LINE(RECALL)) || (!LINE(OK) && !CAN(CAM_HIT))
               || (THROUGH && role != HD_ROLE_READ && !CAN(WR_ROOM))) {
        DO(STALL);
    } else {
        DO(REQ_READY), DO(ALLOC);
        if ((LINE(HIT) && LINE(LOCK)) || CAN(CAM_HIT))
            DO(ALLOC_CHAIN);
        else
            DO(TXN_WE), DO(TAG_WE), DO(TOUCH);
        if (!LINE(HIT) && !CAN(CAM_HIT))
            DO(ALLOC_RECALL), DO(FILL_PUSH), DO(WRECALL);
        IF(LINE(HIT) && !LINE(LOCK), SERVE_PUSH);
    }
    return plan;
}

static uint64_t walk(unsigned line, unsigned can)
{
    uint64_t plan = 0;

    if (!(LINE(VALID) && LINE(DIRTY)))
        DO(WALK_NEXT);
    else if (CAN(OUT_FREE) && CAN(MREQ_OK))
        DO(WALK_NEXT), DO(WRITE_BACK), DO(DIR_WE);
    return plan;
}

static uint64_t pop(unsigned line)
{
    return LINE(HIT) && !LINE(LOCK) && LINE(DIRTY) ? L2_BIT(PLAN, WRITE_BACK) | L2_BIT(PLAN, DIR_WE) : 0;
}

static void every_work_does_what_the_table_says(void **state)
{
    static const unsigned works[WORKS] = {1u << HD_L2_WORK_RSP_LSB,  1u << HD_L2_WORK_MEM_LSB,
                                          1u << HD_L2_WORK_DONE_LSB, 1u << HD_L2_WORK_FILL_LSB,
                                          1u << HD_L2_WORK_SERVE_LSB, 1u << HD_L2_WORK_REQ_LSB,
                                          1u << HD_L2_WORK_WALK_LSB, 1u << HD_L2_WORK_POP_LSB, 0};
    const uint64_t tag = L2_BIT(PLAN, WVALID) | L2_BIT(PLAN, WLOCK) | L2_BIT(PLAN, WRECALL);
    uint64_t done = 0;

    (void)state;
    hd_l2_updates_open(&d);
    for (unsigned t = 0; t < 100000; t++) {
        const unsigned work = (unsigned)hd_rand_below(WORKS), line = (unsigned)hd_rand_below(1u << 7);
        const unsigned dir = (unsigned)(hd_rand_below(2) ? hd_rand() & hd_rand() : hd_rand()) & 1023;
        const unsigned can = (unsigned)hd_rand_below(512), m_role = (unsigned)hd_rand_below(4);
        const unsigned req_role = (unsigned)hd_rand_below(4);
        const bool last = hd_rand_below(2), put = hd_rand_below(2);
        uint64_t plan = 0;

        *d.work_i = (uint8_t)works[work], *d.line_i = (uint8_t)line, *d.dir_i = (uint16_t)dir, *d.can_i = (uint16_t)can;
        *d.last_i = last, *d.put_i = put, *d.m_role_i = (uint8_t)m_role, *d.req_role_i = (uint8_t)req_role;
        hd_eval(d.m);
        switch (work) {
        case RSP: plan = rsp(line, dir, can, put); break;
        case MEM: plan = L2_BIT(PLAN, DATA_WE) | L2_BIT(PLAN, DIR_WE) | L2_BIT(PLAN, SERVE_PUSH); break;
        case FILL: plan = fill(line, dir, last); break;
        case SERVE: plan = serve(dir, can, last, m_role, false); break;
        case DONE: plan = serve(dir, can, last, m_role, true); break;
        case REQ: plan = req(line, dir, can, req_role); break;
        case WALK: plan = walk(line, can); break;
        case POP: plan = pop(line); break;
        }
        if ((*d.plan_o & ~tag) != (plan & ~tag))
            fail_msg("work %u line %x dir %x can %x roles %u %u: plan %x, want %x", work, line, dir, can, m_role, req_role,
                     (unsigned)*d.plan_o, (unsigned)plan);
        if (L2_GET(PLAN, TAG_WE, plan)) { /* a grant unlocks the line, all else locks it; a miss takes the way as it is */
            assert_int_equal(L2_GET(PLAN, WLOCK, *d.plan_o), work != SERVE && work != DONE);
            assert_int_equal(L2_GET(PLAN, WVALID, *d.plan_o), work != REQ || LINE(VALID));
            assert_int_equal(L2_GET(PLAN, WRECALL, *d.plan_o), L2_GET(PLAN, WRECALL, plan));
        }
        done |= plan;
    }
    assert_true((done | tag) == (UINT64_C(1) << 27) - 1);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(every_work_does_what_the_table_says)};

    return HD_UNIT_MAIN(argc, argv, t);
}
