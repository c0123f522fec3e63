/* tile.c - one tile of a configuration, for another simulator's loop. See heddle.h. */
#include "hd_model.h"
#include "heddle.h"
#include "models.h"
#include "run/configure.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct heddle_tile {
    struct hd_model *model;
    void *now;          /* now_i, of 32 or 64 bits */
    unsigned now_bits;
    uint64_t cycle;     /* of the coming edge */
    unsigned ratio;     /* cycles from edge to edge */
};

static const char *const names[HD_MODEL_ROLES] = {
    [HD_MODEL_SM] = "sm", [HD_MODEL_UP] = "up", [HD_MODEL_DOWN] = "down", [HD_MODEL_L2] = "l2", [HD_MODEL_ROUTER] = "router"};

static bool write_port(struct hd_model *m, const char *name, uint64_t value)
{
    unsigned bits;
    void *at = hd_model_port(m, name, &bits);
    if (!at)
        return false;
    memcpy(at, &value, bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8); /* little-endian, as the models are */
    return true;
}

/* @return the path of the model, NULL after a message. */
static const char *find(const struct hd_config *c, const char *kind, struct hd_model_paths *paths)
{
    unsigned role = 0;
    while (role < HD_MODEL_ROLES && (!names[role] || strcmp(names[role], kind) != 0))
        role++;
    if (role == HD_MODEL_ROLES) {
        fprintf(stderr, "heddle: tile %s: must be sm, up, down, l2 or router\n", kind);
        return NULL;
    }
    if (!hd_models_get(c, false, paths))
        return NULL;
    if (!paths->so[role][0]) {
        fprintf(stderr, "heddle: tile %s: %s has none\n", kind, c->name);
        return NULL;
    }
    return paths->so[role];
}

struct heddle_tile *heddle_tile_open(const char *config, const char *const *set, size_t sets, const char *kind)
{
    struct hd_config c;
    if (hd_configure(&c, config, set, sets) != 0)
        return NULL;
    struct heddle_tile *t = calloc(1, sizeof *t);
    struct hd_model_paths *paths = calloc(1, sizeof *paths);
    const char *so = t && paths ? find(&c, kind, paths) : NULL;
    if (so)
        t->model = hd_model_open(so, kind);
    free(paths);
    if (!t || !t->model) {
        free(t);
        return NULL;
    }
    t->ratio = strcmp(kind, "sm") == 0 ? 1 : c.clk_ratio;
    hd_model_zero_inputs(t->model);
    t->now = hd_model_port(t->model, "now_i", &t->now_bits);
    write_port(t->model, "policy_i", hd_config_policy(&c));
    write_port(t->model, "rst_i", 1);
    hd_model_edge(t->model);
    hd_model_edge(t->model);
    write_port(t->model, "rst_i", 0);
    return t;
}

void heddle_tile_close(struct heddle_tile *t)
{
    if (!t)
        return;
    hd_model_close(t->model);
    free(t);
}

void *heddle_tile_port(struct heddle_tile *t, const char *name, uint32_t *bits)
{
    unsigned width = 0;
    void *at = hd_model_port(t->model, name, &width);
    if (bits)
        *bits = width;
    return at;
}

const char *heddle_tile_port_name(struct heddle_tile *t, size_t i)
{
    struct hd_model_port port;
    return i <= UINT32_MAX && hd_model_port_at(t->model, (unsigned)i, &port) ? port.name : NULL;
}

void heddle_tile_edge(struct heddle_tile *t)
{
    if (t->now)
        memcpy(t->now, &t->cycle, t->now_bits <= 32 ? 4 : 8);
    hd_model_edge(t->model);
    t->cycle += t->ratio;
}
