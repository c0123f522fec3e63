/* crash.c - see commands.h: `heddle crash`. A run of the workload under each order of the memory, its journal through the crash
 * engine, a line each; the command that shows the first bad image alone, and who stored what was in flight; some images
 * recovered by warps on the machine, which are cut off too. */
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

enum { GOOD = 0, FAILED = 1, REFUSED = 2, ORDERS = 8, MACHINE = 64 };

struct arguments {
    const char *config, *set[HD_MAX_ITEMS + 4], *word[HD_MAX_ITEMS], *order[ORDERS];
    size_t sets, words, orders;
    uint64_t points, image, seed, machine;
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
        } else if (strcmp(o, "--points") == 0 || strcmp(o, "--image") == 0 || strcmp(o, "--seed") == 0 ||
                   strcmp(o, "--machine") == 0) {
            if (!number(o, v, o[2] == 'p' ? &a->points : o[2] == 'i' ? &a->image : o[2] == 'm' ? &a->machine : &a->seed))
                return false;
            if (o[2] == 'i' && a->image == 0)
                return fprintf(stderr, "heddle: --image %s: must be a number from 1\n", v), false;
            if (a->machine > MACHINE)
                return fprintf(stderr, "heddle: --machine wants at most %d images\n", MACHINE), false;
        } else {
            return fprintf(stderr, "heddle: unknown option %s (heddle crash --help)\n", o), false;
        }
    }
    if (a->words > 0 && a->orders > 0)
        return true;
    fprintf(stderr, "heddle: crash needs a workload and an order (heddle crash --help)\n");
    return false;
}

/* ---- who stored what was in flight --------------------------------------------------------------------------------- */

struct stored {
    uint32_t addr, value;
    unsigned grid, block, warp;
};

struct where {
    unsigned grid, block, warp;
};

struct watch {
    uint32_t base;
    unsigned lanes, slots;
    struct where *where;               /* [sms * slots] */
    struct stored *stored;             /* of all stores to non-volatile memory, as they were made */
    size_t n, room;
};

static void on_begin(void *ctx, unsigned sm, unsigned slot, size_t grid, unsigned block, unsigned in_block)
{
    struct watch *w = ctx;
    w->where[sm * w->slots + slot] = (struct where){(unsigned)grid, block, in_block};
}

static void on_memory(void *ctx, unsigned sm, unsigned slot, uint32_t alu, hd_mask_t mask, const struct hd_memory_op *m)
{
    struct watch *w = ctx;
    struct where *at = &w->where[sm * w->slots + slot];
    (void)alu;
    for (unsigned l = 0; l < w->lanes && m->kind == HD_OP_STORE && m->space == HD_SPACE_GLOBAL; l++)
        if (mask >> l & 1 && m->addr[l] >= w->base && w->n < w->room)
            w->stored[w->n++] = (struct stored){m->addr[l], m->data[l], at->grid, at->block, at->warp};
}

static void on_control(void *ctx, unsigned sm, unsigned slot, uint32_t alu, unsigned kind, unsigned fn, unsigned order,
                       unsigned scope)
{
    (void)ctx, (void)sm, (void)slot, (void)alu, (void)kind, (void)fn, (void)order, (void)scope;
}

static void on_use(void *ctx, unsigned sm, unsigned slot, uint32_t alu, uint32_t back)
{
    (void)ctx, (void)sm, (void)slot, (void)alu, (void)back;
}

static void on_sleep(void *ctx, unsigned sm, unsigned slot, uint32_t alu, uint64_t cycles)
{
    (void)ctx, (void)sm, (void)slot, (void)alu, (void)cycles;
}

static void on_end(void *ctx, unsigned sm, unsigned slot, uint32_t alu)
{
    (void)ctx, (void)sm, (void)slot, (void)alu;
}

static void persists(const char *what, const struct hd_crash_grain g[8], const struct hd_crash_program *p,
                     const struct watch *w)
{
    char text[64];
    for (unsigned i = 0; i < 8 && g[i].addr != 0; i++)
        for (unsigned half = 0; half < 2; half++) {
            uint32_t addr = g[i].addr + 4 * half;
            size_t s = w->n;
            while (g[i].word[half] != 0 && s > 0 && (w->stored[s - 1].addr != addr
                                                     || w->stored[s - 1].value != g[i].word[half]))
                s--;
            if (g[i].word[half] == 0 || s == 0)
                continue;
            const struct stored *x = &w->stored[s - 1];
            printf("  %s 0x%x = 0x%x", what, (unsigned)addr, (unsigned)g[i].word[half]);
            if (p->name != NULL)
                printf(" (%s)", p->name(p->self, addr, text));
            printf(", stored by warp %u of block %u of grid %u\n", x->warp, x->block, x->grid);
        }
}

