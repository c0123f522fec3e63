/* drf.c - data-race-free tester: every lane runs episodes between the acquire and the release of a lock; in between it
 * owns the lock's locations, so the value of each of its loads and atomics is known: what the host keeps in `words`.
 * Locations of all locks lie mixed in the same lines (false sharing).
 *
 * The host's copy is one for all SMs. Whoever holds the lock in the machine is alone with its part of it: a lock
 * passes from SM to SM over links, so later than the window in which it was released. */
#include "work.h"

enum { MAX_TRIES = 100000 };

struct warp_state {
    uint64_t random, checked, episodes;
    bool stuck;                  /* got no lock in MAX_TRIES: gave up */
    bool wrong;                  /* the first difference follows */
    uint32_t lane, addr, got, expected;
    uint64_t cycle;
};

struct args {
    uint32_t episodes, length, locks, locations, stores, atomics, pause, warps, fenced;
    uint32_t all;                /* warps of the grid */
    const struct hd_array *words, *lock;
    uint32_t *index;             /* [locks * locations] where in words */
    struct warp_state warp[];
};

/* What a lane does in an episode. */
struct lane {
    uint32_t lock, left, expected;
};

static bool percent(struct warp_state *s, uint32_t p)
{
    return hd_random_below(&s->random, 100) < p;
}

/* One operation of the lanes in @mask on locations they own. */
static void step(struct hd_warp *w, struct args *g, struct warp_state *s, struct lane *lane, hd_mask_t mask)
{
    uint32_t addr[HD_MAX_LANES] = {0}, data[HD_MAX_LANES] = {0}, kind = hd_random_below(&s->random, 100);
    bool store = kind < g->stores, atomic = !store && kind < g->stores + g->atomics;
    for (hd_mask_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned l = (unsigned)__builtin_ctzll(rest);
        uint32_t i = g->index[lane[l].lock * g->locations + hd_random_below(&s->random, g->locations)];
        uint32_t *word = &g->words->host[i];
        addr[l] = g->words->addr + 4 * i;
        data[l] = (uint32_t)hd_random(&s->random);
        lane[l].expected = *word;
        if (store)
            *word = data[l];
        else if (atomic)
            *word += data[l];
    }
    if (g->pause > 0)
        hd_alu(w, hd_random_below(&s->random, g->pause));
    if (store) {
        hd_st(w, mask, addr, data);
        return;
    }
    const uint32_t *got = hd_use(w, atomic ? hd_atom(w, HD_AT_ADD, mask, addr, data) : hd_ld(w, mask, addr));
    for (hd_mask_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned l = (unsigned)__builtin_ctzll(rest);
        s->checked++;
        if (got[l] != lane[l].expected && !s->wrong) {
            s->wrong = true;
            s->lane = l;
            s->addr = addr[l];
            s->got = got[l];
            s->expected = lane[l].expected;
            s->cycle = hd_now(w);
        }
    }
}

/* Lanes of @mask try to take a lock. @return those that have one. */
static hd_mask_t acquire(struct hd_warp *w, struct args *g, struct warp_state *s, struct lane *lane, hd_mask_t mask,
                        uint32_t addr[HD_MAX_LANES])
{
    uint32_t one[HD_MAX_LANES];
    hd_mask_t won = 0;
    for (unsigned l = 0; l < hd_lanes(w); l++) {
        lane[l].lock = hd_random_below(&s->random, g->locks);
        addr[l] = g->lock->addr + 4 * lane[l].lock;
        one[l] = 1;
    }
    const uint32_t *old = hd_use(w, hd_atom_o(w, HD_AT_EXCH, mask, addr, one,
                                              g->fenced ? HD_ORD_RELAXED : HD_ORD_ACQUIRE, HD_SCOPE_DEVICE));
    for (hd_mask_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned l = (unsigned)__builtin_ctzll(rest);
        if (old[l] == 0)
            won |= hd_lane(l);
    }
    if (g->fenced && won != 0)
        hd_fence(w, HD_ORD_ACQUIRE, HD_SCOPE_DEVICE);
    return won;
}

