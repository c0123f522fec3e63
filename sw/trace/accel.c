/* accel.c - see accel.h. */
#include "accel.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Warps have the same lines over and over: what one said is kept, found by the start of its text, and in memory where it
 * follows the line before it, which it mostly does again. */
enum { KNOWN = 4096, KNOWN_CHUNK = 64, KNOWN_SLOTS = 4 * KNOWN, KNOWN_TEXT = 96 };

struct known {
    uint8_t bytes;                  /* of text; 0: free */
    bool whole;                     /* text is all of the line, else it ends behind the width */
    struct known *next;             /* that of the line behind it the last time: loops and warps repeat themselves */
    char text[KNOWN_TEXT];
    struct hd_insn insn;
};

struct reader {
    struct hd_source *source;
    struct hd_sass_table *opcodes;
    const struct hd_accel_sink *sink;
    struct hd_diag *diag;
    struct hd_accel_kernel kernel;
    struct hd_insn insn;
    uint64_t addr[HD_INSN_LANES];
    struct known *known[KNOWN / KNOWN_CHUNK], *last; /* KNOWN_CHUNK each; that of the line before, NULL: none */
    unsigned knows;                 /* of them */
    uint16_t *slot;                 /* [KNOWN_SLOTS] which of them, 0: none, 1: the first */
    const char *line, *at, *end;    /* the line, what is read next, its end: *end is below ' ' */
    bool in_block, in_warp, any;    /* any: a block has begun */
    unsigned block[3], warp;
    uint64_t insts, read;           /* of the warp */
    uint32_t seen[32];              /* warps of this block, a bit each */
};

/* ---- errors ------------------------------------------------------------------------------------------------ */

static void report(struct reader *r, const char *expected)
{
    char place[HD_DIAG_TEXT], found[48], inside[80] = "";
    size_t n = 0;

    for (const char *p = r->at; p < r->end && *p != ' ' && n < sizeof found - 8; p++)
        found[n++] = *p >= ' ' && *p < 127 ? *p : '?';
    snprintf(found + n, sizeof found - n, "%s", n ? "'" : r->at < r->end ? "a blank'" : "the end of the line'");
    if (r->in_block && r->in_warp)
        snprintf(inside, sizeof inside, ", block %u,%u,%u, warp %u", r->block[0], r->block[1], r->block[2], r->warp);
    else if (r->in_block)
        snprintf(inside, sizeof inside, ", block %u,%u,%u", r->block[0], r->block[1], r->block[2]);
    hd_diag_error(r->diag, "%s%s: expected %s, found '%s",
                  hd_source_place(r->source, (size_t)(r->at - r->line), place), inside, expected, found);
}

/* Something else than @expected stands at r->at. @return false, which compilers must know. */
static inline bool wrong(struct reader *r, const char *expected)
{
    report(r, expected);
    return false;
}

static void warn(struct reader *r, const char *kind)
{
    char place[HD_DIAG_TEXT];

    hd_diag_warn(r->diag, hd_source_place(r->source, 0, place), kind);
}

/* ---- tokens ------------------------------------------------------------------------------------------------ */

/* @return false at the end of the file. Blank lines are left out. */
static bool next_line(struct reader *r)
{
    size_t n;

    do {
        r->line = hd_source_line(r->source, &n);
        if (!r->line)
            return false;
        r->at = r->line;
        r->end = r->line + n;
        while (*r->at == ' ' || *r->at == '\t')
            r->at++;
    } while (r->at >= r->end);
    return true;
}

static inline void blanks(struct reader *r)
{
    while (*r->at == ' ')
        r->at++;
}

