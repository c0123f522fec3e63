/* tree.h - a B+tree in non-volatile memory with an undo log: layout, recovery, and what must hold of the image it leaves
 * (paper 4 section 7; invariants I1 to I4). Host side: judges images; nothing here runs on the machine.
 *
 * A node is 16 words: header {magic:16, level:8, count:8}, 7 keys, 7 children (leaves: values), the node to its right (0: none).
 * Nodes have numbers from 1. Separator i is at most the lowest key of child i; a search moves right while the next node's first
 * key is not above it. Root: a grain {node, height}. Epoch status table: a grain {epoch, epoch} a group, then one of the kernel.
 * Log: of each group, then of each group in kernel phases, `slots` entries of 32 words: 16 old words, word address of the node,
 * epoch, checksum. All offsets are words from the start of the image. */
#ifndef HD_TREE_H
#define HD_TREE_H
#include "crash.h"

enum { HD_TREE_FAN = 7, HD_TREE_KEY = 1, HD_TREE_PTR = 8, HD_TREE_NEXT = 15, HD_TREE_NODE = 16, HD_TREE_ENTRY = 32,
       HD_TREE_MAGIC = 0xb700 };

struct hd_tree_shape {
    uint32_t root, status, log, pool; /* words */
    uint32_t groups, slots, nodes;    /* log regions are 2 groups x slots; nodes below `nodes` */
};

/* A key that may be in the tree: of the start (epoch 0), or of group @group's leaf epoch @epoch; kernel: group == groups. */
struct hd_tree_key {
    uint32_t key, group, epoch;
};

/* A leaf's value for @key. */
static inline uint32_t hd_tree_value(uint32_t key)
{
    return key ^ 0x5a5a5a5a;
}

/* Of the 18 first words of a log entry; not 0. */
static inline uint32_t hd_tree_sum(const uint32_t *entry)
{
    uint32_t h = 2166136261u;
    for (unsigned i = 0; i < 18; i++)
        h = (h ^ entry[i]) * 16777619u, h ^= h >> 15;
    return h | 1;
}

/* Undoes every logged node of an epoch later than its group's status, the latest epoch first. Writes only nodes: again and
 * again, or cut off and again, leaves the same. */
void hd_tree_recover(const struct hd_tree_shape *s, struct hd_crash_image *m);

/* @keys rise. @scratch: 2 nodes + count + 1 words. @return NULL, or the invariant that a recovered image breaks. */
const char *hd_tree_check(const struct hd_tree_shape *s, const struct hd_crash_image *m, const struct hd_tree_key *keys,
                          uint32_t count, uint32_t *scratch);
#endif
