/* bars.c - see plot.h: a table of groups as grouped or stacked bars. */
#include "figure.h"
#include "plot.h"
#include <math.h>

/* The figure's data as svg.h has it. @return NULL without memory. */
static json_t *data_of(const struct hd_plot_bars *b, const char *name, const char *title)
{
    json_t *all = json_pack("{sssssssb}", "name", name, "title", title, "what", b->what, "stacked", b->stacked);
    json_t *series = json_array(), *groups = json_array();
    for (size_t s = 0; s < b->series; s++)
        json_array_append_new(series, json_string(b->title[s]));
    for (size_t g = 0; g < b->groups; g++) {
        json_t *group = json_object(), *values = json_array();
        json_object_set_new(group, "name", json_string(b->group[g]));
        if (b->bar[g])
            json_object_set_new(group, "bar", json_string(b->bar[g]));
        for (size_t s = 0; s < b->series; s++)
            json_array_append_new(values, isnan(b->value[g][s]) ? json_null() : json_real(b->value[g][s]));
        json_object_set_new(group, "values", values);
        json_array_append_new(groups, group);
    }
    json_object_set_new(all, "series", series);
    json_object_set_new(all, "groups", groups);
    if (b->stated)
        json_object_set_new(all, "stated", b->stated);
    return all;
}

bool hd_plot_bars(const struct hd_plot_bars *b, const char *folder, const char *name, const char *title)
{
    json_t *data = data_of(b, name, title);
    bool good = data && hd_figure_write(data, folder, name);
    if (data && b->keep)
        json_array_append(b->keep, data);
    json_decref(data);
    return good;
}
