/* results_parts.h - what the files of the results database share. */
#ifndef HD_RESULTS_PARTS_H
#define HD_RESULTS_PARTS_H
#include "results.h"
#include <sqlite3.h>

struct hd_results {
    sqlite3 *db;
    char path[512];
    sqlite3_stmt *find, *counters, *measured, *config, *run, *point;
};

/* Says on stderr what went wrong with the file. */
void hd_results_complain(const struct hd_results *db, const char *what);

/* Of git, when this program was built. */
const char *hd_results_revision(void);
#endif
