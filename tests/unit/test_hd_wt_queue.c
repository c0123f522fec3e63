/* test_hd_wt_queue.c - requests leave in order, with head and body as the receiver takes them apart. */
/* equiv: ReqDepth=2 WbEntries=2 AtEntries=2 PartBits=1 Lanes=2 LineWords=8 WordW=4 */
/* dut: hd_wt_queue ReqDepth=3 WbEntries=2 AtEntries=1 PartBits=1 Lanes=4 LineWords=8 WordW=32 FlitWords=8 */
/* dut: hd_wt_queue ReqDepth=4 WbEntries=3 AtEntries=2 PartBits=2 Lanes=16 LineWords=8 WordW=64 FlitWords=8 */
/* dut-rtl: hd_wt_queue ReqDepth=3 WbEntries=2 AtEntries=1 PartBits=1 Lanes=32 LineWords=32 WordW=64 FlitWords=4 */
/* dut: hd_wt_queue ReqDepth=3 WbEntries=2 AtEntries=1 PartBits=1 Lanes=48 LineWords=8 WordW=32 FlitWords=8 */
/* dut-rtl: hd_wt_queue ReqDepth=3 WbEntries=2 AtEntries=1 PartBits=1 Lanes=64 LineWords=16 WordW=64 FlitWords=4 */
#include "hd_unit.h"
#include "hd_wt_queue_dut.h"
#include "hd_bits.h"

enum {
    LANES = P_Lanes, WORDS = P_LineWords, W = P_WordW, FLIT_WORDS = P_FlitWords,
    HALF = LANES > HD_HALF_LANES ? HD_HALF_LANES : LANES, /* lanes of an atomic */
    GROUPS = (HALF + FLIT_WORDS - 1) / FLIT_WORDS, FLIT = FLIT_WORDS * W, PART = FLIT_WORDS * 32,
    PLACES = (4 + 5 * HALF + PART - 1) / PART, /* flits of function and places */
    OFF_W = HD_WT_QUEUE_W_offs_i / LANES, DATA = HD_WT_QUEUE_W_data_i / W, LINE_W = HD_WT_QUEUE_W_line_i, MOST = 16,
    LANE_W = LANES > HD_LANE_W ? LANES : HD_LANE_W
};

struct request {
    unsigned kind, tid, opid, fn, sm;
    uint32_t line, words;
    uint64_t mask, data[DATA];
    uint32_t offs[LANES], cmp[LANES];
};

static struct hd_wt_queue d;

static uint32_t head(unsigned lsb, unsigned width)
{
    return (uint32_t)hd_bits_get(d.head_o, lsb, width);
}

static void draw(struct request *r)
{
    static const unsigned kinds[] = {HD_MSG_GETS, HD_MSG_WT, HD_MSG_ATOMIC};

    r->kind = kinds[hd_rand_below(3)];
    r->tid = (unsigned)hd_rand_below(256);
    r->opid = (unsigned)hd_rand_below(1 << HD_OPID_W);
    r->fn = hd_rand_below(2) ? HD_AT_CAS : (unsigned)hd_rand_below(HD_AMO_FUNCTIONS);
    r->line = (uint32_t)hd_rand_below(UINT64_C(1) << LINE_W);
    r->mask = hd_bits_random_mask(LANES);
    if (LANES > HALF && r->kind == HD_MSG_ATOMIC) { /* lanes of one half */
        bool upper = hd_rand_below(2);

        r->mask = upper ? hd_bits_random_mask(LANES - HALF) << HALF : hd_bits_random_mask(HALF);
    }
    r->words = (uint32_t)hd_bits_random_mask(WORDS);
    r->sm = (unsigned)hd_rand_below(1 << HD_NODE_W);
    *d.sm_id_i = (uint8_t)r->sm;
    for (unsigned i = 0; i < DATA; i++)
        hd_bits_put(d.data_i, i * W, W, r->data[i] = hd_rand() & (W == 64 ? UINT64_MAX : UINT32_MAX));
    for (unsigned i = 0; i < LANES; i++) {
        hd_bits_put(d.offs_i, i * OFF_W, OFF_W, r->offs[i] = (uint32_t)hd_rand_below(WORDS));
        hd_bits_put(d.cmp_i, i * 32, 32, r->cmp[i] = (uint32_t)hd_rand());
    }
    *d.kind_i = (uint8_t)r->kind;
    *d.tid_i = (uint8_t)r->tid;
    *d.opid_i = (uint16_t)r->opid;
    *d.fn_i = (uint8_t)r->fn;
    *d.line_i = r->line;
    hd_bits_put(d.lanes_i, 0, LANES, r->mask);
    hd_bits_put(d.wmask_i, 0, WORDS, r->words);
}

