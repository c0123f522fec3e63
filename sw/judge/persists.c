/* persists.c - see persists.h. */
#include "persists.h"
#include "check/evlog.h"
#include "check/notes.h"
#include "check/persist.h"
#include "dispatch.h"
#include "hd_pkg.h"
#include "mem/nvram.h"
#include <stdio.h>
#include <stdlib.h>

enum { SPARE = 4 }; /* numbers of warps for each slot: of those gone whose stores are not durable */

struct block {
    uint32_t key;
    unsigned live;                    /* warps; 0: free */
    uint32_t synced;                  /* barriers all have met at */
};

struct slot {
    unsigned number, block;           /* of the warp in it */
    uint32_t syncs;                   /* barriers it has gone on from */
};

struct hd_persists {
    struct hd_persist *check;
    unsigned sms, warps, numbers, window, lanes, turn;
    struct hd_notes *sm, memory;      /* sm: [sms] */
    size_t *at;                       /* [sms + 2] read so far, of each list; of the memory; of puts */
    struct slot *slot;                /* [sms * warps] */
    struct block *block;              /* [numbers] */
    bool *gone;                       /* [numbers] */
    unsigned grains;                  /* a line */
    unsigned block_turn;
    uint32_t running, begun, barriers; /* warps; of grids, ever; barriers of grids complete */
    bool buffered;                    /* barriers order, only those of the kernel wait */
    bool syncs_order;                 /* a barrier of the block orders its warps' stores: not under RMO, where it waits for none */
    unsigned word_units;
    uint32_t nv_base;
    char broken[160];
};

bool hd_persists_on(const struct hd_config *c)
{
    return c->persist != 0 && c->ghost_bits != 0 && c->check_persist;
}

/* A line has become durable, or may be from now on. */
static void on_written(void *ctx, uint64_t cycle, uint32_t addr, const uint32_t *words, bool durable)
{
    struct hd_persists *p = ctx;
    for (unsigned g = 0; g < p->grains; g++)
        hd_note(&p->memory, (struct hd_note){.kind = durable ? HD_NOTE_DURABLE : HD_NOTE_SENT, .cycle = (uint32_t)cycle, .addr = addr + 8 * g,
                                             .a = words[(2 * g) * p->word_units + 1],
                                             .b = words[(2 * g + 1) * p->word_units + 1]});
}

struct hd_persists *hd_persists_new(const struct hd_config *c, struct hd_simt *s, struct hd_machine *m)
{
    struct hd_persists *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->buffered = c->persist == HD_PERSISTENCE_BUFFERED;
    p->syncs_order = c->order != HD_MODEL_RMO;
    p->sms = c->sms;
    p->warps = c->warps;
    p->lanes = c->lanes;
    p->nv_base = c->nv_base;
    p->window = hd_machine_window(m);
    p->numbers = SPARE * c->sms * c->warps;
    p->grains = c->line_bytes / 8;
    p->word_units = (32 + c->ghost_bits) / 32;
    unsigned *block = calloc(p->numbers, sizeof *block);
    p->check = block ? hd_persist_new(p->buffered ? HD_PERSIST_ALTERNATIVE : HD_PERSIST_EPOCH, p->numbers, block) : NULL;
    free(block);
    p->sm = calloc(c->sms, sizeof *p->sm);
    p->at = calloc(c->sms + 2, sizeof *p->at);
    p->slot = calloc((size_t)c->sms * c->warps, sizeof *p->slot);
    p->block = calloc(p->numbers, sizeof *p->block);
    p->gone = calloc(p->numbers, sizeof *p->gone);
    /* The final flush writes the whole L2, and nobody reads meanwhile. */
    size_t lines = (size_t)c->l2_sets * c->l2_ways * c->partitions + c->nv_out + c->mem_credits + p->window;
    p->memory.room = (p->buffered ? 6 : 3) * lines * p->grains;
    p->memory.note = malloc(p->memory.room * sizeof *p->memory.note);
    if (!p->check || !p->sm || !p->at || !p->slot || !p->block || !p->gone || !p->memory.note) {
        hd_persists_free(p);
        return NULL;
    }
    for (unsigned w = 0; w < p->numbers; w++) {
        p->gone[w] = true;
        hd_persist_exit(p->check, w);
    }
    hd_simt_notes(s, p->sm);
    hd_nvram_watch(hd_machine_nvram(m, 0), on_written, p);
    return p;
}

