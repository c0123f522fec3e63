/* report.c - see area.h: modules as a table, as CSV and JSON, a module's parts as a tree. */
#include "area.h"
#include "report/json.h"
#include "report/text.h"
#include <stdlib.h>
#include <string.h>

void hd_area_table(const struct hd_area *a, const char *const *ids, const char *const *labels, size_t n, bool timing)
{
    char t[6][32], um[2][32];
    printf("%-34s%12s%11s%13s%14s%14s%13s%15s%s\n", "module, with all below it", "NAND2 eq.", "flip-flops", "memory bits",
           "logic um2", "memories um2", "um2, 45 nm", "bits kept", timing ? "  longest path" : "");
    for (size_t i = 0; i < n; i++) {
        const struct hd_area_module *m = hd_area_find(a, ids[i]);
        const struct hd_area_cost *s = &m->sum;
        char kept[64];
        snprintf(kept, sizeof kept, "%s/%s", hd_text_rounded(s->kept + s->shared, t[0]), hd_text_rounded(s->declared, t[1]));
        printf("%-34.34s%12s%11s%13s%14s%14s%13s%15s", labels[i], hd_text_rounded(hd_area_nand2(s), t[0]), hd_text_rounded(s->flops, t[1]),
               hd_text_rounded(s->sram_bits + s->file_bits, t[2]), hd_text_rounded(s->gates + s->flop_area, t[3]), hd_text_rounded(s->ram, t[4]),
               hd_text_rounded(hd_area_um2_45(s), um[0]), kept);
        if (timing)
            printf("  %6.2f ns %s -> %s", m->path, m->from, m->to);
        printf("\n");
    }
}

struct row {
    double sort;
    const struct hd_area_module *module;
    const char *instance;
};

static int larger(const void *x, const void *y)
{
    const struct row *a = x, *b = y;
    return a->sort < b->sort ? 1 : a->sort > b->sort ? -1 : 0;
}

static void branch(const struct hd_area *a, const struct hd_area_module *m, const char *instance, unsigned level,
                   unsigned depth, double all)
{
    char name[HD_AREA_NAME + 64], t[4][32];
    snprintf(name, sizeof name, "%*s%s", (int)(2 * level), "", instance);
    const struct hd_area_cost *s = &m->sum;
    printf("%-40.40s %-26.*s%12s%11s%13s%13s%8.1f %%\n", name, (int)strcspn(m->id, ","), m->id, hd_text_rounded(hd_area_nand2(s), t[0]),
           hd_text_rounded(s->flops, t[1]), hd_text_rounded(s->sram_bits + s->file_bits, t[2]), hd_text_rounded(hd_area_um2_45(s), t[3]),
           all > 0 ? 100 * hd_area_um2_45(s) / all : 0);
    if (level == depth || m->children == 0)
        return;
    struct row *row = calloc(m->children, sizeof *row);
    for (size_t i = 0; row && i < m->children; i++) {
        const struct hd_area_module *c = &a->module[m->child[i].module];
        row[i] = (struct row){hd_area_um2_45(&c->sum), c, m->child[i].instance};
    }
    if (row)
        qsort(row, m->children, sizeof *row, larger);
    for (size_t i = 0; row && i < m->children; i++)
        branch(a, row[i].module, row[i].instance, level + 1, depth, all);
    free(row);
}

void hd_area_tree(const struct hd_area *a, const char *id, const char *label, unsigned depth)
{
    const struct hd_area_module *m = hd_area_find(a, id);
    printf("%-40s %-26s%12s%11s%13s%13s%10s\n", "instance", "module", "NAND2 eq.", "flip-flops", "memory bits",
           "um2, 45 nm", "share");
    branch(a, m, label, 0, depth, hd_area_um2_45(&m->sum));
}

