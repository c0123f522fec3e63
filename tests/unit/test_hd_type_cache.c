/* test_hd_type_cache.c - types of sectors and in-flight counters, against lists in C. */
/* mutants: Entries=8 Ways=4 Counters=4 SectorW=6 CountW=4 */
/* dut: hd_type_cache Entries=8 Ways=4 Counters=4 SectorW=6 CountW=4 */
/* dut: hd_type_cache Entries=1 Ways=1 Counters=2 SectorW=3 CountW=3 */
/* dut: hd_type_cache Entries=4 Ways=1 Counters=2 SectorW=5 CountW=4 */
/* dut: hd_type_cache Entries=4 Ways=4 Counters=8 SectorW=6 CountW=4 */
/* dut: hd_type_cache Entries=64 Ways=4 Counters=64 SectorW=18 CountW=14 */
#include "hd_unit.h"
#include "hd_type_cache_dut.h"
#include "hd_bits.h"

enum {
    ENTRIES = P_Entries,
    WAYS = P_Ways,
    SETS = ENTRIES / WAYS,
    COUNTERS = P_Counters,
    SECTOR_W = P_SectorW,
    MOST = (1 << P_CountW) - 1 < 60 ? (1 << P_CountW) - 1 : 60,
};
#define SET(port, value) hd_bits_put(d.port, 0, HD_TYPE_CACHE_W_##port, (uint64_t)(value))
#define COUNT(member, value) HD_PUT(d.count_i, TYPE_COUNT_##member, (uint64_t)(value))
#define UP(member, value) HD_PUT(d.up_i, TYPE_UP_##member, (uint64_t)(value))

struct entry {
    bool used, safe, write;
    uint32_t sector;
};
enum update { NOTHING, INSTALL, DROP, CLEAR };

static struct hd_type_cache d;
static struct entry ways[SETS][WAYS];
static unsigned next_way[SETS];
static int safe_count[COUNTERS], marker_count[COUNTERS], unsafe_count[COUNTERS];
static unsigned replaced;

static void begin(void)
{
    hd_type_cache_open(&d);
    hd_reset(d.m);
    memset(ways, 0, sizeof ways);
    memset(next_way, 0, sizeof next_way);
    memset(safe_count, 0, sizeof safe_count);
    memset(marker_count, 0, sizeof marker_count);
    memset(unsafe_count, 0, sizeof unsafe_count);
    replaced = 0;
}

