/* test_hd_type_aware.c - type-aware SC of one SM in a small world: its classifiers, the other SMs, L1 and LDS.
 *
 * Warps issue instructions of one to three line accesses. The world performs what leaves after random times, accesses to
 * one line in order. The classifier is a model of docs/type_aware.md with delays; other SMs read and write sectors and
 * entries are evicted when the test likes. An invalidation may overtake a reply on its way down, a recall may not.
 * Every access that leaves is checked against what sequential consistency needs of it (check_exit), every
 * acknowledgement against what it must have waited for (check_ack). */
/* mutants: Warps=3 PlaceW=16 DataW=32 CmpW=32 TypeEntries=4 TypeWays=2 TypeReqs=2 WaitDepth=2 UnsafeDepth=2 SafeDepth=2 SyncEntries=3 Stores=3 Cas=1 AckEntries=8 PartBits=1 */
/* dut: hd_type_aware Warps=3 PlaceW=16 DataW=32 CmpW=32 TypeEntries=4 TypeWays=2 TypeReqs=2 WaitDepth=2 UnsafeDepth=2 SafeDepth=2 SyncEntries=3 Stores=3 Cas=1 AckEntries=8 PartBits=1 */
/* dut: hd_type_aware Warps=2 PlaceW=16 DataW=32 CmpW=32 TypeEntries=1 TypeWays=1 TypeReqs=1 WaitDepth=1 UnsafeDepth=1 SafeDepth=1 SyncEntries=1 Stores=1 Cas=1 AckEntries=8 PartBits=0 */
/* dut-rtl: hd_type_aware Warps=8 PlaceW=16 DataW=64 CmpW=32 TypeEntries=8 TypeWays=4 TypeReqs=4 WaitDepth=4 UnsafeDepth=4 SafeDepth=4 SyncEntries=8 Stores=8 Cas=2 AckEntries=8 PartBits=2 */
/* dut-rtl: hd_type_aware Warps=48 PlaceW=16 DataW=64 CmpW=64 */
#include "hd_unit.h"
#include "hd_type_aware_dut.h"
#include "hd_access.h"

#ifndef P_WaitDepth
#define P_WaitDepth 4
#endif
#ifndef P_PartBits
#define P_PartBits 3
#endif
#ifndef P_Stores /* defaults of the module */
#define P_Stores 64
#define P_Cas 8
#define P_TypeEntries 64
#define P_TypeReqs 16
#define P_SafeDepth 16
#define P_UnsafeDepth 4
#endif

enum {
    WARPS = P_Warps,
    SLOTS = WARPS < 3 ? 2 : WARPS < 4 ? 4 : 1 << HD_SLOT_W, /* few, so that they are soon taken again */
    PARTS = 1 << P_PartBits,
    LINE_W = 25,
    PLACE_W = P_PlaceW,
    DATA_W = P_DataW,
    CMP_W = P_CmpW,
    CMP_LSB = 0,
    DATA_LSB = CMP_W,
    PLACE_LSB = DATA_LSB + DATA_W,
    LINE_LSB = PLACE_LSB + PLACE_W,
    HASHES = 1 << (HD_TAG_W - 2),
    SECTOR_LINES = 128,     /* of 128 bytes */
    SECTORS = 6,            /* that the test uses */
    SECTOR_W = 25 - 7,
    LIST = 3 * SLOTS * 4,   /* accesses of a warp that are remembered */
    MAX_MESSAGES = 64,
    NEVER = -1,
};
#define SET(port, value) hd_bits_put(d.port, 0, HD_TYPE_AWARE_W_##port, (uint64_t)(value))
#define GET(port) hd_bits_get(d.port, 0, HD_TYPE_AWARE_W_##port)
#define LO(part) hd_bits_get(d.lo_body_o, part##_LSB, part##_W)

static uint32_t sector_number[SECTORS]; /* drawn; 0 and 4 share a hash, and 1 and 5 */

struct access {
    unsigned warp, slot, kind, space, sector; /* sector: index */
    uint32_t line;
    unsigned inst; /* number of its instruction in the warp */
    bool last, cas, accepted, out, unsafe, performed;
    unsigned id;
    long born, accepted_at, out_number;
    uint64_t data, cmp;
};
/* A warp's accesses in program order, from the oldest that is not performed on. */
static struct access list[WARPS][LIST];
static unsigned num[WARPS];
static unsigned next_inst[WARPS], slot_left[WARPS][SLOTS];
static struct { unsigned warp, id; } front[3 * WARPS * SLOTS]; /* order in which accesses are offered */
static unsigned num_front, next_id;
static long outs, now, not_busy_at[WARPS];

enum mac { NONE, RO_US, RW_US, RO_OTHER, RW_OTHER, SHARED_RO, SHARED_RW };
static struct {
    enum mac st;
    bool inv, recall;        /* under way */
    bool want, want_write;   /* our request waits for the end of it */
    bool asked;              /* our request or its reply is under way */
    bool known;              /* we may use the sector, as unsafe at least */
    unsigned right;          /* what we may do safely: 0 nothing, 1 read, 2 write */
    long inv_sent;           /* when the last invalidation that has arrived was sent */
    bool stale;              /* ... and behind it a reply sent before it: what waits is unsafe */
    long held;               /* an unanswered invalidation or recall has arrived */
} sectors[SECTORS];
static struct message {
    unsigned kind, sector, flags;
    long sent, due;
} down[MAX_MESSAGES], up[MAX_MESSAGES];
static unsigned num_down, num_up;
static long up_delay;     /* messages to the classifier take so much longer */
static bool unsafe_first; /* only unsafe accesses are performed */

static struct hd_type_aware d;
static unsigned sm;
static unsigned performed, safe_outs, unsafe_outs, asks, invals, recalls, stale, agains, markers, conflicts, queued, unknowns;
static unsigned passed, lds_passed, safe_events, acks, sim_unsafe, unsafe_events;

