/* experiments.c - see experiments.h. */
#include "experiments.h"

extern const struct hd_grid hd_lab_ordering; /* ordering.c */

const struct hd_grid *const hd_lab_experiments[] = {&hd_lab_ordering, NULL};
