/* machine.c - see machine.h: composition, windows, runs. */
#include "machine.h"
#include "machine_parts.h"
#include "models.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- composition ---------------------------------------------------------------------------------------- */

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned log2_of(unsigned x)
{
    unsigned n = 0;

    while (x > 1) {
        x >>= 1;
        n++;
    }
    return n;
}

/* The limits this file and the models rely on; everything else is the configuration's business. */
static bool config_fits(const struct hd_config *c)
{
    const unsigned latency[] = {c->lat_sm_xbar, c->lat_xbar_l2, c->lat_l2_xbar, c->lat_xbar_sm, c->lat_credit};

    if (c->sms < 1 || c->sms > HD_MAX_SMS || c->partitions < 1 || c->partitions > HD_MAX_PARTS || c->warps < 1
        || c->warps > HD_MAX_WARPS || c->lanes < 1 || c->lanes > HD_MAX_LANES || c->scoreboard < 1
        || c->scoreboard > HD_MAX_SLOTS || c->clk_ratio < 1 || (c->ghost_bits != 0 && c->ghost_bits != 32)
        || c->lat_dispatch < 1 || c->threads < 1 || c->threads > HD_MAX_THREADS) {
        fprintf(stderr, "heddle: configuration %s is out of range\n", c->name);
        return false;
    }
    for (size_t i = 0; i < sizeof latency / sizeof latency[0]; i++) {
        if (latency[i] < 1 || latency[i] % c->clk_ratio != 0) {
            fprintf(stderr, "heddle: a link latency of %u is not a multiple of clk_ratio %u\n", latency[i],
                    c->clk_ratio);
            return false;
        }
    }
    return true;
}

static bool make_links(struct hd_machine *m)
{
    const struct hd_config *c = &m->c;
    unsigned units = HD_FLIT_WORDS * (32 + c->ghost_bits) / 32;
    bool ok = true;

    for (unsigned i = 0; i < c->sms; i++) {
        ok &= hd_link_init(&m->up_sm[i], c->lat_sm_xbar, c->lat_credit, 2, c->queue_depth, units, c->clk_ratio);
        ok &= hd_link_init(&m->down_sm[i], c->lat_xbar_sm, c->lat_credit, 1, c->queue_depth, units, c->clk_ratio);
    }
    for (unsigned i = 0; i < m->parts; i++) {
        ok &= hd_link_init(&m->up_part[i], c->lat_xbar_l2, c->lat_credit, 2, c->queue_depth, units, c->clk_ratio);
        ok &= hd_link_init(&m->down_part[i], c->lat_l2_xbar, c->lat_credit, 1, c->queue_depth, units, c->clk_ratio);
    }
    for (unsigned i = 0; i < c->sms + m->parts; i++) {
        bool sm = i < c->sms;
        unsigned n = sm ? i : i - c->sms;
        uint64_t seed = ((uint64_t)c->jitter_seed << 16) + 2 * i;
        hd_link_jitter(sm ? &m->up_sm[n] : &m->up_part[n], c->jitter, seed << 16);
        hd_link_jitter(sm ? &m->down_sm[n] : &m->down_part[n], c->jitter, (seed + 1) << 16);
    }
    if (!ok)
        fprintf(stderr, "heddle: out of memory\n");
    return ok;
}

/* Opens a model; with @wave it writes NAME.INSTANCE.fst. */
static struct hd_model *open_model(const char *so, const char *wave, const char *kind, int number)
{
    char instance[24], file[HD_PATH_SIZE];

    if (number < 0)
        snprintf(instance, sizeof instance, "%s", kind);
    else
        snprintf(instance, sizeof instance, "%s%d", kind, number);
    struct hd_model *model = hd_model_open(so, instance);
    if (model == NULL || wave == NULL)
        return model;
    size_t stem = strlen(wave);
    if (stem > 4 && strcmp(wave + stem - 4, ".fst") == 0)
        stem -= 4;
    snprintf(file, sizeof file, "%.*s.%s.fst", (int)stem, wave, instance);
    if (!hd_model_trace_open(model, file)) {
        hd_model_close(model);
        return NULL;
    }
    return model;
}

