/* sweep_file.c - see sweep.h: reads the file. */
#define _POSIX_C_SOURCE 200809L
#include "sweep.h"
#include "run/configure.h"
#include <ctype.h>
#include <errno.h>
#include <libconfig.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_AXES = 16, MAX_SETS = 64, MAX_MACHINES = 10000 };

/* A scalar of the file, as text. */
struct item {
    char text[HD_SWEEP_TEXT];
    int line;
};

struct items {
    struct item *item;
    size_t n;
};

struct axis {
    const char *key;
    struct items values;
};

struct reader {
    const char *file;
    struct items configs, set, works, seeds, counters;
    struct axis axis[MAX_AXES];
    size_t axes;
};

static bool wrong(const struct reader *r, int line, const char *name, const char *expected)
{
    fprintf(stderr, "heddle: %s:%d: %s: must be %s\n", r->file, line, name, expected);
    return false;
}

/* @return the text of a scalar in @text; false for what is none. */
static bool scalar(const config_setting_t *s, char text[HD_SWEEP_TEXT])
{
    switch (config_setting_type(s)) {
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
        snprintf(text, HD_SWEEP_TEXT, "%lld", config_setting_get_int64(s));
        return true;
    case CONFIG_TYPE_BOOL:
        snprintf(text, HD_SWEEP_TEXT, "%s", config_setting_get_bool(s) ? "true" : "false");
        return true;
    case CONFIG_TYPE_STRING:
        return snprintf(text, HD_SWEEP_TEXT, "%s", config_setting_get_string(s)) < HD_SWEEP_TEXT;
    default:
        return false;
    }
}

/* Reads a scalar or a list of some. @return false after a message. */
static bool items(const struct reader *r, config_setting_t *s, const char *name, const char *expected, struct items *to)
{
    bool many = config_setting_is_array(s) || config_setting_is_list(s);
    int n = many ? config_setting_length(s) : 1;
    int line = (int)config_setting_source_line(s);
    if (n == 0 || to->item)
        return wrong(r, line, name, n == 0 ? expected : "given once");
    to->item = calloc((size_t)n, sizeof *to->item);
    for (int i = 0; to->item && i < n; i++) {
        config_setting_t *e = many ? config_setting_get_elem(s, (unsigned)i) : s;
        int at = (int)config_setting_source_line(e); /* 0 in arrays of some versions */
        struct item *item = &to->item[to->n++];
        item->line = at ? at : line;
        if (!scalar(e, item->text))
            return wrong(r, item->line, name, expected);
    }
    return to->item != NULL;
}

/* A list that has something twice would run or print it twice, as rows or columns that cannot be told apart. @return false
 * after a message. */
static bool once(const struct reader *r, const struct items *list, const char *what)
{
    char expected[HD_SWEEP_TEXT];
    snprintf(expected, sizeof expected, "another %.100s: it is in the list already", what);
    for (size_t i = 1; i < list->n; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(list->item[i].text, list->item[k].text) == 0)
                return wrong(r, list->item[i].line, list->item[i].text, expected);
    return true;
}

static bool axes(struct reader *r, config_setting_t *group)
{
    if (!config_setting_is_group(group))
        return wrong(r, (int)config_setting_source_line(group), "keys",
                     "a group, as in keys: { order = [\"rmo\", \"sc\"]; }");
    for (int i = 0; i < config_setting_length(group); i++) {
        config_setting_t *s = config_setting_get_elem(group, (unsigned)i);
        if (r->axes == MAX_AXES)
            return wrong(r, (int)config_setting_source_line(s), "keys", "at most 16");
        struct axis *a = &r->axis[r->axes++];
        a->key = config_setting_name(s);
        char what[HD_SWEEP_TEXT];
        snprintf(what, sizeof what, "value of %.60s", a->key);
        if (!items(r, s, a->key, "a value or a list of values", &a->values) || !once(r, &a->values, what))
            return false;
    }
    return true;
}

/* @return true when @text can be a file's name. */
static bool plain(const char *text)
{
    bool good = *text != '\0' && strlen(text) < 60;
    for (; *text; text++)
        good &= isalnum((unsigned char)*text) || strchr("-_+", *text);
    return good;
}