/* The run again, watched. */
static void tell_persists(const struct hd_result *r, const struct hd_crash_result *c, const struct hd_crash_program *p)
{
    struct hd_run_options o = *r->options;
    struct watch w = {.base = (uint32_t)o.config->nv_base, .lanes = o.config->lanes, .slots = o.config->warps,
                      .room = (size_t)r->instructions * o.config->lanes};
    struct hd_tap tap = {.ctx = &w, .begin = on_begin, .memory = on_memory, .control = on_control, .use = on_use,
                         .sleep = on_sleep, .end = on_end};
    struct hd_result again;
    w.where = calloc((size_t)o.config->sms * w.slots, sizeof *w.where);
    w.stored = malloc(w.room * sizeof *w.stored);
    o.tap = &tap;
    if (w.where != NULL && w.stored != NULL && hd_run(&o, &again) == GOOD) {
        persists("durable:", c->kept_grain, p, &w);
        persists("lost:   ", c->lost_grain, p, &w);
    }
    if (w.where != NULL && w.stored != NULL)
        hd_result_free(&again);
    free(w.where), free(w.stored);
}

/* ---- what is printed ----------------------------------------------------------------------------------------------- */

static void tell(const struct arguments *a, const char *order, const struct hd_crash_result *c, double seconds,
                 const struct hd_result *r, const struct hd_crash_program *p)
{
    printf("%-10s %9llu moments %10llu images %8llu cut recoveries %6llu resumed %9llu bad %10.0f images/s\n", order,
           (unsigned long long)c->moments, (unsigned long long)c->images, (unsigned long long)c->cut_recoveries,
           (unsigned long long)c->resumed, (unsigned long long)c->bad, seconds > 0 ? (double)c->images / seconds : 0);
    if (c->bad == 0)
        return;
    printf("  %s; power is cut behind cycle %llu%s, %u grains in flight, %u of them durable\n", c->invariant,
           (unsigned long long)c->cycle, c->in_recovery ? " and in recovery" : c->in_resume ? ", then resumed" : "",
           c->in_flight, c->kept);
    tell_persists(r, c, p);
    printf("  again: heddle crash --config %s", a->config);
    for (size_t i = 0; i < a->sets; i++)
        printf(" --set %s", a->set[i]);
    printf(" --orders %s --seed %llu --image %llu", order, (unsigned long long)a->seed, (unsigned long long)c->first);
    for (size_t i = 0; i < a->words; i++)
        printf(" %s", a->word[i]);
    printf("\n");
    if (r->options->config->persist == 0)
        printf("  persist = off: no barrier of the program orders its writes; --set persist=fifo: they do\n");
}

/* ---- recovery on the machine ---------------------------------------------------------------------------------------- */

/* Images set aside, one in so many. */
struct aside {
    uint64_t every, most;
    uint64_t n;
    uint32_t *word[MACHINE];
    uint64_t number[MACHINE];
};

static void set_aside(void *ctx, const struct hd_crash_image *m, uint64_t number, uint64_t cycle)
{
    struct aside *s = ctx;
    (void)cycle;
    if (s->n == s->most || number < s->every * (s->n + 1))
        return;
    s->word[s->n] = malloc(m->words * sizeof *m->word);
    if (s->word[s->n] == NULL)
        return;
    memcpy(s->word[s->n], m->word, m->words * sizeof *m->word);
    s->number[s->n++] = number;
}

