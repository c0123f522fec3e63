/* experiments.c - see experiments.h. */
#include "experiments.h"

extern const struct hd_grid hd_lab_ordering;  /* ordering.c */
extern const struct hd_grid hd_lab_coherence; /* coherence.c */
extern const struct hd_grid hd_lab_latencies; /* latencies.c */
extern const struct hd_grid hd_lab_persistency; /* persistency.c */

const struct hd_grid *const hd_lab_experiments[] = {&hd_lab_ordering, &hd_lab_coherence, &hd_lab_latencies, &hd_lab_persistency, NULL};
