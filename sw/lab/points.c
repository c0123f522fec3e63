/* points.c - see lab.h: machines and points, and measuring what the database lacks, by jobs. */
#define _DEFAULT_SOURCE 1 /* flock(), realpath() */
#include "jobs.h"
#include "report/files.h"
#include "run/report.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GOOD = 0, REFUSED = 2, MOMENTS = 100 };

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
    char text[HD_LAB_LABEL], *rest = NULL;
    snprintf(text, sizeof text, "%s", p->pattern);
    to->workload = hd_workload_find(strtok_r(text, " ", &rest));
    for (char *word; to->params < HD_LAB_PARAMS && (word = strtok_r(NULL, " ", &rest));)
        snprintf(to->param[to->params++], sizeof to->param[0], "%.39s", word);
}

const char *hd_lab_label(const struct hd_lab_point *p, char text[HD_LAB_LABEL])
{
    struct hd_lab_program program = {0};
    char order[32];
    if (p->row) {
        snprintf(text, HD_LAB_LABEL, "%.200s, %.200s, seed %u", p->row, p->pattern, p->seed);
        return text;
    }
    p->experiment->program(p, &program);
    int n = snprintf(text, HD_LAB_LABEL, "on %.60s, order %s, %.40s", p->machine->config.name,
                     hd_report_key(&p->machine->config, "order", order), program.workload->name);
    for (size_t i = 0; i < program.params && n > 0 && n < HD_LAB_LABEL; i++)
        n += snprintf(text + n, HD_LAB_LABEL - (size_t)n, " %s", program.param[i]);
    return text;
}

/* ---- measuring --------------------------------------------------------------------------------------------------- */

bool hd_lab_collect(struct hd_lab_point *points, size_t n, const struct hd_lab_way *way)
{
    struct hd_results *db = hd_results_open(way->db);
    bool good = db && hd_jobs_take(db, points, NULL, n, way->out);
    hd_results_close(db);
    return good;
}

size_t hd_lab_missing(const struct hd_lab_point *points, size_t n, const struct hd_lab_way *way)
{
    size_t lost = 0;
    for (size_t i = 0; i < n; i++) {
        const struct hd_results_key key = hd_lab_key(&points[i]);
        char label[HD_LAB_LABEL];
        if (points[i].done)
            continue;
        if (lost++ == 0)
            fprintf(stderr, "heddle: %s: these runs have no good result; the next call runs them, and no others:\n",
                    way->sweep ? "sweep" : "lab");
        hd_jobs_complain(&key, way->out, hd_lab_label(&points[i], label));
    }
    return lost;
}

struct named {
    char name[HD_RESULTS_HASH];
    size_t point;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : x->point < y->point ? -1 : 1;
}

