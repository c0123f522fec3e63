/* btree.c - the queries of Rodinia's b+tree. A block answers one query, its threads compare it with the keys of a node
 * at once, the one whose key range holds it writes the next node to memory, and all go on there after a barrier.
 * findK looks up a record by its key; findRangeK goes down for the first and the last key of a range together and
 * gives the first record's number and how many there are. All loads of a descent depend on each other.
 *
 * The node number goes from warp to warp through global memory: a fence before each barrier orders it (`fenced`). */
#include "work.h"
#include <stdlib.h>

/* A node of 517 words: its number, child or record numbers, keys, whether it is a leaf, how many keys it has. */
enum { ORDER = 256, NODE_WORDS = 4 + 2 * (ORDER + 1) - 1, INDEX = 1, KEY = INDEX + ORDER + 1, LEAF = KEY + ORDER + 1,
       COUNT = LEAF + 1, NO_KEY = 0x7fffffff };

/* The cursor of a descent: the node each block is at, and the next one; entries of 8 bytes. */
struct cursor {
    const struct hd_array *key, *current, *next;
};

struct args {
    uint32_t height, root, queries, ranges;  /* height: levels above the leaves */
    uint32_t fill;                           /* keys of a node */
    bool fenced;
    const struct hd_array *nodes, *records, *answer, *first, *length;
    struct cursor find, low, high;
    uint32_t rank[];                         /* of each query's key, then of each range's first and last */
};

static inline uint32_t node_word(const struct args *g, uint32_t node, uint32_t word)
{
    return hd_at(g->nodes, node * NODE_WORDS + word);
}

/* One word for all lanes of @mask. */
static uint32_t load_one(struct hd_warp *w, hd_mask_t mask, uint32_t addr)
{
    return hd_use(w, hd_ld_all(w, mask, addr))[(unsigned)__builtin_ctzll(mask)];
}

/* Word @word + thread of @node. */
static const uint32_t *node_row(struct hd_warp *w, hd_mask_t mask, const struct args *g, uint32_t node, uint32_t word)
{
    return hd_use(w, hd_ld_row(w, mask, node_word(g, node, word + hd_thread(w, 0))));
}

/* The thread whose range of keys holds the query stores the child's number. */
static void choose(struct hd_warp *w, const struct args *g, const struct cursor *c)
{
    uint32_t b = hd_block(w), addr[HD_MAX_LANES];
    hd_mask_t mask = hd_mask(w), above = 0, match = 0;
    uint32_t node = load_one(w, mask, hd_at(c->current, 2 * b));
    const uint32_t *key = node_row(w, mask, g, node, KEY);
    uint32_t query = load_one(w, mask, hd_at(c->key, b));
    for (unsigned l = 0; l < hd_lanes(w); l++)
        above |= (hd_mask_t)(key[l] <= query) << l;
    above &= mask;
    hd_alu(w, 4);
    if (above == 0)
        return;
    node = load_one(w, above, hd_at(c->current, 2 * b));
    key = node_row(w, above, g, node, KEY + 1);
    for (unsigned l = 0; l < hd_lanes(w); l++)
        match |= (hd_mask_t)(key[l] > query) << l;
    match &= above;
    hd_alu(w, 4);
    if (match == 0)
        return;
    node = load_one(w, match, hd_at(c->next, 2 * b)); /* the same number as in `current` */
    const uint32_t *child = node_row(w, match, g, node, INDEX);
    for (unsigned l = 0; l < hd_lanes(w); l++)
        addr[l] = hd_at(c->next, 2 * b);
    hd_st(w, match, addr, child);
}

/* Thread 0 moves the block on. */
static void move(struct hd_warp *w, const struct cursor *c)
{
    if (hd_warp_in_block(w) != 0)
        return;
    uint32_t next = load_one(w, 1, hd_at(c->next, 2 * hd_block(w)));
    hd_st_row(w, 1, hd_at(c->current, 2 * hd_block(w)), &next);
}

/* At the leaf: @return the lane whose key is the query, with its record number in *record; 0 when it is not in this
 * warp. */
