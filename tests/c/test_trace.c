/* test_trace.c - traces: readers of every version and packing, what becomes of instructions, native files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "hd_pkg.h"
#include "trace/convert.h"
#include "trace/ops.h"
#include "trace_seeds.h"

static char path[64], native[80];

static void store(const char *suffix, const void *data, size_t n)
{
    if (path[0])
        unlink(path);
    snprintf(path, sizeof path, "/tmp/test_trace.%d%s", (int)getpid(), suffix);
    snprintf(native, sizeof native, "%s.hdt", path);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static int clean(void **state)
{
    (void)state;
    unlink(path);
    unlink(native);
    return 0;
}

/* ---- operations ---------------------------------------------------------------------------------------------- */

static uint64_t state = 88172645463325252u;

static uint32_t below(uint32_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % n;
}

static void random_words(uint32_t *w, unsigned lanes, bool addresses)
{
    unsigned how = below(5);
    uint32_t base = below(0xffffffff), stride = below(3) ? 4 * below(64) : 4 * (0u - below(64));

    for (unsigned l = 0; l < lanes; l++) {
        w[l] = how == 0 ? base : how == 1 ? base + stride * l : how == 2 ? base + 4 * below(4096) : below(0xffffffff);
        if (addresses)
            w[l] &= ~3u;
    }
}

static void random_op(struct hd_trace_op *op, unsigned lanes)
{
    static const uint8_t kinds[] = {HD_OP_LOAD, HD_OP_STORE, HD_OP_ATOMIC, HD_OP_FENCE, HD_OP_BARRIER, HD_OP_CLOCK,
                                    HD_OP_NOP, HD_TRACE_WAIT, HD_TRACE_SLEEP, HD_OP_LOAD, HD_OP_STORE, HD_OP_COPY,
                                    HD_OP_COPY_CTL, HD_OP_PBARRIER, HD_OP_TX_BEGIN, HD_OP_TX_COMMIT};

    memset(op, 0, sizeof *op);
    op->kind = kinds[below(sizeof kinds)];
    op->alu = below(2) ? below(300000) : 0;
    if (op->kind == HD_TRACE_WAIT) {
        op->back = 1 + below(40);
        op->count = 1 + below(op->back);
    } else if (op->kind == HD_TRACE_SLEEP)
        op->cycles = below(2) ? below(100) : (uint64_t)below(0xffffffff) << 20;
    else {
        op->order = (uint8_t)below(5);
        op->scope = (uint8_t)below(4);
        op->space = (uint8_t)below(2);
        op->plain = below(2);
        op->fn = op->kind == HD_OP_ATOMIC ? (uint8_t)below(12) : op->kind == HD_OP_COPY_CTL ? (uint8_t)below(16) : 0;
    }
    bool memory = op->kind <= HD_OP_ATOMIC || op->kind == HD_OP_COPY;
    bool transaction = op->kind == HD_OP_TX_BEGIN || op->kind == HD_OP_TX_COMMIT;
    if (!memory && !transaction)
        return;
    hd_mask_t all = lanes == 64 ? ~(hd_mask_t)0 : ((hd_mask_t)1 << lanes) - 1;
    op->mask = below(3) ? all : ((hd_mask_t)below(0xffffffff) << 32 | below(0xffffffff)) & all;
    if (transaction)
        return;
    op->has_data = op->mask != 0 && op->kind != HD_OP_LOAD && below(2);
    op->has_cmp = op->has_data && below(2);
    random_words(op->addr, lanes, true);
    random_words(op->data, lanes, false);
    random_words(op->cmp, lanes, false);
}

static void assert_lanes(hd_mask_t mask, const uint32_t *a, const uint32_t *b)
{
    for (; mask != 0; mask &= mask - 1)
        assert_int_equal(a[__builtin_ctzll(mask)], b[__builtin_ctzll(mask)]);
}

