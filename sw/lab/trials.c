/* trials.c - see infer.h: what was inferred as text and JSON, and trials on machines drawn at random. */
#include "report/json.h"
#include "run/configure.h"
#include "infer.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GOOD = 0, FAILED = 1, REFUSED = 2, MAX_TRIALS = 1000, TEXTS = 8 };

static const char *const kind_names[] = {[HD_LAB_MSHR] = "mshr", [HD_LAB_PRT] = "prt",
                                         [HD_LAB_UNDECIDED] = "undecided"};

/* ---- output ------------------------------------------------------------------------------------------------------ */

static void print_size(const char *name, const struct hd_lab_size *s, const char *unit)
{
    char value[64];
    if (!s->known)
        return;
    snprintf(value, sizeof value, "%s%u %s", s->at_least ? "at least " : "", s->value, unit);
    printf("  %-12s%-32s%s\n", name, value, s->evidence);
}

static json_t *size_json(const struct hd_lab_size *s)
{
    return s->known ? json_pack("{sisbss}", "value", (int)s->value, "at_least", s->at_least, "evidence", s->evidence)
                    : json_null();
}

bool hd_lab_infer_print(const struct hd_lab_machine *m, const struct hd_lab_inference *f, bool json)
{
    static const char *const texts[] = {[HD_LAB_MSHR] = "MSHR table, an entry a line",
                                        [HD_LAB_PRT] = "pending request table",
                                        [HD_LAB_UNDECIDED] = "undecided"};
    if (json) {
        json_t *all = json_pack("{sssssssososososisisi}", "config", m->config.name, "table", kind_names[f->kind],
                                "evidence", f->kind_evidence, "entries", size_json(&f->entries), "merge_lanes",
                                size_json(&f->merge), "scoreboard", size_json(&f->scoreboard), "credits",
                                size_json(&f->credits), "miss_latency", (int)f->latency, "hit_latency", (int)f->hit,
                                "runs", (int)f->runs);
        return hd_json_print(all, 2, 8);
    }
    printf("%s, as its latencies show it (%u runs; a miss takes %u cycles, a hit %u)\n", m->config.name, f->runs,
           f->latency, f->hit);
    printf("  %-12s%-32s%s\n", "table", texts[f->kind], f->kind_evidence);
    if (f->kind == HD_LAB_UNDECIDED)
        printf("  %-12s%-32s%s\n", "", "", "entries that join no request and few credits look alike");
    print_size("entries", &f->entries,
               f->kind == HD_LAB_PRT ? "warp instructions" : "lines");
    print_size("merge limit", &f->merge, "lanes an entry");
    print_size("credits", &f->credits, "requests");
    print_size("scoreboard", &f->scoreboard, "operations a warp");
    return true;
}

/* ---- trials ------------------------------------------------------------------------------------------------------ */

/* A machine drawn at random: its settings, and what must be found. */
struct trial {
    struct hd_lab_machine m;
    unsigned entries, merge, scoreboard, credits;
    bool prt;
};

/* What is no part of the question is small, so that models build quickly. */
static const char *const small[] = {"sms=1",        "partitions=1", "clk_ratio=1",   "memory=fixed", "blocks=1",
                                    "l1_sets=16",   "l1_ways=4",    "lds_bytes=128", "mshr_stores=8", "mshr_cas=1",
                                    "wb_entries=2"};
enum { SMALL = sizeof small / sizeof small[0] };

static unsigned between(uint64_t *state, unsigned low, unsigned high)
{
    return low + hd_random_below(state, high - low + 1);
}

/* Hardware: from @hardware; latency: from @time. */
static bool draw(struct trial *t, uint64_t hardware, uint64_t *time)
{
    char text[TEXTS][32];
    const char *set[SMALL + TEXTS];
    size_t n = 0;
    t->prt = between(&hardware, 0, 1);
    t->entries = between(&hardware, 8, 160);
    t->scoreboard = between(&hardware, 1, 8);
    t->merge = between(&hardware, 32, 2048);
    t->credits = t->prt && between(&hardware, 0, 1) ? between(&hardware, t->entries + 1, 32 * t->entries) : 0;
    unsigned latency = between(time, 300, 2500);
    for (size_t i = 0; i < SMALL; i++)
        set[n++] = small[i];
    snprintf(text[0], sizeof text[0], "pending=%s", t->prt ? "prt" : "mshr");
    snprintf(text[1], sizeof text[1], "%s=%u", t->prt ? "prt_entries" : "mshr", t->entries);
    snprintf(text[2], sizeof text[2], "scoreboard=%u", t->scoreboard);
    snprintf(text[3], sizeof text[3], "merge_lanes=%u", t->prt ? 32 : t->merge);
    snprintf(text[4], sizeof text[4], "prt_credits=%u", t->credits);
    snprintf(text[5], sizeof text[5], "fixed_latency=%u", latency);
    snprintf(text[6], sizeof text[6], "mshr_targets=512");
    for (size_t i = 0; i < 7; i++)
        set[n++] = text[i];
    if (hd_configure(&t->m.config, "fermi-mshr", set, n) != 0)
        return false;
    if (t->prt && t->credits == 0)
        t->credits = 32 * t->entries;
    return true;
}

