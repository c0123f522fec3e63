/* run.c - see commands.h: `heddle run` and `heddle firstlight`. */
#include "commands.h"
#include "report/files.h"
#include "results/results.h"
#include "run/configure.h"
#include "run/report.h"
#include "run/run.h"
#include "run/same.h"
#include "ranks.h"
#include "waves.h"
#include "wire/wire.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GOOD = 0, FAILED = 1, REFUSED = 2, WAVE_MARGIN = 200 /* cycles */ };

/* Fills *o from the arguments; @label and *c are its. @return the exit code. */
static int choose(const struct hd_arguments *a, struct hd_run_options *o, struct hd_config *c, char label[64])
{
    if (a->words == 0 && !a->trace) {
        fprintf(stderr, "heddle: run needs a workload; `heddle list` prints them\n");
        return REFUSED;
    }
    if (a->trace && !hd_files_input("--trace", a->trace, false))
        return REFUSED;
    const struct hd_workload *w = a->trace ? NULL : hd_workload_find(a->word[0]);
    if (!w && !a->trace) {
        fprintf(stderr, "heddle: unknown workload '%s'; `heddle list` prints them\n", a->word[0]);
        return REFUSED;
    }
    if (hd_configure(c, a->config ? a->config : "paper1-small", a->set, a->sets) != 0)
        return REFUSED;
    char buffer[32];
    const char *slash = a->trace ? strrchr(a->trace, '/') : NULL;
    snprintf(label, 64, "%.40s %s", w ? w->name : slash ? slash + 1 : a->trace, hd_report_key(c, "order", buffer));
    *o = (struct hd_run_options){.config = c, .workload = w, .trace = a->trace, .record = a->record,
                                 .params = a->word + (w != NULL), .num_params = a->words - (w != NULL), .seed = a->seed, .wave = a->wave, .port_log = a->port_log, .log = a->log,
                                 .timeline = a->timeline, .latency = a->latency, .label = label};
    if (!o->timeline.folder)
        o->timeline.folder = "build/run";
    if (o->timeline.plot && !o->timeline.interval) {
        fprintf(stderr, "heddle: --plot needs --interval\n");
        return REFUSED;
    }
    return GOOD;
}

enum { STOPPED = 130 }; /* as a shell counts a program that Ctrl-C ended */
static volatile sig_atomic_t stop;

/* The first signal ends the run at the end of a window, so that waves and logs are whole; the second ends the program. */
static void on_stop(int signal)
{
    (void)signal;
    stop = 1;
}

static void listen_to_stop(void)
{
    const struct sigaction a = {.sa_handler = on_stop, .sa_flags = SA_RESETHAND | SA_RESTART};
    sigaction(SIGINT, &a, NULL);
    sigaction(SIGTERM, &a, NULL);
}

/* Runs, keeps the result in @db, if it is not NULL, and prints it. @return the exit code. */
static int run_and_print(const struct hd_run_options *o, struct hd_result *r, struct hd_results *db, bool json)
{
    int code = hd_run(o, r);
    if (code != GOOD)
        return code;
    if (db && !hd_results_add(db, r, NULL, 0))
        code = REFUSED;
    if (o->silent)
        return code;
    if (!json)
        hd_report_text(r);
    else if (hd_report_json(r) != 0)
        code = FAILED;
    hd_report_failed(r);
    if (r->unwritten)
        code = REFUSED;
    return code == GOOD && !hd_result_good(r) ? FAILED : code;
}

/* Frees @r, after which waves are whole, and joins them if they are to be. @return false after a message. */
static bool end_run(struct hd_result *r, const char *wave)
{
    unsigned tiles = 0;
    char **waves = wave && r->machine && hd_wire_ranks() == 1 ? hd_machine_wave_files(r->machine, &tiles) : NULL;

    hd_result_free(r);
    const bool good = !waves || hd_waves_join(wave, waves, tiles);
    free(waves);
    return good;
}

