/* models.h - finds or builds the model plug-ins of a machine structure. */
#ifndef HD_MODELS_H
#define HD_MODELS_H
#include "config.h"
#include <stdbool.h>

enum hd_model_role { HD_MODEL_SM, HD_MODEL_UP, HD_MODEL_DOWN, HD_MODEL_L2, HD_MODEL_ROUTER, HD_MODEL_GPU, HD_MODEL_ROLES };
enum { HD_PATH_SIZE = 1024, HD_ROOT_SIZE = 512, HD_MODEL_PARAMS = HD_PARAMS, HD_MODEL_PARAM_SIZE = HD_PARAM_SIZE };

struct hd_model_paths {
    char so[HD_MODEL_ROLES][HD_PATH_SIZE];
};

/* Makes sure that build/models of the source tree has an up-to-date plug-in for every role (when c->flat for
 * HD_MODEL_GPU alone, else for the others), building several at a time; a line on stderr for each that takes longer than a moment,
 * with its parameters when HEDDLE_VERBOSE is set. They are kept in $HEDDLE_MODELS instead if that is set; those of an installed
 * tree, which is only read, in heddle/models of $XDG_CACHE_HOME or ~/.cache. The tree is $HEDDLE_ROOT, or heddle/ beside the
 * library that this is in, or the nearest directory above the running program that holds tb/model/build_model.sh.
 * @return false after a message on stderr. */
bool hd_models_get(const struct hd_config *c, bool wave, struct hd_model_paths *paths);

/* @return whether hd_models_get() would build nothing; silent, builds nothing itself. */
bool hd_models_built(const struct hd_config *c, bool wave);

/* @return the RTL module of @role, NULL when the structure has none; its parameters as
 * "Name=value", those alone that are not at their default. */
const char *hd_models_parameters(const struct hd_config *c, enum hd_model_role role,
                                 char param[HD_MODEL_PARAMS][HD_MODEL_PARAM_SIZE], unsigned *params);

/* Finds the source tree (as above). @return false after a message on stderr. */
bool hd_models_root(char root[HD_ROOT_SIZE]);
#endif
