/* tile.h - what every tile of a machine has, and the table of operations its kind has.
 *
 * A tile is run from cycle `from` up to (not including) `to`; everything it exchanges with other tiles goes
 * through links, so tiles may be run in any order as long as the span is not longer than any link latency.
 * With `skip`, edges at which the tile is idle and has no input are left out; by the idle rule of
 * docs/tiles.md nothing would change, so results are the same with and without: an event that counts cycles
 * of waiting and is high at an idle tile is counted for the edges left out as well. Nothing in run() allocates,
 * locks or prints.
 *
 * The machine knows tiles by this table alone. Its operations are called once a window or less; what happens in a
 * cycle is inside run(). An operation that is NULL does nothing, or says no. */
#ifndef HD_TILE_H
#define HD_TILE_H
#include "check/coherence.h"
#include "check/conserve.h"
#include "check/evlog.h"
#include "config.h"
#include "counters.h"
#include "flat.h"
#include "link.h"
#include "model/hd_model.h"
#include "port.h"
#include "portlog.h"
#include "profile.h"
#include <stdio.h>

/* A port; of one of at most 64 bits 1, 2, 4 or 8 bytes, else words of 4. */
struct hd_pin {
    void *at;
    unsigned bytes;
};

struct hd_tile;

struct hd_tile_kind {
    const char *log_name;       /* in port logs; NULL: keeps none */
    unsigned log_events;        /* most records of a cycle */
    const char *port;           /* what a fault of a tile is a fault of: "warp port" */
    const char *host_evaluated, *host_skipped; /* host counters: edges made and left out */
    struct hd_slice_kind slice; /* as a part of the chip verilated whole */

    /* Runs the edges of cycles [from, to). */
    void (*run)(struct hd_tile *t, uint64_t from, uint64_t to, const struct hd_client *client, bool skip);
    /* Memory that the next @cycles may need. @return false when there is none. */
    bool (*reserve)(struct hd_tile *t, unsigned cycles);
    /* Work or answers outstanding besides what is on links. */
    bool (*busy)(const struct hd_tile *t);
    /* First cycle at which the client may offer something by itself. */
    uint64_t (*wake)(const struct hd_tile *t, const struct hd_client *client, uint64_t now);
    /* Write everything dirty back, from cycle @at on. Tiles with a warp port get that from the port. */
    void (*flush)(struct hd_tile *t, uint64_t at);
    /* A kernel begins at cycle @at. */
    void (*kernel)(struct hd_tile *t, uint64_t at);
    /* The states of lines it reported since the list was emptied. */
    struct hd_st_list *(*states)(struct hd_tile *t);
    /* NULL, or: the words it wrote (HD_EVK_PUT), from the first call on; the caller empties the list between windows. NULL:
     * others know in which order words are written. */
    struct hd_evlist *(*performed)(struct hd_tile *t);
    /* After a drain: nothing may be left over and every count must add up. */
    void (*drained)(const struct hd_tile *t, struct hd_verdict *v);
    /* Who waits for what in it, for the deadlock report. */
    void (*explain)(const struct hd_tile *t, FILE *file);
    /* Counters, sums over all @n tiles of the kind; also for none. */
    void (*counters)(struct hd_tile *const *tiles, unsigned n, struct hd_counters *out);
    /* Its own state, there and back (image.h); hd_tile_state() does what all tiles have. NULL: there is no more. */
    void (*state)(struct hd_tile *t, struct hd_image *io);
    /* NULL, or: what it told others in C in the window from @from on, loaded by the same tile in another process. */
    void (*news)(struct hd_tile *t, uint64_t from, struct hd_image *io);
    /* Memory image, one word, of the lines that have their home in the tile. */
    uint32_t (*peek)(const struct hd_tile *t, uint32_t addr);
    bool (*poke)(struct hd_tile *t, uint32_t addr, uint32_t value); /* false: no memory */
    void (*wave_window)(struct hd_tile *t, uint64_t from, uint64_t to); /* NULL: members of the tile say it all */
    void (*close)(struct hd_tile *t); /* frees what is the kind's own */
};

/* What all tiles have, the first member of each kind's struct. A line of the host holds nothing of two tiles, which two
 * threads may run. */
struct hd_tile {
    alignas(HD_CACHE_LINE) const struct hd_tile_kind *kind;
    unsigned number;            /* among those of its kind */
    unsigned clk_ratio;         /* core cycles from edge to edge */
    char name[24];              /* in messages: "SM 3" */
    struct hd_model *model;     /* NULL: the tile is made of C */
    struct hd_slice *slice;     /* the tile is a part of the flat model `model`; NULL: has a model of its own */
    struct hd_port_log log;     /* kept when it has room */
    struct hd_profile *profile; /* NULL: time is not measured */
    uint8_t *clk, *rst;
    const uint8_t *idle;
    struct hd_pin now, ev;
    uint64_t progress_events;   /* mask: events that are progress for the watchdog */
    uint64_t level_events;      /* mask: events that may stay high while the tile is idle ("waits for ...") */
    uint64_t events[64];        /* how often each event pulsed */
    uint64_t evaluated;         /* edges */
    uint64_t progress;          /* cycle of the last progress, 0 at the start */
    const char *fault;          /* first broken rule of its C ports */
    bool wave;
    uint64_t wave_from, wave_to; /* cycles dumped: both included */
};

/* What a builder gives a tile of RTL to live on. The model belongs to the tile from then on, also on failure. */
struct hd_site {
    const struct hd_config *c;
    struct hd_model *model;
    struct hd_slice *slice;     /* a part of the flat model: no links, no reset */
    bool wave;
    unsigned number;
    unsigned window;            /* cycles between two looks of the machine */
};

/* @return a zeroed tile of @size bytes with what @site says; NULL after a message. */
void *hd_tile_new(const struct hd_tile_kind *kind, size_t size, const struct hd_site *site);
void hd_tile_free(struct hd_tile *t); /* NULL is allowed */

/* State of a tile, there and back: counts; its model's ports; its model's registers, by depth. */
void hd_tile_state(struct hd_tile *t, struct hd_image *io);

/* Sum of an event over tiles. */
uint64_t hd_tile_events(struct hd_tile *const *tiles, unsigned n, unsigned event);

/* Those of @names as counters, each with its name, in their order. */
struct hd_event_name {
    const char *name;
    unsigned event;
};
void hd_tile_put_events(struct hd_tile *const *tiles, unsigned n, const struct hd_event_name *names, size_t count,
                        struct hd_counters *out);
#endif
