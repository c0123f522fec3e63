/* test_hd_gpu_top.c - the whole chip from its warp and memory ports, both clocks driven, memory by tb/mem/dram.c. */
/* dut-rtl: hd_gpu_top Sms=3 PartBits=1 Warps=4 Lanes=4 LineWords=8 Slots=2 Blocks=2 MshrEntries=4 MshrTargets=8 StoreData=4 CasData=2 MergeLanes=8 L1Sets=2 L1Ways=2 LdsRows=2 WbEntries=2 L2Sets=2 L2Ways=4 L2Mshr=4 Depth=6 MemCredits=2 ClkRatio=2 LatSmXbar=8 LatXbarL2=6 LatL2Xbar=6 LatXbarSm=8 LatCredit=4 */
/* dut-rtl: hd_gpu_top Sms=2 PartBits=0 Warps=3 Lanes=2 LineWords=8 Slots=1 Blocks=1 MshrEntries=2 MshrTargets=4 StoreData=2 CasData=1 MergeLanes=4 L1Sets=2 L1Ways=2 LdsRows=1 WbEntries=1 L2Sets=4 L2Ways=2 L2Mshr=2 Depth=2 MemCredits=1 ClkRatio=1 LatSmXbar=1 LatXbarL2=1 LatL2Xbar=1 LatXbarSm=1 LatCredit=1 */
/* dut-net: hd_gpu_top Sms=2 PartBits=0 Warps=2 Lanes=2 LineWords=8 Slots=1 Blocks=1 MshrEntries=2 MshrTargets=3 StoreData=2 CasData=1 MergeLanes=4 L1Sets=2 L1Ways=2 LdsRows=1 WbEntries=1 L2Sets=4 L2Ways=2 L2Mshr=2 Depth=2 MemCredits=1 ClkRatio=2 LatSmXbar=4 LatXbarL2=2 LatL2Xbar=2 LatXbarSm=4 LatCredit=2 */
/* src: tb/mem/dram.c */
#include "hd_unit.h"
#include "hd_gpu_top_dut.h"
#include "hd_pkg.h"
#include "mem/dram.h"

enum { SMS = P_Sms, PARTS = 1 << P_PartBits, WARPS = P_Warps, LANES = P_Lanes, LINE = 4 * P_LineWords };
enum { ALL = (1 << LANES) - 1, OWN_WORDS = 12, PATIENCE = 20000, DRAM_LATENCY = 20 };
enum { UP = P_LatSmXbar + P_LatXbarL2, DOWN = P_LatL2Xbar + P_LatXbarSm };
enum { COUNTERS = 0x100, OWN = 0x1000 };

static struct hd_gpu_top d;
static struct hd_dram *dram[PARTS];
static uint64_t now;
static uint64_t sm_events[HD_EV_SM_NUM], l2_events[HD_EV_L2_NUM], xbar_events[2 * HD_EV_XBAR_NUM];

/* A warp's present operation. */
enum phase { FREE, WAITING, OFFERED, TAKEN };
static struct warp {
    enum phase phase;
    unsigned kind, fn, mask, missing;
    uint32_t addr[LANES], data[LANES], got[LANES];
    uint64_t taken, done;
} warp[SMS][WARPS];
static bool flush_done[SMS];

/* ---- bits of a port, whatever its type ------------------------------------------------------------------------- */

static void put(void *port, unsigned lsb, unsigned width, uint64_t value)
{
    uint8_t *bytes = port;

    for (unsigned i = 0; i < width; i++, lsb++)
        bytes[lsb / 8] = (uint8_t)((bytes[lsb / 8] & ~(1u << lsb % 8)) | (value >> i & 1) << lsb % 8);
}

static uint64_t get(const void *port, unsigned lsb, unsigned width)
{
    const uint8_t *bytes = port;
    uint64_t value = 0;

    for (unsigned i = 0; i < width; i++, lsb++)
        value |= (uint64_t)(bytes[lsb / 8] >> lsb % 8 & 1) << i;
    return value;
}

/* ---- one cycle -------------------------------------------------------------------------------------------------- */

static void offer(unsigned s)
{
    put(d.op_valid_i, s, 1, 0);
    for (unsigned w = 0; w < WARPS; w++) {
        struct warp *p = &warp[s][w];
        if (p->phase != WAITING)
            continue;
        put(d.op_valid_i, s, 1, 1);
        put(d.op_warp_i, s * HD_WARP_W, HD_WARP_W, w);
        put(d.op_kind_i, s * 4, 4, p->kind);
        put(d.op_fn_i, s * 4, 4, p->fn);
        put(d.op_mask_i, s * LANES, LANES, p->mask);
        for (unsigned l = 0; l < LANES; l++) {
            put(d.op_addr_i, 32 * (s * LANES + l), 32, p->addr[l]);
            put(d.op_data_i, 32 * (s * LANES + l), 32, p->data[l]);
        }
        p->phase = p->kind == HD_OP_LAUNCH || p->kind == HD_OP_FLUSH ? FREE : OFFERED;
        return;
    }
}

