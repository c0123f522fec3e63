/* test_hd_type_pass.c - random classified accesses, completions and a port that stalls: which accesses go, in which order they leave
 * and what is counted, cycle by cycle against queues and a table in C. */
/* mutants: Warps=3 LineW=10 CtlW=8 UnsafeDepth=2 SafeDepth=2 SyncEntries=3 SectorShift=2 */
/* dut: hd_type_pass Warps=3 LineW=10 CtlW=8 UnsafeDepth=2 SafeDepth=2 SyncEntries=3 SectorShift=2 */
/* dut: hd_type_pass Warps=2 LineW=10 CtlW=8 UnsafeDepth=1 SafeDepth=1 SyncEntries=1 SectorShift=2 */
/* dut-rtl: hd_type_pass Warps=8 LineW=10 CtlW=40 UnsafeDepth=4 SafeDepth=4 SyncEntries=8 SectorShift=2 */
/* dut-rtl: hd_type_pass Warps=48 LineW=10 CtlW=20 UnsafeDepth=4 SafeDepth=16 SyncEntries=64 SectorShift=2 */
#include "hd_unit.h"
#include "hd_type_pass_dut.h"
#include "hd_access.h"

enum {
    WARPS = P_Warps, LINE_W = P_LineW, CTL_W = P_CtlW, SHIFT = P_SectorShift, UNSAFE = P_UnsafeDepth, SAFE = P_SafeDepth,
    SYNC = P_SyncEntries, HASHES = 1 << (HD_TAG_W - 2), SECTORS = 3
};
#define SET(port, value) hd_bits_put(d.port, 0, HD_TYPE_PASS_W_##port, (uint64_t)(value))
#define GET(port) hd_bits_get(d.port, 0, HD_TYPE_PASS_W_##port)
#define COUNT(name) (1u << HD_TYPE_COUNT_##name##_LSB)

struct access {
    bool marker, write;
    struct hd_access acc;
    uint32_t line;
    uint64_t ctl;
};
struct warp {
    struct access queue[UNSAFE];
    unsigned num, out, slot, came, done; /* out: in flight, of instruction slot; came, done: unsafe accesses, ever */
};

static struct hd_type_pass d;
static struct warp warps[WARPS];
static struct access safe_queue[SAFE];
static struct { unsigned warp, space, number; uint32_t line; bool write; } table[SYNC];
static unsigned num_safe, num_table, last, late; /* late: unsafe accesses that went before the head of the safe queue */
static struct { bool set, write; unsigned warp, space; uint32_t line; } wanted; /* met an entry when it was tried from its queue */
static uint32_t lines, slots; /* bits in which the lines and slots of a while differ from small numbers */
static struct {
    unsigned conflicts, passed, lds_passed, held, no_room, no_entry, no_marker, merged, direct, kept, markers, gone, shared, full,
        yielded, waited;
} seen;

static bool may_leave(const struct warp *w)
{
    return w->num > 0 && (w->out == 0 || (!w->queue[0].marker && w->queue[0].acc.slot == w->slot));
}

static void take(struct access *queue, unsigned *num)
{
    --*num;
    memmove(queue, queue + 1, *num * sizeof *queue);
}

/* A queue keeps whose an access is and what hd_pkg::queued() says; one that leaves at once is whole. */
static void check_leaves(const struct access *out, bool direct, bool unsafe, bool kept)
{
    const struct hd_access always = {.warp = ~0u, .slot = ~0u, .tag = ~0u};
    const uint64_t compared = direct ? UINT64_MAX : hd_access_pack(always) | ((UINT64_C(1) << HD_QUEUED_W) - 1);
    const unsigned global = out->acc.space == HD_SPACE_GLOBAL;
    struct hd_access lo = out->acc;

    lo.tag = (unsigned)unsafe << (HD_TAG_W - 1) | (unsigned)(!unsafe && global) << (HD_TAG_W - 2) | (out->line >> SHIFT) % HASHES;
    assert_true((GET(lo_acc_o) & compared) == (hd_access_pack(lo) & compared));
    assert_int_equal(GET(lo_line_o), out->line);
    assert_true(GET(lo_ctl_o) == out->ctl);
    assert_int_equal(*d.lo_kept_o, kept);
}

