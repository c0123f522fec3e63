/* mcm_races.c - see mcm_parts.h: happens-before by vector clocks, data races and scope races.
 *
 * Threads are warps. A clock holds one number per warp of the machine; hb(a, b) when b's clock has reached the
 * number a's warp had at a. DRF and HRF-Indirect keep one clock a warp; HRF-Direct keeps one for each scope, and two
 * accesses are ordered when one of them says so. DRF knows one scope.
 *
 * A release of scope s on word a joins the warp's clock into that of (a, s, instance), an acquire joins it back.
 * A release fence keeps a copy of the clock, which later atomic writes of the warp publish; an acquire
 * fence joins what earlier atomic reads of the warp saw. Barriers join the warps of a block. What a lane of an
 * instruction acquires orders that lane and the instructions behind, not the other lanes, which may be done before. What a
 * lane releases is what its warp did before the instruction and its own access, not those of the other lanes: they may be
 * performed later. So a number is that of a stretch of instructions and a lane in its low bits, 0 where nothing can release;
 * see mcm_covers(). A lane may hear of what another lane of its instruction released, by way of another warp; its own
 * access keeps its own number.
 *
 * Per word the accesses are kept that later ones may race with: of each kind those that are not ordered before
 * another kept one. Memory: clocks of 4 bytes a warp for each warp and each synchronisation word and scope, 40
 * bytes for each kept access. */
#include "hd_pkg.h"
#include "mcm_parts.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SCOPES = 2, WARPS_SM = 64, KINDS = 4 };

/* Kinds of access: two accesses conflict unless both read, or both are atomic (then scopes must agree). */
enum { DATA_READ, DATA_WRITE, SYNC_READ, SYNC_WRITE };

struct access {
    uint32_t next; /* in the list of its word and kind; also in the free list */
    uint32_t warp, clock[SCOPES], block;
    uint32_t id, tid, po, addr, t_issue, t_done;
    uint8_t kind, order, scope, space;
};

struct place {
    uint32_t list[KINDS];
};

/* What a warp carries besides its clock: the copy of its last release fence and what its atomic reads saw. */
struct fences {
    uint32_t *published[SCOPES], *observed[SCOPES];
};

/* An instruction of a warp that acquires or releases: what its lanes have acquired, for the instructions behind it. */
struct instruction {
    uint32_t po;
    uint32_t *acquired[SCOPES];
    bool open, releases;
};

struct races {
    enum hd_mcm_model model;
    bool races_count;       /* a race is a violation; else what clocks order must be so */
    unsigned warps, clocks; /* length of a clock, number of clocks a warp has */
    uint32_t *clock;        /* [warps * clocks * warps] */
    struct fences *fences;  /* [warps] */
    struct instruction *instruction; /* [warps] */
    uint32_t *before;       /* [clocks * warps]: a warp's clock before a lane acquired */
    struct hd_map sync;     /* word, scope and instance -> number in synced */
    uint32_t **synced;
    size_t synced_count, synced_room;
    struct hd_map places;   /* word -> place */
    struct pool pool_places, pool_accesses;
    size_t clock_bytes;
};

struct races *mcm_races_new(enum hd_mcm_model model, unsigned sms, bool races_count)
{
    struct races *r = calloc(1, sizeof *r);

    if (r == NULL)
        return NULL;
    r->model = model;
    r->races_count = races_count;
    r->warps = sms * WARPS_SM;
    r->clocks = model == HD_MCM_HRF_DIRECT ? SCOPES : 1;
    r->clock = calloc((size_t)r->warps * r->clocks * r->warps, sizeof *r->clock);
    r->fences = calloc(r->warps, sizeof *r->fences);
    r->instruction = calloc(r->warps, sizeof *r->instruction);
    r->before = calloc((size_t)r->clocks * r->warps, sizeof *r->before);
    if (r->clock == NULL || r->fences == NULL || r->instruction == NULL || r->before == NULL) {
        mcm_races_free(r);
        return NULL;
    }
    mcm_races_epoch(r);
    return r;
}