static void see(const struct request *r)
{
    uint8_t places[PLACES * PART / 8];
    const unsigned from = LANES > HALF && r->mask >> HALF % LANES != 0 ? HALF : 0; /* lane 0 of the body */
    uint32_t wmask = r->kind == HD_MSG_WT ? r->words : 0;

    if (r->kind == HD_MSG_ATOMIC) {
        wmask = (1u << PLACES) - 1;
        for (unsigned g = 0; g < GROUPS; g++)
            if (r->mask >> (from + FLIT_WORDS * g) & ((1u << FLIT_WORDS) - 1))
                wmask |= UINT32_C(1) << (PLACES + g) | (r->fn == HD_AT_CAS ? UINT32_C(1) << (PLACES + GROUPS + g) : 0);
    }
    assert_int_equal(head(HD_HEAD_KIND_LSB, HD_HEAD_KIND_W), r->kind);
    assert_int_equal(head(HD_HEAD_SRC_LSB, HD_HEAD_SRC_W), r->sm);
    assert_int_equal(head(HD_HEAD_DST_LSB, HD_HEAD_DST_W), r->line & ((1u << P_PartBits) - 1));
    assert_int_equal(head(HD_HEAD_SRC_KIND_LSB, HD_HEAD_SRC_KIND_W), HD_END_SM);
    assert_int_equal(head(HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W), HD_END_L2);
    assert_int_equal(head(HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W), r->line * WORDS * 4);
    assert_int_equal(head(HD_HEAD_TID_LSB, HD_HEAD_TID_W), r->tid);
    assert_int_equal(head(HD_HEAD_OPID_LSB, HD_HEAD_OPID_W), r->opid);
    assert_true(hd_bits_get(d.head_o, HD_HEAD_LANES_LSB, LANE_W) == (r->kind == HD_MSG_WT ? 0 : r->mask));
    assert_int_equal(head(HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W), wmask);
    for (unsigned i = 0; r->kind == HD_MSG_WT && i < WORDS; i++)
        assert_true(hd_bits_get(d.body_o, i * W, W) == r->data[i]);
    if (r->kind != HD_MSG_ATOMIC)
        return;
    for (unsigned i = 0; i < PLACES; i++) /* ghosts or not, a word holds 32 bits of them */
        memcpy(places + i * PART / 8, (const uint8_t *)d.body_o + i * FLIT / 8, PART / 8);
    assert_int_equal(hd_bits_get(places, 0, 4), r->fn);
    for (unsigned i = 0; i < HALF && from + i < LANES; i++) {
        assert_int_equal(hd_bits_get(places, 4 + i * OFF_W, OFF_W), r->offs[from + i]);
        assert_true(hd_bits_get(d.body_o, PLACES * FLIT + i * W, W) == r->data[from + i]);
        assert_int_equal(hd_bits_get(d.body_o, (PLACES + GROUPS + i / FLIT_WORDS) * FLIT + i % FLIT_WORDS * 32, 32), r->cmp[from + i]);
    }
}

static void requests_leave_in_order_with_their_data(void **state)
{
    struct request q[MOST], next;
    unsigned n = 0, seen[3] = {0}, full = 0, no_data = 0, no_at = 0;

    (void)state;
    hd_wt_queue_open(&d);
    hd_reset(d.m);
    for (unsigned cycle = 0; cycle < 12000; cycle++) {
        unsigned data = 0, at = 0;
        for (unsigned i = 0; i < n; i++) {
            data += q[i].kind != HD_MSG_GETS;
            at += q[i].kind == HD_MSG_ATOMIC;
        }
        draw(&next);
        *d.ready_i = hd_rand_below(4) > cycle / 300 % 3;
        *d.push_i = 0;
        hd_eval(d.m);
        assert_int_equal(*d.valid_o, n > 0);
        assert_int_equal(*d.idle_o, n == 0);
        assert_int_equal(*d.room_o, n < P_ReqDepth);
        assert_int_equal(*d.data_room_o, data < P_WbEntries);
        assert_int_equal(*d.at_room_o, at < P_AtEntries);
        full += !*d.room_o, no_data += *d.room_o && !*d.data_room_o, no_at += *d.data_room_o && !*d.at_room_o;
        if (n > 0) {
            see(&q[0]);
            seen[q[0].kind == HD_MSG_GETS ? 0 : q[0].kind == HD_MSG_WT ? 1 : 2]++;
        }
        *d.push_i = *d.room_o && (next.kind == HD_MSG_GETS || *d.data_room_o)
                    && (next.kind != HD_MSG_ATOMIC || *d.at_room_o) && hd_rand_below(4) != 0;
        bool out = n > 0 && *d.ready_i, in = *d.push_i;
        hd_edge(d.m);
        if (out)
            memmove(q, q + 1, --n * sizeof *q);
        if (in)
            q[n++] = next;
    }
    assert_true(seen[0] > 100 && seen[1] > 100 && seen[2] > 100 && full > 50 && no_data > 50 && no_at > 50);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(requests_leave_in_order_with_their_data)};

    return HD_UNIT_MAIN(argc, argv, t);
}
