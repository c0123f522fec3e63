/* test_hd_lds_banks.c - passes of loads, stores and atomics on banks of words, against an array in C. */
/* dut: hd_lds_banks Lanes=4 Rows=6 Banks=4 WordW=32 */
/* dut: hd_lds_banks Lanes=8 Rows=3 Banks=4 WordW=64 */
/* dut-rtl: hd_lds_banks Lanes=64 Rows=4 Banks=16 WordW=32 */
#include "hd_unit.h"
#include "hd_lds_banks_dut.h"
#include "hd_access.h"

enum {
    LANES = P_Lanes,
    ROWS = P_Rows,
    BANKS = P_Banks,
    W = P_WordW,
    GHOSTS = W > 32,
    BANK_W = HD_LDS_BANKS_W_bank_i / LANES,
    ROW_W = HD_LDS_BANKS_W_row_i / BANKS,
    LANE_W = HD_LDS_BANKS_W_top_i / BANKS
};

struct access {
    unsigned kind, fn;
    bool copy; /* of stores: it comes as a copy */
    uint64_t data[LANES];
    uint32_t cmp[LANES];
};

/* What a pass does: of each bank the row and the lane that writes, of each lane the bank. */
struct pass {
    bool valid, used[BANKS];
    bool fills; /* nobody knows what was there */
    unsigned row[BANKS], top[BANKS], bank[LANES];
    struct access a;
};

static struct hd_lds_banks d;
static uint64_t mem[ROWS][BANKS];

static uint64_t random_word(void)
{
    return GHOSTS ? hd_rand() : (uint32_t)hd_rand();
}

static struct pass random_pass(void)
{
    struct pass p = {.valid = true};

    for (unsigned l = 0; l < LANES; l++)
        p.bank[l] = (unsigned)hd_rand_below(BANKS);
    for (unsigned b = 0; b < BANKS; b++) {
        p.row[b] = (unsigned)hd_rand_below(ROWS);
        for (unsigned l = 0; l < LANES; l++) {
            if (p.bank[l] == b && (!p.used[b] || hd_rand_below(2))) {
                p.used[b] = true;
                p.top[b] = l;
            }
        }
        p.used[b] = p.used[b] && hd_rand_below(8) != 0;
    }
    return p;
}

/* Operands for @p: corners, any words, and those that the lanes meet, but for one bit or not: any bit decides a comparison. */
static void random_operands(struct access *a, const struct pass *p)
{
    for (unsigned l = 0; l < LANES; l++) {
        const uint32_t met = (uint32_t)mem[p->row[p->bank[l]]][p->bank[l]];
        const uint32_t near = met ^ UINT32_C(1) << hd_rand_below(32);

        a->data[l] = random_word();
        switch (hd_rand_below(4)) {
        case 0: break;
        case 1: a->data[l] = a->data[l] >> 32 << 32 | hd_amo_random_operand(); break;
        default: a->data[l] = a->data[l] >> 32 << 32 | near; break;
        }
        a->cmp[l] = hd_rand_below(2) ? met : hd_rand_below(2) ? near : hd_amo_random_operand();
    }
}

static void drive(const struct pass *p, bool first)
{
    *d.pass_i = p->valid;
    *d.first_i = p->valid && first;
    hd_bits_put(d.acc_i, 0, HD_ACCESS_W, hd_access_pack((struct hd_access){
        .kind = p->a.kind == HD_OP_STORE && p->a.copy ? HD_OP_COPY : p->a.kind, .fn = p->a.fn}));
    for (unsigned l = 0; l < LANES; l++) {
        hd_bits_put(d.data_i, l * W, W, p->a.data[l]);
        hd_bits_put(d.cmp_i, l * 32, 32, p->a.cmp[l]);
        hd_bits_put(d.bank_i, l * BANK_W, BANK_W, p->bank[l]);
    }
    for (unsigned b = 0; b < BANKS; b++) {
        hd_bits_put(d.used_i, b, 1, p->valid && p->used[b]);
        hd_bits_put(d.row_i, b * ROW_W, ROW_W, p->row[b]);
        hd_bits_put(d.top_i, b * LANE_W, LANE_W, p->top[b]);
    }
}

