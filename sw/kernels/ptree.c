/* ptree.c - batches of keys into a B+tree in non-volatile memory, with an undo log and an epoch status table (paper 4
 * sections 6.2, 7, 8.3; Algorithms 1 and 2). tree.h has the layout.
 *
 * A lane takes a key down to its leaf and puts it on the leaf's list (in volatile memory). Then, leaves first, a lane takes
 * a node that has a list: nodes that are too full split, new nodes go on the lists of the parents. At each level: old words
 * to the log, barrier; nodes, barrier; status, barrier. Without the log (as in the paper's measurements): nodes, barrier.
 *   algorithm=1   all blocks do a level together, barriers of the kernel
 *   algorithm=2   a block has a subtree, up to the level with a node for 256 keys, with barriers of its own; above as 1
 * A level done together is a grid of its own (of the log: three): the end of a grid is where blocks meet, and blocks that
 * have yet to run need not be resident. `switch` cycles at its start stand for the work-groups being switched in.
 *
 * Nodes are read and written a line at a time by 16 lanes. recover=1: instead, a block a region of the log undoes what is in
 * it. */
#include "tree.h"
#include "work.h"
#include <stdio.h>
#include <stdlib.h>

enum { LINE = HD_TREE_NODE, LEVELS = HD_TREE_LEVELS, LIST = 2 * HD_TREE_ITEMS, TOKENS = 16,
      SPANS = HD_MAX_LANES * HD_TREE_PARTS };
enum { FIND, CLIMB, LOG, DATA, STATUS, ROOT, RECOVER };   /* what a grid does */
/* Programs that are wrong on purpose (I6); the numbers are those of the reference (tests/reference/persistency/tree.c). */
enum { NONE, NO_LOG_BARRIER, NO_DATA_BARRIER, NO_STATUS_BARRIER, WI_FOR_WG, WG_FOR_KR, NO_LOG, NO_SUM, HALVES, LOG_LATE,
      NO_NEXT,
       NO_BARRIERS, FAULTS };

/* A line, or words of one. */
struct span {
    uint32_t addr, *word;
    uint16_t mask;
};

/* What a warp holds in registers, too much for its stack; one a warp slot. */
struct regs {
    uint32_t key[HD_MAX_LANES], node[HD_MAX_LANES], at[HD_MAX_LANES], slot[HD_MAX_LANES], value[HD_MAX_LANES];
    uint32_t addr[HD_MAX_LANES], count[HD_MAX_LANES];
    uint32_t path[HD_MAX_LANES][LINE];                     /* the node, and those above it; 0 above the root */
    uint32_t line[HD_MAX_LANES][LINE], list[HD_MAX_LANES][LIST], log[HD_MAX_LANES][HD_TREE_ENTRY];
    struct hd_tree_item item[HD_MAX_LANES][HD_TREE_ITEMS];
    uint32_t out[HD_MAX_LANES][HD_TREE_PARTS][LINE], right[HD_MAX_LANES][HD_TREE_PARTS], parts[HD_MAX_LANES];
    uint16_t mask[HD_MAX_LANES][HD_TREE_PARTS];
    struct span span[SPANS];
    uint64_t words[LEVELS];                                /* stored to nodes */
};

struct args {
    struct hd_tree_run run;
    const struct hd_array *nv, *keys, *start, *above, *count, *list, *touched[2][2], *touches, *used;
    uint32_t batch_keys, batches, groups, group_levels, algorithm, barriers, logged, fault, alu, pause, threads, recovering;
    uint32_t *offset;                                      /* [batches][groups + 1] first key of a group */
    uint32_t *base;                                        /* [groups + 1] first node of a group's chunk */
    struct regs *regs;
    unsigned slots;                                        /* of warps, an SM */
    uint64_t *words;                                       /* golden: [LEVELS][groups + 1] */
    uint32_t *scratch;
    struct hd_tree_key *known;
};

/* A grid. */
struct step {
    struct args *g;
    uint32_t batch, level, what;
};

static struct regs *regs_of(struct hd_warp *w, const struct args *g)
{
    return &g->regs[hd_warp_sm(w) * g->slots + hd_warp_slot(w)];
}

static uint32_t node_at(const struct args *g, uint32_t node)
{
    return hd_at(g->nv, g->run.shape.pool + LINE * node);
}

/* ---- lines ----------------------------------------------------------------------------------------------------------- */

/* Lanes @mask of words [@from ..) of the spans, one word a lane. */
static hd_mask_t spread(struct hd_warp *w, const struct span *s, unsigned n, unsigned from, uint32_t *addr, uint32_t *value)
{
    hd_mask_t mask = 0;
    for (unsigned l = 0; l < hd_lanes(w) && from + l < n * LINE; l++) {
        const struct span *x = &s[(from + l) / LINE];
        unsigned i = (from + l) % LINE;
        addr[l] = x->addr + 4 * i;
        if (value != NULL)
            value[l] = x->word[i];
        mask |= (hd_mask_t)(x->mask >> i & 1) << l;
    }
    return mask;
}

static void load(struct hd_warp *w, const struct span *s, unsigned n)
{
    unsigned lanes = hd_lanes(w);
    uint32_t addr[HD_MAX_LANES];
    for (unsigned from = 0; from < n * LINE; from += TOKENS * lanes) {
        hd_tok tok[TOKENS];
        hd_mask_t mask[TOKENS];
        for (unsigned t = 0; t < TOKENS; t++)
            if ((mask[t] = spread(w, s, n, from + t * lanes, addr, NULL)) != 0)
                tok[t] = hd_ld(w, mask[t], addr);
        for (unsigned t = 0; t < TOKENS; t++) {
            const uint32_t *got = mask[t] != 0 ? hd_use(w, tok[t]) : NULL;
            for (unsigned l = 0; l < lanes; l++)
                if (mask[t] >> l & 1)
                    s[(from + t * lanes + l) / LINE].word[(from + t * lanes + l) % LINE] = got[l];
        }
    }
}