void hd_area_csv(const struct hd_area *a, const char *const *ids, size_t n)
{
    printf("module\tnand2\tgates_um2\tflop_um2\tflops\tsram_bits\tfile_bits\tmemory_um2\tum2_45\tdeclared\tkept\tpath_ns\n");
    for (size_t i = 0; i < n; i++) {
        const struct hd_area_module *m = hd_area_find(a, ids[i]);
        const struct hd_area_cost *s = &m->sum;
        printf("%s\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t", m->id, hd_area_nand2(s), s->gates,
               s->flop_area, s->flops, s->sram_bits, s->file_bits, s->ram, hd_area_um2_45(s), s->declared,
               s->kept + s->shared);
        if (m->path > 0) /* measured with --timing alone */
            printf("%.3f", m->path);
        printf("\n");
    }
}

int hd_area_vanished(const struct hd_area *a)
{
    int code = 0;
    for (size_t i = 0; i < a->modules; i++)
        for (const char *line = a->module[i].gone; line && *line; line = strchr(line, '\n') + 1) {
            fprintf(stderr, "heddle: area: %s: %.*s vanished in synthesis\n", a->module[i].id, (int)strcspn(line, "\n"), line);
            code = 1;
        }
    return code;
}

static json_t *cost(const struct hd_area_cost *s)
{
    json_t *o = json_object();
    const struct {
        const char *name;
        double value;
    } field[] = {
        {"nand2", hd_area_nand2(s)},        {"gates_um2", s->gates},           {"flop_um2", s->flop_area},
        {"memory_um2", s->ram},             {"um2_45", hd_area_um2_45(s)},     {"cells", s->cells},
        {"buffers", s->buffers},            {"flops", s->flops},               {"sram_bits", s->sram_bits},
        {"srams", s->srams},                {"regfile_bits", s->file_bits},    {"regfiles", s->files},
        {"register_bits_declared", s->declared}, {"register_bits_kept", s->kept}, {"register_bits_shared", s->shared},
        {"register_bits_constant", s->constant}, {"register_bits_unused", s->unused},
    };
    double any = 0; /* on an FPGA: no standard cells */
    for (int k = 0; k < HD_FPGA_KINDS; k++)
        any += s->fpga[k];
    for (size_t i = 0; !(any > 0) && i < sizeof field / sizeof field[0]; i++)
        json_object_set_new(o, field[i].name, json_integer((json_int_t)(field[i].value + 0.5)));
    for (int k = 0; any > 0 && k < HD_FPGA_KINDS; k++)
        json_object_set_new(o, hd_area_fpga_names[k], json_integer((json_int_t)s->fpga[k]));
    return o;
}

int hd_area_json(const struct hd_area *a, const char *const *ids, const char *const *labels, size_t n)
{
    json_t *all = json_object(), *tops = json_array(), *modules = json_object();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(tops, json_pack("{s:s, s:s}", "label", labels[i], "module", ids[i]));
    for (size_t i = 0; i < a->modules; i++) {
        const struct hd_area_module *m = &a->module[i];
        json_t *o = json_object(), *memories = json_array(), *children = json_array();
        json_object_set_new(o, "own", cost(&m->own));
        json_object_set_new(o, "total", cost(&m->sum));
        json_object_set_new(o, "port_bits", json_integer(m->ports));
        for (size_t k = 0; k < m->memories; k++) {
            const struct hd_area_memory *r = &m->memory[k];
            unsigned ports = hd_area_ports(r->kind);
            json_array_append_new(memories, json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:f}", "instance", r->instance, "kind",
                r->kind, "words", (int)r->depth, "bits", (int)r->width, "ports", (int)ports, "banks", (int)r->banks,
                "um2_45", r->banks * hd_area_memory(r->width, r->depth, ports, 0.045)));
        }
        for (size_t k = 0; k < m->children; k++)
            json_array_append_new(children, json_pack("{s:s, s:s}", "instance", m->child[k].instance, "module",
                                                      m->child[k].id));
        json_object_set_new(o, "memories", memories);
        json_object_set_new(o, "children", children);
        if (m->path > 0)
            json_object_set_new(o, "path", json_pack("{s:f, s:s, s:s}", "ns", m->path, "from", m->from, "to", m->to));
        json_object_set_new(modules, m->id, o);
    }
    json_object_set_new(all, "asked", tops);
    json_object_set_new(all, "modules", modules);
    return hd_json_print(all, 1, 6) ? 0 : 1;
}
