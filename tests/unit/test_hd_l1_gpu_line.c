/* test_hd_l1_gpu_line.c - words and READs of lines against a reference that knows rows, masks and who waits, whatever happens
 * to them: accesses that the test lets do what the line allows, data, INVs, flushes, the NVW-FIFO, generations and their walk. */
/* dut: hd_l1_gpu_line Sets=2 Ways=2 Lanes=4 LineWords=4 SlotW=3 GenW=2 MshrEntries=3 MshrTargets=5 MergeLanes=8 */
/* dut: hd_l1_gpu_line Sets=4 Ways=2 Lanes=8 LineWords=8 SlotW=5 GenW=3 MshrEntries=2 MshrTargets=8 MergeLanes=24 */
#include "hd_unit.h"
#include "hd_l1_gpu_line_dut.h"
#include "hd_access.h"

enum {
    SETS = P_Sets, WAYS = P_Ways, ROWS = SETS * WAYS, LANES = P_Lanes, WORDS = P_LineWords, ALL = (1 << WORDS) - 1,
    PLACE_W = HD_L1_GPU_LINE_W_la_place_i, OFF_W = (PLACE_W - LANES - WORDS) / LANES, ENTRIES = P_MshrEntries,
    TARGETS = P_MshrTargets, LINES = 3 * ROWS, CYCLES = 60000, PHASES = 6, NONE = -1
};

#define TURN(name) (1u << HD_GPU_TURN_##name##_LSB)
#define DO(name) (1u << HD_GPU_DO_##name##_LSB)
#define LOOK(name) ((unsigned)hd_bits_get(d.look_o, HD_GPU_LOOK_##name##_LSB, HD_GPU_LOOK_##name##_W))

static struct hd_l1_gpu_line d;
static struct row { int line; unsigned v, d; bool pin; } rows[ROWS];
static unsigned age[ROWS]; /* in its set; 0: most recently used */
static struct entry {
    bool used, old;
    unsigned line, need, skip, lanes, n;
    struct { uint64_t place, access; } who[TARGETS];
} reads[ENTRIES], leaving;
static unsigned total, next_out, gen, seen[32];
static uint32_t number[LINES]; /* of lines, as they are on the ports: those of a set differ in any bits of their tags */
static bool st;
static unsigned st_line;

static int row_of(unsigned line)
{
    for (int i = 0; i < ROWS; i++)
        if (rows[i].line == (int)line)
            return i;
    return NONE;
}

static int pending_of(unsigned line)
{
    for (int i = 0; i < ENTRIES; i++)
        if (reads[i].used && !reads[i].old && reads[i].line == line)
            return i;
    return NONE;
}

/* As hd_l1_words has it: empty, else without words, else the least recently used; never a reserved one. */
static int victim(unsigned set)
{
    int best = NONE;
    unsigned kind_of_best = 0;

    for (unsigned i = set * WAYS; i < (set + 1) * WAYS; i++) {
        const unsigned kind = rows[i].line == NONE ? 3 : rows[i].pin ? 0 : rows[i].v | rows[i].d ? 1 : 2;
        if (kind > kind_of_best || (kind == kind_of_best && kind > 0 && age[i] > age[best]))
            best = (int)i, kind_of_best = kind;
    }
    return best;
}

static void touch(unsigned row)
{
    for (unsigned i = row / WAYS * WAYS; i < (row / WAYS + 1) * WAYS; i++)
        age[i] += age[i] < age[row];
    age[row] = 0;
}

static void expect(unsigned got, unsigned want, const char *what)
{
    if (got != want)
        fail_msg("%s: 0x%x, not 0x%x", what, got, want);
}

/* The turn and what is done, the clock edge, and what is told of it. */
static void edge(unsigned turn, unsigned act, unsigned line)
{
    hd_bits_put(d.act_i, 0, HD_L1_GPU_LINE_W_act_i, act);
    hd_eval(d.m);
    hd_edge(d.m);
    st = (act & DO(WRITE)) && !(turn & TURN(WRAP)), st_line = line;
    if (act & DO(GEN)) { /* valid words go, READs become old, nothing is reserved */
        gen = (gen + 1) % (1u << P_GenW);
        for (unsigned i = 0; i < ROWS; i++)
            rows[i].v = 0, rows[i].pin = false;
        for (unsigned i = 0; i < ENTRIES; i++)
            reads[i].old = true;
    }
    *d.gen_i = (uint8_t)gen;
}

