/* curve.c - see outstanding.h: from latencies to variance and spike, as paper 2, section 3.2, does it.
 *
 * The variance at T is that of the latencies at T and both neighbours. A step between two numbers of threads makes it
 * equally high at both ends, and a table steps again whenever it is full once more; so the spike is the first T above
 * one warp (the steps below come from the accesses of one warp, not from a table) with at least half of the greatest
 * variance. It is clear when the latency steps there by at least a tenth: adding a few threads to a machine that has
 * room for them costs a few issue slots, a full table costs the wait for the first answer. */
#include "outstanding.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const unsigned hd_lab_offsets[HD_LAB_OFFSETS] = {0, 7, 13};

static const double CLEAR = 0.1; /* of the latency before the step */
enum { ONE_WARP = 32 };

unsigned hd_lab_merger(const char *pattern)
{
    static const struct {
        const char *name;
        unsigned merger;
    } patterns[] = {{"unique", 1}, {"merger2", 2}, {"merger4", 4}, {"merger8", 8}, {"merger16", 16}, {"merger32", 32}};
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++)
        if (strcmp(pattern, patterns[i].name) == 0)
            return patterns[i].merger;
    return 0;
}

static void program_of(const struct hd_lab_point *p, struct hd_lab_program *program)
{
    const struct {
        const char *name;
        unsigned value;
    } param[] = {{"threads", p->threads}, {"loads", p->loads}, {"merger", hd_lab_merger(p->pattern)},
                 {"offset", p->offset}};
    program->workload = hd_workload_find("outstanding");
    for (; program->params < sizeof param / sizeof param[0]; program->params++)
        snprintf(program->param[program->params], sizeof program->param[0], "%s=%u", param[program->params].name,
                 param[program->params].value);
}

static const struct hd_lab_experiment experiment = {.name = "outstanding", .counter = "outstanding.latency",
                                                    .program = program_of};

/* Of a run: making the machine, and its loads. */
static double cost(unsigned threads, unsigned loads)
{
    return 500 + (double)threads * loads;
}

static double harmonic_mean(const uint32_t run[HD_LAB_OFFSETS])
{
    double sum = 0;
    for (int i = 0; i < HD_LAB_OFFSETS; i++)
        sum += 1.0 / run[i];
    return HD_LAB_OFFSETS / sum;
}

static double variance(const struct hd_lab_sample *s)
{
    double mean = (s[-1].latency + s[0].latency + s[1].latency) / 3, sum = 0;
    for (int i = -1; i <= 1; i++)
        sum += (s[i].latency - mean) * (s[i].latency - mean);
    return sum / 2;
}

static void analyze(struct hd_lab_curve *c, unsigned step)
{
    struct hd_lab_sample *s = c->sample;
    double most = 0;
    c->spike = (struct hd_lab_spike){0};
    for (size_t i = 0; i < c->n; i++)
        s[i].latency = harmonic_mean(s[i].run);
    for (size_t i = 0; i < c->n; i++) {
        bool inner = i > 0 && i + 1 < c->n && s[i].threads - s[i - 1].threads == step
                     && s[i + 1].threads - s[i].threads == step;
        s[i].variance = inner ? variance(&s[i]) : NAN;
        if (inner && s[i].threads > ONE_WARP && s[i].variance > most)
            most = s[i].variance;
    }
    for (size_t i = 0; i < c->n; i++)
        if (s[i].threads > ONE_WARP && s[i].variance >= most / 2) { /* false for NAN */
            c->spike = (struct hd_lab_spike){.threads = s[i].threads, .before = s[i].latency,
                                             .after = s[i + 1].latency};
            c->spike.clear = c->spike.after - c->spike.before >= CLEAR * c->spike.before;
            return;
        }
}

static int by_threads(const void *a, const void *b)
{
    const struct hd_lab_sample *x = a, *y = b;
    return (x->threads > y->threads) - (x->threads < y->threads);
}

bool hd_lab_add(struct hd_lab_curve *c, unsigned from, unsigned to, unsigned step)
{
    size_t more = to >= from ? (to - from) / step + 1 : 0, old = c->n;
    struct hd_lab_sample *s = realloc(c->sample, (old + more + 1) * sizeof *s);
    if (!s) {
        fprintf(stderr, "heddle: no memory\n");
        return false;
    }
    c->sample = s;
    for (unsigned t = from; t <= to; t += step) {
        bool there = false;
        for (size_t i = 0; i < old && !there; i++)
            there = s[i].threads == t;
        if (!there)
            s[c->n++] = (struct hd_lab_sample){.threads = t};
    }
    qsort(s, c->n, sizeof *s, by_threads);
    return true;
}

void hd_lab_clear(struct hd_lab_curve *c)
{
    free(c->sample);
    c->sample = NULL;
    c->n = 0;
}

int hd_lab_curves(struct hd_lab_curve *c, size_t n, unsigned step, const struct hd_lab_way *way)
{
    size_t room = 0, count = 0;
    for (size_t i = 0; i < n; i++)
        room += c[i].n * HD_LAB_OFFSETS;
    struct hd_lab_point *points = calloc(room + 1, sizeof *points);
    uint32_t **to = calloc(room + 1, sizeof *to);
    if (!points || !to) {
        fprintf(stderr, "heddle: no memory\n");
        free(points);
        free(to);
        return 2;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < c[i].n; k++)
            for (int o = 0; o < HD_LAB_OFFSETS; o++)
                if (c[i].sample[k].run[o] == 0) {
                    to[count] = &c[i].sample[k].run[o];
                    points[count++] = (struct hd_lab_point){.experiment = &experiment,
                                                            .machine = c[i].machine, .pattern = c[i].pattern,
                                                            .loads = c[i].loads, .threads = c[i].sample[k].threads,
                                                            .offset = hd_lab_offsets[o], .seed = 1,
                                                            .cost = cost(c[i].sample[k].threads, c[i].loads)};
                }
    int code = hd_lab_measure(points, count, way);
    for (size_t i = 0; code == 0 && i < count; i++)
        *to[i] = points[i].value;
    for (size_t i = 0; code == 0 && i < n; i++)
        analyze(&c[i], step);
    free(points);
    free(to);
    return code;
}
