/* tree.h - a B+tree in non-volatile memory with an undo log: layout, merging of new keys, recovery, and what must hold of an
 * image of it (paper 4 section 7; invariants I1 to I5). Host side: the kernels of ptree.c share what a lane computes in
 * registers.
 *
 * A node is 16 words: header {magic:16, level:8, count:8}, 7 keys, 7 children (leaves: values), the node to its right (0:
 * none).
 * Nodes have numbers from 1. Separator i is at most the lowest key of child i; a search moves right while the next node's first
 * key is not above it. Root: a grain {node, height}. Epoch status table: a grain {epoch, epoch} a group, then one of the
 * kernel.
 * Log: of each group, then of each group in kernel phases, `slots` entries of 32 words: 16 old words, word of the node, epoch,
 * checksum. All offsets are words from the start of the image. */
#ifndef HD_TREE_H
#define HD_TREE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HD_TREE_FAN = 7, HD_TREE_KEY = 1, HD_TREE_PTR = 8, HD_TREE_NEXT = 15, HD_TREE_NODE = 16, HD_TREE_ENTRY = 32,
       HD_TREE_MAGIC = 0xb700, HD_TREE_ITEMS = 16, HD_TREE_LEVELS = 14, HD_TREE_EPOCHS = 16 /* of a batch */ };
/* Parts a node may become: ceil((7 + 16) / 7). */
enum { HD_TREE_PARTS = 4 };

struct hd_tree_shape {
    uint32_t root, status, log, pool; /* words */
    uint32_t groups, slots, nodes;    /* log regions are 2 groups x slots; nodes below `nodes` */
    bool halves;                      /* a fault: a status is two grains, its high bits in a table behind the first */
    bool blind;                       /* a fault: recovery does not look at checksums */
};

/* A key that may be in the tree: of the start (epoch 0), or of group @group's leaf epoch @epoch; kernel: group == groups. */
struct hd_tree_key {
    uint32_t key, group, epoch;
};

/* A new key or child of a node. */
struct hd_tree_item {
    uint32_t key, ptr, group;
};

/* A leaf's value for @key. */
static inline uint32_t hd_tree_value(uint32_t key)
{
    return key ^ 0x5a5a5a5a;
}
static inline uint32_t hd_tree_header(unsigned level, unsigned count)
{
    return (uint32_t)HD_TREE_MAGIC << 16 | level << 8 | count;
}
static inline unsigned hd_tree_level(uint32_t header)
{
    return header >> 8 & 255;
}
static inline unsigned hd_tree_count(uint32_t header)
{
    return header & 255;
}
/* The epoch of a level of a batch. */
static inline uint32_t hd_tree_epoch(uint32_t batch, unsigned level)
{
    return HD_TREE_EPOCHS * batch + level + 1;
}
/* Word of group @g's status (groups: the kernel's), and the epoch there. */
static inline uint32_t hd_tree_status_at(const struct hd_tree_shape *s, uint32_t g)
{
    return s->status + 2 * g;
}
uint32_t hd_tree_status(const struct hd_tree_shape *s, const uint32_t *word, uint32_t g);

/* Of the 18 first words of a log entry; not 0. */
static inline uint32_t hd_tree_sum(const uint32_t *entry)
{
    uint32_t h = 2166136261u;
    for (unsigned i = 0; i < 18; i++)
        h = (h ^ entry[i]) * 16777619u, h ^= h >> 15;
    return h | 1;
}

/* Which child or slot of a node takes @key. */
static inline unsigned hd_tree_slot(const uint32_t *node, uint32_t key)
{
    unsigned i = hd_tree_count(node[0]);
    for (i = i ? i - 1 : 0; i > 0 && node[HD_TREE_KEY + i] > key; i--)
        ;
    return i;
}

void hd_tree_sort(struct hd_tree_item *item, unsigned n);

/* How many nodes @node becomes when @n items, at most HD_TREE_ITEMS, join it. */
static inline unsigned hd_tree_parts(const uint32_t *node, unsigned n)
{
    return (hd_tree_count(node[0]) + n + HD_TREE_FAN - 1) / HD_TREE_FAN;
}
/* Their words: out[0] of the node itself, out[p] of @right[p]; mask: words that are to be written. @item: sorted.
 * @return the parts. Separator of part p: out[p][HD_TREE_KEY]. */
unsigned hd_tree_merge(const uint32_t *node, const struct hd_tree_item *item, unsigned n, const uint32_t right[HD_TREE_PARTS],
                       uint32_t out[HD_TREE_PARTS][HD_TREE_NODE], uint16_t mask[HD_TREE_PARTS]);

/* Undoes every logged node of an epoch later than its group's status, the latest epoch first. Writes only nodes: again and
 * again, or cut off and again, leaves the same. @put: writes a word; NULL: straight into *@word. */
void hd_tree_recover(const struct hd_tree_shape *s, uint32_t *word, void (*put)(void *ctx, uint32_t at, uint32_t value),
                     void *ctx);

/* The entry of the log is to be undone by a group of this status. */
bool hd_tree_undo(const struct hd_tree_shape *s, const uint32_t *entry, uint32_t status);

/* @keys rise. @scratch: 2 nodes + count + 1 words. @return NULL, or the invariant that a recovered image breaks. */
const char *hd_tree_check(const struct hd_tree_shape *s, const uint32_t *word, const struct hd_tree_key *keys, uint32_t count,
                          uint32_t *scratch);
/* What lies at word @at, in @text, as messages name it. */
const char *hd_tree_name(const struct hd_tree_shape *s, uint32_t at, char text[64]);

/* What a batch makes of a tree, level by level, on the host. */
struct hd_tree_host {
    const struct hd_tree_shape *shape;
    uint32_t *word;
    uint32_t (*alloc)(void *ctx, uint32_t group);  /* a free node, 0: there is none */
    void (*wrote)(void *ctx, unsigned level, uint32_t group, unsigned words); /* of one node's merge; NULL: not told */
    void *ctx;
    /* at these many levels from the leaves on items keep their group, above: groups */
    unsigned group_levels;
};
/* Inserts @n items at @level, in any order; the array is used for what moves up. @return NULL, or what is wrong. */
const char *hd_tree_insert(struct hd_tree_host *h, struct hd_tree_item *item, uint32_t n, unsigned level);
/* Inserts into their parents the nodes that no parent names (their insertion was cut off). @scratch: 2 nodes words; @item:
 * nodes. */
const char *hd_tree_complete(struct hd_tree_host *h, uint32_t *scratch, struct hd_tree_item *item);

/* A run of ptree, for who cuts it off. */
struct hd_tree_run {
    struct hd_tree_shape shape;
    uint32_t addr, words;          /* of the image */
    const uint32_t *start;         /* before the run */
    const struct hd_tree_key *key; /* rising */
    uint32_t keys;
};
struct hd_work;
const struct hd_tree_run *hd_tree_run(const struct hd_work *k); /* of a ptree that is prepared */
#endif
