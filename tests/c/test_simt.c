/* test_simt.c - the SIMT runtime, the dispatcher and the kernels on a machine made of C: fixed rules, random
 * latencies, no hardware. It implements machine.h and checks that the runtime keeps the rules of the warp port. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "dispatch.h"
#include "hd_pkg.h"
#include "machine.h"
#include "run/run.h"
#include "simt.h"
#include "work.h"

/* ---- the machine: memory operations are performed when they issue and complete some cycles later ------------- */

enum { TEXT = 700, MEM_WORDS = 1 << 24, LDS_WORDS = 1 << 14, MAX_SMS = 4, MAX_WARPS = 64, MAX_SLOTS = 8 };

struct slot {
    bool busy, transaction; /* transaction: an operation of one, answered with the lanes that have lost */
    hd_mask_t tcm;
    unsigned parts; /* completions still to come */
    uint64_t due;
    hd_mask_t mask;
    uint32_t data[HD_MAX_LANES];
};

struct fake_warp {
    bool live, buffered, control; /* control: taken and not done */
    bool inside;                  /* a transaction */
    unsigned kind, block;
    uint32_t alu;
    struct hd_op op;
    struct slot slot[MAX_SLOTS];
};

struct fake_sm {
    struct fake_warp warp[MAX_WARPS];
    uint32_t lds[LDS_WORDS];
    unsigned turn;
};

struct hd_machine {
    struct hd_config c;
    uint32_t *mem;
    struct fake_sm sm[MAX_SMS];
    uint64_t cycle, random;
};

/* What the tests turn and read. */
static struct {
    uint64_t break_at;     /* this completion (counted from 1) comes with a lane it must not have */
    uint32_t corrupt;      /* this address changes during the flush */
    uint64_t completions, alu, nops, stores_issued;
    unsigned lds_controls; /* operations that access no memory, and name the LDS */
    uint32_t first;        /* address of the workload's memory */
    unsigned resident;     /* most blocks at a time seen on an SM */
    unsigned launched[4096][2]; /* SM and block slot of each launch of a first warp */
    unsigned launches;
    hd_mask_t lost;        /* lanes that lose the first attempt of a transaction at its first access */
    unsigned attempts;     /* TX_BEGINs */
} fake;

static bool is_transaction(unsigned kind)
{
    return kind == HD_OP_TX_BEGIN || kind == HD_OP_TX_COMMIT;
}

static unsigned latency(struct hd_machine *m, unsigned sm, const struct hd_op *op, uint64_t cycle)
{
    uint64_t z = (cycle << 20 ^ (uint64_t)sm << 10 ^ op->warp) * 0x9e3779b97f4a7c15u + m->random;
    return 3 + (unsigned)((z ^ z >> 29) * 0xbf58476d1ce4e5b9u >> 58);
}

static uint32_t atomic(unsigned fn, uint32_t old, uint32_t b, uint32_t cmp)
{
    switch (fn) {
    case HD_AT_ADD:
        return old + b;
    case HD_AT_MIN:
        return (int32_t)old < (int32_t)b ? old : b;
    case HD_AT_MAX:
        return (int32_t)old < (int32_t)b ? b : old;
    case HD_AT_AND:
        return old & b;
    case HD_AT_OR:
        return old | b;
    case HD_AT_XOR:
        return old ^ b;
    case HD_AT_EXCH:
        return b;
    case HD_AT_CAS:
        return old == cmp ? b : old;
    case HD_AT_INC:
        return old < b ? old + 1 : 0;
    case HD_AT_DEC:
        return old == 0 || old > b ? b : old - 1;
    case HD_AT_UMIN:
        return old < b ? old : b;
    case HD_AT_UMAX:
        return old < b ? b : old;
    default:
        fail_msg("atomic function %u is not in the fake machine", fn);
        return 0;
    }
}

static void perform(struct hd_machine *m, unsigned sm, unsigned w, unsigned s, uint64_t cycle)
{
    struct fake_warp *fw = &m->sm[sm].warp[w];
    struct hd_op *op = &fw->op;
    struct slot *slot = &fw->slot[s];
    slot->busy = true;
    slot->mask = op->mask;
    slot->parts = op->mask & (op->mask - 1) && (cycle & 1) && !fw->inside && !is_transaction(op->kind) ? 2 : 1;
    slot->due = cycle + latency(m, sm, op, cycle);
    slot->transaction = is_transaction(op->kind) || (fw->inside && op->space == HD_SPACE_LDS);
    slot->tcm = op->kind == HD_OP_TX_BEGIN ? 0 : fake.lost;
    if (is_transaction(op->kind)) {
        fw->inside = op->kind == HD_OP_TX_BEGIN;
        fake.attempts += fw->inside;
        fake.lost = fw->inside ? fake.lost : 0;
        return;
    }
    for (unsigned l = 0; l < m->c.lanes; l++) {
        if ((op->mask >> l & 1) == 0)
            continue;
        assert_int_equal(op->addr[l] & 3, 0);
        bool lds = op->space == HD_SPACE_LDS;
        assert_true(op->addr[l] / 4 < (lds ? LDS_WORDS : MEM_WORDS));
        uint32_t *word = lds ? &m->sm[sm].lds[op->addr[l] / 4] : &m->mem[op->addr[l] / 4];
        slot->data[l] = *word;
        if (op->kind == HD_OP_STORE)
            *word = op->data[l];
        else if (op->kind == HD_OP_ATOMIC)
            *word = atomic(op->fn, *word, op->data[l], op->cmp[l]);
    }
}

static bool quiet(const struct fake_warp *w)
{
    for (unsigned s = 0; s < MAX_SLOTS; s++)
        if (w->slot[s].busy)
            return false;
    return true;
}

static void accept(struct hd_machine *m, unsigned sm, const struct hd_op *op)
{
    assert_true(op->warp < m->c.warps);
    struct fake_warp *w = &m->sm[sm].warp[op->warp];
    if (op->kind == HD_OP_LAUNCH) {
        assert_false(w->live);
        w->live = true;
        w->block = op->block;
        unsigned blocks = 0;
        for (unsigned i = 0; i < m->c.warps; i++)
            if (m->sm[sm].warp[i].live)
                blocks |= 1u << m->sm[sm].warp[i].block;
        unsigned n = (unsigned)__builtin_popcount(blocks);
        fake.resident = n > fake.resident ? n : fake.resident;
        if (fake.launches < 4096) {
            fake.launched[fake.launches][0] = sm;
            fake.launched[fake.launches++][1] = op->block;
        }
        return;
    }
    assert_true(w->live);
    assert_false(w->buffered); /* the one-deep buffer must be empty */
    assert_true(op->kind == HD_OP_NOP || op->mask != 0);
    w->op = *op;
    w->alu = op->alu;
    w->buffered = true;
}

/* One issue slot: an ALU instruction or the operation of the next warp that can. @return its warp or -1. */
static int issue(struct hd_machine *m, unsigned sm, uint64_t cycle, unsigned *slot)
{
    struct fake_sm *f = &m->sm[sm];
    for (unsigned n = 0; n < m->c.warps; n++) {
        unsigned i = (f->turn + n) % m->c.warps;
        struct fake_warp *w = &f->warp[i];
        if (!w->buffered || w->control)
            continue;
        if (w->alu > 0) {
            w->alu--;
            fake.alu++;
            f->turn = i + 1;
            return -1;
        }
        *slot = 0;
        if (w->op.kind <= HD_OP_ATOMIC || is_transaction(w->op.kind)) {
            while (*slot < m->c.scoreboard && w->slot[*slot].busy)
                ++*slot;
            if (*slot == m->c.scoreboard)
                continue;
            perform(m, sm, i, *slot, cycle);
            fake.stores_issued += w->op.kind == HD_OP_STORE;
        } else {
            w->control = true;
            w->kind = w->op.kind;
            fake.nops += w->op.kind == HD_OP_NOP;
            fake.lds_controls += w->op.space == HD_SPACE_LDS;
        }
        w->buffered = false;
        f->turn = i + 1;
        return (int)i;
    }
    return -1;
}

