/* flat.c - see flat.h.
 *
 * A port that lies in the chip's vector as it would in a tile's model is driven and read in place. The others, fields
 * of a few bits, have a copy for each tile, side by side; words of the vector are put together and taken apart. */
#include "flat.h"
#include "hd_pkg.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PORTS = 80 };

/* Neighbouring fields within 1, 2, 4 or 8 bytes of a vector and their copies. Little endian, as the whole project. */
struct word {
    uint8_t *at, *own;
    unsigned bytes, own_bytes;  /* of the word, of a copy */
    unsigned n, shift, width;   /* fields, place of the first one, bits of each */
    uint64_t mask;              /* of a field */
    uint64_t others;            /* bits of the word that are not these fields' */
    uint64_t last;              /* of an output: what was taken apart last */
};
struct words {
    struct word *word;
    size_t n;
};

/* The copies of a vector's fields. */
struct port {
    const uint8_t *vector;
    uint8_t *own;
};

struct hd_slice {
    struct hd_flat *flat;
    struct hd_slice *next;
    struct hd_slice_kind kind;
    unsigned index, count;      /* of all slices of its kind */
};

struct hd_flat {
    struct hd_model *model;
    uint8_t *clk, *slow, *rst;
    uint32_t *now;
    unsigned clk_ratio;
    bool wave;
    uint64_t wave_from, wave_to;
    struct hd_slice *slice;     /* all, the youngest first */
    struct port port[MAX_PORTS];
    unsigned ports;
    struct words in[2], out[2]; /* [1]: of tiles on the slow clock */
    uint64_t tied;              /* stands for every port that the chip ties off */
};

/* ---- ports ------------------------------------------------------------------------------------------------ */

static bool is_tied(const char *name)
{
    static const char *const tied[] = {"clk_i", "rst_i", "now_i", "sm_id_i", "part_id_i", "node_id_i", "policy_i"};

    for (size_t i = 0; i < sizeof tied / sizeof tied[0]; i++)
        if (strcmp(name, tied[i]) == 0)
            return true;
    return false;
}

/* What the chip calls a tile's port. */
static const char *chip_name(const struct hd_slice_kind *kind, const char *name)
{
    if (strcmp(name, "idle_o") == 0)
        return kind->idle;
    return strcmp(name, "ev_o") == 0 ? kind->events : name;
}

/* Bytes of the type that holds @width bits; of wider ports, which are arrays, 4. */
static unsigned type_bytes(unsigned width)
{
    return width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : width <= 64 ? 8 : 4;
}

static unsigned storage_bytes(unsigned width)
{
    return width <= 64 ? type_bytes(width) : (width + 31) / 32 * 4;
}

/* @return whether a field is there what a port of @width bits would be. */
static bool in_place(const uint8_t *vector, unsigned lsb, unsigned width)
{
    return lsb % 8 == 0 && width == 8 * storage_bytes(width) && (uintptr_t)(vector + lsb / 8) % type_bytes(width) == 0;
}

/* Adds @width bits from bit @lsb of a vector of @all bits: to the last word when they are the neighbours of its fields. */
static bool add_field(struct words *list, uint8_t *vector, unsigned all, unsigned lsb, unsigned width, uint8_t *own,
                      unsigned own_bytes)
{
    struct word *w = list->n > 0 ? &list->word[list->n - 1] : NULL;
    unsigned room = storage_bytes(all);
    unsigned at = lsb / 64 * 64 + 64 >= lsb + width ? lsb / 64 * 8 : lsb / 8;

    if (all <= 64)
        at = 0;
    else if (at + 8 > room)
        at = room - 8;
    if (w == NULL || w->at != vector + at || w->own + w->n * w->own_bytes != own || w->width != width
        || 8 * at + w->shift + w->n * width != lsb) {
        w = realloc(list->word, (list->n + 1) * sizeof *w);
        if (w == NULL)
            return false;
        list->word = w;
        w += list->n++;
        *w = (struct word){.at = vector + at,
                           .own = own,
                           .bytes = all <= 64 ? room : 8,
                           .own_bytes = own_bytes,
                           .shift = lsb - 8 * at,
                           .width = width,
                           .mask = (UINT64_C(1) << width) - 1,
                           .others = UINT64_MAX};
    }
    w->others &= ~(w->mask << (w->shift + w->n * width));
    w->n++;
    return true;
}

