/* lab.c - see lab.h: arguments of `heddle lab` and one curve of the outstanding-request experiment. */
#define _POSIX_C_SOURCE 200809L
#include "lab.h"
#include "configure.h"
#include "files.h"
#include "report.h"
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
    "  --out FOLDER        for CSV and plots (default build/lab)\n"
    "  --json              one JSON object on stdout instead of text\n"
    "\n"
    "both\n"
    "  --config NAME|FILE  (default fermi-mshr) and --set key=value, as in heddle run\n"
    "  --db FILE           results database (default build/results.db); what is in it is not measured again\n"
    "  --jobs N            worker processes (default: one a processor)\n"
    "\n"
    "exit code: 0 measured, 1 a check failed, 2 bad input; docs/outstanding.md explains the experiment\n";

struct arguments {
    const char *config, *pattern, *out, *db;
    const char *set[MAX_SETS];
    size_t sets;
    unsigned loads, from, to, step, jobs;
    bool json;
};

/* ---- arguments --------------------------------------------------------------------------------------------------- */

/* Reads a number of a range. @return false after a message. */
static bool number(const char *option, const char *text, unsigned least, unsigned most, unsigned *value)
{
    char *end;
    errno = 0;
    unsigned long n = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || n < least || n > most) {
        fprintf(stderr, "heddle: lab: %s %s: must be %u..%u\n", option, text, least, most);
        return false;
    }
    *value = (unsigned)n;
    return true;
}

/* The value of option @name goes to @a. @return false after a message. */
static bool take(struct arguments *a, const char *name, const char *value)
{
    const struct {
        const char *name;
        const char **at;
    } texts[] = {{"--config", &a->config}, {"--pattern", &a->pattern}, {"--out", &a->out}, {"--db", &a->db}};
    const struct {
        const char *name;
        unsigned *at, least, most;
    } numbers[] = {{"--loads", &a->loads, 1, 16},
                   {"--from", &a->from, 2, HD_LAB_MAX_THREADS},
                   {"--to", &a->to, 2, HD_LAB_MAX_THREADS},
                   {"--step", &a->step, 2, MAX_STEP},
                   {"--jobs", &a->jobs, 1, MAX_JOBS}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(name, texts[i].name) == 0) {
            *texts[i].at = value;
            return true;
        }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strcmp(name, numbers[i].name) == 0)
            return number(name, value, numbers[i].least, numbers[i].most, numbers[i].at);
    if (a->sets == MAX_SETS) {
        fprintf(stderr, "heddle: lab: more than %d settings\n", MAX_SETS);
        return false;
    }
    a->set[a->sets++] = value; /* --set is what is left */
    return true;
}

static bool parse(int argc, char **argv, struct arguments *a)
{
    static const char *const with_value[] = {"--config", "--pattern", "--out", "--db", "--loads", "--from",
                                             "--to",     "--step",    "--jobs", "--set"};
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    *a = (struct arguments){.config = "fermi-mshr", .pattern = "unique", .out = "build/lab", .db = "build/results.db",
                            .loads = 1, .from = 2, .step = 2,
                            .jobs = cpus < 1 ? 1 : cpus > MAX_JOBS ? MAX_JOBS : (unsigned)cpus};
    for (int i = 0; i < argc; i++) {
        bool known = false;
        for (size_t k = 0; k < sizeof with_value / sizeof with_value[0]; k++)
            known |= strcmp(argv[i], with_value[k]) == 0;
        if (strcmp(argv[i], "--json") == 0)
            a->json = true;
        else if (!known) {
            fprintf(stderr, "heddle: lab: unexpected '%s'; see heddle lab --help\n", argv[i]);
            return false;
        } else if (i + 1 == argc) {
            fprintf(stderr, "heddle: lab: %s needs a value\n", argv[i]);
            return false;
        } else {
            if (!take(a, argv[i], argv[i + 1]))
                return false;
            i++;
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
        fprintf(stderr, "heddle: lab: --from %u --to %u --step %u: must be even, and --from at most --to\n", a->from, to,
                a->step);
        return REFUSED;
    }
    snprintf(c.pattern, sizeof c.pattern, "%s", a->pattern);
    if (!fits(&m.config, c.pattern, a->loads, to) || !hd_files_folder("--out", a->out) || !hd_lab_build(&m))
        return REFUSED;
    snprintf(name, sizeof name, "outstanding-%.60s-%s-%u", m.config.name, c.pattern, c.loads);
    snprintf(title, sizeof title, "%s: %s, %u load%s a thread", m.config.name, c.pattern, c.loads,
             c.loads == 1 ? "" : "s");
    int code = hd_lab_add(&c, a->from, to, a->step) ? hd_lab_curves(&c, 1, a->step, &way) : REFUSED;
    if (code == GOOD && (!hd_lab_write(&c, a->out, name, title) || !print_curve(&c, a, name)))
        code = REFUSED;
    hd_lab_clear(&c);
    return code;
}

int hd_lab_command(int argc, char **argv)
{
    struct arguments a;
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return GOOD;
    }
    if (argc < 2 || strcmp(argv[1], "outstanding") != 0) {
        fprintf(stderr, "heddle: lab: must be followed by outstanding\n%s", usage);
        return REFUSED;
    }
    return parse(argc - 2, argv + 2, &a) ? curve(&a) : REFUSED;
}