/* One cycle: @t is tried if @valid. done: an unsafe access of that warp is performed, or -1. */
static void cycle(const struct access *t, bool valid, bool safe, bool queued, bool held, bool data_ok, bool merge, bool ready, int done)
{
    struct warp *tw = &warps[t->acc.warp];
    const bool lds = t->acc.space == HD_SPACE_LDS, free_entry = num_table < SYNC;
    const uint32_t sector = t->line >> SHIFT;
    const unsigned tag = (unsigned)hd_rand_below(1u << (HD_TAG_W - 1)) | (done >= 0 ? 1u << (HD_TAG_W - 1) : 0);
    const bool perf = done >= 0 || hd_rand_below(4) == 0;
    int uq = -1, own = -1;
    bool conflict = false, go;

    SET(t_acc_i, hd_access_pack(t->acc));
    SET(t_line_i, t->line);
    SET(t_ctl_i, t->ctl);
    *d.t_i = (uint8_t)(valid << HD_TYPE_TRY_VALID_LSB | safe << HD_TYPE_TRY_SAFE_LSB | queued << HD_TYPE_TRY_QUEUED_LSB |
                       data_ok << HD_TYPE_TRY_DATA_OK_LSB);
    *d.held_i = held;
    *d.merge_i = merge;
    *d.lo_ready_i = ready;
    *d.perf_valid_i = perf;
    HD_PUT(d.perf_i, PERFORMED_WARP, done >= 0 ? (unsigned)done : hd_rand_below(WARPS));
    HD_PUT(d.perf_i, PERFORMED_TAG, done >= 0 ? tag & ~(1u << (HD_TAG_W - 2)) : tag);
    hd_eval(d.m);

    /* ---- the port: unsafe queues in turn, the safe queue, the access that is tried */
    for (unsigned i = 1; i <= WARPS && uq < 0; i++)
        if (may_leave(&warps[(last + i) % WARPS]))
            uq = (int)((last + i) % WARPS);
    if (uq >= 0 && !warps[uq].queue[0].marker && late == 15)
        uq = -1; /* it is the safe queue's turn */
    const bool uq_port = uq >= 0 && !warps[uq].queue[0].marker, marker_out = uq >= 0 && !uq_port;
    const bool port_free = ready && !uq_port && num_safe == 0;
    const bool unsafe_direct = port_free && tw->num == 0 && (tw->out == 0 || tw->slot == t->acc.slot);
    const bool merged = merge && tw->num > 0 && tw->queue[tw->num - 1].marker && tw->queue[tw->num - 1].line >> SHIFT == sector;

    /* ---- does it go? */
    for (unsigned i = 0; i < num_table; i++) {
        if (table[i].space != t->acc.space || table[i].line != t->line)
            continue;
        if (table[i].warp == t->acc.warp)
            own = (int)i;
        else
            conflict |= valid && safe && (t->write || table[i].write);
    }
    const bool passes = safe && tw->came != tw->done + (done == (int)t->acc.warp);
    const bool place = safe ? port_free || (num_safe < SAFE && data_ok) : unsafe_direct || (tw->num < UNSAFE && data_ok);
    const bool entry = own >= 0 || free_entry, marker = lds || merged || tw->num < UNSAFE;
    const bool yields = wanted.set && wanted.warp != t->acc.warp && wanted.space == t->acc.space && wanted.line == t->line &&
                        (wanted.write || t->write);
    go = valid && !(held && !lds) && !conflict && place && (!passes || (!yields && entry && marker));
    assert_int_equal(*d.go_o, go);
    if (valid) {
        assert_int_equal(*d.conflict_o, conflict);
        seen.conflicts += conflict;
        seen.held += held && !lds;
        seen.no_room += !place;
        seen.yielded += !(held && !lds) && !conflict && place && passes && entry && marker && yields;
        seen.no_entry += place && !conflict && passes && !entry;
        seen.no_marker += place && !conflict && passes && !marker;
    }
    const bool direct = go && (safe ? port_free : unsafe_direct), leaves_marker = go && passes && !lds && !merged;
    assert_int_equal(*d.direct_o, direct);
    assert_int_equal(*d.lo_valid_o, uq_port || num_safe > 0 || direct);
    if (uq_port)
        check_leaves(&warps[uq].queue[0], false, true, true);
    else if (num_safe > 0)
        check_leaves(&safe_queue[0], false, false, true);
    else if (direct)
        check_leaves(t, true, !safe, queued);

    /* ---- counts */
    const unsigned sub_hash = tag % HASHES, marker_hash = (unsigned)HD_GET(d.count_o, TYPE_COUNT_MARKER_HASH);
    assert_int_equal(*d.count_o, (go && safe && !lds ? COUNT(ADD_SAFE) : 0) | (go && !safe ? COUNT(ADD_UNSAFE) : 0) |
                                     (leaves_marker ? COUNT(ADD_MARKER) : 0) | (done >= 0 ? COUNT(SUB_UNSAFE) : 0) |
                                     (perf && done < 0 && tag >> (HD_TAG_W - 2) ? COUNT(SUB_SAFE) : 0) | (marker_out ? COUNT(SUB_MARKER) : 0) |
                                     sub_hash << HD_TYPE_COUNT_SUB_HASH_LSB | marker_hash << HD_TYPE_COUNT_MARKER_HASH_LSB);
    assert_int_equal(GET(hash_o), sector % HASHES);
    if (marker_out)
        assert_int_equal(marker_hash, (warps[uq].queue[0].line >> SHIFT) % HASHES);
    for (unsigned w = 0; w < WARPS; w++)
        assert_int_equal(hd_bits_get(d.pend_o, w, 1), warps[w].came != warps[w].done);
    const bool moves = marker_out || ((uq_port || num_safe > 0) && ready);
    assert_int_equal(*d.moves_o, moves);
    assert_int_equal(*d.ready_o, moves);
    assert_int_equal(*d.drained_o, num_table == 0);
    hd_edge(d.m);

    /* ---- the edge */
    late = num_safe == 0 || (!uq_port && ready) ? 0 : late + (uq_port && ready);
    if (wanted.set) {
        seen.waited += go && t->acc.warp == wanted.warp;
        wanted.set = !(go && t->acc.warp == wanted.warp);
    } else if (conflict && queued) {
        wanted.set = true;
        wanted.write = t->write;
        wanted.warp = t->acc.warp;
        wanted.space = t->acc.space;
        wanted.line = t->line;
    }
    seen.direct += direct;
    seen.kept += direct && queued;
    seen.merged += go && passes && !lds && merged;
    seen.markers += leaves_marker;
    seen.passed += go && passes;
    seen.lds_passed += go && passes && lds;
    seen.full += num_table == SYNC;
    if (done >= 0) { /* what passed this one and none behind it conflicts no more */
        warps[done].done++;
        warps[done].out--;
        for (unsigned i = num_table; i-- > 0;)
            if (table[i].warp == (unsigned)done && table[i].number == warps[done].done && !(go && passes && own == (int)i)) {
                memmove(&table[i], &table[i + 1], (num_table - i - 1) * sizeof *table);
                num_table--;
                own -= own > (int)i;
                seen.gone++;
            }
    }
    if (go && passes) {
        const unsigned i = own >= 0 ? (unsigned)own : num_table++;

        seen.shared += own >= 0;
        table[i].write = t->write || (own >= 0 && table[i].write);
        table[i].warp = t->acc.warp;
        table[i].space = t->acc.space;
        table[i].line = t->line;
        table[i].number = tw->came;
    }
    if (uq >= 0 && (marker_out || ready)) {
        if (uq_port) {
            warps[uq].out++;
            warps[uq].slot = warps[uq].queue[0].acc.slot;
        }
        last = (unsigned)uq;
        take(warps[uq].queue, &warps[uq].num);
    }
    if (!uq_port && num_safe > 0 && ready)
        take(safe_queue, &num_safe);
    if (go && !safe) {
        tw->came++;
        if (direct) {
            tw->out++;
            tw->slot = t->acc.slot;
        } else {
            tw->queue[tw->num++] = *t;
        }
    } else if (go) {
        if (!direct)
            safe_queue[num_safe++] = *t;
        if (leaves_marker) {
            tw->queue[tw->num] = *t;
            tw->queue[tw->num++].marker = true;
        }
    }
}