static bool settings(struct reader *r, const config_setting_t *root, struct hd_sweep *s)
{
    for (int i = 0; i < config_setting_length(root); i++) {
        config_setting_t *e = config_setting_get_elem(root, (unsigned)i);
        const char *name = config_setting_name(e);
        int line = (int)config_setting_source_line(e);
        bool good;
        if (strcmp(name, "name") == 0) {
            char text[HD_SWEEP_TEXT];
            good = (scalar(e, text) && plain(text)) || wrong(r, line, name, "a short name of letters, digits, - _ +");
            if (good)
                snprintf(s->name, sizeof s->name, "%.60s", text);
        } else if (strcmp(name, "configs") == 0)
            good = items(r, e, name, "a configuration or a list of configurations, as of `heddle list`", &r->configs)
                   && once(r, &r->configs, "configuration");
        else if (strcmp(name, "set") == 0)
            good = items(r, e, name, "\"key=value\" or a list of such", &r->set);
        else if (strcmp(name, "keys") == 0)
            good = axes(r, e);
        else if (strcmp(name, "workloads") == 0)
            good = items(r, e, name, "\"WORKLOAD key=value ...\" or a list of such", &r->works);
        else if (strcmp(name, "seeds") == 0)
            good = items(r, e, name, "a list of whole numbers, 0..4294967295", &r->seeds);
        else if (strcmp(name, "counters") == 0)
            good = items(r, e, name, "a list of counters, as in the output of `heddle run --json`", &r->counters)
                   && once(r, &r->counters, "counter");
        else {
            fprintf(stderr, "heddle: %s:%d: unknown '%s'; must be one of name, configs, set, keys, workloads, seeds, "
                    "counters\n", r->file, line, name);
            good = false;
        }
        if (!good)
            return false;
    }
    return true;
}

/* ---- making the table -------------------------------------------------------------------------------------------- */

/* The machine of configuration @c and the values chosen by @choice. @return false after a message. */
static bool machine(const struct reader *r, const struct item *c, size_t choice, struct hd_sweep_machine *m)
{
    const char *set[MAX_SETS + MAX_AXES];
    char text[MAX_AXES][2 * HD_SWEEP_TEXT];
    size_t n = 0, used = 0;
    int line = c->line;
    const char *slash = strrchr(c->text, '/');
    used = (size_t)snprintf(m->label, sizeof m->label, "%.60s", slash ? slash + 1 : c->text);
    for (; n < r->set.n; n++) {
        set[n] = r->set.item[n].text;
        line = r->set.item[n].line;
    }
    for (size_t a = r->axes; a-- > 0;) { /* the last axis varies fastest */
        const struct items *v = &r->axis[a].values;
        const struct item *value = &v->item[choice % v->n];
        choice /= v->n;
        snprintf(text[a], sizeof text[a], "%s=%s", r->axis[a].key, value->text);
        line = value->line;
    }
    for (size_t a = 0; a < r->axes; a++) {
        set[n++] = text[a];
        if (r->axis[a].values.n > 1 && used < sizeof m->label)
            used += (size_t)snprintf(m->label + used, sizeof m->label - used, " %.80s", text[a]);
    }
    if (hd_configure(&m->lab.config, c->text, set, n) == 0)
        return true;
    fprintf(stderr, "heddle: %s:%d: this configuration was asked for here: %s\n", r->file, line, m->label);
    return false;
}

static bool machines(const struct reader *r, struct hd_sweep *s)
{
    size_t choices = 1;
    for (size_t a = 0; a < r->axes && choices <= MAX_MACHINES; a++)
        choices *= r->axis[a].values.n;
    if (r->set.n > MAX_SETS || choices * r->configs.n > MAX_MACHINES) {
        fprintf(stderr, "heddle: %s:%d: must be at most %d settings and %d machines\n", r->file, r->configs.item[0].line,
                MAX_SETS, MAX_MACHINES);
        return false;
    }
    s->machine = calloc(r->configs.n * choices, sizeof *s->machine);
    for (size_t i = 0; s->machine && i < r->configs.n * choices; i++) {
        struct hd_sweep_machine *m = &s->machine[s->machines++];
        if (!machine(r, &r->configs.item[i / choices], i % choices, m))
            return false;
        hd_results_config(&m->lab.config, m->lab.hash);
        for (m->built = 0; strcmp(s->machine[m->built].lab.hash, m->lab.hash) != 0; m->built++)
            ;
    }
    return s->machine != NULL;
}

/* Splits "WORKLOAD key=value ...". @return false after a message. */
static bool workload(const struct reader *r, const struct item *from, struct hd_sweep_work *to)
{
    char text[HD_SWEEP_TEXT], *rest = NULL;
    snprintf(text, sizeof text, "%s", from->text);
    const char *name = strtok_r(text, " \t", &rest);
    to->line = from->line;
    to->program.workload = name ? hd_workload_find(name) : NULL;
    if (!to->program.workload)
        return wrong(r, from->line, name ? name : "workloads", "a workload, as of `heddle list`");
    int used = snprintf(to->text, sizeof to->text, "%s", name);
    for (char *word; (word = strtok_r(NULL, " \t", &rest));) {
        struct hd_lab_program *p = &to->program;
        if (p->params == HD_LAB_PARAMS || strlen(word) >= sizeof p->param[0])
            return wrong(r, from->line, word, "short, and one of at most 8");
        strcpy(p->param[p->params++], word);
        used += snprintf(to->text + used, sizeof to->text - (size_t)used, " %s", word);
    }
    return true;
}

