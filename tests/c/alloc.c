/* alloc.c - counts what must not happen while tiles run: allocations, formatted text, output, locks.
 *
 * usage: alloc [--plant NAME] [--record FILE.hdt] CONFIG [key=value]... -- WORKLOAD|FILE.hdt [key=value]...
 *
 * One run of the heddle command's kind, in a program whose own malloc, free, printf, pthread_mutex_lock, ... come before
 * the C library's (for the models as well). The linker's --wrap marks the spans: from the call of a tile's run function
 * to its return, in each thread apart. What is done between windows (hd_dram_reserve, hd_evlog_reserve, the checks)
 * may allocate. --plant has NAME called inside: to see that it is found. Exit code 0: nothing, 1: something was
 * called, 2: the run failed. */
#define _GNU_SOURCE
#include "run/configure.h"
#include "crew.h"
#include "run/run.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORBIDDEN(X)                                                                                        \
    X(malloc) X(calloc) X(realloc) X(free) X(posix_memalign) X(aligned_alloc) X(memalign) X(mmap) X(munmap)  \
    X(printf) X(fprintf) X(sprintf) X(snprintf) X(vprintf) X(vfprintf) X(vsprintf) X(vsnprintf) X(puts)      \
    X(fputs) X(fputc) X(putchar) X(fwrite) X(write) X(pthread_mutex_lock) X(pthread_cond_wait)

enum {
#define NUMBER(name) F_##name,
    FORBIDDEN(NUMBER)
#undef NUMBER
    FUNCTIONS
};
static const char *const names[FUNCTIONS] = {
#define NAME(name) #name,
    FORBIDDEN(NAME)
#undef NAME
};

static atomic_ullong calls[FUNCTIONS], spans;
static _Thread_local unsigned inside;

/* The first time a worker thread runs a plug-in, the C library allocates its copy of the plug-in's thread-local variables:
 * once a thread and plug-in, whichever window that is in. */
enum { COPIES = 4 };
static _Thread_local unsigned copies;
static pthread_t main_thread;

static void seen(unsigned f)
{
    if (inside > 0)
        atomic_fetch_add_explicit(&calls[f], 1, memory_order_relaxed);
}

/* ---- the spans ---------------------------------------------------------------------------------------------- */

/* Every tile is run by the crew: its jobs are those of the machine with a mark around them. */
struct marked {
    struct hd_job job;
};

static void run_marked(void *ctx, void *tile, uint64_t from, uint64_t to)
{
    const struct marked *m = tile;

    inside++;
    m->job.run(ctx, m->job.tile, from, to);
    inside--;
    atomic_fetch_add_explicit(&spans, 1, memory_order_relaxed);
}

struct hd_crew *__real_hd_crew_new(void *ctx, const struct hd_job *jobs, size_t n, unsigned threads, uint64_t seed);
struct hd_crew *__wrap_hd_crew_new(void *ctx, const struct hd_job *jobs, size_t n, unsigned threads, uint64_t seed);
struct hd_crew *__wrap_hd_crew_new(void *ctx, const struct hd_job *jobs, size_t n, unsigned threads, uint64_t seed)
{
    struct marked *m = calloc(n, sizeof *m); /* as long as the program */
    struct hd_job *mine = calloc(n, sizeof *mine);

    if (!m || !mine)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        m[i].job = mine[i] = jobs[i];
        mine[i].run = run_marked;
        mine[i].tile = &m[i];
    }
    struct hd_crew *c = __real_hd_crew_new(ctx, mine, n, threads, seed);
    free(mine);
    return c;
}

/* A fault planted at the far end of a call chain of the loop. */
static const char *plant = "";

void __real_hd_link_send(struct hd_link *l, uint64_t now, unsigned vn, bool tail, const uint32_t *words);
void __wrap_hd_link_send(struct hd_link *l, uint64_t now, unsigned vn, bool tail, const uint32_t *words);
void __wrap_hd_link_send(struct hd_link *l, uint64_t now, unsigned vn, bool tail, const uint32_t *words)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    char text[32];

    if (strcmp(plant, "malloc") == 0)
        free(malloc(16)); /* built with -fno-builtin: both stay */
    if (strcmp(plant, "snprintf") == 0)
        snprintf(text, sizeof text, "%llu", (unsigned long long)now);
    if (strcmp(plant, "pthread_mutex_lock") == 0) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    __real_hd_link_send(l, now, vn, tail, words);
}

/* ---- the functions ------------------------------------------------------------------------------------------ */

