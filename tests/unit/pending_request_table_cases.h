/* pending_request_table_cases.h - the tests of hd_pending_request_table: pending requests by warp instruction, against
 * a list of instructions in C.
 *
 * For a module with its ports and parameters. In front of it: `d`, the struct of its ports; open_table(), which opens
 * d; OFFS_W and DATA_W, the widths of a push's words of the lanes and data. table_cases[] are the tests. */
#ifndef PENDING_REQUEST_TABLE_CASES_H
#define PENDING_REQUEST_TABLE_CASES_H
#include "hd_access.h"

/* as in the RTL */
#ifndef P_ReqCredits
#define P_ReqCredits 0
#endif
#ifndef P_LineFilter
#define P_LineFilter 2048
#endif

#ifndef P_SlotW
#define P_SlotW HD_SLOT_W
#endif
enum {
    ENTRIES = P_Entries,
    LANES = P_Lanes,
    CREDITS = P_ReqCredits ? P_ReqCredits : ENTRIES * LANES,
    STORES = P_StoreData,
    CASES = P_CasData,
    LINE_W = P_LineW,
    OFF_W = OFFS_W / LANES,
    WMASK_W = P_LineWords,
    CMP_W = LANES * 32,
    FAR = ENTRIES > 16, /* the machine's own size */
};

/* A line access that waits; `line` names it, no two that wait share a mark of the filter. */
struct access {
    bool waits;
    uint32_t line;
    uint64_t mask;
    unsigned entry, warp, slot, kind, fn;
    uint8_t offs[(OFFS_W + 63) / 64 * 8], wmask[8], data[(DATA_W + 63) / 64 * 8], cmp[(CMP_W + 63) / 64 * 8];
};

static struct access wait[CREDITS], answer; /* answer: being replayed */
static unsigned entry_pending[ENTRIES], entry_op[ENTRIES];
static unsigned num_waiting, num_entries, num_stores, num_cas;
static int current;       /* entry made last if it is still in use, else -1 */
static bool replaying;
static unsigned replay_age; /* cycles since its start */

static uint32_t mark_of(uint32_t line)
{
    return line % P_LineFilter;
}

static bool has_data(const struct access *a)
{
    return a->kind != HD_OP_LOAD;
}

static bool has_compare(const struct access *a)
{
    return a->kind == HD_OP_ATOMIC && a->fn == HD_AT_CAS;
}

/* The whole access: what no test chooses follows from its warp and slot, so that all of an instruction agree. */
static struct hd_access whole(const struct access *a)
{
    return (struct hd_access){.warp = a->warp, .slot = a->slot, .kind = a->kind, .fn = a->fn, .tag = a->warp * 37 + a->slot,
                              .space = a->warp & 1, .order = a->warp >> 1 & 7, .scope = a->slot & 3,
                              .ro = a->slot >> 2, .block = a->warp & 15, .tx = a->slot & 1};
}

/* Its warp operation; as the slot, with what of the tag the table keeps above it. */
static unsigned op_of(const struct access *a)
{
    const unsigned slot = (whole(a).tag % (1u << HD_TAG_W) << HD_SLOT_W | a->slot) % (1u << P_SlotW);

    return (slot << HD_WARP_W | a->warp) % (1u << HD_OPID_W);
}

static void begin(void)
{
    open_table();
    hd_reset(d.m);
    memset(wait, 0, sizeof wait);
    memset(entry_pending, 0, sizeof entry_pending);
    num_waiting = num_entries = num_stores = num_cas = 0;
    current = -1;
    replaying = false;
}

