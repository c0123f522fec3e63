/* programs.c - see programs.h. */
#include "programs.h"
#include "tree.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- kv: no key without its value ------------------------------------------------------------------------------------ */

enum { FEW = 256 };

struct kv {
    uint32_t value, key, slots;       /* byte addresses of the first */
    unsigned step;                    /* from one to the next 1 << step bytes */
    /* of the last image with few words of its own: */
    uint32_t bads;                    /* slots that have a key without its value */
    bool *bad;                        /* [slots] */
    uint32_t put[FEW];                /* those words */
    size_t puts, durables;            /* lines that were durable */
    unsigned plays;
    char wrong[160];
};

static uint32_t kv_addr(const struct kv *t, uint32_t first, uint32_t i)
{
    return first + (i << t->step);
}

static uint32_t kv_key(const struct kv *t, const struct hd_crash_image *m, uint32_t i)
{
    return hd_crash_get(m, kv_addr(t, t->key, i));
}

static bool kv_bad(const struct kv *t, const struct hd_crash_image *m, uint32_t i)
{
    uint32_t key = kv_key(t, m, i);
    return key != 0 && (key != i + 1 || hd_crash_get(m, kv_addr(t, t->value, i)) != (key ^ 0x5a5a5a5a));
}

static void kv_slot(struct kv *t, const struct hd_crash_image *m, uint32_t i)
{
    bool bad = kv_bad(t, m, i);
    t->bads += (uint32_t)bad - t->bad[i];
    t->bad[i] = bad;
}

/* The slots a word of the image is in: of an array of values and of one of keys, which may be one. */
static void kv_word(struct kv *t, const struct hd_crash_image *m, uint32_t at)
{
    uint32_t addr = m->base + 4 * at, of_value = (addr - t->value) >> t->step, of_key = (addr - t->key) >> t->step;
    if (addr >= t->value && of_value < t->slots)
        kv_slot(t, m, of_value);
    if (addr >= t->key && of_key < t->slots && (of_key != of_value || t->key < t->value))
        kv_slot(t, m, of_key);
}

/* @return the first slot that is bad, or NULL. */
static const char *kv_first(struct kv *t, const struct hd_crash_image *m)
{
    for (uint32_t i = 0; i < t->slots; i++) {
        if (!kv_bad(t, m, i))
            continue;
        snprintf(t->wrong, sizeof t->wrong, "key %u at 0x%x without its value at 0x%x (0x%x)", (unsigned)kv_key(t, m, i),
                 (unsigned)kv_addr(t, t->key, i), (unsigned)kv_addr(t, t->value, i),
                 (unsigned)hd_crash_get(m, kv_addr(t, t->value, i)));
        return t->wrong;
    }
    return NULL;
}

/* Of an image with few words of its own only what may have changed since the last such image is looked at. */
static const char *kv_check(void *self, const struct hd_crash_image *m)
{
    struct kv *t = self;
    if (m->puts > FEW)
        return kv_first(t, m);
    if (t->plays != m->plays) {
        for (uint32_t i = 0; i < t->slots; i++)
            kv_slot(t, m, i);
        t->plays = m->plays;
    } else {
        for (size_t k = 0; k < t->puts; k++)
            kv_word(t, m, t->put[k]);
        for (size_t k = t->durables; k < m->durables; k++)
            for (unsigned w = 0; w < m->line_words; w++)
                kv_word(t, m, m->durable[k] + w);
        for (size_t k = 0; k < m->puts; k++)
            kv_word(t, m, m->put[k].at);
    }
    t->durables = m->durables;
    for (t->puts = 0; t->puts < m->puts; t->puts++)
        t->put[t->puts] = m->put[t->puts].at;
    return t->bads == 0 ? NULL : kv_first(t, m);
}

static const char *kv_open(const struct hd_work *k, struct hd_crash_program *p, struct hd_crash_image *m)
{
    const struct hd_array *value = hd_work_array_at(k, 0), *key = hd_work_array_at(k, 1);
    struct kv *t = calloc(1, sizeof *t);
    if (t == NULL)
        return "there is no memory";
    bool together = hd_work_param(k, "together") != 0;
    *t = (struct kv){.value = value->addr, .key = together ? value->addr + 4 : key->addr, .step = together ? 3 : 2,
                     .slots = together ? value->words / 2 : value->words};
    t->bad = calloc(t->slots, sizeof *t->bad);
    if (t->bad == NULL)
        return free(t), "there is no memory";
    *p = (struct hd_crash_program){.self = t, .check = kv_check};
    return value->addr < m->base ? "its arrays must lie at or above nv_base" : NULL;
}

static void kv_close(struct hd_crash_program *p)
{
    struct kv *t = p->self;
    if (t != NULL)
        free(t->bad);
    free(t);
}

