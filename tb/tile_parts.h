/* tile_parts.h - what the files of tile kinds share: binding a model's ports, one edge, one link. Not for others. */
#ifndef HD_TILE_PARTS_H
#define HD_TILE_PARTS_H
#include "tile.h"

/* ---- ports ------------------------------------------------------------------------------------------------ */

static inline void pin_set(const struct hd_pin *p, uint64_t value)
{
    switch (p->bytes) {
    case 1:
        *(uint8_t *)p->at = (uint8_t)value;
        break;
    case 2:
        *(uint16_t *)p->at = (uint16_t)value;
        break;
    case 4:
        *(uint32_t *)p->at = (uint32_t)value;
        break;
    default:
        *(uint64_t *)p->at = value;
        break;
    }
}

static inline uint64_t pin_get(const struct hd_pin *p)
{
    switch (p->bytes) {
    case 1:
        return *(const uint8_t *)p->at;
    case 2:
        return *(const uint16_t *)p->at;
    case 4:
        return *(const uint32_t *)p->at;
    default:
        return *(const uint64_t *)p->at;
    }
}

/* The same for a port of one bit, which is a byte. */
static inline bool bit_get(const struct hd_pin *p)
{
    return *(const uint8_t *)p->at;
}

static inline void bit_set(const struct hd_pin *p, bool value)
{
    *(uint8_t *)p->at = value;
}

/* Collects ports; one failure is enough to refuse the model. */
struct binder {
    struct hd_model *model;
    struct hd_slice *slice;
    const char *tile;
    bool ok;
};

/* A sending or receiving link port of a tile, or several side by side (docs/tiles.md, Links). */
struct hd_tile_out {
    struct hd_pin valid, vn, tail, credit;
    const uint32_t *flit;
};
struct hd_tile_in {
    struct hd_pin valid, vn, tail, credit;
    uint32_t *flit;
};

struct binder hd_binder(const struct hd_tile *t, const char *tile);
void *hd_bind(struct binder *b, const char *prefix, const char *name, unsigned width);
/* A small port whose width is the tile's business / is @width. */
struct hd_pin hd_bind_pin(struct binder *b, const char *prefix, const char *name);
struct hd_pin hd_bind_pin_of(struct binder *b, const char *prefix, const char *name, unsigned width);
/* Ports of @links links side by side; vectors of more than 64 bits are arrays, low word first. */
void hd_bind_in(struct binder *b, struct hd_tile_in *in, const char *prefix, unsigned links, unsigned num_vn,
                unsigned flit_units);
void hd_bind_out(struct binder *b, struct hd_tile_out *out, const char *prefix, unsigned links, unsigned num_vn,
                 unsigned flit_units);
/* What all tiles have. */
void hd_bind_tile(struct binder *b, struct hd_tile *t, unsigned events, const struct hd_config *c);
/* Two edges with the reset high. */
void hd_tile_reset(struct hd_tile *t);

/* ---- one edge --------------------------------------------------------------------------------------------- */

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* In a profiled run (a constant where this is inlined): section @s of the host's time begins. */
static ALWAYS_INLINE void begin(const struct hd_tile *t, bool profiled, enum hd_section s)
{
    if (profiled)
        hd_profile_enter(t->profile, s);
}

/* Settles the inputs while the clock is low if the model needs it (assertions look at what was there before the edge),
 * then raises it and leaves it high: outputs are registers and can be read until the next edge. */
static inline void edge(struct hd_tile *t, uint64_t now)
{
    pin_set(&t->now, now);
    bool dump = t->wave && now >= t->wave_from && now <= t->wave_to;
    if (hd_model_two_phases(t->model)) {
        *t->clk = 0;
        hd_model_eval(t->model);
        if (dump)
            hd_model_trace_dump(t->model, 2 * now);
    }
    *t->clk = 1;
    hd_model_rise(t->model);
    if (dump)
        hd_model_trace_dump(t->model, 2 * now + 1);
    t->evaluated++;
}

static inline void count_events(struct hd_tile *t, uint64_t now)
{
    uint64_t pulses = pin_get(&t->ev);

    if (pulses & t->progress_events)
        t->progress = now;
    for (; pulses != 0; pulses &= pulses - 1)
        t->events[__builtin_ctzll(pulses)]++;
}

/* @edges were left out at an idle tile: what it is waiting for, it was waiting for all the time. */
static inline void count_skipped(struct hd_tile *t, uint64_t edges)
{
    uint64_t levels = pin_get(&t->ev) & t->level_events;

    for (; levels != 0; levels &= levels - 1)
        t->events[__builtin_ctzll(levels)] += edges;
}

static inline uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* @ratio is a power of two. */
static inline uint64_t round_up(uint64_t cycle, unsigned ratio)
{
    return cycle > HD_NEVER - ratio ? cycle : (cycle + ratio - 1) & -(uint64_t)ratio;
}

static inline void hd_tile_fault(struct hd_tile *t, const char *what)
{
    if (t->fault == NULL)
        t->fault = what;
}

/* ---- single link ports (SM and L2 tiles) -------------------------------------------------------------------- */

static inline void drive_in(struct hd_tile_in *in, struct hd_link *l, uint64_t now)
{
    const struct hd_flit *f = hd_link_receive(l, now);

    bit_set(&in->valid, f != NULL);
    if (f == NULL)
        return;
    pin_set(&in->vn, f->vn);
    pin_set(&in->tail, f->tail);
    hd_flit_copy(in->flit, f->words, l->flit_units);
}

static inline void read_in(const struct hd_tile_in *in, struct hd_link *l, uint64_t now)
{
    uint64_t credits = pin_get(&in->credit);

    if (credits != 0)
        hd_link_send_credits(l, now, (uint32_t)credits);
}

static inline void drive_out(struct hd_tile_out *out, struct hd_link *l, uint64_t now)
{
    pin_set(&out->credit, hd_link_credits(l, now));
}

/* @return true when a flit was sent. */
static inline bool read_out(const struct hd_tile_out *out, struct hd_link *l, uint64_t now)
{
    if (!bit_get(&out->valid))
        return false;
    hd_link_send(l, now, (unsigned)pin_get(&out->vn), pin_get(&out->tail), out->flit);
    return true;
}
#endif
