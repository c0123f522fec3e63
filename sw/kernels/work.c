/* work.c - see work.h. */
#include "work.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 16384, MAX_ARRAYS = 16, MAX_PARAMS = 16, MAX_COUNTERS = 16, MAX_MORE = 8 };

#define DECLARE(name) extern const struct hd_workload hd_work_##name;
HD_WORKLOADS(DECLARE)
#define ADDRESS(name) &hd_work_##name,
static const struct hd_workload *const all[] = {HD_WORKLOADS(ADDRESS) NULL};

static const struct hd_param resident = {"resident", 0, 0, 8, "blocks at a time on an SM; 0 = as many as fit"};

struct hd_work {
    const struct hd_workload *workload;
    const struct hd_config *c;
    struct hd_simt *simt;          /* during prepare() */
    uint64_t random;
    uint32_t value[MAX_PARAMS];    /* as in the table, `resident` behind the last */
    bool set[MAX_PARAMS];          /* by hd_work_set() */
    bool full;                     /* size=full */
    struct hd_array array[MAX_ARRAYS];
    size_t arrays;
    uint64_t top;                  /* first free address */
    bool durable;                  /* at or above nv_base */
    void *args, *more[MAX_MORE];
    size_t mores;
    struct hd_counter counter[MAX_COUNTERS];
    size_t counters;
    const struct hd_nvram *nvram;  /* during reference() */
    const char *refused;           /* by the runtime, or no memory */
    uint32_t spare[1];             /* what an array without memory points to */
    char fail[240];
};

const struct hd_workload *const *hd_workloads(void)
{
    return all;
}

