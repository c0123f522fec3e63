/* convert.c - see convert.h. */
#define _POSIX_C_SOURCE 200809L
#include "convert.h"
#include "hd_pkg.h"
#include "ops.h"
#include "warp.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, LOADS = 64, GROUPS = 64, NONE = 0, LEVEL = 3 };

/* A load under way: the tokens of its operations. */
struct load {
    uint32_t first, count;
    bool waited;
};

struct convert {
    struct hd_scan *scan;
    const struct hd_trace_options *options;
    struct hd_diag *diag;
    struct hd_source *source;
    struct hd_hdt_writer *out;
    const struct hd_kernel_scan *k;
    uint32_t number;                /* of the kernel in the file */
    uint32_t block;
    unsigned warp, part;
    bool skip;
    uint64_t region_last, region_base; /* the region looked up last: its number + 1, where it is */
    uint64_t local_base;            /* of the kernel's local memory */
    uint32_t local_threads;         /* that have words of their own */

    /* the warp */
    uint8_t *data;                  /* [HD_CHUNK_BYTES] the chunk */
    size_t bytes;
    uint32_t ops, alu;
    struct hd_trace_state state;
    uint32_t tokens;                /* handed out */
    uint32_t copied;                /* operations that are copies */
    bool waited[HD_TOKENS], copy[HD_TOKENS]; /* of the last tokens */
    struct load load[LOADS];
    uint32_t loads;
    uint32_t pending[HD_REGS];      /* load + 1 that will write the register; 0: none */
    uint32_t closed, close[GROUPS]; /* groups of copies: tokens when each was closed */
    uint64_t full;                  /* waits that the window of tokens makes */
    struct hd_trace_op op;
};

/* ---- output -------------------------------------------------------------------------------------------------- */

static bool flush(struct convert *c)
{
    if (c->bytes > 0 && !hd_hdt_chunk(c->out, c->number, c->block, c->warp, c->part++, c->ops, c->data, c->bytes))
        return false;
    if (c->part > UINT16_MAX)
        return hd_diag_error(c->diag, "%s: a warp with more than 65535 chunks of operations", c->k->path);
    c->bytes = 0;
    c->ops = 0;
    memset(&c->state, 0, sizeof c->state);
    return true;
}

/* Writes c->op, with the ALU instructions before it. */
static bool emit(struct convert *c)
{
    if (c->bytes + HD_OP_BYTES > HD_CHUNK_BYTES && !flush(c))
        return false;
    c->op.alu = c->alu;
    c->alu = 0;
    c->bytes += hd_trace_put(&c->state, &c->op, c->data + c->bytes);
    c->ops++;
    return true;
}

static void simple(struct convert *c, unsigned kind, unsigned order, unsigned scope)
{
    c->op.kind = (uint8_t)kind;
    c->op.order = (uint8_t)order;
    c->op.scope = (uint8_t)scope;
    c->op.space = HD_SPACE_GLOBAL;
    c->op.fn = 0;
    c->op.plain = false;
}

/* ---- dependences --------------------------------------------------------------------------------------------- */

/* Waits for tokens first..first + count - 1, those that are still waited for. */
static bool wait_tokens(struct convert *c, uint32_t first, uint32_t count)
{
    uint32_t oldest = c->tokens > HD_TOKENS ? c->tokens - HD_TOKENS : 0;

    for (uint32_t t = first < oldest ? oldest : first; t < first + count; t++) {
        uint32_t n = 0;
        while (t + n < first + count && !c->waited[(t + n) % HD_TOKENS])
            c->waited[(t + n++) % HD_TOKENS] = true;
        if (n == 0)
            continue;
        c->op.kind = HD_TRACE_WAIT;
        c->op.back = c->tokens - t;
        c->op.count = n;
        if (!emit(c))
            return false;
        t += n - 1;
    }
    return true;
}

static bool wait_register(struct convert *c, unsigned reg)
{
    uint32_t l = c->pending[reg];

    if (l == NONE)
        return true;
    c->pending[reg] = NONE;
    struct load *load = &c->load[(l - 1) % LOADS];
    if (c->loads - (l - 1) > LOADS || load->waited)
        return true;
    load->waited = true;
    return wait_tokens(c, load->first, load->count);
}