/* Runs once more for the waveforms around a violation. */
static void run_again(struct hd_run_options *o, const char *wave, const struct hd_mcm_violation *v)
{
    struct hd_result r;
    o->wave = wave;
    o->wave_from = v->first > WAVE_MARGIN ? v->first - WAVE_MARGIN : 0;
    o->wave_to = (uint64_t)v->last + WAVE_MARGIN;
    o->log = o->port_log = o->record = NULL;
    o->timeline = (struct hd_timeline_options){0};
    if (hd_run(o, &r) == GOOD) {
        fprintf(stderr, "heddle: waveforms of cycles %llu..%llu:\n", (unsigned long long)o->wave_from,
                (unsigned long long)o->wave_to);
        hd_machine_waves(r.machine, stderr);
    }
    end_run(&r, wave);
}

/* Rank 0 finds or builds them, and says where they are. */
static bool find_models(const struct hd_config *c, bool wave, struct hd_model_paths *models)
{
    size_t n;
    if (hd_wire_rank() != 0) {
        const void *found = hd_wire_receive(0, &n);
        if (!found || n != sizeof *models)
            return false;
        memcpy(models, found, n);
        return true;
    }
    memset(models, 0, sizeof *models);
    if (!hd_models_get(c, wave, models))
        return false;
    for (unsigned i = 1; i < hd_wire_ranks(); i++)
        hd_wire_send(i, models, sizeof *models);
    hd_wire_sent();
    return true;
}

/* Ranks and checkpoints: what determines the run is compared and summed. @return false after a message. */
static bool join(struct hd_run_options *o, struct hd_config *c, struct hd_ranks_options *ranks, struct hd_model_paths *models)
{
    if (!find_models(c, o->wave != NULL, models))
        return false;
    char *text = hd_same_text(o, models);
    if (!text)
        return false;
    ranks->run = hd_same_sum(text);
    bool same = hd_wire_ranks() == 1 || hd_same_everywhere(text);
    free(text);
    o->models = models;
    c->ranks = ranks;
    return same;
}

static bool fits(const struct hd_arguments *a)
{
    const char *why = a->every && !a->checkpoint ? "--every needs --checkpoint"
                      : a->checkpoint && a->wave ? "--checkpoint: waves cannot go on, --wave must be left out"
                      : a->checkpoint && a->record ? "--checkpoint: --record must be left out"
                      : a->cut && hd_wire_ranks() == 1 ? "--cut needs ranks: mpirun -n 2 heddle run ..." : NULL;
    if (why)
        fprintf(stderr, "heddle: %s\n", why);
    return !why;
}

