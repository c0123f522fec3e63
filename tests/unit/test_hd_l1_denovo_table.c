/* test_hd_l1_denovo_table.c - every event on every pair of word states against the rows of docs/protocol_denovo.md. */
/* dut: hd_l1_denovo_table LineWords=2 */
#include "hd_unit.h"
#include "hd_l1_denovo_table_dut.h"
#include "hd_bits.h"

enum { I, IW, V, RO, D, DW, R, RW, STATES, SAME = 99 };
enum { HIT = 1, ASK = 2, JOIN = 4, WRITE = 8, BAD = 16 };

/* What becomes of a word that the event touches, where the line's other words do not matter. */
struct row {
    unsigned next, does;
};
static const struct row rows[][STATES] = {
    /*                   I              I, W           V             RO            D              D, W            R              R, W */
    [HD_DEV_LOAD] = {{I, ASK}, {IW, 0}, {V, HIT}, {RO, HIT}, {D, HIT}, {DW, HIT}, {R, HIT}, {RW, HIT}},
    [HD_DEV_STORE] = {{D, HIT | WRITE}, {SAME, 0}, {D, HIT | WRITE}, {D, HIT | WRITE}, {D, HIT | WRITE}, {DW, HIT | WRITE},
                      {R, HIT | WRITE}, {RW, HIT | WRITE}},
    [HD_DEV_SYNC] = {{IW, ASK}, {IW, JOIN}, {IW, ASK}, {IW, ASK}, {DW, ASK}, {DW, JOIN}, {R, HIT}, {RW, HIT}},
    [HD_DEV_LOCAL] = {{I, ASK}, {SAME, 0}, {D, HIT | WRITE}, {D, HIT | WRITE}, {D, HIT | WRITE}, {DW, HIT | WRITE},
                      {R, HIT | WRITE}, {RW, HIT | WRITE}},
    [HD_DEV_FLUSH] = {{I, 0}, {IW, 0}, {V, 0}, {RO, 0}, {DW, ASK}, {DW, 0}, {R, 0}, {RW, 0}},
    [HD_DEV_EVICT] = {{I, 0}, {SAME, BAD}, {I, 0}, {I, 0}, {SAME, BAD}, {SAME, BAD}, {I, HIT}, {SAME, BAD}},
    [HD_DEV_FILL] = {{V, WRITE}, {IW, 0}, {V, 0}, {RO, 0}, {D, 0}, {DW, 0}, {R, 0}, {RW, 0}},
    [HD_DEV_ACK] = {{SAME, BAD}, {R, HIT | WRITE}, {SAME, BAD}, {SAME, BAD}, {SAME, BAD}, {R, HIT}, {SAME, BAD}, {SAME, BAD}},
    [HD_DEV_FWD_READ] = {{SAME, BAD}, {IW, ASK}, {SAME, BAD}, {SAME, BAD}, {SAME, BAD}, {DW, ASK}, {R, HIT}, {RW, HIT}},
    [HD_DEV_FWD_REG] = {{SAME, BAD}, {IW, JOIN}, {SAME, BAD}, {SAME, BAD}, {SAME, BAD}, {DW, JOIN}, {I, HIT}, {SAME, BAD}},
    [HD_DEV_PASS] = {{SAME, BAD}, {SAME, BAD}, {SAME, BAD}, {SAME, BAD}, {SAME, BAD}, {SAME, BAD}, {SAME, BAD}, {I, HIT}},
    [HD_DEV_BEGIN] = {{I, 0}, {IW, 0}, {I, 0}, {I, 0}, {D, 0}, {DW, 0}, {R, 0}, {RW, 0}},
};
enum { EVENTS = sizeof rows / sizeof rows[0] };

static struct hd_l1_denovo_table d;

static unsigned mask(const unsigned st[2], unsigned a, unsigned b)
{
    return (unsigned)(st[0] == a || st[0] == b) | (unsigned)(st[1] == a || st[1] == b) << 1;
}

/* The line's words: two bits for each mask. */
static unsigned masks(const unsigned st[2])
{
    return mask(st, V, V) << 2 * HD_WORDS_V | mask(st, D, DW) << 2 * HD_WORDS_D | mask(st, R, RW) << 2 * HD_WORDS_R |
           mask(st, RO, RO) << 2 * HD_WORDS_RO | (mask(st, IW, DW) | mask(st, RW, RW)) << 2 * HD_WORDS_W;
}

static bool all_words(unsigned ev)
{
    return ev == HD_DEV_FLUSH || ev == HD_DEV_EVICT || ev == HD_DEV_BEGIN;
}

struct side {
    unsigned guard, skip, need, next, sync;
    bool old, keep, data;
};

