/* query.h - one SELECT of a user on the results database. */
#ifndef HD_QUERY_H
#define HD_QUERY_H
#include "results.h"
#include <jansson.h>

struct hd_query_value {
    const char *text;          /* NULL: null; valid during the call */
    bool number;
};

/* Called first with the names of the columns (@head), then for each row. */
typedef void hd_query_row(void *to, bool head, const struct hd_query_value *value, size_t n);

/* Runs @sql, which must be one statement that only reads. @return false after a message. */
bool hd_query(struct hd_results *db, const char *sql, hd_query_row *row, void *to);

/* The same as an array of objects, to be released. @return NULL after a message. */
json_t *hd_query_json(struct hd_results *db, const char *sql);
#endif