static void operations_come_back(void **unused)
{
    enum { OPS = 40 };
    static uint8_t data[OPS * HD_OP_BYTES];
    static struct hd_trace_op op[OPS], back;

    (void)unused;
    for (int round = 0; round < 3000; round++) {
        unsigned lanes = round % 3 == 0 ? 64 : round % 3 == 1 ? 32 : 1 + below(64);
        struct hd_trace_state put = {0}, get = {0};
        size_t n = 0, at = 0;
        for (int i = 0; i < OPS; i++) {
            random_op(&op[i], lanes);
            size_t bytes = hd_trace_put(&put, &op[i], data + n);
            assert_in_range(bytes, 1, HD_OP_BYTES);
            n += bytes;
        }
        for (int i = 0; i < OPS; i++) {
            assert_true(hd_trace_get(&get, data, n, &at, lanes, &back));
            assert_int_equal(back.kind, op[i].kind);
            assert_int_equal(back.alu, op[i].alu);
            if (op[i].kind == HD_TRACE_WAIT)
                assert_true(back.back == op[i].back && back.count == op[i].count);
            else if (op[i].kind == HD_TRACE_SLEEP)
                assert_true(back.cycles == op[i].cycles);
            else {
                assert_true(back.order == op[i].order && back.scope == op[i].scope && back.space == op[i].space);
                assert_true(back.plain == op[i].plain && back.fn == op[i].fn);
            }
            bool memory = op[i].kind <= HD_OP_ATOMIC || op[i].kind == HD_OP_COPY;
            if (!memory) {
                assert_true((op[i].kind != HD_OP_TX_BEGIN && op[i].kind != HD_OP_TX_COMMIT) || back.mask == op[i].mask);
                continue;
            }
            assert_true(back.mask == op[i].mask);
            if (op[i].mask == 0)
                continue;
            assert_true(back.has_data == op[i].has_data && back.has_cmp == op[i].has_cmp);
            assert_lanes(op[i].mask, op[i].addr, back.addr);
            assert_lanes(op[i].has_data ? op[i].mask : 0, op[i].data, back.data);
            assert_lanes(op[i].has_cmp ? op[i].mask : 0, op[i].cmp, back.cmp);
        }
        assert_int_equal(at, n);
        for (size_t cut = 0; cut < n; cut += 1 + below(40)) { /* cut anywhere: no operation more than before */
            struct hd_trace_state again = {0};
            at = 0;
            while (hd_trace_get(&again, data, cut, &at, lanes, &back))
                assert_in_range(at, 1, cut);
        }
    }
}

/* ---- readers --------------------------------------------------------------------------------------------------- */

static struct hd_trace_options defaults(void)
{
    return (struct hd_trace_options){.region_bits = 21};
}

static void scan_good(struct hd_scan *s)
{
    struct hd_diag d = {0};
    struct hd_trace_options o = defaults();

    assert_true(hd_scan(s, path, &o, &d));
    assert_int_equal(d.errors, 0);
}

