/* localtm_text.c - see localtm.h: tables, JSON, CSV and figures of the experiment of paper 5. */
#include "localtm.h"
#include "report/csv.h"
#include "stated.h"
#include "report/json.h"
#include "report/text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static unsigned size_of(unsigned i)
{
    return 2u << i;
}

static bool has(const struct hd_ltm_results *r, unsigned c, unsigned b, unsigned n)
{
    return r->cell[c][b][n][HD_LTM_TM][0].cycles != 0;
}

static bool any_size(const struct hd_ltm_results *r, unsigned c, unsigned b)
{
    bool any = false;

    for (unsigned n = 0; n < HD_LTM_SIZES; n++)
        any |= has(r, c, b, n);
    return any;
}

static bool any_bench(const struct hd_ltm_results *r, unsigned n)
{
    bool any = false;

    for (unsigned b = 0; b < HD_LTM_BENCHES; b++)
        any |= has(r, HD_LTM_BASE, b, n);
    return any;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static void print_spread(struct hd_ltm_number x, int width, int digits)
{
    char range[40] = "";

    hd_text_number(x.median, width, digits);
    if (!isnan(x.median))
        snprintf(range, sizeof range, "(%.*f-%.*f)", digits, x.least, digits, x.most);
    printf(" %-13s", range);
}

static void print_speedups(const struct hd_ltm_results *r)
{
    printf("how many times as fast as one thread after the other (serial): median of %d starts (least-most); figures 3a, 4a, 5a\n"
           "             tm                    perfect               locks                 lock1                 tm over lock1\n",
           HD_LTM_STARTS);
    for (unsigned b = 0; b < HD_LTM_BENCHES; b++)
        for (unsigned n = 0; n < HD_LTM_SIZES; n++) {
            static const unsigned column[] = {HD_LTM_TM, HD_LTM_PERFECT, HD_LTM_LOCKS, HD_LTM_LOCK1};
            if (!has(r, HD_LTM_BASE, b, n))
                continue;
            printf("%s%-5u", hd_ltm_bench_names[b], size_of(n));
            for (size_t i = 0; i < sizeof column / sizeof column[0]; i++)
                print_spread(hd_ltm_speedup(r, HD_LTM_BASE, b, n, column[i], HD_LTM_SERIAL), 8, 2);
            print_spread(hd_ltm_speedup(r, HD_LTM_BASE, b, n, HD_LTM_TM, HD_LTM_LOCK1), 8, 2);
            putchar('\n');
        }
}

static void print_measures(const struct hd_ltm_results *r)
{
    static const struct {
        enum hd_ltm_measure m;
        int width, digits;
    } column[] = {{HD_LTM_ATTEMPTS, 9, 0}, {HD_LTM_WF, 7, 1}, {HD_LTM_WG, 7, 1}, {HD_LTM_COMMITS, 9, 1}, {HD_LTM_ABORTS, 9, 0},
                  {HD_LTM_FALSE, 7, 1}, {HD_LTM_OUTSIDE, 10, 1}, {HD_LTM_CODE, 7, 1}, {HD_LTM_MEMORY, 8, 1}, {HD_LTM_ENDS, 8, 1},
                  {HD_LTM_HELD, 7, 1}};

    printf("\ntransactions (medians): figures 3b-5b, of 100 of the warps' time; figures 3c-5c, attempts of warps by mode\n"
           "         attempts   WF %%   WG %% commits %%  aborts false %%   outside   code  memory   begin,   held\n"
           "                                                                                  commit\n");
    for (unsigned b = 0; b < HD_LTM_BENCHES; b++)
        for (unsigned n = 0; n < HD_LTM_SIZES; n++) {
            if (!has(r, HD_LTM_BASE, b, n))
                continue;
            printf("%s%-5u", hd_ltm_bench_names[b], size_of(n));
            for (size_t i = 0; i < sizeof column / sizeof column[0]; i++)
                hd_text_number(hd_ltm_measure(r, HD_LTM_BASE, b, n, HD_LTM_TM, column[i].m).median, column[i].width, column[i].digits);
            putchar('\n');
        }
    printf("WF, WG: one lane at a time, alone with the token; commits: of the lanes that tried; false: of the aborts, filters'\n"
           "doing; memory: at owners, backups, restores; begin, commit: their way through the pipe; held: another one has the token\n");
}

static void print_row(const struct hd_ltm_results *r, unsigned c, unsigned b, const char *what,
                      struct hd_ltm_number (*get)(const struct hd_ltm_results *r, unsigned c, unsigned b, unsigned n), int digits)
{
    printf("%-18s %s %-8s", hd_ltm_change_names[c], hd_ltm_bench_names[b], what);
    for (unsigned n = 0; n < HD_LTM_SIZES; n++)
        if (any_bench(r, n))
            hd_text_number(get(r, c, b, n).median, 8, digits);
    putchar('\n');
}

static struct hd_ltm_number tm_speed(const struct hd_ltm_results *r, unsigned c, unsigned b, unsigned n)
{
    return hd_ltm_speedup(r, c, b, n, HD_LTM_TM, HD_LTM_SERIAL);
}

static struct hd_ltm_number perfect_speed(const struct hd_ltm_results *r, unsigned c, unsigned b, unsigned n)
{
    return hd_ltm_speedup(r, c, b, n, HD_LTM_PERFECT, HD_LTM_SERIAL);
}

static struct hd_ltm_number falses(const struct hd_ltm_results *r, unsigned c, unsigned b, unsigned n)
{
    return hd_ltm_measure(r, c, b, n, HD_LTM_TM, HD_LTM_FALSE);
}

static struct hd_ltm_number commits(const struct hd_ltm_results *r, unsigned c, unsigned b, unsigned n)
{
    return hd_ltm_measure(r, c, b, n, HD_LTM_TM, HD_LTM_COMMITS);
}

static void print_changes(const struct hd_ltm_results *r)
{
    printf("\nchanges (medians), by n\n%-30s", "");
    for (unsigned n = 0; n < HD_LTM_SIZES; n++)
        if (any_bench(r, n))
            printf("%8u", size_of(n));
    putchar('\n');
    for (unsigned b = 0; b < HD_LTM_BENCHES; b++)
        for (unsigned c = 0; c < HD_LTM_CHANGES; c++) {
            if (!any_size(r, c, b))
                continue;
            print_row(r, c, b, "tm", tm_speed, 2);
            print_row(r, c, b, "perfect", perfect_speed, 2);
            if (b != HD_LTM_KM)
                continue;
            print_row(r, c, b, "commit %", commits, 1);
            print_row(r, c, b, "false %", falses, 1);
        }
}

static void print_claims(const struct hd_ltm_results *r)
{
    static const char *const outcome[] = {[HD_GRID_HOLDS] = "holds", [HD_GRID_FAILS] = "DOES NOT HOLD"};
    enum { INDENT = 18 };

    printf("\nclaims of the paper\n");
    for (size_t i = 0; i < HD_LTM_CLAIMS; i++) {
        const struct hd_ltm_claim *c = &hd_ltm_claims[i];
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

void hd_ltm_text(const struct hd_ltm_results *r)
{
    printf("localtm on paper5: %zu runs, each checked, %.0f CPU s; start s: data of seed s+1, warp i starts 7 s i cycles late\n\n",
           r->runs, r->cpu_seconds);
    print_speedups(r);
    print_measures(r);
    print_changes(r);
    print_claims(r);
}

/* ---- every run --------------------------------------------------------------------------------------------------- */

/* The first measured cell after at[], which moves there: change, benchmark, size, variant, start. @return NULL at the end. */
static const struct hd_ltm_cell *next(const struct hd_ltm_results *r, unsigned at[5])
{
    static const unsigned most[5] = {HD_LTM_CHANGES, HD_LTM_BENCHES, HD_LTM_SIZES, HD_LTM_VARIANTS, HD_LTM_STARTS};

    for (;;) {
        int i = 4;
        while (i >= 0 && ++at[i] >= most[i])
            at[i--] = 0;
        if (i < 0)
            return NULL;
        const struct hd_ltm_cell *c = &r->cell[at[0]][at[1]][at[2]][at[3]][at[4]];
        if (c->cycles)
            return c;
    }
}

bool hd_ltm_json(const struct hd_ltm_results *r)
{
    json_t *all = json_object(), *runs = json_array(), *claims = json_array();
    const struct hd_ltm_cell *c;

    for (unsigned at[5] = {0, 0, 0, 0, UINT32_MAX}; (c = next(r, at));)
        json_array_append_new(runs, json_pack("{sssssisssisIsO}", "change", hd_ltm_change_names[at[0]], "benchmark",
                                              hd_ltm_bench_names[at[1]], "n", (int)size_of(at[2]), "variant",
                                              hd_ltm_variant_names[at[3]], "start", (int)at[4], "cycles", (json_int_t)c->cycles,
                                              "counters", c->counters));
    for (size_t i = 0; i < HD_LTM_CLAIMS; i++) {
        struct hd_grid_verdict v = {.outcome = HD_GRID_OPEN};
        hd_ltm_claims[i].judge(r, &v);
        json_array_append_new(claims, json_pack("{sssssssssssO}", "number", hd_ltm_claims[i].number, "claim", hd_ltm_claims[i].claim,
                                                "paper", hd_ltm_claims[i].paper, "ours", v.ours, "criterion",
                                                hd_ltm_claims[i].criterion, "holds",
                                                v.outcome == HD_GRID_HOLDS   ? json_true()
                                                : v.outcome == HD_GRID_FAILS ? json_false()
                                                                             : json_null()));
    }
    json_object_set_new(all, "config", json_string("paper5"));
    json_object_set_new(all, "runs", runs);
    json_object_set_new(all, "claims", claims);
    return hd_json_print(all, 2, 6);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static bool write_runs(const struct hd_ltm_results *r)
{
    static const char *const kept[] = {"tm.attempts_tx", "tm.attempts_wf", "tm.attempts_wg", "tm.commits", "tm.aborts", "tm.kills",
                                       "tm.false_aborts", "tm.time_outside", "tm.time_code", "tm.time_memory",
                                       "tm.time_begin_commit", "tm.time_held"};
    static const char *const head[] = {"change", "benchmark", "n", "variant", "start", "cycles"};
    const struct hd_ltm_cell *c;
    struct hd_csv f;

    if (!hd_csv_open(&f, r->options->out, "localtm"))
        return false;
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        hd_csv_text(&f, head[i]);
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        hd_csv_text(&f, kept[i]);
    hd_csv_end_row(&f);
    for (unsigned at[5] = {0, 0, 0, 0, UINT32_MAX}; (c = next(r, at));) {
        hd_csv_text(&f, hd_ltm_change_names[at[0]]);
        hd_csv_text(&f, hd_ltm_bench_names[at[1]]);
        hd_csv_count(&f, size_of(at[2]));
        hd_csv_text(&f, hd_ltm_variant_names[at[3]]);
        hd_csv_count(&f, at[4]);
        hd_csv_count(&f, c->cycles);
        for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
            hd_csv_count(&f, (uint64_t)json_integer_value(json_object_get(c->counters, kept[i])));
        hd_csv_end_row(&f);
    }
    return hd_csv_close(&f);
}

enum figure { SPEED, TIME, MODES, FIGURES };

static double bar(const struct hd_ltm_results *r, enum figure f, unsigned b, unsigned n, size_t series)
{
    static const unsigned variant[] = {HD_LTM_TM, HD_LTM_PERFECT, HD_LTM_LOCKS, HD_LTM_LOCK1};

    if (f == SPEED)
        return hd_ltm_speedup(r, HD_LTM_BASE, b, n, variant[series], HD_LTM_SERIAL).median;
    if (f == TIME)
        return hd_ltm_measure(r, HD_LTM_BASE, b, n, HD_LTM_TM, HD_LTM_OUTSIDE + (unsigned)series).median;
    double wf = hd_ltm_measure(r, HD_LTM_BASE, b, n, HD_LTM_TM, HD_LTM_WF).median;
    double wg = hd_ltm_measure(r, HD_LTM_BASE, b, n, HD_LTM_TM, HD_LTM_WG).median;
    return series == 0 ? 100 - wf - wg : series == 1 ? wf : wg;
}

static bool write_figure(const struct hd_ltm_results *r, enum figure f, unsigned b)
{
    static const struct {
        size_t series;
        const char *what, *of, *title[5];
    } figure[FIGURES] = {
        [SPEED] = {4, "speed-up over serial (ratio of cycles)", "speed-up", {"transactions", "perfect", "a lock each", "one lock"}},
        [TIME] = {5, "time (% of all warp-cycles)", "time", {"outside", "code", "memory", "begin, commit", "held"}},
        [MODES] = {3, "attempts (%)", "executions by mode", {"transactional", "a lane at a time", "alone"}},
    };
    struct hd_plot_bars bars = {.what = figure[f].what, .series = figure[f].series, .stacked = f != SPEED};
    char names[HD_LTM_SIZES][16], file[40], title[100];

    for (unsigned n = 0; n < HD_LTM_SIZES; n++) {
        if (!has(r, HD_LTM_BASE, b, n))
            continue;
        snprintf(names[n], sizeof names[n], "%s%u", hd_ltm_bench_names[b], size_of(n));
        bars.group[bars.groups] = names[n];
        for (size_t s = 0; s < bars.series; s++) {
            bars.title[s] = figure[f].title[s];
            bars.value[bars.groups][s] = bar(r, f, b, n, s);
        }
        bars.groups++;
    }
    snprintf(file, sizeof file, "localtm-figure%u%c", 3 + b, 'a' + (int)f);
    snprintf(title, sizeof title, "Figure %u%c: %s, %s, median of %d starts", 3 + b, 'a' + (int)f, hd_ltm_bench_names[b],
             figure[f].of, HD_LTM_STARTS);
    bars.stated = hd_lab_stated(file);
    bars.keep = r->kept;
    return bars.groups == 0 || hd_plot_bars(&bars, r->options->out, file, title);
}

bool hd_ltm_files(const struct hd_ltm_results *r)
{
    for (unsigned b = 0; b < HD_LTM_BENCHES; b++)
        for (enum figure f = SPEED; f < FIGURES; f++)
            if (!write_figure(r, f, b))
                return false;
    return write_runs(r);
}
