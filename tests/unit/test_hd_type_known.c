/* test_hd_type_known.c - random messages, lookups, requests and counts against tables in C: what is known of a sector, what asks for
 * it, when an invalidation is acknowledged and what it holds until then. */
/* mutants: Entries=4 Ways=2 Reqs=2 AckEntries=4 PartBits=1 SectorW=8 */
/* dut: hd_type_known Entries=4 Ways=2 Reqs=2 AckEntries=4 PartBits=1 SectorW=8 */
/* dut: hd_type_known Entries=1 Ways=1 Reqs=1 AckEntries=2 PartBits=0 SectorW=18 */
/* dut-rtl: hd_type_known Entries=64 Ways=4 Reqs=16 AckEntries=64 PartBits=3 SectorW=18 */
#include "hd_unit.h"
#include "hd_type_known_dut.h"
#include "hd_bits.h"

enum {
    ENTRIES = P_Entries, WAYS = P_Ways, SETS = ENTRIES / WAYS, REQS = P_Reqs, ACKS = P_AckEntries, PARTS = 1 << P_PartBits,
    SECTOR_W = P_SectorW, HASHES = 1 << (HD_TAG_W - 2), POOL = 8, NODES = 1 << HD_NODE_W
};
#define SET(port, value) hd_bits_put(d.port, 0, HD_TYPE_KNOWN_W_##port, (uint64_t)(value))
#define GET(port) hd_bits_get(d.port, 0, HD_TYPE_KNOWN_W_##port)

static struct hd_type_known d;
static uint32_t pool[POOL]; /* sectors the test uses; some share a set, some a hash */
static struct { bool valid, safe, write; uint32_t sector; } cache[SETS][WAYS];
static unsigned next_way[SETS];
static struct { bool used, write, upgrade, poison, sent; uint32_t sector; } requests[REQS];
static struct { uint32_t sector; bool write; } to_send[2 * REQS + 1];
static struct { bool recall; uint32_t sector; unsigned src, tid; } acks[ACKS];
static unsigned num_to_send, num_acks, sm;
static bool held[HASHES];
static unsigned safe_out[HASHES], unsafe_out[HASHES], markers_out[HASHES];
static struct { unsigned replaced, stale, again, upgrades, inval_acks, recall_acks, waited, shared, cleared, requests, drained, reader; } seen;

static int find_request(uint32_t sector)
{
    for (int i = 0; i < REQS; i++)
        if (requests[i].used && requests[i].sector == sector)
            return i;
    return -1;
}

static int free_request(void)
{
    for (int i = 0; i < REQS; i++)
        if (!requests[i].used)
            return i;
    return -1;
}

static void drop(uint32_t sector)
{
    for (unsigned w = 0; w < WAYS; w++)
        if (cache[sector % SETS][w].sector == sector)
            cache[sector % SETS][w].valid = false;
}

/* An empty way, else one after the other. */
static void install(uint32_t sector, bool safe, bool write)
{
    const unsigned set = sector % SETS;
    unsigned way = WAYS;

    for (unsigned w = WAYS; w-- > 0;)
        if (!cache[set][w].valid)
            way = w;
    for (unsigned w = 0; w < WAYS; w++)
        if (cache[set][w].valid && cache[set][w].sector == sector)
            way = w;
    if (way == WAYS) {
        way = next_way[set];
        next_way[set] = (next_way[set] + 1) % WAYS;
        seen.replaced++;
    }
    cache[set][way].valid = true;
    cache[set][way].sector = sector;
    cache[set][way].safe = safe;
    cache[set][way].write = write;
}