/* Warps whose fence, exit, barrier, ... is done. */
static uint64_t controls(struct hd_machine *m, unsigned sm)
{
    struct fake_sm *f = &m->sm[sm];
    uint64_t done = 0;
    for (unsigned i = 0; i < m->c.warps; i++) {
        struct fake_warp *w = &f->warp[i];
        if (!w->control || w->kind == HD_OP_BARRIER)
            continue;
        if ((w->kind == HD_OP_FENCE || w->kind == HD_OP_EXIT) && !quiet(w))
            continue;
        done |= 1ull << i;
    }
    for (unsigned b = 0; b < m->c.blocks; b++) {
        uint64_t here = 0;
        bool all = true;
        for (unsigned i = 0; i < m->c.warps; i++) {
            struct fake_warp *w = &f->warp[i];
            if (!w->live || w->block != b || (w->control && w->kind == HD_OP_EXIT))
                continue;
            if (w->control && w->kind == HD_OP_BARRIER)
                here |= 1ull << i;
            else
                all = false;
        }
        if (all)
            done |= here;
    }
    for (unsigned i = 0; i < m->c.warps; i++)
        if (done >> i & 1) {
            f->warp[i].control = false;
            if (f->warp[i].kind == HD_OP_EXIT)
                f->warp[i].live = false;
        }
    return done;
}

static void complete(struct hd_machine *m, const struct hd_client *client, unsigned sm, uint64_t cycle)
{
    for (unsigned i = 0; i < m->c.warps; i++)
        for (unsigned s = 0; s < m->c.scoreboard; s++) {
            struct slot *slot = &m->sm[sm].warp[i].slot[s];
            if (!slot->busy || slot->due > cycle)
                continue;
            hd_mask_t mask = slot->parts == 2 ? slot->mask & -slot->mask : slot->mask;
            slot->mask &= ~mask;
            bool last = --slot->parts == 0;
            slot->busy = !last;
            if (++fake.completions == fake.break_at)
                mask = ~mask;
            if (slot->transaction)
                client->status(client->ctx, sm, i, 0, slot->tcm);
            client->complete(client->ctx, sm, cycle, i, s, last, mask, slot->data, NULL);
            return; /* one a cycle */
        }
}

static void step(struct hd_machine *m, const struct hd_client *client, unsigned sm, uint64_t cycle)
{
    uint64_t at = client->wake(client->ctx, sm, cycle);
    assert_true(at >= cycle);
    const struct hd_op *op = at == cycle ? client->offer(client->ctx, sm, cycle) : NULL;
    if (at == cycle)
        assert_non_null(op);
    unsigned slot = 0;
    int taken = issue(m, sm, cycle, &slot);
    if (op)
        accept(m, sm, op); /* may issue from the next edge on */
    uint64_t done = controls(m, sm);
    if (taken >= 0)
        client->taken(client->ctx, sm, cycle, (unsigned)taken, slot);
    complete(m, client, sm, cycle);
    if (done)
        client->ctl_done(client->ctx, sm, cycle, done, (uint32_t)cycle);
}

struct hd_machine *hd_machine_new(const struct hd_config *c, const char *wave)
{
    (void)wave;
    struct hd_machine *m = calloc(1, sizeof *m);
    m->c = *c;
    m->mem = calloc(MEM_WORDS, sizeof *m->mem);
    return m;
}

struct hd_machine *hd_machine_new_of(const struct hd_config *c, const char *wave, const struct hd_model_paths *paths)
{
    (void)paths;
    return hd_machine_new(c, wave);
}

void hd_machine_free(struct hd_machine *m)
{
    if (m)
        free(m->mem);
    free(m);
}

enum hd_end hd_machine_run(struct hd_machine *m, const struct hd_client *client)
{
    unsigned window = hd_config_window(&m->c);
    for (uint64_t until = m->cycle + 20000000; m->cycle < until;) {
        for (unsigned sm = 0; sm < m->c.sms; sm++)
            for (uint64_t t = m->cycle; t < m->cycle + window; t++)
                step(m, client, sm, t);
        m->cycle += window;
        if (!client->window(client->ctx, m->cycle))
            return HD_END_CLIENT;
    }
    return HD_END_DEADLOCK;
}

bool hd_machine_settle(struct hd_machine *m)
{
    (void)m;
    return true;
}

bool hd_machine_flush(struct hd_machine *m)
{
    if (fake.corrupt)
        m->mem[fake.corrupt / 4] ^= 4;
    return true;
}

uint64_t hd_machine_cycle(const struct hd_machine *m)
{
    return m->cycle;
}

uint32_t hd_machine_peek(const struct hd_machine *m, uint32_t addr)
{
    return m->mem[addr / 4];
}

void hd_machine_poke(struct hd_machine *m, uint32_t addr, uint32_t value)
{
    m->mem[addr / 4] = value;
}

void hd_machine_verdicts(struct hd_machine *m, struct hd_verdicts *v)
{
    (void)m;
    *v = (struct hd_verdicts){"pass", "pass", "pass", NULL};
}

size_t hd_machine_counters(struct hd_machine *m, const struct hd_counter **list)
{
    (void)m;
    static const struct hd_counter counters[] = {{"l1.hit", 3}, {"l1.miss", 1}};
    *list = counters;
    return 2;
}

size_t hd_machine_host_counters(struct hd_machine *m, const struct hd_counter **list)
{
    (void)m;
    (void)list;
    return 0;
}

bool hd_machine_broken(const struct hd_machine *m)
{
    (void)m;
    return false;
}

bool hd_machine_stopped(const struct hd_machine *m)
{
    (void)m;
    return false;
}

void hd_machine_done(struct hd_machine *m)
{
    (void)m;
}

void hd_machine_explain(struct hd_machine *m, FILE *file)
{
    (void)m;
    (void)file;
}

struct hd_evlist *hd_machine_performed(struct hd_machine *m, unsigned home)
{
    (void)m;
    (void)home;
    return NULL;
}

unsigned hd_machine_window(const struct hd_machine *m)
{
    return hd_config_window(&m->c);
}

void hd_machine_wave_window(struct hd_machine *m, uint64_t from, uint64_t to)
{
    (void)m, (void)from, (void)to;
}

bool hd_machine_link(const struct hd_machine *m, size_t i, char name[80], uint64_t *flits, unsigned *cycles)
{
    (void)m, (void)i, (void)name, (void)flits, (void)cycles;
    return false;
}

bool hd_machine_port_log(struct hd_machine *m, FILE *file)
{
    (void)m, (void)file;
    return true;
}

struct hd_nvram *hd_machine_nvram(const struct hd_machine *m, unsigned partition)
{
    (void)m, (void)partition;
    return NULL;
}

/* ---- the tests ---------------------------------------------------------------------------------------------- */

static struct hd_config small_config(void)
{
    struct hd_config c;
    hd_config_default(&c);
    c.sms = 3;
    c.partitions = 1;
    c.warps = 16;
    c.blocks = 4;
    c.window = 8;
    c.lat_dispatch = 8;
    memset(&fake, 0, sizeof fake);
    return c;
}

/* Runs a workload; the caller frees *r. */
static int run_work(struct hd_result *r, struct hd_run_options *o, const struct hd_config *c, const char *name,
                    const char *const *params)
{
    size_t n = 0;
    while (params[n])
        n++;
    *o = (struct hd_run_options){.config = c, .workload = hd_workload_find(name), .params = params, .num_params = n,
                                 .seed = 7};
    assert_non_null(o->workload);
    return hd_run(o, r);
}

static void expect_good(const struct hd_config *c, const char *name, const char *const *params)
{
    struct hd_result r;
    struct hd_run_options o;
    assert_int_equal(run_work(&r, &o, c, name, params), 0);
    assert_true(hd_result_good(&r));
    assert_int_equal(hd_result_passed(&r), 5);
    assert_true(hd_simt_done(r.simt));
    assert_true(r.cycles > 0 && r.instructions > 0);
    hd_result_free(&r);
}

static const char *const none[] = {NULL};

/* Workloads that want what this machine has not: persist barriers, transactions, an SM for each node. */
static bool wants_more(const char *name)
{
    return strcmp(name, "plog") == 0 || strcmp(name, "txracy") == 0 || strcmp(name, "probe") == 0;
}