void hd_persists_free(struct hd_persists *p)
{
    if (p == NULL)
        return;
    for (unsigned i = 0; p->sm && i < p->sms; i++)
        free(p->sm[i].note);
    hd_persist_free(p->check);
    free(p->sm), free(p->memory.note), free(p->at), free(p->slot), free(p->block), free(p->gone);
    free(p);
}

bool hd_persists_reserve(struct hd_persists *p, bool *full)
{
    /* In a cycle an operation is taken (a release, a store a lane) and one completes (over, load, acquire a lane). */
    size_t need = (size_t)p->window * (5 * p->lanes + 4) + 3 * p->warps;
    *full = p->memory.count > p->memory.room / 3;
    for (unsigned i = 0; i < p->sms; i++) {
        struct hd_notes *l = &p->sm[i];
        if (l->room - l->count >= need)
            continue;
        struct hd_note *more = realloc(l->note, 2 * (l->count + need) * sizeof *more);
        if (more == NULL)
            return false;
        l->note = more;
        l->room = 2 * (l->count + need);
    }
    return true;
}

/* ---- warps ------------------------------------------------------------------------------------------------------------ */

static struct slot *slot_of(struct hd_persists *p, unsigned sm, unsigned warp)
{
    return &p->slot[sm * p->warps + warp];
}

/* A number for a warp that starts: of one that is gone, best one whose stores are all durable. */
static unsigned number(struct hd_persists *p)
{
    unsigned some = p->numbers;
    for (unsigned i = 0; i < p->numbers; i++) {
        unsigned w = (p->turn + i) % p->numbers;
        if (!p->gone[w])
            continue;
        some = w;
        if (hd_persist_settled(p->check, w))
            break;
    }
    p->turn = (some + 1) % p->numbers;
    return some;
}

static void launch(struct hd_persists *p, unsigned sm, unsigned warp, uint32_t key)
{
    struct slot *s = slot_of(p, sm, warp);
    unsigned b = 0, empty = p->numbers;
    p->running++;
    for (; b < p->numbers && !(p->block[b].live > 0 && p->block[b].key == key); b++)
        if (p->block[b].live == 0 && (empty == p->numbers || (empty < p->block_turn && b >= p->block_turn)))
            empty = b; /* the one that has been free for long */
    bool fresh = b == p->numbers;
    b = fresh ? empty : b;
    if (fresh)
        p->block_turn = b + 1;
    if (fresh)
        p->block[b] = (struct block){.key = key};
    p->block[b].live++;
    *s = (struct slot){.number = number(p), .block = b, .syncs = p->block[b].synced};
    p->gone[s->number] = false;
    hd_persist_launch(p->check, s->number, b, fresh);
}

/* A warp goes on behind a barrier of the grid: all must have come to it, and behind a persist barrier all be durable. */
static bool goes_on(struct hd_persists *p, const struct hd_note *n)
{
    if (n->a == p->barriers)
        return true; /* not the first one */
    p->barriers = n->a;
    if (p->running == 0 && p->begun == n->b)
        return !n->scope || hd_persist_all_drained(p->check, n->cycle);
    snprintf(p->broken, sizeof p->broken,
             "cycle %u: a warp goes on behind barrier %u of the grid; %u warps run, %u of %u have begun", (unsigned)n->cycle,
             (unsigned)n->a, (unsigned)p->running, (unsigned)p->begun, (unsigned)n->b);
    return false;
}

/* ---- notes ------------------------------------------------------------------------------------------------------------ */

static enum hd_persist_scope sync_scope(unsigned scope)
{
    return scope == HD_SCOPE_WG ? HD_PERSIST_WG : HD_PERSIST_KR;
}

/* Of a barrier. The hardware knows nothing of the kernel: each warp's part drains what it wrote. */
static enum hd_persist_scope barrier_scope(unsigned scope)
{
    return scope == HD_SCOPE_WG ? HD_PERSIST_WG : HD_PERSIST_WI;
}

