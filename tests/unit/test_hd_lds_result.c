/* test_hd_lds_result.c - lanes' words gathered over the passes of an access, its perf and its completion. */
/* dut: hd_lds_result Lanes=4 WordW=32 */
/* dut: hd_lds_result Lanes=8 WordW=64 SlotW=11 */
/* dut-rtl: hd_lds_result Lanes=64 WordW=32 */
#include "hd_unit.h"
#include "hd_lds_result_dut.h"
#include "hd_access.h"

#ifndef P_SlotW
#define P_SlotW HD_SLOT_W
#endif
enum { LANES = P_Lanes, W = P_WordW, SLOT_W = P_SlotW, MASK = LANES * W, CPL = MASK + LANES /* of cpl_body_o */ };

struct access {
    unsigned warp, slot, kind;
    uint64_t mask, rem, word[LANES];
    bool last;
};

static struct hd_lds_result d;

static void random_accesses_complete_with_the_words_of_their_passes(void **state)
{
    struct access a = {0}, cpl = {0};                  /* at the passes and behind them; completes */
    bool valid = false, last = false, completes = false; /* a pass is there, it is the access's last */
    uint64_t serve = 0;
    unsigned waits = 0, passes[3] = {0}, stores = 0, back_to_back = 0, idle = 0, done = 0, resets = 0;

    (void)state;
    hd_lds_result_open(&d);
    hd_reset(d.m);
    for (unsigned t = 0; t < 20000; t++) {
        const bool ready = hd_rand_below(4) != 0, stall = valid && last && !ready;
        const bool gives = valid && !stall && hd_rand_below(4) != 0, more = a.rem != 0;
        const bool pass = !stall && (more || hd_rand_below(3) != 0);
        struct access next = a;
        uint64_t now = 0;

        if (pass && !more)
            next = (struct access){.warp = (unsigned)hd_rand_below(1u << HD_WARP_W),
                                   .slot = (unsigned)hd_rand_below(1u << SLOT_W),
                                   .kind = hd_rand_below(2) ? HD_OP_COPY : (unsigned)hd_rand_below(1u << HD_ACCESS_KIND_W),
                                   .mask = hd_bits_random_mask(LANES)};
        if (pass) {
            next.rem = more ? a.rem : next.mask;
            now = hd_bits_random_mask(LANES) & next.rem;
            now = now != 0 ? now : next.rem;
            next.rem &= ~now;
            passes[!more && next.rem == 0 ? 0 : more ? 1 : 2]++;
        }
        HD_PUT(d.pass_i, LDS_PASS_MADE, pass);
        HD_PUT(d.pass_i, LDS_PASS_FIRST, pass && !more);
        HD_PUT(d.pass_i, LDS_PASS_LAST, pass && next.rem == 0);
        struct hd_access acc = hd_access_random(); /* as all lanes: of the first pass; else nobody looks at it */
        if (pass && !more) {
            acc.warp = next.warp;
            acc.slot = next.slot;
            acc.tag = next.slot >> HD_SLOT_W;
            acc.kind = next.kind;
        }
        hd_bits_put(d.acc_i, 0, HD_ACCESS_W, hd_access_pack(acc));
        hd_bits_put(d.lanes_i, LANES, LANES, pass ? now : hd_rand());
        hd_bits_put(d.lanes_i, 0, LANES, pass && !more ? next.mask : hd_rand());
        HD_PUT(d.there_i, LDS_THERE_VALID, valid);
        HD_PUT(d.there_i, LDS_THERE_GIVES, gives || !valid || (stall && hd_rand_below(2)));
        hd_bits_random(d.words_i, LANES * W);
        HD_PUT(d.perf_i, LDS_ANSWER_READY, ready);
        HD_PUT(d.perf_i, LDS_ANSWER_LAST, hd_rand_below(2));
        hd_eval(d.m);
        assert_int_equal(*d.perf_valid_o, valid && last);
        assert_int_equal(*d.stall_o, stall);
        assert_int_equal(*d.idle_o, !valid && !completes);
        assert_int_equal(*d.cpl_valid_o, completes);
        if (completes) {
            assert_int_equal(hd_bits_get(d.cpl_body_o, CPL, HD_COMPLETION_W),
                             cpl.warp | (cpl.slot % (1u << HD_SLOT_W)) << HD_COMPLETION_SLOT_LSB |
                                 (uint64_t)cpl.last << HD_COMPLETION_LAST_LSB |
                                 (uint64_t)(cpl.kind == HD_OP_COPY) << (HD_COMPLETION_STATUS_LSB + HD_STATUS_COPY));
            assert_true(hd_bits_get(d.cpl_body_o, MASK, LANES) == cpl.mask);
            for (unsigned l = 0; l < LANES; l++) /* of a lane that got nothing, what was there before */
                if (cpl.mask >> l & 1)
                    assert_true(hd_bits_get(d.cpl_body_o, l * W, W) == cpl.word[l]);
            done++;
        }
        if (valid && last) {
            assert_int_equal(HD_GET(d.perf_o, LDS_PERF_WARP), a.warp);
            assert_int_equal((HD_GET(d.perf_o, LDS_PERF_SLOT) | HD_GET(d.perf_o, LDS_PERF_TAG) << HD_SLOT_W), a.slot);
            assert_int_equal(HD_GET(d.perf_o, LDS_PERF_LANES), hd_bits_count(a.mask));
        }
        stores += valid && !stall && !gives;
        waits += stall;
        idle += *d.idle_o;
        completes = valid && last && ready;
        back_to_back += completes && pass;
        for (unsigned l = 0; l < LANES; l++) {
            cpl.word[l] = t == 0 ? hd_bits_get(d.cpl_body_o, l * W, W) : cpl.word[l];
            if (gives && (serve >> l & 1))
                cpl.word[l] = hd_bits_get(d.words_i, l * W, W);
        }
        if (completes) {
            cpl.warp = a.warp;
            cpl.slot = a.slot;
            cpl.mask = a.mask;
            cpl.kind = a.kind;
            cpl.last = HD_GET(d.perf_i, LDS_ANSWER_LAST);
        }
        *d.rst_i = hd_rand_below(64) == 0; /* the passes and a completion are gone */
        resets += *d.rst_i && completes;
        hd_edge(d.m);
        if (!stall) {
            valid = pass;
            last = pass && next.rem == 0;
            serve = now;
            a = next;
        }
        if (*d.rst_i) {
            valid = completes = false;
            a.rem = 0;
            *d.rst_i = 0;
        }
    }
    assert_true(waits > 1000 && stores > 1000 && back_to_back > 1000 && idle > 100 && done > 1000 && resets > 20);
    for (unsigned i = 0; i < 3; i++)
        assert_true(passes[i] > 500);
    assert_int_equal(hd_assert_failures(d.m), 0);
    hd_close(d.m);
}

static void every_misuse_trips_an_assertion(void **state)
{
    (void)state;
    hd_lds_result_open(&d);
    if (hd_has_asserts(d.m)) {
        hd_reset(d.m);
        HD_PUT(d.pass_i, LDS_PASS_MADE, 1);
        HD_PUT(d.pass_i, LDS_PASS_LAST, 1);
        hd_edge(d.m);
        HD_PUT(d.there_i, LDS_THERE_VALID, 1); /* not taken, and one more pass */
        hd_edge(d.m);
        assert_true(hd_assert_failures(d.m) > 0);
        hd_assert_clear(d.m);
    }
    hd_close(d.m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(random_accesses_complete_with_the_words_of_their_passes),
        cmocka_unit_test(every_misuse_trips_an_assertion),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
