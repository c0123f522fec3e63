/* crash.c - see commands.h: `heddle crash`. A run of the workload under each order of the memory, its journal through the crash
 * engine, a line each; and the command that shows the first bad image alone. */
#include "commands.h"
#include "crash/crash.h"
#include "crash/programs.h"
#include "models.h"
#include "run/configure.h"
#include "run/run.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GOOD = 0, FAILED = 1, REFUSED = 2, ORDERS = 8 };

struct arguments {
    const char *config, *set[HD_MAX_ITEMS + 4], *word[HD_MAX_ITEMS], *order[ORDERS];
    size_t sets, words, orders;
    uint64_t points, image, seed;
    struct hd_model_paths models;      /* the same for every order, once found */
    bool found;
};

static bool number(const char *option, const char *text, uint64_t *to)
{
    char *end;
    *to = text ? strtoull(text, &end, 10) : 0;
    if (text && *text >= '0' && *text <= '9' && *end == 0)
        return true;
    fprintf(stderr, "heddle: %s wants a number\n", option);
    return false;
}

/* The arguments but for argv[0]. Pieces of --orders stay in *@list. @return false after a message. */
static bool parse(int argc, char **argv, struct arguments *a, char **list)
{
    for (int i = 1; i < argc; i++) {
        const char *o = argv[i], *v = i + 1 < argc ? argv[i + 1] : NULL;
        if (strncmp(o, "--", 2) != 0) {
            if (a->words == HD_MAX_ITEMS)
                return fprintf(stderr, "heddle: too many arguments\n"), false;
            a->word[a->words++] = o;
            continue;
        }
        i++;
        if (v == NULL)
            return fprintf(stderr, "heddle: %s: unknown, or its value is missing (heddle crash --help)\n", o), false;
        if (strcmp(o, "--config") == 0) {
            a->config = v;
        } else if (strcmp(o, "--set") == 0 && a->sets < HD_MAX_ITEMS) {
            a->set[a->sets++] = v;
        } else if (strcmp(o, "--orders") == 0) {
            free(*list);
            *list = strdup(v);
            a->orders = 0;
            for (char *s = *list ? strtok(*list, ",") : NULL; s != NULL && a->orders < ORDERS; s = strtok(NULL, ","))
                a->order[a->orders++] = s;
        } else if (strcmp(o, "--points") == 0 || strcmp(o, "--image") == 0 || strcmp(o, "--seed") == 0) {
            if (!number(o, v, o[2] == 'p' ? &a->points : o[2] == 'i' ? &a->image : &a->seed))
                return false;
        } else {
            return fprintf(stderr, "heddle: unknown option %s (heddle crash --help)\n", o), false;
        }
    }
    if (a->words > 0 && a->orders > 0)
        return true;
    fprintf(stderr, "heddle: crash needs a workload and an order (heddle crash --help)\n");
    return false;
}

static void addresses(const char *what, const uint32_t at[8])
{
    if (at[0] != 0)
        printf("  %s", what);
    for (unsigned i = 0; i < 8 && at[i] != 0; i++)
        printf(" 0x%x", (unsigned)at[i]);
    if (at[0] != 0)
        printf("\n");
}

static void tell(const struct arguments *a, const char *order, const struct hd_crash_result *c, double seconds)
{
    printf("%-10s %9llu moments %10llu images %8llu cut recoveries %9llu bad %10.0f images/s\n", order,
           (unsigned long long)c->moments, (unsigned long long)c->images, (unsigned long long)c->cut_recoveries,
           (unsigned long long)c->bad, seconds > 0 ? (double)c->images / seconds : 0);
    if (c->bad == 0)
        return;
    printf("  %s; power is cut behind cycle %llu%s, %u grains in flight, %u of them durable\n", c->invariant,
           (unsigned long long)c->cycle, c->in_recovery ? " and in recovery" : "", c->in_flight, c->kept);
    addresses("durable:", c->kept_addr);
    addresses("lost:", c->lost_addr);
    printf("  again: heddle crash --config %s", a->config);
    for (size_t i = 0; i < a->sets; i++)
        printf(" --set %s", a->set[i]);
    printf(" --orders %s --seed %llu --image %llu", order, (unsigned long long)a->seed, (unsigned long long)c->first);
    for (size_t i = 0; i < a->words; i++)
        printf(" %s", a->word[i]);
    printf("\n");
}

