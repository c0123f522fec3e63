/* test_hd_gpu_top.c - the whole chip from its warp and memory ports, both clocks driven, memory by tb/mem/dram.c. */
/* dut-rtl: hd_gpu_top Sms=3 PartBits=1 Warps=4 Lanes=4 LineWords=8 Slots=2 Blocks=2 MshrEntries=4 MshrTargets=8 StoreData=4 CasData=2 MergeLanes=8 L1Sets=2 L1Ways=2 LdsRows=2 LdsBanks=2 WbEntries=2 L2Sets=2 L2Ways=4 L2Mshr=4 QueueDepth=6 MemCredits=2 ClkRatio=2 LatSmXbar=8 LatXbarL2=6 LatL2Xbar=6 LatXbarSm=8 LatCredit=4 */
/* dut-rtl: hd_gpu_top Sms=2 PartBits=0 Warps=3 Lanes=2 LineWords=8 Slots=1 Blocks=1 MshrEntries=2 MshrTargets=4 StoreData=2 CasData=1 MergeLanes=4 L1Sets=2 L1Ways=2 LdsRows=1 WbEntries=1 L2Sets=4 L2Ways=2 L2Mshr=2 QueueDepth=2 MemCredits=1 ClkRatio=1 LatSmXbar=1 LatXbarL2=1 LatL2Xbar=1 LatXbarSm=1 LatCredit=1 */
/* dut-rtl: hd_gpu_top Noc=1 MeshX=2 MeshY=2 LatHop=3 Sms=3 PartBits=2 Warps=3 Lanes=4 LineWords=8 Slots=2 Blocks=1 MshrEntries=2 MshrTargets=4 StoreData=2 CasData=1 MergeLanes=8 L1Sets=2 L1Ways=2 LdsRows=2 WbEntries=1 L2Sets=2 L2Ways=4 L2Mshr=2 QueueDepth=8 FlitBytes=16 MemCredits=1 ClkRatio=1 LatSmXbar=2 LatXbarL2=1 LatL2Xbar=1 LatXbarSm=2 LatCredit=1 */
/* dut-net: hd_gpu_top Sms=2 PartBits=0 Warps=2 Lanes=2 LineWords=8 Slots=1 Blocks=1 MshrEntries=2 MshrTargets=3 StoreData=2 CasData=1 MergeLanes=4 L1Sets=2 L1Ways=2 LdsRows=1 WbEntries=1 L2Sets=4 L2Ways=2 L2Mshr=2 QueueDepth=2 MemCredits=1 ClkRatio=2 LatSmXbar=4 LatXbarL2=4 LatL2Xbar=4 LatXbarSm=6 LatCredit=2 */
/* src: tb/mem/dram.c tb/image/image.c tb/counters.c tests/unit/mesi_env.c */
#include "mesi_env.h"
#include "hd_gpu_top_dut.h"
#include "mem/dram.h"

enum { SMS = P_Sms, PARTS = 1 << P_PartBits, WARPS = P_Warps, LANES = P_Lanes, LINE = 4 * P_LineWords };
enum { ALL = (1 << LANES) - 1, OWN_WORDS = 12, PATIENCE = 20000, DRAM_LATENCY = 20 };
enum { UP = P_LatSmXbar + P_LatXbarL2, DOWN = P_LatL2Xbar + P_LatXbarSm };
#ifdef P_Noc /* a mesh: events of all routers together */
enum { MESH = 1, NODES = P_MeshX * P_MeshY, NET_EVENTS = HD_EV_ROUTER_NUM };
#else
enum { MESH = 0, NODES = 1, NET_EVENTS = 2 * HD_EV_XBAR_NUM };
#endif
enum { LNO_W = HD_GPU_TOP_W_st_line_o / SMS };
enum { COUNTERS = 0x100, SHARED = 0x400, OWN = 0x800, OWN_STRIDE = 0x160, REGION = 0x2000 };

static struct hd_gpu_top d;
static struct hd_dram *dram[PARTS];
static uint64_t now;
static uint32_t base; /* address of the region in use; there is a second one where all its bits are inverted */
static uint64_t l2_events[HD_EV_L2_NUM], net_events[NET_EVENTS], reads, writes;

/* A warp's present operation. */
enum phase { FREE, WAITING, OFFERED, TAKEN };
struct warp {
    enum phase phase;
    unsigned kind, fn, space, order, scope, alu, mask, missing, slot;
    uint32_t addr[LANES], data[LANES], cmp[LANES], got[LANES], expected[LANES];
    bool expects;
    uint64_t taken, done;
};
static struct warp warp[SMS][WARPS];
static struct warp second[SMS]; /* offered by warp 0 while its first one is not done */

/* What one SM shows. */
static struct sm {
    uint64_t ev[HD_EV_SM_NUM];
    uint64_t mems, ctls, alus, accesses, local, stores, atomics, rmw_lanes, flushes, away, piped;
    unsigned arrived, release, mshr;
    uint8_t state[2 * REGION / LINE];
} sm[SMS];

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