static void forget(void)
{
    memset(num, 0, sizeof num);
    memset(next_inst, 0, sizeof next_inst);
    memset(slot_left, 0, sizeof slot_left);
    memset(sectors, 0, sizeof sectors);
    num_front = num_down = num_up = 0;
    next_id = (unsigned)hd_rand_below(0x10000);
    up_delay = 0;
    unsafe_first = false;
    outs = now = 0;
    for (unsigned w = 0; w < WARPS; w++)
        not_busy_at[w] = NEVER;
    for (unsigned s = 0; s < SECTORS; s++)
        sectors[s].inv_sent = NEVER;
    performed = safe_outs = unsafe_outs = asks = invals = recalls = stale = agains = markers = conflicts = queued = unknowns = 0;
    passed = lds_passed = safe_events = acks = sim_unsafe = unsafe_events = 0;
}

static void draw_sectors(void)
{
    for (unsigned i = 0; i < SECTORS; i++) {
        bool again = true;

        while (again) {
            const uint32_t hash = i < 4 ? (uint32_t)hd_rand_below(HASHES) : sector_number[i - 4] % HASHES;

            sector_number[i] = hash + HASHES * (uint32_t)hd_rand_below((1u << SECTOR_W) / HASHES);
            again = false;
            for (unsigned j = 0; j < i; j++)
                again |= i < 4 ? sector_number[j] % HASHES == hash : sector_number[j] == sector_number[i];
        }
    }
}

static void begin(void)
{
    hd_type_aware_open(&d);
    hd_reset(d.m);
    sm = (sm + 23) % (1u << HD_NODE_W);
    *d.sm_id_i = (uint8_t)sm;
    forget();
    draw_sectors();
}