static const int8_t digit[256] = {
    ['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7, ['7'] = 8, ['8'] = 9, ['9'] = 10,
    ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16};

/* A hexadecimal number with or without 0x. */
static inline bool hex(struct reader *r, uint64_t *value, const char *what)
{
    const char *p = r->at;
    uint64_t v = 0;
    int d;

    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
        p += 2;
    const char *first = p;
    while ((d = digit[(uint8_t)*p]) != 0) {
        v = v << 4 | (uint64_t)(d - 1);
        p++;
    }
    if (p == first || p - first > 16 || (*p != ' ' && p < r->end))
        return wrong(r, what);
    r->at = p;
    blanks(r);
    *value = v;
    return true;
}

static inline bool decimal(struct reader *r, uint64_t *value, uint64_t most, const char *what)
{
    const char *p = r->at;
    uint64_t v = 0;

    while ((unsigned)(*p - '0') < 10u && p - r->at < 21)
        v = v * 10 + (unsigned)(*p++ - '0');
    size_t digits = (size_t)(p - r->at);
    bool over = digits > 20 || (digits == 20 && (*r->at != '1' || v < UINT64_C(10000000000000000000)));
    if (digits == 0 || (*p != ' ' && p < r->end) || v > most || over)
        return wrong(r, what);
    r->at = p;
    blanks(r);
    *value = v;
    return true;
}

static inline bool integer(struct reader *r, int64_t *value, const char *what)
{
    bool minus = *r->at == '-';
    uint64_t v;

    r->at += minus;
    if (!decimal(r, &v, INT64_MAX, what))
        return false;
    *value = minus ? -(int64_t)v : (int64_t)v;
    return true;
}

/* ---- header ------------------------------------------------------------------------------------------------ */

/* "(x,y,z)" or "x,y,z". */
static bool triple(struct reader *r, unsigned to[3], bool brackets, const char *what)
{
    const char *start = r->at;
    char *after;

    for (int i = 0; i < 3; i++) {
        if ((i == 0 && brackets && *r->at++ != '(') || (i > 0 && *r->at++ != ',') || (unsigned)(*r->at - '0') >= 10u) {
            r->at = start;
            return wrong(r, what);
        }
        unsigned long long v = strtoull(r->at, &after, 10);
        if (v > 0x7fffffff)
            return wrong(r, what);
        to[i] = (unsigned)v;
        r->at = after;
    }
    if (brackets && *r->at != ')') {
        r->at = start;
        return wrong(r, what);
    }
    return true;
}

static bool is_key(const struct reader *r, const char *key, size_t n)
{
    return strlen(key) == n && memcmp(r->at, key, n) == 0;
}

static bool header_line(struct reader *r, unsigned *known)
{
    enum { GRID = 1, BLOCK = 2 };
    struct hd_accel_kernel *k = &r->kernel;
    const char *equals = memchr(r->at, '=', (size_t)(r->end - r->at));
    uint64_t flag;

    r->at++;
    if (!equals || equals - r->at < 2 || equals[-1] != ' ')
        return wrong(r, "'-key = value' in the header");
    size_t n = (size_t)(equals - 1 - r->at);
    struct reader value = *r;
    value.at = equals + 1;
    blanks(&value);
    if (is_key(r, "kernel name", n)) {
        snprintf(k->name, sizeof k->name, "%.*s", (int)(r->end - value.at), value.at);
        return true;
    }
    if (is_key(r, "grid dim", n)) {
        *known |= GRID;
        return triple(&value, k->grid, true, "a grid (x,y,z)");
    }
    if (is_key(r, "block dim", n)) {
        *known |= BLOCK;
        return triple(&value, k->block, true, "a block (x,y,z)");
    }
    if (is_key(r, "kernel id", n))
        return decimal(&value, &k->id, UINT32_MAX, "a decimal kernel id");
    if (is_key(r, "cuda stream id", n))
        return decimal(&value, &k->stream, UINT64_MAX, "a decimal stream id");
    if (is_key(r, "shmem", n))
        return decimal(&value, &k->lds_bytes, UINT32_MAX, "bytes of shared memory");
    if (is_key(r, "nregs", n))
        return decimal(&value, &k->registers, UINT32_MAX, "a number of registers");
    if (is_key(r, "binary version", n))
        return decimal(&value, &k->binary_version, UINT32_MAX, "a binary version");
    if (is_key(r, "shmem base_addr", n))
        return hex(&value, &k->shared_base, "a hexadecimal address");
    if (is_key(r, "local mem base_addr", n))
        return hex(&value, &k->local_base, "a hexadecimal address");
    if (is_key(r, "nvbit version", n))
        return true;
    if (is_key(r, "accelsim tracer version", n)) {
        const char *start = value.at;
        char *dot = memchr(value.at, '.', (size_t)(value.end - value.at));
        if (dot)
            value.end = dot; /* 1.2 is a 1 */
        k->version = 0;
        while (value.at < value.end && (unsigned)(*value.at - '0') < 10u && k->version < 1000)
            k->version = k->version * 10 + (unsigned)(*value.at++ - '0');
        if (value.at == value.end && k->version >= 1 && k->version <= 6)
            return true;
        value.at = start;
        return wrong(&value, "a tracer version from 1 to 6");
    }
    if (is_key(r, "enable lineinfo", n)) {
        if (!decimal(&value, &flag, 1, "0 or 1"))
            return false;
        k->lineinfo = flag != 0;
        return true;
    }
    warn(r, "a header key that is not known");
    return true;
}

static bool header(struct reader *r)
{
    struct hd_accel_kernel *k = &r->kernel;
    unsigned known = 0;

    *k = (struct hd_accel_kernel){.name = "?"};
    while (next_line(r) && *r->at != '#') {
        if (*r->at != '-')
            return wrong(r, "a header line '-key = value' or the line '#traces format'");
        if (!header_line(r, &known))
            return false;
    }
    if (!r->line) {
        char place[HD_DIAG_TEXT];
        return r->diag->errors == 0 &&
               hd_diag_error(r->diag, "%s: expected the line '#traces format', found the end of the file",
                             hd_source_place(r->source, 0, place));
    }
    if (known != 3)
        return wrong(r, known == 1 ? "'-block dim' in the header before this line"
                                   : "'-grid dim' in the header before this line");
    k->threads = 1;
    k->blocks = 1;
    for (int i = 0; i < 3; i++) {
        if (k->grid[i] == 0 || k->block[i] == 0 || k->block[i] > 1024 || k->threads * k->block[i] > 1024)
            return wrong(r, "a grid of at least one block and blocks of 1 to 1024 threads in the header before this line");
        k->threads *= k->block[i];
        if (k->blocks > UINT32_MAX / k->grid[i])
            return wrong(r, "a grid of less than 2^32 blocks in the header before this line");
        k->blocks *= k->grid[i];
    }
    k->warps = (k->threads + 31) / 32;
    if (k->lds_bytes == 1 || k->binary_version == 0)
        warn(r, "the header has values that the tracer never set; sizes come from the accesses");
    if (strncmp(r->at, "#BEGIN_TB", 9) == 0)
        hd_source_again(r->source);
    return true;
}

/* ---- instructions ------------------------------------------------------------------------------------------ */

/* A register: R7, UR4, P0, UP1; RZ, URZ, PT, UPT have no number. @return false after an error. */
static inline bool one_register(struct reader *r, uint16_t *list, unsigned *count)
{
    const char *p = r->at;
    bool uniform = *p == 'U';
    unsigned n = 0, first, most;

    p += uniform;
    if (*p == 'R') {
        first = uniform ? HD_REG_UR : 0;
        most = 255;
    } else if (*p == 'P') {
        first = uniform ? HD_REG_UP : HD_REG_P;
        most = 15;
    } else
        return wrong(r, "a register");
    p++;
    if ((*p == 'Z' || *p == 'T') && (p[1] == ' ' || p + 1 == r->end)) {
        r->at = p + 1;
        blanks(r);
        return true;
    }
    const char *digits = p;
    while ((unsigned)(*p - '0') < 10u && n < 1000)
        n = n * 10 + (unsigned)(*p++ - '0');
    if (p == digits || n > most || (*p != ' ' && p < r->end))
        return wrong(r, "a register");
    if (first + n != 255) /* zero */
        list[(*count)++] = (uint16_t)(first + n);
    r->at = p;
    blanks(r);
    return true;
}

static inline bool registers(struct reader *r, uint16_t *list, unsigned *count, unsigned *listed, const char *what)
{
    uint64_t n;

    *count = 0;
    if (!decimal(r, &n, HD_INSN_REGS, what))
        return false;
    *listed = (unsigned)n;
    for (uint64_t i = 0; i < n; i++)
        if (!one_register(r, list, count))
            return false;
    return true;
}

/* A bit for each blank of text[0..64). */
static inline uint64_t blanks_of(const char *text)
{
    uint64_t bits = 0;

#ifdef __SSE2__
    for (int i = 0; i < 4; i++) {
        __m128i some = _mm_loadu_si128((const __m128i *)(const void *)(text + 16 * i));
        bits |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(some, _mm_set1_epi8(' '))) << 16 * i;
    }
#else
    for (int i = 0; i < 64; i++)
        bits |= (uint64_t)(text[i] == ' ') << i;
#endif
    return bits;
}

