/* grid.c - see grid.h: which runs a table asks for, their machines, measuring, and reading the results. */
#define _POSIX_C_SOURCE 200809L
#include "grid.h"
#include "results/findings.h"
#include "run/configure.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { GOOD = 0, REFUSED = 2 };

/* ---- the plan ---------------------------------------------------------------------------------------------------- */

/* @return true when @only, a list with commas, is NULL or has @name. */
static bool listed(const char *only, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = only; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    return !only;
}

/* Every name of --only must be one of those in the figures. @return false after a message. */
static bool check_only(const struct hd_grid *g, const char *only)
{
    for (const char *at = only, *end; at; at = *end ? end + 1 : NULL) {
        bool found = false;
        end = at + strcspn(at, ",");
        for (size_t b = 0; b < g->shown; b++)
            found |= strlen(g->bench[b].name) == (size_t)(end - at)
                     && strncmp(g->bench[b].name, at, (size_t)(end - at)) == 0;
        if (found)
            continue;
        fprintf(stderr, "heddle: lab: --only %.*s: must be some of", (int)(end - at), at);
        for (size_t b = 0; b < g->shown; b++)
            fprintf(stderr, "%s %s", b ? "," : "", g->bench[b].name);
        fputc('\n', stderr);
        return false;
    }
    return true;
}

static bool planned(const struct hd_grid *g, const struct hd_grid_options *o, size_t m, size_t policy, size_t b)
{
    const struct hd_grid_machine *x = &g->machine[m];
    bool quick = o->tier == HD_GRID_QUICK;
    bool has = x->which == HD_GRID_EVERY || (x->which == HD_GRID_SHOWN && b < g->shown)
               || (x->which == HD_GRID_ONE && b == x->bench);
    unsigned policies = (quick && !x->sensitivity ? x->quick : x->policies) & g->bench[b].policies;
    return has && (policies >> policy & 1) && (!x->sensitivity || o->sensitivity) && (!quick || g->bench[b].quick)
           && (listed(o->only, g->bench[b].workload) || listed(o->only, g->bench[b].name));
}

static bool any_planned(const struct hd_grid *g, const struct hd_grid_options *o)
{
    for (size_t b = 0; b < g->benches; b++)
        if (planned(g, o, 0, 0, b))
            return true;
    fprintf(stderr, "heddle: lab: --quick runs none of --only %s; --reduced does\n", o->only);
    return false;
}

/* Marks the cells in the plan, with those that others are over. @return their number; machines that have one are used. */
static size_t plan(struct hd_grid_results *r)
{
    const struct hd_grid *g = r->grid;
    size_t n = 0;
    for (size_t m = 0; m < g->machines; m++)
        for (size_t p = 0; p < g->policies; p++)
            for (size_t b = 0; b < g->benches; b++) {
                if (!planned(g, r->options, m, p, b))
                    continue;
                r->cell[m][p][b].planned = r->used[m][p] = true;
                if (g->bench[b].over)
                    r->cell[0][0][g->bench[b].over - 1].planned = r->used[0][0] = true;
            }
    for (size_t m = 0; m < g->machines; m++)
        for (size_t p = 0; p < g->policies; p++)
            for (size_t b = 0; b < g->benches; b++)
                n += r->cell[m][p][b].planned;
    return n;
}

/* ---- machines ---------------------------------------------------------------------------------------------------- */

static bool configure(struct hd_grid_results *r, size_t m, size_t p)
{
    const struct hd_grid *g = r->grid;
    const char *set[HD_GRID_SETS + 2];
    size_t sets = 0;
    set[sets++] = g->policy[p].set;
    if (g->set)
        set[sets++] = g->set;
    for (size_t i = 0; i < HD_GRID_SETS && g->machine[m].set[i]; i++)
        set[sets++] = g->machine[m].set[i];
    return hd_configure(&r->on[m][p].config, g->tier[r->options->tier].config, set, sets) == 0;
}

