/* drf.c - data-race-free tester: every lane runs episodes between the acquire and the release of a lock; in between it
 * owns the lock's locations, so the value of each of its loads and atomics is known: what the host keeps in `words`.
 * Locations of all locks lie mixed in the same lines (false sharing), with mixed = 1 the locks among them.
 *
 * scoped = 1: a lock is a word of the device and one of each block. A lane takes its block's word at scope WG, then the
 * device's, unless the block has kept that one; it gives back both, or keeps the device's for its block. So what a lock
 * guards goes from warp to warp through the L1 alone, and then to other blocks by a release of a warp that wrote none of it
 * (HRF-Indirect). A warp that ends gives back what its block has kept and no lane holds.
 *
 * read_only > 0: words that nobody writes lie between the others, in regions that the grid names (DD+RO).
 *
 * The host's copy is one for all SMs. Whoever holds the lock in the machine is alone with its part of it: a lock
 * passes from SM to SM over links, so later than the window in which it was released. */
#include "work.h"

enum { MAX_TRIES = 100000, MAX_BUSY = 16, MAX_FLIGHT = 8 };

struct warp_state {
    uint64_t random, checked, episodes;
    bool stuck;                  /* got no lock in MAX_TRIES: gave up */
    bool wrong;                  /* the first difference follows */
    uint32_t lane, addr, got, expected;
    uint64_t cycle;
};

struct args {
    uint32_t episodes, length, locks, locations, stores, atomics, pause, flight, warps, fenced, scoped, keep, read_only;
    uint32_t all, blocks;        /* warps and blocks of the grid */
    bool late;                   /* a plain store frees no lock for other SMs */
    const struct hd_array *words;
    uint32_t *index;             /* [locks * locations] where in words */
    uint32_t *constant;          /* [read_only] the same of what nobody writes */
    uint32_t *lock;              /* [locks] byte addresses of the device's words, */
    uint32_t *near;              /* ... [locks * blocks] of those of the blocks */
    uint32_t *kept;              /* [locks] 1 + the block that has kept it; 0: none */
    struct warp_state warp[];
};

/* What a lane does in an episode. */
struct lane {
    uint32_t lock, left;
};

/* A load or atomic whose values have not been compared. */
struct flight {
    hd_tok tok;
    hd_mask_t mask; /* 0: none */
    uint32_t addr[HD_MAX_LANES], expected[HD_MAX_LANES];
};

/* Words of locks, by lane. */
struct column {
    uint32_t addr[HD_MAX_LANES];
};
static const uint32_t open[HD_MAX_LANES] = {0};

static bool percent(struct warp_state *s, uint32_t p)
{
    return hd_random_below(&s->random, 100) < p;
}

/* Waits for the values and compares them. */
static void compare(struct hd_warp *w, struct warp_state *s, struct flight *f)
{
    const uint32_t *got = f->mask ? hd_use(w, f->tok) : NULL;
    for (; f->mask != 0; f->mask &= f->mask - 1) {
        unsigned l = (unsigned)__builtin_ctzll(f->mask);
        s->checked++;
        if (got[l] != f->expected[l] && !s->wrong) {
            s->wrong = true;
            s->lane = l;
            s->addr = f->addr[l];
            s->got = got[l];
            s->expected = f->expected[l];
            s->cycle = hd_now(w);
        }
    }
}