/* ---- ptree: the B+tree with its undo log ------------------------------------------------------------------------------ */

struct tree {
    const struct hd_tree_run *run;
    uint32_t first, *scratch;          /* word of the image the tree starts at */
    /* of a copy that is resumed, which may need more nodes than the run made */
    struct hd_tree_shape wider;
    uint32_t *copy, next;
    bool *used;                        /* [nodes] */
    struct hd_tree_item *item;
    struct hd_tree_key *all;
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

/* ---- resuming it: insertions into parents that were cut off, then the keys that are missing, batch by batch (I5) ------ */

static uint32_t free_node(void *ctx, uint32_t group)
{
    struct tree *t = ctx;
    (void)group;
    while (t->next < t->wider.nodes && t->used[t->next])
        t->next++;
    return t->next < t->wider.nodes ? t->next++ : 0;
}

/* Marks what is in the tree: the rest is free, what the power cut has left there too. */
static void mark(struct tree *t)
{
    const struct hd_tree_shape *s = &t->wider;
    memset(t->used, 0, s->nodes * sizeof *t->used);
    for (uint32_t down = t->copy[s->root]; down != 0;) {
        const uint32_t *w = &t->copy[s->pool + HD_TREE_NODE * down];
        for (uint32_t x = down; x != 0; x = t->copy[s->pool + HD_TREE_NODE * x + HD_TREE_NEXT])
            t->used[x] = true;
        down = hd_tree_level(w[0]) > 0 ? w[HD_TREE_PTR] : 0;
    }
    t->next = 1;
}

static const char *tree_resume(void *self, const struct hd_crash_image *m)
{
    struct tree *t = self;
    const struct hd_tree_run *run = t->run;
    struct hd_tree_host host = {&t->wider, t->copy, free_node, NULL, t, 0};
    memcpy(t->copy, m->word + t->first, run->words * sizeof *t->copy);
    memset(t->copy + run->words, 0, (t->wider.nodes - run->shape.nodes) * HD_TREE_NODE * sizeof *t->copy);
    mark(t);
    const char *wrong = hd_tree_complete(&host, t->scratch, t->item);
    for (uint32_t batch = 0; batch < 16 && wrong == NULL; batch++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < run->keys; i++) {
            const struct hd_tree_key *k = &run->key[i];
            if (k->epoch == hd_tree_epoch(batch, 0) && hd_tree_status(&run->shape, t->copy, k->group) < k->epoch)
                t->item[n++] = (struct hd_tree_item){k->key, hd_tree_value(k->key), 0};
        }
        wrong = hd_tree_insert(&host, t->item, n, 0);
    }
    return wrong ? wrong : hd_tree_check(&t->wider, t->copy, t->all, run->keys, t->scratch);
}

static const char *tree_name(void *self, uint32_t addr, char text[64])
{
    struct tree *t = self;
    return hd_tree_name(&t->run->shape, (addr - t->run->addr) / 4, text);
}

static void tree_close(struct hd_crash_program *p)
{
    struct tree *t = p->self;
    free(t->scratch), free(t->copy), free(t->used), free(t->item), free(t->all);
    free(t);
}

static const char *tree_open(const struct hd_work *k, struct hd_crash_program *p, struct hd_crash_image *m)
{
    const struct hd_tree_run *run = hd_tree_run(k);
    struct tree *t = calloc(1, sizeof *t);
    if (t == NULL)
        return "there is no memory";
    *t = (struct tree){.run = run, .first = (run->addr - m->base) / 4, .wider = run->shape};
    *p = (struct hd_crash_program){t, tree_recover, tree_check, tree_resume, tree_name};
    t->wider.nodes += run->keys + 16;
    size_t nodes = t->wider.nodes, words = run->words + (nodes - run->shape.nodes) * HD_TREE_NODE;
    t->scratch = malloc((2 * nodes + run->keys + 1) * sizeof *t->scratch);
    t->copy = malloc(words * sizeof *t->copy);
    t->used = malloc(nodes * sizeof *t->used);
    t->item = malloc((nodes + run->keys) * sizeof *t->item);
    t->all = malloc(run->keys * sizeof *t->all);
    if (t->scratch == NULL || t->copy == NULL || t->used == NULL || t->item == NULL || t->all == NULL)
        return "there is no memory";
    if (run->addr < m->base || run->shape.slots == 0)
        return "wants log=1, and the tree at or above nv_base";
    for (uint32_t i = 0; i < run->keys; i++)
        t->all[i] = (struct hd_tree_key){run->key[i].key, 0, 0};
    memcpy(m->word + t->first, run->start, run->words * sizeof *m->word);
    return NULL;
}

/* ---- list ------------------------------------------------------------------------------------------------------------ */

const struct hd_crash_workload hd_crash_workloads[] = {
    {"kv", kv_open, kv_close},
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