/* The head of a packet without data, to a partition: all of it. */
static void check_head(const void *port, unsigned kind, uint32_t sector, unsigned tid, unsigned part)
{
    uint32_t head[(HD_HEAD_W + 31) / 32] = {0};

    hd_bits_put(head, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
    hd_bits_put(head, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, (uint64_t)sector << (HD_ADDR_W - SECTOR_W));
    hd_bits_put(head, HD_HEAD_TID_LSB, HD_HEAD_TID_W, tid);
    hd_bits_put(head, HD_HEAD_DST_LSB, HD_HEAD_DST_W, part);
    hd_bits_put(head, HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W, HD_END_L2);
    hd_bits_put(head, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, sm);
    hd_bits_put(head, HD_HEAD_SRC_KIND_LSB, HD_HEAD_SRC_KIND_W, HD_END_SM);
    assert_memory_equal(port, head, sizeof head);
}

/* Another SM, with other sectors. */
static void start(void)
{
    hd_reset(d.m);
    sm = (unsigned)hd_rand_below(NODES);
    memset(cache, 0, sizeof cache);
    memset(next_way, 0, sizeof next_way);
    memset(requests, 0, sizeof requests);
    memset(held, 0, sizeof held);
    memset(safe_out, 0, sizeof safe_out);
    memset(unsafe_out, 0, sizeof unsafe_out);
    memset(markers_out, 0, sizeof markers_out);
    num_to_send = num_acks = 0;
    *d.sm_id_i = (uint8_t)sm;
    for (unsigned i = 0; i < POOL; i++) { /* pairs: of one hash where sectors have more bits than it */
        bool again = true;

        while (again) {
            pool[i] = (uint32_t)hd_rand_below(UINT64_C(1) << SECTOR_W);
            if (i % 2)
                pool[i] = (pool[i] & ~(uint32_t)(HASHES - 1)) | pool[i - 1] % HASHES;
            again = false;
            for (unsigned j = 0; j < i; j++)
                again |= pool[j] == pool[i];
        }
    }
}

static void random_events_match_tables(void **state)
{
    (void)state;
    hd_type_known_open(&d);
    memset(&seen, 0, sizeof seen);
    for (unsigned n = 0; n < 40000; n++) {
        if (n % 4000 == 0)
            start();
        const bool quiet = n / 200 % 3 == 2; /* counts and messages run out */
        const bool clear = hd_rand_below(300) == 0;
        const uint32_t sector = pool[hd_rand_below(POOL)], asked = pool[hd_rand_below(POOL)];
        const bool write = hd_rand_below(2);
        unsigned kind = 0, flags = (unsigned)hd_rand_below(4), src = (unsigned)hd_rand_below(PARTS);
        const int answered = find_request(sector);
        const unsigned tid = (unsigned)hd_rand_below(1u << HD_TID_W);

        /* ---- a message */
        if (hd_rand_below(3) == 0) {
            if (answered >= 0 && requests[answered].sent && hd_rand_below(2))
                kind = HD_MSG_TYPE_REP;
            else if (num_acks < ACKS && !quiet)
                kind = hd_rand_below(2) ? HD_MSG_TYPE_INV : HD_MSG_TYPE_RECALL;
        }
        if (flags == 2)
            flags = 0; /* the right to write what is unsafe */
        const bool message = kind != 0, drops = message && kind != HD_MSG_TYPE_REP;
        hd_bits_random(d.dn_head_i, HD_HEAD_W);
        if (message) {
            hd_bits_put(d.dn_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
            hd_bits_put(d.dn_head_i, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, (uint64_t)sector << (HD_ADDR_W - SECTOR_W));
            hd_bits_put(d.dn_head_i, HD_HEAD_TID_LSB, HD_HEAD_TID_W, kind == HD_MSG_TYPE_REP ? flags : tid);
            hd_bits_put(d.dn_head_i, HD_HEAD_ROUTE_LSB + HD_ROUTE_SRC_LSB, HD_ROUTE_SRC_W, src);
        }
        *d.dn_valid_i = message;
        *d.clear_i = clear;

        /* ---- what is looked up */
        const unsigned set = asked % SETS;
        bool known = false, safe = false;
        for (unsigned w = 0; w < WAYS; w++)
            if (cache[set][w].valid && cache[set][w].sector == asked) {
                safe = cache[set][w].safe;
                known = !safe || !write || cache[set][w].write;
                seen.reader += !known;
            }
        const int mine = find_request(asked);
        const bool ask_ok = mine >= 0 || free_request() >= 0, ask = ask_ok && !message && !known && hd_rand_below(2) && !quiet;
        SET(lk_sector_i, asked);
        *d.lk_write_i = write;
        *d.ask_i = ask;

        /* ---- counts */
        const unsigned hash = pool[hd_rand_below(POOL)] % HASHES, perf = pool[hd_rand_below(POOL)] % HASHES;
        const unsigned mark = pool[hd_rand_below(POOL)] % HASHES;
        const unsigned add = !quiet && hd_rand_below(4) == 0 ? 1 + (unsigned)hd_rand_below(3) : 0; /* safe, with a marker, unsafe */
        const unsigned sub = hd_rand_below(2) && safe_out[perf] ? 1 : unsafe_out[perf] && hd_rand_below(2) ? 2 : 0;
        const bool sub_marker = markers_out[mark] && hd_rand_below(2);
        *d.count_i = (uint32_t)((add == 1 || add == 2) << HD_TYPE_COUNT_ADD_SAFE_LSB | (add == 3) << HD_TYPE_COUNT_ADD_UNSAFE_LSB |
                                (add == 2) << HD_TYPE_COUNT_ADD_MARKER_LSB | (sub == 1) << HD_TYPE_COUNT_SUB_SAFE_LSB |
                                (sub == 2) << HD_TYPE_COUNT_SUB_UNSAFE_LSB | sub_marker << HD_TYPE_COUNT_SUB_MARKER_LSB |
                                perf << HD_TYPE_COUNT_SUB_HASH_LSB | mark << HD_TYPE_COUNT_MARKER_HASH_LSB);
        SET(try_hash_i, hash);
        const bool req_ready = hd_rand_below(3) != 0, ack_ready = hd_rand_below(3) != 0;
        *d.req_ready_i = req_ready;
        *d.ack_ready_i = ack_ready;
        hd_eval(d.m);

        /* ---- answers */
        if (!message)
            assert_int_equal(*d.lk_o, known << HD_TYPE_LOOK_KNOWN_LSB | safe << HD_TYPE_LOOK_SAFE_LSB | ask_ok << HD_TYPE_LOOK_ASK_OK_LSB);
        bool up_safe = false, up_write = false, again = false, puts = false;
        if (kind == HD_MSG_TYPE_REP) {
            const bool stale = requests[answered].poison;

            up_safe = flags & 1 && !stale;
            up_write = flags & 2 && !stale;
            puts = !stale || !(flags & 1);
            again = up_safe && !up_write && requests[answered].upgrade;
            seen.stale += stale && flags & 1;
            seen.again += again;
            assert_int_equal(*d.up_o, 1 << HD_TYPE_UP_REPLY_LSB | up_safe << HD_TYPE_UP_SAFE_LSB | up_write << HD_TYPE_UP_WRITE_LSB |
                                          again << HD_TYPE_UP_AGAIN_LSB | puts << HD_TYPE_UP_INSTALL_LSB);
        } else if (message) {
            assert_int_equal(HD_GET(d.up_o, TYPE_UP_REPLY), 0);
            assert_int_equal(HD_GET(d.up_o, TYPE_UP_DROP), 1);
        }
        if (message)
            assert_int_equal(GET(up_sector_o), sector);
        const unsigned first = num_acks > 0 ? acks[0].sector % HASHES : 0;
        const bool ack = num_acks > 0 && safe_out[first] + markers_out[first] == 0 && (!acks[0].recall || unsafe_out[first] == 0);
        seen.waited += num_acks > 0 && !ack;
        assert_int_equal(*d.held_o, held[hash] || (num_acks > 0 && hash == first));
        assert_int_equal(*d.ack_valid_o, ack);
        if (ack)
            check_head(d.ack_head_o, HD_MSG_TYPE_ACK, acks[0].sector, acks[0].tid, acks[0].src);
        assert_int_equal(*d.req_valid_o, num_to_send > 0);
        if (num_to_send > 0)
            check_head(d.req_head_o, HD_MSG_TYPE_REQ, to_send[0].sector, (unsigned)to_send[0].write << HD_TYPE_WANTS_WRITE,
                       to_send[0].sector % PARTS);
        unsigned counted = 0, used = 0;
        for (unsigned h = 0; h < HASHES; h++)
            counted += safe_out[h] + unsafe_out[h] + markers_out[h];
        for (unsigned i = 0; i < REQS; i++)
            used += requests[i].used;
        assert_int_equal(*d.drained_o, counted + used + num_acks == 0);
        seen.drained += counted + used + num_acks == 0;
        hd_edge(d.m);

        /* ---- the edge */
        if (num_to_send > 0 && req_ready) {
            requests[find_request(to_send[0].sector)].sent = true;
            memmove(to_send, to_send + 1, --num_to_send * sizeof *to_send);
            seen.requests++;
        }
        if (ask && mine < 0) {
            const int i = free_request();

            requests[i].used = true;
            requests[i].write = write;
            requests[i].upgrade = requests[i].poison = requests[i].sent = false;
            requests[i].sector = asked;
            to_send[num_to_send].sector = asked;
            to_send[num_to_send++].write = write;
        } else if (ask && write && !requests[mine].write) {
            requests[mine].upgrade = true;
            seen.upgrades++;
        }
        if (ack && ack_ready) {
            held[first] = false;
            seen.inval_acks += !acks[0].recall;
            seen.recall_acks += acks[0].recall;
            for (unsigned i = 1; i < num_acks; i++)
                seen.shared += acks[i].sector % HASHES == first;
            memmove(acks, acks + 1, --num_acks * sizeof *acks);
        }
        if (drops) {
            acks[num_acks].recall = kind == HD_MSG_TYPE_RECALL;
            acks[num_acks].sector = sector;
            acks[num_acks].src = src;
            acks[num_acks++].tid = tid;
            held[sector % HASHES] = true;
            if (answered >= 0)
                requests[answered].poison = kind == HD_MSG_TYPE_INV;
            drop(sector);
        } else if (message) {
            if (puts)
                install(sector, up_safe, up_write);
            if (again) {
                requests[answered].write = true;
                requests[answered].upgrade = requests[answered].poison = requests[answered].sent = false;
                to_send[num_to_send].sector = sector;
                to_send[num_to_send++].write = true;
            } else {
                requests[answered].used = false;
            }
        }
        if (clear) {
            for (unsigned s = 0; s < SETS; s++)
                for (unsigned w = 0; w < WAYS; w++)
                    cache[s][w].valid = false;
            seen.cleared++;
        }
        safe_out[hash] += add == 1 || add == 2;
        markers_out[hash] += add == 2;
        unsafe_out[hash] += add == 3;
        safe_out[perf] -= sub == 1;
        unsafe_out[perf] -= sub == 2;
        markers_out[mark] -= sub_marker;
    }
    assert_true(seen.stale > 15 && seen.again > 5 && seen.upgrades > 20 && seen.inval_acks > 300 && seen.recall_acks > 300);
    assert_true(seen.waited > 1000 && seen.cleared > 50 && seen.requests > 500 && seen.drained > 50 && seen.reader > 20);
    assert_true(ENTRIES > 8 || seen.replaced > 100);
    assert_true(ACKS < 3 || seen.shared > 20);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

/* A message of another kind, or from a partition that is not there, is a bug of the neighbour. */
static void foreign_messages_trip_an_assertion(void **state)
{
    (void)state;
    hd_type_known_open(&d);
    hd_reset(d.m);
    if (hd_has_asserts(d.m)) {
        hd_bits_put(d.dn_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, HD_MSG_TYPE_ACK);
        *d.dn_valid_i = 1;
        hd_edge(d.m);
        assert_true(hd_assert_failures(d.m) > 0);
        hd_assert_clear(d.m);
        hd_bits_put(d.dn_head_i, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, HD_MSG_TYPE_INV);
        hd_bits_put(d.dn_head_i, HD_HEAD_ROUTE_LSB + HD_ROUTE_SRC_LSB, HD_ROUTE_SRC_W, PARTS);
        hd_edge(d.m);
        assert_true(hd_assert_failures(d.m) > 0);
        hd_assert_clear(d.m);
    }
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(random_events_match_tables),
        cmocka_unit_test(foreign_messages_trip_an_assertion),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
