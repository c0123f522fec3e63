/* coro.h - stackful coroutines: created with makecontext, switched with _setjmp/_longjmp (no system call).
 *
 * A coroutine and its caller belong to one thread at a time. Nothing is allocated while they run. */
#ifndef HD_CORO_H
#define HD_CORO_H
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

typedef void hd_coro_fn(void *arg);

#if defined __SANITIZE_THREAD__
#define HD_CORO_FIBERS 1 /* the thread sanitizer wants to be told of each switch */
#elif defined __has_feature
#if __has_feature(thread_sanitizer)
#define HD_CORO_FIBERS 1
#endif
#endif

struct hd_coro {
    jmp_buf self, caller;
#ifdef HD_CORO_FIBERS
    void *fiber, *caller_fiber;
#endif
    hd_coro_fn *fn;
    void *arg;
    void *back;                /* where hd_coro_init() waits, only during it */
};

/* Stacks of @count coroutines with @bytes each (rounded up to pages), a guard page below each.
 * @return NULL when there is no memory. */
struct hd_stacks *hd_stacks_new(size_t count, size_t bytes);
void hd_stacks_free(struct hd_stacks *s);

/* @return whether @address is in a guard page of @s; the bytes of each stack. */
bool hd_stacks_guard(const struct hd_stacks *s, const void *address);
size_t hd_stacks_bytes(const struct hd_stacks *s);

/* Readies *c on stack number @i of @s: the first hd_coro_resume() calls fn(arg), which must not return. */
void hd_coro_init(struct hd_coro *c, struct hd_stacks *s, size_t i, hd_coro_fn *fn, void *arg);

/* Runs the coroutine until it suspends itself. Not from inside a coroutine. */
void hd_coro_resume(struct hd_coro *c);

/* Called by the coroutine: goes back to the caller of hd_coro_resume(). */
void hd_coro_suspend(struct hd_coro *c);
#endif