/* Gives a tile its model: one of its own, or its slice of the flat one. */
static bool make_tile(struct hd_machine *m, struct hd_tile *t, enum hd_slice_kind kind, unsigned index,
                      const char *so, const char *wave, const char *name)
{
    if (m->flat != NULL) {
        t->slice = hd_flat_slice(m->flat, kind, index);
        t->model = t->slice != NULL ? hd_slice_model(t->slice) : NULL;
    } else {
        t->wave = wave != NULL;
        t->model = open_model(so, wave, name, kind == HD_SLICE_XBAR ? -1 : (int)index);
    }
    return t->model != NULL;
}

static bool make_sms(struct hd_machine *m, const char *so, const char *wave)
{
    for (unsigned i = 0; i < m->c.sms; i++) {
        struct hd_sm *s = &m->sm[i];
        s->overwritten = m->overwritten;
        s->up_link = &m->up_sm[i];
        s->down_link = &m->down_sm[i];
        if (!make_tile(m, &s->tile, HD_SLICE_SM, i, so, wave, "sm"))
            return false;
        s->states.room = m->window;
        s->states.event = calloc(m->window, sizeof *s->states.event);
        if (s->states.event == NULL || !hd_sm_open(s, s->tile.model, i, &m->c))
            return false;
    }
    return true;
}

static bool make_l2s(struct hd_machine *m, const char *so, const char *wave)
{
    const struct hd_config *c = &m->c;
    const struct hd_dram_params p = {.line_bytes = c->line_bytes,
                                     .part_bits = log2_of(c->partitions),
                                     .word_units = (32 + c->ghost_bits) / 32,
                                     .credits = c->mem_credits,
                                     .latency = c->dram_latency,
                                     .banks = c->dram_banks,
                                     .row_bytes = c->dram_row_bytes,
                                     .bytes_per_cycle = c->dram_bytes_per_cycle,
                                     .row_miss = c->dram_row_miss};

    for (unsigned i = 0; i < m->parts; i++) {
        struct hd_l2 *l = &m->l2[i];
        l->overwritten = m->overwritten;
        l->up_link = &m->up_part[i];
        l->down_link = &m->down_part[i];
        l->dram = hd_dram_new(&p);
        if (l->dram == NULL || !make_tile(m, &l->tile, HD_SLICE_L2, i, so, wave, "l2_") || !hd_l2_open(l, l->tile.model, i, c))
            return false;
    }
    return true;
}

/* Before the SM, which looks for it. */
static bool make_fixed(struct hd_machine *m)
{
    const struct hd_config *c = &m->c;
    const struct hd_fixed_params p = {.line_bytes = c->line_bytes,
                                      .word_units = (32 + c->ghost_bits) / 32,
                                      .latency = c->fixed_latency,
                                      .depth = c->queue_depth,
                                      .up = &m->up_sm[0],
                                      .down = &m->down_sm[0]};

    if (c->memory != HD_MEMORY_FIXED)
        return true;
    m->fixed = m->sm[0].fixed = hd_fixed_new(&p);
    return m->fixed != NULL;
}

static bool make_xbars(struct hd_machine *m, const struct hd_model_paths *paths, const char *wave)
{
    const struct hd_config *c = &m->c;

    if (m->fixed != NULL)
        return true;

    m->up.in_link = m->up_sm;
    m->up.out_link = m->up_part;
    m->down.in_link = m->down_part;
    m->down.out_link = m->down_sm;
    return make_tile(m, &m->up.tile, HD_SLICE_XBAR, 0, paths->so[HD_MODEL_UP], wave, "up")
           && make_tile(m, &m->down.tile, HD_SLICE_XBAR, 1, paths->so[HD_MODEL_DOWN], wave, "down")
           && hd_xbar_open(&m->up, m->up.tile.model, c->sms, c->partitions, 2, c)
           && hd_xbar_open(&m->down, m->down.tile.model, c->partitions, c->sms, 1, c);
}

/* ---- tiles as jobs of the crew ---- */

static void run_sm(void *ctx, void *tile, uint64_t from, uint64_t to)
{
    const struct hd_machine *m = ctx;
    hd_sm_run(tile, from, to, m->client, m->c.skip_idle);
}

static void run_xbar(void *ctx, void *tile, uint64_t from, uint64_t to)
{
    const struct hd_machine *m = ctx;
    hd_xbar_run(tile, from, to, m->c.skip_idle);
}

static void run_l2(void *ctx, void *tile, uint64_t from, uint64_t to)
{
    const struct hd_machine *m = ctx;
    hd_l2_run(tile, from, to, m->c.skip_idle);
}

