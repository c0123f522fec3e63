/* pairs.c - see pairs.h: the tables, by the names that HD_COVER_PAIRS gives them. */
#include "pairs.h"
#include "run/run.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* @pairs: a string of the events for each row: ' ' excluded by the table (an assertion of the RTL fires), '+' must be reached,
 * 'u' the table has an answer, but it cannot happen: @why says why. */
struct table {
    const char *name, *title;
    bool l1;
    unsigned rows, events;
    const char *row[HD_PAIRS_ROWS], *event[HD_PAIRS_EVENTS], *pairs[HD_PAIRS_ROWS];
    const char *why[4];
};

static const struct table tables[HD_PAIRS_TABLES] = {
    {"l1", "L1 table, MESI (hd_l1_mesi_table)", true, 4, 10, {"I", "S", "E", "M"},
     {"LOAD", "STORE", "DATA_S", "DATA_E", "DATA_M", "ACK_M", "INV", "FETCH", "FETCH_INV", "EVICT"},
     {"++++++++++", "++   ++  +", "++     +++", "++     +++"}, {NULL}},
    {"dir", "directory table, MESI (hd_dir_mesi)", false, 6, 12,
     {"N", "S others", "S it", "S it+others", "X it", "X other"},
     {"evict", "GETS", "GETM", "UPG", "PUTM", "PUTE", "RSP_DATA", "RSP_CLEAN", "RSP_NONE", "INV_ACK", "RSP_DATA k", "RSP_CLEAN k"},
     {"++++    +   ", "++++        ", " u++     +  ", " +++     +  ", " ++u++++  ++", "++++        "},
     {"GETS, S it: a line has one sharer only inside a transaction, which other requests wait for (docs/stress.md)",
      "UPG, X it: an L1 that sent UPG has the line in S, and cannot become its owner before the UPG is decided (docs/stress.md)"}},
    {"l1vi", "L1 table, write-through (hd_l1_vi_table)", true, 2, 13, {"I", "V"},
     {"LOAD", "STORE", "DATA_S", "", "", "", "INV", "", "", "EVICT", "ATOMIC", "LOAD_OUT", "LAST"},
     {"+++   +  +++ ", "+++   +  ++++"}, {NULL}},
    {"dirvi", "directory table, write-through (hd_dir_vi)", false, 4, 5, {"none", "others", "it", "it+others"},
     {"evict", "GETS", "WT", "ATOMIC", "INV_ACK"}, {"++++ ", "++++ ", " ++++", " ++++"}, {NULL}},
    {"l1gpu", "L1 table, GPU coherence, words (hd_l1_gpu_table)", true, 3, 7, {"I", "V", "D"},
     {"LOAD", "STORE", "SYNC", "LOCAL", "FLUSH", "EVICT", "FILL"}, {"++++ ++", "++++ ++", "+++++++"}, {NULL}},
    {"dirgpu", "L2 table, GPU coherence (hd_dir_gpu)", false, 6, 4,
     {"absent", "way dirty", "busy", "here, clean", "here, dirty", "its turn"}, {"GETS", "WT", "ATOMIC", "(walk)"},
     {"+++ ", "+++ ", "+++ ", "++++", "++++", "+++ "}, {NULL}},
    {"l1dn", "L1 table, DeNovo, words (hd_l1_denovo_table)", true, 8, 12, {"I", "I, W", "V", "D", "D, W", "R", "R, W", "RO"},
     {"LOAD", "STORE", "SYNC", "LOCAL", "FLUSH", "EVICT", "FILL", "ACK", "FWD_READ", "FWD_REG", "PASS", "BEGIN"},
     {"++++ ++    +", "++++  ++++ +", "++++ ++    +", "+++++ +    +", "+++++ ++++ +", "++++ ++ ++ +", "++++  + u ++",
      "+u+u ++    +"},
     {"STORE and LOCAL, RO: the runtime ends a grid that stores to a word which it called read-only",
       "FWD_READ, R W: a word that leaves goes before any forward is looked at (make formal T=dn_leave)"}},
    {"dirdn", "L2 table, DeNovo (hd_dir_denovo)", false, 8, 5,
     {"absent", "way dirty", "way owned", "busy", "no owner", "owners", "turn", "turn, owners"},
     {"GETS", "REG", "WB", "(walk)", "RECALL_DATA"},
     {"+++  ", "++   ", "++   ", "+++  ", "+++++", "+++++", "++   ", "++   "}, {NULL}},
};

void hd_pairs_see(void *ctx, const char *table, unsigned a, unsigned b, uint64_t count)
{
    struct hd_pairs *p = ctx;
    for (unsigned t = 0; t < HD_PAIRS_TABLES; t++)
        if (strcmp(table, tables[t].name) == 0 && a < tables[t].rows && b < tables[t].events)
            p->count[t][a][b] += count;
}

void hd_pairs_add(struct hd_pairs *p, const struct hd_pairs *more)
{
    for (unsigned t = 0; t < HD_PAIRS_TABLES; t++)
        for (unsigned a = 0; a < tables[t].rows; a++)
            for (unsigned b = 0; b < tables[t].events; b++)
                p->count[t][a][b] += more->count[t][a][b];
}