static void every_kernel_matches_its_reference(void **state)
{
    (void)state;
    struct hd_config c = small_config();
    for (const struct hd_workload *const *w = hd_workloads(); *w; w++)
        if (!(*w)->full && !wants_more((*w)->name)) /* those with sizes want a whole machine: tests/system/workloads.sh */
            expect_good(&c, (*w)->name, none);
    static const char *const gemm[] = {"nk=12", "block_rows=3", NULL};
    expect_good(&c, "gemm", gemm);
}

static void kernels_do_not_care_how_many_lanes_a_warp_has(void **state)
{
    (void)state;
    static const char *const vecadd[] = {"n=1003", "threads=100", NULL};
    static const char *const gemm[] = {"nk=5", "block_rows=2", "block_cols=2", NULL};
    static const char *const histogram[] = {"threads=50", "blocks=5", NULL};
    static const char *const stream[] = {"threads=33", "items=5", "ahead=3", NULL};
    static const unsigned lanes[] = {64, 44, 32, 24, 16, 8};
    for (size_t i = 0; i < sizeof lanes / sizeof lanes[0]; i++) {
        struct hd_config c = small_config();
        c.warps = 64;
        c.lanes = lanes[i];
        c.scoreboard = 1 + (unsigned)i % 2 * 3;
        expect_good(&c, "vecadd", vecadd);
        expect_good(&c, "gemm", gemm);
        expect_good(&c, "histogram", histogram);
        expect_good(&c, "stream", stream);
        expect_good(&c, "spinlock", none);
    }
}

static void every_kernel_runs_in_warps_of_64_lanes(void **state)
{
    (void)state;
    static const struct {
        const char *name, *params[6];
    } runs[] = {
        {"2dconv", {"block_cols=2", "block_rows=1"}},
        {"backoff_mutex", {"visits=2", "n=2"}},
        {"backoff_sem", {"visits=2", "n=2"}},
        {"flag_barrier", {"visits=2", "n=2", "exchange=1"}},
        {"kv", {"blocks=1", "threads=64", "puts=3"}},
        {"lavamd", {"particles=4", "partners=2"}},
        {"nn", {"records=500"}},
        {"sgemm", {"n=16", "k=8"}},
        {"sleep_mutex", {"visits=2", "n=2"}},
        {"spin_mutex", {"visits=2", "n=2"}},
        {"spin_sem", {"visits=2", "n=2"}},
        {"stencil", {"x=16", "y=8", "z=3"}},
        {"ticket_mutex", {"visits=2", "n=2"}},
        {"tree_barrier", {"visits=2", "n=2"}},
        {"uts", {"nodes=63", "warps=1"}},
        {"3mm", {"nk=4", "block_cols=2"}},
        {"b+tree", {"queries=6", "ranges=4", "keys=300", "fill=9"}},
        {"backprop", {"inputs=48"}},
        {"bfs", {"nodes=300", "threads=128"}},
        {"chase", {"warps=3", "length=20"}},
        {"dlb", {"blocks=5", "tasks=40", "roots=3"}},
        {"drf", {NULL}},
        {"fdtd-2d", {"block_cols=3", "block_rows=2"}},
        {"gemm", {"nk=5", "block_rows=2"}},
        {"heartwall", {"blocks=1", "outputs=3", "steps=4"}},
        {"histogram", {"threads=200", "bins=5"}},
        {"hotspot", {"cols=40", "block_rows=2", "grids=2"}},
        {"lud", {"n=30", "tile=10"}},
        {"memcached", {"gets=200", "items=300"}},
        {"mvt", {"blocks=1", "row_steps=3", "column_steps=12", "pitch=256"}},
        {"ga", {"n=32", "way=1"}},
        {"ht", {"n=32", "way=1"}},
        {"km", {"n=8", "way=1"}},
        {"nw", {"n=36", "tile=12"}},
        {"outstanding", {"threads=200", "loads=3", "lanes=50"}},
        {"pathfinder", {"cols=500", "rows=6", "height=3"}},
        {"ptree", {"leaves=64", "threads=64", "algorithm=1"}},
        {"racy", {"ops=300"}},
        {"reduce", {"blocks=9", "threads=256"}},
        {"spinlock", {"blocks=4"}},
        {"srad", {"n=24", "tile=12", "steps=2"}},
        {"starve", {"warps=3"}},
        {"stn", {"blocks=2", "side=20"}},
        {"stream", {"items=5", "threads=160"}},
        {"streamcluster", {"blocks=2", "threads=128", "dims=4", "pitch=1024"}},
        {"tiles", {"blocks=3", "tiles=3", "threads=96"}},
        {"vecadd", {"n=2001", "threads=96"}},
    };
    struct hd_config c = small_config();
    c.lanes = 64;
    c.line_bytes = 64;
    size_t n = sizeof runs / sizeof runs[0], all = 0;
    for (const struct hd_workload *const *w = hd_workloads(); *w; w++)
        all += !wants_more((*w)->name);
    assert_int_equal(n, all);
    for (size_t i = 0; i < n; i++)
        expect_good(&c, runs[i].name, runs[i].params);
}

static void a_wrong_word_in_memory_fails_golden_and_is_named(void **state)
{
    (void)state;
    struct hd_config c = small_config();
    struct hd_result r;
    struct hd_run_options o;
    fake.corrupt = 16384 + 4 * 5; /* the first array starts at 16 KiB: a[5] */
    assert_int_equal(run_work(&r, &o, &c, "vecadd", none), 0);
    assert_false(hd_result_good(&r));
    assert_non_null(strstr(r.check[0].verdict, "a[5] at 0x00004014: reference 0x"));
    hd_result_free(&r);
}

static void windows_do_not_change_cycles(void **state)
{
    (void)state;
    static const char *const params[] = {"nk=9", "block_rows=7", "resident=2", NULL};
    uint64_t cycles[4] = {0};
    static const unsigned windows[] = {1, 3, 8, 8};
    for (size_t i = 0; i < 4; i++) {
        struct hd_config c = small_config();
        c.window = windows[i];
        struct hd_result r;
        struct hd_run_options o;
        assert_int_equal(run_work(&r, &o, &c, "gemm", params), 0);
        assert_true(hd_result_good(&r));
        cycles[i] = r.cycles;
        assert_int_equal(cycles[i], cycles[0]);
        assert_int_equal(fake.resident, c.warps / 8 < 2 ? 1 : 2);
        hd_result_free(&r);
    }
}

/* Adds a kernel of @grid_x x @grid_y blocks of @block_x x @block_y threads. */
static const char *add(struct hd_simt *s, hd_kernel *fn, void *args, unsigned grid_x, unsigned grid_y, unsigned block_x,
                       unsigned block_y, unsigned lds_bytes, unsigned resident)
{
    return hd_simt_add(s, &(struct hd_launch){.fn = fn, .args = args, .grid_x = grid_x, .grid_y = grid_y, .block_x = block_x,
                                              .block_y = block_y, .lds_bytes = lds_bytes, .resident = resident});
}

/* A kernel run on its own, without a workload; @lds bytes of LDS a block. */
static enum hd_fault run_launch(const struct hd_config *c, const struct hd_launch *launch, uint64_t limit, char text[TEXT])
{
    fake.resident = 0;
    struct hd_machine *m = hd_machine_new(c, NULL);
    struct hd_simt *s = hd_simt_new(c);
    struct hd_client client;
    hd_simt_limit(s, fake.first, limit);
    assert_null(hd_simt_add(s, launch));
    hd_simt_start(s, 0, &client);
    assert_int_equal(hd_machine_run(m, &client), HD_END_CLIENT);
    const char *why;
    enum hd_fault fault = hd_simt_fault(s, &why);
    snprintf(text, TEXT, "%s", why);
    hd_simt_free(s);
    hd_machine_free(m);
    return fault;
}

static enum hd_fault run_kernel_lds(const struct hd_config *c, hd_kernel *fn, void *args, unsigned grid, unsigned block,
                                    uint64_t limit, unsigned lds, char text[TEXT])
{
    return run_launch(c, &(struct hd_launch){.fn = fn, .args = args, .grid_x = grid, .grid_y = 1, .block_x = block, .block_y = 1,
                                             .lds_bytes = lds}, limit, text);
}