static void store(struct hd_warp *w, const struct span *s, unsigned n)
{
    uint32_t addr[HD_MAX_LANES], value[HD_MAX_LANES];
    for (unsigned from = 0; from < n * LINE; from += hd_lanes(w)) {
        hd_mask_t mask = spread(w, s, n, from, addr, value);
        if (mask != 0)
            hd_st(w, mask, addr, value);
    }
}

/* ---- barriers -------------------------------------------------------------------------------------------------------- */

/* Behind phase @what of a level, of a block or of all, which meet there. */
static void barrier(struct hd_warp *w, const struct args *g, unsigned what, bool kernel)
{
    static const unsigned without[] = {[NO_LOG_BARRIER] = LOG, [NO_DATA_BARRIER] = DATA, [NO_STATUS_BARRIER] = STATUS};
    hd_sync_block(w, true);
    if (!g->barriers || g->fault == NO_BARRIERS || (g->fault >= NO_LOG_BARRIER && g->fault <= NO_STATUS_BARRIER
                                                    && without[g->fault] == what))
        return;
    if (kernel)
        hd_pbarrier(w, g->fault == WG_FOR_KR ? HD_SCOPE_WG : HD_SCOPE_DEVICE);
    else
        hd_pbarrier(w, g->fault == WI_FOR_WG ? HD_SCOPE_WI : HD_SCOPE_WG);
}

/* ---- lists ----------------------------------------------------------------------------------------------------------- */

/* How many nodes @owner has to do at @level of a batch. */
static uint32_t touches_at(const struct args *g, uint32_t batch, unsigned level, uint32_t owner)
{
    return hd_at(g->touches, (batch * LEVELS + level) * (g->groups + 1) + owner);
}

/* Entry @t of them. */
static uint32_t touched_at(const struct args *g, uint32_t batch, unsigned level, uint32_t owner, uint32_t t)
{
    bool kernel = owner == g->groups;
    uint32_t first = kernel ? 0 : g->offset[batch * (g->groups + 1) + owner];
    return hd_at(g->touched[kernel][level & 1], LINE * (first + t));
}

/* Lanes @mask put {r->key, r->value} on the lists of r->at, nodes of @level; r->path[][skip ..] are the node and those
 * above. */
static void append(struct hd_warp *w, const struct step *st, struct regs *r, hd_mask_t mask, unsigned level, uint32_t owner,
                   unsigned skip)
{
    const struct args *g = st->g;
    unsigned lanes = hd_lanes(w), firsts = 0;
    uint32_t one[HD_MAX_LANES];
    for (unsigned l = 0; l < lanes; l++) {
        one[l] = 1;
        r->addr[l] = mask >> l & 1 ? hd_at(g->count, r->at[l]) : 0;
    }
    const uint32_t *got = hd_use(w, hd_atom(w, HD_AT_ADD, mask, r->addr, one));
    for (unsigned l = 0; l < lanes; l++) {
        r->slot[l] = mask >> l & 1 ? got[l] : 0;
        r->addr[l] = mask >> l & 1 ? hd_at(g->list, LIST * r->at[l] + 2 * (r->slot[l] % HD_TREE_ITEMS)) : 0;
    }
    hd_st(w, mask, r->addr, r->key);
    for (unsigned l = 0; l < lanes; l++)
        r->addr[l] += 4;
    hd_st(w, mask, r->addr, r->value);
    for (unsigned l = 0; l < lanes; l++)                   /* the first one on a list tells that it is there */
        if (mask >> l & 1 && r->slot[l] == 0 && r->at[l] != 0)
            firsts++;
    if (firsts == 0)
        return;
    uint32_t t = hd_use(w, hd_atom(w, HD_AT_ADD, 1, (uint32_t[HD_MAX_LANES]){touches_at(g, st->batch, level, owner)},
                                   (uint32_t[HD_MAX_LANES]){firsts}))[0];
    unsigned n = 0;
    for (unsigned l = 0; l < lanes; l++)
        if (mask >> l & 1 && r->slot[l] == 0 && r->at[l] != 0) {
            uint32_t *to = r->log[n]; /* free here */
            memset(to, 0, LINE * sizeof *to);
            memcpy(to, &r->path[l][skip], (LINE - skip) * sizeof *to);
            r->span[n] = (struct span){touched_at(g, st->batch, level, owner, t + n), to, 0xffff};
            n++;
        }
    store(w, r->span, n);
}

static uint32_t word(struct hd_warp *w, uint32_t addr)
{
    return hd_use(w, hd_ld(w, 1, (uint32_t[HD_MAX_LANES]){addr}))[0];
}

/* ---- finding --------------------------------------------------------------------------------------------------------- */

