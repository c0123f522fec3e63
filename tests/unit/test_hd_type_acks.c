/* test_hd_type_acks.c - invalidations and recalls until they are acknowledged, against a list in C. */
/* mutants: Entries=3 SectorW=5 HashW=2 */
/* dut: hd_type_acks Entries=3 SectorW=5 HashW=2 */
/* dut: hd_type_acks Entries=1 SectorW=2 HashW=1 */
/* dut: hd_type_acks Entries=64 SectorW=18 HashW=6 */
#include "hd_unit.h"
#include "hd_type_acks_dut.h"
#include "hd_bits.h"

enum {
    ENTRIES = P_Entries,
    SECTOR_W = P_SectorW,
    HASHES = 1 << P_HashW,
};
#define SET(port, value) hd_bits_put(d.port, 0, HD_TYPE_ACKS_W_##port, (uint64_t)(value))
#define GET(port) ((uint32_t)hd_bits_get(d.port, 0, HD_TYPE_ACKS_W_##port))

struct message {
    bool recall;
    uint32_t sector;
    unsigned src, tid;
};

static struct hd_type_acks d;
static struct message list[ENTRIES];
static unsigned num, sm;
static bool held[HASHES]; /* a message came and none of the hash was acknowledged since */

static void begin(void)
{
    hd_type_acks_open(&d);
    hd_reset(d.m);
    sm = (sm + 23) % (1u << HD_NODE_W);
    *d.sm_id_i = (uint8_t)sm;
    num = 0;
    memset(held, 0, sizeof held);
}

static void end(void)
{
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

/* One cycle with a message or NULL. @return 1: acknowledged. */
static bool cycle(const struct message *m, bool safe_out, bool unsafe_out, bool ready)
{
    const bool may = num > 0 && !safe_out && !(list[0].recall && unsafe_out);
    const unsigned hash = num > 0 ? list[0].sector % HASHES : 0;
    const bool acked = may && ready;

    HD_PUT(d.msg_i, TYPE_MSG_INVAL, m != NULL && !m->recall);
    HD_PUT(d.msg_i, TYPE_MSG_RECALL, m != NULL && m->recall);
    if (m != NULL) {
        SET(msg_sector_i, m->sector);
        HD_PUT(d.msg_i, TYPE_MSG_SRC, m->src);
        HD_PUT(d.msg_i, TYPE_MSG_TID, m->tid);
    }
    HD_PUT(d.out_i, TYPE_OUT_SAFE, safe_out);
    HD_PUT(d.out_i, TYPE_OUT_ANY, safe_out || unsafe_out);
    *d.ack_ready_i = ready;
    for (unsigned h = 0; h < HASHES; h++) {
        SET(try_hash_i, h);
        hd_eval(d.m);
        assert_int_equal(*d.held_o, held[h] || (num > 0 && hash == h));
    }
    assert_int_equal(*d.empty_o, num == 0);
    assert_int_equal(*d.ack_valid_o, may);
    if (num > 0)
        assert_int_equal(GET(out_hash_o), hash);
    if (may) {
        uint32_t head[(HD_HEAD_W + 31) / 32] = {0};

        hd_bits_put(head, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, HD_MSG_TYPE_ACK);
        hd_bits_put(head, HD_HEAD_SRC_LSB, HD_HEAD_SRC_W, sm);
        hd_bits_put(head, HD_HEAD_DST_LSB, HD_HEAD_DST_W, list[0].src);
        hd_bits_put(head, HD_HEAD_ADDR_LSB, HD_HEAD_ADDR_W, (uint64_t)list[0].sector << (32 - SECTOR_W));
        hd_bits_put(head, HD_HEAD_TID_LSB, HD_HEAD_TID_W, list[0].tid);
        hd_bits_put(head, HD_HEAD_SRC_KIND_LSB, HD_HEAD_SRC_KIND_W, HD_END_SM);
        hd_bits_put(head, HD_HEAD_DST_KIND_LSB, HD_HEAD_DST_KIND_W, HD_END_L2);
        assert_memory_equal(d.ack_head_o, head, sizeof head);
    }
    hd_edge(d.m);
    if (acked) {
        held[hash] = false;
        num--;
        memmove(list, list + 1, num * sizeof *list);
    }
    if (m != NULL) {
        held[m->sector % HASHES] = true;
        list[num++] = *m;
    }
    return acked;
}

static void what_each_kind_waits_for(void **state)
{
    (void)state;
    for (unsigned row = 0; row < 8; row++) {
        const struct message m = {row & 1, 2, 5, 77};

        begin();
        cycle(&m, false, false, true);
        assert_int_equal(cycle(NULL, row & 2, row & 4, true), !(row & 2) && !((row & 4) && m.recall));
        if (num > 0)
            assert_true(cycle(NULL, false, false, true));
        cycle(NULL, false, false, true);
        end();
    }
}

static void accesses_are_held_from_the_message_to_the_acknowledgement(void **state)
{
    const struct message a = {false, 1, 3, 1}, b = {true, 1, 4, 2};

    (void)state;
    begin();
    cycle(&a, true, false, true);
    cycle(ENTRIES > 1 ? &b : NULL, true, true, true); /* cycle() compares held_o */
    cycle(NULL, false, false, false);
    assert_true(cycle(NULL, false, true, true));
    if (num > 0) {
        assert_false(cycle(NULL, false, true, true));
        assert_true(cycle(NULL, false, false, true));
    }
    cycle(NULL, false, false, true);
    assert_true(num == 0);
    end();
}

static void random_traffic_matches_a_list(void **state)
{
    unsigned full = 0, acks = 0, recalls = 0, same = 0, empty = 0;

    (void)state;
    begin();
    for (unsigned t = 0; t < (HASHES > 8 ? 12000 : 40000); t++) {
        const bool fill = t / 500 % 2;
        const struct message m = {hd_rand_below(2), (uint32_t)hd_rand_below(UINT64_C(1) << SECTOR_W),
                                  (unsigned)hd_rand_below(1u << HD_NODE_W), (unsigned)hd_rand_below(1u << HD_TID_W)};
        const bool comes = num < ENTRIES && hd_rand_below(fill ? 1 : 8) == 0;
        const bool was_recall = num > 0 && list[0].recall;
        const uint32_t was = num > 0 ? list[0].sector : 0;
        const bool acked = cycle(comes ? &m : NULL, hd_rand_below(2), hd_rand_below(2), hd_rand_below(fill ? 8 : 2) == 0);

        acks += acked;
        recalls += acked && was_recall;
        same += acked && comes && was % HASHES == m.sector % HASHES;
        full += num == ENTRIES;
        empty += num == 0;
    }
    assert_true(full > 50 && acks > 500 && recalls > 100 && empty > 50 && (same > 20 || ENTRIES == 1 || HASHES > 8));
    hd_reset(d.m);
    *d.sm_id_i = (uint8_t)sm;
    num = 0;
    memset(held, 0, sizeof held);
    cycle(NULL, false, false, true);
    end();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(what_each_kind_waits_for),
        cmocka_unit_test(accesses_are_held_from_the_message_to_the_acknowledgement),
        cmocka_unit_test(random_traffic_matches_a_list),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