/* The journal of a run through the engine. @return the exit code. */
static int cut(const struct arguments *a, const char *order, const struct hd_result *r)
{
    const struct hd_config *c = r->options->config;
    struct hd_crash_image m = {.base = (uint32_t)c->nv_base};
    struct hd_crash_program p = {0};
    struct hd_crash_result out;
    struct hd_crash_options o = {.points = a->points, .all_up_to = 256, .in_recovery = true, .seed = a->seed, .only = a->image};
    const struct hd_crash_workload *w = hd_crash_workload(r->options->workload->name);
    uint64_t top = hd_work_top(r->work);
    size_t writes;
    int code = REFUSED;
    if (top <= m.base)
        return fprintf(stderr, "heddle: nv_base = %u is above the workload's memory\n", (unsigned)m.base), REFUSED;
    m.words = (uint32_t)((top - m.base + c->line_bytes - 1) / c->line_bytes * c->line_bytes / 4);
    m.word = calloc(m.words, sizeof *m.word);
    const char *why = m.word ? w->open(r->work, &p, &m) : "there is no memory";
    const struct hd_nvram_write *journal = hd_nvram_journal(hd_machine_nvram(r->machine, 0), &writes);
    clock_t start = clock();
    if (why != NULL)
        fprintf(stderr, "heddle: crash %s: %s\n", w->name, why);
    else if (hd_crash_run(journal, writes, c->line_bytes, &m, &p, &o, &out))
        code = out.bad > 0 ? FAILED : GOOD;
    if (code != REFUSED)
        tell(a, order, &out, (double)(clock() - start) / CLOCKS_PER_SEC);
    if (w->close != NULL)
        w->close(&p);
    free(m.word);
    return code;
}

static int one_order(struct arguments *a, const char *order)
{
    struct hd_config c;
    struct hd_result r;
    const char *set[HD_MAX_ITEMS + 4], *colon = strchr(order, ':');
    char key[64], seed[64];
    size_t n = a->sets;
    memcpy(set, a->set, n * sizeof *set);
    snprintf(key, sizeof key, "nv_order=%.*s", (int)(colon ? (size_t)(colon - order) : strlen(order)), order);
    set[n++] = key;
    set[n++] = "nv_journal=true";
    if (colon != NULL) {               /* order:seed */
        snprintf(seed, sizeof seed, "jitter_seed=%.20s", colon + 1);
        set[n++] = seed;
    }
    if (hd_configure(&c, a->config, set, n) != 0)
        return REFUSED;
    if (c.partitions != 1)
        return fprintf(stderr, "heddle: crash wants partitions = 1, not %u\n", (unsigned)c.partitions), REFUSED;
    if (!a->found && !(a->found = hd_models_get(&c, false, &a->models)))
        return REFUSED;
    struct hd_run_options o = {.config = &c, .models = &a->models, .workload = hd_workload_find(a->word[0]),
                               .params = a->word + 1,
                               .num_params = a->words - 1, .seed = a->seed};
    int code = hd_run(&o, &r);
    if (code == GOOD && !hd_result_good(&r)) {
        for (unsigned i = 0; i < HD_CHECKS; i++)
            fprintf(stderr, "heddle: %s: %s\n", r.check[i].name, r.check[i].verdict);
        code = FAILED;
    }
    if (code == GOOD)
        code = cut(a, order, &r);
    hd_result_free(&r);
    return code;
}

int hd_crash_command(int argc, char **argv)
{
    struct arguments a = {.config = "paper4-tiny", .seed = 1, .orders = 7,
                          .order = {"pipe", "banks", "random:1", "random:2", "newest", "epoch", "bank-slow"}};
    char *list = NULL;
    int worst = GOOD;
    if (!parse(argc, argv, &a, &list))
        return free(list), REFUSED;
    if (hd_crash_workload(a.word[0]) == NULL) {
        fprintf(stderr, "heddle: crash knows the workloads");
        for (const struct hd_crash_workload *w = hd_crash_workloads; w->name != NULL; w++)
            fprintf(stderr, " %s", w->name);
        fprintf(stderr, ", not '%s'\n", a.word[0]);
        return free(list), REFUSED;
    }
    for (size_t i = 0; i < a.orders && worst != REFUSED; i++) {
        int code = one_order(&a, a.order[i]);
        worst = code > worst ? code : worst;
    }
    free(list);
    return worst;
}
