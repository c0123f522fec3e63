/* exchange.h - what partitions of a machine tell each other between windows.
 *
 * The tiles of a machine are dealt out to partitions, one a thread. A partition runs tiles for a window no longer than
 * any link latency, posts the window, and waits for the others' posts. What a tile's ends of links have sent in the
 * window is made visible as soon as the tile has run; all of it arrives in a later window, so nothing depends on which
 * tile or partition is ahead. Nothing else passes between tiles while they run.
 *
 * Partitions of one process share the rings of their links, so what is made visible are counts (link.h). */
#ifndef HD_EXCHANGE_H
#define HD_EXCHANGE_H
#include "link.h"
#include <pthread.h>
#include <stddef.h>

enum { HD_MAX_THREADS = 64 };

/* One end of a link: of the tile that sends its flits, or of the one that receives them. */
struct hd_link_end {
    struct hd_link *link;
    bool sender;
};

struct hd_exchange;

/* @parts: 1..HD_MAX_THREADS. @return NULL when there is no memory. */
struct hd_exchange *hd_exchange_new(unsigned parts);
void hd_exchange_free(struct hd_exchange *x); /* NULL is allowed */

/* A tile with these @n @ends has run a window: lets the tiles at the other ends see what it sent. @return false when an
 * end has a fault. */
bool hd_exchange_show(const struct hd_link_end *ends, size_t n);

/* Called by partition @part when no tile is left to run in the window, and its last one has. */
void hd_exchange_post(struct hd_exchange *x, unsigned part);

/* Returns when every partition has posted as many windows as @part. */
void hd_exchange_wait(struct hd_exchange *x, unsigned part);

/* How threads wait for a number to reach a value: a while with the processor busy if each has one and that helps, then asleep. */
struct hd_bell {
    pthread_mutex_t lock;
    pthread_cond_t rung;
    _Atomic unsigned sleepers;
    unsigned spins;
};
void hd_bell_init(struct hd_bell *b, unsigned threads); /* @threads: that take part, the caller's included */
void hd_bell_fini(struct hd_bell *b);
/* Makes *word @value, which it has not passed, and wakes those who wait for it. */
void hd_bell_ring(struct hd_bell *b, _Atomic uint64_t *word, uint64_t value);
/* Waits until *word, which is only changed by hd_bell_ring(), is @least or more. */
void hd_bell_wait(struct hd_bell *b, _Atomic uint64_t *word, uint64_t least);
#endif