/* Configures the machines that are used. @return false after a message. */
static bool configure_all(struct hd_grid_results *r)
{
    for (size_t m = 0; m < r->grid->machines; m++)
        for (size_t p = 0; p < r->grid->policies; p++)
            if (r->used[m][p] && !configure(r, m, p))
                return false;
    return true;
}

static bool build(struct hd_grid_results *r)
{
    struct hd_lab_machine *list[HD_GRID_MACHINES * HD_GRID_POLICIES];
    size_t n = 0;
    for (size_t m = 0; m < r->grid->machines; m++)
        for (size_t p = 0; p < r->grid->policies; p++)
            if (r->used[m][p])
                list[n++] = &r->on[m][p];
    return hd_lab_build_all(list, n, r->options->way.jobs);
}

/* ---- measuring --------------------------------------------------------------------------------------------------- */

/* Fetches counters of what was measured. @return false after a message. */
static bool fetch(struct hd_grid_cell *c, const struct hd_lab_point *p, struct hd_results *db)
{
    struct hd_results_key key = hd_lab_key(p);
    char *text = hd_results_counters(db, &key, &c->cpu_seconds);
    c->cycles = p->value;
    c->counters = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    if (!c->counters)
        fprintf(stderr, "heddle: lab: the run of %s is missing in the database\n", p->pattern);
    return c->counters != NULL;
}

struct work {
    struct hd_lab_experiment experiment;
    char pattern[HD_GRID_BENCHES][HD_GRID_WORDS];
    struct hd_lab_point *point;
    struct hd_grid_cell **cell;
};

/* A point for each cell of the plan. */
static void fill(struct hd_grid_results *r, struct work *w)
{
    const struct hd_grid *g = r->grid;
    size_t n = 0;
    for (size_t b = 0; b < g->benches; b++) {
        bool full = r->options->tier == HD_GRID_FULL && g->bench[b].full;
        const char *size = g->tier[r->options->tier].size, *param = full ? g->bench[b].full : g->bench[b].param;
        snprintf(w->pattern[b], HD_GRID_WORDS, "%s%s%s%s%s", g->bench[b].workload, size ? " size=" : "",
                 size ? size : "", *param ? " " : "", param);
    }
    for (size_t m = 0; m < g->machines; m++)
        for (size_t b = 0; b < g->benches; b++)
            for (size_t p = 0; p < g->policies; p++) {
                struct hd_grid_cell *c = &r->cell[m][p][b];
                if (!c->planned)
                    continue;
                w->cell[n] = c;
                w->point[n++] = (struct hd_lab_point){.experiment = &w->experiment, .machine = &r->on[m][p],
                                                      .pattern = w->pattern[b], .seed = 1, .cost = g->bench[b].seconds};
            }
}

static int measure(struct hd_grid_results *r, size_t n)
{
    struct work w = {.experiment = {.name = r->grid->name, .program = hd_lab_words},
                     .point = calloc(n, sizeof *w.point), .cell = calloc(n, sizeof *w.cell)};
    int code = REFUSED;
    if (w.point && w.cell) {
        fill(r, &w);
        code = hd_lab_measure(w.point, n, &r->options->way);
    } else
        fprintf(stderr, "heddle: no memory\n");
    struct hd_results *db = code == GOOD ? hd_results_open(r->options->way.db) : NULL;
    if (code == GOOD && !db)
        code = REFUSED;
    for (size_t i = 0; code == GOOD && i < n; i++)
        if (!fetch(w.cell[i], &w.point[i], db))
            code = REFUSED;
    hd_results_close(db);
    free(w.point);
    free(w.cell);
    return code;
}

/* ---- reading the results ----------------------------------------------------------------------------------------- */

double hd_grid_against(const struct hd_grid_results *r, unsigned machine, unsigned policy, unsigned machine2,
                       unsigned policy2, unsigned bench)
{
    uint64_t one = r->cell[machine][policy][bench].cycles, other = r->cell[machine2][policy2][bench].cycles;
    return one && other ? (double)one / (double)other : NAN;
}