static enum hd_fault run_kernel(const struct hd_config *c, hd_kernel *fn, void *args, unsigned grid, unsigned block,
                                uint64_t limit, char text[TEXT])
{
    return run_kernel_lds(c, fn, args, grid, block, limit, 0, text);
}

static void misaligned(struct hd_warp *w, void *args)
{
    (void)args;
    uint32_t a[HD_MAX_LANES] = {0};
    a[3] = hd_block(w) == 1 ? 4098 : 4096;
    hd_ld(w, 8, a);
}

static void beyond(struct hd_warp *w, void *args)
{
    (void)args;
    hd_st_row(w, 1, 4096, &(uint32_t){1});
}

static void stale(struct hd_warp *w, void *args)
{
    (void)args;
    hd_tok t = hd_ld_all(w, 1, 64);
    for (int i = 0; i < HD_TOKENS - 1; i++)
        hd_ld_all(w, 1, 64);
    hd_use(w, t);
    hd_ld_all(w, 1, 64);
    hd_use(w, t);
}

static void program_errors_name_warp_and_address(void **state)
{
    (void)state;
    struct hd_config c = small_config();
    char text[TEXT];
    assert_int_equal(run_kernel(&c, misaligned, NULL, 3, 64, 0, text), HD_FAULT_PROGRAM);
    assert_non_null(strstr(text, "SM 1, cycle "));
    assert_non_null(strstr(text, "warp 0 (block 1, warp 0 of it), lane 3: address 0x00001002 is not a multiple of 4"));
    assert_int_equal(run_kernel(&c, beyond, NULL, 1, 32, 4096, text), HD_FAULT_PROGRAM);
    assert_non_null(strstr(text, "address 0x00001000 is beyond the workload's memory, 0x1000 bytes"));
    assert_int_equal(run_kernel(&c, beyond, NULL, 1, 32, 4100, text), HD_FAULT_NONE);
    assert_int_equal(run_kernel(&c, stale, NULL, 1, 32, 0, text), HD_FAULT_PROGRAM);
    assert_non_null(strstr(text, "token 0 is not one of the last 32; the next is 33"));
}

/* ---- transactions ---- */

enum misuse { GLOBAL_STORE, GLOBAL_ATOMIC, BARRIER, SLEEP, END, NO_BEGIN, OTHER_LANES, TOO_FAR, ARRAYS, MISUSES };

static void misuse(struct hd_warp *w, void *args)
{
    const enum misuse what = *(const enum misuse *)args;
    uint32_t a[HD_MAX_LANES] = {0}, v[HD_MAX_LANES] = {0}, own[HD_TX_PRIVATE + 1][HD_MAX_LANES] = {{0}};
    if (what == NO_BEGIN)
        hd_tx_commit(w);
    for (unsigned i = 0; i < (what == ARRAYS ? HD_TX_PRIVATE + 1 : HD_TX_PRIVATE); i++)
        hd_tx_private(w, own[i], sizeof own[i][0]);
    hd_mask_t m = hd_tx_begin(w, 7);
    assert_int_equal(m, 7);
    hd_use(w, hd_ld(w, m, a)); /* loads of global memory are allowed */
    a[1] = 4, a[2] = what == TOO_FAR ? 4 * 40 : 4 * 40 - 4;
    hd_use(w, hd_lds_ld(w, what == OTHER_LANES ? 15 : m, a, HD_ORD_RELAXED, HD_SCOPE_WG));
    if (what == GLOBAL_STORE)
        hd_st(w, m, v, v);
    if (what == GLOBAL_ATOMIC)
        hd_atom(w, HD_AT_ADD, m, v, v);
    if (what == BARRIER)
        hd_bar(w);
    if (what == SLEEP)
        hd_sleep(w, hd_now(w) + 5);
    if (what == END)
        return;
    assert_false(hd_tx_commit(w));
}

static struct hd_config transactions_config(void)
{
    struct hd_config c = small_config();
    c.sms = 1;
    c.blocks = 1;
    c.warps = 2;
    c.tm_warps = 1;
    c.local_tm = 1;
    c.lds_banks = 8;
    c.tm_rows = 5; /* 40 words */
    return c;
}

static void what_no_transaction_may_do_ends_the_run_with_warp_operation_and_cycle(void **state)
{
    (void)state;
    static const char *const says[MISUSES] = {
        [GLOBAL_STORE] = "a store to global memory inside a transaction",
        [GLOBAL_ATOMIC] = "an atomic on global memory inside a transaction",
        [BARRIER] = "a barrier inside a transaction",
        [SLEEP] = "sleeping inside a transaction",
        [END] = "the end of the kernel inside a transaction",
        [NO_BEGIN] = "a commit without a begin",
        [OTHER_LANES] = "lanes 8 of an access are not in the transaction",
        [TOO_FAR] = "lane 2: address 0x000000a0 is beyond what a transaction may use (tm_rows), 0xa0 bytes",
        [ARRAYS] = "more than HD_TX_PRIVATE private arrays",
    };
    struct hd_config c = transactions_config();
    char text[TEXT];
    for (enum misuse what = 0; what <= MISUSES; what++) {
        const enum hd_fault fault = run_kernel_lds(&c, misuse, &what, 1, 32, 0, 1024, text);
        if (fault != (what == MISUSES ? HD_FAULT_NONE : HD_FAULT_PROGRAM))
            fail_msg("misuse %d: %s", what, text);
        if (what < MISUSES && (!strstr(text, says[what]) || !strstr(text, "SM 0, cycle ")
                               || !strstr(text, "warp 0 (block 0, warp 0 of it)")))
            fail_msg("%s: must hold '%s'", text, says[what]);
    }
    /* The second warp of the block has a slot beyond tm_warps; a machine may have no transactions. */
    enum misuse none = MISUSES;
    assert_int_equal(run_kernel_lds(&c, misuse, &none, 1, 64, 0, 1024, text), HD_FAULT_PROGRAM);
    assert_non_null(strstr(text, "warp 1 (block 0, warp 1 of it): a transaction needs the only block of its SM, and warp slots"));
    c.local_tm = 0;
    assert_int_equal(run_kernel_lds(&c, misuse, &none, 1, 32, 0, 1024, text), HD_FAULT_PROGRAM);
    assert_non_null(strstr(text, "a transaction on a machine with local_tm = off"));
}

/* Lanes 1 and 3 lose once, to the lanes before them: what the first attempt did to registered arrays is undone for them and for
 * no other lane. */
static void counted(struct hd_warp *w, void *args)
{
    uint32_t *out = args, kept[HD_MAX_LANES] = {0}, free_count[HD_MAX_LANES] = {0};
    uint32_t addr[HD_MAX_LANES] = {0, 0, 4, 4};
    uint16_t narrow[HD_MAX_LANES] = {0};
    unsigned attempts = 0;
    hd_tx_private(w, kept, sizeof kept[0]);
    hd_tx_private(w, narrow, sizeof narrow[0]);
    do {
        hd_mask_t m = hd_tx_begin(w, 15);
        assert_int_equal(m, attempts++ == 0 ? 15 : 10);
        hd_use(w, hd_lds_ld(w, m, addr, HD_ORD_RELAXED, HD_SCOPE_WG));
        assert_int_equal(hd_tx_live(w), m & (attempts == 1 ? 5 : 10));
        if (attempts == 1) /* what lanes that have lost compute may be anything */
            hd_use(w, hd_lds_ld(w, m, (uint32_t[HD_MAX_LANES]){0, 3, 4, 3}, HD_ORD_RELAXED, HD_SCOPE_WG));
        assert_int_equal(hd_tx_begin(w, 12), hd_tx_live(w) & 12); /* flattened: counts, and cannot fail */
        for (unsigned l = 0; l < 4; l++)
            if (m >> l & 1)
                kept[l]++, narrow[l]++, free_count[l]++;
        assert_false(hd_tx_commit(w));
    } while (hd_tx_commit(w));
    for (unsigned l = 0; l < 4; l++)
        out[l] = kept[l] << 16 | narrow[l] << 8 | free_count[l];
    out[4] = attempts;
}