/* Registers reg .. reg + count - 1, those that there are. */
static bool wait_registers(struct convert *c, unsigned reg, unsigned count)
{
    unsigned end = reg < 255 ? 255 : HD_REGS;

    for (unsigned r = reg; r < reg + count && r < end; r++)
        if (!wait_register(c, r))
            return false;
    return true;
}

/* What the instruction reads and writes must be there. */
static bool depend(struct convert *c, const struct hd_insn *i)
{
    const struct hd_sass *op = i->op;
    bool access = op->kind >= HD_SASS_LOAD && op->kind <= HD_SASS_MATRIX && op->kind != HD_SASS_COPY_CLOSE;
    unsigned wide = access ? (op->bytes + 3u) / 4 : op->wide_result ? 2 : 1;

    for (unsigned n = 0; n < i->sources; n++) {
        unsigned count = access ? (n == 0 || wide < 2 ? 2 : wide) : wide; /* addresses are pairs */
        if (access && n > 0 && wide < 2)
            count = 1;
        if (!wait_registers(c, i->source[n], count))
            return false;
    }
    for (unsigned n = 0; n < i->dests; n++)
        if (!wait_registers(c, i->dest[n], wide))
            return false;
    return true;
}

/* The @count operations just emitted, each with a token, write the instruction's registers. */
static bool load_begun(struct convert *c, const struct hd_insn *i, uint32_t count)
{
    unsigned words = i->op->kind == HD_SASS_MATRIX ? i->op->rows / 8 : (i->op->bytes + 3u) / 4;

    if (count == 0 || c->options->deps == HD_DEPS_NONE)
        return true;
    if (c->options->deps == HD_DEPS_ALL)
        return wait_tokens(c, c->tokens - count, count);
    c->load[c->loads % LOADS] = (struct load){.first = c->tokens - count, .count = count};
    c->loads++;
    for (unsigned n = 0; n < i->dests; n++)
        for (unsigned r = i->dest[n]; r < i->dest[n] + (i->dests == 1 ? words : 1u) && r < 255; r++)
            c->pending[r] = c->loads;
    return true;
}

/* ---- accesses ------------------------------------------------------------------------------------------------ */

/* Makes the region of @addr that looked up last. */
static void look_up(struct convert *c, uint64_t addr)
{
    c->region_last = (addr >> c->options->region_bits) + 1;
    c->region_base = ((uint64_t)hd_regions_index(c->scan->regions, addr) + 1) << c->options->region_bits; /* nothing at 0 */
}

/* place[l] = first + stride * l, for lanes and more. */
static uint32_t in_steps(uint32_t place[LANES], uint32_t first, uint32_t stride, uint32_t step)
{
    for (uint32_t l = 0; l < LANES; l++)
        place[l] = first + stride * l;
    return step;
}

/* The machine's address of word 0 of each lane of @mask, that of @at, which is i->addr or made of it. @return how far word
 * j + 1 is from word j. */
