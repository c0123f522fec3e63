/* test_hd_l1_vi_send.c - what leaves a write-through L1: requests of every kind with their data, persist barriers and
 * acknowledgements, against queues in C; what is out, whose line it is, and what room there is. */
/* dut: hd_l1_vi_send Lanes=4 LineWords=8 WordW=32 WbEntries=2 PartBits=1 ReqDepth=4 StoreData=4 Persist=1 */
/* dut: hd_l1_vi_send Lanes=12 LineWords=8 WordW=64 SlotW=5 WbEntries=3 PartBits=0 ReqDepth=5 StoreData=6 */
/* dut-rtl: hd_l1_vi_send Lanes=4 LineWords=8 WordW=32 WbEntries=1 PartBits=1 ReqDepth=1 StoreData=1 Persist=1 */
/* dut-rtl: hd_l1_vi_send Lanes=48 LineWords=16 WordW=32 WbEntries=2 PartBits=2 ReqDepth=3 StoreData=3 */
#include "hd_unit.h"
#include "hd_l1_vi_send_dut.h"
#include "hd_access.h"
#include "hd_head.h"

#ifndef P_SlotW
#define P_SlotW HD_SLOT_W
#endif
#ifndef P_Persist
#define P_Persist 0
#endif
enum {
    LANES = P_Lanes, WORDS = P_LineWords, W = P_WordW, OPS = LANES > WORDS ? LANES : WORDS, CYCLES = 40000, LINES = 6,
    HALF = LANES > HD_HALF_LANES ? HD_HALF_LANES : LANES, /* lanes of an atomic */
    FLIT = HD_FLIT_WORDS * W, GROUPS = (HALF + HD_FLIT_WORDS - 1) / HD_FLIT_WORDS, PART = HD_FLIT_WORDS * 32,
    OFF_W = (HD_L1_VI_SEND_W_la_place_i - LANES - WORDS) / LANES, PLACES = (4 + 5 * HALF + PART - 1) / PART,
    AT_ENTRIES = 2, /* of hd_wt_queue */
    MASK = WORDS + LANES * OFF_W, LINE_W = HD_L1_VI_SEND_W_la_line_i, HEAD_W = HD_L1_VI_SEND_W_req_head_o
};
#define ADDR(line) ((line) * WORDS * 4)

static struct hd_l1_vi_send d;
static struct request {
    unsigned kind, tid, line, opid, fn, half, flits, sm;
    uint64_t lanes, words, data[OPS], warp, slot, mask;
    uint32_t cmp[LANES], offs[LANES];
} q[P_ReqDepth + 1];
static struct { bool used; unsigned line; uint64_t warp, slot, mask; } out[P_StoreData]; /* those whose request has left */
static uint8_t acks[P_WbEntries + 1][HD_HEAD_BYTES(HEAD_W)]; /* heads, all bits */
static unsigned len, ackn, seen[13];
static unsigned lines[LINES]; /* their numbers: other ones after a while, neighbours differ in one bit */

static unsigned head(unsigned lsb, unsigned width)
{
    return (unsigned)hd_bits_get(d.req_head_o, lsb, width);
}

static bool sent(const struct request *r)
{
    return r->kind == HD_MSG_WT || r->kind == HD_MSG_ATOMIC;
}

/* What is offered is what was pushed first. */
static void see_request(void)
{
    const struct request *r = &q[0];
    uint8_t wanted[sizeof acks[0]] = {0};

    assert_int_equal(*d.req_valid_o, len > 0);
    if (len == 0)
        return;
    hd_head_put(wanted, r->kind, HD_SM(r->sm), HD_L2(r->line & ((1u << P_PartBits) - 1)));
    hd_bits_put(wanted, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W, r->opid);
    /* which entry a store or atomic takes is known when it has left */
    hd_bits_put(wanted, HD_HEAD_TID_LSB, HD_HEAD_TID_W, sent(r) ? head(HD_HEAD_TID_LSB, HD_HEAD_TID_W) : r->tid);
    hd_bits_put(wanted, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W, r->kind == HD_MSG_WT ? r->words : r->flits);
    hd_bits_put(wanted, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, ADDR(r->line));
    hd_bits_put(wanted, HD_HEAD_LANES_LSB, LANES, r->lanes);
    hd_head_same(d.req_head_o, wanted, HEAD_W);
    for (unsigned w = 0; r->kind == HD_MSG_WT && w < WORDS; w++)
        assert_true(hd_bits_get(d.req_body_o, w * W, W) == r->data[w]);
    if (r->kind != HD_MSG_ATOMIC)
        return;
    assert_int_equal(hd_bits_get(d.req_body_o, 0, 4), r->fn);
    for (unsigned i = 0; i < HALF && r->half + i < LANES; i++) {
        const unsigned l = r->half + i;

        for (unsigned b = 0; b < OFF_W; b++) {
            const unsigned at = 4 + i * OFF_W + b; /* 32 bits for each word of a flit */

            assert_int_equal(hd_bits_get(d.req_body_o, at / PART * FLIT + at % PART, 1), r->offs[l] >> b & 1);
        }
        assert_true(hd_bits_get(d.req_body_o, PLACES * FLIT + i * W, W) == r->data[l]);
        assert_int_equal(hd_bits_get(d.req_body_o, (PLACES + GROUPS + i / HD_FLIT_WORDS) * FLIT + i % HD_FLIT_WORDS * 32, 32),
                         r->cmp[l]);
    }
}

