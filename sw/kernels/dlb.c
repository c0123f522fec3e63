/* dlb.c - DLB, dynamic load balancing: a tree of tasks that make tasks. Each block has a queue: it appends the tasks it
 * makes to it, and takes tasks from its head or, when it is empty, from that of another block. All tasks begin in the
 * queue of block 0.
 *
 * A queue is an array that is not used twice, with a head and a tail. Only its block adds: it writes the entries, then
 * adds to the tail with release. Who takes reads the tail with acquire, then the entry, and advances the head by
 * compare-and-swap. A task's input was written by the block that made it, so it must come with the task. `open` counts
 * the tasks made and not yet done; at 0 everybody leaves. */
#include "work.h"

enum { LINE_WORDS = 32, HEAD = 0, TAIL = 1, MAX_CHILDREN = 2 };

static const uint32_t NONE = UINT32_MAX; /* no task */

struct args {
    uint32_t tasks, blocks, alu;
    uint64_t seed;
    const struct hd_array *tree;     /* a task: its first child, how many */
    const struct hd_array *input;    /* a line a task */
    const struct hd_array *output;   /* a word a thread of each task */
    const struct hd_array *runs;     /* times each task was done */
    const struct hd_array *queue;    /* a line a queue: head and tail */
    const struct hd_array *entry;    /* room for all tasks in each */
    const struct hd_array *open;
    struct { uint32_t own, stolen, tries; } count[]; /* a block */
};

static inline uint32_t mix(uint32_t value, uint32_t thread)
{
    value += thread * 0x9e3779b9u;
    value ^= value >> 16;
    value *= 0x85ebca6bu;
    return value ^ value >> 13;
}

/* One word, by lane 0. */
static uint32_t load(struct hd_warp *w, uint32_t addr, unsigned order)
{
    return hd_use(w, order == HD_ORD_RELAXED ? hd_ld(w, 1, &addr) : hd_ld_o(w, 1, &addr, order, HD_SCOPE_DEVICE))[0];
}

static void add(struct hd_warp *w, uint32_t addr, uint32_t value, unsigned order)
{
    hd_atom_o(w, HD_AT_ADD, 1, &addr, &value, order, HD_SCOPE_DEVICE);
}

/* @return a task from the head of queue @q, or NONE. */
static uint32_t take_from(struct hd_warp *w, const struct args *g, uint32_t q)
{
    uint32_t at = hd_at(g->queue, q * LINE_WORDS);
    uint32_t head = load(w, at + 4 * HEAD, HD_ORD_ACQUIRE), tail = load(w, at + 4 * TAIL, HD_ORD_ACQUIRE);
    while (head < tail) {
        uint32_t addr = at + 4 * HEAD, next = head + 1;
        uint32_t task = load(w, hd_at(g->entry, q * g->tasks + head), HD_ORD_RELAXED);
        hd_alu(w, 4);
        uint32_t old = hd_use(w, hd_cas_o(w, 1, &addr, &head, &next, HD_ORD_ACQ_REL, HD_SCOPE_DEVICE))[0];
        if (old == head)
            return task;
        head = old;
    }
    return NONE;
}

/* @return a task of the block's own queue or of another's, or NONE when all are done. */
static uint32_t take(struct hd_warp *w, struct args *g, uint64_t *random)
{
    uint32_t me = hd_block(w), task = take_from(w, g, me);
    g->count[me].own += task != NONE;
    for (unsigned pause = 16; task == NONE; pause = pause < 256 ? 2 * pause : pause) {
        if (load(w, hd_at(g->open, 0), HD_ORD_ACQUIRE) == 0)
            return NONE;
        if (g->blocks > 1) {
            uint32_t other = (me + 1 + hd_random_below(random, g->blocks - 1)) % g->blocks;
            task = take_from(w, g, other);
            g->count[me].tries++;
            g->count[me].stolen += task != NONE;
        }
        if (task == NONE)
            hd_sleep(w, hd_now(w) + pause); /* costs no issue slots */
    }
    return task;
}

