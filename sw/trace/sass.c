/* sass.c - see sass.h. */
#include "sass.h"
#include "hd_pkg.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 4096, MOST = SLOTS / 2 };

struct hd_sass_table {
    size_t count;
    struct hd_sass *slot[SLOTS], *list[MOST];
};

struct hd_sass_table *hd_sass_new(void)
{
    return calloc(1, sizeof(struct hd_sass_table));
}

void hd_sass_free(struct hd_sass_table *t)
{
    for (size_t i = 0; t && i < t->count; i++)
        free(t->list[i]);
    free(t);
}

struct hd_sass *hd_sass_at(const struct hd_sass_table *t, size_t i)
{
    return i < t->count ? t->list[i] : NULL;
}

/* Is @token one of the parts of @name between dots? */
static bool has(const char *name, const char *token)
{
    size_t n = strlen(token);

    for (const char *p = name; p; p = strchr(p, '.')) {
        p += *p == '.';
        if (strncmp(p, token, n) == 0 && (p[n] == '.' || p[n] == '\0'))
            return true;
    }
    return false;
}

static bool starts(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

/* Bytes of a lane's access: the first part that is a number over 8, or says bytes or half words. */
static unsigned width(const char *name)
{
    for (const char *p = strchr(name, '.'); p; p = strchr(p + 1, '.')) {
        char *end;
        unsigned long bits = isdigit((unsigned char)p[1]) ? strtoul(p + 1, &end, 10) : 0;
        if (bits > 8 && bits <= 128 && (*end == '.' || *end == '\0'))
            return (unsigned)(bits + 7) / 8;
    }
    if (has(name, "U8") || has(name, "S8"))
        return 1;
    return has(name, "U16") || has(name, "S16") ? 2 : 4;
}

static unsigned scope(const char *name)
{
    if (has(name, "CTA") || has(name, "SM"))
        return HD_SCOPE_WG;
    return has(name, "SYS") ? HD_SCOPE_SYSTEM : HD_SCOPE_DEVICE;
}

static void atomic(struct hd_sass *s)
{
    static const struct {
        const char *token;
        uint8_t fn, is_signed;
    } functions[] = {{"ADD", HD_AT_ADD, HD_AT_ADD},    {"MIN", HD_AT_UMIN, HD_AT_MIN},  {"MAX", HD_AT_UMAX, HD_AT_MAX},
                     {"INC", HD_AT_INC, HD_AT_INC},    {"DEC", HD_AT_DEC, HD_AT_DEC},   {"AND", HD_AT_AND, HD_AT_AND},
                     {"OR", HD_AT_OR, HD_AT_OR},       {"XOR", HD_AT_XOR, HD_AT_XOR},   {"EXCH", HD_AT_EXCH, HD_AT_EXCH},
                     {"CAS", HD_AT_CAS, HD_AT_CAS}};
    bool found = false;

    s->kind = HD_SASS_ATOMIC;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (has(s->name, functions[i].token)) {
            s->fn = has(s->name, "S32") ? functions[i].is_signed : functions[i].fn;
            found = true;
        }
    s->replaced = !found || s->bytes > 4 || strstr(s->name, "F32") || strstr(s->name, "F16") || strstr(s->name, "F64");
    if (s->replaced)
        s->fn = HD_AT_ADD;
    if (s->space == HD_SASS_LDS && s->fn == HD_AT_CAS) { /* the LDS has none */
        s->fn = HD_AT_EXCH;
        s->replaced = true;
    }
    s->plain = false;
}

/* Orders and scopes of accesses that are not plain. */
static void ordered(struct hd_sass *s)
{
    bool release = has(s->name, "RELEASE"), acquire = has(s->name, "ACQUIRE");

    s->scope = HD_SCOPE_DEVICE;
    if (!release && !acquire && !has(s->name, "STRONG") && !has(s->name, "RELAXED"))
        return;
    s->plain = false;
    s->strong = s->kind == HD_SASS_LOAD;
    s->scope = (uint8_t)scope(s->name);
    s->order = acquire && release ? HD_ORD_ACQ_REL : acquire ? HD_ORD_ACQUIRE : release ? HD_ORD_RELEASE : HD_ORD_RELAXED;
}

static void access(struct hd_sass *s, unsigned kind, unsigned space)
{
    s->kind = (uint8_t)kind;
    s->space = (uint8_t)space;
    s->plain = true;
    s->bytes = (uint8_t)width(s->name);
}

static void classify(struct hd_sass *s)
{
    static const struct {
        const char *name;
        uint8_t kind, space;
    } accesses[] = {{"LDG", HD_SASS_LOAD, HD_SASS_GLOBAL},    {"LD", HD_SASS_LOAD, HD_SASS_GENERIC},
                    {"LDL", HD_SASS_LOAD, HD_SASS_LOCAL},     {"LDS", HD_SASS_LOAD, HD_SASS_LDS},
                    {"STG", HD_SASS_STORE, HD_SASS_GLOBAL},   {"ST", HD_SASS_STORE, HD_SASS_GENERIC},
                    {"STL", HD_SASS_STORE, HD_SASS_LOCAL},    {"STS", HD_SASS_STORE, HD_SASS_LDS},
                    {"ATOMG", HD_SASS_ATOMIC, HD_SASS_GLOBAL}, {"ATOM", HD_SASS_ATOMIC, HD_SASS_GENERIC},
                    {"ATOMS", HD_SASS_ATOMIC, HD_SASS_LDS},   {"RED", HD_SASS_ATOMIC, HD_SASS_GENERIC},
                    {"REDG", HD_SASS_ATOMIC, HD_SASS_GLOBAL}, {"LDGSTS", HD_SASS_COPY, HD_SASS_GLOBAL},
                    {"LDSM", HD_SASS_MATRIX, HD_SASS_LDS}};
    static const char *const dropped[] = {"TEX", "TLD", "TLD4", "TXD", "TMML", "TXQ", "SULD", "SUST", "SUATOM", "SURED",
                                          "UTMALDG", "UTMASTG", "UTMAPF", "UTMAREDG", "UBLKCP", "UBLKPF", "UBLKRED"};
    size_t n = strcspn(s->name, ".");

    s->gmma = strstr(s->name, "GMMA") != NULL;
    s->barrier = n == 3 && starts(s->name, "BAR");
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++)
        if (strlen(accesses[i].name) == n && strncmp(s->name, accesses[i].name, n) == 0) {
            access(s, accesses[i].kind, accesses[i].space);
            if (s->kind == HD_SASS_ATOMIC)
                atomic(s);
            if (s->kind != HD_SASS_COPY && s->kind != HD_SASS_MATRIX)
                ordered(s);
            if (s->kind == HD_SASS_ATOMIC)
                s->plain = false;
        }
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
        if (strlen(dropped[i]) == n && strncmp(s->name, dropped[i], n) == 0) {
            s->kind = HD_SASS_DROPPED;
            s->tma = dropped[i][0] == 'U';
        }
    if (s->kind == HD_SASS_MATRIX) {
        const char *last = strchr(s->name, '.') ? strrchr(s->name, '.') : "";
        s->rows = (uint8_t)(has(s->name, "1") ? 8 : strcmp(last, ".2") == 0 ? 16 : 32);
        if (strcmp(last, ".4") != 0 && strcmp(last, ".2") != 0)
            s->rows = 8;
        s->bytes = 16;
    } else if (s->kind == HD_SASS_ALU && s->barrier) {
        s->kind = has(s->name, "SYNC") || has(s->name, "RED") || !strchr(s->name, '.') ? HD_SASS_BARRIER
                  : has(s->name, "ARV")                                               ? HD_SASS_ARRIVE
                                                                                      : HD_SASS_ALU;
    } else if (starts(s->name, "MEMBAR") || (n == 5 && starts(s->name, "FENCE"))) {
        s->kind = HD_SASS_FENCE;
        s->order = has(s->name, "SC") ? HD_ORD_SEQ_CST : HD_ORD_ACQ_REL;
        s->scope = (uint8_t)scope(s->name);
    } else if (starts(s->name, "CCTL.IVALL")) {
        s->kind = HD_SASS_FENCE;
        s->order = HD_ORD_ACQUIRE;
        s->scope = HD_SCOPE_DEVICE;
    } else if (n == 9 && starts(s->name, "LDGDEPBAR"))
        s->kind = HD_SASS_COPY_CLOSE;
    else if (n == 6 && starts(s->name, "DEPBAR"))
        s->kind = HD_SASS_COPY_WAIT;
    else if (s->kind == HD_SASS_ALU)
        s->wide_result = has(s->name, "WIDE") || has(s->name, "64") || starts(s->name, "HMMA") ||
                         (n == 4 && (starts(s->name, "DADD") || starts(s->name, "DMUL") || starts(s->name, "DFMA")));
}

struct hd_sass *hd_sass_find(struct hd_sass_table *t, const char *name, size_t n)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (uint8_t)name[i]) * 16777619u;
    hash ^= hash >> 15;
    for (uint32_t i = hash % SLOTS;; i = (i + 1) % SLOTS) {
        struct hd_sass *s = t->slot[i];
        if (s && memcmp(s->name, name, n) == 0 && s->name[n] == '\0')
            return s;
        if (s)
            continue;
        if (t->count == MOST || n >= HD_SASS_NAME || !(s = calloc(1, sizeof *s)))
            return NULL;
        memcpy(s->name, name, n);
        classify(s);
        t->slot[i] = t->list[t->count++] = s;
        return s;
    }
}
