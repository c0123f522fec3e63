/* outstanding.c - the micro-benchmark of paper 2 (its Listing 1): how long N loads of T threads of one block take.
 *
 * Each thread issues its loads back to back and uses them after the last; the clock is read behind the barriers
 * before and after. Load n of thread g reads a line that nothing has touched before, number N * floor(g/M) + n - 1: M
 * neighbours share a line. So every line is a miss as long as the machine is fresh; and lines that are out together
 * are neighbours, which the line filter of hd_pending_request_table tells apart. Addresses are computed before the
 * first barrier, the sum and the time are stored behind the second clock, as in the listing.
 *
 * Patterns beyond the paper show single resources (heddle lab infer). `lanes`: only the first lanes of a warp load.
 * `shared`: all loads of all warps read the lines of the first. `requests`: so many loads in all, counted warp by warp
 * and load by load. `probe`: one warp more, whose line is in the cache, reads it so many cycles after the clock, and
 * the time of this hit is the result: it is long when the memory pipe is blocked. */
#include "work.h"
#include <stdio.h>

struct args {
    uint32_t threads, loads, merger, offset, lanes, shared, requests, probe;
    uint32_t line_bytes;
    uint32_t warps;            /* that load; the probe's is behind them */
    struct hd_array *in, *out, *time;
    char refused[400];
};

enum { MAX_LOADS = 16 };

/* Threads that load are numbered without gaps. @return the number of lane @l of warp @i. */
static uint32_t rank(const struct args *g, uint32_t i, uint32_t lanes, uint32_t l)
{
    return i * (g->lanes && g->lanes < lanes ? g->lanes : lanes) + l;
}

/* @return true when lane @l of warp @i issues load @n. */
static bool loads(const struct args *g, uint32_t n, uint32_t i, uint32_t lanes, uint32_t l)
{
    uint32_t first = rank(g, i, lanes, 0), active = rank(g, i + 1, lanes, 0) - first;
    return i * lanes + l < g->threads && l < active
           && (g->requests == 0 || first * g->loads + n * active + l < g->requests);
}

/* @return the word of `in` it reads; the first line is the probe's. */
static uint32_t word(const struct args *g, uint32_t n, uint32_t i, uint32_t lanes, uint32_t l)
{
    uint32_t line = g->shared ? l / g->merger : rank(g, i, lanes, l) / g->merger * g->loads + n;
    return (line + 1) * (g->line_bytes / 4);
}

/* A hit, `probe` cycles after the clock. @return its time. */
static uint32_t probe(struct hd_warp *w, const struct args *g)
{
    hd_use(w, hd_ld_all(w, 1, g->in->addr));
    hd_bar(w);
    hd_sleep(w, hd_now(w) + g->probe);
    uint32_t start = hd_clock(w);
    hd_use(w, hd_ld_all(w, 1, g->in->addr));
    uint32_t took = hd_clock(w) - start;
    hd_bar(w);
    return took;
}

static void outstanding(struct hd_warp *w, void *args)
{
    const struct args *g = args;
    uint32_t lanes = hd_lanes(w), i = hd_warp_in_block(w), sum[HD_MAX_LANES] = {0}, time[HD_MAX_LANES];
    uint32_t addr[MAX_LOADS][HD_MAX_LANES] = {{0}}, took;
    hd_mask_t mask[MAX_LOADS] = {0};

    hd_sleep(w, hd_now(w) + g->offset);
    if (i < g->warps) {
        for (uint32_t n = 0; n < g->loads; n++)
            for (uint32_t l = 0; l < lanes; l++)
                if (loads(g, n, i, lanes, l)) {
                    mask[n] |= hd_lane(l);
                    addr[n][l] = g->in->addr + 4 * word(g, n, i, lanes, l);
                }
        hd_alu(w, 2 * g->loads);
        hd_bar(w);
        uint32_t start = hd_clock(w);
        hd_tok token[MAX_LOADS];
        for (uint32_t n = 0; n < g->loads; n++)
            token[n] = hd_ld(w, mask[n], addr[n]);
        for (uint32_t n = 0; n < g->loads; n++) {
            const uint32_t *value = hd_use(w, token[n]);
            for (uint32_t l = 0; l < lanes; l++)
                sum[l] += mask[n] >> l & 1 ? value[l] : 0;
        }
        hd_bar(w);
        took = hd_clock(w) - start;
        hd_alu(w, g->loads - 1);
        hd_st_row(w, hd_mask(w), g->out->addr + 4 * lanes * i, sum);
    } else
        took = probe(w, g);
    for (uint32_t l = 0; l < lanes; l++)
        time[l] = took;
    hd_st_row(w, hd_mask(w), g->time->addr + 4 * lanes * i, time);
}

