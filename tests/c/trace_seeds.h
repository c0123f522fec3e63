/* trace_seeds.h - small traces of every version, and what packs them, for test_trace.c and fuzz_trace.c. Written for these
 * tests by the grammar; no line is a real program's. */
#ifndef TRACE_SEEDS_H
#define TRACE_SEEDS_H
#include <lzma.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define SEED_HEAD(version, grid, block, lds)                                                                                  \
    "-kernel name = _Z4seedPf\n-kernel id = 1\n-grid dim = " grid "\n-block dim = " block "\n-shmem = " lds "\n-nregs = 32\n"   \
    "-binary version = 80\n-cuda stream id = 0\n-shmem base_addr = 0x00007f0000000000\n"                                       \
    "-local mem base_addr = 0x00007f0001000000\n-nvbit version = 1.7\n" version "-enable lineinfo = 0\n\n"                      \
    "#traces format = whatever it says\n\n"

/* Version 6: 8 kinds of accesses, values, uniform registers, a TMA line, a GMMA flag. */
static const char seed_v6[] = SEED_HEAD("-accelsim tracer version = 6\n", "(2,1,1)", "(32,1,1)", "1024")
    "#BEGIN_TB\n\nthread block = 0,0,0\ncluster id = 0,0,0\ncluster cta = 0,0,0\ncluster rank = 0\n\nwarp = 0\ninsts = 8\n"
    "0000 ffffffff 1 R1 LDC 0 0 0 0 NoVal\n"
    "0010 ffffffff 1 UR4 ULDC.64 0 0 0 0 NoVal\n"
    "0020 ffffffff 1 R2 LDG.E 2 R4 UR4 4 1 0x10000000 4 0 0 Val 1 7f 1 10000000 1 0\n"
    "0030 ffffffff 1 P0 ISETP.GE.AND 2 R2 RZ 0 0 0 NoVal\n"
    "0040 ffffffff 0 HGMMA.64x8x16.F32 1 R24 1 0 0 0 NoVal\n"
    "0050 00000001 0 UTMALDG.2D 2 UR8 UR6 16 7f0000000010 1 3 4096 0 3 2 0x10000000 0x10000080 0 0 NoVal\n"
    "0060 0000000f 0 STG.E 2 R4 R2 4 2 0x10000100 4 -8 1024 0 0 NoVal\n"
    "0070 ffffffff 0 EXIT 0 0 0 0 NoVal\n\n#END_TB\n\n"
    "#BEGIN_TB\n\nthread block = 1,0,0\n\nwarp = 0\ninsts = 1\n0070 ffffffff 0 EXIT 0 0 0 0 NoVal\n\n#END_TB\n";

