/* litmus.c - see commands.h: arguments, files, contracts, histograms and the table. */
#define _DEFAULT_SOURCE 1
#include "commands.h"
#include "axioms.h"
#include "claims.h"
#include "report/files.h"
#include "run/configure.h"
#include "hd_pkg.h"
#include "run_persist.h"
#include "run_tx.h"
#include "runner.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { GOOD = 0, FAILED = 1, REFUSED = 2, MAX_SETS = 64, ORDERS = 16, ROW_BYTES = 1 << 16, CSV_COLUMNS = 12, LOOPS = 1000, REASONS = 32 };

/* The values of the key order. */
static char orders_text[HD_CONFIG_RANGE], orders_split[HD_CONFIG_RANGE];
static const char *order_names[ORDERS];
static unsigned num_orders;

static void find_orders(void)
{
    struct hd_config c;
    const char *name;
    char buffer[32];
    hd_config_default(&c);
    for (size_t i = 0; (name = hd_config_key(&c, i, buffer, NULL)); i++)
        if (strcmp(name, "order") == 0)
            hd_config_key_about(i, orders_text);
    for (char *s = orders_text; *s; s++)
        *s = *s == '|' ? ',' : *s;
    memcpy(orders_split, orders_text, sizeof orders_split);
    for (char *s = strtok(orders_split, ","); s && num_orders < ORDERS; s = strtok(NULL, ","))
        order_names[num_orders++] = s;
}

/* What the tests run on under one order. */
struct machine {
    struct hd_config c;
    struct hd_model_paths models;
};

struct arguments {
    const char *config;
    const char *set[MAX_SETS + 1]; /* and the first of --orders */
    size_t sets;
    const char *order[ORDERS]; /* --orders */
    unsigned orders;
    size_t runs;
    uint64_t seed;
    bool brief;
    const char *verdicts;
    unsigned live;           /* bound, 0: outcomes are looked at */
};

static const char FAULTY[] = "a fault of the test";

/* A test and what became of it under each order. */
struct entry {
    char *path;
    struct hd_lisa *t;
    const char *refused;     /* why it is left out: what no machine can run, or that its outcomes are too many */
    size_t seen[ORDERS], allowed[ORDERS], forbidden[ORDERS];
    bool condition[ORDERS];  /* an outcome for which the condition's formula holds was seen */
    struct hd_claim claim;
    bool beyond;             /* its outcomes cannot be enumerated: the claim alone judges */
    bool judged[ORDERS];     /* by the claim */
    size_t gave_up[ORDERS];  /* instances that met the bound */
};

struct list {
    struct entry *entry;
    size_t count, room;
};

/* ---- files ------------------------------------------------------------------------------------------------- */

static bool add_file(struct list *l, const char *path)
{
    if (l->count == l->room) {
        size_t room = 2 * l->room + 64;
        struct entry *more = realloc(l->entry, room * sizeof *more);
        if (!more)
            return false;
        l->entry = more;
        l->room = room;
    }
    l->entry[l->count] = (struct entry){.path = strdup(path)};
    return l->entry[l->count++].path != NULL;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->path, ((const struct entry *)b)->path);
}

static bool ends(const char *name, size_t length, const char *with)
{
    return length > strlen(with) && strcmp(name + length - strlen(with), with) == 0;
}

/* Adds the tests of a folder. @return false after a message. */
static bool add_folder(struct list *l, const char *path, unsigned depth)
{
    DIR *dir = opendir(path);
    bool good = dir != NULL;
    if (!dir)
        fprintf(stderr, "heddle: %s: cannot be read: %s\n", path, strerror(errno));
    for (struct dirent *e; good && (e = readdir(dir));) {
        char name[1024];
        struct stat st;
        size_t n = strlen(e->d_name);
        if (e->d_name[0] == '.')
            continue;
        if ((size_t)snprintf(name, sizeof name, "%s/%s", path, e->d_name) >= sizeof name || stat(name, &st) != 0)
            continue;
        if (S_ISDIR(st.st_mode) && depth < 16)
            good = add_folder(l, name, depth + 1);
        else if (S_ISREG(st.st_mode) && (ends(e->d_name, n, ".litmus") || ends(e->d_name, n, ".test")))
            good = add_file(l, name);
    }
    if (dir)
        closedir(dir);
    return good;
}

