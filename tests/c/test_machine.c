/* Composed machine, small structure: whole operations from the warp port to memory and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_pkg.h"
#include "machine.h"

enum { SMS = 2, MANY_SMS = 33, WARPS = 4, LANES = 4, ALL = (1 << LANES) - 1, MAX_OPS = 256 };
enum { OWN_WORDS = 24, COUNTERS = 4, OWN_BASE = 0x4000, COUNTER_BASE = 0x100 };

static struct hd_config small(void)
{
    return (struct hd_config){.name = "small", .threads = 1, .sms = SMS, .partitions = 2, .warps = WARPS, .lanes = LANES,
        .line_bytes = 32, .blocks = 2, .scoreboard = 2, .mshr = 4, .mshr_targets = 8, .mshr_stores = 4, .mshr_cas = 2,
        .merge_lanes = 8, .l1_sets = 4, .l1_ways = 2, .lds_bytes = 64, .lds_banks = 2, .l2_writes = 4, .wb_entries = 2,
        .l2_sets = 4, .l2_ways = 4, .l2_mshr = 4,
        .queue_depth = 4, .flit_bytes = 32, .mem_credits = 4, .clk_ratio = 2, .lat_sm_xbar = 8, .lat_xbar_l2 = 6, .lat_l2_xbar = 6,
        .lat_xbar_sm = 8, .lat_credit = 4, .lat_dispatch = 8, .dram_latency = 40, .dram_banks = 4,
        .dram_row_bytes = 256, .dram_bytes_per_cycle = 8, .dram_row_miss = 20, .order = HD_MODEL_RMO,
        .scheduler = HD_SCHED_GTO, .watchdog = 5000, .skip_idle = true, .check_coherence = true,
        .check_conservation = true};
}

/* A client that plays one list of operations per warp, one after the other, and keeps what came back. */
struct script {
    struct hd_op op[MAX_OPS];
    unsigned count, next;       /* next to offer */
    bool buffered;
    unsigned outstanding;
    uint32_t got[MAX_OPS][LANES], ghost[MAX_OPS][LANES];
    uint32_t want[MAX_OPS][LANES], want_ghost[MAX_OPS][LANES]; /* of a load of own words */
    uint64_t done_at[MAX_OPS];
    unsigned slot_op[8];
    unsigned ctl_op;
};

struct player {
    struct script warp[MANY_SMS][WARPS];
    bool overlap;               /* offer the next operation while earlier ones are outstanding */
    unsigned left;
    uint64_t log[MANY_SMS];          /* hash of every event of an SM */
};

static void note(struct player *p, unsigned sm, uint64_t cycle, uint64_t what)
{
    uint64_t log = (p->log[sm] ^ cycle) * UINT64_C(0x9E3779B97F4A7C15);
    p->log[sm] = (log ^ log >> 29 ^ what) * UINT64_C(0xBF58476D1CE4E5B9);
}

/* All warps of a block are launched before any of them does something. */
static int candidate(struct player *p, unsigned sm)
{
    for (unsigned w = 0; w < WARPS; w++)
        if (p->warp[sm][w].count > 0 && p->warp[sm][w].next == 0)
            return (int)w;
    for (unsigned w = 0; w < WARPS; w++) {
        struct script *s = &p->warp[sm][w];
        if (s->next < s->count && !s->buffered && (p->overlap || s->outstanding == 0))
            return (int)w;
    }
    return -1;
}

static uint64_t player_wake(void *ctx, unsigned sm, uint64_t now)
{
    return candidate(ctx, sm) >= 0 ? now : HD_NEVER;
}

static const struct hd_op *player_offer(void *ctx, unsigned sm, uint64_t cycle)
{
    struct player *p = ctx;
    int w = candidate(p, sm);

    if (w < 0)
        return NULL;
    struct script *s = &p->warp[sm][w];
    struct hd_op *op = &s->op[s->next++];
    op->warp = (uint8_t)w;
    note(p, sm, cycle, op->warp);
    if (op->kind == HD_OP_LAUNCH) {
        p->left--;
        return op;
    }
    s->buffered = true;
    s->outstanding++;
    return op;
}

