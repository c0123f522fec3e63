/* cut.c - see cut.h. */
#define _POSIX_C_SOURCE 200809L
#include "cut.h"
#include "hd_pkg.h"
#include "model/hd_model.h"
#include "wire/wire.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- names ------------------------------------------------------------------------------------------------------ */

static void add(struct hd_cut *cut, const char *kind, int number, int role, unsigned place)
{
    struct hd_cut_tile *t = &cut->tile[cut->tiles++];

    if (number < 0)
        snprintf(t->name, sizeof t->name, "%s", kind);
    else
        snprintf(t->name, sizeof t->name, "%s%d", kind, number);
    t->role = role;
    t->place = place;
    t->rank = 0;
}

static void add_some(struct hd_cut *cut, const char *kind, unsigned count, int role, unsigned first, unsigned step)
{
    for (unsigned i = 0; i < count; i++)
        add(cut, kind, (int)i, role, first + i * step);
}

static void add_all(struct hd_cut *cut, const struct hd_config *c)
{
    const bool mesh = c->noc == HD_NOC_MESH;
    unsigned columns, rows;

    hd_config_mesh(c, &columns, &rows);
    add_some(cut, "sm", c->sms, HD_MODEL_SM, mesh ? 4 : 0, mesh ? 3 : 1); /* SM i stands at router i + 1 */
    if (mesh) {
        add_some(cut, "l2_", c->partitions, HD_MODEL_L2, 2, 3);
        add_some(cut, "router", columns * rows, HD_MODEL_ROUTER, 0, 3);
    } else if (c->memory == HD_MEMORY_FIXED) {
        add(cut, "memory", -1, -1, 1);
    } else {
        const bool one = c->l1 == HD_FAMILY_DENOVO;
        add(cut, one ? "xbar" : "up", -1, HD_MODEL_UP, c->sms);
        add_some(cut, "l2_", c->partitions, HD_MODEL_L2, c->sms + 1, 1);
        if (!one)
            add(cut, "down", -1, HD_MODEL_DOWN, c->sms + c->partitions + 1);
    }
}

/* ---- by load ---------------------------------------------------------------------------------------------------- */

static uint64_t nanoseconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* What a core cycle of a tile takes, by role, on a model that is thrown away. @return false after a message. */
static bool measure(const struct hd_cut *cut, const struct hd_config *c, const struct hd_model_paths *paths, uint64_t *took)
{
    enum { EDGES = 300 };

    for (unsigned i = 0; i < cut->tiles; i++) {
        int role = cut->tile[i].role;
        if (role < 0 || took[role] != 0)
            continue;
        struct hd_model *m = hd_model_open(paths->so[role], "measured");
        if (m == NULL)
            return false;
        hd_model_edge(m);
        uint64_t before = nanoseconds();
        for (unsigned k = 0; k < EDGES; k++)
            hd_model_edge(m);
        took[role] = (nanoseconds() - before) / (role == HD_MODEL_SM ? 1 : c->clk_ratio) + 1;
        hd_model_close(m);
    }
    return true;
}

static int closer(const void *a, const void *b)
{
    const struct hd_cut_tile *s = *(struct hd_cut_tile *const *)a, *t = *(struct hd_cut_tile *const *)b;

    return s->place < t->place ? -1 : s->place > t->place;
}

/* Tiles in a row, neighbours side by side, cut into pieces of about the same load. Rank 0 measures for all. */
static bool by_load(struct hd_cut *cut, const struct hd_config *c, const struct hd_model_paths *paths)
{
    uint64_t took[HD_MODEL_ROLES + 1] = {0}, all = 0, sum = 0;
    struct hd_cut_tile *row[cut->tiles];
    size_t n;

    if (hd_wire_rank() == 0) {
        if (!measure(cut, c, paths, took))
            return false;
        for (unsigned i = 1; i < cut->ranks; i++)
            hd_wire_send(i, took, sizeof took);
        hd_wire_sent();
    } else {
        const void *got = hd_wire_receive(0, &n);
        if (got == NULL || n != sizeof took)
            return false;
        memcpy(took, got, n);
    }
    for (unsigned i = 0; i < cut->tiles; i++) {
        row[i] = &cut->tile[i];
        all += cut->tile[i].role < 0 ? 0 : took[cut->tile[i].role];
    }
    qsort(row, cut->tiles, sizeof row[0], closer);
    for (unsigned i = 0; i < cut->tiles; i++) {
        uint64_t own = row[i]->role < 0 ? 0 : took[row[i]->role];
        row[i]->rank = (unsigned)((sum + own / 2) * cut->ranks / (all + 1)); /* where its middle is */
        sum += own;
    }
    return true;
}

/* ---- by lot, by hand -------------------------------------------------------------------------------------------- */

static void by_lot(struct hd_cut *cut, uint64_t state)
{
    for (unsigned i = 0; i < cut->tiles; i++) { /* splitmix64 */
        uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        cut->tile[i].rank = (unsigned)((z ^ z >> 31) % cut->ranks);
    }
}

