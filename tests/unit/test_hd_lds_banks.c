/* test_hd_lds_banks.c - passes of loads, stores and atomics on banks of words, against an array in C. */
/* mutants: Lanes=4 Rows=6 Banks=4 WordW=32 Tm=1 */
/* dut: hd_lds_banks Lanes=4 Rows=6 Banks=4 WordW=32 */
/* dut: hd_lds_banks Lanes=4 Rows=5 Banks=4 WordW=32 Tm=1 */
/* dut: hd_lds_banks Lanes=8 Rows=3 Banks=4 WordW=64 */
/* dut-rtl: hd_lds_banks Lanes=64 Rows=4 Banks=16 WordW=32 */
#include "hd_unit.h"
#include "hd_lds_banks_dut.h"
#include "hd_access.h"

#ifndef P_Tm
#define P_Tm 0
#endif
enum {
    LANES = P_Lanes,
    ROWS = P_Rows,
    BANKS = P_Banks,
    W = P_WordW,
    GHOSTS = W > 32,
    BANK_W = HD_LDS_BANKS_W_bank_i / LANES,
    ROW_W = HD_LDS_BANKS_W_put_i / BANKS - 1 - W,
    LANE_W = HD_LDS_BANKS_W_banks_i / BANKS - 1 - ROW_W,
    ROW = BANKS * LANE_W, /* of banks_i */
    USED = ROW + BANKS * ROW_W,
    PUT_ROW = BANKS * W, /* of put_i */
    PUT = PUT_ROW + BANKS * ROW_W,
    DATA = LANES * 32 /* of body_i */
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
    bool read;  /* read_i */
    unsigned row[BANKS], top[BANKS], bank[LANES];
    struct access a;
};

static struct hd_lds_banks d;
static uint64_t mem[ROWS][BANKS];

/* Of each bank: the word read last, which stays there, and what the bank shows while the pass on it is there. */
static struct {
    uint64_t read, word;
    bool read_known, known;
} shown[BANKS];

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
    HD_PUT(d.pass_i, LDS_PASS_MADE, p->valid);
    HD_PUT(d.pass_i, LDS_PASS_FIRST, p->valid && first);
    hd_bits_put(d.acc_i, 0, HD_ACCESS_W, hd_access_pack((struct hd_access){
        .kind = p->a.kind == HD_OP_STORE && p->a.copy ? HD_OP_COPY : p->a.kind, .fn = p->a.fn}));
    for (unsigned l = 0; l < LANES; l++) {
        hd_bits_put(d.body_i, DATA + l * W, W, p->a.data[l]);
        hd_bits_put(d.body_i, l * 32, 32, p->a.cmp[l]);
        hd_bits_put(d.bank_i, l * BANK_W, BANK_W, p->bank[l]);
    }
    for (unsigned b = 0; b < BANKS; b++) {
        hd_bits_put(d.banks_i, USED + b, 1, p->valid && p->used[b]);
        hd_bits_put(d.banks_i, ROW + b * ROW_W, ROW_W, p->row[b]);
        hd_bits_put(d.banks_i, b * LANE_W, LANE_W, p->top[b]);
    }
}

/* What transactions ask for: banks that do not write, and words from outside. Without Tm nothing of it counts. */
static void drive_transactions(bool read, uint32_t drop, uint32_t put, const struct pass *where)
{
    uint64_t word;

    *d.read_i = read;
    hd_bits_put(d.drop_i, 0, BANKS, drop);
    hd_bits_put(d.put_i, PUT, BANKS, put);
    for (unsigned b = 0; b < BANKS; b++) {
        word = random_word();
        hd_bits_put(d.put_i, PUT_ROW + b * ROW_W, ROW_W, where->row[b]);
        hd_bits_put(d.put_i, b * W, W, word);
        if (P_Tm && (put >> b & 1))
            mem[where->row[b]][b] = word;
    }
}

/* The words lanes get, and what the pass leaves in the array, but for the banks of @drop. */
static void perform(const struct pass *p, bool gives, uint32_t drop)
{
    uint64_t old[BANKS];

    for (unsigned b = 0; b < BANKS; b++)
        old[b] = mem[p->row[b]][b];
    for (unsigned b = 0; P_Tm && (gives || p->read) && !p->fills && b < BANKS; b++)
        if (p->used[b])
            assert_true(hd_bits_get(d.line_o, b * W, W) == old[b]);
    for (unsigned l = 0; gives && l < LANES; l++)
        if (p->used[p->bank[l]])
            assert_true(hd_bits_get(d.words_o, l * W, W) == old[p->bank[l]]);
    for (unsigned b = 0; p->a.kind != HD_OP_LOAD && b < BANKS; b++) {
        const unsigned l = p->top[b];

        if (!p->used[b] || (P_Tm && (drop >> b & 1)))
            continue;
        mem[p->row[b]][b] = p->a.data[l];
        if (p->a.kind == HD_OP_ATOMIC)
            mem[p->row[b]][b] = p->a.data[l] >> 32 << 32
                | hd_amo_reference(p->a.fn, (uint32_t)old[b], (uint32_t)p->a.data[l], p->a.cmp[l]);
    }
}