static uint32_t places(struct convert *c, const struct hd_insn *i, enum hd_sass_space space, const uint64_t *at, uint32_t mask,
                       uint32_t place[LANES])
{
    const unsigned bits = c->options->region_bits;
    const unsigned first = (unsigned)__builtin_ctz(mask), last = 31 - (unsigned)__builtin_clz(mask);
    const uint32_t low = (1u << bits) - 4;
    const bool steps = i->strided && at == i->addr && (i->stride & 3) == 0;
    const uint32_t stride = steps ? (uint32_t)i->stride : 0;
    /* a multiple of LANES both */
    uint64_t thread = (((uint64_t)c->block * c->k->most_warp + c->warp) * LANES) % c->local_threads;

    if (steps && space == HD_SASS_LDS)
        return in_steps(place, ((uint32_t)at[first] & ~3u) - stride * first, stride, 4);
    if (steps && space == HD_SASS_LOCAL) {
        uint64_t word = ((at[first] & ~(uint64_t)3) - c->k->local_low) / 4 * c->local_threads + thread;
        return in_steps(place, (uint32_t)(c->local_base + 4 * word) - stride * c->local_threads * first,
                        stride * c->local_threads + 4, 4 * c->local_threads);
    }
    if (steps && at[first] >> bits == at[last] >> bits) {
        if ((at[first] >> bits) + 1 != c->region_last)
            look_up(c, at[first]);
        return in_steps(place, (uint32_t)c->region_base + ((uint32_t)at[first] & low) - stride * first, stride, 4);
    }
    switch (space) {
    case HD_SASS_LDS:
        for (; mask != 0; mask &= mask - 1)
            place[__builtin_ctz(mask)] = (uint32_t)at[__builtin_ctz(mask)] & ~3u;
        return 4;
    case HD_SASS_LOCAL:
        for (; mask != 0; mask &= mask - 1) {
            unsigned lane = (unsigned)__builtin_ctz(mask);
            uint64_t word = ((at[lane] & ~(uint64_t)3) - c->k->local_low) / 4 * c->local_threads + thread + lane;
            place[lane] = (uint32_t)(c->local_base + 4 * word);
        }
        return 4 * c->local_threads;
    default:
        if (mask == UINT32_MAX) { /* the usual, many at once: all lanes in one region */
            uint64_t other = 0;
            for (unsigned l = 0; l < LANES; l++)
                other |= at[l] ^ at[0];
            if (other >> bits == 0) {
                if ((at[0] >> bits) + 1 != c->region_last)
                    look_up(c, at[0]);
                const uint32_t base = (uint32_t)c->region_base;
                for (unsigned l = 0; l < LANES; l++)
                    place[l] = base + ((uint32_t)at[l] & low);
                return 4;
            }
        }
        for (; mask != 0; mask &= mask - 1) {
            uint64_t a = at[__builtin_ctz(mask)];
            if ((a >> c->options->region_bits) + 1 != c->region_last)
                look_up(c, a);
            place[__builtin_ctz(mask)] = (uint32_t)c->region_base + ((uint32_t)a & low);
        }
        return 4;
    }
}

/* Narrow stores: of several lanes on one word the last stays. */
static uint32_t last_writers(const uint32_t *addr, uint32_t mask)
{
    uint32_t kept = mask;

    for (uint32_t a = mask; a != 0; a &= a - 1)
        for (uint32_t b = a & (a - 1); b != 0; b &= b - 1)
            if (addr[__builtin_ctz(a)] == addr[__builtin_ctz(b)]) {
                kept &= ~(a & -a);
                break;
            }
    return kept;
}

static bool is_async(const struct convert *c)
{
    return c->options->copies == HD_COPY_ASYNC;
}

/* Makes the operation a copy. Traces do not say where in the LDS it goes: one word after the other, round the block's. */
static void copy_places(struct convert *c)
{
    uint32_t rows = c->k->lds_launch / (4 * LANES), base = c->copied++ % rows * 4 * LANES;

    c->op.kind = HD_OP_COPY;
    c->op.has_cmp = true;
    for (unsigned l = 0; l < LANES; l++)
        c->op.cmp[l] = base + 4 * l;
}

/* Words of LANES / words lanes, lane by lane. */
static void spread(uint32_t *addr, const uint32_t *place, unsigned words, uint32_t step)
{
    if (words == 1)
        memcpy(addr, place, LANES * sizeof *addr);
    else if (words == 2)
        for (unsigned l = 0; l < LANES; l++)
            addr[l] = place[l / 2] + (l & 1) * step;
    else
        for (unsigned l = 0; l < LANES; l++)
            addr[l] = place[l / 4] + (l & 3) * step;
}

/* Lanes of @mask, all in @space: as many operations as the access has words, slots filled in thread order, word by word.
 * @return how many were made, -1 after an error. */