const struct hd_workload *hd_workload_find(const char *name)
{
    for (size_t i = 0; all[i]; i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}

/* @return parameter number @i of the table, then `resident`, then NULL. */
static const struct hd_param *param(const struct hd_workload *w, size_t i)
{
    size_t n = 0;
    while (w->params[n].name)
        n++;
    return i < n ? &w->params[i] : i == n ? &resident : NULL;
}

static size_t find(const struct hd_workload *w, const char *name, size_t length)
{
    size_t i = 0;
    for (const struct hd_param *p; (p = param(w, i)); i++)
        if (strlen(p->name) == length && memcmp(p->name, name, length) == 0)
            break;
    return i;
}

struct hd_work *hd_work_new(const struct hd_workload *w, const struct hd_config *c, uint64_t seed)
{
    struct hd_work *k = calloc(1, sizeof *k);
    if (!k)
        return NULL;
    k->workload = w;
    k->c = c;
    k->random = seed;
    k->top = ALIGN; /* nothing at address 0 */
    const struct hd_param *p;
    for (size_t i = 0; (p = param(w, i)); i++)
        k->value[i] = p->def;
    return k;
}

void hd_work_free(struct hd_work *k)
{
    if (!k)
        return;
    for (size_t i = 0; i < k->arrays; i++) {
        if (k->array[i].host != k->spare)
            free(k->array[i].host);
        free(k->array[i].result);
    }
    for (size_t i = 0; i < k->mores; i++)
        free(k->more[i]);
    free(k->args);
    free(k);
}

static int set_size(struct hd_work *k, const char *size)
{
    k->full = strcmp(size, "full") == 0;
    if (k->full || strcmp(size, "reduced") == 0)
        return 0;
    fprintf(stderr, "heddle: %s: size = %s: must be reduced or full\n", k->workload->name, size);
    return -1;
}

int hd_work_set(struct hd_work *k, const char *assignment)
{
    const char *name = k->workload->name;
    const char *equals = strchr(assignment, '=');
    size_t length = equals ? (size_t)(equals - assignment) : strlen(assignment);
    if (k->workload->full && equals && length == 4 && memcmp(assignment, "size", 4) == 0)
        return set_size(k, equals + 1);
    size_t i = find(k->workload, assignment, length);
    const struct hd_param *p = param(k->workload, i);
    if (!equals) {
        fprintf(stderr, "heddle: %s %s: must be key=value\n", name, assignment);
        return -1;
    }
    if (!p) {
        fprintf(stderr, "heddle: %s %s: unknown key '%.*s'; `heddle list` prints the keys\n", name, assignment,
                (int)length, assignment);
        return -1;
    }
    char *end;
    errno = 0;
    long long v = strtoll(equals + 1, &end, 0);
    if (end == equals + 1 || *end || errno || v < p->min || v > p->max) {
        fprintf(stderr, "heddle: %s: %s = %s: must be %u..%u\n", name, p->name, equals + 1, p->min, p->max);
        return -1;
    }
    k->value[i] = (uint32_t)v;
    k->set[i] = true;
    return 0;
}

uint32_t hd_work_param(const struct hd_work *k, const char *name)
{
    size_t i = find(k->workload, name, strlen(name));
    if (!param(k->workload, i)) {
        fprintf(stderr, "heddle: %s has no parameter '%s'\n", k->workload->name, name);
        abort();
    }
    return k->value[i];
}

const struct hd_config *hd_work_config(const struct hd_work *k)
{
    return k->c;
}

const char *hd_work_origin(const struct hd_work *k, const char *name, char text[300])
{
    char buffer[32];
    const char *key;
    for (size_t i = 0; (key = hd_config_key(k->c, i, buffer, NULL)); i++) {
        int line = k->c->line[i];
        if (strcmp(key, name) != 0)
            continue;
        if (line > 0)
            snprintf(text, 300, "%s is set in %.200s:%d", name, k->c->file, line);
        else
            snprintf(text, 300, "%s is %s", name, line < 0 ? "set by --set" : "the default");
    }
    return text;
}

struct hd_array *hd_work_array(struct hd_work *k, const char *name, uint64_t words)
{
    if (k->arrays == MAX_ARRAYS) {
        fprintf(stderr, "heddle: %s has more than %d arrays\n", k->workload->name, MAX_ARRAYS);
        abort();
    }
    struct hd_array *a = &k->array[k->arrays++];
    *a = (struct hd_array){.name = name, .addr = (uint32_t)k->top, .words = (uint32_t)words};
    uint64_t next = k->top + (words * 4 + ALIGN - 1) / ALIGN * ALIGN;
    if (words <= UINT32_MAX / 4 && next <= UINT32_MAX)
        a->host = calloc(words ? words : 1, sizeof *a->host);
    if (!a->host) {
        k->refused = "its arrays do not fit into memory";
        a->host = k->spare;
        a->words = 0;
        return a;
    }
    k->top = next;
    return a;
}

struct hd_array *hd_work_durable(struct hd_work *k, const char *name, uint64_t words)
{
    uint64_t base = k->c->nv_base;
    if (base > 0 && base + words * 4 < UINT64_C(1) << 31 && !k->durable) {
        if (k->top > base)
            k->refused = "nv_base lies in its volatile arrays; nv_base = 536870912, as in configs/paper4.cfg, is above them";
        else
            k->top = (base + ALIGN - 1) / ALIGN * ALIGN;
        k->durable = true;
    }
    return hd_work_array(k, name, words);
}

void hd_work_fill(struct hd_work *k, struct hd_array *m, uint32_t rows, uint32_t cols, uint32_t pitch)
{
    for (uint32_t i = 0; i < rows && m->words; i++)
        for (uint32_t j = 0; j < cols; j++)
            m->host[i * pitch + j] = hd_word(hd_work_random_float(k));
}

void *hd_work_args(struct hd_work *k, size_t bytes)
{
    k->args = calloc(1, bytes);
    if (!k->args)
        abort();
    return k->args;
}

void *hd_work_more(struct hd_work *k, size_t bytes)
{
    void *m = k->mores < MAX_MORE ? calloc(1, bytes ? bytes : 1) : NULL;
    if (m == NULL)
        abort();
    return k->more[k->mores++] = m;
}

void *hd_work_get_args(const struct hd_work *k)
{
    return k->args;
}

void hd_work_launch(struct hd_work *k, const struct hd_launch *l)
{
    struct hd_launch with = *l;
    uint32_t blocks = hd_work_param(k, "resident");
    if (blocks)
        with.resident = blocks;
    const char *why = hd_simt_add(k->simt, &with);
    if (why && !k->refused)
        k->refused = why;
}

void hd_work_reach(struct hd_work *k, uint64_t top)
{
    if (top > k->top)
        k->top = top;
}

const struct hd_workload *hd_work_self(const struct hd_work *k)
{
    return k->workload;
}

const struct hd_array *hd_work_array_at(const struct hd_work *k, size_t i)
{
    return i < k->arrays ? &k->array[i] : NULL;
}

uint64_t hd_work_top(const struct hd_work *k)
{
    return k->top;
}

uint64_t hd_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint32_t hd_random_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)((hd_random(state) >> 32) * n >> 32);
}