static void versions_are_read(void **unused)
{
    static const struct {
        const char *text;
        uint64_t version, blocks, warps, insts, memory, empty, lanes, bars, lines;
    } t[] = {{seed_v6, 6, 2, 2, 9, 3, 0, 37, 0, 4}, {seed_v5, 5, 1, 2, 26, 17, 1, 360, 2, 13},
             {seed_v4, 4, 1, 1, 3, 1, 0, 16, 0, 1},  {seed_v3, 3, 1, 1, 2, 1, 0, 32, 0, 1},
             {seed_v12, 1, 1, 1, 2, 1, 0, 32, 0, 1}, {seed_none, 0, 1, 1, 2, 1, 0, 32, 0, 1}};

    (void)unused;
    for (size_t i = 0; i < sizeof t / sizeof *t; i++)
        for (int packing = 0; packing < 4; packing++) {
            struct hd_scan s;
            if (packing == 0)
                store(".traceg", t[i].text, strlen(t[i].text));
            else if (packing == 1) {
                size_t n;
                uint8_t *xz = seed_xz(t[i].text, strlen(t[i].text), &n);
                store(".traceg.xz", xz, n);
                free(xz);
            } else {
                struct seed_bytes z = seed_tracez(t[i].text, packing == 2 ? 2048 : 3);
                store(".tracez", z.data, z.n);
                free(z.data);
            }
            scan_good(&s);
            const struct hd_kernel_scan *k = s.kernel;
            assert_int_equal(s.kernels, 1);
            assert_string_equal(k->header.name, "_Z4seedPf");
            assert_int_equal(k->header.version, t[i].version);
            assert_int_equal(k->blocks, t[i].blocks);
            assert_int_equal(k->warps, t[i].warps);
            assert_int_equal(k->insts, t[i].insts);
            assert_int_equal(k->memory, t[i].memory);
            assert_int_equal(k->memory_empty, t[i].empty);
            assert_int_equal(k->lanes, t[i].lanes);
            assert_int_equal(k->bars, t[i].bars);
            assert_int_equal(k->lines, t[i].lines);
            hd_scan_free(&s);
        }
}

/* ---- what instructions become ---------------------------------------------------------------------------------- */

struct played {
    struct hd_trace_op op[200];
    size_t n;
};

static bool keep_chunk(void *ctx, const struct hd_hdt_chunk *c, const uint8_t *data)
{
    struct played *p = ctx;
    struct hd_trace_state s = {0};
    size_t at = 0;

    if (c->warp != 0)
        return true;
    for (uint32_t i = 0; i < c->ops; i++) {
        assert_true(p->n < sizeof p->op / sizeof *p->op);
        assert_true(hd_trace_get(&s, data, c->bytes, &at, 32, &p->op[p->n++]));
    }
    assert_int_equal(at, c->bytes);
    return true;
}

/* The operations of warp 0 of a kernel whose only warp has @lines. */
static void convert(struct played *p, const char *lines, unsigned count, const struct hd_trace_options *o)
{
    static char text[16384];
    struct hd_diag d = {0};
    struct hd_scan s;

    snprintf(text, sizeof text, "%s#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = %u\n%s#END_TB\n",
             SEED_HEAD("-accelsim tracer version = 5\n", "(1,1,1)", "(32,1,1)", "1024"), count, lines);
    store(".traceg", text, strlen(text));
    assert_true(hd_scan(&s, path, o, &d));
    assert_true(hd_trace_convert(&s, o, native, NULL, &d));
    hd_scan_free(&s);
    p->n = 0;
    assert_true(hd_hdt_walk(native, keep_chunk, p, &d));
    assert_int_equal(d.errors, 0);
}

static unsigned lines_of(const struct hd_trace_op *op)
{
    uint32_t seen[32];
    unsigned n = 0;

    for (hd_mask_t rest = op->mask; rest != 0; rest &= rest - 1) {
        uint32_t line = op->addr[__builtin_ctzll(rest)] / 128;
        unsigned i = 0;
        while (i < n && seen[i] != line)
            i++;
        if (i == n)
            seen[n++] = line;
    }
    return n;
}

