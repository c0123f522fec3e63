/* test_hd_flit_unpack.c - flits become packets again. */
/* dut: hd_flit_unpack LineWords=8 WordW=32 FlitWords=8 Lanes=32 */
/* dut: hd_flit_unpack LineWords=32 WordW=32 FlitWords=8 Lanes=32 */
/* dut: hd_flit_unpack LineWords=16 WordW=64 FlitWords=8 Lanes=32 */
/* dut: hd_flit_unpack LineWords=16 WordW=32 FlitWords=4 Lanes=32 */
/* dut: hd_flit_unpack LineWords=8 WordW=64 FlitWords=4 Lanes=64 */
/* dut: hd_flit_unpack LineWords=8 WordW=32 FlitWords=4 Lanes=32 AtomFlits=5 */
/* dut: hd_flit_unpack LineWords=16 WordW=32 FlitWords=4 Lanes=32 HeadW=112 */
#include "hd_unit.h"
#include "hd_flit_unpack_dut.h"
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

static struct hd_flit_unpack d;

struct packet {
    uint32_t head[HEAD32];
    unsigned kind;
    uint32_t mask;
    uint32_t data[DATA32];
    uint32_t flit[HEADS + FLITS][FLIT32]; /* as sent */
    unsigned count, next;             /* flits in all, flits taken */
};

static bool in_body;       /* the block holds a part of a packet */
static bool full;          /* it holds a whole packet: */
static struct packet held; /* ... this one */

static int setup(void **state)
{
    (void)state;
    hd_flit_unpack_open(&d);
    hd_reset(d.m);
    in_body = false;
    full = false;
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
    for (unsigned h = 0; h < HEADS; h++)
        memcpy(p.flit[p.count++], p.head + FW * h, 4 * (HEAD32 - FW * h < FW ? HEAD32 - FW * h : FW));
    for (unsigned k = 0; k < FLITS; k++)
        if (flit_wanted(kind, mask, k))
            memcpy(p.flit[p.count++], p.data + FLIT32 * k, sizeof *p.flit);
    return p;
}

/* One cycle: offers the next flit of @p (NULL: none). @return whether it was taken. */
static bool cycle(struct packet *p, bool ready)
{
    const bool can_take = !full || ready;
    bool take;

    *d.in_valid_i = p != NULL;
    *d.in_tail_i = p != NULL ? p->next + 1 == p->count : hd_rand_below(2);
    for (unsigned i = 0; i < FLIT32; i++)
        d.in_flit_i[i] = p != NULL ? p->flit[p->next][i] : (uint32_t)hd_rand();
    *d.out_ready_i = ready;
    hd_eval(d.m);
    assert_int_equal(*d.in_ready_o, can_take);
    assert_int_equal(*d.out_valid_o, full);
    assert_int_equal(*d.idle_o, !full && !in_body);
    if (full) {
        const uint32_t *out = (const uint32_t *)d.out_data_o;

        for (unsigned i = 0; i < HEAD32; i++)
            assert_int_equal(d.out_head_o[i], held.head[i]);
        for (unsigned i = 0; i < DATA32; i++)
            if (flit_wanted(held.kind, held.mask, i / FLIT32))
                assert_int_equal(out[i], held.data[i]);
    }
    hd_edge(d.m);
    *d.in_valid_i = 0;
    hd_eval(d.m);
    take = p != NULL && can_take;
    if (full && ready)
        full = false;
    if (take) {
        in_body = ++p->next < p->count;
        if (!in_body) {
            full = true;
            held = *p;
        }
    }
    return take;
}

static void every_choice_of_data_flits_lands_in_its_place(void **state)
{
    (void)state;
    for (unsigned choice = 0; choice < 1u << LINE_FLITS; choice++) {
        uint32_t mask = 0;
        struct packet p;

        for (unsigned k = 0; k < LINE_FLITS; k++)
            if (choice >> k & 1)
                mask |= (uint32_t)(1 + hd_rand_below((1u << FW) - 1)) << FW * k;
        p = random_packet(KIND_OF_WORDS, mask);
        while (p.next < p.count)
            assert_true(cycle(&p, false));
        assert_true(full);
        cycle(NULL, false); /* stays until taken */
        cycle(NULL, true);
        cycle(NULL, true);
    }
}

static void a_head_is_taken_in_the_cycle_the_packet_before_it_leaves(void **state)
{
    struct packet a = random_packet(KIND_OF_WORDS, 0), b = random_packet(KIND_OF_WORDS, 1);

    (void)state;
    while (a.next < a.count)
        assert_true(cycle(&a, false));
    assert_false(cycle(&b, false));
    assert_true(cycle(&b, true));
    while (b.next < b.count)
        assert_true(cycle(&b, false));
    cycle(NULL, true);
    cycle(NULL, true);
}

static void a_tail_at_the_wrong_flit_is_asserted(void **state)
{
    const struct packet p = random_packet(KIND_OF_WORDS, 1);

    (void)state;
    *d.in_valid_i = 1; /* the head announces a data flit and claims to be the tail */
    *d.in_tail_i = 1;
    memcpy(d.in_flit_i, p.flit[0], sizeof *p.flit);
    hd_eval(d.m);
    hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
    hd_assert_clear(d.m);
}

static void a_mask_beyond_the_line_is_asserted(void **state)
{
    struct packet p = random_packet(KIND_OF_WORDS, 0);

    (void)state;
    if (WORDS == 32 || BARE)
        return;
    set_field(p.flit[0], HD_HEAD_WMASK_LSB + WORDS % 32, 1, 1);
    *d.in_valid_i = 1;
    *d.in_tail_i = HEADS == 1;
    memcpy(d.in_flit_i, p.flit[0], sizeof *p.flit);
    hd_eval(d.m);
    hd_edge(d.m);
    assert_int_equal(hd_assert_failures(d.m) > 0, hd_has_asserts(d.m));
    hd_assert_clear(d.m);
}

static void random_packets_arrive_as_sent(void **state)
{
    struct packet p = random_packet(KIND_OF_WORDS, 0);
    unsigned packets = 0, waits = 0, pauses = 0, refused = 0;

    (void)state;
    for (int t = 0; t < 20000; t++) {
        const bool offer = hd_rand_below(4) != 0;
        const bool ready = hd_rand_below(t / 500 % 2 ? 4 : 2) != 0;
        bool took;

        waits += full && !ready;
        pauses += !offer && p.next > 0;
        took = cycle(offer ? &p : NULL, ready);
        refused += offer && !took;
        if (p.next == p.count) {
            const unsigned kind = any_kind();
            uint32_t mask = (uint32_t)hd_rand() & line_mask(kind);

            for (unsigned k = 0; k < LINE_FLITS; k++)
                if (hd_rand_below(2))
                    mask &= ~(((1u << FW) - 1) << FW * k);
            p = random_packet(kind, mask);
            packets++;
        }
    }
    assert_true(packets > 1000 && waits > 500 && pauses > 100 && refused > 500);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(every_choice_of_data_flits_lands_in_its_place, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_head_is_taken_in_the_cycle_the_packet_before_it_leaves,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(a_tail_at_the_wrong_flit_is_asserted, setup, teardown),
        cmocka_unit_test_setup_teardown(a_mask_beyond_the_line_is_asserted, setup, teardown),
        cmocka_unit_test_setup_teardown(random_packets_arrive_as_sent, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