/* Image @i of @s recovered by warps; what that leaves is what recovery on the host does (golden); its power cuts. */
static int on_machine(const struct arguments *a, const struct hd_result *r, const struct hd_crash_program *p,
                      struct hd_crash_image *m, const struct aside *s, uint64_t i, struct hd_crash_result *sum)
{
    const char *param[HD_MAX_ITEMS + 1];
    struct hd_run_image image = {s->word[i], m->base, m->words};
    struct hd_run_options o = *r->options;
    struct hd_crash_options cut = {.all_up_to = 64, .points = 2000, .in_recovery = true, .seed = a->seed};
    struct hd_crash_result out;
    struct hd_result again;
    size_t writes;
    memcpy(param, o.params, o.num_params * sizeof *param);
    param[o.num_params] = "recover=1";
    o.params = param;
    o.num_params++;
    o.image = &image;
    int code = hd_run(&o, &again);
    if (code == GOOD && !hd_result_good(&again)) {
        printf("  recovery of image %llu on the machine: ", (unsigned long long)s->number[i]);
        for (unsigned k = 0; k < HD_CHECKS; k++)
            if (strcmp(again.check[k].verdict, "pass") != 0 && strcmp(again.check[k].verdict, "off") != 0)
                printf("%s: %s\n", again.check[k].name, again.check[k].verdict);
        code = FAILED;
    }
    if (code == GOOD) {
        const struct hd_nvram_write *journal = hd_nvram_journal(hd_machine_nvram(again.machine, 0), &writes);
        memcpy(m->word, s->word[i], m->words * sizeof *m->word);
        if (!hd_crash_run(journal, writes, o.config->line_bytes, m, p, &cut, &out))
            code = REFUSED;
        else if (out.bad > 0)
            printf("  recovery of image %llu on the machine, cut off behind cycle %llu: %s\n", (unsigned long long)s->number[i],
                   (unsigned long long)out.cycle, out.invariant);
    }
    if (code == GOOD) {
        sum->moments += writes;
        sum->images += out.images;
        sum->bad += out.bad;
        code = out.bad > 0 ? FAILED : GOOD;
    }
    hd_result_free(&again);
    return code;
}

/* The journal of a run through the engine. @return the exit code. */
static int cut(const struct arguments *a, const char *order, struct hd_result *r)
{
    const struct hd_config *c = r->options->config;
    struct hd_crash_image m = {.base = (uint32_t)c->nv_base};
    struct hd_crash_program p = {0};
    struct hd_crash_result out, sum = {0};
    struct hd_crash_options o = {.points = a->points, .all_up_to = 256, .in_recovery = true, .seed = a->seed, .only = a->image,
                                 .resume_every = 100};
    struct aside aside = {.most = a->machine};
    const struct hd_crash_workload *w = hd_crash_workload(r->options->workload->name);
    uint64_t top = hd_work_top(r->work);
    size_t writes;
    int code = REFUSED;
    if (top <= m.base)
        return fprintf(stderr, "heddle: nv_base = %u is above the workload's memory\n", (unsigned)m.base), REFUSED;
    m.words = (uint32_t)((top - m.base + c->line_bytes - 1) / c->line_bytes * c->line_bytes / 4);
    m.word = calloc(m.words, sizeof *m.word);
    const char *why = m.word ? w->open(r->work, &p, &m) : "there is no memory";
    if (why == NULL && a->machine > 0 && p.recover == NULL)
        why = "has no recovery to run on the machine";
    const struct hd_nvram_write *kept = hd_nvram_journal(hd_machine_nvram(r->machine, 0), &writes);
    struct hd_nvram_write *journal = malloc((writes + 1) * sizeof *journal);
    if (journal != NULL)
        memcpy(journal, kept, writes * sizeof *journal);
    else
        why = "there is no memory";
    hd_machine_free(r->machine);       /* a model is in one machine at a time: others may run now */
    r->machine = NULL;
    if (a->machine > 0) {
        o.seen = set_aside;
        o.ctx = &aside;
        aside.every = 150 * (uint64_t)writes / a->machine + 1;
    }
    clock_t start = clock();
    if (why != NULL)
        fprintf(stderr, "heddle: crash %s: %s\n", w->name, why);
    else if (hd_crash_run(journal, writes, c->line_bytes, &m, &p, &o, &out)) {
        code = out.bad > 0 ? FAILED : GOOD;
        if (a->image > 0 && out.images == 0) {
            fprintf(stderr, "heddle: crash: --image %llu: under order %s there are %llu, from 1\n", (unsigned long long)a->image,
                    order, (unsigned long long)out.there);
            code = REFUSED;
        }
    }
    if (code != REFUSED)
        tell(a, order, &out, (double)(clock() - start) / CLOCKS_PER_SEC, r, &p);
    for (uint64_t i = 0; i < aside.n; i++) {
        int one = code == GOOD ? on_machine(a, r, &p, &m, &aside, i, &sum) : GOOD;
        code = one > code ? one : code;
        free(aside.word[i]);
    }
    if (aside.n > 0 && code == GOOD)
        printf("%-10s %9llu of them recovered on the machine, %llu writes, %llu images of power cuts meanwhile, %llu bad\n", "",
               (unsigned long long)aside.n, (unsigned long long)sum.moments, (unsigned long long)sum.images,
               (unsigned long long)sum.bad);
    if (w->close != NULL)
        w->close(&p);
    free(journal);
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
