/* accel.h - reads a trace file of Accel-Sim (versions none, 1.2 to 6) and tells what is in it, in order. The grammar is in
 * docs/traces.md. */
#ifndef HD_TRACE_ACCEL_H
#define HD_TRACE_ACCEL_H
#include "sass.h"
#include "source.h"

enum { HD_INSN_REGS = 8, HD_INSN_LANES = 32, HD_ACCEL_NAME = 512 };

/* Registers: R0..R255, then the uniform ones, predicates, uniform predicates. RZ, URZ, PT and UPT are not told. */
enum { HD_REG_UR = 256, HD_REG_P = 512, HD_REG_UP = 528, HD_REGS = 544 };

struct hd_accel_kernel {
    char name[HD_ACCEL_NAME];
    uint64_t id, stream, shared_base, local_base;   /* bases of generic windows, 0: unknown */
    uint64_t version;                               /* 0: none */
    unsigned grid[3], block[3];
    uint64_t lds_bytes, registers, binary_version;
    unsigned threads, warps;                        /* of a block */
    uint64_t blocks;
    bool lineinfo;
};

struct hd_insn {
    uint64_t pc;
    uint32_t mask;
    uint32_t width;                 /* as the file has it; 0: no access */
    struct hd_sass *op;
    unsigned dests, sources, named; /* registers; those that the line names, zero ones too */
    uint16_t dest[HD_INSN_REGS], source[HD_INSN_REGS];
    bool has_immediate;
    int64_t immediate;
    uint64_t *addr;                 /* [HD_INSN_LANES] of the lanes in mask, if width is not 0 */
    bool strided;                   /* lanes of mask follow each other, and so do their addresses, */
    int64_t stride;                 /* at this distance */
};

/* Each returns false to end the reading (after an error in the diag, if there is one to tell). */
struct hd_accel_sink {
    void *ctx;
    bool (*kernel)(void *ctx, const struct hd_accel_kernel *k);
    bool (*block)(void *ctx, const unsigned at[3]);
    bool (*warp)(void *ctx, unsigned warp, uint64_t insts);
    bool (*insn)(void *ctx, const struct hd_insn *i);
    bool (*warp_end)(void *ctx);
    bool (*block_end)(void *ctx);
};

/* Reads all of @s. @return false after an error, of which *d knows, or when the sink said so. */
bool hd_accel_read(struct hd_source *s, struct hd_sass_table *t, const struct hd_accel_sink *sink, struct hd_diag *d);

/* The header only. */
bool hd_accel_header(struct hd_source *s, struct hd_accel_kernel *k, struct hd_diag *d);
#endif
