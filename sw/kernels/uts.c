/* uts.c - unbalanced tree search (UTS; paper 3, section 5.3 and Table 4): warps take nodes from their SM's stack, under a lock of
 * the SM (scope WG), and push children there; half of a full stack goes to a stack of all, from which an SM takes that has
 * none, under a lock of the device. Nothing is copied from the benchmark but what it does. */
#include "sync.h"
#include <stdlib.h>

enum { VALUE, DEPTH, TO_ADD, CHILD, NODE = 5 };     /* words of a node; children's numbers, 0 = none */
enum { STACK = 32, HALF = STACK / 2, DEAL = 16 };   /* entries of an SM's stack; moved at once; dealt to an SM */
enum { PROCESSED, LEAVES, SUM, COUNTS };

struct args {
    uint32_t nodes, lanes;
    unsigned local;                                 /* scope of an SM's lock */
    uint32_t sms;
    struct hd_array *node, *global, *stack, *head, *lock, *count; /* head, lock: [0] of all, then one an SM */
};

static uint32_t word(struct hd_warp *w, uint32_t addr)
{
    return hd_use(w, hd_ld_row(w, 1, addr))[0];
}

static void put_word(struct hd_warp *w, uint32_t addr, uint32_t value)
{
    hd_st_row(w, 1, addr, &value);
}

static void lock(struct hd_warp *w, uint32_t addr, unsigned scope)
{
    for (uint32_t pause = 1; hd_sync_cas(w, addr, 0, 1, HD_ORD_ACQUIRE, scope) != 0; pause = pause % 31 + 1)
        hd_sync_idle(w, pause);
}

/* Moves @n entries from below @from to @to on: lane x takes the entry x below the top. */
static void move(struct hd_warp *w, uint32_t from, uint32_t to, uint32_t n)
{
    uint32_t source[HD_MAX_LANES] = {0};
    for (uint32_t l = 0; l < n; l++)
        source[l] = from - 4 * (l + 1);
    const uint32_t *got = hd_use(w, hd_ld(w, hd_lanes_below(n), source));
    hd_st_row(w, hd_lanes_below(n), to, got);
}

/* Entries moved between stacks at once, one a lane. */
static uint32_t some(const struct args *g)
{
    return HALF < g->lanes ? HALF : g->lanes;
}

/* Takes up to a node a lane. @return how many; *node: [lanes] their numbers. */
static uint32_t take(struct hd_warp *w, const struct args *g, uint32_t sm, uint32_t *node)
{
    uint32_t stack = hd_at(g->stack, sm * STACK), head = hd_at(g->head, 1 + sm);
    lock(w, hd_at(g->lock, 1 + sm), g->local);
    uint32_t n = word(w, head);
    if (n == 0 && hd_sync_cas(w, hd_at(g->lock, 0), 0, 1, HD_ORD_ACQUIRE, HD_SCOPE_DEVICE) == 0) {
        uint32_t all = word(w, hd_at(g->head, 0));
        n = all < some(g) ? all : some(g);
        if (n > 0) {
            move(w, hd_at(g->global, all), stack, n);
            put_word(w, hd_at(g->head, 0), all - n);
        }
        hd_sync_put(w, hd_at(g->lock, 0), 0, HD_SCOPE_DEVICE);
    }
    uint32_t mine = n < g->lanes ? n : g->lanes, from[HD_MAX_LANES] = {0};
    for (uint32_t l = 0; l < mine; l++)
        from[l] = stack + 4 * (n - 1 - l);
    if (mine > 0)
        memcpy(node, hd_use(w, hd_ld(w, hd_lanes_below(mine), from)), mine * sizeof *node);
    put_word(w, head, n - mine);
    hd_sync_put(w, hd_at(g->lock, 1 + sm), 0, g->local);
    return mine;
}

/* Pushes two nodes, after giving half of a full stack to all. */
static void push(struct hd_warp *w, const struct args *g, uint32_t sm, const uint32_t *pair)
{
    uint32_t stack = hd_at(g->stack, sm * STACK), head = hd_at(g->head, 1 + sm);
    lock(w, hd_at(g->lock, 1 + sm), g->local);
    uint32_t n = word(w, head);
    while (n + 2 > STACK) {
        lock(w, hd_at(g->lock, 0), HD_SCOPE_DEVICE);
        uint32_t all = word(w, hd_at(g->head, 0));
        move(w, stack + 4 * n, hd_at(g->global, all), some(g));
        put_word(w, hd_at(g->head, 0), all + some(g));
        hd_sync_put(w, hd_at(g->lock, 0), 0, HD_SCOPE_DEVICE);
        n -= some(g);
    }
    hd_st_row(w, 3, stack + 4 * n, pair);
    put_word(w, head, n + 2);
    hd_sync_put(w, hd_at(g->lock, 1 + sm), 0, g->local);
}

