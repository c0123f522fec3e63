/* page.c - see area.h: what each mechanism adds to its tile, and the page synth/area.md. */
#include "area.h"
#include "run/configure.h"
#include "models.h"
#include "report/files.h"
#include "report/text.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The tiles of the page, at the sizes of paper 1 (Table 2), and of paper 2 for the pending request table; from FIRST_LATER on
 * those of the page of papers 3 and 4, at the sizes of each. */
enum tile {
    SM, SM_SB, SM_PF, SM_TYPE, SM_WT, SM_PRT, L2, L2_MAC, L2_WT, UP, DOWN, FIRST_LATER,
    SM_MESI = FIRST_LATER, SM_GPU, SM_DENOVO, L2_MESI, L2_GPU, L2_DENOVO, ROUTER, SM_VOLATILE, SM_PERSIST, L2_VOLATILE, L2_PERSIST, TILES
};
static const struct {
    const char *label, *config, *set[2];
    int role;
} tiles[TILES] = {
    [SM] = {"SM tile", "paper1", {NULL, NULL}, HD_MODEL_SM},
    [SM_SB] = {"SM tile, TSO with store buffers", "paper1", {"order=tso-sb", NULL}, HD_MODEL_SM},
    [SM_PF] = {"SM tile, SC with prefetching", "paper1", {"order=sc-pf", NULL}, HD_MODEL_SM},
    [SM_TYPE] = {"SM tile, type-aware SC", "paper1", {"order=type", NULL}, HD_MODEL_SM},
    [SM_WT] = {"SM tile, write-through L1", "paper1-wt", {NULL, NULL}, HD_MODEL_SM},
    [SM_PRT] = {"SM tile, pending request table", "paper1", {"pending=prt", "prt_entries=45"}, HD_MODEL_SM},
    [L2] = {"L2 tile", "paper1", {NULL, NULL}, HD_MODEL_L2},
    [L2_MAC] = {"L2 tile, with MAC", "paper1", {"order=type", NULL}, HD_MODEL_L2},
    [L2_WT] = {"L2 tile, write-through L1s", "paper1-wt", {NULL, NULL}, HD_MODEL_L2},
    [UP] = {"request crossbar", "paper1", {NULL, NULL}, HD_MODEL_UP},
    [DOWN] = {"answer crossbar", "paper1", {NULL, NULL}, HD_MODEL_DOWN},
    [SM_MESI] = {"SM tile of paper 3, MESI", "paper3", {"l1=mesi", "order=rmo"}, HD_MODEL_SM},
    [SM_GPU] = {"SM tile of paper 3, GPU coherence", "paper3", {"coherence=gd", NULL}, HD_MODEL_SM},
    [SM_DENOVO] = {"SM tile of paper 3, DeNovo", "paper3", {"coherence=dd", NULL}, HD_MODEL_SM},
    [L2_MESI] = {"L2 tile of paper 3, MESI", "paper3", {"l1=mesi", "order=rmo"}, HD_MODEL_L2},
    [L2_GPU] = {"L2 tile of paper 3, GPU coherence", "paper3", {"coherence=gd", NULL}, HD_MODEL_L2},
    [L2_DENOVO] = {"L2 tile of paper 3, DeNovo", "paper3", {"coherence=dd", NULL}, HD_MODEL_L2},
    [ROUTER] = {"router of a 4x4 mesh, 16-byte flits", "paper3", {"coherence=dd", NULL}, HD_MODEL_ROUTER},
    [SM_VOLATILE] = {"SM tile of paper 4, without persist barriers", "paper4", {"persist=off", NULL}, HD_MODEL_SM},
    [SM_PERSIST] = {"SM tile of paper 4", "paper4", {NULL, NULL}, HD_MODEL_SM},
    [L2_VOLATILE] = {"L2 tile of paper 4, without persist barriers", "paper4", {"persist=off", NULL}, HD_MODEL_L2},
    [L2_PERSIST] = {"L2 tile of paper 4", "paper4", {NULL, NULL}, HD_MODEL_L2},
};

