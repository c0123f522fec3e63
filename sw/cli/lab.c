/* lab.c - see commands.h: the arguments of `heddle lab`. */
#include "commands.h"
#include "lab/experiments.h"
#include "lab/infer.h"
#include "lab/jobs.h"
#include "lab/localtm.h"
#include "lab/outstanding.h"
#include "report/files.h"
#include "results/findings.h"
#include "run/configure.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { GOOD = 0, REFUSED = 2, STOPPED = 130, MAX_SETS = 64, MAX_JOBS = 64, MAX_STEP = 512, NEVER = -1 };

enum command { OUTSTANDING = 1, INFER = 2, GRID = 4, LOCALTM = 8, ALL = 16, ANY = 31 }; /* bits: an option belongs to one or to several */

struct arguments {
    const char *config, *pattern, *out, *db, *only, *slurm;
    const struct hd_grid *grid;
    const char *set[MAX_SETS];
    size_t sets;
    unsigned loads, from, to, step, jobs, trials, seed, structures, watch;
    bool json, paper, quick, reduced, sensitivity;
};

/* ---- arguments --------------------------------------------------------------------------------------------------- */

/* An option: its value goes to one of the last three. */
struct option {
    const char *name;
    unsigned commands, least, most;
    const char **text;
    unsigned *number;
    bool *flag;
};

/* Reads a number of a range. @return false after a message. */
static bool number(const struct option *o, const char *text)
{
    char *end;
    errno = 0;
    unsigned long n = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || n < o->least || n > o->most) {
        fprintf(stderr, "heddle: lab: %s %s: must be %u..%u\n", o->name, text, o->least, o->most);
        return false;
    }
    *o->number = (unsigned)n;
    return true;
}

/* Takes option argv[*i] and its value. @return false after a message. */
static bool take(const struct option *o, int argc, char **argv, int *i)
{
    if (o->flag) {
        *o->flag = true;
        return true;
    }
    if (++*i == argc) {
        fprintf(stderr, "heddle: lab: %s needs a value\n", o->name);
        return false;
    }
    if (o->text)
        *o->text = argv[*i];
    return !o->number || number(o, argv[*i]);
}

static bool keep_setting(struct arguments *a, const char *setting)
{
    if (a->sets == MAX_SETS) {
        fprintf(stderr, "heddle: lab: more than %d settings\n", MAX_SETS);
        return false;
    }
    a->set[a->sets++] = setting;
    return true;
}

static bool parse(int argc, char **argv, enum command command, struct arguments *a)
{
    const char *setting = NULL;
    const struct option options[] = {
        {"--config", OUTSTANDING | INFER, .text = &a->config},
        {"--set", OUTSTANDING | INFER, .text = &setting},
        {"--jobs", ANY, 1, MAX_JOBS, .number = &a->jobs},
        {"--json", OUTSTANDING | INFER | GRID | LOCALTM, .flag = &a->json},
        {"--pattern", OUTSTANDING, .text = &a->pattern},
        {"--out", ANY, .text = &a->out},
        {"--db", ANY, .text = &a->db},
        {"--slurm", ANY, .text = &a->slurm},
        {"--loads", OUTSTANDING, 1, 16, .number = &a->loads},
        {"--from", OUTSTANDING, 2, HD_LAB_MAX_THREADS, .number = &a->from},
        {"--to", OUTSTANDING, 2, HD_LAB_MAX_THREADS, .number = &a->to},
        {"--step", OUTSTANDING, 2, MAX_STEP, .number = &a->step},
        {"--paper", OUTSTANDING | GRID | LOCALTM | ALL, .flag = &a->paper},
        {"--quick", OUTSTANDING | GRID | LOCALTM | ALL, .flag = &a->quick},
        {"--reduced", GRID, .flag = &a->reduced},
        {"--sensitivity", GRID, .flag = &a->sensitivity},
        {"--only", GRID | LOCALTM, .text = &a->only},
        {"--trials", INFER, 1, 1000, .number = &a->trials},
        {"--seed", INFER, 0, 1000000000, .number = &a->seed},
        {"--watch", ANY, 0, 3600, .number = &a->watch},
        {"--structures", INFER, 0, 1000, .number = &a->structures},
    };
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    *a = (struct arguments){.config = "fermi-mshr", .pattern = "unique", .out = "build/lab", .db = "build/results.db",
                            .loads = 1, .from = 2, .step = 2, .seed = 1, .watch = (unsigned)NEVER,
                            .jobs = cpus < 1 ? 1 : cpus > MAX_JOBS ? MAX_JOBS : (unsigned)cpus};
    for (int i = 0; i < argc; i++) {
        const struct option *o = NULL;
        for (size_t k = 0; k < sizeof options / sizeof options[0]; k++)
            if (strcmp(argv[i], options[k].name) == 0 && (options[k].commands & command))
                o = &options[k];
        if (!o) {
            fprintf(stderr, "heddle: lab: unexpected '%s'; see heddle lab --help\n", argv[i]);
            return false;
        }
        if (!take(o, argc, argv, &i) || (o->text == &setting && !keep_setting(a, setting)))
            return false;
    }
    return true;
}