static void forget_fences(struct races *r)
{
    for (unsigned w = 0; w < r->warps; w++) {
        for (int s = 0; s < SCOPES; s++) {
            free(r->fences[w].published[s]);
            free(r->fences[w].observed[s]);
            r->fences[w].published[s] = r->fences[w].observed[s] = NULL;
            free(r->instruction[w].acquired[s]);
            r->instruction[w].acquired[s] = NULL;
        }
        r->instruction[w].open = r->instruction[w].releases = false;
    }
    for (size_t i = 0; i < r->synced_count; i++)
        free(r->synced[i]);
    r->synced_count = 0;
    r->clock_bytes = 0;
    hd_map_fini(&r->sync);
}

void mcm_races_free(struct races *r)
{
    if (r == NULL)
        return;
    if (r->fences != NULL && r->instruction != NULL)
        forget_fences(r);
    free(r->synced);
    hd_map_fini(&r->places);
    free(r->pool_places.at);
    free(r->pool_accesses.at);
    free(r->clock);
    free(r->fences);
    free(r->instruction);
    free(r->before);
    free(r);
}

/* Everything so far is ordered before everything to come: nothing of it can race any more. */
void mcm_races_epoch(struct races *r)
{
    forget_fences(r);
    hd_map_fini(&r->places);
    r->pool_places.used = r->pool_places.free_count = 0;
    r->pool_accesses.used = r->pool_accesses.free_count = 0;
    memset(r->clock, 0, (size_t)r->warps * r->clocks * r->warps * sizeof *r->clock);
    for (unsigned w = 0; w < r->warps; w++)
        for (unsigned k = 0; k < r->clocks; k++)
            r->clock[((size_t)w * r->clocks + k) * r->warps + w] = CLOCK_LANES;
}

size_t mcm_races_bytes(const struct races *r)
{
    return (size_t)r->warps * r->clocks * r->warps * 4 + r->clock_bytes + r->pool_places.room * sizeof(struct place)
           + r->pool_accesses.room * sizeof(struct access) + (r->places.key != NULL ? (r->places.mask + 1) * 12 : 0);
}

static uint32_t *clock_of(struct races *r, uint32_t warp, unsigned k)
{
    return r->clock + ((size_t)warp * r->clocks + k) * r->warps;
}

/* Of two lanes that released in one instruction one number can name one. Where a missing order would be called a race, all
 * lanes are named instead. */
static void join(const struct races *r, uint32_t *to, const uint32_t *from)
{
    if (r->races_count)
        for (unsigned i = 0; i < r->warps; i++)
            if (to[i] != from[i] && to[i] / CLOCK_LANES == from[i] / CLOCK_LANES)
                to[i] |= CLOCK_LANES - 1;
    for (unsigned i = 0; i < r->warps; i++)
        to[i] = to[i] > from[i] ? to[i] : from[i];
}

/* A new clock, all 0. @return NULL: no memory. */
static uint32_t *new_clock(struct races *r)
{
    r->clock_bytes += r->warps * sizeof(uint32_t);
    return calloc(r->warps, sizeof(uint32_t));
}

static uint32_t warp_of(const struct hd_event *e)
{
    return (e->tid >> 16) * WARPS_SM + (e->tid >> 8 & (WARPS_SM - 1));
}

/* Index of the scope: 0 thread block, 1 device. */
static unsigned scope_of(const struct races *r, const struct hd_event *e)
{
    return r->model == HD_MCM_DRF || e->scope >= HD_SCOPE_DEVICE;
}

/* What the warp does from now on is not before anything published. */
static void tick(struct races *r, uint32_t w)
{
    for (unsigned k = 0; k < r->clocks; k++) {
        uint32_t *mine = &clock_of(r, w, k)[w];
        *mine = (*mine / CLOCK_LANES + 1) * CLOCK_LANES;
    }
}