/* Mechanisms that are a tile with and a tile without. */
static const struct {
    const char *name;
    enum tile with, without;
    const char *paper;
} mechanisms[] = {
    {"store buffers (TSO)", SM_SB, SM, "paper 1, 1 and 6.2: 48 queues of 8 x 128 bytes, 48 KB = 393,216 bits: \"a significant area cost\""},
    {"waiting queues (SC with prefetching)", SM_PF, SM, "paper 1, 3.5: a FIFO a warp; no size given"},
    {"type-aware SC, in the SM", SM_TYPE, SM, "paper 1, Table 2: Type-cache 64, queues 48 x 4 twice, safe queue 16, table 64, 64 stores; no area given"},
    {"type-aware SC, MAC in the L2", L2_MAC, L2, "paper 1, Table 2: 512 entries, 8 ways; no area given"},
    {"write-through L1 instead of write-back", SM_WT, SM, ""},
    {"write-through directory instead of MESI", L2_WT, L2, ""},
    {"pending request table (45) instead of MSHRs (128)", SM_PRT, SM, "paper 2, 5.2: 45 entries of 32 requests; no area given"},
    {"GPU coherence in an SM, instead of MESI", SM_GPU, SM_MESI, "paper 3, 4.2: a bit a word (GPU-H), 3 % of the L1"},
    {"DeNovo in an SM, instead of MESI", SM_DENOVO, SM_MESI, ""},
    {"DeNovo in an SM, instead of GPU coherence", SM_DENOVO, SM_GPU, "paper 3, 4.2: 2 bits a word, 3 % over GPU-H"},
    {"GPU coherence in an L2 bank, instead of MESI", L2_GPU, L2_MESI, "paper 3, 4.2: a valid bit a line"},
    {"DeNovo in an L2 bank, instead of MESI", L2_DENOVO, L2_MESI, ""},
    {"DeNovo in an L2 bank, instead of GPU coherence", L2_DENOVO, L2_GPU, "paper 3, 4.2: a valid and a dirty bit a line, a bit a word, 3 % over GPU-H"},
    {"persist barriers in an SM", SM_PERSIST, SM_VOLATILE, "paper 4, 7.2.5: the FIFO, 2535 um2"},
    {"persist barriers in the L2", L2_PERSIST, L2_VOLATILE, "paper 4, 7.2.5: the FIFO, 9134 um2"},
};
enum { MECHANISMS = sizeof mechanisms / sizeof mechanisms[0] };

/* Sizes that are swept, each by one parameter of one module; @own is its default. */
static const struct {
    const char *module, *parameter, *what;
    unsigned own, value[3];
} sweeps[] = {
    {"hd_type_cache", "Entries", "Type-cache entries", 64, {16, 32, 64}},
    {"hd_sync_table", "Entries", "synchronization table entries", 64, {16, 32, 64}},
    {"hd_mob", "UnsafeDepth", "unsafe queue of a warp", 4, {2, 3, 4}},
    {"hd_store_buffer", "BufferDepth", "store buffer of a warp", 8, {2, 4, 8}},
    {"hd_mac", "Entries", "MAC entries", 512, {128, 256, 512}},
    {"hd_pending_request_table", "Entries", "pending request table entries", 45, {16, 45, 64}},
};
enum { SWEEPS = sizeof sweeps / sizeof sweeps[0], MAX_IDS = 400 };

struct list {
    char (*id)[HD_AREA_ID];
    const char **text;
    size_t n;
};

static bool add(struct list *l, const char *id)
{
    for (size_t i = 0; i < l->n; i++)
        if (strcmp(l->id[i], id) == 0)
            return true;
    if (l->n == MAX_IDS)
        return false;
    snprintf(l->id[l->n], HD_AREA_ID, "%s", id);
    l->text[l->n] = l->id[l->n];
    l->n++;
    return true;
}

static bool new_list(struct list *l)
{
    *l = (struct list){malloc(MAX_IDS * sizeof *l->id), malloc(MAX_IDS * sizeof *l->text), 0};
    return l->id && l->text;
}

static void free_list(struct list *l)
{
    free(l->id);
    free(l->text);
}

/* Those of one page. */
static bool tile_ids(char id[TILES][HD_AREA_ID], struct list *l, bool later)
{
    for (int t = later ? FIRST_LATER : 0; t < (later ? (int)TILES : (int)FIRST_LATER); t++) {
        struct hd_config c;
        size_t sets = 0;
        while (sets < 2 && tiles[t].set[sets])
            sets++;
        if (hd_configure(&c, tiles[t].config, tiles[t].set, sets) != 0)
            return false;
        hd_area_tile(id[t], &c, tiles[t].role);
        if (!add(l, id[t]))
            return false;
    }
    return true;
}