/* @return false after a message. */
static bool add_path(struct list *l, const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0) {
        fprintf(stderr, "heddle: %s: cannot be read: %s\n", path, strerror(errno));
        return false;
    }
    size_t before = l->count, n = strlen(path);
    char folder[1024];
    if (!S_ISDIR(st.st_mode))
        return hd_files_input(NULL, path, true) && add_file(l, path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    snprintf(folder, sizeof folder, "%.*s", (int)n, path);
    if (!add_folder(l, folder, 0))
        return false;
    if (l->count == before) {
        fprintf(stderr, "heddle: %s: no file *.litmus or *.test in this folder\n", path);
        return false;
    }
    qsort(l->entry + before, l->count - before, sizeof *l->entry, by_path);
    return true;
}

/* ---- contracts: the allowed outcomes as "a=1;b=2|a=1;b=3" ------------------------------------------------------- */

/* Cuts a row of a CSV file into its columns. @return how many. */
static unsigned split_row(char *row, char *column[CSV_COLUMNS])
{
    unsigned n = 0;
    row[strcspn(row, "\r\n")] = '\0';
    for (char *c = row; c && n < CSV_COLUMNS; n++) {
        column[n] = c;
        c = strchr(c, ',');
        if (c)
            *c++ = '\0';
    }
    return n;
}

static void no_memory(bool *wrong)
{
    fprintf(stderr, "heddle: no memory\n");
    *wrong = true;
}

/* The states of the row of @test of file @csv whose column @key says @value. @return NULL if there is no row or no file, and after a
 * message (*wrong) when the file is not such a table. Freed by free(). */
static char *read_states(const char *csv, const char *test, const char *key, const char *value, bool *wrong)
{
    const char *const name[] = {"test", key, "states"};
    unsigned at[3] = {CSV_COLUMNS, CSV_COLUMNS, CSV_COLUMNS}, columns = 0, line = 0;
    char *column[CSV_COLUMNS], *found = NULL, *row = malloc(ROW_BYTES);
    FILE *f = fopen(csv, "r");

    while (f && row && !found && !*wrong && fgets(row, ROW_BYTES, f)) {
        line++;
        *wrong = strlen(row) == ROW_BYTES - 1;
        unsigned n = split_row(row, column);
        if (*wrong)
            fprintf(stderr, "heddle: %s:%u: expected a row of less than %d characters\n", csv, line, ROW_BYTES);
        else if (line == 1) {
            columns = n;
            for (unsigned i = 0; i < 3; i++)
                for (unsigned c = 0; c < n; c++)
                    at[i] = strcmp(column[c], name[i]) == 0 ? c : at[i];
            *wrong = at[0] == CSV_COLUMNS || at[1] == CSV_COLUMNS || at[2] == CSV_COLUMNS;
            if (*wrong)
                fprintf(stderr, "heddle: %s:1: expected the names of columns, test, %s and states among them\n", csv, key);
        } else if (n < columns && (n > 1 || column[0][0] != '\0')) {
            fprintf(stderr, "heddle: %s:%u: expected %u columns, found %u\n", csv, line, columns, n);
            *wrong = true;
        } else if (n >= columns && strcmp(column[at[0]], test) == 0 && strcmp(column[at[1]], value) == 0) {
            *wrong = strchr(column[at[2]], '=') == NULL;
            if (*wrong)
                fprintf(stderr, "heddle: %s:%u: expected states as x=1;y=2|..., found '%s'\n", csv, line, column[at[2]]);
            else if (!(found = strdup(column[at[2]])))
                no_memory(wrong);
        }
    }
    if (f && !row)
        no_memory(wrong);
    free(row);
    if (f)
        fclose(f);
    return found;
}

/* The row of @test and @order in FOLDER/../contract-NAME.csv, where FOLDER is the test's folder and NAME its last part. Otherwise as
 * read_states(). */
