/* fpga.c - see area.h: what modules and tiles take of a Lattice ECP5. Logic is that of synth_ecp5 (synth/area.sh
 * -f), the memories of hd_sram.sv go by the rule of docs/area.md. */
#include "area.h"
#include "run/configure.h"
#include "models.h"
#include "report/files.h"
#include "report/text.h"
#include <errno.h>
#include <math.h>
#include <string.h>

const char *const hd_area_fpga_names[HD_FPGA_KINDS] = {
    [HD_FPGA_LUT] = "LUT4", [HD_FPGA_FF] = "TRELLIS_FF", [HD_FPGA_CARRY] = "CCU2C",
    [HD_FPGA_EBR] = "DP16KD", [HD_FPGA_LUTRAM] = "TRELLIS_DPR16X4", [HD_FPGA_DSP] = "MULT18X18D",
};

/* Parts: LUT4s, block RAMs, 18 x 18 multipliers. ECP5 and ECP5-5G family data sheet (FPGA-DS-02012), family table. */
static const struct part {
    const char *name;
    double lut, ebr, dsp;
} parts[] = {
    {"LFE5U-12F", 12000, 32, 28},
    {"LFE5U-25F", 24000, 56, 28},
    {"LFE5U-45F", 44000, 108, 72},
    {"LFE5U-85F", 84000, 208, 156},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

/* Block RAMs for @width x @depth, written in lanes of @gran: the fewest that a shape of the block needs. A lane has
 * blocks of its own, or whole bytes of 9 bits in the shapes of 9 and 18 bits, each of which has a write enable. */
static double block_rams(unsigned width, unsigned depth, unsigned gran)
{
    static const unsigned bits[] = {1, 2, 4, 9, 18, 36};
    double least = HUGE_VAL;
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        unsigned words = (bits[i] >= 9 ? 18432 : 16384) / bits[i], lanes = width / gran;
        double across = lanes * ceil(gran / (double)bits[i]), deep = ceil(depth / (double)words);
        if (bits[i] == 9 || bits[i] == 18)
            across = fmin(across, ceil(lanes * ceil(gran / 9.0) * 9 / bits[i]));
        least = fmin(least, across * deep);
    }
    return least;
}

void hd_area_fpga_memory(struct hd_area_cost *c, const struct hd_area_memory *m)
{
    bool file = strcmp(m->kind, "hd_regfile") == 0;
    double lanes = m->width / m->gran, deep = ceil(m->depth / 16.0), address = ceil(log2(m->depth));
    double lut_rams = lanes * ceil(m->gran / 4.0) * deep, blocks = block_rams(m->width, m->depth, m->gran);
    /* What synth_ecp5 takes either to cost; half a unit for an input of a multiplexer. */
    if (file || 4 * lut_rams + 0.5 * (deep - 1) * m->width <= 128 * blocks) {
        c->fpga[HD_FPGA_LUTRAM] += m->banks * lut_rams;
        if (deep > 1) /* a multiplexer for each bit, a decoder for each lane */
            c->fpga[HD_FPGA_LUT] += m->banks * ((deep < 4 ? deep - 1 : deep) * m->width + deep * lanes);
        c->fpga[HD_FPGA_FF] += file ? 0 : m->banks * m->width;
        return;
    }
    c->fpga[HD_FPGA_EBR] += m->banks * blocks;
    if (strcmp(m->kind, "hd_sram_1rw") == 0)
        return;
    /* A word read and written at once gives the old one, which the block does not promise: the write waits a cycle. */
    c->fpga[HD_FPGA_LUT] += m->banks * (m->width + 2 * address);
    c->fpga[HD_FPGA_FF] += m->banks * (2 * m->width + address + lanes + (lanes > 1 ? 2 : 1));
}

/* LUT4s taken: a carry cell takes a slice, which has two; a LUT RAM three slices. */
static double luts(const struct hd_area_cost *c)
{
    return c->fpga[HD_FPGA_LUT] + 2 * c->fpga[HD_FPGA_CARRY] + 6 * c->fpga[HD_FPGA_LUTRAM];
}

