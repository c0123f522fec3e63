/* test_hd_coh_lines.c - lines, entries, their queue and the walk against a reference in C, which does what banks of both
 * families do: requests that find, chain, fetch or wait for a way, fills, lines from memory, turns, walks. */
/* dut: hd_coh_lines Sets=2 Ways=2 MshrEntries=3 NumW=5 LaneW=8 Sms=3 */
/* dut: hd_coh_lines Sets=4 Ways=4 MshrEntries=8 NumW=6 LaneW=5 Sms=1 */
/* mutants: Sets=2 Ways=2 MshrEntries=4 NumW=5 LaneW=8 Sms=3 */
/* Not 3 entries there: a row that was never written may name a fourth, and whether that one waits is nothing a model and a
 * proof have to agree about. Nobody looks at it here but a mutant. */
#include "hd_unit.h"
#include "hd_coh_lines_dut.h"
#include "hd_bits.h"

enum { SETS = P_Sets, WAYS = P_Ways, ENTRIES = P_MshrEntries, NONE = 99, CYCLES = 20000, NUMS = 1 << P_NumW };
#define STEP(x) (1u << HD_COH_STEP_##x##_LSB)
#define AT(x) (1u << HD_COH_AT_##x##_LSB)

static struct hd_coh_lines d;
static struct way {
    bool valid, lock, recall, dirty;
    unsigned tag, sharers, txn, age; /* age: how many ways of the set were used later */
} ways[SETS][WAYS];
static struct entry {
    bool used, waits, queued, fetching;
    unsigned num, role, lanes, next;
    uint64_t asker;
} entries[ENTRIES];
static unsigned queue[ENTRIES], queued, walk_row;
static bool walking;

/* What the reference finds for the line at work. */
static struct {
    unsigned set, tag, way, awaited;
    bool hit, ok;
    struct way *w;
} at;