static void look(unsigned turn)
{
    /* what access and message are is said whatever is selected */
    turn |= turn & TURN(FR) ? 0 : hd_rand() & ((1u << HD_GPU_TURN_WHAT_W) - 1) << HD_GPU_TURN_WHAT_LSB;
    turn |= turn & TURN(DN) ? 0 : hd_rand() & ((1u << HD_GPU_TURN_MSG_W) - 1) << HD_GPU_TURN_MSG_LSB;
    hd_bits_put(d.turn_i, 0, HD_L1_GPU_LINE_W_turn_i, turn);
    hd_bits_put(d.act_i, 0, HD_L1_GPU_LINE_W_act_i, 0);
    hd_eval(d.m);
    assert_int_equal(*d.st_valid_o, st);
    if (st)
        expect((unsigned)*d.st_line_o, number[st_line], "line that changed");
    for (unsigned i = 0; next_out == leaving.n && i < ENTRIES; i++)
        assert_int_equal(hd_bits_get(d.mshr_busy_o, i, 1), reads[i].used);
}

static unsigned masks(unsigned upper)
{
    return (unsigned)hd_bits_get(d.masks_o, upper ? WORDS : 0, WORDS);
}

/* A row's dirty words are to leave: a flush step or the NVW-FIFO. */
static void leave(unsigned turn, int row, unsigned line)
{
    const unsigned dirty = row == NONE ? 0 : rows[row].d;

    look(turn);
    expect(LOOK(HIT), row != NONE, "hit of a flush");
    expect(LOOK(WT), dirty != 0, "words to write through");
    expect(masks(0), dirty, "dirty words of a flush");
    if (row != NONE) {
        expect(*d.row_o, (unsigned)row, "row of a flush");
        expect((unsigned)*d.num_o, number[line], "line of a flush");
        expect(masks(1), 0, "dirty afterwards");
        rows[row].v |= dirty, rows[row].d = 0;
    }
    seen[0] += dirty != 0;
    edge(turn, DO(LEAVE) | (dirty ? DO(WT) : 0) | (row != NONE ? DO(WRITE) : 0), line);
}

static void walk(void)
{
    for (unsigned i = 0; i < ROWS; i++) {
        *d.wrap_row_i = (uint8_t)i;
        look(TURN(WRAP));
        expect(LOOK(HIT), rows[i].line != NONE, "hit of a walk");
        expect(*d.row_o, i, "row of a walk");
        if (rows[i].line != NONE)
            expect((unsigned)*d.num_o, number[rows[i].line], "line of a walk");
        edge(TURN(WRAP), rows[i].line != NONE ? DO(WRITE) : 0, 0);
    }
    seen[1]++;
}

static void data_come(void)
{
    const unsigned i = (unsigned)hd_rand_below(ENTRIES);
    struct entry *e = &reads[i];

    if (!e->used)
        return;
    const int row = row_of(e->line);
    hd_bits_put(d.dn_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, i);
    look(TURN(DN) | TURN(DATA));
    expect(LOOK(FILL), !e->old, "data stay");
    expect(LOOK(HIT), row != NONE, "line of data is here");
    unsigned write = 0;
    expect((unsigned)*d.num_o, number[e->line], "line of data");
    if (row != NONE)
        expect(masks(0), rows[row].d, "dirty words of a line of data");
    if (!e->old) {
        write = ALL & ~(rows[row].v | rows[row].d) & ~e->skip;
        expect(*d.row_o, (unsigned)row, "row of data");
        expect(masks(1), rows[row].d, "data leave dirty words");
        rows[row].v |= write, rows[row].pin = false;
    }
    seen[2] += e->old, seen[3] += (e->skip & ALL) != 0 && !e->old;
    expect((unsigned)hd_bits_get(d.wmask_o, 0, WORDS), write, "words of data");
    const unsigned line = e->line;
    leaving = *e, next_out = 0, e->used = false;
    edge(TURN(DN) | TURN(DATA), write || !leaving.old ? DO(WRITE) : 0, line);
}