static const char *big(double x, char text[32])
{
    char digits[32];
    hd_text_rounded(fabs(x), digits);
    snprintf(text, 32, "%s%.30s", x <= -0.5 ? "-" : "", digits);
    return text;
}

/* A row of a table, in markdown or aligned. */
static void row(FILE *out, bool markdown, const char *name, int width, const char *paper, size_t n, ...)
{
    va_list args;
    va_start(args, n);
    if (markdown)
        fprintf(out, "| %s |", name);
    else
        fprintf(out, "%-*s", width, name);
    for (size_t i = 0; i < n; i++) {
        const char *cell = va_arg(args, const char *);
        if (markdown)
            fprintf(out, " %s |", cell);
        else
            fprintf(out, "%14s", cell);
    }
    va_end(args);
    if (paper && markdown)
        fprintf(out, " %s |", paper);
    else if (paper)
        fprintf(out, "  %s", paper);
    fprintf(out, "\n");
}

static void cost_row(FILE *out, bool markdown, const char *name, const struct hd_area_cost *d, double base, const char *paper)
{
    char t[6][32];
    snprintf(t[5], 32, base > 0 ? "%+.2f %%" : "-", base > 0 ? 100 * hd_area_um2_45(d) / base : 0.0);
    row(out, markdown, name, 52, paper, 6, big(hd_area_nand2(d), t[0]), big(d->flops, t[1]),
        big(d->sram_bits + d->file_bits, t[2]), big(hd_area_bits(d), t[3]), big(hd_area_um2_45(d), t[4]), t[5]);
}

static struct hd_area_cost difference(const struct hd_area_cost *with, const struct hd_area_cost *without)
{
    struct hd_area_cost d = *with;
    hd_area_add(&d, without, -1);
    return d;
}

/* The child module called @name below @m, however deep, NULL if there is none. */
static const struct hd_area_module *below(const struct hd_area *a, const struct hd_area_module *m, const char *name)
{
    const struct hd_area_module *found = NULL;
    size_t length = strlen(name);
    if (strncmp(m->id, name, length) == 0 && (m->id[length] == ',' || m->id[length] == '\0'))
        return m;
    for (size_t i = 0; !found && i < m->children; i++)
        found = below(a, &a->module[m->child[i].module], name);
    return found;
}

/* Where the area of type-aware SC in an SM goes; what is left of the difference lies outside the ordering stage. */
static void type_parts(FILE *out, bool markdown, const struct hd_area *a, const struct hd_area_module *with,
                       const struct hd_area_cost *d, double base)
{
    static const struct {
        const char *module, *name;
    } parts[] = {
        {"hd_type_cache", "of it: Type-cache"}, {"hd_type_wait_queues", "of it: type-wait queues"},
        {"hd_mob", "of it: MoB (unsafe and safe queues)"}, {"hd_sync_table", "of it: synchronization table"},
        {"hd_store_data_array", "of it: store-data array"}, {"hd_type_requests", "of it: type requests"},
        {"hd_type_acks", "of it: acknowledgements"}, {"hd_type_front", "of it: front"},
    };
    struct hd_area_cost rest = *d;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const struct hd_area_module *m = below(a, with, parts[i].module);
        if (!m)
            continue;
        cost_row(out, markdown, parts[i].name, &m->sum, base, "");
        hd_area_add(&rest, &m->sum, -1);
    }
    cost_row(out, markdown, "of it: rest (data path, wider tags of L1 and LDS)", &rest, base, "");
}

