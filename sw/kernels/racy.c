/* racy.c - racy tester: every warp does random operations on the same few lines, global and LDS. What they read is
 * judged by the memory-model checker (checked builds), as is the memory they leave; without ghost bits a run only
 * shows that the machine comes to its end. */
#include "work.h"

enum { IN_FLIGHT = 8, LDS_LINES = 2, EXPECTED = 32 };

struct args {
    uint64_t seed;
    uint32_t ops, lines, stride, line_words, stores, atomics, sync, fences, barriers, pause;
    uint32_t base, lds_words, warps;
};

struct state {
    const struct args *g;
    struct hd_warp *w;
    uint64_t random;
    uint32_t value;              /* to be stored next: no two stores of a run write the same */
    hd_tok tok[IN_FLIGHT];
    bool waits[IN_FLIGHT];       /* tok has not been used */
};

static uint32_t below(struct state *s, uint32_t n)
{
    return hd_random_below(&s->random, n);
}

static bool percent(struct state *s, uint32_t p)
{
    return below(s, 100) < p;
}

/* Lanes of an operation: all, one, or any. */
static hd_mask_t choose_mask(struct state *s)
{
    uint32_t how = below(s, 4);
    if (how < 2)
        return HD_ALL_LANES;
    return how == 2 ? hd_lane(below(s, hd_lanes(s->w))) : hd_random(&s->random);
}

/* One line for all lanes, or one each; in it a word each at random, or that of the lane's number. */
static void choose_addresses(struct state *s, bool lds, uint32_t addr[HD_MAX_LANES])
{
    const struct args *g = s->g;
    uint32_t lines = lds ? g->lds_words / g->line_words : g->lines;
    uint32_t line = below(s, lines);
    bool same = percent(s, 60), row = percent(s, 30);
    for (unsigned l = 0; l < hd_lanes(s->w); l++) {
        uint32_t word = row ? l % g->line_words : below(s, g->line_words);
        uint32_t at = same ? line : below(s, lines);
        addr[l] = 4 * ((lds ? at : at * g->stride) * g->line_words + word) + (lds ? 0 : g->base);
    }
}

static unsigned choose_scope(struct state *s)
{
    static const uint8_t scope[] = {HD_SCOPE_WG, HD_SCOPE_DEVICE, HD_SCOPE_DEVICE, HD_SCOPE_SYSTEM};
    return scope[below(s, sizeof scope)];
}

/* Keeps the token until its turn comes round; some are never used. */
static void keep(struct state *s, hd_tok tok)
{
    uint32_t i = below(s, IN_FLIGHT);
    s->tok[i] = tok;
    s->waits[i] = true;
}

/* Uses one of the tokens: what follows depends on it. */
static void use_one(struct state *s, hd_tok newest)
{
    uint32_t i = below(s, IN_FLIGHT);
    if (s->waits[i] && newest - s->tok[i] < HD_TOKENS)
        hd_use(s->w, s->tok[i]);
    s->waits[i] = false;
}

static hd_tok atomic(struct state *s, hd_mask_t mask, bool lds, const uint32_t *addr, const uint32_t *data)
{
    static const uint8_t orders[] = {HD_ORD_ACQUIRE, HD_ORD_RELEASE, HD_ORD_ACQ_REL, HD_ORD_SEQ_CST};
    unsigned fn = below(s, HD_AT_UMAX + 1), scope = choose_scope(s);
    unsigned order = percent(s, s->g->sync) ? orders[below(s, sizeof orders)] : HD_ORD_RELAXED;
    if (fn == HD_AT_CAS && !lds) {
        uint32_t expect[HD_MAX_LANES];
        for (unsigned l = 0; l < EXPECTED || l < hd_lanes(s->w); l++) /* narrow warps draw as many as those of 32 */
            expect[l] = below(s, 2);
        return hd_cas_o(s->w, mask, addr, expect, data, order, scope);
    }
    if (fn == HD_AT_CAS)
        fn = HD_AT_EXCH;
    return (lds ? hd_lds_atom : hd_atom_o)(s->w, fn, mask, addr, data, order, scope);
}

