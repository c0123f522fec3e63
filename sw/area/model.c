/* model.c - see area.h: the records of synth/area.sh, sums over children, the model of memories. */
#include "area.h"
#include "models.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Scaling to 45 nm, docs/area.md: a NAND2 equivalent and a flip-flop in Nangate's open library. */
static const double nand2_45 = 0.798, flop_45 = 4.522;

unsigned hd_area_ports(const char *kind)
{
    return strcmp(kind, "hd_sram_1rw") == 0 ? 1 : 2;
}

double hd_area_memory(unsigned width, unsigned depth, unsigned ports, double f)
{
    double area = 0, p = ports, l = log2((depth > 16 ? depth : 16) / 16.0);
    double w = (10 + 5 * (p - 1)) * f, h = (14.6 + 5 * (p - 1)) * f;

    for (unsigned left = width; left > 0;) { /* slices of 64 bits side by side */
        unsigned slice = left > 64 ? 64 : left;
        area += (w * slice + p * (20 + 30 * l) * f) * (h * depth + p * (700 + 20 * l) * f);
        left -= slice;
    }
    return area;
}

double hd_area_um2(const struct hd_area_cost *c)
{
    return c->gates + c->flop_area + c->ram;
}

double hd_area_um2_45(const struct hd_area_cost *c)
{
    return c->gates45 + c->flops45 + c->ram45;
}

double hd_area_bits(const struct hd_area_cost *c)
{
    return c->flops + c->sram_bits + c->file_bits;
}

double hd_area_nand2(const struct hd_area_cost *c)
{
    return (c->gates + c->flop_area) / HD_AREA_NAND2;
}

void hd_area_add(struct hd_area_cost *to, const struct hd_area_cost *c, double times)
{
    double *t = (double *)to;
    const double *s = (const double *)c; /* every member is a double */
    for (size_t i = 0; i < sizeof *c / sizeof *s; i++)
        t[i] += times * s[i];
}

static bool grow(void **list, size_t n, size_t size)
{
    if (n % 8 != 0)
        return true;
    void *more = realloc(*list, (n + 8) * size);
    if (!more)
        fprintf(stderr, "heddle: area: no memory\n");
    else
        *list = more;
    return more != NULL;
}

static void add_cells(struct hd_area_cost *c, const char *name, double count, double area)
{
    c->cells += count;
    if (strncmp(name, "DFF", 3) == 0) {
        c->flops += count;
        c->flop_area += area;
        c->flops45 += flop_45 * count;
        return;
    }
    c->gates += area;
    c->gates45 += nand2_45 * area / HD_AREA_NAND2;
    if (strncmp(name, "BUF", 3) == 0)
        c->buffers += count;
}

static bool add_memory(struct hd_area_module *m, const char *text)
{
    struct hd_area_memory r;
    if (sscanf(text, "%23s %u %u %u %u %159s", r.kind, &r.width, &r.depth, &r.gran, &r.banks, r.instance) != 6 ||
        !grow((void **)&m->memory, m->memories, sizeof r))
        return false;
    m->memory[m->memories++] = r;
    struct hd_area_cost *c = &m->own;
    double bits = (double)r.width * r.depth * r.banks;
    if (strcmp(r.kind, "hd_regfile") == 0) {
        c->file_bits += bits;
        c->files += 1;
    } else {
        c->sram_bits += bits;
        c->srams += r.banks;
    }
    c->ram += r.banks * hd_area_memory(r.width, r.depth, hd_area_ports(r.kind), 0.18);
    c->ram45 += r.banks * hd_area_memory(r.width, r.depth, hd_area_ports(r.kind), 0.045);
    return true;
}

static void add_fpga(struct hd_area_cost *c, const char *name, double count)
{
    for (int k = 0; k < HD_FPGA_KINDS; k++)
        if (strcmp(name, hd_area_fpga_names[k]) == 0)
            c->fpga[k] += count;
}

static bool add_text(char **lines, const char *line)
{
    size_t used = *lines ? strlen(*lines) : 0, more = strlen(line) + 2;
    char *text = realloc(*lines, used + more);
    if (!text)
        return false;
    snprintf(text + used, more, "%s\n", line);
    *lines = text;
    return true;
}

