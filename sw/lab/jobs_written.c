/* jobs_written.c - see jobs.h: points written down, a line each, so that a task of Slurm or who watches a lab needs nothing else. */
#define _DEFAULT_SOURCE 1
#include "jobs.h"
#include "report/files.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GOOD = 0, REFUSED = 2, LINE = 16384 };

/* Fields of a line, between tabs; behind them the keys of the machine. */
enum { EXPERIMENT, COUNTER, PATTERN, LOADS, THREADS, OFFSET, SEED, WORDS, CONFIG, BUILD, LABEL, NAME, FIELDS };

static const char *file_of(const char *out, char path[HD_JOBS_PATH])
{
    snprintf(path, HD_JOBS_PATH, "%.500s/jobs/points", out);
    return path;
}

static void write_point(FILE *f, const struct hd_lab_point *p)
{
    struct hd_lab_program program = {0};
    char buffer[32], label[HD_LAB_LABEL];
    const char *name, *value;
    p->experiment->program(p, &program);
    fprintf(f, "%s\t%s\t%s\t%u\t%u\t%u\t%u\t%s", p->experiment->name, p->experiment->counter ? p->experiment->counter : "-", p->pattern, p->loads,
            p->threads, p->offset, p->seed, program.workload->name);
    for (size_t i = 0; i < program.params; i++)
        fprintf(f, " %s", program.param[i]);
    fprintf(f, "\t%s\t%s\t%s\t%s", p->machine->hash, p->machine->build, hd_lab_label(p, label), p->machine->config.name);
    for (size_t i = 0; (name = hd_config_key(&p->machine->config, i, buffer, &value)); i++)
        fprintf(f, "\t%s=%s", name, value);
    fputc('\n', f);
}

bool hd_jobs_write(const struct hd_lab_point *points, const size_t *list, size_t n, const struct hd_lab_way *way)
{
    char path[HD_JOBS_PATH], folder[HD_JOBS_PATH];
    snprintf(folder, sizeof folder, "%.500s/jobs", way->out);
    FILE *f = hd_files_open_in(folder, "points");
    for (size_t i = 0; f && i < n; i++)
        write_point(f, &points[list[i]]);
    return f && hd_files_close(f, file_of(way->out, path));
}

/* Splits a line. @return the rest, NULL when there are too few fields. */
static char *split(char *line, char *field[FIELDS])
{
    line[strcspn(line, "\n")] = '\0';
    for (size_t i = 0; i < FIELDS; i++)
        if (!line || !(field[i] = strsep(&line, "\t")))
            return NULL;
    return line;
}

static struct hd_lab_program written; /* of the only point of this process */

static void as_written(const struct hd_lab_point *p, struct hd_lab_program *to)
{
    (void)p;
    *to = written;
}

/* Reads a line, which stays in use. @return its label, NULL after a message or when it is none. */
static const char *read_point(char *line, struct hd_lab_point *p, struct hd_lab_experiment *e, struct hd_lab_machine *m)
{
    char *field[FIELDS], *rest = split(line, field);
    if (!rest)
        return NULL;
    const struct hd_lab_point words = {.pattern = field[WORDS]};
    hd_lab_words(&words, &written);
    *e = (struct hd_lab_experiment){.name = field[EXPERIMENT], .counter = strcmp(field[COUNTER], "-") == 0 ? NULL : field[COUNTER],
                                    .program = as_written};
    *p = (struct hd_lab_point){.experiment = e, .machine = m, .pattern = field[PATTERN], .loads = (unsigned)strtoul(field[LOADS], NULL, 10),
                               .threads = (unsigned)strtoul(field[THREADS], NULL, 10), .offset = (unsigned)strtoul(field[OFFSET], NULL, 10),
                               .seed = (unsigned)strtoul(field[SEED], NULL, 10)};
    hd_config_default(&m->config);
    snprintf(m->config.name, sizeof m->config.name, "%s", field[NAME]);
    for (char *key; (key = strsep(&rest, "\t"));)
        if (hd_config_set(&m->config, key, "jobs/points") != 0)
            return NULL;
    return written.workload && hd_config_check(&m->config, "jobs/points") == 0 ? field[LABEL] : NULL;
}

int hd_jobs_one(const char *out, size_t i)
{
    static char line[LINE];
    char path[HD_JOBS_PATH];
    struct hd_lab_point p;
    struct hd_lab_experiment e;
    struct hd_lab_machine m;
    FILE *f = fopen(file_of(out, path), "r");
    bool good = f != NULL;
    for (size_t k = 0; good && k <= i; k++)
        good = fgets(line, sizeof line, f) != NULL;
    if (f)
        fclose(f);
    const char *label = good ? read_point(line, &p, &e, &m) : NULL;
    if (!label) {
        fprintf(stderr, "heddle: lab: %s has no point %zu\n", path, i);
        return REFUSED;
    }
    return hd_lab_build(&m) ? hd_jobs_run(&p, strcmp(e.name, "sweep") == 0 ? "sweep" : "lab", label, out) : REFUSED;
}

int hd_jobs_watch_written(const struct hd_lab_way *way, unsigned seconds)
{
    char path[HD_JOBS_PATH], *line = NULL, *field[FIELDS];
    size_t room = 0, n = 0, most = 0;
    struct hd_results_key *keys = NULL;
    FILE *f = fopen(file_of(way->out, path), "r");
    if (!f) {
        printf("lab: nothing runs in %s\n", way->out);
        return GOOD;
    }
    while (getline(&line, &room, f) > 0 && split(line, field)) {
        if (n == most) {
            struct hd_results_key *more = realloc(keys, (most = 2 * most + 64) * sizeof *keys);
            if (!more)
                break;
            keys = more;
        }
        keys[n] = (struct hd_results_key){.experiment = strdup(field[EXPERIMENT]), .pattern = strdup(field[PATTERN]),
                                          .loads = (unsigned)strtoul(field[LOADS], NULL, 10),
                                          .threads = (unsigned)strtoul(field[THREADS], NULL, 10),
                                          .offset = (unsigned)strtoul(field[OFFSET], NULL, 10)};
        snprintf(keys[n].config, sizeof keys[n].config, "%s", field[CONFIG]);
        snprintf(keys[n++].build, sizeof keys[0].build, "%s", field[BUILD]);
    }
    fclose(f);
    int code = hd_jobs_watch(keys, n, way, seconds);
    for (size_t i = 0; i < n; i++) {
        free((char *)keys[i].experiment);
        free((char *)keys[i].pattern);
    }
    free(keys);
    free(line);
    return code;
}
