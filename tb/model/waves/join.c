/* join.c - a program of its own: joins the waves of the tiles of a run to one file, and names what to look at first.
 *
 * waves OUT.fst OUT.gtkw NAME=FILE.fst...: OUT.fst has the signals of every FILE, whose top scopes differ, on one time axis, enumerations
 * with their names; OUT.gtkw opens it in GTKWave with a group NAME for each: its valids and idles, and enumerations near the top.
 * waves -l FILE.fst: every change, a line each: time, signal, value.
 * Changes are sorted in memory: of more than 2 GB of them nothing is written. Built by join.sh with Verilator's copy of the FST
 * library. Exit code 0, or 2 after a message on stderr. */
#include <fstapi.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 6, PER_FILE = 12 /* of each kind */, NAME_SIZE = 4096 };

struct change {
    uint64_t time;
    size_t at; /* of its bits, packed */
    fstHandle var;
};

struct join {
    void *out;
    FILE *view;
    struct change *change;
    size_t changes, room;
    unsigned char *bits;
    size_t used, size;
    fstHandle *map;     /* of the file that is read: its variables in OUT */
    uint32_t *length;   /* by variable of OUT */
    size_t lengths;
    uint64_t limit;     /* bytes that changes may take */
    bool full;
};

static void *grown(void *p, size_t *room, size_t want, size_t unit)
{
    while (*room < want)
        *room = *room ? 2 * *room : 1024;
    p = realloc(p, *room * unit);
    if (p == NULL) {
        fprintf(stderr, "waves: no memory for %zu bytes\n", *room * unit);
        exit(2);
    }
    return p;
}

static void note(void *user, uint64_t time, fstHandle var, const unsigned char *value)
{
    struct join *j = user;
    const fstHandle to = j->map[var];
    const size_t bytes = (j->length[to] + 7) / 8;

    if (j->full || to == 0)
        return;
    if (j->changes * sizeof *j->change + j->used > j->limit) {
        j->full = true;
        return;
    }
    if (j->changes == j->room)
        j->change = grown(j->change, &j->room, j->changes + 1, sizeof *j->change);
    if (j->used + bytes > j->size)
        j->bits = grown(j->bits, &j->size, j->used + bytes, 1);
    memset(j->bits + j->used, 0, bytes);
    for (uint32_t i = 0; i < j->length[to]; i++)
        if (value[i] == '1')
            j->bits[j->used + i / 8] |= (unsigned char)(1u << i % 8);
    j->change[j->changes++] = (struct change){.time = time, .at = j->used, .var = to};
    j->used += bytes;
}

static bool ends_in(const char *name, const char *tail)
{
    const size_t n = strcspn(name, " ["), k = strlen(tail);

    return n >= k && strncmp(name + n - k, tail, k) == 0;
}