/* One line of a record. */
static bool add_line(struct hd_area *a, char *line)
{
    struct hd_area_module *m = a->modules ? &a->module[a->modules - 1] : NULL;
    char name[HD_AREA_NAME], what[HD_AREA_NAME + 64];
    struct hd_area_child child = {.module = 0};
    unsigned count;
    double area;

    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "module ", 7) == 0) {
        if (!grow((void **)&a->module, a->modules, sizeof *a->module))
            return false;
        m = &a->module[a->modules++];
        *m = (struct hd_area_module){.ports = 0};
        snprintf(m->id, sizeof m->id, "%.699s", line + 7);
        return true;
    }
    if (!m)
        return false;
    if (sscanf(line, "cells %159s %u %lf", name, &count, &area) == 3) {
        add_cells(&m->own, name, count, area);
    } else if (sscanf(line, "child %699s %159s", child.id, child.instance) == 2) {
        if (!grow((void **)&m->child, m->children, sizeof child))
            return false;
        m->child[m->children++] = child;
    } else if (strncmp(line, "memory ", 7) == 0) {
        return add_memory(m, line + 7);
    } else if (strncmp(line, "bits ", 5) == 0) {
        struct hd_area_cost *c = &m->own;
        return sscanf(line + 5, "%lf %lf %lf %lf %lf", &c->declared, &c->kept, &c->shared, &c->constant, &c->unused) == 5;
    } else if (sscanf(line, "fpga %159s %u", name, &count) == 2) {
        add_fpga(&m->own, name, count);
    } else if (sscanf(line, "gone %159s %u", name, &count) == 2) {
        snprintf(what, sizeof what, "register %s (%u bits)", name, count);
        return add_text(&m->gone, what);
    } else if (strncmp(line, "short ", 6) == 0) {
        return add_text(&m->lacking, line + 6);
    } else if (sscanf(line, "lost %159s", name) == 1) {
        snprintf(what, sizeof what, "instance %s", name);
        return add_text(&m->gone, what);
    } else if (sscanf(line, "ports %u", &count) == 1) {
        m->ports = count;
    } else
        sscanf(line, "path %lf %159s %159s", &m->path, m->from, m->to);
    return true;
}

const struct hd_area_module *hd_area_find(const struct hd_area *a, const char *id)
{
    for (size_t i = 0; i < a->modules; i++)
        if (strcmp(a->module[i].id, id) == 0)
            return &a->module[i];
    return NULL;
}

static bool sum(struct hd_area *a, struct hd_area_module *m)
{
    if (m->summed)
        return true;
    m->summed = true;
    m->sum = m->own;
    for (size_t i = 0; i < m->children; i++) {
        const struct hd_area_module *c = hd_area_find(a, m->child[i].id);
        if (!c) {
            fprintf(stderr, "heddle: area: no record of %s, part of %s\n", m->child[i].id, m->id);
            return false;
        }
        m->child[i].module = (size_t)(c - a->module);
        if (!sum(a, &a->module[m->child[i].module]))
            return false;
        hd_area_add(&m->sum, &a->module[m->child[i].module].sum, 1);
    }
    return true;
}

int hd_area_get(struct hd_area *a, const char *options, const char *const *ids, size_t n)
{
    char root[HD_ROOT_SIZE], line[HD_AREA_ID + 2 * HD_AREA_NAME];
    size_t size = 2 * HD_ROOT_SIZE + n * (HD_AREA_ID + 3);
    *a = (struct hd_area){.modules = 0};
    char *command = malloc(size);
    if (!command || !hd_models_root(root)) {
        free(command);
        return 2;
    }
    snprintf(command, size, "%s/synth/area.sh", root);
    if (access(command, X_OK) != 0) {
        fprintf(stderr, "heddle: area: no %s: needs the sources, not an installed tree; HEDDLE_ROOT names them\n", command);
        free(command);
        return 2;
    }
    size_t used = (size_t)snprintf(command, size, "cd \"$HEDDLE_AREA\" && exec synth/area.sh %s", options);
    for (size_t i = 0; i < n; i++) {
        if (strspn(ids[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_=,") != strlen(ids[i])) {
            fprintf(stderr, "heddle: area: %s: not the name of a module (and ,Parameter=value)\n", ids[i]);
            free(command);
            return 2;
        }
        used += (size_t)snprintf(command + used, size - used, " %s", ids[i]);
    }
    fflush(stdout);
    FILE *f = setenv("HEDDLE_AREA", root, 1) == 0 ? popen(command, "r") : NULL; /* a path may hold what a shell reads */
    free(command);
    bool good = f != NULL;
    while (good && fgets(line, sizeof line, f))
        good = add_line(a, line);
    int status = f ? pclose(f) : -1;
    if (status != 0 || !good) {
        if (!good)
            fprintf(stderr, "heddle: area: synth/area.sh: unreadable record\n");
        return 2;
    }
    for (size_t i = 0; strstr(options, "-f") && i < a->modules; i++)
        for (size_t k = 0; k < a->module[i].memories; k++)
            hd_area_fpga_memory(&a->module[i].own, &a->module[i].memory[k]);
    for (size_t i = 0; i < a->modules; i++)
        if (!sum(a, &a->module[i]))
            return 2;
    return 0;
}

void hd_area_free(struct hd_area *a)
{
    for (size_t i = 0; i < a->modules; i++) {
        free(a->module[i].memory);
        free(a->module[i].child);
        free(a->module[i].gone);
        free(a->module[i].lacking);
    }
    free(a->module);
    *a = (struct hd_area){.modules = 0};
}

void hd_area_tile(char id[HD_AREA_ID], const struct hd_config *c, int role)
{
    char param[HD_MODEL_PARAMS][HD_MODEL_PARAM_SIZE];
    unsigned params;
    const char *top = hd_models_parameters(c, (enum hd_model_role)role, param, &params);
    size_t used = 0;
    id[0] = '\0';
    if (!top)
        return;
    used = (size_t)snprintf(id, HD_AREA_ID, "%s", top);
    for (unsigned i = 0; i < params; i++)
        used += (size_t)snprintf(id + used, HD_AREA_ID - used, ",%s", param[i]);
}