/* The work of a task by all warps: from its line of input a word of output a thread and the children's lines. */
static void work(struct hd_warp *w, const struct args *g, uint32_t task, uint32_t first, uint32_t children)
{
    const unsigned lanes = hd_lanes(w);
    uint32_t addr[HD_MAX_LANES], value[HD_MAX_LANES];
    hd_mask_t makes = 0;
    for (unsigned l = 0; l < lanes; l++)
        addr[l] = hd_at(g->input, task * LINE_WORDS + hd_thread(w, l) % LINE_WORDS);
    const uint32_t *in = hd_use(w, hd_ld(w, hd_mask(w), addr));
    for (unsigned l = 0; l < lanes; l++)
        value[l] = mix(in[l], hd_thread(w, l));
    hd_alu(w, g->alu);
    hd_st_row(w, hd_mask(w), hd_at(g->output, task * hd_block_dim_x(w) + hd_thread(w, 0)), value);
    for (unsigned l = 0; l < lanes; l++)
        makes |= (hd_mask_t)(hd_thread(w, l) < LINE_WORDS) << l;
    for (uint32_t c = 0; c < children; c++) {
        for (unsigned l = 0; l < lanes; l++)
            value[l] += 1;
        hd_st_row(w, makes, hd_at(g->input, (first + c) * LINE_WORDS + hd_thread(w, 0)), value);
    }
}

/* Appends the children to the block's own queue, whose tail is @tail. */
static void push(struct hd_warp *w, const struct args *g, uint32_t tail, uint32_t first, uint32_t children)
{
    uint32_t q = hd_block(w);
    for (uint32_t c = 0; c < children; c++) {
        uint32_t child = first + c;
        hd_st_row(w, 1, hd_at(g->entry, q * g->tasks + tail + c), &child);
    }
    if (children > 0)
        add(w, hd_at(g->queue, q * LINE_WORDS + TAIL), children, HD_ORD_RELEASE);
}

static void dlb(struct hd_warp *w, void *args)
{
    struct args *g = args;
    const uint32_t zero[HD_MAX_LANES] = {0};
    uint64_t random = g->seed + hd_block(w);
    bool leader = hd_warp_in_block(w) == 0;
    uint32_t tail = g->queue->host[hd_block(w) * LINE_WORDS + TAIL]; /* what prepare() put there */
    for (;;) {
        if (leader) {
            uint32_t task = take(w, g, &random);
            hd_lds_st(w, 1, zero, &task, HD_ORD_RELAXED, HD_SCOPE_WG);
            hd_fence(w, HD_ORD_ACQ_REL, HD_SCOPE_DEVICE);
        }
        hd_bar(w);
        uint32_t task = hd_use(w, hd_lds_ld(w, 1, zero, HD_ORD_RELAXED, HD_SCOPE_WG))[0];
        if (task == NONE)
            return;
        uint32_t addr = hd_at(g->tree, 2 * task);
        hd_tok tf = hd_ld_all(w, 1, addr), tc = hd_ld_all(w, 1, addr + 4);
        uint32_t first = hd_use(w, tf)[0], children = hd_use(w, tc)[0];
        work(w, g, task, first, children);
        hd_fence(w, HD_ORD_RELEASE, HD_SCOPE_DEVICE);
        hd_bar(w);
        if (leader) {
            push(w, g, tail, first, children);
            tail += children;
            add(w, hd_at(g->runs, task), 1, HD_ORD_RELAXED);
            add(w, hd_at(g->open, 0), children - 1, HD_ORD_ACQ_REL);
        }
    }
}