/* Signals and scopes of @in, a group @name. @tables: enumerations of the files before. @return how many this one has. */
static uint64_t declare(struct join *j, void *in, const char *name, uint64_t tables)
{
    char path[NAME_SIZE];
    size_t ends[64] = {0};
    unsigned depth = 0, ports = 0, kinds = 0;
    uint64_t own = 0;
    bool named = false; /* the next variable is an enumeration */
    struct fstHier *h;

    fprintf(j->view, "@c00200\n-%s\n", name);
    path[0] = '\0';
    while ((h = fstReaderIterateHier(in)) != NULL) {
        switch (h->htyp) {
        case FST_HT_SCOPE:
            fstWriterSetScope(j->out, (enum fstScopeType)h->u.scope.typ, h->u.scope.name, h->u.scope.component);
            if (++depth < 64) {
                ends[depth] = ends[depth - 1];
                if (ends[depth] + strlen(h->u.scope.name) + 2 < sizeof path)
                    ends[depth] += (size_t)sprintf(path + ends[depth - 1], "%s%s", depth > 1 ? "." : "", h->u.scope.name);
            }
            break;
        case FST_HT_UPSCOPE:
            fstWriterSetUpscope(j->out);
            depth--;
            if (depth < 64)
                path[ends[depth]] = '\0';
            break;
        case FST_HT_ATTRBEGIN: {
            const bool table = h->u.attr.typ == FST_AT_MISC && h->u.attr.subtype == FST_MT_ENUMTABLE;

            if (table && h->u.attr.name_length > 0 && h->u.attr.arg > own)
                own = h->u.attr.arg;
            named = table && h->u.attr.name_length == 0;
            fstWriterSetAttrBegin(j->out, (enum fstAttrType)h->u.attr.typ, h->u.attr.subtype,
                                  h->u.attr.name_length > 0 ? h->u.attr.name : NULL, h->u.attr.arg + (table ? tables : 0));
            break;
        }
        case FST_HT_ATTREND:
            fstWriterSetAttrEnd(j->out);
            break;
        case FST_HT_VAR: {
            const fstHandle alias = h->u.var.is_alias ? j->map[h->u.var.handle] : 0;
            const fstHandle to = fstWriterCreateVar(j->out, (enum fstVarType)h->u.var.typ, (enum fstVarDir)h->u.var.direction,
                                                    h->u.var.length, h->u.var.name, alias);
            const bool port = depth == 1 && ports < PER_FILE &&
                              (ends_in(h->u.var.name, "valid_o") || ends_in(h->u.var.name, "valid_i") || ends_in(h->u.var.name, "idle_o"));
            const bool kind = named && depth <= DEPTH && kinds < PER_FILE && strstr(path, "policy") == NULL && !h->u.var.is_alias;

            j->map[h->u.var.handle] = alias ? alias : to;
            if (to >= j->lengths) {
                const size_t before = j->lengths;
                j->length = grown(j->length, &j->lengths, to + 1, sizeof *j->length);
                memset(j->length + before, 0, (j->lengths - before) * sizeof *j->length);
            }
            if (!alias)
                j->length[to] = h->u.var.length;
            if (port || kind) {
                const char *space = strchr(h->u.var.name, ' '); /* of "name [2:0]" */
                fprintf(j->view, "@%s\n%s.%.*s%s\n", kind ? "100000022" : h->u.var.length == 1 ? "28" : "22", path, (int)strcspn(h->u.var.name, " "), h->u.var.name,
                        space ? space + 1 : "");
                ports += port;
                kinds += kind;
            }
            named = false;
            break;
        }
        default:
            break;
        }
    }
    fprintf(j->view, "@1401200\n-%s\n", name);
    return own;
}

static int before(const void *a, const void *b)
{
    const struct change *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at; /* as they were noted */
}

static void write_changes(struct join *j)
{
    char *text = NULL;
    size_t room = 0;

    qsort(j->change, j->changes, sizeof *j->change, before);
    for (size_t i = 0; i < j->changes; i++) {
        const struct change *c = &j->change[i];
        const uint32_t n = j->length[c->var];

        if (i == 0 || c->time != c[-1].time)
            fstWriterEmitTimeChange(j->out, c->time);
        if (room < n + 1)
            text = grown(text, &room, n + 1, 1);
        for (uint32_t b = 0; b < n; b++)
            text[b] = j->bits[c->at + b / 8] >> b % 8 & 1 ? '1' : '0';
        fstWriterEmitValueChange(j->out, c->var, text);
    }
    free(text);
}

static void print(void *user, uint64_t time, fstHandle var, const unsigned char *value)
{
    char *const *name = user;

    if (name[var] != NULL)
        printf("%" PRIu64 " %s %s\n", time, name[var], (const char *)value);
}

