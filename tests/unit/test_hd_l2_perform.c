/* test_hd_l2_perform.c - stores come out as they were put, atomics are performed lane by lane on the line given. */
/* dut: hd_l2_perform Entries=4 Places=3 Lanes=4 LineWords=8 WordW=32 */
/* mutants: Entries=4 Places=3 Lanes=8 LineWords=8 WordW=32 */
/* dut: hd_l2_perform Entries=3 Places=3 Lanes=16 LineWords=8 WordW=64 */
#include "hd_unit.h"
#include "hd_l2_perform_dut.h"
#include "hd_bits.h"

enum {
    ENTRIES = P_Entries, LANES = P_Lanes, WORDS = P_LineWords, W = P_WordW, GROUPS = (LANES + 7) / 8, FLIT = 8 * W,
    OFF_W = 3, IDX_W = HD_L2_PERFORM_W_entry_i / 3, BODY = HD_L2_PERFORM_W_body_i
};

static struct hd_l2_perform d;
/* Members of its structs. */
#define DO(member, value) HD_PUT(d.do_i, L2_PERFORM_DO_##member, value)
#define CAN(member) HD_GET(d.can_o, L2_PERFORM_CAN_##member)

/* The entries of what is done with them, from the top. */
enum { FREE, NEXT, PUT };
static void entry_of(unsigned of, unsigned entry)
{
    hd_bits_put(d.entry_i, of * IDX_W, IDX_W, entry);
}
static uint64_t body[ENTRIES][BODY / 64 + 1];
static unsigned met; /* exchanges that found what they compared with */

static uint64_t part(unsigned entry, unsigned lsb, unsigned bits)
{
    return hd_bits_get(body[entry], lsb, bits);
}

static uint32_t compare_of(unsigned entry, unsigned lane)
{
    return (uint32_t)part(entry, (1 + GROUPS + lane / 8) * FLIT + lane % 8 * 32, 32);
}

/* What means nothing without its valid changes in every cycle. */
static void noise(void)
{
    hd_bits_random(d.body_i, BODY);
    entry_of(PUT, (unsigned)hd_rand_below(ENTRIES));
    DO(ATOMIC, hd_rand_below(2));
    entry_of(FREE, (unsigned)hd_rand_below(ENTRIES));
    *d.mask_i = (uint16_t)hd_rand_below(1u << LANES);
    hd_bits_random(d.line_i, WORDS * W);
    if (!HD_GET(d.do_i, L2_PERFORM_DO_NEXT))
        entry_of(NEXT, (unsigned)hd_rand_below(ENTRIES));
}

/* Runs the atomic of the entry that is next with lanes @mask on a random line, and compares. */
static void perform(unsigned entry, uint32_t mask)
{
    uint64_t line[WORDS], old[LANES];
    uint32_t written = 0;
    unsigned cycles = 0;

    assert_int_equal(CAN(AT_FREE), 1);
    DO(START, 1);
    *d.mask_i = (uint16_t)mask;
    DO(POP, 1);
    hd_edge(d.m);
    *d.do_i = 0;
    noise();
    /* half of the exchanges find what they compare with, or all but a bit of it */
    for (unsigned i = 0; i < LANES; i++)
        if (hd_rand_below(2))
            hd_bits_put(d.line_i, (unsigned)part(entry, 4 + i * OFF_W, OFF_W) * W, 32,
                        compare_of(entry, i) ^ (hd_rand_below(3) ? 0 : UINT32_C(1) << hd_rand_below(32)));
    for (unsigned w = 0; w < WORDS; w++)
        line[w] = hd_bits_get(d.line_i, w * W, W);
    hd_edge(d.m);
    noise(); /* the line was there for one cycle */
    for (; !*d.done_o; cycles++) {
        assert_int_equal(CAN(AT_FREE), 0);
        assert_true(cycles < 2 * LANES + 4);
        hd_edge(d.m);
        noise();
    }
    for (unsigned i = hd_rand_below(3) ? 0 : 5; i > 0; i--) { /* it waits to be taken */
        assert_int_equal(CAN(AT_FREE), 0);
        assert_int_equal(CAN(READY), 0);
        hd_edge(d.m);
        assert_int_equal(*d.done_o, 1);
        noise();
    }
    for (unsigned i = 0; i < LANES; i++) {
        if (!(mask >> i & 1))
            continue;
        unsigned at = (unsigned)part(entry, 4 + i * OFF_W, OFF_W);
        uint64_t b = part(entry, FLIT + i * W, W);
        old[i] = line[at];
        uint32_t value = hd_amo_reference((unsigned)part(entry, 0, 4), (uint32_t)old[i], (uint32_t)b, compare_of(entry, i));
        met += part(entry, 0, 4) == HD_AT_CAS && (uint32_t)old[i] == compare_of(entry, i);
        line[at] = (b >> 32 << 32) | value;
        written |= UINT32_C(1) << at;
        assert_true(hd_bits_get(d.at_old_o, i * W, W) == old[i]);
    }
    assert_int_equal(*d.done_entry_o, entry);
    assert_int_equal(*d.at_wmask_o, written);
    for (unsigned w = 0; w < WORDS; w++)
        if (written >> w & 1)
            assert_true(hd_bits_get(d.at_line_o, w * W, W) == line[w]);
    DO(TAKEN, 1);
    hd_edge(d.m);
    DO(TAKEN, 0);
    hd_eval(d.m);
    assert_int_equal(*d.done_o, 0);
    assert_int_equal(CAN(AT_FREE), 1);
}

