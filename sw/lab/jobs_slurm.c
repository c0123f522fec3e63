/* jobs_slurm.c - see jobs.h: jobs as an array of Slurm; points of labs written down, so that a task needs nothing but a line. */
#define _DEFAULT_SOURCE 1
#include "jobs.h"
#include "report/files.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GOOD = 0, FAILED = 1, REFUSED = 2, TASKS = 1000 /* of an array: Slurm's MaxArraySize is 1001 unless it was changed */ };
enum { POLL = 1, FIRST_REPORT = 3, REPORT_EVERY = 10, GONE = 5 /* s */, LINE = 16384 };

/* ---- an array ---------------------------------------------------------------------------------------------------- */

/* Writes the points of each task, a line each. @return the number of tasks, 0 after a message. */
static size_t write_tasks(const char *out, const size_t *points, size_t n)
{
    size_t each = (n + TASKS - 1) / TASKS;
    FILE *f = hd_files_open_in(out, "slurm.tasks");
    for (size_t i = 0; f && i < n; i++)
        fprintf(f, "%zu%c", points[i], (i + 1) % each == 0 || i + 1 == n ? '\n' : ' ');
    return f && hd_files_close(f, "slurm.tasks") ? (n + each - 1) / each : 0;
}

static bool write_script(const char *name, const char *out, size_t tasks, const char *command)
{
    char exe[600];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    FILE *f = n > 0 ? hd_files_open_in(out, "slurm.sh") : NULL;
    if (!f)
        return false;
    exe[n] = '\0';
    fprintf(f, "#!/bin/sh\n#SBATCH --job-name=heddle-%s\n#SBATCH --array=1-%zu\n#SBATCH --ntasks=1\n"
               "#SBATCH --output=%s/jobs/slurm-%%A_%%a.out\nout='%s'\nstatus=0\n"
               "for i in $(sed -n \"${SLURM_ARRAY_TASK_ID}p\" \"$out/slurm.tasks\"); do\n"
               "  '%s' %s || status=1\ndone\nexit $status\n",
            name, tasks, out, out, exe, command);
    return hd_files_close(f, "slurm.sh");
}

static bool submit(const char *out)
{
    char script[HD_JOBS_PATH];
    int status;
    snprintf(script, sizeof script, "%.600s/slurm.sh", out);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO); /* it says a number; standard output is a table or JSON */
        execlp("sbatch", "sbatch", script, (char *)NULL);
        _exit(127);
    }
    bool good = pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!good)
        fprintf(stderr, "heddle: %s was not submitted: sbatch is missing or failed\n", script);
    return good;
}

size_t hd_jobs_submit(const char *name, const size_t *points, size_t n, const char *out, const char *command)
{
    if (strchr(out, '\'') || strchr(out, '\n')) {
        fprintf(stderr, "heddle: --out %s: must be a name without quotes\n", out);
        return 0;
    }
    size_t tasks = write_tasks(out, points, n);
    return tasks > 0 && write_script(name, out, tasks, command) && submit(out) ? tasks : 0;
}

bool hd_jobs_queued(const char *name)
{
    char command[200], line[200];
    snprintf(command, sizeof command, "squeue -h -n 'heddle-%s' 2>&1", name);
    FILE *f = popen(command, "r");
    bool any = f && fgets(line, sizeof line, f);
    return (f && pclose(f) != 0) || any; /* a controller that does not answer says nothing of the tasks */
}

/* ---- points of a lab --------------------------------------------------------------------------------------------- */

/* A line: fields between tabs; then the keys of the machine. */
static void write_point(FILE *f, const struct hd_lab_point *p)
{
    struct hd_lab_program program = {0};
    char buffer[32];
    const char *name, *value;
    p->experiment->program(p, &program);
    fprintf(f, "%s\t%s\t%s\t%u\t%u\t%u\t%u\t%s", p->experiment->name, p->experiment->counter ? p->experiment->counter : "-", p->pattern, p->loads,
            p->threads, p->offset, p->seed ? p->seed : 1, program.workload->name);
    for (size_t i = 0; i < program.params; i++)
        fprintf(f, " %s", program.param[i]);
    fprintf(f, "\t%s", p->machine->config.name);
    for (size_t i = 0; (name = hd_config_key(&p->machine->config, i, buffer, &value)); i++)
        fprintf(f, "\t%s=%s", name, value);
    fputc('\n', f);
}

static struct hd_lab_program written; /* of the only point of this process */

static void as_written(const struct hd_lab_point *p, struct hd_lab_program *to)
{
    (void)p;
    *to = written;
}

