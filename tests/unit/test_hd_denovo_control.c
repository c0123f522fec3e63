/* test_hd_denovo_control.c - works and plans of misses, hits, writebacks, victims and walks, and who owns which word after
 * random registrations and writebacks; what a bank does beyond it: test_hd_denovo_bank. Every test runs in ROUNDS with other
 * addresses, nodes and bits of masks. */
/* dut: hd_denovo_control LineWords=8 Sets=2 Ways=2 MshrEntries=3 PartBits=6 */
/* dut-rtl: hd_denovo_control LineWords=16 Sets=2 Ways=2 MshrEntries=3 PartBits=1 */
#include "hd_unit.h"
#include "hd_denovo_control_dut.h"
#include "hd_bits.h"

enum {
    WORDS = P_LineWords, ALL = (1 << WORDS) - 1, ROUNDS = 20, WRITE = 1u << HD_DN_WORK_WRITE_LSB, MEM = 1u << HD_DN_WORK_MEM_LSB,
    RSP = 1u << HD_DN_WORK_RSP_LSB, SERVE = 1u << HD_DN_WORK_SERVE_LSB, REQ = 1u << HD_DN_WORK_REQ_LSB, WALK = 1u << HD_DN_WORK_WALK_LSB,
    CAN_MREQ = 1u << HD_DN_IN_MREQ_OK_LSB, CAN_EMIT = 1u << HD_DN_IN_FREE_LSB
};
#define PLAN(x) (1u << HD_DN_PLAN_##x##_LSB)
#define EV(x) (1u << HD_EV_L2_##x)

static struct hd_denovo_control d;
static unsigned part, set;
static uint32_t base, salt;

/* What is possible of the rest: CAN_*. */
static void can(unsigned what)
{
    *d.in_i = (uint16_t)((*d.in_i & ~(unsigned)(CAN_MREQ | CAN_EMIT)) | what);
}

static uint32_t addr_of(unsigned tag)
{
    return ((base ^ tag) << 1 | set) << P_PartBits << (WORDS == 8 ? 5 : 6) | part * WORDS * 4;
}

/* What a request of @sm for line @tag says: bits 0 to 6 node, 8 to 15 tid, 16 to 31 operation; differs from those of others. */
static uint32_t who(unsigned sm, unsigned tag)
{
    const uint32_t x = (salt ^ (sm << 4 | tag)) * UINT32_C(2654435761);

    return (x & ~UINT32_C(0x7f)) | ((salt >> 8 & 0x7f) ^ sm);
}

/* Bits of its mask above the words. */
static uint32_t beside(unsigned sm, unsigned tag)
{
    return who(sm, tag) * UINT32_C(2246822519) & ~(uint32_t)ALL;
}

static int setup(void **state)
{
    (void)state;
    hd_denovo_control_open(&d);
    return 0;
}

