/* timeline.c - see timeline.h. */
#define _POSIX_C_SOURCE 200809L
#include "timeline.h"
#include "report/csv.h"
#include "report/files.h"
#include "report/json.h"
#include "report/plot.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MORE = 64 /* columns that counters which appear during the run may take */ };

struct link {
    char name[80];
    uint64_t flits;            /* at the end of the run, since the warm-up */
    double used;
};

struct hd_timeline {
    const struct hd_timeline_options *o;
    struct hd_machine *machine;
    struct hd_simt *simt;
    size_t columns, room;      /* names; values of a row */
    const char **name;
    uint64_t *start;           /* [room] when the warm-up ended */
    struct link *link;
    size_t links;
    size_t rows, rows_room;
    uint64_t *row;             /* [rows][1 + room]: cycle, values since the start of the run */
    uint64_t begin, next;      /* cycles: first of the run; end of the row under way */
    uint64_t warm_blocks;      /* blocks of the kernels of the warm-up */
    uint64_t warm_cycles, warm_instructions;
    bool warm, full;           /* the warm-up has ended; there is no room for more rows */
};

bool hd_timeline_wanted(const struct hd_timeline_options *o)
{
    return o->interval || o->warmup || o->warmup_kernels || o->links;
}

/* @return the column of a counter, a new one if there is room, else t->columns. Names are the same pointers again, in the same
 * order but for those that have appeared in between: @at is where to look first. */
static size_t column(struct hd_timeline *t, const char *name, size_t at)
{
    for (size_t i = 0; i < t->columns; i++) {
        size_t c = at + i < t->columns ? at + i : at + i - t->columns;
        if (t->name[c] == name || strcmp(t->name[c], name) == 0)
            return c;
    }
    if (t->columns < t->room)
        t->name[t->columns++] = name;
    return t->columns - 1;
}

/* The counters as they are now, and the flits of the links. */
static void look(struct hd_timeline *t, uint64_t *value)
{
    const struct hd_counter *list[2];
    size_t n[2] = {hd_machine_counters(t->machine, &list[0]), hd_simt_counters(t->simt, &list[1])}, at = t->links;
    char name[80];
    unsigned cycles;
    memset(value, 0, t->room * sizeof *value);
    for (size_t i = 0; i < t->links; i++)
        hd_machine_link(t->machine, i, name, &value[i], &cycles);
    for (int l = 0; l < 2; l++)
        for (size_t i = 0; i < n[l]; i++) {
            at = column(t, list[l][i].name, at);
            value[at] = list[l][i].value;
            at++;
        }
}

static bool make_links(struct hd_timeline *t)
{
    char name[80];
    uint64_t flits;
    unsigned cycles;
    size_t n = 0;
    while (hd_machine_link(t->machine, n, name, &flits, &cycles))
        n++;
    if (!(t->link = calloc(n + 1, sizeof *t->link)))
        return false;
    for (t->links = 0; t->links < n; t->links++)
        hd_machine_link(t->machine, t->links, t->link[t->links].name, &flits, &cycles);
    return true;
}

static bool make_columns(struct hd_timeline *t)
{
    const struct hd_counter *list;
    t->room = t->links + hd_machine_counters(t->machine, &list);
    t->room += hd_simt_counters(t->simt, &list) + MORE;
    t->name = calloc(t->room, sizeof *t->name);
    t->start = calloc(t->room, sizeof *t->start);
    if (!t->name || !t->start)
        return false;
    for (t->columns = 0; t->columns < t->links; t->columns++)
        t->name[t->columns] = t->link[t->columns].name;
    look(t, t->start);
    return true;
}

/* Calls each(t, @to, index, name) for each name of o->plot. */
typedef bool each_plotted(const struct hd_timeline *t, FILE *to, unsigned i, size_t column);
static bool plotted(const struct hd_timeline *t, each_plotted *each, FILE *to)
{
    char text[512], *rest = NULL;
    unsigned n = 0;
    snprintf(text, sizeof text, "%s", t->o->plot ? t->o->plot : "");
    for (char *w = strtok_r(text, ",", &rest); w; w = strtok_r(NULL, ",", &rest)) {
        size_t c = 0;
        while (c < t->columns && strcmp(t->name[c], w) != 0)
            c++;
        if (c == t->columns || n == HD_TIMELINE_PLOTS) {
            fprintf(stderr, c == t->columns ? "heddle: --plot: no counter %s; run --json prints them\n"
                                            : "heddle: --plot: too many counters, %s is one more\n", w);
            return false;
        }
        if (each && !each(t, to, n, c))
            return false;
        n++;
    }
    if (t->o->plot && n == 0)
        fprintf(stderr, "heddle: --plot: expected names of counters, with commas; run --json prints them\n");
    return n > 0 || !t->o->plot;
}

