/* plog.c - a log and its commit numbers in non-volatile memory, with persist barriers between them (paper 4, Figure 2).
 *
 * In each round a thread writes its word of the log's row, passes a persist barrier and raises its commit number. Judged
 * from the journal of the memory (key nv_journal): at no instant is a commit number durable while a log word it stands for
 * is not: those of the warp (scope=0, work-item), of the block (1) or of all (2: of one warp each, as a barrier of kernel scope
 * is its warp's part; 3: whose warps meet as one grid, of which more blocks may be than fit at once). */
#include "mem/nvram.h"
#include "work.h"
#include <stdlib.h>
#include <string.h>

struct args {
    const struct hd_array *log, *commit, *turn;
    uint32_t rounds, threads, block, scope, judged, barrier, atomic;
};

/* The grid meets: twice each warp reads what the one half a grid away has just written, to words of which it may have a
 * copy the second time; its commit numbers come of it. Then all is to be durable. */
static void across(struct hd_warp *w, const struct args *g, uint32_t round, uint32_t value[HD_MAX_LANES])
{
    uint32_t first = hd_global_thread(w, 0), half = g->threads / 2 / hd_lanes(w) * hd_lanes(w);
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned l = 0; l < hd_lanes(w); l++)
            value[l] = round + i;
        hd_st_row(w, hd_mask(w), hd_at(g->turn, first), value);
        hd_bar_grid(w);
        memcpy(value, hd_use(w, hd_ld_row(w, hd_mask(w), hd_at(g->turn, (first + half) % g->threads))),
               hd_lanes(w) * sizeof value[0]);
        hd_bar_grid(w);
    }
    hd_pbarrier_grid(w);
}

static void plog(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    uint32_t first = hd_global_thread(w, 0), value[HD_MAX_LANES], commit[HD_MAX_LANES];
    hd_mask_t mask = hd_mask(w);

    for (uint32_t r = 0; r < g->rounds; r++) {
        for (unsigned l = 0; l < hd_lanes(w); l++)
            value[l] = r + 1;
        hd_alu(w, 1 + 40 * hd_warp_in_block(w)); /* so that a barrier narrower than the block shows */
        hd_st_row(w, mask, hd_at(g->log, r * g->threads + first), value);
        if (g->barrier && g->scope == 3)
            across(w, g, r, value);
        else if (g->barrier)
            hd_pbarrier(w, g->scope == 0 ? HD_SCOPE_WI : g->scope == 1 ? HD_SCOPE_WG : HD_SCOPE_DEVICE);
        for (unsigned l = 0; l < hd_lanes(w); l++)
            commit[l] = hd_at(g->commit, first + l);
        if (g->atomic)
            hd_atom(w, HD_AT_EXCH, mask, commit, value);
        else
            hd_st(w, mask, commit, value);
    }
}

static const char *prepare(struct hd_work *k)
{
    const struct hd_config *c = hd_work_config(k);
    struct args *g = hd_work_args(k, sizeof *g);
    uint32_t blocks = hd_work_param(k, "blocks");

    g->block = hd_work_param(k, "warps") * c->lanes;
    g->threads = blocks * g->block;
    g->rounds = hd_work_param(k, "rounds");
    g->scope = hd_work_param(k, "scope");
    g->judged = hd_work_param(k, "judged") == 4 ? g->scope : hd_work_param(k, "judged");
    g->barrier = hd_work_param(k, "barrier");
    g->atomic = hd_work_param(k, "atomic");
    struct hd_array *commit = hd_work_array(k, "commit", g->threads);
    struct hd_array *log = hd_work_array(k, "log", (uint64_t)g->rounds * g->threads);
    g->turn = hd_work_array(k, "turn", g->threads);
    g->log = log;
    g->commit = commit;
    if (!c->nv_journal || c->persist == 0)
        return "plog needs persist and nv_journal = true";
    if (commit->addr < c->nv_base)
        return "plog needs nv_base = 16384 or less: its arrays are to be in non-volatile memory";
    hd_work_launch(k, &(struct hd_launch){.fn = plog, .args = g, .grid_x = blocks, .grid_y = 1, .block_x = g->block,
                                          .block_y = 1, .exchange = hd_work_param(k, "switch")});
    return NULL;
}

