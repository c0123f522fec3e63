/* same.h - all that determines a run, as text: what ranks must agree on, what a checkpoint belongs to. */
#ifndef HD_SAME_H
#define HD_SAME_H
#include "run.h"

/* A line for each thing, "name\tvalue". @models: of the run. The caller frees it. @return NULL: no memory. */
char *hd_same_text(const struct hd_run_options *o, const struct hd_model_paths *models);

/* @return a checksum of it. */
uint64_t hd_same_sum(const char *text);

/* Compares @text with that of all other ranks. @return false, on all of them, after a message that names the first difference. */
bool hd_same_everywhere(const char *text);
#endif
