/* machine.c - see machine.h: windows, runs, verdicts of what a builder composed. */
#include "machine.h"
#include "machine_parts.h"
#include "mem/two.h"
#include "wire/wire.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every tile, every link, in order. */
#define EACH_TILE(m, t)                                                                                     \
    for (struct hd_tile *const *t##_at = (m)->graph.tile, *t;                                               \
         t##_at < (m)->graph.tile + (m)->graph.tiles && (t = *t##_at, true); t##_at++)
#define EACH_LINK(m, l) \
    for (const struct hd_graph_link *l = (m)->graph.link; l < (m)->graph.link + (m)->graph.links; l++)

/* ---- composition ---------------------------------------------------------------------------------------- */

static bool no_memory(void)
{
    fprintf(stderr, "heddle: out of memory\n");
    return false;
}

/* The tiles as jobs of the crew. Slices are run by the tile that is the chip. */
static void run_tile(void *ctx, void *tile, uint64_t from, uint64_t to)
{
    const struct hd_machine *m = ctx;
    struct hd_tile *t = tile;

    t->kind->run(t, from, to, m->client, m->c.skip_idle);
}

/* What a warp port that another rank runs has told. */
static void run_echo(void *ctx, void *tile, uint64_t from, uint64_t to)
{
    const struct hd_machine *m = ctx;

    hd_ranks_replay(m->ranks, m->client, ((struct hd_tile *)tile)->number, from, to);
}

static bool make_echo(struct hd_machine *m)
{
    m->echoes = calloc(m->graph.ports, sizeof *m->echoes);
    if (m->echoes == NULL)
        return no_memory();
    for (unsigned i = 0; i < m->graph.ports; i++)
        m->echoes[i] = (struct hd_job){.run = run_echo, .tile = m->graph.tile[i]};
    m->echo = hd_crew_new(m, m->echoes, m->graph.ports, m->c.threads, m->c.thread_seed);
    return m->echo != NULL;
}

static bool make_crew(struct hd_machine *m)
{
    size_t n = 0;

    m->jobs = calloc(m->graph.tiles, sizeof *m->jobs);
    if (m->jobs == NULL)
        return no_memory();
    EACH_TILE(m, t) {
        if (t->slice != NULL || (m->ranks != NULL && !hd_ranks_mine(m->ranks, (size_t)(t_at - m->graph.tile))))
            continue;
        struct hd_job *j = &m->jobs[n++];
        *j = (struct hd_job){.run = run_tile, .tile = t};
        if ((j->ends = hd_graph_ends(&m->graph, t, &j->n)) == NULL)
            return no_memory();
    }
    if (n > 0)
        m->crew = hd_crew_new(m, m->jobs, n, m->c.threads, m->c.thread_seed);
    return n == 0 || m->crew != NULL;
}

/* What the coherence check sees: the lists of the tiles that report states. */
static bool make_views(struct hd_machine *m)
{
    unsigned n = 0;

    m->to_flush = calloc(m->graph.ports, sizeof *m->to_flush);
    m->view = calloc(m->graph.tiles, sizeof(struct hd_st_list *));
    m->of_kind = calloc(m->graph.tiles, sizeof(struct hd_tile *));
    if (m->to_flush == NULL || m->view == NULL || m->of_kind == NULL)
        return no_memory();
    EACH_TILE(m, t)
        if (t->kind->states != NULL)
            m->view[n++] = t->kind->states(t);
    return !m->c.check_coherence || (m->coherence = hd_coherence_new(n)) != NULL;
}

/* Memory a window may need, so that the cycle loop never allocates. */
static bool reserve(struct hd_machine *m)
{
    EACH_TILE(m, t)
        if (t->kind->reserve != NULL && !t->kind->reserve(t, m->graph.window))
            return no_memory();
    return true;
}

bool hd_machine_port_log(struct hd_machine *m, FILE *file)
{
    m->port_log = file;
    EACH_TILE(m, t)
        if (t->kind->log_name != NULL
            && !hd_port_log_init(&t->log, (size_t)t->kind->log_events * m->graph.window))
            return no_memory();
    return true;
}

struct hd_machine *hd_machine_new_of(const struct hd_config *c, const char *wave, const struct hd_model_paths *paths)
{
    if (!hd_build_fits(c))
        return NULL;
    struct hd_machine *m = calloc(1, sizeof *m);
    if (m == NULL) {
        no_memory();
        return NULL;
    }
    m->c = *c;
    m->watchdog.limit = c->watchdog + hd_config_walk(c);
    if (c->ranks != NULL && (hd_wire_ranks() > 1 || c->ranks->checkpoint != NULL)
        && (m->cut = hd_cut_new(&m->c, paths, c->ranks->cut)) == NULL) {
        hd_machine_free(m);
        return NULL;
    }
    if (!hd_build(&m->graph, c, wave, paths, m->cut)
        || (m->cut != NULL && ((m->ranks = hd_ranks_new(&m->graph, &m->c, m->cut)) == NULL || !make_echo(m))) || !make_crew(m) || !reserve(m) || !make_views(m)) {
        hd_machine_free(m);
        return NULL;
    }
    m->step = c->window != 0 && c->window < m->graph.window ? c->window : m->graph.window;
    EACH_TILE(m, t)
        m->asserts |= t->model != NULL && hd_model_has_asserts(t->model);
    return m;
}

struct hd_machine *hd_machine_new(const struct hd_config *c, const char *wave)
{
    struct hd_model_paths *paths = calloc(1, sizeof *paths);
    struct hd_machine *m = NULL;

    if (paths == NULL)
        no_memory();
    else if (hd_build_fits(c) && hd_models_get(c, wave != NULL, paths))
        m = hd_machine_new_of(c, wave, paths);
    free(paths);
    return m;
}

void hd_machine_waves(const struct hd_machine *m, FILE *out)
{
    for (unsigned i = 0; i < m->graph.waves; i++)
        fprintf(out, "%s\n", m->graph.wave[i]);
}

char **hd_machine_wave_files(const struct hd_machine *m, unsigned *n)
{
    size_t size = 0;

    *n = m->graph.waves;
    for (unsigned i = 0; i < *n; i++)
        size += strlen(m->graph.wave[i]) + 1;
    char **file = size > 0 ? malloc(*n * sizeof *file + size) : NULL, *at = (char *)(file + *n);
    for (unsigned i = 0; file != NULL && i < *n; i++) {
        file[i] = strcpy(at, m->graph.wave[i]);
        at += strlen(at) + 1;
    }
    return file;
}

void hd_machine_wave_window(struct hd_machine *m, uint64_t from, uint64_t to)
{
    EACH_TILE(m, t) {
        t->wave_from = from;
        t->wave_to = to;
        if (t->kind->wave_window != NULL)
            t->kind->wave_window(t, from, to);
    }
}

void hd_machine_free(struct hd_machine *m)
{
    if (m == NULL)
        return;
    hd_crew_free(m->crew);
    hd_crew_free(m->echo);
    free(m->echoes);
    for (unsigned i = 0; m->jobs != NULL && i < m->graph.tiles; i++)
        free((void *)(uintptr_t)m->jobs[i].ends); /* const for the crew */
    free(m->jobs);
    hd_ranks_free(m->ranks);
    hd_cut_free(m->cut);
    hd_graph_fini(&m->graph);
    hd_coherence_free(m->coherence);
    hd_counters_free(&m->counters);
    hd_counters_free(&m->host);
    free(m->view);
    free(m->of_kind);
    free(m->to_flush);
    free(m);
}

/* ---- runs --------------------------------------------------------------------------------------------------- */

uint64_t hd_machine_cycle(const struct hd_machine *m)
{
    return m->now;
}

struct hd_evlist *hd_machine_performed(struct hd_machine *m, unsigned home)
{
    struct hd_tile *t = home < m->graph.homes ? m->graph.home[home] : NULL;

    return t != NULL && t->kind->performed != NULL ? t->kind->performed(t) : NULL;
}

unsigned hd_machine_window(const struct hd_machine *m)
{
    return m->graph.window;
}

static void write_log(struct hd_machine *m)
{
    EACH_TILE(m, t)
        hd_port_log_write(&t->log, m->port_log, t->kind->log_name, t->number);
}

/* Of this rank's tiles, after a window. */
static struct hd_ranks_news own_news(struct hd_machine *m)
{
    struct hd_ranks_news n = {.from = m->now, .fault = m->crew != NULL && hd_crew_fault(m->crew)};

    EACH_TILE(m, t) {
        if (!hd_ranks_mine(m->ranks, (size_t)(t_at - m->graph.tile)))
            continue;
        n.progress = t->progress > n.progress ? t->progress : n.progress;
        n.fault |= t->fault != NULL || (m->asserts && t->model != NULL && hd_model_assert_failures(t->model) != 0);
        n.busy |= t->kind->busy != NULL && t->kind->busy(t);
    }
    EACH_LINK(m, l)
        n.busy |= l->from_rank == hd_wire_rank() && !hd_link_home(&l->link);
    n.stop = m->c.ranks->stop != NULL && *m->c.ranks->stop;
    return n;
}

/* This rank's tiles, then what the others' have done. */
static void run_with_others(struct hd_machine *m, uint64_t end)
{
    const struct hd_client *client = m->client;

    hd_ranks_spent(m->ranks, HD_RANKS_CONTROL);
    if (hd_ranks_live(m->ranks) && m->crew != NULL) {
        m->client = hd_ranks_client(m->ranks, client);
        hd_crew_run(m->crew, m->now, end, m->step);
        m->client = client;
    }
    const uint64_t tiles = hd_ranks_spent(m->ranks, HD_RANKS_TILES);
    struct hd_ranks_news n = own_news(m);
    n.tiles_ns = tiles < UINT32_MAX ? (uint32_t)tiles : UINT32_MAX;
    m->broken = !hd_ranks_post(m->ranks, &n);
    hd_ranks_spent(m->ranks, HD_RANKS_POST);
    m->broken = m->broken || !hd_ranks_wait(m->ranks);
    hd_ranks_spent(m->ranks, HD_RANKS_WAIT);
    if (m->broken)
        return;
    hd_crew_run(m->echo, m->now, end, end - m->now);
    hd_ranks_spent(m->ranks, HD_RANKS_ECHO);
    m->broken = !hd_ranks_keep(m->ranks, end);
}

bool hd_machine_stopped(const struct hd_machine *m)
{
    if (m->ranks != NULL)
        return hd_ranks_last(m->ranks)->stop;
    return m->c.ranks != NULL && m->c.ranks->stop != NULL && *m->c.ranks->stop;
}

bool hd_machine_broken(const struct hd_machine *m)
{
    return m->broken;
}

void hd_machine_done(struct hd_machine *m)
{
    if (m->ranks != NULL)
        hd_ranks_done(m->ranks);
}

static void gather(struct hd_machine *m, enum hd_image_depth depth)
{
    if (m->ranks != NULL && !m->broken)
        m->broken = !hd_ranks_gather(m->ranks, depth);
}

static void run_window(struct hd_machine *m, const struct hd_client *client)
{
    uint64_t end = m->now + m->graph.window;

    m->client = client;
    if (m->ranks != NULL)
        run_with_others(m, end);
    else
        hd_crew_run(m->crew, m->now, end, m->step);
    m->now = end;
}

/* @return false when a check has failed that makes going on pointless. */
static bool checks_pass(struct hd_machine *m)
{
    bool fault = m->ranks != NULL ? hd_ranks_last(m->ranks)->fault : hd_crew_fault(m->crew);
    uint64_t assertions = 0;

    if (m->ranks == NULL) EACH_TILE(m, t) {
        fault |= t->fault != NULL;
        assertions += m->asserts && t->model != NULL ? hd_model_assert_failures(t->model) : 0;
    }
    if (m->coherence != NULL)
        fault |= !hd_coherence_window(m->coherence, m->view);
    return !fault && assertions == 0;
}

bool hd_machine_busy(const struct hd_machine *m)
{
    if (m->ranks != NULL)
        return hd_ranks_last(m->ranks)->busy;
    EACH_TILE(m, t)
        if (t->kind->busy != NULL && t->kind->busy(t))
            return true;
    EACH_LINK(m, l)
        if (!hd_link_empty(&l->link))
            return true;
    return false;
}

static bool is_dead(struct hd_machine *m, const struct hd_client *client)
{
    struct hd_watchdog *w = &m->watchdog;
    uint64_t wake = HD_NEVER;

    if (!hd_watchdog_suspects(w, m->now)) /* what has been seen is enough: tiles are not asked */
        return false;
    if (m->ranks != NULL)
        hd_watchdog_progress(w, hd_ranks_last(m->ranks)->progress);
    else
        EACH_TILE(m, t)
            hd_watchdog_progress(w, t->progress);
    if (!hd_watchdog_suspects(w, m->now))
        return false;
    EACH_TILE(m, t) {
        uint64_t next = t->kind->wake != NULL ? t->kind->wake(t, client, m->now) : HD_NEVER;
        wake = next < wake ? next : wake;
    }
    if (!hd_watchdog_dead(w, m->now, hd_machine_busy(m), wake))
        return false;
    m->dead = true;
    snprintf(m->watchdog_why, sizeof m->watchdog_why,
             "deadlock: no progress from cycle %" PRIu64 " to cycle %" PRIu64, w->progress, m->now);
    return true;
}

static enum hd_end run_windows(struct hd_machine *m, const struct hd_client *client)
{
    hd_watchdog_progress(&m->watchdog, m->now); /* time between runs does not count */
    for (;;) {
        run_window(m, client);
        if (m->broken)
            return HD_END_CHECK;
        if (m->port_log != NULL)
            write_log(m);
        if (!reserve(m) || !checks_pass(m))
            return HD_END_CHECK;
        if (!client->window(client->ctx, m->now))
            return HD_END_CLIENT;
        uint64_t kernel = client->kernel != NULL ? client->kernel(client->ctx) : HD_NEVER;
        if (kernel != HD_NEVER)
            EACH_TILE(m, t)
                if (t->kind->kernel != NULL)
                    t->kind->kernel(t, kernel);
        if (is_dead(m, client))
            return HD_END_DEADLOCK;
    }
}

enum hd_end hd_machine_run(struct hd_machine *m, const struct hd_client *client)
{
    enum hd_end end = run_windows(m, client);

    gather(m, end == HD_END_CLIENT ? HD_IMAGE_COUNTS : HD_IMAGE_SEEN);
    return m->broken ? HD_END_CHECK : end;
}

/* ---- runs of our own: settle and flush ------------------------------------------------------------------------ */

/* A client that offers one FLUSH to each warp port, or nothing, and ends the run when the machine is quiet. */
struct own_client {
    struct hd_machine *m;
    bool *to_flush;             /* by port */
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

static bool run_own(struct hd_machine *m, bool flush)
{
    struct own_client own = {.m = m, .to_flush = m->to_flush, .flush = {.kind = HD_OP_FLUSH}};
    const struct hd_client client = {.ctx = &own,
                                     .wake = own_wake,
                                     .offer = own_offer,
                                     .taken = own_taken,
                                     .complete = own_complete,
                                     .ctl_done = own_ctl_done,
                                     .flush_done = own_flush_done,
                                     .window = own_window};

    for (unsigned i = 0; i < m->graph.ports; i++)
        own.to_flush[i] = flush;
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
    EACH_TILE(m, t)
        if (t->kind->flush != NULL)
            t->kind->flush(t, m->now);
    bool flushed = run_own(m, false);
    gather(m, HD_IMAGE_SEEN);
    return flushed && !m->broken;
}

/* ---- memory image --------------------------------------------------------------------------------------------- */

static struct hd_tile *home_of(const struct hd_machine *m, uint32_t addr)
{
    return m->graph.home[addr / m->graph.line_bytes & (m->graph.homes - 1)];
}

uint32_t hd_machine_peek(const struct hd_machine *m, uint32_t addr)
{
    const struct hd_tile *t = home_of(m, addr);

    return t->kind->peek(t, addr);
}

void hd_machine_poke(struct hd_machine *m, uint32_t addr, uint32_t value)
{
    struct hd_tile *t = home_of(m, addr);

    if (!t->kind->poke(t, addr, value)) {
        fprintf(stderr, "heddle: out of memory at address 0x%08" PRIx32 "\n", addr);
        abort();
    }
}

struct hd_nvram *hd_machine_nvram(const struct hd_machine *m, unsigned partition)
{
    const struct hd_graph *g = &m->graph;

    return g->memory == &hd_two_memory && partition < g->channels ? hd_two_nvram(g->channel[partition]) : NULL;
}

/* ---- verdicts ------------------------------------------------------------------------------------------------- */

static void links_judged(struct hd_machine *m, struct hd_verdict *v,
                         void (*judge)(struct hd_verdict *v, const char *link, const struct hd_link *l))
{
    char name[80];

    EACH_LINK(m, l) {
        hd_graph_link_name(&m->graph, l, name);
        judge(v, name, &l->link);
    }
}

/* @return false when nothing can be said: no rule is broken, and the machine was left at work. */
static bool check_conservation(struct hd_machine *m)
{
    struct hd_verdict v = {.why = m->conservation, .size = sizeof m->conservation};

    links_judged(m, &v, hd_conserve_link);
    EACH_TILE(m, t)
        hd_conserve_port(&v, t->name, t->kind->port, t->fault);
    if (hd_machine_busy(m) && !m->dead)
        return v.failed;
    EACH_TILE(m, t)
        if (t->kind->drained != NULL)
            t->kind->drained(t, &v);
    links_judged(m, &v, hd_conserve_empty);
    for (unsigned p = 0; p < m->graph.channels; p++) {
        const struct hd_nvram *nvram = hd_machine_nvram(m, p);
        uint32_t addr;
        if (nvram != NULL && !hd_nvram_agrees(nvram, &addr))
            hd_conserve_journal(&v, p, addr);
    }
    if (!v.failed)
        snprintf(m->conservation, sizeof m->conservation, "pass");
    return true;
}

/* @return false when some model has no assertions. */
static bool check_assertions(struct hd_machine *m)
{
    snprintf(m->assertions, sizeof m->assertions, "pass");
    EACH_TILE(m, t) {
        if (t->model == NULL)
            continue;
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
    if (m->c.check_conservation && m->graph.links > 0 && check_conservation(m))
        v->conservation = m->conservation;
    if (m->coherence != NULL) {
        const char *violation = hd_coherence_violation(m->coherence);
        v->coherence = violation != NULL ? violation : "pass";
    }
    if (check_assertions(m))
        v->assertions = m->assertions;
}

/* ---- counters ------------------------------------------------------------------------------------------------- */

/* Flits by class, of @group or, when that is behind the last, of all links. */
static void put_classes(struct hd_machine *m, unsigned group, const char *const *names, struct hd_counters *out)
{
    for (unsigned class = 0; names != NULL && class < HD_CLASS_BAD; class++) {
        uint64_t sum = 0;
        EACH_LINK(m, l)
            if (group == m->graph.groups || l->group == group)
                sum += l->link.crossed[class];
        if (sum > 0 || (class != HD_CLASS_REGISTRATION && class != HD_CLASS_PERSIST)) /* no family of today has these */
            hd_counters_put(out, names[class], sum);
    }
}

static void put_links(struct hd_machine *m, struct hd_counters *out)
{
#define NAME(name, text) "link.flits." text,
    static const char *const class_names[HD_CLASSES] = {HD_CLASS_LIST(NAME)};
#undef NAME

    put_classes(m, m->graph.groups, class_names, out);
    for (unsigned group = 0; group < m->graph.groups; group++) {
        uint64_t sum = 0;
        EACH_LINK(m, l)
            for (unsigned class = 0; l->group == group && class < HD_CLASSES; class++)
                sum += l->link.crossed[class];
        hd_counters_put(out, m->graph.group[group].counter, sum);
        put_classes(m, group, m->graph.group[group].classes, out);
    }
}

size_t hd_machine_counters(struct hd_machine *m, const struct hd_counter **list)
{
    const struct hd_graph *g = &m->graph;
    struct hd_counters *out = &m->counters;

    gather(m, HD_IMAGE_COUNTS);
    out->count = 0;
    for (unsigned k = 0; k < g->kinds; k++)
        g->kind[k]->counters(m->of_kind, hd_graph_of_kind(g, g->kind[k], m->of_kind), out);
    g->memory->counters(g->channel, g->channels, g->line_bytes, out);
    if (g->links > 0)
        put_links(m, out);
    *list = out->list;
    return out->count;
}

bool hd_machine_link(const struct hd_machine *m, size_t i, char name[80], uint64_t *flits, unsigned *cycles)
{
    if (i >= m->graph.links)
        return false;
    const struct hd_graph_link *l = &m->graph.link[i];

    hd_graph_link_name(&m->graph, l, name);
    *cycles = l->link.clk_ratio;
    *flits = 0;
    for (unsigned class = 0; class < HD_CLASSES; class++)
        *flits += l->link.crossed[class];
    return true;
}

size_t hd_machine_host_counters(struct hd_machine *m, const struct hd_counter **list)
{
    const struct hd_graph *g = &m->graph;

    m->host.count = 0;
    for (unsigned k = 0; k < g->kinds; k++) {
        unsigned n = hd_graph_of_kind(g, g->kind[k], m->of_kind);
        uint64_t made = 0, all = 0;
        for (unsigned i = 0; i < n; i++) {
            made += m->of_kind[i]->evaluated;
            all += (m->now + m->of_kind[i]->clk_ratio - 1) / m->of_kind[i]->clk_ratio;
        }
        hd_counters_put(&m->host, g->kind[k]->host_evaluated, made);
        hd_counters_put(&m->host, g->kind[k]->host_skipped, all - made);
    }
    if (m->ranks != NULL && !m->broken)
        m->broken = !hd_ranks_counters(m->ranks, &m->host);
    *list = m->host.list;
    return m->host.count;
}

/* ---- explanation ---------------------------------------------------------------------------------------------- */

static void explain_link(FILE *file, const char *name, const struct hd_link *l)
{
    if (hd_link_fault(l) != NULL)
        fprintf(file, "%s: rule broken: %s\n", name, hd_link_fault(l));
    if (hd_link_empty(l))
        return;
    fprintf(file, "%s: %u flits and %u credit pulses under way\n", name, (unsigned)(l->flits_sent - l->flits_got),
            (unsigned)(l->credits_sent - l->credits_got));
    for (unsigned vn = 0; vn < l->num_vn; vn++) {
        if (l->held[vn] == 0 && l->kind[vn] == HD_MSG_NONE)
            continue;
        fprintf(file, "  network %u: %u of %u credits away", vn, (unsigned)l->held[vn], l->depth);
        if (l->kind[vn] != HD_MSG_NONE)
            fprintf(file, "; %u flits of a %s packet not sent yet", l->left[vn], hd_msg_name(l->kind[vn]));
        fputc('\n', file);
    }
}

void hd_machine_jitter_one_in(struct hd_machine *m, unsigned one_in)
{
    for (unsigned i = 0; i < m->graph.links; i++)
        m->graph.link[i].link.jitter_one_in = one_in;
}

unsigned hd_machine_links(const struct hd_machine *m)
{
    return m->graph.links;
}

void hd_machine_slow_link(struct hd_machine *m, unsigned link, unsigned cycles)
{
    struct hd_link *l = &m->graph.link[link].link;
    l->late = cycles * l->clk_ratio;
}

void hd_machine_slow_partition(struct hd_machine *m, unsigned partition, unsigned cycles)
{
    for (unsigned i = 0; i < m->graph.links; i++) {
        const struct hd_graph_link *l = &m->graph.link[i];
        if (partition < m->graph.homes && (l->from == m->graph.home[partition] || l->to == m->graph.home[partition]))
            hd_machine_slow_link(m, i, cycles);
    }
}

void hd_machine_explain(struct hd_machine *m, FILE *file)
{
    char name[80];

    fprintf(file, "cycle %" PRIu64 ", last progress in cycle %" PRIu64 "\n", m->now, m->watchdog.progress);
    EACH_TILE(m, t)
        if (t->kind->explain != NULL)
            t->kind->explain(t, file);
    EACH_LINK(m, l) {
        hd_graph_link_name(&m->graph, l, name);
        explain_link(file, name, &l->link);
    }
}
