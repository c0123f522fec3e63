/* infer.c - see infer.h.
 *
 * One idea serves for every table. The memory pipe of an SM is in order: an access that finds no room stops all behind
 * it, hits too. So a block issues some number of requests, and while all of them are still out (three quarters of the
 * latency of a miss after the start) one more warp reads a line that the cache holds. This probe takes the time of a
 * hit when everything found room, and waits for the first answer when something did not. It sees one request too many
 * as a step of many cycles, also where the latency of the block itself changes little; and the largest number that
 * leaves the probe alone is found by bisection.
 *
 * Patterns tell the resources apart. Lines from all lanes of a warp count requests; lines from one lane of each warp
 * count warp instructions (as many, for a table by line); one line for all counts what an entry may hold, and whether
 * a second request joins the first at all: in a pending request table it has to wait. The scoreboard stops a warp
 * before its access reaches the pipe: the warp's own latency steps, and the probe of another warp does not. */
#include "infer.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GOOD = 0, REFUSED = 2 };
enum { MAX_LOADS = 16, TEXT = 160 };

struct answer {
    char pattern[TEXT];
    unsigned value;
};

/* A machine under inference, which begins anew with each answer and goes as far as they lead. */
struct machine {
    const struct hd_lab_machine *m;
    struct hd_lab_inference *found;
    unsigned warps, lanes;     /* that load, beside the probe's */
    unsigned loads;            /* of a warp that can be out together */
    unsigned probe;            /* cycles from the start to the probe */
    struct answer *answer;
    size_t answers, room;
    bool asks;                 /* the answer that it lacks is that of `asked`; all that follow mean nothing */
    char asked[TEXT];
    bool ended;
};

struct pattern {
    unsigned warps, lanes, loads, shared, merger, requests, probe;
};

/* @return the latency of a run. */
static unsigned latency(struct machine *x, const struct pattern *p)
{
    char text[TEXT];
    if (x->asks)
        return 0;
    snprintf(text, sizeof text, "outstanding threads=%u lanes=%u loads=%u shared=%u merger=%u requests=%u probe=%u beyond=1",
             p->warps * x->lanes, p->lanes, p->loads, p->shared, p->merger, p->requests, p->probe);
    x->found->runs++;
    for (size_t i = 0; i < x->answers; i++)
        if (strcmp(x->answer[i].pattern, text) == 0)
            return x->answer[i].value;
    memcpy(x->asked, text, sizeof text);
    x->asks = true;
    return 0;
}

/* Does the pattern, with so many requests, block the pipe? *took: time of the probe. */
static bool blocks(struct machine *x, struct pattern p, unsigned requests, unsigned *took)
{
    p.requests = requests;
    p.probe = x->probe;
    *took = latency(x, &p);
    return *took > x->found->hit + x->found->latency / 8;
}

