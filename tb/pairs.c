/* pairs.c - reads the counts of HD_COVER_PAIRS out of the models, see hd_machine_pairs(). Verilator writes coverage
 * only to files: each tile's goes through a temporary one. A line of it is C '<fields>' count; the hierarchical name
 * in it holds g_<table>_pair[a].g_b[b], each bracket spelled out. */
#define _POSIX_C_SOURCE 200809L
#include "machine.h"
#include "machine_parts.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void see_fn(void *ctx, const char *table, unsigned a, unsigned b, uint64_t count);

static void read_line(const char *line, see_fn *see, void *ctx)
{
    const char *pair = strstr(line, "_pair__BRA__"), *end = strrchr(line, '\'');
    const char *name = pair;
    char table[16];
    unsigned a, b;
    uint64_t count;

    while (name != NULL && name > line + 1 && memcmp(name - 2, "g_", 2) != 0)
        name--;
    if (name == NULL || name <= line + 1 || end == NULL || (size_t)(pair - name) >= sizeof table
        || sscanf(pair, "_pair__BRA__%u__KET__.g_b__BRA__%u__KET__", &a, &b) != 2 || sscanf(end, "' %" SCNu64, &count) != 1)
        return;
    snprintf(table, sizeof table, "%.*s", (int)(pair - name), name);
    see(ctx, table, a, b, count);
}

static bool read_tile(const struct hd_tile *t, const char *path, see_fn *see, void *ctx)
{
    char line[1024];
    if (t->model == NULL || t->slice != NULL)
        return true;
    FILE *f = hd_model_coverage_write(t->model, path) ? fopen(path, "r") : NULL;

    if (f == NULL)
        return false;
    while (fgets(line, sizeof line, f))
        read_line(line, see, ctx);
    fclose(f);
    return true;
}

bool hd_machine_pairs(const struct hd_machine *m, see_fn *see, void *ctx)
{
    const char *folder = getenv("TMPDIR");
    char path[256];
    bool ok = true;

    snprintf(path, sizeof path, "%.200s/heddle-pairs-XXXXXX", folder ? folder : "/tmp");
    int fd = mkstemp(path);
    if (fd < 0) {
        fprintf(stderr, "heddle: cannot write %s\n", path);
        return false;
    }
    close(fd);
    for (unsigned i = 0; ok && i < m->graph.tiles; i++)
        ok = read_tile(m->graph.tile[i], path, see, ctx);
    unlink(path);
    return ok;
}
