/* localtm.c - see localtm.h: which runs there are, measuring, and reading the results. */
#define _POSIX_C_SOURCE 200809L
#include "localtm.h"
#include "results/findings.h"
#include "run/configure.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GOOD = 0, REFUSED = 2, SETS = 4, WORDS = 64 };

const char *const hd_ltm_bench_names[HD_LTM_BENCHES] = {"HT", "KM", "GA"};
const char *const hd_ltm_variant_names[HD_LTM_VARIANTS] = {"tm", "perfect", "serial", "locks", "lock1"};
const char *const hd_ltm_change_names[HD_LTM_CHANGES] = {
    [HD_LTM_BASE] = "paper5",         [HD_LTM_GAP_1] = "issue_gap 1",   [HD_LTM_KB_4] = "KB 4",
    [HD_LTM_KB_32] = "KB 32",         [HD_LTM_KB_0] = "array a dimension", [HD_LTM_DETECT] = "owner records",
    [HD_LTM_HASH_4] = "tm_hash 4",    [HD_LTM_HASH_16] = "tm_hash 16",  [HD_LTM_HASH_32] = "tm_hash 32",
    [HD_LTM_GTO] = "gto",             [HD_LTM_NARROW] = "8 warps of 32",
};

static const char *const workload[HD_LTM_BENCHES] = {"ht", "km", "ga"};

/* What a change sets, the parameter it adds to KM, and what of it is measured. */
static const struct change {
    const char *set[SETS], *param;
    unsigned benches, variants; /* a bit each */
    bool quick;
} changes[HD_LTM_CHANGES] = {
#define TM_SERIAL (1 << HD_LTM_TM | 1 << HD_LTM_PERFECT | 1 << HD_LTM_SERIAL)
#define KM_ONLY (1 << HD_LTM_KM)
#define EACH (1 << HD_LTM_HT | 1 << HD_LTM_KM | 1 << HD_LTM_GA)
    [HD_LTM_BASE] = {{NULL}, "", EACH, (1 << HD_LTM_VARIANTS) - 1, true},
    [HD_LTM_GAP_1] = {{"issue_gap=1"}, "", EACH, TM_SERIAL, true},
    [HD_LTM_KB_4] = {{NULL}, " kb=4", KM_ONLY, TM_SERIAL, false},
    [HD_LTM_KB_32] = {{NULL}, " kb=32", KM_ONLY, TM_SERIAL, true},
    [HD_LTM_KB_0] = {{NULL}, " kb=0", KM_ONLY, TM_SERIAL, false},
    [HD_LTM_DETECT] = {{"tm_detect=true"}, "", EACH, TM_SERIAL, false},
    [HD_LTM_HASH_4] = {{"tm_hash=4"}, "", KM_ONLY, TM_SERIAL, false},
    [HD_LTM_HASH_16] = {{"tm_hash=16"}, "", KM_ONLY, TM_SERIAL, false},
    [HD_LTM_HASH_32] = {{"tm_hash=32"}, "", KM_ONLY, TM_SERIAL, false},
    [HD_LTM_GTO] = {{"scheduler=gto"}, "", EACH, TM_SERIAL, false},
    [HD_LTM_NARROW] = {{"lanes=32", "warps=8", "tm_warps=8"}, "", EACH, TM_SERIAL, false},
};

/* ---- the plan ---------------------------------------------------------------------------------------------------- */

/* KB = 4 has 8 rows for each centre of a bank: 256 centres are more than tm_rows. */
static bool fits(unsigned c, unsigned size)
{
    return c != HD_LTM_KB_4 || size < HD_LTM_SIZES - 1;
}

/* @return true when @only, a list with commas, is NULL or has @name. */
static bool listed(const char *only, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = only; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    return !only;
}

static bool planned(const struct hd_ltm_options *o, unsigned c, unsigned b, unsigned size, unsigned v)
{
    enum { N2 = 1 << 0, N8 = 1 << 2, N32 = 1 << 4, N64 = 1 << 5, N256 = 1 << 7 };
    static const unsigned quick_sizes[HD_LTM_BENCHES] = {N2 | N32 | N256, N2 | N8 | N64 | N256, N2 | N8 | N32 | N256};
    const struct change *x = &changes[c];

    return (x->benches >> b & 1) && (x->variants >> v & 1) && fits(c, size)
           && listed(o->only, workload[b]) && (!o->quick || (x->quick && (quick_sizes[b] >> size & 1) && (c == HD_LTM_BASE || b == HD_LTM_KM)));
}

/* Calls @visit for every cell, its numbers in at[]: change, benchmark, size, variant, start. @return false when it did. */
static bool each(struct hd_ltm_results *r, bool (*visit)(struct hd_ltm_results *r, struct hd_ltm_cell *cell, const unsigned at[5],
                                                         void *ctx), void *ctx)
{
    for (unsigned c = 0; c < HD_LTM_CHANGES; c++)
        for (unsigned b = 0; b < HD_LTM_BENCHES; b++)
            for (unsigned n = 0; n < HD_LTM_SIZES; n++)
                for (unsigned v = 0; v < HD_LTM_VARIANTS; v++)
                    for (unsigned s = 0; s < HD_LTM_STARTS; s++)
                        if (!visit(r, &r->cell[c][b][n][v][s], (const unsigned[5]){c, b, n, v, s}, ctx))
                            return false;
    return true;
}