/* Copies of @count fields of @width bits each. */
static bool add_port(struct words *list, uint8_t *vector, unsigned count, unsigned width, uint8_t *own)
{
    unsigned size = storage_bytes(width), part = width <= 57 ? width : 32; /* 57 bits fit in 8 bytes wherever they begin */

    for (unsigned i = 0; i < count; i++)
        for (unsigned from = 0; from < width; from += part) {
            unsigned bits = width - from < part ? width - from : part;
            if (!add_field(list, vector, count * width, i * width + from, bits, own + i * size + from / 8,
                           part == width ? size : 4))
                return false;
        }
    return true;
}

void *hd_slice_port(struct hd_slice *s, const char *name, unsigned *width)
{
    struct hd_flat *f = s->flat;
    const char *chip = chip_name(&s->kind, name);
    size_t length = strlen(name);
    bool output = length > 2 && strcmp(name + length - 2, "_o") == 0, slow = s->kind.slow;
    unsigned all, n = 0;

    *width = 1;
    if (is_tied(name))
        return &f->tied;
    uint8_t *vector = hd_model_port(f->model, chip, &all);
    if (vector == NULL)
        return NULL;
    unsigned count = strcmp(chip, "idle_o") == 0 ? 1 : s->count; /* that one is the chip's */
    *width = all / count;
    if (count == 1 || in_place(vector, s->index * *width, *width))
        return vector + s->index * *width / 8;
    while (n < f->ports && f->port[n].vector != vector)
        n++;
    if (n == MAX_PORTS)
        return NULL;
    if (n == f->ports) {
        uint8_t *own = calloc(count, storage_bytes(*width));
        f->port[f->ports++] = (struct port){vector, own};
        if (own == NULL || !add_port(output ? &f->out[slow] : &f->in[slow], vector, count, *width, own))
            return NULL;
    }
    return f->port[n].own + s->index * storage_bytes(*width);
}

static inline uint64_t load(const uint8_t *at, unsigned bytes)
{
    uint64_t v = 0;

    switch (bytes) { /* sizes the compiler knows */
    case 1:
        return *at;
    case 2:
        memcpy(&v, at, 2);
        return v;
    case 4:
        memcpy(&v, at, 4);
        return v;
    default:
        memcpy(&v, at, 8);
        return v;
    }
}

static inline void store(uint8_t *at, unsigned bytes, uint64_t v)
{
    switch (bytes) {
    case 1:
        *at = (uint8_t)v;
        break;
    case 2:
        memcpy(at, &v, 2);
        break;
    case 4:
        memcpy(at, &v, 4);
        break;
    default:
        memcpy(at, &v, 8);
        break;
    }
}

static inline uint64_t gather(const struct word *w, unsigned own_bytes)
{
    uint64_t v = 0;
    unsigned shift = w->shift;
    const uint8_t *own = w->own;

    for (unsigned i = 0; i < w->n; i++, shift += w->width, own += own_bytes)
        v |= load(own, own_bytes) << shift;
    return v;
}

static inline void scatter(const struct word *w, unsigned own_bytes, uint64_t v)
{
    uint8_t *own = w->own;

    v >>= w->shift;
    for (unsigned i = 0; i < w->n; i++, v >>= w->width, own += own_bytes)
        store(own, own_bytes, v & w->mask);
}

static void put_inputs(const struct words *list)
{
    for (const struct word *w = list->word; w < list->word + list->n; w++) {
        uint64_t v = w->own_bytes == 1   ? gather(w, 1)
                     : w->own_bytes == 2 ? gather(w, 2)
                     : w->own_bytes == 4 ? gather(w, 4)
                                         : gather(w, 8);
        store(w->at, w->bytes, (load(w->at, w->bytes) & w->others) | v);
    }
}

