/* ptree.c - a batch of updates of a tree in non-volatile memory, level by level with persist barriers (paper 4 sections 6.2 and 7:
 * undo log, barrier, nodes, barrier, epoch stamp, barrier).
 *
 * A node has 16 children and is two lines, pointers and data; a leaf is one line. Each key is in a leaf of its own, found from the
 * root by loads that depend on each other. Then its leaf is updated, and level by level each node above an updated one. A block has a
 * stretch of the keys, and of the nodes above those that are in no stretch before. Structure does not change: no splits.
 * Barriers of work-groups let blocks climb independently (Algorithm 2), of kernel scope all blocks meet behind each one (Algorithm 1).
 * Arrays lie in non-volatile memory, the counter at which blocks meet below it (nv_base = 32768). */
#include "sync.h"
#include <stdlib.h>

enum { FANOUT = 16, LEVELS = 8, LEAF = 16, NODE = 32, STAMP = 2 };

struct args {
    const struct hd_array *meet, *tree, *log, *stamp;
    uint32_t leaves, keys, blocks, scope, alu, levels;
    uint32_t offset[LEVELS], nodes[LEVELS];       /* words; of each level, leaves first */
    uint32_t *item[LEVELS], items[LEVELS], *start[LEVELS]; /* updated nodes; where those of a block begin, [blocks + 1] */
    uint32_t logged[LEVELS];                      /* entries of the log in front of a level's */
};

static uint32_t leaf_of(const struct args *g, uint32_t key)
{
    return (uint32_t)((uint64_t)key * g->leaves / g->keys);
}

static uint32_t word_of(const struct args *g, unsigned level, uint32_t i)
{
    uint32_t n = g->item[level][i], mixed = (i + 1) * 0x9e3779b1u;
    return hd_at(g->tree, g->offset[level] + n * (level ? NODE : LEAF) + (level ? LEAF : 0) + (mixed >> 28));
}

static void meet(struct hd_warp *w, const struct args *g, uint32_t *met)
{
    hd_bar(w);
    if (hd_warp_in_block(w) == 0) {
        uint32_t counter = hd_at(g->meet, 0), all = ++*met * g->blocks;
        hd_sync_atom(w, HD_AT_ADD, counter, 1, HD_ORD_RELEASE, HD_SCOPE_DEVICE);
        while (hd_use(w, hd_ld_o(w, hd_lane(0), (uint32_t[HD_MAX_LANES]){counter}, HD_ORD_ACQUIRE, HD_SCOPE_DEVICE))[0] < all)
            hd_sync_idle(w, 50);
    }
    hd_bar(w);
}

static void barrier(struct hd_warp *w, const struct args *g, uint32_t *met)
{
    if (g->scope > 0)
        hd_pbarrier(w, g->scope == 1 ? HD_SCOPE_WI : g->scope == 2 ? HD_SCOPE_WG : HD_SCOPE_DEVICE);
    if (g->scope == 3)
        meet(w, g, met);
    else if (g->scope == 1)
        hd_bar(w);
}

/* From the root to the leaves of these keys. */
static void search(struct hd_warp *w, const struct args *g, hd_mask_t mask, uint32_t first)
{
    uint32_t at[HD_MAX_LANES] = {0}, addr[HD_MAX_LANES];
    for (unsigned level = g->levels; level-- > 1;) {
        for (unsigned l = 0; l < hd_lanes(w); l++)
            addr[l] = hd_at(g->tree, g->offset[level] + at[l] * NODE
                                         + (mask >> l & 1 ? leaf_of(g, first + l) >> 4 * (level - 1) & (FANOUT - 1) : 0));
        const uint32_t *child = hd_use(w, hd_ld(w, mask, addr));
        for (unsigned l = 0; l < hd_lanes(w); l++)
            at[l] = mask >> l & 1 ? child[l] : 0;
        hd_alu(w, g->alu);
    }
}

static void ptree(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    uint32_t b = hd_block(w), step = hd_block_dim_x(w), lanes = hd_lanes(w), met = 0;
    uint32_t addr[HD_MAX_LANES], place[HD_MAX_LANES], word[HD_MAX_LANES];
    for (unsigned level = 0; level < g->levels; level++) {
        uint32_t from = g->start[level][b] + hd_warp_in_block(w) * lanes, to = g->start[level][b + 1];
        for (unsigned pass = 0; pass < 2; pass++) {       /* the log, the nodes */
            for (uint32_t i = from; i < to; i += step) {
                hd_mask_t mask = hd_lanes_below(to - i < lanes ? to - i : lanes);
                for (unsigned l = 0; l < lanes; l++) {
                    addr[l] = mask >> l & 1 ? word_of(g, level, i + l) : 0;
                    place[l] = hd_at(g->log, 2 * (g->logged[level] + i + l));
                    word[l] = i + l + 1;
                }
                if (pass == 1) {
                    hd_st(w, mask, addr, word);
                    continue;
                }
                if (level == 0)
                    search(w, g, mask, i);
                const uint32_t *old = hd_use(w, hd_ld(w, mask, addr));
                hd_alu(w, g->alu);
                hd_st(w, mask, place, addr);
                for (unsigned l = 0; l < lanes; l++)
                    place[l] += 4, word[l] = old[l] + 1;
                hd_st(w, mask, place, word);
            }
            barrier(w, g, &met);
        }
        if (hd_warp_in_block(w) == 0)
            hd_st(w, hd_lanes_below(STAMP), (uint32_t[HD_MAX_LANES]){hd_at(g->stamp, STAMP * b), hd_at(g->stamp, STAMP * b + 1)},
                  (uint32_t[HD_MAX_LANES]){level + 1, ~(level + 1)});
        barrier(w, g, &met);
        hd_bar(w);
    }
}