static void player_taken(void *ctx, unsigned sm, uint64_t cycle, unsigned warp, unsigned slot)
{
    struct player *p = ctx;
    struct script *s = &p->warp[sm][warp];

    note(p, sm, cycle, 1000 + slot);
    s->buffered = false;
    if (s->op[s->next - 1].kind <= HD_OP_ATOMIC)
        s->slot_op[slot] = s->next - 1;
    else
        s->ctl_op = s->next - 1;
}

static void player_complete(void *ctx, unsigned sm, uint64_t cycle, unsigned warp, unsigned slot, bool last,
                            hd_mask_t mask, const uint32_t *data, const uint32_t *ghost)
{
    struct player *p = ctx;
    struct script *s = &p->warp[sm][warp];

    for (unsigned i = 0; i < LANES; i++) {
        if (mask >> i & 1) {
            s->got[s->slot_op[slot]][i] = data[i];
            s->ghost[s->slot_op[slot]][i] = ghost[i];
            if (s->op[s->slot_op[slot]].kind != HD_OP_STORE)
                note(p, sm, cycle, data[i]);
        }
    }
    if (last) {
        s->done_at[s->slot_op[slot]] = cycle;
        s->outstanding--;
        p->left--;
    }
}

static void player_ctl_done(void *ctx, unsigned sm, uint64_t cycle, uint64_t warps, uint32_t clock)
{
    struct player *p = ctx;

    note(p, sm, cycle, warps ^ clock);
    for (unsigned w = 0; w < WARPS; w++) {
        if (warps >> w & 1) {
            struct script *s = &p->warp[sm][w];
            s->done_at[s->ctl_op] = cycle;
            s->outstanding--;
            p->left--;
        }
    }
}

static void player_flush_done(void *ctx, unsigned sm, uint64_t cycle)
{
    (void)ctx, (void)sm, (void)cycle;
}

static bool player_window(void *ctx, uint64_t next)
{
    (void)next;
    return ((struct player *)ctx)->left > 0;
}

static struct hd_client client_of(struct player *p)
{
    return (struct hd_client){.ctx = p, .wake = player_wake, .offer = player_offer, .taken = player_taken,
                              .complete = player_complete, .ctl_done = player_ctl_done,
                              .flush_done = player_flush_done, .window = player_window};
}

static struct hd_op *add(struct player *p, unsigned sm, unsigned warp, unsigned kind)
{
    struct script *s = &p->warp[sm][warp];

    if (s->count == 0) {
        s->op[s->count++] = (struct hd_op){.kind = HD_OP_LAUNCH, .block = 0};
        p->left++;
    }
    assert_true(s->count < MAX_OPS);
    s->op[s->count] = (struct hd_op){.kind = (uint8_t)kind, .mask = ALL};
    p->left++;
    return &s->op[s->count++];
}

static void assert_verdicts_pass(struct hd_machine *m)
{
    struct hd_verdicts v;

    hd_machine_verdicts(m, &v);
    assert_string_equal(v.conservation, "pass");
    assert_string_equal(v.coherence, "pass");
    assert_string_equal(v.watchdog, "pass");
    if (v.assertions != NULL)
        assert_string_equal(v.assertions, "pass");
}

static void run(struct hd_machine *m, struct player *p)
{
    struct hd_client client = client_of(p);
    enum hd_end end = hd_machine_run(m, &client);

    if (end != HD_END_CLIENT) {
        struct hd_verdicts v;
        hd_machine_verdicts(m, &v);
        print_error("ended with %d: %s / %s / %s\n", end, v.watchdog, v.coherence, v.conservation);
        hd_machine_explain(m, stderr);
    }
    assert_int_equal(end, HD_END_CLIENT);
}

