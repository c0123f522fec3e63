/* coro.c - see coro.h. */
#define _DEFAULT_SOURCE 1
/* The checked longjmp of fortified builds refuses to jump to another stack. */
#undef _FORTIFY_SOURCE
#include "coro.h"
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef HD_CORO_FIBERS
#include <sanitizer/tsan_interface.h>

static void new_fiber(struct hd_coro *c)
{
    c->fiber = __tsan_create_fiber(0); /* lives as long as the program: only tests are built like this */
    c->caller_fiber = __tsan_get_current_fiber();
}

static void enter_fiber(struct hd_coro *c)
{
    c->caller_fiber = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(c->fiber, 0);
}

static void leave_fiber(struct hd_coro *c)
{
    __tsan_switch_to_fiber(c->caller_fiber, 0);
}
#else
static void new_fiber(struct hd_coro *c)
{
    (void)c;
}

static void enter_fiber(struct hd_coro *c)
{
    (void)c;
}

static void leave_fiber(struct hd_coro *c)
{
    (void)c;
}
#endif

struct hd_stacks {
    char *base;
    size_t page, stride, count; /* stride = guard page + stack */
};

struct hd_stacks *hd_stacks_new(size_t count, size_t bytes)
{
    struct hd_stacks *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->page = (size_t)sysconf(_SC_PAGESIZE);
    s->stride = s->page + (bytes + s->page - 1) / s->page * s->page;
    s->count = count;
    s->base = mmap(NULL, s->stride * count, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (s->base == MAP_FAILED) {
        free(s);
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        if (mprotect(s->base + i * s->stride, s->page, PROT_NONE) != 0) {
            hd_stacks_free(s);
            return NULL;
        }
    return s;
}

void hd_stacks_free(struct hd_stacks *s)
{
    if (!s)
        return;
    munmap(s->base, s->stride * s->count);
    free(s);
}

bool hd_stacks_guard(const struct hd_stacks *s, const void *address)
{
    uintptr_t at = (uintptr_t)address - (uintptr_t)s->base; /* below the first: huge */
    return at < s->stride * s->count && at % s->stride < s->page;
}

size_t hd_stacks_bytes(const struct hd_stacks *s)
{
    return s->stride - s->page;
}

/* makecontext passes ints only: the pointer comes in two halves. */
static void entry(unsigned high, unsigned low)
{
    struct hd_coro *c = (struct hd_coro *)(((uintptr_t)high << 16 << 16) | low);
    if (_setjmp(c->self) == 0) {
        leave_fiber(c);
        setcontext(c->back);
    }
    c->fn(c->arg);
    abort();
}

void hd_coro_init(struct hd_coro *c, struct hd_stacks *s, size_t i, hd_coro_fn *fn, void *arg)
{
    ucontext_t here, there;
    uintptr_t p = (uintptr_t)c;
    c->fn = fn;
    c->arg = arg;
    c->back = &here;
    getcontext(&there);
    there.uc_stack.ss_sp = s->base + i * s->stride + s->page;
    there.uc_stack.ss_size = s->stride - s->page;
    there.uc_link = NULL;
    makecontext(&there, (void (*)(void))entry, 2, (unsigned)(p >> 16 >> 16), (unsigned)p);
    new_fiber(c);
    enter_fiber(c);
    swapcontext(&here, &there);
    c->back = NULL;
}

void hd_coro_resume(struct hd_coro *c)
{
    if (_setjmp(c->caller) == 0) {
        enter_fiber(c);
        _longjmp(c->self, 1);
    }
}

void hd_coro_suspend(struct hd_coro *c)
{
    if (_setjmp(c->self) == 0) {
        leave_fiber(c);
        _longjmp(c->caller, 1);
    }
}
