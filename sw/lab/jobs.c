/* jobs.c - see jobs.h: one point as a job, what is left of it, and the view of many. */
#define _DEFAULT_SOURCE 1
#include "jobs.h"
#include "run/report.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GOOD = 0, FAILED = 1, REFUSED = 2, LINE = HD_LAB_LABEL + 200 };

const char *hd_jobs_path(const struct hd_results_key *key, const char *out, const char *ending, char path[HD_JOBS_PATH])
{
    char name[HD_RESULTS_HASH];
    hd_results_name(key, name);
    snprintf(path, HD_JOBS_PATH, "%.500s/jobs/%s%s", out, name, ending);
    return path;
}

static bool there(const struct hd_results_key *key, const char *out, const char *ending)
{
    char path[HD_JOBS_PATH];
    return access(hd_jobs_path(key, out, ending, path), F_OK) == 0;
}

static void drop(const struct hd_results_key *key, const char *out, const char *ending)
{
    char path[HD_JOBS_PATH];
    unlink(hd_jobs_path(key, out, ending, path));
}

/* ---- one job ----------------------------------------------------------------------------------------------------- */

void hd_jobs_note_failure(const struct hd_results_key *key, const char *out, const char *reason)
{
    char path[HD_JOBS_PATH];
    FILE *f = fopen(hd_jobs_path(key, out, ".failed", path), "w");
    if (f) {
        fprintf(f, "%s\n", reason);
        fclose(f);
    }
}

