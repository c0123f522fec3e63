/* tree.c - see tree.h. */
#include "tree.h"

static uint32_t header(const struct hd_tree_shape *s, const struct hd_crash_image *m, uint32_t node)
{
    return m->word[s->pool + HD_TREE_NODE * node];
}

static const uint32_t *words(const struct hd_tree_shape *s, const struct hd_crash_image *m, uint32_t node)
{
    return &m->word[s->pool + HD_TREE_NODE * node];
}

static unsigned level_of(uint32_t header)
{
    return header >> 8 & 255;
}

static unsigned count_of(uint32_t header)
{
    return header & 255;
}

/* Whether log entry @e of a group with status @status is to be undone. */
static bool valid(const struct hd_tree_shape *s, const uint32_t *e, uint32_t status)
{
    return e[17] != 0 && e[17] > status && e[18] == hd_tree_sum(e) && e[16] >= s->pool
           && e[16] <= s->pool + HD_TREE_NODE * (s->nodes - 1);
}

void hd_tree_recover(const struct hd_tree_shape *s, struct hd_crash_image *m)
{
    for (uint32_t epoch = UINT32_MAX; epoch > 0;) { /* the latest epoch below that is still to be undone */
        uint32_t latest = 0;
        for (uint32_t g = 0; g < 2 * s->groups; g++) {
            uint32_t status = m->word[s->status + 2 * (g < s->groups ? g : s->groups)];
            for (uint32_t i = 0; i < s->slots; i++) {
                const uint32_t *e = &m->word[s->log + (g * s->slots + i) * HD_TREE_ENTRY];
                if (e[17] > status && e[17] <= epoch && valid(s, e, status)) {
                    if (e[17] == epoch)
                        for (uint32_t w = 0; w < HD_TREE_NODE; w++)
                            hd_crash_put(m, m->base + 4 * (e[16] + w), e[w]);
                    else if (e[17] > latest)
                        latest = e[17];
                }
            }
        }
        epoch = latest;
    }
}

/* Walks level @level from its leftmost node. @return NULL with *@n nodes in @chain, of leaves *@found keys in @key. */
static const char *walk(const struct hd_tree_shape *s, const struct hd_crash_image *m, unsigned level, uint32_t *chain,
                        uint32_t *n, uint32_t *key, uint32_t room, uint32_t *found)
{
    uint32_t x = m->word[s->root], last = 0;
    for (unsigned steps = 0; x != 0 && x < s->nodes && level_of(header(s, m, x)) > level; steps++) {
        if (steps == 16)
            return "I4 pointer";
        x = words(s, m, x)[HD_TREE_PTR];
    }
    if (x == 0 || x >= s->nodes)
        return "I4 pointer";
    for (*n = 0; x != 0; x = words(s, m, x)[HD_TREE_NEXT]) {
        if (x >= s->nodes || *n == s->nodes)
            return "I4 pointer";
        const uint32_t *w = words(s, m, x);
        if (w[0] >> 16 != HD_TREE_MAGIC)
            return "I4 pointer to an unwritten node";
        if (level_of(w[0]) != level || count_of(w[0]) == 0 || count_of(w[0]) > HD_TREE_FAN)
            return "I1 level or count";
        for (unsigned i = 0; i < count_of(w[0]); i++) {
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
static const char *children(const struct hd_tree_shape *s, const struct hd_crash_image *m, const uint32_t *chain, uint32_t n,
                            const uint32_t *below, uint32_t n_below)
{
    uint32_t at = 0;
    for (uint32_t p = 0; p < n; p++) {
        const uint32_t *w = words(s, m, chain[p]);
        for (unsigned i = 0; i < count_of(w[0]); i++) {
            while (at < n_below && below[at] != w[HD_TREE_PTR + i])
                at++;
            if (at == n_below)
                return "I4 child not in its level";
            if (words(s, m, below[at])[HD_TREE_KEY] < w[HD_TREE_KEY + i] && (p > 0 || i > 0))
                return "I1 child below its separator";
        }
    }
    return NULL;
}

const char *hd_tree_check(const struct hd_tree_shape *s, const struct hd_crash_image *m, const struct hd_tree_key *keys,
                          uint32_t count, uint32_t *scratch)
{
    uint32_t *chain[2] = {scratch, scratch + s->nodes}, *key = scratch + 2 * (size_t)s->nodes, n[2] = {0, 0}, found = 0;
    uint32_t root = m->word[s->root], f = 0;
    if (root == 0 || root >= s->nodes || header(s, m, root) >> 16 != HD_TREE_MAGIC)
        return "I4 root";
    for (unsigned level = 0; level <= level_of(header(s, m, root)); level++) {
        unsigned a = level & 1;
        const char *wrong = walk(s, m, level, chain[a], &n[a], key, count + 1, &found);
        if (wrong == NULL && level > 0)
            wrong = children(s, m, chain[a], n[a], chain[!a], n[!a]);
        if (wrong != NULL)
            return wrong;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool want = m->word[s->status + 2 * keys[i].group] >= keys[i].epoch;
        bool have = f < found && key[f] == keys[i].key;
        f += have;
        if (want && !have)
            return keys[i].epoch > 0 ? "I3 committed key lost" : "I2 old key lost";
        if (have && !want)
            return "I3 key of an epoch that was undone";
    }
    return f == found ? NULL : "I2 unknown key";
}