static char *contract_row(const char *path, const char *test, const char *order, bool *wrong)
{
    char csv[1200], config[16];
    const char *end = strrchr(path, '/'), *start = end;
    if (!end)
        return NULL;
    while (start > path && start[-1] != '/')
        start--;
    snprintf(csv, sizeof csv, "%.*scontract-%.*s.csv", (int)(start - path), path, (int)(end - start), start);
    for (size_t i = 0; i <= strlen(order) && i < sizeof config; i++)
        config[i] = (char)(order[i] >= 'a' && order[i] <= 'z' ? order[i] - 'a' + 'A' : order[i]);
    return read_states(csv, test, "config", config, wrong);
}

static int by_item(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    bool register_x = strchr(*x, ':') != NULL, register_y = strchr(*y, ':') != NULL;
    return register_x != register_y ? register_y - register_x : strcmp(*x, *y);
}

/* Brings each state's items into the order in which outcomes are printed: registers first. */
static char *put_in_order(const char *states)
{
    char *copy = strdup(states), *out = malloc(strlen(states) + 2), *to = out, *rest = copy;
    for (char *state; copy && out && (state = strsep(&rest, "|")) != NULL;) {
        char *item[HD_LISA_ITEMS];
        size_t n = 0;
        for (char *i; n < HD_LISA_ITEMS && (i = strsep(&state, ";")) != NULL;)
            item[n++] = i;
        qsort(item, n, sizeof item[0], by_item);
        for (size_t i = 0; i < n; i++)
            to += sprintf(to, "%s%c", item[i], i + 1 < n ? ';' : '|');
    }
    if (out && to > out)
        to[-1] = '\0';
    free(copy);
    return out;
}

/* The row of @test and @model in FOLDER/expected.csv, where FOLDER is the test's folder. Otherwise as read_states(). */
static char *expected_row(const char *path, const char *test, const char *model, bool *wrong)
{
    char csv[1200];
    const char *end = strrchr(path, '/');
    snprintf(csv, sizeof csv, "%.*sexpected.csv", end ? (int)(end + 1 - path) : 0, path);
    char *states = read_states(csv, test, "model", model, wrong), *sorted = states ? put_in_order(states) : NULL;
    if (states && !sorted)
        no_memory(wrong);
    free(states);
    return sorted;
}

/* The same from the model of the order, and whether the test has races by it. @return NULL, with a message unless @quiet. */
static char *contract_model(const struct entry *e, const char *order, bool quiet, bool *races)
{
    char error[256];
    enum hd_axioms_model model = HD_AX_SC;
    while (strcmp(hd_axioms_name(model), order) != 0)
        model++;
    struct hd_axioms *a = hd_axioms_new(e->t, 1u << model, error, sizeof error);
    if (!a) {
        if (!quiet)
            fprintf(stderr, "heddle: %s: skipped, it has no row in the contract and its outcomes cannot be enumerated: %s\n",
                    e->path, error);
        return NULL;
    }
    const struct hd_allowed *allowed = &a->model[model];
    *races = (allowed->flags & (HD_AX_RACE | HD_AX_SCOPERACE)) != 0;
    size_t size = allowed->count * (HD_LISA_TEXT + 1) + 1, n = 0;
    char *states = malloc(size);
    if (states)
        states[0] = '\0';
    else
        fprintf(stderr, "heddle: no memory\n");
    for (size_t i = 0; states && i < allowed->count; i++) {
        if (i)
            states[n++] = '|';
        hd_lisa_outcome_text(e->t, allowed->outcome + i * e->t->items, states + n, size - n);
        n += strlen(states + n);
    }
    hd_axioms_free(a);
    return states;
}

static bool has_state(const char *states, const char *text)
{
    size_t length = strlen(text);
    for (const char *s = states;;) {
        size_t n = strcspn(s, "|");
        if (n == length && memcmp(s, text, n) == 0)
            return true;
        if (s[n] == '\0')
            return false;
        s += n + 1;
    }
}

static size_t count_states(const char *states)
{
    size_t n = 1;
    for (; *states; states++)
        n += *states == '|';
    return n;
}

/* ---- a test under an order ---------------------------------------------------------------------------------------- */

