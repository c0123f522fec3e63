/* figure.c - see figure.h. */
#include "figure.h"
#include "csv.h"
#include "files.h"
#include "svg.h"
#include <math.h>

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void write_numbers(struct hd_csv *c, const json_t *numbers, int digits)
{
    size_t i;
    json_t *v;
    json_array_foreach((json_t *)numbers, i, v)
        hd_csv_number(c, json_is_number(v) ? json_number_value(v) : NAN, digits);
    hd_csv_end_row(c);
}

static void write_curve(struct hd_csv *c, const json_t *data)
{
    size_t i;
    json_t *point;
    hd_csv_quoted(c, text_of(data, "across"));
    hd_csv_quoted(c, text_of(data, "what"));
    hd_csv_end_row(c);
    json_array_foreach(json_object_get(data, "points"), i, point)
        write_numbers(c, point, 1);
}

/* A row a group; of stacked bars one a bar, whose name has a column. Gaps between groups are no rows. */
static void write_bars(struct hd_csv *c, const json_t *data)
{
    const json_t *groups = json_object_get(data, "groups");
    bool bars = *text_of(json_array_get(groups, 0), "bar");
    size_t i;
    json_t *row, *name;
    hd_csv_quoted(c, "group");
    if (bars)
        hd_csv_quoted(c, "bar");
    json_array_foreach(json_object_get(data, "series"), i, name)
        hd_csv_quoted(c, json_string_value(name));
    hd_csv_end_row(c);
    json_array_foreach((json_t *)groups, i, row) {
        if (!*text_of(row, "name"))
            continue;
        hd_csv_quoted(c, text_of(row, "name"));
        if (bars)
            hd_csv_quoted(c, text_of(row, "bar"));
        write_numbers(c, json_object_get(row, "values"), 4);
    }
}

static bool write_csv(const json_t *data, const char *folder, const char *name)
{
    struct hd_csv c;
    if (!hd_csv_open(&c, folder, name))
        return false;
    (json_object_get(data, "points") ? write_curve : write_bars)(&c, data);
    return hd_csv_close(&c);
}

static bool write_svg(const json_t *data, const char *folder, const char *name)
{
    char file[160];
    snprintf(file, sizeof file, "%.150s.svg", name);
    FILE *f = hd_files_open_in(folder, file);
    if (f)
        hd_svg_figure(f, data, true);
    return f && hd_files_close(f, file);
}

bool hd_figure_write(const json_t *data, const char *folder, const char *name)
{
    static bool said;
    if (!write_csv(data, folder, name) || !write_svg(data, folder, name))
        return false;
    if (!hd_files_png(folder, name) && !said) {
        fprintf(stderr, "heddle: no PNG beside %s/%s.svg: rsvg-convert (librsvg2-bin) is missing or failed\n", folder, name);
        said = true;
    }
    return true;
}
