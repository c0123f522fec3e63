/* jobs_slurm.c - see jobs.h: jobs as an array of Slurm, a task for each of the points written down, or for some. */
#define _DEFAULT_SOURCE 1
#include "jobs.h"
#include "report/files.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { GOOD = 0, FAILED = 1, REFUSED = 2, TASKS = 1000 /* of an array: Slurm's MaxArraySize is 1001 unless it was changed */ };
enum { POLL = 1, GONE = 5, LEAVES = 60 /* s */ };

/* ---- an array ---------------------------------------------------------------------------------------------------- */

/* Writes the points of each task, a line each, by their number among those written down. @return the number of tasks, 0 after a
 * message. */
static size_t write_tasks(const char *out, size_t n)
{
    size_t each = (n + TASKS - 1) / TASKS;
    FILE *f = hd_files_open_in(out, "slurm.tasks");
    for (size_t i = 0; f && i < n; i++)
        fprintf(f, "%zu%c", i, (i + 1) % each == 0 || i + 1 == n ? '\n' : ' ');
    return f && hd_files_close(f, "slurm.tasks") ? (n + each - 1) / each : 0;
}

static bool write_script(const char *name, const char *out, size_t tasks)
{
    char exe[600];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[n > 0 ? n : 0] = '\0';
    if (strchr(out, '\'') || strchr(exe, '\'')) {
        fprintf(stderr, "heddle: %s: a path with an apostrophe cannot be given to Slurm\n", strchr(out, '\'') ? out : exe);
        return false;
    }
    FILE *f = n > 0 ? hd_files_open_in(out, "slurm.sh") : NULL;
    if (!f)
        return false;
    fprintf(f, "#!/bin/sh\n#SBATCH --job-name=heddle-%s\n#SBATCH --array=1-%zu\n#SBATCH --ntasks=1\n"
               "#SBATCH --output=%s/jobs/slurm-%%A_%%a.out\nout='%s'\nstatus=0\n"
               "for i in $(sed -n \"${SLURM_ARRAY_TASK_ID}p\" \"$out/slurm.tasks\"); do\n"
               "  '%s' lab point \"$i\" --slurm \"$out\" || status=1\ndone\nexit $status\n",
            name, tasks, out, out, exe);
    return hd_files_close(f, "slurm.sh");
}

static const char *array_path(const char *out, char path[HD_JOBS_PATH])
{
    snprintf(path, HD_JOBS_PATH, "%.600s/jobs/.array", out);
    return path;
}

/* Hands the script to Slurm and notes the number that it gets, in @number too. */
static bool submit(const char *out, char number[32])
{
    char command[HD_JOBS_PATH + 40], path[HD_JOBS_PATH];
    snprintf(command, sizeof command, "sbatch --parsable '%.600s/slurm.sh'", out);
    fflush(NULL);
    FILE *f = popen(command, "r");
    bool said = f && fgets(number, 32, f);
    if (!f || pclose(f) != 0 || !said) {
        fprintf(stderr, "heddle: %s/slurm.sh was not submitted: sbatch is missing or failed\n", out);
        return false;
    }
    number[strspn(number, "0123456789")] = '\0'; /* "NUMBER;CLUSTER" */
    if ((f = fopen(array_path(out, path), "w"))) {
        fprintf(f, "%s\n", number);
        fclose(f);
    }
    return true;
}

/* The array of folder @out that Slurm still has tasks of, in @number; false: there is none, or nobody knows. */
static bool queued(const char *out, char number[32])
{
    char path[HD_JOBS_PATH], command[100], line[200];
    FILE *f = fopen(array_path(out, path), "r");
    bool any = f && fgets(number, 32, f);
    if (f)
        fclose(f);
    if (!any)
        return false;
    number[strspn(number, "0123456789")] = '\0';
    snprintf(command, sizeof command, "squeue -h -j '%s' 2>/dev/null", number);
    f = popen(command, "r");
    any = f && fgets(line, sizeof line, f);
    return f && pclose(f) == 0 && any; /* a number that it has forgotten is an error to it */
}

bool hd_jobs_queued(const struct hd_lab_way *way)
{
    char number[32];
    if (!queued(way->out, number))
        return false;
    fprintf(stderr, "heddle: %s: Slurm still has tasks of array %s, which this folder's points are written down for: wait for them, or "
                    "end them (scancel %s)\n", way->out, number, number);
    return true;
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Takes what is there. @return false after a message. */
static bool look(struct hd_lab_point *points, const size_t *list, size_t n, size_t before, const struct hd_lab_way *way,
                 struct hd_jobs_count *count)
{
    char path[HD_JOBS_PATH];
    struct hd_results *db = hd_results_open(way->db);
    bool good = db && hd_jobs_take(db, points, list, n, way->out);
    hd_results_close(db);
    *count = (struct hd_jobs_count){.all = before + n, .done = before};
    for (size_t i = 0; good && i < n; i++) {
        const struct hd_lab_point *p = &points[list[i]];
        const struct hd_results_key key = hd_lab_key(p);
        bool failed = !p->done && access(hd_jobs_path(&key, way->out, ".failed", path), F_OK) == 0;
        count->done += p->done;
        count->failed += failed;
        count->running += !p->done && !failed && access(hd_jobs_path(&key, way->out, ".log", path), F_OK) == 0;
        count->cost += p->cost > 0 ? p->cost : 1;
        if (p->done || failed)
            count->paid += p->cost > 0 ? p->cost : 1;
    }
    return good;
}

/* Until all have ended, or those that have not are in no queue. */
static bool wait_for(struct hd_lab_point *points, const size_t *list, size_t n, size_t before, const struct hd_lab_way *way)
{
    char number[32];
    struct hd_jobs_count count;
    double start = now(), next = start + HD_JOBS_FIRST;
    for (unsigned gone = 0;;) {
        if (!look(points, list, n, before, way, &count))
            return false;
        if (count.done + count.failed == count.all || gone > GONE)
            break;
        gone = queued(way->out, number) ? 0 : gone + 1;
        if (now() >= next) {
            hd_jobs_progress("lab", &count, now() - start);
            next = now() + HD_JOBS_EVERY;
        }
        sleep(POLL);
    }
    for (unsigned i = 0; i < LEAVES && queued(way->out, number); i++) /* or the next array would be refused */
        sleep(POLL);
    return true;
}

int hd_jobs_slurm(struct hd_lab_point *points, const size_t *list, size_t n, size_t before, const struct hd_lab_way *way)
{
    const char *name = way->sweep ? way->sweep : points[list[0]].experiment->name;
    if (strchr(way->out, '\'') || strchr(way->out, '\n')) {
        fprintf(stderr, "heddle: %s %s: must be a name without quotes\n", way->sweep ? "--out" : "--slurm", way->out);
        return REFUSED;
    }
    char number[32];
    size_t tasks = write_tasks(way->out, n);
    if (tasks == 0 || !write_script(name, way->out, tasks) || !submit(way->out, number))
        return REFUSED;
    fprintf(stderr, "%s: %zu runs in %zu tasks of Slurm, array %s\n", way->sweep ? "sweep" : "lab", n, tasks, number);
    if (way->sweep)
        return GOOD;
    if (!wait_for(points, list, n, before, way))
        return REFUSED;
    for (size_t i = 0; i < n; i++)
        if (!points[list[i]].done)
            return FAILED;
    return GOOD;
}
