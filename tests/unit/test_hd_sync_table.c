/* test_hd_sync_table.c - accesses that passed unsafe ones, against a list in C. */
/* mutants: Entries=4 Warps=5 LineW=4 SeqW=3 */
/* dut: hd_sync_table Entries=4 Warps=5 LineW=4 SeqW=3 */
/* dut: hd_sync_table Entries=1 Warps=2 LineW=2 SeqW=2 */
/* dut: hd_sync_table Entries=6 Warps=3 LineW=6 SeqW=4 */
/* dut: hd_sync_table Entries=64 Warps=48 LineW=25 SeqW=8 */
#include "hd_unit.h"
#include "hd_sync_table_dut.h"
#include "hd_bits.h"

enum {
    ENTRIES = P_Entries,
    WARPS = P_Warps,
    LINE_W = P_LineW,
    SEQ_W = P_SeqW,
};
#define SEQ_MASK ((1u << SEQ_W) - 1)
#define SET(port, value) hd_bits_put(d.port, 0, HD_SYNC_TABLE_W_##port, (uint64_t)(value))

struct entry {
    bool used, write;
    unsigned space, warp, seq;
    uint32_t line;
};

static struct hd_sync_table d;
static struct entry entries[ENTRIES];
static unsigned came[WARPS], performed[WARPS]; /* unsafe accesses of each warp */

static void begin(void)
{
    hd_sync_table_open(&d);
    hd_reset(d.m);
    memset(entries, 0, sizeof entries);
    memset(came, 0, sizeof came);
    memset(performed, 0, sizeof performed);
}

static void end(void)
{
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static unsigned num_entries(void)
{
    unsigned n = 0;

    for (unsigned i = 0; i < ENTRIES; i++)
        n += entries[i].used;
    return n;
}

static struct entry *own_entry(unsigned warp, unsigned space, uint32_t line)
{
    for (unsigned i = 0; i < ENTRIES; i++)
        if (entries[i].used && entries[i].space == space && entries[i].line == line && entries[i].warp == warp)
            return &entries[i];
    return NULL;
}

static bool conflicts(unsigned warp, unsigned space, uint32_t line, bool write)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        const struct entry *e = &entries[i];

        if (e->used && e->space == space && e->line == line && e->warp != warp && (e->write || write))
            return true;
    }
    return false;
}

/* Presents an access and compares the answers. @return whether it may pass. */
static bool look(unsigned warp, unsigned space, uint32_t line, bool write)
{
    const bool conflict = conflicts(warp, space, line, write);
    const bool room = own_entry(warp, space, line) != NULL || num_entries() < ENTRIES;

    *d.look_i = 1;
    HD_PUT(d.look_acc_i, ACCESS_WARP, warp);
    HD_PUT(d.look_acc_i, ACCESS_SPACE, space);
    HD_PUT(d.look_acc_i, ACCESS_KIND, write ? HD_OP_STORE : HD_OP_LOAD);
    SET(look_line_i, line);
    hd_eval(d.m);
    assert_int_equal(*d.conflict_o, conflict);
    assert_int_equal(*d.room_o, room);
    return !conflict && room;
}

/* The access of the last look() passes the unsafe accesses that came so far. */
static void pass(unsigned warp, unsigned space, uint32_t line, bool write)
{
    struct entry *e = own_entry(warp, space, line);

    *d.pass_i = 1;
    SET(pass_seq_i, came[warp]);
    if (e == NULL) {
        for (e = entries; e->used; e++)
            continue;
        *e = (struct entry){true, write, space, warp, 0, line};
    }
    e->write |= write;
    e->seq = came[warp] & SEQ_MASK;
}

/* An unsafe access of a warp is performed in the cycle of a pass or of its own. @return entries that go. */
static unsigned perform(unsigned warp, const struct entry *passing)
{
    unsigned gone = 0;

    performed[warp]++;
    *d.done_i = 1;
    SET(done_warp_i, warp);
    SET(done_seq_i, performed[warp]);
    for (unsigned i = 0; i < ENTRIES; i++) {
        if (entries[i].used && entries[i].warp == warp && entries[i].seq == (performed[warp] & SEQ_MASK) &&
            &entries[i] != passing) {
            entries[i].used = false;
            gone++;
        }
    }
    return gone;
}

static void clock_edge(void)
{
    hd_edge(d.m);
    *d.look_i = 0;
    *d.pass_i = 0;
    *d.done_i = 0;
    hd_eval(d.m);
    assert_int_equal(*d.empty_o, num_entries() == 0);
    assert_int_equal(*d.conflict_o, 0); /* nobody looks */
}

static void pass_now(unsigned warp, unsigned space, uint32_t line, bool write)
{
    assert_true(look(warp, space, line, write));
    pass(warp, space, line, write);
    clock_edge();
}

static void perform_now(unsigned warp)
{
    perform(warp, NULL);
    clock_edge();
}

/* Row by row: an entry of warp 0 that reads or writes, an access of warp 0 or 1 that reads or writes. */
static void an_access_waits_for_another_warp_if_one_of_both_writes(void **state)
{
    (void)state;
    for (unsigned row = 0; row < 16; row++) {
        const bool was_write = row & 1, write = row & 2, same_space = row & 4, other = row & 8;
        const unsigned space = row % 3 == 0;

        begin();
        came[0] = 1;
        pass_now(0, space, 1, was_write);
        look(other, same_space ? space : !space, 1, write);
        assert_int_equal(*d.conflict_o, other && same_space && (was_write || write));
        look(other, space, 2, write);
        assert_int_equal(*d.conflict_o, 0);
        SET(look_line_i, 1);
        *d.look_i = 0;
        hd_eval(d.m);
        assert_int_equal(*d.conflict_o, 0);
        perform_now(0);
        assert_int_equal(*d.empty_o, 1);
        assert_true(look(1, space, 1, true));
        clock_edge();
        end();
    }
}