static void invalidated(unsigned line)
{
    const int row = row_of(line);
    const unsigned v = row == NONE ? 0 : rows[row].v;

    hd_bits_put(d.dn_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, (uint64_t)number[line] * WORDS * 4);
    look(TURN(DN) | TURN(INV));
    expect(LOOK(HIT), row != NONE, "hit of an INV");
    expect(LOOK(FILL), 0, "an INV is no data");
    expect((unsigned)hd_bits_get(d.wmask_o, 0, WORDS), 0, "an INV writes nothing");
    expect((unsigned)*d.num_o, number[line], "line of an INV");
    if (row != NONE) {
        expect(*d.row_o, (unsigned)row, "row of an INV");
        expect(masks(0), rows[row].d, "dirty words before an INV");
        expect(masks(1), rows[row].d, "an INV leaves dirty words"), rows[row].v = 0;
    }
    for (unsigned i = 0; i < ENTRIES; i++)
        if (reads[i].used && reads[i].line == line)
            reads[i].skip |= v;
    seen[4] += v != 0;
    edge(TURN(DN) | TURN(INV), row != NONE ? DO(WRITE) : 0, line);
}

/* A fence is taken: whatever line is named, it is of no row and a victim stays. */
static void fence(void)
{
    look(TURN(FR) | TURN(FENCE) | (hd_rand_below(2) ? TURN(RELEASE_IT) : 0) | (hd_rand_below(2) ? TURN(ACQUIRE) : 0));
    expect(LOOK(EVICT), 0, "a fence has no victim");
    expect(LOOK(FILL), 0, "a fence is no data");
    edge(TURN(FR), DO(ACCEPT), 0);
    seen[17]++;
}

static void serve(void)
{
    assert_int_equal(*d.rp_valid_o, 1);
    assert_int_equal(*d.idle_o, 0);
    assert_true(hd_bits_get(d.rp_acc_o, 0, HD_ACCESS_W) == leaving.who[next_out].access);
    assert_true(hd_bits_get(d.rp_place_o, WORDS, PLACE_W - WORDS) == leaving.who[next_out].place >> WORDS);
    look(hd_rand_below(2) ? TURN(RP) : 0);
    const bool pops = hd_bits_get(d.turn_i, HD_GPU_TURN_RP_LSB, 1);
    edge(0, 0, 0);
    if (pops)
        next_out++, total--;
}

