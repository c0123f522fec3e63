/* claims.h - what others say of a litmus test: rows `model,test,expected` of a CSV file, docs/litmus.md. */
#ifndef HD_CLAIMS_H
#define HD_CLAIMS_H
#include "lisa.h"

struct hd_claim {
    bool safe_known, safe;   /* the test's claim, its condition with its quantifier, holds */
    bool race_known, race;   /* on plain accesses: then some models promise nothing */
    bool live_known, live;   /* it ends under every fair scheduler; otherwise it may spin for ever */
};

struct hd_claims;

/* @return NULL after a message "FILE:LINE: ..." on stderr. */
struct hd_claims *hd_claims_read(const char *path);
void hd_claims_free(struct hd_claims *c);

/* What the rows say of the file @path: those whose test is its path or the end of it, from a folder's name on. Of two
 * versions of a model the newer one counts. */
struct hd_claim hd_claims_of(const struct hd_claims *c, const char *path);

/* @return whether a claim rules an outcome of the test out. */
bool hd_claim_forbids(const struct hd_claim *claim, const struct hd_lisa *t, const uint32_t *outcome);
#endif