/* The words lanes get, and what the pass leaves in the array. */
static void perform(const struct pass *p, bool gives)
{
    uint64_t old[BANKS];

    for (unsigned b = 0; b < BANKS; b++)
        old[b] = mem[p->row[b]][b];
    for (unsigned l = 0; gives && l < LANES; l++)
        if (p->used[p->bank[l]])
            assert_true(hd_bits_get(d.words_o, l * W, W) == old[p->bank[l]]);
    for (unsigned b = 0; p->a.kind != HD_OP_LOAD && b < BANKS; b++) {
        const unsigned l = p->top[b];

        if (!p->used[b])
            continue;
        mem[p->row[b]][b] = p->a.data[l];
        if (p->a.kind == HD_OP_ATOMIC)
            mem[p->row[b]][b] = p->a.data[l] >> 32 << 32
                | hd_amo_reference(p->a.fn, (uint32_t)old[b], (uint32_t)p->a.data[l], p->a.cmp[l]);
    }
}

static void random_passes_match_an_array_in_c(void **state)
{
    struct pass at = {0}, next = {0};
    struct access a = {0};
    unsigned left = 0, kinds[3] = {0}, fn[HD_AMO_FUNCTIONS] = {0}, stalls = 0, newer = 0, later = 0;
    bool first = false;

    (void)state;
    hd_lds_banks_open(&d);
    hd_reset(d.m);
    for (unsigned t = 0; t < 6000; t++) {
        const bool writing = t < ROWS, stall = at.valid && !writing && hd_rand_below(4) == 0;

        if (writing) { /* every word is known first */
            a = (struct access){.kind = HD_OP_STORE};
            left = 1;
            first = true;
        } else if (left == 0 && hd_rand_below(4) != 0) {
            a.kind = (unsigned)hd_rand_below(3);
            a.copy = hd_rand_below(2);
            a.fn = (unsigned)hd_rand_below(HD_AMO_FUNCTIONS);
            left = 1 + (unsigned)hd_rand_below(3);
            first = true;
        }
        next = random_pass();
        if (first && !writing)
            random_operands(&a, &next);
        next.a = a;
        for (unsigned b = 0; writing && b < BANKS; b++) {
            next.used[b] = true;
            next.row[b] = t;
            next.top[b] = b % LANES;
        }
        next.fills = writing;
        next.valid = left != 0 && !stall;
        drive(&next, first);
        *d.stall_i = stall;
        hd_eval(d.m);
        const bool gives = at.valid && (GHOSTS || at.a.kind != HD_OP_STORE);

        assert_int_equal(*d.valid_o, at.valid);
        assert_int_equal(*d.give_o, gives && !stall);
        if (at.valid && !stall) {
            perform(&at, gives && !at.fills);
            kinds[at.a.kind]++;
            fn[at.a.fn] += at.a.kind == HD_OP_ATOMIC;
            for (unsigned b = 0; next.valid && at.a.kind != HD_OP_LOAD && b < BANKS; b++)
                newer += at.used[b] && next.used[b] && at.row[b] == next.row[b];
        }
        stalls += stall;
        later += next.valid && !first;
        if (!stall)
            at = next;
        left -= next.valid;
        first = first && !next.valid;
        hd_edge(d.m);
    }
    for (unsigned k = 0; k < 3; k++)
        assert_true(kinds[k] > 300);
    for (unsigned i = 0; i < HD_AMO_FUNCTIONS; i++)
        assert_true(fn[i] > 20);
    assert_true(stalls > 300 && newer > 300 && later > 300);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static void every_misuse_trips_an_assertion(void **state)
{
    (void)state;
    hd_lds_banks_open(&d);
    for (unsigned misuse = 0; misuse < 3 && hd_has_asserts(d.m); misuse++) {
        hd_reset(d.m);
        *d.pass_i = misuse != 2;
        hd_bits_put(d.acc_i, HD_ACCESS_KIND_LSB, HD_ACCESS_KIND_W, misuse == 0 ? HD_OP_FENCE : HD_OP_LOAD);
        *d.stall_i = misuse == 1;
        *d.first_i = misuse == 2;
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
        cmocka_unit_test(random_passes_match_an_array_in_c),
        cmocka_unit_test(every_misuse_trips_an_assertion),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