static void put(unsigned entry, bool atomic)
{
    hd_bits_random(d.body_i, BODY);
    hd_bits_put(d.body_i, 0, 4, hd_rand_below(3) ? hd_rand_below(HD_AMO_FUNCTIONS) : HD_AT_CAS);
    for (unsigned i = 0; i < LANES; i++) {
        hd_bits_put(d.body_i, FLIT + i * W, 32, hd_amo_random_operand());
        hd_bits_put(d.body_i, (1 + GROUPS + i / 8) * FLIT + i % 8 * 32, 32,
                    hd_rand_below(2) ? hd_amo_random_operand() : (uint32_t)hd_rand());
    }
    memset(body[entry], 0, sizeof body[entry]);
    memcpy(body[entry], d.body_i, hd_bits_bytes(BODY));
    assert_int_equal(CAN(ROOM), 1);
    DO(PUT, 1);
    DO(ATOMIC, atomic);
    entry_of(PUT, entry);
    hd_edge(d.m);
    DO(PUT, 0);
    noise();
    hd_eval(d.m);
}

static void stores_and_atomics_in_any_order(void **state)
{
    unsigned stores = 0, atomics = 0;

    (void)state;
    hd_l2_perform_open(&d);
    hd_reset(d.m);
    assert_int_equal(CAN(AT_FREE), 1);
    for (unsigned round = 0; round < 600; round++) {
        bool atomic[ENTRIES];
        unsigned n = 1 + (unsigned)hd_rand_below(3);
        for (unsigned e = 0; e < n; e++)
            put(e, atomic[e] = hd_rand_below(2));
        assert_int_equal(CAN(ROOM), n < P_Places);
        for (unsigned e = n; e-- > 0;) {
            DO(NEXT, 1);
            entry_of(NEXT, e);
            hd_eval(d.m);
            assert_int_equal(CAN(READY), 0);
            hd_edge(d.m);
            for (unsigned i = hd_rand_below(3) ? 0 : 3; i > 0; i--) { /* its turn has not come */
                assert_int_equal(CAN(READY), 1);
                noise();
                hd_edge(d.m);
            }
            assert_int_equal(CAN(READY), 1);
            assert_int_equal(*d.done_o, 0);
            if (atomic[e]) {
                perform(e, hd_bits_random_mask(LANES));
                atomics++;
            } else {
                for (unsigned w = 0; w < WORDS; w++)
                    assert_true(hd_bits_get(d.line_o, w * W, W) == hd_bits_get(body[e], w * W, W));
                DO(POP, 1);
                hd_edge(d.m);
                *d.do_i = 0;
                hd_eval(d.m);
                assert_int_equal(CAN(READY), 0); /* of the one that is next now nothing has been read */
                stores++;
            }
            DO(FREE, 1);
            entry_of(FREE, e);
            hd_edge(d.m);
            DO(FREE, 0);
            hd_eval(d.m);
            if (hd_rand_below(4) == 0) { /* nothing is next: the array is not read, whatever the other inputs are */
                uint8_t before[(WORDS * W + 7) / 8];
                memcpy(before, d.line_o, sizeof before);
                noise();
                hd_assert_frozen(d.m);
                assert_memory_equal(d.line_o, before, sizeof before);
            }
        }
    }
    assert_true(stores > 200 && atomics > 200 && met > 100);
    assert_int_equal(hd_assert_failures(d.m), 0);
    if (hd_has_asserts(d.m)) {
        DO(TAKEN, 1); /* nothing was performed */
        hd_edge(d.m);
        assert_true(hd_assert_failures(d.m) > 0);
    }
    hd_close(d.m);
}

/* Whatever is under way, and whatever the inputs are. */
static void a_reset_leaves_nothing_under_way(void **state)
{
    (void)state;
    hd_l2_perform_open(&d);
    hd_reset(d.m);
    for (unsigned stop = 0; stop < 2 * LANES + 8; stop++) { /* cycles after the body has been read */
        for (unsigned e = 0; e < P_Places; e++)
            put(e, true);
        assert_int_equal(CAN(ROOM), 0);
        DO(NEXT, 1);
        entry_of(NEXT, 1);
        hd_edge(d.m);
        assert_int_equal(CAN(READY), 1);
        for (unsigned i = 0; i < stop; i++) {
            DO(START, i == 0);
            DO(POP, i == 0);
            *d.mask_i = (uint16_t)((1u << LANES) - 1);
            hd_edge(d.m);
            *d.do_i = 0;
        }
        noise();
        DO(NEXT, 1);
        *d.rst_i = 1;
        hd_edge(d.m);
        assert_int_equal(CAN(READY), 0);
        *d.rst_i = 0;
        DO(NEXT, 0);
        hd_eval(d.m);
        assert_int_equal(*d.done_o, 0);
        assert_int_equal(CAN(AT_FREE), 1);
        assert_int_equal(CAN(ROOM), 1);
    }
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(stores_and_atomics_in_any_order),
                                 cmocka_unit_test(a_reset_leaves_nothing_under_way)};

    return HD_UNIT_MAIN(argc, argv, t);
}
