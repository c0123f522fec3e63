/* test_hd_l2_types.c - messages about types pass the bank by, and all others reach it: each request about a type is
 * answered once, as only the classifier behind it can, and a transition ends by the acknowledgements. */
/* dut: hd_l2_types Mac=1 Sms=3 Lanes=32 MacEntries=4 MacWays=2 MacBusy=2 TypeReqs=2 PartBits=6 SectorBytes=16384 */
/* dut: hd_l2_types Mac=1 Sms=4 Lanes=64 MacEntries=4 MacWays=4 MacBusy=2 TypeReqs=1 PartBits=0 SectorBytes=16777216 */
/* dut: hd_l2_types Mac=0 Sms=3 Lanes=32 MacEntries=4 MacWays=2 MacBusy=2 TypeReqs=2 PartBits=1 SectorBytes=16384 */
#include "hd_unit.h"
#include "hd_l2_types_dut.h"
#include "hd_bits.h"

enum { SMS = P_Sms, SECTORS = 6, HEAD_W = HD_L2_TYPES_W_dn_head_o, MOST = 64 };

struct ack {
    unsigned sm, tid;
    uint64_t addr;
};

static struct hd_l2_types d;
static unsigned part; /* whose tile it is */
static struct ack acks[MOST];
static unsigned num_acks;
static bool asked[SMS][SECTORS]; /* out: at most TypeReqs of an SM */

static uint64_t get(const void *head, unsigned lsb, unsigned width)
{
    return hd_bits_get(head, lsb, width);
}
#define OF(port, name) get(port, HD_HEAD_##name##_LSB, HD_HEAD_##name##_W)
#define SET(port, name, value) hd_bits_put(port, HD_HEAD_##name##_LSB, HD_HEAD_##name##_W, value)

static uint64_t address(unsigned sector)
{
    return ((uint64_t)sector << P_PartBits | part) * P_SectorBytes;
}

/* A request that may come now: about a type, or one of the bank's. */
static void offer(unsigned *sm, unsigned *sector)
{
    unsigned out = 0;

    *sm = (unsigned)hd_rand_below(SMS), *sector = (unsigned)hd_rand_below(SECTORS);
    for (unsigned s = 0; s < SECTORS; s++)
        out += asked[*sm][s];
    hd_bits_random(d.req_head_i, HEAD_W);
    *d.req_valid_i = hd_rand_below(4) != 0;
    if (P_Mac && hd_rand_below(2) && !asked[*sm][*sector] && out < P_TypeReqs) {
        SET(d.req_head_i, KIND, HD_MSG_TYPE_REQ);
        SET(d.req_head_i, SRC, *sm);
        SET(d.req_head_i, ADDR, address(*sector));
    } else {
        SET(d.req_head_i, KIND, hd_rand_below(2) ? HD_MSG_GETS : HD_MSG_GETM);
    }
}

/* What comes up as an answer: an acknowledgement that is due, or one of the bank's. */
static void answer(unsigned which)
{
    hd_bits_random(d.rsp_head_i, HEAD_W);
    *d.rsp_valid_i = hd_rand_below(4) != 0;
    if (num_acks > 0 && hd_rand_below(2)) {
        SET(d.rsp_head_i, KIND, HD_MSG_TYPE_ACK);
        SET(d.rsp_head_i, SRC, acks[which].sm);
        SET(d.rsp_head_i, TID, acks[which].tid);
        SET(d.rsp_head_i, ADDR, acks[which].addr);
    } else {
        SET(d.rsp_head_i, KIND, hd_rand_below(2) ? HD_MSG_PUTM : HD_MSG_INV_ACK);
    }
}

/* A packet that leaves: who is answered, or what is to be acknowledged. */
static bool left(unsigned kind)
{
    const unsigned sm = (unsigned)OF(d.dn_head_o, DST), sector = (unsigned)(OF(d.dn_head_o, ADDR) / P_SectorBytes >> P_PartBits);

    assert_int_equal(OF(d.dn_head_o, ADDR), address(sector));
    assert_int_equal(OF(d.dn_head_o, SRC), part);
    assert_int_equal(OF(d.dn_head_o, SRC_KIND), HD_END_L2);
    assert_int_equal(OF(d.dn_head_o, DST_KIND), HD_END_SM);
    assert_int_equal(OF(d.dn_head_o, WMASK) | OF(d.dn_head_o, OPID), 0);
    assert_true(OF(d.dn_head_o, TID) < (kind == HD_MSG_TYPE_REP ? 4 : P_MacBusy)); /* safe, may write; the transition */
    if (kind == HD_MSG_TYPE_REP) {
        assert_true(sm < SMS && sector < SECTORS && asked[sm][sector]);
        asked[sm][sector] = false;
    } else {
        assert_true(kind == HD_MSG_TYPE_INV || kind == HD_MSG_TYPE_RECALL);
        assert_true(num_acks < MOST);
        acks[num_acks++] = (struct ack){sm, (unsigned)OF(d.dn_head_o, TID), OF(d.dn_head_o, ADDR)};
    }
    return kind == HD_MSG_TYPE_REP;
}

