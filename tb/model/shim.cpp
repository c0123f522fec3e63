// shim.cpp - the C interface (hd_model_abi.h) of one verilated model; with shim_common.cpp the only C++ of the project.
//
// build_model.sh compiles it once per model with -DHD_TOP=<top> and the names of its headers, beside ports.inc and
// clocks.inc, which genshim.awk and build_model.sh made. No templates of its own: they would take as long to compile as a small
// model.
#include HD_TOP_HEADER
#include HD_ROOT_HEADER
#include "shim.h"
#if VM_TRACE_FST
#include "verilated_fst_c.h"
#endif

#define HD_STRING_(x) #x
#define HD_STRING(x) HD_STRING_(x)
#define HD_CAT_(a, b) a##b
#define HD_CAT(a, b) HD_CAT_(a, b)

#if HD_ONE_EDGE  // the parts of an evaluation that Verilator wrote
#define HD_PART(name) HD_CAT(HD_CAT(V, HD_TOP), ___024root___eval_##name)
using Root = HD_CAT(HD_CAT(V, HD_TOP), ___024root);
void HD_PART(ico)(Root*);
void HD_PART(act)(Root*);
void HD_PART(nba)(Root*);
#endif

namespace {

using Top = HD_CAT(V, HD_TOP);

Top* of(VerilatedModel* top) { return static_cast<Top*>(top); }
Top* of(void* self) { return of(static_cast<HdModel*>(self)->top); }

const hd_model_port_info port_table[] = {
#define HD_PORT(name, width, dir, bytes, words) {#name, width, dir, bytes, words},
#define HD_PORT_WIDE HD_PORT
#include "ports.inc"
#undef HD_PORT
#undef HD_PORT_WIDE
};

VerilatedModel* make(VerilatedContext* context, const char* instance) {
    return new (std::nothrow) Top{context, instance};
}
void remove(VerilatedModel* top) {
    of(top)->final();
    delete of(top);
}
#if VM_COVERAGE
void write(VerilatedSerialize&, VerilatedModel*) {}
void read(VerilatedDeserialize&, VerilatedModel*) {}
#else
void write(VerilatedSerialize& to, VerilatedModel* top) { to << *of(top); }
void read(VerilatedDeserialize& from, VerilatedModel* top) { from >> *of(top); }
#endif
#if VM_TRACE_FST
void trace(VerilatedFstC* to, VerilatedModel* top) { of(top)->trace(to, 99); }
#else
void trace(VerilatedFstC*, VerilatedModel*) {}
#endif

const HdHooks hooks = {make, remove, write, read, trace};

void* create(const char* instance) { return hd_create(&hooks, instance); }

void* port(void* self, uint32_t index) {
    Top& top = *of(self);
    void* const ports[] = {
#define HD_PORT(name, width, dir, bytes, words) &top.name,
#define HD_PORT_WIDE(name, width, dir, bytes, words) top.name.data(),
#include "ports.inc"
#undef HD_PORT
#undef HD_PORT_WIDE
    };
    return ports[index];
}

void eval(void* self) {
#if HD_ASSERTS
    hd_failures_of_running_eval = &static_cast<HdModel*>(self)->assert_failures;
#endif
    of(self)->eval();
    static_cast<HdModel*>(self)->begun = true;
}

// Clocks count as low before, without an evaluation at which they are.
void rise(void* self) {
#if HD_ONE_EDGE  // what eval() finds out each time is known: inputs may have changed, the one clock rises, nothing else
    if (static_cast<HdModel*>(self)->begun) {
        Root* const root = of(self)->rootp;
#if HD_INPUTS_PASS
        root->__VicoTriggered.at(0) = true;
        HD_PART(ico)(root);
#endif
        root->__VactTriggered.at(0) = true;
        root->__VnbaTriggered.at(0) = true;
        HD_PART(act)(root);
        HD_PART(nba)(root);
        return;
    }
#endif
#define HD_CLOCK(name) of(self)->rootp->__Vtrigrprev__TOP__##name = 0;
#include "clocks.inc"
#undef HD_CLOCK
    eval(self);
}

const hd_model_ops ops = {
    HD_MODEL_ABI,
    (HD_ASSERTS ? HD_MODEL_HAS_ASSERTS : 0) | (VM_TRACE_FST ? HD_MODEL_HAS_TRACE : 0)
        | (VM_COVERAGE ? HD_MODEL_HAS_COVERAGE : 0),
    HD_STRING(HD_TOP),
    sizeof port_table / sizeof *port_table,
    port_table,
    create,
    hd_destroy,
    port,
    eval,
    rise,
    hd_trace_open,
    hd_trace_dump,
    hd_trace_close,
    hd_save,
    hd_restore,
    hd_assert_failures,
    hd_coverage_write,
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const hd_model_ops* hd_model_entry(void) {
    return &ops;
}