/* The lane's access in an instruction that can release gets a number of its own, whether this lane writes or not. */
static void number_lane(struct races *r, uint32_t w, const struct hd_event *e)
{
    struct instruction *i = &r->instruction[w];

    if (!i->releases)
        tick(r, w);
    i->releases = true;
    i->po = e->po;
    for (unsigned k = 0; k < r->clocks; k++) {
        uint32_t *mine = &clock_of(r, w, k)[w];
        *mine = *mine / CLOCK_LANES * CLOCK_LANES + 1 + (e->tid & (LANES - 1));
    }
}

/* The warp goes on behind the instruction that acquired or released. */
static void settle(struct races *r, uint32_t w)
{
    struct instruction *i = &r->instruction[w];

    for (unsigned k = 0; i->open && k < r->clocks; k++) {
        join(r, clock_of(r, w, k), i->acquired[k]);
        memset(i->acquired[k], 0, r->warps * sizeof *i->acquired[k]);
    }
    if (i->releases)
        tick(r, w);
    i->open = i->releases = false;
}

/* The access of a lane that has acquired is over: the clock is @r->before again. @return false: no memory. */
static bool lane_done(struct races *r, uint32_t w, uint32_t po)
{
    struct instruction *i = &r->instruction[w];

    for (unsigned k = 0; k < r->clocks; k++) {
        uint32_t *clock = clock_of(r, w, k);
        if (i->acquired[k] == NULL && (i->acquired[k] = new_clock(r)) == NULL)
            return false;
        join(r, i->acquired[k], clock);
        memcpy(clock, r->before + (size_t)k * r->warps, r->warps * sizeof *clock);
    }
    i->po = po;
    i->open = true;
    return true;
}

/* Which clock of a warp a synchronisation of scope @s works on. */
static unsigned clock_for(const struct races *r, unsigned s)
{
    return r->clocks == 1 ? 0 : s;
}

/* ---- synchronisation -------------------------------------------------------------------------------------------- */

/* The clock of (word, scope, instance); made when @make. @return NULL: there is none, or no memory. */
static uint32_t *sync_clock(struct races *r, uint32_t place, const struct hd_event *e, unsigned s, bool make)
{
    uint64_t key = (uint64_t)place << 33 | (s == 0 ? (uint64_t)e->block + 1 : 0);
    uint32_t at = hd_map_get(&r->sync, key);

    if (at != NONE || !make)
        return at == NONE ? NULL : r->synced[at];
    if (r->synced_count == r->synced_room) {
        size_t room = r->synced_room ? 2 * r->synced_room : 64;
        uint32_t **big = realloc(r->synced, room * sizeof *big);
        if (big == NULL)
            return NULL;
        r->synced = big;
        r->synced_room = room;
    }
    uint32_t *clock = hd_map_reserve(&r->sync, 1) ? new_clock(r) : NULL;
    if (clock == NULL)
        return NULL;
    hd_map_set(&r->sync, key, (uint32_t)r->synced_count);
    r->synced[r->synced_count++] = clock;
    return clock;
}

/* Publishes at an atomic write: the clock itself when it releases, what release fences kept in any case.
 * @exact: fences only by accesses of their scope. @return false: no memory. */
static bool publish(struct races *r, uint32_t place, const struct hd_event *e, bool exact)
{
    uint32_t w = warp_of(e);
    unsigned order = order_of(e), own = scope_of(r, e);
    bool releases = order == HD_ORD_RELEASE || order >= HD_ORD_ACQ_REL;

    for (unsigned s = 0; s < SCOPES; s++) {
        const uint32_t *fence = s == own || !exact ? r->fences[w].published[s] : NULL;
        bool release = releases && s == own && e->scope != HD_SCOPE_WI;
        if (!release && fence == NULL)
            continue;
        uint32_t *k = sync_clock(r, place, e, s, true);
        if (k == NULL)
            return false;
        if (fence != NULL)
            join(r, k, fence);
        if (release)
            join(r, k, clock_of(r, w, clock_for(r, s)));
    }
    return true;
}