static void print_replay(const struct arguments *a, const struct entry *e, const char *order)
{
    printf("  replay: heddle litmus --config %s", a->config);
    for (size_t i = 0; i < a->sets; i++)
        if (strncmp(a->set[i], "order=", 6) != 0)
            printf(" --set %s", a->set[i]);
    if (a->verdicts)
        printf(" --verdicts %s", a->verdicts);
    if (a->live)
        printf(" --live %u", a->live);
    printf(" --set order=%s --seed %llu --runs %zu %s\n", order, (unsigned long long)a->seed, a->runs, e->path);
}

/* Allowed outcomes that were not seen. */
static void print_missing(const struct entry *e, const char *states, const struct hd_litmus_result *r)
{
    for (const char *s = states; *s;) {
        size_t n = strcspn(s, "|");
        bool seen = false;
        for (size_t i = 0; i < r->outcomes && !seen; i++) {
            char text[HD_LISA_TEXT];
            hd_lisa_outcome_text(e->t, r->outcome + i * e->t->items, text, sizeof text);
            seen = strlen(text) == n && memcmp(text, s, n) == 0;
        }
        if (!seen)
            printf("  %10s   %.*s\n", "not seen", (int)n, s);
        s += n + (s[n] == '|');
    }
}

/* @states: allowed; @reachable: what a suite should see of them. */
static void print_result(const struct arguments *a, struct entry *e, unsigned o, const char *order,
                         const char *states, const char *reachable, const struct hd_litmus_result *r)
{
    char text[HD_LISA_TEXT];
    size_t held = 0, outside = r->outcomes;
    for (size_t i = 0; i < r->outcomes; i++) {
        hd_lisa_outcome_text(e->t, r->outcome + i * e->t->items, text, sizeof text);
        bool good = (!states || has_state(states, text)) &&
                    !(e->judged[o] && hd_claim_forbids(&e->claim, e->t, r->outcome + i * e->t->items));
        e->seen[o] += !reachable || has_state(reachable, text);
        e->forbidden[o] += !good;
        outside = good ? outside : i;
        held += hd_lisa_holds(e->t, r->outcome + i * e->t->items) ? r->count[i] : 0;
    }
    e->allowed[o] = reachable ? count_states(reachable) : e->seen[o];
    e->gave_up[o] = r->gave_up;
    e->condition[o] = held > 0;
    bool wrong = e->forbidden[o] > 0 || r->failed[0];
    if (a->brief && !wrong)
        return;
    printf("%s %s: %zu runs, %zu of %zu allowed outcomes seen, condition (*) met %zu times, %llu cycles, %.2f CPU s%s\n",
           e->t->name, order, r->runs, e->seen[o], e->allowed[o], held, (unsigned long long)r->cycles, r->cpu_seconds,
           wrong ? ": FAILED" : "");
    for (size_t i = 0; i < r->outcomes; i++) {
        const uint32_t *outcome = r->outcome + i * e->t->items;
        hd_lisa_outcome_text(e->t, outcome, text, sizeof text);
        bool claim = e->judged[o] && hd_claim_forbids(&e->claim, e->t, outcome);
        printf("  %10zu %c %s%s%s\n", r->count[i], hd_lisa_holds(e->t, outcome) ? '*' : ' ', text,
               !states || has_state(states, text) ? "" : "   FORBIDDEN", claim ? "   FORBIDDEN by the verdict" : "");
    }
    if (!a->brief && reachable)
        print_missing(e, reachable, r);
    if (r->gave_up > 0)
        printf("  %10zu   gave up: %s\n", r->gave_up, r->waits);
    if (r->failed[0])
        printf("  check failed: %s\n", r->failed);
    if (r->violation)
        hd_mcm_print(r->violation, stdout);
    if (hd_litmus_disagrees(r, outside, a->seed, text, sizeof text))
        printf("  %s\n", text);
    if (wrong)
        print_replay(a, e, order);
}