/* The access in front, of one of the kinds that a line can see; it does what the line allows, or waits. */
static void access_line(unsigned line)
{
    struct hd_access acc = hd_access_random();
    const unsigned kind = (unsigned)hd_rand_below(4); /* load, store, synchronization, atomic of the thread block */
    const unsigned turn = TURN(FR) | (kind == 0 ? TURN(LOAD) : kind == 1 ? TURN(STORE) : TURN(ATOMIC)) | (kind == 2 ? TURN(SYNC) : 0);
    const unsigned mask = (unsigned)hd_bits_random_mask(LANES);
    unsigned words = 0, offs[LANES], hit_lanes = 0, miss_lanes = 0, guard = 0, count = 0, act = 0;
    const int row = row_of(line), pend = pending_of(line);
    bool some = false;

    for (unsigned i = 0; i < LANES; i++) {
        offs[i] = (unsigned)hd_rand_below(WORDS);
        hd_bits_put(d.la_place_i, WORDS + i * OFF_W, OFF_W, offs[i]);
        words |= mask >> i & 1 ? 1u << offs[i] : 0;
    }
    hd_bits_put(d.la_place_i, 0, WORDS, words), hd_bits_put(d.la_place_i, PLACE_W - LANES, LANES, mask);
    hd_bits_put(d.la_acc_i, 0, HD_ACCESS_W, hd_access_pack(acc));
    *d.la_line_i = number[line];
    look(turn);
    for (unsigned i = 0; i < ENTRIES; i++) {
        some |= !reads[i].used;
        guard |= reads[i].used && reads[i].line == line ? reads[i].need : 0;
    }
    const int at = row != NONE ? row : victim(line % SETS); /* its row, or the one it would take */
    unsigned v = row == NONE ? 0 : rows[row].v, dirty = row == NONE ? 0 : rows[row].d;
    const unsigned here = words & (v | dirty), missing = words & ~(v | dirty), skip = pend == NONE ? 0 : reads[pend].skip;
    expect(LOOK(HIT), row != NONE, "hit");
    expect(LOOK(ROW), at != NONE, "a row can be had");
    expect(LOOK(PENDING), pend != NONE, "a READ is out");
    expect(LOOK(FILL), 0, "an access is no data");
    if (at != NONE)
        expect(*d.row_o, (unsigned)at, "row");
    const bool evict = kind != 2 && row == NONE && at != NONE && rows[at].line != NONE && rows[at].d != 0;
    expect(LOOK(EVICT), evict, "dirty victim");
    if (evict) {
        const unsigned old = (unsigned)rows[at].line;
        expect((unsigned)*d.num_o, number[old], "line of the victim");
        expect(masks(0), rows[at].d, "dirty words of the victim"), expect(masks(1), 0, "victim afterwards");
        expect(LOOK(WT), 1, "a victim's words are sent");
        if (hd_rand_below(2)) {
            rows[at] = (struct row){.line = NONE};
            seen[5]++;
            edge(turn, DO(STEP) | DO(WT) | DO(WRITE), old);
        } else {
            edge(turn, DO(REJECT), 0);
        }
        return;
    }
    expect((unsigned)*d.num_o, number[line], "line");
    expect(masks(0), dirty, "dirty words");
    unsigned hits = 0, miss = 0, write = 0, why = HD_WHY_NONE, dirty_new = dirty;
    bool again = false, wt = false;
    if (kind == 0 && missing && pend != NONE && (missing & skip))
        why = HD_WHY_LINE;
    else if (kind == 0)
        hits = here, miss = missing;
    else if (words & guard)
        why = HD_WHY_GUARD;
    else if (kind == 1)
        hits = write = words, dirty_new = dirty | words, v &= ~words;
    else if (kind == 2 && (words & dirty))
        again = wt = true, v |= dirty, dirty_new = 0;
    else if (kind == 2)
        v &= ~words;
    else if (missing)
        why = pend != NONE ? HD_WHY_LINE : HD_WHY_NONE, again = pend == NONE;
    else
        hits = words, dirty_new = dirty | words, v &= ~words;
    for (unsigned i = 0; i < LANES; i++)
        if (mask >> i & 1)
            hit_lanes |= (hits >> offs[i] & 1) << i, miss_lanes |= (miss >> offs[i] & 1) << i;
    count = hd_bits_count(miss_lanes);
    expect(LOOK(WHY), why, "why"), expect(LOOK(AGAIN), again, "again"), expect(LOOK(WT), wt, "write-through");
    expect(LOOK(MISSING), miss != 0, "missing"), expect(LOOK(HITS), hit_lanes != 0, "hits");
    expect((unsigned)hd_bits_get(d.lanes_o, 0, LANES), hit_lanes, "lanes");
    expect(masks(1), why ? dirty : dirty_new, "dirty afterwards");
    if (why == HD_WHY_NONE && kind == 1)
        expect((unsigned)hd_bits_get(d.wmask_o, 0, WORDS), write, "words written");
    const bool room = LOOK(WAIT_WHY) == HD_WHY_NONE && (pend != NONE || LOOK(READ_ROOM));
    if (kind != 2 && (miss || again))
        assert_int_equal(room, total < TARGETS && (pend != NONE ? reads[pend].lanes + count <= P_MergeLanes : some));
    seen[6] += why == HD_WHY_GUARD, seen[7] += why == HD_WHY_LINE, seen[8] += !room && miss;
    if (why != HD_WHY_NONE || (kind != 2 && at == NONE) || (kind != 2 && (miss || again) && !room) || hd_rand_below(8) == 0) {
        edge(turn, DO(REJECT), 0);
        return;
    }
    if (kind == 2 && again) {
        rows[row].v = v, rows[row].d = 0, seen[9]++;
        edge(turn, DO(STEP) | DO(WT) | DO(WRITE), line);
        return;
    }
    if (kind == 2) { /* it goes to the L2: its words are invalid, READs that are out must not bring them back */
        if (row != NONE)
            rows[row].v = v;
        for (unsigned i = 0; i < ENTRIES; i++)
            if (reads[i].used && reads[i].line == line)
                reads[i].skip |= words, seen[10]++;
        seen[15]++;
        edge(turn, DO(ACCEPT) | DO(SEND) | (row != NONE ? DO(WRITE) : 0), line);
        return;
    }
    act = again ? DO(PUSH) | DO(FETCH) : DO(ACCEPT) | (miss ? DO(PUSH) : 0);
    act |= kind == 0 && hit_lanes ? DO(LOAD) : 0;
    if (act & DO(PUSH)) {
        const unsigned tid = *d.read_tid_o;
        assert_true(tid < ENTRIES && (pend == NONE ? !reads[tid].used : (int)tid == pend));
        if (pend == NONE) {
            reads[tid] = (struct entry){.used = true, .line = line};
            act |= DO(WRITE);
        }
        struct entry *e = &reads[tid];
        acc.kind = HD_OP_LOAD; /* what waits brings no data */
        e->who[e->n].access = hd_access_kept(acc, P_SlotW);
        e->who[e->n].place = (uint64_t)miss_lanes << (PLACE_W - LANES);
        for (unsigned i = 0; i < LANES; i++)
            e->who[e->n].place |= (uint64_t)offs[i] << (WORDS + i * OFF_W);
        e->n++, e->need |= again ? 0 : miss, e->lanes += count, total++;
        seen[11] += pend != NONE, seen[12] += again;
    } else if (kind != 0) {
        act |= (kind == 1 ? DO(STORE) : DO(ATOMIC)) | DO(WRITE);
    }
    if (act & DO(WRITE)) {
        const bool pin = (act & DO(PUSH)) || (row != NONE && rows[row].pin);
        rows[at] = (struct row){.line = (int)line, .v = v, .d = dirty_new, .pin = pin};
    }
    if (act & DO(ACCEPT))
        touch((unsigned)at);
    seen[13 + kind]++;
    edge(turn, act, line);
}

