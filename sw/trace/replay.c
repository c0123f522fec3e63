/* replay.c - see replay.h. While tiles run it reads segments (pread, zstd) into memory that is there. */
#include "replay.h"
#include "hd_pkg.h"
#include "list.h"
#include "ops.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRACE_LANES = 32 };

/* A warp slot of an SM. */
struct player {
    struct hd_trace_state state;
    struct hd_trace_op op;
    uint8_t *data;              /* [most_bytes] of the file */
    uint64_t played;            /* operations */
};

struct kernel {
    struct hd_replay *replay;
    uint32_t number, blocks;    /* blocks that are played */
    uint32_t grid;              /* blocks of the kernel */
    uint32_t warps, threads, lds, resident;
    const struct hd_hdt_chunk *first, *end;
    uint32_t *block;            /* [blocks] their numbers */
    struct hd_region read_only[HD_READ_ONLY];
};

struct hd_replay {
    struct hd_workload workload;
    const struct hd_config *c;
    struct hd_hdt *file;
    uint64_t every, top, expected, played; /* operations */
    const char *chosen;
    bool own, whole, same;      /* a recorded run; all of it; on its configuration */
    struct kernel *kernel;
    size_t kernels;
    struct player *player;      /* [sms * warps] */
    struct hd_hdt_scratch **scratch; /* [sms] */
    uint8_t *buffers;
    char name[64], text[200], note[200];
};

/* ---- playing ------------------------------------------------------------------------------------------------- */

