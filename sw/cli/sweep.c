/* sweep.c - see commands.h: the arguments of `heddle sweep`. */
#include "commands.h"
#include "lab/jobs.h"
#include "lab/sweep.h"
#include "report/files.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GOOD = 0, FAILED = 1, REFUSED = 2, STOPPED = 130, MAX_JOBS = 64 };

struct arguments {
    const char *file, *db, *out;
    unsigned jobs, seconds;
    bool slurm, collect, watch;
};

static bool number(const char *option, const char *text, unsigned least, unsigned most, unsigned *to)
{
    char *end;
    errno = 0;
    unsigned long n = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || n < least || n > most) {
        fprintf(stderr, "heddle: sweep: %s %s: must be %u..%u\n", option, text, least, most);
        return false;
    }
    *to = (unsigned)n;
    return true;
}

static bool parse(int argc, char **argv, struct arguments *a)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    *a = (struct arguments){.db = "build/results.db",
                            .jobs = cpus < 1 ? 1 : cpus > MAX_JOBS ? MAX_JOBS : (unsigned)cpus};
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (arg[0] != '-') {
            if (a->file) {
                fprintf(stderr, "heddle: sweep: unexpected '%s': one file at a time\n", arg);
                return false;
            }
            a->file = arg;
            continue;
        }
        if (strcmp(arg, "--slurm") == 0 || strcmp(arg, "--collect") == 0) {
            *(arg[2] == 's' ? &a->slurm : &a->collect) = true;
            continue;
        }
        if (strcmp(arg, "--watch") != 0 && strcmp(arg, "--db") != 0 && strcmp(arg, "--out") != 0
            && strcmp(arg, "--jobs") != 0) {
            fprintf(stderr, "heddle: sweep: unexpected '%s'; see heddle sweep --help\n", arg);
            return false;
        }
        if (++i == argc) {
            fprintf(stderr, "heddle: sweep: %s needs a value\n", arg);
            return false;
        }
        if (strcmp(arg, "--db") == 0)
            a->db = argv[i];
        else if (strcmp(arg, "--out") == 0)
            a->out = argv[i];
        else if (strcmp(arg, "--watch") == 0) {
            if (!(a->watch = number(arg, argv[i], 0, 3600, &a->seconds)))
                return false;
        } else if (!number(arg, argv[i], 1, MAX_JOBS, &a->jobs))
            return false;
    }
    if (a->slurm + a->collect + a->watch > 1) {
        fprintf(stderr, "heddle: sweep: takes one of --slurm, --collect, --watch\n");
        return false;
    }
    if (!a->file)
        fprintf(stderr, "heddle: sweep: needs a file; see heddle sweep --help\n");
    return a->file != NULL;
}

/* What is there now. @return the exit code. */
static int collect(struct hd_sweep *s, const struct hd_lab_way *way)
{
    size_t n = 0;
    if (!hd_lab_collect(s->point, hd_sweep_points(s), way))
        return REFUSED;
    for (size_t i = 0; i < hd_sweep_points(s); i++)
        n += s->point[i].done;
    fprintf(stderr, "sweep: %zu of %zu runs\n", n, hd_sweep_points(s));
    return n < hd_sweep_points(s) ? FAILED : GOOD;
}

static int watch(const struct hd_sweep *s, const struct hd_lab_way *way, unsigned seconds)
{
    struct hd_results_key *keys = calloc(hd_sweep_points(s), sizeof *keys);
    for (size_t i = 0; keys && i < hd_sweep_points(s); i++)
        keys[i] = hd_lab_key(&s->point[i]);
    int code = keys ? hd_jobs_watch(keys, hd_sweep_points(s), way, seconds) : REFUSED;
    free(keys);
    return code;
}

static int sweep(struct hd_sweep *s, const struct hd_lab_way *way, const struct arguments *a)
{
    if (a->watch)
        return watch(s, way, a->seconds);
    if (!hd_sweep_machine_counters(s))
        return REFUSED;
    if (!a->collect && !a->slurm && hd_sweep_first_runs(s, way) == REFUSED)
        return REFUSED;
    int code = a->collect ? collect(s, way) : hd_lab_run(s->point, hd_sweep_points(s), way);
    if (code == REFUSED)
        return code;
    if (a->slurm) {
        fprintf(stderr, "sweep: --watch shows how far they are, --collect instead of --slurm has the results\n");
        return code;
    }
    if (!hd_sweep_work_counters(s, way))
        return REFUSED;
    if (!hd_sweep_print(s, way))
        code = REFUSED;
    fflush(stdout);
    hd_lab_missing(s->point, hd_sweep_points(s), way);
    return code;
}

int hd_sweep_command(int argc, char **argv)
{
    struct arguments a;
    struct hd_sweep s;
    char out[128];
    if (!parse(argc, argv, &a))
        return REFUSED;
    int code = REFUSED;
    if (hd_sweep_read(&s, a.file)) {
        snprintf(out, sizeof out, "build/sweep/%s", s.name);
        const struct hd_lab_way way = {.db = a.db, .out = a.out ? a.out : out, .sweep = s.name, .jobs = a.jobs, .slurm = a.slurm};
        if (hd_files_folder("--out", way.out) && hd_sweep_build(&s, a.jobs))
            code = sweep(&s, &way, &a);
    }
    hd_sweep_free(&s);
    return hd_jobs_stopped() ? STOPPED : code;
}