/* Reads such a line, which stays in use. @return false after a message. */
static bool read_point(char *line, struct hd_lab_point *p, struct hd_lab_experiment *e, struct hd_lab_machine *m)
{
    char *field[10], *rest = line;
    for (size_t i = 0; i < 9; i++)
        if (!(field[i] = strsep(&rest, "\t")))
            return false;
    const struct hd_lab_point words = {.pattern = field[7]};
    hd_lab_words(&words, &written);
    *e = (struct hd_lab_experiment){.name = field[0], .counter = strcmp(field[1], "-") == 0 ? NULL : field[1], .program = as_written};
    *p = (struct hd_lab_point){.experiment = e, .machine = m, .pattern = field[2], .loads = (unsigned)strtoul(field[3], NULL, 10),
                               .threads = (unsigned)strtoul(field[4], NULL, 10), .offset = (unsigned)strtoul(field[5], NULL, 10),
                               .seed = (unsigned)strtoul(field[6], NULL, 10)};
    hd_config_default(&m->config);
    snprintf(m->config.name, sizeof m->config.name, "%s", field[8]);
    for (char *key; (key = strsep(&rest, "\t"));)
        if (hd_config_set(&m->config, key, "lab.points") != 0)
            return false;
    return written.workload && hd_config_check(&m->config, "lab.points") == 0;
}

int hd_jobs_one(const char *out, size_t i)
{
    static char line[LINE];
    char path[HD_JOBS_PATH], label[300];
    struct hd_lab_point p;
    struct hd_lab_experiment e;
    struct hd_lab_machine m;
    snprintf(path, sizeof path, "%.600s/lab.points", out);
    FILE *f = fopen(path, "r");
    bool good = f != NULL;
    for (size_t k = 0; good && k <= i; k++)
        good = fgets(line, sizeof line, f) != NULL;
    if (f)
        fclose(f);
    line[strcspn(line, "\n")] = '\0';
    if (!good || !read_point(line, &p, &e, &m)) {
        fprintf(stderr, "heddle: lab: %s has no point %zu\n", path, i);
        return REFUSED;
    }
    if (!hd_lab_build(&m))
        return REFUSED;
    const struct hd_results_key key = hd_lab_key(&p);
    return hd_jobs_run(&p, &key, "lab", hd_lab_label(&p, label), out);
}

/* ---- measuring --------------------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Merges what is there. @return false after a message. */
static bool look(const struct hd_lab_point *points, const size_t *missing, size_t n, const struct hd_lab_way *way, struct hd_jobs_count *count)
{
    struct hd_results *db = hd_results_open(way->db);
    bool good = db != NULL;
    *count = (struct hd_jobs_count){0};
    for (size_t i = 0; good && i < n; i++) {
        const struct hd_results_key key = hd_lab_key(&points[missing[i]]);
        uint32_t value;
        good = hd_jobs_merge(&key, way->slurm, db);
        hd_jobs_look(count, &key, way->slurm, good && hd_results_find(db, &key, &value));
    }
    hd_results_close(db);
    return good;
}

/* Until all have ended, or those that have not are in no queue. */
static bool wait_for(const struct hd_lab_point *points, const size_t *missing, size_t n, const struct hd_lab_way *way, const char *name)
{
    struct hd_jobs_count count;
    double start = now(), next = start + FIRST_REPORT;
    for (unsigned gone = 0;;) {
        if (!look(points, missing, n, way, &count))
            return false;
        if (count.done + count.failed == n || gone > GONE)
            return true;
        gone = hd_jobs_queued(name) ? 0 : gone + 1;
        if (now() >= next) {
            hd_jobs_progress("lab", &count, 0, now() - start);
            next = now() + REPORT_EVERY;
        }
        sleep(POLL);
    }
}

int hd_jobs_measure(struct hd_lab_point *points, const size_t *missing, size_t n, const struct hd_lab_way *way)
{
    char folder[HD_JOBS_PATH], path[HD_JOBS_PATH], label[300];
    struct hd_jobs_count count;
    size_t *number = calloc(n, sizeof *number), lost = 0;
    snprintf(folder, sizeof folder, "%.600s/jobs", way->slurm);
    bool good = number && hd_files_folder("--slurm", folder) && look(points, missing, n, way, &count);
    FILE *f = good ? hd_files_open_in(way->slurm, "lab.points") : NULL;
    for (size_t i = 0; f && i < n; i++) {
        const struct hd_results_key key = hd_lab_key(&points[missing[i]]);
        number[i] = i;
        unlink(hd_jobs_path(&key, way->slurm, ".failed", path)); /* of a call before */
        unlink(hd_jobs_path(&key, way->slurm, ".log", path));
        write_point(f, &points[missing[i]]);
    }
    good = f && hd_files_close(f, "lab.points");
    const char *name = points[missing[0]].experiment->name;
    size_t tasks = good ? hd_jobs_submit(name, number, n, way->slurm, "lab point \"$i\" --slurm \"$out\"") : 0;
    free(number);
    if (tasks == 0)
        return REFUSED;
    fprintf(stderr, "lab: %zu runs in %zu tasks of Slurm\n", n, tasks);
    if (!wait_for(points, missing, n, way, name))
        return REFUSED;
    struct hd_results *db = hd_results_open(way->db);
    for (size_t i = 0; db && i < n; i++) {
        struct hd_lab_point *p = &points[missing[i]];
        const struct hd_results_key key = hd_lab_key(p);
        if (hd_results_find(db, &key, &p->value))
            continue;
        if (lost++ == 0)
            fprintf(stderr, "heddle: lab: these runs have no good result; the next call runs them, and no others:\n");
        hd_jobs_complain(&key, way->slurm, hd_lab_label(p, label));
    }
    hd_results_close(db);
    return !db ? REFUSED : lost > 0 ? FAILED : GOOD;
}
