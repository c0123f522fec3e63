/* tree.c - see tree.h. */
#include "tree.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t hd_tree_status(const struct hd_tree_shape *s, const uint32_t *word, uint32_t g)
{
    uint32_t at = hd_tree_status_at(s, g);
    return s->halves ? word[at] + 2 * word[at + 2 * (s->groups + 1)] : word[at];
}

static const uint32_t *node_of(const struct hd_tree_shape *s, const uint32_t *word, uint32_t node)
{
    return &word[s->pool + HD_TREE_NODE * node];
}

/* ---- merging --------------------------------------------------------------------------------------------------------- */

void hd_tree_sort(struct hd_tree_item *item, unsigned n)
{
    for (unsigned i = 1; i < n; i++) {
        struct hd_tree_item x = item[i];
        unsigned j = i;
        for (; j > 0 && item[j - 1].key > x.key; j--)
            item[j] = item[j - 1];
        item[j] = x;
    }
}

unsigned hd_tree_merge(const uint32_t *node, const struct hd_tree_item *item, unsigned n, const uint32_t right[HD_TREE_PARTS],
                       uint32_t out[HD_TREE_PARTS][HD_TREE_NODE], uint16_t mask[HD_TREE_PARTS])
{
    struct { uint32_t key, ptr; } all[HD_TREE_FAN + HD_TREE_ITEMS];
    unsigned old = hd_tree_count(node[0]), parts = hd_tree_parts(node, n), total = 0, i = 0, o = 0;
    while (i < n || o < old)
        if (o < old && (i == n || node[HD_TREE_KEY + o] <= item[i].key)) {
            all[total].key = node[HD_TREE_KEY + o];
            all[total++].ptr = node[HD_TREE_PTR + o++];
        } else {
            all[total].key = item[i].key;
            all[total++].ptr = item[i++].ptr;
        }
    for (unsigned p = 0, from = 0; p < parts; p++) {
        unsigned size = total / parts + (p < total % parts);
        uint32_t *w = out[p];
        if (p == 0)
            memcpy(w, node, HD_TREE_NODE * sizeof *w);
        else
            memset(w, 0, HD_TREE_NODE * sizeof *w);
        w[0] = hd_tree_header(hd_tree_level(node[0]), size);
        for (unsigned k = 0; k < size; k++) {
            w[HD_TREE_KEY + k] = all[from + k].key;
            w[HD_TREE_PTR + k] = all[from + k].ptr;
        }
        w[HD_TREE_NEXT] = p + 1 < parts ? right[p + 1] : node[HD_TREE_NEXT];
        mask[p] = 0;
        for (unsigned k = 0; k < HD_TREE_NODE; k++) {
            bool used = k == 0 || k == HD_TREE_NEXT || (k - HD_TREE_KEY) % HD_TREE_FAN < size;
            mask[p] |= (uint16_t)((p == 0 ? w[k] != node[k] : used) << k);
        }
        from += size;
    }
    return parts;
}

/* ---- recovery -------------------------------------------------------------------------------------------------------- */

bool hd_tree_undo(const struct hd_tree_shape *s, const uint32_t *e, uint32_t status)
{
    return e[17] != 0 && e[17] > status && (s->blind || e[18] == hd_tree_sum(e)) && e[16] >= s->pool
           && e[16] <= s->pool + HD_TREE_NODE * (s->nodes - 1);
}

void hd_tree_recover(const struct hd_tree_shape *s, uint32_t *word, void (*put)(void *ctx, uint32_t at, uint32_t value),
                     void *ctx)
{
    for (uint32_t epoch = UINT32_MAX; epoch > 0;) { /* the latest epoch below that is still to be undone */
        uint32_t latest = 0;
        for (uint32_t g = 0; g < 2 * s->groups; g++) {
            uint32_t status = hd_tree_status(s, word, g < s->groups ? g : s->groups);
            for (uint32_t i = 0; i < s->slots; i++) {
                const uint32_t *e = &word[s->log + (g * s->slots + i) * HD_TREE_ENTRY];
                if (e[17] <= status || e[17] > epoch || !hd_tree_undo(s, e, status))
                    continue;
                if (e[17] != epoch) {
                    latest = e[17] > latest ? e[17] : latest;
                    continue;
                }
                for (uint32_t w = 0; w < HD_TREE_NODE; w++) {
                    uint32_t at = e[16] + w;
                    if (put != NULL)
                        put(ctx, at, e[w]);
                    else
                        word[at] = e[w];
                }
            }
        }
        epoch = latest;
    }
}

/* ---- invariants ------------------------------------------------------------------------------------------------------ */

/* @return the leftmost node of @level, 0: a pointer is wrong. */
static uint32_t leftmost(const struct hd_tree_shape *s, const uint32_t *word, unsigned level)
{
    uint32_t x = word[s->root];
    for (unsigned steps = 0; x != 0 && x < s->nodes && hd_tree_level(node_of(s, word, x)[0]) > level; steps++) {
        if (steps == 16)
            return 0;
        x = node_of(s, word, x)[HD_TREE_PTR];
    }
    return x < s->nodes ? x : 0;
}