static int by_number(const void *a, const void *b)
{
    const size_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Lists the points that are not done, those that are the same once. @return their number. */
static size_t missing(const struct hd_lab_point *points, size_t n, size_t *list, struct named *named)
{
    size_t all = 0, count = 0;
    for (size_t i = 0; i < n; i++)
        if (!points[i].done) {
            const struct hd_results_key key = hd_lab_key(&points[i]);
            hd_results_name(&key, named[all].name);
            named[all++].point = i;
        }
    qsort(named, all, sizeof *named, by_name);
    for (size_t i = 0; i < all; i++)
        if (i == 0 || strcmp(named[i].name, named[i - 1].name) != 0)
            list[count++] = named[i].point;
    qsort(list, count, sizeof *list, by_number);
    return count;
}

/* Runs those of the list. @return the exit code. */
static int run(struct hd_lab_point *points, const size_t *list, size_t n, size_t before, const struct hd_lab_way *way)
{
    char path[HD_JOBS_PATH];
    if (hd_jobs_queued(way))
        return REFUSED;
    for (size_t i = 0; i < n; i++) {
        const struct hd_results_key key = hd_lab_key(&points[list[i]]);
        hd_jobs_forget(&key, way->out);
    }
    if (!hd_jobs_write(points, list, n, way))
        return REFUSED;
    int code = way->slurm ? hd_jobs_slurm(points, list, n, before, way) : hd_jobs_local(points, list, n, before, way);
    snprintf(path, sizeof path, "%.500s/jobs/points", way->out);
    if (!way->slurm || !way->sweep || code == REFUSED)
        unlink(path);
    return code;
}

/* The database that those who work in a folder have in common: with @write it is put down there, else compared. */
static bool same_database(const char *folder, const char *db, bool write)
{
    char path[HD_JOBS_PATH + 16], where[PATH_MAX], mine[2 * PATH_MAX], theirs[2 * PATH_MAX] = "";
    const char *name = strrchr(db, '/'); /* itself it may not be there yet */
    snprintf(path, sizeof path, "%.*s", name ? (int)(name - db) + 1 : 1, name ? db : ".");
    FILE *f = NULL;
    if (realpath(path, where)) {
        snprintf(mine, sizeof mine, "%s/%s", where, name ? name + 1 : db);
        snprintf(path, sizeof path, "%s/.database", folder);
        f = fopen(path, write ? "w" : "r");
    }
    bool good = f != NULL;
    if (good && write)
        fprintf(f, "%s\n", mine);
    else if (good && fgets(theirs, sizeof theirs, f))
        theirs[strcspn(theirs, "\n")] = '\0';
    if (f)
        fclose(f);
    return good && (write || strcmp(mine, theirs) == 0);
}

/* Who has runs done in a folder takes what lies there into a database: others may work there with the same one, and none beside a
 * job array, whose tasks read the points there. @return a file to close, -1 after a message. */
static int enter(const char *folder, const struct hd_lab_way *way)
{
    const struct timespec pause = {.tv_nsec = 20000000};
    int f = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool theirs = false;
    for (int i = 0; f >= 0 && !theirs && i < MOMENTS; i++) { /* who came first has it alone while it puts its database down */
        if (flock(f, LOCK_EX | LOCK_NB) == 0) {
            if (!same_database(folder, way->db, true) || way->slurm)
                return f;
        } else if (errno != EWOULDBLOCK) /* some file systems have no locks */
            return f;
        if (!way->slurm && flock(f, LOCK_SH | LOCK_NB) == 0) { /* not in one step from alone to shared: another may have come between */
            if (same_database(folder, way->db, false))
                return f;
            theirs = true;
        } else
            nanosleep(&pause, NULL);
    }
    if (f < 0)
        fprintf(stderr, "heddle: %s: %s\n", folder, strerror(errno));
    else
        fprintf(stderr, "heddle: %s: another lab or sweep is at work in this folder with another database, or with Slurm: wait for it, or give "
                        "another --out\n", folder);
    if (f >= 0)
        close(f);
    return -1;
}

int hd_lab_run(struct hd_lab_point *points, size_t n, const struct hd_lab_way *way)
{
    char folder[HD_JOBS_PATH];
    int lock = -1;
    size_t *list = calloc(n + 1, sizeof *list), done = 0;
    struct named *named = calloc(n + 1, sizeof *named);
    snprintf(folder, sizeof folder, "%.500s/jobs", way->out);
    bool ready = list && named && hd_files_folder(way->slurm && !way->sweep ? "--slurm" : "--out", folder) &&
                 (lock = enter(folder, way)) >= 0 && hd_lab_collect(points, n, way);
    int code = ready ? GOOD : REFUSED;
    for (size_t i = 0; i < n; i++)
        done += points[i].done;
    if (code == GOOD && done > 0 && !way->quiet)
        fprintf(stderr, "%s: %zu of %zu runs are in %s\n", way->sweep ? "sweep" : "lab", done, n, way->db);
    size_t count = code == GOOD ? missing(points, n, list, named) : 0;
    free(named);
    if (count > 0)
        code = run(points, list, count, done, way);
    if (code != REFUSED && count > 0 && count + done < n && !hd_lab_collect(points, n, way)) /* those that are the same */
        code = REFUSED;
    free(list);
    if (lock >= 0)
        close(lock);
    return code;
}

int hd_lab_measure(struct hd_lab_point *points, size_t n, const struct hd_lab_way *way)
{
    int code = hd_lab_run(points, n, way);
    if (code != REFUSED)
        hd_lab_missing(points, n, way);
    return code;
}