static void end(void)
{
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static unsigned judge(const struct access *a)
{
    const bool same = current >= 0 && entry_op[current] == op_of(a);

    for (unsigned i = 0; i < CREDITS; i++)
        if (wait[i].waits && mark_of(wait[i].line) == mark_of(a->line))
            return HD_WHY_LINE;
    if (!same && num_entries == ENTRIES)
        return HD_WHY_ENTRY;
    if (num_waiting == CREDITS)
        return HD_WHY_CREDIT;
    if ((has_data(a) && num_stores == STORES) || (has_compare(a) && num_cas == CASES))
        return HD_WHY_QUEUE;
    return HD_WHY_NONE;
}

/* Presents a lookup with the payload of a push and compares the answers. Not in a replay. @return why not. */
static unsigned look_up(const struct access *a)
{
    const unsigned why = judge(a);

    *d.lk_valid_i = 1;
    hd_bits_put(d.lk_line_i, 0, LINE_W, a->line);
    *d.lk_lanes_i = (uint8_t)hd_bits_count(a->mask);
    hd_bits_put(d.push_acc_i, 0, HD_ACCESS_W, hd_access_pack(whole(a)));
    hd_bits_put(d.push_place_i, 0, WMASK_W, hd_bits_get(a->wmask, 0, WMASK_W));
    for (unsigned i = 0; i < OFFS_W; i++)
        hd_bits_put(d.push_place_i, WMASK_W + i, 1, hd_bits_get(a->offs, i, 1));
    hd_bits_put(d.push_place_i, WMASK_W + OFFS_W, LANES, a->mask);
    memcpy(d.push_data_i, a->data, hd_bits_bytes(DATA_W));
    memcpy(d.push_cmp_i, a->cmp, hd_bits_bytes(CMP_W));
    hd_eval(d.m);
    assert_int_equal(*d.lk_why_o, why);
    assert_int_equal(*d.lk_room_o, why == HD_WHY_NONE);
    assert_int_equal(*d.lk_hit_o, why == HD_WHY_LINE);
    if (why == HD_WHY_NONE && current >= 0 && entry_op[current] == op_of(a))
        assert_int_equal(*d.lk_idx_o, current);
    else if (why == HD_WHY_NONE)
        assert_int_equal(entry_pending[*d.lk_idx_o], 0);
    return why;
}

/* In the cycle of a look_up() that found room. */
static void push(const struct access *a)
{
    const unsigned entry = *d.lk_idx_o;
    unsigned i = 0;

    *d.push_i = 1;
    while (wait[i].waits)
        i++;
    wait[i] = *a;
    wait[i].waits = true;
    wait[i].entry = entry;
    if (entry_pending[entry]++ == 0) {
        entry_op[entry] = op_of(a);
        num_entries++;
        current = (int)entry;
    }
    num_waiting++;
    num_stores += has_data(a);
    num_cas += has_compare(a);
}

/* The answer to the access in wait[i] arrives. */
static void start(unsigned i)
{
    *d.rp_start_i = 1;
    *d.rp_idx_i = (uint8_t)wait[i].entry;
    hd_bits_put(d.rp_line_i, 0, LINE_W, wait[i].line);
    hd_bits_put(d.rp_mask_i, 0, LANES, wait[i].mask);
    answer = wait[i];
    replaying = true;
    replay_age = 0;
}

static bool shown(void)
{
    return replaying && replay_age > (has_data(&answer) ? 1u : 0u);
}

/* Only if shown(). */
static void pop(void)
{
    *d.rp_pop_i = 1;
    for (unsigned i = 0; i < CREDITS; i++)
        if (wait[i].waits && wait[i].line == answer.line)
            wait[i].waits = false;
    num_waiting--;
    num_stores -= has_data(&answer);
    num_cas -= has_compare(&answer);
    if (--entry_pending[answer.entry] == 0) {
        num_entries--;
        if (current == (int)answer.entry)
            current = -1;
    }
    replaying = false;
}

/* The one edge of a cycle; afterwards the outputs are compared. */
static void clock_edge(void)
{
    hd_edge(d.m);
    replay_age++;
    *d.lk_valid_i = *d.push_i = *d.rp_start_i = *d.rp_pop_i = 0;
    hd_eval(d.m);
    assert_int_equal(*d.lk_hit_o, 0);
    assert_int_equal(*d.empty_o, num_entries == 0);
    for (unsigned i = 0; i < ENTRIES; i++) {
        assert_int_equal(hd_bits_get(d.busy_o, i, 1), entry_pending[i] > 0);
        if (entry_pending[i] > 0 && (!FAR || i % 8 == replay_age % 8)) {
            *d.rd_idx_i = (uint8_t)i;
            hd_eval(d.m);
            assert_int_equal(*d.rd_opid_o, entry_op[i]);
            assert_int_equal(hd_bits_get(d.rd_line_o, 0, LINE_W), 0); /* not known */
        }
    }
    assert_int_equal(*d.idle_o, !replaying);
    assert_int_equal(*d.rp_valid_o, shown());
    assert_int_equal(*d.rp_wait_o, replaying && !shown());
    if (!shown())
        return;
    assert_int_equal(*d.rp_idx_o, answer.entry);
    assert_int_equal(hd_bits_get(d.rp_line_o, 0, LINE_W), answer.line);
    assert_int_equal(*d.rp_last_o, 1);
    assert_int_equal(hd_bits_get(d.rp_acc_o, 0, HD_ACCESS_W), hd_access_kept_by_prt(whole(&answer), P_SlotW));
    assert_int_equal(*d.rp_lanes_o, hd_bits_count(answer.mask));
    assert_int_equal(hd_bits_get(d.rp_place_o, WMASK_W + OFFS_W, LANES), answer.mask);
    for (unsigned lane = 0; lane < LANES; lane++) /* of the lanes that wait for this line */
        if (answer.mask >> lane & 1)
            assert_int_equal(hd_bits_get(d.rp_place_o, WMASK_W + lane * OFF_W, OFF_W),
                             hd_bits_get(answer.offs, lane * OFF_W, OFF_W));
    if (has_data(&answer)) {
        assert_int_equal(hd_bits_get(d.rp_place_o, 0, WMASK_W), hd_bits_get(answer.wmask, 0, WMASK_W));
        assert_memory_equal(d.rp_data_o, answer.data, hd_bits_bytes(DATA_W));
    }
    if (has_compare(&answer))
        assert_memory_equal(d.rp_cmp_o, answer.cmp, hd_bits_bytes(CMP_W));
}

static void random_payload(struct access *a)
{
    hd_bits_random(a->offs, OFFS_W);
    hd_bits_random(a->wmask, WMASK_W);
    hd_bits_random(a->data, DATA_W);
    hd_bits_random(a->cmp, CMP_W);
}

/* Lane @lane of an instruction of warp @warp. */
static struct access make(unsigned kind, unsigned warp, unsigned lane, uint32_t line)
{
    struct access a = {.line = line & ((UINT32_C(1) << LINE_W) - 1), .mask = UINT64_C(1) << lane % LANES, .warp = warp,
                       .slot = warp % 8, .kind = kind, .fn = HD_AT_ADD};

    random_payload(&a);
    return a;
}

static void push_now(const struct access *a)
{
    assert_int_equal(look_up(a), HD_WHY_NONE);
    push(a);
    clock_edge();
}

static void answer_now(uint32_t line)
{
    unsigned i = 0;

    while (!wait[i].waits || wait[i].line != line)
        assert_true(++i < CREDITS);
    start(i);
    clock_edge();
    while (!shown())
        clock_edge();
    pop();
    clock_edge();
}

static void an_instruction_has_one_entry_that_leaves_with_its_last_line(void **state)
{
    const unsigned n = LANES < CREDITS ? LANES : CREDITS;

    (void)state;
    begin();
    for (unsigned lane = 0; lane < n; lane++) {
        const struct access a = make(HD_OP_LOAD, 7, lane, lane);

        push_now(&a);
        assert_int_equal(num_entries, 1);
    }
    for (unsigned lane = n; lane-- > 0;) { /* answers in any order */
        assert_int_equal(*d.empty_o, 0);
        answer_now(lane);
    }
    assert_int_equal(*d.empty_o, 1);
    end();
}

static void a_line_on_the_way_and_one_with_its_mark_wait(void **state)
{
    const struct access first = make(HD_OP_LOAD, 1, 0, 5), again = make(HD_OP_STORE, 2, 1, 5);
    struct access marked = make(HD_OP_LOAD, 3, 0, 5 + P_LineFilter);

    (void)state;
    begin();
    push_now(&first);
    assert_int_equal(look_up(&again), HD_WHY_LINE);
    if (marked.line != first.line) /* lines have more bits than the filter */
        assert_int_equal(look_up(&marked), HD_WHY_LINE);
    clock_edge();
    answer_now(5);
    assert_int_equal(look_up(&marked), HD_WHY_NONE);
    push_now(&again);
    answer_now(5);
    end();
}

static void each_limit_has_its_name(void **state)
{
    struct access a;
    unsigned out = 0;

    (void)state;
    begin();
    for (unsigned lane = 0;; lane++) { /* stores of one instruction */
        a = make(HD_OP_STORE, 9, lane, lane);
        if (lane == LANES || look_up(&a) != HD_WHY_NONE)
            break;
        push(&a);
        clock_edge();
        out++;
    }
    clock_edge();
    if (out < LANES)
        assert_int_equal(judge(&a), num_stores == STORES && out < CREDITS ? HD_WHY_QUEUE : HD_WHY_CREDIT);
    for (unsigned warp = 10;; warp++) { /* loads, an instruction each */
        a = make(HD_OP_LOAD, warp % 64, warp / 64, out);
        if (look_up(&a) != HD_WHY_NONE)
            break;
        push(&a);
        clock_edge();
        out++;
    }
    clock_edge();
    assert_int_equal(judge(&a), num_entries == ENTRIES ? HD_WHY_ENTRY : HD_WHY_CREDIT);
    while (out > 0)
        answer_now(--out);
    assert_int_equal(*d.empty_o, 1);
    end();
}

/* Loads of which every lane has a line of its own, until there is no room: all that may be out at a time. */
static void requests_out_are_counted(void **state)
{
    struct access a;
    unsigned out = 0;

    (void)state;
    begin();
    for (;; out++) {
        a = make(HD_OP_LOAD, out / LANES, out % LANES, out);
        if (look_up(&a) != HD_WHY_NONE)
            break;
        push(&a);
        clock_edge();
    }
    assert_int_equal(out, CREDITS);
    a = make(HD_OP_LOAD, (out - 1) / LANES, 0, out); /* has its entry; only a credit is missing */
    assert_int_equal(look_up(&a), HD_WHY_CREDIT);
    clock_edge();
    answer_now(0);
    assert_int_equal(look_up(&a), HD_WHY_NONE);
    clock_edge();
    while (--out > 0)
        answer_now(out);
    assert_int_equal(*d.empty_o, 1);
    end();
}

static void a_warp_that_returns_gets_a_new_entry(void **state)
{
    const struct access a = make(HD_OP_LOAD, 4, 0, 1), b = make(HD_OP_LOAD, 5, 0, 2), c = make(HD_OP_LOAD, 4, 0, 3);

    (void)state;
    begin();
    if (ENTRIES >= 3 && CREDITS >= 3) { /* same warp and slot, but another instruction came between */
        push_now(&a);
        push_now(&b);
        push_now(&c);
        assert_int_equal(num_entries, 3);
        answer_now(1);
        answer_now(3);
        answer_now(2);
    }
    push_now(&a); /* the entry made last is gone: a new one */
    answer_now(1);
    push_now(&c);
    assert_int_equal(num_entries, 1);
    answer_now(3);
    end();
}

static void reset_frees_everything(void **state)
{
    struct access a = make(HD_OP_ATOMIC, 3, 0, 2);

    (void)state;
    begin();
    push_now(&a);
    end();
    begin(); /* opens a new one; the next lines reset one in use */
    push_now(&a);
    hd_reset(d.m);
    memset(wait, 0, sizeof wait);
    memset(entry_pending, 0, sizeof entry_pending);
    num_waiting = num_entries = num_stores = num_cas = 0;
    current = -1;
    clock_edge();
    push_now(&a);
    answer_now(2);
    end();
}

static void random_traffic_matches_the_list(void **state)
{
    unsigned why_seen[HD_WHY_LINE + 1] = {0}, pushes = 0, drained = 0, marked = 0, many = 0, in_between = 0;
    struct access now = {0}; /* the instruction whose accesses are coming */
    uint64_t lanes_left = 0;
    uint32_t next_line = 0;
    const unsigned rounds = FAR ? 60000 : 40000, phase_length = FAR ? 4000 : 150;

    (void)state;
    begin();
    for (unsigned t = 0; t < rounds; t++) {
        const unsigned phase = t / phase_length % 3; /* fill, mix, drain */

        if (lanes_left == 0) { /* another instruction; slots of a warp are not used twice at a time */
            now = make((unsigned)(HD_OP_LOAD + hd_rand_below(3)), (unsigned)hd_rand_below(64), 0, 0);
            now.slot = (unsigned)hd_rand_below(8);
            if (t / (3 * phase_length) % 2 == 0)
                now.kind = HD_OP_LOAD;
            now.fn = hd_rand_below(2) ? (unsigned)HD_AT_CAS : (unsigned)hd_rand_below(HD_AT_UMAX + 1);
            lanes_left = phase == 0 ? UINT64_MAX >> (64 - LANES) : hd_bits_random_mask(LANES);
            for (unsigned i = 0; i < ENTRIES; i++)
                if (entry_pending[i] > 0 && entry_op[i] == op_of(&now))
                    lanes_left = 0;
        }
        if (lanes_left != 0 && !now.waits) { /* its next access */
            random_payload(&now);
            now.mask = lanes_left & -lanes_left;
            if (phase != 0 && hd_rand_below(4) == 0)
                now.mask |= lanes_left & hd_bits_random_mask(LANES);
            next_line = phase == 0 ? next_line + 1 : (uint32_t)hd_rand_below(FAR ? 6000 : 3 * CREDITS + 4);
            if (phase == 1 && hd_rand_below(8) == 0) /* another line with the mark of one that waits */
                next_line = wait[hd_rand_below(CREDITS)].line + P_LineFilter;
            now.line = next_line & ((UINT32_C(1) << LINE_W) - 1);
            now.waits = true;
        }
        if (replaying) {
            if (shown() && hd_rand_below(4) != 0) {
                pop();
                drained += num_entries == 0;
            }
        } else if (num_waiting > 0 && hd_rand_below(16) < (phase == 0 ? FAR ? 0 : 1 : 7 * phase)) {
            unsigned i = (unsigned)hd_rand_below(CREDITS);

            while (!wait[i].waits)
                i = (i + 1) % CREDITS;
            start(i);
        } else if (lanes_left != 0) {
            const unsigned why = look_up(&now);

            why_seen[why]++;
            for (unsigned i = 0; i < CREDITS && why == HD_WHY_LINE; i++)
                marked += wait[i].waits && mark_of(wait[i].line) == mark_of(now.line) && wait[i].line != now.line;
            if (why == HD_WHY_NONE && hd_rand_below(8) != 0) {
                push(&now);
                pushes++;
                lanes_left &= ~now.mask;
                now.waits = false;
                many += entry_pending[*d.lk_idx_o] > 1;
            } else if (why != HD_WHY_NONE && phase != 0 && hd_rand_below(16) == 0) {
                lanes_left = 0; /* its rest hits the cache, or so */
                now.waits = false;
                in_between++;
            }
        }
        clock_edge();
    }
    assert_true(pushes > 1000 && drained > (FAR ? 0 : 20) && in_between > 20);
    assert_true(why_seen[HD_WHY_LINE] > 100 && (STORES >= CREDITS || why_seen[HD_WHY_QUEUE] > 20));
    assert_true(FAR || why_seen[HD_WHY_ENTRY] > 20);
    assert_true(P_ReqCredits == 0 || why_seen[HD_WHY_CREDIT] > 100);
    if (LANES > 1 && CREDITS > 1)
        assert_true(many > 100);
    if ((1 << LINE_W) > P_LineFilter && !FAR && LANES > 1)
        assert_true(marked > 20);
    end();
}

static const struct CMUnitTest table_cases[] = {
    cmocka_unit_test(an_instruction_has_one_entry_that_leaves_with_its_last_line),
    cmocka_unit_test(a_line_on_the_way_and_one_with_its_mark_wait),
    cmocka_unit_test(each_limit_has_its_name),
    cmocka_unit_test(requests_out_are_counted),
    cmocka_unit_test(a_warp_that_returns_gets_a_new_entry),
    cmocka_unit_test(reset_frees_everything),
    cmocka_unit_test(random_traffic_matches_the_list),
};
#endif
