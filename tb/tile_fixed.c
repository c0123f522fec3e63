/* tile_fixed.c - see tile_fixed.h. */
#include "tile_fixed.h"
#include <stdio.h>

struct fixed {
    struct hd_tile tile;
    struct hd_fixed *memory;
};

static struct hd_fixed *memory_of(const struct hd_tile *t)
{
    return ((const struct fixed *)t)->memory;
}

static void run(struct hd_tile *t, uint64_t from, uint64_t to, const struct hd_client *client, bool skip)
{
    (void)client, (void)skip;
    hd_fixed_run(memory_of(t), from, to);
    t->fault = hd_fixed_fault(memory_of(t));
}

static bool reserve(struct hd_tile *t, unsigned cycles)
{
    return hd_fixed_reserve(memory_of(t), cycles);
}

static bool busy(const struct hd_tile *t)
{
    return !hd_fixed_idle(memory_of(t));
}

static void explain(const struct hd_tile *t, FILE *file)
{
    fprintf(file, "%s: %s\n", t->name, hd_fixed_idle(memory_of(t)) ? "idle" : "active");
}

static uint32_t peek(const struct hd_tile *t, uint32_t addr)
{
    return hd_fixed_peek(memory_of(t), addr);
}

static bool poke(struct hd_tile *t, uint32_t addr, uint32_t value)
{
    return hd_fixed_poke(memory_of(t), addr, value);
}

static void state(struct hd_tile *t, struct hd_image *io)
{
    hd_fixed_state(memory_of(t), io);
}

static void close_fixed(struct hd_tile *t)
{
    hd_fixed_free(memory_of(t));
}

struct hd_tile *hd_fixed_tile_new(const struct hd_config *c, struct hd_fixed *memory)
{
    struct fixed *f = hd_tile_new(&hd_fixed_kind, sizeof *f, &(struct hd_site){.c = c});

    if (f == NULL) {
        hd_fixed_free(memory);
        return NULL;
    }
    snprintf(f->tile.name, sizeof f->tile.name, "memory");
    f->memory = memory;
    return &f->tile;
}

const struct hd_tile_kind hd_fixed_kind = {.run = run,
                                           .reserve = reserve,
                                           .busy = busy,
                                           .explain = explain,
                                           .state = state,
                                           .peek = peek,
                                           .poke = poke,
                                           .close = close_fixed};