static struct access an_access(unsigned span)
{
    static const unsigned kinds[] = {HD_OP_LOAD, HD_OP_LOAD, HD_OP_STORE, HD_OP_ATOMIC, HD_OP_COPY};
    struct access a = {0};

    a.acc = hd_access_random();
    a.acc.warp = (unsigned)hd_rand_below(span);
    a.acc.slot = (unsigned)hd_rand_below(2) ^ slots;
    a.acc.kind = kinds[hd_rand_below(5)];
    a.write = a.acc.kind != HD_OP_LOAD && a.acc.kind != HD_OP_COPY;
    a.line = (uint32_t)((hd_rand_below(SECTORS) + HASHES * hd_rand_below(2)) << SHIFT | hd_rand_below(2)) ^ lines;
    a.ctl = hd_rand() & ((UINT64_C(1) << CTL_W) - 1);
    return a;
}

static void random_accesses_match_queues_and_a_table(void **state)
{
    (void)state;
    hd_type_pass_open(&d);
    hd_reset(d.m);
    memset(warps, 0, sizeof warps);
    memset(&seen, 0, sizeof seen);
    num_safe = num_table = late = 0;
    wanted.set = false;
    last = WARPS - 1;
    for (unsigned n = 0; n < (WARPS > 8 ? 20000 : 60000); n++) {
        const unsigned phase = n / 300 % 5;

        if (n % 500 == 0) {
            lines = (uint32_t)hd_rand_below(UINT64_C(1) << LINE_W);
            slots = (uint32_t)hd_rand_below(1u << HD_SLOT_W);
        }
        struct access a = an_access(WARPS > 8 && n / 1500 % 4 ? 4 : WARPS);

        if (wanted.set && a.acc.warp != wanted.warp && hd_rand_below(2)) { /* as polls of what it waits for */
            a.line = wanted.line;
            a.acc.space = wanted.space;
        }
        const bool safe = a.acc.space == HD_SPACE_LDS || hd_rand_below(phase == 2 ? 8 : 3) != 0;
        const bool many = warps[a.acc.warp].came - warps[a.acc.warp].done >= 12;
        const unsigned from = (unsigned)hd_rand_below(WARPS);
        int done = -1;

        for (unsigned i = 0; i < WARPS && done < 0 && hd_rand_below(phase == 1 ? 30 : 3) == 0; i++)
            if (warps[(from + i) % WARPS].out > 0)
                done = (int)((from + i) % WARPS);
        cycle(&a, hd_rand_below(8) && (safe || !many) && phase != 4, safe, hd_rand_below(2), hd_rand_below(8) == 0, hd_rand_below(4),
              n / 700 % 2, hd_rand_below(phase == 3 ? 6 : 2) == 0 || phase == 0, done);
    }
    assert_true(seen.conflicts > 60 && seen.passed > 150 && seen.lds_passed > 20 && seen.held > 500 && seen.no_room > 200);
    assert_true(seen.direct > 1000 && seen.kept > 200 && seen.markers > 100 && seen.gone > 200 && seen.shared > 10 && seen.no_marker > 20);
    assert_true(seen.yielded > 100 && seen.waited > 40);
    assert_true(UNSAFE < 2 || seen.merged > 4);
    assert_true(SYNC > 4 || (seen.no_entry > 20 && seen.full > 100));
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(random_accesses_match_queues_and_a_table)};

    return HD_UNIT_MAIN(argc, argv, t);
}
