/* exchange.c - see exchange.h. */
#define _DEFAULT_SOURCE 1
#include "exchange.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SPINS = 4000,  /* some 50 microseconds: longer than partitions of equal load differ */
    LONG = 4,      /* times as long when it is tried again: longer than a sleeper takes to wake up and be done with its part */
    PATIENCE = 4,  /* waits in vain before it is given up for a while */
    RARELY = 6     /* tried again in one of 2, 4, ... 2^6 waits */
};

struct part {
    alignas(HD_CACHE_LINE) _Atomic uint64_t posted;
};

struct hd_exchange {
    unsigned parts;
    struct hd_bell bell;
    struct part part[HD_MAX_THREADS];
};

struct hd_exchange *hd_exchange_new(unsigned parts)
{
    struct hd_exchange *x = aligned_alloc(HD_CACHE_LINE, sizeof *x);

    if (x == NULL)
        return NULL;
    memset(x, 0, sizeof *x);
    x->parts = parts;
    hd_bell_init(&x->bell, parts);
    return x;
}

void hd_exchange_free(struct hd_exchange *x)
{
    if (x == NULL)
        return;
    hd_bell_fini(&x->bell);
    free(x);
}

bool hd_exchange_show(const struct hd_link_end *ends, size_t n)
{
    bool good = true;

    for (size_t i = 0; i < n; i++) {
        struct hd_link *l = ends[i].link;
        if (ends[i].sender)
            hd_link_post_sender(l);
        else
            hd_link_post_receiver(l);
        good &= (ends[i].sender ? l->sender_fault : l->receiver_fault) == NULL;
    }
    return good;
}

void hd_exchange_post(struct hd_exchange *x, unsigned part)
{
    struct part *p = &x->part[part];
    uint64_t before = atomic_load_explicit(&p->posted, memory_order_relaxed);

    hd_bell_ring(&x->bell, &p->posted, before + 1);
}

void hd_exchange_wait(struct hd_exchange *x, unsigned part)
{
    uint64_t mine = atomic_load_explicit(&x->part[part].posted, memory_order_relaxed);

    for (unsigned i = 0; i < x->parts; i++)
        hd_bell_wait(&x->bell, &x->part[i].posted, mine);
}

static void pause_a_moment(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

void hd_bell_init(struct hd_bell *b, unsigned threads)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->rung, NULL);
    atomic_init(&b->sleepers, 0);
    b->spins = processors > 0 && threads <= (unsigned long)processors ? SPINS : 0;
}

void hd_bell_fini(struct hd_bell *b)
{
    pthread_mutex_destroy(&b->lock);
    pthread_cond_destroy(&b->rung);
}

/* Either the ringer sees the sleeper or the sleeper sees the number: both write before they read, in one order. */
void hd_bell_ring(struct hd_bell *b, _Atomic uint64_t *word, uint64_t value)
{
    atomic_store_explicit(word, value, memory_order_seq_cst);
    if (atomic_load_explicit(&b->sleepers, memory_order_seq_cst) == 0)
        return;
    pthread_mutex_lock(&b->lock);
    pthread_cond_broadcast(&b->rung);
    pthread_mutex_unlock(&b->lock);
}

/* On an idle host spinning halves the time of a run; with other work on it, a thread that spins keeps the one it waits for from a
 * processor, and a run takes four times as long as one that sleeps. So spinning is given up while it is in vain. */
struct patience {
    unsigned vain, waits;        /* waits that spun in vain, in a row; waits since one spun */
};

static unsigned spins_now(const struct hd_bell *b, struct patience *p)
{
    unsigned rare = p->vain - PATIENCE + 1;

    if (p->vain < PATIENCE)
        return b->spins;
    if (++p->waits < 1u << (rare < RARELY ? rare : RARELY))
        return 0;
    p->waits = 0;
    return LONG * b->spins;
}

void hd_bell_wait(struct hd_bell *b, _Atomic uint64_t *word, uint64_t least)
{
    static _Thread_local struct patience patience;

    if (atomic_load_explicit(word, memory_order_acquire) >= least)
        return;
    unsigned spins = spins_now(b, &patience);
    for (unsigned i = 0; i < spins; i++) {
        pause_a_moment();
        if (atomic_load_explicit(word, memory_order_acquire) >= least) {
            patience.vain = 0;
            return;
        }
    }
    patience.vain += spins > 0;
    pthread_mutex_lock(&b->lock);
    atomic_fetch_add_explicit(&b->sleepers, 1, memory_order_seq_cst);
    while (atomic_load_explicit(word, memory_order_seq_cst) < least)
        pthread_cond_wait(&b->rung, &b->lock);
    atomic_fetch_sub_explicit(&b->sleepers, 1, memory_order_seq_cst);
    pthread_mutex_unlock(&b->lock);
}
