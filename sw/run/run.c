/* run.c - see run.h. */
#define _POSIX_C_SOURCE 200809L
#include "run.h"
#include "judge/persists.h"
#include "report/files.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GOLDEN, PORT, CONSERVATION, COHERENCE, WATCHDOG, ASSERTIONS, MEMORY_MODEL, PERSIST };
enum { PROGRESS_SECONDS = 5, PROGRESS_POLL = 1024 };

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Says how far a long run is, and has it judged. */
struct progress {
    const struct hd_result *result;
    struct hd_simt *simt;
    struct hd_judge *judge;
    struct hd_tapper *tapper;
    struct hd_profile *profile;
    struct hd_timeline *timeline;
    struct hd_latency *latency;
    const char *label;
    const volatile sig_atomic_t *stop;
    double started, next;
    unsigned polls;
};

static void on_window(void *ctx, uint64_t cycle)
{
    struct progress *p = ctx;
    enum hd_section before = p->profile ? hd_profile_enter(p->profile, HD_SECTION_CHECKS) : HD_SECTION_REST;
    if (p->judge && !hd_judge_window(p->judge))
        hd_simt_stop(p->simt);
    if (p->tapper && !hd_tapper_window(p->tapper))
        hd_simt_stop(p->simt);
    if (p->stop && hd_result_stopped(p->result))
        hd_simt_stop(p->simt);
    if (p->timeline && hd_timeline_window(p->timeline, cycle) && p->latency)
        hd_latency_reset(p->latency);
    if (p->profile)
        hd_profile_enter(p->profile, before);
    if (!p->label || p->polls++ % PROGRESS_POLL != 0)
        return;
    double t = now(CLOCK_MONOTONIC);
    if (t < p->next)
        return;
    uint64_t ended, all;
    hd_simt_progress(p->simt, &ended, &all);
    fprintf(stderr, "%s: %llu of %llu blocks done at cycle %llu, %.0f s", p->label, (unsigned long long)ended,
            (unsigned long long)all, (unsigned long long)cycle, t - p->started);
    if (ended > 0)
        fprintf(stderr, ", about %.0f s left", (t - p->started) * (double)(all - ended) / (double)ended);
    fputc('\n', stderr);
    p->next = t + PROGRESS_SECONDS;
}

static enum hd_end simulate(struct hd_result *r)
{
    struct hd_client warps, client, outer;
    struct hd_profile *profile = r->options->config->profile;
    hd_simt_start(r->simt, hd_machine_cycle(r->machine), &warps);
    double t = now(CLOCK_MONOTONIC);
    struct progress p = {.result = r, .simt = r->simt, .judge = r->judge, .tapper = r->tapper, .profile = profile,
                         .timeline = r->timeline, .latency = r->latency, .label = r->options->label, .stop = r->options->stop,
                         .started = t, .next = t + PROGRESS_SECONDS};
    if (p.label || p.stop || p.judge || p.tapper || p.timeline)
        hd_simt_watch(r->simt, on_window, &p);
    client = warps;
    if (r->latency)
        hd_latency_client(r->latency, &warps, &client);
    if (profile) {
        *profile = (struct hd_profile){0};
        hd_profile_client(profile, &client, &outer);
        hd_profile_enter(profile, HD_SECTION_REST);
    }
    double cpu = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
    enum hd_end end = hd_machine_run(r->machine, profile ? &outer : &client);
    r->cpu_seconds = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    r->wall_seconds = now(CLOCK_MONOTONIC) - wall;
    if (profile) {
        hd_profile_enter(profile, HD_SECTION_REST);
        memcpy(r->ticks, profile->ticks, sizeof r->ticks);
    }
    r->cycles = hd_simt_cycles(r->simt);
    r->instructions = hd_simt_instructions(r->simt);
    return end;
}

