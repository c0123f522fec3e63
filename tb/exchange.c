/* exchange.c - see exchange.h. */
#include "exchange.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SPINS = 4000,   /* some 50 microseconds: longer than partitions of equal load differ */
    YIELDS = 1000,
    NAP = 50000     /* nanoseconds */
};

struct part {
    alignas(HD_CACHE_LINE) _Atomic uint64_t posted;
    struct hd_link_end *ends;
    size_t n;
};

struct hd_exchange {
    unsigned parts;
    struct hd_link_end *ends, *free; /* of all partitions; where the next partition's begin */
    struct part part[HD_MAX_THREADS];
};

struct hd_exchange *hd_exchange_new(unsigned parts, size_t ends)
{
    struct hd_exchange *x = aligned_alloc(HD_CACHE_LINE, sizeof *x);

    if (x == NULL)
        return NULL;
    memset(x, 0, sizeof *x);
    x->parts = parts;
    x->ends = calloc(ends, sizeof *x->ends);
    if (x->ends != NULL)
        return x;
    free(x);
    return NULL;
}

void hd_exchange_free(struct hd_exchange *x)
{
    if (x == NULL)
        return;
    free(x->ends);
    free(x);
}

void hd_exchange_assign(struct hd_exchange *x, unsigned part, const struct hd_link_end *ends, size_t n)
{
    if (part == 0)
        x->free = x->ends;
    x->part[part].ends = x->free;
    x->part[part].n = n;
    memcpy(x->free, ends, n * sizeof *ends);
    x->free += n;
}

void hd_exchange_post(struct hd_exchange *x, unsigned part)
{
    struct part *p = &x->part[part];

    for (size_t i = 0; i < p->n; i++) {
        if (p->ends[i].sender)
            hd_link_post_sender(p->ends[i].link);
        else
            hd_link_post_receiver(p->ends[i].link);
    }
    atomic_fetch_add_explicit(&p->posted, 1, memory_order_release);
}

void hd_exchange_wait(struct hd_exchange *x, unsigned part)
{
    uint64_t mine = atomic_load_explicit(&x->part[part].posted, memory_order_relaxed);

    for (unsigned i = 0; i < x->parts; i++)
        hd_spin_until(&x->part[i].posted, mine);
}

static void pause_a_moment(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

void hd_spin_until(_Atomic uint64_t *word, uint64_t least)
{
    for (unsigned tries = 0; atomic_load_explicit(word, memory_order_acquire) < least; tries++) {
        if (tries < SPINS)
            pause_a_moment();
        else if (tries < SPINS + YIELDS)
            sched_yield();
        else
            nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL);
    }
}