static int run_one(const struct arguments *a, const struct machine *machine, struct entry *e, unsigned o, const char *order)
{
    const char *contract = hd_mcm_name(hd_mcm_of_order(machine->c.order));
    bool tx = hd_litmus_of_tx(e->t);
    bool beside = tx || e->t->crash; /* the verdicts are in the test's folder */
    const bool buffered = machine->c.persist == HD_PERSISTENCE_BUFFERED;
    /* what only the order of a block's barrier forbids, RMO allows: no store waits at that barrier */
    const bool unordered = buffered || machine->c.order == HD_MODEL_RMO;
    const char *promised = tx ? "weak" : unordered ? "definition" : "epoch";
    const char *machine_row = tx ? "machine" : buffered ? "alternative" : "fifo";
    bool races = false, others = a->verdicts != NULL, wrong = false;
    char *states = beside ? expected_row(e->path, e->t->name, promised, &wrong)
                          : contract_row(e->path, e->t->name, contract, &wrong);
    char *reachable = beside && !wrong ? expected_row(e->path, e->t->name, machine_row, &wrong) : NULL;
    if (wrong) {
        free(states);
        free(reachable);
        e->refused = "verdicts that cannot be read"; /* the other tests are run all the same */
        return REFUSED;
    }
    if (!states && !beside)
        states = contract_model(e, contract, others, &races);
    /* DRF and HRF promise nothing for races; without an enumeration nobody knows whether there are any */
    bool promises = machine->c.order != HD_MODEL_DRF && machine->c.order != HD_MODEL_HRF;
    e->judged[o] = e->claim.safe_known && (promises || (states && !races));
    if (!states && e->judged[o])
        e->beyond = true;
    else if (!states) {
        free(reachable);
        if (beside)
            fprintf(stderr, "heddle: %s: skipped, it has no row with model %s in expected.csv beside it\n", e->path, promised);
        e->refused = "so many outcomes"; /* the other tests are run all the same */
        return REFUSED;
    }
    struct hd_litmus_result r;
    const struct hd_litmus_options options = {.config = &machine->c, .models = &machine->models, .runs = a->runs, .seed = a->seed,
                                              .file = e->path, .bound = others ? LOOPS : 0};
    int code = tx            ? hd_litmus_run_tx(e->t, &options, &r)
               : e->t->crash ? hd_litmus_run_persist(e->t, &options, &r)
                             : hd_litmus_run(e->t, &options, &r);
    if (code == GOOD) {
        print_result(a, e, o, order, states, reachable ? reachable : states, &r);
        code = e->forbidden[o] > 0 || r.failed[0] ? FAILED : GOOD;
        fflush(stdout);
    } else if (r.faulty) {
        e->refused = FAULTY; /* the other tests are run all the same */
    }
    hd_litmus_free(&r);
    free(reachable);
    free(states);
    return code;
}

/* Does it end? */
static int run_live(const struct arguments *a, const struct machine *machine, struct entry *e, unsigned o, const char *order)
{
    struct hd_litmus_result r;
    const struct hd_litmus_options options = {.config = &machine->c, .models = &machine->models, .runs = a->runs, .file = e->path,
                                              .seed = a->seed, .bound = a->live, .anywhere = true};
    int code = hd_litmus_run(e->t, &options, &r);
    if (code == GOOD) {
        bool wrong = r.failed[0] || (r.gave_up > 0 && e->claim.live_known && e->claim.live);
        e->gave_up[o] = r.gave_up;
        e->forbidden[o] = wrong;
        if (!a->brief || wrong)
            printf("%s %s: %s%s, %zu of %zu instances met the bound of %u steps%s%s, %llu cycles, %.2f CPU s%s\n", e->t->name,
                   order, r.gave_up > 0 ? "bounded" : "lives",
                   !e->claim.live_known ? "" : e->claim.live ? " (must end)" : " (may spin for ever)", r.gave_up, r.runs,
                   a->live, r.gave_up > 0 ? ": " : "", r.waits, (unsigned long long)r.cycles, r.cpu_seconds,
                   wrong ? ": FAILED" : "");
        if (r.failed[0])
            printf("  check failed: %s\n", r.failed);
        if (wrong)
            print_replay(a, e, order);
        code = wrong ? FAILED : GOOD;
        fflush(stdout);
    } else if (r.faulty) {
        e->refused = FAULTY; /* the other tests are run all the same */
    }
    hd_litmus_free(&r);
    return code;
}