static const struct hd_hdt_chunk *find(const struct kernel *k, uint32_t block, unsigned warp)
{
    const struct hd_hdt_chunk *low = k->first, *high = k->end;

    while (low < high) {
        const struct hd_hdt_chunk *mid = low + (high - low) / 2;
        if (mid->block < block || (mid->block == block && mid->warp < warp))
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Words that the trace does not have: different for each store. */
static uint32_t made_up(const struct kernel *k, uint32_t block, unsigned warp, uint64_t number, unsigned lane)
{
    uint64_t z = ((uint64_t)k->number << 40 ^ (uint64_t)block << 10 ^ warp) * 0x9e3779b97f4a7c15u + number * 64 + lane;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    return (uint32_t)(z ^ z >> 29);
}

static void play_memory(struct hd_warp *w, const struct kernel *k, struct player *p, uint32_t block)
{
    struct hd_trace_op *op = &p->op;
    bool atomic = op->kind == HD_OP_ATOMIC, store = op->kind == HD_OP_STORE || atomic, cas = atomic && op->fn == HD_AT_CAS;

    if ((op->kind == HD_OP_COPY && !op->has_cmp) || op->fn > HD_AT_READ || (cas && op->space == HD_SPACE_LDS))
        hd_refuse(w, "the trace has an operation that this machine has not");
    if (store && !op->has_data)
        for (hd_mask_t rest = op->mask; rest != 0; rest &= rest - 1) {
            unsigned l = (unsigned)__builtin_ctzll(rest);
            op->data[l] = made_up(k, block, hd_warp_in_block(w), p->played, l);
        }
    if (cas && !op->has_cmp)
        memset(op->cmp, 0, sizeof op->cmp);
    hd_memory(w, &(struct hd_memory_op){.kind = op->kind, .fn = op->fn, .space = op->space, .order = op->order,
                                        .scope = op->scope, .plain = op->plain, .mask = op->mask, .addr = op->addr,
                                        .data = store ? op->data : NULL,
                                        .cmp = cas || op->kind == HD_OP_COPY ? op->cmp : NULL});
}

static void play_op(struct hd_warp *w, const struct kernel *k, struct player *p, uint32_t block)
{
    struct hd_trace_op *op = &p->op;

    hd_advance(w);
    if (op->alu != 0)
        hd_alu(w, op->alu);
    switch (op->kind) {
    case HD_TRACE_WAIT:
        if (op->back > HD_TOKENS)
            hd_refuse(w, "the trace waits for a token that is too old");
        for (uint32_t i = 0; i < op->count; i++)
            hd_use(w, hd_next_token(w) - op->back + i);
        break;
    case HD_TRACE_SLEEP:
        hd_sleep(w, hd_now(w) + op->cycles);
        break;
    case HD_OP_FENCE:
        hd_fence(w, op->order, op->scope);
        break;
    case HD_OP_BARRIER:
        hd_bar(w);
        break;
    case HD_OP_CLOCK:
        hd_clock(w);
        break;
    case HD_OP_NOP:
        break;
    case HD_OP_PBARRIER:
        hd_pbarrier(w, op->scope);
        break;
    case HD_OP_TX_BEGIN:
        if (!k->replay->same || !k->replay->whole)
            hd_refuse(w, "the trace has transactions, and who wins is in its path: only all of it, on its configuration, is "
                         "replayed");
        hd_tx_begin(w, op->mask);
        break;
    case HD_OP_TX_COMMIT:
        hd_tx_commit(w);
        break;
    case HD_OP_COPY_CTL:
        if (op->fn & 8)
            hd_copy_wait(w, op->fn & 7);
        else
            hd_copy_close(w);
        break;
    default:
        play_memory(w, k, p, block);
    }
}

static void play(struct hd_warp *w, void *args)
{
    const struct kernel *k = args;
    const struct hd_replay *r = k->replay;
    struct player *p = &r->player[(size_t)hd_warp_sm(w) * r->c->warps + hd_warp_slot(w)];
    uint32_t block = k->block ? k->block[hd_block(w)] : hd_block(w);
    unsigned warp = hd_warp_in_block(w);
    const char *why = "";

    for (const struct hd_hdt_chunk *c = find(k, block, warp); c < k->end && c->block == block && c->warp == warp; c++) {
        const uint8_t *data = hd_hdt_load(r->file, r->scratch[hd_warp_sm(w)], c, &why);
        if (!data)
            hd_refuse(w, why);
        memcpy(p->data, data, c->bytes);
        memset(&p->state, 0, sizeof p->state);
        size_t at = 0;
        for (uint32_t i = 0; i < c->ops; i++) {
            if (!hd_trace_get(&p->state, p->data, c->bytes, &at, r->c->lanes, &p->op))
                hd_refuse(w, "the trace has bytes that are no operation");
            play_op(w, k, p, block);
            p->played++;
        }
        if (at != c->bytes)
            hd_refuse(w, "the trace has more bytes than operations");
    }
}

/* ---- the workload -------------------------------------------------------------------------------------------- */

static const char *prepare(struct hd_work *work)
{
    struct hd_replay *r = (struct hd_replay *)(uintptr_t)hd_work_self(work); /* its first member */
    bool some = false;

    for (size_t i = 0; i < r->kernels; i++) {
        struct kernel *k = &r->kernel[i];
        if (k->blocks == 0)
            continue;
        struct hd_launch launch = {.fn = play, .args = k, .grid_x = k->blocks, .grid_y = 1,
                                   .block_x = r->own ? k->threads : k->warps * r->c->lanes, .block_y = 1,
                                   .lds_bytes = k->lds, .resident = k->resident};
        memcpy(launch.read_only, k->read_only, sizeof launch.read_only);
        hd_work_launch(work, &launch);
        some = true;
    }
    hd_work_reach(work, r->top);
    return some ? NULL : "no block of the trace is chosen";
}

static void reference(struct hd_work *work)
{
    const struct hd_replay *r = (const struct hd_replay *)hd_work_self(work);
    static const char *const numbers[] = {"copies replaced", "atomics replaced", "accesses dropped", "unknown accesses",
                                          "narrow accesses", "spin loads"};

    hd_work_counter(work, "trace operations", r->played);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        size_t n;
        const char *text = hd_hdt_value(r->own ? r->file->end : r->file->head, numbers[i], 0, &n);
        if (text && strtoull(text, NULL, 10) != 0)
            hd_work_counter(work, numbers[i], strtoull(text, NULL, 10));
    }
}

static const struct hd_param params[] = {{0}};

const struct hd_workload *hd_replay_workload(struct hd_replay *r)
{
    return &r->workload;
}

/* ---- opening ------------------------------------------------------------------------------------------------- */

static bool head_number(const struct hd_replay *r, const char *key, uint64_t *value, struct hd_diag *d)
{
    size_t n;
    const char *text = hd_hdt_value(r->file->head, key, 0, &n);

    if (!text || text[0] < '0' || text[0] > '9')
        return hd_diag_error(d, "%s: expected a line '%s = <number>' in its head", r->file->path, key);
    *value = strtoull(text, NULL, 10);
    return true;
}

/* The kernels that the head lists, each with its chunks. */
static bool list_kernels(struct hd_replay *r, struct hd_diag *d)
{
    const struct hd_hdt_chunk *c = r->file->chunk, *end = c + r->file->chunks;
    unsigned long long number, blocks, last = 0;
    size_t n, room = 0;
    const char *line;
    unsigned threads, lds, resident;

    while (hd_hdt_value(r->file->head, "kernel", (unsigned)room, &n))
        room++;
    r->kernel = calloc(room ? room : 1, sizeof *r->kernel);
    if (!r->kernel)
        return hd_diag_error(d, "%s: no memory", r->file->path);
    line = r->file->head;
    for (size_t i = 0; i < room; i++) {
        line = hd_hdt_value(line, "kernel", 0, &n);
        if (sscanf(line, "%llu %llu %u %u %u", &number, &blocks, &threads, &lds, &resident) != 5 || number <= last ||
            number > UINT32_MAX || blocks == 0 || blocks > UINT32_MAX || threads == 0 || threads > 1024 * 64 || lds % 4 != 0)
            return hd_diag_error(d, "%s: expected 'kernel = number blocks threads LDS resident' in its head", r->file->path);
        last = number;
        struct kernel *k = &r->kernel[r->kernels++];
        *k = (struct kernel){.replay = r, .number = (uint32_t)number, .grid = (uint32_t)blocks, .threads = threads, .lds = lds,
                             .resident = resident, .warps = (threads + TRACE_LANES - 1) / TRACE_LANES};
        while (c < end && c->kernel < number)
            c++;
        k->first = c;
        while (c < end && c->kernel == number)
            c++;
        k->end = c;
        line += n;
    }
    return true;
}

/* What its kernels only read, as the head says. */
static bool list_read_only(struct hd_replay *r, struct hd_diag *d)
{
    unsigned long long number;
    struct hd_region region;
    const char *line;
    size_t n;

    for (unsigned i = 0; (line = hd_hdt_value(r->file->head, "read only", i, &n)); i++) {
        struct hd_region *to = NULL;
        if (sscanf(line, "%llu %u %u", &number, &region.first, &region.bytes) == 3 && region.bytes != 0 &&
            (region.first | region.bytes) % 4 == 0)
            for (size_t k = 0; k < r->kernels; k++)
                for (unsigned at = 0; r->kernel[k].number == number && !to && at < HD_READ_ONLY; at++)
                    if (r->kernel[k].read_only[at].bytes == 0)
                        to = &r->kernel[k].read_only[at];
        if (!to)
            return hd_diag_error(d, "%s: expected 'read only = kernel address bytes' in its head", r->file->path);
        *to = region;
    }
    return true;
}

bool hd_replay_host_key(const char *key)
{
    static const char *const keys[] = {"threads", "thread_seed", "window", "flat", "skip_idle", "count_pairs", "ghost_bits",
                                       "stall_causes"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i], key) == 0)
            return true;
    return strncmp(key, "check_", 6) == 0;
}