static void rounds(void (*once)(void))
{
    for (unsigned n = 0; n < ROUNDS; n++) {
        hd_reset(d.m);
        *d.in_i = (uint16_t)hd_rand();
        *d.rst_i = 1; /* whatever there is beside it */
        hd_edge(d.m);
        *d.in_i = 0, *d.rst_i = 0;
        hd_eval(d.m);
        assert_true(*d.idle_o && hd_bits_get(d.ev_o, 0, HD_EV_L2_NUM) == 0);
        part = (unsigned)hd_rand_below(1u << P_PartBits);
        set = (unsigned)hd_rand_below(2);
        base = (uint32_t)hd_rand();
        salt = (uint32_t)hd_rand();
        *d.part_id_i = (uint8_t)part;
        can(CAN_MREQ | CAN_EMIT);
        once();
    }
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static void head(void *port, unsigned kind, unsigned tag, unsigned sm, uint32_t mask)
{
    const uint32_t w = who(sm, tag);

    hd_bits_put(port, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
    hd_bits_put(port, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, w);
    hd_bits_put(port, HD_HEAD_TID_LSB, HD_HEAD_TID_W, w >> 8);
    hd_bits_put(port, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, w >> 16);
    hd_bits_put(port, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, addr_of(tag));
    hd_bits_put(port, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W, mask | beside(sm, tag));
}

static void request(unsigned kind, unsigned tag, unsigned sm, uint32_t mask)
{
    head(d.req_head_i, kind, tag, sm, mask);
    HD_PUT(d.in_i, DN_IN_REQ, 1);
}

/* The plan, but for the entry. */
static unsigned plan(void)
{
    return *d.plan_o & ((PLAN(TAKE) << 1) - 1);
}

/* The coming cycle does @work with the plan @want. */
static void cycle(unsigned work, unsigned want)
{
    hd_eval(d.m);
    assert_int_equal(*d.work_o, work);
    if (plan() != want)
        fail_msg("work 0x%x: plan 0x%x, not 0x%x", work, plan(), want);
    hd_edge(d.m);
    HD_PUT(d.in_i, DN_IN_REQ, 0);
    HD_PUT(d.in_i, DN_IN_MEM, 0);
    if (hd_bits_get(d.ev_o, 0, HD_EV_L2_NUM) != 0)
        assert_true(!*d.idle_o);
}

static void sends(unsigned kind, unsigned tag, unsigned sm, uint32_t mask, uint32_t owned)
{
    hd_eval(d.m);
    assert_int_equal(HD_GET(d.head_o, HEAD_KIND), kind);
    assert_int_equal(HD_GET(d.head_o, HEAD_ADDR), addr_of(tag));
    assert_int_equal(HD_GET(d.words_o, DN_WORDS_OWNED), owned);
    if (kind == HD_MSG_RECALL) {
        assert_int_equal(HD_GET(d.head_o, HEAD_WMASK), mask | (uint32_t)HD_COH_WRITE << HD_COH_CLS);
        return;
    }
    assert_int_equal(HD_GET(d.head_o, HEAD_WMASK), mask | beside(sm, tag));
    assert_int_equal(HD_GET(d.head_o, HEAD_SRC), who(sm, tag) & 0x7f);
    assert_int_equal(HD_GET(d.head_o, HEAD_TID), who(sm, tag) >> 8 & 0xff);
    assert_int_equal(HD_GET(d.head_o, HEAD_OPID), who(sm, tag) >> 16);
    assert_int_equal(HD_GET(d.words_o, DN_WORDS_WORDS), mask);
}

/* The entry of a line that is fetched for a request that is on the port. */
static unsigned fetch(void)
{
    hd_eval(d.m);
    const unsigned idx = (unsigned)HD_GET(d.plan_o, DN_PLAN_TID);
    cycle(REQ, PLAN(TAKE) | PLAN(FETCH));
    return idx;
}

static void comes(unsigned idx)
{
    HD_PUT(d.in_i, DN_IN_MEM, 1);
    HD_PUT(d.in_i, DN_IN_TID, idx);
    cycle(MEM, 0);
}

/* Line @tag comes for a request of @sm and is answered. */
static void bring(unsigned kind, unsigned tag, unsigned sm, uint32_t mask)
{
    request(kind, tag, sm, mask);
    const unsigned idx = fetch();
    cycle(0, 0);
    comes(idx);
    sends(kind, tag, sm, mask, 0);
    cycle(SERVE, PLAN(EMIT) | PLAN(READ) | (kind == HD_MSG_REG ? PLAN(OWN) : 0));
}

/* A packet at rsp: looked at, then written. @mine: whose words the places of the row name. */
static void response(unsigned kind, unsigned tag, uint32_t mask, uint32_t mine, uint32_t merged)
{
    head(d.rsp_head_i, kind, tag, 2, mask);
    HD_PUT(d.in_i, DN_IN_RSP, 1);
    can((hd_rand_below(2) ? CAN_MREQ : 0) | (hd_rand_below(2) ? CAN_EMIT : 0)); /* RSP waits for neither */
    cycle(RSP, PLAN(READ));
    memcpy(d.mine_i, &mine, sizeof *d.mine_i);
    hd_eval(d.m);
    assert_int_equal(HD_GET(d.words_o, DN_WORDS_WORDS), merged);
    assert_int_equal(HD_GET(d.head_o, HEAD_KIND), kind);
    assert_int_equal(HD_GET(d.head_o, HEAD_WMASK), mask | beside(2, tag));
    cycle(WRITE, (merged ? PLAN(MERGE) : 0) | (kind == HD_MSG_WB ? PLAN(ACK) : 0));
    HD_PUT(d.in_i, DN_IN_RSP, 0);
    can(CAN_MREQ | CAN_EMIT);
}

static void miss(void)
{
    request(HD_MSG_GETS, 5, 0, 0x7);
    const unsigned idx = fetch();
    assert_int_equal(hd_bits_get(d.ev_o, 0, HD_EV_L2_NUM), EV(GETS) | EV(MISS) | EV(MEM_READ));
    request(HD_MSG_REG, 5, 1, 0x3);
    cycle(REQ, PLAN(TAKE));
    assert_int_equal(hd_bits_get(d.ev_o, 0, HD_EV_L2_NUM), EV(REG) | EV(CHAINED));
    request(HD_MSG_GETS, 5, 2, 0x6);
    cycle(REQ, PLAN(TAKE));
    request(HD_MSG_GETS, 5, 3, 0x6); /* no entry is left */
    cycle(REQ, 0);
    assert_int_equal(hd_bits_get(d.ev_o, 0, HD_EV_L2_NUM), EV(STALL));
    comes(idx);
    can(CAN_MREQ);
    cycle(0, 0); /* nothing can be sent */
    can(CAN_MREQ | CAN_EMIT);
    sends(HD_MSG_GETS, 5, 0, 0x7, 0);
    cycle(SERVE, PLAN(EMIT) | PLAN(READ));
    sends(HD_MSG_REG, 5, 1, 0x3, 0);
    cycle(SERVE, PLAN(EMIT) | PLAN(READ) | PLAN(OWN));
    sends(HD_MSG_GETS, 5, 2, 0x6, 0x3);
    cycle(SERVE, PLAN(EMIT) | PLAN(READ));
    request(HD_MSG_REG, 5, 3, 0x81);
    sends(HD_MSG_REG, 5, 3, 0x81, 0x3);
    can(CAN_MREQ);
    cycle(REQ, 0);
    request(HD_MSG_REG, 5, 3, 0x81);
    can(CAN_EMIT); /* memory is not needed */
    cycle(REQ, PLAN(TAKE) | PLAN(EMIT) | PLAN(READ) | PLAN(OWN));
    assert_int_equal(hd_bits_get(d.ev_o, 0, HD_EV_L2_NUM), EV(REG) | EV(HIT));
    HD_PUT(d.in_i, DN_IN_RS, 1);
    cycle(0, 0);
    assert_int_equal(hd_bits_get(d.ev_o, 0, HD_EV_L2_NUM), EV(GRANT));
    HD_PUT(d.in_i, DN_IN_RS, 0);
    HD_PUT(d.in_i, DN_IN_FW, 1);
    cycle(0, 0);
    assert_int_equal(hd_bits_get(d.ev_o, 0, HD_EV_L2_NUM), EV(FWD));
    assert_true(!*d.idle_o);
    HD_PUT(d.in_i, DN_IN_FW, 0);
    cycle(0, 0);
    assert_true(*d.idle_o);
    request(HD_MSG_GETS, 6, 3, 0x6); /* but it is, for a miss */
    cycle(REQ, 0);
}

static void victims(void)
{
    const uint32_t written = (uint32_t)hd_bits_random_mask(WORDS), low = 1u << hd_rand_below(WORDS - 1);
    uint32_t owned = (uint32_t)hd_bits_random_mask(WORDS) | low | low << 1, left, some;

    bring(HD_MSG_REG, 4, 2, written);
    bring(HD_MSG_REG, 6, 1, owned);
    response(HD_MSG_WB, 4, ALL, ALL, written);
    assert_int_equal(hd_bits_get(d.ev_o, 0, HD_EV_L2_NUM), EV(WB));
    request(HD_MSG_GETS, 8, 0, 0x1); /* takes the way of 4 */
    hd_eval(d.m);
    assert_int_equal(HD_GET(d.head_o, HEAD_ADDR), addr_of(4));
    cycle(REQ, PLAN(BACK) | PLAN(READ));
    assert_int_equal(hd_bits_get(d.ev_o, 0, HD_EV_L2_NUM), EV(MEM_WRITE));
    bring(HD_MSG_GETS, 8, 0, 0x1);
    request(HD_MSG_REG, 10, 3, 0x2); /* takes that of 6 */
    sends(HD_MSG_RECALL, 6, 0, owned, owned);
    cycle(REQ, PLAN(RECALL) | PLAN(READ));
    assert_int_equal(hd_bits_get(d.ev_o, 0, HD_EV_L2_NUM), EV(RECALL));
    for (unsigned n = 0; n < 3; n++) {
        request(n == 0 ? HD_MSG_GETS : HD_MSG_REG, n == 0 ? 8 : 10, 3, 0x2); /* all wait */
        cycle(0, 0);
    }
    for (left = owned; left != 0; left &= ~some) { /* until the last owner has answered */
        do
            some = left & (left == owned ? low : (uint32_t)hd_bits_random_mask(WORDS));
        while (some == 0);
        if (hd_rand_below(2))
            response(HD_MSG_WB, hd_rand_below(2) ? 8 : 4, ALL, ALL, 0); /* of another line: ends no recall */
        request(HD_MSG_REG, 10, 3, 0x2);
        cycle(0, 0);
        response(HD_MSG_RECALL_DATA, 6, some, ALL, some);
    }
    request(HD_MSG_REG, 10, 3, 0x2);
    cycle(REQ, PLAN(BACK) | PLAN(READ));
    bring(HD_MSG_REG, 10, 3, 0x2);
    response(HD_MSG_WB, 6, owned, ALL, 0); /* of a line that has gone: only acknowledged */
}

static void walk(void)
{
    bring(HD_MSG_REG, 5, 2, 0x3);
    bring(HD_MSG_GETS, 6, 2, 0x3);
    response(HD_MSG_WB, 5, 0x3, 0x3, 0x3);
    for (unsigned round = 0; round < 2; round++) {
        unsigned backs = 0;
        HD_PUT(d.in_i, DN_IN_FLUSH, 1);
        cycle(0, 0);
        HD_PUT(d.in_i, DN_IN_FLUSH, 0);
        for (unsigned row = 0; row < 4; row++) {
            can(CAN_EMIT);
            cycle(0, 0);
            can(CAN_MREQ | CAN_EMIT);
            if (hd_rand_below(2))
                response(HD_MSG_WB, 9, ALL, ALL, 0); /* goes first; of a line that is not here */
            hd_eval(d.m);
            assert_int_equal(*d.row_o, row);
            assert_true(!*d.idle_o);
            backs += (plan() & PLAN(BACK)) != 0;
            const uint32_t only_set = ((row / 2) << P_PartBits | part) * WORDS * 4;
            assert_int_equal(HD_GET(d.head_o, HEAD_ADDR), plan() & PLAN(BACK) ? addr_of(5) : only_set);
            cycle(WALK, plan() & (PLAN(BACK) | PLAN(READ)));
        }
        assert_int_equal(backs, round == 0);
        cycle(0, 0);
        assert_true(*d.idle_o);
    }
}

/* A request of a kind that the family does not have. */
static void foreign(void)
{
    for (unsigned kind = 0; kind < 1u << HD_HEAD_KIND_W; kind++) {
        if (kind == HD_MSG_GETS || kind == HD_MSG_REG || kind == HD_MSG_NONE || kind == HD_MSG_WB || kind == HD_MSG_RECALL_DATA)
            continue;
        request(kind, (unsigned)hd_rand_below(16), 1, (uint32_t)hd_bits_random_mask(WORDS));
        cycle(REQ, 0);
        if (hd_has_asserts(d.m))
            assert_true(hd_assert_failures(d.m) > 0);
        hd_assert_clear(d.m);
    }
}

static void owners(void)
{
    uint32_t owned = 0;

    bring(HD_MSG_GETS, 9, 2, 0x3);
    for (unsigned n = 0; n < 2000 / ROUNDS; n++) {
        const uint32_t mask = (uint32_t)hd_bits_random_mask(WORDS), mine = (uint32_t)hd_rand() & ALL;
        const unsigned sm = (unsigned)hd_rand_below(4);
        switch (hd_rand_below(3)) {
        case 0:
            request(HD_MSG_REG, 9, sm, mask);
            sends(HD_MSG_REG, 9, sm, mask, owned);
            cycle(REQ, PLAN(TAKE) | PLAN(EMIT) | PLAN(READ) | PLAN(OWN));
            owned |= mask;
            break;
        case 1:
            request(HD_MSG_GETS, 9, sm, mask);
            sends(HD_MSG_GETS, 9, sm, mask, owned);
            cycle(REQ, PLAN(TAKE) | PLAN(EMIT) | PLAN(READ));
            break;
        default:
            response(HD_MSG_WB, 9, mask, mine, mask & mine & owned);
            owned &= ~(mask & mine);
        }
    }
}

static void a_miss_is_fetched_and_those_behind_it_are_served_in_order(void **state)
{
    (void)state;
    rounds(miss);
}

static void a_dirty_victim_is_written_and_an_owned_one_recalled(void **state)
{
    (void)state;
    rounds(victims);
}

static void the_walk_writes_dirty_lines_once(void **state)
{
    (void)state;
    rounds(walk);
}

static void a_foreign_message_is_reported_and_ignored(void **state)
{
    (void)state;
    rounds(foreign);
}

static void words_have_the_owner_of_the_last_registration(void **state)
{
    (void)state;
    rounds(owners);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test_setup_teardown(a_miss_is_fetched_and_those_behind_it_are_served_in_order, setup, teardown),
                                   cmocka_unit_test_setup_teardown(a_dirty_victim_is_written_and_an_owned_one_recalled, setup, teardown),
                                   cmocka_unit_test_setup_teardown(the_walk_writes_dirty_lines_once, setup, teardown),
                                   cmocka_unit_test_setup_teardown(a_foreign_message_is_reported_and_ignored, setup, teardown),
                                   cmocka_unit_test_setup_teardown(words_have_the_owner_of_the_last_registration, setup, teardown)};

    return HD_UNIT_MAIN(argc, argv, t);
}