/* ---- the table ------------------------------------------------------------------------------------------------------ */

/* Skipped tests by reason. */
static void print_skipped(const struct list *l)
{
    const char *reason[REASONS];
    size_t count[REASONS], reasons = 0;
    for (size_t i = 0; i < l->count; i++) {
        size_t k = 0;
        if (!l->entry[i].refused)
            continue;
        while (k < reasons && strcmp(reason[k], l->entry[i].refused) != 0)
            k++;
        if (k == REASONS)
            continue;
        if (k == reasons) {
            reason[reasons] = l->entry[i].refused;
            count[reasons++] = 0;
        }
        count[k]++;
    }
    for (size_t k = 0; k < reasons; k++)
        printf("skipped %4zu: %s\n", count[k], reason[k]);
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static void print_live(const struct list *l, unsigned orders)
{
    size_t n[3][2] = {{0}}, failed = 0, skipped = 0; /* no verdict, may spin, must end; lives, bounded */
    for (size_t i = 0; i < l->count; i++) {
        const struct entry *e = &l->entry[i];
        skipped += e->refused != NULL;
        for (unsigned o = 0; o < orders && !e->refused; o++) {
            n[!e->claim.live_known ? 0 : e->claim.live ? 2 : 1][e->gave_up[o] > 0]++;
            failed += e->forbidden[o];
        }
    }
    printf("%zu test%s (%zu skipped) under %u order%s: must end: %zu lives, %zu bounded; may spin for ever: %zu lives, %zu bounded; "
           "no verdict: %zu lives, %zu bounded; %zu failed\n", l->count, plural(l->count), skipped, orders, plural(orders), n[2][0], n[2][1], n[1][0], n[1][1],
           n[0][0], n[0][1], failed);
}

static void print_table(const struct arguments *a, const struct list *l, const char *const *order, unsigned orders)
{
    size_t seen = 0, allowed = 0, forbidden = 0, skipped = 0, complete = 0;
    int width = 4;
    for (size_t i = 0; i < l->count; i++) {
        int n = (int)strlen(l->entry[i].t->name);
        width = n > width ? n : width;
    }
    if (!a->brief) {
        printf("\nseen / allowed / forbidden outcomes; * the test's condition was met\n%-*s", width, "test");
        for (unsigned o = 0; o < orders; o++)
            printf("  %12s", order[o]);
        printf("\n");
    }
    for (size_t i = 0; i < l->count; i++) {
        const struct entry *e = &l->entry[i];
        if (e->refused) {
            skipped++;
            continue;
        }
        if (!a->brief)
            printf("%-*s", width, e->t->name);
        for (unsigned o = 0; o < orders; o++) {
            char cell[64];
            snprintf(cell, sizeof cell, "%zu/%zu/%zu%c", e->seen[o], e->allowed[o], e->forbidden[o],
                     e->condition[o] ? '*' : ' ');
            if (!a->brief)
                printf("  %12s", cell);
            seen += e->seen[o];
            allowed += e->allowed[o];
            forbidden += e->forbidden[o];
            complete += e->seen[o] == e->allowed[o];
        }
        if (!a->brief)
            printf("\n");
    }
    printf("%zu test%s (%zu skipped) under %u order%s, %zu runs each: %zu of %zu allowed outcomes seen (%zu missing; "
           "%zu histogram%s complete), %zu forbidden\n", l->count, plural(l->count), skipped, orders, plural(orders), a->runs,
           seen, allowed, allowed - seen, complete, plural(complete), forbidden);
    bool stated = false;
    for (size_t i = 0; i < l->count; i++)
        stated |= !l->entry[i].refused && l->entry[i].t->stated.known;
    if (!a->verdicts && !stated)
        return;
    size_t judged = 0, own = 0, beyond = 0, gave_up = 0;
    for (size_t i = 0; i < l->count; i++)
        for (unsigned o = 0; o < orders && !l->entry[i].refused; o++) {
            const struct entry *e = &l->entry[i];
            judged += e->judged[o];
            own += !e->judged[o];
            beyond += e->beyond;
            gave_up += e->gave_up[o];
        }
    printf("judged by their verdicts and our axioms: %zu, by our axioms alone: %zu, by verdicts alone: %zu; %zu instances met "
           "the bound of %d steps and do not count\n", judged - beyond, own, beyond, gave_up, LOOPS);
}

/* ---- arguments -------------------------------------------------------------------------------------------------------- */

static bool take_count(const char *option, const char *value, uint64_t least, uint64_t most, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(value, &end, 0);
    if (*value >= '0' && *value <= '9' && *end == '\0' && errno == 0 && *out >= least && *out <= most)
        return true;
    fprintf(stderr, "heddle: %s %s: must be %llu..%llu\n", option, value, (unsigned long long)least,
            (unsigned long long)most);
    return false;
}

static bool take_orders(struct arguments *a, const char *list)
{
    a->orders = 0;
    for (const char *s = list;; s++) {
        size_t n = strcspn(s, ",");
        unsigned i = 0;
        while (i < num_orders && (strlen(order_names[i]) != n || memcmp(order_names[i], s, n) != 0))
            i++;
        if (i == num_orders || a->orders == ORDERS) {
            fprintf(stderr, "heddle: --orders %s: must be some of %s\n", list, orders_text);
            return false;
        }
        a->order[a->orders++] = order_names[i];
        s += n;
        if (*s == '\0')
            return true;
    }
}

/* @return GOOD, or REFUSED after a message. */
static int parse(int argc, char **argv, struct arguments *a, struct list *l)
{
    *a = (struct arguments){.config = "litmus", .runs = 4000, .seed = 1};
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        uint64_t n = 0;
        if (strcmp(arg, "--brief") == 0) {
            a->brief = true;
            continue;
        }
        if (arg[0] != '-') {
            if (!add_path(l, arg))
                return REFUSED;
            continue;
        }
        static const char *const options[] = {"--config", "--set", "--orders", "--runs", "--seed", "--live", "--verdicts"};
        enum { OPTIONS = sizeof options / sizeof options[0] };
        size_t o = 0;
        while (o < OPTIONS && strcmp(arg, options[o]) != 0)
            o++;
        if (o == OPTIONS) {
            fprintf(stderr, "heddle: litmus: unknown option '%s'; see heddle litmus --help\n", arg);
            return REFUSED;
        }
        if (!value) {
            fprintf(stderr, "heddle: %s needs a value\n", arg);
            return REFUSED;
        }
        i++;
        if (o == 0)
            a->config = value;
        else if (o == 1 && a->sets == MAX_SETS) {
            fprintf(stderr, "heddle: more than %d settings\n", MAX_SETS);
            return REFUSED;
        } else if (o == 1)
            a->set[a->sets++] = value;
        else if (o == 6)
            a->verdicts = value;
        else if (o == 2 ? !take_orders(a, value)
                        : !take_count(arg, value, o == 4 ? 0 : 1, o == 4 ? INT64_MAX : 10000000, &n))
            return REFUSED;
        if (o == 3)
            a->runs = n;
        if (o == 4)
            a->seed = n;
        if (o == 5)
            a->live = (unsigned)n;
    }
    if (l->count == 0) {
        fprintf(stderr, "heddle: litmus needs a file or folder; see heddle litmus --help\n");
        return REFUSED;
    }
    return GOOD;
}

