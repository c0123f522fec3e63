/* test_hd_coh_recalls.c - every sharer of a recalled line is told once; rows are to be filled in the order they got free. */
/* dut: hd_coh_recalls Sms=65 RowW=4 IdxW=3 Rows=3 */
/* dut: hd_coh_recalls Inclusive=0 Sms=1 RowW=4 IdxW=3 Rows=3 */
#include "hd_unit.h"
#include "hd_coh_recalls_dut.h"
#include "hd_head.h"

#ifndef P_Inclusive
#define P_Inclusive 1
#endif
enum { BYTES = (P_Sms + 31) / 32 * 4 };
static struct hd_coh_recalls d;

/* The lowest SM of a set, P_Sms of an empty one. */
static unsigned lowest(const uint8_t *set_of_sms)
{
    unsigned sm = 0;

    while (sm < P_Sms && !(set_of_sms[sm / 8] >> sm % 8 & 1))
        sm++;
    return sm;
}

/* Few SMs, so that a recall ends soon, or any. */
static void some_sms(uint8_t *set_of_sms)
{
    memset(set_of_sms, 0, BYTES);
    if (hd_rand_below(8) == 0)
        hd_bits_random(set_of_sms, P_Sms);
    for (unsigned n = (unsigned)hd_rand_below(4); n > 0; n--)
        hd_bits_put(set_of_sms, (unsigned)hd_rand_below(P_Sms), 1, 1);
}

/* The head of an INV for line @addr to SM @to. */
static void is_inv(unsigned part, unsigned to, uint32_t addr)
{
    uint8_t head[HD_HEAD_BYTES(HD_HEAD_W)] = {0};

    hd_head_put(head, HD_MSG_INV, HD_L2(part), HD_SM(to));
    hd_bits_put(head, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, addr);
    hd_head_same(d.inv_head_o, head, HD_HEAD_W);
}

static void sharers_are_told_and_rows_filled(void **state)
{
    uint8_t left[BYTES] = {0}, sharers[BYTES], want[BYTES];
    unsigned addr = 0, fills = 0, invs = 0, recalls = 0, waits = 0, out = 0;
    unsigned q[P_Rows];

    (void)state;
    hd_coh_recalls_open(&d);
    hd_reset(d.m);
    for (unsigned n = 0; n < 20000; n++) {
        const unsigned kind = (unsigned)hd_rand_below(4), to = lowest(left);
        unsigned who = (unsigned)hd_rand_below(P_Sms);

        some_sms(sharers);
        if (hd_rand_below(2) && lowest(sharers) < P_Sms)
            who = lowest(sharers);
        bool ack = false, share = false, taken = false;

        *d.do_i = 0;
        if (hd_rand_below(2) && to < P_Sms)
            taken = true, HD_PUT(d.do_i, COH_RECALL_DO_INV, 1);
        *d.who_i = (uint8_t)who;
        memcpy(d.sharers_i, sharers, hd_bits_bytes(P_Sms));
        *d.part_id_i = (uint8_t)hd_rand_below(1u << HD_NODE_W);
        *d.addr_i = (uint32_t)hd_rand(), *d.place_i = (uint8_t)hd_rand_below(1u << (P_RowW + P_IdxW));
        memcpy(want, sharers, BYTES);
        if (kind == 1 && P_Inclusive) {
            HD_PUT(d.do_i, COH_RECALL_DO_FETCH, 1);
            memset(want, 0, BYTES);
        } else if (kind == 2 && P_Inclusive) {
            share = true, HD_PUT(d.do_i, COH_RECALL_DO_SHARE, 1);
            hd_bits_put(want, who, 1, 1);
        } else if (kind == 3 && P_Inclusive && out < P_Rows && hd_bits_get(sharers, who, 1)) {
            ack = true, HD_PUT(d.do_i, COH_RECALL_DO_ACK, 1);
            hd_bits_put(want, who, 1, 0);
        }
        hd_eval(d.m);
        if (!P_Inclusive) {
            assert_true(*d.has_o == 1u << HD_COH_RECALL_HAS_IDLE_LSB && !*d.we_o);
            hd_edge(d.m);
            continue;
        }
        assert_memory_equal(d.sharers_o, want, hd_bits_bytes(P_Sms));
        assert_int_equal(*d.we_o, share || ack);
        assert_int_equal(HD_GET(d.has_o, COH_RECALL_HAS_FREE), to == P_Sms);
        assert_int_equal(HD_GET(d.has_o, COH_RECALL_HAS_INV), to < P_Sms);
        assert_int_equal(HD_GET(d.has_o, COH_RECALL_HAS_FILL), out > 0);
        assert_int_equal(HD_GET(d.has_o, COH_RECALL_HAS_IDLE), to == P_Sms && out == 0);
        if (to < P_Sms) {
            is_inv(*d.part_id_i, to, addr);
            if (taken)
                hd_bits_put(left, to, 1, 0), invs++;
            else
                waits++;
        } else if (lowest(sharers) < P_Sms && !ack && hd_rand_below(4) == 0) {
            HD_PUT(d.do_i, COH_RECALL_DO_START, 1);
            memcpy(left, sharers, BYTES);
            addr = *d.addr_i;
            recalls++;
        }
        if (out > 0) {
            assert_int_equal(*d.fill_o, q[0]);
            if (hd_rand_below(8) == 0) {
                HD_PUT(d.do_i, COH_RECALL_DO_FILLED, 1);
                memmove(&q[0], &q[1], --out * sizeof q[0]);
            }
        }
        if (ack && lowest(want) == P_Sms) {
            q[out++] = *d.place_i;
            fills++;
        }
        hd_edge(d.m);
    }
    assert_true(!P_Inclusive || (recalls > 500 && invs > recalls && fills > 100 && waits > 500));
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(sharers_are_told_and_rows_filled)};

    return HD_UNIT_MAIN(argc, argv, t);
}
