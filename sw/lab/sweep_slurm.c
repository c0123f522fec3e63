/* sweep_slurm.c - see sweep.h: the points of a table as a job array of Slurm. */
#define _DEFAULT_SOURCE 1
#include "sweep.h"
#include "report/files.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GOOD = 0, REFUSED = 2, TASKS = 1000 /* of an array: Slurm's MaxArraySize is 1001 unless it was changed */ };

/* Copies the file: jobs read what was submitted, not what became of it. */
static bool copy(const char *from, const char *folder)
{
    char block[4096], to[HD_SWEEP_PATH];
    snprintf(to, sizeof to, "%.600s/sweep.cfg", folder);
    FILE *in = fopen(from, "r"), *out = in ? hd_files_open_in(folder, "sweep.cfg") : NULL;
    for (size_t n; out && (n = fread(block, 1, sizeof block, in)) > 0;)
        fwrite(block, 1, n, out);
    if (in)
        fclose(in);
    return out && hd_files_close(out, to);
}

/* Writes the points of each task, a line each. @return the number of tasks, 0 after a message. */
static size_t write_tasks(const struct hd_sweep *s, const char *out, const bool *done, size_t missing)
{
    size_t each = (missing + TASKS - 1) / TASKS, n = 0;
    FILE *f = hd_files_open_in(out, "slurm.tasks");
    for (size_t i = 0; f && i < hd_sweep_points(s); i++)
        if (!done[i])
            fprintf(f, "%zu%c", i, ++n % each == 0 || n == missing ? '\n' : ' ');
    return f && hd_files_close(f, "slurm.tasks") ? (missing + each - 1) / each : 0;
}

static bool write_script(const struct hd_sweep *s, const char *out, size_t tasks)
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
               "  '%s' sweep \"$out/sweep.cfg\" --out \"$out\" --point \"$i\" || status=1\ndone\nexit $status\n",
            s->name, tasks, out, out, exe);
    return hd_files_close(f, "slurm.sh");
}

static bool submit(const char *out)
{
    char script[HD_SWEEP_PATH];
    int status;
    snprintf(script, sizeof script, "%.600s/slurm.sh", out);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        execlp("sbatch", "sbatch", script, (char *)NULL);
        _exit(127);
    }
    bool good = pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!good)
        fprintf(stderr, "heddle: sweep: %s was not submitted: sbatch is missing or failed\n", script);
    return good;
}

int hd_sweep_submit(const struct hd_sweep *s, const struct hd_sweep_way *way, bool *done)
{
    size_t missing = 0;
    if (strchr(way->out, '\'') || strchr(way->out, '\n')) {
        fprintf(stderr, "heddle: sweep: --out %s: must be a name without quotes\n", way->out);
        return REFUSED;
    }
    if (!hd_sweep_merge(s, way, done))
        return REFUSED;
    for (size_t i = 0; i < hd_sweep_points(s); i++)
        missing += !done[i];
    fprintf(stderr, "sweep: %zu of %zu runs are in %s\n", hd_sweep_points(s) - missing, hd_sweep_points(s), way->db);
    if (missing == 0)
        return GOOD;
    size_t tasks = copy(s->file, way->out) ? write_tasks(s, way->out, done, missing) : 0;
    if (tasks == 0 || !write_script(s, way->out, tasks) || !submit(way->out))
        return REFUSED;
    fprintf(stderr, "sweep: %zu runs in %zu tasks; the same call with --collect instead of --slurm has the results\n",
            missing, tasks);
    return GOOD;
}