static int pack(struct convert *c, const struct hd_insn *i, enum hd_sass_space space, const uint64_t *at, uint32_t mask)
{
    const struct hd_sass *s = i->op;
    bool atomic = s->kind == HD_SASS_ATOMIC, load = s->kind != HD_SASS_STORE, async = s->kind == HD_SASS_COPY && is_async(c);
    unsigned words = atomic || s->bytes < 4 ? 1 : s->bytes / 4u, share = LANES / words;
    uint32_t place[LANES], step = mask != 0 ? places(c, i, space, at, mask, place) : 0;
    int made = 0;

    for (unsigned q = 0; q < words; q++) {
        uint32_t part = share == LANES ? mask : mask >> (q * share) & ((1u << share) - 1), slots = 0;
        if (part == (uint32_t)((1ull << share) - 1)) { /* the usual: all of them */
            spread(c->op.addr, place + q * share, words, step);
            slots = UINT32_MAX;
            part = 0;
        }
        for (; part != 0; part &= part - 1) {
            unsigned in = (unsigned)__builtin_ctz(part), lane = q * share + in;
            for (unsigned j = 0; j < words; j++)
                c->op.addr[in * words + j] = place[lane] + step * j;
            slots |= ((1u << words) - 1) << (in * words);
        }
        if (slots == 0)
            continue;
        if (s->kind == HD_SASS_STORE && s->bytes < 4)
            slots = last_writers(c->op.addr, slots);
        c->op.kind = atomic ? HD_OP_ATOMIC : load ? HD_OP_LOAD : HD_OP_STORE;
        c->op.fn = s->fn;
        c->op.order = s->order;
        c->op.scope = s->plain ? HD_SCOPE_DEVICE : s->scope;
        c->op.plain = s->plain;
        c->op.space = space == HD_SASS_LDS ? HD_SPACE_LDS : HD_SPACE_GLOBAL;
        if (space == HD_SASS_LDS && c->op.scope > HD_SCOPE_WG)
            c->op.scope = HD_SCOPE_WG;
        if (space == HD_SASS_LDS && c->op.fn == HD_AT_CAS) /* the LDS has none */
            c->op.fn = HD_AT_EXCH;
        c->op.mask = slots;
        c->op.has_data = c->op.has_cmp = false;
        if (async)
            copy_places(c);
        if (!emit(c))
            return -1;
        if (load && !async) {
            uint32_t t = c->tokens++ % HD_TOKENS;
            c->full += c->tokens > HD_TOKENS && !c->waited[t];
            c->waited[t] = false;
            c->copy[t] = s->kind == HD_SASS_COPY;
        }
        made++;
    }
    return made;
}

/* An access: lanes of generic addresses go where theirs point to. */
static bool access(struct convert *c, const struct hd_insn *i)
{
    const struct hd_sass *s = i->op;
    uint32_t mask = s->kind == HD_SASS_MATRIX && s->rows < LANES ? i->mask & ((1u << s->rows) - 1) : i->mask, in[4] = {0};
    uint64_t at[LANES];
    int made = 0, n;

    if (s->space != HD_SASS_GENERIC)
        n = pack(c, i, s->space, i->addr, mask);
    else {
        for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            in[hd_generic_space(&c->k->header, i->addr[lane], &at[lane])] |= 1u << lane;
        }
        n = 0;
        for (unsigned space = 0; space < 4 && n >= 0; space++)
            if (in[space] != 0) {
                n = pack(c, i, space, at, in[space]);
                made += n;
            }
    }
    if (n < 0)
        return false;
    if (s->space != HD_SASS_GENERIC)
        made = n;
    if (s->kind == HD_SASS_COPY) {
        if (c->options->copies != HD_COPY_STORE)
            return true;
        simple(c, HD_OP_STORE, HD_ORD_RELAXED, HD_SCOPE_DEVICE);
        c->op.plain = true;
        c->op.space = HD_SPACE_LDS;
        c->op.mask = i->mask;
        for (unsigned l = 0; l < LANES; l++)
            c->op.addr[l] = 4 * l;
        return emit(c);
    }
    return s->kind == HD_SASS_STORE || i->dests == 0 || load_begun(c, i, (uint32_t)made);
}

/* Waits until at most @open groups of copies are. */
static bool wait_groups(struct convert *c, int64_t open)
{
    uint32_t oldest = c->tokens > HD_TOKENS ? c->tokens - HD_TOKENS : 0;

    if (open < 0 || open >= c->closed || open >= GROUPS)
        return true;
    uint32_t end = c->close[(c->closed - 1 - (uint32_t)open) % GROUPS];
    for (uint32_t t = oldest; t < end; t++)
        if (c->copy[t % HD_TOKENS] && !wait_tokens(c, t, 1))
            return false;
    return true;
}

/* @fn: as of the machine's operation. It counts to 7: a trace that lets more groups be open waits for more here. */
static bool copy_wait_or_close(struct convert *c, unsigned fn)
{
    simple(c, HD_OP_COPY_CTL, HD_ORD_RELAXED, HD_SCOPE_WI);
    c->op.fn = (uint8_t)fn;
    return emit(c);
}

/* ---- the sink ------------------------------------------------------------------------------------------------- */