/* A warp that reads a row: as many lines as its bytes fill, each once, whatever a lane's width. */
static void wide_accesses_take_the_lines_of_the_hardware(void **unused)
{
    static const struct {
        const char *line;
        unsigned ops, words;
    } t[] = {{"0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x10000000 4 0\n", 1, 32},
             {"0000 ffffffff 1 R4 LDG.E.64 1 R2 8 1 0x10000000 8 0\n", 2, 64},
             {"0000 ffffffff 1 R4 LDG.E.128 1 R2 16 1 0x10000000 16 0\n", 4, 128},
             {"0000 0000000f 1 R4 LDG.E.128 1 R2 16 1 0x10000000 16 0\n", 1, 16},
             {"0000 ffffffff 1 R4 LDSM.16.M88.4 1 R2 2 1 0x0 16 0\n", 4, 128},
             {"0000 ffffffff 1 R4 LDSM.16.M88.2 1 R2 2 1 0x0 16 0\n", 2, 64}};
    static struct played p;
    struct hd_trace_options o = defaults();

    (void)unused;
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        unsigned words = 0, lines = 0;
        convert(&p, t[i].line, 1, &o);
        assert_int_equal(p.n, t[i].ops);
        for (size_t k = 0; k < p.n; k++) {
            assert_int_equal(p.op[k].kind, HD_OP_LOAD);
            words += (unsigned)__builtin_popcountll(p.op[k].mask);
            lines += lines_of(&p.op[k]);
        }
        assert_int_equal(words, t[i].words);
        assert_int_equal(lines, (t[i].words * 4 + 127) / 128);
    }
}

static const char dependent[] = "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x10000000 4 0\n"
                                "0010 ffffffff 1 R5 LDG.E.64 1 R2 8 1 0x10001000 8 0\n"
                                "0020 ffffffff 1 R9 MOV 1 R8 0 0\n"
                                "0030 ffffffff 1 R9 FADD 1 R6 0 0\n"      /* half of the pair R5, R6 */
                                "0040 ffffffff 1 R4 MOV 1 R9 0 0\n"       /* writes what is loaded */
                                "0050 ffffffff 0 STG.E 2 R2 R255 4 1 0x10002000 4 0\n";

static void registers_wait(void **unused)
{
    static struct played p;
    struct hd_trace_options o = defaults();

    (void)unused;
    convert(&p, dependent, 6, &o);
    static const uint8_t kinds[] = {HD_OP_LOAD, HD_OP_LOAD, HD_OP_LOAD, HD_TRACE_WAIT, HD_TRACE_WAIT, HD_OP_STORE};
    assert_int_equal(p.n, sizeof kinds);
    for (size_t i = 0; i < p.n; i++)
        assert_int_equal(p.op[i].kind, kinds[i]);
    assert_true(p.op[3].back == 2 && p.op[3].count == 2 && p.op[3].alu == 1);
    assert_true(p.op[4].back == 3 && p.op[4].count == 1 && p.op[4].alu == 1);
    assert_int_equal(p.op[5].alu, 1);
    o.deps = HD_DEPS_NONE;
    convert(&p, dependent, 6, &o);
    assert_int_equal(p.n, 4);
    o.deps = HD_DEPS_ALL;
    convert(&p, dependent, 6, &o);
    assert_int_equal(p.n, 6);
    assert_true(p.op[1].kind == HD_TRACE_WAIT && p.op[1].back == 1 && p.op[1].count == 1);
    assert_true(p.op[4].kind == HD_TRACE_WAIT && p.op[4].back == 2 && p.op[4].count == 2);
}

static void generic_addresses_go_lane_by_lane(void **unused)
{
    static struct played p;
    struct hd_trace_options o = defaults();

    (void)unused;
    convert(&p, "0000 00000007 1 R7 LD.E 1 R2 4 0 0x7f0000000040 0x7f0001000010 0x10003000 0\n", 1, &o);
    assert_int_equal(p.n, 3);
    assert_true(p.op[0].mask == 4 && p.op[0].space == HD_SPACE_GLOBAL && p.op[0].addr[2] == (1u << 21) + 0x3000);
    assert_true(p.op[1].mask == 2 && p.op[1].space == HD_SPACE_GLOBAL && p.op[1].addr[1] == (2u << 21) + 4 * 1);
    assert_true(p.op[2].mask == 1 && p.op[2].space == HD_SPACE_LDS && p.op[2].addr[0] == 0x40);
}

