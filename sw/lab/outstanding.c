/* outstanding.c - see outstanding.h: the nine figures of paper 2, the same on other tables, and what must come out. */
#include "outstanding.h"
#include "results/findings.h"
#include "report/json.h"
#include "run/configure.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GOOD = 0, FAILED = 1, REFUSED = 2 };
enum { NONE = 0, ANY = 1, TOLERANCE = 2, STEP = 2, COARSE = 32, AROUND = 16, MAX_SETS = 3, COMPARED = 1024 };

static const double REFINE = 0.1; /* a rise that may hide a spike, of the latency; as in curve.c */

/* A machine of the table: a configuration with changes. */
static const struct variant {
    const char *name, *config, *set[MAX_SETS];
} variants[] = {
    {"fermi-mshr", "fermi-mshr", {NULL}},
    {"kepler-prt", "kepler-prt", {NULL}},
    {"45 entries", "kepler-prt", {"prt_entries=45", "prt_credits=0"}},
    {"43 entries", "kepler-prt", {"prt_entries=43", "prt_credits=0"}},
    {"merge 8 lanes", "fermi-mshr", {"merge_lanes=8"}},
    {"latency 440", "kepler-prt", {"fixed_latency=440"}},
    {"latency 2000", "fermi-mshr", {"fixed_latency=2000"}},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };
enum variant_name { FERMI, KEPLER, ENTRIES_45, ENTRIES_43, MERGE_8, LATENCY_440, LATENCY_2000 };

/* A curve: those with a figure stand in the paper. @must: last number of threads before the spike, NONE, or ANY. */
static const struct row {
    unsigned figure;
    enum variant_name machine;
    const char *pattern;
    unsigned loads, must;
    bool quick;
} rows[] = {
    {2, FERMI, "unique", 1, 128, true},
    {3, FERMI, "unique", 2, 64, true},
    {4, FERMI, "merger2", 1, 256, true},
    {5, FERMI, "merger4", 2, 256, true},
    {6, FERMI, "merger8", 4, 256, true},
    {7, KEPLER, "unique", 1, NONE, true},
    {8, KEPLER, "unique", 2, 680, true},
    {9, KEPLER, "unique", 3, 454, true},
    {0, ENTRIES_45, "unique", 1, NONE, true},
    {0, ENTRIES_45, "unique", 2, 704, true},
    {0, ENTRIES_45, "unique", 3, 480, true},
    {0, ENTRIES_43, "unique", 2, 672, true},
    {0, ENTRIES_43, "unique", 3, 448, true},
    {0, FERMI, "merger16", 1, ANY, false},
    {0, FERMI, "merger16", 2, ANY, false},
    {0, FERMI, "merger16", 3, ANY, false},
    {0, FERMI, "merger16", 4, ANY, false},
    {0, FERMI, "merger32", 1, ANY, false},
    {0, FERMI, "merger32", 2, ANY, false},
    {0, FERMI, "merger32", 3, ANY, false},
    {0, FERMI, "merger32", 4, ANY, false},
    {0, MERGE_8, "unique", 1, 128, false},
    {0, MERGE_8, "merger2", 1, 256, false},
    {0, MERGE_8, "merger4", 2, 256, false},
    {0, MERGE_8, "merger8", 4, 256, false},
    {0, MERGE_8, "merger16", 4, ANY, false},
    {0, LATENCY_440, "unique", 1, ANY, false},
    {0, LATENCY_440, "unique", 2, ANY, false},
    {0, LATENCY_440, "unique", 3, ANY, false},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* Both tables at one point and the same memory latency. Where waiting for the memory takes the time, and not the two
 * or three cycles the L1 spends on each answer, one must be FASTER times as fast as the other. */
static const struct pair {
    enum variant_name machine[2];
    bool must;
} compared[] = {{{FERMI, LATENCY_440}, false}, {{LATENCY_2000, KEPLER}, true}};
static const double FASTER = 2;
enum { PAIRS = sizeof compared / sizeof compared[0], CURVES = ROWS + 2 * PAIRS };

struct paper {
    struct hd_lab_machine machine[VARIANTS];
    struct hd_lab_curve curve[CURVES];  /* the rows', then the pairs', of one point */
    const struct hd_lab_paper *options;
};

static bool in_use(const struct paper *p, size_t row)
{
    return rows[row].quick || !p->options->quick;
}

/* ---- measuring --------------------------------------------------------------------------------------------------- */

static bool build(struct paper *p)
{
    bool used[VARIANTS] = {false};
    struct hd_lab_machine *list[VARIANTS];
    size_t n = 0;
    for (size_t i = 0; i < ROWS; i++)
        used[rows[i].machine] |= in_use(p, i);
    for (size_t i = 0; i < PAIRS; i++)
        used[compared[i].machine[0]] = used[compared[i].machine[1]] = true;
    for (size_t v = 0; v < VARIANTS; v++) {
        size_t sets = 0;
        while (sets < MAX_SETS && variants[v].set[sets])
            sets++;
        if (!used[v])
            continue;
        if (hd_configure(&p->machine[v].config, variants[v].config, variants[v].set, sets) != 0)
            return false;
        list[n++] = &p->machine[v];
    }
    return hd_lab_build_all(list, n, p->options->way.jobs);
}

/* The first interval above a warp that may hide a spike: it rises by at least half of the greatest rise, and by as much
 * of the latency as a clear spike does. @return true when it is one of several steps: *from and *to are its ends. */
static bool hidden(const struct hd_lab_curve *c, unsigned *from, unsigned *to)
{
    double most = 0;
    const struct hd_lab_sample *s = c->sample;
    for (size_t i = 0; i + 1 < c->n; i++)
        if (s[i].threads >= COARSE)
            most = fmax(most, s[i + 1].latency - s[i].latency);
    for (size_t i = 0; i + 1 < c->n; i++) {
        double rise = s[i + 1].latency - s[i].latency;
        if (s[i].threads < COARSE || rise < most / 2 || rise < REFINE * s[i].latency)
            continue;
        *from = s[i].threads;
        *to = s[i + 1].threads;
        return *to - *from > STEP;
    }
    return false;
}

/* Adds the steps inside of such intervals until none is left. @return the exit code. */
static int refine(struct paper *p)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < ROWS; i++) {
            unsigned from, to;
            if (!in_use(p, i) || !hidden(&p->curve[i], &from, &to))
                continue;
            more = true;
            if (!hd_lab_add(&p->curve[i], from - STEP, to + STEP < HD_LAB_MAX_THREADS ? to + STEP : to, STEP))
                return REFUSED;
        }
        int code = more ? hd_lab_curves(p->curve, CURVES, STEP, &p->options->way) : GOOD;
        if (code != GOOD)
            return code;
    }
    return GOOD;
}