static void drive(unsigned s, unsigned w, struct warp *p)
{
    put(d.op_valid_i, s, 1, 1);
    put(d.op_warp_i, s * HD_WARP_W, HD_WARP_W, w);
    put(d.op_kind_i, s * HD_OP_W, HD_OP_W, p->kind);
    put(d.op_fn_i, s * 4, 4, p->fn);
    put(d.op_space_i, s, 1, p->space);
    put(d.op_order_i, s * 3, 3, p->order);
    put(d.op_scope_i, s * 2, 2, p->scope);
    put(d.op_alu_i, s * HD_ALU_W, HD_ALU_W, p->alu);
    put(d.op_block_i, s * HD_BLOCK_W, HD_BLOCK_W, w % P_Blocks);
    put(d.op_mask_i, s * LANES, LANES, p->mask);
    for (unsigned l = 0; l < LANES; l++) {
        put(d.op_addr_i, 32 * (s * LANES + l), 32, p->addr[l]);
        put(d.op_data_i, 32 * (s * LANES + l), 32, p->data[l]);
        put(d.op_cmp_i, 32 * (s * LANES + l), 32, p->cmp[l]);
    }
    p->phase = p->kind == HD_OP_LAUNCH || p->kind == HD_OP_FLUSH ? FREE : OFFERED;
}

static void offer(unsigned s)
{
    put(d.op_valid_i, s, 1, 0);
    if (second[s].phase == WAITING) {
        drive(s, 0, &second[s]);
        return;
    }
    for (unsigned w = 0; w < WARPS; w++) {
        if (warp[s][w].phase == WAITING) {
            drive(s, w, &warp[s][w]);
            return;
        }
    }
}

static bool event(unsigned s, unsigned e)
{
    return get(d.ev_sm_o, s * HD_EV_SM_NUM + e, 1);
}

static unsigned ones(uint64_t v)
{
    unsigned n = 0;

    for (; v != 0; v &= v - 1)
        n++;
    return n;
}

/* An operation was issued. @return warps that are done with it at once. */
static unsigned see_taken(unsigned s)
{
    const unsigned w = (unsigned)get(d.op_taken_warp_o, s * HD_WARP_W, HD_WARP_W);
    struct warp *p = w == 0 && second[s].phase == OFFERED ? &second[s] : &warp[s][w % WARPS];

    assert_true(w < WARPS && p->phase == OFFERED);
    p->phase = TAKEN;
    p->missing = p->mask;
    p->taken = now;
    p->slot = (unsigned)get(d.op_taken_slot_o, s * HD_SLOT_W, HD_SLOT_W);
    sm[s].alus += p->alu;
    if (p->kind > HD_OP_ATOMIC) {
        sm[s].ctls++;
        if (p->kind == HD_OP_CLOCK)
            assert_int_equal(get(d.ctl_clock_o, s * 32, 32), (uint32_t)now);
        if (p->kind != HD_OP_BARRIER)
            return 1u << w;
        sm[s].arrived |= 1u << w;
        return 0;
    }
    assert_true(p->slot < P_Slots);
    sm[s].mems++;
    for (unsigned l = 0, done = 0; l < LANES; l++) { /* a line access for all lanes of a line */
        if (!((p->mask & ~done) >> l & 1))
            continue;
        for (unsigned k = l; k < LANES; k++)
            if ((p->mask >> k & 1) && p->addr[k] / LINE == p->addr[l] / LINE)
                done |= 1u << k;
        sm[s].accesses += p->space == HD_SPACE_GLOBAL;
        sm[s].stores += p->space == HD_SPACE_GLOBAL && p->kind == HD_OP_STORE;
        sm[s].atomics += p->space == HD_SPACE_GLOBAL && p->kind == HD_OP_ATOMIC;
    }
    sm[s].local += p->space == HD_SPACE_LDS;
    sm[s].rmw_lanes += p->kind == HD_OP_ATOMIC && p->space == HD_SPACE_GLOBAL ? ones(p->mask) : 0;
    return 0;
}

static void see_completion(unsigned s)
{
    const unsigned w = (unsigned)get(d.cpl_warp_o, s * HD_WARP_W, HD_WARP_W);
    const unsigned lanes = (unsigned)get(d.cpl_mask_o, s * LANES, LANES);
    struct warp *p = &warp[s][w % WARPS];

    assert_true(w < WARPS && p->phase == TAKEN);
    assert_int_equal(get(d.cpl_slot_o, s * HD_SLOT_W, HD_SLOT_W), p->slot);
    assert_true(lanes != 0 && (lanes & ~p->missing) == 0);
    for (unsigned l = 0; l < LANES; l++) {
        if (!(lanes >> l & 1))
            continue;
        p->got[l] = (uint32_t)get(d.cpl_data_o, 32 * (s * LANES + l), 32);
        if (p->expects)
            assert_int_equal(p->got[l], p->expected[l]);
    }
    p->missing &= ~lanes;
    assert_int_equal(get(d.cpl_last_o, s, 1), p->missing == 0);
    if (p->missing == 0) {
        p->phase = FREE;
        p->done = now;
    }
}