/* Is the configuration the recorded one, in all that matters? */
static bool same_configuration(const struct hd_replay *r)
{
    char buffer[32], line[80];
    const char *key, *value;
    size_t n;

    for (size_t i = 0; (key = hd_config_key(r->c, i, buffer, &value)); i++) {
        if (hd_replay_host_key(key))
            continue;
        snprintf(line, sizeof line, "set %.60s", key);
        const char *then = hd_hdt_value(r->file->head, line, 0, &n);
        if (!then || strlen(value) != n || memcmp(value, then, n) != 0)
            return false;
    }
    return true;
}

static bool make_players(struct hd_replay *r)
{
    size_t slots = (size_t)r->c->sms * r->c->warps, each = r->file->most_bytes ? r->file->most_bytes : 1;

    r->player = calloc(slots, sizeof *r->player);
    r->scratch = calloc(r->c->sms, sizeof(struct hd_hdt_scratch *));
    r->buffers = malloc(slots * each);
    if (!r->player || !r->scratch || !r->buffers)
        return false;
    for (size_t i = 0; i < slots; i++)
        r->player[i].data = r->buffers + i * each;
    for (unsigned i = 0; i < r->c->sms; i++)
        if (!(r->scratch[i] = hd_hdt_scratch_new()))
            return false;
    return true;
}

