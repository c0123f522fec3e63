/* jobs_local.c - see jobs.h: jobs on this host.
 *
 * Worker processes take points from a shared counter, one after the other; each is a run on a machine that has just been made: its
 * caches are empty, and one point cannot change the next. The parent takes the rows that they leave. A worker that crashes costs
 * its point alone, and another one takes its place. They end with the parent. */
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS */
#include "jobs.h"
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

enum { GOOD = 0, FAILED = 1, REFUSED = 2, POLL_MS = 20 };
enum { WAITS, ENDED, TAKEN };

/* What parent and workers share. */
struct board {
    atomic_size_t next;        /* the next of the list */
    atomic_size_t at[HD_JOBS_MOST]; /* where each worker is, from 1; 0: nowhere */
    atomic_uchar state[];      /* of the list */
};

struct crew {
    struct hd_lab_point *points;
    const size_t *list;
    size_t n, first;           /* first: all before are taken */
    const struct hd_lab_way *way;
    struct board *board;
    struct hd_results *db;
    size_t *ended;             /* numbers of points that have ended and are to be taken */
    pid_t parent, pid[HD_JOBS_MOST];
    unsigned running;
    struct hd_jobs_count count;
    bool broken;
};

static volatile sig_atomic_t stopped;

static void on_signal(int signal)
{
    if (signal != SIGCHLD) /* that one only ends a nap */
        stopped = signal;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char *what(const struct crew *c)
{
    return c->way->sweep ? "sweep" : "lab";
}

/* ---- a worker ---------------------------------------------------------------------------------------------------- */

static void work(const struct crew *c, unsigned place)
{
    size_t i;
    while (getppid() == c->parent && (i = atomic_fetch_add(&c->board->next, 1)) < c->n) {
        const struct hd_lab_point *p = &c->points[c->list[i]];
        char label[HD_LAB_LABEL];
        c->board->at[place] = i + 1;
        hd_jobs_run(p, what(c), hd_lab_label(p, label), c->way->out);
        c->board->state[i] = ENDED;
        c->board->at[place] = 0;
    }
}

static void start(struct crew *c, unsigned place)
{
    pid_t pid = fork();
    if (pid == 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        signal(SIGCHLD, SIG_DFL);
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* or its run is measured twice when the experiment is started again */
        work(c, place);
        _exit(GOOD);
    }
    if (pid < 0) {
        fprintf(stderr, "heddle: %s: ", what(c));
        perror("fork");
        c->broken = true;
        return;
    }
    c->pid[place] = pid;
    c->running++;
}

/* ---- the parent -------------------------------------------------------------------------------------------------- */

/* A worker has ended; one that was at a point has crashed there. */
static void end(struct crew *c, unsigned place, int status)
{
    size_t at = atomic_exchange(&c->board->at[place], 0);
    c->pid[place] = 0;
    c->running--;
    if (at == 0 || c->board->state[at - 1] != WAITS)
        return;
    const struct hd_results_key key = hd_lab_key(&c->points[c->list[at - 1]]);
    char reason[128] = "its process ended";
    if (WIFSIGNALED(status))
        snprintf(reason, sizeof reason, "crashed: %s", strsignal(WTERMSIG(status)));
    if (stopped || c->broken)
        hd_jobs_forget(&key, c->way->out);
    else
        hd_jobs_note_failure(&key, c->way->out, reason);
    c->board->state[at - 1] = ENDED;
}

static void reap(struct crew *c)
{
    for (unsigned j = 0; j < HD_JOBS_MOST; j++) {
        int status;
        if (c->pid[j] > 0 && waitpid(c->pid[j], &status, WNOHANG) == c->pid[j])
            end(c, j, status);
    }
}

/* Takes what has ended since. */
static void take(struct crew *c)
{
    size_t given = c->board->next < c->n ? c->board->next : c->n, n = 0;
    for (size_t i = c->first; i < given; i++)
        if (c->board->state[i] == ENDED) {
            c->board->state[i] = TAKEN;
            c->ended[n++] = c->list[i];
        }
    while (c->first < given && c->board->state[c->first] == TAKEN)
        c->first++;
    if (n > 0 && !hd_jobs_take(c->db, c->points, c->ended, n, c->way->out))
        c->broken = true;
    for (size_t i = 0; i < n; i++) {
        const struct hd_lab_point *p = &c->points[c->ended[i]];
        c->count.done += p->done;
        c->count.failed += !p->done;
        c->count.paid += p->cost > 0 ? p->cost : 1;
    }
}

static void report(struct crew *c, double seconds)
{
    c->count.running = c->running;
    hd_jobs_progress(what(c), &c->count, seconds);
}

static void watch_over(struct crew *c)
{
    const struct timespec nap = {.tv_nsec = POLL_MS * 1000000L};
    const unsigned places = c->way->jobs < HD_JOBS_MOST ? c->way->jobs : HD_JOBS_MOST;
    double began = now(), next = began + HD_JOBS_FIRST;
    bool killed = false, said = false;
    while (c->running > 0 || (c->board->next < c->n && !stopped && !c->broken)) {
        for (unsigned j = 0; j < places && c->board->next + c->running < c->n + places && !stopped && !c->broken; j++)
            if (c->pid[j] == 0 && c->board->next < c->n)
                start(c, j);
        if ((stopped || c->broken) && !killed) {
            for (unsigned j = 0; j < HD_JOBS_MOST; j++)
                if (c->pid[j] > 0)
                    kill(c->pid[j], SIGKILL);
            killed = true;
        }
        nanosleep(&nap, NULL);
        reap(c);
        take(c);
        if (now() >= next && !stopped && c->running > 0) {
            report(c, now() - began);
            next += HD_JOBS_EVERY;
            said = true;
        }
    }
    take(c);
    if (said && !stopped)
        report(c, now() - began);
}

int hd_jobs_local(struct hd_lab_point *points, const size_t *list, size_t n, size_t before, const struct hd_lab_way *way)
{
    struct crew c = {.points = points, .list = list, .n = n, .way = way, .parent = getpid(), .ended = calloc(n, sizeof *c.ended),
                     .count = {.all = before + n, .done = before}};
    const size_t bytes = sizeof *c.board + n * sizeof c.board->state[0];
    const struct sigaction on = {.sa_handler = on_signal};
    struct sigaction old[3];
    c.board = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (c.board == MAP_FAILED || !c.ended) {
        fprintf(stderr, "heddle: no memory\n");
        free(c.ended);
        return REFUSED;
    }
    for (size_t i = 0; i < n; i++)
        c.count.cost += points[list[i]].cost > 0 ? points[list[i]].cost : 1;
    fflush(NULL);
    sigaction(SIGINT, &on, &old[0]);
    sigaction(SIGTERM, &on, &old[1]);
    sigaction(SIGCHLD, &on, &old[2]);
    c.db = hd_results_open(way->db);
    c.broken = !c.db;
    watch_over(&c);
    hd_results_close(c.db);
    sigaction(SIGINT, &old[0], NULL);
    sigaction(SIGTERM, &old[1], NULL);
    sigaction(SIGCHLD, &old[2], NULL);
    munmap(c.board, bytes);
    free(c.ended);
    if (stopped)
        fprintf(stderr, "heddle: %s: interrupted: %zu of %zu runs are done; the same call goes on from here\n", what(&c),
                c.count.done, c.count.all);
    return stopped || c.broken ? REFUSED : c.count.failed > 0 ? FAILED : GOOD;
}

bool hd_jobs_stopped(void)
{
    return stopped;
}
