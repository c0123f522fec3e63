/* guard.c - see guard.h. */
#define _GNU_SOURCE 1 /* a timer of one thread */
#include "guard.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id /* glibc has the field, not its name */
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum { REFUSED = 2, SIGNAL_STACK = 64 * 1024, TICK_SECONDS = 1 };

/* A thread's own. The handlers below run on the thread whose kernel is at fault. */
static __thread struct {
    const struct hd_guarded *volatile inside;
    volatile uint64_t entered;
    uint64_t seen;   /* `entered` at the last tick */
    unsigned ticks;  /* since when the same warp has been inside */
    bool ready;
} here;

/* In the thread's own storage: nothing is allocated while a run goes on. */
static __thread struct thread {
    timer_t timer;
    bool timed;
    _Alignas(16) char stack[SIGNAL_STACK];
} own;

static pthread_key_t threads;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Ends the program from a signal handler. */
__attribute__((format(printf, 2, 3), noreturn)) static void end(const struct hd_guarded *g, const char *format, ...)
{
    char text[400];
    va_list args;
    int n = snprintf(text, sizeof text, "heddle: SM %u, warp %u (block %u, warp %u of it): ", g->sm, g->warp, g->block,
                     g->in_block);
    va_start(args, format);
    n += vsnprintf(text + n, sizeof text - (size_t)n, format, args);
    va_end(args);
    if (write(STDERR_FILENO, text, (size_t)n) != n)
        _exit(REFUSED);
    _exit(REFUSED);
}

#ifndef __SANITIZE_ADDRESS__ /* which has its own, better handler */
static void on_fault(int signal, siginfo_t *info, void *context)
{
    const struct hd_guarded *g = here.inside;
    (void)context;
    if (g && hd_stacks_guard(g->stacks, info->si_addr))
        end(g, "the kernel needs more than its stack of %zu KiB (key warp_stack)\n", hd_stacks_bytes(g->stacks) / 1024);
    if (g)
        end(g, "the kernel reads or writes at %p, which is no memory of the host%s\n", info->si_addr,
            (uintptr_t)info->si_addr < 4096 ? ": NULL?" : "");
    struct sigaction plain = {.sa_handler = SIG_DFL};
    sigaction(signal, &plain, NULL); /* our own fault: it happens again, and ends the program as it should */
}
#endif

static void on_tick(int signal)
{
    const struct hd_guarded *g = here.inside;
    (void)signal;
    if (!g || here.seen != here.entered) {
        here.seen = here.entered;
        here.ticks = 0;
    } else if (++here.ticks * TICK_SECONDS >= g->seconds)
        end(g, "the kernel has computed for %u s of host time without an operation (key warp_seconds): an endless "
            "loop?\n", g->seconds);
}

static void thread_ends(void *value)
{
    struct thread *t = value;
    const stack_t none = {.ss_flags = SS_DISABLE};
    if (t->timed)
        timer_delete(t->timer);
    sigaltstack(&none, NULL);
}

static void install(void)
{
    pthread_key_create(&threads, thread_ends);
    struct sigaction tick = {.sa_handler = on_tick, .sa_flags = SA_RESTART | SA_ONSTACK};
    sigaction(SIGRTMIN, &tick, NULL);
#ifndef __SANITIZE_ADDRESS__
    struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaction(SIGSEGV, &fault, NULL);
    sigaction(SIGBUS, &fault, NULL);
#endif
}

/* Without a timer the run goes on unguarded. */
static void set_up(void)
{
    struct thread *t = &own;
    here.ready = true;
    pthread_once(&once, install);
    const stack_t stack = {.ss_sp = t->stack, .ss_size = sizeof t->stack};
    sigaltstack(&stack, NULL);
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN};
    event.sigev_notify_thread_id = gettid();
    const struct itimerspec every = {.it_interval.tv_sec = TICK_SECONDS, .it_value.tv_sec = TICK_SECONDS};
    t->timed = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &t->timer) == 0;
    if (t->timed)
        timer_settime(t->timer, 0, &every, NULL);
    pthread_setspecific(threads, t);
}

void hd_guard_enter(const struct hd_guarded *g)
{
    if (!here.ready)
        set_up();
    here.entered++;
    here.inside = g;
}

void hd_guard_leave(void)
{
    here.inside = NULL;
}
