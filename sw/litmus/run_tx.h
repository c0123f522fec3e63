/* run_tx.h - the part of the runner for tests with transactions in the LDS: one instance an SM and round, all in
 * one block an SM, lanes of a wave in lockstep, row by row of the test's table. */
#ifndef HD_RUN_TX_H
#define HD_RUN_TX_H
#include "runner.h"

/* @return whether the test has tx[], or places words by `rows:`. */
bool hd_litmus_of_tx(const struct hd_lisa *t);

/* As hd_litmus_run(), of such a test. */
int hd_litmus_run_tx(const struct hd_lisa *t, const struct hd_litmus_options *o, struct hd_litmus_result *r);
#endif