static bool goes_back(const struct hd_lisa *t)
{
    for (unsigned p = 0; p < t->procs; p++)
        for (unsigned i = 0; i < t->proc[p].instrs; i++)
            if (t->proc[p].instr[i].kind == HD_LISA_BRANCH && t->proc[p].instr[i].target <= i)
                return true;
    return false;
}

/* Reads every test before the first one runs. @return GOOD, or REFUSED after a message: a bad file, or no test is left. */
static int read_tests(const struct arguments *a, struct list *l, const struct hd_config *c)
{
    struct hd_claims *claims = a->verdicts ? hd_claims_read(a->verdicts) : NULL;
    if (a->verdicts && !claims)
        return REFUSED;
    int code = GOOD;
    size_t left = 0;
    for (size_t i = 0; i < l->count; i++) {
        struct entry *e = &l->entry[i];
        e->t = hd_lisa_read(e->path);
        if (!e->t) {
            code = REFUSED;
            continue;
        }
        e->refused = e->t->crash && c->persist != 0 ? hd_litmus_persist_refuses(e->t) : hd_litmus_refuses(e->t);
        if (!e->refused && !c->local_tm && hd_litmus_of_tx(e->t))
            e->refused = "transactions: local_tm = off";
        if (!e->refused && c->copies == 0 && hd_litmus_of_copies(e->t))
            e->refused = "an asynchronous copy: copies = 0";
        if (e->refused && !(a->brief && claims))
            fprintf(stderr, "heddle: %s: skipped, the machine cannot run %s\n", e->path, e->refused);
        e->claim.safe_known = e->claim.race_known = e->t->stated.known;
        e->claim.safe = e->t->stated.possible;
        e->claim.race = e->t->stated.race;
        if (claims && !e->refused) {
            if (!e->t->stated.known)
                e->claim = hd_claims_of(claims, e->path);
            if (a->live ? !e->claim.live_known && !goes_back(e->t) : !e->claim.safe_known && e->t->items == 0)
                e->refused = a->live ? "no loop and no verdict on its end" : "an outcome without words";
        }
        if (!e->refused && a->live && hd_litmus_of_tx(e->t))
            e->refused = "transactions: no --live";
        left += !e->refused;
    }
    hd_claims_free(claims);
    if (code == GOOD && left == 0) {
        fprintf(stderr, "heddle: litmus: no test is left that this machine can run; skipped: %zu\n", l->count);
        code = REFUSED;
    }
    return code;
}