static void regions_are_ordered_by_address(void **unused)
{
    static struct played p;
    struct hd_trace_options o = defaults();

    (void)unused;
    convert(&p, "0000 00000001 1 R7 LDG.E 1 R2 4 1 0x7f8000000004 0 0\n0000 00000001 1 R7 LDG.E 1 R2 4 1 0x30000008 0 0\n", 2, &o);
    assert_int_equal(p.op[0].addr[0], (2u << 21) + 4);
    assert_int_equal(p.op[2].addr[0], (1u << 21) + 8);
    o.region_bits = 16;
    convert(&p, "0000 00000001 1 R7 LDG.E 1 R2 4 1 0x7f8000000004 0 0\n", 1, &o);
    assert_int_equal(p.op[0].addr[0], (1u << 16) + 4);
}

static void narrow_stores_keep_the_last_lane(void **unused)
{
    static struct played p;
    struct hd_trace_options o = defaults();

    (void)unused;
    convert(&p, "0000 000000ff 0 STG.E.U8 2 R2 R3 1 1 0x10000000 1 0\n0010 00000000 0 STG.E 2 R2 R3 4 1 0x0 0 0\n", 2, &o);
    assert_int_equal(p.n, 2);
    assert_true(p.op[0].mask == 0x88);
    assert_true(p.op[1].kind == HD_OP_NOP && p.op[1].alu == 1);
}

static void copies_wait_by_group(void **unused)
{
    static struct played p;
    struct hd_trace_options o = defaults();
    static const char lines[] = "0000 ffffffff 0 LDGSTS.E 2 R9 R10 4 1 0x10000000 4 0\n0010 ffffffff 0 LDGDEPBAR 0 0 0\n"
                                "0020 ffffffff 0 LDGSTS.E 2 R9 R10 4 1 0x10001000 4 0\n0030 ffffffff 0 LDGDEPBAR 0 0 0\n"
                                "0040 ffffffff 0 DEPBAR.LE 0 0 1\n0050 ffffffff 0 DEPBAR.LE 0 0 0\n";

    (void)unused;
    convert(&p, lines, 6, &o);
    assert_int_equal(p.n, 5);
    assert_true(p.op[2].kind == HD_TRACE_WAIT && p.op[2].back == 2 && p.op[2].count == 1);
    assert_true(p.op[3].kind == HD_TRACE_WAIT && p.op[3].back == 1 && p.op[3].count == 1 && p.op[3].alu == 1);
    o.copies = HD_COPY_STORE;
    convert(&p, lines, 6, &o);
    assert_int_equal(p.n, 7);
    assert_true(p.op[1].kind == HD_OP_STORE && p.op[1].space == HD_SPACE_LDS);
    o.copies = HD_COPY_ASYNC;
    convert(&p, lines, 6, &o);
    assert_int_equal(p.n, 6);
    for (unsigned i = 0; i < 4; i += 2) {
        assert_true(p.op[i].kind == HD_OP_COPY && p.op[i].space == HD_SPACE_GLOBAL && p.op[i].has_cmp);
        assert_true(p.op[i + 1].kind == HD_OP_COPY_CTL && p.op[i + 1].fn == 0);
        for (unsigned l = 0; l < 32; l++)
            assert_true(p.op[i].addr[l] == p.op[i].addr[0] + 4 * l && p.op[i].cmp[l] % 128 == 4 * l);
    }
    assert_true(p.op[4].kind == HD_OP_COPY_CTL && p.op[4].fn == 9 && p.op[5].fn == 8);
}

/* ---- lists of addresses --------------------------------------------------------------------------------------- */

static uint64_t told[32];

static bool tell_kernel(void *ctx, const struct hd_accel_kernel *k)
{
    return !ctx && k;
}

static bool tell_block(void *ctx, const unsigned at[3])
{
    return !ctx && at;
}

static bool tell_warp(void *ctx, unsigned warp, uint64_t insts)
{
    return !ctx && warp == 0 && insts == 1;
}