static void begin(void)
{
    memset(reads, 0, sizeof reads), memset(&leaving, 0, sizeof leaving);
    for (unsigned i = 0; i < ROWS; i++)
        rows[i] = (struct row){.line = NONE}, age[i] = i % WAYS;
    for (unsigned i = 0; i < LINES; i++) { /* no two of them are the same line */
        unsigned k;
        do {
            number[i] = (uint32_t)hd_rand_below(UINT64_C(1) << HD_L1_GPU_LINE_W_la_line_i) / SETS * SETS + i % SETS;
            for (k = 0; number[k] != number[i]; k++)
                ;
        } while (k < i);
    }
    total = next_out = gen = 0, st = false;
    hd_reset(d.m);
}

static void rows_and_reads_are_as_the_reference_has_them(void **state)
{
    (void)state;
    memset(seen, 0, sizeof seen);
    hd_l1_gpu_line_open(&d);
    for (unsigned n = 0; n < CYCLES; n++) {
        if (n % (CYCLES / PHASES) == 0)
            begin();
        const unsigned what = (unsigned)hd_rand_below(32), line = (unsigned)hd_rand_below(1 + n / 800 % LINES);
        const unsigned row = (unsigned)hd_rand_below(ROWS);

        hd_bits_random(d.dn_i, HD_HEAD_W);
        *d.fl_row_i = (uint8_t)row, *d.wrap_row_i = (uint8_t)hd_rand_below(ROWS), *d.pop_mark_i = 0;
        *d.pop_num_i = number[hd_rand_below(LINES)], *d.la_line_i = number[hd_rand_below(LINES)];
        if (next_out < leaving.n) { /* first of all */
            serve();
            continue;
        }
        assert_int_equal(*d.rp_valid_o, 0);
        assert_int_equal(*d.idle_o, 1);
        if (what < 3) {
            data_come();
        } else if (what == 3) {
            invalidated(line);
        } else if (what == 4 && rows[row].line != NONE) {
            leave(TURN(FL), (int)row, (unsigned)rows[row].line);
        } else if (what == 5) {
            *d.pop_num_i = number[line];
            leave(TURN(PP), row_of(line), line);
        } else if (what == 6) { /* a persist barrier leaves: no line */
            *d.pop_mark_i = 1;
            look(TURN(PP));
            expect(LOOK(HIT) | LOOK(WT), 0, "a barrier has no line");
            edge(TURN(PP), 0, 0);
        } else if (what == 7 && hd_rand_below(4) == 0) { /* an acquire is done */
            look(TURN(MK));
            edge(TURN(MK), DO(GEN), 0);
            if (gen == 0)
                walk();
        } else if (what == 8) {
            fence();
        } else {
            access_line(line);
        }
    }
    for (unsigned i = 0; i < 18; i++)
        if (seen[i] < 20)
            fail_msg("case %u was reached %u times", i, seen[i]);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(rows_and_reads_are_as_the_reference_has_them)};

    return HD_UNIT_MAIN(argc, argv, t);
}