static bool on_kernel(void *ctx, const struct hd_accel_kernel *k)
{
    (void)ctx;
    (void)k;
    return true;
}

static bool on_block(void *ctx, const unsigned at[3])
{
    struct convert *c = ctx;
    const unsigned *grid = c->k->header.grid;

    c->block = at[0] + grid[0] * (at[1] + grid[1] * at[2]);
    c->skip = c->options->every > 1 && c->block % c->options->every != 0;
    return true;
}

static bool on_warp(void *ctx, unsigned warp, uint64_t insts)
{
    struct convert *c = ctx;

    (void)insts;
    c->warp = warp;
    c->part = 0;
    c->bytes = 0;
    c->ops = c->alu = 0;
    c->tokens = c->loads = c->closed = c->copied = 0;
    memset(&c->state, 0, sizeof c->state);
    memset(c->pending, 0, sizeof c->pending);
    return true;
}

static bool on_insn(void *ctx, const struct hd_insn *i)
{
    struct convert *c = ctx;

    if (c->skip)
        return true;
    if (i->mask == 0) {
        c->alu++;
        return true;
    }
    if (c->options->deps == HD_DEPS_REGISTERS && !depend(c, i))
        return false;
    switch (i->op->kind) {
    case HD_SASS_LOAD:
    case HD_SASS_STORE:
    case HD_SASS_ATOMIC:
    case HD_SASS_COPY:
    case HD_SASS_MATRIX:
        if (i->width != 0)
            return access(c, i);
        break;
    case HD_SASS_COPY_CLOSE:
        if (is_async(c))
            return copy_wait_or_close(c, 0);
        c->close[c->closed++ % GROUPS] = c->tokens;
        break;
    case HD_SASS_COPY_WAIT:
        if (is_async(c))
            return copy_wait_or_close(c, 8u | (!i->has_immediate ? 0u : i->immediate < 7 ? (unsigned)i->immediate : 7u));
        if (c->closed > 0 && !wait_groups(c, i->has_immediate ? i->immediate : 0))
            return false;
        break;
    case HD_SASS_FENCE:
        simple(c, HD_OP_FENCE, i->op->order, i->op->scope);
        return emit(c);
    case HD_SASS_BARRIER:
        simple(c, HD_OP_BARRIER, HD_ORD_ACQ_REL, HD_SCOPE_WG);
        return emit(c);
    default:
        break;
    }
    c->alu++;
    return true;
}

static bool on_warp_end(void *ctx)
{
    struct convert *c = ctx;

    if (c->skip)
        return true;
    if (c->alu > 0) {
        simple(c, HD_OP_NOP, 0, 0);
        if (!emit(c))
            return false;
    }
    return flush(c);
}

static bool on_block_end(void *ctx)
{
    (void)ctx;
    return true;
}

/* ---- the head ------------------------------------------------------------------------------------------------- */