static void see_ack(void)
{
    assert_int_equal(*d.rsp_valid_o, ackn > 0);
    if (ackn == 0)
        return;
    hd_head_same(d.rsp_head_o, acks[0], HEAD_W);
}

/* A random access on the ports, and the request that it makes. */
static struct request offer(void)
{
    const struct hd_access a = hd_access_random();
    struct hd_access b = a;
    struct request r = {.line = lines[hd_rand_below(LINES)], .opid = a.slot << HD_WARP_W | a.warp, .fn = a.fn, .sm = *d.sm_id_i};

    b.kind = hd_rand_below(3) == 0 ? HD_OP_LOAD : hd_rand_below(2) ? HD_OP_STORE : HD_OP_ATOMIC;
    if (b.kind == HD_OP_ATOMIC && hd_rand_below(2))
        b.fn = r.fn = HD_AT_CAS;
    r.kind = b.kind == HD_OP_LOAD ? HD_MSG_GETS : b.kind == HD_OP_STORE ? HD_MSG_WT : HD_MSG_ATOMIC;
    r.warp = a.warp, r.slot = (a.tag << HD_SLOT_W | a.slot) & ((1u << P_SlotW) - 1);
    r.mask = hd_bits_random_mask(LANES);
    if (LANES > HALF && r.kind == HD_MSG_ATOMIC) { /* lanes of one half */
        r.half = hd_rand_below(2) ? HALF : 0;
        r.mask = r.half ? hd_bits_random_mask(LANES - HALF) << HALF : hd_bits_random_mask(HALF);
    }
    r.words = hd_bits_random_mask(WORDS);
    hd_bits_put(d.la_acc_i, 0, HD_ACCESS_W, hd_access_pack(b));
    *d.la_line_i = r.line;
    hd_bits_put(d.la_place_i, MASK, LANES, r.mask), hd_bits_put(d.la_place_i, 0, WORDS, r.words);
    for (unsigned i = 0; i < OPS; i++)
        hd_bits_put(d.la_ops_i, i * W, W, r.data[i] = hd_rand() & (W == 64 ? UINT64_MAX : UINT32_MAX));
    for (unsigned i = 0; i < LANES; i++) {
        hd_bits_put(d.la_place_i, WORDS + i * OFF_W, OFF_W, r.offs[i] = (uint32_t)hd_rand_below(WORDS));
        hd_bits_put(d.la_ops_i, OPS * W + i * 32, 32, r.cmp[i] = (uint32_t)hd_rand());
    }
    *d.kind_i = (uint8_t)r.kind;
    *d.read_tid_i = (uint8_t)hd_rand_below(256), r.tid = *d.read_tid_i;
    r.lanes = r.kind == HD_MSG_WT ? 0 : r.mask;
    for (unsigned i = 0; r.kind == HD_MSG_ATOMIC && i < HALF; i++)
        if (r.mask >> r.half >> i & 1) {
            r.flits |= ((1u << PLACES) - 1) | 1u << (PLACES + i / HD_FLIT_WORDS);
            if (r.fn == HD_AT_CAS)
                r.flits |= 1u << (PLACES + GROUPS + i / HD_FLIT_WORDS);
        }
    return r;
}