/* The blocks of the first kernels. @return false after a message when there are not as many. */
static bool find_warm_blocks(struct hd_timeline *t)
{
    size_t grids;
    const struct hd_launch *l = hd_simt_launches(t->simt, &grids);
    if (t->o->warmup_kernels >= grids && t->o->warmup_kernels) {
        fprintf(stderr, "heddle: --warmup kernels=%u: the run has %zu kernel%s, and one must be left to count\n",
                t->o->warmup_kernels, grids, grids == 1 ? "" : "s");
        return false;
    }
    for (unsigned i = 0; i < t->o->warmup_kernels; i++)
        t->warm_blocks += (uint64_t)l[i].grid_x * l[i].grid_y;
    return true;
}

struct hd_timeline *hd_timeline_new(const struct hd_timeline_options *o, struct hd_machine *m, struct hd_simt *s)
{
    struct hd_timeline *t = calloc(1, sizeof *t);
    bool ok = t != NULL;
    if (ok) {
        *t = (struct hd_timeline){.o = o, .machine = m, .simt = s, .begin = hd_machine_cycle(m),
                                  .warm = !o->warmup && !o->warmup_kernels};
        t->next = t->begin + o->interval;
        ok = (!o->links || make_links(t)) && make_columns(t);
    }
    if (!ok)
        fprintf(stderr, "heddle: no memory\n");
    if (ok && plotted(t, NULL, NULL) && find_warm_blocks(t) && (!o->interval || hd_files_folder("--out", o->folder)))
        return t;
    hd_timeline_free(t);
    return NULL;
}

void hd_timeline_free(struct hd_timeline *t)
{
    if (!t)
        return;
    free(t->name);
    free(t->start);
    free(t->link);
    free(t->row);
    free(t);
}

/* The last row that there is room for grows to the end of the run. */
static void add_row(struct hd_timeline *t, uint64_t cycle)
{
    if (t->rows == HD_TIMELINE_ROWS) {
        if (!t->full)
            fprintf(stderr, "heddle: --interval: more than %d intervals; the last is to the end of the run\n",
                    HD_TIMELINE_ROWS);
        t->full = true;
        t->rows--;
    } else if (t->rows == t->rows_room) {
        t->rows_room = t->rows_room ? 2 * t->rows_room : 256;
        t->row = realloc(t->row, t->rows_room * (1 + t->room) * sizeof *t->row);
        if (!t->row) {
            fprintf(stderr, "heddle: no memory\n");
            abort();
        }
    }
    uint64_t *row = t->row + t->rows++ * (1 + t->room);
    row[0] = cycle - t->begin;
    look(t, row + 1);
}

static void end_warmup(struct hd_timeline *t, uint64_t cycle)
{
    uint64_t ended = 0, all;
    if (t->warm_blocks)
        hd_simt_progress(t->simt, &ended, &all);
    if (t->warm_blocks ? ended < t->warm_blocks : cycle - t->begin < t->o->warmup)
        return;
    look(t, t->start);
    t->warm = true;
    t->warm_cycles = cycle - t->begin;
    t->warm_instructions = hd_simt_instructions(t->simt);
}

/* Is the counter the most that there was of something? Of a part of a run it says nothing but what it says of all before. */
static bool is_most(const char *name)
{
    static const char end[] = "_most";
    const size_t n = strlen(name), e = sizeof end - 1;
    return n > e && strcmp(name + n - e, end) == 0;
}

bool hd_timeline_window(struct hd_timeline *t, uint64_t cycle)
{
    bool was = t->warm;
    if (!t->warm)
        end_warmup(t, cycle);
    if (t->o->interval && cycle >= t->next) {
        add_row(t, cycle);
        t->next += (cycle - t->next) / t->o->interval * t->o->interval + t->o->interval;
    }
    return t->warm && !was;
}

static void end_links(struct hd_timeline *t, uint64_t cycles)
{
    char name[80];
    unsigned each;
    for (size_t i = 0; i < t->links; i++) {
        struct link *l = &t->link[i];
        hd_machine_link(t->machine, i, name, &l->flits, &each);
        l->flits -= t->warm_cycles ? t->start[i] : 0;
        l->used = cycles ? (double)(l->flits * each) / (double)cycles : 0;
    }
}

bool hd_timeline_end(struct hd_timeline *t, struct hd_counter *list, size_t n)
{
    uint64_t cycle = hd_machine_cycle(t->machine);
    if (!t->warm) {
        fprintf(stderr, "heddle: --warmup: the run ended before it, after %" PRIu64 " cycles\n", cycle - t->begin);
        return false;
    }
    if (t->o->interval && (!t->rows || t->row[(t->rows - 1) * (1 + t->room)] != cycle - t->begin))
        add_row(t, cycle);
    end_links(t, cycle - t->begin - t->warm_cycles);
    size_t at = t->links;
    for (size_t i = 0; i < n && t->warm_cycles; i++) {
        at = column(t, list[i].name, at);
        list[i].value -= is_most(list[i].name) ? 0 : t->start[at];
        at++;
    }
    return true;
}