static struct hd_job job_of_xbar(struct hd_xbar *x, struct hd_link_end *ends)
{
    for (unsigned i = 0; i < x->ins; i++)
        ends[i] = (struct hd_link_end){&x->in_link[i], false};
    for (unsigned i = 0; i < x->outs; i++)
        ends[x->ins + i] = (struct hd_link_end){&x->out_link[i], true};
    return (struct hd_job){run_xbar, x, ends, x->ins + x->outs};
}

static void run_fixed(void *ctx, void *tile, uint64_t from, uint64_t to)
{
    (void)ctx;
    hd_fixed_run(tile, from, to);
}

static bool make_crew(struct hd_machine *m)
{
    struct hd_job jobs[HD_MAX_SMS + HD_MAX_PARTS + 2];
    size_t n = 0;

    if (m->flat != NULL)
        return true;
    for (unsigned i = 0; i < m->c.sms; i++) {
        m->sm_end[i][0] = (struct hd_link_end){&m->up_sm[i], true};
        m->sm_end[i][1] = (struct hd_link_end){&m->down_sm[i], false};
        jobs[n++] = (struct hd_job){run_sm, &m->sm[i], m->sm_end[i], 2};
    }
    if (m->fixed != NULL) {
        m->l2_end[0][0] = (struct hd_link_end){&m->up_sm[0], false};
        m->l2_end[0][1] = (struct hd_link_end){&m->down_sm[0], true};
        jobs[n++] = (struct hd_job){run_fixed, m->fixed, m->l2_end[0], 2};
        m->crew = hd_crew_new(m, jobs, n, 1, 0);
        return m->crew != NULL;
    }
    jobs[n++] = job_of_xbar(&m->up, m->up_end);
    for (unsigned i = 0; i < m->parts; i++) {
        m->l2_end[i][0] = (struct hd_link_end){&m->up_part[i], false};
        m->l2_end[i][1] = (struct hd_link_end){&m->down_part[i], true};
        jobs[n++] = (struct hd_job){run_l2, &m->l2[i], m->l2_end[i], 2};
    }
    jobs[n++] = job_of_xbar(&m->down, m->down_end);
    m->crew = hd_crew_new(m, jobs, n, m->c.threads, m->c.thread_seed);
    return m->crew != NULL;
}

/* Memory a window may need, so that the cycle loop never allocates. */
static bool reserve(struct hd_machine *m)
{
    for (unsigned i = 0; i < m->parts; i++) {
        if (!hd_dram_reserve(m->l2[i].dram, m->window / m->c.clk_ratio + 1)) {
            fprintf(stderr, "heddle: out of memory\n");
            return false;
        }
    }
    if (m->fixed != NULL && !hd_fixed_reserve(m->fixed, m->window)) {
        fprintf(stderr, "heddle: out of memory\n");
        return false;
    }
    return true;
}

static bool make_flat(struct hd_machine *m, const struct hd_model_paths *paths, const char *wave)
{
    struct hd_model *model = open_model(paths->so[HD_MODEL_GPU], wave, "gpu", -1);

    m->flat = model != NULL ? hd_flat_new(&m->c, model, wave != NULL) : NULL;
    return m->flat != NULL;
}

bool hd_machine_port_log(struct hd_machine *m, FILE *file)
{
    bool ok = true;

    m->port_log = file;
    for (unsigned i = 0; i < m->c.sms; i++)
        ok = ok && hd_port_log_init(&m->sm[i].tile.log, (size_t)HD_PORT_EVENTS_SM * m->window);
    for (unsigned i = 0; i < m->parts; i++)
        ok = ok && hd_port_log_init(&m->l2[i].tile.log, (size_t)HD_PORT_EVENTS_L2 * m->window);
    if (!ok)
        fprintf(stderr, "heddle: out of memory\n");
    return ok;
}

