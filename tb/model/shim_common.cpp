// shim_common.cpp - the C interface of models as far as it is the same for all (shim.h).
#include "shim.h"
#if VM_TRACE_FST
#include "verilated_fst_c.h"
#endif
#if VM_COVERAGE
#include "verilated_cov.h"
#endif
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

namespace {

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

HdModel* of(void* self) { return static_cast<HdModel*>(self); }

}  // namespace

void* hd_create(const HdHooks* hooks, const char* instance) {
    HdModel* const m = new (std::nothrow) HdModel;
    if (!m) return nullptr;
    m->hooks = hooks;
    m->context.randReset(2);  // registers without reset start random where the build keeps that choice
    m->context.randSeed(1);
    m->context.traceEverOn(true);
    m->context.threads(1);  // else each context starts a pool of threads it never uses
    m->top = hooks->make(&m->context, instance);
    if (m->top) return m;
    delete m;
    return nullptr;
}

void hd_destroy(void* self) {
    HdModel* const m = of(self);
    hd_trace_close(self);
    m->hooks->remove(m->top);
    delete m;
}

#if VM_TRACE_FST
void hd_trace_close(void* self) {
    if (of(self)->trace) of(self)->trace->close();
    delete of(self)->trace;
    of(self)->trace = nullptr;
}

int hd_trace_open(void* self, const char* path) {
    hd_trace_close(self);
    VerilatedFstC* const trace = of(self)->trace = new VerilatedFstC;
    of(self)->hooks->trace(trace, of(self)->top);
    trace->open(path);
    return trace->isOpen() ? 0 : -1;
}

void hd_trace_dump(void* self, uint64_t time) {
    if (of(self)->trace) of(self)->trace->dump(time);
}
#else
void hd_trace_close(void*) {}
int hd_trace_open(void*, const char*) { return -1; }
void hd_trace_dump(void*, uint64_t) {}
#endif

#if VM_COVERAGE  // Verilator cannot combine it with --savable
void* hd_save(void*, size_t*) { return nullptr; }
int hd_restore(void*, const void*, size_t) { return -1; }

int hd_coverage_write(void* self, const char* path) {
    of(self)->context.coveragep()->forcePerInstance(true);  // or the points of a generate loop become one
    of(self)->context.coveragep()->write(path);
    return 0;
}
#else
void* hd_save(void* self, size_t* size) {
    ImageWriter writer;
    of(self)->hooks->write(writer, of(self)->top);
    writer.close();
    void* const image = std::malloc(writer.bytes.size());
    if (!image) return nullptr;
    std::memcpy(image, writer.bytes.data(), writer.bytes.size());
    *size = writer.bytes.size();
    return image;
}

// Verilator aborts on an image of another model; a length that cannot be ours is refused before that.
int hd_restore(void* self, const void* image, size_t size) {
    size_t own = 0;
    void* const present = hd_save(self, &own);
    std::free(present);
    if (!present || own != size) return -1;
    ImageReader reader(image, size);
    of(self)->hooks->read(reader, of(self)->top);
    return 0;
}

int hd_coverage_write(void*, const char*) { return -1; }
#endif

uint64_t* hd_assert_failures(void* self) { return &of(self)->assert_failures; }

__thread uint64_t* hd_failures_of_running_eval = nullptr;

// Verilator calls this for a failed assertion (after printing it) and for $stop: count, do not abort.
void vl_stop(const char*, int, const char*) {
    if (hd_failures_of_running_eval) ++*hd_failures_of_running_eval;
}
