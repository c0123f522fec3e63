/* test_hd_l2_head.c - heads of grants, asks and memory requests, of waiting entries and of requests at once. */
/* dut: hd_l2_head IdxW=5 NumW=23 PartBits=2 LineWords=32 Lanes=32 LaneMasks=1 */
/* dut: hd_l2_head IdxW=3 NumW=25 PartBits=1 LineWords=16 Lanes=64 LaneMasks=0 */
#include "hd_unit.h"
#include "hd_l2_head_dut.h"
#include "hd_bits.h"
#include "l2_bits.h"

enum {
    LANE_W = P_Lanes > HD_LANE_W ? P_Lanes : HD_LANE_W,
    HEAD_W = HD_HEAD_W + LANE_W,
    BYTES = P_LineWords * 4,
    PARTS = 1 << P_PartBits
};

static struct hd_l2_head d;

static uint64_t field(const void *head, unsigned lsb, unsigned width)
{
    return hd_bits_get(head, lsb, width);
}
#define OF(port, name) field(port, HD_HEAD_##name##_LSB, HD_HEAD_##name##_W)
#define IS(name, value) assert_int_equal(OF(d.head_o, name), value)

static void every_packet_names_its_line_and_its_receiver(void **state)
{
    enum { GRANT, ASK, WRITE_BACK, MEM_READ, NOTHING, PACK, CASES };
    static const unsigned kinds[] = {HD_MSG_DATA_S, HD_MSG_DATA_E, HD_MSG_DATA_M, HD_MSG_ACK_M, HD_MSG_WT_ACK};
    /* what a decision says of packets; the rest of it is for others */
    const uint32_t packets = (uint32_t)(L2_BIT(PLAN, GRANT) | L2_BIT(PLAN, ASK) | L2_BIT(PLAN, WRITE_BACK)
                                        | L2_BIT(PLAN, MEM_READ));
    unsigned lines = 0, answers = 0;

    (void)state;
    hd_l2_head_open(&d);
    for (unsigned t = 0; t < 5000; t++) {
        const unsigned what = (unsigned)hd_rand_below(CASES), part = (unsigned)hd_rand_below(PARTS);
        const bool req = hd_rand_below(2), done = !req && hd_rand_below(3) == 0;
        const unsigned named = hd_rand_below(2) ? kinds[hd_rand_below(5)] : (unsigned)hd_rand_below(1u << HD_HEAD_KIND_W);
        const unsigned kind = what == GRANT && done ? (unsigned)HD_MSG_AT_DATA : named;
        const bool line = what == GRANT && kind >= HD_MSG_DATA_S && kind <= HD_MSG_DATA_M;

        *d.work_i = (uint8_t)(req ? L2_BIT(WORK, REQ) : done ? L2_BIT(WORK, DONE) : L2_BIT(WORK, SERVE));
        *d.plan_i = (uint32_t)hd_rand_below(1u << HD_L2_HEAD_W_plan_i) & ~packets;
        *d.plan_i |= (uint32_t)(L2_PUT(PLAN, GRANT, what == GRANT) | L2_PUT(PLAN, ASK, what == ASK)
                                | L2_PUT(PLAN, WRITE_BACK, what == WRITE_BACK) | L2_PUT(PLAN, MEM_READ, what == MEM_READ));
        *d.part_id_i = (uint8_t)part;
        const unsigned dst = (unsigned)hd_rand_below(128), pack_to = (unsigned)hd_rand_below(128);
        const unsigned pack_id = (unsigned)hd_rand_below(65536);
        HD_PUT(d.msg_i, L2_MSG_KIND, kind), HD_PUT(d.msg_i, L2_MSG_SM, dst);
        HD_PUT(d.pack_i, L2_PACK_VALID, what == PACK), HD_PUT(d.pack_i, L2_PACK_DST, pack_to), HD_PUT(d.pack_i, L2_PACK_ID, pack_id);
        const unsigned src = (unsigned)hd_rand_below(128), tid = (unsigned)hd_rand_below(256), opid = (unsigned)hd_rand_below(65536);
        hd_bits_random(d.m_i, HD_ASKER_W + LANE_W);
        hd_bits_put(d.m_i, 0, HD_ASKER_W, l2_asker(src, tid, opid));
        *d.idx_i = (uint8_t)hd_rand_below(1u << P_IdxW);
        *d.num_i = (uint32_t)hd_rand_below(1u << P_NumW);
        *d.epoch_i = (uint8_t)hd_rand_below(256);
        hd_bits_random(d.req_head_i, HEAD_W);
        hd_eval(d.m);
        const uint32_t addr = (*d.num_i * PARTS + part) * BYTES;
        assert_int_equal(*d.send_o, what != NOTHING);
        assert_int_equal(*d.line_o, line);
        assert_int_equal(*d.addr_o, addr);
        /* every field of the head; what a packet does not use is 0 */
        const bool packet = what != NOTHING, asked = packet && what != PACK;
        IS(KIND, what == PACK ? (unsigned)HD_MSG_PACK : asked ? kind : 0);
        IS(ADDR, asked ? addr : 0);
        IS(SRC, packet ? part : 0);
        IS(SRC_KIND, packet ? HD_END_L2 : 0);
        IS(DST_KIND, packet ? HD_END_SM : 0);
        IS(OPID, what == PACK ? pack_id : !asked ? 0 : req ? OF(d.req_head_i, OPID) : opid);
        if (what == GRANT) {
            IS(DST, req ? OF(d.req_head_i, SRC) : src);
            IS(TID, req ? OF(d.req_head_i, TID) : tid);
            IS(WMASK, done   ? (uint32_t)(field(d.m_i, HD_ASKER_W, 32) | field(d.m_i, HD_ASKER_W, LANE_W) >> 32)
                      : line ? UINT32_MAX >> (32 - P_LineWords)
                             : 0);
        } else {
            IS(DST, what == PACK ? pack_to : asked ? dst : 0);
            IS(TID, !asked ? 0 : what == WRITE_BACK ? *d.epoch_i : *d.idx_i);
            IS(WMASK, 0);
        }
        assert_true(field(d.head_o, HD_HEAD_LANES_LSB, LANE_W)
                    == (P_LaneMasks && what == GRANT
                            ? req ? field(d.req_head_i, HD_HEAD_LANES_LSB, LANE_W) : field(d.m_i, HD_ASKER_W, LANE_W)
                            : 0));
        lines += line, answers += what == GRANT && done;
    }
    assert_true(lines > 100 && answers > 100);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(every_packet_names_its_line_and_its_receiver)};

    return HD_UNIT_MAIN(argc, argv, t);
}
