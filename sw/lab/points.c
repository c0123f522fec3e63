/* points.c - see lab.h: measures points in worker processes.
 *
 * Every point is a run on a machine that has just been made: its caches are empty, so all lines are cold, and one point
 * cannot change the next. (Making one takes a few milliseconds; flushing one would be cycles to simulate.) The workers
 * take points from a shared counter, write each into the database themselves and give the value to the parent in
 * shared memory; they end with the parent. */
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS */
#include "jobs.h"
#include "run/report.h"
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GOOD = 0, FAILED = 1, REFUSED = 2 };
enum { MAX_JOBS = 64, POLL_MS = 100, FIRST_REPORT = 3, REPORT_EVERY = 10 /* seconds */, LABEL = 300 };

/* What parent and workers share. */
struct board {
    atomic_size_t next;        /* the next of the missing points */
    atomic_int code;           /* the worst exit code */
    _Atomic uint32_t value[];  /* of the missing points; 0: not yet */
};

struct crew {
    struct hd_lab_point *points;
    size_t *missing, count;
    const struct hd_lab_way *way;
    struct board *board;
    pid_t parent, pid[MAX_JOBS];
};

bool hd_lab_build(struct hd_lab_machine *m)
{
    if (!hd_models_get(&m->config, false, &m->models))
        return false;
    hd_results_config(&m->config, m->hash);
    hd_results_build(&m->models, m->build);
    return true;
}

bool hd_lab_build_all(struct hd_lab_machine **m, size_t n, unsigned jobs)
{
    bool good = true;
    fflush(NULL);
    for (unsigned j = 0; j < jobs && j < n; j++) {
        pid_t pid = fork();
        if (pid < 0)
            good = false;
        if (pid != 0)
            continue;
        for (size_t i = j; i < n && good; i += jobs)
            good = hd_lab_build(m[i]);
        _exit(good ? GOOD : REFUSED);
    }
    for (int status; wait(&status) > 0;)
        good &= WIFEXITED(status) && WEXITSTATUS(status) == GOOD;
    for (size_t i = 0; i < n && good; i++) /* here only names and hashes are missing */
        good = hd_lab_build(m[i]);
    return good;
}

/* ---- a worker ---------------------------------------------------------------------------------------------------- */

struct hd_results_key hd_lab_key(const struct hd_lab_point *p)
{
    struct hd_results_key key = {.experiment = p->experiment->name, .pattern = p->pattern, .loads = p->loads,
                                 .threads = p->threads, .offset = p->offset};
    memcpy(key.config, p->machine->hash, sizeof key.config);
    memcpy(key.build, p->machine->build, sizeof key.build);
    return key;
}

void hd_lab_words(const struct hd_lab_point *p, struct hd_lab_program *to)
{
    char text[LABEL], *rest = NULL;
    snprintf(text, sizeof text, "%s", p->pattern);
    to->workload = hd_workload_find(strtok_r(text, " ", &rest));
    for (char *word; to->params < HD_LAB_PARAMS && (word = strtok_r(NULL, " ", &rest));)
        snprintf(to->param[to->params++], sizeof to->param[0], "%.39s", word);
}

const char *hd_lab_label(const struct hd_lab_point *p, char text[LABEL])
{
    struct hd_lab_program program = {0};
    char order[32];
    p->experiment->program(p, &program);
    int n = snprintf(text, LABEL, "on %.60s, order %s, %.40s", p->machine->config.name,
                     hd_report_key(&p->machine->config, "order", order), program.workload->name);
    for (size_t i = 0; i < program.params && n > 0 && n < LABEL; i++)
        n += snprintf(text + n, LABEL - (size_t)n, " %s", program.param[i]);
    return text;
}

/* Runs a point. @return the exit code. */
static int run(const struct hd_lab_point *p, struct hd_results *db, uint32_t *value)
{
    struct hd_lab_program program = {0};
    const char *params[HD_LAB_PARAMS];
    p->experiment->program(p, &program);
    for (size_t i = 0; i < program.params; i++)
        params[i] = program.param[i];
    struct hd_run_options o = {.config = &p->machine->config, .workload = program.workload, .params = params,
                               .num_params = program.params, .seed = p->seed ? p->seed : 1, .models = &p->machine->models};
    struct hd_result r;
    int code = hd_run(&o, &r);
    if (code == GOOD) {
        struct hd_results_key key = hd_lab_key(p);
        const char *counter = p->experiment->counter;
        bool good = hd_result_good(&r);
        *value = (uint32_t)(counter ? hd_work_counter_value(r.work, counter) : r.cycles);
        if (!hd_results_add(db, &r, good ? &key : NULL, *value))
            code = REFUSED;
        else if (!good) {
            hd_report_failed(&r);
            code = FAILED;
        }
    }
    if (code != GOOD) {
        char label[300];
        fprintf(stderr, "heddle: lab: this failed: %s\n", hd_lab_label(p, label));
    }
    hd_result_free(&r);
    return code;
}

