/* pairs.h - transition coverage: which pairs of the protocol tables the runs of `heddle stress` have reached. */
#ifndef HD_PAIRS_H
#define HD_PAIRS_H
#include <stdbool.h>
#include <stdint.h>

struct hd_result;

enum { HD_PAIRS_TABLES = 8, HD_PAIRS_ROWS = 8, HD_PAIRS_EVENTS = 13 };

struct hd_pairs {
    uint64_t count[HD_PAIRS_TABLES][HD_PAIRS_ROWS][HD_PAIRS_EVENTS]; /* cycles in which a table decided about the pair */
    bool no_scopes, no_read_only; /* of all runs: nothing is LOCAL, no word is RO; such pairs are impossible then */
};

/* For hd_machine_pairs(): adds @count to a pair of the table called @table in the RTL; @ctx: struct hd_pairs. Others are ignored. */
void hd_pairs_see(void *ctx, const char *table, unsigned a, unsigned b, uint64_t count);

/* Adds the counts of @more. */
void hd_pairs_add(struct hd_pairs *p, const struct hd_pairs *more);

/* Puts the pairs that were reached among the counters of a run, "pairs.TABLE.ROW.EVENT": so its row in a results database has
 * them. @return false when there is no memory. */
bool hd_pairs_keep(const struct hd_pairs *p, struct hd_result *r);

/* For hd_results_each(): adds those of such a row; @ctx: struct hd_pairs. Other counters are ignored. */
void hd_pairs_read(void *ctx, const char *counters);

/* Pairs reached that must be: @l1: of the L1 tables, else of those of the L2. */
unsigned hd_pairs_reached(const struct hd_pairs *p, bool l1);

/* Prints the tables, on stdout, with the reason why a pair cannot be reached below each. */
void hd_pairs_print(const struct hd_pairs *p);

/* @return pairs reached that a table excludes or calls impossible: the protocol or pairs.c is wrong. */
unsigned hd_pairs_surprises(const struct hd_pairs *p);
#endif