/* Keys [@from, @to) of the batch go on their leaves' lists. */
static void find(struct hd_warp *w, const struct step *st, uint32_t from, uint32_t to, uint32_t owner)
{
    const struct args *g = st->g;
    struct regs *r = regs_of(w, g);
    unsigned lanes = hd_lanes(w);
    for (uint32_t i = from + hd_warp_in_block(w) * lanes; i < to; i += hd_block_dim_x(w)) {
        unsigned n = to - i < lanes ? to - i : lanes, spans, top;
        hd_mask_t mask = hd_lanes_below(n);
        hd_tok key = hd_ld_row(w, mask, hd_at(g->keys, st->batch * g->batch_keys + i));
        memset(r->path, 0, n * sizeof r->path[0]);
        if (g->algorithm == 2 && st->batch == 0) {         /* the host has split the keys by subtree */
            const uint32_t *start = hd_use(w, hd_ld_row(w, mask, hd_at(g->start, i)));
            top = g->group_levels - 1;
            for (unsigned l = 0; l < n; l++)
                r->span[l] = (struct span){hd_at(g->above, LINE * start[l]), r->list[l], 0xffff};
            load(w, r->span, n);
            for (unsigned l = 0; l < n; l++) {
                r->node[l] = r->list[l][0];
                memcpy(&r->path[l][top + 1], &r->list[l][1], (LINE - top - 1) * sizeof r->path[l][0]);
            }
        } else {
            const uint32_t *root = hd_use(w, hd_ld_row(w, hd_lanes_below(2), hd_at(g->nv, g->run.shape.root)));
            top = root[1];
            for (unsigned l = 0; l < n; l++)
                r->node[l] = root[0];
        }
        memcpy(r->key, hd_use(w, key), n * sizeof r->key[0]);
        for (unsigned level = top; level > 0; level--) {
            spans = 0;
            for (unsigned l = 0; l < n; l++) {             /* keys rise: those of a node are neighbours */
                if (l == 0 || r->node[l] != r->node[l - 1]) {
                    r->span[spans] = (struct span){node_at(g, r->node[l]), r->line[spans], 0x7fff};
                    spans++;
                }
                r->at[l] = spans - 1;
            }
            load(w, r->span, spans);
            hd_alu(w, g->alu);
            for (unsigned l = 0; l < n; l++) {
                const uint32_t *node = r->line[r->at[l]];
                r->path[l][level] = r->node[l];
                r->node[l] = node[HD_TREE_PTR + hd_tree_slot(node, r->key[l])];
            }
        }
        for (unsigned l = 0; l < n; l++) {
            r->path[l][0] = r->at[l] = r->node[l];
            r->value[l] = hd_tree_value(r->key[l]);
        }
        append(w, st, r, mask, 0, owner, 0);
    }
}

/* ---- a level --------------------------------------------------------------------------------------------------------- */

/* The node of each of the @n lanes and what is above it; its words. */
static void take(struct hd_warp *w, const struct step *st, struct regs *r, unsigned level, uint32_t owner, uint32_t t,
                 unsigned n)
{
    for (unsigned l = 0; l < n; l++)
        r->span[l] = (struct span){touched_at(st->g, st->batch, level, owner, t + l), r->path[l], 0xffff};
    load(w, r->span, n);
    for (unsigned l = 0; l < n; l++)
        r->span[l] = (struct span){node_at(st->g, r->path[l][0]), r->line[l], 0xffff};
    load(w, r->span, n);
}

static void write_log(struct hd_warp *w, const struct step *st, struct regs *r, unsigned level, uint32_t owner, uint32_t t,
                      unsigned n)
{
    const struct args *g = st->g;
    const struct hd_tree_shape *s = &g->run.shape;
    hd_alu(w, 40);                                         /* the sum */
    for (unsigned half = 0; half < 2; half++) {
        for (unsigned l = 0; l < n; l++) {
            uint32_t *e = r->log[l], region = owner == g->groups ? g->groups + (t + l) / s->slots : owner;
            memcpy(e, r->line[l], sizeof r->line[l]);
            e[16] = s->pool + LINE * r->path[l][0];
            e[17] = hd_tree_epoch(st->batch, level);
            e[18] = hd_tree_sum(e);
            e[19] = 0;
            uint32_t at = s->log + (region * s->slots + (t + l) % s->slots) * HD_TREE_ENTRY;
            r->span[l] = (struct span){hd_at(g->nv, at + half * LINE), e + half * LINE, half ? 15 : 0xffff};
        }
        store(w, r->span, n);
    }
}

/* The lists of the nodes, sorted. */
static void gather(struct hd_warp *w, const struct args *g, struct regs *r, unsigned n)
{
    unsigned most = 0, far = 0;
    for (unsigned l = 0; l < n; l++)
        r->addr[l] = hd_at(g->count, r->path[l][0]);
    memcpy(r->count, hd_use(w, hd_ld(w, hd_lanes_below(n), r->addr)), n * sizeof r->count[0]);
    for (unsigned l = 0; l < n; l++) {
        r->count[l] = r->count[l] < HD_TREE_ITEMS ? r->count[l] : HD_TREE_ITEMS;
        most = r->count[l] > most ? r->count[l] : most;
        r->span[l] = (struct span){hd_at(g->list, LIST * r->path[l][0]), r->list[l],
                                   (uint16_t)((1u << (r->count[l] < 8 ? 2 * r->count[l] : 16)) - 1)};
    }
    load(w, r->span, n);
    for (unsigned l = 0; l < n; l++)
        if (r->count[l] > 8)
            r->span[far++] = (struct span){hd_at(g->list, LIST * r->path[l][0] + LINE), r->list[l] + LINE,
                                           (uint16_t)((1u << 2 * (r->count[l] - 8)) - 1)};
    load(w, r->span, far);
    for (unsigned l = 0; l < n; l++) {
        for (unsigned i = 0; i < r->count[l]; i++)
            r->item[l][i] = (struct hd_tree_item){r->list[l][2 * i], r->list[l][2 * i + 1], 0};
        hd_tree_sort(r->item[l], r->count[l]);
    }
    hd_alu(w, 4 * most * (most > 8 ? 4 : most > 4 ? 3 : most > 2 ? 2 : 1));
    for (unsigned l = 0; l < n; l++)                       /* empty for the next batch */
        r->value[l] = 0;
    hd_st(w, hd_lanes_below(n), r->addr, r->value);
}

