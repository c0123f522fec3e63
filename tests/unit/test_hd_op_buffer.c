/* test_hd_op_buffer.c - payload of the one operation of each warp slot. */
/* equiv: Warps=2 Lanes=2 WordW=32 */
/* dut: hd_op_buffer Warps=5 Lanes=4 WordW=40 */
/* dut: hd_op_buffer */
/* dut-rtl: hd_op_buffer Warps=4 Lanes=64 WordW=32 */
#include "hd_unit.h"

#include "hd_op_buffer_dut.h"
#include "hd_access.h"

#ifndef P_Warps
#define P_Warps 48
#define P_Lanes 32
#define P_WordW 32
#endif

enum {
    MASK_B = (P_Lanes + 7) / 8,
    ADDR_B = P_Lanes * 4,
    DATA_B = P_Lanes * P_WordW / 8,
    CMP_B = P_Lanes * 4,
    /* where the parts of lanes are */
    DATA = P_Lanes * 32,
    ADDR = DATA + P_Lanes * P_WordW,
    MASK = ADDR + P_Lanes * 32,
};

struct payload {
    uint8_t mask[MASK_B], addr[ADDR_B], data[DATA_B], cmp[CMP_B];
    bool has_mem, has_data, has_cmp; /* written at least once */
};

static struct hd_op_buffer d;
static struct payload ref[P_Warps];

static int setup(void **state)
{
    (void)state;
    hd_op_buffer_open(&d);
    hd_eval(d.m); /* no reset: the clock must have been low once */
    memset(ref, 0, sizeof ref);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
    return 0;
}

static void fill(void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)bytes)[i] = (uint8_t)hd_rand();
}

static void put(unsigned lsb, const uint8_t *bytes, unsigned width)
{
    for (unsigned i = 0; i < width; i += 8)
        hd_bits_put(d.op_lanes_i, lsb + i, width - i < 8 ? width - i : 8, bytes[i / 8]);
}

static void is_out(unsigned lsb, const uint8_t *bytes, unsigned width)
{
    for (unsigned i = 0; i < width; i += 8)
        assert_int_equal(hd_bits_get(d.lanes_o, lsb + i, width - i < 8 ? width - i : 8), bytes[i / 8]);
}

/* Transactions have lanes and words as accesses do; codes that are no operation have none. */
static bool is_memory(unsigned kind)
{
    return kind == HD_OP_LOAD || kind == HD_OP_STORE || kind == HD_OP_ATOMIC || kind == HD_OP_COPY
           || kind == HD_OP_TX_BEGIN || kind == HD_OP_TX_COMMIT;
}

/* Random payload and the rest of the access on the port, with and without an operation. */
static void drive(unsigned warp, unsigned kind, unsigned fn, struct payload *p)
{
    struct hd_access acc = hd_access_random();

    acc.warp = warp;
    acc.kind = kind;
    acc.fn = fn;
    fill(p, offsetof(struct payload, has_mem));
    p->mask[MASK_B - 1] &= (uint8_t)(0xff >> (MASK_B * 8 - P_Lanes));
    hd_bits_put(d.op_acc_i, 0, HD_ACCESS_W, hd_access_pack(acc));
    put(MASK, p->mask, P_Lanes);
    put(ADDR, p->addr, P_Lanes * 32);
    put(DATA, p->data, P_Lanes * P_WordW);
    put(0, p->cmp, P_Lanes * 32);
}

/* Puts an operation with random payload on the port and in the reference. */
static void offer(unsigned warp, unsigned kind, unsigned fn)
{
    struct payload *r = &ref[warp], p;
    drive(warp, kind, fn, &p);
    *d.op_valid_i = 1;
    if (!is_memory(kind))
        return;
    memcpy(r->mask, p.mask, MASK_B);
    memcpy(r->addr, p.addr, ADDR_B);
    r->has_mem = true;
    if (kind != HD_OP_LOAD) {
        memcpy(r->data, p.data, DATA_B);
        r->has_data = true;
    }
    if ((kind == HD_OP_ATOMIC && fn == HD_AT_CAS) || kind == HD_OP_COPY) {
        memcpy(r->cmp, p.cmp, CMP_B);
        r->has_cmp = true;
    }
}

/* Nothing comes: what the port shows is not written. */
static void offer_nothing(void)
{
    struct payload p;
    drive((unsigned)hd_rand_below(P_Warps), hd_rand_below(2) ? HD_OP_COPY : (unsigned)hd_rand_below(1 << HD_OP_W),
          (unsigned)hd_rand_below(16), &p);
    *d.op_valid_i = 0;
}

static void check(const struct payload *want)
{
    if (want->has_mem) {
        is_out(MASK, want->mask, P_Lanes);
        is_out(ADDR, want->addr, P_Lanes * 32);
    }
    if (want->has_data)
        is_out(DATA, want->data, P_Lanes * P_WordW);
    if (want->has_cmp)
        is_out(0, want->cmp, P_Lanes * 32);
}

static void payload_is_out_the_cycle_after_the_read_and_holds(void **state)
{
    (void)state;
    offer(3, HD_OP_ATOMIC, HD_AT_CAS);
    hd_edge(d.m);
    struct payload want = ref[3];
    *d.op_valid_i = 0;
    *d.re_i = 1;
    *d.re_warp_i = 3;
    hd_edge(d.m);
    check(&want);
    *d.re_i = 0;
    *d.re_warp_i = 1;
    offer(3, HD_OP_STORE, 0); /* the warp's next operation does not disturb the one being served */
    hd_edge(d.m);
    check(&want);
    *d.op_valid_i = 0;
    hd_edge(d.m);
    check(&want);
}

static void matches_reference_under_random_traffic(void **state)
{
    (void)state;
    struct payload out = {0};
    unsigned reads[3] = {0}, control_over_memory = 0, both = 0, held = 0;
    bool valid_out = false;
    for (int i = 0; i < 20000; i++) {
        struct payload before[P_Warps];
        unsigned rw = (unsigned)hd_rand_below(P_Warps);
        *d.re_i = hd_rand_below(2);
        *d.re_warp_i = (uint8_t)rw;
        before[rw] = ref[rw];
        offer_nothing();
        if (hd_rand_below(2)) {
            unsigned w = (unsigned)hd_rand_below(P_Warps);
            if (!*d.re_i || w != rw) { /* a warp's buffer is not written while it is read */
                unsigned kind = (unsigned)hd_rand_below(hd_rand_below(2) ? HD_OP_FENCE : 1 << HD_OP_W);
                kind = hd_rand_below(16) ? kind : HD_OP_COPY;
                control_over_memory += !is_memory(kind) && ref[w].has_mem;
                offer(w, kind, hd_rand_below(2) ? HD_AT_CAS : (unsigned)hd_rand_below(16));
                both += *d.re_i;
            }
        }
        hd_edge(d.m);
        if (*d.re_i) {
            out = before[rw];
            valid_out = true;
            reads[0] += out.has_mem;
            reads[1] += out.has_data;
            reads[2] += out.has_cmp;
        } else {
            held += valid_out;
        }
        if (valid_out)
            check(&out);
    }
    assert_true(reads[0] > 1000 && reads[1] > 1000 && reads[2] > 1000);
    assert_true(control_over_memory > 1000 && both > 1000 && held > 1000);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(payload_is_out_the_cycle_after_the_read_and_holds, setup, teardown),
        cmocka_unit_test_setup_teardown(matches_reference_under_random_traffic, setup, teardown),
    };
    return HD_UNIT_MAIN(argc, argv, t);
}
