/* query.c - see commands.h: `heddle query`: a SELECT on the results database, as aligned columns, CSV or JSON. */
#define _POSIX_C_SOURCE 200809L
#include "commands.h"
#include "report/json.h"
#include "results/query.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GOOD = 0, REFUSED = 2, DIGITS = 15 /* of a real: what CSV prints, too */ };
enum form { ALIGNED, CSV, JSON };

/* Rows that are kept: the first holds the names. */
struct table {
    enum form form;
    size_t columns, rows;
    char **text;               /* rows x columns; NULL: null */
    bool *number;
    bool full;                 /* no memory */
};

/* ---- each form --------------------------------------------------------------------------------------------------- */

static void csv_row(const struct hd_query_value *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *text = v[i].text ? v[i].text : "";
        bool quoted = strpbrk(text, ",\"\r\n") != NULL;
        printf(i ? "," : "");
        if (quoted)
            putchar('"');
        for (; *text; text++)
            printf(*text == '"' ? "\"\"" : "%c", *text);
        if (quoted)
            putchar('"');
    }
    putchar('\n');
}

static void keep(struct table *t, const struct hd_query_value *v, size_t n)
{
    char **text = realloc(t->text, (t->rows + 1) * n * sizeof *text);
    t->text = text ? text : t->text;
    bool *number = realloc(t->number, (t->rows + 1) * n * sizeof *number);
    t->number = number ? number : t->number;
    t->full |= !text || !number;
    if (t->full)
        return;
    for (size_t i = 0; i < n; i++) {
        t->text[t->rows * n + i] = strdup(v[i].text ? v[i].text : "-");
        t->number[t->rows * n + i] = v[i].number;
        t->full |= !t->text[t->rows * n + i];
    }
    t->columns = n;
    t->rows++;
}

static void take(void *to, bool head, const struct hd_query_value *v, size_t n)
{
    (void)head;
    struct table *t = to;
    if (t->form == CSV)
        csv_row(v, n);
    else if (!t->full)
        keep(t, v, n);
}

/* Characters, not bytes, of UTF-8. */
static int width_of(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static void print_aligned(const struct table *t)
{
    for (size_t r = 0; r < t->rows; r++) {
        for (size_t c = 0; c < t->columns; c++) {
            int width = 0;
            bool right = t->rows > 1 && t->number[t->columns + c];
            for (size_t i = 0; i < t->rows; i++) {
                int w = width_of(t->text[i * t->columns + c]);
                width = w > width ? w : width;
            }
            const char *text = t->text[r * t->columns + c];
            int pad = width - width_of(text);
            bool last = c + 1 == t->columns;
            printf("%*s%s%*s", right ? pad : 0, "", text, right || last ? 0 : pad, "");
            fputs(last ? "\n" : "  ", stdout);
        }
    }
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static bool parse(int argc, char **argv, const char **db, const char **sql, enum form *form)
{
    bool csv = false, json = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--csv") == 0)
            csv = true;
        else if (strcmp(argv[i], "--json") == 0)
            json = true;
        else if (strcmp(argv[i], "--db") == 0 && i + 1 < argc)
            *db = argv[++i];
        else if (argv[i][0] == '-' || *sql) {
            fprintf(stderr, "heddle: query: unexpected '%s'; see heddle query --help\n", argv[i]);
            return false;
        } else
            *sql = argv[i];
    }
    if (csv && json) {
        fprintf(stderr, "heddle: query: --csv and --json: one of them\n");
        return false;
    }
    *form = csv ? CSV : json ? JSON : *form;
    if (!*sql)
        fprintf(stderr, "heddle: query: needs a SELECT; see heddle query --help\n");
    return *sql;
}

int hd_query_command(int argc, char **argv)
{
    const char *path = "build/results.db", *sql = NULL;
    struct table t = {.form = ALIGNED};
    struct hd_results *db = parse(argc, argv, &path, &sql, &t.form) ? hd_results_read(path) : NULL;
    json_t *all = db && t.form == JSON ? hd_query_json(db, sql) : NULL;
    bool good = db && (t.form == JSON ? all && hd_json_print(all, 2, DIGITS) : hd_query(db, sql, take, &t));
    hd_results_close(db);
    if (t.full) {
        fprintf(stderr, "heddle: no memory\n");
        good = false;
    }
    if (good && t.form == ALIGNED)
        print_aligned(&t);
    for (size_t i = 0; i < t.rows * t.columns; i++)
        free(t.text[i]);
    free(t.text);
    free(t.number);
    return good ? GOOD : REFUSED;
}
