/* hd_model_abi.h - what a model plug-in (model.so) and its loader agree on.
 *
 * shim.cpp fills the table inside the plug-in, hd_model.c reads it; nobody else includes this file.
 * A plug-in exports one symbol, hd_model_entry, that returns the table. */
#ifndef HD_MODEL_ABI_H
#define HD_MODEL_ABI_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { HD_MODEL_ABI = 2 };
enum { HD_PORT_IN, HD_PORT_OUT };
enum { HD_MODEL_HAS_ASSERTS = 1, HD_MODEL_HAS_TRACE = 2, HD_MODEL_HAS_COVERAGE = 4 };

struct hd_model_port_info {
    const char *name;
    uint32_t width; /* bits */
    uint8_t dir;    /* HD_PORT_IN, HD_PORT_OUT */
    uint8_t bytes;  /* of the C type: 1, 2, 4 or 8; 4 for a wide port */
    uint16_t words; /* 32-bit words of a wide port (over 64 bits), else 0 */
};

struct hd_model_ops {
    uint32_t abi;   /* HD_MODEL_ABI */
    uint32_t flags; /* HD_MODEL_HAS_* */
    const char *top;
    uint32_t num_ports;
    const struct hd_model_port_info *ports;
    void *(*create)(const char *instance); /* NULL: out of memory */
    void (*destroy)(void *self);
    void *(*port)(void *self, uint32_t index);
    void (*eval)(void *self);
    void (*rise)(void *self); /* eval, with every clock low before */
    int (*trace_open)(void *self, const char *path); /* 0, or -1 */
    void (*trace_dump)(void *self, uint64_t time);
    void (*trace_close)(void *self);
    void *(*save)(void *self, size_t *size); /* malloc'd, or NULL */
    int (*restore)(void *self, const void *image, size_t size);
    uint64_t *(*assert_failures)(void *self);
    int (*coverage_write)(void *self, const char *path);
};

#ifdef __cplusplus
}
#endif
#endif
