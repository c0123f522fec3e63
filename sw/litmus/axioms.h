/* axioms.h - which outcomes the memory models allow a litmus test: all its candidate executions are made
 * (what each load reads, in which order the stores of a word take effect) and judged by the axioms of each
 * model, tests/litmus/models. */
#ifndef HD_AXIOMS_H
#define HD_AXIOMS_H
#include "lisa.h"

enum hd_axioms_model {
    HD_AX_SC,
    HD_AX_TSO,
    HD_AX_RMO,
    HD_AX_DRF,
    HD_AX_HRF_DIRECT,
    HD_AX_HRF_INDIRECT,
    HD_AX_ENV,
    HD_AX_ENV_INDIRECT,
    HD_AX_ENV_FLAT,          /* env with every scope promoted to agent */
    HD_AX_MODELS
};

enum { HD_AX_RACE = 1, HD_AX_SCOPERACE = 2, HD_AX_RELAXED = 4 }; /* flags of DRF and HRF */

struct hd_allowed {
    size_t count;
    uint32_t *outcome;       /* [count][items of the test], ascending as signed numbers */
    unsigned flags;
    const char *verdict;     /* Never, Sometimes, Always: outcomes for which the condition's formula holds */
};

struct hd_axioms {
    unsigned items;
    size_t candidates;
    struct hd_allowed model[HD_AX_MODELS];
};

const char *hd_axioms_name(enum hd_axioms_model m);

/* The outcomes under the models of the bit set @models. @return NULL after a reason in @error. A backward branch
 * is taken twice at most. */
struct hd_axioms *hd_axioms_new(const struct hd_lisa *t, unsigned models, char *error, size_t size);
void hd_axioms_free(struct hd_axioms *a);

/* @return whether @outcome is among the allowed ones. */
bool hd_allowed_has(const struct hd_allowed *a, unsigned items, const uint32_t *outcome);
#endif