/* Numbers for the nodes that these become. */
static void allot(struct hd_warp *w, const struct args *g, struct regs *r, unsigned n, uint32_t owner)
{
    uint32_t want = 0;
    for (unsigned l = 0; l < n; l++) {
        r->parts[l] = hd_tree_parts(r->line[l], r->count[l]);
        want += r->parts[l] - 1;
    }
    hd_alu(w, 8);
    if (want == 0)
        return;
    uint32_t next = g->base[owner] + hd_use(w, hd_atom(w, HD_AT_ADD, 1, (uint32_t[HD_MAX_LANES]){hd_at(g->used, owner)},
                                                       (uint32_t[HD_MAX_LANES]){want}))[0];
    for (unsigned l = 0; l < n; l++)
        for (unsigned p = 1; p < r->parts[l]; p++)
            r->right[l][p] = next++;
}

static void update(struct hd_warp *w, const struct step *st, struct regs *r, unsigned level, uint32_t owner, unsigned n)
{
    const struct args *g = st->g;
    uint32_t up = level + 1 < g->group_levels ? owner : g->groups;
    unsigned most = 0;
    gather(w, g, r, n);
    allot(w, g, r, n, owner);
    for (unsigned l = 0; l < n; l++) {
        r->right[l][0] = r->path[l][0];
        hd_tree_merge(r->line[l], r->item[l], r->count[l], r->right[l], r->out[l], r->mask[l]);
        if (r->parts[l] > 1 && g->fault == NO_NEXT)
            r->mask[l][0] &= (uint16_t)~(1u << HD_TREE_NEXT);
        most = r->parts[l] > most ? r->parts[l] : most;
        for (unsigned p = 0; p < r->parts[l]; p++)
            r->words[level] += (unsigned)__builtin_popcount(r->mask[l][p]);
    }
    hd_alu(w, 16 * most);
    for (unsigned p = most; p-- > 0;) {                    /* new nodes first, then the old ones */
        unsigned spans = 0;
        for (unsigned l = 0; l < n; l++)
            if (p < r->parts[l])
                r->span[spans++] = (struct span){node_at(g, r->right[l][p]), r->out[l][p], r->mask[l][p]};
        store(w, r->span, spans);
    }
    for (unsigned p = 1; p < most; p++) {
        hd_mask_t mask = 0;
        for (unsigned l = 0; l < n; l++)
            if (p < r->parts[l]) {
                mask |= hd_lane(l);
                r->at[l] = r->path[l][1];
                r->key[l] = r->out[l][p][HD_TREE_KEY];
                r->value[l] = r->right[l][p];
            }
        append(w, st, r, mask, level + 1, up, 1);
    }
}

/* Phase @what of a level: nodes from @from on, @step apart by warps. */
static void phase(struct hd_warp *w, const struct step *st, unsigned what, unsigned level, uint32_t owner, uint32_t from,
                  uint32_t stride)
{
    const struct args *g = st->g;
    struct regs *r = regs_of(w, g);
    unsigned lanes = hd_lanes(w);
    uint32_t all = word(w, touches_at(g, st->batch, level, owner));
    for (uint32_t t = from; t < all; t += stride) {
        unsigned n = all - t < lanes ? all - t : lanes;
        take(w, st, r, level, owner, t, n);
        if ((what == LOG && g->fault != LOG_LATE && g->fault != NO_LOG) || (what == DATA && g->logged && g->fault == LOG_LATE))
            write_log(w, st, r, level, owner, t, n);
        if (what == DATA)
            update(w, st, r, level, owner, n);
    }
}

static void put_status(struct hd_warp *w, const struct step *st, unsigned level, uint32_t owner)
{
    const struct hd_tree_shape *s = &st->g->run.shape;
    uint32_t e = hd_tree_epoch(st->batch, level), at = hd_at(st->g->nv, hd_tree_status_at(s, owner)),
        high = at + 8 * (s->groups + 1);
    if (!s->halves) {
        hd_st(w, hd_lanes_below(2), (uint32_t[HD_MAX_LANES]){at, at + 4}, (uint32_t[HD_MAX_LANES]){e, e});
        return;
    }
    hd_st(w, 1, (uint32_t[HD_MAX_LANES]){at}, (uint32_t[HD_MAX_LANES]){e & 1});
    hd_st(w, 1, (uint32_t[HD_MAX_LANES]){high}, (uint32_t[HD_MAX_LANES]){e >> 1});
}

/* ---- grids ----------------------------------------------------------------------------------------------------------- */

/* Algorithm 2 up to the level of the subtrees' roots: a block has a subtree. */
static void climb(struct hd_warp *w, const struct step *st)
{
    const struct args *g = st->g;
    uint32_t b = hd_block(w), from = hd_warp_in_block(w) * hd_lanes(w);
    const uint32_t *offset = &g->offset[st->batch * (g->groups + 1)];
    find(w, st, offset[b], offset[b + 1], b);
    hd_sync_block(w, true);
    for (unsigned level = 0; level < g->group_levels; level++) {
        if (g->logged) {
            phase(w, st, LOG, level, b, from, g->threads);
            barrier(w, g, LOG, false);
        }
        phase(w, st, DATA, level, b, from, g->threads);
        barrier(w, g, DATA, false);
        if (!g->logged)
            continue;
        if (hd_warp_in_block(w) == 0)
            put_status(w, st, level, b);
        barrier(w, g, STATUS, false);
    }
}

