/* scan.h - the first pass over a trace: what is in it, which regions of memory and which of the LDS it touches. */
#ifndef HD_TRACE_SCAN_H
#define HD_TRACE_SCAN_H
#include "accel.h"
#include "list.h"

struct hd_trace_options {
    const char *kernels;        /* hd_trace_chosen() */
    uint64_t every;             /* of each kernel blocks 0, every, 2 every ...; 0: all */
    unsigned region_bits;       /* 21 (2 MiB) or 16 */
    enum { HD_DEPS_REGISTERS, HD_DEPS_NONE, HD_DEPS_ALL } deps;
    enum { HD_COPY_LOAD, HD_COPY_STORE, HD_COPY_ASYNC } copies; /* to the LDS: a load, a load and an LDS store, a copy */
    bool barriers_in_order;     /* warps whose barriers stand at different places: paired in order */
    bool skip_missing;
    bool progress;              /* says how far it is */
    bool no_lines;              /* lines are not counted: an import needs regions only */
};

struct hd_opcode_count {
    const struct hd_sass *op;
    uint64_t count;
};

/* What a kernel has. */
struct hd_kernel_scan {
    const char *path;
    struct hd_accel_kernel header;
    bool chosen;
    uint64_t blocks, warps, insts, memory, memory_empty, lanes, bars, lines, regions, lds_bytes;
    uint64_t text_bytes;
    uint64_t kinds[HD_SASS_KINDS];
    uint64_t unknown, replaced_atomics, narrow, strong_repeats;
    uint32_t local_low, local_high; /* bytes; high 0: no local memory */
    uint32_t lds_launch;            /* bytes a block is given */
    uint32_t most_warp;             /* the highest warp number of a block, + 1 */
    struct hd_opcode_count *opcode; /* memory instructions by opcode */
    size_t opcodes;
};

struct hd_regions;

struct hd_scan {
    const char *path;
    struct hd_trace_list list;
    struct hd_sass_table *opcodes;
    struct hd_regions *regions;
    struct hd_kernel_scan *kernel;
    size_t kernels;
};

/* Reads all that @path names. @return false after an error; what was read until then is there. hd_scan_free() in both cases. */
bool hd_scan(struct hd_scan *s, const char *path, const struct hd_trace_options *o, struct hd_diag *d);
void hd_scan_free(struct hd_scan *s);

/* Where a generic address of a kernel points to. */
enum hd_sass_space hd_generic_space(const struct hd_accel_kernel *k, uint64_t addr, uint64_t *offset);

/* The regions touched, ordered by address, as the map says it: @return the count; *list: their numbers (address >> bits). */
size_t hd_regions_list(struct hd_regions *r, const uint64_t **list);
/* @return the number of the region of @addr among them; it must be there. */
uint32_t hd_regions_index(struct hd_regions *r, uint64_t addr);
#endif