static struct hd_cut_tile *find(struct hd_cut *cut, const char *name)
{
    for (unsigned i = 0; i < cut->tiles; i++)
        if (strcmp(cut->tile[i].name, name) == 0)
            return &cut->tile[i];
    return NULL;
}

/* "sm3" or "sm0-3". @return false after a message. */
static bool give(struct hd_cut *cut, const char *item, unsigned rank)
{
    char stem[16] = "", name[40];
    unsigned first, last;
    int end = 0;
    const bool range = sscanf(item, "%8[a-z0-9_]-%u%n", stem, &last, &end) == 2 && item[end] == '\0';
    size_t digits = strlen(stem);

    while (range && digits > 0 && stem[digits - 1] >= '0' && stem[digits - 1] <= '9')
        digits--;
    first = range ? (unsigned)strtoul(stem + digits, NULL, 10) : 0;
    for (unsigned i = first; i <= (range ? last : first); i++) {
        if (range)
            snprintf(name, sizeof name, "%.*s%u", (int)digits, stem, i);
        else
            snprintf(name, sizeof name, "%.39s", item);
        struct hd_cut_tile *t = find(cut, name);
        if (t == NULL || t->rank != cut->ranks) {
            fprintf(stderr, t == NULL ? "heddle: --cut: there is no tile %s\n" : "heddle: --cut: tile %s is named twice\n",
                    name);
            return false;
        }
        t->rank = rank;
    }
    return true;
}

static bool by_hand(struct hd_cut *cut, const char *how)
{
    char *text = strdup(how), *rest = NULL;
    unsigned rank = 0;
    bool good = text != NULL;

    for (unsigned i = 0; i < cut->tiles; i++)
        cut->tile[i].rank = cut->ranks; /* nobody's */
    for (char *list = good ? text : NULL, *next; good && list != NULL; list = next, rank++) {
        next = strchr(list, '/');
        if (next != NULL)
            *next++ = '\0';
        for (char *item = strtok_r(list, ",", &rest); good && item != NULL; item = strtok_r(NULL, ",", &rest))
            good = rank < cut->ranks && give(cut, item, rank);
    }
    if (good && rank != cut->ranks) {
        fprintf(stderr, "heddle: --cut has %u lists, and there are %u ranks\n", rank, cut->ranks);
        good = false;
    }
    for (unsigned i = 0; good && i < cut->tiles; i++)
        if (cut->tile[i].rank == cut->ranks) {
            fprintf(stderr, "heddle: --cut names all tiles but %s\n", cut->tile[i].name);
            good = false;
        }
    free(text);
    return good;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

struct hd_cut *hd_cut_new(const struct hd_config *c, const struct hd_model_paths *paths, const char *how)
{
    unsigned columns, rows;

    hd_config_mesh(c, &columns, &rows);
    struct hd_cut *cut = calloc(1, sizeof *cut + (c->sms + c->partitions + columns * rows + 2) * sizeof cut->tile[0]);
    if (cut == NULL) {
        fprintf(stderr, "heddle: out of memory\n");
        return NULL;
    }
    cut->ranks = hd_wire_ranks();
    add_all(cut, c);
    if (cut->ranks > 1 && c->flat) {
        fprintf(stderr, "heddle: flat = true is one tile, and %u ranks were started\n", cut->ranks);
        free(cut);
        return NULL;
    }
    bool good = true;
    if (cut->ranks > 1 && how == NULL)
        good = by_load(cut, c, paths);
    else if (cut->ranks > 1 && strncmp(how, "lot:", 4) == 0)
        by_lot(cut, strtoull(how + 4, NULL, 10));
    else if (cut->ranks > 1)
        good = by_hand(cut, how);
    if (c->memory == HD_MEMORY_FIXED) /* the SM reaches into it */
        cut->tile[1].rank = cut->tile[0].rank;
    if (good)
        return cut;
    free(cut);
    return NULL;
}

void hd_cut_free(struct hd_cut *cut)
{
    free(cut);
}

unsigned hd_cut_rank(const struct hd_cut *cut, const char *name)
{
    for (unsigned i = 0; i < cut->tiles; i++)
        if (strcmp(cut->tile[i].name, name) == 0)
            return cut->tile[i].rank;
    return 0;
}

void hd_cut_text(const struct hd_cut *cut, unsigned rank, char *text, size_t size)
{
    size_t n = 0;

    snprintf(text, size, "no tiles");
    for (unsigned i = 0; i < cut->tiles && n < size; i++) {
        const struct hd_cut_tile *t = &cut->tile[i];
        unsigned last = i;
        if (t->rank != rank)
            continue;
        while (t->role >= 0 && last + 1 < cut->tiles && cut->tile[last + 1].role == t->role && cut->tile[last + 1].rank == rank)
            last++;
        int k = snprintf(text + n, size - n, "%s%s", n > 0 ? ", " : "", t->name);
        n += k > 0 ? (size_t)k : 0;
        if (last > i && n < size) {
            k = snprintf(text + n, size - n, " to %s", cut->tile[last].name);
            n += k > 0 ? (size_t)k : 0;
        }
        i = last;
    }
}