static void a_store_reaches_memory_and_a_load_reads_it_back(void **state)
{
    struct hd_config c = small();
    struct player *p = calloc(1, sizeof *p);
    struct hd_machine *m = hd_machine_new(&c, NULL);

    (void)state;
    assert_non_null(m);
    hd_machine_poke(m, 0x1004, 77);
    struct hd_op *op = add(p, 0, 0, HD_OP_STORE);
    for (unsigned i = 0; i < LANES; i++) {
        op->addr[i] = 0x1000 + 8 * i; /* 0x1004 keeps its value */
        op->data[i] = 100 + i;
    }
    op = add(p, 0, 0, HD_OP_LOAD);
    for (unsigned i = 0; i < LANES; i++)
        op->addr[i] = 0x1000 + 4 * i;
    run(m, p);
    struct script *s = &p->warp[0][0];
    assert_int_equal(s->got[2][0], 100);
    assert_int_equal(s->got[2][1], 77);
    assert_int_equal(s->got[2][2], 101);
    assert_int_equal(s->got[2][3], 0);
    assert_int_equal(hd_machine_peek(m, 0x1000), 0); /* still in the L1 */
    assert_true(hd_machine_settle(m));
    assert_verdicts_pass(m);
    assert_true(hd_machine_flush(m));
    assert_verdicts_pass(m);
    for (unsigned i = 0; i < LANES; i++)
        assert_int_equal(hd_machine_peek(m, 0x1000 + 8 * i), 100 + i);
    assert_int_equal(hd_machine_peek(m, 0x1004), 77);
    print_message("store done at %" PRIu64 ", load done at %" PRIu64 ", flushed at %" PRIu64 "\n", s->done_at[1],
                  s->done_at[2], hd_machine_cycle(m));
    hd_machine_free(m);
    free(p);
}

/* A vector of the crossbars is wider than 64 bits then. */
static void more_sms_than_fit_in_a_word_share_memory(void **state)
{
    struct hd_config c = small();
    struct player *p = calloc(1, sizeof *p);

    (void)state;
    assert_non_null(p);
    c.sms = MANY_SMS;
    struct hd_machine *m = hd_machine_new(&c, NULL);
    assert_non_null(m);
    for (unsigned sm = 0; sm < MANY_SMS; sm++) {
        struct hd_op *op = add(p, sm, 0, HD_OP_ATOMIC);
        op->mask = 1;
        op->fn = HD_AT_ADD;
        op->addr[0] = COUNTER_BASE;
        op->data[0] = 1 + sm;
        op = add(p, sm, 0, HD_OP_STORE);
        op->mask = 1;
        op->addr[0] = OWN_BASE + 4 * sm;
        op->data[0] = 1000 + sm;
    }
    run(m, p);
    assert_true(hd_machine_flush(m));
    assert_verdicts_pass(m);
    assert_int_equal(hd_machine_peek(m, COUNTER_BASE), MANY_SMS * (MANY_SMS + 1) / 2);
    for (unsigned sm = 0; sm < MANY_SMS; sm++)
        assert_int_equal(hd_machine_peek(m, OWN_BASE + 4 * sm), 1000 + sm);
    hd_machine_free(m);
    free(p);
}

static uint64_t rng;
static uint32_t below(uint32_t n)
{
    rng ^= rng << 13;
    rng ^= rng >> 7;
    rng ^= rng << 17;
    return (uint32_t)(rng >> 16) % n;
}

/* Words of one lane, spread so that every line holds words of several warps and both SMs. */
static uint32_t own_addr(unsigned sm, unsigned warp, unsigned lane, unsigned word)
{
    return OWN_BASE + 4 * (((word * LANES + lane) * WARPS + warp) * SMS + sm);
}

/* What the whole program leaves behind. */
struct outcome {
    uint32_t word[SMS][WARPS][LANES][OWN_WORDS], counter[COUNTERS];
};

