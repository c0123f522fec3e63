/* run_persist.h - the part of the runner for tests of a power cut: persist barriers, words in non-volatile memory,
 * words that leave the machine for its host. An outcome is what may be durable at a moment, with what has left by then. */
#ifndef HD_RUN_PERSIST_H
#define HD_RUN_PERSIST_H
#include "runner.h"

/* @return NULL, or why no machine with persist barriers can run the test (a literal). */
const char *hd_litmus_persist_refuses(const struct hd_lisa *t);

/* As hd_litmus_run(), of such a test. Counted are moments: each instance has one for each change of what may be durable and each
 * combination of writes under way. */
int hd_litmus_run_persist(const struct hd_lisa *t, const struct hd_litmus_options *o, struct hd_litmus_result *r);
#endif