/* Once for each order, which may need hardware of its own: to look whether models are up to date takes as long as a test.
 * @return false after a message */
static bool get_machines(const struct arguments *a, const struct hd_config *c, struct machine *machines)
{
    for (unsigned o = 0; machines && o < a->orders; o++) {
        char order[16];
        snprintf(order, sizeof order, "order=%s", a->order[o]);
        machines[o].c = *c;
        hd_config_set(&machines[o].c, order, "--orders");
        if (hd_config_check(&machines[o].c, a->config) != 0 || !hd_models_get(&machines[o].c, false, &machines[o].models))
            return false;
    }
    return machines != NULL;
}

int hd_litmus_command(int argc, char **argv)
{
    struct arguments a;
    struct list l = {0};
    struct hd_config c;
    find_orders();
    int code = parse(argc, argv, &a, &l);
    char first[16]; /* what is checked is an order that runs: that of the file may not fit the family of --set */
    if (code == GOOD && a.orders > 0) {
        snprintf(first, sizeof first, "order=%s", a.order[0]);
        a.set[a.sets++] = first;
    }
    if (code == GOOD && hd_configure(&c, a.config, a.set, a.sets) != 0)
        code = REFUSED;
    if (code == GOOD)
        code = read_tests(&a, &l, &c);
    if (code == GOOD && a.orders == 0)
        a.order[a.orders++] = order_names[c.order];
    struct machine *machines = calloc(ORDERS, sizeof *machines);
    bool ran = code == GOOD && get_machines(&a, &c, machines);
    if (!ran)
        code = REFUSED;
    for (size_t i = 0; i < l.count && ran; i++)
        for (unsigned o = 0; o < a.orders && !l.entry[i].refused && ran; o++) {
            int one = (a.live ? run_live : run_one)(&a, &machines[o], &l.entry[i], o, a.order[o]);
            bool left_out = one == REFUSED && l.entry[i].refused;
            code = one > code && !(left_out && a.verdicts) ? one : code; /* of other people's tests the reasons are counted */
            ran = one != REFUSED || left_out;
        }
    if (ran && a.live)
        print_live(&l, a.orders);
    else if (ran)
        print_table(&a, &l, a.order, a.orders);
    if (ran && a.verdicts)
        print_skipped(&l);
    for (size_t i = 0; i < l.count; i++) {
        free(l.entry[i].path);
        free(l.entry[i].t);
    }
    free(l.entry);
    free(machines);
    return code;
}