static void end(void)
{
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

/* ---- warps -------------------------------------------------------------------------------------- */

static struct access *find(unsigned warp, unsigned id)
{
    for (unsigned i = 0; i < num[warp]; i++)
        if (list[warp][i].id == id)
            return &list[warp][i];
    return NULL;
}

/* To its global line; a copy has words for the LDS beside it, as a compare-and-swap has its values. */
static bool writes(unsigned kind)
{
    return kind != HD_OP_LOAD && kind != HD_OP_COPY;
}

/* An instruction of @n accesses. @return false: the warp has too much under way. */
static bool issue(unsigned warp, unsigned kind, unsigned space, const unsigned *secs, const unsigned *lines, unsigned n)
{
    unsigned slot = 0, in_front = 0;

    while (slot < SLOTS && slot_left[warp][slot] != 0)
        slot++;
    for (unsigned i = 0; i < num_front; i++)
        in_front += front[i].warp == warp;
    if (slot == SLOTS || num[warp] + n > LIST || in_front + n > 3 * SLOTS)
        return false;
    slot_left[warp][slot] = n;
    for (unsigned i = 0; i < n; i++) {
        struct access *a = &list[warp][num[warp]++];

        memset(a, 0, sizeof *a);
        a->warp = warp;
        a->slot = slot;
        a->kind = kind;
        a->space = space;
        a->sector = secs[i];
        a->line = sector_number[secs[i]] * SECTOR_LINES + lines[i];
        a->inst = next_inst[warp];
        a->last = i == n - 1;
        a->cas = kind == HD_OP_COPY || (kind == HD_OP_ATOMIC && hd_rand_below(2));
        a->id = next_id;
        a->born = now;
        a->out_number = NEVER;
        a->data = DATA_W < 64 ? hd_rand() & ((UINT64_C(1) << (DATA_W & 63)) - 1) : hd_rand();
        a->cmp = CMP_W < 64 ? hd_rand() & ((UINT64_C(1) << (CMP_W & 63)) - 1) : hd_rand();
        front[num_front].warp = warp;
        front[num_front++].id = next_id;
        next_id = (next_id + 1) & 0xffff;
    }
    next_inst[warp]++;
    *d.issue_i = 1;
    SET(issue_warp_i, warp);
    return true;
}

static bool random_issue(unsigned span)
{
    const unsigned warp = (unsigned)hd_rand_below(WARPS);
    /* every kind but a load and a copy counts as a write */
    const unsigned kind = hd_rand_below(8) == 0   ? (unsigned)hd_rand_below(16)
                          : hd_rand_below(3) == 0 ? HD_OP_LOAD + (unsigned)hd_rand_below(3)
                                                  : HD_OP_LOAD + (unsigned)hd_rand_below(2);
    const unsigned space = hd_rand_below(5) == 0 ? HD_SPACE_LDS : HD_SPACE_GLOBAL;
    const unsigned n = hd_rand_below(3) ? 1 : 1 + (unsigned)hd_rand_below(3);
    unsigned secs[3], lines[3];

    for (unsigned i = 0; i < n; i++) {
        secs[i] = (unsigned)hd_rand_below(span);
        lines[i] = i * 2 + (unsigned)hd_rand_below(2); /* lines of one instruction differ */
        if (i > 0 && hd_rand_below(2))
            secs[i] = secs[0];
    }
    return issue(warp, kind, space, secs, lines, n);
}

static bool pending_unsafe(const struct access *x)
{
    return !x->performed && (!x->out || x->unsafe);
}

/* An access leaves: what SC needs. */
static void check_exit(struct access *a)
{
    const bool write = writes(a->kind);
    bool younger = false;

    for (unsigned i = 0; i < num[a->warp]; i++) {
        const struct access *x = &list[a->warp][i];

        if (x == a) {
            younger = true;
            continue;
        }
        if (!younger && x->space == a->space && x->line == a->line && !x->out)
            fail_msg("warp %u: an access passes an older one to its line", a->warp);
        if (a->unsafe && x->out && x->unsafe) { /* unsafe accesses of other instructions are performed in order */
            if (!younger && x->inst != a->inst && !x->performed)
                fail_msg("warp %u: an unsafe access leaves before an older one is performed", a->warp);
            if (younger && x->inst != a->inst)
                fail_msg("warp %u: unsafe accesses leave out of order", a->warp);
            sim_unsafe += x->inst == a->inst && !x->performed;
        }
        if (!a->unsafe && younger && x->out && !x->unsafe)
            fail_msg("warp %u: safe accesses leave out of order", a->warp);
        if (!a->unsafe && !younger && x->inst != a->inst && pending_unsafe(x)) {
            passed++;
            lds_passed += a->space == HD_SPACE_LDS;
        }
    }
    /* conflicts: what another warp let pass its unsafe accesses is not seen before they are performed */
    for (unsigned v = 0; v < WARPS; v++) {
        if (v == a->warp)
            continue;
        for (unsigned i = 0; i < num[v]; i++) {
            const struct access *p = &list[v][i];

            if (!p->out || p->unsafe || p->space != a->space || p->line != a->line ||
                (!write && !writes(p->kind)))
                continue;
            for (unsigned j = 0; j < i; j++)
                if (list[v][j].inst != p->inst && pending_unsafe(&list[v][j]))
                    fail_msg("warp %u's %s access conflicts with one of warp %u that passed unsafe ones", a->warp,
                             a->unsafe ? "unsafe" : "safe", v);
        }
    }
    if (a->space == HD_SPACE_LDS) {
        assert_false(a->unsafe);
    } else if (a->unsafe) {
        assert_true(sectors[a->sector].known);
    } else if (sectors[a->sector].right < (write ? 2u : 1u)) {
        fail_msg("a safe %s without the right to", write ? "write" : "read");
    }
    if (a->unsafe && not_busy_at[a->warp] >= a->accepted_at)
        fail_msg("warp %u was not busy with an unsafe access before it", a->warp);
}

static void check_ack(unsigned s)
{
    const bool recall = sectors[s].recall;

    for (unsigned w = 0; w < WARPS; w++) {
        for (unsigned i = 0; i < num[w]; i++) {
            const struct access *a = &list[w][i];

            if (a->space == HD_SPACE_LDS || a->sector != s || !a->out)
                continue;
            if (!a->performed && (!a->unsafe || recall))
                fail_msg("acknowledged, but an access of warp %u is not performed", w);
            if (a->unsafe)
                continue;
            for (unsigned j = 0; j < i; j++)
                if (list[w][j].inst != a->inst && pending_unsafe(&list[w][j]))
                    fail_msg("acknowledged, but what an access of warp %u passed is not performed", w);
        }
    }
}

/* ---- the classifier ----------------------------------------------------------------------------- */

static void send_down(unsigned kind, unsigned s, unsigned flags)
{
    assert_true(num_down < MAX_MESSAGES);
    down[num_down++] = (struct message){kind, s, flags, now, now + (long)hd_rand_below(12)};
}

static void reply(unsigned s, unsigned flags)
{
    send_down(HD_MSG_TYPE_REP, s, flags);
}

static void begin_inval(unsigned s)
{
    sectors[s].st = SHARED_RW;
    sectors[s].inv = true;
    send_down(HD_MSG_TYPE_INV, s, 0);
}

static void serve_request(unsigned s, bool write)
{
    if (sectors[s].inv || sectors[s].recall) {
        sectors[s].want = true;
        sectors[s].want_write = write;
        return;
    }
    switch (sectors[s].st) {
    case NONE: sectors[s].st = write ? RW_US : RO_US; reply(s, write ? 3 : 1); break;
    case RO_US: sectors[s].st = write ? RW_US : RO_US; reply(s, write ? 3 : 1); break;
    case RW_US: reply(s, 3); break;
    case RO_OTHER: sectors[s].st = write ? SHARED_RW : SHARED_RO; reply(s, write ? 0 : 1); break;
    case RW_OTHER: sectors[s].st = SHARED_RW; reply(s, 0); break;
    case SHARED_RO:
        if (write) {
            sectors[s].want = true;
            begin_inval(s);
        } else {
            reply(s, 1);
        }
        break;
    case SHARED_RW: reply(s, 0); break;
    }
}

static void others_use(unsigned s, bool write)
{
    if (sectors[s].inv || sectors[s].recall)
        return;
    switch (sectors[s].st) {
    case NONE: sectors[s].st = write ? RW_OTHER : RO_OTHER; break;
    case RO_US:
        if (write)
            begin_inval(s);
        else
            sectors[s].st = SHARED_RO;
        break;
    case RW_US: begin_inval(s); break;
    case RO_OTHER: sectors[s].st = write ? RW_OTHER : RO_OTHER; break;
    case SHARED_RO:
        if (write)
            begin_inval(s);
        break;
    default: break;
    }
}

static void evict(unsigned s)
{
    if (sectors[s].inv || sectors[s].recall || sectors[s].st == NONE)
        return;
    if (sectors[s].st == RO_OTHER || sectors[s].st == RW_OTHER) {
        sectors[s].st = NONE;
        return;
    }
    sectors[s].recall = true;
    send_down(HD_MSG_TYPE_RECALL, s, 0);
}

static void serve_ack(unsigned s)
{
    const bool want = sectors[s].want, was_recall = sectors[s].recall;

    sectors[s].inv = sectors[s].recall = sectors[s].want = false;
    if (was_recall)
        sectors[s].st = NONE;
    if (want)
        was_recall ? serve_request(s, sectors[s].want_write) : reply(s, 0);
}

/* The message that arrives in this cycle: due, and nothing before it that it may not overtake. Or -1. */
static int arriving(void)
{
    const unsigned from = num_down > 0 ? (unsigned)hd_rand_below(num_down) : 0;

    for (unsigned k = 0; k < num_down; k++) {
        const unsigned i = (from + k) % num_down;
        bool behind = false;

        if (down[i].due > now)
            continue;
        for (unsigned j = 0; j < i; j++)
            behind |= down[j].sector == down[i].sector &&
                      !(down[i].kind == HD_MSG_TYPE_INV && down[j].kind == HD_MSG_TYPE_REP);
        if (!behind)
            return (int)i;
    }
    return -1;
}

static unsigned sector_of(uint32_t addr)
{
    for (unsigned s = 0; s < SECTORS; s++)
        if (sector_number[s] == addr / HD_SECTOR_BYTES)
            return s;
    fail_msg("no such sector: %u", (unsigned)addr);
    return 0;
}

/* ---- one cycle ------------------------------------------------------------------------------------ */

struct rates {
    unsigned issue, ready, perform, others, evict, up_ready; /* one cycle in .. */
};

static void check_warps(void)
{
    bool quiet = true;

    for (unsigned w = 0; w < WARPS; w++) {
        const bool busy = hd_bits_get(d.busy_o, w, 1);
        unsigned waiting = 0;
        bool in_front = false, unsafe = false;

        for (unsigned i = 0; i < num[w]; i++) {
            const struct access *a = &list[w][i];

            in_front |= !a->accepted && a->born < now;
            waiting += a->accepted && !a->out;
            unsafe |= a->out && a->unsafe && !a->performed;
            quiet &= a->performed || a->born == now || (a->accepted && a->space == HD_SPACE_LDS);
        }
        if (in_front || unsafe)
            assert_true(busy);
        if (unsafe)
            assert_int_equal(hd_bits_get(d.unsafe_o, w, 1), 1);
        if (num[w] == 0) {
            assert_int_equal(hd_bits_get(d.unsafe_o, w, 1), 0);
            assert_int_equal(busy, 0);
        }
        if (hd_bits_get(d.hold_o, w, 1))
            assert_true(waiting >= P_WaitDepth);
        if (!busy)
            not_busy_at[w] = now;
    }
    if (!quiet)
        assert_int_equal(*d.drained_o, 0);
}

static void retire(unsigned w)
{
    while (num[w] > 0 && list[w][0].performed) {
        num[w]--;
        memmove(list[w], list[w] + 1, num[w] * sizeof *list[w]);
    }
}

/* The head of a message to the classifier: nothing else is in it. */
static void check_head(const void *port, unsigned kind, unsigned s, unsigned tid)
{
    uint8_t want[(HD_HEAD_W + 31) / 32 * 4] = {0};

    hd_bits_put(want, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
    hd_bits_put(want, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, sm);
    hd_bits_put(want, HD_HEAD_DST_LSB, HD_HEAD_DST_W, sector_number[s] % PARTS);
    hd_bits_put(want, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, (uint64_t)sector_number[s] * HD_SECTOR_BYTES);
    hd_bits_put(want, HD_HEAD_TID_LSB, HD_HEAD_TID_W, tid);
    hd_bits_put(want, HD_HEAD_SRC_KIND_LSB, HD_HEAD_SRC_KIND_W, HD_END_SM);
    hd_bits_put(want, HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W, HD_END_L2);
    assert_memory_equal(port, want, sizeof want);
}

/* Does anybody wait who writes to the sector? */
static bool waiting_write(unsigned s)
{
    for (unsigned w = 0; w < WARPS; w++)
        for (unsigned i = 0; i < num[w]; i++)
            if (list[w][i].accepted && !list[w][i].out && list[w][i].sector == s && writes(list[w][i].kind) &&
                list[w][i].space == HD_SPACE_GLOBAL)
                return true;
    return false;
}

/* The event @number of hd_pkg is shown. */
static bool ev(unsigned number)
{
    return *d.ev_o >> (number - HD_ORDER_EV_FIRST) & 1;
}

static void count_events(void)
{
    asks += ev(HD_EV_SM_ORD_ASK);
    markers += ev(HD_EV_SM_ORD_MARKER);
    conflicts += ev(HD_EV_SM_ORD_CONFLICT);
    queued += ev(HD_EV_SM_ORD_QUEUED);
    safe_events += ev(HD_EV_SM_ORD_SAFE);
    unsafe_events += ev(HD_EV_SM_ORD_UNSAFE);
}

static void cycle(const struct rates *r)
{
    const int msg = arriving();
    const bool offered = num_front > 0 && find(front[0].warp, front[0].id)->born < now && hd_rand_below(8) != 0;
    struct access *a = NULL, *exits = NULL, *done = NULL;
    bool acked = false;

    *d.lo_ready_i = hd_rand_below(r->ready) == 0;
    *d.req_ready_i = hd_rand_below(r->up_ready) == 0 && num_up < MAX_MESSAGES;
    *d.ack_ready_i = hd_rand_below(r->up_ready) == 0 && num_up < MAX_MESSAGES;
    *d.la_valid_i = offered;
    if (offered) {
        a = find(front[0].warp, front[0].id);
        SET(la_acc_i, hd_access_pack((struct hd_access){.warp = a->warp,
                                                        .slot = a->slot,
                                                        .kind = a->kind,
                                                        .fn = a->cas ? HD_AT_CAS : HD_AT_ADD,
                                                        .space = a->space,
                                                        .last = a->last}));
        hd_bits_put(d.la_body_i, LINE_LSB, LINE_W, a->line);
        hd_bits_put(d.la_body_i, PLACE_LSB, PLACE_W, a->id);
        hd_bits_put(d.la_body_i, DATA_LSB, DATA_W, a->data);
        hd_bits_put(d.la_body_i, CMP_LSB, CMP_W, a->cmp);
    }
    if (hd_rand_below(r->perform) == 0) { /* the oldest of its line */
        long oldest = 0;
        const unsigned from = (unsigned)hd_rand_below(WARPS);

        for (unsigned k = 0; k < WARPS && done == NULL; k++) {
            const unsigned w = (from + k) % WARPS;

            for (unsigned i = 0; i < num[w]; i++) {
                struct access *x = &list[w][i];

                if (x->out && !x->performed && (x->unsafe || !unsafe_first) && (done == NULL || hd_rand_below(2)))
                    done = x;
            }
        }
        for (unsigned w = 0; w < WARPS && done != NULL; w++) {
            for (unsigned i = 0; i < num[w]; i++) {
                struct access *x = &list[w][i];

                if (x->out && !x->performed && x->line == done->line && x->space == done->space &&
                    (oldest == 0 || x->out_number < oldest)) {
                    oldest = x->out_number;
                    exits = x;
                }
            }
        }
        done = done != NULL ? exits : NULL;
        exits = NULL;
    }
    *d.perf_valid_i = done != NULL;
    if (done != NULL) {
        HD_PUT(d.perf_i, PERFORMED_WARP, done->warp);
        HD_PUT(d.perf_i, PERFORMED_TAG, (uint64_t)done->unsafe << (HD_TAG_W - 1) |
                                            (uint64_t)(!done->unsafe && done->space == HD_SPACE_GLOBAL) << (HD_TAG_W - 2) |
                                            done->line / SECTOR_LINES % HASHES);
    }
    *d.dn_valid_i = msg >= 0;
    if (msg >= 0) {
        hd_bits_put(d.dn_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, down[msg].kind);
        hd_bits_put(d.dn_head_i, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, sector_number[down[msg].sector] % PARTS);
        hd_bits_put(d.dn_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W,
                    (uint64_t)sector_number[down[msg].sector] * HD_SECTOR_BYTES);
        hd_bits_put(d.dn_head_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W,
                    down[msg].kind == HD_MSG_TYPE_REP ? down[msg].flags : down[msg].sector * 7);
    }
    hd_eval(d.m);
    check_warps();

    /* what is performed counts in this cycle */
    if (done != NULL) {
        done->performed = true;
        performed++;
        slot_left[done->warp][done->slot]--;
    }
    if (*d.la_ready_o && offered) {
        a->accepted = true;
        a->accepted_at = now;
    }
    if (*d.lo_valid_o && *d.lo_ready_i) {
        const struct hd_access lo = hd_access_unpack(GET(lo_acc_o));
        const unsigned warp = lo.warp, tag = lo.tag;

        exits = find(warp, (unsigned)LO(PLACE));
        assert_non_null(exits);
        assert_true(exits->accepted && !exits->out);
        assert_int_equal(lo.slot, exits->slot);
        /* what memory behind it has no use for is not kept */
        assert_int_equal(lo.order | lo.scope | lo.ro | lo.prefetch | lo.last | lo.block | lo.tx, 0);
        assert_int_equal(lo.kind, exits->kind);
        assert_int_equal(lo.space, exits->space);
        assert_int_equal(LO(LINE), exits->line);
        if (exits->kind != HD_OP_LOAD)
            assert_int_equal(LO(DATA), exits->data);
        if (exits->cas)
            assert_int_equal(LO(CMP), exits->cmp);
        exits->unsafe = tag >> (HD_TAG_W - 1);
        assert_int_equal(tag >> (HD_TAG_W - 2) & 1, !exits->unsafe && exits->space == HD_SPACE_GLOBAL);
        assert_int_equal(tag % HASHES, exits->line / SECTOR_LINES % HASHES);
        check_exit(exits);
        exits->out = true;
        exits->out_number = ++outs;
        safe_outs += !exits->unsafe;
        unsafe_outs += exits->unsafe;
    }
    if (*d.ack_valid_o && *d.ack_ready_i) {
        const unsigned s = sector_of((uint32_t)hd_bits_get(d.ack_head_o, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W));

        check_head(d.ack_head_o, HD_MSG_TYPE_ACK, s, s * 7);
        assert_int_equal(sectors[s].held, 1);
        check_ack(s);
        sectors[s].right = 0;
        sectors[s].known &= sectors[s].stale;
        sectors[s].stale = false;
        sectors[s].held = 0;
        up[num_up++] = (struct message){HD_MSG_TYPE_ACK, s, 0, now, now + up_delay + (long)hd_rand_below(8)};
        acked = true;
        acks++;
    }
    if (*d.req_valid_o && *d.req_ready_i) {
        const unsigned s = sector_of((uint32_t)hd_bits_get(d.req_head_o, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W));
        const bool write = hd_bits_get(d.req_head_o, HD_HEAD_TID_LSB + HD_TYPE_WANTS_WRITE, 1);

        check_head(d.req_head_o, HD_MSG_TYPE_REQ, s, (unsigned)write << HD_TYPE_WANTS_WRITE);
        assert_false(sectors[s].asked); /* one for a sector */
        sectors[s].asked = true;
        assert_true(!write || waiting_write(s));
        agains += write && sectors[s].right == 1;
        up[num_up++] = (struct message){HD_MSG_TYPE_REQ, s, write, now, now + up_delay + (long)hd_rand_below(12)};
    }
    assert_int_equal(ev(HD_EV_SM_ORD_ASK), *d.req_valid_o && *d.req_ready_i);
    assert_int_equal(ev(HD_EV_SM_ORD_INVAL), msg >= 0 && down[msg].kind != HD_MSG_TYPE_REP);
    if (*d.unknown_o)
        assert_true(ev(HD_EV_SM_ORD_QUEUED) && offered && a->space == HD_SPACE_GLOBAL);
    else if (ev(HD_EV_SM_ORD_QUEUED) && a->space == HD_SPACE_GLOBAL)
        assert_true(sectors[a->sector].known);
    unknowns += *d.unknown_o;
    count_events();
    if (*d.idle_o)
        assert_true(!(*d.la_ready_o && offered) && !acked && msg < 0);
    if (msg >= 0) {
        const struct message m = down[msg];

        num_down--;
        memmove(down + msg, down + msg + 1, (num_down - (unsigned)msg) * sizeof *down);
        switch (m.kind) {
        case HD_MSG_TYPE_REP:
            sectors[m.sector].asked = false;
            sectors[m.sector].known = true;
            if (m.sent <= sectors[m.sector].inv_sent && (m.flags & 1) != 0) {
                stale++;
                sectors[m.sector].stale = sectors[m.sector].held;
            } else
                sectors[m.sector].right = m.flags == 3 ? 2 : m.flags;
            break;
        case HD_MSG_TYPE_INV: sectors[m.sector].inv_sent = m.sent; invals++; sectors[m.sector].held = 1; break;
        default: recalls++; sectors[m.sector].held = 1; break;
        }
    }
    hd_edge(d.m);
    now++;
    *d.issue_i = 0;
    if (offered && a->accepted) {
        num_front--;
        memmove(front, front + 1, num_front * sizeof *front);
    }
    for (unsigned w = 0; w < WARPS; w++)
        retire(w);
    for (unsigned i = 0; i < num_up; i++) {
        const struct message m = up[i];

        if (m.due > now)
            continue;
        num_up--;
        memmove(up + i, up + i + 1, (num_up - i) * sizeof *up);
        if (m.kind == HD_MSG_TYPE_ACK)
            serve_ack(m.sector);
        else
            serve_request(m.sector, m.flags);
        break;
    }
    if (r->others != 0 && hd_rand_below(r->others) == 0)
        others_use((unsigned)hd_rand_below(SECTORS), hd_rand_below(2));
    if (r->evict != 0 && hd_rand_below(r->evict) == 0)
        evict((unsigned)hd_rand_below(SECTORS));
}

/* While nothing comes and nothing can leave, a module falls idle: each queue is tried once. An idle one does not change. */
static void stay_idle(void)
{
    const struct hd_type_aware *p = &d;
    uint8_t before[2][256];

    *p->la_valid_i = *p->lo_ready_i = *p->perf_valid_i = *p->dn_valid_i = *p->req_ready_i = *p->ack_ready_i = 0;
    for (unsigned t = 0;; t++) {
        hd_eval(d.m);
        if (*d.lo_valid_o || *d.req_valid_o || *d.ack_valid_o)
            return;
        if (*d.idle_o)
            break;
        assert_true(t < 2 * WARPS + 4);
        count_events();
        hd_edge(d.m);
    }
    for (unsigned t = 0; t < 6; t++) {
        uint8_t *b = before[t > 0];

        b[0] = *d.lo_valid_o;
        b[1] = *d.req_valid_o;
        b[2] = *d.ack_valid_o;
        b[3] = *d.drained_o;
        b[4] = (uint8_t)LO(PLACE) * *d.lo_valid_o;
        b[5] = (uint8_t)hd_access_unpack(GET(lo_acc_o)).tag * *d.lo_valid_o;
        memcpy(b + 6, d.busy_o, hd_bits_bytes(WARPS));
        memcpy(b + 16, d.unsafe_o, hd_bits_bytes(WARPS));
        memcpy(b + 26, d.hold_o, hd_bits_bytes(WARPS));
        memset(b + 6 + hd_bits_bytes(WARPS), 0, 10 - hd_bits_bytes(WARPS));
        memset(b + 16 + hd_bits_bytes(WARPS), 0, 10 - hd_bits_bytes(WARPS));
        assert_int_equal(*d.idle_o, 1);
        if (t > 0)
            assert_memory_equal(before[0], before[1], 26 + hd_bits_bytes(WARPS));
        hd_edge(d.m);
    }
}

static void drain(void)
{
    static const struct rates fast = {1, 1, 1, 0, 0, 1};
    unsigned left = 1;

    for (unsigned t = 0; t < 60000 && left > 0; t++) {
        cycle(&fast);
        left = num_front + num_down + num_up;
        for (unsigned w = 0; w < WARPS; w++)
            left += num[w];
    }
    assert_int_equal(left, 0); /* nothing waits in a circle */
    cycle(&fast);
    cycle(&fast);
    assert_int_equal(*d.drained_o, 1);
    *d.la_valid_i = *d.lo_ready_i = *d.perf_valid_i = *d.dn_valid_i = 0;
    hd_eval(d.m);
    assert_int_equal(*d.idle_o, 1);
    assert_int_equal(safe_events, safe_outs);
    assert_int_equal(unsafe_events, unsafe_outs);
    assert_int_equal(acks, invals + recalls);
}

static void run(const struct rates *r, unsigned cycles, unsigned span)
{
    for (unsigned t = 0; t < cycles; t++) {
        if (hd_rand_below(r->issue) == 0)
            random_issue(span);
        cycle(r);
        if (t % 50 == 49)
            stay_idle();
    }
}

static void a_private_sector_is_safe_and_one_that_others_write_is_not(void **state)
{
    static const struct rates fast = {1, 1, 1, 0, 0, 1};
    const unsigned zero = 0;

    (void)state;
    begin();
    issue(0, HD_OP_STORE, HD_SPACE_GLOBAL, &zero, &zero, 1);
    drain();
    assert_int_equal(safe_outs, 1);
    others_use(0, false);
    drain();
    assert_int_equal(invals, 1);
    issue(0, HD_OP_LOAD, HD_SPACE_GLOBAL, &zero, &zero, 1);
    drain();
    assert_int_equal(unsafe_outs, 1);
    evict(0);
    drain();
    issue(0, HD_OP_LOAD, HD_SPACE_GLOBAL, &zero, &zero, 1);
    cycle(&fast);
    drain();
    assert_int_equal(safe_outs, 2); /* alone again */
    issue(0, HD_OP_STORE, HD_SPACE_GLOBAL, &zero, &zero, 1);
    drain();
    assert_int_equal(agains, 1); /* the right to write is asked for */
    assert_int_equal(safe_outs, 3);
    end();
}

static void clear_forgets_the_types(void **state)
{
    const unsigned one = 1, zero = 0;
    unsigned before;

    (void)state;
    begin();
    issue(0, HD_OP_LOAD, HD_SPACE_GLOBAL, &one, &zero, 1);
    drain();
    before = asks;
    issue(0, HD_OP_LOAD, HD_SPACE_GLOBAL, &one, &zero, 1);
    drain();
    assert_int_equal(asks, before);
    *d.clear_i = 1;
    hd_edge(d.m);
    *d.clear_i = 0;
    sectors[1].right = 0;
    sectors[1].st = NONE;
    issue(0, HD_OP_LOAD, HD_SPACE_GLOBAL, &one, &zero, 1);
    drain();
    assert_int_equal(asks, before + 1);
    end();
}

/* A request crosses a recall: its reply is of the time after, so that nothing of the sector is unsafe and then safe. */
static void a_reply_behind_a_recall_is_not_stale(void **state)
{
    static const struct rates slow = {1, 1, 1u << 30, 0, 0, 1};
    const unsigned s0 = 0, s2 = 2, zero = 0;

    (void)state;
    if (SLOTS < 4)
        return;
    begin();
    issue(0, HD_OP_LOAD, HD_SPACE_GLOBAL, &s2, &zero, 1);
    drain();
    others_use(2, true);
    drain();
    issue(0, HD_OP_LOAD, HD_SPACE_GLOBAL, &s0, &zero, 1);
    drain();
    issue(0, HD_OP_LOAD, HD_SPACE_GLOBAL, &s2, &zero, 1); /* unsafe, not performed for long */
    for (unsigned t = 0; t < 40; t++)
        cycle(&slow);
    assert_int_equal(unsafe_outs, 1);
    issue(0, HD_OP_STORE, HD_SPACE_GLOBAL, &s0, &zero, 1); /* asks for the right to write */
    while (!sectors[0].asked)
        cycle(&slow);
    evict(0);
    for (unsigned t = 0; t < 100; t++)
        cycle(&slow);
    assert_false(sectors[0].asked);
    issue(0, HD_OP_LOAD, HD_SPACE_GLOBAL, &s0, &zero, 1);
    for (unsigned t = 0; t < 100; t++)
        cycle(&slow);
    assert_int_equal(recalls, 1);
    drain();
    end();
}

/* ---- directed: what random programs hide, because something else moves soon ------------------------- */

/* The port to the L1 takes what comes, but nothing is performed; or it takes nothing at all. */
static const struct rates still = {1, 1, 1u << 30, 0, 0, 1}, stuck = {1, 1u << 30, 1u << 30, 0, 0, 1};
static const unsigned all_sectors[SECTORS] = {0, 1, 2, 3, 4, 5};

static void cycles(const struct rates *r, unsigned n)
{
    while (n-- > 0)
        cycle(r);
}

/* One access that is offered until it is accepted. */
static void put(unsigned warp, unsigned kind, unsigned space, unsigned sector, unsigned line, const struct rates *r)
{
    assert_true(issue(warp, kind, space, &all_sectors[sector], &line, 1));
    for (unsigned t = 0; t < 60 && num_front > 0; t++)
        cycle(r);
    assert_int_equal(num_front, 0);
}

/* One that compares or does not, while nothing leaves: is it still offered after a while? */
static bool refused(unsigned warp, unsigned kind, unsigned sector, unsigned line, bool cas)
{
    assert_true(issue(warp, kind, HD_SPACE_GLOBAL, &all_sectors[sector], &line, 1));
    list[warp][num[warp] - 1].cas = cas;
    cycles(&stuck, 40);
    return num_front == 1;
}

/* A sector only this SM uses. */
static void learn(unsigned sector)
{
    put(0, HD_OP_STORE, HD_SPACE_GLOBAL, sector, 0, &still);
    drain();
    assert_int_equal(sectors[sector].right, 2);
}

/* An unsafe access of @warp has left and is not performed. */
static void pending_unsafe_load(unsigned warp, unsigned sector)
{
    const unsigned before = unsafe_outs;

    others_use(sector, true);
    put(warp, HD_OP_LOAD, HD_SPACE_GLOBAL, sector, 40, &still);
    cycles(&still, 60);
    assert_int_equal(unsafe_outs, before + 1);
}

static void what_may_go_is_not_queued(void **state)
{
    unsigned was_queued, was_out;

    (void)state;
    begin();
    learn(0);
    was_queued = queued;
    was_out = safe_outs;
    put(0, HD_OP_LOAD, HD_SPACE_GLOBAL, 0, 2, &still);
    put(WARPS - 1, HD_OP_LOAD, HD_SPACE_LDS, 0, 2, &still);
    assert_int_equal(queued, was_queued);
    assert_int_equal(safe_outs, was_out + 2);
    drain();
    end();
}

static void only_what_has_data_needs_room_for_data(void **state)
{
    (void)state;
    begin();
    learn(0);
    for (unsigned i = 0; i < P_Stores; i++)
        put(i % WARPS, HD_OP_STORE, HD_SPACE_GLOBAL, 0, 2 * i % SECTOR_LINES, &stuck);
    put(P_Stores % WARPS, HD_OP_LOAD, HD_SPACE_GLOBAL, 0, 1, &stuck);
    assert_true(refused((P_Stores + 1) % WARPS, HD_OP_STORE, 0, 3, false));
    drain();
    for (unsigned i = 0; i < P_Cas; i++)
        assert_false(refused(i % WARPS, HD_OP_ATOMIC, 0, 2 * i, true));
    if (P_Stores > P_Cas)
        put(P_Cas % WARPS, HD_OP_ATOMIC + 1, HD_SPACE_GLOBAL, 0, 1, &stuck); /* not one that compares */
    assert_true(refused((P_Cas + 1) % WARPS, HD_OP_ATOMIC, 0, 3, true));
    drain();
    end();
}

/* What is queued asks for its type at once, or as soon as a request fits; who has asked waits without looking again. */
static void a_type_is_asked_for_once_and_early(void **state)
{
    const unsigned lines[2] = {0, 2};
    const bool two = P_WaitDepth > 1 && P_TypeReqs > 1;

    (void)state;
    if (P_TypeReqs + 1 > SECTORS)
        return;
    begin();
    up_delay = 1000000;
    if (two) {
        issue(0, HD_OP_LOAD, HD_SPACE_GLOBAL, all_sectors, lines, 2);
        cycles(&still, 40);
        assert_int_equal(asks, 2);
    }
    while (asks < P_TypeReqs) {
        put((asks + 1) % WARPS, HD_OP_LOAD, HD_SPACE_GLOBAL, asks, 0, &still);
        cycles(&still, 10);
    }
    put(two ? WARPS - 1 : 0, HD_OP_LOAD, HD_SPACE_GLOBAL, P_TypeReqs, 0, &still);
    cycles(&still, 40);
    assert_int_equal(asks, P_TypeReqs);
    stay_idle();
    for (unsigned i = 0; i < num_up; i++)
        if (up[i].kind == HD_MSG_TYPE_REQ && up[i].sector == 0)
            up[i].due = now;
    cycles(&still, 40);
    assert_int_equal(asks, P_TypeReqs + 1);
    stay_idle();
    for (unsigned i = 0; i < num_up; i++)
        up[i].due = now;
    up_delay = 0;
    drain();
    end();
}

/* A head that was refused is tried again when a queue moves, when an access is performed, when an acknowledgement leaves:
 * each alone. */
static void a_refused_head_goes_when_its_reason_goes(void **state)
{
    static const struct rates one_by_one = {1, 1, 1, 0, 0, 1}, no_acks = {1, 1, 1, 0, 0, 1u << 30};
    const unsigned loads = P_SafeDepth + 2 < SLOTS ? P_SafeDepth + 2 : SLOTS;
    unsigned before;

    (void)state;
    begin();
    learn(0); /* no room in the safe queue */
    before = safe_outs;
    for (unsigned i = 0; i < loads; i++)
        put(0, HD_OP_LOAD, HD_SPACE_GLOBAL, 0, 2 * i, &stuck);
    cycles(&stuck, 20);
    assert_int_equal(safe_outs, before);
    cycles(&still, 40);
    assert_int_equal(safe_outs, before + loads);
    drain();

    pending_unsafe_load(0, 2); /* a conflict in the LDS */
    before = safe_outs;
    put(0, HD_OP_STORE, HD_SPACE_LDS, 0, 0, &still);
    put(1, HD_OP_LOAD, HD_SPACE_LDS, 0, 0, &still);
    cycles(&still, 20);
    assert_int_equal(safe_outs, before + 1);
    unsafe_first = true;
    cycles(&one_by_one, 3);
    unsafe_first = false;
    cycles(&still, 20);
    assert_int_equal(safe_outs, before + 2);
    drain();

    if (P_TypeEntries > 1) { /* an invalidation of another sector of the same hash that is not acknowledged */
        learn(4);
        put(0, HD_OP_LOAD, HD_SPACE_GLOBAL, 0, 0, &still);
        cycles(&still, 40);
        evict(0);
        cycles(&still, 40);
        assert_int_equal(sectors[0].held, 1);
        before = safe_outs;
        put(1, HD_OP_LOAD, HD_SPACE_LDS, 0, 8, &still); /* not held */
        assert_int_equal(safe_outs, before + 1);
        put(1, HD_OP_LOAD, HD_SPACE_GLOBAL, 4, 0, &still);
        cycles(&still, 20);
        assert_int_equal(safe_outs, before + 1);
        cycles(&no_acks, 20);
        assert_int_equal(safe_outs, before + 1);
        cycles(&still, 20);
        assert_int_equal(safe_outs, before + 2);
    }
    drain();
    end();
}

/* Warp 0 has written a line of sector 0 past an unsafe access. */
static void pass_a_store(void)
{
    learn(0);
    pending_unsafe_load(0, 2);
    put(0, HD_OP_STORE, HD_SPACE_GLOBAL, 0, 0, &still);
    cycles(&still, 5);
}

/* A conflict counts when what has it is queued, and once for each time it is tried from the queue. */
static void conflicts_are_counted(void **state)
{
    unsigned before;

    (void)state;
    if (P_TypeEntries == 1)
        return;
    begin();
    pass_a_store();
    before = conflicts;
    put(1, HD_OP_LOAD, HD_SPACE_GLOBAL, 0, 0, &still);
    assert_int_equal(conflicts, before + 1);
    cycles(&still, 20);
    assert_in_range(conflicts, before + 2, before + 8);
    before = conflicts;
    cycles(&still, 20);
    assert_int_equal(conflicts, before);
    drain();
    if (WARPS > 2 && P_Stores <= SLOTS && P_Stores <= P_SafeDepth + P_WaitDepth) {
        pass_a_store();
        before = conflicts;
        for (unsigned i = 0; i < P_Stores; i++)
            put(2, HD_OP_STORE, HD_SPACE_GLOBAL, 0, 2 + 2 * i, &stuck);
        assert_true(refused(1, HD_OP_STORE, 0, 0, false)); /* no room for its data: not queued */
        assert_int_equal(conflicts, before);
        drain();
    }
    end();
}

static void markers_of_a_sector_merge(void **state)
{
    (void)state;
    if (P_UnsafeDepth < 2 || SLOTS < 4)
        return;
    begin();
    learn(0);
    for (unsigned merge = 0; merge < 2; merge++) {
        const unsigned before = markers;

        *d.merge_i = (uint8_t)merge;
        pending_unsafe_load(0, 2);
        put(0, HD_OP_LOAD, HD_SPACE_GLOBAL, 0, 0, &still);
        put(0, HD_OP_LOAD, HD_SPACE_GLOBAL, 0, 2, &still);
        cycles(&still, 10);
        assert_int_equal(markers - before, merge ? 1 : 2);
        drain();
    }
    end();
}

static void random_programs_keep_the_rules(void **state)
{
    /* issue, ready, perform, others, evict, up */
    static const struct rates phases[] = {
        {2, 1, 1, 40, 200, 1}, {1, 1, 2, 0, 0, 1},   {2, 3, 2, 15, 60, 2}, {1, 1, 8, 60, 150, 1},
        {2, 4, 2, 10, 12, 4},  {3, 1, 12, 30, 0, 1}, {1, 2, 3, 200, 20, 8}, {2, 6, 1, 20, 100, 1},
    };
    const unsigned num_phases = sizeof phases / sizeof *phases;

    (void)state;
    begin();
    for (unsigned t = 0; t < (WARPS > 8 ? 3u : WARPS < 3 ? 24u : 12u) * num_phases; t++) {
        *d.merge_i = t / num_phases & 1;
        run(&phases[t % num_phases], 700, t % 3 == 0 ? 2 : SECTORS);
        if (t % 5 == 4)
            drain();
    }
    drain();
    assert_true(performed > 1500 && safe_outs > 500 && unsafe_outs > 300 && asks > 100 && queued > 500);
    assert_true(unknowns > 50 && unknowns < queued);
    assert_true(invals > 30 && recalls > 30 && stale > 0 && agains > 5 && markers > 10 && passed > 20);
    assert_true(lds_passed > 5 && conflicts > 5);
    assert_true(sim_unsafe > 10);
    end();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(a_private_sector_is_safe_and_one_that_others_write_is_not),
        cmocka_unit_test(clear_forgets_the_types),
        cmocka_unit_test(a_reply_behind_a_recall_is_not_stale),
        cmocka_unit_test(what_may_go_is_not_queued),
        cmocka_unit_test(only_what_has_data_needs_room_for_data),
        cmocka_unit_test(a_type_is_asked_for_once_and_early),
        cmocka_unit_test(a_refused_head_goes_when_its_reason_goes),
        cmocka_unit_test(conflicts_are_counted),
        cmocka_unit_test(markers_of_a_sector_merge),
        cmocka_unit_test(random_programs_keep_the_rules),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