/* The C library's own, for those that are needed before dlsym() can be called. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void __libc_free(void *p);
void *__libc_memalign(size_t align, size_t n);

void *malloc(size_t n)
{
    if (inside == 0 || pthread_equal(pthread_self(), main_thread) || copies++ >= COPIES)
        seen(F_malloc);
    return __libc_malloc(n);
}
void *calloc(size_t n, size_t size) { return seen(F_calloc), __libc_calloc(n, size); }
void *realloc(void *p, size_t n) { return seen(F_realloc), __libc_realloc(p, n); }
void free(void *p) { seen(F_free), __libc_free(p); }
void *memalign(size_t align, size_t n) { return seen(F_memalign), __libc_memalign(align, n); }
void *aligned_alloc(size_t align, size_t n) { return seen(F_aligned_alloc), __libc_memalign(align, n); }
int posix_memalign(void **p, size_t align, size_t n)
{
    seen(F_posix_memalign);
    *p = __libc_memalign(align, n);
    return *p ? 0 : 12;
}

/* @return the next definition of function number @f. */
static void *next(unsigned f)
{
    static void *_Atomic found[FUNCTIONS];
    void *p = atomic_load(&found[f]);

    if (!p) {
        p = dlsym(RTLD_NEXT, names[f]);
        atomic_store(&found[f], p);
    }
    seen(f);
    return p;
}
#define NEXT(name) (__extension__(__typeof__(&name))next(F_##name))
#define FORMATTED(name, vname, ...)            \
    va_list args;                              \
    va_start(args, format);                    \
    seen(F_##name);                            \
    unsigned span = inside;                    \
    inside = 0; /* counted once */             \
    int n = NEXT(vname)(__VA_ARGS__, args);    \
    inside = span;                             \
    va_end(args);                              \
    return n

int printf(const char *format, ...) { FORMATTED(printf, vprintf, format); }
int fprintf(FILE *f, const char *format, ...) { FORMATTED(fprintf, vfprintf, f, format); }
int sprintf(char *to, const char *format, ...) { FORMATTED(sprintf, vsprintf, to, format); }
int snprintf(char *to, size_t size, const char *format, ...) { FORMATTED(snprintf, vsnprintf, to, size, format); }
int vprintf(const char *format, va_list args) { return NEXT(vprintf)(format, args); }
int vfprintf(FILE *f, const char *format, va_list args) { return NEXT(vfprintf)(f, format, args); }
int vsprintf(char *to, const char *format, va_list args) { return NEXT(vsprintf)(to, format, args); }
int vsnprintf(char *to, size_t n, const char *format, va_list args) { return NEXT(vsnprintf)(to, n, format, args); }
int puts(const char *s) { return NEXT(puts)(s); }
int fputs(const char *s, FILE *f) { return NEXT(fputs)(s, f); }
int fputc(int c, FILE *f) { return NEXT(fputc)(c, f); }
int putchar(int c) { return NEXT(putchar)(c); }
size_t fwrite(const void *from, size_t size, size_t n, FILE *f) { return NEXT(fwrite)(from, size, n, f); }
ssize_t write(int file, const void *from, size_t n) { return NEXT(write)(file, from, n); }
void *mmap(void *at, size_t n, int protection, int flags, int file, off_t offset)
{
    return NEXT(mmap)(at, n, protection, flags, file, offset);
}
int munmap(void *at, size_t n) { return NEXT(munmap)(at, n); }
int pthread_mutex_lock(pthread_mutex_t *m) { return NEXT(pthread_mutex_lock)(m); }
int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) { return NEXT(pthread_cond_wait)(c, m); }

/* ---- the program -------------------------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
    struct hd_config c;
    struct hd_result r;
    int i = 1;

    main_thread = pthread_self();
    if (i + 1 < argc && strcmp(argv[i], "--plant") == 0) {
        plant = argv[i + 1];
        i += 2;
    }
    const char *record = NULL;
    if (i + 1 < argc && strcmp(argv[i], "--record") == 0) {
        record = argv[i + 1];
        i += 2;
    }
    const char *const *set = (const char *const *)&argv[i + 1];
    size_t sets = 0;
    while (i + 1 + (int)sets < argc && strcmp(argv[i + 1 + (int)sets], "--") != 0)
        sets++;
    int work = i + 2 + (int)sets;
    if (work >= argc || hd_configure(&c, argv[i], set, sets) != 0) {
        fprintf(stderr, "usage: alloc [--plant NAME] [--record FILE.hdt] CONFIG [key=value]... -- WORKLOAD|FILE.hdt [key=value]...\n");
        return 2;
    }
    const bool trace = strstr(argv[work], ".hdt") != NULL;
    struct hd_run_options o = {.config = &c, .workload = trace ? NULL : hd_workload_find(argv[work]),
                               .trace = trace ? argv[work] : NULL, .record = record,
                               .params = (const char *const *)&argv[work + 1], .num_params = (size_t)(argc - work - 1),
                               .seed = 1};
    if ((!o.workload && !trace) || hd_run(&o, &r) != 0 || !hd_result_good(&r)) {
        fprintf(stderr, "alloc: the run failed\n");
        return 2;
    }
    hd_result_free(&r);
    unsigned long long all = 0;
    for (unsigned f = 0; f < FUNCTIONS; f++) {
        if (calls[f] > 0)
            printf("%s: %llu calls while tiles ran\n", names[f], calls[f]);
        all += calls[f];
    }
    printf("%llu tile runs, %llu forbidden calls in them\n", (unsigned long long)spans, all);
    return all > 0 || spans == 0;
}