/* One operation of the lanes in @mask on locations they own; *f is free. */
static void step(struct hd_warp *w, struct args *g, struct warp_state *s, const struct lane *lane, hd_mask_t mask,
                 struct flight *f)
{
    uint32_t data[HD_MAX_LANES] = {0}, kind = hd_random_below(&s->random, 100);
    bool store = kind < g->stores, atomic = !store && kind < g->stores + g->atomics;
    hd_mask_t constant = 0; /* lanes that read what nobody writes: all, some or none */
    if (g->read_only > 0 && !store && !atomic && percent(s, 50))
        constant = percent(s, 50) ? HD_ALL_LANES : hd_random(&s->random);
    memset(f->addr, 0, sizeof f->addr);
    for (hd_mask_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned l = (unsigned)__builtin_ctzll(rest);
        uint32_t i = constant & hd_lane(l) ? g->constant[hd_random_below(&s->random, g->read_only)]
                     : g->index[lane[l].lock * g->locations + hd_random_below(&s->random, g->locations)];
        uint32_t *word = &g->words->host[i];
        f->addr[l] = g->words->addr + 4 * i;
        data[l] = (uint32_t)hd_random(&s->random);
        f->expected[l] = *word;
        if (store)
            *word = data[l];
        else if (atomic)
            *word += data[l];
    }
    if (g->pause > 0)
        hd_alu(w, hd_random_below(&s->random, g->pause));
    if (store)
        hd_st(w, mask, f->addr, data);
    else {
        bool sync = constant == HD_ALL_LANES && percent(s, 10); /* they may be synchronized on, too */
        f->tok = atomic ? hd_atom(w, HD_AT_ADD, mask, f->addr, data)
                 : sync ? hd_ld_o(w, mask, f->addr, HD_ORD_ACQUIRE, HD_SCOPE_DEVICE) : hd_ld(w, mask, f->addr);
        f->mask = mask;
    }
}

/* Lanes of @mask try to take the words @at. @return those that have theirs. */
static hd_mask_t take(struct hd_warp *w, const struct args *g, hd_mask_t mask, const struct column *at, unsigned scope)
{
    uint32_t one[HD_MAX_LANES];
    hd_mask_t won = 0;
    for (unsigned l = 0; l < hd_lanes(w); l++)
        one[l] = 1;
    const uint32_t *old = hd_use(w, hd_atom_o(w, HD_AT_EXCH, mask, at->addr, one,
                                              g->fenced ? HD_ORD_RELAXED : HD_ORD_ACQUIRE, scope));
    for (hd_mask_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned l = (unsigned)__builtin_ctzll(rest);
        if (old[l] == 0)
            won |= hd_lane(l);
    }
    if (g->fenced && won != 0)
        hd_fence(w, HD_ORD_ACQUIRE, scope);
    return won;
}

/* Lanes of @mask give the words @at back. */
static void give(struct hd_warp *w, const struct args *g, struct warp_state *s, hd_mask_t mask, const struct column *at,
                 unsigned scope)
{
    if (mask == 0)
        return;
    if (g->fenced)
        hd_fence(w, HD_ORD_RELEASE, scope);
    if (g->fenced && !g->late)
        hd_st(w, mask, at->addr, open);
    else if (g->fenced)
        hd_atom_o(w, HD_AT_EXCH, mask, at->addr, open, HD_ORD_RELAXED, scope);
    else if (percent(s, 50))
        hd_st_o(w, mask, at->addr, open, HD_ORD_RELEASE, scope);
    else
        hd_atom_o(w, HD_AT_EXCH, mask, at->addr, open, HD_ORD_RELEASE, scope);
}

static void columns(const struct args *g, const struct hd_warp *w, const struct lane *lane, struct column *far,
                    struct column *near)
{
    for (unsigned l = 0; l < hd_lanes(w); l++) {
        far->addr[l] = g->lock[lane[l].lock];
        near->addr[l] = g->scoped ? g->near[lane[l].lock * g->blocks + hd_block(w)] : 0;
    }
}

/* Lanes of @mask whose locks their block has kept. */
static hd_mask_t kept(const struct args *g, const struct hd_warp *w, const struct lane *lane, hd_mask_t mask)
{
    hd_mask_t have = 0;
    for (hd_mask_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned l = (unsigned)__builtin_ctzll(rest);
        if (g->kept[lane[l].lock] == hd_block(w) + 1)
            have |= hd_lane(l);
    }
    return have;
}

