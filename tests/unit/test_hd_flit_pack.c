/* test_hd_flit_pack.c - packets become a head and the data flits that hold wanted words. */
/* dut: hd_flit_pack LineWords=8 WordW=32 FlitWords=8 Lanes=32 */
/* dut: hd_flit_pack LineWords=32 WordW=32 FlitWords=8 Lanes=32 */
/* dut: hd_flit_pack LineWords=16 WordW=64 FlitWords=8 Lanes=32 */
/* dut: hd_flit_pack LineWords=16 WordW=32 FlitWords=4 Lanes=32 */
/* dut: hd_flit_pack LineWords=8 WordW=64 FlitWords=4 Lanes=64 */
/* dut: hd_flit_pack LineWords=8 WordW=32 FlitWords=4 Lanes=32 AtomFlits=5 */
/* dut: hd_flit_pack LineWords=16 WordW=32 FlitWords=4 Lanes=32 HeadW=112 */
#include "hd_unit.h"
#include "hd_flit_pack_dut.h"
#include "hd_pkg.h"

enum {
    WORDS = P_LineWords,
    W32 = P_WordW / 32,              /* 32-bit pieces of a word */
    FW = P_FlitWords,
    FLIT32 = FW * W32,               /* ... of a flit */
#ifdef P_HeadW
    HEAD_W = P_HeadW,
#else
    HEAD_W = HD_HEAD_W + (P_Lanes > HD_LANE_W ? P_Lanes : HD_LANE_W),
#endif
    HEAD32 = (HEAD_W + 31) / 32,     /* ... of a head */
    HEADS = (HEAD32 + FW - 1) / FW,  /* flits of a head, FW pieces each */
};
#include "flit_kinds.h"

static struct hd_flit_pack d;

struct packet {
    uint32_t head[HEAD32];
    unsigned kind;
    uint32_t mask;
    uint32_t data[DATA32];
};

/* Flits that must still come out. */
static struct {
    uint32_t flit[HEADS + FLITS][FLIT32];
    unsigned count, next;
} due;

