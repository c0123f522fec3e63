/* test_hd_l1_dn_out.c - requests and answers leave in the order they came, to whom they are meant, with their data. */
/* dut: hd_l1_dn_out ReqDepth=3 RspDepth=4 PartBits=1 LineWords=8 WordW=32 WbW=2 */
/* dut-rtl: hd_l1_dn_out ReqDepth=1 RspDepth=2 PartBits=0 LineWords=16 WordW=64 WbW=1 */
#include "hd_unit.h"
#include "hd_l1_dn_out_dut.h"
#include "dn_packet.h"

enum { WORDS = P_LineWords, W = P_WordW, QUEUE = 16, LINE_W = HD_L1_DN_OUT_W_line_i };

static void packets_leave_in_order(void **state)
{
    struct hd_l1_dn_out d;
    struct packet req[QUEUE], rsp[QUEUE];
    unsigned reqs = 0, rsps = 0, seen[3] = {0}, full = 0, wb_last = 0;
    bool coming = false, from_wb = false; /* the answer of the cycle before gets its data now */

    (void)state;
    hd_l1_dn_out_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < 20000; n++) {
        if (reqs == 0 && rsps == 0)
            *d.sm_id_i = (uint8_t)hd_rand_below(1u << HD_NODE_W);
        struct packet p = {.kind = (unsigned)hd_rand_below(64), .tid = (unsigned)hd_rand_below(256), .opid = (unsigned)hd_rand_below(65536),
                           .line = (unsigned)hd_rand_below(1u << LINE_W), .words = (unsigned)hd_bits_random_mask(WORDS),
                           .cls = (unsigned)hd_rand_below(1u << HD_COH_CLS_W), .to = (unsigned)hd_rand_below(128),
                           .sync = hd_rand_below(2), .sm = *d.sm_id_i};
        const unsigned what = (unsigned)hd_rand_below(4);

        p.home = what == 0 || hd_rand_below(2);
        *d.push_req_i = *d.push_rsp_i = 0;
        *d.kind_i = (uint8_t)p.kind, *d.tid_i = (uint8_t)p.tid, *d.opid_i = (uint16_t)p.opid, *d.line_i = p.line;
        hd_bits_put(d.words_i, 0, WORDS, p.words);
        *d.cls_i = (uint8_t)p.cls, *d.sync_i = p.sync, *d.home_i = p.home, *d.req_i = (uint8_t)p.to;
        *d.from_wb_i = (uint8_t)hd_rand_below(2), *d.wb_idx_i = (uint8_t)hd_rand_below(1u << P_WbW);
        hd_bits_random(d.data_i, WORDS * W);
        hd_bits_random(d.wb_data_i, WORDS * W);
        *d.req_ready_i = hd_rand_below(4) > n / 500 % 3, *d.rsp_ready_i = hd_rand_below(4) > n / 700 % 3;
        hd_eval(d.m);
        if (coming) {
            if (from_wb)
                assert_int_equal(*d.wb_rd_idx_o, wb_last);
            for (unsigned w = 0; w < WORDS; w++)
                rsp[rsps - 1].data[w] = hd_bits_get(from_wb ? (void *)d.wb_data_i : (void *)d.data_i, w * W, W);
        }
        assert_int_equal(*d.req_valid_o, reqs > 0);
        assert_int_equal(*d.rsp_valid_o, rsps > coming);
        assert_int_equal(*d.req_room_o, reqs < P_ReqDepth);
        assert_int_equal(*d.rsp_room_o, rsps < P_RspDepth);
        assert_int_equal(*d.idle_o, reqs == 0 && rsps == 0);
        full += rsps == P_RspDepth;
        if (reqs > 0)
            same(d.req_head_o, &req[0]);
        if (rsps > coming) {
            same(d.rsp_head_o, &rsp[0]);
            for (unsigned w = 0; w < WORDS; w++)
                assert_true(hd_bits_get(d.rsp_data_o, w * W, W) == rsp[0].data[w]);
        }
        *d.push_req_i = what == 0 && *d.req_room_o;
        *d.push_rsp_i = what > 1 && *d.rsp_room_o;
        hd_eval(d.m);
        if (*d.req_valid_o && *d.req_ready_i)
            memmove(req, req + 1, --reqs * sizeof *req);
        if (*d.rsp_valid_o && *d.rsp_ready_i)
            memmove(rsp, rsp + 1, --rsps * sizeof *rsp);
        if (*d.push_req_i)
            req[reqs++] = p, seen[0]++;
        coming = *d.push_rsp_i;
        if (coming) {
            rsp[rsps++] = p;
            from_wb = *d.from_wb_i, wb_last = *d.wb_idx_i;
            seen[1 + from_wb]++;
        }
        hd_edge(d.m);
    }
    assert_true(seen[0] > 200 && seen[1] > 200 && seen[2] > 200 && full > 200);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(packets_leave_in_order)};

    return HD_UNIT_MAIN(argc, argv, t);
}
