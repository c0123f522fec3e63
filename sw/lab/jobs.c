/* jobs.c - see jobs.h: a point as a job, and what is left of it. */
#define _DEFAULT_SOURCE 1
#include "jobs.h"
#include "run/report.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GOOD = 0, FAILED = 1, REFUSED = 2 };

const char *hd_jobs_path(const struct hd_results_key *key, const char *out, const char *ending, char path[HD_JOBS_PATH])
{
    char name[HD_RESULTS_HASH];
    hd_results_name(key, name);
    snprintf(path, HD_JOBS_PATH, "%.500s/jobs/%s%s", out, name, ending);
    return path;
}

/* ---- a job ------------------------------------------------------------------------------------------------------- */

void hd_jobs_remove(const char *path)
{
    static const char *const endings[] = {"", "-wal", "-shm"};
    char file[HD_JOBS_PATH + 8];
    for (size_t i = 0; i < 3; i++) {
        snprintf(file, sizeof file, "%s%s", path, endings[i]);
        unlink(file);
    }
}

const char *hd_jobs_scratch(long pid, char path[HD_JOBS_PATH])
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, HD_JOBS_PATH, "%.500s/heddle-sweep-%ld.db", folder && *folder ? folder : "/tmp", pid);
    return path;
}

/* Copies @from so that @to appears whole. @return false after a message. */
static bool publish(const char *from, const char *to)
{
    char aside[HD_JOBS_PATH + 32], block[65536];
    snprintf(aside, sizeof aside, "%s.%ld.tmp", to, (long)getpid());
    FILE *in = fopen(from, "rb"), *out = fopen(aside, "wb");
    bool good = in && out;
    for (size_t n; good && (n = fread(block, 1, sizeof block, in)) > 0;)
        good = fwrite(block, 1, n, out) == n;
    good = good && !ferror(in) && fflush(out) == 0 && fsync(fileno(out)) == 0;
    if (in)
        fclose(in);
    if (out)
        good = fclose(out) == 0 && good;
    if (good && rename(aside, to) == 0)
        return true;
    fprintf(stderr, "heddle: %s: cannot be written: %s\n", to, strerror(errno));
    unlink(aside);
    return false;
}

void hd_jobs_note_failure(const char *path, const char *reason)
{
    FILE *f = fopen(path, "w");
    if (f) {
        fprintf(f, "%s\n", reason);
        fclose(f);
    }
}

/* What could not run has said why: its last line is the reason. */
static void last_line(const char *log, char reason[256])
{
    FILE *f = fopen(log, "r");
    char line[256];
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "heddle: ", 8) == 0)
            snprintf(reason, 256, "%.*s", (int)strcspn(line + 8, "\n"), line + 8);
    if (f)
        fclose(f);
}

static const char *failed_check(const struct hd_result *r, char text[256])
{
    snprintf(text, 256, "a check failed");
    for (int i = 0; i < HD_CHECKS; i++)
        if (strcmp(r->check[i].verdict, "pass") != 0 && strcmp(r->check[i].verdict, "off") != 0)
            snprintf(text, 256, "check %s: %.200s", r->check[i].name, r->check[i].verdict);
    return text;
}

/* Runs and writes database @db. @return the exit code; @reason is then why not. */
static int run(const struct hd_lab_point *p, const struct hd_results_key *key, const char *db, char reason[256])
{
    struct hd_lab_program program = {0};
    const char *params[HD_LAB_PARAMS];
    p->experiment->program(p, &program);
    for (size_t k = 0; k < program.params; k++)
        params[k] = program.param[k];
    struct hd_run_options o = {.config = &p->machine->config, .workload = program.workload, .params = params,
                               .num_params = program.params, .seed = p->seed, .models = &p->machine->models};
    struct hd_result r;
    int code = hd_run(&o, &r);
    if (code == GOOD) {
        const char *counter = p->experiment->counter;
        bool good = hd_result_good(&r);
        struct hd_results *to = hd_results_open(db);
        if (!to || !hd_results_add(to, &r, good ? key : NULL, (uint32_t)(counter ? hd_work_counter_value(r.work, counter) : r.cycles))) {
            snprintf(reason, 256, "its result could not be written");
            code = REFUSED;
        } else if (!good) {
            hd_report_failed(&r);
            failed_check(&r, reason);
            code = FAILED;
        }
        hd_results_close(to);
    }
    hd_result_free(&r);
    return code;
}

