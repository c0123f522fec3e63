/* hd_model.c - see hd_model.h. */
#include "hd_model.h"
#include "hd_model_abi.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct loaded {
    struct hd_model base; /* first: a struct hd_model * points here */
    const struct hd_model_ops *ops;
    void *handle;
    uint8_t *clk; /* NULL: combinational model */
};

static struct loaded *loaded_of(struct hd_model *m)
{
    return (struct loaded *)m;
}

static const struct loaded *loaded_of_const(const struct hd_model *m)
{
    return (const struct loaded *)m;
}

struct hd_model *hd_model_open(const char *so_path, const char *instance)
{
    typedef const struct hd_model_ops *entry_fn(void);
    union {
        void *object;
        entry_fn *function;
    } entry; /* ISO C has no conversion from dlsym's result to a function */
    /* dlopen searches the library path for a name without a slash; a model is always a file. */
    size_t length = strlen(so_path) + 3;
    char *path = malloc(length);
    struct loaded *l = calloc(1, sizeof *l);

    if (path == NULL || l == NULL) {
        fprintf(stderr, "hd_model: out of memory\n");
        goto fail;
    }
    snprintf(path, length, "%s%s", strchr(so_path, '/') ? "" : "./", so_path);
    l->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (l->handle == NULL) {
        fprintf(stderr, "hd_model: cannot load: %s\n", dlerror());
        goto fail;
    }
    entry.object = dlsym(l->handle, "hd_model_entry");
    if (entry.object == NULL) {
        fprintf(stderr, "hd_model: %s: is no model: no hd_model_entry\n", path);
        goto fail;
    }
    l->ops = entry.function();
    if (l->ops->abi != HD_MODEL_ABI) {
        fprintf(stderr, "hd_model: %s: ABI %u, this program needs %u: build the model again\n", path,
                (unsigned)l->ops->abi, (unsigned)HD_MODEL_ABI);
        goto fail;
    }
    l->base.self = l->ops->create(instance);
    l->base.eval_fn = l->ops->eval;
    l->base.rise_fn = l->ops->rise;
    l->base.two_phases = l->ops->flags & (HD_MODEL_HAS_ASSERTS | HD_MODEL_HAS_TRACE);
    if (l->base.self == NULL) {
        fprintf(stderr, "hd_model: %s: cannot make instance %s\n", path, instance);
        goto fail;
    }
    l->clk = hd_model_port(&l->base, "clk_i", NULL);
    free(path);
    return &l->base;
fail:
    free(path);
    hd_model_close(l ? &l->base : NULL);
    return NULL;
}

void hd_model_close(struct hd_model *m)
{
    struct loaded *l = loaded_of(m);

    if (l == NULL)
        return;
    if (l->base.self != NULL)
        l->ops->destroy(l->base.self);
    if (l->handle != NULL)
        dlclose(l->handle);
    free(l);
}

void *hd_model_port(struct hd_model *m, const char *name, unsigned *width)
{
    struct loaded *l = loaded_of(m);

    for (uint32_t i = 0; i < l->ops->num_ports; i++) {
        if (strcmp(l->ops->ports[i].name, name) == 0) {
            if (width != NULL)
                *width = l->ops->ports[i].width;
            return l->ops->port(m->self, i);
        }
    }
    return NULL;
}

void *hd_model_port_of_width(struct hd_model *m, const char *name, unsigned width)
{
    unsigned have = 0;
    void *port = hd_model_port(m, name, &have);

    if (port != NULL && have == width)
        return port;
    if (port == NULL)
        fprintf(stderr, "hd_model: %s has no port %s\n", loaded_of(m)->ops->top, name);
    else
        fprintf(stderr, "hd_model: %s.%s has %u bits, the caller expects %u\n", loaded_of(m)->ops->top,
                name, have, width);
    return NULL;
}

bool hd_model_port_at(struct hd_model *m, unsigned index, struct hd_model_port *port)
{
    const struct hd_model_ops *ops = loaded_of(m)->ops;

    if (index >= ops->num_ports)
        return false;
    port->name = ops->ports[index].name;
    port->width = ops->ports[index].width;
    port->input = ops->ports[index].dir == HD_PORT_IN;
    port->value = ops->port(m->self, index);
    return true;
}

void hd_model_edge(struct hd_model *m)
{
    struct loaded *l = loaded_of(m);

    hd_model_eval(m); /* inputs settle first: assertions sample what the registers will take */
    *l->clk = 1;
    hd_model_eval(m);
    *l->clk = 0;
    hd_model_eval(m);
}

void hd_model_zero_inputs(struct hd_model *m)
{
    struct loaded *l = loaded_of(m);

    for (uint32_t i = 0; i < l->ops->num_ports; i++) {
        const struct hd_model_port_info *p = &l->ops->ports[i];

        if (p->dir == HD_PORT_IN && strcmp(p->name, "clk_i") != 0 && strcmp(p->name, "rst_i") != 0)
            memset(l->ops->port(m->self, i), 0, p->words ? 4u * p->words : p->bytes);
    }
}

bool hd_model_trace_open(struct hd_model *m, const char *path)
{
    const struct hd_model_ops *ops = loaded_of(m)->ops;

    if (!(ops->flags & HD_MODEL_HAS_TRACE)) {
        fprintf(stderr, "hd_model: %s was built without waves (variant wave has them)\n", ops->top);
        return false;
    }
    if (ops->trace_open(m->self, path) != 0) {
        fprintf(stderr, "hd_model: cannot write %s\n", path);
        return false;
    }
    return true;
}

void hd_model_trace_dump(struct hd_model *m, uint64_t time)
{
    loaded_of(m)->ops->trace_dump(m->self, time);
}

void hd_model_trace_close(struct hd_model *m)
{
    loaded_of(m)->ops->trace_close(m->self);
}

void *hd_model_save(struct hd_model *m, size_t *size)
{
    return loaded_of(m)->ops->save(m->self, size);
}

bool hd_model_restore(struct hd_model *m, const void *image, size_t size)
{
    return loaded_of(m)->ops->restore(m->self, image, size) == 0;
}

uint64_t hd_model_assert_failures(const struct hd_model *m)
{
    return *loaded_of_const(m)->ops->assert_failures(m->self);
}

void hd_model_assert_clear(struct hd_model *m)
{
    hd_model_assert_set(m, 0);
}

void hd_model_assert_set(struct hd_model *m, uint64_t failures)
{
    *loaded_of(m)->ops->assert_failures(m->self) = failures;
}

bool hd_model_has_asserts(const struct hd_model *m)
{
    return loaded_of_const(m)->ops->flags & HD_MODEL_HAS_ASSERTS;
}

bool hd_model_coverage_write(struct hd_model *m, const char *path)
{
    const struct hd_model_ops *ops = loaded_of(m)->ops;

    if (!(ops->flags & HD_MODEL_HAS_COVERAGE) || ops->coverage_write(m->self, path) != 0) {
        fprintf(stderr, "hd_model: %s: no coverage written to %s\n", ops->top, path);
        return false;
    }
    return true;
}
