/* grid_text.c - see grid.h: results as tables on stdout and as one JSON object. */
#include "grid.h"
#include "report/json.h"
#include "report/text.h"
#include <math.h>
#include <stdio.h>

/* ---- times ------------------------------------------------------------------------------------------------------- */

/* Columns up to the last whose machine was used. */
static size_t columns(const struct hd_grid_results *r)
{
    size_t n = r->grid->columns;
    while (n > 0 && !r->used[r->grid->column[n - 1].machine][r->grid->column[n - 1].policy])
        n--;
    return n;
}

static void print_mean(const struct hd_grid_results *r, size_t n)
{
    char head[40];
    snprintf(head, sizeof head, "geometric mean of the %zu", r->grid->shown);
    printf("%-28s", head);
    for (size_t i = 0; i < n; i++)
        hd_text_number(hd_grid_mean(r, r->grid->column[i].machine, r->grid->column[i].policy, 0, 0, HD_GRID_BENCHES), 9, 2);
    printf("\n");
}

static void print_extra(const struct hd_grid_results *r, const struct hd_grid_extra *x, size_t n)
{
    const struct hd_grid_column *column = r->grid->column;
    uint64_t cycles = r->cell[x->machine][0][x->bench].cycles;
    char text[32];
    if (cycles == 0)
        return;
    printf("%-16s%12s", x->name, hd_text_grouped(cycles, text));
    for (size_t i = 0; i < n && column[i].machine == 0; i++)
        hd_text_number(hd_grid_against(r, x->machine, column[i].policy, x->machine, 0, x->bench), 9, 2);
    printf("\n%s\n", x->note);
}

static void print_times(const struct hd_grid_results *r)
{
    const struct hd_grid *g = r->grid;
    size_t n = columns(r);
    bool all = true;
    printf("%s\n%-16s%12s", g->times_head, "", g->times_unit);
    for (size_t i = 0; i < n; i++)
        printf("%9s", g->column[i].title);
    printf("\n");
    for (unsigned b = 0; b <= g->benches; b++) {
        char text[32];
        if (b == g->shown && all)
            print_mean(r, n);
        all &= b < g->benches && r->cell[0][0][b].planned;
        if (b == g->benches || !r->cell[0][0][b].planned)
            continue;
        printf("%-16s%12s", g->bench[b].name, hd_text_grouped(r->cell[0][0][b].cycles, text));
        for (size_t i = 0; i < n; i++)
            hd_text_number(hd_grid_time(r, g->column[i].machine, g->column[i].policy, b), 9, 2);
        printf("\n");
    }
    for (size_t i = 0; i < g->notes; i++)
        if (r->used[g->note[i].machine][g->note[i].policy])
            printf("%s\n", g->note[i].text);
    for (size_t i = 0; i < g->extras; i++)
        print_extra(r, &g->extra[i], n);
}

/* ---- what counters say about the times --------------------------------------------------------------------------- */

static void print_counts(const struct hd_grid_results *r)
{
    const struct hd_grid *g = r->grid;
    printf("\n%s\n", g->counts_head);
    for (size_t b = 0; b < g->benches; b++) {
        if (!r->cell[0][0][b].counters)
            continue;
        printf("%-15s", g->bench[b].name);
        for (size_t i = 0; i < g->counts; i++) {
            const struct hd_grid_count *c = &g->count[i];
            hd_text_number(hd_grid_measure(r, &r->cell[0][c->policy][b], c->measure), c->width, c->digits);
        }
        printf("\n");
    }
    printf("%s\n", g->counts_foot);
}

static void print_split_row(const struct hd_grid_results *r, const struct hd_grid_split *s, const struct hd_grid_column *column,
                            unsigned b, bool first)
{
    double all = 0;
    printf("%-15s%-6s", first ? r->grid->bench[b].name : "", column->title);
    for (size_t i = 0; i < s->causes; i++) {
        double x = hd_grid_split(r, s, column, b, i);
        all += x;
        hd_text_number(x, 8, 1);
    }
    hd_text_number(all, 8, 1);
    printf("\n");
}