static bool keep_counters(struct hd_result *r)
{
    const struct hd_counter *list, *host, *tm;
    size_t n = hd_machine_counters(r->machine, &list), h = hd_machine_host_counters(r->machine, &host);
    size_t t = hd_simt_counters(r->simt, &tm);
    r->counter = calloc(n + t + h + 1, sizeof *r->counter);
    if (!r->counter)
        return false;
    memcpy(r->counter, list, n * sizeof *list);
    if (t)
        memcpy(r->counter + n, tm, t * sizeof *tm);
    n += t;
    if (h)
        memcpy(r->counter + n, host, h * sizeof *host);
    r->counters = n;
    r->host_counter = r->counter + n;
    r->host_counters = h;
    return true;
}

/* Does the memory-model checker look on? */
static bool judged(const struct hd_config *c)
{
    return c->ghost_bits != 0 && c->check_memory_model;
}

/* @machine: what the machine says, NULL if it did not run the check. */
static void judge(struct hd_result *r, int check, bool on, const char *machine)
{
    r->check[check].verdict = !on ? "off" : machine ? machine : "not run";
}

/* Runtime and workload. @return false after a message. */
static bool prepare(struct hd_result *r)
{
    const struct hd_run_options *o = r->options;
    if (o->log && o->config->ghost_bits == 0) {
        fprintf(stderr, "heddle: --log needs words that know their store: --set ghost_bits=32\n");
        return false;
    }
    if (o->trace && !(r->replay = hd_replay_open(o->trace, o->config, &r->diag)))
        return false;
    r->simt = hd_simt_new(o->config);
    r->work = hd_work_new(r->replay ? hd_replay_workload(r->replay) : o->workload, o->config, o->seed);
    if (!r->simt || !r->work) {
        fprintf(stderr, "heddle: no memory\n");
        return false;
    }
    for (size_t i = 0; i < o->num_params; i++) {
        int taken = r->replay ? hd_replay_set(r->replay, o->params[i], &r->diag) : 0;
        if (taken < 0 || (taken == 0 && hd_work_set(r->work, o->params[i]) != 0))
            return false;
    }
    if (r->replay && !hd_replay_choose(r->replay, &r->diag))
        return false;
    return hd_work_prepare(r->work, r->simt) == 0;
}

/* Has the run recorded. @return false after a message. */
static bool record(struct hd_result *r)
{
    const struct hd_run_options *o = r->options;
    char origin[512];
    int n = snprintf(origin, sizeof origin, "%.80s seed=%llu", hd_result_name(r), (unsigned long long)o->seed);
    for (size_t i = 0; i < o->num_params && n > 0 && (size_t)n < sizeof origin; i++)
        n += snprintf(origin + n, sizeof origin - (size_t)n, " %s", o->params[i]);
    r->tapper = hd_tapper_new(o->record, o->config, r->simt, r->work, origin, &r->diag);
    return r->tapper != NULL;
}

/* The machine with the workload's memory, waves, log of ports, checker. @return false after a message. */
static bool assemble(struct hd_result *r)
{
    const struct hd_run_options *o = r->options;
    const struct hd_config *c = o->config;
    r->machine = o->models ? hd_machine_new_of(c, o->wave, o->models) : hd_machine_new(c, o->wave);
    if (!r->machine)
        return false;
    if (o->wave_to != 0)
        hd_machine_wave_window(r->machine, o->wave_from, o->wave_to);
    if (o->image)
        hd_work_image(r->work, o->image->word, o->image->base, o->image->words);
    if (o->tap)
        hd_simt_tap(r->simt, o->tap);
    hd_work_load(r->work, r->machine);
    if (r->replay && !hd_replay_memory(r->replay, r->machine, &r->diag))
        return false;
    if (o->record && !record(r))
        return false;
    if (hd_timeline_wanted(&o->timeline) && !(r->timeline = hd_timeline_new(&o->timeline, r->machine, r->simt)))
        return false;
    if (o->latency && !(r->latency = hd_latency_new(c))) {
        fprintf(stderr, "heddle: no memory\n");
        return false;
    }
    if (o->port_log) {
        r->port_log = fopen(o->port_log, "w");
        if (!r->port_log)
            fprintf(stderr, "heddle: --port-log %s: %s\n", o->port_log, strerror(errno));
        if (!r->port_log || !hd_machine_port_log(r->machine, r->port_log))
            return false;
    }
    bool wanted = judged(c) || o->log || hd_persists_on(c);
    if (wanted)
        r->judge = hd_judge_new(c, r->simt, r->machine, judged(c), o->log);
    return r->judge || !wanted;
}