static bool tell_insn(void *ctx, const struct hd_insn *i)
{
    memcpy(told, i->addr, sizeof told);
    return !ctx;
}

static bool tell_end(void *ctx)
{
    return !ctx;
}

/* Distances of 1 to 15 digits, with and without sign, one or two blanks, in any mask: the reader takes many at once. */
static void distances_of_every_length_are_read(void **unused)
{
    const struct hd_accel_sink sink = {NULL, tell_kernel, tell_block, tell_warp, tell_insn, tell_end, tell_end};
    struct hd_sass_table *table = hd_sass_new();

    (void)unused;
    for (int round = 0; round < 2000; round++) {
        char text[4096], *to = text + sprintf(text, "%s#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n",
                                              SEED_HEAD("-accelsim tracer version = 5\n", "(1,1,1)", "(32,1,1)", "0"));
        uint32_t mask = below(2) ? UINT32_MAX : below(UINT32_MAX) | 1u << below(31);
        unsigned most = 1 + below(15);
        uint64_t at = 0x7f0000000000, want[32] = {0};
        to += sprintf(to, "0000 %08x 1 R4 LDG.E 1 R2 4 2 0x%llx", mask, (unsigned long long)at);
        want[__builtin_ctz(mask)] = at;
        for (uint32_t rest = mask & (mask - 1); rest != 0; rest &= rest - 1) {
            int64_t d = 0;
            for (unsigned digits = 1 + below(most); digits > 0; digits--)
                d = 10 * d + below(10);
            d = below(2) ? d : -d;
            to += sprintf(to, " %s%lld", below(30) ? "" : " ", (long long)d);
            at += (uint64_t)d;
            want[__builtin_ctz(rest)] = at;
        }
        sprintf(to, " 0%s\n#END_TB\n", below(2) ? " " : "");
        store(".traceg", text, strlen(text));
        struct hd_diag d = {0};
        struct hd_source *source = hd_source_open(path, &d);
        memset(told, 0, sizeof told);
        assert_true(hd_accel_read(source, table, &sink, &d));
        hd_source_close(source);
        for (unsigned l = 0; l < 32; l++)
            if (mask >> l & 1)
                assert_int_equal(told[l], want[l]);
    }
    hd_sass_free(table);
}

/* ---- native files ---------------------------------------------------------------------------------------------- */

/* More chunks than the writer keeps in memory. */
static void a_long_index_comes_back(void **unused)
{
    enum { BLOCKS = 200000, WARPS = 2 };
    struct hd_diag d = {0};
    struct hd_hdt_written written;
    const uint8_t nothing[3] = {0};

    (void)unused;
    store(".none", "", 0);
    struct hd_hdt_writer *w = hd_hdt_create(native, 0, "lanes = 32\n", 3, &d);
    assert_non_null(w);
    for (uint32_t b = 0; b < BLOCKS; b++)
        for (unsigned i = 0; i < WARPS; i++)
            assert_true(hd_hdt_chunk(w, 1, b, i, 0, b % 7, nothing, 1 + b % 3));
    assert_true(hd_hdt_finish(w, "cycles = 5\n", &written));
    assert_int_equal(written.chunks, BLOCKS * WARPS);
    struct hd_hdt *h = hd_hdt_open(native, &d);
    assert_non_null(h);
    assert_string_equal(h->end, "cycles = 5\n");
    assert_int_equal(h->chunks, BLOCKS * WARPS);
    assert_int_equal(h->ops, written.ops);
    assert_int_equal(h->size, written.bytes);
    for (size_t i = 0; i < h->chunks; i++)
        assert_true(h->chunk[i].block == i / WARPS && h->chunk[i].warp == i % WARPS && h->chunk[i].ops == i / WARPS % 7 &&
                    h->chunk[i].bytes == 1 + i / WARPS % 3);
    hd_hdt_close(h);
}