/* @return the token of a load or atomic, else @newest. */
static hd_tok access(struct state *s, hd_tok newest)
{
    uint32_t addr[HD_MAX_LANES], data[HD_MAX_LANES], kind = below(s, 100);
    hd_mask_t mask = choose_mask(s) & hd_mask(s->w);
    bool lds = s->g->lds_words > 0 && percent(s, 20), sync = percent(s, s->g->sync);
    bool total = percent(s, 25);
    if (mask == 0)
        return newest;
    choose_addresses(s, lds, addr);
    for (unsigned l = 0; l < hd_lanes(s->w); l++)
        data[l] = percent(s, 10) ? below(s, 2) : s->value++;
    if (kind < s->g->stores) {
        unsigned order = total ? HD_ORD_SEQ_CST : HD_ORD_RELEASE;
        if (!sync && !lds)
            hd_st(s->w, mask, addr, data);
        else
            (lds ? hd_lds_st : hd_st_o)(s->w, mask, addr, data, sync ? order : HD_ORD_RELAXED, choose_scope(s));
        return newest;
    }
    hd_tok tok;
    unsigned order = total ? HD_ORD_SEQ_CST : HD_ORD_ACQUIRE;
    if (kind < s->g->stores + s->g->atomics)
        tok = atomic(s, mask, lds, addr, data);
    else if (!sync && !lds)
        tok = hd_ld(s->w, mask, addr);
    else
        tok = (lds ? hd_lds_ld : hd_ld_o)(s->w, mask, addr, sync ? order : HD_ORD_RELAXED, choose_scope(s));
    keep(s, tok);
    return tok;
}

static void racy(struct hd_warp *w, void *args)
{
    static const uint8_t orders[] = {HD_ORD_ACQUIRE, HD_ORD_RELEASE, HD_ORD_ACQ_REL, HD_ORD_SEQ_CST};
    const struct args *g = args;
    uint32_t id = hd_block(w) * g->warps + hd_warp_in_block(w);
    struct state s = {.g = g, .w = w, .random = g->seed + id, .value = id << 20 | 2};
    hd_tok newest = 0;
    for (uint32_t i = 0; i < g->ops; i++) {
        if (g->barriers > 0 && i % g->barriers == g->barriers - 1)
            hd_bar(w);
        if (g->pause > 0 && percent(&s, 25))
            hd_alu(w, below(&s, g->pause));
        if (percent(&s, g->fences))
            hd_fence(w, orders[below(&s, sizeof orders)], choose_scope(&s));
        newest = access(&s, newest);
        if (percent(&s, 40))
            use_one(&s, newest);
    }
}

static const char *prepare(struct hd_work *k)
{
    const struct hd_config *c = hd_work_config(k);
    struct args *g = hd_work_args(k, sizeof *g);
    uint32_t blocks = hd_work_param(k, "blocks"), warps = hd_work_param(k, "warps");
    *g = (struct args){.seed = hd_work_random(k),
                       .ops = hd_work_param(k, "ops"),
                       .lines = hd_work_param(k, "lines"),
                       .stride = hd_work_param(k, "stride"),
                       .line_words = c->line_bytes / 4,
                       .stores = hd_work_param(k, "stores"),
                       .atomics = hd_work_param(k, "atomics"),
                       .sync = hd_work_param(k, "sync"),
                       .fences = hd_work_param(k, "fences"),
                       .barriers = hd_work_param(k, "barriers"),
                       .pause = hd_work_param(k, "pause"),
                       .warps = warps ? warps : c->warps};
    if (g->stores + g->atomics > 100)
        return "stores + atomics must be at most 100";
    if (hd_work_param(k, "lds")) {
        g->lds_words = LDS_LINES * g->line_words;
        if (4 * g->lds_words > c->lds_bytes)
            g->lds_words = 0;
    }
    struct hd_array *words = hd_work_array(k, "words", (uint64_t)g->lines * g->stride * g->line_words);
    words->free_form = true;
    g->base = words->addr;
    hd_work_launch(k, &(struct hd_launch){.fn = racy, .args = g, .grid_x = blocks ? blocks : c->sms, .grid_y = 1,
                                          .block_x = g->warps * c->lanes, .block_y = 1,
                                          .lds_bytes = 4 * g->lds_words});
    return NULL;
}

static void reference(struct hd_work *k)
{
    (void)k; /* the memory-model checker has compared the last words */
}

static const struct hd_param params[] = {
    {"ops", 200, 1, 1000000, "operations a warp"},
    {"blocks", 0, 0, 4096, "blocks; 0 = one an SM"},
    {"warps", 0, 0, 64, "warps a block; 0 = all slots of an SM"},
    {"lines", 4, 1, 65536, "lines they all use"},
    {"stride", 1, 1, 4096, "from line to line, in lines: a multiple of the sets puts all into one"},
    {"stores", 35, 0, 100, "percent of the accesses"},
    {"atomics", 20, 0, 100, "percent of the accesses"},
    {"sync", 15, 0, 100, "percent of the accesses that acquire, release or both"},
    {"fences", 5, 0, 100, "percent: operations with a fence before them"},
    {"barriers", 0, 0, 1000000, "operations from barrier to barrier; 0 = none"},
    {"pause", 8, 0, 1000, "ALU instructions at most between two operations"},
    {"lds", 1, 0, 1, "a fifth of the accesses goes to the LDS"},
    {0},
};

const struct hd_workload hd_work_racy = {
    .name = "racy",
    .doc = "random operations of all warps on few lines, judged by the memory-model checker (ghost_bits=32)",
    .params = params,
    .prepare = prepare,
    .reference = reference,
};