struct hd_machine *hd_machine_new_of(const struct hd_config *c, const char *wave, const struct hd_model_paths *paths)
{
    if (!config_fits(c))
        return NULL;
    struct hd_machine *m = aligned_alloc(HD_CACHE_LINE, sizeof *m);
    if (m == NULL) {
        fprintf(stderr, "heddle: out of memory\n");
        return NULL;
    }
    memset(m, 0, sizeof *m);
    m->c = *c;
    m->parts = c->memory == HD_MEMORY_CHIP ? c->partitions : 0;
    m->window = least(least(c->lat_sm_xbar, c->lat_xbar_l2), least(c->lat_l2_xbar, c->lat_xbar_sm));
    m->window = least(m->window, least(c->lat_credit, c->lat_dispatch));
    m->step = c->window != 0 ? least(c->window, m->window) : m->window;
    m->watchdog.limit = c->watchdog;
    if (c->l1 == HD_FAMILY_VI && c->ghost_bits != 0) {
        m->overwritten = hd_overwritten_new(c->sms, m->parts, c->mshr_stores, c->line_bytes, (32 + c->ghost_bits) / 32);
        if (m->overwritten == NULL) {
            fprintf(stderr, "heddle: out of memory\n");
            hd_machine_free(m);
            return NULL;
        }
    }
    if (!(c->flat ? make_flat(m, paths, wave) : make_links(m)) || !make_fixed(m)
        || !make_sms(m, paths->so[HD_MODEL_SM], wave)
        || !make_xbars(m, paths, wave) || !make_l2s(m, paths->so[HD_MODEL_L2], wave) || !make_crew(m) || !reserve(m)
        || (c->check_coherence && (m->coherence = hd_coherence_new(c->sms)) == NULL)) {
        hd_machine_free(m);
        return NULL;
    }
    m->asserts = hd_model_has_asserts(m->sm[0].tile.model);
    return m;
}

struct hd_machine *hd_machine_new(const struct hd_config *c, const char *wave)
{
    struct hd_model_paths *paths = calloc(1, sizeof *paths);
    struct hd_machine *m = NULL;

    if (paths == NULL)
        fprintf(stderr, "heddle: out of memory\n");
    else if (config_fits(c) && hd_models_get(c, wave != NULL, paths))
        m = hd_machine_new_of(c, wave, paths);
    free(paths);
    return m;
}

static void wave_window(struct hd_tile *t, uint64_t from, uint64_t to)
{
    t->wave_from = from;
    t->wave_to = to;
}

void hd_machine_wave_window(struct hd_machine *m, uint64_t from, uint64_t to)
{
    if (m->flat != NULL)
        hd_flat_wave_window(m->flat, from, to);
    for (unsigned i = 0; i < m->c.sms; i++)
        wave_window(&m->sm[i].tile, from, to);
    for (unsigned i = 0; i < m->parts; i++)
        wave_window(&m->l2[i].tile, from, to);
    wave_window(&m->up.tile, from, to);
    wave_window(&m->down.tile, from, to);
}

static void close_tile(struct hd_tile *t)
{
    hd_port_log_fini(&t->log);
    if (t->slice != NULL)
        return;
    if (t->wave && t->model != NULL)
        hd_model_trace_close(t->model);
    hd_model_close(t->model);
}

void hd_machine_free(struct hd_machine *m)
{
    if (m == NULL)
        return;
    hd_crew_free(m->crew);
    for (unsigned i = 0; i < m->c.sms; i++) {
        close_tile(&m->sm[i].tile);
        free(m->sm[i].states.event);
        free(m->sm[i].lane_addr);
        hd_link_fini(&m->up_sm[i]);
        hd_link_fini(&m->down_sm[i]);
    }
    for (unsigned i = 0; i < m->parts; i++) {
        close_tile(&m->l2[i].tile);
        hd_dram_free(m->l2[i].dram);
        hd_link_fini(&m->up_part[i]);
        hd_link_fini(&m->down_part[i]);
    }
    hd_fixed_free(m->fixed);
    close_tile(&m->up.tile);
    close_tile(&m->down.tile);
    hd_flat_free(m->flat);
    hd_coherence_free(m->coherence);
    hd_overwritten_free(m->overwritten);
    free(m);
}

/* ---- runs --------------------------------------------------------------------------------------------------- */

uint64_t hd_machine_cycle(const struct hd_machine *m)
{
    return m->now;
}

unsigned hd_machine_window(const struct hd_machine *m)
{
    return m->window;
}

static void run_flat(struct hd_machine *m, uint64_t to, const struct hd_client *client)
{
    for (; m->now < to; m->now++) {
        bool slow = m->now % m->c.clk_ratio == 0;
        for (unsigned i = 0; i < m->c.sms; i++)
            hd_sm_before(&m->sm[i], m->now, client);
        for (unsigned i = 0; slow && i < m->parts; i++) {
            hd_dram_advance(m->l2[i].dram, m->now);
            hd_l2_before(&m->l2[i], m->now);
        }
        hd_flat_edge(m->flat, m->now);
        for (unsigned i = 0; i < m->c.sms; i++)
            hd_sm_after(&m->sm[i], m->now, client);
        if (!slow)
            continue;
        hd_xbar_after(&m->up, m->now);
        hd_xbar_after(&m->down, m->now);
        for (unsigned i = 0; i < m->parts; i++)
            hd_l2_after(&m->l2[i], m->now);
    }
}

