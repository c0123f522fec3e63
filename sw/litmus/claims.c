/* claims.c - see claims.h. */
#include "claims.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { SAFE, RACE, LIVE, OTHER };

struct row {
    enum kind kind;
    unsigned age;            /* of the model: lower is newer */
    bool expected;
    char *test;
};

struct hd_claims {
    struct row *row;
    size_t count, room;
};

/* Weak fairness of the memory alone is asked for by PTX, that of the scheduler by Vulkan. */
static enum kind kind_of(const char *model, unsigned *age)
{
    static const struct {
        const char *model;
        enum kind kind;
        unsigned age;
    } known[] = {{"PTXv7_5", SAFE, 0},          {"PTXv6_0", SAFE, 1},          {"VULKAN", SAFE, 0},
                 {"OPENCL", SAFE, 0},           {"VULKAN-DR", RACE, 0},        {"OPENCL-DR", RACE, 0},
                 {"PTXv7_5-Liveness", LIVE, 0}, {"PTXv6_0-Liveness", LIVE, 1}, {"VULKAN-Liveness-Fair", LIVE, 0}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].model, model) == 0) {
            *age = known[i].age;
            return known[i].kind;
        }
    return OTHER;
}

static bool add(struct hd_claims *c, const char *model, const char *test, bool expected)
{
    struct row r = {.expected = expected};
    r.kind = kind_of(model, &r.age);
    if (r.kind == OTHER)
        return true;
    if (c->count == c->room) {
        size_t room = 2 * c->room + 256;
        struct row *more = realloc(c->row, room * sizeof *more);
        if (!more)
            return false;
        c->row = more;
        c->room = room;
    }
    r.test = strdup(test);
    if (!r.test)
        return false;
    c->row[c->count++] = r;
    return true;
}

struct hd_claims *hd_claims_read(const char *path)
{
    struct hd_claims *c = calloc(1, sizeof *c);
    FILE *f = fopen(path, "r");
    char line[1024];
    unsigned at = 0;
    const char *why = NULL;
    if (!f) {
        fprintf(stderr, "heddle: %s: cannot be read: %s\n", path, strerror(errno));
        free(c);
        return NULL;
    }
    while (c && !why && fgets(line, sizeof line, f)) {
        at++;
        if (!strchr(line, '\n') && !feof(f))
            why = "expected a shorter row";
        line[strcspn(line, "\r\n")] = '\0';
        char *test = strchr(line, ','), *expected = strrchr(line, ',');
        if (at == 1) {
            why = strcmp(line, "model,test,expected") == 0 ? NULL : "expected the columns model,test,expected";
            continue;
        }
        if (!test || expected == test || strchr(test + 1, ',') != expected || !strchr("01", expected[1])
            || strlen(expected) != 2) {
            why = why ? why : "expected a model, a test and 0 or 1";
            continue;
        }
        *test = *expected = '\0';
        if (!add(c, line, test + 1, expected[1] == '1'))
            why = "no memory";
    }
    if (!why && ferror(f))
        why = strerror(errno);
    if (!why && at == 0)
        why = "expected the columns model,test,expected";
    fclose(f);
    if (why || !c) {
        fprintf(stderr, "heddle: %s:%u: %s\n", path, at > 0 ? at : 1, why ? why : "no memory");
        hd_claims_free(c);
        return NULL;
    }
    return c;
}

void hd_claims_free(struct hd_claims *c)
{
    for (size_t i = 0; c && i < c->count; i++)
        free(c->row[i].test);
    if (c)
        free(c->row);
    free(c);
}

struct hd_claim hd_claims_of(const struct hd_claims *c, const char *path)
{
    struct hd_claim claim = {0};
    unsigned age[OTHER] = {0};
    for (size_t i = 0; i < c->count; i++) {
        const struct row *r = &c->row[i];
        size_t n = strlen(r->test), m = strlen(path);
        bool *const known[] = {&claim.safe_known, &claim.race_known, &claim.live_known};
        bool *const value[] = {&claim.safe, &claim.race, &claim.live};
        if (n > m || strcmp(path + m - n, r->test) != 0 || (n < m && path[m - n - 1] != '/')
            || (*known[r->kind] && age[r->kind] <= r->age))
            continue;
        *known[r->kind] = true;
        *value[r->kind] = r->kind == RACE ? !r->expected : r->expected;
        age[r->kind] = r->age;
    }
    return claim;
}

bool hd_claim_forbids(const struct hd_claim *claim, const struct hd_lisa *t, const uint32_t *outcome)
{
    if (!claim->safe_known)
        return false;
    bool holds = hd_lisa_holds(t, outcome);
    switch (t->quantifier) {
    case HD_LISA_EXISTS:
        return holds && !claim->safe;
    case HD_LISA_NOT_EXISTS:
        return holds && claim->safe;
    default:
        return !holds && claim->safe;
    }
}