static void print_mechanisms(FILE *out, bool markdown, const struct hd_area *a, char id[TILES][HD_AREA_ID], bool later)
{
    if (markdown)
        fprintf(out, "| mechanism | NAND2 eq. | flip-flops | memory bits | bits stored | um2, 45 nm | of the tile | the paper |\n"
                "|---|---:|---:|---:|---:|---:|---:|---|\n");
    else
        row(out, false, "mechanism: tile with less tile without", 52, "the paper", 6, "NAND2 eq.", "flip-flops", "memory bits",
            "bits stored", "um2, 45 nm", "of the tile");
    for (size_t i = 0; i < MECHANISMS; i++) {
        if ((mechanisms[i].with >= FIRST_LATER) != later)
            continue;
        const struct hd_area_module *with = hd_area_find(a, id[mechanisms[i].with]);
        const struct hd_area_module *without = hd_area_find(a, id[mechanisms[i].without]);
        struct hd_area_cost d = difference(&with->sum, &without->sum);
        double base = hd_area_um2_45(&without->sum);
        cost_row(out, markdown, mechanisms[i].name, &d, base, mechanisms[i].paper);
        if (mechanisms[i].with == SM_TYPE)
            type_parts(out, markdown, a, with, &d, base);
    }
    if (later)
        return;
    struct hd_area_cost chip = {0}, type = {0}, buffers = {0};
    const enum tile plain[] = {SM, L2, UP, DOWN};
    const double times[] = {16, 8, 1, 1};
    for (size_t i = 0; i < 4; i++)
        hd_area_add(&chip, &hd_area_find(a, id[plain[i]])->sum, times[i]);
    struct hd_area_cost in_sm = difference(&hd_area_find(a, id[SM_TYPE])->sum, &hd_area_find(a, id[SM])->sum);
    struct hd_area_cost in_l2 = difference(&hd_area_find(a, id[L2_MAC])->sum, &hd_area_find(a, id[L2])->sum);
    struct hd_area_cost sb = difference(&hd_area_find(a, id[SM_SB])->sum, &hd_area_find(a, id[SM])->sum);
    hd_area_add(&type, &in_sm, 16);
    hd_area_add(&type, &in_l2, 8);
    hd_area_add(&buffers, &sb, 16);
    cost_row(out, markdown, "chip of paper 1: store buffers, 16 SMs", &buffers, hd_area_um2_45(&chip), "");
    cost_row(out, markdown, "chip of paper 1: type-aware SC, 16 SMs and 8 MACs", &type, hd_area_um2_45(&chip), "");
    cost_row(out, markdown, "the chip itself (16 SM, 8 L2, 2 crossbars)", &chip, 0, "");
}

int hd_area_mechanisms(FILE *out, bool markdown)
{
    static char id[TILES][HD_AREA_ID];
    struct list l;
    struct hd_area a = {.modules = 0};
    int code = new_list(&l) && tile_ids(id, &l, false) ? hd_area_get(&a, "", l.text, l.n) : 2;
    if (code == 0)
        print_mechanisms(out, markdown, &a, id, false);
    hd_area_free(&a);
    free_list(&l);
    return code;
}

static void sweep_id(char id[HD_AREA_ID], size_t s, size_t k)
{
    int used = snprintf(id, HD_AREA_ID, "%s", sweeps[s].module);
    if (sweeps[s].value[k] != sweeps[s].own)
        snprintf(id + used, HD_AREA_ID - (size_t)used, ",%s=%u", sweeps[s].parameter, sweeps[s].value[k]);
}

/* Reads a row of a page: the name of a module and its NAND2 equivalents as they stand there. */
static bool old_row(const char *line, char name[HD_AREA_ID], char number[64])
{
    return sscanf(line, "| `%699[^`]` | %63[0-9,] |", name, number) == 2;
}

bool hd_area_comparable(const char *old)
{
    struct stat st;
    errno = 0;
    char line[2 * HD_AREA_ID], name[HD_AREA_ID], number[64];
    bool rows = false;
    FILE *f = stat(old, &st) == 0 && !S_ISREG(st.st_mode) ? NULL : fopen(old, "r"); /* a pipe would never open */
    if (!f) {
        fprintf(stderr, "heddle: area: --against %s: %s\n", old, errno ? strerror(errno) : "expected a file");
        return false;
    }
    while (!rows && fgets(line, sizeof line, f))
        rows = old_row(line, name, number);
    fclose(f);
    if (!rows)
        fprintf(stderr, "heddle: area: --against %s: expected rows of modules, as synth/area.md has\n", old);
    return rows;
}

int hd_area_compare(const struct hd_area *a, const char *old, bool whole)
{
    FILE *f = fopen(old, "r");
    char line[2 * HD_AREA_ID], name[HD_AREA_ID], number[64];
    unsigned moved = 0;
    if (!f) {
        fprintf(stderr, "heddle: area: %s: %s\n", old, strerror(errno));
        return 2;
    }
    while (fgets(line, sizeof line, f)) {
        if (!old_row(line, name, number))
            continue;
        double before = 0;
        for (const char *p = number; *p; p++)
            if (*p != ',')
                before = 10 * before + (*p - '0');
        const struct hd_area_module *m = hd_area_find(a, name);
        double now = m ? hd_area_nand2(&m->sum) : 0;
        if (!m && !whole)
            continue;
        if (!m || fabs(now - before) > 0.05 * before) {
            if (m)
                fprintf(stderr, "area: %s: %.0f NAND2 equivalents, was %.0f (%+.1f %%)\n", name, now, before,
                        before > 0 ? 100 * (now / before - 1) : 100.0);
            else
                fprintf(stderr, "area: %s: no longer there\n", name);
            moved++;
        }
    }
    fclose(f);
    fprintf(stderr, "area: %u modules moved by more than 5 %% since %s\n", moved, old);
    return 0;
}