static hd_mask_t leaf_match(struct hd_warp *w, const struct args *g, const struct cursor *c, uint32_t *record)
{
    uint32_t b = hd_block(w);
    hd_mask_t mask = hd_mask(w), match = 0;
    uint32_t node = load_one(w, mask, hd_at(c->current, 2 * b));
    const uint32_t *key = node_row(w, mask, g, node, KEY);
    uint32_t query = load_one(w, mask, hd_at(c->key, b));
    for (unsigned l = 0; l < hd_lanes(w); l++)
        match |= (hd_mask_t)(key[l] == query) << l;
    match &= mask;
    hd_alu(w, 4);
    if (match != 0)
        *record = node_row(w, match, g, node, INDEX)[(unsigned)__builtin_ctzll(match)];
    return match;
}

static void store_one(struct hd_warp *w, const struct hd_array *a, uint32_t value)
{
    hd_st_row(w, 1, hd_at(a, hd_block(w)), &value);
}

static void find_key(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    uint32_t record = 0;
    for (uint32_t level = 0; level < g->height; level++) {
        choose(w, g, &g->find);
        hd_sync_block(w, g->fenced);
        move(w, &g->find);
        hd_sync_block(w, g->fenced);
    }
    if (leaf_match(w, g, &g->find, &record) != 0)
        store_one(w, g->answer, load_one(w, 1, hd_at(g->records, record)));
}

static void find_range(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    uint32_t record = 0;
    for (uint32_t level = 0; level < g->height; level++) {
        choose(w, g, &g->low);
        choose(w, g, &g->high);
        hd_sync_block(w, g->fenced);
        move(w, &g->low);
        move(w, &g->high);
        hd_sync_block(w, g->fenced);
    }
    if (leaf_match(w, g, &g->low, &record) != 0)
        store_one(w, g->first, record);
    hd_sync_block(w, g->fenced);
    if (leaf_match(w, g, &g->high, &record) != 0) {
        uint32_t first = load_one(w, 1, hd_at(g->first, hd_block(w)));
        store_one(w, g->length, record - first + 1);
    }
}

/* Writes node @n over children @first ... of which @low[] are the smallest keys. */
static void write_node(uint32_t *node, uint32_t n, bool leaf, uint32_t first, uint32_t count, const uint32_t *low)
{
    node[0] = n;
    for (uint32_t i = 0; i <= ORDER; i++) {
        node[INDEX + i] = i < count ? first + i : 0;
        node[KEY + i] = i < count ? low[i] : NO_KEY;
    }
    if (!leaf)
        node[KEY] = 0; /* the first child takes everything below the second */
    node[LEAF] = leaf;
    node[COUNT] = count;
}

/* Builds the tree over @keys, level by level from the leaves. @low is room for as many words. */
static void build(struct args *g, const struct hd_array *nodes, const uint32_t *keys, uint32_t count, uint32_t fill,
                  uint32_t *low)
{
    memcpy(low, keys, count * sizeof *low);
    uint32_t next = 0, first = 0;
    for (g->height = 0;; g->height++) {
        uint32_t made = 0;
        for (uint32_t i = 0; i < count; i += fill, made++) {
            uint32_t n = count - i < fill ? count - i : fill, smallest = low[i];
            write_node(&nodes->host[(next + made) * NODE_WORDS], next + made, g->height == 0, first + i, n, &low[i]);
            low[made] = smallest;
        }
        first = next;
        next += made;
        count = made;
        if (made == 1)
            break;
    }
    g->root = next - 1;
}

static struct cursor new_cursor(struct hd_work *k, uint32_t queries, uint32_t root, const char *const name[3])
{
    struct cursor c = {.key = hd_work_array(k, name[0], queries),
                       .current = hd_work_array(k, name[1], 2 * (uint64_t)queries),
                       .next = hd_work_array(k, name[2], 2 * (uint64_t)queries)};
    for (uint32_t b = 0; b < queries && c.next->words; b++)
        c.current->host[2 * b] = c.next->host[2 * b] = root;
    return c;
}

