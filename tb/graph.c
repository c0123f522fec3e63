/* graph.c - see graph.h. */
#define _POSIX_C_SOURCE 200809L
#include "graph.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool hd_graph_init(struct hd_graph *g, unsigned tiles, unsigned links, unsigned channels)
{
    g->tile = calloc(tiles, sizeof(struct hd_tile *));
    g->home = calloc(tiles, sizeof(struct hd_tile *));
    g->channel = calloc(channels + 1, sizeof *g->channel);
    g->link = aligned_alloc(HD_CACHE_LINE, (links + 1) * sizeof *g->link);
    if (g->link != NULL)
        memset(g->link, 0, (links + 1) * sizeof *g->link);
    if (g->tile != NULL && g->home != NULL && g->channel != NULL && g->link != NULL)
        return true;
    fprintf(stderr, "heddle: out of memory\n");
    return false;
}

void hd_graph_fini(struct hd_graph *g)
{
    for (unsigned i = 0; i < g->tiles; i++)
        hd_tile_free(g->tile[i]);
    for (unsigned i = 0; i < g->links; i++)
        hd_link_fini(&g->link[i].link);
    for (unsigned i = 0; i < g->channels; i++)
        g->memory->close(g->channel[i]);
    for (unsigned i = 0; i < g->waves; i++)
        free(g->wave[i]);
    hd_overwritten_free(g->overwritten);
    free(g->wave);
    free(g->tile);
    free(g->home);
    free(g->channel);
    free(g->link);
    *g = (struct hd_graph){0};
}

bool hd_graph_add(struct hd_graph *g, struct hd_tile *t)
{
    if (t != NULL)
        g->tile[g->tiles++] = t;
    return t != NULL;
}

bool hd_graph_add_wave(struct hd_graph *g, const char *file)
{
    char **more = realloc(g->wave, (g->waves + 1) * sizeof *more);

    if (more != NULL) {
        g->wave = more;
        more[g->waves] = strdup(file);
        if (more[g->waves] != NULL) {
            g->waves++;
            return true;
        }
    }
    fprintf(stderr, "heddle: out of memory\n");
    return false;
}

bool hd_graph_add_home(struct hd_graph *g, struct hd_tile *t)
{
    if (t != NULL)
        g->home[g->homes++] = t;
    return hd_graph_add(g, t);
}

struct hd_link_end *hd_graph_ends(const struct hd_graph *g, const struct hd_tile *t, size_t *n)
{
    struct hd_link_end *ends = calloc(2 * g->links + 1, sizeof *ends);

    *n = 0;
    for (unsigned i = 0; ends != NULL && i < g->links; i++) {
        struct hd_graph_link *l = &g->link[i];
        if (l->from == t)
            ends[(*n)++] = (struct hd_link_end){&l->link, true};
        if (l->to == t)
            ends[(*n)++] = (struct hd_link_end){&l->link, false};
    }
    return ends;
}

void hd_graph_link_name(const struct hd_graph *g, const struct hd_graph_link *l, char name[80])
{
    const struct hd_link_group *group = &g->group[l->group];

    if (group->from == NULL)
        snprintf(name, 80, "link from %s to %s", l->from->name, l->to->name);
    else
        snprintf(name, 80, "link %u from %s to %s", l->number, group->from, group->to);
}

unsigned hd_graph_of_kind(const struct hd_graph *g, const struct hd_tile_kind *kind, struct hd_tile **list)
{
    unsigned n = 0;

    for (unsigned i = 0; i < g->tiles; i++)
        if (g->tile[i]->kind == kind)
            list[n++] = g->tile[i];
    return n;
}