static bool split_has(const struct hd_grid_results *r, const struct hd_grid_split *s, unsigned b)
{
    return hd_grid_in(r->grid, s->first, s->last, b) && r->cell[0][0][b].counters;
}

/* A table is over the base, and there is none of benchmarks on which that did not run. */
static bool split_has_any(const struct hd_grid_results *r, const struct hd_grid_split *s)
{
    return hd_grid_has(r, &(struct hd_grid_column){0}, s->first, s->last);
}

/* Words for the causes of a split, unless one before it has said them. */
static void print_words(const struct hd_grid_results *r, const struct hd_grid_split *s)
{
    for (const struct hd_grid_split *before = r->grid->split; before < s; before++)
        if (before->cause == s->cause && split_has_any(r, before))
            return;
    for (size_t i = 0; i < s->causes; i++)
        printf("%s%s: %s", i == 0 ? "" : i % 3 == 0 ? ";\n" : "; ", s->cause[i].title, s->cause[i].words);
    printf("\n");
}

static void print_split(const struct hd_grid_results *r, const struct hd_grid_split *s)
{
    if (!split_has_any(r, s))
        return;
    printf("\n%s\n%-21s", s->head, "");
    for (size_t i = 0; i < s->causes; i++)
        printf("%8s", s->cause[i].title);
    printf("%8s\n", "all");
    for (unsigned b = 0; b < r->grid->benches; b++)
        for (size_t i = 0; i < s->columns && split_has(r, s, b); i++)
            if (r->cell[s->column[i].machine][s->column[i].policy][b].counters)
                print_split_row(r, s, &s->column[i], b, i == 0);
    print_words(r, s);
}

/* ---- a changed machine against the base machine ------------------------------------------------------------------ */

/* Benchmarks where a machine gains and loses most. @return false when none was measured. */
static bool ends(const struct hd_grid_results *r, unsigned m, unsigned p, unsigned *least, unsigned *most)
{
    *least = *most = HD_GRID_BENCHES;
    for (unsigned b = 0; b < r->grid->benches; b++) {
        double x = hd_grid_against(r, m, p, 0, p, b);
        if (isnan(x))
            continue;
        if (*least == HD_GRID_BENCHES || x < hd_grid_against(r, m, p, 0, p, *least))
            *least = b;
        if (*most == HD_GRID_BENCHES || x > hd_grid_against(r, m, p, 0, p, *most))
            *most = b;
    }
    return *least != HD_GRID_BENCHES;
}

static void print_changed(const struct hd_grid_results *r)
{
    const struct hd_grid *g = r->grid;
    char mean[32];
    bool head = false;
    for (unsigned m = (unsigned)g->changed; m < g->machines; m++)
        for (unsigned p = 0; p < g->policies; p++) {
            unsigned least, most;
            if (!ends(r, m, p, &least, &most))
                continue;
            snprintf(mean, sizeof mean, "mean of the %zu", g->shown);
            if (!head)
                printf("\n%s\n%-20s%-8s%15s   %-24s%s\n", g->changed_head, "", g->policy_word, mean, "least", "most");
            head = true;
            printf("%-20s%-8s", g->machine[m].name, g->policy[p].name);
            hd_text_number(hd_grid_mean(r, m, p, 0, p, HD_GRID_BENCHES), 15, 3);
            printf("   %5.2f %-18s%5.2f %s\n", hd_grid_against(r, m, p, 0, p, least), g->bench[least].name,
                   hd_grid_against(r, m, p, 0, p, most), g->bench[most].name);
        }
}

/* ---- claims ------------------------------------------------------------------------------------------------------ */