/* Walks level @level from its leftmost node. @return NULL with *@n nodes in @chain, of leaves *@found keys in @key. */
static const char *walk(const struct hd_tree_shape *s, const uint32_t *word, unsigned level, uint32_t *chain, uint32_t *n,
                        uint32_t *key, uint32_t room, uint32_t *found)
{
    uint32_t x = leftmost(s, word, level), last = 0;
    if (x == 0)
        return "I4 pointer";
    for (*n = 0; x != 0; x = node_of(s, word, x)[HD_TREE_NEXT]) {
        if (x >= s->nodes || *n == s->nodes)
            return "I4 pointer";
        const uint32_t *w = node_of(s, word, x);
        if (w[0] >> 16 != HD_TREE_MAGIC)
            return "I4 pointer to an unwritten node";
        if (hd_tree_level(w[0]) != level || hd_tree_count(w[0]) == 0 || hd_tree_count(w[0]) > HD_TREE_FAN)
            return "I1 level or count";
        for (unsigned i = 0; i < hd_tree_count(w[0]); i++) {
            if (w[HD_TREE_KEY + i] <= last && (i > 0 || *n > 0))
                return "I1 keys not sorted";
            last = w[HD_TREE_KEY + i];
            if (level > 0)
                continue;
            if (w[HD_TREE_PTR + i] != hd_tree_value(last))
                return "I2 value";
            if (*found == room)
                return "I2 too many keys";
            key[(*found)++] = last;
        }
        chain[(*n)++] = x;
    }
    return NULL;
}

/* The children of a level's nodes are in the chain below, in its order, none with a key below its separator. */
static const char *children(const struct hd_tree_shape *s, const uint32_t *word, const uint32_t *chain, uint32_t n,
                            const uint32_t *below, uint32_t n_below)
{
    uint32_t at = 0;
    for (uint32_t p = 0; p < n; p++) {
        const uint32_t *w = node_of(s, word, chain[p]);
        for (unsigned i = 0; i < hd_tree_count(w[0]); i++) {
            while (at < n_below && below[at] != w[HD_TREE_PTR + i])
                at++;
            if (at == n_below)
                return "I4 child not in its level";
            if (node_of(s, word, below[at])[HD_TREE_KEY] < w[HD_TREE_KEY + i] && (p > 0 || i > 0))
                return "I1 child below its separator";
        }
    }
    return NULL;
}

const char *hd_tree_check(const struct hd_tree_shape *s, const uint32_t *word, const struct hd_tree_key *keys, uint32_t count,
                          uint32_t *scratch)
{
    uint32_t *chain[2] = {scratch, scratch + s->nodes}, *key = scratch + 2 * (size_t)s->nodes, n[2] = {0, 0}, found = 0;
    uint32_t root = word[s->root], f = 0;
    if (root == 0 || root >= s->nodes || node_of(s, word, root)[0] >> 16 != HD_TREE_MAGIC)
        return "I4 root";
    for (unsigned level = 0; level <= hd_tree_level(node_of(s, word, root)[0]); level++) {
        unsigned a = level & 1;
        const char *wrong = walk(s, word, level, chain[a], &n[a], key, count + 1, &found);
        if (wrong == NULL && level > 0)
            wrong = children(s, word, chain[a], n[a], chain[!a], n[!a]);
        if (wrong != NULL)
            return wrong;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool want = hd_tree_status(s, word, keys[i].group) >= keys[i].epoch;
        bool have = f < found && key[f] == keys[i].key;
        f += have;
        if (want && !have)
            return keys[i].epoch > 0 ? "I3 committed key lost" : "I2 old key lost";
        if (have && !want)
            return "I3 key of an epoch that was undone";
    }
    return f == found ? NULL : "I2 unknown key";
}

const char *hd_tree_name(const struct hd_tree_shape *s, uint32_t at, char text[64])
{
    static const char *const part[] = {"header", "key", "pointer", "next"};
    if (at >= s->pool) {
        unsigned w = at % HD_TREE_NODE;
        snprintf(text, 64, "node %u %s", (unsigned)((at - s->pool) / HD_TREE_NODE),
                 part[w == 0 ? 0 : w < HD_TREE_PTR ? 1 : w < HD_TREE_NEXT ? 2 : 3]);
    } else if (at >= s->log) {
        uint32_t e = (at - s->log) / HD_TREE_ENTRY, g = e / s->slots;
        snprintf(text, 64, "log entry %u of group %u%s", (unsigned)(e % s->slots), (unsigned)(g % s->groups),
                 g >= s->groups ? " (kernel)" : "");
    } else if (at >= s->status) {
        uint32_t g = (at - s->status) / 2 % (s->groups + 1);
        snprintf(text, 64, g == s->groups ? "status of the kernel" : "status of group %u", (unsigned)g);
    } else {
        snprintf(text, 64, "root");
    }
    return text;
}

/* ---- on the host ----------------------------------------------------------------------------------------------------- */

/* The node of @level whose range holds @key; nodes to the right may be missing from their parents. 0: @level is above the
 * root. */