int hd_jobs_run(const struct hd_lab_point *p, const struct hd_results_key *key, const char *what, const char *label, const char *out)
{
    char path[HD_JOBS_PATH], db[HD_JOBS_PATH], reason[256] = "could not run", host[64] = "";
    int log = open(hd_jobs_path(key, out, ".log", path), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (log < 0) {
        fprintf(stderr, "heddle: %s: %s\n", path, strerror(errno));
        return REFUSED;
    }
    fflush(NULL);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    close(log);
    gethostname(host, sizeof host - 1);
    const char *task = getenv("SLURM_ARRAY_TASK_ID"), *job = getenv("SLURM_ARRAY_JOB_ID");
    fprintf(stderr, "%s: %s: %s%s%s%s%s\n", what, label, host, task ? ", Slurm job " : "", task && job ? job : "", task ? "_" : "",
            task ? task : "");
    unlink(hd_jobs_path(key, out, ".failed", path));
    hd_jobs_scratch(getpid(), db);
    hd_jobs_remove(db);
    int code = run(p, key, db, reason);
    if (code == REFUSED && access(db, F_OK) != 0)
        last_line(hd_jobs_path(key, out, ".log", path), reason);
    if (access(db, F_OK) == 0 && !publish(db, hd_jobs_path(key, out, ".db", path))) {
        snprintf(reason, sizeof reason, "its result could not be written");
        code = REFUSED;
    }
    hd_jobs_remove(db);
    if (code != GOOD)
        hd_jobs_note_failure(hd_jobs_path(key, out, ".failed", path), reason);
    return code;
}

/* ---- what is left of jobs ---------------------------------------------------------------------------------------- */

bool hd_jobs_merge(const struct hd_results_key *key, const char *out, struct hd_results *db)
{
    char path[HD_JOBS_PATH], log[HD_JOBS_PATH];
    if (access(hd_jobs_path(key, out, ".db", path), F_OK) != 0)
        return true;
    if (!hd_results_merge(db, path))
        return false;
    unlink(path);
    if (access(hd_jobs_path(key, out, ".failed", path), F_OK) != 0)
        unlink(hd_jobs_path(key, out, ".log", log));
    return true;
}

void hd_jobs_complain(const struct hd_results_key *key, const char *out, const char *label)
{
    char path[HD_JOBS_PATH], reason[256] = "no result yet";
    FILE *f = fopen(hd_jobs_path(key, out, ".failed", path), "r");
    if (f && fgets(reason, sizeof reason, f))
        reason[strcspn(reason, "\n")] = '\0';
    fprintf(stderr, "  %s: %s", label, reason);
    if (f) {
        fclose(f);
        fprintf(stderr, " (%s)", hd_jobs_path(key, out, ".log", path));
    }
    fputc('\n', stderr);
}

bool hd_jobs_look(struct hd_jobs_count *count, const struct hd_results_key *key, const char *out, bool done)
{
    char path[HD_JOBS_PATH];
    bool failed = false, runs = false;
    /* Messages first: a job that ends meanwhile has left the others. */
    bool said = !done && access(hd_jobs_path(key, out, ".log", path), F_OK) == 0;
    if (!done) {
        failed = access(hd_jobs_path(key, out, ".failed", path), F_OK) == 0;
        done = !failed && access(hd_jobs_path(key, out, ".db", path), F_OK) == 0;
        runs = said && !failed && !done;
    }
    count->all++;
    count->done += done;
    count->failed += failed;
    count->running += runs;
    return runs;
}

void hd_jobs_progress(const char *what, const struct hd_jobs_count *c, size_t before, double seconds)
{
    fprintf(stderr, "%s: %zu of %zu runs", what, c->done, c->all);
    if (c->failed > 0)
        fprintf(stderr, ", %zu failed", c->failed);
    if (c->running > 0)
        fprintf(stderr, ", %zu running", c->running);
    if (seconds >= 0)
        fprintf(stderr, ", %.0f s", seconds);
    if (seconds >= 0 && c->done > before && c->done + c->failed < c->all)
        fprintf(stderr, ", about %.0f s left",
                seconds * (double)(c->all - c->done - c->failed) / (double)(c->done + c->failed - before));
    fputc('\n', stderr);
}