/* The number of 1 to 8 digits that ends before @end, behind 8 bytes that may be read. @return false when there is none. */
static inline bool digits_before(const char *end, unsigned digits, uint64_t *value)
{
    uint64_t v;

    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || digits - 1 >= 8)
        return false;
    memcpy(&v, end - 8, sizeof v);
    v = (v ^ 0x3030303030303030u) >> (64 - 8 * digits) << (64 - 8 * digits);
    if (((v + 0x7676767676767676u) | v) & 0x8080808080808080u)
        return false;
    v = v * 2561 >> 8 & 0x00ff00ff00ff00ffu;
    v = v * 6553601 >> 16 & 0x0000ffff0000ffffu;
    *value = v * 42949672960001u >> 32;
    return true;
}

/* Addresses that are listed, one a lane of the mask. */
static bool listed(struct reader *r, struct hd_insn *i)
{
    uint64_t at;

    for (uint32_t mask = i->mask; mask != 0; mask &= mask - 1) {
        if (!hex(r, &at, "a hexadecimal address for each lane of the mask"))
            return false;
        i->addr[__builtin_ctz(mask)] = at;
    }
    return true;
}

/* The same, each but the first relative to the one before. */
static bool distances(struct reader *r, struct hd_insn *i)
{
    uint64_t *const addr = i->addr, at;
    int64_t delta;

    if (!hex(r, &at, "a hexadecimal base address"))
        return false;
    if (i->mask == 0)
        return true;
    uint64_t last = addr[__builtin_ctz(i->mask)] = at;
    const char *p = r->at;
    uint32_t mask = i->mask & (i->mask - 1);
    while (mask != 0) {
        /* the usual: numbers with a blank behind each, their ends in one go */
        const size_t left = p < r->end ? (size_t)(r->end - p) : 0;
        uint64_t ends = left >= 64 ? blanks_of(p) : blanks_of(p) & ((1ull << left) - 1), v;
        const char *number = p;
        for (; ends != 0 && mask != 0; ends &= ends - 1, mask &= mask - 1) {
            const char *end = p + __builtin_ctzll(ends);
            bool minus = *number == '-';
            if (!digits_before(end, (unsigned)(end - number) - minus, &v))
                break;
            addr[__builtin_ctz(mask)] = last += minus ? 0 - v : v;
            number = end + 1;
        }
        if (number == p) { /* another */
            r->at = p;
            blanks(r);
            if (!integer(r, &delta, "a decimal distance for each lane of the mask but the first"))
                return false;
            addr[__builtin_ctz(mask)] = last += (uint64_t)delta;
            mask &= mask - 1;
            number = r->at;
        }
        p = number;
    }
    r->at = p;
    blanks(r);
    return true;
}

