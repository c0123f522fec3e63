/* scan.c - see scan.h. */
#define _POSIX_C_SOURCE 200809L
#include "scan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SLOTS_FIRST = 1 << 6,       /* of the table of regions; at most: for 2 MiB, for 64 KiB */
    SLOTS_LARGE = 1 << 15,
    SLOTS_SMALL = 1 << 17,
    LINE_BITS = 7,
    WINDOW = 1 << 24,           /* bytes of a window of generic addresses */
    MOST_LDS = 1 << 20,
    MOST_BARRIERS = 1 << 16,
    BITMAP_MEMORY = 32 << 20,   /* for the lines of regions: beyond it lines are not counted */
    SEEN_BLOCKS = 1 << 26       /* grids of more must have their blocks in order */
};

struct region {
    uint64_t number;            /* + 1; 0: free */
    uint32_t stamp, index;      /* the kernel that has touched it last; place in the map */
    uint8_t *lines;             /* a bit a line */
};

struct hd_regions {
    unsigned bits;
    size_t slots, most, count;  /* half of the slots may be taken, then there are more, up to @most */
    uint32_t stamp;
    uint64_t bitmap_bytes;
    struct region *slot;        /* [slots] */
    uint32_t *used;             /* [slots / 2]: the @count slots that are taken */
    struct region *last;
    uint64_t *list;             /* sorted */
};

/* Where @number (+ 1) is, or a free slot. */
static struct region *slot_of(struct hd_regions *r, uint64_t number)
{
    for (uint64_t i = (number * 0x9e3779b97f4a7c15u) >> 47;; i++) {
        struct region *s = &r->slot[i % r->slots];
        if (s->number == number || s->number == 0)
            return s;
    }
}

/* Twice as many slots, those of the beginning if there are none. */
static bool grow(struct hd_regions *r)
{
    struct hd_regions with = *r;

    with.slots = r->slots ? 2 * r->slots : SLOTS_FIRST;
    if (with.slots > r->most)
        return false;
    with.slot = calloc(with.slots, sizeof *with.slot);
    with.used = malloc(with.slots / 2 * sizeof *with.used);
    if (!with.slot || !with.used) {
        free(with.slot);
        free(with.used);
        return false;
    }
    for (size_t i = 0; i < r->count; i++) {
        const struct region *from = &r->slot[r->used[i]];
        struct region *to = slot_of(&with, from->number);
        *to = *from;
        with.used[i] = (uint32_t)(to - with.slot);
    }
    free(r->slot);
    free(r->used);
    with.last = NULL;
    *r = with;
    return true;
}

/* @return NULL: there are too many. */
static struct region *region_of(struct hd_regions *r, uint64_t addr)
{
    uint64_t number = (addr >> r->bits) + 1;