uint64_t hd_timeline_warmup(const struct hd_timeline *t, uint64_t *instructions)
{
    *instructions = t->warm_instructions;
    return t->warm_cycles;
}

/* @return what column @c rose by in row @i; of a maximum what it has come to. */
static uint64_t rise(const struct hd_timeline *t, size_t i, size_t c)
{
    const size_t width = 1 + t->room;
    const uint64_t *now = t->row + i * width + 1;
    return now[c] - (i > 0 && !is_most(t->name[c]) ? (now - width)[c] : 0);
}

char *hd_timeline_row(const struct hd_timeline *t, size_t i, uint64_t *cycle)
{
    if (i >= t->rows)
        return NULL;
    json_t *object = json_object();
    *cycle = t->row[i * (1 + t->room)];
    for (size_t c = 0; c < t->columns; c++)
        if (rise(t, i, c))
            json_object_set_new(object, t->name[c], json_integer((json_int_t)rise(t, i, c)));
    return hd_json_line(object);
}

bool hd_timeline_link(const struct hd_timeline *t, size_t i, const char **name, uint64_t *flits, double *used)
{
    if (i >= t->links)
        return false;
    *name = t->link[i].name;
    *flits = t->link[i].flits;
    *used = t->link[i].used;
    return true;
}

/* ---- files ----------------------------------------------------------------------------------------------------- */

/* Rows of what each interval added. @return false after a message. */
static bool write_csv(const struct hd_timeline *t, const char *name)
{
    struct hd_csv csv;
    if (!hd_csv_open(&csv, t->o->folder, name))
        return false;
    hd_csv_text(&csv, "cycle");
    hd_csv_text(&csv, "cycles");
    for (size_t c = 0; c < t->columns; c++)
        hd_csv_name(&csv, t->name[c]);
    hd_csv_end_row(&csv);
    for (size_t i = 0; i < t->rows; i++) {
        const uint64_t *row = t->row + i * (1 + t->room);
        hd_csv_count(&csv, row[0]);
        hd_csv_count(&csv, row[0] - (i ? row[-(ptrdiff_t)(1 + t->room)] : 0));
        for (size_t c = 0; c < t->columns; c++)
            hd_csv_count(&csv, rise(t, i, c));
        hd_csv_end_row(&csv);
    }
    return hd_csv_close(&csv);
}

static const char plot_head[] =
    "set datafile separator ','\n"
    "set border 3 lc rgb '#444444'\n"
    "set tics nomirror out\n"
    "set grid y lc rgb '#dddddd'\n"
    "set xlabel 'core cycle'\n"
    "set ylabel 'a cycle, mean of the interval'\n"
    "set yrange [0:*]\n"
    "set title heading noenhanced font ',14'\n"
    "set key outside below horizontal noenhanced\n"
    "do for [kind in 'svg png'] {\n"
    "  if (kind eq 'svg') { set terminal svg size 860,420 enhanced font 'DejaVu Sans,12' background rgb 'white' }\n"
    "  if (kind eq 'png') { set terminal pngcairo size 1290,630 enhanced font 'DejaVu Sans,15' background rgb 'white' }\n"
    "  set output name.'.'.kind\n"
    "  plot ";

static bool curve(const struct hd_timeline *t, FILE *to, unsigned i, size_t column)
{
    static const char *const colour[HD_TIMELINE_PLOTS] = {"0b5fa5", "c0561a", "2e7d32", "7b3fa0",
                                                          "8d6e00", "00838f", "b71c5c", "555555"};
    fprintf(to, "%sname.'.csv' skip 1 using 1:(column(%zu) / $2) with lines lw 2 lc rgb '#%s' title '%s'",
            i ? ", \\\n       " : "", column + 3, colour[i], t->name[column]);
    return true;
}

bool hd_timeline_write(const struct hd_timeline *t, const char *name)
{
    char title[160];
    if (!t->o->interval)
        return true;
    bool written = write_csv(t, name);
    if (!written || !t->o->plot)
        return written;
    snprintf(title, sizeof title, "%.80s", name);
    FILE *f = hd_plot_begin(t->o->folder, name, "counters over time", title);
    if (!f)
        return false;
    fputs(plot_head, f);
    bool drawn = plotted(t, curve, f);
    fputs("\n}\n", f);
    return hd_plot_end(f, t->o->folder, name) && drawn;
}