static void observe(unsigned s)
{
    if (get(d.op_taken_o, s, 1)) {
        struct warp *p = &warp[s][get(d.op_taken_warp_o, s * HD_WARP_W, HD_WARP_W)];
        assert_int_equal(p->phase, OFFERED);
        p->phase = TAKEN;
        p->missing = p->mask;
        p->taken = now;
    }
    if (get(d.cpl_valid_o, s, 1)) {
        struct warp *p = &warp[s][get(d.cpl_warp_o, s * HD_WARP_W, HD_WARP_W)];
        unsigned lanes = (unsigned)get(d.cpl_mask_o, s * LANES, LANES);
        assert_int_equal(p->phase, TAKEN);
        assert_int_equal(lanes & ~p->missing, 0);
        for (unsigned l = 0; l < LANES; l++)
            if (lanes >> l & 1)
                p->got[l] = (uint32_t)get(d.cpl_data_o, 32 * (s * LANES + l), 32);
        p->missing &= ~lanes;
        assert_int_equal(get(d.cpl_last_o, s, 1), p->missing == 0);
        if (p->missing == 0) {
            p->phase = FREE;
            p->done = now;
        }
    }
    flush_done[s] |= get(d.flush_done_o, s, 1);
    for (unsigned e = 0; e < HD_EV_SM_NUM; e++)
        sm_events[e] += get(d.ev_sm_o, s * HD_EV_SM_NUM + e, 1);
}

static void drive_memory(unsigned p)
{
    uint8_t tid;

    hd_dram_advance(dram[p], now);
    const uint32_t *answer = hd_dram_answer(dram[p], now, &tid);
    put(d.mreq_credit_i, p, 1, hd_dram_credit(dram[p]));
    put(d.mrsp_valid_i, p, 1, answer != NULL);
    if (answer == NULL)
        return;
    put(d.mrsp_tid_i, p * HD_TID_W, HD_TID_W, tid);
    for (unsigned i = 0; i < LINE / 4; i++)
        put(d.mrsp_data_i, p * LINE * 8 + 32 * i, 32, answer[i]);
}

static void read_memory(unsigned p)
{
    uint32_t line[LINE / 4];

    if (get(d.mrsp_credit_o, p, 1))
        assert_true(hd_dram_answer_taken(dram[p]));
    for (unsigned e = 0; e < HD_EV_L2_NUM; e++)
        l2_events[e] += get(d.ev_l2_o, p * HD_EV_L2_NUM + e, 1);
    if (!get(d.mreq_valid_o, p, 1))
        return;
    for (unsigned i = 0; i < LINE / 4; i++)
        line[i] = (uint32_t)get(d.mreq_data_o, p * LINE * 8 + 32 * i, 32);
    assert_true(hd_dram_push(dram[p], now, get(d.mreq_write_o, p, 1),
                             (uint32_t)get(d.mreq_addr_o, p * HD_ADDR_W, HD_ADDR_W),
                             (uint8_t)get(d.mreq_tid_o, p * HD_TID_W, HD_TID_W), line));
}

static void edge(void)
{
    *d.now_i = (uint32_t)now;
    *d.clk_i = *d.clk_slow_i = 0;
    hd_eval(d.m);
    *d.clk_i = 1;
    *d.clk_slow_i = now % P_ClkRatio == 0;
    hd_eval(d.m);
}

static void cycle(void)
{
    bool slow = now % P_ClkRatio == 0;

    for (unsigned s = 0; s < SMS; s++)
        offer(s);
    for (unsigned p = 0; slow && p < PARTS; p++)
        drive_memory(p);
    edge();
    for (unsigned s = 0; s < SMS; s++)
        observe(s);
    for (unsigned p = 0; slow && p < PARTS; p++)
        read_memory(p);
    for (unsigned e = 0; slow && e < 2 * HD_EV_XBAR_NUM; e++)
        xbar_events[e] += get(d.ev_xbar_o, e, 1);
    now++;
}

static bool quiet(void)
{
    bool is = *d.idle_o;

    for (unsigned p = 0; p < PARTS; p++)
        is = is && hd_dram_idle(dram[p]);
    return is;
}