static void write_log(struct hd_machine *m)
{
    for (unsigned i = 0; i < m->c.sms; i++)
        hd_port_log_write(&m->sm[i].tile.log, m->port_log, "sm", i);
    for (unsigned i = 0; i < m->parts; i++)
        hd_port_log_write(&m->l2[i].tile.log, m->port_log, "l2", i);
}

static void run_window(struct hd_machine *m, const struct hd_client *client)
{
    uint64_t end = m->now + m->window;

    if (m->flat != NULL) {
        run_flat(m, end, client);
        return;
    }
    m->client = client;
    hd_crew_run(m->crew, m->now, end, m->step);
    m->now = end;
}

/* @return false when a check has failed that makes going on pointless. */
static bool checks_pass(struct hd_machine *m)
{
    bool fault = m->crew != NULL && hd_crew_fault(m->crew);
    uint64_t assertions = 0;

    if (m->fixed != NULL)
        fault |= hd_fixed_fault(m->fixed) != NULL;
    else if (m->asserts)
        assertions = hd_model_assert_failures(m->up.tile.model) + hd_model_assert_failures(m->down.tile.model);

    for (unsigned i = 0; i < m->c.sms; i++) {
        fault |= m->sm[i].fault != NULL;
        assertions += m->asserts ? hd_model_assert_failures(m->sm[i].tile.model) : 0;
    }
    for (unsigned i = 0; i < m->parts; i++) {
        fault |= m->l2[i].fault != NULL;
        assertions += m->asserts ? hd_model_assert_failures(m->l2[i].tile.model) : 0;
    }
    if (m->coherence != NULL) {
        struct hd_st_list lists[HD_MAX_SMS];
        for (unsigned i = 0; i < m->c.sms; i++)
            lists[i] = m->sm[i].states;
        fault |= !hd_coherence_window(m->coherence, lists);
        for (unsigned i = 0; i < m->c.sms; i++)
            m->sm[i].states.count = 0;
    }
    return !fault && assertions == 0;
}

static bool links_empty(const struct hd_link *links, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (!hd_link_empty(&links[i]))
            return false;
    return true;
}

bool hd_machine_busy(const struct hd_machine *m)
{
    bool busy = m->fixed != NULL ? !hd_fixed_idle(m->fixed) : !*m->up.tile.idle || !*m->down.tile.idle;

    for (unsigned i = 0; i < m->c.sms; i++)
        busy |= !*m->sm[i].tile.idle || hd_sm_outstanding(&m->sm[i]);
    for (unsigned i = 0; i < m->parts; i++)
        busy |= !*m->l2[i].tile.idle || !hd_dram_idle(m->l2[i].dram) || m->l2[i].flush_at != HD_NEVER;
    return busy || !links_empty(m->up_sm, m->c.sms) || !links_empty(m->down_sm, m->c.sms)
           || !links_empty(m->up_part, m->parts) || !links_empty(m->down_part, m->parts);
}

static bool is_dead(struct hd_machine *m, const struct hd_client *client)
{
    struct hd_watchdog *w = &m->watchdog;
    uint64_t wake = HD_NEVER;

    if (!hd_watchdog_suspects(w, m->now)) /* what has been seen is enough: tiles are not asked */
        return false;
    hd_watchdog_progress(w, m->up.tile.progress);
    hd_watchdog_progress(w, m->down.tile.progress);
    for (unsigned i = 0; i < m->c.sms; i++)
        hd_watchdog_progress(w, m->sm[i].tile.progress);
    for (unsigned i = 0; i < m->parts; i++)
        hd_watchdog_progress(w, m->l2[i].tile.progress);
    if (!hd_watchdog_suspects(w, m->now))
        return false;
    for (unsigned i = 0; i < m->c.sms; i++) {
        uint64_t next = client->wake(client->ctx, i, m->now);
        wake = next < wake ? next : wake;
    }
    if (!hd_watchdog_dead(w, m->now, hd_machine_busy(m), wake))
        return false;
    m->dead = true;
    snprintf(m->watchdog_why, sizeof m->watchdog_why,
             "deadlock: no progress from cycle %" PRIu64 " to cycle %" PRIu64, w->progress, m->now);
    return true;
}

