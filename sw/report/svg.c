/* svg.c - see svg.h. */
#include "svg.h"
#include "palette.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE = 440, CHAR = 8, LINE = 16, BAR = 11, GAP = 9, EDGE = 4, END = 46, TICKS = 6 };

const char hd_svg_style[] =
    "svg.figure{font:12px system-ui,sans-serif;color:#1b1b1b}svg.figure text{fill:currentColor}"
    "svg.figure .soft{opacity:.72}svg.figure .small{font-size:10px}svg.figure .grid{stroke:currentColor;opacity:.18}"
    "svg.figure .line{stroke:currentColor;fill:none}svg.figure .curve{stroke:#0072b2;stroke-width:2;fill:none}"
    "svg.figure .hatch{stroke:#fff;stroke-width:1.6;opacity:.8}svg.figure .break{stroke:#fff;stroke-width:3}"
    "svg.figure .over{paint-order:stroke;stroke:#fff;stroke-width:4}"
    "svg.figure .dots{stroke-dasharray:1.6 4.4}svg.figure .hatch{fill:none}"
    "svg.figure .stated{fill:#fff;stroke:#1b1b1b;stroke-width:1.5}"
    "@media screen and (prefers-color-scheme:dark){svg.figure{color:#ececec}"
    "svg.figure .break,svg.figure .over,svg.figure .hatch{stroke:#16181c}"
    "svg.figure .stated{fill:#16181c;stroke:#ececec}svg.figure .curve{stroke:#56b4e9}}";

void hd_svg_text(FILE *f, const char *text)
{
    for (; text && *text; text++)
        switch (*text) {
        case '&': fputs("&amp;", f); break;
        case '<': fputs("&lt;", f); break;
        case '>': fputs("&gt;", f); break;
        case '"': fputs("&quot;", f); break;
        default: fputc(*text, f);
        }
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void put(FILE *f, double x, double y, const char *kind, const char *text)
{
    fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, kind);
    hd_svg_text(f, text);
    fputs("</text>\n", f);
}

/* The title in lines above the figure, for one that stands alone. @return their height; nothing is printed to NULL. */
static int heading(FILE *f, const char *title)
{
    enum { LETTERS = 60 };
    int high = f ? heading(NULL, title) : 4, y = 0;
    for (size_t at = 0, n = strlen(title); at < n; y += LINE) {
        size_t end = at + LETTERS < n ? at + LETTERS : n;
        char line[LETTERS + 1];
        while (end < n && end > at + 1 && title[end] != ' ')
            end--;
        snprintf(line, sizeof line, "%.*s", (int)(end - at), title + at);
        if (f)
            put(f, EDGE, y - high + LINE, "font-weight=\"600\"", line);
        at = end + (title[end] == ' ');
    }
    return y + 4;
}

static void open_svg(FILE *f, double high, const json_t *figure, bool alone)
{
    int above = alone ? heading(NULL, text_of(figure, "title")) : 0;
    fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"figure\" viewBox=\"0 %d %d %.0f\"", -above, WIDE,
            high + above);
    if (alone)
        fprintf(f, " width=\"%.0f\" height=\"%.0f\"", 1.5 * WIDE, 1.5 * (high + above));
    fputs(" role=\"img\">\n<title>", f);
    hd_svg_text(f, text_of(figure, "title"));
    fputs("</title>\n", f);
    if (alone)
        fprintf(f, "<style>%ssvg.figure{background:#fff}@media screen and (prefers-color-scheme:dark)"
                "{svg.figure{background:#16181c}}</style>\n", hd_svg_style);
    if (alone)
        heading(f, text_of(figure, "title"));
}