static bool addresses(struct reader *r, struct hd_insn *i)
{
    uint64_t mode, base;
    int64_t stride;

    if (!decimal(r, &mode, 2, "an address mode 0, 1 or 2"))
        return false;
    i->strided = false;
    if (mode != 1)
        return mode == 2 ? distances(r, i) : listed(r, i);
    if (!hex(r, &base, "a hexadecimal base address") || !integer(r, &stride, "a decimal stride"))
        return false;
    i->strided = i->mask != 0 && (i->mask & (i->mask + (i->mask & -i->mask))) == 0;
    i->stride = stride;
    if (i->strided) { /* all lanes, others too: many at once */
        uint64_t *const addr = i->addr, step = (uint64_t)stride, first = base - step * (unsigned)__builtin_ctz(i->mask);
        for (unsigned l = 0; l < HD_INSN_LANES; l++)
            addr[l] = first + step * l;
        return true;
    }
    for (uint32_t mask = i->mask; mask != 0; mask &= mask - 1, base += (uint64_t)stride)
        i->addr[__builtin_ctz(mask)] = base;
    return true;
}

/* TMA, version 6: barrier, multicast [mask], bytes, bytes outside, mode and its addresses. Nothing of it is kept. */
static bool tma(struct reader *r)
{
    uint64_t v, multicast, n;
    int64_t delta;

    if (!hex(r, &v, "the barrier of a TMA operation") || !decimal(r, &multicast, 1, "the multicast flag 0 or 1") ||
        (multicast && !hex(r, &v, "a mask of blocks")) || !decimal(r, &v, UINT64_MAX, "a number of bytes") ||
        !decimal(r, &v, UINT64_MAX, "a number of bytes outside") || !decimal(r, &v, 4, "a mode 3 or 4") ||
        !(v >= 3 || wrong(r, "a mode 3 or 4 before this")))
        return false;
    if (v == 3) {
        if (!decimal(r, &n, HD_SOURCE_LINE, "a number of addresses"))
            return false;
        while (n-- > 0)
            if (!hex(r, &v, "a hexadecimal address"))
                return false;
        return true;
    }
    if (!hex(r, &v, "a hexadecimal base address") || !decimal(r, &n, HD_SOURCE_LINE, "a number of addresses"))
        return false;
    while (n-- > 1)
        if (!integer(r, &delta, "a decimal distance"))
            return false;
    return true;
}