enum hd_end hd_machine_run(struct hd_machine *m, const struct hd_client *client)
{
    hd_watchdog_progress(&m->watchdog, m->now); /* time between runs does not count */
    for (;;) {
        run_window(m, client);
        if (m->port_log != NULL)
            write_log(m);
        if (!reserve(m) || !checks_pass(m))
            return HD_END_CHECK;
        if (!client->window(client->ctx, m->now))
            return HD_END_CLIENT;
        uint64_t kernel = client->kernel != NULL ? client->kernel(client->ctx) : HD_NEVER;
        for (unsigned i = 0; kernel != HD_NEVER && i < m->parts; i++)
            m->l2[i].clear_at = kernel;
        if (is_dead(m, client))
            return HD_END_DEADLOCK;
    }
}

/* ---- runs of our own: settle and flush ------------------------------------------------------------------------ */

/* A client that offers one FLUSH to each SM, or nothing, and ends the run when the machine is quiet. */
struct own_client {
    struct hd_machine *m;
    bool to_flush[HD_MAX_SMS];
    struct hd_op flush;
};

static uint64_t own_wake(void *ctx, unsigned sm, uint64_t now)
{
    const struct own_client *own = ctx;
    return own->to_flush[sm] ? now : HD_NEVER;
}

static const struct hd_op *own_offer(void *ctx, unsigned sm, uint64_t cycle)
{
    struct own_client *own = ctx;

    (void)cycle;
    if (!own->to_flush[sm])
        return NULL;
    own->to_flush[sm] = false;
    return &own->flush;
}

static void own_taken(void *ctx, unsigned sm, uint64_t cycle, unsigned warp, unsigned slot)
{
    (void)ctx, (void)sm, (void)cycle, (void)warp, (void)slot;
}

static void own_complete(void *ctx, unsigned sm, uint64_t cycle, unsigned warp, unsigned slot, bool last,
                         hd_mask_t mask, const uint32_t *data, const uint32_t *ghost)
{
    (void)ctx, (void)sm, (void)cycle, (void)warp, (void)slot, (void)last, (void)mask, (void)data, (void)ghost;
}

static void own_ctl_done(void *ctx, unsigned sm, uint64_t cycle, uint64_t warps, uint32_t clock)
{
    (void)ctx, (void)sm, (void)cycle, (void)warps, (void)clock;
}

static void own_flush_done(void *ctx, unsigned sm, uint64_t cycle)
{
    (void)ctx, (void)sm, (void)cycle;
}

static bool own_window(void *ctx, uint64_t next)
{
    const struct own_client *own = ctx;

    (void)next;
    return hd_machine_busy(own->m);
}

static bool run_own(struct hd_machine *m, bool flush_sms)
{
    struct own_client own = {.m = m, .flush = {.kind = HD_OP_FLUSH}};
    const struct hd_client client = {.ctx = &own,
                                     .wake = own_wake,
                                     .offer = own_offer,
                                     .taken = own_taken,
                                     .complete = own_complete,
                                     .ctl_done = own_ctl_done,
                                     .flush_done = own_flush_done,
                                     .window = own_window};

    for (unsigned i = 0; i < m->c.sms; i++)
        own.to_flush[i] = flush_sms;
    return hd_machine_run(m, &client) == HD_END_CLIENT;
}

bool hd_machine_settle(struct hd_machine *m)
{
    return run_own(m, false);
}

bool hd_machine_flush(struct hd_machine *m)
{
    if (!run_own(m, false) || !run_own(m, true))
        return false;
    for (unsigned i = 0; i < m->parts; i++)
        m->l2[i].flush_at = m->now;
    return run_own(m, false);
}

/* ---- memory image --------------------------------------------------------------------------------------------- */

/* Not with an ideal memory. */
static struct hd_dram *channel(const struct hd_machine *m, uint32_t addr)
{
    return m->l2[addr / m->c.line_bytes & (m->c.partitions - 1)].dram;
}

uint32_t hd_machine_peek(const struct hd_machine *m, uint32_t addr)
{
    return m->fixed != NULL ? hd_fixed_peek(m->fixed, addr) : hd_dram_peek(channel(m, addr), addr);
}