static void private_arrays_go_back_for_lanes_that_lost_and_nesting_is_flattened(void **state)
{
    (void)state;
    struct hd_config c = transactions_config();
    char text[TEXT];
    uint32_t out[5];
    fake.lost = 10;
    assert_int_equal(run_kernel_lds(&c, counted, out, 1, 32, 0, 1024, text), HD_FAULT_NONE);
    assert_int_equal(out[4], 2);
    assert_int_equal(fake.attempts, 2);
    for (unsigned l = 0; l < 4; l++)
        assert_int_equal(out[l], l & 1 ? 0x010102 : 0x010101);
}

/* Loads words around 0x1004, then stores or (@args: 1) adds to lane 1's. */
static void writes_second(struct hd_warp *w, void *args)
{
    uint32_t a[HD_MAX_LANES] = {4096, 4100, 4104}, one[HD_MAX_LANES] = {1, 1, 1};
    hd_use(w, hd_ld(w, 7, a));
    hd_st(w, 5, a, one); /* lane 1 takes no part */
    if (*(const int *)args)
        hd_atom(w, HD_AT_ADD, 7, a, one);
    else
        hd_st(w, 7, a, one);
}

static void a_write_to_a_read_only_region_names_warp_address_and_cycle(void **state)
{
    (void)state;
    struct hd_config c = small_config();
    struct hd_launch l = {.fn = writes_second, .args = &(int){0}, .grid_x = 1, .grid_y = 1, .block_x = 32, .block_y = 1};
    char text[TEXT];
    assert_int_equal(run_launch(&c, &l, 0, text), HD_FAULT_NONE);
    l.read_only[0] = (struct hd_region){.first = 64, .bytes = 4};
    l.read_only[1] = (struct hd_region){.first = 4100, .bytes = 4};
    assert_int_equal(run_launch(&c, &l, 0, text), HD_FAULT_PROGRAM);
    assert_non_null(strstr(text, "SM 0, cycle "));
    assert_non_null(strstr(text, "warp 0 (block 0, warp 0 of it), lane 1: store to address 0x00001004, which the grid says is "
                                 "read-only"));
    l.args = &(int){1};
    assert_int_equal(run_launch(&c, &l, 0, text), HD_FAULT_PROGRAM);
    assert_non_null(strstr(text, "lane 1: atomic to address 0x00001004, which the grid says is read-only"));
}

static void below(struct hd_warp *w, void *args)
{
    uint32_t a[HD_MAX_LANES] = {4096, 4096, 4092};
    (void)args;
    hd_ld(w, 3, a); /* lane 2 takes no part */
    hd_ld(w, 7, a);
}

static void no_such_function(struct hd_warp *w, void *args)
{
    uint32_t a[HD_MAX_LANES] = {4096};
    (void)args;
    hd_atom(w, HD_AT_READ + 1, 1, a, a);
}

static void polls(struct hd_warp *w, void *args)
{
    (void)args;
    while (hd_use(w, hd_ld_all(w, 1, 4096))[0] == 0)
        ;
}

static void sleeps(struct hd_warp *w, void *args)
{
    (void)args;
    hd_sleep(w, UINT64_C(1) << 40);
}

/* Warp 0 asks for a word that warp 1 sets only when it finds another; warp 2 waits for both at a barrier. */
static void spins(struct hd_warp *w, void *args)
{
    uint32_t a[HD_MAX_LANES] = {4096 + 64 * hd_warp_in_block(w)}, one[HD_MAX_LANES] = {1};
    (void)args;
    if (hd_warp_in_block(w) == 0)
        while (hd_use(w, hd_ld(w, 1, a))[0] == 0)
            hd_alu(w, 3);
    else if (hd_warp_in_block(w) == 1)
        while (hd_use(w, hd_atom(w, HD_AT_EXCH, 1, a, one))[0] != 2)
            hd_sleep(w, hd_now(w) + 20);
    hd_bar(w);
}

/* The same, and one that works for a long time before it sets the word. */
static void waits_long(struct hd_warp *w, void *args)
{
    uint32_t a[HD_MAX_LANES] = {4096}, one[HD_MAX_LANES] = {1};
    (void)args;
    if (hd_warp_in_block(w) == 0)
        while (hd_use(w, hd_ld(w, 1, a))[0] == 0)
            ;
    for (unsigned i = 0; hd_warp_in_block(w) == 1 && i < 30; i++) {
        hd_alu(w, 10000);
        hd_fence(w, HD_ORD_RELEASE, HD_SCOPE_DEVICE);
    }
    if (hd_warp_in_block(w) == 1)
        hd_st(w, 1, a, one);
}

/* A loop of the same loads that ends by itself. */
static void goes_round(struct hd_warp *w, void *args)
{
    for (unsigned i = 0; i < 20000; i++) {
        hd_use(w, hd_ld_all(w, 1, 4096));
        if (*(bool *)args)
            hd_advance(w);
    }
}

/* Polls, but of words that change. */
static void counts(struct hd_warp *w, void *args)
{
    uint32_t a[HD_MAX_LANES] = {4096}, one[HD_MAX_LANES] = {1};
    (void)args;
    while (hd_use(w, hd_atom(w, HD_AT_ADD, 1, a, one))[0] < 20000)
        ;
}

static void livelock_names_who_waits_for_which_word(void **state)
{
    (void)state;
    struct hd_config c = small_config();
    char text[TEXT];
    c.watchdog = 1000;
    assert_int_equal(run_kernel(&c, spins, NULL, 1, 96, 0, text), HD_FAULT_PROGRAM);
    assert_non_null(strstr(text, "livelock: for 50000 cycles (50 x watchdog) no warp has done anything new; SM 0 warp 0 (block 0, warp "
                                 "0 of it) loads word 0x1000 again and again, 0x0; SM 0 warp 1 (block 0, warp 1 of it) asks by "
                                 "atomics for word 0x1040 again and again, 0x1; SM 0 warp 2 (block 0, warp 2 of it) waits for a "
                                 "fence or a barrier"));
    assert_int_equal(run_kernel(&c, waits_long, NULL, 1, 64, 0, text), HD_FAULT_NONE);
    assert_int_equal(run_kernel(&c, counts, NULL, 1, 64, 0, text), HD_FAULT_NONE);
    assert_int_equal(run_kernel(&c, goes_round, &(bool){false}, 1, 64, 0, text), HD_FAULT_PROGRAM);
    assert_int_equal(run_kernel(&c, goes_round, &(bool){true}, 1, 64, 0, text), HD_FAULT_NONE);
    c.max_cycles = 200000;
    assert_int_equal(run_kernel(&c, sleeps, NULL, 1, 64, 0, text), HD_FAULT_PROGRAM);
    assert_non_null(strstr(text, "max_cycles"));
}

static void what_no_kernel_may_do_is_said_to_be_the_kernels(void **state)
{
    (void)state;
    struct hd_config c = small_config();
    char text[TEXT];
    fake.first = 4096;
    assert_int_equal(run_kernel(&c, below, NULL, 1, 32, 0, text), HD_FAULT_PROGRAM);
    fake.first = 0;
    assert_non_null(strstr(text, "lane 2: address 0x00000ffc is below the workload's memory, which begins at 0x1000"));
    assert_int_equal(run_kernel(&c, no_such_function, NULL, 1, 32, 0, text), HD_FAULT_PROGRAM);
    assert_non_null(strstr(text, "warp 0 (block 0, warp 0 of it): atomic function 13 does not exist; the last is 12"));
    c.max_cycles = 5000;
    assert_int_equal(run_kernel(&c, polls, NULL, 1, 64, 0, text), HD_FAULT_PROGRAM);
    assert_non_null(strstr(text, "the run has not ended within max_cycles = 5000; warp 0 (block 0, warp 0 of it) waits "
                                 "for the words of a load"));
    assert_int_equal(run_kernel(&c, sleeps, NULL, 1, 64, 0, text), HD_FAULT_PROGRAM);
    assert_non_null(strstr(text, "max_cycles = 5000; warp 0 (block 0, warp 0 of it) sleeps"));
}