static void write_memory_op(struct player *p, struct outcome *o, uint32_t ghosts[][LANES][OWN_WORDS], unsigned sm,
                            unsigned w, uint32_t *next_ghost)
{
    unsigned kind = below(8) == 0 ? HD_OP_ATOMIC : below(2) ? HD_OP_LOAD : HD_OP_STORE;
    struct hd_op *op = add(p, sm, w, kind);
    unsigned number = p->warp[sm][w].count - 1, shared = below(COUNTERS);

    op->mask = 1 + below(ALL);
    op->alu = (uint16_t)(below(4) == 0 ? below(20) : 0);
    op->fn = HD_AT_ADD;
    for (unsigned i = 0; i < LANES; i++) {
        unsigned word = below(OWN_WORDS);
        op->addr[i] = kind == HD_OP_ATOMIC ? COUNTER_BASE + 4 * ((shared + i / 2) % COUNTERS)
                                           : own_addr(sm, w, i, word);
        op->data[i] = below(1 << 30);
        op->ghost[i] = ++*next_ghost;
        if (!(op->mask >> i & 1))
            continue;
        if (kind == HD_OP_ATOMIC) {
            o->counter[(shared + i / 2) % COUNTERS] += op->data[i];
        } else if (kind == HD_OP_STORE) {
            o->word[sm][w][i][word] = op->data[i];
            ghosts[w][i][word] = op->ghost[i];
        } else {
            p->warp[sm][w].want[number][i] = o->word[sm][w][i][word];
            p->warp[sm][w].want_ghost[number][i] = ghosts[w][i][word];
        }
    }
}

/* Random loads and stores of own words, atomics on shared counters, fences, barriers, arithmetic. */
static void write_random_program(struct player *p, struct outcome *o, uint64_t seed)
{
    static uint32_t ghosts[WARPS][LANES][OWN_WORDS];
    uint32_t next_ghost = 0;

    rng = seed;
    for (unsigned sm = 0; sm < SMS; sm++) {
        memset(ghosts, 0, sizeof ghosts);
        for (unsigned round = 0; round < 8; round++) {
            for (unsigned w = 0; w < WARPS; w++) {
                unsigned ops = below(24);
                for (unsigned n = 0; n < ops; n++) {
                    if (below(16) == 0)
                        add(p, sm, w, below(2) ? HD_OP_FENCE : HD_OP_NOP)->alu = (uint16_t)below(5);
                    else
                        write_memory_op(p, o, ghosts, sm, w, &next_ghost);
                }
            }
            for (unsigned w = 0; w < WARPS; w++)
                add(p, sm, w, round < 7 ? HD_OP_BARRIER : HD_OP_EXIT);
        }
    }
}

static void assert_loads_were_right(const struct player *p, bool ghosts)
{
    for (unsigned sm = 0; sm < SMS; sm++) {
        for (unsigned w = 0; w < WARPS; w++) {
            const struct script *s = &p->warp[sm][w];
            for (unsigned n = 0; n < s->count; n++) {
                for (unsigned i = 0; s->op[n].kind == HD_OP_LOAD && i < LANES; i++) {
                    if (!(s->op[n].mask >> i & 1))
                        continue;
                    if (s->got[n][i] != s->want[n][i])
                        fail_msg("SM %u warp %u operation %u lane %u address 0x%x: read 0x%x, stored was 0x%x", sm, w,
                                 n, i, (unsigned)s->op[n].addr[i], (unsigned)s->got[n][i], (unsigned)s->want[n][i]);
                    if (ghosts)
                        assert_int_equal(s->ghost[n][i], s->want_ghost[n][i]);
                }
            }
        }
    }
}

static void assert_memory_is(const struct hd_machine *m, const struct outcome *o)
{
    for (unsigned sm = 0; sm < SMS; sm++)
        for (unsigned w = 0; w < WARPS; w++)
            for (unsigned i = 0; i < LANES; i++)
                for (unsigned n = 0; n < OWN_WORDS; n++)
                    assert_int_equal(hd_machine_peek(m, own_addr(sm, w, i, n)), o->word[sm][w][i][n]);
    for (unsigned n = 0; n < COUNTERS; n++)
        assert_int_equal(hd_machine_peek(m, COUNTER_BASE + 4 * n), o->counter[n]);
}

enum { LISTED = 128 }; /* at least the counters of a machine */

/* What must not depend on how the tiles were run. */
struct trace {
    uint64_t log[SMS], end;
    struct hd_counter counter[LISTED];
    size_t counters;
};