/* @ended: by the workload; @flushed: and memory is whole. */
static void verdicts(struct hd_result *r, bool ended, bool flushed)
{
    const struct hd_config *c = r->options->config;
    struct hd_verdicts v = {0};
    hd_machine_verdicts(r->machine, &v);
    judge(r, CONSERVATION, c->check_conservation && !c->flat, v.conservation);
    judge(r, COHERENCE, c->check_coherence, v.coherence);
    judge(r, WATCHDOG, true, v.watchdog);
    judge(r, ASSERTIONS, v.assertions != NULL, v.assertions); /* fast models have none */
    if (r->judge) {
        const char *verdict = hd_judge_end(r->judge, ended, flushed ? r->machine : NULL);
        r->unwritten = hd_judge_unwritten(r->judge);
        judge(r, MEMORY_MODEL, judged(c), verdict);
        judge(r, PERSIST, hd_persists_on(c), hd_judge_persist(r->judge));
        if (!judged(c) && verdict) /* the log could not be written */
            r->check[MEMORY_MODEL].verdict = verdict;
    }
    const char *wrong = NULL;
    if (flushed && r->replay)
        wrong = hd_replay_check(r->replay, r->machine, r->cycles);
    if (flushed && c->check_golden && !wrong)
        wrong = hd_work_check(r->work, r->machine);
    judge(r, GOLDEN, c->check_golden, flushed ? (wrong ? wrong : "pass") : NULL);
}

/* The intervals of a run that was cut short. */
static void keep_rows(struct hd_result *r)
{
    const struct hd_run_options *o = r->options;
    if (!r->timeline || !o->timeline.interval || o->config->ranks || !keep_counters(r))
        return;
    if (hd_timeline_end(r->timeline, r->counter, r->counters) && hd_timeline_write(r->timeline, hd_result_name(r)))
        fprintf(stderr, "heddle: its intervals up to then: %s/%s.csv\n", o->timeline.folder, hd_result_name(r));
}

int hd_run(const struct hd_run_options *o, struct hd_result *r)
{
    *r = (struct hd_result){.options = o,
                            .check = {[GOLDEN] = {"golden", "not run"},
                                      [PORT] = {"warp_port", "pass"},
                                      [CONSERVATION] = {"conservation", "not run"},
                                      [COHERENCE] = {"coherence", "not run"},
                                      [WATCHDOG] = {"watchdog", "not run"},
                                      [ASSERTIONS] = {"assertions", "not run"},
                                      [MEMORY_MODEL] = {"memory_model", "off"},
                                      [PERSIST] = {"persist", "off"}}};
    if (!prepare(r) || !assemble(r))
        return 2;
    enum hd_end end = simulate(r);
    if (hd_machine_broken(r->machine))
        return 2;
    if (hd_result_stopped(r)) {
        fprintf(stderr, "heddle: %s: stopped at cycle %llu\n", hd_result_name(r),
                (unsigned long long)hd_machine_cycle(r->machine));
        keep_rows(r);
        return 2;
    }
    const char *text;
    enum hd_fault fault = hd_simt_fault(r->simt, &text);
    if (fault == HD_FAULT_PROGRAM) {
        fprintf(stderr, "heddle: %s: %s\n", hd_result_name(r), text);
        keep_rows(r);
        return 2;
    }
    if (fault == HD_FAULT_PORT)
        r->check[PORT].verdict = text;
    bool ended = end == HD_END_CLIENT && fault == HD_FAULT_NONE && hd_simt_done(r->simt);
    bool quiet = ended && hd_machine_settle(r->machine);
    if (!keep_counters(r)) {
        fprintf(stderr, "heddle: no memory\n");
        return 2;
    }
    if (r->timeline && !hd_timeline_end(r->timeline, r->counter, r->counters) && ended)
        return 2;
    bool flushed = quiet && hd_machine_flush(r->machine);
    if (hd_machine_broken(r->machine))
        return 2;
    if (o->silent)
        return 0;
    if (end == HD_END_DEADLOCK || (ended && !flushed))
        hd_machine_explain(r->machine, stderr);
    verdicts(r, ended, flushed);
    if (r->tapper && (!hd_tapper_end(r->tapper, r->cycles, flushed ? r->machine : NULL) || r->diag.errors != 0))
        return 2;
    if (r->timeline && ended) {
        uint64_t instructions;
        r->cycles -= hd_timeline_warmup(r->timeline, &instructions);
        r->instructions -= instructions;
    }
    if (r->timeline) /* of a deadlock, too: the rows before it */
        r->unwritten = !hd_timeline_write(r->timeline, hd_result_name(r)) || r->unwritten;
    if (r->port_log) {
        r->unwritten = !hd_files_close(r->port_log, o->port_log) || r->unwritten;
        r->port_log = NULL;
    }
    hd_machine_done(r->machine);
    return 0;
}

