/* test_hd_l1_gpu_table.c - every event on every pair of words against the rows of docs/protocol_gpu.md. */
/* dut: hd_l1_gpu_table LineWords=2 */
#include "hd_unit.h"
#include "hd_l1_gpu_table_dut.h"
#include "hd_bits.h"

enum { I, V, D, STATES };

struct row {
    unsigned state, next;      /* of a word that the event touches */
    bool hit, miss, write;
};

#define SAYS(member) ((unsigned)HD_GET(d.says_o, GPU_SAYS_##member))

static struct hd_l1_gpu_table d;

static void check(unsigned ev, unsigned words, const unsigned st[2], unsigned guard, bool pending, unsigned skip)
{
    unsigned next[2] = {st[0], st[1]}, hit = 0, miss = 0, write = 0, req = 0, why = 0;
    bool join = false, again = false, any_d = false, touched_d = false, touched_i = false;
    const bool guarded = (words & guard) != 0;

    for (unsigned w = 0; w < 2; w++) {
        any_d |= st[w] == D;
        touched_d |= (words >> w & 1) && st[w] == D;
        touched_i |= (words >> w & 1) && st[w] == I;
    }
    for (unsigned w = 0; w < 2; w++) {
        const bool on = words >> w & 1;
        switch (ev) {
        case HD_WEV_LOAD:
            if (on && st[w] == I)
                miss |= 1u << w;
            else if (on)
                hit |= 1u << w;
            break;
        case HD_WEV_STORE:
            if (on && !guarded)
                next[w] = D, hit |= 1u << w, write |= 1u << w;
            break;
        case HD_WEV_SYNC:
            if (guarded)
                break;
            if (touched_d)
                next[w] = st[w] == D ? V : st[w];
            else if (on)
                next[w] = I;
            break;
        case HD_WEV_LOCAL:
            if (on && !guarded && !touched_i)
                next[w] = D, hit |= 1u << w;
            break;
        case HD_WEV_FLUSH:
            next[w] = st[w] == D ? V : st[w];
            break;
        case HD_WEV_EVICT:
            next[w] = I;
            break;
        case HD_WEV_INV:
            next[w] = st[w] == V ? I : st[w];
            break;
        default:
            if (st[w] == I && !(skip >> w & 1))
                next[w] = V, write |= 1u << w;
        }
    }
    switch (ev) {
    case HD_WEV_LOAD:
        if (miss && pending && (miss & skip))
            why = HD_WHY_LINE, hit = miss = 0;
        else
            join = miss && pending, req = miss && !pending ? HD_MSG_GETS : 0;
        break;
    case HD_WEV_STORE:
        why = guarded ? HD_WHY_GUARD : 0;
        break;
    case HD_WEV_SYNC:
        why = guarded ? HD_WHY_GUARD : 0;
        again = !guarded && touched_d;
        req = guarded ? 0 : touched_d ? HD_MSG_WT : HD_MSG_ATOMIC;
        break;
    case HD_WEV_LOCAL:
        why = guarded ? HD_WHY_GUARD : touched_i && pending ? HD_WHY_LINE : 0;
        again = !guarded && touched_i && !pending;
        req = again ? HD_MSG_GETS : 0;
        break;
    case HD_WEV_FLUSH:
    case HD_WEV_EVICT:
        req = any_d ? HD_MSG_WT : 0;
        break;
    default:
        break;
    }
    *d.ev_i = (uint8_t)ev, *d.words_i = (uint8_t)words, *d.guard_i = (uint8_t)guard;
    *d.pending_i = pending, *d.skip_i = (uint8_t)skip;
    *d.v_i = (uint8_t)((st[0] == V) | (st[1] == V) << 1);
    *d.d_i = (uint8_t)((st[0] == D) | (st[1] == D) << 1);
    hd_eval(d.m);
    const unsigned v = (next[0] == V) | (next[1] == V) << 1, dirty = (next[0] == D) | (next[1] == D) << 1;
    const unsigned got_req = SAYS(REQ), got_join = SAYS(JOINS), got_again = SAYS(AGAIN), got_why = SAYS(WHY);
    if (*d.v_o != v || *d.d_o != dirty || *d.hit_o != hit || *d.miss_o != miss || *d.write_o != write || got_req != req ||
        got_join != join || got_again != again || got_why != why)
        fail_msg("event %u words %u states %u %u guard %u pending %d skip %u: v %u d %u hit %u miss %u write %u req %u join "
                 "%u again %u why %u, want %u %u %u %u %u %u %d %d %u", ev, words, st[0], st[1], guard, pending, skip, *d.v_o,
                 *d.d_o, *d.hit_o, *d.miss_o, *d.write_o, got_req, got_join, got_again, got_why, v, dirty, hit, miss, write,
                 req, join, again, why);
}

static void every_event_on_every_pair_of_words(void **state)
{
    (void)state;
    hd_l1_gpu_table_open(&d);
    for (unsigned ev = 0; ev <= HD_WEV_INV; ev++)
        for (unsigned i = 0; i < STATES * STATES * 4 * 4 * 2 * 4; i++) {
            const unsigned st[2] = {i % 3, i / 3 % 3}, words = i / 9 % 4, guard = i / 36 % 4, skip = i / 288 % 4;
            check(ev, words, st, guard, i / 144 % 2, skip);
        }
    hd_close(d.m);
}

/* What the protocol rests on, whatever the table says. */
static void no_dirty_word_is_lost_and_no_word_is_in_two_states(void **state)
{
    (void)state;
    hd_l1_gpu_table_open(&d);
    for (unsigned n = 0; n < 20000; n++) {
        *d.ev_i = (uint8_t)hd_rand_below(HD_WEV_INV + 1);
        *d.words_i = (uint8_t)hd_rand_below(4), *d.guard_i = (uint8_t)hd_rand_below(4), *d.skip_i = (uint8_t)hd_rand_below(4);
        *d.pending_i = (uint8_t)hd_rand_below(2);
        *d.d_i = (uint8_t)hd_rand_below(4);
        *d.v_i = (uint8_t)(hd_rand_below(4) & ~*d.d_i);
        hd_eval(d.m);
        assert_int_equal(*d.v_o & *d.d_o, 0);
        if (*d.d_i & ~*d.d_o)
            assert_int_equal(SAYS(REQ), HD_MSG_WT);
        if (*d.ev_i == HD_WEV_FILL)
            assert_int_equal(*d.d_o, *d.d_i);
        assert_int_equal(*d.write_o & *d.d_i & (*d.ev_i == HD_WEV_FILL ? 3 : 0), 0);
    }
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(every_event_on_every_pair_of_words),
                                   cmocka_unit_test(no_dirty_word_is_lost_and_no_word_is_in_two_states)};

    return HD_UNIT_MAIN(argc, argv, t);
}