uint64_t hd_work_random(struct hd_work *k)
{
    return hd_random(&k->random);
}

uint32_t hd_work_random_below(struct hd_work *k, uint32_t n)
{
    return hd_random_below(&k->random, n);
}

float hd_work_random_float(struct hd_work *k)
{
    return (float)((int)hd_work_random_below(k, 8192) - 4096) / 4096.0f;
}

void hd_work_fail(struct hd_work *k, const char *format, ...)
{
    if (k->fail[0])
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(k->fail, sizeof k->fail, format, args);
    va_end(args);
}

void hd_work_counter(struct hd_work *k, const char *name, uint64_t value)
{
    if (k->counters < MAX_COUNTERS)
        k->counter[k->counters++] = (struct hd_counter){name, value};
}

int hd_work_prepare(struct hd_work *k, struct hd_simt *s)
{
    const struct hd_full *f = k->full ? k->workload->full : NULL;
    for (; f && f->name; f++) {
        size_t i = find(k->workload, f->name, strlen(f->name));
        if (!k->set[i])
            k->value[i] = f->value;
    }
    k->simt = s;
    const char *why = k->workload->prepare(k);
    if (!why)
        why = k->refused;
    if (why) {
        fprintf(stderr, "heddle: %s: %s\n", k->workload->name, why);
        return -1;
    }
    hd_simt_limit(s, ALIGN, k->top);
    return 0;
}

void hd_work_image(struct hd_work *k, const uint32_t *word, uint32_t base, uint32_t words)
{
    for (size_t i = 0; i < k->arrays; i++) {
        struct hd_array *a = &k->array[i];
        if (a->addr >= base && (a->addr - base) / 4 < words && a->words <= words - (a->addr - base) / 4)
            memcpy(a->host, word + (a->addr - base) / 4, a->words * sizeof *a->host);
    }
}

void hd_work_load(const struct hd_work *k, struct hd_machine *m)
{
    for (size_t i = 0; i < k->arrays; i++)
        for (uint32_t j = 0; j < k->array[i].words; j++)
            hd_machine_poke(m, k->array[i].addr + 4 * j, k->array[i].host[j]);
}

static void compare(struct hd_work *k, const struct hd_array *a)
{
    uint32_t wrong = 0, first = 0;
    for (uint32_t j = 0; j < a->words; j++)
        if (a->host[j] != a->result[j] && wrong++ == 0)
            first = j;
    if (wrong)
        hd_work_fail(k, "%s[%u] at 0x%08x: reference 0x%08x (%g), hardware 0x%08x (%g); %u of %u words differ",
                     a->name, first, a->addr + 4 * first, a->host[first], (double)hd_float(a->host[first]),
                     a->result[first], (double)hd_float(a->result[first]), wrong, a->words);
}

const struct hd_nvram *hd_work_nvram(const struct hd_work *k)
{
    return k->nvram;
}

const char *hd_work_check(struct hd_work *k, struct hd_machine *m)
{
    for (size_t i = 0; i < k->arrays; i++) {
        struct hd_array *a = &k->array[i];
        a->result = malloc((size_t)a->words * sizeof *a->result);
        if (!a->result)
            return "no memory to read the arrays back";
        for (uint32_t j = 0; j < a->words; j++)
            a->result[j] = hd_machine_peek(m, a->addr + 4 * j);
    }
    k->nvram = hd_machine_nvram(m, 0);
    k->workload->reference(k);
    for (size_t i = 0; i < k->arrays; i++)
        if (!k->array[i].free_form)
            compare(k, &k->array[i]);
    return k->fail[0] ? k->fail : NULL;
}

const char *hd_work_param_at(const struct hd_work *k, size_t i, uint32_t *value)
{
    const struct hd_param *p = param(k->workload, i);
    if (!p)
        return NULL;
    *value = k->value[i];
    return p->name;
}

size_t hd_work_counters(const struct hd_work *k, const struct hd_counter **list)
{
    *list = k->counter;
    return k->counters;
}

uint64_t hd_work_counter_value(const struct hd_work *k, const char *name)
{
    for (size_t i = 0; i < k->counters; i++)
        if (strcmp(k->counter[i].name, name) == 0)
            return k->counter[i].value;
    return 0;
}