/* Lanes of @mask try to take a lock. @return those that have one. */
static hd_mask_t acquire(struct hd_warp *w, const struct args *g, struct warp_state *s, struct lane *lane, hd_mask_t mask)
{
    struct column far, near;
    for (unsigned l = 0; l < hd_lanes(w); l++)
        lane[l].lock = hd_random_below(&s->random, g->locks);
    columns(g, w, lane, &far, &near);
    if (!g->scoped)
        return take(w, g, mask, &far, HD_SCOPE_DEVICE);
    hd_mask_t in = take(w, g, mask, &near, HD_SCOPE_WG), have = kept(g, w, lane, in);
    if ((in & ~have) != 0)
        have |= take(w, g, in & ~have, &far, HD_SCOPE_DEVICE);
    give(w, g, s, in & ~have, &near, HD_SCOPE_WG);
    return have;
}

/* Lanes of @mask, which hold their locks, give them back, those of @keep only to their block. */
static void release(struct hd_warp *w, struct args *g, struct warp_state *s, const struct lane *lane, hd_mask_t mask,
                    hd_mask_t keep)
{
    struct column far, near;
    columns(g, w, lane, &far, &near);
    for (hd_mask_t rest = g->scoped ? mask : 0; rest != 0; rest &= rest - 1) {
        unsigned l = (unsigned)__builtin_ctzll(rest);
        g->kept[lane[l].lock] = keep & hd_lane(l) ? hd_block(w) + 1 : 0;
    }
    give(w, g, s, mask & ~keep, &far, HD_SCOPE_DEVICE);
    if (g->scoped)
        give(w, g, s, mask, &near, HD_SCOPE_WG);
}

/* Gives back the locks that the block has kept. Those that a lane of another warp holds are that warp's to give back. */
static void end(struct hd_warp *w, struct args *g, struct warp_state *s)
{
    struct lane lane[HD_MAX_LANES] = {0};
    struct column far, near;
    for (uint32_t k = 0; k < g->locks;) {
        unsigned n = 0;
        for (; k < g->locks && n < hd_lanes(w); k++)
            if (g->kept[k] == hd_block(w) + 1)
                lane[n++].lock = k;
        if (n == 0)
            return;
        columns(g, w, lane, &far, &near);
        hd_mask_t in = take(w, g, hd_lanes_below(n), &near, HD_SCOPE_WG), have = kept(g, w, lane, in);
        release(w, g, s, lane, have, 0);
        give(w, g, s, in & ~have, &near, HD_SCOPE_WG);
    }
}

static void drf(struct hd_warp *w, void *args)
{
    struct args *g = args;
    struct warp_state *s = &g->warp[hd_block(w) * g->warps + hd_warp_in_block(w)];
    struct lane lane[HD_MAX_LANES] = {0};
    struct flight flight[MAX_FLIGHT] = {0};
    hd_mask_t going = hd_mask(w);
    unsigned pause = 4, tries = 0;
    for (unsigned l = 0; l < hd_lanes(w); l++)
        lane[l].left = g->episodes;
    while (going != 0) {
        hd_mask_t won = acquire(w, g, s, lane, going);
        if (won == 0) {
            if ((s->stuck = ++tries == MAX_TRIES))
                return;
            if (tries < MAX_BUSY)
                hd_alu(w, pause);
            else /* leaves the issue slots to the lock's holder, which a greedy scheduler would starve if it is a younger warp */
                hd_sleep(w, hd_now(w) + pause);
            pause = pause < 256 ? 2 * pause : pause;
            continue;
        }
        pause = 4;
        tries = 0;
        for (uint32_t i = 0; i < g->length; i++) {
            hd_mask_t part = percent(s, 70) ? won : won & hd_random(&s->random);
            if (part != 0)
                step(w, g, s, lane, part, &flight[i % g->flight]);
            compare(w, s, &flight[(i + 1) % g->flight]);
        }
        for (uint32_t i = 0; i < g->flight; i++)
            compare(w, s, &flight[i]);
        hd_mask_t keep = 0;
        for (hd_mask_t rest = g->scoped ? won : 0; rest != 0; rest &= rest - 1)
            if (percent(s, g->keep))
                keep |= rest & -rest;
        release(w, g, s, lane, won, keep);
        s->episodes += (unsigned)__builtin_popcountll(won);
        for (hd_mask_t rest = won; rest != 0; rest &= rest - 1) {
            unsigned l = (unsigned)__builtin_ctzll(rest);
            if (--lane[l].left == 0)
                going &= ~hd_lane(l);
        }
    }
    if (g->scoped)
        end(w, g, s);
}