static void opcodes_say_order_and_function(void **unused)
{
    static const struct {
        const char *name;
        uint8_t kind, space, bytes, order, scope, fn;
        bool plain, replaced;
    } t[] = {{"LDG.E.LTC128B.64", HD_SASS_LOAD, HD_SASS_GLOBAL, 8, 0, HD_SCOPE_DEVICE, 0, true, false},
             {"LDG.E.S8.STRONG.CTA", HD_SASS_LOAD, HD_SASS_GLOBAL, 1, 0, HD_SCOPE_WG, 0, false, false},
             {"ST.E.RELEASE.SYS", HD_SASS_STORE, HD_SASS_GENERIC, 4, HD_ORD_RELEASE, HD_SCOPE_SYSTEM, 0, false, false},
             {"ATOMG.E.MIN.S32.STRONG.GPU", HD_SASS_ATOMIC, HD_SASS_GLOBAL, 4, 0, HD_SCOPE_DEVICE, HD_AT_MIN, false, false},
             {"ATOM.E.MIN.STRONG.SM", HD_SASS_ATOMIC, HD_SASS_GENERIC, 4, 0, HD_SCOPE_WG, HD_AT_UMIN, false, false},
             {"RED.E.ADD.F32.FTZ.RN.STRONG.GPU", HD_SASS_ATOMIC, HD_SASS_GENERIC, 4, 0, HD_SCOPE_DEVICE, HD_AT_ADD, false, true},
             {"ATOMS.CAS", HD_SASS_ATOMIC, HD_SASS_LDS, 4, 0, HD_SCOPE_DEVICE, HD_AT_EXCH, false, true},
             {"MEMBAR.SC.GPU", HD_SASS_FENCE, 0, 0, HD_ORD_SEQ_CST, HD_SCOPE_DEVICE, 0, false, false},
             {"MEMBAR.CTA", HD_SASS_FENCE, 0, 0, HD_ORD_ACQ_REL, HD_SCOPE_WG, 0, false, false},
             {"MEMBAR.GL", HD_SASS_FENCE, 0, 0, HD_ORD_ACQ_REL, HD_SCOPE_DEVICE, 0, false, false},
             {"BAR.ARV", HD_SASS_ARRIVE, 0, 0, 0, 0, 0, false, false},
             {"TEX.B.LL", HD_SASS_DROPPED, 0, 0, 0, 0, 0, false, false},
             {"LDGX", HD_SASS_ALU, 0, 0, 0, 0, 0, false, false}};
    struct hd_sass_table *table = hd_sass_new();

    (void)unused;
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        const struct hd_sass *s = hd_sass_find(table, t[i].name, strlen(t[i].name));
        if (s->kind != t[i].kind || s->space != t[i].space || s->bytes != t[i].bytes || s->order != t[i].order ||
            s->scope != t[i].scope || s->fn != t[i].fn || s->plain != t[i].plain || s->replaced != t[i].replaced)
            fail_msg("%s", t[i].name);
        assert_ptr_equal(s, hd_sass_find(table, t[i].name, strlen(t[i].name)));
    }
    hd_sass_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_come_back),
        cmocka_unit_test_teardown(versions_are_read, clean),
        cmocka_unit_test_teardown(wide_accesses_take_the_lines_of_the_hardware, clean),
        cmocka_unit_test_teardown(registers_wait, clean),
        cmocka_unit_test_teardown(generic_addresses_go_lane_by_lane, clean),
        cmocka_unit_test_teardown(regions_are_ordered_by_address, clean),
        cmocka_unit_test_teardown(narrow_stores_keep_the_last_lane, clean),
        cmocka_unit_test_teardown(copies_wait_by_group, clean),
        cmocka_unit_test_teardown(distances_of_every_length_are_read, clean),
        cmocka_unit_test_teardown(a_long_index_comes_back, clean),
        cmocka_unit_test(opcodes_say_order_and_function),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