static bool tell(struct hd_persists *p, unsigned sm, const struct hd_note *n)
{
    struct hd_persist *c = p->check;
    struct slot *s = slot_of(p, sm, n->warp);
    switch ((enum hd_note_kind)n->kind) {
    case HD_NOTE_LAUNCH:
        if (n->mask == HD_ORDER_BACK && !goes_on(p, n))
            return false;
        p->begun += n->mask == HD_ORDER_NEW;
        launch(p, sm, n->warp, n->addr);
        return true;
    case HD_NOTE_STORE:
        return hd_persist_store(c, n->cycle, s->number, n->addr, n->mask, (uint32_t[2]){n->a, n->b});
    case HD_NOTE_OVER: /* an atomic tells whatever it replaced, a store also of a lane whose word another lane took */
        return !hd_persist_pending(c, n->b) || (!n->mask && !hd_persist_pending(c, n->a)) || hd_persist_merged(c, n->cycle, n->b, n->a);
    case HD_NOTE_LOAD:
        return hd_persist_load(c, n->cycle, s->number, n->addr, n->a, n->b);
    case HD_NOTE_RELEASE:
        return n->scope == HD_SCOPE_WI || hd_persist_release(c, s->number, sync_scope(n->scope), n->addr, n->a);
    case HD_NOTE_ACQUIRE:
        if (n->scope != HD_SCOPE_WI)
            hd_persist_acquire(c, s->number, sync_scope(n->scope), n->addr, n->b);
        return true;
    case HD_NOTE_SYNC:
        if (++s->syncs > p->block[s->block].synced && p->syncs_order) {
            p->block[s->block].synced = s->syncs;
            hd_persist_sync(c, s->number, HD_PERSIST_WG);
        }
        return true;
    case HD_NOTE_ARRIVE:
        return hd_persist_arrive(c, n->cycle, s->number, barrier_scope(n->scope));
    case HD_NOTE_RETURN:
        return (n->scope == HD_SCOPE_DEVICE ? hd_persist_drained : hd_persist_return)(c, n->cycle, s->number, barrier_scope(n->scope));
    case HD_NOTE_EXIT:
        hd_persist_exit(c, s->number);
        p->gone[s->number] = true;
        p->running--;
        p->block[s->block].live--;
        return true;
    case HD_NOTE_SENT:
        return hd_persist_sent(c, n->cycle, n->addr, (uint32_t[2]){n->a, n->b});
    case HD_NOTE_DURABLE:
        return hd_persist_durable(c, n->cycle, n->addr, (uint32_t[2]){n->a, n->b});
    }
    return true;
}

bool hd_persists_judge(struct hd_persists *p, const struct hd_evlist *puts, bool epoch)
{
    unsigned lists = p->sms + 2; /* of one cycle the memory comes first, then the L2 */
    size_t *at = p->at;
    bool good = true;
    for (unsigned i = 0; i < lists; i++)
        at[i] = 0;
    while (good) {
        unsigned best = lists;
        uint32_t first = 0;
        for (unsigned i = 0; i < lists; i++) {
            const struct hd_notes *l = i == 0 ? &p->memory : &p->sm[i < 2 ? 0 : i - 2];
            if (at[i] == (i == 1 ? puts->count : l->count))
                continue;
            uint32_t cycle = i == 1 ? puts->event[at[i]].t_done : l->note[at[i]].cycle;
            if (best == lists || (int32_t)(cycle - first) < 0) {
                best = i;
                first = cycle;
            }
        }
        if (best == lists)
            break;
        size_t k = at[best]++;
        if (best != 1)
            good = tell(p, best < 2 ? 0 : best - 2, best == 0 ? &p->memory.note[k] : &p->sm[best - 2].note[k]);
        else if (puts->event[k].addr >= p->nv_base)
            good = hd_persist_ordered(p->check, puts->event[k].t_done, puts->event[k].id);
    }
    p->memory.count = 0;
    for (unsigned i = 0; i < p->sms; i++)
        p->sm[i].count = 0;
    if (epoch)
        hd_persist_kernel(p->check);
    return good;
}

const char *hd_persists_end(struct hd_persists *p, bool flushed)
{
    if (flushed)
        hd_persist_end(p->check, 0);
    const char *wrong = p->broken[0] ? p->broken : hd_persist_error(p->check);
    return wrong ? wrong : "pass";
}
