/* runner.h - runs a litmus test on a machine: many instances of it at once, each on its own words, each placed,
 * warmed up and started differently, and counts what came out. */
#ifndef HD_RUNNER_H
#define HD_RUNNER_H
#include "check/mcm.h"
#include "config.h"
#include "lisa.h"
#include "models.h"

struct hd_litmus_options {
    const struct hd_config *config;  /* checked */
    const struct hd_model_paths *models; /* of its structure */
    size_t runs;                     /* instances, at least 1 */
    const char *file;                /* of the test, for messages */
    uint64_t seed;                   /* with the test's name all that a run depends on */
    unsigned bound;                  /* steps after which a process gives up; 0: then the test is faulty */
    bool anywhere;                   /* processes are lanes of a warp, warps of an SM or in other SMs by lot, whatever their
                                        scopes say, which are widened to the device where they do not reach */
};

/* Outcomes in the order of the test's items, ascending as signed numbers. */
struct hd_litmus_result {
    size_t outcomes;
    uint32_t *outcome;               /* [outcomes][items] */
    size_t *count;                   /* [outcomes] how often */
    size_t *first;                   /* [outcomes] the first instance that had it */
    size_t runs;
    size_t gave_up;                  /* instances with a process that met the bound: their outcomes are not counted */
    char waits[96];                  /* the first one: which process waits for which word */
    uint64_t cycles;
    double cpu_seconds;              /* of the simulation proper */
    bool faulty;                     /* the test cannot be run, which was said: others may be */
    char failed[512];                /* "" or which check of the machine failed; then the counts may be incomplete */
    bool judged;                     /* the memory-model checker saw the whole run */
    struct hd_mcm_violation *violation; /* what it found, NULL if nothing */
    size_t violated;                 /* the instance on whose words; `runs`: none */
};

/* @return NULL, or why no machine can run the test (a literal). */
const char *hd_litmus_refuses(const struct hd_lisa *t);

/* Has it copies to the local data share? Only machines with copies above 0 run those. */
bool hd_litmus_of_copies(const struct hd_lisa *t);

/* Runs a test that is not refused. @return 0 when it ran (see `failed`), 2 when it could not, after a message on
 * stderr. hd_litmus_free() is due in both cases. */
int hd_litmus_run(const struct hd_lisa *t, const struct hd_litmus_options *o, struct hd_litmus_result *r);
void hd_litmus_free(struct hd_litmus_result *r);

/* Outcomes and memory-model checker judge the same run by the same model. @forbidden: number of an outcome outside the
 * model, `outcomes` if there is none. @return whether they contradict each other, with a line on it in @text. */
bool hd_litmus_disagrees(const struct hd_litmus_result *r, size_t forbidden, uint64_t seed, char *text, size_t size);

/* ---- for run_tx.c ---- */

struct hd_litmus_atomic {
    unsigned fn;                 /* HD_AT_* */
    struct hd_lisa_expr operand;
};

/* What an RMW's expression over the old word is in hardware. @return false when there is no such operation. */
bool hd_litmus_find_atomic(const struct hd_lisa_instr *i, struct hd_litmus_atomic *a);

/* Counts an outcome of @items words. @return false when there is no memory. */
bool hd_litmus_count(struct hd_litmus_result *r, const uint32_t *outcome, unsigned items, size_t instance);
#endif