void hd_machine_poke(struct hd_machine *m, uint32_t addr, uint32_t value)
{
    if (!(m->fixed != NULL ? hd_fixed_poke(m->fixed, addr, value) : hd_dram_poke(channel(m, addr), addr, value))) {
        fprintf(stderr, "heddle: out of memory at address 0x%08" PRIx32 "\n", addr);
        abort();
    }
}

/* ---- verdicts ------------------------------------------------------------------------------------------------- */

/* @return false when nothing can be said: no rule is broken, and the machine was left at work. */
static bool check_conservation(struct hd_machine *m)
{
    struct hd_conserve_sm sm[HD_MAX_SMS];
    struct hd_conserve_l2 l2[HD_MAX_PARTS];
    struct hd_conserve all = {.sms = m->c.sms,
                              .parts = m->parts,
                              .sm = sm,
                              .l2 = l2,
                              .up_sm = m->up_sm,
                              .up_part = m->up_part,
                              .down_part = m->down_part,
                              .down_sm = m->down_sm,
                              .memory_fault = m->fixed != NULL ? hd_fixed_fault(m->fixed) : NULL,
                              .up_idle = m->fixed != NULL || *m->up.tile.idle,
                              .down_idle = m->fixed != NULL || *m->down.tile.idle};

    for (unsigned i = 0; i < m->c.sms; i++) {
        const struct hd_sm *s = &m->sm[i];
        sm[i] = (struct hd_conserve_sm){.events = s->tile.events,
                                        .offered = s->offered,
                                        .taken = s->ops_taken,
                                        .memory = s->memory,
                                        .completed = s->completed,
                                        .control = s->control,
                                        .done = s->done,
                                        .fault = s->fault,
                                        .idle = *s->tile.idle,
                                        .mshr_busy = hd_sm_mshr_busy(s),
                                        .pending = (hd_sm_loads_pending(s) | hd_sm_stores_pending(s)) != 0,
                                        .credits_home = hd_sm_credits_home(s),
                                        .stalls = m->c.stall_causes ? s->stalls : NULL,
                                        .warp_cycles = s->warp_cycles};
    }
    for (unsigned i = 0; i < m->parts; i++) {
        const struct hd_l2 *l = &m->l2[i];
        l2[i] = (struct hd_conserve_l2){.events = l->tile.events,
                                        .mem_reads = l->mem_reads,
                                        .mem_writes = l->mem_writes,
                                        .mem_answers = l->mem_answers,
                                        .fault = l->fault,
                                        .idle = *l->tile.idle,
                                        .memory_idle = hd_dram_idle(l->dram)};
    }
    if (hd_machine_busy(m) && !m->dead)
        return !hd_conserve_rules(&all, m->conservation, sizeof m->conservation);
    if (hd_conserve_drained(&all, m->conservation, sizeof m->conservation))
        snprintf(m->conservation, sizeof m->conservation, "pass");
    return true;
}

/* @return false when some model has no assertions. */
static bool check_assertions(struct hd_machine *m)
{
    snprintf(m->assertions, sizeof m->assertions, "pass");
    for (unsigned i = 0; i < m->c.sms + m->parts + (m->fixed != NULL ? 0 : 2); i++) {
        const struct hd_tile *t = i < m->c.sms                     ? &m->sm[i].tile
                                  : i < m->c.sms + m->parts ? &m->l2[i - m->c.sms].tile
                                  : i == m->c.sms + m->parts ? &m->up.tile
                                                                    : &m->down.tile;
        if (!hd_model_has_asserts(t->model))
            return false;
        if (hd_model_assert_failures(t->model) != 0)
            snprintf(m->assertions, sizeof m->assertions, "%" PRIu64 " assertions failed in a tile, see stderr",
                     hd_model_assert_failures(t->model));
    }
    return true;
}

void hd_machine_verdicts(struct hd_machine *m, struct hd_verdicts *v)
{
    *v = (struct hd_verdicts){.watchdog = m->dead ? m->watchdog_why : "pass"};
    if (m->c.check_conservation && m->flat == NULL && check_conservation(m))
        v->conservation = m->conservation;
    if (m->coherence != NULL) {
        const char *violation = hd_coherence_violation(m->coherence);
        v->coherence = violation != NULL ? violation : "pass";
    }
    if (check_assertions(m))
        v->assertions = m->assertions;
}