double hd_grid_time(const struct hd_grid_results *r, unsigned machine, unsigned policy, unsigned bench)
{
    unsigned over = r->grid->bench[bench].over;
    uint64_t one = r->cell[machine][policy][bench].cycles, other = r->cell[0][0][over ? over - 1 : bench].cycles;
    return one && other ? (double)one / (double)other : NAN;
}

static double ratio(const struct hd_grid_results *r, unsigned machine, unsigned policy, unsigned machine2, unsigned policy2,
                    unsigned bench)
{
    return machine2 == 0 && policy2 == 0 ? hd_grid_time(r, machine, policy, bench)
                                         : hd_grid_against(r, machine, policy, machine2, policy2, bench);
}

double hd_grid_mean(const struct hd_grid_results *r, unsigned machine, unsigned policy, unsigned machine2,
                    unsigned policy2, unsigned without)
{
    double sum = 0;
    unsigned n = 0;
    for (unsigned b = 0; b < r->grid->shown; b++)
        if (b != without) {
            sum += log(ratio(r, machine, policy, machine2, policy2, b));
            n++;
        }
    return exp(sum / n);
}

double hd_grid_mean_of(const struct hd_grid_results *r, unsigned machine, unsigned policy, unsigned machine2,
                       unsigned policy2, unsigned first, unsigned last)
{
    double sum = 0;
    unsigned n = 0;
    for (unsigned b = first; b < last; b++)
        if (r->cell[0][0][b].planned) {
            sum += log(ratio(r, machine, policy, machine2, policy2, b));
            n++;
        }
    return n ? exp(sum / n) : NAN;
}

double hd_grid_counter(const struct hd_grid_cell *c, const char *counter)
{
    return (double)json_integer_value(json_object_get(c->counters, counter));
}

static double sum(const struct hd_grid_cell *c, const char *const *counter, size_t n)
{
    double all = 0;
    for (size_t i = 0; i < n && counter[i]; i++)
        all += hd_grid_counter(c, counter[i]);
    return all;
}

double hd_grid_measure(const struct hd_grid_results *r, const struct hd_grid_cell *c, const struct hd_grid_measure *m)
{
    double over = m->per_cycle ? (double)c->cycles * r->on[0][0].config.sms
                  : m->den[0]  ? sum(c, m->den, sizeof m->den / sizeof m->den[0])
                               : m->over;
    return c->counters && over > 0 ? m->times * sum(c, m->num, sizeof m->num / sizeof m->num[0]) / over : NAN;
}

double hd_grid_cause(const struct hd_grid_cell *c, unsigned machine, const struct hd_grid_cause *cause)
{
    double all = cause->counter ? hd_grid_counter(c, cause->counter) : 0;
    for (const struct hd_grid_term *t = cause->term; t && t->counter; t++)
        if (t->machines == 0 || (t->machines >> machine & 1))
            all += t->weight * hd_grid_counter(c, t->counter);
    return all;
}

double hd_grid_split(const struct hd_grid_results *r, const struct hd_grid_split *s, const struct hd_grid_column *column,
                     unsigned bench, size_t cause)
{
    const struct hd_grid_cell *c = &r->cell[column->machine][column->policy][bench], *base = &r->cell[0][0][bench];
    double all = 0;
    for (size_t i = 0; i < s->causes; i++)
        all += hd_grid_cause(base, 0, &s->cause[i]);
    return c->counters && all > 0 ? 100 * hd_grid_cause(c, column->machine, &s->cause[cause]) / all : NAN;
}

bool hd_grid_has(const struct hd_grid_results *r, const struct hd_grid_column *column, unsigned first, unsigned last)
{
    for (unsigned b = 0; b < r->grid->benches; b++)
        if (hd_grid_in(r->grid, first, last, b) && r->cell[column->machine][column->policy][b].counters)
            return true;
    return false;
}

