/* findings.h - what an experiment found in the end, in the results database: its claims and the data of its figures. They stand
 * under the experiment and the options of `heddle lab` that measured them; the same options again replace them. */
#ifndef HD_FINDINGS_H
#define HD_FINDINGS_H
#include "results.h"
#include <jansson.h>

enum { HD_FINDINGS_OPTIONS = 300 };

struct hd_study {
    const char *experiment;    /* "ordering" */
    const char *options;       /* "--quick" */
    int rank;                  /* of two that are there, the report shows the one with the higher */
    const struct hd_config *config; /* the machine, in short: of the base */
};

/* Appends a claim to such a list. */
void hd_findings_claim(json_t *claims, const char *number, const char *claim, const char *paper, const char *criterion,
                       const char *outcome, const char *ours);

/* The options in one string: @tier, then the others where they are not false or NULL. */
const char *hd_findings_options(char text[HD_FINDINGS_OPTIONS], const char *tier, bool sensitivity, const char *only);

/* @claims: [{number, claim, paper, criterion, outcome, ours}], @figures: [{name, title, ...}], both released. One transaction.
 * @return false after a message. */
bool hd_findings_put(const char *path, const struct hd_study *study, json_t *claims, json_t *figures);

/* Has the experiment come to its end with these options, over the RTL that is here? Says nothing when there is no database. */
bool hd_findings_ended(const char *path, const char *experiment, const char *options);

/* A hash over all files of rtl/, wherever the program was started in the tree; "" when there is no rtl/. */
void hd_findings_rtl(char hash[HD_RESULTS_HASH]);
#endif