static void module_rows(FILE *out, const struct hd_area *a, const char *const *ids, const char *const *labels, size_t n, bool code)
{
    fprintf(out, "| module | NAND2 eq. | flip-flops | logic um2, 180 nm | SRAM bits | SRAMs | register file bits | files | "
            "memories um2, 180 nm | um2, 45 nm | register bits kept | longest path |\n"
            "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|\n");
    for (size_t i = 0; i < n; i++) {
        const struct hd_area_module *m = hd_area_find(a, ids[i]);
        const struct hd_area_cost *s = &m->sum;
        char t[8][32], kept[80], path[2 * HD_AREA_NAME + 32] = "";
        double left = s->kept + s->shared;
        if (left == s->declared)
            snprintf(kept, sizeof kept, "all %s", big(left, t[0]));
        else
            snprintf(kept, sizeof kept, "%s of %s", big(left, t[0]), big(s->declared, t[1]));
        if (m->path > 0)
            snprintf(path, sizeof path, "%.2f ns: %s to %s", m->path, m->from, m->to);
        fprintf(out, "| %s%s%s | %s | %s | %s | %s | %.0f | %s | %.0f | %s | %s | %s | %s |\n", code ? "`" : "", labels[i],
                code ? "`" : "", big(hd_area_nand2(s), t[2]), big(s->flops, t[3]), big(s->gates + s->flop_area, t[4]),
                big(s->sram_bits, t[5]), s->srams, big(s->file_bits, t[6]), s->files, big(s->ram, t[7]),
                big(hd_area_um2_45(s), t[0]), kept, path);
    }
}

/* Registers of which some bits are no flip-flops. */
static void print_lacking(FILE *out, const struct hd_area *a, const char *const *ids, size_t n)
{
    fprintf(out, "| module | register | bits | always one value | reach no output |\n|---|---|---:|---:|---:|\n");
    for (size_t i = 0; i < n; i++) {
        const struct hd_area_module *m = hd_area_find(a, ids[i]);
        for (const char *line = m->lacking; line && *line; line = strchr(line, '\n') + 1) {
            char name[HD_AREA_NAME];
            unsigned bits, constant, unused;
            if (sscanf(line, "%159s %u %u %u", name, &bits, &constant, &unused) == 4)
                fprintf(out, "| `%s` | %s | %u | %u | %u |\n", ids[i], name, bits, constant, unused);
        }
    }
}

static void print_sweeps(FILE *out, const struct hd_area *a)
{
    char id[HD_AREA_ID], t[4][32];
    fprintf(out, "| size | value | NAND2 eq. | flip-flops | memory bits | um2, 45 nm |\n|---|---:|---:|---:|---:|---:|\n");
    for (size_t s = 0; s < SWEEPS; s++)
        for (size_t k = 0; k < 3; k++) {
            sweep_id(id, s, k);
            const struct hd_area_cost *c = &hd_area_find(a, id)->sum;
            fprintf(out, "| %s (`%s`) | %u | %s | %s | %s | %s |\n", sweeps[s].what, sweeps[s].module, sweeps[s].value[k],
                    big(hd_area_nand2(c), t[0]), big(c->flops, t[1]), big(c->sram_bits + c->file_bits, t[2]),
                    big(hd_area_um2_45(c), t[3]));
        }
}

static void print_fifos(FILE *out)
{
    static const struct {
        const char *name;
        unsigned depth;
        double paper;
    } fifo[] = {{"L1 NVW-FIFO, 16 x 8 bytes", 16, 2535.24}, {"L2 NVW-FIFO, 64 x 8 bytes", 64, 9133.83}};
    fprintf(out, "| array, 1 read and 1 write port | bits | model, um2 at 45 nm | paper 4, 7.2.5 (FabMem) | ratio |\n|---|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < 2; i++) {
        double model = hd_area_memory(64, fifo[i].depth, 2, 0.045);
        fprintf(out, "| %s | %u | %.0f | %.0f | %.2f |\n", fifo[i].name, 64 * fifo[i].depth, model, fifo[i].paper, model / fifo[i].paper);
    }
}

