/* report.c - see commands.h: the arguments of `heddle report`. */
#include "commands.h"
#include "lab/page.h"
#include "report/files.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REFUSED = 2 };

int hd_report_command(int argc, char **argv)
{
    const char *db = "build/results.db", *out = "build/report", *before = NULL, *after = NULL;
    double threshold = 5;
    for (int i = 1; i < argc; i++) {
        bool has = i + 1 < argc;
        char *end = NULL;
        if (strcmp(argv[i], "--db") == 0 && has)
            db = argv[++i];
        else if ((strcmp(argv[i], "-o") == 0 || strcmp(argv[i], "--out") == 0) && has)
            out = argv[++i];
        else if (strcmp(argv[i], "--compare") == 0 && i + 2 < argc) {
            before = argv[++i];
            after = argv[++i];
        } else if (strcmp(argv[i], "--compare") == 0) {
            fputs("heddle: report: --compare: must be followed by two databases or revisions\n", stderr);
            return REFUSED;
        } else if (strcmp(argv[i], "--threshold") == 0 && has) {
            threshold = strtod(argv[++i], &end);
            if (end == argv[i] || *end || !(threshold >= 0 && threshold <= 1000)) {
                fprintf(stderr, "heddle: report: --threshold %s: must be 0..1000 %%\n", argv[i]);
                return REFUSED;
            }
        } else {
            fprintf(stderr, "heddle: report: unexpected '%s'; see heddle report --help\n", argv[i]);
            return REFUSED;
        }
    }
    if (before)
        return hd_lab_compare(before, after, db, threshold);
    return hd_files_folder("-o", out) ? hd_lab_page(db, out) : REFUSED;
}