static void count(struct hd_warp *w, const struct args *g, unsigned which, hd_mask_t mask, const uint32_t *value)
{
    uint32_t at[HD_MAX_LANES];
    for (uint32_t l = 0; l < HD_MAX_LANES; l++)
        at[l] = hd_at(g->count, which);
    hd_atom_o(w, HD_AT_ADD, mask, at, value, HD_ORD_RELAXED, HD_SCOPE_DEVICE);
}

/* Visits a node a lane. children: [lanes] both of each, first 0: a leaf. */
static void visit(struct hd_warp *w, const struct args *g, uint32_t n, const uint32_t *node, uint32_t (*children)[2])
{
    uint32_t at[NODE][HD_MAX_LANES] = {{0}}, got[NODE][HD_MAX_LANES] = {{0}}, below[2][HD_MAX_LANES] = {{0}};
    static const uint32_t zero[HD_MAX_LANES];
    uint32_t one[HD_MAX_LANES];
    hd_mask_t all = hd_lanes_below(n), inner = 0;
    for (unsigned i = 0; i < NODE; i++) {
        for (uint32_t l = 0; l < n; l++)
            at[i][l] = hd_at(g->node, node[l] * NODE + i);
        memcpy(got[i], hd_use(w, hd_ld(w, all, at[i])), g->lanes * sizeof got[i][0]);
    }
    for (uint32_t l = 0; l < HD_MAX_LANES; l++)
        one[l] = 1;
    for (uint32_t l = 0; l < n; l++) {
        got[VALUE][l] += got[TO_ADD][l];
        got[DEPTH][l]++;
        children[l][0] = got[CHILD][l];
        children[l][1] = got[CHILD + 1][l];
        inner |= got[CHILD][l] ? hd_lane(l) : 0;
    }
    hd_alu(w, 4);
    hd_st(w, all, at[VALUE], got[VALUE]);
    count(w, g, SUM, all & ~inner, got[VALUE]);
    count(w, g, LEAVES, all & ~inner, one);
    for (unsigned c = 0; c < 2; c++) {
        for (uint32_t l = 0; l < n; l++)
            below[c][l] = hd_at(g->node, children[l][c] * NODE + DEPTH);
        hd_st(w, inner, below[c], got[DEPTH]);
        for (uint32_t l = 0; l < n; l++)
            below[c][l] += 4 * (TO_ADD - DEPTH);
        hd_st(w, inner, below[c], zero);
    }
    count(w, g, PROCESSED, all, one);
}

static void uts(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    uint32_t sm = hd_block(w) % g->sms, node[HD_MAX_LANES] = {0}, children[HD_MAX_LANES][2];
    for (uint32_t pause = 1; hd_sync_atom(w, HD_AT_ADD, hd_at(g->count, PROCESSED), 0, HD_ORD_RELAXED, HD_SCOPE_DEVICE) < g->nodes;) {
        uint32_t n = take(w, g, sm, node);
        if (n == 0) {
            hd_sync_idle(w, pause = pause < 256 ? 2 * pause : 256);
            continue;
        }
        pause = 1;
        visit(w, g, n, node, children);
        for (uint32_t l = 0; l < n; l++)
            if (children[l][0] != 0)
                push(w, g, sm, children[l]);
    }
}

/* Gives a tree of an odd number of nodes: fertile ones have the next two numbers for children. */
static void grow(struct hd_work *k, const struct args *g, uint32_t fertile)
{
    uint32_t *node = g->node->host, made = 1;
    for (uint32_t i = 0; i < g->nodes; i++) {
        node[i * NODE + VALUE] = hd_work_random_below(k, 100);
        node[i * NODE + TO_ADD] = 1;          /* its parent says 0: who reads it too early is seen */
    }
    for (uint32_t i = 0; made < g->nodes; i = (i + 1) % made) /* all are leaves: they are asked again */
        if (node[i * NODE + CHILD] == 0 && hd_work_random_below(k, 100) < fertile) {
            node[i * NODE + CHILD] = made;
            node[i * NODE + CHILD + 1] = made + 1;
            made += 2;
        }
}

