// shim.h - what the C interfaces of all models share. shim_common.cpp is compiled once per set of flags, with Verilator's run
// time; shim.cpp, once per model, adds what names the model's class.
#ifndef HD_SHIM_H
#define HD_SHIM_H
#include "hd_model_abi.h"
#include <verilated.h>
#include <verilated_save.h>

class VerilatedFstC;

// What only a model's own class can do; `top` is of that class.
struct HdHooks {
    VerilatedModel* (*make)(VerilatedContext* context, const char* instance);  // nullptr: out of memory
    void (*remove)(VerilatedModel* top);  // after its final blocks
    void (*write)(VerilatedSerialize& to, VerilatedModel* top);
    void (*read)(VerilatedDeserialize& from, VerilatedModel* top);
    void (*trace)(VerilatedFstC* to, VerilatedModel* top);
};

struct HdModel {
    VerilatedContext context;  // one per instance: instances share no time, seed or error state
    VerilatedModel* top = nullptr;
    const HdHooks* hooks = nullptr;
    uint64_t assert_failures = 0;
    bool begun = false;  // evaluated once: initial blocks have run
    VerilatedFstC* trace = nullptr;
};

extern __thread uint64_t* hd_failures_of_running_eval;  // NULL in a model without assertions

// Functions of hd_model_ops; `self` is an HdModel.
void* hd_create(const HdHooks* hooks, const char* instance);
void hd_destroy(void* self);
int hd_trace_open(void* self, const char* path);
void hd_trace_dump(void* self, uint64_t time);
void hd_trace_close(void* self);
void* hd_save(void* self, size_t* size);
int hd_restore(void* self, const void* image, size_t size);
uint64_t* hd_assert_failures(void* self);
int hd_coverage_write(void* self, const char* path);
#endif
