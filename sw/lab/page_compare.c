/* page_compare.c - see page.h: two databases, point by point and claim by claim. Points are the same when everything that was
 * asked for is: experiment, pattern, and the configuration in all keys that both databases know. */
#include "page.h"
#include "page_parts.h"
#include "results/query.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GOOD = 0, REFUSED = 2, KEY = 4096 };

struct side {
    json_t *rows, *claims;
    json_t *keys;              /* of its configurations: an object */
    json_t *revision;          /* of the last experiment that ended, in an array */
    json_t *points;            /* by name: {cycles, traffic} */
};

static const char *text(const json_t *row, const char *column)
{
    const char *t = json_string_value(json_object_get(row, column));
    return t ? t : "";
}

static bool load(struct side *s, const char *path)
{
    struct hd_results *db = hd_results_read(path);
    if (!db)
        return false;
    s->rows = hd_query_json(db, "SELECT experiment, points.machine, pattern, loads, threads, offset, value AS cycles, "
                                "points.settings, counters "
                                "FROM points JOIN runs ON runs.id = points.run WHERE points.good ORDER BY points.run");
    s->claims = hd_query_json(db, "SELECT experiment, options, number, outcome, claim FROM claims");
    s->revision = hd_query_json(db, "SELECT revision FROM study ORDER BY time DESC LIMIT 1");
    hd_results_close(db);
    s->keys = json_object();
    s->points = json_object();
    size_t i;
    json_t *row;
    json_array_foreach(s->rows, i, row) {
        json_t *settings = json_loads(text(row, "settings"), 0, NULL);
        json_object_update_missing(s->keys, settings);
        json_object_set_new(row, "settings", settings);
    }
    return s->rows && s->claims && s->revision;
}

/* Flits that the run's links carried. */
static double traffic(const json_t *row)
{
    json_t *counters = json_loads(text(row, "counters"), 0, NULL), *v;
    const char *name;
    double all = 0;
    json_object_foreach(counters, name, v)
        if (strncmp(name, "link.", 5) == 0 && !strchr(name + 5, '.'))
            all += json_number_value(v);
    json_decref(counters);
    return all;
}

/* Points by name, those of later runs over those of earlier ones. */
static void name_points(struct side *s, const json_t *known)
{
    size_t i;
    json_t *row, *v;
    void *next;
    const char *key;
    json_array_foreach(s->rows, i, row) {
        json_t *settings = json_object_get(row, "settings");
        json_object_foreach_safe(settings, next, key, v)
            if (!json_object_get(known, key))
                json_object_del(settings, key);
        char *all = json_dumps(settings, JSON_SORT_KEYS | JSON_COMPACT), *name = malloc(KEY + (all ? strlen(all) : 0));
        if (all && name) {
            char *order = json_dumps(json_object_get(settings, "order"), JSON_ENCODE_ANY);
            snprintf(name, KEY + strlen(all), "%s %s %s %s, loads %d threads %d offset %d\n%s", text(row, "experiment"),
                     text(row, "machine"), order ? order : "", text(row, "pattern"),
                     (int)json_integer_value(json_object_get(row, "loads")),
                     (int)json_integer_value(json_object_get(row, "threads")),
                     (int)json_integer_value(json_object_get(row, "offset")), all);
            json_object_set_new(s->points, name, json_pack("{sfsf}", "cycles",
                                                           json_number_value(json_object_get(row, "cycles")),
                                                           "traffic", traffic(row)));
            free(order);
        }
        free(all);
        free(name);
    }
}

/* Prints the points that moved. */
static void compare_points(const struct side *a, const struct side *b, double percent)
{
    static const char *const measure[] = {"cycles", "traffic"};
    const char *name;
    json_t *then;
    size_t both = 0, moved = 0;
    json_object_foreach(a->points, name, then) {
        const json_t *now = json_object_get(b->points, name);
        both += now != NULL;
        for (size_t i = 0; now && i < 2; i++) {
            double x = json_number_value(json_object_get(then, measure[i]));
            double y = json_number_value(json_object_get(now, measure[i]));
            double change = x > 0 ? 100 * (y - x) / x : y > 0 ? INFINITY : 0;
            if (fabs(change) <= percent)
                continue;
            moved++;
            printf("%-8s %12.0f %12.0f %+8.1f %%  %.*s\n", measure[i], x, y, change, (int)strcspn(name, "\n"), name);
        }
    }
    printf("%zu numbers of %zu points in both moved by more than %g %%; %zu points only before, %zu only after\n", moved,
           both, percent,
           json_object_size(a->points) - both, json_object_size(b->points) - both);
}

static void compare_claims(const struct side *a, const struct side *b)
{
    size_t i, k, both = 0, moved = 0;
    json_t *then, *now;
    json_array_foreach(a->claims, i, then)
        json_array_foreach(b->claims, k, now) {
            if (strcmp(text(then, "experiment"), text(now, "experiment")) != 0
                || strcmp(text(then, "options"), text(now, "options")) != 0
                || strcmp(text(then, "number"), text(now, "number")) != 0)
                continue;
            both++;
            if (strcmp(text(then, "outcome"), text(now, "outcome")) == 0)
                continue;
            moved++;
            printf("claim    %s %s %s: %s: before %s, after %s\n", text(then, "experiment"), text(then, "options"),
                   text(then, "number"), text(then, "claim"), text(then, "outcome"), text(now, "outcome"));
        }
    printf("%zu of %zu claims in both have another outcome\n", moved, both);
}

static void release(struct side *s)
{
    json_decref(s->rows);
    json_decref(s->claims);
    json_decref(s->keys);
    json_decref(s->revision);
    json_decref(s->points);
}

int hd_lab_compare(const char *before, const char *after, double percent)
{
    struct side a = {0}, b = {0};
    bool good = load(&a, before) && load(&b, after);
    if (good) {
        json_t *known = json_object(), *v;
        const char *key;
        json_object_foreach(a.keys, key, v)
            if (json_object_get(b.keys, key))
                json_object_set_new(known, key, json_true());
        name_points(&a, known);
        name_points(&b, known);
        json_decref(known);
        compare_points(&a, &b, percent);
        compare_claims(&a, &b);
        hd_page_area(text(json_array_get(a.revision, 0), "revision"), text(json_array_get(b.revision, 0), "revision"), percent);
    }
    release(&a);
    release(&b);
    return good ? GOOD : REFUSED;
}