/* The counter of a pair. @return its name, kept for ever. */
static const char *name_of(unsigned t, unsigned a, unsigned b)
{
    static char names[HD_PAIRS_TABLES][HD_PAIRS_ROWS][HD_PAIRS_EVENTS][48];
    char *name = names[t][a][b];
    snprintf(name, sizeof names[t][a][b], "pairs.%s.%s.%s", tables[t].name, tables[t].row[a], tables[t].event[b]);
    return name;
}

bool hd_pairs_keep(const struct hd_pairs *p, struct hd_result *r)
{
    enum { ALL = HD_PAIRS_TABLES * HD_PAIRS_ROWS * HD_PAIRS_EVENTS };
    struct hd_counter *c = calloc(r->counters + r->host_counters + ALL, sizeof *c);
    if (!c)
        return false;
    memcpy(c, r->counter, r->counters * sizeof *c);
    for (unsigned t = 0; t < HD_PAIRS_TABLES; t++)
        for (unsigned a = 0; a < tables[t].rows; a++)
            for (unsigned b = 0; b < tables[t].events; b++)
                if (p->count[t][a][b] > 0)
                    c[r->counters++] = (struct hd_counter){name_of(t, a, b), p->count[t][a][b]};
    memcpy(c + r->counters, r->host_counter, r->host_counters * sizeof *c);
    free(r->counter);
    r->counter = c;
    r->host_counter = c + r->counters;
    return true;
}

void hd_pairs_read(void *ctx, const char *counters)
{
    struct hd_pairs *p = ctx;
    json_t *object = json_loads(counters, 0, NULL);
    for (unsigned t = 0; t < HD_PAIRS_TABLES; t++)
        for (unsigned a = 0; a < tables[t].rows; a++)
            for (unsigned b = 0; b < tables[t].events; b++)
                p->count[t][a][b] += (uint64_t)json_integer_value(json_object_get(object, name_of(t, a, b)));
    json_decref(object);
}

/* What is expected of a pair in the runs there were, as in tables[].pairs. */
static char expected(const struct hd_pairs *p, unsigned t, unsigned a, unsigned b)
{
    const char is = tables[t].pairs[a][b];
    const bool out = (p->no_scopes && strcmp(tables[t].event[b], "LOCAL") == 0)
                     || (p->no_read_only && strcmp(tables[t].row[a], "RO") == 0);
    return is == '+' && out ? 'u' : is;
}

/* Pairs that must be reached, and those that are. @return whether any of the table is. */
static bool reached(const struct hd_pairs *p, unsigned t, unsigned *seen, unsigned *all)
{
    bool any = false;
    *seen = *all = 0;
    for (unsigned a = 0; a < tables[t].rows; a++)
        for (unsigned b = 0; b < tables[t].events; b++) {
            any |= p->count[t][a][b] > 0;
            *all += expected(p, t, a, b) == '+';
            *seen += expected(p, t, a, b) == '+' && p->count[t][a][b] > 0;
        }
    return any;
}

unsigned hd_pairs_reached(const struct hd_pairs *p, bool l1)
{
    unsigned sum = 0;
    for (unsigned t = 0; t < HD_PAIRS_TABLES; t++) {
        unsigned seen, all;
        if (tables[t].l1 == l1 && reached(p, t, &seen, &all))
            sum += seen;
    }
    return sum;
}

static void print_pair(uint64_t count, char is)
{
    if (count > 0)
        printf("%12llu%s", (unsigned long long)count, is == '+' ? " " : "!");
    else
        printf("%13s", is == '+' ? "not reached" : is == 'u' ? "impossible" : "-");
}

/* Events down, rows of the table across. */
static void print_table(const struct hd_pairs *p, unsigned t)
{
    const struct table *k = &tables[t];
    unsigned seen, all;
    if (!reached(p, t, &seen, &all)) {
        printf("\n%s: no machine of this kind was run\n", k->title);
        return;
    }
    printf("\n%s: %u of %u pairs reached\n  %-12s", k->title, seen, all, "");
    for (unsigned a = 0; a < k->rows; a++)
        printf("%13s", k->row[a]);
    printf("\n");
    for (unsigned b = 0; b < k->events; b++) {
        if (k->event[b][0] == '\0')
            continue; /* not of this table */
        printf("  %-12s", k->event[b]);
        for (unsigned a = 0; a < k->rows; a++)
            print_pair(p->count[t][a][b], expected(p, t, a, b));
        printf("\n");
    }
    for (unsigned i = 0; i < sizeof k->why / sizeof k->why[0] && k->why[i]; i++)
        printf("  impossible: %s\n", k->why[i]);
    if (p->no_scopes && strcmp(k->event[3], "LOCAL") == 0)
        printf("  impossible: LOCAL: without scopes (hrf) all synchronization is of the device\n");
    if (p->no_read_only && strcmp(k->row[k->rows - 1], "RO") == 0)
        printf("  impossible: RO: without read_only no word outlives an acquire\n");
}

void hd_pairs_print(const struct hd_pairs *p)
{
    for (unsigned t = 0; t < HD_PAIRS_TABLES; t++)
        print_table(p, t);
}

unsigned hd_pairs_surprises(const struct hd_pairs *p)
{
    unsigned n = 0;
    for (unsigned t = 0; t < HD_PAIRS_TABLES; t++)
        for (unsigned a = 0; a < tables[t].rows; a++)
            for (unsigned b = 0; b < tables[t].events; b++)
                n += p->count[t][a][b] > 0 && expected(p, t, a, b) != '+';
    return n;
}
