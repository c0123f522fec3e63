/* test_hd_type_wait_queues.c - accesses that wait for a type, against queues in C. */
/* mutants: Warps=3 Depth=4 Width=6 SectorW=3 */
/* dut: hd_type_wait_queues Warps=3 Depth=4 Width=6 SectorW=3 */
/* dut: hd_type_wait_queues Warps=1 Depth=1 Width=3 SectorW=2 */
/* dut: hd_type_wait_queues Warps=5 Depth=3 Width=40 SectorW=4 */
/* dut: hd_type_wait_queues Warps=48 Depth=4 Width=32 SectorW=18 */
#include "hd_unit.h"
#include "hd_type_wait_queues_dut.h"
#include "hd_bits.h"

enum {
    WARPS = P_Warps,
    DEPTH = P_Depth,
    WIDTH = P_Width,
    SECTOR_W = P_SectorW,
};
#define SET(port, value) hd_bits_put(d.port, 0, HD_TYPE_WAIT_QUEUES_W_##port, (uint64_t)(value))
#define GET(port) hd_bits_get(d.port, 0, HD_TYPE_WAIT_QUEUES_W_##port)

struct access {
    bool lds, write, known, safe, asked;
    uint32_t sector;
    uint64_t data;
};

static struct hd_type_wait_queues d;
static struct access queue[WARPS][DEPTH];
static unsigned num[WARPS];

static void begin(void)
{
    hd_type_wait_queues_open(&d);
    hd_reset(d.m);
    memset(num, 0, sizeof num);
}

static void end(void)
{
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static void check(void)
{
    for (unsigned w = 0; w < WARPS; w++) {
        const struct access *a = &queue[w][0];

        assert_int_equal(hd_bits_get(d.full_o, w, 1), num[w] == DEPTH);
        assert_int_equal(hd_bits_get(d.empty_o, w, 1), num[w] == 0);
        assert_int_equal(hd_bits_get(d.known_o, w, 1), num[w] > 0 && a->known);
        assert_int_equal(hd_bits_get(d.ask_o, w, 1), num[w] > 0 && !a->known && !a->asked);
    }
}

/* Reads the head of a queue that is not empty. */
static void read_head(unsigned warp)
{
    const struct access *a = &queue[warp][0];

    SET(rd_warp_i, warp);
    hd_eval(d.m);
    assert_int_equal(*d.rd_known_o, a->known);
    if (a->known)
        assert_int_equal(*d.rd_safe_o, a->safe);
    assert_int_equal(*d.rd_write_o, a->write);
    if (!a->lds)
        assert_int_equal(GET(rd_sector_o), a->sector);
    assert_int_equal(GET(rd_data_o), a->data);
}

static void push(unsigned warp, const struct access *a)
{
    *d.push_i = 1;
    SET(push_warp_i, warp);
    *d.push_lds_i = a->lds;
    SET(push_sector_i, a->sector);
    *d.push_write_i = a->write;
    *d.push_known_i = a->known;
    *d.push_safe_i = a->safe;
    *d.push_asked_i = a->asked;
    SET(push_data_i, a->data);
    queue[warp][num[warp]++] = *a;
}

static void pop(unsigned warp)
{
    *d.pop_i = 1;
    num[warp]--;
    memmove(queue[warp], queue[warp] + 1, num[warp] * sizeof *queue[warp]);
}

static unsigned message_hits, resolved_before;

/* The rows of the table. */
static void message(uint32_t sector, bool reply, bool safe, bool write, bool again)
{
    *d.up_i = 1;
    SET(up_sector_i, sector);
    *d.up_reply_i = reply;
    *d.up_safe_i = safe;
    *d.up_write_i = write;
    *d.up_again_i = again;
    for (unsigned w = 0; w < WARPS; w++) {
        for (unsigned i = 0; i < num[w]; i++) {
            struct access *a = &queue[w][i];

            if (a->lds || a->sector != sector)
                continue;
            message_hits++;
            resolved_before += a->known;
            if (reply && !safe) {
                a->known = true;
                a->safe = false;
            } else if (reply && (write || !a->write)) {
                if (!a->known)
                    a->safe = true;
                a->known = true;
            } else if (reply) {
                if (!a->known && !again)
                    a->asked = false;
            } else {
                a->known = a->asked = false;
            }
        }
    }
}

static void clock_edge(void)
{
    hd_edge(d.m);
    *d.push_i = 0;
    *d.up_i = 0;
    *d.pop_i = 0;
    *d.rd_ask_i = 0;
    *d.rd_known_i = 0;
    hd_eval(d.m);
    check();
}

static struct access an_access(uint32_t sector, bool write, unsigned type)
{
    struct access a = {false, write, type >= 2, type == 3, type != 1, sector, hd_rand()};

    a.data &= WIDTH < 64 ? (UINT64_C(1) << WIDTH) - 1 : UINT64_MAX;
    return a; /* types: asked, not asked, unsafe, safe */
}

/* Every state of an entry (LDS as well), reader or writer, and every message. */
static void every_row_of_the_table(void **state)
{
    (void)state;
    for (unsigned row = 0; row < 5 * 2 * 6 * 2; row++) {
        const unsigned type = row % 5, what = row / 10 % 6;
        const bool write = row / 5 % 2, same_sector = row / 60;
        struct access a = an_access(2, write, type == 4 ? 3 : type);

        begin();
        check();
        if (type == 4)
            a.lds = true;
        push(0, &a);
        clock_edge();
        read_head(0);
        message(same_sector ? 2 : 1, what < 5, what != 0 && what < 5, what == 1 || what == 4, what == 3);
        clock_edge();
        read_head(0);
        if (*d.rd_known_o == 0 && (*d.ask_o & 1) != 0) { /* its type is looked up: found, or asked for */
            if (row & 1) {
                *d.rd_known_i = 1;
                *d.rd_safe_i = queue[0][0].safe = row >> 1 & 1;
                queue[0][0].known = true;
            } else {
                *d.rd_ask_i = 1;
                queue[0][0].asked = true;
            }
            clock_edge();
            read_head(0);
        }
        pop(0);
        clock_edge();
        end();
    }
}

static void accesses_leave_in_order_and_all_of_a_sector_hear_a_message(void **state)
{
    (void)state;
    begin();
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < DEPTH; i++) {
            for (unsigned w = 0; w < WARPS; w++) {
                const struct access a = an_access(1, i & 1, 0);

                push(w, &a);
                clock_edge();
            }
        }
        message(1, true, true, round == 0, round == 1);
        clock_edge();
        message(1, true, round != 2, true, false);
        clock_edge();
        for (unsigned i = 0; i < DEPTH; i++) {
            for (unsigned w = 0; w < WARPS; w++) {
                assert_true(queue[w][0].known);
                read_head(w);
                pop(w);
                clock_edge();
            }
        }
    }
    end();
}