/* A round step for about TICKS of them up to @most. */
static double step_of(double most)
{
    double unit = pow(10, floor(log10(most / TICKS)));
    double times = most / TICKS / unit;
    return unit * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

/* ---- bars -------------------------------------------------------------------------------------------------------- */

struct bars {
    FILE *f;
        const json_t *figure, *series, *groups, *stated;
    bool stacked;
    double left, limit, scale;  /* where values begin; the most that is drawn; pixels a unit */
    double y;
};

static double value_at(const json_t *group, size_t s)
{
    const json_t *v = json_array_get(json_object_get(group, "values"), s);
    return json_is_number(v) ? json_number_value(v) : NAN;
}

static double length_of(const struct bars *b, const json_t *group, size_t s)
{
    if (!b->stacked)
        return value_at(group, s);
    double sum = NAN, x;
    for (size_t i = 0; i < json_array_size(b->series); i++)
        if (!isnan(x = value_at(group, i)))
            sum = isnan(sum) ? x : sum + x;
    return sum;
}

static int upwards(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Up to where bars are drawn: what is longer than twice what nine of ten bars reach is broken, behind all others. */
static double limit_of(const struct bars *b)
{
    size_t groups = json_array_size(b->groups), series = b->stacked ? 1 : json_array_size(b->series), n = 0;
    double *all = calloc(groups * series + 1, sizeof *all), most = 1;
    for (size_t g = 0; all && g < groups; g++)
        for (size_t s = 0; s < series; s++) {
            double x = length_of(b, json_array_get(b->groups, g), s);
            if (!isnan(x))
                all[n++] = x;
        }
    if (n > 0) {
        qsort(all, n, sizeof *all, upwards);
        double usual = all[(n - 1) * 9 / 10];
        size_t last = n - 1;
        while (last > 0 && all[last] > 2 * usual && usual > 0)
            last--;
        most = last < n - 1 ? 1.15 * all[last] : all[last];
    }
    free(all);
    return most > 0 ? most : 1;
}

/* Lines over a rectangle. They are drawn one by one: a pattern becomes megabytes when a page is printed to a file. */
static void hatch(FILE *f, enum hd_hatch kind, double x, double y, double w, double h)
{
    enum { STEP = 6 };
    fprintf(f, "<path class=\"hatch%s\" d=\"", kind == HD_DOTTED ? " dots" : "");
    if (kind == HD_RISING || kind == HD_FALLING)
        for (double c = STEP / 2 - h; c < w; c += STEP) { /* from c at one edge to c + h at the other, as far as it is inside */
            double from = fmax(c, 0), to = fmin(c + h, w);
            double y1 = kind == HD_RISING ? h - (from - c) : from - c;
            fprintf(f, "M%.1f %.1fl%.1f %.1f", x + from, y + y1, to - from, kind == HD_RISING ? from - to : to - from);
        }
    if (kind == HD_LEVEL || kind == HD_CROSSED || kind == HD_DOTTED)
        fprintf(f, "M%.1f %.1fh%.1fM%.1f %.1fh%.1f", x, y + 0.3 * h, w, x, y + 0.75 * h, w);
    if (kind == HD_UPRIGHT || kind == HD_CROSSED)
        for (double c = STEP / 2; c < w; c += STEP)
            fprintf(f, "M%.1f %.1fv%.1f", x + c, y, h);
    fputs("\"/>", f);
}

static void box(const struct bars *b, double x, double y, double w, double h, size_t s)
{
    struct hd_paint p = hd_palette(json_string_value(json_array_get(b->series, s)), s);
    fprintf(b->f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>", x, y, w, h, p.colour);
    if (p.hatch != HD_PLAIN)
        hatch(b->f, p.hatch, x, y, w, h);
    fputc('\n', b->f);
}

/* Width of text in pixels, about; UTF-8. */
static double width_of(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return CHAR * (double)n;
}

/* The legend, in as many lines as it takes. Without a file only its height counts. */
static double legend(const struct bars *b, double y, bool draw)
{
    double x = EDGE;
    bool stated = json_array_size(b->stated) > 0;
    for (size_t s = 0; s < json_array_size(b->series) + stated; s++) {
        bool last = s == json_array_size(b->series);
        const char *name = last ? "what the paper states" : json_string_value(json_array_get(b->series, s));
        double w = 18 + width_of(name);
        if (x > EDGE && x + w > WIDE) {
            x = EDGE;
            y += LINE;
        }
        if (draw && last)
            fprintf(b->f, "<path class=\"stated\" d=\"M%.1f %.1fl5 5l-5 5l-5 -5z\"/>", x + 6, y - 10);
        else if (draw)
            box(b, x, y - 9, 12, BAR, s);
        if (draw)
            put(b->f, x + 16, y, "", name);
        x += w + 10;
    }
    return y + LINE;
}

static void axis(const struct bars *b, double top, double bottom)
{
    double step = step_of(b->limit);
    for (double v = 0; v <= b->limit * 1.001; v += step) {
        double x = b->left + v * b->scale;
        char text[32];
        snprintf(text, sizeof text, "%g", round(v * 1e6) / 1e6);
        fprintf(b->f, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>", x, top, bottom);
        put(b->f, x, bottom + 13, "text-anchor=\"middle\" class=\"small\"", text);
    }
    put(b->f, (b->left + WIDE - END) / 2, bottom + 28, "text-anchor=\"middle\"", text_of(b->figure, "what"));
}

/* Diamonds where the paper states numbers of this bar. @return where its own number stands, which begins at @x, beside them. */
static double states(const struct bars *b, const char *group, const char *series, double x)
{
    enum { NUMBER = 26, HALF = 6 };
    size_t i;
    json_t *s;
    json_array_foreach((json_t *)b->stated, i, s) {
        double at = b->left + fmin(json_number_value(json_object_get(s, "value")), b->limit) * b->scale;
        if (strcmp(text_of(s, "group"), group) != 0 || strcmp(text_of(s, "series"), series) != 0)
            continue;
        fprintf(b->f, "<path class=\"stated\" d=\"M%.1f %.1fl4.5 4.5l-4.5 4.5l-4.5 -4.5z\"><title>", at, b->y + 0.5);
        hd_svg_text(b->f, text_of(s, "text"));
        fputs("</title></path>\n", b->f);
        if (at + HALF > x && at - HALF < x + NUMBER)
            x = at + HALF;
    }
    return x;
}

/* One bar with its number behind it; longer than the axis: broken. */
static void bar(const struct bars *b, const json_t *group, size_t s)
{
    double all = length_of(b, group, s), x = b->left, shown = fmin(all, b->limit);
    const char *own = text_of(group, "bar");
    char text[32];
    if (!b->stacked)
        box(b, x, b->y, shown * b->scale, BAR - 1, s);
    for (size_t i = 0; b->stacked && i < json_array_size(b->series); i++) {
        double w = fmin(value_at(group, i) * b->scale, b->left + b->limit * b->scale - x);
        if (w > 0)
            box(b, x, b->y, w, BAR - 1, i);
        x += w > 0 ? w : 0;
    }
    double end = b->left + shown * b->scale;
    if (all > b->limit)
        fprintf(b->f, "<path class=\"break\" d=\"M%.1f %.1fl5 -%d\"/>", end - 16, b->y + BAR, BAR + 1);
    snprintf(text, sizeof text, all < 10 ? "%.2f" : "%.0f", all);
    double at = states(b, text_of(group, "name"), *own ? own : json_string_value(json_array_get(b->series, s)), end + 3);
    put(b->f, at, b->y + BAR - 1.5, "class=\"small soft\"", text);
}

/* The bars of all groups from b->y on. Without @draw only the height counts. */
static void rows(struct bars *b, bool draw)
{
    const char *before = NULL;
    size_t g;
    json_t *group;
    json_array_foreach((json_t *)b->groups, g, group) {
        const char *name = text_of(group, "name"), *own = text_of(group, "bar");
        size_t n = b->stacked ? 1 : json_array_size(b->series), given = 0;
        bool first = !before || strcmp(before, name) != 0;
        for (size_t s = 0; s < n; s++)
            given += !isnan(length_of(b, group, s));
        if (given == 0)
            continue;
        before = name;
        if (first)
            b->y += GAP;
        double middle = b->y + (double)given * BAR / 2 + 4;
        if (*own && first) {
            if (draw)
                put(b->f, EDGE, b->y + BAR - 1.5, "class=\"over\"", name);
            b->y += *own ? LINE - 2 : 0;
        }
        if (draw)
            put(b->f, b->left - 5, *own ? b->y + BAR - 1.5 : middle, *own ? "text-anchor=\"end\" class=\"small\"" :
                "text-anchor=\"end\"", *own ? own : name);
        for (size_t s = 0; s < n; s++) {
            if (isnan(length_of(b, group, s)))
                continue;
            if (draw)
                bar(b, group, s);
            b->y += *own ? BAR + 2 : BAR;
        }
    }
}

static void draw_bars(struct bars *b, bool alone)
{
    size_t g;
    json_t *group;
    json_array_foreach((json_t *)b->groups, g, group) {
        const char *own = text_of(group, "bar");
        b->left = fmax(b->left, EDGE + 6 + width_of(*own ? own : text_of(group, "name")));
    }
    json_t *s;
    b->limit = limit_of(b);
    json_array_foreach((json_t *)b->stated, g, s) {
        double v = json_number_value(json_object_get(s, "value"));
        b->limit = v < 2 * b->limit ? fmax(b->limit, v) : b->limit;
    }
    b->scale = (WIDE - END - b->left) / b->limit;
    double top = legend(b, LINE, false) - 8;
    b->y = top;
    rows(b, false);
    double bottom = b->y + 4;
    open_svg(b->f, bottom + 36, b->figure, alone);
    legend(b, LINE, true);
    axis(b, top, bottom);
    b->y = top;
    rows(b, true);
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

struct curve {
    FILE *f;
    double most[2], left, bottom, wide, high;
};

static double across(const struct curve *c, double x)
{
    return c->left + x / c->most[0] * c->wide;
}

static void grid_of(const struct curve *c)
{
    for (int k = 0; k < 2; k++)
        for (double v = 0, step = step_of(c->most[k]); v <= c->most[k] * 1.001; v += step) {
            char text[32];
            double x = across(c, v), y = c->bottom - v / c->most[1] * c->high;
            snprintf(text, sizeof text, "%g", v);
            if (k == 0)
                fprintf(c->f, "<path class=\"grid\" d=\"M%.1f %.1fv-%.1f\"/>", x, c->bottom, c->high);
            else
                fprintf(c->f, "<path class=\"grid\" d=\"M%.1f %.1fh%.1f\"/>", c->left, y, c->wide);
            if (k == 0)
                put(c->f, x, c->bottom + 13, "text-anchor=\"middle\" class=\"small\"", text);
            else
                put(c->f, c->left - 4, y + 3, "text-anchor=\"end\" class=\"small\"", text);
        }
}

static void draw_curve(FILE *f, const json_t *figure, const json_t *stated, bool alone)
{
    const json_t *points = json_object_get(figure, "points"), *step = json_object_get(figure, "step");
    struct curve c = {.f = f, .most = {1, 1}, .left = 46, .bottom = 236, .wide = WIDE - 46 - 20, .high = 200};
    size_t i;
    json_t *p;
    json_array_foreach((json_t *)points, i, p)
        for (size_t k = 0; k < 2; k++)
            c.most[k] = fmax(c.most[k], json_number_value(json_array_get(p, k)));
    open_svg(f, 274, figure, alone);
    put(f, EDGE, 14, "", text_of(figure, "what"));
    grid_of(&c);
    put(f, c.left + c.wide / 2, c.bottom + 30, "text-anchor=\"middle\"", text_of(figure, "across"));
    fputs("<path class=\"curve\" d=\"", f);
    json_array_foreach((json_t *)points, i, p)
        fprintf(f, "%c%.1f %.1f", i ? 'L' : 'M', across(&c, json_number_value(json_array_get(p, 0))),
                c.bottom - json_number_value(json_array_get(p, 1)) / c.most[1] * c.high);
    fputs("\"/>\n", f);
    bool is_step = json_is_number(step), right = is_step && json_number_value(step) > 0.4 * c.most[0];
    char text[48]; /* at the top: curves rise, so there is room on the left of a late step, on the right of an early one */
    snprintf(text, sizeof text, is_step ? "ours: %g" : "ours: no step", json_number_value(step));
    double x = is_step ? across(&c, json_number_value(step)) : c.left;
    if (is_step)
        fprintf(f, "<path class=\"line\" stroke-dasharray=\"4 3\" d=\"M%.1f %.1fv-%.1f\"/>", x, c.bottom, c.high);
    put(f, right ? x - 5 : x + 5, c.bottom - c.high + 12, right ? "text-anchor=\"end\"" : "", text);
    json_array_foreach((json_t *)stated, i, p) {
        const json_t *v = json_object_get(p, "value");
        if (json_is_number(v))
            fprintf(f, "<path class=\"stated\" d=\"M%.1f %.1fl5 5l-5 5l-5 -5z\"/>", across(&c, json_number_value(v)),
                    c.bottom - 5);
        put(f, right ? x - 5 : x + 5, c.bottom - c.high + 28, right ? "text-anchor=\"end\"" : "", text_of(p, "text"));
    }
}

void hd_svg_figure(FILE *f, const json_t *figure, bool alone)
{
    const json_t *stated = json_object_get(figure, "stated");
    struct bars b = {.f = f, .figure = figure, .series = json_object_get(figure, "series"),
                     .groups = json_object_get(figure, "groups"), .stated = stated,
                     .stacked = json_is_true(json_object_get(figure, "stacked"))};
    if (json_object_get(figure, "points"))
        draw_curve(f, figure, stated, alone);
    else
        draw_bars(&b, alone);
    fputs("</svg>\n", f);
}
