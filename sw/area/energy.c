/* energy.c - see area.h: energy of runs by component: counts of events times a table of energies (configs/energy.cfg). */
#include "area.h"
#include "config.h"
#include "models.h"
#include "report/figure.h"
#include "report/json.h"
#include "report/text.h"
#include <libconfig.h>
#include <stdlib.h>
#include <string.h>

enum { COMPONENTS = 7, MAX_EVENTS = 128, MAX_RUNS = 32 };
static const char *const components[COMPONENTS] = {"core", "LDS", "L1", "ordering", "L2", "network", "DRAM"};

struct event {
    const char *counter, *when, *noc, *l1, *memory, *source;
    int component, line;
    double pj, low;
};

struct table {
    config_t file;
    const char *path;
    struct event event[MAX_EVENTS];
    size_t events;
};

struct spent {
    char name[64];
    double part[COMPONENTS], low[COMPONENTS];
    json_int_t cycles;
    bool counted[MAX_EVENTS];  /* the run is one of those that the event is for */
};

static int refuse(const struct table *t, int line, const char *what, const char *must)
{
    fprintf(stderr, "heddle: %s:%d: %s: %s\n", t->path, line, what, must);
    return 2;
}

static int read_event(struct table *t, const config_setting_t *s)
{
    int line = (int)config_setting_source_line(s);
    const char *component = NULL;
    struct event e = {.line = line, .component = -1, .pj = -1, .low = -1};
    if (t->events == MAX_EVENTS)
        return refuse(t, line, "events", "more than 128");
    if (!config_setting_is_group(s))
        return refuse(t, line, "events", "each must be a group { counter = ...; component = ...; pj = ...; source = ...; }");
    for (int i = 0; i < config_setting_length(s); i++) {
        const config_setting_t *k = config_setting_get_elem(s, (unsigned)i);
        const char *name = config_setting_name(k), *text = config_setting_get_string(k);
        bool number = config_setting_is_number(k);
        double value = config_setting_type(k) == CONFIG_TYPE_FLOAT ? config_setting_get_float(k)
                                                                   : (double)config_setting_get_int64(k);
        bool energy = strcmp(name, "pj") == 0 || strcmp(name, "low") == 0;
        line = (int)config_setting_source_line(k);
        if (energy && (!number || !(value >= 0)))
            return refuse(t, line, name, "must be a number of pJ, 0 or more");
        if (!energy && !text)
            return refuse(t, line, name, "must be a text in quotes, or is no key of an event");
        if (strcmp(name, "pj") == 0)
            e.pj = value;
        else if (strcmp(name, "low") == 0)
            e.low = value;
        else if (strcmp(name, "counter") == 0)
            e.counter = text;
        else if (strcmp(name, "component") == 0)
            component = text;
        else if (strcmp(name, "when") == 0)
            e.when = text;
        else if (strcmp(name, "noc") == 0)
            e.noc = text;
        else if (strcmp(name, "l1") == 0)
            e.l1 = text;
        else if (strcmp(name, "memory") == 0)
            e.memory = text;
        else if (strcmp(name, "source") == 0)
            e.source = text;
        else
            return refuse(t, line, name, "no key of an event: counter, component, pj, low, when, noc, l1, memory, source");
    }
    for (int c = 0; component && c < COMPONENTS; c++)
        if (strcmp(component, components[c]) == 0)
            e.component = c;
    if (component && e.component < 0)
        return refuse(t, line, component, "must be one of core, LDS, L1, ordering, L2, network, DRAM");
    if (e.memory && strcmp(e.memory, "nvram") != 0)
        return refuse(t, line, e.memory, "memory must be nvram");
    if (!e.counter || !component || e.pj < 0 || !e.source || !*e.source)
        return refuse(t, line, "event", "needs counter, component, pj and source");
    if (e.low < 0)
        e.low = e.pj;
    t->event[t->events++] = e;
    return 0;
}

static int read_table(struct table *t, const char *path)
{
    t->path = path;
    t->events = 0;
    config_init(&t->file);
    if (!hd_config_numbers(path))
        return 2;
    if (config_read_file(&t->file, path) != CONFIG_TRUE) {
        if (config_error_type(&t->file) == CONFIG_ERR_FILE_IO)
            fprintf(stderr, "heddle: %s: cannot be read\n", path);
        else
            fprintf(stderr, "heddle: %s:%d: %s\n", path, config_error_line(&t->file), config_error_text(&t->file));
        return 2;
    }
    const config_setting_t *list = config_lookup(&t->file, "events");
    if (!list || !config_setting_is_list(list)) {
        fprintf(stderr, "heddle: %s: no list `events = ( ... );`\n", path);
        return 2;
    }
    int code = 0;
    for (int i = 0; code == 0 && i < config_setting_length(list); i++)
        code = read_event(t, config_setting_get_elem(list, (unsigned)i));
    return code;
}

