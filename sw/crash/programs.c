/* programs.c - see programs.h. */
#include "programs.h"
#include "tree.h"
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

/* ---- ptree: the B+tree with its undo log ------------------------------------------------------------------------------ */

struct tree {
    const struct hd_tree_run *run;
    uint32_t first, *scratch;          /* word of the image the tree starts at */
};

struct into {
    struct hd_crash_image *m;
    uint32_t addr;
};

static void put_word(void *ctx, uint32_t at, uint32_t value)
{
    struct into *i = ctx;
    hd_crash_put(i->m, i->addr + 4 * at, value);
}

static void tree_recover(void *self, struct hd_crash_image *m)
{
    struct tree *t = self;
    hd_tree_recover(&t->run->shape, m->word + t->first, put_word, &(struct into){m, t->run->addr});
}

static const char *tree_check(void *self, const struct hd_crash_image *m)
{
    struct tree *t = self;
    return hd_tree_check(&t->run->shape, m->word + t->first, t->run->key, t->run->keys, t->scratch);
}

static const char *tree_open(const struct hd_work *k, struct hd_crash_program *p, struct hd_crash_image *m)
{
    const struct hd_tree_run *run = hd_tree_run(k);
    struct tree *t = calloc(1, sizeof *t);
    if (t == NULL)
        return "there is no memory";
    *t = (struct tree){run, (run->addr - m->base) / 4,
                       malloc((2 * (size_t)run->shape.nodes + run->keys + 1) * sizeof *t->scratch)};
    *p = (struct hd_crash_program){t, tree_recover, tree_check};
    if (run->addr < m->base || run->shape.slots == 0)
        return "wants log=1, and the tree at or above nv_base";
    memcpy(m->word + t->first, run->start, run->words * sizeof *m->word);
    return t->scratch ? NULL : "there is no memory";
}

static void tree_close(struct hd_crash_program *p)
{
    struct tree *t = p->self;
    free(t->scratch);
    free(t);
}

/* ---- list ------------------------------------------------------------------------------------------------------------ */

const struct hd_crash_workload hd_crash_workloads[] = {
    {"kv", kv_open, free_self},
    {"ptree", tree_open, tree_close},
    {0},
};

const struct hd_crash_workload *hd_crash_workload(const char *name)
{
    for (const struct hd_crash_workload *w = hd_crash_workloads; w->name != NULL; w++)
        if (strcmp(w->name, name) == 0)
            return w;
    return NULL;
}