/* ---- the commands ------------------------------------------------------------------------------------------------ */

static struct hd_lab_way way_of(const struct arguments *a)
{
    return (struct hd_lab_way){.db = a->db, .out = a->slurm ? a->slurm : a->out, .jobs = a->jobs, .slurm = a->slurm != NULL};
}

static int outstanding(const struct arguments *a)
{
    const struct hd_lab_way way = way_of(a);
    if (!a->paper && !a->quick)
        return hd_lab_one_curve(&(struct hd_lab_one_curve){
            .config = a->config, .set = a->set, .sets = a->sets, .pattern = a->pattern, .loads = a->loads,
            .from = a->from, .to = a->to, .step = a->step, .way = way, .out = a->out, .json = a->json});
    if (!a->paper || a->sets > 0) {
        fprintf(stderr, "heddle: lab: %s\n", a->paper ? "--paper chooses the configurations: it takes no --set"
                                                      : "--quick goes with --paper");
        return REFUSED;
    }
    const struct hd_lab_paper options = {.way = way, .out = a->out, .quick = a->quick, .json = a->json};
    return hd_files_folder("--out", a->out) ? hd_lab_paper(&options) : REFUSED;
}

static int infer(const struct arguments *a)
{
    struct hd_lab_machine m;
    struct hd_lab_inference found;
    struct hd_lab_machine *const list[] = {&m};
    struct hd_lab_way way = way_of(a);
    way.quiet = true;
    if (a->trials > 0)
        return hd_lab_trials(a->trials, a->structures, a->seed, &way);
    if (hd_configure(&m.config, a->config, a->set, a->sets) != 0 || !hd_lab_build(&m))
        return REFUSED;
    int code = hd_lab_infer(list, &found, 1, &way);
    if (code == GOOD && !hd_lab_infer_print(&m, &found, a->json))
        code = REFUSED;
    return code;
}

static int grid(const struct arguments *a)
{
    const struct hd_grid *g = a->grid;
    if (a->quick + a->reduced + a->paper != 1) {
        fprintf(stderr, "heddle: lab: %s takes one of --quick, --reduced, --paper\n", g->name);
        return REFUSED;
    }
    const struct hd_grid_options options = {
        .way = way_of(a), .out = a->out, .only = a->only, .sensitivity = a->sensitivity,
        .json = a->json, .tier = a->quick ? HD_GRID_QUICK : a->reduced ? HD_GRID_REDUCED : HD_GRID_FULL};
    return hd_files_folder("--out", a->out) ? hd_grid_run(g, &options) : REFUSED;
}

static int localtm(const struct arguments *a)
{
    if (a->quick + a->paper != 1) {
        fprintf(stderr, "heddle: lab: localtm takes one of --quick, --paper\n");
        return REFUSED;
    }
    const struct hd_ltm_options options = {.way = way_of(a), .out = a->out, .only = a->only, .quick = a->quick,
                                           .json = a->json};
    return hd_files_folder("--out", a->out) ? hd_ltm_run(&options) : REFUSED;
}