static void drf(struct hd_warp *w, void *args)
{
    static const uint32_t open[HD_MAX_LANES] = {0};
    struct args *g = args;
    struct warp_state *s = &g->warp[hd_block(w) * g->warps + hd_warp_in_block(w)];
    struct lane lane[HD_MAX_LANES] = {0};
    uint32_t addr[HD_MAX_LANES];
    hd_mask_t going = hd_mask(w);
    unsigned pause = 4, tries = 0;
    for (unsigned l = 0; l < hd_lanes(w); l++)
        lane[l].left = g->episodes;
    while (going != 0) {
        hd_mask_t won = acquire(w, g, s, lane, going, addr);
        if (won == 0) {
            if ((s->stuck = ++tries == MAX_TRIES))
                return;
            hd_alu(w, pause);
            pause = pause < 256 ? 2 * pause : pause;
            continue;
        }
        pause = 4;
        tries = 0;
        for (uint32_t i = 0; i < g->length; i++) {
            hd_mask_t part = percent(s, 70) ? won : won & hd_random(&s->random);
            if (part != 0)
                step(w, g, s, lane, part);
        }
        if (g->fenced) {
            hd_fence(w, HD_ORD_RELEASE, HD_SCOPE_DEVICE);
            hd_st(w, won, addr, open);
        } else if (percent(s, 50))
            hd_st_o(w, won, addr, open, HD_ORD_RELEASE, HD_SCOPE_DEVICE);
        else
            hd_atom_o(w, HD_AT_EXCH, won, addr, open, HD_ORD_RELEASE, HD_SCOPE_DEVICE);
        s->episodes += (unsigned)__builtin_popcountll(won);
        for (hd_mask_t rest = won; rest != 0; rest &= rest - 1) {
            unsigned l = (unsigned)__builtin_ctzll(rest);
            if (--lane[l].left == 0)
                going &= ~hd_lane(l);
        }
    }
}

static const char *prepare(struct hd_work *k)
{
    const struct hd_config *c = hd_work_config(k);
    uint32_t blocks = hd_work_param(k, "blocks"), warps = hd_work_param(k, "warps");
    uint32_t locks = hd_work_param(k, "locks"), locations = hd_work_param(k, "locations");
    blocks = blocks ? blocks : c->sms;
    warps = warps ? warps : c->warps;
    struct args *g = hd_work_args(k, sizeof *g + (size_t)blocks * warps * sizeof g->warp[0]
                                         + (size_t)locks * locations * sizeof g->index[0]);
    g->index = (uint32_t *)&g->warp[(size_t)blocks * warps]; /* behind the warps */
    g->warps = warps;
    g->all = blocks * warps;
    g->locks = locks;
    g->locations = locations;
    g->episodes = hd_work_param(k, "episodes");
    g->length = hd_work_param(k, "length");
    g->stores = hd_work_param(k, "stores");
    g->atomics = hd_work_param(k, "atomics");
    g->pause = hd_work_param(k, "pause");
    g->fenced = hd_work_param(k, "fenced");
    if (g->stores + g->atomics > 100)
        return "stores + atomics must be at most 100";
    g->words = hd_work_array(k, "words", (uint64_t)locks * locations);
    g->lock = hd_work_array(k, "lock", locks);
    for (uint32_t i = 0; i < locks * locations; i++) { /* a random permutation */
        uint32_t j = hd_work_random_below(k, i + 1);
        g->index[i] = g->index[j];
        g->index[j] = i;
        g->words->host[i] = (uint32_t)hd_work_random(k);
    }
    for (uint32_t i = 0; i < blocks * warps; i++)
        g->warp[i].random = hd_work_random(k);
    hd_work_launch(k, &(struct hd_launch){.fn = drf, .args = g, .grid_x = blocks, .grid_y = 1,
                                          .block_x = warps * c->lanes, .block_y = 1});
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
    {"fenced", 0, 0, 1, "0: the lock's accesses acquire and release; 1: fences do"},
    {0},
};

const struct hd_workload hd_work_drf = {
    .name = "drf",
    .doc = "random episodes on locations that a lock guards; the value of every load is foretold",
    .params = params,
    .prepare = prepare,
    .reference = reference,
};
