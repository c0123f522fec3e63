/* test_hd_mac_table.c - every row of the table in the module's header, for readers and writers. */
/* dut: hd_mac_table */
#include "hd_unit.h"
#include "hd_mac_table_dut.h"
#include "hd_bits.h"

enum { ANY = 2 };
#define RO HD_MAC_PRIVATE_RO
#define RW HD_MAC_PRIVATE_RW
#define SRO HD_MAC_SHARED_RO
#define SRW HD_MAC_SHARED_RW

struct row {
    unsigned known, state, owner, write; /* owner may be ANY */
    unsigned next, safe, may_write, inv_owner, inv_all;
};
static const struct row rows[] = {
    /* known, state, owner, write     next, safe, may write, invalidate the owner, all */
    {1, RO, 1, 0, RO, 1, 0, 0, 0},
    {1, RO, 1, 1, RW, 1, 1, 0, 0},
    {1, RO, 0, 0, SRO, 1, 0, 0, 0},
    {1, RO, 0, 1, SRW, 0, 0, 1, 0},
    {1, RW, 1, 0, RW, 1, 1, 0, 0},
    {1, RW, 1, 1, RW, 1, 1, 0, 0},
    {1, RW, 0, 0, SRW, 0, 0, 1, 0},
    {1, RW, 0, 1, SRW, 0, 0, 1, 0},
    {1, SRO, ANY, 0, SRO, 1, 0, 0, 0},
    {1, SRO, ANY, 1, SRW, 0, 0, 0, 1},
    {1, SRW, ANY, 0, SRW, 0, 0, 0, 0},
    {1, SRW, ANY, 1, SRW, 0, 0, 0, 0},
    {0, RO, ANY, 0, RO, 1, 0, 0, 0}, /* no entry: the state that is read means nothing */
    {0, RW, ANY, 0, RO, 1, 0, 0, 0},
    {0, SRO, ANY, 0, RO, 1, 0, 0, 0},
    {0, SRW, ANY, 0, RO, 1, 0, 0, 0},
    {0, RO, ANY, 1, RW, 1, 1, 0, 0},
    {0, RW, ANY, 1, RW, 1, 1, 0, 0},
    {0, SRO, ANY, 1, RW, 1, 1, 0, 0},
    {0, SRW, ANY, 1, RW, 1, 1, 0, 0},
};
enum { ROWS = sizeof rows / sizeof *rows };

static struct hd_mac_table d;

static void look_up(unsigned known, unsigned st, unsigned owner, unsigned write)
{
    *d.known_i = (uint8_t)known;
    *d.state_i = (uint8_t)st;
    *d.owner_i = (uint8_t)owner;
    *d.write_i = (uint8_t)write;
    hd_eval(d.m);
}

static void every_row_gives_the_answer_of_the_table(void **state)
{
    unsigned seen = 0;

    (void)state;
    hd_mac_table_open(&d);
    for (unsigned i = 0; i < ROWS; i++) {
        const struct row *r = &rows[i];

        for (unsigned owner = 0; owner < 2; owner++) {
            if (r->owner != ANY && r->owner != owner)
                continue;
            look_up(r->known, r->state, owner, r->write);
            if (*d.next_o != r->next || *d.safe_o != r->safe || *d.may_write_o != r->may_write ||
                *d.inv_owner_o != r->inv_owner || *d.inv_all_o != r->inv_all)
                fail_msg("row %u, owner %u: next %u safe %u may write %u invalidates %u %u", i, owner, *d.next_o,
                         *d.safe_o, *d.may_write_o, *d.inv_owner_o, *d.inv_all_o);
            seen++;
        }
    }
    assert_int_equal(seen, 2 * 4 * 2 * 2); /* every input */
    hd_close(d.m);
}

/* What SC needs of the table, whatever its rows say. */
static void nobody_is_safe_where_another_one_writes(void **state)
{
    (void)state;
    hd_mac_table_open(&d);
    for (unsigned in = 0; in < 16; in++) {
        const unsigned st = in & 3, owner = in >> 2 & 1, write = in >> 3;

        look_up(1, st, owner, write);
        assert_true(!*d.may_write_o || *d.safe_o);
        assert_true(!write || !*d.safe_o || *d.may_write_o);                      /* safe writers have the right */
        assert_true(!*d.may_write_o || (owner && (st == RO || st == RW)));        /* only an only user has it */
        assert_true(st != RW || owner || *d.inv_owner_o);                         /* the writer is told */
        assert_true(st == SRW || *d.safe_o || *d.inv_owner_o || *d.inv_all_o);    /* no silent end of safety */
        assert_true(!(*d.inv_owner_o || *d.inv_all_o) || *d.next_o == SRW);
        assert_true(!(*d.inv_owner_o && *d.inv_all_o));
        assert_true(st != SRW || *d.next_o == SRW);
    }
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(every_row_gives_the_answer_of_the_table),
        cmocka_unit_test(nobody_is_safe_where_another_one_writes),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
