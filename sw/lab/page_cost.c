/* page_cost.c - see page_parts.h: area and energy of a paper's machines, from the pages that hold them. */
#include "page_parts.h"
#include <stddef.h>

#define AREA "synth/area.md"
#define LATER "docs/results/area_later.md"
#define PENDING "docs/results/area_pending.md"
#define ENERGY "docs/results/energy.md"

/* Tables: those of a section of a page, and which rows of them. */
static const struct {
    unsigned paper;
    const char *path, *section, *rows, *words, *command;
} tables[] = {
    {1, AREA, "## Tiles", "!pending request table", "Its tiles (180 nm standard cells)", "make area"},
    {1, AREA, "## Mechanisms", "!pending request table", "What the mechanisms add: a tile with less the tile without", "make area"},
    {2, AREA, "## Tiles", "| SM tile |/pending request table", "SM tiles with an MSHR table and with a pending request table (180 nm standard cells)",
     "make area"},
    {2, AREA, "## Mechanisms", "pending request table", "The difference", "make area"},
    {2, PENDING, "## 1408", NULL, "The tables alone, at 1408 requests", "make area-pending"},
    {3, LATER, "## Tiles", NULL, "SM and L2 tiles of each family, and a router; the 4x4 mesh of the paper is 16 routers (180 nm standard cells)",
     "make area-later"},
    {3, LATER, "## Mechanisms", NULL, "What one family adds: a tile with less the tile of another", "make area-later"},
    {3, LATER, "## Bits", NULL, "Bits a line, besides the data", "make area-later"},
    {4, LATER, "## Persist", NULL, "Persist barriers (180 nm standard cells)", "make area-later"},
    {5, "docs/localtm.md", "What is stored", NULL, "What transactions in the local data share store and cost (180 nm standard cells)",
     "heddle area --csv hd_tm_control hd_tm_shadow,Banks=1 hd_tm_signatures,Banks=1"},
};

static const struct {
    unsigned paper;
    const char *mark, *words;
} energies[] = {
    {1, "<!-- results", "Energy of gemm by component, of RMO's (ratios)"},
    {4, "<!-- paper-4", "Energy of the B+tree by component, of that without barriers (ratios)"},
    {5, "<!-- paper-5", "Energy of HT with 32 buckets by component, of that of one thread after the other (ratios)"},
};

static void heading(FILE *f, const char *words, const char *path, const char *command)
{
    fprintf(f, "<p>%s: <code>%s</code>, by <code>%s</code></p>\n", words, path, command);
}

static void missing(FILE *f, const char *what, unsigned n, const char *path, const char *command)
{
    fprintf(f, "<p class=\"missing\">Missing: %s of paper %u is not in %s: <code>%s</code></p>\n", what, n, path, command);
}

void hd_page_cost(FILE *f, unsigned n)
{
    fputs("<h3>Area and energy</h3>\n", f);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (tables[i].paper != n)
            continue;
        heading(f, tables[i].words, tables[i].path, tables[i].command);
        if (!hd_page_tables(f, tables[i].path, tables[i].section, tables[i].rows))
            missing(f, "area", n, tables[i].path, tables[i].command);
    }
    if (n == 2)
        fputs("<p>Energy is not measured: the memory is ideal, and configs/energy.cfg has no event of what counts outstanding "
              "requests.</p>\n", f);
    if (n == 3)
        fputs("<p>Energy: figures 2b, 3b and 4b above.</p>\n", f);
    for (size_t i = 0; i < sizeof energies / sizeof energies[0]; i++) {
        if (energies[i].paper != n)
            continue;
        heading(f, energies[i].words, ENERGY, "make energy");
        if (!hd_page_fence(f, ENERGY, energies[i].mark))
            missing(f, "energy", n, ENERGY, "make energy");
    }
}