void hd_jobs_forget(const struct hd_results_key *key, const char *out)
{
    drop(key, out, ".failed");
    drop(key, out, ".log");
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

/* Runs and writes the row. @return the exit code; @reason is then why not. */
static int run(const struct hd_lab_point *p, const struct hd_results_key *key, const char *out, char reason[256])
{
    struct hd_lab_program program = {0};
    const char *params[HD_LAB_PARAMS];
    char path[HD_JOBS_PATH];
    p->experiment->program(p, &program);
    for (size_t k = 0; k < program.params; k++)
        params[k] = program.param[k];
    struct hd_run_options o = {.config = &p->machine->config, .workload = program.workload, .params = params,
                               .num_params = program.params, .seed = p->seed, .models = &p->machine->models};
    struct hd_result r;
    int code = hd_run(&o, &r);
    if (code != GOOD)
        last_line(hd_jobs_path(key, out, ".log", path), reason);
    else {
        const char *counter = p->experiment->counter;
        bool good = hd_result_good(&r);
        if (!hd_results_write(hd_jobs_path(key, out, ".row", path), &r, good ? key : NULL,
                              (uint32_t)(counter ? hd_work_counter_value(r.work, counter) : r.cycles))) {
            snprintf(reason, 256, "its result could not be written");
            code = REFUSED;
        } else if (!good) {
            hd_report_failed(&r);
            failed_check(&r, reason);
            code = FAILED;
        }
    }
    hd_result_free(&r);
    return code;
}

int hd_jobs_run(const struct hd_lab_point *p, const char *what, const char *label, const char *out)
{
    const struct hd_results_key key = hd_lab_key(p);
    char path[HD_JOBS_PATH], reason[256] = "could not run", host[64] = "";
    int log = open(hd_jobs_path(&key, out, ".log", path), O_WRONLY | O_CREAT | O_TRUNC, 0666);
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
    drop(&key, out, ".failed");
    int code = run(p, &key, out, reason);
    fflush(NULL);
    if (code == GOOD)
        drop(&key, out, ".log");
    else
        hd_jobs_note_failure(&key, out, reason);
    return code;
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

/* ---- many -------------------------------------------------------------------------------------------------------- */

bool hd_jobs_take(struct hd_results *db, struct hd_lab_point *points, const size_t *list, size_t n, const char *out)
{
    char path[HD_JOBS_PATH];
    bool *taken = calloc(n + 1, sizeof *taken), any = false, good = taken != NULL;
    for (size_t i = 0; good && i < n; i++) {
        struct hd_lab_point *p = &points[list ? list[i] : i];
        const struct hd_results_key key = hd_lab_key(p);
        taken[i] = access(hd_jobs_path(&key, out, ".row", path), F_OK) == 0;
        if (taken[i] && !any)
            any = good = hd_results_begin(db);
        /* One that is there already was taken by a process that did not live to remove its file. */
        if (good && taken[i] && !hd_results_find(db, &key, &p->value))
            good = hd_results_take(db, path);
    }
    if (any)
        good = hd_results_end(db, good);
    for (size_t i = 0; good && i < n; i++) {
        struct hd_lab_point *p = &points[list ? list[i] : i];
        const struct hd_results_key key = hd_lab_key(p);
        if (taken[i])
            drop(&key, out, ".row");
        p->done = hd_results_find(db, &key, &p->value);
        if (p->done) /* its job may have been killed between its row and the end of its messages */
            hd_jobs_forget(&key, out);
    }
    free(taken);
    return good;
}

/* ---- how far ----------------------------------------------------------------------------------------------------- */

void hd_jobs_progress(const char *what, const struct hd_jobs_count *c, double seconds)
{
    fprintf(stderr, "%s: %zu of %zu runs", what, c->done, c->all);
    if (c->failed > 0)
        fprintf(stderr, ", %zu failed", c->failed);
    if (c->running > 0)
        fprintf(stderr, ", %zu running", c->running);
    fprintf(stderr, ", %.0f s", seconds);
    if (c->paid > 0 && c->done + c->failed < c->all)
        fprintf(stderr, ", about %.0f s left", seconds * (c->cost - c->paid) / c->paid);
    fputc('\n', stderr);
}

/* The first line of the messages of a point that runs: what it is, and where. */
static void say_where(const struct hd_results_key *key, const char *out)
{
    char path[HD_JOBS_PATH], line[LINE] = "";
    FILE *f = fopen(hd_jobs_path(key, out, ".log", path), "r");
    const char *text = f && fgets(line, sizeof line, f) ? strstr(line, ": ") : NULL;
    if (text)
        printf("  %s", text + 2);
    if (f)
        fclose(f);
}

/* Looks and prints. @return whether all have ended; *failed: how many badly. */
static bool view(const struct hd_results_key *keys, size_t n, const struct hd_lab_way *way, struct hd_results *db, size_t *failed)
{
    struct hd_jobs_count count = {.all = n};
    size_t *runs = calloc(n + 1, sizeof *runs);
    for (size_t i = 0; runs && i < n; i++) {
        uint32_t value;
        bool said = there(&keys[i], way->out, ".log"); /* first: a job that ends meanwhile has left the others */
        if (there(&keys[i], way->out, ".failed"))
            count.failed++;
        else if (there(&keys[i], way->out, ".row") || hd_results_find(db, &keys[i], &value))
            count.done++;
        else if (said)
            runs[count.running++] = i;
    }
    printf("%s: %zu of %zu runs, %zu failed, %zu running, %zu to come\n", way->sweep ? "sweep" : "lab", count.done, count.all,
           count.failed, count.running, count.all - count.done - count.failed - count.running);
    for (size_t i = 0; runs && i < count.running; i++)
        say_where(&keys[runs[i]], way->out);
    free(runs);
    fflush(stdout);
    *failed = count.failed;
    return count.done + count.failed == count.all;
}

int hd_jobs_watch(const struct hd_results_key *keys, size_t n, const struct hd_lab_way *way, unsigned seconds)
{
    for (;;) {
        size_t failed;
        struct hd_results *db = hd_results_open(way->db);
        if (!db)
            return REFUSED;
        bool ended = view(keys, n, way, db, &failed);
        hd_results_close(db);
        if (seconds == 0 || ended)
            return failed > 0 ? FAILED : GOOD;
        sleep(seconds);
    }
}