/* Prints all changes. An alias is its first name. */
static int list(const char *file)
{
    char path[NAME_SIZE] = "";
    void *in = fstReaderOpen(file);
    struct fstHier *h;

    if (in == NULL) {
        fprintf(stderr, "waves: %s: no waves\n", file);
        return 2;
    }
    char **name = calloc((size_t)fstReaderGetMaxHandle(in) + 1, sizeof *name);
    while (name != NULL && (h = fstReaderIterateHier(in)) != NULL) {
        if (h->htyp == FST_HT_SCOPE && strlen(path) + strlen(h->u.scope.name) + 2 < sizeof path) {
            strcat(path, h->u.scope.name);
            strcat(path, ".");
        } else if (h->htyp == FST_HT_UPSCOPE && path[0] != '\0') {
            path[strlen(path) - 1] = '\0';
            path[strrchr(path, '.') == NULL ? 0 : (size_t)(strrchr(path, '.') + 1 - path)] = '\0';
        } else if (h->htyp == FST_HT_VAR && !h->u.var.is_alias) {
            const size_t size = strlen(path) + strlen(h->u.var.name) + 1;
            if ((name[h->u.var.handle] = malloc(size)) != NULL)
                snprintf(name[h->u.var.handle], size, "%s%s", path, h->u.var.name);
        }
    }
    if (name != NULL) {
        fstReaderSetFacProcessMaskAll(in);
        fstReaderIterBlocks(in, print, name, NULL);
    }
    fstReaderClose(in);
    return name != NULL && fflush(stdout) == 0 ? 0 : 2;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "-l") == 0)
        return list(argv[2]);
    struct join j = {.limit = UINT64_C(1) << 31};
    uint64_t tables = 0;

    if (argc < 4) {
        fprintf(stderr, "usage: waves OUT.fst OUT.gtkw NAME=FILE.fst...\n       waves -l FILE.fst\n");
        return 2;
    }
    void **in = calloc((size_t)argc, sizeof *in);
    fstHandle **map = calloc((size_t)argc, sizeof *map);
    j.view = fopen(argv[2], "w");
    if (in == NULL || map == NULL || j.view == NULL || (j.out = fstWriterCreate(argv[1], 1)) == NULL) {
        fprintf(stderr, "waves: cannot write %s\n", j.view == NULL ? argv[2] : argv[1]);
        return 2;
    }
    fstWriterSetPackType(j.out, FST_WR_PT_LZ4);
    fprintf(j.view, "[dumpfile] \"%s\"\n[timestart] 0\n[sst_expanded] 1\n", argv[1]);
    for (int i = 3; i < argc; i++) {
        char name[64];
        const char *file = strchr(argv[i], '=');

        if (file == NULL || (size_t)(file - argv[i]) >= sizeof name || (in[i] = fstReaderOpen(file + 1)) == NULL) {
            fprintf(stderr, "waves: %s: no waves\n", argv[i]);
            return 2;
        }
        if (i == 3)
            fstWriterSetTimescale(j.out, fstReaderGetTimescale(in[i]));
        snprintf(name, sizeof name, "%.*s", (int)(file - argv[i]), argv[i]);
        j.map = map[i] = calloc((size_t)fstReaderGetMaxHandle(in[i]) + 1, sizeof *j.map);
        if (j.map == NULL)
            return 2;
        tables += declare(&j, in[i], name, tables);
    }
    for (int i = 3; i < argc; i++) {
        j.map = map[i];
        fstReaderSetFacProcessMaskAll(in[i]);
        fstReaderIterBlocks(in[i], note, &j, NULL);
        fstReaderClose(in[i]);
        free(map[i]);
    }
    if (!j.full)
        write_changes(&j);
    fstWriterClose(j.out);
    const bool failed = ferror(j.view) | (fclose(j.view) != 0);
    if (j.full || failed) {
        if (j.full)
            fprintf(stderr, "waves: more than %" PRIu64 " MB of changes are not joined\n", j.limit >> 20);
        else
            fprintf(stderr, "waves: cannot write %s\n", argv[2]);
        remove(argv[1]);
        remove(argv[2]);
        return failed ? 2 : 0;
    }
    free(j.change);
    free(j.bits);
    free(j.length);
    free(in);
    free(map);
    return 0;
}
