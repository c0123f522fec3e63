/* one_curve.c - see outstanding.h: one curve, on any machine. */
#include "outstanding.h"
#include "report/files.h"
#include "report/json.h"
#include "run/configure.h"
#include <math.h>
#include <stdio.h>

enum { GOOD = 0, REFUSED = 2 };

/* Has the workload look at the largest point before anything is built or run. @return false after a message. */
static bool fits(const struct hd_config *c, const char *pattern, unsigned loads, unsigned threads)
{
    char text[3][32];
    struct hd_work *k = hd_work_new(hd_workload_find("outstanding"), c, 1);
    struct hd_simt *s = hd_simt_new(c);
    snprintf(text[0], sizeof text[0], "threads=%u", threads);
    snprintf(text[1], sizeof text[1], "loads=%u", loads);
    snprintf(text[2], sizeof text[2], "merger=%u", hd_lab_merger(pattern));
    bool good = k && s && hd_work_set(k, text[0]) == 0 && hd_work_set(k, text[1]) == 0
                && hd_work_set(k, text[2]) == 0 && hd_work_prepare(k, s) == 0;
    hd_work_free(k);
    hd_simt_free(s);
    return good;
}

static json_t *curve_json(const struct hd_lab_curve *c)
{
    json_t *all = json_object(), *points = json_array(), *spike = json_null();
    for (size_t i = 0; i < c->n; i++) {
        const struct hd_lab_sample *s = &c->sample[i];
        json_array_append_new(points, json_pack("{sisfso}", "threads", (int)s->threads, "latency", s->latency,
                                                "variance", isnan(s->variance) ? json_null()
                                                                               : json_real(s->variance)));
    }
    if (c->spike.clear)
        spike = json_pack("{sisfsf}", "threads", (int)c->spike.threads, "latency", c->spike.before, "latency_after",
                          c->spike.after);
    json_object_set_new(all, "config", json_string(c->machine->config.name));
    json_object_set_new(all, "pattern", json_string(c->pattern));
    json_object_set_new(all, "loads", json_integer(c->loads));
    json_object_set_new(all, "spike", spike);
    json_object_set_new(all, "points", points);
    return all;
}

static void print_curve(const struct hd_lab_curve *c, const char *out, const char *name)
{
    printf("outstanding on %s: %s, %u load%s a thread, %u..%u threads, %zu points of %d runs\n",
           c->machine->config.name, c->pattern, c->loads, c->loads == 1 ? "" : "s", c->sample[0].threads,
           c->sample[c->n - 1].threads, c->n, HD_LAB_OFFSETS);
    if (c->spike.clear)
        printf("  spike    after %u threads: %.0f -> %.0f cycles\n", c->spike.threads, c->spike.before,
               c->spike.after);
    else if (c->spike.threads > 0)
        printf("  spike    none: the greatest step, after %u threads, is %.0f -> %.0f cycles\n", c->spike.threads,
               c->spike.before, c->spike.after);
    else
        printf("  spike    none: too few points above 32 threads\n");
    printf("  files    %s/%s.csv .svg .png\n", out, name);
}

static bool even(const struct hd_lab_one_curve *o, unsigned to)
{
    if (o->from % 2 == 0 && to % 2 == 0 && o->step % 2 == 0 && o->from <= to)
        return true;
    fprintf(stderr, "heddle: lab: --from %u --to %u --step %u: must be even, and --from at most --to\n", o->from, to,
            o->step);
    return false;
}

/* Measures and writes. @return the exit code. */
static int draw(struct hd_lab_curve *c, const struct hd_lab_one_curve *o, unsigned to)
{
    const char *config = c->machine->config.name;
    char name[120], title[200];
    snprintf(name, sizeof name, "outstanding-%.60s-%s-%u", config, c->pattern, c->loads);
    snprintf(title, sizeof title, "%s, %s, %u load%s a thread", config, c->pattern, c->loads, c->loads == 1 ? "" : "s");
    int code = hd_lab_add(c, o->from, to, o->step) ? hd_lab_curves(c, 1, o->step, &o->way) : REFUSED;
    if (code == GOOD && !hd_lab_write(c, o->out, name, title))
        code = REFUSED;
    if (code == GOOD && !o->json)
        print_curve(c, o->out, name);
    else if (code == GOOD && !hd_json_print(curve_json(c), 2, 8))
        code = REFUSED;
    return code;
}

int hd_lab_one_curve(const struct hd_lab_one_curve *o)
{
    struct hd_lab_machine m;
    struct hd_lab_curve c = {.machine = &m, .loads = o->loads};
    if (hd_lab_merger(o->pattern) == 0) {
        fprintf(stderr, "heddle: lab: --pattern %s: must be unique, merger2, merger4, merger8, merger16 or merger32\n",
                o->pattern);
        return REFUSED;
    }
    if (hd_configure(&m.config, o->config, o->set, o->sets) != 0)
        return REFUSED;
    unsigned held = m.config.warps * m.config.lanes, most = held < HD_LAB_MAX_THREADS ? held : HD_LAB_MAX_THREADS;
    unsigned to = o->to ? o->to : most;
    snprintf(c.pattern, sizeof c.pattern, "%s", o->pattern);
    if (!even(o, to) || !fits(&m.config, c.pattern, o->loads, to) || !hd_files_folder("--out", o->out)
        || !hd_lab_build(&m))
        return REFUSED;
    int code = draw(&c, o, to);
    hd_lab_clear(&c);
    return code;
}