static void check(unsigned ev, unsigned words, const unsigned st[2], const struct side *s)
{
    unsigned next[2] = {st[0], st[1]}, hit = 0, ask = 0, join = 0, write = 0, why = 0;
    bool bad = false;
    const unsigned touched = all_words(ev) ? 3 : words;
    unsigned served = 0, pending = 0, missing = 0, stuck = 0; /* by the line: of synchronization, of stores */

    for (unsigned w = 0; w < 2; w++) {
        const unsigned b = touched & 1u << w;
        if (b == 0)
            continue;
        served |= st[w] == R || st[w] == RW ? b : 0;
        pending |= st[w] == IW || st[w] == DW ? b : 0;
        missing |= st[w] == I || st[w] == IW ? b : 0;
        stuck |= st[w] == IW || (st[w] == DW && (s->sync & b)) ? b : 0;
    }
    for (unsigned w = 0; w < 2; w++) {
        const unsigned b = touched & 1u << w;
        const struct row *r = &rows[ev][st[w]];
        unsigned does = r->does, to = r->next == SAME ? st[w] : r->next;
        if (b == 0)
            continue;
        if ((ev == HD_DEV_STORE || ev == HD_DEV_LOCAL) && ((words & s->guard) || stuck))
            continue;
        if (ev == HD_DEV_LOAD && (stuck & b))
            continue;
        if (ev == HD_DEV_LOCAL && missing != 0) {
            ask |= missing & b;
            continue;
        }
        if (ev == HD_DEV_SYNC && ((does & JOIN && served) || (does & ASK && (served || pending || (s->guard & b)))))
            continue;
        if (ev == HD_DEV_FILL && st[w] == I) {
            const bool keeps = s->keep && (s->need & b);
            if ((s->skip & b) || (s->old && !keeps))
                continue;
            to = keeps ? RO : V;
        }
        if (ev == HD_DEV_ACK && (does & HIT)) {
            to = s->next & b ? RW : R;
            if (!s->data) {
                bad |= st[w] == IW;
                does &= ~(unsigned)WRITE;
            }
        }
        hit |= does & HIT ? b : 0, ask |= does & ASK ? b : 0, join |= does & JOIN ? b : 0, write |= does & WRITE ? b : 0;
        bad |= (does & BAD) != 0;
        next[w] = to;
    }
    if ((ev == HD_DEV_STORE || ev == HD_DEV_LOCAL) && (words & s->guard))
        why = HD_WHY_GUARD;
    else if ((ev == HD_DEV_STORE || ev == HD_DEV_LOCAL) && stuck)
        why = HD_WHY_LINE;
    else if (ev == HD_DEV_LOAD && words != 0 && hit == 0 && ask == 0)
        why = HD_WHY_LINE;
    else if (ev == HD_DEV_SYNC && words != 0 && served == 0 && pending == 0 && ask == 0)
        why = HD_WHY_GUARD;

    *d.ev_i = (uint8_t)ev, *d.words_i = (uint8_t)words;
    *d.state_i = (uint16_t)masks(st);
    *d.sync_i = (uint8_t)s->sync;
    *d.guard_i = (uint8_t)s->guard, *d.read_i = (uint8_t)(s->need | s->skip << 2 | s->keep << 4 | s->old << 5);
    *d.data_i = s->data, *d.next_i = (uint8_t)s->next;
    hd_eval(d.m);
    const bool same = *d.bad_o == bad && *d.why_o == why
                      && (bad || (*d.says_o == (hit | ask << 2 | join << 4 | write << 6) && *d.state_o == masks(next)));
    if (!same)
        fail_msg("event %u words %u states %u %u guard %u skip %u need %u next %u old %d keep %d data %d: says %x why %u bad %u "
                 "state %x", ev, words, st[0], st[1], s->guard, s->skip, s->need, s->next, s->old,
                 s->keep, s->data, *d.says_o, *d.why_o, *d.bad_o, *d.state_o);
}

static void every_event_in_every_state(void **state)
{
    (void)state;
    hd_l1_denovo_table_open(&d);
    for (unsigned ev = 0; ev < EVENTS; ev++)
        for (unsigned a = 0; a < STATES * STATES * 4; a++)
            for (unsigned b = 0; b < 256 * 32; b += ev == HD_DEV_FILL || ev == HD_DEV_ACK ? 1 : 7) {
                const unsigned st[2] = {a % STATES, a / STATES % STATES};
                const struct side s = {.guard = b & 3, .skip = b >> 2 & 3, .need = b >> 4 & 3, .next = b >> 6 & 3,
                                       .old = b >> 8 & 1, .keep = b >> 9 & 1, .data = b >> 10 & 1, .sync = b >> 11 & 3};
                check(ev, a / (STATES * STATES), st, &s);
            }
    hd_close(d.m);
}

static void other_events_are_errors(void **state)
{
    (void)state;
    hd_l1_denovo_table_open(&d);
    for (unsigned ev = EVENTS; ev < 16; ev++) {
        *d.ev_i = (uint8_t)ev;
        hd_eval(d.m);
        assert_int_equal(*d.bad_o, 1);
    }
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(every_event_in_every_state), cmocka_unit_test(other_events_are_errors)};

    return HD_UNIT_MAIN(argc, argv, t);
}
