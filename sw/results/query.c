/* query.c - see query.h. */
#include "query.h"
#include "results_parts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a statement may do: a query reads. (Read-only files are not enough: ATTACH could make others.) */
static int allow(void *unused, int action, const char *a, const char *b, const char *c, const char *d)
{
    (void)unused, (void)a, (void)b, (void)c, (void)d;
    return action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_FUNCTION || action == SQLITE_RECURSIVE
               ? SQLITE_OK
               : SQLITE_DENY;
}

static void give(sqlite3_stmt *s, bool head, struct hd_query_value *value, size_t n, hd_query_row *row, void *to)
{
    for (size_t i = 0; i < n; i++) {
        int type = head ? SQLITE_TEXT : sqlite3_column_type(s, (int)i);
        value[i].text = head ? sqlite3_column_name(s, (int)i) : (const char *)sqlite3_column_text(s, (int)i);
        value[i].number = type == SQLITE_INTEGER || type == SQLITE_FLOAT;
    }
    row(to, head, value, n);
}

bool hd_query(struct hd_results *db, const char *sql, hd_query_row *row, void *to)
{
    sqlite3_stmt *s = NULL;
    const char *rest = "";
    sqlite3_set_authorizer(db->db, allow, NULL);
    int code = sqlite3_prepare_v2(db->db, sql, -1, &s, &rest);
    while (*rest == ' ' || *rest == '\n' || *rest == ';')
        rest++;
    size_t n = s ? (size_t)sqlite3_column_count(s) : 0;
    struct hd_query_value *value = calloc(n + 1, sizeof *value);
    bool good = false;
    if (code != SQLITE_OK)
        fprintf(stderr, "heddle: query: %s\n", code == SQLITE_AUTH ? "must only read: SELECT" : sqlite3_errmsg(db->db));
    else if (!s || *rest)
        fprintf(stderr, "heddle: query: must be one statement\n");
    else if (value) {
        give(s, true, value, n, row, to);
        while ((code = sqlite3_step(s)) == SQLITE_ROW)
            give(s, false, value, n, row, to);
        good = code == SQLITE_DONE;
        if (!good)
            fprintf(stderr, "heddle: query: %s\n", sqlite3_errmsg(db->db));
    }
    sqlite3_finalize(s);
    sqlite3_set_authorizer(db->db, NULL, NULL);
    free(value);
    return good;
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

struct objects {
    json_t *all, *names;
    const char *twice; /* of @names: an object has each name once */
};

static json_t *json_value(const struct hd_query_value *v)
{
    if (!v->text)
        return json_null();
    if (!v->number)
        return json_string(v->text);
    if (!strpbrk(v->text, ".eIN"))
        return json_integer(strtoll(v->text, NULL, 10));
    double real = strtod(v->text, NULL);
    return isfinite(real) ? json_real(real) : json_null(); /* JSON has no other numbers */
}

static void json_heads(struct objects *o, const struct hd_query_value *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(o->names, json_string(v[i].text));
        for (size_t k = 0; k < i && !o->twice; k++)
            if (strcmp(v[k].text, v[i].text) == 0)
                o->twice = json_string_value(json_array_get(o->names, i));
    }
}

static void json_row(void *to, bool head, const struct hd_query_value *v, size_t n)
{
    struct objects *o = to;
    if (head) {
        json_heads(o, v, n);
        return;
    }
    if (o->twice)
        return;
    json_t *row = json_object();
    for (size_t i = 0; i < n; i++)
        json_object_set_new(row, json_string_value(json_array_get(o->names, i)), json_value(&v[i]));
    json_array_append_new(o->all, row);
}

json_t *hd_query_json(struct hd_results *db, const char *sql)
{
    struct objects o = {json_array(), json_array(), NULL};
    bool good = hd_query(db, sql, json_row, &o);
    if (good && o.twice) {
        fprintf(stderr, "heddle: query: --json: two columns are named %s, an object has each name once: name them with AS\n",
                o.twice);
        good = false;
    }
    json_decref(o.names);
    if (good)
        return o.all;
    json_decref(o.all);
    return NULL;
}
