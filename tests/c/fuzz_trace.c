/* fuzz_trace.c - damaged traces into all readers: `fuzz_trace SECONDS|-INPUTS [SEED]`. Built with the address and
 * undefined-behaviour sanitizers by tests/system/trace_fuzz.sh, which bounds the memory too.
 *
 * An input is one of the seeds with a few faults: in its text, before it is packed by xz or as a .tracez; in the bytes of these;
 * in a native file's bytes, or inside its sections, packed again, so that checksums are right. It is scanned, converted, opened,
 * walked. Nothing may crash or take long; what is imported without an error must be readable. */
#define _POSIX_C_SOURCE 200809L
#include "trace/convert.h"
#include "trace/hdt_parts.h"
#include "trace/ops.h"
#include "trace_seeds.h"
#include <time.h>
#include <unistd.h>

enum { MOST = 1 << 16, SLOW = 5 };

/* Contexts of zstd, each a megabyte that is mapped, cleared and unmapped, are most of an input's time: one that was given back is
 * made as new and given again (tests/system/trace_fuzz.sh has the linker put these in the place of zstd's own). */
ZSTD_CCtx *__real_ZSTD_createCCtx(void), *__wrap_ZSTD_createCCtx(void);
ZSTD_DCtx *__real_ZSTD_createDCtx(void), *__wrap_ZSTD_createDCtx(void);
size_t __real_ZSTD_freeCCtx(ZSTD_CCtx *c), __wrap_ZSTD_freeCCtx(ZSTD_CCtx *c);
size_t __real_ZSTD_freeDCtx(ZSTD_DCtx *c), __wrap_ZSTD_freeDCtx(ZSTD_DCtx *c);
static ZSTD_CCtx *spare_c;
static ZSTD_DCtx *spare_d;

ZSTD_CCtx *__wrap_ZSTD_createCCtx(void)
{
    ZSTD_CCtx *c = spare_c;

    spare_c = NULL;
    return c ? c : __real_ZSTD_createCCtx();
}

size_t __wrap_ZSTD_freeCCtx(ZSTD_CCtx *c)
{
    if (!c || spare_c)
        return __real_ZSTD_freeCCtx(c);
    spare_c = c;
    return ZSTD_CCtx_reset(c, ZSTD_reset_session_and_parameters);
}

ZSTD_DCtx *__wrap_ZSTD_createDCtx(void)
{
    ZSTD_DCtx *c = spare_d;

    spare_d = NULL;
    return c ? c : __real_ZSTD_createDCtx();
}

size_t __wrap_ZSTD_freeDCtx(ZSTD_DCtx *c)
{
    if (!c || spare_d)
        return __real_ZSTD_freeDCtx(c);
    spare_d = c;
    return ZSTD_DCtx_reset(c, ZSTD_reset_session_and_parameters);
}

static uint64_t state;
static char path[80], native[96];

static uint32_t below(uint32_t n)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * UINT64_C(2685821657736338717)) >> 33) % n;
}

static const char *const words[] = {"0", "-1", "ffffffff", "99999999999999999999", "18446744073709551615", "0x", "0xffffffffffffffff",
                                    "R255", "RZ", "UP7", "LDG.E.128", "STL.64", "LDSM.16.M88.4", "BAR.SYNC", "LDGSTS.E.128", "DEPBAR.LE",
                                    "UTMALDG", "HGMMA", "Val", "32", "#END_TB\n", "#BEGIN_TB\n", "warp = 1\n", "insts = 4000000000\n",
                                    "\n", "\r\n", " ", "thread block = 4294967295,0,0\n", "-grid dim = (65536,65536,1)\n",
                                    "-accelsim tracer version = 4\n", "-enable lineinfo = 1\n", "1.2", "4096", "2 0x7fffffffff00"};

