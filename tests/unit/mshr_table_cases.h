/* mshr_table_cases.h - the tests of hd_mshr_table: pending lines and their waiting accesses, against lists in C.
 *
 * For a module with its ports and parameters. In front of it: `d`, the struct of its ports; open_table(), which opens
 * d; OFFS_W and DATA_W, the widths of a push's words of the lanes and data. table_cases[] are the tests. */
#ifndef MSHR_TABLE_CASES_H
#define MSHR_TABLE_CASES_H
#include "hd_access.h"

#ifndef P_SlotW
#define P_SlotW HD_SLOT_W
#endif
enum {
    ENTRIES = P_Entries,
    TARGETS = P_Targets,
    STORES = P_StoreData,
    CASES = P_CasData,
    MERGE = P_MergeLanes,
    LANES = P_Lanes,
    LINE_W = P_LineW,
    WMASK_W = P_LineWords,
    CMP_W = LANES * 32,
    FAR = ENTRIES > 64, /* the machine's own size */
};

/* A line access. Wide fields are in the layout of their ports. */
struct access {
    uint32_t line;
    uint64_t mask;
    unsigned warp, slot, kind, fn, lanes;
    uint8_t offs[(OFFS_W + 63) / 64 * 8], wmask[8], data[(DATA_W + 63) / 64 * 8], cmp[(CMP_W + 63) / 64 * 8];
    struct access *next; /* in its entry's list, or in the free list */
};
struct entry {
    struct access *first, *last; /* NULL: entry not in use */
    uint32_t line;
    unsigned lanes, opid;
    unsigned served; /* accesses taken by replays so far */
};
/* What a lookup must answer. */
struct verdict {
    bool hit, room, merge_full;
    unsigned why;
    int idx; /* of a hit, or -1: any free entry */
};

static struct entry entries[ENTRIES];
static struct access pool[TARGETS], *pool_free;
static unsigned num_entries, num_targets, num_stores, num_cas;
static int replaying; /* entry, or -1 */
static unsigned stops, resumed_merges;

static void forget_everything(void)
{
    memset(entries, 0, sizeof entries);
    pool_free = NULL;
    for (unsigned i = 0; i < TARGETS; i++) {
        pool[i].next = pool_free;
        pool_free = &pool[i];
    }
    num_entries = num_targets = num_stores = num_cas = 0;
    replaying = -1;
    stops = resumed_merges = 0;
}

static void begin(void)
{
    open_table();
    hd_reset(d.m);
    forget_everything();
}

