/* cut.h - which rank runs which tile of a machine (docs/ranks.md). */
#ifndef HD_CUT_H
#define HD_CUT_H
#include "config.h"
#include "models.h"

struct hd_cut_tile {
    char name[24];   /* as of its waveforms: sm0, up, l2_1, router3 */
    int role;        /* hd_model_role; -1: no RTL */
    unsigned place;  /* tiles that stand close together have numbers close together */
    unsigned rank;
};

struct hd_cut {
    unsigned ranks, tiles;
    struct hd_cut_tile tile[]; /* in the order in which build.c adds them to the graph */
};

/* @how: NULL: by load, measured here; "lot:SEED": by lot; "sm0-3,up/l2_0,down": by hand, a list for each rank. All ranks must
 * call it. @return NULL after a message on stderr. */
struct hd_cut *hd_cut_new(const struct hd_config *c, const struct hd_model_paths *paths, const char *how);
void hd_cut_free(struct hd_cut *cut); /* NULL is allowed */

/* @return the rank of the tile of that name; 0 if there is none. */
unsigned hd_cut_rank(const struct hd_cut *cut, const char *name);

/* The tiles of @rank, "sm0-3, up". */
void hd_cut_text(const struct hd_cut *cut, unsigned rank, char *text, size_t size);
#endif