/* The smallest part that has as much; else what the largest would have to be. */
static const char *fits(const struct hd_area_cost *c, char text[96])
{
    for (size_t i = 0; i < PARTS; i++)
        if (luts(c) <= parts[i].lut && c->fpga[HD_FPGA_FF] <= parts[i].lut && c->fpga[HD_FPGA_EBR] <= parts[i].ebr &&
            c->fpga[HD_FPGA_DSP] <= parts[i].dsp)
            return parts[i].name;
    const struct part *last = &parts[PARTS - 1];
    snprintf(text, 96, "none: of %s %.2f x LUT4s, %.2f x block RAMs", last->name, luts(c) / last->lut,
             c->fpga[HD_FPGA_EBR] / last->ebr);
    return text;
}

void hd_area_fpga_table(const struct hd_area *a, const char *const *ids, const char *const *labels, size_t n)
{
    char text[96];
    printf("%-34s", "Lattice ECP5");
    for (int k = 0; k < HD_FPGA_KINDS; k++)
        printf("%17s", hd_area_fpga_names[k]);
    printf("%17s  fits\n", "LUT4s in all");
    for (size_t i = 0; i < n; i++) {
        const struct hd_area_cost *c = &hd_area_find(a, ids[i])->sum;
        printf("%-34.34s", labels[i]);
        for (int k = 0; k < HD_FPGA_KINDS; k++)
            printf("%17.0f", c->fpga[k]);
        printf("%17.0f  %s\n", luts(c), fits(c, text));
    }
}

/* Tiles of the page. */
static const struct {
    const char *label, *config;
    int role;
} boards[] = {
    {"SM tile, paper1 (48 warps of 32 lanes)", "paper1", HD_MODEL_SM},
    {"L2 tile, paper1", "paper1", HD_MODEL_L2},
    {"SM tile, litmus (12 warps of 8 lanes)", "litmus", HD_MODEL_SM},
    {"L2 tile, litmus (lines of 32 bytes)", "litmus", HD_MODEL_L2},
};
enum { BOARDS = sizeof boards / sizeof boards[0] };

int hd_area_fpga_page(const char *path)
{
    static char id[BOARDS][HD_AREA_ID];
    const char *ids[BOARDS];
    struct hd_area a = {.modules = 0};
    char t[7][32], text[96];
    FILE *out = NULL;
    for (size_t i = 0; i < BOARDS; i++) {
        struct hd_config c;
        if (hd_configure(&c, boards[i].config, NULL, 0) != 0)
            return 2;
        hd_area_tile(id[i], &c, boards[i].role);
        ids[i] = id[i];
    }
    int code = hd_area_get(&a, "-f", ids, BOARDS);
    if (code == 0 && !(out = fopen(path, "w"))) {
        fprintf(stderr, "heddle: area: %s: %s\n", path, strerror(errno));
        code = 2;
    }
    if (code == 0) {
        fprintf(out, "# Tiles on an FPGA\n\nMade by `make fpga`: Lattice ECP5, `synth_ecp5` of Yosys, module by module; "
                "memories of `hd_sram.sv` by the rule of\n[docs/area.md](../docs/area.md#fpga). Not placed, not routed.\n\n"
                "| tile | LUT4 | carry cells | LUT RAMs | LUT4s taken in all | flip-flops | block RAMs | multipliers | "
                "smallest part |\n|---|---:|---:|---:|---:|---:|---:|---:|---|\n");
        for (size_t i = 0; i < BOARDS; i++) {
            const struct hd_area_cost *c = &hd_area_find(&a, ids[i])->sum;
            fprintf(out, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", boards[i].label,
                    hd_text_rounded(c->fpga[HD_FPGA_LUT], t[0]), hd_text_rounded(c->fpga[HD_FPGA_CARRY], t[1]),
                    hd_text_rounded(c->fpga[HD_FPGA_LUTRAM], t[2]), hd_text_rounded(luts(c), t[3]), hd_text_rounded(c->fpga[HD_FPGA_FF], t[4]), hd_text_rounded(c->fpga[HD_FPGA_EBR], t[5]),
                    hd_text_rounded(c->fpga[HD_FPGA_DSP], t[6]), fits(c, text));
        }
        fprintf(out, "\n| part | LUT4 | block RAMs of 18 Kbit | multipliers |\n|---|---:|---:|---:|\n");
        for (size_t i = 0; i < PARTS; i++)
            fprintf(out, "| %s | %s | %.0f | %.0f |\n", parts[i].name, hd_text_rounded(parts[i].lut, t[0]), parts[i].ebr,
                    parts[i].dsp);
        if (!hd_files_close(out, path))
            code = 2;
    }
    hd_area_free(&a);
    return code;
}