/* @shows: a size up to which the machine can show it; "at least" less than that is not good enough. */
static bool right_size(const struct hd_lab_size *s, unsigned truth, unsigned shows)
{
    return s->known && (s->at_least ? s->value <= truth && s->value >= shows : s->value == truth);
}

static bool right(const struct trial *t, const struct hd_lab_inference *f)
{
    unsigned lanes = t->m.config.lanes, accesses = (t->m.config.warps - 1) * t->scoreboard;
    unsigned in_time = t->m.config.fixed_latency * 3 / 4 - HD_LAB_INFER_MARGIN; /* requests that are out together */
    unsigned instructions = accesses < in_time ? accesses : in_time;
    unsigned lines = accesses * lanes < in_time ? accesses * lanes : in_time;
    unsigned held = t->entries * lanes; /* requests: entries that are full hide credits */
    return f->kind == (t->prt ? HD_LAB_PRT : HD_LAB_MSHR)
           && right_size(&f->entries, t->entries, t->prt ? instructions : lines)
           && right_size(&f->scoreboard, t->scoreboard, UINT_MAX)
           && (t->prt ? right_size(&f->credits, t->credits, lines < held ? lines : held)
                      : right_size(&f->merge, t->merge, instructions * lanes));
}

static const char *size_text(const struct hd_lab_size *s, char text[24])
{
    if (s->known)
        snprintf(text, 24, "%s%u", s->at_least ? ">=" : "", s->value);
    else
        snprintf(text, 24, "-");
    return text;
}

static void print_trial(unsigned i, const struct trial *t, const struct hd_lab_inference *f, bool good)
{
    char e[24], m[24], s[24], truth[24];
    snprintf(truth, sizeof truth, "%u", t->prt ? t->credits : t->merge);
    printf("%3u  %-4s %7u %7s %3u %6u   %-9s %7s %7s %3s   %4u  %s\n", i + 1, t->prt ? "prt" : "mshr", t->entries,
           truth, t->scoreboard, t->m.config.fixed_latency, kind_names[f->kind], size_text(&f->entries, e),
           size_text(t->prt ? &f->credits : &f->merge, m), size_text(&f->scoreboard, s), f->runs,
           good ? "right" : "WRONG");
    fflush(stdout);
}

int hd_lab_trials(unsigned trials, unsigned structures, uint64_t seed, const struct hd_lab_way *way)
{
    struct trial *t = calloc(trials, sizeof *t);
    uint64_t state = seed, time = seed + 1;
    struct hd_lab_machine **list = calloc(trials, sizeof *list);
    struct hd_lab_inference *found = calloc(trials, sizeof *found);
    unsigned wrong = 0, kinds = structures && structures < trials ? structures : trials;
    int code = t && list && found ? GOOD : REFUSED;
    for (unsigned i = 0; code == GOOD && i < trials; i++) {
        state = seed;
        for (unsigned k = 0; k <= i % kinds; k++)
            hd_random(&state);
        list[i] = &t[i].m;
        if (!draw(&t[i], state, &time))
            code = REFUSED;
    }
    if (code == GOOD && !hd_lab_build_all(list, kinds, way->jobs))
        code = REFUSED;
    for (unsigned i = kinds; code == GOOD && i < trials; i++)
        code = hd_lab_build(&t[i].m) ? GOOD : REFUSED;
    if (code == GOOD)
        code = hd_lab_infer(list, found, trials, way);
    if (code == GOOD)
        printf("     machine                             inferred\n"
               "     table entries limit*  sb latency   table     entries  limit*  sb   runs\n");
    for (unsigned i = 0; code == GOOD && i < trials; i++) {
        bool good = right(&t[i], &found[i]);
        wrong += !good;
        print_trial(i, &t[i], &found[i], good);
    }
    if (code == GOOD)
        printf("* MSHR: lanes an entry holds; pending request table: requests out. >= : the machine shows no more.\n"
               "seed %llu: %u of %u machines right\n", (unsigned long long)seed, trials - wrong, trials);
    free(list);
    free(found);
    free(t);
    return code != GOOD ? code : wrong ? FAILED : GOOD;
}
