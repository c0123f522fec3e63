/* sync.c - see sync.h. */
#include "sync.h"
#include <stdlib.h>

void *hd_sync_args(struct hd_work *k, size_t bytes, const char **why)
{
    const struct hd_config *c = hd_work_config(k);
    uint32_t per_sm = hd_work_param(k, "per_sm"), blocks = per_sm * c->sms;
    struct hd_sync *g = hd_work_args(k, bytes + blocks * sizeof g->torn[0]);
    g->torn = (uint32_t *)((char *)g + bytes);
    g->per_sm = per_sm;
    g->sms = c->sms;
    g->blocks = blocks;
    g->visits = hd_work_param(k, "visits");
    g->n = hd_work_param(k, "n");
    g->strong = hd_work_param(k, "strong");
    g->local = hd_work_param(k, "local");
    g->locked = hd_work_param(k, "locked");
    g->lanes = c->lanes;
    g->pad = hd_work_param(k, "padded") ? HD_SYNC_LINE : 1;
    /* Without scopes there is one kind of synchronization. (Under drf the machine itself sees to that.) */
    bool scopes = c->order == HD_MODEL_HRF || c->order == HD_MODEL_DRF;
    g->scope = g->local && scopes ? HD_SCOPE_WG : HD_SCOPE_DEVICE;
    uint32_t resident = hd_work_param(k, "resident");
    *why = NULL;
    if (per_sm > c->blocks || per_sm > c->warps || (resident && resident < per_sm))
        *why = "per_sm: all blocks must run at once, and an SM holds fewer (keys blocks, warps; parameter resident)";
    return g;
}

static uint32_t lines(const struct hd_sync *g)
{
    return g->n + 1 + g->strong;
}

static uint32_t groups(const struct hd_sync *g)
{
    return (g->lanes + HD_SYNC_LINE - 1) / HD_SYNC_LINE;
}

/* Number of the word that @lane has in line @line of a region: what it is at the start. */
static uint32_t word(const struct hd_sync *g, uint32_t region, uint32_t line, uint32_t lane)
{
    return ((region * groups(g) + lane / HD_SYNC_LINE) * lines(g) + line) * HD_SYNC_LINE + lane % HD_SYNC_LINE;
}

/* Its place in the array it is in. */
static uint32_t place(const struct hd_sync *g, uint32_t region, uint32_t line, uint32_t lane)
{
    uint32_t group = region * groups(g) + lane / HD_SYNC_LINE;
    return (line == 0 ? group : group * (lines(g) - 1) + line - 1) * HD_SYNC_LINE + lane % HD_SYNC_LINE;
}

static struct hd_array *array(const struct hd_sync *g, uint32_t line)
{
    return line == 0 ? g->source : g->data;
}

/* What that word is when its region has seen @times visits. */
static uint32_t golden(const struct hd_sync *g, uint32_t region, uint32_t line, uint32_t lane, uint32_t times)
{
    if (g->strong && line == g->n + 1)
        return times;
    if (line > times)
        return word(g, region, line - times, lane);
    return word(g, region, 0, lane) + (g->strong && line > 0 ? times - line + 1 : 0);
}

void hd_sync_data(struct hd_work *k, struct hd_sync *g, uint32_t regions)
{
    g->regions = regions;
    g->source = hd_work_array(k, "source", (uint64_t)regions * groups(g) * HD_SYNC_LINE);
    g->data = hd_work_array(k, "data", (uint64_t)regions * groups(g) * (lines(g) - 1) * HD_SYNC_LINE);
    for (uint32_t r = 0; r < regions && g->data->words && g->source->words; r++)
        for (uint32_t i = 0; i < lines(g); i++)
            for (uint32_t l = 0; l < g->lanes; l++)
                array(g, i)->host[place(g, r, i, l)] = golden(g, r, i, l, 0);
}

void hd_sync_launch(struct hd_work *k, const struct hd_sync *g, hd_kernel *fn)
{
    hd_work_launch(k, &(struct hd_launch){.fn = fn, .args = hd_work_get_args(k), .grid_x = g->blocks, .grid_y = 1,
                                          .block_x = g->lanes, .block_y = 1,
                                          .read_only = {{g->source->addr, 4 * g->source->words}}});
}

void hd_sync_golden(struct hd_work *k, const struct hd_sync *g, uint32_t (*times)(const struct hd_sync *g, uint32_t region))
{
    for (uint32_t r = 0; r < g->regions; r++)
        for (uint32_t i = 0; i < lines(g); i++)
            for (uint32_t l = 0; l < g->lanes; l++)
                array(g, i)->host[place(g, r, i, l)] = golden(g, r, i, l, times(g, r));
    for (uint32_t b = 0; b < g->blocks; b++)
        if (g->torn[b])
            hd_work_fail(k, "block %u (SM %u) read %u words of another visit than the region's counter says", b, b % g->sms,
                         g->torn[b]);
}