static uint32_t find(const struct hd_tree_shape *s, const uint32_t *word, uint32_t key, unsigned level)
{
    uint32_t n = word[s->root];
    if (hd_tree_level(node_of(s, word, n)[0]) < level)
        return 0;
    for (;;) {
        const uint32_t *w = node_of(s, word, n);
        if (w[HD_TREE_NEXT] != 0 && node_of(s, word, w[HD_TREE_NEXT])[HD_TREE_KEY] <= key)
            n = w[HD_TREE_NEXT];
        else if (hd_tree_level(w[0]) == level)
            return n;
        else
            n = w[HD_TREE_PTR + hd_tree_slot(w, key)];
    }
}

static int by_key(const void *a, const void *b)
{
    const struct hd_tree_item *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

/* A root above the old one, with it and @n nodes that it has become. */
static const char *new_root(struct hd_tree_host *h, const struct hd_tree_item *item, uint32_t n, unsigned level)
{
    const struct hd_tree_shape *s = h->shape;
    uint32_t root = h->alloc(h->ctx, s->groups);
    if (root == 0 || n >= HD_TREE_FAN)
        return "no node is free for a new root";
    uint32_t *w = &h->word[s->pool + HD_TREE_NODE * root];
    memset(w, 0, HD_TREE_NODE * sizeof *w);
    w[0] = hd_tree_header(level, n + 1);
    w[HD_TREE_PTR] = h->word[s->root];
    for (uint32_t i = 0; i < n; i++) {
        w[HD_TREE_KEY + 1 + i] = item[i].key;
        w[HD_TREE_PTR + 1 + i] = item[i].ptr;
    }
    h->word[s->root] = root;
    h->word[s->root + 1] = level;
    return NULL;
}

const char *hd_tree_insert(struct hd_tree_host *h, struct hd_tree_item *item, uint32_t n, unsigned level)
{
    const struct hd_tree_shape *s = h->shape;
    for (; n > 0; level++) {
        uint32_t up = 0;
        qsort(item, n, sizeof *item, by_key);
        if (find(s, h->word, item[0].key, level) == 0)
            return new_root(h, item, n, level);
        for (uint32_t i = 0; i < n;) {
            uint32_t node = find(s, h->word, item[i].key, level), first = i;
            uint32_t *w = &h->word[s->pool + HD_TREE_NODE * node], out[HD_TREE_PARTS][HD_TREE_NODE],
                right[HD_TREE_PARTS] = {node};
            uint16_t mask[HD_TREE_PARTS];
            unsigned words = 0;
            /* What the node gets: up to the first key of the next one. */
            uint32_t next = w[HD_TREE_NEXT], bound = next ? node_of(s, h->word, next)[HD_TREE_KEY] : UINT32_MAX;
            while (i < n && (item[i].key < bound || next == 0) && find(s, h->word, item[i].key, level) == node)
                i++;
            uint32_t group = level < h->group_levels ? item[first].group : s->groups;
            if (i - first > HD_TREE_ITEMS)
                return "a node gets more than 16 keys at once: fewer keys or more leaves";
            unsigned parts = hd_tree_parts(w, i - first);
            for (unsigned p = 1; p < parts; p++)
                if ((right[p] = h->alloc(h->ctx, group)) == 0)
                    return "no node is free";
            hd_tree_merge(w, &item[first], i - first, right, out, mask);
            for (unsigned p = 0; p < parts; p++) {
                memcpy(&h->word[s->pool + HD_TREE_NODE * right[p]], out[p], sizeof out[p]);
                words += (unsigned)__builtin_popcount(mask[p]);
                if (p > 0)
                    item[up++] = (struct hd_tree_item){out[p][HD_TREE_KEY], right[p], group};
            }
            if (h->wrote != NULL)
                h->wrote(h->ctx, level, group, words);
        }
        n = up;
    }
    return NULL;
}

const char *hd_tree_complete(struct hd_tree_host *h, uint32_t *scratch, struct hd_tree_item *item)
{
    const struct hd_tree_shape *s = h->shape;
    for (unsigned level = 0; level <= hd_tree_level(node_of(s, h->word, h->word[s->root])[0]); level++) {
        uint32_t *named = scratch, n = 0, parents = leftmost(s, h->word, level + 1);
        memset(named, 0, s->nodes * sizeof *named);
        bool above = hd_tree_level(node_of(s, h->word, h->word[s->root])[0]) > level;
        for (uint32_t x = above ? parents : 0; x != 0; x = node_of(s, h->word, x)[HD_TREE_NEXT])
            for (unsigned i = 0; i < hd_tree_count(node_of(s, h->word, x)[0]); i++)
                named[node_of(s, h->word, x)[HD_TREE_PTR + i]] = 1;
        if (!above)
            named[h->word[s->root]] = 1;
        for (uint32_t x = leftmost(s, h->word, level); x != 0; x = node_of(s, h->word, x)[HD_TREE_NEXT])
            if (!named[x])
                item[n++] = (struct hd_tree_item){node_of(s, h->word, x)[HD_TREE_KEY], x, s->groups};
        const char *wrong = hd_tree_insert(h, item, n, level + 1);
        if (wrong != NULL)
            return wrong;
    }
    return NULL;
}