static void all_leaves_in_its_order(void **state)
{
    (void)state;
    hd_l1_vi_send_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < CYCLES; n++) {
        const unsigned tid = (unsigned)hd_rand_below(P_StoreData), pace = n / 500 % 4;
        unsigned stores = 0, datas = 0, atomics = 0;
        bool same = false;

        if (n % 300 == 0) {
            lines[0] = (unsigned)hd_rand_below(1u << LINE_W);
            for (unsigned i = 1; i < LINES; i++)
                lines[i] = lines[i - 1] ^ 1u << hd_rand_below(LINE_W);
        }
        if (len == 0 && ackn == 0)
            *d.sm_id_i = (uint8_t)hd_rand_below(1 << HD_NODE_W);
        struct request r = offer();
        hd_bits_random(d.dn_i, HD_HEAD_W), hd_bits_put(d.dn_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, tid);
        *d.req_ready_i = hd_rand_below(5) > pace, *d.rsp_ready_i = hd_rand_below(4) > pace;
        *d.mark_valid_i = hd_rand_below(4) == 0, *d.mark_id_i = (uint8_t)hd_rand_below(256);
        *d.lk_valid_i = hd_rand_below(4) != 0;
        *d.push_i = *d.send_i = *d.done_i = *d.inv_i = 0;
        hd_eval(d.m);
        see_request();
        see_ack();
        for (unsigned i = 0; i < P_StoreData; i++)
            stores += out[i].used, same |= out[i].used && out[i].line == r.line;
        for (unsigned i = 0; i < len; i++) {
            stores += sent(&q[i]), same |= sent(&q[i]) && q[i].line == r.line;
            datas += sent(&q[i]), atomics += q[i].kind == HD_MSG_ATOMIC;
        }
        assert_int_equal(*d.st_out_o, *d.lk_valid_i && same);
        seen[0] += *d.st_out_o;
        assert_int_equal(*d.idle_o, len == 0 && ackn == 0);
        if (out[tid].used) {
            assert_true(hd_bits_get(d.st_who_o, 0, LANES) == out[tid].mask);
            assert_true(hd_bits_get(d.st_who_o, LANES, P_SlotW) == out[tid].slot);
            assert_true(hd_bits_get(d.st_who_o, LANES + P_SlotW, HD_WARP_W) == out[tid].warp);
        }
        const bool req = len < P_ReqDepth, st = stores < P_StoreData;
        const bool all = req && st && datas < P_WbEntries && (r.kind != HD_MSG_ATOMIC || atomics < AT_ENTRIES);
        assert_int_equal(*d.req_room_o, req);
        assert_int_equal(*d.st_room_o, st);
        assert_int_equal(*d.send_room_o, all);
        assert_int_equal(*d.ack_room_o, ackn < P_WbEntries);
        seen[1] += !req, seen[2] += !st, seen[3] += req && st && datas == P_WbEntries, seen[4] += ackn == P_WbEntries;
        seen[12] += req && st && datas < P_WbEntries && !all;
        /* what comes in this cycle */
        const bool push = hd_rand_below(2) && (r.kind == HD_MSG_GETS ? req : all);
        const bool done = out[tid].used && hd_rand_below(6) > pace, inv = ackn < P_WbEntries && hd_rand_below(3) == 0;
        *d.push_i = push, *d.send_i = push && sent(&r), *d.done_i = done, *d.inv_i = inv;
        hd_eval(d.m);
        const bool mark = P_Persist && *d.mark_valid_i && !push && req;
        assert_int_equal(*d.mark_ready_o, mark);
        seen[5] += mark, seen[6] += inv, seen[7] += done, seen[8] += done && push && sent(&r);
        seen[9] += push && r.kind == HD_MSG_GETS, seen[10] += push && r.kind == HD_MSG_WT;
        seen[11] += push && r.kind == HD_MSG_ATOMIC;
        if (done)
            out[tid].used = false;
        if (*d.req_valid_o && *d.req_ready_i) { /* its entry is known now */
            const unsigned left = head(HD_HEAD_TID_LSB, HD_HEAD_TID_W);

            if (sent(&q[0])) {
                assert_true(left < P_StoreData && !out[left].used && !(done && left == tid));
                out[left].used = true, out[left].line = q[0].line;
                out[left].warp = q[0].warp, out[left].slot = q[0].slot, out[left].mask = q[0].mask;
            }
            memmove(&q[0], &q[1], --len * sizeof q[0]);
        }
        if (*d.rsp_valid_o && *d.rsp_ready_i)
            memmove(&acks[0], &acks[1], --ackn * sizeof acks[0]);
        if (inv) {
            memset(acks[ackn], 0, sizeof acks[0]);
            memcpy(acks[ackn], d.dn_i, hd_bits_bytes(HD_HEAD_W));
            hd_head_put(acks[ackn], HD_MSG_INV_ACK, HD_SM(*d.sm_id_i),
                        HD_L2((unsigned)hd_bits_get(d.dn_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W)));
            ackn++;
        }
        if (push)
            q[len++] = r;
        else if (mark)
            q[len++] = (struct request){.kind = HD_MSG_PMARK, .opid = *d.mark_id_i, .sm = *d.sm_id_i};
        hd_edge(d.m);
    }
    for (unsigned i = 0; i < 13; i++)
        if (seen[i] < 200 && !(i == 3 && P_ReqDepth == 1) && !(i == 5 && !P_Persist) && !(i == 8 && P_StoreData == 1)
            && !(i == 12 && P_WbEntries <= AT_ENTRIES))
            fail_msg("case %u was reached %u times", i, seen[i]);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

/* An atomic of lanes of both halves. */
static void an_atomic_of_two_halves_is_told(void **state)
{
    (void)state;
    hd_l1_vi_send_open(&d);
    hd_reset(d.m);
    hd_bits_put(d.la_acc_i, 0, HD_ACCESS_W, hd_access_pack((struct hd_access){.kind = HD_OP_ATOMIC}));
    hd_bits_put(d.la_place_i, MASK, LANES, UINT64_MAX >> (64 - LANES));
    *d.kind_i = HD_MSG_ATOMIC, *d.push_i = *d.send_i = 1;
    hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m) > 0, LANES > 32 && hd_has_asserts(d.m));
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(all_leaves_in_its_order),
        cmocka_unit_test(an_atomic_of_two_halves_is_told),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