static bool ready(struct hd_replay *r, struct hd_diag *d)
{
    uint64_t lanes;

    if (!head_number(r, "lanes", &lanes, d) || !head_number(r, "top", &r->top, d) || !list_kernels(r, d) ||
        !list_read_only(r, d))
        return false;
    if (r->top > 1ull << 32)
        return hd_diag_error(d, "%s: expected memory of at most 4 GiB", r->file->path);
    r->own = (r->file->flags & HD_HDT_OWN) != 0;
    if (r->own ? lanes != r->c->lanes : r->c->lanes < TRACE_LANES)
        return hd_diag_error(d, "%s: was made by warps of %llu lanes; the configuration has lanes = %u", r->file->path,
                             (unsigned long long)lanes, r->c->lanes);
    r->same = r->own && same_configuration(r);
    return make_players(r) || hd_diag_error(d, "%s: no memory", r->file->path);
}

struct hd_replay *hd_replay_open(const char *path, const struct hd_config *c, struct hd_diag *d)
{
    struct hd_replay *r = calloc(1, sizeof *r);
    const char *slash = strrchr(path, '/');

    if (!r)
        return NULL;
    r->c = c;
    r->every = 1;
    snprintf(r->name, sizeof r->name, "trace %.50s", slash ? slash + 1 : path);
    r->workload = (struct hd_workload){.name = r->name, .doc = "operations of a trace", .params = params, .prepare = prepare,
                                       .reference = reference};
    r->file = hd_hdt_open(path, d);
    if (r->file && ready(r, d))
        return r;
    hd_replay_free(r);
    return NULL;
}

void hd_replay_free(struct hd_replay *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->kernels; i++)
        free(r->kernel[i].block);
    for (unsigned i = 0; r->scratch && i < r->c->sms; i++)
        hd_hdt_scratch_free(r->scratch[i]);
    free(r->scratch);
    free(r->player);
    free(r->buffers);
    free(r->kernel);
    hd_hdt_close(r->file);
    free(r);
}

int hd_replay_set(struct hd_replay *r, const char *assignment, struct hd_diag *d)
{
    if (strncmp(assignment, "kernels=", 8) == 0) {
        size_t n;
        const char *range = hd_trace_backwards(assignment + 8, &n);
        r->chosen = assignment + 8;
        if (!range)
            return 1;
        hd_diag_error(d, "trace: %s: %.*s must begin before it ends", assignment, (int)n, range);
        return -1;
    }
    if (strncmp(assignment, "every=", 6) != 0)
        return 0;
    char *end;
    errno = 0;
    r->every = strtoull(assignment + 6, &end, 10);
    if (assignment[6] < '0' || assignment[6] > '9' || *end || errno || r->every == 0) {
        hd_diag_error(d, "trace: %s: must be a number from 1", assignment);
        return -1;
    }
    return 1;
}

const char *hd_replay_chosen(const struct hd_replay *r, uint64_t *every)
{
    *every = r->every;
    return r->chosen;
}

/* Number and name of the kernel at place @i of the head. */
static uint64_t nth_kernel(const void *ctx, size_t i, const char **name, size_t *bytes)
{
    const struct hd_replay *r = ctx;
    size_t n;
    const char *line = hd_hdt_value(r->file->head, "kernel", (unsigned)i, &n);

    *name = line + n;
    unsigned fields = 0; /* six numbers are before it */
    for (const char *p = line; p < line + n && fields < 6; p++)
        if (*p == ' ' && ++fields == 6)
            *name = p + 1;
    *bytes = n - (size_t)(*name - line);
    return r->kernel[i].number;
}

