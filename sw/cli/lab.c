/* lab.c - see lab.h: arguments of `heddle lab`, and one curve of the outstanding-request experiment. */
#define _POSIX_C_SOURCE 200809L
#include "lab/lab.h"
#include "run/configure.h"
#include "report/files.h"
#include "lab/infer.h"
#include "run/report.h"
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GOOD = 0, FAILED = 1, REFUSED = 2, MAX_SETS = 64, MAX_JOBS = 64, MAX_STEP = 512 };

static const char usage[] =
    "heddle lab outstanding [option]...  latency of a block's outstanding loads against its threads (paper 2)\n"
    "  --loads N           loads of a thread, 1 or more (default 1); at most `scoreboard`\n"
    "  --pattern NAME      unique (default), merger2, merger4, merger8, merger16, merger32: neighbours on a line\n"
    "  --from T --to T --step T\n"
    "                      threads: even numbers (default 2, 1024 or what the SM holds, 2)\n"
    "  --paper             all nine figures, the spikes against those of the paper, and variants\n"
    "  --quick             with --paper: every 32nd number of threads and those around the paper's spikes\n"
    "  --out FOLDER        for CSV and plots (default build/lab)\n"
    "  --db FILE           results database (default build/results.db); what is in it is not measured again\n"
    "\n"
    "heddle lab infer [option]...        what latencies tell about the table of outstanding requests of a machine\n"
    "  --trials N          instead: N machines drawn at random, inferred and compared with what they are\n"
    "  --seed N            ... from this seed (default 1)\n"
    "  --structures N      ... with at most N different models (default 0: each its own)\n"
    "\n"
    "heddle lab ordering TIER [option]...  execution time under six memory orderings, 14 benchmarks (paper 1)\n"
    "  --quick             tier: 4 benchmarks on 4 SMs, a few minutes\n"
    "  --reduced           tier: all on 4 SMs, write-through too\n"
    "  --paper             tier: all on the 16 SMs of the paper, full size\n"
    "  --sensitivity       also with other queues, tables, sectors, scheduler, scoreboard\n"
    "  --only NAME,...     these benchmarks only\n"
    "  --out, --db         as above; what is in the database is not measured again\n"
    "\n"
    "all\n"
    "  --config NAME|FILE  (default fermi-mshr) and --set key=value, as in heddle run; not ordering\n"
    "  --jobs N            worker processes (default: one a processor)\n"
    "  --json              one JSON object on stdout instead of text\n"
    "\n"
    "exit code: 0 measured, 1 a check failed, a spike is not where it must be or a machine was inferred wrongly,\n"
    "2 bad input; docs/outstanding.md and docs/ordering.md explain the experiments\n";

enum command { OUTSTANDING = 1, INFER = 2, ORDERING = 4 }; /* bits: an option belongs to one or to several */