static const char *prepare(struct hd_work *k)
{
    static const char *const find[3] = {"key", "current", "next"};
    static const char *const low[3] = {"start", "low_current", "low_next"};
    static const char *const high[3] = {"end", "high_current", "high_next"};
    uint32_t queries = hd_work_param(k, "queries"), ranges = hd_work_param(k, "ranges");
    uint32_t keys = hd_work_param(k, "keys"), fill = hd_work_param(k, "fill"), nodes = 0;
    struct args *g = hd_work_args(k, sizeof *g + (queries + 2 * (size_t)ranges) * sizeof g->rank[0]);
    g->queries = queries;
    g->ranges = ranges;
    g->fill = fill;
    g->fenced = hd_work_param(k, "fenced");
    if (queries == 0 && ranges == 0)
        return "queries and ranges are both 0: there is nothing to run";
    for (uint32_t n = keys; n > 1 || nodes == 0; nodes += n)
        n = (n + fill - 1) / fill;
    struct hd_array *tree = hd_work_array(k, "nodes", (uint64_t)nodes * NODE_WORDS);
    struct hd_array *records = hd_work_array(k, "records", keys);
    uint32_t *key = malloc(2 * (size_t)keys * sizeof *key);
    if (!key || !tree->words || !records->words) {
        free(key);
        return "no memory";
    }
    for (uint32_t i = 0; i < keys; i++) {
        key[i] = (i > 0 ? key[i - 1] : 0) + 1 + hd_work_random_below(k, 1000);
        records->host[i] = (uint32_t)hd_work_random(k) | 1;
    }
    build(g, tree, key, keys, fill, key + keys);
    g->nodes = tree;
    g->records = records;
    g->find = new_cursor(k, g->queries, g->root, find);
    g->low = new_cursor(k, g->ranges, g->root, low);
    g->high = new_cursor(k, g->ranges, g->root, high);
    g->answer = hd_work_array(k, "answer", g->queries);
    g->first = hd_work_array(k, "first", g->ranges);
    g->length = hd_work_array(k, "length", g->ranges);
    for (uint32_t q = 0; q < g->find.key->words; q++) {
        g->rank[q] = hd_work_random_below(k, keys);
        g->find.key->host[q] = key[g->rank[q]];
    }
    for (uint32_t q = 0; q < g->high.key->words; q++) {
        uint32_t *r = &g->rank[queries + 2 * q];
        r[0] = hd_work_random_below(k, keys);
        r[1] = r[0] + hd_work_random_below(k, keys - r[0] < 1000 ? keys - r[0] : 1000);
        g->low.key->host[q] = key[r[0]];
        g->high.key->host[q] = key[r[1]];
    }
    free(key);
    struct hd_launch l = {.args = g, .grid_y = 1, .block_x = ORDER, .block_y = 1};
    if (g->queries > 0) {
        l.fn = find_key;
        l.grid_x = g->queries;
        hd_work_launch(k, &l);
    }
    if (g->ranges > 0) {
        l.fn = find_range;
        l.grid_x = g->ranges;
        hd_work_launch(k, &l);
    }
    return NULL;
}

static void ends_at(const struct cursor *c, uint32_t q, uint32_t leaf)
{
    c->current->host[2 * q] = c->next->host[2 * q] = leaf;
}

/* Leaves come first among the nodes, so record r is in leaf r / fill. */
static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    const uint32_t *r = g->rank;
    for (uint32_t q = 0; q < g->queries; q++, r++) {
        g->answer->host[q] = g->records->host[r[0]];
        ends_at(&g->find, q, r[0] / g->fill);
    }
    for (uint32_t q = 0; q < g->ranges; q++, r += 2) {
        g->first->host[q] = r[0];
        g->length->host[q] = r[1] - r[0] + 1;
        ends_at(&g->low, q, r[0] / g->fill);
        ends_at(&g->high, q, r[1] / g->fill);
    }
    hd_work_counter(k, "btree.levels", g->height + 1);
}

static const struct hd_param params[] = {
    {"queries", 640, 0, 65536, "blocks of findK; 0 = without this grid"},
    {"ranges", 0, 0, 65536, "blocks of findRangeK, run after findK; 0 = without this grid"},
    {"keys", 100000, 1, 1u << 20, "keys in the tree"},
    {"fill", 128, 2, 256, "keys of a node, of 256 at most"},
    {"fenced", 1, 0, 1, "1: a fence before each barrier; 0: barriers alone, as the paper's RMO has them"},
    {0},
};

static const struct hd_full full[] = {{"queries", 2560}, {0}};

const struct hd_workload hd_work_btree = {
    .name = "b+tree",
    .doc = "look-up of keys and ranges in a B+ tree, a block a query (Rodinia, paper 1)",
    .params = params,
    .full = full,
    .prepare = prepare,
    .reference = reference,
};