/* @param one_in 0, or how many flits jitter for one that is delayed, whatever the configuration says */
static void play_with(const struct hd_config *c, uint64_t seed, unsigned one_in, struct trace *t)
{
    struct player *p = calloc(1, sizeof *p);
    struct outcome *o = calloc(1, sizeof *o);
    struct hd_machine *m = hd_machine_new(c, NULL);
    const struct hd_counter *list;

    assert_non_null(m);
    if (one_in != 0)
        hd_machine_jitter_one_in(m, one_in);
    p->overlap = true;
    write_random_program(p, o, seed);
    run(m, p);
    assert_loads_were_right(p, c->ghost_bits != 0);
    assert_true(hd_machine_flush(m));
    assert_verdicts_pass(m);
    assert_memory_is(m, o);
    memcpy(t->log, p->log, sizeof t->log);
    t->end = hd_machine_cycle(m);
    t->counters = hd_machine_counters(m, &list);
    assert_in_range(t->counters, 50, LISTED);
    memcpy(t->counter, list, t->counters * sizeof *list);
    hd_machine_free(m);
    free(o);
    free(p);
}

static void play(const struct hd_config *c, uint64_t seed, struct trace *t)
{
    play_with(c, seed, 0, t);
}

static uint64_t counter(const struct trace *t, const char *name)
{
    for (size_t i = 0; i < t->counters; i++)
        if (strcmp(t->counter[i].name, name) == 0)
            return t->counter[i].value;
    fail_msg("no counter %s", name);
    return 0;
}

static void skipping_and_windows_change_nothing(void **state)
{
    struct hd_config c = small();
    struct trace *first = calloc(1, sizeof *first), *other = calloc(1, sizeof *other);

    (void)state;
    play(&c, 4711, first);
    for (unsigned variant = 0; variant < 4; variant++) {
        c.skip_idle = variant % 2;
        c.window = variant < 2 ? 1 : 3;
        play(&c, 4711, other);
        assert_memory_equal(other->log, first->log, sizeof first->log);
        assert_int_equal(other->end, first->end);
        for (size_t i = 0; i < first->counters; i++)
            if (other->counter[i].value != first->counter[i].value)
                fail_msg("%s: %" PRIu64 " and %" PRIu64, first->counter[i].name, first->counter[i].value,
                         other->counter[i].value);
    }
    free(first);
    free(other);
}

static void how_many_flits_jitter_can_be_set_while_it_runs(void **state)
{
    struct hd_config c = small();
    struct trace *all = calloc(1, sizeof *all), *configured = calloc(1, sizeof *configured), *set = calloc(1, sizeof *set);

    (void)state;
    c.jitter = 24;
    c.jitter_one_in = 1;
    play(&c, 4711, all);
    play_with(&c, 4711, 8, set);
    c.jitter_one_in = 8;
    play(&c, 4711, configured);
    assert_memory_equal(set->log, configured->log, sizeof set->log);
    assert_int_equal(set->end, configured->end);
    assert_true(set->end < all->end);
    free(all);
    free(configured);
    free(set);
}

static void every_policy_computes_the_same_memory(void **state)
{
    struct trace *t = calloc(1, sizeof *t);
    static const char *const reached[] = {"l1.hit", "l1.miss", "l1.merge", "l1.reject_entry", "l1.upgrade",
        "l1.evict_clean", "l1.evict_dirty", "l1.inv", "l1.fetch", "l1.rmw_lane", "l2.hit", "l2.miss", "l2.chained",
        "l2.recall", "l2.putm", "l2.mem_write", "dram.row_hits", "link.flits.read", "link.flits.write",
        "link.flits.writeback", "link.flits.fetch", "link.flits.inv", "xbar.up_blocked_cycles"};
    uint64_t sum[sizeof reached / sizeof reached[0]] = {0};

    (void)state;
    for (unsigned variant = 0; variant < 18; variant++) {
        struct hd_config c = small();
        c.order = variant % 3;
        c.scheduler = variant % 2;
        play(&c, 100 + variant, t);
        for (size_t i = 0; i < sizeof reached / sizeof reached[0]; i++)
            sum[i] += counter(t, reached[i]);
    }
    for (size_t i = 0; i < sizeof reached / sizeof reached[0]; i++)
        if (sum[i] < 10)
            fail_msg("%s was reached %" PRIu64 " times only", reached[i], sum[i]);
    free(t);
}