static int setup(void **state)
{
    (void)state;
    hd_coh_lines_open(&d);
    hd_reset(d.m);
    memset(ways, 0, sizeof ways);
    memset(entries, 0, sizeof entries);
    queued = walk_row = 0;
    walking = false;
    for (unsigned n = 0; n < SETS * WAYS; n++)
        ways[n / WAYS][n % WAYS].age = n % WAYS;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

/* Line @num, in way @known unless that is NONE; with @ask also among those that wait. Drives and compares what is found. */
static void look(unsigned num, unsigned known, unsigned flags)
{
    hd_bits_put(d.num_i, 0, P_NumW, num);
    *d.at_i = (uint8_t)(AT(EN) | flags);
    *d.fill_way_i = (uint8_t)(flags & AT(FILL) ? known : 0);
    hd_eval(d.m);
    at.set = num % SETS, at.tag = num / SETS, at.way = NONE, at.awaited = NONE;
    at.hit = false;
    for (unsigned w = 0; w < WAYS; w++)
        if (ways[at.set][w].valid && ways[at.set][w].tag == at.tag)
            at.hit = true, at.way = w;
    if (known != NONE)
        at.way = known;
    if (at.way == NONE) { /* the first that is empty, or the one used longest ago */
        for (unsigned w = WAYS; w-- > 0;)
            if (!ways[at.set][w].lock && !ways[at.set][w].valid)
                at.way = w;
        for (unsigned w = 0, oldest = 0; at.way == NONE && w < WAYS; w++)
            for (oldest = 0; oldest < WAYS; oldest++)
                if (ways[at.set][oldest].age == WAYS - 1 - w && !ways[at.set][oldest].lock) {
                    at.way = oldest;
                    break;
                }
    }
    at.ok = at.way != NONE;
    at.w = at.ok ? &ways[at.set][at.way] : NULL;
    if (flags & AT(ASK) && !at.hit)
        for (unsigned e = 0; e < ENTRIES; e++)
            if (entries[e].used && entries[e].waits && entries[e].num == num)
                at.awaited = e;
    assert_int_equal(*d.line_o >> HD_L2_LINE_HIT_LSB & 1, at.hit);
    assert_int_equal(*d.line_o >> HD_L2_LINE_OK_LSB & 1, at.ok);
    assert_int_equal(*d.cam_hit_o, at.awaited != NONE);
    if (!at.ok)
        return;
    assert_int_equal(hd_bits_get(d.row_o, 0, 8), at.set * WAYS + at.way);
    assert_int_equal(*d.line_o >> HD_L2_LINE_VALID_LSB & 1, at.w->valid);
    assert_int_equal(*d.line_o >> HD_L2_LINE_LOCK_LSB & 1, at.w->lock);
    assert_int_equal(*d.line_o >> HD_L2_LINE_RECALL_LSB & 1, at.w->recall);
    if (at.w->lock)
        assert_int_equal(hd_bits_get(d.txn_o, 0, 8), at.w->txn);
    if (!at.w->valid)
        return;
    assert_int_equal(hd_bits_get(d.tag_o, 0, 8), at.w->tag);
    assert_int_equal(*d.line_o >> HD_L2_LINE_DIRTY_LSB & 1, at.w->dirty);
    assert_int_equal(*d.line_o >> HD_L2_LINE_EXCL_LSB & 1, 0);
    assert_int_equal(*d.sharers_o, at.w->sharers);
}

static void entry(unsigned e)
{
    *d.idx_i = (uint8_t)e;
    hd_eval(d.m);
    assert_true(entries[e].used);
    assert_int_equal(hd_bits_get(d.m_num_o, 0, P_NumW), entries[e].num);
    assert_int_equal(*d.m_role_o, entries[e].role);
    assert_true(hd_bits_get(d.m_asker_o, 0, HD_ASKER_W) == entries[e].asker);
    assert_int_equal(hd_bits_get(d.m_lanes_o, 0, P_LaneW), entries[e].lanes);
    assert_int_equal(*d.next_ok_o, entries[e].next != NONE);
}

static void touch(void)
{
    for (unsigned w = 0; w < WAYS; w++)
        ways[at.set][w].age += ways[at.set][w].age < at.w->age;
    at.w->age = 0;
}

static void push(unsigned e)
{
    assert_true(queued < ENTRIES && !entries[e].queued);
    queue[queued++] = e;
    entries[e].queued = true;
}

/* The step of this cycle; the tags get {@valid, @lock, @recall} if it has TAG_WE, the line @dirty, @sharers if DIR_WE. */
static void step(unsigned what, bool valid, bool lock, bool recall, bool dirty)
{
    const unsigned sharers = (unsigned)hd_rand_below(1u << P_Sms);

    *d.step_i = (uint16_t)(what | (valid ? STEP(VALID) : 0) | (lock ? STEP(LOCK) : 0) | (recall ? STEP(RECALL) : 0) | (dirty ? STEP(DIRTY) : 0));
    *d.sharers_i = (uint8_t)sharers;
    if (what & STEP(TAG_WE))
        at.w->valid = valid, at.w->lock = lock, at.w->recall = recall;
    if (what & STEP(DIR_WE))
        at.w->dirty = dirty, at.w->sharers = sharers;
    if (what & STEP(TAKE) && !(what & STEP(CHAIN)))
        touch();
}

/* The request gets the entry that the module names, behind those of @head unless that is NONE. */
static unsigned alloc(unsigned num, unsigned head, bool waits)
{
    const unsigned e = (unsigned)hd_bits_get(d.new_idx_o, 0, 8);

    assert_true(e < ENTRIES && !entries[e].used);
    entries[e] = (struct entry){.used = true, .waits = waits, .num = num, .next = NONE, .role = *d.rq_role_i,
                                .lanes = (unsigned)hd_bits_get(d.rq_lanes_i, 0, P_LaneW), .asker = hd_bits_get(d.rq_asker_i, 0, HD_ASKER_W)};
    if (head == NONE) {
        at.w->txn = e;
        return e;
    }
    while (entries[head].next != NONE)
        head = entries[head].next;
    entries[head].next = e;
    return e;
}

enum { FOUND, WRITTEN, LOCKED, CHAINED, AWAITED, FETCHED, WAITING, EMPTIED, FULL, FILLED, CAME, SERVED, LAST, WALKED, POPPED, KINDS };
static unsigned reached[KINDS];

static void request(bool free_entry)
{
    const unsigned num = (unsigned)hd_rand_below(NUMS);

    *d.idx_i = (uint8_t)hd_rand_below(ENTRIES); /* that says nothing here */
    hd_bits_put(d.rq_num_i, 0, P_NumW, num);
    hd_bits_random(d.rq_asker_i, HD_ASKER_W);
    hd_bits_random(d.rq_lanes_i, P_LaneW);
    *d.rq_role_i = (uint8_t)hd_rand_below(4);
    look(num, NONE, AT(ASK));
    if (at.hit && !at.w->lock) {
        if (free_entry && hd_rand_below(3) == 0) {
            step(STEP(TAKE) | STEP(ALLOC) | STEP(TAG_WE) | STEP(PUSH), true, true, false, false);
            push(alloc(num, NONE, false));
            reached[LOCKED]++;
        } else {
            const bool writes = hd_rand_below(2);
            step(STEP(TAKE) | (writes ? STEP(DIR_WE) : 0), false, false, false, writes && hd_rand_below(2));
            reached[writes ? WRITTEN : FOUND]++;
        }
    } else if (at.hit && free_entry && entries[at.w->txn].num == num) { /* else it waits until its line has gone */
        step(STEP(TAKE) | STEP(ALLOC) | STEP(CHAIN), false, false, false, false);
        alloc(num, at.w->txn, false);
        reached[CHAINED]++;
    } else if (at.awaited != NONE && free_entry) {
        step(STEP(TAKE) | STEP(ALLOC) | STEP(CHAIN), false, false, false, false);
        alloc(num, at.awaited, false);
        reached[AWAITED]++;
    } else if (!at.hit && at.awaited == NONE && at.ok && at.w->valid && hd_rand_below(4) == 0) {
        step(STEP(TAG_WE), false, false, false, false);
        reached[EMPTIED]++;
    } else if (!at.hit && at.awaited == NONE && at.ok && free_entry) {
        const bool waits = at.w->valid && hd_rand_below(2), recall = waits || hd_rand_below(2);
        const unsigned tag = at.tag;
        step(STEP(TAKE) | STEP(ALLOC) | STEP(TAG_WE) | (waits ? STEP(WAITS) : STEP(FETCH) | STEP(DIR_WE)), true, true, recall, false);
        if (!waits)
            at.w->tag = tag;
        entries[alloc(num, NONE, waits)].fetching = !waits;
        reached[waits ? WAITING : FETCHED]++;
    } else
        reached[FULL] += !at.ok;
}

/* The n-th row whose head waits for its way (@waits), or for memory. */
static bool find(bool waits, unsigned *row)
{
    for (unsigned n = 0, start = (unsigned)hd_rand_below(SETS * WAYS); n < SETS * WAYS; n++) {
        const struct way *w = &ways[(start + n) % (SETS * WAYS) / WAYS][(start + n) % WAYS];
        if (w->lock && (waits ? entries[w->txn].waits : entries[w->txn].fetching)) {
            *row = (start + n) % (SETS * WAYS);
            return true;
        }
    }
    return false;
}

static void cycle(void)
{
    unsigned row;
    bool free_entry = false;

    for (unsigned e = 0; e < ENTRIES; e++)
        free_entry |= !entries[e].used;
    *d.at_i = 0, *d.step_i = 0;
    *d.flush_i = !walking && hd_rand_below(50) == 0;
    hd_bits_random(d.num_i, P_NumW);
    hd_eval(d.m);
    assert_int_equal(*d.line_o & (1u << HD_L2_LINE_HIT_LSB | 1u << HD_L2_LINE_OK_LSB), 0); /* no line is looked at */
    assert_int_equal(*d.cam_hit_o, 0);
    assert_int_equal(*d.new_ok_o, free_entry);
    assert_int_equal(*d.serve_valid_o, queued > 0);
    if (queued > 0)
        assert_int_equal(hd_bits_get(d.serve_idx_o, 0, 8), queue[0]);
    assert_int_equal(*d.walk_o, walking);
    if (walking)
        assert_int_equal(*d.walk_set_o, walk_row / WAYS);
    assert_int_equal(*d.idle_o, !walking && queued == 0);
    const unsigned what = (unsigned)hd_rand_below(8);
    if (what < 3)
        request(free_entry);
    else if (what == 3 && find(true, &row)) {
        const unsigned e = ways[row / WAYS][row % WAYS].txn;
        entry(e);
        look(row / WAYS, row % WAYS, AT(FILL));
        const bool recall = hd_rand_below(2);
        if (hd_rand_below(4) != 0) { /* else memory has no room */
            step(STEP(FETCH) | STEP(TAG_WE) | STEP(DIR_WE), true, true, recall, false);
            at.w->tag = entries[e].num / SETS;
            entries[e].waits = false, entries[e].fetching = true;
            reached[FILLED]++;
        }
    } else if (what == 4 && find(false, &row)) {
        const unsigned e = ways[row / WAYS][row % WAYS].txn;
        entry(e);
        look(entries[e].num, NONE, 0);
        assert_true(at.hit && at.way == row % WAYS);
        step(STEP(PUSH) | STEP(TAG_WE), true, true, false, false);
        entries[e].fetching = false;
        push(e);
        reached[CAME]++;
    } else if (what <= 6 && queued > 0) {
        const unsigned e = queue[0];
        entry(e);
        look(entries[e].num, NONE, 0);
        assert_true(at.hit && at.w->txn == e);
        memmove(queue, queue + 1, --queued * sizeof queue[0]);
        entries[e].queued = entries[e].used = false;
        const bool writes = hd_rand_below(2), dirty = hd_rand_below(2);
        if (entries[e].next != NONE) {
            step(STEP(ENDS) | STEP(POP) | STEP(PUSH) | (writes ? STEP(DIR_WE) : 0), false, false, false, dirty);
            push(at.w->txn = entries[e].next);
        } else
            step(STEP(ENDS) | STEP(POP) | STEP(TAG_WE) | (writes ? STEP(DIR_WE) : 0), true, false, false, dirty);
        reached[entries[e].next != NONE ? SERVED : LAST]++;
    } else if (walking) {
        look(walk_row / WAYS, walk_row % WAYS, AT(WALK));
        const bool cleans = at.w->valid && hd_rand_below(2);
        step(STEP(WALKED) | (cleans ? STEP(DIR_WE) : 0), false, false, false, false);
        walk_row = (walk_row + 1) % (SETS * WAYS);
        walking = walk_row != 0;
        reached[WALKED]++;
    } else {
        look((unsigned)hd_rand_below(NUMS), NONE, AT(ASK)); /* only looked at */
        reached[POPPED]++;
    }
    hd_edge(d.m);
    walking |= *d.flush_i;
}

static void lines_and_entries_are_those_of_the_reference(void **state)
{
    (void)state;
    memset(reached, 0, sizeof reached);
    for (unsigned n = 0; n < CYCLES; n++)
        cycle();
    for (unsigned k = 0; k < KINDS; k++)
        if (reached[k] < 10)
            fail_msg("case %u was reached %u times", k, reached[k]);
}

static void a_step_without_a_line_is_reported(void **state)
{
    (void)state;
    *d.at_i = 0, *d.step_i = STEP(DIR_WE);
    hd_edge(d.m);
    if (hd_has_asserts(d.m))
        assert_true(hd_assert_failures(d.m) > 0);
    hd_assert_clear(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test_setup_teardown(lines_and_entries_are_those_of_the_reference, setup, teardown),
                                   cmocka_unit_test_setup_teardown(a_step_without_a_line_is_reported, setup, teardown)};

    return HD_UNIT_MAIN(argc, argv, t);
}