/* Version 6: NoVal, or Val and for each register one value or 32. */
static bool values(struct reader *r, unsigned count)
{
    uint64_t n, v;

    if (r->end - r->at >= 5 && memcmp(r->at, "NoVal", 5) == 0) {
        r->at += 5;
        blanks(r);
        return true;
    }
    if (r->end - r->at < 3 || memcmp(r->at, "Val", 3) != 0)
        return wrong(r, "Val or NoVal");
    r->at += 3;
    blanks(r);
    for (; count > 0; count--) {
        if (!decimal(r, &n, 32, "1 or 32 values of a register"))
            return false;
        while (n-- > 0)
            if (!hex(r, &v, "a hexadecimal value"))
                return false;
    }
    return true;
}

static bool tail(struct reader *r, struct hd_insn *i)
{
    const uint64_t version = r->kernel.version;
    int64_t second;

    i->has_immediate = false;
    i->immediate = 0;
    if (version >= 5 || (version == 4 && r->at < r->end)) {
        if (!integer(r, &i->immediate, "an immediate at the end of the line"))
            return false;
        i->has_immediate = true;
    }
    if (version >= 6 && (!integer(r, &second, "a second immediate") || !values(r, i->named)))
        return false;
    return r->at >= r->end || wrong(r, "the end of the line");
}

static bool opcode(struct reader *r)
{
    const char *p = r->at;

    while (*p > ' ')
        p++;
    if (p == r->at || *p < 0 || (uint8_t)(*r->at - 'A') >= 26)
        return wrong(r, "an opcode");
    r->insn.op = hd_sass_find(r->opcodes, r->at, (size_t)(p - r->at));
    if (!r->insn.op)
        return wrong(r, "an opcode of at most 63 letters, less than 2048 different ones");
    r->at = p;
    blanks(r);
    return true;
}

/* From the pc to the width. */
static bool what(struct reader *r)
{
    struct hd_insn *i = &r->insn;
    uint64_t v, mask;
    unsigned dests, sources;

    if (!hex(r, &i->pc, "a hexadecimal pc") || !hex(r, &mask, "a hexadecimal mask"))
        return false;
    if (mask > UINT32_MAX)
        return wrong(r, "a mask of 32 lanes before this");
    i->mask = (uint32_t)mask;
    if (!registers(r, i->dest, &i->dests, &dests, "a number of destination registers, at most 8") || !opcode(r) ||
        !registers(r, i->source, &i->sources, &sources, "a number of source registers, at most 8"))
        return false;
    if (r->kernel.version >= 6 && i->op->gmma && !decimal(r, &v, UINT32_MAX, "the flag of a GMMA instruction"))
        return false;
    if (!decimal(r, &v, 4096, "the width of the access in bytes, 0 for none"))
        return false;
    i->width = (uint32_t)v;
    i->named = dests + sources;
    return true;
}

