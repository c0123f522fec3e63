/* page_compare.c - see page.h: two databases, or one at two revisions, point by point and claim by claim. Points are the same
 * when everything that was asked for is: experiment, pattern, and the configuration in all keys that both sides know. */
#define _POSIX_C_SOURCE 200809L
#include "page.h"
#include "page_parts.h"
#include "results/query.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GOOD = 0, REFUSED = 2, KEY = 4096, NAME = 80, SQL = 900 };

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

/* ---- which rows -------------------------------------------------------------------------------------------------- */

/* The first value of a query's answer in @to, "" when it has none. */
static void ask(struct hd_results *db, char *to, size_t size, const char *sql)
{
    json_t *rows = hd_query_json(db, sql);
    snprintf(to, size, "%s", text(json_array_get(rows, 0), "value"));
    json_decref(rows);
}

static bool has_outcomes(struct hd_results *db)
{
    char name[NAME];
    ask(db, name, sizeof name, "SELECT name AS value FROM sqlite_master WHERE name = 'outcome'");
    return *name;
}

/* When the database was last written by a revision whose name begins with @hash. */
static void last_written(struct hd_results *db, const char *hash, char time[NAME])
{
    char sql[SQL];
    snprintf(sql, sizeof sql, "SELECT max(time) AS value FROM (SELECT time, revision FROM runs UNION ALL "
             "SELECT time, revision FROM %s) WHERE substr(revision, 1, %zu) = '%s'", has_outcomes(db) ? "outcome" : "claims",
             strlen(hash), hash);
    ask(db, time, NAME, sql);
}

/* What git calls @name: HEAD~2, a branch. "" when it knows none such. */
static void ask_git(const char *name, char hash[NAME])
{
    char command[NAME + 80];
    snprintf(command, sizeof command, "git rev-parse --quiet --verify --short '%s^{commit}' 2>/dev/null", name);
    FILE *f = popen(command, "r");
    if (!f || !fgets(hash, NAME, f))
        *hash = '\0';
    hash[strcspn(hash, "\n")] = '\0';
    if (f)
        pclose(f);
}

static bool is_name(const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)name[i]) && !(i > 0 && strchr("._-/~^", name[i])))
            return false;
    return n > 0 && n < NAME;
}

/* Finds the revision @name of a user in the database. @return false after a message. */
static bool find_revision(struct hd_results *db, const char *path, const char *name, char hash[NAME], char time[NAME])
{
    char there[NAME * 10];
    *time = '\0';
    if (is_name(name)) {
        snprintf(hash, NAME, "%s", name);
        last_written(db, hash, time);
        if (!*time)
            ask_git(name, hash);
        if (!*time && *hash)
            last_written(db, hash, time);
        if (*time)
            return true;
    }
    ask(db, there, sizeof there, "SELECT group_concat(revision, ', ') AS value FROM (SELECT DISTINCT revision FROM runs "
        "ORDER BY id DESC LIMIT 20)");
    fprintf(stderr, "heddle: report: --compare %.100s: no file, and no revision that measured anything in %s (there: %s)\n", name,
            path, *there ? there : "none");
    return false;
}

/* Loads one side: a database, or what @db held when revision @which last wrote to it. @return false after a message. */
static bool load(struct side *s, const char *which, const char *path)
{
    bool whole = access(which, F_OK) == 0;
    struct hd_results *db = hd_results_read(whole ? which : path);
    char hash[NAME] = "", time[NAME] = "9", sql[SQL];
    if (!db || (!whole && !find_revision(db, path, which, hash, time))) {
        hd_results_close(db);
        return false;
    }
    snprintf(sql, sizeof sql, "SELECT experiment, points.machine, pattern, loads, threads, offset, value AS cycles, "
             "points.settings, counters FROM points JOIN runs ON runs.id = points.run "
             "WHERE points.good AND points.time <= '%s' ORDER BY points.run", time);
    s->rows = hd_query_json(db, sql);
    snprintf(sql, sizeof sql, "SELECT experiment, options, number, outcome, claim FROM outcome WHERE id IN (SELECT max(id) "
             "FROM outcome WHERE time <= '%s' GROUP BY experiment, options, number) ORDER BY id", time);
    s->claims = hd_query_json(db, whole || !has_outcomes(db) ? "SELECT experiment, options, number, outcome, claim FROM claims"
                                                              : sql);
    s->revision = whole ? hd_query_json(db, "SELECT revision FROM study ORDER BY time DESC LIMIT 1")
                        : json_pack("[{ss}]", "revision", hash);
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

/* ---- the comparison ---------------------------------------------------------------------------------------------- */

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

int hd_lab_compare(const char *before, const char *after, const char *path, double percent)
{
    struct side a = {0}, b = {0};
    bool good = load(&a, before, path) && load(&b, after, path);
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
