/* test_hd_type_requests.c - type requests without an answer: the table row by row, then random traffic. */
/* mutants: Entries=4 SectorW=4 */
/* dut: hd_type_requests Entries=4 SectorW=4 */
/* dut: hd_type_requests Entries=1 SectorW=3 */
/* dut: hd_type_requests Entries=3 SectorW=5 */
/* dut: hd_type_requests Entries=16 SectorW=18 */
#include "hd_unit.h"
#include "hd_type_requests_dut.h"
#include "hd_bits.h"

enum {
    ENTRIES = P_Entries,
    SECTOR_W = P_SectorW,
};
#define SET(port, value) hd_bits_put(d.port, 0, HD_TYPE_REQUESTS_W_##port, (uint64_t)(value))
#define GET(port) ((uint32_t)hd_bits_get(d.port, 0, HD_TYPE_REQUESTS_W_##port))

struct entry {
    bool used, write, upgrade, poison, sent; /* sent: its request has left */
    uint32_t sector;
};
struct answer {
    bool safe, write, install, again;
};

static struct hd_type_requests d;
static struct entry entries[ENTRIES];
static struct { uint32_t sector; bool write; } queue[ENTRIES + 1];
static unsigned waiting;
static struct entry *sent_now;

static void begin(void)
{
    hd_type_requests_open(&d);
    hd_reset(d.m);
    memset(entries, 0, sizeof entries);
    waiting = 0;
}

