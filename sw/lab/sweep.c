/* sweep.c - see sweep.h: the points of a table. */
#include "sweep.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct hd_lab_experiment experiment = {.name = "sweep", .program = hd_lab_words};

size_t hd_sweep_points(const struct hd_sweep *s)
{
    return s->machines * s->works * s->seeds;
}

/* Makes the points. @return false after a message. */
static bool fill(struct hd_sweep *s)
{
    s->point = calloc(hd_sweep_points(s), sizeof *s->point);
    for (size_t i = 0; s->point && i < hd_sweep_points(s); i++) {
        const struct hd_sweep_machine *m = &s->machine[i / s->seeds / s->works];
        unsigned seed = s->seed[i % s->seeds];
        s->point[i] = (struct hd_lab_point){.experiment = &experiment, .machine = &m->lab, .row = m->label,
                                            .pattern = s->work[i / s->seeds % s->works].text, .loads = seed, .seed = seed};
    }
    if (!s->point)
        fprintf(stderr, "heddle: no memory\n");
    return s->point != NULL;
}

bool hd_sweep_build(struct hd_sweep *s, unsigned jobs)
{
    struct hd_lab_machine **list = calloc(s->machines, sizeof *list);
    size_t n = 0;
    for (size_t m = 0; list && m < s->machines; m++)
        if (s->machine[m].built == m)
            list[n++] = &s->machine[m].lab;
    bool good = list && hd_lab_build_all(list, n, jobs);
    free(list);
    for (size_t m = 0; good && m < s->machines; m++) {
        struct hd_lab_machine *to = &s->machine[m].lab, *from = &s->machine[s->machine[m].built].lab;
        to->models = from->models;
        memcpy(to->build, from->build, sizeof to->build);
    }
    return good && fill(s);
}