static void take_outputs(const struct words *list)
{
    for (struct word *w = list->word; w < list->word + list->n; w++) {
        uint64_t v = load(w->at, w->bytes);
        if (v == w->last)
            continue;
        w->last = v;
        switch (w->own_bytes) {
        case 1:
            scatter(w, 1, v);
            break;
        case 2:
            scatter(w, 2, v);
            break;
        case 4:
            scatter(w, 4, v);
            break;
        default:
            scatter(w, 8, v);
            break;
        }
    }
}

/* ---- edges ------------------------------------------------------------------------------------------------ */

static void edge(struct hd_flat *f, uint64_t now)
{
    bool dump = f->wave && now >= f->wave_from && now <= f->wave_to;

    *f->now = (uint32_t)now;
    if (hd_model_two_phases(f->model)) {
        *f->clk = *f->slow = 0;
        hd_model_eval(f->model);
        if (dump)
            hd_model_trace_dump(f->model, 2 * now);
    }
    *f->clk = 1;
    *f->slow = now % f->clk_ratio == 0;
    hd_model_rise(f->model);
    if (dump)
        hd_model_trace_dump(f->model, 2 * now + 1);
}

void hd_flat_edge(struct hd_flat *f, uint64_t now)
{
    bool slow = now % f->clk_ratio == 0;

    put_inputs(&f->in[0]);
    if (slow)
        put_inputs(&f->in[1]);
    edge(f, now);
    take_outputs(&f->out[0]);
    if (slow)
        take_outputs(&f->out[1]);
}

/* ---- composition ------------------------------------------------------------------------------------------ */

struct hd_flat *hd_flat_new(const struct hd_config *c, struct hd_model *model, bool wave)
{
    struct hd_flat *f = calloc(1, sizeof *f);

    if (f == NULL || model == NULL) {
        hd_model_close(model);
        free(f);
        return NULL;
    }
    *f = (struct hd_flat){.model = model, .clk_ratio = c->clk_ratio};
    f->clk = hd_model_port_of_width(model, "clk_i", 1);
    f->slow = hd_model_port_of_width(model, "clk_slow_i", 1);
    f->rst = hd_model_port_of_width(model, "rst_i", 1);
    f->now = hd_model_port_of_width(model, "now_i", 32);
    uint64_t *policy = hd_model_port_of_width(model, "policy_i", HD_POLICY_W);
    if (!f->clk || !f->slow || !f->rst || !f->now || !policy) {
        hd_flat_free(f);
        return NULL;
    }
    *policy = hd_config_policy(c);
    *f->rst = 1;
    edge(f, 0);
    edge(f, 0);
    *f->rst = 0;
    f->wave = wave;
    f->wave_to = UINT64_MAX;
    return f;
}

void hd_flat_wave_window(struct hd_flat *f, uint64_t from, uint64_t to)
{
    f->wave_from = from;
    f->wave_to = to;
}

void hd_flat_free(struct hd_flat *f)
{
    if (f == NULL)
        return;
    for (struct hd_slice *s = f->slice, *next; s != NULL; s = next) {
        next = s->next;
        free(s);
    }
    for (unsigned n = 0; n < f->ports; n++)
        free(f->port[n].own);
    for (unsigned slow = 0; slow < 2; slow++) {
        free(f->in[slow].word);
        free(f->out[slow].word);
    }
    if (f->wave)
        hd_model_trace_close(f->model);
    hd_model_close(f->model);
    free(f);
}

struct hd_slice *hd_flat_slice(struct hd_flat *f, const struct hd_slice_kind *kind, unsigned index, unsigned count)
{
    struct hd_slice *s = calloc(1, sizeof *s);

    if (s == NULL) {
        fprintf(stderr, "heddle: out of memory\n");
        return NULL;
    }
    *s = (struct hd_slice){.flat = f, .next = f->slice, .kind = *kind, .index = index, .count = count};
    return f->slice = s;
}

struct hd_model *hd_slice_model(struct hd_slice *s)
{
    return s->flat->model;
}