/* Finds the most requests of a pattern that do not block the pipe, up to @most. @what: in the evidence. */
static struct hd_lab_size capacity(struct machine *x, const struct pattern *p, unsigned most, const char *what)
{
    struct hd_lab_size size = {.known = true};
    unsigned low = 1, high = most + 1, before = x->found->hit, after = 0, took;
    if (blocks(x, *p, most, &took))
        high = most, after = took;
    else
        low = most, before = took;
    while (high - low > 1 && high <= most) {
        unsigned middle = low + (high - low) / 2;
        if (blocks(x, *p, middle, &took))
            high = middle, after = took;
        else
            low = middle, before = took;
    }
    size.value = low;
    size.at_least = low == most;
    if (size.at_least)
        snprintf(size.evidence, sizeof size.evidence, "a hit behind %u %s takes %u cycles, and more cannot be out", low,
                 what, before);
    else
        snprintf(size.evidence, sizeof size.evidence, "a hit behind %u %s takes %u cycles, behind %u it takes %u", low,
                 what, before, high, after);
    return size;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Loads of one warp that can be out together. */
static struct hd_lab_size scoreboard(struct machine *x)
{
    struct hd_lab_size size = {.known = true, .at_least = true, .value = MAX_LOADS};
    struct pattern p = {.warps = 1, .lanes = 1, .merger = 1};
    unsigned one = x->found->latency, took = one, before = one, hit;
    for (p.loads = 2; p.loads <= MAX_LOADS && size.value == MAX_LOADS; p.loads++) {
        before = took;
        took = latency(x, &p);
        if (took <= before + one / 2)
            continue;
        size.value = p.loads - 1;
        size.at_least = blocks(x, p, p.loads, &hit); /* by the table */
        snprintf(size.evidence, sizeof size.evidence,
                 "%u loads of a warp take %u cycles, %u take %u; a hit of another warp takes %u", p.loads - 1, before,
                 p.loads, took, hit);
    }
    if (!size.evidence[0])
        snprintf(size.evidence, sizeof size.evidence, "%u loads of a warp take %u cycles, one takes %u",
                 (unsigned)MAX_LOADS, took, one);
    return size;
}

/* Lanes one entry may hold. */
static struct hd_lab_size merge_limit(struct machine *x, unsigned accesses)
{
    const struct pattern all = {.warps = x->warps, .loads = x->loads, .shared = 1, .merger = x->lanes};
    const struct pattern one = {.warps = x->warps, .lanes = 1, .loads = x->loads, .shared = 1, .merger = 1};
    unsigned took;
    struct hd_lab_size size = capacity(x, &all, accesses * x->lanes, "lanes on one line");
    if (!size.at_least && size.value <= x->lanes) /* an access alone always fits: count small ones */
        return capacity(x, &one, least(accesses, x->lanes), "lanes on one line, each of another warp,");
    unsigned next = size.value / x->lanes + 2;    /* accesses, one more than fitted */
    if (!size.at_least && next <= accesses && blocks(x, one, next, &took)) {
        size.at_least = true;                     /* it was their number that was limited, not their lanes */
        snprintf(size.evidence, sizeof size.evidence, "%u accesses to a line are the limit, however few their lanes",
                 next - 1);
    }
    return size;
}

static void decide(struct machine *x)
{
    struct hd_lab_inference *f = x->found;
    const struct pattern two = {.warps = 2, .lanes = 1, .loads = 1, .shared = 1, .merger = 1};
    unsigned took, cap = x->probe - HD_LAB_INFER_MARGIN;
    bool joins = !blocks(x, two, 2, &took);
    unsigned shared = took;

    f->scoreboard = scoreboard(x);
    x->loads = f->scoreboard.value;
    const struct pattern dense = {.warps = x->warps, .loads = x->loads, .merger = 1};
    const struct pattern sparse = {.warps = x->warps, .lanes = 1, .loads = x->loads, .merger = 1};
    unsigned instructions = least(cap, x->warps * x->loads), lines = least(cap, x->warps * x->loads * x->lanes);
    struct hd_lab_size by_line = capacity(x, &dense, lines, "lines, one a lane,");
    struct hd_lab_size by_instruction = capacity(x, &sparse, instructions, "lines, one a warp instruction,");
    bool equal = !by_line.at_least && !by_instruction.at_least && by_line.value == by_instruction.value;

    snprintf(f->kind_evidence, sizeof f->kind_evidence, "a hit behind two requests for one line takes %u cycles: %s",
             shared, joins ? "they are joined" : "the second waits for the first");
    if (joins) {
        f->kind = HD_LAB_MSHR;
        f->entries = by_line;
        f->merge = merge_limit(x, instructions);
    } else if (equal) { /* entries that never merge, or credits below the entries: the same in every pattern */
        f->kind = HD_LAB_UNDECIDED;
        f->entries = by_line;
    } else {
        f->kind = HD_LAB_PRT;
        f->entries = by_instruction;
        f->credits = by_line;
        if (!by_line.at_least && !by_instruction.at_least && by_line.value == by_instruction.value * x->lanes)
            f->credits.at_least = true; /* the entries were full */
    }
}

/* As far as the answers lead. @return false after a message. */
static bool go_on(struct machine *x)
{
    struct hd_lab_inference *found = x->found;
    *found = (struct hd_lab_inference){0};
    x->asks = false;
    found->latency = latency(x, &(struct pattern){.warps = 1, .lanes = 1, .loads = 1, .merger = 1});
    x->probe = found->latency * 3 / 4;
    found->hit = latency(x, &(struct pattern){.warps = 1, .lanes = 1, .loads = 1, .merger = 1, .probe = x->probe});
    if (!x->asks && x->probe < 2 * HD_LAB_INFER_MARGIN) {
        fprintf(stderr, "heddle: lab: a miss takes %u cycles on %s: too few to fill a table meanwhile\n",
                found->latency, x->m->config.name);
        return false;
    }
    if (!x->asks)
        decide(x);
    x->ended = !x->asks;
    return true;
}

static bool answered(struct machine *x, unsigned value)
{
    if (x->answers == x->room) {
        struct answer *more = realloc(x->answer, (x->room = 2 * x->room + 64) * sizeof *more);
        if (!more)
            return false;
        x->answer = more;
    }
    memcpy(x->answer[x->answers].pattern, x->asked, sizeof x->asked);
    x->answer[x->answers++].value = value;
    return true;
}

int hd_lab_infer(struct hd_lab_machine *const *m, struct hd_lab_inference *found, size_t n, const struct hd_lab_way *way)
{
    static const struct hd_lab_experiment infer = {"infer", "outstanding.latency", hd_lab_words};
    struct machine *x = calloc(n + 1, sizeof *x);
    struct hd_lab_point *point = calloc(n + 1, sizeof *point);
    size_t *who = calloc(n + 1, sizeof *who), asks = 1;
    int code = x && point && who ? GOOD : REFUSED;
    for (size_t i = 0; code == GOOD && i < n; i++)
        x[i] = (struct machine){.m = m[i], .found = &found[i], .warps = m[i]->config.warps - 1, .lanes = m[i]->config.lanes};
    while (code == GOOD && asks > 0) {
        asks = 0;
        for (size_t i = 0; code == GOOD && i < n; i++) {
            if (!x[i].ended && !go_on(&x[i]))
                code = REFUSED;
            if (x[i].ended)
                continue;
            point[asks] = (struct hd_lab_point){.experiment = &infer, .machine = m[i], .pattern = x[i].asked, .seed = 1};
            who[asks++] = i;
        }
        if (code == GOOD && asks > 0)
            code = hd_lab_measure(point, asks, way);
        for (size_t k = 0; code == GOOD && k < asks; k++)
            if (!answered(&x[who[k]], point[k].value))
                code = REFUSED;
    }
    for (size_t i = 0; x && i < n; i++)
        free(x[i].answer);
    free(x);
    free(point);
    free(who);
    return code;
}