/* Version 5: wide and narrow accesses, generic, local, LDS, atomics, fences, barriers, copies, matrices. */
static const char seed_v5[] = SEED_HEAD("-accelsim tracer version = 5\n", "(1,1,1)", "(64,1,1)", "8192")
    "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 24\n"
    "0000 ffffffff 1 R4 LDG.E.128 1 R2 16 1 0x7f1000000000 16 0 \n"
    "0010 ffffffff 1 R8 LDG.E.64 1 R2 8 1 0x7f1000001000 8 0 \n"
    "0020 ffffffff 1 R9 LDG.E.U8 1 R2 1 1 0x7f1000002000 1 0 \n"
    "0030 ffffffff 0 STG.E.U16 2 R2 R9 2 1 0x7f1000002000 2 0 \n"
    "0040 ffffffff 0 STL.64 2 R1 R4 8 1 0xfffbd0 0 0 \n"
    "0050 ffffffff 1 R5 LDL 1 R1 4 1 0xfffbd4 0 0 \n"
    "0060 ffffffff 0 STS 2 R6 R5 4 1 0x100 4 0 \n"
    "0070 ffffffff 0 BAR.SYNC 0 0 0 \n"
    "0080 ffffffff 1 R6 LDS 1 R6 4 1 0x100 4 0 \n"
    "0090 00000007 1 R7 LD.E 1 R2 4 0 0x7f0000000040 0x7f0001fffbd0 0x7f1000003000 0 \n"
    "00a0 00000003 1 R7 ATOMG.E.ADD.STRONG.GPU 2 R2 R7 4 1 0x7f1000004000 0 0 \n"
    "00b0 00000001 0 RED.E.MAX.S32.STRONG.SYS 2 R2 R7 4 1 0x7f1000004000 0 0 \n"
    "00c0 ffffffff 0 MEMBAR.SC.GPU 0 0 0 \n"
    "00d0 00000001 1 R7 LDG.E.STRONG.GPU 1 R2 4 1 0x7f1000004000 0 0 \n"
    "00d0 00000001 1 R7 LDG.E.STRONG.GPU 1 R2 4 1 0x7f1000004000 0 0 \n"
    "00e0 ffffffff 0 LDGSTS.E.BYPASS.LTC128B.128 2 R9 R10 16 2 0x7f1000005000 16 16 16 16 16 16 16 16 16 16 16 16 16 16 16 784"
    " 16 16 16 16 16 16 16 16 16 16 16 16 16 16 16 0 \n"
    "00f0 ffffffff 0 LDGDEPBAR 0 0 0 \n"
    "0100 ffffffff 0 DEPBAR.LE 0 0 0 \n"
    "0110 ffffffff 1 R16 LDSM.16.M88.4 1 R3 2 1 0x400 16 0 \n"
    "0120 ffffffff 1 R20 HMMA.16816.F32 3 R16 R18 R20 0 0 \n"
    "0130 00000000 0 LDG.E 1 R2 4 1 0x0 0 0 \n"
    "0140 ffffffff 0 CCTL.IVALL 0 0 0 \n"
    "0150 ffffffff 1 R3 FROB.NEW 1 R3 4 1 0x7f1000006000 4 0 \n"
    "0160 ffffffff 0 EXIT 0 0 0 \n\n"
    "warp = 1\ninsts = 2\n0070 ffffffff 0 BAR.SYNC 0 0 0 \n0160 ffffffff 0 EXIT 0 0 0 \n\n#END_TB\n\n";

/* Version 4 with an immediate, and without, CR LF, no end of the last line. */
static const char seed_v4[] = SEED_HEAD("-accelsim tracer version = 4\n", "(1,1,1)", "(16,1,1)", "0")
    "#BEGIN_TB\r\n\r\nthread block = 0,0,0\r\n\r\nwarp = 0\r\ninsts = 3\r\n0000 0000ffff 1 R2 LDG.E 1 R4 4 1 0x10000000 4 0\r\n"
    "0010 0000ffff 1 R3 IADD3 2 R2 R255 0\r\n0020 0000ffff 0 EXIT 0 0\r\n\r\n#END_TB";

/* Version 3 with line numbers on; 1.2 and none with block and warp in front. */
static const char seed_v3[] = SEED_HEAD("-accelsim tracer version = 3\n", "(1,1,1)", "(32,1,1)", "0")
    "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 2\n0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x0000000010000000 4\n"
    "0010 ffffffff 0 EXIT 0 0\n\n#END_TB\n";
static const char seed_v12[] = SEED_HEAD("-accelsim tracer version = 1.2\n", "(1,1,1)", "(32,1,1)", "0")
    "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 2\n0 0 0 0 0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x0000000010000000 4 \n"
    "0 0 0 0 0010 ffffffff 0 EXIT 0 0 \n\n#END_TB\n";
static const char seed_none[] = SEED_HEAD("", "(1,1,1)", "(32,1,1)", "0")
    "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 2\n0 0 0 0 0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x0000000010000000 4 \n"
    "0 0 0 0 0010 ffffffff 0 EXIT 0 0 \n\n#END_TB\n";

static const char *const seeds[] = {seed_v6, seed_v5, seed_v4, seed_v3, seed_v12, seed_none};
enum { SEEDS = sizeof seeds / sizeof *seeds };

/* ---- packing; results are to be freed ------------------------------------------------------------------------- */