/* The warps of a block are done with a barrier one cycle after the last has arrived. */
static void see_barriers(unsigned s)
{
    for (unsigned b = 0; b < P_Blocks; b++) {
        unsigned all = 0;

        for (unsigned w = b; w < WARPS; w += P_Blocks)
            all |= 1u << w;
        if (all == 0 || (all & ~sm[s].arrived) != 0)
            continue;
        sm[s].arrived &= ~all;
        sm[s].release |= all;
    }
}

/* Does a test use the line at this place of a region? */
static bool used(uint32_t place)
{
    if (place >= OWN)
        return (place - OWN) / OWN_STRIDE < OWN_WORDS && (place - OWN) % OWN_STRIDE < 4 * LANES * WARPS * SMS;
    return (place >= COUNTERS && place < COUNTERS + PARTS * LINE) || (place >= SHARED && place < SHARED + PARTS * LINE);
}

/* A line changed its state: one writer or any number of readers, and an event says why it went. */
static void see_state(unsigned s)
{
    const uint32_t addr = (uint32_t)get(d.st_line_o, s * LNO_W, LNO_W) * LINE;
    const uint32_t place = addr - base < REGION ? addr - base : addr - (base ^ ~(uint32_t)(REGION - 1)) + REGION;
    const unsigned state = (unsigned)get(d.st_state_o, s * 2, 2);
    uint8_t *mine;

    assert_true(place < 2 * REGION && used(place % REGION));
    mine = &sm[s].state[place / LINE];
    assert_int_not_equal(*mine, state);
    if (state == HD_ST_I)
        assert_true(event(s, HD_EV_SM_FETCH)
                    || event(s, *mine == HD_ST_M ? HD_EV_SM_EVICT_DIRTY : HD_EV_SM_EVICT_CLEAN)
                    || (*mine == HD_ST_S && event(s, HD_EV_SM_INV)));
    *mine = (uint8_t)state;
    for (unsigned i = 0; i < SMS; i++) {
        const unsigned other = sm[i].state[place / LINE];

        if (i != s && state >= HD_ST_E)
            assert_int_equal(other, HD_ST_I);
        if (i != s && state == HD_ST_S)
            assert_true(other <= HD_ST_S);
    }
}

static void observe(unsigned s)
{
    const unsigned mshr = ones(get(d.dbg_mshr_o, s * P_MshrEntries, P_MshrEntries));
    const bool idle = get(d.sm_idle_o, s, 1), taken = get(d.op_taken_o, s, 1), done = get(d.cpl_valid_o, s, 1);
    unsigned now_done = sm[s].release, loads = 0, stores = 0;

    sm[s].release = 0;
    if (taken)
        now_done |= see_taken(s);
    see_barriers(s);
    assert_int_equal(get(d.ctl_done_o, s * WARPS, WARPS), now_done);
    for (unsigned w = 0; w < WARPS; w++) {
        struct warp *p = w == 0 && second[s].phase == TAKEN ? &second[s] : &warp[s][w];
        if (!(now_done >> w & 1))
            continue;
        assert_int_equal(p->phase, TAKEN);
        p->phase = FREE;
        p->done = now;
    }
    if (done)
        see_completion(s);
    for (unsigned w = 0; w < WARPS; w++) {
        const struct warp *p = &warp[s][w];
        if (p->phase == TAKEN && p->kind <= HD_OP_ATOMIC) {
            loads |= p->kind != HD_OP_STORE ? 1u << w : 0;
            stores |= p->kind != HD_OP_LOAD ? 1u << w : 0;
        }
    }
    assert_int_equal(get(d.dbg_ld_o, s * WARPS, WARPS), loads);
    assert_int_equal(get(d.dbg_st_o, s * WARPS, WARPS), stores);
    assert_int_equal(get(d.dbg_cause0_o, s * WARPS, WARPS) | get(d.dbg_cause1_o, s * WARPS, WARPS) |
                         get(d.dbg_cause2_o, s * WARPS, WARPS) | get(d.dbg_cause3_o, s * WARPS, WARPS), 0); /* Stalls=0 */
    if (get(d.st_valid_o, s, 1))
        see_state(s);
    else
        assert_false(event(s, HD_EV_SM_EVICT_CLEAN) || event(s, HD_EV_SM_EVICT_DIRTY));
    /* an entry comes with a miss and goes with a replay */
    if (event(s, HD_EV_SM_MISS))
        assert_int_equal(mshr, sm[s].mshr + 1);
    else
        assert_true(mshr == sm[s].mshr || (mshr + 1 == sm[s].mshr && event(s, HD_EV_SM_REPLAY)));
    sm[s].mshr = mshr;
    if (event(s, HD_EV_SM_REJECT))
        assert_true(get(d.dbg_pipe_o, s, 1));
    assert_int_equal(event(s, HD_EV_SM_ISSUE_MEM) + event(s, HD_EV_SM_ISSUE_CTL), taken);
    assert_int_equal(event(s, HD_EV_SM_FLUSH_DONE), get(d.flush_done_o, s, 1));
    if (idle) {
        assert_true(!taken && !done && now_done == 0 && !get(d.st_valid_o, s, 1) && !get(d.flush_done_o, s, 1));
        assert_int_equal(get(d.ev_sm_o, s * HD_EV_SM_NUM, HD_EV_SM_NUM) & ~(UINT64_C(1) << HD_EV_SM_STALL_PIPE), 0);
    } else {
        assert_false(*d.idle_o);
    }
    sm[s].away += !get(d.dbg_credit_home_o, s, 1);
    sm[s].piped += get(d.dbg_pipe_o, s, 1);
    for (unsigned e = 0; e < HD_EV_SM_NUM; e++)
        sm[s].ev[e] += event(s, e);
}