static bool plan_cell(struct hd_ltm_results *r, struct hd_ltm_cell *cell, const unsigned at[5], void *ctx)
{
    (void)ctx;
    cell->planned = planned(r->options, at[0], at[1], at[2], at[3]);
    if (cell->planned)
        r->used[at[0]][at[3] == HD_LTM_PERFECT] = true;
    r->runs += cell->planned;
    return true;
}

static bool configure(struct hd_ltm_results *r)
{
    for (unsigned c = 0; c < HD_LTM_CHANGES; c++)
        for (unsigned ideal = 0; ideal < 2; ideal++) {
            const char *set[SETS + 1];
            size_t sets = 0;
            if (ideal)
                set[sets++] = "local_tm=ideal";
            for (unsigned i = 0; i < SETS && changes[c].set[i]; i++)
                set[sets++] = changes[c].set[i];
            if (r->used[c][ideal] && hd_configure(&r->on[c][ideal].config, "paper5", set, sets) != 0)
                return false;
        }
    return true;
}

static bool build(struct hd_ltm_results *r)
{
    struct hd_lab_machine *list[2 * HD_LTM_CHANGES];
    size_t n = 0;

    for (unsigned c = 0; c < HD_LTM_CHANGES; c++)
        for (unsigned ideal = 0; ideal < 2; ideal++)
            if (r->used[c][ideal])
                list[n++] = &r->on[c][ideal];
    return hd_lab_build_all(list, n, r->options->way.jobs);
}

/* ---- measuring --------------------------------------------------------------------------------------------------- */

struct work {
    struct hd_lab_experiment experiment;
    struct hd_lab_point *point;
    struct hd_ltm_cell **cell;
    char (*pattern)[WORDS];
    size_t n;
    struct hd_results *db;
};

static bool fill(struct hd_ltm_results *r, struct hd_ltm_cell *cell, const unsigned at[5], void *ctx)
{
    static const unsigned way[HD_LTM_VARIANTS] = {0, 0, 1, 2, 3};
    static const double cost[HD_LTM_VARIANTS] = {0.3, 0.2, 0.6, 0.5, 2};
    struct work *w = ctx;

    if (!cell->planned)
        return true;
    snprintf(w->pattern[w->n], WORDS, "%s n=%u way=%u skew=%u%s", workload[at[1]], 2u << at[2], way[at[3]], at[4],
             at[1] == HD_LTM_KM ? changes[at[0]].param : "");
    w->cell[w->n] = cell;
    w->point[w->n] = (struct hd_lab_point){.experiment = &w->experiment, .pattern = w->pattern[w->n], .loads = at[4] + 1,
                                           .seed = at[4] + 1, .cost = cost[at[3]],
                                           .machine = &r->on[at[0]][at[3] == HD_LTM_PERFECT]};
    w->n++;
    return true;
}

static bool fetch(struct hd_ltm_results *r, struct work *w)
{
    for (size_t i = 0; i < w->n; i++) {
        struct hd_results_key key = hd_lab_key(&w->point[i]);
        double seconds;
        char *text = hd_results_counters(w->db, &key, &seconds);
        w->cell[i]->cycles = w->point[i].value;
        w->cell[i]->counters = text ? json_loads(text, 0, NULL) : NULL;
        free(text);
        if (!w->cell[i]->counters) {
            fprintf(stderr, "heddle: lab: the run of %s is missing in the database\n", w->point[i].pattern);
            return false;
        }
        r->cpu_seconds += seconds;
    }
    return true;
}

static int measure(struct hd_ltm_results *r)
{
    struct work w = {.experiment = {.name = "localtm", .counter = "tx.cycles", .program = hd_lab_words},
                     .point = calloc(r->runs, sizeof *w.point), .cell = calloc(r->runs, sizeof *w.cell),
                     .pattern = calloc(r->runs, sizeof *w.pattern)};
    int code = REFUSED;

    if (w.point && w.cell && w.pattern) {
        each(r, fill, &w);
        code = hd_lab_measure(w.point, w.n, &r->options->way);
    } else {
        fprintf(stderr, "heddle: no memory\n");
    }
    if (code == GOOD) {
        w.db = hd_results_open(r->options->way.db);
        code = w.db && fetch(r, &w) ? GOOD : REFUSED;
        hd_results_close(w.db);
    }
    free(w.point);
    free(w.cell);
    free(w.pattern);
    return code;
}

