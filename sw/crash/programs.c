/* programs.c - see programs.h. */
#include "programs.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- kv: no key without its value ------------------------------------------------------------------------------------ */

struct kv {
    uint32_t value, key, slots, step; /* byte addresses of the first; bytes from one to the next */
    char wrong[160];
};

static const char *kv_check(void *self, const struct hd_crash_image *m)
{
    struct kv *t = self;
    for (uint32_t i = 0; i < t->slots; i++) {
        uint32_t key = hd_crash_get(m, t->key + t->step * i), value = hd_crash_get(m, t->value + t->step * i);
        if (key == 0)
            continue;
        if (key == i + 1 && value == (key ^ 0x5a5a5a5a))
            continue;
        snprintf(t->wrong, sizeof t->wrong, "key %u at 0x%x without its value at 0x%x (0x%x)", (unsigned)key,
                 (unsigned)(t->key + t->step * i), (unsigned)(t->value + t->step * i), (unsigned)value);
        return t->wrong;
    }
    return NULL;
}

static const char *kv_open(const struct hd_work *k, struct hd_crash_program *p, struct hd_crash_image *m)
{
    const struct hd_array *value = hd_work_array_at(k, 0), *key = hd_work_array_at(k, 1);
    struct kv *t = calloc(1, sizeof *t);
    if (t == NULL)
        return "there is no memory";
    bool together = hd_work_param(k, "together") != 0;
    *t = (struct kv){.value = value->addr, .key = together ? value->addr + 4 : key->addr, .step = together ? 8 : 4,
                     .slots = together ? value->words / 2 : value->words};
    *p = (struct hd_crash_program){.self = t, .check = kv_check};
    return value->addr < m->base ? "its arrays must lie at or above nv_base" : NULL;
}

static void free_self(struct hd_crash_program *p)
{
    free(p->self);
}

/* ---- list ------------------------------------------------------------------------------------------------------------ */

const struct hd_crash_workload hd_crash_workloads[] = {
    {"kv", kv_open, free_self},
    {0},
};

const struct hd_crash_workload *hd_crash_workload(const char *name)
{
    for (const struct hd_crash_workload *w = hd_crash_workloads; w->name != NULL; w++)
        if (strcmp(w->name, name) == 0)
            return w;
    return NULL;
}