static unsigned deeper(volatile char *above, unsigned depth)
{
    volatile char mine[512];
    mine[0] = above ? above[0] : 1;
    return (unsigned)mine[0] + (depth == 0 ? 0 : deeper(mine, depth - 1));
}

static void leaves_its_stack(struct hd_warp *w, void *args)
{
    uint32_t a[HD_MAX_LANES] = {4096};
    a[0] += 4 * deeper(NULL, *(unsigned *)args) % 2;
    hd_ld(w, 1, a);
}

static void reads_null(struct hd_warp *w, void *args)
{
    if (hd_block(w) == 1)
        hd_ld_all(w, 1, *(volatile uint32_t *)args);
}

static void never_ends(struct hd_warp *w, void *args)
{
    (void)w;
    for (volatile unsigned *n = args;; ++*n)
        ;
}

/* What this program does when it is called with the number of a kernel that ends it, the KiB of its stack and its
 * depth: the test library has signal handlers of its own. */
static int main_of_a_kernel(char **argv)
{
    static hd_kernel *const kernels[] = {leaves_its_stack, reads_null, never_ends};
    struct hd_config c = small_config();
    unsigned depth = (unsigned)atoi(argv[3]);
    char text[TEXT];
    c.warp_seconds = 1;
    c.warp_stack = (unsigned)atoi(argv[2]);
    run_kernel(&c, kernels[atoi(argv[1])], depth ? &depth : NULL, 2, 32, 0, text);
    return 0;
}

