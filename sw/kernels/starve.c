/* starve.c - one block an SM whose warp 0, the leader, works for a flag that all others poll as fast as they can: does the
 * machine's arbitration let the leader go on? Pollers hit in every cycle, so whatever stands behind them at a port that they
 * always win never gets its turn: the run then ends at max_cycles, or the watchdog ends it. The litmus tests are too short to
 * show this.
 *
 * `local` says where the flag is and what the leader has to get done before it raises it:
 *   0  the flag is in the LDS; the pollers have a global atomic on one word of all SMs under way meanwhile;
 *   1  in memory, scope WG, as in 2 to 4; a store and a release to the device, while warp 1 reads a word that it has just
 *      written as synchronization of the device;
 *   2  32 stores and some loads of the LDS, while warps 1 to 3 store to it, too, and others miss, before they poll;
 *   3  an asynchronous copy to the LDS (copies = 1 or more);
 *   4  that of 2, while the others do nothing but poll.
 * All but 0 are done `wait` times, with a pause of random length before each. Each warp stores at last the value of the flag that
 * let it go. */
#include "work.h"

enum { IN_LDS, RELEASE, LDS, COPY, LDS_ALONE };
enum { APART = 1024 };         /* words between the flags of blocks: sectors of their own, too (order = type) */
enum { LINES = 512 };          /* that misses, copies and words of a block's warp 1 are in */
enum { ACCESSES = 32, OWN = 16, MISSES = 4, LAST_MISSING = 24 };

struct args {
    uint32_t warps, local, wait, line_words;
    const struct hd_array *flag, *data, *out;
};

static uint32_t number(const struct hd_warp *w, const struct args *g)
{
    return hd_block(w) * g->warps + hd_warp_in_block(w);
}

static uint32_t line(const struct hd_warp *w, const struct args *g, uint32_t i)
{
    return hd_at(g->data, (hd_block(w) * LINES + i % LINES) * g->line_words);
}

static void ends(struct hd_warp *w, const struct args *g, uint32_t flag)
{
    hd_st_row(w, 1, hd_at(g->out, number(w, g)), &flag);
}

/* local = 0. Each warp has written a word of what all write, so that no sector of it is of one SM. */
static void in_lds(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    const uint32_t zero = 0, one = 1, up = 0;
    uint32_t seen = 1;
    bool leader = hd_warp_in_block(w) == 0;
    if (leader)
        hd_lds_st(w, 1, &up, &zero, HD_ORD_RELAXED, HD_SCOPE_WG);
    hd_st_row(w, 1, hd_at(g->flag, number(w, g) % g->flag->words), &one);
    hd_fence(w, HD_ORD_SEQ_CST, HD_SCOPE_DEVICE);
    hd_bar(w);
    if (leader) {
        hd_sleep(w, hd_now(w) + 1000);
        hd_lds_st(w, 1, &up, &one, HD_ORD_RELAXED, HD_SCOPE_WG);
        hd_fence(w, HD_ORD_SEQ_CST, HD_SCOPE_WG);
    } else {
        for (bool first = true; first || seen == 0; first = false) {
            if (!first)
                hd_advance(w);
            hd_tok other = hd_atom(w, HD_AT_ADD, 1, &g->flag->addr, &one);
            seen = hd_use(w, hd_lds_ld(w, 1, &up, HD_ORD_RELAXED, HD_SCOPE_WG))[0];
            if (g->wait)
                hd_use(w, other);
        }
    }
    ends(w, g, seen);
}

static void lead(struct hd_warp *w, const struct args *g, uint32_t flag, uint32_t turn)
{
    const uint32_t place = 0, word = flag + 4 * g->line_words, from = line(w, g, turn);
    if (g->local == RELEASE) {
        hd_st(w, 1, &word, &turn);
        hd_fence(w, HD_ORD_RELEASE, HD_SCOPE_DEVICE);
    } else if (g->local == COPY) {
        hd_copy(w, 1, &place, &from);
        hd_copy_close(w);
        hd_copy_wait(w, 0);
    } else {
        for (unsigned i = 0; i < ACCESSES; i++) {
            hd_lds_st(w, 1, &place, &turn, HD_ORD_RELAXED, HD_SCOPE_WG);
            if (i % 8 == 7)
                hd_use(w, hd_lds_ld(w, 1, &place, HD_ORD_RELAXED, HD_SCOPE_WG));
        }
    }
    hd_st_o(w, 1, &flag, &turn, HD_ORD_RELEASE, HD_SCOPE_WG);
}