/* Has each workload look at each machine before anything is built or run. @return false after a message. */
static bool fits(const struct reader *r, const struct hd_sweep_machine *m, const struct hd_sweep_work *w)
{
    struct hd_work *k = hd_work_new(w->program.workload, &m->lab.config, 1);
    struct hd_simt *simt = hd_simt_new(&m->lab.config);
    bool good = k && simt;
    for (size_t i = 0; good && i < w->program.params; i++)
        good = hd_work_set(k, w->program.param[i]) == 0;
    good = good && hd_work_prepare(k, simt) == 0;
    hd_work_free(k);
    hd_simt_free(simt);
    if (!good)
        fprintf(stderr, "heddle: %s:%d: this workload was asked for here: %s on %s\n", r->file, w->line, w->text,
                m->label);
    return good;
}

static bool table(const struct reader *r, struct hd_sweep *s)
{
    s->work = calloc(r->works.n, sizeof *s->work);
    s->seed = calloc(r->seeds.n + 1, sizeof *s->seed);
    s->counter = calloc(r->counters.n + 1, sizeof *s->counter);
    if (!s->work || !s->seed || !s->counter)
        return false;
    for (; s->works < r->works.n; s->works++) {
        if (!workload(r, &r->works.item[s->works], &s->work[s->works]))
            return false;
        for (size_t i = 0; i < s->works; i++) /* when blanks are one */
            if (strcmp(s->work[i].text, s->work[s->works].text) == 0)
                return wrong(r, s->work[s->works].line, s->work[i].text, "another workload: it is in the list already");
    }
    for (s->seeds = 0; s->seeds < r->seeds.n; s->seeds++) {
        const struct item *item = &r->seeds.item[s->seeds];
        char *end;
        errno = 0;
        unsigned long long n = strtoull(item->text, &end, 10);
        if (!isdigit((unsigned char)item->text[0]) || *end || errno || n > UINT32_MAX)
            return wrong(r, item->line, item->text, "a seed, 0..4294967295");
        for (size_t i = 0; i < s->seeds; i++)
            if (s->seed[i] == n)
                return wrong(r, item->line, item->text, "another seed: it is in the list already");
        s->seed[s->seeds] = (unsigned)n;
    }
    if (s->seeds == 0)
        s->seed[s->seeds++] = 1;
    if (r->counters.n > HD_SWEEP_COUNTERS)
        return wrong(r, r->counters.item[0].line, "counters", "at most 16");
    for (; s->counters < r->counters.n; s->counters++) {
        snprintf(s->counter[s->counters], sizeof s->counter[0], "%.60s", r->counters.item[s->counters].text);
        s->counter_line[s->counters] = r->counters.item[s->counters].line;
    }
    if (s->counters == 0)
        strcpy(s->counter[s->counters++], "cycles");
    if (!machines(r, s))
        return false;
    if (hd_sweep_points(s) > HD_SWEEP_POINTS)
        return wrong(r, r->works.item[0].line, "the table", "of at most 1000000 runs");
    for (size_t m = 0; m < s->machines; m++)
        for (size_t w = 0; w < s->works; w++)
            if (!fits(r, &s->machine[m], &s->work[w]))
                return false;
    return true;
}

static bool missing(const struct reader *r, const char *what)
{
    fprintf(stderr, "heddle: %s: has no `%s`, which it must have\n", r->file, what);
    return false;
}

bool hd_sweep_read(struct hd_sweep *s, const char *file)
{
    struct reader r = {.file = file};
    config_t cfg;
    *s = (struct hd_sweep){.file = file, .name = "sweep"};
    config_init(&cfg);
    bool fit = hd_config_numbers(file), good = fit && config_read_file(&cfg, file) == CONFIG_TRUE;
    if (fit && !good && config_error_type(&cfg) == CONFIG_ERR_FILE_IO)
        fprintf(stderr, "heddle: %s: cannot be read: %s\n", file, strerror(errno));
    else if (fit && !good)
        fprintf(stderr, "heddle: %s:%d: %s\n", file, config_error_line(&cfg), config_error_text(&cfg));
    good = good && settings(&r, config_root_setting(&cfg), s) && (r.configs.n || missing(&r, "configs"))
           && (r.works.n || missing(&r, "workloads")) && table(&r, s);
    config_destroy(&cfg);
    free(r.configs.item);
    free(r.set.item);
    free(r.works.item);
    free(r.seeds.item);
    free(r.counters.item);
    for (size_t i = 0; i < r.axes; i++)
        free(r.axis[i].values.item);
    return good;
}

void hd_sweep_free(struct hd_sweep *s)
{
    free(s->machine);
    free(s->work);
    free(s->seed);
    free(s->counter);
    free(s->point);
    *s = (struct hd_sweep){0};
}
