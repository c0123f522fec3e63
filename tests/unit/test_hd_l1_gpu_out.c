/* test_hd_l1_gpu_out.c - requests and write-throughs leave in the order they came; what is out is known by its id. */
/* dut: hd_l1_gpu_out ReqDepth=3 WbEntries=2 PartBits=1 Entries=3 WtOut=2 Lanes=4 LineWords=8 WordW=32 */
/* dut-rtl: hd_l1_gpu_out ReqDepth=1 WbEntries=1 PartBits=0 Entries=1 WtOut=1 Lanes=4 LineWords=8 WordW=64 SlotW=5 */
#include "hd_unit.h"
#include "hd_l1_gpu_out_dut.h"
#include "hd_bits.h"

#ifndef P_SlotW
#define P_SlotW HD_SLOT_W
#endif
enum { LANES = P_Lanes, WORDS = P_LineWords, W = P_WordW, OFF_W = 3, FLUSH_TID = 255, QUEUE = 16, FLIT = HD_FLIT_WORDS * P_WordW,
       LINE_W = HD_ADDR_W - 5 };

#define ROOM(name) (*d.room_o >> HD_GPU_ROOM_##name##_LSB & 1)

static void random_requests_leave_in_order(void **state)
{
    struct hd_l1_gpu_out d;
    struct { unsigned kind, tid, line, opid; uint32_t words, lanes; uint64_t data[WORDS]; unsigned fn, offs[LANES], compare[LANES]; } q[QUEUE];
    struct { bool used, acquire; unsigned warp, slot, mask; } out[P_Entries] = {{0}};
    unsigned len = 0, wts = 0, seen[5] = {0}, full = 0;
    bool wt_last = false;
    uint32_t wt_line = 0, wt_mask = 0;

    (void)state;
    hd_l1_gpu_out_open(&d);
    hd_reset(d.m);
    const unsigned sm = 1 + (unsigned)hd_rand_below((1u << HD_NODE_W) - 1);
    *d.sm_id_i = (uint8_t)sm;
    for (unsigned n = 0; n < 30000; n++) {
        const unsigned what = (unsigned)hd_rand_below(7), line = (unsigned)hd_rand_below((1u << LINE_W) - 1);
        const unsigned mask = (unsigned)hd_bits_random_mask(LANES), words = (unsigned)hd_bits_random_mask(WORDS);
        const unsigned done = (unsigned)hd_rand_below(P_Entries);

        *d.push_i = *d.wt_i = *d.ack_i = *d.done_i = 0;
        *d.kind_i = (uint8_t)(what == 0 ? HD_MSG_GETS : what == 1 ? HD_MSG_WT : what == 6 ? HD_MSG_PMARK : HD_MSG_ATOMIC);
        *d.mark_id_i = (uint8_t)hd_rand_below(256);
        *d.acquire_i = (uint8_t)hd_rand_below(2), *d.tid_i = (uint8_t)hd_rand_below(200);
        *d.warp_i = (uint8_t)hd_rand_below(64), *d.slot_i = (uint8_t)hd_rand_below(1u << P_SlotW), *d.line_i = line;
        *d.fn_i = (uint8_t)hd_rand_below(HD_AMO_FUNCTIONS), *d.wt_line_i = line + 1;
        *d.wt_mask_i = (uint8_t)words, *d.done_tid_i = (uint8_t)done;
        hd_bits_random(d.place_i, WORDS + LANES * OFF_W);
        hd_bits_put(d.place_i, 0, WORDS, words);
        hd_bits_put(d.place_i, WORDS + LANES * OFF_W, LANES, mask);
        hd_bits_random(d.data_i, WORDS * W);
        hd_bits_random(d.wt_data_i, WORDS * W);
        hd_bits_random(d.cmp_i, LANES * 32);
        *d.ready_i = hd_rand_below(4) > n / 500 % 3;
        hd_eval(d.m);
        assert_int_equal(ROOM(WT_BUSY), wt_last);
        assert_int_equal(ROOM(WT_NONE), wts == 0);
        assert_int_equal(*d.valid_o, len > 0);
        assert_int_equal(*d.idle_o, len == 0 && !wt_last);
        assert_true(!ROOM(WT) || wts < P_WtOut);
        full += wts == P_WtOut;
        if (out[done].used) {
            assert_int_equal(*d.done_warp_o, out[done].warp);
            assert_int_equal(*d.done_slot_o, out[done].slot);
            assert_int_equal(*d.done_mask_o, out[done].mask);
            assert_int_equal(*d.done_acquire_o, out[done].acquire);
        }
        if (len > 0) {
            assert_int_equal(hd_bits_get(d.head_o, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W), q[0].kind);
            assert_int_equal(hd_bits_get(d.head_o, HD_HEAD_TID_LSB, HD_HEAD_TID_W), q[0].tid);
            assert_int_equal(hd_bits_get(d.head_o, HD_HEAD_OPID_LSB, HD_HEAD_OPID_W), q[0].opid);
            assert_int_equal(hd_bits_get(d.head_o, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W) / (WORDS * 4), q[0].line);
            assert_int_equal(hd_bits_get(d.head_o, HD_HEAD_LANES_LSB, LANES), q[0].lanes);
            assert_int_equal(hd_bits_get(d.head_o, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W), sm);
            if (q[0].kind == HD_MSG_ATOMIC) { /* as hd_wt_queue has it: function and places, operands, compare values */
                assert_int_equal(hd_bits_get(d.body_o, 0, 4), q[0].fn);
                for (unsigned i = 0; i < LANES; i++) {
                    assert_int_equal(hd_bits_get(d.body_o, 4 + i * OFF_W, OFF_W), q[0].offs[i]);
                    assert_true(hd_bits_get(d.body_o, FLIT + i * W, W) == q[0].data[i]);
                    assert_int_equal(hd_bits_get(d.body_o, 2 * FLIT + i * 32, 32), q[0].compare[i]);
                }
            }
            if (q[0].kind == HD_MSG_WT) {
                assert_int_equal(hd_bits_get(d.head_o, HD_HEAD_WMASK_LSB, WORDS), q[0].words);
                for (unsigned w = 0; w < WORDS; w++)
                    assert_true(hd_bits_get(d.body_o, w * W, W) == q[0].data[w]);
            }
        }
        const bool busy = wt_last;
        if (!busy && (what < 3 || what == 6))
            *d.push_i = ROOM(REQ) && (what == 0 || what == 6 || (ROOM(DATA) && ROOM(OUT) && (what == 1 || ROOM(AT))));
        else if (!busy && what < 5)
            *d.wt_i = ROOM(WT);
        *d.ack_i = wts > 0 && hd_rand_below(5) == 0;
        *d.done_i = out[done].used && hd_rand_below(4) == 0;
        const bool pop = *d.valid_o && *d.ready_i;
        uint64_t now[WORDS];
        for (unsigned w = 0; w < WORDS; w++)
            now[w] = hd_bits_get(busy ? (void *)d.wt_data_i : (void *)d.data_i, w * W, W);
        if (pop)
            memmove(q, q + 1, --len * sizeof q[0]);
        if (busy || *d.push_i) {
            q[len].kind = busy ? HD_MSG_WT : *d.kind_i;
            q[len].line = busy ? wt_line : line;
            q[len].words = busy ? wt_mask : words;
            q[len].opid = busy ? 0 : what == 6 ? *d.mark_id_i : (*d.slot_i & 7) << HD_WARP_W | *d.warp_i;
            q[len].lanes = !busy && what == 2 ? mask : 0;
            q[len].tid = busy ? FLUSH_TID : what == 0 ? *d.tid_i : 0;
            memcpy(q[len].data, now, sizeof now);
            q[len].fn = *d.fn_i;
            for (unsigned i = 0; i < LANES; i++) {
                q[len].offs[i] = (unsigned)hd_bits_get(d.place_i, WORDS + i * OFF_W, OFF_W);
                q[len].compare[i] = (unsigned)hd_bits_get(d.cmp_i, i * 32, 32);
            }
            seen[busy ? 3 : what == 6 ? 4 : what]++;
        }
        hd_edge(d.m);
        if (*d.done_i)
            out[done].used = false;
        if (busy || *d.push_i) {
            if (!busy && what > 0 && what < 6) { /* which entry it took shows when it is the head; with one entry there is no doubt */
                unsigned took = P_Entries;
                for (unsigned i = 0; i < P_Entries && took == P_Entries; i++) {
                    *d.done_tid_i = (uint8_t)i;
                    hd_eval(d.m);
                    if (!out[i].used && *d.done_warp_o == *d.warp_i && *d.done_slot_o == *d.slot_i && *d.done_mask_o == mask &&
                        *d.done_acquire_o == *d.acquire_i)
                        took = i;
                }
                assert_true(took < P_Entries);
                out[took].used = true, out[took].acquire = *d.acquire_i, out[took].warp = *d.warp_i;
                out[took].slot = *d.slot_i, out[took].mask = mask;
                q[len].tid = took;
            }
            len++;
        }
        wts = wts + *d.wt_i - *d.ack_i;
        wt_last = *d.wt_i;
        wt_line = line + 1, wt_mask = words;
    }
    for (unsigned i = 0; i < 5; i++)
        assert_true(seen[i] > 200);
    assert_true(full > 200);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(random_requests_leave_in_order)};

    return HD_UNIT_MAIN(argc, argv, t);
}