static const char *prepare(struct hd_work *k)
{
    uint32_t blocks = hd_work_param(k, "blocks"), threads = hd_work_param(k, "threads");
    uint32_t tasks = hd_work_param(k, "tasks"), roots = hd_work_param(k, "roots");
    struct args *g = hd_work_args(k, sizeof *g + blocks * sizeof g->count[0]);
    if (roots > tasks)
        return "roots: more than tasks";
    g->tasks = tasks;
    g->blocks = blocks;
    g->alu = hd_work_param(k, "alu");
    g->seed = hd_work_random(k);
    struct hd_array *tree = hd_work_array(k, "tree", 2 * (uint64_t)tasks);
    struct hd_array *input = hd_work_array(k, "input", (uint64_t)tasks * LINE_WORDS);
    struct hd_array *queue = hd_work_array(k, "queue", (uint64_t)blocks * LINE_WORDS);
    struct hd_array *entry = hd_work_array(k, "entry", (uint64_t)blocks * tasks);
    struct hd_array *open = hd_work_array(k, "open", 1);
    g->output = hd_work_array(k, "output", (uint64_t)tasks * threads);
    g->runs = hd_work_array(k, "runs", tasks);
    if (!tree->words || !input->words || !queue->words || !entry->words)
        return NULL; /* no memory, which the caller reports */
    for (uint32_t t = 0, next = roots; t < tasks; t++) {
        uint32_t draw = hd_work_random_below(k, 4), children = draw < MAX_CHILDREN ? draw : MAX_CHILDREN;
        if (children == 0 && next == t + 1)
            children = 1; /* the last one there is must not die out */
        children = children < tasks - next ? children : tasks - next;
        tree->host[2 * t] = next;
        tree->host[2 * t + 1] = children;
        next += children;
    }
    for (uint32_t t = 0; t < roots; t++) {
        entry->host[t] = t;
        for (uint32_t i = 0; i < LINE_WORDS; i++)
            input->host[t * LINE_WORDS + i] = (uint32_t)hd_work_random(k);
    }
    queue->host[TAIL] = roots;
    queue->free_form = true;
    entry->free_form = true;
    open->host[0] = roots;
    g->tree = tree;
    g->input = input;
    g->queue = queue;
    g->entry = entry;
    g->open = open;
    hd_work_launch(k, &(struct hd_launch){.fn = dlb, .args = g, .grid_x = blocks, .grid_y = 1, .block_x = threads,
                                          .block_y = 1, .lds_bytes = 4});
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    uint32_t threads = g->output->words / g->tasks, tries = 0, stolen = 0, own = 0;
    for (uint32_t t = 0; t < g->tasks; t++) {
        const uint32_t *in = &g->input->host[t * LINE_WORDS];
        for (uint32_t i = 0; i < threads; i++)
            g->output->host[t * threads + i] = mix(in[i % LINE_WORDS], i);
        for (uint32_t c = 0; c < g->tree->host[2 * t + 1]; c++)
            for (uint32_t i = 0; i < LINE_WORDS; i++)
                g->input->host[(g->tree->host[2 * t] + c) * LINE_WORDS + i] = mix(in[i], i) + c + 1;
        g->runs->host[t] = 1;
    }
    g->open->host[0] = 0;
    for (uint32_t b = 0; b < g->blocks; b++) {
        const uint32_t *q = &g->queue->result[b * LINE_WORDS];
        if (q[HEAD] != q[TAIL])
            hd_work_fail(k, "queue of block %u: head %u, tail %u; it must be empty", b, q[HEAD], q[TAIL]);
        tries += g->count[b].tries;
        stolen += g->count[b].stolen;
        own += g->count[b].own;
    }
    if (own + stolen != g->tasks)
        hd_work_fail(k, "%u tasks were taken from queues, there are %u", own + stolen, g->tasks);
    hd_work_counter(k, "dlb.steals", stolen);
    hd_work_counter(k, "dlb.steal_tries", tries);
}

static const struct hd_param params[] = {
    {"blocks", 24, 1, 1024, "blocks, each with a queue"},
    {"threads", 64, 32, 1024, "threads a block"},
    {"tasks", 2048, 1, 65536, "tasks in all"},
    {"roots", 8, 1, 65536, "tasks there are at the start, all with block 0"},
    {"alu", 40, 0, 10000, "ALU instructions of a task"},
    {0},
};

static const struct hd_full full[] = {{"blocks", 96}, {0}};

const struct hd_workload hd_work_dlb = {
    .name = "dlb",
    .doc = "tasks that make tasks, in queues that blocks steal from (DLB, inter-block set of paper 1)",
    .params = params,
    .full = full,
    .prepare = prepare,
    .reference = reference,
};