enum { REGIONS = HD_READ_ONLY };

/* Splits the words behind each other: @free that are written and g->read_only that are not, these in REGIONS regions at
 * random places, so that lines hold both. @return in place[] the numbers of the former; fills l->read_only. */
static void regions(struct hd_work *k, struct args *g, uint32_t free, uint32_t *place, struct hd_launch *l)
{
    uint32_t at = 0, done = 0, used = 0;
    for (uint32_t r = 0; r < REGIONS; r++) {
        uint32_t n = g->read_only / REGIONS + (r < g->read_only % REGIONS);
        uint32_t before = n > 0 ? hd_work_random_below(k, (free - done) / (REGIONS - r) + 1) : 0;
        for (; before > 0; before--)
            place[done++] = at++;
        l->read_only[r] = (struct hd_region){g->words->addr + 4 * at, 4 * n};
        for (; n > 0; n--)
            g->constant[used++] = at++;
    }
    while (done < free)
        place[done++] = at++;
}

static const char *prepare(struct hd_work *k)
{
    const struct hd_config *c = hd_work_config(k);
    uint32_t blocks = hd_work_param(k, "blocks"), warps = hd_work_param(k, "warps");
    uint32_t locks = hd_work_param(k, "locks"), locations = hd_work_param(k, "locations");
    blocks = blocks ? blocks : c->sms;
    warps = warps ? warps : c->warps;
    bool scoped = hd_work_param(k, "scoped"), mixed = hd_work_param(k, "mixed");
    uint32_t read_only = hd_work_param(k, "read_only");
    uint32_t owned = locks * locations, near = scoped ? locks * blocks : 0, free = owned + (mixed ? locks + near : 0);
    size_t words = 2 * (size_t)free + read_only + 2 * (size_t)locks + near; /* behind the warps */
    struct args *g = hd_work_args(k, sizeof *g + (size_t)blocks * warps * sizeof g->warp[0] + words * sizeof g->index[0]);
    g->index = (uint32_t *)&g->warp[(size_t)blocks * warps];
    uint32_t *place = &g->index[free];
    g->constant = &place[free];
    g->lock = &g->constant[read_only];
    g->near = &g->lock[locks];
    g->kept = &g->near[near];
    g->warps = warps;
    g->blocks = blocks;
    g->all = blocks * warps;
    g->locks = locks;
    g->locations = locations;
    g->episodes = hd_work_param(k, "episodes");
    g->length = hd_work_param(k, "length");
    g->stores = hd_work_param(k, "stores");
    g->atomics = hd_work_param(k, "atomics");
    g->pause = hd_work_param(k, "pause");
    g->flight = hd_work_param(k, "flight");
    g->fenced = hd_work_param(k, "fenced");
    g->scoped = scoped;
    g->keep = hd_work_param(k, "keep");
    g->read_only = read_only;
    g->late = c->l1 == HD_FAMILY_GPU || c->l1 == HD_FAMILY_DENOVO;
    if (g->stores + g->atomics > 100)
        return "stores + atomics must be at most 100";
    if (g->scoped && !g->late)
        return "scoped = 1: only with l1 = gpu or denovo, whose memory models have scopes";
    struct hd_launch launch = {.fn = drf, .args = g, .grid_x = blocks, .grid_y = 1, .block_x = warps * c->lanes, .block_y = 1};
    struct hd_array *array = hd_work_array(k, "words", (uint64_t)free + read_only);
    g->words = array;
    regions(k, g, free, place, &launch);
    for (uint32_t i = 0; i < free; i++) { /* a random permutation */
        uint32_t j = hd_work_random_below(k, i + 1);
        g->index[i] = g->index[j];
        g->index[j] = place[i];
        array->host[place[i]] = (uint32_t)hd_work_random(k);
    }
    for (uint32_t i = 0; i < read_only; i++)
        array->host[g->constant[i]] = (uint32_t)hd_work_random(k);
    const struct hd_array *lock = mixed ? array : hd_work_array(k, "lock", (uint64_t)locks + near);
    for (uint32_t i = 0; i < locks + near; i++) { /* the blocks' words behind those of the device */
        uint32_t at = mixed ? g->index[owned + i] : i;
        g->lock[i] = hd_at(lock, at);
        lock->host[at] = 0;
    }
    for (uint32_t i = 0; i < blocks * warps; i++)
        g->warp[i].random = hd_work_random(k);
    hd_work_launch(k, &launch);
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    uint64_t checked = 0, episodes = 0;
    const struct warp_state *first = NULL;
    for (uint32_t i = 0; i < g->all; i++) {
        const struct warp_state *s = &g->warp[i];
        checked += s->checked;
        episodes += s->episodes;
        if (s->wrong && (!first || s->cycle < first->cycle))
            first = s;
    }
    for (uint32_t i = 0; i < g->all && !first; i++)
        if (g->warp[i].stuck)
            hd_work_fail(k, "block %u, warp %u of it got no lock in %d tries", i / g->warps, i % g->warps, MAX_TRIES);
    if (first)
        hd_work_fail(k, "block %u, warp %u of it, lane %u, cycle %llu: 0x%08x holds 0x%08x, it read 0x%08x",
                     (unsigned)(first - g->warp) / g->warps, (unsigned)(first - g->warp) % g->warps, first->lane,
                     (unsigned long long)first->cycle, first->addr, first->expected, first->got);
    hd_work_counter(k, "drf.episodes", episodes);
    hd_work_counter(k, "drf.checked", checked);
}

