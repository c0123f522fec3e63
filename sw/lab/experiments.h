/* experiments.h - the experiments that are a grid (grid.h), for `heddle lab NAME`. */
#ifndef HD_EXPERIMENTS_H
#define HD_EXPERIMENTS_H
#include "grid.h"

extern const struct hd_grid *const hd_lab_experiments[]; /* NULL ends it */
#endif
