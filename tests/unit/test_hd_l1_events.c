/* test_hd_l1_events.c - which events an access makes, and that the family's own pass through, a cycle later. */
/* dut: hd_l1_events */
#include "hd_unit.h"
#include "hd_l1_events_dut.h"
#include "hd_bits.h"

/* Those an access makes, by their numbers. */
static const unsigned of_access[] = {HD_EV_SM_ACCESS, HD_EV_SM_HIT, HD_EV_SM_MISS, HD_EV_SM_MERGE, HD_EV_SM_REJECT,
                                     HD_EV_SM_REJ_ENTRY, HD_EV_SM_REJ_MERGE, HD_EV_SM_REJ_CREDIT, HD_EV_SM_REJ_QUEUE,
                                     HD_EV_SM_REJ_LINE, HD_EV_SM_ACC_STORE, HD_EV_SM_ACC_ATOMIC, HD_EV_SM_PREFETCH,
                                     HD_EV_SM_PF_DROP};

/* What becomes of an access, and the events that tell. */
enum fate { NONE, HIT, MISS, MERGE, REFUSED, PF_PUSH, PF_DROPPED, FATES };

static struct hd_l1_events d;

static uint64_t bit(unsigned event)
{
    return UINT64_C(1) << event;
}

static uint64_t expected(enum fate f, unsigned kind, unsigned why)
{
    static const unsigned told[] = {[HD_WHY_ENTRY] = HD_EV_SM_REJ_ENTRY, [HD_WHY_MERGE] = HD_EV_SM_REJ_MERGE,
                                    [HD_WHY_CREDIT] = HD_EV_SM_REJ_CREDIT, [HD_WHY_QUEUE] = HD_EV_SM_REJ_QUEUE,
                                    [HD_WHY_LINE] = HD_EV_SM_REJ_LINE};
    const uint64_t accepted = kind == HD_OP_STORE    ? bit(HD_EV_SM_ACC_STORE)
                              : kind == HD_OP_ATOMIC ? bit(HD_EV_SM_ACC_ATOMIC)
                                                     : 0;

    switch (f) {
    case HIT: return bit(HD_EV_SM_ACCESS) | bit(HD_EV_SM_HIT) | accepted;
    case MISS: return bit(HD_EV_SM_ACCESS) | bit(HD_EV_SM_MISS) | accepted;
    case MERGE: return bit(HD_EV_SM_ACCESS) | bit(HD_EV_SM_MERGE) | accepted;
    case REFUSED: return bit(HD_EV_SM_ACCESS) | bit(HD_EV_SM_REJECT) | bit(told[why]);
    case PF_PUSH: return bit(HD_EV_SM_PREFETCH);
    case PF_DROPPED: return bit(HD_EV_SM_PF_DROP);
    default: return 0;
    }
}

static void drive(enum fate f, unsigned kind, unsigned why, uint64_t own)
{
    *d.sel_i = f != NONE;
    *d.prefetch_i = f == PF_PUSH || f == PF_DROPPED || (f == NONE && hd_rand_below(2));
    *d.kind_i = (uint8_t)kind;
    *d.hit_i = f == HIT || (f == PF_DROPPED && hd_rand_below(2)); /* the line is here: not needed */
    *d.push_i = f == MISS || f == MERGE || f == PF_PUSH;
    *d.join_i = f == MERGE || (f != MISS && f != PF_PUSH && hd_rand_below(2));
    *d.reject_i = f == REFUSED;
    *d.accept_i = f != NONE && f != REFUSED;
    *d.why_i = (uint8_t)why;
    hd_bits_put(d.own_i, 0, HD_EV_SM_NUM, own);
}

static void random_accesses_make_their_events_a_cycle_later(void **state)
{
    uint64_t access = 0, want = 0, reached = 0;
    unsigned fates[FATES] = {0};

    (void)state;
    hd_l1_events_open(&d);
    hd_reset(d.m);
    for (unsigned i = 0; i < sizeof of_access / sizeof *of_access; i++)
        access |= bit(of_access[i]);
    for (unsigned t = 0; t < 20000; t++) {
        const enum fate f = (enum fate)hd_rand_below(FATES);
        const bool prefetch = f == PF_PUSH || f == PF_DROPPED;
        const unsigned kind = (unsigned)hd_rand_below(prefetch ? 2 : 3), why = 1 + (unsigned)hd_rand_below(5);
        const uint64_t own = hd_rand_below(2) ? hd_rand() & (bit(HD_EV_SM_NUM) - 1) & ~access : 0;

        drive(f, kind, why, own);
        hd_eval(d.m);
        assert_true(hd_bits_get(d.ev_o, 0, HD_EV_SM_NUM) == want);
        want = expected(f, kind, why) | own;
        reached |= want;
        fates[f]++;
        hd_edge(d.m);
    }
    for (unsigned i = 0; i < FATES; i++)
        assert_true(fates[i] > 1000);
    assert_true(reached == bit(HD_EV_SM_NUM) - 1);
    *d.rst_i = 1;
    hd_edge(d.m);
    assert_true(hd_bits_get(d.ev_o, 0, HD_EV_SM_NUM) == 0);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static void every_misuse_trips_an_assertion(void **state)
{
    (void)state;
    hd_l1_events_open(&d);
    for (unsigned misuse = 0; misuse < 4 && hd_has_asserts(d.m); misuse++) {
        hd_reset(d.m);
        drive(misuse == 0 ? NONE : misuse == 3 ? MISS : REFUSED, HD_OP_LOAD, misuse == 2 ? HD_WHY_NONE : HD_WHY_ENTRY, 0);
        switch (misuse) {
        case 0: *d.push_i = 1; break;
        case 1: *d.accept_i = 1; break;
        case 3: *d.hit_i = 1; break;
        default: break; /* refused for no reason */
        }
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
        cmocka_unit_test(random_accesses_make_their_events_a_cycle_later),
        cmocka_unit_test(every_misuse_trips_an_assertion),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