struct arguments {
    const char *config, *pattern, *out, *db, *only;
    const char *set[MAX_SETS];
    size_t sets;
    unsigned loads, from, to, step, jobs, trials, seed, structures;
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

static bool parse(int argc, char **argv, enum command command, struct arguments *a)
{
    const char *setting = NULL;
    const struct option options[] = {
        {"--config", OUTSTANDING | INFER, .text = &a->config},
        {"--set", OUTSTANDING | INFER, .text = &setting},
        {"--jobs", OUTSTANDING | INFER | ORDERING, 1, MAX_JOBS, .number = &a->jobs},
        {"--json", OUTSTANDING | INFER | ORDERING, .flag = &a->json},
        {"--pattern", OUTSTANDING, .text = &a->pattern},
        {"--out", OUTSTANDING | ORDERING, .text = &a->out},
        {"--db", OUTSTANDING | ORDERING, .text = &a->db},
        {"--loads", OUTSTANDING, 1, 16, .number = &a->loads},
        {"--from", OUTSTANDING, 2, HD_LAB_MAX_THREADS, .number = &a->from},
        {"--to", OUTSTANDING, 2, HD_LAB_MAX_THREADS, .number = &a->to},
        {"--step", OUTSTANDING, 2, MAX_STEP, .number = &a->step},
        {"--paper", OUTSTANDING | ORDERING, .flag = &a->paper},
        {"--quick", OUTSTANDING | ORDERING, .flag = &a->quick},
        {"--reduced", ORDERING, .flag = &a->reduced},
        {"--sensitivity", ORDERING, .flag = &a->sensitivity},
        {"--only", ORDERING, .text = &a->only},
        {"--trials", INFER, 1, 1000, .number = &a->trials},
        {"--seed", INFER, 0, 1000000000, .number = &a->seed},
        {"--structures", INFER, 0, 1000, .number = &a->structures},
    };
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    *a = (struct arguments){.config = "fermi-mshr", .pattern = "unique", .out = "build/lab", .db = "build/results.db",
                            .loads = 1, .from = 2, .step = 2, .seed = 1,
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
        if (o->flag) {
            *o->flag = true;
            continue;
        }
        if (++i == argc) {
            fprintf(stderr, "heddle: lab: %s needs a value\n", o->name);
            return false;
        }
        if (o->number && !number(o, argv[i]))
            return false;
        if (o->text)
            *o->text = argv[i];
        if (o->text == &setting) {
            if (a->sets == MAX_SETS) {
                fprintf(stderr, "heddle: lab: more than %d settings\n", MAX_SETS);
                return false;
            }
            a->set[a->sets++] = setting;
        }
    }
    return true;
}

/* Has the workload look at the largest point before anything is built or run. @return false after a message. */
static bool fits(const struct hd_config *c, const char *pattern, unsigned loads, unsigned threads)
{
    char text[3][32];
    struct hd_work *k = hd_work_new(hd_workload_find("outstanding"), c, 1);
    struct hd_simt *s = hd_simt_new(c);
    snprintf(text[0], sizeof text[0], "threads=%u", threads);
    snprintf(text[1], sizeof text[1], "loads=%u", loads);
    snprintf(text[2], sizeof text[2], "merger=%u", hd_lab_merger(pattern));
    bool good = k && s && hd_work_set(k, text[0]) == 0 && hd_work_set(k, text[1]) == 0
                && hd_work_set(k, text[2]) == 0 && hd_work_prepare(k, s) == 0;
    hd_work_free(k);
    hd_simt_free(s);
    return good;
}

/* ---- one curve --------------------------------------------------------------------------------------------------- */

static json_t *curve_json(const struct hd_lab_curve *c)
{
    json_t *all = json_object(), *points = json_array(), *spike = json_null();
    for (size_t i = 0; i < c->n; i++) {
        const struct hd_lab_sample *s = &c->sample[i];
        json_array_append_new(points, json_pack("{sisfso}", "threads", (int)s->threads, "latency", s->latency,
                                                "variance", isnan(s->variance) ? json_null()
                                                                               : json_real(s->variance)));
    }
    if (c->spike.clear)
        spike = json_pack("{sisfsf}", "threads", (int)c->spike.threads, "latency", c->spike.before, "latency_after",
                          c->spike.after);
    json_object_set_new(all, "config", json_string(c->machine->config.name));
    json_object_set_new(all, "pattern", json_string(c->pattern));
    json_object_set_new(all, "loads", json_integer(c->loads));
    json_object_set_new(all, "spike", spike);
    json_object_set_new(all, "points", points);
    return all;
}

static bool print_curve(const struct hd_lab_curve *c, const struct arguments *a, const char *name)
{
    if (a->json) {
        json_t *all = curve_json(c);
        bool good = json_dumpf(all, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(8)) == 0;
        json_decref(all);
        return putchar('\n') != EOF && good;
    }
    printf("outstanding on %s: %s, %u load%s a thread, %u..%u threads, %zu points of %d runs\n",
           c->machine->config.name, c->pattern, c->loads, c->loads == 1 ? "" : "s", c->sample[0].threads,
           c->sample[c->n - 1].threads, c->n, HD_LAB_OFFSETS);
    if (c->spike.clear)
        printf("  spike    after %u threads: %.0f -> %.0f cycles\n", c->spike.threads, c->spike.before,
               c->spike.after);
    else if (c->spike.threads > 0)
        printf("  spike    none: the greatest step, after %u threads, is %.0f -> %.0f cycles\n", c->spike.threads,
               c->spike.before, c->spike.after);
    else
        printf("  spike    none: too few points above 32 threads\n");
    printf("  files    %s/%s.csv .svg .png\n", a->out, name);
    return true;
}

static int curve(const struct arguments *a)
{
    struct hd_lab_machine m;
    struct hd_lab_curve c = {.machine = &m, .loads = a->loads};
    struct hd_lab_way way = {.db = a->db, .jobs = a->jobs};
    char name[120], title[200];
    if (hd_lab_merger(a->pattern) == 0) {
        fprintf(stderr, "heddle: lab: --pattern %s: must be unique, merger2, merger4, merger8, merger16 or merger32\n",
                a->pattern);
        return REFUSED;
    }
    if (hd_configure(&m.config, a->config, a->set, a->sets) != 0)
        return REFUSED;
    unsigned held = m.config.warps * m.config.lanes, most = held < HD_LAB_MAX_THREADS ? held : HD_LAB_MAX_THREADS;
    unsigned to = a->to ? a->to : most;
    if (a->from % 2 != 0 || to % 2 != 0 || a->step % 2 != 0 || a->from > to) {
        fprintf(stderr, "heddle: lab: --from %u --to %u --step %u: must be even, and --from at most --to\n", a->from,
                to, a->step);
        return REFUSED;
    }
    snprintf(c.pattern, sizeof c.pattern, "%s", a->pattern);
    if (!fits(&m.config, c.pattern, a->loads, to) || !hd_files_folder("--out", a->out) || !hd_lab_build(&m))
        return REFUSED;
    snprintf(name, sizeof name, "outstanding-%.60s-%s-%u", m.config.name, c.pattern, c.loads);
    snprintf(title, sizeof title, "%s, %s, %u load%s a thread", m.config.name, c.pattern, c.loads,
             c.loads == 1 ? "" : "s");
    int code = hd_lab_add(&c, a->from, to, a->step) ? hd_lab_curves(&c, 1, a->step, &way) : REFUSED;
    if (code == GOOD && (!hd_lab_write(&c, a->out, name, title) || !print_curve(&c, a, name)))
        code = REFUSED;
    hd_lab_clear(&c);
    return code;
}

/* ---- the commands ------------------------------------------------------------------------------------------------ */

static int outstanding(const struct arguments *a)
{
    if (!a->paper && !a->quick)
        return curve(a);
    if (!a->paper || a->sets > 0) {
        fprintf(stderr, "heddle: lab: %s\n", a->paper ? "--paper chooses the configurations: it takes no --set"
                                                      : "--quick goes with --paper");
        return REFUSED;
    }
    const struct hd_lab_paper options = {.way = {.db = a->db, .jobs = a->jobs}, .out = a->out, .quick = a->quick,
                                         .json = a->json};
    return hd_files_folder("--out", a->out) ? hd_lab_paper(&options) : REFUSED;
}

static int infer(const struct arguments *a)
{
    struct hd_lab_machine m;
    struct hd_lab_inference found;
    if (a->trials > 0)
        return hd_lab_trials(a->trials, a->structures, a->seed, a->jobs);
    if (hd_configure(&m.config, a->config, a->set, a->sets) != 0 || !hd_lab_build(&m))
        return REFUSED;
    int code = hd_lab_infer(&m, &found);
    if (code == GOOD && !hd_lab_infer_print(&m, &found, a->json))
        code = REFUSED;
    return code;
}

static int ordering(const struct arguments *a)
{
    if (a->quick + a->reduced + a->paper != 1) {
        fprintf(stderr, "heddle: lab: ordering takes one of --quick, --reduced, --paper\n");
        return REFUSED;
    }
    const struct hd_lab_orders options = {
        .way = {.db = a->db, .jobs = a->jobs}, .out = a->out, .only = a->only, .sensitivity = a->sensitivity,
        .json = a->json, .tier = a->quick ? HD_LAB_QUICK : a->reduced ? HD_LAB_REDUCED : HD_LAB_FULL};
    return hd_files_folder("--out", a->out) ? hd_lab_ordering(&options) : REFUSED;
}

static const struct {
    const char *name;
    enum command command;
    int (*run)(const struct arguments *a);
} commands[] = {{"outstanding", OUTSTANDING, outstanding}, {"infer", INFER, infer}, {"ordering", ORDERING, ordering}};

int hd_lab_command(int argc, char **argv)
{
    struct arguments a;
    const char *name = argc > 1 ? argv[1] : "";
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0) {
            fputs(usage, stdout);
            return GOOD;
        }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(name, commands[i].name) == 0)
            return parse(argc - 2, argv + 2, commands[i].command, &a) ? commands[i].run(&a) : REFUSED;
    fprintf(stderr, "heddle: lab: must be followed by outstanding, infer or ordering\n%s", usage);
    return REFUSED;
}