bool hd_result_stopped(const struct hd_result *r)
{
    const struct hd_run_options *o = r->options;
    if (o->config->ranks)
        return r->machine && hd_machine_stopped(r->machine);
    return o->stop && *o->stop;
}

void hd_result_free(struct hd_result *r)
{
    free(r->counter);
    hd_judge_free(r->judge);
    hd_tapper_free(r->tapper);
    hd_timeline_free(r->timeline);
    hd_latency_free(r->latency);
    hd_machine_free(r->machine);
    if (r->port_log)
        fclose(r->port_log);
    hd_work_free(r->work);
    hd_simt_free(r->simt);
    hd_replay_free(r->replay);
    *r = (struct hd_result){0};
}

const char *hd_result_name(const struct hd_result *r)
{
    return r->replay ? hd_replay_workload(r->replay)->name : r->options->workload->name;
}

unsigned hd_result_passed(const struct hd_result *r)
{
    unsigned n = 0;
    for (int i = 0; i < HD_CHECKS; i++)
        n += strcmp(r->check[i].verdict, "pass") == 0;
    return n;
}

unsigned hd_result_checked(const struct hd_result *r)
{
    unsigned n = 0;
    for (int i = 0; i < HD_CHECKS; i++)
        n += strcmp(r->check[i].verdict, "off") != 0;
    return n;
}

bool hd_result_good(const struct hd_result *r)
{
    return hd_result_passed(r) == hd_result_checked(r);
}

uint64_t hd_result_counter(const struct hd_result *r, const char *name)
{
    for (size_t i = 0; i < r->counters; i++)
        if (strcmp(r->counter[i].name, name) == 0)
            return r->counter[i].value;
    return 0;
}

/* @return the share of accepted line accesses that @counter counts. */
static double share(const struct hd_result *r, const char *counter)
{
    uint64_t all = hd_result_counter(r, "l1.hit") + hd_result_counter(r, "l1.miss") + hd_result_counter(r, "l1.merge");
    return all ? (double)hd_result_counter(r, counter) / (double)all : 0;
}

double hd_result_miss_rate(const struct hd_result *r)
{
    return share(r, "l1.miss");
}

double hd_result_merge_rate(const struct hd_result *r)
{
    return share(r, "l1.merge");
}

double hd_result_speed(const struct hd_result *r)
{
    uint64_t instructions, warm = r->timeline ? hd_timeline_warmup(r->timeline, &instructions) : 0;
    return r->cpu_seconds > 0 ? (double)(r->cycles + warm) / r->cpu_seconds : 0;
}

uint64_t hd_result_judged(const struct hd_result *r)
{
    uint64_t all = 0;
    for (unsigned sm = 0; r->judge && sm < r->options->config->sms; sm++)
        all += hd_simt_issued(r->simt)[sm];
    return all;
}

double hd_result_dram_bytes(const struct hd_result *r)
{
    return (double)(hd_result_counter(r, "dram.read_bytes") + hd_result_counter(r, "dram.write_bytes"));
}
