/* sweep.c - see sweep.h: the points of a table, run one a process. */
#define _DEFAULT_SOURCE 1
#include "sweep.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GOOD = 0, FAILED = 1, REFUSED = 2, MAX_JOBS = 64, POLL_MS = 20, FIRST_REPORT = 3, REPORT_EVERY = 10 /* s */ };

static const struct hd_lab_experiment experiment = {.name = "sweep", .program = hd_lab_words};

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

static struct hd_lab_point point_of(const struct hd_sweep *s, size_t i)
{
    return (struct hd_lab_point){.experiment = &experiment, .machine = &machine_of(s, i)->lab, .pattern = work_of(s, i)->text,
                                 .loads = s->seed[i % s->seeds], .seed = s->seed[i % s->seeds]};
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
        const struct hd_lab_point p = point_of(s, i);
        s->key[i] = hd_lab_key(&p);
    }
    return good;
}

/* ---- one point --------------------------------------------------------------------------------------------------- */

int hd_sweep_point(const struct hd_sweep *s, size_t i, const char *out)
{
    char label[2 * HD_SWEEP_TEXT + 32];
    const struct hd_lab_point p = point_of(s, i);
    return hd_jobs_run(&p, &s->key[i], "sweep", hd_sweep_label(s, i, label), out);
}

/* ---- collecting -------------------------------------------------------------------------------------------------- */

bool hd_sweep_merge(const struct hd_sweep *s, const struct hd_sweep_way *way, bool *done)
{
    struct hd_results *db = hd_results_open(way->db);
    bool good = db != NULL;
    for (size_t i = 0; good && i < hd_sweep_points(s); i++) {
        uint32_t value;
        good = hd_jobs_merge(&s->key[i], way->out, db);
        done[i] = good && hd_results_find(db, &s->key[i], &value);
    }
    hd_results_close(db);
    return good;
}

size_t hd_sweep_missing(const struct hd_sweep *s, const struct hd_sweep_way *way, const bool *done)
{
    size_t n = 0;
    for (size_t i = 0; i < hd_sweep_points(s); i++) {
        char label[2 * HD_SWEEP_TEXT + 32];
        if (done[i])
            continue;
        if (n++ == 0)
            fprintf(stderr, "heddle: sweep: these runs have no good result; the next call runs them, and no others:\n");
        hd_jobs_complain(&s->key[i], way->out, hd_sweep_label(s, i, label));
    }
    return n;
}

/* The first line of the messages of point @i, which runs: what it is, and where. */
static void say_where(const struct hd_sweep *s, size_t i, const char *out)
{
    char path[HD_JOBS_PATH], line[2 * HD_SWEEP_TEXT + 200] = "";
    FILE *f = fopen(hd_jobs_path(&s->key[i], out, ".log", path), "r");
    if (f && fgets(line, sizeof line, f) && strncmp(line, "sweep: ", 7) == 0)
        printf("  %s", line + 7);
    if (f)
        fclose(f);
}

int hd_sweep_watch(const struct hd_sweep *s, const struct hd_sweep_way *way, unsigned seconds)
{
    for (;;) {
        struct hd_jobs_count count = {0};
        struct hd_results *db = hd_results_open(way->db);
        if (!db)
            return REFUSED;
        size_t *runs = calloc(hd_sweep_points(s), sizeof *runs);
        for (size_t i = 0; runs && i < hd_sweep_points(s); i++) {
            uint32_t value;
            size_t before = count.running;
            if (hd_jobs_look(&count, &s->key[i], way->out, hd_results_find(db, &s->key[i], &value)))
                runs[before] = i;
        }
        hd_results_close(db);
        printf("sweep: %zu of %zu runs, %zu failed, %zu running, %zu to come\n", count.done, count.all, count.failed, count.running,
               count.all - count.done - count.failed - count.running);
        for (size_t i = 0; runs && i < count.running; i++)
            say_where(s, runs[i], way->out);
        free(runs);
        fflush(stdout);
        if (seconds == 0 || count.done + count.failed == count.all)
            return count.failed > 0 ? FAILED : GOOD;
        sleep(seconds);
    }
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
    char path[HD_JOBS_PATH], reason[128];
    size_t i = p->point[place];
    uint32_t value;
    hd_jobs_remove(hd_jobs_scratch(p->pid[place], path));
    p->pid[place] = 0;
    p->running--;
    if (WIFSIGNALED(status) && !stopped) {
        snprintf(reason, sizeof reason, "crashed: %s", strsignal(WTERMSIG(status)));
        hd_jobs_note_failure(hd_jobs_path(&p->s->key[i], p->way->out, ".failed", path), reason);
    }
    if (!hd_jobs_merge(&p->s->key[i], p->way->out, p->db))
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

static void progress(const struct pool *p, size_t before, double seconds)
{
    const struct hd_jobs_count count = {hd_sweep_points(p->s), p->good, p->failed, p->running};
    hd_jobs_progress("sweep", &count, before, seconds);
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
            progress(p, before, now() - began);
            next += REPORT_EVERY;
        }
    }
    if (!stopped && p->good + p->failed > before)
        progress(p, before, now() - began);
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
