/* sweep.c - see sweep.h: the points of a table, run one a process. */
#define _DEFAULT_SOURCE 1
#include "sweep.h"
#include "report/files.h"
#include "run/report.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GOOD = 0, FAILED = 1, REFUSED = 2, MAX_JOBS = 64, POLL_MS = 20, FIRST_REPORT = 3, REPORT_EVERY = 10 /* s */ };

static const struct hd_lab_experiment experiment = {.name = "sweep"};

size_t hd_sweep_points(const struct hd_sweep *s)
{
    return s->machines * s->works * s->seeds;
}

static const struct hd_sweep_machine *machine_of(const struct hd_sweep *s, size_t i)
{
    return &s->machine[i / s->seeds / s->works];
}

static const struct hd_sweep_work *work_of(const struct hd_sweep *s, size_t i)
{
    return &s->work[i / s->seeds % s->works];
}

const char *hd_sweep_label(const struct hd_sweep *s, size_t i, char text[2 * HD_SWEEP_TEXT + 32])
{
    snprintf(text, 2 * HD_SWEEP_TEXT + 32, "%s, %s, seed %u", machine_of(s, i)->label, work_of(s, i)->text,
             s->seed[i % s->seeds]);
    return text;
}

bool hd_sweep_build(struct hd_sweep *s, unsigned jobs)
{
    struct hd_lab_machine **list = calloc(s->machines, sizeof *list);
    size_t n = 0, points = hd_sweep_points(s);
    for (size_t m = 0; list && m < s->machines; m++)
        if (s->machine[m].built == m)
            list[n++] = &s->machine[m].lab;
    s->key = calloc(points, sizeof *s->key);
    bool good = list && s->key && hd_lab_build_all(list, n, jobs);
    free(list);
    for (size_t m = 0; good && m < s->machines; m++) {
        struct hd_lab_machine *to = &s->machine[m].lab, *from = &s->machine[s->machine[m].built].lab;
        to->models = from->models;
        memcpy(to->build, from->build, sizeof to->build);
    }
    for (size_t i = 0; good && i < points; i++) {
        const struct hd_lab_point p = {.experiment = &experiment, .machine = &machine_of(s, i)->lab,
                                       .pattern = work_of(s, i)->text, .loads = s->seed[i % s->seeds]};
        s->key[i] = hd_lab_key(&p);
    }
    return good;
}

const char *hd_sweep_path(const struct hd_sweep *s, size_t i, const char *out, const char *ending,
                          char path[HD_SWEEP_PATH])
{
    char name[HD_RESULTS_HASH];
    hd_results_name(&s->key[i], name);
    snprintf(path, HD_SWEEP_PATH, "%.500s/jobs/%s%s", out, name, ending);
    return path;
}

/* ---- one point --------------------------------------------------------------------------------------------------- */

/* Removes a database and what may stand beside it. */
static void remove_database(const char *path)
{
    static const char *const endings[] = {"", "-wal", "-shm"};
    char file[HD_SWEEP_PATH + 8];
    for (size_t i = 0; i < 3; i++) {
        snprintf(file, sizeof file, "%s%s", path, endings[i]);
        unlink(file);
    }
}

/* Where process @pid writes: on this host, since SQLite needs locks and shared memory. */
static const char *scratch(pid_t pid, char path[HD_SWEEP_PATH])
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, HD_SWEEP_PATH, "%.500s/heddle-sweep-%ld.db", folder && *folder ? folder : "/tmp", (long)pid);
    return path;
}