/* The root has split: a new one above it, durable before the pointer to it. */
static void root(struct hd_warp *w, const struct step *st)
{
    const struct args *g = st->g;
    struct regs *r = regs_of(w, g);
    uint32_t pointer = hd_at(g->nv, g->run.shape.root), next = 0;
    if (hd_warp_in_block(w) == 0) {
        uint32_t old = word(w, pointer), node[LINE] = {0};
        r->path[0][0] = 0;                                 /* the list of node 0, which is none */
        gather(w, g, r, 1);
        next = g->base[g->groups] + hd_use(w, hd_atom(w, HD_AT_ADD, 1, (uint32_t[HD_MAX_LANES]){hd_at(g->used, g->groups)},
                                                      (uint32_t[HD_MAX_LANES]){1}))[0];
        node[0] = hd_tree_header(st->level, r->count[0] + 1);
        node[HD_TREE_PTR] = old;
        for (unsigned i = 0; i < r->count[0] && i + 1 < HD_TREE_FAN; i++) {
            node[HD_TREE_KEY + 1 + i] = r->item[0][i].key;
            node[HD_TREE_PTR + 1 + i] = r->item[0][i].ptr;
        }
        store(w, &(struct span){node_at(g, next), node, 0xffff}, 1);
    }
    barrier(w, g, ROOT, true);
    if (hd_warp_in_block(w) == 0)
        hd_st(w, hd_lanes_below(2), (uint32_t[HD_MAX_LANES]){pointer, pointer + 4}, (uint32_t[HD_MAX_LANES]){next, st->level});
    barrier(w, g, ROOT, true);
}

/* A block undoes what is in a region of the log, a lane an entry. */
static void recover(struct hd_warp *w, const struct step *st)
{
    const struct args *g = st->g;
    const struct hd_tree_shape *s = &g->run.shape;
    struct regs *r = regs_of(w, g);
    uint32_t region = hd_block(w), owner = region < g->groups ? region : g->groups;
    uint32_t status = word(w, hd_at(g->nv, hd_tree_status_at(s, owner)));
    for (uint32_t t = hd_warp_in_block(w) * hd_lanes(w); t < s->slots; t += hd_block_dim_x(w)) {
        unsigned n = s->slots - t < hd_lanes(w) ? s->slots - t : hd_lanes(w), spans = 0;
        for (unsigned half = 0; half < 2; half++) {
            for (unsigned l = 0; l < n; l++)
                r->span[l] = (struct span){hd_at(g->nv, s->log + (region * s->slots + t + l) * HD_TREE_ENTRY + half * LINE),
                                           r->log[l] + half * LINE, half ? 7 : 0xffff};
            load(w, r->span, n);
        }
        hd_alu(w, 40);
        for (unsigned l = 0; l < n; l++)
            if (hd_tree_undo(s, r->log[l], status))
                r->span[spans++] = (struct span){hd_at(g->nv, r->log[l][16]), r->log[l], 0xffff};
        store(w, r->span, spans);
    }
    barrier(w, g, DATA, false);
}

static void ptree(struct hd_warp *w, void *args)
{
    const struct step *st = args;
    const struct args *g = st->g;
    uint32_t from = hd_block(w) * g->threads + hd_warp_in_block(w) * hd_lanes(w), stride = hd_grid_dim_x(w) * g->threads;
    if (st->what != FIND && st->what != CLIMB && g->pause > 0)
        hd_sleep(w, hd_now(w) + g->pause);
    if (st->what == FIND) {
        uint32_t first = hd_block(w) * g->threads, left = g->batch_keys - first;
        find(w, st, first, first + (left < g->threads ? left : g->threads), g->groups);
    } else if (st->what == CLIMB) {
        climb(w, st);
    } else if (st->what == ROOT) {
        root(w, st);
    } else if (st->what == RECOVER) {
        recover(w, st);
    } else {
        if (st->what != STATUS)
            phase(w, st, st->what, st->level, g->groups, from, stride);
        else if (hd_block(w) == 0 && hd_warp_in_block(w) == 0)
            put_status(w, st, st->level, g->groups);
        barrier(w, g, st->what, true);
    }
}

/* ---- the tree of the start ------------------------------------------------------------------------------------------- */

struct plan {
    uint32_t level_first[LEVELS], level_nodes[LEVELS], levels, used, keys, *word, pool;
};

/* Leaves with 4 to 7 keys each, @gap apart at most, and levels above them with 4 to 7 children. */
static void build(struct hd_work *k, struct plan *p, uint32_t leaves, struct hd_tree_key *known, uint32_t gap)
{
    uint32_t key = 0;
    p->used = 1;
    for (uint32_t n = leaves; p->levels == 0 || p->level_nodes[p->levels - 1] > 1;) {
        unsigned level = p->levels++;
        uint32_t below = level ? p->level_first[level - 1] : 0, made = 0;
        p->level_first[level] = p->used;
        for (uint32_t i = 0; i < n; made++) {
            uint32_t *w = &p->word[p->pool + LINE * p->used++], c = 4 + hd_work_random_below(k, 4);
            c = level && n - i < c ? n - i : c;
            w[0] = hd_tree_header(level, c);
            for (unsigned j = 0; j < c; j++) {
                if (level == 0) {
                    key += 2 + hd_work_random_below(k, gap - 2);
                    known[p->keys++] = (struct hd_tree_key){key, 0, 0};
                }
                w[HD_TREE_KEY + j] = level ? p->word[p->pool + LINE * (below + i + j) + HD_TREE_KEY] : key;
                w[HD_TREE_PTR + j] = level ? below + i + j : hd_tree_value(key);
            }
            i += level ? c : 1;
            w[HD_TREE_NEXT] = i < n ? p->used : 0;
        }
        n = p->level_nodes[level] = made;
    }
}

/* The node of @level over @key. */
static uint32_t over(const struct plan *p, uint32_t key, unsigned level)
{
    uint32_t n = p->level_first[p->levels - 1];
    for (unsigned l = p->levels - 1; l > level; l--)
        n = p->word[p->pool + LINE * n + HD_TREE_PTR + hd_tree_slot(&p->word[p->pool + LINE * n], key)];
    return n;
}

