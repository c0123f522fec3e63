/* area.h - `heddle area`: what modules and tiles cost. Area, storage and timing come from synth/area.sh, which maps modules
 * to standard cells; the sums, the model of memories and the reports are here. docs/area.md explains the figures. */
#ifndef HD_AREA_H
#define HD_AREA_H
#include "config.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { HD_AREA_ID = 700, HD_AREA_NAME = 160 };

/* A kind of memory in a module: hd_sram_1r1w (banks of it too), hd_sram_1rw, hd_regfile. */
struct hd_area_memory {
    char kind[24];
    unsigned width, depth, gran, banks; /* gran: bits written together */
    char instance[HD_AREA_NAME];
};

struct hd_area_child {
    char id[HD_AREA_ID];
    char instance[HD_AREA_NAME];
    size_t module;              /* index, filled in when all are read */
};

enum hd_area_fpga { HD_FPGA_LUT, HD_FPGA_FF, HD_FPGA_CARRY, HD_FPGA_EBR, HD_FPGA_LUTRAM, HD_FPGA_DSP, HD_FPGA_KINDS };
extern const char *const hd_area_fpga_names[HD_FPGA_KINDS];

/* What a module costs; of a sum: with all below it. Areas in um2; NAND2 equivalents are area / HD_AREA_NAND2. */
struct hd_area_cost {
    double gates, flop_area;    /* 180 nm: combinational cells, flip-flops */
    double gates45, flops45;    /* both by the rule for 45 nm */
    double ram, ram45;          /* SRAM and register files, by the model, at 180 and 45 nm */
    double cells, buffers, flops;
    double sram_bits, srams, file_bits, files;
    double declared, kept, shared, constant, unused; /* register bits */
    double fpga[HD_FPGA_KINDS];
};

struct hd_area_module {
    char id[HD_AREA_ID];
    unsigned ports;
    struct hd_area_cost own, sum;
    struct hd_area_memory *memory;
    struct hd_area_child *child;
    size_t memories, children;
    double path;                /* ns, 0 if not asked for */
    char from[HD_AREA_NAME], to[HD_AREA_NAME];
    char *gone;                 /* registers and instances that vanished, one a line; NULL: none */
    char *lacking;              /* registers that are not whole: NAME BITS CONSTANT UNUSED, one a line; NULL: none */
    bool summed;
};

struct hd_area {
    struct hd_area_module *module;
    size_t modules;
};

#define HD_AREA_NAND2 24.0      /* um2 of a NAND2X1 of the OSU cells, LEF */

/* Area in um2 of a memory by the model of docs/area.md: @width bits, @depth words, @ports; @f feature size in um. */
double hd_area_memory(unsigned width, unsigned depth, unsigned ports, double f);
unsigned hd_area_ports(const char *kind);

/* Adds what a memory takes on an ECP5, by the rule of docs/area.md. */
void hd_area_fpga_memory(struct hd_area_cost *c, const struct hd_area_memory *m);

/* Logic, flip-flops and memories, um2 at 180 and at 45 nm; stored bits; NAND2 equivalents of the logic. */
double hd_area_um2(const struct hd_area_cost *c);
double hd_area_um2_45(const struct hd_area_cost *c);
double hd_area_bits(const struct hd_area_cost *c);
double hd_area_nand2(const struct hd_area_cost *c);
void hd_area_add(struct hd_area_cost *to, const struct hd_area_cost *c, double times);

/* Has synth/area.sh make the records of @ids (@options: its options) and reads them. @return 0, or 2 after a message. */
int hd_area_get(struct hd_area *a, const char *options, const char *const *ids, size_t n);
void hd_area_free(struct hd_area *a);
const struct hd_area_module *hd_area_find(const struct hd_area *a, const char *id);

/* The ID of a tile of a configuration, "" if it has none. @role is a hd_model_role. */
void hd_area_tile(char id[HD_AREA_ID], const struct hd_config *c, int role);

/* Reports. */
void hd_area_table(const struct hd_area *a, const char *const *ids, const char *const *labels, size_t n, bool timing);
void hd_area_tree(const struct hd_area *a, const char *id, const char *label, unsigned depth);
void hd_area_csv(const struct hd_area *a, const char *const *ids, size_t n);
int hd_area_json(const struct hd_area *a, const char *const *ids, const char *const *labels, size_t n);
int hd_area_treemap(const struct hd_area *a, const char *id, const char *title, const char *path);

/* The mechanisms of the papers, each as a difference. @return an exit code. */
int hd_area_mechanisms(FILE *out, bool markdown);

/* Writes the page synth/area.md to @path, docs/area-sm-tile.svg, and on stderr which modules of the page that was there
 * have moved by more than 5 %. Run from the source tree. @return an exit code. */
int hd_area_page(const char *path, bool timing);
/* The page of papers 3 and 4, docs/results/area_later.md, to @path. @return as above. */
int hd_area_page_later(const char *path);

/* @return false after a message when @old cannot be read or has no rows of modules: asked before anything is mapped. */
bool hd_area_comparable(const char *old);
/* Says on stderr which modules have moved by more than 5 % since the page @old; @whole: also which are no longer there.
 * @return 2 if it cannot be read. */
int hd_area_compare(const struct hd_area *a, const char *old, bool whole);

void hd_area_fpga_table(const struct hd_area *a, const char *const *ids, const char *const *labels, size_t n);
int hd_area_fpga_page(const char *path); /* synth/fpga.md */

/* Names what vanished in synthesis on stderr. @return 1 if anything did. */
int hd_area_vanished(const struct hd_area *a);

/* Energy of runs whose JSON is in @files: counts times the energies of @table. @svg: bars, NULL: none. */
int hd_area_energy(const char *table, const char *const *files, size_t n, const char *svg, bool json);
#endif