static uint16_t *slot_of(struct reader *r)
{
    uint64_t a, b;

    if (r->end - r->at < 16)
        return NULL;
    memcpy(&a, r->at, 8);
    memcpy(&b, r->at + 8, 8);
    return &r->slot[((a ^ b << 7) * 0x9e3779b97f4a7c15u ^ b * 0xff51afd7ed558ccdu) >> 50];
}

static struct known *known_at(struct reader *r, uint16_t slot)
{
    return slot ? &r->known[(slot - 1) / KNOWN_CHUNK][(slot - 1) % KNOWN_CHUNK] : NULL;
}

static bool is_known(const struct known *k, const char *start, size_t left)
{
    return k && k->bytes != 0 && (k->whole ? left == k->bytes : left > k->bytes) && memcmp(k->text, start, k->bytes) == 0;
}

/* Keeps what r->insn says. @return where, NULL: nowhere. */
static struct known *keep(struct reader *r, uint16_t *slot, const char *start, const char *behind, bool whole)
{
    if (!slot || behind - start > KNOWN_TEXT || (*slot == 0 && r->knows == KNOWN))
        return NULL;
    if (*slot == 0) {
        struct known **chunk = &r->known[r->knows / KNOWN_CHUNK];
        if (!*chunk && !(*chunk = calloc(KNOWN_CHUNK, sizeof **chunk)))
            return NULL;
        *slot = (uint16_t)++r->knows;
    }
    struct known *k = known_at(r, *slot);
    k->bytes = (uint8_t)(behind - start);
    k->whole = whole;
    memcpy(k->text, start, k->bytes);
    k->insn = r->insn;
    return k;
}

/* A line of a warp; *to: what it says, valid until the next. */
static bool instruction(struct reader *r, struct hd_insn **to)
{
    uint64_t v;

    if (r->kernel.version < 3)
        for (int k = 0; k < 4; k++)
            if (!decimal(r, &v, UINT32_MAX, "block and warp (x y z warp) in front of the line, as versions below 3 have"))
                return false;
    if (r->kernel.lineinfo && !decimal(r, &v, UINT32_MAX, "a source line number, as the header says"))
        return false;
    const char *start = r->at;
    size_t left = (size_t)(r->end - start);
    struct known *k = r->last ? r->last->next : NULL;
    uint16_t *slot = NULL;
    bool known = is_known(k, start, left);
    if (!known) {
        slot = slot_of(r);
        k = slot ? known_at(r, *slot) : NULL;
        known = is_known(k, start, left);
    }
    const char *behind = r->at + (known ? k->bytes : 0);
    if (!known) {
        if (!what(r))
            return false;
        behind = r->at;
        bool whole = r->insn.width == 0;
        if (whole && !tail(r, &r->insn))
            return false;
        k = keep(r, slot, start, whole ? r->end : behind, whole);
    }
    if (r->last)
        r->last->next = k;
    r->last = k;
    *to = known ? &k->insn : &r->insn;
    if ((*to)->width == 0)
        return true;
    r->at = behind;
    struct hd_insn *i = *to;
    return (r->kernel.version >= 6 && i->op->tma ? tma(r) : addresses(r, i)) && tail(r, i);
}

/* ---- blocks and warps -------------------------------------------------------------------------------------- */

static bool starts(const struct reader *r, const char *text)
{
    size_t n = strlen(text);

    return (size_t)(r->end - r->at) >= n && memcmp(r->at, text, n) == 0;
}

/* The next line must start with @text, which is left behind. */
static bool expect(struct reader *r, const char *text, const char *what)
{
    char place[HD_DIAG_TEXT];
    unsigned errors = r->diag->errors;

    if (next_line(r)) {
        if (!starts(r, text))
            return wrong(r, what);
        r->at += strlen(text);
        return true;
    }
    return errors == r->diag->errors && hd_diag_error(r->diag, "%s: expected %s, found the end of the file: it is cut off",
                                                      hd_source_place(r->source, 0, place), what) && false;
}

static bool end_warp(struct reader *r)
{
    bool good = true;

    if (r->in_warp)
        good = r->read == r->insts ? r->sink->warp_end(r->sink->ctx)
                                   : wrong(r, "another instruction: the warp has fewer than insts");
    r->in_warp = !good && r->in_warp;
    return good;
}

