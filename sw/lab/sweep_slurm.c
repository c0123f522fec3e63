/* sweep_slurm.c - see sweep.h: the points of a table as a job array of Slurm. */
#include "sweep.h"
#include "report/files.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { GOOD = 0, REFUSED = 2 };

/* Copies the file: jobs read what was submitted, not what became of it. */
static bool copy(const char *from, const char *folder)
{
    char block[4096], to[HD_JOBS_PATH];
    snprintf(to, sizeof to, "%.600s/sweep.cfg", folder);
    FILE *in = fopen(from, "r"), *out = in ? hd_files_open_in(folder, "sweep.cfg") : NULL;
    for (size_t n; out && (n = fread(block, 1, sizeof block, in)) > 0;)
        fwrite(block, 1, n, out);
    if (in)
        fclose(in);
    return out && hd_files_close(out, to);
}

int hd_sweep_submit(const struct hd_sweep *s, const struct hd_sweep_way *way, bool *done)
{
    size_t missing = 0;
    if (!hd_sweep_merge(s, way, done))
        return REFUSED;
    for (size_t i = 0; i < hd_sweep_points(s); i++)
        missing += !done[i];
    fprintf(stderr, "sweep: %zu of %zu runs are in %s\n", hd_sweep_points(s) - missing, hd_sweep_points(s), way->db);
    if (missing == 0)
        return GOOD;
    size_t *list = calloc(missing, sizeof *list), n = 0;
    for (size_t i = 0; list && i < hd_sweep_points(s); i++)
        if (!done[i]) {
            char path[HD_JOBS_PATH];
            unlink(hd_jobs_path(&s->key[i], way->out, ".failed", path)); /* of a call before */
            unlink(hd_jobs_path(&s->key[i], way->out, ".log", path));
            list[n++] = i;
        }
    size_t tasks = list && copy(s->file, way->out)
                       ? hd_jobs_submit(s->name, list, n, way->out, "sweep \"$out/sweep.cfg\" --out \"$out\" --point \"$i\"") : 0;
    free(list);
    if (tasks == 0)
        return REFUSED;
    fprintf(stderr, "sweep: %zu runs in %zu tasks; --watch shows how far they are, --collect instead of --slurm has the results\n",
            missing, tasks);
    return GOOD;
}
