/* graph.h - a machine as tiles and links.
 *
 * A builder (build.c) makes a graph of a configuration; nothing else knows what kinds of tiles a machine has, how many,
 * and which links join them. */
#ifndef HD_GRAPH_H
#define HD_GRAPH_H
#include "check/overwritten.h"
#include "exchange.h"
#include "mem/memory.h"
#include "tile.h"

/* Links that do the same. */
struct hd_link_group {
    const char *counter;        /* of its flits */
    const char *from, *to;      /* in messages; NULL: the tiles' own names */
    const char *const *classes; /* counters of its flits by class, or NULL */
};

struct hd_graph_link {
    struct hd_link link;        /* latencies, networks, depth: see link.h */
    struct hd_tile *from, *to;
    unsigned group, number;     /* number in its group */
    unsigned from_rank, to_rank; /* of its tiles */
};

struct hd_graph {
    struct hd_tile **tile;
    unsigned tiles;
    struct hd_graph_link *link; /* none in a chip verilated whole: there they are inside */
    unsigned links;
    const struct hd_link_group *group;
    unsigned groups;

    const struct hd_tile_kind *const *kind; /* whose counters the machine shows, without tiles as well, in this order */
    unsigned kinds;

    unsigned ports;             /* tiles with a warp port; those have the numbers 0..ports - 1 */
    unsigned window;            /* cycles between two looks of the client: the least latency of anything */

    const struct hd_memory *memory; /* of the channels */
    void **channel;
    unsigned channels;
    struct hd_tile **home;      /* tiles that hold the memory image: line % homes; homes is a power of two */
    unsigned homes, line_bytes;

    char **wave;                /* names of the files of waveforms */
    unsigned waves;

    struct hd_overwritten *overwritten; /* shared by the tiles that need it, or NULL */
};

/* Room for @tiles, @links, @channels; no kinds, no groups. @return false after a message on stderr. */
bool hd_graph_init(struct hd_graph *g, unsigned tiles, unsigned links, unsigned channels);
/* Frees tiles, links, channels. A zeroed graph is allowed. */
void hd_graph_fini(struct hd_graph *g);

/* Adds a tile, which belongs to the graph from then on. @return false when @t is NULL. */
bool hd_graph_add(struct hd_graph *g, struct hd_tile *t);
/* Notes a file of waveforms. @return false after a message on stderr. */
bool hd_graph_add_wave(struct hd_graph *g, const char *file);
/* Adds a tile that is the home of lines. */
bool hd_graph_add_home(struct hd_graph *g, struct hd_tile *t);

/* @return the ends of links of tile @t, @n of them; NULL when there is no memory. The caller frees them. */
struct hd_link_end *hd_graph_ends(const struct hd_graph *g, const struct hd_tile *t, size_t *n);

/* "link 3 from SM to crossbar", "link from router 2 to router 3" */
void hd_graph_link_name(const struct hd_graph *g, const struct hd_graph_link *l, char name[80]);

/* The tiles of a kind, in order, into @list[g->tiles]. @return how many. */
unsigned hd_graph_of_kind(const struct hd_graph *g, const struct hd_tile_kind *kind, struct hd_tile **list);
#endif