/* Observes at an atomic read: joins when it acquires, and keeps it for acquire fences. @return false: no memory. */
static bool observe(struct races *r, uint32_t place, const struct hd_event *e, bool exact)
{
    uint32_t w = warp_of(e);
    unsigned order = order_of(e), own = scope_of(r, e);

    for (unsigned s = 0; s < SCOPES; s++) {
        const uint32_t *k = s == own || !exact ? sync_clock(r, place, e, s, false) : NULL;
        if (k == NULL)
            continue;
        if (s == own && e->scope != HD_SCOPE_WI && (order == HD_ORD_ACQUIRE || order >= HD_ORD_ACQ_REL))
            join(r, clock_of(r, w, clock_for(r, s)), k);
        uint32_t **seen = &r->fences[w].observed[s];
        if (*seen == NULL && (*seen = new_clock(r)) == NULL)
            return false;
        join(r, *seen, k);
    }
    return true;
}

static bool fence(struct races *r, const struct hd_event *e)
{
    uint32_t w = warp_of(e);

    settle(r, w);
    unsigned order = order_of(e), s = scope_of(r, e);
    uint32_t *mine = clock_of(r, w, clock_for(r, s));

    if (e->scope == HD_SCOPE_WI)
        return true;
    if ((order == HD_ORD_ACQUIRE || order >= HD_ORD_ACQ_REL) && r->fences[w].observed[s] != NULL)
        join(r, mine, r->fences[w].observed[s]);
    if (order == HD_ORD_RELEASE || order >= HD_ORD_ACQ_REL) {
        uint32_t **kept = &r->fences[w].published[s];
        if (*kept == NULL && (*kept = new_clock(r)) == NULL)
            return false;
        join(r, *kept, mine);
        tick(r, w);
    }
    return true;
}

static void barrier(struct races *r, const struct hd_event *e)
{
    uint64_t warps = (uint64_t)e->wval << 32 | e->rval;
    uint32_t first = (e->tid >> 16) * WARPS_SM;

    for (uint64_t rest = warps; rest != 0; rest &= rest - 1)
        settle(r, first + (unsigned)__builtin_ctzll(rest));
    for (unsigned k = 0; k < r->clocks; k++) {
        uint32_t *all = clock_of(r, first + (unsigned)__builtin_ctzll(warps), k);
        for (uint64_t rest = warps & (warps - 1); rest != 0; rest &= rest - 1)
            join(r, all, clock_of(r, first + (unsigned)__builtin_ctzll(rest), k));
        for (uint64_t rest = warps & (warps - 1); rest != 0; rest &= rest - 1)
            join(r, clock_of(r, first + (unsigned)__builtin_ctzll(rest), k), all);
    }
    for (uint64_t rest = warps; rest != 0; rest &= rest - 1)
        tick(r, first + (unsigned)__builtin_ctzll(rest));
}

/* ---- races ------------------------------------------------------------------------------------------------------ */

static bool ordered(struct races *r, const struct access *a, uint32_t warp)
{
    for (unsigned k = 0; k < r->clocks; k++)
        if (mcm_covers(clock_of(r, warp, k)[a->warp], a->clock[k]))
            return true;
    return false;
}

static void report(struct hd_mcm *m, const struct access *a, const struct hd_event *e, const char *what)
{
    if (m->stats.races++ > 0 || m->env != NULL)
        return;
    struct hd_event first = {.id = a->id, .tid = a->tid, .po = a->po, .addr = a->addr, .kind = a->kind,
                             .order = a->order, .scope = a->scope, .space = a->space, .t_issue = a->t_issue,
                             .t_done = a->t_done, .block = a->block};
    m->violation = (struct hd_mcm_violation){0}; /* it comes before what it explains */
    mcm_fail(m, HD_MCM_RACE, "%s on 0x%08" PRIx32 " between operations %" PRIu32 " and %" PRIu32, what, e->addr, a->id,
             e->id);
    mcm_step(m, &first, HD_MCM_CO);
    mcm_step(m, e, HD_MCM_CO);
}