static void an_entry_takes_the_new_number_and_stays_a_writer(void **state)
{
    (void)state;
    for (unsigned row = 0; row < 4; row++) {
        begin();
        came[1] = 1;
        pass_now(1, 0, 3, row & 1);
        came[1] = 2;
        pass_now(1, 0, 3, row & 2);
        look(0, 0, 3, false);
        assert_int_equal(*d.conflict_o, row != 0);
        perform_now(1); /* the first number: nothing goes */
        assert_int_equal(*d.empty_o, 0);
        perform_now(1);
        assert_int_equal(*d.empty_o, 1);
        end();
    }
}

static void an_entry_that_passes_again_while_its_old_number_is_done_stays(void **state)
{
    (void)state;
    begin();
    came[0] = 1;
    pass_now(0, 1, 2, true);
    came[0] = 2;
    assert_true(look(0, 1, 2, false));
    pass(0, 1, 2, false);
    perform(0, own_entry(0, 1, 2));
    clock_edge();
    assert_int_equal(*d.empty_o, 0);
    assert_false(look(1, 1, 2, false));
    clock_edge();
    perform_now(0);
    assert_int_equal(*d.empty_o, 1);
    end();
}

static void a_full_table_lets_only_warps_with_an_entry_pass(void **state)
{
    (void)state;
    begin();
    for (unsigned w = 0; w < WARPS; w++)
        came[w] = 1;
    for (unsigned i = 0; i < ENTRIES; i++)
        pass_now(i % WARPS, i / WARPS & 1, i / WARPS / 2, false);
    look(0, 1, (1u << LINE_W) - 1, false);
    assert_int_equal(*d.room_o, 0);
    clock_edge();
    pass_now(0, 0, 0, false);
    for (unsigned w = 0; w < WARPS && num_entries() != 0; w++)
        perform_now(w);
    assert_int_equal(*d.empty_o, 1);
    end();
}

static void a_conflict_is_seen_until_the_cycle_after_the_entry_went(void **state)
{
    (void)state;
    begin();
    came[0] = 1;
    pass_now(0, 0, 1, true);
    assert_false(look(1, 0, 1, false));
    perform(0, NULL);
    hd_eval(d.m);
    assert_int_equal(*d.conflict_o, 1);
    clock_edge();
    assert_true(look(1, 0, 1, false));
    clock_edge();
    end();
}

static void random_traffic_matches_a_list(void **state)
{
    const unsigned phase = ENTRIES > 16 ? 3000 : 300;
    unsigned passed = 0, again = 0, refused = 0, full = 0, readers = 0, empty = 0, both = 0, many = 0;

    (void)state;
    begin();
    for (unsigned t = 0; t < 60000; t++) {
        const bool drain = t / phase % 3 == 2;
        const unsigned lines = t / phase % 2 ? 3 : 2 * ENTRIES + 2;
        const unsigned warp = (unsigned)hd_rand_below(WARPS);
        const unsigned space = (unsigned)hd_rand_below(4) == 0;
        const uint32_t line = (uint32_t)(hd_rand_below(lines) * 0x92495u) & ((UINT32_C(1) << LINE_W) - 1);
        const bool write = hd_rand_below(3) == 0;
        const unsigned done_warp = (unsigned)hd_rand_below(WARPS);
        const struct entry *passing = NULL;
        unsigned gone = 0;

        if (came[warp] - performed[warp] < SEQ_MASK && hd_rand_below(2))
            came[warp]++; /* an unsafe access came: later passes have its number */
        if (hd_rand_below(8) != 0) {
            const bool may = look(warp, space, line, write);

            refused += *d.conflict_o;
            full += !*d.room_o;
            if (may && came[warp] != performed[warp] && !drain && hd_rand_below(8) != 0) {
                for (unsigned i = 0; i < ENTRIES; i++)
                    readers += entries[i].used && entries[i].space == space && entries[i].line == line &&
                               entries[i].warp != warp;
                again += own_entry(warp, space, line) != NULL;
                pass(warp, space, line, write);
                passing = own_entry(warp, space, line);
                passed++;
            }
        }
        if (came[done_warp] - performed[done_warp] > (passing != NULL && done_warp == warp) &&
            hd_rand_below(4) < (drain ? 4u : 1u)) {
            both += passing != NULL && done_warp == warp;
            gone = perform(done_warp, passing);
            many += gone > 1;
        }
        hd_eval(d.m);
                clock_edge();
        empty += num_entries() == 0;
    }
    assert_true(passed > 300 && again > 50 && full > 50 && empty > 50 && both > 10);
    assert_true(ENTRIES == 1 || (refused > 300 && readers > 100 && many > 10));
    end();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(an_access_waits_for_another_warp_if_one_of_both_writes),
        cmocka_unit_test(an_entry_takes_the_new_number_and_stays_a_writer),
        cmocka_unit_test(an_entry_that_passes_again_while_its_old_number_is_done_stays),
        cmocka_unit_test(a_full_table_lets_only_warps_with_an_entry_pass),
        cmocka_unit_test(a_conflict_is_seen_until_the_cycle_after_the_entry_went),
        cmocka_unit_test(random_traffic_matches_a_list),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
