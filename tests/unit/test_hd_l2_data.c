/* test_hd_l2_data.c - lines are written from where they should and read back; the write-through family's other half is
 * tests of hd_l2_perform and hd_l2_writes. */
/* dut: hd_l2_data Family=0 Rows=4 Entries=3 Places=2 Lanes=4 LineWords=8 WordW=32 */
/* dut: hd_l2_data Family=1 Rows=4 Entries=3 Places=2 Lanes=4 LineWords=8 WordW=32 */
/* dut: hd_l2_data Family=1 Rows=4 Entries=3 Places=3 Lanes=12 LineWords=8 WordW=64 */
/* dut: hd_l2_data Family=1 Rows=4 Entries=3 Places=2 Lanes=64 LineWords=8 WordW=32 */
#include "hd_unit.h"
#include "hd_l2_data_dut.h"
#include "hd_bits.h"

enum {
    ROWS = P_Rows, WORDS = P_LineWords, W = P_WordW, LANES = P_Lanes, VI = P_Family == HD_FAMILY_VI,
    OLD = VI && W > 32, FLIT = 8 * W, BODY = HD_L2_DATA_W_body_i, LANE_W = HD_L2_DATA_W_wait_mask_i
};

static struct hd_l2_data d;
static uint64_t mem[ROWS][WORDS];

static void idle_inputs(void)
{
    *d.read_i = *d.we_i = *d.from_mem_i = *d.from_req_i = *d.from_wait_i = *d.from_atomic_i = 0;
    *d.send_i = *d.put_i = *d.next_valid_i = *d.next_pop_i = *d.free_i = *d.at_start_i = 0;
    hd_bits_random(d.mem_data_i, WORDS * W);
    hd_bits_random(d.rsp_data_i, WORDS * W);
    hd_bits_random(d.body_i, BODY);
    *d.rsp_mask_i = (uint8_t)hd_bits_random_mask(WORDS);
    *d.req_mask_i = (uint8_t)hd_bits_random_mask(WORDS);
    hd_bits_put(d.wait_mask_i, 0, LANE_W, hd_bits_random_mask(WORDS));
}

static void write_row(unsigned row, const void *data, uint32_t mask)
{
    uint64_t before[WORDS];
    memcpy(before, mem[row], sizeof before);
    for (unsigned w = 0; w < WORDS; w++)
        if (mask >> w & 1)
            mem[row][w] = hd_bits_get(data, w * W, W);
    bool told = OLD && (*d.from_req_i || *d.from_wait_i);
    *d.row_i = (uint8_t)row;
    *d.we_i = 1;
    hd_edge(d.m);
    *d.we_i = 0;
    for (unsigned w = 0; told && w < WORDS; w++)
        assert_true(hd_bits_get(d.data_o, w * W, W) == before[w]);
}

static void read_row(unsigned row)
{
    *d.row_i = (uint8_t)row;
    *d.read_i = *d.send_i = 1;
    hd_edge(d.m);
    *d.read_i = *d.send_i = 0;
    for (unsigned w = 0; w < WORDS; w++) {
        assert_true(hd_bits_get(d.data_o, w * W, W) == mem[row][w]);
        assert_true(hd_bits_get(d.dn_data_o, w * W, W) == mem[row][w]);
    }
}

/* What was read stays until the next read, whatever row the port names. */
static void hold(void)
{
    uint64_t before[WORDS];

    for (unsigned w = 0; w < WORDS; w++)
        before[w] = hd_bits_get(d.data_o, w * W, W);
    *d.row_i = (uint8_t)hd_rand_below(ROWS);
    hd_edge(d.m);
    for (unsigned w = 0; w < WORDS; w++)
        assert_true(hd_bits_get(d.data_o, w * W, W) == before[w]);
}

/* A store or atomic that waited: put, read, performed. */
static void waiting(unsigned row, bool atomic)
{
    uint64_t body[BODY / 64 + 1] = {0};
    unsigned entry = (unsigned)hd_rand_below(P_Entries);

    assert_int_equal(*d.wr_room_o, 1);
    hd_bits_put(d.body_i, 0, 4, HD_AT_ADD);
    memcpy(body, d.body_i, hd_bits_bytes(BODY));
    *d.put_i = 1, *d.put_atomic_i = atomic, *d.put_entry_i = (uint8_t)entry;
    hd_edge(d.m);
    *d.put_i = 0;
    hd_bits_random(d.body_i, BODY);
    *d.next_valid_i = 1, *d.next_entry_i = (uint8_t)entry;
    hd_edge(d.m);
    assert_int_equal(*d.ready_o, 1);
    if (!atomic) {
        *d.from_wait_i = *d.next_pop_i = 1;
        write_row(row, body, (uint32_t)*d.wait_mask_i);
        *d.from_wait_i = 0;
    } else {
        const unsigned asked = (unsigned)hd_rand_below(LANES), lane = asked % HD_HALF_LANES; /* in its half */
        unsigned word = (unsigned)hd_bits_get(body, 4 + 3 * lane, 3);
        uint64_t operand = hd_bits_get(body, FLIT + lane * W, W), old = mem[row][word];
        hd_bits_put(d.wait_mask_i, 0, LANE_W, UINT64_C(1) << asked);
        *d.row_i = (uint8_t)row;
        *d.read_i = *d.at_start_i = *d.next_pop_i = 1;
        hd_edge(d.m);
        *d.read_i = *d.at_start_i = *d.next_pop_i = *d.next_valid_i = 0;
        for (unsigned n = 0; !*d.at_done_o; n++) {
            assert_true(n < 8);
            hd_edge(d.m);
        }
        assert_int_equal(*d.at_entry_o, entry);
        *d.from_atomic_i = *d.we_i = *d.send_i = 1;
        *d.row_i = (uint8_t)row;
        hd_edge(d.m);
        *d.from_atomic_i = *d.we_i = *d.send_i = 0;
        mem[row][word] = (operand >> 32 << 32) | (uint32_t)((uint32_t)old + (uint32_t)operand);
        assert_true(hd_bits_get(d.dn_data_o, lane * W, W) == old);
    }
    *d.next_pop_i = *d.next_valid_i = 0;
    *d.free_i = 1, *d.free_entry_i = (uint8_t)entry;
    hd_edge(d.m);
    *d.free_i = 0;
    hd_eval(d.m);
    assert_int_equal(*d.idle_o, 1);
}

static void rows_hold_what_was_written_last(void **state)
{
    (void)state;
    hd_l2_data_open(&d);
    hd_reset(d.m);
    for (unsigned round = 0; round < 3000; round++) {
        unsigned row = round < ROWS ? round : (unsigned)hd_rand_below(ROWS), what = round < ROWS ? 0 : (unsigned)hd_rand_below(VI ? 6 : 3);

        idle_inputs();
        hd_eval(d.m);
        switch (what) {
        case 0:
            *d.from_mem_i = 1;
            write_row(row, d.mem_data_i, UINT32_MAX);
            break;
        case 1: write_row(row, d.rsp_data_i, *d.rsp_mask_i); break;
        case 2: read_row(row); break;
        case 3:
            *d.from_req_i = 1;
            write_row(row, d.body_i, *d.req_mask_i);
            break;
        default: waiting(row, what == 5); break;
        }
        if (hd_rand_below(4) == 0) {
            idle_inputs();
            hold();
        }
    }
    idle_inputs();
    for (unsigned row = 0; row < ROWS; row++)
        read_row(row);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(rows_hold_what_was_written_last)};

    return HD_UNIT_MAIN(argc, argv, t);
}