/* @return whether word @a of array @x lies in the line of entry @j, with its value in *@v. */
static bool holds(const struct hd_nvram_write *j, unsigned line_bytes, uint32_t addr, uint32_t *v)
{
    if (addr - j->addr >= line_bytes)
        return false;
    *v = j->word[(addr - j->addr) / 4];
    return true;
}

/* When the log word of @thread in round @r became durable; UINT64_MAX: never. */
static uint64_t logged(const struct args *g, const struct hd_nvram_write *j, size_t n, unsigned line_bytes, uint32_t r,
                       uint32_t thread)
{
    uint64_t at = UINT64_MAX;
    uint32_t v;

    for (size_t i = 0; i < n; i++)
        if (j[i].done < at && holds(&j[i], line_bytes, hd_at(g->log, r * g->threads + thread), &v) && v == r + 1)
            at = j[i].done;
    return at;
}

static void judge(struct hd_work *k, const struct args *g, const struct hd_nvram_write *j, size_t n)
{
    const struct hd_config *c = hd_work_config(k);
    uint32_t group = g->judged == 3 ? g->threads : g->judged == 1 ? g->block : c->lanes;
    uint64_t *row = calloc((size_t)g->rounds * g->threads + 1, sizeof row[0]);
    uint32_t v, seen = 0;

    if (row == NULL) {
        hd_work_fail(k, "out of memory");
        return;
    }
    for (uint32_t r = 0; r < g->rounds; r++)
        for (uint32_t t = 0; t < g->threads; t++)
            row[r * g->threads + t] = logged(g, j, n, c->line_bytes, r, t);
    for (size_t i = 0; i < n; i++)
        for (uint32_t t = 0; t < g->threads; t++) {
            if (!holds(&j[i], c->line_bytes, hd_at(g->commit, t), &v) || v == 0)
                continue;
            seen++;
            for (uint32_t u = t / group * group; u < (t / group + 1) * group; u++)
                if (row[(v - 1) * g->threads + u] > j[i].done)
                    hd_work_fail(k, "commit %u of thread %u was durable at %llu, the log word of thread %u at %lld", v, t,
                                 (unsigned long long)j[i].done, u, (long long)row[(v - 1) * g->threads + u]);
        }
    free(row);
    hd_work_counter(k, "plog.commits_judged", seen);
    if (seen == 0)
        hd_work_fail(k, "no commit number in the journal");
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    const struct hd_nvram *nvram = hd_work_nvram(k);
    size_t n = 0;

    for (uint32_t t = 0; t < g->threads; t++) {
        g->commit->host[t] = g->rounds;
        g->turn->host[t] = g->scope == 3 ? g->rounds : 0;
        for (uint32_t r = 0; r < g->rounds; r++)
            g->log->host[r * g->threads + t] = r + 1;
    }
    if (nvram == NULL) {
        hd_work_fail(k, "no non-volatile memory");
        return;
    }
    const struct hd_nvram_write *j = hd_nvram_journal(nvram, &n);
    judge(k, g, j, n);
}

static const struct hd_param params[] = {
    {"rounds", 8, 1, 256, "log words of a thread"},
    {"blocks", 2, 1, 256, "blocks"},
    {"warps", 2, 1, 8, "warps a block"},
    {"scope", 0, 0, 3, "of the barriers: 0 work-item, 1 work-group, 2 a warp's part of one of the kernel, 3 kernel"},
    {"judged", 4, 0, 4, "scope that is judged; 4: that of the barriers"},
    {"switch", 500, 0, 10000, "cycles until a block runs where another was switched out, at barriers of the kernel"},
    {"barrier", 1, 0, 1, "0: no barriers"},
    {"atomic", 0, 0, 1, "1: commit numbers are exchanged, which the L2 does, past what waits in the L1"},
    {0},
};

const struct hd_workload hd_work_plog = {
    .name = "plog",
    .doc = "a log and its commit numbers in non-volatile memory, persist barriers between them (paper 4)",
    .params = params,
    .prepare = prepare,
    .reference = reference,
};