/* Levels, nodes and who updates which. @return words of the tree. */
static uint32_t lay_out(struct args *g, uint32_t *list)
{
    uint32_t words = 0, logged = 0;
    for (uint32_t n = g->leaves; g->levels == 0 || g->nodes[g->levels - 1] > 1; n = (n + FANOUT - 1) / FANOUT) {
        unsigned level = g->levels++;
        g->nodes[level] = n;
        g->offset[level] = words;
        words += n * (level ? NODE : LEAF);
        g->item[level] = list;
        g->start[level] = list + g->keys;
        list += g->keys + g->blocks + 1;
        for (uint32_t b = 0, key = 0; b <= g->blocks; b++) {
            for (uint32_t end = (uint32_t)((uint64_t)g->keys * b / g->blocks); key < end; key++) {
                uint32_t node = leaf_of(g, key) >> 4 * level, *items = &g->items[level];
                if (*items == 0 || g->item[level][*items - 1] != node)
                    g->item[level][(*items)++] = node;
            }
            g->start[level][b] = g->items[level];
        }
        g->logged[level] = logged;
        logged += g->items[level];
    }
    return words;
}

static const char *prepare(struct hd_work *k)
{
    const struct hd_config *c = hd_work_config(k);
    uint32_t leaves = hd_work_param(k, "leaves"), keys = hd_work_param(k, "keys"), threads = hd_work_param(k, "threads");
    keys = keys ? keys : leaves * 19 / 100 + 1;
    uint32_t most = c->sms * (c->warps * c->lanes / threads < c->blocks ? c->warps * c->lanes / threads : c->blocks);
    uint32_t blocks = (keys + threads - 1) / threads < most ? (keys + threads - 1) / threads : most;
    struct args *g = hd_work_args(k, sizeof *g + LEVELS * (size_t)(keys + blocks + 1) * sizeof(uint32_t));
    if (threads % c->lanes != 0 || blocks == 0)
        return "threads must be whole warps of a block";
    if (keys > leaves)
        return "a leaf takes one key: keys must be at most leaves";
    *g = (struct args){.leaves = leaves, .keys = keys, .blocks = blocks, .scope = hd_work_param(k, "scope"),
                       .alu = hd_work_param(k, "alu")};
    uint32_t words = lay_out(g, (uint32_t *)(void *)(g + 1));
    g->meet = hd_work_array(k, "meet", 1);
    struct hd_array *tree = hd_work_array(k, "tree", words);
    g->tree = tree;
    g->log = hd_work_array(k, "log", 2 * (uint64_t)(g->logged[g->levels - 1] + g->items[g->levels - 1]));
    g->stamp = hd_work_array(k, "stamp", STAMP * (uint64_t)blocks);
    for (unsigned level = 1; level < g->levels; level++)
        for (uint32_t n = 0; n < g->nodes[level - 1]; n++)
            tree->host[g->offset[level] + n / FANOUT * NODE + n % FANOUT] = n;
    hd_work_launch(k, &(struct hd_launch){.fn = ptree, .args = g, .grid_x = blocks, .grid_y = 1, .block_x = threads, .block_y = 1});
    return NULL;
}

static void reference(struct hd_work *k)
{
    static const char *const kr[] = {"ptree.kr_words.0", "ptree.kr_words.1", "ptree.kr_words.2", "ptree.kr_words.3"};
    static const char *const wg[] = {"ptree.wg_words.0", "ptree.wg_words.1", "ptree.wg_words.2", "ptree.wg_words.3"};
    const struct args *g = hd_work_get_args(k);
    for (unsigned level = 0; level < g->levels; level++) {
        uint32_t most = 0;
        for (uint32_t i = 0; i < g->items[level]; i++) {
            uint32_t addr = word_of(g, level, i), entry = 2 * (g->logged[level] + i);
            g->log->host[entry] = addr;
            g->log->host[entry + 1] = 1;
            g->tree->host[(addr - g->tree->addr) / 4] = i + 1;
        }
        for (uint32_t b = 0; b < g->blocks; b++)
            most = g->start[level][b + 1] - g->start[level][b] > most ? g->start[level][b + 1] - g->start[level][b] : most;
        if (level < sizeof kr / sizeof kr[0]) {
            hd_work_counter(k, kr[level], 2 * g->items[level]);
            hd_work_counter(k, wg[level], 2 * most);
        }
    }
    g->meet->host[0] = g->scope == 3 ? 3 * g->levels * g->blocks : 0;
    for (uint32_t b = 0; b < g->blocks; b++) {
        g->stamp->host[STAMP * b] = g->levels;
        g->stamp->host[STAMP * b + 1] = ~g->levels;
    }
    hd_work_counter(k, "ptree.updates", g->logged[g->levels - 1] + g->items[g->levels - 1]);
}

static const struct hd_param params[] = {
    {"leaves", 2048, 16, 1048576, "leaves, 64 bytes each"},
    {"keys", 0, 0, 1048576, "updated, each in a leaf of its own; 0: 19 of 100 leaves, as the paper"},
    {"threads", 64, 1, 1024, "a block, whole warps"},
    {"scope", 2, 0, 3, "of the persist barriers: 0 none, 1 work-item, 2 work-group, 3 kernel, behind which all blocks meet"},
    {"alu", 8, 0, 1000, "ALU instructions of a step of the search and of an update"},
    {0},
};

const struct hd_workload hd_work_ptree = {
    .name = "ptree",
    .doc = "updates of a persistent tree: undo log, nodes and epoch stamps with persist barriers between (paper 4)",
    .params = params,
    .prepare = prepare,
    .reference = reference,
};
