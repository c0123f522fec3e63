/* test_hd_dir_mesi.c - the directory's decision table, row by row, and every other input excluded. */
/* dut: hd_dir_mesi Sms=4 */
/* dut: hd_dir_mesi Sms=1 */
#include "hd_unit.h"
#include "hd_dir_mesi_dut.h"
#include "hd_pkg.h"

enum { SMS = P_Sms, ALL = (1 << SMS) - 1 };

/* Directory states, as the table in the module's header names them. */
enum { ANY, N, S_SELF, S_OTHERS, S_SOME, S_FROM, X_SELF, X_OTHER, X_ANY, X_FROM };
/* Next states. */
enum { KEEP, TO_X_SELF, TO_S_PLUS_SELF, TO_N, TO_N_DIRTY, TO_S_FROM, TO_S_FROM_DIRTY, TO_S_MINUS_FROM };
/* What it does, one bit per output. */
enum { GRANT = 1, FETCH = 2, INV = 4, WAIT = 8, EVICT = 16, MERGE = 32, DONE = 64, BAD = 128, DONE_IF_ALONE = 256 };

static const struct row {
    unsigned msg, state;
    int keep; /* -1: either */
    unsigned does, next, send;
} rows[] = {
    {HD_MSG_GETS, N, -1, GRANT, TO_X_SELF, HD_MSG_DATA_E},
    {HD_MSG_GETS, S_SOME, -1, GRANT, TO_S_PLUS_SELF, HD_MSG_DATA_S},
    {HD_MSG_GETS, X_OTHER, -1, FETCH, KEEP, HD_MSG_FETCH},
    {HD_MSG_GETS, X_SELF, -1, WAIT, KEEP, 0},
    {HD_MSG_GETM, N, -1, GRANT, TO_X_SELF, HD_MSG_DATA_M},
    {HD_MSG_GETM, S_SELF, -1, GRANT, TO_X_SELF, HD_MSG_DATA_M},
    {HD_MSG_UPG, N, -1, GRANT, TO_X_SELF, HD_MSG_DATA_M},
    {HD_MSG_UPG, S_SELF, -1, GRANT, TO_X_SELF, HD_MSG_ACK_M},
    {HD_MSG_GETM, S_OTHERS, -1, INV, KEEP, HD_MSG_INV},
    {HD_MSG_UPG, S_OTHERS, -1, INV, KEEP, HD_MSG_INV},
    {HD_MSG_GETM, X_OTHER, -1, FETCH, KEEP, HD_MSG_FETCH_INV},
    {HD_MSG_UPG, X_OTHER, -1, FETCH, KEEP, HD_MSG_FETCH_INV},
    {HD_MSG_GETM, X_SELF, -1, WAIT, KEEP, 0},
    {HD_MSG_UPG, X_SELF, -1, WAIT, KEEP, 0},
    {HD_MSG_NONE, N, -1, EVICT, KEEP, 0},
    {HD_MSG_NONE, S_SOME, -1, INV, KEEP, HD_MSG_INV},
    {HD_MSG_NONE, X_ANY, -1, FETCH, KEEP, HD_MSG_FETCH_INV},
    {HD_MSG_PUTM, X_FROM, -1, MERGE, TO_N_DIRTY, 0},
    {HD_MSG_PUTE, X_FROM, -1, 0, TO_N, 0},
    {HD_MSG_RSP_DATA, X_FROM, 1, MERGE | DONE, TO_S_FROM_DIRTY, 0},
    {HD_MSG_RSP_DATA, X_FROM, 0, MERGE | DONE, TO_N_DIRTY, 0},
    {HD_MSG_RSP_CLEAN, X_FROM, 1, DONE, TO_S_FROM, 0},
    {HD_MSG_RSP_CLEAN, X_FROM, 0, DONE, TO_N, 0},
    {HD_MSG_RSP_NONE, N, -1, DONE, KEEP, 0},
    {HD_MSG_INV_ACK, S_FROM, -1, DONE_IF_ALONE, TO_S_MINUS_FROM, 0},
};
enum { ROWS = sizeof rows / sizeof *rows };

static struct hd_dir_mesi d;

static int setup(void **state)
{
    (void)state;
    hd_dir_mesi_open(&d);
    *d.en_i = 1;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    hd_close(d.m);
    return 0;
}

static bool in_state(unsigned state, unsigned self, unsigned from, bool excl, unsigned sharers)
{
    switch (state) {
    case N: return sharers == 0;
    case S_SELF: return !excl && sharers == self;
    case S_OTHERS: return !excl && (sharers & ~self);
    case S_SOME: return !excl && sharers;
    case S_FROM: return !excl && (sharers & from);
    case X_SELF: return excl && sharers == self;
    case X_OTHER: return excl && sharers != self;
    case X_ANY: return excl;
    case X_FROM: return excl && sharers == from;
    default: return false;
    }
}

static unsigned does(void)
{
    return (*d.grant_o ? GRANT : 0) | (*d.fetch_o ? FETCH : 0) | (*d.inv_o ? INV : 0) | (*d.wait_o ? WAIT : 0) |
           (*d.evict_o ? EVICT : 0) | (*d.merge_o ? MERGE : 0) | (*d.done_o ? DONE : 0) | (*d.bad_o ? BAD : 0);
}