static bool begin_warp(struct reader *r)
{
    uint64_t w;

    if (!end_warp(r))
        return false;
    r->at += strlen("warp = ");
    if (!decimal(r, &w, r->kernel.warps - 1, "a warp number below the warps of a block (its threads / 32)"))
        return false;
    if (r->seen[w / 32] >> w % 32 & 1) {
        r->at = r->line;
        return wrong(r, "a warp that the block has not had yet");
    }
    r->seen[w / 32] |= 1u << w % 32;
    r->warp = (unsigned)w;
    if (!expect(r, "insts = ", "'insts = '") || !decimal(r, &r->insts, UINT32_MAX, "a number of instructions"))
        return false;
    r->in_warp = true;
    r->read = 0;
    return r->sink->warp(r->sink->ctx, r->warp, r->insts);
}

static bool begin_block(struct reader *r)
{
    if (!expect(r, "thread block = ", "'thread block = x,y,z'") || !triple(r, r->block, false, "a block x,y,z"))
        return false;
    for (int i = 0; i < 3; i++)
        if (r->block[i] >= r->kernel.grid[i]) {
            r->at = r->line;
            return wrong(r, "a block of the grid");
        }
    memset(r->seen, 0, sizeof r->seen);
    r->in_block = r->any = true;
    return r->sink->block(r->sink->ctx, r->block);
}

static bool end_block(struct reader *r)
{
    if (!end_warp(r))
        return false;
    r->in_block = false;
    return r->sink->block_end(r->sink->ctx);
}

/* @return false after an error. */
static bool line(struct reader *r)
{
    if (r->in_warp && r->read < r->insts && *r->at != '#' && *r->at != 'w') {
        struct hd_insn *i;
        r->read++;
        return instruction(r, &i) && r->sink->insn(r->sink->ctx, i);
    }
    if (!r->in_block) {
        if (starts(r, "#BEGIN_TB"))
            return begin_block(r);
        if (*r->at == '#')
            return true;
        return wrong(r, "'#BEGIN_TB'");
    }
    if (starts(r, "#END_TB"))
        return end_block(r);
    if (starts(r, "warp = "))
        return begin_warp(r);
    if (!r->in_warp && starts(r, "cluster "))
        return true;
    return wrong(r, r->in_warp ? "'warp = ' or '#END_TB': the warp has more lines than insts" : "'warp = ' or '#END_TB'");
}

/* All behind the header. */
static bool body(struct reader *r)
{
    unsigned errors = r->diag->errors;

    while (next_line(r))
        if (!line(r))
            return false;
    if (r->diag->errors != errors)
        return false;
    char place[HD_DIAG_TEXT];
    if (!r->any)
        return hd_diag_error(r->diag, "%s: expected '#BEGIN_TB', found the end of the file: it is cut off",
                             hd_source_place(r->source, 0, place));
    if (r->in_block)
        return hd_diag_error(r->diag, "%s, block %u,%u,%u, warp %u: expected %s, found the end of the file: it is cut off",
                             hd_source_place(r->source, 0, place), r->block[0], r->block[1], r->block[2], r->warp,
                             r->in_warp && r->read < r->insts ? "more instructions" : "'#END_TB'");
    return true;
}

bool hd_accel_header(struct hd_source *s, struct hd_accel_kernel *k, struct hd_diag *d)
{
    struct reader r = {.source = s, .diag = d};
    bool good = header(&r);

    *k = r.kernel;
    return good;
}

bool hd_accel_read(struct hd_source *s, struct hd_sass_table *t, const struct hd_accel_sink *sink, struct hd_diag *d)
{
    struct reader r = {.source = s, .opcodes = t, .sink = sink, .diag = d};

    if (!header(&r) || !sink->kernel(sink->ctx, &r.kernel))
        return false;
    r.insn.addr = r.addr;
    r.slot = calloc(KNOWN_SLOTS, sizeof *r.slot);
    bool good = r.slot ? body(&r) : hd_diag_error(d, "no memory");
    for (size_t i = 0; i < KNOWN / KNOWN_CHUNK; i++)
        free(r.known[i]);
    free(r.slot);
    return good;
}