static int work(const struct crew *c)
{
    struct hd_results *db = hd_results_open(c->way->db);
    int code = db ? GOOD : REFUSED;
    while (code == GOOD && c->board->code == GOOD && getppid() == c->parent) {
        size_t i = atomic_fetch_add(&c->board->next, 1);
        uint32_t value = 0;
        if (i >= c->count)
            break;
        code = run(&c->points[c->missing[i]], db, &value);
        c->board->value[i] = value;
    }
    hd_results_close(db);
    if (code > c->board->code)
        c->board->code = code;
    return code;
}

/* ---- the parent -------------------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void report(const struct crew *c, double seconds)
{
    double done = 0, all = 0;
    size_t points = 0;
    for (size_t i = 0; i < c->count; i++) {
        double cost = c->points[c->missing[i]].cost;
        all += cost;
        if (c->board->value[i] != 0) {
            done += cost;
            points++;
        }
    }
    fprintf(stderr, "lab: %zu of %zu runs, %.0f s", points, c->count, seconds);
    if (done > 0)
        fprintf(stderr, ", about %.0f s left", seconds * (all - done) / done);
    fputc('\n', stderr);
}

/* Waits for all workers. @return false when one has crashed. */
static bool wait_for(struct crew *c, unsigned jobs)
{
    const struct timespec nap = {.tv_nsec = POLL_MS * 1000000L};
    double start = now(), next = start + FIRST_REPORT;
    bool good = true;
    for (unsigned left = jobs; left > 0;) {
        int status;
        for (unsigned j = 0; j < jobs; j++)
            if (c->pid[j] > 0 && waitpid(c->pid[j], &status, WNOHANG) == c->pid[j]) {
                c->pid[j] = 0;
                left--;
                good &= WIFEXITED(status);
            }
        if (left > 0 && now() >= next) {
            report(c, now() - start);
            next += REPORT_EVERY;
        }
        if (left > 0)
            nanosleep(&nap, NULL);
    }
    return good;
}

static int measure(struct crew *c)
{
    size_t bytes = sizeof *c->board + c->count * sizeof c->board->value[0];
    c->board = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (c->board == MAP_FAILED) {
        fprintf(stderr, "heddle: no memory\n");
        return REFUSED;
    }
    unsigned jobs = c->way->jobs < MAX_JOBS ? c->way->jobs : MAX_JOBS, started = 0;
    jobs = c->count < jobs ? (unsigned)c->count : jobs;
    c->parent = getpid();
    fflush(NULL);
    for (; started < jobs; started++) {
        c->pid[started] = fork();
        if (c->pid[started] == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL); /* or its run is measured twice when the experiment is started again */
            _exit(work(c));
        }
        if (c->pid[started] < 0) {
            perror("heddle: lab: fork");
            c->board->code = REFUSED;
            break;
        }
    }
    if (!wait_for(c, started)) {
        fprintf(stderr, "heddle: lab: a worker has crashed\n");
        c->board->code = FAILED;
    }
    int code = c->board->code;
    for (size_t i = 0; code == GOOD && i < c->count; i++)
        c->points[c->missing[i]].value = c->board->value[i];
    munmap(c->board, bytes);
    return code;
}

int hd_lab_measure(struct hd_lab_point *points, size_t n, const struct hd_lab_way *way)
{
    struct crew c = {.points = points, .way = way, .missing = calloc(n + 1, sizeof *c.missing)};
    struct hd_results *db = hd_results_open(way->db);
    if (!c.missing || !db) {
        free(c.missing);
        hd_results_close(db);
        return REFUSED;
    }
    for (size_t i = 0; i < n; i++) {
        struct hd_results_key key = hd_lab_key(&points[i]);
        if (!hd_results_find(db, &key, &points[i].value))
            c.missing[c.count++] = i;
    }
    hd_results_close(db);
    if (c.count < n)
        fprintf(stderr, "lab: %zu of %zu runs are in %s\n", n - c.count, n, way->db);
    int code = c.count == 0 ? GOOD : way->slurm ? hd_jobs_measure(points, c.missing, c.count, way) : measure(&c);
    free(c.missing);
    return code;
}
