/* semaphore.c - reader and writer semaphores around visits of shared data (sync.h; paper 3, section 5.3, Table 4): spin_sem
 * (SS) and backoff_sem (SSBO). An SM has one writer, whose visit moves the data of all blocks of its SM, while readers only
 * read; a writer is admitted when nobody is inside, a reader when no writer waits and a place is free. The record of a
 * semaphore is plain data under a spin lock of its own. */
#include "sync.h"

enum { COUNT, LOCK, WAITING, MAX, RECORD = HD_SYNC_LINE };
enum { BACKOFF_FIRST = 10, BACKOFF_WRITER = 250, BACKOFF_STEP = 5, BACKOFF_TRIES = 25, LEAVE_PAUSES = 31 }; /* pauses in cycles */
enum { LOOP = 60 }; /* cycles from an opened lock to the next try: without them who tries again is always before who leaves */

struct args {
    struct hd_sync s;
    bool backoff;
    uint32_t words;           /* of a record, 4 or a line */
    struct hd_array *sem;
};

static uint32_t read_word(struct hd_warp *w, uint32_t addr)
{
    return hd_use(w, hd_ld_row(w, 1, addr))[0];
}

/* A pause that changes from try to try: who spins in try_wait() holds the lock in a fixed rhythm, in which equal pauses, or none,
 * may never find it open. */
static void enter(struct hd_warp *w, const struct args *g, uint32_t sem)
{
    for (uint32_t pause = 0; hd_sync_cas(w, sem + 4 * LOCK, 0, 1, HD_ORD_ACQUIRE, g->s.scope) != 0; pause = (pause + 1) % LEAVE_PAUSES)
        hd_sync_idle(w, pause);
}

/* One try to be admitted. */
static bool try_wait(struct hd_warp *w, const struct args *g, uint32_t sem, bool writer)
{
    static const uint32_t zero = 0, one = 1;
    if (hd_sync_cas(w, sem + 4 * LOCK, 0, 1, HD_ORD_ACQUIRE, g->s.scope) != 0)
        return false;
    uint32_t count = read_word(w, sem + 4 * COUNT), max = read_word(w, sem + 4 * MAX);
    bool in = writer ? count == max : read_word(w, sem + 4 * WAITING) == 0 && count > 1;
    uint32_t left = count - (writer ? max : 1);
    if (in)
        hd_st_row(w, 1, sem + 4 * COUNT, &left);
    if (writer)
        hd_st_row(w, 1, sem + 4 * WAITING, in ? &zero : &one);
    /* Who was not admitted pauses from when the lock is open, not from when its opening was asked for: where the word has to
     * be fetched from another L1 first, the pause would be over by then, and the next try come before all others for ever. */
    if (in)
        hd_sync_put(w, sem + 4 * LOCK, 0, g->s.scope);
    else
        hd_sync_atom(w, HD_AT_EXCH, sem + 4 * LOCK, 0, HD_ORD_RELEASE, g->s.scope);
    return in;
}

/* Where the lock goes from L1 to L1 in a queue (DeNovo), all who poll take turns in one fixed order, and the lock is open for whoever
 * comes behind one who opens it: with equal pauses some who are not admitted may pass it among them while those who could leave never
 * find it open. Pauses of up to a loop for each block of the semaphore, longer than a turn of all, change the order. */
static void wait(struct hd_warp *w, const struct args *g, uint32_t sem, bool writer)
{
    uint32_t pause = BACKOFF_FIRST, turn = g->s.local ? 1 : g->s.blocks;
    for (unsigned tries = 0; !try_wait(w, g, sem, writer);) {
        if (!g->backoff) {
            hd_sync_idle(w, LOOP * (1 + tries++ % turn));
            continue;
        }
        hd_sync_idle(w, pause);
        pause += writer && !g->s.local ? BACKOFF_WRITER : BACKOFF_STEP;
        if (++tries > BACKOFF_TRIES)
            tries = 0, pause = 1;
    }
}

static void post(struct hd_warp *w, const struct args *g, uint32_t sem, bool writer)
{
    enter(w, g, sem);
    uint32_t count = read_word(w, sem + 4 * COUNT) + (writer ? read_word(w, sem + 4 * MAX) : 1);
    hd_st_row(w, 1, sem + 4 * COUNT, &count);
    hd_sync_put(w, sem + 4 * LOCK, 0, g->s.scope);
}

/* Blocks of an SM use a region each; the global semaphore guards the same regions for all SMs. */
static uint32_t region(const struct args *g, uint32_t sm, uint32_t nth)
{
    return g->s.local ? sm * g->s.per_sm + nth : nth;
}

static void semaphore(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    uint32_t sm = hd_sync_sm(&g->s, w), nth = hd_sync_nth(&g->s, w), sem = hd_at(g->sem, (g->s.local ? sm : 0) * g->words);
    bool writer = nth == sm % g->s.per_sm;
    for (uint32_t i = 0; i < g->s.visits; i++) {
        if (g->s.locked)
            wait(w, g, sem, writer);
        if (!writer)
            hd_sync_read(w, &g->s, region(g, sm, nth));
        for (uint32_t j = 0; writer && j < g->s.per_sm; j++)
            hd_sync_shift(w, &g->s, region(g, sm, (nth + j) % g->s.per_sm));
        if (g->s.locked)
            post(w, g, sem, writer);
    }
}

static const char *prepare(struct hd_work *k)
{
    const char *why;
    struct args *g = hd_sync_args(k, sizeof *g, &why);
    g->backoff = strcmp(hd_work_self(k)->name, "backoff_sem") == 0;
    g->words = g->s.pad == 1 ? 4 : RECORD;
    g->sem = hd_work_array(k, "semaphore", g->s.sms * g->words);
    uint32_t max = hd_work_param(k, "places") + 1;
    for (uint32_t s = 0; s < g->s.sms && g->sem->words; s++)
        g->sem->host[s * g->words + COUNT] = g->sem->host[s * g->words + MAX] = max;
    hd_sync_data(k, &g->s, (g->s.local ? g->s.sms : 1) * g->s.per_sm);
    hd_sync_launch(k, &g->s, semaphore);
    return why;
}

static uint32_t visits(const struct hd_sync *s, uint32_t region)
{
    (void)region;
    return s->visits * (s->local ? 1 : s->sms);
}

static void reference(struct hd_work *k) /* a semaphore ends as it began: full, open, nobody waiting */
{
    const struct args *g = hd_work_get_args(k);
    hd_sync_golden(k, &g->s, visits);
}

static const struct hd_param params[] = {
    HD_SYNC_PARAMS(0, "1: one for each SM, in scope WG", "critical sections a block"), {"places", 10, 1, 1000, "readers inside at once"}, {0}};
static const struct hd_full full[] = {HD_SYNC_FULL};

const struct hd_workload hd_work_spin_sem = {
    .name = "spin_sem", .doc = "readers and writers under a semaphore", .params = params, .full = full,
    .prepare = prepare, .reference = reference,
};
const struct hd_workload hd_work_backoff_sem = {
    .name = "backoff_sem", .doc = "readers and writers under a semaphore, with pauses", .params = params, .full = full,
    .prepare = prepare, .reference = reference,
};
