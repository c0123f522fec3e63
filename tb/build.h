/* build.h - graphs of the machines there are. */
#ifndef HD_BUILD_H
#define HD_BUILD_H
#include "cut.h"
#include "graph.h"
#include "models.h"


/* The limits the C side and the models rely on; everything else is the configuration's business. @return false after a
 * message on stderr. */
bool hd_build_fits(const struct hd_config *c);

/* Opens the models of *paths and composes them in the zeroed *g. @wave: as of hd_machine_new(). @cut: NULL, or whose tiles
 * alone write waves, those of this rank. @return false after a
 * message on stderr; hd_graph_fini() frees what there is. */
bool hd_build(struct hd_graph *g, const struct hd_config *c, const char *wave, const struct hd_model_paths *paths,
              const struct hd_cut *cut);
#endif