/* The blocks that are played: those that the file has, of these each every-th number. */
static bool choose_blocks(struct hd_replay *r, struct kernel *k, size_t i)
{
    size_t n;
    const char *name;
    uint64_t number = nth_kernel(r, i, &name, &n);

    if (!hd_trace_chosen(r->chosen, number, name, n))
        return true;
    if (r->own && r->every == 1) {
        k->blocks = k->grid;
    } else {
        size_t chunks = (size_t)(k->end - k->first);
        k->block = malloc((chunks + 1) * sizeof *k->block);
        if (!k->block)
            return false;
        for (const struct hd_hdt_chunk *c = k->first; c < k->end; c++)
            if (c->block % r->every == 0 && (c == k->first || c[-1].block != c->block))
                k->block[k->blocks++] = c->block;
    }
    for (const struct hd_hdt_chunk *c = k->first; c < k->end; c++)
        r->expected += c->block % r->every == 0 ? c->ops : 0;
    return true;
}

static void poke(void *ctx, uint32_t addr, uint32_t word)
{
    hd_machine_poke(ctx, addr, word);
}

bool hd_replay_choose(struct hd_replay *r, struct hd_diag *d)
{
    if (!hd_trace_all_choose(r->chosen, r->kernels, nth_kernel, r, "trace", d))
        return false;
    for (size_t i = 0; i < r->kernels; i++)
        if (!choose_blocks(r, &r->kernel[i], i))
            return hd_diag_error(d, "no memory");
    r->whole = r->expected == r->file->ops && r->every == 1;
    return true;
}

bool hd_replay_memory(struct hd_replay *r, struct hd_machine *m, struct hd_diag *d)
{
    return hd_hdt_memory(r->file, poke, m, d);
}

const char *hd_replay_note(struct hd_replay *r)
{
    size_t n;
    const char *text = hd_hdt_value(r->own ? r->file->end : r->file->head, "spin loads", 0, &n);
    unsigned long long polls = text ? strtoull(text, NULL, 10) : 0;
    int at = 0;

    if (r->own && r->same)
        return NULL;
    if (r->own)
        at = snprintf(r->note, sizeof r->note, "recorded on another configuration, whose path is kept%s", polls ? "; " : "");
    if (polls)
        snprintf(r->note + at, sizeof r->note - (size_t)at,
                 "%llu accesses look like polls: as many as in the run that was traced", polls);
    return at > 0 || polls ? r->note : NULL;
}

uint64_t hd_replay_hash(const struct hd_machine *m, uint64_t top)
{
    uint64_t h = 0x9e3779b97f4a7c15u;

    for (uint64_t a = 0; a < top; a += 4) {
        h = (h ^ hd_machine_peek(m, (uint32_t)a)) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return h;
}

const char *hd_replay_check(struct hd_replay *r, struct hd_machine *m, uint64_t cycles)
{
    size_t n;

    r->played = 0;
    for (size_t i = 0; i < (size_t)r->c->sms * r->c->warps; i++)
        r->played += r->player[i].played;
    if (r->played != r->expected) {
        snprintf(r->text, sizeof r->text, "%llu operations played, the trace has %llu", (unsigned long long)r->played,
                 (unsigned long long)r->expected);
        return r->text;
    }
    const char *then = hd_hdt_value(r->file->end, "cycles", 0, &n), *hash = hd_hdt_value(r->file->end, "memory", 0, &n);
    if (!r->same || !r->whole || !then || !hash)
        return NULL;
    uint64_t recorded = strtoull(then, NULL, 10), now = hd_replay_hash(m, r->top);
    if (recorded != cycles) {
        snprintf(r->text, sizeof r->text, "%llu cycles; when it was recorded, on the same configuration, %llu",
                 (unsigned long long)cycles, (unsigned long long)recorded);
        return r->text;
    }
    if (strtoull(hash, NULL, 16) != now) {
        snprintf(r->text, sizeof r->text, "memory has the hash %016llx at the end, recorded was %.16s", (unsigned long long)now,
                 hash);
        return r->text;
    }
    return NULL;
}