/* ---- reading the results ----------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static struct hd_ltm_number number(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isnan(x[i]))
            return (struct hd_ltm_number){NAN, NAN, NAN};
    qsort(x, n, sizeof *x, by_value);
    return (struct hd_ltm_number){x[n / 2], x[0], x[n - 1]};
}

struct hd_ltm_number hd_ltm_speedup(const struct hd_ltm_results *r, unsigned change, unsigned bench, unsigned size,
                                    unsigned variant, unsigned of)
{
    const struct hd_ltm_cell (*cell)[HD_LTM_STARTS] = r->cell[change][bench][size];
    double x[HD_LTM_STARTS];

    for (unsigned s = 0; s < HD_LTM_STARTS; s++)
        x[s] = cell[variant][s].cycles && cell[of][s].cycles ? (double)cell[of][s].cycles / cell[variant][s].cycles : NAN;
    return number(x, HD_LTM_STARTS);
}

static double counter(const struct hd_ltm_cell *c, const char *name)
{
    return (double)json_integer_value(json_object_get(c->counters, name));
}

static double share(double of, double all)
{
    return all > 0 ? 100 * of / all : 0;
}

static double one(const struct hd_ltm_cell *c, enum hd_ltm_measure m)
{
    static const char *const time[] = {"tm.time_outside", "tm.time_code", "tm.time_memory", "tm.time_begin_commit", "tm.time_held"};
    double wf = counter(c, "tm.attempts_wf"), wg = counter(c, "tm.attempts_wg"), attempts = counter(c, "tm.attempts_tx") + wf + wg;
    double commits = counter(c, "tm.commits"), aborts = counter(c, "tm.aborts"), all = 0;

    if (!c->counters)
        return NAN;
    for (size_t i = 0; i < sizeof time / sizeof time[0]; i++)
        all += counter(c, time[i]);
    switch (m) {
    case HD_LTM_ATTEMPTS:
        return attempts;
    case HD_LTM_WF:
        return share(wf, attempts);
    case HD_LTM_WG:
        return share(wg, attempts);
    case HD_LTM_COMMITS:
        return share(commits, commits + aborts + counter(c, "tm.kills"));
    case HD_LTM_FALSE:
        return share(counter(c, "tm.false_aborts"), aborts);
    case HD_LTM_ABORTS:
        return aborts;
    default:
        return share(counter(c, time[m - HD_LTM_OUTSIDE]), all);
    }
}

struct hd_ltm_number hd_ltm_measure(const struct hd_ltm_results *r, unsigned change, unsigned bench, unsigned size,
                                    unsigned variant, enum hd_ltm_measure m)
{
    double x[HD_LTM_STARTS];

    for (unsigned s = 0; s < HD_LTM_STARTS; s++)
        x[s] = one(&r->cell[change][bench][size][variant][s], m);
    return number(x, HD_LTM_STARTS);
}

/* Claims and figures go into the database. */
static bool keep(struct hd_ltm_results *r)
{
    const struct hd_ltm_options *o = r->options;
    char options[HD_FINDINGS_OPTIONS];
    unsigned change = 0;

    while (change + 1 < HD_LTM_CHANGES && !r->used[change][0])
        change++;
    const struct hd_study study = {.experiment = "localtm", .config = &r->on[change][0].config,
                                   .options = hd_findings_options(options, o->quick ? "--quick" : "--paper", false, o->only),
                                   .rank = (o->quick ? 0 : 4) - (o->only ? 10 : 0)};
    json_t *claims = json_array(), *figures = r->kept;
    r->kept = NULL;
    for (size_t i = 0; i < HD_LTM_CLAIMS; i++) {
        const struct hd_ltm_claim *c = &hd_ltm_claims[i];
        struct hd_grid_verdict v = {.outcome = HD_GRID_OPEN};
        c->judge(r, &v);
        hd_findings_claim(claims, c->number, c->claim, c->paper, c->criterion, hd_grid_outcome_word(v.outcome), v.ours);
    }
    return hd_findings_put(o->way.db, &study, claims, figures);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static bool release(struct hd_ltm_results *r, struct hd_ltm_cell *cell, const unsigned at[5], void *ctx)
{
    (void)r;
    (void)at;
    (void)ctx;
    json_decref(cell->counters);
    return true;
}

int hd_ltm_run(const struct hd_ltm_options *options)
{
    struct hd_ltm_results *r = calloc(1, sizeof *r);
    int code = REFUSED;

    if (!r) {
        fprintf(stderr, "heddle: no memory\n");
        return REFUSED;
    }
    r->options = options;
    each(r, plan_cell, NULL);
    if (r->runs == 0) {
        fprintf(stderr, "heddle: lab: --only %s: must be some of ht, km, ga\n", options->only);
        free(r);
        return REFUSED;
    }
    struct hd_results *db = configure(r) ? hd_results_open(options->way.db) : NULL; /* refused before models are built */
    hd_results_close(db);
    if (db && build(r))
        code = measure(r);
    r->kept = json_array();
    if (code == GOOD && !(hd_ltm_files(r) && keep(r)))
        code = REFUSED;
    if (code == GOOD && !options->json)
        hd_ltm_text(r);
    else if (code == GOOD && !hd_ltm_json(r))
        code = REFUSED;
    each(r, release, NULL);
    json_decref(r->kept);
    free(r);
    return code;
}