static void the_smallest_queues_still_work_and_ghosts_come_back(void **state)
{
    struct hd_config c = small();
    struct trace *t = calloc(1, sizeof *t);

    (void)state;
    c.ghost_bits = 32; /* with the assertions of the RTL */
    c.queue_depth = 2;
    c.mem_credits = 1;
    c.mshr = c.mshr_targets = c.mshr_stores = c.mshr_cas = 1;
    c.merge_lanes = LANES;
    c.wb_entries = 1;
    c.l2_mshr = 1;
    c.clk_ratio = 1;
    c.lat_sm_xbar = c.lat_xbar_l2 = c.lat_l2_xbar = c.lat_xbar_sm = c.lat_credit = c.lat_dispatch = 1;
    for (unsigned variant = 0; variant < 6; variant++) {
        c.order = variant % 3;
        c.scheduler = variant % 2;
        play(&c, 900 + variant, t);
    }
    free(t);
}

static void a_barrier_nobody_completes_is_a_deadlock_and_is_explained(void **state)
{
    struct hd_config c = small();
    struct player *p = calloc(1, sizeof *p);
    struct hd_machine *m = hd_machine_new(&c, NULL);
    struct hd_client client = client_of(p);
    struct hd_verdicts v;
    char text[4096] = "";

    (void)state;
    assert_non_null(m);
    add(p, 1, 2, HD_OP_BARRIER);
    add(p, 1, 3, HD_OP_NOP); /* alive in the same block and never arrives */
    assert_int_equal(hd_machine_run(m, &client), HD_END_DEADLOCK);
    assert_in_range(hd_machine_cycle(m), c.watchdog, c.watchdog + hd_config_walk(&c) + 200);
    hd_machine_verdicts(m, &v);
    assert_non_null(strstr(v.watchdog, "deadlock"));
    assert_non_null(strstr(v.conservation, "control operations"));
    FILE *f = fmemopen(text, sizeof text - 1, "w");
    assert_non_null(f);
    hd_machine_explain(m, f);
    fclose(f);
    if (strstr(text, "SM 1: idle") == NULL || strstr(text, "warp 2 waits for its block: BARRIER, since") == NULL)
        fail_msg("%s", text);
    hd_machine_free(m);
    free(p);
}

/* A client that forgets that a warp's buffer holds one operation. */
static const struct hd_op *forgetful_offer(void *ctx, unsigned sm, uint64_t cycle)
{
    struct player *p = ctx;

    p->warp[sm][1].buffered = false;
    return player_offer(ctx, sm, cycle);
}

static void an_operation_offered_too_early_ends_the_run(void **state)
{
    struct hd_config c = small();
    struct player *p = calloc(1, sizeof *p);
    struct hd_machine *m = hd_machine_new(&c, NULL);
    struct hd_client client = client_of(p);
    struct hd_verdicts v;

    (void)state;
    assert_non_null(m);
    client.offer = forgetful_offer;
    p->overlap = true;
    add(p, 0, 1, HD_OP_NOP)->alu = 50;
    add(p, 0, 1, HD_OP_NOP);
    assert_int_equal(hd_machine_run(m, &client), HD_END_CHECK);
    hd_machine_verdicts(m, &v);
    assert_non_null(strstr(v.conservation, "SM 0: warp port: an operation was offered before"));
    hd_machine_free(m);
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_reaches_memory_and_a_load_reads_it_back),
        cmocka_unit_test(more_sms_than_fit_in_a_word_share_memory),
        cmocka_unit_test(skipping_and_windows_change_nothing),
        cmocka_unit_test(how_many_flits_jitter_can_be_set_while_it_runs),
        cmocka_unit_test(every_policy_computes_the_same_memory),
        cmocka_unit_test(the_smallest_queues_still_work_and_ghosts_come_back),
        cmocka_unit_test(a_barrier_nobody_completes_is_a_deadlock_and_is_explained),
        cmocka_unit_test(an_operation_offered_too_early_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