static void random_traffic_matches_queues(void **state)
{
    unsigned full = 0, empty = 0, both = 0, same = 0, found = 0, asked = 0, lds = 0, passed = 0;

    (void)state;
    begin();
    message_hits = resolved_before = 0;
    for (unsigned t = 0; t < (WARPS > 8 ? 20000 : 40000); t++) {
        const bool drain = t / 300 % 3 == 2;
        const uint32_t sector = (uint32_t)(hd_rand_below(3) * 0x15a5b) & ((1u << SECTOR_W) - 1);
        const unsigned in = (unsigned)hd_rand_below(WARPS);
        const unsigned out = hd_rand_below(3) ? (unsigned)hd_rand_below(WARPS) : in;

        if (hd_rand_below(4) == 0) {
            const unsigned dice = (unsigned)hd_rand_below(8);
            const bool safe = dice >= 2 && dice < 6;

            message(sector, dice < 6, safe, safe && (dice & 1), safe && hd_rand_below(2));
        } else {
            bool pops = false;

            if (num[out] > 0) {
                struct access *a = &queue[out][0];

                read_head(out);
                if (a->known && (drain || hd_rand_below(4) == 0)) {
                    pop(out);
                    pops = true;
                    passed++;
                } else if (!a->known && !a->asked && hd_rand_below(2)) {
                    if (hd_rand_below(2)) {
                        *d.rd_known_i = 1;
                        a->known = true;
                        *d.rd_safe_i = a->safe = hd_rand_below(2);
                        found++;
                    } else {
                        *d.rd_ask_i = 1;
                        a->asked = true;
                        asked++;
                    }
                }
            }
            /* full is a register: an access that leaves now makes no room yet */
            if (hd_bits_get(d.full_o, in, 1) == 0 && hd_rand_below(drain ? 8 : 1) == 0) {
                struct access a = an_access(sector, hd_rand_below(2), (unsigned)hd_rand_below(4));

                if (hd_rand_below(6) == 0) {
                    a.lds = a.known = a.safe = true;
                    lds++;
                }
                push(in, &a);
                both += pops;
                same += pops && in == out;
            }
        }
        clock_edge();
        full += num[in] == DEPTH;
        empty += num[out] == 0;
    }
    assert_true(full > 100 && empty > 100 && found > 50 && asked > 50 && lds > 50 && passed > 300);
    assert_true(message_hits > 100 && resolved_before > 50 && (both > 50 || DEPTH == 1) && (same > 20 || DEPTH == 1));
    end();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(every_row_of_the_table),
        cmocka_unit_test(accesses_leave_in_order_and_all_of_a_sector_hear_a_message),
        cmocka_unit_test(random_traffic_matches_queues),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