    if (r->last && r->last->number == number)
        return r->last;
    struct region *s = slot_of(r, number);
    if (s->number == 0) {
        if (r->count == r->slots / 2) {
            if (!grow(r))
                return NULL;
            s = slot_of(r, number);
        }
        s->number = number;
        r->used[r->count++] = (uint32_t)(s - r->slot);
    }
    return r->last = s;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

size_t hd_regions_list(struct hd_regions *r, const uint64_t **list)
{
    size_t n = 0;

    free(r->list);
    r->list = malloc((r->count ? r->count : 1) * sizeof *r->list);
    if (!r->list)
        abort();
    for (; n < r->count; n++)
        r->list[n] = r->slot[r->used[n]].number - 1;
    qsort(r->list, n, sizeof *r->list, by_number);
    for (size_t i = 0; i < n; i++)
        region_of(r, r->list[i] << r->bits)->index = (uint32_t)i;
    *list = r->list;
    return n;
}

uint32_t hd_regions_index(struct hd_regions *r, uint64_t addr)
{
    return region_of(r, addr)->index;
}

enum hd_sass_space hd_generic_space(const struct hd_accel_kernel *k, uint64_t addr, uint64_t *offset)
{
    *offset = addr;
    if (k->shared_base != 0 && addr - k->shared_base < WINDOW) {
        *offset = addr - k->shared_base;
        return HD_SASS_LDS;
    }
    if (k->local_base != 0 && addr - k->local_base < WINDOW) {
        *offset = addr - k->local_base;
        return HD_SASS_LOCAL;
    }
    return HD_SASS_GLOBAL;
}

/* ---- one file ------------------------------------------------------------------------------------------------ */

struct pass {
    struct hd_scan *scan;
    const struct hd_trace_options *options;
    struct hd_diag *diag;
    struct hd_source *source;
    struct hd_kernel_scan *k;
    unsigned number;
    bool skip;                      /* this block */
    uint8_t *seen;                  /* blocks of the kernel, a bit each; NULL: too many, or none yet */
    uint64_t last_block;            /* + 1; 0: none yet */
    uint64_t *barrier;              /* pcs of the block's barriers: those of the warp with most */
    size_t barriers, room, met;     /* of the block, of the array, of this warp */
    uint64_t strong_pc;
    uint64_t line;                  /* touched last */
    time_t next;
};

static bool place_error(struct pass *p, const char *what)
{
    char place[HD_DIAG_TEXT];

    return hd_diag_error(p->diag, "%s: %s", hd_source_place(p->source, 0, place), what);
}

static void place_warn(struct pass *p, const char *kind)
{
    char place[HD_DIAG_TEXT];

    hd_diag_warn(p->diag, hd_source_place(p->source, 0, place), kind);
}

static bool on_kernel(void *ctx, const struct hd_accel_kernel *k)
{
    struct pass *p = ctx;

    p->k->header = *k;
    p->k->local_low = UINT32_MAX;
    p->k->chosen = hd_trace_chosen(p->options->kernels, p->number, k->name, strlen(k->name));
    p->scan->regions->stamp = p->number;
    p->line = UINT64_MAX;
    return p->k->chosen;
}

/* A block may be there once. */
static bool first_time(struct pass *p, uint64_t block)
{
    const bool after = block >= p->last_block;

    p->last_block = block + 1;
    if (p->k->header.blocks > SEEN_BLOCKS)
        return after || place_error(p, "expected blocks in ascending order, as the grid has more than 2^26");
    if (!p->seen && !(p->seen = calloc(1, p->k->header.blocks / 8 + 1))) /* pages that no block touches take no memory */
        return place_error(p, "no memory");
    if (p->seen[block / 8] >> block % 8 & 1)
        return place_error(p, "expected a block that the kernel has not had yet");
    p->seen[block / 8] |= (uint8_t)(1u << block % 8);
    return true;
}

static bool on_block(void *ctx, const unsigned at[3])
{
    struct pass *p = ctx;
    const unsigned *grid = p->k->header.grid;
    uint64_t block = at[0] + (uint64_t)grid[0] * (at[1] + (uint64_t)grid[1] * at[2]);

    p->skip = p->options->every > 1 && block % p->options->every != 0;
    p->k->blocks += !p->skip;
    p->barriers = 0;
    return p->skip || first_time(p, block);
}

static bool on_warp(void *ctx, unsigned warp, uint64_t insts)
{
    struct pass *p = ctx;

    if (p->skip)
        return true;
    p->k->warps++;
    p->k->insts += insts;
    if (warp >= p->k->most_warp)
        p->k->most_warp = warp + 1;
    p->met = 0;
    p->strong_pc = UINT64_MAX;
    if (p->options->progress && time(NULL) >= p->next) {
        uint64_t all, done = hd_source_progress(p->source, &all);
        fprintf(stderr, "%s: %.0f %% read\n", p->k->path, all ? 100.0 * (double)done / (double)all : 100.0);
        p->next = time(NULL) + 5;
    }
    return true;
}

/* Counts the lines of an access of @bytes. */
static bool touch(struct pass *p, uint64_t addr, unsigned bytes)
{
    struct hd_regions *r = p->scan->regions;

    if (addr >> LINE_BITS == p->line && (addr + bytes - 1) >> LINE_BITS == p->line)
        return true;
    p->line = (addr + bytes - 1) >> LINE_BITS;
    if (addr >> 56 != 0)
        return place_error(p, "expected an address below 2^56");
    for (uint64_t at = addr; at <= addr + bytes - 1; at = ((at >> LINE_BITS) + 1) << LINE_BITS) {
        struct region *g = region_of(r, at);
        size_t room = (size_t)1 << (r->bits - LINE_BITS - 3);
        if (!g)
            return place_error(p, "expected at most 16384 regions of 2 MiB, or 65536 of 64 KiB, of memory, found more");
        if (g->stamp != r->stamp) {
            g->stamp = r->stamp;
            p->k->regions++;
            if (!g->lines && !p->options->no_lines && r->bitmap_bytes + room <= BITMAP_MEMORY) {
                g->lines = malloc(room);
                r->bitmap_bytes += room;
            }
            if (g->lines)
                memset(g->lines, 0, room);
        }
        uint32_t line = (uint32_t)(at >> LINE_BITS) & ((1u << (r->bits - LINE_BITS)) - 1);
        if (g->lines && !(g->lines[line / 8] >> line % 8 & 1)) {
            g->lines[line / 8] |= (uint8_t)(1u << line % 8);
            p->k->lines++;
        }
    }
    return true;
}

/* All lanes of an access in one region, whose lines nobody counts. @return false if it is another, which is not an error. */
static bool one_region(struct pass *p, const struct hd_insn *i, uint32_t mask)
{
    const uint64_t first = i->addr[__builtin_ctz(mask)];
    const struct hd_regions *r = p->scan->regions;
    uint64_t other = i->strided ? (i->addr[31 - __builtin_clz(mask)] ^ first) | (uint64_t)(i->stride & 15) : 0;

    if (i->strided)
        mask = 0;
    else if (mask == UINT32_MAX) { /* many at once */
        for (unsigned l = 0; l < HD_INSN_LANES; l++)
            other |= i->addr[l] ^ first;
        mask = 0;
    }
    for (; mask != 0; mask &= mask - 1)
        other |= i->addr[__builtin_ctz(mask)] ^ first;
    return ((first | other) & (i->op->bytes - 1u)) == 0 && other >> r->bits == 0 && r->last && r->last->stamp == r->stamp &&
           r->last->number == (first >> r->bits) + 1;
}

static bool touch_lane(struct pass *p, const struct hd_insn *i, unsigned lane)
{
    struct hd_kernel_scan *k = p->k;
    uint64_t at = i->addr[lane];
    enum hd_sass_space space = i->op->space;
    unsigned bytes = i->op->bytes;

    if (space == HD_SASS_GENERIC)
        space = hd_generic_space(&k->header, at, &at);
    if (space == HD_SASS_GLOBAL)
        return touch(p, at, bytes);
    if (space == HD_SASS_LDS) {
        if (at > MOST_LDS || at + bytes > MOST_LDS)
            return place_error(p, "expected an address of the LDS below 1 MiB");
        if (at + bytes > k->lds_bytes)
            k->lds_bytes = at + bytes;
        return true;
    }
    if (at > 4 * (uint64_t)WINDOW || at + bytes > 4 * (uint64_t)WINDOW)
        return place_error(p, "expected an offset of local memory below 64 MiB");
    if (at < k->local_low)
        k->local_low = (uint32_t)at & ~3u;
    if (at + bytes > k->local_high)
        k->local_high = (uint32_t)(at + bytes + 3) & ~3u;
    return true;
}

static bool barrier(struct pass *p, const struct hd_insn *i)
{
    if (p->options->barriers_in_order || p->met >= MOST_BARRIERS)
        return true;
    if (p->met == p->room) {
        size_t room = p->room ? 2 * p->room : 256;
        uint64_t *more = realloc(p->barrier, room * sizeof *more);
        if (!more)
            return place_error(p, "no memory");
        p->barrier = more;
        p->room = room;
    }
    if (p->met == p->barriers)
        p->barrier[p->barriers++] = i->pc;
    if (p->barrier[p->met++] == i->pc)
        return true;
    return place_error(p, "expected the warps of a block to meet at the same BAR.SYNC, found different ones: named barriers, "
                       "whose numbers the trace does not have (barriers=order pairs them in order)");
}

static bool on_insn(void *ctx, const struct hd_insn *i)
{
    struct pass *p = ctx;
    struct hd_kernel_scan *k = p->k;
    const struct hd_sass *op = i->op;

    if (p->skip)
        return true;
    k->bars += op->barrier;
    if (i->mask == 0) {
        k->memory += i->width != 0;
        k->memory_empty += i->width != 0;
        k->kinds[HD_SASS_ALU]++;
        if (i->width != 0)
            i->op->count++;
        return true;
    }
    k->kinds[op->kind]++;
    if (i->width != 0) {
        k->memory++;
        k->lanes += (unsigned)__builtin_popcount(i->mask);
        i->op->count++;
        if (op->kind == HD_SASS_ALU) {
            k->unknown++;
            place_warn(p, "a memory instruction that is not known: one ALU slot");
        }
    }
    switch (op->kind) {
    case HD_SASS_BARRIER:
        return barrier(p, i);
    case HD_SASS_ARRIVE:
        return place_error(p, "expected no BAR.ARV: an arrival without waiting cannot be run");
    case HD_SASS_LOAD:
        if (op->strong && p->strong_pc == i->pc)
            k->strong_repeats++;
        p->strong_pc = op->strong ? i->pc : p->strong_pc;
        break;
    case HD_SASS_ATOMIC:
        k->replaced_atomics += op->replaced;
        break;
    case HD_SASS_STORE:
    case HD_SASS_COPY:
    case HD_SASS_MATRIX:
        break;
    default:
        return true;
    }
    if (i->width == 0)
        return true;
    k->narrow += op->bytes < 4;
    uint32_t mask = op->kind == HD_SASS_MATRIX && op->rows < 32 ? i->mask & ((1u << op->rows) - 1) : i->mask;
    if (op->space == HD_SASS_GLOBAL) {
        if (p->options->no_lines && mask != 0 && one_region(p, i, mask))
            return true;
        for (; mask != 0; mask &= mask - 1)
            if (!touch(p, i->addr[__builtin_ctz(mask)], op->bytes))
                return false;
        return true;
    }
    if (op->space != HD_SASS_GENERIC && mask != 0) { /* all in the LDS, or local: the lowest and the highest say it */
        unsigned low = (unsigned)__builtin_ctz(mask), high = i->strided ? 31 - (unsigned)__builtin_clz(mask) : low;
        for (mask &= i->strided ? 0 : mask - 1; mask != 0; mask &= mask - 1) {
            unsigned lane = (unsigned)__builtin_ctz(mask);
            low = i->addr[lane] < i->addr[low] ? lane : low;
            high = i->addr[lane] > i->addr[high] ? lane : high;
        }
        return touch_lane(p, i, low) && touch_lane(p, i, high);
    }
    for (; mask != 0; mask &= mask - 1)
        if (!touch_lane(p, i, (unsigned)__builtin_ctz(mask)))
            return false;
    return true;
}

static bool on_end(void *ctx)
{
    (void)ctx;
    return true;
}

/* Keeps the numbers of the memory opcodes, which the table has counted. */
static bool keep_opcodes(struct hd_kernel_scan *k, struct hd_sass_table *t)
{
    struct hd_sass *op;
    size_t n = 0;

    for (size_t i = 0; (op = hd_sass_at(t, i)); i++)
        n += op->count != 0;
    k->opcode = malloc((n ? n : 1) * sizeof *k->opcode);
    for (size_t i = 0; (op = hd_sass_at(t, i)); i++) {
        if (op->count != 0 && k->opcode)
            k->opcode[k->opcodes++] = (struct hd_opcode_count){op, op->count};
        op->count = 0;
    }
    return k->opcode != NULL;
}

static bool scan_file(struct pass *p, const char *path)
{
    static const struct hd_accel_sink sink = {.kernel = on_kernel, .block = on_block, .warp = on_warp, .insn = on_insn,
                                              .warp_end = on_end, .block_end = on_end};
    struct hd_accel_sink with = sink;
    unsigned errors = p->diag->errors;

    p->k->path = path;
    p->last_block = 0;
    p->source = hd_source_open(path, p->diag);
    if (!p->source)
        return false;
    with.ctx = p;
    bool good = hd_accel_read(p->source, p->scan->opcodes, &with, p->diag) || (!p->k->chosen && p->diag->errors == errors);
    p->k->text_bytes = hd_source_text(p->source);
    hd_source_close(p->source);
    free(p->seen);
    p->seen = NULL;
    if (!keep_opcodes(p->k, p->scan->opcodes))
        return hd_diag_error(p->diag, "%s: no memory", path);
    uint64_t lds = p->k->lds_bytes;
    if (p->k->header.lds_bytes > lds && p->k->header.lds_bytes <= MOST_LDS && p->k->header.lds_bytes != 1)
        lds = p->k->header.lds_bytes;
    else if (lds > p->k->header.lds_bytes)
        hd_diag_warn(p->diag, path, "accesses to the LDS beyond -shmem: the block is given more");
    if (p->options->copies != HD_COPY_LOAD && p->k->kinds[HD_SASS_COPY] != 0 && lds < 128)
        lds = 128;
    p->k->lds_launch = (uint32_t)(lds + 3) & ~3u;
    return good;
}

bool hd_scan(struct hd_scan *s, const char *path, const struct hd_trace_options *o, struct hd_diag *d)
{
    *s = (struct hd_scan){.path = path};
    struct pass p = {.scan = s, .options = o, .diag = d, .next = time(NULL) + 5};
    unsigned errors = d->errors;
    bool good = true;

    if (!hd_trace_list_read(&s->list, path, o->skip_missing, d))
        return false;
    s->opcodes = hd_sass_new();
    s->regions = calloc(1, sizeof *s->regions);
    s->kernel = calloc(s->list.count, sizeof *s->kernel);
    if (s->regions) {
        s->regions->bits = o->region_bits;
        s->regions->most = o->region_bits > 16 ? SLOTS_LARGE : SLOTS_SMALL;
    }
    if (!s->opcodes || !s->kernel || !s->regions || !grow(s->regions))
        return hd_diag_error(d, "%s: no memory", path);
    for (size_t i = 0; i < s->list.count; i++) {
        p.k = &s->kernel[s->kernels++];
        p.number = (unsigned)i + 1;
        good &= scan_file(&p, s->list.path[i]);
    }
    free(p.barrier);
    return good && d->errors == errors;
}

void hd_scan_free(struct hd_scan *s)
{
    for (size_t i = 0; i < s->kernels; i++)
        free(s->kernel[i].opcode);
    free(s->kernel);
    for (size_t i = 0; s->regions && i < s->regions->count; i++)
        free(s->regions->slot[s->regions->used[i]].lines);
    if (s->regions) {
        free(s->regions->slot);
        free(s->regions->used);
        free(s->regions->list);
    }
    free(s->regions);
    hd_sass_free(s->opcodes);
    hd_trace_list_free(&s->list);
    *s = (struct hd_scan){0};
}