static void end(void)
{
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static struct entry *find(uint32_t sector)
{
    for (unsigned w = 0; w < WAYS; w++)
        if (ways[sector % SETS][w].used && ways[sector % SETS][w].sector == sector)
            return &ways[sector % SETS][w];
    return NULL;
}

static void look(uint32_t sector, bool write)
{
    const struct entry *e = find(sector);
    const bool known = e != NULL && (!e->safe || !write || e->write);

    SET(lk_sector_i, sector);
    *d.lk_write_i = write;
    hd_eval(d.m);
    assert_int_equal(*d.lk_known_o, known);
    if (known)
        assert_int_equal(*d.lk_safe_o, e->safe);
}

static void look_at_counters(void)
{
    bool busy = false;

    for (unsigned h = 0; h < COUNTERS; h++) {
        const bool safe = safe_count[h] + marker_count[h] > 0;

        SET(out_hash_i, h);
        hd_eval(d.m);
        assert_int_equal(HD_GET(d.out_o, TYPE_OUT_SAFE), safe);
        assert_int_equal(HD_GET(d.out_o, TYPE_OUT_ANY), safe || unsafe_count[h] > 0);
        busy |= safe || unsafe_count[h] > 0;
    }
    assert_int_equal(*d.busy_o, busy);
}

static void update(enum update what, uint32_t sector, bool safe, bool write)
{
    struct entry *set = ways[sector % SETS], *e = find(sector);

    SET(up_sector_i, sector);
    UP(SAFE, safe);
    UP(WRITE, write);
    switch (what) {
    case NOTHING: break;
    case INSTALL:
        UP(INSTALL, 1);
        for (unsigned w = 0; w < WAYS && e == NULL; w++)
            if (!set[w].used)
                e = &set[w];
        if (e == NULL) {
            e = &set[next_way[sector % SETS]];
            next_way[sector % SETS] = (next_way[sector % SETS] + 1) % WAYS;
            replaced++;
        }
        *e = (struct entry){true, safe, write, sector};
        break;
    case DROP:
        UP(DROP, 1);
        if (e != NULL)
            e->used = false;
        break;
    case CLEAR:
        *d.clear_i = 1;
        memset(ways, 0, sizeof ways);
        break;
    }
}

static void clock_edge(void)
{
    hd_edge(d.m);
    UP(INSTALL, 0);
    UP(DROP, 0);
    *d.clear_i = 0;
    memset(d.count_i, 0, hd_bits_bytes(HD_TYPE_CACHE_W_count_i));
    hd_eval(d.m);
}

static void update_now(enum update what, uint32_t sector, bool safe, bool write)
{
    update(what, sector, safe, write);
    clock_edge();
}

/* Row by row: what a sector was (nothing, unsafe, safe, safe to write), what happens, who looks. */
static void every_row_of_the_table(void **state)
{
    (void)state;
    for (unsigned row = 0; row < 4 * 5 * 2; row++) {
        const unsigned was = row % 4, what = row / 4 % 5;
        const bool write = row / 20;

        begin();
        look(2, write);
        if (was > 0)
            update_now(INSTALL, 2, was > 1, was == 3);
        look(2, write);
        look(3, write); /* another sector */
        switch (what) {
        case 0: update_now(INSTALL, 2, false, false); break;
        case 1: update_now(INSTALL, 2, true, false); break;
        case 2: update_now(INSTALL, 2, true, true); break;
        case 3: update_now(DROP, 2, true, true); break;
        default: update_now(CLEAR, 0, false, false); break;
        }
        look(2, write);
        look(3, write);
        assert_int_equal(*d.lk_known_o, 0);
        end();
    }
}

static void a_full_set_replaces_in_turn(void **state)
{
    (void)state;
    begin();
    for (uint32_t i = 0; i < 2 * WAYS + 1 && i * SETS < 1u << SECTOR_W; i++) {
        update_now(INSTALL, i * SETS, i & 1, false);
        for (uint32_t j = 0; j <= i; j++)
            look(j * SETS, false);
    }
    assert_true(replaced > 0);
    end();
}

/* What an SM needs to know for an acknowledgement. */
static void markers_and_safe_accesses_are_out_until_they_are_gone(void **state)
{
    (void)state;
    begin();
    COUNT(ADD_SAFE, 1);
    COUNT(ADD_MARKER, 1);
    SET(add_hash_i, 1);
    safe_count[1] = marker_count[1] = 1;
    clock_edge();
    look_at_counters();
    COUNT(SUB_SAFE, 1);
    COUNT(SUB_HASH, 1);
    safe_count[1] = 0;
    clock_edge();
    look_at_counters();
    COUNT(ADD_UNSAFE, 1);
    SET(add_hash_i, 1);
    unsafe_count[1] = 1;
    COUNT(SUB_MARKER, 1);
    COUNT(MARKER_HASH, 1);
    marker_count[1] = 0;
    clock_edge();
    look_at_counters();
    COUNT(SUB_UNSAFE, 1);
    COUNT(SUB_HASH, 1);
    unsafe_count[1] = 0;
    clock_edge();
    look_at_counters();
    end();
}

static void random_traffic_matches_lists(void **state)
{
    unsigned drops = 0, over = 0, clears = 0, full = 0, idle = 0, three = 0;
    uint32_t base = 0; /* bits in which the sectors of a while differ from small numbers */

    (void)state;
    begin();
    for (unsigned t = 0; t < 30000; t++) {
        const bool drain = t / 500 % 2;

        if (t % 750 == 0)
            base = (uint32_t)hd_rand_below(1u << SECTOR_W);
        const unsigned span = t / 1500 % 2 ? ENTRIES + WAYS + 1 : (1u << SECTOR_W) / 2;
        const uint32_t sector = (uint32_t)hd_rand_below(span) ^ base;
        const enum update what = (enum update)(hd_rand_below(3) ? hd_rand_below(3) : 0);
        const unsigned add = (unsigned)hd_rand_below(COUNTERS), sub0 = (unsigned)hd_rand_below(COUNTERS);
        const unsigned sub1 = (unsigned)hd_rand_below(4) ? (unsigned)hd_rand_below(COUNTERS) : sub0;
        const bool to_safe = hd_rand_below(2), from_safe = hd_rand_below(2), marker = hd_rand_below(2);
        unsigned moves = 0;

        for (unsigned i = 0; i < 4; i++) /* before the update */
            look((uint32_t)hd_rand_below(span) ^ base, hd_rand_below(2));
        if (hd_rand_below(1000) == 0) {
            update(CLEAR, 0, false, false);
            clears++;
        } else {
            const struct entry *e = find(sector);

            over += what == INSTALL && e != NULL;
            drops += what == DROP && e != NULL;
            update(what, sector, hd_rand_below(3) != 0, hd_rand_below(2));
        }
        COUNT(SUB_HASH, sub0); /* what leaves was there before this cycle */
        COUNT(MARKER_HASH, sub1);
        if ((from_safe ? safe_count : unsafe_count)[sub0] > 0 && hd_rand_below(drain ? 1 : 4) == 0) {
            COUNT(SUB_SAFE, from_safe);
            COUNT(SUB_UNSAFE, !from_safe);
            (from_safe ? safe_count : unsafe_count)[sub0]--;
            moves++;
        }
        if (marker_count[sub1] > 0 && hd_rand_below(drain ? 1 : 4) == 0) {
            COUNT(SUB_MARKER, 1);
            marker_count[sub1]--;
            moves++;
        }
        SET(add_hash_i, add);
        COUNT(ADD_MARKER, marker && to_safe);
        if ((to_safe ? safe_count[add] + marker_count[add] + 1 + marker : unsafe_count[add] + 1) <= MOST - 2 &&
            hd_rand_below(drain ? 8 : 1) == 0) {
            COUNT(ADD_SAFE, to_safe);
            COUNT(ADD_UNSAFE, !to_safe);
            (to_safe ? safe_count : unsafe_count)[add]++;
            marker_count[add] += to_safe && marker;
            moves++;
        } else {
            COUNT(ADD_MARKER, hd_rand_below(2)); /* no access has left: no marker either */
        }
        three += moves == 3;
        clock_edge();
        look(sector, hd_rand_below(2));
        if (t % (COUNTERS > 8 ? 8 : 1) == 0)
            look_at_counters();
        idle += !*d.busy_o;
        full += safe_count[add] + marker_count[add] >= MOST - 3;
    }
    assert_true(replaced > 100 && drops > 20 && over > 20 && clears > 5 && three > 10);
    assert_true((full > 20 && idle > 20) || COUNTERS > 8);
    end();
}

static void every_misuse_trips_an_assertion(void **state)
{
    (void)state;
    hd_type_cache_open(&d);
    for (unsigned misuse = 0; misuse < 8 && hd_has_asserts(d.m); misuse++) {
        hd_reset(d.m);
        UP(INSTALL, misuse == 0);
        UP(DROP, misuse == 0);
        COUNT(ADD_SAFE, misuse == 1 || misuse == 6);
        COUNT(ADD_UNSAFE, misuse == 1 || misuse == 7);
        COUNT(SUB_SAFE, misuse == 2 || misuse == 3);
        COUNT(SUB_UNSAFE, misuse == 2 || misuse == 4);
        COUNT(SUB_MARKER, misuse == 5);
        for (unsigned t = 0; misuse >= 6 && t < (1u << P_CountW) - 1; t++) { /* until it is full */
            hd_edge(d.m);
            assert_int_equal(hd_assert_failures(d.m), 0);
        }
        hd_edge(d.m);
        if (hd_assert_failures(d.m) == 0)
            fail_msg("misuse %u was not noticed", misuse);
        hd_assert_clear(d.m);
    }
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(every_row_of_the_table),
        cmocka_unit_test(a_full_set_replaces_in_turn),
        cmocka_unit_test(markers_and_safe_accesses_are_out_until_they_are_gone),
        cmocka_unit_test(random_traffic_matches_lists),
        cmocka_unit_test(every_misuse_trips_an_assertion),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