static int setup(void **state)
{
    (void)state;
    hd_flit_pack_open(&d);
    hd_reset(d.m);
    memset(&due, 0, sizeof due);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static void set_field(uint32_t *head, unsigned lsb, unsigned width, uint32_t value)
{
    for (unsigned b = 0; b < width; b++) {
        head[(lsb + b) / 32] &= ~(1u << (lsb + b) % 32);
        head[(lsb + b) / 32] |= (value >> b & 1) << (lsb + b) % 32;
    }
}

static struct packet random_packet(unsigned kind, uint32_t mask)
{
    struct packet p = {.kind = kind, .mask = mask};

    for (unsigned i = 0; i < HEAD32; i++)
        set_field(p.head, 32 * i, i + 1 < HEAD32 ? 32 : HEAD_W - 32 * i, (uint32_t)hd_rand());
    set_field(p.head, HD_HEAD_KIND_LSB, HD_HEAD_KIND_W, kind);
    set_field(p.head, HD_HEAD_WMASK_LSB, HD_HEAD_WMASK_W, mask);
    for (unsigned i = 0; i < DATA32; i++)
        p.data[i] = (uint32_t)hd_rand();
    return p;
}

static void expect(const struct packet *p)
{
    memset(&due, 0, sizeof due);
    for (unsigned h = 0; h < HEADS; h++)
        memcpy(due.flit[due.count++], p->head + FW * h, 4 * (HEAD32 - FW * h < FW ? HEAD32 - FW * h : FW));
    for (unsigned k = 0; k < FLITS; k++)
        if (flit_wanted(p->kind, p->mask, k))
            memcpy(due.flit[due.count++], p->data + FLIT32 * k, sizeof *due.flit);
}

/* One cycle. @return whether @p (NULL: none offered) was taken. */
static bool cycle(const struct packet *p, bool ready)
{
    const bool busy = due.next < due.count, last = due.next + 1 == due.count;
    const bool can_take = !busy || (ready && last);

    *d.in_valid_i = p != NULL;
    for (unsigned i = 0; i < HEAD32; i++)
        d.in_head_i[i] = p ? p->head[i] : 0;
    memcpy((uint8_t *)d.in_data_i, p ? p->data : random_packet(KIND_OF_WORDS, 0).data, sizeof p->data);
    *d.out_ready_i = ready;
    hd_eval(d.m);
    assert_int_equal(*d.in_ready_o, can_take);
    assert_int_equal(*d.out_valid_o, busy);
    assert_int_equal(*d.idle_o, !busy);
    if (busy) {
        assert_int_equal(*d.out_tail_o, last);
        assert_memory_equal(d.out_flit_o, due.flit[due.next], sizeof *due.flit);
    }
    hd_edge(d.m);
    *d.in_valid_i = 0;
    if (busy && ready)
        due.next++;
    if (p != NULL && can_take)
        expect(p);
    return p != NULL && can_take;
}

static void drain(void)
{
    while (due.next < due.count)
        cycle(NULL, true);
    cycle(NULL, true); /* checks that nothing more comes */
}

static void a_packet_without_words_is_a_head_alone(void **state)
{
    const struct packet p = random_packet(KIND_OF_WORDS, 0);

    (void)state;
    assert_true(cycle(&p, true));
    assert_int_equal(*d.out_tail_o, HEADS == 1);
    drain();
}

static void one_word_costs_one_data_flit_whichever_it_is(void **state)
{
    (void)state;
    for (unsigned w = 0; w < WORDS; w++) {
        const struct packet p = random_packet(KIND_OF_WORDS, 1u << w);

        assert_true(cycle(&p, true));
        assert_int_equal(due.count, HEADS + 1);
        drain();
    }
}

static void every_choice_of_data_flits_comes_in_rising_order(void **state)
{
    (void)state;
    for (unsigned choice = 0; choice < 1u << LINE_FLITS; choice++) {
        uint32_t mask = 0;
        struct packet p;

        for (unsigned k = 0; k < LINE_FLITS; k++)
            if (choice >> k & 1)
                mask |= (uint32_t)(1 + hd_rand_below((1u << FW) - 1)) << FW * k;
        p = random_packet(KIND_OF_WORDS, mask);
        assert_true(cycle(&p, true));
        drain();
    }
}

static void packets_follow_each_other_without_a_gap(void **state)
{
    unsigned flits = 0, packets = 0;

    (void)state;
    for (unsigned t = 0; t < 100; t++) {
        const struct packet p = random_packet(KIND_OF_WORDS, (uint32_t)hd_rand() & line_mask(KIND_OF_WORDS));

        flits += *d.out_valid_o;
        packets += cycle(&p, true);
    }
    assert_int_equal(flits, 99);
    assert_true(packets >= 99 / (HEADS + FLITS));
}

static void a_mask_beyond_the_line_is_asserted(void **state)
{
    struct packet p = random_packet(KIND_OF_WORDS, 0);

    (void)state;
    if (WORDS == 32 || BARE)
        return;
    set_field(p.head, HD_HEAD_WMASK_LSB + WORDS % 32, 1, 1);
    cycle(&p, true);
    assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
    hd_assert_clear(d.m);
}

static void random_packets_match_the_reference(void **state)
{
    struct packet p = random_packet(KIND_OF_WORDS, 0);
    bool offered = false;
    unsigned taken = 0, stalled = 0, back_to_back = 0, refused = 0;

    (void)state;
    for (int t = 0; t < 20000; t++) {
        const bool ready = hd_rand_below(t / 500 % 2 ? 4 : 2) != 0;
        const bool busy = due.next < due.count;
        bool took;

        if (!offered && hd_rand_below(3)) {
            const unsigned kind = any_kind();
            uint32_t mask = (uint32_t)hd_rand() & line_mask(kind);

            for (unsigned k = 0; k < LINE_FLITS; k++)
                if (hd_rand_below(2))
                    mask &= ~(((1u << FW) - 1) << FW * k);
            p = random_packet(kind, mask);
            offered = true;
        }
        took = cycle(offered ? &p : NULL, ready);
        taken += took;
        stalled += busy && !ready;
        back_to_back += took && busy;
        refused += offered && !took;
        offered = offered && !took;
    }
    assert_true(taken > 1000 && stalled > 500 && back_to_back > 500 && refused > 500);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(a_packet_without_words_is_a_head_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(one_word_costs_one_data_flit_whichever_it_is, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(every_choice_of_data_flits_comes_in_rising_order, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(packets_follow_each_other_without_a_gap, setup, teardown),
        cmocka_unit_test_setup_teardown(a_mask_beyond_the_line_is_asserted, setup, teardown),
        cmocka_unit_test_setup_teardown(random_packets_match_the_reference, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