/* Runs a kernel in a process of its own. @return that process' exit code, what it said in @text. */
static int in_a_process(const char *kernel, const char *stack, const char *depth, char text[TEXT])
{
    int pipes[2], status = 0;
    assert_int_equal(pipe(pipes), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(pipes[1], STDERR_FILENO);
        execl("/proc/self/exe", "test_simt", kernel, stack, depth, (char *)NULL);
        _exit(127);
    }
    close(pipes[1]);
    ssize_t n = read(pipes[0], text, 255);
    text[n > 0 ? n : 0] = '\0';
    close(pipes[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void a_kernel_that_fails_as_a_program_is_named(void **state)
{
    (void)state;
    char text[TEXT];
    assert_int_equal(in_a_process("0", "64", "80", text), 0);
    assert_int_equal(in_a_process("0", "64", "1000", text), 2);
    assert_non_null(strstr(text, "SM 0, warp 0 (block 0, warp 0 of it): the kernel needs more than its stack of 64 KiB "
                                 "(key warp_stack)"));
    assert_int_equal(in_a_process("0", "1024", "1000", text), 0);
    assert_int_equal(in_a_process("1", "64", "0", text), 2);
    assert_non_null(strstr(text, "SM 1, warp 0 (block 1, warp 0 of it): the kernel reads or writes at (nil)"));
    assert_int_equal(in_a_process("2", "64", "1", text), 2);
    assert_non_null(strstr(text, "SM 0, warp 0 (block 0, warp 0 of it): the kernel has computed for 1 s of host time "
                                 "without an operation (key warp_seconds)"));
}

static void a_completion_with_wrong_lanes_is_a_port_fault(void **state)
{
    (void)state;
    struct hd_config c = small_config();
    struct hd_result r;
    struct hd_run_options o;
    fake.break_at = 5;
    assert_int_equal(run_work(&r, &o, &c, "vecadd", none), 0);
    assert_string_equal(r.check[1].name, "warp_port");
    assert_non_null(strstr(r.check[1].verdict, "completion for warp "));
    assert_string_equal(r.check[0].verdict, "not run");
    assert_false(hd_result_good(&r));
    hd_result_free(&r);
}

static void alu_mix(struct hd_warp *w, void *args)
{
    uint32_t *clock = args;
    hd_alu(w, 5);
    hd_tok t = hd_ld_all(w, 1, 64);
    hd_alu(w, 3);
    hd_use(w, t); /* has to wait: the 3 go ahead in a NOP */
    hd_alu(w, 7);
    hd_use(w, t); /* is there already: the 7 stay with the store */
    hd_st_row(w, 1, 68, &(uint32_t){1});
    clock[0] = hd_clock(w);
    hd_alu(w, 70000); /* more than one operation can carry */
    clock[1] = hd_clock(w);
    hd_alu(w, 2);     /* go with the exit */
}

static void alu_instructions_issue_before_the_next_operation_or_a_wait(void **state)
{
    (void)state;
    struct hd_config c = small_config();
    uint32_t clock[2];
    char text[TEXT];
    assert_int_equal(run_kernel(&c, alu_mix, clock, 1, 32, 0, text), HD_FAULT_NONE);
    assert_int_equal(fake.alu, 5 + 3 + 7 + 70000 + 2);
    assert_int_equal(fake.nops, 2);
    assert_in_range(clock[1] - clock[0], 70000, 70020);
}

static void empty_masks(struct hd_warp *w, void *args)
{
    (void)args;
    uint32_t a[HD_MAX_LANES] = {0};
    hd_st(w, 0, a, a);
    hd_use(w, hd_ld(w, 0, a));
    if (hd_mask(w) == 0x7)
        hd_st_row(w, HD_ALL_LANES, 64, a); /* lanes without thread are dropped */
}

static void operations_without_lanes_are_not_issued(void **state)
{
    (void)state;
    struct hd_config c = small_config();
    char text[TEXT];
    assert_int_equal(run_kernel(&c, empty_masks, NULL, 1, 35, 0, text), HD_FAULT_NONE);
    assert_int_equal(fake.stores_issued, 1);
}

/* Every warp of a block writes its word, and after the barrier reads that of the next warp. */
static void rounds(struct hd_warp *w, void *args)
{
    uint32_t *bad = args, warps = hd_block_dim_x(w) / hd_lanes(w);
    uint32_t base = 4096 + hd_block(w) * 1024, me = hd_warp_in_block(w);
    char stack[40000]; /* a kernel may use its stack */
    memset(stack, (int)me, sizeof stack);
    for (uint32_t i = 1; i < 20; i++) {
        hd_st_row(w, 1, base + 4 * me, &i);
        hd_fence(w, HD_ORD_ACQ_REL, HD_SCOPE_WG);
        hd_bar(w);
        *bad += hd_use(w, hd_ld_all(w, 1, base + 4 * ((me + 1) % warps)))[0] != i;
        hd_bar(w);
    }
    *bad += (uint32_t)stack[39999] != me;
}

static void barriers_hold_all_warps_of_a_block(void **state)
{
    (void)state;
    struct hd_config c = small_config();
    uint32_t bad = 0;
    char text[TEXT];
    assert_int_equal(run_kernel(&c, rounds, &bad, 11, 160, 0, text), HD_FAULT_NONE);
    assert_int_equal(bad, 0);
}

/* Every kind of operation without memory behind one of the LDS. */
static void all_controls(struct hd_warp *w, void *args)
{
    (void)args;
    const uint32_t value[HD_MAX_LANES] = {7}, addr[HD_MAX_LANES] = {0};
    for (int kind = 0; kind < 4; kind++) {
        hd_lds_st(w, 1, addr, value, HD_ORD_RELAXED, HD_SCOPE_WG);
        if (kind == 0)
            hd_fence(w, HD_ORD_ACQ_REL, HD_SCOPE_WG);
        else if (kind == 1)
            hd_bar(w);
        else if (kind == 2)
            hd_clock(w);
    } /* and the exit */
}

static void operations_without_memory_have_no_space_of_the_one_before(void **state)
{
    (void)state;
    struct hd_config c = small_config();
    char text[TEXT];
    assert_int_equal(run_kernel_lds(&c, all_controls, NULL, 2, 35, 0, 64, text), HD_FAULT_NONE);
    assert_true(fake.stores_issued > 0);
    assert_int_equal(fake.lds_controls, 0);
}

/* Warps that wait for each other outside the machine, some with an operation that the machine has not taken yet. */
struct meeting {
    struct hd_simt *s;
    unsigned warps, arrived, round;
    uint64_t woken; /* cycle */
    unsigned early;
};

static void meet(struct hd_warp *w, void *args)
{
    struct meeting *t = args;
    const uint32_t addr[HD_MAX_LANES] = {4096 + 64 * hd_block(w)}, value[HD_MAX_LANES] = {1};
    for (unsigned round = 1; round < 20; round++) {
        hd_alu(w, hd_block(w) * round % 90);
        hd_st(w, 1, addr, value);
        t->arrived++;
        hd_sleep(w, HD_NEVER);
        t->early += t->round != round || hd_now(w) < t->woken;
    }
}

static void all_have_come(void *ctx, uint64_t cycle)
{
    struct meeting *t = ctx;
    if (t->arrived < t->warps)
        return;
    t->arrived = 0;
    t->round++;
    t->woken = cycle;
    hd_simt_wake(t->s, cycle);
}

static void sleepers_are_woken_between_windows(void **state)
{
    (void)state;
    struct hd_config c = small_config();
    struct hd_machine *m = hd_machine_new(&c, NULL);
    struct meeting t = {.s = hd_simt_new(&c), .warps = 6};
    struct hd_client client;
    struct hd_launch l = {.fn = meet, .args = &t, .grid_x = t.warps, .grid_y = 1, .block_x = c.lanes, .block_y = 1};
    assert_null(hd_simt_add(t.s, &l));
    hd_simt_watch(t.s, all_have_come, &t);
    hd_simt_start(t.s, 0, &client);
    assert_int_equal(hd_machine_run(m, &client), HD_END_CLIENT);
    assert_true(hd_simt_done(t.s));
    assert_int_equal(t.round, 19);
    assert_int_equal(t.early, 0);
    hd_simt_free(t.s);
    hd_machine_free(m);
}

static void mark(struct hd_warp *w, void *args)
{
    uint32_t *count = args;
    count[hd_block(w)] += hd_grid_dim_y(w) * 100 + hd_grid_dim_x(w) + (hd_block_x(w) + hd_block_y(w)) * 1000;
    hd_alu(w, 1 + hd_block(w) % 5 * 40);
}

static void grids_run_one_after_the_other_within_the_residency_limit(void **state)
{
    (void)state;
    struct hd_config c = small_config();
    struct hd_machine *m = hd_machine_new(&c, NULL);
    struct hd_simt *s = hd_simt_new(&c);
    struct hd_client client;
    uint32_t first[20] = {0}, second[20] = {0};
    assert_null(add(s, mark, first, 5, 4, 32, 1, 0, 2));
    assert_null(add(s, mark, second, 20, 1, 64, 1, 0, 0));
    hd_simt_start(s, 0, &client);
    assert_int_equal(hd_machine_run(m, &client), HD_END_CLIENT);
    for (unsigned b = 0; b < 20; b++) {
        assert_int_equal(first[b], 405 + (b % 5 + b / 5) * 1000);
        assert_int_equal(second[b], 2 * (120 + b * 1000));
    }
    assert_int_equal(fake.resident, 4); /* of the second grid */
    assert_int_equal(fake.launches, 20 + 40);
    hd_simt_free(s);
    hd_machine_free(m);
}

/* The block fills its part of the LDS with its number, is there for a while, and finds what it has written. */
struct lds_use {
    uint32_t bytes, bad;
};

static void fill_lds(struct hd_warp *w, void *args)
{
    struct lds_use *use = args;
    uint32_t addr[HD_MAX_LANES] = {0}, value = hd_block(w) + 1;
    for (uint32_t a = 0; a < use->bytes; a += 4) {
        addr[0] = a;
        hd_lds_st(w, 1, addr, &value, HD_ORD_RELAXED, HD_SCOPE_WG);
    }
    hd_sleep(w, 500);
    for (uint32_t a = 0; a < use->bytes; a += 4) {
        addr[0] = a;
        use->bad += hd_use(w, hd_lds_ld(w, 1, addr, HD_ORD_RELAXED, HD_SCOPE_WG))[0] != value;
    }
}

static void beyond_lds(struct hd_warp *w, void *args)
{
    uint32_t a[HD_MAX_LANES] = {0};
    a[5] = *(const uint32_t *)args;
    hd_use(w, hd_lds_atom(w, HD_AT_ADD, 0x21, a, a, HD_ORD_RELAXED, HD_SCOPE_WG));
}

static void each_block_on_an_sm_has_its_own_part_of_the_lds(void **state)
{
    (void)state;
    struct hd_config c = small_config();
    struct lds_use use = {.bytes = 100};
    char text[TEXT];
    assert_int_equal(run_kernel_lds(&c, fill_lds, &use, 40, 32, 0, use.bytes, text), HD_FAULT_NONE);
    assert_int_equal(use.bad, 0);
    assert_int_equal(fake.resident, c.blocks);
    c.lds_bytes = 3 * c.line_bytes; /* parts are whole lines: three of one line fit */
    assert_int_equal(run_kernel_lds(&c, fill_lds, &use, 40, 32, 0, use.bytes, text), HD_FAULT_NONE);
    assert_int_equal(use.bad, 0);
    assert_int_equal(fake.resident, 3);
    use.bytes = c.line_bytes + 4; /* one of two lines */
    assert_int_equal(run_kernel_lds(&c, fill_lds, &use, 40, 32, 0, use.bytes, text), HD_FAULT_NONE);
    assert_int_equal(use.bad, 0);
    assert_int_equal(fake.resident, 1);

    uint32_t at = 96;
    assert_int_equal(run_kernel_lds(&c, beyond_lds, &at, 4, 32, 0, 100, text), HD_FAULT_NONE);
    at = 100;
    assert_int_equal(run_kernel_lds(&c, beyond_lds, &at, 4, 64, 0, 100, text), HD_FAULT_PROGRAM);
    assert_non_null(strstr(text, "warp 0 (block 0, warp 0 of it), lane 5: address 0x00000064 is beyond "
                                 "the block's LDS segment, 0x64 bytes"));

    struct hd_simt *s = hd_simt_new(&c);
    c.lds_bytes = 384;
    assert_string_equal(add(s, fill_lds, &use, 1, 1, 32, 1, 388, 0),
                        "a block wants 388 bytes of LDS: must be a multiple of 4, at most lds_bytes = 384");
    assert_non_null(strstr(add(s, fill_lds, &use, 1, 1, 32, 1, 200, 3),
                           "each takes 200 of lds_bytes = 384"));
    hd_simt_free(s);
}

static void a_block_that_cannot_fit_is_refused(void **state)
{
    (void)state;
    struct hd_config c = small_config();
    struct hd_simt *s = hd_simt_new(&c);
    const char *why = add(s, mark, NULL, 1, 1, 1024, 1, 0, 0);
    assert_string_equal(why, "a block has 32 warps (1024 threads); an SM has warps = 16 slots");
    why = add(s, mark, NULL, 1, 1, 256, 1, 0, 3);
    assert_string_equal(why, "resident = 3: at most 2 blocks of 8 warps fit on an SM (warps = 16, blocks = 4)");
    hd_simt_free(s);
}

/* In each round a warp writes its word, and behind a barrier of the grid reads those of all. Some end early. */
static void grid_rounds(struct hd_warp *w, void *args)
{
    uint32_t *bad = args, me = hd_global_thread(w, 0) / hd_lanes(w), all = hd_grid_dim_x(w) * 2;
    uint32_t kept[40];
    for (uint32_t round = 1; round <= 3; round++) {
        const uint32_t value[HD_MAX_LANES] = {100 * round + me}, at[HD_MAX_LANES] = {4096 + 4 * me};
        hd_alu(w, 1 + me % 7 * 30);
        hd_st(w, 1, at, value);
        for (uint32_t i = 0; i < 40; i++)
            kept[i] = me + i;
        hd_bar_grid(w);
        for (uint32_t i = 0; i < 40; i++)
            *bad += kept[i] != me + i;
        for (uint32_t i = 0; i < all; i++) {
            uint32_t r = i % 5 == 4 ? 1 : round; /* those end behind round 1 */
            *bad += hd_use(w, hd_ld_all(w, 1, 4096 + 4 * i))[0] != 100 * r + i;
        }
        if (me % 5 == 4)
            return;
        hd_bar_grid(w);
    }
}

static void barriers_of_the_grid_hold_more_blocks_than_fit(void **state)
{
    (void)state;
    struct hd_config c = small_config();
    char text[TEXT];
    uint32_t bad = 0;
    for (unsigned window = 1; window <= 8; window += 7) {
        c.window = window;
        assert_int_equal(run_kernel(&c, grid_rounds, &bad, 23, 64, 0, text), HD_FAULT_NONE); /* 23 blocks of 2 warps; 12 fit */
        assert_int_equal(bad, 0);
    }
    assert_int_equal(run_kernel_lds(&c, grid_rounds, &bad, 2, 64, 0, 64, text), HD_FAULT_PROGRAM);
    assert_non_null(strstr(text, "a barrier of the grid in a block with LDS"));
}

/* ---- the dispatcher alone ------------------------------------------------------------------------------------ */

struct started {
    unsigned n, what[64], sm[64], slot[64], block[64];
    size_t grid[64];
    uint64_t cycle[64];
};

static void note(void *ctx, const struct hd_order *o)
{
    struct started *s = ctx;
    s->what[s->n] = o->what;
    s->sm[s->n] = o->sm;
    s->cycle[s->n] = o->cycle;
    s->slot[s->n] = o->slot;
    s->grid[s->n] = o->grid;
    s->block[s->n++] = o->block;
}

static void blocks_go_round_robin_then_replace_ended_ones(void **state)
{
    (void)state;
    struct started s = {0};
    struct hd_dispatch *d = hd_dispatch_new(3, 10, note, &s);
    const struct hd_grid grids[] = {{.blocks = 8, .resident = 2}, {.blocks = 2, .resident = 1}};
    hd_dispatch_begin(d, grids, 2, 100);
    assert_int_equal(s.n, 6);
    for (unsigned b = 0; b < 6; b++) {
        assert_int_equal(s.sm[b], b % 3);
        assert_int_equal(s.slot[b], b / 3);
        assert_int_equal(s.block[b], b);
        assert_int_equal(s.cycle[b], 110);
    }
    hd_dispatch_ended(d, 2, 200, 1);
    hd_dispatch_ended(d, 0, 205, 0);
    assert_int_equal(s.n, 8);
    assert_int_equal(s.sm[6], 2);
    assert_int_equal(s.slot[6], 1);
    assert_int_equal(s.block[6], 6);
    assert_int_equal(s.cycle[6], 220); /* there and back */
    assert_int_equal(s.sm[7], 0);
    assert_int_equal(s.block[7], 7);
    for (unsigned i = 0; i < 5; i++)
        hd_dispatch_ended(d, i % 3, 300 + i, 0);
    assert_int_equal(s.n, 8); /* one block still runs */
    hd_dispatch_ended(d, 1, 400, 1);
    assert_int_equal(s.n, 10);
    assert_int_equal(s.grid[8], 1);
    assert_int_equal(s.cycle[9], 420);
    assert_false(hd_dispatch_done(d));
    hd_dispatch_ended(d, 0, 500, 0);
    hd_dispatch_ended(d, 1, 500, 0);
    assert_true(hd_dispatch_done(d));
    uint64_t ended, all;
    hd_dispatch_progress(d, &ended, &all);
    assert_int_equal(ended, 10);
    assert_int_equal(all, 10);
    hd_dispatch_free(d);
}

/* Five blocks, three at a time on two SMs; block 1 ends instead. */
static void parked_blocks_go_on_when_all_have_come(void **state)
{
    (void)state;
    struct started s = {0};
    struct hd_dispatch *d = hd_dispatch_new(2, 10, note, &s);
    const struct hd_grid grids[] = {{.blocks = 5, .resident = 1, .exchange = 100}, {.blocks = 1, .resident = 1}};
    assert_true(hd_dispatch_reserve(d, 5));
    hd_dispatch_begin(d, grids, 2, 0);
    assert_int_equal(s.n, 2);
    hd_dispatch_parked(d, 0, 100, 0, 0, false);
    assert_int_equal(s.block[2], 2);
    assert_int_equal(s.cycle[2], 220); /* there and back, and the exchange */
    hd_dispatch_ended(d, 1, 110, 0);
    assert_int_equal(s.block[3], 3);
    assert_int_equal(s.cycle[3], 130);
    hd_dispatch_parked(d, 1, 300, 0, 3, true);
    assert_int_equal(s.block[4], 4);
    assert_int_equal(s.sm[4], 1);
    hd_dispatch_parked(d, 1, 400, 0, 4, true);
    assert_int_equal(s.n, 5); /* block 2 runs */
    assert_int_equal(hd_dispatch_barriers(d), 0);
    hd_dispatch_parked(d, 0, 500, 0, 2, true);
    assert_int_equal(s.n, 7);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(s.what[5 + i], HD_ORDER_DRAIN);
        assert_int_equal(s.sm[5 + i], i);
        assert_int_equal(s.cycle[5 + i], 520);
    }
    hd_dispatch_drained(d, 1, 600);
    assert_int_equal(s.n, 7);
    hd_dispatch_drained(d, 0, 700);
    assert_int_equal(hd_dispatch_barriers(d), 1);
    assert_int_equal(s.n, 9);
    static const unsigned back[] = {0, 3, 2, 4}; /* on their SMs, in the order in which they came */
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(s.what[7 + i], HD_ORDER_BACK);
        assert_int_equal(s.block[7 + i], back[i]);
        assert_int_equal(s.cycle[7 + i], 820);
    }
    hd_dispatch_ended(d, 0, 900, 0);
    hd_dispatch_parked(d, 1, 910, 0, 3, false); /* it meets another time, block 4 does not */
    assert_int_equal(s.block[9], back[2]);
    assert_int_equal(s.block[10], back[3]);
    hd_dispatch_ended(d, 0, 1000, 0);
    hd_dispatch_ended(d, 1, 1100, 0);
    assert_int_equal(s.n, 12);
    assert_int_equal(s.what[11], HD_ORDER_BACK);
    assert_int_equal(s.block[11], 3);
    hd_dispatch_ended(d, 1, 1300, 0);
    assert_int_equal(s.grid[12], 1);
    hd_dispatch_ended(d, 0, 1400, 0);
    assert_true(hd_dispatch_done(d));
    hd_dispatch_free(d);
}

int main(int argc, char **argv)
{
    if (argc == 4)
        return main_of_a_kernel(argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_matches_its_reference),
        cmocka_unit_test(kernels_do_not_care_how_many_lanes_a_warp_has),
        cmocka_unit_test(every_kernel_runs_in_warps_of_64_lanes),
        cmocka_unit_test(a_wrong_word_in_memory_fails_golden_and_is_named),
        cmocka_unit_test(windows_do_not_change_cycles),
        cmocka_unit_test(program_errors_name_warp_and_address),
        cmocka_unit_test(what_no_transaction_may_do_ends_the_run_with_warp_operation_and_cycle),
        cmocka_unit_test(private_arrays_go_back_for_lanes_that_lost_and_nesting_is_flattened),
        cmocka_unit_test(a_write_to_a_read_only_region_names_warp_address_and_cycle),
        cmocka_unit_test(what_no_kernel_may_do_is_said_to_be_the_kernels),
        cmocka_unit_test(livelock_names_who_waits_for_which_word),
        cmocka_unit_test(a_kernel_that_fails_as_a_program_is_named),
        cmocka_unit_test(a_completion_with_wrong_lanes_is_a_port_fault),
        cmocka_unit_test(alu_instructions_issue_before_the_next_operation_or_a_wait),
        cmocka_unit_test(operations_without_lanes_are_not_issued),
        cmocka_unit_test(barriers_hold_all_warps_of_a_block),
        cmocka_unit_test(operations_without_memory_have_no_space_of_the_one_before),
        cmocka_unit_test(grids_run_one_after_the_other_within_the_residency_limit),
        cmocka_unit_test(each_block_on_an_sm_has_its_own_part_of_the_lds),
        cmocka_unit_test(sleepers_are_woken_between_windows),
        cmocka_unit_test(a_block_that_cannot_fit_is_refused),
        cmocka_unit_test(blocks_go_round_robin_then_replace_ended_ones),
        cmocka_unit_test(parked_blocks_go_on_when_all_have_come),
        cmocka_unit_test(barriers_of_the_grid_hold_more_blocks_than_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