/* Copies @from so that @to appears whole. @return false after a message. */
static bool publish(const char *from, const char *to)
{
    char aside[HD_SWEEP_PATH + 32], block[65536];
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

static void note_failure(const char *path, const char *reason)
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
static int run(const struct hd_sweep *s, size_t i, const char *db, char reason[256])
{
    const struct hd_lab_machine *m = &machine_of(s, i)->lab;
    const struct hd_lab_program *program = &work_of(s, i)->program;
    const char *params[HD_LAB_PARAMS];
    for (size_t k = 0; k < program->params; k++)
        params[k] = program->param[k];
    struct hd_run_options o = {.config = &m->config, .workload = program->workload, .params = params,
                               .num_params = program->params, .seed = s->seed[i % s->seeds], .models = &m->models};
    struct hd_result r;
    int code = hd_run(&o, &r);
    if (code == GOOD) {
        bool good = hd_result_good(&r);
        struct hd_results *to = hd_results_open(db);
        if (!to || !hd_results_add(to, &r, good ? &s->key[i] : NULL, (uint32_t)r.cycles)) {
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

int hd_sweep_point(const struct hd_sweep *s, size_t i, const char *out)
{
    char path[HD_SWEEP_PATH], db[HD_SWEEP_PATH], reason[256] = "could not run", label[2 * HD_SWEEP_TEXT + 32];
    int log = open(hd_sweep_path(s, i, out, ".log", path), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (log < 0) {
        fprintf(stderr, "heddle: %s: %s\n", path, strerror(errno));
        return REFUSED;
    }
    fflush(NULL);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    close(log);
    fprintf(stderr, "heddle: sweep: %s\n", hd_sweep_label(s, i, label));
    unlink(hd_sweep_path(s, i, out, ".failed", path));
    scratch(getpid(), db);
    remove_database(db);
    int code = run(s, i, db, reason);
    if (code == REFUSED && access(db, F_OK) != 0)
        last_line(hd_sweep_path(s, i, out, ".log", path), reason);
    if (access(db, F_OK) == 0 && !publish(db, hd_sweep_path(s, i, out, ".db", path))) {
        snprintf(reason, sizeof reason, "its result could not be written");
        code = REFUSED;
    }
    remove_database(db);
    if (code != GOOD)
        note_failure(hd_sweep_path(s, i, out, ".failed", path), reason);
    return code;
}

/* ---- collecting -------------------------------------------------------------------------------------------------- */

/* Merges the file of point @i, if there is one. @return false after a message. */
static bool merge(const struct hd_sweep *s, size_t i, const char *out, struct hd_results *db)
{
    char path[HD_SWEEP_PATH], log[HD_SWEEP_PATH];
    if (access(hd_sweep_path(s, i, out, ".db", path), F_OK) != 0)
        return true;
    if (!hd_results_merge(db, path))
        return false;
    unlink(path);
    if (access(hd_sweep_path(s, i, out, ".failed", path), F_OK) != 0)
        unlink(hd_sweep_path(s, i, out, ".log", log));
    return true;
}

bool hd_sweep_merge(const struct hd_sweep *s, const struct hd_sweep_way *way, bool *done)
{
    struct hd_results *db = hd_results_open(way->db);
    bool good = db != NULL;
    for (size_t i = 0; good && i < hd_sweep_points(s); i++) {
        uint32_t value;
        good = merge(s, i, way->out, db);
        done[i] = good && hd_results_find(db, &s->key[i], &value);
    }
    hd_results_close(db);
    return good;
}

void hd_sweep_progress(size_t done, size_t failed, size_t all, size_t before, double seconds)
{
    fprintf(stderr, "sweep: %zu of %zu runs", done, all);
    if (failed > 0)
        fprintf(stderr, ", %zu failed", failed);
    fprintf(stderr, ", %.0f s", seconds);
    if (done > before && done + failed < all)
        fprintf(stderr, ", about %.0f s left",
                seconds * (double)(all - done - failed) / (double)(done + failed - before));
    fputc('\n', stderr);
}

size_t hd_sweep_missing(const struct hd_sweep *s, const struct hd_sweep_way *way, const bool *done)
{
    size_t n = 0;
    for (size_t i = 0; i < hd_sweep_points(s); i++) {
        char path[HD_SWEEP_PATH], reason[256] = "no result yet", label[2 * HD_SWEEP_TEXT + 32];
        if (done[i])
            continue;
        if (n++ == 0)
            fprintf(stderr, "heddle: sweep: these runs have no good result; the next call runs them, and no others:\n");
        FILE *f = fopen(hd_sweep_path(s, i, way->out, ".failed", path), "r");
        if (f && fgets(reason, sizeof reason, f))
            reason[strcspn(reason, "\n")] = '\0';
        fprintf(stderr, "  %s: %s", hd_sweep_label(s, i, label), reason);
        if (f) {
            fclose(f);
            fprintf(stderr, " (%s)", hd_sweep_path(s, i, way->out, ".log", path));
        }
        fputc('\n', stderr);
    }
    return n;
}

/* ---- on the local cores ------------------------------------------------------------------------------------------ */

static volatile sig_atomic_t stopped;

static void on_stop(int signal)
{
    stopped = signal;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct pool {
    const struct hd_sweep *s;
    const struct hd_sweep_way *way;
    struct hd_results *db;
    bool *done;
    pid_t pid[MAX_JOBS];
    size_t point[MAX_JOBS], next, good, failed;
    unsigned running;
    bool broken;
};

/* Has a free place run the next point. */
static void start(struct pool *p, unsigned place)
{
    uint32_t value;
    while (p->next < hd_sweep_points(p->s) && p->done[p->next])
        p->next++;
    if (p->next == hd_sweep_points(p->s))
        return;
    size_t i = p->next++;
    if (hd_results_find(p->db, &p->s->key[i], &value)) { /* the same as one before it */
        p->done[i] = true;
        p->good++;
        return;
    }
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* what nobody waits for must not run for hours */
        _exit(getppid() == parent ? hd_sweep_point(p->s, i, p->way->out) : REFUSED);
    }
    if (pid < 0) {
        perror("heddle: sweep: fork");
        p->broken = true;
        return;
    }
    p->pid[place] = pid;
    p->point[place] = i;
    p->running++;
}

/* Takes what the process in @place has left. */
static void end(struct pool *p, unsigned place, int status)
{
    char path[HD_SWEEP_PATH], reason[128];
    size_t i = p->point[place];
    uint32_t value;
    remove_database(scratch(p->pid[place], path));
    p->pid[place] = 0;
    p->running--;
    if (WIFSIGNALED(status) && !stopped) {
        snprintf(reason, sizeof reason, "crashed: %s", strsignal(WTERMSIG(status)));
        note_failure(hd_sweep_path(p->s, i, p->way->out, ".failed", path), reason);
    }
    if (!merge(p->s, i, p->way->out, p->db))
        p->broken = true;
    p->done[i] = hd_results_find(p->db, &p->s->key[i], &value);
    if (p->done[i])
        p->good++;
    else
        p->failed++;
}

static void collect(struct pool *p)
{
    for (unsigned j = 0; j < MAX_JOBS; j++) {
        int status;
        if (p->pid[j] > 0 && waitpid(p->pid[j], &status, WNOHANG) == p->pid[j])
            end(p, j, status);
    }
}

static void work(struct pool *p)
{
    const struct timespec nap = {.tv_nsec = POLL_MS * 1000000L};
    const size_t all = hd_sweep_points(p->s), before = p->good;
    double began = now(), next = began + FIRST_REPORT;
    bool killed = false;
    while (p->running > 0 || (p->next < all && !stopped && !p->broken)) {
        for (unsigned j = 0; j < p->way->jobs && j < MAX_JOBS && !stopped && !p->broken; j++)
            if (p->pid[j] == 0)
                start(p, j);
        if ((stopped || p->broken) && !killed) {
            for (unsigned j = 0; j < MAX_JOBS; j++)
                if (p->pid[j] > 0)
                    kill(p->pid[j], SIGKILL);
            killed = true;
        }
        nanosleep(&nap, NULL);
        collect(p);
        if (now() >= next && !stopped) {
            hd_sweep_progress(p->good, p->failed, all, before, now() - began);
            next += REPORT_EVERY;
        }
    }
    if (!stopped && p->good + p->failed > before)
        hd_sweep_progress(p->good, p->failed, all, before, now() - began);
}

int hd_sweep_run(const struct hd_sweep *s, const struct hd_sweep_way *way, bool *done)
{
    struct pool p = {.s = s, .way = way, .done = done};
    struct sigaction stop = {.sa_handler = on_stop}, old_int, old_term;
    if (!hd_sweep_merge(s, way, done) || !(p.db = hd_results_open(way->db)))
        return REFUSED;
    for (size_t i = 0; i < hd_sweep_points(s); i++)
        p.good += done[i];
    if (p.good > 0)
        fprintf(stderr, "sweep: %zu of %zu runs are in %s\n", p.good, hd_sweep_points(s), way->db);
    sigaction(SIGINT, &stop, &old_int);
    sigaction(SIGTERM, &stop, &old_term);
    work(&p);
    sigaction(SIGINT, &old_int, NULL);
    sigaction(SIGTERM, &old_term, NULL);
    hd_results_close(p.db);
    if (stopped) {
        fprintf(stderr, "heddle: sweep: interrupted: %zu of %zu runs are done; the same call goes on from here\n",
                p.good, hd_sweep_points(s));
        return REFUSED;
    }
    return p.broken ? REFUSED : p.failed > 0 ? FAILED : GOOD;
}