static uint32_t odd(void)
{
    static const uint32_t some[] = {0, 1, 2, 3, 255, 65535, 65536, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
    uint32_t k = below(sizeof some / sizeof *some + 2);

    return k < sizeof some / sizeof *some ? some[k] : below(0x7fffffff);
}

/* A few faults; bytes are replaced, lost, doubled, cut, or numbers and words put in. */
static void damage(struct seed_bytes *b, bool text)
{
    for (uint32_t faults = below(4); faults > 0 && b->n > 0; faults--) {
        size_t at = below((uint32_t)b->n), some = 1 + below(40), rest = b->n - at;
        const char *word = words[below(sizeof words / sizeof *words)];
        some = some < rest ? some : rest;
        switch (below(text ? 9 : 6)) {
        case 0: b->data[at] = (uint8_t)below(256); break;
        case 1: b->data[at] ^= (uint8_t)(1u << below(8)); break;
        case 2:
            memmove(b->data + at, b->data + at + some, rest - some);
            b->n -= some;
            break;
        case 3:
            if (b->n + some < MOST) {
                uint8_t piece[64];
                memcpy(piece, b->data + at, some);
                seed_add(b, piece, some);
                memmove(b->data + at + some, b->data + at, b->n - at - some);
            }
            break;
        case 4:
            if (rest >= 4)
                for (int i = 0, v = (int)odd(); i < 4; i++)
                    b->data[at + (size_t)i] = (uint8_t)((uint32_t)v >> 8 * i);
            break;
        case 5:
            if (below(4) == 0)
                b->n = at;
            break;
        default:
            if (b->n + strlen(word) < MOST) {
                size_t n = strlen(word);
                while (at > 0 && b->data[at - 1] != ' ' && b->data[at - 1] != '\n')
                    at--;
                seed_add(b, word, n);
                memmove(b->data + at + n, b->data + at, b->n - at - n);
                memcpy(b->data + at, word, n);
            }
        }
    }
}

static void store(const char *to, const void *data, size_t n)
{
    FILE *f = fopen(to, "wb");

    if (!f || fwrite(data, 1, n, f) != n || fclose(f) != 0)
        abort();
}

static uint64_t get(const uint8_t *from, unsigned bytes)
{
    uint64_t v = 0;

    for (unsigned i = 0; i < bytes; i++)
        v |= (uint64_t)from[i] << 8 * i;
    return v;
}

/* A native file whose sections are damaged inside. */
static struct seed_bytes damage_inside(const struct seed_bytes *b)
{
    struct seed_bytes out = {0};
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    uint64_t index = 0;

    ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
    seed_add(&out, b->data, 12);
    for (size_t at = 12; at + HD_HDT_SECTION_HEAD + HD_HDT_TAIL <= b->n;) {
        uint32_t tag = (uint32_t)get(b->data + at, 4), packed = (uint32_t)get(b->data + at + 4, 4),
                 bytes = (uint32_t)get(b->data + at + 8, 4), number = (uint32_t)get(b->data + at + 12, 4);
        struct seed_bytes inside = {malloc(bytes + 1), bytes};
        if (ZSTD_decompress(inside.data, bytes, b->data + at + HD_HDT_SECTION_HEAD, packed) != bytes)
            abort();
        if (below(3) == 0)
            damage(&inside, tag == HD_HDT_HEAD);
        size_t room = ZSTD_compressBound(inside.n), n;
        uint8_t *to = malloc(room);
        n = ZSTD_compress2(zstd, to, room, inside.data, inside.n);
        if (tag == HD_HDT_INDEX)
            index = out.n;
        seed_number(&out, tag, 4);
        seed_number(&out, n, 4);
        seed_number(&out, below(50) ? inside.n : odd(), 4);
        seed_number(&out, number, 4);
        seed_add(&out, to, n);
        free(to);
        free(inside.data);
        at += HD_HDT_SECTION_HEAD + packed;
    }
    seed_number(&out, index, 8);
    seed_number(&out, out.n + 16, 8);
    seed_add(&out, "HDT1\0\0\0\0", 8);
    ZSTD_freeCCtx(zstd);
    return out;
}

static bool see_chunk(void *ctx, const struct hd_hdt_chunk *c, const uint8_t *data)
{
    static struct hd_trace_op op;
    struct hd_trace_state s = {0};
    size_t at = 0;

    (void)ctx;
    for (uint32_t i = 0; i < c->ops && hd_trace_get(&s, data, c->bytes, &at, 32, &op); i++)
        ;
    return true;
}

static void nothing(void *ctx, uint32_t addr, uint32_t word)
{
    (void)ctx;
    (void)addr;
    (void)word;
}

/* @return true when the file could be read. */
static bool read_native(const char *file)
{
    struct hd_diag d = {.quiet = true};
    struct hd_hdt *h = hd_hdt_open(file, &d);
    struct hd_hdt_scratch *s = hd_hdt_scratch_new();
    const char *why;
    bool good = h != NULL;

    for (size_t i = 0; h && i < h->chunks; i++)
        good = hd_hdt_load(h, s, &h->chunk[i], &why) != NULL && good;
    if (h)
        hd_hdt_memory(h, nothing, NULL, &d);
    good = hd_hdt_walk(file, see_chunk, NULL, &d) && good;
    hd_hdt_scratch_free(s);
    hd_hdt_close(h);
    return good;
}

/* @return whether it was imported. */
static bool read_trace(void)
{
    struct hd_diag d = {.quiet = true};
    struct hd_trace_options o = {.region_bits = below(2) ? 21 : 16, .deps = (int)below(3), .copies = (int)below(3),
                                 .barriers_in_order = below(2), .every = below(4), .kernels = below(8) ? NULL : "1-2,_Z"};
    struct hd_scan s;
    bool good = hd_scan(&s, path, &o, &d) && hd_trace_convert(&s, &o, native, NULL, &d);

    hd_scan_free(&s);
    if (!good && d.errors == 0 && d.kinds == 0) {
        fprintf(stderr, "fuzz_trace: refused without a word\n");
        abort();
    }
    return good;
}

static void name(const char *suffix)
{
    snprintf(path, sizeof path, "%s/fuzz_trace.%d%s", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", (int)getpid(), suffix);
}

static void one_input(uint64_t seed)
{
    state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    below(2);
    const char *text = seeds[below(SEEDS)];
    struct seed_bytes b = {0}, z;
    unsigned how = below(8);

    seed_add(&b, text, strlen(text));
    if (how < 4 || below(3) == 0)
        damage(&b, true);
    seed_add(&b, "", 1);
    b.n--;
    if (how < 3)
        name(".traceg");
    else if (how == 3) {
        z.data = seed_xz(b.data, b.n, &z.n);
        free(b.data);
        b = z;
        damage(&b, false);
        name(".traceg.xz");
    } else if (how < 6 && strstr((char *)b.data, "#BEGIN_TB")) {
        z = seed_tracez((char *)b.data, 1 + below(5));
        free(b.data);
        b = z;
        damage(&b, false);
        name(".tracez");
    } else
        name(".traceg");
    snprintf(native, sizeof native, "%s.hdt", path);
    store(path, b.data, b.n);
    bool imported = read_trace();
    if (imported && !read_native(native)) {
        fprintf(stderr, "fuzz_trace: imported and not readable\n");
        abort();
    }
    if (imported && how >= 6) {
        struct seed_bytes file = {malloc(2 * MOST), 0}, other;
        FILE *f = fopen(native, "rb");
        file.n = fread(file.data, 1, 2 * MOST, f);
        fclose(f);
        if (how == 6)
            other = damage_inside(&file);
        else {
            other = (struct seed_bytes){0};
            seed_add(&other, file.data, file.n);
            damage(&other, false);
        }
        store(native, other.data, other.n);
        read_native(native);
        free(other.data);
        free(file.data);
    }
    unlink(path);
    unlink(native);
    free(b.data);
}

int main(int argc, char **argv)
{
    long amount = argc > 1 ? strtol(argv[1], NULL, 10) : 10;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, first = seed;
    time_t start = time(NULL);

    for (; amount > 0 ? time(NULL) - start < amount : seed - first < (uint64_t)-amount; seed++) {
        time_t before = time(NULL);
        if (getenv("FUZZ_SHOW"))
            fprintf(stderr, "%llu\n", (unsigned long long)seed);
        one_input(seed);
        if (time(NULL) - before > SLOW) {
            fprintf(stderr, "fuzz_trace: seed %llu took more than %d s\n", (unsigned long long)seed, SLOW);
            return 1;
        }
    }
    __real_ZSTD_freeCCtx(spare_c);
    __real_ZSTD_freeDCtx(spare_d);
    printf("fuzz_trace: %llu inputs from seed %llu on, no fault\n", (unsigned long long)(seed - first), (unsigned long long)first);
    return 0;
}