static int measure(struct paper *p)
{
    bool good = true;
    for (size_t i = 0; i < ROWS; i++) {
        struct hd_lab_curve *c = &p->curve[i];
        unsigned must = rows[i].must;
        *c = (struct hd_lab_curve){.machine = &p->machine[rows[i].machine], .loads = rows[i].loads};
        snprintf(c->pattern, sizeof c->pattern, "%s", rows[i].pattern);
        if (!in_use(p, i))
            continue;
        if (p->options->quick) {
            good &= hd_lab_add(c, COARSE, HD_LAB_MAX_THREADS, COARSE);
            if (must > ANY)
                good &= hd_lab_add(c, must - AROUND, must + AROUND, STEP);
        } else
            good &= hd_lab_add(c, STEP, HD_LAB_MAX_THREADS, STEP);
    }
    for (size_t i = 0; i < 2 * PAIRS; i++) {
        p->curve[ROWS + i] = (struct hd_lab_curve){.machine = &p->machine[compared[i / 2].machine[i % 2]],
                                                   .pattern = "unique", .loads = 1};
        good &= hd_lab_add(&p->curve[ROWS + i], COMPARED, COMPARED, STEP);
    }
    int code = good ? hd_lab_curves(p->curve, CURVES, STEP, &p->options->way) : REFUSED;
    return code == GOOD && p->options->quick ? refine(p) : code;
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

static bool right(const struct row *r, const struct hd_lab_spike *s)
{
    if (r->must == ANY)
        return true;
    if (r->must == NONE || !s->clear)
        return r->must == NONE && !s->clear;
    return s->threads + TOLERANCE >= r->must && s->threads <= r->must + TOLERANCE;
}

static const char *place(unsigned threads, char text[16])
{
    if (threads > ANY)
        snprintf(text, 16, "%u", threads);
    else
        snprintf(text, 16, "%s", threads == NONE ? "none" : "-");
    return text;
}

static void print_rows(const struct paper *p)
{
    printf("figure  table          pattern   loads   paper  expected   ours   latency there, one step on\n");
    for (size_t i = 0; i < ROWS; i++) {
        const struct row *r = &rows[i];
        const struct hd_lab_spike *s = &p->curve[i].spike;
        char figure[16], paper[16], must[16], ours[16], steps[48] = "";
        if (!in_use(p, i))
            continue;
        snprintf(figure, sizeof figure, r->figure == 2 ? "1, 2" : r->figure ? "%u" : "-", r->figure);
        if (s->threads > 0)
            snprintf(steps, sizeof steps, "%6.0f %6.0f", s->before, s->after);
        printf("%-7s %-14s %-9s %5u   %5s  %8s  %5s   %s%s\n", figure, variants[r->machine].name, r->pattern, r->loads,
               r->figure ? place(r->must, paper) : "-", place(r->must, must), place(s->clear ? s->threads : NONE, ours),
               steps, right(r, s) ? "" : "   NOT AS EXPECTED");
    }
}

/* Latency of COMPARED requests: @table 0: of the MSHR table, 1: of the pending request table, of pair @i. */
static double compared_latency(const struct paper *p, size_t i, int table)
{
    return p->curve[ROWS + 2 * i + (size_t)table].sample[0].latency;
}

static double faster(const struct paper *p, size_t i)
{
    return compared_latency(p, i, 0) / compared_latency(p, i, 1);
}

static unsigned memory_latency(const struct paper *p, size_t i)
{
    return p->curve[ROWS + 2 * i].machine->config.fixed_latency;
}

static bool print_json(const struct paper *p)
{
    json_t *all = json_object(), *list = json_array(), *pairs = json_array();
    for (size_t i = 0; i < ROWS; i++) {
        const struct row *r = &rows[i];
        const struct hd_lab_spike *s = &p->curve[i].spike;
        if (in_use(p, i))
            json_array_append_new(
                list, json_pack("{sisssssisosososb}", "figure", (int)r->figure, "table", variants[r->machine].name,
                                "pattern", r->pattern, "loads", (int)r->loads, "expected",
                                r->must > ANY ? json_integer(r->must) : json_null(), "ours",
                                s->clear ? json_integer(s->threads) : json_null(), "none_expected",
                                json_boolean(r->must == NONE), "good", right(r, s)));
    }
    for (size_t i = 0; i < PAIRS; i++)
        json_array_append_new(pairs, json_pack("{sisfsf}", "memory_latency", (int)memory_latency(p, i), "mshr",
                                               compared_latency(p, i, 0), "prt", compared_latency(p, i, 1)));
    json_object_set_new(all, "spikes", list);
    json_object_set_new(all, "latency_of_1024_requests", pairs);
    return hd_json_print(all, 2, 8);
}

static void print_text(const struct paper *p)
{
    print_rows(p);
    printf("\nA spike after T threads: T is the last number before the step. none: no step of a tenth of the "
           "latency.\n");
    for (size_t i = 0; i < PAIRS; i++)
        printf("%d requests, memory latency %u: MSHR table %.0f cycles, pending request table %.0f: %.1f times as "
               "fast%s\n", COMPARED, memory_latency(p, i), compared_latency(p, i, 0), compared_latency(p, i, 1), faster(p, i),
               compared[i].must && faster(p, i) < FASTER ? "   NOT AS EXPECTED" : "");
    printf("680 and 454 are no multiples of a warp: entries alone put the spike at 672 and 448 (43 of them) or 704 and\n"
           "480 (45); a limit of 1362 requests puts it where the paper saw it (680 * 2 = 1360, 454 * 3 = 1362).\n");
    if (!p->options->quick)
        printf("Mergers inside a warp are one access before the table, so its merge limit does not matter to them.\n"
               "With a memory latency of 440 the first answers arrive before 1362 requests are out, and the spike is\n"
               "where the requests issued in one latency end; 2000 is above 1362.\n");
}

static bool write_files(const struct paper *p)
{
    for (size_t i = 0; i < ROWS; i++) {
        const struct row *r = &rows[i];
        char name[80], title[120];
        if (!in_use(p, i))
            continue;
        char number[24] = "";
        if (r->figure)
            snprintf(number, sizeof number, "Figure %u: ", r->figure);
        if (r->figure)
            snprintf(name, sizeof name, "figure%u", r->figure);
        else
            snprintf(name, sizeof name, "%s-%s-%u", variants[r->machine].name, r->pattern, r->loads);
        for (char *at = name; *at; at++)
            *at = *at == ' ' ? '-' : *at;
        snprintf(title, sizeof title, "%s%s, %s, %u load%s a thread", number, variants[r->machine].name, r->pattern,
                 r->loads, r->loads == 1 ? "" : "s");
        if (!hd_lab_write(&p->curve[i], p->options->out, name, title))
            return false;
    }
    return true;
}

/* A curve as svg.h has it; what the paper states is where it steps. */
static json_t *curve_data(const struct row *r, const struct hd_lab_curve *c)
{
    char name[40], title[120], text[40];
    snprintf(name, sizeof name, "outstanding-figure%u", r->figure);
    snprintf(title, sizeof title, "Figure %u: %s, %s, %u load%s a thread", r->figure, variants[r->machine].name, r->pattern,
             r->loads, r->loads == 1 ? "" : "s");
    json_t *points = json_array(), *stated = json_object();
    for (size_t i = 0; i < c->n; i++)
        json_array_append_new(points, json_pack("[if]", (int)c->sample[i].threads, (double)c->sample[i].latency));
    if (r->must == NONE)
        snprintf(text, sizeof text, "the paper: no step");
    else
        snprintf(text, sizeof text, "the paper: %u", r->must);
    json_object_set_new(stated, "text", json_string(text));
    if (r->must != NONE)
        json_object_set_new(stated, "value", json_integer(r->must));
    return json_pack("{sssssssssosos[o]}", "name", name, "title", title, "what", "latency (core cycles)", "across",
                     "threads of the block", "points", points, "step",
                     c->spike.clear ? json_integer(c->spike.threads) : json_null(), "stated", stated);
}

/* Claims and figures go into the database. */
static bool keep(const struct paper *p)
{
    const struct hd_study study = {.experiment = "outstanding", .options = p->options->quick ? "--paper --quick" : "--paper",
                                   .rank = p->options->quick ? 0 : 4, .config = &p->machine[FERMI].config};
    json_t *claims = json_array(), *figures = json_array();
    for (size_t i = 0; i < ROWS; i++) {
        const struct row *r = &rows[i];
        const struct hd_lab_spike *s = &p->curve[i].spike;
        char number[24], claim[120], paper[16], ours[16];
        if (!in_use(p, i) || !r->figure)
            continue;
        snprintf(number, sizeof number, "1.%u", r->figure);
        snprintf(claim, sizeof claim, "figure %u: where the latency steps: %s, %s, %u load%s a thread", r->figure,
                 variants[r->machine].name, r->pattern, r->loads, r->loads == 1 ? "" : "s");
        hd_findings_claim(claims, number, claim, place(r->must, paper), "the same number of threads, within 2, or no step as there",
                          right(r, s) ? "holds" : "does not hold", place(s->clear ? s->threads : NONE, ours));
        json_array_append_new(figures, curve_data(r, &p->curve[i]));
    }
    char ours[80], criterion[40];
    snprintf(ours, sizeof ours, "%.1f times as fast at a memory latency of %u cycles", faster(p, 1), memory_latency(p, 1));
    snprintf(criterion, sizeof criterion, "at least %.0f times", FASTER);
    hd_findings_claim(claims, "1.table", "the pending request table is faster with many requests", "not stated in numbers",
                      criterion, faster(p, 1) >= FASTER ? "holds" : "does not hold", ours);
    return hd_findings_put(p->options->way.db, &study, claims, figures);
}

int hd_lab_paper(const struct hd_lab_paper *options)
{
    struct paper *p = calloc(1, sizeof *p);
    if (!p) {
        fprintf(stderr, "heddle: no memory\n");
        return REFUSED;
    }
    p->options = options;
    int code = build(p) ? measure(p) : REFUSED;
    if (code == GOOD && !(write_files(p) && keep(p)))
        code = REFUSED;
    if (code == GOOD) {
        bool good = true;
        for (size_t i = 0; i < ROWS; i++)
            good &= !in_use(p, i) || right(&rows[i], &p->curve[i].spike);
        for (size_t i = 0; i < PAIRS; i++)
            good &= !compared[i].must || faster(p, i) >= FASTER;
        if (!options->json)
            print_text(p);
        else if (!print_json(p))
            code = REFUSED;
        if (code == GOOD && !good)
            code = FAILED;
    }
    for (size_t i = 0; i < CURVES; i++)
        hd_lab_clear(&p->curve[i]);
    free(p);
    return code;
}
