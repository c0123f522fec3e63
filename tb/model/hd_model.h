/* hd_model.h - loads verilated models (plug-ins made by build_model.sh) and drives them from C.
 *
 * Any number of models and of instances of one model may live in a process; they share nothing, so two
 * threads may use two models at once. One model is used by one thread at a time. */
#ifndef HD_MODEL_H
#define HD_MODEL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Members are public only for the inline functions. */
struct hd_model {
    void (*eval_fn)(void *self), (*rise_fn)(void *self);
    void *self;
    bool two_phases; /* inputs must settle while clocks are low: assertions and waves look at what was there */
};

/* Opens a plug-in and makes one instance. @instance: its name in messages and waves.
 * @return NULL after a message on stderr. */
struct hd_model *hd_model_open(const char *so_path, const char *instance);
void hd_model_close(struct hd_model *m); /* NULL is allowed */

/* @return the storage of a port, valid until close, or NULL when the model has no port of that name.
 * Its type: uint8_t, uint16_t, uint32_t, uint64_t up to 8, 16, 32, 64 bits, else uint32_t[(width + 31) / 32],
 * low word first. Bits above @width must stay 0. @width may be NULL. */
void *hd_model_port(struct hd_model *m, const char *name, unsigned *width);

/* As above for generated *_bind() functions: the port must exist with exactly that width.
 * @return NULL after a message on stderr. */
void *hd_model_port_of_width(struct hd_model *m, const char *name, unsigned width);

/* The ports one by one, in the order of the module's header. */
struct hd_model_port {
    const char *name;
    unsigned width; /* bits */
    bool input;
    const void *value; /* as hd_model_port() gives it */
};
/* @return false when the model has no port of that index. */
bool hd_model_port_at(struct hd_model *m, unsigned index, struct hd_model_port *port);

/* Computes all outputs and registers for the present inputs; a rising clk_i since the last call is an edge. */
static inline void hd_model_eval(struct hd_model *m)
{
    m->eval_fn(m->self);
}

/* A rising edge of every clock that is high, with the present inputs; clocks were low at the last evaluation. Models
 * without assertions and waves save that evaluation: @return whether clocks must be low and evaluated first. */
static inline bool hd_model_two_phases(const struct hd_model *m)
{
    return m->two_phases;
}
static inline void hd_model_rise(struct hd_model *m)
{
    m->rise_fn(m->self);
}

/* One rising edge of clk_i with the present inputs; afterwards clk_i is low and outputs are settled. */
void hd_model_edge(struct hd_model *m);

/* Sets every input to 0 except clk_i and rst_i. */
void hd_model_zero_inputs(struct hd_model *m);

/* Waves (FST): only models of variant "wave". A dump adds the present values at @time, which must grow.
 * @return false after a message on stderr. */
bool hd_model_trace_open(struct hd_model *m, const char *path);
void hd_model_trace_dump(struct hd_model *m, uint64_t time);
void hd_model_trace_close(struct hd_model *m);

/* The whole state as bytes. @return malloc'd image of *size bytes (the caller frees it), or NULL. */
void *hd_model_save(struct hd_model *m, size_t *size);
/* Restores an image of the same model (any instance). @return false if it is none. */
bool hd_model_restore(struct hd_model *m, const void *image, size_t size);

/* RTL assertions that failed since open or clear. Always 0 when the model was built without. */
uint64_t hd_model_assert_failures(const struct hd_model *m);
void hd_model_assert_clear(struct hd_model *m);
void hd_model_assert_set(struct hd_model *m, uint64_t failures);
bool hd_model_has_asserts(const struct hd_model *m);

/* Writes coverage counts (variant "cov" only) for verilator_coverage. @return false after a message. */
bool hd_model_coverage_write(struct hd_model *m, const char *path);
#endif