static inline uint8_t *seed_xz(const void *text, size_t n, size_t *packed)
{
    size_t room = lzma_stream_buffer_bound(n);
    uint8_t *to = malloc(room);
    lzma_options_lzma how;
    lzma_filter filter[2] = {{LZMA_FILTER_LZMA2, &how}, {LZMA_VLI_UNKNOWN, NULL}};

    *packed = 0;
    lzma_lzma_preset(&how, 0);
    how.dict_size = LZMA_DICT_SIZE_MIN; /* tables of a few kilobytes, which are cleared for each text */
    if (lzma_stream_buffer_encode(filter, LZMA_CHECK_CRC64, NULL, text, n, to, packed, room) != LZMA_OK)
        abort();
    return to;
}

struct seed_bytes {
    uint8_t *data;
    size_t n;
};

static inline void seed_add(struct seed_bytes *b, const void *data, size_t n)
{
    b->data = realloc(b->data, b->n + n + 1);
    if (!b->data)
        abort();
    memcpy(b->data + b->n, data, n);
    b->n += n;
}

static inline void seed_number(struct seed_bytes *b, uint64_t v, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        seed_add(b, &(uint8_t){(uint8_t)(v >> 8 * i)}, 1);
}

/* A .tracez of a grouped trace, chunks of @chunk instructions. */
static inline struct seed_bytes seed_tracez(const char *text, unsigned chunk)
{
    struct seed_bytes out = {0}, index = {0};
    const char *line = strstr(text, "#BEGIN_TB");
    uint32_t blocks = 0, warps = 0, left = 0, insts = 0, in_chunk = 0;
    size_t count_at = 0, warps_at = 0;
    struct seed_bytes piece = {0}, chunks = {0};
    uint32_t pieces = 0;

    seed_add(&out, text, (size_t)(line - text));
    seed_number(&out, 0, 1);
    seed_number(&out, 0, 4);
    seed_number(&out, chunk, 4);
    seed_number(&index, 0, 4);
    for (; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
        int n = (int)strcspn(line, "\r\n");
        unsigned x, y, z;
        if (left > 0 && n > 0) {
            if (in_chunk > 0)
                seed_add(&piece, "\n", 1);
            seed_add(&piece, line, (size_t)n);
            left--;
            if (++in_chunk == chunk || left == 0) {
                size_t room = ZSTD_compressBound(piece.n), packed;
                uint8_t *to = malloc(room);
                packed = ZSTD_compress(to, room, piece.data, piece.n, 3);
                seed_number(&chunks, packed, 4);
                seed_add(&chunks, to, packed);
                free(to);
                piece.n = in_chunk = 0;
                pieces++;
            }
            if (left == 0) {
                seed_number(&index, insts, 4);
                seed_number(&index, pieces, 4);
                seed_number(&index, out.n, 8);
                for (uint32_t i = 0; i < pieces; i++)
                    seed_number(&index, 0, 4);
                seed_number(&out, insts, 4);
                seed_number(&out, pieces, 4);
                seed_add(&out, chunks.data, chunks.n);
                chunks.n = pieces = 0;
            }
        } else if (sscanf(line, "thread block = %u,%u,%u", &x, &y, &z) == 3) {
            blocks++;
            seed_number(&index, x, 4);
            seed_number(&index, y, 4);
            seed_number(&index, z, 4);
            for (int i = 0; i < 7; i++)
                seed_number(&index, 0, 4);
            warps_at = index.n;
            warps = 0;
            seed_number(&index, 0, 4);
        } else if (sscanf(line, "insts = %u", &insts) == 1) {
            left = insts;
            warps++;
            for (int i = 0; i < 4; i++)
                index.data[warps_at + (size_t)i] = (uint8_t)(warps >> 8 * i);
        }
    }
    for (int i = 0; i < 4; i++)
        index.data[count_at + (size_t)i] = (uint8_t)(blocks >> 8 * i);
    size_t at = out.n;
    seed_add(&out, index.data, index.n);
    seed_number(&out, at, 8);
    free(index.data);
    free(piece.data);
    free(chunks.data);
    return out;
}
#endif
