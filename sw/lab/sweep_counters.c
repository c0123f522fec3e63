/* sweep_counters.c - see sweep.h: which counters there are. The database has none that is 0, so a name that nobody has would look
 * like one that never counted. */
#include "sweep.h"
#include "machine.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GOOD = 0, REFUSED = 2 };

/* Flits of these classes are counters only when some have crossed, beside others of the same links. */
static bool rare(const char *name, const char *other)
{
    const char *dot = strrchr(name, '.');
    return dot && (strcmp(dot, ".registration") == 0 || strcmp(dot, ".persist") == 0)
           && strncmp(name, other, (size_t)(dot - name) + 1) == 0;
}

static bool all_known(const struct hd_sweep *s)
{
    bool all = true;
    for (size_t c = 0; c < s->counters; c++)
        all &= s->known[c];
    return all;
}

static void know(struct hd_sweep *s, const struct hd_counter *list, size_t n)
{
    for (size_t c = 0; c < s->counters; c++)
        for (size_t i = 0; i < n && !s->known[c]; i++)
            s->known[c] = strcmp(list[i].name, s->counter[c]) == 0 || rare(s->counter[c], list[i].name);
}

bool hd_sweep_machine_counters(struct hd_sweep *s)
{
    for (size_t c = 0; c < s->counters; c++)
        s->known[c] = strcmp(s->counter[c], "cycles") == 0 || strcmp(s->counter[c], "warp_instructions") == 0;
    for (size_t m = 0; m < s->machines && !all_known(s); m++) {
        const struct hd_lab_machine *lab = &s->machine[m].lab;
        const struct hd_counter *list;
        if (s->machine[m].built != m)
            continue;
        struct hd_machine *machine = hd_machine_new_of(&lab->config, NULL, &lab->models);
        struct hd_simt *simt = hd_simt_new(&lab->config);
        bool good = machine && simt;
        if (good) {
            size_t n = hd_machine_counters(machine, &list);
            know(s, list, n);
            n = hd_simt_counters(simt, &list);
            know(s, list, n);
        }
        hd_machine_free(machine);
        hd_simt_free(simt);
        if (!good)
            return false;
    }
    return true;
}

/* @return true when each workload has a run that is done. */
static bool each_ran(const struct hd_sweep *s)
{
    size_t ran = 0;
    for (size_t w = 0; w < s->works; w++) {
        bool done = false;
        for (size_t i = 0; i < hd_sweep_points(s) && !done; i++)
            done = i / s->seeds % s->works == w && s->point[i].done;
        ran += done;
    }
    return ran == s->works;
}

bool hd_sweep_work_counters(struct hd_sweep *s, const struct hd_lab_way *way)
{
    struct hd_results *db = all_known(s) ? NULL : hd_results_open(way->db);
    bool good = all_known(s) || db;
    for (size_t i = 0; good && i < hd_sweep_points(s) && !all_known(s); i++) {
        struct hd_results_run run;
        if (!s->point[i].done)
            continue;
        const struct hd_results_key key = hd_lab_key(&s->point[i]);
        if (!(good = hd_results_measured(db, &key, &run)))
            break;
        json_t *counters = json_loads(run.counters, 0, NULL);
        for (size_t c = 0; c < s->counters; c++)
            s->known[c] |= json_object_get(counters, s->counter[c]) != NULL;
        json_decref(counters);
        free(run.counters);
    }
    hd_results_close(db);
    for (size_t c = 0; good && c < s->counters; c++)
        if (!s->known[c] && each_ran(s)) {
            fprintf(stderr, "heddle: %s:%d: %s: must be a counter that a machine or a workload of the table has, as in the "
                    "output of `heddle run --json`\n", s->file, s->counter_line[c], s->counter[c]);
            good = false;
        }
    return good;
}

int hd_sweep_first_runs(struct hd_sweep *s, const struct hd_lab_way *way)
{
    if (all_known(s))
        return GOOD;
    struct hd_lab_point *first = calloc(s->works, sizeof *first);
    if (!first)
        return fprintf(stderr, "heddle: no memory\n"), REFUSED;
    for (size_t w = 0; w < s->works; w++)
        first[w] = s->point[w * s->seeds];
    struct hd_lab_way quiet = *way;
    quiet.quiet = true;
    int code = hd_lab_run(first, s->works, &quiet);
    for (size_t w = 0; w < s->works; w++)
        s->point[w * s->seeds].done = first[w].done;
    free(first);
    return code != REFUSED && hd_sweep_work_counters(s, way) ? GOOD : REFUSED;
}
