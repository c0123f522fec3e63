/* test_hd_op_access.c - the fields of the warp port, each in its place, nothing else set. */
/* dut: hd_op_access */
#include "hd_unit.h"
#include "hd_op_access_dut.h"
#include "hd_access.h"

static void every_field_arrives_and_the_others_are_0(void **state)
{
    struct hd_op_access d;

    (void)state;
    hd_op_access_open(&d);
    for (unsigned i = 0; i < 500; i++) {
        const struct hd_access r = hd_access_random();
        const struct hd_access want = {.warp = r.warp, .kind = r.kind, .fn = r.fn, .space = r.space,
                                       .order = r.order, .scope = r.scope, .ro = r.ro};

        *d.op_warp_i = (uint8_t)r.warp;
        *d.op_kind_i = (uint8_t)r.kind;
        *d.op_fn_i = (uint8_t)r.fn;
        *d.op_space_i = (uint8_t)r.space;
        *d.op_order_i = (uint8_t)r.order;
        *d.op_scope_i = (uint8_t)r.scope;
        *d.op_ro_i = (uint8_t)r.ro;
        hd_eval(d.m);
        assert_true(hd_bits_get(d.acc_o, 0, HD_ACCESS_W) == hd_access_pack(want));
    }
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(every_field_arrives_and_the_others_are_0)};

    return HD_UNIT_MAIN(argc, argv, t);
}