struct column {
    uint32_t addr[HD_MAX_LANES];
};

static void column(const struct hd_sync *g, uint32_t region, uint32_t line, struct column *c)
{
    for (uint32_t l = 0; l < g->lanes; l++)
        c->addr[l] = hd_at(array(g, line), place(g, region, line, l));
}

/* Counts words that are not what @times visits leave, seen[l] being the lane's counter. */
static void check(struct hd_warp *w, const struct hd_sync *g, uint32_t region, uint32_t line, const uint32_t *got,
                  const uint32_t *seen)
{
    for (uint32_t l = 0; g->strong && l < g->lanes; l++)
        g->torn[hd_block(w)] += got[l] != golden(g, region, line, l, seen[l]);
}

/* The region's counters, which all lanes must find alike. */
static void counters(struct hd_warp *w, const struct hd_sync *g, uint32_t region, struct column *c, uint32_t *seen)
{
    if (!g->strong)
        return;
    column(g, region, g->n + 1, c);
    memcpy(seen, hd_use(w, hd_ld(w, HD_ALL_LANES, c->addr)), g->lanes * sizeof *seen);
    for (uint32_t l = 1; l < g->lanes; l++)
        g->torn[hd_block(w)] += seen[l] != seen[0];
}

void hd_sync_shift(struct hd_warp *w, const struct hd_sync *g, uint32_t region)
{
    uint32_t seen[HD_MAX_LANES] = {0}, value[HD_MAX_LANES] = {0};
    struct column from = {{0}}, to = {{0}}, count = {{0}};
    hd_advance(w); /* visits are counted: that they repeat each other is no livelock */
    counters(w, g, region, &count, seen);
    for (uint32_t i = g->n; i-- > 0;) {
        column(g, region, i, &from);
        column(g, region, i + 1, &to);
        const uint32_t *got = hd_use(w, hd_ld(w, HD_ALL_LANES, from.addr));
        check(w, g, region, i, got, seen);
        for (uint32_t l = 0; l < g->lanes; l++)
            value[l] = got[l] + (g->strong && i == 0 ? seen[l] + 1 : 0);
        hd_alu(w, 1);
        hd_st(w, HD_ALL_LANES, to.addr, value);
    }
    for (uint32_t l = 0; l < g->lanes; l++)
        seen[l]++;
    if (g->strong)
        hd_st(w, HD_ALL_LANES, count.addr, seen);
}

void hd_sync_read(struct hd_warp *w, const struct hd_sync *g, uint32_t region)
{
    uint32_t seen[HD_MAX_LANES] = {0};
    struct column from = {{0}};
    hd_advance(w);
    counters(w, g, region, &from, seen);
    for (uint32_t i = g->n; i-- > 0;) {
        column(g, region, i, &from);
        check(w, g, region, i, hd_use(w, hd_ld(w, HD_ALL_LANES, from.addr)), seen);
        hd_bar(w);
    }
}

uint32_t hd_sync_load(struct hd_warp *w, uint32_t addr, unsigned order, unsigned scope)
{
    uint32_t a[HD_MAX_LANES] = {addr};
    return hd_use(w, hd_ld_o(w, 1, a, order, scope))[0];
}

uint32_t hd_sync_atom(struct hd_warp *w, unsigned fn, uint32_t addr, uint32_t value, unsigned order, unsigned scope)
{
    uint32_t a[HD_MAX_LANES] = {addr}, v[HD_MAX_LANES] = {value};
    return hd_use(w, hd_atom_o(w, fn, 1, a, v, order, scope))[0];
}

uint32_t hd_sync_cas(struct hd_warp *w, uint32_t addr, uint32_t expect, uint32_t value, unsigned order, unsigned scope)
{
    uint32_t a[HD_MAX_LANES] = {addr}, e[HD_MAX_LANES] = {expect}, v[HD_MAX_LANES] = {value};
    return hd_use(w, hd_cas_o(w, 1, a, e, v, order, scope))[0];
}

void hd_sync_put(struct hd_warp *w, uint32_t addr, uint32_t value, unsigned scope)
{
    uint32_t a[HD_MAX_LANES] = {addr}, v[HD_MAX_LANES] = {value};
    hd_atom_o(w, HD_AT_EXCH, 1, a, v, HD_ORD_RELEASE, scope);
}

void hd_sync_idle(struct hd_warp *w, uint32_t cycles)
{
    hd_sleep(w, hd_now(w) + cycles);
}
