/* svg.c - see area.h: an SM tile as a treemap; SVG without another program. */
#include "area.h"
#include "report/files.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1000, HEIGHT = 620, TOP = 58, MARGIN = 10, HEAD = 15 };

/* Lighter with each level; a family of colours for each part of the tile. */
static const char *const hues[] = {"#4c78a8", "#f58518", "#54a24b", "#b279a2", "#9d755d", "#e45756", "#72b7b2", "#8c8c8c"};

struct box {
    double area;
    const char *name;
    const struct hd_area_module *module; /* NULL: a leaf of @memory kind or own logic */
    bool memory;
    double x, y, w, h;
};

static int larger(const void *x, const void *y)
{
    const struct box *a = x, *b = y;
    return a->area < b->area ? 1 : a->area > b->area ? -1 : 0;
}

/* Places boxes @i..@n-1, largest first, in the rectangle: rows as square as they can be (Bruls, Huizing, van Wijk 2000). */
static void place(struct box *b, size_t n, double x, double y, double w, double h)
{
    double total = 0;
    for (size_t i = 0; i < n; i++)
        total += b[i].area;
    for (size_t first = 0; first < n && total > 0;) {
        double side = w < h ? w : h, scale = w * h / total, sum = 0, worst = INFINITY;
        size_t end = first;
        while (end < n) {
            double more = sum + b[end].area * scale;
            double depth = more / side, longest = b[first].area * scale / depth, shortest = b[end].area * scale / depth;
            double ratio = fmax(fmax(longest / depth, depth / longest), fmax(shortest / depth, depth / shortest));
            if (end > first && ratio > worst)
                break;
            worst = ratio;
            sum = more;
            end++;
        }
        double depth = side > 0 ? sum / side : 0, at = 0;
        for (size_t i = first; i < end; i++) {
            double length = depth > 0 ? b[i].area * scale / depth : 0;
            total -= b[i].area;
            if (w < h) {
                b[i].x = x + at; b[i].y = y; b[i].w = length; b[i].h = depth;
            } else {
                b[i].x = x; b[i].y = y + at; b[i].w = depth; b[i].h = length;
            }
            at += length;
        }
        if (w < h) {
            y += depth; h -= depth;
        } else {
            x += depth; w -= depth;
        }
        first = end;
    }
}

/* A name that does not fit ends in an ellipsis; of less than three letters there is none. */
static void text_in(FILE *f, const struct box *b, double size, bool head)
{
    double fits = (b->w - 6) / ((head ? 0.68 : 0.6) * size);
    size_t length = strlen(b->name);
    bool cut = (double)length > fits;
    if (b->h < size + 3 || fits < 3 || (cut && fits < 4))
        return;
    if (cut)
        length = (size_t)fits - 1;
    fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.0f\"%s>%.*s%s</text>\n", b->x + 3, b->y + size, size,
            head ? " font-weight=\"bold\"" : "", (int)length, b->name, cut ? "&#8230;" : "");
}

static void draw(FILE *f, const struct hd_area *a, const struct box *outer, const char *hue, unsigned level)
{
    const struct hd_area_module *m = outer->module;
    struct box *b = calloc(m->children + 2, sizeof *b);
    size_t n = 0;
    double own = hd_area_um2_45(&m->own) - m->own.ram45;

    if (!b)
        return;
    for (size_t i = 0; i < m->children; i++) {
        const struct hd_area_module *c = &a->module[m->child[i].module];
        const char *dot = strrchr(m->child[i].instance, '.'), *name = dot ? dot + 1 : m->child[i].instance;
        b[n++] = (struct box){.area = hd_area_um2_45(&c->sum), .module = c, .name = strncmp(name, "u_", 2) == 0 ? name + 2 : name};
    }
    if (m->own.ram45 > 0)
        b[n++] = (struct box){.area = m->own.ram45, .name = "memory", .memory = true};
    if (own > 0)
        b[n++] = (struct box){.area = own, .name = "logic"};
    qsort(b, n, sizeof *b, larger);
    double head = level > 0 ? HEAD : 1;
    place(b, n, outer->x + 1.5, outer->y + head, outer->w - 3, outer->h - head - 1.5);
    for (size_t i = 0; i < n; i++) {
        const char *colour = level == 0 ? hues[i < sizeof hues / sizeof hues[0] ? i : 7] : hue;
        if (b[i].w < 0.5 || b[i].h < 0.5)
            continue;
        double size = b[i].w > 120 && b[i].h > 30 ? 12 : 10;
        bool leaf = !b[i].module || b[i].h <= 3 * HEAD || b[i].w <= 40; /* too small to show parts in */
        fprintf(f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" fill-opacity=\"%.2f\" "
                "stroke=\"white\" stroke-width=\"%.1f\"/>\n", b[i].x, b[i].y, b[i].w, b[i].h,
                b[i].memory ? "url(#memory)" : colour, leaf && !b[i].memory ? 0.55 : b[i].memory ? 1 : 0.30,
                level == 0 ? 2.0 : 0.7);
        if (!leaf)
            draw(f, a, &b[i], colour, level + 1);
        text_in(f, &b[i], size, !leaf);
    }
    free(b);
}

static FILE *begin(const char *path, int width, int height, const char *title, const char *below)
{
    FILE *f = fopen(path, "w");
    if (!f) {
        fprintf(stderr, "heddle: area: %s: %s\n", path, strerror(errno));
        return NULL;
    }
    fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "font-family=\"DejaVu Sans, sans-serif\" fill=\"#222222\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
            "<defs><pattern id=\"memory\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\">"
            "<rect width=\"5\" height=\"5\" fill=\"#e9e9e9\"/><path d=\"M0 5L5 0\" stroke=\"#bbbbbb\"/></pattern></defs>\n"
            "<text x=\"%d\" y=\"24\" font-size=\"16\">%s</text>\n<text x=\"%d\" y=\"44\" font-size=\"11\" fill=\"#555555\">%s</text>\n",
            width, height, width, height, MARGIN, title, MARGIN, below);
    return f;
}

static int end(FILE *f, const char *path)
{
    fprintf(f, "</svg>\n");
    return hd_files_close(f, path) ? 0 : 2;
}

int hd_area_treemap(const struct hd_area *a, const char *id, const char *title, const char *path)
{
    const struct hd_area_module *m = hd_area_find(a, id);
    char below[200];
    snprintf(below, sizeof below, "%.2f mm2 at 45 nm (stated rule): logic and flip-flops %.0f %%, memories (hatched) %.0f %%. "
             "Areas are to scale.", hd_area_um2_45(&m->sum) / 1e6,
             100 * (m->sum.gates45 + m->sum.flops45) / hd_area_um2_45(&m->sum), 100 * m->sum.ram45 / hd_area_um2_45(&m->sum));
    FILE *f = begin(path, WIDTH, HEIGHT, title, below);
    if (!f)
        return 2;
    struct box all = {.module = m, .name = "", .x = MARGIN, .y = TOP, .w = WIDTH - 2 * MARGIN, .h = HEIGHT - TOP - MARGIN};
    draw(f, a, &all, hues[0], 0);
    return end(f, path);
}