static void end(void)
{
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static struct entry *find(uint32_t sector)
{
    for (unsigned i = 0; i < ENTRIES; i++)
        if (entries[i].used && entries[i].sector == sector)
            return &entries[i];
    return NULL;
}

static struct entry *find_free(void)
{
    for (unsigned i = 0; i < ENTRIES; i++)
        if (!entries[i].used)
            return &entries[i];
    return NULL;
}

static void expect_request(uint32_t sector, bool write)
{
    queue[waiting].sector = sector;
    queue[waiting++].write = write;
}

/* Presents a sector. @return whether it may be asked for. */
static bool offer(uint32_t sector, bool write)
{
    const bool ok = find(sector) != NULL || find_free() != NULL;

    SET(ask_sector_i, sector);
    SET(ask_write_i, write);
    hd_eval(d.m);
    assert_int_equal(*d.ask_ok_o, ok);
    return ok;
}

/* Asks for the sector of the last offer(). */
static void ask(uint32_t sector, bool write)
{
    struct entry *e = find(sector);

    *d.ask_i = 1;
    if (e == NULL) {
        e = find_free();
        *e = (struct entry){true, write, false, false, false, sector};
        expect_request(sector, write);
    } else if (write && !e->write) {
        e->upgrade = true;
    }
}

static void invalidate(uint32_t sector)
{
    struct entry *e = find(sector);

    HD_PUT(d.msg_i, TYPE_MSG_INVAL, 1);
    SET(msg_sector_i, sector);
    if (e != NULL)
        e->poison = true;
}

static void recall(uint32_t sector)
{
    struct entry *e = find(sector);

    HD_PUT(d.msg_i, TYPE_MSG_RECALL, 1);
    SET(msg_sector_i, sector);
    if (e != NULL)
        e->poison = false;
}

/* The classifier's reply: compares what it means. */
static struct answer reply(struct entry *e, bool safe, bool write)
{
    struct answer a = {safe, write, true, false};

    HD_PUT(d.msg_i, TYPE_MSG_REPLY, 1);
    SET(msg_sector_i, e->sector);
    HD_PUT(d.msg_i, TYPE_MSG_TID, (unsigned)safe << HD_TYPE_SAFE | (unsigned)write << HD_TYPE_MAY_WRITE);
    if (e->poison) {
        a.safe = a.write = false;
        a.install = !safe;
    }
    a.again = a.safe && !a.write && e->upgrade;
    hd_eval(d.m);
    assert_int_equal(HD_GET(d.up_o, TYPE_UP_SAFE), a.safe);
    assert_int_equal(HD_GET(d.up_o, TYPE_UP_WRITE), a.write);
    assert_int_equal(HD_GET(d.up_o, TYPE_UP_INSTALL), a.install);
    assert_int_equal(HD_GET(d.up_o, TYPE_UP_AGAIN), a.again);
    if (a.again) {
        *e = (struct entry){true, true, false, false, false, e->sector};
        expect_request(e->sector, true);
    } else {
        e->used = false;
    }
    return a;
}

static void clock_edge(void)
{
    unsigned used = 0;

    hd_edge(d.m);
    if (sent_now != NULL)
        sent_now->sent = true; /* it can be answered from the next cycle on */
    sent_now = NULL;
    *d.ask_i = 0;
    HD_PUT(d.msg_i, TYPE_MSG_INVAL, 0);
    HD_PUT(d.msg_i, TYPE_MSG_RECALL, 0);
    HD_PUT(d.msg_i, TYPE_MSG_REPLY, 0);
    *d.req_ready_i = 0;
    hd_eval(d.m);
    for (unsigned i = 0; i < ENTRIES; i++)
        used += entries[i].used;
    assert_int_equal(*d.empty_o, used == 0);
    assert_int_equal(*d.req_valid_o, waiting > 0);
    if (waiting > 0) {
        assert_int_equal(GET(req_sector_o), queue[0].sector);
        assert_int_equal(*d.req_write_o, queue[0].write);
    }
    assert_int_equal(HD_GET(d.up_o, TYPE_UP_REPLY), 0);
    assert_int_equal(HD_GET(d.up_o, TYPE_UP_INSTALL), 0);
    assert_int_equal(HD_GET(d.up_o, TYPE_UP_AGAIN), 0);
    assert_int_equal(HD_GET(d.up_o, TYPE_UP_DROP), 0);
}

/* The request leaves in this cycle. */
static void send(void)
{
    struct entry *e = find(queue[0].sector);

    assert_non_null(e);
    sent_now = e;
    *d.req_ready_i = 1;
    waiting--;
    memmove(queue, queue + 1, waiting * sizeof *queue);
}

static void ask_now(uint32_t sector, bool write)
{
    assert_true(offer(sector, write));
    ask(sector, write);
    clock_edge();
}

static void send_now(void)
{
    send();
    clock_edge();
}

/* Every history of an entry and every reply: asked to read or write, again to read or write, messages, replies. */
static void every_row_of_the_table(void **state)
{
    unsigned agains = 0, kept = 0;

    (void)state;
    for (unsigned row = 0; row < 2 * 3 * 6 * 4; row++) {
        const bool first_write = row % 2, safe = row / 2 % 2, may_write = row / 4 % 2;
        const unsigned second = row / 8 % 3, messages = row / 24;
        struct answer a;

        begin();
        ask_now(5, first_write);
        assert_int_equal(*d.req_write_o, first_write);
        if (second != 0)
            ask_now(5, second == 2);
        assert_int_equal(waiting, 1); /* one request for a sector */
        send_now();
        switch (messages) {
        case 0: break;
        case 1: invalidate(5); break;
        case 2: recall(5); break;
        case 3: invalidate(5); clock_edge(); recall(5); break;
        case 4: recall(5); clock_edge(); invalidate(5); break;
        default: invalidate(4); break; /* another sector */
        }
        clock_edge();
        a = reply(find(5), safe, safe && may_write);
        assert_int_equal(a.safe, safe && messages != 1 && messages != 4);
        assert_int_equal(a.install, !safe || a.safe);
        assert_int_equal(a.again, !first_write && second == 2 && a.safe && !may_write);
        clock_edge();
        if (a.again) {
            agains++;
            assert_int_equal(*d.req_write_o, 1);
            ask_now(5, true); /* it is asked to write: nothing more is needed */
            send_now();
            a = reply(find(5), true, false);
            assert_false(a.again);
            clock_edge();
        }
        kept += a.install;
        assert_int_equal(*d.empty_o, 1);
        ask_now(5, false); /* nothing of it is remembered */
        send_now();
        a = reply(find(5), true, false);
        assert_true(a.safe && a.install && !a.again);
        clock_edge();
        end();
    }
    assert_true(agains > 0 && kept > 0);
}

static void a_full_table_takes_only_sectors_it_has(void **state)
{
    (void)state;
    begin();
    for (uint32_t s = 0; s < ENTRIES; s++)
        ask_now(s, s & 1);
    assert_false(offer(ENTRIES, false));
    clock_edge();
    for (uint32_t s = 0; s < ENTRIES; s++)
        ask_now(s, true);
    while (waiting > 0)
        send_now();
    reply(find(0), true, true);
    clock_edge();
    ask_now(ENTRIES, false);
    for (uint32_t s = 1; s < ENTRIES; s++) {
        reply(find(s), true, false); /* the readers ask again */
        clock_edge();
    }
    end();
}

static void reset_forgets_all(void **state)
{
    (void)state;
    begin();
    ask_now(1, false);
    ask_now(1, true);
    invalidate(1);
    clock_edge();
    hd_reset(d.m);
    memset(entries, 0, sizeof entries);
    waiting = 0;
    clock_edge();
    ask_now(1, false);
    send_now();
    assert_true(reply(find(1), true, false).safe);
    clock_edge();
    end();
}

static void random_traffic_matches_a_list(void **state)
{
    unsigned asked = 0, joined = 0, full = 0, agains = 0, poisoned = 0, saved = 0, strays = 0, most = 0;

    (void)state;
    begin();
    for (unsigned t = 0; t < 60000; t++) {
        const bool drain = t / (ENTRIES > 8 ? 4000 : 400) % 3 == 2;
        const uint32_t sector = (uint32_t)(hd_rand_below(ENTRIES + 3) * 0x5ad3u) & ((UINT32_C(1) << SECTOR_W) - 1);
        const bool write = hd_rand_below(3) == 0;
        struct entry *e = &entries[hd_rand_below(ENTRIES)];
        const unsigned dice = (unsigned)hd_rand_below(16);

        const bool may = offer(sector, write);

        full += !may;
        if (waiting > 0 && hd_rand_below(drain ? 2 : 6) == 0)
            send();
        if (may && dice < (drain ? 1u : 8u)) {
            joined += find(sector) != NULL;
            ask(sector, write);
            asked++;
        } else if (dice >= 14) {
            e = find(sector);
            strays += e == NULL;
            if (dice == 14) {
                invalidate(sector);
            } else {
                saved += e != NULL && e->poison;
                recall(sector);
            }
        } else if (dice >= 9 && e->used && e->sent) {
            const bool safe = hd_rand_below(4) != 0;

            poisoned += e->poison;
            agains += reply(e, safe, safe && hd_rand_below(2)).again;
        }
        most = waiting > most ? waiting : most;
        clock_edge();
    }
    assert_true(asked > 1000 && joined > 100 && full > 100 && agains > 50 && poisoned > 50 && saved > 10);
    assert_true(strays > 100 && (most == ENTRIES || ENTRIES > 8));
    end();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(every_row_of_the_table),
        cmocka_unit_test(a_full_table_takes_only_sectors_it_has),
        cmocka_unit_test(reset_forgets_all),
        cmocka_unit_test(random_traffic_matches_a_list),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