/* @return whether the run's @key is @wanted; NULL: any. */
static bool is_of(const json_t *settings, const char *key, const char *wanted)
{
    const char *is = json_string_value(json_object_get(settings, key));
    return !wanted || !is || strcmp(is, wanted) == 0;
}

static bool has_nvram(const json_t *settings)
{
    return json_integer_value(json_object_get(settings, "nv_base")) > 0;
}

static int read_run(const struct table *t, const char *path, struct spent *s, json_t *counts)
{
    json_error_t error;
    json_t *run = json_load_file(path, 0, &error);
    const char *order = NULL, *workload = NULL;
    json_t *counters = NULL;
    int code = 0;
    *s = (struct spent){.cycles = 0};
    if (!run) {
        if (error.line > 0)
            fprintf(stderr, "heddle: %s:%d: %s\n", path, error.line, error.text);
        else
            fprintf(stderr, "heddle: %s: cannot be read\n", path);
        return 2;
    }
    if (json_unpack(run, "{s:{s:s}, s:s, s:I, s:o}", "policy", "order", &order, "workload", &workload, "cycles", &s->cycles,
                    "counters", &counters) != 0 || !json_is_object(counters)) {
        fprintf(stderr, "heddle: %s: not a run as heddle run --json writes it\n", path);
        json_decref(run);
        return 2;
    }
    const json_t *settings = json_object_get(run, "settings");
    snprintf(s->name, sizeof s->name, "%.40s %.20s", workload, order);
    for (size_t i = 0; code == 0 && i < t->events; i++) {
        const struct event *e = &t->event[i];
        const json_t *value = json_object_get(counters, e->counter);
        if (!is_of(settings, "noc", e->noc) || !is_of(settings, "l1", e->l1) || (e->memory && !has_nvram(settings)))
            continue;
        if (!json_is_integer(value))
            code = refuse(t, e->line, e->counter, "the run has no such counter");
        else if (!e->when || strcmp(e->when, order) == 0) {
            double n = (double)json_integer_value(value);
            s->counted[i] = true;
            s->part[e->component] += n * e->pj;
            s->low[e->component] += n * e->low;
            json_object_set_new(counts, e->counter, json_integer(json_integer_value(value)));
        }
    }
    json_decref(run);
    return code;
}

static double total(const double part[COMPONENTS])
{
    double sum = 0;
    for (int c = 0; c < COMPONENTS; c++)
        sum += part[c];
    return sum;
}

static void print_table(const struct spent *run, size_t n)
{
    double first = total(run[0].part), first_low = total(run[0].low);
    printf("%-22s", "energy, first = 1");
    for (int c = 0; c < COMPONENTS; c++)
        printf("%10s", components[c]);
    printf("%10s%12s%12s\n", "all", "low-power", "cycles");
    for (size_t i = 0; i < n; i++) {
        printf("%-22.22s", run[i].name);
        for (int c = 0; c < COMPONENTS; c++)
            printf("%10.3f", first > 0 ? run[i].part[c] / first : 0);
        printf("%10.3f%12.3f%12.3f\n", first > 0 ? total(run[i].part) / first : 0,
               first_low > 0 ? total(run[i].low) / first_low : 0,
               run[0].cycles ? (double)run[i].cycles / (double)run[0].cycles : 0);
    }
    printf("\nCounts of events times the energies of the table; relative only. low-power: the same with the energies `low`.\n");
}

static void print_counts(const struct table *t, const struct spent *run, json_t *const *counts, size_t n)
{
    char text[32];
    printf("\n%-20s%-11s%9s", "events", "component", "pJ");
    for (size_t i = 0; i < n; i++)
        printf("%16.15s", strchr(run[i].name, ' ') + 1);
    printf("\n");
    for (size_t e = 0; e < t->events; e++) {
        char name[64];
        snprintf(name, sizeof name, "%s%s", t->event[e].counter, t->event[e].when ? "*" : "");
        printf("%-20.20s%-11s%9.1f", name, components[t->event[e].component], t->event[e].pj);
        for (size_t i = 0; i < n; i++) {
            json_int_t count = json_integer_value(json_object_get(counts[i], t->event[e].counter));
            printf("%16s", run[i].counted[e] ? hd_text_grouped((uint64_t)count, text) : "-");
        }
        printf("\n");
    }
    printf("* only under one order\n");
}