static const struct hd_param params[] = {
    {"episodes", 8, 1, 100000, "critical sections a lane"},
    {"length", 6, 1, 1000, "operations in one"},
    {"blocks", 0, 0, 4096, "blocks; 0 = one an SM"},
    {"warps", 0, 0, 64, "warps a block; 0 = all slots of an SM"},
    {"locks", 64, 1, 65536, "locks"},
    {"locations", 8, 1, 1024, "words a lock guards; their lines are shared with the words of other locks"},
    {"stores", 40, 0, 100, "percent of the operations"},
    {"atomics", 20, 0, 100, "percent of the operations"},
    {"pause", 4, 0, 1000, "ALU instructions at most between two operations"},
    {"flight", 1, 1, MAX_FLIGHT, "operations of a warp under way at a time"},
    {"fenced", 0, 0, 1, "0: the lock's accesses acquire and release; 1: fences do"},
    {"scoped", 0, 0, 1, "1: locks have a word of the device and one of each block, taken and given at scope WG"},
    {"keep", 50, 0, 100, "scoped: percent of the episodes after which the block keeps the device's word"},
    {"mixed", 0, 0, 1, "1: the locks lie among the words that they guard"},
    {"read_only", 0, 0, 65536, "words that nobody writes, in 4 regions among the others; half of the loads read some"},
    {0},
};

const struct hd_workload hd_work_drf = {
    .name = "drf",
    .doc = "random episodes on locations that a lock guards; the value of every load is foretold",
    .params = params,
    .prepare = prepare,
    .reference = reference,
};
