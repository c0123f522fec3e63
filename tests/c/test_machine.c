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

enum { SMS = 2, WARPS = 4, LANES = 4, MAX_OPS = 256 };

static struct hd_config small(void)
{
    return (struct hd_config){.name = "small", .sms = SMS, .partitions = 2, .warps = WARPS, .lanes = LANES,
        .line_bytes = 32, .blocks = 2, .scoreboard = 2, .mshr = 4, .mshr_targets = 8, .mshr_stores = 4, .mshr_cas = 2,
        .merge_lanes = 8, .l1_sets = 4, .l1_ways = 2, .wb_entries = 2, .l2_sets = 4, .l2_ways = 4, .l2_mshr = 4,
        .queue_depth = 4, .mem_credits = 4, .clk_ratio = 2, .lat_sm_xbar = 8, .lat_xbar_l2 = 6, .lat_l2_xbar = 6,
        .lat_xbar_sm = 8, .lat_credit = 4, .lat_dispatch = 8, .dram_latency = 40, .dram_banks = 4,
        .dram_row_bytes = 256, .dram_bytes_per_cycle = 8, .dram_row_miss = 20, .model = HD_MODEL_RMO,
        .sched = HD_SCHED_GTO, .watchdog = 5000, .skip_idle = true, .check_coherence = true,
        .check_conservation = true};
}

/* A client that plays one list of operations per warp, one after the other, and keeps what came back. */
struct script {
    struct hd_op op[MAX_OPS];
    unsigned count, next;       /* next to offer */
    bool waits;                 /* the last one offered is not done */
    bool buffered;
    unsigned outstanding;
    uint32_t got[MAX_OPS][LANES];
    uint64_t done_at[MAX_OPS];
    unsigned slot_op[8];
    unsigned ctl_op;
};

struct player {
    struct script warp[SMS][WARPS];
    bool overlap;               /* offer the next operation while earlier ones are outstanding */
    unsigned left;
    uint64_t log;               /* hash of every event */
};

static void note(struct player *p, uint64_t a, uint64_t b)
{
    p->log = (p->log ^ a) * UINT64_C(0x9E3779B97F4A7C15);
    p->log = (p->log ^ p->log >> 29 ^ b) * UINT64_C(0xBF58476D1CE4E5B9);
}

static int candidate(struct player *p, unsigned sm)
{
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
    note(p, cycle, sm * 64 + op->warp);
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

    note(p, cycle, 1000 + slot);
    s->buffered = false;
    if (s->op[s->next - 1].kind <= HD_OP_ATOMIC)
        s->slot_op[slot] = s->next - 1;
    else
        s->ctl_op = s->next - 1;
}

static void player_complete(void *ctx, unsigned sm, uint64_t cycle, unsigned warp, unsigned slot, bool last,
                            uint32_t mask, const uint32_t *data, const uint32_t *ghost)
{
    struct player *p = ctx;
    struct script *s = &p->warp[sm][warp];

    (void)ghost;
    for (unsigned i = 0; i < LANES; i++) {
        if (mask >> i & 1) {
            s->got[s->slot_op[slot]][i] = data[i];
            if (s->op[s->slot_op[slot]].kind != HD_OP_STORE)
                note(p, cycle, data[i]);
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

    note(p, cycle, warps ^ clock);
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
    s->op[s->count] = (struct hd_op){.kind = (uint8_t)kind, .mask = (1u << LANES) - 1};
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_reaches_memory_and_a_load_reads_it_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