static int by_key(const void *a, const void *b)
{
    const struct hd_tree_key *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

/* @n keys behind known[@had], distinct, above the least. @table: of @size, a power of two, zeroed. */
static void draw(struct hd_work *k, struct hd_tree_key *known, uint32_t had, uint32_t n, uint32_t *table, uint32_t size)
{
    uint32_t least = known[0].key, span = known[had - 1].key - least;
    for (uint32_t i = 0; i < had + n; i++) {
        for (;;) {
            uint32_t key = i < had ? known[i].key : least + 1 + hd_work_random_below(k, span),
                h = key * 0x9e3779b1u >> 7 & (size - 1);
            while (table[h] != 0 && table[h] != key)
                h = (h + 1) & (size - 1);
            if (table[h] == key)
                continue;
            table[h] = known[i].key = key;
            break;
        }
    }
}

/* ---- the golden run -------------------------------------------------------------------------------------------------- */

struct golden {
    struct args *g;
    uint32_t *nodes, *next;                                /* [groups + 1]: of a group, made; next free one of all */
    uint32_t free, end;
    uint32_t *touched;                                     /* [LEVELS] of this batch */
};

static uint32_t make_node(void *ctx, uint32_t group)
{
    struct golden *x = ctx;
    if (x->free == x->end)
        return 0;
    x->nodes[group]++;
    return x->free++;
}

static void wrote(void *ctx, unsigned level, uint32_t group, unsigned words)
{
    struct golden *x = ctx;
    x->g->words[level * (x->g->groups + 1) + group] += words;
    x->touched[level]++;
}

/* ---- preparing ------------------------------------------------------------------------------------------------------- */

const struct hd_tree_run *hd_tree_run(const struct hd_work *k)
{
    return &((const struct args *)hd_work_get_args(k))->run;
}

static void grid(struct hd_work *k, struct step *st, struct args *g, uint32_t batch, unsigned level, unsigned what,
                 uint32_t blocks)
{
    if (g->recovering != (what == RECOVER))
        return;
    *st = (struct step){g, batch, level, what};
    hd_work_launch(k, &(struct hd_launch){.fn = ptree, .args = st, .grid_x = blocks, .grid_y = 1, .block_x = g->threads,
                                          .block_y = 1});
}

static uint32_t up16(uint32_t n)
{
    return (n + LINE - 1) / LINE * LINE;
}

/* The most keys a group gets in a batch; known[] of the batches are sorted by batch, then key, and have their groups. */
static uint32_t split_keys(struct args *g, const struct plan *p, struct hd_tree_key *fresh)
{
    uint32_t most = 0, level = g->group_levels - 1;
    for (uint32_t b = 0; b < g->batches; b++) {
        struct hd_tree_key *of = &fresh[b * g->batch_keys];
        uint32_t *offset = &g->offset[b * (g->groups + 1)];
        qsort(of, g->batch_keys, sizeof *of, by_key);
        for (uint32_t i = 0; i < g->batch_keys; i++) {
            uint32_t node = over(p, of[i].key, level) - p->level_first[level];
            of[i].group = (uint32_t)((uint64_t)node * g->groups / p->level_nodes[level]);
            of[i].epoch = hd_tree_epoch(b, 0);
            offset[of[i].group + 1]++;
        }
        for (uint32_t i = 0; i < g->groups; i++) {
            most = offset[i + 1] > most ? offset[i + 1] : most;
            offset[i + 1] += offset[i];
        }
    }
    return most;
}

/* What the host tells the blocks of algorithm 2: for each key of the first batch its subtree; root and what is above it of
 * each. */
static void tell_subtrees(struct args *g, const struct plan *p, const struct hd_tree_key *fresh, uint32_t *start,
                          uint32_t *above)
{
    unsigned level = g->group_levels - 1;
    for (uint32_t i = 0; i < g->batch_keys; i++)
        start[i] = over(p, fresh[i].key, level) - p->level_first[level];
    for (uint32_t n = 0; n < p->level_nodes[level]; n++) {
        uint32_t node = p->level_first[level] + n, key = p->word[p->pool + LINE * node + HD_TREE_KEY];
        for (unsigned l = level; l < p->levels; l++)
            above[LINE * n + l - level] = l == level ? node : over(p, key, l);
    }
}

static const char *launches(struct hd_work *k, struct args *g, struct step *st, const struct hd_tree_key *fresh,
                            struct golden *x)
{
    struct hd_tree_item *item = malloc(g->batch_keys * sizeof *item);
    uint32_t touched[LEVELS];
    struct hd_tree_host host = {&g->run.shape, x->next, make_node, wrote, x, g->algorithm == 2 ? g->group_levels : 0};
    const char *wrong = item ? NULL : "no memory";
    x->touched = touched;
    for (uint32_t b = 0; b < g->batches && wrong == NULL; b++) {
        uint32_t was = host.word[g->run.shape.root];
        memset(touched, 0, sizeof touched);
        for (uint32_t i = 0; i < g->batch_keys; i++)
            item[i] = (struct hd_tree_item){fresh[b * g->batch_keys + i].key, hd_tree_value(fresh[b * g->batch_keys + i].key),
                                            fresh[b * g->batch_keys + i].group};
        wrong = hd_tree_insert(&host, item, g->batch_keys, 0);
        grid(k, st++, g, b, 0, g->algorithm == 2 ? CLIMB : FIND,
             g->algorithm == 2 ? g->groups : (g->batch_keys + g->threads - 1) / g->threads);
        unsigned level = host.group_levels;
        for (; level < LEVELS && touched[level] > 0; level++) {
            uint32_t blocks = (touched[level] + g->threads - 1) / g->threads;
            if (g->logged)
                grid(k, st++, g, b, level, LOG, blocks);
            grid(k, st++, g, b, level, DATA, blocks);
            if (g->logged)
                grid(k, st++, g, b, level, STATUS, 1);
        }
        if (host.word[g->run.shape.root] != was)
            grid(k, st++, g, b, host.word[g->run.shape.root + 1], ROOT, 1);
    }
    free(item);
    return wrong;
}

static const char *prepare(struct hd_work *k)
{
    const struct hd_config *c = hd_work_config(k);
    uint32_t leaves = hd_work_param(k, "leaves"), keys = hd_work_param(k, "keys"), batches = hd_work_param(k, "batches");
    uint32_t groups = hd_work_param(k, "groups");
    keys = keys ? keys : (uint32_t)((uint64_t)leaves * 19 / 100) + 1;
    uint32_t fresh_keys = keys * batches, most_keys = 7 * leaves + fresh_keys, gap = (1u << 30) / (6 * leaves) * 2, size = 64;
    struct plan p = {0};
    while (size < 2 * most_keys)
        size *= 2;
    if (gap < 8)
        return "leaves are too many for keys of 30 bits";
    if (hd_work_param(k, "threads") % c->lanes != 0)
        return "threads must be whole warps of a block";
    /* Levels and nodes first, in memory of its own; where the nodes lie depends on how many groups there are. */
    uint32_t *table = calloc(size, sizeof *table);
    struct hd_tree_key *known = malloc((most_keys + 1) * sizeof *known);
    p.word = calloc((size_t)LINE * (leaves * 3 / 2 + 64), sizeof *p.word);
    if (table == NULL || known == NULL || p.word == NULL) {
        free(table), free(known), free(p.word);
        return "no memory";
    }
    build(k, &p, leaves, known, gap);
    draw(k, known, p.keys, fresh_keys, table, size);
    free(table);
    uint32_t want = groups ? groups : (keys + 255) / 256, d = p.levels - 1;
    while (d > 0 && p.level_nodes[d] < want)
        d--;
    groups = groups ? groups : p.level_nodes[d];
    struct args *g = hd_work_args(k, sizeof *g);
    *g = (struct args){.batch_keys = keys, .batches = batches, .groups = groups, .group_levels = d + 1,
                       .algorithm = hd_work_param(k, "algorithm"), .barriers = hd_work_param(k, "barriers"),
                           .logged = hd_work_param(k, "log"),
                       .fault = hd_work_param(k, "fault"), .alu = hd_work_param(k, "alu"), .pause = hd_work_param(k, "switch"),
                       .threads = hd_work_param(k, "threads"), .recovering = hd_work_param(k, "recover"), .slots = c->warps};
    g->known = hd_work_more(k, (p.keys + (size_t)fresh_keys) * sizeof *g->known);
    g->offset = hd_work_more(k, (size_t)batches * (groups + 1) * sizeof *g->offset);
    g->base = hd_work_more(k, 2 * ((size_t)groups + 1) * sizeof *g->base);
    g->words = hd_work_more(k, (size_t)LEVELS * (groups + 1) * sizeof *g->words);
    g->regs = hd_work_more(k, (size_t)c->sms * c->warps * sizeof *g->regs);
    struct step *st = hd_work_more(k, (size_t)batches * (3 * LEVELS + 2) * sizeof *st);
    struct hd_tree_key *fresh = &known[p.keys];
    uint32_t most = split_keys(g, &p, fresh);
    struct hd_tree_shape *s = &g->run.shape;
    *s = (struct hd_tree_shape){.root = 0, .status = LINE, .groups = groups, .slots = g->logged ? most : 0,
                                .halves = g->fault == HALVES,
                                .blind = g->fault == NO_SUM};
    s->log = s->status + up16(4 * (groups + 1));
    s->pool = s->log + 2 * groups * s->slots * HD_TREE_ENTRY;
    uint32_t room = p.used + 2 * fresh_keys + 16 * batches;
    struct golden x = {.g = g, .nodes = g->base + groups + 1, .free = p.used, .end = room};
    x.next = calloc(s->pool + (size_t)LINE * room, sizeof *x.next);
    if (x.next == NULL) {
        free(known), free(p.word);
        return "no memory";
    }
    s->nodes = room;
    memcpy(&x.next[s->pool], p.word, (size_t)LINE * p.used * sizeof *p.word);
    x.next[s->root] = p.level_first[p.levels - 1];
    x.next[s->root + 1] = p.levels - 1;
    g->keys = hd_work_array(k, "keys", fresh_keys);
    g->start = hd_work_array(k, "start", keys);
    g->above = hd_work_array(k, "above", (uint64_t)LINE * p.level_nodes[d]);
    for (uint32_t i = 0; i < fresh_keys && g->keys->words; i++)
        g->keys->host[i] = fresh[i].key;
    if (g->start->words && g->above->words)
        tell_subtrees(g, &p, fresh, g->start->host, g->above->host);
    const char *wrong = launches(k, g, st, fresh, &x);
    grid(k, st, g, 0, 0, RECOVER, 2 * groups);
    s->nodes = p.used;
    for (uint32_t o = 0; o <= groups; o++) {
        g->base[o] = s->nodes;
        s->nodes += x.nodes[o];
    }
    uint32_t words = s->pool + LINE * s->nodes;
    struct hd_array *a[] = {hd_work_array(k, "count", s->nodes), hd_work_array(k, "list", (uint64_t)LIST * s->nodes),
                            hd_work_array(k, "touches", (uint64_t)batches * LEVELS * (groups + 1)),
                                hd_work_array(k, "used", groups + 1),
                            hd_work_array(k, "touched0", (uint64_t)LINE * keys),
                                hd_work_array(k, "touched1", (uint64_t)LINE * keys),
                            hd_work_array(k, "kernel0", (uint64_t)LINE * keys),
                                hd_work_array(k, "kernel1", (uint64_t)LINE * keys),
                            hd_work_durable(k, "tree", words)};
    for (unsigned i = 0; i < sizeof a / sizeof a[0]; i++)
        a[i]->free_form = !(g->recovering && i == 8);
    g->count = a[0], g->list = a[1], g->touches = a[2], g->used = a[3];
    g->touched[0][0] = a[4], g->touched[0][1] = a[5], g->touched[1][0] = a[6], g->touched[1][1] = a[7], g->nv = a[8];
    if (g->nv->words == words) {
        memcpy(&a[8]->host[s->pool], p.word, (size_t)LINE * p.used * sizeof *p.word);
        a[8]->host[s->root] = p.level_first[p.levels - 1];
        a[8]->host[s->root + 1] = p.levels - 1;
    }
    free(x.next), free(p.word);
    if (g->algorithm == 1)
        for (uint32_t i = 0; i < fresh_keys; i++)
            fresh[i].group = groups;
    qsort(known, p.keys + fresh_keys, sizeof *known, by_key);
    memcpy(g->known, known, (p.keys + fresh_keys) * sizeof *known);
    free(known);
    g->run.addr = g->nv->addr;
    g->run.words = words;
    g->run.start = g->nv->host;
    g->run.key = g->known;
    g->run.keys = p.keys + fresh_keys;
    return wrong;
}

/* ---- judging --------------------------------------------------------------------------------------------------------- */

static void count_words(struct hd_work *k, const struct args *g)
{
    static const char *const kr[] = {"ptree.kr_words.0", "ptree.kr_words.1", "ptree.kr_words.2", "ptree.kr_words.3",
                                     "ptree.kr_words.4"};
    static const char *const wg[] = {"ptree.wg_words.0", "ptree.wg_words.1", "ptree.wg_words.2", "ptree.wg_words.3",
                                     "ptree.wg_words.4"};
    const struct hd_config *c = hd_work_config(k);
    for (unsigned level = 0; level < LEVELS; level++) {
        uint64_t all = 0, most = 0, stored = 0;
        for (uint32_t o = 0; o <= g->groups; o++) {
            uint64_t n = g->words[level * (g->groups + 1) + o];
            all += n;
            most = o < g->groups && n > most ? n : most;
        }
        for (uint32_t i = 0; i < c->sms * c->warps; i++)
            stored += g->regs[i].words[level];
        if (stored != all && g->fault == NONE)
            hd_work_fail(k, "level %u: %llu words stored to nodes, the host's tree has %llu", level, (unsigned long long)stored,
                         (unsigned long long)all);
        if (level < sizeof kr / sizeof kr[0]) {
            hd_work_counter(k, kr[level], all);
            hd_work_counter(k, wg[level], most);
        }
    }
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    const struct hd_tree_shape *s = &g->run.shape;
    if (g->recovering) {
        hd_tree_recover(s, g->nv->host, NULL, NULL);
        return;
    }
    hd_work_counter(k, "ptree.levels", hd_tree_level(g->nv->result[s->pool + LINE * g->nv->result[s->root]]) + 1);
    hd_work_counter(k, "ptree.groups", g->groups);
    hd_work_counter(k, "ptree.keys", g->batch_keys * g->batches);
    count_words(k, g);
    uint32_t *scratch = malloc((2 * (size_t)s->nodes + g->run.keys + 1) * sizeof *scratch);
    struct hd_tree_key *all = malloc(g->run.keys * sizeof *all);
    if (scratch == NULL || all == NULL) {
        hd_work_fail(k, "out of memory");
    } else if (g->fault == NONE || g->fault == WI_FOR_WG || g->fault == WG_FOR_KR) { /* all keys, whatever the statuses say */
        for (uint32_t i = 0; i < g->run.keys; i++)
            all[i] = (struct hd_tree_key){g->run.key[i].key, 0, 0};
        const char *wrong = hd_tree_check(s, g->nv->result, all, g->run.keys, scratch);
        if (wrong != NULL)
            hd_work_fail(k, "%s (I5: all keys are to be there)", wrong);
    }
    free(scratch), free(all);
}

static const struct hd_param params[] = {
    {"leaves", 2048, 4, 524288, "of the tree at the start, a line each, 4 to 7 keys in it"},
    {"keys", 0, 0, 262144, "inserted by a batch; 0: 19 of 100 leaves, as the paper"},
    {"batches", 1, 1, 16, "one after the other"},
    {"algorithm", 2, 1, 2, "of the paper: 1 barriers of the kernel, 2 of work-groups up to the level with a node for 256 keys"},
    {"groups", 0, 0, 4096, "work-groups of algorithm 2; 0: a node of that level each"},
    {"threads", 256, 1, 1024, "a block, whole warps"},
    {"barriers", 1, 0, 1, "0: no persist barriers"},
    {"log", 0, 0, 1, "1: with undo log and statuses, to be cut off by heddle crash"},
    {"alu", 12, 0, 1000, "ALU instructions of a step of the search"},
    {"switch", 500, 0, 10000, "cycles until the blocks of a level done together run"},
    {"fault", 0, 0, FAULTS - 1,
     "wrong on purpose: 1, 2, 3 no barrier behind log, nodes, status; 4 wi for wg, 5 wg for kernel; 6 no log, 7 no checksum, "
     "8 status of two grains, 9 log with the nodes, 10 new nodes not linked, 11 no barriers"},
    {"recover", 0, 0, 1, "1: recovery of an image instead (heddle crash --machine)"},
    {0},
};

const struct hd_workload hd_work_ptree = {
    .name = "ptree",
    .doc = "keys into a persistent B+tree with persist barriers, undo log and recovery (paper 4, Algorithms 1 and 2)",
    .params = params,
    .prepare = prepare,
    .reference = reference,
};