static int print_json(const struct spent *run, json_t *const *counts, size_t n)
{
    json_t *all = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *o = json_object(), *parts = json_object(), *low = json_object();
        for (int c = 0; c < COMPONENTS; c++) {
            json_object_set_new(parts, components[c], json_real(run[i].part[c]));
            json_object_set_new(low, components[c], json_real(run[i].low[c]));
        }
        json_object_set_new(o, "run", json_string(run[i].name));
        json_object_set_new(o, "cycles", json_integer(run[i].cycles));
        json_object_set_new(o, "relative", json_real(total(run[0].part) > 0 ? total(run[i].part) / total(run[0].part) : 0));
        json_object_set_new(o, "pj", parts);
        json_object_set_new(o, "pj_low", low);
        json_object_set(o, "events", counts[i]);
        json_array_append_new(all, o);
    }
    return hd_json_print(all, 1, 6) ? 0 : 1;
}

/* Two runs of a workload under one order are told apart by their files. */
static void tell_apart(struct spent *run, const char *const *files, size_t n)
{
    bool same[MAX_RUNS] = {false};
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            same[i] |= k != i && strcmp(run[i].name, run[k].name) == 0;
    for (size_t i = 0; i < n; i++) {
        const char *slash = strrchr(files[i], '/'), *file = slash ? slash + 1 : files[i];
        char workload[24];
        if (!same[i])
            continue;
        snprintf(workload, sizeof workload, "%.*s", (int)strcspn(run[i].name, " "), run[i].name);
        snprintf(run[i].name, sizeof run[i].name, "%s %.*s", workload, (int)strcspn(file, "."), file);
    }
}

/* FOLDER/NAME.svg, with what it is drawn from beside it. */
static int draw(const struct spent *run, size_t n, const char *svg)
{
    char folder[400], name[120];
    const char *slash = strrchr(svg, '/');
    double first = total(run[0].part);
    json_t *groups = json_array(), *series = json_array();
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - svg) : 1, slash ? svg : ".");
    snprintf(name, sizeof name, "%.100s", slash ? slash + 1 : svg);
    size_t length = strlen(name);
    if (length > 4 && strcmp(name + length - 4, ".svg") == 0)
        name[length - 4] = '\0';
    for (int c = 0; c < COMPONENTS; c++)
        json_array_append_new(series, json_string(components[c]));
    for (size_t i = 0; i < n; i++) {
        json_t *values = json_array();
        for (int c = 0; c < COMPONENTS; c++)
            json_array_append_new(values, json_real(first > 0 ? run[i].part[c] / first : 0));
        json_array_append_new(groups, json_pack("{ssso}", "name", run[i].name, "values", values));
    }
    json_t *figure = json_pack("{sssssbsoso}", "title", "Energy by component", "what", "energy (ratio, the first run is 1)",
                               "stacked", true, "series", series, "groups", groups);
    bool good = hd_figure_write(figure, folder, name);
    json_decref(figure);
    return good ? 0 : 2;
}

int hd_area_energy(const char *table, const char *const *files, size_t n, const char *svg, bool json)
{
    struct spent run[MAX_RUNS];
    json_t *counts[MAX_RUNS] = {NULL};
    char root[HD_ROOT_SIZE], path[HD_ROOT_SIZE + 32];
    static struct table t;
    if (n == 0 || n > MAX_RUNS) {
        fprintf(stderr, "heddle: area --energy: needs 1 to %d files of heddle run --json\n", MAX_RUNS);
        return 2;
    }
    if (!table) {
        if (!hd_models_root(root))
            return 2;
        snprintf(path, sizeof path, "%s/configs/energy.cfg", root);
        table = path;
    }
    int code = read_table(&t, table);
    for (size_t i = 0; code == 0 && i < n; i++) {
        counts[i] = json_object();
        code = read_run(&t, files[i], &run[i], counts[i]);
    }
    if (code == 0)
        tell_apart(run, files, n);
    if (code == 0 && json)
        code = print_json(run, counts, n);
    else if (code == 0) {
        print_table(run, n);
        print_counts(&t, run, counts, n);
    }
    if (code == 0 && svg)
        code = draw(run, n, svg);
    for (size_t i = 0; i < n; i++)
        json_decref(counts[i]);
    config_destroy(&t.file);
    return code;
}