static bool same_scope(const struct races *r, const struct access *a, const struct hd_event *e)
{
    return r->model == HD_MCM_DRF
           || ((a->scope >= HD_SCOPE_DEVICE) == (e->scope >= HD_SCOPE_DEVICE)
               && (e->scope >= HD_SCOPE_DEVICE || (a->scope == e->scope && a->block == e->block)));
}

/* Compares the access with what is kept of its word and keeps it. @return false: no memory. */
static bool access_word(struct hd_mcm *m, uint32_t place, const struct hd_event *e)
{
    struct races *r = m->races;
    uint32_t w = warp_of(e);
    bool mine_atomic = m->env != NULL ? mcm_env_instance(m, e) != NONE : atomic(e), mine_write = writes(e);
    int kind = (mine_atomic ? SYNC_READ : DATA_READ) + mine_write;

    if (r->pool_accesses.used == r->pool_accesses.room && r->pool_accesses.free_count == 0) {
        size_t room = r->pool_accesses.room * 2 + 1024;
        void *big = realloc(r->pool_accesses.at, room * sizeof(struct access));
        if (big == NULL)
            return false;
        r->pool_accesses.at = big;
        r->pool_accesses.room = room;
    }
    struct access *all = r->pool_accesses.at;
    for (int k = 0; k < KINDS; k++) {
        bool write = k == DATA_WRITE || k == SYNC_WRITE, sync = k >= SYNC_READ;
        uint32_t *link = &((struct place *)r->pool_places.at)[place].list[k];
        while (*link != NONE) {
            uint32_t i = *link;
            struct access *a = &all[i];
            if (a->warp != w && (write || mine_write) && !ordered(r, a, w)) {
                if (!sync || !mine_atomic)
                    report(m, a, e, "data race");
                else if (!same_scope(r, a, e))
                    report(m, a, e, "scope race");
            }
            if (a->warp == w && write && mine_write && k == kind && a->po == e->po && !mine_atomic)
                m->stats.lane_races++;
            if (k == kind && ((a->warp == w && (!mine_atomic || same_scope(r, a, e)))
                              || (a->warp != w && ordered(r, a, w) && (!mine_atomic || same_scope(r, a, e))))) {
                *link = a->next; /* whatever races with it races with the new one */
                mcm_pool_give(&r->pool_accesses, sizeof *a, i);
            } else
                link = &a->next;
        }
    }
    uint32_t i = mcm_pool_take(&r->pool_accesses, sizeof *all), *head;
    head = &((struct place *)r->pool_places.at)[place].list[kind];
    all[i] = (struct access){.next = *head, .warp = w, .block = e->block, .id = e->id, .tid = e->tid, .po = e->po,
                             .addr = e->addr, .t_issue = e->t_issue, .t_done = e->t_done, .kind = e->kind,
                             .order = e->order, .scope = e->scope, .space = e->space};
    for (unsigned k = 0; k < r->clocks; k++)
        all[i].clock[k] = clock_of(r, w, k)[w];
    *head = i;
    return true;
}

/* @return NONE: no memory. */
static uint32_t place_of(struct races *r, const struct hd_event *e)
{
    uint64_t key = word_key(e);
    uint32_t i = hd_map_get(&r->places, key);

    if (i != NONE)
        return i;
    if (r->pool_places.used == r->pool_places.room) {
        size_t room = r->pool_places.room * 2 + 1024;
        void *big = realloc(r->pool_places.at, room * sizeof(struct place));
        if (big == NULL)
            return NONE;
        r->pool_places.at = big;
        r->pool_places.room = room;
    }
    if (!hd_map_reserve(&r->places, 1))
        return NONE;
    i = (uint32_t)r->pool_places.used++;
    ((struct place *)r->pool_places.at)[i] = (struct place){{NONE, NONE, NONE, NONE}};
    hd_map_set(&r->places, key, i);
    return i;
}