static const char *check(struct hd_work *k, struct args *g)
{
    const struct hd_config *c = hd_work_config(k);
    uint32_t most = (c->warps - (g->probe ? 1 : 0)) * c->lanes;
    bool beyond = hd_work_param(k, "beyond");
    char where[300];
    if (g->threads % 2 != 0)
        return "threads: must be even, as the paper counts them";
    if (g->threads > most) {
        snprintf(g->refused, sizeof g->refused, "threads = %u: must be at most %u (warps = %u of %u lanes%s; %s)",
                 g->threads, most, c->warps, c->lanes, g->probe ? ", one for the probe" : "",
                 hd_work_origin(k, "warps", where));
        return g->refused;
    }
    if (g->loads > c->scoreboard && !beyond) {
        snprintf(g->refused, sizeof g->refused, "loads = %u: must be at most scoreboard = %u, a warp's outstanding "
                 "operations (%s)", g->loads, c->scoreboard, hd_work_origin(k, "scoreboard", where));
        return g->refused;
    }
    if ((g->merger & (g->merger - 1)) != 0)
        return "merger: must be a power of two";
    return NULL;
}

static const char *prepare(struct hd_work *k)
{
    const struct hd_config *c = hd_work_config(k);
    struct args *g = hd_work_args(k, sizeof *g);
    g->threads = hd_work_param(k, "threads");
    g->loads = hd_work_param(k, "loads");
    g->merger = hd_work_param(k, "merger");
    g->offset = hd_work_param(k, "offset");
    g->lanes = hd_work_param(k, "lanes");
    g->shared = hd_work_param(k, "shared");
    g->requests = hd_work_param(k, "requests");
    g->probe = hd_work_param(k, "probe");
    const char *why = check(k, g);
    if (why)
        return why;
    g->line_bytes = c->line_bytes;
    g->warps = (g->threads + c->lanes - 1) / c->lanes;
    uint32_t all = 0; /* lanes that load, over all warps */
    for (uint32_t t = 0; t < g->threads; t++)
        all += g->lanes == 0 || t % c->lanes < g->lanes;
    uint32_t lines = (all + g->merger - 1) / g->merger * g->loads;
    uint32_t threads = g->probe ? g->warps * c->lanes + 1 : g->threads;
    g->in = hd_work_array(k, "in", (uint64_t)(lines + 1) * (g->line_bytes / 4));
    g->out = hd_work_array(k, "out", threads);
    g->time = hd_work_array(k, "time", threads);
    g->time->free_form = true;
    for (uint32_t i = 0; i < g->in->words; i += g->line_bytes / 4)
        g->in->host[i] = (uint32_t)hd_work_random(k);
    hd_work_launch(k, &(struct hd_launch){.fn = outstanding, .args = g, .grid_x = 1, .grid_y = 1, .block_x = threads,
                                          .block_y = 1});
    return NULL;
}

static void reference(struct hd_work *k)
{
    const struct args *g = hd_work_get_args(k);
    uint32_t lanes = hd_work_config(k)->lanes, latency = 0, threads = g->time->words;
    for (uint32_t t = 0; t < g->threads; t++)
        for (uint32_t n = 0; n < g->loads; n++)
            if (loads(g, n, t / lanes, lanes, t % lanes))
                g->out->host[t] += g->in->host[word(g, n, t / lanes, lanes, t % lanes)];
    for (uint32_t t = g->probe ? threads - 1 : 0; t < threads; t++) {
        if (g->time->result[t] == 0)
            hd_work_fail(k, "time[%u] was not measured", t);
        if (g->time->result[t] > latency)
            latency = g->time->result[t];
    }
    hd_work_counter(k, "outstanding.latency", latency);
}

static const struct hd_param params[] = {
    {"threads", 128, 2, 2048, "threads of the block, an even number"},
    {"loads", 1, 1, MAX_LOADS, "loads of a thread; at most `scoreboard`"},
    {"merger", 1, 1, 32, "neighbours that share a line; a power of two"},
    {"offset", 0, 0, 65536, "cycles before the start"},
    {"lanes", 0, 0, HD_MAX_LANES, "lanes of a warp that load; 0 = all"},
    {"shared", 0, 0, 1, "1 = all loads read the lines of the first warp's first"},
    {"requests", 0, 0, 65536, "loads of all threads together; 0 = all of them"},
    {"probe", 0, 0, 65536, "measures a hit of one more warp, issued so many cycles after the clock; 0 = no"},
    {"beyond", 0, 0, 1, "1 = `loads` may be over `scoreboard`: the rest waits at issue"},
    {0},
};

const struct hd_workload hd_work_outstanding = {
    .name = "outstanding",
    .doc = "latency of a block's loads that are outstanding together (the micro-benchmark of paper 2)",
    .params = params,
    .prepare = prepare,
    .reference = reference,
};