static void run_tile(unsigned id)
{
    unsigned requests = 0, replies = 0, pulses[3] = {0}, asks[2] = {0}, overtakes = 0, passed = 0, refused = 0;
    bool rest = false;

    part = id & ((1 << P_PartBits) - 1);
    num_acks = 0;
    memset(asked, 0, sizeof asked);
    hd_l2_types_open(&d);
    hd_reset(d.m);
    *d.part_id_i = (uint8_t)part;
    *d.clear_i = 0;
    for (unsigned cycle = 0; cycle < 30000; cycle++) {
        const bool drain = cycle > 28000;
        const unsigned which = num_acks > 0 ? (unsigned)hd_rand_below(num_acks) : 0;
        unsigned sm, sector;

        offer(&sm, &sector);
        answer(which);
        *d.req_valid_i = *d.req_valid_i && !drain;
        *d.bank_req_ready_i = hd_rand_below(2);
        *d.bank_dn_valid_i = hd_rand_below(3) == 0;
        hd_bits_random(d.bank_dn_head_i, HEAD_W);
        SET(d.bank_dn_head_i, KIND, HD_MSG_DATA_S);
        *d.dn_ready_i = hd_rand_below(4) != 0;
        hd_eval(d.m);
        const bool type = OF(d.req_head_i, KIND) == HD_MSG_TYPE_REQ, ack = OF(d.rsp_head_i, KIND) == HD_MSG_TYPE_ACK;
        const bool asks_type = *d.req_valid_i && type;
        const unsigned kind = (unsigned)OF(d.dn_head_o, KIND);
        const bool own = *d.dn_valid_o && kind != HD_MSG_DATA_S; /* of the classifier */

        assert_true(!own || !*d.idle_o);
        assert_true(!own || !rest); /* idle: it waits for something that comes up */
        rest = *d.idle_o && !asks_type && !(*d.rsp_valid_i && ack);

        assert_int_equal(*d.bank_req_valid_o, *d.req_valid_i && !type);
        assert_int_equal(*d.req_ready_o, asks_type || *d.bank_req_ready_i);
        assert_int_equal(*d.bank_rsp_valid_o, *d.rsp_valid_i && !ack);
        assert_int_equal(*d.bank_dn_ready_o, *d.dn_ready_i && !own);
        assert_int_equal(*d.dn_valid_o, own || *d.bank_dn_valid_i);
        if (!own && *d.dn_valid_o)
            for (unsigned i = 0; i < HEAD_W; i += 8)
                assert_true(get(d.dn_head_o, i, 8) == get(d.bank_dn_head_i, i, 8));
        if (own)
            assert_true(get(d.dn_head_o, HD_HEAD_LANES_LSB, HD_LANE_W) == 0);
        pulses[0] += hd_bits_get(d.ev_o, HD_EV_L2_TYPE_REQ, 1);
        pulses[1] += hd_bits_get(d.ev_o, HD_EV_L2_TYPE_INV, 1);
        pulses[2] += hd_bits_get(d.ev_o, HD_EV_L2_TYPE_RECALL, 1);
        passed += *d.bank_req_valid_o && *d.bank_req_ready_i, refused += *d.bank_req_valid_o && !*d.bank_req_ready_i;
        overtakes += own && *d.bank_dn_valid_i;
        if (*d.rsp_valid_i && ack)
            acks[which] = acks[--num_acks];
        if (own && *d.dn_ready_i) {
            const bool reply = left(kind);
            replies += reply, asks[0] += kind == HD_MSG_TYPE_INV, asks[1] += kind == HD_MSG_TYPE_RECALL;
        }
        if (asks_type)
            asked[sm][sector] = true, requests++;
        hd_edge(d.m);
    }
    assert_int_equal(replies, requests);
    assert_int_equal(*d.idle_o, 1);
    assert_int_equal(num_acks, 0);
    if (P_Mac) { /* all sectors forgotten: the first of a set that is asked for is nobody else's */
        *d.rsp_valid_i = *d.bank_dn_valid_i = 0;
        *d.clear_i = 1;
        hd_edge(d.m);
        *d.clear_i = 0;
        for (unsigned s = 0; s < 2; s++) {
            hd_bits_random(d.req_head_i, HEAD_W);
            SET(d.req_head_i, KIND, HD_MSG_TYPE_REQ);
            SET(d.req_head_i, SRC, s);
            SET(d.req_head_i, ADDR, address(s));
            *d.req_valid_i = *d.dn_ready_i = 1;
            hd_edge(d.m);
            *d.req_valid_i = 0;
            hd_eval(d.m);
            for (unsigned n = 0; n < 10 && !*d.dn_valid_o; n++)
                hd_edge(d.m), hd_eval(d.m);
            assert_int_equal(OF(d.dn_head_o, KIND), HD_MSG_TYPE_REP);
            assert_int_equal(OF(d.dn_head_o, DST), s);
            assert_true(OF(d.dn_head_o, TID) >> HD_TYPE_SAFE & 1);
            for (unsigned n = 0; n < 10; n++)
                hd_edge(d.m), hd_eval(d.m);
            assert_int_equal(*d.idle_o, 1);
        }
    }
    assert_true(passed > 1000 && refused > 1000);
    assert_true(P_Mac ? requests > 500 && overtakes > 100 : requests + overtakes == 0);
    assert_int_equal(pulses[0], requests);
    for (unsigned i = 0; i < 2; i++) { /* a transition asks one SM or more */
        assert_true(pulses[i + 1] <= asks[i] && asks[i] <= SMS * pulses[i + 1]);
        assert_true(P_Mac ? pulses[i + 1] > 50 : pulses[i + 1] == 0);
    }
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static void types_pass_the_bank_by(void **state)
{
    (void)state;
    run_tile(0x15);
    run_tile(0x2a);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(types_pass_the_bank_by)};

    return HD_UNIT_MAIN(argc, argv, t);
}
