/* mutex.c - four mutexes around a visit of shared data (sync.h; paper 3, section 5.3, Table 4): spin_mutex (SPM: compare
 * and swap until it succeeds), backoff_mutex (SPMBO: the same with pauses), ticket_mutex (FAM: take a number, read until it
 * is called), sleep_mutex (SLM: a ring of words, each waiter reads its own). One lane a block takes the lock. */
#include "sync.h"

enum kind { SPIN, BACKOFF, TICKET, SLEEP };
enum { BACKOFF_FIRST = 10, BACKOFF_STEP = 5, BACKOFF_TRIES = 25 }; /* pauses in cycles; then it starts from one */

struct args {
    struct hd_sync s;
    enum kind kind;
    uint32_t slots;                          /* of a ring, one more than blocks can wait */
    struct hd_array *head, *tail, *ring;     /* head: the lock bit, or the next number; tail: the number called */
};

static uint32_t lock(struct hd_warp *w, const struct args *g, uint32_t sm)
{
    uint32_t head = hd_at(g->head, sm * g->s.pad), tail = hd_at(g->tail, sm * g->s.pad), mine = 0, pause = BACKOFF_FIRST;
    if (g->kind == SPIN || g->kind == BACKOFF) {
        for (unsigned tries = 0; hd_sync_cas(w, head, 0, 1, HD_ORD_ACQUIRE, g->s.scope) != 0;) {
            if (g->kind == SPIN)
                continue;
            hd_sync_idle(w, pause);
            pause += BACKOFF_STEP;
            if (++tries > BACKOFF_TRIES)
                tries = 0, pause = 1;
        }
    } else if (g->kind == TICKET) {
        mine = hd_sync_atom(w, HD_AT_ADD, head, 1, HD_ORD_RELAXED, g->s.scope);
        while (hd_sync_load(w, tail, HD_ORD_ACQUIRE, g->s.scope) != mine)
            ;
    } else {
        mine = hd_sync_atom(w, HD_AT_ADD, head, 1, HD_ORD_RELAXED, g->s.scope) % g->slots;
        while (hd_sync_load(w, hd_at(g->ring, sm * g->ring->words / g->s.sms + mine * g->s.pad), HD_ORD_ACQUIRE, g->s.scope) != 1)
            ;
    }
    return mine;
}

static void unlock(struct hd_warp *w, const struct args *g, uint32_t sm, uint32_t mine)
{
    if (g->kind == SPIN || g->kind == BACKOFF)
        hd_sync_put(w, hd_at(g->head, sm * g->s.pad), 0, g->s.scope);
    else if (g->kind == TICKET)
        hd_sync_put(w, hd_at(g->tail, sm * g->s.pad), mine + 1, g->s.scope);
    else {
        uint32_t ring = sm * g->ring->words / g->s.sms, next = mine + 1 == g->slots ? 0 : mine + 1;
        hd_sync_atom(w, HD_AT_EXCH, hd_at(g->ring, ring + mine * g->s.pad), 0, HD_ORD_RELAXED, g->s.scope);
        hd_sync_put(w, hd_at(g->ring, ring + next * g->s.pad), 1, g->s.scope);
    }
}

static void mutex(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    uint32_t sm = g->s.local ? hd_sync_sm(&g->s, w) : 0;
    for (uint32_t i = 0; i < g->s.visits; i++) {
        uint32_t mine = g->s.locked ? lock(w, g, sm) : 0;
        hd_sync_shift(w, &g->s, sm);
        if (g->s.locked)
            unlock(w, g, sm, mine);
    }
}

static const char *prepare(struct hd_work *k)
{
    static const char *const names[] = {"spin_mutex", "backoff_mutex", "ticket_mutex", "sleep_mutex"};
    const char *why;
    struct args *g = hd_sync_args(k, sizeof *g, &why);
    while (strcmp(names[g->kind], hd_work_self(k)->name) != 0)
        g->kind++;
    g->head = hd_work_array(k, "head", g->s.sms * g->s.pad);
    g->tail = hd_work_array(k, "tail", g->s.sms * g->s.pad);
    g->slots = g->s.blocks + 1;
    uint32_t stride = (g->slots * g->s.pad + HD_SYNC_LINE - 1) / HD_SYNC_LINE * HD_SYNC_LINE;
    g->ring = hd_work_array(k, "ring", (uint64_t)stride * g->s.sms);
    for (uint32_t s = 0; s < g->s.sms && g->ring->words; s++)
        g->ring->host[s * stride] = 1; /* the lock is free: its first slot may go on */
    hd_sync_data(k, &g->s, g->s.local ? g->s.sms : 1);
    hd_sync_launch(k, &g->s, mutex);
    return why;
}

static uint32_t visits(const struct hd_sync *s, uint32_t region)
{
    (void)region;
    return s->visits * (s->local ? s->per_sm : s->blocks);
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    uint32_t used = g->s.local ? g->s.sms : 1, times = visits(&g->s, 0), stride = g->ring->words / g->s.sms;
    for (uint32_t s = 0; s < used; s++) {
        g->head->host[s * g->s.pad] = g->kind == TICKET || g->kind == SLEEP ? times : 0;
        g->tail->host[s * g->s.pad] = g->kind == TICKET ? times : 0;
        g->ring->host[s * stride] = 0;
        g->ring->host[s * stride + (g->kind == SLEEP ? times % g->slots : 0) * g->s.pad] = 1;
    }
    hd_sync_golden(k, &g->s, visits);
}

static const struct hd_param params[] = {HD_SYNC_PARAMS(0, "1: one for each SM, in scope WG", "critical sections a block"), {0}};
static const struct hd_full full[] = {HD_SYNC_FULL};

const struct hd_workload hd_work_spin_mutex = {
    .name = "spin_mutex", .doc = "visits under a compare-and-swap mutex", .params = params, .full = full,
    .prepare = prepare, .reference = reference,
};
const struct hd_workload hd_work_backoff_mutex = {
    .name = "backoff_mutex", .doc = "visits under a compare-and-swap mutex with pauses", .params = params, .full = full,
    .prepare = prepare, .reference = reference,
};
const struct hd_workload hd_work_ticket_mutex = {
    .name = "ticket_mutex", .doc = "visits under a mutex that calls numbers", .params = params, .full = full,
    .prepare = prepare, .reference = reference,
};
const struct hd_workload hd_work_sleep_mutex = {
    .name = "sleep_mutex", .doc = "visits under a mutex whose waiters read a word each", .params = params, .full = full,
    .prepare = prepare, .reference = reference,
};
