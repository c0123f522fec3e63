// shim.cpp - the C interface (hd_model_abi.h) of one verilated model; the only C++ of the project.
//
// build_model.sh compiles it once per model with -DHD_TOP=<top> and the names of its headers, beside ports.inc and
// clocks.inc, which genshim.awk and build_model.sh made.
#include HD_TOP_HEADER
#include HD_ROOT_HEADER
#include "hd_model_abi.h"
#include "verilated.h"
#include "verilated_save.h"
#if VM_TRACE_FST
#include "verilated_fst_c.h"
#endif
#if VM_COVERAGE
#include "verilated_cov.h"
#endif
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

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

struct Model {
    VerilatedContext context;  // one per instance: instances share no time, seed or error state
    std::unique_ptr<Top> top;
    uint64_t assert_failures = 0;
    bool begun = false;  // evaluated once: initial blocks have run
#if VM_TRACE_FST
    std::unique_ptr<VerilatedFstC> trace;
#endif
};

#if HD_ASSERTS
thread_local uint64_t* failures_of_running_eval = nullptr;
#endif

// Verilator's serializers write files; these keep the bytes in memory. flush() and fill() are the hooks.
struct ImageWriter final : VerilatedSerialize {
    std::vector<uint8_t> bytes;
    ImageWriter() { m_isOpen = true; header(); }
    ~ImageWriter() override { close(); }
    void close() override {
        if (!m_isOpen) return;
        trailer();
        flush();
        m_isOpen = false;
    }
    void flush() override {
        bytes.insert(bytes.end(), m_bufp, m_cp);
        m_cp = m_bufp;
    }
};

struct ImageReader final : VerilatedDeserialize {
    const uint8_t *next, *end;
    ImageReader(const void* image, size_t size)
        : next(static_cast<const uint8_t*>(image)), end(next + size) {
        m_isOpen = true;
        m_endp = m_cp = m_bufp;
        header();
    }
    ~ImageReader() override { close(); }
    void close() override {
        if (!m_isOpen) return;
        trailer();
        m_isOpen = false;
    }
    void flush() override {}
    void fill() override {
        const size_t kept = m_endp - m_cp;
        std::memmove(m_bufp, m_cp, kept);
        m_cp = m_bufp;
        m_endp = m_bufp + kept;
        const size_t room = bufferSize() - kept, left = end - next, n = room < left ? room : left;
        std::memcpy(m_endp, next, n);
        m_endp += n;
        next += n;
    }
};

const hd_model_port_info port_table[] = {
#define HD_PORT(name, width, dir, bytes, words) {#name, width, dir, bytes, words},
#define HD_PORT_WIDE HD_PORT
#include "ports.inc"
#undef HD_PORT
#undef HD_PORT_WIDE
};

Model* of(void* self) { return static_cast<Model*>(self); }

void* create(const char* instance) {
    Model* const m = new (std::nothrow) Model;
    if (!m) return nullptr;
    m->context.randReset(2);  // registers without reset start random where the build keeps that choice
    m->context.randSeed(1);
    m->context.traceEverOn(true);
    m->context.threads(1);  // else each context starts a pool of threads it never uses
    m->top.reset(new (std::nothrow) Top{&m->context, instance});
    if (m->top) return m;
    delete m;
    return nullptr;
}

void trace_close(void* self) {
#if VM_TRACE_FST
    if (of(self)->trace) of(self)->trace->close();
    of(self)->trace.reset();
#else
    (void)self;
#endif
}

void destroy(void* self) {
    trace_close(self);
    of(self)->top->final();
    delete of(self);
}

void* port(void* self, uint32_t index) {
    Top& top = *of(self)->top;
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
    failures_of_running_eval = &of(self)->assert_failures;
#endif
    of(self)->top->eval();
    of(self)->begun = true;
}

// Clocks count as low before, without an evaluation at which they are.
void rise(void* self) {
#if HD_ONE_EDGE  // what eval() finds out each time is known: inputs may have changed, the one clock rises, nothing else
    if (of(self)->begun) {
        Root* const root = of(self)->top->rootp;
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
#define HD_CLOCK(name) of(self)->top->rootp->__Vtrigrprev__TOP__##name = 0;
#include "clocks.inc"
#undef HD_CLOCK
    eval(self);
}

int trace_open(void* self, const char* path) {
#if VM_TRACE_FST
    trace_close(self);
    of(self)->trace.reset(new VerilatedFstC);
    of(self)->top->trace(of(self)->trace.get(), 99);
    of(self)->trace->open(path);
    return of(self)->trace->isOpen() ? 0 : -1;
#else
    (void)self, (void)path;
    return -1;
#endif
}

void trace_dump(void* self, uint64_t time) {
#if VM_TRACE_FST
    if (of(self)->trace) of(self)->trace->dump(time);
#else
    (void)self, (void)time;
#endif
}

#if VM_COVERAGE  // Verilator cannot combine it with --savable
void* save(void*, size_t*) { return nullptr; }
int restore(void*, const void*, size_t) { return -1; }
#else
void* save(void* self, size_t* size) {
    ImageWriter writer;
    writer << *of(self)->top;
    writer.close();
    void* const image = std::malloc(writer.bytes.size());
    if (!image) return nullptr;
    std::memcpy(image, writer.bytes.data(), writer.bytes.size());
    *size = writer.bytes.size();
    return image;
}

// Verilator aborts on an image of another model; a length that cannot be ours is refused before that.
int restore(void* self, const void* image, size_t size) {
    size_t own = 0;
    void* const present = save(self, &own);
    std::free(present);
    if (!present || own != size) return -1;
    ImageReader reader(image, size);
    reader >> *of(self)->top;
    return 0;
}
#endif

uint64_t* assert_failures(void* self) { return &of(self)->assert_failures; }

int coverage_write(void* self, const char* path) {
#if VM_COVERAGE
    of(self)->context.coveragep()->forcePerInstance(true);  // or the points of a generate loop become one
    of(self)->context.coveragep()->write(path);
    return 0;
#else
    (void)self, (void)path;
    return -1;
#endif
}

const hd_model_ops ops = {
    HD_MODEL_ABI,
    (HD_ASSERTS ? HD_MODEL_HAS_ASSERTS : 0) | (VM_TRACE_FST ? HD_MODEL_HAS_TRACE : 0)
        | (VM_COVERAGE ? HD_MODEL_HAS_COVERAGE : 0),
    HD_STRING(HD_TOP),
    sizeof port_table / sizeof *port_table,
    port_table,
    create,
    destroy,
    port,
    eval,
    rise,
    trace_open,
    trace_dump,
    trace_close,
    save,
    restore,
    assert_failures,
    coverage_write,
};

}  // namespace

// Verilator calls this for a failed assertion (after printing it) and for $stop: count, do not abort.
void vl_stop(const char*, int, const char*) {
#if HD_ASSERTS
    if (failures_of_running_eval) ++*failures_of_running_eval;
#endif
}

extern "C" __attribute__((visibility("default"))) const hd_model_ops* hd_model_entry(void) {
    return &ops;
}
