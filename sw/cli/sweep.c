/* sweep.c - see commands.h: the arguments of `heddle sweep`. */
#include "commands.h"
#include "lab/sweep.h"
#include "report/files.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GOOD = 0, FAILED = 1, REFUSED = 2, MAX_JOBS = 64 };

struct arguments {
    const char *file, *db, *out;
    unsigned jobs, point, seconds;
    bool slurm, collect, one, watch;
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
        if (strcmp(arg, "--point") != 0 && strcmp(arg, "--watch") != 0 && strcmp(arg, "--db") != 0 && strcmp(arg, "--out") != 0
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
        else if (strcmp(arg, "--point") == 0) {
            if (!(a->one = number(arg, argv[i], 0, HD_SWEEP_POINTS - 1, &a->point)))
                return false;
        } else if (strcmp(arg, "--watch") == 0) {
            if (!(a->watch = number(arg, argv[i], 0, 3600, &a->seconds)))
                return false;
        } else if (!number(arg, argv[i], 1, MAX_JOBS, &a->jobs))
            return false;
    }
    if (a->slurm + a->collect + a->one + a->watch > 1) {
        fprintf(stderr, "heddle: sweep: takes one of --slurm, --collect, --watch, --point\n");
        return false;
    }
    if (!a->file)
        fprintf(stderr, "heddle: sweep: needs a file; see heddle sweep --help\n");
    return a->file != NULL;
}

/* What is there now. @return the exit code. */
static int collect(const struct hd_sweep *s, const struct hd_sweep_way *way, bool *done)
{
    size_t n = 0;
    if (!hd_sweep_merge(s, way, done))
        return REFUSED;
    for (size_t i = 0; i < hd_sweep_points(s); i++)
        n += done[i];
    fprintf(stderr, "sweep: %zu of %zu runs\n", n, hd_sweep_points(s));
    return n < hd_sweep_points(s) ? FAILED : GOOD;
}

static int sweep(const struct hd_sweep *s, const struct hd_sweep_way *way, const struct arguments *a)
{
    if (a->one && a->point >= hd_sweep_points(s)) {
        fprintf(stderr, "heddle: sweep: --point %u: must be 0..%zu\n", a->point, hd_sweep_points(s) - 1);
        return REFUSED;
    }
    if (a->one)
        return hd_sweep_point(s, a->point, way->out);
    if (a->watch)
        return hd_sweep_watch(s, way, a->seconds);
    bool *done = calloc(hd_sweep_points(s), sizeof *done);
    if (!done) {
        fprintf(stderr, "heddle: no memory\n");
        return REFUSED;
    }
    int code = a->slurm ? hd_sweep_submit(s, way, done) : a->collect ? collect(s, way, done) : hd_sweep_run(s, way, done);
    if (code != REFUSED && !a->slurm) {
        if (!hd_sweep_print(s, way, done))
            code = REFUSED;
        fflush(stdout);
        hd_sweep_missing(s, way, done);
    }
    free(done);
    return code;
}

int hd_sweep_command(int argc, char **argv)
{
    struct arguments a;
    struct hd_sweep s;
    char out[128], jobs[HD_JOBS_PATH];
    if (!parse(argc, argv, &a))
        return REFUSED;
    int code = REFUSED;
    if (hd_sweep_read(&s, a.file)) {
        snprintf(out, sizeof out, "build/sweep/%s", s.name);
        const struct hd_sweep_way way = {.db = a.db, .out = a.out ? a.out : out, .jobs = a.jobs};
        snprintf(jobs, sizeof jobs, "%.500s/jobs", way.out);
        if (hd_files_folder("--out", jobs) && hd_sweep_build(&s, a.jobs))
            code = sweep(&s, &way, &a);
    }
    hd_sweep_free(&s);
    return code;
}
