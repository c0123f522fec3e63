/* tile_flat.c - see tile_flat.h. */
#include "tile_flat.h"
#include "tile_l2.h"
#include "tile_parts.h"
#include "tile_sm.h"
#include <stdio.h>
#include <stdlib.h>

/* Slices of one kind. */
struct slices {
    struct hd_tile **tile;
    unsigned n;
};

struct flat {
    struct hd_tile tile;
    struct hd_flat *flat;
    struct slices sm, l2, net;  /* net: crossbars, routers */
};

static void run(struct hd_tile *t, uint64_t from, uint64_t to, const struct hd_client *client, bool skip)
{
    const struct flat *f = (const struct flat *)t;

    (void)skip;
    for (uint64_t now = from; now < to; now++) {
        bool slow = now % t->clk_ratio == 0;
        for (unsigned i = 0; i < f->sm.n; i++)
            hd_sm_before(f->sm.tile[i], now, client);
        for (unsigned i = 0; slow && i < f->l2.n; i++)
            hd_l2_before(f->l2.tile[i], now);
        hd_flat_edge(f->flat, now);
        for (unsigned i = 0; i < f->sm.n; i++)
            hd_sm_after(f->sm.tile[i], now, client);
        if (!slow)
            continue;
        for (unsigned i = 0; i < f->net.n; i++) {
            f->net.tile[i]->evaluated++;
            count_events(f->net.tile[i], now);
        }
        for (unsigned i = 0; i < f->l2.n; i++)
            hd_l2_after(f->l2.tile[i], now);
    }
}

static void wave_window(struct hd_tile *t, uint64_t from, uint64_t to)
{
    hd_flat_wave_window(((const struct flat *)t)->flat, from, to);
}

static void close_flat(struct hd_tile *t)
{
    struct flat *f = (struct flat *)t;

    free(f->sm.tile);
    free(f->l2.tile);
    free(f->net.tile);
    hd_flat_free(f->flat);
}

struct hd_tile *hd_flat_tile_new(const struct hd_config *c, struct hd_flat *flat)
{
    struct flat *f = hd_tile_new(&hd_flat_kind, sizeof *f, &(struct hd_site){.c = c});

    if (f == NULL) {
        hd_flat_free(flat);
        return NULL;
    }
    snprintf(f->tile.name, sizeof f->tile.name, "chip");
    f->tile.clk_ratio = c->clk_ratio;
    f->flat = flat;
    return &f->tile;
}

bool hd_flat_tile_slices(struct hd_tile *t, struct hd_tile *const *tiles, unsigned n)
{
    struct flat *f = (struct flat *)t;
    struct slices *const all[] = {&f->sm, &f->l2, &f->net};

    for (unsigned k = 0; k < 3; k++) {
        if ((all[k]->tile = calloc(n, sizeof(struct hd_tile *))) == NULL) {
            fprintf(stderr, "heddle: out of memory\n");
            return false;
        }
    }
    for (unsigned i = 0; i < n; i++) {
        if (tiles[i]->slice == NULL)
            continue;
        struct slices *s = tiles[i]->kind == &hd_sm_kind ? &f->sm : tiles[i]->kind == &hd_l2_kind ? &f->l2 : &f->net;
        s->tile[s->n++] = tiles[i];
    }
    return true;
}

const struct hd_tile_kind hd_flat_kind = {.run = run, .wave_window = wave_window, .close = close_flat};