static void print_claims(const struct hd_grid_results *r)
{
    static const char *const outcome[] = {[HD_GRID_HOLDS] = "holds", [HD_GRID_FAILS] = "DOES NOT HOLD"};
    enum { INDENT = 18 };
    printf("\nclaims of the paper\n");
    for (size_t i = 0; i < r->grid->claims; i++) {
        const struct hd_grid_claim *c = &r->grid->claim[i];
        struct hd_grid_verdict v = {.outcome = HD_GRID_OPEN};
        c->judge(r, &v);
        bool open = v.outcome == HD_GRID_OPEN;
        printf("%-5s %s: %s\n", c->number, c->claim, open ? v.ours : outcome[v.outcome]);
        if (open)
            continue;
        hd_text_wrap("paper", c->paper, INDENT);
        hd_text_wrap("here", v.ours, INDENT);
        hd_text_wrap("criterion", c->criterion, INDENT);
    }
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* The first cell after *m, *p, *b that was measured, by machine, policy, benchmark. @return NULL at the end. */
static const struct hd_grid_cell *next(const struct hd_grid_results *r, unsigned *m, unsigned *p, unsigned *b)
{
    const struct hd_grid *g = r->grid;
    for (;;) {
        if (++*b >= g->benches) {
            *b = 0;
            if (++*p >= g->policies) {
                *p = 0;
                ++*m;
            }
        }
        if (*m >= g->machines)
            return NULL;
        if (r->cell[*m][*p][*b].cycles)
            return &r->cell[*m][*p][*b];
    }
}

void hd_grid_text(const struct hd_grid_results *r)
{
    const struct hd_config *c = &r->on[0][0].config;
    const struct hd_grid_cell *cell;
    unsigned m = 0, p = 0, b = UINT32_MAX, runs = 0;
    double seconds = 0;
    for (; (cell = next(r, &m, &p, &b)); runs++)
        seconds += cell->cpu_seconds;
    printf("%s on %s: %u SM%s, %u L2 partition%s, size %s; %u runs, %.0f CPU s\n\n", r->grid->name, c->name, c->sms,
           c->sms == 1 ? "" : "s", c->partitions, c->partitions == 1 ? "" : "s", hd_grid_size_word(r), runs, seconds);
    if (r->grid->times_head)
        print_times(r);
    if (r->grid->counts > 0)
        print_counts(r);
    for (size_t i = 0; i < r->grid->splits; i++)
        print_split(r, &r->grid->split[i]);
    if (r->grid->changed_head)
        print_changed(r);
    print_claims(r);
}

static json_t *claim_json(const struct hd_grid_results *r, const struct hd_grid_claim *c)
{
    struct hd_grid_verdict v = {.outcome = HD_GRID_OPEN};
    c->judge(r, &v);
    return json_pack("{sssssssssssO}", "number", c->number, "claim", c->claim, "paper", c->paper, "ours", v.ours,
                     "criterion", c->criterion, "holds",
                     v.outcome == HD_GRID_HOLDS ? json_true() : v.outcome == HD_GRID_FAILS ? json_false() : json_null());
}

bool hd_grid_json(const struct hd_grid_results *r)
{
    const struct hd_grid *g = r->grid;
    json_t *all = json_object(), *runs = json_array(), *claims = json_array();
    const struct hd_grid_cell *c;
    for (unsigned m = 0, p = 0, b = UINT32_MAX; (c = next(r, &m, &p, &b));) {
        double time = hd_grid_time(r, m, p, b);
        json_array_append_new(runs, json_pack("{sssssssIsosO}", "machine", g->machine[m].name, g->policy_word,
                                              g->policy[p].name, "benchmark", g->bench[b].name, "cycles",
                                              (json_int_t)c->cycles, "time",
                                              isnan(time) ? json_null() : json_real(time), "counters", c->counters));
    }
    for (size_t i = 0; i < g->claims; i++)
        json_array_append_new(claims, claim_json(r, &g->claim[i]));
    json_object_set_new(all, "config", json_string(r->on[0][0].config.name));
    json_object_set_new(all, "size", json_string(hd_grid_size_word(r)));
    json_object_set_new(all, "runs", runs);
    json_object_set_new(all, "claims", claims);
    return hd_json_print(all, 2, 6);
}