/* @next comes to the banks while @at, if it is there, writes @old over; a pass that needs no words reads none. */
static void show(const struct pass *at, const struct pass *next, uint64_t old[ROWS][BANKS], uint32_t drop)
{
    for (unsigned b = 0; b < BANKS; b++) {
        const unsigned row = next->row[b];

        if (next->used[b] && (GHOSTS || next->read || next->a.kind != HD_OP_STORE)) {
            shown[b].read = old[row][b];
            shown[b].read_known = !next->fills && !at->fills;
        }
        shown[b].word = shown[b].read;
        shown[b].known = shown[b].read_known;
        if (at->valid && at->a.kind != HD_OP_LOAD && !(drop >> b & 1) && at->used[b] && next->used[b] && at->row[b] == row) {
            shown[b].word = mem[row][b];
            shown[b].known = true;
        }
    }
}

static void random_passes_match_an_array_in_c(void **state)
{
    struct pass at = {0}, next = {0};
    struct access a = {0};
    unsigned left = 0, kinds[3] = {0}, fn[HD_AMO_FUNCTIONS] = {0}, stalls = 0, newer = 0, later = 0, puts = 0, drops = 0;
    bool first = false;
    uint64_t old[ROWS][BANKS];

    (void)state;
    memset(shown, 0, sizeof shown);
    hd_lds_banks_open(&d);
    hd_reset(d.m);
    for (unsigned t = 0; t < 6000; t++) {
        const bool writing = t < ROWS, stall = at.valid && !writing && hd_rand_below(4) == 0;

        if (writing) { /* every word is known first */
            a = (struct access){.kind = HD_OP_STORE};
            left = 1;
            first = true;
        } else if (left == 0 && hd_rand_below(P_Tm ? 2 : 4) != 0) {
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
        next.read = hd_rand_below(2);
        const uint32_t drop = writing || at.fills || hd_rand_below(2) ? 0 : (uint32_t)hd_rand_below(1u << BANKS);
        const bool quiet = !P_Tm || (!at.valid && !next.valid && !writing); /* no pass writes, and none reads what is written */
        const uint32_t put = quiet ? (uint32_t)hd_rand_below(1u << BANKS) : 0;
        drive_transactions(next.read, drop, put, &next);
        puts += put != 0;
        drops += drop != 0 && at.valid && !stall;
        drive(&next, first);
        *d.stall_i = stall;
        hd_eval(d.m);
        const bool gives = at.valid && (GHOSTS || at.a.kind != HD_OP_STORE);

        assert_int_equal(HD_GET(d.there_o, LDS_THERE_VALID), at.valid);
        if (at.valid)
            assert_int_equal(HD_GET(d.there_o, LDS_THERE_GIVES), gives);
        if (!P_Tm || !at.valid)
            for (unsigned b = 0; b < BANKS; b++)
                assert_true(hd_bits_get(d.line_o, b * W, W) == 0);
        for (unsigned b = 0; P_Tm && at.valid && b < BANKS; b++)
            if (shown[b].known)
                assert_true(hd_bits_get(d.line_o, b * W, W) == shown[b].word);
        for (unsigned l = 0; !gives && l < LANES; l++) /* so that an idle stage costs nothing */
            assert_true(hd_bits_get(d.words_o, l * W, W) == 0);
        memcpy(old, mem, sizeof old);
        if (at.valid && !stall) {
            perform(&at, gives && !at.fills, drop);
            kinds[at.a.kind]++;
            fn[at.a.fn] += at.a.kind == HD_OP_ATOMIC;
            for (unsigned b = 0; next.valid && at.a.kind != HD_OP_LOAD && b < BANKS; b++)
                newer += at.used[b] && next.used[b] && at.row[b] == next.row[b];
        }
        if (next.valid)
            show(&at, &next, old, drop);
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
    assert_true(stalls > 300 && newer > 300 && later > 300 && drops > 300 && puts > 100);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static void every_misuse_trips_an_assertion(void **state)
{
    (void)state;
    hd_lds_banks_open(&d);
    for (unsigned misuse = 0; misuse < 6 && hd_has_asserts(d.m); misuse++) {
        hd_reset(d.m);
        HD_PUT(d.pass_i, LDS_PASS_FIRST, misuse > 1);
        HD_PUT(d.pass_i, LDS_PASS_MADE, misuse != 2);
        hd_bits_put(d.acc_i, 0, HD_ACCESS_W, hd_access_pack((struct hd_access){
            .kind = misuse == 0 ? HD_OP_FENCE : misuse < 3 ? HD_OP_LOAD : HD_OP_ATOMIC, .fn = HD_AT_ADD}));
        *d.stall_i = misuse == 1;
        hd_edge(d.m);
        if (misuse > 2) { /* a second pass that is not of this access */
            assert_int_equal(hd_assert_failures(d.m), 0);
            HD_PUT(d.pass_i, LDS_PASS_FIRST, 0);
            hd_bits_put(d.acc_i, 0, HD_ACCESS_W, hd_access_pack((struct hd_access){
                .kind = misuse == 3 ? HD_OP_LOAD : misuse == 4 ? HD_OP_STORE : HD_OP_ATOMIC,
                .fn = misuse == 5 ? HD_AT_CAS : HD_AT_ADD}));
            hd_edge(d.m);
        }
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
