/* test_hd_coh_links.c - the link out is led back to the link in: what is sent arrives, each network in order, RSP whatever
 * the heads do; no flit leaves without its credit. */
/* dut: hd_coh_links TxHead=1 RxHead=1 LineWords=8 WordW=32 FlitWords=4 RxDepth=3 TxCredits=3 */
/* dut-rtl: hd_coh_links TxHead=0 RxHead=0 LineWords=16 WordW=64 FlitWords=4 RxDepth=8 TxCredits=5 */
#include "hd_unit.h"
#include "hd_coh_links_dut.h"
#include "hd_bits.h"

enum { WORDS = P_LineWords, W = P_WordW, FLIT = P_FlitWords * W, QUEUE = 64, WAY = 3, BYTES = 2 * (HD_HEAD_W + 31) / 32 * 4 };

struct packet {
    uint32_t head[BYTES / 4];
    uint64_t data[WORDS];
};

struct flit {
    bool valid, tail;
    unsigned vn;
    uint32_t bits[FLIT / 32];
};

static void packets_arrive_in_order(void **state)
{
    struct hd_coh_links d;
    static struct packet heads[QUEUE], rsps[QUEUE], head, rsp;
    static struct flit way[WAY];
    unsigned n_heads = 0, n_rsps = 0, credits[WAY] = {0}, flits[4] = {0}, tails[4] = {0}, got[2] = {0}, held = 0, passed = 0;
    bool last[4] = {true, true, true, true}, head_on = false, rsp_on = false, ticked = false;

    (void)state;
    memset(way, 0, sizeof way);
    hd_coh_links_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < 30000; n++) {
        const bool rest = n % 1000 >= 500; /* nothing new: in the end all has arrived and every credit is back */
        const bool stuck = n / 1000 % 4 == 3 && !rest; /* nobody takes heads: RSP goes on */

        if (!rest && !head_on && n_heads < QUEUE / 2 && hd_rand_below(3) == 0) {
            head_on = true;
            hd_bits_random(head.head, HD_HEAD_W);
            hd_bits_random(d.tx_head_i, HD_HEAD_W);
            for (unsigned b = 0; b < HD_HEAD_W; b += 16)
                hd_bits_put(d.tx_head_i, b, 16, hd_bits_get(head.head, b, 16));
        }
        if (!rest && !rsp_on && n_rsps < QUEUE / 2 && hd_rand_below(4) == 0) {
            rsp_on = true;
            hd_bits_random(rsp.head, HD_HEAD_W);
            const uint32_t mask = (uint32_t)hd_bits_random_mask(WORDS);
            hd_bits_put(rsp.head, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, hd_rand_below(2) ? HD_MSG_DATA_S : HD_MSG_WB);
            hd_bits_put(rsp.head, HD_HEAD_WMASK_LSB, HD_COH_WORDS, mask); /* above: what DENOVO says more */
            for (unsigned b = 0; b < HD_HEAD_W; b += 16)
                hd_bits_put(d.tx_rsp_head_i, b, 16, hd_bits_get(rsp.head, b, 16));
            for (unsigned w = 0; w < WORDS; w++) {
                rsp.data[w] = hd_rand() & (UINT64_MAX >> (64 - W));
                hd_bits_put(d.tx_rsp_data_i, w * W, W, rsp.data[w]);
            }
        }
        *d.tx_head_valid_i = head_on, *d.tx_rsp_valid_i = rsp_on;
        *d.tick_i = (uint8_t)(hd_rand_below(4) != 0);
        *d.rx_head_ready_i = !stuck && hd_rand_below(2), *d.rx_rsp_ready_i = hd_rand_below(4) != 0;
        *d.dn_valid_i = way[0].valid, *d.dn_vn_i = (uint8_t)way[0].vn, *d.dn_tail_i = way[0].tail;
        for (unsigned b = 0; b < FLIT; b += 32)
            hd_bits_put(d.dn_flit_i, b, 32, way[0].bits[b / 32]);
        *d.up_credit_i = (uint8_t)credits[0];
        hd_eval(d.m);
        if (n % 1000 == 999) { /* and the last flit of every packet said so */
            assert_true(*d.idle_o && *d.sent_o && *d.credit_home_o && n_heads == 0 && n_rsps == 0 && !head_on && !rsp_on);
            assert_true(last[P_TxHead] && last[HD_VN_RSP]);
            assert_int_equal(tails[P_TxHead], got[0]);
            assert_int_equal(tails[HD_VN_RSP], got[1]);
        } else if (n_heads > 0 || n_rsps > 0) {
            assert_false(*d.idle_o && *d.credit_home_o);
        }
        if (*d.idle_o && !*d.tx_head_valid_i && !*d.tx_rsp_valid_i && !*d.dn_valid_i && !*d.up_credit_i && hd_rand_below(4) == 0)
            hd_assert_frozen(d.m);
        if (head_on && *d.tx_head_ready_o)
            heads[n_heads++] = head, head_on = false;
        if (rsp_on && *d.tx_rsp_ready_o)
            rsps[n_rsps++] = rsp, rsp_on = false;
        if (*d.rx_head_valid_o && *d.rx_head_ready_i) {
            assert_true(n_heads > 0);
            for (unsigned b = 0; b < HD_HEAD_W; b += 16)
                assert_int_equal(hd_bits_get(d.rx_head_o, b, 16), hd_bits_get(heads[0].head, b, 16));
            memmove(heads, heads + 1, --n_heads * sizeof *heads);
            got[0]++;
        }
        if (*d.rx_rsp_valid_o && *d.rx_rsp_ready_i) {
            assert_true(n_rsps > 0);
            for (unsigned b = 0; b < HD_HEAD_W; b += 16)
                assert_int_equal(hd_bits_get(d.rx_rsp_head_o, b, 16), hd_bits_get(rsps[0].head, b, 16));
            for (unsigned w = 0; w < WORDS; w++)
                if (hd_bits_get(rsps[0].head, HD_HEAD_WMASK_LSB + w, 1))
                    assert_true(hd_bits_get(d.rx_rsp_data_o, w * W, W) == rsps[0].data[w]);
            memmove(rsps, rsps + 1, --n_rsps * sizeof *rsps);
            got[1]++;
            passed += stuck;
        }
        const struct flit out = {.valid = *d.up_valid_o, .tail = *d.up_tail_o, .vn = *d.up_vn_o};
        const unsigned back = *d.dn_credit_o;
        struct flit next = out;
        for (unsigned b = 0; b < FLIT; b += 32)
            next.bits[b / 32] = (uint32_t)hd_bits_get(d.up_flit_o, b, 32);
        if (out.valid) { /* flits on their way or in the buffer: never more than credits */
            assert_true(ticked && (out.vn == HD_VN_RSP || out.vn == P_TxHead));
            assert_true(++flits[out.vn] <= P_TxCredits);
            tails[out.vn] += last[out.vn] = out.tail;
        }
        for (unsigned v = 0; v < HD_NETS; v++)
            flits[v] -= credits[0] >> v & 1;
        held += flits[P_TxHead] == P_TxCredits;
        if (*d.credit_home_o && !out.valid)
            assert_true(flits[HD_VN_RSP] == 0 && flits[P_TxHead] == 0);
        ticked = *d.tick_i;
        hd_edge(d.m);
        memmove(way, way + 1, (WAY - 1) * sizeof *way);
        way[WAY - 1] = next;
        memmove(credits, credits + 1, (WAY - 1) * sizeof *credits);
        credits[WAY - 1] = back;
    }
    assert_true(got[0] > 1000 && got[1] > 1000 && passed > 200 && held > 200);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(packets_arrive_in_order)};

    return HD_UNIT_MAIN(argc, argv, t);
}