static void check(unsigned msg, unsigned self, unsigned from, bool keep, bool dirty, bool excl, unsigned sharers,
                  unsigned hits[ROWS])
{
    const struct row *r = NULL;
    unsigned what = BAD, next_sharers = sharers, targets = 0;
    bool next_dirty = dirty, next_excl = excl;

    for (unsigned i = 0; i < ROWS; i++) {
        if (rows[i].msg == msg && (rows[i].keep < 0 || rows[i].keep == keep) &&
            in_state(rows[i].state, self, from, excl, sharers)) {
            assert_null(r); /* the table is unambiguous */
            r = &rows[i];
            hits[i]++;
        }
    }
    if (r) {
        switch (r->next) {
        case TO_X_SELF: next_excl = true, next_sharers = self; break;
        case TO_S_PLUS_SELF: next_sharers |= self; break;
        case TO_N_DIRTY: next_dirty = true; /* fall through */
        case TO_N: next_excl = false, next_sharers = 0; break;
        case TO_S_FROM_DIRTY: next_dirty = true; /* fall through */
        case TO_S_FROM: next_excl = false, next_sharers = from; break;
        case TO_S_MINUS_FROM: next_sharers &= ~from; break;
        default: break;
        }
        what = r->does;
        if (what == DONE_IF_ALONE)
            what = (next_sharers & ~self) == 0 ? DONE : 0;
        if (what & (FETCH | INV))
            targets = sharers & ~self;
    }
    *d.msg_i = (uint8_t)msg;
    *d.self_i = (uint8_t)self;
    *d.from_i = (uint8_t)from;
    *d.keep_i = keep;
    *d.dirty_i = dirty;
    *d.excl_i = excl;
    *d.sharers_i = (uint8_t)sharers;
    hd_eval(d.m);
    if (does() != what || *d.dirty_o != next_dirty || *d.excl_o != next_excl || *d.sharers_o != next_sharers ||
        *d.targets_o != targets || *d.send_o != (r ? r->send : 0))
        fail_msg("msg %u self %x from %x keep %d, dirty %d excl %d sharers %x: does %x want %x, dirty %d excl %d sharers "
                 "%x want %d %d %x, targets %x want %x, send %u want %u",
                 msg, self, from, keep, dirty, excl, sharers, does(), what, *d.dirty_o, *d.excl_o, *d.sharers_o,
                 next_dirty, next_excl, next_sharers, *d.targets_o, targets, *d.send_o, r ? r->send : 0);
}

static void every_input_does_what_its_row_says_and_the_rest_is_bad(void **state)
{
    unsigned hits[ROWS] = {0};

    (void)state;
    for (unsigned msg = 0; msg <= HD_MSG_FETCH_INV; msg++) {
        bool request = msg >= HD_MSG_GETS && msg <= HD_MSG_UPG;
        for (unsigned who = 0; who < SMS; who++) {
            for (unsigned by = 0; by <= SMS; by++) {
                for (unsigned bits = 0; bits < 8; bits++) {
                    bool excl = bits >> 2;
                    for (unsigned sharers = 0; sharers <= ALL; sharers++) {
                        unsigned self = by == SMS ? 0 : 1u << by, from = 1u << who;
                        if (excl && (sharers == 0 || (sharers & (sharers - 1))))
                            continue; /* an owner is one L1 */
                        if (request && (self == 0 || who != 0))
                            continue; /* a request has a requester, nobody answers */
                        if (msg == HD_MSG_NONE && self)
                            continue; /* an eviction has none */
                        check(msg, self, request || msg == HD_MSG_NONE ? 0 : from, bits & 1, bits >> 1 & 1, excl, sharers,
                              hits);
                    }
                }
            }
        }
    }
    for (unsigned i = 0; i < ROWS; i++) {
        bool needs_two = rows[i].state == S_OTHERS || rows[i].state == X_OTHER;
        if (hits[i] == 0 && !(SMS == 1 && needs_two))
            fail_msg("row %u was never reached", i);
    }
}

static void disabled_it_says_nothing(void **state)
{
    (void)state;
    *d.en_i = 0;
    for (unsigned i = 0; i < 1000; i++) {
        *d.msg_i = (uint8_t)hd_rand_below(17);
        *d.self_i = *d.from_i = (uint8_t)(1u << hd_rand_below(SMS));
        *d.dirty_i = 1;
        *d.excl_i = (uint8_t)hd_rand_below(2);
        *d.sharers_i = (uint8_t)(hd_rand() & ALL);
        hd_eval(d.m);
        assert_int_equal(does(), 0);
        assert_int_equal(*d.dirty_o | *d.excl_o | *d.sharers_o | *d.targets_o | *d.send_o, 0);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_input_does_what_its_row_says_and_the_rest_is_bad, setup, teardown),
        cmocka_unit_test_setup_teardown(disabled_it_says_nothing, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, tests);
}