/* How far the runs are that a lab asks for. */
static int watch(const struct arguments *a)
{
    const struct hd_lab_way way = way_of(a);
    return hd_jobs_watch_written(&way, a->watch);
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

/* What `lab all` runs, and the CPU seconds that it takes quickly and in full with the building of models, about. Where the quick
 * tier leaves figures or claims out and the reduced one has them in minutes, --quick means that. */
static const struct {
    const char *name;
    unsigned quick, paper;
    bool reduced;
} every[] = {{"latencies", 110, 150, false}, {"outstanding", 60, 200, false}, {"ordering", 700, 3000, true},
             {"persistency", 110, 200, false}, {"coherence", 60, 1500, false}, {"localtm", 200, 350, false}};
enum { EVERY = sizeof every / sizeof every[0], TRUST = 300 };

static int one(const char *name, bool reduced, const struct arguments *a)
{
    struct arguments own = *a;
    own.reduced = own.sensitivity = reduced && a->quick;
    own.quick = a->quick && !reduced;
    own.paper |= strcmp(name, "outstanding") == 0;
    if (strcmp(name, "outstanding") == 0)
        return outstanding(&own);
    if (strcmp(name, "localtm") == 0)
        return localtm(&own);
    for (const struct hd_grid *const *g = hd_lab_experiments; *g; g++)
        if (strcmp(name, (*g)->name) == 0) {
            own.grid = *g;
            return grid(&own);
        }
    return REFUSED;
}

/* Seconds of one processor that experiment @i takes, about: none when it has come to its end over this RTL. */
static unsigned cost_of(const struct arguments *a, size_t i)
{
    bool paper = strcmp(every[i].name, "outstanding") == 0;
    const char *options = !a->quick ? "--paper" : every[i].reduced ? "--reduced --sensitivity" : paper ? "--paper --quick" : "--quick";
    return hd_findings_ended(a->db, every[i].name, options) ? 0 : a->quick ? every[i].quick : every[i].paper;
}

/* Runs each; one whose checks or spikes fail does not keep the others from running. */
static int all(const struct arguments *a)
{
    int worst = GOOD;
    unsigned cost[EVERY], left = 0, done = 0;
    if (a->quick + a->paper != 1) {
        fprintf(stderr, "heddle: lab: all takes one of --quick, --paper\n");
        return REFUSED;
    }
    for (size_t i = 0; i < EVERY; i++)
        left += cost[i] = cost_of(a, i);
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (size_t i = 0; i < EVERY; i++) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        /* As fast as it has been, once that says something: models may have been there. */
        double pace = ((double)(now.tv_sec - start.tv_sec) + (double)TRUST / a->jobs) / (done + TRUST);
        fprintf(stderr, "lab: %zu of %d: %s; about %.0f min left with all that follows\n", i + 1, EVERY, every[i].name,
                ceil(left * pace / 60));
        int code = one(every[i].name, every[i].reduced, a);
        if (code == REFUSED)
            return code;
        worst = code > worst ? code : worst;
        left -= cost[i];
        done += cost[i];
    }
    fprintf(stderr, "lab: all are in %s; heddle report --db %s makes a page of them\n", a->db, a->db);
    return worst;
}

/* One of the experiments, or how far it is. */
static int command(int argc, char **argv, enum command which, int (*run)(const struct arguments *), const struct hd_grid *g)
{
    struct arguments a;
    if (!parse(argc - 2, argv + 2, which, &a))
        return REFUSED;
    a.grid = g;
    const int code = a.watch != (unsigned)NEVER ? watch(&a) : run(&a);
    return hd_jobs_stopped() ? STOPPED : code;
}

int hd_lab_command(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "point") == 0 && argc == 5 && strcmp(argv[3], "--slurm") == 0) /* a task's: jobs.h */
        return hd_jobs_one(argv[4], strtoul(argv[2], NULL, 10));
    if (strcmp(name, "outstanding") == 0)
        return command(argc, argv, OUTSTANDING, outstanding, NULL);
    if (strcmp(name, "all") == 0)
        return command(argc, argv, ALL, all, NULL);
    if (strcmp(name, "infer") == 0)
        return command(argc, argv, INFER, infer, NULL);
    if (strcmp(name, "localtm") == 0)
        return command(argc, argv, LOCALTM, localtm, NULL);
    for (const struct hd_grid *const *g = hd_lab_experiments; *g; g++)
        if (strcmp(name, (*g)->name) == 0)
            return command(argc, argv, GRID, grid, *g);
    fprintf(stderr, "heddle: lab: must be followed by all, outstanding, infer, localtm");
    for (const struct hd_grid *const *g = hd_lab_experiments; *g; g++)
        fprintf(stderr, "%s%s", g[1] ? ", " : " or ", (*g)->name);
    fprintf(stderr, "; see heddle lab --help\n");
    return REFUSED;
}
