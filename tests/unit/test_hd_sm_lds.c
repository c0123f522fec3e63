/* test_hd_sm_lds.c - the LDS of an SM: what lanes store and what copies bring is what loads find, transactions or not. */
/* dut: hd_sm_lds Lanes=4 LineWords=8 LdsRows=4 LdsBanks=4 Copies=2 SlotW=11 */
/* dut: hd_sm_lds Lanes=4 LineWords=8 LdsRows=4 LdsBanks=4 Copies=0 */
/* dut: hd_sm_lds Lanes=4 LineWords=8 LdsRows=4 LdsBanks=4 LocalTm=1 Warps=4 TmWarps=2 TmRows=4 TmHash=4 */
/* dut-rtl: hd_sm_lds Lanes=4 LineWords=8 LdsRows=4 LdsBanks=4 LocalTm=2 Warps=4 TmWarps=2 TmRows=4 TmHash=4 */
#include "hd_unit.h"
#include "hd_access.h"
#include "hd_sm_lds_dut.h"

#ifndef P_Copies
#define P_Copies 0
#endif
enum { LDS_W = 5, WORDS = 32 };

static struct hd_sm_lds d;
static uint32_t ref[WORDS];

/* lo's access of all lanes to words 5 * lane + @first, and its data. */
static void drive(struct hd_access a, unsigned first, const uint32_t *data)
{
    hd_bits_put(d.lo_acc_i, 0, HD_ACCESS_W, hd_access_pack(a));
    hd_bits_put(d.lo_mask_i, 0, P_Lanes, 0xf);
    for (unsigned l = 0; l < P_Lanes; l++) {
        hd_bits_put(d.lo_word_i, l * LDS_W, LDS_W, (first + 5 * l) % WORDS);
        hd_bits_put(d.lo_cmp_i, l * 32, 32, 4 * ((first + 5 * l) % WORDS));
        hd_bits_put(d.lo_data_i, l * 32, 32, data ? data[l] : (uint32_t)hd_rand());
    }
}

/* Waits for the next performed access, which must be @a's, and its completion. */
static void is_performed(struct hd_access a, bool copy)
{
    for (unsigned t = 0; t < 20 && !*d.perf_valid_o; t++)
        hd_edge(d.m);
    assert_int_equal(*d.perf_valid_o, 1);
    assert_int_equal(*d.perf_warp_o, a.warp);
    assert_int_equal(hd_bits_get(d.perf_slot_o, 0, HD_SLOT_W), a.slot);
    assert_int_equal(hd_bits_get(d.perf_lanes_o, 0, HD_SM_LDS_W_perf_lanes_o), P_Lanes);
    hd_edge(d.m);
    assert_int_equal(*d.cpl_valid_o, 1);
    assert_int_equal(hd_bits_get(d.cpl_o, HD_COMPLETION_STATUS_LSB + HD_STATUS_COPY, 1), copy);
    assert_int_equal(hd_bits_get(d.cpl_tcm_o, 0, P_Lanes), 0);
}

static void access_lds(struct hd_access a, unsigned first, const uint32_t *data)
{
    bool taken = false;

    drive(a, first, data);
    *d.lo_valid_i = 1;
    for (unsigned t = 0; t < 20 && !taken; t++) {
        hd_eval(d.m);
        taken = *d.lo_ready_o;
        hd_edge(d.m);
    }
    assert_true(taken);
    *d.lo_valid_i = 0;
    hd_eval(d.m);
    is_performed(a, false);
}

/* The L1 takes a copy and, @later cycles after, performs it. */
static void copy(struct hd_access a, unsigned first, const uint32_t *data, unsigned later)
{
    hd_eval(d.m);
    assert_int_equal(*d.copy_room_o, 1);
    drive(a, first, NULL);
    *d.copy_in_i = 1;
    hd_edge(d.m);
    *d.copy_in_i = 0;
    for (unsigned t = 0; t < later; t++) {
        hd_eval(d.m);
        assert_int_equal(*d.perf_valid_o, 0);
        hd_edge(d.m);
    }
    *d.l1_perf_valid_i = 1;
    *d.l1_perf_warp_i = (uint8_t)a.warp;
    hd_bits_put(d.l1_perf_slot_i, 0, HD_SLOT_W, a.slot);
    hd_bits_put(d.l1_perf_slot_i, HD_SLOT_W, HD_SM_LDS_W_l1_perf_slot_i - HD_SLOT_W, a.tag);
    hd_eval(d.m);
    assert_int_equal(*d.copy_mine_o, 1);
    hd_edge(d.m);
    *d.l1_perf_valid_i = 0;
    hd_bits_put(d.l1_cpl_mask_i, 0, P_Lanes, 0xf);
    for (unsigned l = 0; l < P_Lanes; l++)
        hd_bits_put(d.l1_cpl_data_i, l * 32, 32, data[l]);
    hd_edge(d.m);
    is_performed(a, true);
}

static void loads_find_what_stores_and_copies_have_left(void **state)
{
    unsigned copies = 0;

    (void)state;
    hd_sm_lds_open(&d);
    hd_reset(d.m);
    *d.perf_ready_i = *d.perf_last_i = 1;
    for (unsigned i = 0; i < 400; i++) {
        struct hd_access a = {.warp = (unsigned)hd_rand_below(4), .slot = (unsigned)hd_rand_below(4), .space = HD_SPACE_LDS};
        unsigned first = i < WORDS ? i : (unsigned)hd_rand_below(WORDS), kind = i < WORDS ? 0 : (unsigned)hd_rand_below(3);
        uint32_t data[P_Lanes];
        for (unsigned l = 0; l < P_Lanes; l++)
            data[l] = (uint32_t)hd_rand();
        if (kind == 2) {
            a.kind = HD_OP_LOAD;
            access_lds(a, first, NULL);
            for (unsigned l = 0; l < P_Lanes; l++)
                assert_int_equal(hd_bits_get(d.cpl_data_o, l * 32, 32), ref[(first + 5 * l) % WORDS]);
            continue;
        }
        if (kind == 1 && P_Copies != 0) {
            a.kind = HD_OP_COPY;
            a.space = HD_SPACE_GLOBAL;
            copy(a, first, data, (unsigned)hd_rand_below(5));
            copies++;
        } else {
            a.kind = HD_OP_STORE;
            access_lds(a, first, data);
        }
        for (unsigned l = 0; l < P_Lanes; l++)
            ref[(first + 5 * l) % WORDS] = data[l];
    }
    for (unsigned t = 0; t < 10 && !*d.idle_o; t++)
        hd_edge(d.m);
    assert_int_equal(*d.idle_o, 1);
    assert_true(P_Copies == 0 || copies > 50);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(loads_find_what_stores_and_copies_have_left)};

    return HD_UNIT_MAIN(argc, argv, t);
}
