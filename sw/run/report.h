/* report.h - results as text, as JSON and as the table of `heddle firstlight`. */
#ifndef HD_REPORT_H
#define HD_REPORT_H
#include "run.h"

/* The value of configuration key @key as text, in @buffer. */
const char *hd_report_key(const struct hd_config *c, const char *key, char buffer[32]);

/* A few aligned lines on stdout. */
void hd_report_text(const struct hd_result *r);

/* One JSON object on stdout; all but its member "host" depends on the options only. @return 0, or -1 when
 * it could not be written. */
int hd_report_json(const struct hd_result *r);

/* Parts of it in one line, for the results database: all keys of a configuration, the parameters of a run, the verdicts
 * of its checks, its counters that are not 0. To be freed; NULL when there is no memory. */
char *hd_report_settings(const struct hd_config *c);
char *hd_report_parameters(const struct hd_result *r);
char *hd_report_verdicts(const struct hd_result *r);
char *hd_report_counters(const struct hd_result *r);

/* Names each check that did not pass on stderr. */
void hd_report_failed(const struct hd_result *r);

/* A row of the table. */
struct hd_row {
    char order[8];
    uint64_t cycles;
    double miss_rate, merge_rate, dram_bytes, speed;
    unsigned passed, checked;
};
struct hd_row hd_report_row(const struct hd_result *r);
void hd_report_table(const struct hd_config *c, const char *workload, uint64_t seed, const struct hd_row *rows,
                     size_t n);
#endif