/* Every module with every set of parameters that occurs in the tiles; those that do not occur, by themselves. */
static bool module_ids(struct list *l, const struct hd_area *a)
{
    for (size_t i = 0; i < a->modules; i++)
        if (!add(l, a->module[i].id))
            return false;
    return true;
}

static int by_name(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* Modules that no tile of the page holds. */
static const char *const others[] = {"hd_delay", "hd_link_pipe"};

/* A page is written beside the old one, which stays until it is whole. */
static const char *page_next(const char *path)
{
    static char next[600];
    snprintf(next, sizeof next, "%.590s.new", path);
    return next;
}

static FILE *page_open(const char *path)
{
    FILE *out = fopen(page_next(path), "w");
    if (!out)
        fprintf(stderr, "heddle: area: %s: %s\n", page_next(path), strerror(errno));
    return out;
}

/* @a: compared with the old page, unless NULL. */
static bool page_close(FILE *out, const char *path, const struct hd_area *a)
{
    if (!hd_files_close(out, page_next(path)))
        return false;
    if (a && access(path, R_OK) == 0)
        hd_area_compare(a, path, true);
    if (rename(page_next(path), path) == 0)
        return true;
    fprintf(stderr, "heddle: area: %s: %s\n", path, strerror(errno));
    return false;
}

int hd_area_page(const char *path, bool timing)
{
    static char id[TILES][HD_AREA_ID];
    char sweep[HD_AREA_ID];
    struct list l, all;
    struct hd_area a = {.modules = 0}, timed = {.modules = 0};
    const char *tile_text[FIRST_LATER], *label[FIRST_LATER];
    bool good = new_list(&l) && new_list(&all) && tile_ids(id, &l, false);
    for (int t = 0; t < FIRST_LATER; t++) {
        tile_text[t] = id[t];
        label[t] = tiles[t].label;
    }
    for (size_t s = 0; good && s < SWEEPS; s++)
        for (size_t k = 0; k < 3; k++) {
            sweep_id(sweep, s, k);
            good = good && add(&l, sweep);
        }
    for (size_t i = 0; good && i < sizeof others / sizeof others[0]; i++)
        good = add(&l, others[i]);
    int code = good ? hd_area_get(&a, "", l.text, l.n) : 2;
    if (code == 0 && (!module_ids(&all, &a) || hd_area_get(&timed, timing ? "-t" : "", all.text, all.n) != 0))
        code = 2;
    FILE *out = code == 0 ? page_open(path) : NULL;
    if (code == 0 && !out)
        code = 2;
    if (code == 0) {
        code = hd_area_vanished(&timed);
        fprintf(out, "# Cost of tiles, mechanisms and modules\n\nMade by `make area`; [docs/area.md](../docs/area.md) says how to read it. "
                "Cells of the OSU 180 nm library; memories by a model, apart from them; um2 at 45 nm: logic and memories, "
                "by the rule stated there. Children are included.\n\n## Tiles, at the sizes of the papers\n\n");
        module_rows(out, &timed, tile_text, label, FIRST_LATER, false);
        fprintf(out, "\n![the parts of an SM tile](../docs/area-sm-tile.svg)\n\n## Mechanisms: a tile with less the tile without\n\n");
        print_mechanisms(out, true, &timed, id, false);
        fprintf(out, "\n## Sizes\n\n");
        print_sweeps(out, &timed);
        fprintf(out, "\n## Arrays of which a paper states the area\n\n");
        print_fifos(out);
        fprintf(out, "\n## Modules\n\nWith every set of parameters that occurs above (those that differ from the defaults are named).\n\n");
        qsort(all.text, all.n, sizeof *all.text, by_name);
        size_t n = 0;
        for (size_t i = 0; i < all.n; i++) /* tiles have been shown */
            if (!strstr(all.text[i], "_tile,"))
                all.text[n++] = all.text[i];
        module_rows(out, &timed, all.text, all.text, n, true);
        fprintf(out, "\n## Register bits not kept\n\nThose of a module itself, without children; of an array, constant or not: "
                "[why](../docs/area.md#register-bits-not-kept).\n\n");
        print_lacking(out, &timed, all.text, n);
        if (!page_close(out, path, &timed))
            code = 2;
        if (code != 2)
            code |= hd_area_treemap(&timed, id[SM_TYPE], "SM tile of paper 1 with type-aware SC", "docs/area-sm-tile.svg");
    }
    hd_area_free(&a);
    hd_area_free(&timed);
    free_list(&l);
    free_list(&all);
    return code;
}

/* Persist barriers, at the sizes of paper 4: what its L1, its L2 and its SM get. */
static const char *const persist[] = {
    "hd_nvw_fifo,Depth=16", "hd_nvw_fifo", "hd_persist_l1", "hd_persist_l1,Persist=2", "hd_persist_l2", "hd_persist_epochs", "hd_pbarrier,Warps=40,Blocks=10",
};
enum { PERSIST = sizeof persist / sizeof persist[0] };

/* What a cache keeps of each line besides its data: tags, states, order of use; @module below tile @id. */
static void line_bits(FILE *out, const struct hd_area *a, const char *what, const char *id, const char *module, unsigned lines)
{
    const struct hd_area_module *m = below(a, hd_area_find(a, id), module);
    if (m)
        fprintf(out, "| %s | `%s` | %u | %.1f |\n", what, module, lines, hd_area_bits(&m->sum) / lines);
}

int hd_area_page_later(const char *path)
{
    static char id[TILES][HD_AREA_ID];
    struct list l;
    struct hd_area a = {.modules = 0};
    const char *text[TILES], *label[TILES];
    bool good = new_list(&l) && tile_ids(id, &l, true);
    for (size_t i = 0; good && i < PERSIST; i++)
        good = add(&l, persist[i]);
    int code = good ? hd_area_get(&a, "", l.text, l.n) : 2;
    for (int t = FIRST_LATER; t < TILES; t++) {
        text[t - FIRST_LATER] = id[t];
        label[t - FIRST_LATER] = tiles[t].label;
    }
    FILE *out = code == 0 ? page_open(path) : NULL;
    if (code == 0 && !out)
        code = 2;
    if (code == 0) {
        code = hd_area_vanished(&a);
        fprintf(out, "# Cost of coherence and of persist barriers\n\nMade by `make area-later`: the tiles of papers 3 and 4, what coherence and persist barriers add to them, as in "
                "[synth/area.md](../../synth/area.md); without longest paths. [area.md](../area.md) says how to read it.\n\n## Tiles\n\n");
        module_rows(out, &a, text, label, TILES - FIRST_LATER, false);
        fprintf(out, "\n## Mechanisms: a tile with less the tile without\n\n");
        print_mechanisms(out, true, &a, id, true);
        fprintf(out, "\n## Bits a line, besides the data\n\nTags, states and order of use, flip-flops and memories.\n\n"
                "| cache | module | lines | bits a line |\n|---|---|---:|---:|\n");
        line_bits(out, &a, "L1, MESI", id[SM_MESI], "hd_l1_tags", 64 * 8);
        line_bits(out, &a, "L1, GPU coherence", id[SM_GPU], "hd_l1_words", 64 * 8);
        line_bits(out, &a, "L1, DeNovo", id[SM_DENOVO], "hd_l1_words", 64 * 8);
        line_bits(out, &a, "L2, MESI", id[L2_MESI], "hd_l2_tags", 256 * 16);
        line_bits(out, &a, "L2, GPU coherence", id[L2_GPU], "hd_l2_tags", 256 * 16);
        line_bits(out, &a, "L2, DeNovo", id[L2_DENOVO], "hd_l2_tags", 256 * 16);
        fprintf(out, "\n## Persist barriers\n\nWith children: a FIFO is part of its `hd_persist`, the epochs are of that of the L2. A tracked bit is a "
                "flip-flop of `hd_persist_l1`; `Persist=2` is the buffered alternative, whose rows carry an epoch (in the L2 8192 rows would have one, "
                "in flip-flops: not mapped).\n\n");
        module_rows(out, &a, persist, persist, PERSIST, true);
        fprintf(out, "\nAs memories of 8-byte entries, by the model, beside the paper's:\n\n");
        print_fifos(out);
        if (!page_close(out, path, NULL))
            code = 2;
    }
    hd_area_free(&a);
    free_list(&l);
    return code;
}