bool hd_grid_in(const struct hd_grid *g, unsigned first, unsigned last, unsigned bench)
{
    return bench >= first && bench < (last ? last : g->shown);
}

const char *hd_grid_size_word(const struct hd_grid_results *r)
{
    return r->options->tier == HD_GRID_FULL ? "full" : "reduced";
}

void hd_grid_say(struct hd_grid_verdict *v, const char *format, ...)
{
    size_t at = strlen(v->ours);
    va_list list;
    va_start(list, format);
    vsnprintf(v->ours + at, sizeof v->ours - at, format, list);
    va_end(list);
}

void hd_grid_judge(struct hd_grid_verdict *v, bool holds, const double *rests_on, size_t n)
{
    v->outcome = holds ? HD_GRID_HOLDS : HD_GRID_FAILS;
    for (size_t i = 0; i < n; i++)
        if (isnan(rests_on[i])) {
            v->outcome = HD_GRID_OPEN;
            snprintf(v->ours, sizeof v->ours, "not measured");
        }
}

const char *hd_grid_outcome_word(enum hd_grid_outcome outcome)
{
    return outcome == HD_GRID_HOLDS ? "holds" : outcome == HD_GRID_FAILS ? "does not hold" : "open";
}

/* Claims and figures go into the database. A part of the benchmarks counts for less than the least of the whole. */
static bool keep(struct hd_grid_results *r)
{
    static const char *const tiers[] = {[HD_GRID_QUICK] = "--quick", [HD_GRID_REDUCED] = "--reduced", [HD_GRID_FULL] = "--paper"};
    const struct hd_grid_options *o = r->options;
    char options[HD_FINDINGS_OPTIONS];
    const struct hd_study study = {.experiment = r->grid->name, .config = &r->on[0][0].config,
                                   .options = hd_findings_options(options, tiers[o->tier], o->sensitivity, o->only),
                                   .rank = 2 * (int)o->tier + o->sensitivity - (o->only ? 10 : 0)};
    json_t *claims = json_array(), *figures = r->kept;
    r->kept = NULL;
    for (size_t i = 0; i < r->grid->claims; i++) {
        const struct hd_grid_claim *c = &r->grid->claim[i];
        struct hd_grid_verdict v = {.outcome = HD_GRID_OPEN};
        c->judge(r, &v);
        hd_findings_claim(claims, c->number, c->claim, c->paper, c->criterion, hd_grid_outcome_word(v.outcome), v.ours);
    }
    return hd_findings_put(o->way.db, &study, claims, figures);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void release(struct hd_grid_results *r)
{
    for (size_t m = 0; m < HD_GRID_MACHINES; m++)
        for (size_t p = 0; p < HD_GRID_POLICIES; p++)
            for (size_t b = 0; b < HD_GRID_BENCHES; b++)
                json_decref(r->cell[m][p][b].counters);
    json_decref(r->kept);
    free(r);
}

int hd_grid_run(const struct hd_grid *g, const struct hd_grid_options *options)
{
    struct hd_grid_results *r = calloc(1, sizeof *r);
    if (!r) {
        fprintf(stderr, "heddle: no memory\n");
        return REFUSED;
    }
    r->grid = g;
    r->options = options;
    size_t n = plan(r);
    bool ready = check_only(g, options->only) && any_planned(g, options) && configure_all(r);
    struct hd_results *db = ready ? hd_results_open(options->way.db) : NULL; /* refused before models are built */
    hd_results_close(db);
    int code = db && build(r) ? measure(r, n) : REFUSED;
    r->kept = json_array();
    if (code == GOOD && !(hd_grid_files(r) && keep(r)))
        code = REFUSED;
    if (code == GOOD && !options->json)
        hd_grid_text(r);
    else if (code == GOOD && !hd_grid_json(r))
        code = REFUSED;
    release(r);
    return code;
}