/* A node as it is after its visit. */
static void finish(const struct args *g, uint32_t i)
{
    uint32_t *node = g->node->host + i * NODE;
    g->count->host[PROCESSED]++;
    node[VALUE] += node[TO_ADD];
    if (node[CHILD] == 0) {
        g->count->host[LEAVES]++;
        g->count->host[SUM] += node[VALUE];
    }
    for (unsigned c = 0; node[CHILD] && c < 2; c++) {
        g->node->host[node[CHILD + c] * NODE + DEPTH] = node[DEPTH] + 1;
        g->node->host[node[CHILD + c] * NODE + TO_ADD] = 0;
    }
}

static const char *prepare(struct hd_work *k)
{
    const struct hd_config *c = hd_work_config(k);
    struct args *g = hd_work_args(k, sizeof *g);
    uint32_t first = 0, last = 1, *queue;
    g->nodes = hd_work_param(k, "nodes") | 1;
    g->sms = c->sms;
    g->lanes = c->lanes;
    g->local = c->order == HD_MODEL_HRF || c->order == HD_MODEL_DRF ? HD_SCOPE_WG : HD_SCOPE_DEVICE;
    if (c->lanes < 2)
        return "lanes: a warp pushes two nodes at once";
    g->node = hd_work_array(k, "node", (uint64_t)g->nodes * NODE);
    g->global = hd_work_array(k, "global", g->nodes + STACK);
    g->stack = hd_work_array(k, "stack", g->sms * STACK);
    g->head = hd_work_array(k, "head", 1 + g->sms);
    g->lock = hd_work_array(k, "lock", 1 + g->sms);
    g->count = hd_work_array(k, "count", COUNTS);
    g->global->free_form = g->stack->free_form = true;
    if (!g->count->words || !g->node->words || !(queue = malloc(g->nodes * sizeof *queue)))
        return NULL;
    grow(k, g, hd_work_param(k, "fertile"));
    for (queue[0] = 0; first < last && last - first + 1 <= DEAL * g->sms; first++) { /* the host begins */
        const uint32_t *child = g->node->host + queue[first] * NODE + CHILD;
        finish(g, queue[first]);
        for (unsigned i = 0; child[0] && i < 2; i++)
            queue[last++] = child[i];
    }
    for (uint32_t i = first; i < last; i++) {
        uint32_t sm = (i - first) % g->sms;
        g->stack->host[sm * STACK + g->head->host[1 + sm]++] = queue[i];
    }
    free(queue);
    hd_work_launch(k, &(struct hd_launch){.fn = uts, .args = g, .grid_x = g->sms * hd_work_param(k, "per_sm"), .grid_y = 1,
                                          .block_x = hd_work_param(k, "warps") * c->lanes, .block_y = 1});
    return NULL;
}

static void reference(struct hd_work *k)
{
    struct args *g = hd_work_get_args(k);
    bool *below = calloc(g->nodes, sizeof *below);   /* visited on the machine: below a node of a stack */
    for (uint32_t s = 0; below && s < g->sms; s++) {
        for (uint32_t i = 0; i < g->head->host[1 + s]; i++)
            below[g->stack->host[s * STACK + i]] = true;
        g->head->host[1 + s] = 0;
    }
    for (uint32_t i = 0; below && i < g->nodes; i++) /* parents have lower numbers */
        if (below[i]) {
            const uint32_t *child = g->node->host + i * NODE + CHILD;
            finish(g, i);
            if (child[0])
                below[child[0]] = below[child[1]] = true;
        }
    if (!below)
        hd_work_fail(k, "no memory for the check");
    free(below);
}

static const struct hd_param params[] = {
    {"nodes", 511, 1, 1u << 20, "of the tree, made odd"},
    {"fertile", 90, 1, 100, "% of nodes that have children, when they are asked"},
    {"per_sm", 1, 1, 8, "blocks an SM"},
    {"warps", 4, 1, 32, "warps a block, each takes nodes for itself"},
    {0},
};
static const struct hd_full full[] = {{"nodes", 16383}, {NULL, 0}};

const struct hd_workload hd_work_uts = {
    .name = "uts", .doc = "unbalanced tree search: stacks of SMs and one of all", .params = params, .full = full,
    .prepare = prepare, .reference = reference,
};