static void drive_memory(unsigned p)
{
    uint8_t tid;

    hd_dram_advance(dram[p], now);
    const uint32_t *answer = hd_dram_answer(dram[p], now, &tid);
    put(d.mreq_credit_i, p * 2, 1, hd_dram_credit(dram[p]));
    put(d.mrsp_valid_i, p, 1, answer != NULL);
    if (answer == NULL)
        return;
    put(d.mrsp_tid_i, p * HD_TID_W, HD_TID_W, tid);
    for (unsigned i = 0; i < LINE / 4; i++)
        put(d.mrsp_data_i, p * LINE * 8 + 32 * i, 32, answer[i]);
}

static void read_memory(unsigned p)
{
    const bool request = get(d.mreq_valid_o, p, 1), write = get(d.mreq_write_o, p, 1);
    const uint64_t ev = get(d.ev_l2_o, p * HD_EV_L2_NUM, HD_EV_L2_NUM);
    uint32_t line[LINE / 4];

    if (get(d.mrsp_credit_o, p, 1))
        assert_true(hd_dram_answer_taken(dram[p]));
    for (unsigned e = 0; e < HD_EV_L2_NUM; e++)
        l2_events[e] += ev >> e & 1;
    if (get(d.l2_idle_o, p, 1))
        assert_true(ev == 0 && !request && !get(d.mrsp_credit_o, p, 1));
    else
        assert_false(*d.idle_o);
    assert_false(get(d.obs_valid_o, p, 1)); /* write-through L2s show their writes */
    assert_int_equal(get(d.obs_src_o, p * HD_NODE_W, HD_NODE_W), 0);
    assert_int_equal(get(d.obs_opid_o, p * HD_OPID_W, HD_OPID_W), 0);
    assert_int_equal(get(d.obs_addr_o, p * HD_ADDR_W, HD_ADDR_W), 0);
    assert_int_equal(get(d.obs_mask_o, p * LINE / 4, LINE / 4), 0);
    for (unsigned i = 0; i < LINE / 4; i++)
        assert_true(get(d.obs_data_o, p * LINE * 8 + 32 * i, 32) == 0 && get(d.obs_new_o, p * LINE * 8 + 32 * i, 32) == 0);
    if (!request)
        return;
    assert_int_equal(get(d.mreq_addr_o, p * HD_ADDR_W, HD_ADDR_W) % LINE, 0);
    for (unsigned i = 0; i < LINE / 4; i++)
        line[i] = (uint32_t)get(d.mreq_data_o, p * LINE * 8 + 32 * i, 32);
    if (!write)
        assert_true(get(d.mreq_tid_o, p * HD_TID_W, HD_TID_W) < P_L2Mshr);
    reads += !write;
    writes += write;
    assert_true(hd_dram_push(dram[p], now, write, (uint32_t)get(d.mreq_addr_o, p * HD_ADDR_W, HD_ADDR_W),
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

static bool quiet(void)
{
    bool is = *d.idle_o;

    for (unsigned p = 0; p < PARTS; p++)
        is = is && hd_dram_idle(dram[p]);
    return is;
}

static void count_net(void)
{
    for (unsigned n = 0; n < NODES; n++)
        for (unsigned e = 0; e < NET_EVENTS; e++)
            net_events[e] += get(MESH ? (void *)d.ev_router_o : (void *)d.ev_xbar_o, n * NET_EVENTS + e, 1);
}

static void cycle(void)
{
    bool slow = now % P_ClkRatio == 0, waiting = false, resting = true;

    for (unsigned s = 0; s < SMS; s++)
        offer(s);
    for (unsigned p = 0; slow && p < PARTS; p++)
        drive_memory(p);
    edge();
    for (unsigned s = 0; s < SMS; s++)
        observe(s);
    for (unsigned p = 0; slow && p < PARTS; p++)
        read_memory(p);
    if (slow)
        count_net();
    for (unsigned s = 0; s < SMS; s++) {
        for (unsigned w = 0; w < WARPS; w++) {
            waiting = waiting || (warp[s][w].phase == TAKEN && warp[s][w].kind <= HD_OP_ATOMIC);
            resting = resting && warp[s][w].phase == FREE;
        }
    }
    if (waiting)
        assert_false(quiet());
    if (resting && slow && quiet()) { /* nothing is left anywhere */
        assert_int_equal(get(d.ev_xbar_o, 0, 2 * HD_EV_XBAR_NUM), 0);
        assert_int_equal(get(d.ev_router_o, 0, NODES * HD_EV_ROUTER_NUM), 0);
        for (unsigned s = 0; s < SMS; s++) {
            assert_int_equal(get(d.ev_sm_o, s * HD_EV_SM_NUM, HD_EV_SM_NUM), 0);
            assert_true(get(d.sm_idle_o, s, 1) && !get(d.dbg_pipe_o, s, 1) && get(d.dbg_credit_home_o, s, 1));
            assert_int_equal(sm[s].mshr, 0);
        }
        assert_int_equal(get(d.l2_idle_o, 0, PARTS), (1 << PARTS) - 1);
    }
    now++;
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

static struct warp *start(unsigned s, unsigned w, unsigned kind, unsigned mask)
{
    struct warp *p = &warp[s][w];

    p->kind = kind;
    p->fn = HD_AT_ADD;
    p->space = HD_SPACE_GLOBAL;
    p->order = HD_ORD_RELAXED;
    p->scope = HD_SCOPE_DEVICE;
    p->alu = 0;
    p->mask = mask;
    p->expects = false;
    p->phase = WAITING;
    return p;
}

/* The counters of the SMs, of the L2 and of this test tell the same story. */
static void counters_agree(void)
{
    uint64_t sum[HD_EV_SM_NUM] = {0};
    const uint64_t *l2 = l2_events, requests = l2[HD_EV_L2_GETS] + l2[HD_EV_L2_GETM] + l2[HD_EV_L2_UPG];

    for (unsigned s = 0; s < SMS; s++) {
        const uint64_t *ev = sm[s].ev;

        assert_int_equal(ev[HD_EV_SM_ISSUE_MEM], sm[s].mems);
        assert_int_equal(ev[HD_EV_SM_ISSUE_CTL], sm[s].ctls);
        assert_int_equal(ev[HD_EV_SM_ISSUE_ALU], sm[s].alus);
        assert_int_equal(ev[HD_EV_SM_ACCESS],
                         ev[HD_EV_SM_HIT] + ev[HD_EV_SM_MISS] + ev[HD_EV_SM_MERGE] + ev[HD_EV_SM_REJECT]);
        assert_int_equal(ev[HD_EV_SM_REJECT],
                         ev[HD_EV_SM_REJ_ENTRY] + ev[HD_EV_SM_REJ_MERGE] + ev[HD_EV_SM_REJ_QUEUE]);
        assert_int_equal(ev[HD_EV_SM_REPLAY], ev[HD_EV_SM_MISS] + ev[HD_EV_SM_MERGE]);
        assert_int_equal(ev[HD_EV_SM_HIT] + ev[HD_EV_SM_REPLAY], sm[s].accesses);
        assert_int_equal(ev[HD_EV_SM_LDS], sm[s].local);
        assert_int_equal(ev[HD_EV_SM_ACC_STORE], sm[s].stores);
        assert_int_equal(ev[HD_EV_SM_ACC_ATOMIC], sm[s].atomics);
        assert_int_equal(ev[HD_EV_SM_RMW_LANE], sm[s].rmw_lanes);
        assert_int_equal(ev[HD_EV_SM_FLUSH_DONE], sm[s].flushes);
        for (unsigned e = 0; e < HD_EV_SM_NUM; e++)
            sum[e] += ev[e];
    }
    /* no prefetches, pending request table, ordering hardware, write-through */
    for (unsigned e = HD_EV_SM_REJ_LINE; e < HD_ORDER_EV_FIRST + HD_ORDER_EV_NUM; e++)
        assert_int_equal(sum[e], 0);
    assert_int_equal(sum[HD_EV_SM_REJ_CREDIT] + sum[HD_EV_SM_WT], 0);
    for (unsigned e = HD_EV_L2_TYPE_REQ; e < HD_EV_L2_NUM; e++)
        assert_int_equal(l2[e], 0);
    assert_int_equal(l2[HD_EV_L2_GRANT], requests);
    assert_int_equal(l2[HD_EV_L2_HIT] + l2[HD_EV_L2_MISS] + l2[HD_EV_L2_CHAINED], requests);
    assert_int_equal(sum[HD_EV_SM_FILL] + sum[HD_EV_SM_LOST_COPY], requests);
    assert_int_equal(sum[HD_EV_SM_UPGRADE], l2[HD_EV_L2_UPG]);
    assert_int_equal(sum[HD_EV_SM_INV], l2[HD_EV_L2_INV_SENT]);
    assert_int_equal(sum[HD_EV_SM_FETCH], l2[HD_EV_L2_FETCH_SENT]);
    assert_int_equal(sum[HD_EV_SM_EVICT_DIRTY], l2[HD_EV_L2_PUTM]);
    assert_true(l2[HD_EV_L2_PUTE] <= sum[HD_EV_SM_EVICT_CLEAN] + sum[HD_EV_SM_LOST_COPY]);
    assert_true(l2[HD_EV_L2_ACK_M] <= l2[HD_EV_L2_UPG] && sum[HD_EV_SM_LOST_COPY] <= l2[HD_EV_L2_ACK_M]);
    assert_int_equal(l2[HD_EV_L2_MEM_READ], reads);
    assert_int_equal(l2[HD_EV_L2_MISS], reads);
    assert_int_equal(l2[HD_EV_L2_MEM_WRITE], writes);
}

static int setup(void **state)
{
    const struct hd_dram_params params = {.line_bytes = LINE, .part_bits = P_PartBits, .word_units = 1,
        .credits = P_MemCredits, .latency = DRAM_LATENCY, .banks = 2, .row_bytes = 256, .bytes_per_cycle = 8,
        .row_miss = 10};

    (void)state;
    hd_gpu_top_open(&d);
    now = (hd_rand() >> 33) * P_ClkRatio;
    base = (uint32_t)hd_rand() & ~(uint32_t)(REGION - 1);
    memset(warp, 0, sizeof warp);
    memset(second, 0, sizeof second);
    memset(sm, 0, sizeof sm);
    memset(l2_events, 0, sizeof l2_events);
    memset(net_events, 0, sizeof net_events);
    reads = writes = 0;
    for (unsigned p = 0; p < PARTS; p++) {
        dram[p] = hd_dram_new(&params);
        assert_non_null(dram[p]);
    }
    hd_model_zero_inputs(d.m);
    *d.rst_i = 1;
    edge();
    now += P_ClkRatio;
    edge();
    now += P_ClkRatio;
    *d.rst_i = 0;
    return 0;
}

static void launch_all(void)
{
    for (unsigned s = 0; s < SMS; s++) {
        for (unsigned w = 0; w < WARPS; w++) {
            start(s, w, HD_OP_LAUNCH, 0);
            cycle();
        }
    }
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
    }
}

static void a_chip_without_work_is_idle(void **state)
{
    (void)state;
    launch_all();
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
    launch_all();
    for (unsigned part = 0; part < PARTS; part++) {
        for (unsigned l = 0; l < LANES; l++) {
            warp[0][0].addr[l] = warp[1][1].addr[l] = base + SHARED + part * LINE + 4 * l;
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
        counters_agree();
    }
    /* of one operation at a time no flit meets another */
    assert_int_equal(MESH ? net_events[HD_EV_ROUTER_BLOCKED]
                          : net_events[HD_EV_XBAR_BLOCKED] + net_events[HD_EV_XBAR_NUM + HD_EV_XBAR_BLOCKED], 0);
}

/* All lanes of all warps add to one counter a partition; every old value is returned once. */
static void atomics_of_all_sms_happen_one_after_the_other(void **state)
{
    enum { ROUNDS = 4, ADDS = SMS * WARPS * LANES * ROUNDS };
    static bool seen[PARTS][ADDS];

    (void)state;
    launch_all();
    memset(seen, 0, sizeof seen);
    for (unsigned n = 0; n < ROUNDS * PARTS; n++) {
        for (unsigned s = 0; s < SMS; s++) {
            for (unsigned w = 0; w < WARPS; w++) {
                for (unsigned l = 0; l < LANES; l++) {
                    warp[s][w].addr[l] = base + COUNTERS + LINE * ((n + w) % PARTS);
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
    counters_agree();
}

/* While an access of warp 0 waits for its line, the warp gets another operation. @return it was issued before that. */
static bool passes(unsigned s, unsigned first, unsigned order, unsigned first_scope, unsigned kind, unsigned scope)
{
    const unsigned other = (s + 1) % SMS;
    struct warp *p;

    warp[other][0].addr[0] = warp[s][0].addr[0] = base + SHARED;
    start(other, 0, HD_OP_STORE, 1);
    run_until_quiet();
    p = start(s, 0, first, 1);
    p->order = order;
    p->scope = first_scope;
    while (p->phase != TAKEN)
        cycle();
    second[s] = (struct warp){.phase = WAITING, .kind = kind, .scope = scope};
    run_until_done(s, 0);
    for (unsigned n = 0; n < 10; n++)
        cycle();
    if (kind == HD_OP_BARRIER) {
        assert_int_equal(second[s].phase, TAKEN);
        for (unsigned w = P_Blocks; w < WARPS; w += P_Blocks)
            start(s, w, HD_OP_BARRIER, 0);
    }
    run_until_quiet();
    assert_int_equal(second[s].phase, FREE);
    return second[s].taken < p->done;
}

static void policy_order_and_scope_reach_every_sm(void **state)
{
    (void)state;
    launch_all();
    for (unsigned s = 0; s < SMS; s++) {
        for (unsigned model = HD_MODEL_RMO; model <= HD_MODEL_SC; model++) {
            *d.policy_i = (uint64_t)model << HD_POLICY_MODEL_LSB;
            run_until_quiet();
            assert_int_equal(passes(s, HD_OP_STORE, HD_ORD_RELAXED, HD_SCOPE_DEVICE, HD_OP_BARRIER, HD_SCOPE_DEVICE),
                             model == HD_MODEL_RMO);
            assert_true(passes(s, HD_OP_STORE, HD_ORD_RELAXED, HD_SCOPE_DEVICE, HD_OP_NOP, HD_SCOPE_DEVICE));
        }
        *d.policy_i = (uint64_t)HD_MODEL_RMO << HD_POLICY_MODEL_LSB;
        run_until_quiet();
        for (unsigned order = HD_ORD_RELAXED; order <= HD_ORD_SEQ_CST; order++) {
            const bool acquire = order == HD_ORD_ACQUIRE || order == HD_ORD_ACQ_REL || order == HD_ORD_SEQ_CST;

            for (unsigned scope = HD_SCOPE_WI; scope <= HD_SCOPE_SYSTEM; scope++)
                assert_int_equal(passes(s, HD_OP_LOAD, order, scope, HD_OP_CLOCK, HD_SCOPE_WI),
                                 !acquire || scope == HD_SCOPE_WI);
        }
        for (unsigned scope = HD_SCOPE_WI; scope <= HD_SCOPE_SYSTEM; scope++)
            assert_int_equal(passes(s, HD_OP_STORE, HD_ORD_RELAXED, HD_SCOPE_DEVICE, HD_OP_FENCE, scope),
                             scope == HD_SCOPE_WI);
    }
    counters_agree();
}

static void schedulers_and_alu_instructions_reach_every_sm(void **state)
{
    (void)state;
    launch_all();
    for (unsigned sched = HD_SCHED_GTO; sched <= HD_SCHED_LRR; sched++) {
        *d.policy_i = (uint64_t)sched << HD_POLICY_SCHEDULER_LSB;
        run_until_quiet();
        for (unsigned s = 0; s < SMS; s++)
            for (unsigned w = 0; w < 2; w++)
                start(s, w, HD_OP_NOP, 0)->alu = 40;
        run_until_quiet();
        for (unsigned s = 0; s < SMS; s++)
            assert_int_equal(warp[s][1].done - warp[s][0].done, sched == HD_SCHED_GTO ? 41 : 1);
    }
    for (unsigned bit = 0; bit < HD_ALU_W; bit++) {
        const uint64_t begin = now;

        for (unsigned s = 0; s < SMS; s++)
            start(s, 0, HD_OP_NOP, 0)->alu = 1u << bit;
        while (warp[0][0].phase != FREE)
            cycle();
        for (unsigned s = 0; s < SMS; s++)
            assert_true(warp[s][0].phase == FREE && warp[s][0].done - begin == (1u << bit) + 1);
    }
    run_until_quiet();
    counters_agree();
}

static uint32_t own_addr(unsigned s, unsigned w, unsigned l, unsigned word)
{
    const uint32_t region = word % 2 != 0 ? base : base ^ ~(uint32_t)(REGION - 1);

    return region + OWN + word * OWN_STRIDE + 4 * ((l * WARPS + w) * SMS + s);
}

static void flush_everything(void)
{
    for (unsigned s = 0; s < SMS; s++) {
        start(s, 0, HD_OP_FLUSH, 0);
        sm[s].flushes++;
    }
    run_until_quiet();
    for (unsigned s = 0; s < SMS; s++) {
        assert_int_equal(sm[s].ev[HD_EV_SM_FLUSH_DONE], sm[s].flushes);
        for (unsigned i = 0; i < 2 * REGION / LINE; i++)
            assert_int_equal(sm[s].state[i], HD_ST_I);
    }
    while (now % P_ClkRatio != 0)
        cycle();
    put(d.flush_i, 0, PARTS, (1 << PARTS) - 1);
    cycle();
    while (now % P_ClkRatio != 0)
        cycle();
    put(d.flush_i, 0, PARTS, 0);
    run_until_quiet();
}

/* A value that differs in one bit is another one, in every lane of every SM. */
static void compare_and_swap_looks_at_every_bit(void **state)
{
    static uint32_t word[SMS][WARPS][LANES];

    (void)state;
    launch_all();
    memset(word, 0, sizeof word); /* as memory */
    for (unsigned n = 0; n < 2 * 32 + 2; n++) { /* swap, then differ in a bit, by turns */
        for (unsigned s = 0; s < SMS; s++) {
            for (unsigned w = 0; w < WARPS; w++) {
                struct warp *p = start(s, w, HD_OP_ATOMIC, ALL);

                p->fn = HD_AT_CAS;
                p->expects = true;
                for (unsigned l = 0; l < LANES; l++) {
                    uint32_t *mine = &word[s][w][l];

                    p->addr[l] = own_addr(s, w, l, s); /* in lines of this SM alone */
                    p->data[l] = (uint32_t)hd_rand();
                    p->expected[l] = *mine;
                    p->cmp[l] = *mine ^ (n % 2 != 0 ? UINT32_C(1) << (n / 2) % 32 : 0);
                    if (n % 2 == 0)
                        *mine = p->data[l];
                }
            }
        }
        run_until_quiet();
    }
    counters_agree();
}

/* Lanes use words of their own, in lines they share with all others and in the LDS: what is loaded is what was stored
 * last, and after a flush it is in memory. */
static void random_traffic_keeps_every_lanes_words(void **state)
{
    enum { STEPS = 15000, LDS = OWN_WORDS };
    static uint32_t word[SMS][WARPS][LANES][OWN_WORDS + 1];

    (void)state;
    launch_all();
    memset(word, 0, sizeof word);
    for (unsigned s = 0; s < SMS; s++) {
        for (unsigned w = 0; w < WARPS; w++) {
            for (unsigned l = 0; l < LANES; l++) {
                warp[s][w].addr[l] = 4 * (w * LANES + l);
                warp[s][w].data[l] = 0;
            }
            start(s, w, HD_OP_STORE, ALL)->space = HD_SPACE_LDS;
        }
    }
    run_until_quiet();
    for (unsigned n = 0; n < STEPS; n++) {
        if (n == STEPS / 2) { /* at rest the time may jump: to a number with every other bit the other way */
            run_until_quiet();
            now = (now | UINT32_MAX) + 1 + (~now & UINT32_MAX & ~(uint64_t)(P_ClkRatio - 1));
        }
        static const uint8_t kinds[] = {HD_OP_LOAD, HD_OP_LOAD, HD_OP_LOAD, HD_OP_STORE, HD_OP_STORE, HD_OP_STORE,
                                        HD_OP_ATOMIC, HD_OP_ATOMIC, HD_OP_NOP, HD_OP_CLOCK, HD_OP_FENCE};
        const unsigned s = (unsigned)hd_rand_below(SMS), w = (unsigned)hd_rand_below(WARPS);
        struct warp *p = &warp[s][w];

        if (p->phase != FREE) {
            cycle();
            continue;
        }
        start(s, w, kinds[hd_rand_below(sizeof kinds)], 1 + (unsigned)hd_rand_below(ALL));
        p->space = hd_rand_below(8) == 0 ? HD_SPACE_LDS : HD_SPACE_GLOBAL;
        p->order = (unsigned)hd_rand_below(HD_ORD_SEQ_CST + 1);
        p->scope = (unsigned)hd_rand_below(HD_SCOPE_SYSTEM + 1);
        p->alu = (unsigned)(hd_rand_below(4) == 0 ? hd_rand_below(4) : 0);
        p->fn = hd_rand_below(3) == 0 ? HD_AT_CAS : (unsigned)hd_rand_below(HD_AT_UMAX + 1);
        p->expects = p->kind == HD_OP_LOAD || p->kind == HD_OP_ATOMIC;
        for (unsigned l = 0; l < LANES; l++) {
            const unsigned choice = p->space == HD_SPACE_LDS ? LDS : (unsigned)hd_rand_below(OWN_WORDS);
            uint32_t *mine = &word[s][w][l][choice];

            p->addr[l] = choice == LDS ? 4 * (w * LANES + l) : own_addr(s, w, l, choice);
            p->data[l] = (uint32_t)hd_rand();
            p->cmp[l] = hd_rand() & 1 ? *mine : (uint32_t)hd_rand();
            p->expected[l] = *mine;
            if (p->mask >> l & 1)
                *mine = p->kind == HD_OP_STORE    ? p->data[l]
                        : p->kind == HD_OP_ATOMIC ? me_amo(p->fn, *mine, p->data[l], p->cmp[l])
                                                  : *mine;
        }
    }
    run_until_quiet();
    flush_everything();
    counters_agree();
    for (unsigned s = 0; s < SMS; s++)
        for (unsigned w = 0; w < WARPS; w++)
            for (unsigned l = 0; l < LANES; l++)
                for (unsigned n = 0; n < OWN_WORDS; n++) {
                    uint32_t addr = own_addr(s, w, l, n);
                    assert_int_equal(hd_dram_peek(dram[addr / LINE % PARTS], addr), word[s][w][l][n]);
                }
    for (unsigned s = 0; s < SMS; s++) {
        assert_in_range(sm[s].ev[HD_EV_SM_MISS], 20, STEPS);
        assert_in_range(sm[s].ev[HD_EV_SM_INV], 3, STEPS);
        assert_in_range(sm[s].ev[HD_EV_SM_FETCH], 3, STEPS);
        assert_in_range(sm[s].ev[HD_EV_SM_EVICT_DIRTY], 3, STEPS);
        assert_true(sm[s].away > 20 && sm[s].piped > 20);
    }
    assert_in_range(l2_events[HD_EV_L2_MISS], 10, STEPS);
    assert_in_range(l2_events[HD_EV_L2_RECALL], 3, STEPS);
    assert_in_range(l2_events[HD_EV_L2_MEM_WRITE], 3, STEPS);
    for (unsigned e = 0; e < NET_EVENTS; e++)
        assert_true(net_events[e] > 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_chip_without_work_is_idle, setup, teardown),
        cmocka_unit_test_setup_teardown(a_store_is_read_by_another_sm_after_the_latencies_of_its_links, setup, teardown),
        cmocka_unit_test_setup_teardown(atomics_of_all_sms_happen_one_after_the_other, setup, teardown),
        cmocka_unit_test_setup_teardown(policy_order_and_scope_reach_every_sm, setup, teardown),
        cmocka_unit_test_setup_teardown(compare_and_swap_looks_at_every_bit, setup, teardown),
        cmocka_unit_test_setup_teardown(random_traffic_keeps_every_lanes_words, setup, teardown),
        cmocka_unit_test_setup_teardown(schedulers_and_alu_instructions_reach_every_sm, setup, teardown),
    };
    return HD_UNIT_MAIN(argc, argv, tests);
}