/* What a warp does before it polls. */
static void before(struct hd_warp *w, const struct args *g, uint32_t turn, uint64_t *state)
{
    uint32_t id = hd_warp_in_block(w), place = 4 * id, word = line(w, g, turn);
    if (g->local == RELEASE && id == 1) {
        hd_st(w, 1, &word, &turn);
        hd_use(w, hd_ld_o(w, 1, &word, HD_ORD_ACQUIRE, HD_SCOPE_DEVICE));
    }
    for (unsigned i = 0; i < OWN && g->local == LDS && id < 4; i++)
        hd_lds_st(w, 1, &place, &turn, HD_ORD_RELAXED, HD_SCOPE_WG);
    for (unsigned i = 0; i < MISSES && g->local == LDS && id >= 4 && id <= LAST_MISSING; i++) {
        hd_sleep(w, hd_now(w) + hd_random_below(state, 100));
        word = line(w, g, hd_random_below(state, LINES));
        hd_use(w, hd_ld(w, 1, &word));
    }
}

/* local = 1 and above. */
static void in_memory(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    uint32_t flag = hd_at(g->flag, APART * hd_block(w)), zero = 0, seen = 0;
    uint64_t state = number(w, g) + 1;
    bool leader = hd_warp_in_block(w) == 0;
    if (leader)
        hd_st_o(w, 1, &flag, &zero, HD_ORD_RELEASE, HD_SCOPE_WG);
    hd_bar(w);
    for (uint32_t turn = 1; turn <= g->wait; turn++) {
        if (leader) {
            hd_sleep(w, hd_now(w) + hd_random_below(&state, 60));
            lead(w, g, flag, turn);
            seen = turn;
            continue;
        }
        before(w, g, turn, &state);
        for (bool first = true; first || seen < turn; first = false) {
            if (!first)
                hd_advance(w);
            seen = hd_use(w, hd_ld_o(w, 1, &flag, HD_ORD_ACQUIRE, HD_SCOPE_WG))[0];
        }
    }
    ends(w, g, seen);
}

static const char *prepare(struct hd_work *k)
{
    const struct hd_config *c = hd_work_config(k);
    struct args *g = hd_work_args(k, sizeof *g);
    g->warps = hd_work_param(k, "warps");
    g->local = hd_work_param(k, "local");
    g->wait = hd_work_param(k, "wait");
    g->line_words = c->line_bytes / 4;
    if (g->local == COPY && c->copies == 0)
        return "local = 3: needs asynchronous copies, copies = 1 or more";
    if (g->local != IN_LDS && g->wait == 0)
        return "wait = 0: with local = 1 or more the number of turns, 1 or more";
    struct hd_array *flag = hd_work_array(k, "flag", (uint64_t)c->sms * APART);
    flag->free_form = g->local == IN_LDS; /* how often it was polled */
    g->flag = flag;
    g->data = hd_work_array(k, "data", (uint64_t)c->sms * LINES * g->line_words);
    g->out = hd_work_array(k, "out", (uint64_t)c->sms * g->warps);
    hd_work_launch(k, &(struct hd_launch){.fn = g->local == IN_LDS ? in_lds : in_memory, .args = g, .grid_x = c->sms, .grid_y = 1,
                                          .block_x = g->warps * c->lanes, .block_y = 1, .lds_bytes = 16});
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    uint32_t blocks = g->out->words / g->warps, last = g->local == IN_LDS ? 1 : g->wait;
    for (uint32_t i = 0; i < g->out->words; i++)
        g->out->host[i] = last;
    for (uint32_t b = 0; b < blocks && g->local != IN_LDS; b++) {
        g->flag->host[APART * b] = last;
        if (g->local != RELEASE)
            continue;
        g->flag->host[APART * b + g->line_words] = last;
        for (uint32_t turn = 1; turn <= last && g->warps > 1; turn++)
            g->data->host[(b * LINES + turn % LINES) * g->line_words] = turn;
    }
}

static const struct hd_param params[] = {
    {"warps", 4, 1, 64, "warps a block, a block an SM; the first leads, the others poll"},
    {"local", 0, 0, 4, "the leader: 0 raises a flag of the LDS; 1 to 4 of memory: releases, uses the LDS, copies, uses it alone"},
    {"wait", 0, 0, 100000, "local = 0: 1 = pollers wait for their atomic; else how many turns"},
    {0},
};

const struct hd_workload hd_work_starve = {
    .name = "starve",
    .doc = "a leader works for a flag that all others poll: does arbitration let it go on?",
    .params = params,
    .prepare = prepare,
    .reference = reference,
};