bool mcm_races_event(struct hd_mcm *m, const struct hd_event *e, uint32_t node)
{
    struct races *r = m->races;

    if (e->kind == HD_EVK_FENCE)
        return fence(r, e);
    if (e->kind == HD_EVK_BAR) {
        barrier(r, e);
        return true;
    }
    uint32_t place = place_of(r, e);
    if (place == NONE)
        return false;
    bool sync = m->env != NULL ? mcm_env_instance(m, e) != NONE : atomic(e);
    const uint32_t w = warp_of(e);
    const bool acquires = sync && reads(e) && e->scope != HD_SCOPE_WI && (order_of(e) == HD_ORD_ACQUIRE || order_of(e) >= HD_ORD_ACQ_REL);
    const bool numbered = sync && e->scope != HD_SCOPE_WI && (order_of(e) == HD_ORD_RELEASE || order_of(e) >= HD_ORD_ACQ_REL);
    if (r->instruction[w].po != e->po)
        settle(r, w);
    if (clock_of(r, w, 0)[w] >= CLOCK_MOST) {
        mcm_fail(m, HD_MCM_LOG, "a warp has synchronized more often in one kernel than clocks can count: no verdict behind "
                 "operation %" PRIu32, e->id);
        return true; /* the verdict is there */
    }
    if (numbered)
        number_lane(r, w, e);
    const uint32_t number = clock_of(r, w, 0)[w];
    if (acquires)
        memcpy(r->before, clock_of(r, w, 0), (size_t)r->clocks * r->warps * sizeof *r->before);
    if (sync && reads(e) && !observe(r, place, e, m->env != NULL)) /* first: what it acquires orders it */
        return false;
    if (!r->races_count) /* what it heard of another lane of its instruction is not its own access */
        clock_of(r, w, 0)[w] = number;
    if (m->env != NULL && node != NONE && !mcm_env_access(m, node, w, clock_of(r, w, 0)))
        return true; /* the verdict is there */
    if (!access_word(m, place, e))
        return false;
    if (sync && writes(e) && !publish(r, place, e, m->env != NULL))
        return false;
    if (acquires && !lane_done(r, w, e->po))
        return false;
    return true;
}

/* ---- after a violation ------------------------------------------------------------------------------------------ */

struct rest {
    struct hd_event e;
    uint32_t key; /* latest completion of the warp up to here */
};

static int compare_order(const void *x, const void *y)
{
    const struct rest *a = x, *b = y;
    uint64_t i = (uint64_t)(a->e.tid >> 8) << 32 | a->e.po, j = (uint64_t)(b->e.tid >> 8) << 32 | b->e.po;
    return i < j ? -1 : i > j;
}

static int compare_time(const void *x, const void *y)
{
    const struct rest *a = x, *b = y;
    return a->key < b->key ? -1 : a->key > b->key ? 1 : compare_order(x, y);
}

/* In order of completion, but never against program order. */
void mcm_races_rest(struct hd_mcm *m)
{
    struct rest *rest = calloc(m->nodes.used + 1, sizeof *rest);
    size_t n = 0;

    for (size_t i = 0; rest != NULL && i < m->nodes.used; i++)
        if (m->node[i].serial != 0 && !m->node[i].helper && (m->node[i].retired & 1) == 0)
            rest[n++] = (struct rest){m->node[i].ev, m->node[i].ev.t_done};
    if (rest == NULL)
        return;
    qsort(rest, n, sizeof *rest, compare_order);
    for (size_t i = 1; i < n; i++)
        if (rest[i].e.tid >> 8 == rest[i - 1].e.tid >> 8 && rest[i].key < rest[i - 1].key)
            rest[i].key = rest[i - 1].key;
    qsort(rest, n, sizeof *rest, compare_time);
    for (size_t i = 0; i < n && m->stats.races == 0; i++)
        if (!mcm_races_event(m, &rest[i].e, NONE))
            break;
    free(rest);
}