int hd_run_command(const struct hd_arguments *given)
{
    struct hd_arguments own = *given;
    const struct hd_arguments *a = &own;
    const bool silent = hd_wire_rank() != 0;
    struct hd_ranks_options ranks = {.cut = a->cut, .checkpoint = a->checkpoint, .every = a->every, .stop = &stop};
    struct hd_config c;
    struct hd_run_options o;
    struct hd_model_paths models;
    struct hd_results *db = NULL;
    struct hd_result r;
    char label[64];
    if (silent) { /* rank 0 writes the files */
        own.db = own.record = own.wave_around = NULL;
        own.log = own.log ? "/dev/null" : NULL;
        own.port_log = own.port_log ? "/dev/null" : NULL;
    }
    if (!fits(a) || choose(a, &o, &c, label) != GOOD)
        return REFUSED;
    o.silent = silent;
    if (silent)
        o.label = NULL;
    const char *const files[][2] = {{"--wave", a->wave}, {"--port-log", a->port_log}, {"--log", a->log},
                                    {"--wave-around-violation", a->wave_around}, {"--record", a->record},
                                    {"--checkpoint", a->checkpoint}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) /* before models are built */
        if (files[i][1] && !hd_files_writable(files[i][0], files[i][1]))
            return REFUSED;
    const char *const apart[][2] = {{"--trace", a->trace}, {"--config", a->config && access(a->config, F_OK) == 0 ? a->config : NULL},
                                    {"--db", a->db}, {"--checkpoint", a->checkpoint}, {"--log", a->log}, {"--port-log", a->port_log},
                                    {"--record", a->record}, {"--wave-around-violation", a->wave_around}};
    for (size_t i = 1; i < sizeof apart / sizeof apart[0]; i++)
        for (size_t k = 0; k < i; k++)
            if (!hd_files_apart(apart[i][0], apart[i][1], apart[k][0], apart[k][1]))
                return REFUSED;
    o.stop = &stop;
    listen_to_stop();
    if ((hd_wire_ranks() > 1 || a->checkpoint) && !join(&o, &c, &ranks, &models))
        return stop ? STOPPED : REFUSED;
    if (a->db) { /* before the run, which may be long; the row names the models */
        if (!(db = hd_results_open(a->db)) || !hd_models_get(&c, a->wave != NULL, &models)) {
            hd_results_close(db);
            return stop ? STOPPED : REFUSED;
        }
        o.models = &models;
    }
    int code = run_and_print(&o, &r, db, a->json);
    hd_results_close(db);
    if (a->wave && r.machine) {
        fprintf(stderr, "heddle: waveforms:\n");
        hd_machine_waves(r.machine, stderr);
    }
    const struct hd_mcm_violation *v = hd_judge_violation(r.judge);
    if (v)
        hd_mcm_print(v, stderr);
    struct hd_mcm_violation place = {0};
    bool again = v && v->length > 0 && a->wave_around && !c.ranks;
    bool stopped = stop || hd_result_stopped(&r);
    if (again)
        place = *v;
    if (!end_run(&r, stopped ? NULL : a->wave))
        code = REFUSED;
    if (again && !stop)
        run_again(&o, a->wave_around, &place);
    return stopped ? STOPPED : code;
}

int hd_firstlight_command(const struct hd_arguments *a)
{
    static const char *const orders[] = {"order=rmo", "order=tso", "order=sc"};
    enum { ORDERS = sizeof orders / sizeof orders[0] };
    struct hd_row rows[ORDERS];
    bool named = a->words > 0 && !strchr(a->word[0], '=');
    const char *config = named ? a->word[0] : a->config ? a->config : "paper1-small";
    if (a->json || a->wave || a->port_log || a->wave_around || a->log || a->db || a->trace || a->record ||
        a->timeline.plot || a->timeline.folder || a->latency || hd_timeline_wanted(&a->timeline)) {
        fprintf(stderr, "heddle: firstlight takes none of --json, --wave, --port-log, --wave-around-violation, --log, "
                "--db, --trace, --record, --warmup, --interval, --plot, --out, --links, --latency\n");
        return REFUSED;
    }
    struct hd_config c;
    int code = hd_configure(&c, config, a->set, a->sets) == 0 ? GOOD : REFUSED;
    for (size_t i = 0; i < ORDERS && code != REFUSED; i++) {
        hd_config_set(&c, orders[i], "firstlight");
        char label[64];
        snprintf(label, sizeof label, "gemm %s", strchr(orders[i], '=') + 1);
        struct hd_run_options o = {.config = &c, .workload = hd_workload_find("gemm"), .params = a->word + named,
                                   .num_params = a->words - named, .seed = a->seed, .label = label};
        struct hd_result r;
        int ran = hd_run(&o, &r);
        if (ran == GOOD) {
            rows[i] = hd_report_row(&r);
            fprintf(stderr, "%s: %llu cycles, %.1f CPU s, %u of %u checks passed\n", label,
                    (unsigned long long)r.cycles, r.cpu_seconds, rows[i].passed, rows[i].checked);
            hd_report_failed(&r);
            if (!hd_result_good(&r))
                code = FAILED;
        } else
            code = ran;
        hd_result_free(&r);
    }
    if (code != REFUSED)
        hd_report_table(&c, "gemm", a->seed, rows, ORDERS);
    return code;
}