static void end(void)
{
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static bool holds_data(const struct access *a)
{
    return a->kind != HD_OP_LOAD;
}

static bool holds_compare(const struct access *a)
{
    return a->kind == HD_OP_ATOMIC && a->fn == HD_AT_CAS;
}

static void set_mask(struct access *a, uint64_t mask)
{
    a->mask = mask;
    a->lanes = hd_bits_count(mask);
}

static void random_access(struct access *a, uint32_t line)
{
    memset(a, 0, sizeof *a);
    a->line = line;
    a->warp = (unsigned)hd_rand_below(1u << HD_WARP_W);
    a->slot = (unsigned)hd_rand_below(1u << HD_SLOT_W);
    a->kind = (unsigned)(HD_OP_LOAD + hd_rand_below(3));
    a->fn = hd_rand_below(2) ? (unsigned)HD_AT_CAS : (unsigned)hd_rand_below(HD_AMO_FUNCTIONS);
    set_mask(a, hd_bits_random_mask(LANES));
    hd_bits_random(a->offs, OFFS_W);
    hd_bits_random(a->wmask, WMASK_W);
    hd_bits_random(a->data, DATA_W);
    hd_bits_random(a->cmp, CMP_W);
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

static struct verdict judge(const struct access *a)
{
    struct verdict v = {false, true, false, HD_WHY_NONE, -1};

    for (int i = 0; i < ENTRIES; i++) {
        if (entries[i].first != NULL && entries[i].line == a->line) {
            v.hit = true;
            v.idx = i;
        }
    }
    v.merge_full = v.hit && entries[v.idx].lanes + a->lanes > MERGE;
    v.room = !v.merge_full && (v.hit || num_entries < ENTRIES) && num_targets < TARGETS &&
             (!holds_data(a) || num_stores < STORES) && (!holds_compare(a) || num_cas < CASES);
    if (!v.room)
        v.why = v.merge_full ? HD_WHY_MERGE : !v.hit && num_entries == ENTRIES ? HD_WHY_ENTRY : HD_WHY_QUEUE;
    return v;
}

/* Presents a lookup (with the payload of a push) and compares the answers. @return the answer. */
static struct verdict look_up(const struct access *a)
{
    const struct verdict v = judge(a);

    *d.lk_valid_i = 1;
    hd_bits_put(d.lk_line_i, 0, LINE_W, a->line);
    *d.lk_lanes_i = (uint8_t)a->lanes;
    hd_bits_put(d.push_acc_i, 0, HD_ACCESS_W, hd_access_pack(whole(a)));
    hd_bits_put(d.push_place_i, 0, WMASK_W, hd_bits_get(a->wmask, 0, WMASK_W));
    for (unsigned i = 0; i < OFFS_W; i++)
        hd_bits_put(d.push_place_i, WMASK_W + i, 1, hd_bits_get(a->offs, i, 1));
    hd_bits_put(d.push_place_i, WMASK_W + OFFS_W, LANES, a->mask);
    memcpy(d.push_data_i, a->data, hd_bits_bytes(DATA_W));
    memcpy(d.push_cmp_i, a->cmp, hd_bits_bytes(CMP_W));
    hd_eval(d.m);
    assert_int_equal(*d.lk_hit_o, v.hit);
    assert_int_equal(*d.lk_room_o, v.room);
    assert_int_equal(*d.lk_why_o, v.why);
    if (v.hit) {
        assert_int_equal(*d.lk_idx_o, v.idx);
    } else if (v.room) {
        assert_in_range(*d.lk_idx_o, 0, ENTRIES - 1);
        assert_null(entries[*d.lk_idx_o].first); /* a new entry takes a free one */
    }
    return v;
}

/* In the cycle of a look_up() with room. */
static void push(const struct access *a)
{
    struct entry *e = &entries[*d.lk_idx_o];
    struct access *kept = pool_free;

    *d.push_i = 1;
    pool_free = kept->next;
    *kept = *a;
    kept->next = NULL;
    if (e->first == NULL) {
        *e = (struct entry){kept, kept, a->line, 0, op_of(a), 0};
        num_entries++;
    } else {
        resumed_merges += e->served > 0;
        e->last->next = kept;
        e->last = kept;
    }
    e->lanes += a->lanes;
    num_targets++;
    num_stores += holds_data(a);
    num_cas += holds_compare(a);
}

/* In a cycle of a replay. */
static void pop(void)
{
    struct entry *e = &entries[replaying];
    struct access *a = e->first;

    *d.rp_pop_i = 1;
    num_targets--;
    num_stores -= holds_data(a);
    num_cas -= holds_compare(a);
    e->lanes -= a->lanes;
    e->served++;
    e->first = a->next;
    a->next = pool_free;
    pool_free = a;
    if (e->first == NULL) {
        num_entries--;
        replaying = -1;
    }
}

static void stop(void)
{
    *d.rp_stop_i = 1;
    replaying = -1;
    stops++;
}

/* The one edge of a cycle; afterwards the state outputs and the replayed access are compared. */
static void clock_edge(void)
{
    hd_edge(d.m);
    *d.lk_valid_i = 0;
    *d.push_i = 0;
    *d.rp_start_i = 0;
    *d.rp_pop_i = 0;
    *d.rp_stop_i = 0;
    hd_eval(d.m);
    assert_int_equal(*d.lk_hit_o, 0);
    assert_int_equal(*d.empty_o, num_entries == 0);
    for (unsigned i = 0; i < ENTRIES; i++)
        assert_int_equal(hd_bits_get(d.busy_o, i, 1), entries[i].first != NULL);
    assert_int_equal(*d.idle_o, replaying < 0);
    assert_int_equal(*d.rp_valid_o, replaying >= 0);
    assert_int_equal(*d.rp_wait_o, 0);
    if (replaying >= 0) {
        const struct entry *e = &entries[replaying];
        const struct access *a = e->first;

        assert_int_equal(*d.rp_idx_o, replaying);
        assert_int_equal(hd_bits_get(d.rp_line_o, 0, LINE_W), e->line);
        assert_int_equal(*d.rp_last_o, a == e->last);
        assert_int_equal(hd_bits_get(d.rp_acc_o, 0, HD_ACCESS_W), hd_access_kept(whole(a), P_SlotW));
        assert_int_equal(*d.rp_lanes_o, a->lanes);
        assert_int_equal(hd_bits_get(d.rp_place_o, WMASK_W + OFFS_W, LANES), a->mask);
        for (unsigned i = 0; i < OFFS_W; i++)
            assert_int_equal(hd_bits_get(d.rp_place_o, WMASK_W + i, 1), hd_bits_get(a->offs, i, 1));
        if (holds_data(a)) {
            assert_int_equal(hd_bits_get(d.rp_place_o, 0, WMASK_W), hd_bits_get(a->wmask, 0, WMASK_W));
            assert_memory_equal(d.rp_data_o, a->data, hd_bits_bytes(DATA_W));
        }
        if (holds_compare(a))
            assert_memory_equal(d.rp_cmp_o, a->cmp, hd_bits_bytes(CMP_W));
    }
}

static void start(int idx)
{
    *d.rp_start_i = 1;
    *d.rp_idx_i = (uint8_t)idx;
    replaying = idx;
}

/* Pushes an access that must find room. @return its entry. */
static int push_now(const struct access *a)
{
    int idx;

    assert_true(look_up(a).room);
    idx = *d.lk_idx_o;
    push(a);
    clock_edge();
    return idx;
}

static void replay_all(int idx)
{
    start(idx);
    clock_edge();
    while (replaying >= 0) {
        pop();
        clock_edge();
    }
}

static void load_of_one_lane(struct access *a, uint32_t line)
{
    random_access(a, line);
    a->kind = HD_OP_LOAD;
    set_mask(a, UINT64_C(1) << hd_rand_below(LANES));
}

static void an_entry_is_found_from_the_next_cycle_until_its_last_target_is_taken(void **state)
{
    struct access a;
    int idx;

    (void)state;
    begin();
    load_of_one_lane(&a, 3);
    assert_false(look_up(&a).hit);
    idx = *d.lk_idx_o;
    push(&a);
    clock_edge();
    assert_true(look_up(&a).hit);
    *d.rd_idx_i = (uint8_t)idx;
    hd_eval(d.m);
    assert_int_equal(hd_bits_get(d.rd_line_o, 0, LINE_W), 3);
    assert_int_equal(*d.rd_opid_o, op_of(&a));
    start(idx);
    clock_edge();
    pop();
    assert_int_equal(*d.rp_last_o, 1);
    clock_edge();
    assert_int_equal(*d.empty_o, 1);
    assert_false(look_up(&a).hit);
    clock_edge();
    end();
}

static void the_first_access_is_never_refused_and_later_ones_up_to_the_limit(void **state)
{
    struct access a;
    unsigned more = 0;

    (void)state;
    begin();
    random_access(&a, 1);
    a.kind = HD_OP_LOAD;
    set_mask(&a, UINT64_MAX >> (64 - LANES));
    push_now(&a); /* all lanes: more than MergeLanes in one of the shapes */
    assert_int_equal(look_up(&a).merge_full, 2 * LANES > MERGE); /* model and module agree in look_up() */
    for (;;) {
        load_of_one_lane(&a, 1);
        if (!look_up(&a).room)
            break;
        push(&a);
        clock_edge();
        more++;
    }
    if (MERGE <= LANES)
        assert_int_equal(more, 0);
    else
        assert_int_equal(more, MERGE - LANES < TARGETS - 1 ? MERGE - LANES : TARGETS - 1);
    replay_all(*d.lk_idx_o);
    push_now(&a); /* the limit is forgotten with the entry */
    end();
}

static void targets_are_served_in_the_order_they_came(void **state)
{
    struct access a;
    int idx = -1;

    (void)state;
    begin();
    for (;;) {
        random_access(&a, 2);
        if (LANES + MERGE > 3)
            set_mask(&a, UINT64_C(1) << hd_rand_below(LANES));
        if (!look_up(&a).room) {
            a.kind = HD_OP_LOAD;
            if (!look_up(&a).room)
                break;
        }
        idx = push_now(&a);
    }
    replay_all(idx); /* clock_edge() compares each */
    assert_int_equal(num_targets, 0);
    end();
}

static void a_stopped_replay_goes_on_at_the_target_it_showed(void **state)
{
    struct access a;
    int idx = -1;

    (void)state;
    begin();
    for (unsigned i = 0; i < 3; i++) {
        load_of_one_lane(&a, 1);
        if (look_up(&a).room)
            idx = push_now(&a);
    }
    start(idx);
    clock_edge();
    stop(); /* at once */
    clock_edge();
    start(idx);
    clock_edge();
    if (!*d.rp_last_o) {
        pop();
        clock_edge();
        stop();
        clock_edge();
        load_of_one_lane(&a, 1);
        push_now(&a); /* there is room again, at the end of the list */
        start(idx);
        clock_edge();
    }
    while (replaying >= 0) {
        pop();
        clock_edge();
    }
    end();
}

static void lookups_in_a_replay_do_not_disturb_it(void **state)
{
    struct access a;
    int idx;

    (void)state;
    begin();
    load_of_one_lane(&a, 1);
    idx = push_now(&a);
    start(idx);
    clock_edge();
    for (unsigned t = 0; t < 5; t++) {
        random_access(&a, t);
        look_up(&a);
        clock_edge();
    }
    pop();
    clock_edge();
    end();
}

static void reset_frees_everything(void **state)
{
    struct access a;

    (void)state;
    begin();
    for (uint32_t line = 0; line < ENTRIES; line++) {
        load_of_one_lane(&a, line);
        if (look_up(&a).room)
            push_now(&a);
    }
    hd_reset(d.m);
    forget_everything();
    clock_edge();
    for (uint32_t line = 0; line < ENTRIES && line < TARGETS; line++) {
        load_of_one_lane(&a, line);
        push_now(&a);
    }
    assert_int_equal(num_entries, ENTRIES < TARGETS ? ENTRIES : TARGETS);
    end();
}

static int random_entry(void)
{
    const unsigned from = (unsigned)hd_rand_below(ENTRIES);

    for (unsigned i = 0; i < ENTRIES; i++)
        if (entries[(from + i) % ENTRIES].first != NULL)
            return (int)((from + i) % ENTRIES);
    return -1;
}

static void random_traffic_matches_lists(void **state)
{
    unsigned merges = 0, misses = 0, no_entry = 0, no_target = 0, no_store = 0, no_cas = 0, no_merge = 0;
    unsigned many = 0, drained = 0, over = 0, in_replay = 0;
    const unsigned rounds = FAR ? 30000 : 60000, phase_len = FAR ? 3000 : 200;

    (void)state;
    begin();
    for (unsigned t = 0; t < rounds; t++) {
        const unsigned phase = t / phase_len % 3; /* fill, mix, drain */
        const uint32_t lines = t / phase_len % 2 ? 2 * ENTRIES + 2 : ENTRIES / 2 + 1;
        const int pending = random_entry();
        struct access a;

        random_access(&a, (uint32_t)(hd_rand_below(lines) * 0x9241u) & ((UINT32_C(1) << LINE_W) - 1));
        if (t / phase_len % 4 < 2 && hd_rand_below(4) != 0) /* few lanes: long lists */
            set_mask(&a, UINT64_C(1) << hd_rand_below(LANES));
        if (t / phase_len % 5 < 2 && hd_rand_below(8) != 0) /* many loads: pools of data stay free */
            a.kind = HD_OP_LOAD;
        if (t / phase_len % 5 == 4 && hd_rand_below(8) != 0) { /* compare-and-swap at the most */
            a.kind = HD_OP_ATOMIC;
            a.fn = HD_AT_CAS;
        }
        if (pending >= 0) { /* any entry can be read at any time */
            *d.rd_idx_i = (uint8_t)pending;
            hd_eval(d.m);
            assert_int_equal(hd_bits_get(d.rd_line_o, 0, LINE_W), entries[pending].line);
            assert_int_equal(*d.rd_opid_o, entries[pending].opid);
        }
        if (replaying >= 0) {
            const unsigned dice = (unsigned)hd_rand_below(16);

            if (hd_rand_below(2)) {
                look_up(&a);
                in_replay++;
            }
            if (dice < 11) {
                pop();
                drained += num_entries == 0;
            } else if (dice == 11) {
                stop();
            }
        } else if (pending >= 0 && hd_rand_below(16) < (phase == 0 ? FAR ? 0 : 1 : 6 * phase)) {
            start(pending);
        } else {
            const struct verdict v = look_up(&a);

            no_entry += !v.hit && num_entries == ENTRIES;
            no_target += num_targets == TARGETS;
            no_store += holds_data(&a) && num_stores == STORES;
            no_cas += holds_compare(&a) && num_cas == CASES;
            no_merge += v.merge_full;
            merges += v.hit && v.room;
            misses += !v.hit && v.room;
            many += num_targets >= num_entries + 3;
            over += v.hit && entries[v.idx].lanes > MERGE;
            if (v.room && hd_rand_below(16) != 0)
                push(&a);
        }
        clock_edge();
    }
    assert_true(misses > 300 && in_replay > 100 && drained > 5 && stops > 30);
    assert_true(no_entry > 50 && no_store > 50 && no_cas > 50 && no_merge > 50);
    if (TARGETS > 1) /* lists longer than one exist */
        assert_true(merges > 300 && many > 100 && resumed_merges > 5);
    if (TARGETS < 4 * ENTRIES)
        assert_true(no_target > 50);
    if (MERGE < LANES)
        assert_true(over > 100);
    end();
}

static const struct CMUnitTest table_cases[] = {
    cmocka_unit_test(an_entry_is_found_from_the_next_cycle_until_its_last_target_is_taken),
    cmocka_unit_test(the_first_access_is_never_refused_and_later_ones_up_to_the_limit),
    cmocka_unit_test(targets_are_served_in_the_order_they_came),
    cmocka_unit_test(a_stopped_replay_goes_on_at_the_target_it_showed),
    cmocka_unit_test(lookups_in_a_replay_do_not_disturb_it),
    cmocka_unit_test(reset_frees_everything),
    cmocka_unit_test(random_traffic_matches_lists),
};
#endif
