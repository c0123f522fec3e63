/* area.c - see commands.h: the arguments of `heddle area` and which modules they ask for. */
#include "commands.h"
#include "area/area.h"
#include "models.h"
#include "run/configure.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 64 };

struct arguments {
    const char *config, *svg, *table, *page, *against, *set[MAX], *word[MAX];
    size_t sets, words;
    unsigned depth;
    bool depth_given, timing, json, csv, mechanisms, fpga, energy, later;
};

static int parse(int argc, char **argv, struct arguments *a)
{
    const struct {
        const char *name;
        bool *flag;
        const char **value;
    } options[] = {
        {"--timing", &a->timing, NULL}, {"--json", &a->json, NULL},     {"--csv", &a->csv, NULL},
        {"--fpga", &a->fpga, NULL},     {"--energy", &a->energy, NULL}, {"--mechanisms", &a->mechanisms, NULL}, {"--later", &a->later, NULL},
        {"--page", NULL, &a->page},     {"--config", NULL, &a->config}, {"--svg", NULL, &a->svg},
        {"--table", NULL, &a->table},   {"--against", NULL, &a->against},
    };
    enum { OPTIONS = sizeof options / sizeof options[0] };
    *a = (struct arguments){.depth = 2};
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        size_t o = 0;
        while (o < OPTIONS && strcmp(arg, options[o].name) != 0)
            o++;
        bool set = strcmp(arg, "--set") == 0, depth = strcmp(arg, "--depth") == 0;
        if ((set || depth || (o < OPTIONS && options[o].value)) && i + 1 == argc) {
            fprintf(stderr, "heddle: area: %s needs a value; see heddle area --help\n", arg);
            return -1;
        }
        if (a->sets == MAX || a->words == MAX) {
            fprintf(stderr, "heddle: area: more than %d settings or modules\n", MAX);
            return -1;
        }
        if (set) {
            a->set[a->sets++] = argv[++i];
        } else if (depth) {
            char *end;
            unsigned long n = strtoul(argv[++i], &end, 10);
            if (argv[i][0] < '0' || argv[i][0] > '9' || *end || n > 20) {
                fprintf(stderr, "heddle: area: --depth %s: must be 0..20\n", argv[i]);
                return -1;
            }
            a->depth = (unsigned)n;
            a->depth_given = true;
        } else if (o < OPTIONS && options[o].value) {
            *options[o].value = argv[++i];
        } else if (o < OPTIONS) {
            *options[o].flag = true;
        } else if (arg[0] == '-') {
            fprintf(stderr, "heddle: area: unknown option '%s'; see heddle area --help\n", arg);
            return -1;
        } else
            a->word[a->words++] = arg;
    }
    return 0;
}

/* What is asked for: modules, or the tiles of a configuration. */
struct asked {
    char id[MAX][HD_AREA_ID], label[MAX][HD_AREA_ID + 16];
    const char *ids[MAX], *labels[MAX];
    size_t n;
};

static bool ask_modules(const struct arguments *a, struct asked *q)
{
    for (; q->n < a->words; q->n++) {
        const char *word = a->word[q->n];
        if (a->config || a->sets) {
            fprintf(stderr, "heddle: area: %s: a module has parameters of its own (%s,Name=value); --config and --set are for tiles\n",
                    word, word);
            return false;
        }
        const char *prefix = strncmp(word, "hd_", 3) == 0 ? "" : "hd_";
        snprintf(q->id[q->n], HD_AREA_ID, "%s%.600s", prefix, word);
        snprintf(q->label[q->n], sizeof q->label[0], "%s%.600s", prefix, word);
    }
    return true;
}

static bool ask_tiles(const struct arguments *a, struct asked *q)
{
    static const char *const role_names[] = {[HD_MODEL_SM] = "SM tile", [HD_MODEL_UP] = "request crossbar",
                                             [HD_MODEL_DOWN] = "answer crossbar", [HD_MODEL_L2] = "L2 tile",
                                             [HD_MODEL_ROUTER] = "router", [HD_MODEL_GPU] = "chip"};
    struct hd_config c;
    if (hd_configure(&c, a->config ? a->config : "paper1", a->set, a->sets) != 0)
        return false;
    for (int role = 0; role < HD_MODEL_ROLES; role++) {
        hd_area_tile(q->id[q->n], &c, role);
        if (q->id[q->n][0]) {
            snprintf(q->label[q->n], sizeof q->label[0], "%s (%s)", role_names[role], c.name);
            q->n++;
        }
    }
    return true;
}

static int print(const struct arguments *a, const struct asked *q, const struct hd_area *area)
{
    if (a->json)
        return hd_area_json(area, q->ids, q->labels, q->n);
    if (a->csv)
        hd_area_csv(area, q->ids, q->n);
    else if (a->fpga)
        hd_area_fpga_table(area, q->ids, q->labels, q->n);
    else {
        hd_area_table(area, q->ids, q->labels, q->n, a->timing);
        for (size_t i = 0; i < q->n && a->depth > 0; i++) {
            printf("\n");
            hd_area_tree(area, q->ids[i], q->labels[i], a->depth_given || !a->words ? a->depth : 1);
        }
    }
    return 0;
}

/* Modules or tiles, measured and printed. @return the exit code. */
static int measure(const struct arguments *a)
{
    static struct asked q;
    struct hd_area area;
    char options[8];
    if (a->against && !hd_area_comparable(a->against)) /* before minutes of synthesis */
        return 2;
    if (!(a->words > 0 ? ask_modules(a, &q) : ask_tiles(a, &q)))
        return 2;
    for (size_t i = 0; i < q.n; i++) {
        q.ids[i] = q.id[i];
        q.labels[i] = q.label[i];
    }
    snprintf(options, sizeof options, "%s%s", a->timing ? "-t " : "", a->fpga ? "-f " : "");
    int code = hd_area_get(&area, options, q.ids, q.n);
    if (code == 0) {
        code = hd_area_vanished(&area);
        code |= print(a, &q, &area);
        if (a->against)
            code |= hd_area_compare(&area, a->against, false);
        if (a->svg && code == 0)
            code = hd_area_treemap(&area, q.ids[0], q.labels[0], a->svg);
    }
    hd_area_free(&area);
    return code;
}

int hd_area_command(int argc, char **argv)
{
    struct arguments a;
    if (parse(argc, argv, &a) != 0)
        return 2;
    if (a.energy)
        return hd_area_energy(a.table, a.word, a.words, a.svg, a.json);
    if (a.table) {
        fprintf(stderr, "heddle: area: --table is for --energy\n");
        return 2;
    }
    if (a.json && a.csv) {
        fprintf(stderr, "heddle: area: --csv and --json: one of them\n");
        return 2;
    }
    if (a.later)
        return a.page ? hd_area_page_later(a.page) : (fprintf(stderr, "heddle: area: --later is for --page\n"), 2);
    if (a.page)
        return a.fpga ? hd_area_fpga_page(a.page) : hd_area_page(a.page, a.timing);
    if (a.fpga && (a.timing || a.csv || a.svg)) {
        fprintf(stderr, "heddle: area: --fpga goes with no other report than --json\n");
        return 2;
    }
    return a.mechanisms ? hd_area_mechanisms(stdout, false) : measure(&a);
}