static void run_until_quiet(void)
{
    for (unsigned n = 0; n < 4 || !quiet(); n++) {
        if (n == PATIENCE)
            fail_msg("not quiet after %d cycles", (int)PATIENCE);
        cycle();
    }
    for (unsigned s = 0; s < SMS; s++)
        for (unsigned w = 0; w < WARPS; w++)
            assert_int_equal(warp[s][w].phase, FREE);
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

static void start(unsigned s, unsigned w, unsigned kind, unsigned mask)
{
    warp[s][w].kind = kind;
    warp[s][w].fn = HD_AT_ADD;
    warp[s][w].mask = mask;
    warp[s][w].phase = WAITING;
}

static int setup(void **state)
{
    const struct hd_dram_params params = {.line_bytes = LINE, .part_bits = P_PartBits, .word_units = 1,
        .credits = P_MemCredits, .latency = DRAM_LATENCY, .banks = 2, .row_bytes = 256, .bytes_per_cycle = 8,
        .row_miss = 10};

    (void)state;
    hd_gpu_top_open(&d);
    now = 0;
    memset(warp, 0, sizeof warp);
    memset(flush_done, 0, sizeof flush_done);
    for (unsigned p = 0; p < PARTS; p++) {
        dram[p] = hd_dram_new(&params);
        assert_non_null(dram[p]);
    }
    hd_model_zero_inputs(d.m);
    *d.rst_i = 1;
    edge();
    edge();
    *d.rst_i = 0;
    for (unsigned s = 0; s < SMS; s++) {
        for (unsigned w = 0; w < WARPS; w++) {
            start(s, w, HD_OP_LAUNCH, 0);
            cycle();
        }
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    for (unsigned p = 0; p < PARTS; p++)
        hd_dram_free(dram[p]);
    hd_close(d.m);
    return 0;
}

static void run_until_done(unsigned s, unsigned w)
{
    for (unsigned n = 0; warp[s][w].phase != FREE; n++) {
        if (n == PATIENCE)
            fail_msg("SM %u warp %u: not done after %d cycles", s, w, (int)PATIENCE);
        cycle();
        if (warp[s][w].phase == TAKEN)
            assert_false(quiet());
    }
}

static void a_chip_without_work_is_idle(void **state)
{
    (void)state;
    run_until_quiet();
    for (unsigned n = 0; n < 50; n++) {
        cycle();
        assert_true(quiet());
    }
}

/* A miss asks its L2 tile and memory; a line another SM has modified is fetched from there: two round trips. */
static void a_store_is_read_by_another_sm_after_the_latencies_of_its_links(void **state)
{
    (void)state;
    for (unsigned part = 0; part < PARTS; part++) {
        uint32_t addr = 0x400 + part * LINE;
        for (unsigned l = 0; l < LANES; l++) {
            warp[0][0].addr[l] = warp[1][1].addr[l] = addr + 4 * l;
            warp[0][0].data[l] = 100 * part + l;
        }
        start(0, 0, HD_OP_STORE, ALL);
        run_until_done(0, 0);
        assert_in_range(warp[0][0].done - warp[0][0].taken, UP + DOWN + DRAM_LATENCY, PATIENCE);
        start(1, 1, HD_OP_LOAD, ALL);
        run_until_done(1, 1);
        assert_in_range(warp[1][1].done - warp[1][1].taken, 2 * (UP + DOWN), 2 * (UP + DOWN) + 60);
        for (unsigned l = 0; l < LANES; l++)
            assert_int_equal(warp[1][1].got[l], 100 * part + l);
        run_until_quiet();
    }
}

/* All lanes of all warps add to one counter a partition; every old value is returned once. */
static void atomics_of_all_sms_happen_one_after_the_other(void **state)
{
    enum { ROUNDS = 4, ADDS = SMS * WARPS * LANES * ROUNDS };
    static bool seen[PARTS][ADDS];

    (void)state;
    memset(seen, 0, sizeof seen);
    for (unsigned n = 0; n < ROUNDS * PARTS; n++) {
        for (unsigned s = 0; s < SMS; s++) {
            for (unsigned w = 0; w < WARPS; w++) {
                for (unsigned l = 0; l < LANES; l++) {
                    warp[s][w].addr[l] = COUNTERS + LINE * ((n + w) % PARTS);
                    warp[s][w].data[l] = 1;
                }
                start(s, w, HD_OP_ATOMIC, ALL);
            }
        }
        run_until_quiet();
        for (unsigned s = 0; s < SMS; s++) {
            for (unsigned w = 0; w < WARPS; w++) {
                for (unsigned l = 0; l < LANES; l++) {
                    assert_in_range(warp[s][w].got[l], 0, ADDS - 1);
                    assert_false(seen[(n + w) % PARTS][warp[s][w].got[l]]);
                    seen[(n + w) % PARTS][warp[s][w].got[l]] = true;
                }
            }
        }
    }
}

static uint32_t own_addr(unsigned s, unsigned w, unsigned l, unsigned word)
{
    return OWN + 4 * (((word * LANES + l) * WARPS + w) * SMS + s);
}

static void flush_everything(void)
{
    for (unsigned s = 0; s < SMS; s++)
        start(s, 0, HD_OP_FLUSH, 0);
    run_until_quiet();
    for (unsigned s = 0; s < SMS; s++)
        assert_true(flush_done[s]);
    while (now % P_ClkRatio != 0)
        cycle();
    put(d.flush_i, 0, PARTS, (1 << PARTS) - 1);
    cycle();
    while (now % P_ClkRatio != 0)
        cycle();
    put(d.flush_i, 0, PARTS, 0);
    run_until_quiet();
}

/* Lanes load and store words of their own in lines they share with all others: what is loaded is what was stored
 * last, and after a flush it is in memory. */
static void random_traffic_keeps_every_lanes_words(void **state)
{
    enum { STEPS = 15000 };
    static uint32_t word[SMS][WARPS][LANES][OWN_WORDS];
    static unsigned choice[SMS][WARPS][LANES];

    (void)state;
    memset(word, 0, sizeof word);
    memset(sm_events, 0, sizeof sm_events);
    memset(l2_events, 0, sizeof l2_events);
    memset(xbar_events, 0, sizeof xbar_events);
    for (unsigned n = 0; n < STEPS; n++) {
        unsigned s = (unsigned)hd_rand_below(SMS), w = (unsigned)hd_rand_below(WARPS);
        struct warp *p = &warp[s][w];
        if (p->phase != FREE) {
            cycle();
            continue;
        }
        for (unsigned l = 0; l < LANES; l++) {
            if (p->kind == HD_OP_LOAD && p->mask >> l & 1)
                assert_int_equal(p->got[l], word[s][w][l][choice[s][w][l]]);
            choice[s][w][l] = (unsigned)hd_rand_below(OWN_WORDS);
            p->addr[l] = own_addr(s, w, l, choice[s][w][l]);
            p->data[l] = (uint32_t)hd_rand();
        }
        start(s, w, hd_rand() & 1 ? HD_OP_LOAD : HD_OP_STORE, 1 + (unsigned)hd_rand_below(ALL));
        for (unsigned l = 0; l < LANES; l++)
            if (p->kind == HD_OP_STORE && p->mask >> l & 1)
                word[s][w][l][choice[s][w][l]] = p->data[l];
    }
    run_until_quiet();
    flush_everything();
    for (unsigned s = 0; s < SMS; s++)
        for (unsigned w = 0; w < WARPS; w++)
            for (unsigned l = 0; l < LANES; l++)
                for (unsigned n = 0; n < OWN_WORDS; n++) {
                    uint32_t addr = own_addr(s, w, l, n);
                    assert_int_equal(hd_dram_peek(dram[addr / LINE % PARTS], addr), word[s][w][l][n]);
                }
    assert_in_range(sm_events[HD_EV_SM_MISS], 20, STEPS);
    assert_in_range(sm_events[HD_EV_SM_INV], 3, STEPS);
    assert_in_range(sm_events[HD_EV_SM_FETCH], 3, STEPS);
    assert_in_range(sm_events[HD_EV_SM_EVICT_DIRTY], 3, STEPS);
    assert_in_range(l2_events[HD_EV_L2_MISS], 10, STEPS);
    assert_in_range(l2_events[HD_EV_L2_RECALL], 3, STEPS);
    assert_in_range(l2_events[HD_EV_L2_MEM_WRITE], 3, STEPS);
    assert_true(xbar_events[HD_EV_XBAR_FLIT] > 0 && xbar_events[HD_EV_XBAR_NUM + HD_EV_XBAR_FLIT] > 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_chip_without_work_is_idle, setup, teardown),
        cmocka_unit_test_setup_teardown(a_store_is_read_by_another_sm_after_the_latencies_of_its_links, setup, teardown),
        cmocka_unit_test_setup_teardown(atomics_of_all_sms_happen_one_after_the_other, setup, teardown),
        cmocka_unit_test_setup_teardown(random_traffic_keeps_every_lanes_words, setup, teardown),
    };
    return HD_UNIT_MAIN(argc, argv, tests);
}