struct text {
    char *data;
    size_t bytes, room;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *format, ...)
{
    va_list args;

    if (t->room - t->bytes < 2048) {
        t->room = 2 * t->room + 4096;
        t->data = realloc(t->data, t->room);
        if (!t->data)
            abort();
    }
    va_start(args, format);
    int n = vsnprintf(t->data + t->bytes, t->room - t->bytes, format, args);
    va_end(args);
    t->bytes += n > 0 ? ((size_t)n < 2048 ? (size_t)n : 2047) : 0;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Local memory of one kernel: words of its threads, at most as many threads as fit into @room bytes. */
static bool local_layout(const struct hd_kernel_scan *k, uint64_t room, uint32_t *threads, uint64_t *bytes)
{
    uint64_t words = k->local_high > k->local_low ? (k->local_high - k->local_low) / 4 : 0;
    uint64_t all = k->header.blocks * k->most_warp * LANES;

    *threads = 1;
    *bytes = 0;
    if (words == 0)
        return true;
    uint64_t most = room / 4 / words;
    *threads = (uint32_t)(all < most ? all : most / LANES * LANES);
    *bytes = words * *threads * 4;
    return *threads != 0;
}

static bool make_head(const struct hd_scan *s, const struct hd_trace_options *o, const char *path, struct text *t,
                      uint64_t *top, struct hd_diag *d)
{
    static const char *const deps[] = {"registers", "none", "all"};
    const uint64_t *list;
    size_t regions = hd_regions_list(s->regions, &list);
    uint64_t base = ((uint64_t)regions + 1) << o->region_bits, high = base, copies = 0, atomics = 0, dropped = 0, narrow = 0,
             repeats = 0, unknown = 0;

    if (base >= 1ull << 32)
        return hd_diag_error(d, "%s: touches %zu regions of %u KiB; the machine's 4 GiB hold %llu%s", path, regions,
                             1u << o->region_bits >> 10, (1ull << 32 >> o->region_bits) - 2,
                             o->region_bits > 16 ? " (pages=64K makes them smaller)" : "");
    add(t, "origin = %s\nlanes = %d\ndeps = %s\nevery = %llu\nregion bytes = %u\n", base_name(s->path), LANES, deps[o->deps],
        (unsigned long long)(o->every ? o->every : 1), 1u << o->region_bits);
    for (size_t i = 0; i < s->kernels; i++) {
        const struct hd_kernel_scan *k = &s->kernel[i];
        uint32_t threads;
        uint64_t bytes;
        if (!k->chosen)
            continue;
        if (!local_layout(k, (1ull << 32) - base - 4096, &threads, &bytes))
            return hd_diag_error(d, "%s: its local memory does not fit behind the regions it touches", k->path);
        high = base + bytes > high ? base + bytes : high;
        add(t, "kernel = %zu %llu %u %u 0 %llu %.1500s\n", i + 1, (unsigned long long)k->header.blocks, k->most_warp * LANES,
            k->lds_launch, (unsigned long long)k->insts, k->header.name);
        copies += o->copies == HD_COPY_ASYNC ? 0 : k->kinds[HD_SASS_COPY];
        atomics += k->replaced_atomics;
        dropped += k->kinds[HD_SASS_DROPPED];
        unknown += k->unknown;
        narrow += k->narrow;
        repeats += k->strong_repeats;
    }
    add(t, "top = %llu\ncopies replaced = %llu\natomics replaced = %llu\naccesses dropped = %llu\nunknown accesses = %llu\n"
        "narrow accesses = %llu\nspin loads = %llu\n", (unsigned long long)high, (unsigned long long)copies,
        (unsigned long long)atomics, (unsigned long long)dropped, (unsigned long long)unknown, (unsigned long long)narrow,
        (unsigned long long)repeats);
    for (size_t i = 0; i < regions; i++)
        add(t, "region = 0x%llx 0x%llx\n", (unsigned long long)list[i] << o->region_bits,
            (unsigned long long)(i + 1) << o->region_bits);
    *top = base;
    return true;
}

static bool convert_file(struct convert *c)
{
    const struct hd_accel_sink sink = {.ctx = c, .kernel = on_kernel, .block = on_block, .warp = on_warp, .insn = on_insn,
                                       .warp_end = on_warp_end, .block_end = on_block_end};

    c->source = hd_source_open(c->k->path, c->diag);
    bool good = c->source && hd_accel_read(c->source, c->scan->opcodes, &sink, c->diag);
    hd_source_close(c->source);
    return good;
}

bool hd_trace_convert(struct hd_scan *s, const struct hd_trace_options *o, const char *path, struct hd_hdt_written *written,
                      struct hd_diag *d)
{
    struct convert *c = calloc(1, sizeof *c);
    struct text head = {0};
    char end[80];
    uint64_t top = 0;
    bool good = c && make_head(s, o, path, &head, &top, d);

    if (good) {
        *c = (struct convert){.scan = s, .options = o, .diag = d, .data = malloc(HD_CHUNK_BYTES), .local_base = top};
        c->out = c->data ? hd_hdt_create(path, 0, head.data, LEVEL, d) : NULL;
        good = c->out != NULL;
    }
    for (size_t i = 0; good && i < s->kernels; i++) {
        uint64_t bytes;
        c->k = &s->kernel[i];
        c->number = (uint32_t)i + 1;
        if (!c->k->chosen)
            continue;
        local_layout(c->k, (1ull << 32) - top - 4096, &c->local_threads, &bytes);
        good = convert_file(c);
    }
    if (good) {
        snprintf(end, sizeof end, "waits for a free token = %llu\n", (unsigned long long)c->full);
        good = hd_hdt_finish(c->out, end, written);
    } else if (c)
        hd_hdt_abort(c->out);
    if (c)
        free(c->data);
    free(c);
    free(head.data);
    return good;
}
